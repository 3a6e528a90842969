/* The vertices of a cage drawn towards its surface. */
#ifndef PLIANT_MESH_CAGE_H
#define PLIANT_MESH_CAGE_H

#include "surface/triangles.h"
#include "pliant/io.h"

typedef struct pliant__fit {
    const pliant__triangles *surface; /* in the frame of x */
    pliant__point           *x;       /* per vertex */
    uint32_t                 vertex_count;
    const uint32_t          *tets;
    size_t                   tet_count;
    const bool              *outer;  /* per vertex: on a face that no other tetrahedron has */
    const uint32_t          *holder; /* per vertex of the surface: the tetrahedron that it is in; UINT32_MAX: of no face */
    double                   slack;  /* how much of each weight a surface vertex keeps at least */
} pliant__fit;

/* Moves outer vertices towards the surface, as far as every vertex of the surface stays within a tetrahedron and none is turned or gets
 * dihedral angles below 20 or above 140 degrees. */
bool pliant__fit_cage(pliant__scratch *s, pliant__fit *fit);

/* Cosines of 20 and of 140 degrees. */
#define PLIANT__FIT_LEAST 0.93969262078590838
#define PLIANT__FIT_GREATEST (-0.76604444311897804)

#endif
