/* What a method has left. Two residuals: of the constraints, C + alpha~ lambda, and of the motion, M (x - x~) - J^T lambda - contacts, with
 * x~ the prediction. XPBD's methods drive the first to 0 and neglect the second; implicit Euler has both at 0 (Macklin 2016, eq. 8 and 9).
 * Sums are taken batch by batch and chunk by chunk, and added in their order, so that neither threads nor widths change them. */
#include "solver/residuals.h"

#include "base/clock.h"
#include "constraints/eval.h"
#include "solver/interactions.h"
#include "solver/method.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"

#include <math.h>
#include <string.h>

/* ---- constraints ---- */

static void measure_patch(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__patch *p = &s->model->patches[index];
    for (uint32_t i = p->first_batch; i < p->first_batch + p->batch_count; i++) {
        const pliant__batch *b = &s->model->batches[i];
        memset(&s->batch_residuals[i], 0, sizeof s->batch_residuals[i]);
        s->backend.kernels->kinds[b->kind]->measure(&s->sweep, b, 0, pliant__blocks(b), &s->batch_residuals[i]);
    }
}

/* A user's constraint at the positions of now: gradients row after row. */
void pliant__evaluate_user(const pliant_solver *s, const pliant__model_user *u, pliant_real *C, pliant_vec3 *gradient)
{
    pliant_vec3 x[PLIANT_MAX_SLOTS];
    for (uint32_t k = 0; k < u->particle_count; k++) x[k] = pliant__slot_x(s->state->x, u->slots[k]);
    memset(C, 0, PLIANT_MAX_ROWS * sizeof *C);
    memset(gradient, 0, PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS * sizeof *gradient);
    s->def.user[u->function](x, u->particle_count, u->row_count, u->tag, C, gradient, s->def.user_context[u->function]);
}

static bool user_is_active(const pliant_solver *s, uint32_t user)
{
    return pliant__is_active(s->active, s->model->header->packed_rows + user);
}

/* Returns how many rows of users' there are. */
static uint32_t measure_users(const pliant_solver *s, pliant__residuals *out)
{
    const pliant_model *m = s->model;
    uint32_t            rows = 0;
    for (uint32_t i = 0; i < model_count(m, users); i++) {
        const pliant__model_user *u = &m->users[i];
        pliant_vec3               gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
        pliant_real               C[PLIANT_MAX_ROWS];
        if (!user_is_active(s, i)) continue;
        pliant__evaluate_user(s, u, C, gradient);
        vlaw law = {s->laws[u->law].alpha, 0, 1, 0, 0, 1};
        for (uint32_t r = 0; r < u->row_count; r++, rows++) {
            double a = (double)row_residual((pliant_limit)s->inputs->law[u->law].limit, law, C[r], 0, s->lambda[u->lambda + r]);
            double d = (double)law.alpha;
            for (uint32_t k = 0; k < u->particle_count; k++) {
                pliant_vec3 g = gradient[r * u->particle_count + k];
                d += (double)(PLIANT__SLOT(s->state->x, u->slots[k])[3] * v3_dot(g, g));
            }
            out->sum += a;
            if (a > out->largest) out->largest = a;
            if (d >= (double)KERNEL_TINY) out->square += a * a / d;
        }
    }
    return rows;
}

/* Fills s->measured; returns how many rows of users' there are. */
static uint32_t measure_constraints(pliant_solver *s)
{
    const pliant_model *m = s->model;
    pliant__begin_sweep(s, false);
    memset(s->measured, 0, sizeof s->measured);
    pliant__run(s, measure_patch, (uint32_t)model_count(m, patches));
    for (size_t i = 0; i < model_count(m, batches); i++) {
        pliant__residuals *sum = &s->measured[m->batches[i].kind];
        if (s->batch_residuals[i].largest > sum->largest) sum->largest = s->batch_residuals[i].largest;
        sum->sum += s->batch_residuals[i].sum;
        sum->square += s->batch_residuals[i].square;
    }
    return measure_users(s, &s->measured[PLIANT_CONSTRAINT_COUNT]);
}

double pliant__constraint_residual(pliant_solver *s)
{
    double square = 0;
    measure_constraints(s);
    for (int k = 0; k <= PLIANT_CONSTRAINT_COUNT; k++) square += s->measured[k].square;
    return sqrt(square);
}

/* ---- motion ---- */

void pliant__gather_users(pliant_solver *s)
{
    const pliant_model *m = s->model;
    for (uint32_t i = 0; i < model_count(m, users); i++) {
        const pliant__model_user *u = &m->users[i];
        pliant_vec3               gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
        pliant_real               C[PLIANT_MAX_ROWS];
        if (!user_is_active(s, i)) continue;
        pliant__evaluate_user(s, u, C, gradient);
        for (uint32_t r = 0; r < u->row_count; r++)
            for (uint32_t k = 0; k < u->particle_count; k++) {
                pliant_vec3 sum = pliant__slot_x(s->sum, u->slots[k]);
                pliant__set_slot_x(s->sum, u->slots[k], v3_madd(sum, gradient[r * u->particle_count + k], s->lambda[u->lambda + r]));
            }
    }
}

static void measure_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__chunk *chunk = &s->model->chunks[index];
    pliant__chunk_now   *now = &s->chunks[index];
    double               square = 0, largest = 0;
    for (size_t i = pliant__slot_numbers(chunk->first); i < pliant__slot_numbers(chunk->first + chunk->count); i += 4) {
        double w = (double)s->state->x[i + 3], left = 0;
        for (size_t k = i; k < i + 3; k++) {
            double d = w > 0 ? ((double)s->state->x[k] - (double)s->predicted[k]) / w - (double)s->sum[k] : 0;
            left += d * d;
            s->sum[k] = 0;
        }
        square += w * left;
        if (left > largest) largest = left;
    }
    now->sums[0] = square;
    now->sums[1] = largest;
}

double pliant__primal_residual(pliant_solver *s, double *largest)
{
    uint32_t count = (uint32_t)model_count(s->model, chunks);
    double   square = 0, most = 0;
    pliant__begin_sweep(s, false);
    pliant__walk_gathering(s, PLIANT__FORCE);
    pliant__gather_interactions(s);
    pliant__run_light(s, measure_chunk, count);
    for (uint32_t i = 0; i < count; i++) {
        square += s->chunks[i].sums[0];
        if (s->chunks[i].sums[1] > most) most = s->chunks[i].sums[1];
    }
    *largest = sqrt(most) / (s->h * s->h);
    return sqrt(square);
}

/* ---- the stage ---- */

void pliant__stage_measure(pliant_solver *s)
{
    const pliant_model *m = s->model;
    uint32_t            user_rows = measure_constraints(s);
    double              square = 0;
    for (int kind = 0; kind <= PLIANT_CONSTRAINT_COUNT; kind++) {
        double rows = kind == PLIANT_CONSTRAINT_COUNT
                          ? (double)user_rows
                          : (double)m->header->constraint_count[kind] * pliant_constraint_describe((pliant_constraint_kind)kind)->rows;
        s->kinds[kind].residual_max = s->measured[kind].largest;
        s->kinds[kind].residual_mean = rows > 0 ? s->measured[kind].sum / rows : 0;
        square += s->measured[kind].square;
    }
    s->statistics.constraint_residual = sqrt(square);
}

/* ---- on the way ---- */

bool pliant__go_on(pliant_solver *s, uint32_t done)
{
    s->iteration = done;
    if (!s->def.trace || s->stopped) return !s->stopped;
    s->solving_seconds += pliant__clock() - s->solving_since;
    pliant_progress p = {.substep = s->substep, .iteration = done, .seconds = s->solving_seconds};
    p.constraint = pliant__constraint_residual(s);
    p.primal = pliant__primal_residual(s, &p.primal_max);
    double largest[PLIANT_CONSTRAINT_COUNT + 1];
    for (int k = 0; k <= PLIANT_CONSTRAINT_COUNT; k++) largest[k] = s->measured[k].largest;
    p.largest = largest;
    s->stopped = !s->def.trace(&p, s->def.trace_context);
    s->solving_since = pliant__clock();
    return !s->stopped;
}

void pliant__stage_residuals(pliant_solver *s)
{
    if (s->substep + 1 == s->substeps) s->statistics.primal_residual = pliant__primal_residual(s, &s->statistics.primal_max);
}
