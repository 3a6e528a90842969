#include "draw/strain.h"

#include <math.h>
#include <stdlib.h>

typedef struct counter {
    draw_strains       *to;
    float              *weights;
    const draw_subject *subject;
} counter;

static void count(counter *c, const uint32_t *points, uint32_t point_count, float strain)
{
    c->to->least = fminf(c->to->least, strain);
    c->to->most = fmaxf(c->to->most, strain);
    for (uint32_t k = 0; k < point_count; k++) {
        c->to->of_point[c->subject->twin[points[k]]] += strain;
        c->weights[c->subject->twin[points[k]]] += 1;
    }
}

float draw_link_strain(const draw_link *l, const pliant_state *state, const pliant_vec3 *points)
{
    const float length = f3_length(f3_sub(f3_from(points[l->point[1]]), f3_from(points[l->point[0]])));
    return l->strains && l->rest > 0 && pliant_state_active(state, l->constraint) ? length / l->rest - 1 : 0;
}

/* ---- elements ---- */

/* Eigenvalues of a symmetric matrix xx yy zz xy xz yz, the largest first (Smith 1961, Eigenvalues of a Symmetric 3 x 3 Matrix). */
static void eigenvalues(const double a[6], double out[3])
{
    const double mean = (a[0] + a[1] + a[2]) / 3, off = a[3] * a[3] + a[4] * a[4] + a[5] * a[5];
    const double x = a[0] - mean, y = a[1] - mean, z = a[2] - mean, p = sqrt((x * x + y * y + z * z + 2 * off) / 6);
    out[0] = out[1] = out[2] = mean;
    if (!(p > 1e-12 * mean)) return;
    const double det = x * (y * z - a[5] * a[5]) - a[3] * (a[3] * z - a[5] * a[4]) + a[4] * (a[3] * a[5] - y * a[4]);
    const double angle = acos(fmax(-1, fmin(1, det / (2 * p * p * p)))) / 3;
    out[0] = mean + 2 * p * cos(angle);
    out[2] = mean + 2 * p * cos(angle + 2.0943951023931953); /* two thirds of pi */
    out[1] = 3 * mean - out[0] - out[2];
}

/* Principal strain of the largest size, of a deformation gradient with so many columns. */
static float principal_strain(const f3 *f, uint32_t columns)
{
    const double a[6] = {f3_dot(f[0], f[0]),
                         f3_dot(f[1], f[1]),
                         columns > 2 ? f3_dot(f[2], f[2]) : 0,
                         f3_dot(f[0], f[1]),
                         columns > 2 ? f3_dot(f[0], f[2]) : 0,
                         columns > 2 ? f3_dot(f[1], f[2]) : 0};
    double       squares[3], worst = 0;
    eigenvalues(a, squares);
    for (uint32_t k = 0; k < columns; k++) { /* of two columns the third square is 0, and the least */
        const double strain = sqrt(fmax(squares[k], 0)) - 1;
        if (fabs(strain) > fabs(worst)) worst = strain;
    }
    return (float)worst;
}

/* The deformation gradient of an element: its edges from its first point times the inverse of those at rest, parameters as the table of constraints has them. */
static void gradient_of(const pliant_vec3 *const x[4], uint32_t slots, const pliant_real *b, f3 *f)
{
    f3 edge[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (uint32_t k = 1; k < slots; k++) edge[k - 1] = f3_sub(f3_from(*x[k]), f3_from(*x[0]));
    if (slots == 3) {
        f[0] = f3_add(f3_scale(edge[0], (float)b[0]), f3_scale(edge[1], (float)b[2]));
        f[1] = f3_add(f3_scale(edge[0], (float)b[1]), f3_scale(edge[1], (float)b[3]));
        return;
    }
    f[0] = f3_scale(edge[0], (float)b[0]);
    f[1] = f3_add(f3_scale(edge[0], (float)b[1]), f3_scale(edge[1], (float)b[3]));
    f[2] = f3_add(f3_add(f3_scale(edge[0], (float)b[2]), f3_scale(edge[1], (float)b[4])), f3_scale(edge[2], (float)b[5]));
}

/* The subject's points that an element has now. */
static void points_of(const counter *c, const pliant_solved_constraint *element, uint32_t slots, uint32_t *out)
{
    for (uint32_t k = 0; k < slots; k++) out[k] = draw_point_of(c->subject, element->particles[k]);
}

static void count_elements(counter *c, const pliant_state *state, const pliant_vec3 *points)
{
    for (uint32_t i = 0; i < c->subject->row_count && c->subject->element_count; i++) {
        const pliant_solved_constraint element = pliant_state_solved(state, i);
        const draw_row                *row = &c->subject->rows[i];
        pliant_real                    rest[PLIANT_MAX_PARAMETERS];
        uint32_t                       point[PLIANT_MAX_SLOTS];
        const pliant_vec3             *x[4];
        f3                             f[3];
        if (!draw_is_element(element.kind) || row->count != pliant_constraint_describe(element.kind)->slots) continue;
        if (!pliant_state_active(state, element.constraint) || pliant_state_rest(state, element.constraint, rest) != PLIANT_OK) continue;
        points_of(c, &element, row->count, point);
        for (uint32_t k = 0; k < row->count; k++) x[k] = &points[point[k]];
        gradient_of(x, row->count, rest, f);
        count(c, point, row->count, principal_strain(f, row->count - 1));
    }
}

bool draw_strains_make(draw_strains *to, const draw_subject *s, const pliant_state *state, const pliant_vec3 *points)
{
    counter c = {to, calloc(s->point_count + 1u, sizeof *c.weights), s};
    to->of_point = calloc(s->point_count + 1u, sizeof *to->of_point);
    to->least = to->most = 0;
    const bool ok = c.weights && to->of_point;
    for (uint32_t i = 0; ok && i < s->link_count; i++)
        if (s->links[i].strains) count(&c, s->links[i].point, 2, draw_link_strain(&s->links[i], state, points));
    if (ok) count_elements(&c, state, points);
    for (uint32_t p = 0; ok && p < s->point_count; p++)
        if (c.weights[p] > 0) to->of_point[p] /= c.weights[p];
    free(c.weights);
    return ok;
}
