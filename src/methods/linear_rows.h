/* Constraints as they lie at some positions: C and the gradients of all rows, for methods that solve them all at once. */
#ifndef PLIANT_METHODS_LINEAR_ROWS_H
#define PLIANT_METHODS_LINEAR_ROWS_H

#include "solver/solver.h"
#include "solver/sweep.h"

/* As the kernels' `linearize` leaves them. */
typedef struct pliant__linear_rows {
    pliant_real *C;              /* unit of C, per row, laid out as multipliers (lambda) are */
    pliant_real *gradient;       /* of all rows; where each is says pliant__gradient_at */
    size_t      *gradient_first; /* per batch: where its gradients begin */
    size_t       gradient_count; /* numbers in `gradient` */
} pliant__linear_rows;

/* Makes room for the rows of a model. False if out of memory: `rows` is to be freed all the same. */
bool pliant__linear_rows_make(const pliant_allocator *a, const pliant_model *m, pliant__linear_rows *rows);
void pliant__linear_rows_free(const pliant_allocator *a, pliant__linear_rows *rows);

/* Where the gradients of a batch's constraint begin: coordinate c of slot s of row r is ((r * slots + s) * 3 + c) blocks further. */
static inline size_t pliant__gradient_at(const pliant__linear_rows *rows, uint32_t batch, const pliant_constraint_info *info, uint32_t row)
{
    return rows->gradient_first[batch] + (size_t)(row / PLIANT__BLOCK) * PLIANT__BLOCK * info->rows * info->slots * 3 + row % PLIANT__BLOCK;
}

/* Evaluates the rows of a batch, or of a patch, at the positions sweep->x. */
void pliant__linearize_batch(const pliant_solver *s, const pliant__sweep *sweep, uint32_t batch, const pliant__linear_rows *rows);
void pliant__linearize_patch(const pliant_solver *s, const pliant__sweep *sweep, uint32_t patch, const pliant__linear_rows *rows);

#endif
