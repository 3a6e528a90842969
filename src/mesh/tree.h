/* A tree of boxes around triangles, for three questions: which boxes meet, how often the surface winds around a point, and which point of it is
 * nearest. */
#ifndef PLIANT_MESH_TREE_H
#define PLIANT_MESH_TREE_H

#include "surface/triangles.h"

/* The triangles of a node as seen from far away: one dipole at their middle. */
typedef struct pliant__dipole {
    pliant__point centre, area; /* weighted by area; the sum of areas along their normals */
    double        radius;       /* no corner is farther from the centre */
    double        weight;       /* sum of areas without direction */
} pliant__dipole;

typedef struct pliant__tree {
    const pliant__triangles *t;
    const bool              *turned; /* per triangle, or NULL */
    uint32_t                *order;  /* triangles along a space-filling curve; the node of range [first, last) splits at the middle */
    uint32_t                 count;
    pliant__box             *boxes;   /* of node n; its children are 2 n + 1 and 2 n + 2 */
    pliant__dipole          *dipoles; /* NULL if not wanted */
} pliant__tree;

/* Over the triangles that are not in `skip` (may be NULL). */
bool pliant__tree_build(pliant__scratch *s, const pliant__triangles *t, const bool *skip, const bool *turned, bool dipoles,
                        pliant__tree *out);

/* The square of how far p is from a box, 0 inside. */
double pliant__box_square(const pliant__box *b, pliant__point p);

/* The generalised winding number (Jacobson, Kavan and Sorkine-Hornung 2013): the solid angle of all triangles as seen from p, divided by 4 pi: 1 inside a
 * closed surface that is turned outwards, 0 outside, in between near holes. Far groups of triangles count as dipoles (Barill et al. 2018, of first
 * order): in a closed surface it is off by a few percent at the most. */
double pliant__winding(const pliant__tree *tree, pliant__point p);

/* The solid angle of one triangle, positive where p is behind it. */
double pliant__solid_angle(const pliant__triangles *t, uint32_t triangle, bool turned, pliant__point p);

/* Calls `visit` for every triangle with a box that meets `box`. */
void pliant__tree_meet(const pliant__tree *tree, const pliant__box *box, void (*visit)(void *context, uint32_t triangle), void *context);

/* The point of the surface that is nearest. */
pliant__point pliant__nearest(const pliant__tree *tree, pliant__point p);

#endif
