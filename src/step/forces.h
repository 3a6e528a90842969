/* Forces, drag, gravity and wind. */
#ifndef PLIANT_STEP_FORCES_H
#define PLIANT_STEP_FORCES_H

#include "solver/solver.h"
#include "solver/sweep.h"

/* s, the time at which keys of forces are asked for: the middle of the step, or of the substep where they are of one length. */
double pliant__force_time(const pliant_solver *s);

/* How a substep moves a body's particles by themselves: drag, and the acceleration of gravity and of forces that are the same everywhere, at `time` (s). */
pliant__motion pliant__motion_of(const pliant_solver *s, const pliant_inputs *inputs, uint32_t body, double time);

/* m/s^2, the acceleration of a body by gravity and forces that are the same everywhere; without `keyed` only by forces without keys, and not by gravity. */
pliant_vec3 pliant__acceleration_of(const pliant_model *m, const pliant_inputs *inputs, uint32_t body, double time, bool keyed);

/* Fills s->motion and s->forces for the step, or for a substep of one that carries. */
void pliant__ready_motion(pliant_solver *s);

/* Applies forces to velocities. */
void pliant__apply_forces(pliant_solver *s);

/* Sets s->triangle_force. */
void pliant__wind(pliant_solver *s);

/* Whether a stage looks at velocities between forces and prediction. */
bool pliant__are_velocities_seen(const pliant_model *model);

/* Whether forces have keys or bodies have frames, so that a substep depends on its time. */
bool pliant__is_timed(const pliant_model *model);

/* 1/s, the rate at which drag slows a body: its material's and the scene's. */
double pliant__drag_rate(const pliant_model *model, uint32_t body);

void pliant__stage_forces(pliant_solver *s);

#endif
