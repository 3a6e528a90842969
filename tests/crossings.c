#include "crossings.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* ---- the side of a plane, exactly ----
 *
 * A number without rounding is a sum of doubles that do not overlap, ordered by size, of which the last one has the sign.
 * Source: Shewchuk 1997, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates, theorems 6, 10 and 18. */

enum { TERMS = 24 * 4 };

typedef struct exact {
    double part[TERMS];
    int    count;
} exact;

/* a + b is the sum and *rest. */
static double sum_of(double a, double b, double *rest)
{
    const double sum = a + b, b_in = sum - a, a_in = sum - b_in;
    *rest = (a - a_in) + (b - b_in);
    return sum;
}

/* The upper 26 bits of a number; the others fit into another one. */
static double upper_of(double a)
{
    const double wide = 134217729.0 * a; /* 2^27 + 1 */
    return wide - (wide - a);
}

/* a * b is the product and *rest. */
static double product_of(double a, double b, double *rest)
{
    const double product = a * b, a_upper = upper_of(a), b_upper = upper_of(b), a_lower = a - a_upper, b_lower = b - b_upper;
    *rest = a_lower * b_lower - (((product - a_upper * b_upper) - a_lower * b_upper) - a_upper * b_lower);
    return product;
}

static void add(exact *to, double a)
{
    int kept = 0;
    for (int i = 0; i < to->count; i++) {
        double rest;
        a = sum_of(a, to->part[i], &rest);
        if (rest != 0) to->part[kept++] = rest;
    }
    if (a != 0) to->part[kept++] = a;
    to->count = kept;
}

static void add_product(exact *to, double sign, double a, double b, double c)
{
    double       low, lower;
    const double ab = product_of(sign * a, b, &low), abc = product_of(ab, c, &lower);
    add(to, lower);
    add(to, abc);
    const double lowc = product_of(low, c, &lower);
    add(to, lower);
    add(to, lowc);
}

/* Adds sign times the determinant of three positions, six products. */
static void add_determinant(exact *to, double sign, const double a[3], const double b[3], const double c[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        add_product(to, sign, a[i], b[j], c[k]);
        add_product(to, -sign, a[i], b[k], c[j]);
    }
}

static int exact_side(const double a[3], const double b[3], const double c[3], const double d[3])
{
    exact sum = {.count = 0};
    add_determinant(&sum, 1, b, c, d);
    add_determinant(&sum, -1, a, c, d);
    add_determinant(&sum, 1, a, b, d);
    add_determinant(&sum, -1, a, b, c);
    const double last = sum.count ? sum.part[sum.count - 1] : 0;
    return (last > 0) - (last < 0);
}

int side_of(const double a[3], const double b[3], const double c[3], const double d[3])
{
    long double u[3], v[3], w[3], volume = 0, sizes = 0;
    for (int k = 0; k < 3; k++) {
        u[k] = (long double)b[k] - (long double)a[k];
        v[k] = (long double)c[k] - (long double)a[k];
        w[k] = (long double)d[k] - (long double)a[k];
    }
    for (int i = 0; i < 3; i++) {
        const int         j = (i + 1) % 3, k = (i + 2) % 3;
        const long double plus = v[j] * w[k], minus = v[k] * w[j];
        volume += u[i] * (plus - minus);
        sizes += fabsl(u[i]) * (fabsl(plus) + fabsl(minus));
    }
    /* A product has seen at most nine roundings, of half an epsilon each, when it is summed up. No difference is 0 by rounding. */
    const long double rounding = 8 * LDBL_EPSILON * sizes;
    if (volume > rounding) return 1;
    if (volume < -rounding) return -1;
    return sizes == 0 ? 0 : exact_side(a, b, c, d);
}

/* ---- two triangles ---- */

typedef struct mesh {
    const double   *x;
    const uint32_t *triangles;
} mesh;

static const double *corner(const mesh *m, size_t triangle, uint32_t k) { return m->x + 3 * (size_t)m->triangles[3 * triangle + k]; }

static bool goes_through(const double *p, const double *q, const double *const t[3])
{
    const int above = side_of(t[0], t[1], t[2], p);
    if (above == 0 || side_of(t[0], t[1], t[2], q) != -above) return false;
    const int turn = side_of(p, q, t[0], t[1]);
    return turn != 0 && side_of(p, q, t[1], t[2]) == turn && side_of(p, q, t[2], t[0]) == turn;
}

/* Whether an edge of `one` without the vertices that are corners of `other` too goes through `other`. */
static bool cuts(const mesh *m, size_t one, size_t other, const bool common[3])
{
    const double *const t[3] = {corner(m, other, 0), corner(m, other, 1), corner(m, other, 2)};
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t next = (k + 1) % 3;
        if (!common[k] && !common[next] && goes_through(corner(m, one, k), corner(m, one, next), t)) return true;
    }
    return false;
}

static bool cross(const mesh *m, size_t one, size_t other)
{
    bool common[2][3] = {{false}};
    int  count = 0;
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < 3; j++)
            if (m->triangles[3 * one + i] == m->triangles[3 * other + j]) {
                common[0][i] = common[1][j] = true;
                count++;
            }
    return count < 2 && (cuts(m, one, other, common[0]) || cuts(m, other, one, common[1]));
}

/* ---- all pairs that are near ----
 *
 * Triangles are cut in two halves by their middles along the longest side of their box, again and again; `order` has them as the leaves
 * come. The node of [first, last) has its halves at 2 n + 1 and 2 n + 2. */

typedef struct bounds {
    double low[3], high[3];
} bounds;

typedef struct leaf {
    double   key;
    uint32_t triangle;
} leaf;

typedef struct hierarchy {
    mesh    m;
    bounds *boxes; /* per triangle */
    bounds *nodes;
    leaf   *order;
} hierarchy;

static bool apart(const bounds *a, const bounds *b)
{
    for (int k = 0; k < 3; k++)
        if (a->high[k] < b->low[k] || b->high[k] < a->low[k]) return true;
    return false;
}

static void grow(bounds *b, const double low[3], const double high[3])
{
    for (int k = 0; k < 3; k++) {
        if (low[k] < b->low[k]) b->low[k] = low[k];
        if (high[k] > b->high[k]) b->high[k] = high[k];
    }
}

static bounds nothing(void)
{
    const bounds b = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    return b;
}

static int by_key(const void *a, const void *b)
{
    const leaf *one = a, *other = b;
    if (one->key != other->key) return one->key < other->key ? -1 : 1;
    return (one->triangle > other->triangle) - (one->triangle < other->triangle);
}

static void build(hierarchy *h, size_t node, size_t first, size_t last)
{
    bounds *b = &h->nodes[node];
    *b = nothing();
    for (size_t i = first; i < last; i++) grow(b, h->boxes[h->order[i].triangle].low, h->boxes[h->order[i].triangle].high);
    if (last - first == 1) return;
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (b->high[k] - b->low[k] > b->high[axis] - b->low[axis]) axis = k;
    for (size_t i = first; i < last; i++) {
        const bounds *box = &h->boxes[h->order[i].triangle];
        h->order[i].key = box->low[axis] + box->high[axis];
    }
    qsort(h->order + first, last - first, sizeof *h->order, by_key);
    const size_t middle = first + (last - first) / 2;
    build(h, 2 * node + 1, first, middle);
    build(h, 2 * node + 2, middle, last);
}

typedef struct search {
    const hierarchy *h;
    uint32_t         one;
    size_t           found, room;
    uint32_t (*some)[2];
} search;

static void look(search *s, size_t node, size_t first, size_t last)
{
    const hierarchy *h = s->h;
    if (apart(&h->nodes[node], &h->boxes[s->one])) return;
    if (last - first > 1) {
        const size_t middle = first + (last - first) / 2;
        look(s, 2 * node + 1, first, middle);
        look(s, 2 * node + 2, middle, last);
        return;
    }
    const uint32_t other = h->order[first].triangle;
    if (other <= s->one || !cross(&h->m, s->one, other)) return;
    if (s->found < s->room) {
        s->some[s->found][0] = s->one;
        s->some[s->found][1] = other;
    }
    s->found++;
}

static void *room_for(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) abort();
    return memory;
}

size_t crossings(const double *x, const uint32_t *triangles, size_t count, uint32_t (*some)[2], size_t room)
{
    if (!count) return 0;
    hierarchy h = {{x, triangles}, room_for(count, sizeof(bounds)), room_for(4 * count, sizeof(bounds)), room_for(count, sizeof(leaf))};
    for (size_t i = 0; i < count; i++) {
        h.boxes[i] = nothing();
        for (uint32_t k = 0; k < 3; k++) grow(&h.boxes[i], corner(&h.m, i, k), corner(&h.m, i, k));
        h.order[i].triangle = (uint32_t)i;
    }
    build(&h, 0, 0, count);
    search s = {&h, 0, 0, room, some};
    for (size_t i = 0; i < count; i++) {
        s.one = (uint32_t)i;
        look(&s, 0, 0, count);
    }
    free(h.boxes);
    free(h.nodes);
    free(h.order);
    return s.found;
}
