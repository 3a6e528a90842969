/* What contacts with colliders ask of all particles of a chunk at once: which of them no collider can touch, and where they meet plain shapes. Kernels:
 * backends/cpu_width_colliders.c, cpu_width_plain.c. */
#ifndef PLIANT_SOLVER_COLLIDER_KERNELS_H
#define PLIANT_SOLVER_COLLIDER_KERNELS_H

#include "base/box.h"
#include "collide/grown.h"
#include "compile/model.h"

/* A collider as it is looked for. A plane or a ball that does not turn in a substep is told by how far it is, all else by its box. */
typedef struct pliant__swept_bound {
    pliant__box box;          /* of its whole way, grown by what is kept away from it */
    bool        plane, ball;  /* then: */
    pliant_vec3 at, up;       /* where it is when the substep begins; a plane's normal */
    pliant_real grown, touch; /* m: how far what is kept away is from `at`; what counts as on it */
    pliant_real gone;         /* m, its way in the substep */
} pliant__swept_bound;

/* A shape that goes from one pose to another, and keeps away what is nearer than `grow`. swept_bounds.c */
pliant__swept_bound pliant__swept_bound_of(const pliant__shape *shape, pliant_pose before, pliant_pose after, pliant_real grow);

/* Paths of a chunk's particles, side by side, and how long each is. Those past the last, up to a whole vector, are the last. */
typedef struct pliant__paths {
    uint32_t    count;
    pliant_real from[3][PLIANT__CHUNK], to[3][PLIANT__CHUNK], length[PLIANT__CHUNK];
} pliant__paths;

/* A collider of a plain shape in a substep, as a body's particles find it. */
typedef struct pliant__plain {
    const pliant__grown *grown;
    pliant_pose          before, after; /* at both ends of the substep */
    bool                 upright;       /* turned at neither */
    pliant_real          draws;         /* m, how far from where they touch it draws particles */
} pliant__plain;

/* Where a chunk's particles meet it: of each particle the point of the grown surface and its normal, in the shape's frame. */
typedef struct pliant__plain_hits {
    pliant_real point[3][PLIANT__CHUNK], normal[3][PLIANT__CHUNK];
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

/* `bits` has 16 particles a word, `first` is the lowest bit of the first. */
#define PLIANT__COLLIDER_KERNELS(X)                                                                                                   \
    X(paths, (const pliant_real *from, const pliant_real *x, uint32_t first, uint32_t count, pliant__paths *paths, pliant__box *box), \
      "paths side by side, and a box around them, grown by the longest")                                                              \
    X(swept_bound, (const pliant__swept_bound *l, const pliant__paths *paths, uint16_t *bits),                                        \
      "particles that might touch a collider: the path, grown by its length, comes as near as that")                                  \
    X(plain,                                                                                                                          \
      (const pliant__plain *l, const pliant__paths *paths, const uint16_t *near, uint16_t *met, uint16_t *unsure,                     \
       pliant__plain_hits *hits),                                                                                                     \
      "which of those that are near meet a plain shape, and where: to the bit as pliant__grown_contact; and which it cannot tell")

#endif
