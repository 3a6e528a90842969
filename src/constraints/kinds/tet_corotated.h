/* Corotated solid: a tetrahedron that answers to its strain in proportion, in a frame that turns with it.
 *
 * F is the deformation gradient, from the shape at rest to x0 x1 x2 x3, V the volume at rest, and R the rotation that is nearest to F. Per volume the
 * material stores
 *   psi = mu |F - R|^2 + lambda/2 (tr(R^T F) - 3)^2,
 * of which mu and lambda are Lame's moduli. The symmetric part of R^T F is R^T F itself, so with E = sym(R^T F) - 1 it is mu |E|^2 + lambda/2 tr(E)^2, and
 * there are two rows,
 *   C0 = sqrt(2 V) |E|,   C1 = sqrt(V lambda / mu) tr E,
 * of one compliance, 1 / mu; lambda / mu = 2 nu / (1 - 2 nu). Both are 0 at rest. C0 is the length of a strain: it has no direction at rest, where its
 * gradients are left to rounding, which is as small as C0 is. R does not count where they change: it is where |F - R| is least and tr(R^T F) most, so
 *   dC0/dF = sqrt(2 V) R E / |E|,   dC1/dF = sqrt(V lambda / mu) R.
 *
 * R is the rotation by the unit quaternion q for which tr(R^T F) = q^T N q is largest, N the symmetric matrix of 4 by 4 of Horn 1987. Its eigenvalues lie
 * within sqrt(3) |F|, and the largest is no less than a third of that. So no eigenvalue of M = N / (sqrt(3) |F|) + 1/2 has the size of the largest; M is
 * squared five times, and the column with the largest entry on the diagonal is nearly q. A step of Newton's method then turns R about the axis w for which
 * (tr(S) - S) w = the axis of R^T F - F^T R, S = sym(R^T F), by the angle that is best about it, atan |w|. That is exact to rounding but close to ridges of
 * psi: where F mirrors, or flattens to a line, and more than one rotation is nearest or nearly so, R is one of them, or one in between. Always it is a rotation. Of a point it is
 * 1, and a point unfolds. Gradients jump at the ridges, and near them, in what is mirrored, angular momentum is kept as far as R is exact.
 *
 * F, B and V stand at the head of src/constraints/solid.h. A tetrahedron that is too large to compute with has gradients of 0.
 *
 * Source: Müller and Gross 2004, Interactive Virtual Materials; the energy as in Sifakis and Barbic 2012, FEM Simulation of 3D Deformable Solids, part 1,
 * section 3.4. The rotation: Horn 1987, Closed-form solution of absolute orientation using unit quaternions. */
#include "constraints/solid.h"

/* The upper triangle of a symmetric matrix of 4 by 4, row by row, times itself. */
KERNEL void corotated_square(vreal *m)
{
    const vreal a = m[1] * m[1], b = m[2] * m[2], c = m[3] * m[3], d = m[5] * m[5], e = m[6] * m[6], f = m[8] * m[8];
    const vreal m01 = m[1] * (m[0] + m[4]) + (m[2] * m[5] + m[3] * m[6]), m02 = m[2] * (m[0] + m[7]) + (m[1] * m[5] + m[3] * m[8]);
    const vreal m03 = m[3] * (m[0] + m[9]) + (m[1] * m[6] + m[2] * m[8]), m12 = m[5] * (m[4] + m[7]) + (m[1] * m[2] + m[6] * m[8]);
    const vreal m13 = m[6] * (m[4] + m[9]) + (m[1] * m[3] + m[5] * m[8]), m23 = m[8] * (m[7] + m[9]) + (m[2] * m[3] + m[5] * m[6]);
    m[0] = m[0] * m[0] + (a + b + c);
    m[4] = m[4] * m[4] + (a + d + e);
    m[7] = m[7] * m[7] + (b + d + f);
    m[9] = m[9] * m[9] + (c + e + f);
    m[1] = m01;
    m[2] = m02;
    m[3] = m03;
    m[5] = m12;
    m[6] = m13;
    m[8] = m23;
}

/* The column with the largest entry on the diagonal. */
KERNEL void corotated_column(const vreal *m, vreal *q)
{
    static const uint8_t at[4][4] = {{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}};
    vreal                most = m[0];
    UNROLL
    for (int k = 0; k < 4; k++) q[k] = m[k];
    UNROLL
    for (int i = 1; i < 4; i++) {
        const vmask more = m[at[i][i]] > most;
        most = vselect(more, m[at[i][i]], most);
        UNROLL
        for (int k = 0; k < 4; k++) q[k] = vselect(more, m[at[i][k]], q[k]);
    }
}

/* The columns of the rotation by a quaternion w x y z of any length. */
KERNEL void corotated_turn(const vreal *q, vvec *r)
{
    const vreal by = K(2) / (q[0] * q[0] + q[1] * q[1] + (q[2] * q[2] + q[3] * q[3]));
    const vreal x = q[1] * by, y = q[2] * by, z = q[3] * by;
    const vreal xx = q[1] * x, yy = q[2] * y, zz = q[3] * z, xy = q[1] * y, xz = q[1] * z, yz = q[2] * z;
    const vreal wx = q[0] * x, wy = q[0] * y, wz = q[0] * z;
    r[0] = vvec_of(K(1) - (yy + zz), xy + wz, xz - wy);
    r[1] = vvec_of(xy - wz, K(1) - (xx + zz), yz + wx);
    r[2] = vvec_of(xz + wy, yz - wx, K(1) - (xx + yy));
}

/* R^T F, of columns: the symmetric part in the order 11 22 33 23 13 12, and the axis of what is not symmetric, twice. */
KERNEL void corotated_split(const vvec *r, const vvec *f, vreal *s, vvec *axis)
{
    const vreal half = vsplat(K(0.5));
    const vreal a23 = vdot(r[1], f[2]), a32 = vdot(r[2], f[1]), a31 = vdot(r[2], f[0]), a13 = vdot(r[0], f[2]);
    const vreal a12 = vdot(r[0], f[1]), a21 = vdot(r[1], f[0]);
    UNROLL
    for (int i = 0; i < 3; i++) s[i] = vdot(r[i], f[i]);
    s[3] = half * (a23 + a32);
    s[4] = half * (a13 + a31);
    s[5] = half * (a12 + a21);
    *axis = vvec_of(a32 - a23, a13 - a31, a21 - a12);
}

/* The quaternion q, turned further by the step of Newton's method; f has columns of a size near 1. */
KERNEL void corotated_polish(const vvec *f, vreal *q)
{
    vvec  r[3], axis;
    vreal s[6];
    corotated_turn(q, r);
    corotated_split(r, f, s, &axis);
    const vreal a = s[1] + s[2], b = s[0] + s[2], c = s[0] + s[1]; /* tr(S) - S, and its cofactors */
    const vreal c11 = b * c - s[3] * s[3], c22 = a * c - s[4] * s[4], c33 = a * b - s[5] * s[5];
    const vreal c12 = s[3] * s[4] + s[5] * c, c13 = s[5] * s[3] + s[4] * b, c23 = s[4] * s[5] + s[3] * a;
    const vvec  w = vvec_of(c11 * axis.x + c12 * axis.y + c13 * axis.z, c12 * axis.x + c22 * axis.y + c23 * axis.z,
                            c13 * axis.x + c23 * axis.y + c33 * axis.z); /* times the determinant */
    const vreal det = a * c11 - s[5] * c12 - s[4] * c13, k = vmax(det + vsqrt(det * det + vdot(w, w)), vsplat(K(1e-6)));
    const vreal q0 = q[0] * k - (q[1] * w.x + q[2] * w.y + q[3] * w.z), q1 = q[1] * k + q[0] * w.x + (q[2] * w.z - q[3] * w.y);
    const vreal q2 = q[2] * k + q[0] * w.y + (q[3] * w.x - q[1] * w.z), q3 = q[3] * k + q[0] * w.z + (q[1] * w.y - q[2] * w.x);
    q[0] = q0;
    q[1] = q1;
    q[2] = q2;
    q[3] = q3;
}

/* The columns of the rotation that is nearest to the matrix with columns f; what is smaller than 1e-15 counts as a point. */
KERNEL void corotated_rotation(const vvec *f, vvec *r)
{
    const vreal square = vdot(f[0], f[0]) + vdot(f[1], f[1]) + vdot(f[2], f[2]), half = vsplat(K(0.5));
    const vreal by = vkeep(square > K(1e-30), vinverse(vsqrt(K(3) * square)));
    const vvec  g[3] = {vscale(f[0], by), vscale(f[1], by), vscale(f[2], by)};
    const vreal l = g[0].x + g[1].y, s = g[0].x - g[1].y;
    vreal       m[10], q[4];
    m[0] = half + (l + g[2].z);
    m[1] = g[1].z - g[2].y;
    m[2] = g[2].x - g[0].z;
    m[3] = g[0].y - g[1].x;
    m[4] = half + (s - g[2].z);
    m[5] = g[1].x + g[0].y;
    m[6] = g[2].x + g[0].z;
    m[7] = half - (s + g[2].z);
    m[8] = g[2].y + g[1].z;
    m[9] = half + (g[2].z - l);
    UNROLL
    for (int i = 0; i < 5; i++) corotated_square(m);
    corotated_column(m, q);
    corotated_polish(g, q);
    corotated_turn(q, r);
}

KERNEL void tet_corotated_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vvec        f[3], r[3], of_length[3], axis;
    vreal       e[6];
    const vmask can = solid_strain(x, parameter, f);
    corotated_rotation(f, r);
    corotated_split(r, f, e, &axis);
    UNROLL
    for (int i = 0; i < 3; i++) e[i] = e[i] - K(1);
    const vreal V = solid_volume(parameter);
    const vreal length = vsqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + K(2) * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]));
    const vreal root = vsqrt(K(2) * V), bulk = vsqrt(V * solid_bulk(parameter[6]));
    of_length[0] = vadd(vadd(vscale(r[0], e[0]), vscale(r[1], e[5])), vscale(r[2], e[4]));
    of_length[1] = vadd(vadd(vscale(r[0], e[5]), vscale(r[1], e[1])), vscale(r[2], e[3]));
    of_length[2] = vadd(vadd(vscale(r[0], e[4]), vscale(r[1], e[3])), vscale(r[2], e[2]));
    C[0] = root * length;
    C[1] = bulk * (e[0] + e[1] + e[2]);
    solid_gradients(of_length, vkeep(can, root * vinverse(length)), parameter, gradient);
    solid_gradients(r, vkeep(can, bulk), parameter, gradient + 4);
}

/* C0 has gradients along its strain: where the particles that move lie across it, S is small beside C0, and they would be thrown. */
KERNEL void tet_corotated_least(const vreal *w, const vreal *parameter, vreal *least) { solid_least(w, parameter, least); }

static inline bool tet_corotated_rest(const rest_vec *x, double *parameter) { return solid_rest(x, parameter); }

#define KIND_LEAST
#define KIND_REST
