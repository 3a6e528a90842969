/* Aggregates of rows, for the system of multipliers of the method multigrid.
 *
 * Made once with the solver, from where the model begins: the prolongators are as lazy as can be, and a solver that is made anew has the same.
 *
 * A row takes all its strong neighbours if none of them is taken; what is left joins the strongest (Vanek, Mandel, Brezina 1996). Strong:
 * |a_ij| >= STRONG sqrt(a_ii a_jj), of A = J W J^T. What a coarse node can do is in multigrid_multipliers.c.
 *
 * A patch is a slot and one of the aggregates with rows that touch it: where the forces of that aggregate's stresses are summed. */
#include "base/alloc.h"
#include "methods/multigrid.h"
#include "methods/multigrid_rows.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "state/inputs.h"

#include <math.h>
#include <string.h>

#define STRONG 0.1

/* ---- rows at rest ---- */

/* Which rows touch a slot: those of slot i are [first[i], first[i + 1]). */
typedef struct touching {
    size_t             *first;
    uint32_t           *row;
    const pliant_real **gradient;
    double             *diagonal, *sum; /* per row: a_ii; a_ij of the row that is looked at, 0 otherwise */
    uint32_t           *found;          /* its neighbours */
    bool               *seen;           /* is among them */
} touching;

/* Gradients where the model begins, of all rows. False: out of memory. */
static bool linearize_at_rest(pliant_solver *s, pliant__mg *g)
{
    const pliant_model *m = s->model;
    const size_t        words = m->header->packed_rows / PLIANT__BLOCK;
    uint16_t           *active = pliant__alloc_untouched(&s->allocator, words, sizeof *active);
    const pliant__sweep sweep = {
        .model = m, .row_index = m->row_index, .x = g->old, .start = g->old, .active = active, .laws = s->laws, .given_laws = m->laws};
    if (!active) return false;
    memset(active, 0xff, words * sizeof *active);
    memcpy(g->old, m->x, pliant__slot_numbers(m->header->slot_count) * sizeof *g->old);
    for (uint32_t i = 0; i < model_count(m, batches); i++) pliant__linearize_batch(s, &sweep, i, &g->linear);
    pliant__free(&s->allocator, active);
    return true;
}

static void find_stresses(pliant_solver *s, pliant__mg *g)
{
    EACH_ROW_OF_ALL(s, in, r, lane)
    {
        pliant_real *to = g->multipliers->stress + 6 * lambda_of(&in, r, lane);
        double       sum[6] = {0};
        for (uint32_t n = 0; n < in.slots; n++) {
            const pliant_real *v = gradient_of(&in, r, n, lane), *x = PLIANT__SLOT(g->old, in.slot[n * PLIANT__BLOCK + lane]),
                              *first = PLIANT__SLOT(g->old, in.slot[lane]);
            for (uint32_t c = 0; c < 3; c++) {
                const uint32_t d = (c + 1) % 3;
                sum[c] += (double)v[c * PLIANT__BLOCK] * ((double)x[c] - (double)first[c]);
                sum[3 + c] += (double)v[c * PLIANT__BLOCK] * ((double)x[d] - (double)first[d]) +
                              (double)v[d * PLIANT__BLOCK] * ((double)x[c] - (double)first[c]);
            }
        }
        /* pressure and what is none apart: volumes that hardly give way would drown the rest */
        to[0] = (pliant_real)(sum[0] + sum[1] + sum[2]);
        to[1] = (pliant_real)(sum[0] - sum[1]);
        to[2] = (pliant_real)(sum[1] - sum[2]);
        for (uint32_t c = 3; c < 6; c++) to[c] = (pliant_real)sum[c];
    }
}

static bool gather_rows(pliant_solver *s, touching *t)
{
    const pliant_allocator *a = &s->allocator;
    const pliant_model     *m = s->model;
    const size_t            rows = m->header->lambda_count;
    size_t                  count = 0;
    EACH_ROW_OF_ALL(s, in, r, lane) count += in.slots;
    t->first = pliant__alloc_array(a, m->header->slot_count + (size_t)2, sizeof *t->first);
    t->row = pliant__alloc_untouched(a, count, sizeof *t->row);
    t->gradient = pliant__alloc_untouched(a, count, sizeof *t->gradient);
    t->diagonal = pliant__alloc_array(a, rows, sizeof *t->diagonal);
    t->sum = pliant__alloc_array(a, rows, sizeof *t->sum);
    t->found = pliant__alloc_untouched(a, rows, sizeof *t->found);
    t->seen = pliant__alloc_array(a, rows, sizeof *t->seen);
    if (!t->first || !t->row || !t->gradient || !t->diagonal || !t->sum || !t->found || !t->seen) return false;
    EACH_ROW_OF_ALL(s, in, r, lane)
    for (uint32_t n = 0; n < in.slots; n++) t->first[in.slot[n * PLIANT__BLOCK + lane] + 2]++;
    for (size_t i = 0; i < m->header->slot_count; i++) t->first[i + 2] += t->first[i + 1];
    EACH_ROW_OF_ALL(s, in, r, lane)
    for (uint32_t n = 0; n < in.slots; n++) {
        const uint32_t     slot = in.slot[n * PLIANT__BLOCK + lane];
        const pliant_real *v = gradient_of(&in, r, n, lane);
        const size_t       at = t->first[slot + 1]++;
        t->row[at] = (uint32_t)lambda_of(&in, r, lane);
        t->gradient[at] = v;
        for (uint32_t c = 0; c < 3; c++)
            t->diagonal[t->row[at]] += (double)m->free_w[slot] * (double)v[c * PLIANT__BLOCK] * (double)v[c * PLIANT__BLOCK];
    }
    return true;
}

static void free_touching(const pliant_allocator *a, touching *t)
{
    void *all[] = {t->first, t->row, (void *)t->gradient, t->diagonal, t->sum, t->found, t->seen};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(a, all[i]);
}

/* ---- aggregates ---- */

/* The strong neighbours of a row, itself among them, go into t->found with t->sum; returns how many. */
static uint32_t find_strong(const pliant_model *m, touching *t, const pliant__mg_rows *in, uint32_t r, uint32_t lane)
{
    const size_t i = lambda_of(in, r, lane);
    uint32_t     found = 0, strong = 0;
    for (uint32_t n = 0; n < in->slots; n++) {
        const uint32_t     slot = in->slot[n * PLIANT__BLOCK + lane];
        const pliant_real *v = gradient_of(in, r, n, lane);
        const double       w = (double)m->free_w[slot];
        for (size_t k = t->first[slot]; k < t->first[slot + 1] && w > 0; k++) {
            const pliant_real *u = t->gradient[k];
            double             a = 0;
            for (uint32_t c = 0; c < 3; c++) a += w * (double)v[c * PLIANT__BLOCK] * (double)u[c * PLIANT__BLOCK];
            if (!t->seen[t->row[k]]) t->found[found++] = t->row[k];
            t->seen[t->row[k]] = true;
            t->sum[t->row[k]] += a;
        }
    }
    for (uint32_t k = 0; k < found; k++) {
        const uint32_t j = t->found[k];
        t->seen[j] = false;
        if (fabs(t->sum[j]) >= STRONG * sqrt(t->diagonal[i] * t->diagonal[j]))
            t->found[strong++] = j;
        else
            t->sum[j] = 0;
    }
    return strong;
}

static void forget(touching *t, uint32_t found)
{
    for (uint32_t k = 0; k < found; k++) t->sum[t->found[k]] = 0;
}

static uint32_t make_aggregates(pliant_solver *s, touching *t, uint32_t *aggregate, uint32_t *taken)
{
    uint32_t     count = 0;
    const size_t rows = s->model->header->lambda_count;
    memset(aggregate, 0xff, rows * sizeof *aggregate);
    EACH_ROW_OF_ALL(s, in, r, lane)
    {
        if (aggregate[lambda_of(&in, r, lane)] != PLIANT__NONE) continue;
        const uint32_t found = find_strong(s->model, t, &in, r, lane);
        bool           free = found > 1;
        for (uint32_t k = 0; k < found && free; k++) free = aggregate[t->found[k]] == PLIANT__NONE;
        for (uint32_t k = 0; k < found && free; k++) aggregate[t->found[k]] = count;
        count += free;
        forget(t, found);
    }
    memcpy(taken, aggregate, rows * sizeof *taken);
    EACH_ROW_OF_ALL(s, in, r, lane)
    {
        const size_t i = lambda_of(&in, r, lane);
        if (taken[i] != PLIANT__NONE) continue;
        const uint32_t found = find_strong(s->model, t, &in, r, lane);
        double         most = 0;
        for (uint32_t k = 0; k < found; k++) {
            const uint32_t j = t->found[k];
            const double   a = fabs(t->sum[j]) / sqrt(t->diagonal[j]);
            if (taken[j] == PLIANT__NONE || a <= most) continue;
            most = a;
            aggregate[i] = taken[j];
        }
        forget(t, found);
    }
    return count;
}

/* ---- patches ---- */

/* Which patch a slot's row of this aggregate adds to, among those of the slot that are there already. */
static uint32_t find_patch(const pliant__mg_multipliers *m, uint32_t slot, uint32_t end, uint32_t aggregate)
{
    uint32_t k = m->patch_first[slot];
    while (k < end && m->patch[k] != aggregate) k++;
    return k;
}

/* Lists the aggregates of the rows of each slot that can move; `t` has its rows. */
static bool make_patches(pliant_solver *s, pliant__mg_multipliers *m, const touching *t)
{
    const pliant_allocator *a = &s->allocator;
    const uint32_t          slots = s->model->header->slot_count;
    m->patch_first = pliant__alloc_array(a, slots + (size_t)1, sizeof *m->patch_first);
    m->patch = pliant__alloc_untouched(a, t->first[slots], sizeof *m->patch);
    if (!m->patch_first || !m->patch) return false;
    for (uint32_t i = 0; i < slots; i++) {
        uint32_t end = m->patch_first[i];
        for (size_t k = t->first[i]; k < t->first[i + 1] && s->model->free_w[i] > 0; k++) {
            const uint32_t aggregate = m->rows.aggregate[t->row[k]];
            if (aggregate != PLIANT__NONE && find_patch(m, i, end, aggregate) == end) m->patch[end++] = aggregate;
        }
        m->patch_first[i + 1] = end;
    }
    m->patch_force = pliant__alloc_array(a, m->patch_first[slots], 18 * sizeof *m->patch_force);
    if (!m->patch_force) return false;
    EACH_ROW_OF_ALL(s, in, r, lane)
    for (uint32_t n = 0; n < in.slots; n++) {
        const uint32_t slot = in.slot[n * PLIANT__BLOCK + lane], end = m->patch_first[slot + 1],
                       k = find_patch(m, slot, end, m->rows.aggregate[lambda_of(&in, r, lane)]);
        patches_of(s, &in, r, lane)[n * PLIANT__BLOCK] = k < end ? k : PLIANT__NONE;
    }
    return true;
}

/* At most as many aggregates as this touch one particle, on the level that has the aggregates which those of level 1 are mapped to. */
static uint32_t most_touching(const pliant__mg_multipliers *m, uint32_t slots, const uint32_t *map)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < slots; i++) {
        uint32_t count = 0;
        for (uint32_t k = m->patch_first[i]; k < m->patch_first[i + 1]; k++) {
            bool is_new = true;
            for (uint32_t q = m->patch_first[i]; q < k && is_new; q++) is_new = map[m->patch[q]] != map[m->patch[k]];
            count += is_new;
        }
        most = count > most ? count : most;
    }
    return most;
}

static bool bound_levels(pliant_solver *s, pliant__mg *g)
{
    const uint32_t count = g->level[1].count;
    uint32_t      *map = pliant__alloc_array(&s->allocator, count, sizeof *map);
    if (!map) return false;
    for (uint32_t i = 0; i < count; i++) map[i] = i;
    for (uint32_t n = 1; n < g->levels; n++) {
        g->level[n].highest = most_touching(g->multipliers, s->model->header->slot_count, map);
        for (uint32_t i = 0; i < count && n + 1 < g->levels; i++)
            if (map[i] != PLIANT__NONE) map[i] = g->level[n].aggregate[map[i]];
    }
    pliant__free(&s->allocator, map);
    return true;
}

static bool make_levels(pliant_solver *s, pliant__mg *g, uint32_t aggregates)
{
    const pliant__mg_multipliers *m = g->multipliers;
    const uint32_t                slots = s->model->header->slot_count;
    size_t                        room = aggregates, count = 0;
    for (uint32_t i = 0; i < slots; i++)
        room += (size_t)(m->patch_first[i + 1] - m->patch_first[i]) * (m->patch_first[i + 1] - m->patch_first[i]);
    pliant__mg_link *links = pliant__alloc_untouched(&s->allocator, room, sizeof *links);
    if (!links) return false;
    for (uint32_t i = 0; i < aggregates; i++) links[count++] = (pliant__mg_link){i, i};
    for (uint32_t i = 0; i < slots; i++)
        for (uint32_t p = m->patch_first[i]; p < m->patch_first[i + 1]; p++)
            for (uint32_t q = m->patch_first[i]; q < m->patch_first[i + 1]; q++)
                links[count++] = (pliant__mg_link){m->patch[p], m->patch[q]};
    g->levels = 2;
    bool ok = pliant__mg_make_level(&s->allocator, &g->level[1], aggregates, 6, links, count) && pliant__mg_make_coarser(s, g, links) &&
              bound_levels(s, g);
    pliant__free(&s->allocator, links);
    return ok;
}

/* ---- memory ---- */

static bool allocate(pliant_solver *s, pliant__mg_multipliers *own, const pliant__linear_rows *linear)
{
    const pliant_allocator *a = &s->allocator;
    const size_t            rows = s->model->header->lambda_count, slots = s->model->header->slot_count;
    pliant_real           **vectors[] = {&own->rows.x, &own->rows.b, &own->rows.r, &own->rows.d, &own->rows.inverse};
    own->rows.count = (uint32_t)rows;
    own->rows.dofs = own->rows.width = 1;
    own->rows.steps = &pliant__mg_row_steps;
    own->rows.aggregate = pliant__alloc_array(a, rows, sizeof *own->rows.aggregate);
    bool made = own->rows.aggregate MG_ROW_SCRATCH(SCRATCH_MAKE);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        made = made && (*vectors[i] = pliant__alloc_array(a, rows, sizeof **vectors[i]));
    return made;
}

bool pliant__mg_create_multipliers(pliant_solver *s, pliant__mg *g)
{
    pliant__mg_multipliers *m = g->multipliers = pliant__alloc(&s->allocator, sizeof *m);
    g->level[0].count = s->model->header->slot_count;
    g->levels = 1;
    if (!m || !allocate(s, m, &g->linear)) return false;
    touching  t = {0};
    uint32_t *taken = pliant__alloc_untouched(&s->allocator, m->rows.count, sizeof *taken);
    bool      ok = taken && linearize_at_rest(s, g);
    if (ok) find_stresses(s, g);
    ok = ok && gather_rows(s, &t);
    if (ok) {
        const uint32_t aggregates = make_aggregates(s, &t, m->rows.aggregate, taken);
        ok = make_patches(s, m, &t) && (!aggregates || make_levels(s, g, aggregates));
    }
    free_touching(&s->allocator, &t);
    pliant__free(&s->allocator, taken);
    return ok;
}

void pliant__mg_destroy_multipliers(pliant_solver *s, pliant__mg *g)
{
    const pliant_allocator *a = &s->allocator;
    pliant__mg_multipliers *m = g->multipliers, *own = m;
    if (!m) return;
    pliant__mg_free_level(a, &m->rows);
    MG_ROW_SCRATCH(SCRATCH_FREE)
    pliant__free(a, m->patch_first);
    pliant__free(a, m->patch);
    pliant__free(a, m->patch_force);
    pliant__free(a, m);
}
