/* Overlaps. Boxes by axes that could part them (Gottschalk, Lin, Manocha 1996, OBBTree; Ericson 2005, 4.4.1 and 5.2.9): of two boxes the three
 * axes of each and the nine across two of them; of a box and a triangle the box's axes, the triangle's normal and the nine across. An axis without
 * length parts nothing. */
#include "collide/overlap_region.h"

/* ---- frames ---- */

pliant__frame pliant__frame_of(pliant_pose pose)
{
    const pliant_quat q = pose.rotation;
    double            x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    const double      length = sqrt(x * x + y * y + z * z + w * w);
    pliant__frame     f = {d3_widen(pose.position), {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (!(length > 0)) return f;
    x /= length, y /= length, z /= length, w /= length;
    f.axis[0] = d3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y));
    f.axis[1] = d3(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x));
    f.axis[2] = d3(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y));
    return f;
}

pliant__d3 pliant__turn_into(const pliant__frame *f, pliant__d3 v)
{
    return d3(d3_dot(v, f->axis[0]), d3_dot(v, f->axis[1]), d3_dot(v, f->axis[2]));
}
pliant__d3 pliant__into_frame(const pliant__frame *f, pliant__d3 p) { return pliant__turn_into(f, d3_sub(p, f->origin)); }
pliant__d3 pliant__turn_out_of(const pliant__frame *f, pliant__d3 v)
{
    return d3_madd(d3_madd(d3_scale(f->axis[0], v.x), f->axis[1], v.y), f->axis[2], v.z);
}
pliant__d3 pliant__out_of_frame(const pliant__frame *f, pliant__d3 p) { return d3_madd(pliant__turn_out_of(f, p), f->origin, 1); }

/* ---- boxes ---- */

static double coordinate(pliant__d3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }

/* How far a box about the origin of a frame reaches along n. */
static double reach_along(const pliant__frame *f, const double half[3], pliant__d3 n)
{
    double reach = 0;
    for (int i = 0; i < 3; i++) reach += d_abs(d3_dot(n, f->axis[i])) * half[i];
    return reach;
}

bool pliant__overlap_region_meets_box(const pliant__overlap_region *r, const pliant__box *box, double grow)
{
    if (r->radius >= 0) return pliant__box_distance(box, r->frame.origin) <= r->radius + grow;
    const pliant_real low[3] = {box->low.x, box->low.y, box->low.z}, high[3] = {box->high.x, box->high.y, box->high.z};
    for (int i = 0; i < 3; i++) {
        const pliant__d3 axis = d3(i == 0, i == 1, i == 2);
        const double     at = coordinate(r->frame.origin, i), reach = 1.000001 * reach_along(&r->frame, r->half, axis) + 1.8 * grow;
        if (d_widen(low[i]) > at + reach || d_widen(high[i]) < at - reach) return false;
    }
    return true;
}

/* Whether axis n parts a triangle from a box about the origin. */
static bool parts(pliant__d3 n, const pliant__d3 x[3], const double half[3])
{
    const double reach = d_abs(n.x) * half[0] + d_abs(n.y) * half[1] + d_abs(n.z) * half[2];
    const double a = d3_dot(n, x[0]), b = d3_dot(n, x[1]), c = d3_dot(n, x[2]);
    return (a > reach && b > reach && c > reach) || (a < -reach && b < -reach && c < -reach);
}

static bool meets_half(const pliant__d3 x[3], const double half[3])
{
    for (int i = 0; i < 3; i++) {
        const pliant__d3 axis = d3(i == 0, i == 1, i == 2);
        if (parts(axis, x, half)) return false;
        for (int k = 0; k < 3; k++)
            if (parts(d3_cross(axis, d3_sub(x[(k + 1) % 3], x[k])), x, half)) return false;
    }
    return !parts(d3_cross(d3_sub(x[1], x[0]), d3_sub(x[2], x[0])), x, half);
}

bool pliant__overlap_region_meets(const pliant__overlap_region *r, const pliant__thick *t)
{
    if (r->radius >= 0) {
        double           weight[3];
        const pliant__d3 off = pliant__thick_nearest(t, r->frame.origin, weight);
        return sqrt(d3_dot(off, off)) <= r->radius + t->thickness;
    }
    pliant__d3   x[3];
    const double half[3] = {r->half[0] + t->thickness, r->half[1] + t->thickness, r->half[2] + t->thickness};
    for (int k = 0; k < 3; k++) x[k] = pliant__into_frame(&r->frame, t->x[k]);
    return meets_half(x, half);
}

/* ---- shapes ---- */

static bool boxes_overlap(const pliant__frame *a, const double a_half[3], const pliant__frame *b, const double b_half[3])
{
    const pliant__d3 between = d3_sub(b->origin, a->origin);
    for (int i = 0; i < 15; i++) {
        const pliant__d3 n = i < 3 ? a->axis[i] : i < 6 ? b->axis[i - 3] : d3_cross(a->axis[(i - 6) / 3], b->axis[(i - 6) % 3]);
        if (d_abs(d3_dot(n, between)) > reach_along(a, a_half, n) + reach_along(b, b_half, n)) return false;
    }
    return true;
}

/* The vector from the nearest point of a box about the origin to a place: 0 inside. */
static pliant__d3 outside(pliant__d3 p, const double half[3])
{
    return d3(p.x - d_clamp(p.x, -half[0], half[0]), p.y - d_clamp(p.y, -half[1], half[1]), p.z - d_clamp(p.z, -half[2], half[2]));
}

/* How far a segment is from a box about the origin. The square of the distance is convex along the segment: its slope is halved towards 0. */
static double segment_distance(pliant__d3 a, pliant__d3 b, const double half[3])
{
    const pliant__d3 d = d3_sub(b, a);
    double           low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (d3_dot(outside(d3_madd(a, d, middle), half), d) > 0)
            high = middle;
        else
            low = middle;
    }
    const pliant__d3 left = outside(d3_madd(a, d, low), half), right = outside(d3_madd(a, d, high), half);
    return sqrt(d_clamp(d3_dot(right, right), 0, d3_dot(left, left)));
}

static bool is_simple(pliant_shape type)
{
    return type == PLIANT_SHAPE_PLANE || type == PLIANT_SHAPE_SPHERE || type == PLIANT_SHAPE_CAPSULE || type == PLIANT_SHAPE_BOX;
}

#define TURNS 64 /* from the box to the shape and back */

/* A box against any shape: from a point of the box to the nearest of the shape, and on to the box's nearest to that, until one is in both. Two convex
 * shapes that meet are found to meet, to within the tolerance (Cheney, Goldstein 1959, Proximity Maps for Convex Sets). */
static bool box_reaches(const pliant__overlap_region *r, const pliant__grown *shape, const pliant__frame *frame)
{
    pliant__d3 p = d3(0, 0, 0); /* in the box's frame */
    for (int i = 0; i < TURNS; i++) {
        const pliant__d3 world = d3_madd(d3_madd(d3_madd(r->frame.origin, r->frame.axis[0], p.x), r->frame.axis[1], p.y), r->frame.axis[2],
                                         p.z),
                         local = pliant__into_frame(frame, world);
        pliant__wide_hit hit = {{0, 0, 0}, {0, 1, 0}, 0};
        pliant__grown_nearest(shape, local, &hit);
        if (hit.depth >= -1e-9 * (1 + d_abs(local.x) + d_abs(local.y) + d_abs(local.z))) return true;
        const pliant__d3 at = d3_madd(d3_madd(d3_madd(frame->origin, frame->axis[0], hit.point.x), frame->axis[1], hit.point.y),
                                      frame->axis[2], hit.point.z),
                         inside = pliant__into_frame(&r->frame, at);
        p = d3(d_clamp(inside.x, -r->half[0], r->half[0]), d_clamp(inside.y, -r->half[1], r->half[1]),
               d_clamp(inside.z, -r->half[2], r->half[2]));
    }
    return false;
}

bool pliant__overlap_region_meets_shape(const pliant__overlap_region *r, const pliant__grown *shape, const pliant__frame *frame)
{
    const pliant__d3 centre = pliant__into_frame(frame, r->frame.origin);
    if (r->radius >= 0) {
        pliant__wide_hit hit = {{0, 0, 0}, {0, 1, 0}, 0};
        pliant__grown_nearest(shape, centre, &hit);
        return -hit.depth <= r->radius;
    }
    if (!is_simple(shape->type)) return box_reaches(r, shape, frame);
    if (shape->type == PLIANT_SHAPE_PLANE) return centre.y - reach_along(&r->frame, r->half, frame->axis[1]) <= shape->half[1];
    if (shape->type == PLIANT_SHAPE_BOX) return boxes_overlap(&r->frame, r->half, frame, shape->half);
    const double     h = shape->type == PLIANT_SHAPE_CAPSULE ? shape->half_height : 0;
    const pliant__d3 a = pliant__into_frame(&r->frame, d3_madd(frame->origin, frame->axis[1], -h)),
                     b = pliant__into_frame(&r->frame, d3_madd(frame->origin, frame->axis[1], h));
    return segment_distance(a, b, r->half) <= shape->radius;
}
