/* Regular bodies: lanes that hold strips, so that a batch of 16 rows reads consecutive numbers and needs no gather.
 *
 * The particles of a tile of a grid or lattice, in the order of the grid, are cut into 16 strips of `groups` particles (the last one may be
 * shorter). Group g is particle g of every strip: 16 consecutive slots, one lane each. Constraints that join a particle to those so many places
 * further on in the order of the grid form a family. The rows of a family that begin in group g end in one other group, in the same lane or, where
 * a strip ends, some lanes further on: a block is two groups and a shift for each, and a bit for every lane that has such a constraint.
 *
 * Blocks of a family are coloured like rows, groups taking the place of particles, so that two blocks of one colour share no group. Rows that
 * are in no large family are left to lists, but for tethers to anchors (held.c). */
#include "compile/compile.h"

#include "base/hash.h"

#include <stdlib.h>

#define LEAST_ROWS 16u /* of a family */

/* The same way from a constraint's first particle to its others, by one law. */
typedef struct family {
    uint32_t patch, kind, law;
    int32_t  offset[PLIANT_MAX_SLOTS]; /* from the first of its particles in the order of the grid */
    uint32_t rows;
} family;

/* ---- families ---- */

static uint32_t slot_count(const pliant__row *r) { return pliant__kind_slots(r->kind); }

/* Which family a row would be in; returns the place of its first particle. */
static uint32_t family_of(const pliant__compiler *c, const pliant__row *r, family *f)
{
    const pliant__patch *p = &c->patches.data[r->patch];
    const uint32_t      *slots = pliant__slots_of_row(c, r);
    uint32_t             first = UINT32_MAX, place[PLIANT_MAX_SLOTS] = {0};
    memset(f, 0, sizeof *f);
    f->patch = r->patch;
    f->kind = r->kind;
    f->law = r->law;
    for (uint32_t s = 0; s < slot_count(r); s++) {
        place[s] = pliant__tile_place(p, slots[s]);
        first = place[s] < first ? place[s] : first;
    }
    for (uint32_t s = 0; s < slot_count(r); s++) f->offset[s] = (int32_t)(place[s] - first);
    return first;
}

/* Lanes of a block must not meet: no two of a row's particles in one group. */
static bool fits(const pliant__compiler *c, const family *f, uint32_t slots)
{
    const int32_t groups = (int32_t)c->patches.data[f->patch].groups;
    for (uint32_t s = 0; s < slots; s++)
        for (uint32_t t = 0; t < s; t++)
            if ((f->offset[s] - f->offset[t]) % groups == 0) return false;
    return true;
}

static bool can_be_regular(const pliant__compiler *c, const pliant__row *r)
{
    const pliant__model_law *law = &c->laws.data[r->law];
    return r->patch != PLIANT__NONE && c->patches.data[r->patch].groups && law->limit == PLIANT_EQUAL &&
           !(law->compliance > 0 && law->damping > 0);
}

/* Families in an open hash table of numbers + 1. */
typedef struct families {
    ARRAY(family) list;
    uint32_t *table;
    size_t    room;
} families;

static bool grow(const pliant_allocator *a, families *f)
{
    const size_t room = f->room ? 2 * f->room : 256;
    uint32_t    *table = pliant__alloc_array(a, room, sizeof *table);
    if (!table) return false;
    for (size_t n = 0; n < f->list.count; n++) {
        family key = f->list.data[n];
        key.rows = 0;
        size_t i = (size_t)pliant__hash(&key, sizeof key, 1) & (room - 1);
        while (table[i]) i = (i + 1) & (room - 1);
        table[i] = (uint32_t)n + 1;
    }
    pliant__free(a, f->table);
    f->table = table;
    f->room = room;
    return true;
}

/* Its number, added if it is new; PLIANT__NONE: out of memory. */
static uint32_t find_family(const pliant_allocator *a, families *f, const family *key)
{
    if (2 * (f->list.count + 1) > f->room && !grow(a, f)) return PLIANT__NONE;
    for (size_t i = (size_t)pliant__hash(key, sizeof *key, 1) & (f->room - 1);; i = (i + 1) & (f->room - 1)) {
        if (!f->table[i]) {
            f->table[i] = (uint32_t)f->list.count + 1;
            return array_push(a, &f->list, *key) ? (uint32_t)f->list.count - 1 : PLIANT__NONE;
        }
        family known = f->list.data[f->table[i] - 1];
        known.rows = 0;
        if (!memcmp(&known, key, sizeof known)) return f->table[i] - 1;
    }
}

bool pliant__find_regular(pliant__compiler *c)
{
    families f = {0};
    bool     ok = true;
    for (size_t i = 0; ok && i < c->rows.count; i++) {
        pliant__row *r = &c->rows.data[i];
        family       key;
        r->family = PLIANT__NONE;
        if (!can_be_regular(c, r)) continue;
        family_of(c, r, &key);
        r->family = find_family(c->allocator, &f, &key);
        ok = r->family != PLIANT__NONE;
        if (ok) f.list.data[r->family].rows++;
    }
    for (size_t i = 0; ok && i < c->rows.count; i++) {
        pliant__row  *r = &c->rows.data[i];
        const family *of = r->family == PLIANT__NONE ? NULL : &f.list.data[r->family];
        if (of && (of->rows < LEAST_ROWS || !fits(c, of, slot_count(r)))) r->family = PLIANT__NONE;
        if (r->patch != PLIANT__NONE && c->patches.data[r->patch].groups && r->family == PLIANT__NONE && !pliant__is_held(c, r))
            r->patch = PLIANT__NONE;
    }
    array_free(c->allocator, &f.list);
    pliant__free(c->allocator, f.table);
    return ok || pliant__compile_memory(c);
}

/* ---- blocks ---- */

uint32_t pliant__regular_block(const pliant__compiler *c, const pliant__row *r, uint32_t *lane, pliant__groups *out)
{
    const pliant__patch *p = &c->patches.data[r->patch];
    family               f;
    const uint32_t       first = family_of(c, r, &f), slots = slot_count(r);
    *lane = first / p->groups;
    for (uint32_t s = 0; s < slots; s++) {
        const uint32_t place = first % p->groups + (uint32_t)f.offset[s];
        out->group[s] = (uint16_t)(place % p->groups);
        out->shift[s] = (uint16_t)(place / p->groups);
    }
    return first % p->groups;
}
