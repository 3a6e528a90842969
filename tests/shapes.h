/* Small surfaces for tests of meshes. Made without libm, so that they are the same everywhere. */
#ifndef PLIANT_TESTS_SHAPES_H
#define PLIANT_TESTS_SHAPES_H

#include "trial.h"

typedef struct shape {
    pliant_real *x;
    uint32_t     vertex_count;
    uint32_t    *triangles;
    uint32_t     triangle_count;
} shape;

/* An octahedron, its triangles cut in four so many times. */
shape ball(int cuts, double x, double y, double z, double radius);

/* Twelve triangles; the first two are those at the lowest z. */
shape box(double x0, double y0, double z0, double x1, double y1, double z1);

/* Adds a vertex, and a triangle; the first returns its number. */
uint32_t shape_vertex(shape *s, double x, double y, double z);
void     shape_triangle(shape *s, uint32_t a, uint32_t b, uint32_t c);

/* Adds another one; turns triangles round. */
void shape_add(shape *s, const shape *other);
void shape_turn(shape *s, uint32_t first, uint32_t count);

pliant_mesh_view shape_view(const shape *s);
void             shape_free(shape *s);

#endif
