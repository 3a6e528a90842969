/* Distance between two particles.
 *
 * C = |x0 - x1| - rest; with n = (x0 - x1) / |x0 - x1|: grad0 C = n, grad1 C = -n.
 * Two particles at one place have no direction: the gradients are zero and nothing moves.
 * With equal stiffness this is the mass-weighted least-squares projection onto the sphere |x0 - x1| = rest, and the centre of mass stays.
 *
 * Source: Müller, Heidelberger, Hennix, Ratcliff 2007, Position Based Dynamics, eq. 10 and 11. */
#include "constraints/flow.h"

KERNEL void distance_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vvec  d = vsub(x[0], x[1]);
    vreal length = vlength(d);
    gradient[0] = vscale(d, vinverse(length));
    gradient[1] = vneg(gradient[0]);
    C[0] = length - parameter[0];
}

/* The same, projected with one square root and one division. With d = x0 - x1, along which the slots move instead of along n, the multiplier's
 * change over |d| is
 *   k (-C - alpha~ lambda) / ((e (w0 + w1) + alpha~) |d|),
 * and 0 where nothing can move, d has no direction, or |d| is beyond what a number can hold. `w` is w0 + w1; what is not compliant has k = 1 and e = 1. */
KERNEL vreal distance_quotient(vreal length, vreal w, vreal rest, bool compliant, vlaw law, vreal lambda)
{
    vreal numerator = rest - length, denominator = w * length;
    vmask valid = (denominator >= KERNEL_TINY) & (denominator <= KERNEL_HUGE);
    if (compliant) {
        numerator = (numerator - law.alpha * lambda) * law.stiffness;
        denominator = law.ease * denominator + law.alpha * length;
    }
    return vkeep(valid, numerator / denominator);
}

KERNEL vreal distance_change(const vvec *x, const vreal *w, const vreal *parameter, bool compliant, bool kept, vlaw law, vreal lambda,
                             vvec *along, vreal *length)
{
    (void)kept;
    along[0] = along[1] = vsub(x[0], x[1]);
    *length = vlength(along[0]);
    return distance_quotient(*length, w[0] + w[1], parameter[0], compliant, law, lambda);
}

/* The strain is that of the length at rest in the scene, of which what has none is never strained. */
KERNEL void distance_flow(const vvec *x, const vreal *C, const vreal *rest, vflow law, vreal *parameter)
{
    const vreal per = vinverse(rest[0]);
    (void)x;
    parameter[0] = vmax(parameter[0] + rest[0] * plastic_change(law, C[0] * per, (parameter[0] - rest[0]) * per), vsplat(0));
}

#ifdef KIND
#define KIND_FLOW
#define KIND_CHANGE distance_change
#define KIND_AGAINST 1
#define KIND_BLOCK_RUNS PLIANT__OF_WIDTH(project_distances_by_runs)
#define KIND_STATES PLIANT__OF_WIDTH(project_distances_of_states)
#endif
