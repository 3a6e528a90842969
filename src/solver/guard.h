/* The guard: notices velocities that are not a number or run away, and puts bodies back. */
#ifndef PLIANT_SOLVER_GUARD_H
#define PLIANT_SOLVER_GUARD_H

#include "solver/solver.h"

/* Finds the chunk's fastest particle, and the first with a velocity that is not a number or above the limit. */
void pliant__guard_chunk(pliant_solver *s, uint32_t chunk);

/* A method found no solution near this particle of a body. */
void pliant__note_unsolved(pliant_solver *s, uint32_t slot);

void pliant__stage_guard(pliant_solver *s);

#endif
