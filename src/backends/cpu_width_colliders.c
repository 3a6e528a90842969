/* Particles that might touch a collider, PLIANT_W at a time. The kernels are described in solver/collider_kernels.h. */
#include "backends/lanes.h"
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
    paths->rounding = PLIANT__PATH_ROUNDING * (r_max(r_abs(all.low.x), r_abs(all.high.x)) + r_max(r_abs(all.low.y), r_abs(all.high.y)) +
                                               r_max(r_abs(all.low.z), r_abs(all.high.z)));
}

/* What a collider is told by. */
enum told { BY_BOX, BY_PLANE, BY_BALL, BY_CAPSULE };

/* Whether particles may meet a collider: their paths begin no further from it than their reach and the collider's. */
KERNEL vmask is_in_reach(const pliant__swept_bound *l, const pliant__paths *paths, uint32_t i, pliant_real collider_reach, enum told told)
{
    const vvec  from = vvec_of(load_lanes(paths->from[0] + i), load_lanes(paths->from[1] + i), load_lanes(paths->from[2] + i));
    const vreal reach = load_lanes(paths->reach + i), most = reach + vsplat(collider_reach);
    const vvec  up = vvec_of(vsplat(l->up.x), vsplat(l->up.y), vsplat(l->up.z));
    if (told == BY_BOX) {
        const vmask x = vboth(from.x - most <= vsplat(l->box.high.x), vsplat(l->box.low.x) <= from.x + most),
                    y = vboth(from.y - most <= vsplat(l->box.high.y), vsplat(l->box.low.y) <= from.y + most),
                    z = vboth(from.z - most <= vsplat(l->box.high.z), vsplat(l->box.low.z) <= from.z + most);
        return vboth(vboth(x, y), z);
    }
    if (told == BY_PLANE) return vboth(vdot(from, up) <= most, load_lanes(paths->low + i) <= vsplat(l->box.high.y));
    vvec off = vsub(from, vvec_of(vsplat(l->at.x), vsplat(l->at.y), vsplat(l->at.z)));
    if (told == BY_CAPSULE) off = vsub(off, vscale(up, vmax(vmin(vdot(off, up), vsplat(l->half_height)), vsplat(-l->half_height))));
    return vdot(off, off) <= most * most;
}

KERNEL void find_near(const pliant__swept_bound *l, const pliant__paths *paths, enum told told, uint16_t *bits)
{
    const pliant__swept_bound own = *l; /* no store changes it */
    const pliant_real         reach = (told == BY_BOX ? 0 : own.reach) + paths->rounding;
    for (uint32_t i = 0; i < paths->count; i += PLIANT__BLOCK) {
        uint32_t near = 0;
        UNROLL
        for (uint32_t k = 0; k < PLIANT__BLOCK; k += W) near |= (bits_of(is_in_reach(&own, paths, i + k, reach, told)) & EVERY_LANE) << k;
        bits[i / PLIANT__BLOCK] = (uint16_t)(near & paths->moves[i / PLIANT__BLOCK]);
    }
}

void PLIANT__OF_WIDTH(swept_bound)(const pliant__swept_bound *l, const pliant__paths *paths, uint16_t *bits)
{
    if (l->plane)
        find_near(l, paths, BY_PLANE, bits);
    else if (!l->round)
        find_near(l, paths, BY_BOX, bits);
    else if (l->half_height > 0)
        find_near(l, paths, BY_CAPSULE, bits);
    else
        find_near(l, paths, BY_BALL, bits);
}
