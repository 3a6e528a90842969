/* The exact constrained step: all constraints at once, by Newton's method. Here are the iterations, alike for all graphs of
 * constraints; newton_search.c has the steps of one, newton_tree.c chains and trees, newton_net.c what is none or is to be solved by sparse factors.
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

#include "methods/tree.h"
#include "solver/guard.h"
#include "solver/interactions.h"
#include "state/inputs.h"

#include <string.h>

/* ---- the iterations ---- */

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
    pliant__newton *n = s->method_data;
    uint32_t        done = 0;
    bool            fell = false;
    pliant__newton_linearize(s, s->method.gradients == PLIANT_GRADIENTS_START ? s->start : s->state->x);
    pliant__newton_each(s, n->kind->begin);
    if (!pliant__go_on(s, 0)) return;
    for (uint32_t i = 0; i < s->iterations && !s->stopped && (i == 0 || any_left(n)); i++) {
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
    s->method_data = (sparse ? pliant__newton_net_create : pliant__newton_trees_create)(s, error);
    return s->method_data != NULL;
}

static void destroy(pliant_solver *s)
{
    pliant__newton *n = s->method_data;
    if (n) n->kind->destroy(s, n);
    s->method_data = NULL;
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
