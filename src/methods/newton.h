/* Newton's method, the exact constrained step: what trees (newton_tree.c) and nets (newton_net.c) do alike (newton_search.c, newton.c).
 *
 * A component is what hangs together by constraints: a tree, or an island of a net. Each is solved by itself, so what else is in the scene changes
 * no bit of it. A kind says what components are made of and how the linear system of a step is solved; the walk over components, the search along
 * a step and the iterations are one text. */
#ifndef PLIANT_METHODS_NEWTON_H
#define PLIANT_METHODS_NEWTON_H

#include "methods/linear_rows.h"
#include "solver/method.h"
#include "solver/solver.h"

#include <float.h>
#include <math.h>

#define PLIANT__ARMIJO 1e-4
#define PLIANT__SHORTEST 1e-10 /* share of a step */
#ifdef PLIANT_DOUBLE
#define PLIANT__ROUNDING DBL_EPSILON
#else
#define PLIANT__ROUNDING ((double)FLT_EPSILON)
#endif
#define PLIANT__ROUNDINGS 16   /* a C that is no more than so many roundings of its terms counts as 0 */
#define PLIANT__AT_MOST 1024.0 /* the same where no step makes the sum of squares smaller any more */

typedef enum pliant__outcome { PLIANT__COURSE_OPEN, PLIANT__COURSE_SOLVED, PLIANT__COURSE_UNSOLVED } pliant__outcome;

/* How far the solution of a component has come. What is left of a row, or of a particle's balance of forces, is how far it is from 0; sums are of squares of
 * that: of a tree with fixed gradients in m^2, else weighed by masses and responses, in kg m^2. */
typedef struct pliant__course {
    pliant__outcome is;
    bool            accepted;        /* the share t of this step is taken: the search has ended */
    double          t;               /* share of the step that is tried */
    double          merit, tried;    /* sum over all of which more than rounding is left: where the step begins, and at t */
    double          sum_before, sum; /* sum over all: likewise */
    double          before, rounds;  /* the most that is left of one, in roundings: likewise */
    double          largest;         /* the most that is left of one at t, as a share of its size or unit */

    /* trees */
    bool implicit;    /* gradients at the end: as the method says, or for want of a solution */
    bool whole_steps; /* no search */

    /* islands of nets */
    bool     factored;    /* gradients fixed: the matrix of this substep has been factored */
    bool     depends;     /* gradients fixed: rows were found to depend on others */
    bool     resigned;    /* implicit: steps without a loan have failed, so the last loan is not taken back */
    bool     fell;        /* gradients fixed: the island has no solution in this substep, so `rescue` solves it */
    bool     lost;        /* `rescue` has found none either */
    bool     rough;       /* implicit: with the last loan more than NEARLY is left, but no more than ROUGHLY */
    bool     anew;        /* implicit: whole steps have failed; the island goes back to the prediction before the next step */
    uint32_t loan, taken; /* implicit: number of the loan, 0 before the first and LOANS + 1 after the last; steps taken with it */
    uint32_t wait,
        straight;         /* implicit: steps until the whole of the forces' turning is tried again, and how long that wait was at first */
    uint32_t stalls;      /* steps in a row, each of which has left more than half of the sum `merit` */
    double   lent;        /* implicit: the compliance that rows are lent, as a share of their responses */
    double   least;       /* `largest` where the step begins */
    double   first;       /* `sum` where the first step with this loan began */
    double   energy, now; /* kg m^2, with a loan: E of newton_net.c where the step begins, and at t */
    double   slope;       /* of E along the step */
} pliant__course;

typedef struct pliant__newton pliant__newton;

/* What is done with one component, on any thread. */
typedef void pliant__newton_work(pliant_solver *s, pliant__newton *n, uint32_t component);

typedef struct pliant__newton_kind {
    uint32_t             most_steps;
    pliant__newton_work *begin;  /* begins a substep: x~, weights, lambda = 0, and from the rows the gradients along which forces act */
    pliant__newton_work *put;    /* sets x and lambda to the share t of the step, for kernels and callbacks */
    pliant__newton_work *look;   /* sums up what is left there, from the rows */
    pliant__newton_work *aim;    /* finds the next step, unless none is needed */
    pliant__newton_work *keep;   /* takes the share t of the step: the next one begins there */
    pliant__newton_work *follow; /* adds to the prediction what a sweep over grabs and contacts has moved */
    uint32_t (*size_of)(const pliant__newton *n, uint32_t component); /* about how many rows a component has */
    /* Before step number `step` of a substep: sends components back to the prediction that get nowhere. Returns whether there are any. */
    bool (*begin_again)(pliant_solver *s, pliant__newton *n, uint32_t step);
    /* Whether a component's step is settled; else another share of it is to be tried. */
    bool (*settle)(const pliant__newton *n, pliant__course *c);
    /* Components that have no solution with gradients of the start or the prediction are solved with those of the end. Whether there are any. */
    bool (*fall_back)(pliant_solver *s, pliant__newton *n, uint32_t *done);
    /* A component without a solution, or with a mirrored one, goes back to where the substep began. Returns a slot in it, or PLIANT__NONE. */
    uint32_t (*give_up)(pliant_solver *s, pliant__newton *n, uint32_t component);
    void (*destroy)(pliant_solver *s, pliant__newton *n);
} pliant__newton_kind;

/* What both kinds have; a kind's own struct begins with it. s->method_data is the one that is being solved. */
struct pliant__newton {
    const pliant__newton_kind *kind;
    pliant__linear_rows        rows;
    pliant__course            *courses; /* per component */
    uint32_t                   count;
    uint32_t                  *groups; /* per group of components, which is one task, and one more: its first component */
    uint32_t                   group_count;
    pliant__newton_work       *work; /* what the tasks that are running do with each component */
};

/* ---- newton_search.c ---- */

/* Room for the courses of so many components; false if out of memory. */
bool pliant__newton_make(const pliant_allocator *a, pliant__newton *n, const pliant__newton_kind *kind, uint32_t count);
void pliant__newton_free(const pliant_allocator *a, pliant__newton *n);

/* Runs work(s, s->method_data, component) for every component. */
void pliant__newton_each(pliant_solver *s, pliant__newton_work *work);

/* Evaluates all rows at the positions `x` (4 numbers per slot): C and gradients in s->method_data's `rows`. */
void pliant__newton_linearize(pliant_solver *s, pliant_real *x);

/* Puts x and lambda of every component to the share t of its step, evaluates the rows, and sums up what is left. */
void pliant__newton_try(pliant_solver *s);

/* Takes Newton steps until every component is solved or has no solution. pliant__newton_try has been called before; `done` counts steps. */
void pliant__newton_steps(pliant_solver *s, pliant__newton *n, uint32_t *done);

/* Begins the search along a step: what was left at t when it was last summed up is what is left where the step begins. */
void pliant__begin_search(pliant__course *c);

/* Whether no more than rounding is left where the step begins. `whole_steps`: also if somewhat more is left (PLIANT__AT_MOST), but the step does not lessen it. */
bool pliant__rests(const pliant__course *c, bool whole_steps);

/* The step is halved until what is left falls, or, in whole steps, until it is finite; `nearly`: hardly anything is left, and a hundredth of a step is
 * short enough. Where only rounding is left, one step more is taken for as much of it as that may mend. */
bool pliant__settle_halved(pliant__course *c, bool nearly);

/* Whether an island waits for gradients at the end. */
static inline bool pliant__waits_for_rescue(const pliant__course *c) { return c->is == PLIANT__COURSE_UNSOLVED && c->fell && !c->lost; }

static inline double pliant__largest_of(const double a[3]) { return fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2]))); }

/* Adds what is left of a row or a particle: `unit`, what its share is of; `scale`, the size of the terms that it is the difference of. */
static inline void pliant__count_left(pliant__course *c, double left, double weight, double unit, double scale)
{
    const double square = left * left * weight, rounds = fabs(left) / (PLIANT__ROUNDING * scale);
    c->sum += square;
    c->tried += rounds <= PLIANT__ROUNDINGS ? 0 : square;
    c->largest = fmax(c->largest, fabs(left) / unit);
    c->rounds = fmax(c->rounds, rounds);
}

/* Moves `base` and `from` of a particle by what a sweep has moved it since `x` was put. Returns whether it has moved it. */
static inline bool pliant__follow_slot(const pliant_solver *s, uint32_t slot, const double x[3], double base[3], double from[3])
{
    const pliant_real *now = PLIANT__SLOT(s->state->x, slot);
    bool               moved = false;
    for (int c = 0; c < 3; c++) {
        const double by = (double)now[c] - (double)(pliant_real)x[c];
        base[c] += by;
        from[c] += by;
        moved = moved || by != 0;
    }
    return moved;
}

/* ---- newton_tree.c, newton_net.c ---- */

/* Made with the solver's settings, and its linear solver; NULL with an error. */
pliant__newton *pliant__newton_trees_create(pliant_solver *s, pliant_error *error);
pliant__newton *pliant__newton_net_create(pliant_solver *s, pliant_error *error);

#endif
