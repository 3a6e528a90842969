/* What a pair's sides are to each other, in lanes and one by one: the same text, the same bits. */
#ifndef PLIANT_CONTACT_PAIR_TEXT_H
#define PLIANT_CONTACT_PAIR_TEXT_H

#include "constraints/closest.h"
#include "solver/pair_kernels.h"

/* Weights of the nearest points. */
KERNEL void pair_weights(const vvec *x, bool edges, vreal *weight)
{
    if (edges) {
        vreal s, t;
        closest_on_edges(x[0], x[1], x[2], x[3], &s, &t);
        weight[0] = K(1) - s;
        weight[1] = s;
        weight[2] = t - K(1);
        weight[3] = -t;
        return;
    }
    vreal on[3];
    closest_on_triangle(x[0], x[1], x[2], x[3], on);
    weight[0] = vsplat(1);
    for (uint32_t k = 0; k < 3; k++) weight[k + 1] = -on[k];
}

/* What they are apart, from the second side to the first. Differences first: far from the origin weighted positions would lose it. */
KERNEL vvec pair_between(const vvec *x, const vreal *weight)
{
    vvec d = vscale(vsub(x[1], x[0]), weight[1]);
    d = vadd(d, vscale(vsub(x[2], x[0]), weight[2]));
    return vadd(d, vscale(vsub(x[3], x[0]), weight[3]));
}

/* How far the sides are apart along a normal: where it was not found quite right, or is rounded, that is less than the distance. */
KERNEL vreal pair_room(const vvec *x, bool edges, vvec normal)
{
    vreal least = vdot(normal, vsub(x[0], x[3]));
    if (edges) {
        least = vmin(least, vdot(normal, vsub(x[0], x[2])));
        least = vmin(least, vdot(normal, vsub(x[1], x[2])));
        least = vmin(least, vdot(normal, vsub(x[1], x[3])));
    } else {
        least = vmin(least, vdot(normal, vsub(x[0], x[1])));
        least = vmin(least, vdot(normal, vsub(x[0], x[2])));
    }
    return vmax(least, vsplat(0));
}

/* How near sides are a row: a quarter further apart than where they touch, or as much further as `beyond` says, m, but never by more than that distance again.
 * `beyond` is what constraints may move a particle in a substep, which a prediction does not know: a sheet that is much thinner than that would else be a row
 * only after it has come too near, be pushed out of reach, and so on for ever. Neighbours in one body that are near at rest are kept apart by what keeps the
 * body's shape: those are a row halfway from where they are at `rest` to where they touch, m, or else all of a thick and coarse cloth would be rows for good. 0: there
 * is no such distance. */
KERNEL vreal pair_reach(vreal distance, vreal beyond, vreal rest)
{
    const vreal further = vmin(vmax(beyond, (PLIANT__PAIR_REACH - K(1)) * distance), distance);
    return distance + vselect(rest > K(0), vmin(further, K(0.5) * vmax(rest - distance, vsplat(0))), further);
}

/* How much of the room between them sides may close in a substep. */
KERNEL vreal pair_may_close(vreal room, vreal distance)
{
    return vmin(PLIANT__PAIR_USED * room, vmax(room - PLIANT__PAIR_LEFT * distance, vsplat(0)));
}

/* Nearer than that sides meet on their way, and what rounding and the tolerance of a query may add. */
KERNEL vreal pair_left(vreal distance) { return K(1.01) * PLIANT__PAIR_LEFT * distance; }

/* The square of the longest way that corners of one side go beside corners of the other. */
KERNEL vreal pair_beside2(const vvec *way, bool edges)
{
    vvec  d = vsub(way[3], way[0]);
    vreal most = vdot(d, d);
    for (uint32_t j = edges ? 2 : 1; j < 3; j++) {
        d = vsub(way[j], way[0]);
        most = vmax(most, vdot(d, d));
    }
    for (uint32_t j = 2; edges && j < 4; j++) {
        d = vsub(way[j], way[1]);
        most = vmax(most, vdot(d, d));
    }
    return most;
}

/* A box around the corners of one side. */
typedef struct pair_box {
    vvec low, high;
} pair_box;

KERNEL pair_box pair_side(const vvec *x, uint32_t first, uint32_t end)
{
    pair_box b = {x[first], x[first]};
    for (uint32_t k = first + 1; k < end; k++) {
        b.low = vvec_of(vmin(b.low.x, x[k].x), vmin(b.low.y, x[k].y), vmin(b.low.z, x[k].z));
        b.high = vvec_of(vmax(b.high.x, x[k].x), vmax(b.high.y, x[k].y), vmax(b.high.z, x[k].z));
    }
    return b;
}

/* Along one axis: whether one side is never above the other by more than `reach`, when they go straight from a to b. What is above by that at both
 * ends is so all the way, since the lowest of what goes straight is never below the straight line between its ends. */
KERNEL vmask pair_not_above(vreal low_a, vreal high_a, vreal low_b, vreal high_b, vreal reach)
{
    return vmin(low_a - high_a, low_b - high_b) <= reach;
}

/* Whether sides that go straight from a to b may be no further apart than `reach` along every axis, at some time. Differences only: a motion that all
 * share brings no two of them nearer. */
KERNEL vmask pair_ways_meet(const vvec *a, const vvec *b, bool edges, vreal reach)
{
    const uint32_t split = edges ? 2 : 1;
    const pair_box p = pair_side(a, 0, split), q = pair_side(a, split, 4), r = pair_side(b, 0, split), s = pair_side(b, split, 4);
    const vmask    x = vboth(pair_not_above(p.low.x, q.high.x, r.low.x, s.high.x, reach),
                             pair_not_above(q.low.x, p.high.x, s.low.x, r.high.x, reach)),
                y = vboth(pair_not_above(p.low.y, q.high.y, r.low.y, s.high.y, reach),
                          pair_not_above(q.low.y, p.high.y, s.low.y, r.high.y, reach)),
                z = vboth(pair_not_above(p.low.z, q.high.z, r.low.z, s.high.z, reach),
                          pair_not_above(q.low.z, p.high.z, s.low.z, r.high.z, reach));
    return vboth(vboth(x, y), z);
}

#endif
