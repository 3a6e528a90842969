/* Sheets that lie on one another on a floor: the time of contacts between surfaces in a substep that seeks all their pairs anew, beside one that
 * keeps those it has, on one thread and on two, which are stepped by turns. Medians of some rounds: times by the clock, and the processor's, which
 * other programs of the machine disturb less; of stages, as the solver's statistics have them. Then steps of ten substeps, in which pairs are sought
 * when they have to be. */
#include "bench.h"
#include "timing.h"

#include <stdlib.h>

#define THICKNESS 0.002
#define SIZE 1.0
#define MOST_ROUNDS 5
#define THREADS 2

/* Some stages, and all of a step, in ms. */
enum { SEEKING, SOLVING, BOUNCING, ALL, PROCESSOR, FIGURES };

typedef struct run {
    pliant_solver *solver;
    pliant_state  *state;
    double         anew[FIGURES][MOST_ROUNDS], kept[FIGURES][MOST_ROUNDS], ten[FIGURES][MOST_ROUNDS];
    uint32_t       searches; /* in a step of ten substeps */
} run;

typedef struct pile {
    uint32_t       sheets, side; /* each of side x side vertices */
    pliant_model  *model;
    pliant_inputs *inputs;
    pliant_vec3   *x; /* of a sheet */
} pile;

/* A sheet that lies where it touches the one below: each vertex off its place by up to a fifth of a cell, all of it by up to a cell, and a little uneven. */
static void make_sheet(const pile *p, uint32_t sheet)
{
    const double cell = SIZE / (p->side - 1);
    uint64_t     seed = sheet + 1;
    chance(&seed);
    const double x = cell * chance(&seed), z = cell * chance(&seed);
    for (uint32_t i = 0; i < p->side * p->side; i++)
        p->x[i] = (pliant_vec3){(pliant_real)(x + cell * (i % p->side + 0.4 * chance(&seed) - 0.2) - SIZE / 2),
                                (pliant_real)(THICKNESS * (2 * sheet + 1 + 0.1 * chance(&seed) - 0.05)),
                                (pliant_real)(z + cell * (i / p->side + 0.4 * chance(&seed) - 0.2) - SIZE / 2)};
}

static uint32_t *make_quads(uint32_t side)
{
    const uint32_t cells = side - 1;
    uint32_t      *quad = malloc(4 * (size_t)cells * cells * sizeof *quad), *to = quad;
    for (uint32_t i = 0; quad && i < cells * cells; i++) {
        const uint32_t at = i / cells * side + i % cells, corner[4] = {at, at + side, at + side + 1, at + 1};
        for (int k = 0; k < 4; k++) *to++ = corner[k];
    }
    return quad;
}

static pliant_model *make_model(const pile *p)
{
    pliant_error     error = {0};
    pliant_scene_def def = pliant_scene_def_default();
    pliant_scene    *scene = pliant_scene_create(&def, &error);
    pliant_cloth_def d = pliant_cloth_def_default();
    uint32_t        *quad = make_quads(p->side);
    if (!scene || !quad || !p->x) stop(&error);
    d.mesh = (pliant_mesh_view){.positions = p->x,
                                .stride = sizeof *p->x,
                                .vertex_count = (size_t)p->side * p->side,
                                .quads = quad,
                                .quad_count = (size_t)(p->side - 1) * (p->side - 1)};
    d.material = pliant_material_preset(PLIANT_COTTON);
    d.material.thickness = (pliant_real)THICKNESS;
    d.body.self_contact = true;
    d.body.contact_mask = 1;
    for (uint32_t i = 0; i < p->sheets; i++) {
        make_sheet(p, i);
        if (!pliant_scene_add_cloth(scene, &d, &error).id) stop(&error);
    }
    if (!pliant_scene_add_floor(scene, 0, &error).id) stop(&error);
    pliant_model *model = pliant_scene_compile(scene, &error);
    if (!model) stop(&error);
    pliant_scene_destroy(scene);
    free(quad);
    return model;
}

/* Mirrors all positions: no particle is then where it was foreseen. */
static void mirror(const pile *p, pliant_state *state)
{
    const uint32_t count = p->side * p->side;
    for (uint32_t i = 0; i < p->sheets; i++)
        for (int what = 0; what < 2; what++) {
            const pliant_body body = {i + 1};
            pliant_code       code =
                what ? pliant_state_velocities(state, body, 0, count, p->x) : pliant_state_positions(state, body, 0, count, p->x);
            for (uint32_t k = 0; k < count; k++) p->x[k].x = -p->x[k].x;
            if (code == PLIANT_OK)
                code = what ? pliant_state_set_velocities(state, body, 0, count, p->x)
                            : pliant_state_set_positions(state, body, 0, count, p->x);
            if (code != PLIANT_OK) stop(&(pliant_error){.message = "the sheets are not where they are to be"});
        }
}

/* A step of so many substeps of a six-hundredth of a second; its figures as those of a round. Returns how often all pairs were sought. */
static uint32_t step(const pile *p, const run *r, uint32_t substeps, double figures[FIGURES][MOST_ROUNDS], uint32_t round)
{
    pliant_inputs_reset(p->inputs, substeps / 600.0);
    pliant_inputs_substeps(p->inputs, substeps, 0);
    const double begun = processor_seconds();
    if (pliant_solver_step(r->solver, r->state, p->inputs) != PLIANT_OK)
        stop(&(pliant_error){.message = "the sheets have no room for their pairs"});
    figures[PROCESSOR][round] = 1e3 * (processor_seconds() - begun);
    const pliant_statistics s = pliant_solver_statistics(r->solver);
    figures[SEEKING][round] = 1e3 * pliant_solver_stage_seconds(r->solver, PLIANT_STAGE_FIND, "pairs");
    figures[SOLVING][round] = 1e3 * (pliant_solver_stage_seconds(r->solver, PLIANT_STAGE_PROJECT, NULL) +
                                     pliant_solver_stage_seconds(r->solver, PLIANT_STAGE_HOLD, NULL));
    figures[BOUNCING][round] = 1e3 * pliant_solver_stage_seconds(r->solver, PLIANT_STAGE_SETTLE, "pairs");
    figures[ALL][round] = 1e3 * s.seconds;
    return s.pair_searches;
}

static void print(const char *what, uint32_t threads, double figures[FIGURES][MOST_ROUNDS], uint32_t rounds)
{
    printf("%-26s %7u", what, threads);
    for (int i = 0; i < FIGURES; i++) printf(" %10.1f", median(figures[i], rounds));
    printf("\n");
}

/* Rounds of both solvers by turns, all from the start: ten substeps, one in the mirror, and one after it. */
static void measure_rounds(const pile *p, const pliant_state *start, run *runs, uint32_t rounds)
{
    for (uint32_t r = 0; r < rounds; r++)
        for (uint32_t t = 0; t < THREADS; t++) {
            if (!r) step(p, &runs[t], 1, runs[t].ten, r); /* memory is allocated once, before it is timed */
            if (pliant_state_copy(runs[t].state, start) != PLIANT_OK) stop(&(pliant_error){.message = "the sheets do not begin anew"});
            runs[t].searches = step(p, &runs[t], 10, runs[t].ten, r);
            mirror(p, runs[t].state);
            const uint32_t anew = step(p, &runs[t], 1, runs[t].anew, r), kept = step(p, &runs[t], 1, runs[t].kept, r);
            if (anew != 1 || kept != 0) stop(&(pliant_error){.message = "the sheets were not sought as they were to be"});
        }
}

static void make_run(const pile *p, run *r, uint32_t threads)
{
    pliant_error      error = {0};
    pliant_solver_def def = pliant_solver_def_default();
    def.timing = true;
    def.threads = threads;
    r->state = pliant_state_create(p->model, &error);
    r->solver = r->state ? pliant_solver_create(p->model, &def, &error) : NULL;
    if (!r->solver) stop(&error);
}

void bench_layers(bool quick)
{
    static run     runs[THREADS];
    pile           p = {.sheets = quick ? 5 : 50, .side = quick ? 40 : 70};
    const uint32_t rounds = quick ? MOST_ROUNDS : 3;
    pliant_state  *start;
    p.x = malloc((size_t)p.side * p.side * sizeof *p.x);
    p.model = make_model(&p);
    p.inputs = pliant_inputs_create(p.model, NULL);
    for (uint32_t t = 0; t < THREADS; t++) make_run(&p, &runs[t], t + 1);
    start = pliant_state_create(p.model, NULL);
    if (!p.inputs || !start) stop(&(pliant_error){.message = "out of memory"});
    measure_rounds(&p, start, runs, rounds);
    const pliant_statistics s = pliant_solver_statistics(runs[0].solver);
    printf(
        "\n%u sheets of %u x %u on one another: %u particles, %u pairs near enough to touch, %u push; all sought %u times in a step of ten "
        "substeps; ms\n%-26s %7s %10s %10s %10s %10s %10s\n",
        p.sheets, p.side, p.side, pliant_model_particle_count(p.model), s.pairs, s.pair_contacts, runs[0].searches, "", "threads",
        "seeking", "solving", "bouncing", "all", "processor");
    for (uint32_t t = 0; t < THREADS; t++) {
        print("a substep, pairs anew", t + 1, runs[t].anew, rounds);
        print("a substep, pairs kept", t + 1, runs[t].kept, rounds);
        print("a step of ten substeps", t + 1, runs[t].ten, rounds);
    }
    if (pliant_state_hash(runs[0].state) != pliant_state_hash(runs[1].state))
        stop(&(pliant_error){.message = "two threads do other than one"});
    for (uint32_t t = 0; t < THREADS; t++) {
        pliant_solver_destroy(runs[t].solver);
        pliant_state_destroy(runs[t].state);
    }
    pliant_state_destroy(start);
    pliant_inputs_destroy(p.inputs);
    pliant_model_destroy(p.model);
    free(p.x);
}
