/* Frames into pictures and films. */
#define _POSIX_C_SOURCE 200809L
#include "render.h"

#include "moments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifndef PLIANT_DRAW

bool cli_can_draw(void)
{
    pliant_error error = {.code = PLIANT_ERROR_UNAVAILABLE};
    snprintf(error.message, sizeof error.message,
             "this build cannot draw: make setup installs what it needs (libepoxy, EGL, libpng, stb), then build again");
    cli_fail(&error);
    return false;
}

const char *cli_overlay_name(uint32_t index) { return (void)index, NULL; }

int cli_render_job_run(const cli_render_job *job) { return (void)job, cli_can_draw() ? CLI_GOOD : CLI_UNAVAILABLE; }

#else

#include "draw/film.h"
#include "draw/follow.h"
#include "draw/offscreen.h"
#include "draw/painter.h"
#include "draw/picture.h"

bool cli_can_draw(void) { return true; }

const char *cli_overlay_name(uint32_t index) { return draw_overlay_name(index); }

/* ---- outputs ---- */

typedef enum sink_type { ONE_PICTURE, PICTURES, FILM } sink_type;

enum { PATH_ROOM = 600 };

typedef struct sink {
    const char *path;
    sink_type   type;
    draw_film  *film;
    uint32_t    written;
    char        last[PATH_ROOM]; /* of several pictures */
} sink;

/* "%d" or "%04d" in a path, once; where it is and how long, how many digits. */
static bool find_number(const char *path, size_t *at, size_t *length, int *digits)
{
    const char *percent = strchr(path, '%');
    if (!percent) return false;
    char *end;
    *digits = (int)strtol(percent + 1, &end, 10);
    *at = (size_t)(percent - path);
    *length = (size_t)(end - percent) + 1;
    return *end == 'd' && *digits >= 0 && *digits <= 9 && !strpbrk(end, "%/");
}

static bool sort_output(sink *s, const char *path)
{
    size_t at, length;
    int    digits;
    s->path = path;
    if (draw_is_film(path)) {
        s->type = FILM;
    } else if (cli_ends_with(path, ".png") && strlen(path) < 500) {
        bool several = strchr(path, '%') != NULL;
        s->type = several ? PICTURES : ONE_PICTURE;
        if (!several || find_number(path, &at, &length, &digits)) return true;
        cli_usage_error("%s: a picture per frame is numbered by %%d or %%04d, once, in its name", path);
        return false;
    } else {
        cli_usage_error("%s: unknown format (known are .png, NAME.%%04d.png, .mp4 and .gif)", path);
        return false;
    }
    return true;
}

/* ---- the job while it runs ---- */

typedef struct drawing {
    const cli_render_job *job;
    cli_moments           moments;
    draw_offscreen       *offscreen;
    draw_subject         *subject;
    draw_painter         *painter;
    draw_frame            frame;
    draw_view             view;
    bool                  follows; /* the camera goes with a body, from where it first was */
    draw_follow           follow;
    draw_camera           from;
    uint8_t              *rgb;
    sink                  sinks[CLI_MAX_PATHS];
    uint32_t              sink_count;
    bool                  only_last; /* every output is one picture */
    uint32_t              first, last;
    uint32_t              drawn, steps; /* pictures; frames gone through, for the progress */
    uint32_t              shown;        /* the frame that was drawn last */
    double                seconds;      /* spent drawing */
    cli_progress          progress;
    bool                  restored; /* a body was put back, and it was said */
    pliant_error          error;
} drawing;

static bool usage(drawing *d, const char *format, const char *what)
{
    d->error = (pliant_error){.code = PLIANT_ERROR_ARGUMENT};
    snprintf(d->error.message, sizeof d->error.message, format, what);
    return false;
}

/* The path of one of several pictures. */
static void number_path(const sink *s, uint32_t frame, char path[PATH_ROOM])
{
    size_t at = 0, length = 0;
    int    digits = 0;
    find_number(s->path, &at, &length, &digits);
    snprintf(path, PATH_ROOM, "%.*s%0*u%s", (int)at, s->path, digits, frame, s->path + at + length);
}

/* A picture per frame: each of those that are going to be drawn. */
static bool may_write_pictures(drawing *d, const sink *s, bool force)
{
    for (uint64_t frame = d->first; frame <= d->last; frame += d->job->every) {
        char path[PATH_ROOM];
        number_path(s, (uint32_t)frame, path);
        if (!cli_may_write(path, PLIANT_OUTPUT_PNG, force, &d->error)) return false;
    }
    return true;
}

static bool may_write(drawing *d)
{
    for (uint32_t i = 0; i < d->sink_count; i++) {
        const sink   *s = &d->sinks[i];
        pliant_output what = s->type != FILM ? PLIANT_OUTPUT_PNG : cli_ends_with(s->path, ".gif") ? PLIANT_OUTPUT_GIF : PLIANT_OUTPUT_MP4;
        if (s->type == PICTURES ? !may_write_pictures(d, s, d->job->force) : !cli_may_write(s->path, what, d->job->force, &d->error))
            return false;
    }
    return true;
}

static bool sort_outputs(drawing *d)
{
    d->only_last = true;
    for (uint32_t i = 0; i < d->job->outputs->count; i++) {
        if (!sort_output(&d->sinks[d->sink_count++], d->job->outputs->path[i])) return false;
        d->only_last &= d->sinks[i].type == ONE_PICTURE;
    }
    return true;
}

/* Which frames there are to draw. */
static bool choose_frames(drawing *d)
{
    const cli_render_job *job = d->job;
    uint32_t              most = job->file->frames;
    if (d->moments.cache) most = pliant_cache_frames(d->moments.cache) - 1;
    d->first = job->some_frames ? job->first : 0;
    d->last = job->some_frames && job->last != UINT32_MAX ? job->last : most;
    if (d->moments.cache && d->last > most) {
        char have[32];
        snprintf(have, sizeof have, "%u", most);
        return usage(d, "--frames: the last frame of the cache is number %s", have);
    }
    if (job->some_frames && d->first > d->last) return usage(d, "--frames: %s", "the first frame is behind the last one");
    if (d->only_last && job->some_frames && d->first != d->last)
        return usage(d, "--frames: %s is one picture; NAME.%%04d.png takes several frames", d->sinks[0].path);
    if (d->only_last) d->first = d->last;
    d->last -= (d->last - d->first) % job->every;
    return true;
}

static bool is_drawn(const drawing *d, uint32_t frame)
{
    return frame >= d->first && frame <= d->last && (frame - d->first) % d->job->every == 0;
}

static bool fill(drawing *d, uint32_t show)
{
    const draw_source source = {.state = d->moments.state,
                                .solver = d->moments.stepped ? d->moments.solver : NULL,
                                .cache = d->moments.cache,
                                .poses = d->moments.poses,
                                .number = d->moments.now,
                                .show = show,
                                .strain_range = (float)d->job->strain_range};
    return draw_frame_fill(&d->frame, d->subject, &source, &d->error);
}

static bool advance(drawing *d)
{
    const cli_moments *m = &d->moments;
    if (!cli_moments_next(&d->moments, &d->error)) return false;
    if (!m->cache) d->restored |= cli_note_restored(d->job->name, m->model, m->solver, m->now, &d->progress, d->restored) > 0;
    cli_progress_step(&d->progress, ++d->steps);
    return true;
}

/* ---- the camera ---- */

/* A body that flies away does not push the camera back for ever. */
static void join_stage(drawing *d, const draw_bounds *start)
{
    f3          middle = draw_bounds_center(start);
    float       far = 6 * draw_bounds_radius(start);
    draw_bounds b = d->frame.all;
    if (draw_bounds_is_empty(&b)) return;
    b.low = f3_max(b.low, f3_of(middle.x - far, middle.y - far, middle.z - far));
    b.high = f3_min(b.high, f3_of(middle.x + far, middle.y + far, middle.z + far));
    if (b.low.x <= b.high.x && b.low.y <= b.high.y && b.low.z <= b.high.z) draw_bounds_join(&d->view.stage, &b);
}

/* A body that is followed is seen in every frame that is drawn. */
static bool see_followed(drawing *d)
{
    return !d->follows || draw_follow_see(&d->follow, d->moments.state) || (d->error.code = PLIANT_ERROR_MEMORY, false);
}

/* Goes through the frames once, to see where everything will be. */
static bool survey(drawing *d)
{
    if (!fill(d, 0)) return false;
    draw_bounds start = d->frame.all;
    for (;;) {
        if (is_drawn(d, d->moments.now)) {
            if (!fill(d, 0) || !see_followed(d)) return false;
            join_stage(d, &start);
        }
        if (d->moments.now == d->last || cli_interrupted()) break;
        if (!advance(d)) {
            if (d->error.code != PLIANT_ERROR_DIVERGED || d->only_last) return false;
            d->error.code = PLIANT_OK; /* the second time says so, after drawing the frames before */
            break;
        }
    }
    return d->only_last || cli_moments_rewind(&d->moments, &d->error);
}

/* The scene's own camera, where the switch is silent. */
static const pliant_camera *of_scene(const drawing *d)
{
    return !d->job->camera && d->job->file->camera.given ? &d->job->file->camera : NULL;
}

/* Once bodies are known. */
static bool find_followed(drawing *d)
{
    if (of_scene(d)) {
        d->follows = of_scene(d)->follows;
        if (d->follows) draw_follow_body(&d->follow, d->subject, of_scene(d)->body);
        return see_followed(d); /* in frame 0, whichever are drawn: there the eye is where the scene has it */
    }
    d->follows = draw_follow_asked(d->job->camera);
    return !d->follows || draw_follow_parse(d->job->camera, d->subject, &d->follow) ||
           usage(d, "--camera %s: there is no body of that name", d->job->camera);
}

/* The camera in words, for the summary. */
static const char *camera_words(const drawing *d)
{
    if (of_scene(d)) return draw_camera_word(of_scene(d)->from);
    if (d->follows) return *d->follow.rest ? d->follow.rest : "auto";
    return d->job->camera ? d->job->camera : "auto";
}

static bool place_camera(drawing *d)
{
    const char       *words = camera_words(d);
    const draw_bounds followed = d->follows && d->follow.begun ? draw_follow_bounds(&d->follow) : d->view.stage;
    float             aspect = (float)d->view.width / (float)d->view.height;
    const f3         *side = draw_camera_side(words);
    if (of_scene(d) && of_scene(d)->placed) return draw_camera_of(of_scene(d), &d->view.camera), true;
    if (side || strcmp(words, "auto") == 0) {
        d->view.camera = draw_camera_fit(&followed, aspect, side);
        return true;
    }
    return draw_camera_parse(words, &d->view.camera) ||
           usage(d, "--camera takes auto, front, side, top, EX,EY,EZ:TX,TY,TZ[:FOV] or follow:NAME[:VIEW], not %s", words);
}

/* Where the camera is given, nothing is surveyed: the stage is what the camera looks at, so that floor and shadows stand still. */
static void look_where_told(drawing *d)
{
    const draw_camera *c = &d->view.camera;
    float              half_height = f3_length(f3_sub(c->target, c->eye)) * tanf(c->fov * 0.00872664626f);
    draw_bounds_add(&d->view.stage, c->target, 0.7f * half_height);
}

/* ---- drawing ---- */

/* Pictures of many frames may have a folder made for them; in any case it is known before anything is simulated that there is one. */
static bool find_folder_of(const char *path, bool make, pliant_error *error)
{
    char        folder[600];
    struct stat found;
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path) return true;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    if (make && mkdir(folder, 0777) != 0 && errno != EEXIST) make = false;
    if (stat(folder, &found) == 0) {
        if (S_ISDIR(found.st_mode)) return true;
        errno = ENOTDIR;
    }
    error->code = PLIANT_ERROR_IO;
    snprintf(error->path, sizeof error->path, "%.255s", folder);
    snprintf(error->message, sizeof error->message, "%s", strerror(errno));
    return false;
}

static bool open_sinks(drawing *d)
{
    const uint32_t apart = d->job->every * (d->moments.cache ? pliant_cache_every(d->moments.cache) : 1);
    for (uint32_t i = 0; i < d->sink_count; i++) {
        sink *s = &d->sinks[i];
        if (s->type != FILM && !find_folder_of(s->path, s->type == PICTURES, &d->error)) return false;
        if (s->type != FILM) continue;
        s->film = draw_film_open(s->path, d->view.width, d->view.height, d->job->file->fps / apart, &d->error);
        if (!s->film) return false;
    }
    return true;
}

static bool write_picture(drawing *d, sink *s)
{
    if (s->type == FILM) return draw_film_frame(s->film, d->rgb, &d->error) && ++s->written;
    if (s->type == PICTURES)
        number_path(s, d->shown, s->last);
    else
        snprintf(s->last, sizeof s->last, "%s", s->path);
    s->written += draw_picture_write(s->last, d->rgb, d->view.width, d->view.height, &d->error);
    return d->error.code == PLIANT_OK;
}

static bool draw_one(drawing *d)
{
    double start = cli_seconds();
    bool   ok = fill(d, d->job->show) && see_followed(d);
    if (ok && d->follows) d->view.camera = draw_follow_moved(&d->follow, &d->from);
    draw_bounds_join(&d->view.stage, &d->frame.all);
    ok = ok && draw_painter_paint(d->painter, &d->frame, &d->view, &d->error);
    if (ok) draw_painter_read(d->painter, d->rgb);
    d->seconds += cli_seconds() - start;
    d->shown = d->moments.now;
    for (uint32_t i = 0; ok && i < d->sink_count; i++)
        if (d->sinks[i].type != ONE_PICTURE) ok = write_picture(d, &d->sinks[i]);
    d->drawn += ok;
    return ok;
}

static bool draw_frames(drawing *d)
{
    while (d->moments.now < d->first && !cli_interrupted())
        if (!advance(d)) return false;
    for (;;) {
        if (is_drawn(d, d->moments.now) && !draw_one(d)) return false;
        if (d->moments.now == d->last || cli_interrupted()) return true;
        if (!advance(d)) return false;
    }
}

/* Films are finished, and a single picture is that of the last frame drawn, also where something went wrong or was interrupted: the frames drawn so
 * far can be looked at. */
static bool close_sinks(drawing *d)
{
    bool         ok = true;
    pliant_error before = d->error;
    for (uint32_t i = 0; d->drawn && i < d->sink_count; i++) {
        d->error = (pliant_error){0};
        if (d->sinks[i].type == ONE_PICTURE && !write_picture(d, &d->sinks[i])) {
            if (before.code == PLIANT_OK) before = d->error;
            ok = false;
        }
    }
    d->error = before;
    for (uint32_t i = 0; i < d->sink_count; i++) {
        sink *s = &d->sinks[i];
        if (!s->film) continue;
        pliant_error error = {0};
        if (d->drawn == 0)
            draw_film_abort(s->film);
        else if (!draw_film_close(s->film, &error) && ok && d->error.code == PLIANT_OK) {
            d->error = error;
            ok = false;
        }
        s->film = NULL;
    }
    return ok;
}

/* ---- words at the end ---- */

static void print_summary(const drawing *d)
{
    char camera[160];
    draw_camera_print(&d->view.camera, camera, sizeof camera);
    printf("%s: %u picture%s of %ux%u, drawn with %s, %.0f ms each\n", d->job->name, d->drawn, d->drawn == 1 ? "" : "s", d->view.width,
           d->view.height, draw_offscreen_name(d->offscreen), d->drawn ? 1e3 * d->seconds / d->drawn : 0.0);
    printf("camera %s\n", camera);
    for (uint32_t i = 0; i < d->sink_count; i++) {
        const sink *s = &d->sinks[i];
        if (!s->written) continue;
        if (s->type == PICTURES && d->drawn > 1)
            printf("wrote %u pictures, the last one %s\n", d->drawn, s->last);
        else
            printf("wrote %s\n", s->type == FILM ? s->path : s->last);
    }
}

static void print_json(const drawing *d)
{
    char camera[160];
    draw_camera_print(&d->view.camera, camera, sizeof camera);
    printf("{\"pictures\": %u, \"width\": %u, \"height\": %u, \"frame\": %u, \"drawn_with\": ", d->drawn, d->view.width, d->view.height,
           d->moments.now);
    cli_print_json_text(draw_offscreen_name(d->offscreen));
    printf(", \"camera\": \"%s\", \"ms_per_picture\": ", camera);
    cli_print_json_number(d->drawn ? 1e3 * d->seconds / d->drawn : 0, 6);
    if (d->moments.solver) printf(", \"hash\": \"%016llx\"", (unsigned long long)pliant_state_hash(d->moments.state));
    printf(", \"bodies\": [");
    for (uint32_t i = 0; i < d->subject->body_count; i++) {
        const draw_body *b = &d->subject->bodies[i];
        printf("%s{\"name\": ", i ? ", " : "");
        cli_print_json_text(b->info.name);
        printf(", \"colour\": [%u, %u, %u]}", b->colour.r, b->colour.g, b->colour.b);
    }
    printf("], \"files\": [");
    for (uint32_t i = 0, n = 0; i < d->sink_count; i++) {
        if (!d->sinks[i].written) continue;
        printf("%s", n++ ? ", " : "");
        cli_print_json_text(d->sinks[i].path);
    }
    printf("]}\n");
}

/* ---- all of it ---- */

static bool has_film(const drawing *d)
{
    for (uint32_t i = 0; i < d->sink_count; i++)
        if (d->sinks[i].type == FILM) return true;
    return false;
}

static bool prepare(drawing *d)
{
    const cli_render_job *job = d->job;
    d->view = (draw_view){.width = job->width,
                          .height = job->height,
                          .stage = draw_bounds_empty(),
                          .strain_range = (float)job->strain_range,
                          .passes = has_film(d) ? DRAW_FAST : DRAW_STILL};
    d->rgb = malloc((size_t)job->width * job->height * 3);
    if (!d->rgb) return d->error.code = PLIANT_ERROR_MEMORY, false;
    if (!draw_follow_asked(job->camera) && !place_camera(d)) return false; /* a wrong camera is refused before anything else */
    if (job->cache && (job->show & (DRAW_CONTACTS | DRAW_NORMALS | DRAW_PAIRS)))
        return usage(d, "--show: a cache has no %s; draw the scene itself", "contacts");
    d->offscreen = draw_offscreen_create(NULL, &d->error);
    if (!d->offscreen || !cli_moments_begin(&d->moments, job->file, job->threads, job->cache, &d->error)) return false;
    if (!choose_frames(d) || !may_write(d)) return false;
    if (d->moments.cache && (job->show & DRAW_VELOCITIES) && !pliant_cache_has_velocities(d->moments.cache))
        return usage(d, "--show: this cache has no %s; a .csv has", "velocities");
    d->subject = draw_subject_create(d->moments.model, &d->error);
    if (d->subject && (!find_followed(d) || !place_camera(d))) return false;
    d->painter = d->subject ? draw_painter_create(d->subject, &d->error) : NULL;
    return d->painter != NULL && open_sinks(d);
}

static bool draw_all(drawing *d)
{
    bool fitted = of_scene(d) ? !of_scene(d)->placed : !strchr(camera_words(d), ',');
    cli_progress_start(&d->progress, d->job->quiet, fitted && !d->only_last ? 2 * d->last : d->last);
    bool ok = (!fitted || survey(d)) && place_camera(d);
    d->from = d->view.camera;
    if (ok && !fitted) look_where_told(d);
    ok = ok && (cli_interrupted() || draw_frames(d));
    cli_progress_end(&d->progress);
    return ok;
}

static void release(drawing *d)
{
    draw_painter_destroy(d->painter);
    draw_subject_destroy(d->subject);
    draw_frame_free(&d->frame);
    cli_moments_end(&d->moments);
    draw_offscreen_destroy(d->offscreen);
    free(d->rgb);
}

int cli_render_job_run(const cli_render_job *job)
{
    drawing d = {.job = job};
    if (!sort_outputs(&d)) return CLI_BAD_INPUT;
    cli_catch_signals();
    bool ok = prepare(&d) && draw_all(&d);
    ok = close_sinks(&d) && ok;
    if (!ok && !*d.error.path && d.error.code != PLIANT_ERROR_ARGUMENT && d.error.code != PLIANT_ERROR_UNAVAILABLE)
        snprintf(d.error.path, sizeof d.error.path, "%.255s", job->name);
    int code = ok ? CLI_GOOD : cli_fail(&d.error);
    if (ok && cli_interrupted()) {
        fprintf(stderr, "%s: interrupted after frame %u of %u; what was drawn is whole\n", job->name, d.moments.now, d.last);
        code = CLI_INTERRUPTED;
    }
    if (ok && !job->quiet && !job->json && !job->bare) print_summary(&d);
    if (ok && job->json) print_json(&d);
    release(&d);
    return code;
}

#endif
