/* The exact constrained step: all constraints at once, by Newton's method. Here is what is alike for all graphs of constraints; newton_tree.c has
 * chains and trees; what is none, or is asked to be solved by sparse factors, has newton_net.c.
 *
 * Sought is lambda with C(x) + alpha~ lambda = 0 at x = x~ + M^-1 J^T lambda, the gradients J being those at the start of the substep (the
 * velocity step of SHAKE: Ryckaert, Ciccotti, Berendsen 1977; with v' = (x - x_start) / h it keeps the energy of a swing at large steps) or at
 * the prediction x~ (the direction of PBD's projection; Goldenthal et al. 2007, fast projection, takes new gradients in every iteration
 * instead). With J fixed, x is a function of lambda alone, and Newton's matrix J(x) M^-1 J^T + alpha~ is not symmetric.
 *
 * Newton begins at lambda = 0, and each step is halved until the sum of (C + alpha~ lambda)^2 falls, so it follows the branch of solutions that
 * begins at the prediction. The other one, where a link has turned by more than a right angle against the gradient along which it is held
 * (a rod's mirror image), is not taken. Where that branch ends there is no solution; components that have none are solved with the gradients at the
 * end, or go back to where the substep began, and the step says so.
 *
 * With the gradients at the end it is implicit Euler: x and lambda are sought together, with M (x - x~) = J(x)^T lambda as well, and Newton's
 * matrix has the forces' turning with x in it, sum of lambda d2C/dx2 (Baraff, Witkin 1998; Goldenthal et al. 2007 leave it out). That is the
 * nearest point to x~ on the constraints, which there always is where lengths can be kept at all. Its two residuals need not fall together, so
 * Newton takes whole steps there, and only where these do not get anywhere begins anew.
 *
 * Grabs and contacts are not part of the system: after the exact solve comes a sweep over them, and `iterations` of these two alternate. What
 * such a sweep moves is added to x~. */
#include "methods/newton.h"

#include "base/alloc.h"
#include "methods/tree.h"
#include "solver/guard.h"
#include "solver/interactions.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"

#include <string.h>

#define GROUP_ROWS 512u         /* per task, and whole components */
#define SHORTEST_OF_LITTLE 1e-2 /* share of a step, where little is left */

/* ---- components ---- */

static void make_groups(pliant__newton *n)
{
    uint32_t rows = GROUP_ROWS;
    for (uint32_t i = 0; i < n->count; i++) {
        if (rows >= GROUP_ROWS) {
            n->groups[n->group_count++] = i;
            rows = 0;
        }
        rows += n->kind->size_of(n, i);
    }
    n->groups[n->group_count] = n->count;
}

bool pliant__newton_make(const pliant_allocator *a, pliant__newton *n, const pliant__newton_kind *kind, uint32_t count)
{
    n->kind = kind;
    n->count = count;
    n->courses = pliant__alloc_array(a, count, sizeof *n->courses);
    n->groups = pliant__alloc_array(a, (size_t)count + 1, sizeof *n->groups);
    if (!n->courses || !n->groups) return false;
    make_groups(n);
    return true;
}

void pliant__newton_free(const pliant_allocator *a, pliant__newton *n)
{
    pliant__free(a, n->courses);
    pliant__free(a, n->groups);
}

static void work_on_group(void *solver, uint32_t group)
{
    pliant_solver  *s = solver;
    pliant__newton *n = s->own;
    for (uint32_t i = n->groups[group]; i < n->groups[group + 1]; i++) n->work(s, n, i);
}

void pliant__newton_each(pliant_solver *s, pliant__newton_work *work)
{
    pliant__newton *n = s->own;
    n->work = work;
    pliant__run(s, work_on_group, n->group_count);
}

static bool any_open(const pliant__newton *n)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (n->courses[i].is == PLIANT__COURSE_OPEN) return true;
    return false;
}

/* Whether a component is still to be solved in this substep. */
static bool any_left(const pliant__newton *n)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (n->courses[i].is == PLIANT__COURSE_OPEN || pliant__waits_for_rescue(&n->courses[i])) return true;
    return false;
}

static bool any_rough(const pliant__newton *n)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (n->courses[i].rough) return true;
    return false;
}

/* ---- the search along a step ---- */

void pliant__begin_search(pliant__course *c)
{
    c->merit = c->tried;
    c->whole = c->sum;
    c->before = c->rounds;
    c->t = 1;
    c->accepted = false;
}

bool pliant__rests(const pliant__course *c, bool whole_steps)
{
    return c->merit == 0 || (whole_steps && c->before <= PLIANT__AT_MOST && !(c->sum < c->whole));
}

bool pliant__settle_halved(pliant__course *c, bool nearly)
{
    const bool falls = c->tried <= (1 - PLIANT__ARMIJO * c->t) * c->merit, finite = c->sum - c->sum == 0;
    const bool rests = pliant__rests(c, c->whole_steps);
    if (c->t == 0 || (c->merit == 0 && c->sum < c->whole)) c->is = PLIANT__COURSE_SOLVED;
    if (c->is == PLIANT__COURSE_SOLVED || (!rests && (falls || (c->whole_steps && finite)))) return c->accepted = true;
    c->t = rests || c->t < (nearly ? SHORTEST_OF_LITTLE : PLIANT__SHORTEST) ? 0 : c->t / 2;
    if (c->t == 0 && !rests && !nearly && c->before > PLIANT__AT_MOST) c->is = PLIANT__COURSE_UNSOLVED;
    return c->is != PLIANT__COURSE_OPEN;
}

/* ---- Newton ---- */

static void linearize_patch(void *solver, uint32_t patch)
{
    const pliant_solver  *s = solver;
    const pliant__newton *n = s->own;
    pliant__linearize_patch(s, &s->sweep, patch, &n->rows);
}

void pliant__newton_linearize(pliant_solver *s, pliant_real *x)
{
    pliant__begin_sweep(s, false);
    s->sweep.x = x;
    pliant__run(s, linearize_patch, (uint32_t)model_count(s->model, patches));
}

void pliant__newton_try(pliant_solver *s)
{
    const pliant__newton *n = s->own;
    pliant__newton_each(s, n->kind->put);
    pliant__newton_linearize(s, s->state->x);
    pliant__newton_each(s, n->kind->look);
}

/* Whether every component's step is settled. */
static bool settle(pliant__newton *n)
{
    bool settled = true;
    for (uint32_t i = 0; i < n->count; i++) {
        pliant__course *c = &n->courses[i];
        if (c->is == PLIANT__COURSE_OPEN && !c->accepted) settled = n->kind->settle(n, c) && settled;
    }
    return settled;
}

void pliant__newton_steps(pliant_solver *s, pliant__newton *n, uint32_t *done)
{
    for (uint32_t step = 0; step < n->kind->most_steps && !s->enough; step++) {
        if (n->kind->begin_again(s, n, step)) pliant__newton_try(s);
        pliant__newton_each(s, n->kind->aim);
        if (!any_open(n)) return;
        do {
            pliant__newton_try(s);
        } while (!settle(n));
        pliant__newton_each(s, n->kind->keep);
        pliant__go_on(s, ++*done);
    }
    for (uint32_t i = 0; i < n->count && !s->enough; i++)
        if (n->courses[i].is == PLIANT__COURSE_OPEN) n->courses[i].is = PLIANT__COURSE_UNSOLVED;
}

/* ---- the iterations ---- */

/* Components that are not solved go back to where the substep began, and the step says so. */
static void give_up(pliant_solver *s, pliant__newton *n)
{
    for (uint32_t i = 0; i < n->count; i++) {
        const uint32_t slot = n->courses[i].is != PLIANT__COURSE_OPEN ? n->kind->give_up(s, n, i) : PLIANT__NONE;
        if (slot != PLIANT__NONE) pliant__note_unsolved(s, slot);
    }
}

static void solve(pliant_solver *s)
{
    pliant__newton *n = s->own;
    uint32_t        done = 0;
    bool            fell = false;
    pliant__newton_linearize(s, s->method.gradients == PLIANT_GRADIENTS_START ? s->start : s->state->x);
    pliant__newton_each(s, n->kind->begin);
    if (!pliant__go_on(s, 0)) return;
    for (uint32_t i = 0; i < s->iterations && !s->enough && (i == 0 || any_left(n)); i++) {
        pliant__newton_try(s);
        pliant__newton_steps(s, n, &done);
        fell = n->kind->fall_back(s, n, &done) || any_rough(n) || fell;
        give_up(s, n);
        if (!s->interacting) break;
        pliant__project_interactions(s, i == 0);
        pliant__newton_each(s, n->kind->follow);
    }
    s->statistics.fallback_substeps += fell;
}

/* ---- memory ---- */

static bool is_sparse(const pliant_model *m, const pliant_method_def *def, pliant_error *error)
{
    return def->linear == PLIANT_LINEAR_SPARSE || (def->linear == PLIANT_LINEAR_AUTO && !pliant__trees_take(m, "newton", error));
}

static bool create(pliant_solver *s, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    const bool   sparse = is_sparse(s->model, &s->method, &why);
    if (why.code == PLIANT_ERROR_MEMORY)
        return pliant__fail_memory(error, s->model->header->packed_rows * sizeof(pliant__link), "a tree of constraints");
    s->own = (sparse ? pliant__newton_net_create : pliant__newton_trees_create)(s, error);
    return s->own != NULL;
}

static void destroy(pliant_solver *s)
{
    pliant__newton *n = s->own;
    if (n) n->kind->destroy(s, n);
    s->own = NULL;
}

/* ---- what it takes ---- */

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
