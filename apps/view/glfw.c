/* GLFW, loaded when a window opens. Dear ImGui's own code calls GLFW, too, so its functions stand here under their names, and hand over to those that were
 * loaded. A function that is not in the list does not link. */
#include "view/glfw.h"

#ifdef PLIANT_LATE_GLFW

#include "base/late.h"

#include <GLFW/glfw3.h>

/* V(name, parameters, arguments): without an answer. X(type, name, parameters, arguments). */
#define GLFW_VOID(V)                                                                                            \
    V(glfwDestroyCursor, (GLFWcursor * cursor), (cursor))                                                       \
    V(glfwDestroyWindow, (GLFWwindow * window), (window))                                                       \
    V(glfwGetCursorPos, (GLFWwindow * window, double *xpos, double *ypos), (window, xpos, ypos))                \
    V(glfwGetFramebufferSize, (GLFWwindow * window, int *width, int *height), (window, width, height))          \
    V(glfwGetWindowContentScale, (GLFWwindow * window, float *xscale, float *yscale), (window, xscale, yscale)) \
    V(glfwGetWindowSize, (GLFWwindow * window, int *width, int *height), (window, width, height))               \
    V(glfwMakeContextCurrent, (GLFWwindow * window), (window))                                                  \
    V(glfwSetClipboardString, (GLFWwindow * window, const char *string), (window, string))                      \
    V(glfwSetCursor, (GLFWwindow * window, GLFWcursor * cursor), (window, cursor))                              \
    V(glfwSetCursorPos, (GLFWwindow * window, double xpos, double ypos), (window, xpos, ypos))                  \
    V(glfwSetInputMode, (GLFWwindow * window, int mode, int value), (window, mode, value))                      \
    V(glfwSetWindowShouldClose, (GLFWwindow * window, int value), (window, value))                              \
    V(glfwSetWindowTitle, (GLFWwindow * window, const char *title), (window, title))                            \
    V(glfwSetWindowUserPointer, (GLFWwindow * window, void *pointer), (window, pointer))                        \
    V(glfwSwapBuffers, (GLFWwindow * window), (window))                                                         \
    V(glfwSwapInterval, (int interval), (interval))                                                             \
    V(glfwTerminate, (void), ())                                                                                \
    V(glfwWaitEventsTimeout, (double timeout), (timeout))                                                       \
    V(glfwWindowHint, (int hint, int value), (hint, value))

#define GLFW_ANSWERS(X)                                                                                                                   \
    X(GLFWcursor *, glfwCreateStandardCursor, (int shape), (shape))                                                                       \
    X(GLFWwindow *, glfwCreateWindow, (int width, int height, const char *title, GLFWmonitor *monitor, GLFWwindow *share),                \
      (width, height, title, monitor, share))                                                                                             \
    X(const char *, glfwGetClipboardString, (GLFWwindow * window), (window))                                                              \
    X(int, glfwGetInputMode, (GLFWwindow * window, int mode), (window, mode))                                                             \
    X(const float *, glfwGetJoystickAxes, (int jid, int *count), (jid, count))                                                            \
    X(const unsigned char *, glfwGetJoystickButtons, (int jid, int *count), (jid, count))                                                 \
    X(int, glfwGetMouseButton, (GLFWwindow * window, int button), (window, button))                                                       \
    X(GLFWglproc, glfwGetProcAddress, (const char *procname), (procname))                                                                 \
    X(double, glfwGetTime, (void), ())                                                                                                    \
    X(int, glfwGetWindowAttrib, (GLFWwindow * window, int attrib), (window, attrib))                                                      \
    X(void *, glfwGetWindowUserPointer, (GLFWwindow * window), (window))                                                                  \
    X(int, glfwInit, (void), ())                                                                                                          \
    X(GLFWcharfun, glfwSetCharCallback, (GLFWwindow * window, GLFWcharfun callback), (window, callback))                                  \
    X(GLFWcursorenterfun, glfwSetCursorEnterCallback, (GLFWwindow * window, GLFWcursorenterfun callback), (window, callback))             \
    X(GLFWcursorposfun, glfwSetCursorPosCallback, (GLFWwindow * window, GLFWcursorposfun callback), (window, callback))                   \
    X(GLFWdropfun, glfwSetDropCallback, (GLFWwindow * window, GLFWdropfun callback), (window, callback))                                  \
    X(GLFWerrorfun, glfwSetErrorCallback, (GLFWerrorfun callback), (callback))                                                            \
    X(GLFWframebuffersizefun, glfwSetFramebufferSizeCallback, (GLFWwindow * window, GLFWframebuffersizefun callback), (window, callback)) \
    X(GLFWkeyfun, glfwSetKeyCallback, (GLFWwindow * window, GLFWkeyfun callback), (window, callback))                                     \
    X(GLFWmonitorfun, glfwSetMonitorCallback, (GLFWmonitorfun callback), (callback))                                                      \
    X(GLFWmousebuttonfun, glfwSetMouseButtonCallback, (GLFWwindow * window, GLFWmousebuttonfun callback), (window, callback))             \
    X(GLFWscrollfun, glfwSetScrollCallback, (GLFWwindow * window, GLFWscrollfun callback), (window, callback))                            \
    X(GLFWwindowfocusfun, glfwSetWindowFocusCallback, (GLFWwindow * window, GLFWwindowfocusfun callback), (window, callback))             \
    X(GLFWwindowrefreshfun, glfwSetWindowRefreshCallback, (GLFWwindow * window, GLFWwindowrefreshfun callback), (window, callback))       \
    X(int, glfwWindowShouldClose, (GLFWwindow * window), (window))

static struct {
#define POINTER(name, parameters, arguments) __typeof__(name) *name;
    GLFW_VOID(POINTER)
#undef POINTER
#define POINTER(type, name, parameters, arguments) __typeof__(name) *name;
    GLFW_ANSWERS(POINTER)
#undef POINTER
} late;

static const late_symbol symbols[] = {
#define SYMBOL(name, parameters, arguments) {#name, &late.name},
    GLFW_VOID(SYMBOL)
#undef SYMBOL
#define SYMBOL(type, name, parameters, arguments) {#name, &late.name},
        GLFW_ANSWERS(SYMBOL)
#undef SYMBOL
};

#define HAND_OVER(name, parameters, arguments) \
    void name parameters { late.name arguments; }
GLFW_VOID(HAND_OVER)
#undef HAND_OVER
#define HAND_OVER(type, name, parameters, arguments) \
    type name parameters { return late.name arguments; }
GLFW_ANSWERS(HAND_OVER)
#undef HAND_OVER

bool view_load_glfw(char *why, size_t size)
{
    static late_library library = LATE_LIBRARY(PLIANT_LATE_GLFW, symbols);
    return late_open(&library, why, size);
}

#else

bool view_load_glfw(char *why, size_t size)
{
    (void)why;
    (void)size;
    return true;
}

#endif
