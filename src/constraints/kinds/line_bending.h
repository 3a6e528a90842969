/* How far three particles that lie in a line at rest are from doing so: x1, x0, x2, the middle one first. For sheets and strands that hardly stretch.
 *
 * C = |c0 x0 + c1 x1 + c2 x2| with c0 = -(c1 + c2), constants of the shape at rest:
 *   c1 = 1 / |x1 - x0|,   c2 = 1 / |x2 - x0|.
 * The sum is that of two unit vectors away from the middle, and C = 2 sin(angle / 2) of the angle by which the line turns there: the angle itself where it is
 * small, 2 where the line is folded back.
 * With n the unit vector along the sum:
 *   grad_i C = c_i n.
 * They sum to zero and exert no torque. Where C is 0 it has no direction, and the gradients are zero.
 *
 * Source: the second difference of a line, as in Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006, A Quadratic Bending Model for Inextensible Surfaces,
 * and Bergou et al. 2008, Discrete Elastic Rods (the curvature at a vertex, of small angles). */
#include "constraints/bending.h"

KERNEL void line_bending_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    bending_value(3, x, parameter, C, gradient);
}
