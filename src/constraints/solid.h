/* What the texts of solid tetrahedra have in common. Their parameters are B, the inverse of the edges from x0 of the shape at rest, which is turned so that
 * B is upper triangular, in rows: b11 b12 b13 b22 b23 b33. The deformation gradient, from the shape at rest to x0 x1 x2 x3, is
 *   F = [x1 - x0, x2 - x0, x3 - x0] B,
 * and the volume at rest V = 1 / (6 b11 b22 b33). Of what has the slope P = dC/dF, the gradients of x1, x2, x3 are the columns of P B^T, and that of x0 is
 * minus their sum. */
#ifndef PLIANT_CONSTRAINTS_SOLID_H
#define PLIANT_CONSTRAINTS_SOLID_H

#include "constraints/project.h"
#include "constraints/rest.h"

/* The square of the largest F that is computed with: the third power of it is a number. */
#ifdef PLIANT_DOUBLE
#define LARGEST_SQUARE K(1e100)
#else
#define LARGEST_SQUARE K(1e12)
#endif

KERNEL vvec kept_vector(vmask keep, vvec a) { return vvec_of(vkeep(keep, a.x), vkeep(keep, a.y), vkeep(keep, a.z)); }

/* The columns of F; of a tetrahedron that is too large to compute with, 0. Returns which are not. */
KERNEL vmask solid_strain(const vvec *x, const vreal *b, vvec *f)
{
    const vvec d1 = vsub(x[1], x[0]), d2 = vsub(x[2], x[0]), d3 = vsub(x[3], x[0]);
    f[0] = vscale(d1, b[0]);
    f[1] = vadd(vscale(d1, b[1]), vscale(d2, b[3]));
    f[2] = vadd(vadd(vscale(d1, b[2]), vscale(d2, b[4])), vscale(d3, b[5]));
    const vmask can = vdot(f[0], f[0]) + vdot(f[1], f[1]) + vdot(f[2], f[2]) < LARGEST_SQUARE;
    UNROLL
    for (int i = 0; i < 3; i++) f[i] = kept_vector(can, f[i]);
    return can;
}

/* All gradients of a point are 0, and nothing would unfold it. So F of what is smaller than 1e-5, of `square` |F|^2, counts as a thousandth of what it is at rest. */
KERNEL void solid_unfold_point(vreal square, vvec *f)
{
    const vmask point = square < K(1e-10);
    f[0].x = vselect(point, vsplat(K(1e-3)), f[0].x);
    f[1].y = vselect(point, vsplat(K(1e-3)), f[1].y);
    f[2].z = vselect(point, vsplat(K(1e-3)), f[2].z);
}

/* The gradients of all four corners, of columns of P times `by`. */
KERNEL void solid_gradients(const vvec *P, vreal by, const vreal *b, vvec *gradient)
{
    const vreal b12 = b[1] * by, b13 = b[2] * by, b23 = b[4] * by;
    gradient[1] = vadd(vadd(vscale(P[0], b[0] * by), vscale(P[1], b12)), vscale(P[2], b13));
    gradient[2] = vadd(vscale(P[1], b[3] * by), vscale(P[2], b23));
    gradient[3] = vscale(P[2], b[5] * by);
    gradient[0] = vneg(vadd(vadd(gradient[1], gradient[2]), gradient[3]));
}

KERNEL vreal solid_volume(const vreal *b) { return vinverse(K(6) * (b[0] * b[3] * b[5])); }

/* lambda / mu of Lame's moduli, by Poisson's ratio. */
KERNEL vreal solid_bulk(vreal nu) { return K(2) * nu / (K(1) - K(2) * nu); }

/* What stands up for volume where J < 0.3, of materials with strains that do not know what is mirrored: T = 2 t^2 / (1 + t), t = 1 - J / 0.3, is 0 and smooth
 * at J = 0.3. Writes half of the slope of T^2. */
KERNEL vreal solid_unfolding(vreal J, vreal *slope)
{
    const vreal t = vmax(K(1) - J * K(1 / 0.3), vsplat(0)), r = K(1) / (K(1) + t), T = K(2) * (t * t) * r;
    *slope = T * ((t * r) * ((K(2) + t) * r)) * K(-2 / 0.3);
    return T;
}

/* A 32nd of V sum_i w_i |b_i|^2, which is what S is at rest of a row that is J - 1, or the trace of a strain, over the root of lambda / mu; b_i is a row of B,
 * of x0 minus their sum. And that times lambda / mu. */
KERNEL void solid_least(const vreal *w, const vreal *parameter, vreal *least)
{
    const vreal *b = parameter, nu = parameter[6], c2 = b[1] + b[3], c3 = b[2] + b[4] + b[5];
    const vreal  sum = w[0] * (b[0] * b[0] + c2 * c2 + c3 * c3) + w[1] * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]) +
                      w[2] * (b[3] * b[3] + b[4] * b[4]) + w[3] * (b[5] * b[5]);
    least[0] = sum * (vinverse(K(6) * (b[0] * b[3] * b[5])) * K(1.0 / 32));
    least[1] = least[0] * (K(2) * nu / (K(1) - K(2) * nu));
}

/* The edges from x0 as a triangle of numbers, by Gram and Schmidt, and its inverse. */
static inline bool solid_rest(const rest_vec *x, double *parameter)
{
    const rest_vec d1 = rest_from(x[0], x[1]), d2 = rest_from(x[0], x[2]), d3 = rest_from(x[0], x[3]), none = {0, 0, 0};
    const double   i1 = rest_inverse_length(d1);
    const rest_vec n1 = rest_along(none, d1, i1), h2 = rest_along(d2, n1, -rest_dot(n1, d2));
    const double   i2 = rest_inverse_length(h2);
    const rest_vec n2 = rest_along(none, h2, i2), n3 = rest_cross(n1, n2);
    const double   height = rest_dot(n3, d3), i3 = height > 0 ? 1 / height : 0;
    const double   r12 = rest_dot(n1, d2), r13 = rest_dot(n1, d3), r23 = rest_dot(n2, d3);
    parameter[0] = i1;
    parameter[1] = -r12 * i1 * i2;
    parameter[2] = (r12 * r23 * i2 - r13) * i1 * i3;
    parameter[3] = i2;
    parameter[4] = -r23 * i2 * i3;
    parameter[5] = i3;
    return i1 > 0 && i2 > 0 && i3 > 0;
}

#endif
