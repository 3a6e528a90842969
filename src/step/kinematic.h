/* What moves by command. */
#ifndef PLIANT_STEP_KINEMATIC_H
#define PLIANT_STEP_KINEMATIC_H

#include "solver/solver.h"

/* Where targets and colliders go during the step. */
void pliant__begin_kinematic(pliant_solver *s);

/* Puts into the state where they are. */
void pliant__end_kinematic(pliant_solver *s);

/* Moves a particle by command in this substep, from `before` to `after`, with the velocity of that. */
void pliant__lead_slot(pliant_solver *s, uint32_t body, uint32_t slot, pliant_vec3 before, pliant_vec3 after, bool soft);

void pliant__stage_kinematic(pliant_solver *s);

#endif
