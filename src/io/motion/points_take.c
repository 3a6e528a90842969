/* Positions of files, looked at as they come: functions that the formats share. */
#include "io/motion/points.h"

#include "base/vec.h"

#include <stdarg.h>
#include <stdio.h>

#define FARTHEST ((pliant_real)1e9) /* m; beyond it a file is taken as damaged */

/* A finite number stays finite, however narrow pliant_real is. */
static pliant_real narrow(double x)
{
    if (x > 1e30 && x - x == 0) return (pliant_real)1e30;
    if (x < -1e30 && x - x == 0) return (pliant_real)-1e30;
    return (pliant_real)x;
}

bool pliant__points_take(double x, double y, double z, pliant_vec3 *out)
{
    *out = v3(narrow(x), narrow(y), narrow(z));
    return v3_finite(*out) && v3_dot(*out, *out) <= FARTHEST * FARTHEST;
}

bool pliant__points_refuse(const pliant__points *p, pliant_vec3 x, pliant_error *error, const char *place, ...)
{
    char    text[96];
    va_list args;
    va_start(args, place);
    vsnprintf(text, sizeof text, place, args);
    va_end(args);
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, p->file.path, 0, "%s: a point is %s", text,
                           v3_finite(x) ? "more than a million kilometres away" : "not finite");
}
