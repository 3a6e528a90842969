/* The shape of a tetrahedron. */
#ifndef PLIANT_MESH_TET_H
#define PLIANT_MESH_TET_H

#include "base/trig.h"
#include "surface/point.h"

/* Widens the range [least, greatest] by the cosines of the six dihedral angles. The greatest cosine is the least angle's. */
static inline void pliant__take_cosines(const pliant__point x[4], double *least, double *greatest)
{
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++) {
            /* Between the faces that share the edge from i to j. */
            int k = 0, l = 3;
            while (k == i || k == j) k++;
            while (l == i || l == j) l--;
            const pliant__point edge = p_sub(x[j], x[i]), a = p_cross(edge, p_sub(x[k], x[i])), b = p_cross(edge, p_sub(x[l], x[i]));
            const double        size = sqrt(p_dot(a, a) * p_dot(b, b)), cosine = size > 0 ? p_dot(a, b) / size : 1;
            *least = p_min(*least, cosine);
            *greatest = p_max(*greatest, cosine);
        }
}

/* The angle of a cosine, in degrees. */
static inline double pliant__degrees(double cosine)
{
    return 57.295779513082320877 * pliant__atan2(sqrt(p_max(0, 1 - cosine * cosine)), cosine);
}

#endif
