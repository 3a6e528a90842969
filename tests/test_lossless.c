/* That passive scenes gain no energy is not bought with damping: what swings keeps what first order in time leaves it, and all of it as substeps shrink. */
#include "trial.h"

/* The amplitude of a spring of 1 Hz after a second, of 1 to begin with. */
static double spring_after_a_second(uint32_t substeps)
{
    const double   x[2][3] = {{0, 0, 0}, {2, 0, 0}}, inverse[2] = {0, 1}, omega = 2 * TEST_PI;
    const uint32_t ids[2] = {0, 1};
    trial          t;
    double         most = 0;
    trial_begin(&t, 0, substeps, 1);
    const pliant_law  law = compliant(1 / (omega * omega));
    const pliant_body body = add_points(&t, 2, x, NULL, inverse, NULL);
    add_link(&t, body, PLIANT_CONSTRAINT_DISTANCE, ids, 1, &law);
    trial_compile(&t);
    for (int f = 0; f < 60; f++) {
        double at[3], v[3];
        trial_run(&t, 1.0 / 60, 1);
        point_of(&t, body, 1, at);
        speed_of(&t, body, 1, v);
        most = sqrt((at[0] - 1) * (at[0] - 1) + v[0] * v[0] / (omega * omega));
    }
    trial_end(&t);
    return most;
}

static void a_spring_of_one_hertz_keeps_its_amplitude(void **unused)
{
    static const uint32_t substeps[] = {5, 10, 20, 40, 80};
    (void)unused;
    double lost_before = 1;
    for (int i = 0; i < 5; i++) {
        const double left = spring_after_a_second(substeps[i]);
        print_message("%u substeps: %.4f is left after a second\n", substeps[i], left);
        assert_true(1 - left < 0.55 * lost_before);
        lost_before = 1 - left;
    }
    near(spring_after_a_second(5), 0.936, 0.00936);
    near(spring_after_a_second(10), 0.968, 0.00968);
}

/* Height of the middle of a cube of rubber, without damping, at the top of its first bounce, above where it lies; it falls 1 m. */
static double bounce_of(uint32_t substeps)
{
    trial           t;
    pliant_soft_def def = pliant_soft_def_default();
    double          highest = 0;
    bool            touched = false;
    trial_begin(&t, 9.81, substeps, 1);
    def.cells[0] = def.cells[1] = def.cells[2] = 3;
    def.extent = vec(0.3, 0.3, 0.3);
    def.material = pliant_material_preset(PLIANT_RUBBER);
    def.material.damping = 0;
    def.material.restitution = 0;
    def.body.placement.position = vec(0, 1.15, 0);
    const pliant_body         body = pliant_scene_add_soft(t.scene, &def, NULL);
    const pliant_collider_def floor = plane_def(0, 0, 0, 0);
    add_collider(&t, &floor);
    trial_compile(&t);
    for (int f = 0; f < 75; f++) {
        double middle = 0;
        trial_run(&t, 1.0 / 60, 1);
        for (uint32_t i = 0; i < vertex_count(&t, body); i++) {
            double at[3];
            point_of(&t, body, i, at);
            middle += at[1] / vertex_count(&t, body);
        }
        touched = touched || middle < 0.16;
        if (touched && middle - 0.15 > highest) highest = middle - 0.15;
    }
    trial_end(&t);
    return highest;
}

static void rubber_bounces_the_higher_the_more_substeps(void **unused)
{
    static const uint32_t substeps[] = {10, 20, 40, 80, 160};
    static const double   as_it_is[] = {0.299, 0.365, 0.433, 0.483, 0.519}; /* what the library had when energy became a law */
    (void)unused;
    double before = 0;
    for (int i = 0; i < 5; i++) {
        const double high = bounce_of(substeps[i]);
        print_message("%u substeps: it bounces to %.4f m\n", substeps[i], high);
        assert_true(high > before && high < 1);
        near(high, as_it_is[i], 0.03 * as_it_is[i]);
        before = high;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_spring_of_one_hertz_keeps_its_amplitude),
                                       cmocka_unit_test(rubber_bounces_the_higher_the_more_substeps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
