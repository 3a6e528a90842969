/* BDF2: backward differentiation of second order (Curtiss, Hirschfelder 1952; in position form English, Bridson 2008, Animating Developable
 * Surfaces using Nonconforming Elements). With y = (x, v), y' = f and substeps of length H
 *   3 y_{n+1} - 4 y_n + y_{n-1} = 2 H f_{n+1}.
 * Solved for y_{n+1} that is a step of backward Euler, of length h = 2 H / 3, from X = (4 x_n - x_{n-1}) / 3 and V = (4 v_n - v_{n-1}) / 3.
 * So this stage puts X and V where x_n and v_n were, keeps those as the next substep's history, and sets h; every other stage is what it is
 * for first order, and alpha~ = alpha / h^2, gamma and the forces that are read back follow.
 *
 * What decays by itself, drag and damping, is solved exactly (Lawson 1967): V = (4 E v_n - E E v_{n-1}) / 3, with E what a substep leaves.
 * That is of second order and stable for any rate, and takes nothing of what a body at rest weighs. Wind is evaluated where x and v are
 * extrapolated to.
 *
 * A history must be of the same H. Where it is not, in the first substep ever or when dt or substeps change, the whole substep is one of
 * backward Euler: its error, once, is of second order. One particle alone has none where its position or velocity was set, a pin let it go,
 * or a body was put back: it starts as if it had flown freely under the uniform forces up to now, which is exact if it has. What contacts do
 * to a history is in contacts.c. */
#include "step/history.h"

#include "base/trig.h"
#include "solver/history.h"
#include "solver/laws.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/state.h"
#include "step/damping.h"
#include "step/forces.h"

#include <string.h>

void pliant__begin_history(pliant_solver *s)
{
    pliant_state *state = s->state;
    if (!pliant__is_bdf2(s->model)) return;
    s->begins = state->header->history_step != s->substep_h;
    for (uint32_t slot = 0; slot < s->model->header->particle_count; slot++)
        if (PLIANT__SLOT(state->x, slot)[3] == 0) pliant__set_slot_x(state->previous_x, slot, pliant__slot_x(state->x, slot));
}

/* Particles without a history get one; velocities are kept, in `start`, which no stage needs yet. */
static void complete_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__chunk *chunk = &s->model->chunks[index];
    const pliant_vec3    a = s->motion[chunk->body].acceleration;
    const pliant_real    H = s->substep_rh;
    if (s->off.bodies[chunk->body]) return;
    for (uint32_t slot = chunk->first; slot < chunk->first + chunk->count; slot++) {
        pliant_real *before = PLIANT__SLOT(s->state->previous_x, slot);
        if (PLIANT__SLOT(s->state->x, slot)[3] == 0) {
            before[3] = 0;
            continue;
        }
        const pliant_vec3 x = pliant__slot_x(s->state->x, slot), v = pliant__slot_x(s->state->v, slot);
        pliant__set_slot_x(s->start, slot, v);
        if (before[3] != 0) continue;
        const pliant_vec3 middle = v3_madd(v, a, -H / 2);
        pliant__set_slot_x(s->state->previous_x, slot, v3_madd(x, middle, -H));
        pliant__set_slot_x(s->state->previous_v, slot, v3_madd(v, a, -H));
    }
}

static void extrapolate_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__chunk *chunk = &s->model->chunks[index];
    const double         rate = pliant__drag_rate(s->model, chunk->body);
    const pliant_real    keep = rate > 0 ? (pliant_real)pliant__exp(-rate * s->substep_h) : 1, third = (pliant_real)(1.0 / 3);
    const bool           from_history = pliant__has_history(s);
    if (s->off.bodies[chunk->body]) return;
    for (uint32_t i = 4 * chunk->first; i < 4 * (chunk->first + chunk->count); i += 4) {
        pliant_real *x = s->state->x + i, *v = s->state->v + i, *previous_x = s->state->previous_x + i;
        pliant_real *previous_v = s->state->previous_v + i, *was = s->start + i;
        if (x[3] == 0) continue;
        for (uint32_t k = 0; k < 3; k++) {
            const pliant_real now = x[k], speed = keep * v[k];
            if (from_history) {
                x[k] = now + third * (now - previous_x[k]);
                v[k] = speed + third * (speed - keep * keep * previous_v[k]);
            } else
                v[k] = speed;
            previous_x[k] = now;
            previous_v[k] = was[k];
        }
        previous_x[3] = 1;
    }
}

void pliant__stage_history(pliant_solver *s)
{
    const uint32_t chunks = (uint32_t)model_count(s->model, chunks);
    if (s->begins && s->substep == 1) pliant__set_h(s, PLIANT__BDF2_SHARE * s->substep_h);
    pliant__ready_motion(s);
    pliant__run_light(s, complete_chunk, chunks);
    pliant__wind(s);
    pliant__damp(s, s->state->v, s->substep_h);
    if (pliant__has_history(s)) pliant__damp(s, s->state->previous_v, 2 * s->substep_h);
    pliant__run_light(s, extrapolate_chunk, chunks);
    s->state->header->history_step = s->substep_h;
}
