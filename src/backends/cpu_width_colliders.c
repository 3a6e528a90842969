/* Particles that might touch a collider, PLIANT_W at a time. The kernels are described in solver/collider_kernels.h. */
#include "backends/lanes.h"
#include "collide/grown.h"
#include "solver/collider_kernels.h"
#include "solver/sweep.h"

#define X(name, parameters, text) extern void PLIANT__OF_WIDTH(name) parameters;
PLIANT__COLLIDER_KERNELS(X)
#undef X

/* Paths of W particles, and how long each is. */
typedef struct some_paths {
    vvec  from, to;
    vreal length;
} some_paths;

KERNEL vvec vec_at(const pliant_real (*of)[PLIANT__CHUNK], uint32_t i)
{
    return vvec_of(load_lanes(of[0] + i), load_lanes(of[1] + i), load_lanes(of[2] + i));
}

KERNEL some_paths paths_at(const pliant__paths *p, uint32_t i)
{
    return (some_paths){vec_at(p->from, i), vec_at(p->to, i), load_lanes(p->length + i)};
}

/* From particle `first` on; those past `last` are the last. */
KERNEL some_paths read_paths(const pliant_real *from, const pliant_real *x, uint32_t first, uint32_t last)
{
    uint32_t   at[W];
    vreal      unused;
    some_paths p;
    if (first + W - 1 <= last) { /* side by side: the compiler knows where each is */
        for (uint32_t i = 0; i < W; i++) at[i] = i;
        load_slots(from + 4 * (size_t)first, (vslots){NULL, NULL, at}, &p.from, &unused);
        load_slots(x + 4 * (size_t)first, (vslots){NULL, NULL, at}, &p.to, &unused);
    } else {
        for (uint32_t i = 0; i < W; i++) at[i] = first + i < last ? first + i : last;
        load_slots(from, (vslots){NULL, NULL, at}, &p.from, &unused);
        load_slots(x, (vslots){NULL, NULL, at}, &p.to, &unused);
    }
    p.length = vlength(vsub(p.to, p.from));
    return p;
}

KERNEL void put_vec(pliant_real (*of)[PLIANT__CHUNK], uint32_t i, vvec a)
{
    store_lanes(of[0] + i, a.x);
    store_lanes(of[1] + i, a.y);
    store_lanes(of[2] + i, a.z);
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
    for (uint32_t i = 0; i < count; i += W) {
        const some_paths p = read_paths(from, x, first + i, first + count - 1);
        put_vec(paths->from, i, p.from);
        put_vec(paths->to, i, p.to);
        store_lanes(paths->length + i, p.length);
        low = vvec_of(vmin(vmin(p.from.x, p.to.x), low.x), vmin(vmin(p.from.y, p.to.y), low.y), vmin(vmin(p.from.z, p.to.z), low.z));
        high = vvec_of(vmax(vmax(p.from.x, p.to.x), high.x), vmax(vmax(p.from.y, p.to.y), high.y), vmax(vmax(p.from.z, p.to.z), high.z));
        longest = vmax(p.length, longest);
    }
    const pliant__box all = {v3(least_of(low.x), least_of(low.y), least_of(low.z)), v3(most_of(high.x), most_of(high.y), most_of(high.z))};
    *box = box_grown(all, most_of(longest));
    paths->count = count;
}

KERNEL vmask meets_box(const some_paths *p, const pliant__box *b)
{
    const vmask x = vboth(vmin(p->from.x, p->to.x) - p->length <= vsplat(b->high.x),
                          vsplat(b->low.x) <= vmax(p->from.x, p->to.x) + p->length),
                y = vboth(vmin(p->from.y, p->to.y) - p->length <= vsplat(b->high.y),
                          vsplat(b->low.y) <= vmax(p->from.y, p->to.y) + p->length),
                z = vboth(vmin(p->from.z, p->to.z) - p->length <= vsplat(b->high.z),
                          vsplat(b->low.z) <= vmax(p->from.z, p->to.z) + p->length);
    return vboth(vboth(x, y), z);
}

#define SURELY K(2.0001) /* times a path: the path, and as much again for pushes of constraints */
#define UNITS K(64)      /* units in the last place of the coordinates that rounding may take */

/* What a collider is told by. */
enum told { BY_BOX, BY_PLANE, BY_BALL, BY_CAPSULE };

/* m, from a plane, or from the axis of what is round. */
KERNEL vreal distance_to(const pliant__swept_bound *l, vvec off, enum told told)
{
    const vvec up = vvec_of(vsplat(l->up.x), vsplat(l->up.y), vsplat(l->up.z));
    if (told == BY_PLANE) return vdot(off, up);
    if (told == BY_BALL) return vlength(off);
    const vreal along = vmax(vmin(vdot(off, up), vsplat(l->half_height)), vsplat(-l->half_height));
    return vlength(vsub(off, vscale(up, along)));
}

/* Whether a particle may reach the collider: its path, and as much again, covers the distance at the beginning of the substep. A NaN counts as
 * near. */
KERNEL vmask is_in_reach(const some_paths *p, const pliant__swept_bound *l, enum told told)
{
    const vvec  at = vvec_of(vsplat(l->at.x), vsplat(l->at.y), vsplat(l->at.z));
    const vreal size = vabs(p->from.x) + vabs(p->from.y) + vabs(p->from.z) +
                       vsplat(r_abs(l->at.x) + r_abs(l->at.y) + r_abs(l->at.z) + r_abs(l->grown) + l->half_height);
    const vreal most = SURELY * (p->length + vsplat(l->gone)) + vsplat(l->touch) + UNITS * PLIANT__REAL_EPSILON * size;
    const vreal away = distance_to(l, vsub(p->from, at), told) - vsplat(l->grown);
    return (away <= most) | (away != away) | (most != most);
}

KERNEL uint32_t near_lanes(const pliant__swept_bound *l, const some_paths *p, enum told told)
{
    const vmask    some = meets_box(p, &l->box);
    const uint32_t bits = bits_of(some) & EVERY_LANE;
    return told != BY_BOX && bits ? bits & bits_of(is_in_reach(p, l, told)) : bits;
}

KERNEL void find_near(const pliant__swept_bound *l, const pliant__paths *paths, enum told told, uint16_t *bits)
{
    const uint32_t count = paths->count;
    for (uint32_t i = 0; i < count; i += PLIANT__BLOCK) {
        uint32_t near = 0;
        for (uint32_t k = 0; k < PLIANT__BLOCK && i + k < count; k += W) {
            const some_paths p = paths_at(paths, i + k);
            near |= near_lanes(l, &p, told) << k;
        }
        bits[i / PLIANT__BLOCK] = (uint16_t)(count - i < PLIANT__BLOCK ? near & ((1u << (count - i)) - 1) : near);
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
