/* Rows of a batch with one law, as kernels walk them: places of its blocks' indices, parameters and multipliers. */
#ifndef PLIANT_BACKENDS_ROWS_H
#define PLIANT_BACKENDS_ROWS_H

#include "backends/lanes.h"
#include "constraints/project.h"
#include "solver/sweep.h"

/* W rows of a batch: pointers into its blocks, from the first on. */
typedef struct rows_of {
    const uint16_t    *index, *active;
    const pliant_real *parameter;
    size_t             step;
    pliant_real        alpha, stiffness, ease;
    pliant_real       *kept; /* multipliers, or NULL */
    bool               first;
} rows_of;

KERNEL rows_of rows_of_batch(const pliant__sweep *sweep, const pliant__batch *b)
{
    const pliant__law_now *law = sweep->laws + b->law;
    rows_of                r = {sweep->model->row_index + b->index,
                                sweep->active + b->first_row / PLIANT__BLOCK,
                                sweep->model->row_parameter + b->parameter,
                                b->parameter_step,
                                law->alpha,
                                law->stiffness,
                                law->ease,
                 sweep->lambda ? sweep->lambda + b->lambda : NULL,
                                sweep->first};
    return r;
}

/* Multipliers of W rows with one multiplier each, where they are kept. */
KERNEL vreal kept_lambda(const rows_of *of, uint32_t row, bool keeps)
{
    return keeps && !of->first ? load_lanes(of->kept + row) : vsplat(0);
}

/* Adds `by` to multipliers; it is 0 in lanes without an active row. */
KERNEL void keep_lambda(const rows_of *of, uint32_t row, bool keeps, vreal lambda, vreal by)
{
    if (keeps) store_lanes(of->kept + row, lambda + by);
}

KERNEL uint32_t active_bits(const uint16_t *active, uint32_t row)
{
    return (uint32_t)active[row / PLIANT__BLOCK] >> row % PLIANT__BLOCK & EVERY_LANE;
}

KERNEL vlaw plain_law(pliant_real alpha, pliant_real stiffness, pliant_real ease)
{
    vlaw law = {vsplat(alpha), vsplat(0), vsplat(stiffness), vsplat(0), vsplat(0), vsplat(ease)};
    return law;
}

/* Groups of a tile: x y z w of 16 lanes each. */
KERNEL vvec load_place(const pliant_real *at)
{
    return vvec_of(load_lanes(at), load_lanes(at + PLIANT__BLOCK), load_lanes(at + 2 * PLIANT__BLOCK));
}

KERNEL vreal mass_at(const pliant_real *at) { return load_lanes(at + 3 * PLIANT__BLOCK); }

/* All lanes of a group, or those alone that have an active row. */
KERNEL void store_active(pliant_real *to, bool all, uint32_t active, vreal v)
{
    if (all)
        store_lanes(to, v);
    else
        store_some_lanes(to, active, v);
}

KERNEL void store_place(pliant_real *to, bool all, uint32_t active, vvec v)
{
    store_active(to, all, active, v.x);
    store_active(to + PLIANT__BLOCK, all, active, v.y);
    store_active(to + 2 * PLIANT__BLOCK, all, active, v.z);
}

#endif
