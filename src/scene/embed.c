/* The nearest tetrahedron to a point, by a tree of boxes: each node's tetrahedra are split in two equal halves along the longest side of
 * the box around their centres. A query goes down into the nearer child first and leaves out what is farther than the best so far.
 * Everything in double, from the positions as they are. */
#include "scene/embed.h"

#include "scene/topology.h"

typedef struct point {
    double c[3];
} point;

typedef struct box {
    double low[3], high[3];
} box;

/* Nodes lie in the order of an implicit tree: the node of range [first, last) splits at the middle; leaves hold one. */
typedef struct tree {
    const pliant_vec3 *vertices;
    const uint32_t    *tets;
    uint32_t          *order;
    box               *boxes; /* of node n; children 2 n + 1 and 2 n + 2 */
    pliant__key       *keys, *spare;
} tree;

static point to_point(pliant_vec3 v)
{
    point p = {{(double)v.x, (double)v.y, (double)v.z}};
    return p;
}
static point minus(point a, point b)
{
    point p = {{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}};
    return p;
}
static point along(point a, point d, double t)
{
    point p = {{a.c[0] + d.c[0] * t, a.c[1] + d.c[1] * t, a.c[2] + d.c[2] * t}};
    return p;
}
static double dot(point a, point b) { return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2]; }
static double det(point a, point b, point c)
{
    point n = {{a.c[1] * b.c[2] - a.c[2] * b.c[1], a.c[2] * b.c[0] - a.c[0] * b.c[2], a.c[0] * b.c[1] - a.c[1] * b.c[0]}};
    return dot(n, c);
}

static void corners(const tree *t, uint32_t tet, point out[4])
{
    for (int i = 0; i < 4; i++) out[i] = to_point(t->vertices[t->tets[4 * (size_t)tet + (size_t)i]]);
}

/* ---- building ---- */

static void include(box *b, point p)
{
    for (int k = 0; k < 3; k++) {
        if (p.c[k] < b->low[k]) b->low[k] = p.c[k];
        if (p.c[k] > b->high[k]) b->high[k] = p.c[k];
    }
}

static box empty_box(void)
{
    box b = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    return b;
}

/* Four times the centre, which sorts alike. */
static point centre(const tree *t, uint32_t tet)
{
    point c[4];
    corners(t, tet, c);
    return along(along(along(c[0], c[1], 1), c[2], 1), c[3], 1);
}

/* Bits that sort as the number does. */
static uint64_t sortable(double a)
{
    uint64_t bits;
    a += 0; /* -0 */
    memcpy(&bits, &a, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static void sort_range(tree *t, uint32_t first, uint32_t last)
{
    box around = empty_box();
    for (uint32_t i = first; i < last; i++) include(&around, centre(t, t->order[i]));
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (around.high[k] - around.low[k] > around.high[axis] - around.low[axis]) axis = k;
    for (uint32_t i = first; i < last; i++) {
        t->keys[i - first].key = sortable(centre(t, t->order[i]).c[axis]);
        t->keys[i - first].value = t->order[i];
    }
    const pliant__key *sorted = pliant__sort_keys(t->keys, t->spare, last - first);
    for (uint32_t i = first; i < last; i++) t->order[i] = sorted[i - first].value;
}

static void build(tree *t, size_t node, uint32_t first, uint32_t last)
{
    box around = empty_box();
    if (last - first == 1) {
        point c[4];
        corners(t, t->order[first], c);
        for (int i = 0; i < 4; i++) include(&around, c[i]);
        t->boxes[node] = around;
        return;
    }
    const uint32_t middle = first + (last - first) / 2;
    sort_range(t, first, last);
    build(t, 2 * node + 1, first, middle);
    build(t, 2 * node + 2, middle, last);
    const box *l = &t->boxes[2 * node + 1], *r = &t->boxes[2 * node + 2];
    for (int k = 0; k < 3; k++) {
        around.low[k] = l->low[k] < r->low[k] ? l->low[k] : r->low[k];
        around.high[k] = l->high[k] > r->high[k] ? l->high[k] : r->high[k];
    }
    t->boxes[node] = around;
}

/* ---- distances ---- */

static double box_distance(const box *b, point p)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = p.c[k] < b->low[k] ? b->low[k] - p.c[k] : p.c[k] > b->high[k] ? p.c[k] - b->high[k] : 0;
        sum += d * d;
    }
    return sum;
}

static double segment_distance(point p, point a, point b)
{
    const point  d = minus(b, a);
    const double square = dot(d, d);
    double       t = square > 0 ? dot(minus(p, a), d) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    const point r = minus(p, along(a, d, t));
    return dot(r, r);
}

/* Squared: to the plane where p projects inside, else to the nearest side. */
static double triangle_distance(point p, point a, point b, point c)
{
    const point  u = minus(b, a), v = minus(c, a), w = minus(p, a);
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    const double area = uu * vv - uv * uv, s = uw * vv - vw * uv, t = vw * uu - uw * uv;
    if (area > 0 && s >= 0 && t >= 0 && s + t <= area) {
        const point r = minus(p, along(along(a, u, s / area), v, t / area));
        return dot(r, r);
    }
    const double x = segment_distance(p, a, b), y = segment_distance(p, b, c), z = segment_distance(p, c, a);
    return x < y ? (x < z ? x : z) : (y < z ? y : z);
}

static void barycentric(point p, const point x[4], double weights[4])
{
    const point  a = minus(x[1], x[0]), b = minus(x[2], x[0]), c = minus(x[3], x[0]), d = minus(p, x[0]);
    const double volume = det(a, b, c);
    weights[1] = det(d, b, c) / volume;
    weights[2] = det(a, d, c) / volume;
    weights[3] = det(a, b, d) / volume;
    weights[0] = 1 - weights[1] - weights[2] - weights[3];
}

static double tet_distance(point p, const point x[4])
{
    double w[4], best = HUGE_VAL;
    barycentric(p, x, w);
    if (w[0] >= 0 && w[1] >= 0 && w[2] >= 0 && w[3] >= 0) return 0;
    for (int i = 0; i < 4; i++) {
        const double d = triangle_distance(p, x[(i + 1) & 3], x[(i + 2) & 3], x[(i + 3) & 3]);
        if (d < best) best = d;
    }
    return best;
}

/* ---- asking ---- */

typedef struct nearest {
    uint32_t tet;
    double   distance;
} nearest;

static void ask(const tree *t, size_t node, uint32_t first, uint32_t last, point p, nearest *best)
{
    if (box_distance(&t->boxes[node], p) > best->distance) return;
    if (last - first == 1) {
        point          x[4];
        const uint32_t tet = t->order[first];
        corners(t, tet, x);
        const double d = tet_distance(p, x);
        if (d < best->distance || (d == best->distance && tet < best->tet)) {
            best->distance = d;
            best->tet = tet;
        }
        return;
    }
    const uint32_t middle = first + (last - first) / 2;
    const bool     left = box_distance(&t->boxes[2 * node + 1], p) <= box_distance(&t->boxes[2 * node + 2], p);
    for (int turn = 0; turn < 2; turn++) {
        if (left == (turn == 0))
            ask(t, 2 * node + 1, first, middle, p, best);
        else
            ask(t, 2 * node + 2, middle, last, p, best);
    }
}

static bool prepare(pliant__builder *b, tree *t, size_t tet_count)
{
    size_t leaves = 1;
    while (leaves < tet_count) leaves *= 2;
    t->order = pliant__take(b, tet_count, sizeof *t->order, "the visual surface");
    t->boxes = pliant__take(b, 2 * (uint64_t)leaves, sizeof *t->boxes, "the visual surface");
    t->keys = pliant__take(b, 2 * (uint64_t)tet_count, sizeof *t->keys, "the visual surface");
    if (!t->order || !t->boxes || !t->keys) return false;
    t->spare = t->keys + tet_count;
    for (uint32_t i = 0; i < tet_count; i++) t->order[i] = i;
    build(t, 0, 0, (uint32_t)tet_count);
    return true;
}

bool pliant__embed(pliant__builder *b, const pliant_vec3 *vertices, const uint32_t *tets, size_t tet_count, const pliant_vec3 *points,
                   uint32_t count, pliant__embedding *out)
{
    tree t = {vertices, tets, NULL, NULL, NULL, NULL};
    if (!prepare(b, &t, tet_count)) return false;
    for (uint32_t i = 0; i < count; i++) {
        nearest     best = {PLIANT__NONE, HUGE_VAL};
        point       x[4];
        double      weights[4];
        const point p = to_point(points[i]);
        ask(&t, 0, 0, (uint32_t)tet_count, p, &best);
        corners(&t, best.tet, x);
        barycentric(p, x, weights);
        for (int k = 0; k < 4; k++) {
            out[i].particles[k] = tets[4 * (size_t)best.tet + (size_t)k];
            out[i].weights[k] = (pliant_real)weights[k];
        }
    }
    return true;
}
