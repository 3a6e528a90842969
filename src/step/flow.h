/* Plastic flow. */
#ifndef PLIANT_STEP_FLOW_H
#define PLIANT_STEP_FLOW_H

#include "solver/solver.h"

void pliant__stage_flow(pliant_solver *s);

#endif
