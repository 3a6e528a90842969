/* Held batches: tethers of a group's particles to anchors. Of kinds that say KIND_HELD: two particles, one row, at most.
 *
 * A tether is a row. In most blocks all rows have one anchor, and most rows are slack. An anchor that W rows share is read once; W rows that are
 * all slack are passed over after their distances. Such a row may not even turn the sign of a zero, so a row with a change of 0 moves no particle,
 * neither here nor in kind_general.h. */
#ifndef PLIANT_BACKENDS_KIND_HELD_H
#define PLIANT_BACKENDS_KIND_HELD_H

#include "backends/kind.h"

/* Positions of the anchors of W rows of a block. An anchor's inverse mass is 0. */
KERNEL vvec anchors_of(const pliant__sweep *sweep, const uint16_t *number)
{
    uint32_t others = 0, place[PLIANT__BLOCK];
    vvec     x;
    vreal    w;
    for (uint32_t i = 1; i < W; i++) others |= number[i] ^ number[0];
    if (!others) {
        const pliant_real *at = sweep->anchors + 8 * (size_t)number[0];
        return vvec_of(vsplat(at[0]), vsplat(at[1]), vsplat(at[2]));
    }
    for (uint32_t i = 0; i < W; i++) place[i] = 2u * number[i];
    load_slots(sweep->anchors, wide_slots(place), &x, &w);
    return x;
}

/* Rows that may pull, a bit each: a row is slack where its particle is nearer to the anchor than the row is long, by more than rounding. */
KERNEL uint32_t taut_lanes(vvec x, vvec anchor, vreal length)
{
    const vvec d = vsub(x, anchor);
    return EVERY_LANE & ~bits_of(vdot(d, d) < length * length * K(0.99999));
}

/* By how much multipliers of W rows change, as project_general has it for a limit that is not damped, and where particles are then. */
KERNEL vreal held_change(const vvec *at, vreal w, vreal length, vlaw law, vreal lambda, uint32_t active, vvec *to)
{
    const project_mode mode = {true, true, PLIANT_AT_MOST};
    const vreal        parameter[1] = {length}, ws[2] = {w, vsplat(0)};
    vvec               gradient[2];
    vreal              C[1];
    kind_value(at, parameter, C, gradient);
    const vreal change = keep_lanes(
        active, multiplier_change(mode, law, C[0], weighted_norm(2, gradient, ws), path_derivative(2, gradient, at, at), length, lambda));
    *to = vadd(at[0], vscale(gradient[0], w * change));
    return change;
}

#define EACH(i) (uint16_t)((i)*PLIANT__NUMBER)
static const uint16_t following[PLIANT__BLOCK] = {EACH(0), EACH(1), EACH(2),  EACH(3),  EACH(4),  EACH(5),  EACH(6),  EACH(7),
                                                  EACH(8), EACH(9), EACH(10), EACH(11), EACH(12), EACH(13), EACH(14), EACH(15)};

/* W rows of a block: tethers of a group's particles to anchors, or of so many particles one after another. */
KERNEL void move_held(const pliant__sweep *sweep, const pliant__batch *batch, const rows_of *of, uint32_t row, vlaw law)
{
    const uint32_t  block = row / PLIANT__BLOCK, part = row % PLIANT__BLOCK;
    const uint16_t *index = of->index + (size_t)block * PLIANT__HELD_NUMBERS;
    const bool      keeps = of->kept != NULL;
    const uint32_t  active = active_bits(of->active, row), rows = pliant__block_rows(sweep->model, batch, block) >> part & EVERY_LANE;
    const vreal     length = load_lanes(of->parameter + block * of->step + part), lambda = kept_lambda(of, row, keeps);
    const vslots    each = {following, NULL, NULL};
    pliant_real    *place = NULL;
    uint32_t        offset, found[SLOTS * PLIANT__BLOCK];
    vvec            at[2], to;
    vreal           w;
    if (sweep->lanes) {
        memcpy(&offset, index, sizeof offset);
        place = sweep->lanes + offset + part;
        at[0] = load_place(place);
        w = mass_at(place);
    } else if (rows == EVERY_LANE) {
        place = sweep->x + 4 * (size_t)(pliant__held_slot(&sweep->model->patches[batch->patch], index) + part - sweep->origin);
        load_slots(place, each, &at[0], &w);
    } else {
        find_held(found, sweep, batch, block, part);
        load_slots(sweep->x, wide_slots(found), &at[0], &w);
    }
    at[1] = anchors_of(sweep, index + 2 + part);
    if (!(active & rows & taut_lanes(at[0], at[1], length)) && (!keeps || of->first)) {
        keep_lambda(of, row, keeps, lambda, vsplat(0));
        return;
    }
    const vreal    change = held_change(at, w, length, law, lambda, active & rows, &to);
    const uint32_t moves = bits_of(change != vsplat(0));
    keep_lambda(of, row, keeps, lambda, change);
    if (sweep->lanes)
        store_place(place, false, moves, to);
    else if (rows == EVERY_LANE)
        store_slots(place, each, moves, to, w);
    else
        store_slots(sweep->x, wide_slots(found), moves, to, w);
}

KERNEL void project_held(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t blocks)
{
    const rows_of  of = rows_of_batch(sweep, batch);
    const vlaw     law = splat_law(sweep->laws + batch->law);
    const uint32_t begin = first * PLIANT__BLOCK, end = begin + blocks * PLIANT__BLOCK;
    for (uint32_t row = begin; row < end; row += W) move_held(sweep, batch, &of, row, law);
}

#endif
