/* Texture coordinates of a glTF that are whole numbers, which Assimp reads wrongly. */
#ifndef PLIANT_IO_MESH_GLTF_UVS_H
#define PLIANT_IO_MESH_GLTF_UVS_H

#include "pliant/io.h"

#include <stdint.h>

/* Two per vertex of all primitives, as pliant-import walks them, v up: 0 where a primitive has none; for pliant__free. NULL in *uvs where each of them is
 * a float. False on error. */
bool pliant__gltf_uvs(const char *path, const pliant_import_def *def, float **uvs, uint64_t *vertices, pliant_error *error);

#endif
