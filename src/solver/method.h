/* What a method is to the step: a file of src/methods, and a row in pliant/methods.h. */
#ifndef PLIANT_SOLVER_METHOD_H
#define PLIANT_SOLVER_METHOD_H

#include "base/error.h"
#include "solver/solver.h"
#include "solver/sweep.h"

typedef struct pliant__method {
    uint32_t needs;      /* pliant__need bits */
    bool     walks_once; /* an iteration is one walk over the patches that projects each row once, and what a sweep does beside patches */
    uint32_t
         takes_groups;   /* a bit per pliant_group_over that it takes: a sweep of it ends with a sweep of interactions, groups among them */
    bool takes_flow;     /* it has rows' parameters as they are now, and no copies of them */
    bool takes_stitches; /* likewise, and x is only moved, so that what stitches have pulled stays theirs */
    bool takes_tears;    /* it keeps nothing of which rows have which particles */
    bool takes_breaks;   /* multipliers are forces when a substep ends, and it looks anew in each which rows are active */
    bool extrapolates;   /* contacts keep what they have done an iteration and two ago */
    /* Whether it can solve a model, with the reason if not. NULL: it can solve every one. */
    bool (*takes)(const pliant_model *model, const pliant_method_def *def, pliant_error *error);
    /* Whether it wants the host's linear solver for a model that it takes, with the reason. NULL: never. */
    bool (*wants_linear)(const pliant_model *model, const pliant_method_def *def, pliant_error *error);
    /* Whether it can do a step with these inputs, with the reason if not. NULL: with any. */
    bool (*takes_inputs)(const pliant_model *model, const pliant_inputs *inputs, pliant_error *error);
    /* Makes and frees s->method_data. NULL: it has no memory of its own. */
    bool (*create)(pliant_solver *s, pliant_error *error);
    void (*destroy)(pliant_solver *s);
    /* The iterations of one substep: x is predicted and contacts are found when it begins. */
    void (*solve)(pliant_solver *s);
} pliant__method;

/* What a sweep of Gauss-Seidel or Jacobi may end with. */
#define PLIANT__TAKES_FACES (1u << PLIANT_OVER_FACES)
#define PLIANT__TAKES_MEMBERS (1u << PLIANT_OVER_MEMBERS)

/* What is there for a method that asks for it. */
enum pliant__need {
    PLIANT__NEEDS_SUM = 1,       /* s->sum: what a walk gathers */
    PLIANT__NEEDS_PREDICTED = 2, /* s->predicted: x as the substep's iterations find it */
    PLIANT__NEEDS_LAMBDA = 4     /* s->lambda is kept, 0 at the start of the substep */
};

const pliant__method *pliant__method_of(pliant_method method);

/* ---- what methods are made of (sweep.c, walk.c, residuals.c) ---- */

/* Sets s->sweep for one more walk over the patches; `first`: lambda counts as 0. */
void pliant__begin_sweep(pliant_solver *s, bool first);

/* Moves x, row after row of each wave; or gathers into s->sum. */
void pliant__walk_projecting(pliant_solver *s);
void pliant__walk_gathering(pliant_solver *s, enum pliant__gathering gathering);

/* A sweep of Gauss-Seidel: all of the above. */
void pliant__sweep_gauss_seidel(pliant_solver *s, bool first);

/* A sweep of Jacobi, by the averaging of s->method (jacobi.c). */
void pliant__sweep_jacobi(pliant_solver *s, bool first);

/* Called after each iteration, `done` of them so far: tells the user's trace; false if the user has had enough. */
bool pliant__go_on(pliant_solver *s, uint32_t done);

#endif
