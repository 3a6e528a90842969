/* Laws of one constraint taken by itself, through pliant_constraint_eval: for every row of the table, every limit and every law. */
#ifndef LAW_SINGLE_H
#define LAW_SINGLE_H

#include "law_draw.h"

/* Rounding bounds, in units of EPSILON and of the numbers that a law compares; each is a few times the worst that was found in float and in
 * double, which the tests print. A row that is not listed has the first. */
static const struct {
    const char *name;
    double      momentum; /* of the sum of m |dx|, and of m |x| |dx| for angular momentum */
    double      gradient; /* of (1 + |C| + |parameter|) (1 + |gradient|) / step of the finite difference */
    double      motion;   /* of what check_motion calls a unit */
} law_bounds[] = {
    {"", 16, 4, 16},         {"distance", 2, 1, 6},       {"triangle_area", 4, 1, 8}, {"dihedral_angle", 16, 2, 6},
    {"tet_volume", 4, 2, 6}, {"point_triangle", 8, 2, 6}, {"tether", 2, 1, 6},        {"attachment", 2, 1, 6},
};

static size_t bound_of(const pliant_constraint_info *row)
{
    for (size_t i = 1; i < COUNT(law_bounds); i++)
        if (!strcmp(law_bounds[i].name, row->name)) return i;
    return 0;
}

/* ---- from C and gradients to dlambda and dx ---- */

/* Solves A y = b by elimination with pivots; A is n x n. */
static inline void solve_dense(uint32_t n, double A[PLIANT_MAX_ROWS][PLIANT_MAX_ROWS], double *b)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t i = k + 1; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
        for (uint32_t j = 0; j < n; j++) {
            double t = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = t;
        }
        double t = b[k];
        b[k] = b[best];
        b[best] = t;
        for (uint32_t i = k + 1; i < n; i++) {
            double f = A[i][k] / A[k][k];
            for (uint32_t j = k; j < n; j++) A[i][j] -= f * A[k][j];
            b[i] -= f * b[k];
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        for (uint32_t j = k + 1; j < n; j++) b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
}

typedef struct expected {
    double numerator[PLIANT_MAX_ROWS], S[PLIANT_MAX_ROWS][PLIANT_MAX_ROWS], alpha, gamma, k;
    double size; /* of the numbers that add up to a numerator */
} expected;

static inline expected expect_parts(const pliant_constraint_info *row, const pliant_eval_input *in, const pliant_eval_output *out)
{
    expected e;
    double   h = (double)in->dt, beta = (double)in->law.damping;
    memset(&e, 0, sizeof e);
    e.alpha = (double)in->law.compliance / (h * h);
    e.gamma = e.alpha * (h * h * beta) / h; /* alpha~ beta~ / h */
    e.k = (double)in->law.stiffness;
    for (uint32_t r = 0; r < row->rows; r++) {
        double path = 0, size = fabs((double)out->C[r]) + e.alpha * fabs((double)in->lambda[r]);
        for (uint32_t s = 0; s < row->slots; s++) {
            point g = point_of(out->gradient[r][s]), d = minus(point_of(in->x[s]), point_of(in->start[s]));
            path += dot(g, d);
            size += e.gamma * length(g) * length(d);
            for (uint32_t q = 0; q < row->rows; q++) e.S[r][q] += (double)in->w[s] * dot(g, point_of(out->gradient[q][s]));
        }
        e.numerator[r] = -(double)out->C[r] - e.alpha * (double)in->lambda[r] - e.gamma * path;
        e.size = fmax(e.size, size);
    }
    return e;
}

/* A4 with an inequality's multiplier clamped, and A5's k. */
static inline double expect_multiplier(const pliant_constraint_info *row, const pliant_eval_input *in, const expected *e)
{
    double lambda = (double)in->lambda[0], per = e->k / ((1 + e->gamma) * e->S[0][0] + e->alpha);
    double raw = lambda + e->numerator[0] * per;
    double rest = row->parameter_count ? (double)in->parameters[0] : 0;
    switch (in->law.limit) {
    case PLIANT_AT_MOST: return fmin(0, raw) - lambda;
    case PLIANT_AT_LEAST: return fmax(0, raw) - lambda;
    case PLIANT_RANGE: {
        double above = raw + ((double)in->law.range_max - 1) * rest * per, under = raw + ((double)in->law.range_min - 1) * rest * per;
        return (above < 0 ? above : under > 0 ? under : 0) - lambda;
    }
    default: return raw - lambda;
    }
}

static void check_formula(const pliant_constraint_info *row, pliant_eval_input *in)
{
    pliant_eval_output out = evaluate(row, in);
    expected           e = expect_parts(row, in, &out);
    double             change[PLIANT_MAX_ROWS], A[PLIANT_MAX_ROWS][PLIANT_MAX_ROWS];
    double             rest = fabs((double)in->parameters[0]), smallest = DBL_MAX;
    for (uint32_t r = 0; r < row->rows; r++) {
        double d = e.S[r][r] + e.alpha;
        within((double)out.denominator[r], d, 32 * EPSILON * d, "the denominator");
        smallest = fmin(smallest, (1 + e.gamma) * e.S[r][r] + e.alpha);
        for (uint32_t q = 0; q < row->rows; q++) A[r][q] = (1 + e.gamma) * e.S[r][q] + (r == q ? e.alpha : 0);
        change[r] = e.numerator[r];
    }
    if (row->rows == 1)
        change[0] = expect_multiplier(row, in, &e);
    else if (row->flags & PLIANT_ROW_IN_TURN)
        for (uint32_t r = 0; r < row->rows; r++) { /* forward substitution */
            for (uint32_t q = 0; q < r; q++) change[r] -= A[r][q] * change[q];
            change[r] *= e.k / A[r][r];
        }
    else {
        solve_dense(row->rows, A, change);
        for (uint32_t r = 0; r < row->rows; r++) change[r] *= e.k;
    }
    double bound = 32 * EPSILON * ((e.size + rest) / smallest + fabs((double)in->lambda[0]));
    for (uint32_t r = 0; r < row->rows; r++) within((double)out.dlambda[r], change[r], bound, "dlambda");
    for (uint32_t s = 0; s < row->slots; s++) {
        point  dx = {{0, 0, 0}};
        double sizes = DBL_MIN; /* of what adds up to it */
        for (uint32_t r = 0; r < row->rows; r++) {
            dx = madd(dx, point_of(out.gradient[r][s]), (double)in->w[s] * (double)out.dlambda[r]);
            sizes += length(point_of(out.gradient[r][s])) * (double)in->w[s] * fabs((double)out.dlambda[r]);
        }
        for (int c = 0; c < 3; c++) within((double)out.dx[s][c], dx.c[c], 16 * EPSILON * sizes, "dx");
    }
}

static void one_projection_follows_the_formula(void **unused)
{
    (void)unused;
    each_trial(8, check_formula);
}

/* ---- momentum ---- */

static double torque_seen[PLIANT_CONSTRAINT_COUNT]; /* per row, relative: an exception must be one */
static double worst_momentum[PLIANT_CONSTRAINT_COUNT];

static void check_momentum(const pliant_constraint_info *row, pliant_eval_input *in)
{
    pliant_eval_output out = evaluate(row, in);
    double             bound = law_bounds[bound_of(row)].momentum * EPSILON, size = 0, lever = 0;
    point              linear = {{0, 0, 0}}, angular = {{0, 0, 0}};
    for (uint32_t s = 0; s < row->slots; s++) {
        double m = 1 / (double)in->w[s];
        point  x = point_of(in->x[s]), dx = point_of(out.dx[s]);
        linear = madd(linear, dx, m);
        angular = madd(angular, cross(x, dx), m);
        size += m * length(dx);
        lever += m * length(dx) * length(x);
    }
    for (int c = 0; c < 3; c++) within(linear.c[c], 0, bound * size, "linear momentum");
    if (size > 0) worst_momentum[row->kind] = fmax(worst_momentum[row->kind], length(linear) / size / EPSILON);
    if (row->flags & PLIANT_ROW_FRAME_BOUND) {
        if (lever > 0) torque_seen[row->kind] = fmax(torque_seen[row->kind], length(angular) / lever);
        return;
    }
    for (int c = 0; c < 3; c++) within(angular.c[c], 0, bound * lever, "angular momentum");
    if (lever > 0) worst_momentum[row->kind] = fmax(worst_momentum[row->kind], length(angular) / lever / EPSILON);
}

static void one_projection_keeps_momentum(void **unused)
{
    (void)unused;
    each_trial(12, check_momentum);
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *row = pliant_constraint_describe((pliant_constraint_kind)kind);
        print_message("    %-16s worst %.2g of a bound of %g\n", row->name, worst_momentum[kind], law_bounds[bound_of(row)].momentum);
        if (!(row->flags & PLIANT_ROW_FRAME_BOUND)) continue;
        print_message("    exception: %s is bound to the frame, angular momentum is not kept\n", row->name);
        assert_true(torque_seen[kind] > 1e-3); /* else the flag says what is not so */
    }
}

/* ---- gradients ---- */

#ifdef PLIANT_DOUBLE
#define STEP (1.0 / 2048)
#else
#define STEP (1.0 / 128)
#endif

static double worst_gradient[PLIANT_CONSTRAINT_COUNT];
static int    seams_skipped[PLIANT_CONSTRAINT_COUNT], points_seen[PLIANT_CONSTRAINT_COUNT];

/* C of all rows with one coordinate moved. */
static inline pliant_eval_output evaluate_moved(const pliant_constraint_info *row, const pliant_eval_input *in, uint32_t s, int c,
                                                int steps)
{
    pliant_eval_input moved = *in;
    moved.x[s][c] += R(steps * STEP);
    return evaluate(row, &moved);
}

/* Whether C or its gradient jumps between two points that are close together. */
static inline bool jumps(const pliant_constraint_info *row, const pliant_eval_output *a, const pliant_eval_output *b, double distance)
{
    for (uint32_t r = 0; r < row->rows; r++) {
        double g = largest_gradient(a, r, row->slots);
        if (fabs((double)a->C[r] - (double)b->C[r]) > 4 * (g + 1) * distance) return true;
        for (uint32_t s = 0; s < row->slots; s++)
            if (length(minus(point_of(a->gradient[r][s]), point_of(b->gradient[r][s]))) > 0.5 * g) return true;
    }
    return false;
}

/* Central differences of sixth order: what they leave out is far below rounding. */
static void check_gradient_at(const pliant_constraint_info *row, const pliant_eval_input *in)
{
    static const double weight[3] = {45, -9, 1};
    pliant_eval_output  here = evaluate(row, in);
    for (uint32_t s = 0; s < row->slots; s++)
        for (int c = 0; c < 3; c++) {
            double slope[PLIANT_MAX_ROWS] = {0};
            bool   seam = false;
            for (int k = 1; k <= 3; k++) {
                pliant_eval_output up = evaluate_moved(row, in, s, c, k), down = evaluate_moved(row, in, s, c, -k);
                seam = seam || jumps(row, &here, &up, k * STEP) || jumps(row, &here, &down, k * STEP);
                for (uint32_t r = 0; r < row->rows; r++) slope[r] += weight[k - 1] * ((double)up.C[r] - (double)down.C[r]) / (60 * STEP);
            }
            points_seen[row->kind]++;
            if (seam && (row->flags & PLIANT_ROW_PIECEWISE)) {
                seams_skipped[row->kind]++;
                continue;
            }
            for (uint32_t r = 0; r < row->rows; r++) {
                double unit = EPSILON / STEP * (1 + fabs((double)here.C[r]) + fabs((double)in->parameters[0])) *
                              (1 + largest_gradient(&here, r, row->slots));
                double error = fabs(slope[r] - (double)here.gradient[r][s][c]) / unit;
                worst_gradient[row->kind] = fmax(worst_gradient[row->kind], error);
                within((double)here.gradient[r][s][c], slope[r], law_bounds[bound_of(row)].gradient * unit, "gradient");
            }
        }
}

static void gradients_are_slopes(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *row = pliant_constraint_describe((pliant_constraint_kind)kind);
        for (uint32_t seed = 0; seed < 200; seed++) {
            pliant_eval_input in;
            law_seed = seed + 1000u * (unsigned)kind;
            snprintf(law_where, sizeof law_where, "%s, seed %u", row->name, seed);
            draw(row, &in);
            check_gradient_at(row, &in);
        }
        print_message("    %-16s worst %.2g of a bound of %g%s", row->name, worst_gradient[kind], law_bounds[bound_of(row)].gradient,
                      row->flags & PLIANT_ROW_PIECEWISE ? "" : "\n");
        if (!(row->flags & PLIANT_ROW_PIECEWISE)) continue;
        print_message("; exception: piecewise, %d of %d points skipped near seams\n", seams_skipped[kind], points_seen[kind]);
        assert_true(seams_skipped[kind] < points_seen[kind] / 4);
    }
}

/* ---- rigid motion ---- */

typedef struct rigid {
    double rotation[3][3];
    point  translation;
} rigid;

static inline rigid random_rigid(void)
{
    double q[4], sum = 0;
    rigid  m;
    for (int i = 0; i < 4; i++) {
        q[i] = uniform(-1, 1);
        sum += q[i] * q[i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int    k = 3 - i - j;
            double turn = i == j ? 0 : (j == (i + 1) % 3 ? -1 : 1) * q[3] * q[k];
            double same = i == j ? q[3] * q[3] + q[i] * q[i] - q[(i + 1) % 3] * q[(i + 1) % 3] - q[(i + 2) % 3] * q[(i + 2) % 3] : 0;
            m.rotation[i][j] = (same + (i == j ? 0 : 2 * (q[i] * q[j] + turn))) / sum;
        }
    for (int i = 0; i < 3; i++) m.translation.c[i] = uniform(-2, 2);
    return m;
}

static inline point rotate(const rigid *m, point p)
{
    point r = {{0, 0, 0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.c[i] += m->rotation[i][j] * p.c[j];
    return r;
}

static double worst_motion[PLIANT_CONSTRAINT_COUNT], frame_seen[PLIANT_CONSTRAINT_COUNT];

static void check_motion(const pliant_constraint_info *row, pliant_eval_input *in)
{
    const rigid       m = random_rigid();
    pliant_eval_input there = *in;
    for (uint32_t s = 0; s < row->slots; s++)
        for (int c = 0; c < 3; c++) {
            there.x[s][c] = R(rotate(&m, point_of(in->x[s])).c[c] + m.translation.c[c]);
            there.start[s][c] = R(rotate(&m, point_of(in->start[s])).c[c] + m.translation.c[c]);
        }
    pliant_eval_output a = evaluate(row, in), b = evaluate(row, &there);
    double             steps = 0;
    points_seen[row->kind]++;
    if ((row->flags & PLIANT_ROW_PIECEWISE) && fabs((double)a.C[0] - (double)b.C[0]) > 0.05) {
        seams_skipped[row->kind]++;
        return;
    }
    for (uint32_t r = 0; r < row->rows; r++) {
        double g = largest_gradient(&a, r, row->slots);
        double unit = EPSILON * (1 + g) * (1 + fabs((double)in->parameters[0])), error = fabs((double)b.C[r] - (double)a.C[r]) / unit;
        if (row->flags & PLIANT_ROW_FRAME_BOUND) {
            frame_seen[row->kind] = fmax(frame_seen[row->kind], error * unit);
            continue;
        }
        worst_motion[row->kind] = fmax(worst_motion[row->kind], error);
        within((double)b.C[r], (double)a.C[r], law_bounds[bound_of(row)].motion * unit, "C after rigid motion");
        steps += EPSILON * (1 + g) * (1 + g) * (fabs((double)a.dlambda[r]) + 1 / (double)a.denominator[r]) *
                 (1 + fabs((double)in->parameters[0]));
    }
    for (uint32_t s = 0; s < row->slots && !(row->flags & PLIANT_ROW_FRAME_BOUND); s++) { /* what all rows together move */
        const point  to = rotate(&m, point_of(a.dx[s]));
        const double step = steps * (double)in->w[s];
        worst_motion[row->kind] = fmax(worst_motion[row->kind], length(minus(point_of(b.dx[s]), to)) / step);
        for (int c = 0; c < 3; c++) within((double)b.dx[s][c], to.c[c], law_bounds[bound_of(row)].motion * step, "dx after rigid motion");
    }
}

static void rigid_motion_changes_nothing(void **unused)
{
    (void)unused;
    memset(seams_skipped, 0, sizeof seams_skipped);
    memset(points_seen, 0, sizeof points_seen);
    each_trial(12, check_motion);
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *row = pliant_constraint_describe((pliant_constraint_kind)kind);
        if (row->flags & PLIANT_ROW_FRAME_BOUND) {
            print_message("    exception: %s is bound to the frame, C changes by up to %.2g\n", row->name, frame_seen[kind]);
            assert_true(frame_seen[kind] > 1e-2);
        } else
            print_message("    %-16s worst %.2g of a bound of %g, %d of %d skipped at seams\n", row->name, worst_motion[kind],
                          law_bounds[bound_of(row)].motion, seams_skipped[kind], points_seen[kind]);
        assert_true(seams_skipped[kind] <= points_seen[kind] / 10);
    }
}

/* ---- pins ---- */

static void check_pins(const pliant_constraint_info *row, pliant_eval_input *in)
{
    const pliant_real zero[3] = {0, 0, 0};
    for (uint32_t mask = 1; mask < 1u << row->slots; mask++) {
        pliant_eval_input pinned = *in;
        for (uint32_t s = 0; s < row->slots; s++)
            if (mask >> s & 1) pinned.w[s] = 0;
        pliant_eval_output out = evaluate(row, &pinned);
        for (uint32_t s = 0; s < row->slots; s++) {
            if (mask >> s & 1) require(out.dx[s][0] == zero[0] && out.dx[s][1] == zero[1] && out.dx[s][2] == zero[2], "a pin moved");
        }
    }
}

static void pins_get_no_correction(void **unused)
{
    (void)unused;
    each_trial(4, check_pins);
}

#endif
