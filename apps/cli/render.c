/* pliant render: pictures and films without a screen. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct render_options {
    cli_operands operands;
    cli_paths    outputs;
    const char  *scene, *frames, *size, *camera, *show, *strain;
    uint32_t     every, threads;
    bool         mend, quiet, json, force;
    const char  *root;
} render_options;

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATHS,
     .value = "PATH",
     .offset = offsetof(render_options, outputs),
     .text = "FILE.png, FILE.mp4, FILE.gif, or a picture per frame: NAME.%04d.png; may be given several times"},
    {.name = "scene",
     .type = CLI_TEXT,
     .value = "FILE",
     .offset = offsetof(render_options, scene),
     .text = "the scene, where what is drawn is a cache that pliant run wrote of it"},
    {.name = "frames",
     .type = CLI_TEXT,
     .value = "A:B",
     .offset = offsetof(render_options, frames),
     .text = "draw frames A to B, or frame A alone; 0 is the start (default: all; for one picture, the last)"},
    {.name = "every",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 100000,
     .offset = offsetof(render_options, every),
     .text = "draw every Nth of them; a film keeps its speed"},
    {.name = "size", .type = CLI_TEXT, .value = "WxH", .offset = offsetof(render_options, size), .text = "pixels (default: 1280x720)"},
    {.name = "camera",
     .type = CLI_TEXT,
     .value = "VIEW",
     .offset = offsetof(render_options, camera),
     .text = "auto, front, side, top, or EX,EY,EZ:TX,TY,TZ[:FOV]: eye, target, degrees of the picture's height; or follow:NAME[:VIEW], a "
             "camera that goes with a body (default: the scene's camera, or auto)"},
    {.name = "show",
     .type = CLI_TEXT,
     .value = "WHAT",
     .offset = offsetof(render_options, show),
     .text = "a list with commas of wireframe, strain, contacts, velocities, colours (constraints solved at once have one colour), "
             "normals, pairs"},
    {.name = "strain-range",
     .type = CLI_TEXT,
     .value = "STRAIN",
     .offset = offsetof(render_options, strain),
     .text = "where the colours of strain end, as a part of the rest length (default: 0.05)"},
    {.name = "threads",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 64,
     .offset = offsetof(render_options, threads),
     .text = "threads to simulate with (default: the processors, up to 16)"},
    CLI_OPTION_MEND(render_options),
    CLI_OPTION_ROOT(render_options),
    CLI_OPTION_FORCE(render_options),
    {.name = "quiet", .letter = 'q', .type = CLI_FLAG, .offset = offsetof(render_options, quiet), .text = "no progress and no summary"},
    {.name = "json", .type = CLI_FLAG, .offset = offsetof(render_options, json), .text = "end with one line of JSON on standard output"},
};

/* A whole number at the head of `text`; moves on behind it. */
static bool read_count(const char **text, uint32_t *out)
{
    char         *end;
    unsigned long n = strtoul(*text, &end, 10);
    if (**text < '0' || **text > '9' || n > 100000000) return false;
    *text = end;
    *out = (uint32_t)n;
    return true;
}

static bool read_frames(const char *text, cli_render_job *job)
{
    const char *at = text;
    if (!text) return true;
    job->some_frames = true;
    bool good = read_count(&at, &job->first);
    job->last = job->first;
    if (good && *at == ':') good = *++at ? read_count(&at, &job->last) : (job->last = UINT32_MAX);
    if (good && *at == 0 && job->first <= job->last) return true;
    cli_usage_error("--frames takes A:B, A not above B, or one number, not %s", text);
    return false;
}

static bool read_size(const char *text, cli_render_job *job)
{
    const char *at = text;
    if (!text) return true;
    if (read_count(&at, &job->width) && *at == 'x' && (at++, read_count(&at, &job->height)) && *at == 0 && job->width >= 16 &&
        job->height >= 16 && job->width <= 16384 && job->height <= 16384)
        return true;
    cli_usage_error("--size takes WIDTHxHEIGHT, 16 to 16384 each, not %s", text);
    return false;
}

static bool read_show(const char *text, cli_render_job *job)
{
    for (const char *at = text; at && *at;) {
        size_t   length = strcspn(at, ",");
        uint32_t i = 0;
        while (cli_overlay_name(i) && (strlen(cli_overlay_name(i)) != length || strncmp(cli_overlay_name(i), at, length) != 0)) i++;
        if (!cli_overlay_name(i)) {
            cli_usage_error("--show does not know %.*s (known are wireframe, strain, contacts, velocities, colours, normals and pairs)",
                            (int)length, at);
            return false;
        }
        job->show |= 1u << i;
        at += length + (at[length] == ',');
    }
    return true;
}

static bool read_strain(const char *text, cli_render_job *job)
{
    char *end;
    if (!text) return true;
    job->strain_range = strtod(text, &end);
    if (end != text && *end == 0 && job->strain_range > 0 && job->strain_range <= 1000) return true;
    cli_usage_error("--strain-range takes a number above 0, not %s", text);
    return false;
}

/* Whether a path is a cache that pliant run writes. */
static bool is_cache(const char *path)
{
    if (*path && path[strlen(path) - 1] == '/') return true;
    for (uint32_t i = 0; pliant_format_at(i); i++)
        if (cli_ends_with(path, pliant_format_at(i)->ending)) return true;
    return false;
}

static bool read_options(const render_options *o, cli_render_job *job)
{
    if (!o->outputs.count) {
        cli_usage_error("render needs an output: -o FILE.png, FILE.mp4, FILE.gif or NAME.%%04d.png");
        return false;
    }
    if (!o->scene && is_cache(job->name)) {
        cli_usage_error("%s is a cache: say --scene FILE, the scene that it was made of", job->name);
        return false;
    }
    return read_frames(o->frames, job) && read_size(o->size, job) && read_show(o->show, job) && read_strain(o->strain, job);
}

static int run(const void *given)
{
    const render_options *o = given;
    pliant_error          error = {0};
    pliant_model_file     file;
    pliant_read_def       def = pliant_read_def_default();
    cli_render_job        job = {.name = o->operands.operand[0],
                                 .outputs = &o->outputs,
                                 .camera = o->camera,
                                 .width = 1280,
                                 .height = 720,
                                 .every = o->every ? o->every : 1,
                                 .threads = o->threads,
                                 .quiet = o->quiet,
                                 .json = o->json,
                                 .force = o->force};
    if (!cli_can_draw()) return CLI_UNAVAILABLE;
    if (!read_options(o, &job)) return CLI_BAD_INPUT;
    const char *scene = o->scene ? o->scene : job.name;
    def.allocator = cli_memory();
    def.reads = cli_note_read;
    def.mend = o->mend;
    def.root = o->root;
    if (!o->quiet) def.notice = cli_print_notice;
    if (pliant_model_read(scene, &def, &file, &error) != PLIANT_OK) return cli_fail(&error);
    job.file = &file;
    if (o->scene) job.cache = job.name;
    int code = o->scene || cli_takes(&file, scene, &error) ? cli_render_job_run(&job) : cli_fail(&error);
    pliant_model_close(&file);
    return code;
}

const cli_verb cli_render = {
    "render",
    "SCENE|CACHE",
    1,
    1,
    "draw a scene as pictures or a film, without a screen",
    "Simulates a scene, or reads a cache that pliant run wrote of it (with --scene), and draws it with OpenGL on whatever there is: a\n"
    "graphics card, or the processor. Films are made by ffmpeg. Ctrl-C ends after the current picture with what was drawn so far.",
    CLI_OPTIONS(options),
    sizeof(render_options),
    run};
