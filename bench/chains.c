/* Long chains: how long a step of Newton's method takes by length, and how long it takes to a stretch of 1e-6, against Gauss-Seidel.
 *
 * A chain of 100 m that points down by 45 degrees is let go, one step of a sixtieth of a second. All are solved to their end by newton; Gauss-
 * Seidel stops where it has had its seconds. Seconds are those of the iterations alone, from the trace. Gauss-Seidel's sweeps are counted on
 * beyond the 10,000 of a substep: with no compliance, a step without gravity from rest is more sweeps from where the last ones ended. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH 100.0
#define GOAL 1e-6
#define H (1.0 / 60)

typedef struct masses {
    const char *name;
    double      odd, end; /* kg; even ones have 1 */
} masses;

typedef struct record {
    double   rest, before; /* m; seconds of the steps before */
    double   seconds, stretch, goal_seconds, budget;
    uint32_t iterations, goal_iterations, before_iterations;
    bool     stops; /* where the goal is reached, or the budget is spent */
} record;

static bool note(const pliant_progress *p, void *context)
{
    record *r = context;
    r->seconds = r->before + p->seconds;
    r->iterations = r->before_iterations + p->iteration;
    r->stretch = p->largest[PLIANT_CONSTRAINT_DISTANCE] / r->rest;
    if (r->stretch < GOAL && r->goal_seconds < 0) {
        r->goal_seconds = r->seconds;
        r->goal_iterations = r->iterations;
    }
    return !r->stops || (r->goal_seconds < 0 && r->seconds < r->budget);
}

static pliant_model *make_chain(uint32_t segments, const masses *m, pliant_error *error)
{
    pliant_scene_def     d = pliant_scene_def_default();
    pliant_particles_def points = pliant_particles_def_default();
    pliant_vec3         *x = calloc(segments + 1, sizeof *x);
    pliant_real         *w = calloc(segments + 1, sizeof *w);
    const double         step = LENGTH / segments * sqrt(0.5);
    d.substeps = 1;
    d.iterations = 10000;
    d.max_speed = (pliant_real)1e30;
    if (!x || !w) exit(5);
    for (uint32_t i = 0; i <= segments; i++) {
        x[i] = (pliant_vec3){(pliant_real)(step * i), (pliant_real)(-step * i), 0};
        w[i] = i ? (pliant_real)(1 / (i == segments ? m->end : i % 2 ? m->odd : 1)) : 0;
    }
    points.positions = x;
    points.inverse_masses = w;
    points.count = segments + 1;
    pliant_scene         *scene = pliant_scene_create(&d, error);
    pliant_body           body = scene ? pliant_scene_add_particles(scene, &points, error) : (pliant_body){0};
    pliant_constraint_def c = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
    c.parameters[0] = (pliant_real)(LENGTH / segments);
    for (uint32_t i = 0; i < segments && body.id; i++) {
        c.particles[0] = (pliant_particle){body, i};
        c.particles[1] = (pliant_particle){body, i + 1};
        if (!pliant_scene_add_constraint(scene, &c, error).id) stop(error);
    }
    pliant_model *model = body.id ? pliant_scene_compile(scene, error) : NULL;
    if (!model) stop(error);
    pliant_scene_destroy(scene);
    free(x);
    free(w);
    return model;
}

/* One step by one method; Gauss-Seidel goes on until it is there or has had its seconds. */
static record run(const pliant_model *model, uint32_t segments, pliant_method method, pliant_gradients gradients, double h, double budget,
                  pliant_error *error)
{
    record            r = {.rest = LENGTH / segments, .goal_seconds = -1, .budget = budget, .stops = method != PLIANT_METHOD_NEWTON};
    pliant_method_def how = pliant_method_def_default();
    pliant_solver_def d = pliant_solver_def_default();
    how.method = method;
    how.gradients = gradients;
    d.method = &how;
    d.trace = note;
    d.trace_context = &r;
    pliant_state  *state = pliant_state_create(model, error);
    pliant_inputs *in = pliant_inputs_create(model, error);
    pliant_solver *solver = pliant_solver_create(model, &d, error);
    if (!state || !in || !solver) stop(error);
    pliant_inputs_reset(in, h);
    if (method == PLIANT_METHOD_NEWTON) pliant_inputs_substeps(in, 1, 1);
    if (pliant_solver_step(solver, state, in) != PLIANT_OK) r.stretch = -1;
    while (r.stops && r.goal_seconds < 0 && r.seconds < budget) {
        pliant_body        body = pliant_model_body_at(model, 0).body;
        static pliant_vec3 rest[1000001];
        r.before = r.seconds;
        r.before_iterations = r.iterations;
        pliant_state_set_velocities(state, body, 0, segments + 1, rest);
        pliant_inputs_reset(in, h);
        pliant_inputs_gravity(in, (pliant_vec3){0, 0, 0});
        pliant_solver_step(solver, state, in);
    }
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(in);
    pliant_state_destroy(state);
    return r;
}

/* The fastest of five runs: they do the same work, and a slower run was disturbed. */
static record best_newton(const pliant_model *model, uint32_t segments, pliant_gradients gradients, pliant_error *error)
{
    record best = run(model, segments, PLIANT_METHOD_NEWTON, gradients, H, 0, error);
    for (int i = 0; i < 4; i++) {
        record r = run(model, segments, PLIANT_METHOD_NEWTON, gradients, H, 0, error);
        if (r.goal_seconds < best.goal_seconds) best = r;
    }
    return best;
}

static void print_newton(const char *name, const record *r, FILE *csv, const masses *m, uint32_t segments)
{
    if (r->stretch < 0)
        printf("  %-9s none  %32s", name, "");
    else if (r->goal_seconds < 0)
        printf("  %-9s %3u its, %8.4f s: %8.1e only", name, r->iterations, r->seconds, r->stretch);
    else
        printf("  %-9s %3u its, %8.4f s (end %8.1e)", name, r->goal_iterations, r->goal_seconds, r->stretch);
    if (csv)
        fprintf(csv, "chain,%s,%u,%s,%u,%.6g,%.6g,%.6g\n", m->name, segments, name, r->iterations, r->seconds, r->stretch, r->goal_seconds);
}

void measure_chains(bool quick, FILE *csv)
{
    static const masses all[] = {
        {"equal", 1, 1}, {"end 1e3", 1, 1e3}, {"end 1e6", 1, 1e6}, {"every other 1e3", 1e3, 1e3}, {"every other 1e6", 1e6, 1e6}};
    static const uint32_t    lengths[] = {1000, 10000, 100000};
    static const char *const words[] = {"start", "predicted", "implicit"};
    pliant_error             error = {0};
    printf("\nchains let go at 45 degrees, h = 1/60: iterations and seconds to a stretch of %g, by method\n\n", GOAL);
    if (csv) fprintf(csv, "case,masses,segments,method,iterations,seconds,stretch,seconds_to_goal\n");
    for (uint32_t i = 0; i < (quick ? 2 : 3); i++) { /* the cost of a Newton step by length */
        pliant_model *model = make_chain(lengths[i], &all[0], &error);
        for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) { /* the same turn of the first link at every length */
            double   best = INFINITY;
            uint32_t steps = 0;
            for (int k = 0; k < (quick ? 3 : 9); k++) {
                record r = run(model, lengths[i], PLIANT_METHOD_NEWTON, (pliant_gradients)g, H * 100 / lengths[i], 0, &error);
                steps = r.iterations;
                best = fmin(best, r.seconds / r.iterations);
            }
            printf("%7u segments, %-9s %8.1f us per Newton step, %5.0f ns per segment, %u steps\n", lengths[i], words[g], 1e6 * best,
                   1e9 * best / lengths[i], steps);
            fflush(stdout);
        }
        pliant_model_destroy(model);
    }
    printf("\n");
    for (size_t i = 0; i < (quick ? 1 : sizeof all / sizeof *all); i++) {
        pliant_model *model = make_chain(10000, &all[i], &error);
        record        start = best_newton(model, 10000, PLIANT_GRADIENTS_START, &error);
        record        implicit = best_newton(model, 10000, PLIANT_GRADIENTS_IMPLICIT, &error);
        record        gs = run(model, 10000, PLIANT_METHOD_GAUSS_SEIDEL, 0, H, quick ? 1 : 10, &error);
        double        newton = start.goal_seconds > 0 ? start.goal_seconds : implicit.goal_seconds;
        printf("10000, masses %-15s", all[i].name);
        print_newton("start", &start, csv, &all[i], 10000);
        print_newton("implicit", &implicit, csv, &all[i], 10000);
        printf("  gauss_seidel %u its, %.1f s: %.1e; %s%.0f x\n", gs.iterations, gs.seconds, gs.stretch,
               gs.goal_seconds < 0 ? "more than " : "", gs.seconds / newton);
        if (csv)
            fprintf(csv, "chain,%s,10000,gauss_seidel,%u,%.6g,%.6g,%.6g\n", all[i].name, gs.iterations, gs.seconds, gs.stretch,
                    gs.goal_seconds);
        fflush(stdout);
        pliant_model_destroy(model);
    }
}
