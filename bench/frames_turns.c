/* Frames by turns: runs step frame by frame, one after the other, so that a bad moment of the machine hits all alike; each round from the same states.
 * And what frames leave, so that none is fast because it solves less. */
#define _POSIX_C_SOURCE 200809L
#include "frames.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define EASED 0.9 /* of velocities stay, frame by frame, where cloth is to come to lie */

static void out_of_memory(void) { stop(&(pliant_error){.message = "out of memory"}); }

static uint32_t states_of(const frames_run *r) { return r->stepper.many ? r->stepper.states : 1; }

static uint32_t particles_of(const frames_run *r) { return pliant_model_particle_count(r->of->subject.model); }

frames_run frames_begin(const frames_subject *of, const bench_settings *settings, uint32_t threads)
{
    pliant_error error = {0};
    frames_run   r = {.of = of, .threads = threads};
    if (!bench_begin(&r.stepper, &of->subject, settings, settings->widths[0], threads, &error)) stop(&error);
    r.stepper.start = pliant_state_create(of->subject.model, &error);
    if (!r.stepper.start) stop(&error);
    return r;
}

void frames_end(frames_run *r) { bench_end(&r->stepper); }

static void step(frames_run *r)
{
    if (!bench_step(&r->stepper, 1)) stop(&(pliant_error){.message = "a frame diverged, or has no room for its pairs"});
}

static void rewind_run(frames_run *r)
{
    if (!bench_rewind(&r->stepper)) stop(&(pliant_error){.message = "a run does not begin anew"});
}

static void ease(pliant_state *state, const pliant_model *model)
{
    for (uint32_t b = 0; b < pliant_model_body_count(model); b++) {
        const pliant_body_info info = pliant_model_body_at(model, b);
        pliant_vec3           *v = malloc(info.vertex_count * sizeof *v);
        if (!v) out_of_memory();
        pliant_code code = pliant_state_velocities(state, info.body, 0, info.vertex_count, v);
        for (uint32_t i = 0; i < info.vertex_count; i++) {
            v[i].x *= (pliant_real)EASED;
            v[i].y *= (pliant_real)EASED;
            v[i].z *= (pliant_real)EASED;
        }
        if (code == PLIANT_OK) code = pliant_state_set_velocities(state, info.body, 0, info.vertex_count, v);
        if (code != PLIANT_OK) stop(&(pliant_error){.message = "a cloth is not slowed down"});
        free(v);
    }
}

void frames_try(frames_run *r, uint32_t frames, bool eased)
{
    rewind_run(r);
    for (uint32_t f = 0; f < frames; f++) {
        step(r);
        if (eased) ease(r->stepper.state, r->of->subject.model);
    }
}

void frames_advance(frames_run *r, uint32_t frames, bool eased)
{
    frames_try(r, frames, eased);
    if (pliant_state_copy(r->stepper.start, r->stepper.state) != PLIANT_OK) stop(&(pliant_error){.message = "a run has no start"});
}

void frames_start_as(frames_run *r, const frames_run *other)
{
    if (pliant_state_copy(r->stepper.start, other->stepper.start) != PLIANT_OK) stop(&(pliant_error){.message = "a run has no start"});
}

/* ---- turns ---- */

/* Of the processor, by this thread alone: workers that wait for the next walk spin meanwhile. */
static double thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the seconds by the clock. */
static double timed_step(frames_run *r, uint32_t round)
{
    const double wall = bench_now(), thread = thread_seconds();
    step(r);
    r->seconds[round] += thread_seconds() - thread;
    const double took = bench_now() - wall;
    r->wall[round] += took;
    return took;
}

/* The states of a run are equal, so the rows of the last one count for each. */
static void count_rows(frames_run *r)
{
    const pliant_statistics s = pliant_solver_statistics(r->stepper.solver);
    r->contacts += (double)s.contacts;
    r->pairs += (double)s.pairs * states_of(r);
}

static void begin_round(frames_run *runs, uint32_t count, uint32_t round)
{
    for (uint32_t i = 0; i < count; i++) {
        rewind_run(&runs[i]);
        runs[i].seconds[round] = runs[i].wall[round] = 0;
    }
}

static void take_means(frames_run *r, const double *shortest, uint32_t frames, uint32_t rounds)
{
    r->least = 0;
    for (uint32_t f = 0; f < frames; f++) r->least += shortest[f] / frames;
    for (uint32_t round = 0; round < rounds; round++) {
        r->seconds[round] /= frames;
        r->wall[round] /= frames;
    }
    r->contacts /= frames * rounds;
    r->pairs /= frames * rounds;
}

void frames_turns(frames_run *runs, uint32_t count, uint32_t frames, uint32_t rounds)
{
    double *shortest = malloc(sizeof *shortest * count * frames); /* [run][frame], s by the clock */
    if (!shortest) out_of_memory();
    for (uint32_t i = 0; i < count; i++) runs[i].contacts = runs[i].pairs = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        begin_round(runs, count, round);
        for (uint32_t f = 0; f < frames; f++)
            for (uint32_t i = 0; i < count; i++) {
                double      *s = &shortest[i * frames + f];
                const double took = timed_step(&runs[i], round);
                *s = round ? fmin(*s, took) : took;
                count_rows(&runs[i]);
            }
    }
    for (uint32_t i = 0; i < count; i++) take_means(&runs[i], shortest + i * frames, frames, rounds);
    free(shortest);
}

/* ---- what frames leave ---- */

/* How far a point is from a ball, a plane or a capsule, m: that of its surface 0. */
static double distance_to(const pliant_collider_def *d, const pliant_pose *pose, pliant_vec3 p)
{
    const double x = (double)p.x - pose->position.x, y = (double)p.y - pose->position.y, z = (double)p.z - pose->position.z;
    if (d->shape == PLIANT_SHAPE_PLANE) return y; /* the poses of planes and capsules here are upright */
    const double half = d->shape == PLIANT_SHAPE_CAPSULE ? (double)d->half_height : 0, past = y > half    ? y - half
                                                                                              : y < -half ? y + half
                                                                                                          : 0;
    return sqrt(x * x + past * past + z * z) - (double)d->radius;
}

/* The deepest of some particles in any collider, m. */
static double deepest_in_colliders(const frames_run *r, const pliant_vec3 *x, uint32_t count, double thickness)
{
    double deepest = 0;
    for (uint32_t c = 0; c < pliant_model_collider_count(r->of->subject.model); c++) {
        pliant_collider           id;
        const pliant_collider_def d = pliant_model_collider_at(r->of->subject.model, c, &id);
        const pliant_pose         pose = pliant_state_collider_pose(r->stepper.state, id);
        for (uint32_t i = 0; i < count; i++) deepest = fmax(deepest, thickness - distance_to(&d, &pose, x[i]));
    }
    return deepest;
}

static double deepest_of_pairs(const frames_run *r)
{
    const uint32_t    count = pliant_solver_near_pairs(r->stepper.solver, r->stepper.state, NULL, 0);
    pliant_near_pair *pairs = malloc((count + 1) * sizeof *pairs);
    double            deepest = 0;
    if (!pairs) out_of_memory();
    pliant_solver_near_pairs(r->stepper.solver, r->stepper.state, pairs, count);
    for (uint32_t i = 0; i < count; i++) deepest = fmax(deepest, (double)pairs[i].touching - pairs[i].distance);
    free(pairs);
    return deepest;
}

static uint32_t crossings_of(const pliant_state *state)
{
    pliant_crossing all[1];
    uint32_t        count = 0;
    if (pliant_state_crossings(state, all, 1, &count) != PLIANT_OK) stop(&(pliant_error){.message = "crossings cannot be counted"});
    return count ? all[0].count : 0;
}

static double length_of(pliant_vec3 v) { return sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z); }

double frames_stretch(const frames_run *r)
{
    const bench_subject *s = &r->of->subject;
    const uint32_t       n = s->side, bodies = pliant_model_body_count(s->model);
    pliant_vec3         *x = malloc(n * n * sizeof *x);
    double               sum = 0;
    if (!x) out_of_memory();
    for (uint32_t b = 0; b < bodies; b++) {
        pliant_state_positions(r->stepper.state, pliant_model_body_at(s->model, b).body, 0, n * n, x);
        sum += bench_stretch_of(s, x, r->of->edge);
    }
    free(x);
    return sum * 100.0 / (2.0 * n * (n - 1) * bodies);
}

frames_quality frames_look(const frames_run *r)
{
    const bench_subject *s = &r->of->subject;
    const uint32_t       vertices = s->side * s->side, bodies = pliant_model_body_count(s->model);
    frames_quality       q = {.penetration = deepest_of_pairs(r), .crossings = crossings_of(r->stepper.state)};
    pliant_vec3         *x = malloc(vertices * sizeof *x);
    if (!x) out_of_memory();
    for (uint32_t b = 0; b < bodies; b++) {
        const pliant_body_info info = pliant_model_body_at(s->model, b);
        pliant_state_velocities(r->stepper.state, info.body, 0, vertices, x);
        for (uint32_t i = 0; i < vertices; i++) q.speed += length_of(x[i]);
        pliant_state_positions(r->stepper.state, info.body, 0, vertices, x);
        q.penetration = fmax(q.penetration, deepest_in_colliders(r, x, vertices, (double)info.thickness));
    }
    free(x);
    q.stretch = frames_stretch(r);
    q.speed *= 1e3 / particles_of(r);
    q.penetration = round(1e5 * q.penetration) / 100;
    return q;
}
