/* What each particle does by itself. */
#ifndef PLIANT_STEP_PARTICLES_H
#define PLIANT_STEP_PARTICLES_H

#include "solver/solver.h"

void pliant__stage_predict(pliant_solver *s);

void pliant__stage_velocities(pliant_solver *s);

#endif
