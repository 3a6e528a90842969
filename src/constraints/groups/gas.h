/* Gas of one temperature in a closed surface: pressure times volume is constant, the air's outside counted.
 *
 *   p = n / V - a,   n = (p0 + a) V0,   dp/dV = -n / V^2,   E = -n log(V / V0) + a (V - V0)
 *
 * of which p0 is the gauge pressure at the volume V0 at rest, and a that of the air outside. There is no gas of less than nothing: n >= 0. Below a 64th of
 * V0, which a surface that is crushed or turned inside out has, p goes on straight, as steeply as if there were as much gas as the air outside at the least: E stays
 * convex, and pushes it apart, be it empty. */
#include "constraints/groups/press.h"

#include <math.h>

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
    const double least = rest / 64, below = volume < least ? least - volume : 0;
    (void)pressure;
    return -rest * (pliant__log(volume > least ? volume / rest : 1.0 / 64) - below / least);
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

/* Out of an opening gas flows by the orifice law (Batchelor 1967, section 5.1), J sqrt(2 rho p) kg/s through a jet of cross section J, rho the density of the gas
 * inside at its pressure, rho = d (p + a) / AIR, or where p < 0 that of the air outside, d a / AIR. An amount n of gas, Pa m^3, has the mass d n / AIR, so with
 * K = J sqrt(2 AIR / d)
 *
 *   dn/dt = -K sqrt(p (p + a)),   or  K sqrt(-p a)  where p < 0.
 *
 * One step of backward Euler at the volume V as it is, n falling by V (p - q) with q the pressure after it and c = K h / V:
 *
 *   p - q = c sqrt(q (q + a)),   or with -q = s^2   -p - s^2 = c sqrt(a) s,
 *
 * which are quadratic: the pressure falls, never through 0, however long the step is. No more leaves than there is. */
static inline double gas_blown(const double *number, double rest, double volume, const opening *of)
{
    const double a = number[1], there = number[0] + a > 0 ? number[0] + a : 0;
    press        now;
    if (!(volume > 0) || !(of->jet > 0)) return 0;
    gas_press(number, rest, volume, &now);
    const double p = now.pressure, c = of->jet * sqrt(2 * AIR / of->density) * of->h / volume, c2 = c * c;
    if (!(p * p > 1e-12 * a * a)) return 0;
    double q;
    if (p > 0) {
        const double b = 2 * p + c2 * a;
        q = 2 * p * p / (b + sqrt(c2 * (4 * p * a + c2 * a * a + 4 * p * p)));
    } else {
        const double s = -2 * p / (c * sqrt(a) + sqrt(c2 * a - 4 * p));
        q = -s * s;
    }
    const double lost = (p - q) * volume / rest;
    return lost < there ? lost : there;
}
