/* Rows of laws with a yield flow, once per substep, when it is over: constraints/flow.h says by how much. Only the parameters that a state has of such rows
 * change, each by the task that has the row's patch; particles stay. Interactions let flow what they have: clusters of shape matching. */
#include "step/flow.h"

#include "base/trig.h"
#include "solver/interactions.h"
#include "solver/method.h"
#include "solver/sweep.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"

#define NEVER_YIELDS 1e30 /* strain; a law without a yield, beside others in a batch */

/* Laws for a substep of so many seconds. */
static void ready_laws(pliant_solver *s, double seconds)
{
    for (size_t i = 0; i < model_count(s->model, laws); i++) {
        const pliant__model_law *l = &s->inputs->law[i];
        const double             hardening = (double)l->hardening, creep = (double)l->creep;
        const double             share = creep > 0 ? 1 - pliant__exp(-creep * (1 + hardening) * seconds) : 1;
        s->flow_laws[i] = (pliant__flow_law){.yield = l->yield > 0 ? l->yield : (pliant_real)NEVER_YIELDS,
                                             .share = (pliant_real)(share / (1 + hardening)),
                                             .hardening = l->hardening,
                                             .most = l->most > 0 ? l->most : (pliant_real)NEVER_YIELDS};
    }
}

static void flow_patch(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__patch *p = &s->model->patches[index];
    for (uint32_t i = p->first_batch; i < p->first_batch + p->batch_count; i++) {
        const pliant__batch      *b = &s->model->batches[i];
        pliant__project_function *flow = s->backend.kernels->kinds[b->kind]->flow;
        if (b->flow && flow) flow(&s->sweep, b, 0, pliant__blocks(b));
    }
}

void pliant__stage_flow(pliant_solver *s)
{
    pliant__flow_interactions(s);
    if (!s->model->header->flow_count) return;
    ready_laws(s, s->substep_h);
    pliant__begin_sweep(s, false);
    pliant__run_counted(s, flow_patch, (uint32_t)model_count(s->model, patches), pliant__work_of_particles(s, PLIANT__SUM_WORK));
}
