/* Recordings: a header, then blocks one behind another. Little-endian, as states and models are.
 *
 *   0    header: "PLIANTR", version, bytes of a number, frames, bytes of the file, hash of these
 *   64   blocks: kind, 0, bytes of its content, hash; and the content, with zeros up to a multiple of 64
 *          1  the model         2  the method, as text         3  the state that it begins with
 *          4  a frame: the hash of the state after it, and its inputs, or nothing if they are those of the frame before
 *
 * Each block's hash begins with that of the block before, so blocks cannot be left out or put elsewhere. Frames are appended first and counted
 * in the header afterwards: a reader never sees a count without its frames, whenever the writer is stopped. */
#include "base/alloc.h"
#include "base/array.h"
#include "base/float_env.h"
#include "base/hash.h"
#include "io/files/file.h"
#include "pliant/io.h"

#include <stdlib.h>
#include <string.h>

#define VERSION 3u
#define ALIGNMENT 64u
#define LONGEST_METHOD 1024

enum { MODEL = 1, METHOD, STATE, FRAME };

typedef struct head {
    char     magic[8];
    uint32_t version, real_bytes;
    uint64_t frames, bytes;
    uint64_t unused[3];
    uint64_t hash;
} head;

typedef struct block {
    uint64_t kind, bytes, hash, unused[5];
} block;

_Static_assert(sizeof(head) == ALIGNMENT && sizeof(block) == ALIGNMENT, "what they hold lies at a multiple");

static const char magic[8] = "PLIANTR";

static size_t padded(size_t size) { return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static uint64_t hash_of_head(const head *h) { return pliant__hash(h, offsetof(head, hash), 0); }

/* Of a block and the zeros behind it, in a chain. */
static uint64_t hash_of_block(uint64_t before, const block *b, const void *data, const void *behind, size_t gap)
{
    block copy = *b;
    copy.hash = before;
    return pliant__hash(behind, gap, pliant__hash(data, b->bytes, pliant__hash(&copy, sizeof copy, 0)));
}

/* ---- writing ---- */

struct pliant_recorder {
    pliant__file   file;
    uint64_t       frames, chain; /* hash of the last block */
    size_t         size;          /* of inputs */
    unsigned char *last, *now;    /* a frame: hash, inputs */
    bool           failed;
};

static bool append(pliant_recorder *r, uint64_t kind, const void *data, size_t size, pliant_error *error)
{
    static const unsigned char zeros[ALIGNMENT];
    const size_t               gap = padded(size) - size;
    block                      b = {.kind = kind, .bytes = size};
    b.hash = r->chain = hash_of_block(r->chain, &b, data, zeros, gap);
    return pliant__file_append(&r->file, &b, sizeof b, error) && pliant__file_append(&r->file, data, size, error) &&
           pliant__file_append(&r->file, zeros, gap, error);
}

static head head_of(const pliant_recorder *r)
{
    head h = {.version = VERSION, .real_bytes = sizeof(pliant_real), .frames = r->frames, .bytes = r->file.end};
    memcpy(h.magic, magic, sizeof magic);
    h.hash = hash_of_head(&h);
    return h;
}

static bool begin(pliant_recorder *r, const pliant_state *first, const pliant_method_def *method, pliant_error *error)
{
    const pliant_model *model = pliant_state_model(first);
    pliant_method_def   own = pliant_model_settings(model).method;
    char                text[LONGEST_METHOD];
    size_t              length = pliant_method_write(method ? method : &own, text, sizeof text), model_size, state_size;
    const void         *model_bytes = pliant_model_data(model, &model_size), *state_bytes = pliant_state_data(first, &state_size);
    head                h = head_of(r);
    if (length >= sizeof text)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the method has more settings than a recording has room for");
    return pliant__file_append(&r->file, &h, sizeof h, error) && append(r, MODEL, model_bytes, model_size, error) &&
           append(r, METHOD, text, length + 1, error) && append(r, STATE, state_bytes, state_size, error);
}

pliant_recorder *pliant_recorder_open(const char *path, const pliant_state *first, const pliant_method_def *method, pliant_error *error)
{
    pliant_recorder *r = NULL;
    if (!path || !*path || !first || (method && method->size != sizeof *method))
        pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a recording needs a path and a state");
    else if (!(r = calloc(1, sizeof *r)))
        pliant__fail_memory(error, sizeof *r, "a recording");
    if (!r) return NULL;
    r->file.handle = -1;
    pliant__file_sweep(path);
    if (pliant__file_open(&r->file, path, error) && begin(r, first, method, error)) return r;
    pliant_recorder_close(r, NULL);
    return NULL;
}

static bool make_room(pliant_recorder *r, const pliant_inputs *inputs, pliant_error *error)
{
    if (r->size) return true;
    r->size = pliant_inputs_save(inputs, NULL, 0);
    if (!r->size) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "inputs that were never reset cannot be recorded");
    r->last = calloc(1, sizeof(uint64_t) + r->size);
    r->now = calloc(1, sizeof(uint64_t) + r->size);
    return (r->last && r->now) || pliant__fail_memory(error, 2 * r->size, "a recording");
}

static bool add_frame(pliant_recorder *r, const pliant_inputs *inputs, const pliant_state *after, pliant_error *error)
{
    const uint64_t hash = pliant_state_hash(after);
    if (!make_room(r, inputs, error)) return false;
    memcpy(r->now, &hash, sizeof hash);
    pliant_inputs_save(inputs, r->now + sizeof hash, r->size);
    const bool same = r->frames && memcmp(r->now + sizeof hash, r->last + sizeof hash, r->size) == 0;
    if (!append(r, FRAME, r->now, same ? sizeof hash : sizeof hash + r->size, error)) return false;
    unsigned char *swap = r->last;
    r->last = r->now;
    r->now = swap;
    r->frames++;
    const head h = head_of(r);
    return pliant__file_patch(&r->file, 0, &h, sizeof h, error) && pliant__file_commit(&r->file, error);
}

static bool record_frame(pliant_recorder *recorder, const pliant_inputs *inputs, const pliant_state *after, pliant_error *error)
{
    if (!recorder || recorder->failed || !inputs || !after)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a frame needs a recorder that has not failed, inputs, and a state");
    recorder->failed = !add_frame(recorder, inputs, after, error);
    return !recorder->failed;
}

pliant_code pliant_recorder_frame(pliant_recorder *recorder, const pliant_inputs *inputs, const pliant_state *after, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(record_frame(recorder, inputs, after, &why), &why, error);
}

static bool close_recorder(pliant_recorder *recorder, pliant_error *error)
{
    if (!recorder) return true;
    bool ok = pliant__file_close(&recorder->file, error);
    free(recorder->last);
    free(recorder->now);
    free(recorder);
    return ok;
}

pliant_code pliant_recorder_close(pliant_recorder *recorder, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(close_recorder(recorder, &why), &why, error);
}

/* ---- reading ---- */

struct pliant_recording {
    char              path[256];
    const void       *bytes;        /* the file, mapped */
    size_t            mapped, size; /* bytes behind `size` are a frame that was being written */
    pliant_model     *model;
    pliant_method_def method;
    const void       *state;
    size_t            state_size;
    uint32_t          frames, seen;
    const void      **frame; /* per frame: its hash */
    const void      **inputs;
    size_t            inputs_size;
};

static bool fail_at(const pliant_recording *r, uint64_t offset, const char *what, pliant_error *error)
{
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, r->path, 0, "byte %llu: %.160s", (unsigned long long)offset, what);
}

/* Fails with an error from inside a block, with the block's place. */
static bool fail_inside(const pliant_recording *r, uint64_t offset, const pliant_error *why, pliant_error *error)
{
    return pliant__fail_at(error, why->code == PLIANT_ERROR_MEMORY ? PLIANT_ERROR_MEMORY : PLIANT_ERROR_INPUT, r->path, 0,
                           "byte %llu: %.160s", (unsigned long long)offset, why->message);
}

static bool take_frame(pliant_recording *r, const block *b, const unsigned char *data, uint64_t at, pliant_error *error)
{
    const bool same = b->bytes == sizeof(uint64_t);
    if (r->seen == r->frames) return fail_at(r, at, "damaged: more frames than the header says", error);
    if (b->bytes < sizeof(uint64_t) || (same && !r->seen) || (!same && r->inputs_size && b->bytes != sizeof(uint64_t) + r->inputs_size))
        return fail_at(r, at, "damaged: a frame has another size", error);
    r->frame[r->seen] = data;
    r->inputs[r->seen] = same ? r->inputs[r->seen - 1] : data + sizeof(uint64_t);
    if (!same) r->inputs_size = (size_t)b->bytes - sizeof(uint64_t);
    r->seen++;
    return true;
}

static bool take_block(pliant_recording *r, const block *b, const unsigned char *data, uint64_t number, uint64_t at, pliant_error *error)
{
    pliant_error why = {0};
    if (b->kind != (number < FRAME ? number : FRAME)) return fail_at(r, at, "damaged: not the block that should be here", error);
    switch (b->kind) {
    case MODEL: r->model = pliant_model_map(data, (size_t)b->bytes, NULL, &why); return r->model || fail_inside(r, at, &why, error);
    case METHOD:
        r->method = pliant_method_def_default();
        if (b->bytes == 0 || data[b->bytes - 1] != 0) return fail_at(r, at, "damaged: the method is cut off", error);
        return pliant_method_read((const char *)data, &r->method, &why) == PLIANT_OK || fail_inside(r, at, &why, error);
    case STATE:
        r->state = data;
        r->state_size = (size_t)b->bytes;
        return true;
    default: return take_frame(r, b, data, at, error);
    }
}

static bool take_blocks(pliant_recording *r, pliant_error *error)
{
    const unsigned char *bytes = r->bytes;
    uint64_t             chain = 0, number = 1, at = sizeof(head);
    for (; at < r->size; number++) {
        block b;
        if (r->size - at < sizeof b) return fail_at(r, at, "damaged: it ends within a block", error);
        memcpy(&b, bytes + at, sizeof b);
        const uint64_t room = r->size - at - sizeof b;
        if (b.bytes > room || padded((size_t)b.bytes) > room) return fail_at(r, at, "damaged: a block lies outside", error);
        const unsigned char *data = bytes + at + sizeof b;
        const uint64_t       hash = b.hash;
        if (hash != hash_of_block(chain, &b, data, data + b.bytes, padded((size_t)b.bytes) - (size_t)b.bytes))
            return fail_at(r, at, "damaged: the checksum of a block does not fit", error);
        if (!take_block(r, &b, data, number, at, error)) return false;
        chain = hash;
        at += sizeof b + padded((size_t)b.bytes);
    }
    return (number > STATE && r->seen == r->frames) || fail_at(r, at, "damaged: fewer blocks than the header says", error);
}

/* Behind the last frame may be one that was being written: then it begins as frames do. */
static bool take_tail(const pliant_recording *r, pliant_error *error)
{
    const uint64_t kind = FRAME;
    const size_t   there = r->mapped - r->size;
    return memcmp((const unsigned char *)r->bytes + r->size, &kind, there < sizeof kind ? there : sizeof kind) == 0 ||
           fail_at(r, r->size, "damaged: this should be the end, or the next frame", error);
}

static bool take_head(pliant_recording *r, pliant_error *error)
{
    head h;
    r->size = r->mapped;
    if (r->size < sizeof h) return fail_at(r, r->size, "it ends here: not a recording, or cut off", error);
    memcpy(&h, r->bytes, sizeof h);
    if (memcmp(h.magic, magic, sizeof magic) != 0) return fail_at(r, 0, "not a recording", error);
    if (h.version != VERSION) return fail_at(r, 8, "a recording of another version of Pliant", error);
    if (h.hash != hash_of_head(&h)) return fail_at(r, 56, "damaged: the checksum of the first bytes does not fit", error);
    if (h.real_bytes != sizeof(pliant_real)) return fail_at(r, 12, "of another precision than this Pliant's", error);
    if (h.bytes > r->size) return fail_at(r, r->size, "it ends here, and has more frames by its header: cut off", error);
    if (h.bytes < sizeof h) return fail_at(r, 24, "damaged: it ends before it begins", error);
    if (h.frames > (h.bytes - sizeof h) / sizeof(block)) return fail_at(r, 16, "damaged: more frames than bytes", error);
    r->size = (size_t)h.bytes;
    r->frames = (uint32_t)h.frames;
    r->frame = pliant__alloc_array(NULL, r->frames, sizeof *r->frame);
    r->inputs = pliant__alloc_array(NULL, r->frames, sizeof *r->inputs);
    return (r->frame && r->inputs) || pliant__fail_memory(error, r->frames * 2 * sizeof *r->frame, "a recording");
}

pliant_recording *pliant_recording_open(const char *path, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    pliant_recording *r = path && *path ? calloc(1, sizeof *r) : NULL;
    if (!r) {
        path &&*path ? pliant__fail_memory(error, sizeof *r, "a recording") : pliant__fail(error, PLIANT_ERROR_ARGUMENT, "no path");
        return NULL;
    }
    size_t length = strlen(path);
    memcpy(r->path, path, length < sizeof r->path ? length : sizeof r->path - 1);
    if (pliant__file_map(path, &r->bytes, &r->mapped, error) && take_head(r, error) && take_blocks(r, error) && take_tail(r, error))
        return r;
    pliant_recording_close(r);
    return NULL;
}

const pliant_model *pliant_recording_model(const pliant_recording *recording) { return recording ? recording->model : NULL; }

pliant_method_def pliant_recording_method(const pliant_recording *recording)
{
    return recording ? recording->method : pliant_method_def_default();
}

uint32_t pliant_recording_frames(const pliant_recording *recording) { return recording ? recording->frames : 0; }

pliant_code pliant_recording_begin(const pliant_recording *recording, pliant_state *state, pliant_error *error)
{
    if (!recording) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "there is no recording"), PLIANT_ERROR_ARGUMENT;
    return pliant_state_load(state, recording->state, recording->state_size, error);
}

pliant_code pliant_recording_frame(const pliant_recording *recording, uint32_t frame, pliant_inputs *inputs, uint64_t *hash,
                                   pliant_error *error)
{
    if (!recording || frame >= recording->frames || !hash)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "there is no frame %u in the recording, or no place for its hash", frame),
               PLIANT_ERROR_ARGUMENT;
    memcpy(hash, recording->frame[frame], sizeof *hash);
    return pliant_inputs_load(inputs, recording->inputs[frame], recording->inputs_size, error);
}

void pliant_recording_close(pliant_recording *recording)
{
    if (!recording) return;
    pliant_model_destroy(recording->model);
    pliant__file_unmap(recording->bytes, recording->mapped);
    pliant__free(NULL, recording->frame);
    pliant__free(NULL, recording->inputs);
    free(recording);
}
