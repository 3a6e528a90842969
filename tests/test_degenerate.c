/* Physically hostile input: refused with a reason, or simulated without a number that is none. "Finite" is 300 frames and less than a
 * kilometre. What is refused in a file is refused by the same calls, so files are not needed here. Each test has the name of a case; where a
 * list of cases is given (PLIANT_ORACLES), all of it has to be here. */
#define _POSIX_C_SOURCE 200809L
#include "json_reader.h"
#include "sample_scenes.h"
#include "trial.h"

#include "pliant/io.h"

#include <time.h>
#include <unistd.h>

#define H60 (1.0 / 60)
#define NOT_A_NUMBER strtod("nan", NULL)

static bool is_finite(double a) { return a - a == 0; }

/* Runs frames, and looks at every coordinate of the body after each. */
static void stays_finite(trial *t, pliant_body body, uint32_t frames)
{
    for (uint32_t frame = 0; frame < frames; frame++) {
        trial_run(t, H60, 1);
        for (uint32_t i = 0; i < vertex_count(t, body); i++) {
            double x[3];
            point_of(t, body, i, x);
            for (int c = 0; c < 3; c++) assert_true(is_finite(x[c]) && fabs(x[c]) < 1e3);
        }
    }
}

static void add_floor(trial *t, double height)
{
    pliant_collider_def plane = plane_def(0, 0.5, 0.5, 0);
    plane.pose.position.y = R(height);
    add_collider(t, &plane);
}

/* ---- constraints without a direction ---- */

static void zero_length_edge(void **unused)
{
    static const double x[2][3] = {{0, 0, 0}, {0, 0, 0}};
    trial               t;
    (void)unused;
    trial_begin(&t, 9.81, 10, 1);
    pliant_body body = add_points(&t, 2, x, NULL, NULL, NULL);
    add_distance(&t, body, 0, 1, 1, NULL);
    add_floor(&t, -1);
    trial_compile(&t);
    stays_finite(&t, body, 300);
    trial_end(&t);
}

static void zero_rest(void **unused)
{
    static const double x[2][3] = {{0, 0, 0}, {1, 0, 0}};
    double              a[3], b[3];
    trial               t;
    (void)unused;
    trial_begin(&t, 0, 10, 1);
    pliant_body body = add_points(&t, 2, x, NULL, NULL, NULL);
    add_distance(&t, body, 0, 1, 0, NULL);
    trial_compile(&t);
    stays_finite(&t, body, 300);
    point_of(&t, body, 0, a);
    point_of(&t, body, 1, b);
    for (int c = 0; c < 3; c++) near(a[c], b[c], 1e-6);
    trial_end(&t);
}

/* A triangle with an aspect of 1e8, and a bending pair with a wing on its edge. */
static void sliver_tri(void **unused)
{
    static const double x[6][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 1e-8, 0}, {0, 1, 0}, {0.5, 0, 0}, {0.5, 1, 0.5}};
    const uint32_t      sliver[3] = {0, 1, 2}, wing[4] = {0, 1, 4, 5}, thin[4] = {0, 1, 2, 5};
    trial               t;
    (void)unused;
    trial_begin(&t, 9.81, 10, 2);
    pliant_body body = add_points(&t, 6, x, NULL, NULL, NULL);
    add_link(&t, body, PLIANT_CONSTRAINT_TRIANGLE_AREA, sliver, 5e-9, NULL);
    add_link(&t, body, PLIANT_CONSTRAINT_DIHEDRAL_ANGLE, wing, 0.3, NULL);
    add_link(&t, body, PLIANT_CONSTRAINT_DIHEDRAL_ANGLE, thin, 0, NULL);
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t k = i + 1; k < 6; k++) {
            const double d[3] = {x[i][0] - x[k][0], x[i][1] - x[k][1], x[i][2] - x[k][2]};
            add_distance(&t, body, i, k, length3(d), NULL);
        }
    add_floor(&t, -1);
    trial_compile(&t);
    stays_finite(&t, body, 300);
    trial_end(&t);
}

/* With a wing on the edge there is no angle, and nothing moves. */
static void collinear_bend(void **unused)
{
    static const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {0.5, 1, 0.5}};
    pliant_eval_input   in = {0};
    pliant_eval_output  out;
    (void)unused;
    for (int i = 0; i < 4; i++) {
        for (int c = 0; c < 3; c++) in.x[i][c] = R(x[i][c]);
        in.w[i] = 1;
    }
    in.parameters[0] = 1;
    in.dt = 1;
    in.law = rigid();
    assert_int_equal(pliant_constraint_eval(PLIANT_CONSTRAINT_DIHEDRAL_ANGLE, &in, &out), PLIANT_OK);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) assert_true(out.dx[i][c] == 0);
}

/* Folded flat on itself the angle is pi or -pi: one and the same place, which must not be a switch that flips from step to step. */
static void folded_180(void **unused)
{
    static const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 1e-4}, {0.5, 1, 0}}, w[4] = {0, 0, 1, 1};
    const uint32_t      ids[4] = {0, 1, 2, 3};
    const pliant_law    law = compliant(0.1);
    double              a[3], b[3], side = 0;
    int                 flips = 0;
    trial               t;
    (void)unused;
    trial_begin(&t, 0, 10, 1);
    pliant_body body = add_points(&t, 4, x, NULL, w, NULL);
    add_link(&t, body, PLIANT_CONSTRAINT_DIHEDRAL_ANGLE, ids, 0, &law);
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t k = 2; k < 4; k++) add_distance(&t, body, i, k, sqrt(1.25), NULL);
    trial_compile(&t);
    for (int frame = 0; frame < 40; frame++) {
        stays_finite(&t, body, 1);
        point_of(&t, body, 2, a);
        point_of(&t, body, 3, b);
        double now = a[2] - b[2];
        flips += side * now < 0;
        side = now;
    }
    assert_true(flips <= 1);
    near(fabs(side), 1, 1); /* it opened, the wings did not fly off */
    trial_end(&t);
}

/* ---- what nothing can move ---- */

static void both_static(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)kind);
        pliant_eval_input             in = {0};
        pliant_eval_output            out;
        uint64_t                      seed = 5;
        for (uint32_t i = 0; i < info->slots; i++)
            for (int c = 0; c < 3; c++) in.x[i][c] = R(chance(&seed));
        in.parameters[0] = R(0.9);
        solid_parameters(info->kind, 0.9, in.parameters);
        in.dt = 1;
        in.law = rigid();
        assert_int_equal(pliant_constraint_eval(info->kind, &in, &out), PLIANT_OK);
        bool violated = false;
        for (uint32_t r = 0; r < info->rows; r++) violated = violated || (out.C[r] > 0) || (out.C[r] < 0);
        assert_true(violated || info->limit != PLIANT_EQUAL);
        for (uint32_t r = 0; r < info->rows; r++) assert_true(out.dlambda[r] == 0);
        for (uint32_t i = 0; i < info->slots; i++)
            for (int c = 0; c < 3; c++) assert_true(out.dx[i][c] == 0);
    }
}

/* Every particle is pinned: to the bit as it was. */
static void all_static(void **unused)
{
    static const double x[3][3] = {{0, 0, 0}, {3, 0.1, 0}, {0, 1, 0.7}}, w[3] = {0, 0, 0};
    const uint32_t      ids[3] = {0, 1, 2};
    pliant_vec3         before[3], after[3];
    trial               t;
    (void)unused;
    trial_begin(&t, 9.81, 10, 3);
    pliant_body body = add_points(&t, 3, x, NULL, w, NULL);
    add_distance(&t, body, 0, 1, 1, NULL);
    add_link(&t, body, PLIANT_CONSTRAINT_TRIANGLE_AREA, ids, 9, NULL);
    add_floor(&t, 0.5);
    trial_compile(&t);
    assert_int_equal(pliant_state_positions(t.state, body, 0, 3, before), PLIANT_OK);
    stays_finite(&t, body, 300);
    assert_int_equal(pliant_state_positions(t.state, body, 0, 3, after), PLIANT_OK);
    assert_memory_equal(before, after, sizeof before);
    trial_end(&t);
}

/* Nothing to simulate: refused with a reason, or run. */
static void no_particles(void **unused)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    trial        t;
    (void)unused;
    trial_begin(&t, 9.81, 10, 1);
    pliant_model *model = pliant_scene_compile(t.scene, &error);
    if (!model) assert_true(error.code != PLIANT_OK && error.message[0]);
    pliant_model_destroy(model);
    if (model) {
        trial_compile(&t);
        trial_run(&t, H60, 3);
    }
    trial_end(&t);
}

/* ---- what is refused ---- */

static void refuses_link(pliant_constraint_kind kind, const uint32_t *ids, double parameter, const pliant_law *law)
{
    static const double   x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    pliant_constraint_def def = pliant_constraint_def_default(kind);
    pliant_error          error = {PLIANT_OK, 0, "", ""};
    trial                 t;
    trial_begin(&t, 9.81, 1, 1);
    pliant_body body = add_points(&t, 4, x, NULL, NULL, NULL);
    for (uint32_t i = 0; i < pliant_constraint_describe(kind)->slots; i++) def.particles[i] = (pliant_particle){body, ids[i]};
    def.parameters[0] = R(parameter);
    if (law) def.law = *law;
    assert_int_equal(pliant_scene_add_constraint(t.scene, &def, &error).id, 0);
    assert_true(error.code != PLIANT_OK && error.message[0]);
    trial_end(&t);
}

static void self_edge(void **unused)
{
    static const uint32_t self[2] = {1, 1};
    (void)unused;
    refuses_link(PLIANT_CONSTRAINT_DISTANCE, self, 1, NULL);
    refuses_link(PLIANT_CONSTRAINT_TETHER, self, 1, NULL);
}

/* What joins two places of one particle. */
static void joint_same_body(void **unused)
{
    static const uint32_t self[2] = {2, 2};
    (void)unused;
    refuses_link(PLIANT_CONSTRAINT_ATTACHMENT, self, 0, NULL);
}

static void dup_vertex_tet(void **unused)
{
    static const uint32_t twice[4] = {0, 1, 2, 2};
    (void)unused;
    refuses_link(PLIANT_CONSTRAINT_TET_VOLUME, twice, 1, NULL);
}

static void alpha_neg(void **unused)
{
    static const uint32_t edge[2] = {0, 1};
    const pliant_law      negative = compliant(-1), none = compliant(NOT_A_NUMBER);
    (void)unused;
    refuses_link(PLIANT_CONSTRAINT_DISTANCE, edge, 1, &negative);
    refuses_link(PLIANT_CONSTRAINT_DISTANCE, edge, 1, &none);
}

static void vertices_that_are_not_there(void **unused)
{
    static const uint32_t beyond[2] = {0, 4};
    (void)unused;
    refuses_link(PLIANT_CONSTRAINT_DISTANCE, beyond, 1, NULL);
}

/* A number that a constraint carries, out of its range: refused with the range. No kind has a Poisson's ratio so far; when one has, its
 * range is one of these. */
static void nu_half(void **unused)
{
    static const pliant_vec3 x[PLIANT_MAX_SLOTS] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}};
    (void)unused;
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)kind);
        for (uint32_t i = 0; i < info->parameter_count; i++) {
            const double low = info->parameters[i].low, high = info->parameters[i].high;
            const double bad[] = {low - 0.25 - fabs(low), high + 0.25 + fabs(high), NOT_A_NUMBER, 1 / (high - high)};
            for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
                pliant_constraint_def def = pliant_constraint_def_default(info->kind);
                pliant_particles_def  particles = pliant_particles_def_default();
                pliant_error          error = {PLIANT_OK, 0, "", ""};
                char                  range[64];
                trial                 t;
                trial_begin(&t, 9.81, 1, 1);
                particles.positions = x;
                particles.count = PLIANT_MAX_SLOTS;
                const pliant_body body = pliant_scene_add_particles(t.scene, &particles, NULL);
                for (uint32_t j = 0; j < info->slots; j++) def.particles[j] = (pliant_particle){body, j};
                for (uint32_t j = 0; j < info->parameter_count; j++) def.parameters[j] = R(info->parameters[j].low);
                def.parameters[i] = R(bad[k]);
                assert_int_equal(pliant_scene_add_constraint(t.scene, &def, &error).id, 0);
                snprintf(range, sizeof range, "from %g to %g", low, high);
                if (!strstr(error.message, range) || !strstr(error.message, info->parameters[i].name))
                    fail_msg("%s: %s", info->name, error.message);
                trial_end(&t);
            }
        }
    }
}

/* A pose or a placement that turns by nothing that is a rotation. */
static void quat_zero(void **unused)
{
    const pliant_quat bad[] = {{0, 0, 0, 0}, {R(NOT_A_NUMBER), 0, 0, 1}};
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pliant_collider_def box = pliant_collider_def_default(PLIANT_SHAPE_BOX);
        pliant_cloth_def    cloth = pliant_cloth_def_default();
        pliant_error        error = {PLIANT_OK, 0, "", ""};
        trial               t;
        trial_begin(&t, 9.81, 1, 1);
        box.half_extent = vec(1, 1, 1);
        box.pose.rotation = bad[i];
        assert_int_equal(pliant_scene_add_collider(t.scene, &box, &error).id, 0);
        assert_non_null(strstr(error.message, "quaternion"));
        cloth.cells_x = cloth.cells_z = 1;
        cloth.size_x = cloth.size_z = 1;
        cloth.body.placement.rotation = bad[i];
        assert_int_equal(pliant_scene_add_cloth(t.scene, &cloth, &error).id, 0);
        assert_non_null(strstr(error.message, "quaternion"));
        trial_end(&t);
    }
}

/* A box without an extent. */
static void inertia_zero(void **unused)
{
    const pliant_vec3 bad[] = {{0, 1, 1}, {1, -1, 1}, {1, 1, R(NOT_A_NUMBER)}};
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pliant_collider_def box = pliant_collider_def_default(PLIANT_SHAPE_BOX);
        pliant_error        error = {PLIANT_OK, 0, "", ""};
        trial               t;
        trial_begin(&t, 9.81, 1, 1);
        box.half_extent = bad[i];
        assert_int_equal(pliant_scene_add_collider(t.scene, &box, &error).id, 0);
        assert_true(error.message[0]);
        trial_end(&t);
    }
}

static pliant_body add_tet(trial *t, double height, bool mend, pliant_error *error)
{
    static const uint32_t ids[4] = {0, 1, 2, 3};
    const pliant_vec3     x[4] = {vec(0, 0, 0), vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, height)};
    pliant_soft_def       def = pliant_soft_def_default();
    def.mesh = (pliant_tet_view){x, sizeof *x, 4, ids, 1};
    def.mend = mend;
    return pliant_scene_add_soft(t->scene, &def, error);
}

static void flat_tet_rest(void **unused)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    trial        t;
    (void)unused;
    trial_begin(&t, 9.81, 1, 1);
    assert_int_equal(add_tet(&t, 0, false, &error).id, 0);
    assert_true(error.message[0]);
    assert_int_equal(add_tet(&t, 0, true, NULL).id, 0);
    trial_end(&t);
}

static void inverted_tet_rest(void **unused)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    trial        t;
    (void)unused;
    trial_begin(&t, 9.81, 1, 1);
    assert_int_equal(add_tet(&t, -1, false, &error).id, 0);
    assert_true(error.message[0]);
    assert_int_not_equal(add_tet(&t, -1, true, NULL).id, 0);
    assert_int_not_equal(add_tet(&t, 1, false, NULL).id, 0);
    trial_end(&t);
}

static void w_inf(void **unused)
{
    const double         masses[] = {0, -1, NOT_A_NUMBER};
    pliant_particles_def def = pliant_particles_def_default();
    const pliant_vec3    x = {0, 0, 0};
    trial                t;
    (void)unused;
    trial_begin(&t, 9.81, 1, 1);
    def.positions = &x;
    def.count = 1;
    for (size_t i = 0; i < 3; i++) {
        pliant_real mass = R(masses[i]), inverse = i ? mass : R(-0.5);
        def.body.masses = &mass;
        assert_int_equal(pliant_scene_add_particles(t.scene, &def, NULL).id, 0);
        def.body.masses = NULL;
        def.inverse_masses = &inverse;
        assert_int_equal(pliant_scene_add_particles(t.scene, &def, NULL).id, 0);
        def.inverse_masses = NULL;
    }
    trial_end(&t);
}

static void dt_zero(void **unused)
{
    const double        steps[] = {0, -0.01, NOT_A_NUMBER, 1e-300, 1e300};
    static const double x[1][3] = {{0, 0, 0}};
    trial               t;
    (void)unused;
    trial_begin(&t, 9.81, 1, 1);
    add_points(&t, 1, x, NULL, NULL, NULL);
    trial_compile(&t);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        assert_int_equal(pliant_inputs_reset(t.inputs, steps[i]), PLIANT_ERROR_ARGUMENT);
    trial_end(&t);
}

static void substeps_0(void **unused)
{
    const uint32_t counts[] = {0, 0x80000000u};
    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        pliant_error     error = {PLIANT_OK, 0, "", ""};
        pliant_scene_def def = pliant_scene_def_default();
        def.substeps = counts[i];
        assert_null(pliant_scene_create(&def, &error));
        assert_true(error.message[0]);
    }
}

/* ---- what is odd and must run ---- */

/* Twice the same, and it has its length. A file that says so gets a note: tests/test_scene_reader.c. */
static void dup_edge(void **unused)
{
    static const double x[2][3] = {{0, 0, 0}, {1.5, 0, 0}};
    double              a[3], b[3];
    trial               t;
    (void)unused;
    trial_begin(&t, 0, 10, 2);
    pliant_body body = add_points(&t, 2, x, NULL, NULL, NULL);
    add_distance(&t, body, 0, 1, 1, NULL);
    add_distance(&t, body, 0, 1, 1, NULL);
    trial_compile(&t);
    stays_finite(&t, body, 300);
    point_of(&t, body, 0, a);
    point_of(&t, body, 1, b);
    near(b[0] - a[0], 1, 1e-5);
    trial_end(&t);
}

/* Two lengths for one pair: it settles between. */
static void over_constrained(void **unused)
{
    static const double x[2][3] = {{0, 0, 0}, {1.7, 0, 0}};
    double              a[3], b[3];
    trial               t;
    (void)unused;
    trial_begin(&t, 0, 10, 2);
    pliant_body body = add_points(&t, 2, x, NULL, NULL, NULL);
    add_distance(&t, body, 0, 1, 1, NULL);
    add_distance(&t, body, 0, 1, 2, NULL);
    trial_compile(&t);
    stays_finite(&t, body, 300);
    point_of(&t, body, 0, a);
    point_of(&t, body, 1, b);
    assert_true(b[0] - a[0] > 0.99 && b[0] - a[0] < 2.01);
    trial_end(&t);
}

/* A tetrahedron that starts mirrored comes back through zero. Drag takes what speed the way through leaves. */
static void inverted_tet_start(void **unused)
{
    static const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    const uint32_t      ids[4] = {0, 1, 2, 3};
    double              p[4][3], n[3];
    pliant_material     material = plain_material();
    trial               t;
    (void)unused;
    material.drag = 500;
    trial_begin(&t, 0, 10, 1);
    pliant_body body = add_points(&t, 4, x, NULL, NULL, &material);
    add_link(&t, body, PLIANT_CONSTRAINT_TET_VOLUME, ids, 1.0 / 6, NULL);
    trial_compile(&t);
    stays_finite(&t, body, 120);
    for (uint32_t i = 0; i < 4; i++) point_of(&t, body, i, p[i]);
    for (int i = 1; i < 4; i++)
        for (int c = 0; c < 3; c++) p[i][c] -= p[0][c];
    cross3(p[1], p[2], n);
    near(dot3(n, p[3]), 1, 1e-3);
    trial_end(&t);
}

/* A jelly with vertices where `place` puts them. */
static pliant_body begin_jelly(trial *t, pliant_vec3 (*place)(pliant_vec3 x, uint64_t *seed))
{
    pliant_soft_def def = pliant_soft_def_default();
    pliant_vec3     x[125];
    uint64_t        seed = 17;
    def.cells[0] = def.cells[1] = def.cells[2] = 4;
    def.extent = vec(1, 1, 1);
    def.material.density = 1000;
    def.material.stretch = compliant(1e-5);
    trial_begin(t, 9.81, 10, 1);
    pliant_body body = pliant_scene_add_soft(t->scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    add_floor(t, -2);
    trial_compile(t);
    assert_int_equal(vertex_count(t, body), 125);
    assert_int_equal(pliant_state_positions(t->state, body, 0, 125, x), PLIANT_OK);
    for (int i = 0; i < 125; i++) x[i] = place(x[i], &seed);
    assert_int_equal(pliant_state_set_positions(t->state, body, 0, 125, x), PLIANT_OK);
    return body;
}

/* What its faces enclose, m^3. */
static double volume_of(const trial *t, pliant_body body)
{
    const uint32_t *sizes, *at;
    double          sum = 0, p[3][3], n[3];
    pliant_model_faces(t->model, body, &sizes, &at);
    for (uint32_t f = 0; f < pliant_model_body(t->model, body).face_count; at += sizes[f++])
        for (uint32_t k = 2; k < sizes[f]; k++) {
            point_of(t, body, at[0], p[0]);
            point_of(t, body, at[k - 1], p[1]);
            point_of(t, body, at[k], p[2]);
            cross3(p[0], p[1], n);
            sum += dot3(n, p[2]) / 6;
        }
    return fabs(sum);
}

static pliant_vec3 squashed(pliant_vec3 x, uint64_t *seed)
{
    (void)seed;
    return vec((double)x.x, 0.5, (double)x.z);
}

static void flattened_mesh(void **unused)
{
    trial t;
    (void)unused;
    pliant_body body = begin_jelly(&t, squashed);
    near(volume_of(&t, body), 0, 1e-6);
    stays_finite(&t, body, 60);
    print_message("a flattened jelly has %g of its volume after 60 frames\n", volume_of(&t, body));
    assert_true(volume_of(&t, body) >= 0.99 && volume_of(&t, body) < 1.01);
    stays_finite(&t, body, 240);
    trial_end(&t);
}

static pliant_vec3 at_one_point(pliant_vec3 x, uint64_t *seed)
{
    (void)x, (void)seed;
    return vec(0, 0, 0);
}

static void point_collapse(void **unused)
{
    trial t;
    (void)unused;
    stays_finite(&t, begin_jelly(&t, at_one_point), 300);
    trial_end(&t);
}

static pliant_vec3 anywhere(pliant_vec3 x, uint64_t *seed)
{
    (void)x;
    const double a = chance(seed), b = chance(seed);
    return vec(a, b, chance(seed));
}

static void random_start(void **unused)
{
    trial t;
    (void)unused;
    stays_finite(&t, begin_jelly(&t, anywhere), 600);
    trial_end(&t);
}

/* ---- crowds ---- */

/* So many particles, thrown down on a floor from a cube of this side; and as vertices that no face uses, with the triangle of a cloth, where those
 * at one place become one particle. */
static void crowd(uint32_t count, double side)
{
    pliant_particles_def def = pliant_particles_def_default();
    pliant_cloth_def     cloth = pliant_cloth_def_default();
    const uint32_t       triangle[3] = {0, 1, 2};
    pliant_vec3         *x = malloc(count * sizeof *x);
    uint64_t             seed = 3;
    const clock_t        began = clock();
    trial                t;
    assert_non_null(x);
    for (uint32_t i = 0; i < count; i++) x[i] = vec(side * chance(&seed), side * chance(&seed), side * chance(&seed));
    trial_begin(&t, 9.81, 1, 1);
    def.positions = x;
    def.count = count;
    const pliant_body body = pliant_scene_add_particles(t.scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    x[1] = vec(1, 0, 0);
    x[2] = vec(0, 0, 1);
    cloth.mesh = pliant_mesh_view_of(x, sizeof *x, count, triangle, 1);
    assert_int_not_equal(pliant_scene_add_cloth(t.scene, &cloth, NULL).id, 0);
    add_floor(&t, -0.01);
    trial_compile(&t);
    trial_run(&t, H60, 3);
    assert_int_equal(pliant_state_positions(t.state, body, 0, count, x), PLIANT_OK);
    for (uint32_t i = 0; i < count; i++) assert_true(is_finite((double)x[i].y) && (double)x[i].y > -0.02);
    trial_end(&t);
    free(x);
#ifdef PLIANT_SANITIZED
    const double most = 60;
#else
    const double most = 10;
#endif
    assert_true((double)(clock() - began) / CLOCKS_PER_SEC < most);
}

static void coincident_cloud(void **unused)
{
    (void)unused;
    crowd(100000, 0);
}

static void one_cell(void **unused)
{
    (void)unused;
    crowd(1000000, 1e-3);
}

/* Ten links, the last mass a million times the others. A sweep moves it by a millionth of the stretch of its link, and it falls g h^2 in a
 * substep: with 100 substeps and one sweep its link must stretch by 2.7 times its length, so sweeps are needed as well; and float64, since a
 * millionth of a millimetre is less than float resolves at one metre. */
static double stretch_of_uneven_chain(uint32_t substeps, uint32_t iterations, uint32_t frames)
{
    double x[11][3] = {{0, 0, 0}}, w[11];
    trial  t;
    for (int i = 0; i <= 10; i++) {
        x[i][1] = -0.1 * i;
        w[i] = i == 0 ? 0 : i < 10 ? 1 : 1e-6;
    }
    trial_begin(&t, 9.81, substeps, iterations);
    pliant_body body = add_points(&t, 11, (const double(*)[3])x, NULL, w, NULL);
    for (uint32_t i = 0; i < 10; i++) add_distance(&t, body, i, i + 1, 0.1, NULL);
    trial_compile(&t);
    stays_finite(&t, body, frames);
    double stretch = pliant_state_strain(t.state).largest;
    print_message("stretch with masses of 1 : 1e6, %u substeps, %u iterations: %g\n", substeps, iterations, stretch);
    trial_end(&t);
    return stretch;
}

static void mass_ratio_1e6(void **unused)
{
    (void)unused;
    stretch_of_uneven_chain(10, 1, 300);
    assert_true(stretch_of_uneven_chain(100, 1, 300) < 20);
    if (BOUND(1, 0) > 0) assert_true(stretch_of_uneven_chain(100, 400, 60) < 0.05);
}

/* A compliance of 1e30 is no constraint: bit for bit free fall. */
static void alpha_huge(void **unused)
{
    static const double x[3][3] = {{0, 0, 0}, {2, 0, 0}, {5, 0, 0}}, w[3] = {0, 1, 1};
    const pliant_law    law = compliant(1e30);
    double              a[3], b[3];
    trial               t;
    (void)unused;
    trial_begin(&t, 9.81, 10, 2);
    pliant_body body = add_points(&t, 3, x, NULL, w, NULL);
    add_distance(&t, body, 0, 1, 1, &law);
    trial_compile(&t);
    stays_finite(&t, body, 300);
    point_of(&t, body, 1, a);
    point_of(&t, body, 2, b);
    near(a[0], 2, 1e-6);
    near(a[1], b[1], BOUND(1e-9, 1e-3));
    assert_true(a[1] < -100);
    trial_end(&t);
}

/* Finite, or stopped with what went wrong. */
static void gravity_huge(void **unused)
{
    static const double x[2][3] = {{0, 0, 0}, {1, 0, 0}}, w[2] = {0, 1};
    pliant_code         code = PLIANT_OK;
    double              at[3];
    trial               t;
    (void)unused;
    trial_begin(&t, 1e6, 10, 1);
    pliant_body body = add_points(&t, 2, x, NULL, w, NULL);
    add_distance(&t, body, 0, 1, 1, NULL);
    trial_compile(&t);
    for (int frame = 0; frame < 300 && code == PLIANT_OK; frame++) {
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
        code = pliant_solver_step(t.solver, t.state, t.inputs);
        point_of(&t, body, 1, at);
        for (int c = 0; c < 3; c++) assert_true(is_finite(at[c]));
    }
    pliant_divergence d = pliant_solver_divergence(t.solver);
    assert_int_equal(d.diverged, code == PLIANT_ERROR_DIVERGED);
    if (code == PLIANT_OK)
        near(length3(at), 1, 0.2);
    else
        assert_true(d.particle.body.id == body.id && d.particle.vertex == 1 && d.speed > 1e4);
    trial_end(&t);
}

/* Thrown at a wall at a third of the speed of light. */
static void velocity_huge(void **unused)
{
    static const double x[1][3] = {{0, 1, 0}}, v[1][3] = {{0, -1e8, 0}};
    double              at[3];
    trial               t;
    (void)unused;
    trial_begin(&t, 9.81, 10, 1);
    pliant_body body = add_points(&t, 1, x, v, NULL, NULL);
    add_floor(&t, 0);
    trial_compile(&t);
    stays_finite(&t, body, 10);
    point_of(&t, body, 0, at);
    near(at[1], 0, 1e-2);
    trial_end(&t);
}

/* The same chain here and ten kilometres away; float is not asked, 1e4 m have steps of a millimetre there. */
static void far_origin(void **unused)
{
    double place[2][6][3];
    (void)unused;
    for (int far = 0; far < 2; far++) {
        const double offset = BOUND(1e4, 8) * far;
        double       x[6][3], w[6] = {0, 1, 1, 1, 1, 1};
        trial        t;
        for (int i = 0; i < 6; i++) {
            x[i][0] = 0.25 * i + offset;
            x[i][1] = offset;
            x[i][2] = -offset;
        }
        trial_begin(&t, 9.81, 10, 2);
        pliant_body body = add_points(&t, 6, (const double(*)[3])x, NULL, w, NULL);
        for (uint32_t i = 0; i < 5; i++) add_distance(&t, body, i, i + 1, 0.25, NULL);
        trial_compile(&t);
        trial_run(&t, H60, 20);
        for (uint32_t i = 0; i < 6; i++) {
            point_of(&t, body, i, place[far][i]);
            place[far][i][0] -= offset;
            place[far][i][1] -= offset;
            place[far][i][2] += offset;
        }
        trial_end(&t);
    }
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++) near(place[1][i][c], place[0][i][c], BOUND(1e-9, 0.1));
    static const double there[2][3] = {{1e6, 1e6, -1e6}, {1e6 + 1, 1e6, -1e6}};
    trial               t;
    trial_begin(&t, 9.81, 10, 2);
    pliant_body body = add_points(&t, 2, there, NULL, NULL, NULL);
    add_distance(&t, body, 0, 1, 1, NULL);
    trial_compile(&t);
    trial_run(&t, H60, 20);
    point_of(&t, body, 1, place[0][0]);
    for (int c = 0; c < 3; c++) assert_true(fabs(place[0][0][c] - there[1][c]) < 2);
    trial_end(&t);
}

/* ---- a user's function that breaks ---- */

static void breaks_at_the_tenth(const pliant_vec3 *x, uint32_t particle_count, uint32_t row_count, uint64_t tag, pliant_real *C,
                                pliant_vec3 *gradient, void *context)
{
    int *calls = context;
    (void)particle_count;
    (void)row_count;
    (void)tag;
    C[0] = ++*calls == 10 ? R(NOT_A_NUMBER) : x[0].y;
    gradient[0] = vec(0, 1, 0);
}

static const char *checkpoint_path(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/pliant-degenerate.%ld", (long)getpid());
    return path;
}

static void nan_mid_run(void **unused)
{
    static const double x[3][3] = {{5, 5, 5}, {0, 0, 0}, {1, 0, 0}};
    (void)unused;
    for (int restores = 0; restores < 2; restores++) {
        int                        calls = 0;
        pliant_user_constraint_def user = pliant_user_constraint_def_default();
        pliant_solver_def          def = pliant_solver_def_default();
        double                     at[3];
        trial                      t;
        memset(&t, 0, sizeof t);
        t.def = pliant_scene_def_default();
        t.def.substeps = 1;
        t.def.on_divergence = restores ? PLIANT_DIVERGENCE_RESTORES : PLIANT_DIVERGENCE_STOPS;
        trial_begin_def(&t);
        pliant_body body = add_points(&t, 3, x, NULL, NULL, NULL);
        user.particles[0] = (pliant_particle){body, 1};
        user.particle_count = user.row_count = 1;
        user.function = 2;
        assert_int_not_equal(pliant_scene_add_user_constraint(t.scene, &user, NULL).id, 0);
        t.model = pliant_scene_compile(t.scene, NULL);
        def.user[2] = breaks_at_the_tenth;
        def.user_context[2] = &calls;
        t.solver = pliant_solver_create(t.model, &def, NULL);
        t.state = pliant_state_create(t.model, NULL);
        t.inputs = pliant_inputs_create(t.model, NULL);
        pliant_state     *saved = pliant_state_create(t.model, NULL);
        pliant_checkpoint checkpoint = pliant_checkpoint_default();
        for (int frame = 1; frame <= 10; frame++) {
            assert_int_equal(pliant_state_copy(saved, t.state), PLIANT_OK);
            assert_int_equal(pliant_checkpoint_write(checkpoint_path(), t.state, &checkpoint, NULL), PLIANT_OK);
            assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
            pliant_code       code = pliant_solver_step(t.solver, t.state, t.inputs);
            pliant_divergence d = pliant_solver_divergence(t.solver);
            assert_int_equal(code, frame < 10 || restores ? PLIANT_OK : PLIANT_ERROR_DIVERGED);
            assert_int_equal(d.diverged, frame == 10);
            if (!d.diverged) continue;
            assert_true(d.not_a_number && d.particle.body.id == body.id && d.particle.vertex == 1);
        }
        assert_int_equal(pliant_solver_statistics(t.solver).restored_bodies, restores);
        if (!restores) assert_int_equal(pliant_checkpoint_read(checkpoint_path(), t.state, &checkpoint, NULL), PLIANT_OK);
        if (!restores) assert_true(pliant_state_hash(t.state) == pliant_state_hash(saved));
        trial_run(&t, H60, 5); /* goes on from the last good state */
        point_of(&t, body, 1, at);
        near(at[1], 0, 1e-5);
        pliant_state_destroy(saved);
        trial_end(&t);
        remove(checkpoint_path());
    }
}

static void every_case_of_the_list_is_here(void **unused);

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(zero_length_edge),
    cmocka_unit_test(zero_rest),
    cmocka_unit_test(both_static),
    cmocka_unit_test(all_static),
    cmocka_unit_test(no_particles),
    cmocka_unit_test(self_edge),
    cmocka_unit_test(dup_edge),
    cmocka_unit_test(dup_vertex_tet),
    cmocka_unit_test(flat_tet_rest),
    cmocka_unit_test(inverted_tet_rest),
    cmocka_unit_test(inverted_tet_start),
    cmocka_unit_test(flattened_mesh),
    cmocka_unit_test(point_collapse),
    cmocka_unit_test(random_start),
    cmocka_unit_test(sliver_tri),
    cmocka_unit_test(collinear_bend),
    cmocka_unit_test(folded_180),
    cmocka_unit_test(mass_ratio_1e6),
    cmocka_unit_test(w_inf),
    cmocka_unit_test(dt_zero),
    cmocka_unit_test(substeps_0),
    cmocka_unit_test(alpha_neg),
    cmocka_unit_test(alpha_huge),
    cmocka_unit_test(gravity_huge),
    cmocka_unit_test(velocity_huge),
    cmocka_unit_test(far_origin),
    cmocka_unit_test(coincident_cloud),
    cmocka_unit_test(one_cell),
    cmocka_unit_test(nu_half),
    cmocka_unit_test(quat_zero),
    cmocka_unit_test(inertia_zero),
    cmocka_unit_test(joint_same_body),
    cmocka_unit_test(over_constrained),
    cmocka_unit_test(nan_mid_run),
    cmocka_unit_test(vertices_that_are_not_there),
    cmocka_unit_test(every_case_of_the_list_is_here),
};

static void every_case_of_the_list_is_here(void **unused)
{
    const char *folder = getenv("PLIANT_ORACLES");
    char        path[4096];
    (void)unused;
    if (!folder || !*folder) {
        print_message("skipped: there is no list of cases (PLIANT_ORACLES is not set)\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/degenerate.json", folder);
    json       *list = json_read(path);
    const json *cases = json_get(list, "cases");
    assert_true(cases->count > 30);
    for (size_t i = 0; i < cases->count; i++) {
        const char *id = json_text_at(json_at(cases, i), "id");
        bool        here = false;
        for (size_t k = 0; k < sizeof tests / sizeof *tests; k++) here = here || strcmp(tests[k].name, id) == 0;
        if (!here) fail_msg("%s is not here", id);
    }
    json_free(list);
}

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
