/* A surface being mended. */
#ifndef PLIANT_MESH_MEND_H
#define PLIANT_MESH_MEND_H

#include "base/array.h"
#include "mesh/examine.h"

typedef struct pliant__patient {
    pliant__scratch s;
    pliant_real    *positions; /* 3 per vertex; their number does not change until the end */
    size_t          vertex_count;
    ARRAY(uint32_t) corners; /* 3 per triangle */
    ARRAY(uint32_t) quads;   /* per triangle: 1 + the quad that it is one half of, the other beside it; 0: of none */
    pliant_mend_def def;
    pliant_mending  done;
} pliant__patient;

/* The patient as it is now. */
static inline bool pliant__patient_triangles(pliant__patient *p, pliant__triangles *t)
{
    const pliant_mesh_view view = {p->positions, 3 * sizeof(pliant_real), p->vertex_count, p->corners.data, p->corners.count / 3, NULL, 0,
                                   NULL};
    return pliant__triangles_take(&p->s, &view, t);
}

/* Fills holes with up to def.hole_edges edges. */
bool pliant__fill_holes(pliant__patient *p);

#endif
