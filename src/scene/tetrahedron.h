/* A tetrahedron's faces, and its volume, with a sign. */
#ifndef PLIANT_SCENE_TETRAHEDRON_H
#define PLIANT_SCENE_TETRAHEDRON_H

#include "base/vec.h"

/* The face opposite to each corner of a tetrahedron of positive volume, turned outwards. */
static const uint8_t pliant__tet_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

/* Six times the volume; exactly 0 if it is flat, which is what rounding cannot tell from flat: less than 1e-12 of the cube of the longest edge
 * from x[0]. (Inline, as libpliant_io sees nothing of the core but its headers.) */
static inline double pliant__volume6(const pliant_vec3 x[4])
{
    double e[3][3], longest = 0;
    for (int i = 0; i < 3; i++) {
        e[i][0] = (double)x[i + 1].x - (double)x[0].x;
        e[i][1] = (double)x[i + 1].y - (double)x[0].y;
        e[i][2] = (double)x[i + 1].z - (double)x[0].z;
        const double square = e[i][0] * e[i][0] + e[i][1] * e[i][1] + e[i][2] * e[i][2];
        if (square > longest) longest = square;
    }
    const double volume = (e[0][1] * e[1][2] - e[0][2] * e[1][1]) * e[2][0] + (e[0][2] * e[1][0] - e[0][0] * e[1][2]) * e[2][1] +
                          (e[0][0] * e[1][1] - e[0][1] * e[1][0]) * e[2][2];
    return volume * (volume < 0 ? -1 : 1) > 1e-12 * longest * sqrt(longest) ? volume : 0;
}

#endif
