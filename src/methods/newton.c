/* The exact constrained step: all constraints at once, by Newton's method. Here it is done on chains and trees; what is none, or is asked to be
 * solved by sparse factors, goes to newton_net.c.
 *
 * Sought is lambda with C(x) + alpha~ lambda = 0 at x = x~ + M^-1 J^T lambda, the gradients J being those at the start of the substep (the
 * velocity step of SHAKE: Ryckaert, Ciccotti, Berendsen 1977; with v' = (x - x_start) / h it keeps the energy of a swing at large steps) or at
 * the prediction x~ (the direction of PBD's projection; Goldenthal et al. 2007, fast projection, takes new gradients in every iteration
 * instead). With J fixed, x is a function of lambda alone, and Newton's matrix J(x) M^-1 J^T + alpha~ is not symmetric. tree.c solves with it.
 *
 * Newton begins at lambda = 0, and each step is halved until sum of (C + alpha~ lambda)^2 falls, so it follows the branch of solutions that
 * begins at the prediction. The other one, where a link has turned by more than a right angle against the gradient along which it is held
 * (a rod's mirror image), is not taken. Where that branch ends there is no solution; trees that have none go back to where the substep
 * began, and the step says so.
 *
 * With the gradients at the end it is implicit Euler: x and lambda are sought together, with M (x - x~) = J(x)^T lambda as well, and Newton's
 * matrix has the forces' turning with x in it, sum of lambda d2C/dx2 (Baraff, Witkin 1998; Goldenthal et al. 2007 leave it out). That is the
 * nearest point to x~ on the constraints, which there always is where lengths can be kept at all. Its two residuals need not fall together, so
 * Newton takes whole steps there, and only where these do not get anywhere begins anew and searches along each.
 *
 * Grabs and contacts are not part of the system: after the exact solve comes a sweep over them, and `iterations` of these two alternate. What
 * such a sweep moves is added to x~. Each tree is solved by itself, so what else is in the scene changes no bit of it. */
#include "base/alloc.h"
#include "methods/newton_net.h"
#include "methods/tree.h"
#include "solver/guard.h"
#include "solver/interactions.h"
#include "solver/method.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST_STEPS 150u
#define WHOLE_STEPS 75u /* implicit: so many without a search, then anew with one */
#define ARMIJO 1e-4
#define SHORTEST 1e-10   /* share of a step */
#define GROUP_LINKS 512u /* links per task, and whole trees */
#ifdef PLIANT_DOUBLE
#define ROUNDING DBL_EPSILON
#else
#define ROUNDING ((double)FLT_EPSILON)
#endif
#define ROUNDINGS 16   /* what is no more than so many roundings of the terms of C does not count as left */
#define AT_MOST 1024.0 /* and where nothing falls any more, no more than so many */

typedef enum outcome { OPEN, SOLVED, UNSOLVED } outcome;

/* How far a tree is. Sums are of (C + alpha~ lambda)^2, m^2. */
typedef struct course {
    outcome is;
    bool    accepted;       /* in the search along this step */
    bool    whole_steps;    /* no search */
    bool    implicit;       /* gradients at the end: as the method says, or for want of a solution */
    double  t;              /* share of the step that is tried */
    double  merit, tried;   /* sum over what is more than rounding: where the step begins, and at t */
    double  whole, sum;     /* sum over all: likewise */
    double  before, rounds; /* the largest of |C + alpha~ lambda|, in roundings: likewise */
    double  largest;        /* at t, as a share of the size */
} course;

/* Where a particle is, per node. */
typedef struct place {
    double base[3]; /* x~, and what grabs and contacts have moved it */
    double x[3];
    double from[3]; /* implicit: where the step begins */
    double noise;   /* implicit: m, what a rounding of the forces moves it */
} place;

typedef struct newton {
    pliant__newton_net *net; /* NULL: all is trees, and here. It is the first thing here, and newton_net.c relies on that */
    pliant__trees       trees;
    course             *courses; /* per tree */
    place              *places;  /* per node */
    double (*lambda)[3];         /* per link, where the step begins */
    uint32_t    *groups;         /* first tree of each, and one more */
    uint32_t     group_count;
    pliant_real *C, *gradient; /* of all rows, as linearize leaves them */
} newton;

/* ---- memory ---- */

static void destroy(pliant_solver *s)
{
    newton *n = s->own;
    if (!n) return;
    pliant__newton_net_destroy(s, n->net);
    pliant__trees_free(&n->trees, &s->allocator);
    void *all[] = {n->courses, n->places, n->lambda, n->groups, n->C, n->gradient, n};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(&s->allocator, all[i]);
    s->own = NULL;
}

static void make_groups(newton *n)
{
    uint32_t links = GROUP_LINKS;
    for (uint32_t i = 0; i < n->trees.tree_count; i++) {
        if (links >= GROUP_LINKS) {
            n->groups[n->group_count++] = i;
            links = 0;
        }
        links += n->trees.trees[i].link_count;
    }
    n->groups[n->group_count] = n->trees.tree_count;
}

static bool is_sparse(const pliant_model *m, const pliant_method_def *def, pliant_error *error)
{
    return def->linear == PLIANT_LINEAR_SPARSE || (def->linear == PLIANT_LINEAR_AUTO && !pliant__trees_take(m, "newton", error));
}

static bool create(pliant_solver *s, pliant_error *error)
{
    const pliant_allocator *a = &s->allocator;
    const size_t            rows = s->model->header->lambda_count;
    newton                 *n = s->own = pliant__alloc(a, sizeof *n);
    pliant_error            why = {PLIANT_OK, 0, "", ""};
    const bool              sparse = n && is_sparse(s->model, &s->method, &why);
    if (sparse && why.code != PLIANT_ERROR_MEMORY) return (n->net = pliant__newton_net_create(s, error)) != NULL;
    if (sparse || !n || !pliant__trees_make(&n->trees, s->model, a))
        return pliant__fail_memory(error, s->model->header->packed_rows * sizeof *n->trees.links, "a tree of constraints");
    n->courses = pliant__alloc_array(a, n->trees.tree_count, sizeof *n->courses);
    n->groups = pliant__alloc_array(a, (size_t)n->trees.tree_count + 1, sizeof *n->groups);
    n->places = pliant__alloc_array(a, n->trees.node_count, sizeof *n->places);
    n->lambda = pliant__alloc_array(a, n->trees.link_count, sizeof *n->lambda);
    n->C = pliant__alloc_array(a, rows, sizeof *n->C);
    n->gradient = pliant__alloc_array(a, rows, 6 * sizeof *n->gradient);
    if (!n->courses || !n->groups || !n->places || !n->lambda || !n->C || !n->gradient)
        return pliant__fail_memory(error, rows * 8 * sizeof *n->gradient, "Newton's method");
    make_groups(n);
    return true;
}

/* ---- gradients at the end ---- */

static double largest_of(const double a[3]) { return fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2]))); }

/* A multiplier where the step has gone the share t. */
static double lambda_of(const newton *n, uint32_t link, uint32_t row, double t)
{
    return n->lambda[link][row] + t * n->trees.links[link].sign * n->trees.links[link].change[row];
}

static bool is_implicit(const pliant_solver *s) { return s->method.gradients == PLIANT_GRADIENTS_IMPLICIT; }

static course course_of(bool implicit) { return (course){.is = OPEN, .whole_steps = implicit, .implicit = implicit}; }

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
static void bend_link(newton *n, uint32_t link, double t, double response)
{
    pliant__link *e = &n->trees.links[link];
    place        *p = &n->places[e->parent], *q = e->child == PLIANT__NONE ? NULL : &n->places[e->child];
    for (uint32_t r = 0; r < e->rows; r++) {
        const double lambda = lambda_of(n, link, r, t);
        for (int k = 0; k < 3; k++) {
            n->trees.nodes[e->parent].force[k] -= e->sign * lambda * e->left[r][k];
            if (q) n->trees.nodes[e->child].force[k] += e->sign * lambda * e->left[r][k];
        }
        p->noise += fabs(lambda) * (1 + largest_of(p->x) / e->size);
        if (q) q->noise += fabs(lambda) * (1 + largest_of(q->x) / e->size);
    }
    if (e->rows == 1) {
        const double length = (double)n->C[e->value] + e->rest, pull = -lambda_of(n, link, 0, t);
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

/* ---- pieces that run as tasks ---- */

/* Slot 0's gradients of a link, as the kernels left them. */
static void take_gradient(const newton *n, const pliant__link *e, double out[3][3])
{
    for (uint32_t r = 0; r < e->rows; r++)
        for (uint32_t k = 0; k < 3; k++) out[r][k] = (double)n->gradient[e->gradient + (6 * (size_t)r + k) * PLIANT__BLOCK];
}

/* Runs work(s, tree) for every tree of a group. */
static void each_tree(pliant_solver *s, uint32_t group, void (*work)(pliant_solver *s, newton *n, uint32_t tree))
{
    newton *n = s->own;
    for (uint32_t i = n->groups[group]; i < n->groups[group + 1]; i++) work(s, n, i);
}

#define TASK(name)                                                                             \
    static void name##_group(void *solver, uint32_t group) { each_tree(solver, group, name); } \
    static void name##_all(pliant_solver *s) { pliant__run(s, name##_group, ((newton *)s->own)->group_count); }

/* The substep begins: x~, weights, lambda = 0. */
static void begin(pliant_solver *s, newton *n, uint32_t tree)
{
    const pliant__tree *t = &n->trees.trees[tree];
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++) {
        const pliant_real *x = s->state->x + 4 * (size_t)n->trees.nodes[i].slot;
        n->trees.nodes[i].w = (double)x[3];
        for (int k = 0; k < 3; k++) n->places[i].base[k] = n->places[i].x[k] = n->places[i].from[k] = (double)x[k];
        memset(n->trees.nodes[i].step, 0, sizeof n->trees.nodes[i].step);
    }
    memset(n->lambda + t->first_link, 0, t->link_count * sizeof *n->lambda);
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count; i++) {
        pliant__link *e = &n->trees.links[i];
        memset(e->change, 0, sizeof e->change);
        e->used = e->rows; /* what fell back had more */
        take_gradient(n, e, e->right);
    }
    n->courses[tree] = course_of(is_implicit(s));
}
TASK(begin)

/* Back to the prediction. */
static void go_back(newton *n, const pliant__tree *t)
{
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++)
        memcpy(n->places[i].from, n->places[i].base, sizeof n->places[i].from);
    memset(n->lambda + t->first_link, 0, t->link_count * sizeof *n->lambda);
}

/* For those that whole steps have not solved. */
static void begin_again(pliant_solver *s, newton *n, uint32_t tree)
{
    (void)s;
    course *c = &n->courses[tree];
    if (c->is != OPEN || !c->implicit) return;
    go_back(n, &n->trees.trees[tree]);
    *c = (course){.is = OPEN, .implicit = c->implicit};
}
TASK(begin_again)

/* What lambda moves the particles with fixed gradients: x = base + M^-1 J^T lambda. */
static void move_by_lambda(newton *n, const pliant__tree *t, double share)
{
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++) memset(n->places[i].x, 0, sizeof n->places[i].x);
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count; i++) {
        const pliant__link *e = &n->trees.links[i];
        double              pull[3] = {0, 0, 0};
        for (uint32_t r = 0; r < e->rows; r++)
            for (int k = 0; k < 3; k++) pull[k] += e->sign * lambda_of(n, i, r, share) * e->right[r][k];
        for (int k = 0; k < 3; k++) n->places[e->parent].x[k] -= pull[k];
        for (int k = 0; k < 3 && e->child != PLIANT__NONE; k++) n->places[e->child].x[k] += pull[k];
    }
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++)
        for (int k = 0; k < 3; k++) n->places[i].x[k] = n->places[i].base[k] + n->trees.nodes[i].w * n->places[i].x[k];
}

/* x and lambda where the step has gone the share t, for kernels and callbacks. */
static void put(pliant_solver *s, newton *n, uint32_t tree)
{
    const pliant__tree *t = &n->trees.trees[tree];
    const course       *c = &n->courses[tree];
    if (c->is != OPEN || c->accepted) return;
    if (c->implicit)
        for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++)
            for (int k = 0; k < 3; k++) n->places[i].x[k] = n->places[i].from[k] + c->t * n->trees.nodes[i].step[k];
    else
        move_by_lambda(n, t, c->t);
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++) {
        const double *x = n->places[i].x;
        if (n->trees.nodes[i].w > 0)
            pliant__set_slot_x(s->state->x, n->trees.nodes[i].slot, v3((pliant_real)x[0], (pliant_real)x[1], (pliant_real)x[2]));
    }
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count; i++)
        for (uint32_t r = 0; r < n->trees.links[i].rows; r++)
            s->lambda[n->trees.links[i].value + r * PLIANT__BLOCK] = (pliant_real)lambda_of(n, i, r, c->t);
}
TASK(put)

static void count(course *c, double left, double weight, double size, double scale)
{
    const double square = left * left * weight, rounds = fabs(left) / (ROUNDING * scale);
    c->sum += square;
    c->tried += rounds <= ROUNDINGS ? 0 : square;
    c->largest = fmax(c->largest, fabs(left) / size);
    c->rounds = fmax(c->rounds, rounds);
}

/* What is left of the constraints at x, and the rows of the next system. */
static void look_at_link(pliant_solver *s, newton *n, uint32_t link, course *c)
{
    pliant__link       *e = &n->trees.links[link];
    const pliant__node *p = &n->trees.nodes[e->parent], *q = e->child == PLIANT__NONE ? NULL : &n->trees.nodes[e->child];
    const double        alpha = (double)s->laws[e->law].alpha, response = alpha + p->w + (q ? q->w : 0);
    const bool          idle = !pliant__is_active(s->active, e->row) || (p->w == 0 && (!q || q->w == 0));
    const double        far = largest_of(n->places[e->parent].x);
    take_gradient(n, e, e->left);
    for (uint32_t r = 0; r < e->rows; r++) {
        const double lambda = lambda_of(n, link, r, c->t), left = (double)n->C[e->value + r * PLIANT__BLOCK] + alpha * lambda;
        e->soft[r] = idle ? 1 : alpha;
        e->residual[r] = idle ? 0 : e->sign * left;
        for (int k = 0; k < 3 && idle; k++) e->left[r][k] = 0;
        if (!idle) count(c, left, c->implicit ? 1 / response : 1, e->size, far + e->size + response * fabs(lambda));
    }
    if (c->implicit) bend_link(n, link, c->t, response);
}

/* What is left of the motion: M (x - base) - J^T lambda, which pulls at the particles in the next system. */
static void look_at_motion(newton *n, const pliant__tree *t, course *c)
{
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++) {
        pliant__node *p = &n->trees.nodes[i];
        const place  *at = &n->places[i];
        double        square = 0;
        for (int k = 0; k < 3 && p->w > 0; k++) {
            p->force[k] -= (at->x[k] - at->base[k]) / p->w;
            square += p->force[k] * p->force[k];
        }
        if (p->w > 0) count(c, p->w * sqrt(square), 1 / p->w, t->size, largest_of(at->x) + p->w * at->noise);
    }
}

static void look(pliant_solver *s, newton *n, uint32_t tree)
{
    const pliant__tree *t = &n->trees.trees[tree];
    course             *c = &n->courses[tree];
    if (c->is != OPEN || c->accepted) return;
    c->tried = c->sum = c->largest = c->rounds = 0;
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++) {
        memset(n->trees.nodes[i].force, 0, sizeof n->trees.nodes[i].force);
        n->places[i].noise = 0;
    }
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count; i++) look_at_link(s, n, i, c);
    if (c->implicit) look_at_motion(n, t, c);
}
TASK(look)

static void aim(pliant_solver *s, newton *n, uint32_t tree)
{
    course *c = &n->courses[tree];
    if (c->largest <= (double)s->method.tolerance) c->is = SOLVED;
    if (c->is != OPEN) return;
    c->merit = c->tried;
    c->whole = c->sum;
    c->before = c->rounds;
    pliant__tree_solve(&n->trees, &n->trees.trees[tree]);
    c->t = 1;
    c->accepted = false;
}
TASK(aim)

/* ---- Newton ---- */

static void linearize_patch(void *solver, uint32_t index)
{
    const pliant_solver *s = solver;
    const newton        *n = s->own;
    const pliant__patch *p = &s->model->patches[index];
    for (uint32_t i = p->first_batch; i < p->first_batch + p->batch_count; i++) {
        const pliant__batch *b = &s->model->batches[i];
        s->backend.kernels->kinds[b->kind]->linearize(&s->sweep, b, 0, pliant__blocks(b), n->C + b->lambda, n->gradient + 6 * (size_t)b->lambda);
    }
}

/* C and gradients at `x`, 4 per slot. */
static void linearize(pliant_solver *s, pliant_real *x)
{
    pliant__begin_sweep(s, false);
    s->sweep.x = x;
    pliant__run(s, linearize_patch, (uint32_t)model_count(s->model, patches));
}

static void try_step(pliant_solver *s)
{
    put_all(s);
    linearize(s, s->state->x);
    look_all(s);
}

/* Whether a tree's step is settled; else it is halved, and tried again. Where only rounding is left, one step more is taken for as much
 * of it as that may mend. */
static bool settle(course *c)
{
    if (c->is != OPEN || c->accepted) return true;
    const bool falls = c->tried <= (1 - ARMIJO * c->t) * c->merit, finite = c->sum - c->sum == 0;
    const bool rests = c->merit == 0 || (c->whole_steps && c->before <= AT_MOST && !(c->sum < c->whole));
    if (c->t == 0 || (c->merit == 0 && c->sum < c->whole)) c->is = SOLVED;
    if (c->is == SOLVED || (!rests && (falls || (c->whole_steps && finite)))) return c->accepted = true;
    c->t = rests || c->t < SHORTEST ? 0 : c->t / 2;
    if (c->t == 0 && !rests && c->before > AT_MOST) c->is = UNSOLVED;
    return c->is != OPEN;
}

/* Where a step has gone is where the next one begins. */
static void keep(pliant_solver *s, newton *n, uint32_t tree)
{
    (void)s;
    const pliant__tree *t = &n->trees.trees[tree];
    const course       *c = &n->courses[tree];
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count && c->accepted; i++)
        for (uint32_t r = 0; r < n->trees.links[i].rows; r++) {
            n->lambda[i][r] += c->t * n->trees.links[i].sign * n->trees.links[i].change[r];
            n->trees.links[i].change[r] = 0;
        }
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count && c->accepted; i++) {
        memcpy(n->places[i].from, n->places[i].x, sizeof n->places[i].from);
        memset(n->trees.nodes[i].step, 0, sizeof n->trees.nodes[i].step);
    }
}
TASK(keep)

static bool any_open(const newton *n)
{
    for (uint32_t i = 0; i < n->trees.tree_count; i++)
        if (n->courses[i].is == OPEN) return true;
    return false;
}

/* Whether a tree with gradients at the end is left: it has taken whole steps. */
static bool whole_steps_fail(const newton *n)
{
    for (uint32_t i = 0; i < n->trees.tree_count; i++)
        if (n->courses[i].is == OPEN && n->courses[i].implicit) return true;
    return false;
}

/* Newton steps until every tree is settled. x and what is left there are known when it begins. */
static void solve_trees(pliant_solver *s, uint32_t *done)
{
    newton *n = s->own;
    for (uint32_t step = 0; step < MOST_STEPS && !s->enough; step++) {
        if (step == WHOLE_STEPS && whole_steps_fail(n)) {
            begin_again_all(s);
            try_step(s);
        }
        aim_all(s);
        if (!any_open(n)) return;
        for (bool settled = false; !settled;) {
            try_step(s);
            settled = true;
            for (uint32_t i = 0; i < n->trees.tree_count; i++) settled = settle(&n->courses[i]) && settled;
        }
        keep_all(s);
        pliant__go_on(s, ++*done);
    }
    for (uint32_t i = 0; i < n->trees.tree_count && !s->enough; i++)
        if (n->courses[i].is == OPEN) n->courses[i].is = UNSOLVED;
}

/* ---- what has no solution ---- */

/* Whether a link has turned by more than a right angle against the gradient along which its force acts, and how far. */
static bool is_mirrored(const newton *n, uint32_t tree, const pliant__link *e, double *turned)
{
    const double *a = e->left[0], *b = e->right[0];
    *turned = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    return e->rows == 1 && *turned < 0 && !n->courses[tree].implicit;
}

static bool has_no_solution(const newton *n, uint32_t tree)
{
    const pliant__tree *t = &n->trees.trees[tree];
    double              turned;
    if (n->courses[tree].is != SOLVED) return n->courses[tree].is == UNSOLVED;
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count; i++)
        if (is_mirrored(n, tree, &n->trees.links[i], &turned)) return true;
    return false;
}

/* Trees that have no solution with gradients of the start or the prediction are solved with those of the end. Whether there are any. */
static bool fall_back(pliant_solver *s, newton *n, uint32_t *done)
{
    bool any = false;
    if (s->method.fallback != PLIANT_FALLBACK_IMPLICIT) return false;
    for (uint32_t i = 0; i < n->trees.tree_count; i++) {
        if (n->courses[i].implicit || !has_no_solution(n, i)) continue;
        const pliant__tree *t = &n->trees.trees[i];
        go_back(n, t);
        for (uint32_t k = t->first_node; k < t->first_node + t->node_count; k++)
            memset(n->trees.nodes[k].step, 0, sizeof n->trees.nodes[k].step);
        for (uint32_t k = t->first_link; k < t->first_link + t->link_count; k++)
            memset(n->trees.links[k].change, 0, sizeof n->trees.links[k].change);
        n->courses[i] = course_of(true);
        any = true;
    }
    if (!any) return false;
    try_step(s);
    solve_trees(s, done);
    return true;
}

/* A tree without a solution, or with a mirrored one, goes back to where the substep began. Returns a slot in it, or PLIANT__NONE. */
static uint32_t give_up(pliant_solver *s, newton *n, uint32_t tree)
{
    const pliant__tree *t = &n->trees.trees[tree];
    uint32_t            worst = PLIANT__NONE;
    double              most = -1;
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count; i++) {
        const pliant__link *e = &n->trees.links[i];
        double              turned, left = fabs(e->residual[0]) / e->size;
        if (!is_mirrored(n, tree, e, &turned) && n->courses[tree].is != UNSOLVED) continue;
        if (n->courses[tree].is != UNSOLVED) left = -turned;
        if (left > most) most = left, worst = n->trees.nodes[e->parent].slot;
    }
    if (n->courses[tree].is == UNSOLVED && worst == PLIANT__NONE) worst = n->trees.nodes[t->first_node].slot;
    if (worst == PLIANT__NONE) return worst;
    n->courses[tree].is = UNSOLVED;
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++)
        if (n->trees.nodes[i].w > 0)
            pliant__set_slot_x(s->state->x, n->trees.nodes[i].slot, pliant__slot_x(s->start, n->trees.nodes[i].slot));
    for (uint32_t i = t->first_link; i < t->first_link + t->link_count; i++)
        for (uint32_t r = 0; r < n->trees.links[i].rows; r++) s->lambda[n->trees.links[i].value + r * PLIANT__BLOCK] = 0;
    return worst;
}

/* ---- the iterations ---- */

/* What a sweep over grabs and contacts has moved is as if it had been predicted so. */
static void follow(pliant_solver *s, newton *n, uint32_t tree)
{
    const pliant__tree *t = &n->trees.trees[tree];
    course             *c = &n->courses[tree];
    bool                moved = false;
    for (uint32_t i = t->first_node; i < t->first_node + t->node_count; i++) {
        const pliant_vec3 x = pliant__slot_x(s->state->x, n->trees.nodes[i].slot);
        const double      now[3] = {(double)x.x, (double)x.y, (double)x.z};
        for (int k = 0; k < 3; k++) {
            const double by = now[k] - (double)(pliant_real)n->places[i].x[k];
            n->places[i].base[k] += by;
            n->places[i].from[k] += by;
            moved = moved || by != 0;
        }
    }
    if (moved && c->is == SOLVED) *c = course_of(c->implicit);
}
TASK(follow)

static void solve(pliant_solver *s)
{
    newton  *n = s->own;
    uint32_t done = 0;
    bool     fell = false;
    if (n->net) {
        pliant__newton_net_solve(s, n->net);
        return;
    }
    linearize(s, s->method.gradients == PLIANT_GRADIENTS_START ? s->start : s->state->x);
    begin_all(s);
    if (!pliant__go_on(s, 0)) return;
    for (uint32_t i = 0; i < s->iterations && !s->enough && (i == 0 || any_open(n)); i++) {
        try_step(s);
        solve_trees(s, &done);
        fell = fall_back(s, n, &done) || fell;
        for (uint32_t k = 0; k < n->trees.tree_count; k++) {
            const uint32_t slot = n->courses[k].is != OPEN ? give_up(s, n, k) : PLIANT__NONE;
            if (slot != PLIANT__NONE) pliant__note_unsolved(s, slot);
        }
        if (!s->interacting) break;
        pliant__project_interactions(s, i == 0);
        follow_all(s);
    }
    s->statistics.fallback_substeps += fell;
}

/* With BDF2, forces along the gradients where a substep starts drive a swing, more the longer the substep is. */
static bool takes(const pliant_model *m, const pliant_method_def *def, pliant_error *error)
{
    if (pliant__is_bdf2(m) && def->gradients == PLIANT_GRADIENTS_START)
        return pliant__fail(error, PLIANT_ERROR_INPUT,
                            "newton with gradients \"start\" makes swings grow with integration \"bdf2\"; take gradients \"predicted\" or "
                            "\"implicit\"");
    if (model_count(m, skins))
        return pliant__fail(error, PLIANT_ERROR_INPUT,
                            "newton satisfies constraints to rounding, and body \"%s\" has a skin, which need not "
                            "allow that; take another method",
                            m->bodies[m->skins[0].body].name);
    return pliant__equalities_take(m, "newton", error) && (def->linear != PLIANT_LINEAR_TREE || pliant__trees_take(m, "newton", error));
}

static bool wants_linear(const pliant_model *m, const pliant_method_def *def, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", "\"linear\" is \"sparse\""};
    if (!is_sparse(m, def, &why)) return false;
    if (why.code == PLIANT_ERROR_MEMORY) return pliant__fail_memory(error, 4 * (size_t)m->header->slot_count, "a graph"), true;
    pliant__fail(error, PLIANT_ERROR_UNAVAILABLE, "%.*s; that takes sparse factors, libpliant_cholmod: without these take gauss_seidel",
                 (int)strcspn(why.message, ";"), why.message);
    return true;
}

/* Damping and stiffness are refused with the scene, so inputs must not bring them either. */
static bool takes_inputs(const pliant_model *m, const pliant_inputs *inputs, pliant_error *error)
{
    for (size_t i = 0; i < model_count(m, laws); i++)
        if (m->laws[i].count && (inputs->law[i].damping > 0 || inputs->law[i].stiffness < 1))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "newton knows no %s of constraints, and the inputs give law %zu some",
                                inputs->law[i].damping > 0 ? "damping" : "stiffness", i);
    return true;
}

const pliant__method pliant__method_newton = {.needs = PLIANT__NEEDS_LAMBDA,
                                              .takes = takes,
                                              .wants_linear = wants_linear,
                                              .takes_inputs = takes_inputs,
                                              .create = create,
                                              .destroy = destroy,
                                              .solve = solve};
