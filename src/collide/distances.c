/* Within a cell the field is trilinear: along a straight path a cubic in time. A path is cut where it leaves its cells, and each piece is asked for the
 * first root of its cubic, by its Bernstein coefficients: where all are positive there is none (Farin 2002, Curves and Surfaces for CAGD, 5.1).
 * Far from the level, cells are passed over by as much as the slope of the field allows (Hart 1996, Sphere Tracing). */
#include "collide/distances.h"

static double value(const pliant__field *f, uint32_t i, uint32_t j, uint32_t k)
{
    return (double)f->distance[i + (size_t)f->count[0] * (j + (size_t)f->count[1] * k)];
}

/* ---- between the points ---- */

/* A cell, and its corners' values. */
typedef struct cube {
    uint32_t at[3];
    double   v[8];
} cube;

static void open_cell(const pliant__field *f, cube *c)
{
    for (uint32_t n = 0; n < 8; n++) c->v[n] = value(f, c->at[0] + (n & 1), c->at[1] + (n >> 1 & 1), c->at[2] + (n >> 2));
}

static double mix(double a, double b, double u) { return a + (b - a) * u; }

/* u: from 0 to 1 across the cell. */
static double in_cell(const cube *c, const double u[3], double gradient[3])
{
    const double *v = c->v;
    const double  x00 = mix(v[0], v[1], u[0]), x10 = mix(v[2], v[3], u[0]), x01 = mix(v[4], v[5], u[0]), x11 = mix(v[6], v[7], u[0]);
    const double  y0 = mix(x00, x10, u[1]), y1 = mix(x01, x11, u[1]);
    if (gradient) {
        gradient[0] = mix(mix(v[1] - v[0], v[3] - v[2], u[1]), mix(v[5] - v[4], v[7] - v[6], u[1]), u[2]);
        gradient[1] = mix(x10 - x00, x11 - x01, u[2]);
        gradient[2] = y1 - y0;
    }
    return mix(y0, y1, u[2]);
}

/* In cells from the origin. */
static void to_cells(const pliant__field *f, pliant__d3 p, double u[3])
{
    const pliant__d3 from = d3_sub(p, d3_widen(f->origin));
    const double     cell = d_widen(f->cell);
    u[0] = from.x / cell;
    u[1] = from.y / cell;
    u[2] = from.z / cell;
}

static uint32_t cell_at(const pliant__field *f, int axis, double u)
{
    const double last = (double)(f->count[axis] - 2);
    return u > 0 ? u < last ? (uint32_t)u : f->count[axis] - 2 : 0;
}

double pliant__field_at(const pliant__field *f, pliant__d3 p, pliant__d3 *gradient)
{
    double u[3], g[3], off[3], square = 0;
    cube   c;
    to_cells(f, p, u);
    for (int k = 0; k < 3; k++) {
        const double inside = d_clamp(u[k], 0, (double)(f->count[k] - 1));
        c.at[k] = cell_at(f, k, u[k]);
        off[k] = (u[k] - inside) * d_widen(f->cell);
        square += off[k] * off[k];
        u[k] = inside - (double)c.at[k];
    }
    open_cell(f, &c);
    const double at = in_cell(&c, u, g), away = sqrt(square);
    if (gradient) {
        for (int k = 0; k < 3; k++) g[k] = off[k] != 0 ? off[k] / away : g[k] / d_widen(f->cell);
        *gradient = d3(g[0], g[1], g[2]);
    }
    return at + away;
}

bool pliant__field_is_far(const pliant__field *f, double grow, pliant__d3 p, double reach)
{
    return pliant__field_at(f, p, NULL) - grow > PLIANT__FIELD_SLOPE * reach;
}

/* ---- nearest ---- */

enum { NEWTON_STEPS = 24 };

/* Where it is nearest, and the unit normal there. Where the field is flat, as in the middle of something, the way is +y. */
static pliant__d3 go_to_level(const pliant__field *f, double grow, double touch, pliant__d3 x, pliant__d3 *normal)
{
    for (int i = 0; i < NEWTON_STEPS; i++) {
        pliant__d3   g;
        const double off = pliant__field_at(f, x, &g) - grow, square = d3_dot(g, g);
        if (!(square > 1e-6)) g = d3(0, 1, 0);
        d3_split(g, d3(0, 1, 0), normal);
        if (d_abs(off) <= touch / 64) break;
        x = d3_madd(x, g, -off / d_max(d3_dot(g, g), 0.25));
    }
    return x;
}

static double square_between(pliant__d3 a, pliant__d3 b) { return d3_dot(d3_sub(a, b), d3_sub(a, b)); }

enum { SLIDES = 6 };

/* Slides a point along the level towards p, by half of the distance that seems to be missing, as long as that brings it nearer. */
static pliant__d3 slide(const pliant__field *f, double grow, double touch, pliant__d3 p, pliant__d3 x, pliant__d3 *normal)
{
    for (int i = 0; i < SLIDES; i++) {
        pliant__d3       n = *normal;
        const pliant__d3 way = d3_sub(p, x), along = d3_madd(way, n, -d3_dot(way, n));
        const pliant__d3 there = go_to_level(f, grow, touch, d3_madd(x, along, 0.5), &n);
        if (!(square_between(p, there) < square_between(p, x)) || d_abs(pliant__field_at(f, there, NULL) - grow) > touch) break;
        x = there;
        *normal = n;
    }
    return x;
}

void pliant__field_nearest(const pliant__field *f, double grow, double touch, pliant__d3 p, pliant__wide_hit *hit)
{
    const double cell = d_widen(f->cell);
    pliant__d3   way;
    hit->point = go_to_level(f, grow, touch, p, &hit->normal);
    if (square_between(p, hit->point) > cell * cell) hit->point = slide(f, grow, touch, p, hit->point, &hit->normal);
    const bool   inside = pliant__field_at(f, p, NULL) < grow;
    const double length = d3_split(inside ? d3_sub(hit->point, p) : d3_sub(p, hit->point), hit->normal, &way);
    if (length > touch) hit->normal = way;
    hit->depth = -d3_dot(d3_sub(p, hit->point), hit->normal);
}

/* ---- paths ---- */

/* The first root of a cubic by its Bernstein coefficients, the first of which is positive or 0, at times from `low` to `high`. */
static bool first_root(const double b[4], double low, double high, double *at)
{
    if (b[0] > 0 && b[1] > 0 && b[2] > 0 && b[3] > 0) return false;
    if (b[0] <= 0 || high - low < 1e-13) {
        *at = low;
        return b[0] <= 0 || b[3] <= 0;
    }
    const double b01 = (b[0] + b[1]) / 2, b12 = (b[1] + b[2]) / 2, b23 = (b[2] + b[3]) / 2, b012 = (b01 + b12) / 2, b123 = (b12 + b23) / 2;
    const double middle = (b012 + b123) / 2, half = (low + high) / 2;
    const double left[4] = {b[0], b01, b012, middle}, right[4] = {middle, b123, b23, b[3]};
    return first_root(left, low, half, at) || first_root(right, half, high, at);
}

/* A path in units of cells, at a time, in a cell. */
typedef struct walk {
    const pliant__field *f;
    double               level, from[3], step[3], time, end, speed; /* speed in metres */
    cube                 c;
} walk;

static double walk_value(const walk *w, double time)
{
    double u[3];
    for (int k = 0; k < 3; k++) u[k] = w->from[k] + time * w->step[k] - (double)w->c.at[k];
    return in_cell(&w->c, u, NULL) - w->level;
}

/* The piece of the path that lies in the grid. False if there is none. */
static bool clip(walk *w)
{
    for (int k = 0; k < 3; k++) {
        const double high = (double)(w->f->count[k] - 1);
        if (w->step[k] == 0) {
            if (w->from[k] < 0 || w->from[k] > high) return false;
            continue;
        }
        const double one = -w->from[k] / w->step[k], other = (high - w->from[k]) / w->step[k];
        w->time = d_max(w->time, one < other ? one : other);
        w->end = -d_max(-w->end, -d_max(one, other));
    }
    return w->time <= w->end;
}

static void enter_cell(walk *w)
{
    for (int k = 0; k < 3; k++) w->c.at[k] = cell_at(w->f, k, w->from[k] + w->time * w->step[k]);
}

/* When it leaves the cell, and across which axis. */
static double leave_time(const walk *w, int *axis)
{
    double first = w->end;
    *axis = -1;
    for (int k = 0; k < 3; k++) {
        if (w->step[k] == 0) continue;
        const double wall = (double)w->c.at[k] + (w->step[k] > 0 ? 1 : 0), then = (wall - w->from[k]) / w->step[k];
        if (then < first) {
            first = then;
            *axis = k;
        }
    }
    return d_max(first, w->time);
}

static bool next_cell(walk *w, int axis)
{
    if (axis < 0) return false;
    if (w->step[axis] > 0) return ++w->c.at[axis] < w->f->count[axis] - 1;
    return w->c.at[axis]-- > 0;
}

static bool root_in_cell(const walk *w, double first, double leave, double *time)
{
    const double span = leave - w->time, a = walk_value(w, w->time + span / 3), b = walk_value(w, w->time + 2 * span / 3);
    const double last = walk_value(w, leave);
    const double bernstein[4] = {first, (18 * a - 5 * first - 9 * b + 2 * last) / 6, (18 * b - 9 * a + 2 * first - 5 * last) / 6, last};
    double       at;
    if (!first_root(bernstein, 0, 1, &at)) return false;
    *time = w->time + at * span;
    return true;
}

/* Each step leaves a cell or goes on by several. */
static bool find_root(walk *w, double *time)
{
    const double far = 4 * PLIANT__FIELD_SLOPE * d_widen(w->f->cell);
    if (!clip(w)) return false;
    enter_cell(w);
    for (;;) {
        int axis;
        open_cell(w->f, &w->c);
        const double first = walk_value(w, w->time), leave = leave_time(w, &axis);
        const double later = w->time + first / (PLIANT__FIELD_SLOPE * w->speed);
        if (first > far && later > leave) {
            w->time = later;
            if (!(w->time < w->end)) return false;
            enter_cell(w);
            continue;
        }
        if (root_in_cell(w, first, leave, time)) return true;
        w->time = leave;
        if (!next_cell(w, axis)) return false;
    }
}

bool pliant__field_sweep(const pliant__field *f, double grow, double touch, pliant__d3 a, pliant__d3 b, pliant__wide_hit *hit, double *time)
{
    pliant__d3       gradient, unused;
    const pliant__d3 d = d3_sub(b, a);
    const double     start = pliant__field_at(f, a, &gradient) - grow, cell = d_widen(f->cell);
    walk             w = {.f = f, .level = grow, .end = 1, .speed = d3_split(d, d3(0, 0, 0), &unused)};
    if (start < -touch || !(w.speed > 0)) return false;
    *time = 0;
    if (start > touch || !(d3_dot(gradient, d) < 0)) {
        if (start <= touch) w.level -= touch; /* along the surface or out: the path has to get deeper than `touch` */
        to_cells(f, a, w.from);
        w.step[0] = d.x / cell, w.step[1] = d.y / cell, w.step[2] = d.z / cell;
        if (!find_root(&w, time)) return false;
    }
    hit->point = d3_madd(a, d, *time);
    pliant__field_at(f, hit->point, &gradient);
    d3_split(gradient, d3_scale(d, -1 / w.speed), &hit->normal);
    return true;
}

pliant__model_box pliant__field_box(const pliant__field *f)
{
    const double     cell = d_widen(f->cell);
    const pliant__d3 low = d3_widen(f->origin);
    const pliant__d3 high =
        d3(low.x + cell * (double)(f->count[0] - 1), low.y + cell * (double)(f->count[1] - 1), low.z + cell * (double)(f->count[2] - 1));
    const pliant__model_box box = {f->origin, d3_narrow(high)};
    return box;
}

double pliant__field_size(const pliant__field *f)
{
    const pliant__model_box box = pliant__field_box(f);
    const pliant__d3        a = d3_widen(box.low), b = d3_widen(box.high);
    return d_max(d_max(d_max(d_abs(a.x), d_abs(b.x)), d_max(d_abs(a.y), d_abs(b.y))), d_max(d_abs(a.z), d_abs(b.z)));
}
