/* The legend of colours: words and a scale, as triangles on the picture, in pixels from its upper left corner. */
#ifndef DRAW_LEGEND_H
#define DRAW_LEGEND_H

#include "draw/frame.h"

enum { DRAW_LEGEND_ROOM = 6 * 2600 };

typedef struct draw_legend {
    draw_line_end corners[DRAW_LEGEND_ROOM]; /* three to a triangle */
    uint32_t      count;
} draw_legend;

/* Makes the legend that a frame's overlays need, at the left below, behind `left` pixels that something else covers; empty where they need none. */
void draw_legend_make(draw_legend *legend, const draw_frame *frame, uint32_t left, uint32_t height, float strain_range);

#endif
