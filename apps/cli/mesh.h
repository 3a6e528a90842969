/* pliant mesh: types and functions that its files share. */
#ifndef PLIANT_CLI_MESH_H
#define PLIANT_CLI_MESH_H

#include "cli.h"

enum { MESH_MOST_HOLES = 1000 };

typedef struct mesh_options {
    cli_operands operands;
    const char  *output, *scene, *with;
    uint32_t     cells, holes, seconds;
    double       size, margin, scale;
    bool         doctor, mend, whole, force, json, quiet;
} mesh_options;

/* Whether the files of -o and --scene may be written over: checked before anything is computed. */
bool mesh_may_write(const mesh_options *o, pliant_error *error);

/* Reads the surface, turned to metres and y up by the units and axes of its file, as in a scene, and notes that. */
bool mesh_load(const mesh_options *o, bool as_is, pliant_mesh *surface, pliant_error *error);

/* Whether a path is one of tetrahedra, by its ending. */
bool mesh_is_tets(const char *path);

/* Says what is wrong with a mesh, and mends it. */
int mesh_doctor(const mesh_options *o);

/* Fills a surface by another program. *mapped: how many of the first vertices of the tetrahedra are the surface's. */
bool mesh_fill_with(const mesh_options *o, const pliant_mesh *surface, pliant_tets *tets, size_t *mapped, pliant_error *error);

/* Whether a scene may name a surface, before anything is computed; and writes the scene. */
bool mesh_can_write_scene(const mesh_options *o, pliant_error *error);
bool mesh_scene_holds(const mesh_options *o, const pliant_tets *tets, pliant_error *error);
bool mesh_write_scene(const mesh_options *o, const pliant_tets *tets, pliant_error *error);

#endif
