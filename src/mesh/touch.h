/* Whether a triangle and a tetrahedron come nearer than a margin. */
#ifndef PLIANT_MESH_TOUCH_H
#define PLIANT_MESH_TOUCH_H

#include "surface/point.h"

#include <stdbool.h>

/* False only if a plane parts them with `margin` >= 0 to spare: one along a face of either, or along an edge of each (the theorem of separating
 * axes). So it may say true of two that are a little farther apart, but never false of two that are not. */
bool pliant__touch(const pliant__point triangle[3], const pliant__point tet[4], double margin);

#endif
