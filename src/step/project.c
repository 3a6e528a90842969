/* The iterations: constraints wave by wave, then those that come one at a time, then contacts. */
#include "step/solver.h"

#include <assert.h>

static void project_segment(const pliant_solver *s, uint32_t segment, const pliant__kernels *kernels)
{
    const pliant__segment *g = &s->model->segments[segment];
    const pliant__batch   *b = &s->model->batches[g->batch];
    assert(segment < model_count(s->model, segments) && (g->first_block + g->block_count - 1) * PLIANT__BLOCK < b->count);
    assert(b->serial ? kernels->width == 1 : true);
    kernels->project[b->kind](&s->sweep, b, g->first_block, g->block_count);
}

static void project_task(void *solver, uint32_t index)
{
    const pliant_solver *s = solver;
    project_segment(s, s->first_segment + index, s->backend.kernels);
}

static void project_wave(pliant_solver *s, const pliant__wave *wave)
{
    s->first_segment = wave->first_segment;
    if (!wave->serial) {
        pliant__run(s, project_task, wave->segment_count);
        return;
    }
    for (uint32_t i = 0; i < wave->segment_count; i++) project_segment(s, wave->first_segment + i, s->backend.serial);
}

void pliant__stage_project(pliant_solver *s)
{
    const pliant_model *m = s->model;
    for (uint32_t i = 0; i < s->iterations; i++) {
        s->sweep = (pliant__sweep){s->model, s->state->x, s->start, s->keep_lambda ? s->lambda : NULL, s->state->active, s->laws,
                                   i == 0,   s->softened, s->damped};
        for (size_t w = 0; w < model_count(m, waves); w++) project_wave(s, &m->waves[w]);
        pliant__project_singles(s, i == 0);
        pliant__project_contacts(s);
    }
}
