/* Edges, diagonals, hinges and boundary faces of lists of faces or tetrahedra. They are found by sorting, so the results depend on nothing but the
 * input, and on its order only where a comment says so.
 *
 * Local particle numbers throughout. Scratch comes from the builder; NULL means out of memory, with the error filled. */
#ifndef PLIANT_SCENE_TOPOLOGY_H
#define PLIANT_SCENE_TOPOLOGY_H

#include "base/sort.h"
#include "scene/builder.h"

/* Triangles, then quads, as one list of corners. */
typedef struct pliant__faces {
    const uint32_t *corners;
    size_t          triangle_count, quad_count;
} pliant__faces;

static inline size_t pliant__corner_count(const pliant__faces *f) { return 3 * f->triangle_count + 4 * f->quad_count; }

/* A list of small groups of numbers. */
typedef struct pliant__list {
    uint32_t *data;
    size_t    count; /* groups */
} pliant__list;

/* One entry per side of each face, by (lower particle, higher particle, corner at which the side begins). */
typedef struct pliant__sides {
    const pliant__faces *faces;
    pliant__key         *data;
    size_t               count;
} pliant__sides;

bool pliant__find_sides(pliant__builder *b, const pliant__faces *faces, pliant__sides *out);

/* Each edge once, as (lower, higher), ascending. */
bool pliant__find_edges(pliant__builder *b, const pliant__sides *sides, pliant__list *out);

/* Both diagonals of each quad, each once, without those that are edges, ascending. */
bool pliant__find_diagonals(pliant__builder *b, const pliant__sides *sides, pliant__list *out);

/* For two faces at an edge (u, v): the pair of u's other neighbours in them, and the pair of v's. Between two triangles that is one pair,
 * the opposite vertices; between two quads, two pairs that are two apart along the mesh's lines. Each pair once, without those that are
 * edges, ascending. Where more than two faces meet at an edge, each and the next, in the order of faces. */
bool pliant__find_across(pliant__builder *b, const pliant__sides *sides, pliant__list *out);

/* Hinges (x0, x1, x2, x3) of triangles: edge x0 x1 as the first triangle turns, its third vertex x2, that of the second triangle x3. Where
 * more than two triangles meet at an edge, each and the next, in the order of triangles. A triangle folded onto itself gives none. */
bool pliant__find_hinges(pliant__builder *b, const pliant__sides *sides, pliant__list *out);

/* Each edge of tetrahedra once, ascending. */
bool pliant__find_tet_edges(pliant__builder *b, const uint32_t *tets, size_t count, pliant__list *out);

/* Faces of tetrahedra that occur once, turned outwards, in the order of tetrahedra. */
bool pliant__find_boundary(pliant__builder *b, const uint32_t *tets, size_t count, pliant__list *out);

#endif
