/* Rows of any law and limit, W at a time, as one kernel each: projected, gathered, measured, linearised, weighed by their energy; and the same rows of
 * 16 states. */
#ifndef PLIANT_BACKENDS_KIND_GENERAL_H
#define PLIANT_BACKENDS_KIND_GENERAL_H

#include "backends/kind.h"
#include "solver/row_energy.h"

/* The mode in which a batch is projected depends on its law alone and never on other rows of the batch: even the sign of a zero is then the same in whatever
 * batch a row lies. */
KERNEL bool has_own_laws(const pliant__batch *batch) { return batch->law == PLIANT__NONE; }

KERNEL bool is_compliant(const pliant__sweep *sweep, const pliant__batch *batch)
{
    return has_own_laws(batch) ? batch->compliant || sweep->softened : sweep->laws[batch->law].soft;
}

KERNEL bool is_damped(const pliant__sweep *sweep, const pliant__batch *batch)
{
    return has_own_laws(batch) ? batch->damped || sweep->damped : sweep->laws[batch->law].damped;
}

/* Laws of W rows from `row` on: `law`, the batch's, or each row's own. */
KERNEL vlaw law_of_rows(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t row, vlaw law)
{
    return has_own_laws(batch) ? gather_law(sweep->laws, sweep->model->row_law + batch->own_laws + row) : law;
}

KERNEL vlaw law_of_batch(const pliant__sweep *sweep, const pliant__batch *batch)
{
    return splat_law(sweep->laws + (has_own_laws(batch) ? 0 : batch->law));
}

/* Where multipliers of W rows from `row` on lie: row r of a constraint 16 r further on. */
KERNEL pliant_real *multipliers(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t row)
{
    return sweep->lambda + batch->lambda + (size_t)(row / PLIANT__BLOCK) * PLIANT__BLOCK * ROWS + row % PLIANT__BLOCK;
}

/* The end of rows in blocks [first, first + count) of a batch. */
KERNEL uint32_t end_of_rows(const pliant__batch *batch, uint32_t first, uint32_t count)
{
    const uint32_t end = (first + count) * PLIANT__BLOCK;
    return end < batch->count ? end : batch->count;
}

/* The parameter that a limit's range scales. */
KERNEL vreal rest_of(const vreal *parameter) { return PARAMETERS ? parameter[0] : vsplat(0); }

/* ---- projected ---- */

/* Damped rows of kinds with a projection of their own are projected by their value and gradients, the others as if they lay in a batch of their own: the
 * text of a row depends on its law alone, also where laws are changed live. */
KERNEL void take_damped(const vvec *x, const vreal *w, const vreal *parameter, vlaw law, const vvec *start, vreal lambda, vvec *gradient,
                        vreal *length, vreal *change)
{
    const vmask damped = law.gamma > vsplat(0);
    vvec        n[ROWS * SLOTS];
    vreal       C[ROWS];
    kind_value(x, parameter, C, n);
    const vreal by = multiplier_change((project_mode){true, true, PLIANT_EQUAL}, law, C[0], weighted_norm(SLOTS, n, w),
                                       path_derivative(SLOTS, n, x, start), vsplat(0), lambda);
    *change = vselect(damped, by, *change);
    *length = vselect(damped, vsplat(1), *length);
    UNROLL
    for (uint32_t s = 0; s < SLOTS; s++)
        gradient[s] =
            vvec_of(vselect(damped, n[s].x, gradient[s].x), vselect(damped, n[s].y, gradient[s].y), vselect(damped, n[s].z, gradient[s].z));
}

/* Where particles of damped rows began; others ask for no path, and see none. */
KERNEL void load_starts(vvec *start, const rows_in *in, const pliant__sweep *sweep, const pliant__batch *batch, vlaw law)
{
    const vmask damped = law.gamma > vsplat(0);
    UNROLL
    for (uint32_t s = 0; s < SLOTS; s++) {
        vvec  p;
        vreal unused;
        load_slots(slots_from(sweep, batch, s, sweep->start, IS_START), wide_slots(in->index + s * PLIANT__BLOCK), &p, &unused);
        start[s] = vvec_of(vselect(damped, p.x, start[s].x), vselect(damped, p.y, start[s].y), vselect(damped, p.z, start[s].z));
    }
}

/* The multiplier of a row that is not damped, as an equality feels it: a rigid one does not. */
KERNEL vreal felt_by(vlaw law, vreal lambda) { return vkeep(law.alpha > vsplat(0), lambda); }

/* Gradients of a constraint, and by how much its multipliers change; `length` of the gradients, where they are not units. */
KERNEL void find_change(const vvec *x, const vreal *w, const vreal *parameter, vlaw law, const vvec *start, const vreal *lambda,
                        project_mode mode, vvec *gradient, vreal *length, vreal *change)
{
    vreal C[ROWS];
    *length = vsplat(1);
    if (IS_DIRECT && mode.limit == PLIANT_EQUAL) {
        change[0] = kind_change(x, w, parameter, true, true, law, felt_by(law, lambda[0]), gradient, length);
        if (AGAINST < SLOTS) gradient[AGAINST % SLOTS] = vneg(gradient[AGAINST % SLOTS]);
        if (mode.damped) take_damped(x, w, parameter, law, start, lambda[0], gradient, length, change);
        return;
    }
    kind_value(x, parameter, C, gradient);
    if (ROWS == 1)
        change[0] = multiplier_change(mode, law, C[0], weighted_norm(SLOTS, gradient, w),
                                      mode.damped ? path_derivative(SLOTS, gradient, x, start) : vsplat(0), rest_of(parameter),
                                      mode.damped ? lambda[0] : felt_by(law, lambda[0]));
    else
        kind_rows_change(mode, law, C, gradient, w, parameter, x, start, lambda, change);
}

/* Adds up what rows of a constraint make of a slot's position. */
KERNEL vvec moved_by_rows(uint32_t slot, vvec x, vreal w, const vvec *gradient, const vreal *change)
{
    UNROLL
    for (uint32_t r = 0; r < ROWS; r++) {
        const vvec to = vadd(x, vscale(gradient[r * SLOTS + slot], w * change[r]));
        x = MAY_BE_HELD ? moved_if(change[r], x, to) : to;
    }
    return x;
}

KERNEL void project_rows(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, project_mode mode)
{
    const vlaw     common = law_of_batch(sweep, batch);
    const bool     path = mode.damped && sweep->start && is_damped(sweep, batch);
    const uint32_t end = end_of_rows(batch, first, count);
    for (uint32_t row = first * PLIANT__BLOCK; row < end; row += W) {
        rows_in      in;
        vvec         start[SLOTS], gradient[ROWS * SLOTS];
        vreal        lambda[ROWS], change[ROWS], length;
        pliant_real *kept = sweep->lambda ? multipliers(sweep, batch, row) : NULL;
        const vlaw   law = law_of_rows(sweep, batch, row, common);
        load_rows(&in, sweep, batch, row);
        UNROLL
        for (uint32_t r = 0; r < ROWS; r++) lambda[r] = kept && !sweep->first ? load_lanes(kept + r * PLIANT__BLOCK) : vsplat(0);
        if (mode.damped) UNROLL
        for (uint32_t s = 0; s < SLOTS; s++) start[s] = in.x[s];
        if (path) load_starts(start, &in, sweep, batch, law);
        find_change(in.x, in.w, in.parameter, law, start, lambda, mode, gradient, &length, change);
        UNROLL
        for (uint32_t r = 0; r < ROWS; r++) {
            if (in.bits != EVERY_LANE) change[r] = vkeep(mask_of(in.bits), change[r]);
            if (kept) store_lanes(kept + r * PLIANT__BLOCK, lambda[r] + change[r] * length);
        }
        UNROLL
        for (uint32_t s = 0; s < SLOTS; s++) in.x[s] = moved_by_rows(s, in.x[s], in.w[s], gradient, change);
        store_rows(sweep, &in, batch->anchors);
    }
}

KERNEL void project_general(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count)
{
    if (ROWS > 1 || batch->limit != PLIANT_EQUAL || is_damped(sweep, batch))
        project_rows(sweep, batch, first, count, (project_mode){true, true, (pliant_limit)batch->limit});
    else
        project_rows(sweep, batch, first, count, (project_mode){true, false, PLIANT_EQUAL});
}

/* W rows from `row` on, with values and gradients. Its text is there once, for kernels that only look at rows, or seldom run. */
static __attribute__((noinline)) void evaluate(rows_in *in, const pliant__sweep *sweep, const pliant__batch *batch, uint32_t row, vreal *C,
                                               vvec *gradient)
{
    load_rows(in, sweep, batch, row);
    kind_value(in->x, in->parameter, C, gradient);
}

/* ---- gathered ---- */

/* By how much multipliers of W rows change where every row sees the same positions, `counted` in the place of inverse masses. */
KERNEL void gathered_change(const rows_in *in, const pliant__sweep *sweep, const pliant__batch *batch, vlaw law, const vreal *lambda,
                            const vreal *counted, project_mode mode, const vreal *C, const vvec *gradient, vreal *change)
{
    vvec  start[SLOTS];
    vreal unused;
    if (mode.damped) UNROLL
    for (uint32_t s = 0; s < SLOTS; s++)
        load_slots(slots_from(sweep, batch, s, sweep->start, IS_START), wide_slots(in->index + s * PLIANT__BLOCK), &start[s], &unused);
    if (ROWS == 1)
        change[0] =
            multiplier_change(mode, law, C[0], weighted_norm(SLOTS, gradient, counted),
                              mode.damped ? path_derivative(SLOTS, gradient, in->x, start) : vsplat(0), rest_of(in->parameter), lambda[0]);
    else
        kind_rows_change(mode, law, C, gradient, counted, in->parameter, in->x, start, lambda, change);
}

/* The particles of W rows as a method that gathers sees them: x stays, the sum of the rows' corrections lies in `sum`, with the number of rows that
 * touch the particle in the place of w. */
KERNEL void gather_rows(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, project_mode mode,
                        enum pliant__gathering gathering)
{
    const vlaw     common = law_of_batch(sweep, batch);
    const uint32_t end = end_of_rows(batch, first, count);
    for (uint32_t row = first * PLIANT__BLOCK; row < end; row += W) {
        rows_in      in;
        vvec         sum[SLOTS], gradient[ROWS * SLOTS];
        vreal        C[ROWS], lambda[ROWS], change[ROWS], n[SLOTS], counted[SLOTS], moving[SLOTS];
        pliant_real *kept = sweep->lambda ? multipliers(sweep, batch, row) : NULL;
        const vlaw   law = law_of_rows(sweep, batch, row, common);
        if (mode.damped)
            evaluate(&in, sweep, batch, row, C, gradient);
        else
            load_rows(&in, sweep, batch, row);
        const uint32_t *const index = in.index;
        if (!index) __builtin_unreachable(); /* so that stores need not ask for it */
        UNROLL
        for (uint32_t s = 0; s < SLOTS; s++) {
            load_slots(slots_from(sweep, batch, s, sweep->sum, 0), wide_slots(index + s * PLIANT__BLOCK), &sum[s], &n[s]);
            counted[s] = gathering == PLIANT__SPLIT ? in.w[s] * n[s] : vsplat(1);
            moving[s] = gathering == PLIANT__SPLIT ? in.w[s] : vsplat(1);
        }
        UNROLL
        for (uint32_t r = 0; r < ROWS; r++)
            lambda[r] = kept && (!sweep->first || gathering == PLIANT__FORCE) ? load_lanes(kept + r * PLIANT__BLOCK) : vsplat(0);
        if (!mode.damped) kind_value(in.x, in.parameter, C, gradient);
        if (gathering == PLIANT__FORCE)
            memcpy(change, lambda, sizeof change);
        else
            gathered_change(&in, sweep, batch, law, lambda, counted, mode, C, gradient, change);
        UNROLL
        for (uint32_t r = 0; r < ROWS; r++) {
            if (in.bits != EVERY_LANE) change[r] = vkeep(mask_of(in.bits), change[r]);
            UNROLL
            for (uint32_t s = 0; s < SLOTS; s++) sum[s] = vadd(sum[s], vscale(gradient[r * SLOTS + s], moving[s] * change[r]));
            if (kept && gathering != PLIANT__FORCE) store_lanes(kept + r * PLIANT__BLOCK, lambda[r] + change[r]);
        }
        UNROLL
        for (uint32_t s = 0; s < SLOTS; s++)
            if (!(batch->anchors >> s & 1u)) store_slots(sweep->sum, wide_slots(index + s * PLIANT__BLOCK), in.lanes, sum[s], n[s]);
    }
}

static void gather(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count)
{
    if (ROWS > 1 || batch->limit != PLIANT_EQUAL || is_damped(sweep, batch) || sweep->gathering != PLIANT__SPLIT)
        gather_rows(sweep, batch, first, count, (project_mode){true, true, (pliant_limit)batch->limit}, sweep->gathering);
    else
        gather_rows(sweep, batch, first, count, (project_mode){true, false, PLIANT_EQUAL}, PLIANT__SPLIT);
}

/* ---- the same rows of 16 states ---- */

KERNEL void move_states(const pliant__sweep *sweep, const pliant__batch *batch, const pliant__rows *rows, project_mode mode)
{
    const bool own = has_own_laws(batch);
    vlaw       law = law_of_batch(sweep, batch);
    for (uint32_t row = 0; row < rows->count; row++) {
        const uint32_t    *slot = rows->slot + (size_t)row * SLOTS;
        const pliant_real *number = rows->parameter + (size_t)row * PARAMETERS;
        const uint32_t     law_number = own ? rows->law[row] : batch->law;
        const bool         path = mode.damped && sweep->start && sweep->laws[law_number].gamma > 0;
        vreal              parameter[PARAMETERS_ROOM], lambda[ROWS];
        if (own) law = splat_law(sweep->laws + law_number);
        UNROLL
        for (int i = 0; i < PARAMETERS; i++) parameter[i] = vsplat(number[i]);
        if (NUMBERS) load_numbers(sweep->given_laws, law_number, NULL, parameter);
        UNROLL
        for (uint32_t r = 0; r < ROWS; r++) lambda[r] = vsplat(0);
        for (uint32_t part = 0; part < PLIANT__BLOCK; part += W) {
            vvec  at[SLOTS], start[SLOTS], gradient[ROWS * SLOTS];
            vreal w[SLOTS], length, change[ROWS];
            UNROLL
            for (uint32_t s = 0; s < SLOTS; s++) {
                const pliant_real *from = sweep->lanes + (size_t)slot[s] * 4 * PLIANT__BLOCK + part;
                at[s] = load_place(from);
                w[s] = mass_at(from);
            }
            if (mode.damped) UNROLL
            for (uint32_t s = 0; s < SLOTS; s++) {
                start[s] = path ? load_place(sweep->start + (size_t)slot[s] * 4 * PLIANT__BLOCK + part) : at[s];
            }
            find_change(at, w, parameter, law, start, lambda, mode, gradient, &length, change);
            UNROLL
            for (uint32_t s = 0; s < SLOTS; s++) {
                at[s] = moved_by_rows(s, at[s], w[s], gradient, change);
                if (batch->anchors >> s & 1u) continue;
                store_place(sweep->lanes + (size_t)slot[s] * 4 * PLIANT__BLOCK + part, true, EVERY_LANE, at[s]);
            }
        }
    }
}

/* ---- looked at ---- */

/* Residuals of one-row constraints and of each row of the others, added one row after another so that no width matters. */
static void measure(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, pliant__residuals *residuals)
{
    const vlaw     common = law_of_batch(sweep, batch);
    const uint32_t end = end_of_rows(batch, first, count);
    for (uint32_t row = first * PLIANT__BLOCK; row < end; row += W) {
        rows_in            in;
        vvec               gradient[ROWS * SLOTS];
        vreal              C[ROWS], residual[ROWS], denominator[ROWS];
        const pliant_real *kept = multipliers(sweep, batch, row);
        const vlaw         law = law_of_rows(sweep, batch, row, common);
        evaluate(&in, sweep, batch, row, C, gradient);
        UNROLL
        for (uint32_t r = 0; r < ROWS; r++) {
            residual[r] = row_residual((pliant_limit)batch->limit, law, C[r], rest_of(in.parameter), load_lanes(kept + r * PLIANT__BLOCK));
            denominator[r] = weighted_norm(SLOTS, gradient + r * SLOTS, in.w) + law.alpha;
        }
        for (uint32_t i = 0; i < W; i++)
            for (uint32_t r = 0; r < ROWS && (in.bits & in.lanes) >> i & 1u; r++) {
                double a = (double)lane(residual[r], i), d = (double)lane(denominator[r], i);
                residuals->sum += a;
                if (a > residuals->largest) residuals->largest = a;
                if (d >= (double)KERNEL_TINY) residuals->square += a * a / d;
            }
    }
}

/* Energies of each row of a constraint, J; the caller adds them in one order, so that no width matters. */
static void energy(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, double *energy)
{
    const uint32_t end = end_of_rows(batch, first, count);
    for (uint32_t row = first * PLIANT__BLOCK; row < end; row += W) {
        rows_in in;
        vvec    gradient[ROWS * SLOTS];
        vreal   C[ROWS], S[ROWS];
        evaluate(&in, sweep, batch, row, C, gradient);
        vreal mass = in.w[0];
        UNROLL
        for (uint32_t r = 0; r < ROWS; r++) S[r] = weighted_norm(SLOTS, gradient + r * SLOTS, in.w);
        UNROLL
        for (uint32_t s = 1; s < SLOTS; s++) mass = mass + in.w[s];
        for (uint32_t i = 0; i < W; i++) {
            const uint32_t         number = has_own_laws(batch) ? sweep->model->row_law[batch->own_laws + row + i] : batch->law;
            const pliant__law_now *law = sweep->laws + number;
            const double           rest = (double)lane(rest_of(in.parameter), i), loose = IS_BULK ? (double)lane(mass, i) : 0;
            double                *to = energy + batch->first_row + row + i;
            *to = 0;
            for (uint32_t r = 0; r < ROWS && (in.bits & in.lanes) >> i & 1u; r++)
                *to += pliant__row_energy((pliant_limit)batch->limit, law, (double)lane(C[r], i), (double)lane(S[r], i), rest, loose);
        }
    }
}

static void linearize(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, pliant_real *C,
                      pliant_real *gradient)
{
    const uint32_t end = end_of_rows(batch, first, count);
    for (uint32_t row = first * PLIANT__BLOCK; row < end; row += W) {
        const uint32_t part = row % PLIANT__BLOCK;
        rows_in        in;
        vreal          c[ROWS];
        vvec           g[ROWS * SLOTS];
        evaluate(&in, sweep, batch, row, c, g);
        UNROLL
        for (uint32_t r = 0; r < ROWS; r++) {
            const size_t at_row = (size_t)(row / PLIANT__BLOCK) * ROWS + r;
            store_lanes(C + at_row * PLIANT__BLOCK + part, c[r]);
            UNROLL
            for (uint32_t s = 0; s < SLOTS; s++) {
                pliant_real *at = gradient + (at_row * SLOTS + s) * 3 * PLIANT__BLOCK + part;
                store_lanes(at, g[r * SLOTS + s].x);
                store_lanes(at + PLIANT__BLOCK, g[r * SLOTS + s].y);
                store_lanes(at + 2 * PLIANT__BLOCK, g[r * SLOTS + s].z);
            }
        }
    }
}

#endif
