/* What groups over members are made of: how stiff each row of a cluster is. The rows themselves, and how a cluster is fitted: step/matches.c. */
#ifndef PLIANT_CONSTRAINTS_GROUPS_MATCH_H
#define PLIANT_CONSTRAINTS_GROUPS_MATCH_H

#include "pliant/groups.h"

/* Rows of a cluster, each 0 at rest, and what its stiffness is in:
 *   LENGTH     of the strain R^T F - 1, |E|: J
 *   TRACE      of it: J
 *   BEND       the root of sum m |H s|^2, H s what a quadratic map adds: 1/s^2
 *   REST       the root of sum m |d|^2, d what the cluster's map leaves of a member's way from its place: 1/s^2 */
typedef enum match_row { MATCH_LENGTH, MATCH_TRACE, MATCH_BEND, MATCH_REST, MATCH_ROWS } match_row;

/* What maps the places at rest: a rotation alone; a linear map; a quadratic one. */
typedef enum match_order { MATCH_RIGID, MATCH_LINEAR, MATCH_QUADRATIC } match_order;

typedef struct match_size {
    double volume, density;  /* m^3, kg/m^3 */
    double spacing2, reach2; /* m^2: the volume of a member to 2/3; the mean square of a coordinate of its place */
} match_size;

/* How a cluster flows: constraints/match_yield.h. Numbers as pliant_law has them; yield 0: it never does. */
typedef struct match_yield {
    double yield, creep, hardening, most;
} match_yield;

/* Of each kind NAME over members: match_order NAME_order(void); and void NAME_stiffness(number, size, stiffness), numbers as its row has them, the first of
 * them one that all stiffness is in proportion to, the second the density. A row of stiffness 0 is none.
 * And match_yield NAME_yield(number). */

static inline match_yield match_never_yields(void) { return (match_yield){0, 0, 0, 0}; }

/* Of numbers in the order of PLIANT_GROUP_YIELD. */
static inline match_yield match_yields(const double *number) { return (match_yield){number[0], number[1], number[2], number[3]}; }

/* Bonds of Young's modulus E between neighbours: of length l and area l^2 they have the stiffness E l, and a neighbour the mass rho l^3. */
static inline double match_bonds(double young, const match_size *size) { return young / (size->density * size->spacing2); }

/* The moduli of the strain's length and trace: 2 mu V and lambda V. */
static inline void match_strain(double young, double poisson, const match_size *size, double *stiffness)
{
    stiffness[MATCH_LENGTH] = young / (1 + poisson) * size->volume;
    stiffness[MATCH_TRACE] = young * poisson / ((1 + poisson) * (1 - 2 * poisson)) * size->volume;
}

#endif
