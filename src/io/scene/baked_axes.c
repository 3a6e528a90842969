/* Units and axes of a cache, guessed. A cache without a word about them is taken as metres, y up. Where it then lies far from the vertices that
 * follow it, but right on them with z up, in centimetres or the like, it is taken so: that is far rarer by chance than an export that was not
 * turned. */
#include "io/scene/baked.h"

#include "base/error.h"
#include "base/vec.h"
#include "io/scene/nearest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shares of the cache's size: axes that fit are no further off; axes that do not fit are at least so far off, and so many times further than those
 * that do. */
#define FITS 0.05
#define MISSES 0.1
#define TIMES 4

enum {
    LEAST = 3,
    MOST = 256
}; /* fewest points for a guess; most points that are compared: with a wrong unit every vertex is a candidate for the nearest */

/* ---- how well axes fit ---- */

typedef struct fitting {
    const pliant_vec3    *first;
    uint32_t              vertices;
    const pliant__rest   *rest;
    pliant__points_sorted sorted; /* `first`, where `rest` has no ids */
    double                size;   /* of `first`: the diagonal of its box */
} fitting;

static double size_of(const pliant_vec3 *x, uint32_t count)
{
    pliant_vec3 low = x[0], high = x[0];
    for (uint32_t i = 1; i < count; i++) {
        low = v3(x[i].x < low.x ? x[i].x : low.x, x[i].y < low.y ? x[i].y : low.y, x[i].z < low.z ? x[i].z : low.z);
        high = v3(x[i].x > high.x ? x[i].x : high.x, x[i].y > high.y ? x[i].y : high.y, x[i].z > high.z ? x[i].z : high.z);
    }
    return (double)v3_length(v3_sub(high, low));
}

/* A place of the world in the numbers of `first`, if these are to be turned so. */
static pliant_vec3 back(pliant_vec3 x, double unit, bool turned)
{
    const pliant_vec3 p = v3_scale(x, (pliant_real)(1 / unit));
    return turned ? v3(p.x, -p.z, p.y) : p;
}

/* Root of the mean square of the distances, in m, if a number of `first` is `unit` metres, and z of it up where it is turned. */
static double error_of(const fitting *f, double unit, bool turned)
{
    const pliant__rest *rest = f->rest;
    const uint32_t      count = rest->count < MOST ? rest->count : MOST;
    double              sum[3] = {0, 0, 0}, squares = 0, apart = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t    i = (uint32_t)((uint64_t)k * rest->count / count);
        const pliant_vec3 x = back(rest->x[i], unit, turned);
        const uint32_t    at = rest->ids ? rest->ids[i] : pliant__points_nearest(&f->sorted, x, 0);
        const double      d[3] = {(double)x.x - (double)f->first[at].x, (double)x.y - (double)f->first[at].y,
                                  (double)x.z - (double)f->first[at].z};
        for (int axis = 0; axis < 3; axis++) sum[axis] += d[axis];
        squares += d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    }
    for (int k = 0; k < 3 && rest->shifted; k++) apart += sum[k] / count * sum[k];
    return unit * sqrt(squares > apart ? (squares - apart) / count : 0);
}

static const struct {
    double      metres;
    const char *name;
} units[] = {{1, "m"}, {1e-2, "cm"}, {1e-3, "mm"}, {0.0254, "in"}};

enum { UNITS = sizeof units / sizeof *units };

/* ---- guesses ---- */

/* The units and axes guessed for a cache, for later followers without a place of their own. */
struct pliant__guess {
    const char           *name;
    pliant__axes          axes;
    struct pliant__guess *before;
};

static bool remember(pliant__reader *r, const char *name, pliant__axes axes)
{
    struct pliant__guess *guess = pliant__read_memory(r, 1, sizeof *guess);
    if (!guess) return false;
    *guess = (struct pliant__guess){name, axes, r->guesses};
    r->guesses = guess;
    return true;
}

static void recall(const pliant__reader *r, const char *name, pliant__axes given, pliant__axes *axes)
{
    for (const struct pliant__guess *g = r->guesses; g; g = g->before) {
        if (strcmp(g->name, name) != 0) continue;
        if (!(given.unit > 0)) axes->unit = g->axes.unit;
        if (!given.up) axes->up = g->axes.up;
        return;
    }
}

static void say_guess(pliant__reader *r, const pliant__node *node, const char *name, uint32_t unit, bool turned, double error,
                      double as_it_is)
{
    char key[64], other[64];
    snprintf(key, sizeof key, "%s%s%s%s%s", turned ? "\"up\": \"z\"" : "", turned && unit ? ", " : "", unit ? "\"units\": \"" : "",
             unit ? units[unit].name : "", unit ? "\"" : "");
    snprintf(other, sizeof other, "%s%s%s", turned ? "\"up\": \"y\"" : "", turned && unit ? ", " : "", unit ? "\"units\": \"m\"" : "");
    pliant__notice(
        r, node,
        "%.60s: taken with %s, since what follows it lies %.2g m from it so at time 0, and %.2g m if it is taken as it is; say %s, or %s",
        name, key, error, as_it_is, key, other);
}

/* Notes a cache that is too far off, where no guess is sure. */
static void say_doubt(pliant__reader *r, const pliant__node *node, const char *name, bool turned, double error, double as_it_is)
{
    pliant__notice(r, node, "%.60s: what follows it lies %.2g m from it at time 0, and %.2g m %s; say \"%s\" of it", name, as_it_is, error,
                   turned ? "if z is up in it" : "in another unit", turned ? "up" : "units");
}

static bool choose(pliant__reader *r, const pliant__node *node, const char *name, pliant__axes given, const fitting *f, pliant__axes *axes)
{
    const double as_it_is = error_of(f, 1, false);
    const double smallest = given.unit > 0 ? 1 : units[UNITS - 2].metres;
    double       least = as_it_is / f->size;
    uint32_t     unit = 0;
    bool         turned = false;
    if (as_it_is < MISSES * smallest * f->size) return true;
    for (uint32_t k = 0; k < (given.unit > 0 ? 1 : UNITS); k++)
        for (int turn = 0; turn < (given.up ? 1 : 2); turn++) {
            const double size = units[k].metres * f->size, share = k || turn ? error_of(f, units[k].metres, turn) / size : least;
            if (share < least) unit = k, turned = turn, least = share;
        }
    const double size = units[unit].metres * f->size, error = least * size;
    if ((!unit && !turned) || as_it_is < MISSES * size || as_it_is < TIMES * error) return true;
    if (least > FITS) {
        if (least < 2 * FITS || (f->rest->ids && least < 4 * FITS)) say_doubt(r, node, name, turned, error, as_it_is);
        return true;
    }
    axes->unit *= units[unit].metres;
    if (turned) axes->up = 'z';
    say_guess(r, node, name, unit, turned, error, as_it_is);
    return remember(r, name, *axes);
}

bool pliant__guess_axes(pliant__reader *r, const pliant__node *node, const char *name, pliant__axes given, const pliant_vec3 *first,
                        uint32_t vertices, const pliant__rest *rest, pliant__axes *axes)
{
    fitting f = {first, vertices, rest, {.x = first, .count = vertices}, size_of(first, vertices)};
    if (given.unit > 0 && given.up) return true;
    if (!rest || rest->count < LEAST || !(f.size > 0) || (rest->shifted && !rest->ids)) {
        recall(r, name, given, axes);
        return true;
    }
    if (!rest->ids) {
        f.sorted.order = malloc(vertices * sizeof *f.sorted.order);
        if (!f.sorted.order) return pliant__fail_memory(r->error, vertices * sizeof *f.sorted.order, "a cache's motion");
        pliant__points_sort(&f.sorted);
    }
    const bool ok = choose(r, node, name, given, &f, axes);
    free(f.sorted.order);
    return ok;
}
