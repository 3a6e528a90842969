/* Moving frames of bodies. */
#ifndef PLIANT_STEP_FRAMES_H
#define PLIANT_STEP_FRAMES_H

#include "solver/solver.h"

/* How frames move in the step; changes nothing of the state. */
void pliant__begin_frames(pliant_solver *s);

/* Bodies follow what they do not feel of their frames, in this substep. */
void pliant__move_frames(pliant_solver *s);

/* What else there is of centrifugal forces, to velocities. */
void pliant__push_frames(pliant_solver *s);

#endif
