/* Laws of adhesion between particles and colliders: what holds on carries a weight, drags, takes energy to part, and goes with what it holds on to;
 * with every shape and every method, and the same to the bit for all. Between bodies: test_pair_forces.c. */
#include "shapes.h"

#include "compile/model.h"
#include "scene/draft.h"

#define DT (1.0 / 60)
#define G 9.81
#define APART 0.02        /* m, at which the two touch: 0.01 each */
#define REACH (APART / 4) /* m, how much farther it holds on */

/* ---- scenes ---- */

static pliant_body add_weight(trial *w, pliant_vec3 at, pliant_vec3 velocity)
{
    pliant_particles_def d = pliant_particles_def_default();
    d.positions = &at;
    d.velocities = &velocity;
    d.count = 1;
    d.material = plain_material();
    d.material.thickness = R(APART / 2);
    const pliant_body body = pliant_scene_add_particles(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

static void say_sticky(trial *w, pliant_body body, pliant_collider collider, double friction, double adhesion)
{
    pliant_contact_pair_def d = pliant_contact_pair_def_default();
    d.body = body;
    d.collider = collider;
    d.friction_static = d.friction_dynamic = R(friction);
    d.adhesion = R(adhesion);
    assert_int_equal(pliant_scene_contact_pair(w->scene, &d, NULL), PLIANT_OK);
}

/* Turned over about z: what was above y = 0 is below. */
static pliant_pose turned_over(double x, double y, double z) { return (pliant_pose){vec(x, y, z), {0, 0, 1, 0}}; }
static pliant_pose put_at(double x, double y, double z) { return (pliant_pose){vec(x, y, z), {0, 0, 0, 1}}; }

#define CELLS 59

/* Distances to a ball of 0.5 m about (0, 0.5, 0), with the lowest point in the middle of a cell's side. */
static pliant_field_view ball_of_distances(float *distance)
{
    const double cell = 0.025, at = -(CELLS - 1) / 2.0 * cell + cell / 2;
    for (int k = 0; k < CELLS; k++)
        for (int j = 0; j < CELLS; j++)
            for (int i = 0; i < CELLS; i++) {
                const double x = at + cell * i, y = at + cell * j, z = at + cell * k;
                distance[i + CELLS * (j + CELLS * k)] = (float)(sqrt(x * x + y * y + z * z) - 0.5);
            }
    return (pliant_field_view){vec(at, at + 0.5, at), R(cell), {CELLS, CELLS, CELLS}, distance};
}

/* Colliders with the lowest place at (0, 0, 0), flat there or round. */
enum { PLANE, SPHERE, CAPSULE, BOX, HULL, SOLID, SHEET, HEIGHTS, FIELD, SHAPES };

static pliant_collider add_ceiling(trial *w, int kind)
{
    static const pliant_shape shapes[SHAPES] = {PLIANT_SHAPE_PLANE, PLIANT_SHAPE_SPHERE,       PLIANT_SHAPE_CAPSULE,
                                                PLIANT_SHAPE_BOX,   PLIANT_SHAPE_HULL,         PLIANT_SHAPE_MESH,
                                                PLIANT_SHAPE_MESH,  PLIANT_SHAPE_HEIGHT_FIELD, PLIANT_SHAPE_FIELD};
    static const pliant_real  heights[9] = {0};
    static float              distance[CELLS * CELLS * CELLS];
    pliant_collider_def       d = pliant_collider_def_default(shapes[kind]);
    shape                     s = {0};
    d.thickness = R(APART / 2);
    d.radius = R(kind == CAPSULE ? 0.3 : 0.5);
    d.half_height = R(0.2);
    d.half_extent = vec(0.5, 0.5, 0.5);
    d.pose = put_at(0, 0.5, 0);
    if (kind == PLANE) d.pose = turned_over(0, 0, 0);
    if (kind == HULL || kind == SOLID) s = box(-0.5, -0.5, -0.5, 0.5, 0.5, 0.5);
    if (kind == SHEET) {
        s = box(-0.5, 0, -0.5, 0.5, 1, 0.5);
        s.triangle_count = 0;
        shape_triangle(&s, 0, 1, 5);
        shape_triangle(&s, 0, 5, 4);
        d.two_sided = true;
        d.pose = put_at(0, 0, 0);
    }
    if (s.vertex_count) d.mesh = shape_view(&s);
    d.heights = kind == HEIGHTS ? heights : NULL;
    d.columns = d.rows = kind == HEIGHTS ? 3 : 0;
    if (kind == HEIGHTS) d.cell = R(0.5), d.pose = turned_over(0.5, 0, -0.5);
    if (kind == FIELD) d.field = ball_of_distances(distance), d.pose = put_at(0, 0, 0);
    const pliant_collider added = add_collider(w, &d);
    shape_free(&s);
    return added;
}

static bool is_round(int kind) { return kind == SPHERE || kind == CAPSULE || kind == FIELD; }

/* A weight of 1 kg that touches a ceiling from below. */
static pliant_body hang(trial *w, int kind, double adhesion)
{
    const pliant_body body = add_weight(w, is_round(kind) ? vec(0, -APART, 0) : vec(0.03, -APART, 0.01), vec(0, 0, 0));
    say_sticky(w, body, add_ceiling(w, kind), 0, adhesion);
    trial_compile(w);
    return body;
}

/* ---- what it carries ---- */

/* How far it has come in a second: with what is left of gravity out of reach, then freely. */
static double fallen(double share)
{
    const double a = G * (1 - share), first = sqrt(2 * REACH / a), rest = 1 - first;
    return REACH + a * first * rest + G * rest * rest / 2;
}

/* A weight hangs under whatever shape as long as it is less than what it holds on with, and is told to pull by it; else it falls, and is held back
 * only as long as it is near. */
static void what_holds_on_carries_a_weight(void **unused)
{
    (void)unused;
    static const double share[] = {1.1, 0.9, 0.5};
    for (int i = 0; i < 3 * SHAPES; i++) {
        const int                   kind = i / 3;
        const double                part = share[i % 3], off = kind == FIELD ? 1e-3 : 1e-5; /* a field is straight between its values */
        trial                       w;
        double                      x[3];
        pliant_contact              contact;
        pliant_solver_def           def = pliant_solver_def_default();
        const pliant_contact_event *event;
        trial_begin(&w, G, 10, 1);
        const pliant_body body = hang(&w, kind, part * G);
        def.contacts = pliant_contact_log_create(w.model, NULL, NULL);
        assert_non_null(def.contacts);
        pliant_solver_destroy(w.solver);
        w.solver = pliant_solver_create(w.model, &def, NULL);
        assert_non_null(w.solver);
        trial_run(&w, DT, 60);
        point_of(&w, body, 0, x);
        const uint32_t contacts = pliant_solver_contacts(w.solver, &contact, 1), events = pliant_contact_log_events(def.contacts, &event);
        assert_int_equal(pliant_solver_statistics(w.solver).contacts, contacts);
        if (part > 1) {
            near(x[1], -APART, off);
            assert_int_equal(contacts, 1);
            near((double)contact.force, -G, 1e-2 * G);
            near((double)contact.normal.y, -1, 1e-4);
            assert_int_equal(events, 1);
            assert_int_equal(event->change, PLIANT_CONTACT_PERSISTS);
            near((double)event->force, -G, 1e-2 * G);
        } else {
            near(x[1], -APART - fallen(part), 0.02 * fallen(part) + off);
            assert_int_equal(contacts, 0);
            assert_int_equal(events, 0);
        }
        pliant_contact_log_destroy(def.contacts);
        trial_end(&w);
    }
}

/* So it is whatever solves the constraints, and in how many iterations, and by BDF2. */
static void every_method_holds_on_alike(void **unused)
{
    (void)unused;
    static const double share[] = {1.1, 0.5};
    for (int i = 0; i < 8 * PLIANT_METHOD_COUNT; i++) {
        trial             w;
        double            x[3];
        pliant_solver_def def = pliant_solver_def_default();
        pliant_method_def method = pliant_method_def_default();
        trial_begin(&w, G, 10, i & 1 ? 1 : 8);
        pliant_scene_destroy(w.scene);
        w.def.integration = i & 2 ? PLIANT_INTEGRATION_BDF2 : PLIANT_INTEGRATION_FIRST_ORDER;
        trial_begin_def(&w);
        const double      part = share[i >> 2 & 1];
        const pliant_body body = hang(&w, PLANE, part * G);
        method.method = (pliant_method)(i / 8);
        def.method = &method;
        def.linear = trial_linear();
        if (pliant_method_takes(w.model, &method, NULL) && (def.linear || !pliant_method_wants_linear(w.model, &method, NULL))) {
            pliant_solver_destroy(w.solver);
            w.solver = pliant_solver_create(w.model, &def, NULL);
            assert_non_null(w.solver);
            trial_run(&w, DT, 60);
            point_of(&w, body, 0, x);
            near(x[1], part > 1 ? -APART : -APART - fallen(part), part > 1 ? 1e-5 : 0.02 * fallen(part));
        }
        trial_end(&w);
    }
}

/* It presses as well: on a wall that nothing else presses it on, friction carries mu times the adhesion, and no more. */
static void tape_stays_on_a_wall(void **unused)
{
    (void)unused;
    static const double share[] = {1.2, 0.6, 0};
    const double        mu = 0.5, h = DT / 10;
    for (size_t i = 0; i < 3; i++) {
        trial               w;
        double              x[3];
        pliant_collider_def d = plane_def(TEST_PI / 2, 0.3, 0.3, 0);
        trial_begin(&w, G, 10, 1);
        d.thickness = R(APART / 2);
        const pliant_body body = add_weight(&w, vec(APART, 0, 0), vec(0, 0, 0));
        say_sticky(&w, body, add_collider(&w, &d), mu, share[i] * G / mu);
        trial_compile(&w);
        trial_run(&w, DT, 60);
        point_of(&w, body, 0, x);
        const double a = share[i] < 1 ? G * (1 - share[i]) : 0;
        near(x[1], -a * (1 + h) / 2, 0.01 * a + 1e-4);
        near(x[0], APART, 1e-5);
        trial_end(&w);
    }
}

/* ---- what it takes to part ---- */

/* A particle that leaves with less energy than adhesion takes on the way out of reach comes back; one with more loses that much. */
static void parting_takes_energy(void **unused)
{
    (void)unused;
    static const double speed[] = {0.2, 0.5, 1};
    const double        adhesion = 40;
    for (size_t i = 0; i < 3; i++) {
        trial  w;
        double x[3], v[3];
        trial_begin(&w, 0, 40, 1);
        const pliant_body body = add_weight(&w, vec(0, -APART, 0), vec(0, -speed[i], 0));
        say_sticky(&w, body, add_ceiling(&w, PLANE), 0, adhesion);
        trial_compile(&w);
        trial_run(&w, DT, 120);
        point_of(&w, body, 0, x);
        speed_of(&w, body, 0, v);
        const double left = speed[i] * speed[i] / 2 - adhesion * REACH;
        near(-v[1], left > 0 ? sqrt(2 * left) : 0, left > 0 ? 0.02 * speed[i] : 1e-3);
        if (left > 0)
            assert_true(x[1] < -1);
        else
            near(x[1], -APART, 1e-4);
        trial_end(&w);
    }
}

/* A ceiling that goes up faster and faster takes along what hangs under it as long as that weighs less than it holds on with, and then leaves it. */
static void what_moves_takes_along_what_holds_on(void **unused)
{
    (void)unused;
    static const double up[] = {3, 30};
    for (size_t i = 0; i < 2; i++) {
        trial       w;
        double      x[3];
        pliant_pose pose = turned_over(0, 0, 0);
        trial_begin(&w, G, 10, 1);
        const pliant_body     body = add_weight(&w, vec(0.1, -APART, 0), vec(0, 0, 0));
        const pliant_collider ceiling = add_ceiling(&w, PLANE);
        say_sticky(&w, body, ceiling, 0, 2 * G);
        trial_compile(&w);
        for (int frame = 1; frame <= 30; frame++) {
            pose.position.y = R(up[i] * frame * frame * DT * DT / 2);
            assert_int_equal(pliant_inputs_reset(w.inputs, DT), PLIANT_OK);
            assert_int_equal(pliant_inputs_collider(w.inputs, ceiling, &pose), PLIANT_OK);
            trial_step(&w);
        }
        point_of(&w, body, 0, x);
        if (i == 0)
            near(x[1], (double)pose.position.y - APART, 1e-3);
        else
            assert_true(x[1] < 0);
        trial_end(&w);
    }
}

/* ---- the same bits ---- */

/* A sheet that sticks to a ball it falls on, of which a part is then pulled off. */
static void stick_a_sheet(trial *w)
{
    pliant_cloth_def d = pliant_cloth_def_default();
    trial_begin(w, G, 10, 2);
    d.cells_x = d.cells_z = 16;
    d.size_x = d.size_z = R(0.8);
    d.material = plain_material();
    d.material.density = R(0.3);
    d.material.thickness = R(APART / 2);
    d.body.placement.position = vec(0.05, 0.53, 0.02);
    const pliant_body     body = pliant_scene_add_cloth(w->scene, &d, NULL);
    const pliant_collider floor = pliant_scene_add_floor(w->scene, R(-0.2), NULL);
    assert_int_not_equal(body.id, 0);
    say_sticky(w, body, floor, 0.5, 0.02);
    say_sticky(w, body, pliant_scene_add_sphere(w->scene, R(0.5), pliant_pose_identity(), NULL), 0.5, 0.05);
    trial_compile(w);
}

static void threads_and_solvers_do_not_matter(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t width, threads;
        bool     anew; /* the solver is thrown away after every step */
    } ways[] = {{1, 1, false}, {0, 2, false}, {4, 1, true}, {8, 2, true}};
    uint64_t hash = 0;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        trial             w;
        pliant_solver_def def = pliant_solver_def_default();
        pliant_error      error = {.code = PLIANT_OK};
        uint32_t          held = 0;
        def.width = ways[k].width;
        def.threads = ways[k].threads;
        stick_a_sheet(&w);
        pliant_solver *solver = pliant_solver_create(w.model, &def, &error);
        for (uint32_t step = 0; step < 60 && error.code != PLIANT_ERROR_UNAVAILABLE; step++) {
            pliant_contact contact[512];
            assert_non_null(solver);
            pliant_inputs_reset(w.inputs, DT);
            if (step > 30) pliant_inputs_gravity(w.inputs, vec(0, G, 0));
            assert_int_equal(pliant_solver_step(solver, w.state, w.inputs), PLIANT_OK);
            const uint32_t count = pliant_solver_contacts(solver, contact, 512);
            for (uint32_t i = 0; i < count; i++) held += contact[i].force < 0;
            if (!ways[k].anew) continue;
            pliant_solver_destroy(solver);
            solver = pliant_solver_create(w.model, &def, NULL);
        }
        const uint64_t now = error.code == PLIANT_ERROR_UNAVAILABLE ? hash : pliant_state_hash(w.state); /* a build of one width */
        if (k) assert_true(now == hash);
        if (error.code == PLIANT_OK) assert_true(held > 100);
        hash = now;
        pliant_solver_destroy(solver);
        trial_end(&w);
    }
}

/* ---- what cannot be ---- */

/* There is nothing to be near to without a thickness, no contact with what sticks, and no value beyond a field. */
static void what_cannot_hold_on_is_refused(void **unused)
{
    (void)unused;
    static const struct {
        double      body, collider;
        bool        stick;
        const char *says;
    } rows[] = {{0, 0, false, "a thickness"}, {0.01, 0, true, "stick"}, {0.01, 0, false, NULL}, {0, 0.01, false, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double            at[1][3] = {{0, 1, 0}};
        pliant_error            error = {.code = PLIANT_OK};
        pliant_material         material = plain_material();
        pliant_collider_def     d = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
        pliant_contact_pair_def pair = pliant_contact_pair_def_default();
        trial                   w;
        trial_begin(&w, G, 10, 1);
        material.thickness = R(rows[i].body);
        d.thickness = R(rows[i].collider);
        d.stick = rows[i].stick;
        pair.body = add_points(&w, 1, at, NULL, NULL, &material);
        pair.collider = add_collider(&w, &d);
        pair.adhesion = 1;
        const pliant_code code = pliant_scene_contact_pair(w.scene, &pair, &error);
        assert_int_equal(code, rows[i].says ? PLIANT_ERROR_ARGUMENT : PLIANT_OK);
        if (rows[i].says && !strstr(error.message, rows[i].says)) fail_msg("row %zu: \"%s\"", i, error.message);
        pliant_scene_destroy(w.scene);
    }
}

/* The grid of a field goes farther than what is drawn to it. */
static void a_field_reaches_as_far_as_it_holds_on(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        pliant_error error = {.code = PLIANT_OK};
        trial        w;
        trial_begin(&w, G, 10, 1);
        const pliant_body     body = add_weight(&w, vec(0, -1, 0), vec(0, 0, 0));
        const pliant_collider field = add_ceiling(&w, FIELD);
        w.scene->bodies.data[0].material.thickness = R(0.19); /* of 0.2125 m, with the collider's 0.01 */
        if (i) say_sticky(&w, body, field, 0, 1);
        pliant_model *model = pliant_scene_compile(w.scene, &error);
        assert_true(i ? !model && strstr(error.message, "larger margin") : model != NULL);
        pliant_model_destroy(model);
        pliant_scene_destroy(w.scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_on_carries_a_weight),
        cmocka_unit_test(every_method_holds_on_alike),
        cmocka_unit_test(tape_stays_on_a_wall),
        cmocka_unit_test(parting_takes_energy),
        cmocka_unit_test(what_moves_takes_along_what_holds_on),
        cmocka_unit_test(threads_and_solvers_do_not_matter),
        cmocka_unit_test(what_cannot_hold_on_is_refused),
        cmocka_unit_test(a_field_reaches_as_far_as_it_holds_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
