/* PNG files as textures of OpenGL, with mip maps, in the context that is current. */
#ifndef DRAW_TEXTURE_H
#define DRAW_TEXTURE_H

#include "draw/gl.h"
#include "draw/subject.h"

/* The texture of a body of the subject that has one; 0 with an error where it is no whole PNG, or larger than this machine can draw. */
GLuint draw_texture_make(const draw_subject *subject, const draw_body *body, pliant_error *error);

#endif
