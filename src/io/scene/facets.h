/* Points, triangles and heights of a collider: of a file, or in the scene. */
#ifndef PLIANT_IO_SCENE_FACETS_H
#define PLIANT_IO_SCENE_FACETS_H

#include "io/scene/mesh_body.h"

/* Keys of a collider about them. */
typedef struct pliant__facet_spec {
    const char         *mesh; /* a file, or NULL */
    const pliant__node *points, *triangles, *heights;
    pliant__mesh_spec   file;
    pliant_real         scale;
} pliant__facet_spec;

/* Fills def->mesh. It points into `mesh`, to be freed, on error too, or into the reader's memory. */
bool pliant__read_facets(pliant__reader *r, const pliant__node *node, pliant__facet_spec *spec, pliant_collider_def *def,
                         pliant_mesh *mesh);

/* Fills def's heights, columns and rows. */
bool pliant__read_heights(pliant__reader *r, const pliant__facet_spec *spec, pliant_collider_def *def);

#endif
