/* Caches: the table of formats, and what they share. */
#define _POSIX_C_SOURCE 200809L
#include "io/writer.h"

#include "base/float_env.h"

#include "io/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const pliant__format formats[] = {
    {{".csv", "CSV", "a line per frame and particle: frame,time,body,particle,x,y,z,vx,vy,vz; digits read back exactly"},
     pliant__csv_frame},
    {{".pc2", "Point Cache 2", "for Blender's Mesh Cache; one file, or one per body; the mesh's vertices in its order"}, pliant__pc2_frame},
    {{".obj", "Wavefront OBJ", "a folder with one file per body and frame"}, pliant__objs_frame},
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats, FORMAT_FOLDER = 2 };

const pliant_format_info *pliant_format_at(uint32_t index) { return index < FORMAT_COUNT ? &formats[index].info : NULL; }

pliant_write_def pliant_write_def_default(void)
{
    pliant_write_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.fps = 60;
    return def;
}

/* ---- text ---- */

bool pliant__writer_put(pliant_writer *writer, const void *data, size_t size)
{
    char *to = array_extend(NULL, &writer->text, size);
    if (to) memcpy(to, data, size);
    return to != NULL;
}

bool pliant__writer_put_number(pliant_writer *writer, double value, char after)
{
    char   number[PLIANT__NUMBER_SIZE + 1];
    size_t length = pliant__format_number(number, value, PLIANT__REAL_DIGITS);
    number[length] = after;
    return pliant__writer_put(writer, number, length + 1);
}

bool pliant__writer_put_count(pliant_writer *writer, uint64_t value, char after)
{
    char   digits[24];
    size_t at = sizeof digits;
    digits[--at] = after;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    return pliant__writer_put(writer, digits + at, sizeof digits - at);
}

/* ---- files ---- */

bool pliant__writer_note(pliant_writer *writer, const char *path, pliant_error *error)
{
    if (writer->path_count == writer->path_room) {
        size_t room = writer->path_room ? 2 * writer->path_room : 16;
        char **more = realloc(writer->paths, room * sizeof *more);
        if (!more) return pliant__fail_memory(error, room * sizeof *more, "paths");
        writer->paths = more;
        writer->path_room = room;
    }
    size_t size = strlen(path) + 1;
    char  *copy = malloc(size);
    if (!copy) return pliant__fail_memory(error, size, "a path");
    memcpy(copy, path, size);
    writer->paths[writer->path_count++] = copy;
    return true;
}

bool pliant__writer_open_files(pliant_writer *writer, uint32_t count, char *(*path_of)(const pliant_writer *, uint32_t),
                               pliant_error *error)
{
    writer->files = pliant__alloc_array(NULL, count, sizeof *writer->files);
    if (!writer->files) return pliant__fail_memory(error, count * sizeof *writer->files, "files");
    for (uint32_t i = 0; i < count; i++) writer->files[i].handle = -1;
    writer->file_count = count;
    for (uint32_t i = 0; i < count; i++) {
        char *path = path_of(writer, i);
        bool  ok = path ? pliant__file_open(&writer->files[i], path, error) : pliant__fail_memory(error, 1, "a path");
        free(path);
        if (!ok) return false;
    }
    return true;
}

/* ---- opening ---- */

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static const pliant__format *find_format(const char *path, pliant_error *error)
{
    size_t length = strlen(path);
    if (length && path[length - 1] == '/') return &formats[FORMAT_FOLDER];
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        size_t n = strlen(formats[i].info.ending);
        if (length > n && strcmp(path + length - n, formats[i].info.ending) == 0 && path[length - n - 1] != '/') return &formats[i];
    }
    if (is_folder(path)) return &formats[FORMAT_FOLDER];
    char   list[128] = "";
    size_t at = 0;
    for (size_t i = 0; i < FORMAT_COUNT; i++) at += (size_t)snprintf(list + at, sizeof list - at, "%s, ", formats[i].info.ending);
    pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "unknown format (known are %sand a folder, NAME/)", list);
    return NULL;
}

/* A body's name with what a file name had better not have as '_'; where two become alike, their numbers are added. */
static char *file_name(const pliant_writer *w, uint32_t body)
{
    const char *name = pliant_model_body_at(w->model, body).name;
    size_t      length = strlen(name);
    char       *out = malloc(length + 24);
    if (!out) return NULL;
    for (size_t i = 0; i <= length; i++) {
        unsigned char c = (unsigned char)name[i];
        bool          bad = c && (c < 33 || c == 127 || strchr("/\\:*?\"<>|", c) || (i == 0 && c == '.'));
        out[i] = bad ? '_' : (char)c;
    }
    bool alike = length == 0;
    for (uint32_t i = 0; i < body; i++) alike |= strcmp(w->names[i], out) == 0;
    if (alike) snprintf(out + length, 24, "_%u", body + 1);
    return out;
}

static bool prepare(pliant_writer *w, pliant_error *error)
{
    uint32_t largest = 1;
    w->body_count = pliant_model_body_count(w->model);
    w->names = calloc(w->body_count + 1u, sizeof *w->names);
    for (uint32_t i = 0; w->names && i < w->body_count; i++) {
        pliant_body_info b = pliant_model_body_at(w->model, i);
        if (b.vertex_count > largest) largest = b.vertex_count;
        if (b.surface_vertex_count > largest) largest = b.surface_vertex_count;
        w->names[i] = file_name(w, i);
        if (!w->names[i]) return pliant__fail_memory(error, 64, "a path");
    }
    w->x = pliant__alloc_array(NULL, largest, sizeof *w->x);
    w->v = pliant__alloc_array(NULL, largest, sizeof *w->v);
    return (w->names && w->x && w->v) || pliant__fail_memory(error, largest * 2 * sizeof *w->x, "a frame");
}

pliant_writer *pliant_writer_open(const char *path, const pliant_model *model, const pliant_write_def *def, pliant_error *error)
{
    if (!path || !*path || !model || (def && (def->size != sizeof *def || !(def->fps > 0)))) {
        pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a writer needs a path, a model, and a def from pliant_write_def_default");
        return NULL;
    }
    const pliant__format *format = find_format(path, error);
    if (!format) return NULL;
    pliant_writer *w = calloc(1, sizeof *w);
    size_t         length = strlen(path);
    if (w) w->path = malloc(length + 1);
    if (!w || !w->path) {
        pliant__fail_memory(error, sizeof *w, "a writer");
        free(w);
        return NULL;
    }
    memcpy(w->path, path, length + 1);
    while (length > 1 && w->path[length - 1] == '/') w->path[--length] = 0;
    w->format = format;
    w->model = model;
    w->def = def ? *def : pliant_write_def_default();
    if (prepare(w, error)) return w;
    pliant_writer_close(w, NULL);
    return NULL;
}

bool pliant_writer_frame(pliant_writer *writer, const pliant_state *state, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!writer || !state || pliant_state_model(state) != writer->model)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a frame needs a writer and a state of its model");
    if (writer->failed) return pliant__fail_at(error, PLIANT_ERROR_IO, writer->path, 0, "writing has failed before");
    writer->text.count = 0;
    if (!writer->format->frame(writer, state, error)) {
        writer->failed = true;
        return false;
    }
    writer->frames++;
    return true;
}

const char *pliant_writer_path(const pliant_writer *writer, uint32_t index)
{
    return writer && index < writer->path_count ? writer->paths[index] : NULL;
}

bool pliant_writer_close(pliant_writer *writer, pliant_error *error)
{
    if (!writer) return true;
    bool ok = true;
    for (uint32_t i = 0; i < writer->file_count; i++)
        if (!pliant__file_close(&writer->files[i], ok ? error : NULL)) ok = false;
    for (uint32_t i = 0; writer->names && i < writer->body_count; i++) free(writer->names[i]);
    for (size_t i = 0; i < writer->path_count; i++) free(writer->paths[i]);
    free(writer->names);
    free(writer->paths);
    free(writer->path);
    pliant__free(NULL, writer->files);
    pliant__free(NULL, writer->x);
    pliant__free(NULL, writer->v);
    array_free(NULL, &writer->text);
    free(writer);
    return ok;
}
