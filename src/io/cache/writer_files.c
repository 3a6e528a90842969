/* Writing caches: functions that the formats share. */
#include "io/cache/cache.h"
#include "io/cache/writer.h"

#include <stdlib.h>
#include <string.h>

pliant_write_def pliant_write_def_default(void)
{
    pliant_write_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.fps = 60;
    def.every = 1;
    return def;
}

uint64_t pliant__def_number(const pliant_write_def *def, uint64_t frame) { return def->first_frame + frame * def->every; }

bool pliant__fps_fits(double fps) { return fps >= 1e-12 && fps <= 1e12; }

double pliant__def_rate(const pliant_write_def *def) { return def->fps * def->every; }

double pliant__def_time(const pliant_write_def *def, uint64_t frame)
{
    return (double)pliant__def_number(def, frame) / pliant__def_rate(def);
}

uint32_t pliant__writer_number(const pliant_writer *writer) { return (uint32_t)pliant__def_number(&writer->def, writer->frames); }

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

bool pliant__writer_make_files(pliant_writer *writer, uint32_t count, pliant_error *error)
{
    writer->files = pliant__alloc_array(NULL, count, sizeof *writer->files);
    if (!writer->files) return pliant__fail_memory(error, count * sizeof *writer->files, "files");
    for (uint32_t i = 0; i < count; i++) writer->files[i].handle = -1;
    writer->file_count = count;
    return true;
}

bool pliant__writer_open_files(pliant_writer *writer, uint32_t count, char *(*path_of)(const pliant__place *, uint32_t),
                               pliant_error *error)
{
    if (!pliant__writer_make_files(writer, count, error)) return false;
    for (uint32_t i = 0; i < count; i++) {
        char *path = path_of(&writer->place, i);
        if (path) pliant__file_sweep(path);
        bool ok = path ? pliant__file_open(&writer->files[i], path, error) : pliant__fail_memory(error, 1, "a path");
        free(path);
        if (!ok) return false;
    }
    return true;
}

bool pliant__writer_reopen_files(pliant_writer *writer, uint32_t count, char *(*path_of)(const pliant__place *, uint32_t),
                                 uint64_t (*size_of)(const pliant_writer *, const pliant_cache *, uint32_t), const pliant_cache *cache,
                                 pliant_error *error)
{
    if (!pliant__writer_make_files(writer, count, error)) return false;
    for (uint32_t i = 0; i < count; i++) {
        char *path = path_of(&writer->place, i);
        if (path) pliant__file_sweep(path);
        bool ok = path ? pliant__file_reopen(&writer->files[i], path, size_of(writer, cache, i), error) &&
                             pliant__writer_note(writer, path, error)
                       : pliant__fail_memory(error, 1, "a path");
        free(path);
        if (!ok) return false;
    }
    return true;
}
