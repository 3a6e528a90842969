/* A step. */
#ifndef PLIANT_STEP_STEP_H
#define PLIANT_STEP_STEP_H

#include "solver/solver.h"
#include "state/state.h"

/* Makes a solver ready for a step: what stages and kernels look at. False arguments change nothing of a state. */
pliant_code pliant__begin_step(pliant_solver *s, pliant_state *state, const pliant_inputs *inputs);

/* Time goes on: Kahan's sum. */
void pliant__add_time(pliant__state_header *header, double dt);

/* What a step leaves in the header beside the time. */
void pliant__end_step(const pliant_solver *s, pliant__state_header *header);

void pliant__stage_project(pliant_solver *s);

/* Takes it; false: it has not, or has undone it. */
bool pliant__step_by_patches(pliant_solver *s);

/* Makes and frees what lanes that hold states need. */
bool pliant__make_lane_states(pliant_solver *s);

void pliant__free_lane_states(pliant_solver *s);

#endif
