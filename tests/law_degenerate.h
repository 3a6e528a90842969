/* Whatever is put in, as long as it is finite, finite numbers come out: every row, limit and law on shapes that have no direction, no
 * area or no volume, at distances from denormal to 1e8 m. */
#ifndef LAW_DEGENERATE_H
#define LAW_DEGENERATE_H

#include "law_scene.h"

enum {
    SHAPE_POINT,
    SHAPE_POINT_ELSEWHERE,
    SHAPE_LINE,
    SHAPE_LINE_ASKEW,
    SHAPE_PLANE,
    SHAPE_TWO_COINCIDE,
    SHAPE_HUGE,
    SHAPE_HUGE_LINE,
    SHAPE_FAR_AWAY,
    SHAPE_ONE_FAR,
    SHAPE_NEGATIVE_ZERO,
    SHAPE_TINY /* and on: smaller and smaller */
};

#ifdef PLIANT_DOUBLE
#define SMALLEST_POWER 322
#else
#define SMALLEST_POWER 44
#endif

enum { SHAPE_COUNT = SHAPE_TINY + 2 * SMALLEST_POWER };

/* Coordinate c of slot s. `t` runs along lines. */
static inline double shape_coordinate(int shape, uint32_t s, int c, double t)
{
    static const double direction[3] = {0.3, -0.7, 1.1}, place[3] = {0.3, -1.7, 2.9};
    switch (shape) {
    case SHAPE_POINT: return 0;
    case SHAPE_NEGATIVE_ZERO: return -0.0;
    case SHAPE_POINT_ELSEWHERE: return place[c];
    case SHAPE_LINE: return c == 0 ? (double)s : 0;
    case SHAPE_LINE_ASKEW: return place[c] + t * direction[c];
    case SHAPE_PLANE: return c == 2 ? 0.5 : uniform(-1, 1);
    case SHAPE_TWO_COINCIDE: return s < 2 ? place[c] : uniform(-1, 1);
    case SHAPE_HUGE: return uniform(-1e8, 1e8);
    case SHAPE_HUGE_LINE: return 1e8 * t * direction[c];
    case SHAPE_FAR_AWAY: return 1e8 + uniform(-1, 1);
    case SHAPE_ONE_FAR: return s == 0 ? 1e8 : uniform(-1, 1);
    default: break;
    }
    double scale = pow(10, -(shape - SHAPE_TINY) / 2 - 1); /* alternately isotropic, and flat on top of an ordinary extent */
    if ((shape - SHAPE_TINY) % 2 == 0) return scale * uniform(-1, 1);
    return c == 0 ? uniform(-1, 1) : scale * uniform(-1, 1);
}

static inline void shape_positions(int shape, const pliant_constraint_info *row, pliant_eval_input *in)
{
    for (uint32_t s = 0; s < row->slots; s++) {
        double t = uniform(-1, 1);
        for (int c = 0; c < 3; c++) {
            in->x[s][c] = R(shape_coordinate(shape, s, c, t));
            in->start[s][c] = in->x[s][c] + R(uniform(-0.1, 0.1));
        }
    }
}

static inline bool all_finite(const pliant_real *a, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!finite_number((double)a[i])) return false;
    return true;
}

static int  degenerate_failures;
static char degenerate_first[12][400];

/* Parameters from the row's bounds, cut and uncut. */
static inline void degenerate_parameters(const pliant_constraint_info *row, pliant_eval_input *in, int choice)
{
    for (uint32_t i = 0; i < row->parameter_count; i++) {
        const pliant_parameter_info *p = &row->parameters[i];
        const double                 values[] = {p->low,           fmax(p->low, -1e3), p->low <= 0 ? 0 : p->low, fmin(p->high, 1e-3),
                                                 fmin(p->high, 1), fmin(p->high, 1e3)};
        in->parameters[i] = R(values[(size_t)choice % COUNT(values)]);
    }
}

static void check_degenerate(const pliant_constraint_info *row, pliant_eval_input *in)
{
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        pliant_eval_input bad = *in;
        int               choice = (int)below(6);
        shape_positions(shape, row, &bad);
        degenerate_parameters(row, &bad, choice);
        if (below(2)) bad.dt = R(1e-4);
        pliant_eval_output out = evaluate(row, &bad);
        bool               good = all_finite(out.C, row->rows) && all_finite(out.dlambda, row->rows);
        for (uint32_t r = 0; r < row->rows; r++) good = good && all_finite(out.gradient[r][0], 3 * (size_t)row->slots);
        good = good && all_finite(out.dx[0], 3 * (size_t)row->slots);
        if (good) continue;
        if (degenerate_failures < (int)COUNT(degenerate_first))
            snprintf(degenerate_first[degenerate_failures], sizeof *degenerate_first,
                     "%s: shape %d, parameters %d: C %g, dlambda %g, dx %g", law_where, shape, choice, (double)out.C[0],
                     (double)out.dlambda[0], (double)out.dx[0][0]);
        degenerate_failures++;
    }
}

static void degenerate_input_stays_finite(void **unused)
{
    (void)unused;
    degenerate_failures = 0;
    each_trial(4, check_degenerate);
    for (int i = 0; i < degenerate_failures && i < (int)COUNT(degenerate_first); i++) print_error("%s\n", degenerate_first[i]);
    assert_int_equal(degenerate_failures, 0);
}

/* The same in the solver, in all its widths: no NaN, and a run that is called good is finite. */
static void check_degenerate_run(const pliant_constraint_info *row, pliant_eval_input *in)
{
    for (int shape = 0; shape < SHAPE_COUNT; shape += shape < SHAPE_TINY ? 1 : SMALLEST_POWER / 11) {
        pliant_vec3       x[PLIANT_MAX_SLOTS];
        pliant_eval_input bad = *in;
        pliant_scene_def  settings = bare_settings();
        settings.iterations = 2;
        settings.gravity.y = R(-9.81);
        shape_positions(shape, row, &bad);
        degenerate_parameters(row, &bad, shape % 2 ? 4 : 2);
        law_world w = world_of(&settings, row, &bad, NULL);
        world_compile(&w);
        world_solver(&w, 0, 1, true);
        bool good = true;
        for (int i = 0; i < 3 && good; i++) good = world_step(&w, LAW_STEP) == PLIANT_OK;
        require(!pliant_solver_divergence(w.solver).not_a_number, "a NaN in the solver");
        world_positions(&w, x);
        for (uint32_t s = 0; s < row->slots && good; s++) require(all_finite(&x[s].x, 3), "not finite after a good step");
        world_end(&w);
    }
}

static void degenerate_runs_stay_finite(void **unused)
{
    (void)unused;
    each_trial(1, check_degenerate_run);
}

#endif
