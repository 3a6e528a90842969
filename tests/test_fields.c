/* Forces that vary: what keys say of a time, and what a field is at a place, are what docs/forces.md says; gusts have no divergence and the speed that was
 * asked for; the work of all of them is counted; and however a step is taken, it comes to the same bits. */
#include "trial.h"

#include "step/fields.h"

#define FRAME (1.0 / 60)

static double velocity(const trial *t, pliant_body body, uint32_t vertex, int axis)
{
    double v[3];
    speed_of(t, body, vertex, v);
    return v[axis];
}

static void is_at(pliant_vec3 a, double x, double y, double z)
{
    const double off = fabs((double)a.x - x) + fabs((double)a.y - y) + fabs((double)a.z - z);
    if (off > 1e-5) print_error("(%g, %g, %g) for (%g, %g, %g)\n", (double)a.x, (double)a.y, (double)a.z, x, y, z);
    assert_true(off <= 1e-5);
}

/* ---- gusts ---- */

static void gusts_have_their_speed_and_no_divergence(void **unused)
{
    uint64_t seed = 1;
    double   squares = 0, divergence = 0, slopes = 0, mean[3] = {0, 0, 0};
    enum { SAMPLES = 40000 };
    (void)unused;
    for (int i = 0; i < SAMPLES; i++) {
        const double x[3] = {400 * chance(&seed) - 200, 400 * chance(&seed) - 200, 400 * chance(&seed) - 200}, time = 50 * chance(&seed);
        const pliant_vec3 u = pliant__curl_noise(x, time, 7);
        const double      v[3] = {(double)u.x, (double)u.y, (double)u.z};
        for (int k = 0; k < 3; k++) mean[k] += v[k] / SAMPLES, squares += v[k] * v[k] / SAMPLES;
        if (i % 40) continue;
        const double d = 1e-3;
        double       sum = 0;
        for (int k = 0; k < 3; k++) {
            double low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
            low[k] -= d, high[k] += d;
            const pliant_vec3 a = pliant__curl_noise(low, time, 7), b = pliant__curl_noise(high, time, 7);
            const double      slope = ((double)(&b.x)[k] - (double)(&a.x)[k]) / (2 * d);
            sum += slope;
            slopes += slope * slope;
        }
        divergence += sum * sum;
    }
    assert_true(fabs(sqrt(squares) - 1) < 0.03);
    for (int k = 0; k < 3; k++) assert_true(fabs(mean[k]) < 0.02);
    assert_true(sqrt(divergence / slopes) < 1e-3); /* of central differences over a thousandth, and of rounding */
}

static void gusts_end_where_numbers_have_no_fraction(void **unused)
{
    static const double far[] = {1e16, -1e30, INFINITY, NAN};
    (void)unused;
    for (int i = 0; i < 4; i++) {
        const double      x[3] = {0.3, far[i], 0.7};
        const pliant_vec3 u = pliant__curl_noise(x, 1.5, 7), v = pliant__curl_noise((const double[]){0.3, 0.4, 0.7}, far[i], 7);
        is_at(u, 0, 0, 0);
        is_at(v, 0, 0, 0);
    }
}

static void gusts_drift_with_the_wind_and_differ_by_seed(void **unused)
{
    pliant__model_force f = {.type = PLIANT_FORCE_WIND, .gust = R(1e-6), .gust_size = R(0.5), .radius = 1, .vector = vec(2, 0, 0)};
    pliant__force_now   now = {.vector = vec(2, 0, 0), .share = 1};
    (void)unused;
    /* Weak gusts hardly change while they are carried by 2 m/s for 1.5 s. */
    f.gust = R(1e-3);
    now.time = 0;
    const pliant_vec3 here = pliant__force_field(&f, &now, vec(0.3, 0.4, 0.5));
    now.drift[0] = 3, now.time = 1.5;
    const pliant_vec3 there = pliant__force_field(&f, &now, vec(3.3, 0.4, 0.5));
    f.gust_seed = 1;
    const pliant_vec3 other = pliant__force_field(&f, &now, vec(3.3, 0.4, 0.5));
    const double      gust = fabs((double)here.y);
    assert_true(gust > 1e-5);
    assert_true(fabs((double)here.y - (double)there.y) < 0.05 * gust + BOUND(0, 1e-6));
    assert_true(fabs((double)other.y - (double)there.y) > 0.05 * gust);
}

/* ---- places ---- */

static void fields_are_what_they_are_said_to_be(void **unused)
{
    const pliant__force_now now = {.vector = vec(0, 0, 0), .share = 1};
    pliant__model_force     f = {.center = vec(1, 2, 3), .axis = vec(0, 1, 0), .radius = 2, .swirl = 4};
    (void)unused;
    is_at(pliant__force_field(&f, &now, vec(1, 7, 3)), 0, 0, 0);   /* on the axis */
    is_at(pliant__force_field(&f, &now, vec(3, 0, 3)), 0, 0, -4);  /* at the radius: y times x is -z */
    is_at(pliant__force_field(&f, &now, vec(1, 0, 7)), 3.2, 0, 0); /* at twice the radius: 2 q / (1 + q^2) = 0.8 */
    f.swirl = 0, f.pull = 3;
    is_at(pliant__force_field(&f, &now, vec(1, 2, 3)), 0, 0, 0);
    is_at(pliant__force_field(&f, &now, vec(1, 4, 3)), 0, -3, 0);
    is_at(pliant__force_field(&f, &now, vec(0, 2, 3)), 2.4, 0, 0); /* at half of it, too */
    f.pull = 0, f.vector = vec(0, 0, 0);
    const pliant__force_now blows = {.vector = vec(8, 0, 0), .share = 1};
    f.region = PLIANT_REGION_BOX, f.region_low = vec(0, 0, 0), f.region_high = vec(1, 1, 1), f.falloff = R(0.5);
    is_at(pliant__force_field(&f, &blows, vec(0.5, 1, 0)), 8, 0, 0);
    is_at(pliant__force_field(&f, &blows, vec(1.25, 0.5, 0.5)), 4, 0, 0); /* halfway out */
    is_at(pliant__force_field(&f, &blows, vec(1.5, 0.5, 0.5)), 0, 0, 0);
    f.region = PLIANT_REGION_SPHERE, f.region_low = vec(1, 0, 0), f.region_radius = 2, f.falloff = 0;
    is_at(pliant__force_field(&f, &blows, vec(2.9, 0, 0)), 8, 0, 0);
    is_at(pliant__force_field(&f, &blows, vec(3.1, 0, 0)), 0, 0, 0);
}

/* ---- times ---- */

static const double      key_times[] = {0.1, 0.4, 1};
static const pliant_real key_shares[] = {0, 1, 0};

static pliant_force add_keyed(trial *t, pliant_force_type type, pliant_body body)
{
    pliant_force_def  def = pliant_force_def_default(type);
    const pliant_vec3 keys[] = {vec(0, 0, 0), vec(6, 0, -3), vec(-2, 1, 0)};
    def.body = body;
    def.key_times = key_times, def.key_vectors = keys, def.key_shares = key_shares, def.key_count = 3;
    return pliant_scene_add_force(t->scene, &def, NULL);
}

/* The integral of a force's first component over whole frames: what the middle of each says. */
static double impulse(int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const double at = (i + 0.5) * FRAME;
        const double a = at <= 0.1 ? 0 : at <= 0.4 ? 6 * (at - 0.1) / 0.3 : at <= 1 ? 6 - 8 * (at - 0.4) / 0.6 : -2;
        sum += a * FRAME;
    }
    return sum;
}

static void what_keys_say_is_done_and_its_work_is_counted(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}}, inverse[1] = {0.5};
    (void)unused;
    for (int type = 0; type < 2; type++) {
        trial                 t;
        const pliant_material bare = plain_material();
        pliant_solver_def     def = pliant_solver_def_default();
        double                work = 0;
        trial_begin(&t, 0, 7, 1);
        const pliant_body body = add_points(&t, 1, x, NULL, inverse, &bare);
        assert_int_equal(add_keyed(&t, type ? PLIANT_FORCE_BODY : PLIANT_FORCE_ACCELERATION, body).id, 1);
        t.model = pliant_scene_compile(t.scene, NULL);
        def.energy = true;
        t.state = pliant_state_create(t.model, NULL), t.inputs = pliant_inputs_create(t.model, NULL);
        t.solver = pliant_solver_create(t.model, &def, NULL);
        for (int i = 0; i < 70; i++) {
            trial_run(&t, FRAME, 1);
            work += pliant_solver_statistics(t.solver).energy.work;
        }
        const double speed = velocity(&t, body, 0, 0), want = impulse(70) * (type ? 0.5 : 1); /* m/s^2, or N on 2 kg */
        assert_true(fabs(speed - want) < 2e-5);
        const pliant_energy e = pliant_solver_statistics(t.solver).energy;
        assert_true(e.kinetic > 0.1 && fabs(work - e.kinetic) < 0.03 * e.kinetic); /* where a step goes lags half of one behind */
        trial_end(&t);
    }
}

/* The work of fields is what makes particles faster: of free ones, all of it. */
static void the_work_of_fields_is_counted(void **unused)
{
    static const double   x[3][3] = {{0.5, 0, 0}, {0, 0.3, 0.2}, {-0.4, 0.1, 0}};
    trial                 t;
    const pliant_material bare = plain_material();
    pliant_solver_def     def = pliant_solver_def_default();
    pliant_force_def      f = pliant_force_def_default(PLIANT_FORCE_ACCELERATION);
    double                work = 0;
    (void)unused;
    trial_begin(&t, 0, 40, 1);
    add_points(&t, 3, x, NULL, NULL, &bare);
    f.pull = 5, f.swirl = 2, f.radius = R(0.3);
    assert_int_equal(pliant_scene_add_force(t.scene, &f, NULL).id, 1);
    t.model = pliant_scene_compile(t.scene, NULL);
    def.energy = true;
    t.state = pliant_state_create(t.model, NULL), t.inputs = pliant_inputs_create(t.model, NULL);
    t.solver = pliant_solver_create(t.model, &def, NULL);
    for (int i = 0; i < 40; i++) {
        trial_run(&t, FRAME, 1);
        work += pliant_solver_statistics(t.solver).energy.work;
    }
    const double kinetic = pliant_solver_statistics(t.solver).energy.kinetic;
    assert_true(kinetic > 1 && fabs(work - kinetic) < 0.01 * kinetic);
    trial_end(&t);
}

/* ---- bits ---- */

static void build(trial *t, bool keyed, bool local, double substep)
{
    pliant_force_def wind = pliant_force_def_default(PLIANT_FORCE_WIND), pull = pliant_force_def_default(PLIANT_FORCE_ACCELERATION);
    pliant_cloth_def cloth = pliant_cloth_def_default();
    pliant_error     error;
    memset(t, 0, sizeof *t);
    t->def = pliant_scene_def_default();
    t->def.substeps = 6;
    t->def.substep = substep;
    if (substep > 0) t->def.substep_rest = PLIANT_SUBSTEP_CARRY;
    trial_begin_def(t);
    cloth.cells_x = local ? 40 : 12, cloth.cells_z = local ? 30 : 10; /* the latter is one patch, so that its steps may be taken whole */
    cloth.material = pliant_material_preset(PLIANT_SILK);
    if (!local) cloth.material.damping = cloth.material.drag = 0;
    const pliant_body body = pliant_scene_add_cloth(t->scene, &cloth, &error);
    assert_true(body.id);
    if (keyed) assert_int_equal(add_keyed(t, PLIANT_FORCE_ACCELERATION, body).id, 1);
    wind.vector = vec(3, 0, 1), wind.gust = 2, wind.gust_size = R(0.4);
    pull.swirl = 3, pull.pull = 2, pull.region = PLIANT_REGION_BOX, pull.region_low = vec(-1, -1, -1), pull.region_high = vec(1, 0, 1),
    pull.falloff = R(0.2);
    if (local) assert_true(pliant_scene_add_force(t->scene, &wind, &error).id && pliant_scene_add_force(t->scene, &pull, &error).id);
    t->model = pliant_scene_compile(t->scene, &error);
    assert_non_null(t->model);
}

static uint64_t hash_of(trial *t, uint32_t threads, uint32_t width, bool timing, int steps)
{
    pliant_solver_def def = pliant_solver_def_default();
    def.threads = threads, def.width = width, def.energy = timing;
    pliant_solver *k = pliant_solver_create(t->model, &def, NULL);
    if (!k) return 0; /* this machine has no such width */
    pliant_state  *s = pliant_state_create(t->model, NULL);
    pliant_inputs *in = pliant_inputs_create(t->model, NULL);
    for (int i = 0; i < steps; i++) {
        assert_int_equal(pliant_inputs_reset(in, FRAME), PLIANT_OK);
        assert_int_equal(pliant_solver_step(k, s, in), PLIANT_OK);
    }
    const uint64_t hash = pliant_state_hash(s);
    pliant_inputs_destroy(in), pliant_state_destroy(s), pliant_solver_destroy(k);
    return hash;
}

static void bits_are_the_same_however_a_step_is_taken(void **unused)
{
    (void)unused;
    for (int how = 0; how < 8; how++) {
        trial t;
        build(&t, how & 1, how & 2, how & 4 ? 1.0 / 300 : 0);
        const uint64_t want = hash_of(&t, 1, 1, false, 12);
        for (uint32_t width = 1; width <= 16; width *= 4) {
            const uint64_t got = hash_of(&t, 3, width, width == 4, 12); /* with energies nothing is fused */
            assert_true(!got || got == want);
        }
        trial_end(&t);
    }
}

/* Of many states each has its own time. */
static void many_states_have_their_own_times(void **unused)
{
    enum { COUNT = 5 };
    trial             t;
    pliant_solver_def def = pliant_solver_def_default();
    pliant_state     *one[COUNT], *many[COUNT];
    pliant_inputs    *in[COUNT];
    (void)unused;
    build(&t, true, false, 0);
    def.many = true;
    pliant_solver *k = pliant_solver_create(t.model, &def, NULL);
    for (int i = 0; i < COUNT; i++) {
        one[i] = pliant_state_create(t.model, NULL), many[i] = pliant_state_create(t.model, NULL);
        in[i] = pliant_inputs_create(t.model, NULL);
        pliant_inputs_reset(in[i], FRAME);
        for (int n = 0; n < 7 * i; n++) assert_int_equal(pliant_solver_step(k, one[i], in[i]), PLIANT_OK);
        assert_int_equal(pliant_state_copy(many[i], one[i]), PLIANT_OK);
    }
    for (int n = 0; n < 3; n++) {
        for (int i = 0; i < COUNT; i++) assert_int_equal(pliant_solver_step(k, one[i], in[i]), PLIANT_OK);
        assert_int_equal(pliant_solver_step_many(k, many, (const pliant_inputs *const *)in, COUNT, NULL), PLIANT_OK);
    }
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(pliant_state_hash(one[i]), pliant_state_hash(many[i]));
        pliant_state_destroy(one[i]), pliant_state_destroy(many[i]), pliant_inputs_destroy(in[i]);
    }
    pliant_solver_destroy(k);
    trial_end(&t);
}

/* ---- inputs ---- */

static void inputs_are_obeyed_in_place_of_keys_and_saved(void **unused)
{
    static const double   x[1][3] = {{0, 0, 0}};
    trial                 t;
    const pliant_material bare = plain_material();
    (void)unused;
    trial_begin(&t, 0, 4, 1);
    const pliant_body body = add_points(&t, 1, x, NULL, NULL, &bare);
    add_keyed(&t, PLIANT_FORCE_ACCELERATION, body);
    trial_compile(&t);
    pliant_inputs_reset(t.inputs, FRAME);
    pliant_inputs *back = pliant_inputs_create(t.model, NULL);
    for (int set = 0; set < 2; set++) {
        if (set) assert_int_equal(pliant_inputs_force(t.inputs, (pliant_force){1}, vec(60, 0, 0)), PLIANT_OK);
        const size_t size = pliant_inputs_save(t.inputs, NULL, 0);
        void        *bytes = malloc(size);
        assert_int_equal(pliant_inputs_save(t.inputs, bytes, size), size);
        assert_int_equal(pliant_inputs_load(back, bytes, size, NULL), PLIANT_OK);
        free(bytes);
        assert_int_equal(pliant_solver_step(t.solver, t.state, back), PLIANT_OK);
        assert_true(fabs(velocity(&t, body, 0, 0) - (set ? 1 : 0)) < 1e-6); /* keys say nothing before 0.1 s */
    }
    pliant_inputs_destroy(back);
    trial_end(&t);
}

static void a_sleeper_wakes_when_keys_say_something_else(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}};
    trial               t;
    pliant_collider_def floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    pliant_force_def    push = pliant_force_def_default(PLIANT_FORCE_ACCELERATION);
    const double        times[] = {1.5, 1.6};
    const pliant_vec3   keys[] = {vec(0, 0, 0), vec(2, 0, 0)}; /* weaker than what would wake it by itself */
    pliant_material     smooth = plain_material();
    (void)unused;
    memset(&t, 0, sizeof t);
    t.def = pliant_scene_def_default();
    t.def.gravity = vec(0, -9.81, 0), t.def.substeps = 4, t.def.sleep_speed = R(0.01);
    trial_begin_def(&t);
    const pliant_body body = add_points(&t, 1, x, NULL, NULL, &smooth);
    floor.friction_static = floor.friction_dynamic = 0;
    pliant_scene_add_collider(t.scene, &floor, NULL);
    push.key_times = times, push.key_vectors = keys, push.key_count = 2;
    assert_int_equal(pliant_scene_add_force(t.scene, &push, NULL).id, 1);
    trial_compile(&t);
    trial_run(&t, FRAME, 85);
    assert_int_equal(pliant_solver_statistics(t.solver).sleeping, 1);
    trial_run(&t, FRAME, 65);
    assert_true(velocity(&t, body, 0, 0) > 1.5);
    trial_end(&t);
}

/* An axis is a direction, whatever its length. */
static void an_axis_may_have_any_length(void **unused)
{
    static const double lengths[] = {1, 1e-25, 1e30};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        trial            t;
        pliant_force_def d = pliant_force_def_default(PLIANT_FORCE_WIND);
        trial_begin(&t, 0, 4, 1);
        d.swirl = 1, d.axis = vec(3 * lengths[i], -4 * lengths[i], 0);
        assert_int_equal(pliant_scene_add_force(t.scene, &d, NULL).id, 1);
        t.model = pliant_scene_compile(t.scene, NULL);
        is_at(pliant_model_force_at(t.model, 0, NULL).axis, 0.6, -0.8, 0);
        trial_end(&t);
    }
}

/* ---- what is refused ---- */

static void what_makes_no_sense_is_refused(void **unused)
{
    trial             t;
    pliant_error      error;
    const pliant_vec3 keys[2] = {{0, 0, 0}, {0, 0, 0}};
    const double      same[2] = {1, 1};
    (void)unused;
    trial_begin(&t, 0, 4, 1);
    for (int i = 0; i < 14; i++) {
        pliant_force_def d = pliant_force_def_default(i == 3 || i == 4 ? PLIANT_FORCE_BODY
                                                      : i == 5         ? PLIANT_FORCE_ACCELERATION
                                                                       : PLIANT_FORCE_WIND);
        if (i == 0) d.radius = 0;
        if (i == 1) d.swirl = 1, d.axis = vec(0, 0, 0);
        if (i == 2) d.gust = -1;
        if (i == 3) d.pull = 1;
        if (i == 4) d.region = PLIANT_REGION_BOX;
        if (i == 5) d.gust = 1;
        if (i == 6) d.region = PLIANT_REGION_BOX, d.region_low = vec(1, 0, 0);
        if (i == 7) d.region = PLIANT_REGION_SPHERE;
        if (i == 8) d.key_count = 2;
        if (i == 9) d.key_count = 2, d.key_times = same, d.key_vectors = keys;
        if (i == 10) d.falloff = R(NAN);
        if (i == 11) d.gust_size = 0;
        if (i == 12) d.radius = R(1e-25);
        if (i == 13) d.gust = R(1e9);
        error.message[0] = 0;
        assert_int_equal(pliant_scene_add_force(t.scene, &d, &error).id, 0);
        assert_true(error.message[0]);
    }
    pliant_scene_destroy(t.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gusts_have_their_speed_and_no_divergence),
        cmocka_unit_test(gusts_end_where_numbers_have_no_fraction),
        cmocka_unit_test(gusts_drift_with_the_wind_and_differ_by_seed),
        cmocka_unit_test(fields_are_what_they_are_said_to_be),
        cmocka_unit_test(what_keys_say_is_done_and_its_work_is_counted),
        cmocka_unit_test(the_work_of_fields_is_counted),
        cmocka_unit_test(bits_are_the_same_however_a_step_is_taken),
        cmocka_unit_test(many_states_have_their_own_times),
        cmocka_unit_test(inputs_are_obeyed_in_place_of_keys_and_saved),
        cmocka_unit_test(a_sleeper_wakes_when_keys_say_something_else),
        cmocka_unit_test(an_axis_may_have_any_length),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
