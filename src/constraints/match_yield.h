/* Plastic flow of clusters: the shape at rest of a cluster that is strained beyond its yield goes after the shape that it has. */
#ifndef PLIANT_CONSTRAINTS_MATCH_YIELD_H
#define PLIANT_CONSTRAINTS_MATCH_YIELD_H

#include "constraints/groups/match.h"
#include "constraints/matching.h"

#include <stdbool.h>

/* What flow needs to know of a cluster, in the frame that turns with it. */
typedef struct match_strained {
    const pliant__square *stretch;               /* R^T F of its elastic map F, symmetric; 0 in directions that its places do not have */
    const double         *range;                 /* the projection on those that they have: xx yy zz xy yz zx */
    double                stiffness[MATCH_ROWS]; /* of LENGTH and TRACE, J */
} match_strained;

/* Changes `plastic`, the map from places at rest in the scene to those at rest now, by what flows in h seconds. False: nothing does. */
bool pliant__match_flow(const match_yield *law, const match_strained *of, double h, pliant__square *plastic);

#endif
