/* Equalities of one law, W at a time: batches of packed rows, and groups of a tile in lanes.
 *
 * Three texts for rows that are all active: with and without compliance where no multiplier is kept, and one where they are. A rigid row is a compliant one
 * with compliance 0, stiffness 1 and ease 1 to the last bit, zeros' signs too, as long as its multiplier counts as 0; so the last text and those
 * for other rows are there once. */
#ifndef PLIANT_BACKENDS_KIND_PLAIN_H
#define PLIANT_BACKENDS_KIND_PLAIN_H

#include "backends/kind.h"

#define ROWS_AHEAD (16 * PLIANT__BLOCK)

/* Gradients or other vectors to move along, and by how much multipliers change; over `length`, where vectors are not gradients. */
KERNEL vreal plain_change(const vvec *at, const vreal *w, const vreal *parameter, bool compliant, bool keeps, vlaw law, vreal lambda,
                          vvec *along, vreal *length)
{
    vreal C[ROWS];
    *length = vsplat(1);
    if (IS_DIRECT) return kind_change(at, w, parameter, compliant, keeps, law, lambda, along, length);
    kind_value(at, parameter, C, along);
    return multiplier_change((project_mode){compliant, false, PLIANT_EQUAL}, law, C[0], weighted_norm(SLOTS, along, w), vsplat(0),
                             vsplat(0), lambda);
}

/* The same of constraints with several rows: all changes of a row's multiplier, each felt as it is kept (as project_general has it). What several rows
 * have in the place of the functions below stands beside them: with one text for both, kernels of one row took 2 % more instructions. */
KERNEL void plain_changes(const vvec *at, const vreal *w, const vreal *parameter, bool compliant, vlaw law, const vreal *lambda,
                          vvec *gradient, vreal *change)
{
    vreal C[ROWS];
    kind_value(at, parameter, C, gradient);
    kind_rows_change((project_mode){compliant, false, PLIANT_EQUAL}, law, C, gradient, w, parameter, at, at, lambda, change);
}

/* Multipliers of W constraints, where they are kept; and what they are after their change. */
KERNEL void load_lambdas(const rows_of *of, uint32_t row, bool keeps, vreal *lambda)
{
    UNROLL
    for (uint32_t r = 0; r < ROWS; r++) lambda[r] = kept_lambda_of(of, row, ROWS, r, keeps);
}

KERNEL void store_lambdas(const rows_of *of, uint32_t row, bool keeps, const vreal *lambda, const vreal *change)
{
    UNROLL
    for (uint32_t r = 0; r < ROWS; r++) keep_lambda_of(of, row, ROWS, r, keeps, lambda[r], change[r]);
}

/* W constraints with several rows, as move_plain has those with one. */
KERNEL void move_plain_rows(pliant_real *x, const rows_of *of, const pliant__model_law *given, vlaw law, uint32_t row, vrows rows,
                            uint32_t index_slots, const uint8_t *place, uint32_t anchors, bool compliant, bool keeps,
                            const uint32_t *listed)
{
    const uint32_t  block = row / PLIANT__BLOCK, part = row % PLIANT__BLOCK;
    const uint16_t *index = of->index + (size_t)block * PLIANT__BLOCK * index_slots + part;
    vvec            at[SLOTS], gradient[ROWS * SLOTS];
    vreal           w[SLOTS], parameter[PARAMETERS_ROOM], lambda[ROWS], change[ROWS];
    load_parameters(of->parameter + block * of->step + part, parameter);
    if (NUMBERS) load_numbers(given, 0, NULL, parameter);
    UNROLL
    for (uint32_t s = 0; s < SLOTS; s++) load_slots(x, (vslots){index + place[s] * PLIANT__BLOCK, listed, NULL}, &at[s], &w[s]);
    load_lambdas(of, row, keeps, lambda);
    plain_changes(at, w, parameter, compliant, law, lambda, gradient, change);
    UNROLL
    for (uint32_t r = 0; r < ROWS; r++) change[r] = active_only(rows, change[r]);
    store_lambdas(of, row, keeps, lambda, change);
    UNROLL
    for (uint32_t s = 0; s < SLOTS; s++) {
        at[s] = moved_by_rows(s, at[s], w[s], gradient, change);
        if (!(anchors >> s & 1u)) store_slots_here(x, (vslots){index + place[s] * PLIANT__BLOCK, listed, NULL}, rows.lanes, at[s], w[s]);
    }
}

/* `times` times W rows of one batch, `given` its law as the inputs have it, from `row` on, of which all are active or some; slots are numbered in the patch, by places that differ. */
KERNEL void move_plain(pliant_real *x, const rows_of *of, const pliant__model_law *given, vlaw law, uint32_t row, vrows rows,
                       uint32_t times, uint32_t index_slots, const uint8_t *place, uint32_t anchors, bool compliant, bool keeps,
                       const uint32_t *listed)
{
    if (ROWS > 1) {
        for (uint32_t k = 0; k < times; k++)
            move_plain_rows(x, of, given, law, row + k * W, rows, index_slots, place, anchors, compliant, keeps, listed);
        return;
    }
    const uint32_t     block = row / PLIANT__BLOCK, part = row % PLIANT__BLOCK;
    const uint16_t    *index = of->index + (size_t)block * PLIANT__BLOCK * index_slots + part;
    const pliant_real *number = of->parameter + block * of->step + part;
    vvec               at[2][SLOTS], along[2][ROWS * SLOTS];
    vreal              w[2][SLOTS], parameter[2][PARAMETERS_ROOM], change[2], lambda[2], length[2];
    UNROLL
    for (uint32_t k = 0; k < times; k++) {
        load_parameters(number + k * of->step, parameter[k]);
        if (NUMBERS) load_numbers(given, 0, NULL, parameter[k]);
        UNROLL
        for (uint32_t s = 0; s < SLOTS; s++)
            load_slots(x, (vslots){index + (k * index_slots + place[s]) * PLIANT__BLOCK, listed, NULL}, &at[k][s], &w[k][s]);
    }
    UNROLL
    for (uint32_t k = 0; k < times; k++) lambda[k] = kept_lambda(of, row + k * W, keeps);
    UNROLL
    for (uint32_t k = 0; k < times; k++)
        change[k] = active_only(
            rows, plain_change(at[k], w[k], parameter[k], compliant, keeps, law, felt_lambda(of, keeps, lambda[k]), along[k], &length[k]));
    UNROLL
    for (uint32_t k = 0; k < times; k++) keep_lambda(of, row + k * W, keeps, lambda[k], change[k] * length[k]);
    UNROLL
    for (uint32_t k = 0; k < times; k++) UNROLL
    for (uint32_t s = 0; s < SLOTS; s++) {
        at[k][s] = moved_slot(s, at[k][s], along[k][s], w[k][s] * change[k]);
        if (!(anchors >> s & 1u))
            store_slots_here(x, (vslots){index + (k * index_slots + place[s]) * PLIANT__BLOCK, listed, NULL}, rows.lanes, at[k][s],
                             w[k][s]);
    }
}

/* Vectors of a batch that are worth projecting at once: each is long and waits for its division, maybe after a square root, and a processor does not
 * look far enough ahead to begin the next block meanwhile. */
#define AT_ONCE (W == 16 && IS_DIRECT ? 2u : 1u)

/* Rows of a batch of which all are active, in their order: as many as make whole vectors. Returns how many were projected. */
KERNEL uint32_t project_whole(const pliant__sweep *sweep, const pliant__batch *batch, pliant_real *x, const rows_of *of, bool compliant,
                              bool keeps)
{
    static const uint8_t in_order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    uint32_t             row = 0;
    const vlaw           law = plain_law(of->alpha, of->stiffness, of->ease);
    for (; row + AT_ONCE * W <= batch->count; row += AT_ONCE * W) {
        if (sweep->far) fetch_rows(of, row, AT_ONCE * W, ROWS_AHEAD, SLOTS, PARAMETERS);
        move_plain(x, of, sweep->given_laws + batch->law, law, row, (vrows){true, 0, EVERY_LANE}, AT_ONCE, SLOTS, in_order, 0, compliant,
                   keeps, NULL);
    }
    return row;
}

/* The other rows, from `row` on. They are few or spread in memory: each vector asks whether multipliers are kept, so that the text is there once. */
KERNEL void project_rest(const pliant__sweep *sweep, const pliant__batch *batch, pliant_real *x, const rows_of *of, uint32_t row,
                         const uint32_t *listed)
{
    const vlaw law = plain_law(of->alpha, of->stiffness, of->ease);
    for (; row < batch->count; row += W)
        move_plain(x, of, sweep->given_laws + batch->law, law, row, (vrows){false, active_bits(of->active, row), rows_left(batch, row)}, 1,
                   batch->index_slots, batch->place, batch->anchors, true, sweep->lambda != NULL, listed);
}

KERNEL void project_plain(const pliant__sweep *sweep, const pliant__batch *batch, bool compliant)
{
    const uint32_t *listed = listed_slots(sweep, batch);
    pliant_real    *x = patch_x(sweep, batch, listed);
    const rows_of   of = rows_of_batch(sweep, batch);
    uint32_t        row = 0;
    if (listed) {
        project_rest(sweep, batch, x, &of, 0, listed);
        return;
    }
    if (!IS_SPARE && !batch->shape && !batch->anchors && all_active(sweep, batch))
        row = sweep->lambda ? project_whole(sweep, batch, x, &of, true, true)
              : compliant   ? project_whole(sweep, batch, x, &of, true, false)
                            : project_whole(sweep, batch, x, &of, false, false);
    project_rest(sweep, batch, x, &of, row, NULL);
}

/* ---- regular batches in lanes ---- */

/* Groups of a tile lie one after another in sweep->lanes, each x y z w of its 16 lanes. A slot that lies some lanes further on is read from there; lanes
 * then read past the group's end have no row, and are written back as they were. */
typedef struct lanes_in {
    vvec         at[SLOTS];
    vreal        w[SLOTS], parameter[PARAMETERS_ROOM];
    pliant_real *place[SLOTS];
} lanes_in;

KERNEL void load_lanes_of_rows(lanes_in *in, pliant_real *groups, const rows_of *of, const pliant__model_law *given, uint32_t row)
{
    const uint32_t  block = row / PLIANT__BLOCK, part = row % PLIANT__BLOCK;
    const uint16_t *index = of->index + (size_t)block * 2 * SLOTS;
    load_parameters(of->parameter + block * of->step + part, in->parameter);
    if (NUMBERS) load_numbers(given, 0, NULL, in->parameter);
    UNROLL
    for (uint32_t s = 0; s < SLOTS; s++) {
        uint32_t offset;
        memcpy(&offset, index + 2 * s, sizeof offset);
        in->place[s] = groups + offset + part;
        in->at[s] = load_place(in->place[s]);
        in->w[s] = mass_at(in->place[s]);
    }
}

KERNEL void store_lanes_of_rows(const lanes_in *in, bool all, uint32_t active, const vvec *along, vreal change)
{
    UNROLL
    for (uint32_t s = 0; s < SLOTS; s++) store_place(in->place[s], all, active, moved_slot(s, in->at[s], along[s], in->w[s] * change));
}

/* W constraints with several rows, as move_lanes has those with one. */
KERNEL void move_lanes_rows(pliant_real *groups, const rows_of *of, const pliant__model_law *given, vlaw law, uint32_t row, bool ask,
                            uint32_t active, bool compliant, bool keeps)
{
    const bool all = ask && active == EVERY_LANE;
    lanes_in   in;
    vvec       gradient[ROWS * SLOTS];
    vreal      lambda[ROWS], change[ROWS];
    load_lambdas(of, row, keeps, lambda);
    load_lanes_of_rows(&in, groups, of, given, row);
    plain_changes(in.at, in.w, in.parameter, compliant, law, lambda, gradient, change);
    UNROLL
    for (uint32_t r = 0; r < ROWS; r++) change[r] = all ? change[r] : keep_lanes(active, change[r]);
    store_lambdas(of, row, keeps, lambda, change);
    UNROLL
    for (uint32_t s = 0; s < SLOTS; s++) store_place(in.place[s], all, active, moved_by_rows(s, in.at[s], in.w[s], gradient, change));
}

/* W rows, of which those in `active` are. `ask`: whether that is all of them is asked once they are projected, so that vectors of active rows have no masks. */
KERNEL void move_lanes(pliant_real *groups, const rows_of *of, const pliant__model_law *given, vlaw law, uint32_t row, bool ask,
                       uint32_t active, bool compliant, bool keeps)
{
    if (ROWS > 1) {
        move_lanes_rows(groups, of, given, law, row, ask, active, compliant, keeps);
        return;
    }
    const vreal lambda = kept_lambda(of, row, keeps);
    lanes_in    in;
    vvec        along[ROWS * SLOTS];
    vreal       length;
    load_lanes_of_rows(&in, groups, of, given, row);
    const vreal change = plain_change(in.at, in.w, in.parameter, compliant, keeps, law, felt_lambda(of, keeps, lambda), along, &length);
    if (ask && active == EVERY_LANE) {
        keep_lambda(of, row, keeps, lambda, change * length);
        store_lanes_of_rows(&in, true, EVERY_LANE, along, change);
        return;
    }
    keep_lambda(of, row, keeps, lambda, keep_lanes(active, change * length)); /* the length of no row may be none */
    store_lanes_of_rows(&in, false, active, along, keep_lanes(active, change));
}

/* Whether masks cost nothing, so that vectors need not be asked whether all of their lanes have an active row. */
#define MASKS_ARE_FREE (W == 16)

/* Blocks of which some lanes may have no active row. */
KERNEL void project_some_lanes(pliant_real *groups, const rows_of *of, const pliant__model_law *given, uint32_t begin, uint32_t end,
                               bool compliant, bool keeps)
{
    const vlaw law = plain_law(of->alpha, of->stiffness, of->ease);
    for (uint32_t row = begin; row < end; row += W)
        move_lanes(groups, of, given, law, row, !MASKS_ARE_FREE, active_bits(of->active, row), compliant, keeps);
}

KERNEL void project_all_lanes(pliant_real *groups, const rows_of *of, const pliant__model_law *given, uint32_t begin, uint32_t end,
                              bool compliant)
{
    const vlaw law = plain_law(of->alpha, of->stiffness, of->ease);
    for (uint32_t row = begin; row < end; row += W) move_lanes(groups, of, given, law, row, true, EVERY_LANE, compliant, false);
}

KERNEL void project_lanes(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t blocks, bool compliant)
{
    const rows_of            of = rows_of_batch(sweep, batch);
    const pliant__model_law *given = sweep->given_laws + batch->law;
    const uint32_t           begin = first * PLIANT__BLOCK, end = begin + blocks * PLIANT__BLOCK;
    const bool               keeps = sweep->lambda != NULL;
    if (MASKS_ARE_FREE && !keeps && all_active(sweep, batch)) {
        if (compliant)
            project_all_lanes(sweep->lanes, &of, given, begin, end, true);
        else
            project_all_lanes(sweep->lanes, &of, given, begin, end, false);
    } else if (MASKS_ARE_FREE)
        project_some_lanes(sweep->lanes, &of, given, begin, end, true, keeps);
    else if (IS_SPARE)
        project_some_lanes(sweep->lanes, &of, given, begin, end, true, keeps);
    else if (keeps)
        project_some_lanes(sweep->lanes, &of, given, begin, end, true, true);
    else if (compliant)
        project_some_lanes(sweep->lanes, &of, given, begin, end, true, false);
    else
        project_some_lanes(sweep->lanes, &of, given, begin, end, false, false);
}

#endif
