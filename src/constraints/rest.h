/* What texts of shapes at rest are written in: vectors of doubles. A kind with PLIANT_ROW_SHAPED has such a text in its file,
 *
 *   static inline bool NAME_rest(const rest_vec *x, double *parameter)
 *
 * and says KIND_REST. It writes all parameters that a constraint has where its particles are at rest at x (m), so that C is 0 there, or of a kind that is
 * flat at rest wherever they lie flat. False: the shape has no such parameters, since edges have no length, say; those that follow from
 * a length that is 0 are 0 then. The text runs once for a constraint, as it is made; no step sees it. */
#ifndef PLIANT_CONSTRAINTS_REST_H
#define PLIANT_CONSTRAINTS_REST_H

#include <math.h>
#include <stdbool.h>

typedef struct rest_vec {
    double x, y, z;
} rest_vec;

/* b - a */
static inline rest_vec rest_from(rest_vec a, rest_vec b)
{
    const rest_vec r = {b.x - a.x, b.y - a.y, b.z - a.z};
    return r;
}

/* a + s b */
static inline rest_vec rest_along(rest_vec a, rest_vec b, double s)
{
    const rest_vec r = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
    return r;
}

static inline double rest_dot(rest_vec a, rest_vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
/* a x b */
static inline rest_vec rest_cross(rest_vec a, rest_vec b)
{
    const rest_vec r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}
static inline double rest_length(rest_vec a) { return sqrt(rest_dot(a, a)); }

/* 1 / length; 0 of a vector without length: its row has no direction, and corrects nothing. */
static inline double rest_inverse_length(rest_vec a)
{
    const double square = rest_dot(a, a);
    return square > 0 ? 1 / sqrt(square) : 0;
}

#endif
