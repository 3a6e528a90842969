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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_spring_of_one_hertz_keeps_its_amplitude)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
