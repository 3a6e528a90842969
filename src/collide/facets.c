/* Shapes that are made of triangles, grown by a distance: where they are nearest, where a path enters them, and contacts with sheets.
 *
 * The grown shape is every point no farther than `grow` from the triangles, or behind them: faces are moved out along their normals, edges become
 * cylinders, and corners balls. A path enters where it first enters one of these. Cylinders and balls are made smaller by `touch`, so a path that
 * slides over a face does not stumble over the edges in it; edges that are not convex need none.
 *
 * A sheet is a mesh with a border, or one that is to be two-sided. It has no inside from which a particle could be told to come out; the side that
 * counts is that where the particle was when the substep began:
 *
 *   continuous  the path enters what is `grow` near, from there                                        plane at the entry
 *   crossing    it began nearer than that already, and leads through the triangles                      plane over the place where it does
 *   static      it ends nearer than that, or about to, and there is no triangle between start and end    plane over the nearest point
 *
 * Of a sheet that is not two-sided the path enters from the front only. A particle behind it, no farther than three times `grow`, and not beyond its
 * border, comes out in front; a particle farther behind is let be. */
#include "collide/nearest_feature.h"

#define BEHIND 3   /* times `grow` */
#define NEAR 1e-12 /* of the shape's size: the direction from a point nearer than that is rounding */

/* The largest coordinate of the shape. */
static double size_of(const pliant__grown *s) { return s->touch / (16 * (double)PLIANT__REAL_EPSILON); }

static double least(double a, double b) { return a < b ? a : b; }

/* ---- nearest ---- */

/* Fills in the point that is `grow` above the nearest point along `out`. */
static void put_hit(const pliant__grown *s, const pliant__nearest_feature *nearest, pliant__d3 out, pliant__d3 p, pliant__wide_hit *hit)
{
    hit->normal = out;
    hit->point = d3_madd(nearest->point, out, s->grow);
    hit->depth = -d3_dot(d3_sub(p, hit->point), out);
}

/* Whether p is behind the nearest point on a sheet so that it comes out in front. */
static bool is_caught(const pliant__grown *s, const pliant__nearest_feature *nearest)
{
    return !s->facets->two_sided && !nearest->border && nearest->distance <= BEHIND * s->grow && nearest->behind;
}

/* From the nearest point to p, or back. A point on the triangles has no such direction, and takes the normal. */
static pliant__d3 direction_of(const pliant__grown *s, const pliant__nearest_feature *nearest, pliant__d3 p, bool inside)
{
    pliant__d3 out;
    if (!(nearest->distance > NEAR * size_of(s))) return nearest->normal;
    d3_split(inside ? d3_sub(nearest->point, p) : d3_sub(p, nearest->point), nearest->normal, &out);
    return out;
}

static void hit_nearest(const pliant__grown *s, const pliant__nearest_feature *nearest, pliant__d3 p, pliant__wide_hit *hit)
{
    const bool inside = pliant__is_sheet(s->facets) ? is_caught(s, nearest) : nearest->behind;
    put_hit(s, nearest, direction_of(s, nearest, p, inside), p, hit);
}

void pliant__facets_nearest(const pliant__grown *shape, pliant__d3 p, pliant__wide_hit *hit)
{
    const pliant__nearest_feature nearest = pliant__facets_nearest_feature(shape->facets, p, PLIANT__ANYWHERE);
    hit_nearest(shape, &nearest, p, hit);
}

/* ---- where a path enters one triangle ---- */

typedef struct path {
    const pliant__grown    *shape;
    pliant__d3              a, d;   /* start, and from there to the end */
    double                  length; /* of d */
    double                  grow;   /* m; 0: the triangles themselves */
    bool                    both;   /* from behind, too */
    pliant__nearest_feature start;  /* of its start */
    double                  first;  /* time of the first entry so far, or 2 */
    pliant__d3              point, normal;
} path;

static void enter(path *w, double time, pliant__d3 point, pliant__d3 normal)
{
    if (!(time < w->first)) return;
    w->first = time;
    w->point = point;
    w->normal = normal;
}

/* Within the triangle, or outside by no more than rounding: where triangles meet one of them has it. */
static bool is_over(const pliant__facet *t, pliant__d3 q, double slack)
{
    for (uint32_t k = 0; k < 3; k++) {
        const pliant__d3 u = d3_sub(t->x[(k + 1) % 3], t->x[k]);
        if (d3_dot(d3_cross(u, d3_sub(q, t->x[k])), t->normal) < -slack * sqrt(d3_dot(u, u))) return false;
    }
    return true;
}

/* The nearest point of another place on the path, from the known nearest point of its start: no farther than that point is. */
static pliant__nearest_feature nearest_beside(const pliant__grown *s, const pliant__nearest_feature *known, double apart, pliant__d3 p)
{
    return pliant__facets_nearest_feature(s->facets, p, 1.000001 * (known->distance + apart) + s->touch);
}

/* Whether a path is deeper than `depth` a few roundings after a time. Along an edge, on its way over it, it is not, though it gets behind one of
 * its triangles. */
static bool leads_in(const path *w, double time, double depth)
{
    if (!(w->length > 0)) return false;
    const double     step = least(d_max(4 * w->shape->touch, 10 * NEAR * size_of(w->shape)), w->length), more = step / w->length;
    const pliant__d3 p = d3_madd(w->a, w->d, time + more);
    const pliant__nearest_feature nearest = nearest_beside(w->shape, &w->start, (time + more) * w->length, p);
    pliant__wide_hit              there;
    hit_nearest(w->shape, &nearest, p, &there);
    return there.depth > depth + 1e-6 * step;
}

static void enter_face(path *w, const pliant__facet *t, double side)
{
    const pliant__d3 n = d3_scale(t->normal, side);
    const double     above = d3_dot(d3_sub(w->a, t->x[0]), n) - w->grow, fall = -d3_dot(w->d, n);
    if (!(above >= 0) || !(fall > 0) || above > fall) return;
    const double     time = above / fall, size = size_of(w->shape);
    const pliant__d3 q = d3_madd(w->a, w->d, time);
    if (!is_over(t, q, 64 * DBL_EPSILON * (size + above) * d_clamp(w->length / fall, 1, 1e6)) || !(time < w->first)) return;
    if (above <= w->shape->touch && !pliant__is_sheet(w->shape->facets) && !leads_in(w, time, 0)) return;
    enter(w, time, q, n);
}

/* Whether both triangles of an edge lie in one plane, or make a valley: faces cover it. */
static bool is_covered(const path *w, const pliant__facet *t, uint32_t k)
{
    const pliant__facets *f = w->shape->facets;
    const uint32_t        beyond = f->height ? PLIANT__NONE : f->across[3 * (size_t)t->number + k];
    if (!t->flat || beyond == PLIANT__NONE) return false;
    const pliant__facet other = pliant__facet_of(f, beyond);
    double              above = 0; /* height of its corner that is farthest from the plane */
    for (uint32_t i = 0; i < 3; i++) {
        const double height = d3_dot(d3_sub(other.x[i], t->x[k]), t->normal);
        if (d_abs(height) > d_abs(above)) above = height;
    }
    return other.flat && (d_abs(above) <= w->shape->touch || (above > 0 && !w->both));
}

/* Enters an edge or a corner; not from behind a sheet of which only the front counts. */
static void enter_at(path *w, const pliant__facet *t, double time, pliant__d3 nearest)
{
    pliant__d3 out;
    d3_split(d3_sub(d3_madd(w->a, w->d, time), nearest), t->normal, &out);
    if (!w->both && !w->shape->facets->closed && t->flat && d3_dot(out, t->normal) < 0) return;
    enter(w, time, d3_madd(nearest, out, w->grow), out);
}

static void enter_edge(path *w, const pliant__facet *t, uint32_t k, double radius)
{
    pliant__d3       u;
    const pliant__d3 from = d3_sub(w->a, t->x[k]);
    const double length = d3_split(d3_sub(t->x[(k + 1) % 3], t->x[k]), d3(0, 0, 0), &u), start = d3_dot(from, u), step = d3_dot(w->d, u);
    double       time;
    if (!pliant__enter_round(radius, d3_madd(from, u, -start), d3_madd(w->d, u, -step), &time)) return;
    const double along = start + time * step;
    if (along >= 0 && along <= length) enter_at(w, t, time, d3_madd(t->x[k], u, along));
}

static void enter_facet(path *w, const pliant__facet *t)
{
    if (t->flat) enter_face(w, t, 1);
    if (t->flat && w->both) enter_face(w, t, -1);
    const double radius = w->grow - w->shape->touch;
    if (!(radius > 0)) return;
    const pliant__nearest_feature start = pliant__facet_nearest_feature(t, w->a);
    if (start.distance <= w->grow + w->shape->touch) return; /* the path begins within reach: the caller deals with that */
    for (uint32_t k = 0; k < 3; k++) {
        double time;
        if (!is_covered(w, t, k)) enter_edge(w, t, k, radius);
        if (pliant__enter_round(radius, d3_sub(w->a, t->x[k]), w->d, &time)) enter_at(w, t, time, t->x[k]);
    }
}

/* ---- the first entry of all triangles ---- */

/* Whether the path reaches a box grown by `by` before its first entry so far. */
static bool meets(const path *w, const pliant__model_box *b, double by)
{
    const double low[3] = {(double)b->low.x - by, (double)b->low.y - by, (double)b->low.z - by};
    const double high[3] = {(double)b->high.x + by, (double)b->high.y + by, (double)b->high.z + by};
    const double a[3] = {w->a.x, w->a.y, w->a.z}, d[3] = {w->d.x, w->d.y, w->d.z};
    double       from = 0, to = w->first;
    for (int i = 0; i < 3; i++) {
        if (!(d_abs(d[i]) > 1e-200)) {
            if (a[i] < low[i] || a[i] > high[i]) return false;
            continue;
        }
        const double s = (low[i] - a[i]) / d[i], t = (high[i] - a[i]) / d[i];
        from = d_max(from, s < t ? s : t);
        if ((s < t ? t : s) < to) to = s < t ? t : s;
    }
    return from <= to;
}

/* Walls below the sides of a height field, and the upright edges between them. */
static void enter_walls(path *w)
{
    const pliant__facets *f = w->shape->facets;
    double                x, z;
    pliant__field_sides(f, &x, &z);
    const double     size = size_of(w->shape), radius = w->grow - w->shape->touch;
    const pliant__d3 out[4] = {d3(-1, 0, 0), d3(1, 0, 0), d3(0, 0, -1), d3(0, 0, 1)};
    for (int i = 0; i < 4; i++) {
        const double above = d3_dot(w->a, out[i]) - (i == 1 ? x : i == 3 ? z : 0) - w->grow, fall = -d3_dot(w->d, out[i]);
        if (!(above >= 0) || !(fall > 0) || above > fall) continue;
        const pliant__d3 q = d3_madd(w->a, w->d, above / fall);
        const double     slack = 64 * DBL_EPSILON * (size + above) * d_clamp(w->length / fall, 1, 1e6);
        const double     qx = d_clamp(q.x, 0, x), qz = d_clamp(q.z, 0, z);
        if (i < 2 ? d_abs(q.z - qz) > slack : d_abs(q.x - qx) > slack) continue;
        if (q.y > pliant__field_height(f, qx, qz) + slack || (above <= w->shape->touch && !leads_in(w, above / fall, 0))) continue;
        enter(w, above / fall, q, out[i]);
    }
    for (int i = 0; i < 4 && radius > 0; i++) {
        const pliant__d3 corner = d3(i & 1 ? x : 0, 0, i & 2 ? z : 0), from = d3_sub(w->a, corner);
        double           time;
        if (from.x * from.x + from.z * from.z <= (w->grow + w->shape->touch) * (w->grow + w->shape->touch)) continue;
        if (!pliant__enter_round(radius, d3(from.x, 0, from.z), d3(w->d.x, 0, w->d.z), &time)) continue;
        pliant__d3 nearest = corner, n;
        nearest.y = w->a.y + time * w->d.y;
        if (nearest.y > pliant__field_height(f, corner.x, corner.z)) continue;
        d3_split(d3_sub(d3_madd(w->a, w->d, time), nearest), d3(0, 1, 0), &n);
        enter(w, time, d3_madd(nearest, n, w->grow), n);
    }
}

/* Boxes are grown by the rounding of `meets` on a long path. */
static bool find_entry(path *w)
{
    const pliant__facets *f = w->shape->facets;
    const uint32_t        first_leaf = ((uint32_t)1 << f->levels) - 1;
    const double          by = w->grow + w->shape->touch + 16 * DBL_EPSILON * (w->length + d_abs(w->a.x) + d_abs(w->a.y) + d_abs(w->a.z));
    const double low[3] = {least(w->a.x, w->a.x + w->d.x) - by, least(w->a.y, w->a.y + w->d.y) - by, least(w->a.z, w->a.z + w->d.z) - by};
    const double high[3] = {d_max(w->a.x, w->a.x + w->d.x) + by, d_max(w->a.y, w->a.y + w->d.y) + by, d_max(w->a.z, w->a.z + w->d.z) + by};
    uint32_t     stack[40], top = 0, number[PLIANT__LEAF_FACETS];
    w->first = 2;
    stack[top++] = 0;
    while (top) {
        const uint32_t node = stack[--top];
        if (!meets(w, &f->node[node], by)) continue;
        if (node < first_leaf) {
            stack[top++] = 2 * node + 2;
            stack[top++] = 2 * node + 1;
            continue;
        }
        const uint32_t count = pliant__leaf_facets(f, node - first_leaf, low, high, number);
        for (uint32_t i = 0; i < count; i++) {
            const pliant__facet t = pliant__facet_of(f, number[i]);
            enter_facet(w, &t);
        }
    }
    if (f->height) enter_walls(w);
    return w->first <= 1;
}

static path path_of(const pliant__grown *s, pliant__d3 a, pliant__d3 b, double grow)
{
    path       w = {.shape = s, .a = a, .d = d3_sub(b, a), .grow = grow, .both = s->facets->two_sided};
    pliant__d3 unused;
    w.length = d3_split(w.d, w.d, &unused);
    return w;
}

/* Whether a path that begins on the surface goes inwards there. */
static bool goes_in(const path *w, const pliant__wide_hit *start)
{
    return d3_dot(w->d, start->normal) < 0 && leads_in(w, 0, start->depth);
}

/* Enters the shape on a path from w->start, which lies at `start`. */
static bool sweep(path *w, const pliant__wide_hit *start, pliant__wide_hit *hit, double *time)
{
    const double touch = w->shape->touch;
    if (start->depth > touch || -start->depth > 1.000001 * w->length + touch) return false;
    if (start->depth >= -touch && goes_in(w, start)) {
        *hit = *start;
        *time = 0;
        return true;
    }
    if (!find_entry(w)) return false;
    hit->point = w->point;
    hit->normal = w->normal;
    *time = w->first;
    return true;
}

bool pliant__facets_sweep(const pliant__grown *shape, pliant__d3 a, pliant__d3 b, pliant__wide_hit *hit, double *time)
{
    path             w = path_of(shape, a, b, shape->grow);
    pliant__wide_hit start;
    w.start = pliant__facets_nearest_feature(shape->facets, a, PLIANT__ANYWHERE);
    hit_nearest(shape, &w.start, a, &start);
    return sweep(&w, &start, hit, time);
}

/* ---- contacts ---- */

static bool accept(pliant__wide_hit *hit, pliant__d3 point, pliant__d3 normal, pliant__d3 b)
{
    hit->point = point;
    hit->normal = normal;
    hit->depth = -d3_dot(d3_sub(b, point), normal);
    return true;
}

/* A point far from all triangles may yet be inside. */
static bool may_be_inside(const pliant__facets *f, pliant__d3 p)
{
    const pliant_vec3 low = f->node->low, high = f->node->high;
    if (f->height) return pliant__field_is_inside(f, p);
    return p.x >= (double)low.x && p.x <= (double)high.x && p.y >= (double)low.y && p.y <= (double)high.y && p.z >= (double)low.z &&
           p.z <= (double)high.z;
}

static bool sheet_contact(path *w, double reach, pliant__d3 b, pliant__wide_hit *hit)
{
    const pliant__grown          *s = w->shape;
    const pliant__nearest_feature to = nearest_beside(s, &w->start, w->length, b);
    pliant__wide_hit              start, end;
    double                        time;
    hit_nearest(s, &to, b, &end);
    if (is_caught(s, &w->start)) {
        *hit = end;
        return end.depth >= 0 || -end.depth < reach;
    }
    if (!s->facets->two_sided && !w->start.border && w->start.behind) return false;
    hit_nearest(s, &w->start, w->a, &start);
    if (sweep(w, &start, hit, &time)) return accept(hit, hit->point, hit->normal, b);
    w->grow = 0;
    if (w->start.distance <= 1.000001 * w->length + s->touch && find_entry(w))
        return accept(hit, d3_madd(w->point, w->normal, s->grow), w->normal, b);
    if (is_caught(s, &to) || (end.depth < 0 && -end.depth >= reach)) return false;
    *hit = end;
    return true;
}

static bool solid_contact(path *w, double reach, pliant__d3 b, pliant__wide_hit *hit)
{
    const pliant__grown *s = w->shape;
    pliant__wide_hit     start, end;
    double               time;
    hit_nearest(s, &w->start, w->a, &start);
    if (sweep(w, &start, hit, &time)) return accept(hit, hit->point, hit->normal, b);
    const pliant__nearest_feature to = nearest_beside(s, &w->start, w->length, b);
    hit_nearest(s, &to, b, &end);
    const bool crosses = d3_dot(start.normal, end.normal) < 0 && d3_dot(w->d, start.normal) < 0;
    if (start.depth > 0 && start.depth < reach && crosses) return accept(hit, start.point, start.normal, b);
    if (end.depth < 0 && -end.depth >= reach) return false;
    *hit = end;
    return true;
}

bool pliant__facets_contact(const pliant__grown *shape, double reach, pliant__d3 a, pliant__d3 b, pliant__wide_hit *hit)
{
    const pliant__facets *f = shape->facets;
    path                  w = path_of(shape, a, b, shape->grow);
    w.start = pliant__facets_nearest_feature(f, a, shape->grow + 1.000001 * (w.length + reach));
    if (!w.start.found) { /* too far away to get there, unless it is deep inside */
        if (pliant__is_sheet(f) || !may_be_inside(f, a)) return false;
        w.start = pliant__facets_nearest_feature(f, a, PLIANT__ANYWHERE);
        if (!w.start.behind) return false;
    }
    return pliant__is_sheet(f) ? sheet_contact(&w, reach, b, hit) : solid_contact(&w, reach, b, hit);
}
