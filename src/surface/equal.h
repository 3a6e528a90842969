/* What is the same as something before it, or nearly. */
#ifndef PLIANT_SURFACE_EQUAL_H
#define PLIANT_SURFACE_EQUAL_H

#include "surface/triangles.h"

/* Of the box's diagonal: vertices nearer than this are one that was written twice, with the six digits after the point that exporters write of a mesh of a
 * metre, or with those of float32 far from 0. */
#define PLIANT__NEAR 1e-5

/* Tuples of `size` <= 4 numbers that are equal but for their order: for each the first such, itself if it is the only one. */
bool pliant__find_equal(pliant__scratch *s, const uint32_t *tuples, uint32_t size, size_t count, uint32_t *first);

/* The diagonal of the box around the used vertices. */
double pliant__diagonal(const pliant__triangles *t);

/* For each used vertex the first used one that is at most `near` away, or itself. */
bool pliant__find_near(pliant__scratch *s, const pliant__triangles *t, double near, uint32_t *first);

#endif
