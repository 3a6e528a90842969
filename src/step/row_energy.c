/* What a row has of elastic energy: C^2 / (2 max(alpha, h^2 S / k)), S = sum of w |grad C|^2, k PBD's stiffness.
 *
 * One sweep does to a row in a substep what a spring of compliance h^2 S does, however stiff its law: what is stiffer than that holds no more than
 * such a spring, and a rigid row holds as much. h is the longest substep of late, as ease.c has it, and 1/600 s at the least, so that a rigid row
 * that begins violated does not hold the more the shorter substeps are.
 *
 * S of a volume vanishes where the tetrahedron is crushed. It counts with no less than a regular tetrahedron of its rest volume V has: its faces are
 * the least that enclose V, each |grad C|^2 is a^4 / 48, and a^4 = (72 V^2)^(2/3). */
#include "step/row_energy.h"

#include <math.h>

/* The cube root of a^2 by Newton's method: not libm's, which is another one on each machine. */
static double root_of_square(double a)
{
    int          power = 0;
    const double m = frexp(a * a, &power); /* exact; 0.5 to 1 */
    if (!(m > 0) || !(m < 1)) return 0;
    const int third = (power + (power < 0 ? -2 : 0)) / 3; /* rounded down */
    double    of = ldexp(m, power - 3 * third), root = 1.2;
    for (int i = 0; i < 6; i++) root -= (root - of / (root * root)) / 3;
    return ldexp(root, third);
}

/* |grad C|^2 at each corner of a regular tetrahedron of volume V. */
static double least_gradient(double volume)
{
    const double square = root_of_square(volume); /* V^(2/3); a^2 = 72^(1/3) V^(2/3) */
    return 17.306965330 * square * square / 48;   /* 72^(2/3) */
}

/* How far a row is violated, m or what its C is in; an inequality only where it is. `rest` scales a range. */
static double violation(pliant_limit limit, const pliant__law_now *law, double C, double rest)
{
    if (limit == PLIANT_AT_MOST) return C > 0 ? C : 0;
    if (limit == PLIANT_AT_LEAST) return C < 0 ? C : 0;
    if (limit != PLIANT_RANGE) return C;
    const double above = C - (double)law->high * rest, below = C - (double)law->low * rest;
    return above > 0 ? above : below < 0 ? below : 0;
}

double pliant__row_energy(pliant_limit limit, const pliant__law_now *law, double C, double S, double rest, double mass)
{
    const double c = violation(limit, law, C, rest), k = (double)law->stiffness, least = mass > 0 ? mass * least_gradient(rest) : 0;
    double       alpha = (double)law->alpha;
    if (S < least) S = least;
    if (!(k > 0) || (!(S >= 1e-30) && !(alpha > 0))) return 0;
    if (!(alpha > (double)law->ease * S / k)) alpha = (double)law->ease * S / k;
    return 0.5 * c * c / alpha;
}
