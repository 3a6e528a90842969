/* As linear, and of what the linear map leaves a quadratic one, H s, fits what it can (Müller et al. 2005, section 4.3): s are the products xx yy zz xy yz zx
 * of q, less what a linear map makes of them, so that F stays what it is. H bends and twists. A beam of Young's modulus E that curves by kappa has the strain
 * kappa y and the deflection kappa x^2 / 2, of mean squares kappa^2 <y^2> and kappa^2 <x^2>^2 or, in xy, kappa^2 <x^2> <y^2>: so the energy per
 * mass and square of H s is E / (2 rho <x^2>). */
#include "constraints/groups/match.h"

static inline match_order quadratic_order(void) { return MATCH_QUADRATIC; }

static inline void quadratic_stiffness(const double *number, const match_size *size, double *stiffness)
{
    match_strain(number[0], number[2], size, stiffness);
    stiffness[MATCH_BEND] = size->reach2 > 0 ? number[0] / (size->density * size->reach2) : 0;
    stiffness[MATCH_REST] = number[3] * match_bonds(number[0], size);
}

static inline match_yield quadratic_yield(const double *number) { return match_yields(number + 4); }
