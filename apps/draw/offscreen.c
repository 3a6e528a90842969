/* Three ways to a context, tried in this order:
 *
 *   egl-device       EGL on a device that EGL lists: a graphics card without a display, or Mesa's software device
 *   egl-surfaceless  EGL on Mesa's platform without surfaces
 *   osmesa           Mesa's software renderer as a library of its own, without EGL
 *
 * Both libraries are opened at run time, so that the command starts where they are missing and can say what to install. They stay in memory
 * (RTLD_NODELETE): Mesa and LLVM do not survive being unloaded and loaded again. */
#define _POSIX_C_SOURCE 200809L
#define EGL_NO_X11
#define MESA_EGL_NO_X11_HEADERS
#include "draw/offscreen.h"
#include "base/late.h"
#include "draw/fail.h"
#include "draw/gl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define MAX_DEVICES 16

/* ---- the libraries ---- */

typedef EGLBoolean (*query_devices_function)(EGLint, EGLDeviceEXT *, EGLint *);
typedef EGLDisplay (*platform_display_function)(EGLenum, void *, const EGLint *);

static struct {
    EGLint (*GetError)(void);
    EGLBoolean (*Initialize)(EGLDisplay, EGLint *, EGLint *);
    EGLBoolean (*Terminate)(EGLDisplay);
    EGLBoolean (*ReleaseThread)(void);
    EGLBoolean (*BindAPI)(EGLenum);
    const char *(*QueryString)(EGLDisplay, EGLint);
    EGLBoolean (*ChooseConfig)(EGLDisplay, const EGLint *, EGLConfig *, EGLint, EGLint *);
    EGLContext (*CreateContext)(EGLDisplay, EGLConfig, EGLContext, const EGLint *);
    EGLBoolean (*DestroyContext)(EGLDisplay, EGLContext);
    EGLBoolean (*MakeCurrent)(EGLDisplay, EGLSurface, EGLSurface, EGLContext);
    draw_gl_function (*GetProcAddress)(const char *);
} egl;

/* As in GL/osmesa.h, which cannot be included beside libepoxy's declarations. */
typedef struct osmesa_context *OSMesaContext;
enum {
    OSMESA_FORMAT = 0x22,
    OSMESA_DEPTH_BITS = 0x30,
    OSMESA_PROFILE = 0x33,
    OSMESA_CORE_PROFILE = 0x34,
    OSMESA_CONTEXT_MAJOR_VERSION = 0x36,
    OSMESA_CONTEXT_MINOR_VERSION = 0x37
};

static struct {
    OSMesaContext (*CreateContextAttribs)(const int *, OSMesaContext);
    void (*DestroyContext)(OSMesaContext);
    GLboolean (*MakeCurrent)(OSMesaContext, void *, GLenum, GLsizei, GLsizei);
    draw_gl_function (*GetProcAddress)(const char *);
} osmesa;

static const late_symbol egl_symbols[] = {{"eglGetError", &egl.GetError},
                                          {"eglInitialize", &egl.Initialize},
                                          {"eglTerminate", &egl.Terminate},
                                          {"eglReleaseThread", &egl.ReleaseThread},
                                          {"eglBindAPI", &egl.BindAPI},
                                          {"eglQueryString", &egl.QueryString},
                                          {"eglChooseConfig", &egl.ChooseConfig},
                                          {"eglCreateContext", &egl.CreateContext},
                                          {"eglDestroyContext", &egl.DestroyContext},
                                          {"eglMakeCurrent", &egl.MakeCurrent},
                                          {"eglGetProcAddress", &egl.GetProcAddress}};

static const late_symbol osmesa_symbols[] = {{"OSMesaCreateContextAttribs", &osmesa.CreateContextAttribs},
                                             {"OSMesaDestroyContext", &osmesa.DestroyContext},
                                             {"OSMesaMakeCurrent", &osmesa.MakeCurrent},
                                             {"OSMesaGetProcAddress", &osmesa.GetProcAddress}};

/* The message of one way when it fails. */
typedef struct reason {
    char text[140];
} reason;

__attribute__((format(printf, 2, 3))) static bool because(reason *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return false;
}

static late_library egl_library = LATE_LIBRARY("libEGL.so.1", egl_symbols), osmesa_library = LATE_LIBRARY("libOSMesa.so.8", osmesa_symbols);

/* ---- EGL ---- */

struct draw_offscreen {
    const struct way *way;
    EGLDisplay        display;
    EGLContext        context;
    OSMesaContext     os_context;
    uint32_t          os_buffer[16 * 16]; /* OSMesa insists on a picture; it stays unused */
    char              name[256];
};

static bool open_egl(reason *why)
{
    setenv("EGL_LOG_LEVEL", "fatal", 0); /* else Mesa warns on stderr about every device that it cannot open */
    return late_open(&egl_library, why->text, sizeof why->text);
}

static bool listed(const char *extensions, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = extensions; at && (at = strstr(at, name)); at += length)
        if ((at == extensions || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) return true;
    return false;
}

static bool has_client_extension(const char *name, reason *why)
{
    if (listed(egl.QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), name)) return true;
    return because(why, "EGL has no %s", name);
}

static bool fail_egl(reason *why, const char *call) { return because(why, "%s fails (EGL error 0x%x)", call, (unsigned)egl.GetError()); }

static bool create_egl_context(draw_offscreen *o, reason *why)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    static const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION_KHR,           3,       EGL_CONTEXT_MINOR_VERSION_KHR, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR, EGL_NONE};
    const char *extensions = egl.QueryString(o->display, EGL_EXTENSIONS);
    EGLConfig   config = NULL; /* which is EGL_NO_CONFIG_KHR */
    EGLint      count = 0;
    if (!listed(extensions, "EGL_KHR_create_context")) return because(why, "EGL has no EGL_KHR_create_context");
    if (!listed(extensions, "EGL_KHR_surfaceless_context")) return because(why, "EGL has no EGL_KHR_surfaceless_context");
    if (!egl.BindAPI(EGL_OPENGL_API)) return fail_egl(why, "eglBindAPI");
    bool chosen = egl.ChooseConfig(o->display, wanted, &config, 1, &count) && count > 0;
    if (!chosen && !listed(extensions, "EGL_KHR_no_config_context")) return because(why, "no configuration for OpenGL");
    o->context = egl.CreateContext(o->display, chosen ? config : NULL, EGL_NO_CONTEXT, attributes);
    if (o->context == EGL_NO_CONTEXT) return fail_egl(why, "eglCreateContext for OpenGL 3.3");
    if (!egl.MakeCurrent(o->display, EGL_NO_SURFACE, EGL_NO_SURFACE, o->context)) return fail_egl(why, "eglMakeCurrent");
    return true;
}

static void close_egl(draw_offscreen *o)
{
    if (o->display == EGL_NO_DISPLAY) return;
    egl.MakeCurrent(o->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (o->context != EGL_NO_CONTEXT) egl.DestroyContext(o->display, o->context);
    egl.Terminate(o->display);
    egl.ReleaseThread();
    o->display = EGL_NO_DISPLAY;
    o->context = EGL_NO_CONTEXT;
}

/* The functions by the context's own means. */
static bool load_functions(draw_gl_function (*find)(const char *), reason *why)
{
    const char *missing = draw_gl_load(find);
    if (missing) return because(why, "there is no %s", missing);
    GLint major = 0, minor = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    return 10 * major + minor >= 33 || because(why, "OpenGL is %d.%d only", major, minor);
}

static bool open_display(draw_offscreen *o, EGLenum platform, void *native, reason *why)
{
    draw_gl_function          found = egl.GetProcAddress("eglGetPlatformDisplayEXT");
    platform_display_function get = (platform_display_function)found;
    if (!get) return because(why, "EGL has no eglGetPlatformDisplayEXT");
    o->display = get(platform, native, NULL);
    if (o->display == EGL_NO_DISPLAY) return fail_egl(why, "eglGetPlatformDisplay");
    if (!egl.Initialize(o->display, NULL, NULL)) {
        o->display = EGL_NO_DISPLAY; /* nothing to terminate */
        return fail_egl(why, "eglInitialize");
    }
    if (create_egl_context(o, why) && load_functions(egl.GetProcAddress, why)) return true;
    close_egl(o);
    return false;
}

static bool open_device(draw_offscreen *o, reason *why)
{
    EGLDeviceEXT devices[MAX_DEVICES];
    EGLint       count = 0;
    if (!open_egl(why) || !has_client_extension("EGL_EXT_platform_device", why)) return false;
    query_devices_function query = (query_devices_function)egl.GetProcAddress("eglQueryDevicesEXT");
    if (!query || !query(MAX_DEVICES, devices, &count)) return because(why, "EGL lists no devices");
    because(why, "EGL lists no devices");
    for (EGLint i = 0; i < count; i++)
        if (open_display(o, EGL_PLATFORM_DEVICE_EXT, devices[i], why)) return true;
    return false;
}

static bool open_surfaceless(draw_offscreen *o, reason *why)
{
    if (!open_egl(why) || !has_client_extension("EGL_MESA_platform_surfaceless", why)) return false;
    return open_display(o, EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, why);
}

/* ---- OSMesa ---- */

static void close_osmesa(draw_offscreen *o)
{
    if (!o->os_context) return;
    osmesa.MakeCurrent(NULL, NULL, 0, 0, 0);
    osmesa.DestroyContext(o->os_context);
    o->os_context = NULL;
}

static bool open_osmesa(draw_offscreen *o, reason *why)
{
    static const int attributes[] = {OSMESA_FORMAT,
                                     GL_RGBA,
                                     OSMESA_DEPTH_BITS,
                                     24,
                                     OSMESA_PROFILE,
                                     OSMESA_CORE_PROFILE,
                                     OSMESA_CONTEXT_MAJOR_VERSION,
                                     3,
                                     OSMESA_CONTEXT_MINOR_VERSION,
                                     3,
                                     0};
    if (!late_open(&osmesa_library, why->text, sizeof why->text)) return false;
    o->os_context = osmesa.CreateContextAttribs(attributes, NULL);
    if (!o->os_context) return because(why, "OSMesa makes no context of OpenGL 3.3");
    if (!osmesa.MakeCurrent(o->os_context, o->os_buffer, GL_UNSIGNED_BYTE, 16, 16))
        because(why, "OSMesaMakeCurrent fails");
    else if (load_functions(osmesa.GetProcAddress, why))
        return true;
    close_osmesa(o);
    return false;
}

/* ---- the ways ---- */

typedef struct way {
    const char *word, *title, *package;
    bool (*open)(draw_offscreen *o, reason *why);
    void (*close)(draw_offscreen *o);
} way;

static const way ways[] = {{"egl-device", "EGL device", "libegl1 libgl1-mesa-dri", open_device, close_egl},
                           {"egl-surfaceless", "EGL surfaceless", "libegl1 libgl1-mesa-dri", open_surfaceless, close_egl},
                           {"osmesa", "OSMesa", "libosmesa6", open_osmesa, close_osmesa}};

/* Pointers to functions are the process's, and so is EGL's display: a second one would end with the first. */
static bool in_use;

/* Which way, or COUNT(ways) for all; false for a word that means none. */
static bool choose(const char *which, size_t *chosen, pliant_error *error)
{
    const char *variable = which ? NULL : getenv("PLIANT_GL");
    const char *word = which ? which : variable;
    *chosen = COUNT(ways);
    if (!word || !*word) return true;
    for (size_t i = 0; i < COUNT(ways); i++)
        if (strcmp(ways[i].word, word) == 0) *chosen = i;
    if (*chosen < COUNT(ways)) return true;
    return draw_fail(error, PLIANT_ERROR_ARGUMENT, NULL, "%s%.40s is no way to OpenGL (egl-device, egl-surfaceless or osmesa)",
                     variable ? "PLIANT_GL=" : "", word);
}

static void explain(const reason *why, size_t chosen, pliant_error *error)
{
    char   text[sizeof error->message];
    size_t used = 0;
    for (size_t i = 0; i < COUNT(ways); i++)
        if (chosen == i || chosen == COUNT(ways))
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.20s: %.110s", used ? "; " : "", ways[i].title, why[i].text);
    draw_fail(error, PLIANT_ERROR_UNAVAILABLE, NULL, "no OpenGL 3.3 without a display: %s (on Debian, install %s)", text,
              chosen < COUNT(ways) ? ways[chosen].package : "libegl1 and libgl1-mesa-dri, or libosmesa6");
}

draw_offscreen *draw_offscreen_create(const char *which, pliant_error *error)
{
    reason why[COUNT(ways)] = {{""}};
    size_t chosen;
    if (!choose(which, &chosen, error)) return NULL;
    draw_offscreen *o = in_use ? NULL : calloc(1, sizeof *o);
    if (!o) {
        draw_fail(error, in_use ? PLIANT_ERROR_ARGUMENT : PLIANT_ERROR_MEMORY, NULL,
                  in_use ? "there is an offscreen context already" : "out of memory for an offscreen context");
        return NULL;
    }
    for (size_t i = 0; i < COUNT(ways); i++) {
        if ((chosen != i && chosen != COUNT(ways)) || !ways[i].open(o, &why[i])) continue;
        const char *renderer = (const char *)glGetString(GL_RENDERER);
        snprintf(o->name, sizeof o->name, "%s, %.200s", ways[i].title, renderer ? renderer : "an unknown renderer");
        o->way = &ways[i];
        in_use = true;
        return o;
    }
    explain(why, chosen, error);
    free(o);
    return NULL;
}

void draw_offscreen_destroy(draw_offscreen *o)
{
    if (!o) return;
    o->way->close(o);
    in_use = false;
    free(o);
}

const char *draw_offscreen_name(const draw_offscreen *o) { return o->name; }
