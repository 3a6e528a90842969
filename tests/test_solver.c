/* The solver: one hash however and wherever it runs; no allocation once warm; users' constraints; statistics, forces and divergence by
 * numbers that can be worked out by hand; bad arguments. */
#include "more.h"
#include "scene_files.h"

#include "base/vec.h"
#include "pliant/io.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef PLIANT_DOUBLE
#define EPSILON DBL_EPSILON
#else
#define EPSILON ((double)FLT_EPSILON)
#endif
#define NOT_A_NUMBER R(strtod("nan", NULL))
#define INFINITE R(HUGE_VAL)
#define DT 0.015625

static void near(double found, double expected, double bound)
{
    if (!(fabs(found - expected) <= bound)) print_error("found %.17g, expected %.17g within %g\n", found, expected, bound);
    assert_true(fabs(found - expected) <= bound);
}

/* ---- one hash ---- */

/* Everything that must not matter, one by one. */
static bool nothing_matters(const sample *which, const pliant_model *model)
{
    const char             *name = which->name;
    const uint32_t          frames = which->frames;
    const pliant_build_info build = pliant_build();
    const outcome           expected = sample_run(model, which, frames, (run_way){.width = 1});
    bool                    good = true;
    for (uint32_t i = 0; i < build.width_count; i++)
        if (build.runs[i] && build.widths[i] > 1)
            good &= outcomes_agree(name, "width", build.widths[i], sample_run(model, which, frames, (run_way){.width = build.widths[i]}),
                                   expected);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t threads = (const uint32_t[]){1, 2, 3, 8}[i];
        good &= outcomes_agree(name, "threads", threads, sample_run(model, which, frames, (run_way){.threads = threads}), expected);
    }
    for (int host = HOST_ONE_AT_A_TIME; host < HOST_COUNT; host++)
        good &=
            outcomes_agree(name, "host", (uint32_t)host, sample_run(model, which, frames, (run_way){.host = (host_kind)host}), expected);
    good &= outcomes_agree(name, "odd caller", 0, sample_run(model, which, frames, (run_way){.odd_step = true}), expected);
    good &= outcomes_agree(name, "odd caller, odd host", 0, sample_run(model, which, frames, (run_way){.odd_step = true, .host = HOST_ODD}),
                           expected);
    good &= outcomes_agree(name, "odd caller, threads", 3, sample_run(model, which, frames, (run_way){.odd_step = true, .threads = 3}),
                           expected);
    good &= outcomes_agree(name, "rebuilt", 0, sample_run(model, which, frames, (run_way){.rebuild = true}), expected);
    good &=
        outcomes_agree(name, "rebuilt, threads", 2, sample_run(model, which, frames, (run_way){.rebuild = true, .threads = 2}), expected);
    assert_int_equal(host_disturbed(), 0);
    return good;
}

static void widths_threads_hosts_and_new_solvers_change_no_bit(void **unused)
{
    bool good = true;
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++) {
        pliant_model *model = sample_model(&samples[i]);
        good &= nothing_matters(&samples[i], model);
        pliant_model_destroy(model);
    }
    assert_true(good);
}

/* Long enough that each scene meets its colliders and its keys, and lets go of a pin. Several things at once; test_determinism.sh has widths
 * and threads by themselves, and long_scenes.c runs hosts and new solvers to the end. Each scene in one of the ways, and in all where there is time. */
static void nor_on_any_scene_file(void **unused)
{
    static const run_way ways[] = {
        {.threads = 3},
        {.host = HOST_RANDOM, .odd_step = true},
        {.host = HOST_ODD, .rebuild = true, .odd_step = true},
    };
    const bool all = takes_its_time();
    bool       good = true;
    (void)unused;
    scene_files_are_all();
    for (uint32_t i = 0; i < scene_file_count; i++) {
        if (!all && (i + this_turn()) % 2 != sizeof(pliant_real) / 8)
            continue; /* the other half in the other float: what is asked has little to do with it */
        const scene_file *which = &scene_files[i];
        pliant_model     *model = scene_file_model(which, NULL);
        const unsigned    meets = scene_file_meets(which, model);
        if (meets != which->meets) print_error("%s: meets %#x, not %#x\n", which->name, meets, which->meets);
        good &= meets == which->meets;
        const outcome expected = sample_run(model, &scene_file_program, which->frames, (run_way){.width = all || i / 2 % 2 == 0 ? 1 : 4});
        for (uint32_t k = 0; k < sizeof ways / sizeof *ways; k++)
            if (all || k == (i + this_turn() / 2) % 3)
                good &= outcomes_agree(which->name, "way", k, sample_run(model, &scene_file_program, which->frames, ways[k]), expected);
        assert_int_equal(host_disturbed(), 0);
        pliant_model_destroy(model);
    }
    assert_true(good);
}

/* Else the odd environments above would prove little. */
static void denormals_do_occur_in_their_scene(void **unused)
{
    (void)unused;
    const sample  *which = sample_named("denormals");
    pliant_model  *model = sample_model(which);
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_solver *solver = pliant_solver_create(model, NULL, NULL);
    pliant_vec3    x[100];
    int            positions = 0, velocities = 0;
    sample_frames(which, solver, state, inputs, 0, which->frames);
    assert_int_equal(pliant_state_positions(state, (pliant_body){1}, 0, 100, x), PLIANT_OK);
    for (int i = 0; i < 100; i++) positions += fpclassify(x[i].x) == FP_SUBNORMAL || fpclassify(x[i].z) == FP_SUBNORMAL;
    assert_int_equal(pliant_state_velocities(state, (pliant_body){1}, 0, 100, x), PLIANT_OK);
    for (int i = 0; i < 100; i++) velocities += fpclassify(x[i].x) == FP_SUBNORMAL || fpclassify(x[i].y) == FP_SUBNORMAL;
    assert_true(positions > 50 && velocities > 50);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
}

static void measuring_changes_no_state_and_itself_depends_on_nothing(void **unused)
{
    const pliant_build_info build = pliant_build();
    bool                    good = true;
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++) {
        const sample *s = &samples[i];
        pliant_model *model = sample_model(s);
        const outcome plain = sample_run(model, s, s->frames, (run_way){.width = 1});
        const outcome measured = sample_run(model, s, s->frames, (run_way){.width = 1, .measure = true});
        assert_int_equal(plain.state, measured.state);
        for (uint32_t w = 0; w < build.width_count; w++)
            if (build.runs[w])
                good &= outcomes_agree(s->name, "measuring, width", build.widths[w],
                                       sample_run(model, s, s->frames, (run_way){.width = build.widths[w], .measure = true}), measured);
        good &= outcomes_agree(s->name, "measuring, threads", 3, sample_run(model, s, s->frames, (run_way){.threads = 3, .measure = true}),
                               measured);
        good &= outcomes_agree(s->name, "measuring, odd", 0,
                               sample_run(model, s, s->frames, (run_way){.odd_step = true, .host = HOST_ODD, .measure = true}), measured);
        good &= outcomes_agree(s->name, "measuring, rebuilt", 0,
                               sample_run(model, s, s->frames, (run_way){.rebuild = true, .measure = true}), measured);
        pliant_model_destroy(model);
    }
    assert_true(good);
}

/* The whole of a host's tick, with the inputs said, under flush-to-zero and another rounding mode. */
static void inputs_said_in_an_odd_environment_are_the_same(void **unused)
{
    bool good = true;
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++) {
        const sample *s = &samples[i];
        pliant_model *model = sample_model(s);
        const outcome expected = sample_run(model, s, s->frames, (run_way){0});
        good &= outcomes_agree(s->name, "odd tick", 0, sample_run(model, s, s->frames, (run_way){.odd_step = true, .odd_tick = true}),
                               expected);
        pliant_model_destroy(model);
    }
    assert_true(good);
}

/* Hashes that all agree because nothing happens would prove nothing. */
static void the_samples_do_what_they_are_for(void **unused)
{
    (void)unused;
    uint32_t kinds[PLIANT_CONSTRAINT_COUNT + 1] = {0}, shapes[PLIANT_SHAPE_BOX + 1] = {0};
    for (uint32_t i = 0; i < sample_count; i++) {
        const sample     *s = &samples[i];
        pliant_model     *model = sample_model(s);
        pliant_state     *state = pliant_state_create(model, NULL);
        pliant_inputs    *inputs = pliant_inputs_create(model, NULL);
        pliant_solver_def def = sample_solver_def();
        pliant_solver    *solver = pliant_solver_create(model, &def, NULL);
        for (int k = 0; k < PLIANT_CONSTRAINT_COUNT; k++) kinds[k] += pliant_model_constraint_count(model, (pliant_constraint_kind)k);
        for (uint32_t f = 0; f < s->frames; f++) {
            pliant_contact touching[2000];
            sample_frames(s, solver, state, inputs, f, 1);
            kinds[PLIANT_CONSTRAINT_COUNT] += pliant_solver_kind_statistics(solver, PLIANT_CONSTRAINT_COUNT).constraints;
            const uint32_t count = pliant_solver_contacts(solver, touching, 2000);
            assert_true(count <= 2000);
            for (uint32_t c = 0; c < count; c++) shapes[pliant_model_collider_at(model, touching[c].collider.id - 1, NULL).shape]++;
        }
        pliant_solver_destroy(solver);
        pliant_inputs_destroy(inputs);
        pliant_state_destroy(state);
        pliant_model_destroy(model);
    }
    for (int k = 0; k <= PLIANT_CONSTRAINT_COUNT; k++) assert_true(kinds[k] > 0);
    for (int k = 0; k <= PLIANT_SHAPE_BOX; k++) assert_true(shapes[k] > 0);
}

/* ---- memory ---- */

/* A solver with all its memory from a tally, on a sample, after `warm` frames. */
typedef struct bench {
    tally          memory;
    const sample  *which;
    pliant_model  *model;
    pliant_state  *state;
    pliant_inputs *inputs;
    pliant_solver *solver;
} bench;

static void bench_begin(bench *b, const char *name, uint32_t threads)
{
    const pliant_allocator allocator = tally_allocator(&b->memory);
    b->which = sample_named(name);
    pliant_scene *scene = b->which->build(&allocator);
    b->model = pliant_scene_compile(scene, NULL);
    pliant_scene_destroy(scene);
    pliant_solver_def def = sample_solver_def();
    def.threads = threads;
    def.timing = true;
    b->state = pliant_state_create(b->model, NULL);
    b->inputs = pliant_inputs_create(b->model, NULL);
    b->solver = pliant_solver_create(b->model, &def, NULL);
    assert_true(b->model && b->state && b->inputs && b->solver);
}

static void bench_end(bench *b)
{
    pliant_solver_destroy(b->solver);
    pliant_inputs_destroy(b->inputs);
    pliant_state_destroy(b->state);
    pliant_model_destroy(b->model);
    assert_int_equal(b->memory.live, 0);
}

/* The curtain's contacts change, pins are released and pinned again, a vertex is grabbed, a law, substeps and iterations change. */
static void warm_steps_allocate_nothing(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++)
        for (uint32_t threads = 1; threads <= 2; threads++) {
            bench b;
            bench_begin(&b, samples[i].name, threads);
            sample_frames(b.which, b.solver, b.state, b.inputs, 0, 1);
            const size_t warm = b.memory.calls;
            sample_frames(b.which, b.solver, b.state, b.inputs, 1, samples[i].frames - 1);
            assert_true(warm > 0);
            assert_int_equal(b.memory.calls, warm);
            bench_end(&b);
        }
}

/* What inputs change after warm-up must not need memory either: a rigid scene of one iteration gets four, then a compliance. */
static void nor_when_inputs_change_iterations_and_laws_later(void **unused)
{
    (void)unused;
    tally            memory;
    pliant_scene_def settings = pliant_scene_def_default();
    pliant_cloth_def cloth = pliant_cloth_def_default();
    settings.allocator = tally_allocator(&memory);
    pliant_scene *scene = pliant_scene_create(&settings, NULL);
    cloth.tether = 1;
    const uint32_t pin = 0;
    pliant_body    body = pliant_scene_add_cloth(scene, &cloth, NULL);
    assert_int_equal(pliant_scene_pin(scene, body, &pin, 1, true, NULL), PLIANT_OK);
    pliant_model  *model = pliant_scene_compile(scene, NULL);
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_solver *solver = pliant_solver_create(model, NULL, NULL);
    sample_frames(NULL, solver, state, inputs, 0, 1);
    const size_t warm = memory.calls;
    assert_int_equal(pliant_inputs_reset(inputs, DT), PLIANT_OK);
    assert_int_equal(pliant_inputs_substeps(inputs, 2, 4), PLIANT_OK);
    pliant_law law = pliant_law_default();
    law.compliance = R(1e-4);
    assert_int_equal(pliant_inputs_law(inputs, 0, &law), PLIANT_OK);
    assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
    const size_t after = memory.calls;
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    assert_int_equal(memory.live, 0);
    assert_int_equal(after, warm);
}

/* The same cloth with two solvers, one of them lean, which asks for memory in the first step that wants more than the model's own, and only then. Where there is
 * none the step says so, and goes on from a copy when there is. */
static void lean_solvers_make_room_when_inputs_ask_for_more(void **unused)
{
    (void)unused;
    for (int wants = 0; wants < 3; wants++) { /* a grab, several iterations of a soft law, damping */
        tally             memory;
        pliant_scene_def  settings = pliant_scene_def_default();
        pliant_cloth_def  cloth = pliant_cloth_def_default();
        pliant_solver_def def = pliant_solver_def_default();
        pliant_state     *state[2];
        pliant_solver    *solver[2];
        size_t            takes[2]; /* blocks */
        const uint32_t    pin = 0;
        settings.allocator = tally_allocator(&memory);
        cloth.cells_x = cloth.cells_z = 150;
        pliant_scene *scene = pliant_scene_create(&settings, NULL);
        pliant_body   body = pliant_scene_add_cloth(scene, &cloth, NULL);
        assert_int_equal(pliant_scene_pin(scene, body, &pin, 1, true, NULL), PLIANT_OK);
        pliant_model  *model = pliant_scene_compile(scene, NULL);
        pliant_inputs *inputs = pliant_inputs_create(model, NULL);
        for (int lean = 0; lean < 2; lean++) {
            const size_t before = memory.live;
            def.lean = lean;
            solver[lean] = pliant_solver_create(model, &def, NULL);
            takes[lean] = memory.live - before;
            state[lean] = pliant_state_create(model, NULL);
        }
        assert_int_equal(takes[0], takes[1] + 2); /* where particles began, and multipliers */
        const size_t before = memory.calls;
        assert_int_equal(pliant_inputs_reset(inputs, DT), PLIANT_OK);
        for (int lean = 0; lean < 2; lean++)
            for (int i = 0; i < 3; i++) assert_int_equal(pliant_solver_step(solver[lean], state[lean], inputs), PLIANT_OK);
        assert_int_equal(memory.calls, before);
        pliant_law law = pliant_law_default();
        law.compliance = R(1e-4);
        law.damping = R(wants == 2 ? 0.1 : 0);
        if (wants)
            assert_int_equal(pliant_inputs_law(inputs, 0, &law), PLIANT_OK);
        else
            assert_int_equal(pliant_inputs_grab(inputs, body, 100, (pliant_vec3){1, 1, 1}, R(1e-3)), PLIANT_OK);
        assert_int_equal(pliant_inputs_substeps(inputs, 2, wants == 1 ? 4 : 1), PLIANT_OK);
        assert_int_equal(pliant_solver_step(solver[0], state[0], inputs), PLIANT_OK);
        assert_int_equal(memory.calls, before);
        memory.left = 0;
        assert_int_equal(pliant_solver_step(solver[1], state[1], inputs), PLIANT_ERROR_MEMORY);
        memory.left = SIZE_MAX;
        const size_t after = memory.calls;
        assert_int_equal(pliant_solver_step(solver[1], state[1], inputs), PLIANT_OK);
        assert_true(memory.calls > after);
        const size_t warm = memory.calls;
        for (int lean = 0; lean < 2; lean++) assert_int_equal(pliant_solver_step(solver[lean], state[lean], inputs), PLIANT_OK);
        assert_int_equal(memory.calls, warm);
        assert_true(pliant_state_hash(state[0]) == pliant_state_hash(state[1]));
        for (int lean = 0; lean < 2; lean++) {
            pliant_solver_destroy(solver[lean]);
            pliant_state_destroy(state[lean]);
        }
        pliant_inputs_destroy(inputs);
        pliant_model_destroy(model);
        pliant_scene_destroy(scene);
        assert_int_equal(memory.live, 0);
    }
}

/* Many states at once, in lanes; and whichever request of its solver's creation fails, there is none, and all is given back. */
static void nor_do_many_states_at_once(void **unused)
{
    (void)unused;
    enum { STATES = 20 };
    tally                 memory;
    pliant_scene_def      settings = pliant_scene_def_default();
    const pliant_rope_def rope = pliant_rope_def_default();
    pliant_solver_def     def = pliant_solver_def_default();
    pliant_state         *states[STATES];
    const pliant_inputs  *inputs[STATES];
    settings.allocator = tally_allocator(&memory);
    def.many = true;
    pliant_scene *scene = pliant_scene_create(&settings, NULL);
    assert_int_not_equal(pliant_scene_add_rope(scene, &rope, NULL).id, 0);
    assert_int_not_equal(pliant_scene_add_floor(scene, 0, NULL).id, 0);
    pliant_model  *model = pliant_scene_compile(scene, NULL);
    pliant_inputs *shared = pliant_inputs_create(model, NULL);
    assert_int_equal(pliant_inputs_reset(shared, DT), PLIANT_OK);
    for (uint32_t i = 0; i < STATES; i++) {
        assert_non_null(states[i] = pliant_state_create(model, NULL));
        inputs[i] = shared;
    }
    pliant_solver *solver = NULL;
    const size_t   live = memory.live;
    uint32_t       failed = 0;
    for (; !solver; failed++) {
        pliant_error error = {PLIANT_OK, 0, "", ""};
        assert_int_equal(memory.live, live);
        memory.left = failed;
        solver = pliant_solver_create(model, &def, &error);
        if (!solver) assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
    }
    memory.left = SIZE_MAX;
    assert_true(failed > 10);
    assert_int_equal(pliant_solver_step_many(solver, states, inputs, STATES, NULL), PLIANT_OK);
    const size_t warm = memory.calls;
    for (int f = 0; f < 3; f++) assert_int_equal(pliant_solver_step_many(solver, states, inputs, STATES, NULL), PLIANT_OK);
    assert_int_equal(memory.calls, warm);
    for (uint32_t i = 1; i < STATES; i++) assert_true(pliant_state_hash(states[i]) == pliant_state_hash(states[0]));
    for (uint32_t i = 0; i < STATES; i++) pliant_state_destroy(states[i]);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(shared);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    assert_int_equal(memory.live, 0);
}

/* ---- small worlds ---- */

typedef struct world {
    pliant_scene  *scene;
    pliant_body    body;
    pliant_model  *model;
    pliant_state  *state;
    pliant_inputs *inputs;
    pliant_solver *solver;
} world;

/* Particles; the caller adds what it wants and then calls world_run. */
static world world_of(const pliant_scene_def *settings, const pliant_vec3 *x, const pliant_real *w, uint32_t count)
{
    world                self = {0};
    pliant_particles_def def = pliant_particles_def_default();
    self.scene = pliant_scene_create(settings, NULL);
    def.positions = x;
    def.inverse_masses = w;
    def.count = count;
    self.body = pliant_scene_add_particles(self.scene, &def, NULL);
    assert_int_not_equal(self.body.id, 0);
    return self;
}

static void world_run(world *self, const pliant_solver_def *def, uint32_t frames)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    if (!self->model) {
        self->model = pliant_scene_compile(self->scene, &error);
        self->state = pliant_state_create(self->model, &error);
        self->inputs = pliant_inputs_create(self->model, &error);
        self->solver = pliant_solver_create(self->model, def, &error);
        if (!self->solver) print_error("%s\n", error.message);
        assert_non_null(self->solver);
    }
    sample_frames(NULL, self->solver, self->state, self->inputs, 0, frames);
}

static void world_end(world *self)
{
    pliant_solver_destroy(self->solver);
    pliant_inputs_destroy(self->inputs);
    pliant_state_destroy(self->state);
    pliant_model_destroy(self->model);
    pliant_scene_destroy(self->scene);
}

static pliant_vec3 position(const world *self, uint32_t vertex)
{
    pliant_vec3 x = {0, 0, 0};
    assert_int_equal(pliant_state_positions(self->state, self->body, vertex, 1, &x), PLIANT_OK);
    return x;
}

static pliant_vec3 velocity(const world *self, uint32_t vertex)
{
    pliant_vec3 v = {0, 0, 0};
    assert_int_equal(pliant_state_velocities(self->state, self->body, vertex, 1, &v), PLIANT_OK);
    return v;
}

static pliant_constraint add(world *self, pliant_constraint_kind kind, uint32_t a, uint32_t b, double rest, pliant_law law)
{
    pliant_constraint_def def = pliant_constraint_def_default(kind);
    def.particles[0] = (pliant_particle){self->body, a};
    def.particles[1] = (pliant_particle){self->body, b};
    def.parameters[0] = R(rest);
    def.law = law;
    pliant_constraint c = pliant_scene_add_constraint(self->scene, &def, NULL);
    assert_int_not_equal(c.id, 0);
    return c;
}

static pliant_constraint add_user(world *self, uint32_t function, uint32_t particles, uint32_t rows, uint64_t tag, pliant_law law)
{
    pliant_user_constraint_def def = pliant_user_constraint_def_default();
    for (uint32_t k = 0; k < particles; k++) def.particles[k] = (pliant_particle){self->body, k};
    def.particle_count = particles;
    def.row_count = rows;
    def.function = function;
    def.tag = tag;
    def.law = law;
    pliant_constraint c = pliant_scene_add_user_constraint(self->scene, &def, NULL);
    assert_int_not_equal(c.id, 0);
    return c;
}

static pliant_law compliant(double compliance)
{
    pliant_law law = pliant_law_default();
    law.compliance = R(compliance);
    return law;
}

static pliant_law with_limit(pliant_limit limit)
{
    pliant_law law = pliant_law_default();
    law.limited = true;
    law.limit = limit;
    return law;
}

/* ---- users' constraints ---- */

static const pliant_vec3 pendulum[3] = {{0, 0, 0}, {R(0.5), 0, 0}, {1, 0, R(0.25)}};
static const pliant_real pendulum_w[3] = {0, 1, 2};

/* The same pendulum by the built-in distance and by a user's, for rigid, compliant, damped, soft, and one-sided laws. */
static void a_users_distance_is_the_built_in_one(void **unused)
{
    pliant_law laws[] = {pliant_law_default(),       compliant(1e-3), compliant(1e-3), pliant_law_default(), with_limit(PLIANT_AT_MOST),
                         with_limit(PLIANT_AT_LEAST)};
    (void)unused;
    laws[2].damping = 5;
    laws[3].stiffness = R(0.3);
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        pliant_scene_def settings = pliant_scene_def_default();
        settings.iterations = 3;
        const pliant_solver_def def = sample_solver_def();
        world                   a = world_of(&settings, pendulum, pendulum_w, 2), b = world_of(&settings, pendulum, pendulum_w, 2);
        add(&a, PLIANT_CONSTRAINT_DISTANCE, 0, 1, 0.375, laws[i]);
        add_user(&b, SAMPLE_DISTANCE, 2, 1, 384, laws[i]);
        world_run(&a, &def, 20);
        world_run(&b, &def, 20);
        pliant_vec3 moved = v3_sub(position(&a, 1), pendulum[1]);
        assert_true(v3_length(moved) > R(0.05));
        near((double)v3_length(v3_sub(position(&a, 1), position(&b, 1))), 0, 2000 * EPSILON);
        near((double)v3_length(v3_sub(velocity(&a, 1), velocity(&b, 1))), 0, 2000 * 64 * EPSILON);
        world_end(&a);
        world_end(&b);
    }
}

/* Six equalities of one linear constraint are met by one projection of their block. */
static void six_rows_are_solved_as_one_block(void **unused)
{
    (void)unused;
    const pliant_real w[3] = {1, 2, R(0.5)};
    pliant_solver_def def = sample_solver_def();
    def.measure = true;
    world self = world_of(NULL, pendulum, w, 3);
    add_user(&self, SAMPLE_FRAME, 3, 6, 0, pliant_law_default());
    world_run(&self, &def, 1);
    for (uint32_t i = 0; i < 2; i++) {
        pliant_vec3 d = v3_sub(position(&self, i + 1), position(&self, i));
        near((double)v3_length(v3_sub(d, v3(R(0.25), 0, 0))), 0, 8 * EPSILON);
    }
    const pliant_kind_statistics s = pliant_solver_kind_statistics(self.solver, PLIANT_CONSTRAINT_COUNT);
    assert_int_equal(s.constraints, 1);
    near(s.residual_max, 0, 8 * EPSILON);
    world_end(&self);
}

/* A wall from one side: y >= 1/16, x >= 0 holds up what falls and lets go what leaves. */
static void one_sided_rows_push_and_never_pull(void **unused)
{
    (void)unused;
    const pliant_vec3       x[1] = {{R(-0.25), R(0.125), 0}};
    const pliant_real       w[1] = {1};
    const pliant_solver_def def = sample_solver_def();
    world                   self = world_of(NULL, x, w, 1);
    add_user(&self, SAMPLE_WALLS, 1, 2, 64, with_limit(PLIANT_AT_LEAST));
    world_run(&self, &def, 60);
    near((double)position(&self, 0).y, 0.0625, 4 * EPSILON);
    assert_true(position(&self, 0).x >= 0);
    const pliant_vec3 up = {1, 3, 0};
    assert_int_equal(pliant_state_set_velocities(self.state, self.body, 0, 1, &up), PLIANT_OK);
    const double before = (double)position(&self, 0).x;
    world_run(&self, &def, 4);
    near((double)velocity(&self, 0).y, 3 - 9.81 * 4 * DT, 3000 * EPSILON);
    near((double)position(&self, 0).x - before, 4 * DT, 3000 * EPSILON);
    world_end(&self);
}

static void at_most_is_the_mirror_of_at_least(void **unused)
{
    (void)unused;
    const pliant_vec3       x[1] = {{0, -1, 0}};
    const pliant_real       w[1] = {1};
    const pliant_solver_def def = sample_solver_def();
    pliant_scene_def        settings = pliant_scene_def_default();
    settings.gravity.y = -settings.gravity.y;
    world self = world_of(&settings, x, w, 1);
    add_user(&self, SAMPLE_WALLS, 1, 1, 0, with_limit(PLIANT_AT_MOST));
    world_run(&self, &def, 80);
    near((double)position(&self, 0).y, 0, 4 * EPSILON);
    world_end(&self);
}

static void a_missing_function_is_refused(void **unused)
{
    (void)unused;
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    pliant_solver_def def = pliant_solver_def_default();
    world             self = world_of(NULL, pendulum, NULL, 3);
    add_user(&self, 7, 1, 1, 0, pliant_law_default());
    self.model = pliant_scene_compile(self.scene, NULL);
    assert_null(pliant_solver_create(self.model, &def, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "7"));
    assert_null(pliant_solver_create(self.model, NULL, &error));
    world_end(&self);
}

/* ---- statistics and forces ---- */

static void a_hanging_mass_pulls_with_its_weight(void **unused)
{
    (void)unused;
    const pliant_vec3 x[2] = {{0, 0, 0}, {0, R(-0.0625), 0}}, rest = {0, 0, 0};
    const pliant_real w[2] = {0, R(0.25)};
    const double      rounding = 4 * 4 * 640 * 640 * 0.0625 * EPSILON; /* of a length, times m / h^2 */
    enum { RIGID, SPRING, USER, KINDS };
    pliant_solver_def def = sample_solver_def();
    def.measure = true;
    for (int kind = RIGID; kind < KINDS; kind++) {
        pliant_real             force[PLIANT_MAX_ROWS] = {0};
        world                   self = world_of(NULL, x, w, 2);
        const pliant_constraint c = kind == USER
                                        ? add_user(&self, SAMPLE_DISTANCE, 2, 1, 64, pliant_law_default())
                                        : add(&self, PLIANT_CONSTRAINT_DISTANCE, 0, 1, 0.0625, compliant(kind == SPRING ? 1e-4 : 0));
        world_run(&self, &def, 1);
        for (int i = 0; i < 300 && kind == SPRING; i++) { /* let it settle */
            assert_int_equal(pliant_state_set_velocities(self.state, self.body, 1, 1, &rest), PLIANT_OK);
            world_run(&self, &def, 1);
        }
        assert_int_equal(pliant_solver_force(self.solver, c, force), 1);
        near((double)force[0], -4 * 9.81, rounding); /* against the gradient: it pulls */
        if (kind == SPRING) near((double)position(&self, 1).y, -0.0625 - 4 * 9.81e-4, rounding * 1e-4);
        world_end(&self);
    }
}

/* A constraint that is off does nothing: the mass falls freely, the multiplier is 0, and on again it pulls back. */
static void an_inactive_constraint_does_nothing(void **unused)
{
    (void)unused;
    pliant_solver_def def = sample_solver_def();
    def.measure = true;
    for (int user = 0; user < 2; user++) {
        const pliant_vec3       x[2] = {{0, 0, 0}, {0, -1, 0}};
        pliant_real             force[PLIANT_MAX_ROWS] = {0};
        world                   self = world_of(NULL, x, pendulum_w, 2);
        const pliant_constraint c = user ? add_user(&self, SAMPLE_DISTANCE, 2, 1, 1024, pliant_law_default())
                                         : add(&self, PLIANT_CONSTRAINT_DISTANCE, 0, 1, 1, pliant_law_default());
        world_run(&self, &def, 4);
        assert_int_equal(pliant_solver_force(self.solver, c, force), 1);
        assert_true(force[0] < -1);
        const double before = (double)velocity(&self, 1).y;
        assert_int_equal(pliant_state_set_active(self.state, c, false), PLIANT_OK);
        assert_false(pliant_state_active(self.state, c));
        world_run(&self, &def, 4);
        near((double)velocity(&self, 1).y - before, -9.81 * 4 * DT, 20000 * EPSILON);
        assert_int_equal(pliant_solver_force(self.solver, c, force), 1);
        if (force[0] != 0) print_error("a %s constraint that is off has a force of %g N\n", user ? "user's" : "built-in", (double)force[0]);
        assert_true(force[0] == 0);
        assert_int_equal(pliant_state_set_active(self.state, c, true), PLIANT_OK);
        world_run(&self, &def, 4);
        near((double)v3_length(position(&self, 1)), 1, 100 * EPSILON);
        world_end(&self);
    }
}

/* Residuals by the solver against the constraints taken by themselves; with compliance 0 they are |C|. */
static void residuals_are_what_direct_evaluation_gives(void **unused)
{
    (void)unused;
    pliant_scene_def  settings = pliant_scene_def_default();
    pliant_soft_def   soft = pliant_soft_def_default();
    pliant_solver_def def = pliant_solver_def_default();
    soft.material.young = 0;
    settings.substeps = 2;
    def.measure = def.timing = true;
    pliant_scene *scene = pliant_scene_create(&settings, NULL);
    soft.body.spin = v3(0, 20, 3);
    pliant_body    body = pliant_scene_add_soft(scene, &soft, NULL);
    pliant_model  *model = pliant_scene_compile(scene, NULL);
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_solver *solver = pliant_solver_create(model, &def, NULL);
    sample_frames(NULL, solver, state, inputs, 0, 5);

    double   largest[PLIANT_CONSTRAINT_COUNT] = {0}, sum[PLIANT_CONSTRAINT_COUNT] = {0};
    uint32_t count[PLIANT_CONSTRAINT_COUNT] = {0};
    for (uint32_t i = 0; i < pliant_model_solved_count(model); i++) {
        const pliant_solved_constraint c = pliant_model_solved(model, i);
        pliant_eval_input              in = {0};
        pliant_eval_output             out;
        const uint32_t                 slots = pliant_constraint_describe(c.kind)->slots;
        in.dt = 1;
        in.law = pliant_law_default();
        memcpy(in.parameters, c.parameters, sizeof in.parameters);
        for (uint32_t s = 0; s < slots; s++) {
            pliant_vec3 x;
            assert_int_equal(pliant_state_positions(state, c.particles[s].body, c.particles[s].vertex, 1, &x), PLIANT_OK);
            memcpy(in.x[s], &x, sizeof x);
            in.w[s] = 1;
        }
        assert_int_equal(pliant_constraint_eval(c.kind, &in, &out), PLIANT_OK);
        const double C = fabs((double)out.C[0]);
        if (C > largest[c.kind]) largest[c.kind] = C;
        sum[c.kind] += C;
        count[c.kind]++;
    }
    const pliant_statistics s = pliant_solver_statistics(solver);
    assert_int_equal(s.substeps, 2);
    assert_int_equal(s.iterations, 1);
    assert_true(largest[PLIANT_CONSTRAINT_DISTANCE] > 0 && largest[PLIANT_CONSTRAINT_TET_VOLUME] > 0);
    for (int k = 0; k < PLIANT_CONSTRAINT_COUNT; k++) {
        const pliant_kind_statistics of = pliant_solver_kind_statistics(solver, (pliant_constraint_kind)k);
        assert_int_equal(of.constraints, count[k]);
        assert_int_equal(of.constraints, pliant_model_constraint_count(model, (pliant_constraint_kind)k));
        assert_true(of.residual_max == largest[k]);
        near(of.residual_mean, count[k] ? sum[k] / count[k] : 0, 1e-12);
    }
    assert_true(s.seconds > 0 && s.seconds < 100);
    double stages = 0;
    for (int i = 0; i < PLIANT_STAGE_COUNT; i++) {
        const double seconds = pliant_solver_stage_seconds(solver, (pliant_stage)i, NULL);
        assert_true(seconds >= 0);
        stages += seconds;
        assert_non_null(pliant_stage_name((pliant_stage)i));
    }
    assert_true(stages > 0 && stages <= s.seconds);
    assert_int_equal(pliant_model_body(model, body).body.id, body.id);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
}

/* With compliance the residual of a spring at rest is C + alpha~ lambda, which is 0 although C is not. */
static void a_springs_residual_counts_its_multiplier(void **unused)
{
    (void)unused;
    const pliant_vec3 x[2] = {{0, 0, 0}, {0, -1, 0}};
    pliant_solver_def def = pliant_solver_def_default();
    def.measure = true;
    world self = world_of(NULL, x, pendulum_w, 2);
    add(&self, PLIANT_CONSTRAINT_DISTANCE, 0, 1, 0.5, compliant(1e-2));
    world_run(&self, &def, 1);
    assert_true(pliant_state_strain(self.state).largest > 0.5);
    near(pliant_solver_kind_statistics(self.solver, PLIANT_CONSTRAINT_DISTANCE).residual_max, 0, 200 * EPSILON);
    world_end(&self);
}

static void particles_that_rest_on_the_floor_are_in_contact_with_their_weight(void **unused)
{
    (void)unused;
    const pliant_vec3       x[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, R(0.5), 0}};
    const pliant_real       w[4] = {1, R(0.5), R(0.25), 1};
    const pliant_solver_def def = pliant_solver_def_default();
    pliant_contact          contacts[4];
    world                   self = world_of(NULL, x, w, 4);
    const pliant_collider   floor = pliant_scene_add_floor(self.scene, 0, NULL);
    world_run(&self, &def, 5);
    const pliant_statistics s = pliant_solver_statistics(self.solver);
    assert_int_equal(s.particles_in_contact, 3);
    assert_int_equal(s.contacts_dropped, 0);
    assert_int_equal(pliant_solver_contacts(self.solver, contacts, 4), 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(contacts[i].particle.vertex, i);
        assert_int_equal(contacts[i].particle.body.id, self.body.id);
        assert_int_equal(contacts[i].collider.id, floor.id);
        near((double)contacts[i].normal.y, 1, 2 * EPSILON);
        near((double)contacts[i].force * (double)w[i], 9.81, 9.81 * 16 * EPSILON);
        near((double)contacts[i].friction, 0, 1e-3);
    }
    pliant_contact one[2];
    memset(one, 0x55, sizeof one);
    const pliant_contact untouched = one[1];
    assert_int_equal(pliant_solver_contacts(self.solver, one, 1), 3);
    assert_memory_equal(&one[1], &untouched, sizeof untouched);
    assert_int_equal(pliant_solver_contacts(self.solver, NULL, 4), 3);
    assert_int_equal(pliant_solver_contacts(self.solver, NULL, 0), 3);
    near((double)s.max_speed, 9.81 * 5 * DT, 0.01);
    world_end(&self);
}

/* Near is not in contact: the statistics count what pliant_solver_contacts lists, frame by frame of the demo. */
static void contacts_are_counted_as_they_are_listed(void **unused)
{
#ifdef NDEBUG
    const uint32_t frames = 80; /* bodies fall on, over and off what they touch */
#else
    const uint32_t frames = 40; /* unoptimised, a frame takes up to a second; all three bodies touch something by then */
#endif
    static pliant_contact contacts[4096];
    pliant_scene_file     file;
    size_t                length;
    const char           *text = pliant_demo_scene(&length);
    uint32_t              most = 0;
    (void)unused;
    assert_int_equal(pliant_scene_read_text(text, length, "demo", NULL, NULL, &file, NULL), PLIANT_OK);
    pliant_model  *model = pliant_scene_compile(file.scene, NULL);
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_solver *solver = pliant_solver_create(model, NULL, NULL);
    for (uint32_t frame = 0; frame < frames; frame++) {
        assert_int_equal(pliant_inputs_reset(inputs, 1.0 / 60), PLIANT_OK);
        assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
        const pliant_statistics s = pliant_solver_statistics(solver);
        const uint32_t          count = pliant_solver_contacts(solver, contacts, 4096);
        uint32_t                particles = 0;
        assert_true(count <= 4096);
        for (uint32_t i = 0; i < count; i++)
            particles += !i || memcmp(&contacts[i].particle, &contacts[i - 1].particle, sizeof contacts->particle) != 0;
        assert_int_equal(s.contacts, count);
        assert_int_equal(s.particles_in_contact, particles);
        if (count > most) most = count;
    }
    assert_true(most > 100);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
    pliant_scene_destroy(file.scene);
}

/* max_speed is that of the state that the step leaves, also when the last thing that happened was a bounce. */
static void the_largest_speed_is_that_at_the_end(void **unused)
{
    (void)unused;
    const pliant_vec3 x[1] = {{0, R(0.03125), 0}}, down = {0, -8, 0};
    const pliant_real w[1] = {1};
    pliant_scene_def  settings = pliant_scene_def_default();
    settings.substeps = 1;
    world               self = world_of(&settings, x, w, 1);
    pliant_collider_def floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    floor.restitution = 1;
    assert_int_not_equal(pliant_scene_add_collider(self.scene, &floor, NULL).id, 0);
    const pliant_solver_def def = pliant_solver_def_default();
    world_run(&self, &def, 0);
    assert_int_equal(pliant_state_set_velocities(self.state, self.body, 0, 1, &down), PLIANT_OK);
    world_run(&self, &def, 1);
    assert_true(velocity(&self, 0).y > 7); /* it bounced */
    near((double)pliant_solver_statistics(self.solver).max_speed, (double)v3_length(velocity(&self, 0)), 16 * EPSILON);
    world_end(&self);
}

/* ---- inputs ---- */

/* The place where a grabbed particle hangs: the spring's force is its weight. */
static void a_grab_is_a_spring_to_a_place(void **unused)
{
    (void)unused;
    const pliant_vec3       x[1] = {{0, 0, 0}}, target = {R(0.125), 0, R(-0.0625)}, rest = {0, 0, 0};
    const pliant_real       w[1] = {R(0.5)};
    const pliant_solver_def def = pliant_solver_def_default();
    world                   self = world_of(NULL, x, w, 1);
    world_run(&self, &def, 0);
    for (int i = 0; i < 400; i++) {
        assert_int_equal(pliant_state_set_velocities(self.state, self.body, 0, 1, &rest), PLIANT_OK);
        assert_int_equal(pliant_inputs_reset(self.inputs, DT), PLIANT_OK);
        assert_int_equal(pliant_inputs_grab(self.inputs, self.body, 0, target, R(1e-3)), PLIANT_OK);
        assert_int_equal(pliant_solver_step(self.solver, self.state, self.inputs), PLIANT_OK);
    }
    near((double)position(&self, 0).x, 0.125, 1e-4);
    near((double)position(&self, 0).y, -2 * 9.81e-3, 1e-4);
    near((double)position(&self, 0).z, -0.0625, 1e-4);
    world_end(&self);
}

/* Live laws: what a law said in the inputs does is what a scene compiled with it does, however few constraints share it. */
static void a_law_in_the_inputs_acts_like_the_same_law_in_the_scene(void **unused)
{
    (void)unused;
    const pliant_solver_def def = pliant_solver_def_default();
    for (int few = 0; few < 2; few++) {
        const pliant_vec3 x[5] = {{0, 0, 0}, {1, 0, 0}, {0, 5, 0}, {1, 5, 0}, {2, 5, 0}};
        const pliant_real w[5] = {0, 1, 0, 1, 1};
        world             live = world_of(NULL, x, w, 5), compiled = world_of(NULL, x, w, 5);
        pliant_law        other = pliant_law_default();
        other.stiffness = R(0.5); /* of two laws with one constraint each */
        add(&live, PLIANT_CONSTRAINT_DISTANCE, 0, 1, 0.5, pliant_law_default());
        if (few) add(&live, PLIANT_CONSTRAINT_DISTANCE, 2, 3, 0.5, other);
        add(&compiled, PLIANT_CONSTRAINT_DISTANCE, 0, 1, 0.5, compliant(0.05));
        if (few) add(&compiled, PLIANT_CONSTRAINT_DISTANCE, 2, 3, 0.5, other);
        world_run(&live, &def, 0);
        world_run(&compiled, &def, 0);
        assert_true(pliant_model_law(live.model, 0).law.stiffness == 1);
        const pliant_law law = compliant(0.05);
        for (int i = 0; i < 10; i++) {
            assert_int_equal(pliant_inputs_reset(live.inputs, DT), PLIANT_OK);
            assert_int_equal(pliant_inputs_law(live.inputs, 0, &law), PLIANT_OK);
            assert_int_equal(pliant_solver_step(live.solver, live.state, live.inputs), PLIANT_OK);
            world_run(&compiled, &def, 1);
        }
        assert_true(v3_length(position(&compiled, 1)) > R(0.6)); /* it gave way */
        near((double)v3_length(v3_sub(position(&live, 1), position(&compiled, 1))), 0, 1000 * EPSILON);
        near((double)v3_length(v3_sub(position(&live, 3), position(&compiled, 3))), 0, 1000 * EPSILON);
        world_end(&live);
        world_end(&compiled);
    }
}

/* Inputs hold for one step: after a reset all is the model's again. */
static void a_reset_forgets_everything(void **unused)
{
    (void)unused;
    const sample  *which = sample_named("curtain");
    pliant_model  *model = sample_model(which);
    pliant_state  *a = pliant_state_create(model, NULL), *b = pliant_state_create(model, NULL);
    pliant_inputs *dirty = pliant_inputs_create(model, NULL), *clean = pliant_inputs_create(model, NULL);
    pliant_solver *solver = pliant_solver_create(model, NULL, NULL);
    for (uint32_t f = 0; f < 8; f++) {
        pliant_state *other = pliant_state_create(model, NULL);
        assert_int_equal(pliant_inputs_reset(dirty, 0.5), PLIANT_OK);
        which->drive(model, dirty, other, f);
        pliant_state_destroy(other);
        sample_frames(NULL, solver, a, dirty, 0, 1);
        sample_frames(NULL, solver, b, clean, 0, 1);
        assert_int_equal(pliant_state_hash(a), pliant_state_hash(b));
    }
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(dirty);
    pliant_inputs_destroy(clean);
    pliant_state_destroy(a);
    pliant_state_destroy(b);
    pliant_model_destroy(model);
}

/* ---- divergence ---- */

typedef struct poison {
    uint32_t calls, from; /* counts; NaN from call `from` on, for `times` of them */
    uint32_t times;
} poison;

static void user_poison(const pliant_vec3 *x, uint32_t particle_count, uint32_t row_count, uint64_t tag, pliant_real *C,
                        pliant_vec3 *gradient, void *context)
{
    poison    *p = context;
    const bool bad = p->calls >= p->from && p->calls - p->from < p->times;
    (void)x, (void)particle_count, (void)row_count, (void)tag;
    p->calls++;
    C[0] = bad ? NOT_A_NUMBER : 0;
    gradient[0] = v3(1, 0, 0);
}

/* Three bodies of 300, 5 and 5 particles; a user's constraint on vertex 3 of the second. */
static world poisoned_world(pliant_on_divergence what, pliant_solver_def *def, poison *context)
{
    pliant_vec3                x[300];
    pliant_scene_def           settings = pliant_scene_def_default();
    pliant_particles_def       particles = pliant_particles_def_default();
    pliant_user_constraint_def user = pliant_user_constraint_def_default();
    settings.on_divergence = what;
    settings.max_speed = 100;
    for (int i = 0; i < 300; i++) x[i] = v3(R(i), 0, 0);
    world self = world_of(&settings, x, NULL, 300);
    particles.positions = x;
    particles.count = 5;
    particles.body.velocity = v3(0, 0, 1);
    strcpy(particles.body.name, "second");
    user.particles[0] = (pliant_particle){pliant_scene_add_particles(self.scene, &particles, NULL), 3};
    strcpy(particles.body.name, "third");
    assert_int_equal(pliant_scene_add_particles(self.scene, &particles, NULL).id, 3);
    user.function = 4;
    assert_int_not_equal(pliant_scene_add_user_constraint(self.scene, &user, NULL).id, 0);
    *def = pliant_solver_def_default();
    def->user[4] = user_poison;
    def->user_context[4] = context;
    return self;
}

static void a_nan_stops_the_run_in_its_step_and_is_named(void **unused)
{
    (void)unused;
    poison            p = {0, 23, 1}; /* two steps of 10 substeps are good */
    pliant_solver_def def;
    world             self = poisoned_world(PLIANT_DIVERGENCE_STOPS, &def, &p);
    world_run(&self, &def, 2);
    assert_false(pliant_solver_divergence(self.solver).diverged);
    assert_int_equal(pliant_inputs_reset(self.inputs, DT), PLIANT_OK);
    assert_int_equal(pliant_solver_step(self.solver, self.state, self.inputs), PLIANT_ERROR_DIVERGED);
    const pliant_divergence d = pliant_solver_divergence(self.solver);
    assert_true(d.diverged && d.not_a_number);
    assert_int_equal(d.particle.body.id, 2);
    assert_int_equal(d.particle.vertex, 3);
    assert_int_equal(d.substep, 3);
    assert_int_equal(p.calls, 24); /* and no substep after it */
    assert_true(isnan(d.speed) || d.speed >= 0);
    world_end(&self);
}

static void a_runaway_speed_stops_the_run_and_is_named(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        const pliant_vec3 speeds[3] = {{0, 101, 0}, {0, 1e18f, 0}, {R(FLT_MAX), 0, 0}};
        poison            p = {0, 0, 0};
        pliant_solver_def def;
        world             self = poisoned_world(PLIANT_DIVERGENCE_STOPS, &def, &p);
        world_run(&self, &def, 1);
        assert_int_equal(pliant_state_set_velocities(self.state, self.body, 299, 1, &speeds[i]), PLIANT_OK);
        assert_int_equal(pliant_inputs_reset(self.inputs, DT), PLIANT_OK);
        assert_int_equal(pliant_solver_step(self.solver, self.state, self.inputs), PLIANT_ERROR_DIVERGED);
        const pliant_divergence d = pliant_solver_divergence(self.solver);
        assert_true(d.diverged);
        assert_int_equal(d.particle.body.id, self.body.id);
        assert_int_equal(d.particle.vertex, 299);
        assert_int_equal(d.substep, 0);
        if (i == 0) near(d.speed, 101, 0.2);
        if (i == 0) assert_false(d.not_a_number);
        assert_true(!(d.speed <= 100));
        assert_false(isnan(d.speed) && !d.not_a_number);
        world_end(&self);
    }
}

static void a_good_step_after_a_bad_one_has_no_divergence(void **unused)
{
    (void)unused;
    poison            p = {0, 5, 1};
    pliant_solver_def def;
    world             self = poisoned_world(PLIANT_DIVERGENCE_STOPS, &def, &p);
    world_run(&self, &def, 0);
    assert_int_equal(pliant_inputs_reset(self.inputs, DT), PLIANT_OK);
    assert_int_equal(pliant_solver_step(self.solver, self.state, self.inputs), PLIANT_ERROR_DIVERGED);
    pliant_state_reset(self.state);
    world_run(&self, &def, 3);
    assert_false(pliant_solver_divergence(self.solver).diverged);
    assert_true(pliant_state_steps(self.state) == 3);
    world_end(&self);
}

/* What is left of a run that diverged is the same everywhere, though later iterations spread a NaN. */
static void a_diverged_state_is_the_same_everywhere(void **unused)
{
    (void)unused;
    const pliant_build_info build = pliant_build();
    uint64_t                expected = 0;
    for (uint32_t i = 0; i < 2 * build.width_count; i++) {
        if (!build.runs[i / 2]) continue;
        poison            p = {0, 4, 1};
        pliant_solver_def def;
        world             self = poisoned_world(PLIANT_DIVERGENCE_STOPS, &def, &p);
        for (uint32_t k = 0; k < 60; k++) {
            pliant_constraint_def c = pliant_constraint_def_default(k % 2 ? PLIANT_CONSTRAINT_DISTANCE : PLIANT_CONSTRAINT_TRIANGLE_AREA);
            for (uint32_t s = 0; s < 3; s++) c.particles[s] = (pliant_particle){{s == 2 - k % 2 ? 2u : 1u}, s == 2 - k % 2 ? k % 5 : k + s};
            c.measure = true;
            c.law = compliant(k % 3 ? 0 : 1e-3);
            assert_int_not_equal(pliant_scene_add_constraint(self.scene, &c, NULL).id, 0);
        }
        def.width = build.widths[i / 2];
        def.threads = 1 + 2 * (i % 2);
        world_run(&self, &def, 0);
        assert_int_equal(pliant_inputs_reset(self.inputs, DT), PLIANT_OK);
        assert_int_equal(pliant_inputs_substeps(self.inputs, 2, 4), PLIANT_OK);
        assert_int_equal(pliant_solver_step(self.solver, self.state, self.inputs), PLIANT_ERROR_DIVERGED);
        const uint64_t hash = pliant_state_hash(self.state);
        pliant_vec3    x[300];
        int            lost = 0;
        assert_true(pliant_solver_divergence(self.solver).not_a_number);
        assert_int_equal(pliant_state_positions(self.state, self.body, 0, 300, x), PLIANT_OK);
        for (int k = 0; k < 300; k++) lost += !v3_finite(x[k]);
        assert_true(lost > 5);
        if (!expected) expected = hash;
        assert_int_equal(hash, expected);
        world_end(&self);
    }
}

/* Only the body that diverged is put back, at rest; all others go on as if nothing had happened. */
static void restoring_puts_back_one_body_and_no_other(void **unused)
{
    (void)unused;
    poison            p = {0, 19, 1}, never = {0, 0, 0}; /* the last substep of the second step */
    pliant_solver_def def, good;
    world             self = poisoned_world(PLIANT_DIVERGENCE_RESTORES, &def, &p);
    world             other = poisoned_world(PLIANT_DIVERGENCE_RESTORES, &good, &never);
    pliant_vec3       before[5], x[300], y[300];
    world_run(&self, &def, 1);
    assert_int_equal(pliant_state_positions(self.state, (pliant_body){2}, 0, 5, before), PLIANT_OK);
    world_run(&self, &def, 1);
    world_run(&other, &good, 2);
    const pliant_divergence d = pliant_solver_divergence(self.solver);
    assert_true(d.diverged && d.not_a_number);
    assert_int_equal(d.particle.body.id, 2);
    assert_int_equal(d.particle.vertex, 3);
    assert_int_equal(d.substep, 9);
    assert_int_equal(pliant_solver_statistics(self.solver).restored_bodies, 1);
    assert_int_equal(pliant_solver_statistics(other.solver).restored_bodies, 0);
    for (uint32_t b = 1; b <= 3; b++) {
        const uint32_t count = b == 1 ? 300 : 5;
        for (int velocities = 0; velocities < 2; velocities++) {
            pliant_code (*const get)(const pliant_state *, pliant_body, uint32_t, uint32_t, pliant_vec3 *) =
                velocities ? pliant_state_velocities : pliant_state_positions;
            memset(y, 0, sizeof y);
            assert_int_equal(get(self.state, (pliant_body){b}, 0, count, x), PLIANT_OK);
            if (b != 2) assert_int_equal(get(other.state, (pliant_body){b}, 0, count, y), PLIANT_OK);
            if (b == 2 && !velocities) memcpy(y, before, sizeof before);
            assert_memory_equal(x, y, count * sizeof *x);
        }
    }
    const pliant_vec3 v = v3(0, 0, 0);
    assert_int_equal(pliant_state_set_velocities(self.state, (pliant_body){2}, 0, 1, &v), PLIANT_OK);
    world_run(&self, &def, 2); /* and it goes on */
    assert_false(pliant_solver_divergence(self.solver).diverged);
    world_end(&self);
    world_end(&other);
}

/* However often it diverges within a step, a body is one body. */
static void a_body_restored_in_every_substep_counts_once(void **unused)
{
    (void)unused;
    poison            p = {0, 0, UINT32_MAX};
    pliant_solver_def def;
    world             self = poisoned_world(PLIANT_DIVERGENCE_RESTORES, &def, &p);
    world_run(&self, &def, 1);
    const pliant_divergence d = pliant_solver_divergence(self.solver);
    assert_true(d.diverged && d.not_a_number && d.substep == 0);
    assert_int_equal(pliant_solver_statistics(self.solver).restored_bodies, 1);
    world_end(&self);
}

/* A body that runs away along a bouncing floor is put back at rest: the bounce must not kick it again. */
static void a_restored_body_is_at_rest_even_on_a_bouncing_floor(void **unused)
{
    (void)unused;
    const pliant_vec3   x[1] = {{0, R(0.03125), 0}}, fast = {5000, -50, 0};
    const pliant_real   w[1] = {1};
    pliant_scene_def    settings = pliant_scene_def_default();
    pliant_collider_def floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    settings.substeps = 1;
    settings.max_speed = 100;
    settings.on_divergence = PLIANT_DIVERGENCE_RESTORES;
    floor.restitution = 1;
    floor.friction_static = floor.friction_dynamic = 0;
    world self = world_of(&settings, x, w, 1);
    assert_int_not_equal(pliant_scene_add_collider(self.scene, &floor, NULL).id, 0);
    const pliant_solver_def def = pliant_solver_def_default();
    world_run(&self, &def, 0);
    assert_int_equal(pliant_state_set_velocities(self.state, self.body, 0, 1, &fast), PLIANT_OK);
    world_run(&self, &def, 1);
    assert_true(pliant_solver_divergence(self.solver).diverged);
    assert_int_equal(pliant_solver_statistics(self.solver).restored_bodies, 1);
    assert_true(v3_length(v3_sub(position(&self, 0), x[0])) == 0);
    near((double)v3_length(velocity(&self, 0)), 0, 0);
    world_end(&self);
}

/* A speed that a bounce gives is noticed in the step of the bounce. */
static void a_runaway_bounce_is_noticed_in_its_step(void **unused)
{
    (void)unused;
    const pliant_vec3   x[1] = {{0, R(0.03125), 0}}, fast = {0, -5000, 0};
    const pliant_real   w[1] = {1};
    pliant_scene_def    settings = pliant_scene_def_default();
    pliant_collider_def floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    settings.substeps = 1;
    settings.max_speed = 100;
    floor.restitution = 1;
    world self = world_of(&settings, x, w, 1);
    assert_int_not_equal(pliant_scene_add_collider(self.scene, &floor, NULL).id, 0);
    const pliant_solver_def def = pliant_solver_def_default();
    world_run(&self, &def, 0);
    assert_int_equal(pliant_state_set_velocities(self.state, self.body, 0, 1, &fast), PLIANT_OK);
    assert_int_equal(pliant_inputs_reset(self.inputs, DT), PLIANT_OK);
    const pliant_code code = pliant_solver_step(self.solver, self.state, self.inputs);
    if (code == PLIANT_OK) print_error("%g m/s went unnoticed\n", (double)v3_length(velocity(&self, 0)));
    assert_true(code == PLIANT_ERROR_DIVERGED || v3_length(velocity(&self, 0)) <= 100);
    world_end(&self);
}

/* ---- bad arguments ---- */

static void bad_solver_defs_are_refused(void **unused)
{
    (void)unused;
    pliant_model      *model = sample_model(sample_named("odds"));
    const pliant_tasks host = host_tasks(HOST_REVERSE);
    for (int i = 0; i < 6; i++) {
        pliant_error      error = {PLIANT_OK, 0, "", ""};
        pliant_solver_def def = sample_solver_def();
        if (i == 0) memset(&def, 0, sizeof def);
        if (i == 1) memset(&def, 0xff, sizeof def);
        if (i == 2) def.threads = 65;
        if (i == 3) def.tasks.enqueue = host.enqueue;
        if (i == 4) def.width = 3;
        if (i == 5) def.width = 1u << 31;
        assert_null(pliant_solver_create(model, &def, &error));
        assert_int_equal(error.code, i < 4 ? PLIANT_ERROR_ARGUMENT : PLIANT_ERROR_UNAVAILABLE);
        assert_true(strlen(error.message) > 10);
        assert_null(pliant_solver_create(model, &def, NULL));
    }
    pliant_model_destroy(model);
}

/* A width that the processor lacks would be the other half of this; `runs` says so on such a machine. */
static void every_width_is_made_or_refused_as_the_build_says(void **unused)
{
    (void)unused;
    const pliant_build_info build = pliant_build();
    pliant_model           *model = sample_model(sample_named("jelly"));
    assert_int_equal(build.real_bytes, sizeof(pliant_real));
    assert_int_equal(build.widths[0], 1);
    assert_true(build.runs[0]);
    for (uint32_t i = 0; i < build.width_count; i++) {
        pliant_error      error = {PLIANT_OK, 0, "", ""};
        pliant_solver_def def = pliant_solver_def_default();
        def.width = build.widths[i];
        pliant_solver *solver = pliant_solver_create(model, &def, &error);
        assert_int_equal(solver != NULL, build.runs[i]);
        if (solver)
            assert_int_equal(pliant_solver_width(solver), build.widths[i]);
        else
            assert_int_equal(error.code, PLIANT_ERROR_UNAVAILABLE);
        pliant_solver_destroy(solver);
    }
    pliant_solver_def def = pliant_solver_def_default();
    def.threads = 5;
    def.width = 1;
    pliant_solver *solver = pliant_solver_create(model, &def, NULL);
    assert_int_equal(pliant_solver_threads(solver), 5);
    pliant_solver_destroy(solver);
    def.tasks = host_tasks(HOST_LATE);
    solver = pliant_solver_create(model, &def, NULL);
    assert_int_equal(pliant_solver_threads(solver), 1);
    pliant_solver_destroy(solver);
    pliant_model_destroy(model);
}

static void bad_inputs_are_refused_and_change_nothing(void **unused)
{
    (void)unused;
    const sample         *which = sample_named("curtain");
    pliant_model         *model = sample_model(which);
    pliant_inputs        *in = pliant_inputs_create(model, NULL);
    pliant_state         *state = pliant_state_create(model, NULL);
    pliant_solver        *solver = pliant_solver_create(model, NULL, NULL);
    const pliant_body     body = {1}, bodies[3] = {{0}, {2}, {UINT32_MAX}};
    const pliant_collider colliders[3] = {{0}, {5}, {UINT32_MAX}};
    const pliant_vec3     zero = {0, 0, 0}, odd[2] = {{0, NOT_A_NUMBER, 0}, {0, 0, INFINITE}};
    pliant_vec3           four[4] = {{0, 0, 0}};
    const double          times[] = {0, -1, 1e-9, 1.5, 1e300, HUGE_VAL, -HUGE_VAL, strtod("nan", NULL)};
    assert_int_equal(pliant_solver_step(solver, state, in), PLIANT_ERROR_ARGUMENT); /* never reset */
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        assert_int_equal(pliant_inputs_reset(in, times[i]), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_solver_step(solver, state, in), PLIANT_ERROR_ARGUMENT);
    }
    assert_int_equal(pliant_inputs_reset(in, DT), PLIANT_OK);
    assert_int_equal(pliant_inputs_reset(in, -1), PLIANT_ERROR_ARGUMENT);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pliant_inputs_targets(in, bodies[i], four, sizeof *four), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_inputs_grab(in, bodies[i], 0, zero, 0), PLIANT_ERROR_ARGUMENT);
        const pliant_pose pose = pliant_pose_identity();
        assert_int_equal(pliant_inputs_collider(in, colliders[i], &pose), PLIANT_ERROR_ARGUMENT);
    }
    assert_int_equal(pliant_inputs_targets(in, body, NULL, sizeof *four), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_targets(in, body, four, sizeof *four - 1), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_targets(in, body, four, 0), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_collider(in, (pliant_collider){1}, NULL), PLIANT_ERROR_ARGUMENT);
    for (int i = 0; i < 2; i++) {
        pliant_pose place = {odd[i], {0, 0, 0, 1}}, turn = {zero, {0, 0, odd[i].z, odd[i].y}}, none = {zero, {0, 0, 0, 0}};
        four[3] = odd[i];
        assert_int_equal(pliant_inputs_targets(in, body, four, sizeof *four), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_inputs_collider(in, (pliant_collider){1}, &place), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_inputs_collider(in, (pliant_collider){1}, &turn), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_inputs_collider(in, (pliant_collider){1}, &none), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_inputs_grab(in, body, 0, odd[i], 0), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_inputs_gravity(in, odd[i]), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_inputs_force(in, (pliant_force){1}, odd[i]), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_inputs_grab(in, body, 0, zero, i ? INFINITE : NOT_A_NUMBER), PLIANT_ERROR_ARGUMENT);
    }
    assert_int_equal(pliant_inputs_grab(in, body, 0, zero, -1), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_grab(in, body, 1147, zero, 0), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_grab(in, body, UINT32_MAX, zero, 0), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_force(in, (pliant_force){0}, zero), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_force(in, (pliant_force){4}, zero), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_force(in, (pliant_force){UINT32_MAX}, zero), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_substeps(in, 10001, 1), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_substeps(in, 1, UINT32_MAX), PLIANT_ERROR_ARGUMENT);
    for (int i = 0; i < 10; i++) {
        pliant_law law = pliant_law_default();
        if (i == 0) law.size = 0;
        if (i == 1) law.compliance = -1;
        if (i == 2) law.compliance = NOT_A_NUMBER;
        if (i == 3) law.compliance = INFINITE;
        if (i == 4) law.damping = -1;
        if (i == 5) law.damping = INFINITE;
        if (i == 6) law.stiffness = R(1.5);
        if (i == 7) law.stiffness = NOT_A_NUMBER;
        if (i == 8) law.compliance = 1, law.stiffness = R(0.5);
        if (i == 9) law.given = 1u << PLIANT_MAX_NUMBERS;
        assert_int_equal(pliant_inputs_law(in, 0, &law), PLIANT_ERROR_ARGUMENT);
    }
    const pliant_law law = pliant_law_default();
    assert_int_equal(pliant_inputs_law(in, 0, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_law(in, pliant_model_law_count(model), &law), PLIANT_ERROR_ARGUMENT);
    /* After these, a step is that of untouched inputs. */
    pliant_state  *plain = pliant_state_create(model, NULL);
    pliant_inputs *clean = pliant_inputs_create(model, NULL);
    assert_int_equal(pliant_solver_step(solver, state, in), PLIANT_OK);
    sample_frames(NULL, solver, plain, clean, 0, 1);
    assert_int_equal(pliant_state_hash(state), pliant_state_hash(plain));
    /* 64 grabs and no more. */
    assert_int_equal(pliant_inputs_reset(in, DT), PLIANT_OK);
    for (int i = 0; i < 65; i++) assert_int_equal(pliant_inputs_grab(in, body, 0, zero, 1), i < 64 ? PLIANT_OK : PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_solver_step(solver, state, in), PLIANT_OK);
    pliant_inputs_destroy(clean);
    pliant_state_destroy(plain);
    pliant_solver_destroy(solver);
    pliant_state_destroy(state);
    pliant_inputs_destroy(in);
    pliant_model_destroy(model);
}

/* State, inputs and solver of one model, or nothing happens. */
static void strangers_do_not_step_together(void **unused)
{
    (void)unused;
    pliant_model     *a = sample_model(sample_named("odds")), *b = sample_model(sample_named("jelly"));
    pliant_solver_def def = sample_solver_def();
    pliant_state     *sa = pliant_state_create(a, NULL), *sb = pliant_state_create(b, NULL);
    pliant_inputs    *ia = pliant_inputs_create(a, NULL), *ib = pliant_inputs_create(b, NULL);
    pliant_solver    *k = pliant_solver_create(a, &def, NULL);
    assert_int_equal(pliant_inputs_reset(ia, DT), PLIANT_OK);
    assert_int_equal(pliant_inputs_reset(ib, DT), PLIANT_OK);
    const uint64_t before = pliant_state_hash(sa), other = pliant_state_hash(sb);
    assert_int_equal(pliant_solver_step(k, sb, ia), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_solver_step(k, sa, ib), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_solver_step(k, NULL, ia), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_solver_step(k, sa, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_solver_step(NULL, sa, ia), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(before, pliant_state_hash(sa));
    assert_int_equal(other, pliant_state_hash(sb));
    const unsigned    odd = odd_environment(), now = environment_now();
    const pliant_code code = pliant_solver_step(k, sb, ia);
    const unsigned    after = environment_now();
    set_environment(odd);
    assert_int_equal(code, PLIANT_ERROR_ARGUMENT);
    assert_int_equal(after, now); /* also after an error */
    pliant_solver_destroy(k);
    pliant_inputs_destroy(ia);
    pliant_inputs_destroy(ib);
    pliant_state_destroy(sa);
    pliant_state_destroy(sb);
    pliant_model_destroy(a);
    pliant_model_destroy(b);
}

static void questions_about_nothing_have_harmless_answers(void **unused)
{
    (void)unused;
    pliant_real       force[PLIANT_MAX_ROWS] = {0};
    pliant_model     *model = sample_model(sample_named("odds"));
    pliant_solver_def def = sample_solver_def();
    pliant_state     *state = pliant_state_create(model, NULL);
    pliant_inputs    *inputs = pliant_inputs_create(model, NULL);
    for (int measure = 0; measure < 2; measure++) {
        def.measure = measure;
        pliant_solver *k = pliant_solver_create(model, &def, NULL);
        assert_int_equal(pliant_solver_force(k, (pliant_constraint){1}, force), 0); /* before any step */
        assert_int_equal(pliant_solver_contacts(k, NULL, 0), 0);
        assert_false(pliant_solver_divergence(k).diverged);
        assert_int_equal(pliant_solver_statistics(k).substeps, 0);
        sample_frames(NULL, k, state, inputs, 0, 1);
        assert_int_equal(pliant_solver_force(k, (pliant_constraint){1}, force), measure);
        assert_int_equal(pliant_solver_force(k, (pliant_constraint){0}, force), 0);
        assert_int_equal(pliant_solver_force(k, (pliant_constraint){100000}, force), 0);
        assert_int_equal(pliant_solver_force(k, (pliant_constraint){UINT32_MAX}, force), 0);
        assert_int_equal(pliant_solver_force(k, (pliant_constraint){1}, NULL), 0);
        pliant_solver_destroy(k);
    }
    assert_null(pliant_stage_name((pliant_stage)PLIANT_STAGE_COUNT));
    assert_null(pliant_stage_name((pliant_stage)-1));
    assert_null(pliant_constraint_describe(PLIANT_CONSTRAINT_COUNT));
    assert_null(pliant_constraint_describe((pliant_constraint_kind)-1));
    assert_null(pliant_constraint_find("nothing"));
    assert_null(pliant_constraint_find(NULL));
    assert_non_null(pliant_code_name((pliant_code)1000));
    assert_non_null(pliant_code_name((pliant_code)-1));
    pliant_solver_destroy(NULL);
    pliant_inputs_destroy(NULL);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
}

static void a_bad_evaluation_is_refused(void **unused)
{
    (void)unused;
    pliant_eval_input  in = {0};
    pliant_eval_output out;
    in.law = pliant_law_default();
    for (int i = 0; i < 3; i++) {
        in.dt = (const pliant_real[]){0, -1, NOT_A_NUMBER}[i];
        assert_int_equal(pliant_constraint_eval(PLIANT_CONSTRAINT_DISTANCE, &in, &out), PLIANT_ERROR_ARGUMENT);
    }
    in.dt = 1;
    assert_int_equal(pliant_constraint_eval(PLIANT_CONSTRAINT_DISTANCE, &in, &out), PLIANT_OK);
    assert_int_equal(pliant_constraint_eval(PLIANT_CONSTRAINT_COUNT, &in, &out), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_constraint_eval((pliant_constraint_kind)-1, &in, &out), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_constraint_eval(PLIANT_CONSTRAINT_DISTANCE, NULL, &out), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_constraint_eval(PLIANT_CONSTRAINT_DISTANCE, &in, NULL), PLIANT_ERROR_ARGUMENT);
}

/* A handle that is NULL: an error or nothing, and no crash. */
static void no_solver_and_no_inputs_are_harmless(void **unused)
{
    (void)unused;
    const pliant_vec3 zero = {0, 0, 0};
    const pliant_pose pose = pliant_pose_identity();
    const pliant_law  law = pliant_law_default();
    pliant_real       force[PLIANT_MAX_ROWS];
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    assert_null(pliant_solver_create(NULL, NULL, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    error.code = PLIANT_OK;
    assert_null(pliant_inputs_create(NULL, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_reset(NULL, DT), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_targets(NULL, (pliant_body){1}, &zero, sizeof zero), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_collider(NULL, (pliant_collider){1}, &pose), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_grab(NULL, (pliant_body){1}, 0, zero, 0), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_gravity(NULL, zero), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_force(NULL, (pliant_force){1}, zero), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_substeps(NULL, 1, 1), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_law(NULL, 0, &law), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_solver_width(NULL), 0);
    assert_int_equal(pliant_solver_threads(NULL), 0);
    assert_int_equal(pliant_solver_statistics(NULL).substeps, 0);
    assert_false(pliant_solver_divergence(NULL).diverged);
    assert_int_equal(pliant_solver_contacts(NULL, NULL, 0), 0);
    assert_int_equal(pliant_solver_force(NULL, (pliant_constraint){1}, force), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_threads_hosts_and_new_solvers_change_no_bit),
        cmocka_unit_test(nor_on_any_scene_file),
        cmocka_unit_test(denormals_do_occur_in_their_scene),
        cmocka_unit_test(measuring_changes_no_state_and_itself_depends_on_nothing),
        cmocka_unit_test(inputs_said_in_an_odd_environment_are_the_same),
        cmocka_unit_test(the_samples_do_what_they_are_for),
        cmocka_unit_test(warm_steps_allocate_nothing),
        cmocka_unit_test(nor_when_inputs_change_iterations_and_laws_later),
        cmocka_unit_test(nor_do_many_states_at_once),
        cmocka_unit_test(lean_solvers_make_room_when_inputs_ask_for_more),
        cmocka_unit_test(a_users_distance_is_the_built_in_one),
        cmocka_unit_test(six_rows_are_solved_as_one_block),
        cmocka_unit_test(one_sided_rows_push_and_never_pull),
        cmocka_unit_test(at_most_is_the_mirror_of_at_least),
        cmocka_unit_test(a_missing_function_is_refused),
        cmocka_unit_test(a_hanging_mass_pulls_with_its_weight),
        cmocka_unit_test(an_inactive_constraint_does_nothing),
        cmocka_unit_test(residuals_are_what_direct_evaluation_gives),
        cmocka_unit_test(a_springs_residual_counts_its_multiplier),
        cmocka_unit_test(particles_that_rest_on_the_floor_are_in_contact_with_their_weight),
        cmocka_unit_test(contacts_are_counted_as_they_are_listed),
        cmocka_unit_test(the_largest_speed_is_that_at_the_end),
        cmocka_unit_test(a_grab_is_a_spring_to_a_place),
        cmocka_unit_test(a_law_in_the_inputs_acts_like_the_same_law_in_the_scene),
        cmocka_unit_test(a_reset_forgets_everything),
        cmocka_unit_test(a_nan_stops_the_run_in_its_step_and_is_named),
        cmocka_unit_test(a_runaway_speed_stops_the_run_and_is_named),
        cmocka_unit_test(a_good_step_after_a_bad_one_has_no_divergence),
        cmocka_unit_test(a_diverged_state_is_the_same_everywhere),
        cmocka_unit_test(restoring_puts_back_one_body_and_no_other),
        cmocka_unit_test(a_body_restored_in_every_substep_counts_once),
        cmocka_unit_test(a_restored_body_is_at_rest_even_on_a_bouncing_floor),
        cmocka_unit_test(a_runaway_bounce_is_noticed_in_its_step),
        cmocka_unit_test(bad_solver_defs_are_refused),
        cmocka_unit_test(every_width_is_made_or_refused_as_the_build_says),
        cmocka_unit_test(bad_inputs_are_refused_and_change_nothing),
        cmocka_unit_test(strangers_do_not_step_together),
        cmocka_unit_test(questions_about_nothing_have_harmless_answers),
        cmocka_unit_test(a_bad_evaluation_is_refused),
        cmocka_unit_test(no_solver_and_no_inputs_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
