/* Signed angle between two triangles that share the edge x0 x1; x2 and x3 are the wings. A flat pair has angle 0.
 *
 * With e = x1 - x0, n1 = e x (x2 - x0), n2 = (x3 - x0) x e and ê = e / |e|:
 *   C = atan2((n1 x n2) . ê, n1 . n2) - rest, wrapped to (-pi, pi].
 * With u1 = n1 / |n1|^2 and u2 = n2 / |n2|^2:
 *   grad2 C = -|e| u1,   grad3 C = -|e| u2,
 *   grad0 C = -((x2 - x1) . ê) u1 - ((x3 - x1) . ê) u2,   grad1 C = ((x2 - x0) . ê) u1 + ((x3 - x0) . ê) u2.
 * The four sum to zero and exert no torque. The angle by acos has no digits left for a nearly flat hinge; atan2 keeps all of them. (n1 x n2) . ê
 * is -|e| n1 . (x3 - x0), which takes a product less, but does not go with n1 . n2 where a wing is a sliver: such rows then kick.
 * A wing without area, or an edge without length, has no angle: C and the gradients are zero.
 *
 * Source: Müller et al. 2007, section 4.1 (bending as a dihedral angle); Bridson, Marino, Fedkiw 2003, Simulation of Clothing with
 * Folds and Wrinkles (gradients of the signed angle). */
KERNEL void dihedral_angle_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vvec  e = vsub(x[1], x[0]);
    vvec  a = vsub(x[2], x[0]), b = vsub(x[3], x[0]);
    vvec  n1 = vcross(e, a), n2 = vcross(b, e);
    vreal length = vlength(e), s1 = vdot(n1, n1), s2 = vdot(n2, n2);
    vreal inverse_length = vinverse(length);
    vmask some = (length >= KERNEL_TINY) & (s1 >= KERNEL_TINY) & (s2 >= KERNEL_TINY);
    vvec  u1 = vscale(n1, vkeep(some, vinverse(s1))), u2 = vscale(n2, vkeep(some, vinverse(s2)));

    gradient[2] = vscale(u1, -length);
    gradient[3] = vscale(u2, -length);
    vreal a1 = vdot(a, e) * inverse_length, b1 = vdot(b, e) * inverse_length; /* along the edge, from x0; from x1 it is less by |e| */
    gradient[0] = vadd(vscale(u1, length - a1), vscale(u2, length - b1));
    gradient[1] = vadd(vscale(u1, a1), vscale(u2, b1));

    vreal angle = vatan2(vdot(vcross(n1, n2), vscale(e, inverse_length)), vdot(n1, n2)) - parameter[0];
    angle = vselect(angle > K(3.141592653589793), angle - K(6.283185307179586), angle);
    angle = vselect(angle <= K(-3.141592653589793), angle + K(6.283185307179586), angle);
    C[0] = vkeep(some, angle);
}
