/* OpenGL 3.3 core without a window and without a display, on whatever the machine has: a graphics card, or the processor. */
#ifndef DRAW_OFFSCREEN_H
#define DRAW_OFFSCREEN_H

#include "pliant/base.h"

typedef struct draw_offscreen draw_offscreen;

/** Makes a context, current on the calling thread, with no framebuffer but those one makes: draw into a framebuffer object.
 * `which`: "egl-device", "egl-surfaceless", "osmesa", or NULL for what PLIANT_GL says in the environment, else the first that works. There
 * can be one at a time. NULL with PLIANT_ERROR_UNAVAILABLE and a sentence that says for each way why not, and which packages would help;
 * with PLIANT_ERROR_ARGUMENT for a word that is none of these. */
draw_offscreen *draw_offscreen_create(const char *which, pliant_error *error);

/** Ends it; on the thread that made it. NULL is allowed. */
void draw_offscreen_destroy(draw_offscreen *offscreen);

/** The name of the renderer, for example "EGL surfaceless, llvmpipe (LLVM 15.0.6, 256 bits)". Never NULL. */
const char *draw_offscreen_name(const draw_offscreen *offscreen);

#endif
