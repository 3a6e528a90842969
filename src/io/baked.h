/* How the numbers of a cache that is followed become metres, y up: what the scene says, else what the file says, else a guess. */
#ifndef PLIANT_IO_BAKED_H
#define PLIANT_IO_BAKED_H

#include "io/keys.h"

/* Of a cache's numbers: metres that one of them is, and their axis that points up, 'y' or 'z'; 0: not said. */
typedef struct pliant__axes {
    double unit;
    char   up;
} pliant__axes;

/* What follows a cache, as it lies at time 0. */
typedef struct pliant__rest {
    uint32_t           count;
    const uint32_t    *ids;     /* vertex of the cache that each lies at; NULL: at the nearest one */
    const pliant_vec3 *x;       /* m */
    bool               shifted; /* it need not lie there: only its shape is compared */
} pliant__rest;

/* Puts into `axes`, which begin as those of the file or of the scene, what fits far better than they do, if `said` leaves it open, and says so in
 * one line. Without anything that rests (`rest` NULL), or with too little of it, they become those that the same cache was guessed to have
 * before. `first` are the cache's vertices at time 0, as `axes` have them at first. */
bool pliant__guess_axes(pliant__reader *r, const pliant__node *node, const char *name, pliant__axes said, const pliant_vec3 *first,
                        uint32_t vertices, const pliant__rest *rest, pliant__axes *axes);

#endif
