/* The rotation of a matrix, by turning the last one on (Müller et al. 2016, A Robust Method to Extract the Rotational Part of Deformations): R goes to
 * R exp(omega). With S = R^T a and g the vector of its antisymmetric part, g = (S_zy - S_yz, S_xz - S_zx, S_yx - S_xy),
 *
 *   tr(exp(-[omega]) S) = tr S + omega . g - omega^T G omega / 2 + ...,   G = tr(S) 1 - (S + S^T) / 2.
 *
 * The paper divides g by the sum of the inner products, tr S, which is slow where a is far longer one way than the others. Here it is G^-1 g, Newton's step,
 * which doubles the digits each time. Where an eigenvalue of G is negative the rotation is not near the best one, but near a worst one, or on a saddle, where g is 0: half a turn
 * about that direction makes tr larger by twice as much as it is negative. */
#include "constraints/matching.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define TURNS 40   /* most; three to five do as a rule, and one where the rotation is known */
#define SMALL 1e-9 /* of the largest entry of a: an eigenvalue of G that says nothing */
#define SWEEPS 30  /* of Jacobi's method; four to eight do */
#define DEGENERATE 1e-6

/* ---- eigenvalues ---- */

/* Turns rows and columns p and q so that a[p][q] is 0 (Jacobi's method). */
static void turn_pair(int n, double *a, double *vectors, int p, int q)
{
    const double off = a[p * n + q];
    if (!(fabs(off) > 0)) return;
    const double theta = (a[q * n + q] - a[p * n + p]) / (2 * off), root = sqrt(theta * theta + 1);
    const double t = theta < 0 ? -1 / (root - theta) : 1 / (root + theta), c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < n; k++) {
        const double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        const double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        const double x = vectors[k * n + p], y = vectors[k * n + q];
        vectors[k * n + p] = c * x - s * y;
        vectors[k * n + q] = s * x + c * y;
    }
}

void pliant__eigen(int n, double *a, double *values, double *vectors)
{
    for (int i = 0; i < n * n; i++) vectors[i] = i % (n + 1) == 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double off = 0, on = 0;
        for (int i = 0; i < n; i++) {
            on += a[i * n + i] * a[i * n + i];
            for (int k = 0; k < i; k++) off += a[i * n + k] * a[i * n + k];
        }
        if (!(off > 1e-32 * on)) break;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) turn_pair(n, a, vectors, p, q);
    }
    for (int i = 0; i < n; i++) values[i] = a[i * n + i];
}

void pliant__partial_inverse(int n, const double *a, double *inverse, double *range)
{
    double spoilt[36], value[6], vector[36], largest = 0;
    memcpy(spoilt, a, (size_t)(n * n) * sizeof *a);
    pliant__eigen(n, spoilt, value, vector);
    for (int k = 0; k < n; k++) largest = value[k] > largest ? value[k] : largest;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0, one = 0;
            for (int k = 0; k < n; k++) {
                if (!(value[k] > DEGENERATE * largest)) continue;
                sum += vector[i * n + k] * vector[j * n + k] / value[k];
                one += vector[i * n + k] * vector[j * n + k];
            }
            inverse[i * n + j] = sum;
            if (range) range[i * n + j] = one;
        }
}

/* ---- matrices ---- */

pliant__square pliant__of_symmetric(const double a[6])
{
    return (pliant__square){{{a[0], a[3], a[5]}, {a[3], a[1], a[4]}, {a[5], a[4], a[2]}}};
}

void pliant__to_symmetric(const pliant__square *a, double out[6])
{
    for (int i = 0; i < 3; i++) out[i] = a->m[i][i];
    out[3] = 0.5 * (a->m[0][1] + a->m[1][0]);
    out[4] = 0.5 * (a->m[1][2] + a->m[2][1]);
    out[5] = 0.5 * (a->m[2][0] + a->m[0][2]);
}

pliant__square pliant__product(const pliant__square *a, const pliant__square *b)
{
    pliant__square out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return out;
}

pliant__square pliant__transposed_product(const pliant__square *a, const pliant__square *b)
{
    pliant__square out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out.m[i][j] = a->m[0][i] * b->m[0][j] + a->m[1][i] * b->m[1][j] + a->m[2][i] * b->m[2][j];
    return out;
}

double pliant__determinant(const pliant__square *a)
{
    return a->m[0][0] * (a->m[1][1] * a->m[2][2] - a->m[1][2] * a->m[2][1]) -
           a->m[0][1] * (a->m[1][0] * a->m[2][2] - a->m[1][2] * a->m[2][0]) +
           a->m[0][2] * (a->m[1][0] * a->m[2][1] - a->m[1][1] * a->m[2][0]);
}

pliant__square pliant__inverse(const pliant__square *a)
{
    const double   by = 1 / pliant__determinant(a);
    pliant__square out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
            out.m[j][i] = by * (a->m[k][m] * a->m[l][n] - a->m[k][n] * a->m[l][m]);
        }
    return out;
}

/* ---- rotations ---- */

pliant__square pliant__square_of_quaternion(const double q[4])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    return (pliant__square){{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

void pliant__make_unit(double q[4])
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0) || length - length != 0) {
        q[0] = q[1] = q[2] = 0;
        q[3] = 1;
        return;
    }
    for (int i = 0; i < 4; i++) q[i] /= length;
}

/* q <- q (v, w), made unit. */
static void turn_by(double q[4], const double v[3], double w)
{
    const double x = q[0], y = q[1], z = q[2], s = q[3];
    q[0] = s * v[0] + x * w + (y * v[2] - z * v[1]);
    q[1] = s * v[1] + y * w + (z * v[0] - x * v[2]);
    q[2] = s * v[2] + z * w + (x * v[1] - y * v[0]);
    q[3] = s * w - (x * v[0] + y * v[1] + z * v[2]);
    pliant__make_unit(q);
}

/* G^-1 g where G, symmetric, is well above 0; false: it is not, by `least`. */
static bool solve_positive(const double *G, const double g[3], double least, double out[3])
{
    const double a = G[0];
    if (!(a > least)) return false;
    const double l = G[3] / a, m = G[6] / a, b = G[4] - l * G[3];
    if (!(b > least)) return false;
    const double n = (G[7] - m * G[3]) / b, c = G[8] - m * G[6] - n * n * b;
    if (!(c > least)) return false;
    const double y = g[1] - l * g[0];
    out[2] = (g[2] - m * g[0] - n * y) / c;
    out[1] = y / b - n * out[2];
    out[0] = g[0] / a - l * out[1] - m * out[2];
    return true;
}

/* The same where it is not: in the directions that G says something of. False: in one of them G is negative, and half a turn about it has been made. */
static bool solve_any(double *G, const double g[3], double q[4], double out[3])
{
    double value[3], vector[9];
    int    least = 0;
    pliant__eigen(3, G, value, vector);
    for (int k = 1; k < 3; k++) least = value[k] < value[least] ? k : least;
    if (value[least] < -SMALL) {
        const double by[3] = {vector[least], vector[3 + least], vector[6 + least]};
        turn_by(q, by, 0);
        return false;
    }
    for (int i = 0; i < 3; i++) out[i] = 0;
    for (int k = 0; k < 3; k++) {
        if (!(value[k] > SMALL)) continue;
        const double along = (vector[k] * g[0] + vector[3 + k] * g[1] + vector[6 + k] * g[2]) / value[k];
        for (int i = 0; i < 3; i++) out[i] += along * vector[3 * i + k];
    }
    return true;
}

/* One turn towards the rotation of a, of which the largest entry is 1; false: no other one is needed. */
static bool turn_on(const pliant__square *a, double q[4])
{
    const pliant__square r = pliant__square_of_quaternion(q), s = pliant__transposed_product(&r, a);
    const double         g[3] = {s.m[2][1] - s.m[1][2], s.m[0][2] - s.m[2][0], s.m[1][0] - s.m[0][1]};
    const double         trace = s.m[0][0] + s.m[1][1] + s.m[2][2];
    double               G[9], by[3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) G[3 * i + j] = (i == j ? trace : 0) - 0.5 * (s.m[i][j] + s.m[j][i]);
    if (!solve_positive(G, g, 1e-3, by) && !solve_any(G, g, q, by)) return true;
    const double angle = sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]), share = 0.5 / (angle > 1 ? angle : 1);
    for (int i = 0; i < 3; i++) by[i] *= share;
    turn_by(q, by, 1);
    return angle > 1e-9; /* the step squares what is left */
}

void pliant__nearest_rotation(const pliant__square *a, double q[4])
{
    double         size = 0;
    pliant__square unit;
    for (int i = 0; i < 9; i++) size = fabs(a->m[i / 3][i % 3]) > size ? fabs(a->m[i / 3][i % 3]) : size;
    if (!(size > 0) || size - size != 0) return;
    for (int i = 0; i < 9; i++) unit.m[i / 3][i % 3] = a->m[i / 3][i % 3] / size;
    for (int i = 0; i < TURNS && turn_on(&unit, q); i++) {
    }
}
