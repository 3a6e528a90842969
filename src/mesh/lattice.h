/* The body-centred lattice: the corners and the centres of cubes. Two centres side by side and an edge of the square between them make a
 * tetrahedron, so there are four around each square and twelve per cube, all alike, with dihedral angles of 60 and 90 degrees.
 *
 *        q3---q2        looked at along axis a, from the centre behind the square to the one in front of it: q0 to q3 are the
 *        | \3/ |        square's corners, b to the right and d up, a b d being x y z, y z x or z x y. Tetrahedron e has both
 *        |4 x 1|        centres and the edge from q(e) to q(e + 1), here numbered 0 below, 1 right, 2 above, 3 left.
 *        | /0\ |
 *        q0---q1
 *
 * Lengths are in cubes, the lattice's first corner is the origin. */
#ifndef PLIANT_MESH_LATTICE_H
#define PLIANT_MESH_LATTICE_H

#include "surface/point.h"

#include <stdbool.h>
#include <stdint.h>

#define PLIANT__LATTICE_TETS 12 /* tetrahedra that begin at a cube: their first centre is the cube's */

/* A tetrahedron: between cube `at` and the next one along `axis`. */
typedef struct pliant__lattice_tet {
    int32_t at[3];
    int     axis, edge;
} pliant__lattice_tet;

/* A point of the lattice, in halves of cubes: even at corners, odd at centres. */
typedef struct pliant__lattice_point {
    int32_t half[3];
} pliant__lattice_point;

static inline pliant__lattice_point pliant__lattice_corner(const pliant__lattice_tet *t, int corner)
{
    static const int      square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const int             b = (t->axis + 1) % 3, d = (t->axis + 2) % 3;
    pliant__lattice_point p = {{2 * t->at[0] + 1, 2 * t->at[1] + 1, 2 * t->at[2] + 1}};
    if (corner == 1) p.half[t->axis] += 2;
    if (corner >= 2) {
        const int *q = square[(t->edge + corner - 2) & 3];
        p.half[t->axis] += 1;
        p.half[b] += 2 * q[0] - 1;
        p.half[d] += 2 * q[1] - 1;
    }
    return p;
}

static inline pliant__point pliant__lattice_at(pliant__lattice_point p) { return p_of(0.5 * p.half[0], 0.5 * p.half[1], 0.5 * p.half[2]); }

/* The tetrahedron behind the face opposite to a corner. */
static inline pliant__lattice_tet pliant__lattice_neighbour(const pliant__lattice_tet *t, int corner)
{
    pliant__lattice_tet n = *t;
    if (corner >= 2) { /* the next one or the last one around the same square */
        n.edge = (t->edge + (corner == 2 ? 1 : 3)) & 3;
        return n;
    }
    /* The edge bounds another square of the same cube: below, right, above, left. Seen along that one's axis it has another number. */
    const int  b = (t->axis + 1) % 3, d = (t->axis + 2) % 3;
    const bool near = corner == 1; /* stays in the first cube */
    n.axis = t->edge & 1 ? b : d;
    n.edge = t->edge & 1 ? (near ? 2 : 0) : (near ? 1 : 3);
    if (!near) n.at[t->axis]++;
    if (t->edge == 0) n.at[d]--;
    if (t->edge == 3) n.at[b]--;
    return n;
}

#endif
