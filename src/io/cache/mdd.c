/* MDD, as LightWave and Blender's Mesh Cache modifier read it. Big-endian:
 *
 *   0  int32 frames                  4  int32 points
 *   8  frames x float32 seconds      then frames x points x float32 xyz */
#include "io/files/bytes.h"
#include "io/cache/parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 8, POINT = 12, BLOCK = 1024 };

/* ---- writing ---- */

static bool fits(const pliant__place *place, uint64_t frames, pliant_error *error)
{
    return frames <= INT32_MAX || pliant__fail_at(error, PLIANT_ERROR_INPUT, place->path, 0, "an .mdd has at most %d frames", INT32_MAX);
}

/* `count` floats, big-endian. */
static bool append_floats(pliant__file *file, const float *values, size_t count, pliant_error *error)
{
    unsigned char bytes[4 * BLOCK];
    while (count) {
        size_t now = count < BLOCK ? count : BLOCK;
        for (size_t i = 0; i < now; i++) pliant__set_big_float(bytes + 4 * i, values[i]);
        if (!pliant__file_append(file, bytes, 4 * now, error)) return false;
        values += now;
        count -= now;
    }
    return true;
}

typedef struct body_page {
    const pliant__work *work;
    uint32_t            body;
    float              *values; /* room for a frame of it */
} body_page;

static bool put_times(pliant__file *file, const pliant__work *work, pliant_error *error)
{
    float                  times[BLOCK];
    const pliant_write_def def = pliant__work_def(work);
    for (uint32_t f = 0; f < work->frames;) {
        size_t count = 0;
        for (; count < BLOCK && f < work->frames; f++) times[count++] = (float)pliant__def_time(&def, f);
        if (!append_floats(file, times, count, error)) return false;
    }
    return true;
}

static bool put_body(pliant__file *file, void *context, pliant_error *error)
{
    const body_page    *page = context;
    const pliant__work *work = page->work;
    const size_t        at = pliant__parts_at(work->place, page->body, PLIANT__POINTS),
                 count = pliant__parts_count(work->place, page->body, PLIANT__POINTS);
    unsigned char header[HEADER];
    pliant__set_big_u32(header, work->frames);
    pliant__set_big_u32(header + 4, (uint32_t)(count / 3));
    if (!pliant__file_append(file, header, HEADER, error) || !put_times(file, work, error)) return false;
    for (uint32_t f = 0; f < work->frames; f++)
        if (!pliant__work_floats(work, f, at, count, page->values, error) || !append_floats(file, page->values, count, error)) return false;
    return true;
}

static bool join(pliant_writer *w, const pliant__work *work, pliant_error *error)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < w->place.body_count; i++) {
        body_page page = {work, i, w->floats};
        char     *path = pliant__place_body_path(&w->place, i);
        ok = path ? pliant__parts_put(w, path, put_body, &page, error) : pliant__fail_memory(error, 1, "a path");
        free(path);
    }
    return ok;
}

/* ---- checks before writing ---- */

static uint64_t file_size(uint64_t frames, uint64_t points) { return HEADER + frames * (4 + POINT * points); }

bool pliant__mdd_bytes(const pliant__place *place, const pliant_write_def *def, uint64_t *bytes, pliant_error *error)
{
    *bytes = 0;
    for (uint32_t i = 0; i < place->body_count; i++) *bytes += file_size(def->frames, pliant__place_body(place, i).surface_vertex_count);
    return fits(place, def->frames, error);
}

/* An MDD has no mark of its format: it is known by a length that fits its header, and times that ascend. */
bool pliant__mdd_own(const pliant__place *place, uint32_t body, const char *head, size_t size, const pliant__source *file)
{
    const unsigned char *bytes = (const unsigned char *)head;
    if (size < HEADER) return false;
    const uint64_t frames = pliant__get_big_u32(bytes), points = pliant__get_big_u32(bytes + 4);
    if (points != pliant__place_body(place, body).surface_vertex_count) return false;
    if (!frames || frames > INT32_MAX || points > INT32_MAX || frames > file->size / (4 + POINT * points) ||
        file_size(frames, points) != file->size)
        return false;
    float before = -1;
    for (uint64_t f = 0; f < frames && HEADER + 4 * (f + 1) <= size; f++) {
        float time = pliant__get_big_float(bytes + HEADER + 4 * f);
        if (!(time >= before && time - time == 0)) return false;
        before = time;
    }
    return true;
}

/* ---- reading ---- */

static bool fail_byte(const pliant__source *file, uint64_t at, const char *what, pliant_error *error)
{
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, file->path, 0, "byte %llu: %s", (unsigned long long)at, what);
}

/* The file only grows. */
static bool check_times(pliant_cache *c, const pliant__source *file, uint32_t frames, pliant_error *error)
{
    float before = -1;
    for (uint32_t f = 0; f < frames;) {
        uint32_t now = frames - f < BLOCK ? frames - f : BLOCK;
        if (!pliant__cache_load(c, file, HEADER + 4 * (uint64_t)f, 4 * (size_t)now, error)) return false;
        for (uint32_t i = 0; i < now; i++, f++) {
            float time = pliant__get_big_float((const unsigned char *)c->text.data + 4 * i);
            if (!(time >= before && time - time == 0)) return fail_byte(file, HEADER + 4 * (uint64_t)f, "the times do not ascend", error);
            before = time;
        }
    }
    return true;
}

static bool read_header(pliant_cache *c, uint32_t body, uint32_t *frames, pliant_error *error)
{
    const pliant__source  *file = &c->files[body];
    const pliant_body_info b = pliant__place_body(&c->place, body);
    unsigned char          header[HEADER];
    if (file->size < HEADER) return fail_byte(file, file->size, "the file ends here: not an .mdd, or cut off", error);
    if (!pliant__source_read(file, 0, header, HEADER, error)) return false;
    *frames = pliant__get_big_u32(header);
    if (*frames == 0 || *frames > INT32_MAX) return fail_byte(file, 0, "not an .mdd: it has no frames", error);
    if (pliant__get_big_u32(header + 4) != b.surface_vertex_count)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, file->path, 0, "byte 4: %u points where %s of this model has %u",
                               pliant__get_big_u32(header + 4), b.name, b.surface_vertex_count);
    uint64_t size = file_size(*frames, b.surface_vertex_count);
    if (file->size != size)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, file->path, 0, "byte %llu: the file ends here, and %u frames take %llu bytes",
                               (unsigned long long)file->size, *frames, (unsigned long long)size);
    return check_times(c, file, *frames, error);
}

static bool open(pliant_cache *c, pliant_error *error)
{
    if (!pliant__cache_open_files(c, c->place.body_count, pliant__place_body_path, error)) return false;
    for (uint32_t i = 0; i < c->place.body_count; i++) {
        uint32_t frames = 0;
        if (!read_header(c, i, &frames, error)) return false;
        if (i && frames != c->frames)
            return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->files[i].path, 0, "byte 0: %u frames, and %u in %s", frames, c->frames,
                                   c->files[0].path);
        c->frames = frames;
    }
    return true;
}

/* The file has neither numbers nor a rate, only times. */
static bool same_times(pliant_cache *c, const pliant_write_def *def, pliant_error *error)
{
    for (uint32_t f = 0; f < def->there; f++) {
        unsigned char time[4];
        if (!pliant__source_read(&c->files[0], HEADER + 4 * (uint64_t)f, time, 4, error)) return false;
        if (pliant__get_big_float(time) != (float)pliant__def_time(def, f))
            return fail_byte(&c->files[0], HEADER + 4 * (uint64_t)f,
                             "another time than going on gives this frame: it is not what was written before", error);
    }
    return true;
}

static bool load(pliant_cache *c, uint32_t index, pliant_error *error)
{
    for (uint32_t b = 0; b < c->place.body_count; b++) {
        const size_t   count = pliant__parts_count(&c->place, b, PLIANT__POINTS);
        const uint64_t frames = (c->files[b].size - HEADER) / (4 + 4 * (uint64_t)count); /* of the file: c->frames may be fewer */
        if (!pliant__cache_load(c, &c->files[b], HEADER + 4 * frames + (uint64_t)index * 4 * count, 4 * count, error)) return false;
        float *to = c->taken->floats + pliant__parts_at(&c->place, b, PLIANT__POINTS);
        for (size_t i = 0; i < count; i++) to[i] = pliant__get_big_float((const unsigned char *)c->text.data + 4 * i);
    }
    return true;
}

const pliant__parts pliant__mdd_parts = {
    .unnumbered = true, .fits = fits, .join = join, .open = open, .same_times = same_times, .load = load};
