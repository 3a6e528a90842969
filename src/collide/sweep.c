/* Where a path first enters a grown shape.
 *
 * A particle at rest on a surface lies on it only to within rounding, on this side or on that. The rule that keeps it from falling through:
 * a start no further inside than `touch` (16 units in the last place of the shape's size) lies on the surface. If its path goes inwards, it
 * enters at time 0; if it goes outwards or along the surface, the path misses. A start further inside misses too.
 *
 * A path that enters and leaves again within its length hits, however thin the shape is. A path that only grazes misses. */
#include "collide/distances.h"

/* A start on the surface of a sphere or a capsule: the path enters here if it goes inwards. */
static bool enter_at_start(pliant__d3 a, pliant__d3 b, const pliant__wide_hit *start, pliant__wide_hit *hit, double *time)
{
    if (!(d3_dot(d3_sub(b, a), start->normal) < 0)) return false;
    *hit = *start;
    *time = 0;
    return true;
}

/* Spheres and capsules. A capsule is a cylinder's side and two balls; the path enters where it first enters one of the three. */
static bool sweep_round(const pliant__grown *shape, pliant__d3 a, pliant__d3 b, pliant__wide_hit *hit, double *time)
{
    pliant__wide_hit start;
    pliant__grown_nearest(shape, a, &start);
    if (start.depth > shape->touch) return false;
    if (start.depth >= 0) return enter_at_start(a, b, &start, hit, time);

    pliant__d3 d = d3_sub(b, a);
    double     first = 2, t, h = shape->type == PLIANT_SHAPE_CAPSULE ? shape->half_height : 0;
    if (h > 0 && pliant__enter_round(shape->radius, d3(a.x, 0, a.z), d3(d.x, 0, d.z), &t) && d_abs(a.y + t * d.y) <= h) first = t;
    if (pliant__enter_round(shape->radius, d3(a.x, a.y - h, a.z), d, &t) && t < first) first = t;
    if (h > 0 && pliant__enter_round(shape->radius, d3(a.x, a.y + h, a.z), d, &t) && t < first) first = t;
    if (first > 1) return false;
    *time = first;
    pliant__grown_nearest(shape, d3_madd(a, d, first), hit);
    return true;
}

/* Boxes: the path is inside while it is inside all three slabs. A slab thinner than rounding along the path is entered and left at one
 * time, so equal times on one axis are a hit; on two axes they are an edge that is grazed. */
static bool sweep_box(const pliant__grown *shape, pliant__d3 from, pliant__d3 to, pliant__wide_hit *hit, double *time)
{
    const double a[3] = {from.x, from.y, from.z}, d[3] = {to.x - from.x, to.y - from.y, to.z - from.z};
    double       enter = -1, leave = 2;
    int          face = -1, back = -1;
    for (int i = 0; i < 3; i++) {
        double half = shape->half[i], touch = shape->touch < 0.5 * half ? shape->touch : 0.5 * half;
        if (!(d_abs(d[i]) > 1e-200)) {
            if (d_abs(a[i]) >= half - touch) return false;
            continue;
        }
        double side = d[i] < 0 ? 1 : -1, to_face = side * a[i] - half, to_back = side * a[i] + half;
        double in = d_abs(to_face) <= touch ? 0 : to_face / d_abs(d[i]);
        double out = d_abs(to_back) <= touch && touch > 0 ? 0 : to_back / d_abs(d[i]);
        if (in > enter) enter = in, face = i;
        if (out < leave) leave = out, back = i;
    }
    if (face < 0 || enter < 0 || enter > 1 || enter > leave || (enter >= leave && face != back)) return false;

    double q[3], n[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) q[i] = d_clamp(a[i] + enter * d[i], -shape->half[i], shape->half[i]);
    n[face] = d[face] < 0 ? 1 : -1;
    q[face] = n[face] * shape->half[face];
    hit->point = d3(q[0], q[1], q[2]);
    hit->normal = d3(n[0], n[1], n[2]);
    *time = enter;
    return true;
}

bool pliant__grown_sweep(const pliant__grown *shape, pliant__d3 a, pliant__d3 b, pliant__wide_hit *hit, double *time)
{
    bool entered = false;
    switch (shape->type) {
    case PLIANT_SHAPE_PLANE: entered = pliant__plane_sweep(shape, a, b, hit, time); break;
    case PLIANT_SHAPE_SPHERE:
    case PLIANT_SHAPE_CAPSULE: entered = sweep_round(shape, a, b, hit, time); break;
    case PLIANT_SHAPE_BOX: entered = sweep_box(shape, a, b, hit, time); break;
    case PLIANT_SHAPE_HULL:
    case PLIANT_SHAPE_MESH:
    case PLIANT_SHAPE_HEIGHT_FIELD: entered = pliant__facets_sweep(shape, a, b, hit, time); break;
    case PLIANT_SHAPE_FIELD: entered = pliant__field_sweep(shape->field, shape->grow, shape->touch, a, b, hit, time); break;
    }
    if (entered) hit->depth = -d3_dot(d3_sub(b, hit->point), hit->normal);
    return entered;
}

bool pliant__shape_sweep(const pliant__shape *shape, pliant_real grow, pliant_vec3 a, pliant_vec3 b, pliant__hit *hit, pliant_real *time)
{
    pliant__grown    grown = pliant__shape_grow(shape, grow);
    pliant__wide_hit wide;
    double           t;
    if (!pliant__grown_sweep(&grown, d3_widen(a), d3_widen(b), &wide, &t)) return false;
    *hit = d_narrow_hit(&wide);
    *time = (pliant_real)t;
    return true;
}
