/* How far two particles can be apart while all distances of the model hold.
 *
 * The length of a way along edges bounds it, but a way in zigzag is longer than the straight line over a flat surface, and a bound with slack
 * lets a cloth stretch. Triangles of distances that hold from both sides give a tighter one: if A and B are at most a and b from S, and ABC is
 * such a triangle, then C is farthest from S where S, A, B and C lie in one plane, with S at its distances from A and B on the other side of
 * the line AB from C; as long as the line from S to C passes between A and B. (Else the way over A or over B is the bound.) For S is in the
 * ball of radius a around A and in that of radius b around B, and the point of both that is farthest from C lies on both spheres and in C's
 * plane. The same step unfolds triangles in the computation of geodesics (Novotni and Klein 2002); here it is a bound of distances in
 * space, whatever the shape: no state that satisfies the distances exceeds it, however the thing is bent, and on a flat rest shape it is the
 * straight line.
 *
 * Found as Dijkstra finds shortest ways, except that a length may yet be improved after it was passed on, and is then passed on again. Of
 * compliance and stiffness it is the way's: compliances add up in series, and the least stiffness counts. */
#include "methods/levels.h"

#include <math.h>

typedef struct label {
    double   length, compliance, stiffness;
    uint32_t round; /* of which search */
    bool     passed_on;
} label;

typedef struct waiting {
    double   length;
    uint32_t slot;
} waiting;

/* Seen from a link from A to C: the third corner, and C in the plane, A at the origin and B at (c, 0). */
typedef struct corner {
    uint32_t slot, back; /* B; the number of the link from C to B */
    double   c, x, y;
} corner;

struct pliant__ruler {
    const pliant_allocator *allocator;
    const pliant__graph    *graph;
    label                  *labels; /* per slot */
    uint32_t               *first;  /* per link + 1: where its corners begin */
    ARRAY(corner) corners;
    ARRAY(waiting) heap;
    uint32_t round;
};

/* ---- triangles ---- */

static bool add_corner(pliant__ruler *r, const pliant__link *ab, const pliant__link *ac, const pliant__link *cb)
{
    const double c = ab->length, x = c > 0 ? (ac->length * ac->length - cb->length * cb->length + c * c) / (2 * c) : 0;
    const double y2 = ac->length * ac->length - x * x;
    if (!(c > 0) || !(y2 >= 0)) return true; /* such a triangle cannot be */
    return array_push(r->allocator, &r->corners, (corner){ab->to, (uint32_t)(cb - r->graph->links), c, x, sqrt(y2)});
}

/* Third corners of the triangles at a link, from the neighbours that its ends share. */
static bool find_corners(pliant__ruler *r, uint32_t from, const pliant__link *ac)
{
    const pliant__graph *g = r->graph;
    const pliant__link  *i = g->links + g->first[from], *i_end = g->links + g->first[from + 1];
    const pliant__link  *k = g->links + g->first[ac->to], *k_end = g->links + g->first[ac->to + 1];
    bool                 ok = true;
    while (ok && ac->exact && i < i_end && k < k_end) {
        if (i->to == k->to && i->exact && k->exact) ok = add_corner(r, i, ac, k);
        const uint32_t left = i->to, right = k->to;
        i += left <= right;
        k += right <= left;
    }
    return ok;
}

pliant__ruler *pliant__ruler_create(const pliant_allocator *a, const pliant__graph *fine)
{
    pliant__ruler *r = pliant__alloc(a, sizeof *r);
    if (!r) return NULL;
    const uint32_t links = fine->first[fine->slot_count];
    r->allocator = a;
    r->graph = fine;
    r->labels = pliant__alloc_array(a, (size_t)fine->slot_count + 1, sizeof *r->labels);
    r->first = pliant__alloc_array(a, (size_t)links + 1, sizeof *r->first);
    bool ok = r->labels && r->first;
    for (uint32_t p = 0; ok && p < fine->slot_count; p++)
        for (uint32_t i = fine->first[p]; ok && i < fine->first[p + 1]; i++) {
            ok = find_corners(r, p, &fine->links[i]);
            r->first[i + 1] = (uint32_t)r->corners.count;
        }
    if (ok) return r;
    pliant__ruler_destroy(r);
    return NULL;
}

void pliant__ruler_destroy(pliant__ruler *r)
{
    if (!r) return;
    array_free(r->allocator, &r->heap);
    array_free(r->allocator, &r->corners);
    pliant__free(r->allocator, r->first);
    pliant__free(r->allocator, r->labels);
    pliant__free(r->allocator, r);
}

/* ---- a heap of slots by length, then by number ---- */

static bool sooner(const waiting *a, const waiting *b) { return a->length != b->length ? a->length < b->length : a->slot < b->slot; }

static bool push(pliant__ruler *r, waiting w)
{
    if (!array_push(r->allocator, &r->heap, w)) return false;
    waiting *h = r->heap.data;
    size_t   i = r->heap.count - 1;
    for (; i && sooner(&w, &h[(i - 1) / 2]); i = (i - 1) / 2) h[i] = h[(i - 1) / 2];
    h[i] = w;
    return true;
}

static waiting pop(pliant__ruler *r)
{
    waiting *h = r->heap.data, top = h[0], last = h[--r->heap.count];
    size_t   i = 0, n = r->heap.count;
    for (size_t k = 1; k < n; i = k, k = 2 * i + 1) {
        if (k + 1 < n && sooner(&h[k + 1], &h[k])) k++;
        if (!sooner(&h[k], &last)) break;
        h[i] = h[k];
    }
    h[i] = last;
    return top;
}

/* ---- labels ---- */

#define BETTER (1 - 1e-6) /* less than this is not worth passing on */

static bool offer(pliant__ruler *r, uint32_t slot, double length, double compliance, double stiffness)
{
    label *l = &r->labels[slot];
    if (l->round == r->round && !(length < l->length * BETTER)) {
        if (length * BETTER <= l->length && compliance < l->compliance) l->compliance = compliance;
        return true;
    }
    *l = (label){length, compliance, stiffness, r->round, false};
    return push(r, (waiting){length, slot});
}

static double least(double a, double b) { return a < b ? a : b; }

/* From A and B to C, over the triangle. */
static bool offer_unfolded(pliant__ruler *r, const label *a, const pliant__link *ac, const corner *t)
{
    const label        *b = &r->labels[t->slot];
    const pliant__link *cb = &r->graph->links[t->back];
    if (b->round != r->round) return true;
    const double x = (a->length * a->length - b->length * b->length + t->c * t->c) / (2 * t->c), y2 = a->length * a->length - x * x;
    if (!(y2 >= 0)) return true;
    const double y = sqrt(y2), height = y + t->y, u = (height > 0 ? x + (t->x - x) * y / height : x) / t->c;
    if (!(u >= 0 && u <= 1)) return true;
    const double length = sqrt((t->x - x) * (t->x - x) + height * height);
    const double compliance = (1 - u) * (a->compliance + ac->compliance) + u * (b->compliance + cb->compliance);
    return offer(r, ac->to, length, compliance, least(least(a->stiffness, b->stiffness), least(ac->stiffness, cb->stiffness)));
}

static bool pass_along(pliant__ruler *r, const label *a, uint32_t link)
{
    const pliant__link *l = &r->graph->links[link];
    if (!offer(r, l->to, a->length + l->length, a->compliance + l->compliance, least(a->stiffness, l->stiffness))) return false;
    for (uint32_t t = r->first[link]; t < r->first[link + 1]; t++)
        if (!offer_unfolded(r, a, l, &r->corners.data[t])) return false;
    return true;
}

/* To all neighbours. */
static bool pass_on(pliant__ruler *r, uint32_t from)
{
    const label a = r->labels[from];
    for (uint32_t i = r->graph->first[from]; i < r->graph->first[from + 1]; i++)
        if (!pass_along(r, &a, i)) return false;
    return true;
}

/* From all neighbours: with an obtuse corner, the way to C may pass a B that is farther than C and was not yet passed on. */
static bool ask_around(pliant__ruler *r, uint32_t to)
{
    const pliant__graph *g = r->graph;
    for (uint32_t k = g->first[to]; k < g->first[to + 1]; k++) {
        const uint32_t from = g->links[k].to;
        const label    a = r->labels[from];
        for (uint32_t i = g->first[from]; a.round == r->round && i < g->first[from + 1]; i++)
            if (g->links[i].to == to && !pass_along(r, &a, i)) return false;
    }
    return true;
}

/* ---- links ---- */

/* A little room, so that what rounding makes of a rest state is within the bound. */
#define ROOM (1 + 1e-5)

/* Takes a slot's label over to the link that leads there, if there is one. Returns whether it is the first time. */
static bool take(pliant__link *links, uint32_t count, uint32_t slot, const label *l, double *longest)
{
    for (uint32_t i = 0; i < count; i++) {
        if (links[i].to != slot) continue;
        const bool first = links[i].length == HUGE_VAL;
        links[i].length = l->length * ROOM;
        links[i].compliance = l->compliance;
        links[i].stiffness = l->stiffness;
        if (l->length > *longest) *longest = l->length;
        return first;
    }
    return false;
}

/* From one slot to others, until none of them can come nearer. */
static bool measure(pliant__ruler *r, uint32_t from, pliant__link *links, uint32_t count)
{
    uint32_t missing = count;
    double   longest = 0;
    r->round++;
    r->heap.count = 0;
    for (uint32_t i = 0; i < count; i++) links[i].length = HUGE_VAL;
    if (!offer(r, from, 0, 0, 1)) return false;
    while (count && r->heap.count) {
        const waiting w = pop(r);
        label        *l = &r->labels[w.slot];
        if (!missing && w.length > longest) break;
        if (l->passed_on || w.length > l->length) continue;
        l->passed_on = true;
        missing -= take(links, count, w.slot, l, &longest);
        if (!pass_on(r, w.slot)) return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (links[i].length == HUGE_VAL) continue;
        if (!ask_around(r, links[i].to)) return false;
        take(links, count, links[i].to, &r->labels[links[i].to], &longest);
    }
    return true;
}

/* The link from q back to p, from that from p to q. */
static void mirror(pliant__graph *g, uint32_t p, const pliant__link *l)
{
    for (uint32_t k = g->first[l->to]; k < g->first[l->to + 1]; k++) {
        if (g->links[k].to != p) continue;
        g->links[k] = *l;
        g->links[k].to = p;
        return;
    }
}

bool pliant__measure_links(pliant__ruler *r, pliant__graph *g)
{
    for (uint32_t p = 0; p < g->slot_count; p++) {
        uint32_t i = g->first[p];
        while (i < g->first[p + 1] && g->links[i].to < p) i++;
        if (!measure(r, p, g->links + i, g->first[p + 1] - i)) return false;
        for (; i < g->first[p + 1]; i++) mirror(g, p, &g->links[i]);
    }
    return true;
}
