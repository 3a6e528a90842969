/* Multigrid: Newton's method on the substep's energy, each step solved by conjugate gradients with an algebraic multigrid cycle before them.
 *
 * A global XPBD step linearises all constraints at once: (J W J^T + alpha~) dlambda = -(C + alpha~ lambda), x += W J^T dlambda (MGPBD, Li et
 * al. 2025). It has a row per constraint, and of a mesh of edges and tetrahedra four times as many rows as unknowns; its null space is large.
 * By the push-through identity W J^T (J W J^T + alpha~)^-1 = (M + J^T k J)^-1 J^T k with k = 1 / alpha~, the same step is
 *
 *   H dx = b,  H = M + J^T k J,  lambda = -k (C + J dx),
 *
 * with three unknowns per particle, and this is solved here. XPBD leaves out that J turns while lambda grows, and a step as large as this would
 * leave forces that are far from balanced; so b is the whole gradient, b = -M (x - x~) - J^T k C + forces of contacts and users, and
 * iterations converge to implicit Euler: the minimum of
 *
 *   E(x) = (x - x~)^T M (x - x~) / 2 + sum of k C^2 / 2 - forces . x.
 *
 * H leaves out the curvature of C (Gauss and Newton), but for what taut rows resist across themselves (multigrid_taut.c), and is positive
 * definite, so dx goes downhill; it is halved while E grows.
 *
 *   inequalities   count while they are violated, with lambda clamped;
 *   rigid rows     have no k; every row has a least compliance, LEAST_IN_SOLID or LEAST of its own weighted gradient, which is eased where
 *                  substeps grow shorter, as rows of sweeps are (solver/ease.c): else what they hold would grow by the square;
 *   damping        k = (1 + gamma) / alpha~, C + gamma grad C . (x - start) in place of (1 + gamma) C (Macklin 2016, eq. 26);
 *   grabs          are springs, contacts that press are stiff ones along their normals; both and users' constraints are then projected as in
 *                  every method, and their forces go into b.
 *
 * That is the system of displacements; `system` may ask for the one of multipliers instead (multigrid_multipliers.c), which has the same
 * solution.
 *
 * Coarse matrices are lazy. Aggregates are the model's; the matrices are made from x in the first iteration of a substep, and again where
 * conjugate gradients gain little with them or where a step had to be halved. They only precondition, so what is solved stays exact. */
#include "methods/multigrid.h"

#include "base/alloc.h"
#include "contact/contacts.h"
#include "methods/multigrid_rows.h"
#include "solver/grabs.h"
#include "solver/interactions.h"
#include "solver/method.h"
#include "solver/residuals.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "solver/tasks.h"
#include "solver/walk.h"
#include "state/inputs.h"
#include "state/state.h"

#include <string.h>

/* The least compliance of a row, of its own weighted gradient. In a solid, where every direction is stiff, it is where the digits of H end. In a
 * sheet or a rope, what is across is held by the mass alone: that must not be lost beside k, and what conjugate gradients leave of a
 * violated row must not become speed, which grows with the root of k. */
#define LEAST 1e-4
#ifdef PLIANT_DOUBLE
#define LEAST_IN_SOLID 1e-12
#define SOLVED 1e-26 /* of the energy that a step can gain */
#else
#define LEAST_IN_SOLID 1e-7
#define SOLVED 1e-14
#endif
#define PRESSED 10.0 /* a contact's stiffness, of its particle's mass */
#define HALVINGS 6

/* ---- memory ---- */

static const pliant_constraint_info *info_of(const pliant__batch *b) { return pliant_constraint_describe((pliant_constraint_kind)b->kind); }

/* Slots of rows, in blocks, by their numbers in the model. */
static void find_slots(const pliant_model *m, pliant__mg *g)
{
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch *b = &m->batches[i];
        const uint32_t       n = info_of(b)->slots;
        for (uint32_t row = 0; row < pliant__blocks(b) * PLIANT__BLOCK; row++) {
            uint32_t  slots[PLIANT_MAX_SLOTS] = {0};
            uint32_t *to = g->slot + g->slot_first[i] + (size_t)(row / PLIANT__BLOCK) * n * PLIANT__BLOCK + row % PLIANT__BLOCK;
            pliant__row_slots(m, b, row, n, slots);
            for (uint32_t s = 0; s < n; s++) to[s * PLIANT__BLOCK] = slots[s];
        }
    }
}

static bool allocate(pliant_solver *s, pliant__mg *g)
{
    const pliant_allocator *a = &s->allocator;
    pliant__mg             *own = g;
    const pliant_model     *m = s->model;
    const size_t            slots = m->header->slot_count, rows = m->header->lambda_count;
    const size_t            patches = model_count(m, patches), chunks = model_count(m, chunks);
    size_t                  positions = 0, indices = 0;
    g->position_first = pliant__alloc_array(a, model_count(m, batches), sizeof *g->position_first);
    g->slot_first = pliant__alloc_array(a, model_count(m, batches), sizeof *g->slot_first);
    if (!g->position_first || !g->slot_first || !pliant__linear_rows_make(a, m, &g->linear)) return false;
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant_constraint_info *info = info_of(&m->batches[i]);
        const size_t                  lanes = (size_t)pliant__blocks(&m->batches[i]) * PLIANT__BLOCK;
        g->position_first[i] = positions;
        g->slot_first[i] = indices;
        indices += lanes * info->slots;
        positions += lanes * info->slots * info->slots;
    }
    if (!(true MG_SCRATCH(SCRATCH_MAKE))) return false;
    find_slots(m, g);
    return true;
}

static void destroy(pliant_solver *s)
{
    const pliant_allocator *a = &s->allocator;
    pliant__mg             *g = s->method_data, *own = g;
    if (!g) return;
    MG_SCRATCH(SCRATCH_FREE)
    pliant__free(a, g->slot_first);
    pliant__free(a, g->position_first);
    pliant__linear_rows_free(a, &g->linear);
    pliant__mg_destroy_multipliers(s, g);
    pliant__mg_destroy_levels(s, g);
    pliant__mg_destroy_pieces(s, g);
    pliant__free(a, g);
    s->method_data = NULL;
}

/* Particles of tetrahedra. */
static void find_solids(const pliant_model *m, const pliant__mg *g, bool *solid)
{
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch *b = &m->batches[i];
        if (!pliant__kind_has(b->kind, PLIANT_ROW_VOLUME)) continue;
        for (size_t k = 0; k < 4 * (size_t)pliant__blocks(b) * PLIANT__BLOCK; k++) solid[g->slot[g->slot_first[i] + k]] = true;
    }
}

/* Whether all constraints are those of solids. */
static bool only_solids(const pliant_model *m, const pliant__mg *g, const bool *solid)
{
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch *b = &m->batches[i];
        for (size_t k = 0; k < (size_t)pliant__blocks(b) * PLIANT__BLOCK * info_of(b)->slots; k++)
            if (!solid[g->slot[g->slot_first[i] + k]]) return false;
    }
    return true;
}

static bool create(pliant_solver *s, pliant_error *error)
{
    pliant__mg *g = s->method_data = pliant__alloc(&s->allocator, sizeof *g);
    if (g && allocate(s, g) && pliant__mg_create_pieces(s, g) &&
        (s->method.system == PLIANT_SYSTEM_MULTIPLIERS ? pliant__mg_create_multipliers(s, g) : pliant__mg_create_levels(s, g))) {
        find_solids(s->model, g, g->solid);
        g->sweeps = !only_solids(s->model, g, g->solid);
        return true;
    }
    return pliant__fail_memory(error, (size_t)s->model->header->slot_count * 1024, "a hierarchy of systems");
}

/* ---- walks ---- */

/* Sums over chunks of slots. */
static double sum_chunks(pliant_solver *s, void (*chunk)(void *solver, uint32_t chunk))
{
    const pliant__mg *g = s->method_data;
    return pliant__mg_sum(s, chunk, (uint32_t)model_count(s->model, chunks), g->partial);
}

/* ---- rows ---- */

/* What one row of one lane is now: C as it counts in the energy, and k; 0 if it does not count. Returns its energy. */
static double ready_row(const pliant_solver *s, const pliant__mg_rows *in, uint32_t r, uint32_t lane, pliant_real *C, pliant_real *k)
{
    const pliant__batch   *b = in->batch;
    const pliant__law_now *law = &s->laws[pliant__row_law(s->model, b, in->first + lane)];
    const pliant_real     *gradient = gradient_of(in, r, 0, lane);
    double                 c = (double)*C, S = 0, path = 0, rest = 0;
    bool                   solid = true;
    if (b->limit == PLIANT_RANGE) rest = (double)pliant__parameters(s->model, b, in->first / PLIANT__BLOCK)[lane];
    for (uint32_t n = 0; n < in->slots; n++) {
        const pliant_real *x = PLIANT__SLOT(s->state->x, in->slot[n * PLIANT__BLOCK + lane]);
        const pliant_real *start = PLIANT__SLOT(s->start, in->slot[n * PLIANT__BLOCK + lane]);
        solid = solid && ((const pliant__mg *)s->method_data)->solid[in->slot[n * PLIANT__BLOCK + lane]];
        for (uint32_t i = 0; i < 3; i++) {
            const double v = (double)gradient[(n * 3 + i) * PLIANT__BLOCK];
            S += (double)x[3] * v * v;
            if (law->gamma > 0) path += v * ((double)x[i] - (double)start[i]);
        }
    }
    *k = 0;
    if (b->limit == PLIANT_AT_MOST) c = c > 0 ? c : 0;
    if (b->limit == PLIANT_AT_LEAST) c = c < 0 ? c : 0;
    if (b->limit == PLIANT_RANGE) {
        const double high = c - (double)law->high * rest, low = c - (double)law->low * rest;
        c = high > 0 ? high : low < 0 ? low : 0;
    }
    if (!(S > 0) || (c == 0 && b->limit != PLIANT_EQUAL)) return 0;
    const bool   bulk = (info_of(b)->flags & PLIANT_ROW_BULK) != 0; /* its ease is for one sweep, and not for this */
    const double gamma = (double)law->gamma, share = solid && law->alpha > 0 ? LEAST_IN_SOLID : LEAST;
    const double least = share * (bulk ? 1 : (double)law->ease) * S;
    const double alpha = (double)law->alpha > least ? (double)law->alpha : least;
    *C = (pliant_real)((c + gamma * path) / (1 + gamma));
    *k = (pliant_real)((1 + gamma) / alpha);
    return (c * c + gamma * path * path) / (2 * alpha);
}

/* C, k and gradients of a batch; its energy. */
static double ready_batch(const pliant_solver *s, uint32_t number)
{
    pliant__mg          *g = s->method_data;
    const pliant__batch *b = &s->model->batches[number];
    double               energy = 0;
    pliant__linearize_batch(s, &s->sweep, number, &g->linear);
    for (uint32_t i = 0; i < pliant__blocks(b); i++) {
        const pliant__mg_rows in = pliant__mg_rows_at(s, number, i);
        const uint32_t        active = s->sweep.active[b->first_row / PLIANT__BLOCK + i];
        for (uint32_t r = 0; r < in.count; r++)
            for (uint32_t lane = 0; lane < PLIANT__BLOCK; lane++) {
                const size_t at = lambda_of(&in, r, lane);
                g->k[at] = 0;
                if (in.first + lane < b->count && (active >> lane & 1)) energy += ready_row(s, &in, r, lane, &g->linear.C[at], &g->k[at]);
            }
    }
    return energy;
}

static void ready_patch(pliant_solver *s, uint32_t number)
{
    const pliant__patch *p = &s->model->patches[number];
    double               energy = 0;
    for (uint32_t b = p->first_batch; b < p->first_batch + p->batch_count; b++) energy += ready_batch(s, b);
    ((pliant__mg *)s->method_data)->energy[number] = energy;
}

/* H of one row of one lane: k grad C_a grad C_b^T into the block (a, b). */
static void add_row(pliant__mg *g, const pliant__mg_rows *in, const pliant_real *gradient, uint32_t lane, pliant_real k)
{
    for (uint32_t a = 0; a < in->slots; a++) {
        const pliant_real *left = gradient + (size_t)a * 3 * PLIANT__BLOCK;
        const pliant_real  kx = k * left[0], ky = k * left[PLIANT__BLOCK], kz = k * left[2 * PLIANT__BLOCK];
        for (uint32_t b = 0; b < in->slots; b++) {
            const uint32_t position = in->position[(a * in->slots + b) * PLIANT__BLOCK + lane];
            if (position == PLIANT__NONE) continue;
            const pliant_real *right = gradient + (size_t)b * 3 * PLIANT__BLOCK;
            pliant_real       *to = g->level[0].block + 12 * (size_t)position;
            for (uint32_t c = 0; c < 3; c++) {
                to[4 * c] += kx * right[c * PLIANT__BLOCK];
                to[4 * c + 1] += ky * right[c * PLIANT__BLOCK];
                to[4 * c + 2] += kz * right[c * PLIANT__BLOCK];
            }
        }
    }
}

static void assemble_rows(pliant_solver *s, uint32_t number)
{
    pliant__mg *g = s->method_data;
    EACH_STIFF_ROW_OF(s, number, in, r, lane)
    {
        pliant_real across[2][PLIANT__MG_PAIR];
        add_row(g, &in, gradient_of(&in, r, 0, lane), lane, g->k[lambda_of(&in, r, lane)]);
        const double k = pliant__mg_find_taut(s, &in, lane, across);
        for (uint32_t i = 0; i < 2 && k > 0; i++) add_row(g, &in, across[i], lane, (pliant_real)k);
    }
}

/* Adds -J^T k C to r. */
static void pull_rows(pliant_solver *s, uint32_t number)
{
    pliant__mg *g = s->method_data;
    EACH_STIFF_ROW_OF(s, number, in, r, lane)
    {
        const size_t       at = lambda_of(&in, r, lane);
        const pliant_real  force = -g->k[at] * g->linear.C[at];
        const pliant_real *gradient = gradient_of(&in, r, 0, lane);
        for (uint32_t n = 0; n < in.slots; n++) {
            if (in.batch->anchors >> n & 1) continue; /* threads may share it */
            pliant_real *to = PLIANT__SLOT(g->r, in.slot[n * PLIANT__BLOCK + lane]);
            for (uint32_t c = 0; c < 3; c++) to[c] += force * gradient[(n * 3 + c) * PLIANT__BLOCK];
        }
    }
}

/* lambda = -k (C + J dx), of an inequality clamped. */
static void multiply_rows(pliant_solver *s, uint32_t number)
{
    pliant__mg *g = s->method_data;
    EACH_STIFF_ROW_OF(s, number, in, r, lane)
    {
        const size_t       at = lambda_of(&in, r, lane);
        const pliant_real *gradient = gradient_of(&in, r, 0, lane);
        double             c = (double)g->linear.C[at];
        for (uint32_t n = 0; n < in.slots; n++)
            for (uint32_t i = 0; i < 3; i++)
                c += (double)gradient[(n * 3 + i) * PLIANT__BLOCK] * (double)PLIANT__SLOT(g->dx, in.slot[n * PLIANT__BLOCK + lane])[i];
        if (in.batch->limit != PLIANT_EQUAL && c * (double)g->linear.C[at] < 0) c = 0;
        g->multiplier[at] = (pliant_real)(-c * (double)g->k[at]);
    }
}

/* ---- grabs and contacts ---- */

static double grab_stiffness(const pliant_solver *s, uint32_t grab)
{
    const double w = (double)PLIANT__SLOT(s->state->x, s->inputs->grab[grab].slot)[3], least = w / PRESSED;
    const double alpha = (double)s->inputs->grab[grab].compliance / (s->h * s->h);
    return 1 / (alpha > least ? alpha : least);
}

/* How far a particle at `x` is above a contact's plane. */
static double gap(const pliant__touch *t, const pliant_real *x)
{
    const pliant_real *at = PLIANT__SLOT(x, t->slot);
    return (double)t->normal.x * (double)at[0] + (double)t->normal.y * (double)at[1] + (double)t->normal.z * (double)at[2] -
           (double)t->offset;
}

/* It pressed, or was violated where the iteration began. */
static bool presses(const pliant_solver *s, const pliant__touch *t)
{
    return PLIANT__SLOT(s->state->x, t->slot)[3] > 0 && (t->lambda > 0 || gap(t, ((const pliant__mg *)s->method_data)->old) < 0);
}

/* Runs through contacts. */
#define EACH_TOUCH(s, t)                                                                                                                 \
    for (size_t c_ = 0; c_ < model_count((s)->model, chunks); c_++)                                                                      \
        for (pliant__touch *t = (s)->contacts->touches + (s)->chunks[c_].first_touch, *end_ = t + (s)->chunks[c_].touch_count; t < end_; \
             t++)

static void add_own(pliant_solver *s)
{
    pliant__mg *g = s->method_data;
    for (size_t i = 0; i < s->model->header->slot_count; i++) {
        const double w = (double)s->state->x[4 * i + 3];
        memset(g->own + 6 * i, 0, 6 * sizeof *g->own);
        g->still[i] = !(w > 0);
        for (uint32_t c = 0; c < 3 && w > 0; c++) g->own[6 * i + c] = 1 / w;
    }
    for (uint32_t i = 0; i < s->inputs->grab_count; i++)
        for (uint32_t c = 0; c < 3 && !g->still[s->inputs->grab[i].slot]; c++)
            g->own[6 * (size_t)s->inputs->grab[i].slot + c] += grab_stiffness(s, i);
    if (!model_count(s->model, colliders)) return;
    EACH_TOUCH(s, t)
    {
        const double n[3] = {(double)t->normal.x, (double)t->normal.y, (double)t->normal.z};
        const double k = PRESSED / (double)PLIANT__SLOT(s->state->x, t->slot)[3];
        for (uint32_t c = 0; c < 3 && presses(s, t); c++) {
            g->own[6 * (size_t)t->slot + c] += k * n[c] * n[c];
            g->own[6 * (size_t)t->slot + 3 + c] += k * n[c] * n[(c + 1) % 3];
        }
    }
}

/* Adds to r what grabs, contacts and users' constraints push; s->sum is used up. */
static void pull_singles(pliant_solver *s)
{
    pliant__mg *g = s->method_data;
    if (model_count(s->model, users)) {
        pliant__gather_users(s);
        for (size_t i = 0; i < pliant__slot_numbers(s->model->header->slot_count); i++)
            if (i % 4 < 3) {
                g->r[i] += s->sum[i];
                s->sum[i] = 0;
            }
    }
    for (uint32_t i = 0; i < s->inputs->grab_count; i++) {
        const pliant__grab *grab = &s->inputs->grab[i];
        const pliant_real   target[3] = {grab->target.x, grab->target.y, grab->target.z}, *x = PLIANT__SLOT(s->state->x, grab->slot);
        for (uint32_t c = 0; c < 3 && x[3] > 0; c++)
            PLIANT__SLOT(g->r, grab->slot)[c] += (pliant_real)(((double)target[c] - (double)x[c]) * grab_stiffness(s, i));
    }
    if (!model_count(s->model, colliders)) return;
    EACH_TOUCH(s, t)
    {
        const pliant_real w = PLIANT__SLOT(s->state->x, t->slot)[3];
        if (!(w > 0)) continue;
        const pliant_real by = (t->lambda - (presses(s, t) ? (pliant_real)(PRESSED * gap(t, s->state->x)) : 0)) / w;
        pliant_vec3       r = v3_madd(pliant__slot_x(g->r, t->slot), t->normal, by);
        pliant__set_slot_x(g->r, t->slot, v3_madd(r, t->friction, 1 / w));
    }
}

/* What grabs and contacts push after the step, before they are projected. */
static void settle_singles(pliant_solver *s)
{
    for (uint32_t i = 0; i < s->inputs->grab_count; i++) {
        const pliant__grab *grab = &s->inputs->grab[i];
        const pliant_real   target[3] = {grab->target.x, grab->target.y, grab->target.z}, *x = PLIANT__SLOT(s->state->x, grab->slot);
        for (uint32_t c = 0; c < 3; c++)
            s->grabs->lambda[i][c] = x[3] > 0 ? (pliant_real)(((double)target[c] - (double)x[c]) * grab_stiffness(s, i)) : 0;
    }
    if (!model_count(s->model, colliders)) return;
    EACH_TOUCH(s, t)
    {
        if (!presses(s, t)) continue;
        t->lambda = r_max(t->lambda - (pliant_real)(PRESSED * gap(t, s->state->x)), -t->hold);
    }
}

/* ---- energy ---- */

/* Of inertia, less what the forces of contacts and users do on the way from `old`, which s->sum has. */
static void energy_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    pliant__mg          *g = s->method_data;
    const pliant__chunk *chunk = &s->model->chunks[index];
    double               sum = 0;
    for (size_t i = chunk->first; i < (size_t)chunk->first + chunk->count; i++) {
        const double w = (double)s->state->x[4 * i + 3];
        for (size_t k = 4 * i; k < 4 * i + 3 && w > 0; k++) {
            const double d = (double)s->state->x[k] - (double)s->predicted[k];
            sum += d * d / (2 * w);
        }
    }
    g->partial[index] = sum;
}

/* E at x, up to a constant that is the same for all x of an iteration. Also leaves C, k and gradients there. */
static double find_energy(pliant_solver *s)
{
    pliant__mg *g = s->method_data;
    pliant__begin_sweep(s, false);
    pliant__walk_patches(s, ready_patch);
    double sum = sum_chunks(s, energy_chunk);
    for (size_t i = 0; i < model_count(s->model, patches); i++) sum += g->energy[i];
    for (uint32_t i = 0; i < s->inputs->grab_count; i++) {
        const pliant__grab *grab = &s->inputs->grab[i];
        const pliant_vec3   d = v3_sub(grab->target, pliant__slot_x(s->state->x, grab->slot));
        sum += (double)v3_dot(d, d) * grab_stiffness(s, i) / 2;
    }
    if (!model_count(s->model, colliders)) return sum;
    EACH_TOUCH(s, t)
    {
        const double      w = (double)PLIANT__SLOT(s->state->x, t->slot)[3], depth = gap(t, s->state->x);
        const pliant_vec3 d = v3_sub(pliant__slot_x(s->state->x, t->slot), pliant__slot_x(g->old, t->slot));
        if (!(w > 0)) continue;
        sum -= ((double)t->lambda * (double)v3_dot(t->normal, d) + (double)v3_dot(t->friction, d)) / w;
        if (presses(s, t)) sum += PRESSED * depth * depth / (2 * w);
    }
    return sum;
}

/* ---- conjugate gradients ---- */

static void zero_residual(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    pliant__mg *g = s->method_data;
    (void)l;
    for (size_t i = first; i < end; i++)
        for (size_t k = 4 * i; k < 4 * i + 4; k++) {
            const pliant_real w = s->state->x[4 * i + 3];
            g->r[k] = w > 0 && k % 4 < 3 ? (s->predicted[k] - s->state->x[k]) / w : 0;
            g->dx[k] = g->p[k] = 0;
        }
}

static void drop_still(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    pliant__mg *g = s->method_data;
    for (size_t i = first; i < end; i++) {
        if (g->still[i]) memset(g->r + 4 * i, 0, 4 * sizeof *g->r);
        memcpy(l->b + 4 * i, g->r + 4 * i, 4 * sizeof *g->r);
    }
}

static double dot(uint32_t first, uint32_t count, const pliant_real *a, const pliant_real *b)
{
    double sum = 0;
    for (size_t i = pliant__slot_numbers(first); i < 4 * ((size_t)first + count); i += 4)
        sum += (double)a[i] * (double)b[i] + (double)a[i + 1] * (double)b[i + 1] + (double)a[i + 2] * (double)b[i + 2];
    return sum;
}

static void residual_chunk(void *solver, uint32_t index)
{
    const pliant_solver *s = solver;
    pliant__mg          *g = s->method_data;
    g->partial[index] = dot(s->model->chunks[index].first, s->model->chunks[index].count, g->r, g->level[0].x);
}

static void curvature_chunk(void *solver, uint32_t index)
{
    const pliant_solver *s = solver;
    pliant__mg          *g = s->method_data;
    g->partial[index] = dot(s->model->chunks[index].first, s->model->chunks[index].count, g->p, g->q);
}

static void turn(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    pliant__mg *g = s->method_data;
    for (size_t i = pliant__slot_numbers(first); i < pliant__slot_numbers(end); i++) g->p[i] = l->x[i] + g->before * g->p[i];
}

static void multiply_nodes(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    pliant__mg *g = s->method_data;
    pliant__mg_product(l, g->p, g->q, first, end);
}

static void multiply_direction(pliant_solver *s) { pliant__mg_run(s, &((pliant__mg *)s->method_data)->level[0], multiply_nodes); }

static double along_residual(pliant_solver *s) { return sum_chunks(s, residual_chunk); }

static double curvature(pliant_solver *s) { return sum_chunks(s, curvature_chunk); }

static void advance(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    pliant__mg *g = s->method_data;
    for (size_t i = pliant__slot_numbers(first); i < pliant__slot_numbers(end); i++) {
        g->dx[i] += g->now * g->p[i];
        g->r[i] -= g->now * g->q[i];
    }
    drop_still(s, l, first, end);
}

static const pliant__mg_space space = {SOLVED, along_residual, curvature, multiply_direction, turn, advance};

/* ---- an iteration ---- */

/* x <- old + dx. */
static void move(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    const pliant__mg *g = s->method_data;
    (void)l;
    for (size_t i = first; i < end; i++)
        for (size_t k = 4 * i; k < 4 * i + 3 && !g->still[i]; k++) s->state->x[k] = g->old[k] + g->dx[k];
}

static void halve(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    pliant__mg *g = s->method_data;
    (void)l;
    for (size_t i = pliant__slot_numbers(first); i < pliant__slot_numbers(end); i++) g->dx[i] *= (pliant_real)0.5;
}

/* By more than rounding does. */
static bool grew(double before, double now) { return !(now <= before + 1e-5 * (before < 0 ? -before : before)); }

/* dx and new multipliers by H dx = b. */
static void solve_displacements(pliant_solver *s)
{
    pliant__mg       *g = s->method_data;
    pliant__mg_level *l = &g->level[0];
    memset(l->block, 0, 12 * (size_t)l->blocks * sizeof *l->block);
    pliant__walk_patches(s, assemble_rows);
    pliant__mg_prepare(s);
    pliant__walk_patches(s, pull_rows);
    pliant__mg_run(s, l, drop_still);
    pliant__mg_conjugate_gradients(s, l, &space); /* H dx = r, from dx = 0 */
    pliant__mg_move_pieces(s);
    pliant__walk_patches(s, multiply_rows);
}

/* Where x stays behind, multipliers do too. */
static void multiply_halved(pliant_solver *s, pliant_real taken)
{
    pliant__mg *g = s->method_data;
    if (g->multipliers)
        for (size_t i = 0; i < g->multipliers->rows.count; i++) g->multiplier[i] = s->lambda[i] + taken * (g->multiplier[i] - s->lambda[i]);
    else {
        memset(g->dx, 0, pliant__slot_numbers(g->level[0].count) * sizeof *g->dx);
        pliant__walk_patches(s, multiply_rows); /* -k C, where x is now */
    }
}

static void iterate(pliant_solver *s)
{
    pliant__mg       *g = s->method_data;
    pliant__mg_level *l = &g->level[0];
    memcpy(g->old, s->state->x, pliant__slot_numbers(l->count) * sizeof *g->old);
    const double energy = find_energy(s);
    pliant_real  taken = 1;
    add_own(s);
    pliant__mg_run(s, l, zero_residual);
    pull_singles(s);
    pliant__mg_weigh_pieces(s);
    memset(g->multiplier, 0, s->model->header->lambda_count * sizeof *g->multiplier);
    (g->multipliers ? pliant__mg_solve_multipliers : solve_displacements)(s);
    pliant__mg_run(s, l, move);
    if (!grew(energy, find_energy(s))) return;
    for (uint32_t i = 0; i < HALVINGS && (!i || grew(energy, find_energy(s))); i++) {
        pliant__mg_run(s, l, halve);
        pliant__mg_run(s, l, move);
        taken /= 2;
    }
    g->stale = true;
    multiply_halved(s, taken);
}

static void solve(pliant_solver *s)
{
    pliant__mg *g = s->method_data;
    g->stale = true;
    for (uint32_t i = 0; i < s->iterations && pliant__go_on(s, i); i++) {
        iterate(s);
        for (size_t b = 0; b < model_count(s->model, batches); b++) { /* users' multipliers lie behind these */
            const pliant__batch *batch = &s->model->batches[b];
            memcpy(s->lambda + batch->lambda, g->multiplier + batch->lambda,
                   (size_t)pliant__blocks(batch) * info_of(batch)->rows * PLIANT__BLOCK * sizeof *s->lambda);
        }
        settle_singles(s);
        pliant__project_interactions(s, false);
    }
    if (g->sweeps || s->interacting) pliant__sweep_gauss_seidel(s, false);
    pliant__go_on(s, s->iterations);
}

static bool takes(const pliant_model *m, const pliant_method_def *def, pliant_error *error)
{
    (void)def;
    for (size_t i = 0; i < model_count(m, laws); i++)
        if (m->laws[i].stiffness < 1)
            return pliant__fail(error, PLIANT_ERROR_INPUT,
                                "multigrid solves for forces, and stiffness below 1%s%s is none: give a compliance instead",
                                *m->laws[i].material ? " of material " : "", m->laws[i].material);
    return true;
}

const pliant__method pliant__method_multigrid = {.needs = PLIANT__NEEDS_SUM | PLIANT__NEEDS_PREDICTED | PLIANT__NEEDS_LAMBDA,
                                                 .takes = takes,
                                                 .create = create,
                                                 .destroy = destroy,
                                                 .solve = solve};
