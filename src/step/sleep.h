/* What rests. */
#ifndef PLIANT_STEP_SLEEP_H
#define PLIANT_STEP_SLEEP_H

#include "solver/solver.h"

/* All particles wake where the inputs are others. */
void pliant__begin_sleep(pliant_solver *s);

void pliant__stage_sleepers(pliant_solver *s);

void pliant__stage_rest(pliant_solver *s);

#endif
