/* BDF2. */
#ifndef PLIANT_STEP_HISTORY_H
#define PLIANT_STEP_HISTORY_H

#include "solver/solver.h"

/* Finds out whether the history of BDF2 is of substeps of another length (s->begins). */
void pliant__begin_history(pliant_solver *s);

void pliant__stage_history(pliant_solver *s);

void pliant__stage_limits(pliant_solver *s);

#endif
