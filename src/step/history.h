/* BDF2. */
#ifndef PLIANT_STEP_HISTORY_H
#define PLIANT_STEP_HISTORY_H

#include "solver/solver.h"

/* Whether there is a history; returns the positions that substeps start from. */
pliant_real *pliant__begin_history(pliant_solver *s);

void pliant__stage_history(pliant_solver *s);

void pliant__stage_limits(pliant_solver *s);

#endif
