/* How much of an old violation becomes speed: steps of uneven lengths, crushed tetrahedra, and more substeps (src/solver/ease.c).
 * Energies here are what is seen of them: kinetic and of weight. */
#include "trial.h"

#define G 9.81

/* J/kg of a body. */
static double seen_energy(const trial *t, pliant_body body)
{
    double energy = 0, mass = 0;
    for (uint32_t i = 0; i < vertex_count(t, body); i++) {
        pliant_real w = 0;
        double      x[3], v[3];
        assert_int_equal(pliant_state_inverse_masses(t->state, body, i, 1, &w), PLIANT_OK);
        if (!(w > 0)) continue;
        point_of(t, body, i, x);
        speed_of(t, body, i, v);
        energy += (dot3(v, v) / 2 + G * x[1]) / (double)w;
        mass += 1 / (double)w;
    }
    return energy / mass;
}

static double largest_speed(const trial *t, pliant_body body)
{
    double largest = 0;
    for (uint32_t i = 0; i < vertex_count(t, body); i++) {
        double v[3];
        speed_of(t, body, i, v);
        if (length3(v) > largest) largest = length3(v);
    }
    return largest;
}

static double highest_point(const trial *t, pliant_body body)
{
    double highest = -1e9;
    for (uint32_t i = 0; i < vertex_count(t, body); i++) {
        double x[3];
        point_of(t, body, i, x);
        if (x[1] > highest) highest = x[1];
    }
    return highest;
}

static void step_of(trial *t, double dt)
{
    assert_int_equal(pliant_inputs_reset(t->inputs, dt), PLIANT_OK);
    trial_step(t);
}

/* ---- steps of uneven lengths ---- */

/* A sheet that hangs at rest, without compliance or tethers. */
static pliant_body rest_sheet(trial *t)
{
    trial_begin(t, G, 10, 1);
    const pliant_body body = hang_cloth(t, 0, 0, 24);
    trial_compile(t);
    for (int f = 0; f < 240; f++) {
        step_of(t, 1.0 / 60);
        pliant_vec3 v[MAX_POINTS]; /* what swings is brought to rest */
        assert_int_equal(pliant_state_velocities(t->state, body, 0, vertex_count(t, body), v), PLIANT_OK);
        for (uint32_t i = 0; i < vertex_count(t, body); i++) v[i] = vec(0.9 * v[i].x, 0.9 * v[i].y, 0.9 * v[i].z);
        assert_int_equal(pliant_state_set_velocities(t->state, body, 0, vertex_count(t, body), v), PLIANT_OK);
    }
    assert_true(largest_speed(t, body) < 0.01);
    return body;
}

static double fastest_of_steps(double (*length)(int step, uint64_t *seed), int steps)
{
    trial             t;
    const pliant_body body = rest_sheet(&t);
    uint64_t          seed = 5;
    double            fastest = 0;
    for (int f = 0; f < steps; f++) {
        step_of(&t, length(f, &seed));
        if (largest_speed(&t, body) > fastest) fastest = largest_speed(&t, body);
    }
    trial_end(&t);
    return fastest;
}

static double by_turns(int step, uint64_t *seed)
{
    (void)seed;
    return step % 2 ? 1.0 / 240 : 1.0 / 30;
}

static double at_random(int step, uint64_t *seed)
{
    (void)step;
    return 1 / (30 + 210 * chance(seed));
}

static double one_long(int step, uint64_t *seed)
{
    (void)seed;
    return step ? 1.0 / 60 : 0.1;
}

/* Without easing this sheet diverges by turns, goes at 9 m/s at random, and at 4.3 m/s after one long step. */
static void check_sheet(const char *steps, double (*length)(int step, uint64_t *seed), int count, double bound)
{
    const double fastest = fastest_of_steps(length, count);
    print_message("a sheet at rest, steps %s: %.3g m/s at the most\n", steps, fastest);
    assert_true(fastest < bound);
}

static void steps_of_two_lengths_by_turns_throw_nothing(void **unused)
{
    (void)unused;
    check_sheet("of 1/30 and 1/240 s by turns", by_turns, 300, 1);
}

static void steps_of_random_lengths_throw_nothing(void **unused)
{
    (void)unused;
    check_sheet("of random lengths", at_random, 300, 1.5);
}

static void one_long_step_throws_nothing(void **unused)
{
    (void)unused;
    check_sheet("of 1/60 s after one of 0.1 s", one_long, 120, 3.5);
}

/* States with other steps behind them are in other lanes, or in none: each goes on as it would alone. */
static void many_states_with_other_pasts_go_on_as_alone(void **unused)
{
    (void)unused;
    enum { STATES = 20 };
    trial                t;
    pliant_solver_def    def = pliant_solver_def_default();
    pliant_state        *states[STATES];
    const pliant_inputs *inputs[STATES];
    trial_begin(&t, G, 10, 1);
    hang_cloth(&t, 0, 0, 8);
    trial_compile(&t);
    def.many = true;
    pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
    for (int f = 0; f < 10; f++) step_of(&t, 1.0 / 60);
    for (uint32_t i = 0; i < STATES; i++) {
        assert_non_null(states[i] = pliant_state_create(t.model, NULL));
        assert_int_equal(pliant_state_copy(states[i], t.state), PLIANT_OK);
        assert_int_equal(pliant_inputs_reset(t.inputs, i % 2 ? 1.0 / 30 : 1.0 / 60), PLIANT_OK);
        assert_int_equal(pliant_solver_step(t.solver, states[i], t.inputs), PLIANT_OK);
        inputs[i] = t.inputs;
    }
    assert_int_equal(pliant_inputs_reset(t.inputs, 1.0 / 60), PLIANT_OK);
    uint64_t alone[2];
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(pliant_state_copy(t.state, states[i]), PLIANT_OK);
        for (int f = 0; f < 3; f++) assert_int_equal(pliant_solver_step(t.solver, t.state, t.inputs), PLIANT_OK);
        alone[i] = pliant_state_hash(t.state);
    }
    for (int f = 0; f < 3; f++) assert_int_equal(pliant_solver_step_many(solver, states, inputs, STATES, NULL), PLIANT_OK);
    for (uint32_t i = 0; i < STATES; i++) assert_true(pliant_state_hash(states[i]) == alone[i % 2]);
    for (uint32_t i = 0; i < STATES; i++) pliant_state_destroy(states[i]);
    pliant_solver_destroy(solver);
    trial_end(&t);
}

/* ---- jelly ---- */

static pliant_material rigid_volumes(void)
{
    pliant_material m = pliant_material_default();
    m.young = 0; /* laws as they are */
    m.density = R(1050);
    m.stretch.compliance = R(4e-3);
    return m;
}

/* A block of jelly with rigid volumes, as users make it, turned, 1.6 m above a floor. */
static pliant_body drop(trial *t, double edge, uint32_t substeps, pliant_easing easing)
{
    const double    half = TEST_PI / 12, length = sqrt(1 + 0.3 * 0.3 + 0.2 * 0.2), s = sin(half) / length;
    pliant_soft_def def = pliant_soft_def_default();
    memset(t, 0, sizeof *t);
    t->def = pliant_scene_def_default();
    t->def.gravity = vec(0, -G, 0);
    t->def.substeps = substeps;
    t->def.easing = easing;
    trial_begin_def(t);
    def.cells[0] = def.cells[1] = def.cells[2] = 3;
    def.extent = vec(edge, edge, edge);
    def.material = rigid_volumes();
    def.body.placement.position = vec(0, 1.6, 0);
    def.body.placement.rotation = (pliant_quat){R(s), R(0.3 * s), R(0.2 * s), R(cos(half))};
    const pliant_body         body = pliant_scene_add_soft(t->scene, &def, NULL);
    const pliant_collider_def floor = plane_def(0, 0, 0, 0);
    add_collider(t, &floor);
    trial_compile(t);
    return body;
}

/* Without easing the block of 1 m had 51 J/kg with 10 substeps and 61,056 with 100. */
static void a_dropped_jelly_gains_no_energy(void **unused)
{
    static const double   edges[] = {0.18, 0.5, 1};
    static const uint32_t substeps[] = {10, 40, 100};
    (void)unused;
    for (int e = 0; e < 3; e++)
        for (int n = 0; n < 3; n++) {
            trial             t;
            const pliant_body body = drop(&t, edges[e], substeps[n], PLIANT_EASING_AS_NEEDED);
            const double      start = seen_energy(&t, body);
            double            most = start;
            for (int f = 0; f < 150; f++) {
                step_of(&t, 1.0 / 60);
                if (seen_energy(&t, body) > most) most = seen_energy(&t, body);
            }
            print_message("edge %.2f m, %u substeps: %.3f J/kg at the start, %.3f at the most, %.3f after 2.5 s\n", edges[e], substeps[n],
                          start, most, seen_energy(&t, body));
            assert_true(most <= 1.01 * start);
            assert_true(seen_energy(&t, body) < 0.7 * start);
            trial_end(&t);
        }
}

/* Rows as they are published gain what easing is there for, and the model says which of both it has. */
static void rows_as_published_gain_energy(void **unused)
{
    (void)unused;
    trial             t;
    const pliant_body body = drop(&t, 0.5, 100, PLIANT_EASING_NONE);
    const double      start = seen_energy(&t, body);
    double            most = start;
    assert_int_equal(pliant_model_settings(t.model).easing, PLIANT_EASING_NONE);
    for (int f = 0; f < 60; f++) {
        step_of(&t, 1.0 / 60);
        if (seen_energy(&t, body) > most) most = seen_energy(&t, body);
    }
    print_message("not eased: %.3f J/kg at the start, %.3f at the most\n", start, most);
    assert_true(most > 10 * start);
    trial_end(&t);
}

#define DAMPING 0.5 /* 1/s, of velocities; what swings decays at half of it */

/* A block pressed to a tenth of its height by a box that goes down at 1 m/s, and let go. Without easing rigid volumes went at 161 m/s after five
 * seconds. `swings`: m/s that may be left then; 0: what damping leaves of the speed four seconds before. */
static void crush(pliant_real young, double swings)
{
    trial           t;
    pliant_soft_def def = pliant_soft_def_default();
    trial_begin(&t, G, 40, 1);
    def.cells[0] = def.cells[1] = def.cells[2] = 5;
    def.extent = vec(0.4, 0.4, 0.4);
    def.material = rigid_volumes();
    def.material.young = young;
    def.material.damping = R(DAMPING);
    def.material.thickness = R(0.005);
    def.body.placement.position = vec(0, 0.205, 0);
    const pliant_body         body = pliant_scene_add_soft(t.scene, &def, NULL);
    const pliant_collider_def floor = plane_def(0, 0.4, 0.4, 0);
    add_collider(&t, &floor);
    pliant_collider_def box = pliant_collider_def_default(PLIANT_SHAPE_BOX);
    box.half_extent = vec(0.6, 0.1, 0.6);
    box.pose.position = vec(0, 0.6, 0);
    const pliant_collider press = add_collider(&t, &box);
    trial_compile(&t);
    double fastest = 0;
    for (int f = 1; f <= 360; f++) {
        const double time = f / 60.0, down = time < 0.46 ? time : 0.46, up = time > 1 ? 2 * (time - 1) : 0;
        pliant_pose  pose = box.pose;
        pose.position = vec(0, 0.6 - down + (up < 1 ? up : 1), 0);
        assert_int_equal(pliant_inputs_reset(t.inputs, 1.0 / 60), PLIANT_OK);
        assert_int_equal(pliant_inputs_collider(t.inputs, press, &pose), PLIANT_OK);
        trial_step(&t);
        if (f > 120 && largest_speed(&t, body) > fastest) fastest = largest_speed(&t, body);
    }
    const double high = highest_point(&t, body);
    print_message("%g Pa, let go: %.3g m/s at the most after a second, %.3g after five, %.3g m high\n", (double)young, fastest,
                  largest_speed(&t, body), high);
    assert_true(fastest < 5);
    assert_true(largest_speed(&t, body) < (swings > 0 ? swings : fastest * exp(-DAMPING / 2 * 4)));
    assert_true(high > 0.27);
    trial_end(&t);
}

static void a_crushed_jelly_comes_back(void **unused)
{
    (void)unused;
    crush(0, 0); /* rigid volumes: what damping leaves */
    crush(100000, 0.3);
}

/* Steps of many lengths, of a sheet that hangs at rest: how fast anything of it is at the most. Below 0: not for this method. */
static double fastest_of(pliant_method method, double compliance)
{
    pliant_method_def how = pliant_method_def_default();
    pliant_solver_def def = pliant_solver_def_default();
    uint64_t          seed = 3;
    trial             t;
    double            fastest = -1;
    how.method = method;
    def.method = &how;
    trial_begin(&t, G, 10, 1);
    const pliant_body sheet = hang_cloth(&t, 0, compliance, 8);
    trial_compile(&t);
    if (pliant_method_takes(t.model, &how, NULL) && !pliant_method_wants_linear(t.model, &how, NULL)) {
        pliant_solver_destroy(t.solver);
        t.solver = pliant_solver_create(t.model, &def, NULL);
        assert_non_null(t.solver);
        trial_run(&t, 1.0 / 60, 150);
        for (int i = 0; i < 120; i++) {
            const double between = 1.0 / 240 + chance(&seed) * (1.0 / 30 - 1.0 / 240);
            trial_run(&t, i % 3 ? between : i % 2 ? 1.0 / 240 : 1.0 / 30, 1);
            fastest = fmax(fastest, largest_speed(&t, sheet));
        }
    }
    trial_end(&t);
    return fastest;
}

/* No method keeps anything from a step to the next that a shorter one would make more of. */
static void every_method_bears_uneven_steps(void **unused)
{
    (void)unused;
    for (pliant_method method = (pliant_method)0; method < PLIANT_METHOD_COUNT; method++)
        for (int soft = 0; soft < 2; soft++) {
            const double fastest = fastest_of(method, soft ? 1e-6 : 0);
            if (fastest >= 0) print_message("%s, %s: %.3g m/s\n", pliant_method_describe(method)->name, soft ? "soft" : "rigid", fastest);
            assert_true(fastest < (method == PLIANT_METHOD_MULTIGRID ? 0.02 : 1));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_two_lengths_by_turns_throw_nothing),
        cmocka_unit_test(steps_of_random_lengths_throw_nothing),
        cmocka_unit_test(one_long_step_throws_nothing),
        cmocka_unit_test(many_states_with_other_pasts_go_on_as_alone),
        cmocka_unit_test(a_dropped_jelly_gains_no_energy),
        cmocka_unit_test(rows_as_published_gain_energy),
        cmocka_unit_test(every_method_bears_uneven_steps),
        cmocka_unit_test(a_crushed_jelly_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
