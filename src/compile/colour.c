/* Colours: rows of one kind and one colour share no particle that moves, so they can be solved at once.
 *
 * Greedy: row after row takes the lowest colour that none of its particles has yet. Only anchors are left out of conflicts; a pin that may
 * be released counts as a particle that moves. Each particle remembers its colours in 256 bits; a row that finds all of them taken (a star
 * of more than 256 constraints on one particle) is solved serially, after the colours of its kind. */
#include "compile/compile.h"

#define WORDS 4

typedef struct colours {
    uint64_t word[WORDS];
} colours;

static uint32_t lowest_zero(uint64_t v)
{
    uint32_t n = 0;
    while (v & 1) {
        v >>= 1;
        n++;
    }
    return n;
}

static uint16_t colour_row(colours *used, const pliant__row *row, uint32_t slots)
{
    colours all = {{0}};
    for (uint32_t k = 0; k < slots; k++)
        for (uint32_t i = 0; i < WORDS && !(row->anchors >> k & 1); i++) all.word[i] |= used[row->slots[k]].word[i];
    for (uint32_t i = 0; i < WORDS; i++) {
        if (all.word[i] == UINT64_MAX) continue;
        uint32_t bit = lowest_zero(all.word[i]);
        for (uint32_t k = 0; k < slots; k++)
            if (!(row->anchors >> k & 1)) used[row->slots[k]].word[i] |= (uint64_t)1 << bit;
        return (uint16_t)(64 * i + bit);
    }
    return PLIANT__SERIAL_COLOUR;
}

bool pliant__colour(pliant__compiler *c)
{
    if (c->scene->settings.order == PLIANT_ORDER_GIVEN) return true;
    colours *used = pliant__alloc_array(c->allocator, c->header.slot_count, sizeof *used);
    if (!used) return pliant__compile_memory(c);
    for (uint32_t kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        if (!c->header.constraint_count[kind]) continue;
        uint32_t slots = pliant_constraint_describe((pliant_constraint_kind)kind)->slots;
        memset(used, 0, c->header.slot_count * sizeof *used);
        for (size_t i = 0; i < c->rows.count; i++)
            if (c->rows.data[i].kind == kind) c->rows.data[i].colour = colour_row(used, &c->rows.data[i], slots);
    }
    pliant__free(c->allocator, used);
    return true;
}
