/* Shapes grown by a distance, and vectors of double for their geometry, whatever pliant_real is.
 *
 * A path of metres is cut with surfaces that must be exact to micrometres; in float the differences of squares would lose that. The functions here
 * use + - * / sqrt and comparisons only, so every compiler gets the same bits. Coordinates beyond 1e60 m count as 1e60 m, and results beyond the
 * largest pliant_real count as that: no finite input ends in an infinity or a NaN. */
#ifndef PLIANT_COLLIDE_GROWN_H
#define PLIANT_COLLIDE_GROWN_H

#include "collide/collide.h"

#include <float.h>

#ifdef PLIANT_DOUBLE
#define PLIANT__REAL_MAX DBL_MAX
#define PLIANT__REAL_EPSILON DBL_EPSILON
#else
#define PLIANT__REAL_MAX FLT_MAX
#define PLIANT__REAL_EPSILON FLT_EPSILON
#endif

typedef struct pliant__d3 {
    double x, y, z;
} pliant__d3;

/* A pliant__hit in double. */
typedef struct pliant__wide_hit {
    pliant__d3 point, normal;
    double     depth;
} pliant__wide_hit;

/* A shape that has `grow` added all around, in double. A box keeps its sharp corners. */
typedef struct pliant__grown {
    pliant_shape type;
    double       radius, half_height;
    double       half[3];
    double       touch; /* see pliant__grown_touch */
    double       grow;  /* of facets and fields */

    const pliant__facets *facets;
    const pliant__field  *field;
} pliant__grown;

pliant__grown pliant__shape_grow(const pliant__shape *shape, pliant_real grow);
void          pliant__grown_nearest(const pliant__grown *shape, pliant__d3 p, pliant__wide_hit *hit);
bool          pliant__grown_sweep(const pliant__grown *shape, pliant__d3 a, pliant__d3 b, pliant__wide_hit *hit, double *time);

/* contact.c: pliant__shape_contact of a shape that is grown already, with the margin within which a point is near. */
bool pliant__grown_contact(const pliant__grown *shape, double reach, pliant__d3 from, pliant__d3 to, pliant__wide_hit *hit);

/* facets.c: nearest point and entry for shapes that are made of triangles; and contacts with them, which use one nearest feature for both. */
void pliant__facets_nearest(const pliant__grown *shape, pliant__d3 p, pliant__wide_hit *hit);
bool pliant__facets_sweep(const pliant__grown *shape, pliant__d3 a, pliant__d3 b, pliant__wide_hit *hit, double *time);
bool pliant__facets_contact(const pliant__grown *shape, double reach, pliant__d3 a, pliant__d3 b, pliant__wide_hit *hit);

/* Whether the path from a along d enters the sphere about the origin, and when. `a` is outside or on it. With a and d flattened onto a plane it
 * is a cylinder. */
bool pliant__enter_round(double radius, pliant__d3 a, pliant__d3 d, double *time);

/* A sheet is solid only where it is near. */
static inline bool pliant__is_sheet(const pliant__facets *f) { return f->count && (f->two_sided || !f->closed); }

static inline double d_clamp(double a, double low, double high) { return a < low ? low : a > high ? high : a; }
static inline double d_max(double a, double b) { return a > b ? a : b; }
static inline double d_abs(double a) { return a < 0 ? -a : a; }
static inline double d_widen(pliant_real a) { return d_clamp((double)a, -1e60, 1e60); }

static inline pliant_real d_narrow(double a) { return (pliant_real)d_clamp(a, -(double)PLIANT__REAL_MAX, (double)PLIANT__REAL_MAX); }

static inline pliant__d3 d3(double x, double y, double z)
{
    pliant__d3 v = {x, y, z};
    return v;
}
static inline pliant__d3  d3_widen(pliant_vec3 a) { return d3(d_widen(a.x), d_widen(a.y), d_widen(a.z)); }
static inline pliant_vec3 d3_narrow(pliant__d3 a) { return v3(d_narrow(a.x), d_narrow(a.y), d_narrow(a.z)); }
static inline pliant__d3  d3_sub(pliant__d3 a, pliant__d3 b) { return d3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline pliant__d3  d3_scale(pliant__d3 a, double s) { return d3(a.x * s, a.y * s, a.z * s); }
static inline pliant__d3  d3_madd(pliant__d3 a, pliant__d3 b, double s) { return d3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s); }
static inline pliant__d3  d3_cross(pliant__d3 a, pliant__d3 b)
{
    return d3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double d3_dot(pliant__d3 a, pliant__d3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* Rounding near p: a point no further than this from the surface, inside or out, may lie on it. A plane has no size of its own. */
static inline double pliant__grown_touch(const pliant__grown *shape, pliant__d3 p)
{
    if (shape->type != PLIANT_SHAPE_PLANE) return shape->touch;
    return shape->touch + 16 * (double)PLIANT__REAL_EPSILON * d_max(d_abs(p.x), d_abs(p.z));
}

/* Splits `v` into length and direction; `otherwise` is the direction of a vector of length 0. Scaled first where the square would leave the
 * range of double. */
static inline double d3_split(pliant__d3 v, pliant__d3 otherwise, pliant__d3 *direction)
{
    double square = d3_dot(v, v), unit = 1;
    if (!(square > 1e-200 && square < 1e200)) {
        unit = d_max(d_abs(v.x), d_max(d_abs(v.y), d_abs(v.z)));
        if (!(unit > 0)) {
            *direction = otherwise;
            return 0;
        }
        v = d3(v.x / unit, v.y / unit, v.z / unit);
        square = d3_dot(v, v);
    }
    double length = sqrt(square);
    *direction = d3(v.x / length, v.y / length, v.z / length);
    return length * unit;
}

/* ---- planes: the most frequent colliders ---- */

static inline void pliant__plane_nearest(const pliant__grown *plane, pliant__d3 p, pliant__wide_hit *hit)
{
    hit->point = d3(p.x, plane->half[1], p.z);
    hit->normal = d3(0, 1, 0);
    hit->depth = plane->half[1] - p.y;
}

/* Where a path enters; false if it does not. `depth` is left to the caller. */
static inline bool pliant__plane_sweep(const pliant__grown *plane, pliant__d3 a, pliant__d3 b, pliant__wide_hit *hit, double *time)
{
    double above = a.y - plane->half[1], fall = a.y - b.y;
    if (above < -pliant__grown_touch(plane, a) || !(fall > 0) || b.y > plane->half[1]) return false;
    *time = d_clamp(above / fall, 0, 1);
    hit->point = d3_madd(a, d3_sub(b, a), *time);
    hit->point.y = plane->half[1];
    hit->normal = d3(0, 1, 0);
    return true;
}

/* A plane has one side, so no path crosses it to another. backends/cpu_width_plain.c does the same in lanes. */
static inline bool pliant__plane_contact(const pliant__grown *plane, double reach, pliant__d3 from, pliant__d3 to, pliant__wide_hit *hit)
{
    double time;
    if (pliant__plane_sweep(plane, from, to, hit, &time)) {
        hit->depth = -d3_dot(d3_sub(to, hit->point), hit->normal);
        return true;
    }
    pliant__plane_nearest(plane, to, hit);
    return !(hit->depth < 0 && -hit->depth >= reach);
}

static inline pliant__hit d_narrow_hit(const pliant__wide_hit *wide)
{
    pliant__hit hit = {d3_narrow(wide->point), d3_narrow(wide->normal), d_narrow(wide->depth)};
    return hit;
}

#endif
