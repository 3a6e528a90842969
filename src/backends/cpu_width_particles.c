/* What every particle does by itself, PLIANT_W numbers at a time: the text of the stages forces, predict and velocities for a run of slots of
 * one body, and the same at once, as a patch that is solved in the nearest cache wants it. All of it is the same arithmetic, particle by particle. */
#include "backends/lanes.h"
#include "step/sweep.h"

#include "base/vec.h"

#define X(name, parameters, text) extern void PLIANT__OF_WIDTH(name) parameters;
PLIANT__PARTICLE_KERNELS(X)
#undef X

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

static void leave_one(const pliant_real *from, pliant_real *x, pliant_real *v, pliant_real *start, const pliant__motion *m,
                      pliant__watch *watch)
{
    if (x[3] == 0) return;
    pliant_vec3 now = forced_one(v, m);
    if (start)
        memcpy(start, x, 4 * sizeof *start);
    else {
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
KERNEL vmask moves(vreal x) { return EACH(x, 3) != vsplat(0); }

/* What a watch sees of many: squares of speeds, and which were too high. */
typedef struct vwatch {
    vreal largest2;
    vmask bad;
} vwatch;

KERNEL void look(vwatch *watch, vreal v, vmask counts, const vmotion *m)
{
    const vreal square = v * v, speed2 = EACH(square, 0) + EACH(square, 1) + EACH(square, 2);
    watch->bad |= ~(speed2 <= m->limit2) & counts;
    watch->largest2 = vselect((speed2 > watch->largest2) & counts, speed2, watch->largest2);
}

KERNEL void note(pliant__watch *to, const vwatch *watch)
{
    for (int i = 0; i < W; i++) {
        if (watch->bad[i]) to->bad = true;
        if (watch->largest2[i] > to->largest2) to->largest2 = watch->largest2[i];
    }
}

#define EACH_VECTOR(i, count) for (; (i) + PARTICLES <= (count); (i) += PARTICLES)
#endif

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
        store_lanes(start + 4 * (size_t)i, vselect(free, at, was)); /* what is moved by the user has begun elsewhere */
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
    vwatch        seen = {vsplat(0), {0}};
    EACH_VECTOR(i, count)
    {
        const vreal at = load_lanes(x + 4 * (size_t)i), old = load_lanes(v + 4 * (size_t)i);
        const vmask free = moves(at);
        const vreal now = vselect(free, corrected(at, predicted(load_lanes(start + 4 * (size_t)i), old, &each), old, &each), old);
        store_lanes(v + 4 * (size_t)i, now);
        look(&seen, now, free, &each);
    }
    note(watch, &seen);
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
        const vreal at = load_lanes(x + 4 * (size_t)i);
        store_lanes(to + 4 * (size_t)i, vselect(moves(at), predicted(at, forced(load_lanes(v + 4 * (size_t)i), &each), &each), at));
    }
#endif
    for (; i < count; i++) enter_one(to + 4 * (size_t)i, x + 4 * (size_t)i, v + 4 * (size_t)i, m);
}

/* Particles that rounds after the first moved too. */
void PLIANT__OF_WIDTH(late)(const pliant_real *x, const pliant_real *start, pliant_real *v, const uint32_t *slots, uint32_t count,
                            const pliant__motion *m, pliant__watch *watch)
{
    for (uint32_t i = 0; i < count; i++) {
        const size_t at = 4 * (size_t)slots[i];
        velocity_one(x + at, start + at, v + at, m, watch);
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
    vmask m;
    for (int i = 0; i < W; i++) m[i] = -(pliant__lane_int)(particles >> i / 4 & 1u);
    return m;
}
#endif

void PLIANT__OF_WIDTH(leave)(const pliant_real *from, pliant_real *x, pliant_real *v, pliant_real *start, const uint8_t *later,
                             uint32_t first, uint32_t count, const pliant__motion *m, pliant__watch *watch)
{
    uint32_t i = 0;
#if W >= 4
    const vmotion each = each_of(m);
    vwatch        seen = {vsplat(0), {0}};
    EACH_VECTOR(i, count)
    {
        const uint32_t going = going_on(later, first + i);
        const vreal    at = load_lanes(x + 4 * (size_t)i), old = load_lanes(v + 4 * (size_t)i), to = load_lanes(from + 4 * (size_t)i);
        const vmask    free = moves(at);
        const vreal    pushed = forced(old, &each);
        vreal          now = corrected(to, predicted(at, pushed, &each), pushed, &each);
        vmask          done = free;
        if (going) {
            const vmask goes = lanes_of(going);
            now = vselect(goes, pushed, now);
            done &= ~goes;
            store_lanes(start + 4 * (size_t)i, at);
        }
        now = vselect(free, now, old);
        store_lanes(v + 4 * (size_t)i, now);
        store_lanes(x + 4 * (size_t)i, vselect(free, to, at));
        look(&seen, now, done, &each);
    }
    note(watch, &seen);
#endif
    for (; i < count; i++)
        leave_one(from + 4 * (size_t)i, x + 4 * (size_t)i, v + 4 * (size_t)i, goes_on(later, first + i) ? start + 4 * (size_t)i : NULL, m,
                  watch);
}
