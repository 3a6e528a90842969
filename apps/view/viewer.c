/* The window: events in, pictures out. The session simulates elsewhere; here nothing takes longer than a picture. */
#define _POSIX_C_SOURCE 200809L
#include "view/window.h"

#include "draw/fail.h"
#include "draw/gl.h"
#include "draw/picture.h"
#include "view/glfw.h"
#include "view/ui.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GRAB_PIXELS 24.0f

/* ---- scenes ---- */

static struct timespec written(const char *path)
{
    struct stat     s;
    struct timespec none = {0, 0};
    return stat(path, &s) == 0 ? s.st_mtim : none;
}

/* A box about the body that the camera goes with, and the mean of its vertices; false where it goes with none. */
static bool see_followed(const window *w, draw_bounds *box, f3 *mean)
{
    const pliant_camera *asked = view_session_camera(w->session);
    const draw_subject  *subject = view_session_subject(w->session);
    *box = draw_bounds_empty();
    *mean = f3_of(0, 0, 0);
    for (uint32_t i = 0; asked->follows && w->frame->points && i < subject->body_count; i++) {
        const draw_body *b = &subject->bodies[i];
        if (b->info.body.id != asked->body.id) continue;
        const float share = 1 / (float)b->info.vertex_count;
        for (uint32_t v = 0; v < b->info.vertex_count; v++) {
            draw_bounds_add(box, w->frame->points[b->first_point + v], b->radius);
            *mean = f3_add(*mean, f3_scale(w->frame->points[b->first_point + v], share));
        }
        return f3_finite(*mean);
    }
    return false;
}

/* The camera goes as far as the body has since it was last seen. */
static void follow(window *w)
{
    draw_bounds box;
    f3          mean;
    if (!see_followed(w, &box, &mean)) return;
    const f3 by = f3_sub(mean, w->followed);
    w->view.camera.eye = f3_add(w->view.camera.eye, by);
    w->view.camera.target = f3_add(w->view.camera.target, by);
    w->followed = mean;
}

/* Shows all there is, or all of the body that is followed, from the side that the scene asks for. */
static void fit_camera(window *w)
{
    int         width, height;
    draw_bounds box;
    f3          mean;
    glfwGetFramebufferSize(w->glfw, &width, &height);
    w->view.camera =
        draw_camera_fit_beside(see_followed(w, &box, &mean) ? &box : &w->frame->all, height > 0 ? (float)width / (float)height : 1,
                               panel_part(w, width), draw_camera_side(draw_camera_word(view_session_camera(w->session)->from)));
}

/* The scene's own camera, or the whole scene in the part of the window beside the panel. */
static void open_camera(window *w)
{
    int         width, height;
    draw_bounds box;
    glfwGetFramebufferSize(w->glfw, &width, &height);
    if (!view_session_camera(w->session)->placed) {
        fit_camera(w);
    } else {
        draw_camera_of(view_session_camera(w->session), &w->view.camera);
        draw_camera_pan(&w->view.camera, -0.5f * panel_part(w, width) * (float)width / (float)(height > 0 ? height : 1), 0);
    }
    see_followed(w, &box, &w->followed);
}

static void say_error(window *w, const pliant_error *e)
{
    if (*e->path && e->line)
        snprintf(w->notice, sizeof w->notice, "%.250s:%d: %.300s", e->path, e->line, e->message);
    else
        snprintf(w->notice, sizeof w->notice, "%.250s%s%.300s", e->path, *e->path ? ": " : "", e->message);
}

bool window_open(window *w, const char *path, pliant_error *error)
{
    pliant_error inner = {PLIANT_OK, 0, "", ""};
    char         copy[sizeof w->path];
    bool         again = w->session && strcmp(path, w->path) == 0;
    snprintf(copy, sizeof copy, "%s", path);
    memcpy(w->watched, copy, sizeof copy);
    w->changed = written(copy); /* also of a file that is wrong: it is read again when it is mended */
    w->dirty = VIEW_SETTLE;
    view_session *s = view_session_open(*copy ? copy : "demo.json", *copy ? NULL : pliant_demo_scene(NULL), w->options->threads,
                                        w->options->linear, &inner);
    draw_painter *painter = s ? draw_painter_create(view_session_subject(s), &inner) : NULL;
    if (!painter) {
        view_session_close(s);
        if (!*inner.path && *copy) snprintf(inner.path, sizeof inner.path, "%.255s", copy);
        say_error(w, &inner);
        if (error) *error = inner;
        return false;
    }
    draw_painter_destroy(w->painter);
    view_session_close(w->session);
    w->session = s;
    w->painter = painter;
    memcpy(w->path, copy, sizeof copy);
    w->notice[0] = 0;
    w->controls = (view_controls){.speed = 1,
                                  .grab_compliance = (pliant_real)1e-3,
                                  .show = w->controls.show,
                                  .strain_range = w->controls.strain_range,
                                  .loop = w->controls.loop,
                                  .energy = w->controls.energy};
    w->frame = view_session_frame(s, NULL);
    w->view.stage = w->frame->all;
    draw_bounds box;
    if (!again)
        open_camera(w);
    else
        see_followed(w, &box, &w->followed);
    view_session_control(s, &w->controls);
    return panel_make(w) || draw_fail(error, PLIANT_ERROR_MEMORY, NULL, "out of memory for the panel");
}

/* A file that was written since is read again: from its frame 0, seen from where it was. */
static void look_at_file(window *w)
{
    if (!*w->watched || glfwGetTime() - w->looked < 0.3) return;
    w->looked = glfwGetTime();
    struct timespec now = written(w->watched);
    if (now.tv_sec == 0 || (now.tv_sec == w->changed.tv_sec && now.tv_nsec == w->changed.tv_nsec)) return;
    char path[sizeof w->watched];
    memcpy(path, w->watched, sizeof path);
    window_open(w, path, NULL);
}

/* ---- grabbing ---- */

static m4 picture_matrix(const window *w)
{
    float aspect = (float)w->view.width / (float)w->view.height;
    return draw_camera_matrix(&w->view.camera, aspect, draw_bounds_center(&w->view.stage), 10 * draw_bounds_radius(&w->view.stage));
}

/* Mouse to picture, [-1, 1]. */
static void mouse_place(const window *w, float *x, float *y)
{
    int width, height;
    glfwGetWindowSize(w->glfw, &width, &height);
    *x = 2 * (float)w->mouse_x / (float)(width > 0 ? width : 1) - 1;
    *y = 1 - 2 * (float)w->mouse_y / (float)(height > 0 ? height : 1);
}

static f3 grab_place(const window *w)
{
    f3    right, up, forward;
    float x, y;
    mouse_place(w, &x, &y);
    draw_camera_axes(&w->view.camera, &right, &up, &forward);
    f3 ray = draw_camera_ray(&w->view.camera, (float)w->view.width / (float)w->view.height, x, y);
    return f3_add(w->view.camera.eye, f3_scale(ray, w->grab_depth / fmaxf(1e-3f, f3_dot(ray, forward))));
}

/* The point nearest to the eye of those under the mouse. */
static bool grab(window *w)
{
    const draw_subject *s = view_session_subject(w->session);
    m4                  m = picture_matrix(w);
    f3                  right, up, forward;
    float               mx, my, best = 0;
    uint32_t            found = UINT32_MAX;
    mouse_place(w, &mx, &my);
    draw_camera_axes(&w->view.camera, &right, &up, &forward);
    for (uint32_t i = 0; w->frame->points && i < s->point_count; i++) {
        float x, y, depth = f3_dot(f3_sub(w->frame->points[i], w->view.camera.eye), forward);
        if (!m4_project(&m, w->frame->points[i], &x, &y)) continue;
        float dx = (x - mx) * 0.5f * (float)w->view.width, dy = (y - my) * 0.5f * (float)w->view.height, off = sqrtf(dx * dx + dy * dy);
        float score = depth * (1 + off / GRAB_PIXELS);
        if (off > GRAB_PIXELS || (found != UINT32_MAX && score >= best)) continue;
        found = i;
        best = score;
        w->grab_depth = depth;
    }
    if (found == UINT32_MAX) return false;
    uint32_t b = 0;
    while (found >= s->bodies[b].first_point + s->bodies[b].info.vertex_count) b++;
    w->controls.grabbing = true;
    w->controls.grab_body = s->bodies[b].info.body;
    w->controls.grab_vertex = found - s->bodies[b].first_point;
    return true;
}

static void drag(window *w)
{
    f3 to = grab_place(w);
    w->controls.grab_target = (pliant_vec3){(pliant_real)to.x, (pliant_real)to.y, (pliant_real)to.z};
    view_session_control(w->session, &w->controls);
}

/* ---- events ---- */

static window *window_of(GLFWwindow *glfw) { return glfwGetWindowUserPointer(glfw); }

static void on_button(GLFWwindow *glfw, int button, int action, int mods)
{
    window *w = window_of(glfw);
    (void)mods;
    w->dirty = VIEW_SETTLE;
    if (action == GLFW_RELEASE) {
        w->orbiting = w->panning = false;
        if (w->controls.grabbing) {
            w->controls.grabbing = false;
            view_session_control(w->session, &w->controls);
        }
        return;
    }
    if (ui_has_mouse()) return;
    glfwGetCursorPos(glfw, &w->mouse_x, &w->mouse_y);
    if (button == GLFW_MOUSE_BUTTON_LEFT) {
        if (grab(w))
            drag(w);
        else
            w->orbiting = true;
    } else {
        w->panning = true;
    }
}

static void on_move(GLFWwindow *glfw, double x, double y)
{
    window *w = window_of(glfw);
    int     width, height;
    float   dx = (float)(x - w->mouse_x), dy = (float)(y - w->mouse_y);
    w->mouse_x = x;
    w->mouse_y = y;
    w->dirty = VIEW_SETTLE;
    glfwGetWindowSize(glfw, &width, &height);
    if (w->controls.grabbing) drag(w);
    if (w->orbiting) draw_camera_orbit(&w->view.camera, -0.008f * dx, 0.008f * dy);
    if (w->panning && height > 0) draw_camera_pan(&w->view.camera, -dx / (float)height, dy / (float)height);
}

static void on_wheel(GLFWwindow *glfw, double x, double y)
{
    window *w = window_of(glfw);
    (void)x;
    w->dirty = VIEW_SETTLE;
    if (!ui_has_mouse()) draw_camera_zoom(&w->view.camera, powf(0.9f, (float)y));
}

static void toggle_overlay(window *w, int index)
{
    w->panel.show[index] = !w->panel.show[index];
    w->controls.show ^= 1u << index;
    view_session_control(w->session, &w->controls);
}

static void on_key(GLFWwindow *glfw, int key, int code, int action, int mods)
{
    window *w = window_of(glfw);
    (void)code;
    (void)mods;
    w->dirty = VIEW_SETTLE;
    if (action == GLFW_RELEASE || ui_has_keyboard()) return;
    if (action == GLFW_REPEAT && key != GLFW_KEY_RIGHT && key != GLFW_KEY_LEFT) return;
    view_session_status(w->session, &w->status);
    if (key == GLFW_KEY_SPACE) view_session_command(w->session, w->status.playing ? VIEW_PAUSE : VIEW_PLAY, 0);
    if (key == GLFW_KEY_RIGHT) view_session_command(w->session, VIEW_STEP, 0);
    if (key == GLFW_KEY_LEFT) view_session_command(w->session, VIEW_BACK, 0);
    if (key == GLFW_KEY_R) view_session_command(w->session, VIEW_RESET, 0);
    if (key == GLFW_KEY_F) fit_camera(w);
    if (key == GLFW_KEY_H) w->panel.hidden = !w->panel.hidden;
    if (key == GLFW_KEY_F12) w->shot = true;
    if (key == GLFW_KEY_Q && (mods & GLFW_MOD_CONTROL)) glfwSetWindowShouldClose(glfw, GLFW_TRUE);
    if (key >= GLFW_KEY_1 && key <= GLFW_KEY_9 && draw_overlay_name((uint32_t)(key - GLFW_KEY_1))) toggle_overlay(w, key - GLFW_KEY_1);
}

static void on_refresh(GLFWwindow *glfw) { window_of(glfw)->dirty = VIEW_SETTLE; }

static void on_size(GLFWwindow *glfw, int width, int height)
{
    (void)width;
    (void)height;
    window_of(glfw)->dirty = VIEW_SETTLE;
}

static void on_drop(GLFWwindow *glfw, int count, const char **paths)
{
    if (count > 0) window_open(window_of(glfw), paths[0], NULL);
}

/* ---- pictures ---- */

/* NAME.FRAME.png in the working folder; a number is added where there is one already. */
static void take_screenshot(window *w, int width, int height)
{
    const char  *slash = strrchr(w->path, '/'), *name = slash ? slash + 1 : *w->path ? w->path : "demo";
    char         path[300];
    pliant_error error = {PLIANT_OK, 0, "", ""};
    struct stat  s;
    uint8_t     *rgb = malloc((size_t)width * (size_t)height * 3);
    w->shot = false;
    snprintf(path, sizeof path, "%.*s.%04u.png", (int)strcspn(name, "."), name, w->status.frame);
    for (int i = 2; stat(path, &s) == 0 && i < 1000; i++)
        snprintf(path, sizeof path, "%.*s.%04u-%d.png", (int)strcspn(name, "."), name, w->status.frame, i);
    if (rgb) draw_read_framebuffer(0, (uint32_t)width, (uint32_t)height, rgb);
    bool ok = rgb && draw_picture_write(path, rgb, (uint32_t)width, (uint32_t)height, &error);
    snprintf(w->notice, sizeof w->notice, ok ? "wrote %.200s" : "%.200s could not be written", path);
    printf("%s\n", w->notice);
    fflush(stdout);
    free(rgb);
}

static void show_title(window *w)
{
    const char *slash = strrchr(w->path, '/'), *name = slash ? slash + 1 : *w->path ? w->path : "demo";
    char        title[200];
    snprintf(title, sizeof title, "pliant %.80s   frame %u   %016llx%s", name, w->status.frame, (unsigned long long)w->status.hash,
             w->status.playing ? "   playing" : "");
    if (strcmp(title, w->title) == 0) return;
    memcpy(w->title, title, sizeof title);
    glfwSetWindowTitle(w->glfw, title);
}

/* A body that flies away, and comes back when the scene begins again, does not keep the shadows coarse for ever. */
static void set_stage(window *w)
{
    if (w->frame->number == 0) w->view.stage = w->frame->all;
    draw_bounds_join(&w->view.stage, &w->frame->all);
}

/* Nothing is drawn where nothing has changed. */
static bool draw_picture(window *w, pliant_error *error)
{
    int  width, height, points_wide, points_high;
    bool fresh;
    glfwGetFramebufferSize(w->glfw, &width, &height);
    if (width < 1 || height < 1) return true; /* minimised */
    w->frame = view_session_frame(w->session, &fresh);
    view_session_status(w->session, &w->status);
    show_title(w);
    if (!fresh && !w->dirty && !w->shot) return true;
    if (w->dirty) w->dirty--;
    if (fresh) follow(w);
    set_stage(w);
    w->view.width = (uint32_t)width;
    w->view.height = (uint32_t)height;
    w->view.covered = (uint32_t)(panel_part(w, width) * (float)width);
    if (!draw_painter_paint(w->painter, w->frame, &w->view, error)) return false;
    draw_painter_show(w->painter, 0);
    glViewport(0, 0, width, height);
    ui_begin();
    glfwGetWindowSize(w->glfw, &points_wide, &points_high);
    panel_draw(w, points_wide, points_high);
    ui_end();
    if (w->shot) take_screenshot(w, width, height);
    glfwSwapBuffers(w->glfw);
    if (w->chosen) window_open(w, w->chosen, NULL);
    w->chosen = NULL;
    return true;
}

/* ---- the window ---- */

static char glfw_said[256];

static void on_error(int code, const char *text)
{
    (void)code;
    snprintf(glfw_said, sizeof glfw_said, "%s", text);
}

static draw_gl_function find_function(const char *name) { return (draw_gl_function)glfwGetProcAddress(name); }

static bool make_window(window *w, const view_options *o, pliant_error *error)
{
    glfwSetErrorCallback(on_error);
    if (!glfwInit())
        return draw_fail(error, PLIANT_ERROR_UNAVAILABLE, NULL, "there is no display to open a window on (%s); pliant render needs none",
                         glfw_said);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    w->glfw = glfwCreateWindow((int)o->width, (int)o->height, "pliant", NULL, NULL);
    if (!w->glfw) return draw_fail(error, PLIANT_ERROR_UNAVAILABLE, NULL, "there is no OpenGL 3.3 on this display (%s)", glfw_said);
    glfwMakeContextCurrent(w->glfw);
    glfwSwapInterval(1);
    const char *missing = draw_gl_load(find_function);
    if (missing) return draw_fail(error, PLIANT_ERROR_UNAVAILABLE, NULL, "this OpenGL has no %s", missing);
    glfwSetWindowUserPointer(w->glfw, w);
    glfwSetMouseButtonCallback(w->glfw, on_button);
    glfwSetCursorPosCallback(w->glfw, on_move);
    glfwSetScrollCallback(w->glfw, on_wheel);
    glfwSetKeyCallback(w->glfw, on_key);
    glfwSetDropCallback(w->glfw, on_drop);
    glfwSetWindowRefreshCallback(w->glfw, on_refresh);
    glfwSetFramebufferSizeCallback(w->glfw, on_size);
    float scale_x, scale_y;
    glfwGetWindowContentScale(w->glfw, &scale_x, &scale_y);
    w->scale = scale_x > 0 ? scale_x : 1;
    return ui_start(w->glfw, w->scale) || draw_fail(error, PLIANT_ERROR_UNAVAILABLE, NULL, "the panel cannot be drawn here");
}

static void close_window(window *w)
{
    draw_painter_destroy(w->painter);
    view_session_close(w->session);
    panel_free(w);
    ui_stop();
    if (w->glfw) glfwDestroyWindow(w->glfw);
    glfwTerminate();
}

bool view_run(const view_options *options, pliant_error *error)
{
    window w;
    if (!view_load_glfw(glfw_said, sizeof glfw_said))
        return draw_fail(error, PLIANT_ERROR_UNAVAILABLE, NULL, "the viewer needs GLFW, which is not found (%s): make setup installs it",
                         glfw_said);
    memset(&w, 0, sizeof w);
    w.options = options;
    w.view.stage = draw_bounds_empty();
    bool ok = make_window(&w, options, error) && window_open(&w, options->path ? options->path : "", error);
    if (ok && options->play) view_session_command(w.session, VIEW_PLAY, 0);
    while (ok && !glfwWindowShouldClose(w.glfw)) {
        ok = draw_picture(&w, error);
        glfwWaitEventsTimeout(w.status.playing ? 0.008 : 0.05); /* an event ends it at once */
        look_at_file(&w);
    }
    close_window(&w);
    return ok;
}
