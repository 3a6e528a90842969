/* A particle x0 held at a target x1 (or two particles welded), one row per axis.
 *
 * C = x0 - x1 in R^3; the gradients are the unit vectors, positive for x0 and negative for x1. With compliance it is a spring of rest
 * length zero that pulls alike in every direction. Both ends feel it, so linear momentum is kept between two particles; angular
 * momentum is not, since C turns with the frame.
 *
 * Source: Macklin, Müller, Chentanez 2016, XPBD, eq. 18, with a linear C. */
KERNEL void attachment_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    (void)parameter;
    vvec  d = vsub(x[0], x[1]);
    vreal zero = vsplat(0), one = vsplat(1);
    C[0] = d.x;
    C[1] = d.y;
    C[2] = d.z;
    gradient[0] = vvec_of(one, zero, zero);
    gradient[2] = vvec_of(zero, one, zero);
    gradient[4] = vvec_of(zero, zero, one);
    for (int row = 0; row < 3; row++) gradient[2 * row + 1] = vneg(gradient[2 * row]);
}
