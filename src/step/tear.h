/* The stage that tears bodies. */
#ifndef PLIANT_STEP_TEAR_H
#define PLIANT_STEP_TEAR_H

#include "solver/solver.h"

/* Whether a step may tear something: s->tears. Called when it begins. */
void pliant__begin_tears(pliant_solver *s);

void pliant__stage_tear(pliant_solver *s);

#endif
