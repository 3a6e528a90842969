/* Colours: rows of one patch, kind and colour share no particle that moves, so they can be solved at once.
 *
 * Greedy: row after row takes the lowest colour that none of its particles has yet. Only anchors are left out of conflicts; a pin that may
 * be released counts as a particle that moves. Rows with anchors in other slots have colours of their own, as they need batches of their own:
 * these would be small if they shared colours. Each particle remembers its colours in 256 bits; a row that finds all of them taken (a star
 * of more than 256 constraints on one particle) is solved serially, after the colours of its kind. */
#include "compile/compile.h"

#define WORDS 4

static uint32_t lowest_zero(uint64_t v)
{
    uint32_t n = 0;
    while (v & 1) {
        v >>= 1;
        n++;
    }
    return n;
}

static uint16_t colour_row(pliant__colours *used, uint32_t anchors, const uint32_t *local, uint32_t slots)
{
    pliant__colours all = {{0}};
    for (uint32_t k = 0; k < slots; k++)
        for (uint32_t i = 0; i < WORDS && !(anchors >> k & 1); i++) all.word[i] |= used[local[k]].word[i];
    for (uint32_t i = 0; i < WORDS; i++) {
        if (all.word[i] == UINT64_MAX) continue;
        uint32_t bit = lowest_zero(all.word[i]);
        for (uint32_t k = 0; k < slots; k++)
            if (!(anchors >> k & 1)) used[local[k]].word[i] |= (uint64_t)1 << bit;
        return (uint16_t)(64 * i + bit);
    }
    return PLIANT__SERIAL_COLOUR;
}

uint32_t pliant__colour_rows(pliant__compiler *c, const uint32_t *rows, uint32_t count, uint32_t first, pliant__colours *used)
{
    uint32_t next = first;
    if (!count) return next;
    const pliant__patch *patch = &c->patches.data[c->rows.data[rows[0]].patch];
    const uint32_t       slots = pliant__kind_slots(c->rows.data[rows[0]].kind);
    for (uint32_t i = 0; i < count; i++) {
        pliant__row    *r = &c->rows.data[rows[i]];
        const uint32_t *slot = pliant__slots_of_row(c, r);
        uint32_t        local[PLIANT_MAX_SLOTS];
        for (uint32_t k = 0; k < slots; k++) local[k] = pliant__local(c, patch, slot[k]);
        r->colour = colour_row(used, r->anchors, local, slots);
        if (r->colour == PLIANT__SERIAL_COLOUR) continue;
        r->colour = (uint16_t)(r->colour + first);
        if (r->colour >= next) next = r->colour + 1u;
    }
    memset(used, 0, patch->slot_count * sizeof *used);
    return next;
}

void pliant__colour_clusters(pliant__cluster *clusters, size_t count, pliant__colours *used)
{
    for (size_t i = 0; i < count; i++) clusters[i].colour = colour_row(used, 0, clusters[i].slots, pliant__shapes[clusters[i].shape].slots);
    for (size_t i = 0; i < count; i++)
        for (uint32_t s = 0; s < pliant__shapes[clusters[i].shape].slots; s++) memset(&used[clusters[i].slots[s]], 0, sizeof *used);
}

uint16_t pliant__colour_numbers(pliant__colours *used, const uint32_t *numbers, uint32_t count)
{
    return colour_row(used, 0, numbers, count);
}
