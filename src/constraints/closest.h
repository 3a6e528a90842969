/* Nearest points of a point and a triangle, and of two edges: texts in the kernel language (constraints/kernel.h), so that every lane
 * width computes the same bits.
 *
 * Both are least squares over two numbers with bounds. They are solved as Gram and Schmidt do: one direction is taken out of the other and of
 * the right-hand side, which leaves one number; the other one is then found for the number as it came out. The determinant |u|^2 |v|^2 -
 * (u . v)^2 and products with the normal, by which textbooks solve them, lose all digits where a triangle is a sliver or edges are nearly
 * parallel. Here what rounding does to the numbers hardly moves the points apart: the distance at the result exceeds the least one by a few
 * roundings of the size of the pair, whatever its shape (tests/test_closest.c). For two edges that takes 1.8 times as long as by the
 * determinant, which is off by up to thousands of roundings in float.
 *
 * Positions enter by their differences only, so a pair far from the origin loses nothing more than its positions have lost already. Edges without
 * length and triangles without area need no case of their own: vinverse(0) is 0. No finite input between 1e-6 and 1e6 m gives a NaN.
 *
 * Sources: Ericson 2005, Real-Time Collision Detection, 5.1.5 (which feature is nearest) and 5.1.9 (clamping one parameter after the other);
 * Björck 1967, Solving Linear Least Squares Problems by Gram-Schmidt Orthogonalization (why the order of the steps matters). */
#ifndef PLIANT_CONSTRAINTS_CLOSEST_H
#define PLIANT_CONSTRAINTS_CLOSEST_H

#include "constraints/kernel.h"

/* `a` cut to [0, 1]. */
KERNEL vreal closest_clamp(vreal a) { return vmin(vkeep(a > K(0), a), vsplat(K(1))); }

/* The vector without its part along u; `inverse` is 1 / |u|^2, or 0. */
KERNEL vvec closest_across(vvec a, vvec u, vreal inverse) { return vsub(a, vscale(u, vdot(a, u) * inverse)); }

/* Takes the weights if their point is nearer to p: `off` leads from that point to p, `least` is the square of the least distance so far. */
KERNEL void closest_keep(vvec off, vreal wa, vreal wb, vreal wc, vreal *least, vreal weight[3])
{
    vreal square = vdot(off, off);
    vmask nearer = square < *least;
    *least = vselect(nearer, square, *least);
    weight[0] = vselect(nearer, wa, weight[0]);
    weight[1] = vselect(nearer, wb, weight[1]);
    weight[2] = vselect(nearer, wc, weight[2]);
}

/* The point of triangle a b c nearest to p, as weights of the corners: each >= 0, their sum 1 to rounding.
 *
 * v is how far the nearest point of the plane lies from ab towards c, cut to [0, 1]; u is the best along ab for that v, cut to what v leaves.
 * That is the nearest point where it lies inside or on ab; else it lies on ac or bc, and the nearest points of these sides are the other
 * candidates. */
KERNEL void closest_on_triangle(vvec p, vvec a, vvec b, vvec c, vreal weight[3])
{
    vvec  ab = vsub(b, a), ac = vsub(c, a), bc = vsub(c, b), ap = vsub(p, a), bp = vsub(p, b);
    vreal inverse = vinverse(vdot(ab, ab));
    vvec  height = closest_across(ac, ab, inverse);
    vreal v = closest_clamp(vdot(closest_across(ap, ab, inverse), height) * vinverse(vdot(height, height)));
    vvec  left = vsub(ap, vscale(ac, v));
    vreal rest = K(1) - v, u = vdot(left, ab) * inverse;
    u = vmin(vkeep(u > K(0), u), rest);
    left = vsub(left, vscale(ab, u));
    vreal least = vdot(left, left);
    weight[0] = rest - u;
    weight[1] = u;
    weight[2] = v;

    vreal s = closest_clamp(vdot(ap, ac) * vinverse(vdot(ac, ac)));
    closest_keep(vsub(ap, vscale(ac, s)), K(1) - s, vsplat(K(0)), s, &least, weight);
    vreal t = closest_clamp(vdot(bp, bc) * vinverse(vdot(bc, bc)));
    closest_keep(vsub(bp, vscale(bc, t)), vsplat(K(0)), K(1) - t, t, &least, weight);
}

/* Nearest points p0 + s (p1 - p0) and q0 + t (q1 - q0) of two edges, s and t in [0, 1].
 *
 * First t as for two lines, cut; then the best s for it, cut; then the best t for that, which differs where s was cut. Of parallel edges,
 * where any t will do to begin with, the last two steps find a nearest pair by themselves. */
KERNEL void closest_on_edges(vvec p0, vvec p1, vvec q0, vvec q1, vreal *s, vreal *t)
{
    vvec  u = vsub(p1, p0), v = vsub(q1, q0), from = vsub(p0, q0);
    vreal inverse_u = vinverse(vdot(u, u)), inverse_v = vinverse(vdot(v, v));
    vvec  height = closest_across(v, u, inverse_u);
    vreal first = closest_clamp(vdot(closest_across(from, u, inverse_u), height) * vinverse(vdot(height, height)));
    *s = closest_clamp(vdot(vsub(vscale(v, first), from), u) * inverse_u);
    *t = closest_clamp(vdot(vadd(from, vscale(u, *s)), v) * inverse_v);
}

#endif
