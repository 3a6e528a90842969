/* Tuples and vertices that are equal to an earlier one, or nearly. */
#ifndef PLIANT_SURFACE_EQUAL_H
#define PLIANT_SURFACE_EQUAL_H

#include "surface/triangles.h"

/* Of the box's diagonal: vertices nearer than this are one that was written twice, with the six digits after the point that exporters write of a mesh of a
 * metre, or with those of float32 far from 0. */
#define PLIANT__NEAR 1e-5

/* For each tuple of `size` <= 4 numbers the first tuple that is equal but for the order of its numbers, itself if there is no other. */
bool pliant__find_equal(pliant__scratch *s, const uint32_t *tuples, uint32_t size, size_t count, uint32_t *first);

/* The diagonal of the box around the used vertices. */
double pliant__diagonal(const pliant__triangles *t);

/* For each used vertex the first used one that is at most `near` away, or itself. */
bool pliant__find_near(pliant__scratch *s, const pliant__triangles *t, double near, uint32_t *first);

#endif
