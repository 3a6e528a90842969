/* Constraints that break: pliant_law.break_force. */
#ifndef PLIANT_STEP_BREAKS_H
#define PLIANT_STEP_BREAKS_H

#include "solver/solver.h"

void pliant__stage_break(pliant_solver *s);

#endif
