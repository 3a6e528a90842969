/* What colliders are told to be pushed with: the weight of what rests on them, Coulomb's friction, its moment; and the balance of momentum. */
#include "trial.h"

#define DT (1.0 / 60)
#define G 9.81

static void use_loads(trial *t, uint32_t threads, uint32_t width, bool loads)
{
    pliant_solver_def sd = pliant_solver_def_default();
    sd.threads = threads;
    sd.width = width;
    sd.loads = loads;
    pliant_solver_destroy(t->solver);
    t->solver = pliant_solver_create(t->model, &sd, NULL);
    assert_non_null(t->solver);
}

/* The force in f[0..2], the torque in f[3..5]. */
static void load_of(const trial *t, pliant_collider c, double f[6])
{
    pliant_vec3 force, torque;
    assert_int_equal(pliant_solver_collider_load(t->solver, c, &force, &torque), PLIANT_OK);
    const double all[6] = {(double)force.x, (double)force.y, (double)force.z, (double)torque.x, (double)torque.y, (double)torque.z};
    memcpy(f, all, sizeof all);
}

static pliant_body add_jelly(trial *t, double height, double speed)
{
    pliant_soft_def def = pliant_soft_def_default();
    def.cells[0] = def.cells[1] = def.cells[2] = 3;
    def.extent = vec(1, 1, 1);
    def.body.placement.position.y = R(height);
    def.body.velocity = vec(speed, 0, 0);
    def.material = pliant_material_preset(PLIANT_JELLY);
    def.material.thickness = R(0.01);
    pliant_body body = pliant_scene_add_soft(t->scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

/* kg, and kg m/s. */
static double momentum_of(const trial *t, pliant_body body, double p[3])
{
    double mass = 0, v[3];
    p[0] = p[1] = p[2] = 0;
    for (uint32_t i = 0; i < vertex_count(t, body); i++) {
        pliant_real w;
        assert_int_equal(pliant_state_inverse_masses(t->state, body, i, 1, &w), PLIANT_OK);
        speed_of(t, body, i, v);
        mass += 1 / (double)w;
        for (int k = 0; k < 3; k++) p[k] += v[k] / (double)w;
    }
    return mass;
}

static void begin(trial *t, pliant_integration integration, uint32_t substeps)
{
    memset(t, 0, sizeof *t);
    t->def = pliant_scene_def_default();
    t->def.gravity = vec(0, -G, 0);
    t->def.substeps = substeps;
    t->def.iterations = 3;
    t->def.integration = integration;
    trial_begin_def(t);
}

static void what_rests_gives_its_weight(void **unused)
{
    (void)unused;
    for (int integration = 0; integration < 2; integration++) {
        trial               t;
        double              p[3], f[6], sum[6] = {0};
        pliant_collider_def d = pliant_collider_def_default(PLIANT_SHAPE_BOX);
        begin(&t, (pliant_integration)integration, 8);
        d.half_extent = vec(2, 0.5, 2);
        d.pose.position = vec(0.25, -0.5, 0);
        const pliant_body     body = add_jelly(&t, 0.51, 0);
        const pliant_collider box = add_collider(&t, &d);
        trial_compile(&t);
        use_loads(&t, 1, 0, true);
        trial_run(&t, DT, 240);
        for (int i = 0; i < 60; i++) { /* over a second, since it trembles */
            trial_run(&t, DT, 1);
            load_of(&t, box, f);
            for (int k = 0; k < 6; k++) sum[k] += f[k] / 60;
        }
        const double weight = G * momentum_of(&t, body, p);
        assert_true(weight > 1);
        near(sum[1], -weight, 0.01 * weight);
        near(sum[0], 0, 0.01 * weight);
        near(sum[2], 0, 0.01 * weight);
        near(sum[5], 0.25 * weight, 0.02 * weight); /* it lies a quarter of a metre beside its middle, towards -x */
        near(sum[3], 0, 0.01 * weight);
        trial_end(&t);
    }
}

static void what_slides_gives_friction(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}}, v[1][3] = {{3, 0, 0}}, inverse[1] = {0.25};
    (void)unused;
    for (int integration = 0; integration < 2; integration++) {
        trial               t;
        double              f[6];
        pliant_collider_def plane = plane_def(0, 0.4, 0.3, 0);
        begin(&t, (pliant_integration)integration, 4);
        const pliant_collider c = add_collider(&t, &plane);
        pliant_material       material = plain_material();
        material.friction_static = material.friction_dynamic = -1;
        add_points(&t, 1, x, v, inverse, &material);
        trial_compile(&t);
        use_loads(&t, 1, 0, true);
        trial_run(&t, DT, 10);
        load_of(&t, c, f);
        near(f[1], -4 * G, 4e-3 * G);
        near(f[0], 0.3 * 4 * G, 4e-3 * G);
        near(f[2], 0, 1e-5);
        trial_end(&t);
    }
}

/* Where substeps are of one length a step may have none, or more than fill it: force times dt is what they pushed all the same. */
static void force_times_dt_is_the_impulse_also_where_steps_carry(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}}, inverse[1] = {0.25}, steps[] = {0.01, 0.004, 0.016, 0.1};
    (void)unused;
    for (int i = 0; i < 4; i++) {
        trial               t;
        double              f[6], sum = 0;
        pliant_collider_def plane = plane_def(0, 0, 0, 0);
        pliant_material     material = plain_material();
        memset(&t, 0, sizeof t);
        t.def = pliant_scene_def_default();
        t.def.gravity = vec(0, -G, 0);
        t.def.substep = 0.01;
        t.def.substep_rest = PLIANT_SUBSTEP_CARRY;
        trial_begin_def(&t);
        const pliant_collider c = add_collider(&t, &plane);
        add_points(&t, 1, x, NULL, inverse, &material);
        trial_compile(&t);
        use_loads(&t, 1, 0, true);
        for (double time = 0; time < 2 - 1e-9; time += steps[i]) {
            pliant_inputs_reset(t.inputs, steps[i]);
            assert_int_equal(pliant_inputs_substeps(t.inputs, 0, 1), PLIANT_OK);
            assert_int_equal(pliant_solver_step(t.solver, t.state, t.inputs), PLIANT_OK);
            load_of(&t, c, f);
            sum += f[1] * steps[i];
        }
        near(sum, -4 * G * 2, 4 * G * 0.02); /* a substep may be left at the end */
        trial_end(&t);
    }
}

static void an_off_centre_load_turns(void **unused)
{
    static const double x[1][3] = {{1.5, 1, 0.25}}, inverse[1] = {0.5};
    trial               t;
    double              f[6];
    pliant_collider_def d = pliant_collider_def_default(PLIANT_SHAPE_BOX);
    (void)unused;
    begin(&t, PLIANT_INTEGRATION_FIRST_ORDER, 4);
    d.pose.position.x = 1;
    const pliant_collider box = add_collider(&t, &d);
    add_points(&t, 1, x, NULL, inverse, NULL);
    trial_compile(&t);
    use_loads(&t, 1, 0, true);
    trial_run(&t, DT, 5);
    load_of(&t, box, f); /* r x f, r = (0.5, 1, 0.25), f = (0, -2 g, 0) */
    near(f[1], -2 * G, 1e-4 * G);
    near(f[3], 0.25 * 2 * G, 1e-4 * G);
    near(f[4], 0, 1e-5);
    near(f[5], -0.5 * 2 * G, 1e-4 * G);
    trial_end(&t);
}

/* A jelly falls on a slope, a ball that moves, and a box, with friction, and bounces. */
static pliant_body build_fall(trial *t, pliant_integration integration)
{
    begin(t, integration, 6);
    const pliant_body   body = add_jelly(t, 1.2, 0.7);
    pliant_collider_def slope = plane_def(0.3, 0.4, 0.3, 0.6), d = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    add_collider(t, &slope);
    d.radius = R(0.3);
    d.restitution = R(0.5);
    d.pose.position = vec(0.2, 0.1, 0.1);
    add_collider(t, &d);
    d.shape = PLIANT_SHAPE_BOX;
    d.half_extent = vec(0.2, 1, 3);
    d.pose.position = vec(1.6, 0, 0);
    add_collider(t, &d);
    trial_compile(t);
    return body;
}

static void say(trial *t, int step)
{
    const pliant_pose ball = {vec(0.2, 0.1 + 0.004 * step, 0.1), {0, 0, 0, 1}};
    assert_int_equal(pliant_inputs_reset(t->inputs, DT), PLIANT_OK);
    assert_int_equal(pliant_inputs_collider(t->inputs, (pliant_collider){2}, &ball), PLIANT_OK);
}

static void momentum_balances(void **unused)
{
    trial  t;
    double p[3], q[3], f[6], most = 0, met[3] = {0};
    (void)unused;
    const pliant_body body = build_fall(&t, PLIANT_INTEGRATION_FIRST_ORDER);
    use_loads(&t, 2, 0, true);
    for (int step = 0; step < 90; step++) {
        const double mass = momentum_of(&t, body, p);
        double       force[3] = {0, -mass * G, 0};
        say(&t, step);
        trial_step(&t);
        momentum_of(&t, body, q);
        for (uint32_t c = 1; c <= 3; c++) {
            load_of(&t, (pliant_collider){c}, f);
            for (int k = 0; k < 3; k++) force[k] -= f[k];
            met[c - 1] += length3(f);
        }
        for (int k = 0; k < 3; k++) near(q[k] - p[k], force[k] * DT, BOUND(1e-9, 0.01) * mass * DT);
        most = fmax(most, length3(force) / (mass * G));
    }
    assert_true(most > 2); /* it is hit hard */
    for (int c = 0; c < 3; c++) assert_true(met[c] > 0);
    trial_end(&t);
}

/* Second order keeps the momentum of two substeps, so the balance is that of a whole fall: a particle that hits, bounces, and lies in the end. */
static void momentum_balances_over_a_fall_of_second_order(void **unused)
{
    static const double x[1][3] = {{0, 0.5, 0}}, v[1][3] = {{1, 0, 0}};
    (void)unused;
    for (int bounces = 0; bounces < 2; bounces++) {
        trial               t;
        double              f[6], sum[3] = {0}, u[3];
        pliant_collider_def plane = plane_def(0, 0.4, 0.3, bounces ? 0.5 : 0);
        begin(&t, PLIANT_INTEGRATION_BDF2, 4);
        const pliant_collider c = add_collider(&t, &plane);
        const pliant_body     body = add_points(&t, 1, x, v, NULL, NULL);
        trial_compile(&t);
        use_loads(&t, 1, 0, true);
        for (int step = 0; step < 240; step++) {
            trial_run(&t, DT, 1);
            load_of(&t, c, f);
            for (int k = 0; k < 3; k++) sum[k] += f[k] * DT;
        }
        speed_of(&t, body, 0, u);
        assert_true(length3(u) < 1e-3);
        near(sum[0], 1, 1e-5);
        near(sum[1], -G * 4, 0.6 * G * DT / 4); /* its first substep, of first order, has half a substep's more */
        trial_end(&t);
    }
}

static void loads_change_no_bit_and_are_the_same_in_all_ways(void **unused)
{
    const pliant_build_info build = pliant_build();
    (void)unused;
    for (int integration = 0; integration < 2; integration++) {
        trial    without, first, t;
        uint64_t hash;
        build_fall(&without, (pliant_integration)integration);
        use_loads(&without, 1, 0, false);
        build_fall(&first, (pliant_integration)integration);
        use_loads(&first, 1, 0, true);
        for (int step = 0; step < 50; step++) {
            say(&without, step);
            trial_step(&without);
            say(&first, step);
            trial_step(&first);
        }
        hash = pliant_state_hash(without.state);
        assert_true(pliant_state_hash(first.state) == hash);
        for (uint32_t w = 0; w <= build.width_count; w++) {
            if (w && !build.runs[w - 1]) continue;
            build_fall(&t, (pliant_integration)integration);
            use_loads(&t, w ? 1 : 4, w ? build.widths[w - 1] : 0, true);
            for (int step = 0; step < 50; step++) {
                say(&t, step);
                trial_step(&t);
            }
            assert_true(pliant_state_hash(t.state) == hash);
            for (uint32_t c = 1; c <= 3; c++) {
                double f[6], g[6];
                load_of(&first, (pliant_collider){c}, f);
                load_of(&t, (pliant_collider){c}, g);
                assert_memory_equal(f, g, sizeof f);
            }
            trial_end(&t);
        }
        trial_end(&first);
        trial_end(&without);
    }
}

static void loads_are_told_to_those_that_ask(void **unused)
{
    trial       t;
    pliant_vec3 f = {1, 1, 1}, m = {1, 1, 1};
    (void)unused;
    build_fall(&t, PLIANT_INTEGRATION_FIRST_ORDER);
    trial_run(&t, DT, 2);
    assert_int_not_equal(pliant_solver_collider_load(t.solver, (pliant_collider){1}, &f, &m), PLIANT_OK);
    assert_true(f.x == 0 && f.y == 0 && f.z == 0 && m.x == 0 && m.y == 0 && m.z == 0);
    use_loads(&t, 1, 0, true);
    assert_int_not_equal(pliant_solver_collider_load(t.solver, (pliant_collider){1}, &f, &m), PLIANT_OK);
    trial_run(&t, DT, 1);
    assert_int_equal(pliant_solver_collider_load(t.solver, (pliant_collider){1}, NULL, NULL), PLIANT_OK);
    assert_int_not_equal(pliant_solver_collider_load(t.solver, (pliant_collider){0}, &f, &m), PLIANT_OK);
    assert_int_not_equal(pliant_solver_collider_load(t.solver, (pliant_collider){4}, &f, &m), PLIANT_OK);
    assert_int_not_equal(pliant_solver_collider_load(NULL, (pliant_collider){1}, &f, &m), PLIANT_OK);
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rests_gives_its_weight),
        cmocka_unit_test(what_slides_gives_friction),
        cmocka_unit_test(force_times_dt_is_the_impulse_also_where_steps_carry),
        cmocka_unit_test(an_off_centre_load_turns),
        cmocka_unit_test(momentum_balances),
        cmocka_unit_test(momentum_balances_over_a_fall_of_second_order),
        cmocka_unit_test(loads_change_no_bit_and_are_the_same_in_all_ways),
        cmocka_unit_test(loads_are_told_to_those_that_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
