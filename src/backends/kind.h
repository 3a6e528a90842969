/* One kind of constraint, PLIANT_W lanes wide: its numbers as constants, and W of its rows loaded and written.
 *
 * The build writes a file for each row of the table of constraints, which says `KIND` (the name), includes the kind's text (constraints/kinds/NAME.h)
 * and then backends/kind_kernels.h; it is compiled once per width, each with the flags of its own processors. All functions are of the one kind, so
 * that arrays have the length that it needs and loops over slots and rows are unrolled.
 *
 * A kind's text has NAME_value, and may say more where KIND is defined:
 *   KIND_CHANGE   a function that projects with less work than value and gradients take, for equalities (see distance.h);
 *   KIND_AGAINST  the slot that this function moves against its vector;
 *   KIND_SOFT     rows are hardly ever rigid: those that are share the text of compliant ones, with the same bits;
 *   KIND_BLOCK_RUNS  a kernel for rows of a tile in lanes, block run by block run;
 *   KIND_STATES   a kernel for rows of 16 states;
 *   KIND_FLOW     NAME_flow moves parameters of rows that are strained beyond the yield of their law (PLIANT_ROW_PLASTIC; constraints/flow.h);
 *   KIND_HELD     rows may lie in blocks of tethers to anchors (compile/held.c), and a row that does not pull moves nothing, to the sign of a zero.
 * Everywhere it may say KIND_LEAST, and have NAME_least: its rows are projected one after another (PLIANT_ROW_IN_TURN), with S no less than that; and
 * KIND_REST, and have NAME_rest: parameters of a shape at rest (constraints/rest.h). No kernel is made of the last.
 *
 * A batch is walked W rows at a time: indices are read, the slots' packed positions (x y z w, one load each) are turned by a transpose in registers into
 * vectors of x, y, z and w, the constraint's text runs, and the new positions go back the same way. Rows of a batch share no particle that moves, so
 * lanes never disagree about what to write; slots that are anchors in the whole batch are not written at all, so threads do not either. Lanes past the
 * batch's last row are computed (padding repeats the batch's first row) and not written. */
#ifndef PLIANT_BACKENDS_KIND_H
#define PLIANT_BACKENDS_KIND_H

#include "backends/rows.h"
#include "solver/sweep.h"

#ifndef KIND
#error "the file that includes this one says which kind it is"
#endif

#define OF_KIND(what) OF_KIND_(what, KIND)
#define OF_KIND_(what, name) OF_KIND__(what, name)
#define OF_KIND__(what, name) what##name

/* The table's numbers of every kind, and then of this one. */
enum {
#define ROW(NAME, name, slots, rows, count, parameters, limit, flags, ...)                                           \
    SLOTS_##name = slots, ROWS_##name = rows, PARAMETERS_##name = count, LIMIT_##name = limit, FLAGS_##name = flags, \
    NUMBERS_##name = PLIANT_NUMBERS(count, parameters),
    PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
};

enum {
    SLOTS = OF_KIND(SLOTS_),                                 /* particles of a constraint */
    ROWS = OF_KIND(ROWS_),                                   /* values and multipliers of a constraint */
    PARAMETERS = OF_KIND(PARAMETERS_),                       /* numbers that a constraint carries */
    NUMBERS = OF_KIND(NUMBERS_),                             /* and its law; texts find them behind those */
    PARAMETERS_ROOM = PARAMETERS ? PARAMETERS + NUMBERS : 1, /* no array has length 0 */
    IS_EQUALITY = (int)OF_KIND(LIMIT_) == (int)PLIANT_EQUAL, /* as a rule */
    IS_BULK = (OF_KIND(FLAGS_) & PLIANT_ROW_BULK) != 0,
#ifdef KIND_CHANGE
    IS_DIRECT = 1, /* KIND_CHANGE projects it */
#else
    IS_DIRECT = 0,
#endif
#ifdef KIND_AGAINST
    AGAINST = KIND_AGAINST, /* the slot that KIND_CHANGE moves against its vector; SLOTS: none */
#else
    AGAINST = SLOTS,
#endif
#ifdef KIND_SOFT
    IS_SOFT = 1,
#else
    IS_SOFT = 0,
#endif
#ifdef KIND_FLOW
    IS_FLOWING = 1,
#else
    IS_FLOWING = 0,
#endif
#ifdef KIND_HELD
    MAY_BE_HELD = 1
#else
    MAY_BE_HELD = 0
#endif
};

#define OF_KIND_WIDTH(what) PLIANT__OF_WIDTH(OF_KIND(what))

/* Values and gradients of W constraints: row r's gradient with slot s at [r * SLOTS + s]. */
KERNEL void kind_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    OF_KIND_(KIND, _value)(x, parameter, C, gradient);
}

/* What a projection of its own gives: by how much W multipliers change over `length`, and the vectors along which the slots move. `kept`: lambda may be
 * other than 0. */
KERNEL vreal kind_change(const vvec *x, const vreal *w, const vreal *parameter, bool compliant, bool kept, vlaw law, vreal lambda,
                         vvec *along, vreal *length)
{
#ifdef KIND_CHANGE
    return KIND_CHANGE(x, w, parameter, compliant, kept, law, lambda, along, length);
#else
    (void)x, (void)w, (void)parameter, (void)compliant, (void)kept, (void)law, (void)lambda, (void)along, (void)length;
    return vsplat(0);
#endif
}

/* The changes of all multipliers of W constraints with several rows. */
KERNEL void kind_rows_change(project_mode mode, vlaw law, const vreal *C, const vvec *gradient, const vreal *w, const vreal *parameter,
                             const vvec *x, const vvec *start, const vreal *lambda, vreal *change)
{
#ifdef KIND_LEAST
    vreal least[ROWS];
    OF_KIND_(KIND, _least)(w, parameter, least);
    turn_change(ROWS, SLOTS, mode, law, C, gradient, w, x, start, lambda, least, change);
#else
    (void)parameter;
    block_change(ROWS, SLOTS, mode, law, C, gradient, w, x, start, lambda, change);
#endif
}

/* The position of a slot after its row was projected. */
KERNEL vvec moved_slot(uint32_t slot, vvec x, vvec along, vreal by)
{
    return slot == AGAINST ? vsub(x, vscale(along, by)) : vadd(x, vscale(along, by));
}

/* The position of a slot of a kind that may be held: a change of 0 may not even turn the sign of a zero. */
KERNEL vvec moved_if(vreal change, vvec x, vvec to)
{
    const vmask moves = change != vsplat(0); /* true of a change that is no number */
    return vvec_of(vselect(moves, to.x, x.x), vselect(moves, to.y, x.y), vselect(moves, to.z, x.z));
}

/* W rows of a batch, loaded. */
typedef struct rows_in {
    const uint32_t *index;                        /* slot s of lane i: index[s * 16 + i] */
    uint32_t        found[SLOTS * PLIANT__BLOCK]; /* room for slots where numbers had to be looked up */
    uint32_t        lanes;                        /* which are rows, a bit each */
    uint32_t        bits;                         /* active ones */
    vvec            x[SLOTS];
    vreal           w[SLOTS];
    vreal           parameter[PARAMETERS_ROOM];
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
static void find_regular(uint32_t *out, const pliant__sweep *sweep, const pliant__batch *batch, uint32_t block, uint32_t part)
{
    const pliant__patch *p = &sweep->model->patches[batch->patch];
    const uint16_t      *index = sweep->row_index + batch->index + (size_t)block * batch->index_slots;
    const uint32_t       lanes = pliant__block_rows(sweep->model, batch, block);
    for (uint32_t s = 0; s < SLOTS; s++) {
        const uint32_t first = pliant__lanes_slot(p, index + 2 * s) + part - sweep->origin;
        for (uint32_t i = 0; i < W; i++) out[s * PLIANT__BLOCK + i] = lanes >> (part + i) & 1 ? first + i : p->first_slot - sweep->origin;
    }
}

/* Slots of W rows of a held block: of particles, and where numbers of anchors have their two fours. Likewise. */
static void find_held(uint32_t *out, const pliant__sweep *sweep, const pliant__batch *batch, uint32_t block, uint32_t part)
{
    const pliant__patch *p = &sweep->model->patches[batch->patch];
    const uint16_t      *index = sweep->row_index + batch->index + (size_t)block * PLIANT__HELD_NUMBERS, *anchor = index + 2 + part;
    const uint32_t       lanes = pliant__block_rows(sweep->model, batch, block);
    const uint32_t       none = p->first_slot - sweep->origin, first = pliant__held_slot(p, index) + part - sweep->origin;
    for (uint32_t i = 0; i < W; i++) out[i] = lanes >> (part + i) & 1 ? first + i : none;
    for (uint32_t i = 0; i < W; i++) out[PLIANT__BLOCK + i] = sweep->anchors ? 2u * anchor[i] : sweep->model->anchors[anchor[i]];
}

/* Where slot s of a batch's rows is read: from x or start, or from the list of anchors. */
KERNEL const pliant_real *slots_from(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t s, const pliant_real *x, uint32_t of)
{
    return MAY_BE_HELD && s == 1 && batch->shape == PLIANT__HELD && sweep->anchors ? sweep->anchors + of : x;
}

#define IS_START 4u

/* Parameters of W rows. */
KERNEL void load_parameters(const pliant_real *at, vreal *parameter)
{
    UNROLL
    for (int i = 0; i < PARAMETERS; i++) parameter[i] = load_lanes(at + i * (int)PLIANT__BLOCK); /* signed: some kinds have none */
}

/* Numbers of the laws of W rows, behind their parameters: of a batch's law, or, if that is PLIANT__NONE, of each row's own. */
KERNEL void load_numbers(const pliant__model_law *laws, uint32_t law, const uint32_t *own, vreal *parameter)
{
    UNROLL
    for (int i = 0; i < NUMBERS; i++) {
        pliant_real number[W];
        for (uint32_t lane = 0; lane < W; lane++) number[lane] = laws[law == PLIANT__NONE ? own[lane] : law].number[i];
        parameter[PARAMETERS + i] = load_lanes(number);
    }
}

/* W rows from `row` on. */
KERNEL void load_rows(rows_in *in, const pliant__sweep *sweep, const pliant__batch *batch, uint32_t row)
{
    const pliant_model *m = sweep->model;
    const uint32_t      block = row / PLIANT__BLOCK, part = row % PLIANT__BLOCK;
    size_t              at = batch->index + (size_t)block * PLIANT__BLOCK * batch->index_slots + part;
    in->index = sweep->wide_index ? sweep->wide_index + at : in->found;
    if (sweep->wide_index) {
    } else if (batch->shape == PLIANT__REGULAR)
        find_regular(in->found, sweep, batch, block, part);
    else if (MAY_BE_HELD && batch->shape == PLIANT__HELD)
        find_held(in->found, sweep, batch, block, part);
    else
        UNROLL
    for (uint32_t s = 0; s < SLOTS; s++)
        find_slots(in->found + s * PLIANT__BLOCK, m, sweep->origin, &m->patches[batch->patch],
                   sweep->row_index + at + batch->place[s] * PLIANT__BLOCK);
    in->lanes = pliant__block_rows(m, batch, block) >> part & EVERY_LANE;
    if (pliant__has_gaps(batch)) in->lanes &= (uint32_t)sweep->active[batch->first_row / PLIANT__BLOCK + block] >> part;
    in->bits = (uint32_t)sweep->active[batch->first_row / PLIANT__BLOCK + block] >> part & EVERY_LANE;
    const pliant_real *p = pliant__parameters_now(m, sweep->flow, batch, block) + part;
    load_parameters(p, in->parameter);
    if (NUMBERS) load_numbers(sweep->given_laws, batch->law, m->row_law + batch->own_laws + row, in->parameter);
    UNROLL
    for (uint32_t s = 0; s < SLOTS; s++)
        load_slots(slots_from(sweep, batch, s, sweep->x, 0), wide_slots(in->index + s * PLIANT__BLOCK), &in->x[s], &in->w[s]);
}

KERNEL void store_rows(const pliant__sweep *sweep, const rows_in *in, uint32_t anchors)
{
    UNROLL
    for (uint32_t s = 0; s < SLOTS; s++)
        if (!(anchors >> s & 1u)) store_slots(sweep->x, wide_slots(in->index + s * PLIANT__BLOCK), in->lanes, in->x[s], in->w[s]);
}

#endif
