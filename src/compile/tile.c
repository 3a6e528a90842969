/* How particles of a tile lie: strips of a grid in lanes, as regular.c says. */
#include "compile/compile.h"

/* Place of a slot of a tile in the order of the grid. */
uint32_t pliant__tile_place(const pliant__patch *p, uint32_t slot)
{
    const uint32_t i = slot - p->first_slot, full = p->full_groups * p->lanes;
    const uint32_t group = i < full ? i / p->lanes : p->full_groups + (i - full) / (p->lanes - 1);
    const uint32_t lane = i < full ? i % p->lanes : (i - full) % (p->lanes - 1);
    return lane * p->groups + group;
}

/* Whether two particles near each other in a grid with rows of `row` and layers of `layer` may be in one group. */
static bool has_conflict(uint32_t groups, int64_t row, int64_t layer)
{
    for (int64_t c = -2; c <= 2; c++)
        for (int64_t b = -2; b <= 2; b++)
            for (int64_t a = -2; a <= 2; a++)
                if ((a || b || c) && (layer || !c) && (a + b * row + c * layer) % groups == 0) return true;
    return false;
}

void pliant__lay_out_tile(pliant__patch *p, const uint32_t size[3])
{
    const uint32_t count = size[0] * size[1] * size[2];
    p->groups = (count + PLIANT__BLOCK - 1) / PLIANT__BLOCK;
    /* In cells that are cut by turns a row comes again two cells further on: with an even number, lanes of tiles with odd sides all have it or none. */
    while (has_conflict(p->groups, size[0], size[2] > 1 ? (int64_t)size[0] * size[1] : 0) ||
           ((size[0] % 2 || size[2] > 1) && p->groups % 2))
        p->groups++;
    p->lanes = (count + p->groups - 1) / p->groups;
    p->full_groups = count - (p->lanes - 1) * p->groups;
    p->row = size[2] > 1 ? 0 : size[0];
}
