/* Where surfaces are smooth and where they have edges: smooth where neighbouring triangles meet at a small angle. */
#ifndef DRAW_SMOOTH_H
#define DRAW_SMOOTH_H

#include "draw/linear.h"

/* The cosine of 50 degrees: triangles that meet at more have an edge between them. */
#define DRAW_SMOOTH 0.6427876f

/* Gives vertices at edges a copy for every side: changes `corners`, and lists the vertex that each copy is of in `copies`, which has room for 3
 * `count`; copies are numbered from `vertices` on. Returns how many there are, or UINT32_MAX if memory runs out. */
uint32_t draw_smooth_split(const f3 *x, uint32_t vertices, uint32_t *corners, size_t count, uint32_t *copies);

/* For each corner of `count` triangles, the mean normal of its side of the vertex, weighted by area. False if memory runs out. */
bool draw_smooth_corners(const f3 *x, uint32_t vertices, const uint32_t *corners, size_t count, f3 *normals);

#endif
