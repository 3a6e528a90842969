/* Gas of one temperature in a closed surface: pressure times volume is constant, the air's outside counted.
 *
 *   p = n / V - a,   n = (p0 + a) V0,   dp/dV = -n / V^2,   E = -n log(V / V0) + a (V - V0)
 *
 * of which p0 is the gauge pressure at the volume V0 at rest, and a that of the air outside. There is no gas of less than nothing: n >= 0. Below a 64th of
 * V0, which a surface that is crushed or turned inside out has, p goes on straight, as steeply as if there were as much gas as the air outside at the least: E stays
 * convex, and pushes it apart, be it empty. */
#include "constraints/groups/press.h"

static inline void gas_press(const double *number, double rest, double volume, press *out)
{
    const double ambient = number[1], absolute = number[0] + ambient > 0 ? number[0] + ambient : 0, n = absolute * rest;
    const double least = rest / 64, v = volume > least ? volume : least, below = v - volume;
    const double most = n > ambient * rest ? n : ambient * rest;
    out->slope = (below > 0 ? most : n) / (v * v);
    out->pressure = n / v - ambient + out->slope * below;
    out->energy = ambient * (volume - rest) - n * pliant__log(v / rest) + n / v * below + 0.5 * out->slope * below * below;
}

static inline bool gas_may_lose(const double *number) { return number[2] > 0; }

static inline double gas_pumped(double rest, double volume, double pressure)
{
    (void)pressure;
    return -rest * pliant__log(volume > rest / 64 ? volume / rest : 1.0 / 64);
}

/* What escapes goes with the gauge pressure as it is, a step of backward Euler: n falls by leak h (n - a V). A millionth of the pressure outside is what a volume in
 * float32 is rounded by, and moves nothing. */
static inline double gas_lost(const double *number, double rest, double volume, double h)
{
    press now;
    if (!(number[2] > 0) || !(volume > 0)) return 0;
    gas_press(number, rest, volume, &now);
    if (now.pressure * now.pressure < 1e-12 * number[1] * number[1]) return 0;
    return now.pressure * volume / rest * (number[2] * h / (1 + number[2] * h));
}
