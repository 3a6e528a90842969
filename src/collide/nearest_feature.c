#include "collide/nearest_feature.h"

/* Below this height beside its longest edge a triangle counts as a line. Those of height fields have neighbours by their numbers only, and none is
 * a line: scene/collider.c bounds their slopes. */
#define NARROW 1e-8

pliant__facet pliant__facet_of(const pliant__facets *f, uint32_t number)
{
    pliant__facet t = {.number = number};
    if (f->height)
        t = pliant__field_facet(f, number);
    else
        for (int k = 0; k < 3; k++) t.x[k] = d3_widen(f->point[f->corner[3 * (size_t)number + (size_t)k]]);
    const pliant__d3 u = d3_sub(t.x[1], t.x[0]), v = d3_sub(t.x[2], t.x[0]), w = d3_sub(t.x[2], t.x[1]);
    const double     longest = d_max(d3_dot(u, u), d_max(d3_dot(v, v), d3_dot(w, w)));
    const double     area = d3_split(d3_cross(u, v), d3(0, 0, 0), &t.normal);
    t.flat = area > (f->height ? 0 : NARROW * longest);
    if (!t.flat) t.normal = d3(0, 0, 0);
    return t;
}

uint32_t pliant__leaf_facets(const pliant__facets *f, uint32_t leaf, const double low[3], const double high[3], uint32_t *number)
{
    const uint32_t from = (uint32_t)((uint64_t)leaf * f->count >> f->levels), to = (uint32_t)(((uint64_t)leaf + 1) * f->count >> f->levels);
    uint32_t       count = 0;
    for (uint32_t i = from; i < to; i++) {
        if (f->height)
            count += pliant__field_leaf(f, f->block[i], low, high, number + count);
        else
            number[count++] = i;
    }
    return count;
}

/* ---- one triangle ---- */

static void try_edge(const pliant__facet *t, uint32_t k, pliant__d3 p, pliant__nearest_feature *best, double *least)
{
    const pliant__d3 a = t->x[k], u = d3_sub(t->x[(k + 1) % 3], a);
    const double     square = d3_dot(u, u), s = square > 0 ? d3_dot(d3_sub(p, a), u) / square : 0;
    const pliant__d3 q = s >= 1 ? t->x[(k + 1) % 3] : s <= 0 ? a : d3_madd(a, u, s), off = d3_sub(p, q);
    const double     away = d3_dot(off, off);
    if (!(away < *least)) return;
    *least = away;
    best->point = q;
    best->part = s >= 1 ? (k + 1) % 3 : s <= 0 ? k : PLIANT__EDGE + k;
}

static bool is_above(const pliant__facet *t, pliant__d3 p)
{
    for (uint32_t k = 0; k < 3; k++) {
        const pliant__d3 u = d3_sub(t->x[(k + 1) % 3], t->x[k]);
        if (d3_dot(d3_cross(u, d3_sub(p, t->x[k])), t->normal) < 0) return false;
    }
    return true;
}

pliant__nearest_feature pliant__facet_nearest_feature(const pliant__facet *t, pliant__d3 p)
{
    pliant__nearest_feature nearest = {.triangle = t->number, .part = PLIANT__WITHIN, .found = true};
    if (t->flat && is_above(t, p)) {
        const double height = d3_dot(d3_sub(p, t->x[0]), t->normal);
        nearest.point = d3_madd(p, t->normal, -height);
        nearest.distance = d_abs(height);
        return nearest;
    }
    double     least = 1e300;
    pliant__d3 unused;
    for (uint32_t k = 0; k < 3; k++) try_edge(t, k, p, &nearest, &least);
    nearest.distance = d3_split(d3_sub(p, nearest.point), p, &unused);
    return nearest;
}

/* ---- normals ---- */

/* The normal of a narrow triangle: that of the triangles around it. */
static pliant__d3 facing(const pliant__facets *f, uint32_t number)
{
    const pliant__facet t = pliant__facet_of(f, number);
    pliant__d3          sum = t.normal;
    for (uint32_t k = 0; k < 3 && !t.flat && f->across; k++) {
        const uint32_t beyond = f->across[3 * (size_t)number + k];
        if (beyond != PLIANT__NONE) sum = d3_madd(sum, pliant__facet_of(f, beyond).normal, 1);
    }
    return sum;
}

static void find_normal(const pliant__facets *f, pliant__nearest_feature *nearest)
{
    pliant__d3 n = facing(f, nearest->triangle);
    if (f->height) {
        /* each of its triangles faces up, and points behind are found otherwise */
    } else if (nearest->part < PLIANT__EDGE) {
        const pliant__d3 corner = d3_widen(f->normal[f->corner[3 * (size_t)nearest->triangle + nearest->part]]);
        nearest->border = !(d3_dot(corner, corner) > 0);
        if (!nearest->border) n = corner;
    } else if (nearest->part < PLIANT__WITHIN) {
        const uint32_t beyond = f->across[3 * (size_t)nearest->triangle + nearest->part - PLIANT__EDGE];
        nearest->border = beyond == PLIANT__NONE;
        if (!nearest->border) {
            pliant__d3 other;
            d3_split(facing(f, beyond), d3(0, 0, 0), &other);
            d3_split(n, d3(0, 0, 0), &n);
            n = d3_madd(n, other, 1);
        }
    }
    d3_split(n, d3(0, 1, 0), &nearest->normal);
}

/* ---- the walk ---- */

/* Square of how far p is from a box. */
static double away_from(const pliant__model_box *b, pliant__d3 p)
{
    const double x = d_max(d_max((double)b->low.x - p.x, p.x - (double)b->high.x), 0);
    const double y = d_max(d_max((double)b->low.y - p.y, p.y - (double)b->high.y), 0);
    const double z = d_max(d_max((double)b->low.z - p.z, p.z - (double)b->high.z), 0);
    return x * x + y * y + z * z;
}

typedef struct waiting {
    uint32_t node;
    double   away;
} waiting;

static void look_at_leaf(const pliant__facets *f, uint32_t leaf, pliant__d3 p, pliant__nearest_feature *best)
{
    const double   by = best->distance, low[3] = {p.x - by, p.y - by, p.z - by}, high[3] = {p.x + by, p.y + by, p.z + by};
    uint32_t       number[PLIANT__LEAF_FACETS];
    const uint32_t count = pliant__leaf_facets(f, leaf, low, high, number);
    for (uint32_t i = 0; i < count; i++) {
        const pliant__facet           t = pliant__facet_of(f, number[i]);
        const pliant__nearest_feature nearest = pliant__facet_nearest_feature(&t, p);
        if (nearest.distance < best->distance) *best = nearest;
    }
}

pliant__nearest_feature pliant__facets_nearest_feature(const pliant__facets *f, pliant__d3 p, double most)
{
    pliant__nearest_feature best = {.distance = most};
    waiting                 stack[40]; /* one for each level, and some */
    uint32_t                top = 0;
    const uint32_t          first_leaf = ((uint32_t)1 << f->levels) - 1;
    stack[top++] = (waiting){0, away_from(&f->node[0], p)};
    while (top) {
        const waiting w = stack[--top];
        if (w.away > best.distance * best.distance) continue;
        if (w.node >= first_leaf) {
            look_at_leaf(f, w.node - first_leaf, p, &best);
            continue;
        }
        waiting near = {2 * w.node + 1, away_from(&f->node[2 * w.node + 1], p)},
                far = {2 * w.node + 2, away_from(&f->node[2 * w.node + 2], p)};
        if (far.away < near.away) {
            const waiting other = near;
            near = far;
            far = other;
        }
        stack[top++] = far;
        stack[top++] = near;
    }
    if (best.found) find_normal(f, &best);
    best.behind = d3_dot(d3_sub(p, best.point), best.normal) < 0;
    if (f->height) pliant__field_nearest_feature(f, p, &best);
    return best;
}
