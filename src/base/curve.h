/* Places along a curve that fills space (Morton 1966): things near each other mostly get near keys. */
#ifndef PLIANT_BASE_CURVE_H
#define PLIANT_BASE_CURVE_H

#include <stdint.h>

/* 21 bits with two 0 between each and the next. */
static inline uint64_t pliant__spread_bits(uint64_t a)
{
    a = (a | a << 32) & 0x1f00000000ffffu;
    a = (a | a << 16) & 0x1f0000ff0000ffu;
    a = (a | a << 8) & 0x100f00f00f00f00fu;
    a = (a | a << 4) & 0x10c30c30c30c30c3u;
    return (a | a << 2) & 0x1249249249249249u;
}

#endif
