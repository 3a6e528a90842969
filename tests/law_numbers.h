/* Numbers that laws must give, from worked examples; float64 to the digits given, float to the bound beside each. */
#ifndef LAW_NUMBERS_H
#define LAW_NUMBERS_H

#include "law_scene.h"
#include "solver/solver.h"
#include "solver/laws.h"

#ifdef PLIANT_DOUBLE
#define DIGITS(in_double, in_float) (in_double)
#else
#define DIGITS(in_double, in_float) (in_float)
#endif

static inline pliant_law limited(pliant_limit limit)
{
    pliant_law law = pliant_law_default();
    law.limited = true;
    law.limit = limit;
    return law;
}

/* Particles on the x axis. */
static inline law_world line_begin(const pliant_scene_def *settings, uint32_t count, const double *x, const double *w)
{
    pliant_vec3 positions[8];
    pliant_real inverse_masses[8];
    memset(positions, 0, sizeof positions);
    for (uint32_t i = 0; i < count; i++) {
        positions[i].x = R(x[i]);
        inverse_masses[i] = R(w[i]);
    }
    return world_begin(settings, count, positions, NULL, inverse_masses);
}

static inline void line_step(law_world *w, double dt, double *x)
{
    pliant_vec3 positions[8];
    assert_int_equal(world_step(w, dt), PLIANT_OK);
    world_positions(w, positions);
    for (uint32_t i = 0; i < w->particles; i++) x[i] = (double)positions[i].x;
}

/* ---- PBD stiffness ---- */

/* k' = 1 - (1 - k)^(1/n): one sweep of n leaves 1 - k' of the error, and n of them 1 - k. */
static void stiffness_is_spread_over_iterations(void **unused)
{
    static const struct {
        double   k;
        uint32_t n;
        double   sweep; /* k' */
    } cases[] = {{0.5, 10, 0.06696700846319259}, {0.9, 4, 0.43765867481}, {0.9, 20, 0.108749061866}, {0.25, 1, 0.25}, {1, 7, 1}, {0, 3, 0}};
    (void)unused;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double     start[2] = {0, 1.5}, w[2] = {1, 0.25};
        double           x[2];
        pliant_law       law = pliant_law_default();
        pliant_scene_def settings = bare_settings();
        settings.iterations = cases[i].n;
        law.stiffness = R(cases[i].k);
        snprintf(law_where, sizeof law_where, "k %g over %u iterations", cases[i].k, cases[i].n);
        within((double)pliant__sweep_stiffness(cases[i].k, cases[i].n), cases[i].sweep, DIGITS(5e-12, 1e-7), "k'");
        law_world world = line_begin(&settings, 2, start, w);
        world_link(&world, 0, 1, 1, law);
        world_compile(&world);
        world_solver(&world, 0, 1, false);
        line_step(&world, LAW_STEP, x);
        within(x[1] - x[0] - 1, 0.5 * (1 - cases[i].k), DIGITS(1e-14, 1e-6), "the error left");
        within(x[0] + 4 * x[1], 6, DIGITS(1e-14, 1e-5), "the centre of mass");
        world_end(&world);
    }
}

/* A mass that hangs on one PBD constraint of k = 1/2 comes to rest g h^2 (1 - k) / k below its rest length, for any number of
 * iterations. */
static void pbd_stretch_depends_on_the_step_alone(void **unused)
{
    static const struct {
        double   h, stretch;
        uint32_t iterations;
    } cases[] = {
        {1.0 / 60, 2.7777777778e-3, 1}, {1.0 / 60, 2.7777777778e-3, 4}, {1.0 / 60, 2.7777777778e-3, 10}, {1.0 / 120, 6.9444444444e-4, 3}};
    (void)unused;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double     start[2] = {0, 1}, w[2] = {0, 1};
        double           x[2] = {0, 0};
        pliant_law       law = pliant_law_default();
        pliant_scene_def settings = bare_settings();
        settings.iterations = cases[i].iterations;
        settings.gravity.x = 10;
        law.stiffness = R(0.5);
        snprintf(law_where, sizeof law_where, "hanging by k = 0.5, h %g, %u iterations", cases[i].h, cases[i].iterations);
        law_world world = line_begin(&settings, 2, start, w);
        world_link(&world, 0, 1, 1, law);
        world_compile(&world);
        world_solver(&world, 0, 1, false);
        for (int n = 0; n < 400; n++) line_step(&world, cases[i].h, x);
        within(x[1] - 1, cases[i].stretch, DIGITS(1e-12, 1e-6), "stretch");
        world_end(&world);
    }
}

/* ---- one projection ---- */

static void a_distance_of_unequal_masses(void **unused)
{
    const double start[2] = {0, 3}, w[2] = {1, 0.5};
    double       x[2];
    (void)unused;
    pliant_scene_def settings = bare_settings();
    law_world        world = line_begin(&settings, 2, start, w);
    snprintf(law_where, sizeof law_where, "masses 1 and 2, 3 m apart, rest 1 m");
    world_link(&world, 0, 1, 1, pliant_law_default());
    world_compile(&world);
    world_solver(&world, 0, 1, false);
    line_step(&world, LAW_STEP, x);
    within(x[0], 4.0 / 3, DIGITS(1e-15, 2e-7), "x of the first");
    within(x[1], 7.0 / 3, DIGITS(1e-15, 3e-7), "x of the second");
    world_end(&world);
}

static inline void corner_tetrahedron(pliant_eval_input *in)
{
    static const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 2}};
    memset(in, 0, sizeof *in);
    for (int s = 0; s < 4; s++) {
        in->w[s] = 1;
        for (int c = 0; c < 3; c++) in->x[s][c] = R(x[s][c]);
    }
    in->dt = 1;
    in->law = pliant_law_default();
    in->parameters[0] = R(1.0 / 6);
}

/* A corner of volume 1/3 that wants 1/6, projected again and again. */
static void a_tetrahedron_comes_to_its_volume(void **unused)
{
    static const double           expected[4][3] = {{1.0 / 9, 1.0 / 9, 1.0 / 18}, {8.0 / 9, 0, 0}, {0, 8.0 / 9, 0}, {0, 0, 35.0 / 18}};
    static const double           six_volumes[] = {1.108367626886, 1.001567883937, 1.000000328534, 1};
    const pliant_constraint_info *row = pliant_constraint_describe(PLIANT_CONSTRAINT_TET_VOLUME);
    pliant_eval_input             in;
    (void)unused;
    corner_tetrahedron(&in);
    snprintf(law_where, sizeof law_where, "corner tetrahedron");
    for (size_t n = 0; n < COUNT(six_volumes); n++) {
        pliant_eval_output out = evaluate(row, &in);
        for (int s = 0; s < 4; s++)
            for (int c = 0; c < 3; c++) {
                in.x[s][c] += out.dx[s][c];
                if (n == 0) within((double)in.x[s][c], expected[s][c], 4 * EPSILON, "x after one projection");
            }
        within(6 * measure_of(row, &in), six_volumes[n], DIGITS(1e-12, 5e-7), "six times the volume");
    }
}

/* With masses that differ, weights w_i (and not w_i over their sum) leave nothing of the linearised constraint. */
static void unequal_weights_leave_no_linear_residual(void **unused)
{
    const pliant_constraint_info *row = pliant_constraint_describe(PLIANT_CONSTRAINT_TET_VOLUME);
    pliant_eval_input             in;
    (void)unused;
    corner_tetrahedron(&in);
    in.w[3] = R(0.1);
    snprintf(law_where, sizeof law_where, "corner tetrahedron, w = (1, 1, 1, 0.1)");
    pliant_eval_output out = evaluate(row, &in);
    double             left = 6 * (double)out.C[0];
    for (int s = 0; s < 4; s++) left += 6 * dot(point_of(out.gradient[0][s]), point_of(out.dx[s]));
    within(left, 0, 8 * EPSILON, "what is left of 6 C, linearised");
    within((double)out.dx[0][0], 2.0 / 17.1, 2 * EPSILON, "dx of the corner");
    within((double)out.dx[3][2], -0.1 / 17.1, EPSILON, "dz of the heavy one");
}

/* Stretch kept within [0.9, 1.1]: 1.5 comes to 1.1, 1.05 stays, 0.5 comes to 0.9; the limits are shares of the rest length. */
static void a_range_limits_strain(void **unused)
{
    static const struct {
        double rest, apart, expected;
    } cases[] = {{1, 1.5, 1.1}, {1, 1.05, 1.05}, {1, 0.5, 0.9}, {2, 3, 2.2}, {2, 2.15, 2.15}, {2, 1, 1.8}};
    (void)unused;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double start[2] = {0, cases[i].apart}, w[2] = {1, 1};
        double       x[2];
        pliant_law   law = limited(PLIANT_RANGE);
        law.range_min = R(0.9);
        law.range_max = R(1.1);
        snprintf(law_where, sizeof law_where, "range, rest %g, %g apart", cases[i].rest, cases[i].apart);
        pliant_scene_def settings = bare_settings();
        law_world        world = line_begin(&settings, 2, start, w);
        world_link(&world, 0, 1, cases[i].rest, law);
        world_compile(&world);
        world_solver(&world, 0, 1, false);
        line_step(&world, LAW_STEP, x);
        double bound = cases[i].apart == cases[i].expected ? EPSILON * 2 : DIGITS(1e-14, 5e-7);
        within(x[1] - x[0], cases[i].expected, bound, "distance");
        within(x[0], (cases[i].apart - cases[i].expected) / 2, bound, "how far each end went");
        world_end(&world);
    }
}

/* Gauss-Seidel, in the order listed: each constraint sees what the last one did. */
static void order_given_is_gauss_seidel(void **unused)
{
    static const double expected[2][3] = {{0.25, 1.625, 2.625}, {0.375, 1.375, 2.75}};
    (void)unused;
    for (uint32_t reversed = 0; reversed < 2; reversed++) {
        const double     start[3] = {0, 1.5, 3}, w[3] = {1, 1, 1};
        double           x[3];
        pliant_scene_def settings = bare_settings();
        settings.order = PLIANT_ORDER_GIVEN;
        law_world world = line_begin(&settings, 3, start, w);
        snprintf(law_where, sizeof law_where, "chain of three, order %u", reversed);
        world_link(&world, reversed, reversed + 1, 1, pliant_law_default());
        world_link(&world, 1 - reversed, 2 - reversed, 1, pliant_law_default());
        world_compile(&world);
        world_solver(&world, 0, 1, false);
        line_step(&world, LAW_STEP, x);
        for (int i = 0; i < 3; i++) within(x[i], reversed ? expected[1][i] : expected[0][i], DIGITS(1e-15, 3e-7), "x");
        world_end(&world);
    }
}

/* ---- multipliers over iterations ---- */

/* A mass on a soft distance stretches it by m g alpha, whatever the step and however many iterations. A solver that forgets the
 * multiplier in each iteration finds 0.000262 m for ten of them. */
static void compliance_does_not_depend_on_iterations(void **unused)
{
    static const struct {
        double   h;
        uint32_t iterations;
    } cases[] = {{1.0 / 60, 1}, {1.0 / 60, 10}, {1.0 / 600, 1}, {1.0 / 600, 4}};
    (void)unused;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double     start[2] = {0, 1}, w[2] = {0, 1};
        double           x[2] = {0, 0};
        pliant_law       law = pliant_law_default();
        pliant_scene_def settings = bare_settings();
        settings.iterations = cases[i].iterations;
        settings.gravity.x = 10;
        law.compliance = R(1e-3);
        snprintf(law_where, sizeof law_where, "hanging by alpha = 1e-3, h %g, %u iterations", cases[i].h, cases[i].iterations);
        law_world world = line_begin(&settings, 2, start, w);
        world_link(&world, 0, 1, 1, law);
        world_compile(&world);
        world_solver(&world, 0, 1, false);
        for (int n = 0; n < 30 / cases[i].h; n++) line_step(&world, cases[i].h, x);
        within(x[1] - 1, 0.01, DIGITS(1e-12, 1e-4), "stretch"); /* float: positions cancel */
        world_end(&world);
    }
}

/* XPBD damping: 60 steps of 1/60 s from 1.5 m, alpha 1e-3 m/N, beta 10. */
static void xpbd_damping_follows_its_formula(void **unused)
{
    (void)unused;
    for (uint32_t iterations = 1; iterations <= 10; iterations += 9) {
        const double     start[2] = {0, 1.5}, w[2] = {0, 1};
        double           x[2] = {0, 0};
        pliant_vec3      v[2];
        pliant_law       law = pliant_law_default();
        pliant_scene_def settings = bare_settings();
        settings.iterations = iterations;
        law.compliance = R(1e-3);
        law.damping = R(10);
        snprintf(law_where, sizeof law_where, "XPBD damping, %u iterations", iterations);
        law_world world = line_begin(&settings, 2, start, w);
        world_link(&world, 0, 1, 1, law);
        world_compile(&world);
        world_solver(&world, 0, 1, false);
        for (int n = 0; n < 60; n++) line_step(&world, 1.0 / 60, x);
        world_velocities(&world, v);
        within(x[1] - 1, -6.24795e-8, DIGITS(1e-13, 2e-6), "x - 1");
        within((double)v[1].x, -2.5550619e-4, DIGITS(1e-11, 5e-5), "v");
        world_end(&world);
    }
}

/* A block of rows keeps one multiplier each: a soft attachment is, axis by axis, the damped oscillator of XPBD. */
static void a_block_of_rows_is_an_oscillator_on_each_axis(void **unused)
{
    const pliant_constraint_info *row = pliant_constraint_describe(PLIANT_CONSTRAINT_ATTACHMENT);
    const double                  h = 1.0 / 60, alpha = 1e-3, beta = 10, w = 0.5, offset[3] = {0.5, -0.25, 1};
    (void)unused;
    for (uint32_t iterations = 1; iterations <= 5; iterations += 4) {
        pliant_vec3      x[2] = {{0, 0, 0}, {R(0.5), R(-0.25), R(1)}};
        pliant_real      inverse_masses[2] = {0, R(w)};
        uint32_t         ids[2] = {1, 0};
        pliant_law       law = pliant_law_default();
        pliant_scene_def settings = bare_settings();
        settings.iterations = iterations;
        law.compliance = R(alpha);
        law.damping = R(beta);
        snprintf(law_where, sizeof law_where, "soft attachment, %u iterations", iterations);
        law_world world = world_begin(&settings, 2, x, NULL, inverse_masses);
        world_constrain(&world, row, ids, NULL, &law);
        world_compile(&world);
        world_solver(&world, 0, 1, false);
        for (int n = 0; n < 30; n++) assert_int_equal(world_step(&world, h), PLIANT_OK);
        world_positions(&world, x);
        for (int c = 0; c < 3; c++) { /* linear, so that the first iteration is exact and the others change nothing */
            const double soft = alpha / (h * h), gamma = alpha * beta / h;
            double       p = offset[c], v = 0;
            for (int n = 0; n < 30; n++) {
                double q = p + h * v;
                q += w * (-q - gamma * (q - p)) / ((1 + gamma) * w + soft);
                v = (q - p) / h;
                p = q;
            }
            within((double)(&x[1].x)[c], p, DIGITS(1e-13, 2e-6), "the attached particle");
        }
        world_end(&world);
    }
}

/* ---- inequalities ---- */

/* A particle held within 1 m of a pin, 1.5 m away, is pulled on inwards by another one between iterations. The tether first pulls, then
 * has to give back what was too much: where the multiplier is clamped both end at 1 m (or, if the other pulls more, where they would be
 * without a tether); where an iteration with C <= 0 is skipped they stay too far in, and where it is an equality they never come in. */
static void inequalities_give_multipliers_back(void **unused)
{
    static const struct {
        double other, expected;
    } cases[] = {{0.6, 1}, {0.2, 0.85}};
    (void)unused;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int kind = 0; kind < 2; kind++) { /* the tether's own limit, and a distance that is told its limit */
            const double     start[3] = {0, 1.5, cases[i].other}, w[3] = {0, 1, 1};
            double           x[3];
            pliant_scene_def settings = bare_settings();
            settings.iterations = 80;
            settings.order = PLIANT_ORDER_GIVEN;
            law_world world = line_begin(&settings, 3, start, w);
            snprintf(law_where, sizeof law_where, "tension only, kind %d, pulled on to %g", kind, cases[i].expected);
            if (kind)
                world_link(&world, 1, 0, 1, limited(PLIANT_AT_MOST));
            else {
                const uint32_t    ids[2] = {1, 0};
                const pliant_real rest = 1;
                const pliant_law  own = pliant_law_default();
                world_constrain(&world, pliant_constraint_describe(PLIANT_CONSTRAINT_TETHER), ids, &rest, &own);
            }
            world_link(&world, 1, 2, 0, pliant_law_default());
            world_compile(&world);
            world_solver(&world, 0, 1, false);
            line_step(&world, LAW_STEP, x);
            within(x[1], cases[i].expected, DIGITS(1e-12, 2e-6), "the tethered one");
            within(x[2], cases[i].expected, DIGITS(1e-12, 2e-6), "the other");
            world_end(&world);
        }
}

/* The same by one call: the multiplier never changes its sign, and gives back no more than it has. */
static void clamped_multipliers_never_change_sign(void **unused)
{
    static const struct {
        pliant_limit limit;
        double       lambda, C, change;
    } cases[] = {
        {PLIANT_AT_MOST, 0, 0.5, -0.25},   {PLIANT_AT_MOST, -0.25, -0.2, 0.1}, {PLIANT_AT_MOST, -0.25, -2, 0.25},
        {PLIANT_AT_MOST, 0, -0.5, 0},      {PLIANT_AT_LEAST, 0, -0.5, 0.25},   {PLIANT_AT_LEAST, 0.25, 0.2, -0.1},
        {PLIANT_AT_LEAST, 0.25, 2, -0.25}, {PLIANT_AT_LEAST, 0, 0.5, 0},       {PLIANT_RANGE, -0.25, -0.2, 0.25},
        {PLIANT_RANGE, -0.25, 0.3, 0.1},   {PLIANT_RANGE, 0.25, -0.3, -0.1},   {PLIANT_RANGE, 0.25, 0.2, -0.25},
    };
    const pliant_constraint_info *row = pliant_constraint_describe(PLIANT_CONSTRAINT_DISTANCE);
    (void)unused;
    for (size_t i = 0; i < COUNT(cases); i++) {
        pliant_eval_input in;
        memset(&in, 0, sizeof in);
        in.dt = 1;
        in.law = limited(cases[i].limit);
        in.law.range_min = R(0.875); /* C from -0.5 to 0.5 */
        in.law.range_max = R(1.125);
        in.w[0] = in.w[1] = 1;
        in.parameters[0] = 4;
        in.x[1][0] = R(4 + cases[i].C);
        in.lambda[0] = R(cases[i].lambda);
        snprintf(law_where, sizeof law_where, "%s, lambda %g, C %g", limit_names[cases[i].limit], cases[i].lambda, cases[i].C);
        pliant_eval_output out = evaluate(row, &in);
        within((double)out.dlambda[0], cases[i].change, 4 * EPSILON, "dlambda");
    }
}

#endif
