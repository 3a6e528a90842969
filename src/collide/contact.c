/* The contact of one particle with one shape, and the box of a shape in the world.
 *
 * Which contact it is, in this order (a: start of the path, b: its end, both in the shape's frame):
 *
 *   continuous  a is outside or on the surface, and the path enters             plane at the entry
 *   crossing    a is inside by less than `margin`, and the path goes inwards     plane at the surface point nearest to a
 *               so far that b is nearest to the other side
 *   static      b is inside, on the surface (to within rounding), or outside     plane at the surface point nearest to b
 *               by less than `margin`
 *
 * The crossing rule keeps a thin shape closed: contacts are projected together with the constraints of a cloth, so a particle may
 * end a substep a little inside, and the next path would otherwise lead out of the far side unhindered. */
#include "collide/distances.h"

bool pliant__grown_contact(const pliant__grown *shape, double reach, pliant__d3 from, pliant__d3 to, pliant__wide_hit *hit)
{
    pliant__d3       path = d3_sub(to, from), unused;
    pliant__wide_hit start;
    double           time;
    if (shape->facets) return pliant__facets_contact(shape, reach, from, to, hit);
    if (shape->type == PLIANT_SHAPE_PLANE) return pliant__plane_contact(shape, reach, from, to, hit);
    const double length = d3_split(path, path, &unused);
    if (shape->field && pliant__field_is_far(shape->field, shape->grow, from, 1.000001 * (length + reach))) return false;
    pliant__grown_nearest(shape, from, &start);
    if (!shape->field && -start.depth > 1.000001 * (length + reach)) return false; /* too far away to get there */

    if (pliant__grown_sweep(shape, from, to, hit, &time)) return true;
    pliant__grown_nearest(shape, to, hit);
    bool crosses = d3_dot(start.normal, hit->normal) < 0 && d3_dot(path, start.normal) < 0;
    if (start.depth > 0 && start.depth < reach && crosses) {
        start.depth = -d3_dot(d3_sub(to, start.point), start.normal);
        *hit = start;
        return true;
    }
    return !(hit->depth < 0 && -hit->depth >= reach);
}

bool pliant__shape_contact(const pliant__shape *shape, pliant_real grow, pliant_real margin, pliant_vec3 a, pliant_vec3 b, pliant__hit *hit)
{
    const pliant__grown grown = pliant__shape_grow(shape, grow);
    const pliant__d3    from = d3_widen(a), to = d3_widen(b);
    pliant__wide_hit    wide;
    if (!pliant__grown_contact(&grown, d_max(d_widen(margin), pliant__grown_touch(&grown, to)), from, to, &wide)) return false;
    *hit = d_narrow_hit(&wide);
    return true;
}

/* Row `axis` of the rotation's matrix. */
static inline pliant__d3 row_of(pliant_quat q, int axis)
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    if (axis == 0) return d3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y));
    if (axis == 1) return d3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x));
    return d3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y));
}

/* A row of absolute values: how far a unit along each local axis reaches along that world axis. */
static pliant__d3 reach_of(pliant_quat q, int axis)
{
    const pliant__d3 row = row_of(q, axis);
    return d3(d_abs(row.x), d_abs(row.y), d_abs(row.z));
}

/* A half space ends along a world axis only if its normal is that axis. */
static void plane_bounds(double grow, pliant_pose pose, double low[3], double high[3])
{
    pliant_vec3  up = quat_rotate(pose.rotation, v3(0, 1, 0));
    const double n[3] = {(double)up.x, (double)up.y, (double)up.z};
    const double p[3] = {(double)pose.position.x, (double)pose.position.y, (double)pose.position.z};
    for (int i = 0; i < 3; i++) {
        bool only = n[(i + 1) % 3] * n[(i + 1) % 3] + n[(i + 2) % 3] * n[(i + 2) % 3] <= 0;
        low[i] = only && n[i] < 0 ? p[i] - grow : (double)-INFINITY;
        high[i] = only && n[i] > 0 ? p[i] + grow : (double)INFINITY;
    }
}

/* How far a solid reaches along a world axis. Of what is round the local y axis alone tells, and of a ball none. */
static double solid_reach(const pliant__grown *shape, pliant_quat q, int axis)
{
    if (shape->type == PLIANT_SHAPE_BOX) {
        const pliant__d3 reach = reach_of(q, axis);
        return reach.x * shape->half[0] + reach.y * shape->half[1] + reach.z * shape->half[2];
    }
    return shape->half_height > 0 ? shape->radius + d_abs(row_of(q, axis).y) * shape->half_height : shape->radius;
}

static void solid_bounds(const pliant__grown *shape, pliant_pose pose, double low[3], double high[3])
{
    const double p[3] = {d_widen(pose.position.x), d_widen(pose.position.y), d_widen(pose.position.z)};
    for (int i = 0; i < 3; i++) {
        const double r = solid_reach(shape, pose.rotation, i);
        low[i] = p[i] - r;
        high[i] = p[i] + r;
    }
}

/* A height field is open downwards. */
static void open_bounds(pliant_pose pose, double low[3], double high[3])
{
    const pliant_vec3 up = quat_rotate(pose.rotation, v3(0, 1, 0));
    for (int i = 0; i < 3; i++) {
        if ((&up.x)[i] > 0) low[i] = (double)-INFINITY;
        if ((&up.x)[i] < 0) high[i] = (double)INFINITY;
    }
}

/* The box of the tree's root, or of the grid. A rotation is not of unit length to the last digit, and scales a shape far from the local origin by
 * that. */
static void facets_bounds(const pliant__grown *shape, pliant_pose pose, double low[3], double high[3])
{
    const pliant__model_box grid = shape->field ? pliant__field_box(shape->field) : *shape->facets->node;
    const pliant__d3        a = d3_widen(grid.low), b = d3_widen(grid.high);
    const pliant__d3        middle = d3_scale(d3(a.x + b.x, a.y + b.y, a.z + b.z), 0.5), half = d3_scale(d3_sub(b, a), 0.5);
    const double            p[3] = {d_widen(pose.position.x), d_widen(pose.position.y), d_widen(pose.position.z)};
    for (int i = 0; i < 3; i++) {
        const pliant__d3 reach = reach_of(pose.rotation, i);
        const double     c = p[i] + d3_dot(row_of(pose.rotation, i), middle), r = d3_dot(reach, half) + shape->grow + shape->touch;
        low[i] = c - r;
        high[i] = c + r;
    }
}

/* Rounds outwards, so that no point of the shape falls out of its box when the box is narrowed. */
static pliant_real outwards(double a, double sign)
{
    if (!(a - a == 0)) return (pliant_real)a;
    return d_narrow(a + sign * 4 * (double)PLIANT__REAL_EPSILON * d_abs(a));
}

void pliant__shape_bounds(const pliant__shape *shape, pliant_real grow, pliant_pose pose, pliant_vec3 *low, pliant_vec3 *high)
{
    pliant__grown grown = pliant__shape_grow(shape, grow);
    double        l[3], h[3];
    if (shape->type == PLIANT_SHAPE_PLANE)
        plane_bounds(grown.half[1], pose, l, h);
    else if (grown.facets || grown.field)
        facets_bounds(&grown, pose, l, h);
    else
        solid_bounds(&grown, pose, l, h);
    if (grown.facets && grown.facets->height) open_bounds(pose, l, h);
    *low = v3(outwards(l[0], -1), outwards(l[1], -1), outwards(l[2], -1));
    *high = v3(outwards(h[0], 1), outwards(h[1], 1), outwards(h[2], 1));
}

/* Rounding keeps the order of numbers, so that the lowest end of both is that of the lower one. */
void pliant__shape_way_bounds(const pliant__shape *shape, pliant_real grow, pliant_pose before, pliant_pose after, pliant_vec3 *low,
                              pliant_vec3 *high)
{
    const pliant_quat p = before.rotation, q = after.rotation;
    const bool        turns = p.x != q.x || p.y != q.y || p.z != q.z || p.w != q.w;
    pliant_vec3       a, b;
    if (!turns && (shape->type == PLIANT_SHAPE_SPHERE || shape->type == PLIANT_SHAPE_CAPSULE || shape->type == PLIANT_SHAPE_BOX)) {
        const pliant__grown grown = pliant__shape_grow(shape, grow);
        for (int i = 0; i < 3; i++) {
            const double from = d_widen((&before.position.x)[i]), to = d_widen((&after.position.x)[i]), r = solid_reach(&grown, p, i);
            (&low->x)[i] = outwards((from < to ? from : to) - r, -1);
            (&high->x)[i] = outwards((from < to ? to : from) + r, 1);
        }
        return;
    }
    pliant__shape_bounds(shape, grow, before, low, high);
    pliant__shape_bounds(shape, grow, after, &a, &b);
    *low = v3(r_min(low->x, a.x), r_min(low->y, a.y), r_min(low->z, a.z));
    *high = v3(r_max(high->x, b.x), r_max(high->y, b.y), r_max(high->z, b.z));
}
