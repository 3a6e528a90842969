/* Laws of a step that is looked at on the way: it is the same step, to the bit; what is seen is equally far apart in time, and where a
 * longer row of shorter steps would be looked at too. */
#include "pliant/io.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char text[] =
    "{\"pliant\": 1, \"solver\": {\"substeps\": 12, \"integration\": \"%s\"}, \"bodies\": [{\"type\": \"cloth\", \"cells\": [8, 8], "
    "\"position\": [0, 1, 0], \"pins\": [0, 8]}], \"colliders\": [{\"type\": \"sphere\", \"radius\": 0.2, \"keys\": [{\"time\": 0, "
    "\"position\": "
    "[0, 0, 0]}, {\"time\": 0.1, \"position\": [0, 0.6, 0]}]}]}";

typedef struct world {
    pliant_model  *model;
    pliant_state  *state, *seen[12];
    pliant_solver *solver;
    pliant_inputs *inputs;
    uint32_t       looks, parts;
} world;

static void make(world *w, const char *integration)
{
    char              scene[1024];
    pliant_error      error = {0};
    pliant_model_file file;
    snprintf(scene, sizeof scene, text, integration);
    memset(w, 0, sizeof *w);
    if (pliant_model_read_text(scene, strlen(scene), "test", NULL, NULL, &file, &error) != PLIANT_OK) fail_msg("%s", error.message);
    pliant_scene_destroy(file.scene);
    w->model = file.model;
    w->state = pliant_state_create(w->model, &error);
    w->solver = pliant_solver_create(w->model, NULL, &error);
    w->inputs = pliant_inputs_create(w->model, &error);
    for (int i = 0; i < 12; i++) assert_non_null(w->seen[i] = pliant_state_create(w->model, &error));
    assert_true(w->state && w->solver && w->inputs);
}

static void drop(world *w)
{
    for (int i = 0; i < 12; i++) pliant_state_destroy(w->seen[i]);
    pliant_inputs_destroy(w->inputs);
    pliant_solver_destroy(w->solver);
    pliant_state_destroy(w->state);
    pliant_model_destroy(w->model);
}

static void look(void *context, const pliant_state *state, uint32_t part)
{
    world *w = context;
    assert_int_equal(part, ++w->looks);
    assert_true(part < w->parts);
    assert_int_equal(pliant_state_copy(w->seen[part - 1], state), PLIANT_OK);
}

static pliant_code step(world *w, uint32_t parts)
{
    w->looks = 0;
    w->parts = parts;
    pliant_inputs_reset(w->inputs, 1.0 / 60);
    return pliant_solver_step_parts(w->solver, w->state, w->inputs, parts, look, w);
}

static void looking_changes_no_bit(void **state)
{
    (void)state;
    static const char *const integrations[] = {"first_order", "bdf2"};
    for (int i = 0; i < 2; i++) {
        world plain, w;
        make(&plain, integrations[i]);
        make(&w, integrations[i]);
        for (uint32_t k = 0; k < 8; k++) {
            static const uint32_t parts[] = {1, 2, 3, 4, 6, 12};
            pliant_inputs_reset(plain.inputs, 1.0 / 60);
            assert_int_equal(pliant_solver_step(plain.solver, plain.state, plain.inputs), PLIANT_OK);
            assert_int_equal(step(&w, parts[k % 6]), PLIANT_OK);
            assert_int_equal(w.looks, parts[k % 6] - 1);
            assert_true(pliant_state_hash(w.state) == pliant_state_hash(plain.state));
            assert_true(pliant_state_time(w.state) == pliant_state_time(plain.state));
        }
        drop(&plain);
        drop(&w);
    }
}

/* Time, poses and particles are of one moment. */
static void what_is_seen_is_of_its_moment(void **state)
{
    (void)state;
    world           w;
    pliant_collider id;
    make(&w, "first_order");
    pliant_model_collider_at(w.model, 0, &id);
    for (int k = 0; k < 3; k++) {
        double begun = pliant_state_time(w.state);
        assert_int_equal(step(&w, 4), PLIANT_OK);
        for (int part = 1; part < 4; part++) {
            double time = begun + part / 240.0;
            assert_true(fabs(pliant_state_time(w.seen[part - 1]) - time) < 1e-12);
            assert_true(fabs((double)pliant_state_collider_pose(w.seen[part - 1], id).position.y - 6 * time) < 1e-6);
        }
    }
    drop(&w);
}

/* At rest a step of 12 substeps is two of 6: gravity alone, which asks for nothing that a step begins with. */
static void halfway_is_where_half_a_step_leads(void **state)
{
    (void)state;
    world       whole, half;
    pliant_vec3 a[81], b[81];
    make(&whole, "first_order");
    make(&half, "first_order");
    pliant_body body = pliant_model_body_at(whole.model, 0).body;
    assert_int_equal(step(&whole, 2), PLIANT_OK);
    pliant_inputs_reset(half.inputs, 1.0 / 120);
    pliant_inputs_substeps(half.inputs, 6, 0);
    assert_int_equal(pliant_solver_step(half.solver, half.state, half.inputs), PLIANT_OK);
    pliant_state_positions(whole.seen[0], body, 0, 81, a);
    pliant_state_positions(half.state, body, 0, 81, b);
    for (int i = 0; i < 81; i++) assert_true(fabs((double)a[i].y - (double)b[i].y) < 1e-6);
    assert_true(a[40].y < 1);
    drop(&whole);
    drop(&half);
}

static void parts_that_do_not_divide_are_refused(void **state)
{
    (void)state;
    world w;
    make(&w, "first_order");
    uint64_t before = pliant_state_hash(w.state);
    assert_int_equal(step(&w, 5), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(step(&w, 24), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(step(&w, 0), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_solver_step_parts(w.solver, w.state, w.inputs, 2, NULL, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_solver_step_parts(NULL, w.state, w.inputs, 2, look, &w), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(w.looks, 0);
    assert_true(pliant_state_hash(w.state) == before);
    drop(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looking_changes_no_bit),
        cmocka_unit_test(what_is_seen_is_of_its_moment),
        cmocka_unit_test(halfway_is_where_half_a_step_leads),
        cmocka_unit_test(parts_that_do_not_divide_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
