/* Corners about a vertex, in rows: corner c is of triangle c / 3. */
#include "draw/smooth.h"

#include <stdlib.h>
#include <string.h>

#define MOST_AROUND 64u /* triangles about a vertex: with more, as at the tip of a cone, it is smooth */

typedef struct fans {
    uint32_t *first, *list; /* vertex -> its corners in `list`, count: vertices + 1, corners */
    f3       *areas;        /* triangle -> its normal, as long as twice its area */
} fans;

static void fans_free(fans *f)
{
    free(f->first);
    free(f->list);
    free(f->areas);
}

static bool fans_make(fans *f, const f3 *x, uint32_t vertices, const uint32_t *corners, size_t count)
{
    f->first = calloc((size_t)vertices + 2, sizeof *f->first);
    f->list = malloc((3 * count + 1) * sizeof *f->list);
    f->areas = malloc((count + 1) * sizeof *f->areas);
    if (!f->first || !f->list || !f->areas) return false;
    for (size_t c = 0; c < 3 * count; c++) f->first[corners[c] + 2]++;
    for (uint32_t v = 0; v < vertices; v++) f->first[v + 2] += f->first[v + 1];
    for (size_t c = 0; c < 3 * count; c++) f->list[f->first[corners[c] + 1]++] = (uint32_t)c;
    for (size_t t = 0; t < count; t++) {
        const uint32_t *at = corners + 3 * t;
        f->areas[t] = f3_cross(f3_sub(x[at[1]], x[at[0]]), f3_sub(x[at[2]], x[at[0]]));
    }
    return true;
}

/* A triangle without area has no normal, and is smooth with all. */
static bool smooth(f3 a, f3 b) { return f3_dot(a, b) >= DRAW_SMOOTH * f3_length(a) * f3_length(b); }

/* Whether two triangles share an edge at a vertex. */
static bool joined(const uint32_t *corners, uint32_t p, uint32_t q, uint32_t v)
{
    const uint32_t *a = corners + p / 3 * 3, *b = corners + q / 3 * 3;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (a[i] != v && a[i] == b[k]) return true;
    return false;
}

/* Numbers the sides about a vertex: corners that hang together over smooth edges have one number. Returns how many. */
static uint32_t number_sides(const fans *f, const uint32_t *corners, uint32_t v, uint32_t *side)
{
    const uint32_t *list = f->list + f->first[v], n = f->first[v + 1] - f->first[v];
    uint32_t        sides = 0;
    for (uint32_t i = 0; i < n; i++) side[i] = UINT32_MAX;
    for (uint32_t start = 0; start < n; start++) {
        if (side[start] != UINT32_MAX) continue;
        side[start] = sides;
        for (bool more = true; more;) {
            more = false;
            for (uint32_t i = 0; i < n; i++)
                for (uint32_t k = 0; side[i] == sides && k < n; k++)
                    if (side[k] == UINT32_MAX && joined(corners, list[i], list[k], v) &&
                        smooth(f->areas[list[i] / 3], f->areas[list[k] / 3]))
                        side[k] = sides, more = true;
        }
        sides++;
    }
    return sides;
}

uint32_t draw_smooth_split(const f3 *x, uint32_t vertices, uint32_t *corners, size_t count, uint32_t *copies)
{
    fans      f = {NULL, NULL, NULL};
    uint32_t *old = malloc((3 * count + 1) * sizeof *old), made = 0, side[MOST_AROUND];
    bool      ok = old && fans_make(&f, x, vertices, corners, count);
    if (ok) memcpy(old, corners, 3 * count * sizeof *old);
    for (uint32_t v = 0; ok && v < vertices; v++) {
        const uint32_t n = f.first[v + 1] - f.first[v], sides = n <= MOST_AROUND ? number_sides(&f, old, v, side) : 1;
        for (uint32_t i = 0; sides > 1 && i < n; i++)
            if (side[i]) corners[f.list[f.first[v] + i]] = vertices + made + side[i] - 1;
        for (uint32_t i = 1; i < sides; i++) copies[made++] = v;
    }
    fans_free(&f);
    free(old);
    return ok ? made : UINT32_MAX;
}

/* The sums lie behind the vertices in the order of their numbers. */
static void sum_normals(const f3 *x, const uint32_t *corners, const uint32_t *sides, size_t count, f3 *sums, f3 *normals)
{
    for (size_t t = 0; t < count; t++) {
        const uint32_t *at = corners + 3 * t;
        const f3        n = f3_cross(f3_sub(x[at[1]], x[at[0]]), f3_sub(x[at[2]], x[at[0]]));
        for (size_t k = 3 * t; k < 3 * t + 3; k++) sums[sides[k]] = f3_add(sums[sides[k]], n);
    }
    for (size_t c = 0; c < 3 * count; c++) normals[c] = f3_unit(sums[sides[c]]);
}

bool draw_smooth_corners(const f3 *x, uint32_t vertices, const uint32_t *corners, size_t count, f3 *normals)
{
    uint32_t *sides = malloc((3 * count + 1) * sizeof *sides), *copies = malloc((3 * count + 1) * sizeof *copies);
    f3       *sums = calloc(vertices + 3 * count + 1, sizeof *sums);
    bool      ok = sides && copies && sums;
    if (ok) memcpy(sides, corners, 3 * count * sizeof *sides);
    ok = ok && draw_smooth_split(x, vertices, sides, count, copies) != UINT32_MAX;
    if (ok) sum_normals(x, corners, sides, count, sums, normals);
    free(sides);
    free(copies);
    free(sums);
    return ok;
}
