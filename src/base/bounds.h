/* The bounds of numbers that the table of constraints has. */
#ifndef PLIANT_BASE_BOUNDS_H
#define PLIANT_BASE_BOUNDS_H

#include "base/vec.h"
#include "pliant/constraints.h"

/* Whether a parameter, or a number of a law, lies within the bounds of its row, rounded to pliant_real: a bound itself, read from a file, does. */
static inline bool pliant__is_within(const pliant_parameter_info *p, pliant_real value)
{
    return r_finite(value) && value >= (pliant_real)p->low && value <= (pliant_real)p->high;
}

#endif
