/* Lists of pairs of loose particles (near_lists.h), from their cells (pair_cells.c), and of pairs with particles that are in none, which trees find. */
#include "contact/pairs.h"
#include "solver/pair_kernels.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/state.h"

#include <string.h>

#define SURELY K(1.001) /* more than rounding may take */

/* ---- lists ---- */

/* Whether two may be a pair at all. */
static bool may_meet(const pliant_solver *s, uint32_t slot, uint32_t other)
{
    const pliant__loose *c = &s->pairs->loose;
    return pliant__may_meet(s->model, s->pairs, c->body[slot], c->body[other]) &&
           (s->model->free_w[slot] > 0 || s->model->free_w[other] > 0);
}

static uint32_t keep_those_that_meet(const void *solver, uint32_t slot, uint32_t *entries, uint32_t count)
{
    const pliant_solver *s = solver;
    const uint32_t       bits = s->pairs->loose.cells.packed.bits;
    uint32_t             kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        entries[kept] = entries[i];
        kept += may_meet(s, slot, entries[i] >> bits);
    }
    return kept;
}

static void begin_lists(pliant_solver *s)
{
    pliant__loose *c = &s->pairs->loose;
    pliant__begin_near_lists(&c->lists, &c->cells);
    c->lists.keep = c->picky || s->pairs->off ? keep_those_that_meet : NULL;
    c->lists.context = s;
}

static bool give_room(pliant_solver *s, bool *ok)
{
    return pliant__give_near_lists_room(&s->pairs->loose.lists, &s->allocator, pliant__most_pairs(s->pairs), ok);
}

static void list_stretch(void *solver, uint32_t index)
{
    pliant_solver *s = solver;
    pliant__fill_near_lists(&s->pairs->loose.lists, &s->pairs->loose.cells, &s->backend.kernels->cells, index);
}

bool pliant__find_in_cells(pliant_solver *s)
{
    pliant__loose *c = &s->pairs->loose;
    bool           ok = true;
    c->lists.near.count = c->apart.count = 0;
    if (!c->count) return true;
    begin_lists(s);
    while (give_room(s, &ok)) pliant__run(s, list_stretch, c->lists.stretches - 1);
    return ok;
}

/* Marks pairs of one body that were nearer than they are thick; distances are rounded down. */
static void mark_crowded(pliant__loose *c)
{
    const uint32_t apart = (UINT32_C(1) << c->cells.packed.bits) - 1;
    for (uint32_t i = 0; i < c->cells.inside; i++)
        for (uint32_t k = 0; k < c->lists.length[i]; k++) {
            const uint32_t entry = c->lists.near.data[c->lists.begin[i] + k], a = c->cells.packed.tag[i] >> c->cells.packed.bits,
                           b = entry >> c->cells.packed.bits;
            const pliant_real sum = SURELY * (c->thick[a] + c->thick[b]);
            if ((pliant_real)(entry & apart) <= sum * sum * c->cells.packed.scale + c->cells.packed.slack)
                c->crowded[a] = c->crowded[b] = 1;
        }
}

void pliant__find_crowded(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    pliant__loose *c = &p->loose;
    bool           ok = true;
    if (!c->count) return;
    for (uint32_t i = 0; i < c->count; i++) {
        pliant__set_slot_x(p->ref, c->slot[i], pliant__slot_x(s->model->x, c->slot[i]));
        p->strayed.stepped[c->slot[i]] = 0;
    }
    pliant__fill_loose(s);
    begin_lists(s);
    while (give_room(s, &ok))
        for (uint32_t i = 0; i + 1 < c->lists.stretches; i++) list_stretch(s, i);
    for (uint32_t i = 0; i < c->count; i++) c->crowded[c->slot[i]] = !ok || c->cells.outside[c->slot[i]];
    if (ok) mark_crowded(c);
    c->lists.near.count = c->lists.stretches = 0;
}

/* ---- those that are in no cell ---- */

/* As an entry. */
static uint32_t entry_of(const pliant__loose *c, uint32_t slot, pliant_real apart)
{
    const pliant_real most = (pliant_real)((UINT32_C(1) << c->cells.packed.bits) - 1), wide = apart * apart * c->cells.packed.scale;
    return slot << c->cells.packed.bits | (uint32_t)(wide < most ? wide : most);
}

/* Puts more into the list of one, which so moves to the end. */
static bool add_to_list(pliant_solver *s, const pliant__key *more, uint32_t count)
{
    pliant__loose *c = &s->pairs->loose;
    const uint32_t place = c->place[more->key >> 32], length = c->lists.length[place];
    if (c->lists.near.count + length + count >= UINT32_MAX || !array_reserve(&s->allocator, &c->lists.near, length + count + PLIANT__BLOCK))
        return false;
    const uint32_t *was = c->lists.near.data + c->lists.begin[place];
    uint32_t       *to = c->lists.near.data + c->lists.near.count, old = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t entry = (uint32_t)(more[i].key & UINT32_MAX);
        while (old < length && was[old] < entry) *to++ = was[old++];
        *to++ = entry;
    }
    while (old < length) *to++ = was[old++];
    c->lists.begin[place] = (uint32_t)c->lists.near.count;
    c->lists.length[place] += count;
    c->lists.near.count += length + count;
    for (uint32_t i = 0; i < c->lists.stretches; i++)
        if (c->lists.stretch[i].first <= place && place < c->lists.stretch[i].end) c->lists.stretch[i].total += count;
    return true;
}

/* Takes pairs of loose particles out of what trees have found of corners. */
static bool list_apart(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    pliant__loose *c = &p->loose;
    size_t         kept = 0;
    for (size_t i = 0; i < p->found.count; i++) {
        const pliant__found *f = &p->found.data[i];
        const uint32_t       slot = p->features[PLIANT__CORNERS].slot[3 * (size_t)f->feature[0]],
                       other = s->model->elements[3 * (size_t)f->feature[1]];
        if (c->of_slot[slot] == PLIANT__NOT_LOOSE || c->of_slot[other] == PLIANT__NOT_LOOSE) {
            p->found.data[kept++] = *f;
            continue;
        }
        const pliant__key key = {(uint64_t)slot << 32 | entry_of(c, other, f->apart), 0};
        if (!array_push(&s->allocator, &c->apart, key)) return false;
    }
    p->found.count = kept;
    return true;
}

bool pliant__take_apart(pliant_solver *s)
{
    pliant__loose *c = &s->pairs->loose;
    if (!c->count) return true;
    if (!list_apart(s)) return false;
    const size_t count = c->apart.count;
    if (!count) return true;
    if (!array_reserve(&s->allocator, &c->apart, count)) return false;
    const pliant__key *sorted = pliant__sort_keys(c->apart.data, c->apart.data + count, count);
    for (uint32_t i = 0; i < c->count; i++) c->place[c->cells.packed.tag[i] >> c->cells.packed.bits] = i;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && sorted[end].key >> 32 == sorted[i].key >> 32; end++) continue;
        if (!add_to_list(s, sorted + i, (uint32_t)(end - i))) return false;
    }
    c->apart.count = 0;
    return pliant__count_near_lists(&c->lists) <= pliant__most_pairs(s->pairs);
}
