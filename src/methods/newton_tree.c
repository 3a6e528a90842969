/* Newton steps on chains and trees, in linear time. What is sought, and why, is at the head of newton.c; tree.c solves the systems.
 *
 * With gradients at the end there is no search at first: whole steps are taken, and a tree that these have not solved begins anew and searches along
 * each. */
#include "methods/newton.h"

#include "base/alloc.h"
#include "methods/tree.h"
#include "state/inputs.h"
#include "state/state.h"

#include <string.h>

#define MOST_STEPS 150u
#define WHOLE_STEPS 75u /* implicit: so many without a search, then anew with one */

/* Where a particle is, per node. */
typedef struct place {
    double base[3]; /* x~, and what grabs and contacts have moved it */
    double x[3];
    double from[3]; /* implicit: where the step begins */
    double noise;   /* implicit: m, what a rounding of the forces moves it */
} place;

typedef struct forest {
    pliant__newton newton;
    pliant__trees  trees;
    place         *places; /* per node */
    double (*lambda)[3];   /* per link, where the step begins */
} forest;

static forest *forest_of(pliant__newton *n) { return (forest *)n; }

/* ---- gradients at the end ---- */

/* A multiplier where the step has gone the share t. */
static double lambda_of(const forest *f, uint32_t link, uint32_t row, double t)
{
    return f->lambda[link][row] + t * f->trees.links[link].sign * f->trees.links[link].change[row];
}

static bool is_implicit(const pliant_solver *s) { return s->method.gradients == PLIANT_GRADIENTS_IMPLICIT; }

static pliant__course course_of(bool implicit)
{
    return (pliant__course){.is = PLIANT__COURSE_OPEN, .whole_steps = implicit, .implicit = implicit};
}

/* Two unit vectors at right angles to n and to each other. */
static void across(const double n[3], double a[3], double b[3])
{
    uint32_t least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : fabs(n[1]) <= fabs(n[2]) ? 1 : 2;
    double   e[3] = {0, 0, 0}, length;
    e[least] = 1;
    for (int k = 0; k < 3; k++) a[k] = n[(k + 1) % 3] * e[(k + 2) % 3] - n[(k + 2) % 3] * e[(k + 1) % 3];
    length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int k = 0; k < 3; k++) a[k] /= length;
    for (int k = 0; k < 3; k++) b[k] = n[(k + 1) % 3] * a[(k + 2) % 3] - n[(k + 2) % 3] * a[(k + 1) % 3];
}

/* The forces of a link, and how they turn with it. The second derivative of a length d is (1 - n n^T) / d, so a pull -lambda keeps the link's
 * ends in line like a spring of stiffness -lambda / d across it: two rows more, scaled so that they are of the size of the first. A push
 * would be a negative spring; it is left out, and Newton's matrix stays positive. */
static void bend_link(forest *f, uint32_t link, double t, double response)
{
    pliant__link *e = &f->trees.links[link];
    place        *p = &f->places[e->parent], *q = e->child == PLIANT__NONE ? NULL : &f->places[e->child];
    for (uint32_t r = 0; r < e->rows; r++) {
        const double lambda = lambda_of(f, link, r, t);
        for (int k = 0; k < 3; k++) {
            f->trees.nodes[e->parent].force[k] -= e->sign * lambda * e->left[r][k];
            if (q) f->trees.nodes[e->child].force[k] += e->sign * lambda * e->left[r][k];
        }
        p->noise += fabs(lambda) * (1 + pliant__largest_of(p->x) / e->size);
        if (q) q->noise += fabs(lambda) * (1 + pliant__largest_of(q->x) / e->size);
    }
    if (e->rows == 1) {
        const double length = (double)f->newton.rows.C[e->value] + e->rest, pull = -lambda_of(f, link, 0, t);
        const double root = pull > 0 && length > 0 ? sqrt(pull / length * response) : 0;
        e->used = root > 0 ? 3 : 1;
        if (root > 0) across(e->left[0], e->left[1], e->left[2]);
        for (uint32_t r = 1; r < e->used; r++) {
            for (int k = 0; k < 3; k++) e->left[r][k] *= root;
            e->soft[r] = response;
            e->residual[r] = 0;
        }
    }
    memcpy(e->right, e->left, sizeof e->right);
}

/* ---- a step ---- */

/* Slot 0's gradients of a link, as the kernels left them. */
static void take_gradient(const forest *f, const pliant__link *e, double out[3][3])
{
    for (uint32_t r = 0; r < e->rows; r++)
        for (uint32_t k = 0; k < 3; k++) out[r][k] = (double)f->newton.rows.gradient[e->gradient + (6 * (size_t)r + k) * PLIANT__BLOCK];
}

static void begin(pliant_solver *s, pliant__newton *n, uint32_t tree)
{
    forest             *f = forest_of(n);
    const pliant__tree *t = &f->trees.trees[tree];
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++) {
        const pliant_real *x = PLIANT__SLOT(s->state->x, f->trees.nodes[i].slot);
        f->trees.nodes[i].w = (double)x[3];
        for (int k = 0; k < 3; k++) f->places[i].base[k] = f->places[i].x[k] = f->places[i].from[k] = (double)x[k];
        memset(f->trees.nodes[i].step, 0, sizeof f->trees.nodes[i].step);
    }
    memset(f->lambda + t->first_link, 0, t->link_count * sizeof *f->lambda);
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count; i++) {
        pliant__link *e = &f->trees.links[i];
        memset(e->change, 0, sizeof e->change);
        e->used = e->rows; /* what fell back had more */
        take_gradient(f, e, e->right);
    }
    n->courses[tree] = course_of(is_implicit(s));
}

/* Back to the prediction. */
static void go_back(forest *f, const pliant__tree *t)
{
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++)
        memcpy(f->places[i].from, f->places[i].base, sizeof f->places[i].from);
    memset(f->lambda + t->first_link, 0, t->link_count * sizeof *f->lambda);
}

/* For a tree that whole steps have not solved. */
static void restart(pliant_solver *s, pliant__newton *n, uint32_t tree)
{
    forest *f = forest_of(n);
    (void)s;
    pliant__course *c = &n->courses[tree];
    if (c->is != PLIANT__COURSE_OPEN || !c->implicit) return;
    go_back(f, &f->trees.trees[tree]);
    *c = (pliant__course){.is = PLIANT__COURSE_OPEN, .implicit = c->implicit};
}

/* What lambda moves the particles with fixed gradients: x = base + M^-1 J^T lambda. */
static void move_by_lambda(forest *f, const pliant__tree *t, double share)
{
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++) memset(f->places[i].x, 0, sizeof f->places[i].x);
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count; i++) {
        const pliant__link *e = &f->trees.links[i];
        double              pull[3] = {0, 0, 0};
        for (uint32_t r = 0; r < e->rows; r++)
            for (int k = 0; k < 3; k++) pull[k] += e->sign * lambda_of(f, i, r, share) * e->right[r][k];
        for (int k = 0; k < 3; k++) f->places[e->parent].x[k] -= pull[k];
        for (int k = 0; k < 3 && e->child != PLIANT__NONE; k++) f->places[e->child].x[k] += pull[k];
    }
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++)
        for (int k = 0; k < 3; k++) f->places[i].x[k] = f->places[i].base[k] + f->trees.nodes[i].w * f->places[i].x[k];
}

static void put(pliant_solver *s, pliant__newton *n, uint32_t tree)
{
    forest               *f = forest_of(n);
    const pliant__tree   *t = &f->trees.trees[tree];
    const pliant__course *c = &n->courses[tree];
    if (c->is != PLIANT__COURSE_OPEN || c->accepted) return;
    if (c->implicit)
        for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++)
            for (int k = 0; k < 3; k++) f->places[i].x[k] = f->places[i].from[k] + c->t * f->trees.nodes[i].step[k];
    else
        move_by_lambda(f, t, c->t);
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++) {
        const double *x = f->places[i].x;
        if (f->trees.nodes[i].w > 0)
            pliant__set_slot_x(s->state->x, f->trees.nodes[i].slot, v3((pliant_real)x[0], (pliant_real)x[1], (pliant_real)x[2]));
    }
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count; i++)
        for (uint32_t r = 0; r < f->trees.links[i].rows; r++)
            s->lambda[f->trees.links[i].value + r * PLIANT__BLOCK] = (pliant_real)lambda_of(f, i, r, c->t);
}

/* What is left of the constraints at x, and the rows of the next system. */
static void look_at_link(pliant_solver *s, forest *f, uint32_t link, pliant__course *c)
{
    pliant__link       *e = &f->trees.links[link];
    const pliant__node *p = &f->trees.nodes[e->parent], *q = e->child == PLIANT__NONE ? NULL : &f->trees.nodes[e->child];
    const double        alpha = (double)s->laws[e->law].alpha, response = alpha + p->w + (q ? q->w : 0);
    const bool          idle = !pliant__is_active(s->active, e->row) || (p->w == 0 && (!q || q->w == 0));
    const double        far = pliant__largest_of(f->places[e->parent].x);
    take_gradient(f, e, e->left);
    for (uint32_t r = 0; r < e->rows; r++) {
        const double lambda = lambda_of(f, link, r, c->t), left = (double)f->newton.rows.C[e->value + r * PLIANT__BLOCK] + alpha * lambda;
        e->soft[r] = idle ? 1 : alpha;
        e->residual[r] = idle ? 0 : e->sign * left;
        for (int k = 0; k < 3 && idle; k++) e->left[r][k] = 0;
        if (!idle) pliant__count_left(c, left, c->implicit ? 1 / response : 1, e->size, far + e->size + response * fabs(lambda));
    }
    if (c->implicit) bend_link(f, link, c->t, response);
}

/* What is left of the motion: M (x - base) - J^T lambda, which pulls at the particles in the next system. */
static void look_at_motion(forest *f, const pliant__tree *t, pliant__course *c)
{
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++) {
        pliant__node *p = &f->trees.nodes[i];
        const place  *at = &f->places[i];
        double        square = 0;
        for (int k = 0; k < 3 && p->w > 0; k++) {
            p->force[k] -= (at->x[k] - at->base[k]) / p->w;
            square += p->force[k] * p->force[k];
        }
        if (p->w > 0) pliant__count_left(c, p->w * sqrt(square), 1 / p->w, t->size, pliant__largest_of(at->x) + p->w * at->noise);
    }
}

static void look(pliant_solver *s, pliant__newton *n, uint32_t tree)
{
    forest             *f = forest_of(n);
    const pliant__tree *t = &f->trees.trees[tree];
    pliant__course     *c = &n->courses[tree];
    if (c->is != PLIANT__COURSE_OPEN || c->accepted) return;
    c->tried = c->sum = c->largest = c->rounds = 0;
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++) {
        memset(f->trees.nodes[i].force, 0, sizeof f->trees.nodes[i].force);
        f->places[i].noise = 0;
    }
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count; i++) look_at_link(s, f, i, c);
    if (c->implicit) look_at_motion(f, t, c);
}

static void aim(pliant_solver *s, pliant__newton *n, uint32_t tree)
{
    forest         *f = forest_of(n);
    pliant__course *c = &n->courses[tree];
    if (c->largest <= (double)s->method.tolerance) c->is = PLIANT__COURSE_SOLVED;
    if (c->is != PLIANT__COURSE_OPEN) return;
    pliant__tree_solve(&f->trees, &f->trees.trees[tree]);
    pliant__begin_search(c);
}

static void keep(pliant_solver *s, pliant__newton *n, uint32_t tree)
{
    forest *f = forest_of(n);
    (void)s;
    const pliant__tree   *t = &f->trees.trees[tree];
    const pliant__course *c = &n->courses[tree];
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count && c->accepted; i++)
        for (uint32_t r = 0; r < f->trees.links[i].rows; r++) {
            f->lambda[i][r] += c->t * f->trees.links[i].sign * f->trees.links[i].change[r];
            f->trees.links[i].change[r] = 0;
        }
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count && c->accepted; i++) {
        memcpy(f->places[i].from, f->places[i].x, sizeof f->places[i].from);
        memset(f->trees.nodes[i].step, 0, sizeof f->trees.nodes[i].step);
    }
}

/* Trees with gradients at the end that are left once they have taken whole steps begin anew. */
static bool begin_again(pliant_solver *s, pliant__newton *n, uint32_t step)
{
    bool any = false;
    for (uint32_t i = 0; i < n->count && step == WHOLE_STEPS; i++)
        any = any || (n->courses[i].is == PLIANT__COURSE_OPEN && n->courses[i].implicit);
    if (any) pliant__newton_each(s, restart);
    return any;
}

static bool settle(const pliant__newton *n, pliant__course *c)
{
    (void)n;
    return pliant__settle_halved(c, false);
}

/* ---- what has no solution ---- */

/* Whether a link has turned by more than a right angle against the gradient along which its force acts, and how far. */
static bool is_mirrored(const forest *f, uint32_t tree, const pliant__link *e, double *turned)
{
    const double *a = e->left[0], *b = e->right[0];
    *turned = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    return e->rows == 1 && *turned < 0 && !f->newton.courses[tree].implicit;
}

static bool has_no_solution(const forest *f, uint32_t tree)
{
    const pliant__tree *t = &f->trees.trees[tree];
    double              turned;
    if (f->newton.courses[tree].is != PLIANT__COURSE_SOLVED) return f->newton.courses[tree].is == PLIANT__COURSE_UNSOLVED;
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count; i++)
        if (is_mirrored(f, tree, &f->trees.links[i], &turned)) return true;
    return false;
}

static bool fall_back(pliant_solver *s, pliant__newton *n, uint32_t *done)
{
    forest *f = forest_of(n);
    bool    any = false;
    if (s->method.fallback != PLIANT_FALLBACK_IMPLICIT) return false;
    for (uint32_t i = 0; i < f->trees.tree_count; i++) {
        if (n->courses[i].implicit || !has_no_solution(f, i)) continue;
        const pliant__tree *t = &f->trees.trees[i];
        go_back(f, t);
        for (uint32_t k = t->first_node; k < t->first_node + t->node_count; k++)
            memset(f->trees.nodes[k].step, 0, sizeof f->trees.nodes[k].step);
        for (uint32_t k = t->first_link; k < t->first_link + t->link_count; k++)
            memset(f->trees.links[k].change, 0, sizeof f->trees.links[k].change);
        n->courses[i] = course_of(true);
        any = true;
    }
    if (!any) return false;
    pliant__newton_try(s);
    pliant__newton_steps(s, n, done);
    return true;
}

static uint32_t give_up(pliant_solver *s, pliant__newton *n, uint32_t tree)
{
    forest             *f = forest_of(n);
    const pliant__tree *t = &f->trees.trees[tree];
    uint32_t            worst = PLIANT__NONE;
    double              most = -1;
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count; i++) {
        const pliant__link *e = &f->trees.links[i];
        double              turned, left = fabs(e->residual[0]) / e->size;
        if (!is_mirrored(f, tree, e, &turned) && n->courses[tree].is != PLIANT__COURSE_UNSOLVED) continue;
        if (n->courses[tree].is != PLIANT__COURSE_UNSOLVED) left = -turned;
        if (left > most) most = left, worst = f->trees.nodes[e->parent].slot;
    }
    if (n->courses[tree].is == PLIANT__COURSE_UNSOLVED && worst == PLIANT__NONE) worst = f->trees.nodes[t->first_node].slot;
    if (worst == PLIANT__NONE) return worst;
    n->courses[tree].is = PLIANT__COURSE_UNSOLVED;
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++)
        if (f->trees.nodes[i].w > 0)
            pliant__set_slot_x(s->state->x, f->trees.nodes[i].slot, pliant__slot_x(s->start, f->trees.nodes[i].slot));
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count; i++)
        for (uint32_t r = 0; r < f->trees.links[i].rows; r++) s->lambda[f->trees.links[i].value + r * PLIANT__BLOCK] = 0;
    return worst;
}

static void follow(pliant_solver *s, pliant__newton *n, uint32_t tree)
{
    forest             *f = forest_of(n);
    const pliant__tree *t = &f->trees.trees[tree];
    pliant__course     *c = &n->courses[tree];
    bool                moved = false;
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++)
        moved = pliant__follow_slot(s, f->trees.nodes[i].slot, f->places[i].x, f->places[i].base, f->places[i].from) || moved;
    if (moved && c->is == PLIANT__COURSE_SOLVED) *c = course_of(c->implicit);
}

/* ---- memory ---- */

static uint32_t size_of(const pliant__newton *n, uint32_t tree) { return ((const forest *)n)->trees.trees[tree].link_count; }

static void destroy(pliant_solver *s, pliant__newton *n)
{
    forest *f = forest_of(n);
    pliant__linear_rows_free(&s->allocator, &n->rows);
    pliant__newton_free(&s->allocator, n);
    pliant__trees_free(&f->trees, &s->allocator);
    pliant__free(&s->allocator, f->places);
    pliant__free(&s->allocator, f->lambda);
    pliant__free(&s->allocator, f);
}

static const pliant__newton_kind kind = {.most_steps = MOST_STEPS,
                                         .begin = begin,
                                         .put = put,
                                         .look = look,
                                         .aim = aim,
                                         .keep = keep,
                                         .follow = follow,
                                         .size_of = size_of,
                                         .begin_again = begin_again,
                                         .settle = settle,
                                         .fall_back = fall_back,
                                         .give_up = give_up,
                                         .destroy = destroy};

pliant__newton *pliant__newton_trees_create(pliant_solver *s, pliant_error *error)
{
    const pliant_allocator *a = &s->allocator;
    forest                 *f = pliant__alloc(a, sizeof *f);
    if (f && pliant__linear_rows_make(a, s->model, &f->newton.rows) && pliant__trees_make(&f->trees, s->model, &f->newton.rows, a) &&
        pliant__newton_make(a, &f->newton, &kind, f->trees.tree_count)) {
        f->places = pliant__alloc_array(a, f->trees.node_count, sizeof *f->places);
        f->lambda = pliant__alloc_array(a, f->trees.link_count, sizeof *f->lambda);
        if (f->places && f->lambda) return &f->newton;
    }
    if (f) destroy(s, &f->newton);
    pliant__fail_memory(error, s->model->header->packed_rows * sizeof *f->trees.links, "a tree of constraints");
    return NULL;
}
