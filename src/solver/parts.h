/* Parts of a model that share no constraint with each other: bodies by themselves, or groups of them. */
#ifndef PLIANT_SOLVER_PARTS_H
#define PLIANT_SOLVER_PARTS_H

#include "compile/model.h"

typedef struct pliant__model_part {
    const uint32_t *patches, *targets, *anchors; /* numbers of the model's, ascending: patches in the order solved, its ranges first */
    uint32_t        range_count, patch_count, target_count, anchor_count;
} pliant__model_part;

typedef struct pliant__parts {
    pliant__model_part *data;                        /* by their first ranges */
    uint32_t           *patches, *targets, *anchors; /* of all parts, one after another */
    uint32_t            count, largest;              /* slots that the largest has */
} pliant__parts;

/* Finds the parts of a model; false if out of memory. */
bool pliant__parts_create(const pliant_allocator *allocator, const pliant_model *model, pliant__parts *parts);
void pliant__parts_destroy(const pliant_allocator *allocator, pliant__parts *parts);

#endif
