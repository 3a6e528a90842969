/* The hierarchy of the method multigrid: what multigrid.c builds from constraints and multigrid_levels.c works with. */
#ifndef PLIANT_METHODS_MULTIGRID_H
#define PLIANT_METHODS_MULTIGRID_H

#include "base/scratch.h"
#include "methods/linear_rows.h"
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

typedef struct pliant__mg       pliant__mg;
typedef struct pliant__mg_level pliant__mg_level;

/* What is done with nodes [first, end) of a level, on any thread. */
typedef void pliant__mg_nodes(pliant_solver *s, pliant__mg_level *l, uint32_t first, uint32_t end);

/* What a level does in a cycle: pliant__mg_block_steps, pliant__mg_row_steps. */
typedef struct pliant__mg_steps {
    void (*find_residual)(pliant_solver *s, pliant__mg_level *l);              /* r = b - H x */
    pliant__mg_nodes *smooth;                                                  /* d <- before d + now D^-1 r, x <- x + d */
    void (*restrict_residual)(const pliant__mg *g, const pliant__mg_level *l); /* b of the next level, of r */
    pliant__mg_nodes *prolong;                                                 /* x moves with the x of the next level */
} pliant__mg_steps;

/* A system of blocks. Level 0: a node per slot and 3 unknowns, its displacement. Above it: a node per aggregate and 6 unknowns, a displacement
 * and a small rotation about its middle, or, of multipliers, the six numbers of a stress. Blocks lie column by column, each column padded to `width` numbers; vectors are padded alike. */
struct pliant__mg_level {
    uint32_t                count, dofs, width, blocks;
    uint32_t               *first, *column;  /* blocks of node i: [first[i], first[i + 1]), columns ascending */
    uint32_t               *diagonal;        /* per node: its block with itself */
    uint32_t               *aggregate;       /* per node: its node on the next level, or PLIANT__NONE. NULL on the last level */
    uint32_t               *visited;         /* nodes in the order in which aggregates are looked for, or NULL: as they are */
    uint32_t               *target;          /* per block: what it adds to on the next level, or PLIANT__NONE */
    pliant_real            *block, *inverse; /* inverse: of the diagonal blocks */
    double                 *exact;           /* blocks in full, row by row; not on level 0 */
    pliant__mg_place       *place;
    pliant_real            *x, *b, *r, *d; /* a cycle: H x = b, r = b - H x, d the last change of x */
    double                  highest;       /* no eigenvalue of D^-1 H is above it */
    const pliant__mg_steps *steps;
};

#define PLIANT__MG_TASK_ROWS 4096u /* of a sum over rows */

/* Numbers per row lie as lambda does. */
#define MG_ROW_SCRATCH(X)                                                                                                      \
    X(pliant_real, stress, array, true, rows, 6, "per row: sum of grad x^T at rest, xx + yy + zz, xx - yy, yy - zz, xy yz zx") \
    X(pliant_real, column, array, true, rows, 6, "per row: its row of P, stress times k times one factor")                     \
    X(pliant_real, p, array, true, rows, 1, "conjugate gradients: direction")                                                  \
    X(pliant_real, q, array, true, rows, 1, "likewise: A direction")                                                           \
    X(pliant_real, sum, array, true, rows, 1, "likewise: solution")                                                            \
    X(uint32_t, patch_of, array, true, linear->gradient_count / 3, 1,                                                          \
      "per lane and slot of its row, as gradients lie: the patch that it adds to, or PLIANT__NONE")                            \
    X(double, mobility, array, true, slots, 9, "per slot: inverse of what it has of its own")                                  \
    X(double, spread, array, true, slots, 6, "per slot: S of multigrid_multipliers.c")                                         \
    X(double, partial, array, true, rows / PLIANT__MG_TASK_ROWS + 1, 1, "per task of a sum over rows")                         \
    X(pliant_real, push, array, true, slots, 4, "per slot: J^T in, then times the mobility")

/* The system of multipliers: multigrid_multipliers.c. */
typedef struct pliant__mg_multipliers {
    pliant__mg_level rows; /* aggregate, inverse, x, b, r, d: one number each; no matrix */
    MG_ROW_SCRATCH(SCRATCH_FIELD)
    uint32_t          *patch_first, *patch; /* patches of slot i: [patch_first[i], patch_first[i + 1]), the aggregates of its rows */
    double            *patch_force;         /* 6 x 3 per patch: forces on the slot of the aggregate's six stresses */
    const pliant_real *in;                  /* what is multiplied, */
    pliant_real       *out;                 /* and where to */
} pliant__mg_multipliers;

/* Numbers of rows lie as lambda does. */
#define MG_SCRATCH(X)                                                                                                     \
    X(uint32_t, slot, array, true, indices, 1, "of rows, in blocks, by their numbers in the model")                       \
    X(uint32_t, position, array, s->method.system == PLIANT_SYSTEM_DISPLACEMENTS, positions, 1,                           \
      "per lane and pair of slots (a, b) of its row: the block of level 0 that it adds to, or PLIANT__NONE")              \
    X(pliant_real, k, array, true, rows, 1, "of rows: stiffness; 0 of those that do not count")                           \
    X(pliant_real, multiplier, array, true, rows, 1, "of rows: new ones")                                                 \
    X(double, energy, array, true, patches, 1, "per patch")                                                               \
    X(double, partial, array, true, chunks, 1, "per task of a sum")                                                       \
    X(double, own, array, true, slots, 6, "per slot: xx yy zz xy yz zx of what it has of its own: mass, contacts, grabs") \
    X(bool, still, array, true, slots, 1, "per slot: it does not move now")                                               \
    X(bool, solid, array, true, slots, 1, "per slot: a tetrahedron keeps its volume there")                               \
    X(pliant_real, p, array, true, slots, 4, "conjugate gradients: direction")                                            \
    X(pliant_real, q, array, true, slots, 4, "likewise: H direction")                                                     \
    X(pliant_real, r, array, true, slots, 4, "likewise: residual")                                                        \
    X(pliant_real, dx, array, true, slots, 4, "likewise: solution")                                                       \
    X(pliant_real, old, array, true, slots, 4, "x where the iteration began")

struct pliant__mg {
    uint32_t                levels;
    pliant__mg_multipliers *multipliers; /* NULL: displacements are solved for, and level 0 has a matrix */
    pliant__mg_level        level[PLIANT__MG_LEVELS];
    double                 *factor, *column; /* Cholesky factor of the last level, if it is small enough; a vector */
    MG_SCRATCH(SCRATCH_FIELD)
    size_t             *slot_first, *position_first; /* per batch: where its own begin */
    pliant__linear_rows linear;                      /* C as it counts in the energy */
    bool                sweeps; /* once, in the end: of sheets and ropes, as of contacts, what is not solved to the end would be speed */

    pliant__mg_piece *piece;
    uint32_t         *piece_slot, piece_count; /* slots, piece after piece */
    uint32_t         *piece_of;                /* per slot: its piece, or PLIANT__NONE */

    /* what the task that is running does */
    pliant__mg_nodes *nodes;
    pliant__mg_level *at;
    pliant_real       before, now; /* factors of the last change and of this one */
    bool              fresh;       /* x counts as 0 */
    bool              stale;       /* coarse matrices are to be made anew */
};

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

/* Sums up each piece's mass, middle, and the force and torque on it. g->r has the forces of everything but rows while it is called. */
void pliant__mg_weigh_pieces(pliant_solver *s);

/* Adds to the displacements dx of each piece the rigid motion that they lack. */
void pliant__mg_move_pieces(pliant_solver *s);

/* ---- multigrid_stresses.c ---- */

/* Makes the levels above the rows. False: out of memory. */
bool pliant__mg_create_multipliers(pliant_solver *s, pliant__mg *g);
void pliant__mg_destroy_multipliers(pliant_solver *s, pliant__mg *g);

/* ---- multigrid_multipliers.c ---- */

/* From g->linear, g->k, g->own, and g->r = all forces but those of constraints: g->multiplier and g->dx. */
void pliant__mg_solve_multipliers(pliant_solver *s);

extern const pliant__mg_steps pliant__mg_row_steps;

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

/* Makes all levels above the last one that is made. */
bool pliant__mg_make_coarser(pliant_solver *s, pliant__mg *g, pliant__mg_link *links);

/* The block (i, j), which is there. */
uint32_t pliant__mg_find_block(const pliant__mg_level *l, uint32_t i, uint32_t j);

/* Fills the lower half of the matrix of level 1 from its upper half, and the matrices of all levels above it; factors the last one. */
void pliant__mg_prepare_coarse(pliant_solver *s);

/* Solves H x = b on the last level, by its factor. */
void pliant__mg_solve_last(pliant__mg *g);

extern const pliant__mg_steps pliant__mg_block_steps;

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
void pliant__mg_run(pliant_solver *s, pliant__mg_level *l, pliant__mg_nodes *nodes);

/* Fills all else of level 0 when its blocks and g->own are there, and the coarse levels if they are stale. */
void pliant__mg_prepare(pliant_solver *s);

/* y = H x, a level's own. */
void pliant__mg_product(const pliant__mg_level *l, const pliant_real *x, pliant_real *y, uint32_t first, uint32_t end);

/* ---- multigrid_cycle.c ---- */

/* One V-cycle from the finest level on (the coarser ones are visited twice): its x becomes about H^-1 b. Linear in b, symmetric, positive. Of
 * displacements, level[0]; of multipliers, multipliers->rows, with A^-1 for H^-1. */
void pliant__mg_cycle(pliant_solver *s);
void pliant__mg_cycle_rows(pliant_solver *s);

/* The sum of what tasks [0, count) leave in `partial`, in their order. */
double pliant__mg_sum(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count, const double *partial);

/* Where conjugate gradients go: displacements or multipliers. z is the x that a cycle finds for b = r. */
typedef struct pliant__mg_space {
    double solved;                              /* of r.z at the beginning: there numbers have no more digits */
    double (*along_residual)(pliant_solver *s); /* r.z */
    double (*curvature)(pliant_solver *s);      /* p.q */
    void (*multiply)(pliant_solver *s);         /* q = H p */
    pliant__mg_nodes *turn;                     /* p <- z + before p */
    pliant__mg_nodes *advance;                  /* the solution <- itself + now p, r <- r - now q */
} pliant__mg_space;

/* Solves by conjugate gradients in a space; a level's b = r and p = 0 when it begins. Sets g->stale if coarse matrices were of little use. */
void pliant__mg_conjugate_gradients(pliant_solver *s, pliant__mg_level *l, const pliant__mg_space *space);

#endif
