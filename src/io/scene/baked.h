/* How the numbers of a cache that is followed become metres, y up: units and axes of the scene, else of the file, else a guess. */
#ifndef PLIANT_IO_SCENE_BAKED_H
#define PLIANT_IO_SCENE_BAKED_H

#include "io/scene/keys.h"

/* Unit of a cache's numbers, m, and the axis that points up, 'y' or 'z'; 0: unknown. */
typedef struct pliant__axes {
    double unit;
    char   up;
} pliant__axes;

/* The vertices that follow a cache, as they lie at time 0. */
typedef struct pliant__rest {
    uint32_t           count;
    const uint32_t    *ids;     /* vertex of the cache that each lies at; NULL: at the nearest one */
    const pliant_vec3 *x;       /* m */
    bool               shifted; /* they need not lie on the cache: only their shape is compared */
} pliant__rest;

/* Replaces `axes`, which begin as those of the file or of the scene, by units and axes that fit far better, if `said` leaves them open, and notes
 * that in one line. Without vertices that rest on the cache (`rest` NULL), or with too few, they become those guessed for the same cache before.
 * `first` are the cache's vertices at time 0, as `axes` have them at first. */
bool pliant__guess_axes(pliant__reader *r, const pliant__node *node, const char *name, pliant__axes given, const pliant_vec3 *first,
                        uint32_t vertices, const pliant__rest *rest, pliant__axes *axes);

#endif
