/* Laws of constraints inside the real solver: momentum over many sweeps, pins, rest. For every row of the table, every limit and every
 * law. */
#ifndef LAW_SOLVER_H
#define LAW_SOLVER_H

#include "law_scene.h"
#include "solver/solver.h"
#include "solver/laws.h"

/* ---- momentum ---- */

/* What the particles gained between two sets of positions, times the step. */
typedef struct gained {
    point  linear, angular;
    double size, lever; /* sums of what they are made of, for rounding bounds */
    double square;      /* sum of m |d|^2 */
} gained;

static inline gained momentum_gained(uint32_t count, const pliant_real *w, const pliant_vec3 *before, const pliant_vec3 *after)
{
    gained g;
    memset(&g, 0, sizeof g);
    for (uint32_t i = 0; i < count; i++) {
        double m = 1 / (double)w[i];
        point  x = point_at(before[i]), d = minus(point_at(after[i]), x);
        g.linear = madd(g.linear, d, m);
        g.angular = madd(g.angular, cross(x, d), m);
        g.size += m * length(point_at(after[i]));
        g.lever += m * length(x) * length(point_at(after[i]));
        g.square += m * dot(d, d);
    }
    return g;
}

/* Sweep after sweep, each begun at rest, so that what is gained is what the projection gives. */
static void check_sweeps(const pliant_constraint_info *row, pliant_eval_input *in)
{
    const pliant_vec3 still[PLIANT_MAX_SLOTS] = {{0, 0, 0}};
    pliant_vec3       before[PLIANT_MAX_SLOTS], after[PLIANT_MAX_SLOTS];
    pliant_scene_def  settings = bare_settings();
    settings.max_speed = R(1e9);
    law_world w = world_of(&settings, row, in, NULL);
    world_compile(&w);
    world_solver(&w, 0, 1, false);
    for (int sweep = 0; sweep < 30; sweep++) {
        world_positions(&w, before);
        assert_int_equal(world_step(&w, LAW_STEP), PLIANT_OK);
        world_positions(&w, after);
        gained g = momentum_gained(row->slots, in->w, before, after);
        for (int c = 0; c < 3; c++) within(g.linear.c[c], 0, 4 * EPSILON * g.size, "linear momentum after a sweep");
        for (int c = 0; c < 3 && !(row->flags & PLIANT_ROW_FRAME_BOUND); c++)
            within(g.angular.c[c], 0, 16 * EPSILON * g.lever, "angular momentum after a sweep");
        assert_int_equal(pliant_state_set_velocities(w.state, w.body, 0, row->slots, still), PLIANT_OK);
    }
    world_end(&w);
}

static void sweeps_keep_momentum(void **unused)
{
    (void)unused;
    each_trial(3, check_sweeps);
}

enum { NET_PARTICLES = 24, NET_CONSTRAINTS = 48, NET_SWEEPS = 25 };

/* `count` constraints of a kind among shared particles, their rest values off by up to `off`. Of many particles, the first four are open. */
static inline void net_constrain(law_world *w, const pliant_constraint_info *row, const pliant_vec3 *x, uint32_t particles, uint32_t count,
                                 double off, const pliant_law *law)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t          ids[PLIANT_MAX_SLOTS];
        pliant_eval_input in;
        for (int tries = 0; tries < 10000; tries++) {
            memset(&in, 0, sizeof in);
            in.dt = 1;
            in.law = pliant_law_default();
            for (uint32_t s = 0; s < row->slots; s++) {
                bool fresh;
                do {
                    ids[s] = below(particles);
                    fresh = true;
                    for (uint32_t t = 0; t < s; t++) fresh = fresh && ids[t] != ids[s];
                } while (!fresh);
                memcpy(in.x[s], &x[ids[s]], sizeof in.x[s]);
            }
            if (!is_open(&in, row->slots < 4 ? row->slots : 4)) continue;
            if (rests_by_shape(row, &in)) {
                in.parameters[0] += R(uniform(-off, off));
                break;
            }
            if (row->parameter_count) {
                for (uint32_t p = 1; p < row->parameter_count; p++)
                    in.parameters[p] = R(log_uniform(fmax(row->parameters[p].low, 1e-3), fmin(row->parameters[p].high, 1e3)));
                double value = (double)evaluate(row, &in).C[0] + uniform(-off, off); /* parameter 0 is 0 so far */
                if (value < row->parameters[0].low || value > row->parameters[0].high) continue;
                in.parameters[0] = R(value);
            }
            break;
        }
        world_constrain(w, row, ids, in.parameters, law);
    }
}

/* Many sweeps over constraints that share particles. Each projection exerts no torque about where the particles then are, so the angular
 * momentum that positions show in the end is of second order in how far they went: a bound that first order would break a hundredfold. */
static void net_keeps_momentum(const pliant_constraint_info *row, const pliant_law *law)
{
    pliant_vec3 x[NET_PARTICLES], after[NET_PARTICLES];
    pliant_real masses[NET_PARTICLES];
    for (uint32_t i = 0; i < NET_PARTICLES; i++) {
        x[i].x = R(uniform(-1, 1));
        x[i].y = R(uniform(-1, 1));
        x[i].z = R(uniform(-1, 1));
        masses[i] = R(log_uniform(0.1, 10));
    }
    pliant_scene_def settings = bare_settings();
    settings.iterations = NET_SWEEPS;
    law_world w = world_begin(&settings, NET_PARTICLES, x, NULL, masses);
    net_constrain(&w, row, x, NET_PARTICLES, NET_CONSTRAINTS, 1e-4, law);
    world_compile(&w);
    world_solver(&w, 0, 1, false);
    assert_int_equal(world_step(&w, LAW_STEP), PLIANT_OK);
    world_positions(&w, after);
    gained g = momentum_gained(NET_PARTICLES, masses, x, after);
    for (int c = 0; c < 3; c++) within(g.linear.c[c], 0, 8 * EPSILON * g.size, "linear momentum of a net");
    for (int c = 0; c < 3 && !(row->flags & PLIANT_ROW_FRAME_BOUND); c++)
        within(g.angular.c[c], 0, 16 * EPSILON * g.lever + 4 * g.square, "angular momentum of a net");
    require(g.square > 0, "the net did not move at all");
    world_end(&w);
}

static void nets_keep_momentum(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *row = pliant_constraint_describe((pliant_constraint_kind)kind);
        for (size_t c = 0; c < COUNT(law_cases); c++)
            for (uint32_t seed = 0; seed < 3; seed++) {
                pliant_law law = law_of(&law_cases[c], PLIANT_EQUAL);
                law_seed = 77 + seed + 100u * (unsigned)kind + 10000u * c;
                snprintf(law_where, sizeof law_where, "net of %s, %s, seed %u", row->name, law_cases[c].name, seed);
                net_keeps_momentum(row, &law);
            }
    }
}

/* ---- pins ---- */

/* `ever`: by w = 0, left out of colouring; else releasable. Gravity and velocities of the others pull at them. */
static void check_pins_in_solver(const pliant_constraint_info *row, const pliant_eval_input *in, uint32_t mask, bool ever)
{
    pliant_vec3       before[PLIANT_MAX_SLOTS], after[PLIANT_MAX_SLOTS], v[PLIANT_MAX_SLOTS];
    pliant_eval_input pinned = *in;
    pliant_scene_def  settings = bare_settings();
    uint32_t          pins[PLIANT_MAX_SLOTS], count = 0;
    settings.gravity.y = R(-9.81);
    settings.substeps = 2;
    settings.iterations = 2;
    settings.max_speed = R(1e9);
    for (uint32_t s = 0; s < row->slots; s++) {
        v[s].x = R(uniform(-1, 1));
        v[s].y = v[s].z = 0;
        if (mask >> s & 1) {
            pins[count++] = s;
            if (ever) pinned.w[s] = 0;
        }
    }
    law_world w = world_of(&settings, row, &pinned, v);
    if (!ever) assert_int_equal(pliant_scene_pin(w.scene, w.body, pins, count, true, &w.error), PLIANT_OK);
    world_compile(&w);
    world_solver(&w, 0, 1, false);
    world_positions(&w, before);
    if (!ever) assert_int_equal(pliant_state_set_velocities(w.state, w.body, 0, row->slots, v), PLIANT_OK); /* of pins too: no matter */
    for (int i = 0; i < 4; i++) assert_int_equal(world_step(&w, LAW_STEP), PLIANT_OK);
    world_positions(&w, after);
    world_velocities(&w, v);
    for (uint32_t s = 0; s < row->slots; s++) {
        if (ever && (mask >> s & 1)) within(length(point_at(v[s])), 0, 0, "the speed of an anchor");
        bool still = !memcmp(&before[s], &after[s], sizeof *before);
        if (mask >> s & 1)
            require(still, ever ? "an anchor moved" : "a releasable pin moved");
        else
            require(!still, "a free particle did not even fall");
    }
    world_end(&w);
}

static void check_pins_stay(const pliant_constraint_info *row, pliant_eval_input *in)
{
    for (uint32_t s = 0; s < row->slots; s++) {
        check_pins_in_solver(row, in, 1u << s, true);
        check_pins_in_solver(row, in, 1u << s, false);
    }
    check_pins_in_solver(row, in, (1u << row->slots) - 1, true);
    check_pins_in_solver(row, in, (1u << row->slots) - 1, false);
}

static void pins_stay_bit_for_bit(void **unused)
{
    (void)unused;
    each_trial(1, check_pins_stay);
}

/* ---- rest ---- */

/* Brings a case to C = 0. Parameter 0 is what C measures, if it can be, or all are; else it is projected until it is there. The bound on |C| that is
 * then left: 0 where parameter 0 was measured. */
static inline bool bring_to_rest(const pliant_constraint_info *row, pliant_eval_input *in, double *left)
{
    pliant_law law = in->law;
    *left = 0;
    in->law = pliant_law_default();
    in->law.limited = true;
    in->law.limit = PLIANT_EQUAL;
    if (row->flags & PLIANT_ROW_MEASURED) {
        in->parameters[0] = R(measure_of(row, in));
        in->law = law;
        return (double)in->parameters[0] >= row->parameters[0].low && (double)in->parameters[0] <= row->parameters[0].high;
    }
    const bool shaped = rests_by_shape(row, in);
    for (int i = 0; i < 50 && !shaped; i++) {
        pliant_eval_output out = evaluate(row, in);
        for (uint32_t s = 0; s < row->slots; s++)
            for (int c = 0; c < 3; c++) in->x[s][c] += out.dx[s][c];
    }
    pliant_eval_output out = evaluate(row, in);
    double             most = 1;
    for (uint32_t i = 0; i < row->parameter_count; i++) most += fabs((double)in->parameters[i]);
    for (uint32_t r = 0; r < row->rows; r++) {
        require(fabs((double)out.C[r]) <= 32 * EPSILON * most, "could not be brought to rest");
        *left = fmax(*left, fabs((double)out.C[r]));
    }
    *left = 4 * (*left + EPSILON * most);
    in->law = law;
    return true;
}

static void check_rest(const pliant_constraint_info *row, pliant_eval_input *in)
{
    pliant_vec3      before[PLIANT_MAX_SLOTS], after[PLIANT_MAX_SLOTS], v[PLIANT_MAX_SLOTS];
    pliant_scene_def settings = bare_settings();
    double           left;
    settings.iterations = 5;
    if (!bring_to_rest(row, in, &left)) return;
    law_world w = world_of(&settings, row, in, NULL);
    world_compile(&w);
    world_solver(&w, 0, 1, false);
    world_positions(&w, before);
    for (int i = 0; i < 5; i++) assert_int_equal(world_step(&w, LAW_STEP), PLIANT_OK);
    world_positions(&w, after);
    world_velocities(&w, v);
    for (uint32_t s = 0; s < row->slots; s++) {
        double moved = length(minus(point_at(after[s]), point_at(before[s])));
        within(moved, 0, left, "motion out of rest");
        if (left == 0) within(length(point_at(v[s])), 0, 0, "speed at rest");
    }
    world_end(&w);
}

static void rest_is_rest(void **unused)
{
    (void)unused;
    each_trial(4, check_rest);
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *row = pliant_constraint_describe((pliant_constraint_kind)kind);
        if (!(row->flags & PLIANT_ROW_MEASURED))
            print_message("    exception: %s has no measured rest; it rests to rounding, 4 (|C| + EPSILON)\n", row->name);
    }
}

/* The side on which an inequality has nothing to say. */
static void check_idle(const pliant_constraint_info *row, pliant_eval_input *in)
{
    if (in->law.limit == PLIANT_EQUAL) return;
    pliant_vec3        before[PLIANT_MAX_SLOTS], after[PLIANT_MAX_SLOTS];
    pliant_scene_def   settings = bare_settings();
    pliant_eval_output out = evaluate(row, in);
    double             C = (double)out.C[0], rest = (double)in->parameters[0];
    bool               idle = in->law.limit == PLIANT_AT_MOST    ? C <= 0
                              : in->law.limit == PLIANT_AT_LEAST ? C >= 0
                                                                 : C > -0.0999 * rest && C < 0.1249 * rest;
    settings.iterations = 3;
    settings.max_speed = R(1e9);
    law_world w = world_of(&settings, row, in, NULL);
    world_compile(&w);
    world_solver(&w, 0, 1, false);
    world_positions(&w, before);
    assert_int_equal(world_step(&w, LAW_STEP), PLIANT_OK);
    world_positions(&w, after);
    require(!memcmp(before, after, row->slots * sizeof *before) == idle, idle ? "it acted on the side that is allowed" : "it did not act");
    world_end(&w);
}

static void inequalities_act_on_one_side_only(void **unused)
{
    (void)unused;
    each_trial(12, check_idle);
}

/* Switched off, on, and off again: it does nothing, something, nothing. */
static void check_active(const pliant_constraint_info *row, pliant_eval_input *in)
{
    pliant_vec3      before[PLIANT_MAX_SLOTS], after[PLIANT_MAX_SLOTS], still[PLIANT_MAX_SLOTS];
    pliant_scene_def settings = bare_settings();
    settings.iterations = 2;
    settings.max_speed = R(1e9);
    in->law.limit = PLIANT_EQUAL;
    memset(still, 0, sizeof still);
    law_world w = world_of(&settings, row, in, NULL);
    world_compile(&w);
    world_solver(&w, 0, 1, true);
    const pliant_constraint only = {1};
    for (int i = 0; i < 3; i++) {
        const bool on = i == 1;
        assert_int_equal(pliant_state_set_active(w.state, only, on), PLIANT_OK);
        assert_int_equal(pliant_state_active(w.state, only), on);
        assert_int_equal(pliant_state_set_velocities(w.state, w.body, 0, row->slots, still), PLIANT_OK);
        world_positions(&w, before);
        assert_int_equal(world_step(&w, LAW_STEP), PLIANT_OK);
        world_positions(&w, after);
        require(!memcmp(before, after, row->slots * sizeof *before) != on,
                on ? "an active one did nothing" : "an inactive one moved particles");
        if (!on) within(pliant_solver_kind_statistics(w.solver, row->kind).residual_max, 0, 0, "the residual of an inactive one");
    }
    world_end(&w);
}

static void inactive_constraints_do_nothing(void **unused)
{
    (void)unused;
    each_trial(1, check_active);
}

/* ---- what is left ---- */

/* The residual that statistics report is |C + alpha~ lambda| where the step ended, of an inequality only as far as it is violated or
 * pushes. */
static void check_residual(const pliant_constraint_info *row, pliant_eval_input *in)
{
    pliant_scene_def settings = bare_settings();
    pliant_real      force[PLIANT_MAX_ROWS];
    pliant_vec3      x[PLIANT_MAX_SLOTS];
    double           h = LAW_STEP, most = 0, size = 0;
    settings.max_speed = R(1e9);
    settings.iterations = 2;
    law_world w = world_of(&settings, row, in, NULL);
    world_compile(&w);
    world_solver(&w, 0, 1, true);
    assert_int_equal(world_step(&w, h), PLIANT_OK);
    world_positions(&w, x);
    const pliant_constraint only = {1};
    assert_int_equal(pliant_solver_force(w.solver, only, force), row->rows);
    for (uint32_t s = 0; s < row->slots; s++) memcpy(in->x[s], &x[s], sizeof in->x[s]);
    pliant_eval_output out = evaluate(row, in);
    double             rest = (double)in->parameters[0], alpha = (double)in->law.compliance / (h * h);
    for (uint32_t r = 0; r < row->rows; r++) {
        double lambda = (double)force[r] * h * h, C = (double)out.C[r] + alpha * lambda, left = fabs(C);
        double above = C - ((double)in->law.range_max - 1) * rest, under = C - ((double)in->law.range_min - 1) * rest;
        if (in->law.limit == PLIANT_AT_MOST && lambda >= 0) left = fmax(C, 0);
        if (in->law.limit == PLIANT_AT_LEAST && lambda <= 0) left = fmax(-C, 0);
        if (in->law.limit == PLIANT_RANGE) left = lambda < 0 ? fabs(above) : lambda > 0 ? fabs(under) : fmax(0, fmax(above, -under));
        most = fmax(most, left);
        size = fmax(size, fabs((double)out.C[r]) + alpha * fabs(lambda) + fabs(rest));
    }
    within(pliant_solver_kind_statistics(w.solver, row->kind).residual_max, most, 8 * EPSILON * size, "the residual");
    world_end(&w);
}

static void residuals_are_what_is_left(void **unused)
{
    (void)unused;
    each_trial(3, check_residual);
}

/* ---- the solver's text ---- */

/* What three iterations do to a constraint alone, and the same by one projection after another. The kernels have a second text for distances
 * (distance_change in kinds/distance.h), which this holds to the first. `most`: in roundings of the largest number that takes part. */
static inline void same_as_projected(const pliant_constraint_info *row, const pliant_eval_input *given, double most)
{
    enum { ITERATIONS = 3 };
    pliant_eval_input in = *given;
    pliant_vec3       x[PLIANT_MAX_SLOTS];
    pliant_scene_def  settings = bare_settings();
    double            largest = 0;
    settings.iterations = ITERATIONS;
    settings.max_speed = R(1e12);
    memcpy(in.start, in.x, sizeof in.start);
    memset(in.lambda, 0, sizeof in.lambda);
    in.dt = R(LAW_STEP);
    law_world w = world_of(&settings, row, &in, NULL);
    world_compile(&w);
    world_solver(&w, 0, 1, false);
    require(world_step(&w, (double)in.dt) == PLIANT_OK, "it diverged");
    world_positions(&w, x);
    in.law.stiffness = pliant__sweep_stiffness((double)given->law.stiffness, ITERATIONS);
    for (int n = 0; n < ITERATIONS; n++) {
        const pliant_eval_output out = evaluate(row, &in);
        for (uint32_t r = 0; r < row->rows; r++) in.lambda[r] += out.dlambda[r];
        for (uint32_t s = 0; s < row->slots; s++)
            for (int c = 0; c < 3; c++) {
                largest = fmax(largest, fmax(fabs((double)in.x[s][c]), fabs((double)out.dx[s][c])));
                in.x[s][c] += out.dx[s][c];
            }
    }
    for (uint32_t s = 0; s < row->slots; s++)
        for (int c = 0; c < 3; c++) within((double)(&x[s].x)[c], (double)in.x[s][c], most * EPSILON * largest, "x in the solver");
    world_end(&w);
}

static void check_projected(const pliant_constraint_info *row, pliant_eval_input *in) { same_as_projected(row, in, 32); }

static void the_solver_moves_as_one_projection_says(void **unused)
{
    (void)unused;
    each_trial(6, check_projected);
}

/* Lengths, rest lengths and masses over the whole range that a number can hold well; pins, and both particles at one place. */
static void distances_of_all_sizes_move_as_one_projection_says(void **unused)
{
    const pliant_constraint_info *row = pliant_constraint_describe(PLIANT_CONSTRAINT_DISTANCE);
    (void)unused;
    law_seed = 77;
    for (size_t i = 0; i < 4000; i++) {
        const law_case   *law = &law_cases[i % COUNT(law_cases)];
        pliant_eval_input in;
        const double      size = log_uniform(1e-12, 1e7);
        memset(&in, 0, sizeof in);
        in.law = law_of(law, PLIANT_EQUAL);
        in.law.compliance *= R(log_uniform(1e-6, 1e6));
        in.parameters[0] = R(i % 7 ? log_uniform(1e-12, 1e6) : 0);
        for (uint32_t s = 0; s < 2; s++) {
            in.w[s] = R(s == 1 && i % 11 == 0 ? 0 : log_uniform(1e-6, 1e6));
            for (int c = 0; c < 3; c++) in.x[s][c] = R(i % 13 == 0 ? size : size * uniform(-1, 1));
        }
        snprintf(law_where, sizeof law_where, "distance %zu, %s", i, law->name);
        same_as_projected(row, &in, 32);
    }
}

#endif
