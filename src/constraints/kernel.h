/* The little language that constraints are written in.
 *
 * A constraint's text is C over `vreal` (a number in each of PLIANT_W lanes), `vvec` (three of them) and `vmask` (a condition in each lane).
 * It is compiled once per width: at PLIANT_W 1 vreal is a plain pliant_real, above it a vector of GCC's and clang's. Only + - * /,
 * comparisons, vsqrt, vselect and vkeep (a lane, or 0) touch the lanes, each of them correctly rounded or exact, so every width computes the same bits.
 *
 * What a text must do: use K(1.5) for constants; never branch on a lane (vselect instead; both sides are computed, and a NaN in the
 * side not taken does no harm); give finite values and gradients for finite input, zero gradients where the true ones are undefined. */
#ifndef PLIANT_CONSTRAINTS_KERNEL_H
#define PLIANT_CONSTRAINTS_KERNEL_H

#include "pliant/constraints.h"

#include <math.h>
#include <string.h>

#ifndef PLIANT_W
#define PLIANT_W 1
#endif

#ifdef __GNUC__
#define KERNEL static inline __attribute__((always_inline, unused))
#else
#define KERNEL static inline
#endif

/* Before a loop over slots or rows, the number of which is a constant in each kernel: vectors then stay in registers. */
#if defined(__GNUC__) && !defined(__clang__) /* clang does so by itself, and warns where the number is no constant */
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL
#endif

/* A constant of the right type. */
#define K(number) ((pliant_real)(number))

#if PLIANT_W == 1

typedef pliant_real vreal;
typedef int         vmask;

KERNEL vreal vsplat(pliant_real a) { return a; }
KERNEL vreal vselect(vmask m, vreal a, vreal b) { return m ? a : b; }
KERNEL vreal vkeep(vmask m, vreal a) { return m ? a : K(0); }
KERNEL vreal vabs(vreal a)
{
#ifdef PLIANT_DOUBLE
    return fabs(a);
#else
    return fabsf(a);
#endif
}
#ifdef PLIANT_DOUBLE
KERNEL vreal vsqrt(vreal a) { return sqrt(a); }
#else
KERNEL vreal vsqrt(vreal a) { return sqrtf(a); }
#endif

#else

#ifdef PLIANT_DOUBLE
typedef int64_t          pliant__lane_int;
#else
typedef int32_t pliant__lane_int;
#endif
typedef pliant_real      vreal __attribute__((vector_size(PLIANT_W * sizeof(pliant_real))));
typedef pliant__lane_int vmask __attribute__((vector_size(PLIANT_W * sizeof(pliant_real))));

KERNEL vreal vsplat(pliant_real a) { return a - (vreal){0}; }
KERNEL vreal vselect(vmask m, vreal a, vreal b) { return (vreal)(((vmask)a & m) | ((vmask)b & ~m)); }
KERNEL vreal vkeep(vmask m, vreal a) { return (vreal)((vmask)a & m); }
KERNEL vreal vabs(vreal a)
{
#ifdef PLIANT_DOUBLE
    return (vreal)((vmask)a & INT64_MAX);
#else
    return (vreal)((vmask)a & INT32_MAX);
#endif
}

#if defined(__SSE2__)
#include <immintrin.h>
KERNEL vreal vsqrt(vreal a)
{
#if defined(PLIANT_DOUBLE) && PLIANT_W == 8
    return (vreal)_mm512_sqrt_pd((__m512d)a);
#elif defined(PLIANT_DOUBLE)
    return (vreal)_mm256_sqrt_pd((__m256d)a);
#elif PLIANT_W == 16
    return (vreal)_mm512_sqrt_ps((__m512)a);
#elif PLIANT_W == 8
    return (vreal)_mm256_sqrt_ps((__m256)a);
#else
    return (vreal)_mm_sqrt_ps((__m128)a);
#endif
}
#else
KERNEL vreal vsqrt(vreal a)
{
    for (int i = 0; i < PLIANT_W; i++)
#ifdef PLIANT_DOUBLE
        a[i] = sqrt(a[i]);
#else
        a[i] = sqrtf(a[i]);
#endif
    return a;
}
#endif

#endif

/* Of comparisons: where both hold. */
KERNEL vmask vboth(vmask a, vmask b) { return a & b; }

KERNEL vreal vmin(vreal a, vreal b) { return vselect(a < b, a, b); }
KERNEL vreal vmax(vreal a, vreal b) { return vselect(a > b, a, b); }

/* 1 / a, and 0 where a is so near 0 that its inverse is not finite, or too large to compute with. */
#ifdef PLIANT_DOUBLE
#define KERNEL_TINY K(1e-300)
#define KERNEL_HUGE K(1e300)
#else
#define KERNEL_TINY K(1e-37)
#define KERNEL_HUGE K(1e37)
#endif
KERNEL vreal vinverse(vreal a) { return vkeep(vabs(a) >= KERNEL_TINY, K(1) / a); }

typedef struct vvec {
    vreal x, y, z;
} vvec;

KERNEL vvec vvec_of(vreal x, vreal y, vreal z)
{
    vvec r = {x, y, z};
    return r;
}
KERNEL vvec  vadd(vvec a, vvec b) { return vvec_of(a.x + b.x, a.y + b.y, a.z + b.z); }
KERNEL vvec  vsub(vvec a, vvec b) { return vvec_of(a.x - b.x, a.y - b.y, a.z - b.z); }
KERNEL vvec  vneg(vvec a) { return vvec_of(-a.x, -a.y, -a.z); }
KERNEL vvec  vscale(vvec a, vreal s) { return vvec_of(a.x * s, a.y * s, a.z * s); }
KERNEL vreal vdot(vvec a, vvec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
KERNEL vvec  vcross(vvec a, vvec b) { return vvec_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
KERNEL vreal vlength(vvec a) { return vsqrt(vdot(a, a)); }

/* Arc tangent of t in [0, 1]. In float64 two half-angle steps leave t below 0.2, where Taylor converges;
 * in float32, which keeps 7 digits, a polynomial of t^2 costs neither roots nor divisions (Abramowitz and Stegun,
 * Handbook of Mathematical Functions, 4.4.49: error at most 2e-8 t). */
KERNEL vreal vatan01(vreal t)
{
#ifdef PLIANT_DOUBLE
    t = t / (K(1) + vsqrt(K(1) + t * t));
    t = t / (K(1) + vsqrt(K(1) + t * t));
    vreal t2 = t * t;
    vreal s = t2 * K(-1.0 / 25);
    s = t2 * (K(1.0 / 23) + s) * K(-1);
    s = t2 * (K(1.0 / 21) + s) * K(-1);
    s = t2 * (K(1.0 / 19) + s) * K(-1);
    s = t2 * (K(1.0 / 17) + s) * K(-1);
    s = t2 * (K(1.0 / 15) + s) * K(-1);
    s = t2 * (K(1.0 / 13) + s) * K(-1);
    s = t2 * (K(1.0 / 11) + s) * K(-1);
    s = t2 * (K(1.0 / 9) + s) * K(-1);
    s = t2 * (K(1.0 / 7) + s) * K(-1);
    s = t2 * (K(1.0 / 5) + s) * K(-1);
    s = t2 * (K(1.0 / 3) + s) * K(-1);
    return K(4) * (t + t * s);
#else
    vreal t2 = t * t;
    vreal s = t2 * K(0.0028662257);
    s = t2 * (K(-0.0161657367) + s);
    s = t2 * (K(0.0429096138) + s);
    s = t2 * (K(-0.0752896400) + s);
    s = t2 * (K(0.1065626393) + s);
    s = t2 * (K(-0.1420889944) + s);
    s = t2 * (K(0.1999355085) + s);
    s = t2 * (K(-0.3333314528) + s);
    return t + t * s;
#endif
}

/* Angle of (x, y) in (-pi, pi]; 0 at the origin. */
KERNEL vreal vatan2(vreal y, vreal x)
{
    vreal ax = vabs(x), ay = vabs(y);
    vreal low = vmin(ax, ay), high = vmax(ax, ay);
    vreal a = vatan01(low * vinverse(high));
    a = vselect(ay > ax, K(1.5707963267948966) - a, a);
    a = vselect(x < K(0), K(3.141592653589793) - a, a);
    return vselect(y < K(0), -a, a);
}

#endif
