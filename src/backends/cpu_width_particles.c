/* The stages forces, predict and velocities, PLIANT_W numbers at a time, for a run of slots of one body: one by one, and all at once for a patch that
 * is solved in the nearest cache. Both are the same arithmetic, particle by particle. */
#include "backends/lanes.h"
#include "base/vec.h"
#include "solver/sweep.h"

#define X(name, parameters, text) extern void PLIANT__OF_WIDTH(name) parameters;
PLIANT__PARTICLE_KERNELS(X)
#undef X

#define GROUP (4 * PLIANT__BLOCK) /* numbers of a group of lanes */

/* ---- one particle ---- */

KERNEL pliant_vec3 forced_one(const pliant_real *v, const pliant__motion *m)
{
    return v3(m->keep * v[0] + m->dv.x, m->keep * v[1] + m->dv.y, m->keep * v[2] + m->dv.z);
}

KERNEL pliant_vec3 predicted_one(const pliant_real *x, pliant_vec3 v, const pliant__motion *m)
{
    return v3(x[0] + m->h * v.x, x[1] + m->h * v.y, x[2] + m->h * v.z);
}

KERNEL pliant_vec3 corrected_one(const pliant_real *x, pliant_vec3 predicted, pliant_vec3 v, const pliant__motion *m)
{
    return v3(v.x + (x[0] - predicted.x) * m->per_h, v.y + (x[1] - predicted.y) * m->per_h, v.z + (x[2] - predicted.z) * m->per_h);
}

KERNEL void put(pliant_real *to, pliant_vec3 a)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
}

KERNEL void watch_one(pliant__watch *watch, pliant_vec3 v, const pliant__motion *m)
{
    const pliant_real speed2 = v.x * v.x + v.y * v.y + v.z * v.z;
    if (!(speed2 <= m->limit2)) watch->bad = true;
    if (speed2 > watch->largest2) watch->largest2 = speed2;
}

static void force_one(const pliant_real *x, pliant_real *v, const pliant__motion *m)
{
    if (x[3] != 0) put(v, forced_one(v, m));
}

static void predict_one(pliant_real *x, pliant_real *start, const pliant_real *v, const pliant__motion *m)
{
    if (x[3] == 0) return;
    put(start, v3(x[0], x[1], x[2]));
    put(x, predicted_one(x, v3(v[0], v[1], v[2]), m));
}

static void velocity_one(const pliant_real *x, const pliant_real *start, pliant_real *v, const pliant__motion *m, pliant__watch *watch)
{
    if (x[3] == 0) return;
    const pliant_vec3 old = v3(v[0], v[1], v[2]), now = corrected_one(x, predicted_one(start, old, m), old, m);
    put(v, now);
    watch_one(watch, now, m);
}

static void enter_one(pliant_real *to, const pliant_real *x, const pliant_real *v, const pliant__motion *m)
{
    memcpy(to, x, 4 * sizeof *to);
    if (x[3] != 0) put(to, predicted_one(x, forced_one(v, m), m));
}

/* Appends the motion at the substep's beginning of particles that go on. */
KERNEL void append_one(pliant_real **path_start, const pliant_real *x)
{
    memcpy(*path_start, x, 4 * sizeof *x);
    *path_start += 4;
}

static void leave_one(const pliant_real *from, pliant_real *x, pliant_real *v, pliant_real **path_start, bool goes, const pliant__motion *m,
                      pliant__watch *watch)
{
    const bool  fixed = x[3] == 0;
    pliant_vec3 now = forced_one(v, m);
    if (goes) append_one(path_start, x);
    if (fixed) {
        put(x, v3(from[0], from[1], from[2]));
        return;
    }
    if (!goes) {
        now = corrected_one(from, predicted_one(x, now, m), now, m);
        watch_one(watch, now, m);
    }
    put(v, now);
    put(x, v3(from[0], from[1], from[2]));
}

#if W >= 4

/* ---- a vector of particles ---- */

#define PARTICLES (W / 4) /* per vector */

#if W == 4
#define OF_EACH(k) k, k, k, k
#elif W == 8
#define OF_EACH(k) k, k, k, k, (k) + 4, (k) + 4, (k) + 4, (k) + 4
#else
#define OF_EACH(k) \
    k, k, k, k, (k) + 4, (k) + 4, (k) + 4, (k) + 4, (k) + 8, (k) + 8, (k) + 8, (k) + 8, (k) + 12, (k) + 12, (k) + 12, (k) + 12
#endif
#if W == 4
#define OF_FOUR(a, b, c, d) a, b, c, d
#elif W == 8
#define OF_FOUR(a, b, c, d) a, b, c, d, (a) + 4, (b) + 4, (c) + 4, (d) + 4
#else
#define OF_FOUR(a, b, c, d) \
    a, b, c, d, (a) + 4, (b) + 4, (c) + 4, (d) + 4, (a) + 8, (b) + 8, (c) + 8, (d) + 8, (a) + 12, (b) + 12, (c) + 12, (d) + 12
#endif
#ifdef PLIANT_DOUBLE
#define SIGNLESS INT64_MAX
#else
#define SIGNLESS INT32_MAX
#endif
#define EACH(v, k) __builtin_shufflevector(v, v, OF_EACH(k)) /* coordinate k of every particle, four times */

/* A motion in every particle of a vector. The fourth numbers: velocities have 0 there, positions w, and neither changes. */
typedef struct vmotion {
    vreal keep, dv, h, per_h, limit2;
} vmotion;

KERNEL vmotion each_of(const pliant__motion *m)
{
    vmotion r = {vsplat(m->keep), vsplat(0), vsplat(m->h), vsplat(m->per_h), vsplat(m->limit2)};
    for (int i = 0; i < W; i += 4) {
        r.dv[i] = m->dv.x;
        r.dv[i + 1] = m->dv.y;
        r.dv[i + 2] = m->dv.z;
    }
    return r;
}

KERNEL vreal forced(vreal v, const vmotion *m) { return m->keep * v + m->dv; }
KERNEL vreal predicted(vreal x, vreal v, const vmotion *m) { return x + m->h * v; }
KERNEL vreal corrected(vreal x, vreal predicted_x, vreal v, const vmotion *m) { return v + (x - predicted_x) * m->per_h; }
KERNEL vmask vmax_bits(vmask a, vmask b) { return (a & (a > b)) | (b & ~(a > b)); } /* of bits without a sign */
KERNEL vmask moves(vreal x) { return EACH(x, 3) != vsplat(0); }

/* A watch over particles: the highest square of a speed, in the first number of every particle, as the bits of a number that is not negative:
 * a NaN is above all of them, and stays. */
typedef vmask vwatch;

KERNEL void look(vwatch *watch, vreal v, vmask counts)
{
    const vreal square = v * v, speed2 = square + __builtin_shufflevector(square, square, OF_FOUR(1, 0, 3, 2)) + EACH(square, 2);
    const vmask bits = (vmask)speed2 & counts & SIGNLESS;
    *watch = vmax_bits(*watch, bits);
}

KERNEL void note(pliant__watch *to, vwatch watch, const pliant__motion *m)
{
    const vreal highest = (vreal)watch;
    for (int i = 0; i < W; i += 4) {
        if (!(highest[i] <= m->limit2)) to->bad = true;
        if (highest[i] > to->largest2) to->largest2 = highest[i];
    }
}

#define EACH_VECTOR(i, count) for (; (i) + PARTICLES <= (count); (i) += PARTICLES)
#endif

/* ---- fetching ahead ---- */

#define AHEAD 12u  /* particles that lie anywhere, about as long as memory takes */
#define FAR_ON 64u /* of a run */

KERNEL void prefetch(const pliant_real *at)
{
#ifdef __GNUC__
    __builtin_prefetch(at);
#else
    (void)at;
#endif
}

/* Positions and velocities of a run further on, line by line: a processor fetches ahead by itself, but not past the end of a page. */
KERNEL void prefetch_run(const pliant_real *x, const pliant_real *v, uint32_t i)
{
    const size_t at = 4 * ((size_t)i + FAR_ON) * sizeof *x; /* may lie past the end */
    if (4 * (size_t)i * sizeof *x % 64) return;
    prefetch((const pliant_real *)((uintptr_t)x + at));
    prefetch((const pliant_real *)((uintptr_t)v + at));
}

/* ---- runs of particles ---- */

void PLIANT__OF_WIDTH(forces)(const pliant_real *x, pliant_real *v, uint32_t count, const pliant__motion *m)
{
    uint32_t i = 0;
#if W >= 4
    const vmotion each = each_of(m);
    EACH_VECTOR(i, count)
    {
        const vreal a = load_lanes(v + 4 * (size_t)i);
        store_lanes(v + 4 * (size_t)i, vselect(moves(load_lanes(x + 4 * (size_t)i)), forced(a, &each), a));
    }
#endif
    for (; i < count; i++) force_one(x + 4 * (size_t)i, v + 4 * (size_t)i, m);
}

void PLIANT__OF_WIDTH(predict)(pliant_real *x, pliant_real *start, const pliant_real *v, uint32_t count, const pliant__motion *m)
{
    uint32_t i = 0;
#if W >= 4
    const vmotion each = each_of(m);
    EACH_VECTOR(i, count)
    {
        const vreal at = load_lanes(x + 4 * (size_t)i), was = load_lanes(start + 4 * (size_t)i);
        const vmask free = moves(at);
        store_lanes(start + 4 * (size_t)i, vselect(free, at, was)); /* the start of a particle that the user moves is set elsewhere */
        store_lanes(x + 4 * (size_t)i, vselect(free, predicted(at, load_lanes(v + 4 * (size_t)i), &each), at));
    }
#endif
    for (; i < count; i++) predict_one(x + 4 * (size_t)i, start + 4 * (size_t)i, v + 4 * (size_t)i, m);
}

void PLIANT__OF_WIDTH(velocities)(const pliant_real *x, const pliant_real *start, pliant_real *v, uint32_t count, const pliant__motion *m,
                                  pliant__watch *watch)
{
    uint32_t i = 0;
#if W >= 4
    const vmotion each = each_of(m);
    vwatch        seen = {0};
    EACH_VECTOR(i, count)
    {
        const vreal at = load_lanes(x + 4 * (size_t)i), old = load_lanes(v + 4 * (size_t)i);
        const vmask free = moves(at);
        const vreal now = vselect(free, corrected(at, predicted(load_lanes(start + 4 * (size_t)i), old, &each), old, &each), old);
        store_lanes(v + 4 * (size_t)i, now);
        look(&seen, now, free);
    }
    note(watch, seen, m);
#endif
    for (; i < count; i++) velocity_one(x + 4 * (size_t)i, start + 4 * (size_t)i, v + 4 * (size_t)i, m, watch);
}

void PLIANT__OF_WIDTH(enter)(pliant_real *to, const pliant_real *x, const pliant_real *v, uint32_t count, const pliant__motion *m)
{
    uint32_t i = 0;
#if W >= 4
    const vmotion each = each_of(m);
    EACH_VECTOR(i, count)
    {
        prefetch_run(x, v, i);
        const vreal at = load_lanes(x + 4 * (size_t)i);
        store_lanes(to + 4 * (size_t)i, vselect(moves(at), predicted(at, forced(load_lanes(v + 4 * (size_t)i), &each), &each), at));
    }
#endif
    for (; i < count; i++) enter_one(to + 4 * (size_t)i, x + 4 * (size_t)i, v + 4 * (size_t)i, m);
}

/* Particles that rounds after the first moved too. */
void PLIANT__OF_WIDTH(late)(const pliant_real *x, const pliant_real *path_start, pliant_real *v, const uint32_t *slots, uint32_t count,
                            const pliant__motion *m, pliant__watch *watch)
{
    for (uint32_t i = 0; i < count; i++) {
        const size_t at = 4 * (size_t)slots[i], soon = 4 * (size_t)slots[i + AHEAD < count ? i + AHEAD : i];
        prefetch(x + soon);
        prefetch(v + soon);
        velocity_one(x + at, path_start + 4 * (size_t)i, v + at, m, watch);
    }
}

static bool goes_on(const uint8_t *later, uint32_t i) { return later[i / 8] >> i % 8 & 1; }

#if W >= 4
/* Which particles of a vector do, a bit each; as lanes. */
KERNEL uint32_t going_on(const uint8_t *later, uint32_t i)
{
    const uint32_t last = i + PARTICLES - 1, bits = (uint32_t)later[i / 8] | (uint32_t)later[last / 8] << (last / 8 - i / 8) * 8;
    return bits >> i % 8 & ((1u << PARTICLES) - 1);
}

KERNEL vmask lanes_of(uint32_t particles)
{
    vmask m = {0};
    UNROLL
    for (uint32_t i = 0; i < PARTICLES; i++)
        for (uint32_t k = 0; k < 4; k++) m[4 * i + k] = -(pliant__lane_int)(particles >> i & 1u);
    return m;
}

/* A vector of a group of which only so many particles are there; the others count as 0. `more`: behind them lie the next group's. */
KERNEL vreal load_some(const pliant_real *a, uint32_t count, bool more)
{
    pliant_real padded[W] = {0};
    if (count >= PARTICLES) return load_lanes(a);
    if (count && more) return vkeep(lanes_of((1u << count) - 1), load_lanes(a));
    memcpy(padded, a, 4 * (size_t)count * sizeof *a);
    return load_lanes(padded);
}

/* Writes that vector back; the other particles are not touched: the next load of them would wait for a store that covers a part of them. */
KERNEL void store_some(pliant_real *a, vreal v, uint32_t count)
{
    if (count >= PARTICLES) store_lanes(a, v);
#if W == 16
    typedef pliant_real half __attribute__((vector_size(8 * sizeof(pliant_real))));
    const half          two = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7);
    const pack          first = __builtin_shufflevector(v, v, 0, 1, 2, 3), third = __builtin_shufflevector(v, v, 8, 9, 10, 11);
    if (count == 2 || count == 3) memcpy(a, &two, sizeof two);
    if (count == 1) memcpy(a, &first, sizeof first);
    if (count == 3) memcpy(a + 8, &third, sizeof third);
#elif W == 8
    const pack first = __builtin_shufflevector(v, v, 0, 1, 2, 3);
    if (count == 1) memcpy(a, &first, sizeof first);
#endif
}

/* Velocities of the first `count` particles of a vector as they leave a substep: `to` is where they are now. */
KERNEL void leave_vector(vreal to, pliant_real *x, pliant_real *v, pliant_real **path_start, uint32_t count, uint32_t going,
                         const vmotion *each, vwatch *seen)
{
    const vreal at = load_lanes(x), old = load_lanes(v);
    const vmask free = count < PARTICLES ? moves(at) & lanes_of((1u << count) - 1) : moves(at);
    const vreal pushed = forced(old, each);
    vreal       now = corrected(to, predicted(at, pushed, each), pushed, each);
    vmask       done = free;
    if (going) {
        const vmask goes = lanes_of(going);
        now = vselect(goes, pushed, now);
        done &= ~goes;
        for (uint32_t i = 0; i < PARTICLES && i < count; i++)
            if (going >> i & 1) append_one(path_start, x + 4 * i);
    }
    now = vselect(free, now, old);
    store_some(v, now, count);
    store_some(x, to, count);
    look(seen, now, done);
}

/* ---- a group of a tile: W particles, and the same as x y z w of W lanes ---- */

KERNEL void turn_in(const vreal a[4], vreal out[4])
{
#if W == 16
    const vreal t0 = __builtin_shufflevector(a[0], a[1], 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    const vreal u0 = __builtin_shufflevector(a[0], a[1], 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
    const vreal t1 = __builtin_shufflevector(a[2], a[3], 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    const vreal u1 = __builtin_shufflevector(a[2], a[3], 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
    out[0] = __builtin_shufflevector(t0, t1, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    out[1] = __builtin_shufflevector(t0, t1, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    out[2] = __builtin_shufflevector(u0, u1, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    out[3] = __builtin_shufflevector(u0, u1, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
#else
#if W == 8
    const vreal r0 = __builtin_shufflevector(a[0], a[2], 0, 1, 2, 3, 8, 9, 10, 11),
                r1 = __builtin_shufflevector(a[0], a[2], 4, 5, 6, 7, 12, 13, 14, 15);
    const vreal r2 = __builtin_shufflevector(a[1], a[3], 0, 1, 2, 3, 8, 9, 10, 11),
                r3 = __builtin_shufflevector(a[1], a[3], 4, 5, 6, 7, 12, 13, 14, 15);
#else
    const vreal r0 = a[0], r1 = a[1], r2 = a[2], r3 = a[3];
#endif
    const vreal xy01 = INTERLEAVE_LOW(r0, r1), zw01 = INTERLEAVE_HIGH(r0, r1), xy23 = INTERLEAVE_LOW(r2, r3),
                zw23 = INTERLEAVE_HIGH(r2, r3);
    out[0] = PAIRS_LOW(xy01, xy23);
    out[1] = PAIRS_HIGH(xy01, xy23);
    out[2] = PAIRS_LOW(zw01, zw23);
    out[3] = PAIRS_HIGH(zw01, zw23);
#endif
}

KERNEL void turn_out(const vreal p[4], vreal out[4])
{
#if W == 16
    const vreal t0 = __builtin_shufflevector(p[0], p[1], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    const vreal t1 = __builtin_shufflevector(p[0], p[1], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    const vreal u0 = __builtin_shufflevector(p[2], p[3], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    const vreal u1 = __builtin_shufflevector(p[2], p[3], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    out[0] = __builtin_shufflevector(t0, u0, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
    out[1] = __builtin_shufflevector(t0, u0, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
    out[2] = __builtin_shufflevector(t1, u1, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
    out[3] = __builtin_shufflevector(t1, u1, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
#else
    const vreal xy01 = INTERLEAVE_LOW(p[0], p[1]), xy23 = INTERLEAVE_HIGH(p[0], p[1]);
    const vreal zw01 = INTERLEAVE_LOW(p[2], p[3]), zw23 = INTERLEAVE_HIGH(p[2], p[3]);
    const vreal r0 = PAIRS_LOW(xy01, zw01), r1 = PAIRS_HIGH(xy01, zw01), r2 = PAIRS_LOW(xy23, zw23), r3 = PAIRS_HIGH(xy23, zw23);
#if W == 8
    out[0] = __builtin_shufflevector(r0, r1, 0, 1, 2, 3, 8, 9, 10, 11);
    out[1] = __builtin_shufflevector(r2, r3, 0, 1, 2, 3, 8, 9, 10, 11);
    out[2] = __builtin_shufflevector(r0, r1, 4, 5, 6, 7, 12, 13, 14, 15);
    out[3] = __builtin_shufflevector(r2, r3, 4, 5, 6, 7, 12, 13, 14, 15);
#else
    out[0] = r0;
    out[1] = r1;
    out[2] = r2;
    out[3] = r3;
#endif
#endif
}

/* Four vectors of particles into W lanes of a group, and back. */
KERNEL void put_in_lanes(pliant_real *to, const vreal a[4])
{
    vreal p[4];
    turn_in(a, p);
    UNROLL
    for (uint32_t k = 0; k < 4; k++) store_lanes(to + k * PLIANT__BLOCK, p[k]);
}

KERNEL void take_from_lanes(const pliant_real *from, vreal a[4])
{
    vreal p[4];
    UNROLL
    for (uint32_t k = 0; k < 4; k++) p[k] = load_lanes(from + k * PLIANT__BLOCK);
    turn_out(p, a);
}

#endif

void PLIANT__OF_WIDTH(leave)(const pliant_real *from, pliant_real *x, pliant_real *v, pliant_real **path_start, const uint8_t *later,
                             uint32_t first, uint32_t count, const pliant__motion *m, pliant__watch *watch)
{
    uint32_t i = 0;
#if W >= 4
    const vmotion each = each_of(m);
    vwatch        seen = {0};
    EACH_VECTOR(i, count)
    {
        const size_t at = 4 * (size_t)i;
        prefetch_run(x, v, i);
        leave_vector(load_lanes(from + at), x + at, v + at, path_start, PARTICLES, going_on(later, first + i), &each, &seen);
    }
    note(watch, seen, m);
#endif
    for (; i < count; i++)
        leave_one(from + 4 * (size_t)i, x + 4 * (size_t)i, v + 4 * (size_t)i, path_start, goes_on(later, first + i), m, watch);
}

/* ---- from a substep to the next ---- */

static void move_one_on(pliant_real *x, pliant_real *v, pliant_real *aim, pliant_real *start, const pliant__motion *m, bool ends,
                        bool begins, pliant__watch *watch)
{
    if (x[3] == 0) return;
    pliant_vec3 now = v3(v[0], v[1], v[2]);
    if (ends) {
        now = corrected_one(x, v3(aim[0], aim[1], aim[2]), now, m);
        watch_one(watch, now, m);
        put(v, now);
    }
    if (!begins) return;
    put(v, forced_one(v, m));
    if (start) put(start, v3(x[0], x[1], x[2]));
    put(aim, predicted_one(x, v3(v[0], v[1], v[2]), m));
    put(x, v3(aim[0], aim[1], aim[2]));
}

void PLIANT__OF_WIDTH(move_on)(pliant_real *x, pliant_real *v, pliant_real *aim, pliant_real *start, uint32_t count,
                               const pliant__motion *m, bool ends, bool begins, pliant__watch *watch)
{
    uint32_t i = 0;
#if W >= 4
    const vmotion each = each_of(m);
    vwatch        seen = {0};
    EACH_VECTOR(i, count)
    {
        const size_t k = 4 * (size_t)i;
        const vreal  at = load_lanes(x + k), old = load_lanes(v + k);
#if W == 4
        const vmask free = ~(vmask){0}; /* one particle: a branch that is nearly always taken costs less than lanes put together */
        if (x[k + 3] == 0) continue;
#else
        const vmask free = moves(at);
#endif
        vreal now = old;
        if (ends) {
            now = vselect(free, corrected(at, load_lanes(aim + k), old, &each), old);
            look(&seen, now, free);
        }
        if (begins) {
            const vreal pushed = vselect(free, forced(now, &each), now), to = vselect(free, predicted(at, pushed, &each), at);
            if (start) store_lanes(start + k, at);
            store_lanes(aim + k, to);
            store_lanes(x + k, to);
            now = pushed;
        }
        store_lanes(v + k, now);
    }
    if (ends) note(watch, seen, m);
#endif
    for (; i < count; i++)
        move_one_on(x + 4 * (size_t)i, v + 4 * (size_t)i, aim + 4 * (size_t)i, start ? start + 4 * (size_t)i : NULL, m, ends, begins,
                    watch);
}

KERNEL vvec load_three(const pliant_real *a)
{
    return vvec_of(load_lanes(a), load_lanes(a + PLIANT__BLOCK), load_lanes(a + 2 * PLIANT__BLOCK));
}

KERNEL void store_three(pliant_real *a, vvec v)
{
    store_lanes(a, v.x);
    store_lanes(a + PLIANT__BLOCK, v.y);
    store_lanes(a + 2 * PLIANT__BLOCK, v.z);
}

KERNEL vvec select_three(vmask m, vvec a, vvec b) { return vvec_of(vselect(m, a.x, b.x), vselect(m, a.y, b.y), vselect(m, a.z, b.z)); }

void PLIANT__OF_WIDTH(move_lanes_on)(pliant_real *x, pliant_real *v, pliant_real *aim, pliant_real *start, uint32_t groups,
                                     const pliant__lane_motion *m, bool ends, bool begins, pliant__watch *watch)
{
    const vreal h = vsplat(m->h), per_h = vsplat(m->per_h), limit2 = vsplat(m->limit2);
    vreal       largest2 = vsplat(0), in_bounds = vsplat(1);
    for (size_t i = 0; i < (size_t)groups * PLIANT__BLOCK; i += W) {
        const size_t part = i % PLIANT__BLOCK, g = i / PLIANT__BLOCK * GROUP + part;
        const vvec   at = load_three(x + g), old = load_three(v + g);
        const vmask  free = load_lanes(x + g + 3 * PLIANT__BLOCK) != vsplat(0);
        vvec         now = old;
        if (ends) {
            const vvec aimed = aim ? load_three(aim + g) : vadd(load_three(start + g), vscale(old, h));
            now = select_three(free, vadd(old, vscale(vsub(at, aimed), per_h)), old);
            const vreal speed2 = vdot(now, now);
            in_bounds = vselect(free, vselect(speed2 <= limit2, in_bounds, vsplat(0)), in_bounds);
            largest2 = vselect(free, vmax(speed2, largest2), largest2);
        }
        if (begins) {
            const vvec pushed = select_three(free, vadd(vscale(now, load_lanes(m->keep + part)), load_three(m->dv[0] + part)), now);
            const vvec to = select_three(free, vadd(at, vscale(pushed, h)), at);
            if (start) store_three(start + g, select_three(free, at, load_three(start + g))); /* as predict does */
            if (aim) store_three(aim + g, to);
            store_three(x + g, to);
            now = pushed;
        }
        store_three(v + g, now);
    }
    for (uint32_t i = 0; i < W && ends; i++) {
        if (lane(in_bounds, i) == 0) watch->bad = true;
        if (lane(largest2, i) > watch->largest2) watch->largest2 = lane(largest2, i);
    }
}

/* ---- the same slot of several states ---- */

#if W >= 4
KERNEL pack pack_of(const pliant_real *const *from, uint32_t states, uint32_t state, size_t slot)
{
    pack p = {0};
    if (state < states) memcpy(&p, from[state] + 4 * slot, sizeof p);
    return p;
}

/* A slot of PARTICLES states side by side. */
KERNEL vreal side_by_side(const pliant_real *const *from, uint32_t states, uint32_t first, size_t slot)
{
#if W == 4
    return (vreal)pack_of(from, states, first, slot);
#else
    const pack a = pack_of(from, states, first, slot), b = pack_of(from, states, first + 1, slot);
#if W == 8
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
#else
    typedef pliant_real half __attribute__((vector_size(8 * sizeof(pliant_real))));
    const pack          c = pack_of(from, states, first + 2, slot), d = pack_of(from, states, first + 3, slot);
    const half ab = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7), cd = __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7);
    return __builtin_shufflevector(ab, cd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
#endif
}

KERNEL void put_apart(vreal v, pliant_real *const *to, uint32_t states, uint32_t first, size_t slot)
{
    const pack p0 = __builtin_shufflevector(v, v, 0, 1, 2, 3);
    if (first < states) memcpy(to[first] + 4 * slot, &p0, sizeof p0);
#if W >= 8
    const pack p1 = __builtin_shufflevector(v, v, 4, 5, 6, 7);
    if (first + 1 < states) memcpy(to[first + 1] + 4 * slot, &p1, sizeof p1);
#endif
#if W == 16
    const pack p2 = __builtin_shufflevector(v, v, 8, 9, 10, 11), p3 = __builtin_shufflevector(v, v, 12, 13, 14, 15);
    if (first + 2 < states) memcpy(to[first + 2] + 4 * slot, &p2, sizeof p2);
    if (first + 3 < states) memcpy(to[first + 3] + 4 * slot, &p3, sizeof p3);
#endif
}
#endif

void PLIANT__OF_WIDTH(load_states)(pliant_real *to, const pliant_real *const *from, uint32_t states, size_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, to += GROUP) {
#if W >= 4
        for (uint32_t part = 0; part < PLIANT__BLOCK; part += W) {
            vreal a[4];
            UNROLL
            for (uint32_t k = 0; k < 4; k++) a[k] = side_by_side(from, states, part + k * PARTICLES, first + i);
            put_in_lanes(to + part, a);
        }
#else
        for (uint32_t k = 0; k < GROUP; k++)
            to[k] = k % PLIANT__BLOCK < states ? from[k % PLIANT__BLOCK][4 * (first + i) + k / PLIANT__BLOCK] : 0;
#endif
    }
}

void PLIANT__OF_WIDTH(store_states)(const pliant_real *from, pliant_real *const *to, uint32_t states, size_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, from += GROUP) {
#if W >= 4
        for (uint32_t part = 0; part < PLIANT__BLOCK; part += W) {
            vreal a[4];
            take_from_lanes(from + part, a);
            UNROLL
            for (uint32_t k = 0; k < 4; k++) put_apart(a[k], to, states, part + k * PARTICLES, first + i);
        }
#else
        for (uint32_t k = 0; k < GROUP; k++)
            if (k % PLIANT__BLOCK < states) to[k % PLIANT__BLOCK][4 * (first + i) + k / PLIANT__BLOCK] = from[k];
#endif
    }
}

/* ---- tiles ---- */

static uint32_t lanes_in(const pliant__patch *tile, uint32_t group) { return tile->lanes - (group >= tile->full_groups); }

void PLIANT__OF_WIDTH(enter_tile)(pliant_real *to, const pliant_real *x, const pliant_real *v, const pliant__patch *tile,
                                  const pliant__motion *m)
{
#if W >= 4
    const vmotion each = each_of(m);
#endif
    for (uint32_t g = 0, lanes; g < tile->groups; g++, to += GROUP, x += 4 * lanes, v += 4 * lanes) {
        lanes = lanes_in(tile, g);
#if W >= 4
        const bool more = g + 1 < tile->groups;
        for (uint32_t part = 0; part < PLIANT__BLOCK; part += W) {
            vreal a[4];
            UNROLL
            for (uint32_t k = 0; k < 4; k++) {
                const uint32_t first = part + k * PARTICLES, left = first < lanes ? lanes - first : 0;
                const vreal    at = load_some(x + 4 * (size_t)first, left, more);
                a[k] = vselect(moves(at), predicted(at, forced(load_some(v + 4 * (size_t)first, left, more), &each), &each), at);
            }
            put_in_lanes(to + part, a);
        }
#else
        for (uint32_t i = 0; i < PLIANT__BLOCK; i++) {
            pliant_real one[4] = {0};
            if (i < lanes) enter_one(one, x + 4 * (size_t)i, v + 4 * (size_t)i, m);
            for (uint32_t k = 0; k < 4; k++) to[k * PLIANT__BLOCK + i] = one[k];
        }
#endif
    }
}

void PLIANT__OF_WIDTH(leave_tile)(const pliant_real *from, pliant_real *x, pliant_real *v, pliant_real **path_start, const uint8_t *later,
                                  const pliant__patch *tile, const pliant__motion *m, pliant__watch *watch)
{
    uint32_t slot = tile->first_slot;
#if W >= 4
    const vmotion each = each_of(m);
    vwatch        seen = {0};
#endif
    for (uint32_t g = 0, lanes; g < tile->groups; g++, from += GROUP, x += 4 * lanes, v += 4 * lanes, slot += lanes) {
        lanes = lanes_in(tile, g);
#if W >= 4
        const bool goes = later[slot / 8] | later[(slot + lanes / 2) / 8] | later[(slot + lanes - 1) / 8];
        for (uint32_t part = 0; part < PLIANT__BLOCK; part += W) {
            vreal a[4];
            take_from_lanes(from + part, a);
            UNROLL
            for (uint32_t k = 0; k < 4; k++) {
                const uint32_t first = part + k * PARTICLES;
                const size_t   at = 4 * (size_t)first;
                if (first + PARTICLES <= lanes) {
                    leave_vector(a[k], x + at, v + at, path_start, PARTICLES, goes ? going_on(later, slot + first) : 0, &each, &seen);
                    continue;
                }
                if (first < lanes && g + 1 < tile->groups) { /* behind them lie the next group's */
                    leave_vector(a[k], x + at, v + at, path_start, lanes - first, goes ? going_on(later, slot + first) : 0, &each, &seen);
                    continue;
                }
                pliant_real particles[W];
                store_lanes(particles, a[k]);
                for (uint32_t i = first; i < lanes; i++)
                    leave_one(particles + 4 * (size_t)(i - first), x + 4 * (size_t)i, v + 4 * (size_t)i, path_start,
                              goes_on(later, slot + i), m, watch);
            }
        }
#else
        for (uint32_t i = 0; i < lanes; i++) {
            const pliant_real one[4] = {from[i], from[PLIANT__BLOCK + i], from[2 * PLIANT__BLOCK + i], from[3 * PLIANT__BLOCK + i]};
            leave_one(one, x + 4 * (size_t)i, v + 4 * (size_t)i, path_start, goes_on(later, slot + i), m, watch);
        }
#endif
    }
#if W >= 4
    note(watch, seen, m);
#endif
}

void PLIANT__OF_WIDTH(load_tile)(pliant_real *to, const pliant_real *x, const pliant__patch *tile)
{
    for (uint32_t g = 0, lanes; g < tile->groups; g++, to += GROUP, x += 4 * lanes) {
        lanes = lanes_in(tile, g);
#if W >= 4
        for (uint32_t part = 0; part < PLIANT__BLOCK; part += W) {
            vreal a[4];
            UNROLL
            for (uint32_t k = 0; k < 4; k++) {
                const uint32_t first = part + k * PARTICLES;
                a[k] = load_some(x + 4 * (size_t)first, first < lanes ? lanes - first : 0, g + 1 < tile->groups);
            }
            put_in_lanes(to + part, a);
        }
#else
        for (uint32_t i = 0; i < GROUP; i++) to[i % 4 * PLIANT__BLOCK + i / 4] = i / 4 < lanes ? x[i] : 0;
#endif
    }
}

void PLIANT__OF_WIDTH(store_tile)(const pliant_real *from, pliant_real *x, const pliant__patch *tile)
{
    for (uint32_t g = 0, lanes; g < tile->groups; g++, from += GROUP, x += 4 * lanes) {
        lanes = lanes_in(tile, g);
#if W >= 4
        for (uint32_t part = 0; part < PLIANT__BLOCK; part += W) {
            vreal a[4];
            take_from_lanes(from + part, a);
            UNROLL
            for (uint32_t k = 0; k < 4; k++) {
                const uint32_t first = part + k * PARTICLES, left = first < lanes ? lanes - first : 0;
                store_some(x + 4 * (size_t)first, a[k], left);
            }
        }
#else
        for (uint32_t i = 0; i < 4 * lanes; i++) x[i] = from[i % 4 * PLIANT__BLOCK + i / 4];
#endif
    }
}
