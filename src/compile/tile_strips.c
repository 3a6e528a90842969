/* Strips: the order in which blocks of a tile are solved.
 *
 * Batch by batch, a sweep walks through the whole tile a dozen times, and all of it comes from the second cache each time. A strip is some columns
 * of the grid in all batches: every batch gets as far as the one before it allows, so that the particles of a strip stay in the nearest cache while
 * all batches pass over them. (Loops over stencils are skewed in the same way: Wolf and Lam 1991, A Data Locality Optimizing Algorithm.)
 *
 * Lattices have one strip: their batches together pass over nearly the whole tile.
 *
 * A block is in the first strip that no earlier block which shares a group with it comes after. Within a strip batches keep their order. Blocks
 * that share a group are so solved in the order of batches, and the result is the same to the bit; kernels may take either way. */
#include "compile/compile.h"

#include <stdlib.h>

#define STRIP_GROUPS 64u /* of a strip of the first batch: 16 kB of positions */
#define LEAST_COLUMNS 4u

bool pliant__strips_create(const pliant_allocator *a, uint32_t groups, pliant__strips *s)
{
    *s = (pliant__strips){0};
    s->of_group = pliant__alloc_array(a, (size_t)groups + 1, sizeof *s->of_group);
    return s->of_group != NULL;
}

void pliant__strips_destroy(const pliant_allocator *a, pliant__strips *s)
{
    pliant__free(a, s->of_group);
    array_free(a, &s->block_runs);
}

void pliant__begin_strips(pliant__strips *s, const pliant__patch *tile)
{
    const uint32_t even = (uint32_t)((uint64_t)STRIP_GROUPS * tile->row / tile->groups),
                   columns = even > LEAST_COLUMNS ? even : LEAST_COLUMNS;
    s->block_runs.count = 0;
    for (uint32_t g = 0; g < tile->groups; g++) s->of_group[g] = tile->row ? g % tile->row / columns : 0;
}

uint32_t pliant__move_in_strip(pliant__strips *s, const uint16_t *group, uint32_t count)
{
    uint32_t strip = 0;
    for (uint32_t i = 0; i < count; i++) strip = s->of_group[group[i]] > strip ? s->of_group[group[i]] : strip;
    for (uint32_t i = 0; i < count; i++) s->of_group[group[i]] = strip;
    return strip;
}

bool pliant__add_block_run(const pliant_allocator *a, pliant__strips *s, uint32_t strip, pliant__block_run block_run)
{
    return array_push(a, &s->block_runs, (pliant__strip_run){strip, block_run});
}

static int by_strip(const void *a, const void *b)
{
    const pliant__strip_run *p = a, *q = b;
    if (p->strip != q->strip) return p->strip < q->strip ? -1 : 1;
    return p->block_run.batch < q->block_run.batch ? -1 : p->block_run.batch > q->block_run.batch;
}

bool pliant__end_strips(pliant__compiler *c, pliant__strips *s, pliant__patch *tile)
{
    tile->first_block_run = (uint32_t)c->block_runs.count;
    tile->block_run_count = (uint32_t)s->block_runs.count;
    if (!s->block_runs.count) return true;
    qsort(s->block_runs.data, s->block_runs.count, sizeof *s->block_runs.data, by_strip);
    pliant__block_run *to = array_extend(c->allocator, &c->block_runs, s->block_runs.count);
    for (size_t i = 0; to && i < s->block_runs.count; i++) to[i] = s->block_runs.data[i].block_run;
    return to != NULL;
}
