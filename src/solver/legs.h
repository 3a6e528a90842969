/* Legs: the way of a target, a skin or a collider, cut into substeps. */
#ifndef PLIANT_SOLVER_LEGS_H
#define PLIANT_SOLVER_LEGS_H

#include "solver/solver.h"
#include "state/inputs.h"
#include "state/state.h"

/* What is moved goes straight to where it shall be in the end of a step, a share per substep; where the step carries, in each substep by itself, so
 * that its way does not depend on how time was cut into steps: how many substeps that takes, and how many are over when this one is. */
static inline uint32_t pliant__leg(const pliant_solver *s) { return s->carries ? 1 : s->substeps; }

static inline uint32_t pliant__leg_done(const pliant_solver *s) { return s->carries ? 1 : s->substep + 1; }

/* The simulated time after so many substeps of the step, to the bit that the state will have: pliant__add_time. A step that carries passes its time substep by
 * substep. */
static inline double pliant__time_after(const pliant_solver *s, uint32_t substeps)
{
    const pliant__state_header *h = s->state->header;
    if (s->carries) return substeps > s->substep ? h->time + (s->substep_h - h->time_lost) : h->time;
    return substeps ? h->time + (s->inputs->dt - h->time_lost) * ((double)substeps / s->substeps) : h->time;
}

/* The simulated time when a leg that begins now ends. */
static inline double pliant__leg_end(const pliant_solver *s)
{
    return s->state->header->time + (s->carries ? s->substep_h : s->inputs->dt);
}

/* The share of the way to where inputs want something in the end of the step that a leg beginning now goes. */
static inline pliant_real pliant__leg_share(const pliant_solver *s)
{
    const double left = s->span - s->substep;
    return s->carries && left > 1 ? (pliant_real)(1 / left) : 1;
}

/* Whether a collider's way is that of the whole step: one that yields keeps its pace also where the step carries. */
static inline bool pliant__keeps_pace(const pliant_solver *s, size_t collider)
{
    return !s->carries || s->model->colliders[collider].yields;
}

/* Where a collider that nothing holds is when `done` of the `of` substeps of its way are over; after the last exactly where it shall be. */
static inline pliant_pose pliant__collider_after(const pliant__collider_now *c, uint32_t of, uint32_t done)
{
    return done == of ? c->to : pose_lerp(c->from, c->to, (pliant_real)((double)done / of));
}

/* Puts a collider that nothing holds to where it begins and ends a substep of such a step. */
static inline void pliant__lead_collider(pliant__collider_now *c, uint32_t substeps, uint32_t substep)
{
    c->before = substep ? pliant__collider_after(c, substeps, substep) : c->from;
    c->after = c->wanted = pliant__collider_after(c, substeps, substep + 1);
    c->share = 1;
}

static inline pliant_vec3 pliant__toward(pliant_vec3 from, pliant_vec3 to, pliant_real share)
{
    return share == 1 ? to : v3_lerp(from, to, share);
}

#endif
