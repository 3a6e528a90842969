/* The floating-point environment that results are promised for: round to nearest, denormals kept. A host may have flush-to-zero set, on any
 * of its threads; every task enters and leaves. */
#ifndef PLIANT_BASE_FLOAT_ENV_H
#define PLIANT_BASE_FLOAT_ENV_H

#include <stdint.h>

#if defined(__SSE2__) || defined(_M_X64)
#include <xmmintrin.h>
typedef uint32_t                pliant__float_env;
static inline pliant__float_env pliant__float_enter(void)
{
    uint32_t before = _mm_getcsr();
    if ((before & 0xffc0u) != 0x1f80u) _mm_setcsr(0x1f80u); /* all exceptions masked, nearest, no FTZ, no DAZ */
    return before;
}
static inline void pliant__float_leave(pliant__float_env before)
{
    if ((before & 0xffc0u) != 0x1f80u) _mm_setcsr(before);
}
#elif defined(__aarch64__)
typedef uint64_t                pliant__float_env;
static inline pliant__float_env pliant__float_enter(void)
{
    uint64_t before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    if (before) __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
    return before;
}
static inline void pliant__float_leave(pliant__float_env before)
{
    if (before) __asm__ volatile("msr fpcr, %0" : : "r"(before));
}
#else
typedef int                     pliant__float_env;
static inline pliant__float_env pliant__float_enter(void) { return 0; }
static inline void              pliant__float_leave(pliant__float_env before) { (void)before; }
#endif

static inline void pliant__float_leave_scope(pliant__float_env *before) { pliant__float_leave(*before); }

/* The rest of the block runs in the environment that results are promised for; the caller's comes back at its end. */
#define PLIANT_FLOAT_SCOPE \
    pliant__float_env float_env_of_caller __attribute__((cleanup(pliant__float_leave_scope), unused)) = pliant__float_enter()

#endif
