/* A moving point x0 kept on the front side of a moving triangle x1 x2 x3, at a distance.
 *
 * With N = (x2 - x1) x (x3 - x1), n = N / |N| and the barycentric coordinates b1, b2, b3 of x0's projection onto the triangle's plane:
 *   C = n . (x0 - x1) - thickness >= 0,   grad0 C = n,   grad_i C = -b_i n.
 * That is the exact gradient: moving corner i by d moves the plane at the projection by b_i n . d.
 * Where x0 projects outside the triangle, or the triangle has no area, there is nothing to hold on to: C and the gradients are zero.
 *
 * Source: Müller et al. 2007, section 4.2, eq. 19 (a point against a triangle with corners that move). */
KERNEL void point_triangle_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vvec  a = vsub(x[2], x[1]), b = vsub(x[3], x[1]), d = vsub(x[0], x[1]);
    vvec  N = vcross(a, b);
    vreal s = vdot(N, N), inverse_s = vinverse(s);
    vreal b2 = vdot(vcross(d, b), N) * inverse_s, b3 = vdot(vcross(a, d), N) * inverse_s;
    vreal b1 = (K(1) - b2) - b3;
    vmask inside = (s >= KERNEL_TINY) & (b1 >= K(0)) & (b2 >= K(0)) & (b3 >= K(0));
    vvec  n = vscale(N, vkeep(inside, vinverse(vsqrt(s))));
    gradient[0] = n;
    gradient[1] = vscale(n, -b1);
    gradient[2] = vscale(n, -b2);
    gradient[3] = vscale(n, -b3);
    C[0] = vkeep(inside, vdot(n, d) - parameter[0]);
}

#ifdef KIND
#define KIND_SOFT
#endif
