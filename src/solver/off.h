/* Bodies that are off: blocks, patches and rows that a step passes over for them. */
#ifndef PLIANT_SOLVER_OFF_H
#define PLIANT_SOLVER_OFF_H

#include "solver/solver.h"
#include "solver/sweep.h"

/* Makes and frees what that takes. */
bool pliant__make_off(pliant_solver *s);

void pliant__free_off(pliant_solver *s);

/* Notes which bodies are off in the step that begins. */
void pliant__find_off(pliant_solver *s);

/* Whether some row is between a body that is off and one that is on. */
bool pliant__ties_off(const pliant_solver *s);

/* Calls `walk` with pieces of a batch, and of the members of clusters behind it, that have rows of bodies that are on. */
void pliant__for_live_blocks(const pliant_solver *s, const pliant__sweep *sweep, const pliant__batch *b, uint32_t members,
                             void (*walk)(const pliant_solver *s, const pliant__sweep *sweep, const pliant__batch *b, uint32_t members));

#endif
