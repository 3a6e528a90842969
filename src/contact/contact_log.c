/* Events of contacts. An entry is two bodies, or a body and a collider, that touch now or have in the step before; entries are found by their key in a table
 * with open addresses, and sorted by it for the list of events. Sums are of all substeps, in the order of contacts, which is the model's.
 *
 * What begins and ends is told of two bodies, or of a body and a collider, unless each contact is asked for: what rests or slides changes the
 * particles that it rests on from step to step, and a program that plays a sound wants to hear of it once. */
#include "contact/contact_log.h"

#include "base/error.h"
#include "contact/contacts.h"
#include "contact/pair_contacts.h"
#include "solver/solver.h"

#include <string.h>

#define WORDS 8u /* of a key: bodies' numbers, or a body's and a collider's behind all bodies; edges; slots */

typedef struct entry {
    uint32_t             key[WORDS];
    bool                 now, before; /* pushed in this step, in the one before */
    uint32_t             substep;     /* the last in which it pushed, from 1, and how often it did there */
    uint32_t             contacts;
    double               force, friction;             /* sums over substeps */
    double               weight, point[3], normal[3]; /* of forces, pulls too; the latter weighed by it */
    pliant_contact_event event;                       /* as it was last */
} entry;

struct pliant_contact_log {
    pliant_allocator      allocator;
    const pliant_model   *model;
    bool                  each;
    uint32_t              capacity, places; /* entries; of the table, a power of 2 */
    uint32_t              count, substep, event_count;
    uint64_t              dropped;
    entry                *entries;
    uint32_t             *table; /* entry + 1, or 0 */
    uint32_t             *order;
    pliant_contact_event *events;
};

/* ---- making ---- */

pliant_contact_log_def pliant_contact_log_def_default(void)
{
    pliant_contact_log_def d;
    memset(&d, 0, sizeof d);
    d.size = sizeof d;
    d.capacity = 1024;
    return d;
}

static bool allocate(pliant_contact_log *l)
{
    const pliant_allocator *a = &l->allocator;
    l->places = 16;
    while (l->places < 2 * l->capacity) l->places *= 2;
    l->entries = pliant__alloc_array(a, l->capacity, sizeof *l->entries);
    l->table = pliant__alloc_array(a, l->places, sizeof *l->table);
    l->order = pliant__alloc_array(a, l->capacity, sizeof *l->order);
    l->events = pliant__alloc_array(a, l->capacity, sizeof *l->events);
    return l->entries && l->table && l->order && l->events;
}

pliant_contact_log *pliant_contact_log_create(const pliant_model *model, const pliant_contact_log_def *def, pliant_error *error)
{
    const pliant_contact_log_def d = def ? *def : pliant_contact_log_def_default();
    if (!model || d.size != sizeof d || !d.capacity || d.capacity > 1u << 24) {
        pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                     "a log of contacts wants a model, and a def from pliant_contact_log_def_default with room for 1 to 2^24");
        return NULL;
    }
    const pliant_allocator a = d.allocator.alloc ? d.allocator : model->allocator;
    pliant_contact_log    *l = pliant__alloc(&a, sizeof *l);
    if (l) {
        l->allocator = a;
        l->model = model;
        l->each = d.each;
        l->capacity = d.capacity;
        if (allocate(l)) return l;
    }
    pliant_contact_log_destroy(l);
    pliant__fail_memory(error, (uint64_t)d.capacity * (sizeof(entry) + sizeof(pliant_contact_event) + 12), "a log of contacts");
    return NULL;
}

void pliant_contact_log_destroy(pliant_contact_log *log)
{
    if (!log) return;
    const pliant_allocator a = log->allocator;
    pliant__free(&a, log->entries);
    pliant__free(&a, log->table);
    pliant__free(&a, log->order);
    pliant__free(&a, log->events);
    pliant__free(&a, log);
}

void pliant_contact_log_reset(pliant_contact_log *log)
{
    if (log) log->count = log->event_count = log->substep = 0, log->dropped = 0;
}

pliant_code pliant_contact_log_copy(pliant_contact_log *to, const pliant_contact_log *from)
{
    if (!to || !from || to->model->header->hash != from->model->header->hash || to->capacity != from->capacity || to->each != from->each)
        return PLIANT_ERROR_ARGUMENT;
    if (to == from) return PLIANT_OK;
    to->count = from->count;
    to->substep = from->substep;
    to->event_count = from->event_count;
    to->dropped = from->dropped;
    memcpy(to->entries, from->entries, from->count * sizeof *to->entries);
    memcpy(to->events, from->events, from->event_count * sizeof *to->events);
    return PLIANT_OK; /* the table is made anew in each step */
}

bool pliant__is_log_of(const pliant_contact_log *log, const pliant_model *model, pliant_error *error)
{
    return !log || log->model->header->hash == model->header->hash ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the log of contacts is another model's");
}

/* ---- entries ---- */

static uint32_t hash_place(const pliant_contact_log *l, const uint32_t *key)
{
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < WORDS; i++) h = (h ^ key[i]) * 0xff51afd7ed558ccdu, h ^= h >> 32;
    return (uint32_t)h & (l->places - 1);
}

/* Where a key is in the table, or may be put. */
static uint32_t *find(pliant_contact_log *l, const uint32_t *key)
{
    uint32_t at = hash_place(l, key);
    while (l->table[at] && memcmp(l->entries[l->table[at] - 1].key, key, WORDS * sizeof *key)) at = (at + 1) & (l->places - 1);
    return &l->table[at];
}

static entry *take(pliant_contact_log *l, const uint32_t *key)
{
    uint32_t *place = find(l, key);
    if (*place) return &l->entries[*place - 1];
    if (l->count == l->capacity) {
        l->dropped++;
        return NULL;
    }
    entry *e = &l->entries[l->count++];
    memset(e, 0, sizeof *e);
    memcpy(e->key, key, sizeof e->key);
    *place = l->count;
    return e;
}

/* Of a contact in a substep. */
typedef struct push {
    double force, friction; /* N */
    double point[3], normal[3], speed;
} push;

static void count_push(pliant_contact_log *l, entry *e, const push *p)
{
    if (!e->now || e->substep != l->substep) e->contacts = 0;
    if (!e->now) e->event.contacts = 0, e->event.speed = 0;
    e->now = true;
    e->substep = l->substep;
    e->contacts++;
    if (e->contacts > e->event.contacts) e->event.contacts = e->contacts;
    if (p->speed > (double)e->event.speed) e->event.speed = (pliant_real)p->speed;
    const double weight = fabs(p->force);
    e->force += p->force;
    e->friction += p->friction;
    e->weight += weight;
    for (uint32_t k = 0; k < 3; k++) e->point[k] += weight * p->point[k], e->normal[k] += weight * p->normal[k];
}

/* ---- a step ---- */

void pliant__log_begin(pliant_contact_log *l)
{
    uint32_t kept = 0;
    memset(l->table, 0, l->places * sizeof *l->table);
    for (uint32_t i = 0; i < l->count; i++) {
        if (!l->entries[i].now) continue;
        entry *e = &l->entries[kept++];
        if (e != &l->entries[i]) *e = l->entries[i];
        e->before = true;
        e->now = false;
        e->force = e->friction = e->weight = 0;
        memset(e->point, 0, sizeof e->point);
        memset(e->normal, 0, sizeof e->normal);
        *find(l, e->key) = kept;
    }
    l->count = kept;
    l->substep = 0;
    l->dropped = 0;
}

static void widen(pliant_vec3 a, double sign, double out[3])
{
    out[0] = sign * (double)a.x, out[1] = sign * (double)a.y, out[2] = sign * (double)a.z;
}

/* The number of the body that a slot is of. */
static uint32_t body_of(const pliant_model *m, uint32_t slot) { return m->body_of_id[pliant__model_particle(m, slot).body.id - 1]; }

static void log_touch(pliant_contact_log *l, const pliant_solver *s, uint32_t body, const pliant__touch *t)
{
    const pliant_model *m = s->model;
    const double        per_newton = (double)pliant__free_w_of(s->state)[t->slot] * s->h * s->h;
    uint32_t            key[WORDS] = {body, (uint32_t)model_count(m, bodies) + t->collider};
    if (!pliant__touch_acts(t) || !(per_newton > 0)) return;
    if (l->each) key[3] = key[4] = key[5] = key[6] = t->slot;
    entry *e = take(l, key);
    push   p = {
          .force = (double)t->lambda / per_newton, .friction = (double)v3_length(t->friction) / per_newton, .speed = -(double)t->approach};
    widen(t->point, 1, p.point);
    widen(t->normal, 1, p.normal);
    if (!e) return;
    count_push(l, e, &p);
    e->event.bodies[0].id = m->bodies[body].id;
    e->event.collider.id = m->colliders[t->collider].id;
    if (l->each) e->event.particles[0] = pliant__model_particle(m, t->slot);
}

static void log_pair(pliant_contact_log *l, const pliant_solver *s, const pliant__pair_contact *c)
{
    const pliant_model *m = s->model;
    const uint32_t      a = body_of(m, c->slot[0]), b = body_of(m, c->slot[c->sides]);
    uint32_t            key[WORDS] = {a < b ? a : b, a < b ? b : a};
    if (l->each) {
        key[2] = c->sides;
        memcpy(key + 3, c->slot, sizeof c->slot);
    }
    entry       *e = take(l, key);
    const double square = s->h * s->h;
    push         p = {.force = (double)c->lambda / square, .friction = (double)c->friction / square, .speed = -(double)c->approach};
    widen(c->point, 1, p.point);
    widen(c->normal, a <= b ? 1 : -1, p.normal);
    if (!e) return;
    count_push(l, e, &p);
    e->event.bodies[0].id = m->bodies[key[0]].id;
    e->event.bodies[1].id = m->bodies[key[1]].id;
    for (uint32_t k = 0; k < 4 && l->each; k++)
        e->event.particles[k] = c->weight[k] == 0 ? (pliant_particle){{0}, 0} : pliant__model_particle(m, c->slot[k]);
}

void pliant__stage_log(pliant_solver *s)
{
    pliant_contact_log *l = s->def.contacts;
    l->substep++;
    for (uint32_t i = 0, lanes = pliant__count_row_lanes(s); i < lanes; i++) {
        pliant__pair_contact contact;
        if (pliant__read_row(s, i, &contact)) log_pair(l, s, &contact);
    }
    for (size_t i = 0; model_count(s->model, colliders) && i < model_count(s->model, chunks); i++)
        for (uint32_t k = 0; k < s->chunks[i].touch_count; k++)
            log_touch(l, s, s->model->chunks[i].body, &s->contacts->touches[s->chunks[i].first_touch + k]);
}

/* ---- the list ---- */

static bool is_below(const pliant_contact_log *l, uint32_t i, uint32_t j)
{
    const uint32_t *a = l->entries[i].key, *b = l->entries[j].key;
    uint32_t        k = 0;
    while (k + 1 < WORDS && a[k] == b[k]) k++;
    return a[k] < b[k];
}

static void sink(pliant_contact_log *l, uint32_t i, uint32_t count)
{
    uint32_t *order = l->order;
    for (uint32_t child = 2 * i + 1; child < count; i = child, child = 2 * i + 1) {
        if (child + 1 < count && is_below(l, order[child], order[child + 1])) child++;
        if (!is_below(l, order[i], order[child])) return;
        const uint32_t was = order[i];
        order[i] = order[child];
        order[child] = was;
    }
}

/* Heap sort: keys differ, so there is one order. */
static void sort_entries(pliant_contact_log *l)
{
    for (uint32_t i = 0; i < l->count; i++) l->order[i] = i;
    for (uint32_t i = l->count / 2; i > 0; i--) sink(l, i - 1, l->count);
    for (uint32_t left = l->count; left > 1; left--) {
        const uint32_t highest = l->order[0];
        l->order[0] = l->order[left - 1];
        l->order[left - 1] = highest;
        sink(l, 0, left - 1);
    }
}

static void finish_event(entry *e, uint32_t substeps)
{
    pliant_contact_event *v = &e->event;
    v->change = !e->now ? PLIANT_CONTACT_ENDS : e->before ? PLIANT_CONTACT_PERSISTS : PLIANT_CONTACT_BEGINS;
    v->force = (pliant_real)(e->force / substeps);
    v->friction = (pliant_real)(e->friction / substeps);
    if (!e->now) {
        v->contacts = 0;
        v->speed = 0;
        return;
    }
    const double n[3] = {e->normal[0], e->normal[1], e->normal[2]}, length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const double by = length > 1e-6 * e->weight ? 1 / length : 0, to = 1 / e->weight;
    v->normal = v3((pliant_real)(n[0] * by), (pliant_real)(n[1] * by), (pliant_real)(n[2] * by));
    v->point = v3((pliant_real)(e->point[0] * to), (pliant_real)(e->point[1] * to), (pliant_real)(e->point[2] * to));
}

void pliant__log_nothing(pliant_contact_log *l) { l->event_count = 0; }

void pliant__log_end(pliant_contact_log *l, uint32_t substeps)
{
    sort_entries(l);
    for (uint32_t i = 0; i < l->count; i++) {
        entry *e = &l->entries[l->order[i]];
        finish_event(e, substeps);
        l->events[i] = e->event;
    }
    l->event_count = l->count;
}

uint32_t pliant_contact_log_events(const pliant_contact_log *log, const pliant_contact_event **events)
{
    if (events) *events = log ? log->events : NULL;
    return log ? log->event_count : 0;
}

uint64_t pliant_contact_log_dropped(const pliant_contact_log *log) { return log ? log->dropped : 0; }
