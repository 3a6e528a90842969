/* Laws of contacts between bodies: what is said of a pair chooses which bodies meet, is in the model, and is refused in words where it makes no sense; a pair is
 * a row as early as constraints need it. */
#include "pair_scenes.h"

#include "compile/model.h"
#include "scene/draft.h"
#include "solver/solver.h"
#include "state/state.h"

/* ---- bodies that meet ---- */

static void masks_choose(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t group[2], mask[2];
        bool     met;
        uint32_t ignores, whom; /* bodies from 1 */
    } rows[] = {{{1, 1}, {1, 1}, true, 0, 0},  {{1, 2}, {2, 1}, true, 0, 0},  {{1, 2}, {3, 1}, true, 0, 0},  {{1, 2}, {2, 2}, false, 0, 0},
                {{1, 1}, {1, 0}, false, 0, 0}, {{4, 4}, {1, 1}, false, 0, 0}, {{1, 1}, {1, 1}, false, 1, 2}, {{1, 1}, {1, 1}, false, 2, 1},
                {{1, 1}, {1, 1}, true, 1, 3},  {{1, 1}, {1, 1}, true, 3, 2},  {{1, 1}, {1, 1}, true, 2, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trial w;
        trial_begin(&w, 0, 10, 1);
        add_jelly(&w, 1, 0.1, 0.01, vec(0, 0, 0), vec(0, 0, 0), false);
        add_jelly(&w, 1, 0.1, 0.01, vec(0, 0.15, 0), vec(0, -1, 0), false);
        add_jelly(&w, 1, 0.1, 0.01, vec(9, 0, 0), vec(0, 0, 0), false);
        if (rows[i].ignores) say_ignored(&w, (pliant_body){rows[i].ignores}, (pliant_body){rows[i].whom});
        for (size_t b = 0; b < 2; b++) {
            w.scene->bodies.data[b].contact_group = rows[i].group[b];
            w.scene->bodies.data[b].contact_mask = rows[i].mask[b];
        }
        trial_compile(&w);
        uint32_t met = 0;
        for (uint32_t step = 0; step < 10; step++) {
            trial_run(&w, DT, 1);
            met += pliant_solver_statistics(w.solver).pair_contacts;
        }
        if ((met > 0) != rows[i].met) fail_msg("row %zu: %u contacts", i, met);
        trial_end(&w);
    }
}

/* A sheet under another one that is held, apart by so many times the distance at which they touch, two thicknesses, as it is one substep of 1/600 s later. */
static trial fall_under_a_sheet(double gravity, double thickness, double apart, double adhesion)
{
    trial w;
    trial_begin(&w, gravity, 1, 1);
    const pliant_body above = add_sheet(&w, 1, 0.1, thickness, vec(0, 0, 0), vec(0, 0, 0)),
                      below = add_sheet(&w, 1, 0.1, thickness, vec(0, -2 * apart * thickness, 0), vec(0, 0, 0));
    pin_corners(&w, above, 1);
    if (adhesion > 0) {
        pliant_contact_pair_def d = pliant_contact_pair_def_default();
        d.body = above;
        d.other = below;
        d.adhesion = R(adhesion);
        assert_int_equal(pliant_scene_contact_pair(w.scene, &d, NULL), PLIANT_OK);
    }
    trial_compile(&w);
    trial_run(&w, 1.0 / 600, 1);
    return w;
}

/* A prediction knows nothing of what constraints will move: so a pair is a row already where some falls' lengths would bring its sides together. */
static void rows_are_there_before_constraints_need_them(void **unused)
{
    (void)unused;
    static const struct {
        double gravity, thickness, apart;
        bool   rows;
    } cases[] = {{0, 75e-6, 1.6, false},   {0, 75e-6, 1.2, true},   {9.81, 75e-6, 1.6, true}, {9.81, 75e-6, 2.1, false},
                 {9.81, 1e-3, 1.4, false}, {9.81, 1e-3, 1.2, true}, {98.1, 1e-3, 1.4, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial w = fall_under_a_sheet(cases[i].gravity, cases[i].thickness, cases[i].apart, 0);
        assert_int_equal(pliant_solver_statistics(w.solver).pairs > 0, cases[i].rows);
        trial_end(&w);
    }
}

/* Adhesion ends where it did. */
static void what_is_a_row_early_is_not_drawn(void **unused)
{
    (void)unused;
    for (int near = 0; near < 2; near++) {
        const double apart = near ? 1.1 : 1.6;
        trial        sticky = fall_under_a_sheet(9.81, 75e-6, apart, 1), plain = fall_under_a_sheet(9.81, 75e-6, apart, 0);
        const size_t bytes = 4 * plain.model->header->slot_count * sizeof(pliant_real);
        assert_true(pliant_solver_statistics(sticky.solver).pairs > 0);
        assert_int_equal(memcmp(sticky.state->x, plain.state->x, bytes) != 0, near);
        trial_end(&sticky);
        trial_end(&plain);
    }
}

/* A sheet that ignores itself goes as one that does not meet itself does. */
static void a_body_ignores_itself(void **unused)
{
    (void)unused;
    trial all[2];
    for (int i = 0; i < 2; i++) {
        trial w;
        begin_pairs(&w, &pair_scenes[CRUMPLES], PLIANT_CONTACT_BOUND_PATHS);
        pliant_state_destroy(w.state);
        pliant_solver_destroy(w.solver);
        pliant_inputs_destroy(w.inputs);
        pliant_model_destroy(w.model);
        if (i) say_ignored(&w, (pliant_body){1}, (pliant_body){1});
        w.scene->bodies.data[0].self_contact = i == 1;
        trial_compile(&w);
        trial_run(&w, DT, 30);
        assert_int_equal(pliant_solver_statistics(w.solver).pairs, 0);
        all[i] = w;
    }
    assert_memory_equal(all[0].state->x, all[1].state->x, 4 * all[0].model->header->slot_count * sizeof(pliant_real));
    for (int i = 0; i < 2; i++) trial_end(&all[i]);
}

/* What is said is in the model, in the order in which it is looked up, without what is of bodies that went. */
static void pairs_are_in_the_model(void **unused)
{
    (void)unused;
    trial w;
    trial_begin(&w, 0, 10, 1);
    pliant_body body[4];
    for (int i = 0; i < 4; i++) body[i] = add_jelly(&w, 1, 0.1, 0.01, vec(i, 0, 0), vec(0, 0, 0), false);
    const pliant_collider   floor = pliant_scene_add_floor(w.scene, -1, NULL), other = pliant_scene_add_floor(w.scene, -2, NULL);
    pliant_contact_pair_def with = pliant_contact_pair_def_default();
    with.body = body[3];
    with.collider = other;
    with.friction_dynamic = R(0.25);
    say_sticky(&w, body[3], body[3], 0.5, 2);
    say_pair(&w, body[3], body[2], 0.5, 0.75);
    say_pair(&w, body[1], body[2], 0.5, 0.5);
    say_ignored(&w, body[0], body[3]);
    assert_int_equal(pliant_scene_contact_pair(w.scene, &with, NULL), PLIANT_OK);
    with.collider = floor;
    assert_int_equal(pliant_scene_contact_pair(w.scene, &with, NULL), PLIANT_OK);
    say_pair(&w, body[0], body[0], 0.125, -1);
    pliant_scene_remove_body(w.scene, body[1]);
    trial_compile(&w);
    static const struct {
        uint32_t body, other, collider;
        bool     ignore;
        double   friction_static, friction_dynamic, restitution;
    } rows[] = {{1, 1, 0, false, 0.125, 0.125, -1}, {1, 4, 0, true, -1, -1, -1},    {3, 4, 0, false, 0.5, 0.5, 0.75},
                {4, 4, 0, false, 0.5, 0.5, -1},     {4, 0, 1, false, -1, 0.25, -1}, {4, 0, 2, false, -1, 0.25, -1}};
    assert_int_equal(pliant_model_contact_pair_count(w.model), sizeof rows / sizeof *rows);
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const pliant_contact_pair_def d = pliant_model_contact_pair_at(w.model, i);
        assert_true(d.body.id == rows[i].body && d.other.id == rows[i].other && d.collider.id == rows[i].collider);
        assert_true(d.ignore == rows[i].ignore && d.friction_static == R(rows[i].friction_static) &&
                    d.friction_dynamic == R(rows[i].friction_dynamic) && d.restitution == R(rows[i].restitution));
        assert_true(d.adhesion == (i == 3 ? 2 : 0));
    }
    assert_int_equal(pliant_model_contact_pair_at(w.model, 6).body.id, 0);
    assert_int_equal(pliant_model_contact_pair_count(NULL), 0);
    trial_end(&w);
}

/* What cannot be of two is refused, in words, and leaves the scene as it was. */
static void bad_pairs_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t    body, other, collider;
        bool        ignore;
        double      friction_static, friction_dynamic, restitution;
        const char *says;
    } rows[] = {{1, 9, 0, true, -1, -1, -1, "no body 9"},
                {0, 1, 0, true, -1, -1, -1, "no body 0"},
                {1, 0, 0, true, -1, -1, -1, "no body 0"},
                {1, 0, 2, true, -1, -1, -1, "no collider with id 2"},
                {1, 2, 1, true, -1, -1, -1, "not of three"},
                {2, 1, 0, false, 0.5, 0.5, -1, "contact pair 0 already"},
                {2, 0, 1, true, -1, -1, -1, "contact pair 1 already"},
                {2, 2, 0, false, -0.5, 0.5, -1, "friction_static"},
                {2, 2, 0, false, 0.5, -2, -1, "friction_dynamic"},
                {2, 2, 0, false, 0.5, 0.5, 1.5, "restitution"},
                {2, 2, 0, false, -1, -1, -1, "says nothing"},
                {2, 2, 0, true, 0.5, -1, -1, "ignores"}};
    trial w;
    trial_begin(&w, 0, 10, 1);
    for (int i = 0; i < 2; i++) add_jelly(&w, 1, 0.1, 0.01, vec(i, 0, 0), vec(0, 0, 0), false);
    pliant_scene_add_floor(w.scene, -1, NULL);
    say_ignored(&w, (pliant_body){1}, (pliant_body){2});
    pliant_contact_pair_def good = pliant_contact_pair_def_default();
    good.body.id = 2;
    good.collider.id = 1;
    good.restitution = R(0.5);
    assert_int_equal(pliant_scene_contact_pair(w.scene, &good, NULL), PLIANT_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pliant_contact_pair_def d = pliant_contact_pair_def_default();
        pliant_error            error = {.code = PLIANT_OK};
        d.body.id = rows[i].body;
        d.other.id = rows[i].other;
        d.collider.id = rows[i].collider;
        d.ignore = rows[i].ignore;
        d.friction_static = R(rows[i].friction_static);
        d.friction_dynamic = R(rows[i].friction_dynamic);
        d.restitution = R(rows[i].restitution);
        assert_int_equal(pliant_scene_contact_pair(w.scene, &d, &error), PLIANT_ERROR_ARGUMENT);
        if (!strstr(error.message, rows[i].says)) fail_msg("row %zu: \"%s\" and not \"%s\"", i, error.message, rows[i].says);
        assert_int_equal(w.scene->contact_pairs.count, 2);
    }
    static const struct {
        uint32_t    other, collider;
        bool        ignore;
        double      adhesion;
        const char *says;
    } sticky[] = {{2, 0, false, -1, "adhesion"}, {2, 0, true, 1, "ignores"}};
    for (size_t i = 0; i < sizeof sticky / sizeof *sticky; i++) {
        pliant_contact_pair_def d = pliant_contact_pair_def_default();
        pliant_error            error = {.code = PLIANT_OK};
        d.body.id = 1 + (sticky[i].other > 0);
        d.other.id = sticky[i].other;
        d.collider.id = sticky[i].collider;
        d.ignore = sticky[i].ignore;
        d.adhesion = R(sticky[i].adhesion);
        assert_int_equal(pliant_scene_contact_pair(w.scene, &d, &error), PLIANT_ERROR_ARGUMENT);
        if (!strstr(error.message, sticky[i].says)) fail_msg("row %zu: \"%s\" and not \"%s\"", i, error.message, sticky[i].says);
        assert_int_equal(w.scene->contact_pairs.count, 2);
    }
    pliant_scene_destroy(w.scene);
}

/* A body that meets others without a thickness is refused, in words. */
static void thickness_is_needed(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        trial            w;
        pliant_error     error;
        pliant_cloth_def d = pliant_cloth_def_default();
        trial_begin(&w, 0, 10, 1);
        d.cells_x = d.cells_z = 2;
        d.size_x = d.size_z = 1;
        d.body.self_contact = i == 0;
        d.body.contact_mask = i == 1;
        assert_int_equal(pliant_scene_add_cloth(w.scene, &d, &error).id, 0);
        assert_non_null(strstr(error.message, "thickness"));
        pliant_scene_destroy(w.scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_choose),
        cmocka_unit_test(rows_are_there_before_constraints_need_them),
        cmocka_unit_test(what_is_a_row_early_is_not_drawn),
        cmocka_unit_test(a_body_ignores_itself),
        cmocka_unit_test(pairs_are_in_the_model),
        cmocka_unit_test(bad_pairs_are_refused),
        cmocka_unit_test(thickness_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
