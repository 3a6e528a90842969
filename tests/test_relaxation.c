/* How far relaxation goes: rigid rows settle up to pliant_relaxation_most, and one alone flies apart beyond it (docs/methods/gauss_seidel.md). */
#include "trial.h"

/* m/s, the fastest that anything is in two seconds of a rope of rigid segments that swings down from level; more than 50 m/s end it. */
static double fastest(uint32_t segments, pliant_method method, uint32_t iterations, pliant_integration integration, double relaxation)
{
    trial  t;
    double most = 0;
    memset(&t, 0, sizeof t);
    t.def = pliant_scene_def_default();
    t.def.iterations = iterations;
    t.def.integration = integration;
    t.def.method = pliant_method_def_default();
    t.def.method.method = method;
    t.def.method.relaxation = R(relaxation);
    trial_begin_def(&t);
    pliant_rope_def def = pliant_rope_def_default();
    const uint32_t  pin = 0;
    def.to = vec(0.1 * segments, 0, 0);
    def.from = vec(0, 0, 0);
    def.segments = segments;
    def.material = plain_material();
    def.material.stretch = rigid();
    const pliant_body body = pliant_scene_add_rope(t.scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    assert_int_equal(pliant_scene_pin(t.scene, body, &pin, 1, false, NULL), PLIANT_OK);
    trial_compile(&t);
    assert_int_equal(pliant_inputs_reset(t.inputs, 1.0 / 60), PLIANT_OK);
    for (int i = 0; i < 120 && most < 50; i++) {
        most = pliant_solver_step(t.solver, t.state, t.inputs) == PLIANT_OK
                   ? fmax(most, (double)pliant_solver_statistics(t.solver).max_speed)
                   : 1e9;
    }
    trial_end(&t);
    return most;
}

/* By derivation: one row, and an odd number of iterations, after which it is left on its other side. */
static void a_rigid_row_alone_bears_no_more_than_is_derived(void **unused)
{
    (void)unused;
    for (int bdf2 = 0; bdf2 < 2; bdf2++)
        for (uint32_t k = 1; k <= 5; k += 2) {
            const pliant_integration as = bdf2 ? PLIANT_INTEGRATION_BDF2 : PLIANT_INTEGRATION_FIRST_ORDER;
            const double             more = pliant_relaxation_most(PLIANT_METHOD_GAUSS_SEIDEL, k, as) - 1;
            near(pow(more, k), bdf2 ? 9.0 / 55 : 1.0 / 3, 1e-12);
            assert_true(fastest(1, PLIANT_METHOD_GAUSS_SEIDEL, k, as, 1 + 0.97 * more) < 2);
            assert_true(fastest(1, PLIANT_METHOD_GAUSS_SEIDEL, k, as, 1 + 1.03 * more) > 50);
        }
}

static void a_rope_swings_as_without_it(void **unused)
{
    static const pliant_method methods[] = {PLIANT_METHOD_GAUSS_SEIDEL, PLIANT_METHOD_HIERARCHICAL};
    (void)unused;
    for (int m = 0; m < 2; m++)
        for (uint32_t k = 1; k <= 4; k++) {
            const double most = pliant_relaxation_most(methods[m], k, PLIANT_INTEGRATION_FIRST_ORDER);
            const double found = fastest(10, methods[m], k, PLIANT_INTEGRATION_FIRST_ORDER, 1 + 0.95 * (most - 1)),
                         plain = fastest(10, methods[m], k, PLIANT_INTEGRATION_FIRST_ORDER, 1);
            if (!(found < 1.2 * plain)) fail_msg("method %d, %u iterations: %g m/s, without %g", methods[m], k, found, plain);
        }
    near(pliant_relaxation_most(PLIANT_METHOD_JACOBI, 1, PLIANT_INTEGRATION_FIRST_ORDER), 2, 0);
    near(pliant_relaxation_most(PLIANT_METHOD_GAUSS_SEIDEL, 0, PLIANT_INTEGRATION_FIRST_ORDER), 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_rigid_row_alone_bears_no_more_than_is_derived),
                                       cmocka_unit_test(a_rope_swings_as_without_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
