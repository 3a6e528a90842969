/* What the interaction of shape matching keeps: step/matches.c. */
#ifndef PLIANT_SOLVER_MATCHES_H
#define PLIANT_SOLVER_MATCHES_H

#include "base/vec.h"
#include "constraints/groups/match.h"

#include <stdbool.h>

typedef struct pliant__match_now {
    double lambda[MATCH_ROWS]; /* multiplier of each row in this substep: J s^2 of LENGTH and TRACE, kg^1/2 m of others */
    double held, pumped;       /* J, the energy of its rows as they are now; and its derivative by the first number, times that */
} pliant__match_now;

typedef struct pliant__matches {
    pliant__match_now *of; /* per cluster */
    double (*at)[3];       /* m, per member: where it is, from the cluster's centre of mass */
    pliant_vec3 *push;     /* kg m, per member: its share of the mass times how far its cluster moves it in this sweep */
    pliant_vec3
           *impulse;  /* kg m, per matched slot: the sum of these over clusters and over the sweeps of the substep, h^2 times the force */
    double *of_group; /* per group: numbers' derivative of the energy, J over the first number's unit */
    bool    first;    /* sweep of the substep */
} pliant__matches;

#endif
