/* The law: a soft body is as stiff as its Young's modulus and Poisson's ratio say, whatever its mesh.
 *
 * A bar's small displacements are solved for exactly from the rows of the draft: the stiffness of a row is gradient times gradient over
 * compliance, and conjugate gradients in double make the forces balance. One end's faces are held and the others moved, along the bar only. */
#include "pliant/io.h"
#include "statics.h"

static void extent(const statics *b, int axis, double *low, double *high)
{
    *low = DBL_MAX;
    *high = -DBL_MAX;
    for (uint32_t i = 0; i < b->count; i++) {
        const double x = b->x[3 * i + (uint32_t)axis];
        *low = x < *low ? x : *low;
        *high = x > *high ? x : *high;
    }
}

/* Stretches the bar by `strain` along an axis: its Young's modulus, and Poisson's ratio across, from the mean of how points move with where they are. */
static void pull(statics *b, int axis, double *young, double ratio[2])
{
    double low[3], high[3], strain = 1e-3, load = 0, area = 1;
    for (int a = 0; a < 3; a++) extent(b, a, &low[a], &high[a]);
    const double length = high[axis] - low[axis];
    memset(b->u, 0, 3 * b->count * sizeof *b->u);
    memset(b->held, 0, 3 * b->count * sizeof *b->held);
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t at = 3 * i + (uint32_t)axis;
        const bool first = b->x[at]<low[axis] + 1e-5 * length, last = b->x[at]> high[axis] - 1e-5 * length;
        b->held[at] = first || last;
        b->u[at] = last ? strain * length : 0;
    }
    statics_balance(b);
    statics_multiply(b, b->u, b->q);
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t at = 3 * i + (uint32_t)axis;
        if (b->held[at] && b->u[at] > 0) load += b->q[at];
    }
    for (int side = 0; side < 2; side++) {
        const uint32_t a = (uint32_t)((axis + 1 + side) % 3);
        double         xx = 0, xu = 0, mean[2] = {0, 0};
        for (uint32_t i = 0; i < b->count; i++) mean[0] += b->x[3 * i + a] / b->count, mean[1] += b->u[3 * i + a] / b->count;
        for (uint32_t i = 0; i < b->count; i++) {
            xx += (b->x[3 * i + a] - mean[0]) * (b->x[3 * i + a] - mean[0]);
            xu += (b->x[3 * i + a] - mean[0]) * (b->u[3 * i + a] - mean[1]);
        }
        ratio[side] = -xu / xx / strain;
        area *= high[a] - low[a];
    }
    *young = load / area / strain;
}

static statics lattice(const uint32_t cells[3], double a, double b, double c, double young, double poisson)
{
    pliant_scene   *scene = pliant_scene_create(NULL, NULL);
    pliant_soft_def def = pliant_soft_def_default();
    def.model = PLIANT_SOLID_DISTANCE;
    memcpy(def.cells, cells, sizeof def.cells);
    def.extent = vec(a * cells[0], b * cells[1], c * cells[2]);
    def.material.young = R(young);
    def.material.poisson = R(poisson);
    assert_int_not_equal(pliant_scene_add_soft(scene, &def, NULL).id, 0);
    return statics_of(scene);
}

static void check_bar(statics *b, int axis, double poisson)
{
    double young, ratio[2];
    pull(b, axis, &young, ratio);
    if (fabs(young / 1e5 - 1) > 0.1 || fabs(ratio[0] - poisson) > 0.03 || fabs(ratio[1] - poisson) > 0.03)
        fail_msg("along %d, ratio %g: %g of the modulus, ratios %g and %g", axis, poisson, young / 1e5, ratio[0], ratio[1]);
}

/* Near its surface a lattice can give way between its points, which lowers a ratio near 1/4: 0.25 instead of 0.3 with two cells. */
static void a_lattice_has_the_modulus_and_ratio_that_it_was_given(void **state)
{
    (void)state;
    static const struct {
        uint32_t cells[3];
        double   cell[3], least;
    } bodies[] = {{{1, 1, 1}, {1, 1, 1}, 0.4}, {{2, 2, 2}, {1, 1, 1}, 0.4},  {{2, 2, 4}, {1, 1, 1}, 0.4},
                  {{3, 3, 6}, {1, 1, 1}, 0.3}, {{4, 4, 8}, {1, 1, 1}, 0.3},  {{5, 4, 3}, {1, 1, 1}, 0.3},
                  {{8, 8, 8}, {1, 1, 1}, 0.3}, {{20, 5, 5}, {1, 1, 1}, 0.3}, {{6, 6, 6}, {1, 1.06, 0.95}, 0.3}};
    static const double nu[3] = {0.3, 0.4, 0.49};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (int k = 0; k < 3; k++) {
            if (nu[k] < bodies[i].least) continue;
            const double *c = bodies[i].cell;
            statics       b = lattice(bodies[i].cells, c[0] * 0.1, c[1] * 0.1, c[2] * 0.1, 1e5, nu[k]);
            for (int axis = 0; axis < 3; axis++) check_bar(&b, axis, nu[k]);
            statics_end(&b);
        }
}

/* 0.8 by 0.3 by 0.3 m, of 318 points, made by Gmsh. */
static void a_mesh_has_them_along_itself(void **state)
{
    (void)state;
    static const double nu[3] = {0.3, 0.4, 0.49};
    char                path[1024];
    snprintf(path, sizeof path, "%s/tests/bar.msh", getenv("PLIANT_SOURCE_DIR"));
    for (int k = 0; k < 3; k++) {
        pliant_tets     tets = {0};
        pliant_scene   *scene = pliant_scene_create(NULL, NULL);
        pliant_soft_def def = pliant_soft_def_default();
        def.model = PLIANT_SOLID_DISTANCE;
        assert_int_equal(pliant_tets_load(path, &tets, NULL), PLIANT_OK);
        def.mesh = pliant_tet_view_from(&tets);
        def.mend = true;
        def.material.poisson = R(nu[k]);
        assert_int_not_equal(pliant_scene_add_soft(scene, &def, NULL).id, 0);
        pliant_tets_free(&tets);
        statics b = statics_of(scene);
        check_bar(&b, 0, nu[k]);
        statics_end(&b);
    }
}

/* A block that stands on the ground, its sides free: its top sinks by rho g h^2 / 2 E. */
static void a_block_sinks_alike_at_every_resolution(void **state)
{
    (void)state;
    static const double nu[2] = {0.4, 0.49};
    for (int k = 0; k < 2; k++)
        for (uint32_t n = 2; n <= 8; n *= 2) {
            statics b = lattice((uint32_t[]){n, n, n}, 0.3 / n, 0.3 / n, 0.3 / n, 1e5, nu[k]);
            double  low, high, sunk = 0;
            extent(&b, 1, &low, &high);
            for (uint32_t i = 0; i < b.count; i++) {
                b.force[3 * i + 1] = -b.scene->particles.data[i].mass * 9.81;
                b.held[3 * i + 1] = b.x[3 * i + 1] < low + 1e-6;
            }
            statics_balance(&b);
            for (uint32_t i = 0; i < b.count; i++)
                if (b.x[3 * i + 1] > high - 1e-6) sunk -= b.u[3 * i + 1] / ((n + 1) * (n + 1));
            const double right = 9.81 * 0.3 * 0.3 / 2 / 1e5; /* density 1 */
            if (fabs(sunk / right - 1) > 0.1) fail_msg("%u cells, ratio %g: the top sinks %g of what it should", n, nu[k], sunk / right);
            statics_end(&b);
        }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const double      poisson[] = {-1, 0, 0.25, 0.5, 1};
    static const char *const why[] = {"from 0 and below 0.5", "above 0.25", "above 0.25", "from 0 and below 0.5", "from 0 and below 0.5"};
    pliant_scene            *scene = pliant_scene_create(NULL, NULL);
    pliant_error             error = {0};
    pliant_soft_def          def = pliant_soft_def_default();
    def.model = PLIANT_SOLID_DISTANCE;
    for (size_t i = 0; i < sizeof poisson / sizeof *poisson; i++) {
        def.material.poisson = R(poisson[i]);
        assert_int_equal(pliant_scene_add_soft(scene, &def, &error).id, 0);
        assert_non_null(strstr(error.message, "poisson must be "));
        assert_non_null(strstr(error.message, why[i]));
    }
    def.material.poisson = R(0.4);
    def.material.young = -1;
    assert_int_equal(pliant_scene_add_soft(scene, &def, &error).id, 0);
    assert_non_null(strstr(error.message, "young must be >= 0"));
    pliant_scene_destroy(scene);
}

/* Every law of a soft body of this material, in turn. */
static void check_laws(const pliant_material *m, double stretch, double volume)
{
    pliant_scene   *scene = pliant_scene_create(NULL, NULL);
    pliant_soft_def def = pliant_soft_def_default();
    def.model = PLIANT_SOLID_DISTANCE;
    def.material = *m;
    assert_int_not_equal(pliant_scene_add_soft(scene, &def, NULL).id, 0);
    for (size_t i = 0; i < scene->laws.count; i++) {
        const pliant__draft_law *law = &scene->laws.data[i];
        const double             want = law->kind == PLIANT_CONSTRAINT_DISTANCE ? stretch : volume;
        if (want < 0)
            assert_true(law->law.compliance > 0);
        else
            assert_true(law->law.compliance == R(want));
    }
    pliant_scene_destroy(scene);
}

static void laws_that_say_something_are_obeyed_and_nothing_else_is_rigid(void **state)
{
    (void)state;
    pliant_material m = pliant_material_default();
    check_laws(&m, -1, -1);
    m.stretch.compliance = R(1e-4);
    check_laws(&m, 1e-4, -1);
    m.has_volume = true;
    check_laws(&m, 1e-4, 0);
    m.young = 0;
    m.stretch.compliance = 0;
    check_laws(&m, 0, 0);
    for (int p = 0; p < PLIANT_PRESET_COUNT; p++)
        if (p == PLIANT_JELLY || p == PLIANT_RUBBER) {
            m = pliant_material_preset((pliant_preset)p);
            check_laws(&m, -1, -1);
        }
    m = pliant_material_preset(PLIANT_LEGACY_JELLY);
    check_laws(&m, 4e-3, 0);
    m = pliant_material_preset(PLIANT_LEGACY_RUBBER);
    check_laws(&m, 1.3e-5, 0);
}

/* Another material gives laws that are those of a body made of it. */
static void a_material_can_be_changed(void **state)
{
    (void)state;
    const pliant_material soft = pliant_material_preset(PLIANT_JELLY), firm = pliant_material_preset(PLIANT_RUBBER);
    pliant_scene         *changed = pliant_scene_create(NULL, NULL), *made = pliant_scene_create(NULL, NULL);
    pliant_soft_def       def = pliant_soft_def_default();
    def.model = PLIANT_SOLID_DISTANCE;
    def.material = soft;
    const pliant_body body = pliant_scene_add_soft(changed, &def, NULL);
    assert_int_equal(pliant_scene_set_material(changed, body, &firm, NULL), PLIANT_OK);
    def.material = firm;
    pliant_scene_add_soft(made, &def, NULL);
    assert_int_equal(changed->laws.count, made->laws.count);
    for (size_t i = 0; i < made->laws.count; i++) assert_true(changed->laws.data[i].law.compliance == made->laws.data[i].law.compliance);
    pliant_scene_destroy(changed);
    pliant_scene_destroy(made);
}

/* A block of cubes, 0.3 m high, over a floor that holds it by friction. */
static pliant_body begin_block(trial *t, const uint32_t n[3], const pliant_material *material, double middle, uint32_t substeps,
                               uint32_t iterations)
{
    pliant_soft_def     def = pliant_soft_def_default();
    pliant_collider_def plane = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    def.model = PLIANT_SOLID_DISTANCE;
    trial_begin(t, 9.81, substeps, iterations);
    memcpy(def.cells, n, sizeof def.cells);
    def.extent = vec(0.3 * n[0] / n[1], 0.3, 0.3 * n[2] / n[1]);
    def.material = *material;
    def.body.placement.position = vec(0, middle, 0);
    const pliant_body body = pliant_scene_add_soft(t->scene, &def, NULL);
    plane.friction_static = plane.friction_dynamic = R(0.6);
    pliant_scene_add_collider(t->scene, &plane, NULL);
    trial_compile(t);
    return body;
}

/* Cubes put on a floor: in the end the mean of the top lies over that of the bottom. They are damped so that what is left after four seconds is how
 * they stand, not how they swing. */
static void cubes_stand_upright(void **state)
{
    (void)state;
    static const uint32_t cells[][3] = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {5, 5, 5}, {8, 8, 8}, {3, 4, 4}, {4, 3, 5}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        trial           t;
        const uint32_t *n = cells[i], row = n[0] + 1, layer = row * (n[1] + 1);
        pliant_material jelly = pliant_material_preset(PLIANT_JELLY);
        jelly.damping = 5;
        const pliant_body body = begin_block(&t, n, &jelly, 0.16, 10, 2);
        trial_run(&t, 1.0 / 60, 240);
        pliant_vec3 *x = statics_zeros(layer * (n[2] + 1), sizeof *x);
        assert_int_equal(pliant_state_positions(t.state, body, 0, layer * (n[2] + 1), x), PLIANT_OK);
        double aside[2] = {0, 0};
        for (uint32_t k = 0; k <= n[2]; k++)
            for (uint32_t a = 0; a <= n[0]; a++) {
                const pliant_vec3 low = x[k * layer + a], high = x[k * layer + n[1] * row + a];
                aside[0] += ((double)high.x - (double)low.x) / (row * (n[2] + 1));
                aside[1] += ((double)high.z - (double)low.z) / (row * (n[2] + 1));
            }
        free(x);
        trial_end(&t);
        if (fabs(aside[0]) > 0.005 * 0.3 || fabs(aside[1]) > 0.005 * 0.3)
            fail_msg("%u %u %u cells: the top is %g and %g m aside", n[0], n[1], n[2], aside[0], aside[1]);
    }
}

/* How far the sides of a block have turned, degrees: the angle between where each points on average, and where it pointed; and how high its middle is. */
static double turned(const trial *t, pliant_body body, const uint32_t n[3], double *height)
{
    const uint32_t row = n[0] + 1, layer = row * (n[1] + 1), count = layer * (n[2] + 1);
    pliant_vec3   *x = statics_zeros(count, sizeof *x);
    double         along[3][3] = {{0}}, most = 0;
    assert_int_equal(pliant_state_positions(t->state, body, 0, count, x), PLIANT_OK);
    *height = 0;
    for (uint32_t v = 0; v < count; v++) {
        const uint32_t at[3] = {v % row, v / row % (n[1] + 1), v / layer};
        *height += (double)x[v].y / count;
        for (int axis = 0; axis < 3; axis++) {
            const double side = at[axis] == n[axis] ? 1 : at[axis] ? 0 : -1;
            along[axis][0] += side * (double)x[v].x;
            along[axis][1] += side * (double)x[v].y;
            along[axis][2] += side * (double)x[v].z;
        }
    }
    for (int axis = 0; axis < 3; axis++) most = fmax(most, acos(along[axis][axis] / length3(along[axis])) * 180 / TEST_PI);
    free(x);
    return most;
}

/* A block that falls flat, until it is as high as it comes again. In ten substeps rubber is turned by up to 4 degrees: sweeps leave much of it, and not
 * the same on all sides. */
static void a_bounce_does_not_turn(void **state)
{
    (void)state;
    static const uint32_t      cells[][3] = {{3, 3, 3}, {5, 5, 5}, {8, 8, 8}};
    static const pliant_preset presets[] = {PLIANT_JELLY, PLIANT_RUBBER};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        for (int p = 0; p < 2; p++) {
            trial                 t;
            const pliant_material material = pliant_material_preset(presets[p]);
            const pliant_body     body = begin_block(&t, cells[i], &material, 0.65, p ? 40 : 10, 1);
            double                height = 1, before, angle = 0, most = 0;
            bool                  rises = false;
            for (int f = 0; f < 90; f++) {
                trial_run(&t, 1.0 / 60, 1);
                before = height;
                angle = turned(&t, body, cells[i], &height);
                if (rises && height < before) break;
                rises = rises || height > before;
                most = fmax(most, angle);
            }
            assert_true(rises);
            print_message("%s, %u cells: at %.3f m turned by %.3f degrees, by %.3f at the most\n", p ? "rubber" : "jelly", cells[i][0],
                          height, angle, most);
            assert_true(angle < 1);
            trial_end(&t);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_lattice_has_the_modulus_and_ratio_that_it_was_given),
                                       cmocka_unit_test(a_mesh_has_them_along_itself),
                                       cmocka_unit_test(a_block_sinks_alike_at_every_resolution),
                                       cmocka_unit_test(what_cannot_be_is_refused),
                                       cmocka_unit_test(laws_that_say_something_are_obeyed_and_nothing_else_is_rigid),
                                       cmocka_unit_test(a_material_can_be_changed),
                                       cmocka_unit_test(cubes_stand_upright),
                                       cmocka_unit_test(a_bounce_does_not_turn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
