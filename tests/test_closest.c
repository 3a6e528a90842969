/* The distance that is found is the least distance. A plane across the way between the two points shows that of most pairs: both sets lie
 * beyond it on their sides. Of the others a slow search finds the least distance: of the points that one parameter leaves, the best is
 * taken, and over that parameter, of which the distance is a convex function, goes a golden section. All in long double, and neither knows
 * any special case.
 *
 * Bounds are in epsilons of the size of a pair, the largest distance between two of its points. Points with weights that stay in their bounds are
 * never nearer than the nearest, so what is looked at is that they are no further. */
#include "constraints/closest.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#ifdef PLIANT_DOUBLE
#define EPSILON DBL_EPSILON
#else
#define EPSILON ((double)FLT_EPSILON)
#endif

enum { CASES = 100000 };

/* What a distance may exceed the least one by, in epsilons of the pair's size. */
#define ROUNDINGS 4

typedef long double far_real;
typedef struct point {
    far_real c[3];
} point;

/* ---- random pairs ---- */

static uint64_t seed = 1;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static uint32_t below(uint32_t count) { return (uint32_t)uniform(0, count); }

/* Between 10^low and 10^high. */
static double power(double low, double high) { return pow(10, uniform(low, high)); }

static point around(double reach)
{
    point p;
    for (int i = 0; i < 3; i++) p.c[i] = (far_real)uniform(-reach, reach);
    return p;
}

static point plus(point a, point b, far_real s)
{
    for (int i = 0; i < 3; i++) a.c[i] += s * b.c[i];
    return a;
}

static point minus(point a, point b) { return plus(a, b, -1); }

static point between(point a, point b, double t) { return plus(a, minus(b, a), (far_real)t); }

static far_real dot(point a, point b) { return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2]; }

static far_real length(point a) { return sqrtl(dot(a, a)); }

/* A factor that is an end, beyond one, or in between. */
static double along(void)
{
    const uint32_t which = below(8);
    return which < 2 ? which : which < 4 ? uniform(-2, 3) : uniform(0, 1);
}

/* Puts four points into the world: scaled, moved, and rounded to what the library counts in; x becomes what came of it. */
static void place(point x[4], vvec out[4], far_real *size)
{
    const far_real scale = (far_real)power(-4, 3);
    const point    origin = around(below(3) ? 0 : power(-2, 4));
    for (int i = 0; i < 4; i++) {
        pliant_real c[3];
        for (int k = 0; k < 3; k++) c[k] = (pliant_real)(origin.c[k] + scale * x[i].c[k]);
        out[i] = vvec_of(c[0], c[1], c[2]);
        for (int k = 0; k < 3; k++) x[i].c[k] = (far_real)c[k];
    }
    *size = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) *size = fmaxl(*size, length(minus(x[i], x[j])));
}

static int bad;

/* Whether `found` exceeds `least` by more than rounding. */
static void not_more(far_real found, far_real least, far_real size, const char *what, int kind)
{
    const far_real unit = (far_real)EPSILON * size;
    if (found - least <= ROUNDINGS * unit) return;
    if (bad++ < 5)
        print_error("%s, kind %d: %.9Lg, least %.9Lg, off by %.3Lg epsilons of %.3Lg\n", what, kind, found, least, (found - least) / unit,
                    size);
}

/* ---- the least distance ---- */

/* How far apart two convex sets are at least, if `off` leads from one to the other: every point of either lies beyond a plane across
 * `off`. `corners` are the differences of theirs. */
static far_real beyond_plane(point off, const point *corners, int count)
{
    const far_real l = length(off);
    far_real       least = LDBL_MAX;
    for (int i = 0; i < count; i++) least = fminl(least, dot(off, corners[i]));
    return l > 0 ? least / l : 0;
}

/* A segment a b that moves evenly by `da`, `db`. */
typedef struct moving {
    point a, b, da, db;
} moving;

/* Square of the distance from the origin to the segment, t of its way. */
static far_real to_segment(const moving *m, far_real t)
{
    const point    a = plus(m->a, m->da, t), u = minus(plus(m->b, m->db, t), a);
    const far_real square = dot(u, u), s = square > 0 ? fminl(fmaxl(-dot(a, u) / square, 0), 1) : 0;
    const point    off = plus(a, u, s);
    return dot(off, off);
}

/* The least distance for t in [0, 1], by golden section. */
static far_real search(const moving *m)
{
    const far_real golden = 0.618033988749894848204586834365638L;
    far_real       low = 0, high = 1, one = 1 - golden, other = golden, f_one = to_segment(m, one), f_other = to_segment(m, other);
    far_real       least = fminl(to_segment(m, 0), to_segment(m, 1));
    while (high - low > (far_real)EPSILON / 64) {
        least = fminl(least, fminl(f_one, f_other));
        if (f_one < f_other) {
            high = other;
            other = one;
            f_other = f_one;
            one = high - golden * (high - low);
            f_one = to_segment(m, one);
        } else {
            low = one;
            one = other;
            f_one = f_other;
            other = low + golden * (high - low);
            f_other = to_segment(m, other);
        }
    }
    return sqrtl(least);
}

/* Whether `off`, between two points that were found nearest, is no longer than it must be. The plane settles most pairs at once. */
static void is_least(point off, const point *corners, int count, const moving *m, far_real size, const char *what, int kind)
{
    const far_real found = length(off);
    if (found - beyond_plane(off, corners, count) > ROUNDINGS * (far_real)EPSILON * size) not_more(found, search(m), size, what, kind);
}

/* ---- a point and a triangle ---- */

enum { ANY, SLIVER, NEEDLE, LINE, TWO_CORNERS, ONE_CORNER, TRIANGLES };

static void random_triangle(int kind, point x[4])
{
    for (int i = 1; i < 4; i++) x[i] = around(1);
    const point off = around(power(-9, -1));
    switch (kind) {
    case SLIVER: x[3] = plus(between(x[1], x[2], along()), off, 1); break;
    case NEEDLE: x[3] = plus(x[2], off, 1); break;
    case LINE: x[3] = between(x[1], x[2], along()); break;
    case TWO_CORNERS: x[3] = x[2]; break;
    case ONE_CORNER: x[2] = x[3] = x[1]; break;
    }
    for (uint32_t turn = below(3); turn; turn--) { /* any corner can be the odd one */
        const point first = x[1];
        x[1] = x[2];
        x[2] = x[3];
        x[3] = first;
    }
}

/* x[0]: somewhere, far away, or near the triangle's plane, an edge or a corner, often on it. */
static void random_point(point x[4])
{
    const point near_by = around(below(2) ? 0 : power(-9, 0));
    double      u = uniform(0, 1), v = uniform(0, 1);
    switch (below(5)) {
    case 0: x[0] = around(2); return;
    case 1: x[0] = around(power(0, 3)); return;
    case 2:
        if (u + v > 1) u = 1 - u, v = 1 - v;
        x[0] = plus(plus(x[1], minus(x[2], x[1]), (far_real)u), minus(x[3], x[1]), (far_real)v);
        break;
    case 3: x[0] = between(x[1], x[2], along()); break;
    default: x[0] = x[1 + below(3)];
    }
    x[0] = plus(x[0], near_by, 1);
}

/* From x[0] to the point of the triangle. */
static point way_to_triangle(const point x[4], const vvec at[4])
{
    vreal weight[3];
    closest_on_triangle(at[0], at[1], at[2], at[3], weight);
    point    off = {{0, 0, 0}};
    far_real sum = 0;
    for (int i = 0; i < 3; i++) {
        if (!(weight[i] >= 0 && weight[i] <= 1) && bad++ < 5) print_error("weight %d is %.9g\n", i, (double)weight[i]);
        sum += (far_real)weight[i];
        off = plus(off, minus(x[1 + i], x[0]), (far_real)weight[i]);
    }
    if (!(fabsl(sum - 1) <= (far_real)EPSILON) && bad++ < 5) print_error("the weights' sum is %.9Lg\n", sum);
    return off;
}

/* Parallels to the first side, from it to the third corner. */
static void check_triangle(const point x[4], const vvec at[4], far_real size, int kind)
{
    const point  corners[3] = {minus(x[1], x[0]), minus(x[2], x[0]), minus(x[3], x[0])};
    const moving m = {corners[0], corners[1], minus(x[3], x[1]), minus(x[3], x[2])};
    is_least(way_to_triangle(x, at), corners, 3, &m, size, "triangle", kind);
}

static void distance_to_a_triangle_is_the_least(void **state)
{
    (void)state;
    bad = 0;
    for (int kind = 0; kind < TRIANGLES; kind++)
        for (int i = 0; i < CASES; i++) {
            point    x[4];
            vvec     at[4];
            far_real size;
            random_triangle(kind, x);
            random_point(x);
            place(x, at, &size);
            check_triangle(x, at, size, kind);
        }
    assert_int_equal(bad, 0);
}

/* The three corners in any order. */
static void corners_in_any_order_give_the_same_distance(void **state)
{
    (void)state;
    static const int orders[5][3] = {{1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}};
    bad = 0;
    for (int i = 0; i < CASES; i++) {
        point    x[4];
        vvec     at[4];
        far_real size;
        random_triangle(i % TRIANGLES, x);
        random_point(x);
        place(x, at, &size);
        const far_real found = length(way_to_triangle(x, at));
        for (int k = 0; k < 5; k++) {
            const int     *o = orders[k];
            const point    y[4] = {x[0], x[o[0]], x[o[1]], x[o[2]]};
            const vvec     there[4] = {at[0], at[o[0]], at[o[1]], at[o[2]]};
            const far_real again = length(way_to_triangle(y, there));
            not_more(fmaxl(found, again), fminl(found, again), size, "order of corners", i % TRIANGLES);
        }
    }
    assert_int_equal(bad, 0);
}

/* ---- two edges ---- */

enum { FREE, PARALLEL, NEARLY, CROSSED, COLLINEAR, END_ON, SHARED, SHORT, NO_LENGTH, NO_LENGTHS, APART, EDGES };

static void random_edges(int kind, point x[4])
{
    for (int i = 0; i < 4; i++) x[i] = around(1);
    const point    u = minus(x[1], x[0]), off = around(power(-9, -1)), off_too = around(power(-9, -1));
    const double   factor = (below(2) ? 1 : -1) * power(-3, 1);
    const far_real f = (far_real)factor;
    switch (kind) {
    case PARALLEL: x[3] = plus(x[2], u, f); break;
    case NEARLY: x[3] = plus(plus(x[2], u, f), off, 1); break;
    case CROSSED: /* at a small angle, with or without a gap */
        x[2] = plus(between(x[0], x[1], along()), off, 1);
        x[3] = plus(plus(between(x[0], x[1], along()), off, -f), off_too, below(2));
        break;
    case COLLINEAR:
        x[2] = plus(x[0], u, (far_real)(along() + (double)below(3)));
        x[3] = plus(x[2], u, f);
        break;
    case END_ON: x[2] = plus(between(x[0], x[1], along()), off, below(2)); break;
    case SHARED: x[2] = plus(x[1], off, below(2)); break;
    case SHORT: x[3] = plus(x[2], off, 1); break;
    case NO_LENGTH: x[3] = x[2] = below(2) ? x[2] : between(x[0], x[1], along()); break;
    case NO_LENGTHS:
        x[1] = x[0];
        x[3] = x[2] = below(2) ? x[2] : x[0];
        break;
    case APART:
        x[2] = plus(x[2], around(power(0, 3)), 1);
        x[3] = plus(x[2], below(2) ? u : around(1), 1);
        break;
    }
    if (below(2)) { /* either can be the odd one */
        const point first[2] = {x[0], x[1]};
        x[0] = x[2], x[1] = x[3], x[2] = first[0], x[3] = first[1];
    }
}

/* From the point of the second edge to that of the first. */
static point way_of_edges(const point x[4], const vvec at[4])
{
    vreal s, t;
    closest_on_edges(at[0], at[1], at[2], at[3], &s, &t);
    if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1) && bad++ < 5) print_error("s is %.9g, t is %.9g\n", (double)s, (double)t);
    point off = minus(x[0], x[2]);
    off = plus(off, minus(x[1], x[0]), (far_real)s);
    return plus(off, minus(x[3], x[2]), -(far_real)t);
}

/* The first edge as a point of the second one sees it. */
static void check_edges(const point x[4], const vvec at[4], far_real size, int kind)
{
    const point  corners[4] = {minus(x[0], x[2]), minus(x[1], x[2]), minus(x[0], x[3]), minus(x[1], x[3])}, back = minus(x[2], x[3]);
    const moving m = {corners[0], corners[1], back, back};
    is_least(way_of_edges(x, at), corners, 4, &m, size, "edges", kind);
}

static void distance_of_edges_is_the_least(void **state)
{
    (void)state;
    bad = 0;
    for (int kind = 0; kind < EDGES; kind++)
        for (int i = 0; i < CASES; i++) {
            point    x[4];
            vvec     at[4];
            far_real size;
            random_edges(kind, x);
            place(x, at, &size);
            check_edges(x, at, size, kind);
        }
    assert_int_equal(bad, 0);
}

static void edges_swapped_or_turned_have_the_same_distance(void **state)
{
    (void)state;
    static const int orders[4][4] = {{2, 3, 0, 1}, {1, 0, 2, 3}, {0, 1, 3, 2}, {3, 2, 1, 0}};
    bad = 0;
    for (int i = 0; i < CASES; i++) {
        point    x[4];
        vvec     at[4];
        far_real size;
        random_edges(i % EDGES, x);
        place(x, at, &size);
        const far_real found = length(way_of_edges(x, at));
        for (int k = 0; k < 4; k++) {
            const int     *o = orders[k];
            const point    y[4] = {x[o[0]], x[o[1]], x[o[2]], x[o[3]]};
            const vvec     there[4] = {at[o[0]], at[o[1]], at[o[2]], at[o[3]]};
            const far_real again = length(way_of_edges(y, there));
            not_more(fmaxl(found, again), fminl(found, again), size, "order of ends", i % EDGES);
        }
    }
    assert_int_equal(bad, 0);
}

/* ---- sizes ---- */

/* Coordinates of 0, of a micrometre and of a thousand kilometres in all combinations that chance brings: numbers come out. */
static void nothing_finite_gives_a_nan(void **state)
{
    (void)state;
    static const double values[] = {0, 0, 1e-6, -1e-6, 1, -1, 1e6, -1e6, 1e-30, 1e-19};
    bad = 0;
    for (int i = 0; i < CASES; i++) {
        point x[4];
        vvec  at[4];
        for (int k = 0; k < 4; k++) {
            pliant_real c[3];
            for (int j = 0; j < 3; j++) x[k].c[j] = (far_real)(c[j] = (pliant_real)values[below(10)]);
            at[k] = vvec_of(c[0], c[1], c[2]);
        }
        const far_real to_triangle = length(way_to_triangle(x, at)), of_edges = length(way_of_edges(x, at));
        assert_true(to_triangle >= 0 && to_triangle < 1e7L && of_edges >= 0 && of_edges < 1e7L);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_to_a_triangle_is_the_least), cmocka_unit_test(corners_in_any_order_give_the_same_distance),
        cmocka_unit_test(distance_of_edges_is_the_least),      cmocka_unit_test(edges_swapped_or_turned_have_the_same_distance),
        cmocka_unit_test(nothing_finite_gives_a_nan),
    };
    return cmocka_run_group_tests_name("closest", tests, NULL, NULL);
}
