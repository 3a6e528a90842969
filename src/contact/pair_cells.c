/* Loose particles as cells take them (cells.h): which they are, and how far each reaches; lists of those near each other are made from these:
 * pair_lists.c. Those that are in no cell are left to trees. */
#include "contact/pairs.h"
#include "solver/pair_kernels.h"
#include "solver/solver.h"

#include <float.h>
#include <string.h>

/* ---- making ---- */

static bool is_loose(const pliant_model *m, uint32_t element)
{
    return m->bodies[m->element_body[element]].type == PLIANT_BODY_PARTICLES && (m->element_owns[element] & 7);
}

static void list_one(pliant_solver *s, uint32_t loose, uint32_t slot, uint32_t element)
{
    pliant__loose            *c = &s->pairs->loose;
    const uint32_t            body = s->model->element_body[element];
    const pliant__model_body *b = &s->model->bodies[body];
    c->slot[loose] = slot;
    c->element[loose] = element;
    c->of_slot[slot] = loose;
    c->still[slot] = b->thickness * (PLIANT__PAIR_REACH + PLIANT__LOOSE_MARGIN);
    c->thick[slot] = b->thickness;
    c->body[slot] = body;
    c->crowded[slot] = 1;
    c->picky = c->picky || !(s->model->free_w[slot] > 0);
}

/* Elements of loose particles by their slots, then particles by their corners. */
static void list_loose(pliant_solver *s)
{
    pliant__loose          *c = &s->pairs->loose;
    const pliant__features *corners = &s->pairs->features[PLIANT__CORNERS];
    uint32_t                n = 0;
    for (uint32_t e = 0; e < s->pairs->elements; e++)
        if (is_loose(s->model, e)) c->of_slot[s->model->elements[3 * (size_t)e]] = e;
    for (uint32_t i = 0; i < corners->count; i++) {
        const uint32_t slot = corners->slot[3 * (size_t)i];
        if (c->of_slot[slot] != PLIANT__NOT_LOOSE) list_one(s, n++, slot, c->of_slot[slot]);
    }
}

#define ASKED_BODIES 16u /* so many are asked at once whether they meet */

/* Whether there are loose ones that do not meet. */
static bool find_strangers(const pliant_solver *s)
{
    const pliant__loose *c = &s->pairs->loose;
    uint32_t             body[ASKED_BODIES], count = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t one = c->body[c->slot[i]];
        uint32_t       k = count;
        while (k && body[k - 1] != one) k--;
        if (k) continue;
        if (count == ASKED_BODIES) return true;
        body[count++] = one;
        for (k = 0; k < count; k++)
            if (!pliant__bodies_meet(s->model, one, body[k])) return true;
    }
    return false;
}

/* What each slot has. */
static bool make_slots(const pliant_allocator *a, uint32_t slots, pliant__loose *c)
{
    c->still = pliant__alloc_array(a, slots, sizeof *c->still);
    c->reach = pliant__alloc_array(a, slots, sizeof *c->reach);
    c->thick = pliant__alloc_array(a, slots, sizeof *c->thick);
    c->body = pliant__alloc_array(a, slots, sizeof *c->body);
    c->crowded = pliant__alloc_array(a, slots, sizeof *c->crowded);
    c->place = pliant__alloc_array(a, slots, sizeof *c->place);
    c->close = pliant__alloc_array(a, slots, sizeof *c->close);
    c->first_pair = pliant__alloc_array(a, slots, sizeof *c->first_pair);
    c->pairs = pliant__alloc_array(a, slots, sizeof *c->pairs);
    for (uint32_t i = 0; c->still && i < slots; i++) c->still[i] = -1;
    return c->still && c->reach && c->thick && c->body && c->crowded && c->place && c->close && c->first_pair && c->pairs;
}

static bool make_loose(const pliant_allocator *a, pliant__loose *c)
{
    c->slot = pliant__alloc_array(a, c->count, sizeof *c->slot);
    c->element = pliant__alloc_array(a, c->count, sizeof *c->element);
    return c->slot && c->element;
}

bool pliant__make_loose(pliant_solver *s)
{
    const pliant_allocator *a = &s->allocator;
    pliant__pairs          *p = s->pairs;
    pliant__loose          *c = &p->loose;
    const uint32_t          slots = s->model->header->slot_count;
    for (uint32_t e = 0; e < p->elements; e++) c->count += is_loose(s->model, e);
    c->surfaces = p->features[PLIANT__TRIANGLES].count > c->count || p->features[PLIANT__CORNERS].count > c->count;
    c->of_slot = pliant__alloc_array(a, slots, sizeof *c->of_slot);
    if (!c->of_slot) return false;
    memset(c->of_slot, 0xff, slots * sizeof *c->of_slot); /* PLIANT__NOT_LOOSE */
    if (!c->count) return pliant__make_cells(a, slots, NULL, 0, &c->cells);
    if (!make_slots(a, slots, c) || !make_loose(a, c) || !pliant__make_cells(a, slots, c->slot, c->count, &c->cells) ||
        !pliant__make_near_lists(a, &c->cells, &c->lists))
        return false;
    list_loose(s);
    c->picky = c->picky || find_strangers(s);
    c->alike = c->body[c->slot[0]] == c->body[c->slot[c->count - 1]]; /* a body's slots are contiguous */
    c->asked = (pliant__points){.rest = s->model->x, .thick = c->thick, .crowded = c->crowded, .body = c->body};
    return true;
}

void pliant__free_loose(pliant_solver *s)
{
    pliant__loose *c = &s->pairs->loose;
    void          *all[] = {c->slot,    c->element, c->still, c->of_slot, c->thick,      c->body,
                            c->crowded, c->reach,   c->place, c->close,   c->first_pair, c->pairs};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(&s->allocator, all[i]);
    pliant__free_cells(&s->allocator, &c->cells);
    pliant__free_near_lists(&s->allocator, &c->lists);
    array_free(&s->allocator, &c->apart);
    array_free(&s->allocator, &c->side[0]);
    array_free(&s->allocator, &c->side[1]);
    array_free(&s->allocator, &c->colour_of);
    array_free(&s->allocator, &c->distance);
}

/* ---- cells ---- */

/* How far each reaches: as far off its way as it may be in the time that is foreseen and still matter, as kernels say of pairs that trees find. */
void pliant__fill_loose(pliant_solver *s)
{
    pliant__pairs    *p = s->pairs;
    pliant__loose    *c = &p->loose;
    pliant__extent    e;
    const pliant_real steps = p->searched ? p->horizon / s->substep_rh + PLIANT__PAIR_REACH : 0;
    if (!c->count) return;
    s->backend.kernels->cells.reach(p->ref, c->still, p->strayed.stepped, steps, s->model->header->slot_count, c->reach, &e);
    pliant__fill_cells(&c->cells, &s->backend.kernels->cells, p->ref, c->reach, &e);
}

bool pliant__is_for_trees(const pliant__loose *c, uint32_t corner_slot, uint32_t element_slot, uint32_t element)
{
    const uint32_t a = c->of_slot[corner_slot], b = c->of_slot[element_slot];
    if (a == PLIANT__NOT_LOOSE || b == PLIANT__NOT_LOOSE) return true;
    return a < b && c->element[b] == element && (c->cells.outside[corner_slot] || c->cells.outside[element_slot]);
}
