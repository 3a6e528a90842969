/* Substeps in one walk over the patches. */
#ifndef PLIANT_SOLVER_PATCH_SUBSTEPS_H
#define PLIANT_SOLVER_PATCH_SUBSTEPS_H

#include "solver/solver.h"

/* A substep as one walk: forces, predict, all rounds, velocities. */
void pliant__walk_substep(pliant_solver *s);

#endif
