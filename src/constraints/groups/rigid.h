/* Shape matching of Müller et al. 2005, section 3: a cluster keeps its shape at rest, turned and moved as a whole. The row is the distance of all members from
 * their places, C = sqrt(sum m |x - c - R q|^2), with the gradient m (x - c - R q) / C: that R changes with x adds nothing, since R is the best one. It is 0 at
 * rest, moves neither the centre of mass nor turns anything as a whole, and S = sum w |grad C|^2 is 1. */
#include "constraints/groups/match.h"

static inline match_order rigid_order(void) { return MATCH_RIGID; }

static inline void rigid_stiffness(const double *number, const match_size *size, double *stiffness)
{
    stiffness[MATCH_LENGTH] = stiffness[MATCH_TRACE] = stiffness[MATCH_BEND] = 0;
    stiffness[MATCH_REST] = match_bonds(number[0], size);
}

static inline match_yield rigid_yield(const double *number)
{
    (void)number;
    return match_never_yields();
}
