/* What constraints and time stepping must give, as numbers: closed forms and worked examples. Each row states what it may be off
 * by, in the float64 library and in the float32 one; the second is a bound on rounding, where positions of metres are subtracted to get
 * micrometres, or divided by a short step to get speeds. */
#include "trial.h"

#include "solver/solver.h"
#include "solver/laws.h"

#define H60 (1.0 / 60)

/* ---- one constraint ---- */

/* k' = 1 - (1 - k)^(1/n) (Müller 2007, section 3.3). */
static void stiffness_of_one_sweep(void **unused)
{
    (void)unused;
    near((double)pliant__sweep_stiffness(0.5, 10), 0.06696700846319259, BOUND(1e-15, 1e-8));
    near((double)pliant__sweep_stiffness(0.9, 4), 0.43765867481, BOUND(1e-11, 1e-7));
    near((double)pliant__sweep_stiffness(0.9, 20), 0.108749061866, BOUND(1e-12, 1e-8));
    near((double)pliant__sweep_stiffness(1, 7), 1, 0);
    near((double)pliant__sweep_stiffness(0, 7), 0, 0);
}

/* A mass below a pin, one metre apart, after `frames` steps of dt: by how much the constraint is stretched. */
static double hanging_stretch(const pliant_law *law, double mass, double g, double dt, uint32_t substeps, uint32_t iterations,
                              uint32_t frames)
{
    static const double x[2][3] = {{0, 1, 0}, {0, 0, 0}};
    const double        w[2] = {0, 1 / mass};
    double              at[3];
    trial               t;
    trial_begin(&t, g, substeps, iterations);
    pliant_body body = add_points(&t, 2, x, NULL, w, NULL);
    add_distance(&t, body, 0, 1, 1, law);
    trial_compile(&t);
    trial_run(&t, dt, frames);
    point_of(&t, body, 1, at);
    trial_end(&t);
    return -at[1];
}

/* PBD: g h^2 (1 - k) / k, whatever the number of iterations; it depends on the step, which is what compliance mends. */
static void steady_stretch_of_stiffness(void **unused)
{
    static const uint32_t iterations[] = {1, 2, 5, 10, 20};
    const pliant_law      law = stiff(0.5);
    (void)unused;
    for (size_t i = 0; i < sizeof iterations / sizeof *iterations; i++) {
        near(hanging_stretch(&law, 1, 10, 1.0 / 60, 1, iterations[i], 400), 1.0 / 360, BOUND(1e-13, 1e-6));
        near(hanging_stretch(&law, 1, 10, 1.0 / 120, 1, iterations[i], 400), 1.0 / 1440, BOUND(1e-13, 1e-6));
    }
}

/* XPBD: m g alpha, for any step and any number of iterations. One that forgets its multiplier between iterations gives 2.6e-4 for ten. */
static void steady_stretch_of_compliance(void **unused)
{
    const pliant_law law = compliant(1e-3);
    (void)unused;
    near(hanging_stretch(&law, 1, 10, H60, 1, 1, 600), 0.01, BOUND(1e-11, 1e-5));
    near(hanging_stretch(&law, 1, 10, H60, 1, 10, 600), 0.01, BOUND(1e-11, 1e-5));
    near(hanging_stretch(&law, 1, 10, H60, 10, 1, 1600), 0.01, BOUND(1e-11, 1e-4));
    near(hanging_stretch(&law, 1, 10, H60, 4, 3, 1600), 0.01, BOUND(1e-11, 1e-4));
    const pliant_law soft = compliant(1e-2), hard = compliant(1e-5);
    near(hanging_stretch(&soft, 2, 9.81, H60, 1, 4, 6000), 0.1962, BOUND(1e-11, 1e-5));
    near(hanging_stretch(&hard, 2, 9.81, H60, 2, 7, 600), 1.962e-4, BOUND(1e-11, 2e-6));
}

static void distance_moves_ends_by_inverse_mass(void **unused)
{
    static const double x[2][3] = {{0, 0, 0}, {3, 0, 0}}, w[2] = {1, 0.5};
    double              a[3], b[3];
    trial               t;
    (void)unused;
    trial_begin(&t, 0, 1, 1);
    pliant_body body = add_points(&t, 2, x, NULL, w, NULL);
    add_distance(&t, body, 0, 1, 1, NULL);
    trial_compile(&t);
    trial_run(&t, H60, 1);
    point_of(&t, body, 0, a);
    point_of(&t, body, 1, b);
    near(a[0], 4.0 / 3, 4 * EPSILON);
    near(b[0], 7.0 / 3, 4 * EPSILON);
    near((a[0] + 2 * b[0]) / 3, 2, 8 * EPSILON);
    trial_end(&t);
}

static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 2}};

static double six_volumes(const trial *t, pliant_body body)
{
    double x[4][3], n[3];
    for (uint32_t i = 0; i < 4; i++) point_of(t, body, i, x[i]);
    for (int i = 1; i < 4; i++)
        for (int c = 0; c < 3; c++) x[i][c] -= x[0][c];
    cross3(x[1], x[2], n);
    return dot3(n, x[3]);
}

static void volume_projected_again_and_again(void **unused)
{
    static const double expected[] = {1.108367626886, 1.001567883937, 1.000000328534, 1};
    static const double once[4][3] = {{1.0 / 9, 1.0 / 9, 1.0 / 18}, {8.0 / 9, 0, 0}, {0, 8.0 / 9, 0}, {0, 0, 35.0 / 18}};
    const uint32_t      ids[4] = {0, 1, 2, 3};
    (void)unused;
    for (uint32_t n = 1; n <= 4; n++) {
        trial t;
        trial_begin(&t, 0, 1, n);
        pliant_body body = add_points(&t, 4, corner, NULL, NULL, NULL);
        add_link(&t, body, PLIANT_CONSTRAINT_TET_VOLUME, ids, 1.0 / 6, NULL);
        trial_compile(&t);
        trial_run(&t, H60, 1);
        near(six_volumes(&t, body), expected[n - 1], BOUND(6e-13, 2e-6));
        for (uint32_t i = 0; i < 4 && n == 1; i++) {
            double x[3];
            point_of(&t, body, i, x);
            for (int c = 0; c < 3; c++) near(x[c], once[i][c], 8 * EPSILON);
        }
        trial_end(&t);
    }
}

/* With unequal masses the correction solves the linearised equation exactly. (A rule that divides by sum |grad C|^2 and weighs by n w / sum
 * w, which is in print, leaves 1 - 17.1 (4 / 3.1) / 18 = -0.2258 of it.) In units of 6 V, in which C = 1. */
static void volume_with_unequal_masses(void **unused)
{
    pliant_eval_input  in = {0};
    pliant_eval_output out;
    (void)unused;
    for (int i = 0; i < 4; i++) {
        for (int c = 0; c < 3; c++) in.x[i][c] = R(corner[i][c]);
        in.w[i] = i < 3 ? 1 : R(0.1);
    }
    in.parameters[0] = R(1.0 / 6);
    in.dt = R(H60);
    in.law = rigid();
    assert_int_equal(pliant_constraint_eval(PLIANT_CONSTRAINT_TET_VOLUME, &in, &out), PLIANT_OK);
    double left = (double)out.C[0];
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) left += (double)out.gradient[0][i][c] * (double)out.dx[i][c];
    near(6 * left, 0, 8 * EPSILON);
    near(36 * (double)out.denominator[0], 17.1, 64 * EPSILON);
    in.w[3] = 1;
    assert_int_equal(pliant_constraint_eval(PLIANT_CONSTRAINT_TET_VOLUME, &in, &out), PLIANT_OK);
    near((double)out.dlambda[0] / 6, -1.0 / 18, 4 * EPSILON);
}

static void range_limits_stretch(void **unused)
{
    static const struct {
        double from, to;
    } rows[] = {{1.5, 1.1}, {1.05, 1.05}, {0.95, 0.95}, {0.5, 0.9}, {1.1000001, 1.1}};
    pliant_law law = pliant_law_default();
    (void)unused;
    law.limited = true;
    law.limit = PLIANT_RANGE;
    law.range_min = R(0.9);
    law.range_max = R(1.1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t iterations = 1; iterations < 4; iterations++) {
            const double x[2][3] = {{0, 0, 0}, {rows[i].from, 0, 0}};
            double       a[3], b[3], moved = (rows[i].from - rows[i].to) / 2;
            trial        t;
            trial_begin(&t, 0, 1, iterations);
            pliant_body body = add_points(&t, 2, x, NULL, NULL, NULL);
            add_distance(&t, body, 0, 1, 1, &law);
            trial_compile(&t);
            trial_run(&t, H60, 1);
            point_of(&t, body, 0, a);
            point_of(&t, body, 1, b);
            near(b[0] - a[0], rows[i].to, 4 * EPSILON);
            near(a[0], moved, 4 * EPSILON);
            if (moved == 0) assert_true(a[0] == 0 && b[0] == (double)R(rows[i].from));
            trial_end(&t);
        }
}

/* A triangle of twice its rest area, its largest ratio 1.21. */
static void range_limits_area(void **unused)
{
    static const double x[3][3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}};
    const uint32_t      ids[3] = {0, 1, 2};
    pliant_law          law = pliant_law_default();
    trial               t;
    double              p[3][3];
    (void)unused;
    law.limited = true;
    law.limit = PLIANT_RANGE;
    law.range_min = R(0.8);
    law.range_max = R(1.21);
    trial_begin(&t, 0, 1, 20);
    pliant_body body = add_points(&t, 3, x, NULL, NULL, NULL);
    add_link(&t, body, PLIANT_CONSTRAINT_TRIANGLE_AREA, ids, 0.5, &law);
    trial_compile(&t);
    trial_run(&t, H60, 1);
    for (uint32_t i = 0; i < 3; i++) point_of(&t, body, i, p[i]);
    near(((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0])) / 2, 0.605, BOUND(1e-14, 1e-6));
    trial_end(&t);
}

/* ---- order ---- */

/* Gauss-Seidel: the second constraint sees what the first did, so the order shows. */
static void chain_in_the_order_given(void **unused)
{
    static const double x[3][3] = {{0, 0, 0}, {1.5, 0, 0}, {3, 0, 0}};
    static const double expected[2][3] = {{0.25, 1.625, 2.625}, {0.375, 1.375, 2.75}};
    (void)unused;
    for (uint32_t turned = 0; turned < 2; turned++) {
        trial t;
        memset(&t, 0, sizeof t);
        t.def = pliant_scene_def_default();
        t.def.gravity = vec(0, 0, 0);
        t.def.substeps = 1;
        t.def.order = PLIANT_ORDER_GIVEN;
        trial_begin_def(&t);
        pliant_body body = add_points(&t, 3, x, NULL, NULL, NULL);
        add_distance(&t, body, turned, turned + 1, 1, NULL);
        add_distance(&t, body, 1 - turned, 2 - turned, 1, NULL);
        trial_compile(&t);
        trial_run(&t, H60, 1);
        for (uint32_t i = 0; i < 3; i++) {
            double at[3];
            point_of(&t, body, i, at);
            near(at[0], expected[turned][i], 4 * EPSILON);
        }
        trial_end(&t);
    }
}

/* ---- time stepping ---- */

/* x_n = x0 + n v0 h + g h^2 n (n + 1) / 2. A speed is a difference of rounded positions over h: with x of a few metres, float resolves g h
 * to 0.4 % at 10 substeps, and errs by as much in the distance fallen. */
static void free_flight(void **unused)
{
    static const uint32_t substeps[] = {1, 2, 10};
    static const double   x[1][3] = {{0, 2, -1}}, v[1][3] = {{1, 3, 0.5}};
    (void)unused;
    for (size_t k = 0; k < 3; k++) {
        const double h = H60 / substeps[k], n = 60 * substeps[k];
        double       at[3];
        trial        t;
        trial_begin(&t, 10, substeps[k], 1);
        pliant_body body = add_points(&t, 1, x, v, NULL, NULL);
        trial_compile(&t);
        trial_run(&t, H60, 60);
        point_of(&t, body, 0, at);
        near(at[0], n * h, BOUND(1e-10, 1e-2));
        near(at[1], 2 + n * 3 * h - 10 * h * h * n * (n + 1) / 2, BOUND(1e-10, 5e-2));
        near(at[2], -1 + n * 0.5 * h, BOUND(1e-10, 1e-2));
        near(pliant_state_time(t.state), 1, 1e-12);
        trial_end(&t);
    }
}

/* A spring with XPBD is backward Euler, for any number of iterations: v' = (v - h w^2 (x - L)) / (1 + h^2 w^2). */
static void oscillator_is_backward_euler(void **unused)
{
    static const uint32_t iterations[] = {1, 2, 7};
    static const double   x[2][3] = {{0, 0, 0}, {1.5, 0, 0}}, w[2] = {0, 1};
    const pliant_law      law = compliant(1e-3);
    (void)unused;
    for (size_t k = 0; k < 3; k++) {
        double at[3], y = 0.5, u = 0;
        trial  t;
        trial_begin(&t, 0, 1, iterations[k]);
        pliant_body body = add_points(&t, 2, x, NULL, w, NULL);
        add_distance(&t, body, 0, 1, 1, &law);
        trial_compile(&t);
        for (uint32_t n = 0; n < 60; n++) {
            trial_run(&t, H60, 1);
            u = (u - H60 * 1000 * y) / (1 + H60 * H60 * 1000);
            y += H60 * u;
            point_of(&t, body, 1, at);
            near(at[0] - 1, y, BOUND(1e-14, 2e-6));
            assert_true(at[1] == 0 && at[2] == 0);
        }
        trial_end(&t);
    }
}

/* Macklin 2016, eq. 26, beta = 10. In float x - 1 is below what a position of 1 resolves; its speed is that over the step. */
static void damped_oscillator(void **unused)
{
    static const uint32_t iterations[] = {1, 10};
    static const double   x[2][3] = {{0, 0, 0}, {1.5, 0, 0}}, w[2] = {0, 1};
    pliant_law            law = compliant(1e-3);
    (void)unused;
    law.damping = 10;
    for (size_t k = 0; k < 2; k++) {
        double at[3], v[3];
        trial  t;
        trial_begin(&t, 0, 1, iterations[k]);
        pliant_body body = add_points(&t, 2, x, NULL, w, NULL);
        add_distance(&t, body, 0, 1, 1, &law);
        trial_compile(&t);
        trial_run(&t, H60, 20);
        point_of(&t, body, 1, at);
        assert_true(fabs(at[0] - 1) > 1e-3); /* not yet at rest: the damping is not simply without end */
        trial_run(&t, H60, 40);
        point_of(&t, body, 1, at);
        speed_of(&t, body, 1, v);
        near(at[0] - 1, -6.24795e-8, BOUND(6e-13, 3e-7));
        near(v[0], -2.5550619e-4, BOUND(6e-12, 2.5e-5));
        trial_end(&t);
    }
}

#define CHAIN 4
/* Where four masses of 0.25 kg on springs of 100 N/m, let go from the horizontal at g = 10, are after half a second: by a Runge-Kutta
 * solution of fourth order with 8000 steps, which agrees with one of 4000 to 3e-12. */
static const double chain_at_half[CHAIN][2] = {{0.15103180066324254, -0.39290012444005157},
                                               {0.2545776080641616, -0.7562589115038413},
                                               {0.40104586004183534, -1.09123238173672},
                                               {0.6728084022988305, -1.2344374779420666}};

static double chain_error(uint32_t steps)
{
    const double     w[CHAIN + 1] = {0, 4, 4, 4, 4};
    double           x[CHAIN + 1][3] = {{0, 0, 0}}, sum = 0;
    const pliant_law law = compliant(0.01);
    trial            t;
    trial_begin(&t, 10, steps / 30, 1);
    for (int i = 0; i <= CHAIN; i++) x[i][0] = 0.25 * i;
    pliant_body body = add_points(&t, CHAIN + 1, x, NULL, w, NULL);
    for (uint32_t i = 0; i < CHAIN; i++) add_distance(&t, body, i, i + 1, 0.25, &law);
    trial_compile(&t);
    trial_run(&t, H60, 30);
    for (uint32_t i = 0; i < CHAIN; i++) {
        double at[3];
        point_of(&t, body, i + 1, at);
        sum +=
            (at[0] - chain_at_half[i][0]) * (at[0] - chain_at_half[i][0]) + (at[1] - chain_at_half[i][1]) * (at[1] - chain_at_half[i][1]);
    }
    trial_end(&t);
    return sqrt(sum);
}

static void swinging_chain_is_of_first_order(void **unused)
{
    const uint32_t first = BOUND(480, 240), last = BOUND(1920, 480); /* float has no digits for shorter steps */
    double         before = chain_error(first);
    (void)unused;
    for (uint32_t steps = 2 * first; steps <= last; steps *= 2) {
        double after = chain_error(steps);
        near(log2(before / after), 1, 0.1);
        before = after;
    }
    near(before, 0, BOUND(2e-3, 4e-3));
}

/* ---- equilibria ---- */

/* Ten links of 0.15 m hang between two pins one metre apart: the exact discrete catenary, from the force balance of each particle. */
static void chain_hangs_in_a_catenary(void **unused)
{
    static const double half[6][2] = {{0, 0},
                                      {0.0622110905191137, -0.13649095287389065},
                                      {0.13805049086770194, -0.2659065058602553},
                                      {0.23319157754175462, -0.381872766585004},
                                      {0.35426775720587494, -0.4704196960514833},
                                      {0.5, -0.5059459315710845}};
    double              x[11][3], w[11], a[3], b[3] = {0, 0, 0};
    pliant_material     material = plain_material();
    trial               t;
    (void)unused;
    for (int i = 0; i <= 10; i++) {
        x[i][0] = i / 10.0;
        x[i][1] = -0.1118033988749895 * (i < 5 ? i : 10 - i); /* a V of the right length */
        x[i][2] = 0;
        w[i] = i % 10 ? 1 : 0;
    }
    material.drag = 3;
    trial_begin(&t, 9.81, 20, 1);
    pliant_body body = add_points(&t, 11, x, NULL, w, &material);
    for (uint32_t i = 0; i < 10; i++) add_distance(&t, body, i, i + 1, 0.15, NULL);
    trial_compile(&t);
    trial_run(&t, H60, 900);
    for (uint32_t i = 0; i <= 10; i++) {
        const double *e = half[i <= 5 ? i : 10 - i];
        point_of(&t, body, i, a);
        near(a[0], i <= 5 ? e[0] : 1 - e[0], 3e-3);
        near(a[1], e[1], 3e-3);
        near(a[2], 0, 1e-6);
        if (i) near(hypot(a[0] - b[0], a[1] - b[1]), 0.15, 1e-3);
        memcpy(b, a, sizeof b);
    }
    trial_end(&t);
}

/* n springs in a row stretch n times as much, and each carries the weight below it, which can be read. */
static void springs_in_a_row(void **unused)
{
    enum { N = 5 };
    double            x[N + 1][3] = {{0, 0, 0}}, w[N + 1] = {0, 10, 10, 10, 10, 0.5}, at[3], expected = 0;
    const pliant_law  law = compliant(1e-3);
    pliant_constraint link[N];
    trial             t;
    (void)unused;
    for (int i = 0; i <= N; i++) x[i][1] = -0.2 * i;
    trial_begin(&t, 9.81, 1, 200);
    pliant_body body = add_points(&t, N + 1, x, NULL, w, NULL);
    for (uint32_t i = 0; i < N; i++) link[i] = add_distance(&t, body, i, i + 1, 0.2, &law);
    trial_compile(&t);
    trial_run(&t, H60, 3000);
    for (uint32_t i = 0; i < N; i++) {
        const double weight = (2 + 0.1 * (N - 1 - i)) * 9.81;
        pliant_real  force[PLIANT_MAX_ROWS];
        assert_int_equal(pliant_solver_force(t.solver, link[i], force), 1);
        near(-(double)force[0], weight, BOUND(1e-8, 1e-3) * weight);
        expected -= 0.2 + weight * 1e-3;
    }
    point_of(&t, body, N, at);
    near(at[1], expected, BOUND(1e-9, 1e-4));
    trial_end(&t);
}

/* Drag slows what moves; what hangs at rest weighs as much as without it, whatever the step. */
static void drag_takes_no_weight(void **unused)
{
    static const uint32_t substeps[] = {1, 10};
    static const double   x[2][3] = {{0, 1, 0}, {0, 0, 0}}, w[2] = {0, 1};
    const pliant_law      law = compliant(1e-2);
    (void)unused;
    for (int whole = 0; whole < 2; whole++)
        for (size_t k = 0; k < 2; k++) {
            pliant_material material = plain_material();
            double          at[3];
            trial           t;
            memset(&t, 0, sizeof t);
            t.def = pliant_scene_def_default();
            t.def.substeps = substeps[k];
            *(whole ? &t.def.drag : &material.drag) = 3;
            trial_begin_def(&t);
            pliant_body body = add_points(&t, 2, x, NULL, w, &material);
            add_distance(&t, body, 0, 1, 1, &law);
            trial_compile(&t);
            trial_run(&t, H60, 1200);
            point_of(&t, body, 1, at);
            near(-at[1], 0.0981, BOUND(1e-9, 1e-4));
            trial_end(&t);
        }
}

/* The lowest point of a soft cloth that hangs from its upper edge. */
static double lowest_of_soft_cloth(double tether)
{
    double lowest = 0;
    trial  t;
    trial_begin(&t, 9.81, 10, 2);
    pliant_body body = hang_cloth(&t, tether, 5, 8);
    trial_compile(&t);
    trial_run(&t, H60, 300);
    for (uint32_t i = 0; i < vertex_count(&t, body); i++) {
        double at[3];
        point_of(&t, body, i, at);
        if (0.5 - at[1] > lowest) lowest = 0.5 - at[1];
    }
    trial_end(&t);
    return lowest;
}

/* The way along the edges from the lower rim to the upper one is one metre. */
static void tethers_hold_at_the_geodesic_length(void **unused)
{
    (void)unused;
    assert_true(lowest_of_soft_cloth(0) > 1.5); /* without them */
    near(lowest_of_soft_cloth(1), 1, 1e-3);
    near(lowest_of_soft_cloth(1.1), 1.1, 1e-3);
}

/* Mean stretch of structural edges, over the second of two seconds, of a rigid sheet that hangs by two corners. */
static double stretch_by_corners(double tether, uint32_t substeps)
{
    enum { SIDE = 32 };
    pliant_scene_def settings = pliant_scene_def_default();
    pliant_cloth_def def = pliant_cloth_def_default();
    const uint32_t   pins[2] = {0, SIDE - 1};
    pliant_vec3      x[SIDE * SIDE];
    double           sum = 0;
    settings.substeps = substeps;
    pliant_scene *scene = pliant_scene_create(&settings, NULL);
    def.cells_x = def.cells_z = SIDE - 1;
    def.bend = PLIANT_BEND_NONE;
    def.tether = R(tether);
    pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    assert_int_equal(pliant_scene_pin(scene, body, pins, 2, false, NULL), PLIANT_OK);
    pliant_model     *model = pliant_scene_compile(scene, NULL);
    pliant_solver_def sd = pliant_solver_def_default();
    pliant_solver    *solver = pliant_solver_create(model, &sd, NULL);
    pliant_state     *state = pliant_state_create(model, NULL);
    pliant_inputs    *inputs = pliant_inputs_create(model, NULL);
    const double      rest = (double)def.size_x / (SIDE - 1);
    pliant_inputs_reset(inputs, 1 / 60.0);
    for (int frame = 0; frame < 120; frame++) {
        assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
        pliant_state_positions(state, body, 0, SIDE * SIDE, x);
        for (uint32_t v = 0; v < SIDE * SIDE && frame >= 60; v++)
            for (uint32_t across = 0; across < 2; across++) {
                const uint32_t o = v + (across ? SIDE : 1);
                if (across ? o >= SIDE * SIDE : v % SIDE == SIDE - 1) continue;
                const double dx = (double)(x[v].x - x[o].x), dy = (double)(x[v].y - x[o].y), dz = (double)(x[v].z - x[o].z);
                sum += fabs(sqrt(dx * dx + dy * dy + dz * dz) / rest - 1);
            }
    }
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_solver_destroy(solver);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    return sum / (60 * 2 * SIDE * (SIDE - 1));
}

/* With a tether to either corner it stretches less, however many substeps there are. */
static void tethers_to_two_corners_stretch_no_more(void **unused)
{
    (void)unused;
    static const uint32_t substeps[] = {5, 10, 20, 40, 80};
    for (size_t i = 0; i < sizeof substeps / sizeof *substeps; i++) {
        const double without = stretch_by_corners(0, substeps[i]), with = stretch_by_corners(1, substeps[i]);
        if (!(with <= without)) print_error("%u substeps: %g, without %g\n", substeps[i], with, without);
        assert_true(with <= without);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiffness_of_one_sweep),
        cmocka_unit_test(steady_stretch_of_stiffness),
        cmocka_unit_test(steady_stretch_of_compliance),
        cmocka_unit_test(distance_moves_ends_by_inverse_mass),
        cmocka_unit_test(volume_projected_again_and_again),
        cmocka_unit_test(volume_with_unequal_masses),
        cmocka_unit_test(range_limits_stretch),
        cmocka_unit_test(range_limits_area),
        cmocka_unit_test(chain_in_the_order_given),
        cmocka_unit_test(free_flight),
        cmocka_unit_test(oscillator_is_backward_euler),
        cmocka_unit_test(damped_oscillator),
        cmocka_unit_test(swinging_chain_is_of_first_order),
        cmocka_unit_test(chain_hangs_in_a_catenary),
        cmocka_unit_test(springs_in_a_row),
        cmocka_unit_test(drag_takes_no_weight),
        cmocka_unit_test(tethers_hold_at_the_geodesic_length),
        cmocka_unit_test(tethers_to_two_corners_stretch_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
