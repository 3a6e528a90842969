/* Signed distances on a grid: values between its points, the nearest point of a level, and the first point of a path on a level. */
#ifndef PLIANT_COLLIDE_DISTANCES_H
#define PLIANT_COLLIDE_DISTANCES_H

#include "collide/grown.h"

/* No value between two places changes by more than this times how far they are apart: the three parts of the gradient are mixtures of differences of
 * neighbours. */
#define PLIANT__FIELD_SLOPE 1.74

/* The value at p, and its gradient (may be NULL): trilinear in the cell where p is. Outside the grid, the value where it is nearest, and how far that is. */
double pliant__field_at(const pliant__field *f, pliant__d3 p, pliant__d3 *gradient);

/* A point on the level `grow`, near p: the nearest one where the field is the distance to it, else one that is no farther than a few times that.
 * As pliant__shape_nearest; `touch` is what counts as on the surface. */
void pliant__field_nearest(const pliant__field *f, double grow, double touch, pliant__d3 p, pliant__wide_hit *hit);

/* The first time at which the path from a to b gets to the level `grow`, by the rules of pliant__shape_sweep; without the depth. Every cell on the
 * way is asked for its first root, so nothing is stepped over, however thin. */
bool pliant__field_sweep(const pliant__field *f, double grow, double touch, pliant__d3 a, pliant__d3 b, pliant__wide_hit *hit,
                         double *time);

/* Whether p is farther than `reach` from the level `grow` for sure. */
bool pliant__field_is_far(const pliant__field *f, double grow, pliant__d3 p, double reach);

/* The box of its grid. */
pliant__model_box pliant__field_box(const pliant__field *f);

/* The size that rounding near it goes by: its largest coordinate. */
double pliant__field_size(const pliant__field *f);

#endif
