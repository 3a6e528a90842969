/* Point Cache 2, as Blender's Mesh Cache modifier reads it. Little-endian:
 *
 *   0   "POINTCACHE2\0"
 *   12  int32 version (1)       16  int32 points
 *   20  float first frame       24  float sample rate (1: a sample per frame)
 *   28  int32 samples           32  samples x points x float32 xyz
 *
 * A frame's points are appended first, for all bodies, and counted in the header afterwards: a reader never sees a count without its
 * points, whenever the writer is stopped. */
#include "io/writer.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 32, SAMPLES_AT = 28 };

static void put_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> (8 * i));
}

static void put_float(unsigned char *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    put_u32(to, bits);
}

/* x.pc2, or x.BODY.pc2 where there are several. */
static char *path_of(const pliant_writer *w, uint32_t i)
{
    size_t head = strlen(w->path) - 4, name = strlen(w->names[i]);
    char  *path = malloc(head + name + 8);
    if (!path) return NULL;
    memcpy(path, w->path, head);
    if (w->body_count > 1) {
        path[head++] = '.';
        memcpy(path + head, w->names[i], name);
        head += name;
    }
    memcpy(path + head, ".pc2", 5);
    return path;
}

static void make_header(const pliant_writer *w, uint32_t points, unsigned char out[HEADER])
{
    memcpy(out, "POINTCACHE2", 12);
    put_u32(out + 12, 1);
    put_u32(out + 16, points);
    put_float(out + 20, (float)w->def.first_frame);
    put_float(out + 24, 1);
    put_u32(out + SAMPLES_AT, 0);
}

static bool append_body(pliant_writer *w, const pliant_state *state, uint32_t index, pliant_error *error)
{
    pliant_body_info b = pliant_model_body_at(w->model, index);
    size_t           size = (size_t)b.surface_vertex_count * 12;
    unsigned char    header[HEADER];
    w->text.count = 0;
    unsigned char *to = array_extend(NULL, &w->text, size);
    if (!to) return pliant__fail_memory(error, size, "a frame");
    if (pliant_state_write_positions(state, b.body, w->x, sizeof *w->x) != PLIANT_OK)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the state has no positions of %s", b.name);
    for (uint32_t v = 0; v < b.surface_vertex_count; v++, to += 12) {
        put_float(to, (float)w->x[v].x);
        put_float(to + 4, (float)w->x[v].y);
        put_float(to + 8, (float)w->x[v].z);
    }
    make_header(w, b.surface_vertex_count, header);
    if (w->frames == 0 && !pliant__file_append(&w->files[index], header, HEADER, error)) return false;
    return pliant__file_append(&w->files[index], w->text.data, size, error);
}

bool pliant__pc2_frame(pliant_writer *w, const pliant_state *state, pliant_error *error)
{
    unsigned char samples[4];
    put_u32(samples, w->frames + 1);
    if (w->frames == 0 && !pliant__writer_open_files(w, w->body_count, path_of, error)) return false;
    for (uint32_t i = 0; i < w->body_count; i++)
        if (!append_body(w, state, i, error)) return false;
    for (uint32_t i = 0; i < w->body_count; i++) {
        pliant__file *file = &w->files[i];
        bool          first = file->temporary != NULL;
        if (!pliant__file_patch(file, SAMPLES_AT, samples, 4, error) || !pliant__file_commit(file, error)) return false;
        if (first && !pliant__writer_note(w, file->path, error)) return false;
    }
    return true;
}
