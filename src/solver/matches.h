/* What the interaction of shape matching keeps: step/matches.c. */
#ifndef PLIANT_SOLVER_MATCHES_H
#define PLIANT_SOLVER_MATCHES_H

#include "base/vec.h"
#include "constraints/groups/match.h"

#include <stdbool.h>

typedef struct pliant__match_now {
    double lambda[MATCH_ROWS]; /* multiplier of each row in this substep: J s^2 of LENGTH and TRACE, kg^1/2 m of others */
    double held;               /* J, the energy of its rows as they are now */
} pliant__match_now;

typedef struct pliant__matches {
    pliant__match_now *of; /* per cluster */
    double (*at)[3];       /* m, per member: where it is, from the cluster's centre of mass */
    pliant_vec3 *push;     /* kg m, per member: its share of the mass times how far its cluster moves it in this sweep */
    pliant_vec3
           *impulse;  /* kg m, per matched slot: the sum of these over clusters and over the sweeps of the substep, h^2 times the force */
    double *led;      /* per group: its first number, while that is what it was before for a moment */
    double *of_group; /* J, per group: the work of what leads its first number in this substep */
    bool    first;    /* sweep of the substep */
} pliant__matches;

#endif
