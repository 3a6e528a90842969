/* The determinant is first taken with rounding, and counts if it is larger than its error bound. Otherwise it is summed up as a number of
 * several parts that do not overlap, of which the last has the sign: differences are two parts each, products of three of them four.
 * Source: Shewchuk 1997, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates. */
#include "collide/side.h"

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

/* u, v, w: what rounding left of each difference, and the difference. */
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

int pliant__side(const double a[3], const double b[3], const double c[3], const double d[3])
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

bool pliant__goes_through(const double p[3], const double q[3], const double *const t[3])
{
    const int above = pliant__side(t[0], t[1], t[2], p);
    if (above == 0 || pliant__side(t[0], t[1], t[2], q) != -above) return false;
    const int turn = pliant__side(p, q, t[0], t[1]);
    return turn != 0 && pliant__side(p, q, t[1], t[2]) == turn && pliant__side(p, q, t[2], t[0]) == turn;
}
