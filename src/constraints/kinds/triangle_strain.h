/* Strain of a woven sheet: a triangle of a fabric with stiffnesses along its warp and its weft, by how much longer its threads are.
 *
 * With E1 = |f1| - 1, E2 = |f2| - 1 and g = f1 . f2, of threads that keep their lengths the sine of the angle that they shear by, the energy and the rows are
 * those of constraints/sheet.h. Warp and weft answer to their length as springs do, whatever the triangle is turned or sheared by, and no gradient vanishes where
 * its row does not: only a thread without length has no direction, and is left to the other rows. Rows are projected one after another: of a triangle that
 * lies in a line their gradients depend on each other.
 *
 *   grad_i E1 = b_i1 f1 / |f1|,   grad_i E2 = b_i2 f2 / |f2|,   grad_i g = b_i1 f2 + b_i2 f1,   i = 1, 2;   those of x0 are minus their sums.
 * Measured of a triangle alone, warp runs from x0 to x1.
 *
 * Source: Müller, Chentanez, Kim and Macklin 2014, Strain Based Dynamics, with |f| - 1 in the place of |f|^2 - 1, and as compliant rows. */
#include "constraints/sheet.h"

KERNEL void triangle_strain_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    const sheet s = sheet_of(x, parameter);
    const vreal l1 = vlength(s.f1), l2 = vlength(s.f2);
    sheet_rows(&s, parameter, l1 - K(1), l2 - K(1), vinverse(l1), vinverse(l2), C, gradient);
}

/* S as it is. */
KERNEL void triangle_strain_least(const vreal *w, const vreal *parameter, vreal *least)
{
    (void)w, (void)parameter;
    for (int r = 0; r < 3; r++) least[r] = vsplat(0);
}

static inline bool triangle_strain_rest(const rest_vec *x, double *parameter) { return sheet_rest(x, parameter); }

#define KIND_LEAST
#define KIND_REST
