/* On which side of a plane a point lies, without rounding; and whether an edge goes through a triangle. */
#ifndef PLIANT_COLLIDE_SIDE_H
#define PLIANT_COLLIDE_SIDE_H

#include <stdbool.h>

/* The sign of the determinant of b - a, c - a, d - a: 1 where d lies where the normal (b - a) x (c - a) points, -1 on the other side, 0 in the plane.
 * Coordinates are 0 or between 1e-70 and 1e70 in size. */
int pliant__side(const double a[3], const double b[3], const double c[3], const double d[3]);

/* Whether the edge p q goes through the inside of a triangle: its ends lie on both sides, none in the plane, and it passes between the corners.
 * What touches does not, and nothing goes through a triangle without area. */
bool pliant__goes_through(const double p[3], const double q[3], const double *const triangle[3]);

#endif
