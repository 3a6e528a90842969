/* Triangles, segments and points with their thickness: all points within `thickness` of them. Nearest points and rays for queries, in double,
 * whatever pliant_real is (collide/grown.h says why). */
#ifndef PLIANT_COLLIDE_THICK_H
#define PLIANT_COLLIDE_THICK_H

#include "base/box.h"
#include "collide/grown.h"

/* A triangle a b c, a segment a b b, or a point a a a. */
typedef struct pliant__thick {
    pliant__d3 x[3];
    double     thickness;
} pliant__thick;

/* The nearest point without thickness, as weights of the corners, each >= 0, their sum 1 to rounding; returns the vector from it to p. */
pliant__d3 pliant__thick_nearest(const pliant__thick *t, pliant__d3 p, double weight[3]);

/* A ray: unit direction, and for boxes the inverse of each coordinate, 0 where it is 0. */
typedef struct pliant__ray {
    pliant__d3 from, along;
    double     inverse[3];
} pliant__ray;

pliant__ray pliant__ray_of(pliant__d3 from, pliant__d3 along);

/* Whether it meets a box that has `grow` added all around, and when it enters: 0 if it begins inside. A larger box is never entered later, to the
 * bit. */
bool pliant__ray_enters(const pliant__ray *ray, const pliant__box *box, double grow, double *time);

/* Where a ray first is within the thickness, at 0 if it begins there, and the normal there. Without thickness only triangles are hit. */
bool pliant__thick_ray(const pliant__thick *t, const pliant__ray *ray, double *time, pliant__d3 *normal);

/* How far p is from a box, 0 inside. A larger box is never further, to the bit. */
double pliant__box_distance(const pliant__box *box, pliant__d3 p);

#endif
