/* Sleep: what has stayed in one place for half a second stays there to the bit, until something moves it. */
#include "trial.h"

#include "compile/model.h"
#include "scene/draft.h"
#include "state/state.h"

#define DT (1.0 / 60)
#define SLEEP_SPEED 0.002

static pliant_body add_slab(trial *w, double size, double y, pliant_vec3 velocity)
{
    pliant_soft_def d = pliant_soft_def_default();
    d.model = PLIANT_SOLID_DISTANCE;
    d.cells[0] = d.cells[1] = d.cells[2] = 3;
    d.extent = vec(size, size, size);
    d.material = pliant_material_preset(PLIANT_JELLY);
    d.material.young = R(1e4); /* twice as firm: softer ones still sway after four seconds */
    d.material.thickness = R(0.01);
    d.material.friction_static = d.material.friction_dynamic = R(0.5);
    d.material.restitution = 0;
    d.material.drag = 3; /* two that rock on each other have little else that stops them */
    d.body.placement.position = vec(0, y, 0);
    d.body.velocity = velocity;
    d.body.contact_mask = 1;
    const pliant_body body = pliant_scene_add_soft(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

/* Two slabs of jelly, one on the other, on a floor. */
static void begin(trial *w, double sleep_speed)
{
    trial_begin(w, 9.81, 10, 1);
    w->scene->settings.sleep_speed = R(sleep_speed);
    pliant_collider_def floor = plane_def(0, 0.5, 0.5, 0);
    add_collider(w, &floor);
    add_slab(w, 0.2, 0.13, vec(0, 0, 0));
    add_slab(w, 0.2, 0.37, vec(0, 0, 0));
    trial_compile(w);
}

static uint32_t sleeping(const trial *w) { return pliant_solver_statistics(w->solver).sleeping; }
static uint32_t particles(const trial *w) { return w->model->header->particle_count; }

static void until_all_sleep(trial *w)
{
    for (uint32_t step = 0; step < 600 && sleeping(w) < particles(w); step++) trial_run(w, DT, 1);
    assert_int_equal(sleeping(w), particles(w));
}

/* Speed of the fastest particle. */
static double fastest(const trial *w)
{
    double most = 0;
    for (uint32_t i = 0; i < particles(w); i++) most = fmax(most, (double)v3_length(pliant__slot_x(w->state->v, i)));
    return most;
}

/* A pile comes to rest, and then nothing of it moves by a bit. */
static void a_pile_comes_to_rest(void **unused)
{
    (void)unused;
    trial w;
    begin(&w, SLEEP_SPEED);
    assert_int_equal(sleeping(&w), 0);
    until_all_sleep(&w);
    const size_t bytes = 4 * (size_t)w.model->header->slot_count * sizeof(pliant_real);
    pliant_real *x = malloc(bytes);
    assert_non_null(x);
    memcpy(x, w.state->x, bytes);
    trial_run(&w, DT, 120);
    assert_memory_equal(x, w.state->x, bytes);
    assert_true(fastest(&w) == 0);
    free(x);
    trial_end(&w);
}

/* Without a speed nothing sleeps. */
static void nothing_sleeps_unasked(void **unused)
{
    (void)unused;
    trial w;
    begin(&w, 0);
    trial_run(&w, DT, 300);
    assert_int_equal(sleeping(&w), 0);
    assert_true(fastest(&w) > 0);
    trial_end(&w);
}

/* What a sleeper lies on goes, and it falls; gravity turns round, and it rises; a ball hits it, and it yields. */
static void who_is_moved_wakes(void **unused)
{
    (void)unused;
    for (int what = 0; what < 3; what++) {
        trial w;
        begin(&w, SLEEP_SPEED);
        pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
        ball.radius = R(0.05);
        ball.pose.position = vec(1, 0.2, 0);
        pliant_solver_destroy(w.solver); /* one more collider: a model of its own */
        pliant_model_destroy(w.model);
        pliant_state_destroy(w.state);
        pliant_inputs_destroy(w.inputs);
        const pliant_collider thrown = add_collider(&w, &ball);
        trial_compile(&w);
        until_all_sleep(&w);
        double before = 0, after = 0;
        for (uint32_t i = 0; i < particles(&w); i++) before += (double)w.state->x[4 * i + (what == 2 ? 0 : 1)];
        for (uint32_t step = 0; step < 30; step++) {
            pliant_pose pose = {.rotation = {0, 0, 0, 1}};
            pliant_inputs_reset(w.inputs, DT);
            pose.position = what == 0 ? vec(0, -0.03 * (step + 1), 0) : vec(1 - 0.035 * (step + 1), 0.2, 0);
            if (what == 0) pliant_inputs_collider(w.inputs, (pliant_collider){1}, &pose);
            if (what == 1) pliant_inputs_gravity(w.inputs, vec(0, 1, 0));
            if (what == 2) pliant_inputs_collider(w.inputs, thrown, &pose);
            trial_step(&w);
        }
        for (uint32_t i = 0; i < particles(&w); i++) after += (double)w.state->x[4 * i + (what == 2 ? 0 : 1)];
        const double moved = (after - before) / particles(&w);
        print_message("    moved by %.3f m\n", moved);
        assert_true(what == 1 ? moved > 0.05 : moved < -0.01);
        trial_end(&w);
    }
}

/* How far a pile on a floor that creeps sideways goes with it in four seconds. */
static double goes_along(double sleep_speed, double speed)
{
    trial  w;
    double before = 0, after = 0;
    begin(&w, sleep_speed);
    trial_run(&w, DT, 240);
    if (sleep_speed > 0) assert_int_equal(sleeping(&w), particles(&w));
    for (uint32_t i = 0; i < particles(&w); i++) before += (double)w.state->x[4 * i];
    for (uint32_t step = 0; step < 240; step++) {
        pliant_pose pose = {.position = vec(speed * DT * (step + 1), 0, 0), .rotation = {0, 0, 0, 1}};
        pliant_inputs_reset(w.inputs, DT);
        pliant_inputs_collider(w.inputs, (pliant_collider){1}, &pose);
        trial_step(&w);
    }
    for (uint32_t i = 0; i < particles(&w); i++) after += (double)w.state->x[4 * i];
    const double by = (after - before) / particles(&w);
    trial_end(&w);
    return by;
}

/* A floor that creeps more slowly than the sleep speed takes along the bodies that sleep on it, and those that lie on these, as if they were
 * awake. */
static void who_lies_on_what_creeps_goes_along(void **unused)
{
    (void)unused;
    const double speed = 0.001, awake = goes_along(0, speed), asleep = goes_along(SLEEP_SPEED, speed);
    print_message("    %.5f m, awake %.5f m\n", asleep, awake);
    assert_true(awake > 0.5 * 4 * speed);
    near(asleep, awake, 0.15 * awake);
}

/* Two particles on a slope without friction, gentler than what wakes by itself: the upper one is pinned, and a distance holds the lower one. */
static pliant_constraint begin_slope(trial *w, double slope, pliant_body *body)
{
    const double        x[2][3] = {{0, 0, 0}, {0.1 * cos(slope), -0.1 * sin(slope), 0}}, inverse[2] = {1, 1};
    pliant_material     bare = plain_material();
    pliant_collider_def floor = plane_def(0, 0, 0, 0);
    trial_begin(w, 9.81, 10, 1);
    w->scene->settings.sleep_speed = R(SLEEP_SPEED);
    floor.pose.rotation = (pliant_quat){0, 0, R(-sin(slope / 2)), R(cos(slope / 2))};
    add_collider(w, &floor);
    *body = add_points(w, 2, x, NULL, inverse, &bare);
    const uint32_t top[] = {0};
    assert_int_equal(pliant_scene_pin(w->scene, *body, top, 1, true, NULL), PLIANT_OK);
    const pliant_law        hard = rigid();
    const pliant_constraint link = add_distance(w, *body, 0, 1, 0.1, &hard);
    trial_compile(w);
    return link;
}

/* A change of a state wakes its particles: a link that breaks, a pin that is pulled, a push, a place, however gentle. */
static void who_is_let_go_wakes(void **unused)
{
    (void)unused;
    static const char *const what[] = {"link", "pin", "velocity", "position"};
    for (int k = 0; k < 4; k++) {
        trial             w;
        pliant_body       body;
        pliant_vec3       before, after;
        pliant_constraint link = begin_slope(&w, k < 2 ? 0.2 : 0, &body);
        trial_run(&w, DT, 60);
        assert_int_equal(sleeping(&w), 1);
        if (k == 0) assert_int_equal(pliant_state_set_active(w.state, link, false), PLIANT_OK);
        if (k == 1) assert_int_equal(pliant_state_set_pinned(w.state, body, 0, false), PLIANT_OK);
        pliant_state_positions(w.state, body, 1, 1, &before);
        const pliant_vec3 across = vec(0, 0, 0.004), beside = vec((double)before.x, (double)before.y, 0.00001);
        if (k == 2) assert_int_equal(pliant_state_set_velocities(w.state, body, 1, 1, &across), PLIANT_OK);
        if (k == 3) assert_int_equal(pliant_state_set_positions(w.state, body, 1, 1, &beside), PLIANT_OK);
        trial_run(&w, DT, k < 3 ? 29 : 1);
        pliant_state_positions(w.state, body, 1, 1, &after);
        print_message("    %s: gone %.5f m\n", what[k], (double)v3_length(v3_sub(after, before)));
        if (k < 2) assert_true((double)v3_length(v3_sub(after, before)) > 0.5 * 0.5 * 9.81 * sin(0.2) * 0.2);
        if (k == 2) assert_true((double)after.z > 0.0015);
        if (k == 3) assert_int_equal(sleeping(&w), 0);
        trial_end(&w);
    }
}

/* A body that is teleported in every step is awake in every step. */
static void who_is_teleported_wakes(void **unused)
{
    (void)unused;
    trial       w;
    pliant_body body;
    begin_slope(&w, 0, &body);
    for (uint32_t step = 0; step < 60; step++) {
        const pliant_pose by = {.position = vec(0, 0, 0.00001), .rotation = {0, 0, 0, 1}};
        pliant_inputs_reset(w.inputs, DT);
        assert_int_equal(pliant_inputs_teleport(w.inputs, body, &by), PLIANT_OK);
        trial_step(&w);
        assert_int_equal(sleeping(&w), 0);
    }
    trial_end(&w);
}

/* A body that diverges and is put back leaves a state that can be saved and loaded, though its positions were NaN. */
static void what_is_put_back_can_be_saved(void **unused)
{
    (void)unused;
    trial       w;
    pliant_body body;
    size_t      bytes;
    trial_begin(&w, 9.81, 1, 1);
    w.scene->settings.sleep_speed = R(SLEEP_SPEED);
    w.scene->settings.on_divergence = PLIANT_DIVERGENCE_RESTORES;
    const double    x[2][3] = {{0, 0, 0}, {0.1, 0, 0}}, inverse[2] = {1, 1};
    pliant_material bare = plain_material();
    body = add_points(&w, 2, x, NULL, inverse, &bare);
    const pliant_law hard = rigid();
    add_distance(&w, body, 0, 1, 0.1, &hard);
    trial_compile(&w);
    const double      most = EPSILON < 1e-10 ? 1e308 : 3e38; /* twice that is no number */
    const pliant_vec3 v[2] = {vec(-most, 0, 0), vec(most, 0, 0)};
    assert_int_equal(pliant_state_set_velocities(w.state, body, 0, 2, v), PLIANT_OK);
    trial_run(&w, 1, 1);
    assert_int_equal(pliant_solver_statistics(w.solver).restored_bodies, 1);
    const void *data = pliant_state_data(w.state, &bytes);
    void       *kept = malloc(bytes);
    assert_non_null(kept);
    memcpy(kept, data, bytes);
    pliant_error error = {0};
    assert_int_equal(pliant_state_load(w.state, kept, bytes, &error), PLIANT_OK);
    free(kept);
    trial_end(&w);
}

/* Friction is not weakened: a slab on a slope a hundredth above what friction holds slides as far as it does where nothing sleeps, to the bit. */
static void what_slides_goes_on(void **unused)
{
    (void)unused;
    double slid[2];
    for (int k = 0; k < 2; k++) {
        trial        w;
        const double slope = atan(0.5 * 1.02);
        trial_begin(&w, 9.81, 10, 1);
        w.scene->settings.sleep_speed = R(k ? SLEEP_SPEED : 0);
        pliant_collider_def floor = plane_def(0, 0.5, 0.5, 0);
        floor.pose.rotation = (pliant_quat){0, 0, R(sin(slope / 2)), R(cos(slope / 2))};
        add_collider(&w, &floor);
        pliant_particles_def d = pliant_particles_def_default();
        const pliant_vec3    at = vec(-0.01 * sin(slope), 0.01 * cos(slope), 0);
        d.positions = &at;
        d.count = 1;
        d.material = pliant_material_default();
        d.material.thickness = R(0.01);
        assert_int_not_equal(pliant_scene_add_particles(w.scene, &d, NULL).id, 0);
        trial_compile(&w);
        trial_run(&w, DT, 180);
        slid[k] = sqrt(pow((double)w.state->x[0] - (double)at.x, 2) + pow((double)w.state->x[1] - (double)at.y, 2));
        trial_end(&w);
    }
    near(slid[0], 0.5 * 9.81 * (sin(atan(0.51)) - 0.5 * cos(atan(0.51))) * 9, 0.05 * slid[0]);
    assert_true(slid[0] == slid[1]);
}

/* Sleep is a part of the state: threads, lanes, and a solver that is thrown away after each step change nothing. */
static void the_same_bits(void **unused)
{
    (void)unused;
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++) {
        trial             w;
        pliant_solver_def def = pliant_solver_def_default();
        def.threads = k == 1 ? 2 : 1;
        begin(&w, SLEEP_SPEED);
        for (uint32_t step = 0; step < 150; step++) {
            if (step == 0 || k == 2) {
                pliant_solver_destroy(w.solver);
                w.solver = pliant_solver_create(w.model, &def, NULL);
                assert_non_null(w.solver);
            }
            trial_run(&w, DT, 1);
        }
        assert_true(sleeping(&w) > 0);
        if (k) assert_true(pliant_state_hash(w.state) == hash);
        hash = pliant_state_hash(w.state);
        trial_end(&w);
    }
}

/* BDF2 goes on from two substeps: the two are refused together, in words. */
static void bdf2_is_refused(void **unused)
{
    (void)unused;
    pliant_scene_def def = pliant_scene_def_default();
    pliant_error     error;
    def.sleep_speed = R(SLEEP_SPEED);
    def.integration = PLIANT_INTEGRATION_BDF2;
    assert_null(pliant_scene_create(&def, &error));
    assert_non_null(strstr(error.message, "sleep_speed"));
    def.integration = PLIANT_INTEGRATION_FIRST_ORDER;
    def.sleep_speed = -1;
    assert_null(pliant_scene_create(&def, &error));
    assert_non_null(strstr(error.message, "sleep_speed"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pile_comes_to_rest),    cmocka_unit_test(nothing_sleeps_unasked),
        cmocka_unit_test(who_is_moved_wakes),      cmocka_unit_test(who_lies_on_what_creeps_goes_along),
        cmocka_unit_test(what_slides_goes_on),     cmocka_unit_test(the_same_bits),
        cmocka_unit_test(bdf2_is_refused),         cmocka_unit_test(who_is_let_go_wakes),
        cmocka_unit_test(who_is_teleported_wakes), cmocka_unit_test(what_is_put_back_can_be_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
