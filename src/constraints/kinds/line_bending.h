/* How far three particles that lie in a line at rest are from doing so: x1, x0, x2, the middle one first. For sheets and strands that hardly stretch.
 *
 * D = c0 x0 + c1 x1 + c2 x2 with c0 = -(c1 + c2), constants of the shape at rest:
 *   c1 = 1 / |x1 - x0|,   c2 = 1 / |x2 - x0|.
 * D is the sum of two unit vectors away from the middle, and |D| = 2 sin(angle / 2) of the angle by which the line turns there. C is the angle, within 0.5 %
 * up to 90 degrees: with q = |D|^2,
 *   C = |D| f,   f = 1 + q (10 + 3 q) / (12 (20 + q^2)).
 * With n the unit vector along D:
 *   grad_i C = c_i g n,   g = f + 5/3 q (20 + 12 q - q^2) / (20 + q^2)^2.
 * They sum to zero and exert no torque. Where C is 0 it has no direction, and the gradients are zero.
 *
 * Source: the second difference of a line, as in Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006, A Quadratic Bending Model for Inextensible Surfaces,
 * and Bergou et al. 2008, Discrete Elastic Rods (the curvature at a vertex, of small angles). */
#include "constraints/bending.h"
#include "constraints/rest.h"

KERNEL void line_bending_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    bending_value(3, x, parameter, C, gradient);
}

KERNEL vreal line_bending_change(const vvec *x, const vreal *w, const vreal *parameter, bool compliant, bool kept, vlaw law, vreal lambda,
                                 vvec *along, vreal *length)
{
    return bending_change(3, x, w, parameter, compliant, kept, law, lambda, along, length);
}

static inline bool line_bending_rest(const rest_vec *x, double *parameter)
{
    for (int i = 0; i < 2; i++) parameter[i] = rest_inverse_length(rest_from(x[0], x[i + 1]));
    return parameter[0] > 0 && parameter[1] > 0;
}

#ifdef KIND
#define KIND_SOFT
#define KIND_CHANGE line_bending_change
#endif
#define KIND_REST
