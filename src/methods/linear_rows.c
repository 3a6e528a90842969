/* Constraints as they lie at some positions. */
#include "methods/linear_rows.h"

#include "base/alloc.h"

bool pliant__linear_rows_make(const pliant_allocator *a, const pliant_model *m, pliant__linear_rows *rows)
{
    rows->gradient_first = pliant__alloc_array(a, model_count(m, batches), sizeof *rows->gradient_first);
    if (!rows->gradient_first) return false;
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)m->batches[i].kind);
        rows->gradient_first[i] = rows->gradient_count;
        rows->gradient_count += (size_t)pliant__blocks(&m->batches[i]) * PLIANT__BLOCK * info->rows * info->slots * 3;
    }
    rows->C = pliant__alloc_array(a, m->header->lambda_count, sizeof *rows->C);
    rows->gradient = pliant__alloc_array(a, rows->gradient_count, sizeof *rows->gradient);
    return rows->C && rows->gradient;
}

void pliant__linear_rows_free(const pliant_allocator *a, pliant__linear_rows *rows)
{
    pliant__free(a, rows->C);
    pliant__free(a, rows->gradient);
    pliant__free(a, rows->gradient_first);
}

void pliant__linearize_batch(const pliant_solver *s, const pliant__sweep *sweep, uint32_t batch, const pliant__linear_rows *rows)
{
    const pliant__batch *b = &s->model->batches[batch];
    s->backend.kernels->kinds[b->kind]->linearize(sweep, b, 0, pliant__blocks(b), rows->C + b->lambda,
                                                  rows->gradient + rows->gradient_first[batch]);
}

void pliant__linearize_patch(const pliant_solver *s, const pliant__sweep *sweep, uint32_t patch, const pliant__linear_rows *rows)
{
    const pliant__patch *p = &s->model->patches[patch];
    for (uint32_t i = p->first_batch; i < p->first_batch + p->batch_count; i++) pliant__linearize_batch(s, sweep, i, rows);
}
