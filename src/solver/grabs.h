/* What grabs keep; step/grabs.c solves them, and some methods look at them. */
#ifndef PLIANT_SOLVER_GRABS_H
#define PLIANT_SOLVER_GRABS_H

#include "state/inputs.h"

struct pliant__grabs {
    pliant_real lambda[PLIANT__MAX_GRABS][3]; /* m kg, per grab of the inputs: what it has pulled with in this substep, times h^2 */
};

#endif
