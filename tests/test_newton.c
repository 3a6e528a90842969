/* The exact constrained step on chains and trees: what it converges to, against closed forms, and what it refuses. All of it is tested twice, as
 * trees in linear time and by sparse factors; what is no tree is in test_cholmod.c. */
#include "more.h"
#include "sample_scenes.h"
#include "trial.h"

static pliant_linear linear = PLIANT_LINEAR_TREE;

/* Sparse factors are not always there. */
#define NEED_LINEAR()                                                   \
    do {                                                                \
        if (linear == PLIANT_LINEAR_SPARSE && !trial_linear()) {        \
            print_message("skipped: libpliant_cholmod is not built\n"); \
            skip();                                                     \
            return;                                                     \
        }                                                               \
    } while (0)

static pliant_method_def newton(pliant_gradients gradients)
{
    pliant_method_def m = pliant_method_def_default();
    m.method = PLIANT_METHOD_NEWTON;
    m.gradients = gradients;
    m.linear = linear;
    return m;
}

static void begin(trial *w, double g, pliant_gradients gradients)
{
    memset(w, 0, sizeof *w);
    w->def = pliant_scene_def_default();
    w->def.gravity = vec(0, -g, 0);
    w->def.substeps = w->def.iterations = 1;
    w->def.method = newton(gradients);
    trial_begin_def(w);
}

/* A mass on a rod of length sqrt 2 that is held at the origin, let go at (1, -1). */
static pliant_body rod(trial *w, double g, pliant_gradients gradients)
{
    static const double x[2][3] = {{0, 0, 0}, {1, -1, 0}}, inverse[2] = {0, 1};
    begin(w, g, gradients);
    pliant_body body = add_points(w, 2, x, NULL, inverse, NULL);
    pliant_law  law = rigid();
    add_distance(w, body, 0, 1, sqrt(2), &law);
    trial_compile(w);
    return body;
}

/* With the gradient at the start, x = -G / 2 + sqrt(4 - G^2) / 2 and y = -G / 2 - sqrt(4 - G^2) / 2, G = g h^2. */
static void a_rod_goes_where_its_closed_form_says(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    static const double steps[] = {1e-3, 1e-2, 1.0 / 60, 0.1, 0.4};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        trial       w;
        pliant_body body = rod(&w, 10, PLIANT_GRADIENTS_START);
        double      G = 10 * steps[i] * steps[i], root = sqrt(4 - G * G) / 2, x[3], v[3];
        trial_run(&w, steps[i], 1);
        point_of(&w, body, 1, x);
        speed_of(&w, body, 1, v);
        near(x[0], -G / 2 + root, BOUND(4e-16, 3e-7));
        near(x[1], -G / 2 - root, BOUND(4e-16, 3e-7));
        near(v[0], (-G / 2 + root - 1) / steps[i], BOUND(4e-16, 3e-7) / steps[i]);
        trial_end(&w);
    }
}

/* With the gradient at the prediction it goes to where the prediction's direction meets the circle: PBD's projection. */
static void a_rod_follows_its_prediction(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    static const double steps[] = {1e-3, 1.0 / 60, 0.1};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        trial       w;
        pliant_body body = rod(&w, 10, PLIANT_GRADIENTS_PREDICTED);
        double      x[3], p[2] = {1, -1}, v[2] = {0, 0}, h = steps[i];
        for (int k = 0; k < 3; k++) {
            double q[2] = {p[0] + h * v[0], p[1] + h * (v[1] - 10 * h)}, length = hypot(q[0], q[1]);
            for (int c = 0; c < 2; c++) {
                v[c] = (q[c] * sqrt(2) / length - p[c]) / h;
                p[c] = q[c] * sqrt(2) / length;
            }
            trial_run(&w, h, 1);
            point_of(&w, body, 1, x);
            near(x[0], p[0], BOUND(1e-14, 1e-6));
            near(x[1], p[1], BOUND(1e-14, 1e-6));
        }
        trial_end(&w);
    }
}

/* lambda is that of C = |d| - sqrt 2; the closed form of |d|^2 - 2 is -G / 4 (1 + G / 2 / (1 + sqrt(1 - G^2 / 4))), 2 sqrt 2 times less. */
static void its_force_is_the_one_of_the_near_root(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    static const double steps[] = {1e-3, 0.1, 0.4};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        trial                   w;
        const pliant_constraint only = {1};
        pliant_real             force[PLIANT_MAX_ROWS];
        double                  h = steps[i], G = 10 * h * h;
        rod(&w, 10, PLIANT_GRADIENTS_START);
        trial_run(&w, h, 1);
        assert_int_equal(pliant_solver_force(w.solver, only, force), 1);
        double squares = -G / 4 * (1 + G / 2 / (1 + sqrt(1 - G * G / 4)));
        near((double)force[0] * h * h, 2 * sqrt(2) * squares, BOUND(2e-15, 5e-7));
        trial_end(&w);
    }
}

/* Beyond G = 2 the two roots are none. */
static void without_a_solution_the_step_says_so(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    for (int restores = 0; restores < 2; restores++)
        for (int g = 0; g < 2; g++) {
            static const double x[2][3] = {{0, 0, 0}, {1, -1, 0}}, inverse[2] = {0, 1}, moving[2][3] = {{0, 0, 0}, {-15, 15, 0}};
            trial               w;
            double              at[3], v[3];
            memset(&w, 0, sizeof w);
            w.def = pliant_scene_def_default();
            w.def.gravity = vec(0, g ? 0 : -10, 0);
            w.def.substeps = w.def.iterations = 1;
            w.def.method = newton(PLIANT_GRADIENTS_START);
            w.def.method.fallback = PLIANT_FALLBACK_NONE;
            w.def.on_divergence = restores ? PLIANT_DIVERGENCE_RESTORES : PLIANT_DIVERGENCE_STOPS;
            trial_begin_def(&w);
            pliant_body body = add_points(&w, 2, x, g ? moving : NULL, inverse, NULL); /* g: to the mirror image, where the rod fits too */
            add_distance(&w, body, 0, 1, sqrt(2), NULL);
            trial_compile(&w);
            assert_int_equal(pliant_inputs_reset(w.inputs, g ? 0.1 : 0.45), PLIANT_OK);
            assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), restores ? PLIANT_OK : PLIANT_ERROR_DIVERGED);
            pliant_divergence d = pliant_solver_divergence(w.solver);
            assert_true(d.diverged && d.unsolved && !d.not_a_number && d.substep == 0);
            assert_true(d.particle.body.id == body.id && d.particle.vertex == 1);
            assert_int_equal(pliant_solver_statistics(w.solver).restored_bodies, restores);
            point_of(&w, body, 1, at);
            speed_of(&w, body, 1, v);
            for (int k = 0; k < 3; k++) {
                near(at[k], x[1][k], 0);
                near(v[k], 0, BOUND(1e-12, 1e-5));
            }
            trial_end(&w);
        }
}

/* Both rods of above: the substep is then that of gradients at the end, to the bit, and counted. */
static void without_a_solution_it_falls_back_to_gradients_at_the_end_and_counts_it(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    static const double x[2][3] = {{0, 0, 0}, {1, -1, 0}}, inverse[2] = {0, 1}, moving[2][3] = {{0, 0, 0}, {-15, 15, 0}};
    for (int g = 0; g < 2; g++) {
        double at[2][3], v[2][3];
        for (int implicit = 0; implicit < 2; implicit++) {
            trial w;
            memset(&w, 0, sizeof w);
            w.def = pliant_scene_def_default();
            w.def.gravity = vec(0, g ? 0 : -10, 0);
            w.def.substeps = w.def.iterations = 1;
            w.def.method = newton(implicit ? PLIANT_GRADIENTS_IMPLICIT : PLIANT_GRADIENTS_START);
            trial_begin_def(&w);
            pliant_body body = add_points(&w, 2, x, g ? moving : NULL, inverse, NULL);
            add_distance(&w, body, 0, 1, sqrt(2), NULL);
            trial_compile(&w);
            assert_int_equal(pliant_inputs_reset(w.inputs, g ? 0.1 : 0.45), PLIANT_OK);
            assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_OK);
            assert_false(pliant_solver_divergence(w.solver).diverged);
            assert_int_equal(pliant_solver_statistics(w.solver).fallback_substeps, !implicit);
            near(pliant_solver_kind_statistics(w.solver, PLIANT_CONSTRAINT_DISTANCE).residual_max, 0, BOUND(1e-14, 1e-6));
            point_of(&w, body, 1, at[implicit]);
            speed_of(&w, body, 1, v[implicit]);
            assert_int_equal(pliant_inputs_reset(w.inputs, 1e-3), PLIANT_OK); /* and then it goes on with its own */
            assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_OK);
            assert_int_equal(pliant_solver_statistics(w.solver).fallback_substeps, 0);
            trial_end(&w);
        }
        for (int k = 0; k < 3; k++) {
            near(at[0][k], at[1][k], 0);
            near(v[0][k], v[1][k], 0);
        }
    }
}

/* ---- trees ---- */

enum { TREE = 40 };

typedef struct tree {
    double   x[TREE][3], v[TREE][3], w[TREE], rest[TREE], alpha[TREE];
    uint32_t parent[TREE]; /* of 1 and on */
} tree;

/* Branches, masses from 1e-2 to 1e2 kg, every third link compliant, two ends held. */
static void grow(tree *t, uint64_t seed)
{
    memset(t, 0, sizeof *t);
    for (uint32_t i = 0; i < TREE; i++) {
        t->w[i] = pow(10, 4 * chance(&seed) - 2);
        t->parent[i] = i ? i - 1 - (uint32_t)(chance(&seed) * (i < 3 ? i : 3)) : 0;
        double d[3], length = 0;
        for (int k = 0; k < 3; k++) d[k] = chance(&seed) - 0.5, length += d[k] * d[k];
        for (int k = 0; k < 3; k++) {
            t->x[i][k] = t->x[t->parent[i]][k] + (i ? d[k] : 0);
            t->v[i][k] = chance(&seed) - 0.5;
        }
        t->rest[i] = sqrt(length);
        t->alpha[i] = i % 3 == 1 ? 1e-4 : 0;
    }
    t->w[0] = t->w[TREE - 1] = 0;
    memset(t->v[0], 0, sizeof t->v[0]);
    memset(t->v[TREE - 1], 0, sizeof t->v[0]);
}

static pliant_body tree_scene(trial *w, const tree *t, pliant_gradients gradients)
{
    begin(w, 10, gradients);
    pliant_body body = add_points(w, TREE, t->x, t->v, t->w, NULL);
    for (uint32_t i = 1; i < TREE; i++) {
        pliant_law law = compliant(t->alpha[i]);
        add_distance(w, body, i, t->parent[i], t->rest[i], &law);
    }
    return body;
}

static void trees_are_solved_to_rounding(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            trial w;
            tree  t;
            grow(&t, seed);
            tree_scene(&w, &t, (pliant_gradients)g);
            trial_compile(&w);
            for (int i = 0; i < 3; i++) {
                trial_run(&w, 1e-3, 1);
                pliant_statistics s = pliant_solver_statistics(w.solver);
                near(pliant_solver_kind_statistics(w.solver, PLIANT_CONSTRAINT_DISTANCE).residual_max, 0, BOUND(1e-14, 4e-6));
                if (g == PLIANT_GRADIENTS_IMPLICIT) near(s.primal_residual, 0, BOUND(1e-13, 1e-4));
            }
            trial_end(&w);
        }
}

/* Solves A y = b of n rows in place, pivoting by columns. */
static void solve_dense(double *A, double *b, size_t n)
{
    for (size_t c = 0; c < n; c++) {
        size_t best = c;
        for (size_t r = c; r < n; r++)
            if (fabs(A[r * n + c]) > fabs(A[best * n + c])) best = r;
        for (size_t k = 0; k < n; k++) {
            double swap = A[c * n + k];
            A[c * n + k] = A[best * n + k];
            A[best * n + k] = swap;
        }
        double swap = b[c];
        b[c] = b[best], b[best] = swap;
        for (size_t r = 0; r < n; r++) {
            double by = r == c ? 0 : A[r * n + c] / A[c * n + c];
            for (size_t k = c; k < n && by != 0; k++) A[r * n + k] -= by * A[c * n + k];
            b[r] -= by * b[c];
        }
    }
    for (size_t r = 0; r < n; r++) b[r] /= A[r * n + r];
}

enum { ALL = 4 * TREE };

/* One step of the tree by Newton on all positions and multipliers at once: M (x - x~) - J^T lambda = 0 and C + alpha~ lambda = 0. J is that of
 * x, with the second derivatives of the lengths, or that of `fixed`. */
static void step_dense(const tree *t, double h, const double (*fixed)[3], double (*x)[3])
{
    static double A[ALL * ALL], b[ALL];
    double        predicted[TREE][3], lambda[TREE] = {0};
    memcpy(predicted, x, sizeof predicted);
    for (int iteration = 0; iteration < 60; iteration++) {
        memset(A, 0, sizeof A);
        memset(b, 0, sizeof b);
        for (size_t i = 0; i < TREE; i++)
            for (size_t k = 0; k < 3; k++) {
                A[(3 * i + k) * ALL + 3 * i + k] = t->w[i] > 0 ? 1 / t->w[i] : 1;
                if (t->w[i] > 0) b[3 * i + k] = -(x[i][k] - predicted[i][k]) / t->w[i];
            }
        A[3 * TREE * ALL + 3 * TREE] = 1;
        for (size_t i = 1; i < TREE; i++) {
            const size_t ends[2] = {i, t->parent[i]}, row = 3 * TREE + i;
            double       n[3], g[3], d = 0, fixed_d = 0;
            for (size_t k = 0; k < 3; k++) {
                n[k] = x[i][k] - x[ends[1]][k], d += n[k] * n[k];
                g[k] = fixed ? fixed[i][k] - fixed[ends[1]][k] : n[k], fixed_d += g[k] * g[k];
            }
            d = sqrt(d), fixed_d = sqrt(fixed_d);
            for (size_t k = 0; k < 3; k++) n[k] /= d, g[k] /= fixed_d;
            A[row * ALL + row] = t->alpha[i] / (h * h);
            b[row] = -(d - t->rest[i] + t->alpha[i] / (h * h) * lambda[i]);
            for (size_t e = 0; e < 2; e++)
                for (size_t k = 0; k < 3; k++) {
                    const size_t at = 3 * ends[e] + k;
                    if (t->w[ends[e]] == 0) continue;
                    A[row * ALL + at] = e ? -n[k] : n[k];
                    A[at * ALL + row] = e ? g[k] : -g[k];
                    b[at] += (e ? -g[k] : g[k]) * lambda[i];
                    for (size_t f = 0; f < 2; f++)
                        for (size_t c = 0; c < 3 && !fixed; c++)
                            if (t->w[ends[f]] > 0)
                                A[at * ALL + 3 * ends[f] + c] -= (e == f ? 1 : -1) * lambda[i] * ((k == c) - n[k] * n[c]) / d;
                }
        }
        solve_dense(A, b, ALL);
        for (size_t i = 0; i < TREE; i++)
            for (size_t k = 0; k < 3; k++) x[i][k] += b[3 * i + k];
        for (size_t i = 1; i < TREE; i++) lambda[i] += b[3 * TREE + i];
    }
}

static void trees_agree_with_a_dense_solver(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    const double h = 4e-3;
    for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            trial  w;
            tree   t;
            double x[TREE][3], at[3];
            grow(&t, seed);
            pliant_body body = tree_scene(&w, &t, (pliant_gradients)g);
            trial_compile(&w);
            trial_run(&w, h, 1);
            for (size_t i = 0; i < TREE; i++)
                for (size_t k = 0; k < 3; k++) x[i][k] = t.x[i][k] + (t.w[i] > 0 ? h * (t.v[i][k] - (k == 1 ? 10 * h : 0)) : 0);
            double fixed[TREE][3];
            memcpy(fixed, g == PLIANT_GRADIENTS_START ? t.x : x, sizeof fixed);
            step_dense(&t, h, g == PLIANT_GRADIENTS_IMPLICIT ? NULL : (const double(*)[3])fixed, x);
            for (uint32_t i = 0; i < TREE; i++) {
                point_of(&w, body, i, at);
                for (int k = 0; k < 3; k++) near(at[k], x[i][k], BOUND(1e-12, 2e-5));
            }
            trial_end(&w);
        }
}

/* ---- motion ---- */

/* Height above the lowest point and half the square of the speed: energy of a kilogram. */
static double energy_of(const trial *w, pliant_body body)
{
    double x[3], v[3];
    point_of(w, body, 1, x);
    speed_of(w, body, 1, v);
    return 10 * x[1] + dot3(v, v) / 2;
}

/* After ten seconds at 60 Hz a swing has the height that it had, with the gradients of the start; with those of the prediction, or of the end, it has
 * lost most of it. */
static void a_swing_goes_on(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    static const double x[2][3] = {{0, 0, 0}, {1, 0, 0}}, inverse[2] = {0, 1};
    for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) {
        trial  w;
        double most = -1e9;
        begin(&w, 10, (pliant_gradients)g);
        pliant_body body = add_points(&w, 2, x, NULL, inverse, NULL);
        add_distance(&w, body, 0, 1, 1, NULL);
        trial_compile(&w);
        trial_run(&w, 1.0 / 60, 540);
        for (int i = 0; i < 120; i++) {
            trial_run(&w, 1.0 / 60, 1);
            most = fmax(most, energy_of(&w, body));
        }
        if (g == PLIANT_GRADIENTS_START)
            near(most, 0, 0.5); /* of the 10 J/kg between its highest and its lowest point */
        else
            assert_true(most < -2);
        trial_end(&w);
    }
}

/* Straight between two walls, exactly taut: the links depend on each other, and nothing goes wrong. */
static void a_taut_chain_between_walls_rests(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) {
        double x[9][3] = {{0}}, inverse[9], at[3];
        trial  w;
        begin(&w, 0, (pliant_gradients)g);
        for (int i = 0; i < 9; i++) x[i][0] = 0.25 * i, inverse[i] = i % 8 ? 1 : 0;
        pliant_body body = add_points(&w, 9, (const double(*)[3])x, NULL, inverse, NULL);
        for (uint32_t i = 0; i < 8; i++) add_distance(&w, body, i, i + 1, 0.25, NULL);
        trial_compile(&w);
        trial_run(&w, 1.0 / 60, 10);
        for (uint32_t i = 0; i < 9; i++) {
            point_of(&w, body, i, at);
            near(at[0], x[i][0], 0);
            near(at[1], 0, 0);
        }
        trial_end(&w);
    }
}

/* A point welded to a chain, held by a spring to another, pinned and let go again, with a link switched off. */
static void attachments_pins_and_idle_links_take_part(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    static const double x[6][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
    for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) {
        const uint32_t weld[2] = {2, 3}, pins[2] = {0, 5};
        trial          w;
        double         a[3], b[3];
        pliant_law     soft = compliant(1e-3);
        begin(&w, 10, (pliant_gradients)g);
        pliant_body       body = add_points(&w, 6, x, NULL, NULL, NULL);
        pliant_constraint off = add_distance(&w, body, 0, 1, 1, NULL);
        add_distance(&w, body, 1, 2, 1, &soft);
        add_link(&w, body, PLIANT_CONSTRAINT_ATTACHMENT, weld, 0, NULL);
        add_distance(&w, body, 3, 4, 1, NULL);
        add_distance(&w, body, 4, 5, 1, &soft);
        assert_int_equal(pliant_scene_pin(w.scene, body, pins, 2, true, NULL), PLIANT_OK);
        trial_compile(&w);
        trial_run(&w, 2e-3, 50);
        point_of(&w, body, 2, a);
        point_of(&w, body, 3, b);
        for (int k = 0; k < 3; k++) near(a[k], b[k], BOUND(1e-14, 2e-6));
        point_of(&w, body, 0, a);
        for (int k = 0; k < 3; k++) near(a[k], x[0][k], 0);
        assert_true(pliant_solver_kind_statistics(w.solver, PLIANT_CONSTRAINT_DISTANCE).residual_max < BOUND(1e-13, 1e-5));
        assert_int_equal(pliant_state_set_active(w.state, off, false), PLIANT_OK);
        assert_int_equal(pliant_state_set_pinned(w.state, body, 5, false), PLIANT_OK);
        trial_run(&w, 2e-3, 50);
        pliant_real force[PLIANT_MAX_ROWS];
        assert_int_equal(pliant_solver_force(w.solver, off, force), 1);
        near((double)force[0], 0, 0);
        point_of(&w, body, 5, a);
        assert_true(a[1] < -1e-3);
        assert_true(pliant_solver_kind_statistics(w.solver, PLIANT_CONSTRAINT_DISTANCE).residual_max < BOUND(1e-13, 1e-5));
        trial_end(&w);
    }
}

/* A rod that falls flat on the floor, and one that is dragged: contacts and grabs take turns with the exact solve. */
static void contacts_and_grabs_take_turns(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    static const double x[2][3] = {{0, 0.01, 0}, {0, 1.01, 0}}, v[2][3] = {{0, 0, 0}, {0.5, 0, 0}};
    for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) {
        trial               w;
        double              a[3], b[3];
        pliant_collider_def floor = plane_def(0, 1, 1, 0);
        begin(&w, 10, (pliant_gradients)g);
        w.def.iterations = 8;
        pliant_body body = add_points(&w, 2, x, v, NULL, NULL);
        add_distance(&w, body, 0, 1, 1, NULL);
        add_collider(&w, &floor);
        trial_compile(&w);
        for (int i = 0; i < 1000; i++) {
            assert_int_equal(pliant_inputs_reset(w.inputs, 2e-3), PLIANT_OK);
            assert_int_equal(pliant_inputs_substeps(w.inputs, 1, 20), PLIANT_OK);
            trial_step(&w);
        }
        point_of(&w, body, 0, a);
        point_of(&w, body, 1, b);
        near(a[1], 0, 1e-3);
        near(b[1], 0, 1e-3);
        near(hypot(a[0] - b[0], a[1] - b[1]), 1, 1e-3);
        for (int i = 0; i < 500; i++) {
            assert_int_equal(pliant_inputs_reset(w.inputs, 2e-3), PLIANT_OK);
            assert_int_equal(pliant_inputs_substeps(w.inputs, 1, 20), PLIANT_OK);
            assert_int_equal(pliant_inputs_grab(w.inputs, body, 0, vec(a[0], 0.5, 0), R(1e-4)), PLIANT_OK);
            trial_step(&w);
        }
        point_of(&w, body, 0, b);
        assert_true(b[1] > 0.4);
        trial_end(&w);
    }
}

/* ---- what it refuses ---- */

static void refuse(trial *w, const char *sentence)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    w->model = pliant_scene_compile(w->scene, &error);
    assert_non_null(w->model);
    assert_false(pliant_method_takes(w->model, NULL, &error));
    if (!strstr(error.message, sentence)) print_error("found: %s\n", error.message);
    assert_non_null(strstr(error.message, sentence));
    assert_null(pliant_solver_create(w->model, NULL, &error));
    trial_end(w);
}

static pliant_body square(trial *w)
{
    static const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    begin(w, 10, PLIANT_GRADIENTS_START);
    return add_points(w, 4, x, NULL, NULL, NULL);
}

static void what_is_no_equality_is_refused(void **unused)
{
    (void)unused;
    const uint32_t ids[4] = {0, 1, 2, 3};
    for (int which = 0; which < 6; which++) {
        static const char *const sentences[] = {"has a tether;", "has a distance with a limit", "has a point_triangle;", "no damping",
                                                "no stiffness",  "no users' constraints"};
        trial                    w;
        pliant_law               law = rigid();
        pliant_body              body = square(&w);
        if (which == 0) add_link(&w, body, PLIANT_CONSTRAINT_TETHER, ids, 1, NULL);
        if (which == 1) law.limited = true, law.limit = PLIANT_AT_MOST;
        if (which == 2) add_link(&w, body, PLIANT_CONSTRAINT_POINT_TRIANGLE, ids, 0.1, NULL);
        if (which == 3) law.compliance = R(1e-3), law.damping = 1;
        if (which == 4) law.stiffness = R(0.5);
        if (which != 0 && which != 2 && which != 5) add_distance(&w, body, 0, 1, 1, &law);
        if (which != 5) {
            refuse(&w, sentences[which]);
            continue;
        }
        pliant_user_constraint_def def = pliant_user_constraint_def_default();
        pliant_error               error = {PLIANT_OK, 0, "", ""};
        def.particles[0] = (pliant_particle){body, 0};
        def.particle_count = def.row_count = 1;
        assert_int_not_equal(pliant_scene_add_user_constraint(w.scene, &def, NULL).id, 0);
        w.model = pliant_scene_compile(w.scene, &error);
        assert_false(pliant_method_takes(w.model, NULL, &error));
        assert_non_null(strstr(error.message, sentences[which]));
        trial_end(&w);
    }
}

/* As a tree it is refused for what it is; by sparse factors it is not, but without these there is no solver. */
static void what_is_no_tree_wants_sparse_factors(void **unused)
{
    (void)unused;
    const uint32_t      ids[4] = {0, 1, 2, 3};
    const pliant_linear before = linear;
    for (int which = 0; which < 4; which++) {
        static const char *const sentences[] = {"between vertices 2 and 0 of body1 closes a cycle", "has a tet_volume"};
        trial                    w;
        pliant_error             error = {PLIANT_OK, 0, "", ""};
        pliant_solver_def        def = pliant_solver_def_default();
        linear = which < 2 ? PLIANT_LINEAR_TREE : PLIANT_LINEAR_AUTO;
        pliant_body body = square(&w);
        linear = before;
        for (uint32_t i = 0; i < 3 && which % 2 == 0; i++) add_distance(&w, body, i, (i + 1) % 3, 1, NULL);
        if (which % 2 == 1) add_link(&w, body, PLIANT_CONSTRAINT_TET_VOLUME, ids, 1.0 / 6, NULL);
        if (which < 2) {
            refuse(&w, sentences[which]);
            continue;
        }
        w.model = pliant_scene_compile(w.scene, &error);
        assert_true(pliant_method_takes(w.model, NULL, &error));
        assert_true(pliant_method_wants_linear(w.model, NULL, &error));
        assert_null(pliant_solver_create(w.model, &def, &error));
        assert_int_equal(error.code, PLIANT_ERROR_UNAVAILABLE);
        assert_non_null(strstr(error.message, sentences[which - 2]));
        assert_non_null(strstr(error.message, "libpliant_cholmod"));
        def.linear = trial_linear();
        if (def.linear) {
            pliant_solver *solver = pliant_solver_create(w.model, &def, &error);
            assert_non_null(solver);
            pliant_solver_destroy(solver);
        }
        trial_end(&w);
    }
}

/* What is refused in a scene is refused in inputs: nothing is done, and it is said why. */
static void inputs_bring_no_damping_and_no_stiffness(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    for (int which = 0; which < 3; which++) {
        trial        w;
        pliant_error error = {PLIANT_OK, 0, "", ""};
        pliant_law   law = rigid();
        pliant_body  body = rod(&w, 10, PLIANT_GRADIENTS_START);
        double       x[3];
        if (which == 0) law.compliance = R(1e-3), law.damping = 1;
        if (which == 1) law.stiffness = R(0.5);
        if (which == 2) law.compliance = R(1e-3);
        assert_int_equal(pliant_inputs_reset(w.inputs, 0.01), PLIANT_OK);
        assert_int_equal(pliant_inputs_law(w.inputs, 0, &law), PLIANT_OK);
        assert_int_equal(pliant_solver_takes(w.solver, w.inputs, &error), which == 2);
        if (which < 2) assert_non_null(strstr(error.message, which ? "no stiffness" : "no damping"));
        assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), which == 2 ? PLIANT_OK : PLIANT_ERROR_ARGUMENT);
        point_of(&w, body, 1, x);
        assert_int_equal(x[1] < -1, which == 2);
        trial_end(&w);
    }
}

/* A cycle through particles that never move is none: a chain between walls, and one with ends that are pinned for ever. */
static void walls_close_no_cycle(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    static const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, inverse[4] = {0, 1, 1, 0};
    trial               w;
    begin(&w, 10, PLIANT_GRADIENTS_START);
    pliant_body body = add_points(&w, 4, x, NULL, inverse, NULL);
    for (uint32_t i = 0; i < 3; i++) add_distance(&w, body, i, i + 1, 1.1, NULL);
    add_distance(&w, body, 0, 3, 3, NULL);
    w.model = pliant_scene_compile(w.scene, NULL);
    pliant_method_def as_it_comes = newton(PLIANT_GRADIENTS_START), as_tree = as_it_comes;
    as_it_comes.linear = PLIANT_LINEAR_AUTO;
    as_tree.linear = PLIANT_LINEAR_TREE;
    assert_true(pliant_method_takes(w.model, &as_tree, NULL));
    assert_false(pliant_method_wants_linear(w.model, &as_it_comes, NULL));
    trial_end(&w);
}

/* ---- determinism ---- */

/* Many trees, among them one of a thousand links, so that there are several tasks. */
static pliant_model *woods(pliant_gradients gradients)
{
    trial      w;
    pliant_law soft = compliant(1e-6);
    uint64_t   seed = 5;
    begin(&w, 10, gradients);
    for (int i = 0; i < 60; i++) {
        tree t;
        grow(&t, seed + (uint64_t)i);
        pliant_body body = add_points(&w, TREE, t.x, t.v, t.w, NULL);
        for (uint32_t k = 1; k < TREE; k++) add_distance(&w, body, k, t.parent[k], t.rest[k], k % 3 ? &soft : NULL);
    }
    static double x[1001][3];
    for (int i = 0; i < 1001; i++) x[i][0] = 0.01 * i;
    pliant_body chain = add_points(&w, 1001, (const double(*)[3])x, NULL, NULL, NULL);
    for (uint32_t i = 0; i < 1000; i++) add_distance(&w, chain, i, i + 1, 0.01, NULL);
    pliant_collider_def floor = plane_def(0.1, 0.3, 0.3, 0);
    floor.pose.position.y = R(-0.002);
    add_collider(&w, &floor);
    pliant_model *m = pliant_scene_compile(w.scene, NULL);
    assert_non_null(m);
    pliant_scene_destroy(w.scene);
    return m;
}

#define LONG_STEP BOUND(0.014, 0.02) /* s: some tree has no solution with gradients of the start */

/* The woods after six steps of `h` seconds, and how many of these fell back. */
static pliant_state *run_woods(const pliant_model *m, double h, uint32_t width, uint32_t threads, bool rebuilt, uint32_t *fell)
{
    pliant_solver_def d = pliant_solver_def_default();
    pliant_state     *state = pliant_state_create(m, NULL);
    pliant_inputs    *in = pliant_inputs_create(m, NULL);
    pliant_solver    *solver = NULL;
    d.width = width;
    d.threads = threads;
    d.linear = trial_linear();
    for (int i = 0; i < 6; i++) {
        if (!solver || rebuilt) {
            pliant_solver_destroy(solver);
            solver = pliant_solver_create(m, &d, NULL);
        }
        pliant_inputs_reset(in, h);
        pliant_inputs_substeps(in, 1, 3);
        assert_int_equal(pliant_solver_step(solver, state, in), PLIANT_OK);
        *fell += pliant_solver_statistics(solver).fallback_substeps;
    }
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(in);
    return state;
}

/* To the bit in linear time; where another library has the factors, to 1e-12 of a metre. */
static void compare_woods(const pliant_model *m, const pliant_state *a, const pliant_state *b)
{
    static pliant_vec3 x[1001], y[1001];
    if (linear == PLIANT_LINEAR_TREE) assert_true(pliant_state_hash(a) == pliant_state_hash(b));
    for (uint32_t i = 0; i < pliant_model_body_count(m); i++) {
        const pliant_body_info body = pliant_model_body_at(m, i);
        assert_int_equal(pliant_state_positions(a, body.body, 0, body.vertex_count, x), PLIANT_OK);
        assert_int_equal(pliant_state_positions(b, body.body, 0, body.vertex_count, y), PLIANT_OK);
        for (uint32_t v = 0; v < body.vertex_count; v++) {
            near((double)x[v].x, (double)y[v].x, BOUND(1e-12, 1e-6));
            near((double)x[v].y, (double)y[v].y, BOUND(1e-12, 1e-6));
            near((double)x[v].z, (double)y[v].z, BOUND(1e-12, 1e-6));
        }
    }
}

static void compare_runs_of_woods(const pliant_model *m, double h, uint32_t fallbacks)
{
    pliant_build_info build = pliant_build();
    uint32_t          fell = 0;
    pliant_state     *one = run_woods(m, h, 1, 1, false, &fell);
    assert_true(fell >= fallbacks);
    for (uint32_t i = 0; i < build.width_count; i++)
        for (uint32_t threads = 1; threads <= 3 && build.runs[i]; threads++) {
            if (threads != 1 + (i + 1 + this_turn()) % 3 && !takes_its_time()) continue; /* each width on another number of threads */
            uint32_t      again = 0;
            pliant_state *other = run_woods(m, h, build.widths[i], threads, threads == 2, &again);
            compare_woods(m, one, other);
            assert_int_equal(again, fell);
            pliant_state_destroy(other);
        }
    pliant_state_destroy(one);
}

static void widths_threads_and_new_solvers_change_nothing(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) {
        pliant_model *m = woods((pliant_gradients)g);
        compare_runs_of_woods(m, 1e-3, 0);
        pliant_model_destroy(m);
    }
}

static void nor_do_they_where_it_falls_back(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    pliant_model *m = woods(PLIANT_GRADIENTS_START);
    compare_runs_of_woods(m, LONG_STEP, 1);
    pliant_model_destroy(m);
}

/* ---- memory ---- */

static void steps_allocate_nothing(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) {
        pliant_model     *m = woods((pliant_gradients)g);
        pliant_solver_def d = pliant_solver_def_default();
        tally             memory;
        d.allocator = tally_allocator(&memory);
        d.linear = trial_linear();
        pliant_state  *state = pliant_state_create(m, NULL);
        pliant_inputs *in = pliant_inputs_create(m, NULL);
        pliant_solver *solver = pliant_solver_create(m, &d, NULL);
        size_t         before = memory.calls;
        uint32_t       fell = 0;
        for (int i = 0; i < 6; i++) {
            pliant_inputs_reset(in, i < 3 ? 1e-3 : LONG_STEP);
            assert_int_equal(pliant_solver_step(solver, state, in), PLIANT_OK);
            fell += pliant_solver_statistics(solver).fallback_substeps;
        }
        assert_true(fell > 0 || g != PLIANT_GRADIENTS_START);
        assert_int_equal(memory.calls, before);
        pliant_solver_destroy(solver);
        pliant_inputs_destroy(in);
        pliant_state_destroy(state);
        pliant_model_destroy(m);
    }
}

/* ---- long chains ---- */

/* Ten thousand links, light and heavy in turn or a heavy end, let go: stretch at the end of each step. */
static void long_chains_keep_their_length(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    enum { LINKS = 10000 };
    static pliant_vec3  x[LINKS + 1];
    static pliant_real  inverse[LINKS + 1];
    static const double odd[] = {1e3, 1e6, 1, 1}, end[] = {1, 1, 1e3, 1e6};
    for (int which = 0; which < 8; which++) {
        trial                w;
        pliant_particles_def def = pliant_particles_def_default();
        begin(&w, 10, which < 4 ? PLIANT_GRADIENTS_START : PLIANT_GRADIENTS_IMPLICIT);
        x[0] = vec(0, 0, 0);
        for (int i = 0; i < LINKS; i++) { /* a half circle of 100 m, or a chain that hangs down */
            double angle = end[which % 4] > 1 ? -TEST_PI / 2 : -TEST_PI * (i + 0.5) / LINKS, step = 100.0 / LINKS;
            x[i + 1] = vec((double)x[i].x + step * cos(angle), (double)x[i].y + step * sin(angle), 0);
            inverse[i + 1] = R(1 / (i + 1 == LINKS ? end[which % 4] : i % 2 ? 1 : odd[which % 4]));
        }
        inverse[0] = 0;
        def.positions = x;
        def.inverse_masses = inverse;
        def.count = LINKS + 1;
        pliant_body body = pliant_scene_add_particles(w.scene, &def, NULL);
        for (uint32_t i = 0; i < LINKS; i++) add_distance(&w, body, i, i + 1, 100.0 / LINKS, NULL);
        trial_compile(&w);
        for (int i = 0; i < 3; i++) {
            trial_run(&w, which < 4 ? 1e-4 : which == 5 ? 5e-4 : 3e-3, 1);
            double left = pliant_solver_kind_statistics(w.solver, PLIANT_CONSTRAINT_DISTANCE).residual_max / (100.0 / LINKS);
            near(left, 0, BOUND(1e-6, 1e-2));
        }
        trial_end(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_goes_where_its_closed_form_says),
        cmocka_unit_test(a_rod_follows_its_prediction),
        cmocka_unit_test(its_force_is_the_one_of_the_near_root),
        cmocka_unit_test(without_a_solution_the_step_says_so),
        cmocka_unit_test(without_a_solution_it_falls_back_to_gradients_at_the_end_and_counts_it),
        cmocka_unit_test(trees_are_solved_to_rounding),
        cmocka_unit_test(trees_agree_with_a_dense_solver),
        cmocka_unit_test(a_swing_goes_on),
        cmocka_unit_test(a_taut_chain_between_walls_rests),
        cmocka_unit_test(attachments_pins_and_idle_links_take_part),
        cmocka_unit_test(contacts_and_grabs_take_turns),
        cmocka_unit_test(what_is_no_equality_is_refused),
        cmocka_unit_test(what_is_no_tree_wants_sparse_factors),
        cmocka_unit_test(inputs_bring_no_damping_and_no_stiffness),
        cmocka_unit_test(walls_close_no_cycle),
        cmocka_unit_test(widths_threads_and_new_solvers_change_nothing),
        cmocka_unit_test(nor_do_they_where_it_falls_back),
        cmocka_unit_test(steps_allocate_nothing),
        cmocka_unit_test(long_chains_keep_their_length),
    };
    int failed = cmocka_run_group_tests_name("trees", tests, NULL, NULL);
    linear = PLIANT_LINEAR_SPARSE;
    return failed + cmocka_run_group_tests_name("sparse", tests, NULL, NULL);
}
