/* Vertices at one place. */
#ifndef PLIANT_SCENE_WELD_H
#define PLIANT_SCENE_WELD_H

#include "base/error.h"
#include "pliant/scene.h"

/* pliant_mesh_weld for finite positions: `number` gets the place of each of `count`; returns the number of places. */
bool pliant__weld(const pliant_allocator *allocator, const pliant_vec3 *x, uint32_t count, pliant_real distance, uint32_t *number,
                  uint32_t *places, pliant_error *error);

/* join.c: vertices of a mesh that rounding has parted get one place. `number` has each vertex's place, as pliant__weld gives it with a distance of 0, and
 * `places` their number; both are brought up to date. `mended` counts joined vertices, and vertices that nearly coincide and are left apart. */
bool pliant__join_parted(const pliant_allocator *allocator, const pliant_mesh_view *mesh, uint32_t *number, uint32_t *places,
                         pliant_mended *mended, pliant_error *error);

#endif
