/* Hierarchical: coarse levels of the distances are solved first, and what they moved comes down to the finer ones (Müller 2008).
 *
 * A cycle goes up from the model's particles to the coarsest level, averaging, and comes down again, solving; then it does one sweep of
 * Gauss-Seidel over everything. With P the interpolation from a level to the next finer one, by inverse distances, and M the finer masses:
 *
 *   up      X = s + D^-1 P^T M (x - start)        s: where the coarse particles themselves were at the start of the substep,
 *                                                 D: the masses lumped by P, that is P^T M with its rows summed up
 *   solve   |X_p - X_q| <= d_pq, sweep by sweep   as the one-sided distances that they are, with masses D
 *   down    x += P (X after - X before)
 *
 * So a coarse constraint C(X(x)) has the gradient M P D^-1 grad C, and what comes down is M^-1 times that gradient times a multiplier: a
 * projection like every other, which keeps momentum and cannot add energy as long as start satisfies it. Taking x itself for X instead
 * of the average, as the paper does, takes what a single particle does for what its surroundings do: in small steps that blows up noise.
 *
 * d_pq is the most that the two can be apart while the distances of the model hold (level_length.c), so a coarse level never acts on what is
 * solved, but folded, curved or slack. Where start exceeds it, half of what is too long may stay for now: taken back at once, what fine
 * particles have left over would be thrown at their surroundings with a speed of its length over h.
 *
 * A coarse distance has the compliances along its way in series, and keeps its multiplier through the substep. Still it carries what the fine
 * ones would have been stretched by, so it takes part only while it is nearly rigid, alpha~ <= 0.1 (w_p + w_q): what is softer needs no
 * coarse level to converge.
 *
 * Pins stay where they are on every level. A contact holds back what would push its particle further in; to push it out is left to the
 * finest level, where friction sees the whole of it. Everything that is not a distance takes part on the finest level only. */
#include "base/alloc.h"
#include "contact/contacts.h"
#include "methods/levels.h"
#include "solver/laws.h"
#include "solver/method.h"
#include "solver/off.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"

#define STAYS ((pliant_real)0.5) /* of what start is too long by */
#define SOFT ((pliant_real)0.1)  /* a coarse distance takes part while its alpha~ is at most so many times its w_p + w_q */
#define FAR ((pliant_real)1e18)  /* m; nothing is farther */
#define TASK 512u                /* particles */
#define BLOCKS 64u               /* of rows, in a task */

/* Position and inverse mass of a particle, moved about as one. */
typedef pliant_real four __attribute__((vector_size(4 * sizeof(pliant_real)), aligned(sizeof(pliant_real)), may_alias));

static inline const four *from(const pliant_real *x, uint32_t particle) { return (const four *)(PLIANT__SLOT(x, particle)); }
static inline four       *to(pliant_real *x, uint32_t particle) { return (four *)(PLIANT__SLOT(x, particle)); }

/* A contact of a coarse particle: n . X >= limit. */
typedef struct hold {
    uint32_t    particle;
    pliant_vec3 normal;
    pliant_real limit;
} hold;

/* A level while it is solved. The last place of each array of particles is what padding refers to. */
typedef struct level_now {
    pliant_real     *x, *start, *moved; /* 4 per particle; moved: X before until it is solved, then by how much */
    pliant_real     *length;            /* per packed row: what it is held to in this substep */
    pliant_real     *lambda;            /* per packed row; NULL where no method needs it */
    pliant__law_now *laws;              /* per packed row, or one */
    hold            *holds;
    uint32_t         hold_count, hold_room;
    pliant_model     view; /* what kernels read of a model */
} level_now;

typedef struct hierarchy {
    pliant__levels *levels;
    uint16_t       *active; /* all of them */
    uint32_t        at, wave;
    pliant__sweep   sweep;
    level_now       now[PLIANT__MOST_LEVELS];
} hierarchy;

/* ---- up ---- */

/* Displacements of a level's particles: their own, and those of particles that were left out, averaged. */
static void average(void *solver, uint32_t task)
{
    pliant_solver       *s = solver;
    hierarchy           *h = s->method_data;
    const pliant__level *v = &h->levels->level[h->at];
    level_now           *n = &h->now[h->at];
    const pliant_real   *x = h->at ? n[-1].x : s->state->x, *start = h->at ? n[-1].start : s->start;
    for (uint32_t p = task * TASK; p < v->count && p < (task + 1) * TASK; p++) {
        const uint32_t own = v->own[p];
        const four     was = *from(start, own), is = *from(x, own);
        four           sum = v->own_share[p] * (is - was);
        for (uint32_t k = v->child_first[p]; k < v->child_first[p + 1]; k++)
            sum += v->share[k] * (*from(x, v->child[k]) - *from(start, v->child[k]));
        const bool free = is[3] > 0;
        if (free)
            sum += was;
        else
            sum = is;
        sum[3] = free ? v->w[p] : 0;
        *to(n->start, p) = was;
        *to(n->moved, p) = *to(n->x, p) = sum;
    }
}

/* How long the rows of a block may be, from start. Of sqrt(q) = (1 + 3 q) / (3 + q) + ..., Padé's approximation at 1, which is what vectors have
 * without libm; it is too small where much is stretched, and then more is taken back. */
static void bound_block(const pliant__level *v, level_now *n, uint32_t block)
{
    const uint32_t *index = v->row_index + (size_t)block * 2 * PLIANT__BLOCK;
    pliant_real     d[3][PLIANT__BLOCK];
    for (uint32_t i = 0; i < PLIANT__BLOCK; i++) {
        const four by = *from(n->start, index[i]) - *from(n->start, index[PLIANT__BLOCK + i]);
        for (uint32_t c = 0; c < 3; c++) d[c][i] = by[c];
    }
    for (uint32_t i = 0, r = block * PLIANT__BLOCK; i < PLIANT__BLOCK; i++, r++) {
        const pliant_real most = v->row_parameter[r], most2 = most * most;
        const pliant_real was2 = d[0][i] * d[0][i] + d[1][i] * d[1][i] + d[2][i] * d[2][i];
        const pliant_real more = was2 > most2 ? was2 - most2 : 0;
        n->length[r] = most + 2 * STAYS * most * more / (3 * most2 + was2 + (pliant_real)1e-30);
    }
    for (uint32_t i = 0, r = block * PLIANT__BLOCK; v->compliance && i < PLIANT__BLOCK; i++, r++)
        if (n->laws[r].alpha > SOFT * (PLIANT__SLOT(n->x, index[i])[3] + PLIANT__SLOT(n->x, index[PLIANT__BLOCK + i])[3]))
            n->length[r] = FAR;
}

static void bound(void *solver, uint32_t task)
{
    pliant_solver       *s = solver;
    hierarchy           *h = s->method_data;
    const pliant__level *v = &h->levels->level[h->at];
    for (uint32_t b = task * BLOCKS; b < v->row_count / PLIANT__BLOCK && b < (task + 1) * BLOCKS; b++) bound_block(v, &h->now[h->at], b);
}

/* What touches hold on this level, from those on the finer one; all touches for the finest coarse level. */
static void find_holds(pliant_solver *s, hierarchy *h)
{
    const pliant__level *v = &h->levels->level[h->at];
    level_now           *n = &h->now[h->at];
    n->hold_count = 0;
    for (uint32_t i = 0; h->at && i < n[-1].hold_count && n->hold_count < n->hold_room; i++) {
        hold t = n[-1].holds[i];
        t.particle = v->up[t.particle];
        if (t.particle != PLIANT__NONE) n->holds[n->hold_count++] = t;
    }
    for (size_t c = 0; !h->at && n->hold_room && c < model_count(s->model, chunks); c++)
        for (uint32_t i = 0; i < s->chunks[c].touch_count && n->hold_count < n->hold_room; i++) {
            const pliant__touch *t = &s->contacts->touches[s->chunks[c].first_touch + i];
            if (v->up[t->slot] != PLIANT__NONE) n->holds[n->hold_count++] = (hold){v->up[t->slot], t->normal, t->offset};
        }
}

static uint32_t tasks_of(uint32_t count) { return (count + TASK - 1) / TASK; }

static void go_up(pliant_solver *s, hierarchy *h, bool first)
{
    for (h->at = 0; h->at < h->levels->count; h->at++) {
        pliant__run_light(s, average, tasks_of(h->levels->level[h->at].count));
        if (first) pliant__run_light(s, bound, (h->levels->level[h->at].row_count / PLIANT__BLOCK + BLOCKS - 1) / BLOCKS);
        find_holds(s, h);
    }
}

/* ---- down ---- */

static void walk_wave(void *solver, uint32_t task)
{
    const pliant_solver *s = solver;
    const hierarchy     *h = s->method_data;
    const pliant__batch *w = &h->levels->level[h->at].waves[h->wave];
    const uint32_t       blocks = (w->count + PLIANT__BLOCK - 1) / PLIANT__BLOCK, first = task * BLOCKS;
    const uint32_t       left = blocks - first;
    s->backend.kernels->kinds[w->kind]->project(&h->sweep, w, first, left < BLOCKS ? left : BLOCKS);
}

/* A particle in contact goes no further in than the average that came up had it. */
static void keep_out(level_now *n)
{
    for (uint32_t i = 0; i < n->hold_count; i++) {
        const hold       *t = &n->holds[i];
        const pliant_vec3 x = pliant__slot_x(n->x, t->particle);
        const pliant_real came = v3_dot(t->normal, pliant__slot_x(n->moved, t->particle));
        const pliant_real deep = (came < t->limit ? came : t->limit) - v3_dot(t->normal, x);
        if (deep > 0 && PLIANT__SLOT(n->x, t->particle)[3] > 0) pliant__set_slot_x(n->x, t->particle, v3_madd(x, t->normal, deep));
    }
}

static void solve_level(pliant_solver *s, hierarchy *h, bool first)
{
    const pliant__level *v = &h->levels->level[h->at];
    level_now           *n = &h->now[h->at];
    h->sweep = (pliant__sweep){.model = &n->view,
                               .wide_index = v->row_index,
                               .x = n->x,
                               .start = n->start,
                               .lambda = n->lambda,
                               .active = h->active,
                               .laws = n->laws};
    for (uint32_t i = 0; i < s->method.coarse_iterations; i++) {
        h->sweep.first = i == 0 && (first || !v->compliance);
        for (h->wave = 0; h->wave < v->wave_count; h->wave++)
            pliant__run(s, walk_wave, (v->waves[h->wave].count + PLIANT__BLOCK * BLOCKS - 1) / (PLIANT__BLOCK * BLOCKS));
        keep_out(n);
    }
}

/* By how much a level's particles were moved; those that are themselves in the finer level move there at once. */
static void move_own(void *solver, uint32_t task)
{
    pliant_solver       *s = solver;
    hierarchy           *h = s->method_data;
    const pliant__level *v = &h->levels->level[h->at];
    level_now           *n = &h->now[h->at];
    pliant_real         *x = h->at ? n[-1].x : s->state->x;
    for (uint32_t p = task * TASK; p < v->count && p < (task + 1) * TASK; p++) {
        const four is = *from(n->x, p);
        four       by = is - *from(n->moved, p);
        by[3] = 0;
        *to(n->moved, p) = by;
        if (is[3] > 0) *to(x, v->own[p]) += by;
    }
}

static void move_left(void *solver, uint32_t task)
{
    pliant_solver       *s = solver;
    hierarchy           *h = s->method_data;
    const pliant__level *v = &h->levels->level[h->at];
    level_now           *n = &h->now[h->at];
    pliant_real         *x = h->at ? n[-1].x : s->state->x;
    for (uint32_t i = task * TASK; i < v->left_count && i < (task + 1) * TASK; i++) {
        four sum = {0};
        for (uint32_t k = v->parent_first[i]; k < v->parent_first[i + 1]; k++) sum += v->weight[k] * *from(n->moved, v->parent[k]);
        if (PLIANT__SLOT(x, v->left[i])[3] > 0) *to(x, v->left[i]) += sum;
    }
}

static void go_down(pliant_solver *s, hierarchy *h, bool first)
{
    for (h->at = h->levels->count; h->at-- > 0;) {
        solve_level(s, h, first);
        pliant__run_light(s, move_own, tasks_of(h->levels->level[h->at].count));
        pliant__run_light(s, move_left, tasks_of(h->levels->level[h->at].left_count));
    }
}

/* ---- a substep ---- */

/* Whether what the coarse levels were made from still holds: a distance that is switched off, or yields more than the model says, would be held
 * by them. */
static bool levels_hold(const pliant_solver *s)
{
    const pliant_model *m = s->model;
    if (pliant__ties_off(s)) return false;
    for (size_t i = 0; i < model_count(m, laws); i++) {
        const pliant__model_law *was = &m->laws[i], *is = &s->inputs->law[i];
        if (is->compliance > was->compliance || is->stiffness < was->stiffness || is->range_max > was->range_max) return false;
    }
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch *b = &m->batches[i];
        if (!pliant__kind_has(b->kind, PLIANT_ROW_EDGE)) continue;
        for (uint32_t k = 0; k < pliant__blocks(b); k++)
            if (~(uint32_t)s->state->active[b->first_row / PLIANT__BLOCK + k] & pliant__block_rows(m, b, k)) return false;
    }
    return true;
}

/* Rows of coarse levels are eased as those of the finest are: where substeps grow shorter they would else be stiffer springs at once. */
static void ready_level_laws(pliant_solver *s, hierarchy *h)
{
    const pliant__model_law of_levels = {.kind = PLIANT__LEVEL_KIND};
    const pliant_real       ease = (pliant_real)pliant__ease_of(s, &of_levels);
    for (uint32_t i = 0; i < h->levels->count; i++) {
        const pliant__level *v = &h->levels->level[i];
        if (!v->compliance) h->now[i].laws[0] = (pliant__law_now){.stiffness = 1, .ease = ease, .soft = ease > 1};
        for (uint32_t r = 0; v->compliance && r < v->row_count; r++)
            h->now[i].laws[r] = (pliant__law_now){
                .alpha = (pliant_real)(v->compliance[r] / (s->h * s->h)),
                .stiffness =
                    v->stiffness[r] < 1 ? pliant__sweep_stiffness(v->stiffness[r], s->iterations * s->method.coarse_iterations) : 1,
                .ease = ease,
                .soft = v->compliance[r] > 0 || v->stiffness[r] < 1 || ease > 1};
    }
}

static void solve(pliant_solver *s)
{
    hierarchy *h = s->method_data;
    const bool use_levels = levels_hold(s);
    if (use_levels) ready_level_laws(s, h);
    for (uint32_t i = 0; i < s->iterations && pliant__go_on(s, i); i++) {
        if (use_levels) go_up(s, h, i == 0);
        if (use_levels) go_down(s, h, i == 0);
        pliant__sweep_gauss_seidel(s, i == 0);
    }
    pliant__go_on(s, s->iterations);
}

/* ---- making it ---- */

static bool allocate(pliant_solver *s, hierarchy *h)
{
    const pliant_allocator *a = &s->allocator;
    size_t                  rows = PLIANT__BLOCK, touches = 0;
    for (size_t i = 0; i < model_count(s->model, chunks); i++) touches += s->chunks[i].touch_capacity;
    for (uint32_t i = 0; i < h->levels->count; i++) {
        const pliant__level *v = &h->levels->level[i];
        level_now           *n = &h->now[i];
        const bool           keep = v->compliance || s->method.coarse_iterations > 1;
        if (v->row_count > rows) rows = v->row_count;
        n->x = pliant__alloc_array(a, (size_t)v->count + 1, 4 * sizeof *n->x);
        n->start = pliant__alloc_array(a, (size_t)v->count + 1, 4 * sizeof *n->start);
        n->moved = pliant__alloc_array(a, (size_t)v->count + 1, 4 * sizeof *n->moved);
        n->length = pliant__alloc_array(a, (size_t)v->row_count + 1, sizeof *n->length);
        n->lambda = keep ? pliant__alloc_array(a, (size_t)v->row_count + 1, sizeof *n->lambda) : NULL;
        n->laws = pliant__alloc_array(a, v->compliance ? (size_t)v->row_count + 1 : 1, sizeof *n->laws);
        n->hold_room = (uint32_t)(touches < 4 * (size_t)v->count ? touches : 4 * (size_t)v->count);
        n->holds = pliant__alloc_untouched(a, (size_t)n->hold_room + 1, sizeof *n->holds);
        if (!n->x || !n->start || !n->moved || !n->length || (keep && !n->lambda) || !n->laws || !n->holds) return false;
        n->view.row_law = v->row_law;
        n->view.row_parameter = n->length;
    }
    h->active = pliant__alloc_array(a, rows / PLIANT__BLOCK, sizeof *h->active);
    if (h->active) memset(h->active, 0xff, rows / PLIANT__BLOCK * sizeof *h->active);
    return h->active != NULL;
}

static bool create(pliant_solver *s, pliant_error *error)
{
    hierarchy *h = s->method_data = pliant__alloc(&s->allocator, sizeof *h);
    if (h) h->levels = pliant__levels_create(&s->allocator, s->model, s->method.levels);
    if (h && h->levels && allocate(s, h)) return true;
    return pliant__fail_memory(error, (size_t)s->model->header->slot_count * 32, "coarse levels");
}

static void destroy(pliant_solver *s)
{
    const pliant_allocator *a = &s->allocator;
    hierarchy              *h = s->method_data;
    for (uint32_t i = 0; h && i < PLIANT__MOST_LEVELS; i++) {
        level_now *n = &h->now[i];
        void      *all[] = {n->x, n->start, n->moved, n->length, n->lambda, n->laws, n->holds};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) pliant__free(a, all[k]);
    }
    if (h) pliant__levels_destroy(a, h->levels);
    if (h) pliant__free(a, h->active);
    pliant__free(a, h);
}

const pliant__method pliant__method_hierarchical = {.takes_groups = PLIANT__TAKES_FACES | PLIANT__TAKES_MEMBERS,
                                                    .takes_stitches = true,
                                                    .create = create,
                                                    .destroy = destroy,
                                                    .solve = solve};
