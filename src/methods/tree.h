/* Chains and trees of constraints between two particles: their graph, and the linear systems of a Newton step on it in linear time.
 *
 * A link is a constraint with a C that depends on x0 - x1 alone (distance, attachment). What never moves is no node: a link to it hangs on one node
 * only, so chains between two walls are trees too. pliant__trees_solve is one of the possible solvers of such a system: it asks for nothing
 * but the links, in an order in which it can eliminate them, and what a link says about its step. */
#ifndef PLIANT_METHODS_TREE_H
#define PLIANT_METHODS_TREE_H

#include "methods/linear_rows.h"
#include "solver/method.h"

/* A particle that may move and has a link. */
typedef struct pliant__node {
    uint32_t slot;
    double   w;        /* in: as it is now, 0 while pinned */
    double   force[3]; /* in: what pulls at it besides the links; out: the links included */
    double   step[3];  /* out: w force */
    double   u[3], mobility[3][3];
} pliant__node;

/* In the order of elimination: all links of a node's children come before the node's link to its parent. The step d of the particles and the
 * changes of the multipliers satisfy
 *   d_i = w_i (force_i + sum over links of +-right^T change),   left (d_child - d_parent) + soft change = -residual
 * with + for the child's side. All rows of a link may have one multiplier each; what is not a row has left = right = 0 and soft = 1. */
typedef struct pliant__link {
    uint32_t child, parent;   /* nodes; child PLIANT__NONE: what never moves */
    uint32_t row, law;        /* packed; the number of its law */
    uint32_t rows;            /* of the constraint: 1 or 3 */
    double   sign;            /* 1 where the child is slot 0 of the constraint, else -1 */
    size_t   value, gradient; /* where its C and its lambda, and slot 0's gradient, begin among all; rows are a block, and six, apart */
    double   rest, size;      /* rest length, m; the same, but 1 where there is none */
    uint32_t used;            /* in: rows of the system, 1 to 3 */
    double   left[3][3], right[3][3], soft[3], residual[3];
    double   change[3]; /* out */
    double   answer[3], gain[3][3];
} pliant__link;

typedef struct pliant__tree {
    uint32_t first_node, node_count, first_link, link_count;
    double   size; /* the smallest of its links' */
} pliant__tree;

typedef struct pliant__trees {
    pliant__node *nodes;
    pliant__link *links;
    pliant__tree *trees;
    uint32_t      node_count, link_count, tree_count;
} pliant__trees;

/* Whether all constraints of a model are equalities of this library's own, without damping and stiffness. The error says what is not. */
bool pliant__equalities_take(const pliant_model *model, const char *method, pliant_error *error);

/* Whether these are links, and no links close a cycle. The error says which one does not fit. */
bool pliant__trees_take(const pliant_model *model, const char *method, pliant_error *error);

/* The graph of a model that is taken, with the places of its rows in `at`; false if out of memory. */
bool pliant__trees_make(pliant__trees *trees, const pliant_model *model, const pliant__linear_rows *at, const pliant_allocator *allocator);
void pliant__trees_free(pliant__trees *trees, const pliant_allocator *allocator);

/* Solves the system of one tree. A row that depends on others and has no compliance gets no change of its own. */
void pliant__tree_solve(const pliant__trees *trees, const pliant__tree *tree);

#endif
