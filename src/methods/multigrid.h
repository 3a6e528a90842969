/* The hierarchy of the method multigrid: what multigrid.c builds from constraints and multigrid_levels.c works with. */
#ifndef PLIANT_METHODS_MULTIGRID_H
#define PLIANT_METHODS_MULTIGRID_H

#include "solver/method.h"

#define PLIANT__MG_LEVELS 12u
#define PLIANT__MG_COARSEST 64u /* so few nodes are solved by factors */

#define PLIANT__MG_BAD 0.5 /* r.z that is left per cycle, on average: coarse matrices that leave more are made anew */

/* Where a node is. */
typedef struct pliant__mg_place {
    double at[3];  /* a particle, or the middle of an aggregate's particles that move */
    double arm[3]; /* from the middle of the aggregate that it is in */
    double count;  /* particles that move */
} pliant__mg_place;

/* Particles that rows link and of which none is held, nor any row bound to the frame. */
typedef struct pliant__mg_piece {
    uint32_t first, count;         /* of piece_slot */
    bool     moves;                /* all of it, now */
    double   middle[3], wrench[6]; /* where its mass is; force and torque about there of what pulls beside rows */
    double   turning[36];          /* torques of taut rows for a turn of all of it */
} pliant__mg_piece;

/* A system of blocks. Level 0: a node per slot and 3 unknowns, its displacement. Above it: a node per aggregate and 6 unknowns, a displacement
 * and a small rotation about its middle, or, of multipliers, the six numbers of a stress. Blocks lie column by column, each column padded to `width` numbers; vectors are padded alike. */
typedef struct pliant__mg_level {
    uint32_t          count, dofs, width, blocks;
    uint32_t         *first, *column;  /* blocks of node i: [first[i], first[i + 1]), columns ascending */
    uint32_t         *diagonal;        /* per node: its block with itself */
    uint32_t         *aggregate;       /* per node: its node on the next level, or PLIANT__NONE. NULL on the last level */
    uint32_t         *visited;         /* nodes in the order in which aggregates are looked for, or NULL: as they are */
    uint32_t         *target;          /* per block: what it adds to on the next level, or PLIANT__NONE */
    pliant_real      *block, *inverse; /* inverse: of the diagonal blocks */
    double           *exact;           /* blocks in full, row by row; not on level 0 */
    pliant__mg_place *place;
    pliant_real      *x, *b, *r, *d; /* a cycle: H x = b, r = b - H x, d the last change of x */
    double            highest;       /* no eigenvalue of D^-1 H is above it */
} pliant__mg_level;

/* The system of multipliers: multigrid_multipliers.c. Numbers per row lie as lambda does. */
typedef struct pliant__mg_multipliers {
    pliant__mg_level   rows;                /* aggregate, inverse, x, b, r, d: one number each; no matrix */
    pliant_real       *stress;              /* 6 per row: sum of grad x^T at rest, xx + yy + zz, xx - yy, yy - zz, xy yz zx */
    pliant_real       *column;              /* 6 per row: its row of P, stress times k times one factor */
    pliant_real       *p, *q, *sum;         /* conjugate gradients: direction, A direction, solution */
    size_t            *patch_from;          /* per batch: where its own of patch_of begin */
    uint32_t          *patch_of;            /* per lane and slot of its row: the patch that it adds to, or PLIANT__NONE */
    uint32_t          *patch_first, *patch; /* patches of slot i: [patch_first[i], patch_first[i + 1]), the aggregates of its rows */
    double            *patch_force;         /* 6 x 3 per patch: forces on the slot of the aggregate's six stresses */
    double            *mobility;            /* 9 per slot: inverse of what it has of its own */
    double            *spread;              /* 6 per slot: S of multigrid_multipliers.c */
    double            *partial;             /* per task of a sum over rows */
    pliant_real       *push;                /* 4 per slot: J^T in, then times the mobility */
    const pliant_real *in;                  /* what is multiplied, */
    pliant_real       *out;                 /* and where to */
} pliant__mg_multipliers;

typedef struct pliant__mg {
    uint32_t                levels;
    pliant__mg_multipliers *multipliers; /* NULL: displacements are solved for, and level 0 has a matrix */
    pliant__mg_level        level[PLIANT__MG_LEVELS];
    double                 *factor, *column; /* Cholesky factor of the last level, if it is small enough; a vector */
    bool                   *still;           /* per slot: it does not move now */
    bool                   *solid;           /* per slot: a tetrahedron keeps its volume there */
    bool sweeps; /* once, in the end: of sheets and ropes, as of contacts, what is not solved to the end would be speed */

    /* rows: C, k and new multipliers lie as lambda does, gradients as `linearize` leaves them */
    pliant_real      *C, *k, *multiplier, *gradient;
    uint32_t         *slot;                                         /* of rows, in blocks, by their numbers in the model */
    size_t           *slot_first, *gradient_first, *position_first; /* per batch: where its own begin */
    uint32_t         *position; /* per lane and pair of slots (a, b) of its row: the block of level 0 that it adds to, or PLIANT__NONE */
    double           *energy;   /* per patch */
    double           *partial;  /* per task of a sum */
    pliant__mg_piece *piece;
    uint32_t         *piece_slot, piece_count; /* slots, piece after piece */
    uint32_t         *piece_of;                /* per slot: its piece, or PLIANT__NONE */
    double           *own;                     /* per slot: xx yy zz xy yz zx of what it has of its own: mass, contacts, grabs */

    /* conjugate gradients, 4 numbers per slot */
    pliant_real *p, *q, *r, *dx, *old;

    /* what the task that is running does */
    void (*nodes)(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end);
    pliant__mg_level *at;
    pliant_real       before, now; /* factors of the last change and of this one */
    bool              fresh;       /* x counts as 0 */
    bool              stale;       /* coarse matrices are to be made anew */
} pliant__mg;

/* Where a batch's block of rows has its numbers. */
typedef struct pliant__mg_rows {
    const pliant__batch *batch;
    const uint32_t      *slot;     /* slot n of a lane: [n * 16 + lane] */
    const uint32_t      *position; /* (a, b) of a lane: [(a * slots + b) * 16 + lane]; NULL for multipliers */
    pliant_real         *gradient; /* coordinate c of row r and slot n: [((r * slots + n) * 3 + c) * 16 + lane] */
    size_t               lambda;   /* row r: [r * 16 + lane] */
    uint32_t             slots, count, first, lanes;
} pliant__mg_rows;

/* ---- multigrid_rows.c ---- */

pliant__mg_rows pliant__mg_rows_at(const pliant_solver *s, uint32_t batch, uint32_t block);

/* ---- multigrid_taut.c ---- */

#define PLIANT__MG_PAIR (6u * PLIANT__BLOCK) /* gradients of a row of two slots, one lane of a block */

/* The stiffness of a taut distance across itself, and the gradients, from lane 0 on, of the two rows that it is there; 0: of a row that has none. For
 * rows that count. */
double pliant__mg_find_taut(const pliant_solver *s, const pliant__mg_rows *in, uint32_t lane, pliant_real across[2][PLIANT__MG_PAIR]);

/* ---- multigrid_pieces.c ---- */

/* False: out of memory. */
bool pliant__mg_create_pieces(pliant_solver *s, pliant__mg *g);
void pliant__mg_destroy_pieces(pliant_solver *s, pliant__mg *g);

/* While g->r is what all pulls but rows. */
void pliant__mg_weigh_pieces(pliant_solver *s);

/* dx of each piece gets the rigid motion that it lacks. */
void pliant__mg_move_pieces(pliant_solver *s);

/* ---- multigrid_stresses.c ---- */

/* Makes the levels above the rows. False: out of memory. */
bool pliant__mg_create_multipliers(pliant_solver *s, pliant__mg *g);
void pliant__mg_destroy_multipliers(pliant_solver *s, pliant__mg *g);

/* ---- multigrid_multipliers.c ---- */

#define PLIANT__MG_TASK_ROWS 4096u /* of a sum over rows */

/* From g->C, g->k, gradients, g->own, and g->r = all forces but those of constraints: g->multiplier and g->dx. */
void pliant__mg_solve_multipliers(pliant_solver *s);

/* One V-cycle on the rows (coarser levels as below): multipliers->rows.x becomes about A^-1 rows.b. */
void pliant__mg_cycle_rows(pliant_solver *s);

/* q = (J own^-1 J^T + 1 / k) p, and 0 for rows that do not count. */
void pliant__mg_multiply_rows(pliant_solver *s, const pliant_real *p, pliant_real *q);

/* ---- multigrid_levels.c ---- */

typedef struct pliant__mg_link {
    uint32_t from, to;
} pliant__mg_link;

/* A level of `count` nodes with the blocks that `links` name, each once or more; every node is linked to itself. */
bool pliant__mg_make_level(const pliant_allocator *a, pliant__mg_level *l, uint32_t count, uint32_t dofs, pliant__mg_link *links,
                           size_t link_count);
void pliant__mg_free_level(const pliant_allocator *a, pliant__mg_level *l);

/* All levels above the last one there is. */
bool pliant__mg_make_coarser(pliant_solver *s, pliant__mg *g, pliant__mg_link *links);

/* The block (i, j), which is there. */
uint32_t pliant__mg_find_block(const pliant__mg_level *l, uint32_t i, uint32_t j);

/* From the upper half of level 1: the lower half, and all levels from there on. */
void pliant__mg_prepare_coarse(pliant_solver *s);

/* One cycle on this level: x becomes about H^-1 b. */
void pliant__mg_cycle_on(pliant_solver *s, uint32_t level);

/* The inverse of a symmetric n x n matrix that has no negative direction; directions that it does not resist get 0. n <= 6. */
void pliant__mg_invert(uint32_t n, const double *a, double *out);

/* Adds force and torque of a force at the end of `arm`. */
void pliant__mg_add_wrench(double to[6], const double arm[3], const double f[3]);

/* g->own of a slot as a matrix. */
void pliant__mg_own_matrix(const double *own, double m[9]);

/* Makes level 0 and all above it, from the rows of the model. False: out of memory. */
bool pliant__mg_create_levels(pliant_solver *s, pliant__mg *g);
void pliant__mg_destroy_levels(pliant_solver *s, pliant__mg *g);

/* Runs nodes(s, level, first, end) over all nodes of a level, in pieces that do not depend on how many threads run them. */
void pliant__mg_run(pliant_solver *s, pliant__mg_level *l, void (*nodes)(pliant_solver *, pliant__mg_level *, uint32_t, uint32_t));

/* Once the blocks of level 0 and g->own are there: all else of level 0, and if the coarse levels are stale, they. */
void pliant__mg_prepare(pliant_solver *s);

/* One V-cycle on level 0 (the coarser ones are visited twice): level[0].x becomes about H^-1 level[0].b. Linear in b, symmetric, positive. */
void pliant__mg_cycle(pliant_solver *s);

/* y = H x, a level's own. */
void pliant__mg_product(const pliant__mg_level *l, const pliant_real *x, pliant_real *y, uint32_t first, uint32_t end);

#endif
