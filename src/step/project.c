/* The iterations of a substep: the method that the scene or the solver's def names, and the walks over waves that methods are made of. */
#include "base/clock.h"
#include "step/methods/method.h"

#include <assert.h>
#include <string.h>

/* ---- walks ---- */

static void patch_task(void *solver, uint32_t index)
{
    pliant_solver *s = solver;
    s->patch_task(s, s->first_patch + index);
}

void pliant__walk_patches(pliant_solver *s, void (*task)(pliant_solver *s, uint32_t patch))
{
    s->patch_task = task;
    for (size_t r = 0; r < model_count(s->model, rounds); r++) {
        const pliant__round *round = &s->model->rounds[r];
        s->first_patch = round->first_patch;
        pliant__run(s, patch_task, round->patch_count);
    }
}

static const pliant__kernels *kernels_for(const pliant_solver *s, const pliant__batch *b)
{
    return b->serial ? s->backend.serial : s->backend.kernels;
}

static void project_patch(pliant_solver *s, uint32_t patch)
{
    const pliant__patch *p = &s->model->patches[patch];
    for (uint32_t i = p->first_batch; i < p->first_batch + p->batch_count; i++) {
        const pliant__batch *b = &s->model->batches[i];
        kernels_for(s, b)->project[b->kind](&s->sweep, b, 0, pliant__blocks(b));
    }
}

static void gather_patch(pliant_solver *s, uint32_t patch)
{
    const pliant__patch *p = &s->model->patches[patch];
    for (uint32_t i = p->first_batch; i < p->first_batch + p->batch_count; i++) {
        const pliant__batch *b = &s->model->batches[i];
        kernels_for(s, b)->gather[b->kind](&s->sweep, b, 0, pliant__blocks(b));
    }
}

void pliant__walk_projecting(pliant_solver *s) { pliant__walk_patches(s, project_patch); }

void pliant__walk_gathering(pliant_solver *s, enum pliant__gathering gathering)
{
    assert(s->sum);
    s->sweep.gathering = gathering;
    pliant__walk_patches(s, gather_patch);
}

/* ---- sweeps ---- */

void pliant__begin_sweep(pliant_solver *s, bool first)
{
    s->sweep = (pliant__sweep){.model = s->model,
                               .x = s->state->x,
                               .start = s->start,
                               .lambda = s->keep_lambda ? s->lambda : NULL,
                               .active = s->state->active,
                               .laws = s->laws,
                               .first = first,
                               .softened = s->softened,
                               .damped = s->damped,
                               .sum = s->sum};
}

void pliant__sweep_rest(pliant_solver *s, bool first)
{
    pliant__project_singles(s, first);
    pliant__project_contacts(s);
}

void pliant__sweep_gauss_seidel(pliant_solver *s, bool first)
{
    pliant__begin_sweep(s, first);
    pliant__walk_projecting(s);
    pliant__sweep_rest(s, first);
}

/* ---- the stage ---- */

bool pliant__go_on(pliant_solver *s, uint32_t done)
{
    if (!s->def.trace || s->enough) return !s->enough;
    s->solving_seconds += pliant__clock() - s->solving_since;
    pliant_progress p = {.substep = s->substep, .iteration = done, .seconds = s->solving_seconds};
    p.constraint = pliant__constraint_residual(s);
    p.primal = pliant__primal_residual(s, &p.primal_max);
    for (int k = 0; k <= PLIANT_CONSTRAINT_COUNT; k++) p.largest[k] = s->measured[k].largest;
    s->enough = !s->def.trace(&p, s->def.trace_context);
    s->solving_since = pliant__clock();
    return !s->enough;
}

void pliant__stage_project(pliant_solver *s)
{
    const pliant_model *m = s->model;
    if (s->predicted) memcpy(s->predicted, s->state->x, 4 * (size_t)m->header->slot_count * sizeof *s->predicted);
    if (s->keep_lambda && (s->def.trace || s->how->needs & PLIANT__NEEDS_LAMBDA))
        memset(s->lambda, 0, m->header->lambda_count * sizeof *s->lambda);
    s->enough = false;
    s->solving_seconds = 0;
    if (s->def.trace) s->solving_since = pliant__clock();
    s->how->solve(s);
    if (s->def.measure && s->substep + 1 == s->substeps)
        s->statistics.primal_residual = pliant__primal_residual(s, &s->statistics.primal_max);
}
