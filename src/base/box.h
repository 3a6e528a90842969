/* Boxes along the axes. */
#ifndef PLIANT_BASE_BOX_H
#define PLIANT_BASE_BOX_H

#include "base/vec.h"

typedef struct pliant__box {
    pliant_vec3 low, high;
} pliant__box;

static inline pliant__box box_of_nothing(void)
{
    const pliant__box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    return b;
}
static inline void box_add(pliant__box *b, pliant_vec3 p)
{
    b->low = v3(r_min(b->low.x, p.x), r_min(b->low.y, p.y), r_min(b->low.z, p.z));
    b->high = v3(r_max(b->high.x, p.x), r_max(b->high.y, p.y), r_max(b->high.z, p.z));
}
static inline pliant__box box_of_both(pliant__box a, pliant__box b)
{
    const pliant__box both = {v3(r_min(a.low.x, b.low.x), r_min(a.low.y, b.low.y), r_min(a.low.z, b.low.z)),
                              v3(r_max(a.high.x, b.high.x), r_max(a.high.y, b.high.y), r_max(a.high.z, b.high.z))};
    return both;
}
static inline pliant__box box_grown(pliant__box b, pliant_real by)
{
    const pliant__box grown = {v3_sub(b.low, v3(by, by, by)), v3_add(b.high, v3(by, by, by))};
    return grown;
}
static inline bool boxes_meet(const pliant__box *a, const pliant__box *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y && a->low.z <= b->high.z &&
           b->low.z <= a->high.z;
}

#endif
