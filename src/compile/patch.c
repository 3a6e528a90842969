/* Which patch solves each row, and which patches are solved at once.
 *
 * A row with all of its slots in one range belongs to that range. So does a tether to an anchor, wherever the anchor lies (held.c). Ranges share
 * no slot, so they make the first round. Rows left over run between ranges (or to an anchor outside their own). Those between the same ranges form a strip, strips are coloured so that two of one colour
 * share no particle that moves, and strips of one colour, some of them together, become patches that are lists: a round per colour.
 *
 * In the order given there are no colours: rows are cut into lists as they come, each a round of its own. */
#include "compile/compile.h"

#include "base/sort.h"

#include <stdlib.h>

#define COLOURS 64u
#define LIST_GROWS 1024u /* a list takes further strips until it has so many slots */

typedef struct strip {
    uint32_t first, end; /* among the sorted rows */
    uint32_t colour;
} strip;

typedef struct cutter {
    pliant__compiler *c;
    uint32_t         *patch_of; /* per slot: its range, or none */
    uint64_t         *colours;  /* per slot: of strips that touch it */
    uint32_t         *seen;     /* per slot: stamp of the strip that marked it last */
    uint32_t          stamp;
    pliant__key      *rows, *scratch; /* rows between ranges, by strip; the other buffer */
    size_t            row_count;
    ARRAY(strip) strips;
    uint32_t colour_count;
} cutter;

static uint32_t slot_count(const pliant__row *r) { return pliant__kind_slots(r->kind); }

/* The range that has all slots of a row, if there is one; and a key that rows between the same ranges share. */
static uint32_t range_of(const cutter *k, const pliant__row *r, uint64_t *key)
{
    const uint32_t *slots = pliant__slots_of_row(k->c, r);
    uint32_t        ranges[PLIANT_MAX_SLOTS] = {0}, count = 0, n = slot_count(r);
    bool            outside = false;
    for (uint32_t s = 0; s < n; s++) {
        const uint32_t patch = k->patch_of[slots[s]];
        uint32_t       at = 0;
        if (r->anchors >> s & 1) continue;
        while (at < count && ranges[at] < patch) at++;
        if (at < count && ranges[at] == patch) continue;
        for (uint32_t i = count; i > at; i--) ranges[i] = ranges[i - 1];
        ranges[at] = patch;
        count++;
    }
    for (uint32_t s = 0; s < n; s++) outside = outside || k->patch_of[slots[s]] != ranges[0];
    *key = (uint64_t)(ranges[0] & 0xffffff) << 40 | (uint64_t)((count > 1 ? ranges[1] : ranges[0]) & 0xffffff) << 16 |
           ((count > 2 ? ranges[2] * 31 : 0) + (count > 3 ? ranges[3] * 1031 : 0)) % 0xffff;
    return outside && !pliant__is_held(k->c, r) ? PLIANT__NONE : ranges[0];
}

static bool sort_rows(cutter *k)
{
    pliant__compiler *c = k->c;
    for (size_t i = 0; i < c->patches.count; i++)
        for (uint32_t s = 0; s < c->patches.data[i].slot_count; s++) k->patch_of[c->patches.data[i].first_slot + s] = (uint32_t)i;
    for (uint32_t i = c->header.particle_count; i < c->header.slot_count; i++) k->patch_of[i] = PLIANT__NONE;
    for (size_t i = 0; i < c->rows.count; i++) {
        uint64_t key = 0;
        c->rows.data[i].patch = range_of(k, &c->rows.data[i], &key);
    }
    if (!pliant__find_regular(c)) return false;
    for (size_t i = 0; i < c->rows.count; i++) k->row_count += c->rows.data[i].patch == PLIANT__NONE;
    k->rows = pliant__alloc_array(c->allocator, k->row_count + 1, sizeof *k->rows);
    k->scratch = pliant__alloc_array(c->allocator, k->row_count + 1, sizeof *k->scratch);
    if (!k->rows || !k->scratch) return false;
    size_t at = 0;
    for (size_t i = 0; i < c->rows.count; i++) {
        uint64_t key = 0;
        if (c->rows.data[i].patch != PLIANT__NONE) continue;
        range_of(k, &c->rows.data[i], &key);
        k->rows[at++] = (pliant__key){key, (uint32_t)i};
    }
    pliant__key *sorted = pliant__sort_keys(k->rows, k->scratch, k->row_count);
    if (sorted != k->rows) k->scratch = k->rows, k->rows = sorted;
    return true;
}

/* ---- strips ---- */

static const pliant__row *row_at(const cutter *k, size_t i) { return &k->c->rows.data[k->rows[i].value]; }

/* Marks a row's slots with the stamp; returns how many had another one. */
static uint32_t mark(cutter *k, const pliant__row *r)
{
    const uint32_t *slots = pliant__slots_of_row(k->c, r);
    uint32_t        fresh = 0;
    for (uint32_t s = 0; s < slot_count(r); s++) {
        fresh += k->seen[slots[s]] != k->stamp;
        k->seen[slots[s]] = k->stamp;
    }
    return fresh;
}

static bool cut_strips(cutter *k)
{
    for (size_t first = 0, i = 0; i < k->row_count; first = i) {
        uint32_t slots = 0;
        k->stamp++;
        while (i < k->row_count && k->rows[i].key == k->rows[first].key && slots < PLIANT__LIST) slots += mark(k, row_at(k, i++));
        if (!array_push(k->c->allocator, &k->strips, (strip){(uint32_t)first, (uint32_t)i, 0})) return false;
    }
    return true;
}

/* The lowest colour that none of its particles has; where all are taken, one of its own. */
static void colour_strip(cutter *k, strip *a)
{
    uint64_t used = 0;
    uint32_t colour = 0;
    for (uint32_t i = a->first; i < a->end; i++)
        for (uint32_t s = 0; s < slot_count(row_at(k, i)); s++)
            if (!(row_at(k, i)->anchors >> s & 1)) used |= k->colours[pliant__slots_of_row(k->c, row_at(k, i))[s]];
    while (colour < COLOURS && used >> colour & 1) colour++;
    a->colour = colour < COLOURS ? colour : k->colour_count < COLOURS ? COLOURS : k->colour_count;
    if (a->colour >= k->colour_count) k->colour_count = a->colour + 1;
    for (uint32_t i = a->first; i < a->end && colour < COLOURS; i++)
        for (uint32_t s = 0; s < slot_count(row_at(k, i)); s++)
            if (!(row_at(k, i)->anchors >> s & 1)) k->colours[pliant__slots_of_row(k->c, row_at(k, i))[s]] |= (uint64_t)1 << colour;
}

/* ---- lists ---- */

static int by_number(const void *a, const void *b)
{
    const uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return p < q ? -1 : p > q;
}

/* Begins a patch that is a list. */
static bool open_list(cutter *k)
{
    k->stamp++;
    return array_push(k->c->allocator, &k->c->patches, (pliant__patch){.first_listed = (uint32_t)k->c->patch_slots.count});
}

static bool add_to_list(cutter *k, uint32_t row)
{
    pliant__compiler *c = k->c;
    pliant__patch    *p = &c->patches.data[c->patches.count - 1];
    pliant__row      *r = &c->rows.data[row];
    const uint32_t   *slots = pliant__slots_of_row(c, r);
    r->patch = (uint32_t)c->patches.count - 1;
    for (uint32_t s = 0; s < slot_count(r); s++) {
        if (k->seen[slots[s]] == k->stamp) continue;
        k->seen[slots[s]] = k->stamp;
        p->slot_count++;
        if (!array_push(c->allocator, &c->patch_slots, slots[s])) return false;
    }
    return true;
}

static void close_list(cutter *k)
{
    const pliant__patch *p = &k->c->patches.data[k->c->patches.count - 1];
    qsort(k->c->patch_slots.data + p->first_listed, p->slot_count, sizeof(uint32_t), by_number);
}

/* Patches from `first` on are a round. */
static bool add_round(pliant__compiler *c, size_t first)
{
    return array_push(c->allocator, &c->rounds, (pliant__round){(uint32_t)first, (uint32_t)(c->patches.count - first)});
}

static bool make_lists(cutter *k)
{
    pliant__compiler *c = k->c;
    for (uint32_t colour = 0; colour < k->colour_count; colour++) {
        const size_t first = c->patches.count;
        bool         open = false;
        for (size_t i = 0; i < k->strips.count; i++) {
            const strip *a = &k->strips.data[i];
            if (a->colour != colour) continue;
            if (!open && !open_list(k)) return false;
            for (uint32_t r = a->first; r < a->end; r++)
                if (!add_to_list(k, k->rows[r].value)) return false;
            open = c->patches.data[c->patches.count - 1].slot_count < LIST_GROWS;
            if (!open) close_list(k);
        }
        if (open) close_list(k);
        if (c->patches.count > first && !add_round(c, first)) return false;
    }
    return true;
}

static bool make_lists_given(cutter *k)
{
    pliant__compiler *c = k->c;
    for (uint32_t i = 0; i < c->rows.count;) {
        const size_t first = c->patches.count;
        if (!open_list(k)) return false;
        while (i < c->rows.count && c->patches.data[first].slot_count < PLIANT__LIST)
            if (!add_to_list(k, i++)) return false;
        close_list(k);
        if (!add_round(c, first)) return false;
    }
    return true;
}

/* Which particles lists move. */
static bool note_later(pliant__compiler *c)
{
    uint8_t *later = array_extend(c->allocator, &c->later, c->header.slot_count / 8);
    if (!later) return false;
    for (size_t i = 0; i < c->patch_slots.count; i++) {
        const uint32_t slot = c->patch_slots.data[i];
        if (c->pin.data[slot] != PLIANT__ANCHOR) later[slot / 8] |= (uint8_t)(1u << slot % 8);
    }
    for (uint32_t slot = 0; slot < c->header.slot_count; slot++)
        if ((later[slot / 8] >> slot % 8 & 1) && !array_push(c->allocator, &c->later_slots, slot)) return false;
    return true;
}

bool pliant__patch_rows(pliant__compiler *c)
{
    const size_t n = c->header.slot_count;
    cutter       k = {.c = c};
    k.patch_of = pliant__alloc_array(c->allocator, n, sizeof *k.patch_of);
    k.colours = pliant__alloc_array(c->allocator, n, sizeof *k.colours);
    k.seen = pliant__alloc_array(c->allocator, n, sizeof *k.seen);
    bool ok = k.patch_of && k.colours && k.seen && add_round(c, 0);
    if (ok && c->scene->settings.order == PLIANT_ORDER_GIVEN)
        ok = make_lists_given(&k);
    else if (ok && (ok = sort_rows(&k) && cut_strips(&k))) {
        for (size_t i = 0; i < k.strips.count; i++) colour_strip(&k, &k.strips.data[i]);
        ok = make_lists(&k);
    }
    ok = ok && note_later(c) && pliant__list_spares(c);
    pliant__free(c->allocator, k.patch_of);
    pliant__free(c->allocator, k.colours);
    pliant__free(c->allocator, k.seen);
    pliant__free(c->allocator, k.rows);
    pliant__free(c->allocator, k.scratch);
    array_free(c->allocator, &k.strips);
    return ok || pliant__compile_memory(c);
}
