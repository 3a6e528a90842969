/* What should rest, rests: five seconds after it was let go it has a mean speed below 1 mm/s, and no particle is faster than 1 cm/s, without
 * sleeping. Where corners hang they may swing as long as the preset's damping d lets them: v0 exp(-d t), but no faster than 3 cm/s. */
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

/* swings: m/s, how fast a particle may still be. */
static void rests(trial *w, const char *what, double swings)
{
    double mean = 0, most = 0;
    trial_compile(w);
    trial_run(w, DT, SETTLES);
    for (uint32_t i = 0; i < LOOKS; i++) {
        double m, n;
        trial_run(w, DT, 1);
        speeds(w, &m, &n);
        mean = fmax(mean, m);
        most = fmax(most, n);
    }
    if (!(mean <= MEAN && most <= MOST + swings))
        fail_msg("%s: mean %g, most %g m/s; allowed are %g and %g", what, mean, most, MEAN, MOST + swings);
    trial_end(w);
}

static const pliant_preset fabrics[] = {PLIANT_COTTON, PLIANT_SILK, PLIANT_DENIM, PLIANT_RUBBER_SHEET};
static const uint32_t      substeps_tried[] = {10, 40};

static double swing_of(pliant_preset preset) { return fmin(0.02, 2 * exp(-(double)pliant_material_preset(preset).damping * SETTLES * DT)); }

static void sheets_on_a_floor(void **unused)
{
    (void)unused;
    for (size_t p = 0; p < 4; p++)
        for (size_t k = 0; k < 2; k++) {
            trial w;
            char  what[80];
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sheets_on_a_floor), cmocka_unit_test(sheets_over_an_edge),
                                       cmocka_unit_test(soft_bodies_on_a_floor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
