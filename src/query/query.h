/* The inside of a pliant_query: elements of all bodies, where they were, and a tree of boxes per body. */
#ifndef PLIANT_QUERY_QUERY_H
#define PLIANT_QUERY_QUERY_H

#include "base/tree.h"
#include "collide/overlap_region.h"
#include "pliant/query.h"
#include "state/state.h"

/* The surface of a body. */
typedef struct pliant__query_body {
    uint32_t         first, count; /* elements */
    double           slack;        /* m, that its boxes are grown by, so that rounding leaves nothing out */
    pliant__box_tree tree;
    bool             off;
} pliant__query_body;

/* A collider where it is. */
typedef struct pliant__query_collider {
    pliant__shape of; /* which `shape` points into */
    pliant__grown shape;
    pliant__frame frame;
    bool          off;
} pliant__query_collider;

struct pliant_query {
    pliant_allocator        allocator;
    const pliant_model     *model;
    pliant__query_body     *bodies;
    pliant__query_collider *colliders;
    uint32_t               *slot; /* 3 per element */
    pliant__box            *box;  /* per element, without thickness */
    pliant_vec3            *x;    /* per slot */
};

#define PLIANT__QUERY_LEAF 4u     /* elements of a leaf */
#define PLIANT__QUERY_DEEPEST 64u /* nodes that wait: one for each of 32 levels, and some */

/* Element number `index` of all. */
static inline pliant__thick pliant__query_element(const pliant_query *q, uint32_t body, uint32_t index)
{
    const uint32_t *slot = q->slot + 3 * (size_t)index;
    return (pliant__thick){{d3_widen(q->x[slot[0]]), d3_widen(q->x[slot[1]]), d3_widen(q->x[slot[2]])},
                           d_widen(q->model->bodies[body].thickness)};
}

/* A good filter, NULL made the default one; false if it is none. */
bool pliant__query_filter(const pliant_query_filter *given, pliant_query_filter *filter);
bool pliant__query_asks(const pliant_query *q, const pliant_query_filter *filter, uint32_t body);
bool pliant__query_asks_collider(const pliant_query *q, const pliant_query_filter *filter, uint32_t collider);

#endif
