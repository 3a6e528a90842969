/* Clusters: distances among the same few particles, solved together so that a position is loaded once for several of them.
 *
 *   clique    four particles, six distances: four loads instead of twelve. In a sheet, two triangles with a common edge and the distance across
 *             it; or a particle, every other of its neighbours, and the distances across between these.
 *   diamond   a clique without one of its distances: four loads for five
 *   triangle  three for three
 *   vee       two distances that share a particle: three for two
 *
 * Cliques are taken first, as they come, particle after particle; then, from the rows left by each, as many diamonds as find room (disjoint.c),
 * triangles and vees; remaining rows are solved alone. Members of a cluster are solved in the order of its shape. Clusters of one shape, of the same
 * laws and of one colour are a group, and of these there are whole blocks: lanes always have a cluster. */
#include "compile/compile.h"
#include "compile/disjoint.h"

#include <stdlib.h>

#define MOST_NEIGHBOURS 32u
#define MOST_SETS 64u   /* of a shape with one particle as their centre */
#define COMMON_LAW 256u /* rows that a law must have, so that batches of clusters with the same laws are not small */

/* A distance as one of its particles sees it. */
typedef struct link {
    uint32_t to, row; /* numbers in the patch, and among its rows */
} link;

/* The centre, a particle, and the neighbours that free distances join it to. */
typedef struct around {
    uint32_t centre, count;
    uint32_t at[MOST_NEIGHBOURS], own[MOST_NEIGHBOURS]; /* number; row from the centre */
    uint32_t joined[MOST_NEIGHBOURS];                   /* bits: which of them free distances join to each */
    uint32_t row[MOST_NEIGHBOURS][MOST_NEIGHBOURS];     /* by which rows */
} around;

/* State of a row in the finder. */
enum row_state { APART, FREE, CLUSTERED }; /* is of no cluster ever; of none yet; of one */

struct pliant__finder {
    link     *links;
    uint32_t *first; /* per number + 2: where its links begin */
    uint8_t  *place; /* per number: its place around the centre + 1 */
    uint8_t  *state; /* per row: enum row_state */
    uint32_t *law;   /* per row */
    around    around;
    size_t    most_sets;     /* bound of `sets` */
    ARRAY(pliant__set) sets; /* candidates for clusters of one shape; rows in the order of its members */
    pliant__choice choice;
};

pliant__finder *pliant__finder_create(const pliant_allocator *a, uint32_t slots, uint32_t rows)
{
    pliant__finder *f = pliant__alloc(a, sizeof *f);
    if (!f) return NULL;
    memset(f, 0, sizeof *f);
    f->links = pliant__alloc_array(a, 2 * (size_t)rows + 1, sizeof *f->links);
    f->first = pliant__alloc_array(a, (size_t)slots + 3, sizeof *f->first);
    f->place = pliant__alloc_array(a, (size_t)slots + 1, sizeof *f->place);
    f->state = pliant__alloc_array(a, (size_t)rows + 1, sizeof *f->state);
    f->law = pliant__alloc_array(a, (size_t)rows + 1, sizeof *f->law);
    if (f->links && f->first && f->place && f->state && f->law) return f;
    pliant__finder_destroy(a, f);
    return NULL;
}

void pliant__finder_destroy(const pliant_allocator *a, pliant__finder *f)
{
    if (!f) return;
    pliant__free(a, f->links);
    pliant__free(a, f->first);
    pliant__free(a, f->place);
    pliant__free(a, f->state);
    pliant__free(a, f->law);
    array_free(a, &f->sets);
    pliant__choice_free(a, &f->choice);
    pliant__free(a, f);
}

static bool can_join(const pliant__compiler *c, const pliant__row *r)
{
    const pliant__model_law *law = &c->laws.data[r->law];
    return pliant__kind_has(r->kind, PLIANT_ROW_EDGE) && !r->anchors && law->limit == PLIANT_EQUAL && law->count >= COMMON_LAW &&
           !(law->compliance > 0 && law->damping > 0) && r->slots[0] != r->slots[1];
}

/* Returns how many there are. */
static uint32_t list_links(const pliant__compiler *c, pliant__finder *f, const pliant__patch *patch, const uint32_t *rows, uint32_t count)
{
    memset(f->first, 0, ((size_t)patch->slot_count + 3) * sizeof *f->first);
    for (uint32_t i = 0; i < count; i++) {
        const pliant__row *r = &c->rows.data[rows[i]];
        f->state[i] = can_join(c, r) ? FREE : APART;
        f->law[i] = r->law;
        for (uint32_t s = 0; s < 2 && f->state[i] == FREE; s++) f->first[pliant__local(c, patch, r->slots[s]) + 2]++;
    }
    for (uint32_t i = 0; i < patch->slot_count; i++) f->first[i + 2] += f->first[i + 1];
    for (uint32_t i = 0; i < count; i++) {
        const pliant__row *r = &c->rows.data[rows[i]];
        if (f->state[i] != FREE) continue;
        const uint32_t a = pliant__local(c, patch, r->slots[0]), b = pliant__local(c, patch, r->slots[1]);
        f->links[f->first[a + 1]++] = (link){b, i};
        f->links[f->first[b + 1]++] = (link){a, i};
    }
    return f->first[patch->slot_count];
}

/* Forgets links of rows that are not free. */
static void forget_links(pliant__finder *f, uint32_t slots)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < slots; i++) {
        const uint32_t first = f->first[i];
        f->first[i] = left;
        for (uint32_t k = first; k < f->first[i + 1]; k++)
            if (f->state[f->links[k].row] == FREE) f->links[left++] = f->links[k];
    }
    f->first[slots] = left;
}

/* Particles from number `from` on. */
static void look_around(pliant__finder *f, uint32_t centre, uint32_t from)
{
    const uint8_t *const state = f->state;
    uint8_t *const       place = f->place;
    around              *r = &f->around;
    r->centre = centre;
    r->count = 0;
    for (uint32_t i = f->first[centre]; i < f->first[centre + 1] && r->count < MOST_NEIGHBOURS; i++) {
        const link l = f->links[i];
        if (state[l.row] != FREE || l.to < from || place[l.to]) continue;
        r->at[r->count] = l.to;
        r->own[r->count] = l.row;
        place[l.to] = (uint8_t)++r->count;
    }
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t joined = 0;
        for (uint32_t k = f->first[r->at[i]]; k < f->first[r->at[i] + 1]; k++) {
            const link     l = f->links[k];
            const uint32_t j = place[l.to];
            if (!j || state[l.row] != FREE) continue;
            joined |= 1u << (j - 1);
            r->row[i][j - 1] = l.row;
        }
        r->joined[i] = joined;
    }
    for (uint32_t i = 0; i < r->count; i++) place[r->at[i]] = 0;
}

static uint32_t lowest(uint32_t bits)
{
    uint32_t n = 0;
    while (!(bits >> n & 1)) n++;
    return n;
}

/* Those after place i. */
static uint32_t after(uint32_t i) { return UINT32_MAX - (UINT32_MAX >> (31 - i)); }

/* ---- candidates for clusters ---- */

static bool add_set(const pliant_allocator *a, pliant__finder *f, pliant__set s)
{
    return f->sets.count >= f->most_sets || array_push(a, &f->sets, s);
}

static uint16_t number_at(const pliant__finder *f, uint32_t place) { return (uint16_t)f->around.at[place]; }

/* Cliques with the centre as their lowest number. */
static bool list_cliques(const pliant_allocator *a, pliant__finder *f, uint32_t centre)
{
    const around *r = &f->around;
    look_around(f, centre, centre + 1);
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t with = r->joined[i] & after(i); with; with &= with - 1) {
            const uint32_t j = lowest(with);
            for (uint32_t third = r->joined[i] & r->joined[j] & after(j); third; third &= third - 1) {
                const uint32_t    k = lowest(third);
                const pliant__set s = {.slots = {(uint16_t)centre, number_at(f, i), number_at(f, j), number_at(f, k)},
                                       .rows = {r->own[i], r->row[j][k], r->own[j], r->row[i][k], r->own[k], r->row[i][j]}};
                if (!add_set(a, f, s)) return false;
            }
        }
    return true;
}

/* Diamonds with a first row from the centre to a higher number. */
static bool list_diamonds(const pliant_allocator *a, pliant__finder *f, uint32_t centre)
{
    const around *r = &f->around;
    look_around(f, centre, 0);
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t with = r->at[i] > centre ? r->joined[i] : 0; with; with &= with - 1) {
            const uint32_t j = lowest(with);
            for (uint32_t other = r->joined[i] & after(j); other; other &= other - 1) {
                const uint32_t    k = lowest(other);
                const pliant__set s = {.slots = {(uint16_t)centre, number_at(f, i), number_at(f, j), number_at(f, k)},
                                       .rows = {r->own[i], r->own[j], r->row[i][k], r->own[k], r->row[i][j]}};
                if (!add_set(a, f, s)) return false;
            }
        }
    return true;
}

/* Triangles with the centre as their lowest number. */
static bool list_triangles(const pliant_allocator *a, pliant__finder *f, uint32_t centre)
{
    const around *r = &f->around;
    look_around(f, centre, centre + 1);
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t with = r->joined[i] & after(i); with; with &= with - 1) {
            const uint32_t    j = lowest(with);
            const pliant__set s = {.slots = {(uint16_t)centre, number_at(f, i), number_at(f, j)},
                                   .rows = {r->own[i], r->row[i][j], r->own[j]}};
            if (!add_set(a, f, s)) return false;
        }
    return true;
}

/* Vees of one law with the centre in the middle, no two of which share a row. */
static bool list_vees(const pliant_allocator *a, pliant__finder *f, uint32_t centre)
{
    const uint32_t end = f->first[centre + 1];
    for (uint32_t i = f->first[centre]; i < end; i++) {
        const link p = f->links[i];
        for (uint32_t k = i + 1; k < end && k - i < MOST_NEIGHBOURS && f->state[p.row] == FREE; k++) {
            const link q = f->links[k];
            if (f->state[q.row] != FREE || p.to == q.to || f->law[p.row] != f->law[q.row]) continue;
            const pliant__set s = {.slots = {(uint16_t)p.to, (uint16_t)centre, (uint16_t)q.to}, .rows = {p.row, q.row}};
            f->state[p.row] = f->state[q.row] = CLUSTERED;
            if (!array_push(a, &f->sets, s)) return false;
        }
    }
    return true;
}

static bool list_sets(const pliant_allocator *a, pliant__finder *f, uint32_t slots, uint32_t shape)
{
    bool ok = true;
    f->sets.count = 0;
    for (uint32_t i = 0; i < slots && ok; i++) {
        f->most_sets = f->sets.count + MOST_SETS;
        ok = shape == PLIANT__CLIQUE     ? list_cliques(a, f, i)
             : shape == PLIANT__DIAMOND  ? list_diamonds(a, f, i)
             : shape == PLIANT__TRIANGLE ? list_triangles(a, f, i)
                                         : list_vees(a, f, i);
    }
    return ok;
}

/* ---- clusters from candidates ---- */

uint32_t pliant__number_laws(pliant__compiler *c, const pliant__member_laws *laws)
{
    for (size_t i = c->member_laws.count; i > 0; i--)
        if (!memcmp(&c->member_laws.data[i - 1], laws, sizeof *laws)) return (uint32_t)i - 1;
    return array_push(c->allocator, &c->member_laws, *laws) ? (uint32_t)c->member_laws.count - 1 : PLIANT__NONE;
}

/* All orders of four; the first six are all of three. */
static const uint8_t orders[24][4] = {{0, 1, 2, 3}, {1, 0, 2, 3}, {0, 2, 1, 3}, {2, 0, 1, 3}, {1, 2, 0, 3}, {2, 1, 0, 3},
                                      {0, 1, 3, 2}, {1, 0, 3, 2}, {0, 3, 1, 2}, {3, 0, 1, 2}, {1, 3, 0, 2}, {3, 1, 0, 2},
                                      {0, 2, 3, 1}, {2, 0, 3, 1}, {0, 3, 2, 1}, {3, 0, 2, 1}, {2, 3, 0, 1}, {3, 2, 0, 1},
                                      {1, 2, 3, 0}, {2, 1, 3, 0}, {1, 3, 2, 0}, {3, 1, 2, 0}, {2, 3, 1, 0}, {3, 2, 1, 0}};

/* Orders the particles of a set so that its laws, in the order of members, are the lowest of all orders: clusters with the same laws then
 * have them in the same places. */
static pliant__cluster ordered(const pliant__finder *f, const pliant__set *set, uint16_t number)
{
    const pliant__shape_info *shape = &pliant__shapes[number];
    pliant__cluster           out = {.shape = number};
    uint32_t                  row[4][4];
    memset(row, 0xff, sizeof row);
    for (uint32_t m = 0; m < shape->members; m++)
        row[shape->pair[m][0]][shape->pair[m][1]] = row[shape->pair[m][1]][shape->pair[m][0]] = set->rows[m];
    memcpy(out.rows, set->rows, sizeof set->rows);
    for (uint32_t s = 0; s < shape->slots; s++) out.slots[s] = set->slots[s];
    for (uint32_t p = 1; p < (shape->slots == 4 ? 24 : 6); p++) {
        const uint8_t *o = orders[p];
        uint32_t       rows[PLIANT__SET_ROWS] = {0}, m = 0;
        bool           lower = false;
        for (; m < shape->members; m++) {
            rows[m] = row[o[shape->pair[m][0]]][o[shape->pair[m][1]]];
            if (rows[m] == PLIANT__NONE || (!lower && f->law[rows[m]] > f->law[out.rows[m]])) break;
            lower = lower || f->law[rows[m]] < f->law[out.rows[m]];
        }
        if (!lower || m < shape->members) continue;
        memcpy(out.rows, rows, sizeof rows);
        for (uint32_t s = 0; s < shape->slots; s++) out.slots[s] = set->slots[o[s]];
    }
    return out;
}

#define RANK_BITS 10

/* A rank of laws member by member; those with higher numbers share the last. */
static uint64_t rank_of_laws(const pliant__compiler *c, const pliant__member_laws *laws)
{
    uint64_t rank = 0;
    for (uint32_t m = 0; m < PLIANT__SET_ROWS; m++) {
        const uint32_t r = pliant__rank_of_law(c, laws->law[m]), most = (1u << RANK_BITS) - 1;
        rank = rank << RANK_BITS | (r < most ? r : most);
    }
    return rank;
}

static bool is_free(const pliant__finder *f, const pliant__set *s, uint32_t members)
{
    bool free = true;
    for (uint32_t m = 0; m < members; m++) free = free && f->state[s->rows[m]] == FREE;
    return free;
}

/* Makes clusters of sets that share no row: as many as possible, but cliques in the order listed. As many cliques as possible would spare a twentieth
 * of the loads, and leave a quarter more stretch in the threads. */
static bool take_sets(pliant__compiler *c, pliant__finder *f, uint32_t rows, uint16_t shape)
{
    const uint32_t members = pliant__shapes[shape].members, sets = (uint32_t)f->sets.count;
    const bool     disjoint = shape == PLIANT__VEE, as_listed = shape == PLIANT__CLIQUE;
    if (!disjoint && !as_listed && !pliant__choose_disjoint(c->allocator, &f->choice, f->sets.data, sets, members, rows)) return false;
    for (uint32_t i = 0; i < sets; i++) {
        if (as_listed && !is_free(f, &f->sets.data[i], members)) continue;
        if (!disjoint && !as_listed && f->choice.place.data[i] != PLIANT__SET_CHOSEN) continue;
        pliant__member_laws laws = {{0}};
        pliant__cluster     k = ordered(f, &f->sets.data[i], shape);
        for (uint32_t m = 0; m < members; m++) laws.law[m] = f->law[k.rows[m]];
        k.laws = pliant__number_laws(c, &laws);
        if (k.laws == PLIANT__NONE) return false;
        k.number = (uint32_t)c->clusters.count;
        k.rank = rank_of_laws(c, &c->member_laws.data[k.laws]);
        for (uint32_t m = 0; m < members; m++) f->state[k.rows[m]] = CLUSTERED;
        if (!array_push(c->allocator, &c->clusters, k)) return false;
    }
    return true;
}

static int by_group(const void *a, const void *b)
{
    const pliant__cluster *p = a, *q = b;
    if (p->rank != q->rank) return p->rank < q->rank ? -1 : 1;
    if (p->laws != q->laws) return p->laws < q->laws ? -1 : 1;
    if (p->colour != q->colour) return p->colour < q->colour ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

#define COLOURS 257u /* colours of a colouring, with the one of clusters that found none */

/* Clusters with the same laws get colours; of a colour, as many whole blocks as there are become a group. Returns how many clusters are in groups:
 * they lie first. */
static size_t fill_blocks(pliant__cluster *alike, size_t count, pliant__colours *used, uint32_t first_colour)
{
    uint32_t left[COLOURS] = {0}, kept = 0;
    pliant__colour_clusters(alike, count, used);
    for (size_t i = 0; i < count; i++)
        if (alike[i].colour != PLIANT__SERIAL_COLOUR) left[alike[i].colour]++;
    for (uint32_t k = 0; k < COLOURS; k++) left[k] -= left[k] % PLIANT__BLOCK;
    for (size_t i = 0; i < count; i++) {
        const uint32_t colour = alike[i].colour;
        const bool     in = colour != PLIANT__SERIAL_COLOUR && left[colour] > 0;
        if (in) left[colour]--;
        alike[i].colour = (uint16_t)(in ? first_colour + colour : PLIANT__SERIAL_COLOUR);
        kept += in;
    }
    qsort(alike, count, sizeof *alike, by_group);
    return kept;
}

/* Clusters of one shape, from number `first` on, come to lie group by group. Clusters that fill no block of their colour get another one, and are
 * taken apart where that does not help. */
static void group_clusters(pliant__compiler *c, pliant__finder *f, pliant__colours *used, size_t first)
{
    pliant__cluster *all = c->clusters.data;
    const size_t     count = c->clusters.count;
    size_t           kept = first;
    if (count == first) return; /* there may be no array yet */
    qsort(all + first, count - first, sizeof *all, by_group);
    for (size_t i = first, next; i < count; i = next) {
        size_t   in = i;
        uint32_t colour = 0;
        for (next = i; next < count && all[next].laws == all[i].laws;) next++;
        for (size_t more = 1; more && colour + COLOURS < PLIANT__SERIAL_COLOUR; in += more, colour += COLOURS)
            more = fill_blocks(all + in, next - in, used, colour);
        for (size_t k = in; k < next; k++)
            for (uint32_t m = 0; m < pliant__shapes[all[k].shape].members; m++) f->state[all[k].rows[m]] = FREE;
        memmove(all + kept, all + i, (in - i) * sizeof *all);
        kept += in - i;
    }
    c->clusters.count = kept;
}

/* Rows of clusters get their numbers among all rows; the others move to the front. Returns how many these are. */
static uint32_t take_out_rows(pliant__compiler *c, const pliant__finder *f, uint32_t *rows, uint32_t count)
{
    uint32_t left = 0;
    for (size_t i = 0; i < c->clusters.count; i++)
        for (uint32_t m = 0; m < pliant__shapes[c->clusters.data[i].shape].members; m++)
            c->clusters.data[i].rows[m] = rows[c->clusters.data[i].rows[m]];
    for (uint32_t i = 0; i < count; i++)
        if (f->state[i] != CLUSTERED) rows[left++] = rows[i];
    return left;
}

uint32_t pliant__find_clusters(pliant__compiler *c, pliant__finder *f, const pliant__patch *patch, uint32_t *rows, uint32_t count,
                               pliant__colours *used)
{
    static const uint16_t order[] = {PLIANT__CLIQUE, PLIANT__DIAMOND, PLIANT__TRIANGLE, PLIANT__VEE};
    c->clusters.count = c->member_laws.count = 0;
    if (!list_links(c, f, patch, rows, count)) return count;
    for (uint32_t k = 0; k < sizeof order / sizeof *order; k++) {
        const size_t first = c->clusters.count;
        if (!list_sets(c->allocator, f, patch->slot_count, order[k]) || !take_sets(c, f, count, order[k])) return PLIANT__NONE;
        group_clusters(c, f, used, first);
        forget_links(f, patch->slot_count);
    }
    return take_out_rows(c, f, rows, count);
}
