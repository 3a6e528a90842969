/* Histories of single particles, with BDF2: where each was a substep ago. */
#ifndef PLIANT_SOLVER_HISTORY_H
#define PLIANT_SOLVER_HISTORY_H

#include "solver/solver.h"

/* Whether this substep is one of BDF2, and not the one that it begins with. */
static inline bool pliant__has_history(const pliant_solver *s) { return pliant__is_bdf2(s->model) && !(s->begins && s->substep == 0); }

/* A particle's history becomes as if it had always gone as it goes now. */
void pliant__straighten_history(pliant_solver *s, uint32_t slot);

/* Velocities of particles of a chunk that a collider has stuck to itself. */
void pliant__end_stuck(pliant_solver *s, const pliant__chunk *chunk);

#endif
