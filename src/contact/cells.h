/* Cells: which particles are near each other, among particles that are no part of a surface. For pairs of grains, for fluids, for whatever asks that.
 *
 * Each particle has a reach. Two matter to each other where they are no further apart than both reaches together; cells are as wide as any two of them
 * reach, so what matters to a particle is in its own cell or in one of the 26 around it (cells.c says how they are kept). Particles that reach much further
 * than most, or are lost far away, or are nowhere, are in no cell: `outside`. Their user has to look for theirs by other means, or to leave them alone.
 *
 * A fluid with a kernel of radius h, say, has a list of its particles' slots, and a reach of h / 2 for each of them. It makes cells and lists once, and in
 * every substep it does
 *
 *     pliant__fill_cells(&cells, kernels, x, reach, NULL);
 *     pliant__begin_near_lists(&lists, &cells);                              near_lists.h
 *     while (pliant__give_near_lists_room(&lists, allocator, most, &ok))
 *         RUN i in [0, lists.stretches - 1): pliant__fill_near_lists(&lists, &cells, kernels, i);
 *
 * and has each pair of particles that are near each other once, in the list of the lower slot, in the order of slots: sums over lists do not depend on where
 * cells begin. What needs no order walks over cells itself:
 *
 *     pliant__begin_cell_walk(&cells, 0, cells.inside, &walk);
 *     while (walk.next < walk.end) {
 *         const uint32_t end = pliant__next_cell(&cells, &walk, &around);
 *         for (; walk.next < end; walk.next++)
 *             FOR run IN around, k IN [run.first, run.end): particles cells.order[walk.next] and cells.order[k] may be near each other
 *     }
 *
 * Any number of threads may walk, each over a part of [0, cells.inside). It takes a table of
 * kernels (solver/cell_kernels.h), and no pairs, model or solver. */
#ifndef PLIANT_CONTACT_CELLS_H
#define PLIANT_CONTACT_CELLS_H

#include "base/vec.h"
#include "solver/cell_kernels.h"

typedef struct pliant__cells {
    uint32_t        slots; /* length of arrays per slot */
    const uint32_t *slot;  /* of each particle, ascending; the user's */
    uint32_t        count; /* length of `slot` */

    /* since they were filled */
    const pliant_real    *reach;      /* per slot, m; the user's */
    uint8_t              *outside;    /* per slot: in no cell */
    uint32_t              inside;     /* how many are in cells */
    bool                  all;        /* no particle is outside */
    bool                  few;        /* cells that have some are few in much space */
    uint32_t             *home;       /* per slot: its cell in a table */
    void                 *scratch;    /* that table, or keys and what they are sorted into */
    uint32_t             *end;        /* per cell: where it ends in the packed points */
    uint64_t              row, layer; /* how far the next cell along y and z is off */
    uint64_t             *cell;       /* where they are few: keys of those that have some, ascending */
    uint32_t             *first;      /* per such cell, and one: where its particles begin in the packed points */
    uint32_t              filled;     /* how many such cells there are */
    uint32_t             *order;      /* slots in the order of cells, then those that are outside */
    pliant__packed_points packed;     /* in the same order */
} pliant__cells;

/* Cells for particles of these slots, below `slots`, a multiple of 16. False if out of memory; to be freed all the same. */
bool pliant__make_cells(const pliant_allocator *allocator, uint32_t slots, const uint32_t *slot, uint32_t count, pliant__cells *cells);
void pliant__free_cells(const pliant_allocator *allocator, pliant__cells *cells);

/* Puts particles into cells by where they are, `x`, four numbers per slot, and how far they reach, per slot, which is kept until cells are filled anew.
 * `extent`: how far all reach, where the kernel `reach` has said so; NULL: that is found. */
void pliant__fill_cells(pliant__cells *cells, const pliant__cell_kernels *kernels, const pliant_real *x, const pliant_real *reach,
                        const pliant__extent *extent);

/* A walk over cells: places in the packed points from `next` on, before `end`; the cell of that particle, its key, or its number where cells are few; and marks
 * among the latter, which only go forward. */
typedef struct pliant__cell_walk {
    uint32_t next, end;
    uint64_t cell;
    uint32_t low[PLIANT__AROUND], high[PLIANT__AROUND];
} pliant__cell_walk;

/* Begins a walk over places [first, end) of the packed points, which are inside. */
void pliant__begin_cell_walk(const pliant__cells *cells, uint32_t first, uint32_t end, pliant__cell_walk *walk);

/* The cell of particle `next`: returns where its particles end in the packed points, no later than the walk does, and the particles around it, itself among
 * them. The walk goes on where its user sets `next`. */
uint32_t pliant__next_cell(const pliant__cells *cells, pliant__cell_walk *walk, pliant__around *around);

#endif
