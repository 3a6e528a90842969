/* Counts triangles that cut through each other, independently of src/: for tests of what must keep them apart.
 *
 * Two triangles cross if an edge of one goes through the inside of the other: its ends lie on both sides of the plane, none on it, and the
 * edge passes between the corners, through no edge of the other. What touches does not cross, nor do two that lie in one plane; two
 * that share a vertex can cross by the opposite edges, two that share an edge cannot. Triangles without area have no inside.
 *
 * The answer is exact: each of these decisions is the sign of a determinant of the coordinates as they are. It is taken from long double
 * where an error bound allows that, else from a sum of its 24 products without rounding. So there is no false crossing and none is missed.
 * Coordinates are 0 or between 1e-70 and 1e70 in size. */
#ifndef PLIANT_TESTS_CROSSINGS_H
#define PLIANT_TESTS_CROSSINGS_H

#include <stddef.h>
#include <stdint.h>

/* The number of pairs that cross; x holds three coordinates per vertex, `triangles` three vertices per triangle. The first `room` pairs are
 * written to `some` (NULL if room is 0), the lower number first, ordered by it. */
size_t crossings(const double *x, const uint32_t *triangles, size_t count, uint32_t (*some)[2], size_t room);

/* The sign of the determinant of b - a, c - a, d - a: 1 where d lies on the side of triangle abc to which its normal (b - a) x (c - a)
 * points, -1 on the other, 0 in its plane. Exact. */
int side_of(const double a[3], const double b[3], const double c[3], const double d[3]);

#endif
