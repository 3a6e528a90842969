/* Paths of a chunk's particles, W at a time. */
#ifndef PLIANT_BACKENDS_PATHS_H
#define PLIANT_BACKENDS_PATHS_H

#include "backends/lanes.h"
#include "solver/collider_kernels.h"

/* Paths of W particles, and how long each is. */
typedef struct some_paths {
    vvec  from, to;
    vreal length;
} some_paths;

KERNEL vvec vec_at(const pliant_real (*of)[PLIANT__CHUNK], uint32_t i)
{
    return vvec_of(load_lanes(of[0] + i), load_lanes(of[1] + i), load_lanes(of[2] + i));
}

KERNEL some_paths paths_at(const pliant__paths *p, uint32_t i)
{
    return (some_paths){vec_at(p->from, i), vec_at(p->to, i), load_lanes(p->length + i)};
}

#endif
