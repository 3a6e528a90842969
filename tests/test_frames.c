/* What a body feels of a moving frame: with share 1 all of it, to the bit, with 0 nothing, in between that share; colliders stay in the world. */
#include "trial.h"

#define NOT_A_NUMBER R(strtod("nan", NULL))

static const pliant_quat unturned = {0, 0, 0, 1};

static pliant_pose at(double x, double y, double z) { return (pliant_pose){vec(x, y, z), unturned}; }

static pliant_pose turned(double angle) { return (pliant_pose){vec(0, 0, 0), {0, R(sin(angle / 2)), 0, R(cos(angle / 2))}}; }

static void frame(trial *t, pliant_body body, pliant_pose before, pliant_pose after, pliant_inertia felt)
{
    assert_int_equal(pliant_inputs_frame(t->inputs, body, &before, &after, felt), PLIANT_OK);
}

static pliant_body add_cloth(trial *t)
{
    const uint32_t   hung[2] = {0, 12};
    pliant_cloth_def def = pliant_cloth_def_default();
    def.cells_x = def.cells_z = 12;
    def.size_x = def.size_z = R(0.75);
    def.material = pliant_material_preset(PLIANT_COTTON);
    def.material.damping = 2;
    pliant_body body = pliant_scene_add_cloth(t->scene, &def, NULL);
    assert_int_equal(pliant_scene_attach(t->scene, body, hung, 2, NULL), PLIANT_OK);
    return body;
}

/* A cloth with two corners that go by `way` m/s^2 along x; `felt` NULL: without a frame. */
static void hang(trial *t, pliant_integration integration, int frames, double way, const pliant_inertia *felt)
{
    const double dt = 0.015625;
    memset(t, 0, sizeof *t);
    t->def = pliant_scene_def_default();
    t->def.substeps = 4;
    t->def.iterations = 2;
    t->def.integration = integration;
    trial_begin_def(t);
    pliant_body body = add_cloth(t);
    trial_compile(t);
    for (int i = 0; i < frames; i++) {
        const double      begin = way * i * i * dt * dt / 2, end = way * (i + 1) * (i + 1) * dt * dt / 2;
        const pliant_vec3 to[2] = {vec(end - 0.375, 0, -0.375), vec(end + 0.375, 0, -0.375)};
        assert_int_equal(pliant_inputs_reset(t->inputs, dt), PLIANT_OK);
        assert_int_equal(pliant_inputs_targets(t->inputs, body, to, sizeof *to), PLIANT_OK);
        if (felt) frame(t, body, at(begin, 0, 0), at(end, 0, 0), *felt);
        trial_step(t);
    }
}

static void a_frame_that_is_felt_is_not_noticed(void **unused)
{
    const pliant_inertia all = pliant_inertia_of(1);
    (void)unused;
    for (int integration = 0; integration < 2; integration++) {
        trial with, without;
        hang(&with, (pliant_integration)integration, 40, 8, &all);
        hang(&without, (pliant_integration)integration, 40, 8, NULL);
        assert_true(pliant_state_hash(with.state) == pliant_state_hash(without.state));
        trial_end(&with);
        trial_end(&without);
    }
}

/* It hangs, and swings, in a frame that accelerates as in one that rests. */
static void a_frame_that_is_not_felt_does_nothing(void **unused)
{
    const pliant_inertia none = pliant_inertia_of(0);
    (void)unused;
    for (int integration = 0; integration < 2; integration++) {
        const double by = 8.0 * 24 * 24 * 0.015625 * 0.015625 / 2;
        double       x[3], y[3], apart = 0, faster = 0, lag = 0;
        trial        moving, resting, felt;
        hang(&moving, (pliant_integration)integration, 24, 8, &none);
        hang(&resting, (pliant_integration)integration, 24, 0, NULL);
        hang(&felt, (pliant_integration)integration, 24, 8, NULL);
        const pliant_body body = {1};
        for (uint32_t i = 0; i < vertex_count(&moving, body); i++) {
            point_of(&resting, body, i, x);
            point_of(&moving, body, i, y);
            for (int c = 0; c < 3; c++) apart = fmax(apart, fabs(y[c] - x[c] - (c ? 0 : by)));
            point_of(&felt, body, i, y);
            lag = fmax(lag, fabs(y[0] - x[0] - by));
            speed_of(&resting, body, i, x);
            speed_of(&moving, body, i, y);
            for (int c = 0; c < 3; c++) faster = fmax(faster, fabs(y[c] - x[c]));
        }
        near(apart, 0, BOUND(1e-11, 1e-3)); /* rounding grows while it flutters */
        near(faster, 0, BOUND(1e-9, 3e-2));
        assert_true(lag > 0.1);
        trial_end(&moving);
        trial_end(&resting);
        trial_end(&felt);
    }
}

/* A pendulum under an acceleration a of which it feels s hangs at tan(angle) = s a / g, and stays there. */
static void a_share_of_an_acceleration_is_felt(void **unused)
{
    static const double shares[] = {0, 0.3, 0.8, 1};
    const double        dt = 1.0 / 480, a = 6, g = 10;
    const uint32_t      held[1] = {0};
    (void)unused;
    for (int integration = 0; integration < 2; integration++)
        for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
            const double angle = atan(shares[k] * a / g), x[2][3] = {{0, 0, 0}, {-sin(angle), -cos(angle), 0}};
            double       top[3], bob[3];
            trial        t;
            memset(&t, 0, sizeof t);
            t.def = pliant_scene_def_default();
            t.def.gravity = vec(0, -g, 0);
            t.def.substeps = 2;
            t.def.iterations = 4;
            t.def.integration = (pliant_integration)integration;
            trial_begin_def(&t);
            pliant_body body = add_points(&t, 2, x, NULL, NULL, NULL);
            add_distance(&t, body, 0, 1, 1, NULL);
            assert_int_equal(pliant_scene_attach(t.scene, body, held, 1, NULL), PLIANT_OK);
            trial_compile(&t);
            for (int i = 0; i < 480; i++) {
                const double      begin = a * i * i * dt * dt / 2, end = a * (i + 1) * (i + 1) * dt * dt / 2;
                const pliant_vec3 to = vec(end, 0, 0);
                assert_int_equal(pliant_inputs_reset(t.inputs, dt), PLIANT_OK);
                assert_int_equal(pliant_inputs_targets(t.inputs, body, &to, sizeof to), PLIANT_OK);
                frame(&t, body, at(begin, 0, 0), at(end, 0, 0), (pliant_inertia){R(shares[k]), 1, 1});
                trial_step(&t);
                point_of(&t, body, 0, top);
                point_of(&t, body, 1, bob);
                near(atan2(top[0] - bob[0], top[1] - bob[1]), angle, BOUND(5e-3, 8e-3));
            }
            trial_end(&t);
        }
}

/* Free particles in a frame that turns and moves: they go with it as if they were part of it, and are at rest as seen from it. */
static void what_is_free_follows_rigidly(void **unused)
{
    static const double x[3][3] = {{1, 0, 0}, {0, 2, 0.5}, {-0.5, 1, 0}};
    double              y[3], v[3];
    trial               t;
    (void)unused;
    trial_begin(&t, 0, 5, 1);
    pliant_body body = add_points(&t, 3, x, NULL, NULL, NULL);
    trial_compile(&t);
    for (int i = 0; i < 60; i++) {
        pliant_pose before = turned(0.05 * i), after = turned(0.05 * (i + 1));
        before.position = vec(0.02 * i, 0, 0.001 * i * i);
        after.position = vec(0.02 * (i + 1), 0, 0.001 * (i + 1) * (i + 1));
        assert_int_equal(pliant_inputs_reset(t.inputs, 1.0 / 60), PLIANT_OK);
        frame(&t, body, before, after, pliant_inertia_of(0));
        trial_step(&t);
    }
    for (uint32_t i = 0; i < 3; i++) {
        point_of(&t, body, i, y);
        speed_of(&t, body, i, v);
        near(y[0], x[i][0] * cos(3.0) + x[i][2] * sin(3.0) + 1.2, BOUND(1e-12, 2e-5));
        near(y[1], x[i][1], BOUND(1e-12, 2e-5));
        near(y[2], x[i][2] * cos(3.0) - x[i][0] * sin(3.0) + 3.6, BOUND(1e-12, 2e-5));
        near(length3(v), 0, 0);
    }
    trial_end(&t);
}

/* With nothing felt of a rotation but c of the centrifugal acceleration, r'' = c w^2 r as seen from the frame: r = r0 cosh(sqrt(c) w t). With a
 * share a of the rotation, and a^2 of the centrifugal acceleration, which is what comes of it, a free particle stays behind by a w t. */
static void shares_of_a_rotation_are_felt(void **unused)
{
    static const double x[1][3] = {{0.5, 0, 0}}, shares[] = {0, 0.25, 1};
    const double        rate = 2, dt = 1.0 / 240;
    (void)unused;
    for (int integration = 0; integration < 2; integration++)
        for (size_t k = 0; k < 6; k++) {
            const double         s = shares[k % 3];
            const pliant_inertia felt = k < 3 ? (pliant_inertia){0, 0, R(s)} : (pliant_inertia){0, R(s), R(s * s)};
            double               y[3];
            trial                t;
            memset(&t, 0, sizeof t);
            t.def = pliant_scene_def_default();
            t.def.gravity = vec(0, 0, 0);
            t.def.integration = (pliant_integration)integration;
            trial_begin_def(&t);
            pliant_body body = add_points(&t, 1, x, NULL, NULL, NULL);
            trial_compile(&t);
            for (int i = 0; i < 240; i++) {
                assert_int_equal(pliant_inputs_reset(t.inputs, dt), PLIANT_OK);
                frame(&t, body, turned(rate * dt * i), turned(rate * dt * (i + 1)), felt);
                trial_step(&t);
            }
            point_of(&t, body, 0, y);
            near(hypot(y[0], y[2]), 0.5 * (k < 3 ? cosh(sqrt(s) * rate) : 1), BOUND(3e-3, 3e-3));
            near(atan2(-y[2], y[0]), rate * (k < 3 ? 1 : 1 - s), BOUND(1e-3, 1e-3));
            trial_end(&t);
        }
}

/* A floor that rests in the world stops what a frame carries along at v: v^2 / (2 mu g) further on, though the frame goes on for ever. */
static void friction_is_that_of_the_world(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}};
    double              y[3], where = 0;
    (void)unused;
    for (int integration = 0; integration < 2; integration++) {
        trial t;
        memset(&t, 0, sizeof t);
        t.def = pliant_scene_def_default();
        t.def.gravity = vec(0, -10, 0);
        t.def.integration = (pliant_integration)integration;
        trial_begin_def(&t);
        pliant_collider_def plane = plane_def(0, 0.5, 0.5, 0);
        add_collider(&t, &plane);
        pliant_body body = add_points(&t, 1, x, NULL, NULL, NULL);
        trial_compile(&t);
        for (int i = 0; i < 60; i++) {
            assert_int_equal(pliant_inputs_reset(t.inputs, 1.0 / 60), PLIANT_OK);
            frame(&t, body, at(i / 60.0, 0, 0), at((i + 1) / 60.0, 0, 0), pliant_inertia_of(0));
            trial_step(&t);
            point_of(&t, body, 0, y);
            if (i == 30) where = y[0];
        }
        near(y[0], 0.1, 0.01);
        near(y[0], where, BOUND(1e-9, 1e-5));
        near(y[1], 0, 1e-6);
        trial_end(&t);
    }
}

/* A thin wall in the world stops it, however far the frame goes in a step; where the body feels the frame the wall is not even met. */
static void a_frame_carries_nothing_through_a_wall(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}};
    double              y[3];
    (void)unused;
    for (int felt = 0; felt < 2; felt++) {
        pliant_collider_def wall = pliant_collider_def_default(PLIANT_SHAPE_BOX);
        trial               t;
        trial_begin(&t, 0, 2, 1);
        wall.half_extent = vec(0.001, 1, 1);
        wall.pose.position = vec(1, 0, 0);
        add_collider(&t, &wall);
        pliant_body body = add_points(&t, 1, x, NULL, NULL, NULL);
        trial_compile(&t);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(pliant_inputs_reset(t.inputs, 1.0 / 60), PLIANT_OK);
            frame(&t, body, at(2 * i, 0, 0), at(2 * (i + 1), 0, 0), pliant_inertia_of(R(felt)));
            trial_step(&t);
        }
        point_of(&t, body, 0, y);
        near(y[0], felt ? 0 : 0.999, 1e-5);
        trial_end(&t);
    }
}

/* By keys as by inputs, to the bit; inputs override them. */
static void keys_say_the_same_as_inputs(void **unused)
{
    const double      times[3] = {0, 0.25, 1};
    const pliant_pose poses[3] = {at(0, 0, 0), at(1, 0, 0.5), turned(2)};
    uint64_t          hash[3];
    (void)unused;
    for (int way = 0; way < 3; way++) {
        pliant_frame_def def = pliant_frame_def_default();
        trial            t;
        def.felt = (pliant_inertia){R(0.25), R(0.5), way == 2 ? 1 : R(0.75)};
        def.key_times = times;
        def.key_poses = poses;
        def.key_count = 3;
        trial_begin(&t, 9.81, 4, 1);
        pliant_body body = add_cloth(&t);
        if (way) assert_int_equal(pliant_scene_frame(t.scene, body, &def, NULL), PLIANT_OK);
        trial_compile(&t);
        for (int i = 0; i < 16; i++) {
            const double begin = i * 0.015625, end = begin + 0.015625;
            assert_int_equal(pliant_inputs_reset(t.inputs, 0.015625), PLIANT_OK);
            if (way != 1) frame(&t, body, at(4 * begin, 0, 2 * begin), at(4 * end, 0, 2 * end), (pliant_inertia){R(0.25), R(0.5), R(0.75)});
            trial_step(&t);
        }
        hash[way] = pliant_state_hash(t.state);
        trial_end(&t);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static void frames_that_are_refused(void **unused)
{
    const double      times[2] = {0, 0}, good_times[2] = {0, 1};
    const pliant_pose good = at(0, 1, 0), poses[2] = {good, good};
    pliant_pose       nowhere = good, flat = good;
    pliant_frame_def  def = pliant_frame_def_default();
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    trial             t;
    (void)unused;
    nowhere.position.x = NOT_A_NUMBER;
    flat.rotation.w = 0;
    trial_begin(&t, 0, 2, 1);
    pliant_body body = add_cloth(&t);
    assert_int_equal(pliant_scene_frame(t.scene, body, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "has no keys"));
    def.key_times = times;
    def.key_poses = poses;
    def.key_count = 2;
    assert_int_equal(pliant_scene_frame(t.scene, body, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "is not after"));
    def.key_times = good_times;
    def.felt.linear = R(1.5);
    assert_int_equal(pliant_scene_frame(t.scene, body, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "linear inertia of a frame must be from 0 to 1, not 1.5"));
    def.felt = (pliant_inertia){1, NOT_A_NUMBER, 1};
    assert_int_equal(pliant_scene_frame(t.scene, body, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "angular inertia"));
    def.felt = (pliant_inertia){1, 1, R(-0.5)};
    assert_int_equal(pliant_scene_frame(t.scene, body, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "centrifugal inertia"));
    def.felt = pliant_inertia_of(0);
    def.key_poses = &nowhere;
    def.key_count = 1;
    assert_int_equal(pliant_scene_frame(t.scene, body, &def, NULL), PLIANT_ERROR_ARGUMENT);
    def.key_poses = &flat;
    assert_int_equal(pliant_scene_frame(t.scene, body, &def, NULL), PLIANT_ERROR_ARGUMENT);
    def.key_poses = poses;
    assert_int_equal(pliant_scene_frame(t.scene, (pliant_body){5}, &def, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_scene_frame(t.scene, body, &def, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_frame(t.scene, body, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "has a frame already"));
    trial_compile(&t);
    assert_int_equal(pliant_inputs_frame(NULL, body, &good, &good, def.felt), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_frame(t.inputs, (pliant_body){5}, &good, &good, def.felt), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_frame(t.inputs, body, NULL, &good, def.felt), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_frame(t.inputs, body, &good, NULL, def.felt), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_frame(t.inputs, body, &nowhere, &good, def.felt), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_frame(t.inputs, body, &good, &flat, def.felt), PLIANT_ERROR_ARGUMENT);
    for (int i = 0; i < 6; i++) {
        pliant_real bad[3] = {1, 1, 1};
        bad[i / 2] = i % 2 ? NOT_A_NUMBER : R(-1);
        assert_int_equal(pliant_inputs_frame(t.inputs, body, &good, &good, (pliant_inertia){bad[0], bad[1], bad[2]}),
                         PLIANT_ERROR_ARGUMENT);
    }
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_that_is_felt_is_not_noticed),
        cmocka_unit_test(a_frame_that_is_not_felt_does_nothing),
        cmocka_unit_test(a_share_of_an_acceleration_is_felt),
        cmocka_unit_test(what_is_free_follows_rigidly),
        cmocka_unit_test(shares_of_a_rotation_are_felt),
        cmocka_unit_test(friction_is_that_of_the_world),
        cmocka_unit_test(a_frame_carries_nothing_through_a_wall),
        cmocka_unit_test(keys_say_the_same_as_inputs),
        cmocka_unit_test(frames_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
