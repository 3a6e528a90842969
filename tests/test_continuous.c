/* What moves straight meets when it is said to, and nothing passes.
 *
 * Three judges. Where motions are made to touch at a time, on integer coordinates, that is the truth. Where one side moves as a whole on
 * integer coordinates, whether they touch is decided in integers: a point that moves straight past another one sweeps a segment, and two sides
 * meet if the hull of everything that their differences sweep holds the origin. Of all others the distance is looked at in long double, at times so
 * close together that in between it cannot get where it must not: it changes no faster than two corners move beside each other. */
#include "more.h"

#include "collide/continuous.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TRIANGLE, EDGES, QUERIES };
static const char *const query_name[QUERIES] = {"corner and triangle", "edges"};

static pliant__impact ask(int query, const pliant__straight_motion *m, double distance, double tolerance)
{
    return query == TRIANGLE ? pliant__corner_meets_triangle(m, distance, tolerance) : pliant__edges_meet(m, distance, tolerance);
}

/* ---- random numbers ---- */

static uint64_t seed = 1;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static int below(int count) { return (int)uniform(0, count); }

static double power(double low, double high) { return pow(10, uniform(low, high)); }

static void around(double x[3], double reach)
{
    for (int k = 0; k < 3; k++) x[k] = uniform(-reach, reach);
}

/* ---- the distance, in long double ---- */

typedef long double real;
typedef struct point {
    real c[3];
} point;

static point plus(point a, point b, real s)
{
    for (int k = 0; k < 3; k++) a.c[k] += s * b.c[k];
    return a;
}
static point minus(point a, point b) { return plus(a, b, -1); }
static real  dot(point a, point b) { return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2]; }
static real  length(point a) { return sqrtl(dot(a, a)); }
static point cross(point a, point b)
{
    const point p = {{a.c[1] * b.c[2] - a.c[2] * b.c[1], a.c[2] * b.c[0] - a.c[0] * b.c[2], a.c[0] * b.c[1] - a.c[1] * b.c[0]}};
    return p;
}

/* As seen from corner 0, so that nothing is lost far from the origin. */
static void place(const pliant__straight_motion *m, real t, point x[4])
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            x[i].c[k] = (1 - t) * ((real)m->from[i][k] - (real)m->from[0][k]) + t * ((real)m->to[i][k] - (real)m->to[0][k]);
}

static real to_edge(point p, point a, point b)
{
    const point u = minus(b, a), off = minus(p, a);
    const real  square = dot(u, u), s = square > 0 ? fminl(fmaxl(dot(off, u) / square, 0), 1) : 0;
    return length(minus(off, plus((point){{0, 0, 0}}, u, s)));
}

static real to_triangle(const point x[4])
{
    real        least = fminl(to_edge(x[0], x[1], x[2]), fminl(to_edge(x[0], x[2], x[3]), to_edge(x[0], x[3], x[1])));
    const point n = cross(minus(x[2], x[1]), minus(x[3], x[1])), a = minus(x[1], x[0]), b = minus(x[2], x[0]), c = minus(x[3], x[0]);
    const real  wa = dot(cross(b, c), n), wb = dot(cross(c, a), n), wc = dot(cross(a, b), n), sum = wa + wb + wc;
    if (wa >= 0 && wb >= 0 && wc >= 0 && sum > 0) {
        const point off = plus(plus(plus((point){{0, 0, 0}}, a, wa / sum), b, wb / sum), c, wc / sum);
        least = fminl(least, length(off));
    }
    return least;
}

static real of_edges(const point x[4])
{
    real least =
        fminl(fminl(to_edge(x[0], x[2], x[3]), to_edge(x[1], x[2], x[3])), fminl(to_edge(x[2], x[0], x[1]), to_edge(x[3], x[0], x[1])));
    const point u = minus(x[1], x[0]), v = minus(x[3], x[2]), n = cross(u, v);
    const real  square = dot(n, n), s = square > 0 ? dot(cross(minus(x[2], x[0]), v), n) / square : 0;
    return fminl(least, to_edge(plus(x[0], u, fminl(fmaxl(s, 0), 1)), x[2], x[3]));
}

static real distance_at(int query, const pliant__straight_motion *m, real t)
{
    point x[4];
    place(m, t, x);
    return query == TRIANGLE ? to_triangle(x) : of_edges(x);
}

/* Pairs of corners from both sides. */
static int pairs_of(int query, int pair[4][2])
{
    for (int i = 0; i < 4; i++) {
        pair[i][0] = query == TRIANGLE ? 0 : i / 2;
        pair[i][1] = query == TRIANGLE ? 1 + i : 2 + i % 2;
    }
    return query == TRIANGLE ? 3 : 4;
}

/* The fastest that two corners move beside each other, and the largest coordinate of a difference. */
static real speed_of(int query, const pliant__straight_motion *m, real *size)
{
    int   pair[4][2];
    real  most = 0;
    point x[4], y[4];
    place(m, 0, x);
    place(m, 1, y);
    *size = 0;
    for (int i = pairs_of(query, pair) - 1; i >= 0; i--) {
        const point from = minus(x[pair[i][0]], x[pair[i][1]]), to = minus(y[pair[i][0]], y[pair[i][1]]);
        most = fmaxl(most, length(minus(to, from)));
        for (int k = 0; k < 3; k++) *size = fmaxl(*size, fmaxl(fabsl(from.c[k]), fabsl(to.c[k])));
    }
    return most;
}

/* ---- looking all along the way ---- */

enum { APART, MET, UNDECIDED };
enum { MOST_SAMPLES = 1500 };

/* Of the size: what is nearer than the distance and this cannot have been proven to be apart, as a proof needs ten times that. Long double
 * sees it: it is a thousand roundings. */
#define TOUCH 2e-16L

typedef struct search {
    int                            query, left; /* samples */
    const pliant__straight_motion *m;
    real                           near_by, speed, first; /* the first time at which they were seen near */
} search;

/* Halves what cannot be passed over, the earlier one first. */
static int look(search *s, real a, real b)
{
    const real t = (a + b) / 2, gap = distance_at(s->query, s->m, t) - s->near_by;
    if (gap > s->speed * (b - a) / 2) return APART;
    if (gap <= 0) s->first = fminl(s->first, t);
    if (s->left-- <= 0 || b - a < 1e-17L) return gap <= 0 ? MET : UNDECIDED;
    const int earlier = look(s, a, t);
    if (earlier == MET || gap <= 0) return MET;
    const int later = look(s, t, b);
    return later == MET || earlier == APART ? later : earlier;
}

static int judge(int query, const pliant__straight_motion *m, double distance, real *first)
{
    real   size;
    search s = {query, MOST_SAMPLES, m, (real)distance, speed_of(query, m, &size), 2};
    s.near_by += TOUCH * (size + s.near_by);
    for (int end = 0; end < 2; end++)
        if (distance_at(query, m, end) <= s.near_by) s.first = fminl(s.first, end);
    const bool at_an_end = s.first <= 1;
    const int  seen = s.first > 0 ? look(&s, 0, 1) : MET;
    *first = s.first;
    return at_an_end ? MET : seen;
}

typedef struct tally {
    int      asked, met, apart, undecided, false_alarms, unsettled, bad;
    uint64_t looks;
    uint32_t most_looks;
} tally;

static void complain(tally *c, int query, int kind, const pliant__straight_motion *m, double distance, const char *what, real a, real b)
{
    if (c->bad++ > 2) return;
    print_error("%s, kind %d, distance %.17g: %s %.12Lg %.12Lg\n", query_name[query], kind, distance, what, a, b);
    for (int i = 0; i < 4; i++)
        print_error("  %.17g %.17g %.17g -> %.17g %.17g %.17g\n", m->from[i][0], m->from[i][1], m->from[i][2], m->to[i][0], m->to[i][1],
                    m->to[i][2]);
}

/* What an answer says of the time it names. */
static void is_near_then(tally *c, int query, int kind, const pliant__straight_motion *m, double distance, double tolerance,
                         pliant__impact found)
{
    real       size;
    const real then = distance_at(query, m, (real)found.time);
    speed_of(query, m, &size);
    c->asked++;
    c->looks += found.looks;
    if (found.looks > c->most_looks) c->most_looks = found.looks;
    if (found.looks > PLIANT__MOST_LOOKS) complain(c, query, kind, m, distance, "too much work", found.looks, 0);
    if (!(found.time >= 0 && found.time <= 1)) complain(c, query, kind, m, distance, "no time", (real)found.time, 0);
    if (!found.settled) {
        c->unsettled++;
        if (!found.meets) complain(c, query, kind, m, distance, "unsettled but passing", 0, 0);
    } else if (found.meets && then > (real)distance + (real)tolerance + 1e-13L * (size + (real)distance))
        complain(c, query, kind, m, distance, "not near at its time", (real)found.time, then);
}

static void check(tally *c, int query, int kind, const pliant__straight_motion *m, double distance, double tolerance)
{
    real                 first;
    const pliant__impact found = ask(query, m, distance, tolerance);
    const int            truth = judge(query, m, distance, &first);
    is_near_then(c, query, kind, m, distance, tolerance, found);
    c->met += truth == MET;
    c->apart += truth == APART;
    c->undecided += truth == UNDECIDED;
    c->false_alarms += truth == APART && found.meets;
    if (truth == MET && !found.meets) complain(c, query, kind, m, distance, "missed, first seen at", first, 0);
    if (truth == MET && (real)found.time > first) complain(c, query, kind, m, distance, "late", (real)found.time, first);
}

static void report(const tally *c, const char *what)
{
    print_message("%s: %d asked, %d meet, %d pass, %d undecided by the judge, %d false alarms, %d unsettled, %.1f looks, at most %u\n",
                  what, c->asked, c->met, c->apart, c->undecided, c->false_alarms, c->unsettled, (double)c->looks / c->asked,
                  c->most_looks);
}

/* ---- motions ---- */

/* From NO_LENGTH on they are aimed to touch, or just not to. */
enum { ANY, SLOW, STILL, TOGETHER, FLAT, PARALLEL, NO_SIZE, GRID, NO_LENGTH, SLIVER, THROUGH, BESIDE, LINE, KINDS };

static void still(pliant__straight_motion *m) { memcpy(m->to, m->from, sizeof m->to); }

static void move_all(pliant__straight_motion *m, double reach, double each)
{
    double common[3];
    around(common, reach);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) m->to[i][k] = m->from[i][k] + common[k] + uniform(-each, each);
}

/* Point `i` becomes one between two others, and goes on between them. */
static void put_between(pliant__straight_motion *m, int i, int a, int b, double off)
{
    const double s = uniform(-0.2, 1.2);
    for (int k = 0; k < 3; k++) {
        m->from[i][k] = m->from[a][k] + s * (m->from[b][k] - m->from[a][k]) + uniform(-off, off);
        m->to[i][k] = m->to[a][k] + s * (m->to[b][k] - m->to[a][k]) + uniform(-off, off);
    }
}

/* At a time in between, corner 0 is on the other side, or off it by a little along one axis. */
static void aim(pliant__straight_motion *m, double off)
{
    const double t = uniform(0, 1), u = uniform(-0.1, 1.1), v = uniform(-0.1, 1.1);
    const int    axis = below(3);
    for (int k = 0; k < 3; k++) {
        double at[4];
        for (int i = 1; i < 4; i++) at[i] = m->from[i][k] + t * (m->to[i][k] - m->from[i][k]);
        const double there = at[1] + u * (at[2] - at[1]) + v * (1 - u) * (at[3] - at[1]) + (k == axis ? off : 0), go = uniform(-1, 1);
        m->from[0][k] = there - t * go;
        m->to[0][k] = there + (1 - t) * go;
    }
}

static void random_motion(int kind, pliant__straight_motion *m, double near_by)
{
    for (int i = 0; i < 4; i++) {
        around(m->from[i], 1);
        around(m->to[i], 1);
    }
    switch (kind) {
    case SLOW: move_all(m, 0.1, 0.05); break;
    case STILL: still(m); break;
    case TOGETHER: move_all(m, 100, power(-6, -1)); break;
    case FLAT:
        for (int i = 0; i < 4; i++) m->from[i][2] = m->to[i][2] = 0;
        break;
    case PARALLEL:
        for (int k = 0; k < 3; k++) {
            m->from[3][k] = m->from[2][k] + (m->from[1][k] - m->from[0][k]);
            m->to[3][k] = m->to[2][k] + (m->to[1][k] - m->to[0][k]) * (below(2) ? 1 : 0.5);
        }
        break;
    case NO_SIZE: /* three corners, or an edge, are one point */
        for (int i = 2; i < 4; i++) {
            memcpy(m->from[i], m->from[i == 2 ? 3 : 1], sizeof m->from[i]);
            memcpy(m->to[i], m->to[i == 2 ? 3 : 1], sizeof m->to[i]);
        }
        break;
    case GRID:
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++) m->from[i][k] = below(5) - 2, m->to[i][k] = below(5) - 2;
        break;
    case NO_LENGTH:
        memcpy(m->from[3], m->from[2], sizeof m->from[3]);
        memcpy(m->to[3], m->to[2], sizeof m->to[3]);
        aim(m, near_by * uniform(0, 2));
        break;
    case SLIVER:
        put_between(m, 3, 1, 2, power(-12, -2));
        aim(m, below(2) ? 0 : near_by);
        break;
    case THROUGH: aim(m, 0); break;
    case BESIDE: aim(m, near_by + (below(2) ? 1 : -1) * power(-10, -1)); break;
    case LINE: /* all on a line, or nearly */
        for (int i = 2; i < 4; i++) put_between(m, i, 0, 1, below(2) ? 0 : power(-12, -3));
        break;
    }
}

/* Puts it somewhere else, in another size, and in the digits of float or double. */
static double put(pliant__straight_motion *m)
{
    const double scale = below(2) ? 1 : power(-3, 3), off = below(2) ? 0 : power(-1, 3);
    const bool   rounded = below(2);
    double       origin[3];
    around(origin, off);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            m->from[i][k] = origin[k] + scale * m->from[i][k];
            m->to[i][k] = origin[k] + scale * m->to[i][k];
            if (rounded) m->from[i][k] = (double)(float)m->from[i][k], m->to[i][k] = (double)(float)m->to[i][k];
        }
    return scale;
}

enum { CASES = 4000 }; /* of each kind, for each query; a quarter of them where there is little time */

static void check_kinds(int query, int first, int end, double false_alarms, double unsettled)
{
    tally all = {0};
    for (int kind = first; kind < end; kind++)
        for (int i = 0; i < (takes_its_time() ? CASES : CASES / 4); i++) {
            pliant__straight_motion m;
            const double            thick = below(2) ? 0 : power(-3, -1), loose = i % 2 ? 1e-6 : 1e-10;
            random_motion(kind, &m, thick);
            const double scale = put(&m);
            check(&all, query, kind, &m, thick * scale, loose * scale);
        }
    report(&all, query_name[query]);
    assert_int_equal(all.bad, 0);
    assert_true(all.met > all.asked / 20 && all.apart > all.asked / 10);
    assert_true(all.false_alarms <= all.asked * false_alarms && all.unsettled <= all.asked * unsettled);
}

static void nothing_random_passes_and_there_are_no_false_alarms(void **state)
{
    (void)state;
    for (int query = 0; query < QUERIES; query++) check_kinds(query, ANY, NO_LENGTH, 0.001, 0);
}

static void nothing_that_is_aimed_passes_and_false_alarms_are_near(void **state)
{
    (void)state;
    for (int query = 0; query < QUERIES; query++) check_kinds(query, NO_LENGTH, KINDS, 0.1, 0.05);
}

/* ---- touching at a known time ----
 *
 * At k of 8 parts of the way all corners lie on integers, and move by integers in a part, so nothing is rounded anywhere. */

static void integers(double x[3], int reach)
{
    for (int k = 0; k < 3; k++) x[k] = below(2 * reach + 1) - reach;
}

static void place_touching(int query, double at[4][3], const double off[3])
{
    for (int i = 0; i < 4; i++) integers(at[i], 6);
    if (query == TRIANGLE) {
        const int share[3] = {below(5), below(5), 0}, b = share[0] < 4 - share[1] ? share[0] : 4 - share[1], c = share[1];
        for (int k = 0; k < 3; k++) {
            for (int i = 1; i < 4; i++) at[i][k] *= 4;
            at[0][k] = ((4 - b - c) * at[1][k] + b * at[2][k] + c * at[3][k]) / 4 + off[k];
        }
        return;
    }
    const int i = below(5), j = below(5);
    for (int k = 0; k < 3; k++) {
        const double u = at[0][k], v = at[1][k], middle = at[2][k];
        at[0][k] = middle - i * u + off[k];
        at[1][k] = middle + (4 - i) * u + off[k];
        at[2][k] = middle - j * v;
        at[3][k] = middle + (4 - j) * v;
    }
}

static void a_touch_at_a_known_time_is_met_by_then(void **state)
{
    (void)state;
    static const int away[4][4] = {{0, 0, 0, 0}, {3, 4, 0, 5}, {2, 1, -2, 3}, {0, 0, 1, 1}};
    for (int query = 0; query < QUERIES; query++) {
        tally all = {0};
        for (int i = 0; i < 40000; i++) {
            const int              *a = away[i % 4], part = below(9);
            double                  at[4][3], speed[3], off[3] = {a[0], a[1], a[2]};
            pliant__straight_motion m;
            place_touching(query, at, off);
            for (int p = 0; p < 4; p++) {
                if (p < 2 || below(4)) integers(speed, below(3)); /* some move alike */
                for (int k = 0; k < 3; k++) {
                    m.from[p][k] = at[p][k] - part * speed[k];
                    m.to[p][k] = at[p][k] + (8 - part) * speed[k];
                }
            }
            const pliant__impact found = ask(query, &m, a[3], 1e-9);
            is_near_then(&all, query, i % 4, &m, a[3], 1e-9, found);
            if (!found.meets) complain(&all, query, i % 4, &m, a[3], "missed at part", part, 8);
            if (found.time > part / 8.0) complain(&all, query, i % 4, &m, a[3], "late", (real)found.time, part / 8.0L);
        }
        report(&all, query_name[query]);
        assert_int_equal(all.bad, 0);
    }
}

/* ---- in integers ---- */

typedef struct whole {
    long long c[3];
} whole;

static whole less(whole a, whole b)
{
    const whole w = {{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}};
    return w;
}
static whole cross_of(whole a, whole b)
{
    const whole w = {{a.c[1] * b.c[2] - a.c[2] * b.c[1], a.c[2] * b.c[0] - a.c[0] * b.c[2], a.c[0] * b.c[1] - a.c[1] * b.c[0]}};
    return w;
}
static long long dot_of(whole a, whole b) { return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2]; }
static bool      is_zero(whole a) { return !a.c[0] && !a.c[1] && !a.c[2]; }

/* Whether the origin lies in the hull of one, two, three or four points; those that are not independent are left to fewer. */
static bool in_segment(whole a, whole b) { return is_zero(a) || is_zero(b) || (is_zero(cross_of(a, b)) && dot_of(a, b) < 0); }
static bool in_triangle(whole a, whole b, whole c)
{
    const whole n = cross_of(less(b, a), less(c, a));
    return !is_zero(n) && dot_of(a, n) == 0 && dot_of(cross_of(a, b), n) >= 0 && dot_of(cross_of(b, c), n) >= 0 &&
           dot_of(cross_of(c, a), n) >= 0;
}
static bool in_tetrahedron(whole a, whole b, whole c, whole d)
{
    const long long v = dot_of(cross_of(less(b, a), less(c, a)), less(d, a)), s = (v > 0) - (v < 0);
    return s != 0 && s * dot_of(cross_of(b, c), d) >= 0 && s * dot_of(cross_of(c, a), d) >= 0 && s * dot_of(cross_of(a, b), d) >= 0 &&
           s * -dot_of(cross_of(a, b), c) >= 0;
}

/* By Caratheodory's theorem: in the hull of independent ones among them, if it is in the hull of all. */
static bool in_hull(const whole *x, int count)
{
    for (int a = 0; a < count; a++)
        for (int b = a; b < count; b++) {
            if (in_segment(x[a], x[b])) return true;
            for (int c = b + 1; c < count; c++) {
                if (in_triangle(x[a], x[b], x[c])) return true;
                for (int d = c + 1; d < count; d++)
                    if (in_tetrahedron(x[a], x[b], x[c], x[d])) return true;
            }
        }
    return false;
}

static void what_moves_as_a_whole_meets_if_integers_say_so(void **state)
{
    (void)state;
    for (int query = 0; query < QUERIES; query++) {
        tally all = {0};
        for (int i = 0; i < 60000; i++) {
            pliant__straight_motion m;
            double                  common[3], beside[3];
            whole                   swept[8];
            int                     pair[4][2];
            const int               reach = 1 + below(8), count = pairs_of(query, pair);
            integers(common, reach);
            integers(beside, 1 + below(2 * reach));
            for (int p = 0; p < 4; p++) {
                integers(m.from[p], reach);
                const bool first = p < (query == TRIANGLE ? 1 : 2);
                for (int k = 0; k < 3; k++) m.to[p][k] = m.from[p][k] + common[k] + (first ? beside[k] : 0);
            }
            for (int p = 0; p < count; p++)
                for (int k = 0; k < 3; k++) {
                    swept[p].c[k] = (long long)(m.from[pair[p][0]][k] - m.from[pair[p][1]][k]);
                    swept[count + p].c[k] = (long long)(m.to[pair[p][0]][k] - m.to[pair[p][1]][k]);
                }
            const bool           truth = in_hull(swept, 2 * count);
            const pliant__impact found = ask(query, &m, 0, 1e-9);
            is_near_then(&all, query, reach, &m, 0, 1e-9, found);
            all.met += truth;
            all.apart += !truth;
            all.false_alarms += found.meets && !truth;
            if (truth && !found.meets) complain(&all, query, reach, &m, 0, "missed", 0, 0);
        }
        report(&all, query_name[query]);
        assert_int_equal(all.bad, 0);
        assert_int_equal(all.false_alarms, 0);
        assert_int_equal(all.unsettled, 0);
        assert_true(all.met > all.asked / 50 && all.apart > all.asked / 50);
    }
}

/* ---- laws ---- */

/* Twice as large: the same time, to the bit. */
static void powers_of_two_change_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 10000; i++) {
        pliant__straight_motion m;
        const double            thick = below(2) ? 0 : 0.01, scale = ldexp(1, below(200) - 100);
        random_motion(i % KINDS, &m, thick);
        const pliant__impact before = ask(i % QUERIES, &m, thick, 1e-8);
        for (int p = 0; p < 4; p++)
            for (int k = 0; k < 3; k++) m.from[p][k] *= scale, m.to[p][k] *= scale;
        const pliant__impact after = ask(i % QUERIES, &m, thick * scale, 1e-8 * scale);
        assert_true(before.meets == after.meets && before.settled == after.settled && before.looks == after.looks);
        assert_true(before.time == after.time);
    }
}

static void what_is_not_finite_does_not_pass(void **state)
{
    (void)state;
    static const double wrong[] = {NAN, INFINITY, -INFINITY, DBL_MAX};
    for (int i = 0; i < 2 * 4 * 3 * 4 * QUERIES; i++) {
        pliant__straight_motion m;
        random_motion(ANY, &m, 0);
        m.from[0][0] += 10; /* apart */
        m.to[0][0] += 10;
        (i % 2 ? m.from : m.to)[i / 2 % 4][i / 8 % 3] = wrong[i / 24 % 4];
        const pliant__impact found = ask(i / 96, &m, 0.01, 1e-6);
        assert_true(found.meets && !found.settled);
        assert_true(found.time >= 0 && found.time <= 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_random_passes_and_there_are_no_false_alarms),
                                       cmocka_unit_test(nothing_that_is_aimed_passes_and_false_alarms_are_near),
                                       cmocka_unit_test(a_touch_at_a_known_time_is_met_by_then),
                                       cmocka_unit_test(what_moves_as_a_whole_meets_if_integers_say_so),
                                       cmocka_unit_test(powers_of_two_change_nothing),
                                       cmocka_unit_test(what_is_not_finite_does_not_pass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
