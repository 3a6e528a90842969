/* The points and triangles of a collider, from what its def says. */
#ifndef PLIANT_SCENE_FACETS_H
#define PLIANT_SCENE_FACETS_H

#include "base/array.h"
#include "base/error.h"
#include "pliant/scene.h"

typedef struct pliant__facet_list {
    ARRAY(pliant_vec3) points;
    ARRAY(uint32_t) corners; /* 3 points per triangle, in turning order seen from the front */
    pliant_mended mended;
} pliant__facet_list;

/* The points of a mesh, one where several are at one place, and its triangles that have three of them; quads are cut along their shorter
 * diagonal. To be freed, on error too. */
bool pliant__read_mesh_facets(const pliant_allocator *a, const pliant_mesh_view *mesh, pliant__facet_list *out, pliant_error *error);

/* The corners and triangles of the convex hull of a mesh's vertices. To be freed, on error too. */
bool pliant__read_hull_facets(const pliant_allocator *a, const pliant_mesh_view *mesh, pliant__facet_list *out, pliant_error *error);

void pliant__free_facets(const pliant_allocator *a, pliant__facet_list *list);

/* hull.c: replaces points by those of them that are corners of their convex hull, and appends its triangles. */
bool pliant__make_hull(const pliant_allocator *a, pliant__facet_list *list, pliant_error *error);

#endif
