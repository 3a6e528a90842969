/* The nearest of many points. */
#ifndef PLIANT_IO_SCENE_NEAREST_H
#define PLIANT_IO_SCENE_NEAREST_H

#include "pliant/base.h"

typedef struct pliant__sorted_point {
    pliant_real along; /* m, its coordinate along the axis */
    uint32_t    id;
} pliant__sorted_point;

typedef struct pliant__points_sorted {
    const pliant_vec3    *x;
    const uint32_t       *group; /* per point; NULL: none are passed over */
    uint32_t              count;
    uint32_t              axis;  /* 0 to 2: that along which they reach furthest */
    pliant__sorted_point *order; /* as many, ascending along it */
} pliant__points_sorted;

/* Fills `axis` and `order`. */
void pliant__points_sort(pliant__points_sorted *s);

/* The number of the nearest to a point, of two as near the lower one; those of group `without` are passed over. UINT32_MAX: there is none. */
uint32_t pliant__points_nearest(const pliant__points_sorted *s, pliant_vec3 point, uint32_t without);

#endif
