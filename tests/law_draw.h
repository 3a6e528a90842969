/* Random cases for laws that hold for every row of the table of constraints: positions that are nowhere near degenerate, parameters within
 * the row's bounds, unequal masses, and every answer that a law of the scene can ask for.
 *
 * Positions lie on a grid of 2^-12 m, so that steps of 2^-k for finite differences are exact in float too. */
#ifndef LAW_DRAW_H
#define LAW_DRAW_H

#include "pliant/constraints.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef PLIANT_DOUBLE
#define EPSILON DBL_EPSILON
#else
#define EPSILON ((double)FLT_EPSILON)
#endif

#define R(a) ((pliant_real)(a))
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- numbers ---- */

static uint64_t law_seed = 1;

static inline uint64_t random_bits(void)
{
    law_seed = law_seed * 6364136223846793005u + 1442695040888963407u;
    return law_seed >> 11;
}

static inline double uniform(double low, double high) { return low + (high - low) * (double)random_bits() / 9007199254740992.0; }

static inline uint32_t below(uint32_t count) { return (uint32_t)(random_bits() >> 8) % count; }

static inline double log_uniform(double low, double high) { return exp(uniform(log(low), log(high))); }

typedef struct point {
    double c[3];
} point;

static inline point point_of(const pliant_real *x)
{
    point p = {{(double)x[0], (double)x[1], (double)x[2]}};
    return p;
}

static inline point minus(point a, point b)
{
    point p = {{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}};
    return p;
}

static inline double dot(point a, point b) { return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2]; }

static inline point cross(point a, point b)
{
    point p = {{a.c[1] * b.c[2] - a.c[2] * b.c[1], a.c[2] * b.c[0] - a.c[0] * b.c[2], a.c[0] * b.c[1] - a.c[1] * b.c[0]}};
    return p;
}

static inline double length(point a) { return sqrt(dot(a, a)); }

static inline point madd(point a, point b, double s)
{
    point p = {{a.c[0] + s * b.c[0], a.c[1] + s * b.c[1], a.c[2] + s * b.c[2]}};
    return p;
}

static inline bool finite_number(double a) { return a - a == 0; }

/* ---- saying what failed ---- */

static char law_where[256]; /* the case that is being looked at */

static inline void within(double found, double expected, double bound, const char *what)
{
    if (fabs(found - expected) <= bound) return;
    print_error("%s: %s is %.17g, expected %.17g within %.3g\n", law_where, what, found, expected, bound);
    fail();
}

static inline void require(bool condition, const char *what)
{
    if (condition) return;
    print_error("%s: %s\n", law_where, what);
    fail();
}

/* ---- laws ---- */

typedef struct law_case {
    const char *name;
    double      compliance, damping, stiffness;
} law_case;

static const law_case law_cases[] = {
    {"rigid", 0, 0, 1},
    {"compliant", 3e-3, 0, 1},
    {"PBD stiffness", 0, 0, 0.37},
    {"damped", 3e-3, 4, 1},
};

static const char *const limit_names[] = {"equal", "at most", "at least", "range"};

/* Whether rows of this kind can have this limit: a range needs a ratio, and rows that come as a block are equalities. */
static inline bool row_takes(const pliant_constraint_info *row, pliant_limit limit)
{
    return limit == PLIANT_EQUAL || (row->rows == 1 && (limit != PLIANT_RANGE || (row->flags & PLIANT_ROW_RATIO)));
}

static inline pliant_law law_of(const law_case *c, pliant_limit limit)
{
    pliant_law law = pliant_law_default();
    law.compliance = R(c->compliance);
    law.damping = R(c->damping);
    law.stiffness = R(c->stiffness);
    law.limited = true;
    law.limit = limit;
    law.range_min = R(0.9);
    law.range_max = R(1.125);
    return law;
}

/* Gives a law of a row all numbers that it may have, within their bounds. */
static inline void draw_numbers(const pliant_constraint_info *row, pliant_law *law)
{
    law->given = (1u << row->number_count) - 1;
    for (uint32_t i = 0; i < row->number_count; i++) {
        const pliant_parameter_info *p = &row->parameters[row->parameter_count + i];
        law->numbers[i] = R(uniform(p->low, p->high));
    }
}

/* ---- one case ---- */

/* Nothing is near a point, a line or a plane. */
static inline bool is_open(const pliant_eval_input *in, uint32_t slots)
{
    for (uint32_t i = 0; i < slots; i++)
        for (uint32_t j = 0; j < i; j++) {
            double d = length(minus(point_of(in->x[i]), point_of(in->x[j])));
            if (d < 0.5 || d > 2.5) return false;
        }
    for (uint32_t i = 0; i + 2 < slots; i++) {
        point a = minus(point_of(in->x[i + 1]), point_of(in->x[i])), b = minus(point_of(in->x[i + 2]), point_of(in->x[i]));
        if (length(cross(a, b)) < 0.4 * length(a) * length(b)) return false;
        if (i + 3 >= slots) break;
        point c = minus(point_of(in->x[i + 3]), point_of(in->x[i])), n = cross(a, b);
        if (length(cross(a, c)) < 0.4 * length(a) * length(c) || length(cross(b, c)) < 0.4 * length(b) * length(c)) return false;
        if (fabs(dot(n, c)) < 0.2 * length(n) * length(c)) return false;
    }
    return true;
}

static inline double largest_gradient(const pliant_eval_output *out, uint32_t row, uint32_t slots)
{
    double most = 0;
    for (uint32_t s = 0; s < slots; s++) most = fmax(most, length(point_of(out->gradient[row][s])));
    return most;
}

static inline pliant_eval_output evaluate(const pliant_constraint_info *row, const pliant_eval_input *in)
{
    pliant_eval_output out;
    assert_int_equal(pliant_constraint_eval(row->kind, in, &out), PLIANT_OK);
    return out;
}

/* The value of C where parameter 0 is 0; a row's measure, if it has one. */
static inline double measure_of(const pliant_constraint_info *row, const pliant_eval_input *in)
{
    pliant_eval_input bare = *in;
    memset(bare.parameters, 0, sizeof bare.parameters);
    return (double)evaluate(row, &bare).C[0];
}

/* What the row's parameters are where a shape near x is at rest, or its mirror image, where that is the one with parameters; x is mirrored too where seams
 * may be, which are of what is turned inside out. */
static inline void draw_shape(const pliant_constraint_info *row, pliant_eval_input *in)
{
    pliant_real near[PLIANT_MAX_SLOTS][3];
    for (uint32_t s = 0; s < row->slots; s++)
        for (int c = 0; c < 3; c++) near[s][c] = in->x[s][c] + R(uniform(-0.2, 0.2));
    if (pliant_constraint_measure(row->kind, (const pliant_real(*)[3])near, in->parameters) == PLIANT_OK) return;
    for (uint32_t s = 0; s < row->slots; s++) near[s][0] = -near[s][0];
    for (uint32_t s = 0; s < row->slots && row->flags & PLIANT_ROW_PIECEWISE; s++)
        in->x[s][0] = -in->x[s][0], in->start[s][0] = -in->start[s][0];
    assert_int_equal(pliant_constraint_measure(row->kind, (const pliant_real(*)[3])near, in->parameters), PLIANT_OK);
}

/* Gives a row of PLIANT_ROW_SHAPED the parameters that are measured at x, or at its mirror image, which x then is, where C is 0 with them to rounding, and
 * they are what a row may have. Shapes that have to be flat are not, at x: false, and `in` is as it was. */
static inline bool rests_by_shape(const pliant_constraint_info *row, pliant_eval_input *in)
{
    pliant_eval_input at = *in;
    double            most = 1;
    if (!(row->flags & PLIANT_ROW_SHAPED)) return false;
    pliant_code code = pliant_constraint_measure(row->kind, (const pliant_real(*)[3])at.x, at.parameters);
    if (code != PLIANT_OK) {
        for (uint32_t s = 0; s < row->slots; s++) at.x[s][0] = -at.x[s][0], at.start[s][0] = -at.start[s][0];
        code = pliant_constraint_measure(row->kind, (const pliant_real(*)[3])at.x, at.parameters);
    }
    if (code != PLIANT_OK) return false;
    for (uint32_t i = 0; i < row->parameter_count; i++) {
        const double value = (double)at.parameters[i];
        if (!(value >= row->parameters[i].low && value <= row->parameters[i].high)) return false;
        most += fabs(value);
    }
    const pliant_eval_output out = evaluate(row, &at);
    for (uint32_t r = 0; r < row->rows; r++)
        if (!(fabs((double)out.C[r]) <= 32 * EPSILON * most)) return false;
    *in = at;
    return true;
}

/* From the row's bounds, cut to [1e-3, 1e3]; what can be measured is near its measure three times in four. */
static inline bool draw_parameters(const pliant_constraint_info *row, pliant_eval_input *in)
{
    memset(in->parameters, 0, sizeof in->parameters);
    for (uint32_t i = 0; i < row->parameter_count; i++) {
        const pliant_parameter_info *p = &row->parameters[i];
        double                       value = log_uniform(fmax(p->low, 1e-3), fmin(p->high, 1e3));
        if (p->low < 0 && below(2)) value = -value;
        if (i == 0 && (row->flags & PLIANT_ROW_MEASURED) && below(4)) value = measure_of(row, in) * uniform(0.6, 1.4);
        in->parameters[i] = R(value);
        if (value < p->low || value > p->high) return false;
    }
    if ((row->flags & PLIANT_ROW_SHAPED) && (row->rows > 1 || below(4))) draw_shape(row, in); /* numbers by themselves are no solid */
    return true;
}

static inline void draw_slot(pliant_eval_input *in, uint32_t s)
{
    in->w[s] = R(log_uniform(0.1, 10));
    for (int c = 0; c < 3; c++) {
        in->x[s][c] = R(floor(uniform(-1.5, 1.5) * 4096) / 4096);
        in->start[s][c] = in->x[s][c] + R(uniform(-0.1, 0.1));
    }
}

static inline bool try_draw(const pliant_constraint_info *row, pliant_eval_input *in)
{
    memset(in, 0, sizeof *in);
    in->dt = R(0.01);
    in->law = pliant_law_default();
    for (uint32_t s = 0; s < row->slots; s++) {
        if (s >= 4 && !is_open(in, s)) return false;
        draw_slot(in, s);
        for (int tries = 0; tries < 100 && s >= 4 && !is_open(in, s + 1); tries++)
            draw_slot(in, s); /* of many, hardly any would be open at once */
    }
    if (!is_open(in, row->slots) || !draw_parameters(row, in)) return false;
    pliant_eval_output out = evaluate(row, in);
    for (uint32_t r = 0; r < row->rows; r++) {
        double g = largest_gradient(&out, r, row->slots);
        if (!(g > 1e-2 && g < 1e2)) return false;
    }
    return true;
}

/* A case with gradients that are neither tiny nor huge. */
static inline void draw(const pliant_constraint_info *row, pliant_eval_input *in)
{
    for (int tries = 0; tries < 100000; tries++)
        if (try_draw(row, in)) return;
    print_error("%s: no random case has a gradient to speak of\n", row->name);
    fail();
}

/* Multipliers as they may be at some iteration under this limit. */
static inline void draw_lambda(const pliant_constraint_info *row, pliant_eval_input *in, pliant_limit limit)
{
    for (uint32_t r = 0; r < row->rows; r++) {
        double l = below(3) ? uniform(-0.05, 0.05) : 0;
        in->lambda[r] = R(limit == PLIANT_AT_MOST ? -fabs(l) : limit == PLIANT_AT_LEAST ? fabs(l) : l);
    }
}

typedef void check_function(const pliant_constraint_info *row, pliant_eval_input *in);

/* Every kind x limit x law x several seeds. `in` is the check's to change. */
static inline void each_trial(uint32_t seeds, check_function *check)
{
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *row = pliant_constraint_describe((pliant_constraint_kind)kind);
        for (int limit = PLIANT_EQUAL; limit <= PLIANT_RANGE; limit++) {
            if (!row_takes(row, (pliant_limit)limit)) continue;
            for (size_t c = 0; c < COUNT(law_cases); c++)
                for (uint32_t seed = 0; seed < seeds; seed++) {
                    pliant_eval_input in;
                    law_seed = 1 + seed + 1000u * (unsigned)kind + 100000u * (unsigned)limit + 1000000u * c;
                    for (int i = 0; i < 8; i++) random_bits();
                    draw(row, &in);
                    in.law = law_of(&law_cases[c], (pliant_limit)limit);
                    draw_numbers(row, &in.law);
                    draw_lambda(row, &in, (pliant_limit)limit);
                    snprintf(law_where, sizeof law_where, "%s, %s, %s, seed %u", row->name, limit_names[limit], law_cases[c].name, seed);
                    check(row, &in);
                }
        }
    }
}

#endif
