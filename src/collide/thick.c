/* Nearest points and rays.
 *
 * A triangle of thickness r is a prism between two faces, r to either side, and three capsules around its edges; so a ray enters it where it first
 * enters one of those. Without a thickness the face alone is left; rays through an edge or a corner then hit one of the triangles that share it
 * (Woop, Benthin, Wald 2013, Watertight Ray/Triangle Intersection).
 *
 * The nearest point is found in the order of closest.h, which loses no digits on slivers. */
#include "collide/thick.h"

static double inverse_of(double a) { return a > 1e-280 ? 1 / a : 0; }

static double square_of(pliant__d3 a) { return d3_dot(a, a); }

/* ---- the nearest point ---- */

static pliant__d3 across(pliant__d3 a, pliant__d3 u, double inverse) { return d3_madd(a, u, -d3_dot(a, u) * inverse); }

/* Takes the point nearest to p on the edge from corner `a` to `b` if it is nearer. */
static void try_edge(const pliant__thick *t, int a, int b, pliant__d3 p, pliant__d3 *off, double weight[3])
{
    const pliant__d3 edge = d3_sub(t->x[b], t->x[a]), from = d3_sub(p, t->x[a]);
    const double     at = d_clamp(d3_dot(from, edge) * inverse_of(square_of(edge)), 0, 1);
    const pliant__d3 left = d3_madd(from, edge, -at);
    if (!(square_of(left) < square_of(*off))) return;
    *off = left;
    weight[0] = weight[1] = weight[2] = 0;
    weight[a] = 1 - at;
    weight[b] += at;
}

pliant__d3 pliant__thick_nearest(const pliant__thick *t, pliant__d3 p, double weight[3])
{
    const pliant__d3 ab = d3_sub(t->x[1], t->x[0]), ac = d3_sub(t->x[2], t->x[0]), ap = d3_sub(p, t->x[0]);
    const double     inverse = inverse_of(square_of(ab));
    const pliant__d3 height = across(ac, ab, inverse);
    const double     v = d_clamp(d3_dot(across(ap, ab, inverse), height) * inverse_of(square_of(height)), 0, 1);
    const pliant__d3 left = d3_madd(ap, ac, -v);
    const double     u = d_clamp(d3_dot(left, ab) * inverse, 0, 1 - v);
    pliant__d3       off = d3_madd(left, ab, -u);
    weight[0] = 1 - v - u;
    weight[1] = u;
    weight[2] = v;
    try_edge(t, 0, 2, p, &off, weight);
    try_edge(t, 1, 2, p, &off, weight);
    return off;
}

/* ---- rays and boxes ---- */

/* d_widen. A float is within its bounds, but for the empty box, which is at infinity and meets nothing. */
static double wide(pliant_real a)
{
#ifdef PLIANT_DOUBLE
    return d_widen(a);
#else
    return (double)a;
#endif
}

static double inverse_along(double a) { return d_abs(a) > 1e-30 ? 1 / a : 0; }

pliant__ray pliant__ray_of(pliant__d3 from, pliant__d3 along)
{
    return (pliant__ray){from, along, {inverse_along(along.x), inverse_along(along.y), inverse_along(along.z)}};
}

bool pliant__ray_enters(const pliant__ray *ray, const pliant__box *box, double grow, double *time)
{
    const double from[3] = {ray->from.x, ray->from.y, ray->from.z};
    const double low[3] = {wide(box->low.x) - grow, wide(box->low.y) - grow, wide(box->low.z) - grow};
    const double high[3] = {wide(box->high.x) + grow, wide(box->high.y) + grow, wide(box->high.z) + grow};
    double       enter = 0, leave = INFINITY;
    for (int i = 0; i < 3; i++) {
        const double by = ray->inverse[i];
        if (low[i] > high[i] || (by == 0 && (from[i] < low[i] || from[i] > high[i]))) return false;
        if (by == 0) continue;
        const double in = ((by > 0 ? low[i] : high[i]) - from[i]) * by, out = ((by > 0 ? high[i] : low[i]) - from[i]) * by;
        enter = in > enter ? in : enter;
        leave = out < leave ? out : leave;
    }
    *time = enter;
    return enter <= leave;
}

double pliant__box_distance(const pliant__box *box, pliant__d3 p)
{
    const double x = d_max(0, d_max(wide(box->low.x) - p.x, p.x - wide(box->high.x)));
    const double y = d_max(0, d_max(wide(box->low.y) - p.y, p.y - wide(box->high.y)));
    const double z = d_max(0, d_max(wide(box->low.z) - p.z, p.z - wide(box->high.z)));
    return sqrt(x * x + y * y + z * z);
}

/* ---- rays and elements ---- */

/* Enters a ball from outside. */
static void enter_ball(pliant__d3 centre, double radius, const pliant__ray *ray, double *first)
{
    const pliant__d3 from = d3_sub(ray->from, centre);
    const double     along = d3_dot(from, ray->along);
    const pliant__d3 nearest = d3_madd(from, ray->along, -along);
    const double     distance = sqrt(square_of(nearest));
    if (!(along < 0) || !(distance < radius)) return;
    const double time = -along - sqrt((radius - distance) * (radius + distance));
    if (time >= 0 && time < *first) *first = time;
}

/* Enters the round side of a capsule from outside. */
static void enter_side(pliant__d3 a, pliant__d3 b, double radius, const pliant__ray *ray, double *first)
{
    const pliant__d3 edge = d3_sub(b, a), from = d3_sub(ray->from, a);
    const double     inverse = inverse_of(square_of(edge));
    const pliant__d3 flat = across(from, edge, inverse), flat_along = across(ray->along, edge, inverse);
    const double     square = square_of(flat_along), along = d3_dot(flat, flat_along);
    if (inverse == 0 || !(square > 1e-24) || !(along < 0)) return;
    const double middle = -along / square, distance = sqrt(square_of(d3_madd(flat, flat_along, middle)));
    if (!(distance < radius)) return;
    const double time = middle - sqrt((radius - distance) * (radius + distance) / square);
    const double place = d3_dot(d3_madd(from, ray->along, time), edge) * inverse;
    if (time >= 0 && place >= 0 && place <= 1 && time < *first) *first = time;
}

static double along_axis(pliant__d3 a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

/* Whether a ray, or the line behind its start, goes through a triangle. In a frame that the ray is the axis of, by the side on which it has each
 * edge: two triangles with a common edge get the same number for it. */
static bool goes_through(const pliant__d3 x[3], pliant__d3 from, pliant__d3 along)
{
    const double ax = d_abs(along.x), ay = d_abs(along.y), az = d_abs(along.z);
    const int    k = ax > ay ? (ax > az ? 0 : 2) : ay > az ? 1 : 2, i = (k + 1) % 3, j = (k + 2) % 3;
    const double by_i = along_axis(along, i) / along_axis(along, k), by_j = along_axis(along, j) / along_axis(along, k);
    double       p[3], q[3], side[3];
    for (int c = 0; c < 3; c++) {
        const pliant__d3 at = d3_sub(x[c], from);
        p[c] = along_axis(at, i) - by_i * along_axis(at, k);
        q[c] = along_axis(at, j) - by_j * along_axis(at, k);
    }
    for (int c = 0; c < 3; c++) side[c] = p[(c + 1) % 3] * q[(c + 2) % 3] - p[(c + 2) % 3] * q[(c + 1) % 3];
    const bool left = side[0] < 0 || side[1] < 0 || side[2]<0, right = side[0]> 0 || side[1] > 0 || side[2] > 0;
    return left != right; /* neither: it is seen from its edge */
}

/* Enters through the face that looks at the ray; its normal. */
static void enter_face(const pliant__thick *t, const pliant__ray *ray, double *first, pliant__d3 *normal)
{
    const pliant__d3 n = d3_cross(d3_sub(t->x[1], t->x[0]), d3_sub(t->x[2], t->x[0]));
    pliant__d3       unit;
    if (!(d3_split(n, n, &unit) > 0)) return;
    double fall = d3_dot(unit, ray->along);
    if (fall == 0) return;
    if (fall > 0) unit = d3_scale(unit, -1), fall = -fall;
    const pliant__d3 from = d3_madd(ray->from, unit, -t->thickness);
    const double     time = d3_dot(d3_sub(t->x[0], from), unit) / fall;
    if (!(time >= 0 && time < *first) || !goes_through(t->x, from, ray->along)) return;
    *first = time;
    *normal = unit;
}

/* The normal from the nearest point to p; where p lies on the surface itself, its face's, on the side that a direction comes from. */
static pliant__d3 normal_at(const pliant__thick *t, pliant__d3 p, pliant__d3 against)
{
    double           weight[3];
    const pliant__d3 off = pliant__thick_nearest(t, p, weight), n = d3_cross(d3_sub(t->x[1], t->x[0]), d3_sub(t->x[2], t->x[0]));
    pliant__d3       unit, back = d3_scale(against, -1);
    if (d3_split(off, back, &unit) > 0) return unit;
    d3_split(n, back, &unit);
    return d3_dot(unit, against) > 0 ? d3_scale(unit, -1) : unit;
}

bool pliant__thick_ray(const pliant__thick *t, const pliant__ray *ray, double *time, pliant__d3 *normal)
{
    double           weight[3], first = INFINITY;
    const pliant__d3 off = pliant__thick_nearest(t, ray->from, weight);
    if (sqrt(square_of(off)) < t->thickness) {
        *time = 0;
        *normal = normal_at(t, ray->from, ray->along);
        return true;
    }
    enter_face(t, ray, &first, normal);
    const double face = first;
    for (int k = 0; k < 3 && t->thickness > 0; k++) {
        enter_ball(t->x[k], t->thickness, ray, &first);
        enter_side(t->x[k], t->x[(k + 1) % 3], t->thickness, ray, &first);
    }
    if (!(first < INFINITY)) return false;
    if (first < face) *normal = normal_at(t, d3_madd(ray->from, ray->along, first), ray->along);
    *time = first;
    return true;
}
