/* Work files: written, gone on with, read, and put together. */
#define _POSIX_C_SOURCE 200809L
#include "io/cache/parts.h"

#include "base/hash.h"
#include "base/vec.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAD = 64,
    HASH = 8,
    BOX = 24,
    ENDING_AT = 16,
    SHAPE_AT = 24,
    FPS_AT = 32,
    FIRST_AT = 40,
    EVERY_AT = 44,
    RECORD_AT = 48,
    HASH_AT = 56
};

/* ---- numbers ---- */

static void put_bits(unsigned char *to, uint64_t bits, size_t size)
{
    for (size_t i = 0; i < size; i++) to[i] = (unsigned char)(bits >> (8 * i));
}

static uint64_t get_bits(const unsigned char *from, size_t size)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) bits |= (uint64_t)from[i] << (8 * i);
    return bits;
}

void pliant__put_f32(unsigned char *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    put_bits(to, bits, 4);
}

float pliant__get_f32(const unsigned char *from)
{
    uint32_t bits = (uint32_t)get_bits(from, 4);
    float    value;
    memcpy(&value, &bits, 4);
    return value;
}

static void put_box(unsigned char *to, const pliant__box *box)
{
    for (int k = 0; k < 3; k++) pliant__put_f32(to + 4 * k, box->low[k]);
    for (int k = 0; k < 3; k++) pliant__put_f32(to + 12 + 4 * k, box->high[k]);
}

static pliant__box get_box(const unsigned char *from)
{
    pliant__box box;
    for (int k = 0; k < 3; k++) box.low[k] = pliant__get_f32(from + 4 * k);
    for (int k = 0; k < 3; k++) box.high[k] = pliant__get_f32(from + 12 + 4 * k);
    return box;
}

pliant__box pliant__box_of(const float *points, size_t count)
{
    pliant__box box = {{0, 0, 0}, {0, 0, 0}};
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            float x = points[3 * i + (size_t)k];
            if (i == 0 || x < box.low[k]) box.low[k] = x;
            if (i == 0 || x > box.high[k]) box.high[k] = x;
        }
    return box;
}

bool pliant__same_box(const pliant__box *a, const pliant__box *b)
{
    bool same = true;
    for (int k = 0; k < 3; k++) same = same && a->low[k] == b->low[k] && a->high[k] == b->high[k];
    return same;
}

/* ---- the numbers of a frame ---- */

size_t pliant__parts_count(const pliant__place *place, uint32_t body, pliant__channel channel)
{
    const pliant__parts *parts = place->format->parts;
    pliant_body_info     b = pliant__place_body(place, body);
    bool                 kept = channel == PLIANT__POINTS || (channel == PLIANT__NORMALS && parts->normals && b.face_count) ||
                (channel == PLIANT__VELOCITIES && parts->velocities);
    return kept ? 3 * (size_t)b.surface_vertex_count : 0;
}

size_t pliant__parts_at(const pliant__place *place, uint32_t body, pliant__channel channel)
{
    size_t at = 0;
    for (uint32_t i = 0; i < body; i++)
        for (int k = 0; k < PLIANT__CHANNELS; k++) at += pliant__parts_count(place, i, (pliant__channel)k);
    for (int k = 0; k < (int)channel; k++) at += pliant__parts_count(place, body, (pliant__channel)k);
    return at;
}

static size_t floats_of(const pliant__place *place) { return pliant__parts_at(place, place->body_count, PLIANT__POINTS); }

size_t pliant__parts_corners_at(const pliant__place *place, uint32_t body)
{
    size_t at = 0;
    for (uint32_t i = 0; place->format->parts->faces && i < body; i++) {
        const pliant_body_info b = pliant__place_body(place, i);
        at += pliant__reshapes(place, &b) ? b.face_index_count : 0;
    }
    return at;
}

static size_t corners_of(const pliant__place *place) { return pliant__parts_corners_at(place, place->body_count); }

static size_t record_size(const pliant__place *place)
{
    return HASH + BOX * (size_t)place->body_count + 4 * (floats_of(place) + corners_of(place));
}

/* A hash of a model's bodies: a work file of another model is not gone on with. */
static uint64_t shape_of(const pliant__place *place)
{
    uint64_t hash = place->body_count;
    for (uint32_t i = 0; i < place->body_count; i++) {
        pliant_body_info b = pliant__place_body(place, i);
        const uint32_t  *sizes, *indices, counts[] = {(uint32_t)b.type, b.surface_vertex_count, b.face_count, b.face_index_count};
        pliant__place_faces(place, &b, &sizes, &indices);
        hash = pliant__hash(b.name, strlen(b.name), hash);
        hash = pliant__hash(counts, sizeof counts, hash);
        if (b.face_count) hash = pliant__hash(sizes, b.face_count * sizeof *sizes, hash);
        if (b.face_count) hash = pliant__hash(indices, b.face_index_count * sizeof *indices, hash);
    }
    return hash;
}

static void make_head(const pliant__place *place, uint32_t first, uint32_t every, double fps, unsigned char out[HEAD])
{
    uint64_t bits;
    memcpy(&bits, &fps, 8);
    memset(out, 0, HEAD);
    memcpy(out, "pliant part", 12);
    put_bits(out + 12, 2, 4); /* the version */
    memcpy(out + ENDING_AT, place->format->info.ending, strlen(place->format->info.ending));
    put_bits(out + SHAPE_AT, shape_of(place), 8);
    put_bits(out + FPS_AT, bits, 8);
    put_bits(out + FIRST_AT, first, 4);
    put_bits(out + EVERY_AT, every, 4);
    put_bits(out + RECORD_AT, record_size(place), 8);
    put_bits(out + HASH_AT, pliant__hash(out, HASH_AT, 0), 8);
}

static uint64_t record_at(const pliant__place *place, uint64_t frame) { return HEAD + frame * record_size(place); }

uint64_t pliant__parts_work_bytes(const pliant__place *place, uint64_t frames) { return record_at(place, frames); }

/* ---- paths ---- */

char *pliant__parts_work_path(const pliant__place *place, uint32_t i)
{
    size_t size = strlen(place->path);
    char  *path = malloc(size + sizeof ".part");
    (void)i;
    if (path) memcpy(path, place->path, size);
    if (path) memcpy(path + size, ".part", sizeof ".part");
    return path;
}

/* ---- work files, read ---- */

bool pliant__parts_own_work(const pliant__place *place, uint32_t i, const char *head, size_t size, const pliant__source *file)
{
    unsigned char expected[HEAD];
    (void)i, (void)file;
    make_head(place, 0, 0, 0, expected);
    return size >= SHAPE_AT && memcmp(head, expected, SHAPE_AT) == 0;
}

static bool fail_byte(const pliant__source *file, uint64_t at, const char *what, pliant_error *error)
{
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, file->path, 0, "byte %llu: %s", (unsigned long long)at, what);
}

static bool read_head(pliant__work *work, pliant_error *error)
{
    unsigned char head[HEAD], expected[HEAD];
    if (work->file.size < HEAD) return fail_byte(&work->file, work->file.size, "the file ends here: cut off", error);
    if (!pliant__source_read(&work->file, 0, head, HEAD, error)) return false;
    uint64_t bits = get_bits(head + FPS_AT, 8);
    memcpy(&work->fps, &bits, 8);
    work->first = (uint32_t)get_bits(head + FIRST_AT, 4);
    work->every = (uint32_t)get_bits(head + EVERY_AT, 4);
    make_head(work->place, work->first, work->every, work->fps, expected);
    if (memcmp(head, expected, SHAPE_AT) != 0) return fail_byte(&work->file, 0, "not a work file of this format", error);
    if (get_bits(head + HASH_AT, 8) != pliant__hash(head, HASH_AT, 0))
        return fail_byte(&work->file, HASH_AT, "damaged: the checksum of the first bytes does not fit", error);
    if (!work->every) return fail_byte(&work->file, EVERY_AT, "every frame has the same number", error);
    if (!pliant__fps_fits(work->fps)) return fail_byte(&work->file, FPS_AT, "there are no such frames per second", error);
    if (memcmp(head, expected, HEAD) != 0) return fail_byte(&work->file, SHAPE_AT, "of another model", error);
    uint64_t frames = (work->file.size - HEAD) / record_size(work->place);
    work->frames = frames < UINT32_MAX ? (uint32_t)frames : UINT32_MAX;
    return frames > 0 || fail_byte(&work->file, work->file.size, "no whole frame: cut off", error);
}

static bool open_work(pliant__work *work, const pliant__place *place, pliant_error *error)
{
    char *path = pliant__parts_work_path(place, 0);
    *work = (pliant__work){.place = place, .file = {.handle = -1}};
    bool ok = path ? pliant__source_open(&work->file, path, error) : pliant__fail_memory(error, 1, "a path");
    free(path);
    return ok && read_head(work, error);
}

bool pliant__work_box(const pliant__work *work, uint32_t frame, uint32_t body, pliant__box *box, pliant_error *error)
{
    unsigned char bytes[BOX];
    if (!pliant__source_read(&work->file, record_at(work->place, frame) + HASH + BOX * (uint64_t)body, bytes, BOX, error)) return false;
    *box = get_box(bytes);
    return true;
}

/* In place: four bytes become the float that they are. */
static void floats_from(float *to, size_t count)
{
    unsigned char bytes[4];
    for (size_t i = 0; i < count; i++) {
        memcpy(bytes, &to[i], 4);
        to[i] = pliant__get_f32(bytes);
    }
}

bool pliant__work_floats(const pliant__work *work, uint32_t frame, size_t at, size_t count, float *to, pliant_error *error)
{
    uint64_t offset = record_at(work->place, frame) + HASH + BOX * (uint64_t)work->place->body_count + 4 * (uint64_t)at;
    if (!pliant__source_read(&work->file, offset, to, 4 * count, error)) return false;
    floats_from(to, count);
    return true;
}

bool pliant__work_corners(const pliant__work *work, uint32_t frame, size_t at, size_t count, uint32_t *to, pliant_error *error)
{
    const uint64_t offset = record_at(work->place, frame + 1ull) - 4 * (uint64_t)(corners_of(work->place) - at);
    if (!pliant__source_read(&work->file, offset, to, 4 * count, error)) return false;
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[4];
        memcpy(bytes, &to[i], 4);
        to[i] = (uint32_t)get_bits(bytes, 4);
    }
    return true;
}

static bool take_corners(pliant_cache *c, const unsigned char *from)
{
    bool ok = true;
    for (uint32_t i = 0; ok && corners_of(&c->place) && i < c->place.body_count; i++)
        for (size_t k = 0; ok && k < c->corner_at[i + 1] - c->corner_at[i]; k++, from += 4)
            ok = pliant__cache_set_corner(c, i, k, get_bits(from, 4));
    return ok;
}

/* A whole frame, its checksum looked at. */
static bool load_work(pliant_cache *c, uint32_t index, pliant_error *error)
{
    const pliant__work *work = &c->taken->work;
    size_t              size = record_size(&c->place), head = HASH + BOX * (size_t)c->place.body_count;
    if (!pliant__cache_load(c, &work->file, record_at(&c->place, index), size, error)) return false;
    const unsigned char *bytes = (const unsigned char *)c->text.data;
    if (get_bits(bytes, HASH) != pliant__hash(bytes + HASH, size - HASH, index + 1ull))
        return fail_byte(&work->file, record_at(&c->place, index), "damaged: the checksum of a frame does not fit", error);
    memcpy(c->taken->floats, bytes + head, 4 * floats_of(&c->place));
    floats_from(c->taken->floats, floats_of(&c->place));
    return take_corners(c, bytes + head + 4 * floats_of(&c->place)) ||
           fail_byte(&work->file, record_at(&c->place, index), "damaged: a face has a corner that is no vertex", error);
}

/* ---- writing ---- */

static bool make_room(pliant_writer *w, pliant_error *error)
{
    size_t count = floats_of(&w->place), corners = corners_of(&w->place);
    if (corners && !w->corners) w->corners = pliant__alloc_array(NULL, corners, sizeof *w->corners);
    if (corners && !w->corners) return pliant__fail_memory(error, corners * sizeof *w->corners, "a frame");
    if (!w->floats) w->floats = pliant__alloc_array(NULL, count + 1, sizeof *w->floats);
    if (!w->base) w->base = pliant__alloc_array(NULL, count + 1, sizeof *w->base);
    return (w->floats && w->base) || pliant__fail_memory(error, 2 * count * sizeof *w->floats, "a frame");
}

static void put_vec3(float *to, pliant_vec3 a)
{
    to[0] = (float)a.x;
    to[1] = (float)a.y;
    to[2] = (float)a.z;
}

/* Upwards where there is none. */
static pliant_vec3 unit(pliant_vec3 n)
{
    double x = (double)n.x, y = (double)n.y, z = (double)n.z, length = sqrt(x * x + y * y + z * z);
    if (!(length > 0.5)) return v3(0, 1, 0);
    return v3((pliant_real)(x / length), (pliant_real)(y / length), (pliant_real)(z / length));
}

static bool take_body(pliant_writer *w, const pliant_state *state, uint32_t index)
{
    pliant_body_info b = pliant__place_body(&w->place, index);
    const bool       units = w->place.format->parts->deltas;
    const size_t points = pliant__parts_at(&w->place, index, PLIANT__POINTS), normals = pliant__parts_at(&w->place, index, PLIANT__NORMALS),
                 velocities = pliant__parts_at(&w->place, index, PLIANT__VELOCITIES);
    const bool has_normals = pliant__parts_count(&w->place, index, PLIANT__NORMALS) > 0,
               has_velocities = pliant__parts_count(&w->place, index, PLIANT__VELOCITIES) > 0;
    const size_t at = pliant__parts_corners_at(&w->place, index), kept = pliant__parts_corners_at(&w->place, index + 1) - at;
    if (kept) memcpy(w->corners + at, pliant_state_faces(state, b.body), kept * sizeof *w->corners);
    bool ok = has_normals ? pliant__put_vertices(&w->place, &b, state, w->x) : pliant__put_positions(&w->place, &b, state, w->x, 2);
    if (ok && has_velocities) ok = pliant__put_velocities(&w->place, &b, state, w->v);
    for (size_t i = 0; ok && i < b.surface_vertex_count; i++) {
        put_vec3(w->floats + points + 3 * i, w->x[2 * i]);
        if (has_normals) put_vec3(w->floats + normals + 3 * i, units ? unit(w->x[2 * i + 1]) : w->x[2 * i + 1]);
        if (has_velocities) put_vec3(w->floats + velocities + 3 * i, w->v[i]);
    }
    return ok;
}

/* No difference is more than a float holds. */
static void subtract_base(pliant_writer *w)
{
    for (size_t i = 0, count = floats_of(&w->place); i < count; i++) {
        float d = w->floats[i] - w->base[i];
        w->floats[i] = d > FLT_MAX ? FLT_MAX : d < -FLT_MAX ? -FLT_MAX : d;
    }
}

/* The frame in w->floats, in one piece. */
static bool append_record(pliant_writer *w, uint32_t frame, pliant_error *error)
{
    size_t size = record_size(&w->place), count = floats_of(&w->place), corners = corners_of(&w->place);
    w->text.count = 0;
    unsigned char *bytes = array_extend(NULL, &w->text, size);
    if (!bytes) return pliant__fail_memory(error, size, "a frame");
    unsigned char *to = bytes + HASH;
    for (uint32_t i = 0; i < w->place.body_count; i++, to += BOX) {
        size_t      points = pliant__parts_count(&w->place, i, PLIANT__POINTS) / 3;
        pliant__box box = pliant__box_of(w->floats + pliant__parts_at(&w->place, i, PLIANT__POINTS), points);
        put_box(to, &box);
    }
    for (size_t i = 0; i < count; i++, to += 4) pliant__put_f32(to, w->floats[i]);
    for (size_t i = 0; i < corners; i++, to += 4) put_bits(to, w->corners[i], 4);
    put_bits(bytes, pliant__hash(bytes + HASH, size - HASH, frame + 1ull), HASH);
    return pliant__file_append(&w->files[0], bytes, size, error);
}

static bool begin_work(pliant_writer *w, pliant_error *error)
{
    unsigned char head[HEAD];
    make_head(&w->place, w->def.first_frame, w->def.every, w->def.fps, head);
    return pliant__writer_open_files(w, 1, pliant__parts_work_path, error) && pliant__file_append(&w->files[0], head, HEAD, error);
}

bool pliant__parts_write(pliant_writer *w, const pliant_state *state, pliant_error *error)
{
    const pliant__parts *parts = w->place.format->parts;
    bool                 first = w->frames == 0;
    if (parts->fits && !parts->fits(&w->place, w->frames + 1ull, error)) return false;
    if (!make_room(w, error)) return false;
    for (uint32_t i = 0; i < w->place.body_count; i++)
        if (!take_body(w, state, i)) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the state has no positions of body %u", i);
    if (first) memcpy(w->base, w->floats, floats_of(&w->place) * sizeof *w->base);
    if (!first && parts->deltas) subtract_base(w);
    if (first && !begin_work(w, error)) return false;
    if (!append_record(w, w->frames, error) || !pliant__file_commit(&w->files[0], error)) return false;
    return !first || pliant__writer_note(w, w->files[0].path, error);
}

/* ---- going on ---- */

static uint64_t work_size(const pliant_writer *w, const pliant_cache *cache, uint32_t i)
{
    (void)cache;
    (void)i;
    return record_at(&w->place, w->def.there);
}

/* Takes a final file apart: the work file that it was put together from. */
static bool rebuild(pliant_writer *w, pliant_cache *cache, pliant_error *error)
{
    if (!begin_work(w, error)) return false;
    for (uint32_t i = 0; i < w->def.there; i++) {
        if (!w->place.format->parts->load(cache, i, error)) return false;
        memcpy(w->floats, cache->taken->floats, floats_of(&w->place) * sizeof *w->floats);
        if (w->corners) memcpy(w->corners, cache->corners, corners_of(&w->place) * sizeof *w->corners);
        if (!append_record(w, i, error)) return false;
    }
    return pliant__file_commit(&w->files[0], error) && pliant__writer_note(w, w->files[0].path, error);
}

bool pliant__parts_resume(pliant_writer *w, pliant_cache *cache, pliant_error *error)
{
    struct pliant__taken *taken = cache->taken;
    const bool            work = taken->work.file.handle >= 0;
    if (work && taken->work.first != w->def.first_frame)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, taken->work.file.path, 0,
                               "its first frame is number %u, and that of what goes on %u: it is not what was written before",
                               taken->work.first, w->def.first_frame);
    if (!make_room(w, error)) return false;
    if (taken->base) memcpy(w->base, taken->base, floats_of(&w->place) * sizeof *w->base);
    if (!work && w->place.format->parts->same_times && !w->place.format->parts->same_times(cache, &w->def, error)) return false;
    if (!work) return rebuild(w, cache, error);
    for (uint32_t i = 0; i < w->def.there; i++)
        if (!load_work(cache, i, error)) return false;
    return pliant__writer_reopen_files(w, 1, pliant__parts_work_path, work_size, cache, error) && pliant__file_cut(&w->files[0], error);
}

/* ---- the end ---- */

pliant_write_def pliant__work_def(const pliant__work *work)
{
    pliant_write_def def = pliant_write_def_default();
    def.first_frame = work->first;
    def.every = work->every;
    def.fps = work->fps;
    def.frames = work->frames;
    return def;
}

bool pliant__parts_put(pliant_writer *w, const char *path, bool (*page)(pliant__file *, void *, pliant_error *), void *context,
                       pliant_error *error)
{
    pliant__file file;
    pliant__file_sweep(path);
    if (!pliant__file_open(&file, path, error)) return false;
    bool ok = page(&file, context, error) && pliant__file_settle(&file, error);
    return pliant__file_close(&file, ok ? error : NULL) && ok && pliant__writer_note(w, path, error);
}

/* Removes the work file when every final file is there. */
bool pliant__parts_finish(pliant_writer *w, pliant_error *error)
{
    pliant__work work;
    bool         ok = open_work(&work, &w->place, error);
    if (!ok && error && error->code == PLIANT_ERROR_INPUT)
        error->code = PLIANT_ERROR_IO; /* the writer's own work file is missing or not whole */
    while (ok && w->path_count) free(w->paths[--w->path_count]);
    w->synced = 0;
    ok = ok && w->place.format->parts->join(w, &work, error);
    pliant__source_close(&work.file);
    return ok && pliant__file_remove(&w->files[0], error);
}

/* ---- reading ---- */

static bool begin_taken(pliant_cache *c, pliant_error *error)
{
    size_t count = floats_of(&c->place);
    c->taken = calloc(1, sizeof *c->taken);
    if (!c->taken) return pliant__fail_memory(error, sizeof *c->taken, "a cache");
    c->taken->work.file.handle = -1;
    c->taken->floats = pliant__alloc_array(NULL, count + 1, sizeof(float));
    if (c->place.format->parts->deltas) c->taken->base = pliant__alloc_array(NULL, count + 1, sizeof(float));
    return (c->taken->floats && (c->taken->base || !c->place.format->parts->deltas)) || pliant__fail_memory(error, 4 * count, "a frame");
}

static bool open_unfinished(pliant_cache *c, pliant_error *error)
{
    pliant__work *work = &c->taken->work;
    if (!open_work(work, &c->place, error)) return false;
    c->first = work->first;
    c->every = work->every;
    c->frames = work->frames;
    c->rate = work->fps * work->every;
    return true;
}

static bool load(pliant_cache *c, uint32_t index, pliant_error *error)
{
    return c->taken->work.file.handle >= 0 ? load_work(c, index, error) : c->place.format->parts->load(c, index, error);
}

bool pliant__parts_open(pliant_cache *c, pliant_error *error)
{
    char *work = pliant__parts_work_path(&c->place, 0);
    if (!work) return pliant__fail_memory(error, 1, "a path");
    bool unfinished = pliant__file_is_there(work);
    free(work);
    if (!begin_taken(c, error) || !(unfinished ? open_unfinished(c, error) : c->place.format->parts->open(c, error))) return false;
    if (c->frames > c->most) c->frames = c->most;
    if (!c->taken->base) return true;
    if (!load(c, 0, error)) return false;
    memcpy(c->taken->base, c->taken->floats, floats_of(&c->place) * sizeof(float));
    return true;
}

static bool set_vertices(pliant_cache *c, uint32_t index, uint32_t body, pliant_error *error)
{
    const struct pliant__taken *t = c->taken;
    const size_t at = pliant__parts_at(&c->place, body, PLIANT__POINTS), velocities = pliant__parts_at(&c->place, body, PLIANT__VELOCITIES);
    const bool   moves = pliant__parts_count(&c->place, body, PLIANT__VELOCITIES) > 0;
    for (size_t i = 0; i < c->offset[body + 1] - c->offset[body]; i++) {
        float x[3], v[3] = {0, 0, 0};
        for (size_t k = 0; k < 3; k++) {
            x[k] = t->floats[at + 3 * i + k];
            if (t->base && index) x[k] += t->base[at + 3 * i + k];
            if (moves) v[k] = t->floats[velocities + 3 * i + k];
        }
        pliant_vec3 *to = &c->x[c->offset[body] + i], *to_v = &c->v[c->offset[body] + i];
        *to = (pliant_vec3){x[0], x[1], x[2]};
        *to_v = (pliant_vec3){v[0], v[1], v[2]};
        if (!v3_finite(*to) || !v3_finite(*to_v))
            return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->place.path, 0, "frame %llu: point %zu of %s is not finite",
                                   (unsigned long long)pliant__cache_number(c, index), i, pliant__place_body(&c->place, body).name);
    }
    return true;
}

bool pliant__parts_read(pliant_cache *c, uint32_t index, pliant_error *error)
{
    if (!load(c, index, error)) return false;
    for (uint32_t i = 0; i < c->place.body_count; i++)
        if (!set_vertices(c, index, i, error)) return false;
    return true;
}

void pliant__parts_close(pliant_cache *c)
{
    if (!c->taken) return;
    pliant__source_close(&c->taken->work.file);
    pliant__free(NULL, c->taken->floats);
    pliant__free(NULL, c->taken->base);
    array_free(NULL, &c->taken->boxes);
    free(c->taken);
}
