/* See cells.h.
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
 * than keys reach there would be no cell. They are left outside. */
#include "contact/cells.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/vec.h"
#include "compile/model.h" /* PLIANT__BLOCK */

#include <float.h>
#include <string.h>

/* ---- making ---- */

static bool make_packed_points(const pliant_allocator *a, uint32_t count, pliant__packed_points *c)
{
    const size_t room = (size_t)count + PLIANT__BLOCK;
    c->xy = pliant__alloc_array(a, room, sizeof *c->xy);
    c->zr = pliant__alloc_array(a, room, sizeof *c->zr);
    c->tag = pliant__alloc_array(a, room, sizeof *c->tag);
    return c->xy && c->zr && c->tag;
}

#define MOST_BITS 16u /* of a distance */

bool pliant__make_cells(const pliant_allocator *a, uint32_t slots, const uint32_t *slot, uint32_t count, pliant__cells *c)
{
    const size_t many = count;
    *c = (pliant__cells){.slots = slots, .slot = slot, .count = count};
    c->outside = pliant__alloc_array(a, slots, sizeof *c->outside);
    if (!c->outside) return false;
    memset(c->outside, 1, slots);
    if (!count) return true;
    c->scratch = pliant__alloc_array(a, 2 * many, sizeof(pliant__key));
    c->home = pliant__alloc_array(a, slots, sizeof *c->home);
    c->cell = pliant__alloc_array(a, many, sizeof *c->cell);
    c->first = pliant__alloc_array(a, many + 1, sizeof *c->first);
    c->order = pliant__alloc_array(a, many + PLIANT__BLOCK, sizeof *c->order);
    const uint32_t left = (uint32_t)__builtin_clz(slots);
    c->packed.bits = left < MOST_BITS ? left : MOST_BITS;
    return c->home && c->scratch && c->cell && c->first && c->order && make_packed_points(a, count, &c->packed);
}

void pliant__free_cells(const pliant_allocator *a, pliant__cells *c)
{
    void *all[] = {c->outside, c->scratch, c->home, c->cell, c->first, c->order, c->packed.xy, c->packed.zr, c->packed.tag};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(a, all[i]);
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
static void choose_inside(pliant__cells *c, const pliant_real *at, double limit, const middle *m, pliant__extent *e)
{
    *e = (pliant__extent){.most = 0};
    for (uint32_t k = 0; k < 3; k++) e->low[k] = (pliant_real)INFINITY, e->high[k] = -(pliant_real)INFINITY;
    c->inside = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t     slot = c->slot[i];
        const pliant_real *x = PLIANT__SLOT(at, slot), sum = x[0] + x[1] + x[2];
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

/* A particle that reaches much further than most is outside. */
static void choose_reaching(pliant__cells *c, const pliant_real *x, pliant__extent *e)
{
    if (!((double)e->most <= LARGER * (double)e->least))
        choose_inside(c, x, farthest(c), &(middle){.half = (double)INFINITY}, e);
    else if (!c->all) {
        for (uint32_t i = 0; i < c->count; i++) c->outside[c->slot[i]] = 0;
        c->inside = c->count;
        c->all = true;
    }
}

/* How far all reach, and where they are: what the kernel `reach` says on its way. What is not a finite number counts as reaching farthest. */
static pliant__extent extent_of(const pliant__cells *c, const pliant_real *x)
{
    const pliant_real none = (pliant_real)INFINITY;
    pliant__extent    e = {.least = none, .low = {none, none, none}, .high = {-none, -none, -none}};
    for (uint32_t i = 0; i < c->count; i++) {
        const pliant_real *at = PLIANT__SLOT(x, c->slot[i]), reach = c->reach[c->slot[i]], sum = at[0] + at[1] + at[2] + reach;
        e.least = r_min(reach, e.least);
        e.most = r_max(sum - sum == 0 ? reach : none, e.most);
        for (uint32_t k = 0; k < 3; k++) {
            e.low[k] = r_min(at[k], e.low[k]);
            e.high[k] = r_max(at[k], e.high[k]);
        }
    }
    return e;
}

#define SAMPLED 63u
#define WIDEST 1048576.0 /* reaches: along no axis are there more cells than half of these */
#define ROUNDS 4u

static middle find_middle(const pliant__cells *c, const pliant_real *x)
{
    const uint32_t each = c->count / SAMPLED + 1;
    middle         m = {.half = 0};
    for (uint32_t k = 0; k < 3; k++) {
        double   sample[SAMPLED + 1];
        uint32_t count = 0;
        for (uint32_t i = 0; i < c->count; i += each) {
            const double at = (double)PLIANT__SLOT(x, c->slot[i])[k];
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
static void leave_out_strays(pliant__cells *c, const pliant_real *x, pliant__extent *e)
{
    middle m = {.half = 0};
    for (uint32_t round = 0; e->most > 0 && width_of(e) > WIDEST * (double)e->most; round++) {
        if (!round) m = find_middle(c, x);
        m.half = WIDEST / 2 * (double)e->most;
        choose_inside(c, x, round < ROUNDS ? (double)e->most : -1, &m, e);
    }
}

#define ROUNDING 1e-6 /* of a cell, for each that it is away from the first: more than is lost where cells are found */

#define UNIT_BITS 26u /* of the square of a distance in units */

static void count_units(const grid *g, pliant__packed_points *c)
{
    c->shift = UNIT_BITS - c->bits;
    const double one = (double)(UINT32_C(1) << c->shift), most = PLIANT__UNITS + 8; /* of a distance, in units */
    for (uint32_t k = 0; k < 3; k++) c->low[k] = g->low[k];
    c->units = PLIANT__UNITS * g->inverse;
    c->scale = (pliant_real)(c->units * c->units / one);
    c->slack = (pliant_real)(2 * PLIANT__UNITS_OFF * most / one);
}

/* Chooses which particles are in cells, and how large cells are: a little larger than need be. */
static grid choose_grid(pliant__cells *c, const pliant_real *x, pliant__extent e)
{
    grid g = {.inverse = 0};
    choose_reaching(c, x, &e);
    leave_out_strays(c, x, &e);
    const double reach = (double)e.most;
    for (uint32_t k = 0; k < 3; k++) g.low[k] = (double)e.low[k];
    if (reach > 0) g.inverse = 1 / (2 * reach * (1 + ROUNDING * (2 + width_of(&e) / (2 * reach))));
    count_units(&g, &c->packed);
    for (uint32_t k = 0; k < 3 && c->inside; k++) g.far[k] = cell_along(&g, (double)e.high[k], k) + 1; /* as much as rounding may take */
    c->row = (uint64_t)g.far[0] + 2;
    c->layer = c->row * ((uint64_t)g.far[1] + 2);
    return g;
}

static uint64_t key_of(const pliant__cells *c, const grid *g, const pliant_real *at)
{
    const uint64_t x = cell_along(g, (double)at[0], 0), y = cell_along(g, (double)at[1], 1), z = cell_along(g, (double)at[2], 2);
    return z * c->layer + y * c->row + x;
}

/* By a table of cells: how many are in each, where these begin, and then where they end. */
static void order_by_table(pliant__cells *c, const pliant__cell_kernels *kernels, const pliant_real *x, const grid *g, uint64_t cells)
{
    const pliant__cell_grid of = {{(pliant_real)g->low[0], (pliant_real)g->low[1], (pliant_real)g->low[2]},
                                  (pliant_real)g->inverse,
                                  (uint32_t)c->row,
                                  (uint32_t)c->layer};
    uint32_t                sum = 0;
    kernels->find_cells(&of, x, c->slots, c->home);
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

static void order_by_keys(pliant__cells *c, const pliant_real *x, const grid *g)
{
    pliant__key *key = c->scratch;
    uint32_t     n = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (!c->outside[c->slot[i]]) key[n++] = (pliant__key){key_of(c, g, PLIANT__SLOT(x, c->slot[i])), c->slot[i]};
    const pliant__key *sorted = pliant__sort_keys(key, key + c->count, n);
    c->filled = 0;
    for (uint32_t i = 0; i < n; i++) {
        c->order[i] = sorted[i].value;
        if (i && sorted[i].key == sorted[i - 1].key) continue;
        c->cell[c->filled] = sorted[i].key;
        c->first[c->filled++] = i;
    }
    c->first[c->filled] = n;
}

/* In the order of cells; then those that are in none. */
static void pack_points(pliant__cells *c, const pliant__cell_kernels *kernels, const pliant_real *x)
{
    for (uint32_t i = 0, n = c->inside; n < c->count; i++)
        if (c->outside[c->slot[i]]) c->order[n++] = c->slot[i];
    for (uint32_t i = 0; i < PLIANT__BLOCK; i++) c->order[c->count + i] = c->slot[0]; /* up to the end of a block */
    kernels->pack_points(x, c->reach, c->order, c->count, &c->packed);
}

#define MOST_CELLS 4u /* of a table, times as many as particles */

void pliant__fill_cells(pliant__cells *c, const pliant__cell_kernels *kernels, const pliant_real *x, const pliant_real *reach,
                        const pliant__extent *extent)
{
    if (!c->count) return;
    c->reach = reach;
    const grid     g = choose_grid(c, x, extent ? *extent : extent_of(c, x));
    const uint64_t layers = (uint64_t)g.far[2] + 2;
    const uint32_t far = g.far[0] > g.far[1] ? g.far[0] : g.far[1];
    c->few = c->layer > MOST_CELLS * (uint64_t)c->count / layers || far > MOST_ALONG || g.far[2] > MOST_ALONG;
    if (c->few)
        order_by_keys(c, x, &g);
    else
        order_by_table(c, kernels, x, &g, c->layer * layers);
    pack_points(c, kernels, x);
}

/* ---- cells around one ---- */

static void add_run(uint32_t first, uint32_t end, pliant__around *a)
{
    a->run[a->count] = (pliant__packed_run){first, end};
    a->count += first < end;
    a->total += end - first;
}

/* The runs around a cell in a table. */
static void go_around(const pliant__cells *c, uint64_t key, pliant__around *a)
{
    const uint32_t *corner = c->end + (key - c->layer - c->row - 1); /* first rows and columns are empty */
    a->count = 0;
    a->total = 0;
    for (uint32_t z = 0; z < 3; z++)
        for (uint32_t y = 0; y < 3; y++) {
            const uint32_t *end = corner + z * c->layer + y * c->row;
            add_run(end[-1], end[2], a);
        }
}

/* The runs around one of few cells, which ascend from call to call. */
static void go_on_around(const pliant__cells *c, pliant__cell_walk *w, pliant__around *a)
{
    const uint64_t corner = c->cell[w->cell] - c->layer - c->row - 1;
    a->count = 0;
    a->total = 0;
    for (uint32_t i = 0; i < PLIANT__AROUND; i++) {
        const uint64_t key = corner + (i / 3) * c->layer + (i % 3) * c->row;
        while (w->low[i] < c->filled && c->cell[w->low[i]] < key) w->low[i]++;
        if (w->high[i] < w->low[i]) w->high[i] = w->low[i];
        while (w->high[i] < c->filled && c->cell[w->high[i]] <= key + 2) w->high[i]++;
        add_run(c->first[w->low[i]], c->first[w->high[i]], a);
    }
}

void pliant__begin_cell_walk(const pliant__cells *c, uint32_t first, uint32_t end, pliant__cell_walk *w)
{
    memset(w, 0, sizeof *w);
    w->next = first;
    w->end = end;
    if (!c->few && first < c->inside) w->cell = c->home[c->order[first]];
}

uint32_t pliant__next_cell(const pliant__cells *c, pliant__cell_walk *w, pliant__around *a)
{
    uint32_t end;
    if (c->few) {
        while (c->first[w->cell + 1] <= w->next) w->cell++;
        end = c->first[w->cell + 1];
        go_on_around(c, w, a);
    } else {
        while (c->end[w->cell] <= w->next) w->cell++;
        end = c->end[w->cell];
        go_around(c, w->cell, a);
    }
    return end < w->end ? end : w->end;
}
