/* What a row has of elastic energy: C^2 / (2 alpha), and of a rigid one what it would have with a compliance of its own, which makes a law about
 * energy possible where rows are rigid: alpha = h0^2 S, with S = sum of w |grad C|^2 and h0 = 1/600 s whatever the substeps. */
#ifndef PLIANT_STEP_ROW_ENERGY_H
#define PLIANT_STEP_ROW_ENERGY_H

#include "step/sweep.h"

#define PLIANT__RIGID_H (1.0 / 600) /* s */

/* How far a row is violated, m or what its C is in; an inequality only where it is. `rest` scales a range. */
static inline double pliant__violation(pliant_limit limit, const pliant__law_now *law, double C, double rest)
{
    if (limit == PLIANT_AT_MOST) return C > 0 ? C : 0;
    if (limit == PLIANT_AT_LEAST) return C < 0 ? C : 0;
    if (limit != PLIANT_RANGE) return C;
    const double above = C - (double)law->high * rest, below = C - (double)law->low * rest;
    return above > 0 ? above : below < 0 ? below : 0;
}

/* J. The law has its compliance in the place of alpha, and the user's stiffness. */
static inline double pliant__row_energy(pliant_limit limit, const pliant__law_now *law, double C, double S, double rest)
{
    const double c = pliant__violation(limit, law, C, rest), alpha = (double)law->alpha;
    if (alpha > 0) return 0.5 * c * c / alpha;
    if (!(S >= 1e-30)) return 0;
    return 0.5 * (double)law->stiffness * c * c / (PLIANT__RIGID_H * PLIANT__RIGID_H * S);
}

#endif
