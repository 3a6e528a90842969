/* Coarse levels: which particles they have, which particles these average, which distances. (Müller 2008, section 4.)
 *
 * From a level's graph the next coarser one is made in four passes.
 *
 * choose    Particle after particle is left out if it has enough neighbours that stay, and none that was left out before comes to have too
 *           few. What is left out is then maximal: no particle that stays could be left out as well. They are visited in an order that jumps
 *           about: row by row, the coarse levels of a grid come out in lines, and a sheet that hangs by two corners stretches six times as
 *           far. Pins all stay: where a level hung by every other pin of an edge, that edge stretched twenty times as far.
 * gather    A particle that is left out belongs to the nearest neighbour that stays. Two that stay become neighbours where what belongs to them touches:
 *           a mesh gives again something like a mesh, with about six neighbours each, whatever its numbering.
 * measure   How far two neighbours can be apart is measured on the finest graph (level_length.c), so that no error adds up.
 * weigh     A particle that is left out takes corrections from its parents, by inverse distance; the same weights lump its mass into theirs, and say
 *           how much its displacement counts in their average. */
#include "methods/levels.h"

#include <math.h>

typedef struct builder {
    const pliant_allocator *a;
    const pliant_model     *m;
    pliant__graph           fine, graph; /* the finest; that of the level at hand */
    pliant__ruler          *ruler;
    uint32_t                slots, count, pins; /* of the model; particles of the level at hand; pins, which are in all */
    uint8_t                *pinned, *anchored;  /* per slot: at the start; for ever */
    uint8_t                *in, *stays;         /* per slot: is in the level at hand; in the next */
    uint32_t               *number, *next;      /* per slot: its number in the level at hand; in the next */
    uint32_t               *nearest;            /* per slot: the particle that it belongs to */
    uint32_t               *parents;            /* per slot: how many of its neighbours stay */
    double                 *mass, *lumped;      /* per slot: in the level at hand; in the next */
} builder;

static bool is_left(const builder *b, uint32_t p) { return b->in[p] && !b->stays[p]; }

/* ---- choose ---- */

static bool can_leave(const builder *b, uint32_t p)
{
    if (b->pinned[p] || b->parents[p] < PLIANT__PARENTS) return false;
    for (uint32_t i = b->graph.first[p]; i < b->graph.first[p + 1]; i++) {
        const uint32_t to = b->graph.links[i].to;
        if (!b->stays[to] && b->parents[to] == PLIANT__PARENTS) return false;
    }
    return true;
}

/* Steps of about the golden section of n that come by all of n. */
static uint32_t stride_of(uint32_t n)
{
    for (uint32_t stride = (uint32_t)((double)n * 0.6180339887498949) + 1;; stride++) {
        uint32_t a = stride, b = n;
        while (b) {
            const uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1) return stride;
    }
}

/* Returns how many stay. */
static uint32_t choose(builder *b)
{
    const uint32_t stride = stride_of(b->slots);
    uint32_t       staying = 0;
    memcpy(b->stays, b->in, b->slots);
    for (uint32_t p = 0; p < b->slots; p++) b->parents[p] = b->graph.first[p + 1] - b->graph.first[p];
    for (uint32_t k = 0; k < b->slots; k++) {
        const uint32_t p = (uint32_t)((uint64_t)k * stride % b->slots);
        if (!b->in[p]) continue;
        if (!can_leave(b, p)) {
            staying++;
            continue;
        }
        b->stays[p] = 0;
        for (uint32_t i = b->graph.first[p]; i < b->graph.first[p + 1]; i++) b->parents[b->graph.links[i].to]--;
    }
    return staying;
}

/* ---- gather ---- */

static void find_nearest(builder *b)
{
    for (uint32_t p = 0; p < b->slots; p++) {
        double shortest = HUGE_VAL;
        b->nearest[p] = p;
        if (!is_left(b, p)) continue;
        for (uint32_t i = b->graph.first[p]; i < b->graph.first[p + 1]; i++) {
            const pliant__link *l = &b->graph.links[i];
            if (!b->stays[l->to] || !(l->length < shortest)) continue;
            shortest = l->length;
            b->nearest[p] = l->to;
        }
    }
}

static bool gather(builder *b, pliant__graph *out)
{
    pliant__edges edges = {0};
    bool          ok = true;
    find_nearest(b);
    for (uint32_t p = 0; p < b->slots; p++)
        for (uint32_t i = b->graph.first[p]; ok && i < b->graph.first[p + 1]; i++) {
            const pliant__link *l = &b->graph.links[i];
            const uint32_t      from = b->nearest[p], to = b->nearest[l->to];
            if (l->to < p || from == to || (b->pinned[from] && b->pinned[to])) continue;
            ok = pliant__add_edge(b->a, &edges, from, to, (pliant__link){.length = l->length});
        }
    ok = ok && pliant__graph_make(b->a, out, b->slots, &edges);
    array_free(b->a, &edges);
    return ok;
}

/* ---- weigh ---- */

static double inverse_length(const pliant__link *l) { return 1 / (l->length > 1e-30 ? l->length : 1e-30); }

static bool allocate(const builder *b, pliant__level *v)
{
    size_t parents = 0;
    for (uint32_t p = 0; p < b->slots; p++) {
        v->left_count += is_left(b, p);
        parents += is_left(b, p) ? b->parents[p] : 0;
    }
    v->own = pliant__alloc_array(b->a, (size_t)v->count + 1, sizeof *v->own);
    v->up = pliant__alloc_array(b->a, (size_t)v->finer_count + 1, sizeof *v->up);
    v->w = pliant__alloc_array(b->a, (size_t)v->count + 1, sizeof *v->w);
    v->own_share = pliant__alloc_array(b->a, (size_t)v->count + 1, sizeof *v->own_share);
    v->child_first = pliant__alloc_array(b->a, (size_t)v->count + 2, sizeof *v->child_first);
    v->child = pliant__alloc_array(b->a, parents + 1, sizeof *v->child);
    v->share = pliant__alloc_array(b->a, parents + 1, sizeof *v->share);
    v->left = pliant__alloc_array(b->a, (size_t)v->left_count + 1, sizeof *v->left);
    v->parent_first = pliant__alloc_array(b->a, (size_t)v->left_count + 1, sizeof *v->parent_first);
    v->parent = pliant__alloc_array(b->a, parents + 1, sizeof *v->parent);
    v->weight = pliant__alloc_array(b->a, parents + 1, sizeof *v->weight);
    return v->own && v->up && v->w && v->own_share && v->child_first && v->child && v->share && v->left && v->parent_first && v->parent &&
           v->weight;
}

static void number_particles(builder *b, pliant__level *v)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < v->finer_count; k++) v->up[k] = PLIANT__NONE;
    for (uint32_t p = 0; p < b->slots; p++) {
        b->lumped[p] = b->mass[p];
        if (!b->stays[p]) continue;
        v->own[n] = b->number[p];
        v->up[b->number[p]] = n;
        b->next[p] = n++;
    }
}

/* Weights of particles that are left out, and masses. A pin lumps nothing: it would not move by it. */
static void weigh_parents(builder *b, pliant__level *v)
{
    uint32_t n = 0, at = 0;
    for (uint32_t p = 0; p < b->slots; p++) {
        double sum = 0;
        if (!is_left(b, p)) continue;
        for (uint32_t i = b->graph.first[p]; i < b->graph.first[p + 1]; i++)
            if (b->stays[b->graph.links[i].to]) sum += inverse_length(&b->graph.links[i]);
        for (uint32_t i = b->graph.first[p]; i < b->graph.first[p + 1]; i++) {
            const pliant__link *l = &b->graph.links[i];
            if (!b->stays[l->to]) continue;
            const double weight = inverse_length(l) / sum;
            v->parent[at] = b->next[l->to];
            v->weight[at++] = (pliant_real)weight;
            if (b->pinned[l->to]) continue;
            b->lumped[l->to] += b->mass[p] * weight;
            v->child_first[b->next[l->to] + 1]++;
        }
        v->left[n++] = b->number[p];
        v->parent_first[n] = at;
    }
    for (uint32_t i = 0; i < v->count; i++) v->child_first[i + 1] += v->child_first[i];
}

/* The same from the parents' side: child_first[i + 1] goes from the end of i's children to their beginning, and then to its place. */
static void weigh_children(builder *b, pliant__level *v)
{
    const uint32_t children = v->child_first[v->count];
    uint32_t       at = v->parent_first[v->left_count];
    for (uint32_t p = b->slots; p-- > 0;) {
        if (!is_left(b, p)) continue;
        for (uint32_t i = b->graph.first[p + 1]; i-- > b->graph.first[p];) {
            const pliant__link *l = &b->graph.links[i];
            if (!b->stays[l->to]) continue;
            const double weight = (double)v->weight[--at];
            if (b->pinned[l->to]) continue;
            const uint32_t to = --v->child_first[b->next[l->to] + 1];
            v->child[to] = b->number[p];
            v->share[to] = b->lumped[l->to] > 0 ? (pliant_real)(b->mass[p] * weight / b->lumped[l->to]) : 0;
        }
    }
    for (uint32_t i = 0; i < v->count; i++) v->child_first[i] = v->child_first[i + 1];
    v->child_first[v->count] = children;
}

static bool weigh(builder *b, pliant__level *v)
{
    if (!allocate(b, v)) return false;
    number_particles(b, v);
    weigh_parents(b, v);
    weigh_children(b, v);
    for (uint32_t p = 0; p < b->slots; p++) {
        if (!b->stays[p]) continue;
        const double lumped = b->lumped[p];
        v->w[b->next[p]] = lumped > 0 ? (pliant_real)(1 / lumped) : 0;
        v->own_share[b->next[p]] = lumped > 0 ? (pliant_real)(b->mass[p] / lumped) : 1;
    }
    return true;
}

/* ---- all of them ---- */

/* Levels end where the next would have few particles that move, or not many fewer. */
#define FEWEST 4u

static bool worth_it(const builder *b, uint32_t coarser)
{
    const uint32_t finer_free = b->count - b->pins, coarser_free = coarser - b->pins;
    return coarser_free >= FEWEST && coarser_free <= finer_free - finer_free / 8;
}

/* One level more, if it is worth it. */
static bool add_level(builder *b, pliant__levels *levels, bool *more)
{
    const uint32_t coarser = choose(b);
    pliant__graph  next = {0};
    *more = worth_it(b, coarser);
    if (!*more) return true;
    pliant__level *v = &levels->level[levels->count++];
    v->count = coarser;
    v->finer_count = b->graph.links == b->fine.links ? b->slots : b->count;
    bool ok = gather(b, &next) && pliant__measure_links(b->ruler, &next) && weigh(b, v) &&
              pliant__level_pack(b->a, v, &next, b->next, b->anchored);
    if (b->graph.links != b->fine.links) pliant__graph_free(b->a, &b->graph);
    b->graph = next;
    b->count = coarser;
    memcpy(b->in, b->stays, b->slots);
    memcpy(b->number, b->next, b->slots * sizeof *b->number);
    memcpy(b->mass, b->lumped, b->slots * sizeof *b->mass);
    return ok;
}

static bool begin(builder *b)
{
    const size_t n = b->slots = b->m->header->slot_count;
    uint8_t    **bytes[] = {&b->pinned, &b->anchored, &b->in, &b->stays};
    uint32_t   **numbers[] = {&b->number, &b->next, &b->nearest, &b->parents};
    for (size_t i = 0; i < 4; i++)
        if (!(*bytes[i] = pliant__alloc_array(b->a, n + 1, 1)) || !(*numbers[i] = pliant__alloc_array(b->a, n + 1, sizeof **numbers[i])))
            return false;
    b->mass = pliant__alloc_array(b->a, n + 1, sizeof *b->mass);
    b->lumped = pliant__alloc_array(b->a, n + 1, sizeof *b->lumped);
    if (!b->mass || !b->lumped) return false;
    for (uint32_t p = 0; p < n; p++) {
        b->pinned[p] = !(PLIANT__SLOT(b->m->x, p)[3] > 0);
        b->anchored[p] = !(b->m->free_w[p] > 0);
        b->mass[p] = b->anchored[p] ? 0 : 1 / (double)b->m->free_w[p];
        b->number[p] = p;
    }
    if (!pliant__graph_of_model(b->a, b->m, &b->fine)) return false;
    b->graph = b->fine;
    b->ruler = pliant__ruler_create(b->a, &b->fine);
    for (uint32_t p = 0; p < n; p++) {
        b->in[p] = b->fine.first[p + 1] > b->fine.first[p];
        b->count += b->in[p];
        b->pins += b->in[p] && b->pinned[p];
    }
    return b->ruler != NULL;
}

static void end(builder *b)
{
    void *all[] = {b->pinned, b->anchored, b->in, b->stays, b->number, b->next, b->nearest, b->parents, b->mass, b->lumped};
    if (b->graph.links != b->fine.links) pliant__graph_free(b->a, &b->graph);
    pliant__graph_free(b->a, &b->fine);
    pliant__ruler_destroy(b->ruler);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(b->a, all[i]);
}

pliant__levels *pliant__levels_create(const pliant_allocator *a, const pliant_model *model, uint32_t most)
{
    builder         b = {.a = a, .m = model};
    pliant__levels *levels = pliant__alloc(a, sizeof *levels);
    bool            more = true, ok = levels && begin(&b);
    if (!most || most > PLIANT__MOST_LEVELS) most = PLIANT__MOST_LEVELS;
    while (ok && more && levels->count < most) ok = add_level(&b, levels, &more);
    end(&b);
    if (ok) return levels;
    pliant__levels_destroy(a, levels);
    return NULL;
}

void pliant__levels_destroy(const pliant_allocator *a, pliant__levels *levels)
{
    for (uint32_t i = 0; levels && i < levels->count; i++) {
        const pliant__level *v = &levels->level[i];
        void                *all[] = {v->waves,        v->row_index, v->row_law,     v->row_parameter, v->compliance, v->stiffness, v->own,
                                      v->up,           v->w,         v->child_first, v->child,         v->share,      v->own_share, v->left,
                                      v->parent_first, v->parent,    v->weight};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) pliant__free(a, all[k]);
    }
    pliant__free(a, levels);
}
