/* Rows of a batch as multigrid reads them, block by block. */
#include "methods/multigrid.h"

pliant__mg_rows pliant__mg_rows_at(const pliant_solver *s, uint32_t number, uint32_t block)
{
    const pliant__mg             *g = s->method_data;
    const pliant__batch          *b = &s->model->batches[number];
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b->kind);
    const uint32_t                n = info->slots, r = info->rows;
    return (pliant__mg_rows){.batch = b,
                             .slot = g->slot + g->slot_first[number] + (size_t)block * PLIANT__BLOCK * n,
                             .position =
                                 g->position ? g->position + g->position_first[number] + (size_t)block * PLIANT__BLOCK * n * n : NULL,
                             .gradient = g->linear.gradient + pliant__gradient_at(&g->linear, number, info, block * PLIANT__BLOCK),
                             .lambda = b->lambda + (size_t)block * PLIANT__BLOCK * r,
                             .slots = n,
                             .count = r,
                             .first = block * PLIANT__BLOCK,
                             .lanes = b->count - block * PLIANT__BLOCK < PLIANT__BLOCK ? b->count - block * PLIANT__BLOCK : PLIANT__BLOCK};
}
