/* What a row has of elastic energy: row_energy.c. */
#ifndef PLIANT_SOLVER_ROW_ENERGY_H
#define PLIANT_SOLVER_ROW_ENERGY_H

#include "solver/sweep.h"

/* J, of a row with value C, S = sum of w |grad C|^2, and a rest length that scales a range. The law has its compliance in the place of alpha, what
 * pliant__spring_of says in that of ease, 1 - 1 / e of its ease in that of gamma, and in that of stiffness
 * what pliant__beside_law says, where the least is asked for. `mass`: of a volume (PLIANT_ROW_BULK), the sum of its inverse
 * masses; of others 0. */
double pliant__row_energy(pliant_limit limit, const pliant__law_now *law, double C, double S, double rest, double mass);

#endif
