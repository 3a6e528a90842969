/* Which row has which constraint, and the way back, in hardly more memory than one of both would take.
 *
 * Packed rows, then users' constraints, have the numbers of their constraints, id - 1. Padding gets numbers of ids without a row, and what is left over of
 * these lies behind: so the numbers are a permutation of their places, and going on from each place to the place that its number says leads round a cycle.
 * The row of a constraint is the place before it on this cycle. Of each 8 places one is marked, and knows the marked one before it on its cycle: from
 * any place it is some 8 steps on to a marked one, and from the marked one before that as many to the place looked for. */
#include "compile/compile.h"

/* Numbers in the place of ids, a permutation of `count`; NULL where memory runs out. */
static uint32_t *permute(const pliant__compiler *c, uint32_t count)
{
    const uint32_t rows = c->header.packed_rows;
    uint32_t      *number = pliant__alloc_array(c->allocator, count, sizeof *number), next = 0;
    uint8_t       *taken = pliant__alloc_array(c->allocator, count, 1);
    for (uint32_t i = 0; number && taken && i < count; i++) {
        const uint32_t id = i < rows ? c->row_id.data[i] : i - rows < c->users.count ? c->users.data[i - rows].id : 0;
        number[i] = id ? id - 1 : PLIANT__NONE;
        if (id) taken[id - 1] = 1;
    }
    for (uint32_t i = 0; number && taken && i < count; i++) {
        if (number[i] != PLIANT__NONE) continue;
        while (taken[next]) next++;
        number[i] = next++;
    }
    if (!taken) {
        pliant__free(c->allocator, number);
        number = NULL;
    }
    pliant__free(c->allocator, taken);
    return number;
}

/* From each marked number on to the next. */
static void note_back(const uint32_t *number, uint32_t count, uint32_t *back)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!pliant__is_marked(i)) continue;
        uint32_t at = number[i];
        while (!pliant__is_marked(at)) at = number[at];
        back[at / 8] = i;
    }
}

bool pliant__number_constraints(pliant__compiler *c)
{
    const size_t   placed = c->header.packed_rows + c->users.count;
    const uint32_t count = placed > c->header.id_count ? (uint32_t)placed : c->header.id_count;
    uint32_t       bytes = 2;
    while (bytes < 4 && count > (uint32_t)1 << 8 * bytes) bytes++;
    uint32_t  *number = permute(c, count), *back = array_extend(c->allocator, &c->constraint_back, ((size_t)count + 7) / 8);
    uint8_t   *to = array_extend(c->allocator, &c->row_constraint, (size_t)count * bytes);
    const bool ok = number && back && to;
    for (size_t i = 0; ok && i < (size_t)count * bytes; i++) to[i] = (uint8_t)(number[i / bytes] >> 8 * (i % bytes));
    if (ok) note_back(number, count, back);
    c->header.number_bytes = bytes;
    pliant__free(c->allocator, number);
    return ok || pliant__compile_memory(c);
}
