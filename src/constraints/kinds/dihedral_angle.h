/* Signed angle between two triangles that share the edge x0 x1; x2 and x3 are the wings. A flat pair has angle 0.
 *
 * With e = x1 - x0, n1 = e x (x2 - x0), n2 = (x3 - x0) x e and ê = e / |e|:
 *   C = atan2((n1 x n2) . ê, n1 . n2) - rest, wrapped to (-pi, pi].
 * With a1 = (x2 - x0) . ê / |e| and a2 = (x3 - x0) . ê / |e|, where the wings' feet lie along the edge:
 *   grad2 C = -|e| n1 / |n1|^2,   grad3 C = -|e| n2 / |n2|^2,
 *   grad0 C = (a1 - 1) grad2 C + (a2 - 1) grad3 C,   grad1 C = -a1 grad2 C - a2 grad3 C.
 * The four sum to zero and exert no torque. The angle by acos has no digits left for a nearly flat hinge; atan2 keeps all of them. (n1 x n2) . ê
 * is -|e| n1 . (x3 - x0), which takes a product less, but does not go with n1 . n2 where a wing is a sliver: such rows then kick.
 * A wing without area, or an edge without length, has no angle: C and the gradients are zero.
 *
 * Source: Müller et al. 2007, section 4.1 (bending as a dihedral angle); Bridson, Marino, Fedkiw 2003, Simulation of Clothing with
 * Folds and Wrinkles (gradients of the signed angle). */
#include "constraints/flow.h"

KERNEL void dihedral_angle_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vvec  e = vsub(x[1], x[0]), a = vsub(x[2], x[0]), b = vsub(x[3], x[0]);
    vvec  n1 = vcross(e, a), n2 = vcross(b, e);
    vreal length = vlength(e), s1 = vdot(n1, n1), s2 = vdot(n2, n2), inverse = K(1) / length;
    vvec  unit = vscale(e, inverse);
    vmask some = vboth(length >= KERNEL_TINY, vmin(s1, s2) >= (K(1) + length) * KERNEL_TINY); /* and |e| / |n|^2 is a number */

    vreal angle = vatan2(vdot(vcross(n1, n2), unit), vdot(n1, n2)) - parameter[0];
    vreal turn = vkeep(angle <= K(-3.141592653589793), vsplat(K(6.283185307179586))) -
                 vkeep(angle > K(3.141592653589793), vsplat(K(6.283185307179586)));
    C[0] = vkeep(some, angle + turn);

    vreal a1 = vkeep(some, vdot(a, unit) * inverse), a2 = vkeep(some, vdot(b, unit) * inverse);
    gradient[2] = vscale(n1, vkeep(some, -length / s1));
    gradient[3] = vscale(n2, vkeep(some, -length / s2));
    gradient[0] = vadd(vscale(gradient[2], a1 - K(1)), vscale(gradient[3], a2 - K(1)));
    gradient[1] = vneg(vadd(vscale(gradient[2], a1), vscale(gradient[3], a2)));
}

/* The strain is the angle, rad. A hinge that is folded through itself stays at half a turn. */
KERNEL void dihedral_angle_flow(const vvec *x, const vreal *C, const vreal *rest, vflow law, vreal *parameter)
{
    const vreal by = plastic_change(law, C[0], parameter[0] - rest[0]), most = vmax(vabs(parameter[0]), vsplat(K(3.141592653589793)));
    (void)x;
    parameter[0] = vmax(vmin(parameter[0] + by, most), -most);
}

#ifdef KIND
#define KIND_FLOW
#define KIND_SOFT
#endif
