#include "mesh/touch.h"

/* Whether the axis that is upright on u and v parts the two. Where u and v are all but parallel the axis is rounding only, and parts nothing. */
static bool parts(pliant__point u, pliant__point v, const pliant__point triangle[3], const pliant__point tet[4], double margin)
{
    const pliant__point axis = p_cross(u, v);
    if (!(p_dot(axis, axis) > 1e-16 * p_dot(u, u) * p_dot(v, v))) return false;
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        const double a = p_dot(axis, triangle[i]);
        low[0] = p_min(low[0], a);
        high[0] = p_max(high[0], a);
    }
    for (int i = 0; i < 4; i++) {
        const double a = p_dot(axis, tet[i]);
        low[1] = p_min(low[1], a);
        high[1] = p_max(high[1], a);
    }
    const double gap = p_max(low[0] - high[1], low[1] - high[0]);
    return gap > 0 && gap * gap > margin * margin * p_dot(axis, axis);
}

bool pliant__touch(const pliant__point triangle[3], const pliant__point tet[4], double margin)
{
    pliant__point side[3], edge[6];
    int           n = 0;
    for (int i = 0; i < 3; i++) side[i] = p_sub(triangle[(i + 1) % 3], triangle[i]);
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++) edge[n++] = p_sub(tet[j], tet[i]);
    if (parts(side[0], side[1], triangle, tet, margin)) return false;
    for (int i = 0; i < 4; i++) {
        const pliant__point a = tet[(i + 1) & 3], b = tet[(i + 2) & 3], c = tet[(i + 3) & 3];
        if (parts(p_sub(b, a), p_sub(c, a), triangle, tet, margin)) return false;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 6; j++)
            if (parts(side[i], edge[j], triangle, tet, margin)) return false;
    return true;
}
