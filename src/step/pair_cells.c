/* Pairs of loose particles, by cells.
 *
 * Boxes of particles that meet have their low corners no further apart than the largest box is wide. So with cells as wide as that, whoever is near a
 * particle is in its own cell or in one of the 26 around it. There is no table of cells: keys of cells (z, y, x) are sorted, and cells that have
 * somebody lie in this order, in rows along x:
 *
 *        . . . . . .
 *        a a a . . .     three cells in a row are one run of particles; of the nine runs around a cell each begins and ends further on
 *        b B b . . .     than around the cell before it, so that eighteen marks, which only go forward, find them all
 *        c c c . . .
 *
 * Memory is bounded by particles and by pairs, wherever particles are: what is further out than keys reach is in the last cell.
 *
 * A particle whose box is much larger than that of most, since it is larger or goes faster, would make cells large for all. It is left to trees.
 *
 * A pair is a row of the particle with the lower element, whose corner it is, against the other's, and is found by the former. So each has a
 * list of its own, in the order of cells; lists are read in the order of corners. */
#include "step/solver.h"

#include <float.h>
#include <string.h>

#define SURELY K(1.001) /* more than rounding may take */

/* ---- making ---- */

static bool is_loose(const pliant_model *m, uint32_t element)
{
    return m->bodies[m->element_body[element]].type == PLIANT_BODY_PARTICLES && (m->element_owns[element] & 7);
}

/* Elements of loose particles by their slots, then particles by their corners. */
static void list_loose(pliant_solver *s)
{
    pliant__cells       *c = &s->pairs.cells;
    const pliant__parts *corners = &s->pairs.parts[PLIANT__CORNERS];
    uint32_t             n = 0;
    for (uint32_t e = 0; e < s->pairs.elements; e++)
        if (is_loose(s->model, e)) c->of_slot[s->model->elements[3 * (size_t)e]] = e;
    for (uint32_t i = 0; i < corners->count; i++) {
        const uint32_t slot = corners->slot[3 * (size_t)i];
        if (c->of_slot[slot] == PLIANT__NOT_LOOSE) continue;
        c->corner[n] = i;
        c->element[n] = c->of_slot[slot];
        c->of_slot[slot] = n++;
    }
}

static bool make_crowd(const pliant_allocator *a, uint32_t count, pliant__crowd *c)
{
    const size_t room = (size_t)count + PLIANT__BLOCK;
    c->x = pliant__alloc_array(a, room, sizeof *c->x);
    c->y = pliant__alloc_array(a, room, sizeof *c->y);
    c->z = pliant__alloc_array(a, room, sizeof *c->z);
    c->reach = pliant__alloc_array(a, room, sizeof *c->reach);
    c->number = pliant__alloc_array(a, room, sizeof *c->number);
    return c->x && c->y && c->z && c->reach && c->number;
}

bool pliant__make_cells(pliant_solver *s)
{
    const pliant_allocator *a = &s->allocator;
    pliant__pairs          *p = &s->pairs;
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
    const size_t count = c->count;
    c->corner = pliant__alloc_array(a, count, sizeof *c->corner);
    c->element = pliant__alloc_array(a, count, sizeof *c->element);
    c->key = pliant__alloc_array(a, 2 * count, sizeof *c->key);
    c->cell = pliant__alloc_array(a, count, sizeof *c->cell);
    c->first = pliant__alloc_array(a, count + 1, sizeof *c->first);
    c->loose = pliant__alloc_array(a, count, sizeof *c->loose);
    c->begin = pliant__alloc_array(a, count, sizeof *c->begin);
    c->touches = pliant__alloc_array(a, count, sizeof *c->touches);
    if (!c->corner || !c->element || !c->key || !c->cell || !c->first || !c->loose || !c->begin || !c->touches ||
        !make_crowd(a, c->count, &c->crowd))
        return false;
    list_loose(s);
    return true;
}

void pliant__free_cells(pliant_solver *s)
{
    pliant__cells *c = &s->pairs.cells;
    void          *all[] = {c->corner, c->element, c->of_slot, c->outside, c->key,     c->cell,        c->first,       c->loose,
                            c->begin,  c->touches, c->crowd.x, c->crowd.y, c->crowd.z, c->crowd.reach, c->crowd.number};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(&s->allocator, all[i]);
    array_free(&s->allocator, &c->touch);
}

/* ---- how large cells are ---- */

static uint32_t slot_of(const pliant_solver *s, uint32_t loose) { return s->model->elements[3 * (size_t)s->pairs.cells.element[loose]]; }

static double width_of(const pliant__pairs *p, uint32_t slot)
{
    const pliant_real *low = p->low + 4 * (size_t)slot, *high = p->high + 4 * (size_t)slot;
    const double       x = (double)high[0] - (double)low[0], y = (double)high[1] - (double)low[1], z = (double)high[2] - (double)low[2],
                 wide = x > y ? x : y;
    return z > wide || z != z ? z : wide;
}

#define LARGER 1.5     /* times what half of all need: cells are no larger */
#define CLASSES 2048u  /* of widths, eight to each power of two */
#define CLASS_SHIFT 20 /* of a float's bits */

static uint32_t class_of(double width)
{
    const float f = (float)width;
    uint32_t    bits;
    memcpy(&bits, &f, sizeof bits);
    return bits >> CLASS_SHIFT & (CLASSES - 1);
}

/* How wide boxes are, and what they hold. */
typedef struct widths {
    double   edge, low[3], high[3]; /* the widest; where low corners are */
    uint32_t of_class[CLASSES];
} widths;

/* Who has a box that is no wider than a limit is in cells. */
static void choose_inside(pliant_solver *s, double limit, widths *w)
{
    pliant__pairs *p = &s->pairs;
    pliant__cells *c = &p->cells;
    *w = (widths){0, {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, {0}};
    c->inside = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t slot = slot_of(s, i);
        const double   width = width_of(p, slot);
        w->of_class[class_of(width)]++;
        c->outside[slot] = !(width <= limit);
        if (c->outside[slot]) continue;
        c->inside++;
        w->edge = width > w->edge ? width : w->edge;
        for (uint32_t k = 0; k < 3; k++) {
            const double low = (double)p->low[4 * (size_t)slot + k];
            w->low[k] = low < w->low[k] ? low : w->low[k];
            w->high[k] = low > w->high[k] ? low : w->high[k];
        }
    }
}

/* The widest box that a particle in a cell may have. */
static double widest(const widths *w, uint32_t count)
{
    uint32_t class = 0;
    for (uint32_t below = w->of_class[0]; below < (count + 1) / 2; below += w->of_class[class]) class ++;
    const uint32_t bits = (class + 1) << CLASS_SHIFT;
    float          f;
    memcpy(&f, &bits, sizeof f);
    return LARGER * (double)f;
}

/* ---- cells ---- */

typedef struct grid {
    double   low[3], inverse;
    uint32_t far[3]; /* the last cell along each axis that anybody may be in */
} grid;

#define FARTHEST_CELL 2097149.0 /* 2^21 - 3: with one more on both sides it has 21 bits */

static uint32_t cell_along(const grid *g, double at, uint32_t axis)
{
    const double cell = (at - g->low[axis]) * g->inverse;
    return 1 + (uint32_t)(cell < FARTHEST_CELL ? cell : FARTHEST_CELL);
}

/* Chooses who is in cells, and how large these are: a little larger than need be, for rounding. */
static grid choose_grid(pliant_solver *s)
{
    widths w;
    choose_inside(s, DBL_MAX, &w);
    const double limit = widest(&w, s->pairs.cells.count);
    if (w.edge > limit) choose_inside(s, limit, &w);
    grid g = {.inverse = w.edge > 0 ? 1 / (1.000001 * w.edge) : 0};
    memcpy(g.low, w.low, sizeof g.low);
    for (uint32_t k = 0; k < 3 && s->pairs.cells.inside; k++) g.far[k] = cell_along(&g, w.high[k], k);
    return g;
}

static unsigned bits_for(uint32_t cells) { return 32 - (unsigned)__builtin_clz(cells + 1); }

static void make_keys(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    pliant__cells *c = &p->cells;
    const grid     g = choose_grid(s);
    uint32_t       n = 0;
    for (uint32_t k = 0; k < 2; k++) c->bits[k] = bits_for(g.far[k]);
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t slot = slot_of(s, i);
        if (c->outside[slot]) continue;
        const pliant_real *low = p->low + 4 * (size_t)slot;
        const uint64_t x = cell_along(&g, (double)low[0], 0), y = cell_along(&g, (double)low[1], 1), z = cell_along(&g, (double)low[2], 2);
        c->key[n++] = (pliant__key){(z << c->bits[1] | y) << c->bits[0] | x, i};
    }
}

/* How far off its way in the time that is foreseen somebody may be and still matter: as kernels say of pairs that trees find. */
static pliant_real reach_of(const pliant_solver *s, uint32_t slot)
{
    const pliant__pairs *p = &s->pairs;
    const pliant_vec3    beside = v3_sub(v3_scale(pliant__slot_x(p->way, slot), p->left), p->gone); /* this long in `left` */
    const pliant_real    time = 1 + PLIANT__PAIR_REACH * s->substep_rh / p->left;
    return SURELY * (p->way[4 * (size_t)slot + 3] + time * v3_length(beside));
}

void pliant__fill_cells(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    pliant__cells *c = &p->cells;
    c->cells = 0;
    if (!c->count) return;
    make_keys(s);
    const pliant__key *sorted = pliant__sort_keys(c->key, c->key + c->count, c->inside);
    for (uint32_t i = 0; i < c->inside; i++) {
        const uint32_t    slot = slot_of(s, sorted[i].value);
        const pliant_vec3 x = pliant__slot_x(p->ref, slot);
        c->crowd.x[i] = x.x, c->crowd.y[i] = x.y, c->crowd.z[i] = x.z;
        c->crowd.reach[i] = reach_of(s, slot);
        c->crowd.number[i] = c->element[sorted[i].value];
        c->loose[i] = sorted[i].value;
        if (i && sorted[i].key == sorted[i - 1].key) continue;
        c->cell[c->cells] = sorted[i].key;
        c->first[c->cells++] = i;
    }
    c->first[c->cells] = c->inside;
}

bool pliant__is_for_trees(const pliant__cells *c, uint32_t corner_slot, uint32_t element_slot, uint32_t element)
{
    const uint32_t a = c->of_slot[corner_slot], b = c->of_slot[element_slot];
    if (a == PLIANT__NOT_LOOSE || b == PLIANT__NOT_LOOSE) return true;
    return c->element[a] < element && c->element[b] == element && (c->outside[corner_slot] || c->outside[element_slot]);
}

/* ---- who is around ---- */

#define ROWS 9u

/* Rows of cells around a cell, and where they begin and end among those that have somebody. */
typedef struct around {
    uint64_t          off[ROWS];
    uint32_t          begin[ROWS], end[ROWS], count;
    pliant__crowd_run run[ROWS];
    size_t            total; /* who is in them */
} around;

static around begin_around(const pliant__cells *c)
{
    around a = {.count = 0};
    for (uint32_t i = 0; i < ROWS; i++) a.off[i] = ((uint64_t)(i / 3) << c->bits[1] << c->bits[0]) + ((uint64_t)(i % 3) << c->bits[0]);
    return a;
}

/* The runs around a cell, of which keys ascend from call to call. */
static void go_around(const pliant__cells *c, around *a, uint32_t cell)
{
    const uint64_t corner = c->cell[cell] - a->off[ROWS / 2] - 1; /* no key is in a first row or column */
    a->count = 0;
    a->total = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        const uint64_t key = corner + a->off[i];
        while (a->begin[i] < c->cells && c->cell[a->begin[i]] < key) a->begin[i]++;
        if (a->end[i] < a->begin[i]) a->end[i] = a->begin[i];
        while (a->end[i] < c->cells && c->cell[a->end[i]] <= key + 2) a->end[i]++;
        if (a->begin[i] == a->end[i]) continue;
        const pliant__crowd_run run = {c->first[a->begin[i]], c->first[a->end[i]]};
        a->run[a->count++] = run;
        a->total += run.end - run.first;
    }
}

/* Adds who is near enough to a particle and has no lower number than `least`. False if there is no room, or there are too many pairs. */
static bool add_near(pliant_solver *s, const around *a, uint32_t one, uint32_t least)
{
    pliant__cells *c = &s->pairs.cells;
    const uint32_t loose = c->loose[one];
    if (c->touch.count > pliant__most_pairs(&s->pairs) || !array_reserve(&s->allocator, &c->touch, a->total)) return false;
    c->begin[loose] = (uint32_t)c->touch.count;
    s->backend.kernels->near_one(&c->crowd, one, least, a->run, a->count, c->touch.data + c->touch.count, &c->touches[loose]);
    c->touch.count += c->touches[loose];
    return true;
}

/* ---- what becomes of them ---- */

/* A loose particle on its way to its pairs, with the body that it was asked about last. */
typedef struct asked {
    uint32_t    corner, element, body, other;
    bool        meet, moves;
    pliant_vec3 x; /* when nothing had moved yet */
} asked;

static asked ask(const pliant_solver *s, uint32_t loose)
{
    const pliant__cells *c = &s->pairs.cells;
    const uint32_t       slot = slot_of(s, loose), body = s->model->element_body[c->element[loose]];
    return (asked){c->corner[loose],
                   c->element[loose],
                   body,
                   body,
                   pliant__bodies_meet(s->model, body, body),
                   s->model->free_w[slot] > 0,
                   pliant__slot_x(s->model->x, slot)};
}

/* Whether another one with a higher number is a pair with it. */
static bool is_pair(const pliant_solver *s, asked *one, const pliant__neighbour *t, pliant__found *out)
{
    const pliant_model *m = s->model;
    const uint32_t      other = m->element_body[t->number], slot = m->elements[3 * (size_t)t->number];
    if (one->other != other) {
        one->other = other;
        one->meet = pliant__bodies_meet(m, one->body, other);
    }
    if (!one->meet || !(one->moves || m->free_w[slot] > 0)) return false;
    pliant_real distance = m->bodies[one->body].thickness + m->bodies[other].thickness;
    if (one->body == other) {
        const pliant_vec3 d = v3_sub(pliant__slot_x(m->x, slot), one->x);
        if (v3_dot(d, d) < distance * distance) distance = v3_length(d);
    }
    *out = (pliant__found){{one->corner, t->number}, r_sqrt(t->apart2), distance};
    return distance > 0;
}

#define FEW 64u /* are put in order with their neighbours at once */

/* By their numbers; whoever is in one cell is so already. In steps that become shorter: a list may be as long as there are particles. */
static void order_touches(pliant__neighbour *touch, uint32_t count)
{
    for (uint32_t gap = count > FEW ? count / 2 : 1; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (uint32_t i = gap; i < count; i++) {
            const pliant__neighbour t = touch[i];
            uint32_t                k = i;
            for (; k >= gap && touch[k - gap].number > t.number; k -= gap) touch[k] = touch[k - gap];
            touch[k] = t;
        }
}

/* ---- all ---- */

static bool touch_all(pliant_solver *s)
{
    pliant__cells *c = &s->pairs.cells;
    around         a = begin_around(c);
    c->touch.count = 0;
    if (c->count) memset(c->touches, 0, c->count * sizeof *c->touches);
    for (uint32_t cell = 0; cell < c->cells; cell++) {
        go_around(c, &a, cell);
        for (uint32_t i = c->first[cell]; i < c->first[cell + 1]; i++)
            if (!add_near(s, &a, i, c->crowd.number[i] + 1)) return false;
    }
    return c->touch.count <= pliant__most_pairs(&s->pairs);
}

bool pliant__find_all_in_cells(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    pliant__cells *c = &p->cells;
    size_t         at = 0;
    if (!touch_all(s) || !array_reserve(&s->allocator, &p->pair, c->touch.count) ||
        !array_reserve(&s->allocator, &p->room, c->touch.count) || !array_reserve(&s->allocator, &p->slack, c->touch.count))
        return false;
    for (uint32_t i = 0; i < c->count; i++) {
        pliant__neighbour *touch = c->touch.data + c->begin[i];
        asked              one = ask(s, i);
        order_touches(touch, c->touches[i]);
        for (uint32_t k = 0; k < c->touches[i]; k++) {
            pliant__found found;
            if (is_pair(s, &one, &touch[k], &found)) pliant__put_found(p, at++, &found);
        }
    }
    p->pair.count = p->room.count = p->slack.count = p->corner_pairs = at;
    return true;
}

/* ---- who is astray ---- */

/* Finds who is near to one that is astray, and turns the pair where that one has not the lower element. */
static bool find_one(pliant_solver *s, const around *a, uint32_t one)
{
    pliant__pairs *p = &s->pairs;
    pliant__cells *c = &p->cells;
    const uint32_t mine = c->crowd.number[one];
    c->touch.count = 0;
    if (!add_near(s, a, one, 0) || p->pair.count + p->found.count + c->touch.count > pliant__most_pairs(p) ||
        !array_reserve(&s->allocator, &p->found, c->touch.count))
        return false;
    for (uint32_t i = 0; i < c->touch.count; i++) {
        const pliant__neighbour t = c->touch.data[i], turned = {mine, t.apart2};
        const uint32_t          slot = s->model->elements[3 * (size_t)t.number];
        if (t.number == mine || (t.number < mine && p->astray[slot])) continue; /* it finds the other itself */
        const bool first = mine < t.number;
        asked      lower = ask(s, first ? c->loose[one] : c->of_slot[slot]);
        p->found.count += is_pair(s, &lower, first ? &t : &turned, p->found.data + p->found.count);
    }
    return true;
}

bool pliant__find_astray_in_cells(pliant_solver *s)
{
    pliant__cells *c = &s->pairs.cells;
    around         a = begin_around(c);
    for (uint32_t i = 0, cell = 0; i < c->inside; i++) {
        if (!s->pairs.astray[slot_of(s, c->loose[i])]) continue;
        while (c->first[cell + 1] <= i) cell++;
        go_around(c, &a, cell);
        if (!find_one(s, &a, i)) return false;
    }
    return true;
}
