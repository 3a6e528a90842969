/* Forces, drag, gravity and wind. */
#ifndef PLIANT_STEP_FORCES_H
#define PLIANT_STEP_FORCES_H

#include "solver/solver.h"
#include "solver/sweep.h"

/* s, the time at which keys of forces are asked for: the middle of the step, or of the substep where they are of one length. */
double pliant__force_time(const pliant_solver *s);

/* A body's motion by what is the same everywhere in the body. */
pliant__motion pliant__motion_of(const pliant_solver *s, const pliant_inputs *inputs, uint32_t body, double time);

/* m/s^2, of a body likewise; without `keyed` gravity and forces with keys are left out. */
pliant_vec3 pliant__acceleration_of(const pliant_model *m, const pliant_inputs *inputs, uint32_t body, double time, bool keyed);

/* Sets s->motion. */
void pliant__ready_motion(pliant_solver *s);

/* Applies forces to velocities. */
void pliant__apply_forces(pliant_solver *s);

/* Sets s->triangle_force. */
void pliant__wind(pliant_solver *s);

/* Whether a stage looks at velocities between forces and prediction. */
bool pliant__are_velocities_seen(const pliant_model *model);

/* Whether something follows keys or a frame. */
bool pliant__is_timed(const pliant_model *model);

/* 1/s, of a body. */
double pliant__drag_rate(const pliant_model *model, uint32_t body);

void pliant__stage_forces(pliant_solver *s);

#endif
