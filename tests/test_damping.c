/* The law: damping that is said by a ratio, or by a time, makes a spring swing as its closed form has it. */
#include "files.h"
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

/* ---- of a whole material ---- */

static int make_folder(void **state)
{
    if (enter_folder(state)) return -1;
    write_text("tet.node", "4 3 0 0\n0 0.1 0.1 0.1\n1 0.1 -0.1 -0.1\n2 -0.1 0.1 -0.1\n3 -0.1 -0.1 0.1\n");
    write_text("tet.ele", "1 4 0\n0 0 1 2 3\n");
    write_text("tri.obj", "v -0.1 0 -0.057735026919\nv 0.1 0 -0.057735026919\nv 0 0 0.115470053838\nf 1 3 2\n");
    return 0;
}

static pliant_code read_body(trial *t, const char *body, pliant_error *error)
{
    char              text[1000];
    pliant_scene_file file;
    memset(t, 0, sizeof *t);
    snprintf(text, sizeof text, "{\"pliant\": 1, \"solver\": {\"substeps\": 1, \"gravity\": [0, 0, 0]}, \"bodies\": [{%s}]}", body);
    *error = (pliant_error){PLIANT_OK, 0, "", ""};
    const pliant_code code = pliant_scene_read_text(text, strlen(text), "scene", "", NULL, &file, error);
    t->scene = file.scene;
    return code;
}

/* One element that is drawn along x, a tetrahedron without change of its volume to first order, and let go, is drawn less after a swing: the logarithm of the
 * ratio. It swings with w = 10 rad/s. */
static double element_decrement(const char *body, bool solid)
{
    static const double e = BOUND(1e-4, 0.01); /* the larger, the less linear; the smaller, the more rounded */
    trial               t;
    pliant_error        error;
    double              x[3], rest = 0, before = 0, now = 0, found = 0;
    if (read_body(&t, body, &error) != PLIANT_OK) fail_msg("%s: %s", body, error.message);
    trial_compile(&t);
    for (uint32_t v = 0; v < vertex_count(&t, (pliant_body){1}); v++) {
        point_of(&t, (pliant_body){1}, v, x);
        if (v == 1) rest = x[0];
        const pliant_vec3 to = vec(x[0] * (1 + e), x[1] * (solid ? 1 - e / 2 : 1), x[2] * (solid ? 1 - e / 2 : 1));
        assert_int_equal(pliant_state_set_positions(t.state, (pliant_body){1}, v, 1, &to), PLIANT_OK);
    }
    now = rest * e;
    for (int f = 0; f < 500 && found == 0; f++) {
        trial_run(&t, 1.0 / 400, 1);
        point_of(&t, (pliant_body){1}, 1, x);
        const double next = x[0] - rest;
        if (f > 120 && now > before && now >= next && now > 0) found = log(rest * e / now);
        before = now;
        now = next;
    }
    trial_end(&t);
    if (found == 0) fail_msg("%s: it does not swing", body);
    return found;
}

#define TET "\"type\": \"soft\", \"mesh\": \"tet.node\", \"model\": \"%s\", \"density\": 1000, \"young\": 1250, \"poisson\": 0.25, "
#define TRI                                                                                                                         \
    "\"type\": \"cloth\", \"mesh\": \"tri.obj\", \"warp\": [1, 0, 0], \"model\": \"%s\", \"density\": 0.1, \"stretch_stiffness\": " \
    "0.066666667, \"shear_stiffness\": 0.05, "

/* w^2 = 2 mu / (density A^2) of the regular tetrahedron in shear, with corners at (A, A, A), (A, -A, -A) and so on, and 6 k / (density L^2) of the triangle along warp, of edges L = 2 A; a time is 2 ratio / w. */
static void an_element_swings_by_the_ratio_of_its_material(void **unused)
{
    static const char *const models[] = {"neo_hookean", "corotated", "stvk", "strain", "strain", "stvk"};
    static const double      ratios[] = {0.05, 0.2};
    (void)unused;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
            for (int time = 0; time < 2; time++) {
                char body[500];
                snprintf(body, sizeof body, m < 4 ? TET : TRI, models[m]);
                snprintf(body + strlen(body), sizeof body - strlen(body), time ? "\"damping_time\": %g" : "\"damping_ratio\": %g",
                         time ? ratios[i] * 2 / 10 : ratios[i]);
                const double found = element_decrement(body, m < 4), asked = decrement(ratios[i] + 10.0 / 400 / 2);
                print_message("%s %s, ratio %g, by %s: decrement %.4f, by the closed form %.4f\n", m < 4 ? "solid" : "sheet", models[m],
                              ratios[i], time ? "its time" : "itself", found, asked);
                near(found, asked, 0.03 * asked);
            }
}

/* By how much a body that is drawn to 1.2 along z, a solid pressed to 0.6 and a sheet drawn to 1.3 along x, and let go, gains more than it had, over what it turned over (docs/energy.md). */
static double gain_of(const char *body, bool solid, uint32_t substeps)
{
    trial        t;
    pliant_error error;
    if (read_body(&t, body, &error) != PLIANT_OK) fail_msg("%s: %s", body, error.message);
    trial_compile(&t);
    trial_measure(&t);
    for (uint32_t v = 0; v < vertex_count(&t, (pliant_body){1}); v++) {
        double x[3];
        point_of(&t, (pliant_body){1}, v, x);
        const pliant_vec3 to = vec((solid ? 0.6 : 1.3) * x[0], x[1], 1.2 * x[2]);
        assert_int_equal(pliant_state_set_positions(t.state, (pliant_body){1}, v, 1, &to), PLIANT_OK);
    }
    const double worst = trial_gain(&t, substeps);
    trial_end(&t);
    return worst;
}

/* Damping in time, short and long beside what a wave takes, makes no energy, whatever the substeps. */
static void damping_in_time_makes_no_energy(void **unused)
{
    static const char *const bodies[] = {
        "\"type\": \"soft\", \"cells\": [3, 3, 3], \"size\": [0.2, 0.2, 0.2], \"density\": 1000, \"poisson\": 0.4, \"model\": ",
        "\"type\": \"cloth\", \"cells\": [6, 6], \"size\": [1, 1], \"density\": 0.2, \"shear_stiffness\": 50, \"bending_rigidity\": 1e-4, "
        "\"model\": "};
    static const struct {
        const char *model;
        int         body;
        double      stiffness[2];
    } cases[] = {{"neo_hookean", 0, {1e4, 1e6}}, {"corotated", 0, {1e4, 1e6}}, {"stvk", 0, {1e4, 1e6}}, {"strain", 0, {1e4, 1e6}},
                 {"distance", 0, {1e4, 1e6}},    {"strain", 1, {100, 5e3}},    {"stvk", 1, {100, 5e3}}, {"distance", 1, {100, 5e3}}};
    static const char *const says[] = {"\"damping_time\": 1e-3", "\"damping_time\": 0.1", "\"damping_time\": 10", "\"damping_ratio\": 0.3",
                                       "\"damping_ratio\": 3"};
    static const uint32_t    substeps[] = {1, 4, 20};
    double                   most = 0;
    (void)unused;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int k = 0; k < 2; k++)
            for (size_t i = 0; i < sizeof says / sizeof *says; i++)
                for (size_t n = 0; n < sizeof substeps / sizeof *substeps; n++) {
                    char body[500];
                    snprintf(body, sizeof body, "%s\"%s\", \"%s\": %g, %s", bodies[cases[c].body], cases[c].model,
                             cases[c].body ? "stretch_warp" : "young", cases[c].stiffness[k], says[i]);
                    const double gain = gain_of(body, cases[c].body == 0, substeps[n]);
                    most = fmax(most, gain);
                    if (gain > 0.02) print_message("%s, %u substeps: gains %.3g of what it turned over\n", body, substeps[n], gain);
                }
    print_message("most: %.3g of what was turned over\n", most);
    assert_true(most <= 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_swings_by_its_ratio),
        cmocka_unit_test(the_ratio_is_of_the_pair_of_masses),
        cmocka_unit_test(what_is_critically_damped_does_not_swing),
        cmocka_unit_test(what_says_nothing_or_twice_is_refused),
        cmocka_unit_test(an_element_swings_by_the_ratio_of_its_material),
        cmocka_unit_test(damping_in_time_makes_no_energy),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
