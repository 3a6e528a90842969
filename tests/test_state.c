/* The state: nothing else is needed to go on bit for bit; it is carried over edits of the scene; pins come and go; what is written out is
 * in the user's order; bad arguments. */
#include "sample_scenes.h"

#include "base/vec.h"
#include "state/state.h"

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

/* A model with what it takes to run it. */
typedef struct rig {
    const sample  *which;
    pliant_model  *model;
    pliant_state  *state;
    pliant_inputs *inputs;
    pliant_solver *solver;
} rig;

static rig rig_of(const sample *which, pliant_model *model)
{
    pliant_solver_def def = sample_solver_def();
    rig               r = {which, model, pliant_state_create(model, NULL), pliant_inputs_create(model, NULL), NULL};
    r.solver = pliant_solver_create(model, &def, NULL);
    assert_true(r.state && r.inputs && r.solver);
    return r;
}

static rig rig_named(const char *name) { return rig_of(sample_named(name), sample_model(sample_named(name))); }

static void rig_run(rig *r, uint32_t first, uint32_t count) { sample_frames(r->which, r->solver, r->state, r->inputs, first, count); }

static void rig_end(rig *r)
{
    pliant_solver_destroy(r->solver);
    pliant_inputs_destroy(r->inputs);
    pliant_state_destroy(r->state);
    pliant_model_destroy(r->model);
}

static pliant_vec3 position(const pliant_state *state, pliant_body body, uint32_t vertex)
{
    pliant_vec3 x = {0, 0, 0};
    assert_int_equal(pliant_state_positions(state, body, vertex, 1, &x), PLIANT_OK);
    return x;
}

static pliant_vec3 velocity(const pliant_state *state, pliant_body body, uint32_t vertex)
{
    pliant_vec3 v = {0, 0, 0};
    assert_int_equal(pliant_state_velocities(state, body, vertex, 1, &v), PLIANT_OK);
    return v;
}

/* ---- going on ---- */

/* On every sample and at every frame k: a copy, taken at k, into another state and gone on with by another solver. */
static void a_copy_goes_on_like_the_original(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++)
        for (uint32_t k = 0; k <= samples[i].frames; k++) {
            rig            straight = rig_named(samples[i].name), copy = rig_of(straight.which, sample_model(straight.which));
            const uint32_t rest = samples[i].frames - k;
            rig_run(&straight, 0, k);
            assert_int_equal(pliant_state_copy(copy.state, straight.state), PLIANT_OK);
            assert_int_equal(pliant_state_hash(copy.state), pliant_state_hash(straight.state));
            rig_run(&straight, k, rest);
            rig_run(&copy, k, rest);
            assert_int_equal(pliant_state_hash(copy.state), pliant_state_hash(straight.state));
            assert_true(pliant_state_time(copy.state) == samples[i].frames * DT);
            assert_int_equal(pliant_state_steps(copy.state), samples[i].frames);
            rig_end(&copy);
            rig_end(&straight);
        }
}

/* Roll back: a ring of saved states, played again with the same inputs. */
static void rolling_back_and_replaying_gives_the_same(void **unused)
{
    (void)unused;
    rig           r = rig_named("curtain");
    pliant_state *saved = pliant_state_create(r.model, NULL);
    rig_run(&r, 0, 3);
    assert_int_equal(pliant_state_copy(saved, r.state), PLIANT_OK);
    rig_run(&r, 3, 5);
    const uint64_t hash = pliant_state_hash(r.state);
    assert_int_equal(pliant_state_copy(r.state, saved), PLIANT_OK);
    rig_run(&r, 3, 5);
    assert_int_equal(pliant_state_hash(r.state), hash);
    pliant_state_reset(r.state);
    rig_run(&r, 0, 8);
    assert_int_equal(pliant_state_hash(r.state), hash);
    assert_int_equal(pliant_state_copy(r.state, r.state), PLIANT_OK);
    assert_int_equal(pliant_state_hash(r.state), hash);
    pliant_state_destroy(saved);
    rig_end(&r);
}

static void saved_bytes_load_into_the_same_state(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++) {
        rig    r = rig_named(samples[i].name), other = rig_of(r.which, sample_model(r.which));
        size_t size = 0;
        rig_run(&r, 0, 3);
        const void *data = pliant_state_data(r.state, &size);
        assert_int_equal(size, pliant_model_state_size(r.model));
        unsigned char *bytes = malloc(size + 1); /* of any alignment */
        memcpy(bytes + 1, data, size);
        assert_int_equal(pliant_state_load(other.state, bytes + 1, size, NULL), PLIANT_OK);
        assert_int_equal(pliant_state_hash(other.state), pliant_state_hash(r.state));
        free(bytes);
        rig_run(&r, 3, 2);
        rig_run(&other, 3, 2);
        assert_int_equal(pliant_state_hash(other.state), pliant_state_hash(r.state));
        rig_end(&other);
        rig_end(&r);
    }
}

static void refuses_load(pliant_state *state, const void *data, size_t size)
{
    pliant_error   error = {PLIANT_OK, 0, "", ""};
    const uint64_t before = pliant_state_hash(state);
    assert_int_equal(pliant_state_load(state, data, size, &error), PLIANT_ERROR_INPUT);
    assert_int_equal(error.code, PLIANT_ERROR_INPUT);
    assert_true(strlen(error.message) > 10);
    assert_int_equal(pliant_state_hash(state), before);
}

static void bytes_that_are_not_this_models_state_are_refused(void **unused)
{
    (void)unused;
    rig    r = rig_named("jelly"), other = rig_named("odds");
    size_t size = 0;
    rig_run(&r, 0, 1);
    const void    *data = pliant_state_data(r.state, &size);
    unsigned char *bytes = malloc(size + 64);
    memcpy(bytes, data, size);
    memset(bytes + size, 0, 64);
    pliant_state_reset(r.state);
    for (size_t cut = 0; cut < size; cut += cut < 200 ? 1 : 997) {
        unsigned char *exact = malloc(cut ? cut : 1); /* so that reading past it is caught */
        memcpy(exact, bytes, cut);
        refuses_load(r.state, exact, cut);
        free(exact);
    }
    refuses_load(r.state, bytes, size - 1);
    refuses_load(r.state, bytes, size + 1);
    refuses_load(r.state, bytes, size + 64);
    refuses_load(r.state, NULL, size);
    refuses_load(other.state, bytes, size);
    for (int bit = 0; bit < 24 * 8; bit++) { /* magic, model, size */
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        refuses_load(r.state, bytes, size);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    assert_int_equal(pliant_state_load(r.state, bytes, size, NULL), PLIANT_OK);
    assert_int_equal(pliant_state_copy(r.state, other.state), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_copy(other.state, r.state), PLIANT_ERROR_ARGUMENT);
    free(bytes);
    rig_end(&other);
    rig_end(&r);
}

/* What counts is in the hash, and what is in the hash is read back. */
static void bytes_with_a_nan_in_them_are_refused(void **unused)
{
    (void)unused;
    rig    r = rig_named("jelly");
    size_t size = 0;
    rig_run(&r, 0, 1);
    const unsigned char *data = pliant_state_data(r.state, &size);
    unsigned char       *bytes = malloc(size);
    memcpy(bytes, data, size);
    const pliant_real bad[2] = {NOT_A_NUMBER, INFINITE};
    const size_t      at[4] = {(size_t)((unsigned char *)r.state->x - data), (size_t)((unsigned char *)r.state->v - data),
                               (size_t)((unsigned char *)&r.state->x[4 * r.model->header->slot_count - 1] - data),
                               (size_t)((unsigned char *)&r.state->v[4 * r.model->header->slot_count - 2] - data)};
    pliant_state_reset(r.state);
    for (int i = 0; i < 8; i++) {
        pliant_real before;
        memcpy(&before, bytes + at[i / 2], sizeof before);
        memcpy(bytes + at[i / 2], &bad[i % 2], sizeof before);
        refuses_load(r.state, bytes, size);
        memcpy(bytes + at[i / 2], &before, sizeof before);
    }
    assert_int_equal(pliant_state_load(r.state, bytes, size, NULL), PLIANT_OK);
    free(bytes);
    rig_end(&r);
}

static void the_hash_sees_every_change(void **unused)
{
    (void)unused;
    rig               r = rig_named("curtain");
    const pliant_body body = {1};
    const pliant_vec3 moved = {1, 2, 3};
    uint64_t          seen[6] = {pliant_state_hash(r.state)};
    assert_int_equal(pliant_state_set_positions(r.state, body, 7, 1, &moved), PLIANT_OK);
    seen[1] = pliant_state_hash(r.state);
    assert_int_equal(pliant_state_set_velocities(r.state, body, 7, 1, &moved), PLIANT_OK);
    seen[2] = pliant_state_hash(r.state);
    assert_int_equal(pliant_state_set_pinned(r.state, body, 36, false), PLIANT_OK);
    seen[3] = pliant_state_hash(r.state);
    assert_int_equal(pliant_state_set_active(r.state, (pliant_constraint){5}, false), PLIANT_OK);
    seen[4] = pliant_state_hash(r.state);
    rig_run(&r, 0, 1);
    seen[5] = pliant_state_hash(r.state);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < i; k++) assert_true(seen[i] != seen[k]);
    rig_end(&r);
}

/* ---- recompiling ---- */

#define CHAIN 6

static pliant_body add_chain(pliant_scene *scene, const char *name, double x, bool hang)
{
    pliant_vec3          at[CHAIN];
    pliant_particles_def def = pliant_particles_def_default();
    const uint32_t       pins[2] = {0, CHAIN - 1};
    strcpy(def.body.name, name);
    for (int i = 0; i < CHAIN; i++) at[i] = v3(R(x), 2, R(i) / 4);
    def.positions = at;
    def.count = CHAIN;
    pliant_body body = pliant_scene_add_particles(scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    if (hang) assert_int_equal(pliant_scene_pin(scene, body, pins, 2, true, NULL), PLIANT_OK);
    for (uint32_t i = 0; i + 1 < CHAIN; i++) {
        pliant_constraint_def c = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
        c.particles[0] = (pliant_particle){body, i};
        c.particles[1] = (pliant_particle){body, i + 1};
        c.measure = true;
        assert_int_not_equal(pliant_scene_add_constraint(scene, &c, NULL).id, 0);
    }
    return body;
}

static void same_body(const pliant_state *a, const pliant_state *b, pliant_body body, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        pliant_vec3 p = position(a, body, i), q = position(b, body, i), v = velocity(a, body, i), u = velocity(b, body, i);
        assert_memory_equal(&p, &q, sizeof p);
        assert_memory_equal(&v, &u, sizeof v);
        assert_int_equal(pliant_state_pinned(a, body, i), pliant_state_pinned(b, body, i));
    }
}

static void recompiling_carries_bodies_pins_time_and_active_bits(void **unused)
{
    (void)unused;
    pliant_scene *scene = pliant_scene_create(NULL, NULL);
    pliant_body   a = add_chain(scene, "a", 0, true), b = add_chain(scene, "b", 1, true), c = add_chain(scene, "c", 2, true);
    pliant_scene_add_sphere(scene, R(0.1), pliant_pose_identity(), NULL);
    const pliant_constraint off = {7}; /* of b */
    rig                     r = rig_of(NULL, pliant_scene_compile(scene, NULL));
    const pliant_pose       pose = {{5, 5, 5}, {0, 0, 0, 1}};
    assert_int_equal(pliant_inputs_reset(r.inputs, DT), PLIANT_OK);
    assert_int_equal(pliant_inputs_collider(r.inputs, (pliant_collider){1}, &pose), PLIANT_OK);
    assert_int_equal(pliant_solver_step(r.solver, r.state, r.inputs), PLIANT_OK);
    assert_int_equal(pliant_state_set_pinned(r.state, b, 0, false), PLIANT_OK);
    assert_int_equal(pliant_state_set_active(r.state, off, false), PLIANT_OK);
    rig_run(&r, 0, 9);

    assert_int_equal(pliant_scene_remove_body(scene, a), PLIANT_OK);
    pliant_body   d = add_chain(scene, "d", 3, false);
    pliant_state *state = NULL;
    pliant_model *model = pliant_scene_recompile(scene, r.state, &state, NULL);
    assert_non_null(model);
    assert_ptr_equal(pliant_state_model(state), model);
    assert_int_equal(pliant_model_body(model, a).vertex_count, 0);
    same_body(r.state, state, b, CHAIN);
    same_body(r.state, state, c, CHAIN);
    assert_false(pliant_state_pinned(state, b, 0));
    assert_true(pliant_state_pinned(state, b, CHAIN - 1));
    assert_true(velocity(state, b, 1).y < -1); /* else nothing was carried */
    assert_true(position(state, d, 0).y == 2 && velocity(state, d, 0).y == 0);
    assert_false(pliant_state_active(state, off));
    for (uint32_t id = CHAIN; id <= 4 * (CHAIN - 1); id++)
        assert_int_equal(pliant_state_active(state, (pliant_constraint){id}), id != off.id);
    assert_true(pliant_state_time(state) == 10 * DT);
    assert_int_equal(pliant_state_steps(state), 10);
    assert_true(pliant_state_collider_pose(state, (pliant_collider){1}).position.x == 5);

    /* Bodies that touch no other go on exactly as they would have without the edit. */
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_solver *solver = pliant_solver_create(model, NULL, NULL);
    rig_run(&r, 0, 20);
    sample_frames(NULL, solver, state, inputs, 0, 20);
    same_body(r.state, state, b, CHAIN);
    same_body(r.state, state, c, CHAIN);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    rig_end(&r);
}

/* Recompiling the unchanged scene is going on, on every sample. */
static void recompiling_an_unedited_scene_changes_nothing(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++) {
        pliant_scene *scene = samples[i].build(NULL);
        rig           r = rig_of(&samples[i], pliant_scene_compile(scene, NULL)), next = r;
        rig_run(&r, 0, 4);
        next.model = pliant_scene_recompile(scene, r.state, &next.state, NULL);
        assert_non_null(next.model);
        assert_int_equal(pliant_model_hash(next.model), pliant_model_hash(r.model));
        assert_int_equal(pliant_state_hash(next.state), pliant_state_hash(r.state));
        pliant_state_destroy(next.state);
        pliant_model_destroy(next.model);
        pliant_scene_destroy(scene);
        rig_end(&r);
    }
}

static void recompiling_takes_another_material_and_new_constraints(void **unused)
{
    (void)unused;
    pliant_scene   *scene = pliant_scene_create(NULL, NULL);
    pliant_rope_def def = pliant_rope_def_default();
    const uint32_t  pin = 0;
    def.segments = 8;
    def.bend = false;
    def.from = v3(0, 0, 0);
    def.to = v3(2, 0, 0);
    def.material.density = 1;
    pliant_body body = pliant_scene_add_rope(scene, &def, NULL);
    assert_int_equal(pliant_scene_pin(scene, body, &pin, 1, true, NULL), PLIANT_OK);
    rig r = rig_of(NULL, pliant_scene_compile(scene, NULL));
    rig_run(&r, 0, 20);

    pliant_material       soft = def.material;
    pliant_constraint_def link = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
    soft.density = 2;
    soft.stretch.compliance = R(1e-3);
    assert_int_equal(pliant_scene_set_material(scene, body, &soft, NULL), PLIANT_OK);
    link.particles[0] = (pliant_particle){body, 0};
    link.particles[1] = (pliant_particle){body, 8};
    link.parameters[0] = R(0.5);
    const pliant_constraint added = pliant_scene_add_constraint(scene, &link, NULL);
    pliant_state           *state = NULL;
    pliant_model           *model = pliant_scene_recompile(scene, r.state, &state, NULL);
    pliant_real             w[9], w_before[9];
    same_body(r.state, state, body, 9);
    assert_int_equal(pliant_state_inverse_masses(state, body, 0, 9, w), PLIANT_OK);
    assert_int_equal(pliant_state_inverse_masses(r.state, body, 0, 9, w_before), PLIANT_OK);
    assert_true(w[0] == 0);
    for (int i = 1; i < 9; i++) near((double)w[i] * 2, (double)w_before[i], 4 * (double)w[i] * EPSILON);
    assert_true(pliant_state_active(state, added));
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_solver *solver = pliant_solver_create(model, NULL, NULL);
    sample_frames(NULL, solver, state, inputs, 0, 10);
    near((double)v3_length(v3_sub(position(state, body, 0), position(state, body, 8))), 0.5, 0.05);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    rig_end(&r);
}

/* The tether of a particle of the rope, by where it acts: its id is behind those of the scene's constraints. */
static pliant_constraint tether_of(const pliant_model *model, uint32_t vertex)
{
    for (uint32_t i = 0; i < pliant_model_solved_count(model); i++) {
        const pliant_solved_constraint c = pliant_model_solved(model, i);
        if (c.kind == PLIANT_CONSTRAINT_TETHER && c.particles[0].vertex == vertex) return c.constraint;
    }
    fail_msg("no tether at %u", vertex);
    return (pliant_constraint){0};
}

static void a_tether_that_was_cut_stays_cut_when_constraints_are_added(void **unused)
{
    (void)unused;
    pliant_scene   *scene = pliant_scene_create(NULL, NULL);
    pliant_rope_def def = pliant_rope_def_default();
    const uint32_t  pin = 0;
    def.segments = 8;
    def.tether = 1;
    pliant_body body = pliant_scene_add_rope(scene, &def, NULL);
    assert_int_equal(pliant_scene_pin(scene, body, &pin, 1, false, NULL), PLIANT_OK);
    rig r = rig_of(NULL, pliant_scene_compile(scene, NULL));
    assert_int_equal(pliant_state_set_active(r.state, tether_of(r.model, 3), false), PLIANT_OK);
    pliant_constraint_def link = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
    link.particles[0] = (pliant_particle){body, 1};
    link.measure = true;
    uint32_t added[5];
    for (uint32_t i = 0; i < 5; i++) {
        link.particles[1] = (pliant_particle){body, 3 + i};
        added[i] = pliant_scene_add_constraint(scene, &link, NULL).id;
    }
    pliant_state *state = NULL;
    pliant_model *model = pliant_scene_recompile(scene, r.state, &state, NULL);
    bool          new_ones = true, others = true;
    for (uint32_t i = 0; i < 5; i++) new_ones = new_ones && pliant_state_active(state, (pliant_constraint){added[i]});
    for (uint32_t v = 1; v <= 8; v++) others = others && (v == 3 || pliant_state_active(state, tether_of(model, v)));
    const bool cut = !pliant_state_active(state, tether_of(model, 3));
    pliant_state_destroy(state);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    rig_end(&r);
    if (!new_ones) print_error("a new constraint is off\n");
    if (!cut) print_error("the tether is on again\n");
    assert_true(cut && new_ones && others);
}

static void a_bad_recompile_leaves_nothing(void **unused)
{
    (void)unused;
    pliant_error  error = {PLIANT_OK, 0, "", ""};
    pliant_scene *scene = sample_named("jelly")->build(NULL);
    rig           r = rig_named("jelly");
    pliant_state *state = r.state;
    assert_null(pliant_scene_recompile(scene, NULL, &state, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_null(state);
    error.code = PLIANT_OK;
    assert_null(pliant_scene_recompile(scene, r.state, NULL, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    /* A state of quite another scene: whatever fits is carried, and it runs. */
    rig           other = rig_named("odds");
    pliant_model *model = pliant_scene_recompile(scene, other.state, &state, &error);
    assert_non_null(model);
    rig_run(&other, 0, 1);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    rig_end(&other);
    rig_end(&r);
}

/* ---- pins ---- */

/* A chain between two releasable pins, one of which lets go: neighbours fall, the rest hangs, lengths hold; pinned again, it stays. */
static void a_released_pin_falls_and_is_caught_again(void **unused)
{
    (void)unused;
    pliant_scene *scene = pliant_scene_create(NULL, NULL);
    pliant_body   body = add_chain(scene, "chain", 0, true);
    rig           r = rig_of(NULL, pliant_scene_compile(scene, NULL));
    pliant_vec3   last = position(r.state, body, CHAIN - 1);
    rig_run(&r, 0, 10);
    assert_true(v3_length(v3_sub(position(r.state, body, CHAIN - 1), last)) == 0);
    assert_true(pliant_state_pinned(r.state, body, CHAIN - 1));
    const double neighbour = (double)position(r.state, body, CHAIN - 2).y;
    assert_int_equal(pliant_state_set_pinned(r.state, body, CHAIN - 1, false), PLIANT_OK);
    assert_false(pliant_state_pinned(r.state, body, CHAIN - 1));
    pliant_real w = 0;
    assert_int_equal(pliant_state_inverse_masses(r.state, body, CHAIN - 1, 1, &w), PLIANT_OK);
    assert_true(w == 1);
    rig_run(&r, 0, 10);
    assert_true((double)position(r.state, body, CHAIN - 1).y < 2 - 0.05);
    assert_true((double)position(r.state, body, CHAIN - 2).y < neighbour - 0.05);
    assert_true(position(r.state, body, 0).y == 2);
    assert_true(fabs(pliant_state_strain(r.state).largest) < 0.02);
    assert_int_equal(pliant_state_set_pinned(r.state, body, CHAIN - 1, true), PLIANT_OK);
    last = position(r.state, body, CHAIN - 1);
    assert_true(v3_length(velocity(r.state, body, CHAIN - 1)) == 0);
    rig_run(&r, 0, 10);
    assert_true(v3_length(v3_sub(position(r.state, body, CHAIN - 1), last)) == 0);
    pliant_scene_destroy(scene);
    rig_end(&r);
}

/* What was released is as free as what never was pinned: from the same start both runs are equal bit for bit. */
static void a_released_pin_is_like_a_vertex_that_never_was_pinned(void **unused)
{
    (void)unused;
    pliant_scene *a = pliant_scene_create(NULL, NULL), *b = pliant_scene_create(NULL, NULL);
    pliant_body   body = add_chain(a, "chain", 0, true);
    add_chain(b, "chain", 0, false);
    rig released = rig_of(NULL, pliant_scene_compile(a, NULL)), never = rig_of(NULL, pliant_scene_compile(b, NULL));
    assert_int_equal(pliant_model_wave_count(released.model), pliant_model_wave_count(never.model)); /* colours take it as one that moves */
    for (uint32_t v = 0; v < CHAIN; v += CHAIN - 1) assert_int_equal(pliant_state_set_pinned(released.state, body, v, false), PLIANT_OK);
    const pliant_vec3 push = {1, 2, 3};
    assert_int_equal(pliant_state_set_velocities(released.state, body, 2, 1, &push), PLIANT_OK);
    assert_int_equal(pliant_state_set_velocities(never.state, body, 2, 1, &push), PLIANT_OK);
    rig_run(&released, 0, 30);
    rig_run(&never, 0, 30);
    same_body(released.state, never.state, body, CHAIN);
    pliant_scene_destroy(a);
    pliant_scene_destroy(b);
    rig_end(&released);
    rig_end(&never);
}

static void only_releasable_pins_can_be_released(void **unused)
{
    (void)unused;
    rig               r = rig_named("curtain");
    const pliant_body body = {1};
    const uint64_t    before = pliant_state_hash(r.state);
    for (int pinned = 0; pinned < 2; pinned++) {
        assert_int_equal(pliant_state_set_pinned(r.state, body, 0, pinned), PLIANT_ERROR_ARGUMENT);   /* for ever */
        assert_int_equal(pliant_state_set_pinned(r.state, body, 1, pinned), PLIANT_ERROR_ARGUMENT);   /* free */
        assert_int_equal(pliant_state_set_pinned(r.state, body, 500, pinned), PLIANT_ERROR_ARGUMENT); /* attached softly: free too */
        assert_int_equal(pliant_state_set_pinned(r.state, body, 1147, pinned), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_set_pinned(r.state, (pliant_body){0}, 0, pinned), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_set_pinned(r.state, (pliant_body){9}, 0, pinned), PLIANT_ERROR_ARGUMENT);
    }
    assert_true(pliant_state_pinned(r.state, body, 0));
    assert_false(pliant_state_pinned(r.state, body, 1));
    assert_true(pliant_state_pinned(r.state, body, 8)); /* attached hard */
    assert_false(pliant_state_pinned(r.state, body, 1147));
    assert_false(pliant_state_pinned(r.state, (pliant_body){9}, 0));
    assert_int_equal(pliant_state_hash(r.state), before);
    for (uint32_t v = 8; v <= 36; v += 28) {
        assert_int_equal(pliant_state_set_pinned(r.state, body, v, false), PLIANT_OK);
        assert_false(pliant_state_pinned(r.state, body, v));
    }
    rig_end(&r);
}

/* While it is attached a vertex is where its target is at the end of the step; released it leaves; attached again it returns. */
static void an_attached_vertex_follows_until_released(void **unused)
{
    (void)unused;
    pliant_scene  *scene = pliant_scene_create(NULL, NULL);
    pliant_body    body = add_chain(scene, "chain", 0, false);
    const uint32_t hook = 0;
    assert_int_equal(pliant_scene_attach(scene, body, &hook, 1, NULL), PLIANT_OK);
    rig r = rig_of(NULL, pliant_scene_compile(scene, NULL));
    for (int frame = 1; frame <= 30; frame++) {
        const pliant_vec3 target = {R(frame) / 16, 3, 0};
        if (frame == 11 || frame == 21) assert_int_equal(pliant_state_set_pinned(r.state, body, 0, frame == 21), PLIANT_OK);
        assert_int_equal(pliant_inputs_reset(r.inputs, DT), PLIANT_OK);
        assert_int_equal(pliant_inputs_targets(r.inputs, body, &target, sizeof target), PLIANT_OK);
        assert_int_equal(pliant_solver_step(r.solver, r.state, r.inputs), PLIANT_OK);
        const bool there = v3_length(v3_sub(position(r.state, body, 0), target)) == 0;
        assert_int_equal(there, frame <= 10 || frame > 20);
        if (frame > 1 && frame <= 10) near((double)velocity(r.state, body, 0).x, 1 / (16 * DT), 1e5 * EPSILON);
    }
    pliant_scene_destroy(scene);
    rig_end(&r);
}

static pliant_collider add_ball(pliant_scene *scene, const double *times, const pliant_pose *poses, size_t count)
{
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    def.key_times = times;
    def.key_poses = poses;
    def.key_count = count;
    return pliant_scene_add_collider(scene, &def, NULL);
}

/* In the model, in a state, through the first substep, and after a recompile: never from where it would be without keys. */
static void a_keyed_collider_begins_where_its_keys_say(void **unused)
{
    (void)unused;
    const double      at_once[2] = {0, 1}, later[2] = {0.5, 1}, before[2] = {-1, 1};
    const pliant_pose poses[2] = {{{10, 2, 3}, {0, 0, 0, 1}}, {{20, 2, 3}, {0, 0, 0, 1}}};
    const double     *times[3] = {at_once, later, before};
    const double      starts[3] = {10, 10, 15};
    pliant_scene     *scene = pliant_scene_create(NULL, NULL);
    pliant_body       body = add_chain(scene, "chain", 0, false); /* about the origin, where no ball comes */
    pliant_collider   ball[3], def_of;
    for (int i = 0; i < 3; i++) ball[i] = add_ball(scene, times[i], poses, 2);
    rig r = rig_of(NULL, pliant_scene_compile(scene, NULL));
    for (int i = 0; i < 3; i++) {
        near((double)pliant_model_collider_at(r.model, (uint32_t)i, &def_of).pose.position.x, starts[i], 0);
        near((double)pliant_state_collider_pose(r.state, ball[i]).position.x, starts[i], 0);
    }
    rig_run(&r, 0, 1);
    assert_int_equal(pliant_solver_contacts(r.solver, NULL, 0), 0);
    near((double)pliant_state_collider_pose(r.state, ball[0]).position.x, 10 + 10 * DT, 20 * EPSILON);
    assert_true(position(r.state, body, 1).x < 8);

    pliant_collider late = add_ball(scene, at_once, poses, 2);
    pliant_state   *state = NULL;
    pliant_model   *model = pliant_scene_recompile(scene, r.state, &state, NULL);
    assert_non_null(model);
    near((double)pliant_state_collider_pose(state, late).position.x, 10 + 10 * DT, 20 * EPSILON);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    rig_end(&r);
}

/* A soft one does; a hard one is its vertex, which the body has placed, and is there after the first step. */
static void a_keyed_target_begins_where_its_keys_say_if_it_is_soft(void **unused)
{
    (void)unused;
    pliant_scene     *scene = pliant_scene_create(NULL, NULL);
    pliant_body       body = add_chain(scene, "chain", 0, false);
    const pliant_law  law = pliant_law_default();
    const uint32_t    first = 0, second = 1;
    const double      time = 0;
    const pliant_vec3 there = {0, 7, 0};
    assert_int_equal(pliant_scene_attach(scene, body, &first, 1, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_attach_soft(scene, body, &second, 1, &law, NULL, NULL), PLIANT_OK);
    for (uint32_t i = 0; i < 2; i++) assert_int_equal(pliant_scene_key_targets(scene, body, i, 1, &time, 1, &there, NULL), PLIANT_OK);
    rig                  r = rig_of(NULL, pliant_scene_compile(scene, NULL));
    const pliant__batch *b = NULL;
    uint32_t             slot[PLIANT_MAX_SLOTS] = {0};
    const pliant_vec3    placed = position(r.state, body, 0);
    assert_true(placed.y < 7);
    for (size_t i = 0; i < model_count(r.model, batches); i++)
        if (r.model->batches[i].kind == PLIANT_CONSTRAINT_ATTACHMENT) b = &r.model->batches[i];
    assert_non_null(b);
    pliant__row_slots(r.model, b, 0, 2, slot);
    near((double)r.state->x[4 * (size_t)slot[1] + 1], 7, 0);
    rig_run(&r, 0, 1);
    near((double)position(r.state, body, 0).y, 7, 0);
    pliant_scene_destroy(scene);
    rig_end(&r);
}

/* ---- what is written out ---- */

/* A strip of two quads with a doubled middle edge, so that it must be welded; vertices shuffled, bent at the seam. */
static const pliant_vec3 strip[8] = {{2, 1, 1}, {1, 0, 0}, {0, 0, 0}, {1, 0, 1}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}, {2, 1, 0}};
static const uint32_t    strip_triangles[12] = {2, 5, 1, 5, 3, 1, 4, 6, 7, 6, 0, 7};

typedef struct vertex {
    double      before;
    pliant_real x[6];
    double      after;
} vertex;

static void positions_come_in_the_users_order_and_seams_are_smooth(void **unused)
{
    (void)unused;
    pliant_scene    *scene = pliant_scene_create(NULL, NULL);
    pliant_cloth_def def = pliant_cloth_def_default();
    def.mesh = pliant_mesh_view_of(strip, sizeof *strip, 8, strip_triangles, 4);
    pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    rig         r = rig_of(NULL, pliant_scene_compile(scene, NULL));
    vertex      out[8];
    assert_int_equal(pliant_model_body(r.model, body).particle_count, 6);
    assert_int_equal(pliant_model_body(r.model, body).surface_vertex_count, 8);
    for (int i = 0; i < 8; i++) out[i].before = out[i].after = 7;
    /* The six numbers lie 8 bytes into each vertex: whatever else is there stays. */
    assert_int_equal(pliant_state_write_vertices(r.state, body, &out[0].x, sizeof *out), PLIANT_OK);
    for (int i = 0; i < 8; i++) {
        const pliant_real *x = out[i].x, expected[3] = {strip[i].x, strip[i].y, strip[i].z};
        assert_memory_equal(x, expected, sizeof expected);
        assert_true(out[i].before == 7 && out[i].after == 7);
        near(sqrt((double)x[3] * (double)x[3] + (double)x[4] * (double)x[4] + (double)x[5] * (double)x[5]), 1, 4 * EPSILON);
        near((double)x[5], 0, 4 * EPSILON);
    }
    for (int k = 3; k < 6; k++) {
        assert_true(out[1].x[k] == out[4].x[k] && out[3].x[k] == out[6].x[k]); /* both sides of the seam */
        near((double)out[2].x[k], k == 4 ? 1 : 0, 4 * EPSILON);
    }
    near((double)out[0].x[3], -sqrt(0.5), 4 * EPSILON);
    near((double)out[0].x[4], sqrt(0.5), 4 * EPSILON);
    /* Area-weighted at the seam: vertex 1 has both triangles of the flat quad and one of the other; normals (0, 1, 0) and (-1, 1, 0). */
    near((double)out[1].x[3], -1 / sqrt(1.0 + 9.0), 4 * EPSILON);
    near((double)out[1].x[4], 3 / sqrt(1.0 + 9.0), 4 * EPSILON);
    assert_int_equal(pliant_state_write_positions(r.state, body, &out[0].x, sizeof *out), PLIANT_OK);
    for (int i = 0; i < 8; i++) assert_memory_equal(out[i].x, &strip[i], sizeof *strip);
    pliant_scene_destroy(scene);
    rig_end(&r);
}

/* Every vertex of a renumbered mesh: a shuffled grid is written back as it came, and after moving one, that one has moved. */
static void shuffled_meshes_keep_their_order(void **unused)
{
    (void)unused;
    enum { N = 20, COUNT = N * N };
    pliant_vec3 x[COUNT], out[COUNT], v[COUNT];
    uint32_t    place[COUNT], triangles[6 * (N - 1) * (N - 1)], count = 0, random = 7;
    for (uint32_t i = 0; i < COUNT; i++) place[i] = i;
    for (uint32_t i = COUNT; i > 1; i--) {
        uint32_t k = ((random = random * 1664525u + 1013904223u) >> 8) % i, swap = place[i - 1];
        place[i - 1] = place[k];
        place[k] = swap;
    }
    for (uint32_t i = 0; i < COUNT; i++) x[place[i]] = v3(R(i % N), 0, R(i / N));
    for (uint32_t j = 0; j + 1 < N; j++)
        for (uint32_t i = 0; i + 1 < N; i++) {
            const uint32_t c[4] = {j * N + i, (j + 1) * N + i, (j + 1) * N + i + 1, j * N + i + 1};
            const int      corners[6] = {0, 1, 2, 0, 2, 3};
            for (int k = 0; k < 6; k++) triangles[count++] = place[c[corners[k]]];
        }
    pliant_scene    *scene = pliant_scene_create(NULL, NULL);
    pliant_cloth_def def = pliant_cloth_def_default();
    def.mesh = pliant_mesh_view_of(x, sizeof *x, COUNT, triangles, count / 3);
    pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    rig         r = rig_of(NULL, pliant_scene_compile(scene, NULL));
    assert_int_equal(pliant_state_write_positions(r.state, body, out, sizeof *out), PLIANT_OK);
    assert_memory_equal(out, x, sizeof x);
    assert_int_equal(pliant_state_positions(r.state, body, 0, COUNT, out), PLIANT_OK);
    assert_memory_equal(out, x, sizeof x);
    for (uint32_t i = 0; i < COUNT; i++) v[i] = v3(0, R(i) / COUNT, 0);
    assert_int_equal(pliant_state_set_positions(r.state, body, 100, 50, x + 200), PLIANT_OK);
    assert_int_equal(pliant_state_set_velocities(r.state, body, 0, COUNT, v), PLIANT_OK);
    memcpy(x + 100, x + 200, 50 * sizeof *x);
    assert_int_equal(pliant_state_write_positions(r.state, body, out, sizeof *out), PLIANT_OK);
    assert_memory_equal(out, x, sizeof x);
    assert_int_equal(pliant_state_velocities(r.state, body, 0, COUNT, out), PLIANT_OK);
    assert_memory_equal(out, v, sizeof v);
    pliant_scene_destroy(scene);
    rig_end(&r);
}

/* A quaternion's rotation by hand, and the visual surface of a cage that was rotated by it. */
static void a_visual_surface_follows_its_cage(void **unused)
{
    (void)unused;
    const pliant_vec3 skin[5] = {{R(-0.2), R(-0.2), R(-0.2)}, {R(0.25), 0, 0}, {0, R(0.25), 0}, {0, 0, R(0.3)}, {R(0.55), 0, 0}};
    const uint32_t    faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const pliant_quat q = {R(0.5), R(0.5), R(0.5), R(0.5)}; /* x to y to z to x */
    pliant_scene     *scene = pliant_scene_create(NULL, NULL);
    pliant_soft_def   def = pliant_soft_def_default();
    def.cells[0] = def.cells[1] = def.cells[2] = 3;
    def.visual = pliant_mesh_view_of(skin, sizeof *skin, 5, faces, 4);
    pliant_body body = pliant_scene_add_soft(scene, &def, NULL);
    rig         r = rig_of(NULL, pliant_scene_compile(scene, NULL));
    pliant_vec3 cage[64], before[10], after[10];
    assert_int_equal(pliant_model_body(r.model, body).surface_vertex_count, 5);
    assert_int_equal(pliant_model_body(r.model, body).vertex_count, 64);
    assert_int_equal(pliant_state_write_vertices(r.state, body, before, 2 * sizeof *before), PLIANT_OK);
    for (int i = 0; i < 5; i++) near((double)v3_length(v3_sub(before[2 * i], skin[i])), 0, 8 * EPSILON);
    assert_int_equal(pliant_state_positions(r.state, body, 0, 64, cage), PLIANT_OK);
    for (int i = 0; i < 64; i++) cage[i] = v3(cage[i].z + 2, cage[i].x, cage[i].y - 1);
    assert_int_equal(pliant_state_set_positions(r.state, body, 0, 64, cage), PLIANT_OK);
    assert_int_equal(pliant_state_write_vertices(r.state, body, after, 2 * sizeof *after), PLIANT_OK);
    for (int i = 0; i < 5; i++) {
        near((double)v3_length(v3_sub(after[2 * i], v3_add(quat_rotate(q, skin[i]), v3(2, 0, -1)))), 0, 16 * EPSILON);
        near((double)v3_length(v3_sub(after[2 * i + 1], quat_rotate(q, before[2 * i + 1]))), 0, 32 * EPSILON);
        near((double)v3_length(after[2 * i + 1]), i == 4 ? 0 : 1, 8 * EPSILON); /* vertex 4 has no faces */
    }
    pliant_scene_destroy(scene);
    rig_end(&r);
}

/* ---- strain, and bad arguments ---- */

static void strain_is_that_of_the_worst_active_distance(void **unused)
{
    (void)unused;
    pliant_scene     *scene = pliant_scene_create(NULL, NULL);
    pliant_body       body = add_chain(scene, "chain", 0, false);
    rig               r = rig_of(NULL, pliant_scene_compile(scene, NULL));
    const pliant_vec3 out = {0, 2, R(1.5)};
    assert_true(pliant_state_strain(r.state).largest == 0);
    assert_int_equal(pliant_state_set_positions(r.state, body, CHAIN - 1, 1, &out), PLIANT_OK);
    pliant_strain s = pliant_state_strain(r.state);
    near(s.largest, 1, 8 * EPSILON);
    near(s.mean, 0.2, 8 * EPSILON);
    assert_int_equal(s.constraint.id, CHAIN - 1);
    assert_int_equal(pliant_state_set_active(r.state, s.constraint, false), PLIANT_OK);
    near(pliant_state_strain(r.state).largest, 0, 8 * EPSILON);
    pliant_scene_destroy(scene);
    rig_end(&r);
}

static void bad_arguments_are_refused_and_change_nothing(void **unused)
{
    (void)unused;
    rig               r = rig_named("jelly");
    pliant_state     *s = r.state;
    const pliant_body body = {1}, bodies[3] = {{0}, {2}, {UINT32_MAX}};
    pliant_vec3       x[392] = {{0, 0, 0}};
    pliant_real       w[392];
    const struct {
        uint32_t first, count;
    } ranges[] = {{0, 393}, {392, 1}, {393, 0}, {UINT32_MAX, 1}, {1, UINT32_MAX}, {UINT32_MAX, UINT32_MAX}, {391, 2}};
    const uint64_t before = pliant_state_hash(s);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges + 3; i++) {
        const size_t      k = i < sizeof ranges / sizeof *ranges ? i : 0;
        const pliant_body b = i < sizeof ranges / sizeof *ranges ? body : bodies[i - sizeof ranges / sizeof *ranges];
        const uint32_t    first = b.id == 1 ? ranges[k].first : 0, count = b.id == 1 ? ranges[k].count : 1;
        assert_int_equal(pliant_state_positions(s, b, first, count, x), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_velocities(s, b, first, count, x), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_inverse_masses(s, b, first, count, w), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_set_positions(s, b, first, count, x), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_set_velocities(s, b, first, count, x), PLIANT_ERROR_ARGUMENT);
    }
    assert_int_equal(pliant_state_positions(s, body, 0, 1, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_velocities(s, body, 0, 1, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_inverse_masses(s, body, 0, 1, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_set_positions(s, body, 0, 1, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_set_velocities(s, body, 0, 1, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_positions(s, body, 392, 0, NULL), PLIANT_OK);
    for (int i = 0; i < 3; i++) {
        x[0] = v3(1, 1, 1);
        x[1] = v3(i == 0 ? NOT_A_NUMBER : 1, i == 1 ? INFINITE : 1, i == 2 ? -INFINITE : 1);
        assert_int_equal(pliant_state_set_positions(s, body, 0, 2, x), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_set_velocities(s, body, 0, 2, x), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_write_positions(s, bodies[i], x, sizeof *x), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_write_vertices(s, bodies[i], x, 2 * sizeof *x), PLIANT_ERROR_ARGUMENT);
    }
    assert_int_equal(pliant_state_write_positions(s, body, NULL, sizeof *x), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_write_positions(s, body, x, sizeof *x - 1), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_write_positions(s, body, x, 0), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_write_vertices(s, body, NULL, 2 * sizeof *x), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_write_vertices(s, body, x, 2 * sizeof *x - 1), PLIANT_ERROR_ARGUMENT);
    for (int i = 0; i < 3; i++) {
        const pliant_constraint c = {(const uint32_t[]){0, 100000, UINT32_MAX}[i]};
        assert_int_equal(pliant_state_set_active(s, c, false), PLIANT_ERROR_ARGUMENT);
        assert_false(pliant_state_active(s, c));
        const pliant_pose pose = pliant_state_collider_pose(s, (pliant_collider){(const uint32_t[]){0, 4, UINT32_MAX}[i]});
        assert_true(pose.rotation.w == 1 && pose.position.x == 0);
    }
    assert_int_equal(pliant_state_hash(s), before);
    rig_end(&r);
}

/* A handle that is NULL: an error or nothing, and no crash. */
static void no_state_is_harmless(void **unused)
{
    (void)unused;
    rig               r = rig_named("jelly");
    const pliant_body body = {1};
    pliant_vec3       x[2] = {{0, 0, 0}};
    pliant_real       w;
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    size_t            size = 5;
    pliant_state_destroy(NULL);
    assert_null(pliant_state_create(NULL, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_copy(NULL, r.state), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_copy(r.state, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_load(NULL, x, sizeof x, NULL), PLIANT_ERROR_ARGUMENT);
    assert_null(pliant_state_data(NULL, &size));
    assert_int_equal(size, 0);
    pliant_state_reset(NULL);
    assert_int_equal(pliant_state_hash(NULL), 0);
    assert_null(pliant_state_model(NULL));
    assert_true(pliant_state_time(NULL) == 0);
    assert_int_equal(pliant_state_steps(NULL), 0);
    assert_int_equal(pliant_state_write_positions(NULL, body, x, sizeof *x), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_write_vertices(NULL, body, x, 2 * sizeof *x), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_positions(NULL, body, 0, 1, x), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_velocities(NULL, body, 0, 1, x), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_inverse_masses(NULL, body, 0, 1, &w), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_set_positions(NULL, body, 0, 1, x), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_set_velocities(NULL, body, 0, 1, x), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_set_pinned(NULL, body, 0, true), PLIANT_ERROR_ARGUMENT);
    assert_false(pliant_state_pinned(NULL, body, 0));
    assert_int_equal(pliant_state_set_active(NULL, (pliant_constraint){1}, true), PLIANT_ERROR_ARGUMENT);
    assert_false(pliant_state_active(NULL, (pliant_constraint){1}));
    assert_true(pliant_state_collider_pose(NULL, (pliant_collider){1}).rotation.w == 1);
    assert_true(pliant_state_strain(NULL).largest == 0);
    rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_goes_on_like_the_original),
        cmocka_unit_test(rolling_back_and_replaying_gives_the_same),
        cmocka_unit_test(saved_bytes_load_into_the_same_state),
        cmocka_unit_test(bytes_that_are_not_this_models_state_are_refused),
        cmocka_unit_test(bytes_with_a_nan_in_them_are_refused),
        cmocka_unit_test(the_hash_sees_every_change),
        cmocka_unit_test(recompiling_carries_bodies_pins_time_and_active_bits),
        cmocka_unit_test(recompiling_an_unedited_scene_changes_nothing),
        cmocka_unit_test(recompiling_takes_another_material_and_new_constraints),
        cmocka_unit_test(a_tether_that_was_cut_stays_cut_when_constraints_are_added),
        cmocka_unit_test(a_bad_recompile_leaves_nothing),
        cmocka_unit_test(a_released_pin_falls_and_is_caught_again),
        cmocka_unit_test(a_released_pin_is_like_a_vertex_that_never_was_pinned),
        cmocka_unit_test(only_releasable_pins_can_be_released),
        cmocka_unit_test(an_attached_vertex_follows_until_released),
        cmocka_unit_test(a_keyed_collider_begins_where_its_keys_say),
        cmocka_unit_test(a_keyed_target_begins_where_its_keys_say_if_it_is_soft),
        cmocka_unit_test(positions_come_in_the_users_order_and_seams_are_smooth),
        cmocka_unit_test(shuffled_meshes_keep_their_order),
        cmocka_unit_test(a_visual_surface_follows_its_cage),
        cmocka_unit_test(strain_is_that_of_the_worst_active_distance),
        cmocka_unit_test(bad_arguments_are_refused_and_change_nothing),
        cmocka_unit_test(no_state_is_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
