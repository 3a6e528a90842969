/* Draws frames with OpenGL 3.3 core into whatever context is current. Passes:
 *
 *   shadow    what the sun sees: depths of coarse surfaces, tubes and colliders
 *   contact   what the floor sees from below, blurred: how much of the sky is hidden where something is close
 *   picture   background, floor, surfaces, tubes, colliders, overlays, legend; 4 samples a pixel, resolved in the end
 */
#ifndef DRAW_PAINTER_H
#define DRAW_PAINTER_H

#include "draw/frame.h"

typedef struct draw_painter draw_painter;

/* How a frame is looked at. */
typedef struct draw_view {
    draw_camera camera;
    draw_bounds stage; /* what happens in the whole film; shadows and floor are laid out for it, so that they stand still */
    uint32_t    width, height;
    float       strain_range; /* as in draw_source */
} draw_view;

/* The context must be current in all of these calls. NULL with an error where it cannot do what is needed. */
draw_painter *draw_painter_create(const draw_subject *subject, pliant_error *error);
void          draw_painter_destroy(draw_painter *p);

/* Uploads a frame, as one buffer, and draws it. What is drawn last is what the next calls give. */
bool draw_painter_paint(draw_painter *p, const draw_frame *frame, const draw_view *view, pliant_error *error);

/* The picture: 3 bytes a pixel, the top row first. */
void draw_painter_read(draw_painter *p, uint8_t *rgb);

/* The same of any framebuffer, 0 being the window's. */
void draw_read_framebuffer(uint32_t framebuffer, uint32_t width, uint32_t height, uint8_t *rgb);

/* Puts the picture onto another framebuffer of the same size, 0 being the window's. */
void draw_painter_show(draw_painter *p, uint32_t framebuffer);

#endif
