/* Writing Alembic archives: frames, and the index behind them. How they lie is told in abc.h. */
#include "io/cache/abc.h"

#include "io/files/bytes.h"
#include "io/files/number.h"
#include "io/cache/writer.h"

#include <stdlib.h>
#include <string.h>

/* An archive being written. */
typedef struct archive {
    uint64_t frames_at, frame_size;
    uint32_t room;                            /* frames that the lists have room for */
    uint64_t index;                           /* where they lie */
    uint64_t tree_size;                       /* of one of the two trees behind them */
    unsigned turn;                            /* which tree is not in use */
    unsigned char (*history)[PLIANT__DIGEST]; /* per body: of all digests of its frames */
    unsigned char (*fixed)[PLIANT__DIGEST];   /* per body: of the digests of its samples that stay */
    pliant__ogawa out;                        /* bytes that are being put together */
} archive;

/* The version of Alembic with this layout, as a number and in words. */
enum { LIBRARY = 10700 };

/* ---- samples ---- */

static void put_float(pliant__ogawa *to, pliant_real value) { pliant__ogawa_put_u32(to, pliant__float_bits((float)value)); }

static void put_double(pliant__ogawa *to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    pliant__ogawa_put_u64(to, bits);
}

static void put_vec3(pliant__ogawa *to, pliant_vec3 a)
{
    put_float(to, a.x);
    put_float(to, a.y);
    put_float(to, a.z);
}

/* Of the numbers as they are written, floats. */
static void put_bounds(pliant__ogawa *to, const pliant_vec3 *x, size_t stride, uint32_t count)
{
    float low[3] = {0}, high[3] = {0};
    for (uint32_t v = 0; v < count; v++, x += stride) {
        const float at[3] = {(float)x->x, (float)x->y, (float)x->z};
        for (int i = 0; i < 3; i++) {
            if (v == 0 || at[i] < low[i]) low[i] = at[i];
            if (v == 0 || at[i] > high[i]) high[i] = at[i];
        }
    }
    for (int i = 0; i < 3; i++) put_double(to, (double)low[i]);
    for (int i = 0; i < 3; i++) put_double(to, (double)high[i]);
}

/* Sets the size and the digest of the sample with bytes behind `at`. */
static void seal(pliant__ogawa *to, size_t at, unsigned char digest[PLIANT__DIGEST])
{
    if (to->failed) return;
    unsigned char *head = (unsigned char *)to->bytes.data + at;
    size_t         size = to->bytes.count - at - PLIANT__ABC_SAMPLE;
    pliant__set_u64(head, size + PLIANT__DIGEST);
    pliant__murmur(head + PLIANT__ABC_SAMPLE, size, digest);
    memcpy(head + 8, digest, PLIANT__DIGEST);
}

static size_t begin_sample(pliant__ogawa *to)
{
    static const unsigned char head[PLIANT__ABC_SAMPLE];
    size_t                     at = to->bytes.count;
    pliant__ogawa_put(to, head, sizeof head);
    return at;
}

/* Adds a digest to a sum that depends on every digest added. */
static void add_digest(unsigned char history[PLIANT__DIGEST], const unsigned char digest[PLIANT__DIGEST])
{
    unsigned char both[2 * PLIANT__DIGEST];
    memcpy(both, history, PLIANT__DIGEST);
    memcpy(both + PLIANT__DIGEST, digest, PLIANT__DIGEST);
    pliant__murmur(both, sizeof both, history);
}

/* The vertices of a body are in w->x, each with its normal, and in w->v. */
static void put_sample(pliant_writer *w, archive *a, const pliant__abc_property *p, const pliant_body_info *b, uint32_t body,
                       const pliant_state *state)
{
    unsigned char digest[PLIANT__DIGEST] = {0};
    size_t        at = begin_sample(&a->out);
    for (uint32_t v = 0; v < b->surface_vertex_count; v++) {
        if (p->source == PLIANT__ABC_POSITIONS) put_vec3(&a->out, w->x[2 * (size_t)v]);
        if (p->source == PLIANT__ABC_NORMALS) put_vec3(&a->out, w->x[2 * (size_t)v + 1]);
        if (p->source == PLIANT__ABC_VELOCITIES) put_vec3(&a->out, w->v[v]);
    }
    if (p->source == PLIANT__ABC_FACE_INDICES_NOW && !pliant__abc_corners(&w->place, b, state, &a->out.bytes)) a->out.failed = true;
    if (p->source == PLIANT__ABC_BOUNDS) put_bounds(&a->out, w->x, 2, b->surface_vertex_count);
    seal(&a->out, at, digest);
    add_digest(a->history[body], digest);
}

static void begin(archive *a, uint64_t base)
{
    a->out.bytes.count = 0;
    a->out.base = base;
    a->out.failed = false;
}

/* Writes the bytes that were put together to their place. */
static bool flush(pliant_writer *w, archive *a, pliant_error *error)
{
    if (a->out.failed) return pliant__fail_memory(error, a->out.bytes.count, "an archive");
    return pliant__file_patch(&w->files[0], a->out.base, a->out.bytes.data, a->out.bytes.count, error);
}

static bool write_frame(pliant_writer *w, archive *a, const pliant_state *state, pliant_error *error)
{
    begin(a, a->frames_at + w->frames * a->frame_size);
    for (uint32_t i = 0; i < w->place.body_count; i++) {
        pliant_body_info b = pliant__place_body(&w->place, i);
        if (!pliant__put_vertices(&w->place, &b, state, w->x) || !pliant__put_velocities(&w->place, &b, state, w->v))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the state has no positions of %s", b.name);
        PLIANT__ABC_EACH(p, pliant__abc_kind_of(&w->place, &b), true) put_sample(w, a, p, &b, i, state);
    }
    return flush(w, a, error);
}

/* The bytes before the frames: the header, of no tree yet, and the samples that stay. */
static void put_start(pliant_writer *w, archive *a)
{
    pliant__bytes sample = {0};
    begin(a, 0);
    pliant__ogawa_put(&a->out, "Ogawa\xff\0\1\0\0\0\0\0\0\0", PLIANT__OGAWA_HEADER);
    for (uint32_t i = 0; i < w->place.body_count; i++) {
        pliant_body_info b = pliant__place_body(&w->place, i);
        memset(a->fixed[i], 0, PLIANT__DIGEST);
        PLIANT__ABC_EACH(p, pliant__abc_kind_of(&w->place, &b), false)
        {
            unsigned char digest[PLIANT__DIGEST] = {0};
            size_t        at = begin_sample(&a->out);
            sample.count = 0;
            if (!pliant__abc_fixed(p, &w->place, &b, &sample)) a->out.failed = true;
            pliant__ogawa_put(&a->out, sample.data, sample.count);
            seal(&a->out, at, digest);
            add_digest(a->fixed[i], digest);
        }
    }
    array_free(NULL, &sample);
}

/* ---- lists ---- */

/* Children that a list has per sample: an array has its size as a second, which is empty where the bytes tell it. */
static uint32_t children_of(const pliant__abc_property *p) { return p->scalar ? 1 : 2; }

static uint64_t list_size(const pliant__abc_property *p, uint32_t room) { return 8 + 8ull * children_of(p) * room; }

/* The lists, of all properties that move: with room for `room` frames, `count` of them in their places. */
static void put_lists(const pliant_writer *w, archive *a, uint32_t room, uint32_t count)
{
    uint64_t in_frame = 0;
    for (uint32_t i = 0; i < w->place.body_count; i++) {
        pliant_body_info b = pliant__place_body(&w->place, i);
        PLIANT__ABC_EACH(p, pliant__abc_kind_of(&w->place, &b), true)
        {
            pliant__ogawa_put_u64(&a->out, (uint64_t)children_of(p) * room);
            for (uint32_t f = 0; f < room; f++) {
                pliant__ogawa_put_u64(&a->out, f < count ? (a->frames_at + f * a->frame_size + in_frame) | PLIANT__OGAWA_DATA : 0);
                if (!p->scalar) pliant__ogawa_put_u64(&a->out, f < count ? PLIANT__OGAWA_DATA : 0);
            }
            in_frame += PLIANT__ABC_SAMPLE + pliant__abc_sample_bytes(p, &b);
        }
    }
}

static uint64_t lists_size(const pliant_writer *w, uint32_t room)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < w->place.body_count; i++) {
        pliant_body_info b = pliant__place_body(&w->place, i);
        PLIANT__ABC_EACH(p, pliant__abc_kind_of(&w->place, &b), true) size += list_size(p, room);
    }
    return size;
}

/* Frame number `frame` into lists that have room for it. */
static bool list_frame(pliant_writer *w, archive *a, uint32_t frame, pliant_error *error)
{
    uint64_t list = a->index, sample = a->frames_at + frame * a->frame_size;
    for (uint32_t i = 0; i < w->place.body_count; i++) {
        pliant_body_info b = pliant__place_body(&w->place, i);
        PLIANT__ABC_EACH(p, pliant__abc_kind_of(&w->place, &b), true)
        {
            unsigned char children[16];
            pliant__set_u64(children, sample | PLIANT__OGAWA_DATA);
            pliant__set_u64(children + 8, PLIANT__OGAWA_DATA);
            if (!pliant__file_patch(&w->files[0], list + 8 + 8ull * children_of(p) * frame, children, 8 * children_of(p), error))
                return false;
            list += list_size(p, a->room);
            sample += PLIANT__ABC_SAMPLE + pliant__abc_sample_bytes(p, &b);
        }
    }
    return true;
}

/* ---- the tree ---- */

/* The head of a property, all its numbers in four bytes. */
static void put_property(pliant__ogawa *to, const char *name, uint32_t info, pliant__abc_words words, uint32_t samples, uint32_t times)
{
    enum { FOUR_BYTES = 2 << 2, HAS_TIMES = 0x100, ALIKE = 0x400 };
    bool compound = !(info & 3);
    info |= FOUR_BYTES | (uint32_t)words << 20;
    if (!compound) info |= ALIKE;
    if (!compound && times) info |= HAS_TIMES;
    pliant__ogawa_put_u32(to, info);
    if (!compound) pliant__ogawa_put_u32(to, samples);
    if (!compound && times) pliant__ogawa_put_u32(to, times);
    pliant__ogawa_put_u32(to, (uint32_t)strlen(name));
    pliant__ogawa_put(to, name, strlen(name));
}

static uint32_t info_of(const pliant__abc_property *p, const pliant_body_info *b, uint32_t frames)
{
    enum { SCALAR = 1, ARRAY_OF_ONE = 3, ARRAY_OF_MANY = 2, CONSTANT = 0x800 };
    uint32_t type = p->scalar ? SCALAR : pliant__abc_values(p, b) == 1 ? ARRAY_OF_ONE : ARRAY_OF_MANY;
    bool     constant = p->source >= PLIANT__ABC_FIXED || frames == 1;
    return type | (uint32_t)p->pod << 4 | p->extent << 12 | (constant ? (uint32_t)CONSTANT : 0);
}

/* The bytes of `heads`, as data. */
static uint64_t wrap(pliant__ogawa *to, pliant__ogawa *heads)
{
    if (heads->failed) to->failed = true;
    return pliant__ogawa_data(to, heads->bytes.data, heads->bytes.count);
}

/* A compound of one compound, as schemas lie in their object: the child of the object. */
static uint64_t put_schema(pliant__ogawa *to, pliant__ogawa *heads, const char *name, pliant__abc_words words, uint64_t inner)
{
    heads->bytes.count = 0;
    put_property(heads, name, 0, words, 0, 0);
    const uint64_t children[2] = {inner, wrap(to, heads)};
    return pliant__ogawa_group(to, children, 2);
}

/* The names of an object's children, and behind them two digests, of its properties and of its children. */
static void put_child(pliant__ogawa *heads, const char *name, const char *suffix, pliant__abc_words words)
{
    const unsigned char number = (unsigned char)words;
    pliant__ogawa_put_u32(heads, (uint32_t)(strlen(name) + strlen(suffix)));
    pliant__ogawa_put(heads, name, strlen(name));
    pliant__ogawa_put(heads, suffix, strlen(suffix));
    pliant__ogawa_put(heads, &number, 1);
}

static void put_digests(pliant__ogawa *heads, const unsigned char *properties, const unsigned char *children)
{
    pliant__ogawa_put(heads, properties, PLIANT__DIGEST);
    pliant__ogawa_put(heads, children, PLIANT__DIGEST);
}

static const unsigned char no_digest[PLIANT__DIGEST];

/* The shape of body number `i`: its object. *list and *fixed are where its lists and its samples that stay lie, and are moved on. */
static uint64_t put_shape(const pliant_writer *w, archive *a, pliant__ogawa *heads, uint32_t i, uint32_t room, uint64_t *list,
                          uint64_t *fixed, uint32_t frames, unsigned char digest[PLIANT__DIGEST])
{
    const pliant_body_info  b = pliant__place_body(&w->place, i);
    const pliant__abc_kind *kind = pliant__abc_kind_of(&w->place, &b);
    uint64_t                children[PLIANT__ABC_PROPERTIES + 1];
    size_t                  count = 0;
    for (const pliant__abc_property *p = kind->properties; p < kind->properties + PLIANT__ABC_PROPERTIES && p->name; p++) {
        if (p->source < PLIANT__ABC_FIXED) {
            children[count++] = *list;
            *list += list_size(p, room);
        } else {
            const uint64_t sample[2] = {*fixed | PLIANT__OGAWA_DATA, PLIANT__OGAWA_DATA};
            children[count++] = pliant__ogawa_group(&a->out, sample, children_of(p));
            *fixed += PLIANT__ABC_SAMPLE + pliant__abc_sample_bytes(p, &b);
        }
    }
    heads->bytes.count = 0;
    for (const pliant__abc_property *p = kind->properties; p < kind->properties + PLIANT__ABC_PROPERTIES && p->name; p++)
        put_property(heads, p->name, info_of(p, &b, frames), p->words, frames, 1);
    pliant__murmur(heads->bytes.data, heads->failed ? 0 : heads->bytes.count, digest);
    add_digest(digest, a->fixed[i]);
    add_digest(digest, a->history[i]);
    children[count++] = wrap(&a->out, heads);
    uint64_t object[2] = {put_schema(&a->out, heads, ".geom", kind->schema, pliant__ogawa_group(&a->out, children, count)), 0};
    heads->bytes.count = 0;
    put_digests(heads, digest, no_digest);
    object[1] = wrap(&a->out, heads);
    return pliant__ogawa_group(&a->out, object, 2);
}

/* The transform of body number `i`, with its shape. It has no operations: it passes on the transform that it inherits. */
static uint64_t put_transform(const pliant_writer *w, archive *a, pliant__ogawa *heads, uint32_t i, uint64_t shape,
                              const unsigned char digest[PLIANT__DIGEST])
{
    static const unsigned char yes[1] = {1};
    unsigned char              sample[PLIANT__DIGEST + 1];
    pliant_body_info           b = pliant__place_body(&w->place, i);
    pliant__murmur(yes, 1, sample);
    sample[PLIANT__DIGEST] = 1;
    const uint64_t inherits = pliant__ogawa_data(&a->out, sample, sizeof sample);
    uint64_t       xform[2] = {pliant__ogawa_group(&a->out, &inherits, 1), 0};
    heads->bytes.count = 0;
    put_property(heads, ".inherits", 1 | PLIANT__ABC_BOOL << 4 | 1 << 12 | 0x800, PLIANT__ABC_NOTHING, 1, 0);
    xform[1] = wrap(&a->out, heads);
    uint64_t object[3] = {put_schema(&a->out, heads, ".xform", PLIANT__ABC_XFORM, pliant__ogawa_group(&a->out, xform, 2)), shape, 0};
    heads->bytes.count = 0;
    put_child(heads, w->place.names[i], "Shape", pliant__abc_kind_of(&w->place, &b)->object);
    put_digests(heads, sample, digest);
    object[2] = wrap(&a->out, heads);
    return pliant__ogawa_group(&a->out, object, 3);
}

/* The rows of times: 0, for properties without times, and the frames' times. */
static uint64_t put_times(const pliant_writer *w, archive *a, pliant__ogawa *heads, uint32_t frames)
{
    heads->bytes.count = 0;
    pliant__ogawa_put_u32(heads, 1);
    put_double(heads, 1);
    pliant__ogawa_put_u32(heads, 1);
    put_double(heads, 0);
    pliant__ogawa_put_u32(heads, frames);
    put_double(heads, 1 / w->def.fps);
    pliant__ogawa_put_u32(heads, 1);
    put_double(heads, pliant__def_time(&w->def, 0));
    return wrap(&a->out, heads);
}

static const char start[] = "_ai_AlembicVersion=Alembic 1.7.0 (layout);_ai_Application=Pliant;_ai_DCC_FPS=";

static uint64_t put_archive_words(const pliant_writer *w, archive *a, pliant__ogawa *heads)
{
    char   fps[PLIANT__NUMBER_SIZE];
    size_t length = pliant__format_shortest(fps, pliant__def_rate(&w->def));
    heads->bytes.count = 0;
    pliant__ogawa_put(heads, start, sizeof start - 1);
    pliant__ogawa_put(heads, fps, length);
    return wrap(&a->out, heads);
}

static uint64_t put_words(archive *a, pliant__ogawa *heads)
{
    heads->bytes.count = 0;
    for (int i = PLIANT__ABC_NOTHING + 1; i < PLIANT__ABC_WORDS; i++) {
        const unsigned char length = (unsigned char)strlen(pliant__abc_text[i]);
        pliant__ogawa_put(heads, &length, 1);
        pliant__ogawa_put(heads, pliant__abc_text[i], length);
    }
    return wrap(&a->out, heads);
}

/* The object that has all transforms. */
static uint64_t put_objects(const pliant_writer *w, archive *a, pliant__ogawa *heads, uint32_t room, uint64_t list, uint32_t frames)
{
    uint64_t     *children = calloc(w->place.body_count + 2u, sizeof *children), top = 0;
    uint64_t      fixed = PLIANT__OGAWA_HEADER;
    unsigned char all[PLIANT__DIGEST] = {0}, digest[PLIANT__DIGEST];
    if (!children) a->out.failed = true;
    for (uint32_t i = 0; children && i < w->place.body_count; i++) {
        uint64_t shape = put_shape(w, a, heads, i, room, &list, &fixed, frames, digest);
        children[i + 1] = put_transform(w, a, heads, i, shape, digest);
        add_digest(all, digest);
    }
    heads->bytes.count = 0;
    for (uint32_t i = 0; i < w->place.body_count; i++) put_child(heads, w->place.names[i], "", PLIANT__ABC_XFORM_OBJECT);
    put_digests(heads, no_digest, all);
    if (children) {
        children[w->place.body_count + 1] = wrap(&a->out, heads);
        top = pliant__ogawa_group(&a->out, children, w->place.body_count + 2u);
    }
    free(children);
    return top;
}

/* All groups but the lists, which lie at `list`; where the root is. */
static uint64_t put_tree(const pliant_writer *w, archive *a, uint32_t room, uint64_t list, uint32_t frames)
{
    unsigned char number[4] = {0};
    pliant__ogawa heads = {.base = 0};
    uint64_t      root[6];
    root[0] = pliant__ogawa_data(&a->out, number, 4);
    pliant__set_u32(number, LIBRARY);
    root[1] = pliant__ogawa_data(&a->out, number, 4);
    root[2] = put_objects(w, a, &heads, room, list, frames);
    root[3] = put_archive_words(w, a, &heads);
    root[4] = put_times(w, a, &heads, frames);
    root[5] = put_words(a, &heads);
    array_free(NULL, &heads.bytes);
    return pliant__ogawa_group(&a->out, root, 6);
}

static bool set_root(pliant_writer *w, uint64_t root, pliant_error *error)
{
    unsigned char bytes[8];
    pliant__set_u64(bytes, root);
    return pliant__file_patch(&w->files[0], PLIANT__OGAWA_ROOT_AT, bytes, 8, error);
}

/* ---- the index ---- */

/* Writes the whole index of `frames` frames to `at`, where nothing lies that is in use, and then uses it. */
static bool write_index(pliant_writer *w, archive *a, uint64_t at, uint32_t room, uint32_t frames, pliant_error *error)
{
    begin(a, at);
    put_lists(w, a, room, frames);
    size_t   lists = a->out.bytes.count;
    uint64_t root = put_tree(w, a, room, at, frames);
    if (!flush(w, a, error) || !set_root(w, root, error)) return false;
    a->room = room;
    a->index = at;
    a->tree_size = a->out.bytes.count - lists;
    a->turn = 1;
    return true;
}

/* Uses the tree that is not in use, with so many frames. */
static bool write_tree(pliant_writer *w, archive *a, uint32_t frames, pliant_error *error)
{
    begin(a, a->index + lists_size(w, a->room) + a->turn * a->tree_size);
    uint64_t root = put_tree(w, a, a->room, a->index, frames);
    if (!flush(w, a, error) || !set_root(w, root, error)) return false;
    a->turn = !a->turn;
    return true;
}

/* Writes the index behind everything that is there, with room for half as many frames again. */
static bool make_room(pliant_writer *w, archive *a, pliant_error *error)
{
    uint32_t room = w->frames + w->frames / 2 + 4;
    uint64_t at = a->frames_at + room * a->frame_size;
    if (at < w->files[0].end) at = w->files[0].end;
    if (!write_index(w, a, at, room, w->frames, error)) return false;
    w->files[0].end = at + lists_size(w, room) + 2 * a->tree_size;
    return w->frames == 0 || pliant__file_commit(&w->files[0], error); /* so that the index in use now is not cut off if the frame fails */
}

/* Writes the index right behind the frames, as the end of the file. The index in use may lie there: so it goes out of the way first. */
static bool settle(pliant_writer *w, archive *a, uint32_t frames, pliant_error *error)
{
    pliant__file *file = &w->files[0];
    uint64_t      at = a->frames_at + frames * a->frame_size, aside;
    begin(a, at);
    put_lists(w, a, frames, frames);
    put_tree(w, a, frames, at, frames);
    uint64_t size = a->out.bytes.count;
    if (a->out.failed) return pliant__fail_memory(error, size, "an archive");
    aside = at + size > file->end ? at + size : file->end;
    if (!write_index(w, a, aside, frames, frames, error)) return false;
    file->end = aside + size;
    if (!pliant__file_commit(file, error) || !write_index(w, a, at, frames, frames, error)) return false;
    file->end = at + size;
    return pliant__file_commit(file, error) && pliant__file_cut(file, error);
}

/* ---- the writer ---- */

static archive *make_archive(pliant_writer *w, pliant_error *error)
{
    uint32_t count = w->place.body_count ? w->place.body_count : 1;
    archive *a = calloc(1, sizeof *a);
    if (a) {
        w->own = a;
        a->history = calloc(count, sizeof *a->history);
        a->fixed = calloc(count, sizeof *a->fixed);
    }
    if (!a || !a->history || !a->fixed) return pliant__fail_memory(error, count * sizeof *a->history, "an archive"), NULL;
    a->frames_at = pliant__abc_frames_at(&w->place);
    a->frame_size = pliant__abc_frame_size(&w->place);
    return a;
}

bool pliant__abc_write(pliant_writer *w, const pliant_state *state, pliant_error *error)
{
    bool     first = w->frames == 0;
    archive *a = first ? make_archive(w, error) : w->own;
    if (!a) return false;
    if (first) {
        put_start(w, a);
        if (!pliant__writer_open_files(w, 1, pliant__place_path, error) || !flush(w, a, error)) return false;
    }
    if (w->frames == a->room && !make_room(w, a, error)) return false;
    if (!write_frame(w, a, state, error) || !list_frame(w, a, w->frames, error) || !write_tree(w, a, w->frames + 1, error)) return false;
    if (!pliant__file_commit(&w->files[0], error)) return false;
    return !first || pliant__writer_note(w, w->place.path, error);
}

bool pliant__abc_finish(pliant_writer *w, pliant_error *error) { return !w->frames || settle(w, w->own, w->frames, error); }

void pliant__abc_release(pliant_writer *w)
{
    archive *a = w->own;
    if (!a) return;
    free(a->history);
    free(a->fixed);
    array_free(NULL, &a->out.bytes);
}

/* ---- checks before writing ---- */

/* All groups have the size that they have in the end, whatever is in them. */
bool pliant__abc_bytes(const pliant__place *place, const pliant_write_def *def, uint64_t *bytes, pliant_error *error)
{
    pliant_writer w = {.place = *place, .def = *def};
    archive      *a = make_archive(&w, error);
    if (a) {
        begin(a, 0);
        put_tree(&w, a, 0, 0, def->frames);
        *bytes = a->frames_at + def->frames * a->frame_size + lists_size(&w, def->frames) + a->out.bytes.count;
    }
    const bool ok = a && (!a->out.failed || pliant__fail_memory(error, a->out.bytes.count, "an archive"));
    pliant__abc_release(&w);
    free(w.own);
    return ok;
}

/* All archives begin alike, so one of Pliant's is known by the name of the program that wrote it. */
bool pliant__abc_words_own(const pliant__bytes *words)
{
    return words->count >= sizeof start && memcmp(words->data, start, sizeof start - 1) == 0;
}

bool pliant__abc_own(const pliant__place *place, uint32_t body, const char *head, size_t size, const pliant__source *file)
{
    const pliant__ogawa_file from = {file, NULL, NULL};
    pliant__bytes            words = {0};
    uint64_t                 root, data;
    (void)place, (void)body;
    bool own = size >= 8 && memcmp(head, "Ogawa\xff\0\1", 8) == 0 && pliant__ogawa_root(&from, &root) &&
               pliant__ogawa_child_data(&from, root, 3, &data) && pliant__ogawa_read(&from, data, PLIANT__ABC_ABOUT, &words) &&
               pliant__abc_words_own(&words);
    array_free(NULL, &words);
    return own;
}

/* ---- going on ---- */

static bool fail_resume(const pliant_writer *w, const char *what, pliant_error *error)
{
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, w->place.path, 0, "%s: it is not what was written before", what);
}

/* The bytes before the frames have to be the same, but for the number of the tree in use. */
static bool check_start(pliant_writer *w, archive *a, const pliant_cache *cache, pliant_error *error)
{
    put_start(w, a);
    size_t size = a->out.bytes.count;
    if (a->out.failed) return pliant__fail_memory(error, size, "an archive");
    if (cache->files[0].size < size) return fail_resume(w, "it is too short", error);
    char *there = malloc(size);
    if (!there) return pliant__fail_memory(error, size, "an archive");
    bool ok = pliant__source_read(&cache->files[0], 0, there, size, error);
    bool same = ok && memcmp(there + PLIANT__OGAWA_HEADER, a->out.bytes.data + PLIANT__OGAWA_HEADER, size - PLIANT__OGAWA_HEADER) == 0;
    free(there);
    return ok && (same || fail_resume(w, "it has other faces", error));
}

/* Frame number `frame`: whether its samples lie where they were written, and fit their digests. */
static bool recall_frame(pliant_writer *w, archive *a, pliant_cache *cache, uint32_t frame, pliant_error *error)
{
    const pliant__ogawa_file from = {&cache->files[0], error, NULL};
    uint64_t                 at = a->frames_at + frame * a->frame_size;
    for (uint32_t i = 0; i < w->place.body_count; i++) {
        pliant_body_info b = pliant__place_body(&w->place, i);
        PLIANT__ABC_EACH(p, pliant__abc_kind_of(&w->place, &b), true)
        {
            unsigned char head[PLIANT__ABC_SAMPLE];
            uint64_t      size = pliant__abc_sample_bytes(p, &b);
            if (at + sizeof head > cache->files[0].size) return fail_resume(w, "it is too short", error);
            if (!pliant__source_read(&cache->files[0], at, head, sizeof head, error)) return false;
            if (pliant__get_u64(head) != size + PLIANT__DIGEST) return fail_resume(w, "its frames lie elsewhere", error);
            if (!pliant__abc_load_sample(&from, at | PLIANT__OGAWA_DATA, size, &cache->text)) return false;
            add_digest(a->history[i], head + 8);
            at += sizeof head + size;
        }
    }
    return true;
}

static uint64_t whole_size(const pliant_writer *w, const pliant_cache *cache, uint32_t i)
{
    (void)w;
    return cache->files[i].size;
}

/* First the frames that are there are checked; then the index is written for fewer frames. */
bool pliant__abc_resume(pliant_writer *w, pliant_cache *cache, pliant_error *error)
{
    archive *a = make_archive(w, error);
    if (!a || !check_start(w, a, cache, error)) return false;
    for (uint32_t f = 0; f < w->def.there; f++)
        if (!recall_frame(w, a, cache, f, error)) return false;
    return pliant__writer_reopen_files(w, 1, pliant__place_path, whole_size, cache, error) && settle(w, a, w->def.there, error);
}
