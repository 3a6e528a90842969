/* Long-range attachment: a particle may come nearer to its anchor than the rest length, but not go farther.
 *
 * C = |x0 - x1| - rest <= 0; gradients as those of a distance. The multiplier is clamped: lambda <- min(0, lambda + dlambda).
 * x0 is the particle and x1 what holds it, usually a pin. With one tether per particle a sheet that hangs on pins converges at once
 * to its largest extent, whatever its size.
 *
 * Source: Kim, Chentanez, Müller 2012, Long Range Attachments: A Method to Simulate Inextensible Clothing in Computer Games. */
KERNEL void tether_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vvec  d = vsub(x[0], x[1]);
    vreal length = vlength(d);
    gradient[0] = vscale(d, vinverse(length));
    gradient[1] = vneg(gradient[0]);
    C[0] = length - parameter[0];
}

#ifdef KIND
#define KIND_SOFT
#define KIND_HELD
#endif
