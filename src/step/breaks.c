/* Constraints that pull with more than their law bears when a substep ends are broken from the next one on: their multiplier over h^2 is the force (XPBD,
 * Macklin et al. 2016, section 4.4). A length breaks where it is stretched, and not where it is pushed together; an attachment by its pull in any direction.
 *
 * Bits of rows are in words of a patch's own batches, so each word is written by the task that has the patch. Of a rope the segment breaks that pulls hardest,
 * beside what it bears (compile/breaks.c), and no other in this substep, since it unloads them. What bends the rope across it goes with it. */
#include "step/breaks.h"

#include "solver/method.h"
#include "solver/sweep.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"

static void switch_off(pliant_solver *s, uint32_t row)
{
    const uint16_t bit = (uint16_t)(1u << row % PLIANT__BLOCK);
    uint16_t      *word = &s->state->active[row / PLIANT__BLOCK];
    *word = (uint16_t)(*word & ~bit);
    if (!s->off.any) return;
    word = &s->off.active_rows[row / PLIANT__BLOCK];
    *word = (uint16_t)(*word & ~bit);
}

/* N s^2, by which a row pulls, times h^2, from its first multiplier; below 0: it pushes. */
static double pull_of(const pliant_constraint_info *kind, const pliant_real *lambda)
{
    double square = 0;
    if (kind->flags & PLIANT_ROW_LENGTH) return -(double)*lambda;
    for (uint32_t r = 0; r < kind->rows; r++) square += (double)lambda[r * PLIANT__BLOCK] * (double)lambda[r * PLIANT__BLOCK];
    return sqrt(square);
}

static void break_row(pliant_solver *s, uint32_t packed)
{
    switch_off(s, packed);
    s->state->broken[packed / PLIANT__BLOCK] |= (uint16_t)(1u << packed % PLIANT__BLOCK);
}

static void break_batch(pliant_solver *s, const pliant__batch *b)
{
    const pliant_constraint_info *kind = pliant_constraint_describe((pliant_constraint_kind)b->kind);
    if (!(kind->flags & (PLIANT_ROW_LENGTH | PLIANT_ROW_LINK))) return;
    for (uint32_t row = 0; row < b->count; row++) {
        const pliant__model_law *law = &s->inputs->law[pliant__row_law(s->model, b, row)];
        if (!(law->break_force > 0) || law->snaps || !pliant__is_active(s->active, b->first_row + row)) continue;
        const pliant_real *lambda = &s->lambda[b->lambda + row / PLIANT__BLOCK * kind->rows * PLIANT__BLOCK + row % PLIANT__BLOCK];
        if (pull_of(kind, lambda) > (double)law->break_force * (s->h * s->h)) break_row(s, b->first_row + row);
    }
}

static void break_patch(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__patch *p = &s->model->patches[index];
    for (uint32_t b = p->first_batch; b < p->first_batch + p->batch_count; b++) break_batch(s, &s->model->batches[b]);
}

/* By how much a segment pulls, over what it bears; 0: there is none, or it is broken. */
static double load_of(const pliant_solver *s, const pliant__model_segment *segment)
{
    if (segment->row == PLIANT__NONE || !pliant__is_active(s->active, segment->row)) return 0;
    return -(double)s->lambda[segment->lambda] / (segment->strength * (double)s->inputs->law[segment->law].break_force * (s->h * s->h));
}

static void snap(pliant_solver *s, const pliant__model_body *rope)
{
    const pliant__model_segment *segment = s->model->segments + rope->first_segment;
    uint32_t                     hardest = 0, before = PLIANT__NONE;
    double                       load = 0;
    for (uint32_t i = 0; i < rope->vertex_count; i++) {
        const double its = load_of(s, &segment[i]);
        if (its > load) {
            load = its;
            hardest = i;
        }
    }
    if (!(load > 1)) return;
    break_row(s, segment[hardest].row);
    for (uint32_t i = 0; i < hardest; i++)
        if (segment[i].row != PLIANT__NONE) before = i;
    if (segment[hardest].bend != PLIANT__NONE) switch_off(s, segment[hardest].bend);
    if (before != PLIANT__NONE && segment[before].bend != PLIANT__NONE) switch_off(s, segment[before].bend);
}

void pliant__stage_break(pliant_solver *s)
{
    pliant__run_counted(s, break_patch, (uint32_t)model_count(s->model, patches), pliant__work_of_particles(s, PLIANT__SUM_WORK));
    for (size_t i = 0; i < model_count(s->model, bodies) && model_count(s->model, segments); i++)
        if (s->model->bodies[i].first_segment != PLIANT__NONE) snap(s, &s->model->bodies[i]);
}
