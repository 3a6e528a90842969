/* What is far from everything changes nothing: each method solves a scene the same way, to the bit, with a ball beside it that nothing meets. A
 * method or a walk that asks whether there are colliders, where it should ask whether anything is left to project, fails here. */
#include "trial.h"

enum { FRAMES = 30, MOST = 1024 };

typedef struct met {
    const char *name;
    void (*add)(pliant_scene *scene);
    bool   grabbed;
    double begins; /* m/s, how fast the first one goes until it meets the other; 0: there is none */
} met;

static void add_soft(pliant_scene *scene)
{
    for (int k = 0; k < 2; k++) {
        pliant_soft_def def = pliant_soft_def_default();
        def.cells[0] = def.cells[1] = def.cells[2] = 3;
        def.extent = vec(0.4, 0.4, 0.4);
        def.material.thickness = R(0.01);
        def.body.placement.position = vec(0.5 * k, 0, 0);
        def.body.velocity = vec(1 - 2 * k, 0, 0);
        def.body.contact_mask = 1;
        assert_int_not_equal(pliant_scene_add_soft(scene, &def, NULL).id, 0);
    }
}

static void add_ropes(pliant_scene *scene)
{
    for (int k = 0; k < 2; k++) {
        pliant_rope_def def = pliant_rope_def_default();
        def.from = vec(-0.5 * !k, 0.05 * k, -0.5 * k);
        def.to = vec(0.5 * !k, 0.05 * k, 0.5 * k);
        def.segments = 10;
        def.material.stretch.damping = def.material.bend.damping = 0;
        def.material.thickness = R(0.02);
        def.body.velocity = vec(0, 0.1 - 0.2 * k, 0);
        def.body.contact_mask = 1;
        assert_int_not_equal(pliant_scene_add_rope(scene, &def, NULL).id, 0);
    }
}

static void add_one_soft(pliant_scene *scene)
{
    pliant_soft_def def = pliant_soft_def_default();
    def.cells[0] = def.cells[1] = def.cells[2] = 2;
    def.extent = vec(0.4, 0.4, 0.4);
    assert_int_not_equal(pliant_scene_add_soft(scene, &def, NULL).id, 0);
}

/* m/s, of the mean velocity. */
static double mean_speed(const pliant_vec3 *v, uint32_t count)
{
    double sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) sum[0] += (double)v[i].x, sum[1] += (double)v[i].y, sum[2] += (double)v[i].z;
    return length3(sum) / count;
}

/* What there is after FRAMES frames: positions, then velocities of each body, and how fast the first one goes; none where the method does not take
 * the scene. */
static bool run(const met *what, pliant_method method, bool far, pliant_vec3 *out, uint32_t *count, double *speed)
{
    trial        t;
    pliant_body  body = {1};
    pliant_error error;
    memset(&t, 0, sizeof t);
    t.def = pliant_scene_def_default();
    t.def.gravity = vec(0, 0, 0);
    t.def.method = pliant_method_def_default();
    t.def.method.method = method;
    trial_begin_def(&t);
    what->add(t.scene);
    if (far) {
        pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
        ball.pose.position = vec(0, -100, 0);
        add_collider(&t, &ball);
    }
    pliant_model *model = pliant_scene_compile(t.scene, &error);
    const bool    takes = model && pliant_method_takes(model, &t.def.method, &error) &&
                       (method != PLIANT_METHOD_NEWTON || trial_linear() || strcmp(what->name, "two ropes") == 0);
    pliant_model_destroy(model);
    *count = 0;
    *speed = 0;
    if (!takes) {
        pliant_scene_destroy(t.scene);
        return false;
    }
    trial_compile(&t);
    for (int i = 0; i < FRAMES; i++) {
        assert_int_equal(pliant_inputs_reset(t.inputs, 1.0 / 60), PLIANT_OK);
        if (what->grabbed) assert_int_equal(pliant_inputs_grab(t.inputs, body, 0, vec(-0.2 + 0.002 * i, -0.2, -0.2), R(1e-3)), PLIANT_OK);
        if (pliant_solver_step(t.solver, t.state, t.inputs) != PLIANT_OK)
            fail_msg("%s, method %d: it ends in frame %d", what->name, (int)method, i);
    }
    for (body.id = 1; body.id <= pliant_model_body_count(t.model); body.id++) {
        const uint32_t n = vertex_count(&t, body);
        assert_true(*count + 2 * n <= MOST);
        assert_int_equal(pliant_state_positions(t.state, body, 0, n, out + *count), PLIANT_OK);
        assert_int_equal(pliant_state_velocities(t.state, body, 0, n, out + *count + n), PLIANT_OK);
        if (body.id == 1) *speed = mean_speed(out + *count + n, n);
        *count += 2 * n;
    }
    trial_end(&t);
    return true;
}

static void a_ball_that_nothing_meets_changes_nothing(void **unused)
{
    static const met rows[] = {
        {"two soft bodies", add_soft, false, 1}, {"two ropes", add_ropes, false, 0.1}, {"one that is grabbed", add_one_soft, true, 0}};
    static pliant_vec3 alone[MOST], beside[MOST];
    uint32_t           different = 0;
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t solved = 0;
        for (int m = 0; m < PLIANT_METHOD_COUNT; m++) {
            uint32_t count, other;
            double   speed, beside_speed;
            if (!run(&rows[i], (pliant_method)m, false, alone, &count, &speed)) continue;
            assert_true(run(&rows[i], (pliant_method)m, true, beside, &other, &beside_speed));
            assert_int_equal(count, other);
            if (rows[i].begins > 0 && !(speed < 0.9 * rows[i].begins)) fail_msg("%s, method %d: they do not meet", rows[i].name, m);
            solved++;
            if (memcmp(alone, beside, count * sizeof *alone) == 0) continue;
            different++;
            print_message("%s, method %d: they differ\n", rows[i].name, m);
        }
        assert_true(solved >= PLIANT_METHOD_COUNT - 1);
    }
    assert_int_equal(different, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_ball_that_nothing_meets_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
