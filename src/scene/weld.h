/* Vertices at one place. */
#ifndef PLIANT_SCENE_WELD_H
#define PLIANT_SCENE_WELD_H

#include "base/error.h"
#include "pliant/scene.h"

/* What pliant_mesh_weld says, of finite positions: `number` of each of `count`, and how many places there are. */
bool pliant__weld(const pliant_allocator *allocator, const pliant_vec3 *x, uint32_t count, pliant_real distance, uint32_t *number,
                  uint32_t *places, pliant_error *error);

/* Joins places that rounding has parted, of a checked mesh whose places pliant__weld has numbered by a distance of 0. Counts what it joins, and what nearly
 * coincides and is left. */
bool pliant__join_parted(const pliant_allocator *allocator, const pliant_mesh_view *mesh, uint32_t *number, uint32_t *places,
                         pliant_mended *mended, pliant_error *error);

#endif
