/* BDF2 and limits: a tether that has run out, a strain limit, a user's wall.
 *
 * A velocity of second order, (3 x - 4 x_n + x_{n-1}) / 2 h, throws back what a limit has stopped, as it does with contacts (contacts.c). So
 * after the velocities each row that its limit holds (its multiplier is not 0) is looked at once more. With the rates
 *   r2 = grad C . v,   r1 = grad C . (x - x_n) / h
 * a limit from above (multiplier < 0) must not leave C falling faster than r1 does, if that falls at all: where r2 < min(r1, 0), velocities get
 * an impulse w grad C that makes them equal, which keeps momentum, and so do those of the history. From below likewise. A limit that holds
 * steadily has r2 = 0 to second order, so this takes nothing from the order of a pendulum on a tether.
 *
 * Patches of a round share no particle that moves; in a patch, batches come in the order solved, and rows one after another. */
#include "constraints/eval.h"
#include "solver/guard.h"
#include "solver/residuals.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "solver/walk.h"
#include "state/inputs.h"
#include "state/state.h"
#include "step/history.h"

#include <string.h>

/* grad C . u over a row; `u` of what cannot move by itself is what it does. */
static pliant_real rate_of(const pliant_solver *s, const uint32_t *slots, uint32_t count, const vvec *gradient,
                           const pliant_real *velocities)
{
    pliant_real rate = 0;
    for (uint32_t k = 0; k < count; k++) {
        const bool        moves = PLIANT__SLOT(s->state->x, slots[k])[3] != 0;
        const pliant_vec3 u = pliant__slot_x(moves ? velocities : s->state->v, slots[k]);
        rate += vdot(gradient[k], vvec_of(u.x, u.y, u.z));
    }
    return rate;
}

/* The rate of C over the substep. */
static pliant_real rate_of_path(const pliant_solver *s, const uint32_t *slots, uint32_t count, const vvec *gradient)
{
    pliant_real rate = 0;
    for (uint32_t k = 0; k < count; k++) {
        const bool  moves = PLIANT__SLOT(s->state->x, slots[k])[3] != 0;
        pliant_vec3 u = v3_scale(v3_sub(pliant__slot_x(s->state->x, slots[k]), pliant__slot_x(s->from, slots[k])), 1 / s->substep_rh);
        if (!moves) u = pliant__slot_x(s->state->v, slots[k]);
        rate += vdot(gradient[k], vvec_of(u.x, u.y, u.z));
    }
    return rate;
}

static void push(const pliant_solver *s, pliant_real *velocities, const uint32_t *slots, uint32_t count, const vvec *gradient,
                 pliant_real impulse)
{
    for (uint32_t k = 0; k < count; k++) {
        const pliant_real by = PLIANT__SLOT(s->state->x, slots[k])[3] * impulse;
        pliant_real      *v = PLIANT__SLOT(velocities, slots[k]);
        if (by == 0) continue;
        v[0] += gradient[k].x * by;
        v[1] += gradient[k].y * by;
        v[2] += gradient[k].z * by;
    }
}

static void stop_row(const pliant_solver *s, const uint32_t *slots, uint32_t count, const vvec *gradient, pliant_real lambda)
{
    pliant_real w[PLIANT_MAX_SLOTS] = {0};
    for (uint32_t k = 0; k < count; k++) w[k] = PLIANT__SLOT(s->state->x, slots[k])[3];
    const pliant_real S = weighted_norm(count, gradient, w), now = rate_of(s, slots, count, gradient, s->state->v);
    const pliant_real path = rate_of_path(s, slots, count, gradient);
    const pliant_real wanted = lambda < 0 ? r_min(path, 0) : r_max(path, 0);
    if (!(S > KERNEL_TINY) || !(lambda < 0 ? now < wanted : now > wanted)) return;
    push(s, s->state->previous_v, slots, count, gradient, (wanted - rate_of(s, slots, count, gradient, s->state->previous_v)) / S);
    push(s, s->state->v, slots, count, gradient, (wanted - now) / S);
}

static void stop_batch(const pliant_solver *s, const pliant__batch *b)
{
    const pliant_model           *m = s->model;
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b->kind);
    if (b->limit == PLIANT_EQUAL) return;
    for (uint32_t row = 0; row < b->count; row++) { /* of limited laws, so that none is regular */
        const size_t      block = row / PLIANT__BLOCK, lane = row % PLIANT__BLOCK;
        const pliant_real lambda = s->lambda[b->lambda + block * PLIANT__BLOCK + lane];
        pliant_real       parameter[PLIANT_MAX_PARAMETERS + PLIANT_MAX_NUMBERS] = {0}, C;
        uint32_t          slots[PLIANT_MAX_SLOTS] = {0};
        vvec              x[PLIANT_MAX_SLOTS], gradient[PLIANT_MAX_SLOTS];
        if (lambda == 0 || !pliant__is_active(s->active, b->first_row + row)) continue;
        pliant__row_slots_by(m, pliant__row_index_of(s->state), b, row, info->slots, slots);
        for (uint32_t k = 0; k < info->slots; k++) {
            const pliant_vec3 p = pliant__slot_x(s->state->x, slots[k]);
            x[k] = vvec_of(p.x, p.y, p.z);
        }
        pliant__row_numbers(m, s->state->flow, s->inputs->law, b, row, parameter);
        pliant__constraint_value((pliant_constraint_kind)b->kind, x, parameter, &C, gradient);
        stop_row(s, slots, info->slots, gradient, lambda);
    }
}

static void stop_patch(pliant_solver *s, uint32_t patch)
{
    const pliant__patch *p = &s->model->patches[patch];
    for (uint32_t b = p->first_batch; b < p->first_batch + p->batch_count; b++) stop_batch(s, &s->model->batches[b]);
}

static void stop_users(const pliant_solver *s)
{
    const pliant_model *m = s->model;
    for (uint32_t i = 0; i < model_count(m, users); i++) {
        const pliant__model_user *u = &m->users[i];
        pliant_vec3               g[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
        pliant_real               C[PLIANT_MAX_ROWS];
        vvec                      gradient[PLIANT_MAX_SLOTS];
        if (s->inputs->law[u->law].limit == PLIANT_EQUAL || !pliant__is_active(s->active, m->header->packed_rows + i)) continue;
        pliant__evaluate_user(s, u, C, g);
        for (uint32_t r = 0; r < u->row_count; r++) {
            for (uint32_t k = 0; k < u->particle_count; k++) {
                const pliant_vec3 d = g[r * u->particle_count + k];
                gradient[k] = vvec_of(d.x, d.y, d.z);
            }
            if (s->lambda[u->lambda + r] != 0) stop_row(s, u->slots, u->particle_count, gradient, s->lambda[u->lambda + r]);
        }
    }
}

static void look_again(void *solver, uint32_t index) { pliant__guard_chunk(solver, index); }

void pliant__stage_limits(pliant_solver *s)
{
    const pliant_model *m = s->model;
    pliant__walk_patches(s, stop_patch);
    stop_users(s);
    pliant__run_light(s, look_again, (uint32_t)model_count(m, chunks));
}
