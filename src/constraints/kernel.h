/* The little language that constraints are written in.
 *
 * A constraint's text is C over `vreal` (a number in each of PLIANT_W lanes), `vvec` (three of them) and `vmask` (a condition in each lane).
 * It is compiled once per width: at PLIANT_W 1 vreal is a plain pliant_real, above it a vector of GCC's and clang's. Only + - * /,
 * comparisons, vsqrt, vmin, vmax, vselect, vkeep (a lane, or 0) and vflip (a lane, or its negative) touch the lanes, each of
 * them correctly rounded or exact, so every width computes the same bits.
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
KERNEL vreal vflip(vmask m, vreal a) { return m ? -a : a; }
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
KERNEL vreal vflip(vmask m, vreal a)
{
#ifdef PLIANT_DOUBLE
    return (vreal)((vmask)a ^ (m & INT64_MIN));
#else
    return (vreal)((vmask)a ^ (m & INT32_MIN));
#endif
}
KERNEL vreal vabs(vreal a)
{
#ifdef PLIANT_DOUBLE
    return (vreal)((vmask)a & INT64_MAX);
#else
    return (vreal)((vmask)a & INT32_MAX);
#endif
}

#if defined(__SSE2__)
#include "constraints/intrinsics.h"

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

/* The smaller and the larger; b where they are alike or one is no number. One instruction of x86 does just that, signs of zeros too. */
#if PLIANT_W > 1 && defined(__SSE2__)
#if defined(PLIANT_DOUBLE) && PLIANT_W == 8
#define KERNEL_PAIR(name, a, b) ((vreal)_mm512_##name##_pd((__m512d)(a), (__m512d)(b)))
#elif defined(PLIANT_DOUBLE)
#define KERNEL_PAIR(name, a, b) ((vreal)_mm256_##name##_pd((__m256d)(a), (__m256d)(b)))
#elif PLIANT_W == 16
#define KERNEL_PAIR(name, a, b) ((vreal)_mm512_##name##_ps((__m512)(a), (__m512)(b)))
#elif PLIANT_W == 8
#define KERNEL_PAIR(name, a, b) ((vreal)_mm256_##name##_ps((__m256)(a), (__m256)(b)))
#else
#define KERNEL_PAIR(name, a, b) ((vreal)_mm_##name##_ps((__m128)(a), (__m128)(b)))
#endif
KERNEL vreal vmin(vreal a, vreal b) { return KERNEL_PAIR(min, a, b); }
KERNEL vreal vmax(vreal a, vreal b) { return KERNEL_PAIR(max, a, b); }
#else
KERNEL vreal vmin(vreal a, vreal b) { return vselect(a < b, a, b); }
KERNEL vreal vmax(vreal a, vreal b) { return vselect(a > b, a, b); }
#endif

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

/* (atan(t) / t - 1) / t^2 for |t| <= tan(1/2), of u = t^2: polynomials with the least largest error, by Remez' exchange, 1.4e-8 of the angle
 * in float32 and 3e-17 in float64. Terms are added in pairs, and pairs of pairs, so that none waits for all those before it. */
KERNEL vreal vatan_rest(vreal u)
{
    const vreal u2 = u * u;
#ifdef PLIANT_DOUBLE
    const vreal u4 = u2 * u2;
    const vreal a = K(-0.33333333333331039094) + u * K(0.19999999999469328304);
    const vreal b = K(-0.14285714242818676757) + u * K(0.11111109367307945509);
    const vreal c = K(-0.090908673869160214226) + u * K(0.0769166919507959909);
    const vreal d = K(-0.066600949810300922698) + u * K(0.058356214877737069734);
    const vreal e = K(-0.050307850553921724693) + u * K(0.039541005597270540271);
    const vreal f = K(-0.024035750136104114358) + u * K(0.0079420592429501681988);
    return (a + u2 * b) + u4 * ((c + u2 * d) + u4 * (e + u2 * f));
#else
    const vreal a = K(-0.33333117904529074827) + u * K(0.19989429546885668208);
    const vreal b = K(-0.14114709430822213134) + u * K(0.098653411971666379658) + u2 * K(-0.046412258703011541756);
    return a + u2 * b;
#endif
}

/* Angle of (x, y) in (-pi, pi]; 0 at the origin. Of the smaller side a and the larger one b it follows from the angle of (b, a), and beyond
 * 1/2 that is pi / 4 more than the angle of (b + a, a - b): one quotient either way. */
KERNEL vreal vatan2(vreal y, vreal x)
{
    vreal ax = vabs(x), ay = vabs(y), a = vmin(ax, ay), b = vmax(ax, ay), bound = b * K(0.5463024898437905);
    vmask steep = ay > ax, far = a > bound;
    vmask back = x < K(0), some = b >= KERNEL_TINY;
    vreal t = vkeep(some, (a - vkeep(far, b)) / (b + vkeep(far, a))), u = t * t;
    vreal from = vselect(steep, vsplat(K(1.5707963267948966)), vkeep(back, vsplat(K(3.141592653589793))));
    from = from + vflip(steep ^ back, vkeep(far, vsplat(K(0.7853981633974483))));
    return vflip(y < K(0), from + vflip(steep ^ back, t + t * u * vatan_rest(u)));
}

#endif
