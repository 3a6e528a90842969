/* The thread that simulates, and the data that it shares with the window.
 *
 *   window                        shared, under one lock, held for copies only             thread
 *   command, control, law ... ->  wishes                                               ->  reads them before a step
 *   frame, status             <-  the newest frame (three are passed round), status    <-  writes them after one */
#define _POSIX_C_SOURCE 200809L
#include "view/session.h"

#include "draw/fail.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HISTORY_BYTES = 512 << 20, LEAST_HISTORY = 16 };

typedef struct law_wish {
    bool       set;
    pliant_law law;
} law_wish;

typedef struct force_wish {
    bool        set;
    pliant_vec3 vector;
} force_wish;

typedef struct group_wish {
    bool   set;
    double number;
} group_wish;

typedef struct collider_wish {
    bool        set;
    pliant_pose pose;
} collider_wish;

/* A frame that was. */
typedef struct moment {
    uint32_t      frame;
    pliant_state *state;
} moment;

/* Everything the window can wish for. The arrays have a place for each law, group, force and collider. */
typedef struct wishes {
    view_controls  controls;
    law_wish      *laws;
    group_wish    *groups;
    force_wish    *forces;
    collider_wish *colliders;
} wishes;

struct view_session {
    /* set at the start */
    pliant_model_file file;
    pliant_model     *model;
    draw_subject     *subject;
    pthread_t         thread;
    bool              started;

    /* under the lock */
    pthread_mutex_t lock;
    pthread_cond_t  wake, settled;
    wishes          asked;
    bool            quit, playing, changed; /* changed: the frame is to be shown anew */
    uint32_t        steps, back, seek;      /* steps to take though paused, frames to go back; a frame to go to, or UINT32_MAX */
    bool            reset, due_now;         /* due_now: the clock begins anew */
    size_t          limit;                  /* of frames that are kept */
    uint64_t        tickets, done;          /* calls that wished for something, and those that were seen to */
    draw_frame     *ready;                  /* the newest frame, if `fresh` */
    bool            fresh;
    view_status     status;

    /* the window's */
    draw_frame *shown;

    /* the thread's */
    wishes            now;
    pliant_solver    *solver;
    pliant_solver_def def; /* that the solver was made from */
    pliant_inputs    *inputs;
    pliant_state     *state;
    moment           *history;
    size_t            history_count, history_room, history_limit;
    uint32_t          frame, solved; /* shown; that the solver stepped to last, or UINT32_MAX */
    draw_frame       *spare;
    view_status       mine;
    draw_frame        frames[3];
};

static double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the past ---- */

static void forget_after(view_session *s, uint32_t frame)
{
    while (s->history_count && s->history[s->history_count - 1].frame > frame) pliant_state_destroy(s->history[--s->history_count].state);
}

/* Where the past is full, every other frame of it goes, but the first and the last. */
static void thin_out(view_session *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->history_count; i++) {
        if (i % 2 == 0 || i + 1 == s->history_count)
            s->history[kept++] = s->history[i];
        else
            pliant_state_destroy(s->history[i].state);
    }
    s->history_count = kept;
}

static bool remember(view_session *s)
{
    if (s->history_count && s->history[s->history_count - 1].frame == s->frame) return true;
    while (s->history_count >= s->history_limit && s->history_count > 2) thin_out(s);
    pliant_state *copy = pliant_state_create(s->model, NULL);
    if (!copy) return false;
    pliant_state_copy(copy, s->state);
    s->history[s->history_count++] = (moment){s->frame, copy};
    return true;
}

/* To the kept frame that is nearest to `frame` from below. */
static void go_to(view_session *s, uint32_t frame)
{
    size_t i = s->history_count;
    while (i > 1 && s->history[i - 1].frame > frame) i--;
    pliant_state_copy(s->state, s->history[i - 1].state);
    s->solved = UINT32_MAX;
    s->frame = s->history[i - 1].frame;
}

/* ---- a step ---- */

static void apply_wishes(view_session *s)
{
    const view_controls *c = &s->now.controls;
    pliant_inputs_reset(s->inputs, 1 / s->file.fps);
    if (c->gravity_set) pliant_inputs_gravity(s->inputs, c->gravity);
    if (c->substeps || c->iterations) pliant_inputs_substeps(s->inputs, c->substeps, c->iterations);
    if (c->grabbing) pliant_inputs_grab(s->inputs, c->grab_body, c->grab_vertex, c->grab_target, c->grab_compliance);
    for (uint32_t i = 0; i < pliant_model_law_count(s->model); i++)
        if (s->now.laws[i].set) pliant_inputs_law(s->inputs, i, &s->now.laws[i].law);
    for (uint32_t i = 0; i < pliant_model_group_count(s->model); i++) {
        const pliant_body_group g = pliant_model_group(s->model, i);
        if (!s->now.groups[i].set) continue;
        if (pliant_group_describe(g.kind)->over == PLIANT_OVER_FACES)
            pliant_inputs_group(s->inputs, g.body, s->now.groups[i].number);
        else
            pliant_inputs_shape(s->inputs, g.body, s->now.groups[i].number);
    }
    for (uint32_t i = 0; i < pliant_model_force_count(s->model); i++) {
        pliant_force id;
        pliant_model_force_at(s->model, i, &id);
        if (s->now.forces[i].set) pliant_inputs_force(s->inputs, id, s->now.forces[i].vector);
    }
    for (uint32_t i = 0; i < pliant_model_collider_count(s->model); i++) {
        pliant_collider id;
        pliant_model_collider_at(s->model, i, &id);
        if (s->now.colliders[i].set) pliant_inputs_collider(s->inputs, id, &s->now.colliders[i].pose);
    }
}

static void add_to_curves(view_status *v)
{
    const pliant_statistics *t = &v->statistics;
    double                   residual = 0;
    if (v->curve_count == VIEW_CURVE) {
        float *const curves[] = {v->curve_residual, v->curve_ms, v->curve_speed};
        for (int i = 0; i < 3; i++) memmove(curves[i], curves[i] + 1, (VIEW_CURVE - 1) * sizeof(float));
        v->curve_count--;
    }
    for (int k = 0; k <= PLIANT_CONSTRAINT_COUNT; k++) residual = fmax(residual, v->kinds[k].residual_max);
    v->curve_residual[v->curve_count] = (float)residual;
    v->curve_ms[v->curve_count] = (float)(1e3 * t->seconds);
    v->curve_speed[v->curve_count++] = (float)t->max_speed;
}

static void add_to_energies(view_status *v)
{
    const pliant_energy *e = &v->statistics.energy;
    const double         now[VIEW_ENERGIES] = {e->kinetic, e->gravity, e->elastic, e->kinetic + e->gravity + e->elastic};
    if (v->energy_count == VIEW_CURVE) {
        for (int i = 0; i < VIEW_ENERGIES; i++) memmove(v->curve_energy[i], v->curve_energy[i] + 1, (VIEW_CURVE - 1) * sizeof(float));
        v->energy_count--;
    }
    for (int i = 0; i < VIEW_ENERGIES; i++) v->curve_energy[i][v->energy_count] = (float)now[i];
    v->energy_count++;
}

/* A solver reckons energies from when it is made, or never: another takes its place. Nothing that counts is lost with the old one. */
static void choose_solver(view_session *s)
{
    pliant_solver_def def = s->def;
    def.energy = s->now.controls.energy;
    if (def.energy == s->def.energy) return;
    s->mine.energy_count = 0;
    pliant_solver *other = pliant_solver_create(s->model, &def, NULL);
    if (!other) return; /* no memory for it: as before */
    pliant_solver_destroy(s->solver);
    s->solver = other;
    s->def = def;
    s->solved = UINT32_MAX;
}

/* Why a step was not done. */
static void explain(view_session *s, pliant_code code)
{
    pliant_error error = {.code = code};
    pliant_solver_takes(s->solver, s->inputs, &error);
    snprintf(s->mine.message, sizeof s->mine.message, "frame %u: %.400s", s->frame + 1,
             *error.message ? error.message : pliant_code_name(code));
}

static bool step(view_session *s)
{
    choose_solver(s);
    apply_wishes(s);
    forget_after(s, s->frame);
    pliant_code code = pliant_solver_step(s->solver, s->state, s->inputs);
    s->mine.message[0] = 0;
    if (code != PLIANT_OK) {
        pliant_divergence d = pliant_solver_divergence(s->solver);
        const char       *name = pliant_model_body(s->model, d.particle.body).name;
        if (code == PLIANT_ERROR_DIVERGED)
            snprintf(s->mine.message, sizeof s->mine.message, "%s in frame %u: particle %u of %s%s", pliant_code_name(code), s->frame + 1,
                     d.particle.vertex, name ? name : "a body", d.unsolved ? ": found no positions that satisfy the constraints" : "");
        else
            explain(s, code);
        go_to(s, s->frame); /* the last good one */
        return false;
    }
    s->solved = ++s->frame;
    s->mine.statistics = pliant_solver_statistics(s->solver);
    for (int k = 0; k <= PLIANT_CONSTRAINT_COUNT; k++)
        s->mine.kinds[k] = pliant_solver_kind_statistics(s->solver, (pliant_constraint_kind)k);
    s->mine.stage_count = pliant_solver_stage_times(s->solver, s->mine.stage, VIEW_STAGES);
    if (s->mine.stage_count > VIEW_STAGES) s->mine.stage_count = VIEW_STAGES;
    add_to_curves(&s->mine);
    if (s->def.energy) add_to_energies(&s->mine);
    if (remember(s)) return true;
    snprintf(s->mine.message, sizeof s->mine.message, "out of memory for the past of frame %u", s->frame);
    return false;
}

static bool is_playing(view_session *s)
{
    pthread_mutex_lock(&s->lock);
    const bool playing = s->playing;
    pthread_mutex_unlock(&s->lock);
    return playing;
}

/* A step, or, of a loop that has come to the scene's end or is past it, the way back. False where playing ends. A scene without frames has no end. */
static bool go_on(view_session *s)
{
    const uint32_t end = s->file.frames;
    if (!s->now.controls.loop || !end || s->frame < end || !is_playing(s))
        return step(s) && (s->now.controls.loop || s->frame != end || !is_playing(s));
    go_to(s, 0);
    return true;
}

/* Shows where the thread is now; with `stopped`, playing ends in the same moment in which the message that says why can be read. */
static void publish(view_session *s, bool stopped)
{
    const draw_source source = {.state = s->state,
                                .solver = s->solved == s->frame ? s->solver : NULL, /* its contacts are those of its last step */
                                .number = s->frame,
                                .show = s->now.controls.show,
                                .strain_range = (float)s->now.controls.strain_range,
                                .points = true};
    bool              filled = draw_frame_fill(s->spare, s->subject, &source, NULL);
    s->mine.frame = s->frame;
    s->mine.last = s->history_count ? s->history[s->history_count - 1].frame : 0;
    s->mine.hash = pliant_state_hash(s->state);
    s->mine.time = pliant_state_time(s->state);
    pthread_mutex_lock(&s->lock);
    if (filled) {
        draw_frame *old = s->ready;
        s->ready = s->spare;
        s->spare = old;
        s->fresh = true;
    }
    if (stopped) {
        s->playing = false;
        s->steps = 0;
    }
    s->status = s->mine;
    s->status.playing = s->playing;
    pthread_mutex_unlock(&s->lock);
}

/* ---- the thread ---- */

static void copy_wishes(view_session *s)
{
    s->now.controls = s->asked.controls;
    memcpy(s->now.laws, s->asked.laws, pliant_model_law_count(s->model) * sizeof *s->now.laws);
    memcpy(s->now.groups, s->asked.groups, pliant_model_group_count(s->model) * sizeof *s->now.groups);
    memcpy(s->now.forces, s->asked.forces, pliant_model_force_count(s->model) * sizeof *s->now.forces);
    memcpy(s->now.colliders, s->asked.colliders, pliant_model_collider_count(s->model) * sizeof *s->now.colliders);
}

/* Waits until there is something to do or, while playing, until `due`. */
static void wait_for_work(view_session *s, double due)
{
    while (!s->quit && !s->changed && !s->reset && !s->due_now && s->seek == UINT32_MAX && !s->steps && !s->back) {
        if (!s->playing) {
            pthread_cond_wait(&s->wake, &s->lock);
            continue;
        }
        double left = due - clock_seconds();
        if (left <= 0) return;
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += (long)(fmin(left, 0.5) * 1e9);
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&s->wake, &s->lock, &until);
    }
}

/* The next task of the thread, taken from the shared part. */
typedef struct work {
    bool     quit, reset, step, show;
    uint32_t seek, back;
    uint64_t ticket;
} work;

static work take_work(view_session *s, double due)
{
    pthread_mutex_lock(&s->lock);
    wait_for_work(s, due);
    if (s->due_now) due = 0;
    s->due_now = false;
    work w = {.quit = s->quit, .reset = s->reset, .seek = s->seek, .back = s->back, .show = s->changed, .ticket = s->tickets};
    w.step = s->steps > 0 || (s->playing && clock_seconds() >= due);
    if (s->steps) s->steps--;
    s->reset = s->changed = false;
    s->seek = UINT32_MAX;
    s->back = 0;
    if (s->limit < s->history_room) s->history_limit = s->limit;
    copy_wishes(s);
    pthread_mutex_unlock(&s->lock);
    return w;
}

static void finish_work(view_session *s, uint64_t ticket)
{
    pthread_mutex_lock(&s->lock);
    if (!s->steps) s->done = ticket;
    pthread_cond_broadcast(&s->settled);
    pthread_mutex_unlock(&s->lock);
}

static void start_over(view_session *s)
{
    go_to(s, 0);
    forget_after(s, 0);
    s->mine.curve_count = s->mine.energy_count = 0;
    s->mine.message[0] = 0;
    memset(&s->mine.statistics, 0, sizeof s->mine.statistics);
    s->mine.stage_count = 0;
}

static void *simulate(void *data)
{
    view_session *s = data;
    double        due = clock_seconds();
    for (;;) {
        work w = take_work(s, due);
        bool stopped = false;
        if (w.quit) return NULL;
        double start = clock_seconds(), pace = s->now.controls.speed > 0 ? 1 / s->file.fps / s->now.controls.speed : 0;
        if (w.reset) start_over(s);
        if (w.seek != UINT32_MAX) go_to(s, w.seek);
        if (w.back) go_to(s, w.back < s->frame ? s->frame - w.back : 0);
        if (w.step) {
            due = start > due + 0.25 ? start + pace : due + pace; /* a little late is made good, much is not */
            stopped = !go_on(s);
        }
        if (due > start + pace) due = start + pace; /* the speed was raised */
        if (w.reset || w.seek != UINT32_MAX || w.back || w.step || w.show) publish(s, stopped);
        finish_work(s, w.ticket);
    }
}

/* ---- opening and closing ---- */

static bool make_wishes(wishes *w, const pliant_model *m)
{
    w->laws = calloc(pliant_model_law_count(m) + 1u, sizeof *w->laws);
    w->groups = calloc(pliant_model_group_count(m) + 1u, sizeof *w->groups);
    w->forces = calloc(pliant_model_force_count(m) + 1u, sizeof *w->forces);
    w->colliders = calloc(pliant_model_collider_count(m) + 1u, sizeof *w->colliders);
    w->controls.speed = 1;
    w->controls.grab_compliance = (pliant_real)1e-3;
    return w->laws && w->groups && w->forces && w->colliders;
}

static uint32_t thread_count(uint32_t wanted)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (wanted) return wanted;
    return processors < 3 ? 1 : processors > 16 ? 15 : (uint32_t)processors - 1;
}

static bool prepare(view_session *s, uint32_t threads, const pliant_linear_solver *linear, pliant_error *error)
{
    pliant_solver_def def = pliant_solver_def_default();
    def.threads = thread_count(threads);
    def.measure = def.timing = true;
    def.linear = linear;
    s->def = def;
    s->model = s->file.model;
    s->subject = draw_subject_create(s->model, error);
    s->solver = s->subject ? pliant_solver_create(s->model, &def, error) : NULL;
    s->inputs = s->solver ? pliant_inputs_create(s->model, error) : NULL;
    s->state = s->inputs ? pliant_state_create(s->model, error) : NULL;
    if (!s->state) return false;
    s->history_room = HISTORY_BYTES / pliant_model_state_size(s->model);
    if (s->history_room < LEAST_HISTORY) s->history_room = LEAST_HISTORY;
    if (s->history_room > 100000) s->history_room = 100000;
    s->limit = s->history_limit = s->history_room;
    s->history = calloc(s->history_room, sizeof *s->history);
    s->shown = &s->frames[0];
    s->ready = &s->frames[1];
    s->spare = &s->frames[2];
    s->seek = UINT32_MAX;
    return (s->history && make_wishes(&s->asked, s->model) && make_wishes(&s->now, s->model) && remember(s)) ||
           draw_fail(error, PLIANT_ERROR_MEMORY, NULL, "out of memory for a session");
}

view_session *view_session_open(const char *path, const char *text, uint32_t threads, const pliant_linear_solver *linear,
                                pliant_error *error)
{
    view_session *s = calloc(1, sizeof *s);
    if (!s) {
        draw_fail(error, PLIANT_ERROR_MEMORY, NULL, "out of memory for a session");
        return NULL;
    }
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->wake, NULL);
    pthread_cond_init(&s->settled, NULL);
    bool ok = text ? pliant_model_read_text(text, strlen(text), path, NULL, NULL, &s->file, error) == PLIANT_OK
                   : pliant_model_read(path, NULL, &s->file, error) == PLIANT_OK;
    ok = ok && prepare(s, threads, linear, error);
    if (ok) {
        publish(s, false);
        s->started = pthread_create(&s->thread, NULL, simulate, s) == 0;
        ok = s->started || draw_fail(error, PLIANT_ERROR_MEMORY, NULL, "a thread could not be started");
    }
    if (ok) return s;
    view_session_close(s);
    return NULL;
}

static void free_wishes(wishes *w)
{
    free(w->laws);
    free(w->groups);
    free(w->forces);
    free(w->colliders);
}

void view_session_close(view_session *s)
{
    if (!s) return;
    pthread_mutex_lock(&s->lock);
    s->quit = true;
    pthread_cond_broadcast(&s->wake);
    pthread_mutex_unlock(&s->lock);
    if (s->started) pthread_join(s->thread, NULL);
    while (s->history_count) pliant_state_destroy(s->history[--s->history_count].state);
    free(s->history);
    free_wishes(&s->asked);
    free_wishes(&s->now);
    for (int i = 0; i < 3; i++) draw_frame_free(&s->frames[i]);
    pliant_inputs_destroy(s->inputs);
    pliant_solver_destroy(s->solver);
    pliant_state_destroy(s->state);
    draw_subject_destroy(s->subject);
    pliant_model_close(&s->file);
    pthread_cond_destroy(&s->wake);
    pthread_cond_destroy(&s->settled);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* ---- functions that the window calls ---- */

const pliant_model  *view_session_model(const view_session *s) { return s->model; }
const draw_subject  *view_session_subject(const view_session *s) { return s->subject; }
double               view_session_fps(const view_session *s) { return s->file.fps; }
const pliant_camera *view_session_camera(const view_session *s) { return &s->file.camera; }

static void begin_wish(view_session *s) { pthread_mutex_lock(&s->lock); }

static void end_wish(view_session *s)
{
    s->tickets++;
    s->changed = true;
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->lock);
}

void view_session_command(view_session *s, view_command command, uint32_t frame)
{
    begin_wish(s);
    s->playing = command == VIEW_PLAY;
    s->status.playing = s->playing;
    if (command == VIEW_STEP) {
        if (s->back)
            s->back--;
        else
            s->steps++;
    } else if (command == VIEW_BACK) {
        if (s->steps)
            s->steps--;
        else
            s->back++;
    } else { /* any other command takes the place of the one before */
        s->steps = s->back = 0;
        if (command == VIEW_SEEK || command == VIEW_RESET) s->seek = command == VIEW_SEEK ? frame : UINT32_MAX;
        if (command == VIEW_RESET) s->reset = true;
        s->due_now = command == VIEW_PLAY;
    }
    end_wish(s);
}

void view_session_control(view_session *s, const view_controls *controls)
{
    begin_wish(s);
    s->asked.controls = *controls;
    end_wish(s);
}

void view_session_law(view_session *s, uint32_t law, const pliant_law *values)
{
    if (law >= pliant_model_law_count(s->model)) return;
    begin_wish(s);
    s->asked.laws[law].set = values != NULL;
    if (values) s->asked.laws[law].law = *values;
    end_wish(s);
}

void view_session_group(view_session *s, uint32_t group, const double *number)
{
    if (group >= pliant_model_group_count(s->model)) return;
    begin_wish(s);
    s->asked.groups[group].set = number != NULL;
    if (number) s->asked.groups[group].number = *number;
    end_wish(s);
}

void view_session_force(view_session *s, uint32_t force, const pliant_vec3 *vector)
{
    if (force >= pliant_model_force_count(s->model)) return;
    begin_wish(s);
    s->asked.forces[force].set = vector != NULL;
    if (vector) s->asked.forces[force].vector = *vector;
    end_wish(s);
}

void view_session_collider(view_session *s, uint32_t index, const pliant_pose *pose)
{
    if (index >= pliant_model_collider_count(s->model)) return;
    begin_wish(s);
    s->asked.colliders[index].set = pose != NULL;
    if (pose) s->asked.colliders[index].pose = *pose;
    end_wish(s);
}

const draw_frame *view_session_frame(view_session *s, bool *fresh)
{
    pthread_mutex_lock(&s->lock);
    if (fresh) *fresh = s->fresh;
    if (s->fresh) {
        draw_frame *old = s->shown;
        s->shown = s->ready;
        s->ready = old;
        s->fresh = false;
    }
    pthread_mutex_unlock(&s->lock);
    return s->shown;
}

void view_session_status(view_session *s, view_status *out)
{
    pthread_mutex_lock(&s->lock);
    *out = s->status;
    out->playing = s->playing;
    pthread_mutex_unlock(&s->lock);
}

void view_session_limit(view_session *s, uint32_t frames)
{
    begin_wish(s);
    s->limit = frames < 3 ? 3 : frames;
    end_wish(s);
}

void view_session_settle(view_session *s)
{
    pthread_mutex_lock(&s->lock);
    while (s->done < s->tickets) pthread_cond_wait(&s->settled, &s->lock);
    pthread_mutex_unlock(&s->lock);
}
