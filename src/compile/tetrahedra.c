/* Tetrahedra: volumes that are solved together with their edges, or with a neighbour.
 *
 * A volume and the six edges among its particles are seven rows for four loads of positions, instead of sixteen; two volumes with a common
 * face need five loads instead of eight. An edge belongs to many tetrahedra and is solved with one of them; which ones take all of their
 * edges is decided greedily, in the order of their particles; volumes that are left form pairs, those with the fewest free neighbours first.
 * Distances that are left are solved before all of these, volumes that are left after them.
 *
 * The volume belongs in: with cliques of edges alone, and all volumes later, Gauss-Seidel needs a third more sweeps. So do the seven
 * edges and six volumes of a cube at once: the more rows are solved at once in one place, the later corrections from elsewhere reach it.
 *
 * Volumes of a pair are turned, evenly, so that all pairs have their common face in the same places. */
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
    pliant__key         *faces, *faces_scratch;
    uint32_t             volumes;
    uint32_t            *beside; /* per volume, as ordered, and corner: the one over the face opposite to it, or none */
    pliant__key         *by_order;
} tet_finder;

static bool can_join(const pliant__compiler *c, const pliant__row *r, pliant_constraint_flags sort)
{
    const pliant__model_law *law = &c->laws.data[r->law];
    return pliant__kind_has(r->kind, sort) && !r->anchors && law->limit == PLIANT_EQUAL && law->count >= COMMON_LAW &&
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

/* Numbers of a volume's particles, in order, but for one corner's, if `without` is one: the lower they are, the earlier it comes. */
static uint64_t key_of(const tet_finder *f, const pliant__row *r, uint32_t without)
{
    uint32_t n[4] = {0}, count = 0;
    for (uint32_t s = 0; s < 4; s++) {
        const uint32_t number = pliant__local(f->c, f->patch, r->slots[s]);
        uint32_t       at = count;
        if (s == without) continue;
        for (; at && n[at - 1] > number; at--) n[at] = n[at - 1];
        n[at] = number;
        count++;
    }
    return (uint64_t)n[0] << 48 | (uint64_t)n[1] << 32 | (uint64_t)n[2] << 16 | n[3];
}

/* Returns how many volumes there are. */
static uint32_t list_rows(tet_finder *f)
{
    uint32_t volumes = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        const pliant__row *r = &f->c->rows.data[f->rows[i]];
        if (can_join(f->c, r, PLIANT_ROW_VOLUME)) f->order[volumes++] = (pliant__key){key_of(f, r, 4), i};
        if (!can_join(f->c, r, PLIANT_ROW_EDGE)) continue;
        const size_t at = place_of(f, r->slots[0], r->slots[1]);
        if (!f->table[at]) f->table[at] = i + 1;
    }
    return volumes;
}

static bool add(tet_finder *f, pliant__cluster k)
{
    pliant__member_laws laws = {{0}};
    for (uint32_t i = 0; i < pliant__shapes[k.shape].members; i++) laws.law[i] = f->c->rows.data[k.rows[i]].law;
    k.laws = pliant__number_laws(f->c, &laws);
    return k.laws != PLIANT__NONE && array_push(f->c->allocator, &f->c->clusters, k);
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
    return add(f, out);
}

/* ---- pairs ---- */

static pliant__row *volume_row(const tet_finder *f, uint32_t i) { return &f->c->rows.data[f->rows[f->by_order[i].value]]; }

static bool is_free(const tet_finder *f, uint32_t i) { return i != PLIANT__NONE && !f->taken[f->by_order[i].value]; }

/* Finds neighbours: volumes with a common face. */
static void find_beside(tet_finder *f)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->volumes; i++)
        for (uint32_t corner = 0; corner < 4; corner++) {
            f->beside[4 * i + corner] = PLIANT__NONE;
            if (is_free(f, i)) f->faces[count++] = (pliant__key){key_of(f, volume_row(f, i), corner), 4 * i + corner};
        }
    const pliant__key *faces = pliant__sort_keys(f->faces, f->faces_scratch, count);
    for (size_t i = 0, end; i < count; i = end) {
        end = pliant__run_end(faces, i, count);
        if (end - i != 2) continue;
        f->beside[faces[i].value] = faces[i + 1].value / 4;
        f->beside[faces[i + 1].value] = faces[i].value / 4;
    }
}

static uint32_t free_beside(const tet_finder *f, uint32_t i)
{
    uint32_t count = 0;
    for (uint32_t corner = 0; corner < 4; corner++) count += is_free(f, f->beside[4 * i + corner]);
    return count;
}

/* Turns a volume evenly, so that a corner comes last. */
static void turn(uint32_t slots[4], uint32_t corner)
{
    static const uint8_t even[4][4] = {{1, 3, 2, 0}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 1, 2, 3}};
    const uint32_t       old[4] = {slots[0], slots[1], slots[2], slots[3]};
    for (uint32_t s = 0; s < 4; s++) slots[s] = old[even[corner][s]];
}

/* Takes two volumes, if the common face looks another way in each. */
static bool take_pair(tet_finder *f, uint32_t i, uint32_t corner)
{
    pliant__compiler *c = f->c;
    const uint32_t    j = f->beside[4 * i + corner];
    pliant__row      *r[2] = {volume_row(f, i), volume_row(f, j)};
    pliant__cluster   out = {.shape = PLIANT__PAIR, .rows = {f->rows[f->by_order[i].value], f->rows[f->by_order[j].value]}};
    uint32_t          slots[2][4], other = 0;
    while (f->beside[4 * j + other] != i) other++;
    for (uint32_t k = 0; k < 2; k++) {
        memcpy(slots[k], r[k]->slots, sizeof slots[k]);
        turn(slots[k], k ? other : corner);
    }
    for (uint32_t k = 0; k < 3 && slots[1][1] != slots[0][0]; k++) { /* of the second, the face is 1 0 2 of the first's */
        const uint32_t first = slots[1][0];
        slots[1][0] = slots[1][1];
        slots[1][1] = slots[1][2];
        slots[1][2] = first;
    }
    if (slots[1][1] != slots[0][0] || slots[1][0] != slots[0][1] || slots[1][2] != slots[0][2] || slots[1][3] == slots[0][3]) return true;
    for (uint32_t k = 0; k < 2; k++) memcpy(r[k]->slots, slots[k], sizeof slots[k]);
    for (uint32_t s = 0; s < 4; s++) out.slots[s] = pliant__local(c, f->patch, slots[0][s]);
    out.slots[4] = pliant__local(c, f->patch, slots[1][3]);
    f->taken[f->by_order[i].value] = f->taken[f->by_order[j].value] = true;
    return add(f, out);
}

static bool take_pairs(tet_finder *f)
{
    find_beside(f);
    for (uint32_t i = 0; i < f->volumes; i++) {
        uint32_t best = 4, fewest = 5;
        for (uint32_t corner = 0; corner < 4 && is_free(f, i); corner++) {
            const uint32_t j = f->beside[4 * i + corner], others = is_free(f, j) ? free_beside(f, j) : 5;
            if (j == PLIANT__NONE || volume_row(f, i)->law != volume_row(f, j)->law || others >= fewest) continue;
            fewest = others;
            best = corner;
        }
        if (best < 4 && !take_pair(f, i, best)) return false;
    }
    return true;
}

/* Clusters that are found last are solved first. */
static void turn_round(pliant__compiler *c)
{
    pliant__cluster *all = c->clusters.data;
    for (size_t i = 0, j = c->clusters.count; i + 1 < j; i++) {
        const pliant__cluster first = all[i];
        all[i] = all[--j];
        all[j] = first;
    }
}

static bool take_all(tet_finder *f)
{
    f->volumes = list_rows(f);
    f->by_order = pliant__sort_keys(f->order, f->scratch, f->volumes);
    for (uint32_t i = 0; i < f->volumes; i++)
        if (!take(f, f->by_order[i].value)) return false;
    if (!take_pairs(f)) return false;
    turn_round(f->c);
    return true;
}

uint32_t pliant__find_tetrahedra(pliant__compiler *c, const pliant__patch *patch, uint32_t *rows, uint32_t count)
{
    const pliant_allocator *a = c->allocator;
    tet_finder              f = {.c = c, .patch = patch, .rows = rows, .count = count, .room = 64};
    uint32_t                left = 0;
    while (f.room < 2 * (size_t)count) f.room *= 2;
    c->clusters.count = c->member_laws.count = 0;
    f.table = pliant__alloc_array(a, f.room, sizeof *f.table);
    f.taken = pliant__alloc_array(a, (size_t)count + 1, sizeof *f.taken);
    f.order = pliant__alloc_array(a, (size_t)count + 1, sizeof *f.order);
    f.scratch = pliant__alloc_array(a, (size_t)count + 1, sizeof *f.scratch);
    f.faces = pliant__alloc_array(a, 4 * (size_t)count + 1, sizeof *f.faces);
    f.faces_scratch = pliant__alloc_array(a, 4 * (size_t)count + 1, sizeof *f.faces_scratch);
    f.beside = pliant__alloc_array(a, 4 * (size_t)count + 1, sizeof *f.beside);
    const bool ok = f.table && f.taken && f.order && f.scratch && f.faces && f.faces_scratch && f.beside && take_all(&f);
    for (uint32_t i = 0; ok && i < count; i++)
        if (!f.taken[i]) rows[left++] = rows[i];
    void *all[] = {f.table, f.taken, f.order, f.scratch, f.faces, f.faces_scratch, f.beside};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(a, all[i]);
    return ok ? left : PLIANT__NONE;
}
