/* Kernels of cells: which particles are near each other (contact/cells.h, contact/near_lists.h). Of a step they know nothing. */
#ifndef PLIANT_SOLVER_CELL_KERNELS_H
#define PLIANT_SOLVER_CELL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "pliant/base.h"

/* Particles side by side, in the order of their cells; there is room for as many past the last as a kernel takes at once. Where each was when it
 * was foreseen is counted in units of which a cell has PLIANT__UNITS, of 16 bits, which is enough to tell how far those in cells beside each other are
 * apart, wherever these are; they are apart by less than PLIANT__UNITS_OFF more than these say, and by no more than that less. */
typedef struct pliant__packed_points {
    uint32_t   *xy, *zr;       /* x, and y above it; z, and above it how near others matter, rounded up by that much for any two */
    uint32_t   *tag;           /* its slot, above so many bits */
    uint32_t    bits, shift;   /* the square of a distance without its last ones, so many, is what those bits have */
    double      low[3], units; /* m, where units are counted from, and 1/m, how many there are */
    pliant_real scale, slack;  /* 1/m^2: what those bits count distances with, squared; in these, by how much they may be too much */
} pliant__packed_points;

#define PLIANT__UNITS 8184     /* two that reach as far as any have less than 2^13 */
#define PLIANT__UNITS_OFF 1.75 /* sqrt(3): one along each axis */

/* How far particles reach, and where they are. */
typedef struct pliant__extent {
    pliant_real least, most, low[3], high[3];
} pliant__extent;

/* Cells of a table. */
typedef struct pliant__cell_grid {
    pliant_real low[3], inverse;
    uint32_t    row, layer; /* how far the next along y and z are off */
} pliant__cell_grid;

/* Packed points that follow each other. */
typedef struct pliant__packed_run {
    uint32_t first, end;
} pliant__packed_run;

#define PLIANT__AROUND 9u

/* Particles of the cells around one, as runs of the packed points, and how many they are. */
typedef struct pliant__around {
    pliant__packed_run run[PLIANT__AROUND];
    uint32_t           count;
    size_t             total;
} pliant__around;

/* Per particle of packed points the list of particles near it that have higher slots, ascending. An entry is that slot, and below it in so many bits the square of how far both
 * were apart, rounded down, too much by no more than `slack`. */
typedef struct pliant__lists {
    const uint32_t *near, *begin, *length,
        *tag; /* where each list begins and how long it is; the particle that has it, as in the packed points */
    uint32_t    bits;
    pliant_real scale, slack; /* as in the packed points */
} pliant__lists;

/* X(name, (parameters), "what it does") */
#define PLIANT__CELL_KERNELS(X)                                                                                                           \
    X(reach,                                                                                                                              \
      (const pliant_real *ref, const pliant_real *still, const pliant_real *stepped, pliant_real steps, uint32_t slots,                   \
       pliant_real *reach, pliant__extent *out),                                                                                          \
      "how far particles reach that go on for some steps; `still` is below 0 for slots that are not asked")                               \
    X(find_cells, (const pliant__cell_grid *g, const pliant_real *ref, uint32_t slots, uint32_t *cell),                                   \
      "in which cell of a table each is")                                                                                                 \
    X(pack_points, (const pliant_real *ref, const pliant_real *reach, const uint32_t *slot, uint32_t count, pliant__packed_points *to),   \
      "particles side by side; there are slots up to the end of a block")                                                                 \
    X(near_some,                                                                                                                          \
      (const pliant__packed_points *packed, const pliant__around *around, uint32_t first, uint32_t end, uint32_t *out, uint32_t *length), \
      "lists of points [first, end) of a cell, one behind the other, and how long each is; there is room for all around each, and a "     \
      "block")

typedef struct pliant__cell_kernels {
#define X(name, parameters, text) void(*name) parameters;
    PLIANT__CELL_KERNELS(X)
#undef X
} pliant__cell_kernels;

#endif
