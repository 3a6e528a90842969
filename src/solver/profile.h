/* Spans for the host's profiler. */
#ifndef PLIANT_SOLVER_PROFILE_H
#define PLIANT_SOLVER_PROFILE_H

#include "solver/solver.h"

/* Between open and close, on one thread, lies what a span is of; without a profile both do nothing. */
void pliant__open_span(pliant_solver *s, pliant_span_kind kind, pliant_span *span);

void pliant__close_span(const pliant_solver *s, pliant_span *span);

void pliant__run_watched(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count, uint64_t work);

void pliant__open_patch_span(pliant_solver *s, uint32_t round, uint32_t patch, pliant_span *span);

static inline void pliant__open(pliant_solver *s, pliant_span_kind kind, pliant_span *span)
{
    if (s->def.profile.end) pliant__open_span(s, kind, span);
}

static inline void pliant__open_patch(pliant_solver *s, uint32_t round, uint32_t patch, pliant_span *span)
{
    if (s->def.profile.end) pliant__open_patch_span(s, round, patch, span);
}

static inline void pliant__close(const pliant_solver *s, pliant_span *span)
{
    if (s->def.profile.end) pliant__close_span(s, span);
}

#endif
