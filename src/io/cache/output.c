/* Checks before a file is written: whether the file there may be replaced, how many bytes the new one will take, and how many are free.
 *
 * The rule, for every file that Pliant writes: a file that is there is replaced if it is empty, or of the kind that is to be written, by its first
 * bytes. Every other file stays, whatever its name. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "io/files/file.h"
#include "io/cache/folder.h"
#include "io/cache/format.h"
#include "io/cache/parts.h"

#include "base/float_env.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/* ---- the file that is there ---- */

/* The file that is there, opened, with its first bytes, fewer where it has fewer. Where there is none it is not open. It still has to be closed after
 * an error. */
typedef struct found {
    pliant__source file;
    char           head[PLIANT__HEAD];
    size_t         size;
} found;

static bool look(const char *path, found *f, pliant_error *error)
{
    *f = (found){.file = {.handle = -1}};
    if (!pliant__file_is_there(path)) return true;
    if (pliant__source_open(&f->file, path, error)) {
        f->size = f->file.size < PLIANT__HEAD ? (size_t)f->file.size : PLIANT__HEAD;
        return pliant__source_read(&f->file, 0, f->head, f->size, error);
    }
    if (error && error->code == PLIANT_ERROR_INPUT) error->code = PLIANT_ERROR_IO; /* a folder, say, in the place of the file */
    return false;
}

static bool refuse(const char *path, const char *what, pliant_error *error)
{
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "there is a file that is not %s; it is not written over (--force does)",
                           what);
}

static bool visit_file(const pliant__place *place, uint32_t i, char *path, pliant__own own, pliant__visit visit, void *context,
                       pliant_error *error)
{
    bool ok = path ? visit(context, place, i, path, own, error) : pliant__fail_memory(error, 64, "a path");
    free(path);
    return ok;
}

static bool visit_files(const char *path, const pliant_model *model, pliant__visit visit, void *context, pliant_error *error)
{
    pliant__place         place = {0};
    bool                  ok = pliant__place_make(&place, path, model, false, error);
    const pliant__format *format = place.format;
    if (ok && !format->path_of) ok = pliant__folder_visit(&place, visit, context, error);
    for (uint32_t i = 0; ok && format->path_of && i < (format->per_body ? place.body_count : 1); i++)
        ok = visit_file(&place, i, format->path_of(&place, i), format->own, visit, context, error);
    if (ok && format->beside) ok = visit_file(&place, 0, format->beside(&place, 0), format->own_beside, visit, context, error);
    pliant__place_free(&place);
    return ok;
}

/* Whether a file may be replaced; adds how many bytes it has. */
static bool may_replace(void *context, const pliant__place *place, uint32_t body, const char *path, pliant__own own, pliant_error *error)
{
    found     f;
    char      what[64];
    uint64_t *there = context;
    snprintf(what, sizeof what, "a cache of this scene's, %s", place->format->info.name);
    bool ok = look(path, &f, error);
    if (ok) *there += f.file.size;
    ok = ok && (f.size == 0 || own(place, body, f.head, f.size, &f.file) || refuse(path, what, error));
    pliant__source_close(&f.file);
    return ok;
}

static bool check_writer(const char *path, const pliant_model *model, uint64_t *there, pliant_error *error)
{
    uint64_t bytes = 0;
    if (!path || !*path || !model) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a cache needs a path and a model");
    const bool ok = visit_files(path, model, may_replace, &bytes, error);
    if (there) *there = ok ? bytes : 0;
    return ok;
}

pliant_code pliant_writer_check(const char *path, const pliant_model *model, uint64_t *there, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(check_writer(path, model, there, &why), &why, error);
}

typedef struct shown {
    pliant_show_function *show;
    void                 *context;
} shown;

static bool show_file(void *context, const pliant__place *place, uint32_t body, const char *path, pliant__own own, pliant_error *error)
{
    const shown *s = context;
    (void)place, (void)body, (void)own;
    const pliant_code code = s->show(path, s->context, error);
    if (code) error->code = code;
    return !code;
}

static bool show_replaced(const char *path, const pliant_model *model, pliant_show_function *show, void *context, pliant_error *error)
{
    shown s = {show, context};
    if (!path || !*path || !model || !show)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a cache needs a path, a model and a function that is shown the files");
    return visit_files(path, model, show_file, &s, error);
}

pliant_code pliant_writer_replaces(const char *path, const pliant_model *model, pliant_show_function *show, void *context,
                                   pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(show_replaced(path, model, show, context, &why), &why, error);
}

/* ---- other files than caches ---- */

static const struct kind {
    const char *what;
    size_t      offset, length; /* of the bytes in `has` */
    const char *has;
} kinds[PLIANT_OUTPUT_COUNT] = {
    [PLIANT_OUTPUT_CHECKPOINT] = {"a checkpoint", 0, 8, "PLIANTK\0"},
    [PLIANT_OUTPUT_COOKED] = {"a cooked model", 0, 8, "PLIANTM\0"},
    [PLIANT_OUTPUT_RECORDING] = {"a recording", 0, 8, "PLIANTR\0"},
    [PLIANT_OUTPUT_PNG] = {"a PNG picture", 0, 8, "\x89PNG\r\n\x1a\n"},
    [PLIANT_OUTPUT_MP4] = {"an MP4 film", 4, 4, "ftyp"},
    [PLIANT_OUTPUT_GIF] = {"a GIF film", 0, 4, "GIF8"},
    [PLIANT_OUTPUT_CURVES] = {"a table of pliant compare", 0, 20, "method,iteration,ms,"},
    [PLIANT_OUTPUT_CHART] = {"a picture of pliant compare", 0, 44, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "},
    [PLIANT_OUTPUT_ENERGY] = {"energies of pliant run", 0, 27, "frame,time,kinetic,gravity,"},
    [PLIANT_OUTPUT_SCENE] = {"the scene of the demo", 0, 14, "{\n  \"pliant\": 1"},
    [PLIANT_OUTPUT_MESH] = {"a mesh of pliant mesh", 0, 14, "# pliant mesh\n"},
    [PLIANT_OUTPUT_MESH_PLY] = {"a mesh of pliant mesh", 0, 41, "ply\nformat ascii 1.0\ncomment pliant mesh\n"},
    [PLIANT_OUTPUT_MESH_GMSH] = {"a mesh of pliant mesh", 0, 55, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 "},
    [PLIANT_OUTPUT_MESH_VTK] = {"a mesh of pliant mesh", 0, 39, "# vtk DataFile Version 3.0\npliant mesh\n"},
    [PLIANT_OUTPUT_MESH_SCENE] = {"a scene of pliant mesh", 0, 125,
                                  "{\n    \"pliant\": 1,\n    \"frames\": 120,\n    \"solver\": {\"substeps\": 20},\n    \"bodies\": [\n"
                                  "        {\"type\": \"soft\", \"name\": \"body\""},
    [PLIANT_OUTPUT_PROFILE] = {"a profile of pliant run", 0, 20, "{\"pliant_profile\": 1"},
};

static bool check_output(const char *path, pliant_output what, pliant_error *error)
{
    found f;
    if (!path || !*path || (unsigned)what >= PLIANT_OUTPUT_COUNT)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "an output needs a path and a kind");
    const struct kind *k = &kinds[what];
    const bool         looked = look(path, &f, error);
    pliant__source_close(&f.file);
    return looked && (f.size == 0 || (f.size >= k->offset + k->length && memcmp(f.head + k->offset, k->has, k->length) == 0) ||
                      refuse(path, k->what, error));
}

pliant_code pliant_output_check(const char *path, pliant_output what, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(check_output(path, what, &why), &why, error);
}

/* ---- how much ---- */

static bool estimate(const char *path, const pliant_model *model, const pliant_write_def *def, uint64_t *bytes, uint64_t *work,
                     pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    pliant__place place = {0};
    if (!path || !*path || !model || !def || def->size != sizeof *def || !bytes)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "an estimate needs a path, a model, and a def from pliant_write_def_default");
    bool ok = pliant__place_make(&place, path, model, def->exploded, error) && place.format->bytes(&place, def, bytes, error);
    if (work) *work = ok && place.format->parts ? pliant__parts_work_bytes(&place, def->frames) : 0;
    pliant__place_free(&place);
    return ok;
}

pliant_code pliant_writer_estimate(const char *path, const pliant_model *model, const pliant_write_def *def, uint64_t *bytes,
                                   uint64_t *work, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(estimate(path, model, def, bytes, work, &why), &why, error);
}

/* Free bytes and number of the file system, by the folder of the file. */
static bool find_space(const char *path, uint64_t *bytes, uint64_t *file_system, pliant_error *error)
{
    struct statvfs v;
    struct stat    s;
    if (!path || !*path || !bytes || !file_system) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "space is asked for a path");
    size_t length = strlen(path);
    char  *folder = malloc(length + 2);
    if (!folder) return pliant__fail_memory(error, length, "a path");
    memcpy(folder, path, length + 1);
    do {
        while (length && folder[length - 1] == '/') length--;
        while (length && folder[length - 1] != '/') length--;
        strcpy(folder + length, length ? "" : ".");
    } while (length > 1 && stat(folder, &s) != 0 && errno == ENOENT);
    bool ok = statvfs(folder, &v) == 0 && stat(folder, &s) == 0;
    if (!ok) pliant__fail_at(error, PLIANT_ERROR_IO, folder, 0, "%s", strerror(errno));
    free(folder);
    if (!ok) return false;
    *bytes = (uint64_t)v.f_bavail * v.f_frsize;
    *file_system = (uint64_t)s.st_dev;
    return true;
}

pliant_code pliant_output_space(const char *path, uint64_t *bytes, uint64_t *file_system, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(find_space(path, bytes, file_system, &why), &why, error);
}
