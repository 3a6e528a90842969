/* A tree of boxes over elements, for finding those that are near each other. Which pairs are found depends on their boxes alone and never on the
 * shape of the tree, so it may be built anew at any time, or not. */
#ifndef PLIANT_BASE_TREE_H
#define PLIANT_BASE_TREE_H

#include "base/alloc.h"
#include "base/array.h"
#include "base/sort.h"
#include "base/box.h"

/* A complete binary tree: node i has the children 2 i + 1 and 2 i + 2; the last `leaves` nodes hold up to `leaf` elements each, in the
 * order of `order`. */
typedef struct pliant__box_tree {
    uint32_t     count, leaf, leaves; /* elements; of a leaf; leaves, a power of 2 */
    uint32_t    *order;
    pliant__box *node;
    pliant__key *key;  /* of elements, while they are ordered */
    double       size; /* sum of the nodes' half surfaces when the order was made; 0: there is none yet */
} pliant__box_tree;

bool pliant__tree_create(const pliant_allocator *a, uint32_t count, uint32_t leaf, pliant__box_tree *tree);
void pliant__tree_destroy(const pliant_allocator *a, pliant__box_tree *tree);

/* Fits the nodes around boxes of elements; orders elements anew (parted by planes) where nodes have grown a lot since. */
void pliant__tree_fit(pliant__box_tree *tree, const pliant__box *box);

/* The two halves of pliant__tree_fit, for callers that make the leaves' boxes themselves: order elements by their boxes; fit the other nodes around
 * the leaves, and return the sum of all nodes' half surfaces. */
#define PLIANT__ROT 1.5 /* times as large as when elements were ordered: then they are ordered anew */
void   pliant__tree_sort(pliant__box_tree *tree, const pliant__box *box);
double pliant__tree_raise(pliant__box_tree *tree);

/* Pairs of elements with boxes that meet, each once, the lower number first; in no particular order. False if out of memory, or if there are more
 * than `most`. */
typedef struct pliant__element_pair {
    uint32_t a, b;
} pliant__element_pair;
typedef ARRAY(pliant__element_pair) pliant__element_pairs;
bool pliant__tree_pairs(const pliant_allocator *a, const pliant__box_tree *tree, const pliant__box *box, size_t most,
                        pliant__element_pairs *out);

#endif
