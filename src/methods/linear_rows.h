/* Constraints as they lie at some positions: C and the gradients of all rows, for methods that solve them all at once. */
#ifndef PLIANT_METHODS_LINEAR_ROWS_H
#define PLIANT_METHODS_LINEAR_ROWS_H

#include "solver/solver.h"
#include "solver/sweep.h"

/* As the kernels' `linearize` leaves them. */
typedef struct pliant__linear_rows {
    pliant_real *C;              /* as lambda lies */
    pliant_real *gradient;       /* see pliant__gradient_at */
    size_t      *gradient_first; /* per batch: where its own begin */
    size_t       gradient_count; /* of all rows */
} pliant__linear_rows;

/* Room for those of a model, where there is nothing yet; false if out of memory: what there is by then is to be freed. */
bool pliant__linear_rows_make(const pliant_allocator *a, const pliant_model *m, pliant__linear_rows *rows);
void pliant__linear_rows_free(const pliant_allocator *a, pliant__linear_rows *rows);

/* Where the gradients of a batch's constraint begin: coordinate c of slot s of row r is ((r * slots + s) * 3 + c) blocks further. */
static inline size_t pliant__gradient_at(const pliant__linear_rows *rows, uint32_t batch, const pliant_constraint_info *info, uint32_t row)
{
    return rows->gradient_first[batch] + (size_t)(row / PLIANT__BLOCK) * PLIANT__BLOCK * info->rows * info->slots * 3 + row % PLIANT__BLOCK;
}

/* Where the sweep's x are: those of a batch; of a patch. */
void pliant__linearize_batch(const pliant_solver *s, const pliant__sweep *sweep, uint32_t batch, const pliant__linear_rows *rows);
void pliant__linearize_patch(const pliant_solver *s, const pliant__sweep *sweep, uint32_t patch, const pliant__linear_rows *rows);

#endif
