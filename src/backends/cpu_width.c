/* Every kind of constraint, PLIANT_W lanes wide. Compiled once per width, each with the flags of its own processors.
 *
 * A batch is walked W rows at a time: indices are read, the slots' packed positions (x y z w, one load each) are turned by a transpose in
 * registers into vectors of x, y, z and w, the constraint's text runs, and the new positions go back the same way. Rows of a batch share no
 * particle that moves, so lanes never disagree about what to write; slots that are anchors in the whole batch are not written at all, so
 * threads do not either. Lanes past the batch's last row are computed (padding points at an inert slot) and not written. */
#include "constraints/project.h"
#include "constraint_kinds.h" /* generated: every file of kinds/ */
#include "step/sweep.h"

#define W PLIANT_W

/* ---- loads, stores and transposes ---- */

#if W == 1

KERNEL void load_slots(const pliant_real *x, const uint32_t *index, vvec *p, vreal *w)
{
    const pliant_real *s = x + 4 * (size_t)index[0];
    *p = vvec_of(s[0], s[1], s[2]);
    *w = s[3];
}

KERNEL void store_slots(pliant_real *x, const uint32_t *index, uint32_t lanes, vvec p, vreal w)
{
    (void)lanes;
    (void)w;
    pliant_real *s = x + 4 * (size_t)index[0];
    s[0] = p.x;
    s[1] = p.y;
    s[2] = p.z;
}

KERNEL vreal       load_lanes(const pliant_real *a) { return a[0]; }
KERNEL void        store_lanes(pliant_real *a, vreal v) { a[0] = v; }
KERNEL pliant_real lane(vreal v, uint32_t i)
{
    (void)i;
    return v;
}
KERNEL vmask mask_of(uint32_t bits) { return bits & 1; }

#else

typedef pliant_real pack __attribute__((vector_size(4 * sizeof(pliant_real))));

/* Index lists for __builtin_shufflevector: the pattern a b c d in every group of four lanes; indices from W on name the second vector. */
#if W == 4
#define IN_GROUPS(a, b, c, d) a, b, c, d
#elif W == 8
#define IN_GROUPS(a, b, c, d) a, b, c, d, (a) + 4, (b) + 4, (c) + 4, (d) + 4
#else
#define IN_GROUPS(a, b, c, d) \
    a, b, c, d, (a) + 4, (b) + 4, (c) + 4, (d) + 4, (a) + 8, (b) + 8, (c) + 8, (d) + 8, (a) + 12, (b) + 12, (c) + 12, (d) + 12
#endif
#define INTERLEAVE_LOW(a, b) __builtin_shufflevector(a, b, IN_GROUPS(0, W, 1, W + 1))
#define INTERLEAVE_HIGH(a, b) __builtin_shufflevector(a, b, IN_GROUPS(2, W + 2, 3, W + 3))
#define PAIRS_LOW(a, b) __builtin_shufflevector(a, b, IN_GROUPS(0, 1, W, W + 1))
#define PAIRS_HIGH(a, b) __builtin_shufflevector(a, b, IN_GROUPS(2, 3, W + 2, W + 3))

KERNEL pack load_pack(const pliant_real *x, uint32_t slot)
{
    pack p;
    memcpy(&p, x + 4 * (size_t)slot, sizeof p);
    return p;
}

/* Packs of lanes j, j + 4, j + 8, j + 12 side by side. */
KERNEL vreal load_group(const pliant_real *x, const uint32_t *index, uint32_t j)
{
#if W == 4
    return load_pack(x, index[j]);
#elif W == 8
    return __builtin_shufflevector(load_pack(x, index[j]), load_pack(x, index[j + 4]), 0, 1, 2, 3, 4, 5, 6, 7);
#else
    typedef pliant_real half __attribute__((vector_size(8 * sizeof(pliant_real))));
    half                low = __builtin_shufflevector(load_pack(x, index[j]), load_pack(x, index[j + 4]), 0, 1, 2, 3, 4, 5, 6, 7);
    half                high = __builtin_shufflevector(load_pack(x, index[j + 8]), load_pack(x, index[j + 12]), 0, 1, 2, 3, 4, 5, 6, 7);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
}

KERNEL void load_slots(const pliant_real *x, const uint32_t *index, vvec *p, vreal *w)
{
    vreal r0 = load_group(x, index, 0), r1 = load_group(x, index, 1), r2 = load_group(x, index, 2), r3 = load_group(x, index, 3);
    vreal xy01 = INTERLEAVE_LOW(r0, r1), zw01 = INTERLEAVE_HIGH(r0, r1), xy23 = INTERLEAVE_LOW(r2, r3), zw23 = INTERLEAVE_HIGH(r2, r3);
    p->x = PAIRS_LOW(xy01, xy23);
    p->y = PAIRS_HIGH(xy01, xy23);
    p->z = PAIRS_LOW(zw01, zw23);
    *w = PAIRS_HIGH(zw01, zw23);
}

KERNEL void store_group(pliant_real *x, const uint32_t *index, uint32_t lanes, uint32_t j, vreal r)
{
    pliant_real packs[W] __attribute__((aligned(sizeof(vreal))));
    memcpy(packs, &r, sizeof r);
    for (uint32_t k = 0; k < W / 4; k++)
        if (j + 4 * k < lanes) memcpy(x + 4 * (size_t)index[j + 4 * k], packs + 4 * k, sizeof(pack));
}

/* All lanes: extracts and stores, no branches. */
KERNEL void store_group_whole(pliant_real *x, const uint32_t *index, uint32_t j, vreal r)
{
#if W == 4
    memcpy(x + 4 * (size_t)index[j], &r, sizeof r);
#else
    pack p0 = __builtin_shufflevector(r, r, 0, 1, 2, 3), p1 = __builtin_shufflevector(r, r, 4, 5, 6, 7);
    memcpy(x + 4 * (size_t)index[j], &p0, sizeof p0);
    memcpy(x + 4 * (size_t)index[j + 4], &p1, sizeof p1);
#if W == 16
    pack p2 = __builtin_shufflevector(r, r, 8, 9, 10, 11), p3 = __builtin_shufflevector(r, r, 12, 13, 14, 15);
    memcpy(x + 4 * (size_t)index[j + 8], &p2, sizeof p2);
    memcpy(x + 4 * (size_t)index[j + 12], &p3, sizeof p3);
#endif
#endif
}

KERNEL void store_slots(pliant_real *x, const uint32_t *index, uint32_t lanes, vvec p, vreal w)
{
    vreal xy01 = INTERLEAVE_LOW(p.x, p.y), xy23 = INTERLEAVE_HIGH(p.x, p.y), zw01 = INTERLEAVE_LOW(p.z, w), zw23 = INTERLEAVE_HIGH(p.z, w);
    vreal r0 = PAIRS_LOW(xy01, zw01), r1 = PAIRS_HIGH(xy01, zw01), r2 = PAIRS_LOW(xy23, zw23), r3 = PAIRS_HIGH(xy23, zw23);
    if (lanes >= W) {
        store_group_whole(x, index, 0, r0);
        store_group_whole(x, index, 1, r1);
        store_group_whole(x, index, 2, r2);
        store_group_whole(x, index, 3, r3);
    } else {
        store_group(x, index, lanes, 0, r0);
        store_group(x, index, lanes, 1, r1);
        store_group(x, index, lanes, 2, r2);
        store_group(x, index, lanes, 3, r3);
    }
}

KERNEL vreal load_lanes(const pliant_real *a)
{
    vreal v;
    memcpy(&v, a, sizeof v);
    return v;
}
KERNEL void        store_lanes(pliant_real *a, vreal v) { memcpy(a, &v, sizeof v); }
KERNEL pliant_real lane(vreal v, uint32_t i) { return v[i]; }
KERNEL vmask       mask_of(uint32_t bits)
{
    vmask m = {0};
    for (int i = 0; i < W; i++) m[i] = -(pliant__lane_int)((bits >> i) & 1u);
    return m;
}

#endif

/* ---- laws ---- */

KERNEL vlaw splat_law(const pliant__law_now *law)
{
    vlaw v = {vsplat(law->alpha), vsplat(law->gamma), vsplat(law->stiffness), vsplat(law->low), vsplat(law->high)};
    return v;
}

/* Each lane its own. */
KERNEL vlaw gather_law(const pliant__law_now *laws, const uint32_t *number)
{
    pliant_real alpha[W], gamma[W], stiffness[W], low[W], high[W];
    for (uint32_t i = 0; i < W; i++) {
        const pliant__law_now *law = laws + number[i];
        alpha[i] = law->alpha;
        gamma[i] = law->gamma;
        stiffness[i] = law->stiffness;
        low[i] = law->low;
        high[i] = law->high;
    }
    vlaw v = {load_lanes(alpha), load_lanes(gamma), load_lanes(stiffness), load_lanes(low), load_lanes(high)};
    return v;
}

/* ---- a batch ---- */

typedef void value_function(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient);

/* W rows of a batch, loaded. */
typedef struct rows_in {
    const uint32_t *index; /* slot s of lane i: index[s * 16 + i] */
    uint32_t        lanes; /* how many are not padding */
    uint32_t        bits;  /* active ones */
    vvec            x[PLIANT_MAX_SLOTS];
    vreal           w[PLIANT_MAX_SLOTS];
    vreal           parameter[PLIANT_MAX_PARAMETERS];
} rows_in;

KERNEL void load_rows(rows_in *in, const pliant__sweep *sweep, const pliant__batch *batch, uint32_t block, uint32_t part, uint32_t slots,
                      uint32_t parameters)
{
    const pliant_model *m = sweep->model;
    uint32_t            done = block * PLIANT__BLOCK + part;
    in->index = m->row_index + batch->index + (size_t)block * PLIANT__BLOCK * slots + part;
    in->lanes = batch->count - done;
    in->bits = ((uint32_t)sweep->active[batch->first_row / PLIANT__BLOCK + block] >> part) & ((1u << (W - 1) << 1) - 1u);
    const pliant_real *p = m->row_parameter + batch->parameter + (size_t)block * PLIANT__BLOCK * parameters + part;
    UNROLL
    for (uint32_t i = 0; i < parameters; i++) in->parameter[i] = load_lanes(p + i * PLIANT__BLOCK);
    UNROLL
    for (uint32_t s = 0; s < slots; s++) load_slots(sweep->x, in->index + s * PLIANT__BLOCK, &in->x[s], &in->w[s]);
}

KERNEL void store_rows(const pliant__sweep *sweep, const rows_in *in, uint32_t anchors, uint32_t slots)
{
    UNROLL
    for (uint32_t s = 0; s < slots; s++)
        if (!(anchors >> s & 1u)) store_slots(sweep->x, in->index + s * PLIANT__BLOCK, in->lanes, in->x[s], in->w[s]);
}

/* The common case: equalities that keep no multiplier. */
KERNEL void project_plain(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, uint32_t slots,
                          uint32_t parameters, value_function *value)
{
    vlaw         law = splat_law(sweep->laws + batch->law);
    project_mode mode = {false, false, PLIANT_EQUAL};
    for (uint32_t block = first; block < first + count; block++)
        for (uint32_t part = 0; part < PLIANT__BLOCK && block * PLIANT__BLOCK + part < batch->count; part += W) {
            rows_in in;
            load_rows(&in, sweep, batch, block, part, slots, parameters);
            vreal C[1];
            vvec  gradient[PLIANT_MAX_SLOTS];
            value(in.x, in.parameter, C, gradient);
            vreal change = multiplier_change(mode, law, C[0], weighted_norm(slots, gradient, in.w), vsplat(0), vsplat(0), vsplat(0));
            if (in.bits != (1u << (W - 1) << 1) - 1u) change = vkeep(mask_of(in.bits), change);
            UNROLL
            for (uint32_t s = 0; s < slots; s++) in.x[s] = vadd(in.x[s], vscale(gradient[s], in.w[s] * change));
            store_rows(sweep, &in, batch->anchors, slots);
        }
}

/* Everything else. */
KERNEL void project_general(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, uint32_t slots,
                            uint32_t rows, uint32_t parameters, project_mode mode, value_function *value)
{
    const pliant_model *m = sweep->model;
    vlaw                law = splat_law(sweep->laws + (batch->law == PLIANT__NONE ? 0 : batch->law));
    for (uint32_t block = first; block < first + count; block++)
        for (uint32_t part = 0; part < PLIANT__BLOCK && block * PLIANT__BLOCK + part < batch->count; part += W) {
            rows_in in;
            load_rows(&in, sweep, batch, block, part, slots, parameters);
            if (batch->law == PLIANT__NONE) law = gather_law(sweep->laws, m->row_law + batch->first_row + block * PLIANT__BLOCK + part);
            pliant_real *kept = sweep->lambda ? sweep->lambda + batch->lambda + (size_t)block * PLIANT__BLOCK * rows + part : NULL;
            vvec         start[PLIANT_MAX_SLOTS], gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
            vreal        unused, C[PLIANT_MAX_ROWS], lambda[PLIANT_MAX_ROWS], change[PLIANT_MAX_ROWS];
            UNROLL
            for (uint32_t r = 0; r < rows; r++) lambda[r] = kept && !sweep->first ? load_lanes(kept + r * PLIANT__BLOCK) : vsplat(0);
            if (mode.damped) UNROLL
            for (uint32_t s = 0; s < slots; s++) load_slots(sweep->start, in.index + s * PLIANT__BLOCK, &start[s], &unused);
            value(in.x, in.parameter, C, gradient);
            if (rows == 1)
                change[0] = multiplier_change(mode, law, C[0], weighted_norm(slots, gradient, in.w),
                                              mode.damped ? path_derivative(slots, gradient, in.x, start) : vsplat(0),
                                              parameters ? in.parameter[0] : vsplat(0), lambda[0]);
            else
                block_change(rows, slots, mode, law, C, gradient, in.w, in.x, start, lambda, change);
            bool all = in.bits == (1u << (W - 1) << 1) - 1u;
            UNROLL
            for (uint32_t r = 0; r < rows; r++) {
                if (!all) change[r] = vkeep(mask_of(in.bits), change[r]);
                UNROLL
                for (uint32_t s = 0; s < slots; s++) in.x[s] = vadd(in.x[s], vscale(gradient[r * slots + s], in.w[s] * change[r]));
                if (kept) store_lanes(kept + r * PLIANT__BLOCK, lambda[r] + change[r]);
            }
            store_rows(sweep, &in, batch->anchors, slots);
        }
}

/* The particles of W rows as a method that gathers sees them: x stays, what rows add up to lies in `sum`, with the number of rows that touch
 * the particle in the place of w. */
KERNEL void gather_rows(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, uint32_t slots,
                        uint32_t rows, uint32_t parameters, project_mode mode, enum pliant__gathering gathering, value_function *value)
{
    const pliant_model *m = sweep->model;
    vlaw                law = splat_law(sweep->laws + (batch->law == PLIANT__NONE ? 0 : batch->law));
    for (uint32_t block = first; block < first + count; block++)
        for (uint32_t part = 0; part < PLIANT__BLOCK && block * PLIANT__BLOCK + part < batch->count; part += W) {
            rows_in in;
            load_rows(&in, sweep, batch, block, part, slots, parameters);
            if (batch->law == PLIANT__NONE) law = gather_law(sweep->laws, m->row_law + batch->first_row + block * PLIANT__BLOCK + part);
            pliant_real *kept = sweep->lambda ? sweep->lambda + batch->lambda + (size_t)block * PLIANT__BLOCK * rows + part : NULL;
            vvec         start[PLIANT_MAX_SLOTS], sum[PLIANT_MAX_SLOTS], gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
            vreal        unused, C[PLIANT_MAX_ROWS], lambda[PLIANT_MAX_ROWS], change[PLIANT_MAX_ROWS];
            vreal        n[PLIANT_MAX_SLOTS], counted[PLIANT_MAX_SLOTS], moving[PLIANT_MAX_SLOTS];
            UNROLL
            for (uint32_t s = 0; s < slots; s++) {
                load_slots(sweep->sum, in.index + s * PLIANT__BLOCK, &sum[s], &n[s]);
                counted[s] = gathering == PLIANT__SPLIT ? in.w[s] * n[s] : vsplat(1);
                moving[s] = gathering == PLIANT__SPLIT ? in.w[s] : vsplat(1);
            }
            UNROLL
            for (uint32_t r = 0; r < rows; r++)
                lambda[r] = kept && (!sweep->first || gathering == PLIANT__FORCE) ? load_lanes(kept + r * PLIANT__BLOCK) : vsplat(0);
            value(in.x, in.parameter, C, gradient);
            if (gathering == PLIANT__FORCE) {
                UNROLL
                for (uint32_t r = 0; r < rows; r++) change[r] = lambda[r];
            } else if (rows == 1) {
                if (mode.damped) UNROLL
                for (uint32_t s = 0; s < slots; s++) load_slots(sweep->start, in.index + s * PLIANT__BLOCK, &start[s], &unused);
                change[0] = multiplier_change(mode, law, C[0], weighted_norm(slots, gradient, counted),
                                              mode.damped ? path_derivative(slots, gradient, in.x, start) : vsplat(0),
                                              parameters ? in.parameter[0] : vsplat(0), lambda[0]);
            } else {
                UNROLL
                for (uint32_t s = 0; s < slots; s++) load_slots(sweep->start, in.index + s * PLIANT__BLOCK, &start[s], &unused);
                block_change(rows, slots, mode, law, C, gradient, counted, in.x, start, lambda, change);
            }
            bool all = in.bits == (1u << (W - 1) << 1) - 1u;
            UNROLL
            for (uint32_t r = 0; r < rows; r++) {
                if (!all) change[r] = vkeep(mask_of(in.bits), change[r]);
                UNROLL
                for (uint32_t s = 0; s < slots; s++) sum[s] = vadd(sum[s], vscale(gradient[r * slots + s], moving[s] * change[r]));
                if (kept && gathering != PLIANT__FORCE) store_lanes(kept + r * PLIANT__BLOCK, lambda[r] + change[r]);
            }
            UNROLL
            for (uint32_t s = 0; s < slots; s++)
                if (!(batch->anchors >> s & 1u)) store_slots(sweep->sum, in.index + s * PLIANT__BLOCK, in.lanes, sum[s], n[s]);
        }
}

KERNEL void gather_batch(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, uint32_t slots,
                         uint32_t rows, uint32_t parameters, value_function *value)
{
    bool own = batch->law == PLIANT__NONE;
    bool damped = own ? batch->damped || sweep->damped : sweep->laws[batch->law].damped;
    if (rows > 1 || batch->limit != PLIANT_EQUAL || damped || sweep->gathering != PLIANT__SPLIT)
        gather_rows(sweep, batch, first, count, slots, rows, parameters, (project_mode){true, true, (pliant_limit)batch->limit},
                    sweep->gathering, value);
    else
        gather_rows(sweep, batch, first, count, slots, rows, parameters, (project_mode){true, false, PLIANT_EQUAL}, PLIANT__SPLIT, value);
}

/* Picks the kernel for what the batch's law asks, so that modes are constants inside. The choice depends on the law alone and never on what
 * else is in the batch: even the sign of a zero is then the same in whatever batch a row lies. */
KERNEL void project_batch(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, uint32_t slots,
                          uint32_t rows, uint32_t parameters, value_function *value)
{
    bool own = batch->law == PLIANT__NONE;
    bool compliant = own ? batch->compliant || sweep->softened : sweep->laws[batch->law].compliant;
    bool damped = own ? batch->damped || sweep->damped : sweep->laws[batch->law].damped;
    if (rows > 1 || batch->limit != PLIANT_EQUAL || damped)
        project_general(sweep, batch, first, count, slots, rows, parameters, (project_mode){true, true, (pliant_limit)batch->limit}, value);
    else if (compliant)
        project_general(sweep, batch, first, count, slots, rows, parameters, (project_mode){true, false, PLIANT_EQUAL}, value);
    else if (sweep->lambda || own)
        project_general(sweep, batch, first, count, slots, rows, parameters, (project_mode){false, false, PLIANT_EQUAL}, value);
    else
        project_plain(sweep, batch, first, count, slots, parameters, value);
}

/* Residuals of one-row constraints and of each row of the others, added one row after another so that no width matters. */
KERNEL void measure_batch(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count,
                          pliant__residuals *residuals, uint32_t slots, uint32_t rows, uint32_t parameters, value_function *value)
{
    for (uint32_t block = first; block < first + count; block++)
        for (uint32_t part = 0; part < PLIANT__BLOCK && block * PLIANT__BLOCK + part < batch->count; part += W) {
            rows_in in;
            load_rows(&in, sweep, batch, block, part, slots, parameters);
            const uint32_t    *number = sweep->model->row_law + batch->first_row + block * PLIANT__BLOCK + part;
            vlaw               law = gather_law(sweep->laws, number);
            const pliant_real *kept = sweep->lambda + batch->lambda + (size_t)block * PLIANT__BLOCK * rows + part;
            vvec               gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
            vreal              C[PLIANT_MAX_ROWS], residual[PLIANT_MAX_ROWS], denominator[PLIANT_MAX_ROWS];
            value(in.x, in.parameter, C, gradient);
            UNROLL
            for (uint32_t r = 0; r < rows; r++)
                residual[r] = row_residual((pliant_limit)batch->limit, law, C[r], parameters ? in.parameter[0] : vsplat(0),
                                           load_lanes(kept + r * PLIANT__BLOCK));
            UNROLL
            for (uint32_t r = 0; r < rows; r++) denominator[r] = weighted_norm(slots, gradient + r * slots, in.w) + law.alpha;
            for (uint32_t i = 0; i < W && i < in.lanes; i++)
                for (uint32_t r = 0; r < rows && (in.bits >> i & 1u); r++) {
                    double a = (double)lane(residual[r], i), d = (double)lane(denominator[r], i);
                    residuals->sum += a;
                    if (a > residuals->largest) residuals->largest = a;
                    if (d >= (double)KERNEL_TINY) residuals->square += a * a / d;
                }
        }
}

KERNEL void linearize_batch(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, pliant_real *C,
                            pliant_real *gradient, uint32_t slots, uint32_t rows, uint32_t parameters, value_function *value)
{
    for (uint32_t block = first; block < first + count; block++)
        for (uint32_t part = 0; part < PLIANT__BLOCK && block * PLIANT__BLOCK + part < batch->count; part += W) {
            rows_in in;
            vreal   c[PLIANT_MAX_ROWS];
            vvec    g[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
            load_rows(&in, sweep, batch, block, part, slots, parameters);
            value(in.x, in.parameter, c, g);
            UNROLL
            for (uint32_t r = 0; r < rows; r++) {
                size_t row = (size_t)block * rows + r;
                store_lanes(C + row * PLIANT__BLOCK + part, c[r]);
                UNROLL
                for (uint32_t s = 0; s < slots; s++) {
                    pliant_real *at = gradient + (row * slots + s) * 3 * PLIANT__BLOCK + part;
                    store_lanes(at, g[r * slots + s].x);
                    store_lanes(at + PLIANT__BLOCK, g[r * slots + s].y);
                    store_lanes(at + 2 * PLIANT__BLOCK, g[r * slots + s].z);
                }
            }
        }
}

/* ---- the kinds ---- */

#define ROW(NAME, name, slots, rows, count, parameters, limit, flags, unit, formula, source)                                              \
    static void project_##name(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t blocks)                   \
    {                                                                                                                                     \
        project_batch(sweep, batch, first, blocks, slots, rows, count, name##_value);                                                     \
    }                                                                                                                                     \
    static void gather_##name(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t blocks)                    \
    {                                                                                                                                     \
        gather_batch(sweep, batch, first, blocks, slots, rows, count, name##_value);                                                      \
    }                                                                                                                                     \
    static void measure_##name(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t blocks,                   \
                               pliant__residuals *residuals)                                                                              \
    {                                                                                                                                     \
        measure_batch(sweep, batch, first, blocks, residuals, slots, rows, count, name##_value);                                          \
    }                                                                                                                                     \
    static void linearize_##name(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t blocks, pliant_real *C, \
                                 pliant_real *gradient)                                                                                   \
    {                                                                                                                                     \
        linearize_batch(sweep, batch, first, blocks, C, gradient, slots, rows, count, name##_value);                                      \
    }
PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW

#define NAMED(W) NAMED_(W)
#define NAMED_(W) pliant__kernels_##W
extern const pliant__kernels NAMED(W);
const pliant__kernels        NAMED(W) = {
           W,
           {
#define ROW(NAME, name, ...) project_##name,
        PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
    },
    {
#define ROW(NAME, name, ...) gather_##name,
        PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
    },
    {
#define ROW(NAME, name, ...) measure_##name,
        PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
    },
    {
#define ROW(NAME, name, ...) linearize_##name,
        PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
    },
};
