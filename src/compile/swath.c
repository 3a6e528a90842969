/* Swaths: the order in which blocks of a tile are solved.
 *
 * Batch by batch, a sweep walks through the whole tile a dozen times, and all of it comes from the second cache each time. A swath is some columns
 * of the grid in all batches: every batch gets as far as the one before it allows, so that the particles of a swath stay in the nearest cache while
 * all batches pass over them. (Loops over stencils are skewed in the same way: Wolf and Lam 1991, A Data Locality Optimizing Algorithm.)
 *
 * Lattices have one swath: their batches together pass over nearly the whole tile.
 *
 * A block is in the first swath that no earlier block which shares a group with it comes after. Within a swath batches keep their order. Blocks
 * that share a group are so solved in the order of batches, and the result is the same to the bit; kernels may take either way. */
#include "compile/compile.h"

#include <stdlib.h>

#define SWATH_GROUPS 64u /* of a swath of the first batch: 16 kB of positions */
#define LEAST_COLUMNS 4u

bool pliant__swaths_create(const pliant_allocator *a, uint32_t groups, pliant__swaths *s)
{
    *s = (pliant__swaths){0};
    s->of_group = pliant__alloc_array(a, (size_t)groups + 1, sizeof *s->of_group);
    return s->of_group != NULL;
}

void pliant__swaths_destroy(const pliant_allocator *a, pliant__swaths *s)
{
    pliant__free(a, s->of_group);
    array_free(a, &s->strokes);
}

void pliant__begin_swaths(pliant__swaths *s, const pliant__patch *tile)
{
    const uint32_t even = (uint32_t)((uint64_t)SWATH_GROUPS * tile->row / tile->groups),
                   columns = even > LEAST_COLUMNS ? even : LEAST_COLUMNS;
    s->strokes.count = 0;
    for (uint32_t g = 0; g < tile->groups; g++) s->of_group[g] = tile->row ? g % tile->row / columns : 0;
}

uint32_t pliant__move_in_swath(pliant__swaths *s, const uint16_t *group, uint32_t count)
{
    uint32_t swath = 0;
    for (uint32_t i = 0; i < count; i++) swath = s->of_group[group[i]] > swath ? s->of_group[group[i]] : swath;
    for (uint32_t i = 0; i < count; i++) s->of_group[group[i]] = swath;
    return swath;
}

bool pliant__add_stroke(const pliant_allocator *a, pliant__swaths *s, uint32_t swath, pliant__stroke stroke)
{
    return array_push(a, &s->strokes, (pliant__swath_stroke){swath, stroke});
}

static int by_swath(const void *a, const void *b)
{
    const pliant__swath_stroke *p = a, *q = b;
    if (p->swath != q->swath) return p->swath < q->swath ? -1 : 1;
    return p->stroke.batch < q->stroke.batch ? -1 : p->stroke.batch > q->stroke.batch;
}

bool pliant__end_swaths(pliant__compiler *c, pliant__swaths *s, pliant__patch *tile)
{
    tile->first_stroke = (uint32_t)c->strokes.count;
    tile->stroke_count = (uint32_t)s->strokes.count;
    if (!s->strokes.count) return true;
    qsort(s->strokes.data, s->strokes.count, sizeof *s->strokes.data, by_swath);
    pliant__stroke *to = array_extend(c->allocator, &c->strokes, s->strokes.count);
    for (size_t i = 0; to && i < s->strokes.count; i++) to[i] = s->strokes.data[i].stroke;
    return to != NULL;
}
