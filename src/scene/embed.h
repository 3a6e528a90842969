/* A surface that rides on tetrahedra. */
#ifndef PLIANT_SCENE_EMBED_H
#define PLIANT_SCENE_EMBED_H

#include "scene/builder.h"

/* For each of `count` points the tetrahedron that contains it, or else the nearest one, and its barycentric coordinates in that: from
 * 0 to 1 inside, extrapolated (some below 0) outside, so the blend gives the point itself back either way. Of equally near tetrahedra
 * the one with the lowest number is taken. Points and vertices in one frame; `tets` have positive volume; numbers are local. */
bool pliant__embed(pliant__builder *b, const pliant_vec3 *vertices, const uint32_t *tets, size_t tet_count, const pliant_vec3 *points,
                   uint32_t count, pliant__embedding *out);

#endif
