/* Plastic flow of solid tetrahedra: B goes after the strain that keeps the volume.
 *
 * F = F_e F_p is what the tetrahedron has become from its shape at rest in the scene; its text sees F_e = [x1 - x0, x2 - x0, x3 - x0] B, with the B that it
 * rests at now. With C = F_e^T F_e and D the deviator of its strain (C - 1) / 2, the strain is the equivalent one,
 *   e = sqrt(2/3) |D|,
 * which is that of a bar that is pulled by e and keeps its volume; the plastic strain p is that of F_p = B^-1 B_0 likewise. What is beyond the yield (flow.h)
 * flows along D, by a few steps B <- k B (1 - g D), k so that det B stays: the volume at rest is kept. g is at most what brings the largest
 * stretch, which is no more than sqrt(mean C + 2 e), to where it is wanted. |F_e|^2 falls and det F_e stays, and with them the energy of what depends on these
 * alone (tet_neo_hookean); a row of which it would not stays as it is. B is then turned to be upper triangular again, which no energy sees.
 *
 * Source: Müller and Gross 2004, Interactive Virtual Materials, section 3.4; F = F_e F_p and the flow that keeps the volume: Bargteil, Wojtan, Hodgins and Turk
 * 2007, A Finite Element Method for Animating Large Viscoplastic Flow, section 4. */
#ifndef PLIANT_CONSTRAINTS_SOLID_FLOW_H
#define PLIANT_CONSTRAINTS_SOLID_FLOW_H

#include "constraints/flow.h"
#include "constraints/solid.h"

/* A symmetric matrix: 11 22 33 12 13 23. Writes the deviator of the strain (C - 1) / 2 over C, and the mean of C's diagonal. Returns e. */
KERNEL vreal equivalent_strain(vreal *C, vreal *mean)
{
    const vreal m = (C[0] + C[1] + C[2]) * K(1.0 / 3);
    *mean = m;
    UNROLL
    for (int i = 0; i < 6; i++) C[i] = (i < 3 ? C[i] - m : C[i]) * K(0.5);
    const vreal square = C[0] * C[0] + C[1] * C[1] + C[2] * C[2] + K(2) * (C[3] * C[3] + C[4] * C[4] + C[5] * C[5]);
    return vsqrt(square * K(2.0 / 3));
}

/* p: of F_p = B^-1 B_0, a product of upper triangular matrices. */
KERNEL vreal solid_plastic_strain(const vreal *b, const vreal *rest)
{
    const vreal i1 = vinverse(b[0]), i2 = vinverse(b[3]), i3 = vinverse(b[5]);
    const vreal i12 = -(b[1] * i1) * i2, i23 = -(b[4] * i2) * i3, i13 = -(b[2] * i1) * i3 - i12 * b[4] * i3;
    const vreal h11 = i1 * rest[0], h12 = i1 * rest[1] + i12 * rest[3], h13 = i1 * rest[2] + i12 * rest[4] + i13 * rest[5];
    const vreal h22 = i2 * rest[3], h23 = i2 * rest[4] + i23 * rest[5], h33 = i3 * rest[5];
    vreal mean, C[6] = {h11 * h11, h12 * h12 + h22 * h22, h13 * h13 + h23 * h23 + h33 * h33, h11 * h12, h11 * h13, h12 * h13 + h22 * h23};
    return equivalent_strain(C, &mean);
}

KERNEL vvec combined(const vvec *f, vreal p, vreal q, vreal r) { return vadd(vadd(vscale(f[0], p), vscale(f[1], q)), vscale(f[2], r)); }

/* f (1 - g D) of three columns, or of a row as its numbers. */
KERNEL void less_strained(vvec *f, const vreal *D, vreal g)
{
    const vvec was[3] = {f[0], f[1], f[2]};
    f[0] = combined(was, K(1) - g * D[0], -g * D[3], -g * D[4]);
    f[1] = combined(was, -g * D[3], K(1) - g * D[1], -g * D[5]);
    f[2] = combined(was, -g * D[4], -g * D[5], K(1) - g * D[2]);
}

/* The cube root of a number near 1, by Newton's method. */
KERNEL vreal root_near_one(vreal a)
{
    vreal r = K(1) + (a - K(1)) * K(1.0 / 3);
    UNROLL
    for (int i = 0; i < 4; i++) r = (K(2) * r + a / (r * r)) * K(1.0 / 3);
    return r;
}

/* B times the rotation that makes it upper triangular. Columns of B in, parameters out. */
KERNEL void turned_upper(const vvec *columns, vreal *b)
{
    const vvec row1 = vvec_of(columns[0].x, columns[1].x, columns[2].x), row2 = vvec_of(columns[0].y, columns[1].y, columns[2].y),
               row3 = vvec_of(columns[0].z, columns[1].z, columns[2].z);
    const vreal b33 = vlength(row3);
    const vvec  q3 = vscale(row3, vinverse(b33));
    const vreal b23 = vdot(row2, q3);
    const vvec  left = vsub(row2, vscale(q3, b23));
    const vreal b22 = vlength(left);
    const vvec  q2 = vscale(left, vinverse(b22));
    b[0] = vdot(row1, vcross(q2, q3));
    b[1] = vdot(row1, q2);
    b[2] = vdot(row1, q3);
    b[3] = b22;
    b[4] = b23;
    b[5] = b33;
}

#define SOLID_FLOW_STEPS 4
#define SOLID_FLOW_LEAST \
    K(0.45) /* |F_e|^2: of what is crushed further on all sides the energy of tet_neo_hookean falls with |F_e|^2 no more */

KERNEL void solid_flow(const vvec *x, const vreal *rest, vflow law, vreal *b)
{
    vvec        f[3], B[3] = {vvec_of(b[0], vsplat(0), vsplat(0)), vvec_of(b[1], b[3], vsplat(0)), vvec_of(b[2], b[4], b[5])};
    const vmask can = solid_strain(x, b, f);
    const vreal before = vdot(f[0], f[0]) + vdot(f[1], f[1]) + vdot(f[2], f[2]), p = solid_plastic_strain(b, rest);
    vreal       goal = vsplat(0), flows = vsplat(0), to[6];
    UNROLL
    for (int i = 0; i < SOLID_FLOW_STEPS; i++) {
        vreal mean, D[6] = {vdot(f[0], f[0]), vdot(f[1], f[1]), vdot(f[2], f[2]), vdot(f[0], f[1]), vdot(f[0], f[2]), vdot(f[1], f[2])};
        const vreal e = equivalent_strain(D, &mean);
        if (i == 0) {
            const vreal room = law.most - p;
            flows = vmax(e - (law.yield + law.hardening * p), vsplat(0)) * law.share;
            flows = vmin(flows, vselect(room > vsplat(0), room, flows));
            goal = e - flows;
        }
        const vreal g = vmax(e - goal, vsplat(0)) * vinverse(e * (mean + K(2) * e));
        less_strained(f, D, g);
        less_strained(B, D, g);
    }
    const vreal det = vdot(B[0], vcross(B[1], B[2])), k = root_near_one(b[0] * b[3] * b[5] * vinverse(det));
    UNROLL
    for (int i = 0; i < 3; i++) B[i] = vscale(B[i], k);
    turned_upper(B, to);
    const vreal after = (vdot(f[0], f[0]) + vdot(f[1], f[1]) + vdot(f[2], f[2])) * (k * k), kept = solid_plastic_strain(to, rest);
    const vmask falls = vboth(vboth(can, flows > vsplat(0)), vboth(after<before, after> SOLID_FLOW_LEAST));
    const vmask upper = vboth(vmin(to[0], vmin(to[3], to[5])) > vsplat(0), vmax(vabs(to[1]), vabs(to[2])) < KERNEL_HUGE);
    const vmask good = vboth(vboth(falls, upper), vmin(kept - law.most * K(1.01), kept - p) <= vsplat(0));
    UNROLL
    for (int i = 0; i < 6; i++) b[i] = vselect(good, to[i], b[i]);
}

#endif
