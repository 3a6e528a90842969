/* What is put elsewhere stays what it is: a world that is turned half round goes on as it would have, to the bit; no velocity comes of it; a
 * collider drags nothing along; what is said wrongly is refused. */
#include "trial.h"

#define H60 (1.0 / 60)
#define NOT_A_NUMBER R(strtod("nan", NULL))

/* Half a turn about y, exactly: x and z change their signs. */
static const pliant_pose half_turn = {{0, 0, 0}, {0, 1, 0, 0}};

static pliant_pose moved_by(double x, double y, double z) { return (pliant_pose){vec(x, y, z), {0, 0, 0, 1}}; }

static pliant_body add_cloth(trial *t, uint32_t cells, double height)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    def.cells_x = def.cells_z = cells;
    def.size_x = def.size_z = R(0.0625 * cells);
    def.body.placement.position.y = R(height);
    def.material = pliant_material_preset(PLIANT_COTTON);
    def.material.thickness = R(0.0078125);
    pliant_body body = pliant_scene_add_cloth(t->scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

static void set_targets(trial *t, pliant_body body, const double (*at)[3], uint32_t count, double sign)
{
    pliant_vec3 to[8];
    for (uint32_t i = 0; i < count; i++) to[i] = vec(sign * at[i][0], at[i][1], sign * at[i][2]);
    assert_int_equal(pliant_inputs_targets(t->inputs, body, to, sizeof *to), PLIANT_OK);
}

/* A cloth on hard and soft targets over a box, with a skin, that swings; `turn_at`: the frame before which its world is turned half round. */
static void swing(trial *t, pliant_integration integration, int frames, int turn_at)
{
    const uint32_t      hard[1] = {0}, soft[1] = {16}, skinned[2] = {40, 41};
    const pliant_law    spring = compliant(1e-3);
    pliant_collider_def box = pliant_collider_def_default(PLIANT_SHAPE_BOX);
    pliant_skin_def     skin = pliant_skin_def_default();
    memset(t, 0, sizeof *t);
    t->def = pliant_scene_def_default();
    t->def.substeps = 4;
    t->def.iterations = 2;
    t->def.integration = integration;
    trial_begin_def(t);
    pliant_body body = add_cloth(t, 16, 1);
    assert_int_equal(pliant_scene_attach(t->scene, body, hard, 1, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_attach_soft(t->scene, body, soft, 1, &spring, NULL, NULL), PLIANT_OK);
    skin.vertices = skinned;
    skin.vertex_count = 2;
    skin.max_distance = R(0.125);
    skin.backstop_radius = R(0.5);
    assert_int_equal(pliant_scene_skin(t->scene, body, &skin, NULL), PLIANT_OK);
    box.half_extent = vec(0.25, 0.125, 0.25);
    box.pose.position = vec(0.125, 0.75, 0.0625);
    pliant_collider collider = add_collider(t, &box);
    trial_compile(t);
    for (int frame = 0; frame < frames; frame++) {
        const double sign = frame >= turn_at ? -1 : 1, at[2][3] = {{-0.5 + frame * 0.0078125, 1, -0.5}, {0.5, 1 + frame * 0.0078125, -0.5}};
        pliant_pose  pose = {vec(sign * 0.125, 0.75, sign * 0.0625), {0, 0, 0, 1}};
        if (sign < 0) pose.rotation = half_turn.rotation;
        assert_int_equal(pliant_inputs_reset(t->inputs, 0.015625), PLIANT_OK);
        set_targets(t, body, at, 2, sign);
        if (frame == turn_at) {
            assert_int_equal(pliant_inputs_teleport(t->inputs, body, &half_turn), PLIANT_OK);
            assert_int_equal(pliant_inputs_teleport_collider(t->inputs, collider, &pose), PLIANT_OK);
        }
        trial_step(t);
    }
}

static void a_world_that_is_turned_goes_on_to_the_bit(void **unused)
{
    (void)unused;
    for (int integration = 0; integration < 2; integration++) {
        trial  a, b;
        double x[3], y[3], moved = 0;
        swing(&a, (pliant_integration)integration, 40, 1000);
        swing(&b, (pliant_integration)integration, 40, 20);
        const pliant_body body = {1};
        for (uint32_t i = 0; i < vertex_count(&a, body); i++) {
            point_of(&a, body, i, x);
            point_of(&b, body, i, y);
            assert_true(y[0] == -x[0] && y[1] == x[1] && y[2] == -x[2]);
            moved = fmax(moved, fabs(x[1] - 1));
            speed_of(&a, body, i, x);
            speed_of(&b, body, i, y);
            assert_true(y[0] == -x[0] && y[1] == x[1] && y[2] == -x[2]);
        }
        assert_true(moved > 0.1 && pliant_solver_statistics(a.solver).contacts > 3);
        trial_end(&a);
        trial_end(&b);
    }
}

/* Exactly representable places, at rest on a floor, by pins, by targets: they are then elsewhere, to the bit, at rest. */
static void what_rests_rests_elsewhere(void **unused)
{
    static const double x[3][3] = {{0, 0.125, 0}, {0.25, 0.125, 0}, {0, 1, 0.5}}, inverse[3] = {1, 2, 0};
    const uint32_t      attached[1] = {1};
    const double        by[3] = {16, -0.5, 3.25};
    (void)unused;
    for (int integration = 0; integration < 2; integration++) {
        double            y[3], v[3];
        trial             t;
        pliant_material   material = plain_material();
        const pliant_pose motion = moved_by(by[0], by[1], by[2]), floor = moved_by(by[0], by[1], by[2]);
        memset(&t, 0, sizeof t);
        t.def = pliant_scene_def_default();
        t.def.gravity = vec(0, -8, 0);
        t.def.substeps = 4;
        t.def.integration = (pliant_integration)integration;
        trial_begin_def(&t);
        material.thickness = R(0.125);
        pliant_collider_def plane = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
        pliant_collider     collider = add_collider(&t, &plane);
        pliant_body         body = add_points(&t, 3, x, NULL, inverse, &material);
        assert_int_equal(pliant_scene_attach(t.scene, body, attached, 1, NULL), PLIANT_OK);
        trial_compile(&t);
        trial_run(&t, 0.015625, 5);
        assert_int_equal(pliant_inputs_teleport(t.inputs, body, &motion), PLIANT_OK);
        assert_int_equal(pliant_inputs_teleport_collider(t.inputs, collider, &floor), PLIANT_OK);
        trial_step(&t);
        trial_run(&t, 0.015625, 5);
        for (uint32_t i = 0; i < 3; i++) {
            point_of(&t, body, i, y);
            speed_of(&t, body, i, v);
            for (int c = 0; c < 3; c++) assert_true(y[c] == x[i][c] + by[c] && v[c] == 0);
        }
        assert_int_equal(pliant_solver_statistics(t.solver).contacts, 1);
        trial_end(&t);
    }
}

/* A hanging cloth is put far away and turned, with its targets: it is as slow as before. Without, it would be thrown there. */
static void no_velocity_comes_of_it(void **unused)
{
    const pliant_pose far = {vec(3, 1, -2), {R(0.1), R(0.7), R(-0.2), R(0.5)}};
    const uint32_t    hung[2] = {0, 8};
    (void)unused;
    for (int told = 0; told < 2; told++) {
        pliant_vec3 to[2], there[2];
        trial       t;
        trial_begin(&t, 0, 5, 2);
        pliant_body body = add_cloth(&t, 8, 1);
        assert_int_equal(pliant_scene_attach(t.scene, body, hung, 2, NULL), PLIANT_OK);
        trial_compile(&t);
        trial_run(&t, H60, 5);
        for (int i = 0; i < 2; i++) assert_int_equal(pliant_state_positions(t.state, body, hung[i], 1, &to[i]), PLIANT_OK);
        if (told) assert_int_equal(pliant_inputs_teleport(t.inputs, body, &far), PLIANT_OK);
        trial_step(&t); /* nothing else is said: targets stay where they were moved to */
        for (int i = 0; i < 2; i++) assert_int_equal(pliant_state_positions(t.state, body, hung[i], 1, &there[i]), PLIANT_OK);
        near((double)pliant_solver_statistics(t.solver).max_speed, 0, 1e4 * EPSILON);
        if (!told) { /* the same way within a step */
            pliant_vec3 away[2] = {vec((double)to[0].x + 3, 1, 0), vec((double)to[1].x + 3, 1, 0)};
            assert_int_equal(pliant_inputs_targets(t.inputs, body, away, sizeof *away), PLIANT_OK);
            trial_step(&t);
            assert_true(pliant_solver_statistics(t.solver).max_speed > 50);
        } else {
            double d[3] = {(double)there[0].x - (double)there[1].x, (double)there[0].y - (double)there[1].y,
                           (double)there[0].z - (double)there[1].z};
            near(length3(d), 0.5, 32 * EPSILON);
            assert_true(fabs((double)there[0].x - (double)to[0].x) > 1);
        }
        trial_end(&t);
    }
}

/* A box goes from one side of a sheet to the other: told as a motion it takes the sheet along, teleported it leaves it alone. */
static void a_collider_that_teleports_drags_nothing(void **unused)
{
    const pliant_pose behind = moved_by(0, 3, 0);
    double            x[3];
    (void)unused;
    for (int told = 0; told < 2; told++) {
        pliant_collider_def box = pliant_collider_def_default(PLIANT_SHAPE_BOX);
        trial               t;
        trial_begin(&t, 0, 5, 1);
        pliant_body body = add_cloth(&t, 8, 1);
        box.half_extent = vec(1, 0.1, 1);
        box.pose.position = vec(0, -1, 0);
        pliant_collider collider = add_collider(&t, &box);
        trial_compile(&t);
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
        assert_int_equal((told ? pliant_inputs_teleport_collider : pliant_inputs_collider)(t.inputs, collider, &behind), PLIANT_OK);
        trial_step(&t);
        assert_true(pliant_state_collider_pose(t.state, collider).position.y == 3);
        point_of(&t, body, 40, x);
        assert_true(told ? x[1] == 1 : x[1] > 3);
        trial_end(&t);
    }
}

/* From where it was put it goes where it is told, within the step. */
static void a_collider_goes_on_from_where_it_was_put(void **unused)
{
    const double        times[2] = {0, 1};
    const pliant_pose   keys[2] = {{{0, 0, 0}, {0, 0, 0, 1}}, {{4, 0, 0}, {0, 0, 0, 1}}}, there = {{9, 0, 0}, {0, 0, 0, 1}};
    pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    trial               t;
    (void)unused;
    ball.radius = 1;
    ball.key_times = times;
    ball.key_poses = keys;
    ball.key_count = 2;
    trial_begin(&t, 0, 5, 1);
    add_cloth(&t, 2, 20);
    pliant_collider collider = add_collider(&t, &ball);
    trial_compile(&t);
    assert_int_equal(pliant_inputs_reset(t.inputs, 0.5), PLIANT_OK);
    assert_int_equal(pliant_inputs_teleport_collider(t.inputs, collider, &there), PLIANT_OK);
    trial_step(&t);
    assert_true(pliant_state_collider_pose(t.state, collider).position.x == 2);
    trial_end(&t);
}

/* Inputs of a step say it once: the next step, with the same inputs, does it again; after a reset it does not. Many states at once are as one
 * by one. */
static void each_step_does_what_its_inputs_say(void **unused)
{
    const pliant_pose    up = moved_by(0, 1, 0);
    pliant_solver_def    def = pliant_solver_def_default();
    pliant_state        *many[20];
    const pliant_inputs *inputs[20];
    double               x[3];
    trial                t;
    (void)unused;
    trial_begin(&t, 0, 2, 1);
    pliant_body body = add_cloth(&t, 2, 1);
    trial_compile(&t);
    assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
    assert_int_equal(pliant_inputs_teleport(t.inputs, body, &up), PLIANT_OK);
    assert_int_equal(pliant_inputs_teleport(t.inputs, body, &up), PLIANT_OK); /* the last one counts, and no other */
    trial_step(&t);
    trial_step(&t);
    point_of(&t, body, 4, x);
    assert_true(x[1] == 3);
    def.many = true;
    pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
    assert_non_null(solver);
    for (int i = 0; i < 20; i++) {
        many[i] = pliant_state_create(t.model, NULL);
        inputs[i] = t.inputs;
    }
    assert_int_equal(pliant_solver_step_many(solver, many, inputs, 20, NULL), PLIANT_OK);
    for (int i = 0; i < 20; i++) {
        pliant_vec3 p;
        assert_int_equal(pliant_state_positions(many[i], body, 4, 1, &p), PLIANT_OK);
        assert_true(p.y == 2);
        pliant_state_destroy(many[i]);
    }
    pliant_solver_destroy(solver);
    trial_run(&t, H60, 1);
    point_of(&t, body, 4, x);
    assert_true(x[1] == 3);
    trial_end(&t);
}

/* The step that refuses moves nothing either. */
static void a_step_that_is_refused_moves_nothing(void **unused)
{
    const pliant_pose up = moved_by(0, 1, 0);
    double            x[3];
    trial             t, other;
    (void)unused;
    trial_begin(&t, 0, 2, 1);
    pliant_body body = add_cloth(&t, 2, 1);
    trial_compile(&t);
    trial_begin(&other, 0, 3, 1);
    add_cloth(&other, 3, 1);
    trial_compile(&other);
    assert_int_equal(pliant_inputs_teleport(t.inputs, body, &up), PLIANT_OK); /* never reset */
    assert_int_equal(pliant_solver_step(t.solver, t.state, t.inputs), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
    assert_int_equal(pliant_inputs_teleport(t.inputs, body, &up), PLIANT_OK);
    assert_int_equal(pliant_solver_step(other.solver, t.state, t.inputs), PLIANT_ERROR_ARGUMENT);
    point_of(&t, body, 4, x);
    assert_true(x[1] == 1);
    trial_end(&t);
    trial_end(&other);
}

static void teleports_that_are_refused(void **unused)
{
    const pliant_pose good = moved_by(0, 1, 0);
    pliant_pose       nowhere = good, unturned = good;
    trial             t;
    (void)unused;
    nowhere.position.y = NOT_A_NUMBER;
    unturned.rotation.w = 0;
    trial_begin(&t, 0, 2, 1);
    pliant_body     body = add_cloth(&t, 2, 1);
    pliant_collider collider = pliant_scene_add_sphere(t.scene, 1, pliant_pose_identity(), NULL);
    trial_compile(&t);
    assert_int_equal(pliant_inputs_teleport(NULL, body, &good), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_teleport(t.inputs, (pliant_body){2}, &good), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_teleport(t.inputs, body, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_teleport(t.inputs, body, &nowhere), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_teleport(t.inputs, body, &unturned), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_teleport_collider(NULL, collider, &good), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_teleport_collider(t.inputs, (pliant_collider){0}, &good), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_teleport_collider(t.inputs, collider, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_teleport_collider(t.inputs, collider, &nowhere), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_teleport_collider(t.inputs, collider, &unturned), PLIANT_ERROR_ARGUMENT);
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_that_is_turned_goes_on_to_the_bit),
        cmocka_unit_test(what_rests_rests_elsewhere),
        cmocka_unit_test(no_velocity_comes_of_it),
        cmocka_unit_test(a_collider_that_teleports_drags_nothing),
        cmocka_unit_test(a_collider_goes_on_from_where_it_was_put),
        cmocka_unit_test(each_step_does_what_its_inputs_say),
        cmocka_unit_test(a_step_that_is_refused_moves_nothing),
        cmocka_unit_test(teleports_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
