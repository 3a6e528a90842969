#include "io/nearest.h"

#include <float.h>
#include <stdlib.h>

static int by_x(const void *a, const void *b)
{
    const pliant__sorted_point *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->id < q->id ? -1 : p->id > q->id;
}

void pliant__points_sort(pliant__points_sorted *s)
{
    for (uint32_t i = 0; i < s->count; i++) s->by_x[i] = (pliant__sorted_point){s->x[i].x, i};
    qsort(s->by_x, s->count, sizeof *s->by_x, by_x);
}

static uint32_t first_not_below(const pliant__points_sorted *s, pliant_real x)
{
    uint32_t low = 0, high = s->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->by_x[middle].x < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Looked for from the point's x on, both ways. */
uint32_t pliant__points_nearest(const pliant__points_sorted *s, pliant_vec3 point, uint32_t without)
{
    const uint32_t start = first_not_below(s, point.x);
    uint32_t       best = UINT32_MAX;
    double         least = DBL_MAX;
    for (int way = -1; way <= 1; way += 2)
        for (int64_t i = way < 0 ? (int64_t)start - 1 : start; i >= 0 && i < s->count; i += way) {
            const uint32_t id = s->by_x[i].id;
            const double   x = (double)s->x[id].x - point.x, y = (double)s->x[id].y - point.y, z = (double)s->x[id].z - point.z;
            const double   d = x * x + y * y + z * z;
            if (x * x > least) break;
            if ((d > least || (d >= least && id > best)) || (s->group && s->group[id] == without)) continue;
            least = d;
            best = id;
        }
    return best;
}
