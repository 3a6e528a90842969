/* The promises of the passes to the step, checked whole where asserts are on. The step relies on them without a check: kernels of several
 * threads write to slots of one wave at once, and to 16 lanes whether there are as many rows or not. */
#include "compile/compile.h"

#include <assert.h>

#ifdef NDEBUG

void pliant__check_promises(const pliant__compiler *c) { (void)c; }

#else

static bool is_anchor(const pliant__compiler *c, uint32_t slot) { return c->pin.data[slot] == PLIANT__ANCHOR; }

/* A body's slots lie side by side, bodies in order, and its chunks tile them. */
static void check_bodies(const pliant__compiler *c)
{
    uint32_t next = 0, chunk = 0;
    for (uint32_t i = 0; i < c->bodies.count; i++) {
        const pliant__model_body *b = &c->bodies.data[i];
        assert(b->first_slot == next || !b->slot_count);
        for (uint32_t left = b->slot_count; left; chunk++) {
            const pliant__chunk *k = &c->chunks.data[chunk];
            assert(chunk < c->chunks.count && k->body == i && k->count && k->count <= left);
            assert(k->first == next + (b->slot_count - left));
            left -= k->count;
        }
        for (uint32_t v = 0; v < b->vertex_count; v++) {
            const uint32_t slot = c->vertex_slot.data[b->first_vertex + v];
            assert(slot - next < b->slot_count);
            assert(c->slot_vertex.data[slot] <= v);
        }
        next += b->slot_count;
    }
    assert(next == c->header.particle_count && chunk == c->chunks.count);
}

/* Slots behind the particles never move by themselves; a slot that may move has an inverse mass above 0. */
static void check_slots(const pliant__compiler *c)
{
    const pliant__model_header *h = &c->header;
    assert(h->inert == h->particle_count + h->target_slot_count && h->inert < h->slot_count && h->slot_count % 16 == 0);
    assert(c->x.count == pliant__slot_numbers(h->slot_count) && (!c->v.count || c->v.count == c->x.count) && c->pin.count == h->slot_count);
    for (uint32_t slot = 0; slot < h->slot_count; slot++) {
        const pliant_real w = PLIANT__SLOT(c->x.data, slot)[3];
        assert(w == (c->pin.data[slot] == PLIANT__FREE ? c->free_w.data[slot] : 0));
        assert((c->free_w.data[slot] > 0) == !is_anchor(c, slot));
        assert(slot < h->particle_count || is_anchor(c, slot));
    }
}

static bool has_row(const pliant__compiler *c, const pliant__batch *b, uint32_t r)
{
    return r < b->count && (!pliant__has_gaps(b) || (c->block_rows.data[b->own_laws + r / PLIANT__BLOCK] >> r % PLIANT__BLOCK & 1));
}

/* Checks a row, or padding of a batch that is not regular. */
static uint32_t slot_at(const pliant__compiler *c, const pliant__batch *b, uint32_t r, uint32_t s)
{
    const pliant__patch *p = &c->patches.data[b->patch];
    if (b->shape == PLIANT__REGULAR) {
        const uint16_t *half = &c->row_index.data[b->index + r / PLIANT__BLOCK * b->index_slots + 2 * s];
        const uint32_t  slot = pliant__lanes_slot(p, half) + r % PLIANT__BLOCK;
        assert(p->groups && slot - p->first_slot < p->slot_count);
        return slot;
    }
    if (b->shape == PLIANT__HELD) {
        const uint16_t *block = &c->row_index.data[b->index + r / PLIANT__BLOCK * b->index_slots];
        const uint32_t  slot = s ? c->anchors.data[block[2 + r % PLIANT__BLOCK]] : pliant__held_slot(p, block) + r % PLIANT__BLOCK;
        assert(s || slot - p->first_slot < p->slot_count);
        return slot;
    }
    const size_t   at = b->index + ((size_t)(r / PLIANT__BLOCK) * b->index_slots + b->place[s]) * PLIANT__BLOCK + r % PLIANT__BLOCK;
    const uint32_t local = c->row_index.data[at] / PLIANT__NUMBER;
    assert(local < p->slot_count);
    return p->first_listed == PLIANT__NONE ? p->first_slot + local : c->patch_slots.data[p->first_listed + local];
}

/* Padding belongs to no constraint and repeats the first row; a row refers to slots of the model, and its anchors are those of its batch (but for
 * regular rows). */
static void check_batch(const pliant__compiler *c, const pliant__batch *b)
{
    const uint32_t slots = pliant_constraint_describe((pliant_constraint_kind)b->kind)->slots;
    assert(b->count && b->first_row % PLIANT__BLOCK == 0);
    assert(!b->flow || (b->parameter_step && b->flow - 1 + (size_t)(pliant__blocks(b) - 1) * b->parameter_step +
                                                     (size_t)pliant__kind_parameters(b->kind) * PLIANT__BLOCK <=
                                                 c->header.flow_count));
    assert(!b->shape || pliant__shapes[b->shape].volumes || b->count % PLIANT__BLOCK == 0); /* kernels of other clusters store every lane */
    for (uint32_t r = 0; r < pliant__blocks(b) * PLIANT__BLOCK; r++) {
        assert((c->row_id.data[b->first_row + r] != 0) == has_row(c, b, r));
        for (uint32_t s = 0; s < slots; s++) {
            if (pliant__has_gaps(b) && !has_row(c, b, r)) continue;
            const uint32_t slot = slot_at(c, b, r, s);
            assert(r < b->count ? slot < c->header.inert : slot == slot_at(c, b, 0, s));
            assert(b->shape == PLIANT__REGULAR || is_anchor(c, slot) == (b->anchors >> s & 1));
        }
    }
}

/* Rows of one wave share no particle that moves, so that they may be solved at once. `wave_of`: the wave + 1 that last had a slot. */
static void check_wave(const pliant__compiler *c, const pliant__batch *b, uint32_t *wave_of)
{
    const uint32_t slots = pliant_constraint_describe((pliant_constraint_kind)b->kind)->slots;
    for (uint32_t r = 0; r < b->count && !b->serial; r++)
        for (uint32_t s = 0; s < slots && has_row(c, b, r); s++) {
            const uint32_t slot = slot_at(c, b, r, s);
            if (is_anchor(c, slot)) continue;
            assert(wave_of[slot] != b->wave + 1);
            wave_of[slot] = b->wave + 1;
        }
}

/* Ranges are the first round and tile the particles; rounds tile the patches, patches the batches; patches of one round share no particle
 * that moves. `patch_of`: the patch + 1 that last had a slot, of the round that is looked at. */
static void check_patches(const pliant__compiler *c, uint32_t *patch_of)
{
    uint32_t patch = 0, batch = 0, slot = 0, chunk = 0;
    for (size_t r = 0; r < c->rounds.count; r++) {
        assert(c->rounds.data[r].first_patch == patch);
        for (uint32_t end = patch + c->rounds.data[r].patch_count; patch < end; patch++) {
            const pliant__patch *p = &c->patches.data[patch];
            assert((p->first_listed == PLIANT__NONE) == (r == 0) && p->first_batch == batch &&
                   (uint64_t)p->slot_count * PLIANT__NUMBER <= UINT16_MAX + 1u); /* the last number fits 16 bits */
            assert(!p->groups || p->lanes > 3); /* a vector of 4 that begins in one group of a tile ends in the next */
            batch += p->batch_count;
            if (r == 0) {
                assert(p->first_slot == slot && p->first_chunk == chunk);
                slot += p->slot_count;
                chunk += p->chunk_count;
            }
            for (uint32_t i = 0; r > 0 && patch_of && i < p->slot_count; i++) {
                const uint32_t listed = c->patch_slots.data[p->first_listed + i];
                assert(!i || listed > c->patch_slots.data[p->first_listed + i - 1]);
                assert(is_anchor(c, listed) || patch_of[listed] < c->rounds.data[r].first_patch + 1);
                patch_of[listed] = patch + 1;
            }
        }
    }
    assert(patch == c->patches.count && batch == c->batches.count && slot == c->header.particle_count && chunk == c->chunks.count);
}

/* Block runs of a tile have all blocks of its batches, in the order of batches where two share a group. */
static void check_block_runs(const pliant__compiler *c, const pliant__patch *p, uint32_t *last)
{
    uint32_t left = 0;
    for (uint32_t i = p->first_batch; i < p->first_batch + p->batch_count && p->block_run_count; i++)
        left += pliant__blocks(&c->batches.data[i]);
    for (uint32_t i = p->first_block_run; i < p->first_block_run + p->block_run_count; i++) {
        const pliant__block_run *block_run = &c->block_runs.data[i];
        const pliant__batch     *b = &c->batches.data[block_run->batch];
        assert(block_run->batch - p->first_batch < p->batch_count && block_run->count && block_run->count <= left);
        assert(block_run->first + block_run->count <= pliant__blocks(b));
        left -= block_run->count;
        const uint32_t step = b->shape == PLIANT__HELD ? PLIANT__HELD_NUMBERS : 2;
        for (uint32_t at = block_run->first * b->index_slots; at < (block_run->first + block_run->count) * b->index_slots; at += step) {
            const uint16_t *half = &c->row_index.data[b->index + at];
            const uint32_t  group = (half[0] | (uint32_t)half[1] << 16) / (4 * PLIANT__BLOCK), slot = pliant__group_slot(p, group);
            assert(last[slot] <= block_run->batch);
            last[slot] = block_run->batch;
        }
    }
    assert(!left);
}

/* Contact pairs ascend, so that they can be looked up, and are of bodies and colliders that there are. */
static void check_contact_pairs(const pliant__compiler *c)
{
    for (size_t i = 0; i < c->contact_pairs.count; i++) {
        const pliant__model_contact_pair *p = &c->contact_pairs.data[i], *before = i ? p - 1 : NULL;
        assert(p->body <= p->other && p->body < c->bodies.count && p->other < c->bodies.count + c->colliders.count);
        assert(!before || before->body < p->body || (before->body == p->body && before->other < p->other));
    }
}

void pliant__check_promises(const pliant__compiler *c)
{
    uint32_t *wave_of = pliant__alloc_array(c->allocator, c->header.slot_count, sizeof *wave_of);
    check_bodies(c);
    check_slots(c);
    check_contact_pairs(c);
    for (size_t i = 0; i < c->batches.count; i++) {
        check_batch(c, &c->batches.data[i]);
        if (wave_of) check_wave(c, &c->batches.data[i], wave_of); /* without memory this check is left out */
    }
    if (wave_of) memset(wave_of, 0, c->header.slot_count * sizeof *wave_of);
    check_patches(c, wave_of);
    if (wave_of) memset(wave_of, 0, c->header.slot_count * sizeof *wave_of);
    for (size_t i = 0; i < c->patches.count && wave_of; i++) check_block_runs(c, &c->patches.data[i], wave_of);
    pliant__free(c->allocator, wave_of);
}

#endif
