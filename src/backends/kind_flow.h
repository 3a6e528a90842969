/* Plastic flow of W rows of a kind with NAME_flow: their parameters, which the state has, go after the shape that there is. */
#ifndef PLIANT_BACKENDS_KIND_FLOW_H
#define PLIANT_BACKENDS_KIND_FLOW_H

#include "backends/kind_general.h"
#include "constraints/flow.h"

/* Laws of W rows: the batch's, or each row's own. */
KERNEL vflow flow_of_rows(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t row)
{
    pliant_real yield[W], share[W], hardening[W], most[W];
    for (uint32_t i = 0; i < W; i++) {
        const uint32_t number = has_own_laws(batch) ? sweep->model->row_law[batch->own_laws + row + i] : batch->law;
        yield[i] = sweep->flow_laws[number].yield;
        share[i] = sweep->flow_laws[number].share;
        hardening[i] = sweep->flow_laws[number].hardening;
        most[i] = sweep->flow_laws[number].most;
    }
    return (vflow){load_lanes(yield), load_lanes(share), load_lanes(hardening), load_lanes(most)};
}

/* A limit acts on one side of 0: beyond it nothing is strained. */
KERNEL vreal strained(pliant_limit limit, vreal C)
{
    if (limit == PLIANT_AT_MOST) return vmax(C, vsplat(0));
    return limit == PLIANT_AT_LEAST ? vmin(C, vsplat(0)) : C;
}

static void flow(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count)
{
    const uint32_t end = end_of_rows(batch, first, count);
    for (uint32_t row = first * PLIANT__BLOCK; row < end; row += W) {
        const uint32_t block = row / PLIANT__BLOCK, part = row % PLIANT__BLOCK;
        pliant_real   *to = sweep->flow + (batch->flow - 1) + (size_t)block * batch->parameter_step + part;
        rows_in        in;
        vreal          C[ROWS], rest[PARAMETERS_ROOM];
        vvec           gradient[ROWS * SLOTS];
        evaluate(&in, sweep, batch, row, C, gradient);
        if (!(in.bits & in.lanes)) continue;
        load_parameters(pliant__parameters(sweep->model, batch, block) + part, rest);
        UNROLL
        for (uint32_t r = 0; r < ROWS; r++) C[r] = strained((pliant_limit)batch->limit, C[r]);
        OF_KIND_(KIND, _flow)(in.x, C, rest, flow_of_rows(sweep, batch, row), in.parameter);
        UNROLL
        for (uint32_t i = 0; i < PARAMETERS; i++) store_some_lanes(to + i * PLIANT__BLOCK, in.bits & in.lanes, in.parameter[i]);
    }
}

#endif
