/* The determinant is first taken with rounding, and counts if it is larger than its error bound. Otherwise it is summed up as a number of
 * several parts that do not overlap, of which the last has the sign: differences are two parts each, products of three of them four.
 * Source: Shewchuk 1997, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates. */
#include "collide/triangle_side.h"

#include <float.h>
#include <math.h>

enum { PARTS = 6 * 8 * 4 }; /* products; of two parts each; four parts */

typedef struct sum {
    double part[PARTS];
    int    count;
} sum;

/* a + b is the result and *rest. */
static double two_sum(double a, double b, double *rest)
{
    const double s = a + b, of_b = s - a;
    *rest = (a - (s - of_b)) + (b - of_b);
    return s;
}

static double upper_half(double a)
{
    const double wide = 0x1p27 * a + a;
    return wide - (wide - a);
}

/* a * b is the result and *rest. */
static double two_product(double a, double b, double *rest)
{
    const double p = a * b, au = upper_half(a), bu = upper_half(b), al = a - au, bl = b - bu;
    *rest = al * bl - (p - au * bu - al * bu - au * bl);
    return p;
}

static void grow(sum *s, double by)
{
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        double rest;
        by = two_sum(by, s->part[i], &rest);
        if (rest != 0) s->part[kept++] = rest;
    }
    if (by != 0) s->part[kept++] = by;
    s->count = kept;
}

static void grow_product(sum *s, double a, double b, double c)
{
    double low, rest;
    if (a == 0 || b == 0 || c == 0) return;
    const double ab = two_product(a, b, &low), high = two_product(ab, c, &rest);
    grow(s, rest);
    grow(s, high);
    if (low == 0) return;
    const double lower = two_product(low, c, &rest);
    grow(s, rest);
    grow(s, lower);
}

/* u, v, w: each difference as its rounding error and its rounded value. */
static int exact_side(double u[2][3], double v[2][3], double w[2][3])
{
    sum s = {.count = 0};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int part = 0; part < 8; part++) {
            const int p = part & 1, q = part >> 1 & 1, r = part >> 2;
            grow_product(&s, u[p][i], v[q][j], w[r][k]);
            grow_product(&s, -u[p][i], v[q][k], w[r][j]);
        }
    }
    const double last = s.count ? s.part[s.count - 1] : 0;
    return (last > 0) - (last < 0);
}

int pliant__plane_side(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double u[2][3], v[2][3], w[2][3], volume = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        u[1][k] = two_sum(b[k], -a[k], &u[0][k]);
        v[1][k] = two_sum(c[k], -a[k], &v[0][k]);
        w[1][k] = two_sum(d[k], -a[k], &w[0][k]);
    }
    for (int i = 0; i < 3; i++) {
        const int    j = (i + 1) % 3, k = (i + 2) % 3;
        const double plus = v[1][j] * w[1][k], minus = v[1][k] * w[1][j];
        volume += u[1][i] * (plus - minus);
        size += fabs(u[1][i]) * (fabs(plus) + fabs(minus));
    }
    const double rounding = 8 * DBL_EPSILON * size; /* Shewchuk's bound is half of it */
    if (volume > rounding) return 1;
    if (volume < -rounding) return -1;
    return exact_side(u, v, w);
}

/* ---- an edge and a triangle ---- */

/* The sign of (b - a) x (d - c) along one axis, exactly. */
static int across(const double a[3], const double b[3], const double c[3], const double d[3], int axis)
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    double    u[2][2], v[2][2];
    sum       s = {.count = 0};
    u[0][1] = two_sum(b[j], -a[j], &u[0][0]);
    u[1][1] = two_sum(b[k], -a[k], &u[1][0]);
    v[0][1] = two_sum(d[j], -c[j], &v[0][0]);
    v[1][1] = two_sum(d[k], -c[k], &v[1][0]);
    for (int part = 0; part < 4; part++) {
        grow_product(&s, u[0][part & 1], v[1][part >> 1], 1);
        grow_product(&s, -u[1][part & 1], v[0][part >> 1], 1);
    }
    const double last = s.count ? s.part[s.count - 1] : 0;
    return (last > 0) - (last < 0);
}

/* A determinant's sign as it is, and when the edge is put aside by e, e^2, e^3, or by the opposite: its own, or that of its first derivative along the axes
 * that is not 0, which is (b - a) x (d - c). (Edelsbrunner and Muecke 1990, Simulation of Simplicity, for a motion of the whole edge.) */
typedef struct signs {
    int beside, opposite, inside;
} signs;

static signs signs_of(int side, const double a[3], const double b[3], const double c[3], const double d[3])
{
    int more = side;
    for (int axis = 0; axis < 3 && !more; axis++) more = across(a, b, c, d, axis);
    return (signs){more, side ? side : -more, side};
}

static bool passes(int above, int below, int one, int two, int three)
{
    return above && below == -above && one && two == one && three == one;
}

unsigned pliant__goes_through(const double p[3], const double q[3], const double *const t[3])
{
    signs       turn[3];
    const signs above = signs_of(pliant__plane_side(t[0], t[1], t[2], p), t[0], t[1], t[0], t[2]),
                below = signs_of(pliant__plane_side(t[0], t[1], t[2], q), t[0], t[1], t[0], t[2]);
    if (above.beside == below.beside && above.opposite == below.opposite) return 0;
    for (int i = 0; i < 3; i++) turn[i] = signs_of(pliant__plane_side(p, q, t[i], t[(i + 1) % 3]), p, q, t[i], t[(i + 1) % 3]);
#define PASSES(how) passes(above.how, below.how, turn[0].how, turn[1].how, turn[2].how)
    return (PASSES(beside) ? PLIANT__THROUGH_BESIDE : 0) | (PASSES(opposite) ? PLIANT__THROUGH_OPPOSITE : 0) |
           (PASSES(inside) ? PLIANT__THROUGH_INSIDE : 0);
#undef PASSES
}
