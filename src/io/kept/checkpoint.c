/* Checkpoints: a header, a table of blocks, and the blocks, each with a checksum of its own. Little-endian, as states and models are.
 *
 *   0    header: "PLIANTK", version, bytes of a number, bytes of the file, the model's hash, blocks, hash of header and table
 *   64   table: per block its name, offset, bytes, hash
 *        blocks: the run, its books of energy, the state; each at a multiple of 64, zeros between them, which count as part of the block before
 *
 * So every byte is under a hash, and damage is found where it is. */
#include "base/float_env.h"
#include "base/hash.h"
#include "io/files/file.h"
#include "pliant/io.h"

#include <stdio.h>
#include <string.h>

#define VERSION 4u
#define ALIGNMENT 64u

enum { RUN, ENERGY, STATE, BLOCKS };

typedef struct block {
    char     name[8];
    uint64_t offset, bytes; /* without zeros behind it */
    uint64_t hash;          /* with them */
} block;

typedef struct head {
    char     magic[8];
    uint32_t version, real_bytes;
    uint64_t bytes, model;
    uint64_t blocks;
    uint64_t unused[2];
    uint64_t hash;              /* of all before it, and of the table */
    block    table[BLOCKS + 1]; /* one is empty */
} head;

/* The run: a pliant_checkpoint as it lies in the file. */
typedef struct run {
    uint32_t frame, written, substeps, iterations;
    double   fps;
    char     method[992]; /* as pliant_method_write says it, and zeros */
    uint32_t subframes;   /* 0: 1 */
    uint32_t unused;
} run;

static const char magic[8] = "PLIANTK", names[BLOCKS][8] = {"run", "energy", "state"};

_Static_assert(offsetof(head, table) == 64 && sizeof(head) % ALIGNMENT == 0 && sizeof(run) % ALIGNMENT == 0 &&
                   sizeof(pliant_energy_books) == ALIGNMENT,
               "no zeros to write between");

pliant_checkpoint pliant_checkpoint_default(void)
{
    pliant_checkpoint c;
    memset(&c, 0, sizeof c);
    c.size = sizeof c;
    c.fps = 60;
    c.subframes = 1;
    c.method = pliant_method_def_default();
    return c;
}

static uint64_t hash_of_head(const head *h) { return pliant__hash(h->table, sizeof h->table, pliant__hash(h, offsetof(head, hash), 0)); }

/* Of a block and the zeros behind it. */
static uint64_t hash_of_block(int number, const void *data, size_t bytes, const void *behind, size_t gap)
{
    return pliant__hash(behind, gap, pliant__hash(data, bytes, (uint64_t)number));
}

static bool write_checkpoint(const char *path, const pliant_state *state, const pliant_checkpoint *checkpoint, pliant_error *error)
{
    if (!path || !*path || !state || !checkpoint || checkpoint->size != sizeof *checkpoint)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a checkpoint needs a path, a state, and a def from pliant_checkpoint_default");
    static const unsigned char zeros[ALIGNMENT];
    size_t                     bytes;
    const void                *data = pliant_state_data(state, &bytes);
    const pliant_energy_books *books = &checkpoint->energy;
    const size_t               gap = (ALIGNMENT - bytes % ALIGNMENT) % ALIGNMENT;
    run                        r = {.frame = checkpoint->frame, .written = checkpoint->written, .fps = checkpoint->fps};
    r.substeps = checkpoint->substeps;
    r.iterations = checkpoint->iterations;
    r.subframes = checkpoint->subframes;
    head h = {.version = VERSION, .real_bytes = sizeof(pliant_real), .blocks = BLOCKS};
    if (pliant_method_write(&checkpoint->method, r.method, sizeof r.method) >= sizeof r.method)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the method has more settings than a checkpoint has room for");
    memcpy(h.magic, magic, sizeof magic);
    h.model = pliant_model_hash(pliant_state_model(state));
    h.table[RUN] = (block){.offset = sizeof h, .bytes = sizeof r, .hash = hash_of_block(RUN, &r, sizeof r, zeros, 0)};
    h.table[ENERGY] =
        (block){.offset = sizeof h + sizeof r, .bytes = sizeof *books, .hash = hash_of_block(ENERGY, books, sizeof *books, zeros, 0)};
    h.table[STATE] =
        (block){.offset = sizeof h + sizeof r + sizeof *books, .bytes = bytes, .hash = hash_of_block(STATE, data, bytes, zeros, gap)};
    for (int i = 0; i < BLOCKS; i++) memcpy(h.table[i].name, names[i], sizeof names[i]);
    h.bytes = h.table[STATE].offset + bytes + gap;
    h.hash = hash_of_head(&h);
    const pliant__piece pieces[] = {{&h, sizeof h}, {&r, sizeof r}, {books, sizeof *books}, {data, bytes}, {zeros, gap}};
    return pliant__file_write(path, pieces, 5, error);
}

pliant_code pliant_checkpoint_write(const char *path, const pliant_state *state, const pliant_checkpoint *checkpoint, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(write_checkpoint(path, state, checkpoint, &why), &why, error);
}

/* ---- reading ---- */

static bool fail_at(pliant_error *error, const char *path, uint64_t offset, const char *what)
{
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "byte %llu: %s", (unsigned long long)offset, what);
}

static bool check_head(const char *path, const head *h, size_t size, uint64_t model, pliant_error *error)
{
    if (memcmp(h->magic, magic, sizeof magic) != 0) return fail_at(error, path, 0, "not a checkpoint");
    if (h->version != VERSION)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "byte 8: a checkpoint of version %u; this Pliant reads version %u",
                               h->version, VERSION);
    if (h->hash != hash_of_head(h)) return fail_at(error, path, 56, "damaged: the checksum of the first bytes does not fit");
    if (h->real_bytes != sizeof(pliant_real))
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "byte 12: of %u-byte numbers; this Pliant has %zu-byte ones",
                               h->real_bytes, sizeof(pliant_real));
    if (h->bytes != size)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "byte %zu: it ends here, and should at byte %llu", size,
                               (unsigned long long)h->bytes);
    if (h->model != model) return fail_at(error, path, 24, "of another model: the scene, or a mesh of it, has changed since");
    return true;
}

/* Blocks fill the file, one behind another. */
static bool check_blocks(const char *path, const unsigned char *bytes, const head *h, pliant_error *error)
{
    for (int i = 0; i < BLOCKS; i++) {
        const block   *b = &h->table[i];
        const uint64_t end = i + 1 < BLOCKS ? h->table[i + 1].offset : h->bytes;
        if (h->blocks != BLOCKS || b->offset > end || end > h->bytes || b->bytes > end - b->offset ||
            end - b->offset - b->bytes >= ALIGNMENT)
            return fail_at(error, path, offsetof(head, table) + (uint64_t)i * sizeof *b, "damaged: a block lies outside");
        const unsigned char *data = bytes + b->offset;
        if (b->hash != hash_of_block(i, data, (size_t)b->bytes, data + b->bytes, (size_t)(end - b->offset - b->bytes)))
            return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0,
                                   "byte %llu: damaged: the checksum of the block \"%.7s\" does not fit", (unsigned long long)b->offset,
                                   b->name);
    }
    return true;
}

static bool read_run(const char *path, const unsigned char *bytes, const head *h, pliant_checkpoint *c, pliant_error *error)
{
    run          r;
    pliant_error why = {0};
    if (h->table[RUN].bytes != sizeof r || h->table[ENERGY].bytes != sizeof c->energy)
        return fail_at(error, path, h->table[RUN].offset, "damaged: a block has another size");
    memcpy(&r, bytes + h->table[RUN].offset, sizeof r);
    *c = pliant_checkpoint_default();
    memcpy(&c->energy, bytes + h->table[ENERGY].offset, sizeof c->energy);
    c->frame = r.frame;
    c->written = r.written;
    c->fps = r.fps;
    c->substeps = r.substeps;
    c->iterations = r.iterations;
    c->subframes = r.subframes ? r.subframes : 1;
    if (r.method[sizeof r.method - 1] == 0 && pliant_method_read(r.method, &c->method, &why) == PLIANT_OK) return true;
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "byte %llu: of a method that this Pliant does not have: %.120s",
                           (unsigned long long)h->table[RUN].offset, why.message);
}

static bool read_bytes(const char *path, const unsigned char *bytes, size_t size, pliant_state *state, pliant_checkpoint *c,
                       pliant_error *error)
{
    head         h;
    pliant_error why = {0};
    if (size < sizeof h) return fail_at(error, path, size, "it ends here: not a checkpoint, or cut off");
    memcpy(&h, bytes, sizeof h);
    if (!check_head(path, &h, size, pliant_model_hash(pliant_state_model(state)), error) || !check_blocks(path, bytes, &h, error) ||
        !read_run(path, bytes, &h, c, error))
        return false;
    const block *b = &h.table[STATE];
    if (pliant_state_load(state, bytes + b->offset, (size_t)b->bytes, &why) == PLIANT_OK) return true;
    return pliant__fail_at(error, why.code, path, 0, "byte %llu: %.150s", (unsigned long long)b->offset, why.message);
}

static bool read_checkpoint(const char *path, pliant_state *state, pliant_checkpoint *checkpoint, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    const void       *bytes;
    size_t            size;
    pliant_checkpoint read;
    if (!path || !*path || !state || !checkpoint)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a checkpoint is read from a path, into a state");
    if (!pliant__file_map(path, &bytes, &size, error)) return false;
    bool ok = read_bytes(path, bytes, size, state, &read, error);
    if (ok) *checkpoint = read;
    pliant__file_unmap(bytes, size);
    return ok;
}

pliant_code pliant_checkpoint_read(const char *path, pliant_state *state, pliant_checkpoint *checkpoint, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(read_checkpoint(path, state, checkpoint, &why), &why, error);
}
