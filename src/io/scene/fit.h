/* The rigid motion that takes one set of points to another as well as any does. */
#ifndef PLIANT_IO_SCENE_FIT_H
#define PLIANT_IO_SCENE_FIT_H

#include <stdbool.h>
#include <stddef.h>

/* Points about their centre. */
typedef struct pliant__cluster {
    size_t  count;
    double *x; /* 3 per point, less the centre */
    double  centre[3];
    double  size; /* root of the mean square of the distances from the centre */
} pliant__cluster;

/* Moves `count` points in `x` to their centre, in place. */
pliant__cluster pliant__cluster_make(double *x, size_t count);

/* Whether points determine the rotation of a body: not if they lie on a line, or in one place. */
bool pliant__cluster_turns(const pliant__cluster *points);

/* The rotation that takes `from` nearest to `to`, as a quaternion x y z w with w >= 0. False, and the rotation left alone, if there is
 * more than one. */
bool pliant__fit_rotation(const pliant__cluster *from, const pliant__cluster *to, double rotation[4]);

/* Root of the mean square of the distances that a rotation leaves. */
double pliant__fit_error(const pliant__cluster *from, const pliant__cluster *to, const double rotation[4]);

void pliant__turn(const double rotation[4], const double from[3], double to[3]);

#endif
