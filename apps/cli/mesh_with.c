/* pliant mesh --with: another program fills the surface. It gets every vertex that a face uses, in the order of the file, and keeps them as its
 * first vertices, which is checked. Everything happens in a folder of its own, which is removed. */
#define _XOPEN_SOURCE 700
#include "mesh.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

typedef struct job {
    const mesh_options *o;
    const pliant_mesh  *surface;
    pliant_error       *error;
    uint32_t           *number; /* per vertex of the surface: 1 + the program's number of it; 0: unused */
    size_t              count;  /* of those that are used */
    double              size;   /* of tetrahedra, m; 0: as the surface has them */
    char                folder[256], input[320], geometry[320], output[320], log[320];
} job;

__attribute__((format(printf, 3, 4))) static bool fail(const job *j, pliant_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *j->error = (pliant_error){.code = code};
    vsnprintf(j->error->message, sizeof j->error->message, format, args);
    va_end(args);
    return false;
}

/* ---- input of the program ---- */

/* Refuses a faulty surface: these programs want one without faults, and their messages on others are hard to understand. */
static bool check_surface(job *j)
{
    static const pliant_finding faults[] = {PLIANT_FINDING_OPEN_EDGES,         PLIANT_FINDING_CROWDED_EDGES,
                                            PLIANT_FINDING_DEGENERATE_FACES,   PLIANT_FINDING_DUPLICATE_FACES,
                                            PLIANT_FINDING_DUPLICATE_VERTICES, PLIANT_FINDING_CROSSINGS};
    const pliant_mesh_view      view = pliant_mesh_view_from(j->surface);
    pliant_examination          e;
    if (pliant_mesh_examine(&view, &e, j->error) != PLIANT_OK) return false;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (e.count[faults[i]])
            return fail(j, PLIANT_ERROR_INPUT,
                        "%s: %llu; %s fills only closed surfaces without faults: mend it (--mend), or make a cage, without --with",
                        pliant_finding_describe(faults[i])->name, (unsigned long long)e.count[faults[i]], j->o->with);
    j->size = j->o->size;
    for (int k = 0; k < 3 && j->o->cells; k++)
        if ((e.high[k] - e.low[k]) / j->o->cells > j->size) j->size = (e.high[k] - e.low[k]) / j->o->cells;
    return true;
}

static bool number_vertices(job *j)
{
    const pliant_mesh *m = j->surface;
    j->number = calloc(m->vertex_count, sizeof *j->number);
    if (!j->number) return fail(j, PLIANT_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < 3 * m->triangle_count; i++) j->number[m->triangles[i]] = 1;
    for (size_t i = 0; i < 4 * m->quad_count; i++) j->number[m->quads[i]] = 1;
    for (size_t v = 0; v < m->vertex_count; v++)
        if (j->number[v]) j->number[v] = (uint32_t)++j->count;
    return true;
}

static size_t triangle_count(const job *j) { return j->surface->triangle_count + 2 * j->surface->quad_count; }

/* Corner k of triangle i, as the program calls it. */
static uint32_t corner(const job *j, size_t i, size_t k)
{
    const pliant_mesh *m = j->surface;
    if (i < m->triangle_count) return j->number[m->triangles[3 * i + k]];
    const size_t half = (i - m->triangle_count) % 2, quad = (i - m->triangle_count) / 2;
    return j->number[m->quads[4 * quad + (k ? k + half : 0)]];
}

static void print_points(const job *j, FILE *file)
{
    for (size_t v = 0; v < j->surface->vertex_count; v++) {
        const pliant_real *x = j->surface->positions + 3 * v;
        if (j->number[v]) fprintf(file, "%u %.17g %.17g %.17g\n", j->number[v], (double)x[0], (double)x[1], (double)x[2]);
    }
}

static void print_triangles(const job *j, FILE *file, const char *before, bool numbered)
{
    for (size_t i = 0; i < triangle_count(j); i++) {
        if (numbered) fprintf(file, "%zu ", i + 1);
        fprintf(file, "%s %u %u %u\n", before, corner(j, i, 0), corner(j, i, 1), corner(j, i, 2));
    }
}

static bool end(const job *j, FILE *file, const char *path)
{
    if (!file) return fail(j, PLIANT_ERROR_IO, "%s: %s", path, strerror(errno));
    const bool lost = ferror(file) != 0;
    return (fclose(file) == 0 && !lost) || fail(j, PLIANT_ERROR_IO, "%s: it could not be written", path);
}

/* TetGen's .smesh: nodes, facets, no holes, no regions. */
static bool write_smesh(const job *j)
{
    FILE *file = fopen(j->input, "w");
    if (file) {
        fprintf(file, "%zu 3 0 0\n", j->count);
        print_points(j, file);
        fprintf(file, "%zu 0\n", triangle_count(j));
        print_triangles(j, file, "3", false);
        fprintf(file, "0\n0\n");
    }
    return end(j, file, j->input);
}

/* Gmsh's .msh 2.2: triangles of the surface 1; and the commands to fill it. */
static bool write_msh(const job *j)
{
    FILE *file = fopen(j->input, "w");
    if (file) {
        fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%zu\n", j->count);
        print_points(j, file);
        fprintf(file, "$EndNodes\n$Elements\n%zu\n", triangle_count(j));
        print_triangles(j, file, "2 2 0 1", true);
        fprintf(file, "$EndElements\n");
    }
    if (!end(j, file, j->input)) return false;
    file = fopen(j->geometry, "w");
    if (file) fprintf(file, "Merge \"surface.msh\";\nSurface Loop(1) = {1};\nVolume(1) = {1};\n");
    return end(j, file, j->geometry);
}

/* ---- running it ---- */

/* Appends the last lines of the program's output, as one line. */
static void quote_log(const job *j, char *out, size_t size)
{
    char  text[2048] = "";
    FILE *file = fopen(j->log, "r");
    if (file) {
        fseek(file, 0, SEEK_END);
        const long length = ftell(file);
        fseek(file, length > 300 ? length - 300 : 0, SEEK_SET);
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        fclose(file);
    }
    size_t used = 0;
    for (const char *c = text; *c && used + 3 < size; c++) {
        if (*c != '\n' && *c != '\r')
            out[used++] = *c;
        else if (used && out[used - 1] != ' ')
            out[used++] = ';', out[used++] = ' ';
    }
    out[used] = 0;
}

static int spawn(pid_t *child, const job *j, const char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    int                        number = posix_spawn_file_actions_init(&actions);
    if (number) return number;
    number = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!number) number = posix_spawn_file_actions_addopen(&actions, 1, j->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!number) number = posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (!number) number = posix_spawnp(child, arguments[0], &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return number;
}

/* Until it ends, its time is over, or the user has enough of it. */
static bool wait_for(const job *j, pid_t child)
{
    const double          begin = cli_seconds();
    const struct timespec pause = {0, 20000000};
    int                   status = 0;
    for (;;) {
        const pid_t got = waitpid(child, &status, WNOHANG);
        if (got == child) break;
        const bool late = cli_seconds() - begin > j->o->seconds, enough = cli_interrupted();
        if ((got < 0 && errno != EINTR) || late || enough) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            if (enough) return fail(j, PLIANT_ERROR_INTERRUPTED, "interrupted");
            return fail(j, PLIANT_ERROR_INPUT, "%s was not done after %u s (--seconds N gives it longer)", j->o->with, j->o->seconds);
        }
        nanosleep(&pause, NULL);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    char quoted[400];
    quote_log(j, quoted, sizeof quoted);
    return fail(j, PLIANT_ERROR_INPUT, "%s could not fill it: %s", j->o->with, quoted);
}

static bool run(const job *j, const char *const *arguments)
{
    pid_t     child;
    const int number = spawn(&child, j, arguments);
    if (number == ENOENT || number == EACCES || number == ENOTDIR)
        return fail(j, PLIANT_ERROR_UNAVAILABLE, "%s is not installed (on Debian: apt-get install %s); a cage needs no other program",
                    j->o->with, j->o->with);
    if (number) return fail(j, PLIANT_ERROR_UNAVAILABLE, "%s does not start: %s", j->o->with, strerror(number));
    return wait_for(j, child);
}

/* ---- output of the program ---- */

static bool fail_output(const job *j)
{
    char quoted[400];
    quote_log(j, quoted, sizeof quoted);
    return fail(j, PLIANT_ERROR_INPUT, "%s left no tetrahedra: %s", j->o->with, quoted);
}

/* The lines between $NAME and $EndNAME; the first of them is a count. */
static bool find_section(FILE *file, const char *name, size_t *count)
{
    char line[1024];
    rewind(file);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == '\n')
            return fscanf(file, "%zu", count) == 1 && *count < INT32_MAX / 6;
    return false;
}

/* Nodes of Gmsh's .msh 2.2 have numbers in any order; those of the surface keep theirs. */
static bool read_nodes(const job *j, FILE *file, pliant_tets *tets, uint32_t *index, size_t most)
{
    size_t next = j->count;
    for (size_t i = 0; i < tets->vertex_count; i++) {
        size_t tag;
        double x[3];
        if (fscanf(file, "%zu %lf %lf %lf", &tag, &x[0], &x[1], &x[2]) != 4 || tag < 1 || tag > most) return false;
        const size_t at = tag <= j->count ? tag - 1 : next++;
        if (at >= tets->vertex_count) return false;
        index[tag] = (uint32_t)at;
        for (int k = 0; k < 3; k++) tets->positions[3 * at + (size_t)k] = (pliant_real)x[k];
    }
    return next == tets->vertex_count;
}

static bool read_elements(FILE *file, pliant_tets *tets, const uint32_t *index, size_t most, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned number, type, tags;
        size_t   v[4], tag;
        int      skipped = 0;
        if (fscanf(file, "%u %u %u", &number, &type, &tags) != 3) return false;
        for (unsigned k = 0; k < tags; k++)
            if (fscanf(file, "%zu", &tag) != 1) return false;
        if (type != 4) {
            while ((skipped = fgetc(file)) != '\n' && skipped != EOF) {
            }
            continue;
        }
        if (fscanf(file, "%zu %zu %zu %zu", &v[0], &v[1], &v[2], &v[3]) != 4) return false;
        for (int k = 0; k < 4; k++) {
            if (v[k] < 1 || v[k] > most) return false;
            tets->tetrahedra[4 * tets->tetrahedron_count + (size_t)k] = index[v[k]];
        }
        tets->tetrahedron_count++;
    }
    return tets->tetrahedron_count > 0;
}

static bool read_msh(const job *j, FILE *file, pliant_tets *tets, uint32_t **index)
{
    size_t most, count;
    if (!find_section(file, "$Nodes", &tets->vertex_count) || tets->vertex_count < j->count) return false;
    most = 4 * tets->vertex_count + 1000;
    tets->positions = calloc(3 * tets->vertex_count, sizeof *tets->positions);
    *index = calloc(most + 1, sizeof **index);
    if (!tets->positions || !*index || !read_nodes(j, file, tets, *index, most) || !find_section(file, "$Elements", &count)) return false;
    tets->tetrahedra = calloc(4 * count, sizeof *tets->tetrahedra);
    return tets->tetrahedra && read_elements(file, tets, *index, most, count);
}

/* By way of TetGen's files, which the library reads. */
static bool load_msh(const job *j, pliant_tets *tets)
{
    pliant_tets own = {0};
    uint32_t   *index = NULL;
    char        node[320];
    FILE       *file = fopen(j->output, "r");
    bool        ok = (file && read_msh(j, file, &own, &index)) || fail_output(j);
    snprintf(node, sizeof node, "%s/filled.node", j->folder);
    ok = ok && pliant_tets_write(node, &own, j->error) == PLIANT_OK && pliant_tets_load(node, tets, j->error) == PLIANT_OK;
    if (file) fclose(file);
    free(index);
    free(own.positions);
    free(own.tetrahedra);
    return ok;
}

/* The surface's vertices come first, where they were. */
static bool check_mapping(const job *j, const pliant_tets *tets)
{
    size_t wrong = tets->vertex_count < j->count;
    for (size_t v = 0; !wrong && v < j->surface->vertex_count; v++)
        for (size_t k = 0; j->number[v] && k < 3; k++) {
            const pliant_real is = tets->positions[3 * (size_t)(j->number[v] - 1) + k], was = j->surface->positions[3 * v + k];
            wrong += is < was || is > was;
        }
    return !wrong || fail(j, PLIANT_ERROR_INPUT, "%s moved the vertices of the surface", j->o->with);
}

static bool fill_by_tetgen(job *j, pliant_tets *tets)
{
    char switches[64] = "-pYq1.4/0Q";
    if (j->size > 0) snprintf(switches, sizeof switches, "-pYq1.4/0Qa%.17g", j->size * j->size * j->size / 12);
    snprintf(j->input, sizeof j->input, "%s/surface.smesh", j->folder);
    snprintf(j->output, sizeof j->output, "%s/surface.1.node", j->folder);
    const char *const arguments[] = {"tetgen", switches, j->input, NULL};
    if (!write_smesh(j) || !run(j, arguments)) return false;
    return pliant_tets_load(j->output, tets, j->error) == PLIANT_OK || fail_output(j);
}

static bool fill_by_gmsh(job *j, pliant_tets *tets)
{
    char most[64];
    snprintf(most, sizeof most, "%.17g", j->size > 0 ? j->size : 1e22);
    snprintf(j->input, sizeof j->input, "%s/surface.msh", j->folder);
    snprintf(j->geometry, sizeof j->geometry, "%s/surface.geo", j->folder);
    snprintf(j->output, sizeof j->output, "%s/filled.msh", j->folder);
    const char *const arguments[] = {"gmsh",    j->geometry, "-3",        "-nt", "1",       "-clmax", most,
                                     "-format", "msh22",     "-save_all", "-o",  j->output, NULL};
    return write_msh(j) && run(j, arguments) && load_msh(j, tets);
}

/* ---- the whole of mesh --with ---- */

static void remove_folder(const job *j)
{
    DIR           *folder = opendir(j->folder);
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder) closedir(folder);
    rmdir(j->folder);
}

bool mesh_fill_with(const mesh_options *o, const pliant_mesh *surface, pliant_tets *tets, size_t *mapped, pliant_error *error)
{
    job         j = {.o = o, .surface = surface, .error = error};
    const char *temporary = getenv("TMPDIR");
    if (!check_surface(&j) || !number_vertices(&j)) return false;
    cli_catch_signals();
    snprintf(j.folder, sizeof j.folder, "%.200s/pliant-mesh.XXXXXX", temporary && *temporary ? temporary : "/tmp");
    bool ok = mkdtemp(j.folder) || fail(&j, PLIANT_ERROR_IO, "%s: %s", j.folder, strerror(errno));
    if (ok) {
        snprintf(j.log, sizeof j.log, "%s/log", j.folder);
        ok = (strcmp(o->with, "gmsh") == 0 ? fill_by_gmsh(&j, tets) : fill_by_tetgen(&j, tets)) && check_mapping(&j, tets);
        remove_folder(&j);
    }
    *mapped = j.count;
    free(j.number);
    return ok;
}
