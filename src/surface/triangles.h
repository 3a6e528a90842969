/* A surface for examination: every face cut into triangles, points in double, vertices of exactly one place under one number. */
#ifndef PLIANT_SURFACE_TRIANGLES_H
#define PLIANT_SURFACE_TRIANGLES_H

#include "base/sort.h"
#include "surface/point.h"
#include "surface/scratch.h"
#include "pliant/scene.h"

typedef struct pliant__triangles {
    pliant__point *x; /* per vertex */
    uint32_t       vertex_count;
    uint32_t      *place;       /* per vertex: the first one at its place */
    uint32_t      *corners;     /* 3 each, vertices as the caller numbers them: the triangles, then each quad cut from its first corner */
    uint32_t       count;       /* triangles */
    uint32_t       whole_count; /* those that were triangles */
    bool          *used;        /* per vertex: by a face */
} pliant__triangles;

/* Checks and copies. False with the error filled: no faces, a vertex that is not there, a coordinate that is not finite. */
bool pliant__triangles_take(pliant__scratch *s, const pliant_mesh_view *view, pliant__triangles *out);

static inline pliant__point pliant__corner(const pliant__triangles *t, size_t triangle, uint32_t corner)
{
    return t->x[t->corners[3 * triangle + corner]];
}

/* The place of a corner. */
static inline uint32_t pliant__corner_place(const pliant__triangles *t, size_t triangle, uint32_t corner)
{
    return t->place[t->corners[3 * triangle + corner % 3]];
}

/* Twice the area, along the normal. */
static inline pliant__point pliant__area2(const pliant__triangles *t, size_t i)
{
    const pliant__point a = pliant__corner(t, i, 0);
    return p_cross(p_sub(pliant__corner(t, i, 1), a), p_sub(pliant__corner(t, i, 2), a));
}

/* Whether two corners of a triangle are at one place. */
static inline bool pliant__is_folded(const pliant__triangles *t, size_t i)
{
    const uint32_t a = pliant__corner_place(t, i, 0), b = pliant__corner_place(t, i, 1), c = pliant__corner_place(t, i, 2);
    return a == b || b == c || c == a;
}

/* The sides of triangles that are not folded, sorted by (lower place, higher place): value 3 * triangle + corner at which it begins. `skip`
 * may be NULL: triangles that do not count. NULL if out of memory. */
pliant__key *pliant__find_mesh_sides(pliant__scratch *s, const pliant__triangles *t, const bool *skip, size_t *count);

/* Whether a side runs from the lower place to the higher one. */
static inline bool pliant__runs_up(const pliant__triangles *t, uint32_t side)
{
    return pliant__corner_place(t, side / 3, side % 3) < pliant__corner_place(t, side / 3, side % 3 + 1);
}

/* ---- connected parts ---- */

/* A forest over numbers; every root is the lowest number of its tree. */
static inline uint32_t pliant__root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}
static inline void pliant__join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = pliant__root(parent, a);
    b = pliant__root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* Triangles that are joined by edges of exactly two sides are a patch, and can be turned alike. */
typedef struct pliant__patches {
    bool     *turned; /* per triangle: to be turned round */
    uint32_t *patch;  /* per triangle, from 0; folded ones have the last number + 1 */
    uint32_t  count;
    bool     *closed;       /* per patch: every edge has two sides */
    double   *volume;       /* per patch, with its sign, as turned; only if closed does it mean something */
    uint32_t  turns;        /* triangles turned against most of their patch, by area */
    uint32_t  first_turn;   /* the first of them */
    uint32_t  unorientable; /* edges with sides that cannot be turned alike, as on a Moebius strip */
} pliant__patches;

bool pliant__find_patches(pliant__scratch *s, const pliant__triangles *t, const bool *skip, pliant__patches *out);

#endif
