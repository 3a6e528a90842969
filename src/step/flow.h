/* Plastic flow. */
#ifndef PLIANT_STEP_FLOW_H
#define PLIANT_STEP_FLOW_H

#include "solver/solver.h"

/* Whether rows of a model flow: some law has a yield. */
static inline bool pliant__flows(const pliant_model *model) { return model->header->flow_count > 0; }

void pliant__stage_flow(pliant_solver *s);

#endif
