/* Laws of contacts between bodies, and of a body with itself: nothing passes through anything, however the way of a particle is bound. Forces: test_pair_forces.c;
 * which bodies meet: test_pair_choice.c; how pairs are found: test_pair_search.c; in which order: test_pair_order.c. */
#include "crossings.h"
#include "pair_scenes.h"

#include "compile/model.h"
#include "scene/draft.h"
#include "solver/solver.h"
#include "state/state.h"

/* ---- nothing passes through anything ---- */

static size_t crossings_now(const trial *w)
{
    const pliant_model *m = w->model;
    const size_t        slots = m->header->slot_count, elements = model_count(m, element_body);
    double             *x = malloc(3 * slots * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < slots; i++)
        for (size_t k = 0; k < 3; k++) x[3 * i + k] = (double)w->state->x[4 * i + k];
    const size_t found = crossings(x, m->elements, elements, NULL, 0);
    free(x);
    return found;
}

static void expect_no_crossings(const pair_scene *scene, pliant_contact_bound bound)
{
    trial    w;
    uint32_t pushed = 0, held = 0;
    double   taken = 0;
    begin_pairs(&w, scene, bound);
    for (uint32_t step = 0; step < scene->steps; step++) {
        trial_run(&w, DT, 1);
        const pliant_statistics now = pliant_solver_statistics(w.solver);
        const size_t            found = crossings_now(&w);
        pushed += now.pair_contacts;
        held += now.particles_held;
        taken += now.momentum_held;
        assert_int_equal(now.particles_limited, 0);
        if (found) fail_msg("%s: %zu pairs of triangles cross after step %u", scene->name, found, step + 1);
    }
    print_message("    %s: %u held, %.3g kg m/s\n", scene->name, held, taken);
    assert_int_equal(held > 0, taken > 0);
    if (!pushed) fail_msg("%s: nothing met", scene->name);
    trial_end(&w);
}

static void nothing_crosses(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < PAIR_SCENES; i++) expect_no_crossings(&pair_scenes[i], PLIANT_CONTACT_BOUND_PATHS);
}

/* Nor where paths are cut only if pairs meet on them. */
static void nothing_crosses_where_it_meets(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < PAIR_SCENES; i++) expect_no_crossings(&pair_scenes[i], PLIANT_CONTACT_BOUND_CONTINUOUS);
}

/* Without contacts the same scene has crossings: the test above could see them. */
static void otherwise_they_cross(void **unused)
{
    (void)unused;
    trial w;
    trial_begin(&w, 9.81, 10, 1);
    pair_scenes[IS_SHOT].build(&w);
    for (size_t b = 0; b < w.scene->bodies.count; b++) w.scene->bodies.data[b].contact_mask = b < 2;
    for (size_t b = 0; b < w.scene->bodies.count; b++) w.scene->bodies.data[b].contact_group = b < 2 ? 1 : 2;
    w.scene->bodies.data[2].contact_mask = 2; /* a group of no other body */
    trial_compile(&w);
    size_t found = 0;
    for (uint32_t step = 0; step < 10; step++) {
        trial_run(&w, DT, 1);
        found += crossings_now(&w);
    }
    assert_true(found > 0);
    trial_end(&w);
}

/* ---- velocities are limited instead of paths being cut ---- */

static void shoot(trial *w, double speed)
{
    for (int i = 0; i < 2; i++) pin_corners(w, add_sheet(w, 12, 0.8, 0.01, vec(0, -0.05 * i, 0), vec(0, 0, 0)), 12);
    add_jelly(w, 3, 0.2, 0.01, vec(0, 0.2, 0), vec(0, -speed, 0), false);
    trial_compile(w);
}

/* Without a path that is cut, a jelly at a moderate speed does not pass sheets either. Of 276 speeds from 0.6 to 1.5 m/s none does; above, some do by
 * how numbers happen to round: from 1.5 to 1.8 m/s one in a hundred, from 1.8 to 1.95 m/s one in forty, at 2 m/s one in twelve (docs/contact.md). */
static void moderate_speed_does_not_pass(void **unused)
{
    (void)unused;
    for (int tenths = 7; tenths <= 14; tenths++) {
        trial    w;
        uint32_t pushed = 0;
        begin_bound(&w, PLIANT_CONTACT_BOUND_SPEED);
        shoot(&w, 0.1 * tenths);
        for (uint32_t step = 0; step < 40; step++) {
            trial_run(&w, DT, 1);
            const pliant_statistics now = pliant_solver_statistics(w.solver);
            pushed += now.pair_contacts;
            assert_int_equal(now.particles_held, 0);
            const size_t found = crossings_now(&w);
            if (found) fail_msg("%.1f m/s: %zu pairs of triangles cross after step %u", 0.1 * tenths, found, step + 1);
        }
        assert_true(pushed > 0);
        trial_end(&w);
    }
}

/* How far a place is from the straight way between two others. */
static double off_way(const double x[3], const double from[3], const double to[3])
{
    double along = 0, length2 = 0, off = 0;
    for (int k = 0; k < 3; k++) along += (x[k] - from[k]) * (to[k] - from[k]), length2 += (to[k] - from[k]) * (to[k] - from[k]);
    const double share = length2 > 0 ? fmin(fmax(along / length2, 0), 1) : 0;
    for (int k = 0; k < 3; k++) off += pow(x[k] - from[k] - share * (to[k] - from[k]), 2);
    return sqrt(off);
}

/* Nothing of a surface ends a substep further from the way that it had without constraints than half of its thickness; a particle that would is
 * counted. */
static void velocities_stay_within_margins(void **unused)
{
    (void)unused;
    const double h = DT / 10, margin = 0.005;
    trial        w;
    uint32_t     limited = 0;
    double       farthest = 0, taken = 0;
    begin_bound(&w, PLIANT_CONTACT_BOUND_SPEED);
    shoot(&w, 20);
    const size_t  slots = w.model->header->slot_count;
    pliant_state *before = pliant_state_create(w.model, NULL);
    bool         *surface = calloc(slots, sizeof *surface);
    assert_non_null(before);
    assert_non_null(surface);
    for (size_t i = 0; i < 3 * model_count(w.model, element_body); i++) surface[w.model->elements[i]] = true;
    for (uint32_t step = 0; step < 200; step++) {
        assert_int_equal(pliant_state_copy(before, w.state), PLIANT_OK);
        pliant_inputs_reset(w.inputs, h);
        assert_int_equal(pliant_inputs_substeps(w.inputs, 1, 1), PLIANT_OK);
        assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_OK);
        for (size_t i = 0; i < slots; i++) {
            if (!surface[i]) continue;
            double from[3], to[3], x[3];
            if (before->x[4 * i + 3] == 0) continue;
            for (size_t k = 0; k < 3; k++) {
                from[k] = (double)before->x[4 * i + k];
                x[k] = (double)w.state->x[4 * i + k];
                to[k] = from[k] + h * ((double)before->v[4 * i + k] - (k == 1 ? 9.81 * h : 0));
            }
            farthest = fmax(farthest, off_way(x, from, to));
        }
        const pliant_statistics now = pliant_solver_statistics(w.solver);
        limited += now.particles_limited;
        taken += now.momentum_held;
        assert_int_equal(now.particles_held, 0);
    }
    near(farthest, margin, BOUND(1e-9, 1e-6));
    assert_true(limited > 10 && taken > 0);
    pliant_state_destroy(before);
    free(surface);
    trial_end(&w);
}

/* Speed alone is not limited: what flies freely, and what stops, loses nothing by it. */
static void who_meets_nobody_is_not_limited(void **unused)
{
    (void)unused;
    trial  w;
    double v[3];
    begin_bound(&w, PLIANT_CONTACT_BOUND_SPEED);
    const pliant_body body = add_jelly(&w, 2, 0.2, 0.01, vec(0, 0, 0), vec(60, 0, 0), true);
    add_sheet(&w, 6, 0.8, 0.01, vec(0, 2, 0), vec(0, 0, 40));
    trial_compile(&w);
    for (uint32_t step = 0; step < 20; step++) {
        trial_run(&w, DT, 1);
        assert_int_equal(pliant_solver_statistics(w.solver).particles_limited, 0);
    }
    speed_of(&w, body, 0, v);
    near(v[0], 60, BOUND(1e-6, 1e-2));
    trial_end(&w);
}

/* A saved model has the choice with it, and does the same. */
static void expect_saved(pliant_contact_bound bound)
{
    trial  w;
    size_t size;
    begin_bound(&w, bound);
    shoot(&w, 20);
    assert_int_equal(pliant_model_settings(w.model).contact_bound, bound);
    const void *data = pliant_model_data(w.model, &size);
    void       *copy = aligned_alloc(64, (size + 63) / 64 * 64);
    assert_non_null(copy);
    memcpy(copy, data, size);
    pliant_model  *mapped = pliant_model_map(copy, size, NULL, NULL);
    pliant_state  *state = pliant_state_create(mapped, NULL);
    pliant_solver *solver = pliant_solver_create(mapped, NULL, NULL);
    assert_non_null(solver);
    assert_int_equal(pliant_model_settings(mapped).contact_bound, bound);
    for (uint32_t step = 0; step < 10; step++) {
        trial_run(&w, DT, 1);
        pliant_inputs_reset(w.inputs, DT);
        assert_int_equal(pliant_solver_step(solver, state, w.inputs), PLIANT_OK);
    }
    assert_true(pliant_state_hash(state) == pliant_state_hash(w.state));
    pliant_solver_destroy(solver);
    pliant_state_destroy(state);
    pliant_model_destroy(mapped);
    free(copy);
    trial_end(&w);
}

static void saved_models_know_their_bound(void **unused)
{
    (void)unused;
    expect_saved(PLIANT_CONTACT_BOUND_SPEED);
    expect_saved(PLIANT_CONTACT_BOUND_CONTINUOUS);
}

/* ---- paths are cut where pairs meet on them ---- */

/* A particle that a plane pushes aslant at 40 m/s, past a fixed edge along z through the origin, `aside` from it: how far it is along its way, before or
 * behind the edge, after so many substeps of 1/600 s. The plane pushes last, so it does not matter what rows say. */
static double pushed_past(pliant_contact_bound bound, double aside, uint32_t substeps, uint32_t *held)
{
    const double         h = DT / 10, speed = 40, thickness = 0.005, high = 0.1, c = sqrt(0.5);
    const pliant_vec3    at = vec(c * (aside - high), c * (aside + high), 0);
    pliant_particles_def d = pliant_particles_def_default();
    pliant_rope_def      edge = pliant_rope_def_default();
    trial                w;
    double               x[3];
    begin_bound(&w, bound);
    edge.from = vec(0, 0, -0.5);
    edge.to = vec(0, 0, 0.5);
    edge.segments = 1;
    edge.material = d.material = plain_material();
    edge.material.thickness = d.material.thickness = R(thickness);
    edge.body.fixed = true;
    d.positions = &at;
    d.count = 1;
    meets(&edge.body, false);
    meets(&d.body, false);
    assert_int_not_equal(pliant_scene_add_rope(w.scene, &edge, NULL).id, 0);
    const pliant_body   body = pliant_scene_add_particles(w.scene, &d, NULL);
    pliant_collider_def above = plane_def(0, 0, 0, 0);
    above.pose.rotation = (pliant_quat){R(cos(TEST_PI / 8)), R(sin(TEST_PI / 8)), 0, 0}; /* turned over, then by 45 degrees */
    above.pose.position = vec(-c * (high + thickness), c * (high + thickness), 0);
    const pliant_collider pusher = add_collider(&w, &above);
    trial_compile(&w);
    *held = 0;
    for (uint32_t i = 1; i <= substeps; i++) {
        const double y = high + thickness - speed * h * i;
        above.pose.position = vec(-c * y, c * y, 0);
        pliant_inputs_reset(w.inputs, h);
        assert_int_equal(pliant_inputs_substeps(w.inputs, 1, 1), PLIANT_OK);
        assert_int_equal(pliant_inputs_collider(w.inputs, pusher, &above.pose), PLIANT_OK);
        trial_step(&w);
        *held += pliant_solver_statistics(w.solver).particles_held;
    }
    point_of(&w, body, 0, x);
    trial_end(&w);
    return c * (x[1] - x[0]);
}

/* What goes past an edge, no nearer than it is thick, is not held by the plane between them, which stands across all space: it is where it was pushed to, and
 * where gravity takes it in the substep after. What is pushed onto the edge stays above it. */
static void who_slides_past_is_not_held(void **unused)
{
    (void)unused;
    static const pliant_contact_bound bounds[] = {PLIANT_CONTACT_BOUND_PATHS, PLIANT_CONTACT_BOUND_CONTINUOUS};
    const double                      h = DT / 10, there = 0.1 - 40 * h * 2 - sqrt(0.5) * 9.81 * h * h;
    for (size_t i = 0; i < 2; i++) {
        uint32_t     held;
        const double y = pushed_past(bounds[i], 0.015, 2, &held);
        near(y, there, 1e-6);
        assert_int_equal(held, 0);
        const double over = pushed_past(bounds[i], 0, 12, &held);
        assert_true(over > 0 && over < 0.01);
        assert_true(held > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_crosses),
        cmocka_unit_test(nothing_crosses_where_it_meets),
        cmocka_unit_test(who_slides_past_is_not_held),
        cmocka_unit_test(otherwise_they_cross),
        cmocka_unit_test(moderate_speed_does_not_pass),
        cmocka_unit_test(velocities_stay_within_margins),
        cmocka_unit_test(who_meets_nobody_is_not_limited),
        cmocka_unit_test(saved_models_know_their_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
