/* Moving frames of bodies. */
#ifndef PLIANT_STEP_FRAMES_H
#define PLIANT_STEP_FRAMES_H

#include "solver/solver.h"

/* Finds the poses of frames at the beginning and the end of the step, by inputs or keys; changes nothing of the state. */
void pliant__begin_frames(pliant_solver *s);

/* Carries bodies along with the share of their frames' motion in this substep that they do not feel. */
void pliant__move_frames(pliant_solver *s);

/* Adds to velocities what the shares ask for of centrifugal acceleration beside that which follows from the rotation felt. */
void pliant__push_frames(pliant_solver *s);

#endif
