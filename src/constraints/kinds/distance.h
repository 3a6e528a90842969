/* Distance between two particles.
 *
 * C = |x0 - x1| - rest; with n = (x0 - x1) / |x0 - x1|: grad0 C = n, grad1 C = -n.
 * Two particles at one place have no direction: the gradients are zero and nothing moves.
 * With equal stiffness this is the mass-weighted least-squares projection onto the sphere |x0 - x1| = rest, and the centre of mass stays.
 *
 * Source: Müller, Heidelberger, Hennix, Ratcliff 2007, Position Based Dynamics, eq. 10 and 11. */
KERNEL void distance_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vvec  d = vsub(x[0], x[1]);
    vreal length = vlength(d);
    gradient[0] = vscale(d, vinverse(length));
    gradient[1] = vneg(gradient[0]);
    C[0] = length - parameter[0];
}
