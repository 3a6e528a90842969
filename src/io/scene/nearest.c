#include "io/scene/nearest.h"

#include <float.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const pliant__sorted_point *p = a, *q = b;
    if (p->along != q->along) return p->along < q->along ? -1 : 1;
    return p->id < q->id ? -1 : p->id > q->id;
}

static pliant_real coordinate(pliant_vec3 p, uint32_t axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

/* The axis along which points reach furthest; of two the first. */
static uint32_t widest_axis(const pliant__points_sorted *s)
{
    uint32_t best = 0;
    double   most = -1;
    for (uint32_t axis = 0; axis < 3; axis++) {
        double low = DBL_MAX, high = -DBL_MAX;
        for (uint32_t i = 0; i < s->count; i++) {
            const double at = (double)coordinate(s->x[i], axis);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        if (!(high - low > most)) continue;
        most = high - low;
        best = axis;
    }
    return best;
}

void pliant__points_sort(pliant__points_sorted *s)
{
    s->axis = widest_axis(s);
    for (uint32_t i = 0; i < s->count; i++) s->order[i] = (pliant__sorted_point){coordinate(s->x[i], s->axis), i};
    qsort(s->order, s->count, sizeof *s->order, ascending);
}

static uint32_t first_not_below(const pliant__points_sorted *s, pliant_real along)
{
    uint32_t low = 0, high = s->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->order[middle].along < along)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The search begins at the point's own coordinate and goes both ways. */
uint32_t pliant__points_nearest(const pliant__points_sorted *s, pliant_vec3 point, uint32_t without)
{
    const uint32_t start = first_not_below(s, coordinate(point, s->axis));
    uint32_t       best = UINT32_MAX;
    double         least = DBL_MAX;
    for (int way = -1; way <= 1; way += 2)
        for (int64_t i = way < 0 ? (int64_t)start - 1 : start; i >= 0 && i < s->count; i += way) {
            const uint32_t id = s->order[i].id;
            const double   x = (double)s->x[id].x - point.x, y = (double)s->x[id].y - point.y, z = (double)s->x[id].z - point.z;
            const double   d = x * x + y * y + z * z, along = s->axis == 0 ? x : s->axis == 1 ? y : z;
            if (along * along > least) break;
            if ((d > least || (d >= least && id > best)) || (s->group && s->group[id] == without)) continue;
            least = d;
            best = id;
        }
    return best;
}
