/* See near_lists.h. Stretches of the packed points are listed each on its own, in as much room as it is given; when that is full it is given more. */
#include "contact/near_lists.h"

#include "base/alloc.h"
#include "compile/model.h" /* PLIANT__BLOCK */

#include <string.h>

bool pliant__make_near_lists(const pliant_allocator *a, const pliant__cells *c, pliant__near_lists *l)
{
    *l = (pliant__near_lists){.begin = pliant__alloc_array(a, c->count, sizeof *l->begin),
                              .length = pliant__alloc_array(a, c->count, sizeof *l->length)};
    return l->begin && l->length;
}

void pliant__free_near_lists(const pliant_allocator *a, pliant__near_lists *l)
{
    pliant__free(a, l->begin);
    pliant__free(a, l->length);
    array_free(a, &l->near);
}

#define LEAST_STRETCH 512u /* particles */

void pliant__begin_near_lists(pliant__near_lists *l, const pliant__cells *c)
{
    const uint32_t most = c->inside / LEAST_STRETCH + 1, count = most < PLIANT__STRETCHES ? most : PLIANT__STRETCHES;
    l->near.count = 0;
    for (uint32_t i = 0; i <= count; i++) {
        pliant__stretch *st = &l->stretch[i];
        memset(st, 0, sizeof *st);
        st->first = (uint32_t)((uint64_t)c->inside * i / count);
        st->end = i < count ? (uint32_t)((uint64_t)c->inside * (i + 1) / count) : c->count;
        pliant__begin_cell_walk(c, st->first, st->end, &st->walk);
    }
    for (uint32_t i = c->inside; i < c->count; i++) l->begin[i] = l->length[i] = 0;
    l->stretches = count + 1;
}

#define ROOM ((size_t)1 << 14) /* entries that a stretch is given at once */

bool pliant__give_near_lists_room(pliant__near_lists *l, const pliant_allocator *allocator, size_t most, bool *ok)
{
    size_t entries = 0;
    bool   any = false;
    for (uint32_t i = 0; i + 1 < l->stretches && *ok; i++) {
        pliant__stretch *st = &l->stretch[i];
        entries += st->total;
        if (st->walk.next == st->walk.end) continue;
        const size_t room = st->needed > ROOM ? st->needed : ROOM;
        *ok = l->near.count + room < UINT32_MAX && array_reserve(allocator, &l->near, room + PLIANT__BLOCK);
        st->room = l->near.count;
        st->room_end = st->room + room;
        l->near.count += *ok ? room : 0;
        any = true;
    }
    *ok = *ok && entries <= most;
    return any && *ok;
}

#define AT_ONCE 16u /* particles of a cell; others would take much room that they may not need */

/* Lists of the next ones of a cell. False if they might need more room than there is. */
static bool list_some(pliant__near_lists *l, const pliant__cells *c, const pliant__cell_kernels *kernels, pliant__stretch *st,
                      const pliant__around *a, uint32_t end)
{
    const uint32_t first = st->walk.next, count = end - first < AT_ONCE ? end - first : AT_ONCE;
    st->needed = count * (a->total + PLIANT__BLOCK);
    if (st->room_end - st->room < st->needed) return false;
    kernels->near_some(&c->packed, a, first, first + count, l->near.data + st->room, l->length + first);
    for (uint32_t i = first; i < first + count; i++) {
        const uint32_t length = l->length[i];
        l->begin[i] = (uint32_t)st->room;
        st->room += length;
        if (l->keep) l->length[i] = l->keep(l->context, c->packed.tag[i] >> c->packed.bits, l->near.data + l->begin[i], length);
        st->total += l->length[i];
    }
    st->walk.next += count;
    return true;
}

void pliant__fill_near_lists(pliant__near_lists *l, const pliant__cells *c, const pliant__cell_kernels *kernels, uint32_t index)
{
    pliant__stretch *st = &l->stretch[index];
    while (st->walk.next < st->walk.end) {
        pliant__around a;
        const uint32_t end = pliant__next_cell(c, &st->walk, &a);
        while (st->walk.next < end)
            if (!list_some(l, c, kernels, st, &a, end)) return;
    }
}

size_t pliant__count_near_lists(const pliant__near_lists *l)
{
    size_t count = 0;
    for (uint32_t i = 0; i < l->stretches; i++) count += l->stretch[i].total;
    return count;
}
