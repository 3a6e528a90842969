/* The kernels of one kind and one width; see backends/kind.h. */
#include "backends/kind_general.h"
#include "backends/kind_plain.h"
#ifdef KIND_HELD
#include "backends/kind_held.h"
#endif

#ifdef KIND_FLOW
#include "backends/kind_flow.h"
#define FLOW flow
#else
#define FLOW NULL
#endif
_Static_assert(IS_FLOWING == ((OF_KIND(FLAGS_) & PLIANT_ROW_PLASTIC) != 0), "PLIANT_ROW_PLASTIC and KIND_FLOW go together");

static void project(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t blocks)
{
    const bool damped = is_damped(sweep, batch), own = has_own_laws(batch);
#ifdef KIND_HELD
    const bool held = batch->shape == PLIANT__HELD && !own && batch->limit == PLIANT_AT_MOST && sweep->anchors;
    if (held && (sweep->lanes || (!damped && !sweep->wide_index))) {
        project_held(sweep, batch, first, blocks);
        return;
    }
#endif
    if (sweep->lanes) {
        project_lanes(sweep, batch, first, blocks, IS_SOFT || is_compliant(sweep, batch));
        return;
    }
    if (IS_EQUALITY && batch->shape != PLIANT__REGULAR && batch->limit == PLIANT_EQUAL && !damped && !own && !sweep->wide_index) {
        project_plain(sweep, batch, IS_SOFT || is_compliant(sweep, batch)); /* such batches are walked whole */
        return;
    }
    project_general(sweep, batch, first, blocks);
}

static void project_states(const pliant__sweep *sweep, const pliant__batch *batch, const pliant__rows *rows)
{
    const bool damped = is_damped(sweep, batch);
#ifdef KIND_STATES
    if (batch->limit == PLIANT_EQUAL && !damped && !has_own_laws(batch) && !batch->serial) {
        KIND_STATES(sweep, batch, rows);
        return;
    }
#endif
    if (ROWS > 1 || batch->limit != PLIANT_EQUAL || damped)
        move_states(sweep, batch, rows, (project_mode){true, true, (pliant_limit)batch->limit});
    else
        move_states(sweep, batch, rows, (project_mode){true, false, PLIANT_EQUAL});
}

#ifndef KIND_BLOCK_RUNS
#define KIND_BLOCK_RUNS NULL
#endif

extern const pliant__kind_kernels OF_KIND_WIDTH(kernels_of_);
const pliant__kind_kernels        OF_KIND_WIDTH(kernels_of_) = {project, KIND_BLOCK_RUNS, project_states, gather,
                                                                measure, linearize,       energy,         FLOW};
