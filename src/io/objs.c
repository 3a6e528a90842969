/* A folder of Wavefront OBJ: BODY.0000.obj, BODY.0001.obj, ... Each file is complete before it has its name. Faces are the
 * mesh's own, ropes are a line, particles are points. */
#define _POSIX_C_SOURCE 200809L
#include "io/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool make_folder(const char *path, pliant_error *error)
{
    struct stat s;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &s) == 0 && S_ISDIR(s.st_mode))) return true;
    return pliant__fail_at(error, PLIANT_ERROR_IO, path, 0, "%s", strerror(errno));
}

static bool put_indices(pliant_writer *w, const char *letter, const uint32_t *indices, uint32_t first, uint32_t count)
{
    bool ok = pliant__writer_put(w, letter, 1) && pliant__writer_put(w, " ", 1);
    for (uint32_t i = 0; ok && i < count; i++)
        ok = pliant__writer_put_count(w, (indices ? indices[i] : first + i) + 1ull, i + 1 < count ? ' ' : '\n');
    return ok;
}

static bool put_elements(pliant_writer *w, const pliant_body_info *b)
{
    const uint32_t *sizes, *indices;
    bool            ok = true;
    if (b->type == PLIANT_BODY_ROPE) return put_indices(w, "l", NULL, 0, b->surface_vertex_count);
    if (b->type == PLIANT_BODY_PARTICLES) {
        for (uint32_t i = 0; ok && i < b->surface_vertex_count; i++) ok = put_indices(w, "p", NULL, i, 1);
        return ok;
    }
    pliant_model_faces(w->model, b->body, &sizes, &indices);
    for (uint32_t f = 0; ok && f < b->face_count; indices += sizes[f], f++) ok = put_indices(w, "f", indices, 0, sizes[f]);
    return ok;
}

static bool put_body(pliant_writer *w, const pliant_body_info *b, const pliant_state *state)
{
    bool ok = pliant_state_write_positions(state, b->body, w->x, sizeof *w->x) == PLIANT_OK && pliant__writer_put(w, "o ", 2) &&
              pliant__writer_put(w, b->name, strlen(b->name)) && pliant__writer_put(w, "\n", 1);
    for (uint32_t v = 0; ok && v < b->surface_vertex_count; v++)
        ok = pliant__writer_put(w, "v ", 2) && pliant__writer_put_number(w, w->x[v].x, ' ') &&
             pliant__writer_put_number(w, w->x[v].y, ' ') && pliant__writer_put_number(w, w->x[v].z, '\n');
    return ok && put_elements(w, b);
}

static bool write_whole(pliant_writer *w, const char *path, pliant_error *error)
{
    pliant__file file;
    if (!pliant__file_open(&file, path, error)) return false;
    bool ok = pliant__file_append(&file, w->text.data, w->text.count, error) && pliant__file_commit(&file, error);
    return pliant__file_close(&file, ok ? error : NULL) && ok && pliant__writer_note(w, path, error);
}

bool pliant__objs_frame(pliant_writer *w, const pliant_state *state, pliant_error *error)
{
    if (w->frames == 0 && !make_folder(w->path, error)) return false;
    for (uint32_t i = 0; i < w->body_count; i++) {
        pliant_body_info b = pliant_model_body_at(w->model, i);
        size_t           room = strlen(w->path) + strlen(w->names[i]) + 32;
        w->text.count = 0;
        if (!put_body(w, &b, state)) return pliant__fail_memory(error, w->text.count, "a frame");
        char *path = malloc(room);
        if (!path) return pliant__fail_memory(error, room, "a path");
        snprintf(path, room, "%s/%s.%04u.obj", w->path, w->names[i], w->def.first_frame + w->frames);
        bool ok = write_whole(w, path, error);
        free(path);
        if (!ok) return false;
    }
    return true;
}
