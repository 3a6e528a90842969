/* Points in double, whatever pliant_real is: decisions about a mesh are made in double. */
#ifndef PLIANT_SURFACE_POINT_H
#define PLIANT_SURFACE_POINT_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct pliant__point {
    double c[3];
} pliant__point;

static inline pliant__point p_of(double x, double y, double z)
{
    pliant__point p = {{x, y, z}};
    return p;
}
static inline pliant__point p_add(pliant__point a, pliant__point b) { return p_of(a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2]); }
static inline pliant__point p_sub(pliant__point a, pliant__point b) { return p_of(a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]); }
static inline pliant__point p_scale(pliant__point a, double s) { return p_of(a.c[0] * s, a.c[1] * s, a.c[2] * s); }
static inline double        p_dot(pliant__point a, pliant__point b) { return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2]; }
static inline pliant__point p_cross(pliant__point a, pliant__point b)
{
    return p_of(a.c[1] * b.c[2] - a.c[2] * b.c[1], a.c[2] * b.c[0] - a.c[0] * b.c[2], a.c[0] * b.c[1] - a.c[1] * b.c[0]);
}
static inline double p_det(pliant__point a, pliant__point b, pliant__point c) { return p_dot(p_cross(a, b), c); }
static inline double p_length(pliant__point a) { return sqrt(p_dot(a, a)); }
static inline double p_distance(pliant__point a, pliant__point b) { return p_length(p_sub(a, b)); }

static inline double p_max(double a, double b) { return a > b ? a : b; }
static inline double p_min(double a, double b) { return a < b ? a : b; }

/* Six times the volume of a tetrahedron, with its sign. */
static inline double p_volume6(const pliant__point x[4]) { return p_det(p_sub(x[1], x[0]), p_sub(x[2], x[0]), p_sub(x[3], x[0])); }

typedef struct pliant__box {
    double low[3], high[3];
} pliant__box;

static inline pliant__box pliant__box_empty(void)
{
    pliant__box b = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    return b;
}
static inline void pliant__box_take(pliant__box *b, pliant__point p)
{
    for (int k = 0; k < 3; k++) {
        if (p.c[k] < b->low[k]) b->low[k] = p.c[k];
        if (p.c[k] > b->high[k]) b->high[k] = p.c[k];
    }
}
static inline bool pliant__boxes_meet(const pliant__box *a, const pliant__box *b)
{
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
    return true;
}

#endif
