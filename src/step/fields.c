/* Fields of force.
 *
 * Around an axis, or towards a centre, at the distance r, a force is as strong as 2 q / (1 + q^2), q = r / radius: nothing in the middle, 1 at the radius,
 * and falling as 1 / r far away.
 *
 * Gusts are the curl of a smooth vector potential (Bridson, Houriham, Nordenstam 2007, Curl-Noise for Procedural Fluid Flow), so air goes nowhere that it
 * does not leave again. The potential has three random numbers at each point of a lattice of space and time, and between them t^3 (6 t^2 - 15 t + 10) along
 * each of the four axes (Perlin 2002). Three of them lie over each other, each of half the size of the one before, and 2^(-1/3) of its speed, as in
 * Kolmogorov's range. Eddies drift with the wind (Taylor 1938), and last as long as it takes to go round them. Numbers come of a hash, so that a gust is the
 * same on every machine.
 *
 * With keys a force has in a whole step what its keys say of the middle of the step; where substeps are of one length, of the middle of each substep. */
#include "step/fields.h"

#include "base/hash.h"
#include "base/keys.h"
#include "state/inputs.h"

#include <math.h>

/* ---- what a force is at a time ---- */

/* The integral of a force's vector over time from 0 on. */
static void drift_of(const pliant_model *m, const pliant__model_force *f, double time, double out[3])
{
    const double      *at = m->force_time + f->first_key;
    const pliant_vec3 *key = m->force_vector + f->first_key;
    const double       from = time < 0 ? time : 0, to = time < 0 ? 0 : time, sign = time < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) out[i] = 0;
    for (uint32_t k = 0; k <= f->key_count; k++) { /* before the first key, between two, behind the last */
        const double low = fmax(k ? at[k - 1] : from, from), high = fmin(k < f->key_count ? at[k] : to, to);
        if (!(high > low)) continue;
        const pliant_vec3 one = f->key_count ? pliant__position_key(at, key, f->key_count, low) : f->vector;
        const pliant_vec3 two = f->key_count ? pliant__position_key(at, key, f->key_count, high) : f->vector;
        for (int i = 0; i < 3; i++) out[i] += sign * (high - low) * 0.5 * ((double)(&one.x)[i] + (double)(&two.x)[i]);
    }
}

pliant__force_now pliant__force_at(const pliant_model *m, const pliant_inputs *in, size_t force, double time)
{
    const pliant__model_force *f = &m->forces[force];
    pliant__force_now          now = {in->force[force], 1, {0, 0, 0}, time};
    if (f->gust > 0) drift_of(m, f, time, now.drift);
    if (!f->key_count) return now;
    double             between;
    const double      *at = m->force_time + f->first_key;
    const pliant_real *share = m->force_share + f->first_key;
    const uint32_t     k = pliant__key_before(at, f->key_count, time, &between);
    now.share = share[k];
    if (between > 0) now.share = share[k] + (pliant_real)between * (share[k + 1] - share[k]);
    if (!in->force_set[force]) now.vector = pliant__position_key(at, m->force_vector + f->first_key, f->key_count, time);
    return now;
}

bool pliant__has_local_wind(const pliant_model *m)
{
    for (size_t i = 0; i < model_count(m, forces); i++)
        if (m->forces[i].type == PLIANT_FORCE_WIND && pliant__is_local(&m->forces[i])) return true;
    return false;
}

bool pliant__has_local_pull(const pliant_model *m)
{
    for (size_t i = 0; i < model_count(m, forces); i++)
        if (pliant__pulls_locally(&m->forces[i])) return true;
    return false;
}

/* ---- gusts ---- */

static double smooth(double t) { return t * t * t * (t * (6 * t - 15) + 10); }
static double slope(double t) { return 30 * t * t * (t * (t - 2) + 1); }

/* Three numbers from -1 to 1 of one hash. */
static void potential(uint64_t h, double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = (double)(h >> (21 * i) & 0x1fffff) / 1048575.5 - 1;
}

/* The hashes of the 16 points around a cell's first: bit 0 of a point's number is that of x, bit 3 that of time. Axis by axis, so that points share what
 * they can. */
static void hash_corners(const int64_t cell[4], uint64_t seed, uint64_t out[16])
{
    out[0] = seed;
    for (int axis = 3; axis >= 0; axis--)
        for (int known = 0; known < 16; known += 2 << axis)
            for (int side = 1; side >= 0; side--)
                out[known + (side << axis)] = pliant__hash_mix(out[known] ^ (uint64_t)(cell[axis] + side) * 0x9e3779b97f4a7c15u);
}

/* Per axis the weights of the lattice's points below and above, and how they change. */
typedef struct weights {
    double share[4][2], change[3][2];
} weights;

static uint64_t hash_octave(uint64_t seed, int octave) { return pliant__hash_mix(seed + (uint64_t)octave * 0x9e3779b97f4a7c15u); }

/* The curl of one potential. Its root mean square is sqrt(2 B A^3) with A the mean of s^2 + (1 - s)^2, 181/231, and B that of 2 s'^2, 20/7: numbers from -1
 * to 1 have the variance 1/3, and six terms of the curl have one B and two A of space, and the A of time. */
static void add_curl(const double x[4], uint64_t seed, double by, double out[3])
{
    int64_t  cell[4];
    uint64_t hash[16];
    weights  w;
    double   curl[3] = {0, 0, 0};
    for (int i = 0; i < 4; i++)
        if (!(fabs(x[i]) < 0x1p52)) return; /* between two such numbers there is nothing, so nothing changes */
    for (int i = 0; i < 4; i++) {
        const double low = floor(x[i]), t = x[i] - low;
        cell[i] = (int64_t)low;
        w.share[i][1] = smooth(t);
        w.share[i][0] = 1 - w.share[i][1];
        if (i == 3) continue;
        w.change[i][1] = slope(t);
        w.change[i][0] = -w.change[i][1];
    }
    hash_corners(cell, seed, hash);
    for (int corner = 0; corner < 16; corner++) {
        const int    a = corner & 1, b = corner >> 1 & 1, c = corner >> 2 & 1, d = corner >> 3;
        const double dx = w.share[3][d] * (w.change[0][a] * w.share[1][b] * w.share[2][c]);
        const double dy = w.share[3][d] * (w.share[0][a] * w.change[1][b] * w.share[2][c]);
        const double dz = w.share[3][d] * (w.share[0][a] * w.share[1][b] * w.change[2][c]);
        double       p[3];
        potential(hash[corner], p);
        curl[0] += dy * p[2] - dz * p[1];
        curl[1] += dz * p[0] - dx * p[2];
        curl[2] += dx * p[1] - dy * p[0];
    }
    for (int i = 0; i < 3; i++) out[i] += by * curl[i];
}

#define OCTAVES 3
#define PER_RMS 0.60314138908517 /* 1 / sqrt(2 (20/7) (181/231)^3) */
#define LARGEST 0.70241438391932 /* 1 / sqrt(1 + 2^(-2/3) + 2^(-4/3)): of all the speed, the largest eddies' */
#define NEXT 0.79370052598410    /* 2^(-1/3) */

pliant_vec3 pliant__curl_noise(const double x[3], double time, uint64_t seed)
{
    double sum[3] = {0, 0, 0}, by = PER_RMS * LARGEST, finer = 1, faster = 1;
    for (int i = 0; i < OCTAVES; i++, by *= NEXT, finer *= 2, faster *= 2 * NEXT) {
        const double at[4] = {finer * x[0], finer * x[1], finer * x[2], faster * time};
        add_curl(at, hash_octave(seed, i), by, sum);
    }
    return v3((pliant_real)sum[0], (pliant_real)sum[1], (pliant_real)sum[2]);
}

static pliant_vec3 gust_at(const pliant__model_force *f, const pliant__force_now *now, pliant_vec3 x)
{
    const double size = (double)f->gust_size,
                 at[3] = {((double)x.x - now->drift[0]) / size, ((double)x.y - now->drift[1]) / size, ((double)x.z - now->drift[2]) / size};
    return v3_scale(pliant__curl_noise(at, now->time * (double)f->gust / size, f->gust_seed), f->gust * now->share);
}

/* ---- places ---- */

static pliant_real beyond(pliant_real x, pliant_real low, pliant_real high) { return r_max(r_max(low - x, x - high), 0); }

/* 1 in the region, and less within the falloff around it. */
static pliant_real share_at(const pliant__model_force *f, pliant_vec3 x)
{
    pliant_real far = 0;
    if (f->region == PLIANT_REGION_BOX)
        far = v3_length(v3(beyond(x.x, f->region_low.x, f->region_high.x), beyond(x.y, f->region_low.y, f->region_high.y),
                           beyond(x.z, f->region_low.z, f->region_high.z)));
    if (f->region == PLIANT_REGION_SPHERE) far = r_max(v3_length(v3_sub(x, f->region_low)) - f->region_radius, 0);
    if (!(far > 0)) return 1;
    if (!(far < f->falloff)) return 0;
    const pliant_real t = far / f->falloff;
    return 1 - t * t * (3 - 2 * t);
}

pliant_vec3 pliant__force_field(const pliant__model_force *f, const pliant__force_now *now, pliant_vec3 x)
{
    const pliant_real share = share_at(f, x);
    const pliant_vec3 out = v3_sub(x, f->center), zero = {0, 0, 0};
    if (!(share > 0)) return zero;
    pliant_vec3 v = now->vector;
    if (f->swirl > 0 || f->swirl < 0) {
        const pliant_vec3 aside = v3_sub(out, v3_scale(f->axis, v3_dot(out, f->axis)));
        const pliant_real q2 = v3_dot(aside, aside) / (f->radius * f->radius);
        v = v3_madd(v, v3_cross(f->axis, aside), now->share * f->swirl * 2 / (f->radius * (1 + q2)));
    }
    if (f->pull > 0 || f->pull < 0) {
        const pliant_real q2 = v3_dot(out, out) / (f->radius * f->radius);
        v = v3_madd(v, out, -now->share * f->pull * 2 / (f->radius * (1 + q2)));
    }
    if (f->gust > 0) v = v3_add(v, gust_at(f, now, x));
    return v3_scale(v, share);
}
