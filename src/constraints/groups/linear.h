/* Physically based shape matching (Müller et al. 2022): the linear map F that fits a cluster best, F = (sum m (x - c) q^T) (sum m q q^T)^-1, is the deformation
 * gradient of a solid of the cluster's volume. As in tet_corotated the rows are the length of the strain E = R^T F - 1 and its trace, R the rotation of F,
 *
 *   grad_i C = m (dC/dF) (sum m q q^T)^-1 q,   d|E|/dF = R E / |E|,   d tr(E)/dF = R,
 *
 * both 0 at rest. What the map leaves, a row of its own holds, as the row of a rigid cluster does: no energy knows of it otherwise. */
#include "constraints/groups/match.h"

static inline match_order linear_order(void) { return MATCH_LINEAR; }

static inline void linear_stiffness(const double *number, const match_size *size, double *stiffness)
{
    match_strain(number[0], number[2], size, stiffness);
    stiffness[MATCH_BEND] = 0;
    stiffness[MATCH_REST] = number[3] * match_bonds(number[0], size);
}

static inline match_yield linear_yield(const double *number) { return match_yields(number + 4); }
