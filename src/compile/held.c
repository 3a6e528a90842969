/* Held rows: tethers to anchors.
 *
 * Such a row moves one particle, so rows of different particles never conflict: of a patch, the first rows of all particles make one
 * batch, the second ones another, and so on, without colours. Particles of a batch lie in the order of their slots: in a tile one lane each of its
 * groups, so that a block has its particles as regular ones have theirs; elsewhere 16 consecutive slots.
 *
 * Where an anchor lies does not matter: its position is a constant of the substep, which kernels read from a list of their own (sweep.h). So a row
 * is of the range that its particle is in, and there are none between ranges. */
#include "compile/compile.h"

#include <stdlib.h>

#define MOST_ANCHORS (UINT16_MAX + 1u) /* are numbered; rows to others are coloured */

static int by_number(const void *a, const void *b)
{
    const uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return p < q ? -1 : p > q;
}

/* Whether a row is a tether to an anchor, numbered or not. */
static bool may_be_held(const pliant__compiler *c, const pliant__row *row)
{
    return c->scene->settings.order != PLIANT_ORDER_GIVEN && row->id >= c->header.first_tether && row->anchors == 2;
}

bool pliant__list_anchors(pliant__compiler *c)
{
    for (size_t i = c->rows.count; i > 0 && c->rows.data[i - 1].id >= c->header.first_tether; i--) {
        const pliant__row *row = &c->rows.data[i - 1];
        if (may_be_held(c, row) && !array_push(c->allocator, &c->anchors, row->slots[1])) return pliant__compile_memory(c);
    }
    size_t count = 0;
    if (c->anchors.count) qsort(c->anchors.data, c->anchors.count, sizeof *c->anchors.data, by_number);
    for (size_t i = 0; i < c->anchors.count; i++)
        if (!count || c->anchors.data[i] != c->anchors.data[count - 1]) c->anchors.data[count++] = c->anchors.data[i];
    c->anchors.count = count < MOST_ANCHORS ? count : MOST_ANCHORS;
    return true;
}

static uint32_t number_of(const pliant__compiler *c, uint32_t slot)
{
    const uint32_t *found = c->anchors.count ? bsearch(&slot, c->anchors.data, c->anchors.count, sizeof *c->anchors.data, by_number) : NULL;
    return found ? (uint32_t)(found - c->anchors.data) : PLIANT__NONE;
}

bool pliant__is_held(const pliant__compiler *c, const pliant__row *row)
{
    return may_be_held(c, row) && number_of(c, row->slots[1]) != PLIANT__NONE;
}

/* Where the block of a slot begins, as in its index, and which of its lanes the slot is. */
static uint32_t place_of(const pliant__patch *p, uint32_t slot, uint32_t *lane)
{
    const uint32_t number = p->groups ? pliant__tile_place(p, slot) : slot - p->first_slot;
    *lane = p->groups ? number / p->groups : number % PLIANT__BLOCK;
    return p->groups ? number % p->groups * 4 * PLIANT__BLOCK : number - *lane;
}

uint64_t pliant__held_key(const pliant__patch *p, const pliant__row *row, uint32_t earlier)
{
    uint32_t       lane;
    const uint32_t place = place_of(p, row->slots[0], &lane);
    return (uint64_t)earlier << 48 | (uint64_t)place << 8 | lane;
}

uint32_t pliant__held_blocks(const pliant__compiler *c, const pliant__patch *p, const pliant__key *rows, uint32_t count,
                             pliant__held_block *out)
{
    uint32_t blocks = 0;
    for (uint32_t i = 0; i < count; i++) {
        const pliant__row *row = &c->rows.data[rows[i].value];
        uint32_t           lane;
        const uint32_t     place = place_of(p, row->slots[0], &lane), anchor = number_of(c, row->slots[1]);
        if (!i || out[blocks - 1].place != place) {
            out[blocks] = (pliant__held_block){.place = place};
            for (uint32_t k = 0; k < PLIANT__BLOCK; k++) out[blocks].anchor[k] = (uint16_t)anchor; /* any anchor will do */
            blocks++;
        }
        out[blocks - 1].lanes |= 1u << lane;
        out[blocks - 1].row[lane] = rows[i].value;
        out[blocks - 1].anchor[lane] = (uint16_t)anchor;
    }
    return blocks;
}
