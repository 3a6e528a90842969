/* Pieces of scratch memory. */
#ifndef PLIANT_SOLVER_PIECES_H
#define PLIANT_SOLVER_PIECES_H

#include "solver/solver.h"

/* Bytes of scratch for a group of 16 states; may be more than there is memory. */
uint64_t pliant__lane_states_bytes(const pliant_model *model);

/* Whether states of a model that go through a step in lanes have views, solvers of their own for what is done to each by itself: step/lane_views.c. */
bool pliant__has_lane_views(const pliant_model *model);

/* Whether a step of this model can be one walk over patches. */
bool pliant__is_closed(const pliant_model *model);

/* Makes pieces of scratch, and what else a walk of whole substeps needs. */
bool pliant__make_scratch(pliant_solver *s);

/* Memory for a patch, until it is given back: its number. */
uint32_t pliant__take_scratch(pliant_solver *s, pliant_real **piece);

void pliant__give_scratch(pliant_solver *s, uint32_t number);

#endif
