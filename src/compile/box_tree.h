/* A tree of boxes about things that have boxes, for colliders: see box_tree.c. */
#ifndef PLIANT_COMPILE_BOX_TREE_H
#define PLIANT_COMPILE_BOX_TREE_H

#include "base/sort.h"
#include "compile/model.h"

/* Levels below the root with which leaves have up to `leaf` things each. */
static inline uint32_t pliant__tree_levels(uint32_t count, uint32_t leaf)
{
    uint32_t levels = 0;
    while ((uint64_t)leaf << levels < count) levels++;
    return levels;
}

/* Where node `node` of a level begins, among `count` things. */
static inline uint32_t pliant__tree_begin(uint32_t count, uint32_t level, uint32_t node)
{
    return (uint32_t)((uint64_t)node * count >> level);
}

/* Fills `order`, the things in the order of the leaves. `key`: room for twice as many as things. */
void pliant__tree_order(const pliant__model_box *box, uint32_t count, uint32_t levels, uint32_t *order, pliant__key *key);

/* Fills the 2^(levels + 1) - 1 nodes. Every leaf has one thing at least. */
void pliant__tree_nodes(const pliant__model_box *box, uint32_t count, uint32_t levels, const uint32_t *order, pliant__model_box *node);

#endif
