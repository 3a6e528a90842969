/* Saint Venant-Kirchhoff sheet: a triangle of a fabric with stiffnesses along its warp and its weft, by Green's strain.
 *
 * With E1 = (|f1|^2 - 1) / 2, E2 = (|f2|^2 - 1) / 2 and g = f1 . f2, twice the strain of shear, the energy and the rows are those of constraints/sheet.h. What
 * is pulled stiffens and what is pressed softens, from 0.58 of its length on; it needs no roots of threads.
 *
 *   grad_i E1 = b_i1 f1,   grad_i E2 = b_i2 f2,   grad_i g = b_i1 f2 + b_i2 f1,   i = 1, 2;   those of x0 are minus their sums.
 * Measured of a triangle alone, warp runs from x0 to x1. Rows are projected one after another, as those of triangle_strain.
 *
 * Source: Müller, Chentanez, Kim and Macklin 2014, Strain Based Dynamics, section 3, as compliant rows. */
#include "constraints/sheet.h"

KERNEL void triangle_stvk_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    const sheet s = sheet_of(x, parameter);
    const vreal e1 = (vdot(s.f1, s.f1) - K(1)) * K(0.5), e2 = (vdot(s.f2, s.f2) - K(1)) * K(0.5);
    sheet_rows(&s, parameter, e1, e2, vsplat(1), vsplat(1), C, gradient);
}

/* Gradients of the first two rows vanish with their threads. A rigid row moves a thread of length l to (1 + l^2) / (2 l), with more energy than it had where
 * l^2 < 1/5. With S no less than a quarter of what it is at rest the energy goes down. C1 has that of its own thread. */
KERNEL void triangle_stvk_least(const vreal *w, const vreal *parameter, vreal *least)
{
    const vreal poisson = parameter[6];
    least[0] = sheet_norm(w, parameter, 0) * K(0.25);
    least[1] = sheet_norm(w, parameter, 1) * (K(0.25) * parameter[4] * vinverse(K(1) - poisson * poisson));
    least[2] = vsplat(0);
}

static inline bool triangle_stvk_rest(const rest_vec *x, double *parameter) { return sheet_rest(x, parameter); }

#define KIND_LEAST
#define KIND_REST
