/* The exact constrained step where there is no tree, by sparse factors: nets, cloth, solids, and one of every kind that is an equality. The
 * equations are those of pliant_constraint_eval, put together here; so is the dense reference. */
#include "sample_scenes.h"
#include "trial.h"

#define NEED_LINEAR()                                                   \
    do {                                                                \
        if (!trial_linear()) {                                          \
            print_message("skipped: libpliant_cholmod is not built\n"); \
            skip();                                                     \
            return;                                                     \
        }                                                               \
    } while (0)

enum { MOST_POINTS = 200, MOST_LINKS = 1200, MOST_UNKNOWNS = 300 };

/* ---- problems ---- */

typedef struct edge_link {
    pliant_constraint_kind kind;
    uint32_t               ids[PLIANT_MAX_SLOTS];
    double                 parameter, alpha;
} edge_link;

typedef struct problem {
    const char *name;
    uint32_t    points, links;
    double      x[MOST_POINTS][3], v[MOST_POINTS][3], w[MOST_POINTS];
    edge_link   link[MOST_LINKS];
} problem;

/* C and gradients of a link, with a parameter of its own. */
static void evaluate(const edge_link *e, const double (*x)[3], double parameter, pliant_eval_output *out)
{
    pliant_eval_input in;
    memset(&in, 0, sizeof in);
    in.law = pliant_law_default();
    in.dt = 1;
    for (int i = 0; i < PLIANT_MAX_PARAMETERS; i++) in.parameters[i] = R(parameter);
    if (parameter > 0) solid_parameters(e->kind, parameter, in.parameters); /* as add_link has them */
    for (uint32_t s = 0; s < pliant_constraint_describe(e->kind)->slots; s++)
        for (int c = 0; c < 3; c++) in.x[s][c] = R(x[e->ids[s]][c]);
    assert_int_equal(pliant_constraint_eval(e->kind, &in, out), PLIANT_OK);
}

/* A link with a rest value of `share` times the measured one, and `more`. */
static void add(problem *p, pliant_constraint_kind kind, const uint32_t *ids, double share, double more, double alpha)
{
    edge_link         *e = &p->link[p->links++];
    pliant_eval_output out;
    assert_true(p->links <= MOST_LINKS);
    e->kind = kind;
    memcpy(e->ids, ids, pliant_constraint_describe(kind)->slots * sizeof *ids);
    evaluate(e, (const double(*)[3])p->x, 0, &out);
    e->parameter = share * (double)out.C[0] + more;
    e->alpha = alpha;
}

static void add_edge(problem *p, uint32_t a, uint32_t b, double share, double alpha)
{
    if (p->w[a] == 0 && p->w[b] == 0) return;
    for (uint32_t i = 0; i < p->links; i++) /* each edge once */
        if (p->link[i].kind == PLIANT_CONSTRAINT_DISTANCE &&
            ((p->link[i].ids[0] == a && p->link[i].ids[1] == b) || (p->link[i].ids[0] == b && p->link[i].ids[1] == a)))
            return;
    add(p, PLIANT_CONSTRAINT_DISTANCE, (const uint32_t[]){a, b}, share, 0, alpha);
}

/* A sheet in the plane y = 0 of side 1 that hangs on two corners, a little bumpy. */
static void begin_sheet(problem *p, const char *name, uint32_t side)
{
    uint64_t seed = 3;
    *p = (problem){.name = name, .points = side * side};
    for (uint32_t i = 0; i < p->points; i++) {
        p->x[i][0] = (double)(i % side) / (side - 1);
        p->x[i][2] = (double)(i / side) / (side - 1);
        p->x[i][1] = 0.02 * chance(&seed);
        p->w[i] = i == 0 || i == side - 1 ? 0 : 50 + 100 * chance(&seed);
        for (int c = 0; c < 3; c++) p->v[i][c] = p->w[i] > 0 ? 0.4 * chance(&seed) - 0.2 : 0;
    }
}

/* Rigid meshes of four: cycles, and nothing depends on anything. */
static void make_net(problem *p)
{
    begin_sheet(p, "net", 6);
    for (uint32_t i = 0; i < 36; i++) {
        if (i % 6 < 5) add_edge(p, i, i + 1, 1, 0);
        if (i / 6 < 5) add_edge(p, i, i + 6, 1, i % 4 ? 0 : 1e-6);
    }
}

static void make_cloth(problem *p)
{
    begin_sheet(p, "cloth", 6);
    for (uint32_t i = 0; i < 36; i++) {
        const uint32_t right = i + 1, below = i + 6;
        const bool     r = i % 6 < 5, b = i / 6 < 5;
        if (r) add_edge(p, i, right, 1, 1e-5);
        if (b) add_edge(p, i, below, 1, 1e-5);
        if (r && b) add_edge(p, i, below + 1, 1, 1e-3), add_edge(p, right, below, 1, 1e-3);
        if (r && b) add(p, PLIANT_CONSTRAINT_DIHEDRAL_ANGLE, (const uint32_t[]){i, below + 1, right, below}, 1, 0, 10);
        if (r && b) add(p, PLIANT_CONSTRAINT_TRIANGLE_AREA, (const uint32_t[]){i, right, below + 1}, 1, 0, 1e-4);
    }
}

/* Boxes of five tetrahedra in a row, held at one end. */
static void make_beam(problem *p)
{
    static const uint32_t tets[2][5][4] = {{{0, 1, 3, 4}, {1, 2, 3, 6}, {1, 4, 5, 6}, {3, 4, 6, 7}, {1, 3, 4, 6}},
                                           {{0, 1, 2, 5}, {0, 2, 3, 7}, {0, 4, 5, 7}, {2, 5, 6, 7}, {0, 2, 5, 7}}};
    *p = (problem){.name = "beam", .points = 28};
    for (uint32_t i = 0; i < 28; i++) {
        static const double corner[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
        p->x[i][0] = 0.1 * (i / 4);
        p->x[i][1] = 0.1 * corner[i % 4][0];
        p->x[i][2] = 0.1 * corner[i % 4][1];
        p->w[i] = i < 4 ? 0 : 20;
    }
    for (uint32_t box = 0; box < 6; box++)
        for (uint32_t t = 0; t < 5; t++) {
            uint32_t ids[4];
            for (int k = 0; k < 4; k++) { /* corners 0 to 3 of a box at its near end, 4 to 7 at its far one */
                const uint32_t c = tets[box % 2][t][k];
                ids[k] = 4 * box + c;
            }
            for (int a = 0; a < 4; a++)
                for (int b = a + 1; b < 4; b++) add_edge(p, ids[a], ids[b], 1, 1e-5);
            add(p, PLIANT_CONSTRAINT_TET_VOLUME, ids, 0.9, 0, 1e-11);
        }
}

/* One of every kind, all on each other. */
static void make_kinds(problem *p)
{
    uint64_t seed = 11;
    *p = (problem){.name = "kinds", .points = 8};
    for (uint32_t i = 0; i < 8; i++)
        for (int c = 0; c < 3; c++) {
            p->x[i][c] = (i >> c & 1) + 0.2 * chance(&seed);
            p->v[i][c] = chance(&seed) - 0.5;
            p->w[i] = i ? 0.5 + chance(&seed) : 0;
        }
    memset(p->v[0], 0, sizeof p->v[0]);
    for (int k = 0; k < PLIANT_CONSTRAINT_COUNT; k++) {
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)k);
        if (info->limit != PLIANT_EQUAL) continue;
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t ids[PLIANT_MAX_SLOTS];
            for (uint32_t s = 0; s < info->slots; s++) ids[s] = (i + s * (s + 1) / 2) % 8;
            if (info->flags & PLIANT_ROW_MEASURED)
                add(p, info->kind, ids, 0.95, 0.01, 1e-4);
            else if (info->flags & PLIANT_ROW_SHAPED)
                add(p, info->kind, ids, 0, 0.4, 1e-2);
            else if (i < 2)
                add(p, info->kind, ids, 0, 0, 1e-2);
        }
    }
}

/* All edges of a body of five points and its volumes, rigid: fourteen rows for nine freedoms, and all can be kept. */
static void make_redundant(problem *p)
{
    static const double x[5][3] = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 1, 0.1}, {0.1, 0.2, 0.9}, {-0.6, -0.5, -0.7}};
    *p = (problem){.name = "redundant", .points = 5};
    memcpy(p->x, x, sizeof x);
    for (uint32_t i = 0; i < 5; i++) p->w[i] = 1 + i, p->v[i][1] = 0.1 * i, p->v[i][0] = -0.2;
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t k = 0; k < i; k++) add_edge(p, i, k, 1, 0);
    for (uint32_t i = 0; i < 4; i++) add(p, PLIANT_CONSTRAINT_TET_VOLUME, (const uint32_t[]){4, i, (i + 1) % 4, (i + 2) % 4}, 1, 0, 0);
}

static void (*const makers[])(problem *p) = {make_net, make_cloth, make_beam, make_kinds, make_redundant};
#define MAKERS (sizeof makers / sizeof *makers)

/* ---- steps ---- */

#define G 10.0

static pliant_body build(trial *w, const problem *p, pliant_gradients gradients)
{
    memset(w, 0, sizeof *w);
    w->def = pliant_scene_def_default();
    w->def.gravity = vec(0, -G, 0);
    w->def.substeps = w->def.iterations = 1;
    w->def.method.method = PLIANT_METHOD_NEWTON;
    w->def.method.gradients = gradients;
    trial_begin_def(w);
    pliant_body body = add_points(w, p->points, p->x, p->v, p->w, NULL);
    for (uint32_t i = 0; i < p->links; i++) {
        pliant_law law = compliant(p->link[i].alpha);
        add_link(w, body, p->link[i].kind, p->link[i].ids, p->link[i].parameter, &law);
    }
    trial_compile(w);
    return body;
}

static void predict(const problem *p, double h, double (*x)[3])
{
    for (uint32_t i = 0; i < p->points; i++)
        for (int c = 0; c < 3; c++) x[i][c] = p->x[i][c] + (p->w[i] > 0 ? h * (p->v[i][c] - (c == 1 ? G * h : 0)) : 0);
}

/* Takes positions and velocities of now over into the problem. */
static void look(const trial *w, pliant_body body, problem *p)
{
    for (uint32_t i = 0; i < p->points; i++) {
        point_of(w, body, i, p->x[i]);
        speed_of(w, body, i, p->v[i]);
    }
}

/* What the definition says, with the library's multipliers: C + alpha~ lambda = 0, and x = x~ + M^-1 J^T lambda with J where it is to be. */
static void check_equations(const trial *w, const problem *before, const problem *after, pliant_gradients gradients, double h)
{
    static double predicted[MOST_POINTS][3], sum[MOST_POINTS][3];
    const double(*at)[3] = gradients == PLIANT_GRADIENTS_START       ? before->x
                           : gradients == PLIANT_GRADIENTS_PREDICTED ? (const double(*)[3])predicted
                                                                     : after->x;
    double most = 0, moved = 0;
    predict(before, h, predicted);
    memset(sum, 0, sizeof sum);
    for (uint32_t i = 0; i < before->links; i++) {
        const edge_link              *e = &before->link[i];
        const pliant_constraint_info *info = pliant_constraint_describe(e->kind);
        pliant_eval_output            now, then;
        pliant_real                   force[PLIANT_MAX_ROWS];
        evaluate(e, after->x, e->parameter, &now);
        evaluate(e, at, e->parameter, &then);
        assert_int_equal(pliant_solver_force(w->solver, (pliant_constraint){i + 1}, force), info->rows);
        for (uint32_t r = 0; r < info->rows; r++) {
            const double lambda = (double)force[r] * h * h, unit = info->flags & PLIANT_ROW_MEASURED && e->parameter > 0 ? e->parameter : 1;
            most = fmax(most, fabs((double)now.C[r] + e->alpha / (h * h) * lambda) / unit);
            for (uint32_t s = 0; s < info->slots; s++)
                for (int c = 0; c < 3; c++) sum[e->ids[s]][c] += lambda * (double)then.gradient[r][s][c];
        }
    }
    for (uint32_t i = 0; i < before->points; i++)
        for (int c = 0; c < 3; c++) moved = fmax(moved, fabs(after->x[i][c] - predicted[i][c] - before->w[i] * sum[i][c]));
    print_message("%s, gradients %d: %.2g of C, %.2g m of x\n", before->name, (int)gradients, most, moved);
    near(most, 0, BOUND(2e-12, 2e-3));
    near(moved, 0, BOUND(1e-12, 2e-4));
}

static void both_equations_hold(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    for (size_t m = 0; m < MAKERS; m++)
        for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) {
            static problem before, after;
            const double   h = 2e-3;
            trial          w;
            makers[m](&before);
            pliant_body body = build(&w, &before, (pliant_gradients)g);
            for (int step = 0; step < 3; step++) {
                after = before;
                trial_run(&w, h, 1);
                look(&w, body, &after);
                check_equations(&w, &before, &after, (pliant_gradients)g, h);
                if (g == PLIANT_GRADIENTS_IMPLICIT) near(pliant_solver_statistics(w.solver).primal_residual, 0, BOUND(1e-12, 1e-3));
                before = after;
            }
            trial_end(&w);
        }
}

static bool count_steps(const pliant_progress *p, void *context)
{
    *(uint32_t *)context = p->iteration;
    return true;
}

/* With the whole derivative Newton's steps halve the digits that are missing; a wrong one would get there too, but slowly. */
static void few_steps_are_enough(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    static const uint32_t enough[MAKERS][PLIANT_GRADIENTS_IMPLICIT + 1] = {{6, 6, 6}, {6, 6, 6}, {6, 6, 6}, {6, 6, 6}, {8, 8, 8}};
    for (size_t m = 0; m < MAKERS; m++)
        for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) {
            static problem    p;
            trial             w;
            uint32_t          steps = 0;
            pliant_solver_def def = pliant_solver_def_default();
            def.linear = trial_linear();
            def.trace = count_steps;
            def.trace_context = &steps;
            makers[m](&p);
            for (uint32_t i = 0; i < p.points; i++)
                for (int c = 0; c < 3; c++) p.v[i][c] *= 3;
            build(&w, &p, (pliant_gradients)g);
            pliant_solver_destroy(w.solver);
            w.solver = pliant_solver_create(w.model, &def, NULL);
            trial_run(&w, 4e-3, 1);
            print_message("%s, gradients %d: %u steps\n", p.name, g, steps);
            assert_true(steps <= enough[m][g]);
            trial_end(&w);
        }
}

/* Rows that depend on others could share any force that cancels; they share none. */
static void redundant_rows_bear_no_more_than_they_must(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) {
        static problem p;
        const double   h = 2e-2;
        double         most = 0;
        trial          w;
        make_redundant(&p);
        build(&w, &p, (pliant_gradients)g);
        for (int step = 0; step < 3; step++) trial_run(&w, h, 1);
        for (uint32_t i = 0; i < p.links; i++) {
            pliant_real force[PLIANT_MAX_ROWS];
            assert_int_equal(pliant_solver_force(w.solver, (pliant_constraint){i + 1}, force), 1);
            most = fmax(most, fabs((double)force[0]));
        }
        print_message("gradients %d: %g N at the most\n", g, most);
        assert_true(most < 1e-2);
        trial_end(&w);
    }
}

/* ---- a dense reference ---- */

static double A[MOST_UNKNOWNS][MOST_UNKNOWNS], b[MOST_UNKNOWNS];

/* Gauss with the largest pivot of each column. */
static void solve_dense(uint32_t n)
{
    for (uint32_t c = 0; c < n; c++) {
        uint32_t best = c;
        for (uint32_t r = c; r < n; r++)
            if (fabs(A[r][c]) > fabs(A[best][c])) best = r;
        for (uint32_t k = 0; k < n; k++) {
            const double swap = A[c][k];
            A[c][k] = A[best][k], A[best][k] = swap;
        }
        const double swap = b[c];
        b[c] = b[best], b[best] = swap;
        for (uint32_t r = c + 1; r < n; r++) {
            const double by = A[r][c] / A[c][c];
            for (uint32_t k = c; k < n && by != 0; k++) A[r][k] -= by * A[c][k];
            b[r] -= by * b[c];
        }
    }
    for (uint32_t r = n; r-- > 0;) {
        for (uint32_t k = r + 1; k < n; k++) b[r] -= A[r][k] * b[k];
        b[r] /= A[r][r];
    }
}

/* The force on all points where all springs are as long as at x; and, negated, the force of inertia. */
static void forces(const problem *p, double h, const double (*predicted)[3], const double (*x)[3], double *out)
{
    for (uint32_t i = 0; i < p->points; i++)
        for (uint32_t c = 0; c < 3; c++) out[3 * i + c] = p->w[i] > 0 ? -(x[i][c] - predicted[i][c]) / p->w[i] : 0;
    for (uint32_t i = 0; i < p->links; i++) {
        const edge_link              *e = &p->link[i];
        const pliant_constraint_info *info = pliant_constraint_describe(e->kind);
        pliant_eval_output            o;
        evaluate(e, x, e->parameter, &o);
        for (uint32_t r = 0; r < info->rows; r++)
            for (uint32_t s = 0; s < info->slots; s++)
                for (uint32_t c = 0; c < 3; c++)
                    if (p->w[e->ids[s]] > 0) out[3 * e->ids[s] + c] -= (double)o.C[r] * h * h / e->alpha * (double)o.gradient[r][s][c];
    }
}

/* Implicit Euler of springs, all compliant: Newton on the positions alone, with the derivative of the forces by differences. */
static void step_dense(const problem *p, double h, double (*x)[3])
{
    static double predicted[MOST_POINTS][3], force[MOST_UNKNOWNS], moved[MOST_UNKNOWNS];
    const double(*fixed)[3] = (const double(*)[3])x;
    const uint32_t n = 3 * p->points;
    predict(p, h, predicted);
    memcpy(x, predicted, sizeof predicted);
    for (int iteration = 0; iteration < 30; iteration++) {
        forces(p, h, (const double(*)[3])predicted, fixed, force);
        for (uint32_t i = 0; i < n; i++) {
            const double d = 1e-6;
            x[i / 3][i % 3] += d;
            forces(p, h, (const double(*)[3])predicted, fixed, moved);
            x[i / 3][i % 3] -= 2 * d;
            forces(p, h, (const double(*)[3])predicted, fixed, b);
            x[i / 3][i % 3] += d;
            for (uint32_t k = 0; k < n; k++) A[k][i] = p->w[i / 3] > 0 && p->w[k / 3] > 0 ? -(moved[k] - b[k]) / (2 * d) : i == k;
        }
        memcpy(b, force, n * sizeof *b);
        solve_dense(n);
        for (uint32_t i = 0; i < n; i++)
            if (p->w[i / 3] > 0) x[i / 3][i % 3] += b[i];
    }
}

/* With fixed gradients: Newton on the multipliers. */
static void step_dense_fixed(const problem *p, double h, bool at_start, double (*x)[3])
{
    static double predicted[MOST_POINTS][3], lambda[MOST_UNKNOWNS];
    static struct row {
        uint32_t link, row;
        double   g[PLIANT_MAX_SLOTS][3], now[PLIANT_MAX_SLOTS][3], C;
    } rows[MOST_UNKNOWNS];
    uint32_t n = 0;
    predict(p, h, predicted);
    memcpy(x, predicted, sizeof predicted);
    memset(lambda, 0, sizeof lambda);
    for (int iteration = 0; iteration < 40; iteration++) {
        n = 0;
        for (uint32_t i = 0; i < p->links; i++) {
            const edge_link              *e = &p->link[i];
            const pliant_constraint_info *info = pliant_constraint_describe(e->kind);
            pliant_eval_output            o, first;
            evaluate(e, (const double(*)[3])x, e->parameter, &o);
            evaluate(e, at_start ? p->x : (const double(*)[3])predicted, e->parameter, &first);
            for (uint32_t r = 0; r < info->rows; r++, n++) {
                assert_true(n < MOST_UNKNOWNS);
                memset(&rows[n], 0, sizeof rows[n]);
                rows[n].link = i;
                rows[n].C = (double)o.C[r];
                for (uint32_t s = 0; s < info->slots; s++)
                    for (int c = 0; c < 3; c++)
                        rows[n].g[s][c] = (double)first.gradient[r][s][c], rows[n].now[s][c] = (double)o.gradient[r][s][c];
            }
        }
        for (uint32_t i = 0; i < n; i++) {
            const edge_link *e = &p->link[rows[i].link];
            for (uint32_t k = 0; k < n; k++) {
                const edge_link *f = &p->link[rows[k].link];
                A[i][k] = i == k ? e->alpha / (h * h) : 0;
                for (uint32_t s = 0; s < pliant_constraint_describe(e->kind)->slots; s++)
                    for (uint32_t t = 0; t < pliant_constraint_describe(f->kind)->slots; t++)
                        if (e->ids[s] == f->ids[t]) A[i][k] += p->w[e->ids[s]] * dot3(rows[i].now[s], rows[k].g[t]);
            }
            b[i] = -(rows[i].C + e->alpha / (h * h) * lambda[i]);
        }
        solve_dense(n);
        memcpy(x, predicted, sizeof predicted);
        for (uint32_t i = 0; i < n; i++) {
            const edge_link *e = &p->link[rows[i].link];
            lambda[i] += b[i];
            for (uint32_t s = 0; s < pliant_constraint_describe(e->kind)->slots; s++)
                for (int c = 0; c < 3; c++) x[e->ids[s]][c] += p->w[e->ids[s]] * rows[i].g[s][c] * lambda[i];
        }
    }
}

static void compliant_steps_agree_with_a_dense_solver(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    for (size_t m = 1; m < 4; m++)
        for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) {
            static problem p;
            static double  x[MOST_POINTS][3];
            const double   h = 2e-3;
            double         most = 0, at[3];
            trial          w;
            makers[m](&p);
            pliant_body body = build(&w, &p, (pliant_gradients)g);
            if (g == PLIANT_GRADIENTS_IMPLICIT)
                step_dense(&p, h, x);
            else
                step_dense_fixed(&p, h, g == PLIANT_GRADIENTS_START, x);
            trial_run(&w, h, 1);
            for (uint32_t i = 0; i < p.points; i++) {
                point_of(&w, body, i, at);
                for (int c = 0; c < 3; c++) most = fmax(most, fabs(at[c] - x[i][c]));
            }
            print_message("%s, gradients %d: %.2g m apart\n", p.name, g, most);
            near(most, 0, BOUND(1e-12, 1e-4));
            trial_end(&w);
        }
}

/* ---- what it is not to be mistaken for ---- */

/* Two links that are rigid and too short to meet, and a third: no positions. Another body in the same scene goes on. */
static void without_a_solution_only_its_island_stops(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) {
        static const double x[3][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 0.8, 0}};
        static const double rest[2][3] = {{1, 1, 3}, {1, 1, 1}};
        trial               w;
        pliant_body         body[2];
        double              a[3];
        memset(&w, 0, sizeof w);
        w.def = pliant_scene_def_default();
        w.def.gravity = vec(0, -G, 0);
        w.def.substeps = w.def.iterations = 1;
        w.def.method.method = PLIANT_METHOD_NEWTON;
        w.def.method.gradients = (pliant_gradients)g;
        trial_begin_def(&w);
        for (int k = 0; k < 2; k++) {
            body[k] = add_points(&w, 3, x, NULL, NULL, NULL);
            for (uint32_t i = 0; i < 3; i++) add_distance(&w, body[k], i, (i + 1) % 3, rest[k][i], NULL);
        }
        trial_compile(&w);
        assert_int_equal(pliant_inputs_reset(w.inputs, 0.01), PLIANT_OK);
        assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_ERROR_DIVERGED);
        pliant_divergence d = pliant_solver_divergence(w.solver);
        assert_true(d.unsolved && d.particle.body.id == body[0].id);
        double sides[2][3][3];
        for (uint32_t k = 0; k < 2; k++)
            for (uint32_t i = 0; i < 3; i++) {
                point_of(&w, body[k], i, a);
                memcpy(sides[k][i], a, sizeof a);
                for (int c = 0; c < 3 && k == 0; c++) near(a[c], x[i][c], BOUND(1e-15, 1e-7));
            }
        for (uint32_t i = 0; i < 3; i++) {
            for (int c = 0; c < 3; c++) a[c] = sides[1][i][c] - sides[1][(i + 1) % 3][c];
            near(length3(a), 1, BOUND(1e-13, 1e-6));
        }
        trial_end(&w);
    }
}

/* Gradients at the end are those of the nearest point, and no other: a sheet that is pressed together leaves its plane, as a saddle would not. */
static void it_is_the_nearest_point_and_no_saddle(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    static problem p;
    const double   h = 1.0 / 60;
    trial          w;
    double         energy[2] = {0, 0}, at[3];
    /* A straight chain of rigid links between two walls that come nearer: in line it is compressed, which no force can hold. */
    for (int bumpy = 0; bumpy < 2; bumpy++) {
        p = (problem){.name = "arch", .points = 11};
        for (uint32_t i = 0; i < 11; i++) {
            p.x[i][0] = 0.1 * i;
            p.x[i][1] = bumpy ? 0.02 * (double)(i * (10 - i)) / 25 : 1e-7 * (double)(i * (10 - i)) / 25;
            p.w[i] = i % 10 ? 1 : 0;
            p.v[i][0] = i % 10 ? (0.5 - 0.1 * i) * 4 : 0;
        }
        for (uint32_t i = 0; i < 10; i++) add(&p, PLIANT_CONSTRAINT_DISTANCE, (const uint32_t[]){i, i + 1}, 0, 0.101, 1e-9);
        add(&p, PLIANT_CONSTRAINT_DISTANCE, (const uint32_t[]){4, 6}, 1, 0, 1); /* a cycle, and hardly a force */
        pliant_body body = build(&w, &p, PLIANT_GRADIENTS_IMPLICIT);
        trial_run(&w, h, 1);
        static double predicted[MOST_POINTS][3];
        predict(&p, h, predicted);
        for (uint32_t i = 0; i < 11; i++) {
            point_of(&w, body, i, at);
            for (int c = 0; c < 3; c++)
                energy[bumpy] += p.w[i] > 0 ? (at[c] - predicted[i][c]) * (at[c] - predicted[i][c]) / (2 * p.w[i]) : 0;
        }
        near(pliant_solver_kind_statistics(w.solver, PLIANT_CONSTRAINT_DISTANCE).residual_max, 0, BOUND(1e-13, 1e-5));
        near(pliant_solver_statistics(w.solver).primal_residual, 0, BOUND(1e-10, 1e-2));
        trial_end(&w);
    }
    print_message("energies %g and %g\n", energy[0], energy[1]);
    assert_true(energy[0] < 0.1 && energy[1] < 0.1);
}

/* ---- determinism and memory ---- */

static pliant_model *scene_of_all(pliant_gradients gradients)
{
    static problem p;
    trial          w;
    memset(&w, 0, sizeof w);
    w.def = pliant_scene_def_default();
    w.def.method.method = PLIANT_METHOD_NEWTON;
    w.def.method.gradients = gradients;
    trial_begin_def(&w);
    for (size_t m = 0; m < MAKERS; m++) {
        makers[m](&p);
        pliant_body body = add_points(&w, p.points, p.x, p.v, p.w, NULL);
        for (uint32_t i = 0; i < p.links; i++) {
            pliant_law law = compliant(p.link[i].alpha);
            add_link(&w, body, p.link[i].kind, p.link[i].ids, p.link[i].parameter, &law);
        }
    }
    pliant_model *model = pliant_scene_compile(w.scene, NULL);
    assert_non_null(model);
    pliant_scene_destroy(w.scene);
    return model;
}

static void run_all(const pliant_model *m, uint32_t width, uint32_t threads, bool rebuilt, double (*out)[3])
{
    pliant_solver_def d = pliant_solver_def_default();
    pliant_state     *state = pliant_state_create(m, NULL);
    pliant_inputs    *in = pliant_inputs_create(m, NULL);
    pliant_solver    *solver = NULL;
    uint32_t          count = 0;
    d.width = width;
    d.threads = threads;
    d.linear = trial_linear();
    for (int i = 0; i < 4; i++) {
        if (!solver || rebuilt) {
            pliant_solver_destroy(solver);
            solver = pliant_solver_create(m, &d, NULL);
        }
        pliant_inputs_reset(in, 2e-3);
        pliant_inputs_substeps(in, 1, 1);
        assert_int_equal(pliant_solver_step(solver, state, in), PLIANT_OK);
    }
    for (uint32_t i = 0; i < pliant_model_body_count(m); i++) {
        const pliant_body_info body = pliant_model_body_at(m, i);
        pliant_vec3            x[MOST_POINTS];
        assert_int_equal(pliant_state_positions(state, body.body, 0, body.vertex_count, x), PLIANT_OK);
        for (uint32_t v = 0; v < body.vertex_count; v++, count++)
            out[count][0] = (double)x[v].x, out[count][1] = (double)x[v].y, out[count][2] = (double)x[v].z;
    }
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(in);
    pliant_state_destroy(state);
}

static void widths_threads_and_new_solvers_change_nothing(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    static double     one[MAKERS * MOST_POINTS][3], other[MAKERS * MOST_POINTS][3];
    pliant_build_info build_info = pliant_build();
    for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) {
        pliant_model *m = scene_of_all((pliant_gradients)g);
        memset(one, 0, sizeof one);
        memset(other, 0, sizeof other);
        run_all(m, 1, 1, false, one);
        for (uint32_t i = 0; i < build_info.width_count; i++)
            for (uint32_t threads = 1; threads <= 3 && build_info.runs[i]; threads++) {
                run_all(m, build_info.widths[i], threads, threads == 2, other);
                for (size_t v = 0; v < sizeof one / sizeof *one; v++)
                    for (int c = 0; c < 3; c++) near(other[v][c], one[v][c], BOUND(1e-12, 1e-6));
            }
        pliant_model_destroy(m);
    }
}

static void steps_allocate_nothing_of_their_own(void **unused)
{
    (void)unused;
    NEED_LINEAR();
    for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) {
        pliant_model     *m = scene_of_all((pliant_gradients)g);
        pliant_solver_def d = pliant_solver_def_default();
        tally             memory;
        d.allocator = tally_allocator(&memory);
        d.linear = trial_linear();
        pliant_state  *state = pliant_state_create(m, NULL);
        pliant_inputs *in = pliant_inputs_create(m, NULL);
        pliant_solver *solver = pliant_solver_create(m, &d, NULL);
        const size_t   before = memory.calls;
        for (int i = 0; i < 3; i++) {
            pliant_inputs_reset(in, 2e-3);
            assert_int_equal(pliant_solver_step(solver, state, in), PLIANT_OK);
        }
        assert_int_equal(memory.calls, before);
        pliant_solver_destroy(solver);
        pliant_inputs_destroy(in);
        pliant_state_destroy(state);
        pliant_model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_equations_hold),
        cmocka_unit_test(few_steps_are_enough),
        cmocka_unit_test(redundant_rows_bear_no_more_than_they_must),
        cmocka_unit_test(compliant_steps_agree_with_a_dense_solver),
        cmocka_unit_test(without_a_solution_only_its_island_stops),
        cmocka_unit_test(it_is_the_nearest_point_and_no_saddle),
        cmocka_unit_test(widths_threads_and_new_solvers_change_nothing),
        cmocka_unit_test(steps_allocate_nothing_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
