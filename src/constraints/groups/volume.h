/* A liquid, or what else hardly changes its volume, in a closed surface: with K its modulus of compression and k the share of the volume V0 at rest that is
 * kept,
 *
 *   p = K (k - V / V0),   dp/dV = -K / V0,   E = K V0 / 2 (k - V / V0)^2. */
#include "constraints/groups/press.h"

static inline void volume_press(const double *number, double rest, double volume, press *out)
{
    const double more = number[0] - volume / rest;
    out->slope = number[1] / rest;
    out->pressure = number[1] * more;
    out->energy = 0.5 * number[1] * rest * more * more;
}

static inline bool volume_may_lose(const double *number)
{
    (void)number;
    return false;
}

static inline double volume_pumped(double rest, double volume, double pressure)
{
    (void)volume;
    return pressure * rest;
}

static inline double volume_lost(const double *number, double rest, double volume, double h)
{
    (void)number, (void)rest, (void)volume, (void)h;
    return 0;
}

static inline double volume_blown(const double *number, double rest, double volume, const opening *of)
{
    (void)number, (void)rest, (void)volume, (void)of;
    return 0;
}
