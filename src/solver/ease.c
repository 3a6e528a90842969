/* How much of a violation that stood before a substep may become speed in it.
 *
 * The velocity that a row gives is what it moves, over h: a violation C that stood before the substep becomes C / h of speed, the more the
 * smaller h. A row that one sweep a substep projects is a spring of compliance h^2 S, S = sum of w |grad C|^2, whatever its own compliance
 * says beyond that: a stretched sheet at rest holds its weight by it. A shorter substep would make that spring stiffer while it is stretched,
 * which adds energy: (h before / h)^2 of what it held. Rows therefore keep the spring that they had, and it stiffens step by step:
 *   change of the multiplier = k (-C - alpha~ lambda) / (e S + alpha~),   e = (longest substep / h)^2,
 * where the longest substep follows longer ones at once; what it exceeds shorter ones by fades as exp(-t / 0.5 s). With steps of one length e is 1, to
 * the bit.
 *
 * Volumes of tetrahedra are never stiffer than in a substep of a three hundredth of a second: their bulk modulus is finite, so that a crushed
 * tetrahedron, with a gradient next to nothing, does not throw its corners the farther the smaller the substep.
 *
 * PLIANT_EASING_NONE leaves e at 1, and rows as they are published. */
#include "base/trig.h"
#include "solver/laws.h"
#include "solver/solver.h"
#include "state/inputs.h"
#include "state/state.h"

#define FORGETS 0.5              /* s, in which what the longest substep exceeds shorter ones by shrinks to 1/e */
#define ALIKE 1.01               /* substeps of lengths this near each other are of one length */
#define BULK_SUBSTEP (1.0 / 300) /* s, of PLIANT_ROW_BULK */

double pliant__longest_substep(const pliant__state_header *header, double dt, double substep)
{
    if (!(header->longest_substep > ALIKE * substep)) return substep;
    const double past = substep + (header->longest_substep - substep) * pliant__exp(-dt / FORGETS);
    return past > ALIKE * substep ? past : substep;
}

void pliant__begin_ease(pliant_solver *s) { s->longest_substep = pliant__longest_substep(s->state->header, s->inputs->dt, s->substep_h); }

static bool is_bulk(const pliant__model_law *law)
{
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)law->kind); /* none for users' constraints */
    return info && info->flags & PLIANT_ROW_BULK;
}

static double ease_from(const pliant_solver *s, double longest)
{
    const double ratio = longest / s->substep_h;
    return ratio > 1 && s->model->header->easing != PLIANT_EASING_NONE ? ratio * ratio : 1;
}

double pliant__ease_of(const pliant_solver *s, const pliant__model_law *law)
{
    return ease_from(s, is_bulk(law) && s->longest_substep < BULK_SUBSTEP ? BULK_SUBSTEP : s->longest_substep);
}

double pliant__ease_of_groups(const pliant_solver *s) { return ease_from(s, s->longest_substep); }

static bool solves_exactly(const pliant_solver *s)
{
    return s->method.method == PLIANT_METHOD_NEWTON || s->method.method == PLIANT_METHOD_MULTIGRID;
}

/* All rows from the same positions, whatever their order. */
static bool sweeps_at_once(const pliant_solver *s)
{
    return s->method.method == PLIANT_METHOD_JACOBI ||
           (s->method.method == PLIANT_METHOD_CHEBYSHEV && s->method.base == PLIANT_BASE_JACOBI);
}

double pliant__spring_of(const pliant_solver *s, uint32_t law, bool least)
{
    const pliant__model_law *of = &s->inputs->law[law];
    const double             ease = pliant__ease_of(s, of) * s->h * s->h, k = (double)s->laws[law].stiffness;
    double                   sweeps = s->iterations;
    if (solves_exactly(s)) return of->compliance > 0 && !least ? 0 : ease; /* contacts come after them, and leave what a sweep would */
    if (s->method.method == PLIANT_METHOD_CHEBYSHEV) sweeps *= s->iterations;
    if (s->model->header->order == PLIANT_ORDER_GIVEN && !sweeps_at_once(s)) sweeps *= 2; /* along a chain each row passes on what it got */
    return k > 0 ? ease / (sweeps * k) : -1;
}

double pliant__spring_of_groups(const pliant_solver *s)
{
    const double n = s->iterations;
    return pliant__ease_of_groups(s) * s->h * s->h / (s->method.method == PLIANT_METHOD_CHEBYSHEV ? n * n : n);
}

double pliant__share_done(const pliant_solver *s, uint32_t law)
{
    const double k = (double)s->laws[law].stiffness;
    double       left = 1;
    for (uint32_t i = 0; i < s->iterations && left > 1e-6; i++) left *= 1 - k;
    return k > 0 && k < 1 && !solves_exactly(s) ? 1 - left : 1;
}

double pliant__beside_law(const pliant_solver *s, uint32_t law) { return solves_exactly(s) ? 0 : 2 - pliant__share_done(s, law); }
