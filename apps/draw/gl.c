/* The pointers behind the names. */
#include "draw/gl.h"

#include <stddef.h>

const char *draw_gl_load(draw_gl_function (*find)(const char *name))
{
    const char      *missing = NULL;
    draw_gl_function found;
#define LOAD(name)                           \
    found = find(#name);                     \
    if (!found && !missing) missing = #name; \
    epoxy_##name = (__typeof__(epoxy_##name))found;
    DRAW_GL_FUNCTIONS(LOAD)
#undef LOAD
    return missing;
}
