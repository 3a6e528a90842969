#include "statics.h"

void *statics_zeros(size_t count, size_t size)
{
    void *p = calloc(count, size);
    assert_non_null(p);
    return p;
}

/* One row, which is stiff along each axis at rest. */
static bool is_shaped(const pliant__draft_constraint *d)
{
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)d->kind);
    return info->flags & PLIANT_ROW_SHAPED && info->rows == 1;
}

static void take_rows(statics *b)
{
    const pliant_scene *s = b->scene;
    for (uint32_t row = 0, c = 0; c < (uint32_t)s->constraints.count; c++) {
        const pliant__draft_constraint *d = &s->constraints.data[c];
        pliant_eval_input               in;
        pliant_eval_output              out;
        memset(&in, 0, sizeof in);
        memset(&out, 0, sizeof out);
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)d->kind);
        const uint32_t                slots = info->slots;
        for (uint32_t k = 0; k < slots; k++) {
            for (int a = 0; a < 3; a++) in.x[k][a] = in.start[k][a] = R(b->x[3 * d->particles[k] + (uint32_t)a]);
            in.w[k] = 1;
        }
        in.dt = 1;
        in.law = s->laws.data[d->law].law;
        for (uint32_t k = 0; info->rows > 1 && k < info->parameter_count; k++) in.parameters[k] = pliant__draft_parameters(s, d)[k];
        pliant_constraint_eval((pliant_constraint_kind)d->kind, &in, &out);
        for (uint32_t r = 0; r < info->rows; r++, row++) {
            double *g = b->gradient + 12 * row;
            for (uint32_t k = 0; k < slots; k++)
                for (int a = 0; a < 3; a++) g[3 * k + (uint32_t)a] = (double)out.gradient[r][k][a];
            for (uint32_t k = 1; is_shaped(d) && k < slots; k++) {
                g[3 * k] = (double)d->parameters[k - 1];
                g[0] -= (double)d->parameters[k - 1];
            }
            b->stiffness[row] = 1 / (double)in.law.compliance;
            b->constraint[row] = c;
        }
    }
}

statics statics_of(pliant_scene *scene)
{
    statics        b = {.scene = scene, .count = (uint32_t)scene->particles.count};
    double **const vectors[6] = {&b.x, &b.u, &b.r, &b.p, &b.q, &b.force};
    for (int i = 0; i < 6; i++) *vectors[i] = statics_zeros(3 * b.count, sizeof(double));
    for (size_t c = 0; c < scene->constraints.count; c++)
        b.rows += pliant_constraint_describe((pliant_constraint_kind)scene->constraints.data[c].kind)->rows;
    b.constraint = statics_zeros(b.rows, sizeof *b.constraint);
    b.gradient = statics_zeros(12 * (size_t)b.rows, sizeof(double));
    b.stiffness = statics_zeros(b.rows, sizeof(double));
    b.held = statics_zeros(3 * b.count, sizeof(bool));
    for (uint32_t i = 0; i < b.count; i++) {
        const pliant_vec3 x = scene->particles.data[i].x;
        const double      at[3] = {(double)x.x, (double)x.y, (double)x.z};
        for (int a = 0; a < 3; a++) b.x[3 * i + (uint32_t)a] = at[a];
    }
    take_rows(&b);
    return b;
}

void statics_end(statics *b)
{
    double *const vectors[8] = {b->x, b->u, b->r, b->p, b->q, b->force, b->gradient, b->stiffness};
    for (int i = 0; i < 8; i++) free(vectors[i]);
    free(b->held);
    free(b->constraint);
    pliant_scene_destroy(b->scene);
}

/* out = K u */
void statics_multiply(const statics *b, const double *u, double *out)
{
    memset(out, 0, 3 * b->count * sizeof *out);
    for (uint32_t c = 0; c < b->rows; c++) {
        const pliant__draft_constraint *d = &b->scene->constraints.data[b->constraint[c]];
        const double                   *g = b->gradient + 12 * c;
        const bool                      shaped = is_shaped(d);
        double                          sum[3] = {0};
        for (uint32_t k = 0; k < 4 && d->particles[k] != PLIANT__NONE; k++)
            for (uint32_t a = 0; a < 3; a++) sum[shaped ? a : 0] += g[3 * k + (shaped ? 0 : a)] * u[3 * d->particles[k] + a];
        for (uint32_t k = 0; k < 4 && d->particles[k] != PLIANT__NONE; k++)
            for (uint32_t a = 0; a < 3; a++)
                out[3 * d->particles[k] + a] += b->stiffness[c] * sum[shaped ? a : 0] * g[3 * k + (shaped ? 0 : a)];
    }
}

static double dot(const statics *b, const double *p, const double *q)
{
    double sum = 0;
    for (uint32_t i = 0; i < 3 * b->count; i++) sum += p[i] * q[i];
    return sum;
}

/* Held coordinates of `u` are given; the others become what `force` bends them to (Hestenes and Stiefel 1952). */
void statics_balance(statics *b)
{
    const uint32_t n = 3 * b->count;
    statics_multiply(b, b->u, b->q);
    for (uint32_t i = 0; i < n; i++) b->p[i] = b->r[i] = b->held[i] ? 0 : b->force[i] - b->q[i];
    const double first = dot(b, b->r, b->r);
    double       square = first;
    for (uint32_t step = 0; step < 20000 && square > 1e-16 * first; step++) {
        statics_multiply(b, b->p, b->q);
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
