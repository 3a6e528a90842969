/* Sweeps: every row projected once, by the way that the step takes, and then what is solved beside rows. */
#include "solver/sweep.h"

#include "solver/interactions.h"
#include "solver/method.h"
#include "solver/patch_substeps.h"
#include "solver/solver.h"
#include "solver/walk.h"
#include "state/state.h"

#include <string.h>

#define PLIANT__NEAR ((uint64_t)1 << 20) /* bytes: about what the caches of one core hold */

/* Anchors are constants of the substep: kernels read them here, whatever else they have at hand. */
static void copy_anchors(pliant_solver *s)
{
    const pliant_model *m = s->model;
    const uint32_t      count = s->part ? s->part->anchor_count : (uint32_t)model_count(m, anchors);
    for (uint32_t k = 0; k < count; k++) {
        const size_t i = s->part ? s->part->anchors[k] : k;
        const size_t at = pliant__slot_numbers(m->anchors[i]);
        memcpy(s->anchors + 8 * i, s->state->x + at, 4 * sizeof *s->anchors);
        if (s->start) memcpy(s->anchors + 8 * i + 4, s->start + at, 4 * sizeof *s->anchors);
    }
}

void pliant__begin_sweep(pliant_solver *s, bool first)
{
    copy_anchors(s);
    s->sweep = (pliant__sweep){.model = s->model,
                               .row_index = pliant__row_index_of(s->state),
                               .x = s->state->x,
                               .start = s->start,
                               .anchors = s->anchors,
                               .lambda = s->keep_lambda ? s->lambda : NULL,
                               .active = s->active,
                               .flow = s->state->flow,
                               .flow_laws = s->flow_laws,
                               .laws = s->laws,
                               .given_laws = s->inputs->law,
                               .far = s->model->header->bytes > PLIANT__NEAR,
                               .first = first,
                               .softened = s->softened,
                               .damped = s->damped,
                               .sum = s->sum};
}

void pliant__walk_projecting(pliant_solver *s)
{
    if (s->way != PLIANT__WAY_SUBSTEPS) {
        pliant__project_patches(s);
        return;
    }
    pliant__walk_substep(s);
}

void pliant__sweep_gauss_seidel(pliant_solver *s, bool first)
{
    pliant__begin_sweep(s, first);
    pliant__walk_projecting(s);
    pliant__project_interactions(s, first);
}
