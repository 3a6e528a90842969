/* The laws of edges and tetrahedra of a soft body, from its Young's modulus and Poisson's ratio. */
#ifndef PLIANT_SCENE_ELASTIC_H
#define PLIANT_SCENE_ELASTIC_H

#include "scene/topology.h"

/* Whether rows of a kind, distances or volumes, follow from the material's Young's modulus; else from its law. */
bool pliant__is_elastic(const pliant_material *m, pliant_constraint_kind kind);

/* The law of rows of a kind that have a share of the geometry: their compliance is the share over the kind's modulus, of solids without the share. */
pliant_law pliant__elastic_law(const pliant_material *m, pliant_constraint_kind kind, double share);

/* The kind of a model's tetrahedra; PLIANT_CONSTRAINT_COUNT of distances and volumes. */
pliant_constraint_kind pliant__solid_kind(pliant_solid_model model);

/* Appends a tetrahedron of the body's model per tetrahedron, all of one law. Particles and masses are there already. */
bool pliant__build_solid(pliant__builder *b, const uint32_t *tets, size_t tet_count);

/* Appends a distance per edge and a volume per tetrahedron. Particles, masses and edges are there already. */
bool pliant__build_elastic(pliant__builder *b, const pliant__list *edges, const uint32_t *tets, size_t tet_count);

#endif
