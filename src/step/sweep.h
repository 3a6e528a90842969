/* What the solver hands to a kernel that walks a batch, and the table of such kernels: the seam between step and backends. */
#ifndef PLIANT_STEP_SWEEP_H
#define PLIANT_STEP_SWEEP_H

#include "compile/model.h"

/* A law as a substep needs it; lanes copy it. See constraints/project.h. */
typedef struct pliant__law_now {
    pliant_real alpha, gamma, stiffness, low, high;
    bool        compliant, damped;
} pliant__law_now;

typedef struct pliant__sweep {
    const pliant_model    *model;
    pliant_real           *x;      /* 4 per slot: position and inverse mass */
    const pliant_real     *start;  /* 4 per slot: position at the start of the substep */
    pliant_real           *lambda; /* NULL where no law needs it and nobody asks */
    const uint16_t        *active; /* per block of packed rows, a bit each */
    const pliant__law_now *laws;
    bool                   first;            /* first iteration: lambda counts as 0 */
    bool                   softened, damped; /* rows with laws of their own may be compliant or damped, whatever their batch says */
} pliant__sweep;

/* Walks blocks [first, first + count) of a batch. */
typedef void pliant__project_function(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count);

/* Adds the residuals of blocks [first, first + count) of a batch: largest and sum, in the order of rows. */
typedef void pliant__measure_function(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count,
                                      double *largest, double *sum);

typedef struct pliant__kernels {
    uint32_t                  width;
    pliant__project_function *project[PLIANT_CONSTRAINT_COUNT];
    pliant__measure_function *measure[PLIANT_CONSTRAINT_COUNT];
} pliant__kernels;

#endif
