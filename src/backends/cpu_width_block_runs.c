/* Distances of a tile in lanes, block run by block run (see compile/tile_strips.c), and distances of 16 states, row by row. Block runs are short, and a block is
 * projected in three parts, so that where registers suffice a block's root is on its way while the block before it waits for its quotient: a
 * processor does not look far enough ahead for that by itself. Blocks of a block run share no group. */
#include "backends/rows.h"
#include "constraints/kinds/distance.h"
#include "solver/sweep.h"

/* W rows on their way. */
typedef struct moving {
    pliant_real *p, *q; /* where their particles lie */
    vvec         a, b, d;
    vreal        length, change;
} moving;

KERNEL moving measured_at(pliant_real *p, pliant_real *q)
{
    moving m = {.p = p, .q = q, .a = load_place(p), .b = load_place(q)};
    m.d = vsub(m.a, m.b);
    m.length = vlength(m.d);
    return m;
}

KERNEL moving measured(pliant_real *groups, const rows_of *of, uint32_t row)
{
    const uint16_t *index = of->index + row / PLIANT__BLOCK * 4;
    uint32_t        at[2];
    memcpy(at, index, sizeof at);
    return measured_at(groups + at[0] + row % PLIANT__BLOCK, groups + at[1] + row % PLIANT__BLOCK);
}

KERNEL vreal change_of(const moving *m, vreal rest, vlaw law, bool compliant, vreal lambda)
{
    return distance_quotient(m->length, mass_at(m->p) + mass_at(m->q), rest, compliant, law, lambda);
}

KERNEL void divide(moving *m, const rows_of *of, uint32_t row, vlaw law, bool compliant, bool keeps)
{
    const vreal rest = load_lanes(of->parameter + row / PLIANT__BLOCK * of->step + row % PLIANT__BLOCK);
    m->change = change_of(m, rest, law, compliant, compliant && of->alpha > 0 ? kept_lambda(of, row, keeps) : vsplat(0));
}

KERNEL vvec moved_first(const moving *m, vreal change) { return vadd(m->a, vscale(m->d, mass_at(m->p) * change)); }

KERNEL vvec moved_second(const moving *m, vreal change) { return vsub(m->b, vscale(m->d, mass_at(m->q) * change)); }

KERNEL void move(const moving *m, const rows_of *of, uint32_t row, bool all, bool keeps)
{
    const uint32_t active = all ? EVERY_LANE : active_bits(of->active, row);
    const vreal    change = all ? m->change : keep_lanes(active, m->change);
    keep_lambda(of, row, keeps, kept_lambda(of, row, keeps), all ? change * m->length : keep_lanes(active, change * m->length));
    store_place(m->p, all, active, moved_first(m, change));
    store_place(m->q, all, active, moved_second(m, change));
}

KERNEL void walk(pliant_real *groups, const rows_of *of, uint32_t row, uint32_t end, bool all, bool compliant, bool keeps)
{
    const vlaw law = plain_law(of->alpha, of->stiffness, of->ease);
#if W == 16
    moving m = measured(groups, of, row);
    for (; row + 2 * W < end; row += 2 * W) {
        divide(&m, of, row, law, compliant, keeps);
        moving next = measured(groups, of, row + W);
        move(&m, of, row, all, keeps);
        divide(&next, of, row + W, law, compliant, keeps);
        m = measured(groups, of, row + 2 * W);
        move(&next, of, row + W, all, keeps);
    }
    if (row + W < end) {
        divide(&m, of, row, law, compliant, keeps);
        const moving next = measured(groups, of, row + W);
        move(&m, of, row, all, keeps);
        m = next;
        row += W;
    }
    divide(&m, of, row, law, compliant, keeps);
    move(&m, of, row, all, keeps);
#else
    for (; row < end; row += W) {
        moving m = measured(groups, of, row);
        divide(&m, of, row, law, compliant, keeps);
        move(&m, of, row, all, keeps);
    }
#endif
}

/* Whether all lanes of a block run have an active row. Where masks cost nothing this is not checked. */
KERNEL bool is_whole(const rows_of *of, const pliant__block_run *block_run)
{
#if W == 16
    (void)of, (void)block_run;
    return false;
#else
    uint32_t active = UINT16_MAX;
    for (uint32_t i = 0; i < block_run->count; i++) active &= of->active[block_run->first + i];
    return active == UINT16_MAX;
#endif
}

KERNEL void walk_block_run(pliant_real *groups, const rows_of *of, const pliant__block_run *block_run, bool compliant, bool keeps)
{
    const uint32_t row = block_run->first * PLIANT__BLOCK, end = row + block_run->count * PLIANT__BLOCK;
    if (is_whole(of, block_run))
        walk(groups, of, row, end, true, compliant, keeps);
    else
        walk(groups, of, row, end, false, compliant, keeps);
}

void PLIANT__OF_WIDTH(project_distances_by_runs)(const pliant__sweep *sweep, const pliant__block_run *block_runs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const pliant__batch *b = &sweep->model->batches[block_runs[i].batch];
        const rows_of        of = rows_of_batch(sweep, b);
        if (sweep->lambda)
            walk_block_run(sweep->lanes, &of, &block_runs[i], true, true);
        else if (sweep->laws[b->law].soft)
            walk_block_run(sweep->lanes, &of, &block_runs[i], true, false);
        else
            walk_block_run(sweep->lanes, &of, &block_runs[i], false, false);
    }
}

/* ---- the same distances of 16 states ---- */

KERNEL moving measured_row(pliant_real *lanes, const pliant__rows *rows, uint32_t row)
{
    const uint32_t *slot = rows->slot + 2 * (size_t)row;
    return measured_at(lanes + (size_t)slot[0] * 4 * PLIANT__BLOCK, lanes + (size_t)slot[1] * 4 * PLIANT__BLOCK);
}

KERNEL void divide_row(moving *m, const pliant__rows *rows, uint32_t row, vlaw law, bool compliant)
{
    m->change = change_of(m, vsplat(rows->parameter[row]), law, compliant, vsplat(0));
}

KERNEL void move_row(const moving *m, uint32_t anchors)
{
    const vvec to[2] = {moved_first(m, m->change), moved_second(m, m->change)};
    if (!(anchors & 1u)) store_place(m->p, true, EVERY_LANE, to[0]);
    if (!(anchors & 2u)) store_place(m->q, true, EVERY_LANE, to[1]);
}

/* Rows that share no particle that moves: as above, a row's root is on its way while the one before it waits for its quotient. */
KERNEL void walk_rows(pliant_real *lanes, const pliant__rows *rows, uint32_t anchors, vlaw law, bool compliant)
{
    const uint32_t last = rows->count - 1;
    uint32_t       row = 0;
    moving         m = measured_row(lanes, rows, 0), next;
    for (; row + 1 < last; row += 2) {
        divide_row(&m, rows, row, law, compliant);
        next = measured_row(lanes, rows, row + 1);
        move_row(&m, anchors);
        divide_row(&next, rows, row + 1, law, compliant);
        m = measured_row(lanes, rows, row + 2);
        move_row(&next, anchors);
    }
    divide_row(&m, rows, row, law, compliant);
    if (row < last) next = measured_row(lanes, rows, last);
    move_row(&m, anchors);
    if (row == last) return;
    divide_row(&next, rows, last, law, compliant);
    move_row(&next, anchors);
}

void PLIANT__OF_WIDTH(project_distances_of_states)(const pliant__sweep *sweep, const pliant__batch *batch, const pliant__rows *rows)
{
    const pliant__law_now *now = sweep->laws + batch->law;
    const vlaw             law = plain_law(now->alpha, now->stiffness, now->ease);
    for (uint32_t part = 0; part < PLIANT__BLOCK && rows->count; part += W) {
        if (now->soft)
            walk_rows(sweep->lanes + part, rows, batch->anchors, law, true);
        else
            walk_rows(sweep->lanes + part, rows, batch->anchors, law, false);
    }
}
