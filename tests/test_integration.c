/* How a substep is integrated: what is left of an oscillator against the closed form, orders of convergence against exact solutions, and that
 * nothing that jumps (contacts, limits, pins, what the user sets, another length of the substep) is thrown back by a history. */
#include "trial.h"

#define H60 (1.0 / 60)
#define OMEGA (2 * TEST_PI)

static const pliant_integration both[2] = {PLIANT_INTEGRATION_FIRST_ORDER, PLIANT_INTEGRATION_BDF2};

static void begin(trial *t, pliant_integration integration, double g, uint32_t substeps, uint32_t iterations)
{
    memset(t, 0, sizeof *t);
    t->def = pliant_scene_def_default();
    t->def.gravity = vec(0, -g, 0);
    t->def.substeps = substeps;
    t->def.iterations = iterations;
    t->def.integration = integration;
    trial_begin_def(t);
}

/* That errors fall with this order from `first` substeps on, doubled `count` - 1 times. Float has no digits for short substeps: there it is
 * from one substep to two, which is not yet quite the order. */
static void falls(double (*error)(pliant_integration, uint32_t substeps), uint32_t first, int count)
{
    (void)first, (void)count;
    for (int i = 0; i < 2; i++) {
        const uint32_t begin_at = BOUND(first, 1);
        double         before = error(both[i], begin_at);
        for (int k = 1; k < BOUND(count, 2); k++) {
            const double after = error(both[i], begin_at << k);
            near(log2(before / after), i + 1, BOUND(0.1, 0.3));
            before = after;
        }
    }
}

/* ---- an oscillator ---- */

/* Unit mass on a spring of 1 Hz, stretched by 1 m. */
static pliant_body spring(trial *t, pliant_integration integration, uint32_t substeps, double beta)
{
    static const double x[2][3] = {{0, 0, 0}, {4, 0, 0}}, w[2] = {0, 1};
    pliant_law          law = compliant(1 / (OMEGA * OMEGA));
    law.damping = R(beta);
    begin(t, integration, 0, substeps, 1);
    const pliant_body body = add_points(t, 2, x, NULL, w, NULL);
    add_distance(t, body, 0, 1, 3, &law);
    trial_compile(t);
    return body;
}

static double amplitude(const trial *t, pliant_body body)
{
    double x[3], v[3];
    point_of(t, body, 1, x);
    speed_of(t, body, 1, v);
    return hypot(x[0] - 3, v[0] / OMEGA);
}

/* |z| of a step of q = omega h: 1 / (1 - i q), or the larger root of (3/2 - i q) z^2 - 2 z + 1/2 = 0. */
static double left_by_a_step(pliant_integration integration, double q)
{
    if (integration == PLIANT_INTEGRATION_FIRST_ORDER) return 1 / sqrt(1 + q * q);
    /* z = (2 + sqrt(1 + 2 i q)) / (3 - 2 i q) */
    const double r = sqrt(1 + 4 * q * q), re = sqrt((r + 1) / 2), im = sqrt((r - 1) / 2);
    return sqrt(((2 + re) * (2 + re) + im * im) / (9 + 4 * q * q));
}

/* What is left per second after the start, and of the first second: first order loses nothing at the start, BDF2 a substep of backward
 * Euler. */
static void an_oscillator_loses_what_the_closed_form_says(void **unused)
{
    static const struct {
        uint32_t substeps;
        double   first_order, first_second, bdf2;
    } rows[] = {{1, 0.72094, 0.9902319, 0.998246}, {5, 0.93633, 0.9996569, 0.9999856}, {10, 0.96764, 0.9999160, 0.9999982}};
    (void)unused;
    for (size_t k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            trial             t;
            const uint32_t    n = rows[k].substeps;
            const pliant_body body = spring(&t, both[i], n, 0);
            trial_run(&t, H60, 60);
            const double first = amplitude(&t, body);
            trial_run(&t, H60, 60);
            const double second = amplitude(&t, body) / first;
            near(second, i ? rows[k].bdf2 : rows[k].first_order, BOUND(1e-5, 1e-3));
            near(second, pow(left_by_a_step(both[i], OMEGA * H60 / n), 60.0 * n), BOUND(1e-6, 1e-3));
            near(first, i ? rows[k].first_second : rows[k].first_order, BOUND(1e-5, 1e-3));
            trial_end(&t);
        }
}

static void an_exact_second_value_costs_nothing_at_the_start(void **unused)
{
    (void)unused;
    trial             t;
    const pliant_body body = spring(&t, PLIANT_INTEGRATION_BDF2, 1, 0);
    const pliant_vec3 x = vec(3 + cos(OMEGA * H60), 0, 0), v = vec(OMEGA * sin(OMEGA * H60), 0, 0);
    assert_int_equal(pliant_state_set_previous(t.state, body, 1, 1, H60, &x, &v), PLIANT_OK);
    trial_run(&t, H60, 60);
    near(amplitude(&t, body), 0.998298, BOUND(1e-5, 1e-3));
    trial_end(&t);
}

static double oscillator_error(pliant_integration integration, uint32_t substeps)
{
    double            x[3], v[3];
    trial             t;
    const pliant_body body = spring(&t, integration, substeps, 0);
    trial_run(&t, H60, 45);
    point_of(&t, body, 1, x);
    speed_of(&t, body, 1, v);
    trial_end(&t);
    return hypot(x[0] - 3 - cos(OMEGA * 0.75), v[0] / OMEGA + sin(OMEGA * 0.75));
}

static void an_oscillator_converges(void **unused)
{
    (void)unused;
    falls(oscillator_error, 2, 6);
}

/* y'' = -omega^2 y - d y', from 1. */
static double damped_error(const double x, double speed, double d, double time)
{
    const double a = d / 2, nu = sqrt(OMEGA * OMEGA - a * a), e = exp(-a * time);
    return hypot(x - e * (cos(nu * time) + a / nu * sin(nu * time)), (speed + e * OMEGA * OMEGA / nu * sin(nu * time)) / OMEGA);
}

static double damped_spring_error(pliant_integration integration, uint32_t substeps)
{
    double            x[3], v[3];
    trial             t;
    const pliant_body body = spring(&t, integration, substeps, 3);
    trial_run(&t, H60, 30);
    point_of(&t, body, 1, x);
    speed_of(&t, body, 1, v);
    trial_end(&t);
    return damped_error(x[0] - 3, v[0], 3, 0.5);
}

static void damping_of_a_constraint_converges(void **unused)
{
    (void)unused;
    falls(damped_spring_error, 4, 5);
}

/* Two free masses of 2 kg on a spring: a body that swings as one on a wall does, damped by the body's rate, or by drag. */
static double swinging_body_error(pliant_integration integration, uint32_t substeps, bool drag)
{
    static const double x[2][3] = {{-2, 0, 0}, {2, 0, 0}}, w[2] = {0.5, 0.5};
    const pliant_law    law = compliant(1 / (OMEGA * OMEGA));
    pliant_material     material = plain_material();
    double              a[3], b[3], u[3], v[3];
    trial               t;
    if (drag)
        material.drag = 3;
    else
        material.damping = 3;
    begin(&t, integration, 0, substeps, 1);
    const pliant_body body = add_points(&t, 2, x, NULL, w, &material);
    add_distance(&t, body, 0, 1, 3, &law);
    trial_compile(&t);
    trial_run(&t, H60, 30);
    point_of(&t, body, 0, a);
    point_of(&t, body, 1, b);
    speed_of(&t, body, 0, u);
    speed_of(&t, body, 1, v);
    trial_end(&t);
    return damped_error(b[0] - a[0] - 3, v[0] - u[0], 3, 0.5);
}

static double damped_body_error(pliant_integration integration, uint32_t substeps)
{
    return swinging_body_error(integration, substeps, false);
}
static double dragged_body_error(pliant_integration integration, uint32_t substeps)
{
    return swinging_body_error(integration, substeps, true);
}

static void damping_of_a_body_and_drag_converge(void **unused)
{
    (void)unused;
    falls(damped_body_error, 4, 5);
    falls(dragged_body_error, 4, 5);
}

/* ---- many particles ---- */

#define CHAIN 4
/* Four masses of 0.25 kg on springs of 100 N/m, let go from the horizontal at g = 10, after half a second: a Runge-Kutta solution of fourth
 * order with 8000 steps, as in test_physics.c. */
static const double chain_at_half[CHAIN][2] = {{0.15103180066324254, -0.39290012444005157},
                                               {0.2545776080641616, -0.7562589115038413},
                                               {0.40104586004183534, -1.09123238173672},
                                               {0.6728084022988305, -1.2344374779420666}};

static double chain_error(pliant_integration integration, uint32_t substeps)
{
    const double     w[CHAIN + 1] = {0, 4, 4, 4, 4};
    double           x[CHAIN + 1][3] = {{0, 0, 0}}, sum = 0;
    const pliant_law law = compliant(0.01);
    trial            t;
    begin(&t, integration, 10, substeps, 1);
    for (int i = 0; i <= CHAIN; i++) x[i][0] = 0.25 * i;
    const pliant_body body = add_points(&t, CHAIN + 1, x, NULL, w, NULL);
    for (uint32_t i = 0; i < CHAIN; i++) add_distance(&t, body, i, i + 1, 0.25, &law);
    trial_compile(&t);
    trial_run(&t, H60, 30);
    for (uint32_t i = 0; i < CHAIN; i++) {
        double at[3];
        point_of(&t, body, i + 1, at);
        for (int c = 0; c < 2; c++) sum += (at[c] - chain_at_half[i][c]) * (at[c] - chain_at_half[i][c]);
    }
    trial_end(&t);
    return sqrt(sum);
}

static void a_swinging_chain_converges(void **unused)
{
    (void)unused;
    falls(chain_error, 8, 4);
}

/* A pendulum of 1 m on a rod or on a tether that it keeps taut, let go from the horizontal, after half a second: by its angle's equation,
 * theta'' = 10 cos theta, Runge-Kutta of fourth order with 50000 steps. */
static double pendulum_error(pliant_constraint_kind kind, pliant_integration integration, uint32_t substeps)
{
    static const double at_half[2] = {0.372080981864158, -0.9282002709194843};
    static const double x[2][3] = {{1, 0, 0}, {0, 0, 0}}, w[2] = {1, 0};
    const uint32_t      ids[2] = {0, 1};
    const pliant_law    law = rigid();
    double              at[3];
    trial               t;
    begin(&t, integration, 10, substeps, 1);
    const pliant_body body = add_points(&t, 2, x, NULL, w, NULL);
    add_link(&t, body, kind, ids, 1, &law);
    trial_compile(&t);
    trial_run(&t, H60, 30);
    point_of(&t, body, 0, at);
    trial_end(&t);
    return hypot(at[0] - at_half[0], at[1] - at_half[1]);
}

static double rod_error(pliant_integration integration, uint32_t substeps)
{
    return pendulum_error(PLIANT_CONSTRAINT_DISTANCE, integration, substeps);
}

static double tether_error(pliant_integration integration, uint32_t substeps)
{
    return pendulum_error(PLIANT_CONSTRAINT_TETHER, integration, substeps);
}

static void a_pendulum_converges_on_a_rod_and_on_a_tether(void **unused)
{
    (void)unused;
    falls(rod_error, 4, 5);
    falls(tether_error, 4, 5);
}

/* A flat triangle of 0.2 kg/m^2 that falls through still air: v' = g - c v^2, c = 1.2 / (2 * 0.2). */
static double falling_error(pliant_integration integration, uint32_t substeps)
{
    static const pliant_vec3 x[3] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};
    static const uint32_t    corners[3] = {0, 1, 2};
    const double             terminal = sqrt(10 / 3.0), time = 0.25;
    pliant_cloth_def         def = pliant_cloth_def_default();
    double                   v[3];
    trial                    t;
    begin(&t, integration, 10, substeps, 1);
    def.mesh = pliant_mesh_view_of(x, sizeof *x, 3, corners, 1);
    def.material.density = R(0.2);
    const pliant_body body = pliant_scene_add_cloth(t.scene, &def, NULL);
    pliant_force_def  air = pliant_force_def_default(PLIANT_FORCE_WIND);
    assert_true(body.id && pliant_scene_add_force(t.scene, &air, NULL).id);
    trial_compile(&t);
    trial_run(&t, H60, 15);
    speed_of(&t, body, 0, v);
    trial_end(&t);
    return fabs(-v[1] - terminal * tanh(10 * time / terminal));
}

static void falling_through_air_converges(void **unused)
{
    (void)unused;
    falls(falling_error, 8, 4);
}

/* Drag alone is exact at any rate and step, and takes nothing of what a body at rest weighs. */
static void drag_is_exact_and_stable(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}}, v[1][3] = {{1, -2, 3}}, rates[] = {0.5, 10, 1000};
    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        pliant_material material = plain_material();
        double          u[3];
        trial           t;
        material.drag = R(rates[i]);
        begin(&t, PLIANT_INTEGRATION_BDF2, 0, 2, 1);
        const pliant_body body = add_points(&t, 1, x, v, NULL, &material);
        trial_compile(&t);
        for (int frame = 1; frame <= 20; frame++) {
            trial_run(&t, H60, 1);
            speed_of(&t, body, 0, u);
            for (int c = 0; c < 3; c++) near(u[c], v[0][c] * exp(-rates[i] * frame * H60), BOUND(1e-13, 1e-5));
        }
        trial_end(&t);
    }
    for (int drag = 0; drag < 2; drag++) {
        static const double hung[2][3] = {{0, 0, 0}, {0, -1.01, 0}}, w[2] = {0, 1};
        const pliant_law    law = compliant(1e-3);
        pliant_material     material = plain_material();
        double              at[3];
        trial               t;
        material.drag = R(40 * drag);
        begin(&t, PLIANT_INTEGRATION_BDF2, 10, 2, 1);
        const pliant_body body = add_points(&t, 2, hung, NULL, w, &material);
        add_distance(&t, body, 0, 1, 1, &law);
        trial_compile(&t);
        trial_run(&t, H60, 60);
        point_of(&t, body, 1, at);
        near(at[1], -1.01, BOUND(1e-12, 2e-6));
        trial_end(&t);
    }
}

/* The first substep is of first order; from then on a parabola is met exactly, and so it is after the user has put a particle elsewhere. */
static void free_flight_is_a_parabola(void **unused)
{
    static const double x[2][3] = {{0, 2, 0}, {1, 2, 0}}, v[2][3] = {{1, 3, 0}, {0, 0, 0}}, h = H60 / 4;
    (void)unused;
    trial  t;
    double at[3], u[3];
    begin(&t, PLIANT_INTEGRATION_BDF2, 10, 4, 1);
    const pliant_body body = add_points(&t, 2, x, v, NULL, NULL);
    trial_compile(&t);
    trial_run(&t, H60, 30);
    point_of(&t, body, 0, at);
    speed_of(&t, body, 0, u);
    near(at[0], 0.5, BOUND(1e-13, 1e-6));
    near(at[1], 2 + 1.5 - 1.25 - 0.75 * 10 * h * h, BOUND(1e-12, 1e-5));
    near(u[1], 3 - 5, BOUND(1e-12, 1e-5));
    const pliant_vec3 place = vec(-1, 5, 0), speed = vec(0, 2, 1);
    assert_int_equal(pliant_state_set_positions(t.state, body, 0, 1, &place), PLIANT_OK);
    assert_int_equal(pliant_state_set_velocities(t.state, body, 0, 1, &speed), PLIANT_OK);
    trial_run(&t, H60, 30);
    point_of(&t, body, 0, at);
    speed_of(&t, body, 0, u);
    near(at[0], -1, BOUND(1e-13, 1e-6));
    near(at[1], 5 + 1 - 1.25, BOUND(1e-12, 1e-5));
    near(at[2], 0.5, BOUND(1e-13, 1e-6));
    near(u[1], 2 - 5, BOUND(1e-12, 1e-5));
    trial_end(&t);
}

/* ---- what jumps ---- */

/* A ball of restitution 0 that was dropped never rises again, wherever within a substep it lands; nor does one on a tether that runs out. */
static void what_has_landed_does_not_jump(void **unused)
{
    static const uint32_t substeps[] = {1, 3, 10, 20};
    (void)unused;
    for (size_t k = 0; k < 4; k++)
        for (int i = 0; i < 10; i++)
            for (int tether = 0; tether < 2; tether++) {
                const double              x[2][3] = {{0, 0.3 + 0.031 * i, 0}, {0, 1, 0}}, v[2][3] = {{0.5 * !tether, 0, 0}}, w[2] = {1, 0};
                const uint32_t            ids[2] = {0, 1};
                const pliant_law          law = rigid();
                const pliant_collider_def floor = plane_def(0, 0.3, 0.3, 0);
                double                    at[3], u[3];
                bool                      down = false;
                trial                     t;
                begin(&t, PLIANT_INTEGRATION_BDF2, 10, substeps[k], 1);
                const pliant_body body = add_points(&t, 2, x, v, w, NULL);
                if (tether)
                    add_link(&t, body, PLIANT_CONSTRAINT_TETHER, ids, 1, &law);
                else
                    add_collider(&t, &floor);
                trial_compile(&t);
                for (int frame = 0; frame < 60; frame++) {
                    trial_run(&t, H60, 1);
                    point_of(&t, body, 0, at);
                    if (down) near(at[1], 0, BOUND(1e-13, 2e-7));
                    down = down || at[1] < 1e-6;
                }
                assert_true(down);
                speed_of(&t, body, 0, u);
                near(u[1], 0, BOUND(1e-10, 1e-3));
                trial_end(&t);
            }
}

/* Coulomb: an impact with normal speed u and restitution e takes mu (1 + e) u of the speed along the surface. */
static void an_impact_has_the_friction_of_its_impulse(void **unused)
{
    (void)unused;
    for (int i = 0; i < 8; i++) {
        const double              e = i % 2 ? 0.5 : 0, x[1][3] = {{0, 0.3 + 0.0013 * i, 0}}, v[1][3] = {{3, -3, 0}};
        const pliant_collider_def floor = plane_def(0, 0.3, 0.3, e);
        double                    u[3];
        trial                     t;
        begin(&t, PLIANT_INTEGRATION_BDF2, 0, 10, 1);
        const pliant_body body = add_points(&t, 1, x, v, NULL, NULL);
        add_collider(&t, &floor);
        trial_compile(&t);
        trial_run(&t, H60, 20);
        speed_of(&t, body, 0, u);
        near(u[0], 3 - 0.3 * (1 + e) * 3, BOUND(1e-12, 1e-4));
        near(u[1], 3 * e, BOUND(1e-12, 1e-4));
        trial_end(&t);
    }
}

static void a_ball_rises_by_its_restitution(void **unused)
{
    static const double x[1][3] = {{0, 1, 0}};
    (void)unused;
    const pliant_collider_def floor = plane_def(0, 0.3, 0.3, 0.5);
    double                    at[3], highest = 0;
    trial                     t;
    begin(&t, PLIANT_INTEGRATION_BDF2, 10, 10, 1);
    const pliant_body body = add_points(&t, 1, x, NULL, NULL, NULL);
    add_collider(&t, &floor);
    trial_compile(&t);
    trial_run(&t, H60, 30);
    for (int frame = 0; frame < 20; frame++) {
        trial_run(&t, H60, 1);
        point_of(&t, body, 0, at);
        highest = fmax(highest, at[1]);
    }
    near(highest, 0.25, 0.0075);
    trial_end(&t);
}

/* A soft cube of 20 cm on a slope: it sticks while tan theta < mu, and slides at g (sin theta - mu cos theta) past it. Beside it a single
 * particle; its path is that of uniform acceleration to second order. */
static void blocks_stick_and_slide(void **unused)
{
    (void)unused;
    for (int slides = 0; slides < 2; slides++) {
        const double              slope = atan(slides ? 0.5 : 0.3), mu = slides ? 0.2 : 0.6, a = 10 * (sin(slope) - mu * cos(slope));
        const pliant_collider_def plane = plane_def(slope, mu, mu, 0);
        static const double       origin[1][3] = {{0, 0, 3}};
        pliant_soft_def           def = pliant_soft_def_default();
        double                    from[3], to[3], speed[3], sum = 0;
        trial                     t;
        def.model = PLIANT_SOLID_DISTANCE;
        begin(&t, PLIANT_INTEGRATION_BDF2, 10, 10, 1);
        def.cells[0] = def.cells[1] = def.cells[2] = 1;
        def.extent = vec(0.2, 0.2, 0.2);
        def.body.placement.rotation = plane.pose.rotation;
        def.body.placement.position = vec(0.1 * sin(slope), 0.1 * cos(slope), 0);
        def.material.density = 1000;
        def.material.friction_static = -1;
        def.material.damping = 20; /* of what is not rigid: the jelly's own trembling */
        const pliant_body cube = pliant_scene_add_soft(t.scene, &def, NULL), point = add_points(&t, 1, origin, NULL, NULL, NULL);
        add_collider(&t, &plane);
        trial_compile(&t);
        point_of(&t, cube, 0, from);
        trial_run(&t, H60, slides ? 60 : 300);
        point_of(&t, cube, 0, to);
        for (int c = 0; c < 3; c++) sum += (to[c] - from[c]) * (to[c] - from[c]);
        near(sqrt(sum), slides ? a / 2 : 0, slides ? 0.03 * a / 2 : 1e-3);
        point_of(&t, point, 0, to);
        speed_of(&t, point, 0, speed);
        near(hypot(to[0], to[1]), slides ? a / 2 : 0, BOUND(1e-4, 1e-3));
        near(hypot(speed[0], speed[1]), slides ? a : 0, BOUND(1e-9, 1e-3));
        trial_end(&t);
    }
}

/* Two particles on a spring slide over a floor without friction as they fly without one: a contact takes no inertia. */
static void a_floor_without_friction_does_not_slow_what_slides(void **unused)
{
    static const double x[2][3] = {{0, 0, 0}, {1.3, 0, 0}}, v[2][3] = {{0, 0, 0}, {1, 0, 0}}, w[2] = {1, 0.5};
    (void)unused;
    double at[2][2][3];
    for (int floor = 0; floor < 2; floor++) {
        const pliant_collider_def plane = plane_def(0, 0, 0, 0);
        const pliant_law          law = compliant(0.01);
        trial                     t;
        begin(&t, PLIANT_INTEGRATION_BDF2, floor ? 10 : 0, 10, 1);
        const pliant_body body = add_points(&t, 2, x, v, w, NULL);
        add_distance(&t, body, 0, 1, 1, &law);
        if (floor) add_collider(&t, &plane);
        trial_compile(&t);
        trial_run(&t, H60, 60);
        for (uint32_t i = 0; i < 2; i++) point_of(&t, body, i, at[floor][i]);
        trial_end(&t);
    }
    for (int i = 0; i < 2; i++) near(at[1][i][0], at[0][i][0], BOUND(1e-12, 1e-4));
}

/* Pins: a pin that is let go falls from rest, one that was moved flies on, and pinning and letting go in between frames forgets. */
static void released_pins_go_on_from_what_they_did(void **unused)
{
    static const double x[3][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const uint32_t      pin = 0, moved = 1;
    (void)unused;
    double at[3], u[3];
    trial  t;
    begin(&t, PLIANT_INTEGRATION_BDF2, 10, 4, 1);
    const pliant_body body = add_points(&t, 3, x, NULL, NULL, NULL);
    assert_int_equal(pliant_scene_pin(t.scene, body, &pin, 1, true, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_attach(t.scene, body, &moved, 1, NULL), PLIANT_OK);
    trial_compile(&t);
    for (int frame = 1; frame <= 10; frame++) {
        const pliant_vec3 target = vec(1 + 0.02 * frame, 0.01 * frame, 0);
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
        assert_int_equal(pliant_inputs_targets(t.inputs, body, &target, sizeof target), PLIANT_OK);
        trial_step(&t);
    }
    assert_int_equal(pliant_state_set_pinned(t.state, body, 0, false), PLIANT_OK);
    assert_int_equal(pliant_state_set_pinned(t.state, body, 1, false), PLIANT_OK);
    trial_run(&t, H60, 12);
    point_of(&t, body, 0, at);
    near(at[1], -10 * 0.2 * 0.2 / 2, BOUND(1e-12, 1e-6));
    point_of(&t, body, 1, at);
    near(at[0], 1.2 + 1.2 * 0.2, BOUND(1e-12, 1e-5));
    near(at[1], 0.1 + 0.6 * 0.2 - 0.2, BOUND(1e-12, 1e-5));
    speed_of(&t, body, 1, u);
    near(u[0], 1.2, BOUND(1e-12, 1e-5));
    near(u[1], 0.6 - 2, BOUND(1e-12, 1e-5));
    assert_int_equal(pliant_state_set_pinned(t.state, body, 0, true), PLIANT_OK);
    assert_int_equal(pliant_state_set_pinned(t.state, body, 0, false), PLIANT_OK);
    trial_run(&t, H60, 12);
    point_of(&t, body, 0, at);
    near(at[1], -0.2 - 0.2, BOUND(1e-12, 1e-6));
    trial_end(&t);
}

/* A sticking floor keeps what falls on it, to the digit. */
static void a_sticking_floor_throws_nothing_back(void **unused)
{
    static const double x[1][3] = {{0, 0.4, 0}}, v[1][3] = {{1, 0, 0}};
    (void)unused;
    pliant_collider_def floor = plane_def(0, 0, 0, 0);
    double              at[3], before[3], u[3];
    trial               t;
    floor.stick = true;
    begin(&t, PLIANT_INTEGRATION_BDF2, 10, 3, 1);
    const pliant_body body = add_points(&t, 1, x, v, NULL, NULL);
    add_collider(&t, &floor);
    trial_compile(&t);
    trial_run(&t, H60, 40);
    point_of(&t, body, 0, before);
    trial_run(&t, H60, 60);
    point_of(&t, body, 0, at);
    speed_of(&t, body, 0, u);
    for (int c = 0; c < 3; c++) assert_true(at[c] == before[c] && u[c] == 0);
    near(at[1], 0, 0);
    assert_true(at[0] > 0.2);
    trial_end(&t);
}

/* What was inside a collider comes out at a walk and keeps no speed, with a weight that presses it on the collider and without. */
static void an_overlap_launches_nothing(void **unused)
{
    static const double x[1][3] = {{0, -0.1, 0}};
    (void)unused;
    for (int weight = 0; weight < 2; weight++) {
        const pliant_collider_def floor = plane_def(0, 0.3, 0.3, 0);
        double                    at[3], u[3];
        trial                     t;
        begin(&t, PLIANT_INTEGRATION_BDF2, 10 * weight, 10, 1);
        const pliant_body body = add_points(&t, 1, x, NULL, NULL, NULL);
        add_collider(&t, &floor);
        trial_compile(&t);
        for (int frame = 0; frame < 30; frame++) {
            trial_run(&t, H60, 1);
            point_of(&t, body, 0, at);
            speed_of(&t, body, 0, u);
            assert_true(at[1] < 1e-6 && fabs(u[1]) < 1e-3);
        }
        near(at[1], 0, 1e-6);
        trial_end(&t);
    }
}

/* A damped spring to a target that moves evenly ends up moving with it, unstretched: the damping sees the speed that the target has. */
static void a_damped_spring_follows_its_target(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}};
    const uint32_t      id = 0;
    (void)unused;
    pliant_law spring = compliant(1e-2);
    double     at[3], u[3];
    trial      t;
    spring.damping = 10;
    begin(&t, PLIANT_INTEGRATION_BDF2, 0, 4, 1);
    const pliant_body body = add_points(&t, 1, x, NULL, NULL, NULL);
    assert_int_equal(pliant_scene_attach_soft(t.scene, body, &id, 1, &spring, NULL, NULL), PLIANT_OK);
    trial_compile(&t);
    for (int frame = 1; frame <= 300; frame++) {
        const pliant_vec3 target = vec(0.01 * frame, 0, 0);
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
        assert_int_equal(pliant_inputs_targets(t.inputs, body, &target, sizeof target), PLIANT_OK);
        trial_step(&t);
    }
    point_of(&t, body, 0, at);
    speed_of(&t, body, 0, u);
    near(at[0], 3, BOUND(1e-8, 1e-4));
    near(u[0], 0.6, BOUND(1e-8, 1e-3));
    trial_end(&t);
}

/* A history of another step length is not used: steps of any mixture of lengths keep what a free particle does, and an oscillator bounded. */
static void another_step_length_begins_anew(void **unused)
{
    (void)unused;
    static const double x[1][3] = {{0, 0, 0}}, v[1][3] = {{1, 2, 3}};
    double              at[3], u[3], time = 0;
    uint64_t            seed = 5;
    trial               t;
    begin(&t, PLIANT_INTEGRATION_BDF2, 0, 3, 1);
    const pliant_body free = add_points(&t, 1, x, v, NULL, NULL);
    trial_compile(&t);
    for (int i = 0; i < 50; i++) {
        const double dt = 0.001 + 0.02 * chance(&seed);
        trial_run(&t, dt, 1);
        time += dt;
    }
    point_of(&t, free, 0, at);
    speed_of(&t, free, 0, u);
    for (int c = 0; c < 3; c++) near(at[c], v[0][c] * time, BOUND(1e-13, 1e-5));
    for (int c = 0; c < 3; c++) near(u[c], v[0][c], BOUND(1e-13, 1e-5));
    trial_end(&t);
    const pliant_body body = spring(&t, PLIANT_INTEGRATION_BDF2, 10, 0);
    double            before = 1;
    for (int i = 0; i < 200; i++) {
        trial_run(&t, 0.001 + 0.02 * chance(&seed), 1);
        const double now = amplitude(&t, body);
        assert_true(now < before + BOUND(1e-3, 1e-2));
        before = now;
    }
    assert_true(before > 0.5);
    trial_end(&t);
}

/* ---- the interface ---- */

static void the_setting_goes_from_the_scene_to_the_model(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}};
    (void)unused;
    size_t size[2];
    for (int i = 0; i < 2; i++) {
        trial t;
        begin(&t, both[i], 0, 1, 1);
        add_points(&t, 1, x, NULL, NULL, NULL);
        trial_compile(&t);
        assert_int_equal(pliant_model_settings(t.model).integration, both[i]);
        size[i] = pliant_model_state_size(t.model);
        trial_end(&t);
    }
    assert_true(size[1] >= size[0] + 2 * 16 * 4 * sizeof(pliant_real)); /* a history, of 16 slots; and none without */
    pliant_scene_def bad = pliant_scene_def_default();
    assert_int_equal(bad.integration, PLIANT_INTEGRATION_FIRST_ORDER);
    bad.integration = (pliant_integration)2;
    pliant_error error = {PLIANT_OK, 0, "", ""};
    assert_null(pliant_scene_create(&bad, &error));
    assert_non_null(strstr(error.message, "integration"));
}

static void bad_second_values_are_refused(void **unused)
{
    static const double x[2][3] = {{0, 0, 0}, {1, 0, 0}};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        const pliant_vec3 good[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, bad[3] = {{0, 0, 0}, {0, R(HUGE_VAL), 0}, {0, 0, 0}};
        trial             t;
        begin(&t, both[i], 0, 1, 1);
        const pliant_body body = add_points(&t, 2, x, NULL, NULL, NULL);
        trial_compile(&t);
        const uint64_t hash = pliant_state_hash(t.state);
        assert_int_equal(pliant_state_set_previous(NULL, body, 0, 2, H60, good, good), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_set_previous(t.state, (pliant_body){7}, 0, 2, H60, good, good), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_set_previous(t.state, body, 0, 3, H60, good, good), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_set_previous(t.state, body, 0, 2, 0, good, good), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_set_previous(t.state, body, 0, 2, 2, good, good), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_set_previous(t.state, body, 0, 2, H60, bad, good), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_set_previous(t.state, body, 0, 2, H60, good, bad), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_set_previous(t.state, body, 0, 2, H60, NULL, good), PLIANT_ERROR_ARGUMENT);
        assert_int_equal(pliant_state_hash(t.state), hash);
        assert_int_equal(pliant_state_set_previous(t.state, body, 0, 2, H60, good, good), i ? PLIANT_OK : PLIANT_ERROR_ARGUMENT);
        assert_true((pliant_state_hash(t.state) != hash) == i);
        trial_end(&t);
    }
}

/* Forces that lag behind drive a swing, so Newton is asked for others; with those it does not grow. */
static void newton_swings_along_gradients_that_do_not_lag(void **unused)
{
    const double x[2][3] = {{0, 0, 0}, {0.6, -0.8, 0}}, w[2] = {0, 1};
    (void)unused;
    for (int gradients = 0; gradients <= PLIANT_GRADIENTS_IMPLICIT; gradients++) {
        trial t;
        begin(&t, PLIANT_INTEGRATION_BDF2, 10, 4, 1);
        const pliant_body body = add_points(&t, 2, x, NULL, w, NULL);
        add_distance(&t, body, 0, 1, 1, NULL);
        trial_compile(&t);
        pliant_method_def method = pliant_method_def_default();
        pliant_solver_def def = pliant_solver_def_default();
        pliant_error      error = {PLIANT_OK, 0, "", ""};
        method.method = PLIANT_METHOD_NEWTON;
        method.gradients = (pliant_gradients)gradients;
        def.method = &method;
        pliant_solver *solver = pliant_solver_create(t.model, &def, &error);
        assert_true(!solver == (gradients == PLIANT_GRADIENTS_START));
        if (solver) {
            double highest = -1;
            for (int f = 0; f < 600; f++) {
                double p[3];
                pliant_inputs_reset(t.inputs, H60);
                assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
                point_of(&t, body, 1, p);
                if (f >= 500) highest = fmax(highest, p[1]);
            }
            assert_true(highest < -0.8 && highest > -0.81);
        } else
            assert_non_null(strstr(error.message, "predicted"));
        pliant_solver_destroy(solver);
        trial_end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_oscillator_loses_what_the_closed_form_says),
        cmocka_unit_test(an_exact_second_value_costs_nothing_at_the_start),
        cmocka_unit_test(an_oscillator_converges),
        cmocka_unit_test(damping_of_a_constraint_converges),
        cmocka_unit_test(damping_of_a_body_and_drag_converge),
        cmocka_unit_test(a_swinging_chain_converges),
        cmocka_unit_test(a_pendulum_converges_on_a_rod_and_on_a_tether),
        cmocka_unit_test(falling_through_air_converges),
        cmocka_unit_test(drag_is_exact_and_stable),
        cmocka_unit_test(free_flight_is_a_parabola),
        cmocka_unit_test(what_has_landed_does_not_jump),
        cmocka_unit_test(an_impact_has_the_friction_of_its_impulse),
        cmocka_unit_test(a_ball_rises_by_its_restitution),
        cmocka_unit_test(blocks_stick_and_slide),
        cmocka_unit_test(a_floor_without_friction_does_not_slow_what_slides),
        cmocka_unit_test(released_pins_go_on_from_what_they_did),
        cmocka_unit_test(a_sticking_floor_throws_nothing_back),
        cmocka_unit_test(an_overlap_launches_nothing),
        cmocka_unit_test(a_damped_spring_follows_its_target),
        cmocka_unit_test(another_step_length_begins_anew),
        cmocka_unit_test(newton_swings_along_gradients_that_do_not_lag),
        cmocka_unit_test(the_setting_goes_from_the_scene_to_the_model),
        cmocka_unit_test(bad_second_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
