/* The law: clusters keep their shape at rest, turned and moved as a whole, whatever cloud of points they are; they make neither momentum nor energy, and deform as the
 * solid does that their numbers say. */
#include "json_reader.h"
#include "trial.h"

static const pliant_group_kind kinds[] = {PLIANT_GROUP_RIGID, PLIANT_GROUP_LINEAR, PLIANT_GROUP_QUADRATIC};
#define KINDS (sizeof kinds / sizeof *kinds)
#define POINTS 40

typedef double cloud[POINTS][3];

/* Shapes of clouds: in space, in a plane, on a line, in a point. */
enum { IN_SPACE, IN_A_PLANE, ON_A_LINE, IN_A_POINT, SHAPES };

static void draw_cloud(cloud x, int shape, uint64_t *seed)
{
    for (int i = 0; i < POINTS; i++) {
        const double a = chance(seed) - 0.5, b = chance(seed) - 0.5, c = chance(seed) - 0.5;
        for (int k = 0; k < 3; k++) x[i][k] = 0;
        x[i][0] = shape < IN_A_POINT ? a : 0;
        x[i][1] = shape < ON_A_LINE ? b : shape == ON_A_LINE ? 2 * a : 0;
        x[i][2] = shape < IN_A_PLANE ? c : shape == IN_A_PLANE ? a - b : 0;
    }
}

static void shape_body(trial *t, pliant_body body, pliant_group_kind kind, double young, double cluster)
{
    pliant_group_def def = pliant_group_def_default(kind);
    pliant_error     error = {PLIANT_OK, 0, "", ""};
    if (young >= 0) def.numbers[0] = young;
    def.cluster = R(cluster);
    if (pliant_scene_group(t->scene, body, &def, &error) != PLIANT_OK) fail_msg("%s", error.message);
}

static pliant_body add_cloud(trial *t, const cloud x, const cloud v, pliant_group_kind kind, double young, double cluster)
{
    double inverse[POINTS];
    for (int i = 0; i < POINTS; i++) inverse[i] = 1 + i % 3;
    const pliant_material material = plain_material();
    const pliant_body     body = add_points(t, POINTS, x, v, inverse, &material);
    shape_body(t, body, kind, young, cluster);
    return body;
}

/* A block of 5 by 4 by 4 cells, 0.5 by 0.4 by 0.4 m, of which clusters alone hold the shape. */
static pliant_body add_block(trial *t, pliant_group_kind kind, double young, double cluster, double height)
{
    pliant_soft_def def = pliant_soft_def_default();
    pliant_error    error = {PLIANT_OK, 0, "", ""};
    def.cells[0] = 5;
    def.extent = vec(0.5, 0.4, 0.4);
    def.model = PLIANT_SOLID_SHAPE;
    def.material.density = 1000;
    def.body.placement.position = vec(0, height, 0);
    def.body.placement.rotation = (pliant_quat){0, R(sin(0.3)), 0, R(cos(0.3))};
    const pliant_body body = pliant_scene_add_soft(t->scene, &def, &error);
    if (!body.id) fail_msg("%s", error.message);
    shape_body(t, body, kind, young, cluster);
    return body;
}

/* q of length 1 rotates p. */
static void rotate(const double q[4], const double p[3], double out[3])
{
    double u[3], w[3];
    cross3(q, p, u);
    for (int k = 0; k < 3; k++) u[k] *= 2;
    cross3(q, u, w);
    for (int k = 0; k < 3; k++) out[k] = p[k] + q[3] * u[k] + w[k];
}

static void draw_turn(uint64_t *seed, double q[4])
{
    double length = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = chance(seed) - 0.5;
        length += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++) q[k] /= sqrt(length);
}

static void set_cloud(const trial *t, pliant_body body, const cloud x)
{
    pliant_vec3 at[POINTS];
    for (int i = 0; i < POINTS; i++) at[i] = vec(x[i][0], x[i][1], x[i][2]);
    assert_int_equal(pliant_state_set_positions(t->state, body, 0, POINTS, at), PLIANT_OK);
}

/* ---- rotations ---- */

/* Half a turn about an axis is where the rotation of before is a saddle. */
static void rigid_motion_leaves_points_where_they_are(void **unused)
{
    uint64_t seed = 3;
    double   worst = 0;
    (void)unused;
    for (size_t k = 0; k < KINDS; k++)
        for (int shape = 0; shape < SHAPES; shape++)
            for (int turn = 0; turn < 6; turn++) {
                trial  t;
                cloud  x, to;
                double q[4] = {0, 0, 0, 0};
                trial_begin(&t, 0, 1, 2);
                draw_cloud(x, shape, &seed);
                const pliant_body body = add_cloud(&t, (const double(*)[3])x, NULL, kinds[k], 1e7, turn % 2 ? 0.6 : 0);
                trial_compile(&t);
                draw_turn(&seed, q);
                if (turn > 2)
                    for (int c = 0; c < 4; c++) q[c] = c == turn - 3;
                for (int i = 0; i < POINTS; i++) rotate(q, x[i], to[i]);
                set_cloud(&t, body, (const double(*)[3])to);
                trial_run(&t, 1.0 / 60, 1);
                for (uint32_t i = 0; i < POINTS; i++) {
                    double at[3];
                    point_of(&t, body, i, at);
                    for (int c = 0; c < 3; c++) worst = fmax(worst, fabs(at[c] - to[i][c]));
                }
                trial_end(&t);
            }
    print_message("rigid motion: by %.2g eps\n", worst / EPSILON);
    assert_true(worst <= 8 * EPSILON);
}

static double handedness(const cloud x)
{
    double d[3][3], n[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) d[i][k] = x[i + 1][k] - x[0][k];
    cross3(d[0], d[1], n);
    return dot3(n, d[2]);
}

/* A stiff cluster that is reflected comes back as it was, turned, and not as its image. */
static void a_reflected_cloud_is_turned(void **unused)
{
    uint64_t seed = 11;
    (void)unused;
    for (int n = 0; n < 20; n++) {
        trial t;
        cloud x, mirror, back;
        trial_begin(&t, 0, 1, 1);
        draw_cloud(x, IN_SPACE, &seed);
        const pliant_body body = add_cloud(&t, (const double(*)[3])x, NULL, PLIANT_GROUP_RIGID, 1e12, 0);
        trial_compile(&t);
        for (int i = 0; i < POINTS; i++)
            for (int k = 0; k < 3; k++) mirror[i][k] = (k == n % 3 ? -1 : 1) * x[i][k];
        set_cloud(&t, body, (const double(*)[3])mirror);
        trial_run(&t, 1.0 / 60, 1);
        for (uint32_t i = 0; i < POINTS; i++) point_of(&t, body, i, back[i]);
        near(handedness((const double(*)[3])back), handedness((const double(*)[3])x), BOUND(1e-6, 1e-5));
        for (int i = 1; i < POINTS; i++) {
            double a[3], b[3];
            for (int k = 0; k < 3; k++) {
                a[k] = back[i][k] - back[0][k];
                b[k] = x[i][k] - x[0][k];
            }
            near(length3(a), length3(b), BOUND(1e-6, 1e-5));
        }
        trial_end(&t);
    }
}

/* Whatever becomes of a cloud, it stays finite: it is flattened, pressed onto a line, into a point, and reflected. */
static void what_is_crushed_stays_finite(void **unused)
{
    uint64_t seed = 17;
    (void)unused;
    for (size_t k = 0; k < KINDS; k++)
        for (int shape = 0; shape < SHAPES; shape++)
            for (int to = 0; to < SHAPES + 1; to++) {
                trial t;
                cloud x, crushed;
                trial_begin(&t, 9.81, 3, 2);
                draw_cloud(x, shape, &seed);
                const pliant_body body = add_cloud(&t, (const double(*)[3])x, NULL, kinds[k], 1e5, 0);
                trial_compile(&t);
                for (int i = 0; i < POINTS; i++)
                    for (int c = 0; c < 3; c++) crushed[i][c] = to == SHAPES ? -x[i][c] : c < 3 - to ? x[i][c] : 0;
                set_cloud(&t, body, (const double(*)[3])crushed);
                trial_run(&t, 1.0 / 60, 30);
                for (uint32_t i = 0; i < POINTS; i++) {
                    double at[3];
                    point_of(&t, body, i, at);
                    assert_true(length3(at) < 100);
                }
                trial_end(&t);
            }
}

/* ---- the goals of 2005 ---- */

/* (goal - x) times a stiffness of 0 to 1, from a Young's modulus that makes it: k = K h^2 / (1 + K h^2), K that of bonds. */
static void goals_are_those_of_the_reference(void **unused)
{
    const char *folder = getenv("PLIANT_ORACLES");
    char        path[4096];
    (void)unused;
    if (!folder || !*folder) {
        print_message("skipped: PLIANT_ORACLES is not set\n");
        skip();
        return;
    }
    snprintf(path, sizeof path, "%s/constraints/shape_matching.json", folder);
    json       *file = json_read(path);
    const json *cases = json_get(file, "cases");
    for (size_t n = 0; n < cases->count; n++) {
        const json  *c = json_at(cases, n), *xs = json_get(c, "x"), *rests = json_get(c, "rest"), *dxs = json_get(c, "dx");
        const size_t count = xs->count;
        const double k = fmin(json_number_at(c, "stiffness"), 1 - 1e-13), h = 1.0 / 60;
        double       rest[POINTS][3], inverse[POINTS], mass = 0;
        pliant_vec3  at[POINTS];
        trial        t;
        for (size_t i = 0; i < count; i++) {
            double x[3];
            for (size_t a = 0; a < 3; a++) {
                rest[i][a] = json_number(json_at(json_at(rests, i), a));
                x[a] = json_number(json_at(json_at(xs, i), a));
            }
            at[i] = vec(x[0], x[1], x[2]);
            inverse[i] = 1 / json_number(json_at(json_get(c, "m"), i));
            mass += 1 / inverse[i];
        }
        const double density = 1000, spacing = pow(mass / density / (double)count, 1.0 / 3);
        trial_begin(&t, 0, 1, 1);
        const pliant_material material = plain_material();
        const pliant_body     body = add_points(&t, count, (const double(*)[3])rest, NULL, inverse, &material);
        const double          young = k / (1 - k) / (h * h) * density * spacing * spacing;
        shape_body(&t, body, PLIANT_GROUP_RIGID, fmin(young, 1e12), 0);
        trial_compile(&t);
        assert_int_equal(pliant_state_set_positions(t.state, body, 0, (uint32_t)count, at), PLIANT_OK);
        trial_run(&t, h, 1);
        for (uint32_t i = 0; i < count; i++) {
            double       to[3];
            const double from[3] = {(double)at[i].x, (double)at[i].y, (double)at[i].z};
            point_of(&t, body, i, to);
            for (size_t a = 0; a < 3; a++)
                near(to[a] - from[a], json_number(json_at(json_at(dxs, i), a)),
                     BOUND(k > 0.9 ? 1e-6 : 1e-11, 2e-5)); /* young ends at 1e12 */
        }
        trial_end(&t);
    }
    json_free(file);
}

/* ---- the solid ---- */

/* A block that is deformed alike everywhere holds V (mu |E|^2 + lambda/2 tr(E)^2), E = S - 1, however it is cut into clusters. */
static void energy_is_that_of_the_solid(void **unused)
{
    static const double clusters[] = {0, 0.2, 0.31};
    const double        stretch[3] = {1.1, 0.95, 0.9}, young = 5e4, ratio = 0.45, volume = 0.08;
    const double        mu = young / (2 * (1 + ratio)), lambda = young * ratio / ((1 + ratio) * (1 - 2 * ratio));
    double              square = 0, trace = 0;
    (void)unused;
    for (int k = 0; k < 3; k++) {
        square += (stretch[k] - 1) * (stretch[k] - 1);
        trace += stretch[k] - 1;
    }
    const double expected = volume * (mu * square + lambda / 2 * trace * trace);
    for (size_t k = 1; k < KINDS; k++)
        for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
            trial             t;
            pliant_solver_def def = pliant_solver_def_default();
            trial_begin(&t, 0, 1, 1);
            const pliant_body body = add_block(&t, kinds[k], young, clusters[i], 0);
            trial_compile(&t);
            for (uint32_t v = 0; v < vertex_count(&t, body); v++) {
                double x[3];
                point_of(&t, body, v, x);
                const pliant_vec3 to = vec(stretch[0] * x[0], stretch[1] * x[1], stretch[2] * x[2]);
                assert_int_equal(pliant_state_set_positions(t.state, body, v, 1, &to), PLIANT_OK);
            }
            def.energy = true;
            pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
            pliant_inputs_reset(t.inputs, 1e-6);
            assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
            near(pliant_solver_statistics(solver).energy_before.elastic / expected, 1, 1e-4);
            pliant_solver_destroy(solver);
            trial_end(&t);
        }
}

/* ---- momentum, energy, rest ---- */

static void sum_momentum(const trial *t, pliant_body body, double sum[6], double *scale)
{
    for (int c = 0; c < 6; c++) sum[c] = 0;
    *scale = 0;
    for (uint32_t v = 0; v < vertex_count(t, body); v++) {
        double      x[3], speed[3], turn[3];
        pliant_real w;
        assert_int_equal(pliant_state_inverse_masses(t->state, body, v, 1, &w), PLIANT_OK);
        point_of(t, body, v, x);
        speed_of(t, body, v, speed);
        cross3(x, speed, turn);
        for (int c = 0; c < 3; c++) {
            sum[c] += speed[c] / (double)w;
            sum[3 + c] += turn[c] / (double)w;
        }
        *scale += 1 / (double)w;
    }
}

static void clusters_move_no_body_as_a_whole(void **unused)
{
    uint64_t seed = 23;
    (void)unused;
    for (size_t k = 0; k < KINDS; k++)
        for (int cubes = 0; cubes < 2; cubes++) {
            trial  t;
            cloud  x, v;
            double before[6], after[6], scale;
            trial_begin(&t, 0, 5, 2);
            draw_cloud(x, IN_SPACE, &seed);
            draw_cloud(v, IN_SPACE, &seed);
            const pliant_body body = add_cloud(&t, (const double(*)[3])x, (const double(*)[3])v, kinds[k], 1e5, cubes ? 0.5 : 0);
            trial_compile(&t);
            sum_momentum(&t, body, before, &scale);
            trial_run(&t, 1.0 / 60, 10);
            sum_momentum(&t, body, after, &scale);
            for (int c = 0; c < 3; c++) near(after[c], before[c], BOUND(1e-12, 1e-5) * scale);
            trial_end(&t);
        }
}

/* Where a sweep moves members of a cloud that is bent out of shape, from rest, it turns nothing. */
static void a_sweep_turns_no_body(void **unused)
{
    uint64_t seed = 29;
    (void)unused;
    for (size_t k = 0; k < KINDS; k++)
        for (int cubes = 0; cubes < 2; cubes++) {
            trial  t;
            cloud  x, by, to;
            double torque[3] = {0, 0, 0}, moved = 0;
            trial_begin(&t, 0, 1, 1);
            draw_cloud(x, IN_SPACE, &seed);
            draw_cloud(by, IN_SPACE, &seed);
            const pliant_body body = add_cloud(&t, (const double(*)[3])x, NULL, kinds[k], 1e5, cubes ? 0.5 : 0);
            trial_compile(&t);
            for (int i = 0; i < POINTS; i++)
                for (int c = 0; c < 3; c++) to[i][c] = x[i][c] + 0.2 * by[i][c];
            set_cloud(&t, body, (const double(*)[3])to);
            for (uint32_t i = 0; i < POINTS; i++) point_of(&t, body, i, to[i]);
            trial_run(&t, 1.0 / 60, 1);
            for (uint32_t i = 0; i < POINTS; i++) {
                double at[3], turn[3];
                point_of(&t, body, i, at);
                for (int c = 0; c < 3; c++) at[c] -= to[i][c];
                cross3(to[i], at, turn);
                for (int c = 0; c < 3; c++) torque[c] += turn[c] / (1 + i % 3);
                moved += length3(at);
            }
            assert_true(moved > 0.1);
            for (int c = 0; c < 3; c++) near(torque[c], 0, BOUND(1e-14, 1e-6) * POINTS);
            trial_end(&t);
        }
}

static void a_body_at_rest_rests(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < KINDS; k++)
        for (int cubes = 0; cubes < 2; cubes++) {
            trial  t;
            double most = 0;
            trial_begin(&t, 0, 50, 1);
            const pliant_body body = add_block(&t, kinds[k], 1e5, cubes ? 0.2 : 0, 3);
            trial_compile(&t);
            const uint32_t count = vertex_count(&t, body);
            pliant_vec3    start[180];
            assert_int_equal(pliant_state_positions(t.state, body, 0, count, start), PLIANT_OK);
            trial_run(&t, 1.0 / 60, 200);
            for (uint32_t v = 0; v < count; v++) {
                double       x[3];
                const double from[3] = {(double)start[v].x, (double)start[v].y, (double)start[v].z};
                point_of(&t, body, v, x);
                for (int c = 0; c < 3; c++) most = fmax(most, fabs(x[c] - from[c]) / 0.5);
            }
            print_message("%s%s: by %g of its size\n", pliant_group_describe(kinds[k])->name, cubes ? " cubes" : "", most);
            assert_true(most <= BOUND(1e-13, 1e-5));
            trial_end(&t);
        }
}

/* Blocks are dropped, let go when stretched or crushed, and hang on pins. */
enum { DROPPED, STRETCHED, CRUSHED, HANGING, TRIALS };

static void clusters_make_no_energy(void **unused)
{
    static const uint32_t ways[][2] = {{1, 1}, {1, 4}, {5, 1}, {5, 2}, {20, 1}, {20, 4}};
    static const double   moduli[] = {2e3, 5e4, 1e7};
    double                worst = 0;
    (void)unused;
    for (size_t k = 0; k < KINDS; k++)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            for (size_t e = 0; e < sizeof moduli / sizeof *moduli; e++)
                for (int what = 0; what < 2 * TRIALS; what++) {
                    trial             t;
                    pliant_solver_def def = pliant_solver_def_default();
                    double            most = 0, turned = 0, last = 0;
                    uint32_t          pins[2] = {0, 5};
                    if (what == 2 * HANGING + 1 && ways[i][0] * ways[i][1] == 1 && moduli[e] > 1e6)
                        continue; /* docs/shape-matching.md, limits */
                    const bool falls = what / 2 == DROPPED || what / 2 == HANGING;
                    trial_begin(&t, falls ? 9.81 : 0, ways[i][0], ways[i][1]);
                    const pliant_body body = add_block(&t, kinds[k], moduli[e], what % 2 ? 0.2 : 0, 0.6);
                    if (what / 2 == HANGING) assert_int_equal(pliant_scene_pin(t.scene, body, pins, 2, false, NULL), PLIANT_OK);
                    pliant_collider_def floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
                    if (what / 2 == DROPPED) add_collider(&t, &floor);
                    trial_compile(&t);
                    for (uint32_t v = 0; !falls && v < vertex_count(&t, body); v++) {
                        double x[3];
                        point_of(&t, body, v, x);
                        const double      f = what / 2 == STRETCHED ? 1.6 : 0.1;
                        const pliant_vec3 to = vec(f * x[0], 0.6 + (what / 2 == STRETCHED ? 0.8 : 1) * (x[1] - 0.6), x[2] + 0.3 * x[0]);
                        assert_int_equal(pliant_state_set_positions(t.state, body, v, 1, &to), PLIANT_OK);
                    }
                    def.energy = true;
                    pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
                    assert_non_null(solver);
                    for (int f = 0; f < 60; f++) {
                        pliant_inputs_reset(t.inputs, 1.0 / 60);
                        assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
                        const pliant_statistics now = pliant_solver_statistics(solver);
                        if (!f) most = last = now.energy_before.kinetic + now.energy_before.gravity + now.energy_before.elastic;
                        const double total = now.energy.kinetic + now.energy.gravity + now.energy.elastic - now.energy.unresolved;
                        turned += fabs(total - last);
                        last = total;
                        if (total > most) worst = fmax(worst, (total - most) / (turned + 1e-3));
                        if (total > most + 0.02 * turned + 1e-3)
                            fail_msg("%s, %u substeps of %u, %g Pa, trial %d: %g J in frame %d, of %g",
                                     pliant_group_describe(kinds[k])->name, ways[i][0], ways[i][1], moduli[e], what, total, f, most);
                    }
                    pliant_solver_destroy(solver);
                    trial_end(&t);
                }
    print_message("gains at the most %.2g of what was turned over\n", worst);
}

/* ---- states ---- */

static uint64_t hash_of_run(uint32_t threads, uint32_t width, bool resume)
{
    trial             t;
    pliant_solver_def def = pliant_solver_def_default();
    trial_begin(&t, 9.81, 4, 2);
    for (size_t k = 0; k < KINDS; k++) add_block(&t, kinds[k], 3e4, k ? 0.2 : 0, 0.3 + 0.6 * (double)k);
    pliant_collider_def floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    add_collider(&t, &floor);
    trial_compile(&t);
    def.threads = threads;
    def.width = width;
    pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
    assert_non_null(solver);
    for (int f = 0; f < 30; f++) {
        if (resume && f == 13) { /* a new solver, and a state from its bytes */
            size_t        size;
            const void   *bytes = pliant_state_data(t.state, &size);
            pliant_state *other = pliant_state_create(t.model, NULL);
            assert_int_equal(pliant_state_load(other, bytes, size, NULL), PLIANT_OK);
            pliant_state_destroy(t.state);
            t.state = other;
            pliant_solver_destroy(solver);
            solver = pliant_solver_create(t.model, &def, NULL);
        }
        pliant_inputs_reset(t.inputs, 1.0 / 60);
        assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
    }
    const uint64_t hash = pliant_state_hash(t.state);
    pliant_solver_destroy(solver);
    trial_end(&t);
    return hash;
}

static void runs_are_the_same_to_the_bit(void **unused)
{
    const uint64_t hash = hash_of_run(1, 0, false);
    (void)unused;
    for (uint32_t threads = 1; threads <= 4; threads++) assert_true(hash_of_run(threads, 0, false) == hash);
    const pliant_build_info build = pliant_build();
    for (uint32_t w = 0; w < build.width_count; w++) assert_true(hash_of_run(2, build.widths[w], false) == hash);
    assert_true(hash_of_run(2, 0, true) == hash);
}

static void a_body_that_is_off_stays(void **unused)
{
    trial t;
    (void)unused;
    trial_begin(&t, 9.81, 4, 1);
    const pliant_body body = add_block(&t, PLIANT_GROUP_LINEAR, 1e5, 0.2, 1), other = add_block(&t, PLIANT_GROUP_LINEAR, 1e5, 0.2, 3);
    trial_compile(&t);
    pliant_inputs_reset(t.inputs, 1.0 / 60);
    assert_int_equal(pliant_inputs_body_active(t.inputs, body, false), PLIANT_OK);
    double before[3], after[3];
    point_of(&t, body, 7, before);
    for (int f = 0; f < 5; f++) {
        pliant_inputs_reset(t.inputs, 1.0 / 60);
        if (!f) assert_int_equal(pliant_inputs_body_active(t.inputs, body, false), PLIANT_OK);
        trial_step(&t);
    }
    point_of(&t, body, 7, after);
    for (int k = 0; k < 3; k++) near(after[k], before[k], 0);
    point_of(&t, other, 7, after);
    assert_true(after[1] < 3);
    trial_end(&t);
}

/* ---- refusals ---- */

static void what_makes_no_cluster_is_refused(void **unused)
{
    trial        t;
    pliant_error error = {PLIANT_OK, 0, "", ""};
    uint32_t     sizes[2] = {2, 0}, members[2] = {0, POINTS};
    cloud        x;
    double       inverse[POINTS];
    uint64_t     seed = 1;
    (void)unused;
    for (int i = 0; i < POINTS; i++) inverse[i] = 1;
    trial_begin(&t, 0, 1, 1);
    draw_cloud(x, IN_SPACE, &seed);
    const pliant_material material = plain_material();
    const pliant_body     body = add_points(&t, POINTS, (const double(*)[3])x, NULL, inverse, &material);
    pliant_group_def      def = pliant_group_def_default(PLIANT_GROUP_LINEAR);
    def.cluster_sizes = sizes;
    def.cluster_members = members;
    def.cluster_count = 1;
    assert_int_equal(pliant_scene_group(t.scene, body, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "has vertex 40"));
    def.cluster_count = 2;
    members[1] = 1;
    assert_int_equal(pliant_scene_group(t.scene, body, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "has no vertices"));
    def.cluster_count = 1;
    def.cluster = R(0.1);
    assert_int_equal(pliant_scene_group(t.scene, body, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "not both"));
    def.cluster_count = 0;
    def.cluster = R(1e-7);
    assert_int_equal(pliant_scene_group(t.scene, body, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "too small"));
    def.cluster = 0;
    assert_int_equal(pliant_scene_group(t.scene, body, &def, &error), PLIANT_OK);
    assert_int_equal(pliant_scene_group(t.scene, body, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "already"));
    trial_end(&t);
}

/* Counts of a body with listed clusters: a pair, a plane, a line of a plane's body, and space. */
static void a_cluster_that_holds_nothing_is_counted(void **unused)
{
    /* 0 to 4 lie on a line, 0 to 8 in a plane, 9 aside of it */
    const double points[10][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0},
                                  {0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {3, 2, 0}, {0, 0, 1}};
    const struct {
        uint32_t points, sizes[2], members[10], small, flat;
    } cases[] = {{10, {2, 6}, {0, 1, 0, 1, 2, 5, 6, 9}, 1, 0},   {10, {5, 5}, {0, 1, 5, 6, 7, 0, 1, 2, 5, 9}, 0, 1},
                 {9, {4, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8}, 0, 1}, {9, {4, 4}, {0, 1, 5, 6, 1, 2, 6, 7}, 0, 0},
                 {5, {4, 4}, {0, 1, 2, 3, 1, 2, 3, 4}, 0, 0},    {3, {3, 2}, {0, 1, 2, 1, 2}, 1, 0}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial                 t;
        double                inverse[10];
        pliant_error          error = {PLIANT_OK, 0, "", ""};
        pliant_group_def      def = pliant_group_def_default(PLIANT_GROUP_LINEAR);
        const pliant_material material = plain_material();
        for (int k = 0; k < 10; k++) inverse[k] = 1 + k % 2;
        trial_begin(&t, 0, 1, 1);
        const pliant_body bare = add_points(&t, 4, points, NULL, inverse, &material),
                          body = add_points(&t, cases[i].points, points, NULL, inverse, &material);
        def.cluster_count = 2;
        def.cluster_sizes = cases[i].sizes;
        def.cluster_members = cases[i].members;
        assert_int_equal(pliant_scene_group(t.scene, body, &def, &error), PLIANT_OK);
        trial_compile(&t);
        const pliant_shape_clusters c = pliant_model_shape_clusters(t.model, body);
        assert_int_equal(c.count, 2);
        assert_int_equal(c.small, cases[i].small);
        assert_int_equal(c.flat, cases[i].flat);
        assert_int_equal(pliant_model_shape_clusters(t.model, bare).count, 0);
        assert_int_equal(pliant_model_shape_clusters(t.model, (pliant_body){7}).count, 0);
        assert_int_equal(pliant_model_shape_clusters(NULL, body).count, 0);
        trial_end(&t);
    }
}

static void methods_say_whether_they_take_clusters(void **unused)
{
    (void)unused;
    for (int m = 0; m < PLIANT_METHOD_COUNT; m++) {
        trial             t;
        pliant_method_def def = pliant_method_def_default();
        pliant_error      error = {PLIANT_OK, 0, "", ""};
        const bool        takes = m == PLIANT_METHOD_GAUSS_SEIDEL || m == PLIANT_METHOD_JACOBI || m == PLIANT_METHOD_HIERARCHICAL;
        def.method = (pliant_method)m;
        trial_begin(&t, 0, 1, 1);
        add_block(&t, PLIANT_GROUP_LINEAR, 1e5, 0.2, 0);
        trial_compile(&t);
        assert_true(pliant_method_takes(t.model, &def, &error) == takes);
        if (!takes) assert_non_null(strstr(error.message, "a shape"));
        trial_end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_motion_leaves_points_where_they_are),
        cmocka_unit_test(a_reflected_cloud_is_turned),
        cmocka_unit_test(what_is_crushed_stays_finite),
        cmocka_unit_test(goals_are_those_of_the_reference),
        cmocka_unit_test(energy_is_that_of_the_solid),
        cmocka_unit_test(clusters_move_no_body_as_a_whole),
        cmocka_unit_test(a_sweep_turns_no_body),
        cmocka_unit_test(a_body_at_rest_rests),
        cmocka_unit_test(clusters_make_no_energy),
        cmocka_unit_test(runs_are_the_same_to_the_bit),
        cmocka_unit_test(a_body_that_is_off_stays),
        cmocka_unit_test(what_makes_no_cluster_is_refused),
        cmocka_unit_test(a_cluster_that_holds_nothing_is_counted),
        cmocka_unit_test(methods_say_whether_they_take_clusters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
