/* Colliders that are drawn as triangles: boxes, hulls, meshes, height fields and distance fields. */
#ifndef DRAW_FACETS_H
#define DRAW_FACETS_H

#include "draw/frame.h"

/* The number of vertices, three for each triangle; 0 for a collider that is drawn otherwise. */
uint32_t draw_facets_count(const pliant_collider_def *d);

/* The vertices at a pose, with normals by draw_facets_normals or, where there are none, the triangles' own. Returns the end. */
draw_vertex *draw_facets_put(const pliant_collider_def *d, pliant_pose pose, const f3 *normals, draw_vertex *out);

/* A normal per vertex of a hull, a mesh or a height field, in the collider's frame: smooth where its triangles meet at small angles. NULL of others;
 * false if memory runs out. Release it with free. */
bool draw_facets_normals(const pliant_collider_def *d, f3 **out);

#endif
