/* Where a path enters a ball, or the side of a cylinder that is seen along its axis. */
#include "collide/grown.h"

/* The nearest approach is found first: b^2 - 4ac of the school formula loses all digits where the path is long and the sphere small. */
bool pliant__enter_round(double radius, pliant__d3 a, pliant__d3 d, double *time)
{
    double square = d3_dot(d, d), along = d3_dot(a, d);
    if (!(square > 1e-200) || !(along < 0)) return false;
    double     middle = -along / square;
    pliant__d3 nearest = d3_madd(a, d, middle), unused;
    double     distance = d3_split(nearest, nearest, &unused);
    if (!(distance < radius)) return false;
    double t = middle - sqrt((radius - distance) * (radius + distance) / square);
    if (t > 1) return false;
    *time = t > 0 ? t : 0;
    return true;
}
