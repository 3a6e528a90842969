/* The kernels of a lane width: one per kind of constraint, compiled from the same text (kind_kernels.h), and the numbers they share. */
#ifndef PLIANT_BACKENDS_WIDTH_H
#define PLIANT_BACKENDS_WIDTH_H

#include "pliant_widths.h" /* generated: PLIANT_WIDTHS(X) */
#include "solver/sweep.h"

#define X(W) extern const pliant__kernels pliant__kernels_##W;
PLIANT_WIDTHS(X)
#undef X

#endif
