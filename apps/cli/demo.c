/* pliant demo: the embedded scene, as a first thing to look at. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "render.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct demo_options {
    cli_operands operands;
    const char  *folder;
    uint32_t     threads;
    bool         quiet, json, force;
} demo_options;

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .value = "DIR",
     .offset = offsetof(demo_options, folder),
     .text = "folder to write into (default: demo)"},
    {.name = "threads",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 64,
     .offset = offsetof(demo_options, threads),
     .text = "threads to use (default: the processors, up to 16)"},
    CLI_OPTION_FORCE(demo_options),
    {.name = "quiet", .letter = 'q', .type = CLI_FLAG, .offset = offsetof(demo_options, quiet), .text = "no progress and no summary"},
    {.name = "json", .type = CLI_FLAG, .offset = offsetof(demo_options, json), .text = "end with one line of JSON on standard output"},
};

static int fail_io(const char *path)
{
    pliant_error error = {.code = PLIANT_ERROR_IO};
    snprintf(error.path, sizeof error.path, "%.255s", path);
    snprintf(error.message, sizeof error.message, "%s", strerror(errno));
    return cli_fail(&error);
}

/* The scene itself, to change and run again. */
static int write_scene(const char *path)
{
    size_t      length;
    const char *text = pliant_demo_scene(&length);
    FILE       *file = fopen(path, "wb");
    if (!file) return fail_io(path);
    bool ok = fwrite(text, 1, length, file) == length;
    ok = fclose(file) == 0 && ok;
    return ok ? CLI_GOOD : fail_io(path);
}

/* Checks every file that is going to be written, before anything is. */
static int may_write(const char *folder, const char *cache, const pliant_model *model, bool force)
{
    pliant_error error = {0};
    static const struct {
        const char   *name;
        pliant_output what;
    } files[] = {{"demo.json", PLIANT_OUTPUT_SCENE}, {"demo.png", PLIANT_OUTPUT_PNG}, {"demo.mp4", PLIANT_OUTPUT_MP4}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[600];
        snprintf(path, sizeof path, "%.512s/%s", folder, files[i].name);
        if (!cli_may_write(path, files[i].what, force, &error)) return cli_fail(&error);
    }
    return force || pliant_writer_check(cache, model, NULL, &error) == PLIANT_OK ? CLI_GOOD : cli_fail(&error);
}

static int simulate(const demo_options *o, const char *folder, const pliant_model_file *file)
{
    char      cache[600], last[600], scene[600];
    cli_paths outputs = {.path = {cache}, .count = 1};
    snprintf(cache, sizeof cache, "%.512s/demo.pc2", folder);
    snprintf(last, sizeof last, "%.512s/last/", folder);
    snprintf(scene, sizeof scene, "%.512s/demo.json", folder);
    int code = may_write(folder, cache, file->model, o->force);
    if (code == CLI_GOOD) code = write_scene(scene);
    if (code != CLI_GOOD) return code;
    cli_job job = {.name = "demo",
                   .model = file->model,
                   .frames = file->frames,
                   .fps = file->fps,
                   .threads = o->threads,
                   .outputs = &outputs,
                   .last = last,
                   .quiet = o->quiet,
                   .json = o->json,
                   .force = o->force,
                   .on_energy = pliant_model_settings(file->model).on_energy};
    code = cli_simulate(&job);
    if (code == CLI_GOOD && !o->quiet && !o->json) printf("wrote %s (the scene: change it, then pliant run %s -o out.pc2)\n", scene, scene);
    return code;
}

/* A picture or film of the cache that was just written. */
static const struct drawn {
    const char *name;
    bool        alone; /* one picture, of `frame` */
    uint32_t    frame, every, width, height;
} drawn[] = {{"demo.png", true, 120, 1, 1280, 720}, {"demo.mp4", false, 0, 2, 960, 540}};

static int draw_one(const struct drawn *what, const char *cache, const char *path, bool quiet)
{
    pliant_error      error = {0};
    pliant_model_file file;
    size_t            length;
    const char       *text = pliant_demo_scene(&length);
    const cli_paths   output = {.path = {path}, .count = 1};
    if (pliant_model_read_text(text, length, "demo.json", NULL, NULL, &file, &error) != PLIANT_OK) return cli_fail(&error);
    const cli_render_job job = {.name = "demo",
                                .file = &file,
                                .cache = cache,
                                .outputs = &output,
                                .some_frames = what->alone,
                                .first = what->frame,
                                .last = what->frame,
                                .every = what->every,
                                .width = what->width,
                                .height = what->height,
                                .quiet = quiet || what->alone,
                                .bare = true,
                                .force = true};
    int                  code = cli_render_job_run(&job);
    pliant_model_close(&file);
    if (code == CLI_GOOD && !quiet) printf("wrote %s\n", path);
    return code;
}

/* A machine that cannot draw has still simulated. */
static int draw(const char *folder, bool quiet)
{
    char cache[600];
    snprintf(cache, sizeof cache, "%.512s/demo.pc2", folder);
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        char path[600];
        snprintf(path, sizeof path, "%.512s/%s", folder, drawn[i].name);
        int code = draw_one(&drawn[i], cache, path, quiet);
        if (code != CLI_GOOD) return code == CLI_UNAVAILABLE ? CLI_GOOD : code;
    }
    return CLI_GOOD;
}

static int run(const void *given)
{
    const demo_options *o = given;
    const char         *folder = o->folder ? o->folder : "demo";
    pliant_error        error = {0};
    pliant_model_file   file;
    size_t              length;
    const char         *text = pliant_demo_scene(&length);
    if (!*folder || strlen(folder) > 500) return cli_usage_error("demo: the folder's name is empty or too long");
    if (!cli_can_simulate(&error)) return cli_fail(&error);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return fail_io(folder);
    if (pliant_model_read_text(text, length, "demo.json", NULL, NULL, &file, &error) != PLIANT_OK) return cli_fail(&error);
    int code = simulate(o, folder, &file);
    if (code == CLI_GOOD) code = draw(folder, o->quiet || o->json);
    pliant_model_close(&file);
    return code;
}

const cli_verb cli_demo = {
    "demo",
    "",
    0,
    0,
    "simulate the embedded scene",
    "A cloth dropped over a ball, a rope over the cloth, and a jelly of tetrahedra beside them: 240 frames at 60 Hz. Writes caches\n"
    "for Blender (demo.BODY.pc2), the last frame as .obj, the scene file itself, and, where this machine can draw, a picture and a film.",
    CLI_OPTIONS(options),
    sizeof(demo_options),
    run};
