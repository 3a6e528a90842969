/* Gas of one temperature in a closed surface: pressure times volume is constant, the air's outside counted.
 *
 *   p = n / V - a,   n = (p0 + a) V0,   dp/dV = -n / V^2,   E = -n log(V / V0) + a (V - V0)
 *
 * of which p0 is the gauge pressure at the volume V0 at rest, and a that of the air outside. There is no gas of less than nothing: n >= 0. Below a 64th of
 * V0, which a surface that is crushed or turned inside out has, p goes on straight, so that E stays convex and pushes it apart. */
#include "constraints/groups/press.h"

static inline void gas_press(const double *number, double rest, double volume, press *out)
{
    const double ambient = number[1], absolute = number[0] + ambient > 0 ? number[0] + ambient : 0, n = absolute * rest;
    const double least = rest / 64, v = volume > least ? volume : least, below = v - volume;
    out->slope = n / (v * v);
    out->pressure = n / v - ambient + out->slope * below;
    out->energy = ambient * (volume - rest) - n * pliant__log(v / rest) + n / v * below + 0.5 * out->slope * below * below;
}

/* What escapes goes with the gauge pressure as it is, a step of backward Euler: n falls by leak h (n - a V). */
static inline double gas_lost(const double *number, double rest, double volume, double h)
{
    press now;
    if (!(number[2] > 0) || !(volume > 0)) return 0;
    gas_press(number, rest, volume, &now);
    return now.pressure * volume / rest * (number[2] * h / (1 + number[2] * h));
}
