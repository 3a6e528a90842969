/* A sheet that is no grid: 2 m x 2 m from y = 0 down, n x n points jittered inside, diagonals by chance, vertices and triangles shuffled. The
 * same for the same n. */
#ifndef IRREGULAR_H
#define IRREGULAR_H

#include "pliant/pliant.h"

#include <stdlib.h>
#include <string.h>

typedef struct irregular {
    uint32_t     vertex_count, triangle_count, top_count;
    pliant_vec3 *x;
    uint32_t    *triangles;
    uint32_t    *top; /* vertices of the upper edge, from left to right */
} irregular;

static inline uint32_t irregular_number(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static inline double irregular_chance(uint32_t *seed) { return irregular_number(seed) / 4294967296.0; }

static inline double irregular_turn(pliant_vec3 p, pliant_vec3 q, pliant_vec3 r)
{
    return ((double)q.x - (double)p.x) * ((double)r.y - (double)p.y) - ((double)q.y - (double)p.y) * ((double)r.x - (double)p.x);
}

/* Cuts a quad along a diagonal by chance, unless it is convex along one only. */
static inline void irregular_cut(irregular *m, const uint32_t q[4], uint32_t *seed, uint32_t *out)
{
    double corner[4];
    for (uint32_t c = 0; c < 4; c++) corner[c] = irregular_turn(m->x[q[(c + 3) % 4]], m->x[q[c]], m->x[q[(c + 1) % 4]]);
    uint32_t first = irregular_number(seed) & 1;
    if (corner[0] <= 0 || corner[2] <= 0) first = 1;
    if (corner[1] <= 0 || corner[3] <= 0) first = 0;
    const uint32_t cut[6] = {q[first], q[first + 1], q[(first + 3) % 4], q[first + 2], q[(first + 3) % 4], q[first + 1]};
    memcpy(out, cut, sizeof cut);
}

static inline irregular irregular_sheet(uint32_t n)
{
    irregular m = {n * n,
                   2 * (n - 1) * (n - 1),
                   n,
                   calloc((size_t)n * n, sizeof(pliant_vec3)),
                   calloc(6 * (size_t)(n - 1) * (n - 1), sizeof(uint32_t)),
                   calloc(n, sizeof(uint32_t))};
    uint32_t  seed = 12345, *place = calloc((size_t)n * n, sizeof *place);
    for (uint32_t i = 0; i < n * n; i++) place[i] = i;
    for (uint32_t i = n * n; i-- > 1;) {
        uint32_t k = irregular_number(&seed) % (i + 1), swap = place[i];
        place[i] = place[k];
        place[k] = swap;
    }
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++) {
            double dx = i == 0 || i == n - 1 ? 0 : 0.7 * (irregular_chance(&seed) - 0.5),
                   dy = j == 0 || j == n - 1 ? 0 : 0.7 * (irregular_chance(&seed) - 0.5);
            m.x[place[j * n + i]] = (pliant_vec3){(pliant_real)(2 * (i + dx) / (n - 1) - 1), (pliant_real)(-2 * (j + dy) / (n - 1)), 0};
            if (j == 0) m.top[i] = place[i];
        }
    uint32_t at = 0;
    for (uint32_t j = 0; j + 1 < n; j++)
        for (uint32_t i = 0; i + 1 < n; i++, at += 6) {
            const uint32_t q[4] = {place[j * n + i], place[(j + 1) * n + i], place[(j + 1) * n + i + 1], place[j * n + i + 1]};
            irregular_cut(&m, q, &seed, m.triangles + at);
        }
    for (uint32_t i = m.triangle_count; i-- > 1;) {
        uint32_t k = irregular_number(&seed) % (i + 1), swap[3];
        memcpy(swap, m.triangles + 3 * i, sizeof swap);
        memcpy(m.triangles + 3 * i, m.triangles + 3 * k, sizeof swap);
        memcpy(m.triangles + 3 * k, swap, sizeof swap);
    }
    free(place);
    return m;
}

static inline void irregular_free(irregular *m)
{
    free(m->x);
    free(m->triangles);
    free(m->top);
}

#endif
