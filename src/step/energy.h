/* Energies and work of a step. */
#ifndef PLIANT_STEP_ENERGY_H
#define PLIANT_STEP_ENERGY_H

#include "solver/solver.h"

/* Makes and frees what energies take. */
bool pliant__make_energies(pliant_solver *s);

void pliant__free_energies(pliant_solver *s);

/* Energies of the state that a step finds. */
void pliant__begin_energies(pliant_solver *s);

/* And of that which it leaves. */
void pliant__end_energies(pliant_solver *s);

/* Notes where particles are. */
void pliant__before_substep(pliant_solver *s);

void pliant__stage_work(pliant_solver *s);

#endif
