/* What rests. */
#ifndef PLIANT_STEP_SLEEP_H
#define PLIANT_STEP_SLEEP_H

#include "solver/solver.h"

/* Wakes all particles if the inputs are others than those of the step before, or the state was changed in between. */
void pliant__begin_sleep(pliant_solver *s);

void pliant__stage_sleepers(pliant_solver *s);

void pliant__stage_rest(pliant_solver *s);

#endif
