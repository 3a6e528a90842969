/* The law: damping that is said by a ratio, or by a time, makes a spring swing as its closed form has it. */
#include "trial.h"

#include "pliant/io.h"

/* ---- a scene of text ---- */

static void begin(trial *t, const char *text)
{
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    pliant_scene_file file;
    if (pliant_scene_read_text(text, strlen(text), "scene", "", NULL, &file, &error) != PLIANT_OK)
        fail_msg("line %d: %s", error.line, error.message);
    t->scene = file.scene;
    trial_compile(t);
}

static double gap_of(const trial *t, uint32_t a, uint32_t b)
{
    double p[3], q[3];
    point_of(t, (pliant_body){1}, a, p);
    point_of(t, (pliant_body){1}, b, q);
    for (int k = 0; k < 3; k++) p[k] -= q[k];
    return length3(p);
}

/* By how much a spring of 1 m between vertices 0 and 1 that is drawn by 0.5 m, and let go, is drawn less after a swing: the logarithm of the ratio. */
static double decrement_of(trial *t)
{
    const pliant_vec3 to = vec(1.5, 0, 0);
    double            before = 0, now = 0.5;
    assert_int_equal(pliant_state_set_positions(t->state, (pliant_body){1}, 1, 1, &to), PLIANT_OK);
    for (int f = 0; f < 3000; f++) {
        trial_run(t, 1.0 / 1000, 1);
        const double next = gap_of(t, 0, 1) - 1;
        if (f > 1 && now > before && now >= next && now > 0) return log(0.5 / now);
        before = now;
        now = next;
    }
    fail_msg("it does not swing");
    return 0;
}

static double decrement(double ratio) { return 2 * TEST_PI * ratio / sqrt(1 - ratio * ratio); }

#define ROPE                                                                                                                         \
    "{\"pliant\": 1, \"solver\": {\"substeps\": 1, \"gravity\": [0, 0, 0]}, \"bodies\": [{\"type\": \"rope\", \"from\": [0, 0, 0], " \
    "\"to\": [1, 0, 0], \"segments\": 1, \"pins\": [{\"vertices\": [0]}], \"material\": {\"density\": 2, \"stretch\": {%s}}}]}"

/* A mass of 1 kg on a spring of 100 N/m swings with 10 rad/s. What steps of backward Euler damp, 10 rad/s times half a substep, is added. */
static void a_spring_swings_by_its_ratio(void **unused)
{
    static const double ratios[] = {0.05, 0.1, 0.2, 0.4};
    (void)unused;
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
        for (int time = 0; time < 2; time++) {
            trial  t;
            char   stretch[200], text[1000];
            double own = 10.0 / 1000 / 2;
            snprintf(stretch, sizeof stretch,
                     time ? "\"compliance\": 0.01, \"damping_time\": %g" : "\"compliance\": 0.01, \"damping_ratio\": %g",
                     time ? ratios[i] * 2 / 10 : ratios[i]);
            snprintf(text, sizeof text, ROPE, stretch);
            begin(&t, text);
            const double found = decrement_of(&t), asked = decrement(ratios[i] + own);
            print_message("ratio %g, by %s: decrement %.4f, by the closed form %.4f\n", ratios[i], time ? "its time" : "itself", found,
                          asked);
            near(found, asked, 0.02 * asked);
            trial_end(&t);
        }
}

/* Two masses of 1 and 3 kg with nothing else swing as one of 0.75 kg. */
static void the_ratio_is_of_the_pair_of_masses(void **unused)
{
    trial t;
    (void)unused;
    begin(&t,
          "{\"pliant\": 1, \"solver\": {\"substeps\": 1, \"gravity\": [0, 0, 0]}, \"bodies\": [{\"type\": \"particles\", \"particles\": "
          "[{\"x\": [0, 0, 0], \"mass\": 3}, {\"x\": [1, 0, 0], \"mass\": 1}], \"constraints\": [{\"kind\": \"distance\", \"ids\": [0, 1], "
          "\"compliance\": 0.01, \"damping_ratio\": 0.1}]}]}");
    const double asked = decrement(0.1 + sqrt(100 / 0.75) / 1000 / 2), found = decrement_of(&t);
    print_message("decrement %.4f, by the closed form %.4f\n", found, asked);
    near(found, asked, 0.02 * asked);
    trial_end(&t);
}

/* With a ratio of 1 it comes to rest and does not swing through. */
static void what_is_critically_damped_does_not_swing(void **unused)
{
    trial             t;
    char              text[1000];
    const pliant_vec3 to = vec(1.5, 0, 0);
    double            least = 0;
    (void)unused;
    snprintf(text, sizeof text, ROPE, "\"compliance\": 0.01, \"damping_ratio\": 1");
    begin(&t, text);
    assert_int_equal(pliant_state_set_positions(t.state, (pliant_body){1}, 1, 1, &to), PLIANT_OK);
    trial_run(&t, 1.0 / 1000, 200);
    near(gap_of(&t, 0, 1) - 1, 0.5 * 3 * exp(-2), 0.02 * 0.5); /* (1 + w t) exp(-w t) */
    for (int f = 0; f < 100; f++) {
        trial_run(&t, 1.0 / 1000, 10);
        least = fmin(least, gap_of(&t, 0, 1) - 1);
    }
    print_message("least %g m\n", least);
    assert_true(least > -BOUND(1e-9, 1e-3));
    trial_end(&t);
}

static void what_says_nothing_or_twice_is_refused(void **unused)
{
    static const struct {
        const char *stretch, *says;
    } cases[] = {
        {"\"compliance\": 0.01, \"damping\": 1, \"damping_ratio\": 0.1", "say the same thing"},
        {"\"compliance\": 0.01, \"damping_time\": 1, \"damping_ratio\": 0.1", "say the same thing"},
        {"\"compliance\": 0, \"damping_time\": 1", "rigid"},
        {"\"compliance\": 0, \"damping_ratio\": 1", "goes with a compliance"},
        {"\"compliance\": 0.01}, \"bend\": {\"compliance\": 0.01, \"damping_ratio\": 1", "for lengths"},
        {"\"compliance\": 0.01, \"damping_ratio\": -1", "damping_ratio"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char              text[1000];
        pliant_error      error = {PLIANT_OK, 0, "", ""};
        pliant_scene_file file;
        snprintf(text, sizeof text, ROPE, cases[i].stretch);
        assert_int_equal(pliant_scene_read_text(text, strlen(text), "scene", "", NULL, &file, &error), PLIANT_ERROR_INPUT);
        assert_int_equal(error.line, 1);
        if (!strstr(error.message, cases[i].says)) fail_msg("\"%s\" instead of %s", error.message, cases[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_swings_by_its_ratio),
        cmocka_unit_test(the_ratio_is_of_the_pair_of_masses),
        cmocka_unit_test(what_is_critically_damped_does_not_swing),
        cmocka_unit_test(what_says_nothing_or_twice_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
