/* Data that the parts of the window share. */
#ifndef VIEW_WINDOW_H
#define VIEW_WINDOW_H

#include "draw/painter.h"
#include "view/session.h"
#include "view/viewer.h"

#include <time.h>

/* Pictures that a widget needs to answer to an action of the user. */
enum { VIEW_SETTLE = 3 };

/* Sliders of a law. */
enum { LAW_NUMBERS = 2 + PLIANT_MAX_NUMBERS };

struct GLFWwindow;

/* Settings of the panel, as its widgets hold them; made anew for each scene. */
typedef struct panel {
    bool   show[8];
    float  gravity[3], speed, strain_range, grab;
    int    substeps, iterations;
    float *laws;      /* LAW_NUMBERS of each: what sliders of its form show, panel_laws.c */
    float *groups;    /* the first number of each */
    float *forces;    /* 3 of each */
    float *colliders; /* 3 of each */
    int    frame;
    bool   hidden, folded, energy, loop;
} panel;

typedef struct window {
    struct GLFWwindow  *glfw;
    const view_options *options;
    char                path[1024]; /* of the scene; empty: the embedded one */
    struct timespec     changed;    /* when the file was last written */
    double              looked;     /* when that time was last read */
    view_session       *session;
    draw_painter       *painter;
    view_controls       controls;
    view_status         status;
    panel               panel;
    draw_view           view;
    const draw_frame   *frame;
    f3                  followed; /* the mean of the vertices of the body that the camera goes with, when it was last seen, m */
    bool                orbiting, panning;
    double              mouse_x, mouse_y;
    float               grab_depth;    /* of the grabbed vertex along the view, m */
    char                notice[600];   /* for the user to read, until the next one */
    bool                shot;          /* a screenshot is wanted */
    const char         *chosen;        /* a scene of the list, to be opened after the picture */
    char                watched[1024]; /* the file that is read again when it is written: `path`, or one that could not be opened */
    char                title[200];
    float               scale; /* of letters, on fine screens */
    int                 dirty; /* pictures to draw though the frame is the same: something else has changed */
} window;

/* Draws the panel and sends its changes to the session. */
bool panel_make(window *w);
void panel_free(window *w);
void panel_begin_laws(panel *p, const pliant_model *m); /* panel_laws.c */
void panel_draw_laws(window *w);
void panel_draw_groups(window *w);
void panel_draw(window *w, int width, int height);

/* The part of the window's width that the panel covers. */
float panel_part(const window *w, int width);

/* Opens another scene, or the same again; where that fails the old one stays, and the notice says why. `path` empty: the embedded one. */
bool window_open(window *w, const char *path, pliant_error *error);

#endif
