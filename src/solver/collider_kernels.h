/* What contacts with colliders ask of all particles of a chunk at once: which of them no collider can touch. Kernels: backends/cpu_width_colliders.c. */
#ifndef PLIANT_SOLVER_COLLIDER_KERNELS_H
#define PLIANT_SOLVER_COLLIDER_KERNELS_H

#include "base/box.h"
#include "collide/collide.h"
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

/* A plane that is turned at neither end of a substep, as particles find it: their paths as seen from it, in double, as pliant__plane_contact has it. */
typedef struct pliant__flat {
    pliant_vec3 before, after; /* where it is */
    pliant_real draws;         /* m, how far from where they touch it draws them */
    double      height, touch; /* of the grown plane above itself; what counts as on it, beside rounding */
} pliant__flat;

/* `bits` has 16 particles a word, `first` is the lowest bit of the first. */
#define PLIANT__COLLIDER_KERNELS(X)                                                                                                   \
    X(paths, (const pliant_real *from, const pliant_real *x, uint32_t first, uint32_t count, pliant__paths *paths, pliant__box *box), \
      "paths side by side, and a box around them, grown by the longest")                                                              \
    X(swept_bound, (const pliant__swept_bound *l, const pliant__paths *paths, uint16_t *bits),                                        \
      "particles that might touch a collider: the path, grown by its length, comes as near as that")                                  \
    X(flat, (const pliant__flat *l, const pliant__paths *paths, const uint16_t *near, uint16_t *met, pliant_real *x, pliant_real *z), \
      "which of those that are near meet a plane, and where along it")

#endif
