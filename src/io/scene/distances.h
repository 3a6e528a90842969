/* The field of distances of a collider: computed from a mesh, kept in a file, or read from one. */
#ifndef PLIANT_IO_SCENE_DISTANCES_H
#define PLIANT_IO_SCENE_DISTANCES_H

#include "io/scene/mesh_body.h"

/* Keys of a collider about its field. */
typedef struct pliant__distance_spec {
    const char *file;         /* the field itself, or NULL */
    const char *cache;        /* path of the file that keeps the field of the mesh, or NULL */
    pliant_real cell, margin; /* m; 0: not said */
} pliant__distance_spec;

/* Fills def->field. It points into `field`, to be freed, on error too. `mesh`: the file's name, or NULL; multiplied by `scale`. */
bool pliant__read_distances(pliant__reader *r, const pliant__node *node, const pliant__distance_spec *spec, const char *mesh,
                            pliant__mesh_spec *file, pliant_real scale, pliant_collider_def *def, pliant_field *field);

#endif
