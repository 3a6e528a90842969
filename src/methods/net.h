/* Constraints of any kind as a net, and the sparse symmetric systems of Newton steps on it.
 *
 * Particles that hang together by constraints are an island, and each island has a system of its own: three unknowns per particle that may
 * move, one per row of a constraint. What never moves is in none. net.c makes islands and the pattern of their systems, once for a solver;
 * net_system.c fills, factors and solves them. The factors are the host's: pliant_linear_solver. */
#ifndef PLIANT_METHODS_NET_H
#define PLIANT_METHODS_NET_H

#include "methods/linear_rows.h"
#include "solver/method.h"

#define PLIANT__GMRES_MOST 24u /* directions before it begins anew */

/* A particle that may move and has a constraint. */
typedef struct pliant__vertex {
    uint32_t slot;
    uint32_t adjacent; /* of those it shares a constraint with, how many come after it in its island */
    double   w, root;  /* as it is now, 0 while pinned; its square root */
    double   base[3];  /* x~, and what grabs and contacts have moved it */
    double   x[3], from[3], step[3];
    double   force[3]; /* J^T lambda - M (x - base) */
    double   noise;    /* N h^2, what a rounding of lambda and J makes of the force */
} pliant__vertex;

/* A row of a constraint. */
typedef struct pliant__strand {
    double lambda, change; /* where the step begins, and of the step */
    double alpha;          /* alpha~ */
    double response;       /* alpha~ + sum of w |grad C|^2, where the substep begins */
    double C, left;        /* left = C + (alpha~ + lent) lambda */
    bool   idle;
} pliant__strand;

/* A constraint with a particle that may move. */
typedef struct pliant__member {
    uint32_t kind, slots, rows;
    uint32_t row, law; /* packed; the number of its law */
    uint32_t slot[PLIANT_MAX_SLOTS];
    uint32_t vertex[PLIANT_MAX_SLOTS]; /* or PLIANT__NONE: what never moves */
    uint32_t first_strand;
    bool     edge;             /* PLIANT_ROW_EDGE */
    size_t   value, gradient;  /* where C and lambda, and the gradients, begin among all; rows of C are a block apart, see linearize */
    size_t   coefficient;      /* of the Jacobian: coordinate c of slot s of row r is ((r * slots + s) * 3 + c) further */
    size_t   pair;             /* into pair_at: ((a, b) of slots is a * slots + b further; then the rows' places by slot */
    size_t   parameter;        /* into row_parameter; they are a block apart */
    double   size, unit, rest; /* m, how near its particles are; what a share of C is of; the rest value, or 0 */
} pliant__member;

typedef struct pliant__island {
    uint32_t first_vertex, vertex_count, first_member, member_count, first_strand, strand_count;
    size_t   first_column, first_entry; /* of its matrix */
    uint32_t entry_count;
    double   size; /* m, the smallest of its members' */
    void    *system;
} pliant__island;

typedef struct pliant__net {
    const pliant_linear_solver *linear;
    pliant__vertex             *vertices; /* island by island, by slot */
    pliant__member             *members;  /* island by island */
    pliant__strand             *strands;  /* likewise, in the order of members */
    pliant__island             *islands;
    uint32_t                    vertex_count, member_count, strand_count, island_count;
    bool                        curved;           /* the systems have room for the forces' turning */
    double                     *jacobian, *fixed; /* of x; of the start or the prediction */
    uint32_t                   *pair_at;          /* where a pair of vertices, or a row, is in its column */
    uint32_t                   *column;           /* per unknown and one more per island: where its entries begin among the island's */
    double                     *entry;            /* of all matrices */
    double                     *vector, *second;  /* per unknown */
    double                     *basis;            /* GMRES: MOST + 1 vectors per strand; not where curved */
    size_t                      coefficient_count, pair_count, entry_count, column_count;
} pliant__net;

/* Makes the net of the solver's model, with the places of its rows in `at`; false with an error. */
bool pliant__net_make(pliant_solver *s, pliant__net *net, const pliant__linear_rows *at, bool curved, pliant_error *error);
void pliant__net_free(pliant_solver *s, pliant__net *net);

/* What a system has of the forces' turning with x, -sum of lambda d2C/dx2. */
typedef enum pliant__curvature {
    PLIANT__FIXED,    /* gradients do not turn */
    PLIANT__STRAIGHT, /* nothing */
    PLIANT__CURVED,   /* all */
    PLIANT__CLAMPED   /* all but what is negative in a constraint */
} pliant__curvature;

/* Fills and factors an island's matrix
 *   M + curvature   J^T
 *   J               -(alpha~ + lent response)
 * with J the Jacobian (`fixed` where there is no curvature to be had, PLIANT__FIXED); all scaled by masses and responses, and with a little more
 * in the lower right corner, so that rows that depend on others do no harm. False unless it could be factored with as many negative entries as
 * there are rows: then what is solved goes downhill. */
bool pliant__island_factor(const pliant_solver *s, pliant__net *net, const pliant__island *island, double lent,
                           pliant__curvature curvature);

/* Steps of particles and changes of multipliers, by the factors, so that the forces of vertices and what is left of strands go to 0. */
bool pliant__island_solve(pliant__net *net, const pliant__island *island);

/* Changes of multipliers with (J M^-1 fixed^T + alpha~) change = -left, by GMRES with the factors of PLIANT__FIXED before it; `rounding`: what is left is hardly
 * more, and the factors alone will do; `depends`: rows were found to depend on others. Both are false if the host's solver had no memory. */
bool pliant__island_solve_fixed(pliant__net *net, const pliant__island *island, bool rounding, bool *depends);

#endif
