/* Rows of a batch with one law, as kernels walk them: places of its blocks' indices, parameters and multipliers. */
#ifndef PLIANT_BACKENDS_ROWS_H
#define PLIANT_BACKENDS_ROWS_H

#include "backends/lanes.h"
#include "constraints/project.h"
#include "solver/sweep.h"

/* Distances of a tile in lanes, block run by block run, and of 16 states: backends/cpu_width_block_runs.c. */
extern pliant__block_runs_function   PLIANT__OF_WIDTH(project_distances_by_runs);
extern pliant__project_rows_function PLIANT__OF_WIDTH(project_distances_of_states);

/* One lane where the build has wider kernels: only rows that are solved one after another are walked with it, and a debugger's. Of texts that are there for speed
 * alone it has none. */
#ifdef PLIANT_SPARE_WIDTH
#define IS_SPARE 1
#else
#define IS_SPARE 0
#endif

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
    rows_of                r = {sweep->row_index + b->index,
                                sweep->active + b->first_row / PLIANT__BLOCK,
                                pliant__parameters_now(sweep->model, sweep->flow, b, 0),
                                b->parameter_step,
                                law->alpha,
                                law->stiffness,
                                law->ease,
                 sweep->lambda ? sweep->lambda + b->lambda : NULL,
                                sweep->first};
    return r;
}

/* Where multiplier r of W constraints with `rows` of them each lies. */
KERNEL pliant_real *place_of_lambda(const rows_of *of, uint32_t row, uint32_t rows, uint32_t r)
{
    return of->kept + (size_t)(row / PLIANT__BLOCK * rows + r) * PLIANT__BLOCK + row % PLIANT__BLOCK;
}

/* Multipliers r of W constraints, where they are kept. */
KERNEL vreal kept_lambda_of(const rows_of *of, uint32_t row, uint32_t rows, uint32_t r, bool keeps)
{
    return keeps && !of->first ? load_lanes(place_of_lambda(of, row, rows, r)) : vsplat(0);
}

/* The same of constraints with one multiplier each. */
KERNEL vreal kept_lambda(const rows_of *of, uint32_t row, bool keeps) { return kept_lambda_of(of, row, 1, 0, keeps); }

/* The multiplier as a row feels it: a rigid one does not. One that is not kept is 0 as it is. */
KERNEL vreal felt_lambda(const rows_of *of, bool keeps, vreal lambda) { return !keeps || of->alpha > 0 ? lambda : vsplat(0); }

/* Adds `by` to multipliers; it is 0 in lanes without an active row. */
KERNEL void keep_lambda_of(const rows_of *of, uint32_t row, uint32_t rows, uint32_t r, bool keeps, vreal lambda, vreal by)
{
    if (keeps) store_lanes(place_of_lambda(of, row, rows, r), lambda + by);
}

KERNEL void keep_lambda(const rows_of *of, uint32_t row, bool keeps, vreal lambda, vreal by)
{
    keep_lambda_of(of, row, 1, 0, keeps, lambda, by);
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

KERNEL vlaw splat_law(const pliant__law_now *law)
{
    vlaw v = {vsplat(law->alpha), vsplat(law->gamma), vsplat(law->stiffness), vsplat(law->low), vsplat(law->high), vsplat(law->ease)};
    return v;
}

/* A law for each lane. */
KERNEL vlaw gather_law(const pliant__law_now *laws, const uint32_t *number)
{
    pliant_real alpha[W], gamma[W], stiffness[W], low[W], high[W], ease[W];
    for (uint32_t i = 0; i < W; i++) {
        const pliant__law_now *law = laws + number[i];
        alpha[i] = law->alpha;
        gamma[i] = law->gamma;
        stiffness[i] = law->stiffness;
        low[i] = law->low;
        high[i] = law->high;
        ease[i] = law->ease;
    }
    vlaw v = {load_lanes(alpha), load_lanes(gamma), load_lanes(stiffness), load_lanes(low), load_lanes(high), load_lanes(ease)};
    return v;
}

/* Which of W rows are active, and which are no padding. `all`: all of them are active rows. */
typedef struct vrows {
    bool     all;
    uint32_t bits, lanes;
} vrows;

/* Whether all rows of a batch but padding are active. */
KERNEL bool all_active(const pliant__sweep *sweep, const pliant__batch *b)
{
    const uint16_t *active = sweep->active + b->first_row / PLIANT__BLOCK;
    const uint32_t  full = b->count / PLIANT__BLOCK, rest = b->count % PLIANT__BLOCK, bits_left = (1u << rest) - 1;
    uint32_t        bits = UINT16_MAX;
    for (uint32_t i = 0; i < full; i++) bits &= active[i];
    return bits == UINT16_MAX && (!rest || (active[full] & bits_left) == bits_left);
}

KERNEL vreal active_only(vrows rows, vreal change) { return rows.all ? change : vkeep(mask_of(rows.bits), change); }

/* Which lanes from a row on are no padding. */
KERNEL uint32_t rows_left(const pliant__batch *b, uint32_t row) { return b->count - row < W ? (1u << (b->count - row)) - 1 : EVERY_LANE; }

/* The numbers that slots of a batch's patch are looked up in, or NULL where they lie side by side. */
KERNEL const uint32_t *listed_slots(const pliant__sweep *sweep, const pliant__batch *b)
{
    const pliant__patch *patch = &sweep->model->patches[b->patch];
    return patch->first_listed == PLIANT__NONE ? NULL : sweep->model->patch_slots + patch->first_listed;
}

/* Where the slots of a batch are numbered from. */
KERNEL pliant_real *patch_x(const pliant__sweep *sweep, const pliant__batch *b, const uint32_t *listed)
{
    return sweep->x + (listed ? 0 : 4 * (size_t)(sweep->model->patches[b->patch].first_slot - sweep->origin));
}

/* Fetches what `count` rows read that come `ahead` rows later: a processor fetches ahead by itself, but not past the end of a page, and
 * batches are many short runs. A third less time where rows come from memory. Once per block, whatever the width. */
KERNEL void fetch_rows(const rows_of *of, uint32_t row, uint32_t count, uint32_t ahead, uint32_t slots, uint32_t members)
{
#ifdef __GNUC__
    const uintptr_t index = (uintptr_t)of->index + (size_t)(row + ahead) * slots * sizeof *of->index; /* may lie past the end */
    const uintptr_t parameter = (uintptr_t)of->parameter + (size_t)((row + ahead) / PLIANT__BLOCK) * of->step * sizeof(pliant_real);
    const uint32_t  blocks = count < PLIANT__BLOCK ? 1 : count / PLIANT__BLOCK;
    if (row % PLIANT__BLOCK) return;
    for (uint32_t i = 0; i < blocks * PLIANT__BLOCK * slots * sizeof *of->index; i += 64) __builtin_prefetch((const void *)(index + i));
    for (uint32_t i = 0; of->step && i < blocks * PLIANT__BLOCK * members * sizeof(pliant_real); i += 64)
        __builtin_prefetch((const void *)(parameter + i));
#else
    (void)of, (void)row, (void)count, (void)ahead, (void)slots, (void)members;
#endif
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
