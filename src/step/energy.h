/* Energies and work of a step. */
#ifndef PLIANT_STEP_ENERGY_H
#define PLIANT_STEP_ENERGY_H

#include "solver/solver.h"

/* Makes and frees what energies take. */
bool pliant__make_energies(pliant_solver *s);

void pliant__free_energies(pliant_solver *s);

/* Sums up the energies that the state has before the step. */
void pliant__begin_energies(pliant_solver *s);

/* Sums up those after it, and what was dissipated: pliant_statistics.energy. */
void pliant__end_energies(pliant_solver *s);

/* Keeps the positions at the start of a substep, if some of its work is a force times a way from there. */
void pliant__before_substep(pliant_solver *s);

void pliant__stage_work(pliant_solver *s);

#endif
