/* Counting what is wrong. */
#ifndef PLIANT_MESH_EXAMINE_H
#define PLIANT_MESH_EXAMINE_H

#include "mesh/tree.h"
#include "pliant/io.h"
#include "surface/equal.h"

/* One more of a kind; the first one's vertices are kept, `count` of them. */
void pliant__found(pliant_examination *e, pliant_finding kind, const uint32_t *vertices, uint32_t count);

/* Notes the box around a mesh, and findings where its size or place is unusual. */
void pliant__found_around(pliant_examination *e, const pliant__box *around);

/* How narrow a triangle is: its height over its longest side, 0 to 0.87. */
double pliant__narrowness(pliant__point a, pliant__point b, pliant__point c);

#define PLIANT__DEGENERATE 1e-7 /* narrower is flat */
#define PLIANT__SLIVER 1e-3
/* Closed patches that are inside out: their volume is negative, or positive where they lie in an odd number of others. */
bool pliant__find_inside_out(pliant__scratch *s, const pliant__triangles *t, const pliant__patches *p, bool *inside_out);

/* Pairs of triangles that cut through each other. `skip` as in the tree. */
void pliant__find_crossings(const pliant__tree *tree, pliant_examination *e);

#endif
