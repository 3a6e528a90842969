/* Walks over the rows of the method multigrid. */
#ifndef PLIANT_METHODS_MULTIGRID_ROWS_H
#define PLIANT_METHODS_MULTIGRID_ROWS_H

#include "methods/multigrid.h"
#include "state/inputs.h"

/* Runs through the lanes of all rows of a batch; of a patch's batches. i_ and b_ are the block and the batch. */
#define EACH_LANE(s, number, in, r, lane)                                                                   \
    for (uint32_t i_ = 0; i_ < pliant__blocks(&(s)->model->batches[number]); i_++)                          \
        for (pliant__mg_rows in = pliant__mg_rows_at((s), (number), i_), *once_ = &in; once_; once_ = NULL) \
            for (uint32_t r = 0; r < in.count; r++)                                                         \
                for (uint32_t lane = 0; lane < in.lanes; lane++)

#define EACH_LANE_OF(s, patch, in, r, lane)                                                               \
    for (uint32_t b_ = (s)->model->patches[patch].first_batch,                                            \
                  end_ = (s)->model->patches[patch].first_batch + (s)->model->patches[patch].batch_count; \
         b_ < end_; b_++)                                                                                 \
    EACH_LANE(s, b_, in, r, lane)

/* Through the rows of a patch; of all batches; of a patch, those that count. */
#define EACH_ROW_OF(s, patch, in, r, lane) \
    EACH_LANE_OF(s, patch, in, r, lane)    \
    if (pliant__has_row((s)->model, in.batch, in.first + lane))

#define EACH_ROW_OF_ALL(s, in, r, lane)                                                              \
    for (uint32_t b_ = 0; b_ < model_count((s)->model, batches); b_++) EACH_LANE(s, b_, in, r, lane) \
    if (pliant__has_row((s)->model, in.batch, in.first + lane))

#define EACH_STIFF_ROW_OF(s, patch, in, r, lane) \
    EACH_LANE_OF(s, patch, in, r, lane)          \
    if (((const pliant__mg *)(s)->method_data)->k[lambda_of(&in, r, lane)] > 0)

static inline const pliant_real *gradient_of(const pliant__mg_rows *in, uint32_t r, uint32_t slot, uint32_t lane)
{
    return in->gradient + ((size_t)r * in->slots + slot) * 3 * PLIANT__BLOCK + lane;
}

static inline size_t lambda_of(const pliant__mg_rows *in, uint32_t r, uint32_t lane) { return in->lambda + r * PLIANT__BLOCK + lane; }

/* The patch that slot n of a row adds to: [n * 16]. */
static inline uint32_t *patches_of(const pliant_solver *s, const pliant__mg_rows *in, uint32_t r, uint32_t lane)
{
    const pliant__mg *g = s->method_data;
    return g->multipliers->patch_of + (size_t)(in->gradient - g->linear.gradient) / 3 + (size_t)r * in->slots * PLIANT__BLOCK + lane;
}

#endif
