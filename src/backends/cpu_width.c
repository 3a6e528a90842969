/* Every kind of constraint, PLIANT_W lanes wide. Compiled once per width, each with the flags of its own processors.
 *
 * A batch is walked W rows at a time: indices are read, the slots' packed positions (x y z w, one load each) are turned by a transpose in
 * registers into vectors of x, y, z and w, the constraint's text runs, and the new positions go back the same way. Rows of a batch share no
 * particle that moves, so lanes never disagree about what to write; slots that are anchors in the whole batch are not written at all, so
 * threads do not either. Lanes past the batch's last row are computed (padding points at an inert slot) and not written. */
#include "backends/lanes.h"
#include "backends/rows.h"
#include "constraint_kinds.h" /* generated: every file of kinds/ */
#include "constraints/project.h"
#include "solver/collider_kernels.h"
#include "solver/pair_kernels.h"
#include "solver/row_energy.h"
#include "solver/sweep.h"
#include "state/inputs.h"

/* ---- laws ---- */

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

/* ---- a batch ---- */

extern void PLIANT__OF_WIDTH(project_clusters)(const pliant__sweep *sweep, const pliant__batch *batch);
extern void PLIANT__OF_WIDTH(project_strokes)(const pliant__sweep *sweep, const pliant__stroke *strokes, uint32_t count);
extern void PLIANT__OF_WIDTH(project_distances_of_states)(const pliant__sweep *sweep, const pliant__batch *batch, const pliant__rows *rows);

typedef void value_function(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient);

/* W rows of a batch, loaded. */
typedef struct rows_in {
    const uint32_t *index;                                   /* slot s of lane i: index[s * 16 + i] */
    uint32_t        found[PLIANT_MAX_SLOTS * PLIANT__BLOCK]; /* room for slots where numbers had to be looked up */
    uint32_t        lanes;                                   /* which are rows, a bit each */
    uint32_t        bits;                                    /* active ones */
    vvec            x[PLIANT_MAX_SLOTS];
    vreal           w[PLIANT_MAX_SLOTS];
    vreal           parameter[PLIANT_MAX_PARAMETERS];
} rows_in;

/* Slots of W rows by their numbers in the patch. */
KERNEL void find_slots(uint32_t *out, const pliant_model *m, uint32_t origin, const pliant__patch *patch, const uint16_t *index)
{
    const uint32_t  first = patch->first_slot - origin;
    const uint32_t *listed = patch->first_listed == PLIANT__NONE ? NULL : m->patch_slots + patch->first_listed;
    if (!listed)
        for (uint32_t i = 0; i < W; i++) out[i] = first + index[i] / PLIANT__NUMBER;
    else
        for (uint32_t i = 0; i < W; i++) out[i] = listed[index[i] / PLIANT__NUMBER];
}

/* Slots of W lanes of a regular block; where there is no row, some slot of the tile. */
static void find_regular(uint32_t *out, const pliant__sweep *sweep, const pliant__batch *batch, uint32_t block, uint32_t part,
                         uint32_t slots)
{
    const pliant__patch *p = &sweep->model->patches[batch->patch];
    const uint16_t      *index = sweep->model->row_index + batch->index + (size_t)block * batch->index_slots;
    const uint32_t       lanes = pliant__block_rows(sweep->model, batch, block);
    for (uint32_t s = 0; s < slots; s++) {
        const uint32_t first = pliant__lanes_slot(p, index + 2 * s) + part - sweep->origin;
        for (uint32_t i = 0; i < W; i++) out[s * PLIANT__BLOCK + i] = lanes >> (part + i) & 1 ? first + i : p->first_slot - sweep->origin;
    }
}

/* Slots of W rows of a held block: of particles, and where numbers of anchors have their two fours. Likewise. */
static void find_held(uint32_t *out, const pliant__sweep *sweep, const pliant__batch *batch, uint32_t block, uint32_t part)
{
    const pliant__patch *p = &sweep->model->patches[batch->patch];
    const uint16_t      *index = sweep->model->row_index + batch->index + (size_t)block * PLIANT__HELD_NUMBERS, *anchor = index + 2 + part;
    const uint32_t       lanes = pliant__block_rows(sweep->model, batch, block);
    const uint32_t       none = p->first_slot - sweep->origin, first = pliant__held_slot(p, index) + part - sweep->origin;
    for (uint32_t i = 0; i < W; i++) out[i] = lanes >> (part + i) & 1 ? first + i : none;
    for (uint32_t i = 0; i < W; i++) out[PLIANT__BLOCK + i] = sweep->anchors ? 2u * anchor[i] : sweep->model->anchors[anchor[i]];
}

KERNEL vslots wide_slots(const uint32_t *slot)
{
    vslots s = {NULL, NULL, slot};
    return s;
}

/* Where slot s of a batch's rows is read: from x or start, or from the list of anchors. */
KERNEL const pliant_real *slots_from(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t s, const pliant_real *x, uint32_t of)
{
    return s == 1 && batch->shape == PLIANT__HELD && sweep->anchors ? sweep->anchors + of : x;
}

#define IS_START 4u

KERNEL void load_rows(rows_in *in, const pliant__sweep *sweep, const pliant__batch *batch, uint32_t block, uint32_t part, uint32_t slots,
                      uint32_t parameters)
{
    const pliant_model *m = sweep->model;
    size_t              at = batch->index + (size_t)block * PLIANT__BLOCK * batch->index_slots + part;
    in->index = sweep->wide_index ? sweep->wide_index + at : in->found;
    if (sweep->wide_index) {
    } else if (batch->shape == PLIANT__REGULAR)
        find_regular(in->found, sweep, batch, block, part, slots);
    else if (batch->shape == PLIANT__HELD)
        find_held(in->found, sweep, batch, block, part);
    else
        UNROLL
    for (uint32_t s = 0; s < slots; s++)
        find_slots(in->found + s * PLIANT__BLOCK, m, sweep->origin, &m->patches[batch->patch],
                   m->row_index + at + batch->place[s] * PLIANT__BLOCK);
    in->lanes = pliant__block_rows(m, batch, block) >> part & EVERY_LANE;
    if (pliant__has_gaps(batch)) in->lanes &= (uint32_t)sweep->active[batch->first_row / PLIANT__BLOCK + block] >> part;
    in->bits = ((uint32_t)sweep->active[batch->first_row / PLIANT__BLOCK + block] >> part) & ((1u << (W - 1) << 1) - 1u);
    const pliant_real *p = pliant__parameters(m, batch, block) + part;
    UNROLL
    for (uint32_t i = 0; i < parameters; i++) in->parameter[i] = load_lanes(p + i * PLIANT__BLOCK);
    UNROLL
    for (uint32_t s = 0; s < slots; s++)
        load_slots(slots_from(sweep, batch, s, sweep->x, 0), wide_slots(in->index + s * PLIANT__BLOCK), &in->x[s], &in->w[s]);
}

KERNEL void store_rows(const pliant__sweep *sweep, const rows_in *in, uint32_t anchors, uint32_t slots)
{
    UNROLL
    for (uint32_t s = 0; s < slots; s++)
        if (!(anchors >> s & 1u)) store_slots(sweep->x, wide_slots(in->index + s * PLIANT__BLOCK), in->lanes, in->x[s], in->w[s]);
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
    const uint32_t  whole = b->count / PLIANT__BLOCK, rest = b->count % PLIANT__BLOCK, some = (1u << rest) - 1;
    uint32_t        bits = UINT16_MAX;
    for (uint32_t i = 0; i < whole; i++) bits &= active[i];
    return bits == UINT16_MAX && (!rest || (active[whole] & some) == some);
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

#define ROWS_AHEAD (16 * PLIANT__BLOCK)
#define CLUSTERS_AHEAD (6 * PLIANT__BLOCK)

/* ---- kinds that have a projection of their own ---- */

/* These kinds move particles along vectors that are gradients times a length, by the multiplier's change over that length. Of some kinds one slot moves against its vector. */
KERNEL bool is_direct(uint32_t kind)
{
    return kind == PLIANT_CONSTRAINT_DISTANCE || kind == PLIANT_CONSTRAINT_TET_VOLUME || kind == PLIANT_CONSTRAINT_LINE_BENDING ||
           kind == PLIANT_CONSTRAINT_ISOMETRIC_BENDING;
}

/* `kept`: lambda may be other than 0. */
KERNEL vreal direct_change(uint32_t kind, const vvec *x, const vreal *w, const vreal *parameter, bool compliant, bool kept, vlaw law,
                           vreal lambda, vvec *along, vreal *length)
{
    if (kind == PLIANT_CONSTRAINT_LINE_BENDING) return bending_change(3, x, w, parameter, compliant, kept, law, lambda, along, length);
    if (kind == PLIANT_CONSTRAINT_ISOMETRIC_BENDING) return bending_change(4, x, w, parameter, compliant, kept, law, lambda, along, length);
    if (kind == PLIANT_CONSTRAINT_TET_VOLUME) {
        *length = vsplat(6);
        return tet_volume_change(x, w, parameter, compliant, law, lambda, along);
    }
    const vreal change = distance_change(x, w, parameter, compliant, law, lambda, &along[0], length);
    along[1] = along[0];
    return change;
}

KERNEL bool moves_against(uint32_t kind, uint32_t slot)
{
    return (kind == PLIANT_CONSTRAINT_DISTANCE && slot == 1) || (kind == PLIANT_CONSTRAINT_TET_VOLUME && slot == 0);
}

/* The position of a slot after its row was projected. */
KERNEL vvec moved_slot(uint32_t kind, uint32_t slot, vvec x, vvec along, vreal by)
{
    return is_direct(kind) && moves_against(kind, slot) ? vsub(x, vscale(along, by)) : vadd(x, vscale(along, by));
}

/* ---- equalities of one row and one law ---- */

/* W rows of one batch, from `row` on. */
KERNEL void move_equal(pliant_real *x, const rows_of *of, uint32_t row, vrows rows, uint32_t kind, uint32_t slots, uint32_t parameters,
                       uint32_t index_slots, const uint8_t *place, uint32_t anchors, bool compliant, bool keeps, const uint32_t *listed,
                       value_function *value)
{
    const uint32_t     block = row / PLIANT__BLOCK, part = row % PLIANT__BLOCK;
    const uint16_t    *index = of->index + (size_t)block * PLIANT__BLOCK * index_slots + part;
    const pliant_real *number = of->parameter + block * of->step + part;
    const vlaw         law = plain_law(of->alpha, of->stiffness, of->ease);
    const vreal        lambda = kept_lambda(of, row, keeps);
    vvec               at[PLIANT_MAX_SLOTS], gradient[PLIANT_MAX_SLOTS];
    vreal              w[PLIANT_MAX_SLOTS], parameter[PLIANT_MAX_PARAMETERS], change, length = vsplat(1);
    UNROLL
    for (uint32_t i = 0; i < parameters; i++) parameter[i] = load_lanes(number + i * PLIANT__BLOCK);
    UNROLL
    for (uint32_t s = 0; s < slots; s++) load_slots(x, (vslots){index + place[s] * PLIANT__BLOCK, listed, NULL}, &at[s], &w[s]);
    if (is_direct(kind)) {
        change = active_only(rows, direct_change(kind, at, w, parameter, compliant, keeps, law, lambda, gradient, &length));
    } else {
        vreal C[1];
        value(at, parameter, C, gradient);
        change = active_only(rows, multiplier_change((project_mode){compliant, false, PLIANT_EQUAL}, law, C[0],
                                                     weighted_norm(slots, gradient, w), vsplat(0), vsplat(0), lambda));
    }
    keep_lambda(of, row, keeps, lambda, change * length);
    UNROLL
    for (uint32_t s = 0; s < slots; s++) {
        at[s] = moved_slot(kind, s, at[s], gradient[s], w[s] * change);
        if (!(anchors >> s & 1u)) store_slots(x, (vslots){index + place[s] * PLIANT__BLOCK, listed, NULL}, rows.lanes, at[s], w[s]);
    }
}

/* Whether two blocks of one batch are worth projecting at once: each is long and waits for its division, maybe after a square
 * root, and a processor does not look far enough ahead to begin the next block meanwhile. */
#define TWO_AT_ONCE (W == 16)

KERNEL void move_two_equal(pliant_real *x, const rows_of *of, uint32_t row, uint32_t kind, uint32_t slots, uint32_t parameters,
                           bool compliant, bool keeps)
{
    const uint32_t     block = row / PLIANT__BLOCK;
    const uint16_t    *index = of->index + (size_t)block * PLIANT__BLOCK * slots;
    const pliant_real *number = of->parameter + block * of->step;
    const vlaw         law = plain_law(of->alpha, of->stiffness, of->ease);
    vvec               at[2][PLIANT_MAX_SLOTS], along[2][PLIANT_MAX_SLOTS];
    vreal              w[2][PLIANT_MAX_SLOTS], parameter[2][PLIANT_MAX_PARAMETERS], change[2], lambda[2], length[2];
    UNROLL
    for (uint32_t k = 0; k < 2; k++) {
        UNROLL
        for (uint32_t i = 0; i < parameters; i++) parameter[k][i] = load_lanes(number + k * of->step + i * PLIANT__BLOCK);
        UNROLL
        for (uint32_t s = 0; s < slots; s++)
            load_slots(x, (vslots){index + (k * slots + s) * PLIANT__BLOCK, NULL, NULL}, &at[k][s], &w[k][s]);
    }
    UNROLL
    for (uint32_t k = 0; k < 2; k++) lambda[k] = kept_lambda(of, row + k * W, keeps);
    UNROLL
    for (uint32_t k = 0; k < 2; k++)
        change[k] = direct_change(kind, at[k], w[k], parameter[k], compliant, keeps, law, lambda[k], along[k], &length[k]);
    UNROLL
    for (uint32_t k = 0; k < 2; k++) keep_lambda(of, row + k * W, keeps, lambda[k], change[k] * length[k]);
    UNROLL
    for (uint32_t k = 0; k < 2; k++) UNROLL
    for (uint32_t s = 0; s < slots; s++) {
        at[k][s] = moved_slot(kind, s, at[k][s], along[k][s], w[k][s] * change[k]);
        store_slots(x, (vslots){index + (k * slots + s) * PLIANT__BLOCK, NULL, NULL}, EVERY_LANE, at[k][s], w[k][s]);
    }
}

/* Rows of a batch of which all are active, in their order: as many as make whole vectors. Returns how many were projected. */
KERNEL uint32_t project_whole(const pliant__sweep *sweep, const pliant__batch *batch, pliant_real *x, const rows_of *of, uint32_t kind,
                              uint32_t slots, uint32_t parameters, bool compliant, bool keeps, value_function *value)
{
    static const uint8_t in_order[4] = {0, 1, 2, 3};
    uint32_t             row = 0;
    for (; TWO_AT_ONCE && is_direct(kind) && row + 2 * W <= batch->count; row += 2 * W) {
        if (sweep->far) fetch_rows(of, row, 2 * W, ROWS_AHEAD, slots, parameters);
        move_two_equal(x, of, row, kind, slots, parameters, compliant, keeps);
    }
    for (; row + W <= batch->count; row += W) {
        if (sweep->far) fetch_rows(of, row, W, ROWS_AHEAD, slots, parameters);
        move_equal(x, of, row, (vrows){true, 0, EVERY_LANE}, kind, slots, parameters, slots, in_order, 0, compliant, keeps, NULL, value);
    }
    return row;
}

/* The other rows, from `row` on. They are few or spread in memory: each vector asks whether multipliers are kept, so that the text is there once. */
KERNEL void project_rest(const pliant__sweep *sweep, const pliant__batch *batch, pliant_real *x, const rows_of *of, uint32_t row,
                         uint32_t kind, uint32_t slots, uint32_t parameters, bool compliant, const uint32_t *listed, value_function *value)
{
    for (; row < batch->count; row += W)
        move_equal(x, of, row, (vrows){false, active_bits(of->active, row), rows_left(batch, row)}, kind, slots, parameters,
                   batch->index_slots, batch->place, batch->anchors, compliant, sweep->lambda != NULL, listed, value);
}

KERNEL void project_plain(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t kind, uint32_t slots, uint32_t parameters,
                          bool compliant, value_function *value)
{
    const uint32_t *listed = listed_slots(sweep, batch);
    pliant_real    *x = patch_x(sweep, batch, listed);
    const rows_of   of = rows_of_batch(sweep, batch);
    uint32_t        row = 0;
    if (listed) {
        project_rest(sweep, batch, x, &of, 0, kind, slots, parameters, compliant, listed, value);
        return;
    }
    if (!batch->shape && !batch->anchors && all_active(sweep, batch))
        row = sweep->lambda ? project_whole(sweep, batch, x, &of, kind, slots, parameters, compliant, true, value)
                            : project_whole(sweep, batch, x, &of, kind, slots, parameters, compliant, false, value);
    project_rest(sweep, batch, x, &of, row, kind, slots, parameters, compliant, NULL, value);
}

/* ---- regular batches in lanes ---- */

/* Groups of a tile lie one after another in sweep->lanes, each x y z w of its 16 lanes. A slot that lies some lanes further on is read
 * from there; lanes then read past the group's end have no row, and are written back as they were. */
KERNEL void move_lanes(pliant_real *groups, const rows_of *of, uint32_t row, bool all, uint32_t kind, uint32_t slots, uint32_t parameters,
                       bool compliant, bool keeps, value_function *value)
{
    const uint32_t     block = row / PLIANT__BLOCK, part = row % PLIANT__BLOCK;
    const uint16_t    *index = of->index + (size_t)block * 2 * slots;
    const pliant_real *number = of->parameter + block * of->step + part;
    const vlaw         law = plain_law(of->alpha, of->stiffness, of->ease);
    vvec               at[PLIANT_MAX_SLOTS], gradient[PLIANT_MAX_SLOTS];
    const vreal        lambda = kept_lambda(of, row, keeps);
    vreal              w[PLIANT_MAX_SLOTS], parameter[PLIANT_MAX_PARAMETERS], change, length = vsplat(1);
    pliant_real       *place[PLIANT_MAX_SLOTS];
    UNROLL
    for (uint32_t i = 0; i < parameters; i++) parameter[i] = load_lanes(number + i * PLIANT__BLOCK);
    UNROLL
    for (uint32_t s = 0; s < slots; s++) {
        uint32_t offset;
        memcpy(&offset, index + 2 * s, sizeof offset);
        place[s] = groups + offset + part;
        at[s] = load_place(place[s]);
        w[s] = mass_at(place[s]);
    }
    if (is_direct(kind)) {
        change = direct_change(kind, at, w, parameter, compliant, keeps, law, lambda, gradient, &length);
    } else {
        vreal C[1];
        value(at, parameter, C, gradient);
        change = multiplier_change((project_mode){compliant, false, PLIANT_EQUAL}, law, C[0], weighted_norm(slots, gradient, w), vsplat(0),
                                   vsplat(0), lambda);
    }
    const uint32_t active = all ? EVERY_LANE : active_bits(of->active, row);
    if (!all) change = keep_lanes(active, change);
    keep_lambda(of, row, keeps, lambda, all ? change * length : keep_lanes(active, change * length)); /* the length of no row may be none */
    UNROLL
    for (uint32_t s = 0; s < slots; s++) {
        at[s] = moved_slot(kind, s, at[s], gradient[s], w[s] * change);
        store_place(place[s], all, active, at[s]);
    }
}

KERNEL void project_lanes(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t blocks, uint32_t kind,
                          uint32_t slots, uint32_t parameters, bool compliant, value_function *value)
{
    const rows_of  of = rows_of_batch(sweep, batch);
    const uint32_t begin = first * PLIANT__BLOCK, end = begin + blocks * PLIANT__BLOCK;
    const bool     all = all_active(sweep, batch), keeps = sweep->lambda != NULL;
    pliant_real   *groups = sweep->lanes;
    if (all && keeps)
        for (uint32_t row = begin; row < end; row += W) move_lanes(groups, &of, row, true, kind, slots, parameters, compliant, true, value);
    else if (all)
        for (uint32_t row = begin; row < end; row += W)
            move_lanes(groups, &of, row, true, kind, slots, parameters, compliant, false, value);
    else
        for (uint32_t row = begin; row < end; row += W) /* masks cost nothing with 16 lanes, elsewhere more than to ask */
            if (W < 16 && !keeps && active_bits(of.active, row) == EVERY_LANE)
                move_lanes(groups, &of, row, true, kind, slots, parameters, compliant, false, value);
            else
                move_lanes(groups, &of, row, false, kind, slots, parameters, compliant, keeps, value);
}

/* ---- held batches ----
 *
 * A tether is a row. In most blocks all rows have one anchor, and most rows are slack. An anchor that W rows share is read once; W rows that are
 * all slack are passed over after their distances. Such a row may not even turn the sign of a zero, so a row with a change of 0 moves no particle,
 * neither here nor in project_general and move_rows. */

KERNEL vvec moved_if(vreal change, vvec x, vvec to)
{
    const vmask moves = change != vsplat(0); /* true of a change that is no number */
    return vvec_of(vselect(moves, to.x, x.x), vselect(moves, to.y, x.y), vselect(moves, to.z, x.z));
}

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
KERNEL vreal held_change(const vvec *at, vreal w, vreal length, vlaw law, vreal lambda, uint32_t active, value_function *value, vvec *to)
{
    const project_mode mode = {true, true, PLIANT_AT_MOST};
    const vreal        parameter[1] = {length}, ws[2] = {w, vsplat(0)};
    vvec               gradient[2];
    vreal              C[1];
    value(at, parameter, C, gradient);
    const vreal change = keep_lanes(
        active, multiplier_change(mode, law, C[0], weighted_norm(2, gradient, ws), path_derivative(2, gradient, at, at), length, lambda));
    *to = vadd(at[0], vscale(gradient[0], w * change));
    return change;
}

#define EACH(i) (uint16_t)((i)*PLIANT__NUMBER)
static const uint16_t following[PLIANT__BLOCK] = {EACH(0), EACH(1), EACH(2),  EACH(3),  EACH(4),  EACH(5),  EACH(6),  EACH(7),
                                                  EACH(8), EACH(9), EACH(10), EACH(11), EACH(12), EACH(13), EACH(14), EACH(15)};

/* W rows of a block: tethers of a group's particles to anchors, or of so many particles one after another. */
KERNEL void move_held(const pliant__sweep *sweep, const pliant__batch *batch, const rows_of *of, uint32_t row, vlaw law,
                      value_function *value)
{
    const uint32_t  block = row / PLIANT__BLOCK, part = row % PLIANT__BLOCK;
    const uint16_t *index = of->index + (size_t)block * PLIANT__HELD_NUMBERS;
    const bool      keeps = of->kept != NULL;
    const uint32_t  active = active_bits(of->active, row), rows = pliant__block_rows(sweep->model, batch, block) >> part & EVERY_LANE;
    const vreal     length = load_lanes(of->parameter + block * of->step + part), lambda = kept_lambda(of, row, keeps);
    const vslots    each = {following, NULL, NULL};
    pliant_real    *place = NULL;
    uint32_t        offset, found[PLIANT_MAX_SLOTS * PLIANT__BLOCK];
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
    const vreal    change = held_change(at, w, length, law, lambda, active & rows, value, &to);
    const uint32_t moves = bits_of(change != vsplat(0));
    keep_lambda(of, row, keeps, lambda, change);
    if (sweep->lanes)
        store_place(place, false, moves, to);
    else if (rows == EVERY_LANE)
        store_slots(place, each, moves, to, w);
    else
        store_slots(sweep->x, wide_slots(found), moves, to, w);
}

KERNEL void project_held(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t blocks, value_function *value)
{
    const rows_of  of = rows_of_batch(sweep, batch);
    const vlaw     law = splat_law(sweep->laws + batch->law);
    const uint32_t begin = first * PLIANT__BLOCK, end = begin + blocks * PLIANT__BLOCK;
    for (uint32_t row = begin; row < end; row += W) move_held(sweep, batch, &of, row, law, value);
}

/* ---- clusters ---- */

/* A member of W clusters: the distance between particles p and q, with rest lengths at `rest`. Bits of the active ones are at `active`, from lane
 * `part` on, or NULL: all. A rigid member needs no multiplier, and none of its zeros may change sign. */
KERNEL void move_member(const rows_of *of, uint32_t row, const pliant_real *rest, const uint16_t *active, uint32_t part, bool compliant,
                        bool keeps, vvec *x, const vreal *w, uint32_t p, uint32_t q)
{
    const vvec  at[2] = {x[p], x[q]};
    const vreal mass[2] = {w[p], w[q]}, length_at_rest = load_lanes(rest), lambda = kept_lambda(of, row, keeps);
    const vlaw  law = plain_law(of->alpha, of->stiffness, of->ease);
    vvec        d;
    vreal length, change = distance_change(at, mass, &length_at_rest, compliant, law, of->alpha > 0 ? lambda : vsplat(0), &d, &length);
    if (active) change = vkeep(mask_of((uint32_t)*active >> part & EVERY_LANE), change);
    keep_lambda(of, row, keeps, lambda, change * length);
    x[p] = vadd(x[p], vscale(d, w[p] * change));
    x[q] = vsub(x[q], vscale(d, w[q] * change));
}

/* Members of clusters in their order: which of its particles each joins. */
static const uint8_t clique_pairs[][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}}, triangle_pairs[][2] = {{0, 1}, {1, 2}, {2, 0}};
static const uint8_t diamond_pairs[][2] = {{0, 1}, {0, 2}, {1, 3}, {0, 3}, {1, 2}}, vee_pairs[][2] = {{0, 1}, {1, 2}};

KERNEL const uint8_t (*pairs_of(uint32_t members))[2]
{
    return members == 6 ? clique_pairs : members == 5 ? diamond_pairs : members == 3 ? triangle_pairs : vee_pairs;
}

/* Vectors of clusters that are moved at once, one member of each in turn: the distances of a cluster wait for each other's square roots and divisions,
 * and a processor does not look far enough ahead to begin the next cluster meanwhile. */
#if W == 1
#define AT_ONCE 1u
#elif W == 4
#define AT_ONCE 4u
#else
#define AT_ONCE 2u
#endif

/* `times` times W clusters, from `row` on. */
KERNEL void move_shapes(pliant_real *x, const rows_of *of, uint32_t row, bool all, uint32_t slots, uint32_t members, uint32_t times,
                        bool compliant, bool keeps, const uint32_t *listed)
{
    const uint32_t  block = row / PLIANT__BLOCK, part = row % PLIANT__BLOCK;
    const uint16_t *index = of->index + (size_t)block * PLIANT__BLOCK * slots + part;
    vvec            at[AT_ONCE][4];
    vreal           w[AT_ONCE][4];
    UNROLL
    for (uint32_t k = 0; k < times; k++) {
        const uint16_t *of_vector = index + k * W / PLIANT__BLOCK * PLIANT__BLOCK * slots + k * W % PLIANT__BLOCK;
        UNROLL
        for (uint32_t s = 0; s < slots; s++) load_slots(x, (vslots){of_vector + s * PLIANT__BLOCK, listed, NULL}, &at[k][s], &w[k][s]);
    }
    UNROLL
    for (uint32_t i = 0; i < members; i++) {
        const pliant_real *rest = of[i].parameter + block * of[i].step + part;
        const uint8_t     *pair = pairs_of(members)[i];
        UNROLL
        for (uint32_t k = 0; k < times; k++)
            move_member(of + i, row + k * W, rest + k * W / PLIANT__BLOCK * of[i].step + k * W % PLIANT__BLOCK,
                        all ? NULL : of[i].active + block, part, compliant, keeps, at[k], w[k], pair[0], pair[1]);
    }
    UNROLL
    for (uint32_t k = 0; k < times; k++) {
        const uint16_t *of_vector = index + k * W / PLIANT__BLOCK * PLIANT__BLOCK * slots + k * W % PLIANT__BLOCK;
        UNROLL
        for (uint32_t s = 0; s < slots; s++)
            store_slots(x, (vslots){of_vector + s * PLIANT__BLOCK, listed, NULL}, EVERY_LANE, at[k][s], w[k][s]);
    }
}

/* Clusters of one shape with all members active, and with slots that lie side by side. Returns how many were projected. */
KERNEL uint32_t project_whole_shape(const pliant__sweep *sweep, const pliant__batch *batch, pliant_real *x, const rows_of *of,
                                    uint32_t slots, uint32_t members, bool compliant, bool keeps)
{
    uint32_t row = 0;
    for (; row + AT_ONCE * W <= batch->count; row += AT_ONCE * W) {
        if (sweep->far) fetch_rows(of, row, AT_ONCE * W, CLUSTERS_AHEAD, slots, members);
        move_shapes(x, of, row, true, slots, members, AT_ONCE, compliant, keeps, NULL);
    }
#if W == 16 /* others have no clusters left */
    for (; row < batch->count; row += W) move_shapes(x, of, row, true, slots, members, 1, compliant, keeps, NULL);
#endif
    return row;
}

/* All members of clusters of one shape: their batches follow one another, and have whole blocks. For listed or inactive rows the text is there once,
 * as in project_rest. */
KERNEL void project_shape(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t slots, uint32_t members)
{
    const uint32_t *listed = listed_slots(sweep, batch);
    pliant_real    *x = patch_x(sweep, batch, listed);
    const bool      keeps = sweep->lambda != NULL;
    rows_of         of[6];
    bool            all = !listed, compliant = false;
    uint32_t        row = 0;
    for (uint32_t i = 0; i < members; i++) {
        of[i] = rows_of_batch(sweep, batch + i);
        all = all && all_active(sweep, batch + i);
        compliant = compliant || sweep->laws[batch[i].law].soft;
    }
    if (all)
        row = keeps       ? project_whole_shape(sweep, batch, x, of, slots, members, true, true)
              : compliant ? project_whole_shape(sweep, batch, x, of, slots, members, true, false)
                          : project_whole_shape(sweep, batch, x, of, slots, members, false, false);
    if (listed)
        for (; row < batch->count; row += W) move_shapes(x, of, row, false, slots, members, 1, true, keeps, listed);
    else
        for (; row < batch->count; row += W) move_shapes(x, of, row, false, slots, members, 1, true, keeps, NULL);
}

/* ---- tetrahedra ---- */

/* A member of W clusters: an edge between two particles, or the volume of four. */
KERNEL void move_tet_member(const rows_of *of, uint32_t row, vrows rows, uint32_t kind, bool compliant, bool keeps, vvec *x, const vreal *w,
                            const uint8_t *place)
{
    const uint32_t slots = kind == PLIANT_CONSTRAINT_DISTANCE ? 2 : 4;
    const vreal    rest = load_lanes(of->parameter + row / PLIANT__BLOCK * of->step + row % PLIANT__BLOCK);
    const vreal    lambda = kept_lambda(of, row, keeps);
    const vlaw     law = plain_law(of->alpha, of->stiffness, of->ease);
    vvec           at[4], along[4];
    vreal          mass[4], length;
    UNROLL
    for (uint32_t s = 0; s < slots; s++) at[s] = x[place[s]], mass[s] = w[place[s]];
    vreal change = direct_change(kind, at, mass, &rest, compliant, keeps, law, of->alpha > 0 ? lambda : vsplat(0), along, &length);
    if (!rows.all) change = vkeep(mask_of(active_bits(of->active, row)), change);
    keep_lambda(of, row, keeps, lambda, change * length);
    UNROLL
    for (uint32_t s = 0; s < slots; s++) x[place[s]] = moved_slot(kind, s, at[s], along[s], mass[s] * change);
}

static const uint8_t tet_edges[6][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}}, tet_volumes[2][4] = {{0, 1, 2, 3}, {1, 0, 2, 4}};

/* `times` times W tetrahedra with their edges, or pairs of volumes; with two at once neither waits for its roots and divisions alone. */
KERNEL void move_tets(pliant_real *x, const rows_of *of, uint32_t row, vrows rows, uint32_t slots, uint32_t edges, uint32_t volumes,
                      uint32_t times, bool keeps, const uint32_t *listed)
{
    const uint16_t *index[2];
    vvec            at[2][PLIANT__MOST_SLOTS];
    vreal           w[2][PLIANT__MOST_SLOTS];
    UNROLL
    for (uint32_t k = 0; k < times; k++) {
        const uint32_t r = row + k * W;
        index[k] = of->index + (size_t)(r / PLIANT__BLOCK) * PLIANT__BLOCK * slots + r % PLIANT__BLOCK;
        UNROLL
        for (uint32_t s = 0; s < slots; s++) load_slots(x, (vslots){index[k] + s * PLIANT__BLOCK, listed, NULL}, &at[k][s], &w[k][s]);
    }
    UNROLL
    for (uint32_t i = 0; i < edges; i += 2) {
        UNROLL
        for (uint32_t k = 0; k < times; k++) {
            UNROLL
            for (uint32_t j = i; j < i + 2; j++)
                move_tet_member(of + j, row + k * W, rows, PLIANT_CONSTRAINT_DISTANCE, true, keeps, at[k], w[k], tet_edges[j]);
        }
    }
    UNROLL
    for (uint32_t i = 0; i < volumes; i++) {
        UNROLL
        for (uint32_t k = 0; k < times; k++)
            move_tet_member(of + edges + i, row + k * W, rows, PLIANT_CONSTRAINT_TET_VOLUME, true, keeps, at[k], w[k], tet_volumes[i]);
    }
    UNROLL
    for (uint32_t k = 0; k < times; k++) {
        UNROLL
        for (uint32_t s = 0; s < slots; s++)
            store_slots(x, (vslots){index[k] + s * PLIANT__BLOCK, listed, NULL}, rows.lanes, at[k][s], w[k][s]);
    }
}

/* All members: their batches follow one another. */
KERNEL void project_tets_as(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t slots, uint32_t edges, uint32_t volumes,
                            bool keeps, const uint32_t *listed)
{
    const vrows  whole = {true, 0, EVERY_LANE};
    pliant_real *x = patch_x(sweep, batch, listed);
    rows_of      of[PLIANT__MOST_MEMBERS];
    bool         all = !listed;
    uint32_t     row = 0;
    for (uint32_t i = 0; i < edges + volumes; i++) {
        of[i] = rows_of_batch(sweep, batch + i);
        all = all && all_active(sweep, batch + i);
    }
#if W >= 4
    for (; all && row + 2 * W <= batch->count; row += 2 * W) {
        if (sweep->far) fetch_rows(of, row, 2 * W, CLUSTERS_AHEAD, slots, edges + volumes);
        move_tets(x, of, row, whole, slots, edges, volumes, 2, keeps, NULL);
    }
#endif
    for (; all && row + W <= batch->count; row += W) move_tets(x, of, row, whole, slots, edges, volumes, 1, keeps, NULL);
    for (; row < batch->count; row += W)
        move_tets(x, of, row, (vrows){false, 0, rows_left(batch, row)}, slots, edges, volumes, 1, keeps, listed);
}

/* Tetrahedra are few to a batch, most of them in lists: rows left over from a batch, and lists, have a text without multipliers too. */
KERNEL void project_tets(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t slots, uint32_t edges, uint32_t volumes)
{
    const uint32_t *listed = listed_slots(sweep, batch);
    if (sweep->lambda)
        project_tets_as(sweep, batch, slots, edges, volumes, true, listed);
    else if (listed)
        project_tets_as(sweep, batch, slots, edges, volumes, false, listed);
    else
        project_tets_as(sweep, batch, slots, edges, volumes, false, NULL);
}

void PLIANT__OF_WIDTH(project_clusters)(const pliant__sweep *sweep, const pliant__batch *batch)
{
    switch (batch->shape) {
    case PLIANT__TETRAHEDRON: project_tets(sweep, batch, 4, 6, 1); break;
    case PLIANT__PAIR: project_tets(sweep, batch, 5, 0, 2); break;
    case PLIANT__CLIQUE: project_shape(sweep, batch, 4, 6); break;
    case PLIANT__DIAMOND: project_shape(sweep, batch, 4, 5); break;
    case PLIANT__TRIANGLE: project_shape(sweep, batch, 3, 3); break;
    case PLIANT__VEE: project_shape(sweep, batch, 3, 2); break;
    default: break;
    }
}

/* Rows of such kinds that are damped are projected by their value and gradients, the others as if they lay in a batch of their own: the text of a row
 * depends on its law alone, also where laws are changed live. */
KERNEL void take_damped(const vvec *x, uint32_t slots, const vreal *w, const vreal *parameter, vlaw law, const vvec *start, vreal lambda,
                        vvec *gradient, vreal *length, vreal *change, value_function *value)
{
    const vmask damped = law.gamma > vsplat(0);
    vvec        n[PLIANT_MAX_SLOTS];
    vreal       C[1];
    value(x, parameter, C, n);
    const vreal by = multiplier_change((project_mode){true, true, PLIANT_EQUAL}, law, C[0], weighted_norm(slots, n, w),
                                       path_derivative(slots, n, x, start), vsplat(0), lambda);
    *change = vselect(damped, by, *change);
    *length = vselect(damped, vsplat(1), *length);
    UNROLL
    for (uint32_t s = 0; s < slots; s++)
        gradient[s] =
            vvec_of(vselect(damped, n[s].x, gradient[s].x), vselect(damped, n[s].y, gradient[s].y), vselect(damped, n[s].z, gradient[s].z));
}

/* Where particles of damped rows began; others ask for no path, and see none. */
KERNEL void load_starts(vvec *start, const rows_in *in, const pliant__sweep *sweep, const pliant__batch *batch, vlaw law, uint32_t slots)
{
    const vmask damped = law.gamma > vsplat(0);
    UNROLL
    for (uint32_t s = 0; s < slots; s++) {
        vvec  p;
        vreal unused;
        load_slots(slots_from(sweep, batch, s, sweep->start, IS_START), wide_slots(in->index + s * PLIANT__BLOCK), &p, &unused);
        start[s] = vvec_of(vselect(damped, p.x, start[s].x), vselect(damped, p.y, start[s].y), vselect(damped, p.z, start[s].z));
    }
}

/* Gradients of a constraint, and by how much its multipliers change; `length` of the gradients, where they are not units. */
KERNEL void find_change(const vvec *x, const vreal *w, const vreal *parameter, vlaw law, const vvec *start, const vreal *lambda,
                        uint32_t kind, uint32_t slots, uint32_t rows, uint32_t parameters, project_mode mode, value_function *value,
                        vvec *gradient, vreal *length, vreal *change)
{
    vreal C[PLIANT_MAX_ROWS];
    *length = vsplat(1);
    if (is_direct(kind) && mode.limit == PLIANT_EQUAL) {
        change[0] = direct_change(kind, x, w, parameter, mode.compliant, true, law, lambda[0], gradient, length);
        UNROLL
        for (uint32_t s = 0; s < slots; s++)
            if (moves_against(kind, s)) gradient[s] = vneg(gradient[s]);
        if (mode.damped) take_damped(x, slots, w, parameter, law, start, lambda[0], gradient, length, change, value);
        return;
    }
    value(x, parameter, C, gradient);
    if (rows == 1)
        change[0] = multiplier_change(mode, law, C[0], weighted_norm(slots, gradient, w),
                                      mode.damped ? path_derivative(slots, gradient, x, start) : vsplat(0),
                                      parameters ? parameter[0] : vsplat(0), lambda[0]);
    else
        block_change(rows, slots, mode, law, C, gradient, w, x, start, lambda, change);
}

/* Everything else. */
KERNEL void project_general(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, uint32_t kind,
                            uint32_t slots, uint32_t rows, uint32_t parameters, project_mode mode, value_function *value)
{
    const pliant_model *m = sweep->model;
    vlaw                law = splat_law(sweep->laws + (batch->law == PLIANT__NONE ? 0 : batch->law));
    const bool path = sweep->start && (batch->law == PLIANT__NONE ? batch->damped || sweep->damped : sweep->laws[batch->law].damped);
    for (uint32_t block = first; block < first + count; block++)
        for (uint32_t part = 0; part < PLIANT__BLOCK && block * PLIANT__BLOCK + part < batch->count; part += W) {
            rows_in in;
            load_rows(&in, sweep, batch, block, part, slots, parameters);
            if (batch->law == PLIANT__NONE) law = gather_law(sweep->laws, m->row_law + batch->own_laws + block * PLIANT__BLOCK + part);
            pliant_real *kept = sweep->lambda ? sweep->lambda + batch->lambda + (size_t)block * PLIANT__BLOCK * rows + part : NULL;
            vvec         start[PLIANT_MAX_SLOTS], gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
            vreal        lambda[PLIANT_MAX_ROWS], change[PLIANT_MAX_ROWS];
            UNROLL
            for (uint32_t r = 0; r < rows; r++) lambda[r] = kept && !sweep->first ? load_lanes(kept + r * PLIANT__BLOCK) : vsplat(0);
            if (mode.damped) UNROLL
            for (uint32_t s = 0; s < slots; s++) start[s] = in.x[s];
            if (mode.damped && path) load_starts(start, &in, sweep, batch, law, slots);
            vreal length;
            find_change(in.x, in.w, in.parameter, law, start, lambda, kind, slots, rows, parameters, mode, value, gradient, &length,
                        change);
            bool all = in.bits == (1u << (W - 1) << 1) - 1u;
            UNROLL
            for (uint32_t r = 0; r < rows; r++) {
                if (!all) change[r] = vkeep(mask_of(in.bits), change[r]);
                UNROLL
                for (uint32_t s = 0; s < slots; s++) {
                    const vvec to = vadd(in.x[s], vscale(gradient[r * slots + s], in.w[s] * change[r]));
                    in.x[s] = kind == PLIANT_CONSTRAINT_TETHER ? moved_if(change[r], in.x[s], to) : to;
                }
                if (kept) store_lanes(kept + r * PLIANT__BLOCK, lambda[r] + change[r] * length);
            }
            store_rows(sweep, &in, batch->anchors, slots);
        }
}

/* The particles of W rows as a method that gathers sees them: x stays, the sum of the rows' corrections lies in `sum`, with the number of rows that
 * touch the particle in the place of w. */
KERNEL void gather_rows(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, uint32_t slots,
                        uint32_t rows, uint32_t parameters, project_mode mode, enum pliant__gathering gathering, value_function *value)
{
    const pliant_model *m = sweep->model;
    vlaw                law = splat_law(sweep->laws + (batch->law == PLIANT__NONE ? 0 : batch->law));
    for (uint32_t block = first; block < first + count; block++)
        for (uint32_t part = 0; part < PLIANT__BLOCK && block * PLIANT__BLOCK + part < batch->count; part += W) {
            rows_in in;
            load_rows(&in, sweep, batch, block, part, slots, parameters);
            if (batch->law == PLIANT__NONE) law = gather_law(sweep->laws, m->row_law + batch->own_laws + block * PLIANT__BLOCK + part);
            pliant_real *kept = sweep->lambda ? sweep->lambda + batch->lambda + (size_t)block * PLIANT__BLOCK * rows + part : NULL;
            vvec         start[PLIANT_MAX_SLOTS], sum[PLIANT_MAX_SLOTS], gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
            vreal        unused, C[PLIANT_MAX_ROWS], lambda[PLIANT_MAX_ROWS], change[PLIANT_MAX_ROWS];
            vreal        n[PLIANT_MAX_SLOTS], counted[PLIANT_MAX_SLOTS], moving[PLIANT_MAX_SLOTS];
            UNROLL
            for (uint32_t s = 0; s < slots; s++) {
                load_slots(slots_from(sweep, batch, s, sweep->sum, 0), wide_slots(in.index + s * PLIANT__BLOCK), &sum[s], &n[s]);
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
                for (uint32_t s = 0; s < slots; s++)
                    load_slots(slots_from(sweep, batch, s, sweep->start, IS_START), wide_slots(in.index + s * PLIANT__BLOCK), &start[s],
                               &unused);
                change[0] = multiplier_change(mode, law, C[0], weighted_norm(slots, gradient, counted),
                                              mode.damped ? path_derivative(slots, gradient, in.x, start) : vsplat(0),
                                              parameters ? in.parameter[0] : vsplat(0), lambda[0]);
            } else {
                UNROLL
                for (uint32_t s = 0; s < slots; s++) load_slots(sweep->start, wide_slots(in.index + s * PLIANT__BLOCK), &start[s], &unused);
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
                if (!(batch->anchors >> s & 1u)) store_slots(sweep->sum, wide_slots(in.index + s * PLIANT__BLOCK), in.lanes, sum[s], n[s]);
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

/* Picks the kernel for the mode of the batch's law, so that modes are constants inside. The choice depends on the law alone and never on other rows
 * of the batch: even the sign of a zero is then the same in whatever batch a row lies. */
KERNEL void project_batch(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, uint32_t kind,
                          uint32_t slots, uint32_t rows, uint32_t parameters, value_function *value)
{
    bool own = batch->law == PLIANT__NONE;
    bool compliant = own ? batch->compliant || sweep->softened : sweep->laws[batch->law].soft;
    bool damped = own ? batch->damped || sweep->damped : sweep->laws[batch->law].damped;
    bool plain = rows == 1 && batch->shape != PLIANT__REGULAR && batch->limit == PLIANT_EQUAL && !damped && !own && !sweep->wide_index;
    bool held =
        kind == PLIANT_CONSTRAINT_TETHER && batch->shape == PLIANT__HELD && !own && batch->limit == PLIANT_AT_MOST && sweep->anchors;
    if (held && (sweep->lanes || (!damped && !sweep->wide_index)))
        project_held(sweep, batch, first, count, value);
    else if (sweep->lanes)
        compliant ? project_lanes(sweep, batch, first, count, kind, slots, parameters, true, value)
                  : project_lanes(sweep, batch, first, count, kind, slots, parameters, false, value);
    else if (plain) /* such batches are walked whole */
        compliant ? project_plain(sweep, batch, kind, slots, parameters, true, value)
                  : project_plain(sweep, batch, kind, slots, parameters, false, value);
    else if (rows > 1 || batch->limit != PLIANT_EQUAL || damped)
        project_general(sweep, batch, first, count, kind, slots, rows, parameters, (project_mode){true, true, (pliant_limit)batch->limit},
                        value);
    else if (compliant)
        project_general(sweep, batch, first, count, kind, slots, rows, parameters, (project_mode){true, false, PLIANT_EQUAL}, value);
    else
        project_general(sweep, batch, first, count, kind, slots, rows, parameters, (project_mode){false, false, PLIANT_EQUAL}, value);
}

/* ---- the same rows of 16 states ---- */

KERNEL void move_rows(const pliant__sweep *sweep, const pliant__batch *batch, const pliant__rows *rows_at, uint32_t kind, uint32_t slots,
                      uint32_t rows, uint32_t parameters, project_mode mode, value_function *value)
{
    const bool own = batch->law == PLIANT__NONE;
    vlaw       law = splat_law(sweep->laws + (own ? 0 : batch->law));
    for (uint32_t row = 0; row < rows_at->count; row++) {
        const uint32_t    *slot = rows_at->slot + (size_t)row * slots;
        const pliant_real *number = rows_at->parameter + (size_t)row * parameters;
        const uint32_t     law_number = own ? rows_at->law[row] : batch->law;
        const bool         path = mode.damped && sweep->start && sweep->laws[law_number].gamma > 0;
        if (own) law = splat_law(sweep->laws + law_number);
        vreal parameter[PLIANT_MAX_PARAMETERS], lambda[PLIANT_MAX_ROWS];
        UNROLL
        for (uint32_t i = 0; i < parameters; i++) parameter[i] = vsplat(number[i]);
        UNROLL
        for (uint32_t r = 0; r < rows; r++) lambda[r] = vsplat(0);
        for (uint32_t part = 0; part < PLIANT__BLOCK; part += W) {
            vvec  at[PLIANT_MAX_SLOTS], start[PLIANT_MAX_SLOTS], gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
            vreal w[PLIANT_MAX_SLOTS], length, change[PLIANT_MAX_ROWS];
            UNROLL
            for (uint32_t s = 0; s < slots; s++) {
                const pliant_real *from = sweep->lanes + (size_t)slot[s] * 4 * PLIANT__BLOCK + part;
                at[s] = load_place(from);
                w[s] = mass_at(from);
            }
            if (mode.damped) UNROLL
            for (uint32_t s = 0; s < slots; s++) {
                start[s] = path ? load_place(sweep->start + (size_t)slot[s] * 4 * PLIANT__BLOCK + part) : at[s];
            }
            find_change(at, w, parameter, law, start, lambda, kind, slots, rows, parameters, mode, value, gradient, &length, change);
            UNROLL
            for (uint32_t s = 0; s < slots; s++) {
                pliant_real *to = sweep->lanes + (size_t)slot[s] * 4 * PLIANT__BLOCK + part;
                UNROLL
                for (uint32_t r = 0; r < rows; r++) {
                    const vvec moved = vadd(at[s], vscale(gradient[r * slots + s], w[s] * change[r]));
                    at[s] = kind == PLIANT_CONSTRAINT_TETHER ? moved_if(change[r], at[s], moved) : moved;
                }
                if (batch->anchors >> s & 1u) continue;
                store_place(to, true, EVERY_LANE, at[s]);
            }
        }
    }
}

/* Modes as project_batch picks them, where no multiplier is kept. */
KERNEL void project_rows_of(const pliant__sweep *sweep, const pliant__batch *batch, const pliant__rows *rows_at, uint32_t kind,
                            uint32_t slots, uint32_t rows, uint32_t parameters, value_function *value)
{
    bool own = batch->law == PLIANT__NONE;
    bool compliant = own ? batch->compliant || sweep->softened : sweep->laws[batch->law].soft;
    bool damped = own ? batch->damped || sweep->damped : sweep->laws[batch->law].damped;
    if (kind == PLIANT_CONSTRAINT_DISTANCE && batch->limit == PLIANT_EQUAL && !damped && !own && !batch->serial)
        PLIANT__OF_WIDTH(project_distances_of_states)(sweep, batch, rows_at);
    else if (rows > 1 || batch->limit != PLIANT_EQUAL || damped)
        move_rows(sweep, batch, rows_at, kind, slots, rows, parameters, (project_mode){true, true, (pliant_limit)batch->limit}, value);
    else if (compliant)
        move_rows(sweep, batch, rows_at, kind, slots, rows, parameters, (project_mode){true, false, PLIANT_EQUAL}, value);
    else
        move_rows(sweep, batch, rows_at, kind, slots, rows, parameters, (project_mode){false, false, PLIANT_EQUAL}, value);
}

/* Residuals of one-row constraints and of each row of the others, added one row after another so that no width matters. */
KERNEL void measure_batch(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count,
                          pliant__residuals *residuals, uint32_t slots, uint32_t rows, uint32_t parameters, value_function *value)
{
    for (uint32_t block = first; block < first + count; block++)
        for (uint32_t part = 0; part < PLIANT__BLOCK && block * PLIANT__BLOCK + part < batch->count; part += W) {
            rows_in in;
            load_rows(&in, sweep, batch, block, part, slots, parameters);
            const uint32_t    *number = sweep->model->row_law + batch->own_laws + block * PLIANT__BLOCK + part;
            vlaw               law = batch->law == PLIANT__NONE ? gather_law(sweep->laws, number) : splat_law(sweep->laws + batch->law);
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
            for (uint32_t i = 0; i < W; i++)
                for (uint32_t r = 0; r < rows && (in.bits & in.lanes) >> i & 1u; r++) {
                    double a = (double)lane(residual[r], i), d = (double)lane(denominator[r], i);
                    residuals->sum += a;
                    if (a > residuals->largest) residuals->largest = a;
                    if (d >= (double)KERNEL_TINY) residuals->square += a * a / d;
                }
        }
}

/* Energies of each row of a constraint; the caller adds them in one order, so that no width matters. */
KERNEL void energy_batch(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count, double *energy,
                         uint32_t slots, uint32_t rows, uint32_t parameters, bool bulk, value_function *value)
{
    for (uint32_t block = first; block < first + count; block++)
        for (uint32_t part = 0; part < PLIANT__BLOCK && block * PLIANT__BLOCK + part < batch->count; part += W) {
            rows_in in;
            load_rows(&in, sweep, batch, block, part, slots, parameters);
            const uint32_t *number = sweep->model->row_law + batch->own_laws + block * PLIANT__BLOCK + part;
            double         *to = energy + batch->first_row + (size_t)block * PLIANT__BLOCK + part;
            vvec            gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
            vreal           C[PLIANT_MAX_ROWS], S[PLIANT_MAX_ROWS], mass = in.w[0];
            value(in.x, in.parameter, C, gradient);
            UNROLL
            for (uint32_t r = 0; r < rows; r++) S[r] = weighted_norm(slots, gradient + r * slots, in.w);
            UNROLL
            for (uint32_t s = 1; s < slots; s++) mass = mass + in.w[s];
            for (uint32_t i = 0; i < W; i++) {
                const pliant__law_now *law = sweep->laws + (batch->law == PLIANT__NONE ? number[i] : batch->law);
                const double           rest = parameters ? (double)lane(in.parameter[0], i) : 0;
                const double           loose = bulk ? (double)lane(mass, i) : 0;
                to[i] = 0;
                for (uint32_t r = 0; r < rows && (in.bits & in.lanes) >> i & 1u; r++)
                    to[i] += pliant__row_energy((pliant_limit)batch->limit, law, (double)lane(C[r], i), (double)lane(S[r], i), rest, loose);
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
        project_batch(sweep, batch, first, blocks, PLIANT_CONSTRAINT_##NAME, slots, rows, count, name##_value);                           \
    }                                                                                                                                     \
    static void project_rows_##name(const pliant__sweep *sweep, const pliant__batch *batch, const pliant__rows *rows_at)                  \
    {                                                                                                                                     \
        project_rows_of(sweep, batch, rows_at, PLIANT_CONSTRAINT_##NAME, slots, rows, count, name##_value);                               \
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
    }                                                                                                                                     \
    static void energy_##name(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t blocks, double *energy)    \
    {                                                                                                                                     \
        energy_batch(sweep, batch, first, blocks, energy, slots, rows, count, ((flags)&PLIANT_ROW_BULK) != 0, name##_value);              \
    }
PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW

#define X(name, parameters, text) extern void PLIANT__OF_WIDTH(name) parameters;
PLIANT__PARTICLE_KERNELS(X)
PLIANT__PAIR_KERNELS(X)
PLIANT__CROWD_KERNELS(X)
PLIANT__COLLIDER_KERNELS(X)
#undef X

extern const pliant__kernels PLIANT__OF_WIDTH(kernels);
const pliant__kernels        PLIANT__OF_WIDTH(kernels) = {
           W,
#define X(name, parameters, text) PLIANT__OF_WIDTH(name),
    PLIANT__PARTICLE_KERNELS(X) PLIANT__PAIR_KERNELS(X) PLIANT__CROWD_KERNELS(X) PLIANT__COLLIDER_KERNELS(X)
#undef X
        PLIANT__OF_WIDTH(project_clusters),
    PLIANT__OF_WIDTH(project_strokes),
    {
#define ROW(NAME, name, ...) project_##name,
        PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
    },
    {
#define ROW(NAME, name, ...) project_rows_##name,
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
    {
#define ROW(NAME, name, ...) energy_##name,
        PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
    },
};
