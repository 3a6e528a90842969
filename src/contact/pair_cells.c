/* Loose particles in cells; lists of those near each other are made from these: pair_lists.c.
 *
 * A particle that is near enough to matter is no further away than both reach, so with cells as wide as the farthest reach of any two, what is near a
 * particle is in its own cell or in one of the 26 around it. Particles are put into the order of their cells, by z, y and x, so that three cells in a row
 * are one run of them, and the 27 around one are nine runs:
 *
 *        . . . . . .
 *        a a a . . .
 *        b B b . . .
 *        c c c . . .
 *
 * Where cells are not many more than particles, they are counted in a table of cells, which also says where runs begin. Where they are, as when one is a
 * kilometre away, keys of cells are sorted; as cells ascend, each of nine runs begins and ends further on than the one before, so that eighteen marks,
 * which only go forward, find them all. So memory is bounded by particles and by pairs, wherever particles are.
 *
 * A particle that reaches much further than most, since it is larger or goes faster, would make cells large for all, and for one that is further from most
 * than keys reach there would be no cell. They are left to trees. */
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
    pliant__cells            *c = &s->pairs->cells;
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
    pliant__cells       *c = &s->pairs->cells;
    const pliant__parts *corners = &s->pairs->parts[PLIANT__CORNERS];
    uint32_t             n = 0;
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
    const pliant__cells *c = &s->pairs->cells;
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

static bool make_crowd(const pliant_allocator *a, uint32_t count, pliant__crowd *c)
{
    const size_t room = (size_t)count + PLIANT__BLOCK;
    c->xy = pliant__alloc_array(a, room, sizeof *c->xy);
    c->zr = pliant__alloc_array(a, room, sizeof *c->zr);
    c->tag = pliant__alloc_array(a, room, sizeof *c->tag);
    return c->xy && c->zr && c->tag;
}

/* What each slot has. */
static bool make_slots(const pliant_allocator *a, uint32_t slots, pliant__cells *c)
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

static bool make_loose(const pliant_allocator *a, uint32_t slots, pliant__cells *c)
{
    const size_t count = c->count;
    c->slot = pliant__alloc_array(a, count, sizeof *c->slot);
    c->element = pliant__alloc_array(a, count, sizeof *c->element);
    c->scratch = pliant__alloc_array(a, 2 * count, sizeof(pliant__key));
    c->home = pliant__alloc_array(a, slots, sizeof *c->home);
    c->cell = pliant__alloc_array(a, count, sizeof *c->cell);
    c->first = pliant__alloc_array(a, count + 1, sizeof *c->first);
    c->order = pliant__alloc_array(a, count + PLIANT__BLOCK, sizeof *c->order);
    c->begin = pliant__alloc_array(a, count, sizeof *c->begin);
    c->some = pliant__alloc_array(a, count, sizeof *c->some);
    return c->slot && c->element && c->home && c->scratch && c->cell && c->first && c->order && c->begin && c->some &&
           make_crowd(a, c->count, &c->crowd);
}

#define MOST_BITS 16u /* of a distance */

bool pliant__make_cells(pliant_solver *s)
{
    const pliant_allocator *a = &s->allocator;
    pliant__pairs          *p = s->pairs;
    pliant__cells          *c = &p->cells;
    const uint32_t          slots = s->model->header->slot_count;
    for (uint32_t e = 0; e < p->elements; e++) c->count += is_loose(s->model, e);
    c->surfaces = p->parts[PLIANT__TRIANGLES].count > c->count || p->parts[PLIANT__CORNERS].count > c->count;
    c->of_slot = pliant__alloc_array(a, slots, sizeof *c->of_slot);
    c->outside = pliant__alloc_array(a, slots, sizeof *c->outside);
    if (!c->of_slot || !c->outside) return false;
    memset(c->of_slot, 0xff, slots * sizeof *c->of_slot); /* PLIANT__NOT_LOOSE */
    memset(c->outside, 1, slots);
    if (!c->count) return true;
    if (!make_slots(a, slots, c) || !make_loose(a, slots, c)) return false;
    list_loose(s);
    c->picky = c->picky || find_strangers(s);
    c->alike = c->body[c->slot[0]] == c->body[c->slot[c->count - 1]]; /* a body's slots are contiguous */
    const uint32_t left = (uint32_t)__builtin_clz(slots);
    c->crowd.bits = left < MOST_BITS ? left : MOST_BITS;
    c->asked = (pliant__points){.rest = s->model->x, .thick = c->thick, .crowded = c->crowded, .body = c->body};
    return true;
}

void pliant__free_cells(pliant_solver *s)
{
    pliant__cells *c = &s->pairs->cells;
    void          *all[] = {c->slot,  c->element, c->still,      c->of_slot, c->thick,    c->body,     c->crowded,  c->outside,
                            c->reach, c->scratch, c->home,       c->cell,    c->first,    c->order,    c->place,    c->begin,
                            c->some,  c->close,   c->first_pair, c->pairs,   c->crowd.xy, c->crowd.zr, c->crowd.tag};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(&s->allocator, all[i]);
    array_free(&s->allocator, &c->near);
    array_free(&s->allocator, &c->apart);
    array_free(&s->allocator, &c->side[0]);
    array_free(&s->allocator, &c->side[1]);
    array_free(&s->allocator, &c->colour_of);
    array_free(&s->allocator, &c->distance);
}

/* ---- how large cells are ---- */

#define LARGER 1.5     /* times what half of all need: cells are no larger */
#define CLASSES 2048u  /* of reaches, eight to each power of two */
#define CLASS_SHIFT 20 /* of a float's bits */

static uint32_t class_of(pliant_real reach)
{
    const float f = (float)reach;
    uint32_t    bits;
    memcpy(&bits, &f, sizeof bits);
    return bits >> CLASS_SHIFT & (CLASSES - 1);
}

/* The farthest that a particle in a cell may reach. */
static double farthest(const pliant__cells *c)
{
    uint32_t of_class[CLASSES] = {0}, class = 0, bits;
    float    f;
    for (uint32_t i = 0; i < c->count; i++) of_class[class_of(c->reach[c->slot[i]])]++;
    for (uint32_t below = of_class[0]; below < (c->count + 1) / 2; below += of_class[class]) class ++;
    bits = (class + 1) << CLASS_SHIFT;
    memcpy(&f, &bits, sizeof f);
    return LARGER * (double)f;
}

/* ---- cells ---- */

typedef struct grid {
    double   low[3], inverse;
    uint32_t far[3]; /* the last cell along each axis that a particle may be in */
} grid;

#define MOST_ALONG (1u << 20)   /* cells of a table along an axis: all are far from the last that a key may have */
#define FARTHEST_CELL 2097149.0 /* 2^21 - 3: with one more on both sides it has 21 bits */

static uint32_t cell_along(const grid *g, double at, uint32_t axis)
{
    const double cell = (at - g->low[axis]) * g->inverse;
    return 1 + (uint32_t)(cell < FARTHEST_CELL ? cell : FARTHEST_CELL);
}

/* Where a particle in the middle of all others is, however roughly it is known. */
typedef struct middle {
    double at[3], half; /* m; a particle that is further from there along an axis is in no cell */
} middle;

static bool is_far(const middle *m, const pliant_real *x)
{
    for (uint32_t k = 0; k < 3; k++)
        if (!((double)x[k] - m->at[k] <= m->half && m->at[k] - (double)x[k] <= m->half)) return true;
    return false;
}

/* Particles that reach no further than a limit, and are not far, are in cells. Finds anew how far these reach, and where they are. */
static void choose_inside(pliant_solver *s, double limit, const middle *m, pliant__extent *e)
{
    const pliant_real *ref = s->pairs->ref;
    pliant__cells     *c = &s->pairs->cells;
    *e = (pliant__extent){.most = 0};
    for (uint32_t k = 0; k < 3; k++) e->low[k] = (pliant_real)INFINITY, e->high[k] = -(pliant_real)INFINITY;
    c->inside = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t     slot = c->slot[i];
        const pliant_real *x = ref + 4 * (size_t)slot, sum = x[0] + x[1] + x[2];
        c->outside[slot] = !((double)c->reach[slot] <= limit && r_abs(sum) < (pliant_real)INFINITY) || is_far(m, x);
        if (c->outside[slot]) continue;
        c->inside++;
        e->most = r_max(c->reach[slot], e->most);
        for (uint32_t k = 0; k < 3; k++) {
            e->low[k] = r_min(x[k], e->low[k]);
            e->high[k] = r_max(x[k], e->high[k]);
        }
    }
    c->all = c->inside == c->count;
}

/* How far each reaches: as far off its way as it may be in the time that is foreseen and still matter, as kernels say of pairs that trees find. A
 * particle that reaches much further than most is outside. */
static void find_extent(pliant_solver *s, pliant__extent *e)
{
    pliant__pairs    *p = s->pairs;
    pliant__cells    *c = &p->cells;
    const pliant_real steps = p->searched ? p->left / s->substep_rh + PLIANT__PAIR_REACH : 0;
    s->backend.kernels->reach(p->ref, c->still, p->strayed.stepped, steps, s->model->header->slot_count, c->reach, e);
    if (!((double)e->most <= LARGER * (double)e->least))
        choose_inside(s, farthest(c), &(middle){.half = (double)INFINITY}, e);
    else if (!c->all) {
        for (uint32_t i = 0; i < c->count; i++) c->outside[c->slot[i]] = 0;
        c->inside = c->count;
        c->all = true;
    }
}

#define SAMPLED 63u
#define WIDEST 1048576.0 /* reaches: along no axis are there more cells than half of these */
#define ROUNDS 4u

static middle find_middle(const pliant_solver *s)
{
    const pliant__cells *c = &s->pairs->cells;
    const uint32_t       each = c->count / SAMPLED + 1;
    middle               m = {.half = 0};
    for (uint32_t k = 0; k < 3; k++) {
        double   sample[SAMPLED + 1];
        uint32_t count = 0;
        for (uint32_t i = 0; i < c->count; i += each) {
            const double at = (double)s->pairs->ref[4 * (size_t)c->slot[i] + k];
            uint32_t     n = count++;
            for (; n && sample[n - 1] > at; n--) sample[n] = sample[n - 1];
            sample[n] = at;
        }
        m.at[k] = sample[count / 2];
    }
    return m;
}

static double width_of(const pliant__extent *e)
{
    double most = 0;
    for (uint32_t k = 0; k < 3; k++)
        if ((double)e->high[k] - (double)e->low[k] > most) most = (double)e->high[k] - (double)e->low[k];
    return most;
}

/* A particle so far from the others that its cell would have no number is outside. */
static void leave_out_strays(pliant_solver *s, pliant__extent *e)
{
    middle m = {.half = 0};
    for (uint32_t round = 0; e->most > 0 && width_of(e) > WIDEST * (double)e->most; round++) {
        if (!round) m = find_middle(s);
        m.half = WIDEST / 2 * (double)e->most;
        choose_inside(s, round < ROUNDS ? (double)e->most : -1, &m, e);
    }
}

#define ROUNDING 1e-6 /* of a cell, for each that it is away from the first: more than is lost where cells are found */

#define UNIT_BITS 26u /* of the square of a distance in units */

static void count_units(const grid *g, pliant__crowd *c)
{
    c->shift = UNIT_BITS - c->bits;
    const double one = (double)(UINT32_C(1) << c->shift), most = PLIANT__UNITS + 8; /* of a distance, in units */
    for (uint32_t k = 0; k < 3; k++) c->low[k] = g->low[k];
    c->units = PLIANT__UNITS * g->inverse;
    c->scale = (pliant_real)(c->units * c->units / one);
    c->slack = (pliant_real)(2 * PLIANT__UNITS_OFF * most / one);
}

/* Chooses which particles are in cells, and how large cells are: a little larger than need be. */
static grid choose_grid(pliant_solver *s)
{
    pliant__cells *c = &s->pairs->cells;
    pliant__extent e;
    grid           g = {.inverse = 0};
    find_extent(s, &e);
    leave_out_strays(s, &e);
    const double reach = (double)e.most;
    for (uint32_t k = 0; k < 3; k++) g.low[k] = (double)e.low[k];
    if (reach > 0) g.inverse = 1 / (2 * reach * (1 + ROUNDING * (2 + width_of(&e) / (2 * reach))));
    count_units(&g, &c->crowd);
    for (uint32_t k = 0; k < 3 && c->inside; k++) g.far[k] = cell_along(&g, (double)e.high[k], k) + 1; /* as much as rounding may take */
    c->row = (uint64_t)g.far[0] + 2;
    c->layer = c->row * ((uint64_t)g.far[1] + 2);
    return g;
}

static uint64_t key_of(const pliant_solver *s, const grid *g, uint32_t slot)
{
    const pliant_real *at = s->pairs->ref + 4 * (size_t)slot;
    const uint64_t     x = cell_along(g, (double)at[0], 0), y = cell_along(g, (double)at[1], 1), z = cell_along(g, (double)at[2], 2);
    return z * s->pairs->cells.layer + y * s->pairs->cells.row + x;
}

/* By a table of cells: how many are in each, where these begin, and then where they end. */
static void order_by_table(pliant_solver *s, const grid *g, uint64_t cells)
{
    pliant__cells          *c = &s->pairs->cells;
    const pliant__cell_grid of = {{(pliant_real)g->low[0], (pliant_real)g->low[1], (pliant_real)g->low[2]},
                                  (pliant_real)g->inverse,
                                  (uint32_t)c->row,
                                  (uint32_t)c->layer};
    uint32_t                sum = 0;
    s->backend.kernels->find_cells(&of, s->pairs->ref, s->model->header->slot_count, c->home);
    c->end = (uint32_t *)c->scratch + 1;
    memset(c->end - 1, 0, ((size_t)cells + 1) * sizeof *c->end); /* no particle is before the first cell */
    for (uint32_t i = 0; i < c->count; i++)
        if (!c->outside[c->slot[i]]) c->end[c->home[c->slot[i]]]++;
    for (uint64_t k = 0; k < cells; k++) {
        const uint32_t here = c->end[k];
        c->end[k] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < c->count; i++)
        if (!c->outside[c->slot[i]]) c->order[c->end[c->home[c->slot[i]]]++] = c->slot[i];
}

static void order_by_keys(pliant_solver *s, const grid *g)
{
    pliant__cells *c = &s->pairs->cells;
    pliant__key   *key = c->scratch;
    uint32_t       n = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (!c->outside[c->slot[i]]) key[n++] = (pliant__key){key_of(s, g, c->slot[i]), c->slot[i]};
    const pliant__key *sorted = pliant__sort_keys(key, key + c->count, n);
    c->cells = 0;
    for (uint32_t i = 0; i < n; i++) {
        c->order[i] = sorted[i].value;
        if (i && sorted[i].key == sorted[i - 1].key) continue;
        c->cell[c->cells] = sorted[i].key;
        c->first[c->cells++] = i;
    }
    c->first[c->cells] = n;
}

/* In the order of cells; then those that are in none. */
static void fill_crowd(pliant_solver *s)
{
    pliant__cells *c = &s->pairs->cells;
    for (uint32_t i = 0, n = c->inside; n < c->count; i++)
        if (c->outside[c->slot[i]]) c->order[n++] = c->slot[i];
    for (uint32_t i = 0; i < PLIANT__BLOCK; i++) c->order[c->count + i] = c->slot[0]; /* up to the end of a block */
    s->backend.kernels->fill_crowd(s->pairs->ref, c->reach, c->order, c->count, &c->crowd);
}

#define MOST_CELLS 4u /* of a table, times as many as particles */

void pliant__fill_cells(pliant_solver *s)
{
    pliant__cells *c = &s->pairs->cells;
    if (!c->count) return;
    const grid     g = choose_grid(s);
    const uint64_t layers = (uint64_t)g.far[2] + 2;
    const uint32_t far = g.far[0] > g.far[1] ? g.far[0] : g.far[1];
    c->few = c->layer > MOST_CELLS * (uint64_t)c->count / layers || far > MOST_ALONG || g.far[2] > MOST_ALONG;
    if (c->few)
        order_by_keys(s, &g);
    else
        order_by_table(s, &g, c->layer * layers);
    fill_crowd(s);
}

bool pliant__is_for_trees(const pliant__cells *c, uint32_t corner_slot, uint32_t element_slot, uint32_t element)
{
    const uint32_t a = c->of_slot[corner_slot], b = c->of_slot[element_slot];
    if (a == PLIANT__NOT_LOOSE || b == PLIANT__NOT_LOOSE) return true;
    return a < b && c->element[b] == element && (c->outside[corner_slot] || c->outside[element_slot]);
}
