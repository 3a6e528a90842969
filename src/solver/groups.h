/* What the interaction of groups keeps: step/groups.c. */
#ifndef PLIANT_SOLVER_GROUPS_H
#define PLIANT_SOLVER_GROUPS_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct pliant__group_now {
    double way, gone; /* by how much its first number changes in a leg, and by how much it has changed in it */
    bool   changes;   /* in this substep it does */
    double pumped;    /* by how much keys and inputs have changed it in this substep */
    double
        lost; /* J, by how much more it holds for what it has lost in this substep; 0: it has lost nothing, or energies are not reckoned */
    double   volume; /* m^3, what the substep began with, where anything changes */
    double   lambda; /* Pa s^2, pressure times h^2 */
    double   change; /* Pa s^2, of it in the last sweep */
    uint32_t mouth;  /* model's; PLIANT__NONE: it has none */
} pliant__group_now;

/* A mouth in this substep. */
typedef struct pliant__mouth_now {
    bool   open;
    double share; /* of the pressure, that its jet pushes its faces inwards with: twice the discharge; 0: nothing flows out */
} pliant__mouth_now;

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
    pliant__mouth_now   *mouths; /* per mouth */
    pliant_vec3 *push; /* m^2, per face of a mouth that gas flows out of: the jet's push at each of its corners, over the pressure */
} pliant__groups;

#endif
