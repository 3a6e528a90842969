/* Vertices at one place. */
#ifndef PLIANT_SCENE_WELD_H
#define PLIANT_SCENE_WELD_H

#include "base/error.h"
#include "pliant/scene.h"

/* What pliant_mesh_weld says, of finite positions: `number` of each of `count`, and how many places there are. */
bool pliant__weld(const pliant_allocator *allocator, const pliant_vec3 *x, uint32_t count, pliant_real distance, uint32_t *number,
                  uint32_t *places, pliant_error *error);

#endif
