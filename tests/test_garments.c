/* What skins of garments must do: no vertex leaves its target by more than it may, none gets behind its backstop, the nearest allowed place is
 * the one taken, with every method; distance 0 is being attached; what is said wrongly is refused. */
#include "trial.h"

#define H60 (1.0 / 60)
#define NOT_A_NUMBER R(strtod("nan", NULL))

enum { CELLS = 10, SIDE = CELLS + 1, COUNT = SIDE * SIDE };

static pliant_body add_sheet(trial *t)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    def.cells_x = def.cells_z = CELLS;
    def.size_x = def.size_z = 1;
    def.body.placement.position.y = 1;
    def.material = pliant_material_preset(PLIANT_COTTON);
    pliant_body body = pliant_scene_add_cloth(t->scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

static void give_skin(trial *t, pliant_body body, const pliant_skin_def *def)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    if (pliant_scene_skin(t->scene, body, def, &error) != PLIANT_OK) fail_msg("%s", error.message);
}

/* A sheet that is swung about and waved: where its vertices are after `seconds`. */
static void wave(double seconds, pliant_vec3 *x)
{
    for (int i = 0; i < COUNT; i++) {
        const double u = (double)(i % SIDE) / CELLS - 0.5, w = (double)(i / SIDE) / CELLS - 0.5, a = 2 * seconds;
        x[i] = vec(u * cos(a) - w * sin(a) + 0.4 * sin(3 * seconds), 1 + 0.1 * sin(6 * (u + seconds)), u * sin(a) + w * cos(a));
    }
}

/* By how much at most a vertex is too far from its target, and by how much too deep in its backstop. */
static void measure(const trial *t, pliant_body body, const pliant_skin_def *def, double *far, double *deep)
{
    pliant_vec3 at[COUNT], normal[COUNT];
    assert_int_equal(pliant_state_skin(t->state, body, 0, COUNT, at, normal), PLIANT_OK);
    *far = *deep = -1;
    for (uint32_t i = 0; i < COUNT; i++) {
        const double most = (double)(def->max_distance_of ? def->max_distance_of[i] : def->max_distance);
        const double radius = (double)def->backstop_radius, reach = (double)def->backstop_offset + radius;
        double       x[3], d[3], out[3];
        point_of(t, body, i, x);
        d[0] = x[0] - (double)at[i].x, d[1] = x[1] - (double)at[i].y, d[2] = x[2] - (double)at[i].z;
        const double n[3] = {(double)normal[i].x, (double)normal[i].y, (double)normal[i].z};
        for (int c = 0; c < 3; c++) out[c] = d[c] + reach * n[c];
        if (most >= 0) *far = fmax(*far, length3(d) - most);
        if (radius > 0) *deep = fmax(*deep, radius - length3(out));
    }
}

/* By keys, all methods, both integrations, and after each step. */
static void no_vertex_leaves_its_target_or_gets_behind_it(void **unused)
{
    static const double radii[] = {0.05, 0.3, 1000};
    static pliant_vec3  keys[61 * COUNT];
    double              times[61];
    (void)unused;
    for (int k = 0; k < 61; k++) wave(times[k] = k * H60, keys + (size_t)k * COUNT);
    for (int run = 0; run < 3 * PLIANT_METHOD_COUNT * 2; run++) {
        const int         method = run / 2 % PLIANT_METHOD_COUNT;
        double            far, deep, touched_far = -1, touched_deep = -1;
        pliant_real       most[COUNT];
        pliant_skin_def   def = pliant_skin_def_default();
        pliant_solver_def solver = pliant_solver_def_default();
        trial             t;
        memset(&t, 0, sizeof t);
        t.def = pliant_scene_def_default();
        t.def.substeps = 2;
        t.def.iterations = 6;
        t.def.method.method = (pliant_method)method;
        t.def.integration = run % 2 ? PLIANT_INTEGRATION_BDF2 : PLIANT_INTEGRATION_FIRST_ORDER;
        trial_begin_def(&t);
        pliant_body body = add_sheet(&t);
        for (int i = 0; i < COUNT; i++) most[i] = R(0.2 * (i % SIDE) / SIDE);
        def.max_distance_of = most;
        def.backstop_radius = R(radii[run / 2 / PLIANT_METHOD_COUNT]);
        def.backstop_offset = R(0.01);
        give_skin(&t, body, &def);
        assert_int_equal(pliant_scene_key_skin(t.scene, body, times, 61, keys, NULL), PLIANT_OK);
        t.model = pliant_scene_compile(t.scene, NULL);
        assert_true(pliant_method_takes(t.model, NULL, NULL) == (method != PLIANT_METHOD_NEWTON)); /* it need not find a solution */
        if (method == PLIANT_METHOD_NEWTON) {
            trial_end(&t);
            continue;
        }
        t.state = pliant_state_create(t.model, NULL);
        t.inputs = pliant_inputs_create(t.model, NULL);
        t.solver = pliant_solver_create(t.model, &solver, NULL);
        assert_non_null(t.solver);
        for (int frame = 0; frame < 60; frame++) {
            trial_run(&t, H60, 1);
            measure(&t, body, &def, &far, &deep);
            if (!(far < 8 * EPSILON) || !(deep < 4 * EPSILON * (1 + (double)def.backstop_radius)))
                fail_msg("method %d, run %d, frame %d: %g m too far, %g m too deep", method, run, frame, far, deep);
            touched_far = fmax(touched_far, far);
            touched_deep = fmax(touched_deep, deep);
        }
        assert_true(touched_far > -8 * EPSILON && touched_deep > -1e-3); /* and it did matter */
        trial_end(&t);
    }
}

/* The substeps' targets lie on straight ways: distances hold between substeps as well. */
typedef struct watcher {
    const trial           *t;
    const pliant_skin_def *def;
    pliant_body            body;
    double                 far;
    uint32_t               looked;
} watcher;

static void look(void *context, const pliant_state *state, uint32_t part)
{
    watcher *w = context;
    double   far, deep;
    (void)state;
    (void)part;
    measure(w->t, w->body, w->def, &far, &deep);
    w->far = fmax(w->far, far);
    w->looked++;
}

static void distances_hold_between_substeps(void **unused)
{
    pliant_vec3     x[COUNT];
    pliant_skin_def def = pliant_skin_def_default();
    trial           t;
    (void)unused;
    def.max_distance = R(0.02);
    trial_begin(&t, 9.81, 8, 1);
    pliant_body body = add_sheet(&t);
    give_skin(&t, body, &def);
    trial_compile(&t);
    watcher w = {&t, &def, body, -1, 0};
    for (int frame = 1; frame < 20; frame++) {
        wave(frame * H60, x);
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
        assert_int_equal(pliant_inputs_skin(t.inputs, body, x, sizeof *x, NULL, 0), PLIANT_OK);
        assert_int_equal(pliant_solver_step_parts(t.solver, t.state, t.inputs, 8, look, &w), PLIANT_OK);
    }
    assert_int_equal(w.looked, 19 * 7);
    assert_true(w.far < 8 * EPSILON && w.far > -8 * EPSILON);
    trial_end(&t);
}

/* One particle without weight, thrown anywhere: what is found is at least as near as each of many allowed places. */
static void the_nearest_allowed_place_is_taken(void **unused)
{
    uint64_t seed = 5;
    (void)unused;
    for (int run = 0; run < 200; run++) {
        const double radius = run % 3 ? 0.2 + chance(&seed) : 0, offset = 0.3 * chance(&seed),
                     most = run % 5 ? 0.02 + 0.8 * chance(&seed) : -1;
        const double    origin[1][3] = {{0, 0, 0}};
        pliant_skin_def def = pliant_skin_def_default();
        pliant_vec3     at = vec(0, 0, 0), n = vec(0, 3, 0), thrown;
        double          x[3], y[3], q[3], best = 1e30;
        trial           t;
        thrown = vec(2 * chance(&seed) - 1, 2 * chance(&seed) - 1.5, 2 * chance(&seed) - 1);
        if (run % 7 == 0) thrown = vec(0, -(offset + radius) * (run % 2 ? 1 : 0.7), 0); /* in the middle, or below it on the axis */
        def.max_distance = R(most);
        def.backstop_radius = R(radius);
        def.backstop_offset = R(offset);
        trial_begin(&t, 0, 1, 1);
        pliant_body body = add_points(&t, 1, origin, NULL, NULL, NULL);
        give_skin(&t, body, &def);
        trial_compile(&t);
        assert_int_equal(pliant_inputs_reset(t.inputs, 1), PLIANT_OK);
        assert_int_equal(pliant_inputs_skin(t.inputs, body, &at, sizeof at, &n, sizeof n), PLIANT_OK);
        assert_int_equal(pliant_state_set_positions(t.state, body, 0, 1, &thrown), PLIANT_OK);
        trial_step(&t);
        point_of(&t, body, 0, x);
        const double p[3] = {(double)thrown.x, (double)thrown.y, (double)thrown.z},
                     centre = -(double)def.backstop_offset - (double)def.backstop_radius;
        for (int c = 0; c < 3; c++) q[c] = x[c] - p[c];
        const double found = length3(q), from_centre[3] = {x[0], x[1] - centre, x[2]};
        if (most >= 0) assert_true(length3(x) <= most + 4 * EPSILON);
        assert_true(length3(from_centre) >= radius - 8 * EPSILON);
        for (int i = 0; i < 20000; i++) { /* within what is found of p, mostly */
            for (int c = 0; c < 3; c++) y[c] = p[c] + 2.2 * (chance(&seed) - 0.5) * (found + 1e-3);
            const double out[3] = {y[0], y[1] - centre, y[2]};
            if ((most >= 0 && length3(y) > most) || length3(out) < radius) continue;
            for (int c = 0; c < 3; c++) q[c] = y[c] - p[c];
            best = fmin(best, length3(q));
        }
        assert_true(found <= best + 8 * EPSILON);
        trial_end(&t);
    }
}

/* Where the targets are, to the bit, and as fast as they are; let go it stays there all the same, as something that has a mass. */
static void distance_0_is_being_attached(void **unused)
{
    const uint32_t  ids[2] = {0, CELLS};
    pliant_skin_def def = pliant_skin_def_default();
    double          x[3], v[3];
    trial           t;
    (void)unused;
    def.vertices = ids;
    def.vertex_count = 2;
    def.max_distance = 0;
    trial_begin(&t, 9.81, 7, 2);
    pliant_body body = add_sheet(&t);
    give_skin(&t, body, &def);
    trial_compile(&t);
    assert_int_equal(pliant_model_body(t.model, body).skin_count, 2);
    assert_true(pliant_state_pinned(t.state, body, CELLS));
    for (int frame = 1; frame <= 30; frame++) {
        const pliant_vec3 to[2] = {vec(-0.5 + 0.01 * frame, 1, -0.5), vec(0.5, 1, -0.5 + 0.02 * frame)};
        if (frame == 20) assert_int_equal(pliant_state_set_pinned(t.state, body, CELLS, false), PLIANT_OK);
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
        assert_int_equal(pliant_inputs_skin(t.inputs, body, to, sizeof *to, NULL, 0), PLIANT_OK);
        trial_step(&t);
        for (int i = 0; i < 2; i++) {
            point_of(&t, body, ids[i], x);
            assert_true(x[0] == (double)to[i].x && x[1] == (double)to[i].y && x[2] == (double)to[i].z);
        }
        speed_of(&t, body, 0, v);
        near(v[0], 0.6, 7 * 60 * 4 * EPSILON);
        near(v[1], 0, 7 * 60 * 4 * EPSILON);
    }
    trial_end(&t);
}

/* A sheet that is held in a backstop's way, though it is drawn down into it, rests on it: it goes nowhere. */
static void what_rests_on_its_backstop_is_at_rest(void **unused)
{
    pliant_skin_def def = pliant_skin_def_default();
    double          v[3], far, deep;
    trial           t;
    (void)unused;
    for (int run = 0; run < 2; run++) {
        memset(&t, 0, sizeof t);
        t.def = pliant_scene_def_default();
        t.def.integration = run ? PLIANT_INTEGRATION_BDF2 : PLIANT_INTEGRATION_FIRST_ORDER;
        trial_begin_def(&t);
        def.backstop_radius = 1000;
        def.max_distance = R(0.3);
        pliant_body body = add_sheet(&t);
        give_skin(&t, body, &def);
        trial_compile(&t);
        trial_run(&t, H60, 60);
        measure(&t, body, &def, &far, &deep);
        near(deep, 0, 1e-6 + 2000 * EPSILON);
        for (uint32_t i = 0; i < COUNT; i++) {
            speed_of(&t, body, i, v);
            near(length3(v), 0, BOUND(1e-9, 2e-3));
        }
        trial_end(&t);
    }
}

/* The normals of the body's triangles with three skinned corners, by area, at the targets' positions: mirrored in y, normals are so in x and z. */
static void normals_are_those_of_the_triangles(void **unused)
{
    static const pliant_vec3 x[5] = {{0, 0, 0}, {0, 0, 1}, {1, 1, 0}, {2, 0, 0}, {5, 0, 0}};
    static const uint32_t    faces[9] = {0, 1, 2, 2, 1, 3, 3, 1, 4}, listed[4] = {3, 2, 1, 0};
    static const double      cross[2][3] = {{-1, 1, 0}, {1, 1, 2}}; /* of the first two faces; the third has vertex 4 */
    static const bool        has[4][2] = {{false, true}, {true, true}, {true, true}, {true, false}};
    pliant_vec3              n[4], mirrored[4];
    pliant_cloth_def         cloth = pliant_cloth_def_default();
    pliant_skin_def          def = pliant_skin_def_default();
    trial                    t;
    (void)unused;
    cloth.mesh = pliant_mesh_view_of(x, sizeof *x, 5, faces, 3);
    def.vertices = listed;
    def.vertex_count = 4;
    def.backstop_radius = 1;
    trial_begin(&t, 0, 1, 1);
    pliant_body body = pliant_scene_add_cloth(t.scene, &cloth, NULL);
    give_skin(&t, body, &def);
    trial_compile(&t);
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(pliant_state_skin(t.state, body, 0, 4, NULL, n), PLIANT_OK);
        for (int i = 0; i < 4; i++) {
            double sum[3] = {0, 0, 0};
            for (int f = 0; f < 2; f++)
                for (int c = 0; c < 3 && has[i][f]; c++) sum[c] += turn && c != 1 ? -cross[f][c] : cross[f][c];
            near((double)n[i].x, sum[0] / length3(sum), 4 * EPSILON);
            near((double)n[i].y, sum[1] / length3(sum), 4 * EPSILON);
            near((double)n[i].z, sum[2] / length3(sum), 4 * EPSILON);
            mirrored[i] = vec((double)x[listed[i]].x, -(double)x[listed[i]].y, (double)x[listed[i]].z);
        }
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
        assert_int_equal(pliant_inputs_skin(t.inputs, body, mirrored, sizeof *mirrored, NULL, 0), PLIANT_OK);
        trial_step(&t);
    }
    trial_end(&t);
}

/* Of vertices that are one particle, the last one listed counts. */
static void welded_vertices_have_one_target(void **unused)
{
    static const pliant_vec3 x[6] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 0, 1}, {1, 0, 0}, {1, 0, 1}};
    static const uint32_t    faces[6] = {0, 2, 1, 3, 5, 4}, listed[2] = {1, 4};
    static const pliant_real most[2] = {1, 0};
    const pliant_vec3        to[2] = {{5, 5, 5}, {2, 1, 0}};
    pliant_vec3              at[2];
    double                   p[3];
    pliant_cloth_def         cloth = pliant_cloth_def_default();
    pliant_skin_def          def = pliant_skin_def_default();
    trial                    t;
    (void)unused;
    cloth.mesh = pliant_mesh_view_of(x, sizeof *x, 6, faces, 2);
    def.vertices = listed;
    def.vertex_count = 2;
    def.max_distance_of = most;
    trial_begin(&t, 0, 1, 1);
    pliant_body body = pliant_scene_add_cloth(t.scene, &cloth, NULL);
    give_skin(&t, body, &def);
    trial_compile(&t);
    assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
    assert_int_equal(pliant_inputs_skin(t.inputs, body, to, sizeof *to, NULL, 0), PLIANT_OK);
    trial_step(&t);
    assert_int_equal(pliant_state_skin(t.state, body, 0, 2, at, NULL), PLIANT_OK);
    for (uint32_t i = 0; i < 2; i++) {
        point_of(&t, body, listed[i], p);
        assert_true(at[i].x == 2 && at[i].y == 1 && at[i].z == 0);
        assert_true(p[0] == 2 && p[1] == 1 && p[2] == 0);
    }
    trial_end(&t);
}

/* ---- what is refused ---- */

static void refused(trial *t, pliant_body body, const pliant_skin_def *def, const char *why)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    assert_int_equal(pliant_scene_skin(t->scene, body, def, &error), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    if (!strstr(error.message, why)) fail_msg("\"%s\" does not say: %s", error.message, why);
}

static void skins_that_are_refused(void **unused)
{
    const uint32_t        pinned[1] = {0}, attached[1] = {1}, absent[1] = {COUNT};
    const double          times[2] = {0, 0};
    const pliant_skin_def good = pliant_skin_def_default();
    pliant_skin_def       bad = good;
    pliant_vec3           keys[2 * COUNT] = {{0, 0, 0}};
    pliant_error          error = {PLIANT_OK, 0, "", ""};
    trial                 t;
    (void)unused;
    trial_begin(&t, 0, 1, 1);
    pliant_body body = add_sheet(&t);
    assert_int_equal(pliant_scene_pin(t.scene, body, pinned, 1, false, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_attach(t.scene, body, attached, 1, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_skin(NULL, body, &good, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_scene_skin(t.scene, body, NULL, NULL), PLIANT_ERROR_ARGUMENT);
    refused(&t, (pliant_body){7}, &good, "no body");
    bad.size = 1;
    refused(&t, body, &bad, "pliant_skin_def_default");
    bad = good, bad.vertices = absent, bad.vertex_count = 1;
    refused(&t, body, &bad, "vertex");
    bad.vertex_count = 0;
    refused(&t, body, &bad, "has no vertices");
    bad = good, bad.max_distance = NOT_A_NUMBER;
    refused(&t, body, &bad, "max_distance of nan is not finite");
    bad = good, bad.backstop_radius = -1;
    refused(&t, body, &bad, "backstop_radius of -1 is below 0");
    bad = good, bad.backstop_offset = R(-0.5);
    refused(&t, body, &bad, "backstop_offset of -0.5 is below 0");
    bad = good, bad.max_distance = 0, bad.vertices = pinned, bad.vertex_count = 1;
    refused(&t, body, &bad, "vertex 0 is pinned for ever, so a max_distance of 0 cannot say where it is");
    bad.vertices = attached;
    refused(&t, body, &bad, "vertex 1 is attached to a target, so a max_distance of 0 cannot say where it is");
    assert_int_equal(pliant_scene_key_skin(t.scene, body, times, 1, keys, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "has no skin"));
    assert_int_equal(pliant_scene_skin(t.scene, body, &good, NULL), PLIANT_OK);
    refused(&t, body, &good, "has a skin already");
    assert_int_equal(pliant_scene_key_skin(t.scene, body, times, 0, keys, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "no keys"));
    assert_int_equal(pliant_scene_key_skin(t.scene, body, times, 2, keys, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "is not after"));
    keys[5].z = NOT_A_NUMBER;
    assert_int_equal(pliant_scene_key_skin(t.scene, body, times, 1, keys, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "skinned target 5 is not finite"));
    trial_end(&t);
}

/* A vertex that its skin moves is not attached to something else afterwards. */
static void one_thing_says_where_a_vertex_is(void **unused)
{
    const uint32_t  first[1] = {0};
    pliant_skin_def def = pliant_skin_def_default();
    pliant_error    error = {PLIANT_OK, 0, "", ""};
    trial           t;
    (void)unused;
    trial_begin(&t, 0, 1, 1);
    pliant_body body = add_sheet(&t);
    def.max_distance = 0;
    give_skin(&t, body, &def);
    assert_int_equal(pliant_scene_attach(t.scene, body, first, 1, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "vertex 0 is where its skinned target is"));
    assert_int_equal(pliant_scene_pin(t.scene, body, first, 1, false, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "attached to a target"));
    trial_end(&t);
}

static void inputs_that_are_refused(void **unused)
{
    pliant_vec3     x[COUNT], n[COUNT];
    pliant_skin_def def = pliant_skin_def_default();
    trial           t;
    (void)unused;
    trial_begin(&t, 0, 1, 1);
    pliant_body body = add_sheet(&t), bare = add_sheet(&t);
    give_skin(&t, body, &def);
    trial_compile(&t);
    wave(0, x);
    wave(1, n);
    assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
    assert_int_equal(pliant_inputs_skin(NULL, body, x, sizeof *x, NULL, 0), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_skin(t.inputs, bare, x, sizeof *x, NULL, 0), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_skin(t.inputs, (pliant_body){9}, x, sizeof *x, NULL, 0), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_skin(t.inputs, body, NULL, sizeof *x, NULL, 0), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_skin(t.inputs, body, x, sizeof *x - 1, NULL, 0), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_skin(t.inputs, body, x, sizeof *x, n, sizeof *n - 1), PLIANT_ERROR_ARGUMENT);
    n[COUNT - 1].y = NOT_A_NUMBER;
    assert_int_equal(pliant_inputs_skin(t.inputs, body, x, sizeof *x, n, sizeof *n), PLIANT_ERROR_ARGUMENT);
    n[COUNT - 1].y = 0;
    x[3].x = R(HUGE_VAL);
    assert_int_equal(pliant_inputs_skin(t.inputs, body, x, sizeof *x, n, sizeof *n), PLIANT_ERROR_ARGUMENT);
    x[3].x = 0;
    assert_int_equal(pliant_inputs_skin(t.inputs, body, x, sizeof *x, n, sizeof *n), PLIANT_OK);
    assert_int_equal(pliant_state_skin(t.state, body, 1, COUNT, x, n), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_skin(t.state, bare, 0, 1, x, n), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_skin(NULL, body, 0, 1, x, n), PLIANT_ERROR_ARGUMENT);
    trial_end(&t);
}

/* Targets stay where they are when the scene is edited; those that are new are where keys have them by then. */
static void recompiling_keeps_targets(void **unused)
{
    static pliant_vec3 keys[2 * COUNT], x[COUNT], kept[COUNT], fresh[COUNT];
    const double       times[2] = {0, 1};
    pliant_skin_def    def = pliant_skin_def_default();
    pliant_state      *state = NULL;
    trial              t;
    (void)unused;
    def.backstop_radius = R(0.2);
    def.max_distance = R(0.1);
    trial_begin(&t, 0, 2, 1);
    pliant_body body = add_sheet(&t);
    give_skin(&t, body, &def);
    trial_compile(&t);
    wave(0.05, x);
    assert_int_equal(pliant_inputs_reset(t.inputs, 0.5), PLIANT_OK);
    assert_int_equal(pliant_inputs_skin(t.inputs, body, x, sizeof *x, NULL, 0), PLIANT_OK);
    trial_step(&t);
    pliant_body other = add_sheet(&t);
    wave(0, keys);
    wave(1, keys + COUNT);
    give_skin(&t, other, &def);
    assert_int_equal(pliant_scene_key_skin(t.scene, other, times, 2, keys, NULL), PLIANT_OK);
    pliant_model *model = pliant_scene_recompile(t.scene, t.state, &state, NULL);
    assert_non_null(model);
    assert_int_equal(pliant_state_skin(state, body, 0, COUNT, kept, NULL), PLIANT_OK);
    assert_int_equal(pliant_state_skin(state, other, 0, COUNT, fresh, NULL), PLIANT_OK);
    assert_memory_equal(kept, x, sizeof x);
    for (int i = 0; i < COUNT; i++) near((double)fresh[i].x, 0.5 * ((double)keys[i].x + (double)keys[COUNT + i].x), 4 * EPSILON);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_vertex_leaves_its_target_or_gets_behind_it),
        cmocka_unit_test(distances_hold_between_substeps),
        cmocka_unit_test(the_nearest_allowed_place_is_taken),
        cmocka_unit_test(distance_0_is_being_attached),
        cmocka_unit_test(what_rests_on_its_backstop_is_at_rest),
        cmocka_unit_test(normals_are_those_of_the_triangles),
        cmocka_unit_test(welded_vertices_have_one_target),
        cmocka_unit_test(skins_that_are_refused),
        cmocka_unit_test(one_thing_says_where_a_vertex_is),
        cmocka_unit_test(inputs_that_are_refused),
        cmocka_unit_test(recompiling_keeps_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
