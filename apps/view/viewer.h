/* The window: sees a session, acts on it. */
#ifndef VIEW_VIEWER_H
#define VIEW_VIEWER_H

#include "pliant/io.h"

typedef struct view_options {
    const char                 *path;     /* of the scene; NULL: the embedded one */
    const char *const          *examples; /* paths that the list of scenes offers; ends with NULL */
    uint32_t                    width, height, threads;
    bool                        play;   /* at once */
    const pliant_linear_solver *linear; /* for methods that want one; may be NULL */
} view_options;

/* Opens a window, and returns when it is closed. False with an error where there is no display or no OpenGL. */
bool view_run(const view_options *options, pliant_error *error);

#endif
