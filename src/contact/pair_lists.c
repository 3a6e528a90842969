/* Lists of pairs of loose particles, from their cells (pair_cells.c).
 *
 * A pair is an entry in the list of the one with the lower slot: four bytes, the other's slot and in the bits that this leaves free the square of how far
 * they were apart. Lists ascend, so rows that are read from them are in an order that has nothing to do with cells. They lie in the order of cells, in which
 * particles that are near each other are near in memory, and are made by stretches, each on its own, in as much room as it is given; when that is full it is given more. */
#include "contact/pairs.h"
#include "solver/pair_kernels.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/state.h"

#include <string.h>

#define SURELY K(1.001) /* more than rounding may take */

/* ---- cells around one ---- */

static void add_run(uint32_t first, uint32_t end, pliant__around *a)
{
    a->run[a->count] = (pliant__crowd_run){first, end};
    a->count += first < end;
    a->total += end - first;
}

/* The runs around a cell in a table. */
static void go_around(const pliant__cells *c, uint64_t key, pliant__around *a)
{
    const uint32_t *corner = c->end + (key - c->layer - c->row - 1); /* first rows and columns are empty */
    a->count = 0;
    a->total = 0;
    for (uint32_t z = 0; z < 3; z++)
        for (uint32_t y = 0; y < 3; y++) {
            const uint32_t *end = corner + z * c->layer + y * c->row;
            add_run(end[-1], end[2], a);
        }
}

/* The runs around one of few cells, which ascend from call to call. */
static void go_on_around(const pliant__cells *c, pliant__stretch *st, pliant__around *a)
{
    const uint64_t corner = c->cell[st->cell] - c->layer - c->row - 1;
    a->count = 0;
    a->total = 0;
    for (uint32_t i = 0; i < PLIANT__AROUND; i++) {
        const uint64_t key = corner + (i / 3) * c->layer + (i % 3) * c->row;
        while (st->low[i] < c->cells && c->cell[st->low[i]] < key) st->low[i]++;
        if (st->high[i] < st->low[i]) st->high[i] = st->low[i];
        while (st->high[i] < c->cells && c->cell[st->high[i]] <= key + 2) st->high[i]++;
        add_run(c->first[st->low[i]], c->first[st->high[i]], a);
    }
}

/* ---- lists ---- */

/* Whether two may be a pair at all. */
static bool may_meet(const pliant_solver *s, uint32_t slot, uint32_t other)
{
    const pliant__cells *c = &s->pairs->cells;
    return pliant__may_meet(s->model, s->pairs, c->body[slot], c->body[other]) &&
           (s->model->free_w[slot] > 0 || s->model->free_w[other] > 0);
}

static uint32_t keep_those_that_meet(const pliant_solver *s, uint32_t tag, uint32_t *list, uint32_t count)
{
    const uint32_t bits = s->pairs->cells.crowd.bits;
    uint32_t       kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        list[kept] = list[i];
        kept += may_meet(s, tag >> bits, list[i] >> bits);
    }
    return kept;
}

#define AT_ONCE 16u /* particles of a cell; others would take much room that they may not need */

/* Lists of the next ones of a cell. False if they might need more room than there is. */
static bool list_some(pliant_solver *s, pliant__stretch *st, const pliant__around *a, uint32_t end)
{
    pliant__cells *c = &s->pairs->cells;
    const uint32_t first = st->next, count = end - first < AT_ONCE ? end - first : AT_ONCE;
    st->needed = count * (a->total + PLIANT__BLOCK);
    if (st->room_end - st->room < st->needed) return false;
    s->backend.kernels->near_some(&c->crowd, a, first, first + count, c->near.data + st->room, c->some + first);
    for (uint32_t i = first; i < first + count; i++) {
        const uint32_t some = c->some[i];
        c->begin[i] = (uint32_t)st->room;
        st->room += some;
        if (c->picky || s->pairs->off) c->some[i] = keep_those_that_meet(s, c->crowd.tag[i], c->near.data + c->begin[i], some);
        st->total += c->some[i];
    }
    st->next += count;
    return true;
}

/* The cell of the next one of a stretch. Returns where it ends, and the particles around it. */
static uint32_t next_cell(const pliant__cells *c, pliant__stretch *st, pliant__around *a)
{
    uint32_t end;
    if (c->few) {
        while (c->first[st->cell + 1] <= st->next) st->cell++;
        end = c->first[st->cell + 1];
        go_on_around(c, st, a);
    } else {
        while (c->end[st->cell] <= st->next) st->cell++;
        end = c->end[st->cell];
        go_around(c, st->cell, a);
    }
    return end < st->end ? end : st->end;
}

static void list_stretch(void *solver, uint32_t index)
{
    pliant_solver   *s = solver;
    pliant__cells   *c = &s->pairs->cells;
    pliant__stretch *st = &c->stretch[index];
    while (st->next < st->end) {
        pliant__around a;
        const uint32_t end = next_cell(c, st, &a);
        while (st->next < end)
            if (!list_some(s, st, &a, end)) return;
    }
}

#define LEAST_STRETCH 512u /* particles */

/* Stretches of about as many particles, and one of those that are in no cell. */
static void begin_stretches(pliant__cells *c)
{
    const uint32_t most = c->inside / LEAST_STRETCH + 1, count = most < PLIANT__STRETCHES ? most : PLIANT__STRETCHES;
    for (uint32_t i = 0; i <= count; i++) {
        pliant__stretch *st = &c->stretch[i];
        memset(st, 0, sizeof *st);
        st->first = st->next = (uint32_t)((uint64_t)c->inside * i / count);
        if (!c->few && st->first < c->inside) st->cell = c->home[c->order[st->first]];
        st->end = i < count ? (uint32_t)((uint64_t)c->inside * (i + 1) / count) : c->count;
    }
    for (uint32_t i = c->inside; i < c->count; i++) c->begin[i] = c->some[i] = 0;
    c->stretches = count + 1;
}

#define ROOM ((size_t)1 << 14) /* entries that a stretch is given at once */

/* Gives room to each stretch that wants more. Returns whether any do; `ok` is false where there is none, or where there are too many pairs. */
static bool give_room(pliant_solver *s, bool *ok)
{
    pliant__cells *c = &s->pairs->cells;
    size_t         pairs = 0;
    bool           any = false;
    for (uint32_t i = 0; i + 1 < c->stretches && *ok; i++) {
        pliant__stretch *st = &c->stretch[i];
        pairs += st->total;
        if (st->next == st->end) continue;
        const size_t room = st->needed > ROOM ? st->needed : ROOM;
        *ok = c->near.count + room < UINT32_MAX && array_reserve(&s->allocator, &c->near, room + PLIANT__BLOCK);
        st->room = c->near.count;
        st->room_end = st->room + room;
        c->near.count += *ok ? room : 0;
        any = true;
    }
    *ok = *ok && pairs <= pliant__most_pairs(s->pairs);
    return any && *ok;
}

bool pliant__find_in_cells(pliant_solver *s)
{
    pliant__cells *c = &s->pairs->cells;
    bool           ok = true;
    c->near.count = c->apart.count = 0;
    if (!c->count) return true;
    begin_stretches(c);
    while (give_room(s, &ok)) pliant__run(s, list_stretch, c->stretches - 1);
    return ok;
}

/* Marks pairs of one body that were nearer than they are thick; distances are rounded down. */
static void mark_crowded(pliant__cells *c)
{
    const uint32_t apart = (UINT32_C(1) << c->crowd.bits) - 1;
    for (uint32_t i = 0; i < c->inside; i++)
        for (uint32_t k = 0; k < c->some[i]; k++) {
            const uint32_t    entry = c->near.data[c->begin[i] + k], a = c->crowd.tag[i] >> c->crowd.bits, b = entry >> c->crowd.bits;
            const pliant_real sum = SURELY * (c->thick[a] + c->thick[b]);
            if ((pliant_real)(entry & apart) <= sum * sum * c->crowd.scale + c->crowd.slack) c->crowded[a] = c->crowded[b] = 1;
        }
}

void pliant__find_crowded(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    pliant__cells *c = &p->cells;
    bool           ok = true;
    if (!c->count) return;
    for (uint32_t i = 0; i < c->count; i++) {
        pliant__set_slot_x(p->ref, c->slot[i], pliant__slot_x(s->model->x, c->slot[i]));
        p->strayed.stepped[c->slot[i]] = 0;
    }
    pliant__fill_cells(s);
    begin_stretches(c);
    while (give_room(s, &ok))
        for (uint32_t i = 0; i + 1 < c->stretches; i++) list_stretch(s, i);
    for (uint32_t i = 0; i < c->count; i++) c->crowded[c->slot[i]] = !ok || c->outside[c->slot[i]];
    if (ok) mark_crowded(c);
    c->near.count = c->stretches = 0;
}

/* ---- those that are in no cell ---- */

/* As an entry. */
static uint32_t entry_of(const pliant__cells *c, uint32_t slot, pliant_real apart)
{
    const pliant_real most = (pliant_real)((UINT32_C(1) << c->crowd.bits) - 1), wide = apart * apart * c->crowd.scale;
    return slot << c->crowd.bits | (uint32_t)(wide < most ? wide : most);
}

/* Puts more into the list of one, which so moves to the end. */
static bool add_to_list(pliant_solver *s, const pliant__key *more, uint32_t count)
{
    pliant__cells *c = &s->pairs->cells;
    const uint32_t place = c->place[more->key >> 32], some = c->some[place];
    if (c->near.count + some + count >= UINT32_MAX || !array_reserve(&s->allocator, &c->near, some + count + PLIANT__BLOCK)) return false;
    const uint32_t *was = c->near.data + c->begin[place];
    uint32_t       *to = c->near.data + c->near.count, old = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t entry = (uint32_t)(more[i].key & UINT32_MAX);
        while (old < some && was[old] < entry) *to++ = was[old++];
        *to++ = entry;
    }
    while (old < some) *to++ = was[old++];
    c->begin[place] = (uint32_t)c->near.count;
    c->some[place] += count;
    c->near.count += some + count;
    for (uint32_t i = 0; i < c->stretches; i++)
        if (c->stretch[i].first <= place && place < c->stretch[i].end) c->stretch[i].total += count;
    return true;
}

/* Takes pairs of loose particles out of what trees have found of corners. */
static bool list_apart(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    pliant__cells *c = &p->cells;
    size_t         kept = 0;
    for (size_t i = 0; i < p->found.count; i++) {
        const pliant__found *f = &p->found.data[i];
        const uint32_t slot = p->parts[PLIANT__CORNERS].slot[3 * (size_t)f->part[0]], other = s->model->elements[3 * (size_t)f->part[1]];
        if (c->of_slot[slot] == PLIANT__NOT_LOOSE || c->of_slot[other] == PLIANT__NOT_LOOSE) {
            p->found.data[kept++] = *f;
            continue;
        }
        const pliant__key key = {(uint64_t)slot << 32 | entry_of(c, other, f->apart), 0};
        if (!array_push(&s->allocator, &c->apart, key)) return false;
    }
    p->found.count = kept;
    return true;
}

bool pliant__take_apart(pliant_solver *s)
{
    pliant__cells *c = &s->pairs->cells;
    if (!c->count) return true;
    if (!list_apart(s)) return false;
    const size_t count = c->apart.count;
    if (!count) return true;
    if (!array_reserve(&s->allocator, &c->apart, count)) return false;
    const pliant__key *sorted = pliant__sort_keys(c->apart.data, c->apart.data + count, count);
    for (uint32_t i = 0; i < c->count; i++) c->place[c->crowd.tag[i] >> c->crowd.bits] = i;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && sorted[end].key >> 32 == sorted[i].key >> 32; end++) continue;
        if (!add_to_list(s, sorted + i, (uint32_t)(end - i))) return false;
    }
    c->apart.count = 0;
    return pliant__count_points(c) <= pliant__most_pairs(s->pairs);
}

/* ---- all of them ---- */

size_t pliant__count_points(const pliant__cells *c)
{
    size_t count = 0;
    for (uint32_t i = 0; i < c->stretches; i++) count += c->stretch[i].total;
    return count;
}
