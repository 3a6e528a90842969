/* Where GLFW comes from. */
#ifndef VIEW_GLFW_H
#define VIEW_GLFW_H

#include <stdbool.h>
#include <stddef.h>

/* Loads GLFW, before any of its functions is called. False: it is not there, and `why` says so in `size` bytes. */
bool view_load_glfw(char *why, size_t size);

#endif
