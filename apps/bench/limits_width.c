/* Loops of one lane width, PLIANT_W. Positions are packed and transposed in registers, as the kernels do it. */
#include "limits_width.h"

#include <math.h>
#include <string.h>

#define W PLIANT_W
#define NAME_(width) bench_loops_##width
#define NAME(width) NAME_(width)

#ifdef PLIANT_DOUBLE
#define ROOT sqrt
#else
#define ROOT sqrtf
#endif

#if W == 1
typedef pliant_real lanes;
#else
typedef pliant_real lanes __attribute__((vector_size(W * sizeof(pliant_real))));
typedef pliant_real pack __attribute__((vector_size(4 * sizeof(pliant_real))));
#endif

static inline lanes load(const pliant_real *a)
{
    lanes v;
    memcpy(&v, a, sizeof v);
    return v;
}

static inline void store(pliant_real *a, lanes v) { memcpy(a, &v, sizeof v); }

static void triad(pliant_real *a, const pliant_real *b, const pliant_real *c, pliant_real s, size_t count)
{
    for (size_t i = 0; i + W <= count; i += W) store(a + i, load(b + i) + s * load(c + i));
}

/* ---- particles through an index ---- */

#if W == 1

static void turn(pliant_real *positions, const uint32_t *index, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pliant_real *p = positions + 4 * (size_t)index[i];
        pliant_real  x = p[0] + (pliant_real)1e-3, y = p[1], z = p[2], w = p[3];
        p[0] = x;
        p[1] = y + 0 * w;
        p[2] = z;
        p[3] = w;
    }
}

#else

/* The pattern a b c d in every group of four lanes; from W on the second vector. */
#if W == 4
#define GROUPS(a, b, c, d) a, b, c, d
#elif W == 8
#define GROUPS(a, b, c, d) a, b, c, d, (a) + 4, (b) + 4, (c) + 4, (d) + 4
#else
#define GROUPS(a, b, c, d) \
    a, b, c, d, (a) + 4, (b) + 4, (c) + 4, (d) + 4, (a) + 8, (b) + 8, (c) + 8, (d) + 8, (a) + 12, (b) + 12, (c) + 12, (d) + 12
#endif
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, GROUPS(0, W, 1, W + 1))
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, GROUPS(2, W + 2, 3, W + 3))
#define HALVES_LOW(a, b) __builtin_shufflevector(a, b, GROUPS(0, 1, W, W + 1))
#define HALVES_HIGH(a, b) __builtin_shufflevector(a, b, GROUPS(2, 3, W + 2, W + 3))

static inline pack load_pack(const pliant_real *x, uint32_t particle)
{
    pack p;
    memcpy(&p, x + 4 * (size_t)particle, sizeof p);
    return p;
}

static inline void store_pack(pliant_real *x, uint32_t particle, pack p) { memcpy(x + 4 * (size_t)particle, &p, sizeof p); }

/* Particles j, j + 4, ... of a vector's worth, side by side. */
static inline lanes gather(const pliant_real *x, const uint32_t *index, uint32_t j)
{
#if W == 4
    return load_pack(x, index[j]);
#elif W == 8
    return __builtin_shufflevector(load_pack(x, index[j]), load_pack(x, index[j + 4]), 0, 1, 2, 3, 4, 5, 6, 7);
#else
    typedef pliant_real half __attribute__((vector_size(8 * sizeof(pliant_real))));
    half                low = __builtin_shufflevector(load_pack(x, index[j]), load_pack(x, index[j + 4]), 0, 1, 2, 3, 4, 5, 6, 7);
    half                high = __builtin_shufflevector(load_pack(x, index[j + 8]), load_pack(x, index[j + 12]), 0, 1, 2, 3, 4, 5, 6, 7);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
}

static inline void scatter(pliant_real *x, const uint32_t *index, uint32_t j, lanes v)
{
#if W == 4
    store_pack(x, index[j], v);
#else
    store_pack(x, index[j], __builtin_shufflevector(v, v, 0, 1, 2, 3));
    store_pack(x, index[j + 4], __builtin_shufflevector(v, v, 4, 5, 6, 7));
#if W == 16
    store_pack(x, index[j + 8], __builtin_shufflevector(v, v, 8, 9, 10, 11));
    store_pack(x, index[j + 12], __builtin_shufflevector(v, v, 12, 13, 14, 15));
#endif
#endif
}

static void turn(pliant_real *x, const uint32_t *index, size_t count)
{
    for (size_t i = 0; i + W <= count; i += W, index += W) {
        lanes r0 = gather(x, index, 0), r1 = gather(x, index, 1), r2 = gather(x, index, 2), r3 = gather(x, index, 3);
        lanes xy01 = ZIP_LOW(r0, r1), zw01 = ZIP_HIGH(r0, r1), xy23 = ZIP_LOW(r2, r3), zw23 = ZIP_HIGH(r2, r3);
        lanes px = HALVES_LOW(xy01, xy23), py = HALVES_HIGH(xy01, xy23), pz = HALVES_LOW(zw01, zw23), pw = HALVES_HIGH(zw01, zw23);
        px += (pliant_real)1e-3;
        py += 0 * pw;
        xy01 = ZIP_LOW(px, py), xy23 = ZIP_HIGH(px, py), zw01 = ZIP_LOW(pz, pw), zw23 = ZIP_HIGH(pz, pw);
        scatter(x, index, 0, HALVES_LOW(xy01, zw01));
        scatter(x, index, 1, HALVES_HIGH(xy01, zw01));
        scatter(x, index, 2, HALVES_LOW(xy23, zw23));
        scatter(x, index, 3, HALVES_HIGH(xy23, zw23));
    }
}

#endif

/* ---- square roots and divisions ---- */

#if W > 1 && defined(__SSE2__)
#include <immintrin.h>
static inline lanes root(lanes a)
{
#if defined(PLIANT_DOUBLE) && W == 8
    return (lanes)_mm512_sqrt_pd((__m512d)a);
#elif defined(PLIANT_DOUBLE)
    return (lanes)_mm256_sqrt_pd((__m256d)a);
#elif W == 16
    return (lanes)_mm512_sqrt_ps((__m512)a);
#elif W == 8
    return (lanes)_mm256_sqrt_ps((__m256)a);
#else
    return (lanes)_mm_sqrt_ps((__m128)a);
#endif
}
#elif W > 1
static inline lanes root(lanes a)
{
    for (int i = 0; i < W; i++) a[i] = ROOT(a[i]);
    return a;
}
#else
static inline lanes root(lanes a) { return ROOT(a); }
#endif

/* Eight that do not wait for each other: more than the latency of any. */
static void roots(pliant_real *data, size_t vectors)
{
    lanes v[8];
    memcpy(v, data, sizeof v);
    for (size_t i = 0; i + 8 <= vectors; i += 8)
        for (int k = 0; k < 8; k++) v[k] = root(v[k]);
    memcpy(data, v, sizeof v);
}

static void ratios(pliant_real *data, size_t vectors)
{
    lanes v[8], one = load(data) * 0 + (pliant_real)1.5;
    memcpy(v, data, sizeof v);
    for (size_t i = 0; i + 8 <= vectors; i += 8)
        for (int k = 0; k < 8; k++) v[k] = one / v[k];
    memcpy(data, v, sizeof v);
}

/* ---- distances in lanes ---- */

static inline void strip(pliant_real *a, pliant_real *b)
{
    const lanes ax = load(a), ay = load(a + W), az = load(a + 2 * W), aw = load(a + 3 * W);
    const lanes bx = load(b), by = load(b + W), bz = load(b + 2 * W), bw = load(b + 3 * W);
    const lanes dx = ax - bx, dy = ay - by, dz = az - bz, length = root(dx * dx + dy * dy + dz * dz);
    const lanes change = ((pliant_real)0.125 - length) / ((aw + bw) * length), p = aw * change, q = bw * change;
    store(a, ax + dx * p);
    store(a + W, ay + dy * p);
    store(a + 2 * W, az + dz * p);
    store(b, bx - dx * q);
    store(b + W, by - dy * q);
    store(b + 2 * W, bz - dz * q);
}

static void strips(pliant_real *groups)
{
    for (uint32_t first = 0; first < 2; first++)
        for (uint32_t g = first; g + 1 < BENCH_GROUPS; g += 2) strip(groups + 4 * W * g, groups + 4 * W * (g + 1));
}

/* ---- volumes in lanes ---- */

typedef struct place {
    lanes x, y, z;
} place;

static inline place minus(place a, place b) { return (place){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline place plus(place a, place b) { return (place){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline lanes dot(place a, place b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline place cross(place a, place b) { return (place){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

static inline void store_place(pliant_real *to, place a)
{
    store(to, a.x);
    store(to + W, a.y);
    store(to + 2 * W, a.z);
}

static inline void volume(pliant_real *groups)
{
    const pliant_real sixth = (pliant_real)(1.0 / 6);
    place             at[4], along[4];
    lanes             w[4];
    for (int i = 0; i < 4; i++) {
        const pliant_real *from = groups + 4 * W * i;
        at[i] = (place){load(from), load(from + W), load(from + 2 * W)};
        w[i] = load(from + 3 * W);
    }
    const place a = minus(at[1], at[0]), b = minus(at[2], at[0]), c = minus(at[3], at[0]);
    along[1] = cross(b, c);
    along[2] = cross(c, a);
    along[3] = cross(a, b);
    along[0] = plus(plus(along[1], along[2]), along[3]);
    lanes sum = w[0] * dot(along[0], along[0]);
    for (int i = 1; i < 4; i++) sum = sum + w[i] * dot(along[i], along[i]);
    const lanes change = ((pliant_real)0.125 - dot(along[3], c) * sixth) / (sum * sixth + (pliant_real)0.25);
    for (int i = 0; i < 4; i++) {
        const lanes by = i ? w[i] * change : -(w[i] * change);
        store_place(groups + 4 * W * i, plus(at[i], (place){along[i].x * by, along[i].y * by, along[i].z * by}));
    }
}

static void volumes(pliant_real *groups)
{
    for (uint32_t g = 0; g < BENCH_GROUPS; g += 4) volume(groups + 4 * W * g);
}

extern const bench_loops NAME(PLIANT_W);
const bench_loops        NAME(PLIANT_W) = {triad, turn, roots, ratios, strips, volumes};
