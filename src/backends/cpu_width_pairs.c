/* Pairs, PLIANT_W at a time: the search for candidates, their planes, and their rows. The kernels are described in solver/pair_kernels.h. */
#include "backends/lanes.h"
#include "contact/pair_text.h"
#include "solver/pair_kernels.h"
#include "solver/sweep.h"

#define X(name, parameters, text) extern void PLIANT__OF_WIDTH(name) parameters;
PLIANT__PAIR_KERNELS(X)
#undef X

#define HUGE_MARGIN K(1e30) /* of particles that take no part */
#define SURELY K(1.001)     /* more than rounding may take */

/* ---- lanes ---- */

KERNEL pliant_real largest_lane(vreal a)
{
    pliant_real most = 0;
    for (uint32_t i = 0; i < W; i++)
        if (lane(a, i) > most) most = lane(a, i);
    return most;
}

KERNEL void load_corners(const pliant_real *x, const pliant__pair_lanes *at, uint32_t from, vvec *p, vreal *w)
{
    UNROLL
    for (uint32_t k = 0; k < 4; k++) load_slots(x, (vslots){NULL, NULL, at->slot[k] + from}, &p[k], &w[k]);
}

/* Slots of W rows; of two loose particles the second side is one slot three times. */
KERNEL void load_sides(const pliant_real *x, const pliant__pair_lanes *at, uint32_t from, bool points, vvec *p, vreal *w)
{
    if (!points) {
        load_corners(x, at, from, p, w);
        return;
    }
    for (uint32_t k = 0; k < 2; k++) load_slots(x, (vslots){NULL, NULL, at->slot[k] + from}, &p[k], &w[k]);
    p[2] = p[3] = p[1];
    w[2] = w[3] = w[1];
}

KERNEL vvec load_vec(const pliant_real a[3][PLIANT__BLOCK], uint32_t from)
{
    return vvec_of(load_lanes(a[0] + from), load_lanes(a[1] + from), load_lanes(a[2] + from));
}

KERNEL void store_vec(pliant_real a[3][PLIANT__BLOCK], uint32_t from, vvec v)
{
    store_lanes(a[0] + from, v.x);
    store_lanes(a[1] + from, v.y);
    store_lanes(a[2] + from, v.z);
}

KERNEL vvec splat_vec(pliant_vec3 a) { return vvec_of(vsplat(a.x), vsplat(a.y), vsplat(a.z)); }

/* ---- all particles ---- */

KERNEL void number_slots(uint32_t *at, uint32_t first)
{
    for (uint32_t i = 0; i < W; i++) at[i] = first + i;
}

void PLIANT__OF_WIDTH(stray)(const pliant__foreseen *f, uint32_t slots, pliant__strayed *out)
{
    const vvec shift_now = splat_vec(f->shift_now), shift_then = splat_vec(f->shift_then), shift = splat_vec(f->shift),
               step = splat_vec(f->step);
    vreal off2 = vsplat(0), from_ref = vsplat(0), longest = vsplat(0), changed = vsplat(0);
    for (uint32_t i = 0; i < slots; i += W) {
        uint32_t     at[W];
        vvec         path_start, x, ref, way;
        vreal        unused, margin;
        const vslots s = {NULL, NULL, at};
        number_slots(at, i);
        load_slots(f->path_start, s, &path_start, &unused);
        load_slots(f->x, s, &x, &unused);
        load_slots(f->ref, s, &ref, &margin);
        load_slots(f->way, s, &way, &unused);
        const vmask counts = margin < HUGE_MARGIN;
        const vvec  here = vsub(path_start, ref), went = vsub(vsub(x, path_start), step), there = vsub(vsub(x, ref), shift_then),
                   off = vsub(vsub(here, vscale(way, vsplat(f->now))), shift_now), gone = vsub(here, shift),
                   off_then = vsub(there, vscale(way, vsplat(f->then)));
        const vreal far2 = vmax(vdot(off, off), vdot(off_then, off_then)), may = margin + vsplat(f->further) * load_lanes(f->usual + i);
        const vreal over2 = far2 * vinverse(may * may);
        off2 = vmax(vkeep(counts, vselect(over2 == over2, over2, vsplat(4))), off2);
        const vreal moved = vkeep(counts, vlength(gone)), stepped = vkeep(counts, vlength(went));
        const vreal change = vabs(moved - load_lanes(out->moved + i));
        changed = vmax(vselect(change == change, change, vsplat(HUGE_MARGIN)), changed);
        store_lanes(out->moved + i, moved);
        store_lanes(out->stepped + i, stepped);
        from_ref = vmax(moved, from_ref);
        longest = vmax(stepped, longest);
    }
    out->off = largest_lane(vsqrt(off2));
    out->from_ref = largest_lane(from_ref);
    out->step = largest_lane(longest);
    out->changed = largest_lane(changed);
}

/* ---- boxes ---- */

KERNEL void store_box(pliant_real *box, uint32_t from, vvec low, vvec high)
{
    store_vec((pliant_real(*)[PLIANT__BLOCK])box, from, low);
    store_vec((pliant_real(*)[PLIANT__BLOCK])(box + 3 * PLIANT__BLOCK), from, high);
}

KERNEL vvec min_of_both(vvec a, vvec b) { return vvec_of(vmin(a.x, b.x), vmin(a.y, b.y), vmin(a.z, b.z)); }
KERNEL vvec max_of_both(vvec a, vvec b) { return vvec_of(vmax(a.x, b.x), vmax(a.y, b.y), vmax(a.z, b.z)); }

/* Of lengths: more than sums along an axis lose. */
#ifdef PLIANT_DOUBLE
#define ROUNDING K(1e-14)
#else
#define ROUNDING K(4e-6)
#endif

/* Margins, of a reach without them. A pair may be a barrier by boxes around ways alone, if its sides go further beside each other in a substep than PLIANT__PAIR_USED of what
 * they are apart, however far that is; and each side may be off by 0.99 of its margin (ALMOST, contact/pair_search.c) when the substep begins and when it ends. A pair that is
 * apart by its reach and both margins is none as long as PLIANT__PAIR_REACH times its way is no more than the reach less OFF margins. By what it is more, features are looked for
 * further off; where nothing is left of the reach, by all of it, as kernel `near` always does. */
#define OFF K(2.2) /* 2 x 0.99 / PLIANT__PAIR_USED */

KERNEL vvec mean_of(const vvec *x, uint32_t corners)
{
    if (corners == 1) return x[0];
    return corners == 2 ? vscale(vadd(x[0], x[1]), vsplat(K(0.5))) : vscale(vadd(vadd(x[0], x[1]), x[2]), vsplat(K(1) / K(3)));
}

/* Stores W features as they are foreseen: corners at the beginning, and how far each goes. */
KERNEL void store_shapes(pliant_real *shape, uint32_t from, uint32_t corners, const vvec *x, const vvec *way, const vreal *reach,
                         const vreal *margin, pliant_real share)
{
    pliant_real(*row)[PLIANT__BLOCK] = (pliant_real(*)[PLIANT__BLOCK])shape;
    const vvec middle = mean_of(x, corners), goes = mean_of(way, corners);
    vreal      around = reach[0], off = margin[0], beside = vsplat(0),
          size = vabs(middle.x) + vabs(middle.y) + vabs(middle.z) + vlength(goes); /* whatever is rounded */
    store_vec(row, from, middle);
    store_vec(row + 3, from, goes);
    for (uint32_t k = 0; k < corners; k++) {
        const vvec at = vsub(x[k], middle), turns = vsub(way[k], goes), to = vadd(at, turns);
        around = vmax(around, reach[k]);
        off = vmax(off, margin[k]);
        beside = vmax(beside, vlength(turns));
        size = size + vlength(at) + vlength(to);
        if (k + 1 == corners) break; /* the last one lies where the others leave it */
        store_vec(row + 6 * k + 6, from, at);
        store_vec(row + 6 * k + 9, from, to);
    }
    store_lanes(row[6 * corners + 1] + from, vsplat(share) * beside - vmax(around - off - vsplat(OFF) * off, vsplat(0)));
    around = vsplat(SURELY) * around + vsplat(ROUNDING) * size;
    for (uint32_t i = 0; i < W; i++) row[6 * corners][from + i] = lane(around, i) >= 0 ? lane(around, i) : (pliant_real)NAN;
}

void PLIANT__OF_WIDTH(surround)(pliant_real *box, pliant_real *shape, const uint32_t *slot, uint32_t corners, uint32_t count,
                                const pliant_real *ref, const pliant_real *way, pliant_real time, pliant_real share)
{
    for (uint32_t i = 0; i < PLIANT__BLOCK; i += W) {
        const vvec highest = splat_vec((pliant_vec3){INFINITY, INFINITY, INFINITY}), lowest = vscale(highest, vsplat(-1));
        vvec       low[2] = {highest, highest}, high[2] = {lowest, lowest}, x[3], goes[3];
        vreal      reach[3], margin[3];
        for (uint32_t k = 0; k < corners; k++) {
            const vslots s = {NULL, NULL, slot + k * PLIANT__BLOCK + i};
            load_slots(ref, s, &x[k], &margin[k]);
            load_slots(way, s, &goes[k], &reach[k]);
            goes[k] = vscale(goes[k], vsplat(time));
            const vvec at[2] = {x[k], vadd(x[k], goes[k])}, around = vvec_of(reach[k], reach[k], reach[k]);
            for (uint32_t end = 0; end < 2; end++) {
                low[end] = min_of_both(low[end], vsub(at[end], around));
                high[end] = max_of_both(high[end], vadd(at[end], around));
            }
        }
        for (uint32_t end = 0; end < 2; end++) store_box(box + 6 * PLIANT__BLOCK * end, i, low[end], high[end]);
        store_shapes(shape, i, corners, x, goes, reach, margin, share);
    }
    for (uint32_t i = count; i < PLIANT__BLOCK; i++) {
        for (uint32_t k = 0; k < 12; k++) box[k * PLIANT__BLOCK + i] = k % 6 < 3 ? (pliant_real)INFINITY : -(pliant_real)INFINITY;
        shape[6 * corners * PLIANT__BLOCK + i] = (pliant_real)NAN;
    }
}

/* W features as they are foreseen: PLIANT__LEAF_SHAPES. */
typedef struct shapes {
    vvec  middle, way, from[2], to[2]; /* m; from, to: of corners beside the middle, at the beginning and at the end */
    vreal reach;                       /* m, how far others are looked for around it */
    vreal excess;                      /* m, by so much further, with how far it goes beside the other; below 0: so much is free */
} shapes;

/* W numbers of a row from one on, or that one in all lanes. */
KERNEL vreal numbers_of(const pliant_real *row, uint32_t at, bool one) { return one ? vsplat(row[at]) : load_lanes(row + at); }

KERNEL vvec places_of(const pliant_real row[3][PLIANT__BLOCK], uint32_t at, bool one)
{
    return vvec_of(numbers_of(row[0], at, one), numbers_of(row[1], at, one), numbers_of(row[2], at, one));
}

/* W features of a leaf from one on, or that one in all lanes. */
KERNEL shapes shapes_of(const pliant_real *shape, uint32_t corners, uint32_t at, bool one)
{
    const pliant_real(*row)[PLIANT__BLOCK] = (const pliant_real(*)[PLIANT__BLOCK])shape;
    shapes s;
    s.middle = places_of(row, at, one);
    s.way = places_of(row + 3, at, one);
    for (uint32_t k = 1; k < corners; k++) {
        s.from[k - 1] = places_of(row + 6 * k, at, one);
        s.to[k - 1] = places_of(row + 6 * k + 3, at, one);
    }
    s.reach = numbers_of(row[6 * corners], at, one);
    s.excess = numbers_of(row[6 * corners + 1], at, one);
    return s;
}

/* How far corners lie beside the middle along an axis, the farthest of them: above it, and, in an axis turned round, below. Corners are 0 together. */
KERNEL vreal farthest_above(vvec axis, const vvec *beside, uint32_t corners)
{
    if (corners == 1) return vsplat(0);
    const vreal first = vdot(axis, beside[0]);
    if (corners == 2) return vabs(first);
    const vreal second = vdot(axis, beside[1]);
    return vmax(vmax(first, second), -(first + second));
}

/* A bit per lane: features may come near each other. 0 where they are apart, by more than both are looked for around them, along the line through their middles of the
 * beginning, at the beginning and at the end: corners go straight, so they are apart along it all the time. What is not a number comes near nothing. */
KERNEL uint32_t shapes_meet(const shapes *a, uint32_t corners_a, const shapes *b, uint32_t corners_b, pliant_real share)
{
    const vvec  axis = vsub(b->middle, a->middle), back = vsub(a->middle, b->middle), goes = vsub(b->way, a->way);
    const vreal length2 = vdot(axis, axis), beside = vabs(goes.x) + vabs(goes.y) + vabs(goes.z),
                takes_from = farthest_above(axis, a->from, corners_a) + farthest_above(back, b->from, corners_b),
                takes_to = farthest_above(axis, a->to, corners_a) + farthest_above(back, b->to, corners_b),
                gap = length2 + vmin(-takes_from, vdot(axis, goes) - takes_to), room = vmax(vsplat(0), gap - vsplat(ROUNDING) * length2),
                reach = a->reach + b->reach + vmax(vsplat(0), vsplat(share) * beside + (a->excess + b->excess));
    return bits_not_above(room * room, length2 * (reach * reach)) & EVERY_LANE;
}

/* W boxes of a leaf, at the beginning and at the end. */
typedef struct boxes {
    vvec low[2], high[2];
} boxes;

KERNEL boxes load_boxes(const pliant_real *box, uint32_t from)
{
    boxes b;
    for (uint32_t end = 0; end < 2; end++) {
        const pliant_real *here = box + 6 * PLIANT__BLOCK * end;
        b.low[end] = load_vec((const pliant_real(*)[PLIANT__BLOCK])here, from);
        b.high[end] = load_vec((const pliant_real(*)[PLIANT__BLOCK])(here + 3 * PLIANT__BLOCK), from);
    }
    return b;
}

/* Whether ranges are not apart with the same one above at both ends. Two numbers each: at the beginning, and at the end. */
KERNEL vmask ranges_meet(vreal low_a0, vreal low_a1, vreal high_a0, vreal high_a1, vreal low_b0, vreal low_b1, vreal high_b0, vreal high_b1)
{
    return vboth((low_a0 <= high_b0) | (low_a1 <= high_b1), (low_b0 <= high_a0) | (low_b1 <= high_a1));
}

/* Whether boxes meet one box, which is `step` from number to number: low x y z, high x y z at the beginning, then at the end. */
KERNEL vmask meet_box(boxes b, const pliant_real *one, uint32_t step)
{
    const pliant_real *low0 = one, *high0 = one + 3 * step, *low1 = one + 6 * step, *high1 = one + 9 * step;
    const vmask        x = ranges_meet(b.low[0].x, b.low[1].x, b.high[0].x, b.high[1].x, vsplat(low0[0]), vsplat(low1[0]), vsplat(high0[0]),
                                       vsplat(high1[0])),
                y = ranges_meet(b.low[0].y, b.low[1].y, b.high[0].y, b.high[1].y, vsplat(low0[step]), vsplat(low1[step]),
                                vsplat(high0[step]), vsplat(high1[step])),
                z = ranges_meet(b.low[0].z, b.low[1].z, b.high[0].z, b.high[1].z, vsplat(low0[2 * step]), vsplat(low1[2 * step]),
                                vsplat(high0[2 * step]), vsplat(high1[2 * step]));
    return vboth(vboth(x, y), z);
}

/* Features of leaf q that may come near feature i of leaf p and share no slot with it, a bit each. */
KERNEL uint32_t meet_one(const pliant__leaves *a, uint32_t corners_a, const pliant__leaves *b, uint32_t corners_b, uint32_t p, uint32_t q,
                         uint32_t i, pliant_real share)
{
    const shapes       mine = shapes_of(a->shape + PLIANT__LEAF_SHAPES(corners_a) * p, corners_a, i, true);
    const pliant_real *box = a->box + PLIANT__LEAF_BOXES * p + i, *boxes_of = b->box + PLIANT__LEAF_BOXES * q,
                      *shape = b->shape + PLIANT__LEAF_SHAPES(corners_b) * q;
    const uint32_t *slot = a->slot + 3 * PLIANT__BLOCK * (size_t)p + i, *other = b->slot + 3 * PLIANT__BLOCK * (size_t)q;
    uint32_t        found = 0;
    for (uint32_t from = 0; from < PLIANT__BLOCK; from += W) {
        const shapes its = shapes_of(shape, corners_b, from, false);
        uint32_t     bits =
            shapes_meet(&mine, corners_a, &its, corners_b, share) & bits_of(meet_box(load_boxes(boxes_of, from), box, PLIANT__BLOCK));
        for (uint32_t k = 0; k < corners_a; k++)
            for (uint32_t j = 0; j < corners_b; j++) bits &= ~bits_same_slot(other + j * PLIANT__BLOCK + from, slot[k * PLIANT__BLOCK]);
        found |= bits << from;
    }
    return found;
}

KERNEL void meet_each(const pliant__leaves *a, uint32_t corners_a, const pliant__leaves *b, uint32_t corners_b, uint32_t p, uint32_t q,
                      uint32_t which, pliant_real share, uint32_t *found)
{
    for (; which; which &= which - 1) *found++ = meet_one(a, corners_a, b, corners_b, p, q, (uint32_t)__builtin_ctz(which), share);
}

/* For each of those features of leaf p, the features of leaf q that it meets. All are asked before any answer is looked at, so that no branch depends on an answer until
 * then. */
KERNEL void meet_some(const pliant__leaves *a, const pliant__leaves *b, uint32_t p, uint32_t q, uint32_t which, pliant_real share,
                      uint32_t *found)
{
    if (a->corners == 2)
        meet_each(a, 2, b, 2, p, q, which, share, found);
    else if (a->corners == 1)
        meet_each(a, 1, b, 3, p, q, which, share, found);
    else
        meet_each(a, 3, b, 1, p, q, which, share, found);
}

/* Adds the pair of a feature of the first tree and one of the second. */
KERNEL void add_pair(pliant__walk *w, uint32_t mine, uint32_t its)
{
    const bool turn = w->itself ? its < mine : w->turned;
    w->found[w->count++] = (pliant__element_pair){turn ? its : mine, turn ? mine : its};
}

/* Adds box i of leaf p of the first tree and those boxes of leaf q of the second. */
KERNEL void add_found(pliant__walk *w, uint32_t p, uint32_t q, uint32_t i, uint32_t found)
{
    const uint32_t mine = w->a.order[p * PLIANT__BLOCK + i], *other = w->b.order + q * PLIANT__BLOCK;
    for (; found; found &= found - 1) add_pair(w, mine, other[__builtin_ctz(found)]);
}

/* Boxes of 16 that meet one. */
KERNEL uint32_t near_box(const pliant_real *mine, const pliant__moving_box *node)
{
    uint32_t near = 0;
    for (uint32_t from = 0; from < PLIANT__BLOCK; from += W)
        near |= (bits_of(meet_box(load_boxes(mine, from), &node->from.low.x, 1)) & EVERY_LANE) << from;
    return near;
}

/* Boxes of a leaf that meet one. */
KERNEL uint32_t near_node(const pliant__leaves *a, uint32_t p, const pliant__moving_box *node)
{
    return near_box(a->box + PLIANT__LEAF_BOXES * p, node);
}

/* Pairs of wanted elements of a leaf of the first tree. Within one tree, a pair of two wanted elements is added by the first of them. */
KERNEL void meet_wanted(pliant__walk *w, uint32_t p, uint32_t q)
{
    const uint32_t its = w->turned || (w->itself && q <= p) ? w->b.wanted_lanes[q] : 0;
    uint32_t       near = near_node(&w->a, p, &w->b.node[q]) & w->a.wanted_lanes[p], found[PLIANT__BLOCK], *next = found;
    meet_some(&w->a, &w->b, p, q, near, w->share, found);
    for (; near; near &= near - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(near), before = w->itself && p == q ? (2u << i) - 1 : UINT32_MAX;
        add_found(w, p, q, i, *next++ & ~(its & before));
    }
}

/* Pairs of a leaf with itself, each once. */
KERNEL void meet_leaf(pliant__walk *w, uint32_t p)
{
    uint32_t near = near_node(&w->a, p, &w->a.node[p]), found[PLIANT__BLOCK], *next = found;
    meet_some(&w->a, &w->a, p, p, near, w->share, found);
    for (; near; near &= near - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(near);
        add_found(w, p, p, i, *next++ & ~((2u << i) - 1));
    }
}

/* Pairs of two leaves: the side with fewer boxes that meet the other leaf's asks all of that leaf, box by box. */
KERNEL void meet_leaves(pliant__walk *w, uint32_t p, uint32_t q)
{
    uint32_t mine = near_node(&w->a, p, &w->b.node[q]), its = mine ? near_node(&w->b, q, &w->a.node[p]) : 0, found[PLIANT__BLOCK],
             *next = found;
    if (!its) return;
    if (__builtin_popcount(mine) <= __builtin_popcount(its)) {
        meet_some(&w->a, &w->b, p, q, mine, w->share, found);
        for (; mine; mine &= mine - 1) add_found(w, p, q, (uint32_t)__builtin_ctz(mine), *next++);
        return;
    }
    meet_some(&w->b, &w->a, q, p, its, w->share, found);
    for (; its; its &= its - 1) {
        const uint32_t one = w->b.order[q * PLIANT__BLOCK + (uint32_t)__builtin_ctz(its)];
        for (uint32_t bits = *next++; bits; bits &= bits - 1)
            add_pair(w, w->a.order[p * PLIANT__BLOCK + (uint32_t)__builtin_ctz(bits)], one);
    }
}

/* Pairs of a leaf of the first tree and one of the second. */
KERNEL void meet(pliant__walk *w, uint32_t p, uint32_t q)
{
    if (w->a.wanted_lanes)
        meet_wanted(w, p, q);
    else if (w->itself && p == q)
        meet_leaf(w, p);
    else
        meet_leaves(w, p, q);
}

/* Enters a group of a level of the second tree with a leaf of the first: its children that meet the leaf. Within one tree, and where all are wanted, leaves
 * before that one have met it already. */
KERNEL void enter_group(pliant__walk *w, uint32_t leaf, uint32_t level, uint32_t group)
{
    const pliant__moving_box *box = w->a.wanted_lanes ? &w->a.wanted_box[leaf] : &w->a.node[leaf];
    uint32_t                  bits = near_box(w->b.group + PLIANT__LEAF_BOXES * (w->b.level[level] + group), box);
    if (w->itself && !w->a.wanted_lanes) {
        const uint32_t first = leaf >> 4 * level; /* the child that the leaf is in */
        if (first >= (group + 1) * PLIANT__BLOCK) bits = 0;
        if (first > group * PLIANT__BLOCK) bits &= ~((UINT32_C(1) << first % PLIANT__BLOCK) - 1);
    }
    w->at[w->depth].group = group;
    w->at[w->depth++].bits = bits;
}

void PLIANT__OF_WIDTH(walk)(pliant__walk *w)
{
    while (w->count <= PLIANT__FOUND) {
        if (!w->depth) {
            while (w->leaf < w->end && w->a.wanted_lanes && !w->a.wanted_lanes[w->leaf]) w->leaf++;
            if (w->leaf >= w->end) return;
            enter_group(w, w->leaf++, w->b.levels - 1, 0);
            continue;
        }
        uint32_t *bits = &w->at[w->depth - 1].bits;
        if (!*bits) {
            w->depth--;
            continue;
        }
        const uint32_t level = w->b.levels - w->depth, child = w->at[w->depth - 1].group * PLIANT__BLOCK + (uint32_t)__builtin_ctz(*bits);
        *bits &= *bits - 1;
        if (level)
            enter_group(w, w->leaf - 1, level - 1, child);
        else
            meet(w, w->leaf - 1, child);
    }
}

/* ---- pairs ---- */

/* Kernels over pairs are compiled for corners and for edges. */
#define EITHER(at, call, ...) ((at)->edges ? call(__VA_ARGS__, true) : call(__VA_ARGS__, false))

KERNEL vreal distance_of(const vvec *x, bool edges)
{
    vreal weight[4];
    pair_weights(x, edges, weight);
    return vlength(pair_between(x, weight));
}

/* How fast the nearest corners of both sides come together along a normal, if they do. */
KERNEL vreal closing(const vvec *v, bool edges, vvec normal)
{
    const uint32_t split = edges ? 2 : 1;
    vreal          first = vdot(normal, v[0]), second = vdot(normal, v[split]);
    for (uint32_t k = 1; k < split; k++) first = vmin(first, vdot(normal, v[k]));
    for (uint32_t k = split + 1; k < 4; k++) second = vmax(second, vdot(normal, v[k]));
    return vmax(second - first, vsplat(0));
}

KERNEL void near_lanes(const pliant__pair_lanes *at, const pliant_real *ref, const pliant_real *way, pliant_real time, pliant_real h,
                       pliant_real *apart, uint32_t *bits, bool edges)
{
    *bits = 0;
    for (uint32_t i = 0; i < PLIANT__BLOCK; i += W) {
        vvec  x[4], v[4];
        vreal unused[4], weight[4], margin[4];
        load_corners(ref, at, i, x, margin);
        load_corners(way, at, i, v, unused);
        pair_weights(x, edges, weight);
        const vvec  between = pair_between(x, weight);
        const vreal distance = vlength(between), step = vsqrt(pair_beside2(v, edges)) * vsplat(h);
        const vvec  normal = vscale(between, vinverse(distance));
        const vreal reach =
            pair_reach(load_lanes(at->distance + i), vsplat(at->beyond), vsplat(0)) + PLIANT__PAIR_REACH * step +
            (edges ? vmax(margin[0], margin[1]) + vmax(margin[2], margin[3]) : margin[0] + vmax(margin[1], vmax(margin[2], margin[3])));
        const vreal least = pair_room(x, edges, normal) - vsplat(time) * closing(v, edges, normal);
        store_lanes(apart + i, distance);
        *bits |= (bits_of((least <= SURELY * reach) | (least != least)) & EVERY_LANE) << i;
    }
}

void PLIANT__OF_WIDTH(near)(const pliant__pair_lanes *at, const pliant_real *ref, const pliant_real *way, pliant_real time, pliant_real h,
                            pliant_real *apart, uint32_t *bits)
{
    EITHER(at, near_lanes, at, ref, way, time, h, apart, bits);
}

KERNEL void apart_lanes(const pliant__pair_lanes *at, const pliant_real *x, pliant_real *apart, bool edges)
{
    for (uint32_t i = 0; i < PLIANT__BLOCK; i += W) {
        vvec  p[4];
        vreal unused[4];
        load_corners(x, at, i, p, unused);
        store_lanes(apart + i, distance_of(p, edges));
    }
}

void PLIANT__OF_WIDTH(apart)(const pliant__pair_lanes *at, const pliant_real *x, pliant_real *apart)
{
    EITHER(at, apart_lanes, at, x, apart);
}

void PLIANT__OF_WIDTH(below)(const pliant_real *value, uint32_t first, uint32_t count, pliant_real limit, uint32_t *out, uint32_t *kept)
{
    uint32_t n = 0, i = first;
    for (; i + W <= first + count; i += W)
        for (uint32_t bits = bits_of(load_lanes(value + i) <= vsplat(limit)) & EVERY_LANE; bits; bits &= bits - 1)
            out[n++] = i + (uint32_t)__builtin_ctz(bits);
    for (; i < first + count; i++)
        if (value[i] <= limit) out[n++] = i;
    *kept = n;
}

/* W pairs on their way through a substep: corners at both ends, the length of each path; nearest points at the beginning. */
typedef struct on_way {
    vvec  from[4], to[4], way[4], between;
    vreal weight[4], gap;
} on_way;

KERNEL void load_ways(on_way *p, const pliant__pair_lanes *at, const pliant_real *path_start, const pliant_real *x, uint32_t i, bool edges)
{
    vreal unused[4];
    load_corners(path_start, at, i, p->from, unused);
    load_corners(x, at, i, p->to, unused);
    pair_weights(p->from, edges, p->weight);
    p->between = pair_between(p->from, p->weight);
    p->gap = vlength(p->between);
    for (uint32_t k = 0; k < 4; k++) p->way[k] = vsub(p->to[k], p->from[k]);
}

/* Whether no end of an edge is its nearest point: those are corners, which are pairs of their own. */
KERNEL vmask is_inner(const vreal *weight)
{
    return vboth(vboth(weight[0] > K(0), weight[1] > K(0)), vboth(weight[2] < K(0), weight[3] < K(0)));
}

KERNEL void look_lanes(const pliant__pair_lanes *at, const pliant_real *path_start, const pliant_real *x, uint32_t *bits, uint32_t *far,
                       bool edges)
{
    *bits = *far = 0;
    for (uint32_t i = 0; i < PLIANT__BLOCK; i += W) {
        on_way p;
        load_ways(&p, at, path_start, x, i, edges);
        const vreal then = vdot(p.between, pair_between(p.to, p.weight)) * vinverse(p.gap),
                    reach = pair_reach(load_lanes(at->distance + i), vsplat(at->beyond), load_lanes(at->rest + i)),
                    sudden = vsqrt(pair_beside2(p.way, edges)) - K(2) * load_lanes(at->loose + i);
        vmask row = vboth(vboth(p.gap > KERNEL_TINY, vmin(p.gap, then) < reach), p.gap < reach + vmax(sudden, vsplat(0)));
        row = vboth(row, pair_ways_meet(p.from, p.to, edges, reach));
        if (edges) row &= is_inner(p.weight);
        *bits |= (bits_of(row) & EVERY_LANE) << i;
        *far |= (bits_of(p.gap >= reach) & EVERY_LANE) << i;
    }
}

void PLIANT__OF_WIDTH(look)(const pliant__pair_lanes *at, const pliant_real *path_start, const pliant_real *x, uint32_t *bits,
                            uint32_t *far)
{
    EITHER(at, look_lanes, at, path_start, x, bits, far);
}

KERNEL void passes_lanes(const pliant__pair_lanes *at, const pliant_real *path_start, const pliant_real *x, uint32_t *bits, uint32_t *far,
                         bool edges)
{
    *bits = *far = 0;
    for (uint32_t i = 0; i < PLIANT__BLOCK; i += W) {
        on_way p;
        load_ways(&p, at, path_start, x, i, edges);
        const vreal distance = load_lanes(at->distance + i), left = pair_left(distance);
        const vreal room = pair_may_close(pair_room(p.from, edges, vscale(p.between, vinverse(p.gap))), distance);
        const vmask might =
            vboth(vboth(p.gap > KERNEL_TINY, pair_beside2(p.way, edges) > room * room), pair_ways_meet(p.from, p.to, edges, left));
        *bits |= (bits_of(might) & EVERY_LANE) << i;
    }
    *far = *bits;
}

void PLIANT__OF_WIDTH(passes)(const pliant__pair_lanes *at, const pliant_real *path_start, const pliant_real *x, uint32_t *bits,
                              uint32_t *far)
{
    EITHER(at, passes_lanes, at, path_start, x, bits, far);
}

/* ---- rows ---- */

/* One slot, one weight: of a triangle that is a segment or a point, slots repeat. */
KERNEL void merge_weights(const pliant__pair_lanes *at, uint32_t from, vreal *weight)
{
    for (uint32_t k = 2; k < 4; k++)
        for (uint32_t j = 1; j < k; j++) {
            pliant_real same[W];
            for (uint32_t i = 0; i < W; i++) same[i] = at->slot[j][from + i] == at->slot[k][from + i];
            const vreal moved = weight[k] * load_lanes(same);
            weight[j] = weight[j] + moved;
            weight[k] = weight[k] - moved;
        }
}

/* The vector between the nearest points of both sides, by their weights, which of two points are 1 and -1. */
KERNEL vvec sides_between(const vvec *x, const vreal *weight, bool points) { return points ? vsub(x[0], x[1]) : pair_between(x, weight); }

KERNEL void weigh_sides(const vvec *x, bool edges, bool points, vreal *weight)
{
    if (!points) {
        pair_weights(x, edges, weight);
        return;
    }
    weight[0] = vsplat(1);
    weight[1] = vsplat(-1);
    weight[2] = weight[3] = vsplat(0);
}

/* Planes of W pairs: weights of the nearest points, their distance when the substep began (`gap`), and the vector between them then (`start_gap`) and as
 * predicted (`then`). */
typedef struct planes {
    vreal weight[4], gap, least; /* least: how near they are, or are predicted to be along the plane as it was */
    vvec  normal, start_gap, then;
} planes;

/* Of the gap. For a slip shorter than that the plane of the start is wrong by half its square, five millionths of the gap. */
#define ASIDE K(0.003)
#define DEEP K(0.5) /* of the gap: sides predicted nearer than that keep the plane of the start */

KERNEL vvec select_vec(vmask m, vvec a, vvec b) { return vvec_of(vselect(m, a.x, b.x), vselect(m, a.y, b.y), vselect(m, a.z, b.z)); }

/* A side that slides past a rim meets the plane of the substep's beginning aslant, though it comes no nearer than its thickness: the distance of two
 * sides is never less than their distance along one direction. So where sides are predicted further apart than that plane says, and have not come
 * through or deep, the plane is taken at the predicted positions. */
KERNEL void follow_slides(planes *p, const vvec *from, const vvec *to, vreal distance, bool edges, bool points)
{
    const vvec  slip = vsub(p->then, p->start_gap), aside = vsub(slip, vscale(p->normal, vdot(p->normal, slip)));
    const vreal least = ASIDE * p->gap;
    const vmask slides = vdot(aside, aside) > least * least;
    vreal       there[4];
    if (!(bits_of(slides) & EVERY_LANE)) return;
    weigh_sides(to, edges, points, there);
    const vvec  last = sides_between(to, there, points);
    const vreal far = vlength(last);
    const vmask follows = vboth(slides, vboth(far > vdot(p->normal, p->then), vdot(p->normal, last) > DEEP * vmin(p->gap, distance)));
    for (uint32_t k = 0; k < 4; k++) p->weight[k] = vselect(follows, there[k], p->weight[k]);
    p->normal = select_vec(follows, vscale(last, vinverse(far)), p->normal);
    p->start_gap = select_vec(follows, sides_between(from, there, points), p->start_gap);
    p->then = select_vec(follows, last, p->then);
}

KERNEL planes find_planes(const vvec *from, const vvec *to, vreal distance, bool edges, bool points)
{
    planes p;
    weigh_sides(from, edges, points, p.weight);
    p.start_gap = sides_between(from, p.weight, points);
    p.then = sides_between(to, p.weight, points);
    p.gap = vlength(p.start_gap);
    p.least = vmin(p.gap, vdot(p.start_gap, p.then) * vinverse(p.gap));
    p.normal = vscale(p.start_gap, vinverse(p.gap));
    follow_slides(&p, from, to, distance, edges, points);
    return p;
}

/* A push that would move a corner by more than PLIANT__PAIR_LEVER times what is missing is reduced by the square of the excess: no corner goes
 * further than that, and a row that can hardly move beside its pins does nothing (as in damped least squares; Wampler 1986). Arguments: the sum of
 * pulls times weights, and the largest pull. */
KERNEL vreal inverse_of_pulls(vreal sum, vreal most)
{
    const vreal bounded = PLIANT__PAIR_LEVER * vinverse(most);
    return vselect(most > PLIANT__PAIR_LEVER * sum, sum * bounded * bounded, vinverse(sum));
}

KERNEL void begin_lanes(pliant__pair_rows *r, const pliant_real *path_start, const pliant_real *x, pliant_real h, bool edges, bool points)
{
    for (uint32_t k = 0; k < 4; k++) r->moves[k] = 0;
    for (uint32_t i = 0; i < PLIANT__BLOCK; i += W) {
        vvec  from[4], to[4];
        vreal w[4], sum = vsplat(0), most = vsplat(0);
        load_sides(path_start, &r->at, i, points, from, w);
        load_sides(x, &r->at, i, points, to, w);
        const vreal distance = load_lanes(r->at.distance + i);
        planes      p = find_planes(from, to, distance, edges, points);
        const vreal hold = load_lanes(r->hold + i);
        if (bits_of(hold > K(0)) & EVERY_LANE) store_lanes(r->hold + i, vkeep(p.least < PLIANT__PAIR_REACH * distance, hold));
        const vreal closer = distance - p.gap, ease = vmin(vsplat(PLIANT__PAIR_EASE * h), closer * PLIANT__PAIR_RECOVERS);
        if (r->rolls) {
            const vvec across = vcross(p.normal, load_vec((const pliant_real(*)[PLIANT__BLOCK])r->across, i));
            store_vec(r->across, i, vscale(across, vinverse(vlength(across))));
        }
        if (!edges && !points) merge_weights(&r->at, i, p.weight);
        for (uint32_t k = 0; k < 4; k++) {
            const vreal pull = w[k] * p.weight[k];
            sum = sum + pull * p.weight[k];
            most = vmax(vabs(pull), most);
            store_lanes(r->weight[k] + i, p.weight[k]);
            store_lanes(r->pull[k] + i, pull);
            r->moves[k] |= (uint16_t)((bits_of(vabs(pull) > K(0)) & EVERY_LANE & (uint32_t)r->rows >> i) << i);
        }
        store_vec(r->normal, i, p.normal);
        store_vec(r->start_gap, i, p.start_gap);
        store_lanes(r->target + i, vselect(closer > K(0), p.gap + ease, distance));
        store_lanes(r->inverse + i, inverse_of_pulls(sum, most));
        store_lanes(r->approach + i, vdot(p.normal, vsub(p.then, p.start_gap)) / vsplat(h));
        store_lanes(r->lambda + i, vsplat(0));
        store_vec(r->friction, i, splat_vec((pliant_vec3){0, 0, 0}));
    }
}

void PLIANT__OF_WIDTH(begin_rows)(pliant__pair_rows *rows, const pliant_real *path_start, const pliant_real *x, pliant_real h)
{
    if (rows->points)
        begin_lanes(rows, path_start, x, h, false, true);
    else if (rows->at.edges)
        begin_lanes(rows, path_start, x, h, true, false);
    else
        begin_lanes(rows, path_start, x, h, false, false);
}

/* Moves the corners of W rows. */
KERNEL void push_corners(const pliant__pair_rows *r, uint32_t i, bool points, vvec by, vvec *x)
{
    UNROLL
    for (uint32_t k = 0; k < 4; k++)
        if (k < 2 || !points) x[k] = vadd(x[k], vscale(by, load_lanes(r->pull[k] + i)));
}

/* Moves the corners of some of W rows. */
KERNEL void store_corners(const pliant__pair_rows *r, uint32_t i, bool points, uint32_t lanes, pliant_real *x, const vvec *p,
                          const vreal *w)
{
    UNROLL
    for (uint32_t k = 0; k < 4; k++)
        if (k < 2 || !points) store_slots(x, (vslots){NULL, NULL, r->at.slot[k] + i}, (uint32_t)r->moves[k] >> i & lanes, p[k], w[k]);
}

KERNEL void load_weights(const pliant__pair_rows *r, uint32_t i, bool points, vreal *weight)
{
    if (points) return;
    for (uint32_t k = 0; k < 4; k++) weight[k] = load_lanes(r->weight[k] + i);
}

/* The impulse `impulse`, which would undo all slip, bounded by friction, where rows press by `press`. */
KERNEL vvec bound_friction(const pliant__pair_rows *r, uint32_t i, vvec impulse, vreal press)
{
    const vreal pull = vlength(impulse), least = load_lanes(r->friction_static + i) * press;
    return vscale(impulse, vselect(pull > least, load_lanes(r->friction_dynamic + i) * press * vinverse(pull), vsplat(1)));
}

/* Likewise where ropes roll: the part across a rope is bounded by rolling friction. */
KERNEL vvec bound_rolling(const pliant__pair_rows *r, uint32_t i, vvec impulse, vreal press)
{
    const vvec  across = load_vec((const pliant_real(*)[PLIANT__BLOCK])r->across, i);
    const vreal most = load_lanes(r->rolling + i) * press, part = vdot(across, impulse);
    const vvec  along = bound_friction(r, i, vsub(impulse, vscale(across, part)), press);
    return vadd(along, vscale(across, vmax(vmin(part, most), -most)));
}

KERNEL void project_lanes(pliant__pair_rows *r, pliant_real *positions, bool points)
{
    for (uint32_t i = 0; i < PLIANT__BLOCK; i += W) {
        vvec  x[4];
        vreal w[4], weight[4];
        load_sides(positions, &r->at, i, points, x, w);
        load_weights(r, i, points, weight);
        const vvec normal = load_vec((const pliant_real(*)[PLIANT__BLOCK])r->normal, i),
                   was = load_vec((const pliant_real(*)[PLIANT__BLOCK])r->friction, i);
        const vreal    inverse = load_lanes(r->inverse + i), before = load_lanes(r->lambda + i);
        const vreal    C = vdot(normal, sides_between(x, weight, points)) - load_lanes(r->target + i);
        const vreal    hold = load_lanes(r->hold + i), lambda = vmax(before - C * inverse, vsplat(0) - hold);
        const uint32_t acts = bits_of((lambda > K(0)) | (before > K(0)) | (hold > K(0))) & EVERY_LANE & (uint32_t)r->rows >> i;
        if (!acts) continue;
        push_corners(r, i, points, vscale(normal, lambda - before), x);
        vvec slip = vsub(sides_between(x, weight, points), load_vec((const pliant_real(*)[PLIANT__BLOCK])r->start_gap, i));
        slip = vsub(slip, vscale(normal, vdot(normal, slip)));
        vvec impulse = vsub(was, vscale(slip, inverse));
        impulse = r->rolls ? bound_rolling(r, i, impulse, lambda + hold) : bound_friction(r, i, impulse, lambda + hold);
        push_corners(r, i, points, vsub(impulse, was), x);
        store_lanes(r->lambda + i, lambda);
        store_vec(r->friction, i, impulse);
        store_corners(r, i, points, acts, positions, x, w);
    }
}

void PLIANT__OF_WIDTH(project_pairs)(pliant__pair_rows *r, pliant_real *positions)
{
    if (r->points)
        project_lanes(r, positions, true);
    else
        project_lanes(r, positions, false);
}

#define SLID K(1e-3) /* of the friction of a sliding row: more than rounding may take */

/* Where a row's push shrank over the iterations: a row that slid has less friction in proportion, and one that stuck as much as before. */
KERNEL vvec rub_less(vvec rubbed, vreal slides_with, vreal share)
{
    const vmask slid = vabs(vlength(rubbed) - slides_with) <= SLID * slides_with;
    return vscale(rubbed, vselect(slid, share, vsplat(1)));
}

KERNEL vvec ease_friction(const pliant__pair_rows *r, uint32_t i, vreal press, vreal share)
{
    const vvec  rubbed = load_vec((const pliant_real(*)[PLIANT__BLOCK])r->friction, i);
    const vreal slides_with = load_lanes(r->friction_dynamic + i) * press;
    if (!r->rolls) return rub_less(rubbed, slides_with, share);
    const vvec across = load_vec((const pliant_real(*)[PLIANT__BLOCK])r->across, i), part = vscale(across, vdot(across, rubbed));
    return vadd(rub_less(vsub(rubbed, part), slides_with, share), rub_less(part, load_lanes(r->rolling + i) * press, share));
}

KERNEL void settle_lanes(const pliant__pair_rows *r, pliant_real *velocities, pliant_real resting, pliant_real h, bool points)
{
    for (uint32_t i = 0; i < PLIANT__BLOCK; i += W) {
        const vreal lambda = load_lanes(r->lambda + i);
        if (!(bits_of(lambda > K(0)) & EVERY_LANE & (uint32_t)r->rows >> i)) continue;
        vvec  v[4];
        vreal w[4], weight[4];
        load_sides(velocities, &r->at, i, points, v, w);
        load_weights(r, i, points, weight);
        const vvec  normal = load_vec((const pliant_real(*)[PLIANT__BLOCK])r->normal, i);
        const vreal now = vdot(normal, sides_between(v, weight, points)), approach = load_lanes(r->approach + i),
                    wanted = vkeep(approach < -vsplat(resting), -(load_lanes(r->restitution + i) * approach));
        const vmask acts = (lambda > K(0)) & ((now > wanted) | (wanted > K(0)));
        const vreal press = lambda + load_lanes(r->hold + i), per_h = vsplat(1 / h), /* no more of the push comes back than there was */
            by = vmax(vkeep(acts, (wanted - now) * load_lanes(r->inverse + i)), -(press * per_h)),
                    left = vmax(press + vmin(by, vsplat(0)) * vsplat(h), vsplat(0));
        const vvec rubbed = load_vec((const pliant_real(*)[PLIANT__BLOCK])r->friction, i),
                   rubs = ease_friction(r, i, press, left * vinverse(press));
        push_corners(r, i, points, vadd(vscale(normal, by), vscale(vsub(rubs, rubbed), per_h)), v);
        store_corners(r, i, points, bits_of(acts) & EVERY_LANE & (uint32_t)r->rows >> i, velocities, v, w);
    }
}

void PLIANT__OF_WIDTH(settle_pairs)(const pliant__pair_rows *r, pliant_real *velocities, pliant_real resting, pliant_real h)
{
    if (r->points)
        settle_lanes(r, velocities, resting, h, true);
    else
        settle_lanes(r, velocities, resting, h, false);
}
