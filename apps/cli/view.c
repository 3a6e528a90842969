/* pliant view: a window to look at a scene, and to take hold of it. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct view_options_read {
    cli_operands operands;
    uint32_t     threads, width, height;
    bool         play;
} view_options_read;

static const cli_option options[] = {
    {.name = "play", .type = CLI_FLAG, .offset = offsetof(view_options_read, play), .text = "start at once"},
    {.name = "width",
     .type = CLI_COUNT,
     .value = "PIXELS",
     .low = 200,
     .high = 16384,
     .offset = offsetof(view_options_read, width),
     .text = "of the window (default: 1280)"},
    {.name = "height",
     .type = CLI_COUNT,
     .value = "PIXELS",
     .low = 200,
     .high = 16384,
     .offset = offsetof(view_options_read, height),
     .text = "of the window (default: 720)"},
    {.name = "threads",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 64,
     .offset = offsetof(view_options_read, threads),
     .text = "threads to simulate with (default: one less than the processors)"},
};

#ifdef PLIANT_VIEW

#include "view/viewer.h"

#include <glob.h>

/* Where examples may lie: beside the scene, where one works, and where they are installed. */
static void find_examples(const char *scene, glob_t *found)
{
    char        pattern[600];
    const char *slash = scene ? strrchr(scene, '/') : NULL;
    int         append = 0;
    if (slash) {
        snprintf(pattern, sizeof pattern, "%.*s/*.json", (int)(slash - scene) < 500 ? (int)(slash - scene) : 500, scene);
        append = glob(pattern, append, NULL, found) == 0 ? GLOB_APPEND : append;
    }
    if (!slash || strncmp(scene, "scenes/", 7) != 0) append = glob("scenes/*.json", append, NULL, found) == 0 ? GLOB_APPEND : append;
    glob(PLIANT_SCENES "/*.json", append, NULL, found);
}

static int run(const void *given)
{
    const view_options_read *o = given;
    pliant_error             error = {0};
    const char              *scene = o->operands.count ? o->operands.operand[0] : NULL;
    glob_t                   examples;
    memset(&examples, 0, sizeof examples);
    find_examples(scene, &examples);
    const view_options view = {.path = scene,
                               .examples = (const char *const *)examples.gl_pathv,
                               .width = o->width ? o->width : 1280,
                               .height = o->height ? o->height : 720,
                               .threads = o->threads,
                               .linear = cli_linear(),
                               .play = o->play};
    int                code = view_run(&view, &error) ? CLI_GOOD : cli_fail(&error);
    globfree(&examples);
    return code;
}

#else

static int run(const void *given)
{
    pliant_error error = {.code = PLIANT_ERROR_UNAVAILABLE};
    (void)given;
    snprintf(error.message, sizeof error.message,
             "this build has no viewer: make setup installs what it needs (glfw, imgui), then build again");
    return cli_fail(&error);
}

#endif

const cli_verb cli_view = {
    "view",
    "[SCENE]",
    0,
    1,
    "open a window: play, scrub, grab",
    "Shows a scene, the demo if none is named, and simulates it as fast as real time allows. What was simulated can be scrubbed through "
    "and\n"
    "gone on from; points can be dragged with the mouse; sliders change what may change while it runs. A scene file that is written again\n"
    "is read again. F12 takes a screenshot into the working folder.",
    CLI_OPTIONS(options),
    sizeof(view_options_read),
    run};
