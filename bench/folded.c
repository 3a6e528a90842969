/* A sheet that lies in folds over a ball and on the floor, and meets itself with friction, corners on triangles and edges on edges: the time of a
 * step of ten substeps, search included, beside the same sheet that does not meet itself; one thread. Both fall first, until they lie; how fast they
 * still go is printed. Frames are taken by turns, in seconds of the processor; medians. */
#include "bench.h"
#include "timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUBSTEPS 10u
#define BALL 0.1 /* m */
#define FRAMES 41u
#define QUICK 5u

/* A sheet of n x n vertices, and how many frames it has to come to lie. */
typedef struct cloth {
    uint32_t n, settles;
} cloth;
static const cloth cloths[] = {{64, 400}, {128, 400}}, small[] = {{32, 100}};

typedef struct sheet {
    pliant_model  *model;
    pliant_state  *state;
    pliant_solver *solver;
    pliant_inputs *inputs;
    double         ms[FRAMES], stage[PLIANT_STAGE_COUNT]; /* stage: s, in all frames */
    uint64_t       rows, searches, partial, candidates;   /* in all frames; rows of last substeps */
} sheet;

static pliant_scene *folded_scene(const cloth *c, bool meets_itself, pliant_error *error)
{
    pliant_scene_def    sd = pliant_scene_def_default();
    pliant_cloth_def    d = pliant_cloth_def_default();
    pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE), floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    sd.substeps = SUBSTEPS;
    pliant_scene *s = pliant_scene_create(&sd, error);
    d.cells_x = d.cells_z = c->n - 1;
    d.size_x = d.size_z = 1;
    d.material = pliant_material_preset(PLIANT_COTTON);
    d.material.thickness = (pliant_real)(0.2 / (c->n - 1));
    d.material.friction_static = d.material.friction_dynamic = (pliant_real)0.4;
    d.material.damping = 1;
    d.material.drag = (pliant_real)0.3;
    d.body.self_contact = meets_itself;
    d.body.placement.position = (pliant_vec3){0, (pliant_real)0.45, 0};
    d.body.placement.rotation = (pliant_quat){0, (pliant_real)0.17364818, 0, (pliant_real)0.98480775};
    ball.radius = (pliant_real)BALL;
    ball.pose.position = (pliant_vec3){(pliant_real)0.03, (pliant_real)0.3, (pliant_real)0.02};
    ball.friction_static = ball.friction_dynamic = floor.friction_static = floor.friction_dynamic = (pliant_real)0.5;
    if (!s || !pliant_scene_add_cloth(s, &d, error).id || !pliant_scene_add_collider(s, &ball, error).id ||
        !pliant_scene_add_collider(s, &floor, error).id)
        stop(error);
    return s;
}

static void step(sheet *s)
{
    pliant_inputs_reset(s->inputs, 1.0 / 60);
    if (pliant_solver_step(s->solver, s->state, s->inputs) != PLIANT_OK)
        stop(&(pliant_error){.message = "the sheet has no room for its pairs"});
}

/* A sheet that has had its time to come to lie. */
static sheet fallen(const cloth *c, bool meets_itself)
{
    pliant_error      error = {0};
    pliant_solver_def def = pliant_solver_def_default();
    pliant_scene     *scene = folded_scene(c, meets_itself, &error);
    sheet             s = {.model = pliant_scene_compile(scene, &error)};
    if (!s.model) stop(&error);
    def.timing = true;
    s.state = pliant_state_create(s.model, NULL);
    s.solver = pliant_solver_create(s.model, &def, NULL);
    s.inputs = pliant_inputs_create(s.model, NULL);
    if (!s.state || !s.solver || !s.inputs) stop(&(pliant_error){.message = "out of memory"});
    pliant_scene_destroy(scene);
    for (uint32_t i = 0; i < c->settles; i++) step(&s);
    return s;
}

static void take_frame(sheet *s, uint32_t frame)
{
    const double began = processor_seconds();
    step(s);
    s->ms[frame] = 1e3 * (processor_seconds() - began);
    const pliant_statistics t = pliant_solver_statistics(s->solver);
    for (int i = 0; i < PLIANT_STAGE_COUNT; i++) s->stage[i] += pliant_solver_stage_seconds(s->solver, (pliant_stage)i, NULL);
    s->rows += t.pairs;
    s->searches += t.pair_searches;
    s->partial += t.pair_partial_searches;
    s->candidates += t.pair_candidates;
}

static void destroy(sheet *s)
{
    pliant_solver_destroy(s->solver);
    pliant_inputs_destroy(s->inputs);
    pliant_state_destroy(s->state);
    pliant_model_destroy(s->model);
}

static uint32_t constraints_of(const pliant_solver *solver)
{
    uint32_t sum = 0;
    for (int i = 0; i <= PLIANT_CONSTRAINT_COUNT; i++) sum += pliant_solver_kind_statistics(solver, (pliant_constraint_kind)i).constraints;
    return sum;
}

/* How fast particles go, m/s. */
static double mean_speed(const sheet *s, uint32_t particles)
{
    pliant_vec3 *v = malloc(particles * sizeof *v);
    double       sum = 0;
    if (!v || pliant_state_velocities(s->state, (pliant_body){1}, 0, particles, v) != PLIANT_OK)
        stop(&(pliant_error){.message = "the sheet does not say how fast it is"});
    for (uint32_t i = 0; i < particles; i++)
        sum += sqrt((double)v[i].x * (double)v[i].x + (double)v[i].y * (double)v[i].y + (double)v[i].z * (double)v[i].z);
    free(v);
    return sum / particles;
}

/* The stages that take most of a step, in percent. */
static void print_stages(const sheet *s)
{
    double all = 0;
    for (int i = 0; i < PLIANT_STAGE_COUNT; i++) all += s->stage[i];
    printf("%10s", "of it");
    for (int i = 0; i < PLIANT_STAGE_COUNT; i++)
        if (s->stage[i] > 0.03 * all) printf(" %s %.0f %%", pliant_stage_name((pliant_stage)i), 100 * s->stage[i] / all);
    printf("\n");
}

static void measure_folded(const cloth *c, uint32_t frames)
{
    const uint32_t particles = c->n * c->n;
    sheet          with = fallen(c, true), without = fallen(c, false);
    for (uint32_t i = 0; i < frames; i++) {
        take_frame(&with, i);
        take_frame(&without, i);
    }
    const uint32_t constraints = constraints_of(with.solver), rows = (uint32_t)(with.rows / frames);
    const double   ms = median(with.ms, frames), alone = median(without.ms, frames);
    printf("%6u %11u %7u %10llu %8.1f %8.1f %8.2f %8.2f %9.2f %7.2f %7.2f %6.2f\n", c->n, constraints, rows,
           (unsigned long long)(with.candidates / frames), (double)with.searches / frames, (double)with.partial / frames,
           1e3 * mean_speed(&with, particles), 1e3 * mean_speed(&without, particles), ms, 1e6 * ms / (constraints + rows) / SUBSTEPS, alone,
           ms / alone);
    print_stages(&with);
    destroy(&with);
    destroy(&without);
}

void bench_folded(bool quick)
{
    printf("\na sheet that lies in folds on a ball and the floor, %u substeps, one thread: searches\n"
           "for all and for some a frame; mean speeds, mm/s, and of one that does not meet itself; ms a frame, ns per constraint\n"
           "and row and substep; ms of the other, and the ratio\n"
           "%6s %11s %7s %10s %8s %8s %8s %8s %9s %7s %7s %6s\n",
           SUBSTEPS, "n", "constraints", "rows", "candidates", "all", "some", "mm/s", "alone", "ms", "ns", "alone", "ratio");
    const size_t count = quick ? sizeof small / sizeof *small : sizeof cloths / sizeof *cloths;
    for (size_t i = 0; i < count; i++) measure_folded(quick ? &small[i] : &cloths[i], quick ? QUICK : FRAMES);
}
