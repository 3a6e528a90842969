/* What is left of each constraint after the step: |C + alpha~ lambda|, largest and mean per kind. Sums are taken segment by segment, and added
 * in the order of segments, so that neither threads nor widths change them. */
#include "constraints/eval.h"
#include "step/solver.h"

static pliant__sweep measuring_sweep(pliant_solver *s)
{
    pliant__sweep sweep = {s->model, s->state->x, s->start, s->lambda, s->state->active, s->laws, false, false, false};
    return sweep;
}

static void measure_segment(void *solver, uint32_t index)
{
    pliant_solver         *s = solver;
    const pliant__segment *g = &s->model->segments[index];
    const pliant__batch   *b = &s->model->batches[g->batch];
    pliant__sweep          sweep = measuring_sweep(s);
    s->segment_max[index] = s->segment_sum[index] = 0;
    s->backend.kernels->measure[b->kind](&sweep, b, g->first_block, g->block_count, &s->segment_max[index], &s->segment_sum[index]);
}

static void measure_users(pliant_solver *s)
{
    const pliant_model *m = s->model;
    double              largest = 0, sum = 0;
    uint32_t            rows = 0;
    for (uint32_t i = 0; i < model_count(m, users); i++) {
        const pliant__model_user *u = &m->users[i];
        pliant_vec3               x[PLIANT_MAX_SLOTS], gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
        pliant_real               C[PLIANT_MAX_ROWS] = {0};
        if (!pliant__is_active(s->state->active, m->header->packed_rows + i)) continue;
        for (uint32_t k = 0; k < u->particle_count; k++) x[k] = pliant__slot_x(s->state->x, u->slots[k]);
        s->def.user[u->function](x, u->particle_count, u->row_count, u->tag, C, gradient, s->def.user_context[u->function]);
        vlaw law = {s->laws[u->law].alpha, 0, 1, 0, 0};
        for (uint32_t r = 0; r < u->row_count; r++, rows++) {
            double a = (double)row_residual((pliant_limit)s->inputs->law[u->law].limit, law, C[r], 0, s->lambda[u->lambda + r]);
            sum += a;
            if (a > largest) largest = a;
        }
    }
    s->statistics.residual_max[PLIANT_CONSTRAINT_COUNT] = largest;
    if (rows) s->statistics.residual_mean[PLIANT_CONSTRAINT_COUNT] = sum / rows;
}

void pliant__stage_measure(pliant_solver *s)
{
    const pliant_model *m = s->model;
    uint32_t            count = (uint32_t)model_count(m, segments);
    pliant__run(s, measure_segment, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = m->batches[m->segments[i].batch].kind;
        if (s->segment_max[i] > s->statistics.residual_max[kind]) s->statistics.residual_max[kind] = s->segment_max[i];
        s->statistics.residual_mean[kind] += s->segment_sum[i];
    }
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        double rows = (double)m->header->constraint_count[kind] * pliant_constraint_describe((pliant_constraint_kind)kind)->rows;
        if (rows > 0) s->statistics.residual_mean[kind] /= rows;
    }
    measure_users(s);
}
