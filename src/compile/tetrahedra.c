/* Tetrahedra with all their edges: a volume and six distances among four particles, solved together, so that four positions are loaded once
 * instead of sixteen times.
 *
 * An edge belongs to many tetrahedra and is solved with one of them; which ones take all of their edges is decided greedily, neighbours
 * first. Seven rows of ten are then in such clusters of the usual cut of cubes; distances that are left are solved before them, volumes after
 * them. The volume belongs in: with cliques of edges alone, and all volumes later, Gauss-Seidel needs a third more sweeps. */
#include "compile/compile.h"

#include "base/hash.h"
#include "base/sort.h"

#define COMMON_LAW 256u /* rows that a law must have, so that batches are not small */
#define EDGES 6u

typedef struct tet_finder {
    pliant__compiler    *c;
    const pliant__patch *patch;
    uint32_t            *rows, count;
    uint32_t            *table; /* by pairs of particles: number among the rows + 1 of the distance between them */
    size_t               room;
    bool                *taken; /* per number among the rows */
    pliant__key         *order, *scratch;
} tet_finder;

static bool can_join(const pliant__compiler *c, const pliant__row *r, uint32_t kind)
{
    const pliant__model_law *law = &c->laws.data[r->law];
    return r->kind == kind && !r->anchors && law->limit == PLIANT_EQUAL && law->count >= COMMON_LAW &&
           !(law->compliance > 0 && law->damping > 0);
}

static size_t place_of(const tet_finder *f, uint32_t a, uint32_t b)
{
    const uint64_t pair = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    size_t         i = (size_t)pliant__hash_mix(pair + 1) & (f->room - 1);
    for (; f->table[i]; i = (i + 1) & (f->room - 1)) {
        const uint32_t *slots = f->c->rows.data[f->rows[f->table[i] - 1]].slots;
        if ((slots[0] == a && slots[1] == b) || (slots[0] == b && slots[1] == a)) break;
    }
    return i;
}

/* The lower the numbers of a tetrahedron's particles, the earlier it comes. */
static uint64_t key_of(const tet_finder *f, const pliant__row *r)
{
    uint32_t n[4];
    for (uint32_t s = 0; s < 4; s++) {
        const uint32_t number = pliant__local(f->c, f->patch, r->slots[s]);
        uint32_t       at = s;
        for (; at && n[at - 1] > number; at--) n[at] = n[at - 1];
        n[at] = number;
    }
    return (uint64_t)n[0] << 48 | (uint64_t)n[1] << 32 | (uint64_t)n[2] << 16 | n[3];
}

/* Returns how many volumes there are. */
static uint32_t list_rows(tet_finder *f)
{
    uint32_t volumes = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        const pliant__row *r = &f->c->rows.data[f->rows[i]];
        if (can_join(f->c, r, PLIANT_CONSTRAINT_TET_VOLUME)) f->order[volumes++] = (pliant__key){key_of(f, r), i};
        if (!can_join(f->c, r, PLIANT_CONSTRAINT_DISTANCE)) continue;
        const size_t at = place_of(f, r->slots[0], r->slots[1]);
        if (!f->table[at]) f->table[at] = i + 1;
    }
    return volumes;
}

/* Which laws members have, as a number; the same for clusters with the same ones. PLIANT__NONE: out of memory. */
static uint32_t number_of_laws(pliant__compiler *c, const pliant__cluster *k)
{
    pliant__member_laws laws = {{0}};
    for (uint32_t i = 0; i <= EDGES; i++) laws.law[i] = c->rows.data[k->rows[i]].law;
    for (size_t i = c->member_laws.count; i > 0; i--)
        if (!memcmp(&c->member_laws.data[i - 1], &laws, sizeof laws)) return (uint32_t)i - 1;
    return array_push(c->allocator, &c->member_laws, laws) ? (uint32_t)c->member_laws.count - 1 : PLIANT__NONE;
}

/* Takes a volume with its edges if all of them are there and free, and have one law, so that there are few kinds of clusters. */
static bool take(tet_finder *f, uint32_t volume)
{
    pliant__compiler  *c = f->c;
    const pliant__row *r = &c->rows.data[f->rows[volume]];
    uint32_t           edge[EDGES];
    pliant__cluster    out = {.shape = PLIANT__TETRAHEDRON};
    for (uint32_t e = 0; e < EDGES; e++) {
        const uint8_t *pair = pliant__shapes[PLIANT__TETRAHEDRON].pair[e];
        const uint32_t found = f->table[place_of(f, r->slots[pair[0]], r->slots[pair[1]])];
        if (!found || f->taken[found - 1]) return true;
        edge[e] = found - 1;
        out.rows[e] = f->rows[edge[e]];
        if (c->rows.data[out.rows[e]].law != c->rows.data[out.rows[0]].law) return true;
        for (uint32_t i = 0; i < e; i++)
            if (edge[i] == edge[e]) return true; /* a volume that names a particle twice */
    }
    for (uint32_t e = 0; e < EDGES; e++) f->taken[edge[e]] = true;
    f->taken[volume] = true;
    for (uint32_t s = 0; s < 4; s++) out.slots[s] = pliant__local(c, f->patch, r->slots[s]);
    out.rows[EDGES] = f->rows[volume];
    out.laws = number_of_laws(c, &out);
    return out.laws != PLIANT__NONE && array_push(c->allocator, &c->clusters, out);
}

static bool take_all(tet_finder *f)
{
    const uint32_t     volumes = list_rows(f);
    const pliant__key *order = pliant__sort_keys(f->order, f->scratch, volumes);
    for (uint32_t i = 0; i < volumes; i++)
        if (!take(f, order[i].value)) return false;
    return true;
}

uint32_t pliant__find_tetrahedra(pliant__compiler *c, const pliant__patch *patch, uint32_t *rows, uint32_t count)
{
    const pliant_allocator *a = c->allocator;
    tet_finder              f = {.c = c, .patch = patch, .rows = rows, .count = count, .room = 64};
    uint32_t                left = 0;
    while (f.room < 2 * (size_t)count) f.room *= 2;
    c->clusters.count = 0;
    f.table = pliant__alloc_array(a, f.room, sizeof *f.table);
    f.taken = pliant__alloc_array(a, (size_t)count + 1, sizeof *f.taken);
    f.order = pliant__alloc_array(a, (size_t)count + 1, sizeof *f.order);
    f.scratch = pliant__alloc_array(a, (size_t)count + 1, sizeof *f.scratch);
    const bool ok = f.table && f.taken && f.order && f.scratch && take_all(&f);
    for (uint32_t i = 0; ok && i < count; i++)
        if (!f.taken[i]) rows[left++] = rows[i];
    pliant__free(a, f.table);
    pliant__free(a, f.taken);
    pliant__free(a, f.order);
    pliant__free(a, f.scratch);
    return ok ? left : PLIANT__NONE;
}
