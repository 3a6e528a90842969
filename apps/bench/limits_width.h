/* The loops that measure a machine's limits, one set per lane width: limits_width.c, compiled with the flags of each. */
#ifndef PLIANT_BENCH_LIMITS_WIDTH_H
#define PLIANT_BENCH_LIMITS_WIDTH_H

#include "pliant/base.h"

#define BENCH_GROUPS 64u
#define BENCH_STRIPS (BENCH_GROUPS - 1)  /* vectors of distances among them */
#define BENCH_VOLUMES (BENCH_GROUPS / 4) /* vectors of volumes */

typedef struct bench_loops {
    /* a[i] = b[i] + s c[i] */
    void (*triad)(pliant_real *a, const pliant_real *b, const pliant_real *c, pliant_real s, size_t count);
    /* Of `count` particles, a multiple of the width, as indices name them: x y z w is loaded, turned to one vector for each of x, y, z and w,
     * a little is added to x, and all is turned back and stored. */
    void (*turn)(pliant_real *positions, const uint32_t *index, size_t count);
    /* So many square roots, or divisions, that do not wait for each other; `data`: 8 widths of numbers. */
    void (*roots)(pliant_real *data, size_t vectors);
    void (*ratios)(pliant_real *data, size_t vectors);
    /* Distances between neighbours of BENCH_GROUPS groups, each x y z w of a width of particles: even ones, then odd ones. Nothing is looked up. */
    void (*strips)(pliant_real *groups);
    /* Volumes of tetrahedra with compliance, of four groups each. */
    void (*volumes)(pliant_real *groups);
} bench_loops;

/* NULL: this build has no such width. */
const bench_loops *bench_loops_of(uint32_t width);

#endif
