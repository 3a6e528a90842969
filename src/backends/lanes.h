/* Loads, stores and transposes of a kernel, PLIANT_W lanes wide: where rows have their slots, and vectors of x, y, z and w from packed
 * positions (x y z w, one load each) and back. */
#ifndef PLIANT_BACKENDS_LANES_H
#define PLIANT_BACKENDS_LANES_H

#include "compile/model.h"
#include "constraints/kernel.h"

#include <stdint.h>

#define W PLIANT_W
#define EVERY_LANE ((1u << (W - 1) << 1) - 1u)

/* Where a slot of W rows lies: numbers of 16 bits, in a list of slots if there is one; or slots of 32 bits. Which of them is known when a kernel
 * is compiled. */
typedef struct vslots {
    const uint16_t *number;
    const uint32_t *listed, *wide;
} vslots;

KERNEL vslots wide_slots(const uint32_t *slot)
{
    vslots s = {NULL, NULL, slot};
    return s;
}

/* Where a lane's slot has its four numbers. */
KERNEL pliant_real *slot_of(const pliant_real *x, vslots s, uint32_t lane)
{
    const char *at = (const char *)x;
    uint32_t    slot;
    if (!s.wide && !s.listed) return (pliant_real *)(uintptr_t)(at + 8 * (size_t)s.number[lane]);
    if (s.wide)
        slot = s.wide[lane];
    else
        memcpy(&slot, (const char *)s.listed + (size_t)s.number[lane] * (sizeof slot / PLIANT__NUMBER), sizeof slot);
    return (pliant_real *)(uintptr_t)(at + 4 * sizeof *x * (size_t)slot);
}

#if W == 1

KERNEL void load_slots(const pliant_real *x, vslots at, vvec *p, vreal *w)
{
    const pliant_real *s = slot_of(x, at, 0);
    *p = vvec_of(s[0], s[1], s[2]);
    *w = s[3];
}

KERNEL void store_slots(pliant_real *x, vslots at, uint32_t mask, vvec p, vreal w)
{
    (void)w;
    if (!mask) return;
    pliant_real *s = slot_of(x, at, 0);
    s[0] = p.x;
    s[1] = p.y;
    s[2] = p.z;
}

KERNEL void store_slots_here(pliant_real *x, vslots at, uint32_t mask, vvec p, vreal w) { store_slots(x, at, mask, p, w); }

KERNEL vreal       load_lanes(const pliant_real *a) { return a[0]; }
KERNEL void        store_lanes(pliant_real *a, vreal v) { a[0] = v; }
KERNEL pliant_real lane(vreal v, uint32_t i)
{
    (void)i;
    return v;
}
KERNEL vmask mask_of(uint32_t bits) { return bits & 1; }
KERNEL vreal keep_lanes(uint32_t bits, vreal v) { return bits & 1 ? v : 0; }
KERNEL void  store_some_lanes(pliant_real *a, uint32_t bits, vreal v)
{
    if (bits & 1) a[0] = v;
}

#else

typedef pliant_real pack __attribute__((vector_size(4 * sizeof(pliant_real))));

/* Index lists for __builtin_shufflevector: the pattern a b c d in every group of four lanes; indices from W on name the second vector. */
#if W == 4
#define IN_GROUPS(a, b, c, d) a, b, c, d
#elif W == 8
#define IN_GROUPS(a, b, c, d) a, b, c, d, (a) + 4, (b) + 4, (c) + 4, (d) + 4
#else
#define IN_GROUPS(a, b, c, d) \
    a, b, c, d, (a) + 4, (b) + 4, (c) + 4, (d) + 4, (a) + 8, (b) + 8, (c) + 8, (d) + 8, (a) + 12, (b) + 12, (c) + 12, (d) + 12
#endif
#define INTERLEAVE_LOW(a, b) __builtin_shufflevector(a, b, IN_GROUPS(0, W, 1, W + 1))
#define INTERLEAVE_HIGH(a, b) __builtin_shufflevector(a, b, IN_GROUPS(2, W + 2, 3, W + 3))
#define PAIRS_LOW(a, b) __builtin_shufflevector(a, b, IN_GROUPS(0, 1, W, W + 1))
#define PAIRS_HIGH(a, b) __builtin_shufflevector(a, b, IN_GROUPS(2, 3, W + 2, W + 3))

KERNEL pack load_pack(const pliant_real *x, vslots at, uint32_t lane)
{
    pack p;
    memcpy(&p, slot_of(x, at, lane), sizeof p);
    return p;
}

/* Packs of lanes j, j + 4, j + 8, j + 12 side by side. */
KERNEL vreal load_group(const pliant_real *x, vslots at, uint32_t j)
{
#if W == 4
    return load_pack(x, at, j);
#elif W == 8
    return __builtin_shufflevector(load_pack(x, at, j), load_pack(x, at, j + 4), 0, 1, 2, 3, 4, 5, 6, 7);
#elif defined(__AVX512F__)
    __m512 r = _mm512_castps128_ps512((__m128)load_pack(x, at, j));
#ifdef USE_BROADCAST
    r = _mm512_mask_broadcast_f32x4(r, 0x00f0, (__m128)load_pack(x, at, j + 4));
    r = _mm512_mask_broadcast_f32x4(r, 0x0f00, (__m128)load_pack(x, at, j + 8));
    r = _mm512_mask_broadcast_f32x4(r, 0xf000, (__m128)load_pack(x, at, j + 12));
#else
    r = _mm512_insertf32x4(r, (__m128)load_pack(x, at, j + 4), 1);
    r = _mm512_insertf32x4(r, (__m128)load_pack(x, at, j + 8), 2);
    r = _mm512_insertf32x4(r, (__m128)load_pack(x, at, j + 12), 3);
#endif
    return (vreal)r;
#else
    typedef pliant_real half __attribute__((vector_size(8 * sizeof(pliant_real))));
    half                low = __builtin_shufflevector(load_pack(x, at, j), load_pack(x, at, j + 4), 0, 1, 2, 3, 4, 5, 6, 7);
    half                high = __builtin_shufflevector(load_pack(x, at, j + 8), load_pack(x, at, j + 12), 0, 1, 2, 3, 4, 5, 6, 7);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
}

KERNEL void load_slots(const pliant_real *x, vslots at, vvec *p, vreal *w)
{
    vreal r0 = load_group(x, at, 0), r1 = load_group(x, at, 1), r2 = load_group(x, at, 2), r3 = load_group(x, at, 3);
    vreal xy01 = INTERLEAVE_LOW(r0, r1), zw01 = INTERLEAVE_HIGH(r0, r1), xy23 = INTERLEAVE_LOW(r2, r3), zw23 = INTERLEAVE_HIGH(r2, r3);
    p->x = PAIRS_LOW(xy01, xy23);
    p->y = PAIRS_HIGH(xy01, xy23);
    p->z = PAIRS_LOW(zw01, zw23);
    *w = PAIRS_HIGH(zw01, zw23);
}

/* A lane's pack. `groups`: packs of lanes j, j + 4, ... side by side, for each j from 0 to 3. */
KERNEL void store_lane(pliant_real *x, vslots at, const pliant_real *groups, uint32_t i)
{
    memcpy(slot_of(x, at, i), groups + i % 4 * W + i / 4 * 4, sizeof(pack));
}

/* Lanes with a bit set in `mask`: most often those up to a batch's last row. Few vectors have lanes that are not written, so this text is there once for
 * each way in which slots are told. */
KERNEL void store_each(pliant_real *x, vslots at, uint32_t mask, const pliant_real *groups)
{
    if (mask & (mask + 1)) {
        for (; mask; mask &= mask - 1) store_lane(x, at, groups, (uint32_t)__builtin_ctz(mask));
        return;
    }
    switch (32 - (mask ? __builtin_clz(mask) : 32)) {
        /* clang-format off */
#define LANE(i) case (i) + 1: store_lane(x, at, groups, i); __attribute__((fallthrough));
#if W == 16
    LANE(15) LANE(14) LANE(13) LANE(12) LANE(11) LANE(10) LANE(9) LANE(8)
#endif
#if W >= 8
    LANE(7) LANE(6) LANE(5) LANE(4)
#endif
    LANE(3) LANE(2) LANE(1) LANE(0)
#undef LANE
            /* clang-format on */
            default : break;
    }
}

static __attribute__((noinline, unused)) void store_numbered(pliant_real *x, const uint16_t *number, uint32_t mask,
                                                             const pliant_real *groups)
{
    store_each(x, (vslots){number, NULL, NULL}, mask, groups);
}

static __attribute__((noinline, unused)) void store_listed(pliant_real *x, const uint16_t *number, const uint32_t *listed, uint32_t mask,
                                                           const pliant_real *groups)
{
    store_each(x, (vslots){number, listed, NULL}, mask, groups);
}

static __attribute__((noinline, unused)) void store_wide(pliant_real *x, const uint32_t *wide, uint32_t mask, const pliant_real *groups)
{
    store_each(x, (vslots){NULL, NULL, wide}, mask, groups);
}

/* All lanes: extracts and stores, no branches. */
KERNEL void store_group_whole(pliant_real *x, vslots at, uint32_t j, vreal r)
{
#if W == 4
    memcpy(slot_of(x, at, j), &r, sizeof r);
#else
    pack p0 = __builtin_shufflevector(r, r, 0, 1, 2, 3), p1 = __builtin_shufflevector(r, r, 4, 5, 6, 7);
    memcpy(slot_of(x, at, j), &p0, sizeof p0);
    memcpy(slot_of(x, at, j + 4), &p1, sizeof p1);
#if W == 16
    pack p2 = __builtin_shufflevector(r, r, 8, 9, 10, 11), p3 = __builtin_shufflevector(r, r, 12, 13, 14, 15);
    memcpy(slot_of(x, at, j + 8), &p2, sizeof p2);
    memcpy(slot_of(x, at, j + 12), &p3, sizeof p3);
#endif
#endif
}

/* Packs of four lanes' slots, from vectors of x, y, z and w: pack of lane i in the i / 4th quarter of groups[i % 4]. */
KERNEL void turn_back(vreal *groups, vvec p, vreal w)
{
    vreal xy01 = INTERLEAVE_LOW(p.x, p.y), xy23 = INTERLEAVE_HIGH(p.x, p.y), zw01 = INTERLEAVE_LOW(p.z, w), zw23 = INTERLEAVE_HIGH(p.z, w);
    groups[0] = PAIRS_LOW(xy01, zw01), groups[1] = PAIRS_HIGH(xy01, zw01);
    groups[2] = PAIRS_LOW(xy23, zw23), groups[3] = PAIRS_HIGH(xy23, zw23);
}

KERNEL void store_every_slot(pliant_real *x, vslots at, const vreal *groups)
{
    UNROLL
    for (uint32_t j = 0; j < 4; j++) store_group_whole(x, at, j, groups[j]);
}

KERNEL void store_slots(pliant_real *x, vslots at, uint32_t mask, vvec p, vreal w)
{
    vreal groups[4];
    turn_back(groups, p, w);
    if (mask == EVERY_LANE) {
        store_every_slot(x, at, groups);
    } else {
        pliant_real packs[4 * W] __attribute__((aligned(sizeof(vreal))));
        memcpy(packs, groups, sizeof packs);
        if (at.wide)
            store_wide(x, at.wide, mask, packs);
        else if (at.listed)
            store_listed(x, at.number, at.listed, mask, packs);
        else
            store_numbered(x, at.number, mask, packs);
    }
}

KERNEL void store_group(pliant_real *x, vslots at, uint32_t mask, uint32_t j, vreal r)
{
    pliant_real packs[W] __attribute__((aligned(sizeof(vreal))));
    memcpy(packs, &r, sizeof r);
    for (uint32_t k = 0; k < W / 4; k++)
        if (mask >> (j + 4 * k) & 1) memcpy(slot_of(x, at, j + 4 * k), packs + 4 * k, sizeof(pack));
}

/* As store_slots, but with the stores of single lanes in the caller's text: for kernels in which many vectors have lanes that are not written. */
KERNEL void store_slots_here(pliant_real *x, vslots at, uint32_t mask, vvec p, vreal w)
{
    vreal groups[4];
    turn_back(groups, p, w);
    if (mask == EVERY_LANE) {
        store_every_slot(x, at, groups);
    } else {
        store_group(x, at, mask, 0, groups[0]);
        store_group(x, at, mask, 1, groups[1]);
        store_group(x, at, mask, 2, groups[2]);
        store_group(x, at, mask, 3, groups[3]);
    }
}

KERNEL vreal load_lanes(const pliant_real *a)
{
    vreal v;
    memcpy(&v, a, sizeof v);
    return v;
}
KERNEL void        store_lanes(pliant_real *a, vreal v) { memcpy(a, &v, sizeof v); }
KERNEL pliant_real lane(vreal v, uint32_t i) { return v[i]; }
KERNEL vmask       mask_of(uint32_t bits)
{
#if W == 4
    const vmask bit = {1, 2, 4, 8};
#elif W == 8
    const vmask bit = {1, 2, 4, 8, 16, 32, 64, 128};
#else
    const vmask bit = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
#endif
    const vmask none = {0};
    return (bit & ((pliant__lane_int)bits - none)) != none;
}

/* Loads the lanes with a bit set, and 0 in the others; and stores such lanes alone. */
#if defined(__AVX512F__) && W == 16
KERNEL vreal keep_lanes(uint32_t bits, vreal v) { return (vreal)_mm512_maskz_mov_ps((__mmask16)bits, (__m512)v); }
KERNEL void  store_some_lanes(pliant_real *a, uint32_t bits, vreal v) { _mm512_mask_storeu_ps(a, (__mmask16)bits, (__m512)v); }
#elif defined(__AVX512F__) && defined(PLIANT_DOUBLE) && W == 8
KERNEL vreal keep_lanes(uint32_t bits, vreal v) { return (vreal)_mm512_maskz_mov_pd((__mmask8)bits, (__m512d)v); }
KERNEL void store_some_lanes(pliant_real *a, uint32_t bits, vreal v) { _mm512_mask_storeu_pd(a, (__mmask8)bits, (__m512d)v); }
#else
KERNEL vreal keep_lanes(uint32_t bits, vreal v) { return vkeep(mask_of(bits), v); }
KERNEL void store_some_lanes(pliant_real *a, uint32_t bits, vreal v)
{
#if defined(__AVX2__) && defined(PLIANT_DOUBLE)
    store_lanes(a, (vreal)_mm256_blendv_pd((__m256d)load_lanes(a), (__m256d)v, (__m256d)mask_of(bits)));
#elif defined(__AVX2__)
    store_lanes(a, (vreal)_mm256_blendv_ps((__m256)load_lanes(a), (__m256)v, (__m256)mask_of(bits)));
#else
    store_lanes(a, vselect(mask_of(bits), v, load_lanes(a)));
#endif
}
#endif

#endif

/* A bit per lane. */
KERNEL uint32_t bits_of(vmask m)
{
#if W == 1
    return m != 0;
#elif defined(__AVX512DQ__) && !defined(PLIANT_DOUBLE) && W == 16
    return _mm512_movepi32_mask((__m512i)m);
#elif defined(__AVX512DQ__) && defined(PLIANT_DOUBLE) && W == 8
    return _mm512_movepi64_mask((__m512i)m);
#elif defined(__AVX__) && !defined(PLIANT_DOUBLE) && W == 8
    return (uint32_t)_mm256_movemask_ps((__m256)m);
#elif defined(__AVX__) && defined(PLIANT_DOUBLE) && W == 4
    return (uint32_t)_mm256_movemask_pd((__m256d)m);
#elif defined(__SSE2__) && !defined(PLIANT_DOUBLE) && W == 4
    return (uint32_t)_mm_movemask_ps((__m128)m);
#else
    uint32_t bits = 0;
    for (uint32_t i = 0; i < W; i++) bits |= (uint32_t)(m[i] & 1) << i;
    return bits;
#endif
}

/* A bit per lane: a is not above b. 0 where one of them is not a number. */
KERNEL uint32_t bits_not_above(vreal a, vreal b)
{
#if defined(__AVX512F__) && !defined(PLIANT_DOUBLE) && W == 16
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
#elif defined(__AVX512F__) && defined(PLIANT_DOUBLE) && W == 8
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LE_OQ);
#elif W == 1
    return a <= b;
#else
    return bits_of(a <= b);
#endif
}

/* A bit per lane: a slot is this one. */
KERNEL uint32_t bits_same_slot(const uint32_t *slot, uint32_t one)
{
#if defined(__AVX512F__) && W == 16
    return _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(slot), _mm512_set1_epi32((int)one));
#elif defined(__AVX2__) && W == 8
    return (uint32_t)_mm256_movemask_ps((__m256)_mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)slot), _mm256_set1_epi32((int)one)));
#elif defined(__SSE2__) && W == 4
    return (uint32_t)_mm_movemask_ps((__m128)_mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)slot), _mm_set1_epi32((int)one)));
#else
    uint32_t bits = 0;
    for (uint32_t i = 0; i < W; i++) bits |= (uint32_t)(slot[i] == one) << i;
    return bits;
#endif
}

#endif
