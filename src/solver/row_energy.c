/* What a row has of elastic energy: C^2 / (2 max(alpha, alpha')), where alpha' = spring S is what the method makes of a rigid row in a substep: one
 * sweep does to a row what a spring of compliance h^2 S does, S = sum of w |grad C|^2, however stiff its law. So what is stiffer than that holds no
 * more than such a spring, and a rigid row holds as much. pliant__spring_of (ease.c) says how stiff that is.
 *
 * That is the most: a row that was solved last has C = -alpha lambda / h^2. One that gives way to others afterwards, or is solved together with them
 * (jacobi), pulls with C / (alpha + alpha') only, and C^2 / (2 (alpha + alpha')) is the least, alpha' with the masses split.
 *
 * Of a volume S counts as its projection has it (tet_volume.h), which is not next to nothing where the tetrahedron is crushed. */
#include "solver/row_energy.h"

#include "solver/sweep.h"

#include <math.h>

/* S of a volume as its projection has it; the law has 1 - 1 / e in the place of gamma. */
static double bulk(const pliant__law_now *law, double S, double volume, double mass)
{
    const double V = fabs(volume), fourth = sqrt(sqrt(V)), sixteenth = sqrt(sqrt(fourth)), share = (double)law->gamma;
    const double eased = (1 - share) * S + share * (mass * V * (17.306965 / 48 * fourth * sixteenth * sqrt(sqrt(sixteenth))));
    return S > eased ? S : eased;
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
    const double c = violation(limit, law, C, rest), spring = (double)law->ease;
    double       alpha = (double)law->alpha;
    if (spring < 0 || !(S >= 1e-30)) return 0; /* nothing moves it */
    if (mass > 0) S = bulk(law, S, rest, mass);
    if (law->stiffness > 0)
        alpha += (double)law->stiffness * spring * S;
    else if (!(alpha > spring * S))
        alpha = spring * S;
    return 0.5 * c * c / alpha;
}
