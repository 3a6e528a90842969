/* The checker of crossings against all pairs of triangles at whole coordinates, with determinants that are whole numbers too, and against cases and
 * counts made by hand. */
#include "crossings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 1;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static uint32_t below(uint32_t count) { return (uint32_t)uniform(0, count); }

/* ---- cases made by hand ---- */

/* The triangle (0 0 0), (4 0 0), (0 4 0) and another one. */
static size_t with_flat(double ax, double ay, double az, double bx, double by, double bz, double cx, double cy, double cz)
{
    const double          x[18] = {0, 0, 0, 4, 0, 0, 0, 4, 0, ax, ay, az, bx, by, bz, cx, cy, cz};
    static const uint32_t both[6] = {0, 1, 2, 3, 4, 5}, back[6] = {5, 3, 4, 2, 1, 0};
    const size_t          found = crossings(x, both, 2, NULL, 0);
    assert_int_equal(crossings(x, back, 2, NULL, 0), found);
    return found;
}

static void edges_that_go_through_cross(void **state)
{
    (void)state;
    assert_int_equal(with_flat(1, 1, -1, 1, 1, 1, 9, 9, 1), 1);     /* one edge inside */
    assert_int_equal(with_flat(1, 1, -1, 1, 2, 1, 2, 1, 1), 1);     /* two edges inside */
    assert_int_equal(with_flat(1, -1, -9, 1, -1, 9, 1, 9, 0.5), 1); /* its own edges pass outside */
    assert_int_equal(with_flat(1, 1, -1e-7, 1, 2, 1, 2, 1, 1), 1);
    assert_int_equal(with_flat(1, 1, -1e-60, 1, 2, 1, 2, 1, 1), 1);
}

static void what_touches_does_not_cross(void **state)
{
    (void)state;
    assert_int_equal(with_flat(1, 1, 0, 1, 2, 1, 2, 1, 1), 0);    /* corner on the inside */
    assert_int_equal(with_flat(2, 0, 0, 2, 0, 1, 2, -1, 1), 0);   /* corner on an edge */
    assert_int_equal(with_flat(0, 0, 0, -1, 0, 1, 0, -1, 1), 0);  /* corner on corner */
    assert_int_equal(with_flat(1, 1, 0, 2, 1, 0, 1, 1, 1), 0);    /* edge in the plane */
    assert_int_equal(with_flat(4, 0, 0, 0, 4, 0, 4, 4, 1), 0);    /* edge on edge */
    assert_int_equal(with_flat(2, 0, -1, 2, 0, 1, 2, -1, 0), 0);  /* edge through an edge */
    assert_int_equal(with_flat(1, 1, 0, 5, 1, 0, 1, 5, 0), 0);    /* in one plane, overlapping */
    assert_int_equal(with_flat(1, 1, 1e-7, 1, 2, 1, 2, 1, 1), 0); /* apart by little */
    assert_int_equal(with_flat(1, -1e-7, -1, 1, -1e-7, 1, 1, -1, 0), 0);
    assert_int_equal(with_flat(1, 1, 1e-60, 1, 2, 1, 2, 1, 1), 0);
    assert_int_equal(with_flat(1, 1, 1, 2, 2, 2, 3, 3, 3), 0); /* without area, apart */
}

/* An edge of a triangle without area can go through; nothing goes through that triangle. */
static void no_area_has_no_inside(void **state)
{
    (void)state;
    assert_int_equal(with_flat(1, 1, -1, 1, 1, 1, 1, 1, 2), 1);
    static const double   x[] = {0, 0, 0, 2, 0, 0, 4, 0, 0, 1, 0, -1, 1, 0, 1, 1, 3, 0};
    static const uint32_t both[6] = {0, 1, 2, 3, 4, 5};
    assert_int_equal(crossings(x, both, 2, NULL, 0), 0);
}

static void shared_vertices(void **state)
{
    (void)state;
    static const double   x[] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1, 1, 1, -1, -1, 1, 4, 4, -1, 1, 1, 0};
    static const uint32_t through[6] = {0, 1, 2, 0, 3, 4}, away[6] = {0, 1, 2, 0, 4, 5}, fan[6] = {0, 1, 2, 0, 3, 5};
    static const uint32_t edge[6] = {0, 1, 2, 2, 1, 6}, folded[6] = {0, 1, 2, 2, 1, 7}, same[6] = {0, 1, 2, 2, 1, 0};
    assert_int_equal(crossings(x, through, 2, NULL, 0), 1);
    assert_int_equal(crossings(x, away, 2, NULL, 0), 0);
    assert_int_equal(crossings(x, fan, 2, NULL, 0), 0);
    assert_int_equal(crossings(x, edge, 2, NULL, 0), 0);
    assert_int_equal(crossings(x, folded, 2, NULL, 0), 0);
    assert_int_equal(crossings(x, same, 2, NULL, 0), 0);
    assert_int_equal(crossings(x, through, 1, NULL, 0), 0);
    assert_int_equal(crossings(x, through, 0, NULL, 0), 0);
}

/* ---- whole coordinates ---- */

enum { VERTICES = 60, TRIANGLES = 90 };

static int64_t whole_side(const int64_t *a, const int64_t *b, const int64_t *c, const int64_t *d)
{
    int64_t m[3][3];
    for (int k = 0; k < 3; k++) m[0][k] = b[k] - a[k], m[1][k] = c[k] - a[k], m[2][k] = d[k] - a[k];
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static bool whole_through(const int64_t *p, const int64_t *q, const int64_t *const t[3])
{
    const int64_t up = whole_side(t[0], t[1], t[2], p), down = whole_side(t[0], t[1], t[2], q);
    const int64_t a = whole_side(p, q, t[0], t[1]), b = whole_side(p, q, t[1], t[2]), c = whole_side(p, q, t[2], t[0]);
    return ((up > 0 && down < 0) || (up < 0 && down > 0)) && ((a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0));
}

/* All six edges, shared vertices or not: an edge from the other's corner never goes through its inside. */
static bool whole_cross(const int64_t (*x)[3], const uint32_t *one, const uint32_t *other)
{
    const int64_t *const s[3] = {x[one[0]], x[one[1]], x[one[2]]}, *const t[3] = {x[other[0]], x[other[1]], x[other[2]]};
    for (int k = 0; k < 3; k++)
        if (whole_through(s[k], s[(k + 1) % 3], t) || whole_through(t[k], t[(k + 1) % 3], s)) return true;
    return false;
}

/* Triangles of any three vertices, which often share some. */
static void random_triangles(uint32_t *triangles, uint32_t count, uint32_t vertices)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *t = triangles + 3 * i;
        do
            for (int k = 0; k < 3; k++) t[k] = below(vertices);
        while (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]);
    }
}

/* Small coordinates are often the same or in one plane; large ones are not. Moved by a large number, without rounding, they say the same. */
static void all_pairs_of_whole_coordinates(void **state)
{
    (void)state;
    static int64_t  whole[VERTICES][3];
    static double   x[3 * VERTICES];
    static uint32_t triangles[3 * TRIANGLES], pairs[TRIANGLES * TRIANGLES][2];
    for (int soup = 0; soup < 300; soup++) {
        const double reach = soup % 3 == 0 ? 3 : soup % 3 == 1 ? 20 : 500000, away = soup % 2 ? 1073741824.0 : 0;
        for (int i = 0; i < VERTICES; i++)
            for (int k = 0; k < 3; k++) {
                whole[i][k] = (int64_t)uniform(-reach, reach);
                x[3 * i + k] = ((double)whole[i][k] + away) / 1024;
            }
        random_triangles(triangles, TRIANGLES, VERTICES);
        const size_t found = crossings(x, triangles, TRIANGLES, pairs, TRIANGLES * TRIANGLES);
        size_t       expected = 0, next = 0;
        for (uint32_t i = 0; i < TRIANGLES; i++) {
            bool reported[TRIANGLES] = {false};
            for (; next < found && pairs[next][0] == i; next++) {
                assert_true(pairs[next][1] > i && pairs[next][1] < TRIANGLES && !reported[pairs[next][1]]);
                reported[pairs[next][1]] = true;
            }
            for (uint32_t j = i + 1; j < TRIANGLES; j++) {
                const bool crossed = whole_cross((const int64_t(*)[3])whole, triangles + 3 * i, triangles + 3 * j);
                assert_int_equal(reported[j], crossed);
                expected += crossed;
            }
        }
        assert_int_equal(found, expected);
        assert_int_equal(next, found);
        assert_true(expected > 0);
    }
}

static void no_more_pairs_than_there_is_room_for(void **state)
{
    (void)state;
    static double   x[3 * VERTICES];
    static uint32_t triangles[3 * TRIANGLES], all[TRIANGLES * TRIANGLES][2], some[8][2];
    for (int i = 0; i < 3 * VERTICES; i++) x[i] = uniform(-1, 1);
    random_triangles(triangles, TRIANGLES, VERTICES);
    memset(some, 0xff, sizeof some);
    const size_t found = crossings(x, triangles, TRIANGLES, all, TRIANGLES * TRIANGLES);
    assert_true(found > 8);
    assert_int_equal(crossings(x, triangles, TRIANGLES, some, 7), found);
    assert_memory_equal(some, all, sizeof *some * 7);
    assert_true(some[7][0] == UINT32_MAX && some[7][1] == UINT32_MAX);
}

/* ---- signs that rounding hides ---- */

/* Points of the plane x = y, and one that is off it by the last bit of a small number. */
static void side_of_a_plane_by_the_last_bit(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        double p[4][3];
        for (int k = 0; k < 4; k++) p[k][0] = p[k][1] = uniform(-1, 1), p[k][2] = uniform(-1, 1);
        p[3][0] = p[3][1] = ldexp(p[3][0], -(i % 60));
        const double turn = (p[1][0] - p[0][0]) * (p[2][2] - p[0][2]) - (p[1][2] - p[0][2]) * (p[2][0] - p[0][0]);
        if (fabs(turn) < 0.01) continue;
        assert_int_equal(side_of(p[0], p[1], p[2], p[3]), 0);
        p[3][1] = nextafter(p[3][1], i % 2 ? 2 : -2);
        assert_int_equal(side_of(p[0], p[1], p[2], p[3]), (turn > 0) == (i % 2 == 0) ? 1 : -1);
    }
}

/* Exchanging two of the four turns the sign round; so does exchanging two axes. */
static void sign_does_not_depend_on_the_order(void **state)
{
    (void)state;
    size_t hidden = 0;
    for (int i = 0; i < 20000; i++) {
        double       p[4][3], turned[4][3], u = uniform(-2, 2), v = uniform(-2, 2);
        const double scale = pow(10, uniform(-10, 10));
        for (int k = 0; k < 9; k++) (&p[0][0])[k] = scale * uniform(-1, 1);
        for (int k = 0; k < 3; k++) p[3][k] = p[0][k] + u * (p[1][k] - p[0][k]) + v * (p[2][k] - p[0][k]); /* in the plane, nearly */
        const int side = side_of(p[0], p[1], p[2], p[3]);
        for (int k = 0; k < 4; k++) turned[k][0] = p[k][1], turned[k][1] = p[k][0], turned[k][2] = p[k][2];
        assert_int_equal(side_of(p[1], p[0], p[2], p[3]), -side);
        assert_int_equal(side_of(p[0], p[2], p[1], p[3]), -side);
        assert_int_equal(side_of(p[0], p[1], p[3], p[2]), -side);
        assert_int_equal(side_of(p[3], p[0], p[1], p[2]), -side);
        assert_int_equal(side_of(p[2], p[3], p[0], p[1]), side);
        assert_int_equal(side_of(turned[0], turned[1], turned[2], turned[3]), -side);
        hidden += side != 0;
    }
    assert_true(hidden > 10000);
}

/* A soup in one plane but for rounding: only rounding says what crosses, but it says so for good. */
static void crossings_do_not_depend_on_the_order(void **state)
{
    (void)state;
    static double   x[3 * VERTICES];
    static uint32_t triangles[3 * TRIANGLES], turned[3 * TRIANGLES];
    size_t          sum = 0;
    for (int soup = 0; soup < 40; soup++) {
        for (int i = 0; i < VERTICES; i++) {
            x[3 * i] = uniform(-1, 1);
            x[3 * i + 1] = uniform(-1, 1);
            x[3 * i + 2] = 0.3 * x[3 * i] + 0.7 * x[3 * i + 1];
        }
        random_triangles(triangles, TRIANGLES, VERTICES);
        for (int i = 0; i < TRIANGLES; i++)
            for (int k = 0; k < 3; k++) turned[3 * i + k] = triangles[3 * (TRIANGLES - 1 - i) + (i % 2 ? 2 - k : (k + 1) % 3)];
        const size_t found = crossings(x, triangles, TRIANGLES, NULL, 0);
        assert_int_equal(crossings(x, turned, TRIANGLES, NULL, 0), found);
        sum += found;
    }
    assert_true(sum > 0);
}

/* ---- two sheets ---- */

enum { CELLS = 60, ACROSS = 100 }; /* cells of a side: of the first sheet, and of the second one */

typedef struct sheets {
    double   x[3 * ((CELLS + 1) * (CELLS + 1) + (ACROSS + 1) * (ACROSS + 1))];
    uint32_t triangles[6 * (CELLS * CELLS + ACROSS * ACROSS)];
    uint32_t vertices, count;
} sheets;

/* Squares cut from their first corner; corner i, j lies at `origin` + i u + j v. */
static void add_sheet(sheets *s, uint32_t cells, const double origin[3], const double u[3], const double v[3])
{
    const uint32_t first = s->vertices, row = cells + 1;
    for (uint32_t i = 0; i <= cells; i++)
        for (uint32_t j = 0; j <= cells; j++, s->vertices++)
            for (uint32_t k = 0; k < 3; k++) s->x[3 * s->vertices + k] = origin[k] + i * u[k] + j * v[k];
    for (uint32_t i = 0; i < cells; i++)
        for (uint32_t j = 0; j < cells; j++, s->count += 2) {
            const uint32_t a = first + i * row + j, two[6] = {a, a + row, a + row + 1, a, a + row + 1, a + 1};
            memcpy(s->triangles + 3 * (size_t)s->count, two, sizeof two);
        }
}

/* Turned about all axes. */
static void turn(sheets *s)
{
    static const double m[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
    for (uint32_t i = 0; i < s->vertices; i++) {
        double y[3];
        for (int k = 0; k < 3; k++) y[k] = m[k][0] * s->x[3 * i] + m[k][1] * s->x[3 * i + 1] + m[k][2] * s->x[3 * i + 2];
        memcpy(s->x + 3 * (size_t)i, y, sizeof y);
    }
}

/* The second sheet cuts the first one along a line, which each cuts into pieces: a piece per triangle that the line passes. Two triangles
 * cross if their pieces overlap. Pieces that lie side by side from 0 to CELLS, cut at other places each time, overlap as often as there are
 * ends of pieces in between, of either kind, and once more. */
static void crossed_sheets_cross_along_a_line(void **state)
{
    (void)state;
    static sheets s;
    const double  at = 23.3711, start = -0.3137, cell = 0.7, low = -30.4139 * cell; /* of the second: at x = at, from y = start, z = low */
    add_sheet(&s, CELLS, (double[]){0, 0, 0}, (double[]){1, 0, 0}, (double[]){0, 1, 0});
    add_sheet(&s, ACROSS, (double[]){at, start, low}, (double[]){0, cell, 0}, (double[]){0, 0, cell});
    size_t ends = 0;
    for (int j = 0; j <= ACROSS; j++) {
        const double corner = start + cell * j, cut = corner + cell * 0.4139; /* the diagonal, where z is 0 */
        ends += corner > 0 && corner < CELLS;
        ends += cut > 0 && cut < CELLS;
    }
    const size_t expected = 2 * CELLS - 1 + ends + 1;
    assert_int_equal(crossings(s.x, s.triangles, s.count, NULL, 0), expected);
    turn(&s);
    assert_int_equal(crossings(s.x, s.triangles, s.count, NULL, 0), expected);
}

/* One above the other by 1e-7 of a cell, turned so that no coordinate is the same. */
static void sheets_apart_do_not_cross(void **state)
{
    (void)state;
    static sheets s;
    add_sheet(&s, CELLS, (double[]){0, 0, 0}, (double[]){1, 0, 0}, (double[]){0, 1, 0});
    add_sheet(&s, CELLS, (double[]){0.3, 0.4, 1e-7}, (double[]){1, 0, 0}, (double[]){0, 1, 0});
    turn(&s);
    assert_int_equal(crossings(s.x, s.triangles, s.count, NULL, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_that_go_through_cross),
        cmocka_unit_test(what_touches_does_not_cross),
        cmocka_unit_test(no_area_has_no_inside),
        cmocka_unit_test(shared_vertices),
        cmocka_unit_test(all_pairs_of_whole_coordinates),
        cmocka_unit_test(no_more_pairs_than_there_is_room_for),
        cmocka_unit_test(side_of_a_plane_by_the_last_bit),
        cmocka_unit_test(sign_does_not_depend_on_the_order),
        cmocka_unit_test(crossings_do_not_depend_on_the_order),
        cmocka_unit_test(crossed_sheets_cross_along_a_line),
        cmocka_unit_test(sheets_apart_do_not_cross),
    };
    return cmocka_run_group_tests_name("crossings", tests, NULL, NULL);
}
