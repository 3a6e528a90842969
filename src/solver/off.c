/* Bodies that are switched off: pools, of which bodies are taken and to which they are given back.
 *
 * The state holds which are off. Their particles have an inverse mass of 0, as pinned ones have, so that whatever looks at them, a stage, a method or a
 * sweep, leaves them where they are; teleport.c puts that there, and back. What is here leaves out the work: rows that a body has which is off are
 * not active, and blocks of 16 of them are not walked, nor patches that have no others; chunks are passed over; pairs are not sought. Which blocks
 * and patches these are is found anew when bodies are switched, in the patches that have such bodies. Nothing is allocated. */
#include "solver/off.h"

#include "base/alloc.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "state/state.h"

#include <string.h>

bool pliant__make_off(pliant_solver *s)
{
    const pliant_model     *m = s->model;
    const pliant_allocator *a = &s->allocator;
    const size_t            words = pliant__active_words(m);
    s->off.bodies = pliant__alloc_array(a, model_count(m, bodies), sizeof *s->off.bodies);
    s->off.changed = pliant__alloc_array(a, model_count(m, bodies), sizeof *s->off.changed);
    s->off.on_rows = pliant__alloc_array(a, words, sizeof *s->off.on_rows);
    s->off.active_rows = pliant__alloc_array(a, words, sizeof *s->off.active_rows);
    s->off.patches = pliant__alloc_array(a, model_count(m, patches), sizeof *s->off.patches);
    s->off.between = pliant__alloc_array(a, model_count(m, patches), sizeof *s->off.between);
    s->off.blocks_on = pliant__alloc_array(a, model_count(m, batches), sizeof *s->off.blocks_on);
    if (!s->off.blocks_on || !s->off.bodies || !s->off.changed || !s->off.on_rows || !s->off.active_rows || !s->off.patches ||
        !s->off.between)
        return false;
    memset(s->off.on_rows, 0xff, words * sizeof *s->off.on_rows);
    return true;
}

void pliant__free_off(pliant_solver *s)
{
    void *all[] = {s->off.bodies, s->off.changed, s->off.on_rows, s->off.active_rows, s->off.patches, s->off.between, s->off.blocks_on};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(&s->allocator, all[i]);
}

/* ---- rows of bodies ---- */

/* The body that has a slot; PLIANT__NONE: that of a target is no body's. */
static uint32_t body_of(const pliant_model *m, uint32_t slot)
{
    uint32_t low = 0, high = (uint32_t)model_count(m, bodies);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (m->bodies[middle].first_slot + m->bodies[middle].slot_count <= slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low < model_count(m, bodies) && slot >= m->bodies[low].first_slot ? low : PLIANT__NONE;
}

/* Whether a body that is off has any of these slots; `between`: and one that is on has another. */
static bool any_off(const pliant_solver *s, const uint32_t *slot, uint32_t count, bool *between)
{
    bool off = false, on = false;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t body = body_of(s->model, slot[k]);
        if (body == PLIANT__NONE) continue;
        off = off || s->off.bodies[body];
        on = on || !s->off.bodies[body];
    }
    *between = *between || (off && on);
    return off;
}

/* Returns how many of the batch's blocks have a row that is on; notes where these begin and end. */
static uint32_t mark_batch(pliant_solver *s, const pliant__batch *b, bool *between)
{
    const pliant_model *m = s->model;
    const uint32_t      slots = pliant_constraint_describe((pliant_constraint_kind)b->kind)->slots;
    pliant__blocks_on  *on = &s->off.blocks_on[b - m->batches];
    uint32_t            live = 0;
    *on = (pliant__blocks_on){0, 0};
    for (uint32_t block = 0; block < pliant__blocks(b); block++) {
        const uint32_t rows = pliant__block_rows(m, b, block);
        uint32_t       off = 0;
        for (uint32_t left = rows; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            uint32_t       slot[PLIANT_MAX_SLOTS] = {0};
            pliant__row_slots(m, b, block * PLIANT__BLOCK + lane, slots, slot);
            off |= (uint32_t)any_off(s, slot, slots, between) << lane;
        }
        s->off.on_rows[b->first_row / PLIANT__BLOCK + block] = (uint16_t)~off;
        if (!(rows & ~off)) continue;
        if (!live++) on->first = block;
        on->end = block + 1;
    }
    return live;
}

static void mark_patch(pliant_solver *s, uint32_t number)
{
    const pliant__patch *p = &s->model->patches[number];
    uint32_t             live = 0, blocks = 0;
    bool                 between = false;
    for (uint32_t i = p->first_batch; i < p->first_batch + p->batch_count; i++) {
        live += mark_batch(s, &s->model->batches[i], &between);
        blocks += pliant__blocks(&s->model->batches[i]);
    }
    s->off.patches[number] = live == blocks ? PLIANT__NONE_OFF : live ? PLIANT__SOME_OFF : PLIANT__ALL_OFF;
    s->off.between[number] = between;
}

bool pliant__ties_off(const pliant_solver *s)
{
    bool ties = false;
    for (uint32_t i = 0; s->off.any && i < model_count(s->model, patches) && !ties; i++) ties = s->off.between[i];
    return ties;
}

/* Whether rows of a patch may be of a body that has changed; of a list, which runs between ranges, they may. */
static bool may_have_changed(const pliant_solver *s, const pliant__patch *p)
{
    bool may = p->first_listed != PLIANT__NONE;
    for (uint32_t i = p->first_chunk; i < p->first_chunk + p->chunk_count && !may; i++) may = s->off.changed[s->model->chunks[i].body];
    return may;
}

static void mark_users(pliant_solver *s)
{
    const pliant_model *m = s->model;
    for (uint32_t i = 0; i < model_count(m, users); i++) {
        const uint32_t row = m->header->packed_rows + i;
        bool           between = false;
        const uint16_t bit = (uint16_t)(1u << row % PLIANT__BLOCK);
        uint16_t      *word = &s->off.on_rows[row / PLIANT__BLOCK];
        *word = (uint16_t)(any_off(s, m->users[i].slots, m->users[i].particle_count, &between) ? *word & ~bit : *word | bit);
    }
}

/* ---- a step begins ---- */

void pliant__find_off(pliant_solver *s)
{
    const pliant_model *m = s->model;
    const size_t        bodies = model_count(m, bodies), words = pliant__active_words(m);
    s->active = s->state->active;
    if (memcmp(s->off.bodies, s->state->body_off, bodies) != 0) {
        s->off.any = false;
        for (size_t b = 0; b < bodies; b++) {
            s->off.changed[b] = s->off.bodies[b] != s->state->body_off[b];
            s->off.bodies[b] = s->state->body_off[b];
            s->off.any = s->off.any || s->off.bodies[b];
        }
        for (uint32_t i = 0; i < model_count(m, patches); i++)
            if (may_have_changed(s, &m->patches[i])) mark_patch(s, i);
        mark_users(s);
        for (size_t c = 0; c < model_count(m, chunks); c++)
            if (s->off.bodies[m->chunks[c].body]) memset(s->chunks[c].sums, 0, sizeof s->chunks[c].sums);
        s->off.switched = true;
    }
    if (!s->off.any) return;
    for (size_t i = 0; i < words; i++) s->off.active_rows[i] = s->state->active[i] & s->off.on_rows[i];
    s->active = s->off.active_rows;
}

/* ---- walking ---- */

/* Blocks [first, end) of a batch as a batch. */
static pliant__batch part_of(const pliant__batch *b, uint32_t first, uint32_t end)
{
    const uint32_t rows = pliant_constraint_describe((pliant_constraint_kind)b->kind)->rows, left = b->count - first * PLIANT__BLOCK,
                   count = (end - first) * PLIANT__BLOCK;
    const bool    gaps = pliant__has_gaps(b);
    pliant__batch part = *b;
    part.count = left < count ? left : count;
    part.first_row += first * PLIANT__BLOCK;
    part.index += first * (gaps ? b->index_slots : PLIANT__BLOCK * b->index_slots);
    part.parameter += first * b->parameter_step;
    if (b->flow) part.flow += first * b->parameter_step;
    part.lambda += first * PLIANT__BLOCK * rows;
    if (b->law == PLIANT__NONE || gaps) part.own_laws += gaps ? first : first * PLIANT__BLOCK;
    return part;
}

static bool is_live(const pliant_solver *s, const pliant__batch *b, uint32_t members, uint32_t block)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < members; i++)
        rows |= pliant__block_rows(s->model, b + i, block) & s->off.on_rows[b[i].first_row / PLIANT__BLOCK + block];
    return rows != 0;
}

void pliant__for_live_blocks(const pliant_solver *s, const pliant__sweep *sweep, const pliant__batch *b, uint32_t members,
                             void (*walk)(const pliant_solver *s, const pliant__sweep *sweep, const pliant__batch *b, uint32_t members))
{
    pliant__blocks_on on = s->off.blocks_on[b - s->model->batches];
    for (uint32_t i = 1; i < members; i++) {
        const pliant__blocks_on its = s->off.blocks_on[(size_t)(b - s->model->batches) + i];
        if (its.end && (!on.end || its.first < on.first)) on.first = its.first;
        if (its.end > on.end) on.end = its.end;
    }
    for (uint32_t first = on.first, end; first < on.end; first = end) {
        pliant__batch part[PLIANT__MOST_MEMBERS];
        end = first + 1;
        if (!is_live(s, b, members, first)) continue;
        while (end < on.end && is_live(s, b, members, end)) end++;
        for (uint32_t i = 0; i < members; i++) part[i] = part_of(b + i, first, end);
        walk(s, sweep, part, members);
    }
}
