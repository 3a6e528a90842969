#include "base/trig.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ln 2 and pi / 2 in two parts: the first has enough zero bits at its end that small multiples of it are exact. */
static const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
static const double half_pi_high = 0x1.921fb54400000p+0, half_pi_middle = 0x1.0b4611a600000p-34, half_pi_low = 0x1.3198a2e037073p-69;

static double scale_by_power(double x, int k)
{
    while (k > 1000) {
        x *= 0x1p1000;
        k -= 1000;
    }
    while (k < -1000) {
        x *= 0x1p-1000;
        k += 1000;
    }
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double   power;
    memcpy(&power, &bits, sizeof power);
    return x * power;
}

double pliant__exp(double x)
{
    if (x != x) return x;
    if (x > 709.8) return INFINITY;
    if (x < -745.2) return 0;
    double k = floor(x * 1.4426950408889634 + 0.5);
    double r = (x - k * ln2_high) - k * ln2_low;
    double sum = 1; /* Taylor, |r| <= 0.35: the next term is below 1e-18 */
    for (int n = 14; n >= 1; n--) sum = 1 + r / n * sum;
    return scale_by_power(sum, (int)k);
}

double pliant__log(double x)
{
    if (x != x || x == INFINITY) return x;
    if (x < 0) return NAN;
    if (x == 0) return -INFINITY;
    int    e;
    double m = frexp(x, &e);
    if (m < 0.70710678118654752) {
        m *= 2;
        e--;
    }
    double s = (m - 1) / (m + 1), s2 = s * s, sum = 0; /* log m = 2 artanh s, |s| <= 0.172 */
    for (int n = 23; n >= 3; n -= 2) sum = s2 * (1.0 / n + sum);
    return e * ln2_high + (2 * s + (2 * s * sum + e * ln2_low));
}

double pliant__pow(double x, double y)
{
    if (y == 0 || x == 1) return 1;
    if (y == 1) return x;
    if (x == 0) return y > 0 ? 0 : INFINITY;
    return pliant__exp(y * pliant__log(x));
}

static double sine_near_zero(double r)
{
    double r2 = r * r, sum = 0;
    for (int n = 10; n >= 1; n--) sum = -r2 / ((2 * n) * (2 * n + 1)) * (1 + sum);
    return r + r * sum;
}

static double cosine_near_zero(double r)
{
    double r2 = r * r, sum = 0;
    for (int n = 10; n >= 1; n--) sum = -r2 / ((2 * n) * (2 * n - 1)) * (1 + sum);
    return 1 + sum;
}

/* sin(x + quarter pi/2 turns) */
static double turned_sine(double x, int turn)
{
    double k = floor(x / 1.5707963267948966 + 0.5);
    double r = ((x - k * half_pi_high) - k * half_pi_middle) - k * half_pi_low;
    int    quadrant = (int)(((int64_t)k + turn) & 3);
    double s = quadrant & 1 ? cosine_near_zero(r) : sine_near_zero(r);
    return quadrant & 2 ? -s : s;
}

double pliant__sin(double x) { return turned_sine(x, 0); }
double pliant__cos(double x) { return turned_sine(x, 1); }

/* Arc tangent of t in [0, 1]: the angle is halved twice, then Taylor for t below 0.2. */
static double arc_tangent(double t)
{
    double scale = 1;
    while (t > 0.2) {
        t = t / (1 + sqrt(1 + t * t));
        scale *= 2;
    }
    double t2 = t * t, sum = 0;
    for (int n = 25; n >= 3; n -= 2) sum = -t2 * (1.0 / n + sum);
    return scale * (t + t * sum);
}

double pliant__atan2(double y, double x)
{
    double ax = fabs(x), ay = fabs(y);
    if (ax == 0 && ay == 0) return 0;
    double a = ay <= ax ? arc_tangent(ay / ax) : 1.5707963267948966 - arc_tangent(ax / ay);
    if (x < 0) a = 3.141592653589793 - a;
    return y < 0 ? -a : a;
}
