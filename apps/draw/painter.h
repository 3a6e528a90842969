/* Draws frames with OpenGL 3.3 core into whatever context is current. Passes:
 *
 *   maps      depths as seen from parts of the sun's disc and of the sky: coarse surfaces, tubes and colliders (lights.h)
 *   picture   floor, surfaces, tubes, colliders and overlays, with 4 samples a pixel; then the background and the legend
 *
 * A picture may be the mean of four of these, each with other lights and with its samples elsewhere: 16 samples a pixel, 16 points of the sun and 48
 * directions of the sky. */
#ifndef DRAW_PAINTER_H
#define DRAW_PAINTER_H

#include "draw/frame.h"

typedef struct draw_painter draw_painter;

enum { DRAW_FAST = 1, DRAW_STILL = 4 };

/* How a frame is looked at. */
typedef struct draw_view {
    draw_camera camera;
    draw_bounds stage; /* box of all frames of a film; shadows and floor are laid out for it, so that they stand still */
    uint32_t    width, height;
    float       strain_range; /* as in draw_source */
    uint32_t    covered;      /* pixels at the left that something else covers: the legend stands right of them */
    uint32_t    passes;       /* DRAW_FAST, or DRAW_STILL for a picture that is looked at for long; 0 is fast */
} draw_view;

/* The context must be current in all of these calls. NULL with an error where it cannot do what is needed. */
draw_painter *draw_painter_create(const draw_subject *subject, pliant_error *error);
void          draw_painter_destroy(draw_painter *p);

/* Uploads a frame, as one buffer, and draws it. The next calls give the picture drawn last. */
bool draw_painter_paint(draw_painter *p, const draw_frame *frame, const draw_view *view, pliant_error *error);

/* The picture: 3 bytes a pixel, the top row first. */
void draw_painter_read(draw_painter *p, uint8_t *rgb);

/* Likewise for any framebuffer, 0 being the window's. */
void draw_read_framebuffer(uint32_t framebuffer, uint32_t width, uint32_t height, uint8_t *rgb);

/* Puts the picture onto another framebuffer of the same size, 0 being the window's. */
void draw_painter_show(draw_painter *p, uint32_t framebuffer);

#endif
