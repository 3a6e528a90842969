/* The law: gas flows out of the mouth of a filled surface by the orifice law, pushes the surface by the momentum that it takes with it, and makes no energy; from one
 * time to another, and wherever a run is taken up again. */
#include "shapes.h"

#define RADIUS 0.2
#define AIR 101325.0
#define MOST_MOUTH 64

typedef struct opened {
    trial       t;
    pliant_body body;
    uint32_t    mouth[MOST_MOUTH], mouth_count;
    uint32_t    corners[3 * MOST_MOUTH], face_count; /* of its faces */
} opened;

/* A ball of cloth around the origin, its mouth at the top: with vertices that lie above `above` times its radius. */
static void find_mouth(opened *o, const shape *s, double above)
{
    o->mouth_count = 0;
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        if ((double)s->x[3 * v + 1] < above * RADIUS) continue;
        assert_true(o->mouth_count < MOST_MOUTH);
        o->mouth[o->mouth_count++] = v;
    }
    assert_true(o->mouth_count > 3);
    o->face_count = 0;
    for (uint32_t i = 0; i < s->triangle_count; i++) {
        uint32_t within = 0;
        for (int k = 0; k < 3; k++) within += (double)s->x[3 * s->triangles[3 * i + (uint32_t)k] + 1] >= above * RADIUS;
        if (within < 3) continue;
        assert_true(o->face_count < MOST_MOUTH);
        memcpy(o->corners + 3 * o->face_count++, s->triangles + 3 * i, 3 * sizeof *o->corners);
    }
}

/* m^2, the area vector of the mouth. */
static void opening_of(const opened *o, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (uint32_t i = 0; i < o->face_count; i++) {
        double x[3][3], normal[3];
        for (int k = 0; k < 3; k++) point_of(&o->t, o->body, o->corners[3 * i + (uint32_t)k], x[k]);
        for (int c = 0; c < 3; c++) x[1][c] -= x[0][c], x[2][c] -= x[0][c];
        cross3(x[1], x[2], normal);
        for (int c = 0; c < 3; c++) out[c] += normal[c] / 2;
    }
}

typedef struct way {
    double   pressure, ambient, discharge, density, from, until, compliance;
    uint32_t substeps, iterations;
    bool     pinned;
} way;

static const way usual = {5000, AIR, 0.61, 1.2, 0, 0, 1e-5, 20, 4, false};

static void open_ball(opened *o, const way *w)
{
    shape            s = ball(3, 0, 0, 0, RADIUS);
    pliant_cloth_def def = pliant_cloth_def_default();
    pliant_group_def gas = pliant_group_def_default(PLIANT_GROUP_GAS);
    pliant_error     error = {PLIANT_OK, 0, "", ""};
    find_mouth(o, &s, 0.9);
    trial_begin(&o->t, 0, w->substeps, w->iterations);
    def.mesh = shape_view(&s);
    def.material.density = 0.5;
    def.material.stretch.compliance = R(w->compliance);
    def.material.has_stretch = true;
    def.bend = PLIANT_BEND_NONE;
    o->body = pliant_scene_add_cloth(o->t.scene, &def, &error);
    assert_int_not_equal(o->body.id, 0);
    gas.numbers[0] = w->pressure;
    gas.numbers[1] = w->ambient;
    gas.mouth.vertices = o->mouth;
    gas.mouth.count = o->mouth_count;
    gas.mouth.discharge = w->discharge;
    gas.mouth.density = w->density;
    gas.mouth.from = w->from;
    gas.mouth.until = w->until;
    if (pliant_scene_group(o->t.scene, o->body, &gas, &error) != PLIANT_OK) fail_msg("%s", error.message);
    for (uint32_t v = 0; w->pinned && v < s.vertex_count; v++)
        assert_int_equal(pliant_scene_pin(o->t.scene, o->body, &v, 1, false, NULL), PLIANT_OK);
    trial_compile(&o->t);
    shape_free(&s);
}

static pliant_group_now gas_of(const opened *o)
{
    pliant_group_now now;
    assert_int_equal(pliant_state_group(o->t.state, o->body, 0, &now), PLIANT_OK);
    return now;
}

static void momentum_of(const opened *o, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (uint32_t v = 0; v < vertex_count(&o->t, o->body); v++) {
        double      speed[3];
        pliant_real w;
        speed_of(&o->t, o->body, v, speed);
        assert_int_equal(pliant_state_inverse_masses(o->t.state, o->body, v, 1, &w), PLIANT_OK);
        for (int c = 0; c < 3; c++) out[c] += speed[c] / (double)w;
    }
}

/* ---- the jet ---- */

/* What a free ball gains in momentum is the jet's, 2 C p a second times the area of the mouth across its own axis. */
static void the_jet_pushes_by_its_momentum(void **unused)
{
    static const double discharges[] = {0, 0.25, 0.5, 0.61, 1};
    (void)unused;
    for (size_t i = 0; i < sizeof discharges / sizeof *discharges; i++) {
        opened o;
        way    w = usual;
        double momentum[3], impulse = 0, across[3];
        w.discharge = discharges[i];
        w.density = 5000; /* little flows out while it is measured */
        open_ball(&o, &w);
        const pliant_group_now start = gas_of(&o);
        for (int f = 0; f < 12; f++) {
            const double before = gas_of(&o).pressure;
            trial_run(&o.t, 1.0 / 240, 1);
            opening_of(&o, across);
            impulse += 2 * discharges[i] * (before + gas_of(&o).pressure) / 2 * length3(across) / 240;
        }
        momentum_of(&o, momentum);
        print_message("discharge %.2f: momentum %.5f N s, of the jet %.5f; pressure %.0f to %.0f Pa, mouth %.5f m^2\n", discharges[i],
                      -momentum[1], impulse, start.pressure, gas_of(&o).pressure, start.mouth);
        near(-momentum[1], impulse, 0.03 * impulse + 1e-4);
        near(length3(momentum), -momentum[1], 0.001 * impulse + 1e-4);
        trial_end(&o.t);
    }
}

/* ---- what flows ---- */

/* Pa: what is left after so many seconds in a room of fixed volume, by the mass of the gas, in steps of a microsecond. */
static double left_by_mass(const way *w, double volume, double area, double seconds)
{
    double mass = w->density * (w->pressure + w->ambient) / AIR * volume;
    for (double t = 0; t < seconds; t += 1e-6) {
        const double inside = mass / volume, p = inside * AIR / w->density - w->ambient;
        if (p > 0)
            mass -= 1e-6 * w->discharge * area * sqrt(2 * inside * p);
        else
            mass += 1e-6 * w->discharge * area * sqrt(2 * w->density * w->ambient / AIR * -p);
    }
    return mass / volume * AIR / w->density - w->ambient;
}

static void a_room_empties_and_fills_by_the_orifice_law(void **unused)
{
    static const double pressures[] = {5000, 30000, -4000}, densities[] = {1.2, 0.17};
    (void)unused;
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 2; k++) {
            opened o;
            way    w = usual;
            w.pressure = pressures[i];
            w.density = densities[k];
            w.pinned = true;
            w.substeps = 200;
            open_ball(&o, &w);
            const pliant_group_now start = gas_of(&o);
            for (int f = 1; f <= 4; f++) {
                trial_run(&o.t, 1.0 / 2000, 1);
                const double left = left_by_mass(&w, start.volume, start.mouth, f / 2000.0), is = gas_of(&o).pressure;
                print_message("%.0f Pa, %.2f kg/m^3, %.4f s: %.1f Pa, by the law %.1f\n", w.pressure, w.density, f / 2000.0, is, left);
                near(is, left, 0.005 * fabs(w.pressure));
            }
            trial_run(&o.t, 1.0 / 60, 6);
            near(gas_of(&o).pressure, 0, 1); /* and not beyond */
            trial_end(&o.t);
        }
}

/* What is sucked in pushes nothing. */
static void what_flows_in_pushes_nothing(void **unused)
{
    opened o;
    way    w = usual;
    double momentum[3];
    (void)unused;
    w.pressure = -4000;
    w.density = 5000; /* it stays below the air outside while it is measured */
    open_ball(&o, &w);
    const double before = gas_of(&o).number;
    for (int f = 0; f < 4; f++) {
        trial_run(&o.t, 1.0 / 2000, 1);
        assert_true(gas_of(&o).pressure < 0);
    }
    assert_true(gas_of(&o).number > before + 10);
    momentum_of(&o, momentum);
    near(length3(momentum), 0, BOUND(1e-9, 1e-3)); /* a jet of that pressure had given 0.12 N s */
    trial_end(&o.t);
}

static void a_mouth_is_open_from_one_time_to_another(void **unused)
{
    opened o;
    way    w = usual;
    double number = 0;
    (void)unused;
    w.from = 0.05;
    w.until = 0.1;
    w.discharge = 0.01;
    open_ball(&o, &w);
    for (int f = 0; f < 60; f++) {
        const double time = pliant_state_time(o.t.state);
        number = gas_of(&o).number;
        assert_true((gas_of(&o).mouth > 0) == (time >= 0.05 && time < 0.1));
        trial_run(&o.t, 1.0 / 240, 1);
        if (time < 0.05 - 1e-9 || time > 0.1 + 1e-9)
            near(gas_of(&o).number, number, 0);
        else if (time > 0.05 + 1e-9 && time < 0.1 - 1e-9)
            assert_true(gas_of(&o).number < number - 1);
    }
    assert_true(number < 4900 && number > 1000);
    trial_end(&o.t);
}

/* ---- energy ---- */

/* Whatever the substeps: what the ball has, less the work that is counted, falls; and it flies with less than the gas could give, n log(n / n0) - (n - n0) of what there
 * is more than at the pressure of the air. */
static void a_mouth_makes_no_energy(void **unused)
{
    static const uint32_t ways[][2] = {{1, 1}, {3, 2}, {10, 1}, {20, 4}, {100, 1}};
    static const double   pressures[] = {2000, 20000, 20000}, densities[] = {1.2, 1.2, 50};
    (void)unused;
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            opened            o;
            way               w = usual;
            pliant_solver_def def = pliant_solver_def_default();
            double            lowest = 0, turned = 0, last = 0, work = 0, most = 0, kinetic = 0;
            w.pressure = pressures[k];
            w.density = densities[k];
            w.substeps = ways[i][0];
            w.iterations = ways[i][1];
            w.compliance = 1e-3;
            w.discharge = 1;
            open_ball(&o, &w);
            def.energy = true;
            pliant_solver *solver = pliant_solver_create(o.t.model, &def, NULL);
            const double   share = w.pressure / AIR, gives = AIR * gas_of(&o).rest * ((1 + share) * log(1 + share) - share);
            assert_non_null(solver);
            for (int f = 0; f < 60; f++) {
                pliant_inputs_reset(o.t.inputs, 1.0 / 60);
                assert_int_equal(pliant_solver_step(solver, o.t.state, o.t.inputs), PLIANT_OK);
                const pliant_statistics now = pliant_solver_statistics(solver);
                assert_true(now.work_known);
                if (!f) lowest = last = now.energy_before.kinetic + now.energy_before.elastic;
                work += now.energy.work;
                const double total = now.energy.kinetic + now.energy.elastic;
                turned += fabs(total - last);
                most = fmax(most, total - now.energy.unresolved - work - lowest - 0.02 * turned);
                lowest = fmin(lowest, total - work);
                last = total;
                kinetic = fmax(kinetic, now.energy.kinetic);
            }
            print_message("%.0f Pa, %u substeps of %u: gains %g J; at most %.2f J kinetic, of %.2f that the gas gives\n", w.pressure,
                          ways[i][0], ways[i][1], most, kinetic, gives);
            assert_true(most < 1e-3);
            assert_true(kinetic < gives || k == 2); /* which is heavier than the ball: no particle carries its mass */
            pliant_solver_destroy(solver);
            trial_end(&o.t);
        }
}

/* ---- going on ---- */

/* A run that goes on from a copy of the state, with another solver, is the same to the bit; and with another number of threads. */
static void a_flight_goes_on_where_it_was(void **unused)
{
    opened o;
    size_t size;
    way    w = usual;
    (void)unused;
    w.from = 0.05;
    open_ball(&o, &w);
    trial_run(&o.t, 1.0 / 60, 5);
    const void   *data = pliant_state_data(o.t.state, &size);
    pliant_state *other = pliant_state_create(o.t.model, NULL);
    assert_int_equal(pliant_state_load(other, data, size, NULL), PLIANT_OK);
    trial_run(&o.t, 1.0 / 60, 5);
    pliant_solver_def def = pliant_solver_def_default();
    def.threads = 3;
    pliant_solver *solver = pliant_solver_create(o.t.model, &def, NULL);
    assert_non_null(solver);
    for (int f = 0; f < 5; f++) {
        pliant_inputs_reset(o.t.inputs, 1.0 / 60);
        assert_int_equal(pliant_solver_step(solver, other, o.t.inputs), PLIANT_OK);
    }
    assert_true(pliant_state_hash(other) == pliant_state_hash(o.t.state));
    pliant_solver_destroy(solver);
    /* A scene that is edited keeps what is left, and its mouth. */
    const double  at[1][3] = {{5, 5, 5}};
    pliant_state *carried = NULL;
    add_points(&o.t, 1, at, NULL, NULL, NULL);
    pliant_model    *edited = pliant_scene_recompile(o.t.scene, o.t.state, &carried, NULL);
    pliant_group_now now;
    assert_non_null(carried);
    assert_int_equal(pliant_state_group(carried, o.body, 0, &now), PLIANT_OK);
    near(now.number, gas_of(&o).number, 0);
    near(now.mouth, gas_of(&o).mouth, 0);
    assert_true(now.mouth > 0 && now.number < 4000);
    pliant_state_destroy(carried);
    pliant_model_destroy(edited);
    pliant_state_destroy(other);
    trial_end(&o.t);
}

/* ---- refusals ---- */

static void refuse(const trial *t, pliant_body body, const pliant_group_def *def, const char *word)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    assert_int_equal(pliant_scene_group(t->scene, body, def, &error), PLIANT_ERROR_ARGUMENT);
    if (!strstr(error.message, word)) fail_msg("\"%s\" says nothing of %s", error.message, word);
}

static void a_mouth_that_cannot_be_is_refused(void **unused)
{
    trial            t;
    shape            s = ball(1, 0, 0, 0, 1);
    pliant_cloth_def def = pliant_cloth_def_default();
    pliant_group_def gas = pliant_group_def_default(PLIANT_GROUP_GAS);
    uint32_t         all[64];
    (void)unused;
    for (uint32_t i = 0; i < 64; i++) all[i] = i;
    trial_begin(&t, 0, 1, 1);
    def.mesh = shape_view(&s);
    const pliant_body body = pliant_scene_add_cloth(t.scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    gas.mouth.vertices = all;
    gas.mouth.count = 2;
    refuse(&t, body, &gas, "no face");
    gas.mouth.count = s.vertex_count;
    refuse(&t, body, &gas, "at most a quarter");
    gas.mouth.count = s.vertex_count + 1;
    refuse(&t, body, &gas, "vertices");
    gas.mouth.vertices = s.triangles; /* one of 32 triangles */
    gas.mouth.count = 3;
    pliant_group_def bad = gas;
    bad.mouth.from = 2;
    bad.mouth.until = 1;
    refuse(&t, body, &bad, "shuts");
    bad = gas;
    bad.mouth.discharge = 1.5;
    refuse(&t, body, &bad, "discharge");
    bad = gas;
    bad.mouth.density = 0;
    refuse(&t, body, &bad, "density");
    bad = gas;
    bad.mouth.from = (double)NAN;
    refuse(&t, body, &bad, "from");
    bad = gas;
    bad.mouth.size = 3;
    refuse(&t, body, &bad, "pliant_mouth_def");
    bad = gas;
    bad.mouth.vertices = NULL;
    refuse(&t, body, &bad, "vertices");
    bad = pliant_group_def_default(PLIANT_GROUP_VOLUME);
    bad.mouth = gas.mouth;
    refuse(&t, body, &bad, "a gas");
    bad = pliant_group_def_default(PLIANT_GROUP_RIGID);
    bad.mouth = gas.mouth;
    refuse(&t, body, &bad, "a gas");
    assert_int_equal(pliant_scene_group(t.scene, body, &gas, NULL), PLIANT_OK);
    shape_free(&s);
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_jet_pushes_by_its_momentum),    cmocka_unit_test(a_room_empties_and_fills_by_the_orifice_law),
        cmocka_unit_test(what_flows_in_pushes_nothing),      cmocka_unit_test(a_mouth_is_open_from_one_time_to_another),
        cmocka_unit_test(a_mouth_makes_no_energy),           cmocka_unit_test(a_flight_goes_on_where_it_was),
        cmocka_unit_test(a_mouth_that_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
