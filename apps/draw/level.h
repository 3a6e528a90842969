/* The surface of a field of distances, as triangles to be drawn. */
#ifndef PLIANT_DRAW_LEVEL_H
#define PLIANT_DRAW_LEVEL_H

#include "draw/frame.h"

/* Writes the corners of the triangles of the level 0, where a pose puts them; returns how many corners there are. With `out` NULL it only counts. */
uint32_t draw_level(const pliant_field_view *field, pliant_pose pose, draw_vertex *out);

#endif
