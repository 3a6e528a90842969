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
#define PLIANT__ROUNDINGS 16   /* what is no more than so many roundings of the terms of C does not count as left */
#define PLIANT__AT_MOST 1024.0 /* and where nothing falls any more, no more than so many */

typedef enum pliant__outcome { PLIANT__COURSE_OPEN, PLIANT__COURSE_SOLVED, PLIANT__COURSE_UNSOLVED } pliant__outcome;

/* How far a component is. Sums are of squares of what is left: of a tree with fixed gradients in m^2, else weighed by masses and responses, in
 * kg m^2. */
typedef struct pliant__course {
    pliant__outcome is;
    bool            accepted;        /* in the search along this step */
    double          t;               /* share of the step that is tried */
    double          merit, tried;    /* sum over what is more than rounding: where the step begins, and at t */
    double          sum_before, sum; /* sum over all: likewise */
    double          before, rounds;  /* the largest of what is left, in roundings: likewise */
    double          largest;         /* at t, as a share of the size or unit */

    /* trees */
    bool implicit;    /* gradients at the end: as the method says, or for want of a solution */
    bool whole_steps; /* no search */

    /* islands of nets */
    bool     factored;       /* gradients fixed: once in a substep */
    bool     depends;        /* gradients fixed: rows depend on others */
    bool     resigned;       /* implicit: the last loan is for good */
    bool     fell;           /* gradients fixed: no solution in this substep, so `rescue` has it */
    bool     lost;           /* and there is none with `rescue` either */
    bool     rough;          /* implicit: the last loan has left more than NEARLY */
    bool     anew;           /* implicit: back to the prediction before the next step */
    uint32_t loan, taken;    /* implicit: 0: none yet; up to LOANS; then none any more. Steps taken with it */
    uint32_t wait, straight; /* implicit: steps until the whole of the turning is tried again, and how many there were last */
    uint32_t stalls;         /* steps in a row that have hardly lessened what is left */
    double   lent;
    double   least;       /* `largest` where the step begins */
    double   first;       /* sum with the loan, where it began */
    double   energy, now; /* with a loan: where the step begins, and at t */
    double   slope;       /* of the energy */
} pliant__course;

typedef struct pliant__newton pliant__newton;

/* What is done with one component, on any thread. */
typedef void pliant__newton_work(pliant_solver *s, pliant__newton *n, uint32_t component);

typedef struct pliant__newton_kind {
    uint32_t             most_steps;
    pliant__newton_work *begin;  /* a substep: x~, weights, lambda = 0, and from the rows the gradients along which forces act */
    pliant__newton_work *put;    /* x and lambda where the step has gone the share t, for kernels and callbacks */
    pliant__newton_work *look;   /* what is left there, from the rows */
    pliant__newton_work *aim;    /* the next step, unless none is needed */
    pliant__newton_work *keep;   /* where a step has gone is where the next one begins */
    pliant__newton_work *follow; /* what a sweep over grabs and contacts has moved is as if it had been predicted so */
    uint32_t (*size_of)(const pliant__newton *n, uint32_t component); /* rows, about */
    /* Before a step, this one of so many: sends those back to the prediction that get nowhere. Whether there are any. */
    bool (*begin_again)(pliant_solver *s, pliant__newton *n, uint32_t step);
    /* Whether a component's step is settled; else another share of it is to be tried. */
    bool (*settle)(const pliant__newton *n, pliant__course *c);
    /* Components that have no solution with gradients of the start or the prediction are solved with those of the end. Whether there are any. */
    bool (*fall_back)(pliant_solver *s, pliant__newton *n, uint32_t *done);
    /* A component without a solution, or with a mirrored one, goes back to where the substep began. Returns a slot in it, or PLIANT__NONE. */
    uint32_t (*give_up)(pliant_solver *s, pliant__newton *n, uint32_t component);
    void (*destroy)(pliant_solver *s, pliant__newton *n);
} pliant__newton_kind;

/* The first field of what a kind has; s->method_data is the one that is being solved. */
struct pliant__newton {
    const pliant__newton_kind *kind;
    pliant__linear_rows        rows;
    pliant__course            *courses; /* per component */
    uint32_t                   count;
    uint32_t                  *groups; /* first component of each, and one more */
    uint32_t                   group_count;
    pliant__newton_work       *work; /* of the task that is running */
};

/* ---- newton_search.c ---- */

/* Room for the courses of so many components; false if out of memory. */
bool pliant__newton_make(const pliant_allocator *a, pliant__newton *n, const pliant__newton_kind *kind, uint32_t count);
void pliant__newton_free(const pliant_allocator *a, pliant__newton *n);

/* Runs work(s, s->method_data, component) for every component. */
void pliant__newton_each(pliant_solver *s, pliant__newton_work *work);

/* Rows of s->method_data at `x`, 4 per slot. */
void pliant__newton_linearize(pliant_solver *s, pliant_real *x);

/* Puts x where steps have gone, and looks at what is left there. */
void pliant__newton_try(pliant_solver *s);

/* Newton steps until every component is settled. x and what is left there are known when it begins; `done` counts steps. */
void pliant__newton_steps(pliant_solver *s, pliant__newton *n, uint32_t *done);

/* A step begins where what was last looked at is. */
void pliant__begin_search(pliant__course *c);

/* Whether only rounding is left where the step begins, which this step does not lessen. */
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

/* A particle that a sweep has moved since `x` was put: takes base and from along. Whether it was moved. */
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
