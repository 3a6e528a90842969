/* Triangles that cut through each other: a side of one goes through the inside of the other. Triangles that only touch do not count, nor do two that
 * lie in one plane. */
#include "mesh/examine.h"

typedef struct search {
    const pliant__tree *tree;
    pliant_examination *e;
    uint32_t            one;
} search;

static double orient(pliant__point a, pliant__point b, pliant__point c, pliant__point d)
{
    const pliant__point u = p_sub(b, a), v = p_sub(c, a), w = p_sub(d, a);
    const double        volume = p_det(u, v, w), rounding = 1e-12 * p_length(u) * p_length(v) * p_length(w);
    return volume > rounding || volume < -rounding ? volume : 0;
}

static bool goes_through(pliant__point p, pliant__point q, const pliant__point x[3])
{
    if (!(orient(x[0], x[1], x[2], p) * orient(x[0], x[1], x[2], q) < 0)) return false;
    const double a = orient(p, q, x[0], x[1]), b = orient(p, q, x[1], x[2]), c = orient(p, q, x[2], x[0]);
    return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

static void corners(const pliant__triangles *t, uint32_t i, pliant__point x[3])
{
    for (uint32_t k = 0; k < 3; k++) x[k] = pliant__corner(t, i, k);
}

static bool cross(const pliant__triangles *t, uint32_t one, uint32_t other)
{
    pliant__point x[3], y[3];
    uint32_t      shared = 0, of_one = 0, of_other = 0;
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t b = 0; b < 3; b++)
            if (pliant__corner_place(t, one, a) == pliant__corner_place(t, other, b)) shared++, of_one = a, of_other = b;
    corners(t, one, x);
    corners(t, other, y);
    if (shared == 1)
        return goes_through(x[(of_one + 1) % 3], x[(of_one + 2) % 3], y) || goes_through(y[(of_other + 1) % 3], y[(of_other + 2) % 3], x);
    for (int k = 0; !shared && k < 3; k++)
        if (goes_through(x[k], x[(k + 1) % 3], y) || goes_through(y[k], y[(k + 1) % 3], x)) return true;
    return false;
}

static void visit(void *context, uint32_t other)
{
    search *s = context;
    if (other > s->one && cross(s->tree->t, s->one, other))
        pliant__found(s->e, PLIANT_FINDING_CROSSINGS, s->tree->t->corners + 3 * (size_t)s->one, 3);
}

static void walk(search *s, size_t node, uint32_t first, uint32_t last)
{
    if (last - first == 1) {
        s->one = s->tree->order[first];
        pliant__tree_meet(s->tree, &s->tree->boxes[node], visit, s);
        return;
    }
    const uint32_t middle = first + (last - first) / 2;
    walk(s, 2 * node + 1, first, middle);
    walk(s, 2 * node + 2, middle, last);
}

void pliant__find_crossings(const pliant__tree *tree, pliant_examination *e)
{
    search s = {tree, e, 0};
    if (tree->count) walk(&s, 0, 0, tree->count);
}
