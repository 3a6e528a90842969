/* A level's distances in the layout that kernels walk: colours, waves, blocks of 16, as the compiler does it with the model's rows. A wave is
 * one batch of distances that are at most so long; where any of them yields, each row has a law of its own. */
#include "methods/levels.h"

#include <math.h>
#include <stdlib.h>

#define COLOURS 64u

typedef struct row {
    uint32_t            colour, p, q;
    const pliant__link *link;
} row;

static int by_colour(const void *a, const void *b)
{
    const row *r = a, *s = b;
    if (r->colour != s->colour) return r->colour < s->colour ? -1 : 1;
    if (r->p != s->p) return r->p < s->p ? -1 : 1;
    return r->q < s->q ? -1 : r->q > s->q;
}

/* The lowest colour that neither has; COLOURS if there is none. */
static uint32_t take_colour(uint64_t *used, uint32_t p, uint32_t q)
{
    const uint64_t all = used[p] | used[q];
    uint32_t       c = 0;
    while (c < COLOURS && all >> c & 1) c++;
    if (c == COLOURS) return c;
    used[p] |= (uint64_t)1 << c;
    used[q] |= (uint64_t)1 << c;
    return c;
}

/* Each link once; one that finds no colour is left out, as a coarse level only helps. Returns how many. */
static uint32_t collect(const pliant__graph *g, const uint32_t *number, const uint8_t *anchored, row *rows, uint64_t *used)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < g->slot_count; p++)
        for (uint32_t i = g->first[p]; i < g->first[p + 1]; i++) {
            const pliant__link *l = &g->links[i];
            if (l->to < p || !(l->length < HUGE_VAL) || (anchored[p] && anchored[l->to])) continue;
            const uint32_t colour = take_colour(used, number[p], number[l->to]);
            if (colour < COLOURS) rows[count++] = (row){colour, number[p], number[l->to], l};
        }
    qsort(rows, count, sizeof *rows, by_colour);
    return count;
}

static void place(pliant__level *level, uint32_t packed, const row *r)
{
    const uint32_t block = packed / PLIANT__BLOCK, lane = packed % PLIANT__BLOCK;
    level->row_index[block * 2 * PLIANT__BLOCK + lane] = r ? r->p : level->count;
    level->row_index[(block * 2 + 1) * PLIANT__BLOCK + lane] = r ? r->q : level->count;
    level->row_parameter[packed] = r ? (pliant_real)r->link->length : 0;
    level->row_law[packed] = packed;
    level->compliance[packed] = r ? r->link->compliance : 0;
    level->stiffness[packed] = r ? r->link->stiffness : 1;
}

static uint32_t padded(uint32_t rows) { return (rows + PLIANT__BLOCK - 1) / PLIANT__BLOCK * PLIANT__BLOCK; }

static void add_waves(pliant__level *level, const row *rows, uint32_t count)
{
    for (uint32_t first = 0, end = 0; first < count; first = end) {
        while (end < count && rows[end].colour == rows[first].colour) end++;
        const uint32_t at = level->row_count;
        pliant__batch *w = &level->waves[level->wave_count++];
        w->kind = PLIANT__LEVEL_KIND;
        w->limit = PLIANT_AT_MOST;
        w->count = end - first;
        w->parameter_step = PLIANT__BLOCK;
        w->first_row = w->parameter = w->lambda = w->own_laws = at;
        w->index = 2 * at;
        w->index_slots = 2;
        w->place[1] = 1;
        for (uint32_t i = 0; i < padded(w->count); i++) place(level, at + i, i < w->count ? &rows[first + i] : NULL);
        level->row_count += padded(w->count);
    }
}

/* Whether each row has a law of its own. */
static void choose_laws(const pliant_allocator *a, pliant__level *level)
{
    bool soft = false;
    for (uint32_t i = 0; i < level->row_count; i++) soft = soft || level->compliance[i] > 0 || level->stiffness[i] < 1;
    for (uint32_t i = 0; soft && i < level->wave_count; i++) {
        level->waves[i].law = PLIANT__NONE;
        level->waves[i].compliant = true;
    }
    if (soft) return;
    pliant__free(a, level->compliance);
    pliant__free(a, level->stiffness);
    level->compliance = level->stiffness = NULL;
}

bool pliant__level_pack(const pliant_allocator *a, pliant__level *level, const pliant__graph *g, const uint32_t *number,
                        const uint8_t *anchored)
{
    const uint32_t links = g->first[g->slot_count] / 2;
    const size_t   most = (size_t)links + COLOURS * PLIANT__BLOCK;
    row           *rows = pliant__alloc_array(a, (size_t)links + 1, sizeof *rows);
    uint64_t      *used = pliant__alloc_array(a, (size_t)level->count + 1, sizeof *used);
    level->waves = pliant__alloc_array(a, COLOURS, sizeof *level->waves);
    level->row_index = pliant__alloc_array(a, most, 2 * sizeof *level->row_index);
    level->row_law = pliant__alloc_array(a, most, sizeof *level->row_law);
    level->row_parameter = pliant__alloc_array(a, most, sizeof *level->row_parameter);
    level->compliance = pliant__alloc_array(a, most, sizeof *level->compliance);
    level->stiffness = pliant__alloc_array(a, most, sizeof *level->stiffness);
    bool ok =
        rows && used && level->waves && level->row_index && level->row_law && level->row_parameter && level->compliance && level->stiffness;
    if (ok) {
        add_waves(level, rows, collect(g, number, anchored, rows, used));
        choose_laws(a, level);
    }
    pliant__free(a, rows);
    pliant__free(a, used);
    return ok;
}
