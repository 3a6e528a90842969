#include "mesh/tree.h"

#include "base/curve.h"
#include "base/trig.h"

#define FAR 2.0 /* radii at which a group of triangles is far, as Barill et al. have it */
#define FOUR_PI 12.566370614359172954

/* ---- building ---- */

static pliant__point centre_of(const pliant__triangles *t, uint32_t i)
{
    return p_scale(p_add(p_add(pliant__corner(t, i, 0), pliant__corner(t, i, 1)), pliant__corner(t, i, 2)), 1.0 / 3);
}

static uint64_t curve_key(pliant__point p, const pliant__box *around, double longest)
{
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) {
        double share = longest > 0 ? (p.c[k] - around->low[k]) / longest : 0;
        key |= pliant__spread_bits((uint64_t)(share * 2097151)) << k;
    }
    return key;
}

static bool sort_triangles(pliant__scratch *s, const bool *skip, pliant__tree *tree)
{
    const pliant__triangles *t = tree->t;
    const int                mark = s->count;
    pliant__key             *keys = pliant__scratch_take(s, 2 * (size_t)t->count, sizeof *keys, "a tree of triangles");
    pliant__box              around = pliant__box_empty();
    double                   longest = 0;
    if (!keys) return false;
    for (uint32_t i = 0; i < t->count; i++)
        if (!skip || !skip[i]) pliant__box_take(&around, centre_of(t, i));
    for (int k = 0; k < 3; k++) longest = p_max(longest, around.high[k] - around.low[k]);
    for (uint32_t i = 0; i < t->count; i++) {
        if (skip && skip[i]) continue;
        keys[tree->count].key = curve_key(centre_of(t, i), &around, longest);
        keys[tree->count++].value = i;
    }
    keys = pliant__sort_keys(keys, keys + t->count, tree->count);
    for (uint32_t i = 0; i < tree->count; i++) tree->order[i] = keys[i].value;
    pliant__scratch_drop(s, mark);
    return true;
}

static pliant__box join_boxes(const pliant__box *a, const pliant__box *b)
{
    pliant__box sum = *a;
    pliant__box_take(&sum, p_of(b->low[0], b->low[1], b->low[2]));
    pliant__box_take(&sum, p_of(b->high[0], b->high[1], b->high[2]));
    return sum;
}

static pliant__dipole leaf_dipole(const pliant__tree *tree, uint32_t i)
{
    pliant__dipole d = {.centre = centre_of(tree->t, i)};
    d.area = p_scale(pliant__area2(tree->t, i), tree->turned && tree->turned[i] ? -0.5 : 0.5);
    d.weight = p_length(d.area);
    for (uint32_t k = 0; k < 3; k++) d.radius = p_max(d.radius, p_distance(d.centre, pliant__corner(tree->t, i, k)));
    return d;
}

static pliant__dipole join_dipoles(const pliant__dipole *a, const pliant__dipole *b)
{
    pliant__dipole d = {.area = p_add(a->area, b->area), .weight = a->weight + b->weight};
    const double   share = d.weight > 0 ? b->weight / d.weight : 0.5;
    d.centre = p_add(p_scale(a->centre, 1 - share), p_scale(b->centre, share));
    d.radius = p_max(a->radius + p_distance(a->centre, d.centre), b->radius + p_distance(b->centre, d.centre));
    return d;
}

static void build(pliant__tree *tree, size_t node, uint32_t first, uint32_t last)
{
    if (last - first == 1) {
        tree->boxes[node] = pliant__box_empty();
        for (uint32_t k = 0; k < 3; k++) pliant__box_take(&tree->boxes[node], pliant__corner(tree->t, tree->order[first], k));
        if (tree->dipoles) tree->dipoles[node] = leaf_dipole(tree, tree->order[first]);
        return;
    }
    const uint32_t middle = first + (last - first) / 2;
    const size_t   left = 2 * node + 1, right = left + 1;
    build(tree, left, first, middle);
    build(tree, right, middle, last);
    tree->boxes[node] = join_boxes(&tree->boxes[left], &tree->boxes[right]);
    if (tree->dipoles) tree->dipoles[node] = join_dipoles(&tree->dipoles[left], &tree->dipoles[right]);
}

bool pliant__tree_build(pliant__scratch *s, const pliant__triangles *t, const bool *skip, const bool *turned, bool dipoles,
                        pliant__tree *out)
{
    size_t leaves = 1;
    while (leaves < t->count) leaves *= 2;
    *out = (pliant__tree){.t = t, .turned = turned};
    out->order = pliant__scratch_take(s, t->count, sizeof *out->order, "a tree of triangles");
    out->boxes = pliant__scratch_take(s, 2 * leaves, sizeof *out->boxes, "a tree of triangles");
    if (dipoles) out->dipoles = pliant__scratch_take(s, 2 * leaves, sizeof *out->dipoles, "a tree of triangles");
    if (!out->order || !out->boxes || (dipoles && !out->dipoles) || !sort_triangles(s, skip, out)) return false;
    if (out->count) build(out, 0, 0, out->count);
    return true;
}

/* ---- winding ---- */

/* tan of half the angle is num / den (van Oosterom and Strackee 1983). */
double pliant__solid_angle(const pliant__triangles *t, uint32_t i, bool turned, pliant__point p)
{
    const pliant__point a = p_sub(pliant__corner(t, i, 0), p), b = p_sub(pliant__corner(t, i, 1), p), c = p_sub(pliant__corner(t, i, 2), p);
    const double        la = p_length(a), lb = p_length(b), lc = p_length(c);
    const double        den = la * lb * lc + p_dot(a, b) * lc + p_dot(b, c) * la + p_dot(c, a) * lb;
    const double        angle = 2 * pliant__atan2(p_det(a, b, c), den);
    return turned ? -angle : angle;
}

static double wind(const pliant__tree *tree, size_t node, uint32_t first, uint32_t last, pliant__point p)
{
    const pliant__dipole *d = &tree->dipoles[node];
    const pliant__point   r = p_sub(d->centre, p);
    const double          square = p_dot(r, r), far = FAR * d->radius;
    if (square > far * far) return p_dot(r, d->area) / (square * sqrt(square));
    if (last - first == 1) {
        const uint32_t i = tree->order[first];
        return pliant__solid_angle(tree->t, i, tree->turned && tree->turned[i], p);
    }
    const uint32_t middle = first + (last - first) / 2;
    return wind(tree, 2 * node + 1, first, middle, p) + wind(tree, 2 * node + 2, middle, last, p);
}

double pliant__winding(const pliant__tree *tree, pliant__point p) { return tree->count ? wind(tree, 0, 0, tree->count, p) / FOUR_PI : 0; }

/* ---- boxes ---- */

typedef struct box_search {
    const pliant__tree *tree;
    const pliant__box  *box;
    void (*visit)(void *context, uint32_t triangle);
    void *context;
} box_search;

static void meet(const box_search *m, size_t node, uint32_t first, uint32_t last)
{
    if (!pliant__boxes_meet(&m->tree->boxes[node], m->box)) return;
    if (last - first == 1) {
        m->visit(m->context, m->tree->order[first]);
        return;
    }
    const uint32_t middle = first + (last - first) / 2;
    meet(m, 2 * node + 1, first, middle);
    meet(m, 2 * node + 2, middle, last);
}

void pliant__tree_meet(const pliant__tree *tree, const pliant__box *box, void (*visit)(void *context, uint32_t triangle), void *context)
{
    const box_search m = {tree, box, visit, context};
    if (tree->count) meet(&m, 0, 0, tree->count);
}

/* ---- the nearest point ---- */

static pliant__point nearest_on_side(pliant__point a, pliant__point b, pliant__point p)
{
    const pliant__point d = p_sub(b, a);
    const double        square = p_dot(d, d), t = square > 0 ? p_dot(p_sub(p, a), d) / square : 0;
    return p_add(a, p_scale(d, p_max(0, p_min(1, t))));
}

/* Where p projects inside, there; else on the nearest side. */
static pliant__point nearest_on_triangle(pliant__point a, pliant__point b, pliant__point c, pliant__point p)
{
    const pliant__point u = p_sub(b, a), v = p_sub(c, a), w = p_sub(p, a);
    const double        uu = p_dot(u, u), uv = p_dot(u, v), vv = p_dot(v, v), uw = p_dot(u, w), vw = p_dot(v, w);
    const double        area = uu * vv - uv * uv, s = uw * vv - vw * uv, t = vw * uu - uw * uv;
    if (area > 0 && s >= 0 && t >= 0 && s + t <= area) return p_add(a, p_add(p_scale(u, s / area), p_scale(v, t / area)));
    const pliant__point sides[3] = {nearest_on_side(a, b, p), nearest_on_side(b, c, p), nearest_on_side(c, a, p)};
    int                 best = 0;
    for (int i = 1; i < 3; i++)
        if (p_distance(p, sides[i]) < p_distance(p, sides[best])) best = i;
    return sides[best];
}

typedef struct nearest {
    pliant__point at;
    double        square;
} nearest;

double pliant__box_square(const pliant__box *b, pliant__point p)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double d = p_max(0, p_max(b->low[k] - p.c[k], p.c[k] - b->high[k]));
        sum += d * d;
    }
    return sum;
}

static void approach(const pliant__tree *tree, size_t node, uint32_t first, uint32_t last, pliant__point p, nearest *best)
{
    if (pliant__box_square(&tree->boxes[node], p) >= best->square) return;
    if (last - first == 1) {
        const uint32_t      i = tree->order[first];
        const pliant__point q =
            nearest_on_triangle(pliant__corner(tree->t, i, 0), pliant__corner(tree->t, i, 1), pliant__corner(tree->t, i, 2), p);
        const pliant__point d = p_sub(q, p);
        if (p_dot(d, d) < best->square) *best = (nearest){q, p_dot(d, d)};
        return;
    }
    const uint32_t middle = first + (last - first) / 2;
    const size_t   left = 2 * node + 1, right = left + 1;
    if (pliant__box_square(&tree->boxes[left], p) <= pliant__box_square(&tree->boxes[right], p)) {
        approach(tree, left, first, middle, p, best);
        approach(tree, right, middle, last, p, best);
    } else {
        approach(tree, right, middle, last, p, best);
        approach(tree, left, first, middle, p, best);
    }
}

pliant__point pliant__nearest(const pliant__tree *tree, pliant__point p)
{
    nearest best = {p, HUGE_VAL};
    if (tree->count) approach(tree, 0, 0, tree->count, p, &best);
    return best.at;
}
