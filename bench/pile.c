/* A dense pile of loose particles: how long a substep takes that seeks all of its pairs anew, beside one that keeps those it has; the difference of
 * what pairs take in their stages `find` is the search. On one thread; medians of ROUNDS, of processor time, so that others on the machine matter less, but for the
 * search, and of that the shortest, too: it is a small part of a time that others disturb. Numbers of particles are along the grid that they were
 * made on, or shuffled. */
#include "bench.h"
#include "timing.h"

#include <stdlib.h>

#define ROUNDS 7
#define RADIUS 0.01

/* Particles a little nearer than they are thick, each off its place by up to a fifth of its radius. */
static pliant_vec3 *pile(uint32_t n, bool shuffled)
{
    const size_t count = (size_t)n * n * n;
    pliant_vec3 *x = malloc(count * sizeof *x);
    uint64_t     seed = 1;
    for (size_t i = 0; x && i < count; i++) {
        const double at[3] = {(double)(i % n), (double)(i / n % n), (double)(i / n / n)};
        pliant_real *to = &x[i].x;
        for (int k = 0; k < 3; k++) to[k] = (pliant_real)(RADIUS * (1.9 * at[k] + 0.4 * chance(&seed) - 0.2));
    }
    for (size_t i = count; x && shuffled && i-- > 1;) {
        const size_t      k = (size_t)(chance(&seed) * (double)(i + 1));
        const pliant_vec3 swap = x[i];
        x[i] = x[k];
        x[k] = swap;
    }
    return x;
}

static pliant_model *pile_model(uint32_t n, bool shuffled)
{
    pliant_error         error = {0};
    pliant_scene_def     def = pliant_scene_def_default();
    pliant_particles_def d = pliant_particles_def_default();
    pliant_scene        *scene = pliant_scene_create(&def, &error);
    pliant_vec3         *x = pile(n, shuffled);
    d.positions = x;
    d.count = (size_t)n * n * n;
    d.material.thickness = (pliant_real)RADIUS;
    d.body.self_contact = true;
    if (!scene || !x || !pliant_scene_add_particles(scene, &d, &error).id) stop(&error);
    pliant_model *model = pliant_scene_compile(scene, &error);
    if (!model) stop(&error);
    pliant_scene_destroy(scene);
    free(x);
    return model;
}

/* One substep, of so little time that nothing moves. Particles away from their foreseen places are sought anew: so are all, once the pile is
 * mirrored. */
static double step(pliant_solver *solver, pliant_state *state, pliant_inputs *inputs, const pliant_vec3 *moved, size_t count, double *pairs)
{
    pliant_inputs_reset(inputs, 1e-6);
    pliant_inputs_substeps(inputs, 1, 0);
    if (moved && pliant_state_set_positions(state, (pliant_body){1}, 0, (uint32_t)count, moved) != PLIANT_OK)
        stop(&(pliant_error){.message = "the pile is not where it is to be"});
    const double before = processor_seconds();
    if (pliant_solver_step(solver, state, inputs) != PLIANT_OK) stop(&(pliant_error){.message = "the pile has no room for its pairs"});
    const double            ms = 1e3 * (processor_seconds() - before);
    const pliant_statistics s = pliant_solver_statistics(solver);
    *pairs = 1e3 * pliant_solver_stage_seconds(solver, PLIANT_STAGE_FIND, "pairs");
    if (s.pair_searches != (moved ? 1u : 0u)) stop(&(pliant_error){.message = "the pile was not sought as it was to be"});
    return ms;
}

static void measure_pile(uint32_t n, bool shuffled)
{
    const size_t      count = (size_t)n * n * n;
    pliant_solver_def def = pliant_solver_def_default();
    def.timing = true;
    pliant_model  *model = pile_model(n, shuffled);
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_solver *solver = pliant_solver_create(model, &def, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_vec3   *x[2] = {pile(n, shuffled), pile(n, shuffled)};
    double         anew[ROUNDS], kept[ROUNDS], search[ROUNDS], pairs[2];
    if (!state || !solver || !inputs || !x[0] || !x[1]) stop(&(pliant_error){.message = "out of memory"});
    for (size_t i = 0; i < count; i++) x[1][i].x = -x[1][i].x;
    step(solver, state, inputs, x[1], count, pairs);
    for (int r = 0; r < ROUNDS; r++) {
        anew[r] = step(solver, state, inputs, x[r % 2], count, &pairs[0]);
        kept[r] = step(solver, state, inputs, NULL, count, &pairs[1]);
        search[r] = pairs[0] - pairs[1];
    }
    const double middle = median(search, ROUNDS); /* in order from now on */
    printf("%-9s %9zu %10u %10.1f %10.1f %10.1f %10.1f\n", shuffled ? "shuffled" : "in order", count,
           pliant_solver_statistics(solver).pairs, middle, search[0], median(anew, ROUNDS), median(kept, ROUNDS));
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
    free(x[0]);
    free(x[1]);
}

void bench_pile(bool quick)
{
    printf("\na pile of loose particles: the search, and substeps with and without it, ms on one thread\n%-9s %9s "
           "%10s %10s %10s %10s %10s\n",
           "numbers", "particles", "pairs", "search", "shortest", "anew", "kept");
    for (int shuffled = 0; shuffled < 2; shuffled++)
        for (uint32_t n = 25; n <= (quick ? 25 : 100); n *= 2) measure_pile(n, shuffled);
}
