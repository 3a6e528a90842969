/* Damping of what is not rigid motion. */
#ifndef PLIANT_STEP_DAMPING_H
#define PLIANT_STEP_DAMPING_H

#include "solver/solver.h"

/* Damps the velocities of all slots (4 numbers each) by what the bodies' and the scene's rates take of them in `seconds`. */
void pliant__damp(pliant_solver *s, pliant_real *velocities, double seconds);

/* Whether a body or the scene is damped. */
bool pliant__is_damped(const pliant_model *model);

void pliant__stage_damping(pliant_solver *s);

#endif
