/* Which colliders may be near a box: collider_tree.c. */
#ifndef PLIANT_CONTACT_COLLIDER_TREE_H
#define PLIANT_CONTACT_COLLIDER_TREE_H

#include "base/tree.h"

struct pliant_solver;

/* What the tree has answered for a chunk in this step: holds for every box within the one that was asked about. */
#define PLIANT__KEPT_COLLIDERS 8u
typedef struct pliant__kept_colliders {
    pliant__box box;
    uint32_t    count; /* PLIANT__NONE: nothing is kept */
    uint32_t    collider[PLIANT__KEPT_COLLIDERS];
} pliant__kept_colliders;

/* A tree over those that have an end, by the boxes of their ways in a step. No tree where there are few. */
typedef struct pliant__collider_tree {
    uint32_t               *bounded, *unbounded; /* the model's numbers, ascending; NULL: no tree */
    uint32_t                unbounded_count;
    pliant__box            *box;      /* of those that are bounded */
    pliant__box_tree        tree;     /* over them */
    pliant__kept_colliders *kept;     /* per chunk */
    pliant_real             thickest; /* m, of all bodies */
    bool                    draws;    /* some body adheres to something */
} pliant__collider_tree;

/* Colliders that may be near, ascending. */
#define PLIANT__NEARBY_COLLIDERS 256u
typedef struct pliant__nearby_colliders {
    bool     all; /* every collider may be, and `collider` says nothing: there is no tree, or too many were found */
    uint32_t count, collider[PLIANT__NEARBY_COLLIDERS];
} pliant__nearby_colliders;

static inline uint32_t pliant__nearby_collider(const pliant__nearby_colliders *n, uint32_t i) { return n->all ? i : n->collider[i]; }

bool pliant__make_collider_tree(struct pliant_solver *s);
void pliant__free_collider_tree(struct pliant_solver *s);
void pliant__fit_collider_tree(struct pliant_solver *s); /* around their ways in the step, which begins */

/* Colliders with swept bounds that may meet the box `mine` of a chunk's paths. */
void pliant__find_nearby_colliders(const struct pliant_solver *s, uint32_t chunk, const pliant__box *mine, pliant__nearby_colliders *out);

#endif
