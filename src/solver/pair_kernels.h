/* Pairs as kernels take them: 16 side by side, and what a search asks of all particles and boxes at once. Kernels: backends/cpu_width_pairs.c. */
#ifndef PLIANT_SOLVER_PAIR_KERNELS_H
#define PLIANT_SOLVER_PAIR_KERNELS_H

#include "solver/cell_kernels.h"
#include "base/tree.h"
#include "compile/model.h"
#include "constraints/kernel.h"

#define PLIANT__PAIR_REACH K(PLIANT__REACH) /* nearer than that, times the distance at which they touch, a pair is a row at the least */
#define PLIANT__PAIR_USED K(0.9)            /* of a gap: so much of it may be closed in a substep */

#define PLIANT__PAIR_LEFT K(0.05) /* of that distance: no gap becomes narrower by itself, however long it is pressed */
#define PLIANT__PAIR_EASE K(1)    /* m/s: what overlaps comes apart no faster */
/* Times what is missing: no corner goes further for it. A corner that moves, but has next to no weight in a pair of which all else is held, would go
 * 1 / weight times as far: nothing can part such a pair. */
#define PLIANT__PAIR_LEVER K(16)
#define PLIANT__PAIR_RECOVERS K(0.1) /* of an overlap, in a substep */

/* Corners of the sides of 16 pairs: slot 0 against 1, 2, 3, or with `edges` 0, 1 against 2, 3. */
typedef struct pliant__pair_lanes {
    uint32_t    slot[4][PLIANT__BLOCK];
    pliant_real distance[PLIANT__BLOCK]; /* m, at which they touch */
    pliant_real rest[PLIANT__BLOCK];     /* m, how far sides of one body are apart at rest; 0: they are of two */
    pliant_real loose[PLIANT__BLOCK]; /* m, how far both sides together may go in a substep so that they are no row if they were not near */
    pliant_real beyond; /* m, sides may be rows while they are so much further apart than where they touch; bounded by pair_reach */
    bool        edges;
} pliant__pair_lanes;

/* 16 pairs in a substep, of which no two share a slot that moves. */
typedef struct pliant__pair_rows {
    pliant__pair_lanes at;
    uint32_t           pair[PLIANT__BLOCK]; /* numbers of candidates; of loose particles, where they are among those that are near */
    bool               points;              /* they are such */
    pliant_real        friction_static[PLIANT__BLOCK], friction_dynamic[PLIANT__BLOCK], restitution[PLIANT__BLOCK];
    pliant_real        hold[PLIANT__BLOCK];         /* kg m, the most that it pulls with: adhesion h^2 */
    pliant_real        weight[4][PLIANT__BLOCK];    /* of each slot in the distance: the nearest points; above 0 on the first side */
    pliant_real        pull[4][PLIANT__BLOCK];      /* the same times inverse masses */
    pliant_real        normal[3][PLIANT__BLOCK];    /* from the second side to the first */
    pliant_real        start_gap[3][PLIANT__BLOCK]; /* from one nearest point to the other when the substep began */
    pliant_real        target[PLIANT__BLOCK];       /* m, the distance that it is to have */
    pliant_real        inverse[PLIANT__BLOCK];      /* 1 / sum of w weight^2; 0: nothing can move */
    pliant_real        approach[PLIANT__BLOCK];     /* m/s, along the normal as particles came; below 0: towards each other */
    pliant_real        lambda[PLIANT__BLOCK];       /* kg m; below 0: it pulls */
    pliant_real        friction[3][PLIANT__BLOCK];
    pliant_real        across[3][PLIANT__BLOCK]; /* where some roll: their axis, then the way along the plane that they roll; 0: does not */
    pliant_real        rolling[PLIANT__BLOCK];   /* friction that way */
    bool               rolls;                    /* some do */
    uint16_t           moves[4];                 /* lanes with a slot that moves, a bit each */
    uint16_t           rows;                     /* lanes that are pairs */
} pliant__pair_rows;

/* How far particles are from where they were foreseen, all shifted alike: `ref` has where they were (x y z) and how far they may be from
 * what is foreseen, `way` their velocities, and how far boxes reach around them. */
typedef struct pliant__foreseen {
    const pliant_real *path_start, *x, *ref, *way;         /* 4 per slot */
    pliant_real        now, then;                          /* s since they were there, of path_start and of x */
    pliant_vec3        shift_now, shift_then, shift, step; /* what is taken off: of both, of path_start - ref, of x - path_start */
    const pliant_real *usual;                              /* per slot, m */
    pliant_real        further;                            /* so many times `usual` a particle may be off beside its margin */
} pliant__foreseen;
typedef struct pliant__strayed {
    pliant_real *moved, *stepped; /* per slot: how far each is from ref, and how long its step is */
    pliant_real  off;             /* of particles that have a margin, the farthest from its place, over what it may be off */
    pliant_real  from_ref, step;  /* m, the farthest from ref, and the longest step, beside the others */
    pliant_real  changed;         /* m, by so much any `moved` is another one than before, at the most */
} pliant__strayed;

/* A box at the beginning and at the end of the time that is foreseen. Particles go straight meanwhile, so two boxes that are apart along one axis at both
 * ends, the same one above the other, are apart along it all the time. */
typedef struct pliant__moving_box {
    pliant__box from, to;
} pliant__moving_box;

#define PLIANT__LEAF_BOXES \
    ((size_t)12 * PLIANT__BLOCK) /* numbers: low x y z and high x y z of 16 boxes at the beginning, then at the end */

/* Numbers of 16 features of a leaf as they are foreseen. Of each: where its middle is at the beginning, x y z; how far that goes in the time foreseen; where its first
 * corner lies beside the middle at the beginning, and at the end; of a triangle its second one likewise; how far others are looked for around the feature, m, which is not
 * a number where the leaf has no such feature, or it takes no part; and pliant__walk.share of how far corners go beside the middle, less what they may go beside other
 * features in a substep without being looked for further off, m. */
#define PLIANT__LEAF_SHAPES(corners) ((size_t)(6 * (corners) + 2) * PLIANT__BLOCK)

#define PLIANT__GROUP_LEVELS 8u /* of 16 children each: 32 bits of leaves */

/* Leaves of a tree of features (corners, edges or triangles), in its order: moving boxes of 16 features each, and slots of features. Over them stand levels of
 * groups: a group has the boxes around 16 leaves, or around 16 groups of the level below. */
typedef struct pliant__leaves {
    const uint32_t           *order;        /* features by leaves */
    const pliant__moving_box *node;         /* per leaf: around its features */
    const pliant_real        *box;          /* PLIANT__LEAF_BOXES per leaf */
    const pliant_real        *shape;        /* PLIANT__LEAF_SHAPES per leaf */
    const uint32_t           *slot;         /* 3 x 16 per leaf; slots past `corners` are the first again */
    const pliant_real        *group;        /* PLIANT__LEAF_BOXES per group, level after level, the one over leaves first */
    const uint32_t           *level;        /* the first group of each level */
    uint32_t                  levels;       /* 1 at least; the last one has one group */
    const uint16_t           *wanted_lanes; /* per leaf, a bit per feature: pairs of these are wanted; NULL: all are */
    const pliant__moving_box *wanted_box;   /* per leaf that has some: around these alone */
    uint32_t                  corners;
} pliant__leaves;

#define PLIANT__FOUND 2048u /* pairs of features that are handed on at once, and those of two leaves */
#define PLIANT__MOST_FOUND (PLIANT__FOUND + PLIANT__BLOCK * PLIANT__BLOCK)

/* Some leaves of one tree that are walked against all of another one, or of the same: leaf by leaf, until there is no more room in `found` or no leaf is left.
 * Where not all features are wanted it is those of the first tree against all of the second. Then two trees are walked both ways, and the second time, turned,
 * features of the second tree that are wanted are left out; pairs come in the order of the first time. */
typedef struct pliant__walk {
    pliant__leaves a, b;
    bool           itself, turned;
    pliant_real    share;     /* PLIANT__PAIR_REACH times a substep, over the time foreseen: so large a part of a way in that time */
    uint32_t       leaf, end; /* leaves of the first tree that have not begun */
    uint32_t       depth;     /* levels of the second tree that the leaf before is in; 0: it is done */
    struct {
        uint32_t group, bits; /* bits: its children that are left */
    } at[PLIANT__GROUP_LEVELS];
    uint32_t             count;
    pliant__element_pair found[PLIANT__MOST_FOUND];
} pliant__walk;

/* ---- loose particles ---- */

#define PLIANT__LOOSE_MARGIN K(0.25) /* of its thickness: so far a loose particle may be from what was foreseen */

/* What a search foresees: each particle goes on as in this substep. */
typedef struct pliant__foreseen_all {
    const pliant_real *path_start, *x; /* 4 per slot */
    pliant_real       *ref, *way;      /* as in pliant__foreseen, but for their fourth numbers */
    pliant_real        rate;           /* 1/s */
    pliant_vec3        step;           /* m, how far all go on the whole */
    const pliant_real *usual, *spread; /* per slot, m */
    pliant_real       *jolt;           /* per slot, m */
    pliant_real        last;           /* substeps, the reciprocal: since particles were foreseen before; 0: they were not */
    pliant_vec3        turned;         /* m, by how much all go elsewhere than foreseen on the whole */
    pliant_real        jolts;          /* a margin is so many */
    pliant_real        least, most;    /* times `usual`: of margins */
} pliant__foreseen_all;

/* How near both of a pair are to have been so that it is looked at: the sum of what each has, per slot. */
typedef struct pliant__closeness {
    const pliant_real *near;
    pliant_real        least, most; /* of them */
} pliant__closeness;

/* What pairs of loose particles are asked in a substep. */
typedef struct pliant__points {
    const pliant_real *path_start, *x, *rest; /* 4 per slot; rest: when nothing had moved */
    const pliant_real *thick;                 /* per slot, m */
    const uint8_t     *crowded;               /* per slot: in its body some were nearer to it at rest than they are thick */
    const uint32_t    *body;                  /* per slot */
    bool               passes;                /* whether they might pass through each other, or else whether they are rows */
} pliant__points;

#define PLIANT__POINT_KERNELS(X)                                                                                                          \
    X(foresee, (const pliant__foreseen_all *f, uint32_t slots, pliant__strayed *out, pliant_real *farthest),                              \
      "particles are foreseen to go on from here; how far the farthest goes beside the others, in usual margins")                         \
    X(close_points,                                                                                                                       \
      (const pliant__lists *lists, const pliant__closeness *how, uint32_t first, uint32_t end, uint32_t *a, uint32_t *b, uint32_t *kept), \
      "pairs of some lists that can have come near, slots of both; there is room for a block more")                                       \
    X(ask_points, (const pliant__points *how, uint32_t *a, uint32_t *b, uint32_t count, pliant_real *distance, uint32_t *kept),           \
      "those of some pairs that are rows, or might pass through each other, in place, and at what distance they touch")                   \
    X(touch_points, (const pliant__points *how, const uint32_t *a, const uint32_t *b, pliant_real *distance),                             \
      "at what distance pairs touch; a block of them")

#define PLIANT__PAIR_KERNELS(X)                                                                                                           \
    X(stray, (const pliant__foreseen *f, uint32_t slots, pliant__strayed *out), "how far particles are from what was foreseen")           \
    X(surround,                                                                                                                           \
      (pliant_real * box, pliant_real * shape, const uint32_t *slot, uint32_t corners, uint32_t count, const pliant_real *ref,            \
       const pliant_real *way, pliant_real time, pliant_real share),                                                                      \
      "moving boxes and shapes of the features of a leaf, of which `count` are there, with particles that go their way for a time")       \
    X(walk, (pliant__walk * walk),                                                                                                        \
      "pairs of features that share no slot, have boxes that meet, and are not apart along the line through their middles")               \
    X(near,                                                                                                                               \
      (const pliant__pair_lanes *at, const pliant_real *ref, const pliant_real *way, pliant_real time, pliant_real h, pliant_real *apart, \
       uint32_t *bits),                                                                                                                   \
      "how far sides are apart, and which may come near enough in that time, in substeps of h")                                           \
    X(apart, (const pliant__pair_lanes *at, const pliant_real *x, pliant_real *apart), "how far sides are apart")                         \
    X(below, (const pliant_real *value, uint32_t first, uint32_t count, pliant_real limit, uint32_t *out, uint32_t *kept),                \
      "numbers of values that are not above a limit, ascending, from `first` on")                                                         \
    X(look, (const pliant__pair_lanes *at, const pliant_real *path_start, const pliant_real *x, uint32_t *bits, uint32_t *far),           \
      "which are rows in a substep, those that are `far` if they come near on their way")                                                 \
    X(passes, (const pliant__pair_lanes *at, const pliant_real *path_start, const pliant_real *x, uint32_t *bits, uint32_t *far),         \
      "which might pass through each other on their way from path_start to x, those that are `far` if they come near on it")              \
    X(begin_rows, (pliant__pair_rows * rows, const pliant_real *path_start, const pliant_real *x, pliant_real h),                         \
      "planes between their sides as they were; x as predicted")                                                                          \
    X(project_pairs, (pliant__pair_rows * rows, pliant_real * x), "pushes, and friction")                                                 \
    X(settle_pairs, (const pliant__pair_rows *rows, pliant_real *v, pliant_real resting, pliant_real h),                                  \
      "restitution; what was pushed too far")

#endif
