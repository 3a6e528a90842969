/* The pointers behind the names. */
#ifdef __linux__
#define _GNU_SOURCE /* dl_iterate_phdr */
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#endif
#include "draw/gl.h"

#include <stddef.h>

#ifdef __linux__
static int keep_one(struct dl_phdr_info *library, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (strstr(library->dlpi_name, "_dri.so") || strstr(library->dlpi_name, "libgallium") || strstr(library->dlpi_name, "libGLX"))
        dlopen(library->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    return 0;
}

/* A driver is not made to be unloaded: pointers of its threads, and addresses in a leak checker's report, would lead nowhere. */
static void keep_driver(void) { dl_iterate_phdr(keep_one, NULL); }
#else
static void keep_driver(void) {}
#endif

#define DEFINE(name) __typeof__(epoxy_##name) epoxy_##name;
DRAW_GL_FUNCTIONS(DEFINE)
#undef DEFINE

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
    keep_driver();
    return missing;
}
