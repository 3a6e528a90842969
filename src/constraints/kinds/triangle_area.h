/* Area of a triangle.
 *
 * C = |N| / 2 - rest with N = (x1 - x0) x (x2 - x0). With n = N / |N|:
 *   grad1 C = (x2 - x0) x n / 2,   grad2 C = n x (x1 - x0) / 2,   grad0 C = -grad1 C - grad2 C.
 * A triangle without area has no normal: the gradients are zero and nothing moves.
 *
 * Source: Bender, Müller, Macklin 2017, A Survey on Position Based Dynamics, section 5; the gradients follow from
 * d|N| = n . dN. */
KERNEL void triangle_area_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vvec  a = vsub(x[1], x[0]), b = vsub(x[2], x[0]);
    vvec  N = vcross(a, b);
    vreal twice = vlength(N);
    vvec  half_n = vscale(N, K(0.5) * vinverse(twice));
    gradient[1] = vcross(b, half_n);
    gradient[2] = vcross(half_n, a);
    gradient[0] = vneg(vadd(gradient[1], gradient[2]));
    C[0] = K(0.5) * twice - parameter[0];
}

#ifdef KIND
#define KIND_SOFT
#endif
