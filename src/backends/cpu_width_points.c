/* Loose particles, PLIANT_W at a time: candidates, pairs of particles that are near each other, and which of these are rows or might pass through
 * each other. The kernels are described in solver/cell_kernels.h and
 * solver/pair_kernels.h. */
#include "backends/lanes.h"
#include "contact/pair_text.h"
#include "solver/pair_kernels.h"
#include "solver/sweep.h"

#define X(name, parameters, text) extern void PLIANT__OF_WIDTH(name) parameters;
PLIANT__CELL_KERNELS(X)
PLIANT__POINT_KERNELS(X)
#undef X

#define HUGE_MARGIN K(1e30) /* of particles that take no part */
#define KEPT K(0.75)        /* of how far a particle goes beside a straight way: of what was seen before */
#define SURELY K(1.001)     /* more than rounding may take */

/* ---- numbers in lanes ---- */

#if W == 1
typedef uint32_t vnumber;
#else
typedef uint16_t vhalves __attribute__((vector_size(W * sizeof(uint32_t))));
typedef uint32_t vnumber __attribute__((vector_size(W * sizeof(uint32_t))));
typedef int32_t  vwhole __attribute__((vector_size(W * sizeof(int32_t))));
#endif

KERNEL vnumber load_numbers(const uint32_t *a)
{
    vnumber v;
    memcpy(&v, a, sizeof v);
    return v;
}

KERNEL void store_numbers(uint32_t *a, vnumber v) { memcpy(a, &v, sizeof v); }

KERNEL vnumber splat_number(uint32_t a)
{
#if W == 1
    return a;
#else
    return a + (vnumber){0};
#endif
}

/* As numbers to count with; they are below 2^31. */
KERNEL vreal real_of(vnumber a)
{
#if W == 1
    return (pliant_real)a;
#else
    return __builtin_convertvector((vwhole)a, vreal);
#endif
}

/* Rounded down; they are from 0 to 2^31. */
KERNEL vnumber number_of(vreal a)
{
#if W == 1
    return (uint32_t)a;
#else
    return (vnumber) __builtin_convertvector(a, vwhole);
#endif
}

/* Those of some lanes where a number is above another. */
KERNEL uint32_t above(uint32_t lanes, vnumber a, vnumber b)
{
#if W == 1
    return lanes & (a > b);
#elif defined(__AVX512F__) && W == 16
    return _mm512_mask_cmp_epu32_mask((__mmask16)lanes, (__m512i)a, (__m512i)b, _MM_CMPINT_NLE);
#elif defined(__AVX512VL__) && W == 8
    return _mm256_mask_cmp_epu32_mask((__mmask8)lanes, (__m256i)a, (__m256i)b, _MM_CMPINT_NLE);
#else
    return bits_of(__builtin_convertvector((vwhole)(a > b), vmask)) & lanes;
#endif
}

/* Differences of the two halves of numbers. */
KERNEL vnumber halves_less(vnumber a, vnumber b)
{
#if W == 1
    const uint32_t low = 0x10000 + (a & 0xffff) - (b & 0xffff), high = 0x10000 + (a >> 16) - (b >> 16);
    return (low & 0xffff) | (high & 0xffff) << 16;
#else
    return (vnumber)((vhalves)a - (vhalves)b);
#endif
}

/* The sum of their squares; halves have signs. */
KERNEL vnumber halves_squared(vnumber a)
{
#if W == 1
    const int32_t low = (int16_t)(a & 0xffff), high = (int16_t)(a >> 16);
    return (uint32_t)(low * low) + (uint32_t)(high * high);
#elif defined(__AVX512BW__) && W == 16
    return (vnumber)_mm512_madd_epi16((__m512i)a, (__m512i)a);
#elif defined(__AVX2__) && W == 8
    return (vnumber)_mm256_madd_epi16((__m256i)a, (__m256i)a);
#elif defined(__SSE2__) && W == 4
    return (vnumber)_mm_madd_epi16((__m128i)a, (__m128i)a);
#else
    const vwhole low = (vwhole)(a << 16) >> 16, high = (vwhole)a >> 16;
    return (vnumber)(low * low) + (vnumber)(high * high);
#endif
}

/* Lanes where a is not above b. */
KERNEL uint32_t not_above(vreal a, vreal b)
{
#if defined(__AVX512F__) && !defined(PLIANT_DOUBLE) && W == 16
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
#elif defined(__AVX512F__) && defined(PLIANT_DOUBLE) && W == 8
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LE_OQ);
#else
    return bits_of(a <= b) & EVERY_LANE;
#endif
}

KERNEL vreal load_listed(const pliant_real *of, vnumber slot)
{
#if defined(__AVX512F__) && !defined(PLIANT_DOUBLE) && W == 16
    return (vreal)_mm512_i32gather_ps((__m512i)slot, of, 4);
#else
    uint32_t    at[W];
    pliant_real value[W];
    store_numbers(at, slot);
    for (uint32_t i = 0; i < W; i++) value[i] = of[at[i]];
    return load_lanes(value);
#endif
}

/* Writes the numbers of some lanes side by side; numbers written past them do not count. Returns how many lanes these are. */
KERNEL uint32_t put_some(uint32_t *out, vnumber v, uint32_t bits)
{
#if defined(__AVX512F__) && W == 16
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32((__mmask16)bits, (__m512i)v));
    return (uint32_t)__builtin_popcount(bits);
#elif defined(__AVX512VL__) && W == 8
    _mm256_storeu_si256((__m256i *)out, _mm256_maskz_compress_epi32((__mmask8)bits, (__m256i)v));
    return (uint32_t)__builtin_popcount(bits);
#else
    uint32_t number[W], n = 0;
    store_numbers(number, v);
    for (; bits; bits &= bits - 1) out[n++] = number[__builtin_ctz(bits)];
    return n;
#endif
}

KERNEL void put_some_reals(pliant_real *out, vreal v, uint32_t bits)
{
#if defined(__AVX512F__) && !defined(PLIANT_DOUBLE) && W == 16
    _mm512_storeu_ps(out, _mm512_maskz_compress_ps((__mmask16)bits, (__m512)v));
#else
    pliant_real value[W];
    store_lanes(value, v);
    for (uint32_t n = 0; bits; bits &= bits - 1) out[n++] = value[__builtin_ctz(bits)];
#endif
}

KERNEL uint32_t lanes_left(uint32_t left) { return left < W ? (1u << left) - 1 : EVERY_LANE; }

KERNEL vvec splat_vec(pliant_vec3 a) { return vvec_of(vsplat(a.x), vsplat(a.y), vsplat(a.z)); }

/* ---- foreseen motion ---- */

KERNEL pliant_real largest_lane(vreal a)
{
    pliant_real value[W], most = 0;
    store_lanes(value, a);
    for (uint32_t i = 0; i < W; i++)
        if (value[i] > most) most = value[i];
    return most;
}

void PLIANT__OF_WIDTH(foresee)(const pliant__foreseen_all *f, uint32_t slots, pliant__strayed *out, pliant_real *farthest)
{
    const vvec step = splat_vec(f->step);
    vreal      most = vsplat(0), longest = vsplat(0);
    for (uint32_t i = 0; i < slots; i += W) {
        uint32_t at[W];
        vvec     path_start, x, old;
        vreal    unused, margin, reach;
        for (uint32_t k = 0; k < W; k++) at[k] = i + k;
        const vslots s = {NULL, NULL, at};
        load_slots(f->path_start, s, &path_start, &unused);
        load_slots(f->x, s, &x, &unused);
        load_slots(f->ref, s, &old, &margin);
        load_slots(f->way, s, &old, &reach);
        const vmask counts = margin < HUGE_MARGIN;
        const vvec  gone = vsub(x, path_start);
        const vreal usual = load_lanes(f->usual + i),
                    turned = vlength(vsub(vsub(gone, vscale(old, vsplat(1 / f->rate))), splat_vec(f->turned))) * vsplat(f->last),
                    jolt = f->last > 0 ? vmax(turned, vsplat(KEPT) * load_lanes(f->jolt + i)) : usual * vsplat(1 / f->jolts),
                    wide = vmin(vmax(jolt * vsplat(f->jolts), usual * vsplat(f->least)), usual * vsplat(f->most));
        margin = vselect(counts, vselect(wide == wide, wide, usual), margin);
        store_lanes(f->jolt + i, vselect(jolt == jolt, jolt, usual));
        const vreal stepped = vkeep(counts, vlength(vsub(gone, step)));
        store_slots(f->ref, s, EVERY_LANE, path_start, margin);
        reach = vselect(counts, load_lanes(f->spread + i) + margin, reach);
        store_slots(f->way, s, EVERY_LANE, vscale(gone, vsplat(f->rate)), reach);
#if W == 1 /* of one lane the fourth number is left as it is */
        slot_of(f->ref, s, 0)[3] = margin;
        slot_of(f->way, s, 0)[3] = reach;
#endif
        store_lanes(out->moved + i, vsplat(0));
        store_lanes(out->stepped + i, stepped);
        most = vmax(vkeep(counts, stepped * vinverse(usual)), most);
        longest = vmax(stepped, longest);
    }
    out->off = out->from_ref = 0;
    out->step = largest_lane(longest);
    *farthest = largest_lane(most);
}

/* ---- cells ---- */

KERNEL void number_slots(uint32_t *at, uint32_t first)
{
    for (uint32_t i = 0; i < W; i++) at[i] = first + i;
}

/* The least lane. */
KERNEL pliant_real least_lane(vreal a)
{
    pliant_real value[W], least;
    store_lanes(value, a);
    least = value[0];
    for (uint32_t i = 1; i < W; i++)
        if (value[i] < least) least = value[i];
    return least;
}

void PLIANT__OF_WIDTH(reach)(const pliant_real *ref, const pliant_real *still, const pliant_real *stepped, pliant_real steps,
                             uint32_t slots, pliant_real *reach, pliant__extent *out)
{
    const vreal none = vsplat((pliant_real)INFINITY);
    vreal       least = none, most = vsplat(0);
    vvec        low = vvec_of(none, none, none), high = vvec_of(-none, -none, -none);
    for (uint32_t i = 0; i < slots; i += W) {
        uint32_t at[W];
        vvec     x;
        vreal    unused;
        number_slots(at, i);
        load_slots(ref, (vslots){NULL, NULL, at}, &x, &unused);
        const vreal base = load_lanes(still + i), far = vsplat(SURELY) * (base + load_lanes(stepped + i) * steps),
                    sum = x.x + x.y + x.z + far, counted = vselect(sum - sum == vsplat(0), far, none); /* a NaN counts, too */
        const vmask loose = base >= K(0);
        store_lanes(reach + i, far);
        least = vselect(loose, vmin(far, least), least);
        most = vselect(loose, vmax(counted, most), most);
        low = vvec_of(vselect(loose, vmin(x.x, low.x), low.x), vselect(loose, vmin(x.y, low.y), low.y),
                      vselect(loose, vmin(x.z, low.z), low.z));
        high = vvec_of(vselect(loose, vmax(x.x, high.x), high.x), vselect(loose, vmax(x.y, high.y), high.y),
                       vselect(loose, vmax(x.z, high.z), high.z));
    }
    *out = (pliant__extent){least_lane(least),
                            largest_lane(most),
                            {least_lane(low.x), least_lane(low.y), least_lane(low.z)},
                            {-least_lane(-high.x), -least_lane(-high.y), -least_lane(-high.z)}};
}

KERNEL vnumber cell_along(vreal x, pliant_real low, pliant_real inverse)
{
    const vreal cell = (x - low) * inverse;
    return number_of(vmin(vselect(cell >= K(0), cell, vsplat(0)), vsplat(K(2147483000)))) + 1; /* any number if not loose */
}

void PLIANT__OF_WIDTH(find_cells)(const pliant__cell_grid *g, const pliant_real *ref, uint32_t slots, uint32_t *cell)
{
    for (uint32_t i = 0; i < slots; i += W) {
        uint32_t at[W];
        vvec     x;
        vreal    unused;
        number_slots(at, i);
        load_slots(ref, (vslots){NULL, NULL, at}, &x, &unused);
        const vnumber along[3] = {cell_along(x.x, g->low[0], g->inverse), cell_along(x.y, g->low[1], g->inverse),
                                  cell_along(x.z, g->low[2], g->inverse)};
        store_numbers(cell + i, along[2] * g->layer + along[1] * g->row + along[0]);
    }
}

#define PART (W > 1 ? W / 2 : 1) /* so many at once are doubles */
typedef pliant_real vpart __attribute__((vector_size(PART * sizeof(pliant_real))));
typedef double      vpart_wide __attribute__((vector_size(PART * sizeof(double))));
typedef uint64_t    vpart_bits __attribute__((vector_size(PART * sizeof(uint64_t))));
typedef uint32_t    vpart_number __attribute__((vector_size(PART * sizeof(uint32_t))));

#define WHOLE 0x1p52 /* so far from 0 a double has the last bit of a whole number in its last */

/* The lowest bits of the distances of W coordinates from `low`, in units; any bits for a particle in no cell. */
KERNEL void count_units(const pliant_real *x, double low, double units, uint32_t *out)
{
    for (uint32_t i = 0; i < W; i += PART) {
        vpart part;
        memcpy(&part, x + i, sizeof part);
        const vpart_wide   along = (__builtin_convertvector(part, vpart_wide) - low) * units + WHOLE;
        const vpart_number number = __builtin_convertvector((vpart_bits)along, vpart_number);
        memcpy(out + i, &number, sizeof number);
    }
}

/* The reach of each particle in units, rounded up so that rounding to units misses no pair with a reach above 0. */
KERNEL vnumber reach_in_units(vreal reach, pliant_real units)
{
    return number_of(vmin(vselect(reach > K(0), reach * units + K(3), vsplat(0)), vsplat(K(PLIANT__UNITS / 2 + 3))));
}

void PLIANT__OF_WIDTH(pack_points)(const pliant_real *ref, const pliant_real *reach, const uint32_t *slot, uint32_t count,
                                   pliant__packed_points *to)
{
    for (uint32_t i = 0; i < count; i += W) {
        const vnumber of = load_numbers(slot + i);
        vvec          at;
        vreal         unused;
        pliant_real   along[3][W];
        uint32_t      whole[3][W];
        load_slots(ref, (vslots){NULL, NULL, slot + i}, &at, &unused);
        store_lanes(along[0], at.x);
        store_lanes(along[1], at.y);
        store_lanes(along[2], at.z);
        for (uint32_t k = 0; k < 3; k++) count_units(along[k], to->low[k], to->units, whole[k]);
        store_numbers(to->xy + i, (load_numbers(whole[0]) & 0xffff) | (load_numbers(whole[1]) & 0xffff) << 16);
        store_numbers(to->zr + i, (load_numbers(whole[2]) & 0xffff) | reach_in_units(load_listed(reach, of), (pliant_real)to->units) << 16);
        store_numbers(to->tag + i, of << to->bits);
    }
}

/* ---- the order of a list ---- */

#if defined(__AVX512F__)

/* Batcher's bitonic sorter, all blocks ascending: in each step lanes with a bit in `upper` get the larger of themselves and another lane. */
KERNEL __m512i sort_step(__m512i v, __m512i other, __mmask16 upper)
{
    return _mm512_mask_max_epu32(_mm512_min_epu32(v, other), upper, v, other);
}

KERNEL __m512i sort_two(__m512i v) { return sort_step(v, _mm512_shuffle_epi32(v, 0xB1), 0xAAAA); }
KERNEL __m512i sort_four(__m512i v) { return sort_two(sort_step(v, _mm512_shuffle_epi32(v, 0x4E), 0xCCCC)); }
KERNEL __m512i sort_eight(__m512i v) { return sort_four(sort_step(v, _mm512_shuffle_i32x4(v, v, 0xB1), 0xF0F0)); }

/* Sorts a bitonic sequence: one that rises and then falls, or the other way round. */
KERNEL __m512i sort_bitonic(__m512i v) { return sort_eight(sort_step(v, _mm512_shuffle_i32x4(v, v, 0x4E), 0xFF00)); }

KERNEL __m512i turn_round(__m512i v)
{
    return _mm512_permutexvar_epi32(_mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), v);
}

KERNEL __m512i sort_sixteen(__m512i v)
{
    v = sort_two(v);
    v = sort_two(sort_step(v, _mm512_shuffle_epi32(v, 0x1B), 0xCCCC));
    v = sort_four(sort_step(v, _mm512_shuffle_epi32(_mm512_shuffle_i32x4(v, v, 0xB1), 0x1B), 0xF0F0));
    return sort_eight(sort_step(v, turn_round(v), 0xFF00));
}

#define SORTED_AT_ONCE 32u

KERNEL __mmask16 lanes_of(uint32_t count) { return (__mmask16)(count < 16 ? (1u << count) - 1 : 0xFFFF); }
KERNEL __m512i   load_list(const uint32_t *list, uint32_t count)
{
    return _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), lanes_of(count), list);
}

KERNEL void sort_few(const uint32_t *list, uint32_t count, uint32_t *out)
{
    const __m512i a = sort_sixteen(load_list(list, count));
    if (count > 16) {
        const __m512i b = turn_round(sort_sixteen(load_list(list + 16, count - 16)));
        _mm512_storeu_si512(out, sort_bitonic(_mm512_min_epu32(a, b)));
        _mm512_storeu_si512(out + 16, sort_bitonic(_mm512_max_epu32(a, b)));
    } else
        _mm512_storeu_si512(out, a);
}

#else

#define SORTED_AT_ONCE 0u

KERNEL void sort_few(const uint32_t *list, uint32_t count, uint32_t *out) { (void)list, (void)count, (void)out; }

#endif

#define FEW 64u /* are put in order with their neighbours at once */

/* Ascending. In steps that become shorter: a list may be as long as there are particles. */
static void sort_many(uint32_t *list, uint32_t count)
{
    for (uint32_t gap = count > FEW ? count / 2 : 1; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (uint32_t i = gap; i < count; i++) {
            const uint32_t t = list[i];
            uint32_t       k = i;
            for (; k >= gap && list[k - gap] > t; k -= gap) list[k] = list[k - gap];
            list[k] = t;
        }
}

/* Writes a list in order; numbers written past its end do not count. It may be put where it is. */
KERNEL void put_in_order(const uint32_t *list, uint32_t count, uint32_t *out)
{
    if (count <= SORTED_AT_ONCE)
        sort_few(list, count, out);
    else {
        memmove(out, list, count * sizeof *out);
        sort_many(out, count);
    }
}

/* ---- candidates: particles near each other ---- */

/* A particle that seeks the others. */
typedef struct seeker {
    vnumber xy, zr, tag; /* its reach has the opposite sign, so that differences add both reaches */
} seeker;

KERNEL seeker seeker_of(const pliant__packed_points *c, uint32_t one)
{
    const uint32_t zr = c->zr[one];
    return (seeker){splat_number(c->xy[one]), splat_number((zr & 0xffff) | ((0x10000 - (zr >> 16)) & 0xffff) << 16),
                    splat_number(c->tag[one])};
}

/* Adds those of W particles of packed points that are near enough and have a higher number, as entries of a list. */
KERNEL uint32_t seek(const pliant__packed_points *c, const seeker *one, uint32_t at, uint32_t lanes, uint32_t *out)
{
    const vnumber tag = load_numbers(c->tag + at), xy = halves_less(load_numbers(c->xy + at), one->xy),
                  zr = halves_less(load_numbers(c->zr + at), one->zr), apart = halves_squared(xy) + halves_squared(zr & 0xffff),
                  reach = halves_squared(zr >> 16);
    const uint32_t bits = above(above(lanes, tag, one->tag), reach, apart);
    return put_some(out, tag | apart >> c->shift, bits);
}

#define MOST_AROUND 448u                          /* particles around a cell that are put side by side */
#define ROOM_AROUND (MOST_AROUND + PLIANT__BLOCK) /* no divisor of a page: loads wait for stores at the same offset into one */

/* The particles around a cell side by side, so that no lanes are left empty at the ends of runs. */
typedef struct neighbours {
    uint32_t xy[ROOM_AROUND], zr[ROOM_AROUND], tag[ROOM_AROUND], count;
} __attribute__((aligned(64))) neighbours;

KERNEL void put_side_by_side(const pliant__packed_points *c, const pliant__around *around, neighbours *to)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < around->count; r++) {
        const uint32_t first = around->run[r].first, count = around->run[r].end - first;
        for (uint32_t i = 0; i < count; i += W) {
            store_numbers(to->xy + n + i, load_numbers(c->xy + first + i));
            store_numbers(to->zr + n + i, load_numbers(c->zr + first + i));
            store_numbers(to->tag + n + i, load_numbers(c->tag + first + i));
        }
        n += count;
    }
    to->count = n;
    store_numbers(to->xy + n, splat_number(0));
    store_numbers(to->zr + n, splat_number(0));
    store_numbers(to->tag + n, splat_number(0)); /* higher than no particle's */
}

/* Each list is put in order once the next has been sought: a processor would wait for one that was just written. */
KERNEL void seek_side_by_side(const pliant__packed_points *c, const pliant__around *around, uint32_t first, uint32_t end, uint32_t *out,
                              uint32_t *length)
{
    neighbours                  all;
    uint32_t                    list[2][ROOM_AROUND];
    const pliant__packed_points them = {.xy = all.xy, .zr = all.zr, .tag = all.tag, .shift = c->shift};
    uint32_t                    before = 0;
    put_side_by_side(c, around, &all);
    for (uint32_t one = first; one < end; one++) {
        const seeker s = seeker_of(c, one);
        uint32_t     n = 0;
        for (uint32_t i = 0; i < all.count; i += W) n += seek(&them, &s, i, EVERY_LANE, list[one % 2] + n);
        length[one - first] = n;
        if (one > first) put_in_order(list[(one - 1) % 2], before, out);
        out += before;
        before = n;
    }
    put_in_order(list[(end - 1) % 2], before, out);
}

KERNEL void seek_in_runs(const pliant__packed_points *c, const pliant__around *around, uint32_t first, uint32_t end, uint32_t *out,
                         uint32_t *length)
{
    for (uint32_t one = first; one < end; one++) {
        const seeker s = seeker_of(c, one);
        uint32_t     n = 0;
        for (uint32_t r = 0; r < around->count; r++)
            for (uint32_t i = around->run[r].first; i < around->run[r].end; i += W)
                n += seek(c, &s, i, lanes_left(around->run[r].end - i), out + n);
        put_in_order(out, n, out);
        length[one - first] = n;
        out += n;
    }
}

void PLIANT__OF_WIDTH(near_some)(const pliant__packed_points *c, const pliant__around *around, uint32_t first, uint32_t end, uint32_t *out,
                                 uint32_t *length)
{
    if (around->total <= MOST_AROUND)
        seek_side_by_side(c, around, first, end, out, length);
    else
        seek_in_runs(c, around, first, end, out, length);
}

/* ---- candidates that may be near now ---- */

void PLIANT__OF_WIDTH(close_points)(const pliant__lists *l, const pliant__closeness *how, uint32_t first, uint32_t end, uint32_t *a,
                                    uint32_t *b, uint32_t *kept)
{
    const vnumber apart = splat_number((1u << l->bits) - 1);
    const vreal   scale = vsplat(SURELY * l->scale), all = vsplat(SURELY * l->scale * 4 * how->most * how->most + l->slack);
    const bool    alike = how->most <= K(1.01) * how->least;
    uint32_t      n = 0;
    for (uint32_t k = first; k < end; k++) {
        const uint32_t *list = l->near + l->begin[k], slot = l->tag[k] >> l->bits;
        const vreal     mine = vsplat(how->near[slot]);
        for (uint32_t i = 0; i < l->length[k]; i += W) {
            const vnumber entry = load_numbers(list + i), other = entry >> l->bits;
            const vreal   now = real_of(entry & apart);
            uint32_t      bits = not_above(now, all) & lanes_left(l->length[k] - i);
            if (!alike && bits) {
                const uint32_t lanes = lanes_left(l->length[k] - i);
                vnumber        at = other;
                if (lanes != EVERY_LANE) { /* lanes past the end of a list hold any number */
                    uint32_t number[W];
                    store_numbers(number, other);
                    for (uint32_t j = l->length[k] - i; j < W; j++) number[j] = slot;
                    at = load_numbers(number);
                }
                const vreal limit = mine + load_listed(how->near, at);
                bits &= not_above(now, limit * limit * scale + l->slack);
            }
            store_numbers(a + n, splat_number(slot));
            n += put_some(b + n, other, bits);
        }
    }
    *kept = n;
}

/* ---- candidates that are rows, or might pass ---- */

/* W pairs of two particles. */
typedef struct points {
    uint32_t slot[2][W];
    vvec     from[2], to[2];
    vreal    distance, margins; /* m, of both particles together */
} points;

/* The distance at which two particles touch: within one body no more than their distance at rest; 0: never. */
KERNEL vreal points_distance(const pliant__points *p, const uint32_t *a, const uint32_t *b, vreal *margins)
{
    pliant_real thick[2][W], same[W];
    uint32_t    crowded = 0;
    for (uint32_t i = 0; i < W; i++) {
        thick[0][i] = p->thick[a[i]];
        thick[1][i] = p->thick[b[i]];
        crowded |= p->crowded[a[i]] & p->crowded[b[i]];
    }
    const vreal sum = load_lanes(thick[0]) + load_lanes(thick[1]);
    *margins = sum * PLIANT__LOOSE_MARGIN;
    if (!crowded) return sum;
    vvec  x[2];
    vreal unused;
    load_slots(p->rest, (vslots){NULL, NULL, a}, &x[0], &unused);
    load_slots(p->rest, (vslots){NULL, NULL, b}, &x[1], &unused);
    for (uint32_t i = 0; i < W; i++) same[i] = p->body[a[i]] == p->body[b[i]];
    return vselect(load_lanes(same) > K(0), vmin(sum, vlength(vsub(x[0], x[1]))), sum);
}

KERNEL void load_points(const pliant__points *p, const uint32_t *a, const uint32_t *b, uint32_t left, points *out)
{
    const uint32_t count = left < W ? left : W;
    vreal          unused;
    memcpy(out->slot[0], a, count * sizeof *a);
    memcpy(out->slot[1], b, count * sizeof *b);
    for (uint32_t i = count; i < W; i++) out->slot[0][i] = a[0], out->slot[1][i] = b[0];
    for (uint32_t k = 0; k < 2; k++) {
        load_slots(p->path_start, (vslots){NULL, NULL, out->slot[k]}, &out->from[k], &unused);
        load_slots(p->x, (vslots){NULL, NULL, out->slot[k]}, &out->to[k], &unused);
    }
    out->distance = points_distance(p, out->slot[0], out->slot[1], &out->margins);
}

/* Whether two particles come within `reach` of each other, their difference going straight from one end to the other. */
KERNEL vmask ways_meet(vvec from, vvec beside, vreal reach)
{
    const vreal time = vmax(vmin(-vdot(from, beside) * vinverse(vdot(beside, beside)), vsplat(1)), vsplat(0));
    const vvec  nearest = vadd(from, vscale(beside, time));
    return vdot(nearest, nearest) <= reach * reach;
}

/* The test of look_lanes for a corner and a triangle, in its simplest case; might_pass is that of passes_lanes. */
KERNEL vmask are_rows(const points *p)
{
    const vvec  from = vsub(p->from[0], p->from[1]), to = vsub(p->to[0], p->to[1]), beside = vsub(to, from);
    const vreal gap = vlength(from), then = vdot(from, to) * vinverse(gap), reach = PLIANT__PAIR_REACH * p->distance,
                sudden = vlength(beside) - K(2) * p->margins;
    const vmask near = vboth(vboth(gap > KERNEL_TINY, vmin(gap, then) < reach), gap < reach + vmax(sudden, vsplat(0)));
    return vboth(vboth(near, p->distance > K(0)), ways_meet(from, beside, reach));
}

KERNEL vmask might_pass(const points *p)
{
    const vvec  from = vsub(p->from[0], p->from[1]), to = vsub(p->to[0], p->to[1]), beside = vsub(to, from);
    const vreal gap = vlength(from), room = pair_may_close(vmax(vdot(vscale(from, vinverse(gap)), from), vsplat(0)), p->distance);
    const vmask far = vboth(vboth(gap > KERNEL_TINY, vdot(beside, beside) > room * room), p->distance > K(0));
    return vboth(far, ways_meet(from, beside, pair_left(p->distance)));
}

void PLIANT__OF_WIDTH(ask_points)(const pliant__points *how, uint32_t *a, uint32_t *b, uint32_t count, pliant_real *distance,
                                  uint32_t *kept)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i += W) {
        points p;
        load_points(how, a + i, b + i, count - i, &p);
        const uint32_t bits = bits_of(how->passes ? might_pass(&p) : are_rows(&p)) & lanes_left(count - i);
        put_some(a + n, load_numbers(p.slot[0]), bits);
        put_some_reals(distance + n, p.distance, bits);
        n += put_some(b + n, load_numbers(p.slot[1]), bits);
    }
    *kept = n;
}

void PLIANT__OF_WIDTH(touch_points)(const pliant__points *how, const uint32_t *a, const uint32_t *b, pliant_real *distance)
{
    vreal unused;
    for (uint32_t i = 0; i < PLIANT__BLOCK; i += W) store_lanes(distance + i, points_distance(how, a + i, b + i, &unused));
}
