/* Grabs: points that pull a particle each, as a mouse does: an interaction. They come one at a time, on the calling thread. */
#include "base/alloc.h"
#include "constraints/eval.h"
#include "solver/energies.h"
#include "solver/grabs.h"
#include "solver/interactions.h"
#include "solver/solver.h"
#include "state/inputs.h"
#include "state/state.h"

static bool create(pliant_solver *s) { return (s->grabs = pliant__alloc(&s->allocator, sizeof *s->grabs)) != NULL; }
static void destroy(pliant_solver *s) { pliant__free(&s->allocator, s->grabs); }
static bool wanted(const pliant_solver *s) { return s->inputs->grab_count > 0; }

/* A grab is an attachment to a point that moves nowhere within the step. */
static void project_grab(pliant_solver *s, uint32_t number, bool first)
{
    const pliant__grab *grab = &s->inputs->grab[number];
    pliant_real        *lambda = s->grabs->lambda[number], *x = PLIANT__SLOT(s->state->x, grab->slot);
    pliant_law          law = pliant_law_default();
    law.compliance = grab->compliance;
    pliant_real alpha = pliant__law_ready(&law, s->h, 1).alpha, target[3] = {grab->target.x, grab->target.y, grab->target.z};
    if (x[3] == 0) return;
    for (int c = 0; c < 3; c++) {
        if (first) lambda[c] = 0;
        pliant_real change = (target[c] - x[c] - alpha * lambda[c]) / (x[3] + alpha);
        lambda[c] += change;
        x[c] += x[3] * change;
    }
}

static void project(pliant_solver *s, bool first)
{
    for (uint32_t i = 0; i < s->inputs->grab_count; i++) project_grab(s, i, first);
}

static void gather(pliant_solver *s)
{
    for (uint32_t i = 0; i < s->inputs->grab_count; i++) {
        const uint32_t slot = s->inputs->grab[i].slot;
        if (PLIANT__SLOT(s->state->x, slot)[3] == 0) continue;
        for (int c = 0; c < 3; c++) PLIANT__SLOT(s->sum, slot)[(size_t)c] += s->grabs->lambda[i][c];
    }
}

static void work(pliant_solver *s)
{
    for (uint32_t i = 0; i < s->inputs->grab_count; i++) {
        const uint32_t     slot = s->inputs->grab[i].slot;
        const pliant_real *l = s->grabs->lambda[i];
        if (PLIANT__SLOT(s->state->x, slot)[3] == 0) continue;
        s->energies->bodies[s->energies->slot_body[slot]].work +=
            pliant__dot(v3(l[0], l[1], l[2]), pliant__way_of(s, slot)) / (s->h * s->h);
    }
}

const pliant__interaction pliant__interaction_grabs = {
    .create = create, .destroy = destroy, .wanted = wanted, .project = project, .gather = gather, .work = work};
