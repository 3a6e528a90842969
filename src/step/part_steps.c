/* A whole step part by part, where parts of the model share no constraint, and their particles meet nothing but colliders, which go by the clock alone: each
 * part goes through all stages of all substeps before the next one begins. What it needs, its positions and velocities, its rows and its contacts, then stays
 * in a core's own caches, and memory is touched once a step instead of several times a substep; threads take parts and meet once.
 *
 * Stages are those of the table, with s->part set. A thread has a solver of its own for that, a copy that shares all arrays with the one that steps, since no two
 * parts have a slot, a chunk or a row in common; but colliders, which parts in different substeps find at different places, are its own: it leads those that a
 * part meets as it meets them (contact/touches.c). So the result is the same to the bit. Where a speed runs away the step begins again, substep by substep, so that
 * the guard sees what it always sees. */
#include "base/alloc.h"
#include "contact/contacts.h"
#include "solver/guard.h"
#include "solver/parts.h"
#include "solver/pieces.h"
#include "solver/profile.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/state.h"
#include "step/forces.h"
#include "step/kinematic.h"
#include "step/step.h"

#include <stdatomic.h>
#include <string.h>

#define HOSTS_VIEWS 16u /* as many parts at once, of a host with any number of threads */

/* A solver of one part at a time, and what it does not share. */
typedef struct part_view {
    pliant_solver           solver;
    struct pliant__contacts contacts;
    pliant__collider_now   *colliders;
    pliant__collider_seen  *seen; /* NULL: as in contacts.h */
    uint32_t               *led;  /* pliant__contacts.led */
} part_view;

struct pliant__part_views {
    part_view       *data;
    uint32_t         count;
    _Atomic uint32_t next; /* part to be taken */
    _Atomic bool     bad;  /* in some part a speed ran away */
};

/* ---- making ---- */

/* Threads must not wait for one that has a large part, and what stays in no cache gains nothing. */
static bool is_worth_it(const pliant_solver *s, uint32_t views)
{
    const pliant_model *m = s->model;
    return s->parts.count > 1 && s->parts.largest <= PLIANT__PATCH && 2 * (uint64_t)s->parts.largest * views <= m->header->particle_count;
}

static bool make_view(const pliant_solver *s, part_view *v)
{
    const pliant_allocator *a = &s->allocator;
    const size_t            colliders = model_count(s->model, colliders);
    v->colliders = pliant__alloc_untouched(a, colliders, sizeof *v->colliders);
    v->led = pliant__alloc_untouched(a, colliders, sizeof *v->led);
    if (pliant__sees_colliders(s->model)) v->seen = pliant__alloc_untouched(a, colliders, sizeof *v->seen);
    return v->colliders && v->led && (v->seen || !pliant__sees_colliders(s->model));
}

bool pliant__make_part_views(pliant_solver *s)
{
    const pliant_allocator *a = &s->allocator;
    const uint32_t          views = s->def.tasks.enqueue ? HOSTS_VIEWS : s->backend.threads;
    if (!model_count(s->model, colliders)) return true; /* walks over the patches do as well, or better */
    if (!pliant__parts_create(a, s->model, &s->parts)) return false;
    if (!is_worth_it(s, views)) return true;
    s->part_views = pliant__alloc(a, sizeof *s->part_views);
    if (!s->part_views) return false;
    s->part_views->data = pliant__alloc_array(a, views, sizeof *s->part_views->data);
    bool made = s->part_views->data != NULL;
    for (; made && s->part_views->count < views; s->part_views->count++) made = make_view(s, &s->part_views->data[s->part_views->count]);
    return made;
}

void pliant__free_part_views(pliant_solver *s)
{
    const pliant_allocator *a = &s->allocator;
    pliant__parts_destroy(a, &s->parts);
    for (uint32_t i = 0; s->part_views && i < s->part_views->count; i++) {
        const part_view *v = &s->part_views->data[i];
        void            *own[] = {v->colliders, v->seen, v->led};
        for (size_t k = 0; k < sizeof own / sizeof *own; k++) pliant__free(a, own[k]);
    }
    if (s->part_views) pliant__free(a, s->part_views->data);
    pliant__free(a, s->part_views);
}

/* ---- a part ---- */

static void keep(const pliant_solver *s, uint32_t first, uint32_t count)
{
    const size_t at = pliant__slot_numbers(first), bytes = pliant__slot_numbers(count) * sizeof *s->start_x;
    memcpy(s->start_x + at, s->state->x + at, bytes);
    memcpy(s->start_v + at, s->state->v + at, bytes);
}

static bool is_bad(const pliant_solver *s, const pliant__patch *p)
{
    for (uint32_t i = p->first_chunk; i < p->first_chunk + p->chunk_count; i++)
        if (s->chunks[i].bad != PLIANT__NONE) return true;
    return false;
}

/* False if a speed ran away. */
static bool step_part(pliant_solver *s, const pliant__model_part *part)
{
    const pliant__patch *patches = s->model->patches;
    bool                 bad = false;
    s->part = part;
    for (uint32_t i = 0; i < part->range_count; i++) keep(s, patches[part->patches[i]].first_slot, patches[part->patches[i]].slot_count);
    for (s->substep = 0; s->substep < s->substeps && !bad; s->substep++) {
        pliant__run_stages(s);
        for (uint32_t i = 0; i < part->range_count && !bad; i++) bad = is_bad(s, &patches[part->patches[i]]);
    }
    return !bad;
}

/* ---- threads ---- */

/* Copies what steps; before threads take parts. */
static void begin_view(const pliant_solver *s, part_view *v)
{
    v->solver = *s;
    v->contacts = *s->contacts;
    v->solver.contacts = &v->contacts;
    v->solver.colliders = v->colliders;
    memset(&v->solver.def.profile, 0, sizeof v->solver.def.profile);
    memset(v->solver.seconds, 0, sizeof v->solver.seconds);
    v->contacts.seen = v->seen;
    v->contacts.led = v->led;
    v->contacts.turn = 0;
}

static void take_parts(void *solver, uint32_t index)
{
    pliant_solver             *s = solver;
    struct pliant__part_views *views = s->part_views;
    part_view                 *v = &views->data[index];
    const size_t               colliders = model_count(s->model, colliders);
    pliant_real               *local;
    const uint32_t             piece = pliant__take_scratch(s, &local);
    v->solver.scratch.memory = (unsigned char *)local;
    v->solver.scratch.count = 1;
    atomic_init(&v->solver.scratch.taken, 0);
    memcpy(v->colliders, s->colliders, colliders * sizeof *v->colliders);
    memset(v->led, 0, colliders * sizeof *v->led);
    for (uint32_t i = atomic_fetch_add(&views->next, 1); i < s->parts.count; i = atomic_fetch_add(&views->next, 1)) {
        pliant_span span;
        pliant__open_patch(s, 0, s->parts.data[i].patches[0], &span);
        if (!step_part(&v->solver, &s->parts.data[i])) atomic_store(&views->bad, true);
        pliant__close(s, &span);
    }
    pliant__give_scratch(s, piece);
}

bool pliant__step_by_parts(pliant_solver *s)
{
    struct pliant__part_views *views = s->part_views;
    const pliant_model        *m = s->model;
    const size_t               numbers = pliant__slot_numbers(m->header->slot_count);
    const uint64_t             work = s->substeps * pliant__work_of_particles(s, PLIANT__STEP_WORK);
    const bool                 little = work < s->least_work * PLIANT__ONCE_WORK;
    const uint32_t             most = little ? 1 : views->count, count = most < s->parts.count ? most : s->parts.count;
    keep(s, m->header->particle_count, m->header->slot_count - m->header->particle_count);
    pliant__ready_motion(s);
    atomic_store(&views->next, 0);
    atomic_store(&views->bad, false);
    for (uint32_t i = 0; i < count; i++) begin_view(s, &views->data[i]);
    pliant__hand_out(s, take_parts, count);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < PLIANT__STEP_CALLS; k++) s->seconds[k] += views->data[i].solver.seconds[k];
    if (atomic_load(&views->bad)) {
        memcpy(s->state->x, s->start_x, numbers * sizeof *s->start_x);
        memcpy(s->state->v, s->start_v, numbers * sizeof *s->start_v);
        memcpy(s->start, s->start_x, numbers * sizeof *s->start_x);
        return false;
    }
    pliant__end_colliders(s);
    pliant__stage_guard(s);
    return true;
}
