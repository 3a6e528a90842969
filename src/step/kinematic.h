/* What moves by command. */
#ifndef PLIANT_STEP_KINEMATIC_H
#define PLIANT_STEP_KINEMATIC_H

#include "solver/solver.h"

/* Finds where targets and colliders begin and end in the step, by inputs or keys. */
void pliant__begin_kinematic(pliant_solver *s);

/* Writes the colliders' poses at the end of the step into the state. */
void pliant__end_kinematic(pliant_solver *s);

/* Puts colliders to where the last substep of a step has them that parts went through by themselves. */
void pliant__end_colliders(pliant_solver *s);

/* Moves the particle or target of a slot by command in this substep, from `before` to `after`, and gives it that velocity. `soft`: a target of a spring, which has no
 * history. */
void pliant__lead_slot(pliant_solver *s, uint32_t body, uint32_t slot, pliant_vec3 before, pliant_vec3 after, bool soft);

void pliant__stage_kinematic(pliant_solver *s);

#endif
