/* How far an element of a kind with PLIANT_ROW_TEARS is stretched, which way, and how large it is at rest.
 *
 * F maps its shape at rest to where it is. With C = F^T F, stretched by the root of its largest eigenvalue along the unit eigenvector u, the element is longest
 * in space along F u. Elements of three particles are triangles of sheets (constraints/sheet.h), with the columns f1, f2 of F along their threads and
 *   C = (f1.f1, f1.f2; f1.f2, f2.f2). */
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

/* Twice the area of a triangle at rest; 0 of one that has none. */
static inline double pliant__sheet_size(const pliant_real *b)
{
    const double det = (double)b[0] * (double)b[3] - (double)b[1] * (double)b[2], size = det < 0 ? -det : det;
    return size > 0 ? 1 / size : 0;
}

#endif
