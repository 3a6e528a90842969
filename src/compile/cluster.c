/* Clusters: distances among the same few particles, solved together so that a position is loaded once for several of them.
 *
 * A clique of four particles has six distances for four loads, instead of the twelve that they need one by one; a triangle has three for three.
 * In a sheet, two triangles with a common edge and the distance across it are such a clique. Cliques are taken first, greedily, particle after
 * particle, then triangles from what is left; what remains is solved alone. Members of a cluster are solved in the order of its shape. */
#include "compile/compile.h"

#define MOST_NEIGHBOURS 32u
#define COMMON_LAW 256u /* rows that a law must have, so that batches of clusters with the same laws are not small */

const pliant__shape_info pliant__shapes[PLIANT__SHAPE_COUNT] = {
    [PLIANT__CLIQUE] = {4, 6, {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}}},
    [PLIANT__TRIANGLE] = {3, 3, {{0, 1}, {1, 2}, {2, 0}}},
    [PLIANT__TETRAHEDRON] = {4, 7, {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}}, 1, {{0, 1, 2, 3}}},
    [PLIANT__PAIR] = {5, 2, {{0}}, 2, {{0, 1, 2, 3}, {1, 0, 2, 4}}},
};

/* A distance as one of its particles sees it. */
typedef struct link {
    uint32_t to, row; /* number in the patch; row */
} link;

/* The particle that is looked at, and those that free distances join it to. */
typedef struct around {
    uint32_t centre, count;
    uint32_t at[MOST_NEIGHBOURS], own[MOST_NEIGHBOURS]; /* number; row from the centre */
    uint32_t left;                                      /* bits: which of them still have a free one */
    uint32_t joined[MOST_NEIGHBOURS];                   /* bits: which of them free distances join to each */
    uint32_t row[MOST_NEIGHBOURS][MOST_NEIGHBOURS];     /* by which rows */
} around;

struct pliant__finder {
    link     *links;
    uint32_t *first; /* per number + 2: where its links begin */
    uint8_t  *place; /* per number: its place around the centre + 1 */
    around    around;
};

pliant__finder *pliant__finder_create(const pliant_allocator *a, uint32_t slots, uint32_t rows)
{
    pliant__finder *f = pliant__alloc(a, sizeof *f);
    if (!f) return NULL;
    f->links = pliant__alloc_array(a, 2 * (size_t)rows + 1, sizeof *f->links);
    f->first = pliant__alloc_array(a, (size_t)slots + 3, sizeof *f->first);
    f->place = pliant__alloc_array(a, (size_t)slots + 1, sizeof *f->place);
    if (f->links && f->first && f->place) return f;
    pliant__finder_destroy(a, f);
    return NULL;
}

void pliant__finder_destroy(const pliant_allocator *a, pliant__finder *f)
{
    if (!f) return;
    pliant__free(a, f->links);
    pliant__free(a, f->first);
    pliant__free(a, f->place);
    pliant__free(a, f);
}

static bool can_join(const pliant__compiler *c, const pliant__row *r)
{
    const pliant__model_law *law = &c->laws.data[r->law];
    return r->kind == PLIANT_CONSTRAINT_DISTANCE && !r->anchors && law->limit == PLIANT_EQUAL && law->count >= COMMON_LAW &&
           !(law->compliance > 0 && law->damping > 0) && r->slots[0] != r->slots[1];
}

/* Returns how many there are. */
static uint32_t list_links(const pliant__compiler *c, pliant__finder *f, const pliant__patch *patch, const uint32_t *rows, uint32_t count)
{
    memset(f->first, 0, ((size_t)patch->slot_count + 3) * sizeof *f->first);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t s = 0; s < 2 && can_join(c, &c->rows.data[rows[i]]); s++)
            f->first[pliant__local(c, patch, c->rows.data[rows[i]].slots[s]) + 2]++;
    for (uint32_t i = 0; i < patch->slot_count; i++) f->first[i + 2] += f->first[i + 1];
    for (uint32_t i = 0; i < count; i++) {
        const pliant__row *r = &c->rows.data[rows[i]];
        if (!can_join(c, r)) continue;
        const uint32_t a = pliant__local(c, patch, r->slots[0]), b = pliant__local(c, patch, r->slots[1]);
        f->links[f->first[a + 1]++] = (link){b, rows[i]};
        f->links[f->first[b + 1]++] = (link){a, rows[i]};
    }
    return f->first[patch->slot_count];
}

static void look_around(const pliant__compiler *c, pliant__finder *f, uint32_t centre)
{
    around *r = &f->around;
    r->centre = centre;
    r->count = 0;
    for (uint32_t i = f->first[centre]; i < f->first[centre + 1] && r->count < MOST_NEIGHBOURS; i++) {
        const link l = f->links[i];
        if (c->rows.data[l.row].clustered || f->place[l.to]) continue;
        r->at[r->count] = l.to;
        r->own[r->count] = l.row;
        f->place[l.to] = (uint8_t)++r->count;
    }
    r->left = r->count < 32 ? (1u << r->count) - 1 : UINT32_MAX;
    for (uint32_t i = 0; i < r->count; i++) {
        r->joined[i] = 0;
        for (uint32_t k = f->first[r->at[i]]; k < f->first[r->at[i] + 1]; k++) {
            const link     l = f->links[k];
            const uint32_t j = f->place[l.to];
            if (!j || c->rows.data[l.row].clustered) continue;
            r->joined[i] |= 1u << (j - 1);
            r->row[i][j - 1] = l.row;
        }
    }
    for (uint32_t i = 0; i < r->count; i++) f->place[r->at[i]] = 0;
}

static uint32_t lowest(uint32_t bits)
{
    uint32_t n = 0;
    while (!(bits >> n & 1)) n++;
    return n;
}

/* Which laws members have, as a number; the same for clusters with the same ones. PLIANT__NONE: out of memory. */
static uint32_t number_of_laws(pliant__compiler *c, const pliant__cluster *k, uint32_t members)
{
    pliant__member_laws laws = {{0}};
    for (uint32_t i = 0; i < members; i++) laws.law[i] = c->rows.data[k->rows[i]].law;
    for (size_t i = c->member_laws.count; i > 0; i--)
        if (!memcmp(&c->member_laws.data[i - 1], &laws, sizeof laws)) return (uint32_t)i - 1;
    return array_push(c->allocator, &c->member_laws, laws) ? (uint32_t)c->member_laws.count - 1 : PLIANT__NONE;
}

/* Orders the particles of a clique so that its laws, in the order of members, are the lowest of all orders: cliques with the same laws then
 * have them in the same places. `row` by pairs of particles. */
static void order_clique(const pliant__compiler *c, const uint32_t slots[4], uint32_t row[4][4], pliant__cluster *out)
{
    const pliant__shape_info *shape = &pliant__shapes[PLIANT__CLIQUE];
    bool                      found = false;
    for (uint32_t p = 0; p < 256; p++) {
        const uint32_t o[4] = {p & 3, p >> 2 & 3, p >> 4 & 3, p >> 6};
        int            better = 0;
        if ((1u << o[0] | 1u << o[1] | 1u << o[2] | 1u << o[3]) != 15) continue;
        for (uint32_t m = 0; m < 6 && found && !better; m++) {
            const uint32_t a = c->rows.data[row[o[shape->pair[m][0]]][o[shape->pair[m][1]]]].law, b = c->rows.data[out->rows[m]].law;
            better = a < b ? 1 : a > b ? -1 : 0;
        }
        if (found && better <= 0) continue;
        found = true;
        for (uint32_t m = 0; m < 6; m++) out->rows[m] = row[o[shape->pair[m][0]]][o[shape->pair[m][1]]];
        for (uint32_t s = 0; s < 4; s++) out->slots[s] = slots[o[s]];
    }
}

static bool add_cluster(pliant__compiler *c, pliant__cluster k)
{
    const uint32_t members = pliant__shapes[k.shape].members;
    for (uint32_t i = 0; i < members; i++) c->rows.data[k.rows[i]].clustered = true;
    k.laws = number_of_laws(c, &k, members);
    return k.laws != PLIANT__NONE && array_push(c->allocator, &c->clusters, k);
}

static bool take_clique(pliant__compiler *c, around *r, uint32_t i, uint32_t j, uint32_t k)
{
    const uint32_t  at[4] = {r->centre, r->at[i], r->at[j], r->at[k]}, place[4] = {0, i, j, k};
    uint32_t        row[4][4];
    pliant__cluster out = {.shape = PLIANT__CLIQUE};
    for (uint32_t a = 1; a < 4; a++) {
        row[0][a] = row[a][0] = r->own[place[a]];
        for (uint32_t b = 1; b < 4; b++)
            if (a != b) row[a][b] = r->row[place[a]][place[b]];
        r->left &= ~(1u << place[a]);
    }
    for (uint32_t a = 0; a < 4; a++) row[a][a] = row[0][1];
    order_clique(c, at, row, &out);
    return add_cluster(c, out);
}

static bool take_triangle(pliant__compiler *c, around *r, uint32_t i, uint32_t j)
{
    pliant__cluster out = {
        .shape = PLIANT__TRIANGLE, .slots = {r->centre, r->at[i], r->at[j]}, .rows = {r->own[i], r->row[i][j], r->own[j]}};
    r->left &= ~(1u << i | 1u << j);
    return add_cluster(c, out);
}

/* A particle that is joined to the centre, or two that are joined to each other as well, are in one clique or triangle of it at most. */
static bool take_cliques(pliant__compiler *c, around *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t with = r->joined[i] & r->left; (r->left >> i & 1) && with; with &= with - 1) {
            const uint32_t j = lowest(with), third = r->joined[i] & r->joined[j] & r->left;
            if (third && !take_clique(c, r, i, j, lowest(third))) return false;
        }
    return true;
}

/* Of one law, so that there are few kinds of them. */
static bool take_triangles(pliant__compiler *c, around *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t with = r->joined[i] & r->left; (r->left >> i & 1) && with; with &= with - 1) {
            const uint32_t j = lowest(with), law = c->rows.data[r->own[i]].law;
            if (c->rows.data[r->own[j]].law != law || c->rows.data[r->row[i][j]].law != law) continue;
            if (!take_triangle(c, r, i, j)) return false;
        }
    return true;
}

bool pliant__find_clusters(pliant__compiler *c, pliant__finder *f, const pliant__patch *patch, const uint32_t *rows, uint32_t count)
{
    c->clusters.count = 0;
    if (!list_links(c, f, patch, rows, count)) return true;
    for (uint32_t i = 0; i < patch->slot_count; i++) {
        look_around(c, f, i);
        if (!take_cliques(c, &f->around)) return false;
    }
    for (uint32_t i = 0; i < patch->slot_count; i++) {
        look_around(c, f, i);
        if (!take_triangles(c, &f->around)) return false;
    }
    return true;
}
