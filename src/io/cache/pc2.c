/* Point Cache 2, as Blender's Mesh Cache modifier reads it. Little-endian:
 *
 *   0   "POINTCACHE2\0"
 *   12  int32 version (1)       16  int32 points
 *   20  float first frame       24  float sample rate (1: a sample per frame; 2: every other frame)
 *   28  int32 samples           32  samples x points x float32 xyz
 *
 * A frame's points are appended first, for all bodies, and counted in the header afterwards: a reader never sees a count without its
 * points, whenever the writer is stopped. */
#include "base/vec.h"
#include "io/files/bytes.h"
#include "io/cache/cache.h"
#include "io/cache/writer.h"

#include <string.h>

enum { HEADER = 32, POINTS_AT = 16, FIRST_AT = 20, RATE_AT = 24, SAMPLES_AT = 28, POINT = 12 };

/* ---- writing ---- */

/* Numbers of the header have to be the same after rounding to float32, else no writer could go on with the file. */
static bool check_number(const pliant__place *place, uint32_t number, pliant_error *error)
{
    return !((double)(float)number < number || (double)(float)number > number) ||
           pliant__fail_at(error, PLIANT_ERROR_INPUT, place->path, 0, "a .pc2 has its frames' numbers in float32, which has no %u", number);
}

static bool check_numbers(const pliant__place *place, const pliant_write_def *def, pliant_error *error)
{
    return check_number(place, def->first_frame, error) && check_number(place, def->every, error);
}

static void make_header(const pliant_writer *w, uint32_t points, unsigned char out[HEADER])
{
    memcpy(out, "POINTCACHE2", 12);
    pliant__set_u32(out + 12, 1);
    pliant__set_u32(out + POINTS_AT, points);
    pliant__set_float(out + FIRST_AT, (float)w->def.first_frame);
    pliant__set_float(out + RATE_AT, (float)w->def.every);
    pliant__set_u32(out + SAMPLES_AT, 0);
}

static bool append_body(pliant_writer *w, const pliant_state *state, uint32_t index, pliant_error *error)
{
    pliant_body_info b = pliant__place_body(&w->place, index);
    size_t           size = (size_t)b.surface_vertex_count * POINT;
    unsigned char    header[HEADER];
    w->text.count = 0;
    unsigned char *to = array_extend(NULL, &w->text, size);
    if (!to) return pliant__fail_memory(error, size, "a frame");
    if (!pliant__put_positions(&w->place, &b, state, w->x, 1))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the state has no positions of %s", b.name);
    for (uint32_t v = 0; v < b.surface_vertex_count; v++, to += POINT) {
        pliant__set_float(to, (float)w->x[v].x);
        pliant__set_float(to + 4, (float)w->x[v].y);
        pliant__set_float(to + 8, (float)w->x[v].z);
    }
    make_header(w, b.surface_vertex_count, header);
    if (w->frames == 0 && !pliant__file_append(&w->files[index], header, HEADER, error)) return false;
    return pliant__file_append(&w->files[index], w->text.data, size, error);
}

bool pliant__pc2_write(pliant_writer *w, const pliant_state *state, pliant_error *error)
{
    unsigned char samples[4];
    pliant__set_u32(samples, w->frames + 1);
    if (w->frames == 0 &&
        !(check_numbers(&w->place, &w->def, error) && pliant__writer_open_files(w, w->place.body_count, pliant__place_body_path, error)))
        return false;
    for (uint32_t i = 0; i < w->place.body_count; i++)
        if (!append_body(w, state, i, error)) return false;
    for (uint32_t i = 0; i < w->place.body_count; i++) {
        pliant__file *file = &w->files[i];
        bool          first = file->temporary != NULL;
        if (!pliant__file_patch(file, SAMPLES_AT, samples, 4, error) || !pliant__file_commit(file, error)) return false;
        if (first && !pliant__writer_note(w, file->path, error)) return false;
    }
    return true;
}

bool pliant__pc2_bytes(const pliant__place *place, const pliant_write_def *def, uint64_t *bytes, pliant_error *error)
{
    *bytes = 0;
    if (!check_numbers(place, def, error)) return false;
    for (uint32_t i = 0; i < place->body_count; i++)
        *bytes += HEADER + (uint64_t)def->frames * pliant__place_body(place, i).surface_vertex_count * POINT;
    return true;
}

bool pliant__pc2_own(const pliant__place *place, uint32_t body, const char *head, size_t size, const pliant__source *file)
{
    (void)file;
    return size >= HEADER && memcmp(head, "POINTCACHE2", 12) == 0 &&
           pliant__get_u32((const unsigned char *)head + POINTS_AT) == pliant__place_body(place, body).surface_vertex_count;
}

static uint64_t size_of(const pliant_writer *w, const pliant_cache *cache, uint32_t i)
{
    (void)cache;
    return HEADER + (uint64_t)w->def.there * pliant__place_body(&w->place, i).surface_vertex_count * POINT;
}

/* First the header counts fewer frames, then the file is cut: counted frames are there whenever the process is stopped. */
bool pliant__pc2_resume(pliant_writer *w, pliant_cache *cache, pliant_error *error)
{
    unsigned char samples[4];
    pliant__set_u32(samples, w->def.there);
    if (!pliant__writer_reopen_files(w, w->place.body_count, pliant__place_body_path, size_of, cache, error)) return false;
    for (uint32_t i = 0; i < w->place.body_count; i++)
        if (!pliant__file_patch(&w->files[i], SAMPLES_AT, samples, 4, error) || !pliant__file_cut(&w->files[i], error)) return false;
    return true;
}

/* ---- reading ---- */

static bool fail_header(const pliant__source *file, const char *what, pliant_error *error)
{
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, file->path, 0, "%s", what);
}

/* The first frame's number, and how many frames are whole: those that the header counts, if they are there. */
static bool read_header(const pliant__source *file, const pliant_body_info *b, uint32_t *first, uint32_t *every, uint32_t *frames,
                        pliant_error *error)
{
    unsigned char head[HEADER];
    if (file->size < HEADER) return fail_header(file, "not a Point Cache 2, or cut off: the header has 32 bytes", error);
    if (!pliant__source_read(file, 0, head, HEADER, error)) return false;
    uint32_t points = pliant__get_u32(head + POINTS_AT), samples = pliant__get_u32(head + SAMPLES_AT);
    float    number = pliant__get_float(head + FIRST_AT), rate = pliant__get_float(head + RATE_AT);
    if (memcmp(head, "POINTCACHE2", 12) != 0 || pliant__get_u32(head + 12) != 1)
        return fail_header(file, "not a Point Cache 2 of version 1", error);
    if (points != b->surface_vertex_count)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, file->path, 0, "%u points where %s of this model has %u", points, b->name,
                               b->surface_vertex_count);
    if (!(number >= 0 && number < 0x1p32f) || (float)(uint32_t)number != number)
        return fail_header(file, "the first frame is not a whole number", error);
    if (!(rate >= 1 && rate < 0x1p32f) || (float)(uint32_t)rate != rate)
        return fail_header(file, "the rate is not a whole number of frames per sample", error);
    uint64_t whole = points ? (file->size - HEADER) / ((uint64_t)points * POINT) : samples;
    if (samples > INT32_MAX || samples == 0 || whole == 0) return fail_header(file, "no whole frame", error);
    *first = (uint32_t)number;
    *every = (uint32_t)rate;
    *frames = whole < samples ? (uint32_t)whole : samples;
    return true;
}

bool pliant__pc2_open(pliant_cache *c, pliant_error *error)
{
    if (!pliant__cache_open_files(c, c->place.body_count, pliant__place_body_path, error)) return false;
    for (uint32_t i = 0; i < c->place.body_count; i++) {
        pliant_body_info b = pliant__place_body(&c->place, i);
        uint32_t         first = 0, every = 0, frames = 0;
        if (!read_header(&c->files[i], &b, &first, &every, &frames, error)) return false;
        if (i && every != c->every)
            return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->files[i].path, 0, "a sample every %u frames, and every %u in %s", every,
                                   c->every, c->files[0].path);
        if (i && first != c->first)
            return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->files[i].path, 0, "the first frame is %u, and %u in %s", first, c->first,
                                   c->files[0].path);
        c->first = first;
        c->every = every;
        if (i == 0 || frames < c->frames) c->frames = frames;
    }
    if (c->frames > c->most) c->frames = c->most;
    return true;
}

static bool read_body(pliant_cache *c, uint32_t index, uint32_t body, pliant_error *error)
{
    size_t count = c->offset[body + 1] - c->offset[body], size = count * POINT;
    if (!pliant__cache_load(c, &c->files[body], HEADER + (uint64_t)index * size, size, error)) return false;
    const unsigned char *from = (const unsigned char *)c->text.data;
    pliant_vec3         *x = c->x + c->offset[body];
    for (size_t i = 0; i < count; i++, from += POINT) {
        x[i] = (pliant_vec3){pliant__get_float(from), pliant__get_float(from + 4), pliant__get_float(from + 8)};
        if (!v3_finite(x[i]))
            return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->files[body].path, 0, "frame %llu: point %zu is not finite",
                                   (unsigned long long)pliant__cache_number(c, index), i);
    }
    return true;
}

bool pliant__pc2_read(pliant_cache *c, uint32_t index, pliant_error *error)
{
    for (uint32_t i = 0; i < c->place.body_count; i++)
        if (!read_body(c, index, i, error)) return false;
    return true;
}
