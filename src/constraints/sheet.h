/* What triangles of woven sheets have in common: threads, the shape at rest, and factors of rows. Kinds of several energies are made of it.
 *
 * B is the inverse of the edges from x0 at rest in the axes of warp and weft, as parameters b11 b12 b21 b22: [f1, f2] = [x1 - x0, x2 - x0] B are what the unit
 * vectors along warp and weft have become, the threads, and A = 1 / (2 |det B|) is the area at rest. With strains E1 and E2 along warp and weft and g = f1 . f2 of
 * shear, the sheet stores per area of the shape at rest
 *   psi = 1/2 (k1 E1^2 + 2 c E1 E2 + k2 E2^2 + G g^2).
 * A strip with free sides, pulled along warp, resists with Y1 = k1 - c^2 / k2 and narrows by c / k2 of its strain, and along weft likewise. With
 * weft = Y2 / Y1, shear = G / Y1 and poisson = c / sqrt(k1 k2), the geometric mean of both ratios of narrowing, 2 psi is Y1 times
 *   E1^2 + (sqrt(weft) E2 + poisson E1)^2 / (1 - poisson^2) + shear g^2.
 * So there are three rows of one compliance, 1 / Y1, all of them 0 at rest:
 *   C0 = sqrt(A) E1,   C1 = sqrt(A / (1 - poisson^2)) (sqrt(weft) E2 + poisson E1),   C2 = sqrt(A shear) g. */
#ifndef PLIANT_CONSTRAINTS_SHEET_H
#define PLIANT_CONSTRAINTS_SHEET_H

#include "constraints/project.h"
#include "constraints/rest.h"

/* The square of the largest F that is computed with: its fourth power is a number. */
#ifdef PLIANT_DOUBLE
#define SHEET_LARGEST K(1e75)
#else
#define SHEET_LARGEST K(1e9)
#endif

/* A triangle of a sheet. */
typedef struct sheet {
    vvec f1,
        f2; /* threads; 0 of a triangle that is too large to compute with, and a thousandth of those at rest where it is a point, which unfolds by it */
    vreal root;         /* sqrt(A), m */
    vreal across, weft; /* sqrt(A / (1 - poisson^2)), m, and sqrt(weft) */
    vreal mixed;        /* poisson sqrt(A / (1 - poisson^2)), m */
    vreal lean;         /* sqrt(A shear), m */
} sheet;

KERNEL vvec sheet_kept(vmask keep, vvec a) { return vvec_of(vkeep(keep, a.x), vkeep(keep, a.y), vkeep(keep, a.z)); }

/* `b`: the parameters, and behind them weft, shear and poisson. */
KERNEL sheet sheet_of(const vvec *x, const vreal *b)
{
    sheet       s;
    const vreal poisson = b[6];
    const vvec  d1 = vsub(x[1], x[0]), d2 = vsub(x[2], x[0]);
    const vvec  f1 = vadd(vscale(d1, b[0]), vscale(d2, b[2])), f2 = vadd(vscale(d1, b[1]), vscale(d2, b[3]));
    const vreal square = vdot(f1, f1) + vdot(f2, f2);
    const vmask can = square < SHEET_LARGEST, point = square < K(1e-10);
    s.f1 = sheet_kept(can, f1);
    s.f2 = sheet_kept(can, f2);
    s.f1.x = vselect(point, vsplat(K(1e-3)), s.f1.x);
    s.f2.y = vselect(point, vsplat(K(1e-3)), s.f2.y);
    s.root = vsqrt(vinverse(vabs(b[0] * b[3] - b[1] * b[2]) * K(2)));
    s.across = s.root * vsqrt(vinverse(K(1) - poisson * poisson));
    s.weft = vsqrt(b[4]);
    s.mixed = s.across * poisson;
    s.lean = s.root * vsqrt(b[5]);
    return s;
}

/* Values of the rows from the strains, and gradients: those of a strain along a thread are the thread times `by1`, `by2`. */
KERNEL void sheet_rows(const sheet *s, const vreal *b, vreal e1, vreal e2, vreal by1, vreal by2, vreal *C, vvec *gradient)
{
    const vvec n1 = vscale(s->f1, s->root * by1), m1 = vscale(s->f1, s->mixed * by1), n2 = vscale(s->f2, s->across * s->weft * by2);
    const vvec g1 = vscale(s->f1, s->lean), g2 = vscale(s->f2, s->lean);
    C[0] = s->root * e1;
    C[1] = s->across * s->weft * e2 + s->mixed * e1;
    C[2] = s->lean * vdot(s->f1, s->f2);
    UNROLL
    for (int i = 0; i < 2; i++) {
        gradient[i + 1] = vscale(n1, b[2 * i]);
        gradient[i + 4] = vadd(vscale(n2, b[2 * i + 1]), vscale(m1, b[2 * i]));
        gradient[i + 7] = vadd(vscale(g2, b[2 * i]), vscale(g1, b[2 * i + 1]));
    }
    UNROLL
    for (int r = 0; r < 9; r += 3) gradient[r] = vneg(vadd(gradient[r + 1], gradient[r + 2]));
}

/* S of a strain along a thread at rest, by the thread's column of B: A sum_i w_i b_i^2. */
KERNEL vreal sheet_norm(const vreal *w, const vreal *b, int thread)
{
    const vreal p = b[thread], q = b[thread + 2], area = vinverse(vabs(b[0] * b[3] - b[1] * b[2]) * K(2));
    return area * (w[0] * (p + q) * (p + q) + w[1] * (p * p) + w[2] * (q * q));
}

/* Warp along x1 - x0: the edges as a triangle of numbers, and its inverse. */
static inline bool sheet_rest(const rest_vec *x, double *parameter)
{
    const rest_vec d1 = rest_from(x[0], x[1]), d2 = rest_from(x[0], x[2]), none = {0, 0, 0};
    const double   i1 = rest_inverse_length(d1);
    const rest_vec n1 = rest_along(none, d1, i1);
    const double   along = rest_dot(n1, d2), i2 = rest_inverse_length(rest_along(d2, n1, -along));
    parameter[0] = i1;
    parameter[1] = -along * i1 * i2;
    parameter[2] = 0;
    parameter[3] = i2;
    return i1 > 0 && i2 > 0;
}

#endif
