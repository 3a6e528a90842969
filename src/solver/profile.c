/* Where the time goes: the host's profiler is told when a thread begins and ends something. A span lies on the stack of the thread that it is
 * of, so nothing is shared between threads but what the host shares. Patches are told one by one. Other tasks may take a tenth of a microsecond, less
 * than it takes to look at the clock twice, so several of them, one after another, are one span. */
#include "solver/profile.h"

#include "base/clock.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/state.h"

#define PIECES 16u        /* per thread: enough for threads that are not equally fast */
#define HOSTS_THREADS 16u /* how many a host has is not known */

static void begin(const pliant_solver *s, pliant_span *span)
{
    const pliant_profile *p = &s->def.profile;
    if (p->begin) p->begin(span, p->context);
    span->begin = pliant__clock();
}

static pliant_span span_of(const pliant_solver *s, pliant_span_kind kind)
{
    return (pliant_span){.kind = kind,
                         .name = kind == PLIANT_SPAN_STEP      ? "step"
                                 : kind == PLIANT_SPAN_SUBSTEP ? "substep"
                                 : s->running                  ? s->running
                                                               : "tasks",
                         .step = s->watched.step,
                         .substep = kind == PLIANT_SPAN_STEP ? s->substeps : s->substep,
                         .stage = s->stage,
                         .iteration = s->iteration,
                         .count = 1};
}

void pliant__open_span(pliant_solver *s, pliant_span_kind kind, pliant_span *span)
{
    if (kind == PLIANT_SPAN_STEP) s->watched.step = s->state->header->steps;
    *span = span_of(s, kind);
    if (kind == PLIANT_SPAN_STEP) {
        span->particles = s->model->header->particle_count;
        span->constraints = s->model->header->solved_count;
    }
    begin(s, span);
}

void pliant__close_span(const pliant_solver *s, pliant_span *span)
{
    span->end = pliant__clock();
    s->def.profile.end(span, s->def.profile.context);
}

/* ---- patches ---- */

static uint32_t constraints_of(const pliant_model *m, const pliant__patch *p)
{
    const uint32_t next = p->first_batch + p->batch_count;
    if (!p->batch_count) return 0;
    return (next < model_count(m, batches) ? m->batches[next].first_solved : m->header->solved_count) -
           m->batches[p->first_batch].first_solved;
}

void pliant__open_patch_span(pliant_solver *s, uint32_t round, uint32_t patch, pliant_span *span)
{
    const pliant__patch *p = &s->model->patches[patch];
    *span = span_of(s, PLIANT_SPAN_PATCH);
    span->name = p->groups ? "tile" : p->first_listed == PLIANT__NONE ? "range" : "list";
    span->round = round;
    span->first = patch;
    if (s->stage == PLIANT_STAGE_COUNT) span->count = s->substeps; /* patch_steps.c */
    span->particles = p->slot_count;
    span->constraints = constraints_of(s->model, p);
    begin(s, span);
}

/* ---- other tasks ---- */

static void run_piece(void *solver, uint32_t index)
{
    pliant_solver         *s = solver;
    const pliant__watched *w = &s->watched;
    const uint32_t         first = index * w->each, left = w->count - first;
    pliant_span            span = span_of(s, PLIANT_SPAN_TASKS);
    span.first = first;
    span.count = left < w->each ? left : w->each;
    begin(s, &span);
    for (uint32_t i = 0; i < span.count; i++) w->task(s, first + i);
    pliant__close_span(s, &span);
}

void pliant__run_watched(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count, uint64_t work)
{
    const uint32_t threads = s->def.tasks.enqueue ? HOSTS_THREADS : s->backend.threads,
                   pieces = threads > 1 && work >= s->least_work ? threads * PIECES : 1;
    if (!count) return;
    s->watched.task = task;
    s->watched.count = count;
    s->watched.each = (count + pieces - 1) / pieces;
    pliant__hand_out(s, run_piece, (count + s->watched.each - 1) / s->watched.each);
}
