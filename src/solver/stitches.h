/* What the interaction of stitches keeps: step/stitches.c. */
#ifndef PLIANT_SOLVER_STITCHES_H
#define PLIANT_SOLVER_STITCHES_H

#include <stdbool.h>
#include <stdint.h>

/* A stitch in a substep. */
typedef struct pliant__stitch_now {
    bool   pulls;          /* in this substep: its time has come, it is whole, and its bodies are on */
    double before, length; /* m, how long it is when the substep begins, and when it ends */
    double lambda;         /* N s^2, tension times -h^2 */
} pliant__stitch_now;

typedef struct pliant__stitches {
    pliant__stitch_now *of;      /* per stitch */
    uint32_t            sweeps;  /* so often each stitch is solved in a sweep */
    bool               *changes; /* per call: in this substep some of its stitches begin, end or become shorter */
} pliant__stitches;

#endif
