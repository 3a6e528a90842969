/* Aggregates and coarse matrices of the method multigrid, and what their levels do in a cycle: all levels of the system of displacements, and those
 * above the rows for the system of multipliers, which has no arms (its P is the unit matrix from level 1 on) and bounds of its own.
 *
 * Aggregates (Vanek, Mandel, Brezina 1996, algorithm 5.1): a particle takes all its neighbours if none of them is taken; what is left joins
 * the neighbour with the most links. A coarse node moves its particles as a rigid body, u_i = v + omega x r_i, unsmoothed: rigid motions are
 * what the constraints of a free piece do not resist, so they are what a smoother cannot see (near-null space). Coarse matrices are P^T H P.
 * A constraint within an aggregate does not change under its rigid motion and adds nothing; so level 1 is summed from the rows that lie
 * across, in float64, and no large numbers cancel in it.
 *
 * Smoother: Chebyshev polynomials of D^-1 H, D the diagonal blocks (Adams, Brezina, Hu, Tuminaro 2003), which needs products alone and so has
 * no order. Its upper end is no estimate: a row touches at most n nodes, and (sum of g_s.p_s)^2 <= n sum of (g_s.p_s)^2, so that no
 * eigenvalue of D^-1 H is above n, on any level: the most slots that a row has, or 4, if all have less.
 *
 * Sums are made by node, each over its blocks in their order, so neither threads nor widths change them. */
#include "base/alloc.h"
#include "methods/multigrid.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HIGHEST 4u /* eigenvalue of D^-1 H, in displacements, where no row has more slots */
#define TASK_NODES 512u

typedef pliant_real pack __attribute__((vector_size(4 * sizeof(pliant_real))));
typedef pliant_real loose_pack __attribute__((vector_size(4 * sizeof(pliant_real)), aligned(sizeof(pliant_real)), may_alias));

/* Macros, since a vector that a function returns has another ABI with and without AVX. */
#define load(from) ((pack) * (const loose_pack *)(from))
#define store(to, p) (*(loose_pack *)(to) = (loose_pack)(p))

/* ---- graphs ---- */

typedef pliant__mg_link link;

static int by_ends(const void *a, const void *b)
{
    const link *p = a, *q = b;
    if (p->from != q->from) return p->from < q->from ? -1 : 1;
    return p->to < q->to ? -1 : p->to > q->to;
}

uint32_t pliant__mg_find_block(const pliant__mg_level *l, uint32_t i, uint32_t j)
{
    uint32_t low = l->first[i], high = l->first[i + 1];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (l->column[middle] <= j)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool pliant__mg_make_level(const pliant_allocator *a, pliant__mg_level *l, uint32_t count, uint32_t dofs, link *links, size_t link_count)
{
    size_t blocks = 0;
    qsort(links, link_count, sizeof *links, by_ends); /* equal links are one and the same */
    for (size_t i = 0; i < link_count; i++)
        if (!i || by_ends(&links[i], &links[i - 1])) links[blocks++] = links[i];
    l->count = count;
    l->dofs = dofs;
    l->width = (dofs + 3) / 4 * 4;
    l->blocks = (uint32_t)blocks;
    l->highest = (double)HIGHEST;
    l->steps = &pliant__mg_block_steps;
    l->first = pliant__alloc_array(a, count + (size_t)1, sizeof *l->first);
    l->column = pliant__alloc_array(a, blocks, sizeof *l->column);
    l->diagonal = pliant__alloc_array(a, count, sizeof *l->diagonal);
    l->block = pliant__alloc_array(a, blocks, dofs * l->width * sizeof *l->block);
    l->inverse = pliant__alloc_array(a, count, dofs * l->width * sizeof *l->inverse);
    l->exact = dofs == 6 ? pliant__alloc_array(a, blocks, 36 * sizeof *l->exact) : NULL;
    l->place = pliant__alloc_array(a, count, sizeof *l->place);
    pliant_real **vectors[] = {&l->x, &l->b, &l->r, &l->d};
    bool          made = l->first && l->column && l->diagonal && l->block && l->inverse && (l->exact || dofs == 3) && l->place;
    for (size_t i = 0; i < 4; i++) {
        *vectors[i] = pliant__alloc_array(a, count, l->width * sizeof **vectors[i]);
        made = made && *vectors[i];
    }
    if (!made) return false;
    for (size_t i = 0; i < blocks; i++) {
        l->first[links[i].from + 1]++;
        l->column[i] = links[i].to;
    }
    for (uint32_t i = 0; i < count; i++) l->first[i + 1] += l->first[i];
    for (uint32_t i = 0; i < count; i++) l->diagonal[i] = pliant__mg_find_block(l, i, i);
    return true;
}

/* ---- aggregates ---- */

/* A node that nothing is linked to is left to its own block. */
static bool alone(const pliant__mg_level *l, uint32_t i) { return l->first[i + 1] - l->first[i] < 2; }

static void take_neighbourhoods(pliant__mg_level *l, uint32_t *count)
{
    for (uint32_t n = 0; n < l->count; n++) {
        const uint32_t i = l->visited ? l->visited[n] : n;
        bool           free = !alone(l, i);
        for (uint32_t k = l->first[i]; k < l->first[i + 1] && free; k++) free = l->aggregate[l->column[k]] == PLIANT__NONE;
        if (!free) continue;
        for (uint32_t k = l->first[i]; k < l->first[i + 1]; k++) l->aggregate[l->column[k]] = *count;
        (*count)++;
    }
}

/* The aggregate below `count` that node i has the most links to; the first of equals. */
static uint32_t closest(const pliant__mg_level *l, const uint32_t *taken, uint32_t i)
{
    uint32_t best = PLIANT__NONE, most = 0;
    for (uint32_t k = l->first[i]; k < l->first[i + 1]; k++) {
        uint32_t a = taken[l->column[k]], links = 0;
        for (uint32_t q = l->first[i]; q < l->first[i + 1]; q++) links += taken[l->column[q]] == a;
        if (a == PLIANT__NONE || links < most || (links == most && a >= best)) continue;
        best = a;
        most = links;
    }
    return best;
}

/* Fills l->aggregate; returns how many there are, PLIANT__NONE if there is no memory. */
static uint32_t make_aggregates(const pliant_allocator *a, pliant__mg_level *l)
{
    uint32_t  count = 0;
    uint32_t *taken = pliant__alloc_array(a, l->count, sizeof *taken);
    l->aggregate = pliant__alloc_array(a, l->count, sizeof *l->aggregate);
    l->target = pliant__alloc_array(a, l->blocks, sizeof *l->target);
    if (taken && l->aggregate && l->target) {
        memset(l->aggregate, 0xff, l->count * sizeof *l->aggregate);
        take_neighbourhoods(l, &count);
        memcpy(taken, l->aggregate, l->count * sizeof *taken);
        for (uint32_t i = 0; i < l->count; i++) /* a node with neighbours, none of them free, has one that is taken */
            if (l->aggregate[i] == PLIANT__NONE && !alone(l, i)) l->aggregate[i] = closest(l, taken, i);
    } else
        count = PLIANT__NONE;
    pliant__free(a, taken);
    return count;
}

/* The next level, if there is one to make. */
static bool make_next(const pliant_allocator *a, pliant__mg *g, link *links)
{
    pliant__mg_level *l = &g->level[g->levels - 1];
    uint32_t          count = make_aggregates(a, l);
    size_t            linked = 0;
    if (count == PLIANT__NONE) return false;
    if (!count) return true;
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t k = l->first[i]; k < l->first[i + 1] && !alone(l, i); k++)
            links[linked++] = (link){l->aggregate[i], l->aggregate[l->column[k]]};
    if (!pliant__mg_make_level(a, l + 1, count, 6, links, linked)) return false;
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t k = l->first[i]; k < l->first[i + 1]; k++)
            l->target[k] = alone(l, i) ? PLIANT__NONE : pliant__mg_find_block(l + 1, l->aggregate[i], l->aggregate[l->column[k]]);
    g->levels++;
    return true;
}

/* ---- level 0 ---- */

static uint32_t slots_of(const pliant__batch *b) { return pliant_constraint_describe((pliant_constraint_kind)b->kind)->slots; }

static const uint32_t *row_slots(const pliant__mg *g, const pliant_model *m, const pliant__batch *b, uint32_t row)
{
    return g->slot + g->slot_first[b - m->batches] + (size_t)(row / PLIANT__BLOCK) * PLIANT__BLOCK * slots_of(b) + row % PLIANT__BLOCK;
}

/* Pairs of slots that a row couples and that can ever move. */
static size_t link_rows(const pliant_model *m, const pliant__mg *g, link *links)
{
    size_t count = 0;
    for (uint32_t i = 0; i < m->header->slot_count; i++) links[count++] = (link){i, i};
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch *b = &m->batches[i];
        for (uint32_t row = 0; row < b->count; row++) {
            if (!pliant__has_row(m, b, row)) continue;
            const uint32_t *slot = row_slots(g, m, b, row), n = slots_of(b);
            for (uint32_t p = 0; p < n * n; p++) {
                uint32_t from = slot[p / n * PLIANT__BLOCK], to = slot[p % n * PLIANT__BLOCK];
                if (from != to && m->free_w[from] > 0 && m->free_w[to] > 0) links[count++] = (link){from, to};
            }
        }
    }
    return count;
}

static void place_rows(const pliant_model *m, pliant__mg *g)
{
    const pliant__mg_level *l = &g->level[0];
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch *b = &m->batches[i];
        const uint32_t       n = slots_of(b);
        for (uint32_t row = 0; row < b->count; row++) {
            if (!pliant__has_row(m, b, row)) continue;
            const uint32_t *slot = row_slots(g, m, b, row);
            uint32_t *to = g->position + g->position_first[i] + (size_t)(row / PLIANT__BLOCK) * n * n * PLIANT__BLOCK + row % PLIANT__BLOCK;
            for (uint32_t p = 0; p < n * n; p++) {
                uint32_t from = slot[p / n * PLIANT__BLOCK], with = slot[p % n * PLIANT__BLOCK];
                to[p * PLIANT__BLOCK] = m->free_w[from] > 0 && m->free_w[with] > 0 ? pliant__mg_find_block(l, from, with) : PLIANT__NONE;
            }
        }
    }
}

bool pliant__mg_make_coarser(pliant_solver *s, pliant__mg *g, link *links)
{
    const pliant_allocator *a = &s->allocator;
    while (g->levels < PLIANT__MG_LEVELS && (g->levels == 1 || g->level[g->levels - 1].count > PLIANT__MG_COARSEST)) {
        uint32_t before = g->levels;
        if (!make_next(a, g, links)) return false;
        if (g->levels == before) break;
    }
    const size_t last = 6 * (size_t)g->level[g->levels - 1].count;
    if (g->levels == 1 || last > 6 * PLIANT__MG_COARSEST) return true;
    g->factor = pliant__alloc_array(a, last * last, sizeof *g->factor);
    g->column = pliant__alloc_array(a, last, sizeof *g->column);
    return g->factor && g->column;
}

/* Slots so that neighbours come near each other: those of tiles in the order of their grid. */
static bool order_slots(const pliant_allocator *a, const pliant_model *m, pliant__mg_level *l)
{
    l->visited = pliant__alloc_array(a, l->count, sizeof *l->visited);
    for (uint32_t i = 0; l->visited && i < l->count; i++) l->visited[i] = i;
    for (uint32_t i = 0; l->visited && i < m->rounds[0].patch_count; i++)
        for (uint32_t place = 0; m->patches[i].groups && place < m->patches[i].slot_count; place++)
            l->visited[m->patches[i].first_slot + place] = pliant__tile_slot(&m->patches[i], place);
    return l->visited != NULL;
}

/* Bounds the eigenvalues of all levels by the slots of rows. */
static void bound_levels(const pliant_model *m, pliant__mg *g)
{
    uint32_t most = HIGHEST;
    for (size_t i = 0; i < model_count(m, batches); i++) most = slots_of(&m->batches[i]) > most ? slots_of(&m->batches[i]) : most;
    for (uint32_t n = 0; n < g->levels; n++) g->level[n].highest = (double)most;
}

bool pliant__mg_create_levels(pliant_solver *s, pliant__mg *g)
{
    const pliant_allocator *a = &s->allocator;
    const pliant_model     *m = s->model;
    size_t                  room = m->header->slot_count;
    for (size_t i = 0; i < model_count(m, batches); i++)
        room += (size_t)m->batches[i].count * slots_of(&m->batches[i]) * slots_of(&m->batches[i]);
    link *links = pliant__alloc_untouched(a, room, sizeof *links);
    bool  ok = links && pliant__mg_make_level(a, &g->level[0], m->header->slot_count, 3, links, link_rows(m, g, links));
    g->levels = 1;
    if (ok) place_rows(m, g);
    ok = ok && order_slots(a, m, &g->level[0]) && pliant__mg_make_coarser(s, g, links);
    if (ok) bound_levels(m, g);
    pliant__free(a, links);
    return ok;
}

void pliant__mg_free_level(const pliant_allocator *a, pliant__mg_level *l)
{
    void *all[] = {l->first,   l->column, l->diagonal, l->aggregate, l->target, l->visited, l->block,
                   l->inverse, l->exact,  l->place,    l->x,         l->b,      l->r,       l->d};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) pliant__free(a, all[k]);
}

void pliant__mg_destroy_levels(pliant_solver *s, pliant__mg *g)
{
    for (uint32_t i = 0; i < PLIANT__MG_LEVELS; i++) pliant__mg_free_level(&s->allocator, &g->level[i]);
    pliant__free(&s->allocator, g->factor);
    pliant__free(&s->allocator, g->column);
}

/* ---- tasks ---- */

static void node_task(void *solver, uint32_t index)
{
    pliant_solver *s = solver;
    pliant__mg    *g = s->method_data;
    uint32_t       first = index * TASK_NODES, end = first + TASK_NODES;
    g->nodes(s, g->at, first, end < g->at->count ? end : g->at->count);
}

void pliant__mg_run(pliant_solver *s, pliant__mg_level *l, void (*nodes)(pliant_solver *, pliant__mg_level *, uint32_t, uint32_t))
{
    pliant__mg *g = s->method_data;
    g->nodes = nodes;
    g->at = l;
    pliant__run_light(s, node_task, (l->count + TASK_NODES - 1) / TASK_NODES);
}

/* ---- matrices ---- */

void pliant__mg_invert(uint32_t n, const double *a, double *out)
{
    double L[36], D[6];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j <= i; j++) {
            double v = a[i * n + j];
            for (uint32_t k = 0; k < j; k++) v -= L[i * n + k] * L[j * n + k] * D[k];
            if (j < i)
                L[i * n + j] = D[j] > 0 ? v / D[j] : 0;
            else
                D[i] = v > 1e-9 * a[i * n + i] ? v : 0;
        }
    for (uint32_t c = 0; c < n; c++) {
        double y[6];
        for (uint32_t i = 0; i < n; i++) {
            y[i] = i == c;
            for (uint32_t k = 0; k < i; k++) y[i] -= L[i * n + k] * y[k];
            if (!(D[i] > 0)) y[i] = 0;
        }
        for (uint32_t i = n; i-- > 0;) {
            y[i] = D[i] > 0 ? y[i] / D[i] : 0;
            for (uint32_t k = i + 1; k < n && D[i] > 0; k++) y[i] -= L[k * n + i] * y[k];
        }
        for (uint32_t i = 0; i < n; i++) out[i * n + c] = y[i];
    }
}

static void put_inverse(pliant__mg_level *l, uint32_t node, const double *a)
{
    double       inverse[36];
    pliant_real *to = l->inverse + (size_t)node * l->dofs * l->width;
    pliant__mg_invert(l->dofs, a, inverse);
    for (uint32_t c = 0; c < l->dofs; c++)
        for (uint32_t r = 0; r < l->dofs; r++) to[c * l->width + r] = (pliant_real)inverse[r * l->dofs + c];
}

void pliant__mg_own_matrix(const double *own, double m[9])
{
    const double all[9] = {own[0], own[3], own[5], own[3], own[1], own[4], own[5], own[4], own[2]};
    memcpy(m, all, sizeof all);
}

/* What each particle has of its own joins its block with itself. */
static void finish_finest(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    pliant__mg *g = s->method_data;
    for (uint32_t i = first; i < end; i++) {
        pliant_real *block = l->block + 12 * (size_t)l->diagonal[i];
        double       own[9], a[9];
        if (g->still[i]) {
            memset(l->inverse + 12 * (size_t)i, 0, 12 * sizeof *l->inverse);
            continue;
        }
        pliant__mg_own_matrix(g->own + 6 * (size_t)i, own);
        for (uint32_t c = 0; c < 3; c++)
            for (uint32_t r = 0; r < 3; r++) {
                a[r * 3 + c] = (double)block[c * 4 + r] + own[r * 3 + c];
                block[c * 4 + r] = (pliant_real)a[r * 3 + c];
            }
        put_inverse(l, i, a);
    }
}

static void finish_coarse(pliant__mg_level *l)
{
    for (uint32_t i = 0; i < l->count; i++) {
        for (uint32_t k = l->first[i]; k < l->first[i + 1]; k++)
            for (uint32_t c = 0; c < 6; c++)
                for (uint32_t r = 0; r < 6; r++) l->block[48 * (size_t)k + c * 8 + r] = (pliant_real)l->exact[36 * (size_t)k + r * 6 + c];
        put_inverse(l, i, l->exact + 36 * (size_t)l->diagonal[i]);
    }
}

/* ---- places ---- */

static void find_places(pliant_solver *s)
{
    pliant__mg *g = s->method_data;
    for (uint32_t i = 0; i < g->level[0].count; i++) {
        pliant__mg_place *p = &g->level[0].place[i];
        for (uint32_t c = 0; c < 3; c++) p->at[c] = (double)PLIANT__SLOT(s->state->x, i)[c];
        p->count = g->still[i] ? 0 : 1;
    }
    for (pliant__mg_level *l = g->level; l < g->level + g->levels - 1; l++) {
        pliant__mg_level *coarse = l + 1;
        memset(coarse->place, 0, coarse->count * sizeof *coarse->place);
        for (uint32_t i = 0; i < l->count; i++) {
            pliant__mg_place *p = &l->place[i];
            if (l->aggregate[i] == PLIANT__NONE) continue;
            pliant__mg_place *into = &coarse->place[l->aggregate[i]];
            into->count += p->count;
            for (uint32_t c = 0; c < 3; c++) into->at[c] += p->count * p->at[c];
        }
        for (uint32_t i = 0; i < coarse->count; i++)
            for (uint32_t c = 0; c < 3 && coarse->place[i].count > 0; c++) coarse->place[i].at[c] /= coarse->place[i].count;
        for (uint32_t i = 0; i < l->count; i++)
            for (uint32_t c = 0; c < 3 && l->aggregate[i] != PLIANT__NONE; c++)
                l->place[i].arm[c] = l->place[i].at[c] - coarse->place[l->aggregate[i]].at[c];
    }
}

void pliant__mg_add_wrench(double to[6], const double arm[3], const double f[3])
{
    for (uint32_t c = 0; c < 3; c++) {
        to[c] += f[c];
        to[3 + c] += arm[(c + 1) % 3] * f[(c + 2) % 3] - arm[(c + 2) % 3] * f[(c + 1) % 3];
    }
}

/* ---- coarse matrices ---- */

static void add_outer(double *to, const double *a, const double *b)
{
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t j = 0; j < 6; j++) to[i * 6 + j] += a[i] * b[j];
}

/* The particles' own: T^T own T, T = [1, -[arm]x]. */
static void add_own(pliant__mg *g, pliant__mg_level *l, pliant__mg_level *coarse)
{
    for (uint32_t i = 0; i < l->count; i++) {
        double own[9], half[3][6] = {{0}}, unit[3];
        if (l->aggregate[i] == PLIANT__NONE || g->still[i]) continue;
        pliant__mg_own_matrix(g->own + 6 * (size_t)i, own);
        for (uint32_t c = 0; c < 3; c++) pliant__mg_add_wrench(half[c], l->place[i].arm, own + 3 * c); /* own T, by its rows */
        double *to = coarse->exact + 36 * (size_t)l->target[l->diagonal[i]];
        for (uint32_t c = 0; c < 3; c++) {
            double t[6] = {0};
            memset(unit, 0, sizeof unit);
            unit[c] = 1;
            pliant__mg_add_wrench(t, l->place[i].arm, unit);
            add_outer(to, t, half[c]);
        }
    }
}

/* One row of a constraint: its gradients, gathered by aggregate. */
typedef struct gathered {
    uint32_t count, node[PLIANT_MAX_SLOTS], of[PLIANT_MAX_SLOTS], first[PLIANT_MAX_SLOTS]; /* aggregates; of each slot; a slot of each */
    bool     cut;                                                                          /* some slot does not move */
} gathered;

static gathered gather_slots(const pliant__mg *g, const uint32_t *slot, uint32_t slots)
{
    gathered                out = {0};
    const pliant__mg_level *l = &g->level[0];
    for (uint32_t s = 0; s < slots; s++) {
        uint32_t a = g->still[slot[s * PLIANT__BLOCK]] ? PLIANT__NONE : l->aggregate[slot[s * PLIANT__BLOCK]], n = 0;
        out.of[s] = PLIANT__NONE;
        if (a == PLIANT__NONE) {
            out.cut = true;
            continue;
        }
        while (n < out.count && out.node[n] != a) n++;
        if (n == out.count) {
            out.first[n] = s;
            out.node[out.count++] = a;
        }
        out.of[s] = n;
    }
    return out;
}

static void add_row(const pliant__mg *g, const gathered *in, const uint32_t *slot, const uint32_t *position, const pliant_real *gradient,
                    double k, uint32_t slots)
{
    const pliant__mg_level *l = &g->level[0];
    double                  wrench[PLIANT_MAX_SLOTS][6] = {{0}}, scaled[6];
    for (uint32_t s = 0; s < slots; s++) {
        const pliant_real *v = gradient + (size_t)s * 3 * PLIANT__BLOCK;
        const double       f[3] = {(double)v[0], (double)v[PLIANT__BLOCK], (double)v[2 * PLIANT__BLOCK]};
        if (in->of[s] != PLIANT__NONE) pliant__mg_add_wrench(wrench[in->of[s]], l->place[slot[s * PLIANT__BLOCK]].arm, f);
    }
    for (uint32_t a = 0; a < in->count; a++) {
        for (uint32_t i = 0; i < 6; i++) scaled[i] = k * wrench[a][i];
        for (uint32_t b = 0; b < in->count; b++) {
            if (in->node[b] < in->node[a]) continue; /* mirror_blocks */
            uint32_t fine = position[(in->first[a] * slots + in->first[b]) * PLIANT__BLOCK];
            add_outer(l[1].exact + 36 * (size_t)l->target[fine], scaled, wrench[b]);
        }
    }
}

/* Blocks below the diagonal are those above it, turned. */
static void mirror_blocks(pliant__mg_level *l)
{
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t k = l->first[i]; k < l->first[i + 1] && l->column[k] < i; k++) {
            const double *from = l->exact + 36 * (size_t)pliant__mg_find_block(l, l->column[k], i);
            for (uint32_t c = 0; c < 36; c++) l->exact[36 * (size_t)k + c] = from[c % 6 * 6 + c / 6];
        }
}

/* What a taut row resists across itself. */
static void add_taut(const pliant_solver *s, uint32_t number, uint32_t row, const gathered *in)
{
    const pliant__mg     *g = s->method_data;
    const pliant__mg_rows rows = pliant__mg_rows_at(s, number, row / PLIANT__BLOCK);
    const uint32_t        lane = row % PLIANT__BLOCK;
    pliant_real           across[2][PLIANT__MG_PAIR];
    const double          k = pliant__mg_find_taut(s, &rows, lane, across);
    for (uint32_t i = 0; i < 2 && k > 0; i++) add_row(g, in, rows.slot + lane, rows.position + lane, across[i], k, rows.slots);
}

/* Rows across aggregates, and within one those that its rigid motion changes: with a slot that does not move, or of a kind that is bound to
 * the frame. Taut rows resist turns wherever they are. */
static void add_batch(pliant_solver *s, uint32_t number)
{
    pliant__mg                   *g = s->method_data;
    const pliant__batch          *b = &s->model->batches[number];
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b->kind);
    const uint32_t                n = info->slots;
    for (uint32_t row = 0; row < b->count; row++) {
        if (!pliant__has_row(s->model, b, row)) continue;
        const uint32_t  block = row / PLIANT__BLOCK, lane = row % PLIANT__BLOCK, *slot = row_slots(g, s->model, b, row);
        const uint32_t *position = g->position + g->position_first[number] + (size_t)block * n * n * PLIANT__BLOCK + lane;
        gathered        in = gather_slots(g, slot, n);
        if (!in.count) continue;
        add_taut(s, number, row, &in);
        if (in.count == 1 && !in.cut && !(info->flags & PLIANT_ROW_FRAME_BOUND)) continue;
        for (uint32_t r = 0; r < info->rows; r++) {
            const size_t at = (size_t)block * info->rows + r;
            const double k = (double)g->k[b->lambda + at * PLIANT__BLOCK + lane];
            if (k > 0)
                add_row(g, &in, slot, position, g->linear.gradient + g->linear.gradient_first[number] + at * n * 3 * PLIANT__BLOCK + lane,
                        k, n);
        }
    }
}

/* T, by which a rigid motion of the aggregate moves a node of its own six. */
static void transfer(const double arm[3], double T[6][6])
{
    memset(T, 0, 36 * sizeof(double));
    for (uint32_t i = 0; i < 6; i++) T[i][i] = 1;
    T[0][4] = arm[2], T[0][5] = -arm[1];
    T[1][3] = -arm[2], T[1][5] = arm[0];
    T[2][3] = arm[1], T[2][4] = -arm[0];
}

/* P^T H P of a level of rigid motions. */
static void coarsen(const pliant__mg_level *l, pliant__mg_level *coarse)
{
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t k = l->first[i]; k < l->first[i + 1]; k++) {
            double        left[6][6], right[6][6], half[6][6] = {{0}};
            const double *from = l->exact + 36 * (size_t)k;
            if (l->target[k] == PLIANT__NONE) continue;
            double *to = coarse->exact + 36 * (size_t)l->target[k];
            transfer(l->place[i].arm, left);
            transfer(l->place[l->column[k]].arm, right);
            for (uint32_t p = 0; p < 6; p++)
                for (uint32_t q = 0; q < 6; q++)
                    for (uint32_t c = 0; c < 6; c++) half[p][c] += from[p * 6 + q] * right[q][c];
            for (uint32_t p = 0; p < 6; p++)
                for (uint32_t q = 0; q < 6; q++)
                    for (uint32_t c = 0; c < 6; c++) to[p * 6 + c] += left[q][p] * half[q][c];
        }
}

/* Cholesky's factor of the last level; a direction that it does not resist gets a pivot of 0. */
static void factorize(pliant__mg *g)
{
    const pliant__mg_level *l = &g->level[g->levels - 1];
    const size_t            n = 6 * (size_t)l->count;
    double                 *L = g->factor;
    memset(L, 0, n * n * sizeof *L);
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t k = l->first[i]; k < l->first[i + 1]; k++)
            for (uint32_t r = 0; r < 6; r++)
                memcpy(L + (6 * (size_t)i + r) * n + 6 * (size_t)l->column[k], l->exact + 36 * (size_t)k + 6 * r, 6 * sizeof *L);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double v = L[i * n + j];
            for (size_t k = 0; k < j; k++) v -= L[i * n + k] * L[j * n + k];
            if (j < i)
                L[i * n + j] = L[j * n + j] > 0 ? v / L[j * n + j] : 0;
            else
                L[i * n + i] = v > 1e-10 * L[i * n + i] ? sqrt(v) : 0;
        }
}

void pliant__mg_prepare_coarse(pliant_solver *s)
{
    pliant__mg *g = s->method_data;
    for (uint32_t i = 1; i < g->levels; i++) {
        if (i == 1)
            mirror_blocks(&g->level[1]);
        else {
            memset(g->level[i].exact, 0, 36 * (size_t)g->level[i].blocks * sizeof *g->level[i].exact);
            coarsen(&g->level[i - 1], &g->level[i]);
        }
        finish_coarse(&g->level[i]);
    }
    if (g->factor) factorize(g);
}

void pliant__mg_prepare(pliant_solver *s)
{
    pliant__mg *g = s->method_data;
    if (g->stale) find_places(s);
    if (g->stale && g->levels > 1) {
        memset(g->level[1].exact, 0, 36 * (size_t)g->level[1].blocks * sizeof *g->level[1].exact);
        add_own(g, &g->level[0], &g->level[1]);
        for (uint32_t i = 0; i < model_count(s->model, batches); i++) add_batch(s, i);
    }
    pliant__mg_run(s, &g->level[0], finish_finest);
    if (g->stale) pliant__mg_prepare_coarse(s);
}

/* ---- a cycle ---- */

void pliant__mg_product(const pliant__mg_level *l, const pliant_real *x, pliant_real *y, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        pack a = {0}, b = {0};
        if (l->dofs == 3)
            for (uint32_t k = l->first[i]; k < l->first[i + 1]; k++) {
                const pliant_real *m = l->block + 12 * (size_t)k, *v = PLIANT__SLOT(x, l->column[k]);
                a += load(m) * v[0] + load(m + 4) * v[1] + load(m + 8) * v[2];
            }
        else
            for (uint32_t k = l->first[i]; k < l->first[i + 1]; k++) {
                const pliant_real *m = l->block + 48 * (size_t)k, *v = x + 8 * (size_t)l->column[k];
                for (uint32_t c = 0; c < 6; c++) {
                    a += load(m + 8 * c) * v[c];
                    b += load(m + 8 * c + 4) * v[c];
                }
            }
        store(y + l->width * (size_t)i, a);
        if (l->width > 4) store(y + l->width * (size_t)i + 4, b);
    }
}

static void residual_nodes(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    (void)s;
    pliant__mg_product(l, l->x, l->r, first, end);
    for (size_t i = l->width * (size_t)first; i < l->width * (size_t)end; i++) l->r[i] = l->b[i] - l->r[i];
}

static void find_residual(pliant_solver *s, pliant__mg_level *l) { pliant__mg_run(s, l, residual_nodes); }

static void smooth_nodes(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    const pliant__mg  *g = s->method_data;
    const bool         begins = !(g->before > 0);
    const pliant_real *residual = g->fresh ? l->b : l->r;
    for (size_t i = first; i < end; i++) {
        const pliant_real *inverse = l->inverse + i * l->dofs * l->width, *r = residual + i * l->width;
        for (uint32_t half = 0; half < l->width; half += 4) {
            pliant_real *d = l->d + i * l->width + half, *x = l->x + i * l->width + half;
            pack         a = {0};
            for (uint32_t c = 0; c < l->dofs; c++) a += load(inverse + c * l->width + half) * r[c];
            a *= g->now;
            if (!begins) a += load(d) * g->before;
            store(d, a);
            store(x, g->fresh ? a : load(x) + a);
        }
    }
}

/* b of the next level: forces and torques of r. */
static void restrict_residual(const pliant__mg *g, const pliant__mg_level *l)
{
    const pliant__mg_level *coarse = l + 1;
    memset(coarse->b, 0, 8 * (size_t)coarse->count * sizeof *coarse->b);
    for (size_t i = 0; i < l->count; i++) {
        const pliant_real *r = l->r + l->width * i,
                          arm[3] = {(pliant_real)l->place[i].arm[0], (pliant_real)l->place[i].arm[1], (pliant_real)l->place[i].arm[2]};
        if (l->aggregate[i] == PLIANT__NONE || (l->dofs == 3 && g->still[i])) continue;
        pliant_real *to = coarse->b + 8 * (size_t)l->aggregate[i];
        for (uint32_t c = 0; c < 3; c++) {
            to[c] += r[c];
            to[3 + c] += arm[(c + 1) % 3] * r[(c + 2) % 3] - arm[(c + 2) % 3] * r[(c + 1) % 3];
            if (l->dofs == 6) to[3 + c] += r[3 + c];
        }
    }
}

/* x of this level moves with the aggregates. */
static void prolong(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    const pliant__mg *g = s->method_data;
    for (size_t i = first; i < end; i++) {
        const pliant_real arm[3] = {(pliant_real)l->place[i].arm[0], (pliant_real)l->place[i].arm[1], (pliant_real)l->place[i].arm[2]};
        if (l->aggregate[i] == PLIANT__NONE || (l->dofs == 3 && g->still[i])) continue;
        const pliant_real *u = l[1].x + 8 * (size_t)l->aggregate[i];
        pliant_real       *x = l->x + l->width * i;
        for (uint32_t c = 0; c < 3; c++) {
            x[c] += u[c] + (u[3 + (c + 1) % 3] * arm[(c + 2) % 3] - u[3 + (c + 2) % 3] * arm[(c + 1) % 3]);
            if (l->dofs == 6) x[3 + c] += u[3 + c];
        }
    }
}

const pliant__mg_steps pliant__mg_block_steps = {find_residual, smooth_nodes, restrict_residual, prolong};

void pliant__mg_solve_last(pliant__mg *g)
{
    pliant__mg_level *l = &g->level[g->levels - 1];
    const size_t      n = 6 * (size_t)l->count;
    const double     *L = g->factor;
    double           *y = g->column;
    for (size_t i = 0; i < n; i++) {
        y[i] = (double)l->b[i / 6 * 8 + i % 6];
        for (size_t k = 0; k < i; k++) y[i] -= L[i * n + k] * y[k];
        y[i] = L[i * n + i] > 0 ? y[i] / L[i * n + i] : 0;
    }
    for (size_t i = n; i-- > 0;) {
        y[i] = L[i * n + i] > 0 ? y[i] / L[i * n + i] : 0;
        for (size_t k = 0; k < i; k++) y[k] -= L[i * n + k] * y[i];
        l->x[i / 6 * 8 + i % 6] = (pliant_real)y[i];
    }
}
