/* Intrinsics of x86 that kernels use. gcc reads 60,000 lines where all of <immintrin.h> is asked for, of which kernels use a twentieth; its parts can be had
 * by themselves where they see the guard that they ask for (the build tries, and says PLIANT_PARTS_OF_IMMINTRIN). */
#ifndef PLIANT_CONSTRAINTS_INTRINSICS_H
#define PLIANT_CONSTRAINTS_INTRINSICS_H

#if defined(__AVX__) && defined(PLIANT_PARTS_OF_IMMINTRIN)
#define _IMMINTRIN_H_INCLUDED
/* clang-format off: later ones use earlier ones */
#include <smmintrin.h>
#include <avxintrin.h>
#include <avx2intrin.h>
#ifdef __AVX512F__
#include <avx512fintrin.h>
#include <avx512vlintrin.h>
#include <avx512bwintrin.h>
#include <avx512dqintrin.h>
#endif
/* clang-format on */
#undef _IMMINTRIN_H_INCLUDED
#elif defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h> /* a tenth of the text of the other one */
#endif

#endif
