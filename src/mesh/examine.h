/* Counting what is wrong. */
#ifndef PLIANT_MESH_EXAMINE_H
#define PLIANT_MESH_EXAMINE_H

#include "mesh/tree.h"
#include "pliant/io.h"

/* One more of a kind; the first one's vertices are kept, `count` of them. */
void pliant__found(pliant_examination *e, pliant_finding kind, const uint32_t *vertices, uint32_t count);

/* Where it lies, and what of that is unusual. */
void pliant__found_around(pliant_examination *e, const pliant__box *around);

/* How narrow a triangle is: its height over its longest side, 0 to 0.87. */
double pliant__narrowness(pliant__point a, pliant__point b, pliant__point c);

#define PLIANT__DEGENERATE 1e-7 /* narrower is flat */
#define PLIANT__SLIVER 1e-3
#define PLIANT__NEAR 1e-6 /* of the box's diagonal: vertices nearer than this are one that was written twice */

/* Tuples of `size` <= 4 numbers that are equal but for their order: for each the first such, itself if it is the only one. */
bool pliant__find_equal(pliant__scratch *s, const uint32_t *tuples, uint32_t size, size_t count, uint32_t *first);

/* For each used vertex the first used one that is near, or itself. */
bool pliant__find_near(pliant__scratch *s, const pliant__triangles *t, uint32_t *first);

/* Closed patches that are inside out: their volume is negative, or positive where they lie in an odd number of others. */
bool pliant__find_inside_out(pliant__scratch *s, const pliant__triangles *t, const pliant__patches *p, bool *inside_out);

/* Pairs of triangles that cut through each other. `skip` as in the tree. */
void pliant__find_crossings(const pliant__tree *tree, pliant_examination *e);

#endif
