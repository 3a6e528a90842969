/* Damping's two walks over a run of particles: the moments of particles that move, and velocities on their way to a rigid motion.
 *
 * Moments are summed in double, as eight sums each: particle i of a run adds to sum i modulo 8, and in the end the eight are added in one order.
 * A vector of D doubles takes the particles of D of these sums; where D is less than 8 the run is walked 8 / D times, so that all sums of a
 * walk stay in registers. */
#include "backends/doubles.h"
#include "base/vec.h"
#include "solver/sweep.h"

#define X(name, parameters, text) extern void PLIANT__OF_WIDTH(name) parameters;
PLIANT__PARTICLE_KERNELS(X)
#undef X

#define SUMS 8u /* per moment */

/* ---- D particles ---- */

/* Particles of a vector: masses, 0 where a particle does not move, positions and velocities. */
typedef struct moving {
    vdouble m, x, y, z, vx, vy, vz;
} moving;

#if D == 1

KERNEL moving moving_of(const pliant_real *x, const pliant_real *v, const pliant_vec3 *o)
{
    if (x[3] == 0) return (moving){0, 0, 0, 0, 0, 0, 0};
    return (moving){(double)(1 / x[3]),
                    (double)x[0] - (double)o->x,
                    (double)x[1] - (double)o->y,
                    (double)x[2] - (double)o->z,
                    (double)v[0],
                    (double)v[1],
                    (double)v[2]};
}

#else

/* D numbers of each of x y z w. */
typedef struct turned {
    vnumbers x, y, z, w;
} turned;

KERNEL turned turn(const pliant_real *at)
{
    turned      t;
#if D == W /* two or one of them per vector */
#if W == 8
    const vreal a0 = load_lanes(at), a1 = load_lanes(at + W), a2 = load_lanes(at + 2 * W), a3 = load_lanes(at + 3 * W);
    const vreal r0 = __builtin_shufflevector(a0, a2, 0, 1, 2, 3, 8, 9, 10, 11),
                r1 = __builtin_shufflevector(a0, a2, 4, 5, 6, 7, 12, 13, 14, 15);
    const vreal r2 = __builtin_shufflevector(a1, a3, 0, 1, 2, 3, 8, 9, 10, 11),
                r3 = __builtin_shufflevector(a1, a3, 4, 5, 6, 7, 12, 13, 14, 15);
#else
    const vreal r0 = load_lanes(at), r1 = load_lanes(at + W), r2 = load_lanes(at + 2 * W), r3 = load_lanes(at + 3 * W);
#endif
    const vreal xy01 = INTERLEAVE_LOW(r0, r1), zw01 = INTERLEAVE_HIGH(r0, r1), xy23 = INTERLEAVE_LOW(r2, r3),
                zw23 = INTERLEAVE_HIGH(r2, r3);
    t.x = PAIRS_LOW(xy01, xy23);
    t.y = PAIRS_HIGH(xy01, xy23);
    t.z = PAIRS_LOW(zw01, zw23);
    t.w = PAIRS_HIGH(zw01, zw23);
#else /* W / 4 of them per vector, and two vectors */
    const vreal a = load_lanes(at), b = load_lanes(at + W);
#if W == 16
    const vreal xy = __builtin_shufflevector(a, b, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    const vreal zw = __builtin_shufflevector(a, b, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
    t.x = __builtin_shufflevector(xy, xy, 0, 1, 2, 3, 4, 5, 6, 7);
    t.y = __builtin_shufflevector(xy, xy, 8, 9, 10, 11, 12, 13, 14, 15);
    t.z = __builtin_shufflevector(zw, zw, 0, 1, 2, 3, 4, 5, 6, 7);
    t.w = __builtin_shufflevector(zw, zw, 8, 9, 10, 11, 12, 13, 14, 15);
#elif W == 8
    const vreal    xy = INTERLEAVE_LOW(a, b), zw = INTERLEAVE_HIGH(a, b); /* x0 x2 y0 y2, x1 x3 y1 y3 */
    const vnumbers xy02 = __builtin_shufflevector(xy, xy, 0, 1, 2, 3), xy13 = __builtin_shufflevector(xy, xy, 4, 5, 6, 7);
    const vnumbers zw02 = __builtin_shufflevector(zw, zw, 0, 1, 2, 3), zw13 = __builtin_shufflevector(zw, zw, 4, 5, 6, 7);
    t.x = __builtin_shufflevector(xy02, xy13, 0, 4, 1, 5);
    t.y = __builtin_shufflevector(xy02, xy13, 2, 6, 3, 7);
    t.z = __builtin_shufflevector(zw02, zw13, 0, 4, 1, 5);
    t.w = __builtin_shufflevector(zw02, zw13, 2, 6, 3, 7);
#else
    const vreal xy = INTERLEAVE_LOW(a, b), zw = INTERLEAVE_HIGH(a, b);
    t.x = __builtin_shufflevector(xy, xy, 0, 1);
    t.y = __builtin_shufflevector(xy, xy, 2, 3);
    t.z = __builtin_shufflevector(zw, zw, 0, 1);
    t.w = __builtin_shufflevector(zw, zw, 2, 3);
#endif
#endif
    return t;
}

KERNEL vdouble kept(vchoice which, vdouble a) { return (vdouble)((vchoice)a & which); }

KERNEL moving moving_of(const pliant_real *x, const pliant_real *v, const pliant_vec3 *o)
{
    const turned  p = turn(x), q = turn(v);
    const vchoice free = widened(p.w) != number_of(0);
    return (moving){kept(free, widened(1 / p.w)),
                    kept(free, widened(p.x) - number_of((double)o->x)),
                    kept(free, widened(p.y) - number_of((double)o->y)),
                    kept(free, widened(p.z) - number_of((double)o->z)),
                    kept(free, widened(q.x)),
                    kept(free, widened(q.y)),
                    kept(free, widened(q.z))};
}

#endif

KERNEL void add_moments(vdouble *sum, moving a)
{
    const vdouble mx = a.m * a.x, my = a.m * a.y, mz = a.m * a.z;
    sum[PLIANT__M] += a.m;
    sum[PLIANT__MX] += mx;
    sum[PLIANT__MY] += my;
    sum[PLIANT__MZ] += mz;
    sum[PLIANT__PX] += a.m * a.vx;
    sum[PLIANT__PY] += a.m * a.vy;
    sum[PLIANT__PZ] += a.m * a.vz;
    sum[PLIANT__LX] += my * a.vz - mz * a.vy;
    sum[PLIANT__LY] += mz * a.vx - mx * a.vz;
    sum[PLIANT__LZ] += mx * a.vy - my * a.vx;
    sum[PLIANT__XX] += mx * a.x;
    sum[PLIANT__YY] += my * a.y;
    sum[PLIANT__ZZ] += mz * a.z;
    sum[PLIANT__XY] += mx * a.y;
    sum[PLIANT__YZ] += my * a.z;
    sum[PLIANT__ZX] += mz * a.x;
}

/* ---- runs ---- */

void PLIANT__OF_WIDTH(moments)(double *out, const pliant_real *x, const pliant_real *v, uint32_t count, const pliant_vec3 *origin)
{
    const pliant_vec3 o = *origin;
    double            sums[PLIANT__MOMENTS][SUMS];
    for (uint32_t part = 0; part < SUMS; part += D) {
        vdouble  sum[PLIANT__MOMENTS] = {0};
        uint32_t i = part;
        for (; i + D <= count; i += SUMS) add_moments(sum, moving_of(x + 4 * (size_t)i, v + 4 * (size_t)i, &o));
        if (i < count) { /* particles that are not there do not move */
            pliant_real  at[4 * D] = {0}, by[4 * D] = {0};
            const size_t left = 4 * (size_t)(count - i) * sizeof *x;
            memcpy(at, x + 4 * (size_t)i, left);
            memcpy(by, v + 4 * (size_t)i, left);
            add_moments(sum, moving_of(at, by, &o));
        }
        for (uint32_t k = 0; k < PLIANT__MOMENTS; k++) memcpy(&sums[k][part], &sum[k], sizeof sum[k]);
    }
    for (uint32_t k = 0; k < PLIANT__MOMENTS; k++) {
        const double *s = sums[k];
        out[k] = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
    }
}

/* In the order of the vectors below: the difference of the velocities, and then the part of the rotation. */
static void approach_one(const pliant_real *x, pliant_real *v, const pliant__rigid *r)
{
    if (x[3] == 0) return;
    const pliant_vec3 d = v3(x[0] - r->origin.x, x[1] - r->origin.y, x[2] - r->origin.z), s = r->spin;
    v[0] += r->share * ((r->velocity.x - v[0]) + (s.y * d.z - s.z * d.y));
    v[1] += r->share * ((r->velocity.y - v[1]) + (s.z * d.x - s.x * d.z));
    v[2] += r->share * ((r->velocity.z - v[2]) + (s.x * d.y - s.y * d.x));
}

#if W >= 4
/* Three numbers in every particle of a vector, and 0. */
KERNEL vreal in_each(pliant_real x, pliant_real y, pliant_real z)
{
    vreal r = vsplat(0);
    for (int i = 0; i < W; i += 4) {
        r[i] = x;
        r[i + 1] = y;
        r[i + 2] = z;
    }
    return r;
}

#define TURNED(a, i, j, k) __builtin_shufflevector(a, a, IN_GROUPS(i, j, k, 3))
#define INVERSE_MASSES(a) __builtin_shufflevector(a, a, IN_GROUPS(3, 3, 3, 3))
#endif

void PLIANT__OF_WIDTH(approach)(const pliant_real *x, pliant_real *v, uint32_t count, const pliant__rigid *r)
{
    uint32_t i = 0;
#if W >= 4
    const vreal origin = in_each(r->origin.x, r->origin.y, r->origin.z), velocity = in_each(r->velocity.x, r->velocity.y, r->velocity.z);
    const vreal next = in_each(r->spin.y, r->spin.z, r->spin.x), last = in_each(r->spin.z, r->spin.x, r->spin.y);
    const vreal share = in_each(r->share, r->share, r->share);
    for (; i + W / 4 <= count; i += W / 4) {
        const vreal at = load_lanes(x + 4 * (size_t)i), old = load_lanes(v + 4 * (size_t)i), d = at - origin;
        const vreal turning = next * TURNED(d, 2, 0, 1) - last * TURNED(d, 1, 2, 0);
        const vreal now = old + share * ((velocity - old) + turning);
        store_lanes(v + 4 * (size_t)i, vselect(INVERSE_MASSES(at) != vsplat(0), now, old));
    }
#endif
    for (; i < count; i++) approach_one(x + 4 * (size_t)i, v + 4 * (size_t)i, r);
}
