/* First, sweeps and time of each method to solve one substep to a hundredth. Then how far they stretch a rigid hanging sheet, and the time of a
 * frame: grids and shuffled irregular meshes, by two corners and by an edge. Gauss-Seidel is the measure: 1 substep of 20 iterations in the first
 * table, 20 substeps of 1 iteration in the second.
 *
 *   pliant_bench_methods [--quick]
 *
 * All methods of a sheet step in turn, frame by frame, one core each, each its own state for two seconds of 60 Hz; the time is the processor's,
 * the median over frames. Ratios are to be trusted, milliseconds belong to the machine. Stretch is |d / L - 1| at the end of a frame: its mean over all
 * distances, and its largest; both averaged over the second second. */
#include "irregular.h"
#include "pliant/pliant.h"
#include "timing.h"

#include <stdio.h>

#define FRAMES 120u
#define MAX_WAYS 8

typedef struct way {
    pliant_method method;
    uint32_t      substeps, iterations, coarse_iterations;
} way;

typedef struct runner {
    pliant_solver *solver;
    pliant_state  *state;
    double         seconds[FRAMES], mean, largest;
} runner;

static void stop(const pliant_error *error)
{
    fprintf(stderr, "pliant_bench_methods: %s\n", error->message);
    exit(1);
}

/* Edges and diagonals of a sheet of 2 m x 2 m, rigid, vertical. */
static pliant_scene *sheet_scene(bool grid, bool corners, uint32_t n, pliant_body *body, pliant_error *error)
{
    pliant_scene_def s = pliant_scene_def_default();
    pliant_scene    *scene = pliant_scene_create(&s, error);
    pliant_cloth_def d = pliant_cloth_def_default();
    irregular        m = irregular_sheet(n);
    if (!scene) stop(error);
    d.bend = PLIANT_BEND_NONE;
    if (grid) {
        d.cells_x = d.cells_z = n - 1;
        d.size_x = d.size_z = 2;
        d.body.placement.rotation = (pliant_quat){(pliant_real)0.70710678, 0, 0, (pliant_real)0.70710678};
        for (uint32_t i = 0; i < n; i++) m.top[i] = i;
    } else
        d.mesh = pliant_mesh_view_of(m.x, sizeof *m.x, m.vertex_count, m.triangles, m.triangle_count);
    *body = pliant_scene_add_cloth(scene, &d, error);
    if (corners) m.top[1] = m.top[n - 1];
    if (!body->id || pliant_scene_pin(scene, *body, m.top, corners ? 2 : n, false, error) != PLIANT_OK) stop(error);
    irregular_free(&m);
    return scene;
}

/* A breath from the front, so that the sheet is not in its plane to the last bit. */
static void breathe(pliant_state *state, pliant_body body, uint32_t count)
{
    pliant_vec3 *v = calloc(count, sizeof *v);
    uint32_t     seed = 99;
    for (uint32_t i = 0; i < count; i++) v[i].z = (pliant_real)(0.1 * (irregular_chance(&seed) - 0.5));
    pliant_state_set_velocities(state, body, 0, count, v);
    free(v);
}

static void step(runner *r, const way *w, pliant_inputs *in, uint32_t frame)
{
    pliant_inputs_reset(in, 1.0 / 60);
    pliant_inputs_substeps(in, w->substeps, w->iterations);
    const double before = processor_seconds();
    if (pliant_solver_step(r->solver, r->state, in) != PLIANT_OK) {
        fprintf(stderr, "pliant_bench_methods: diverged\n");
        exit(1);
    }
    r->seconds[frame] = processor_seconds() - before;
    if (frame < FRAMES / 2) return;
    const pliant_strain strain = pliant_state_strain(r->state);
    r->mean += strain.mean / (FRAMES / 2);
    r->largest += strain.largest / (FRAMES / 2);
}

static void compare(const char *name, bool grid, bool corners, uint32_t n, const way *ways, uint32_t count)
{
    pliant_error   error = {0};
    pliant_body    body;
    pliant_scene  *scene = sheet_scene(grid, corners, n, &body, &error);
    pliant_model  *model = pliant_scene_compile(scene, &error);
    pliant_inputs *in = model ? pliant_inputs_create(model, &error) : NULL;
    static runner  r[MAX_WAYS];
    if (!in) stop(&error);
    memset(r, 0, sizeof r);
    for (uint32_t i = 0; i < count; i++) {
        pliant_method_def method = pliant_method_def_default();
        pliant_solver_def d = pliant_solver_def_default();
        method.method = ways[i].method;
        method.coarse_iterations = ways[i].coarse_iterations;
        d.method = &method;
        r[i].solver = pliant_solver_create(model, &d, &error);
        r[i].state = pliant_state_create(model, &error);
        if (!r[i].solver || !r[i].state) stop(&error);
        breathe(r[i].state, body, n * n);
    }
    for (uint32_t frame = 0; frame < FRAMES; frame++)
        for (uint32_t i = 0; i < count; i++) step(&r[i], &ways[i], in, frame);
    for (uint32_t i = 0; i < count; i++) {
        const double seconds = median(r[i].seconds, FRAMES);
        printf("%-18s %-13s %3u x %-3u %6u  %9.2e %9.2e  %8.3f   %6.3f %6.3f %6.3f\n", i ? "" : name,
               pliant_method_describe(ways[i].method)->name, ways[i].substeps, ways[i].iterations, ways[i].coarse_iterations, r[i].mean,
               r[i].largest, 1e3 * seconds, r[i].mean / r[0].mean, r[i].largest / r[0].largest, seconds / median(r[0].seconds, FRAMES));
        fflush(stdout);
        pliant_solver_destroy(r[i].solver);
        pliant_state_destroy(r[i].state);
    }
    pliant_inputs_destroy(in);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
}

/* ---- to one per cent of the residual, in one substep ---- */

#define PART 0.01
#define ROUNDS 5u
#define MOST_SWEEPS 10000u /* as many as there may be */

typedef struct follower {
    double   first, last;
    uint32_t count;
    bool     to_the_end; /* else as soon as PART is reached */
} follower;

static bool follow(const pliant_progress *p, void *context)
{
    follower *f = context;
    if (p->iteration == 0) f->first = p->constraint;
    f->last = p->constraint;
    f->count = p->iteration;
    return f->to_the_end || p->constraint > PART * f->first;
}

/* A square of n x n unit masses on edges and diagonals with alpha~ = 0.01, hanging from its upper edge. */
static pliant_model *soft_sheet(uint32_t n, pliant_error *error)
{
    pliant_scene_def     d = pliant_scene_def_default();
    pliant_scene        *scene = pliant_scene_create(&d, error);
    pliant_particles_def particles = pliant_particles_def_default();
    pliant_vec3         *x = calloc((size_t)n * n, sizeof *x);
    pliant_real         *w = calloc((size_t)n * n, sizeof *w);
    if (!scene || !x || !w) stop(error);
    for (uint32_t i = 0; i < n * n; i++) {
        x[i] = (pliant_vec3){(pliant_real)(i % n) / (pliant_real)(n - 1), -(pliant_real)(i / n) / (pliant_real)(n - 1), 0};
        w[i] = i < n ? 0 : 1;
    }
    particles.positions = x;
    particles.inverse_masses = w;
    particles.count = n * n;
    const pliant_body body = pliant_scene_add_particles(scene, &particles, error);
    if (!body.id) stop(error);
    for (uint32_t i = 0; i < n * n; i++)
        for (uint32_t k = 0; k < 4; k++) { /* to the right, down, and down to both sides */
            const uint32_t        across = i % n + (k == 0 || k == 2), down = i / n + (k > 0);
            pliant_constraint_def c = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
            if ((k == 3 && i % n == 0) || across - (k == 3) >= n || down >= n) continue;
            c.particles[0] = (pliant_particle){body, i};
            c.particles[1] = (pliant_particle){body, down * n + across - (k == 3)};
            c.measure = true;
            c.law.compliance = (pliant_real)(0.01 / 3600);
            if (!pliant_scene_add_constraint(scene, &c, error).id) stop(error);
        }
    pliant_model *model = pliant_scene_compile(scene, error);
    if (!model) stop(error);
    pliant_scene_destroy(scene);
    free(x);
    free(w);
    return model;
}

/* One substep from rest of so many iterations; the processor's seconds. */
static double solve_once(const pliant_model *model, const pliant_method_def *method, uint32_t iterations, follower *f)
{
    pliant_error      error = {0};
    pliant_solver_def d = pliant_solver_def_default();
    pliant_inputs    *in = pliant_inputs_create(model, &error);
    pliant_state     *state = pliant_state_create(model, &error);
    d.method = method;
    d.trace = f ? follow : NULL;
    d.trace_context = f;
    pliant_solver *solver = pliant_solver_create(model, &d, &error);
    if (!in || !state || !solver) stop(&error);
    pliant_inputs_reset(in, 1.0 / 60);
    if (pliant_inputs_substeps(in, 1, iterations) != PLIANT_OK) stop(&error);
    const double before = processor_seconds();
    pliant_solver_step(solver, state, in);
    const double seconds = processor_seconds() - before;
    pliant_solver_destroy(solver);
    pliant_state_destroy(state);
    pliant_inputs_destroy(in);
    return seconds;
}

/* Fewest iterations that leave PART. Sweeps of chebyshev depend on their number, so each number is run by itself. */
static uint32_t sweeps_needed(const pliant_model *model, const pliant_method_def *method)
{
    follower f = {0};
    solve_once(model, method, MOST_SWEEPS, &f);
    if (method->method != PLIANT_METHOD_CHEBYSHEV) return f.count;
    uint32_t few = f.count / 2, enough = f.count;
    f.to_the_end = true;
    while (solve_once(model, method, enough, &f), f.last > PART * f.first) few = enough, enough += enough / 4 + 1;
    while (enough - few > 1) {
        const uint32_t middle = few + (enough - few) / 2;
        solve_once(model, method, middle, &f);
        *(f.last > PART * f.first ? &few : &enough) = middle;
    }
    return enough;
}

static void compare_sweeps(uint32_t n)
{
    static const struct {
        const char   *name;
        pliant_method method;
        pliant_base   base;
    } all[] = {{"gauss_seidel", PLIANT_METHOD_GAUSS_SEIDEL, PLIANT_BASE_GAUSS_SEIDEL},
               {"chebyshev over gauss_seidel", PLIANT_METHOD_CHEBYSHEV, PLIANT_BASE_GAUSS_SEIDEL},
               {"chebyshev over jacobi", PLIANT_METHOD_CHEBYSHEV, PLIANT_BASE_JACOBI},
               {"jacobi", PLIANT_METHOD_JACOBI, PLIANT_BASE_GAUSS_SEIDEL}};
    enum { COUNT = sizeof all / sizeof *all };
    pliant_error      error = {0};
    pliant_model     *model = soft_sheet(n, &error);
    pliant_method_def method[COUNT];
    uint32_t          sweeps[COUNT];
    double            seconds[COUNT][ROUNDS];
    for (int i = 0; i < COUNT; i++) {
        method[i] = pliant_method_def_default();
        method[i].method = all[i].method;
        method[i].base = all[i].base;
        sweeps[i] = sweeps_needed(model, &method[i]);
    }
    for (uint32_t r = 0; r < ROUNDS; r++)
        for (int i = 0; i < COUNT; i++) seconds[i][r] = solve_once(model, &method[i], sweeps[i], NULL);
    printf(
        "One substep of 1/60 s from rest, to %g of the constraints' residual: %u x %u unit masses, edges and diagonals, alpha~ = 0.01\n\n",
        PART, n, n);
    printf("method                        sweeps        ms   time over the first\n");
    for (int i = 0; i < COUNT; i++) {
        const double middle = median(seconds[i], ROUNDS);
        printf("%-28s %7u  %8.2f   %6.3f\n", all[i].name, sweeps[i], 1e3 * middle, middle / median(seconds[0], ROUNDS));
    }
    printf("\n");
    fflush(stdout);
    pliant_model_destroy(model);
}

static void compare_all(const char *title, uint32_t n, const way *ways, uint32_t count)
{
    printf("%s, %u x %u particles\n\n", title, n, n);
    printf("sheet              method        steps x it coarse       mean   largest        ms   mean, largest, time over the first\n");
    compare("grid, two corners", true, true, n, ways, count);
    compare("grid, an edge", true, false, n, ways, count);
    compare("mesh, two corners", false, true, n, ways, count);
    compare("mesh, an edge", false, false, n, ways, count);
    printf("\n");
}

int main(int argc, char **argv)
{
    const uint32_t   n = argc > 1 && !strcmp(argv[1], "--quick") ? 48 : 128;
    static const way one[] = {{PLIANT_METHOD_GAUSS_SEIDEL, 1, 20, 1},
                              {PLIANT_METHOD_HIERARCHICAL, 1, 1, 1},
                              {PLIANT_METHOD_HIERARCHICAL, 1, 1, 3},
                              {PLIANT_METHOD_HIERARCHICAL, 1, 2, 2}};
    static const way many[] = {{PLIANT_METHOD_GAUSS_SEIDEL, 20, 1, 1},
                               {PLIANT_METHOD_HIERARCHICAL, 8, 1, 1},
                               {PLIANT_METHOD_HIERARCHICAL, 8, 1, 2},
                               {PLIANT_METHOD_HIERARCHICAL, 10, 1, 1},
                               {PLIANT_METHOD_HIERARCHICAL, 10, 1, 2}};
    compare_sweeps(n);
    compare_all("Rigid hanging sheets, one substep a frame", n, one, sizeof one / sizeof *one);
    compare_all("Rigid hanging sheets, small steps", n, many, sizeof many / sizeof *many);
    return 0;
}
