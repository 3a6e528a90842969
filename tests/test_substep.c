/* Laws of substeps of a fixed length: they are of that length, however time is cut into steps; what they leave of a step is in the state; and what is
 * at rest stays so when the length of steps changes. */
#include "pliant/io.h"
#include "trial.h"

typedef struct world {
    pliant_model  *model;
    pliant_state  *state;
    pliant_solver *solver;
    pliant_inputs *inputs;
} world;

/* A sheet with a target, a skin of its own corner, a keyed collider that it falls on, and itself; contacts of the whole kind. */
static const char moving[] =
    "{\"pliant\": 1, \"fps\": 60, \"solver\": {%s}, \"bodies\": [{\"type\": \"cloth\", \"name\": \"sheet\", \"cells\": [10, 10], \"size\": "
    "[1, 1], "
    "\"position\": [0, 1, 0], \"thickness\": 0.01, \"self_contact\": true, \"damping\": 0.5, \"attach\": [{\"vertices\": [0], \"keys\": "
    "[{\"time\": 0, \"positions\": [[-0.5, 1, -0.5]]}, {\"time\": 0.21, \"positions\": [[-0.3, 1.1, -0.5]]}, {\"time\": 0.5, "
    "\"positions\": [[-0.5, 1, -0.4]]}]}]}], "
    "\"colliders\": [{\"type\": \"sphere\", \"radius\": 0.2, \"keys\": [{\"time\": 0, \"position\": [0.5, 0.6, -0.5]}, {\"time\": 0.3, "
    "\"position\": [0.5, 0.95, -0.4]}, {\"time\": 0.6, \"position\": [0.4, 0.7, -0.5]}]}, {\"type\": \"plane\"}]}";

static world make(const char *text, const char *solver)
{
    char              scene[2048];
    pliant_error      error = {0};
    pliant_model_file file;
    world             w;
    snprintf(scene, sizeof scene, text, solver);
    if (pliant_model_read_text(scene, strlen(scene), "test", NULL, NULL, &file, &error) != PLIANT_OK) fail_msg("%s", error.message);
    pliant_scene_destroy(file.scene);
    w.model = file.model;
    w.state = pliant_state_create(w.model, &error);
    w.solver = pliant_solver_create(w.model, NULL, &error);
    w.inputs = pliant_inputs_create(w.model, &error);
    assert_true(w.state && w.solver && w.inputs);
    return w;
}

static void drop(world *w)
{
    pliant_inputs_destroy(w->inputs);
    pliant_solver_destroy(w->solver);
    pliant_state_destroy(w->state);
    pliant_model_destroy(w->model);
}

static void step(world *w, double dt)
{
    assert_int_equal(pliant_inputs_reset(w->inputs, dt), PLIANT_OK);
    assert_int_equal(pliant_solver_step(w->solver, w->state, w->inputs), PLIANT_OK);
}

/* Vertices, colliders and the time, to the bit. */
static void assert_same(const world *a, const world *b)
{
    for (uint32_t i = 0; i < pliant_model_body_count(a->model); i++) {
        const pliant_body_info body = pliant_model_body_at(a->model, i);
        pliant_vec3           *x[2], *v[2];
        const world           *of[2] = {a, b};
        for (int k = 0; k < 2; k++) {
            x[k] = calloc(body.vertex_count, sizeof *x[k]);
            v[k] = calloc(body.vertex_count, sizeof *v[k]);
            pliant_state_positions(of[k]->state, body.body, 0, body.vertex_count, x[k]);
            pliant_state_velocities(of[k]->state, body.body, 0, body.vertex_count, v[k]);
        }
        assert_memory_equal(x[0], x[1], body.vertex_count * sizeof *x[0]);
        assert_memory_equal(v[0], v[1], body.vertex_count * sizeof *v[0]);
        for (int k = 0; k < 2; k++) free(x[k]), free(v[k]);
    }
    for (uint32_t c = 1; c <= pliant_model_collider_count(a->model); c++) {
        const pliant_pose p = pliant_state_collider_pose(a->state, (pliant_collider){c}),
                          q = pliant_state_collider_pose(b->state, (pliant_collider){c});
        assert_memory_equal(&p, &q, sizeof p);
    }
    assert_true(pliant_state_time(a->state) == pliant_state_time(b->state));
}

static double uneven(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    const double u = (double)(*seed >> 40) / (double)(1u << 24);
    return 0.0002 + 0.05 * u * u * u;
}

/* ---- carried over ---- */

static void how_time_is_cut_changes_no_bit(void **state)
{
    (void)state;
    static const char *const solvers[] = {
        "\"substep\": 0.002, \"substep_rest\": \"carry\"",
        "\"substep\": 0.002, \"substep_rest\": \"carry\", \"iterations\": 2, \"contact_bound\": \"continuous\"",
        "\"substep\": 0.002, \"substep_rest\": \"carry\", \"iterations\": 2, \"integration\": \"bdf2\"",
        "\"substep\": 0.002, \"substep_rest\": \"carry\", \"sleep_speed\": 0.002",
        "\"substep\": 0.002, \"substep_rest\": \"carry\", \"method\": \"jacobi\", \"iterations\": 3"};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        world    even = make(moving, solvers[i]), other = make(moving, solvers[i]);
        uint64_t seed = i, none = 0;
        for (int f = 0; f < 300; f++) step(&even, 0.002); /* a substep each */
        while (pliant_state_time(other.state) < 0.6 - 1e-9) {
            const double left = 0.6 - pliant_state_time(other.state) - pliant_state_carried(other.state), dt = uneven(&seed);
            step(&other, dt < left ? dt : left < 1e-6 ? 1e-6 : left);
            none += pliant_solver_statistics(other.solver).substeps == 0;
            assert_true(pliant_state_carried(other.state) < 0.002);
        }
        assert_same(&even, &other);
        assert_true(none > 0); /* steps too short for a substep were among them */
        drop(&even);
        drop(&other);
    }
}

static void the_rest_is_in_the_state(void **state)
{
    (void)state;
    const char  *solver = "\"substep\": 0.003, \"substep_rest\": \"carry\"";
    world        a = make(moving, solver), b = make(moving, solver);
    pliant_error error = {0};
    size_t       size;
    uint64_t     seed = 7, again;
    for (int f = 0; f < 10; f++) step(&a, uneven(&seed));
    assert_true(pliant_state_carried(a.state) > 1e-5);
    const void *bytes = pliant_state_data(a.state, &size);
    assert_int_equal(pliant_state_load(b.state, bytes, size, &error), PLIANT_OK);
    again = seed;
    for (int f = 0; f < 10; f++) step(&a, uneven(&seed));
    for (int f = 0; f < 10; f++) step(&b, uneven(&again));
    assert_true(pliant_state_hash(a.state) == pliant_state_hash(b.state));
    drop(&a);
    drop(&b);
}

static void inputs_say_so_in_recordings(void **state)
{
    (void)state;
    const char   *solver = "\"substep\": 0.003, \"substep_rest\": \"carry\"";
    world         a = make(moving, solver), b = make(moving, solver);
    unsigned char bytes[8192];
    pliant_error  error = {0};
    uint64_t      seed = 3;
    for (int f = 0; f < 20; f++) {
        step(&a, uneven(&seed));
        const size_t size = pliant_inputs_save(a.inputs, bytes, sizeof bytes);
        assert_true(size <= sizeof bytes);
        assert_int_equal(pliant_inputs_load(b.inputs, bytes, size, &error), PLIANT_OK);
        assert_int_equal(pliant_solver_step(b.solver, b.state, b.inputs), PLIANT_OK);
    }
    assert_true(pliant_state_hash(a.state) == pliant_state_hash(b.state));
    drop(&a);
    drop(&b);
}

/* A target that moves evenly is where it is at the time that is simulated, however far steps go beyond it. */
static void inputs_are_followed_in_simulated_time(void **state)
{
    (void)state;
    world             w = make(moving, "\"substep\": 0.004, \"substep_rest\": \"carry\"");
    const pliant_body sheet = pliant_model_find_body(w.model, "sheet");
    uint64_t          seed = 11;
    double            asked = 0;
    pliant_vec3       first, now, target;
    pliant_state_positions(w.state, sheet, 0, 1, &first);
    for (int f = 0; f < 30; f++) {
        const double dt = uneven(&seed);
        asked += dt;
        target = first;
        target.x += (pliant_real)asked;
        pliant_pose pose = pliant_pose_identity();
        pose.position = (pliant_vec3){0, (pliant_real)(5 + asked), 0};
        if (!f)
            pliant_inputs_reset(w.inputs, dt),
                pliant_inputs_teleport_collider(w.inputs, (pliant_collider){1}, &(pliant_pose){{0, 5, 0}, {0, 0, 0, 1}});
        else
            pliant_inputs_reset(w.inputs, dt);
        pliant_inputs_targets(w.inputs, sheet, &target, sizeof target);
        pliant_inputs_collider(w.inputs, (pliant_collider){1}, &pose);
        assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_OK);
        pliant_state_positions(w.state, sheet, 0, 1, &now);
        assert_true(fabs((double)(now.x - first.x) - pliant_state_time(w.state)) < 1e-5);
        assert_true(fabs((double)pliant_state_collider_pose(w.state, (pliant_collider){1}).position.y - 5 - pliant_state_time(w.state)) <
                    1e-5);
        assert_true(fabs(pliant_state_time(w.state) + pliant_state_carried(w.state) - asked) < 1e-9);
    }
    drop(&w);
}

/* ---- spread ---- */

static void a_length_that_fits_is_a_number(void **state)
{
    (void)state;
    static const struct {
        double      dt;
        const char *length, *number;
    } rows[] = {{1.0 / 60, "\"substep\": 0.001", "\"substeps\": 17"},
                {1.0 / 24, "\"substep\": 0.001", "\"substeps\": 42"},
                {0.01, "\"substep\": 0.001", "\"substeps\": 10"},
                {1.0 / 60, "\"substep\": 1", "\"substeps\": 1"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        world a = make(moving, rows[i].length), b = make(moving, rows[i].number);
        for (int f = 0; f < 10; f++) step(&a, rows[i].dt), step(&b, rows[i].dt);
        assert_true(pliant_state_hash(a.state) == pliant_state_hash(b.state));
        assert_int_equal(pliant_model_substeps(a.model, rows[i].dt), pliant_model_settings(b.model).substeps);
        drop(&a);
        drop(&b);
    }
}

static void a_number_said_for_a_step_counts(void **state)
{
    (void)state;
    world a = make(moving, "\"substep\": 0.003, \"substep_rest\": \"carry\""), b = make(moving, "\"substeps\": 7");
    for (int f = 0; f < 10; f++) {
        pliant_inputs_reset(a.inputs, 1.0 / 60);
        pliant_inputs_substeps(a.inputs, 7, 0);
        assert_int_equal(pliant_solver_step(a.solver, a.state, a.inputs), PLIANT_OK);
        step(&b, 1.0 / 60);
    }
    assert_same(&a, &b);
    assert_true(pliant_state_carried(a.state) == 0);
    drop(&a);
    drop(&b);
}

/* ---- rest ---- */

static const char hung[] =
    "{\"pliant\": 1, \"solver\": {%s}, \"bodies\": [{\"type\": \"cloth\", \"cells\": [16, 16], \"size\": [1, 1], \"position\": [0, 2, 0], "
    "\"rotation\": {\"axis\": [1, 0, 0], \"angle\": 90}, \"pins\": [{\"side\": \"+y\"}], \"material\": \"cotton\"}]}";

/* The highest speed while steps are long and short by turns, of what has come to rest in even ones. */
static double unrest(const char *solver)
{
    double most = 0;
    world  w = make(hung, solver);
    for (int f = 0; f < 600; f++) step(&w, 1.0 / 60);
    for (int f = 0; f < 120; f++) {
        step(&w, f % 2 ? 1.0 / 30 : 1.0 / 240);
        const double speed = (double)pliant_solver_statistics(w.solver).max_speed;
        most = speed > most ? speed : most;
    }
    drop(&w);
    return most;
}

/* With ten substeps a step, whatever its length, this sheet diverges; with substeps of 1/1020 and 1/1200 s by turns it goes at 1.4 cm/s. */
static void what_rests_rests_in_uneven_steps(void **state)
{
    (void)state;
    static const char *const solvers[] = {"\"substep\": 0.001, \"substep_rest\": \"carry\"",
                                          "\"substep\": 0.0013, \"substep_rest\": \"carry\"", "\"substep\": 0.001041666667"};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        const double speed = unrest(solvers[i]);
        if (!(speed < 0.01)) fail_msg("%s: %g m/s", solvers[i], speed);
    }
}

/* ---- what is refused ---- */

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *solver, *says;
    } rows[] = {{"\"substep\": 0.001, \"substeps\": 10", "leave one of them out"},
                {"\"substeps\": 10, \"substep\": 0.001", "leave one of them out"},
                {"\"substep_rest\": \"carry\"", "say \"substep\", in seconds"},
                {"\"substeps\": 10, \"substep_rest\": \"spread\"", "say \"substep\", in seconds"},
                {"\"substep\": 0", "substep"},
                {"\"substep\": -0.001", "substep"},
                {"\"substep\": 1.5", "substep"},
                {"\"substep\": 0.000001", "the most is 10000"},
                {"\"substep\": 0.001, \"substep_rest\": \"drop\"", "substep_rest"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char              scene[2048];
        pliant_error      error = {0};
        pliant_model_file file;
        snprintf(scene, sizeof scene, moving, rows[i].solver);
        assert_int_not_equal(pliant_model_read_text(scene, strlen(scene), "test", NULL, NULL, &file, &error), PLIANT_OK);
        assert_int_equal(error.line, 1);
        if (!strstr(error.message, rows[i].says)) fail_msg("%s: %s", rows[i].solver, error.message);
    }
    pliant_scene_def def = pliant_scene_def_default();
    def.substep_rest = PLIANT_SUBSTEP_CARRY;
    assert_null(pliant_scene_create(&def, NULL));
    def.substep = 2;
    assert_null(pliant_scene_create(&def, NULL));
}

static void look(void *context, const pliant_state *state, uint32_t part)
{
    (void)context;
    (void)state;
    (void)part;
}

static void steps_that_cannot_be_are_refused(void **state)
{
    (void)state;
    world             w = make(moving, "\"substep\": 0.00002, \"substep_rest\": \"carry\"");
    const pliant_pose here = pliant_pose_identity();
    pliant_error      error = {0};
    const uint64_t    before = pliant_state_hash(w.state);
    assert_int_equal(pliant_inputs_reset(w.inputs, 0.21), PLIANT_ERROR_ARGUMENT); /* more than 10000 substeps */
    assert_int_equal(pliant_inputs_reset(w.inputs, 0.01), PLIANT_OK);
    assert_int_equal(pliant_solver_step_parts(w.solver, w.state, w.inputs, 2, look, NULL), PLIANT_ERROR_ARGUMENT);
    pliant_inputs_frame(w.inputs, pliant_model_find_body(w.model, "sheet"), &here, &here, (pliant_inertia){0, 0, 0});
    assert_false(pliant_solver_takes(w.solver, w.inputs, &error));
    assert_non_null(strstr(error.message, "say the substeps of the step"));
    assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_ERROR_ARGUMENT);
    assert_true(pliant_state_hash(w.state) == before);
    drop(&w);
}

static void a_step_without_substeps_has_no_forces(void **state)
{
    (void)state;
    world             w = make(moving, "\"substep\": 0.003, \"substep_rest\": \"carry\"");
    pliant_solver_def def = pliant_solver_def_default();
    pliant_real       force[PLIANT_MAX_ROWS];
    def.measure = true;
    pliant_solver *solver = pliant_solver_create(w.model, &def, NULL);
    for (int substeps = 0; substeps < 2; substeps++) {
        assert_int_equal(pliant_inputs_reset(w.inputs, substeps ? 0.003 : 0.001), PLIANT_OK);
        assert_int_equal(pliant_solver_step(solver, w.state, w.inputs), PLIANT_OK);
        assert_int_equal(pliant_solver_statistics(solver).substeps, substeps);
        assert_int_equal(pliant_solver_force(solver, pliant_model_solved(w.model, 0).constraint, force) > 0, substeps);
    }
    pliant_solver_destroy(solver);
    drop(&w);
}

static void a_damaged_rest_is_refused(void **state)
{
    (void)state;
    static const double bad[] = {NAN, HUGE_VAL, -0.001, 0.0031};
    world               w = make(moving, "\"substep\": 0.003, \"substep_rest\": \"carry\"");
    size_t              size;
    step(&w, 0.01);
    const double   carried = pliant_state_carried(w.state);
    const void    *data = pliant_state_data(w.state, &size);
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t at = size;
        memcpy(bytes, data, size);
        while (at >= sizeof carried && memcmp(bytes + at - sizeof carried, &carried, sizeof carried) != 0) at--; /* the last one is it */
        assert_true(at >= sizeof carried);
        memcpy(bytes + at - sizeof carried, &bad[i], sizeof carried);
        assert_int_equal(pliant_state_load(w.state, bytes, size, NULL), PLIANT_ERROR_INPUT);
    }
    free(bytes);
    drop(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_time_is_cut_changes_no_bit),   cmocka_unit_test(the_rest_is_in_the_state),
        cmocka_unit_test(inputs_say_so_in_recordings),      cmocka_unit_test(inputs_are_followed_in_simulated_time),
        cmocka_unit_test(a_length_that_fits_is_a_number),   cmocka_unit_test(a_number_said_for_a_step_counts),
        cmocka_unit_test(what_rests_rests_in_uneven_steps), cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(steps_that_cannot_be_are_refused), cmocka_unit_test(a_step_without_substeps_has_no_forces),
        cmocka_unit_test(a_damaged_rest_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
