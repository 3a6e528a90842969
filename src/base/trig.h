/* exp, log, pow, sin, cos and atan2 of Pliant's own, in double: the C libraries of this world round them differently, and results must
 * not depend on which one is there. Errors stay within a few units in the last place over the ranges that Pliant uses. */
#ifndef PLIANT_BASE_TRIG_H
#define PLIANT_BASE_TRIG_H

/* e^x; 0 below -745, infinity above 709. */
double pliant__exp(double x);

/* Natural logarithm; -infinity for 0, NaN for x < 0. */
double pliant__log(double x);

/* x^y for x >= 0. */
double pliant__pow(double x, double y);

/* Sine and cosine, for |x| < 1e6. */
double pliant__sin(double x);
double pliant__cos(double x);

/* Angle of (x, y) in (-pi, pi]; 0 at the origin. */
double pliant__atan2(double y, double x);

#endif
