/* Newton's steps for all components at once: the walk over components, and the search along a step. What a step is, a kind says (methods/newton.h). */
#include "base/alloc.h"
#include "methods/newton.h"
#include "solver/tasks.h"
#include "state/state.h"

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
    pliant__newton *n = s->method_data;
    for (uint32_t i = n->groups[group]; i < n->groups[group + 1]; i++) n->work(s, n, i);
}

void pliant__newton_each(pliant_solver *s, pliant__newton_work *work)
{
    pliant__newton *n = s->method_data;
    n->work = work;
    pliant__run(s, work_on_group, n->group_count);
}

static bool any_open(const pliant__newton *n)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (n->courses[i].is == PLIANT__COURSE_OPEN) return true;
    return false;
}

/* ---- the search along a step ---- */

void pliant__begin_search(pliant__course *c)
{
    c->merit = c->tried;
    c->sum_before = c->sum;
    c->before = c->rounds;
    c->t = 1;
    c->accepted = false;
}

bool pliant__rests(const pliant__course *c, bool whole_steps)
{
    return c->merit == 0 || (whole_steps && c->before <= PLIANT__AT_MOST && !(c->sum < c->sum_before));
}

bool pliant__settle_halved(pliant__course *c, bool nearly)
{
    const bool falls = c->tried <= (1 - PLIANT__ARMIJO * c->t) * c->merit, finite = c->sum - c->sum == 0;
    const bool rests = pliant__rests(c, c->whole_steps);
    if (c->t == 0 || (c->merit == 0 && c->sum < c->sum_before)) c->is = PLIANT__COURSE_SOLVED;
    if (c->is == PLIANT__COURSE_SOLVED || (!rests && (falls || (c->whole_steps && finite)))) return c->accepted = true;
    c->t = rests || c->t < (nearly ? SHORTEST_OF_LITTLE : PLIANT__SHORTEST) ? 0 : c->t / 2;
    if (c->t == 0 && !rests && !nearly && c->before > PLIANT__AT_MOST) c->is = PLIANT__COURSE_UNSOLVED;
    return c->is != PLIANT__COURSE_OPEN;
}

/* ---- Newton ---- */

static void linearize_patch(void *solver, uint32_t patch)
{
    const pliant_solver  *s = solver;
    const pliant__newton *n = s->method_data;
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
    const pliant__newton *n = s->method_data;
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
    for (uint32_t step = 0; step < n->kind->most_steps && !s->stopped; step++) {
        if (n->kind->begin_again(s, n, step)) pliant__newton_try(s);
        pliant__newton_each(s, n->kind->aim);
        if (!any_open(n)) return;
        do {
            pliant__newton_try(s);
        } while (!settle(n));
        pliant__newton_each(s, n->kind->keep);
        pliant__go_on(s, ++*done);
    }
    for (uint32_t i = 0; i < n->count && !s->stopped; i++)
        if (n->courses[i].is == PLIANT__COURSE_OPEN) n->courses[i].is = PLIANT__COURSE_UNSOLVED;
}
