/* How far an element of a kind with PLIANT_ROW_TEARS is stretched, which way, and how large it is at rest.
 *
 * F maps its shape at rest to where it is. With C = F^T F, stretched by the root of its largest eigenvalue along the unit eigenvector u, the element is longest
 * in space along F u. Elements of three particles are triangles of sheets (constraints/sheet.h), with the columns f1, f2 of F along their threads and
 *   C = (f1.f1, f1.f2; f1.f2, f2.f2).
 * Elements of four are tetrahedra (constraints/solid.h), with three columns. Whether one is stretched beyond a limit needs no eigenvalue: it is not, as long as
 * limit^2 1 - C is positive definite, which its three leading minors say (Sylvester). */
#ifndef PLIANT_CONSTRAINTS_ELEMENT_H
#define PLIANT_CONSTRAINTS_ELEMENT_H

#include "base/vec.h"

/* The square of the largest stretch of a triangle; `direction`: where it is not NULL, the unit vector along which it is, or 0. */
static inline pliant_real pliant__sheet_stretch2(const pliant_vec3 *x, const pliant_real *b, pliant_vec3 *direction)
{
    const pliant_vec3 d1 = v3_sub(x[1], x[0]), d2 = v3_sub(x[2], x[0]);
    const pliant_vec3 f1 = v3_add(v3_scale(d1, b[0]), v3_scale(d2, b[2])), f2 = v3_add(v3_scale(d1, b[1]), v3_scale(d2, b[3]));
    const pliant_real p = v3_dot(f1, f1), q = v3_dot(f2, f2), off = v3_dot(f1, f2);
    const pliant_real half = (p - q) / 2, root = r_sqrt(half * half + off * off);
    if (direction) {
        const pliant_vec3 along =
            half >= 0 ? v3_add(v3_scale(f1, half + root), v3_scale(f2, off)) : v3_add(v3_scale(f1, off), v3_scale(f2, root - half));
        const pliant_vec3 way = root > 0 ? along : f1;
        const pliant_real length = v3_length(way);
        *direction = length > 0 ? v3_scale(way, 1 / length) : v3(0, 0, 0);
    }
    return (p + q) / 2 + root;
}

/* The columns of F of a tetrahedron. */
static inline void pliant__solid_columns(const pliant_vec3 *x, const pliant_real *b, pliant_vec3 f[3])
{
    const pliant_vec3 d1 = v3_sub(x[1], x[0]), d2 = v3_sub(x[2], x[0]), d3 = v3_sub(x[3], x[0]);
    f[0] = v3_scale(d1, b[0]);
    f[1] = v3_add(v3_scale(d1, b[1]), v3_scale(d2, b[3]));
    f[2] = v3_add(v3_add(v3_scale(d1, b[2]), v3_scale(d2, b[4])), v3_scale(d3, b[5]));
}

/* One rotation of Jacobi's method: C <- R^T C R, with entry p, q 0 after it; V <- V R. */
static inline void pliant__rotate_jacobi(double C[3][3], double V[3][3], int p, int q)
{
    if (!(C[p][q] > 0 || C[p][q] < 0)) return;
    const double theta = (C[q][q] - C[p][p]) / (2 * C[p][q]), size = theta < 0 ? -theta : theta;
    const double t = (theta < 0 ? -1 : 1) / (size + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        const double a = C[k][p], b = C[k][q], v = V[k][p], w = V[k][q];
        C[k][p] = c * a - s * b;
        C[k][q] = s * a + c * b;
        V[k][p] = c * v - s * w;
        V[k][q] = s * v + c * w;
    }
    for (int k = 0; k < 3; k++) {
        const double a = C[p][k], b = C[q][k];
        C[p][k] = c * a - s * b;
        C[q][k] = s * a + c * b;
    }
}

#define PLIANT__JACOBI_SWEEPS 5 /* of three rotations: as exact as a double is, whatever C is */

/* As pliant__sheet_stretch2, of a tetrahedron. */
static inline pliant_real pliant__solid_stretch2(const pliant_vec3 *x, const pliant_real *b, pliant_vec3 *direction)
{
    pliant_vec3 f[3];
    double      C[3][3], V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int         best = 0;
    pliant__solid_columns(x, b, f);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            C[i][k] = (double)f[i].x * (double)f[k].x + (double)f[i].y * (double)f[k].y + (double)f[i].z * (double)f[k].z;
    for (int sweep = 0; sweep < PLIANT__JACOBI_SWEEPS; sweep++) {
        pliant__rotate_jacobi(C, V, 0, 1);
        pliant__rotate_jacobi(C, V, 0, 2);
        pliant__rotate_jacobi(C, V, 1, 2);
    }
    for (int k = 1; k < 3; k++)
        if (C[k][k] > C[best][best]) best = k;
    if (direction) {
        const pliant_vec3 way = v3_add(v3_add(v3_scale(f[0], (pliant_real)V[0][best]), v3_scale(f[1], (pliant_real)V[1][best])),
                                       v3_scale(f[2], (pliant_real)V[2][best]));
        const pliant_real length = v3_length(way);
        *direction = length > 0 ? v3_scale(way, 1 / length) : v3(0, 0, 0);
    }
    return (pliant_real)C[best][best];
}

/* The volume of a tetrahedron at rest, times 6. */
static inline double pliant__solid_size(const pliant_real *b)
{
    const double size = (double)b[0] * (double)b[3] * (double)b[5];
    return size > 0 ? 1 / size : 0;
}

/* Twice the area of a triangle at rest; 0 of one that has none. */
static inline double pliant__sheet_size(const pliant_real *b)
{
    const double det = (double)b[0] * (double)b[3] - (double)b[1] * (double)b[2], size = det < 0 ? -det : det;
    return size > 0 ? 1 / size : 0;
}

#endif
