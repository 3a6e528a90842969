/* The system of multipliers of the method multigrid (MGPBD, Li et al. 2025), solved by conjugate gradients with an unsmoothed aggregation cycle.
 *
 *   (J N J^T + 1 / k) lambda = -(C + J N f),   dx = N (f + J^T lambda)
 *
 * N is the inverse of what each particle has of its own (its mass; contacts and grabs as springs), f all forces but those of constraints.
 * What begins as lambda is what earlier iterations left.
 *
 * Level 0 has a number per row and no matrix: a product is one walk to push, J^T p, and one to look what that moves. Above it all is as
 * multigrid_levels.c has it for displacements, six unknowns per node, with stresses instead of rigid motions: what a smoother cannot see are
 * multipliers with forces that cancel, and in a piece of a solid those of a uniform stress do. The stress sigma gives a row the multiplier
 * k sigma : sum of grad x^T. A uniform stress of an aggregate is the same stress of each aggregate in it, so that P is the unit matrix from
 * there on.
 *
 * Prolongators are lazy: aggregates and sums of grad x^T are those of the model's first positions, made once with the solver
 * (multigrid_stresses.c). A piece that turns as a whole turns stresses into stresses, and the six span the same. k and the matrices P^T A P are
 * of the first iteration of the substep, or of a later one that found them bad (multigrid.c).
 *
 * No eigenvalue is estimated. Level 0: A is a sum over particles of G N G^T, D of its diagonal, so that none of D^-1 A is above the largest
 * eigenvalue, over particles, of N S, S = sum of grad grad^T / (grad^T N grad); and that is below the eighth root of the trace of (N S)^8.
 * Coarser: a particle that touches n aggregates adds no eigenvalue above n. */
#include "methods/multigrid.h"
#include "methods/multigrid_rows.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "solver/walk.h"

#include <math.h>
#include <string.h>

#ifdef PLIANT_DOUBLE
#define SOLVED 1e-26 /* of r.z at the beginning: there numbers have no more digits */
#else
#define SOLVED 1e-13
#endif

/* ---- the product ---- */

static pliant__mg_multipliers *of(const pliant_solver *s) { return ((const pliant__mg *)s->method_data)->multipliers; }

/* Adds J^T in. */
static void push_rows(pliant_solver *s, uint32_t number)
{
    const pliant__mg_multipliers *m = of(s);
    EACH_ROW_OF(s, number, in, r, lane)
    {
        const pliant_real y = m->in[lambda_of(&in, r, lane)];
        for (uint32_t n = 0; n < in.slots; n++) {
            if (in.batch->anchors >> n & 1) continue; /* threads may share it */
            const pliant_real *v = gradient_of(&in, r, n, lane);
            pliant_real       *to = PLIANT__SLOT(m->push, in.slot[n * PLIANT__BLOCK + lane]);
            for (uint32_t c = 0; c < 3; c++) to[c] += y * v[c * PLIANT__BLOCK];
        }
    }
}

static void move_slots(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    const pliant__mg_multipliers *m = of(s);
    (void)l;
    for (size_t i = first; i < end; i++) {
        const double *N = m->mobility + 9 * i;
        pliant_real  *u = m->push + 4 * i;
        const double  f[3] = {(double)u[0], (double)u[1], (double)u[2]};
        for (uint32_t c = 0; c < 3; c++) u[c] = (pliant_real)(N[3 * c] * f[0] + N[3 * c + 1] * f[1] + N[3 * c + 2] * f[2]);
    }
}

/* out = J push + in / k. */
static void look_rows(pliant_solver *s, uint32_t number)
{
    const pliant__mg             *g = s->method_data;
    const pliant__mg_multipliers *m = g->multipliers;
    EACH_ROW_OF(s, number, in, r, lane)
    {
        const size_t at = lambda_of(&in, r, lane);
        pliant_real  sum = 0;
        for (uint32_t n = 0; n < in.slots; n++) {
            const pliant_real *v = gradient_of(&in, r, n, lane), *u = PLIANT__SLOT(m->push, in.slot[n * PLIANT__BLOCK + lane]);
            sum += v[0] * u[0] + v[PLIANT__BLOCK] * u[1] + v[2 * PLIANT__BLOCK] * u[2];
        }
        m->out[at] = g->k[at] > 0 ? sum + m->in[at] / g->k[at] : 0;
    }
}

static void no_push(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    (void)l;
    memset(PLIANT__SLOT(of(s)->push, first), 0, pliant__slot_numbers(end - first) * sizeof(pliant_real));
}

void pliant__mg_multiply_rows(pliant_solver *s, const pliant_real *p, pliant_real *q)
{
    pliant__mg             *g = s->method_data;
    pliant__mg_multipliers *m = g->multipliers;
    m->in = p;
    m->out = q;
    pliant__mg_run(s, &g->level[0], no_push);
    pliant__walk_patches(s, push_rows);
    pliant__mg_run(s, &g->level[0], move_slots);
    pliant__walk_patches(s, look_rows);
}

/* ---- matrices ---- */

static void invert_own(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    const pliant__mg *g = s->method_data;
    (void)l;
    for (size_t i = first; i < end; i++) {
        double own[9];
        memset(g->multipliers->mobility + 9 * i, 0, 9 * sizeof *own);
        memset(g->multipliers->spread + 6 * i, 0, 6 * sizeof *own);
        if (g->still[i]) continue;
        pliant__mg_own_matrix(g->own + 6 * i, own);
        pliant__mg_invert(3, own, g->multipliers->mobility + 9 * i);
    }
}

/* 1 / D of rows; and to their slots grad grad^T / d, d what the slot adds to D. */
static void weigh_rows(pliant_solver *s, uint32_t number)
{
    const pliant__mg             *g = s->method_data;
    const pliant__mg_multipliers *m = g->multipliers;
    EACH_ROW_OF(s, number, in, r, lane)
    {
        const size_t at = lambda_of(&in, r, lane);
        double       D = 0;
        m->rows.inverse[at] = 0;
        if (!(g->k[at] > 0)) continue;
        for (uint32_t n = 0; n < in.slots; n++) {
            const pliant_real *g_ = gradient_of(&in, r, n, lane);
            const double       v[3] = {(double)g_[0], (double)g_[PLIANT__BLOCK], (double)g_[2 * PLIANT__BLOCK]};
            const size_t       slot = in.slot[n * PLIANT__BLOCK + lane];
            const double      *N = m->mobility + 9 * slot;
            double             d = 0;
            for (uint32_t c = 0; c < 9; c++) d += v[c / 3] * N[c] * v[c % 3];
            D += d;
            for (uint32_t c = 0; c < 3 && d > 0; c++) { /* what does not move is shared, and has d = 0 */
                m->spread[6 * slot + c] += v[c] * v[c] / d;
                m->spread[6 * slot + 3 + c] += v[c] * v[(c + 1) % 3] / d;
            }
        }
        m->rows.inverse[at] = (pliant_real)(1 / (D + 1 / (double)g->k[at]));
    }
}

static void multiply_3(const double *a, const double *b, double *out)
{
    for (uint32_t i = 0; i < 9; i++) out[i] = a[i / 3 * 3] * b[i % 3] + a[i / 3 * 3 + 1] * b[3 + i % 3] + a[i / 3 * 3 + 2] * b[6 + i % 3];
}

/* The eighth power of what bounds the eigenvalues of level 0. */
static double find_highest(const pliant_solver *s)
{
    const pliant__mg_multipliers *m = of(s);
    double                        most = 1;
    for (size_t i = 0; i < s->model->header->slot_count; i++) {
        double S[9], B[9], B2[9], B4[9], B8[9];
        pliant__mg_own_matrix(m->spread + 6 * i, S);
        multiply_3(m->mobility + 9 * i, S, B);
        multiply_3(B, B, B2);
        multiply_3(B2, B2, B4);
        multiply_3(B4, B4, B8);
        const double trace = B8[0] + B8[4] + B8[8];
        most = trace > most ? trace : most;
    }
    return most;
}

/* P's rows: k times the stress at rest, and one factor, so that the largest numbers of P^T A P are about 1. */
static void find_columns(pliant_solver *s)
{
    const pliant__mg             *g = s->method_data;
    const pliant__mg_multipliers *m = g->multipliers;
    double                        most = 0;
    for (size_t i = 0; i < m->rows.count; i++) {
        double sum = 0;
        for (uint32_t c = 0; c < 6 && g->k[i] > 0; c++) sum += (double)m->stress[6 * i + c] * (double)m->stress[6 * i + c];
        if (sum > 0) sum *= (double)g->k[i] * (double)g->k[i] / (double)m->rows.inverse[i];
        most = sum > most ? sum : most;
    }
    const double factor = most > 0 ? 1 / sqrt(most) : 0;
    for (size_t i = 0; i < 6 * (size_t)m->rows.count; i++)
        m->column[i] = (pliant_real)((double)m->stress[i] * (double)g->k[i / 6] * factor);
}

static void gather_patch_forces(pliant_solver *s, uint32_t number)
{
    const pliant__mg             *g = s->method_data;
    const pliant__mg_multipliers *m = g->multipliers;
    EACH_ROW_OF(s, number, in, r, lane)
    {
        const size_t       at = lambda_of(&in, r, lane);
        const pliant_real *column = m->column + 6 * at;
        const uint32_t    *patch = patches_of(s, &in, r, lane);
        if (!(g->k[at] > 0)) continue;
        for (uint32_t n = 0; n < in.slots; n++) {
            const pliant_real *v = gradient_of(&in, r, n, lane);
            if (patch[n * PLIANT__BLOCK] == PLIANT__NONE) continue;
            double *to = m->patch_force + 18 * (size_t)patch[n * PLIANT__BLOCK];
            for (uint32_t c = 0; c < 18; c++) to[c] += (double)column[c / 3] * (double)v[c % 3 * PLIANT__BLOCK];
        }
    }
}

/* F N F^T of a slot's patches; the upper half. */
static void add_slot(const pliant__mg *g, uint32_t slot)
{
    const pliant__mg_multipliers *m = g->multipliers;
    const pliant__mg_level       *l = &g->level[1];
    const double                 *N = m->mobility + 9 * (size_t)slot;
    for (uint32_t p = m->patch_first[slot]; p < m->patch_first[slot + 1]; p++) {
        double half[18];
        for (uint32_t c = 0; c < 6; c++)
            for (uint32_t d = 0; d < 3; d++) {
                const double *F = m->patch_force + 18 * (size_t)p + 3 * c;
                half[3 * c + d] = F[0] * N[d] + F[1] * N[3 + d] + F[2] * N[6 + d];
            }
        for (uint32_t q = m->patch_first[slot]; q < m->patch_first[slot + 1]; q++) {
            if (m->patch[q] < m->patch[p]) continue;
            double       *to = l->exact + 36 * (size_t)pliant__mg_find_block(l, m->patch[p], m->patch[q]);
            const double *F = m->patch_force + 18 * (size_t)q;
            for (uint32_t c = 0; c < 36; c++)
                to[c] += half[c / 6 * 3] * F[c % 6 * 3] + half[c / 6 * 3 + 1] * F[c % 6 * 3 + 1] + half[c / 6 * 3 + 2] * F[c % 6 * 3 + 2];
        }
    }
}

static void add_compliance(const pliant__mg *g)
{
    const pliant__mg_multipliers *m = g->multipliers;
    for (size_t i = 0; i < m->rows.count; i++) {
        const pliant_real *column = m->column + 6 * i;
        if (!(g->k[i] > 0) || m->rows.aggregate[i] == PLIANT__NONE) continue;
        double *to = g->level[1].exact + 36 * (size_t)g->level[1].diagonal[m->rows.aggregate[i]];
        for (uint32_t c = 0; c < 36; c++) to[c] += (double)column[c / 6] * (double)column[c % 6] / (double)g->k[i];
    }
}

static void prepare(pliant_solver *s)
{
    pliant__mg             *g = s->method_data;
    pliant__mg_multipliers *m = g->multipliers;
    const uint32_t          slots = s->model->header->slot_count;
    pliant__mg_run(s, &g->level[0], invert_own);
    pliant__walk_patches(s, weigh_rows);
    m->rows.highest = sqrt(sqrt(sqrt(find_highest(s))));
    if (g->levels < 2 || !g->stale) return;
    find_columns(s);
    memset(m->patch_force, 0, 18 * (size_t)m->patch_first[slots] * sizeof *m->patch_force);
    pliant__walk_patches(s, gather_patch_forces);
    memset(g->level[1].exact, 0, 36 * (size_t)g->level[1].blocks * sizeof *g->level[1].exact);
    for (uint32_t i = 0; i < slots; i++) add_slot(g, i);
    add_compliance(g);
    pliant__mg_prepare_coarse(s);
}

/* ---- a cycle ---- */

static void residual_rows(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    (void)s;
    for (size_t i = first; i < end; i++) l->r[i] = l->b[i] - l->r[i];
}

static void find_residual(pliant_solver *s, pliant__mg_level *l)
{
    pliant__mg_multiply_rows(s, l->x, l->r);
    pliant__mg_run(s, l, residual_rows);
}

static void smooth_rows(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    const pliant__mg  *g = s->method_data;
    const pliant_real *r = g->fresh ? l->b : l->r;
    for (size_t i = first; i < end; i++) {
        l->d[i] = g->now * l->inverse[i] * r[i] + (g->before > 0 ? g->before * l->d[i] : 0);
        l->x[i] = g->fresh ? l->d[i] : l->x[i] + l->d[i];
    }
}

static void restrict_residual(const pliant__mg *g, const pliant__mg_level *l)
{
    const pliant__mg_multipliers *m = g->multipliers;
    memset(g->level[1].b, 0, 8 * (size_t)g->level[1].count * sizeof *g->level[1].b);
    for (size_t i = 0; i < l->count; i++)
        for (uint32_t c = 0; c < 6 && l->aggregate[i] != PLIANT__NONE; c++)
            g->level[1].b[8 * (size_t)l->aggregate[i] + c] += m->column[6 * i + c] * l->r[i];
}

static void prolong(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    const pliant__mg *g = s->method_data;
    for (size_t i = first; i < end; i++)
        for (uint32_t c = 0; c < 6 && l->aggregate[i] != PLIANT__NONE && l->inverse[i] > 0; c++) /* columns may be older */
            l->x[i] += g->multipliers->column[6 * i + c] * g->level[1].x[8 * (size_t)l->aggregate[i] + c];
}

const pliant__mg_steps pliant__mg_row_steps = {find_residual, smooth_rows, restrict_residual, prolong};

/* ---- conjugate gradients ---- */

static void residual_task(void *solver, uint32_t index)
{
    const pliant_solver    *s = solver;
    pliant__mg_multipliers *m = of(s);
    double                  sum = 0;
    for (size_t i = (size_t)index * PLIANT__MG_TASK_ROWS; i < (size_t)(index + 1) * PLIANT__MG_TASK_ROWS && i < m->rows.count; i++)
        sum += (double)m->rows.b[i] * (double)m->rows.x[i];
    m->partial[index] = sum;
}

static void curvature_task(void *solver, uint32_t index)
{
    const pliant_solver    *s = solver;
    pliant__mg_multipliers *m = of(s);
    double                  sum = 0;
    for (size_t i = (size_t)index * PLIANT__MG_TASK_ROWS; i < (size_t)(index + 1) * PLIANT__MG_TASK_ROWS && i < m->rows.count; i++)
        sum += (double)m->p[i] * (double)m->q[i];
    m->partial[index] = sum;
}

static double sum_rows(pliant_solver *s, void (*task)(void *solver, uint32_t index))
{
    const pliant__mg_multipliers *m = of(s);
    return pliant__mg_sum(s, task, (m->rows.count + PLIANT__MG_TASK_ROWS - 1) / PLIANT__MG_TASK_ROWS, m->partial);
}

static double along_residual(pliant_solver *s) { return sum_rows(s, residual_task); }

static double curvature(pliant_solver *s) { return sum_rows(s, curvature_task); }

static void multiply_direction(pliant_solver *s) { pliant__mg_multiply_rows(s, of(s)->p, of(s)->q); }

static void turn(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    const pliant__mg *g = s->method_data;
    for (size_t i = first; i < end; i++) g->multipliers->p[i] = l->x[i] + g->before * g->multipliers->p[i];
}

static void advance(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    const pliant__mg             *g = s->method_data;
    const pliant__mg_multipliers *m = g->multipliers;
    for (size_t i = first; i < end; i++) {
        m->sum[i] += g->now * m->p[i];
        l->b[i] -= g->now * m->q[i];
    }
}

/* push = N (g->r + J^T lambda). */
static void push_all(pliant_solver *s, const pliant_real *lambda)
{
    pliant__mg *g = s->method_data;
    g->multipliers->in = lambda;
    memcpy(g->multipliers->push, g->r, pliant__slot_numbers(s->model->header->slot_count) * sizeof *g->r);
    pliant__walk_patches(s, push_rows);
    pliant__mg_run(s, &g->level[0], move_slots);
}

static void begin_rows(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end)
{
    const pliant__mg             *g = s->method_data;
    const pliant__mg_multipliers *m = g->multipliers;
    for (size_t i = first; i < end; i++) {
        l->b[i] = g->k[i] > 0 ? -(g->linear.C[i] + l->r[i]) : 0;
        m->p[i] = 0;
    }
}

static const pliant__mg_space space = {SOLVED, along_residual, curvature, multiply_direction, turn, advance};

/* Of an inequality, no multiplier that pulls where it may only push. */
static void clamp_rows(pliant_solver *s, uint32_t number)
{
    pliant__mg *g = s->method_data;
    EACH_ROW_OF(s, number, in, r, lane)
    {
        const size_t at = lambda_of(&in, r, lane);
        const bool   wrong = in.batch->limit != PLIANT_EQUAL && g->multipliers->sum[at] * g->linear.C[at] > 0;
        g->multiplier[at] = g->k[at] > 0 && !wrong ? g->multipliers->sum[at] : 0;
    }
}

void pliant__mg_solve_multipliers(pliant_solver *s)
{
    pliant__mg             *g = s->method_data;
    pliant__mg_multipliers *m = g->multipliers;
    prepare(s);
    for (size_t i = 0; i < m->rows.count; i++) m->sum[i] = g->k[i] > 0 ? s->lambda[i] : 0;
    push_all(s, m->sum);
    m->in = m->sum;
    m->out = m->rows.r;
    pliant__walk_patches(s, look_rows);
    pliant__mg_run(s, &m->rows, begin_rows);
    pliant__mg_conjugate_gradients(s, &m->rows, &space); /* A change = -(C + A lambda + J N f), from lambda */
    push_all(s, m->sum);
    memcpy(g->dx, m->push, pliant__slot_numbers(s->model->header->slot_count) * sizeof *g->dx);
    pliant__walk_patches(s, clamp_rows);
}
