/* Lights: some points of the sun's disc and many directions of the whole sphere, each with a map of depths. Sunlight is looked up at every pixel, the
 * visible part of the sky at every vertex, and on the floor at the texels of a map. */
#ifndef DRAW_LIGHTS_H
#define DRAW_LIGHTS_H

#include "draw/linear.h"

/* Points of the sun's disc, other ones in each pass, and directions of the sky, which are the same; the shaders have these numbers, too. */
#define DRAW_SUNS 5
#define DRAW_SKIES 48

/* As the shaders have it, std140: from the world to the maps, [0, 1], and towards each part of the sky. */
typedef struct draw_lights {
    m4 suns[DRAW_SUNS];
    m4 skies[DRAW_SKIES];
    struct {
        f3    towards;
        float unused;
    } open[DRAW_SKIES];
} draw_lights;

/* The middle of the sun's disc, of unit length. */
f3 draw_lights_sun(void);

/* The lights over a ball, those of the sun for pass `pass` of `passes`. Returns how many of the sun there are: fewer where there is one pass. */
uint32_t draw_lights_place(draw_lights *l, f3 middle, float radius, uint32_t pass, uint32_t passes);

/* The matrix that a map is drawn with, to [-1, 1], from that of `draw_lights`. */
m4 draw_lights_drawn(const m4 *map);

#endif
