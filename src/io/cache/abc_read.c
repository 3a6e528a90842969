/* Reading Alembic archives back: those of this model. The walk goes as deep as an archive of Pliant's is, and no deeper, so groups that
 * contain themselves lead nowhere. Every sample that is read has to fit its digest.
 *
 * Where the frames' samples lie is looked up once, when the archive is opened: while it is being written, the index moves, and samples do not. */
#include "base/vec.h"
#include "io/cache/abc.h"

#include "io/files/bytes.h"
#include "io/files/number.h"

#include <string.h>

/* The head of a property. */
typedef struct head {
    const char *name;
    size_t      name_length;
    uint32_t    info, samples, times;
} head;

/* An archive being opened. */
typedef struct walk {
    pliant__ogawa_file from;
    pliant_cache      *cache;
    pliant__bytes      heads, data, expected;
    uint64_t           times; /* data: the rows of times */
    uint32_t           frames;
    double             interval, start; /* of the frames' times */
} walk;

static bool fail_walk(walk *k, const char *what)
{
    return pliant__fail_at(k->from.error, PLIANT_ERROR_INPUT, k->from.file->path, 0, "%s: damaged, or not one that Pliant writes", what);
}

static bool fail_model(walk *k, const pliant_body_info *b, const char *what)
{
    return pliant__fail_at(k->from.error, PLIANT_ERROR_INPUT, k->from.file->path, 0, "%s of %s are not those of this model", what, b->name);
}

/* ---- heads ---- */

/* A number of one, two or four bytes. */
static bool take_number(const unsigned char **at, const unsigned char *end, unsigned size, uint32_t *value)
{
    *value = 0;
    if ((size_t)(end - *at) < size) return false;
    for (unsigned i = 0; i < size; i++) *value |= (uint32_t)(*at)[i] << (8 * i);
    *at += size;
    return true;
}

static bool take_name(const unsigned char **at, const unsigned char *end, unsigned size, const char **name, size_t *length)
{
    uint32_t count;
    if (!take_number(at, end, size, &count) || (size_t)(end - *at) < count) return false;
    *name = (const char *)*at;
    *length = count;
    *at += count;
    return true;
}

static bool is_name(const char *name, size_t length, const char *expected, const char *suffix)
{
    size_t first = strlen(expected), second = strlen(suffix);
    return length == first + second && memcmp(name, expected, first) == 0 && memcmp(name + first, suffix, second) == 0;
}

/* The next head; fields that compounds, type 0, do not have are 0. Only heads as Pliant writes them: one interval that all samples fill, and words
 * that the archive has once. */
static bool take_head(const unsigned char **at, const unsigned char *end, head *out)
{
    enum { HAS_TIMES = 0x100, HAS_INTERVAL = 0x200 };
    *out = (head){0};
    if (!take_number(at, end, 4, &out->info)) return false;
    unsigned hint = out->info >> 2 & 3, size = 1u << hint;
    if (hint > 2 || out->info & HAS_INTERVAL || (out->info >> 20 & 255) == 255) return false;
    if (out->info & 3) {
        if (!take_number(at, end, size, &out->samples)) return false;
        if (out->info & HAS_TIMES && !take_number(at, end, size, &out->times)) return false;
    }
    return take_name(at, end, size, &out->name, &out->name_length);
}

/* The only property of a group: a compound of this name; *inner is its group. */
static bool take_schema(walk *k, uint64_t properties, const char *name, uint64_t *inner)
{
    uint64_t count, data;
    head     h;
    if (!pliant__ogawa_count(&k->from, properties, &count)) return false;
    if (count != 2) return fail_walk(k, "an object's properties");
    if (!pliant__ogawa_child_group(&k->from, properties, 0, inner) || !pliant__ogawa_child_data(&k->from, properties, 1, &data) ||
        !pliant__ogawa_read(&k->from, data, 1024, &k->heads))
        return false;
    const unsigned char *at = (const unsigned char *)k->heads.data, *end = at + k->heads.count;
    return (take_head(&at, end, &h) && at == end && !(h.info & 3) && is_name(h.name, h.name_length, name, "")) ||
           fail_walk(k, "an object's schema");
}

/* ---- samples ---- */

/* Samples that stay have to be the model's. */
static bool check_fixed(walk *k, const pliant__abc_property *p, const pliant_body_info *b, uint64_t group)
{
    uint64_t data;
    k->expected.count = 0;
    if (!pliant__abc_fixed(p, &k->cache->place, b, &k->expected))
        return pliant__fail_memory(k->from.error, k->expected.count, "an archive");
    if (!pliant__ogawa_child_data(&k->from, group, 0, &data)) return false;
    uint64_t size;
    if (!pliant__ogawa_size(&k->from, data, &size)) return false;
    if (size != k->expected.count + PLIANT__DIGEST) return fail_model(k, b, p->name);
    if (!pliant__abc_load_sample(&k->from, data, k->expected.count, &k->data)) return false;
    return !k->expected.count || memcmp(k->data.data + PLIANT__DIGEST, k->expected.data, k->expected.count) == 0 ||
           fail_model(k, b, p->name);
}

/* Where the samples of a property that moves lie, behind those in cache->begins. */
static bool list_samples(walk *k, const pliant__abc_property *p, uint64_t group)
{
    const unsigned per_sample = p->scalar ? 1 : 2;
    const uint32_t frames = k->cache->frames;
    uint64_t       count;
    if (!pliant__ogawa_count(&k->from, group, &count)) return false;
    if (count < (uint64_t)per_sample * frames) return fail_walk(k, "samples that are missing");
    if (!pliant__cache_load(k->cache, k->from.file, group + 8, (size_t)frames * per_sample * 8, k->from.error)) return false;
    for (uint32_t f = 0; f < frames; f++) {
        uint64_t child = pliant__get_u64((const unsigned char *)k->cache->text.data + (size_t)f * per_sample * 8);
        if (!(child & PLIANT__OGAWA_DATA)) return fail_walk(k, "a group in place of a sample");
        if (!array_push(NULL, &k->cache->begins, child))
            return pliant__fail_memory(k->from.error, k->cache->begins.count * sizeof child, "the frames' places");
    }
    return true;
}

/* ---- a body ---- */

/* All bodies' properties have the same number of samples: the frames. */
static bool take_frames(walk *k, const head *h)
{
    pliant_cache *c = k->cache;
    if (!c->frames) {
        k->frames = h->samples;
        c->frames = h->samples < c->most ? h->samples : c->most;
    }
    if (!h->samples) return pliant__fail_at(k->from.error, PLIANT_ERROR_INPUT, k->from.file->path, 0, "no whole frame");
    return (h->samples == k->frames && h->times == 1) || fail_walk(k, "properties with different numbers of samples");
}

/* Number `index` of a shape's properties. */
static bool take_property(walk *k, const pliant__abc_property *p, const pliant_body_info *b, const head *h, uint64_t geometry,
                          uint32_t index)
{
    uint64_t group;
    uint32_t type = p->scalar ? 1 : pliant__abc_values(p, b) == 1 ? 3 : 2;
    if (!is_name(h->name, h->name_length, p->name, "") || (h->info & 3) != type || (h->info >> 4 & 15) != (uint32_t)p->pod ||
        (h->info >> 12 & 255) != p->extent)
        return fail_model(k, b, "the properties");
    if (!take_frames(k, h) || !pliant__ogawa_child_group(&k->from, geometry, index, &group)) return false;
    if (p->source >= PLIANT__ABC_FIXED) return check_fixed(k, p, b, group);
    bool wanted = p->source == PLIANT__ABC_POSITIONS || p->source == PLIANT__ABC_VELOCITIES || p->source == PLIANT__ABC_FACE_INDICES_NOW;
    return !wanted || list_samples(k, p, group);
}

static bool take_shape(walk *k, const pliant_body_info *b, uint64_t object)
{
    const pliant__abc_kind *kind = pliant__abc_kind_of(&k->cache->place, b);
    uint64_t                properties, geometry, data, count;
    uint32_t                expected = 0, index = 0;
    head                    h;
    if (!pliant__ogawa_child_group(&k->from, object, 0, &properties) || !take_schema(k, properties, ".geom", &geometry) ||
        !pliant__ogawa_count(&k->from, geometry, &count))
        return false;
    while (expected < PLIANT__ABC_PROPERTIES && kind->properties[expected].name) expected++;
    if (count != expected + 1ull) return fail_model(k, b, "the properties");
    if (!pliant__ogawa_child_data(&k->from, geometry, expected, &data) || !pliant__ogawa_read(&k->from, data, 4096, &k->heads))
        return false;
    const unsigned char *at = (const unsigned char *)k->heads.data, *end = at + k->heads.count;
    for (; index < expected; index++) {
        if (!take_head(&at, end, &h)) return fail_walk(k, "the heads of properties");
        if (!take_property(k, &kind->properties[index], b, &h, geometry, index)) return false;
    }
    return at == end || fail_walk(k, "the heads of properties");
}

/* Children of an object: they have to be `count`, and to be called as the bodies are. */
static bool take_names(walk *k, uint64_t object, uint32_t first, uint32_t count, const char *suffix)
{
    uint64_t children, data;
    if (!pliant__ogawa_count(&k->from, object, &children)) return false;
    if (children != count + 2ull)
        return pliant__fail_at(k->from.error, PLIANT_ERROR_INPUT, k->from.file->path, 0, "%llu objects where this model has %u",
                               children < 2 ? 0ull : (unsigned long long)children - 2, count);
    if (!pliant__ogawa_child_data(&k->from, object, count + 1ull, &data) ||
        !pliant__ogawa_read(&k->from, data, 32 + 512ull * count, &k->heads))
        return false;
    if (k->heads.count < 32) return fail_walk(k, "the names of objects");
    const unsigned char *at = (const unsigned char *)k->heads.data, *end = at + k->heads.count - 32;
    for (uint32_t i = 0; i < count; i++) {
        const char *name, *expected = k->cache->place.names[first + i];
        size_t      length;
        uint32_t    words;
        if (!take_name(&at, end, 4, &name, &length) || !take_number(&at, end, 1, &words) || words == 255)
            return fail_walk(k, "the names of objects");
        if (!is_name(name, length, expected, suffix))
            return pliant__fail_at(k->from.error, PLIANT_ERROR_INPUT, k->from.file->path, 0,
                                   "\"%.*s\" where %s%s of this model is expected", length < 80 ? (int)length : 80, name, expected, suffix);
    }
    return at == end || fail_walk(k, "the names of objects");
}

static bool take_bodies(walk *k, uint64_t top)
{
    const pliant__place *place = &k->cache->place;
    if (!take_names(k, top, 0, place->body_count, "")) return false;
    for (uint32_t i = 0; i < place->body_count; i++) {
        pliant_body_info b = pliant__place_body(place, i);
        uint64_t         transform, shape, properties, inner;
        if (!pliant__ogawa_child_group(&k->from, top, i + 1ull, &transform) || !take_names(k, transform, i, 1, "Shape") ||
            !pliant__ogawa_child_group(&k->from, transform, 0, &properties) || !take_schema(k, properties, ".xform", &inner) ||
            !pliant__ogawa_child_group(&k->from, transform, 1, &shape) || !take_shape(k, &b, shape))
            return false;
    }
    return true;
}

/* ---- the archive ---- */

static bool take_u32(walk *k, uint64_t root, uint64_t index, uint32_t *value)
{
    uint64_t data;
    if (!pliant__ogawa_child_data(&k->from, root, index, &data) || !pliant__ogawa_read(&k->from, data, 4, &k->data)) return false;
    if (k->data.count != 4) return fail_walk(k, "the version");
    *value = pliant__get_u32((const unsigned char *)k->data.data);
    return true;
}

/* Frames' numbers per second, as in the archive's words; 0 where they have none. */
static bool take_rate(walk *k, uint64_t root, double *rate)
{
    static const char word[] = "_ai_DCC_FPS=";
    uint64_t          data;
    *rate = 0;
    if (!pliant__ogawa_child_data(&k->from, root, 3, &data) || !pliant__ogawa_read(&k->from, data, PLIANT__ABC_ABOUT, &k->data))
        return false;
    if (!pliant__abc_words_own(&k->data)) return fail_walk(k, "the program that wrote it");
    if (!array_push(NULL, &k->data, 0)) return pliant__fail_memory(k->from.error, 1, "an archive");
    const char *at = strstr(k->data.data, word);
    if (!at) return true;
    at += sizeof word - 1;
    if (pliant__parse_number(at, strcspn(at, ";"), rate) != PLIANT__NUMBER_OK || !(*rate > 0)) *rate = 0;
    return true;
}

/* A whole number, almost: times are rounded. */
static bool take_whole(double value, double least, uint32_t *number)
{
    *number = value >= least && value < 0x1p32 - 0.5 ? (uint32_t)(value + 0.5) : 0;
    const double off = value - (double)*number;
    return off < 1e-3 && off > -1e-3;
}

/* Two rows of times: one with the single time 0, for properties without times, and the frames'. The first frame's number is its time, in numbers, and
 * they are an interval apart. Without a rate, numbers go up one by one. */
static bool take_times(walk *k, uint64_t root)
{
    enum { ROW = 24 };
    uint64_t data;
    if (!take_rate(k, root, &k->cache->rate) || !pliant__ogawa_child_data(&k->from, root, 4, &data) ||
        !pliant__ogawa_read(&k->from, data, 2 * ROW, &k->data))
        return false;
    const unsigned char *row = (const unsigned char *)k->data.data + ROW;
    if (k->data.count != 2 * ROW || pliant__get_u32(row + 12) != 1) return fail_walk(k, "the times");
    const double interval = pliant__get_double(row + 4), first = pliant__get_double(row + 16);
    if (!(interval > 0)) return fail_walk(k, "the time between frames");
    const double rate = k->cache->rate > 0 ? k->cache->rate : 1 / interval;
    if (!take_whole(interval * rate, 0.5, &k->cache->every) || !k->cache->every) return fail_walk(k, "the time between frames");
    return take_whole(first * rate, 0, &k->cache->first) || fail_walk(k, "the time of the first frame");
}

static bool take_archive(walk *k, uint64_t root)
{
    uint32_t version = 0, library = 0;
    uint64_t top;
    k->cache->frames = 0;
    k->cache->begins.count = 0;
    if (!take_u32(k, root, 0, &version) || !take_u32(k, root, 1, &library)) return false;
    if (version != 0 || library < 9999) return fail_walk(k, "the version");
    return take_times(k, root) && pliant__ogawa_child_group(&k->from, root, 2, &top) && take_bodies(k, top);
}

/* An archive that is being written may get another tree while this one is walked, twice, and then it may be anything: once more. */
bool pliant__abc_open(pliant_cache *c, pliant_error *error)
{
    uint64_t root, now = 0;
    bool     ok = false;
    if (!pliant__cache_open_files(c, 1, pliant__place_path, error)) return false;
    walk k = {.from = {&c->files[0], error, NULL}, .cache = c};
    for (int tries = 0; tries < 8; tries++) {
        if (!pliant__ogawa_root(&k.from, &root)) break;
        ok = take_archive(&k, root);
        if (!pliant__ogawa_root(&k.from, &now) || now == root) break;
        if (error) *error = (pliant_error){0};
        pliant__source_close(&c->files[0]);
        if (!(ok = pliant__source_open(&c->files[0], c->place.path, error))) break;
    }
    array_free(NULL, &k.heads);
    array_free(NULL, &k.data);
    array_free(NULL, &k.expected);
    return ok;
}

static bool read_vectors(pliant_cache *c, uint64_t sample, size_t count, pliant_vec3 *to, pliant_error *error)
{
    pliant__ogawa_file from = {&c->files[0], error, NULL};
    if (!pliant__abc_load_sample(&from, sample, 12 * (uint64_t)count, &c->text)) return false;
    const unsigned char *at = (const unsigned char *)c->text.data + PLIANT__DIGEST;
    for (size_t i = 0; i < count; i++, at += 12) {
        to[i] = v3((pliant_real)pliant__get_float(at), (pliant_real)pliant__get_float(at + 4), (pliant_real)pliant__get_float(at + 8));
        if (!v3_finite(to[i]))
            return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->files[0].path, 0, "vertex %zu of a sample is not finite", i);
    }
    return true;
}

/* Triangles, which go round the other way in Alembic. */
static bool read_corners(pliant_cache *c, uint64_t sample, uint32_t body, pliant_error *error)
{
    const pliant__ogawa_file from = {&c->files[0], error, NULL};
    const size_t             count = c->corner_at[body + 1] - c->corner_at[body];
    if (!pliant__abc_load_sample(&from, sample, 4 * (uint64_t)count, &c->text)) return false;
    const unsigned char *at = (const unsigned char *)c->text.data + PLIANT__DIGEST;
    for (size_t i = 0; i < count; i++, at += 4)
        if (!pliant__cache_set_corner(c, body, i - i % 3 + 2 - i % 3, pliant__get_u32(at)))
            return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->files[0].path, 0, "corner %zu of a sample is no vertex", i);
    return true;
}

bool pliant__abc_read(pliant_cache *c, uint32_t index, pliant_error *error)
{
    const uint64_t *samples = c->begins.data + index;
    for (uint32_t i = 0; i < c->place.body_count; i++, samples += 2 * (size_t)c->frames) {
        const pliant_body_info b = pliant__place_body(&c->place, i);
        size_t                 count = c->offset[i + 1] - c->offset[i];
        if (!read_vectors(c, samples[0], count, c->x + c->offset[i], error) ||
            !read_vectors(c, samples[c->frames], count, c->v + c->offset[i], error))
            return false;
        if (!b.face_count || !pliant__reshapes(&c->place, &b)) continue;
        if (!read_corners(c, samples[2 * (size_t)c->frames], i, error)) return false;
        samples += c->frames;
    }
    return true;
}
