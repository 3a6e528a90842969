/* What contacts with colliders ask of all particles of a chunk at once: which of them no collider can touch, and where they meet plain shapes. Kernels:
 * backends/cpu_width_colliders.c, cpu_width_plain.c. */
#ifndef PLIANT_SOLVER_COLLIDER_KERNELS_H
#define PLIANT_SOLVER_COLLIDER_KERNELS_H

#include "base/box.h"
#include "collide/grown.h"
#include "compile/model.h"

#include <assert.h>

/* What paths may reach beyond what they cover: */
#define PLIANT__PATH_LENGTHS ((pliant_real)2.0001) /* times a path: the path, and as much again for pushes of constraints */
#define PLIANT__PATH_ROUNDING \
    (64 * (pliant_real)PLIANT__REAL_EPSILON) /* times coordinates: units in their last place that rounding may take */

/* A collider as it is looked for. A plane, a ball or a capsule that does not turn in a substep is told by how far it is, all else by its box. */
typedef struct pliant__swept_bound {
    pliant__box box;          /* of its whole way, grown by what is kept away from it */
    bool        plane, round; /* `round`: a ball or a capsule; then: */
    pliant_vec3 at, up;       /* where it is when the substep begins; a plane's normal, a capsule's axis */
    pliant_real half_height;  /* m, of a capsule; else 0 */
    pliant_real
        reach; /* m: up to how far from its middle or its axis, or how high along a plane's normal, a path that is a point may meet it */
} pliant__swept_bound;

/* A shape that goes from one pose to another, and keeps away what is nearer than `grow`. swept_bounds.c */
pliant__swept_bound pliant__swept_bound_of(const pliant__shape *shape, pliant_pose before, pliant_pose after, pliant_real grow);

/* Paths of a chunk's particles, side by side. Those past the last, up to a whole block, are the last. */
typedef struct pliant__paths {
    uint32_t    count;
    uint16_t    moves[PLIANT__CHUNK / PLIANT__BLOCK]; /* bits of particles that are not pinned */
    pliant_real from[3][PLIANT__CHUNK];               /* m: where each begins */
    pliant_real reach[PLIANT__CHUNK];                 /* m: how far from there it may meet a collider, but for rounding */
    pliant_real low[PLIANT__CHUNK];                   /* m: its least y, less its length */
    pliant_real rounding;                             /* m, what it may take of a distance of any of them */
} pliant__paths;

/* What a collider is told by: its box, or how far it is. */
enum pliant__told { PLIANT__BY_BOX, PLIANT__BY_PLANE, PLIANT__BY_BALL, PLIANT__BY_CAPSULE };

static inline enum pliant__told pliant__told_by(const pliant__swept_bound *l)
{
    if (l->plane) return PLIANT__BY_PLANE;
    if (!l->round) return PLIANT__BY_BOX;
    return l->half_height > 0 ? PLIANT__BY_CAPSULE : PLIANT__BY_BALL;
}

/* Paths of a chunk's particles in 16 states of a model, side by side: x of all 16, y, z, w for each slot. */
typedef struct pliant__state_paths {
    uint32_t           count;
    const pliant_real *from;                                /* of the chunk's first slot: m, where each begins */
    uint16_t           moves[PLIANT__CHUNK];                /* bits of states in which the particle is not pinned */
    pliant_real        reach[PLIANT__CHUNK][PLIANT__BLOCK]; /* m; and low, as in pliant__paths */
    pliant_real        low[PLIANT__CHUNK][PLIANT__BLOCK];   /* m */
    pliant__box        box[PLIANT__BLOCK];                  /* m, of all paths of a state, grown by the longest */
    pliant_real        rounding[PLIANT__BLOCK];             /* m, as in pliant__paths */
} pliant__state_paths;

/* A collider as it is looked for in 16 states, in each of which it is elsewhere; told alike in those with a bit in `states`. Fields as in pliant__swept_bound. */
typedef struct pliant__state_bound {
    enum pliant__told told;
    uint32_t          states;
    pliant_real       low[3][PLIANT__BLOCK], high[3][PLIANT__BLOCK]; /* m, the box */
    pliant_real       at[3][PLIANT__BLOCK], up[3][PLIANT__BLOCK], half_height[PLIANT__BLOCK];
    pliant_real       reach[PLIANT__BLOCK]; /* m, with the rounding of the paths; of what is told by its box that alone */
} pliant__state_bound;

/* A collider of a plain shape in a substep, as a body's particles find it. */
typedef struct pliant__plain {
    const pliant__grown *grown;
    pliant_pose          before, after;  /* at both ends of the substep */
    bool                 upright, still; /* turned at neither; the same at both */
    pliant_real          draws;          /* m, how far from where they touch it draws particles */
} pliant__plain;

/* Where particles of a list meet it, in the shape's frame, side by side: the normal of the grown surface, the point on it, and how deep the path begins, m. */
typedef struct pliant__plain_hits {
    pliant_real normal[3][PLIANT__CHUNK], point[3][PLIANT__CHUNK], deep[PLIANT__CHUNK];
} pliant__plain_hits;

/* Shapes that the kernel `plain` has. */
static inline bool pliant__is_plain(pliant_shape shape)
{
    switch (shape) {
    case PLIANT_SHAPE_PLANE:
    case PLIANT_SHAPE_SPHERE:
    case PLIANT_SHAPE_CAPSULE:
    case PLIANT_SHAPE_BOX: return true;
    default: return false;
    }
}

/* A particle against a collider for one substep: C = n . x - offset >= 0. Its first numbers are packs of four, which kernels turn into lanes. */
typedef struct pliant__touch {
    pliant_vec3 normal;   /* world, at the end of the substep */
    pliant_real offset;   /* n . q */
    pliant_vec3 drift;    /* how far the collider's surface moves here during the substep */
    pliant_real hold;     /* the most that it pulls with, metres: adhesion w h^2 */
    pliant_vec3 friction; /* metres pushed back along the surface so far */
    pliant_real lambda;   /* metres pushed along the normal so far; below 0: it pulls */
    pliant_vec3 lost;     /* metres that positions could not hold */
    pliant_real slides;   /* 1 where friction could not undo all, else 0 */
    pliant_real friction_static, friction_dynamic, restitution;
    pliant_real rolling;  /* of what rolls: its friction across itself; below 0: it does not */
    pliant_vec3 point;    /* q, world, at the end of the substep */
    pliant_real approach; /* normal speed of the particle relative to the collider before projection, m/s */
    pliant_vec3 across;   /* of what rolls: which way that is along the surface */
    union {
        struct {
            uint32_t slot, collider;
        };
        pliant_real rest[5]; /* up to eight packs */
    };
} pliant__touch;

/* What touches of a chunk's particles with a plain shape are made of, beside where they meet it. */
typedef struct pliant__plain_touches {
    const pliant__plain      *shape;
    const pliant__plain_hits *hits;
    uint32_t                  collider, first; /* the chunk's first slot */
    pliant_real               friction_static, friction_dynamic, restitution;
    pliant_real               rh, out;           /* s, of the substep; m, how far it eases out what began inside, at the most */
    pliant_real              *x, *from;          /* m, of slots: now, and where the substep begins */
    pliant_real              *start, *predicted; /* m, of slots, what moves with `from` and with x; NULL: nothing does */
    pliant__touch            *touches;           /* the chunk's first */
} pliant__plain_touches;

#define PLIANT__NO_TOUCH 0xffffu /* in the place of a touch's number */

#define PLIANT__TOUCH_PACKS 8u /* of a touch, each as long as a slot; those that kernels know, in its order: */
enum {
    PLIANT__NORMAL_OFFSET,
    PLIANT__DRIFT_HOLD,
    PLIANT__FRICTION_LAMBDA,
    PLIANT__LOST_SLIDES,
    PLIANT__COEFFICIENTS,
    PLIANT__POINT_APPROACH
};
static_assert(sizeof(pliant__touch) == PLIANT__TOUCH_PACKS * 4 * sizeof(pliant_real), "a touch is packs of four numbers");

static inline bool pliant__rolls(const pliant__touch *t) { return t->rolling >= 0; }

/* `bits` has 16 particles a word, `first` is the lowest bit of the first. */
#define PLIANT__COLLIDER_KERNELS(X)                                                                                                        \
    X(paths, (const pliant_real *from, const pliant_real *x, uint32_t first, uint32_t count, pliant__paths *paths, pliant__box *box),      \
      "paths side by side, and a box around them, grown by the longest")                                                                   \
    X(swept_bound, (const pliant__swept_bound *l, const pliant__paths *paths, uint16_t *bits),                                             \
      "particles that can move and might touch a collider: it is in reach of the path")                                                    \
    X(state_paths, (const pliant_real *from, const pliant_real *x, uint32_t count, pliant__state_paths *paths),                            \
      "the same of 16 states in lanes")                                                                                                    \
    X(state_bounds, (const pliant__state_bound *l, uint32_t count, const pliant__state_paths *paths, uint16_t(*near)[PLIANT__CHUNK]),      \
      "of each of `count` colliders near[i][k]: bits of states in which the chunk's particle k can move and might touch it")               \
    X(plain,                                                                                                                               \
      (const pliant__plain *l, const pliant_real *from, const pliant_real *x, uint32_t first, const uint16_t *list, uint32_t count,        \
       uint16_t *met, uint16_t *unsure, pliant__plain_hits *hits),                                                                         \
      "where the particles first + list[0], ... meet a plain shape, to the bit as pliant__grown_contact; bits of those that meet it, and " \
      "of those that it cannot tell, or of all if they are few, by their places in the list")                                              \
    X(touch, (const pliant__plain_touches *l, const uint16_t *list, const uint16_t *at, uint32_t count),                                   \
      "makes touches[at[0]], ... of the particles of a list, and eases out of the shape what began inside; of none where that is "         \
      "PLIANT__NO_TOUCH")                                                                                                                  \
    X(press, (pliant__touch * touches, const uint16_t *at, uint32_t count, pliant_real *x, const pliant_real *from),                       \
      "pushes particles out along the normals of touches, and back along the surface by friction: of touches[at[i]], ascending, of which " \
      "no two "                                                                                                                            \
      "have one particle, and none rolls")

#endif
