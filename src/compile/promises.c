/* What the passes promise to the step, looked at whole where asserts are on. The step trusts all of it without looking: kernels of several
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

/* What lies behind the particles never moves by itself; a slot that may move has an inverse mass to move by. */
static void check_slots(const pliant__compiler *c)
{
    const pliant__model_header *h = &c->header;
    assert(h->inert == h->particle_count + h->target_slot_count && h->inert < h->slot_count && h->slot_count % 16 == 0);
    assert(c->x.count == 4 * (size_t)h->slot_count && c->v.count == c->x.count && c->pin.count == h->slot_count);
    for (uint32_t slot = 0; slot < h->slot_count; slot++) {
        const pliant_real w = c->x.data[4 * (size_t)slot + 3];
        assert(w == (c->pin.data[slot] == PLIANT__FREE ? c->free_w.data[slot] : 0));
        assert((c->free_w.data[slot] > 0) == !is_anchor(c, slot));
        assert(slot < h->particle_count || is_anchor(c, slot));
    }
}

/* Padding refers to the inert slot and to no constraint; a row refers to slots that there are, and knows its anchors. */
static void check_batch(const pliant__compiler *c, const pliant__batch *b)
{
    const uint32_t slots = pliant_constraint_describe((pliant_constraint_kind)b->kind)->slots;
    assert(b->count && b->first_row % PLIANT__BLOCK == 0);
    for (uint32_t r = 0; r < (b->count + PLIANT__BLOCK - 1) / PLIANT__BLOCK * PLIANT__BLOCK; r++) {
        const uint32_t *index = c->row_index.data + b->index + (size_t)(r / PLIANT__BLOCK) * PLIANT__BLOCK * slots + r % PLIANT__BLOCK;
        assert((c->row_constraint.data[b->first_row + r] != 0) == (r < b->count));
        for (uint32_t s = 0; s < slots; s++) {
            const uint32_t slot = index[s * PLIANT__BLOCK];
            assert(r < b->count ? slot < c->header.inert : slot == c->header.inert);
            assert(r >= b->count || is_anchor(c, slot) == (b->anchors >> s & 1));
        }
    }
}

/* Rows of one wave share no particle that moves, so that they may be solved at once. `wave_of`: the wave + 1 that last had a slot. */
static void check_wave(const pliant__compiler *c, const pliant__batch *b, uint32_t *wave_of)
{
    const uint32_t slots = pliant_constraint_describe((pliant_constraint_kind)b->kind)->slots;
    for (uint32_t r = 0; r < b->count && !b->serial; r++)
        for (uint32_t s = 0; s < slots; s++) {
            const size_t   at = b->index + ((size_t)(r / PLIANT__BLOCK) * slots + s) * PLIANT__BLOCK + r % PLIANT__BLOCK;
            const uint32_t slot = c->row_index.data[at];
            if (is_anchor(c, slot)) continue;
            assert(wave_of[slot] != b->wave + 1);
            wave_of[slot] = b->wave + 1;
        }
}

/* Segments cover the blocks of their wave's batches, each once. */
static void check_segments(const pliant__compiler *c)
{
    uint32_t next = 0;
    for (size_t w = 0; w < c->waves.count; w++) {
        assert(c->waves.data[w].first_segment == next);
        next += c->waves.data[w].segment_count;
    }
    assert(next == c->segments.count);
    for (size_t i = 0; i < c->segments.count; i++) {
        const pliant__segment *g = &c->segments.data[i], *before = i ? g - 1 : NULL;
        const uint32_t         blocks = (c->batches.data[g->batch].count + PLIANT__BLOCK - 1) / PLIANT__BLOCK;
        const bool             goes_on = before && before->batch == g->batch;
        assert(g->block_count && g->first_block + g->block_count <= blocks);
        assert(g->first_block == (goes_on ? before->first_block + before->block_count : 0));
    }
}

void pliant__check_promises(const pliant__compiler *c)
{
    uint32_t *wave_of = pliant__alloc_array(c->allocator, c->header.slot_count, sizeof *wave_of);
    check_bodies(c);
    check_slots(c);
    for (size_t i = 0; i < c->batches.count; i++) {
        check_batch(c, &c->batches.data[i]);
        if (wave_of) check_wave(c, &c->batches.data[i], wave_of); /* without memory it goes unlooked at */
    }
    check_segments(c);
    pliant__free(c->allocator, wave_of);
}

#endif
