/* Meetings on the way, by proofs that there are none.
 *
 * Let w be the difference between a corner of the one side and a corner of the other; it is linear in time. The two sides, which are convex, are
 * further apart than d at a time t if there is a vector n, no longer than 1, with n . w(t) > d for all pairs of corners: a plane across n
 * lies between them (the theorem of separating axes; Ericson 2005, Real-Time Collision Detection, 5.2.1). Let n turn, linear in time too,
 * from n_a at time a to n_b at time b. Then n . w is a quadratic in time with the Bernstein coefficients
 *
 *     n_a . w(a),   (n_a . w(b) + n_b . w(a)) / 2,   n_b . w(b)
 *
 * and stays between the least and the largest of these (Farin 2002, Curves and Surfaces for CAGD, 5.1). If the least of all pairs exceeds d and the
 * rounding of these few sums, nothing meets from a to b. Every answer rests on this proof alone: `proven`.
 *
 * Which n? The nearest points of two convex polytopes lie on a pair of features, and n is upright on both: on the face, on two edges, on an
 * edge through a corner, or between two corners. There are 7 such directions for a corner and a triangle, 9 for two edges, and the largest
 * least n . w among them is the distance. So the search needs no nearest points.
 *
 * How far? As conservative advancement goes on by bounds of the distance (Mirtich 1996, Impulse-based Dynamic Simulation of Rigid Body Systems;
 * additive: Li, Kaufman, Jiang 2021, Codimensional Incremental Potential Contact), but by a proof instead of a bound of speeds. With n kept,
 * a step of (distance - d) / (speed along n) can always be proven, so it goes on; with n turning along with the features, steps grow
 * larger than that by orders where sides turn, and come to an impact at a rate better than linear.
 *
 * Rounding: u = 2^-53. A sum of three products, of factors with k roundings, is off by at most (k + 3) u / (1 - (k + 3) u) times the sum
 * of their sizes (Higham 2002, Accuracy and Stability of Numerical Algorithms, 3.5). A component of w(t) has four roundings beside the size
 * |w(0)| + |w(1)|: the differences, 1 - t, the product, the sum. All in all fewer than 16 u; `slack` has 32. */
#include "collide/continuous.h"

#include <float.h>
#include <math.h>

typedef struct vector {
    double x, y, z;
} vector;

static vector minus(vector a, vector b)
{
    const vector v = {a.x - b.x, a.y - b.y, a.z - b.z};
    return v;
}
static vector scaled(vector a, double s)
{
    const vector v = {a.x * s, a.y * s, a.z * s};
    return v;
}
static vector cross(vector a, vector b)
{
    const vector v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}
static vector between(vector a, vector b, double t)
{
    const double s = 1 - t;
    const vector v = {s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z};
    return v;
}
static double dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

/* Two sides: differences between each corner of the one and each of the other, at both ends of time. */
typedef struct sides {
    vector   w[2][4];
    uint32_t pairs;   /* 3: a corner and a triangle; 4: two edges, pair 2 i + j is of corner i and corner j */
    double   limit;   /* bound that n . w must exceed: the distance, and the most that rounding may add */
    double   near_by; /* sides at most this far apart have met: the distance and the tolerance */
    double   distance;
    bool     finite; /* every number is, and can be squared */
} sides;

/* Directions across which planes might part the sides at one time. */
enum { MOST_DIRECTIONS = 9 };
typedef struct view {
    vector   w[4];
    vector   n[MOST_DIRECTIONS];   /* of length 1 to rounding, or 0 */
    double   gap[MOST_DIRECTIONS]; /* least n . w */
    uint32_t count, best;
    double   time;
} view;

/* ---- the proof ---- */

static bool proven(const sides *s, const view *a, vector na, const view *b, vector nb)
{
    for (uint32_t i = 0; i < s->pairs; i++) {
        const double first = dot(na, a->w[i]), last = dot(nb, b->w[i]), middle = (dot(na, b->w[i]) + dot(nb, a->w[i])) / 2;
        if (!(first > s->limit && last > s->limit && middle > s->limit)) return false;
    }
    return true;
}

/* ---- directions ---- */

/* The vector without its part along u. Done twice: where the rest is small, the part along u that rounding leaves the first time goes the second
 * time. */
static vector across(vector a, vector u)
{
    const double square = dot(u, u);
    for (int i = 0; i < 2 && square > 0; i++) a = minus(a, scaled(u, dot(a, u) / square));
    return a;
}

static void offer(const sides *s, view *v, vector n)
{
    const double length = sqrt(dot(n, n));
    double       low = DBL_MAX, high = -DBL_MAX;
    n = length > 0 ? scaled(n, 1 / length) : scaled(n, 0);
    for (uint32_t i = 0; i < s->pairs; i++) {
        const double along = dot(n, v->w[i]);
        low = smaller(low, along);
        high = larger(high, along);
    }
    if (-high > low) { /* the other side */
        low = -high;
        n = scaled(n, -1);
    }
    v->n[v->count] = n;
    v->gap[v->count] = low;
    if (!(low <= v->gap[v->best])) v->best = v->count;
    v->count++;
}

/* Upright on u and v: the shorter one is first made upright on the longer one, so nothing is lost where they are nearly parallel. */
static vector upright(vector u, vector v) { return dot(u, u) > dot(v, v) ? cross(u, across(v, u)) : cross(across(u, v), v); }

/* Upright on the triangle: on its longest side and the height on it. */
static vector face(vector ab, vector bc, vector ca)
{
    const double c = dot(ab, ab), a = dot(bc, bc), b = dot(ca, ca);
    if (c >= a && c >= b) return upright(ab, a < b ? bc : ca);
    if (a >= b) return upright(bc, b < c ? ca : ab);
    return upright(ca, c < a ? ab : bc);
}

static void look(const sides *s, double time, view *v)
{
    v->count = v->best = 0;
    v->time = time;
    for (uint32_t i = 0; i < s->pairs; i++) v->w[i] = between(s->w[0][i], s->w[1][i], time);
    const vector *w = v->w;
    if (s->pairs == 3) {
        const vector ab = minus(w[0], w[1]), bc = minus(w[1], w[2]), ca = minus(w[2], w[0]);
        offer(s, v, face(ab, bc, ca));
        offer(s, v, across(w[0], ab));
        offer(s, v, across(w[1], bc));
        offer(s, v, across(w[2], ca));
    } else {
        const vector one = minus(w[2], w[0]), other = minus(w[0], w[1]);
        offer(s, v, upright(one, other));
        offer(s, v, across(w[0], one));
        offer(s, v, across(w[1], one));
        offer(s, v, across(w[0], other));
        offer(s, v, across(w[2], other));
    }
    for (uint32_t i = 0; i < s->pairs; i++) offer(s, v, w[i]);
}

/* ---- going on ---- */

/* Whether the sides are apart from a to b: by the best direction of either end, or by one that turns from a feature's direction at a to the same
 * feature's at b. */
static bool apart(const sides *s, const view *a, const view *b)
{
    const vector na = a->n[a->best], nb = b->n[b->best];
    if (proven(s, a, na, b, na) || proven(s, a, nb, b, nb)) return true;
    for (uint32_t k = 0; k < a->count; k++)
        if (a->gap[k] > s->limit && b->gap[k] > s->limit && proven(s, a, a->n[k], b, b->n[k])) return true;
    return false;
}

/* The time for which the sides surely stay apart by the best direction, or a little less. */
static double least_step(const sides *s, const view *v)
{
    const vector n = v->n[v->best];
    double       speed = 0;
    for (uint32_t i = 0; i < s->pairs; i++) speed = larger(speed, dot(n, minus(s->w[0][i], s->w[1][i])));
    return speed > 0 ? 0.9 * (v->gap[v->best] - s->limit) / speed : 1;
}

/* How far to go next if the gap went from `before` to `now` in `step`: most of the way to where it closes. */
static double to_the_end(const sides *s, double before, double now, double step)
{
    return before > now ? 0.95 * step * ((now - s->distance) / (before - now)) : 1;
}

static pliant__impact first_impact(const sides *s)
{
    view           views[2], *at = &views[0], *next = &views[1];
    pliant__impact m = {true, true, 0, 1};
    double         step = 1;
    uint32_t       failures = 0;
    look(s, 0, at);
    for (; m.looks < PLIANT__MOST_LOOKS; m.looks++) {
        const double gap = at->gap[at->best], least = least_step(s, at);
        m.time = at->time;
        if (!s->finite) break;
        if (gap <= s->near_by) return m;
        step = smaller(larger(step, least), 1 - at->time);
        look(s, smaller(at->time + step, 1), next);
        if (!(next->time > at->time)) break;
        const double then = next->gap[next->best];
        if (apart(s, at, next)) {
            if (next->time >= 1) return (pliant__impact){false, true, 1, m.looks + 1};
            view *const reached = next;
            next = at;
            at = reached;
            step = smaller(4 * step, to_the_end(s, gap, then, step));
            failures = 0;
        } else {
            if (step <= least) break; /* rounding, or not finite */
            const double secant = gap > then ? 0.95 * step * ((gap - s->distance) / (gap - then)) : step;
            step = failures++ % 2 ? step / 8 : smaller(secant, step / 2);
        }
    }
    m.settled = false;
    return m;
}

/* ---- the two queries ---- */

static vector difference(const double a[3], const double b[3])
{
    const vector v = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return v;
}

static void set_limits(sides *s, double distance, double tolerance)
{
    vector size = {0, 0, 0};
    double sum = distance + tolerance;
    for (uint32_t i = 0; i < s->pairs; i++) {
        const vector *a = &s->w[0][i], *b = &s->w[1][i];
        size.x = larger(fabs(a->x) + fabs(b->x), size.x);
        size.y = larger(fabs(a->y) + fabs(b->y), size.y);
        size.z = larger(fabs(a->z) + fabs(b->z), size.z);
        sum += fabs(a->x) + fabs(a->y) + fabs(a->z) + fabs(b->x) + fabs(b->y) + fabs(b->z);
    }
    const double slack = 16 * DBL_EPSILON * (size.x + size.y + size.z) + DBL_MIN; /* a component of n may be 1 */
    s->finite = sum < 1e150;                                                      /* not so if one is no number */
    s->distance = distance;
    s->limit = (distance + slack) * (1 + 8 * DBL_EPSILON); /* n may be longer than 1 by rounding */
    s->near_by = distance + larger(tolerance, 0) + 2 * slack;
}

pliant__impact pliant__corner_meets_triangle(const pliant__straight_motion *m, double distance, double tolerance)
{
    sides s = {.pairs = 3};
    for (uint32_t j = 0; j < 3; j++) {
        s.w[0][j] = difference(m->from[0], m->from[1 + j]);
        s.w[1][j] = difference(m->to[0], m->to[1 + j]);
    }
    set_limits(&s, distance, tolerance);
    return first_impact(&s);
}

pliant__impact pliant__edges_meet(const pliant__straight_motion *m, double distance, double tolerance)
{
    sides s = {.pairs = 4};
    for (uint32_t i = 0; i < 4; i++) {
        s.w[0][i] = difference(m->from[i / 2], m->from[2 + i % 2]);
        s.w[1][i] = difference(m->to[i / 2], m->to[2 + i % 2]);
    }
    set_limits(&s, distance, tolerance);
    return first_impact(&s);
}
