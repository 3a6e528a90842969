/* The laws of edges, diagonals and hinges of cloth, from the measured stiffness of its fabric. */
#ifndef PLIANT_SCENE_FABRIC_H
#define PLIANT_SCENE_FABRIC_H

#include "scene/surface.h"

/* The law of rows of a role, "stretch", "shear" or "bend", that have a share: from the fabric's stiffness, or the material's own law. */
pliant_law pliant__fabric_law(const pliant_material *m, const char *role, const pliant__share *share);

/* Whether diagonals give way no more than edges do, so that tethers may take the short way over them. */
bool pliant__is_fabric_rigid_in_shear(const pliant_material *m);

/* A surface of particles with its edges, diagonals and hinges. Lists are pairs of particles; a hinge has four. */
typedef struct pliant__fabric {
    pliant__faces   faces;     /* of particles */
    const uint32_t *triangles; /* cut, as particles: those of a quad side by side, after the triangles */
    pliant__list    edges, diagonals, bends;
    const double
        *threads; /* six per particle: the sum over its triangles of u u, u along warp, as xx yy zz xy yz zx; NULL: no warp is known */
    pliant_constraint_kind bend; /* dihedral angles; isometric bending, and dihedral angles where it is not flat; or distances across */
} pliant__fabric;

/* Appends a row per edge and diagonal. */
bool pliant__build_fabric(pliant__builder *b, const pliant__fabric *f);

/* Appends a row per hinge. */
bool pliant__build_fabric_bends(pliant__builder *b, const pliant__fabric *f);

#endif
