/* Vectors of D doubles, for sums and squares of lanes in double precision whatever pliant_real is: half of a vector's lanes in float32, all of them
 * in float64. */
#ifndef PLIANT_BACKENDS_DOUBLES_H
#define PLIANT_BACKENDS_DOUBLES_H

#include "backends/lanes.h"

#if defined(PLIANT_DOUBLE) || W == 1
#define D W
#else
#define D (W / 2)
#endif

#if D == 1
typedef double      vdouble;
typedef int         vchoice;
typedef pliant_real vnumbers;
KERNEL vdouble      number_of(double a) { return a; }
KERNEL vdouble      widened(vnumbers a) { return (vdouble)a; }
KERNEL vnumbers     narrowed(vdouble a) { return (vnumbers)a; }
KERNEL vdouble      chosen(vchoice which, vdouble a, vdouble b) { return which ? a : b; }
KERNEL vchoice      all_of(vchoice a, vchoice b) { return a && b; }
KERNEL vchoice      any_of(vchoice a, vchoice b) { return a || b; }
KERNEL vchoice      none_of(vchoice a) { return !a; }
KERNEL vdouble      root_of(vdouble a) { return sqrt(a); }
KERNEL uint32_t     choice_bits(vchoice a) { return a != 0; }
#else
typedef double      vdouble __attribute__((vector_size(D * sizeof(double))));
typedef int64_t     vchoice __attribute__((vector_size(D * sizeof(int64_t))));
typedef pliant_real vnumbers __attribute__((vector_size(D * sizeof(pliant_real))));
KERNEL vdouble      number_of(double a) { return a - (vdouble){0}; }
#if D == 8 && W == 16 && defined(__AVX512F__)
KERNEL vdouble      widened(vnumbers a) { return (vdouble)_mm512_cvtps_pd((__m256)a); } /* of the builtin GCC 12 makes two halves */
KERNEL vnumbers     narrowed(vdouble a) { return (vnumbers)_mm512_cvtpd_ps((__m512d)a); }
#else
KERNEL vdouble  widened(vnumbers a) { return __builtin_convertvector(a, vdouble); }
KERNEL vnumbers narrowed(vdouble a) { return __builtin_convertvector(a, vnumbers); }
#endif
#if D == 4 && defined(__AVX__) && !defined(__AVX512VL__)
KERNEL vdouble chosen(vchoice which, vdouble a, vdouble b) { return (vdouble)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)which); }
#else
KERNEL vdouble  chosen(vchoice which, vdouble a, vdouble b) { return (vdouble)(((vchoice)a & which) | ((vchoice)b & ~which)); }
#endif
KERNEL vchoice all_of(vchoice a, vchoice b) { return a & b; }
KERNEL vchoice any_of(vchoice a, vchoice b) { return a | b; }
KERNEL vchoice none_of(vchoice a) { return ~a; }

KERNEL vdouble root_of(vdouble a)
{
#if D == 8 && defined(__AVX512F__)
    return (vdouble)_mm512_sqrt_pd((__m512d)a);
#elif D == 4 && defined(__AVX__)
    return (vdouble)_mm256_sqrt_pd((__m256d)a);
#elif D == 2 && defined(__SSE2__)
    return (vdouble)_mm_sqrt_pd((__m128d)a);
#else
    for (uint32_t i = 0; i < D; i++) a[i] = sqrt(a[i]);
    return a;
#endif
}

KERNEL uint32_t choice_bits(vchoice a)
{
#if D == 8 && defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)a, (__m512i)a);
#elif D == 4 && defined(__AVX__)
    return (uint32_t)_mm256_movemask_pd((__m256d)a);
#else
    uint32_t bits = 0;
    for (uint32_t i = 0; i < D; i++) bits |= (uint32_t)(a[i] & 1) << i;
    return bits;
#endif
}
#endif

KERNEL vdouble load_doubles(const pliant_real *from)
{
    vnumbers a;
    memcpy(&a, from, sizeof a);
    return widened(a);
}

KERNEL void store_doubles(pliant_real *to, vdouble a)
{
    const vnumbers n = narrowed(a);
    memcpy(to, &n, sizeof n);
}

/* The larger and the smaller; b where they are alike or one is no number, which one instruction of x86 does. */
#if D == 8 && defined(__AVX512F__)
KERNEL vdouble larger_of(vdouble a, vdouble b) { return (vdouble)_mm512_max_pd((__m512d)a, (__m512d)b); }
KERNEL vdouble smaller_of(vdouble a, vdouble b) { return (vdouble)_mm512_min_pd((__m512d)a, (__m512d)b); }
#elif D == 4 && defined(__AVX__)
KERNEL vdouble larger_of(vdouble a, vdouble b) { return (vdouble)_mm256_max_pd((__m256d)a, (__m256d)b); }
KERNEL vdouble smaller_of(vdouble a, vdouble b) { return (vdouble)_mm256_min_pd((__m256d)a, (__m256d)b); }
#elif D == 2 && defined(__SSE2__)
KERNEL vdouble larger_of(vdouble a, vdouble b) { return (vdouble)_mm_max_pd((__m128d)a, (__m128d)b); }
KERNEL vdouble smaller_of(vdouble a, vdouble b) { return (vdouble)_mm_min_pd((__m128d)a, (__m128d)b); }
#else
KERNEL vdouble larger_of(vdouble a, vdouble b) { return chosen(a > b, a, b); }
KERNEL vdouble smaller_of(vdouble a, vdouble b) { return chosen(a < b, a, b); }
#endif
KERNEL vdouble size_of(vdouble a) { return chosen(a < number_of(0), -a, a); }

/* A NaN stays a NaN. */
KERNEL vdouble within(vdouble a, double low, double high) { return larger_of(number_of(low), smaller_of(number_of(high), a)); }

#endif
