/* pliant-import: reads a mesh by Assimp and writes it to standard output, for libpliant_io to check (io/mesh/import.h).
 *
 *   pliant-import FILE ROOT SECONDS BYTES
 *
 * A program of its own, since Assimp crashes, hangs or takes all memory on files that are damaged, or made to. It first gives up what it does not
 * need: memory above BYTES, processor time above SECONDS, descriptors, writing of files. It opens FILE, and what FILE names as far as that lies in
 * the folder ROOT or below, wherever links lead.
 *
 * Nothing is joined, cut or sorted: vertices and faces are as Assimp's reader makes them, each mesh as often as the scene's nodes have it and
 * where they put it. */
#define _DEFAULT_SOURCE   /* syscall */
#define _XOPEN_SOURCE 700 /* realpath */
#include "io/mesh/import.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <assimp/version.h>

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/* ---- limits ---- */

static bool limit(int what, rlim_t to)
{
    struct rlimit l;
    if (getrlimit(what, &l) != 0) return false;
    if (l.rlim_max != RLIM_INFINITY && l.rlim_max < to) to = l.rlim_max;
    l.rlim_cur = l.rlim_max = to;
    return setrlimit(what, &l) == 0;
}

static void close_inherited(void)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 3u, UINT_MAX, 0u) == 0) return;
#endif
    for (int i = 3; i < 1024; i++) close(i);
}

static bool set_limits(const char *seconds, const char *bytes)
{
    const unsigned long long time = strtoull(seconds, NULL, 10), memory = strtoull(bytes, NULL, 10);
    if (!time || !memory) return false;
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* its output would have no reader */
#endif
    close_inherited();
    return limit(RLIMIT_AS, (rlim_t)memory) && limit(RLIMIT_CPU, (rlim_t)time) && limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0);
}

/* ---- files ---- */

typedef struct files {
    const char *mesh; /* as it was given */
    char       *root; /* where it really is */
    char        outside[256];
} files;

static bool may_open(files *f, const char *path)
{
    char       *real = realpath(path, NULL);
    struct stat s;
    if (!real) return false;
    size_t length = strlen(f->root);
    if (length == 1) length = 0; /* "/" */
    const bool inside = strcmp(path, f->mesh) == 0 || (strncmp(real, f->root, length) == 0 && real[length] == '/');
    const bool is_file = stat(real, &s) == 0 && S_ISREG(s.st_mode);
    if (!inside && is_file) snprintf(f->outside, sizeof f->outside, "%s", path);
    free(real);
    return inside && is_file;
}

static int digit_of(char c)
{
    const char *const digits = "0123456789abcdef", *found = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* glTF writes "my%20mesh.bin" for "my mesh.bin", and Assimp takes it at its word. In place. */
static void decode(char *path)
{
    char *out = path;
    for (const char *c = path; *c; c++) {
        const int high = *c == '%' ? digit_of(c[1]) : -1, low = high < 0 ? -1 : digit_of(c[2]), code = 16 * high + low;
        *out++ = low >= 0 && code ? (char)code : *c;
        if (low >= 0 && code) c += 2;
    }
    *out = 0;
}

/* Opens a file by its name as written, or else with its escapes resolved. */
static FILE *find_file(files *f, const char *path)
{
    if (may_open(f, path)) return fopen(path, "rb");
    char *meant = strdup(path);
    FILE *stream = NULL;
    if (meant) decode(meant);
    if (meant && strcmp(meant, path) != 0 && may_open(f, meant)) stream = fopen(meant, "rb");
    free(meant);
    return stream;
}

static FILE *file_of(struct aiFile *file) { return (FILE *)(void *)file->UserData; }

static size_t read_some(struct aiFile *file, char *to, size_t size, size_t count) { return fread(to, size, count, file_of(file)); }

static size_t write_none(struct aiFile *file, const char *from, size_t size, size_t count)
{
    (void)file, (void)from, (void)size, (void)count;
    return 0;
}

static size_t tell(struct aiFile *file) { return (size_t)ftell(file_of(file)); }

static size_t size_of(struct aiFile *file)
{
    struct stat s;
    return fstat(fileno(file_of(file)), &s) == 0 ? (size_t)s.st_size : 0;
}

static aiReturn seek(struct aiFile *file, size_t to, enum aiOrigin from)
{
    static const int origins[] = {SEEK_SET, SEEK_CUR, SEEK_END};
    if ((int)from < 0 || (int)from > 2) return aiReturn_FAILURE;
    return fseek(file_of(file), (long)to, origins[from]) == 0 ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

static void flush_none(struct aiFile *file) { (void)file; }

static struct aiFile *open_file(struct aiFileIO *io, const char *path, const char *mode)
{
    struct aiFile *file = NULL;
    FILE          *stream = NULL;
    if (mode[0] == 'r' && !strchr(mode, '+')) stream = find_file((files *)(void *)io->UserData, path);
    if (stream) file = calloc(1, sizeof *file);
    if (!file) {
        if (stream) fclose(stream);
        return NULL;
    }
    *file = (struct aiFile){.ReadProc = read_some,
                            .WriteProc = write_none,
                            .TellProc = tell,
                            .FileSizeProc = size_of,
                            .SeekProc = seek,
                            .FlushProc = flush_none,
                            .UserData = (aiUserData)(void *)stream};
    return file;
}

static void close_file(struct aiFileIO *io, struct aiFile *file)
{
    (void)io;
    fclose(file_of(file));
    free(file);
}

/* ---- the scene ---- */

typedef struct placed {
    const struct aiNode *node;
    double               to[3][4]; /* from the node to the scene */
} placed;

typedef struct walk {
    const struct aiScene *scene;
    pliant__import_head   head;
    uint64_t              first; /* vertex of the mesh visited */
    const struct aiNode  *node;  /* node with the mesh */
    pliant__import_marks  marks;
} walk;

static void compose(double out[3][4], double a[3][4], const struct aiMatrix4x4 *m)
{
    const double b[4][4] = {{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4},
                            {(double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4},
                            {(double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4},
                            {0, 0, 0, 1}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) out[i][k] = a[i][0] * b[0][k] + a[i][1] * b[1][k] + a[i][2] * b[2][k] + a[i][3] * b[3][k];
}

/* Visits every mesh of every node, parents first, children in their order. */
static bool for_each(walk *w, bool (*visit)(walk *w, const struct aiMesh *mesh, double to[3][4]))
{
    size_t  room = 64, count = 1;
    placed *stack = malloc(room * sizeof *stack);
    bool    ok = stack != NULL;
    if (ok) stack[0] = (placed){w->scene->mRootNode, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    w->first = 0;
    while (ok && count) {
        placed now = stack[--count], here = now;
        w->node = now.node;
        compose(here.to, now.to, &now.node->mTransformation);
        for (unsigned i = 0; ok && i < now.node->mNumMeshes; i++)
            if (now.node->mMeshes[i] < w->scene->mNumMeshes) ok = visit(w, w->scene->mMeshes[now.node->mMeshes[i]], here.to);
        for (unsigned i = now.node->mNumChildren; ok && i-- > 0;) {
            if (count == room) {
                placed *more = realloc(stack, (room *= 2) * sizeof *stack);
                if (more) stack = more;
                ok = more != NULL;
            }
            if (!ok) break;
            here.node = now.node->mChildren[i];
            stack[count++] = here;
        }
    }
    free(stack);
    return ok;
}

static bool count_mesh(walk *w, const struct aiMesh *mesh, double to[3][4])
{
    (void)to;
    w->head.vertices += mesh->mNumVertices;
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const unsigned corners = mesh->mFaces[i].mNumIndices;
        if (corners < 3) {
            w->head.left_out++;
            continue;
        }
        w->head.faces++;
        w->head.corners += corners;
    }
    return w->head.vertices < UINT32_MAX && w->head.corners < 2 * (uint64_t)UINT32_MAX;
}

/* The names of a node and of its mesh: a group each, of the same vertices. */
static uint32_t names_of(const walk *w, const struct aiMesh *mesh, const char *names[2])
{
    uint32_t count = 0;
    if (w->node->mName.length) names[count++] = w->node->mName.data;
    if (mesh->mName.length && (!count || strcmp(mesh->mName.data, names[0]) != 0)) names[count++] = mesh->mName.data;
    return count;
}

static bool count_marks(walk *w, const struct aiMesh *mesh, double to[3][4])
{
    const char *names[2];
    (void)to;
    if (mesh->mColors[0]) w->marks.has |= PLIANT__IMPORT_COLORS;
    if (mesh->mTextureCoords[0]) w->marks.has |= PLIANT__IMPORT_UVS;
    w->marks.groups += names_of(w, mesh, names);
    return true;
}

static bool put(const void *bytes, size_t size) { return fwrite(bytes, 1, size, stdout) == size; }

static bool put_positions(walk *w, const struct aiMesh *mesh, double to[3][4])
{
    (void)w;
    for (unsigned v = 0; v < mesh->mNumVertices; v++) {
        const double x[3] = {(double)mesh->mVertices[v].x, (double)mesh->mVertices[v].y, (double)mesh->mVertices[v].z};
        double       out[3];
        for (int i = 0; i < 3; i++) out[i] = to[i][0] * x[0] + to[i][1] * x[1] + to[i][2] * x[2] + to[i][3];
        if (!put(out, sizeof out)) return false;
    }
    return true;
}

static bool put_sizes(walk *w, const struct aiMesh *mesh, double to[3][4])
{
    (void)w, (void)to;
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const uint32_t corners = mesh->mFaces[i].mNumIndices;
        if (corners >= 3 && !put(&corners, sizeof corners)) return false;
    }
    return true;
}

static double determinant(double m[3][4])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Where a node mirrors its mesh, faces go round the other way, so that they look where they did. */
static bool put_corners(walk *w, const struct aiMesh *mesh, double to[3][4])
{
    const bool mirrored = determinant(to) < 0;
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        for (unsigned k = 0; k < face->mNumIndices && face->mNumIndices >= 3; k++) {
            const unsigned index = face->mIndices[mirrored && k ? face->mNumIndices - k : k];
            const uint32_t corner = index < mesh->mNumVertices ? (uint32_t)(w->first + index) : UINT32_MAX;
            if (!put(&corner, sizeof corner)) return false;
        }
    }
    w->first += mesh->mNumVertices;
    return true;
}

/* A mesh without colours is white. */
static bool put_colors(walk *w, const struct aiMesh *mesh, double to[3][4])
{
    (void)to;
    for (unsigned v = 0; (w->marks.has & PLIANT__IMPORT_COLORS) && v < mesh->mNumVertices; v++) {
        const struct aiColor4D *c = mesh->mColors[0] ? &mesh->mColors[0][v] : NULL;
        const float             rgba[4] = {c ? (float)c->r : 1, c ? (float)c->g : 1, c ? (float)c->b : 1, c ? (float)c->a : 1};
        if (!put(rgba, sizeof rgba)) return false;
    }
    return true;
}

static bool put_groups(walk *w, const struct aiMesh *mesh, double to[3][4])
{
    const char    *names[2];
    const uint32_t count = names_of(w, mesh, names);
    (void)to;
    for (uint32_t i = 0; i < count; i++) {
        pliant__import_group g = {.first = (uint32_t)w->first, .count = mesh->mNumVertices};
        snprintf(g.name, sizeof g.name, "%.63s", names[i]);
        if (!put(&g, sizeof g)) return false;
    }
    w->first += mesh->mNumVertices;
    return true;
}

/* The first set; a mesh without any has zeros. Assimp's v goes up in every format. */
static bool put_uvs(walk *w, const struct aiMesh *mesh, double to[3][4])
{
    (void)to;
    for (unsigned v = 0; (w->marks.has & PLIANT__IMPORT_UVS) && v < mesh->mNumVertices; v++) {
        const struct aiVector3D *t = mesh->mTextureCoords[0] ? &mesh->mTextureCoords[0][v] : NULL;
        const float              uv[2] = {t ? (float)t->x : 0, t ? (float)t->y : 0};
        if (!put(uv, sizeof uv)) return false;
    }
    return true;
}

static bool put_marks(walk *w)
{
    return put(&w->marks, sizeof w->marks) && for_each(w, put_colors) && for_each(w, put_groups) && for_each(w, put_uvs);
}

static bool number_of(const struct aiMetadata *data, const char *key, double *out)
{
    for (unsigned i = 0; data && i < data->mNumProperties; i++) {
        const struct aiMetadataEntry *e = &data->mValues[i];
        if (strcmp(data->mKeys[i].data, key) != 0 || !e->mData) continue;
        if (e->mType == AI_INT32) return *out = *(const int32_t *)e->mData, true;
        if (e->mType == AI_FLOAT) return *out = (double)*(const float *)e->mData, true;
        if (e->mType == AI_DOUBLE) return *out = *(const double *)e->mData, true;
    }
    return false;
}

/* FBX says how many centimetres a unit is, and which axis is up, 0 to 2. From 5.3 on Assimp turns such scenes itself. */
static void read_frame(walk *w)
{
    double     unit = 0, up = 0, sign = 1;
    const bool turns = aiGetVersionMajor() > 5 || (aiGetVersionMajor() == 5 && aiGetVersionMinor() >= 3);
    if (!number_of(w->scene->mMetaData, "UnitScaleFactor", &unit) || !(unit > 0 && unit < 1e9)) return;
    w->head.unit = unit / 100;
    number_of(w->scene->mMetaData, "UpAxisSign", &sign);
    if (!number_of(w->scene->mMetaData, "UpAxis", &up)) return;
    w->head.up = turns || (sign > 0 && up > 0.5 && up < 1.5) ? 'y' : sign > 0 && up > 1.5 && up < 2.5 ? 'z' : 'x';
}

/* ---- the two answers ---- */

static int answer_mesh(const struct aiScene *scene)
{
    walk w = {.scene = scene, .head = {.magic = PLIANT__IMPORT_MAGIC, .status = PLIANT__IMPORT_MESH}};
    read_frame(&w);
    return for_each(&w, count_mesh) && for_each(&w, count_marks) && put(&w.head, sizeof w.head) && for_each(&w, put_positions) &&
                   for_each(&w, put_sizes) && for_each(&w, put_corners) && put_marks(&w) && fflush(stdout) == 0
               ? 0
               : 3;
}

static int answer_error(const files *f)
{
    const char         *text = aiGetErrorString();
    pliant__import_head head = {.magic = PLIANT__IMPORT_MAGIC, .status = PLIANT__IMPORT_BAD};
    if (strstr(text, "bad_alloc") || strstr(text, "llocation failed")) head.status = PLIANT__IMPORT_MEMORY;
    if (*f->outside) {
        head.status = PLIANT__IMPORT_OUTSIDE;
        text = f->outside;
    }
    head.text = strlen(text);
    return put(&head, sizeof head) && put(text, head.text) && fflush(stdout) == 0 ? 0 : 3;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return fputs("usage: pliant-import FILE ROOT SECONDS BYTES\nlibpliant_io runs it; it writes for a program to read\n", stderr), 2;
    files f = {.mesh = argv[1]};
    if (!set_limits(argv[3], argv[4]) || !(f.root = realpath(argv[2], NULL))) return 3;
    struct aiFileIO       io = {open_file, close_file, (aiUserData)(void *)&f};
    const struct aiScene *scene = aiImportFileEx(f.mesh, 0, &io);
    return scene && scene->mRootNode ? answer_mesh(scene) : answer_error(&f);
}
