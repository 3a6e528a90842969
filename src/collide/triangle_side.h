/* On which side of a plane a point lies, without rounding; and whether an edge goes through a triangle. */
#ifndef PLIANT_COLLIDE_TRIANGLE_SIDE_H
#define PLIANT_COLLIDE_TRIANGLE_SIDE_H

#include <stdbool.h>

/* The sign of the determinant of b - a, c - a, d - a: 1 where d lies where the normal (b - a) x (c - a) points, -1 on the other side, 0 in the plane.
 * Coordinates are 0 or between 1e-70 and 1e70 in size. */
int pliant__plane_side(const double a[3], const double b[3], const double c[3], const double d[3]);

/* How an edge goes through a triangle. */
enum {
    PLIANT__THROUGH_BESIDE = 1,   /* it does when it is put aside by an infinitesimal (e, e^2, e^3) */
    PLIANT__THROUGH_OPPOSITE = 2, /* or by its opposite: an edge that touches from one side does one of both at most */
    PLIANT__THROUGH_INSIDE =
        4, /* its ends lie on both sides, none in the plane, and it passes between the corners: then it does all three */
};

/* Bits of the above for the edge p q. Nothing goes through a triangle without area. */
unsigned pliant__goes_through(const double p[3], const double q[3], const double *const triangle[3]);

#endif
