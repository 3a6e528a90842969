/* The nearest feature: the point of a shape's triangles that is nearest to a point, with its normal and its triangle. */
#ifndef PLIANT_COLLIDE_NEAREST_FEATURE_H
#define PLIANT_COLLIDE_NEAREST_FEATURE_H

#include "collide/grown.h"

/* A triangle, in double. `normal` is of unit length, or 0 where the triangle is too narrow to have one; then its edges stand for it. */
typedef struct pliant__facet {
    pliant__d3 x[3], normal;
    uint32_t   number;
    bool       flat; /* it has a normal */
} pliant__facet;

/* Where the nearest point is: a corner, the edge from corner part - 3 to the next, or within. */
enum { PLIANT__EDGE = 3, PLIANT__WITHIN = 6 };

typedef struct pliant__nearest_feature {
    pliant__d3 point;
    pliant__d3 normal;         /* of unit length, towards the front: of a corner weighted by angles, of an edge the mean of its two
                                  triangles' */
    double     distance;       /* >= 0 */
    uint32_t   triangle, part; /* triangle PLIANT__NONE: a wall of a height field */
    bool       border;         /* there is no triangle on one side */
    bool       found;          /* there is one */
    bool       behind;         /* the point is on the other side of it than the normal; inside, if the surface is closed */
} pliant__nearest_feature;

pliant__facet pliant__facet_of(const pliant__facets *f, uint32_t number);

/* The nearest point of one triangle; only point, distance, triangle and part are set. */
pliant__nearest_feature pliant__facet_nearest_feature(const pliant__facet *t, pliant__d3 p);

/* The nearest point of all triangles, if it is nearer than `most`; of several the first in the order of the walk, which depends on p, the shape and
 * `most` alone. */
#define PLIANT__ANYWHERE 1e300
pliant__nearest_feature pliant__facets_nearest_feature(const pliant__facets *f, pliant__d3 p, double most);

/* Lists the numbers of the triangles in a leaf of the tree; how many. Of a height field, leaves out those in cells that a box does not meet. */
#define PLIANT__LEAF_FACETS 32u
uint32_t pliant__leaf_facets(const pliant__facets *f, uint32_t leaf, const double low[3], const double high[3], uint32_t *number);

/* field.c: a triangle of a height field: twice its cell's number, or that and 1; the height at x and z, both within its sides; the sides; and its
 * nearest feature, where `nearest` is that of the triangles. */
pliant__facet pliant__field_facet(const pliant__facets *f, uint32_t number);
bool          pliant__field_is_inside(const pliant__facets *f, pliant__d3 p);
double        pliant__field_height(const pliant__facets *f, double x, double z);
void          pliant__field_sides(const pliant__facets *f, double *x, double *z);
void          pliant__field_nearest_feature(const pliant__facets *f, pliant__d3 p, pliant__nearest_feature *nearest);
uint32_t      pliant__field_leaf(const pliant__facets *f, uint32_t block, const double low[3], const double high[3], uint32_t *number);

#endif
