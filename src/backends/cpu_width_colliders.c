/* Particles that might touch a collider, PLIANT_W at a time. The kernels are described in solver/collider_kernels.h. */
#include "backends/lanes.h"
#include "backends/rows.h"
#include "collide/grown.h"
#include "solver/collider_kernels.h"
#include "solver/sweep.h"

#define X(name, parameters, text) extern void PLIANT__OF_WIDTH(name) parameters;
PLIANT__COLLIDER_KERNELS(X)
#undef X

/* Paths of W particles, and bits of those that can move. */
typedef struct some_paths {
    vvec     from, to;
    uint32_t moves;
} some_paths;

/* `left` particles from `first` on; lanes past them are `last`. */
KERNEL some_paths read_paths(const pliant_real *from, const pliant_real *x, uint32_t first, uint32_t left, uint32_t last)
{
    uint32_t   at[W];
    vreal      w, unused;
    some_paths p;
    if (left >= W) { /* side by side: the compiler knows where each is */
        for (uint32_t i = 0; i < W; i++) at[i] = i;
        load_slots(from + 4 * (size_t)first, (vslots){NULL, NULL, at}, &p.from, &unused);
        load_slots(x + 4 * (size_t)first, (vslots){NULL, NULL, at}, &p.to, &w);
        p.moves = bits_of(w > vsplat(0)) & EVERY_LANE;
    } else {
        for (uint32_t i = 0; i < W; i++) at[i] = i < left ? first + i : last;
        load_slots(from, (vslots){NULL, NULL, at}, &p.from, &unused);
        load_slots(x, (vslots){NULL, NULL, at}, &p.to, &w);
        p.moves = bits_of(w > vsplat(0)) & ((1u << left) - 1);
    }
    return p;
}

KERNEL pliant_real least_of(vreal a)
{
    pliant_real least = lane(a, 0);
    for (uint32_t i = 1; i < W; i++) least = r_min(least, lane(a, i));
    return least;
}

KERNEL pliant_real most_of(vreal a) { return -least_of(-a); }

static pliant_real rounding_of(const pliant__box *all)
{
    return PLIANT__PATH_ROUNDING * (r_max(r_abs(all->low.x), r_abs(all->high.x)) + r_max(r_abs(all->low.y), r_abs(all->high.y)) +
                                    r_max(r_abs(all->low.z), r_abs(all->high.z)));
}

void PLIANT__OF_WIDTH(paths)(const pliant_real *from, const pliant_real *x, uint32_t first, uint32_t count, pliant__paths *paths,
                             pliant__box *box)
{
    const vreal far = vsplat((pliant_real)INFINITY);
    vvec        low = vvec_of(far, far, far), high = vvec_of(-far, -far, -far);
    vreal       longest = vsplat(0);
    for (uint32_t i = 0, moves = 0; i < count || i % PLIANT__BLOCK; i += W) {
        const some_paths p = read_paths(from, x, first + i, i < count ? count - i : 0, first + count - 1);
        const vreal      length = vlength(vsub(p.to, p.from)), lower = vmin(p.from.y, p.to.y);
        store_lanes(paths->from[0] + i, p.from.x);
        store_lanes(paths->from[1] + i, p.from.y);
        store_lanes(paths->from[2] + i, p.from.z);
        store_lanes(paths->reach + i, PLIANT__PATH_LENGTHS * length);
        store_lanes(paths->low + i, lower - length);
        moves = moves >> W | p.moves << (PLIANT__BLOCK - W); /* a whole block's bits when the block ends */
        paths->moves[i / PLIANT__BLOCK] = (uint16_t)moves;
        low = vvec_of(vmin(vmin(p.from.x, p.to.x), low.x), vmin(lower, low.y), vmin(vmin(p.from.z, p.to.z), low.z));
        high = vvec_of(vmax(vmax(p.from.x, p.to.x), high.x), vmax(vmax(p.from.y, p.to.y), high.y), vmax(vmax(p.from.z, p.to.z), high.z));
        longest = vmax(length, longest);
    }
    const pliant__box all = {v3(least_of(low.x), least_of(low.y), least_of(low.z)), v3(most_of(high.x), most_of(high.y), most_of(high.z))};
    *box = box_grown(all, most_of(longest));
    paths->count = count;
    paths->rounding = rounding_of(&all);
}

/* A collider in lanes: the same in each, or one for each. */
typedef struct vbound {
    vvec  low, high, at, up;
    vreal half_height, reach; /* of planes, balls and capsules their own with the rounding of paths; of boxes the rounding */
} vbound;

/* Whether particles may meet a collider: their paths begin no further from it than their reach and the collider's. */
KERNEL vmask is_in_reach(const vbound *l, vvec from, vreal reach, const pliant_real *low, enum pliant__told told)
{
    const vreal most = reach + l->reach;
    if (told == PLIANT__BY_BOX) {
        const vmask x = vboth(from.x - most <= l->high.x, l->low.x <= from.x + most),
                    y = vboth(from.y - most <= l->high.y, l->low.y <= from.y + most),
                    z = vboth(from.z - most <= l->high.z, l->low.z <= from.z + most);
        return vboth(vboth(x, y), z);
    }
    if (told == PLIANT__BY_PLANE) return vboth(vdot(from, l->up) <= most, load_lanes(low) <= l->high.y);
    vvec off = vsub(from, l->at);
    if (told == PLIANT__BY_CAPSULE) off = vsub(off, vscale(l->up, vmax(vmin(vdot(off, l->up), l->half_height), -l->half_height)));
    return vdot(off, off) <= most * most;
}

KERNEL vvec splat_three(pliant_vec3 a) { return vvec_of(vsplat(a.x), vsplat(a.y), vsplat(a.z)); }

KERNEL void find_near(const pliant__swept_bound *l, const pliant__paths *paths, enum pliant__told told, uint16_t *bits)
{
    const vbound own = {splat_three(l->box.low), splat_three(l->box.high),
                        splat_three(l->at),      splat_three(l->up),
                        vsplat(l->half_height),  vsplat((told == PLIANT__BY_BOX ? 0 : l->reach) + paths->rounding)};
    for (uint32_t i = 0; i < paths->count; i += PLIANT__BLOCK) {
        uint32_t near = 0;
        UNROLL
        for (uint32_t k = 0; k < PLIANT__BLOCK; k += W) {
            const uint32_t p = i + k;
            const vvec     from = vvec_of(load_lanes(paths->from[0] + p), load_lanes(paths->from[1] + p), load_lanes(paths->from[2] + p));
            near |= (bits_of(is_in_reach(&own, from, load_lanes(paths->reach + p), paths->low + p, told)) & EVERY_LANE) << k;
        }
        bits[i / PLIANT__BLOCK] = (uint16_t)(near & paths->moves[i / PLIANT__BLOCK]);
    }
}

void PLIANT__OF_WIDTH(swept_bound)(const pliant__swept_bound *l, const pliant__paths *paths, uint16_t *bits)
{
    switch (pliant__told_by(l)) {
    case PLIANT__BY_PLANE: find_near(l, paths, PLIANT__BY_PLANE, bits); break;
    case PLIANT__BY_BOX: find_near(l, paths, PLIANT__BY_BOX, bits); break;
    case PLIANT__BY_CAPSULE: find_near(l, paths, PLIANT__BY_CAPSULE, bits); break;
    case PLIANT__BY_BALL: find_near(l, paths, PLIANT__BY_BALL, bits); break;
    }
}

/* ---- 16 states side by side ---- */

#define GROUP (4 * (size_t)PLIANT__BLOCK) /* numbers of a slot's 16 states */

/* Of the states from `part` on. */
static void paths_of_states(const pliant_real *from, const pliant_real *x, uint32_t count, uint32_t part, pliant__state_paths *paths)
{
    const vreal far = vsplat((pliant_real)INFINITY);
    vvec        low = vvec_of(far, far, far), high = vvec_of(-far, -far, -far);
    vreal       longest = vsplat(0);
    for (uint32_t i = 0; i < count; i++) {
        const vvec     a = load_place(from + GROUP * i + part), b = load_place(x + GROUP * i + part);
        const vreal    length = vlength(vsub(b, a)), lower = vmin(a.y, b.y);
        const uint32_t moves = bits_of(load_lanes(x + GROUP * i + 3 * PLIANT__BLOCK + part) > vsplat(0)) & EVERY_LANE;
        store_lanes(paths->reach[i] + part, PLIANT__PATH_LENGTHS * length);
        store_lanes(paths->low[i] + part, lower - length);
        paths->moves[i] = (uint16_t)((part ? paths->moves[i] : 0) | moves << part);
        low = vvec_of(vmin(vmin(a.x, b.x), low.x), vmin(lower, low.y), vmin(vmin(a.z, b.z), low.z));
        high = vvec_of(vmax(vmax(a.x, b.x), high.x), vmax(vmax(a.y, b.y), high.y), vmax(vmax(a.z, b.z), high.z));
        longest = vmax(length, longest);
    }
    for (uint32_t i = 0; i < W; i++) {
        const pliant__box all = {v3(lane(low.x, i), lane(low.y, i), lane(low.z, i)), v3(lane(high.x, i), lane(high.y, i), lane(high.z, i))};
        paths->box[part + i] = box_grown(all, lane(longest, i));
        paths->rounding[part + i] = rounding_of(&all);
    }
}

void PLIANT__OF_WIDTH(state_paths)(const pliant_real *from, const pliant_real *x, uint32_t count, pliant__state_paths *paths)
{
    paths->count = count;
    paths->from = from;
    for (uint32_t part = 0; part < PLIANT__BLOCK; part += W) paths_of_states(from, x, count, part, paths);
}

KERNEL vbound load_bound(const pliant__state_bound *l, uint32_t part)
{
    const vbound b = {load_place(l->low[0] + part), load_place(l->high[0] + part),     load_place(l->at[0] + part),
                      load_place(l->up[0] + part),  load_lanes(l->half_height + part), load_lanes(l->reach + part)};
    return b;
}

#define AT_HAND 32u /* particles that are asked about one collider after another while they are in the nearest cache */

/* Bits of states of particles [first, end). */
KERNEL void near_in_states(const pliant__state_bound *l, const pliant__state_paths *paths, uint32_t first, uint32_t end,
                           enum pliant__told told, uint16_t *near)
{
    for (uint32_t part = 0; part < PLIANT__BLOCK; part += W) {
        const vbound   own = load_bound(l, part);
        const uint32_t states = l->states;
        for (uint32_t k = first; k < end; k++) {
            const uint32_t bits = bits_of(is_in_reach(&own, load_place(paths->from + GROUP * k + part), load_lanes(paths->reach[k] + part),
                                                      paths->low[k] + part, told)) &
                                  EVERY_LANE;
            near[k] = (uint16_t)((part ? near[k] : 0) | (bits << part & states & paths->moves[k]));
        }
    }
}

void PLIANT__OF_WIDTH(state_bounds)(const pliant__state_bound *l, uint32_t count, const pliant__state_paths *paths,
                                    uint16_t (*near)[PLIANT__CHUNK])
{
    for (uint32_t k = 0; k < paths->count; k += AT_HAND) {
        const uint32_t end = k + AT_HAND < paths->count ? k + AT_HAND : paths->count;
        for (uint32_t i = 0; i < count; i++) switch (l[i].told) {
            case PLIANT__BY_PLANE: near_in_states(&l[i], paths, k, end, PLIANT__BY_PLANE, near[i]); break;
            case PLIANT__BY_BOX: near_in_states(&l[i], paths, k, end, PLIANT__BY_BOX, near[i]); break;
            case PLIANT__BY_CAPSULE: near_in_states(&l[i], paths, k, end, PLIANT__BY_CAPSULE, near[i]); break;
            case PLIANT__BY_BALL: near_in_states(&l[i], paths, k, end, PLIANT__BY_BALL, near[i]); break;
            }
    }
}
