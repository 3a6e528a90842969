/* Shapes grown by a distance, and the nearest point on them.
 *
 * A grown plane, sphere and capsule are exact: all points within `grow` of the solid. A grown box keeps its corners sharp: it is the box
 * with `grow` added to its half extents. That is larger than the true rounded box by up to 0.73 `grow` at a corner, never smaller, and
 * it has flat faces up to the edge, so that a particle which slides over the rim of a table is not tipped off before it gets there.
 *
 * Hulls, meshes and height fields are in facets.c, fields of distances in distances.c.
 *
 * Ties (the sphere's centre, the capsule's axis, points as near to two faces of a box) are settled by a fixed rule: sphere +y, capsule +x,
 * box y before x before z, and the positive side. */
#include "collide/distances.h"

/* Rounding that a point near the surface may carry: a few units in the last place of the shape's own size. */
static double touch_of(double size) { return 16 * (double)PLIANT__REAL_EPSILON * size; }

/* The least thickness of a sheet, beside its size: a particle on it has to be on one side of it after rounding. */
#define THIN 8e-6

/* The largest coordinate of a box. */
static double size_of(const pliant__model_box *b)
{
    const double x = d_max(-d_widen(b->low.x), d_widen(b->high.x)), y = d_max(-d_widen(b->low.y), d_widen(b->high.y));
    return d_max(d_max(x, y), d_max(-d_widen(b->low.z), d_widen(b->high.z)));
}

pliant__grown pliant__shape_grow(const pliant__shape *shape, pliant_real grow)
{
    pliant__grown g = {.type = shape->type};
    double        more = d_widen(grow);
    switch (shape->type) {
    case PLIANT_SHAPE_PLANE:
        g.half[1] = more;
        g.touch = touch_of(more);
        break;
    case PLIANT_SHAPE_SPHERE:
        g.radius = d_widen(shape->radius) + more;
        g.touch = touch_of(g.radius);
        break;
    case PLIANT_SHAPE_CAPSULE:
        g.radius = d_widen(shape->radius) + more;
        g.half_height = d_widen(shape->half_height);
        g.touch = d_clamp(touch_of(g.radius + g.half_height), 0, 0.5 * g.radius);
        break;
    case PLIANT_SHAPE_BOX:
        g.half[0] = d_widen(shape->half_extent.x) + more;
        g.half[1] = d_widen(shape->half_extent.y) + more;
        g.half[2] = d_widen(shape->half_extent.z) + more;
        g.touch = touch_of(d_max(g.half[0], d_max(g.half[1], g.half[2])));
        break;
    case PLIANT_SHAPE_HULL:
    case PLIANT_SHAPE_MESH:
    case PLIANT_SHAPE_HEIGHT_FIELD:
        g.facets = &shape->facets;
        g.touch = touch_of(d_max(size_of(shape->facets.node), more));
        g.grow = pliant__is_sheet(g.facets) ? d_max(more, THIN * size_of(shape->facets.node)) : more;
        break;
    case PLIANT_SHAPE_FIELD:
        g.field = &shape->field;
        g.touch = touch_of(d_max(pliant__field_size(g.field), more));
        g.grow = more;
        break;
    }
    return g;
}

/* Sphere of the shape's radius about (0, y, 0). */
static void nearest_ball(const pliant__grown *shape, double y, pliant__d3 otherwise, pliant__d3 p, pliant__wide_hit *hit)
{
    double distance = d3_split(d3(p.x, p.y - y, p.z), otherwise, &hit->normal);
    hit->point = d3_madd(d3(0, y, 0), hit->normal, shape->radius);
    hit->depth = shape->radius - distance;
}

static void nearest_capsule(const pliant__grown *shape, pliant__d3 p, pliant__wide_hit *hit)
{
    nearest_ball(shape, d_clamp(p.y, -shape->half_height, shape->half_height), d3(1, 0, 0), p, hit);
}

/* p inside the box: out through the face that is nearest. */
static void nearest_face(const double half[3], const double p[3], pliant__wide_hit *hit)
{
    static const int order[3] = {1, 0, 2};
    int              face = order[0];
    for (int i = 1; i < 3; i++)
        if (half[order[i]] - d_abs(p[order[i]]) < half[face] - d_abs(p[face])) face = order[i];
    double side = p[face] < 0 ? -1 : 1;
    double q[3] = {p[0], p[1], p[2]}, n[3] = {0, 0, 0};
    q[face] = side * half[face];
    n[face] = side;
    hit->point = d3(q[0], q[1], q[2]);
    hit->normal = d3(n[0], n[1], n[2]);
    hit->depth = half[face] - d_abs(p[face]);
}

static void nearest_box(const pliant__grown *shape, pliant__d3 at, pliant__wide_hit *hit)
{
    const double p[3] = {at.x, at.y, at.z};
    double       q[3];
    bool         inside = true;
    for (int i = 0; i < 3; i++) {
        q[i] = d_clamp(p[i], -shape->half[i], shape->half[i]);
        if (q[i] < p[i] || q[i] > p[i]) inside = false;
    }
    if (inside) {
        nearest_face(shape->half, p, hit);
        return;
    }
    hit->point = d3(q[0], q[1], q[2]);
    hit->depth = -d3_split(d3_sub(at, hit->point), d3(0, 1, 0), &hit->normal);
}

void pliant__grown_nearest(const pliant__grown *shape, pliant__d3 p, pliant__wide_hit *hit)
{
    switch (shape->type) {
    case PLIANT_SHAPE_PLANE: pliant__plane_nearest(shape, p, hit); break;
    case PLIANT_SHAPE_SPHERE: nearest_ball(shape, 0, d3(0, 1, 0), p, hit); break;
    case PLIANT_SHAPE_CAPSULE: nearest_capsule(shape, p, hit); break;
    case PLIANT_SHAPE_BOX: nearest_box(shape, p, hit); break;
    case PLIANT_SHAPE_HULL:
    case PLIANT_SHAPE_MESH:
    case PLIANT_SHAPE_HEIGHT_FIELD: pliant__facets_nearest(shape, p, hit); break;
    case PLIANT_SHAPE_FIELD: pliant__field_nearest(shape->field, shape->grow, shape->touch, p, hit); break;
    }
}

pliant__hit pliant__shape_nearest(const pliant__shape *shape, pliant_real grow, pliant_vec3 p)
{
    pliant__grown    grown = pliant__shape_grow(shape, grow);
    pliant__wide_hit hit = {{0, 0, 0}, {0, 1, 0}, 0};
    pliant__grown_nearest(&grown, d3_widen(p), &hit);
    return d_narrow_hit(&hit);
}
