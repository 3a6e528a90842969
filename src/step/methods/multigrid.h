/* The hierarchy of the method multigrid: what multigrid.c builds from constraints and multigrid_levels.c works with. */
#ifndef PLIANT_STEP_METHODS_MULTIGRID_H
#define PLIANT_STEP_METHODS_MULTIGRID_H

#include "step/methods/method.h"

#define PLIANT__MG_LEVELS 12u
#define PLIANT__MG_COARSEST 64u /* so few nodes are solved by factors */

/* Where a node is. */
typedef struct pliant__mg_place {
    double at[3];  /* a particle, or the middle of an aggregate's particles that move */
    double arm[3]; /* from the middle of the aggregate that it is in */
    double count;  /* particles that move */
} pliant__mg_place;

/* A system of blocks. Level 0: a node per slot and 3 unknowns, its displacement. Above it: a node per aggregate and 6 unknowns, a displacement
 * and a small rotation about its middle. Blocks lie column by column, each column padded to `width` numbers; vectors are padded alike. */
typedef struct pliant__mg_level {
    uint32_t          count, dofs, width, blocks;
    uint32_t         *first, *column;  /* blocks of node i: [first[i], first[i + 1]), columns ascending */
    uint32_t         *diagonal;        /* per node: its block with itself */
    uint32_t         *aggregate;       /* per node: its node on the next level, or PLIANT__NONE. NULL on the last level */
    uint32_t         *target;          /* per block: what it adds to on the next level, or PLIANT__NONE */
    pliant_real      *block, *inverse; /* inverse: of the diagonal blocks */
    double           *exact;           /* blocks in full, row by row; not on level 0 */
    pliant__mg_place *place;
    pliant_real      *x, *b, *r, *d; /* a cycle: H x = b, r = b - H x, d the last change of x */
} pliant__mg_level;

typedef struct pliant__mg {
    uint32_t         levels;
    pliant__mg_level level[PLIANT__MG_LEVELS];
    double          *factor, *column; /* Cholesky factor of the last level, if it is small enough; a vector */
    bool            *still;           /* per slot: it does not move now */
    bool            *solid;           /* per slot: a tetrahedron keeps its volume there */

    /* rows: C, k and new multipliers lie as lambda does, gradients as `linearize` leaves them */
    pliant_real *C, *k, *multiplier, *gradient;
    size_t      *gradient_first, *position_first; /* per batch: where its own begin */
    uint32_t    *position; /* per lane and pair of slots (a, b) of its row: the block of level 0 that it adds to, or PLIANT__NONE */
    double      *energy;   /* per segment */
    double      *partial;  /* per task of a sum */
    double      *own;      /* per slot: xx yy zz xy yz zx of what it has of its own: mass, contacts, grabs */

    /* conjugate gradients, 4 numbers per slot */
    pliant_real *p, *q, *r, *dx, *old;

    /* what the task that is running does */
    void (*segment)(pliant_solver *s, uint32_t segment);
    void (*nodes)(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end);
    pliant__mg_level *at;
    pliant_real       before, now; /* factors of the last change and of this one */
    bool              fresh;       /* x counts as 0 */
} pliant__mg;

/* ---- multigrid_levels.c ---- */

/* Makes level 0 and all above it, from the rows of the model. False: out of memory. */
bool pliant__mg_create_levels(pliant_solver *s, pliant__mg *g);
void pliant__mg_destroy_levels(pliant_solver *s, pliant__mg *g);

/* Runs nodes(s, level, first, end) over all nodes of a level, in pieces that do not depend on who runs them. */
void pliant__mg_run(pliant_solver *s, pliant__mg_level *l, void (*nodes)(pliant_solver *, pliant__mg_level *, uint32_t, uint32_t));

/* Once the blocks of level 0 and g->own are there: all else of the hierarchy. */
void pliant__mg_prepare(pliant_solver *s);

/* One V-cycle on level 0 (the coarser ones are visited twice): level[0].x becomes about H^-1 level[0].b. Linear in b, symmetric, positive. */
void pliant__mg_cycle(pliant_solver *s);

/* y = H x, a level's own. */
void pliant__mg_product(const pliant__mg_level *l, const pliant_real *x, pliant_real *y, uint32_t first, uint32_t end);

#endif
