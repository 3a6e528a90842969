/* All impacts of a mesh with itself while its vertices move straight: corners and triangles, and edges (collide/continuous.h). */
#ifndef PLIANT_COLLIDE_IMPACT_TIMES_H
#define PLIANT_COLLIDE_IMPACT_TIMES_H

#include "base/alloc.h"
#include "base/array.h"
#include "collide/continuous.h"

/* Triangles, of one mesh or of several with vertices that are numbered through, at both ends of the time. */
typedef struct pliant__moving_mesh {
    const double   *from, *to; /* three coordinates per vertex */
    const uint32_t *triangles; /* three vertices each */
    uint32_t        vertex_count, count;
    bool (*counts)(const void *context, uint32_t one, uint32_t other); /* whether two triangles are asked about at all; NULL: any two */
    const void *context;
} pliant__moving_mesh;

typedef struct pliant__mesh_impact {
    uint32_t vertex[4]; /* a corner and a triangle, or two edges */
    bool     edges, settled;
    double   time;
} pliant__mesh_impact;
typedef ARRAY(pliant__mesh_impact) pliant__mesh_impacts;

/* Finds every pair that comes within `distance` of each other, or nearly (`tolerance`, as in collide/continuous.h), each once. Pairs that share a
 * vertex do not count, nor do edges and corners that are no triangle's. They are listed by their triangles, whatever the machine. `out` must be
 * zeroed, or hold an earlier result; its owner frees it. False if out of memory, or if more than `most` pairs of triangles come near each other. */
bool pliant__find_impacts(const pliant_allocator *a, const pliant__moving_mesh *mesh, double distance, double tolerance, size_t most,
                          pliant__mesh_impacts *out);

#endif
