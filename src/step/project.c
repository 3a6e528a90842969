/* The iterations of a substep, by the method that the scene or the solver's def names. */
#include "base/clock.h"
#include "solver/method.h"
#include "solver/solver.h"
#include "state/state.h"
#include "step/step.h"

#include <string.h>

void pliant__stage_project(pliant_solver *s)
{
    const pliant_model *m = s->model;
    if (s->predicted) memcpy(s->predicted, s->state->x, pliant__slot_numbers(m->header->slot_count) * sizeof *s->predicted);
    if (s->keep_lambda && (s->def.trace || s->method_row->needs & PLIANT__NEEDS_LAMBDA))
        memset(s->lambda, 0, m->header->lambda_count * sizeof *s->lambda);
    s->stopped = false;
    s->solving_seconds = 0;
    if (s->def.trace) s->solving_since = pliant__clock();
    s->method_row->solve(s);
}
