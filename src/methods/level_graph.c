/* Graphs of distances: from the model's rows, and from lists of edges. */
#include "methods/levels.h"

#include <stdlib.h>

bool pliant__add_edge(const pliant_allocator *a, pliant__edges *edges, uint32_t p, uint32_t q, pliant__link link)
{
    link.to = q;
    if (!array_push(a, edges, (pliant__edge){p, link})) return false;
    link.to = p;
    return array_push(a, edges, (pliant__edge){q, link});
}

static int by_ends(const void *a, const void *b)
{
    const pliant__edge *p = a, *q = b;
    if (p->from != q->from) return p->from < q->from ? -1 : 1;
    if (p->link.to != q->link.to) return p->link.to < q->link.to ? -1 : 1;
    if (p->link.length != q->link.length) return p->link.length < q->link.length ? -1 : 1;
    if (p->link.compliance != q->link.compliance) return p->link.compliance < q->link.compliance ? -1 : 1;
    if (p->link.stiffness != q->link.stiffness) return p->link.stiffness > q->link.stiffness ? -1 : 1;
    return (int)q->link.exact - (int)p->link.exact;
}

bool pliant__graph_make(const pliant_allocator *a, pliant__graph *g, uint32_t slot_count, pliant__edges *edges)
{
    size_t count = 0;
    g->slot_count = slot_count;
    if (edges->count) qsort(edges->data, edges->count, sizeof *edges->data, by_ends);
    g->first = pliant__alloc_array(a, (size_t)slot_count + 1, sizeof *g->first);
    g->links = pliant__alloc_array(a, edges->count + 1, sizeof *g->links);
    if (!g->first || !g->links) return false;
    for (size_t i = 0; i < edges->count; i++) {
        const pliant__edge *e = &edges->data[i];
        if (i && e[-1].from == e->from && e[-1].link.to == e->link.to) continue;
        g->links[count++] = e->link;
        g->first[e->from + 1]++;
    }
    for (uint32_t s = 0; s < slot_count; s++) g->first[s + 1] += g->first[s];
    return true;
}

void pliant__graph_free(const pliant_allocator *a, pliant__graph *g)
{
    pliant__free(a, g->first);
    pliant__free(a, g->links);
    g->first = NULL;
    g->links = NULL;
}

/* ---- of the model ---- */

/* Whether rows of a law keep distances from growing, and what rest lengths are multiplied by. */
static bool bounds(const pliant__model_law *law, double *by)
{
    *by = law->limit == PLIANT_RANGE ? (double)law->range_max : 1;
    return law->limit != PLIANT_AT_LEAST;
}

static bool add_rows(const pliant_allocator *a, const pliant_model *m, const pliant__batch *b, pliant__edges *edges)
{
    for (uint32_t r = 0; r < b->count; r++) {
        if (!pliant__has_row(m, b, r)) continue;
        const uint32_t           block = r / PLIANT__BLOCK, lane = r % PLIANT__BLOCK;
        const pliant__model_law *law = &m->laws[pliant__row_law(m, b, r)];
        uint32_t                 slot[2];
        pliant__link             link = {.compliance = (double)law->compliance, .stiffness = (double)law->stiffness};
        double                   by;
        pliant__row_slots(m, b, r, 2, slot);
        if (!bounds(law, &by) || slot[0] == slot[1]) continue;
        link.length = by * (double)pliant__parameters(m, b, block)[lane];
        link.exact = law->limit == PLIANT_EQUAL;
        if (!pliant__add_edge(a, edges, slot[0], slot[1], link)) return false;
    }
    return true;
}

/* What a distance is much softer than: a way round over one particle, if there is one. */
#define MUCH_SOFTER 10

static bool has_stiffer_way(const pliant__graph *g, uint32_t p, const pliant__link *link)
{
    if (!(link->compliance > 0)) return false;
    for (uint32_t i = g->first[p]; i < g->first[p + 1]; i++) {
        const pliant__link *a = &g->links[i];
        if (a->to == link->to || a->compliance * MUCH_SOFTER > link->compliance) continue;
        for (uint32_t k = g->first[a->to]; k < g->first[a->to + 1]; k++)
            if (g->links[k].to == link->to && g->links[k].compliance * MUCH_SOFTER <= link->compliance) return true;
    }
    return false;
}

/* Shear and bend of most cloths are distances that give way where the weave does not: ways along the weave are what bounds. */
static bool without_soft(const pliant_allocator *a, const pliant__graph *all, pliant__edges *edges)
{
    edges->count = 0;
    for (uint32_t p = 0; p < all->slot_count; p++)
        for (uint32_t i = all->first[p]; i < all->first[p + 1]; i++)
            if (!has_stiffer_way(all, p, &all->links[i]) && !array_push(a, edges, (pliant__edge){p, all->links[i]})) return false;
    return true;
}

bool pliant__graph_of_model(const pliant_allocator *a, const pliant_model *m, pliant__graph *out)
{
    pliant__edges edges = {0};
    pliant__graph all = {0};
    uint32_t      slots = m->header->slot_count;
    bool          ok = true;
    for (size_t i = 0; ok && i < model_count(m, batches); i++)
        if (pliant__kind_has(m->batches[i].kind, PLIANT_ROW_EDGE)) ok = add_rows(a, m, &m->batches[i], &edges);
    ok = ok && pliant__graph_make(a, &all, slots, &edges) && without_soft(a, &all, &edges) && pliant__graph_make(a, out, slots, &edges);
    pliant__graph_free(a, &all);
    array_free(a, &edges);
    return ok;
}
