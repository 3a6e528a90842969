/* Horn, "Closed-form solution of absolute orientation using unit quaternions", J. Opt. Soc. Am. A 4 (1987) 629, section 4: the best rotation
 * is the eigenvector of the largest eigenvalue of a symmetric 4 x 4 matrix, which is made of the sums of products of coordinates. The
 * eigenvectors come from Jacobi's rotations (Golub and Van Loan, Matrix Computations, section 8.5), in a fixed order: nothing but + - * /
 * and roots, so the result is one and the same everywhere. */
#include "io/scene/fit.h"

#include <math.h>

enum { SWEEPS = 40 };

/* One rotation in the plane of axes p and q, that makes a[p][q] zero. */
static void rotate(double a[4][4], double v[4][4], int n, int p, int q)
{
    if (a[p][q] == 0) return;
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]), size = theta < 0 ? -theta : theta;
    double t = (theta < 0 ? -1 : 1) / (size + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
    for (int i = 0; i < n; i++) {
        double x = a[i][p], y = a[i][q];
        a[i][p] = c * x - s * y;
        a[i][q] = s * x + c * y;
    }
    for (int i = 0; i < n; i++) {
        double x = a[p][i], y = a[q][i];
        a[p][i] = c * x - s * y;
        a[q][i] = s * x + c * y;
        x = v[i][p], y = v[i][q];
        v[i][p] = c * x - s * y;
        v[i][q] = s * x + c * y;
    }
    a[p][q] = a[q][p] = 0;
}

/* Leaves the eigenvalues on the diagonal of `a`, and the eigenvectors in the columns of `v`. The largest entry of `a` is 1. */
static void diagonalise(double a[4][4], double v[4][4], int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) v[i][j] = i == j;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double off = 0;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) off += a[p][q] * a[p][q];
        if (off < 1e-60) return;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) rotate(a, v, n, p, q);
    }
}

/* So that sizes of metres or kilometres make no difference. False if all is 0. */
static bool normalise(double a[4][4], int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double size = a[i][j] < 0 ? -a[i][j] : a[i][j];
            if (size > largest) largest = size;
        }
    for (int i = 0; i < n && largest > 0; i++)
        for (int j = 0; j < n; j++) a[i][j] /= largest;
    return largest > 0;
}

pliant__cluster pliant__cluster_make(double *x, size_t count)
{
    pliant__cluster c = {count, x, {0, 0, 0}, 0};
    double          sum = 0;
    for (size_t i = 0; i < 3 * count; i++) c.centre[i % 3] += x[i];
    for (int i = 0; i < 3; i++) c.centre[i] /= (double)count;
    for (size_t i = 0; i < 3 * count; i++) {
        x[i] -= c.centre[i % 3];
        sum += x[i] * x[i];
    }
    c.size = sqrt(sum / (double)count);
    return c;
}

/* The second largest of the squared extents, against the largest. */
bool pliant__cluster_turns(const pliant__cluster *points)
{
    double a[4][4] = {{0}}, v[4][4], largest = 0, second = 0;
    for (size_t p = 0; p < points->count; p++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) a[i][j] += points->x[3 * p + (size_t)i] * points->x[3 * p + (size_t)j];
    if (points->count < 3 || !normalise(a, 3)) return false;
    diagonalise(a, v, 3);
    for (int i = 0; i < 3; i++) {
        if (a[i][i] > largest) {
            second = largest;
            largest = a[i][i];
        } else if (a[i][i] > second) {
            second = a[i][i];
        }
    }
    return second > 1e-8 * largest;
}

bool pliant__fit_rotation(const pliant__cluster *from, const pliant__cluster *to, double rotation[4])
{
    double s[3][3] = {{0}}, v[4][4];
    for (size_t p = 0; p < from->count; p++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) s[i][j] += from->x[3 * p + (size_t)i] * to->x[3 * p + (size_t)j];
    double a[4][4] = {{s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
                      {s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
                      {s[2][0] - s[0][2], s[0][1] + s[1][0], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
                      {s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], s[2][2] - s[0][0] - s[1][1]}};
    if (!normalise(a, 4)) return false;
    diagonalise(a, v, 4);
    int best = 0;
    for (int i = 1; i < 4; i++)
        if (a[i][i] > a[best][best]) best = i;
    for (int i = 0; i < 4; i++)
        if (i != best && a[best][best] - a[i][i] < 1e-9) return false;
    double sign = v[0][best] < 0 ? -1 : 1, length = 0;
    for (int i = 0; i < 4; i++) length += v[i][best] * v[i][best];
    length = sqrt(length);
    for (int i = 0; i < 4; i++) rotation[i < 1 ? 3 : i - 1] = sign * v[i][best] / length;
    return true;
}

void pliant__turn(const double q[4], const double from[3], double to[3])
{
    double t[3], x = from[0], y = from[1], z = from[2];
    t[0] = 2 * (q[1] * z - q[2] * y);
    t[1] = 2 * (q[2] * x - q[0] * z);
    t[2] = 2 * (q[0] * y - q[1] * x);
    to[0] = x + q[3] * t[0] + (q[1] * t[2] - q[2] * t[1]);
    to[1] = y + q[3] * t[1] + (q[2] * t[0] - q[0] * t[2]);
    to[2] = z + q[3] * t[2] + (q[0] * t[1] - q[1] * t[0]);
}

double pliant__fit_error(const pliant__cluster *from, const pliant__cluster *to, const double rotation[4])
{
    double sum = 0, x[3];
    for (size_t p = 0; p < from->count; p++) {
        pliant__turn(rotation, from->x + 3 * p, x);
        for (size_t i = 0; i < 3; i++) sum += (to->x[3 * p + i] - x[i]) * (to->x[3 * p + i] - x[i]);
    }
    return sqrt(sum / (double)from->count);
}
