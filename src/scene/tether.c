/* Tethers (Kim, Chentanez, Müller 2012, Long Range Attachments): every free particle of a body that asks for them is tied to its nearest pin,
 * nearest along the body's edges. One search from all pins at once (Dijkstra 1959) finds for each particle the pin and the way to it. */
#include "base/vec.h"
#include "scene/draft.h"

typedef struct label {
    double   distance;
    uint32_t pin; /* local; PLIANT__NONE: not reached */
} label;

/* A particle waiting to be settled. Ordered by distance, then pin, then particle, so that ties never depend on the heap. */
typedef struct entry {
    label    at;
    uint32_t particle;
} entry;

typedef struct search {
    const pliant_scene       *scene;
    const pliant__draft_body *body;
    uint32_t                 *first;  /* neighbours of p: [first[p], first[p + 1]) */
    uint32_t                 *others; /* two per edge */
    label                    *labels;
    ARRAY(entry) heap;
} search;

static bool label_less(label a, label b) { return a.distance != b.distance ? a.distance < b.distance : a.pin < b.pin; }

static bool entry_less(const entry *a, const entry *b)
{
    return label_less(a->at, b->at) || (!label_less(b->at, a->at) && a->particle < b->particle);
}

static bool heap_push(search *s, entry e)
{
    if (!array_push(&s->scene->allocator, &s->heap, e)) return false;
    size_t i = s->heap.count - 1;
    for (; i && entry_less(&e, &s->heap.data[(i - 1) / 2]); i = (i - 1) / 2) s->heap.data[i] = s->heap.data[(i - 1) / 2];
    s->heap.data[i] = e;
    return true;
}

static entry heap_pop(search *s)
{
    entry       *h = s->heap.data;
    const entry  top = h[0], last = h[--s->heap.count];
    const size_t n = s->heap.count;
    size_t       i = 0;
    while (2 * i + 1 < n) {
        size_t child = 2 * i + 1;
        if (child + 1 < n && entry_less(&h[child + 1], &h[child])) child++;
        if (!entry_less(&h[child], &last)) break;
        h[i] = h[child];
        i = child;
    }
    h[i] = last;
    return top;
}

/* Neighbours of each particle side by side, by counting. */
static void list_neighbours(search *s)
{
    const uint32_t  base = s->body->first_particle, n = s->body->particle_count;
    const uint32_t *edges = s->body->edges.data;
    for (size_t i = 0; i < s->body->edges.count; i++) s->first[edges[i] - base + 1]++;
    for (uint32_t p = 0; p < n; p++) s->first[p + 1] += s->first[p];
    for (size_t i = s->body->edges.count; i-- > 0;) s->others[--s->first[edges[i] - base + 1]] = edges[i ^ 1] - base;
    /* Counting down, first[p + 1] went from the end of p's neighbours to their beginning. */
    for (uint32_t p = 0; p < n; p++) s->first[p] = s->first[p + 1];
    s->first[n] = (uint32_t)s->body->edges.count;
}

static double edge_length(const search *s, uint32_t a, uint32_t b)
{
    const pliant__draft_particle *p = s->scene->particles.data + s->body->first_particle;
    const double x = (double)p[b].x.x - (double)p[a].x.x, y = (double)p[b].x.y - (double)p[a].x.y, z = (double)p[b].x.z - (double)p[a].x.z;
    return sqrt(x * x + y * y + z * z);
}

static bool walk(search *s)
{
    const pliant__draft_particle *p = s->scene->particles.data + s->body->first_particle;
    for (uint32_t i = 0; i < s->body->particle_count; i++) {
        s->labels[i].distance = p[i].pin == PLIANT__FREE ? HUGE_VAL : 0;
        s->labels[i].pin = p[i].pin == PLIANT__FREE ? PLIANT__NONE : i;
        const entry e = {s->labels[i], i};
        if (e.at.pin != PLIANT__NONE && !heap_push(s, e)) return false;
    }
    while (s->heap.count) {
        const entry e = heap_pop(s);
        if (label_less(s->labels[e.particle], e.at)) continue; /* a better way was found since */
        for (uint32_t k = s->first[e.particle]; k < s->first[e.particle + 1]; k++) {
            const uint32_t other = s->others[k];
            const entry    next = {{e.at.distance + edge_length(s, e.particle, other), e.at.pin}, other};
            if (!label_less(next.at, s->labels[other])) continue;
            s->labels[other] = next.at;
            if (!heap_push(s, next)) return false;
        }
    }
    return true;
}

static bool append(const search *s, uint32_t body, pliant__tethers *out)
{
    const pliant__draft_particle *p = s->scene->particles.data + s->body->first_particle;
    for (uint32_t i = 0; i < s->body->particle_count; i++) {
        if (p[i].pin != PLIANT__FREE || s->labels[i].pin == PLIANT__NONE) continue;
        pliant__tether t = {body, s->body->first_particle + i, s->body->first_particle + s->labels[i].pin, 0};
        t.rest = (pliant_real)(s->labels[i].distance * (double)s->body->tether);
        if (!array_push(&s->scene->allocator, out, t)) return false;
    }
    return true;
}

static bool search_body(const pliant_scene *scene, uint32_t body, pliant__tethers *out)
{
    search                  s = {scene, &scene->bodies.data[body], NULL, NULL, NULL, {NULL, 0, 0}};
    const pliant_allocator *a = &scene->allocator;
    s.first = pliant__alloc_array(a, (size_t)s.body->particle_count + 1, sizeof *s.first);
    s.others = pliant__alloc_array(a, s.body->edges.count, sizeof *s.others);
    s.labels = pliant__alloc_array(a, s.body->particle_count, sizeof *s.labels);
    bool ok = s.first && s.others && s.labels;
    if (ok) list_neighbours(&s);
    ok = ok && walk(&s) && append(&s, body, out);
    pliant__free(a, s.first);
    pliant__free(a, s.others);
    pliant__free(a, s.labels);
    array_free(a, &s.heap);
    return ok;
}

bool pliant__scene_tethers(const pliant_scene *scene, pliant__tethers *out, pliant_error *error)
{
    const pliant_real longest = (pliant_real)pliant_constraint_describe(PLIANT_CONSTRAINT_TETHER)->parameters[0].high;
    for (uint32_t i = 0; i < scene->bodies.count; i++) {
        const pliant__draft_body *body = &scene->bodies.data[i];
        if (body->removed || !(body->tether > 0)) continue;
        const size_t before = out->count;
        if (!search_body(scene, i, out)) return pliant__fail_memory(error, body->particle_count * sizeof(pliant__tether), "tethers");
        for (size_t t = before; t < out->count; t++)
            if (!(out->data[t].rest <= longest))
                return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "body \"%s\": a tether of %g m is too long; at most %g", body->name,
                                    (double)out->data[t].rest, (double)longest);
    }
    return true;
}
