/* Contacts between bodies, and of a body with itself: pairs of a corner and a triangle, or of two edges.
 *
 * Found once a step, or whenever somebody has left the path that was foreseen for it (pairs.c). In every substep each pair gets a plane that keeps
 * its sides apart, and is a row like a constraint's; afterwards no particle goes further than its planes allow (pair_rows.c). Nothing of it is kept
 * from step to step. */
#ifndef PLIANT_STEP_PAIRS_H
#define PLIANT_STEP_PAIRS_H

#include "collide/tree.h"
#include "compile/model.h"
#include "constraints/kernel.h"

/* Who might touch whom: slots 0 against 1, 2, 3 (corner and triangle), or 0, 1 against 2, 3 (edges). In a degenerate triangle, which is a rope's
 * segment or a loose particle, slots repeat. */
typedef struct pliant__pair {
    uint32_t    slot[4];
    uint32_t    edges;    /* 1: two edges */
    pliant_real distance; /* m, at which they touch */
    pliant_real friction_static, friction_dynamic, restitution;
} pliant__pair;

/* What a pair is in a substep. */
typedef struct pliant__pair_row {
    pliant_real weight[4]; /* of each slot in the distance: the nearest points, those of the first side above 0, the others below */
    pliant_vec3 normal;    /* from the second side to the first */
    pliant_real gap;       /* m, between the sides when the substep began */
    pliant_real target;    /* m, the distance that it is to have; below 0: it is no row in this substep */
    pliant_real inverse;   /* 1 / sum of w weight^2; 0: nothing can move */
    pliant_real lambda;
    pliant_real approach; /* m/s, along the normal as particles came; below 0: towards each other */
    pliant_vec3 friction;
} pliant__pair_row;

#define PLIANT__PAIR_COLOURS 64u /* a bit each; it is the number of those that found none, too */

struct pliant_solver;

typedef struct pliant__pairs {
    uint32_t              elements, slots; /* slots: that elements have */
    uint32_t             *slot;            /* these, ascending */
    pliant__box_tree      tree;
    pliant__box          *box;      /* per element */
    pliant__box          *part_box; /* 6 per element: of corners and edges that it owns */
    pliant_real          *margin;   /* per number: how far it may be from what was foreseen */
    pliant_real          *path;     /* 8 per slot of `slot`: where it was when pairs were found, and its velocity then */
    uint32_t             *number;   /* per model's slot: its number in `slot` */
    pliant_vec3          *wanted;   /* per number: where constraints and contacts would have it when the substep ends */
    pliant_vec3          *begun;    /* per number: where it was when the substep began, whatever contacts with colliders say later */
    uint32_t             *island;   /* per number: who hangs together by pairs, a number again */
    pliant_vec3          *drift;    /* per island: how far all of it goes in this substep */
    uint32_t             *drift_count;
    uint8_t              *anchored; /* per island: it has particles that do not yield */
    pliant_real          *share;    /* per number: the part of its path that it may go */
    uint64_t             *colours;
    pliant__element_pairs near;
    ARRAY(pliant__key) key;
    const pliant__key *sorted; /* pairs of elements */
    pliant_real        left;   /* s that pairs were found for; and how far all go on the whole in that time */
    pliant_vec3        common;
    ARRAY(pliant__pair) found, pair; /* in the order found; by colour */
    ARRAY(pliant__pair_row) row;     /* of each pair */
    ARRAY(uint32_t) order;
    uint32_t    first[PLIANT__PAIR_COLOURS + 2]; /* of each colour; pairs that found none are the last, one after another */
    uint32_t    colour_count;                    /* without those */
    uint32_t    colour;                          /* that is being walked */
    pliant_real resting;                         /* m/s: what comes more slowly does not bounce */
    double      found_at;                        /* s since the step began */
    uint32_t    left_substeps;                   /* that pairs were found for */
    void (*each)(struct pliant_solver *s, const pliant__pair *pair, pliant__pair_row *row); /* what is done to pairs of a colour */
    bool failed;                                                                            /* out of memory */
} pliant__pairs;

/* The nearest points of a pair whose slots are at x; what they are apart, from the second side to the first. */
void pliant__pair_weights(const vvec *x, bool edges, vreal *weight);
vvec pliant__pair_between(const vvec *x, const vreal *weight);

#endif
