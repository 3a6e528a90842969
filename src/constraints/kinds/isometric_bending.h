/* How far two triangles that share the edge x0 x1 are from lying flat; x2 and x3 are the wings. For sheets that are flat at rest and hardly stretch.
 *
 * D = c0 x0 + c1 x1 + c2 x2 + c3 x3 with c0 = -(c1 + c2 + c3), constants of the shape at rest: with h2 and h3 the heights of the wings over the edge,
 * and t2 and t3 where their feet lie, 0 at x0 and 1 at x1,
 *   c2 = 1 / h2,   c3 = 1 / h3,   c1 = -(c2 t2 + c3 t3).
 * D is the sum of both wings' unit vectors away from the edge, and |D| = 2 sin(angle / 2). C is the angle, within 0.5 % up to 90 degrees: with q = |D|^2,
 *   C = |D| f,   f = 1 + q (10 + 3 q) / (12 (20 + q^2)).
 * Whatever moves the flat hinge as one, stretches or shears it in its plane, leaves C at 0. With n the unit vector along D:
 *   grad_i C = c_i g n,   g = f + 5/3 q (20 + 12 q - q^2) / (20 + q^2)^2.
 * They sum to zero and exert no torque. No arc tangent is taken, and no area divided by: less work than a dihedral angle, and a row that is
 * as good where a triangle is crushed. Where C is 0 it has no direction, and the gradients are zero.
 *
 * Source: Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006, A Quadratic Bending Model for Inextensible Surfaces; as a constraint of position-based
 * dynamics, Bender, Müller, Macklin 2017, section 5.2; here as an angle, so that its compliance is that of one, and sharp folds are as stiff. */
#include "constraints/bending.h"
#include "constraints/rest.h"

KERNEL void isometric_bending_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    bending_value(4, x, parameter, C, gradient);
}

KERNEL vreal isometric_bending_change(const vvec *x, const vreal *w, const vreal *parameter, bool compliant, bool kept, vlaw law,
                                      vreal lambda, vvec *along, vreal *length)
{
    return bending_change(4, x, w, parameter, compliant, kept, law, lambda, along, length);
}

/* The wings unfolded about the edge. */
static inline bool isometric_bending_rest(const rest_vec *x, double *parameter)
{
    const rest_vec e = rest_from(x[0], x[1]);
    const double   square = rest_dot(e, e);
    parameter[0] = 0;
    for (int i = 0; i < 2; i++) {
        const rest_vec d = rest_from(x[0], x[i + 2]);
        const double   foot = square > 0 ? rest_dot(d, e) / square : 0;
        parameter[i + 1] = rest_inverse_length(rest_along(d, e, -foot));
        parameter[0] -= foot * parameter[i + 1];
    }
    return parameter[1] > 0 && parameter[2] > 0;
}

#ifdef KIND
#define KIND_SOFT
#define KIND_CHANGE isometric_bending_change
#endif
#define KIND_REST
