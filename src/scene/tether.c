/* Tethers (Kim, Chentanez, Müller 2012, Long Range Attachments): every free particle of a body that asks for them is tied to its pins, each at
 * its distance over the body. One search from all pins at once finds for each particle the nearest of them and the ways there (Dijkstra
 * 1959, with several labels per particle).
 *
 * A way goes along edges, and across the triangles that edges make: where two corners know how far a pin is, the third lies as far from it as
 * from the place, in the triangle's plane, that is so far from the two (Novotni and Klein 2002, Computing Geodesic Distances on Triangular Meshes).
 * On a flat sheet that is the straight line; along edges alone the ways would be up to 41 % too long, and tethers would hold nothing.
 *
 * A particle has at most MOST_PINS tethers. Where its body has more pins than that, it takes the nearest one, and then the next nearest that it sees,
 * at rest, at least 30 degrees aside of every pin that it has: the neighbours of a pin on a pinned side hold a particle where the pin does already,
 * and would take up all the places. A particle passes on only the pins that it takes, so the search costs MOST_PINS labels per particle however many
 * pins there are; the way to a pin then goes over particles that have taken it, and may be longer than the shortest, never shorter. */
#include "base/vec.h"
#include "scene/quality.h"

#define MOST_PINS 4u
#define LEAST_ASIDE 0.8660254037844387 /* cosine of 30 degrees */

typedef struct label {
    double   distance;
    uint32_t pin; /* local */
} label;

/* A way that was found from a pin to a particle. Ordered by distance, then pin, then particle, so that ties never depend on the heap. */
typedef struct entry {
    label    at;
    uint32_t particle;
} entry;

typedef struct search {
    const pliant_scene       *scene;
    const pliant__draft_body *body;
    uint32_t                 *first;   /* neighbours of p: [first[p], first[p + 1]) */
    uint32_t                 *others;  /* two per edge */
    label                    *taken;   /* MOST_PINS per particle, nearest first */
    uint8_t                  *count;   /* of them */
    bool                      chooses; /* there are more pins than places */
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

typedef struct way {
    double x, y, z;
} way;

static way way_of(const search *s, uint32_t a, uint32_t b)
{
    const pliant__draft_particle *p = s->scene->particles.data + s->body->first_particle;
    return (way){(double)p[b].x.x - (double)p[a].x.x, (double)p[b].x.y - (double)p[a].x.y, (double)p[b].x.z - (double)p[a].x.z};
}

static double dot(way a, way b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static double edge_length(const search *s, uint32_t a, uint32_t b)
{
    const way d = way_of(s, a, b);
    return sqrt(dot(d, d));
}

/* Whether a particle has a place left, and not this pin. */
static bool is_open(const search *s, uint32_t particle, uint32_t pin)
{
    const label *of = s->taken + (size_t)particle * MOST_PINS;
    bool         open = s->count[particle] < MOST_PINS;
    for (uint32_t i = 0; i < s->count[particle] && open; i++) open = of[i].pin != pin;
    return open;
}

/* Whether a particle sees a pin well aside of those that it has. */
static bool is_aside(const search *s, uint32_t particle, uint32_t pin)
{
    const way d = way_of(s, particle, pin);
    bool      aside = true;
    for (uint32_t i = 0; i < s->count[particle] && aside; i++) {
        const way e = way_of(s, particle, s->taken[(size_t)particle * MOST_PINS + i].pin);
        aside = dot(d, e) <= LEAST_ASIDE * sqrt(dot(d, d) * dot(e, e));
    }
    return aside;
}

/* How far a pin is from a particle that has it, or from the pin itself; below 0 where the particle has not got it. */
static double distance_to(const search *s, uint32_t particle, uint32_t pin)
{
    const label *of = s->taken + (size_t)particle * MOST_PINS;
    if (particle == pin) return 0;
    for (uint32_t i = 0; i < s->count[particle]; i++)
        if (of[i].pin == pin) return of[i].distance;
    return -1;
}

static bool are_joined(const search *s, uint32_t a, uint32_t b)
{
    bool joined = false;
    for (uint32_t k = s->first[a]; k < s->first[a + 1] && !joined; k++) joined = s->others[k] == b;
    return joined;
}

/* The way to corner c of a triangle across the side between a and b, which are so far from where it begins; HUGE_VAL where it does not cross
 * that side. In the triangle's plane, with a at the origin and b on the first axis, it begins at (x, -y). */
static double across(const search *s, uint32_t a, uint32_t b, uint32_t c, double from_a, double from_b)
{
    const way    side = way_of(s, a, b), to = way_of(s, a, c);
    const double length = sqrt(dot(side, side)), along = dot(to, side) / length, aside = sqrt(fmax(dot(to, to) - along * along, 0));
    const double x = (from_a * from_a - from_b * from_b + length * length) / (2 * length), y = sqrt(fmax(from_a * from_a - x * x, 0));
    if (!(length > 0) || !(aside + y > 0)) return HUGE_VAL;
    const double crosses = x + (along - x) * y / (aside + y);
    return crosses >= 0 && crosses <= length ? sqrt((along - x) * (along - x) + (aside + y) * (aside + y)) : HUGE_VAL;
}

/* The shortest way to a neighbour of a particle: along the edge, or across one of the triangles on it. */
static double way_on(const search *s, entry from, uint32_t other)
{
    double shortest = from.at.distance + edge_length(s, from.particle, other);
    for (uint32_t k = s->first[from.particle]; k < s->first[from.particle + 1]; k++) {
        const uint32_t third = s->others[k];
        const double   known = third == other ? -1 : distance_to(s, third, from.at.pin);
        if (known < 0 || !are_joined(s, third, other)) continue;
        const double length = across(s, from.particle, third, other, from.at.distance, known);
        if (length < shortest) shortest = length;
    }
    return shortest;
}

/* Passes a way on to the free neighbours of a particle. */
static bool pass_on(search *s, entry from)
{
    const pliant__draft_particle *p = s->scene->particles.data + s->body->first_particle;
    for (uint32_t k = s->first[from.particle]; k < s->first[from.particle + 1]; k++) {
        const uint32_t other = s->others[k];
        if (p[other].pin != PLIANT__FREE || !is_open(s, other, from.at.pin)) continue;
        if (!heap_push(s, (entry){{way_on(s, from, other), from.at.pin}, other})) return false;
    }
    return true;
}

static bool walk(search *s)
{
    const pliant__draft_particle *p = s->scene->particles.data + s->body->first_particle;
    uint32_t                      pins = 0;
    for (uint32_t i = 0; i < s->body->particle_count; i++) {
        if (p[i].pin == PLIANT__FREE) continue;
        pins++;
        if (!pass_on(s, (entry){{0, i}, i})) return false;
    }
    s->chooses = pins > MOST_PINS;
    while (s->heap.count) {
        const entry e = heap_pop(s);
        if (!is_open(s, e.particle, e.at.pin) || (s->chooses && !is_aside(s, e.particle, e.at.pin))) continue;
        s->taken[(size_t)e.particle * MOST_PINS + s->count[e.particle]++] = e.at;
        if (!pass_on(s, e)) return false;
    }
    return true;
}

#define TAUT 1.05 /* times the straight way between two pins: a particle with no longer a way from pin to pin is taut */

/* Whether the body is, for the most part, taut between pins. */
static bool is_taut(const search *s)
{
    uint32_t taut = 0, held = 0;
    for (uint32_t p = 0; p < s->body->particle_count; p++) {
        const label *of = s->taken + (size_t)p * MOST_PINS;
        bool         between = false;
        for (uint32_t i = 0; i < s->count[p]; i++)
            for (uint32_t j = 0; j < i; j++)
                between = between || of[i].distance + of[j].distance < TAUT * edge_length(s, of[i].pin, of[j].pin);
        held += s->count[p] > 0;
        taut += between;
    }
    return taut > held / 3;
}

static double longest_way(const search *s)
{
    double longest = 0;
    for (uint32_t p = 0; p < s->body->particle_count; p++)
        for (uint32_t i = 0; i < s->count[p]; i++) longest = fmax(longest, s->taken[(size_t)p * MOST_PINS + i].distance);
    return longest;
}

/* By particle, then by pin: where all particles have the same pins, kernels then find one pin for all lanes. */
static bool append(const search *s, uint32_t body, double factor, pliant__tethers *out)
{
    for (uint32_t i = 0; i < s->body->particle_count; i++) {
        const label *of = s->taken + (size_t)i * MOST_PINS;
        uint32_t     last = 0;
        for (uint32_t k = 0; k < s->count[i]; k++) {
            uint32_t best = 0;
            while (k && of[best].pin <= last) best++;
            for (uint32_t j = best + 1; j < s->count[i]; j++)
                if ((!k || of[j].pin > last) && of[j].pin < of[best].pin) best = j;
            last = of[best].pin;
            pliant__tether t = {body, s->body->first_particle + i, s->body->first_particle + last, 0, (pliant_real)factor};
            t.rest = (pliant_real)(of[best].distance * factor);
            if (!array_push(&s->scene->allocator, out, t)) return false;
        }
    }
    return true;
}

/* `factor` is the scene's, or 0: then the factor is chosen by how the body hangs. */
static bool search_body(const pliant_scene *scene, uint32_t body, const pliant__hanging *hanging, double *factor, pliant__tethers *out)
{
    search                  s = {.scene = scene, .body = &scene->bodies.data[body]};
    const pliant_allocator *a = &scene->allocator;
    s.first = pliant__alloc_array(a, (size_t)s.body->particle_count + 1, sizeof *s.first);
    s.others = pliant__alloc_array(a, s.body->edges.count, sizeof *s.others);
    s.taken = pliant__alloc_array(a, s.body->particle_count, MOST_PINS * sizeof *s.taken);
    s.count = pliant__alloc_array(a, s.body->particle_count, sizeof *s.count);
    bool ok = s.first && s.others && s.taken && s.count;
    if (ok) list_neighbours(&s);
    ok = ok && walk(&s);
    if (ok && *factor == 0 && !is_taut(&s)) *factor = pliant__chosen_tether(s.body, hanging, longest_way(&s));
    ok = ok && (*factor == 0 || append(&s, body, *factor, out));
    pliant__free(a, s.first);
    pliant__free(a, s.others);
    pliant__free(a, s.taken);
    pliant__free(a, s.count);
    array_free(a, &s.heap);
    return ok;
}

static bool check_lengths(const pliant__draft_body *body, const pliant__tethers *out, size_t first, pliant_error *error)
{
    const pliant_real longest = (pliant_real)pliant_constraint_describe(PLIANT_CONSTRAINT_TETHER)->parameters[0].high;
    for (size_t t = first; t < out->count; t++)
        if (!(out->data[t].rest <= longest))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "body \"%s\": a tether of %g m is too long; at most %g", body->name,
                                (double)out->data[t].rest, (double)longest);
    return true;
}

bool pliant__scene_tethers(const pliant_scene *scene, pliant__tethers *out, pliant_error *error)
{
    pliant__hanging *hanging = pliant__alloc_array(&scene->allocator, scene->bodies.count + 1, sizeof *hanging);
    if (!hanging) return pliant__fail_memory(error, (scene->bodies.count + 1) * sizeof *hanging, "bodies that hang");
    bool ok = true;
    pliant__find_hanging(scene, hanging);
    for (uint32_t i = 0; i < scene->bodies.count && ok; i++) {
        const pliant__draft_body *body = &scene->bodies.data[i];
        double                    factor = body->tether > 0 ? (double)body->tether : 0;
        const size_t              before = out->count;
        if (body->removed || (factor == 0 && !hanging[i].chosen)) continue;
        ok = search_body(scene, i, &hanging[i], &factor, out) ||
             pliant__fail_memory(error, body->particle_count * sizeof(pliant__tether), "tethers");
        ok = ok && check_lengths(body, out, before, error);
    }
    pliant__free(&scene->allocator, hanging);
    return ok;
}
