/* What should rest, rests: five seconds after it was let go it has a mean speed below 1 mm/s, and no particle is faster than 1 cm/s, without
 * sleeping. Where corners hang they may swing as long as the preset's damping d lets them: v0 exp(-d t), but no faster than 3 cm/s. What hangs from a
 * ball all around swings longer than that, and has twenty seconds. What does not rest has its own bound, and docs/contact.md says why. */
#include "more.h"
#include "trial.h"

#define DT (1.0 / 60)
#define MEAN 1e-3 /* m/s */
#define MOST 1e-2 /* m/s */
#define SETTLES 300u
#define LOOKS 12u /* frames after those, all of which must be slow */

static void begin(trial *w, uint32_t substeps) { trial_begin(w, 9.81, substeps, 1); }

static pliant_body add_sheet(trial *w, pliant_preset preset, uint32_t cells, pliant_vec3 at)
{
    pliant_cloth_def d = pliant_cloth_def_default();
    d.cells_x = d.cells_z = cells;
    d.material = pliant_material_preset(preset);
    d.body.placement.position = at;
    d.body.self_contact = true;
    const pliant_body body = pliant_scene_add_cloth(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

static void add_cube(trial *w, pliant_preset preset, double y)
{
    pliant_soft_def d = pliant_soft_def_default();
    d.cells[0] = d.cells[1] = d.cells[2] = 3;
    d.extent = vec(0.06, 0.06, 0.06);
    d.material = pliant_material_preset(preset);
    d.material.thickness = R(0.002);
    d.material.friction_static = d.material.friction_dynamic = R(0.6);
    d.body.placement.position = vec(0, y, 0);
    assert_int_not_equal(pliant_scene_add_soft(w->scene, &d, NULL).id, 0);
}

static void add_floor(trial *w)
{
    const pliant_collider_def floor = plane_def(0, 0.6, 0.6, 0);
    add_collider(w, &floor);
}

/* Speeds of all particles, m/s. */
static void speeds(const trial *w, double *mean, double *most)
{
    double   sum = 0;
    uint32_t count = 0;
    *most = 0;
    for (uint32_t b = 0; b < pliant_model_body_count(w->model); b++) {
        const pliant_body body = pliant_model_body_at(w->model, b).body;
        for (uint32_t i = 0; i < vertex_count(w, body); i++, count++) {
            double v[3];
            speed_of(w, body, i, v);
            const double speed = length3(v);
            sum += speed;
            *most = fmax(*most, speed);
        }
    }
    *mean = sum / count;
}

/* Runs so many frames: the largest mean speed, and the largest one, in the frames after them, m/s. Ends the trial. */
static void settle(trial *w, uint32_t settles, double *mean, double *most)
{
    *mean = *most = 0;
    trial_compile(w);
    trial_run(w, DT, settles);
    for (uint32_t i = 0; i < LOOKS; i++) {
        double m, n;
        trial_run(w, DT, 1);
        speeds(w, &m, &n);
        *mean = fmax(*mean, m);
        *most = fmax(*most, n);
    }
    trial_end(w);
}

static void must_rest(const char *what, double mean, double most, double most_mean, double most_most)
{
    if (!(mean <= most_mean && most <= most_most))
        fail_msg("%s: mean %g, most %g m/s; allowed are %g and %g", what, mean, most, most_mean, most_most);
}

static void rests_within(trial *w, const char *what, uint32_t settles, double most_mean, double most_most)
{
    double mean, most;
    settle(w, settles, &mean, &most);
    must_rest(what, mean, most, most_mean, most_most);
}

/* swings: m/s, how fast a particle may still be. */
static void rests(trial *w, const char *what, double swings) { rests_within(w, what, SETTLES, MEAN, MOST + swings); }

static const pliant_preset fabrics[] = {PLIANT_COTTON, PLIANT_SILK, PLIANT_DENIM, PLIANT_RUBBER_SHEET};
static const uint32_t      substeps_tried[] = {10, 40};

static double swing_of(pliant_preset preset) { return fmin(0.02, 2 * exp(-(double)pliant_material_preset(preset).damping * SETTLES * DT)); }

/* Of what is tried with several numbers of substeps every second one, unless there is time for all. */
static bool in_turn(size_t number) { return (number + this_turn()) % 2 == 0 || takes_its_time(); }

static void sheets_on_a_floor(void **unused)
{
    (void)unused;
    for (size_t p = 0; p < 4; p++)
        for (size_t k = 0; k < 2; k++) {
            trial w;
            char  what[80];
            if (!in_turn(p + k)) continue;
            begin(&w, substeps_tried[k]);
            add_floor(&w);
            add_sheet(&w, fabrics[p], 16, vec(0, 0.1, 0));
            snprintf(what, sizeof what, "%s on a floor, %u substeps", pliant_preset_name(fabrics[p]), substeps_tried[k]);
            rests(&w, what, 0);
        }
}

static void sheets_over_an_edge(void **unused)
{
    (void)unused;
    for (size_t p = 0; p < 4; p++)
        for (size_t k = 0; k < 2; k++) {
            trial               w;
            char                what[80];
            pliant_collider_def box = pliant_collider_def_default(PLIANT_SHAPE_BOX);
            if (!in_turn(p + k + 1)) continue;
            begin(&w, substeps_tried[k]);
            box.half_extent = vec(1, 0.5, 1);
            box.pose.position = vec(-0.8, -0.5, 0);
            box.friction_static = box.friction_dynamic = R(0.6);
            add_collider(&w, &box);
            add_sheet(&w, fabrics[p], 16, vec(0, 0.02, 0));
            snprintf(what, sizeof what, "%s over an edge, %u substeps", pliant_preset_name(fabrics[p]), substeps_tried[k]);
            rests(&w, what, swing_of(fabrics[p]));
        }
}

static void soft_bodies_on_a_floor(void **unused)
{
    (void)unused;
    static const pliant_preset softs[] = {PLIANT_JELLY, PLIANT_RUBBER};
    for (size_t p = 0; p < 2; p++)
        for (size_t k = 0; k < 2; k++) {
            trial w;
            char  what[80];
            begin(&w, substeps_tried[k]);
            add_floor(&w);
            add_cube(&w, softs[p], 0.032);
            snprintf(what, sizeof what, "%s, %u substeps", pliant_preset_name(softs[p]), substeps_tried[k]);
            rests(&w, what, 0);
        }
}

/* Sheets fold over a ball, meet themselves, and reach the floor with their corners. */
static void sheets_on_a_ball(void **unused)
{
    (void)unused;
    for (size_t p = 0; p < 4; p++) {
        trial               w;
        char                what[80];
        pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
        if (!in_turn(p)) continue;
        begin(&w, 10);
        add_floor(&w);
        ball.radius = R(0.25);
        ball.pose.position = vec(0, 0.25, 0);
        ball.friction_static = ball.friction_dynamic = R(0.6);
        add_collider(&w, &ball);
        add_sheet(&w, fabrics[p], 16, vec(0.03, 0.52, 0.02));
        snprintf(what, sizeof what, "%s on a ball", pliant_preset_name(fabrics[p]));
        rests_within(&w, what, 4 * SETTLES, MEAN, MOST);
    }
}

/* Three jellies of 6 cm fall onto each other from 2 mm. */
static void a_stack_of_jellies(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < 3; k++) {
        static const uint32_t substeps[] = {10, 20, 40};
        trial                 w;
        char                  what[80];
        begin(&w, substeps[k]);
        add_floor(&w);
        for (int i = 0; i < 3; i++) add_cube(&w, PLIANT_JELLY, 0.032 + 0.066 * i);
        snprintf(what, sizeof what, "three jellies, %u substeps", substeps[k]);
        rests_within(&w, what, SETTLES, substeps[k] == 40 ? 1.5 * MEAN : MEAN, MOST); /* with 40, 0.9 mm/s, and 1.1 in float64 */
    }
}

#define ROPE 200 /* segments of a centimetre each */

/* Two metres of rope that hang above a floor, in waves of a width, m, and are let go. */
static void add_falling_rope(trial *w, double waves)
{
    pliant_rope_def    d = pliant_rope_def_default();
    static pliant_vec3 at[ROPE + 1];
    for (int i = 0; i <= ROPE; i++) at[i] = vec(waves * sin(0.09 * i), 0.05 + 0.01 * i, waves * cos(0.07 * i));
    d.points = at;
    d.point_count = ROPE + 1;
    d.material = pliant_material_preset(PLIANT_ROPE);
    d.body.self_contact = true;
    assert_int_not_equal(pliant_scene_add_rope(w->scene, &d, NULL).id, 0);
}

static double middle_of(const double a[3]) { return fmax(fmin(a[0], a[1]), fmin(fmax(a[0], a[1]), a[2])); }

/* Arches between contacts that overlap and rub may go on swinging (docs/contact.md), and whether one does is chance: a heap of a rope that fell in waves a
 * two-hundredth wider is another heap. So of three such heaps the middle one counts. With 40 substeps bounds are wider. */
static void a_heap_of_rope(void **unused)
{
    (void)unused;
    static const double others[] = {0.995, 1, 1.005};
    static const struct {
        double   waves; /* m */
        uint32_t substeps;
        double   mean, most; /* m/s */
    } heaps[] = {{0.01, 10, MEAN, 0.02}, {0.03, 10, MEAN, 0.02}, {0.06, 10, MEAN, 0.02}, {0.01, 20, MEAN, 0.02},
                 {0.03, 20, MEAN, 0.02}, {0.06, 20, MEAN, 0.02}, {0.01, 40, 2e-3, 0.03}};
    for (size_t i = 0; i < sizeof heaps / sizeof *heaps; i++) {
        double mean[3], most[3];
        char   what[80];
        if (!in_turn(i)) continue;
        for (int k = 0; k < 3; k++) {
            trial w;
            begin(&w, heaps[i].substeps);
            add_floor(&w);
            add_falling_rope(&w, others[k] * heaps[i].waves);
            settle(&w, SETTLES, &mean[k], &most[k]);
        }
        snprintf(what, sizeof what, "a rope in waves of %g m, %u substeps", heaps[i].waves, heaps[i].substeps);
        must_rest(what, middle_of(mean), middle_of(most), heaps[i].mean, heaps[i].most);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sheets_on_a_floor),      cmocka_unit_test(sheets_over_an_edge),
                                       cmocka_unit_test(soft_bodies_on_a_floor), cmocka_unit_test(sheets_on_a_ball),
                                       cmocka_unit_test(a_stack_of_jellies),     cmocka_unit_test(a_heap_of_rope)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
