/* The law: a soft body is as stiff as its Young's modulus and Poisson's ratio say, whatever its mesh.
 *
 * A bar's small displacements are solved for exactly from the rows of the draft: the stiffness of a row is gradient times gradient over
 * compliance, and conjugate gradients in double make the forces balance. One end's faces are held and the others moved, along the bar only. */
#include "scene/draft.h"
#include "trial.h"

typedef struct bar {
    pliant_scene *scene;
    uint32_t      count, rows;
    double       *x, *u, *r, *p, *q, *force;
    double       *gradient; /* 12 per row */
    double       *stiffness;
    bool         *held; /* per coordinate */
} bar;

static void *zeros(size_t count, size_t size)
{
    void *p = calloc(count, size);
    assert_non_null(p);
    return p;
}

static void take_rows(bar *b)
{
    const pliant_scene *s = b->scene;
    for (uint32_t c = 0; c < b->rows; c++) {
        const pliant__draft_constraint *d = &s->constraints.data[c];
        pliant_eval_input               in;
        pliant_eval_output              out;
        memset(&in, 0, sizeof in);
        memset(&out, 0, sizeof out);
        const uint32_t slots = pliant_constraint_describe((pliant_constraint_kind)d->kind)->slots;
        for (uint32_t k = 0; k < slots; k++) {
            for (int a = 0; a < 3; a++) in.x[k][a] = in.start[k][a] = R(b->x[3 * d->particles[k] + (uint32_t)a]);
            in.w[k] = 1;
        }
        in.dt = 1;
        in.law = pliant_law_default();
        pliant_constraint_eval((pliant_constraint_kind)d->kind, &in, &out);
        for (uint32_t k = 0; k < slots; k++)
            for (int a = 0; a < 3; a++) b->gradient[12 * c + 3 * k + (uint32_t)a] = (double)out.gradient[0][k][a];
        b->stiffness[c] = 1 / (double)s->laws.data[d->law].law.compliance;
    }
}

static bar bar_of(pliant_scene *scene)
{
    bar b = {.scene = scene, .count = (uint32_t)scene->particles.count, .rows = (uint32_t)scene->constraints.count};
    double **const vectors[6] = {&b.x, &b.u, &b.r, &b.p, &b.q, &b.force};
    for (int i = 0; i < 6; i++) *vectors[i] = zeros(3 * b.count, sizeof(double));
    b.gradient = zeros(12 * (size_t)b.rows, sizeof(double));
    b.stiffness = zeros(b.rows, sizeof(double));
    b.held = zeros(3 * b.count, sizeof(bool));
    for (uint32_t i = 0; i < b.count; i++) {
        const pliant_vec3 x = scene->particles.data[i].x;
        const double      at[3] = {(double)x.x, (double)x.y, (double)x.z};
        for (int a = 0; a < 3; a++) b.x[3 * i + (uint32_t)a] = at[a];
    }
    take_rows(&b);
    return b;
}

static void bar_end(bar *b)
{
    double *const vectors[8] = {b->x, b->u, b->r, b->p, b->q, b->force, b->gradient, b->stiffness};
    for (int i = 0; i < 8; i++) free(vectors[i]);
    free(b->held);
    pliant_scene_destroy(b->scene);
}

/* out = K u */
static void multiply(const bar *b, const double *u, double *out)
{
    memset(out, 0, 3 * b->count * sizeof *out);
    for (uint32_t c = 0; c < b->rows; c++) {
        const pliant__draft_constraint *d = &b->scene->constraints.data[c];
        const double                   *g = b->gradient + 12 * c;
        double                          sum = 0;
        for (uint32_t k = 0; k < 4 && d->particles[k] != PLIANT__NONE; k++)
            for (uint32_t a = 0; a < 3; a++) sum += g[3 * k + a] * u[3 * d->particles[k] + a];
        for (uint32_t k = 0; k < 4 && d->particles[k] != PLIANT__NONE; k++)
            for (uint32_t a = 0; a < 3; a++) out[3 * d->particles[k] + a] += b->stiffness[c] * sum * g[3 * k + a];
    }
}

static double dot(const bar *b, const double *p, const double *q)
{
    double sum = 0;
    for (uint32_t i = 0; i < 3 * b->count; i++) sum += p[i] * q[i];
    return sum;
}

/* Held coordinates of `u` are given; the others become what `force` bends them to (Hestenes and Stiefel 1952). */
static void balance(bar *b)
{
    const uint32_t n = 3 * b->count;
    multiply(b, b->u, b->q);
    for (uint32_t i = 0; i < n; i++) b->p[i] = b->r[i] = b->held[i] ? 0 : b->force[i] - b->q[i];
    const double first = dot(b, b->r, b->r);
    double       square = first;
    for (uint32_t step = 0; step < 20000 && square > 1e-16 * first; step++) {
        multiply(b, b->p, b->q);
        for (uint32_t i = 0; i < n; i++)
            if (b->held[i]) b->q[i] = 0;
        const double by = square / dot(b, b->p, b->q), before = square;
        for (uint32_t i = 0; i < n; i++) {
            b->u[i] += by * b->p[i];
            b->r[i] -= by * b->q[i];
        }
        square = dot(b, b->r, b->r);
        for (uint32_t i = 0; i < n; i++) b->p[i] = b->r[i] + square / before * b->p[i];
    }
    assert_true(square <= 1e-16 * first);
}

static void extent(const bar *b, int axis, double *low, double *high)
{
    *low = DBL_MAX;
    *high = -DBL_MAX;
    for (uint32_t i = 0; i < b->count; i++) {
        const double x = b->x[3 * i + (uint32_t)axis];
        *low = x < *low ? x : *low;
        *high = x > *high ? x : *high;
    }
}

/* Stretches the bar by `strain` along an axis: its Young's modulus, and Poisson's ratio across, from the mean of how points move with where they are. */
static void pull(bar *b, int axis, double *young, double ratio[2])
{
    double low[3], high[3], strain = 1e-3, load = 0, area = 1;
    for (int a = 0; a < 3; a++) extent(b, a, &low[a], &high[a]);
    const double length = high[axis] - low[axis];
    memset(b->u, 0, 3 * b->count * sizeof *b->u);
    memset(b->held, 0, 3 * b->count * sizeof *b->held);
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t at = 3 * i + (uint32_t)axis;
        const bool     first = b->x[at] < low[axis] + 1e-5 * length, last = b->x[at] > high[axis] - 1e-5 * length;
        b->held[at] = first || last;
        b->u[at] = last ? strain * length : 0;
    }
    balance(b);
    multiply(b, b->u, b->q);
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t at = 3 * i + (uint32_t)axis;
        if (b->held[at] && b->u[at] > 0) load += b->q[at];
    }
    for (int side = 0; side < 2; side++) {
        const uint32_t a = (uint32_t)((axis + 1 + side) % 3);
        double         xx = 0, xu = 0, mean[2] = {0, 0};
        for (uint32_t i = 0; i < b->count; i++) mean[0] += b->x[3 * i + a] / b->count, mean[1] += b->u[3 * i + a] / b->count;
        for (uint32_t i = 0; i < b->count; i++) {
            xx += (b->x[3 * i + a] - mean[0]) * (b->x[3 * i + a] - mean[0]);
            xu += (b->x[3 * i + a] - mean[0]) * (b->u[3 * i + a] - mean[1]);
        }
        ratio[side] = -xu / xx / strain;
        area *= high[a] - low[a];
    }
    *young = load / area / strain;
}

static bar lattice(const uint32_t cells[3], double a, double b, double c, double young, double poisson)
{
    pliant_scene   *scene = pliant_scene_create(NULL, NULL);
    pliant_soft_def def = pliant_soft_def_default();
    memcpy(def.cells, cells, sizeof def.cells);
    def.extent = vec(a * cells[0], b * cells[1], c * cells[2]);
    def.material.young = R(young);
    def.material.poisson = R(poisson);
    assert_int_not_equal(pliant_scene_add_soft(scene, &def, NULL).id, 0);
    return bar_of(scene);
}

static void a_lattice_has_the_modulus_and_ratio_that_it_was_given(void **state)
{
    (void)state;
    static const struct {
        uint32_t cells[3];
        double   cell[3];
    } bodies[] = {{{1, 1, 1}, {1, 1, 1}}, {{2, 2, 2}, {1, 1, 1}}, {{2, 2, 4}, {1, 1, 1}}, {{3, 3, 6}, {1, 1, 1}},   {{4, 4, 8}, {1, 1, 1}},
                  {{5, 4, 3}, {1, 1, 1}}, {{8, 8, 8}, {1, 1, 1}}, {{3, 4, 5}, {1, 1.2, 0.9}}, {{6, 6, 6}, {1, 1.3, 1.1}}};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (int axis = 0; axis < 3; axis++)
            for (int k = 0; k < 3; k++) {
                const double nu[3] = {0.3, 0.4, 0.49};
                bar          b = lattice(bodies[i].cells, bodies[i].cell[0] * .1, bodies[i].cell[1] * .1, bodies[i].cell[2] * .1, 1e5, nu[k]);
                double       young, ratio[2];
                pull(&b, axis, &young, ratio);
                bar_end(&b);
                printf("%u %u %u cell %g %g %g axis %d nu %g: E %.3f nu %.3f %.3f\n", bodies[i].cells[0], bodies[i].cells[1],
                       bodies[i].cells[2], bodies[i].cell[0], bodies[i].cell[1], bodies[i].cell[2], axis, nu[k], young / 1e5, ratio[0],
                       ratio[1]);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_lattice_has_the_modulus_and_ratio_that_it_was_given)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
