/* What the interaction of groups keeps: step/groups.c. */
#ifndef PLIANT_SOLVER_GROUPS_H
#define PLIANT_SOLVER_GROUPS_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct pliant__group_now {
    double way, gone; /* by how much its first number changes in a leg, and by how much it has changed in it */
    bool   changes;   /* in this substep it does */
    double pumped;    /* by how much it has changed in this substep */
    double volume;    /* m^3, what the substep began with, where anything changes */
    double lambda;    /* Pa s^2, pressure times h^2 */
} pliant__group_now;

/* Some members of a group, at most PLIANT__GROUP_PIECE: the work of one task; and what it sums up. */
typedef struct pliant__group_piece {
    uint32_t group, first, count;
    double   volume, response; /* m^3; m^4/kg, sum of w |grad V|^2 */
    double   change;           /* Pa s^2, of its group's multiplier in this sweep */
} pliant__group_piece;

#define PLIANT__GROUP_PIECE 256u

typedef struct pliant__groups {
    pliant__group_now   *of;       /* per group */
    pliant_vec3         *gradient; /* m^2, per member: of the volume, as the last sweep found it */
    pliant__group_piece *pieces;   /* by group */
    uint32_t             piece_count;
} pliant__groups;

#endif
