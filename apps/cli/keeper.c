/* A thread that watches a run: when the user wants to stop, a frame that takes long is not waited for. */
#define _POSIX_C_SOURCE 200809L
#include "keeper.h"
#include "profile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LOOK_EVERY 0.05 /* s */
#define PATIENCE 0.5    /* s: how long a frame may take to end after Ctrl-C */

static void wait_some(cli_keeper *k)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(LOOK_EVERY * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&k->over, &k->lock, &until);
}

/* The lock is held: the run is inside a step, or has ended. */
static void give_up(cli_keeper *k)
{
    pliant_error error = {0};
    bool         kept = pliant_checkpoint_write(k->path, k->before, &k->at, &error) == PLIANT_OK && cli_profile_finish(k->profile, &error);
    if (kept)
        fprintf(stderr, "\n%s: interrupted after frame %u of %u; what was written is whole, and --resume %s goes on from there\n", k->name,
                k->at.frame, k->frames, k->path);
    _exit(kept ? CLI_INTERRUPTED : cli_fail(&error));
}

static void *watch(void *keeper)
{
    cli_keeper *k = keeper;
    double      asked = 0;
    pthread_mutex_lock(&k->lock);
    while (!k->ended) {
        if (!(asked > 0) && cli_interrupted()) asked = cli_seconds();
        if (asked > 0 && cli_seconds() - asked > PATIENCE) give_up(k);
        wait_some(k);
    }
    pthread_mutex_unlock(&k->lock);
    return NULL;
}

bool cli_keeper_start(cli_keeper *k, const pliant_model *model, pliant_error *error)
{
    if (!k->path) return true;
    k->before = pliant_state_create(model, error);
    if (!k->before) return false;
    pthread_mutex_init(&k->lock, NULL);
    pthread_cond_init(&k->over, NULL);
    pthread_mutex_lock(&k->lock);
    k->started = pthread_create(&k->thread, NULL, watch, k) == 0;
    if (k->started) return true;
    *error = (pliant_error){.code = PLIANT_ERROR_MEMORY, .message = "a thread could not be started"};
    return false;
}

void cli_keeper_end(cli_keeper *k)
{
    if (!k->before) return;
    k->ended = true;
    if (k->started) {
        pthread_cond_signal(&k->over);
        pthread_mutex_unlock(&k->lock);
        pthread_join(k->thread, NULL);
    } else
        pthread_mutex_unlock(&k->lock);
    pthread_mutex_destroy(&k->lock);
    pthread_cond_destroy(&k->over);
    pliant_state_destroy(k->before);
}

void cli_keeper_before_step(cli_keeper *k, const pliant_state *state, uint32_t frame)
{
    if (!k->path) return;
    pliant_state_copy(k->before, state);
    k->at.frame = frame;
    k->at.written = frame + 1;
    pthread_mutex_unlock(&k->lock);
}

void cli_keeper_after_step(cli_keeper *k)
{
    if (k->path) pthread_mutex_lock(&k->lock);
}

bool cli_keeper_write(cli_keeper *k, const pliant_state *state, uint32_t frame, uint32_t written, pliant_error *error)
{
    if (!k->path) return true;
    k->at.frame = frame;
    k->at.written = written;
    return pliant_checkpoint_write(k->path, state, &k->at, error) == PLIANT_OK;
}

bool cli_keeper_wants(const cli_keeper *k, uint32_t frame)
{
    return k->path && (frame % k->every == 0 || frame == k->frames || cli_interrupted());
}

/* ---- going on ---- */

__attribute__((format(printf, 3, 4))) static bool fail_input(pliant_error *error, const char *path, const char *format, ...)
{
    va_list args;
    *error = (pliant_error){.code = PLIANT_ERROR_INPUT};
    snprintf(error->path, sizeof error->path, "%.255s", path);
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return false;
}

/* No checkpoint was written yet: the run was stopped before its first frame, or it never began. Where outputs have frames there was one. */
static bool begin_anew(const cli_job *job, pliant_error *error)
{
    for (uint32_t i = 0; job->outputs && i < job->outputs->count; i++) {
        pliant_cache *cache = pliant_cache_open(job->outputs->path[i], job->model, NULL);
        pliant_cache_close(cache);
        if (cache)
            return fail_input(error, job->resume,
                              "there is no such checkpoint, but %.100s has frames (to bake it anew, say --checkpoint instead of --resume)",
                              job->outputs->path[i]);
    }
    fprintf(stderr, "%s: there is no such checkpoint yet, and no output; the run begins at frame 0\n", job->resume);
    return true;
}

bool cli_resume(const cli_job *job, pliant_state *state, pliant_checkpoint *from, pliant_error *error)
{
    char made[1024], asked[1024];
    if (access(job->resume, F_OK) != 0) return begin_anew(job, error);
    pliant_method_write(&from->method, asked, sizeof asked);
    if (pliant_checkpoint_read(job->resume, state, from, error) != PLIANT_OK) return false;
    pliant_method_write(&from->method, made, sizeof made);
    if (from->fps != job->fps)
        return fail_input(error, job->resume, "made at %g frames per second, and the scene has %g now", from->fps, job->fps);
    if (job->method && strcmp(made, asked) != 0)
        return fail_input(error, job->resume, "solved by %.150s until now (leave --method out to go on with it)", made);
    if ((job->substeps && job->substeps != from->substeps) || (job->iterations && job->iterations != from->iterations))
        return fail_input(error, job->resume, "made with other --substeps or --iterations (leave them out to go on with its own)");
    if (job->subframes && job->subframes != from->subframes)
        return fail_input(error, job->resume, "made with --subframes %u (leave it out to go on with that)", from->subframes);
    if (from->frame > job->frames)
        return fail_input(error, job->resume, "of frame %u, and the run ends with frame %u", from->frame, job->frames);
    return true;
}
