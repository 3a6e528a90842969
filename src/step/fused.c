/* A substep in one walk over the patches, where nothing looks at particles between its stages: a patch's particles are moved on into a piece
 * of scratch that stays in the nearest cache, their constraints are solved there, and what comes out is written back with its velocity. Particles
 * that later rounds move too get theirs in the end. All arithmetic is that of the stages taken one after another, so the result is the same
 * to the bit; what is saved is memory: x and v are read twice and written once in a substep, instead of read seven times and written four. */
#include "step/solver.h"

#include "base/alloc.h"
#include "step/fields.h"
#include "step/methods/method.h"
#include "step/stages.h"

#include <stdatomic.h>
#include <string.h>

/* Whether something looks at velocities between forces and prediction: then forces are a stage of their own. */
bool pliant__are_velocities_seen(const pliant_model *m)
{
    return pliant__is_damped(m) || model_count(m, corner_first) || pliant__has_local_pull(m);
}

/* Whether rows of tiles need to know where their particles began, which lanes do not have. */
static bool tiles_are_damped(const pliant_solver *s)
{
    const pliant_model *m = s->model;
    bool                tiles = false, damped = false;
    for (uint32_t i = 0; i < m->rounds[0].patch_count && !tiles; i++) tiles = m->patches[i].groups > 0;
    for (size_t i = 0; i < model_count(m, laws) && tiles && !damped; i++)
        damped = s->laws[i].damped && !(m->laws[i].compliance > 0 && m->laws[i].damping > 0); /* else it has no regular rows */
    return damped;
}

void pliant__note_damped_laws(pliant_solver *s)
{
    s->wants_start = s->damped;
    for (size_t i = 0; i < model_count(s->model, laws); i++) s->wants_start = s->wants_start || s->laws[i].damped;
}

bool pliant__walks_once(const pliant_solver *s)
{
    return s->iterations == 1 && s->how->walks_once && !s->keep_lambda && !s->predicted && !s->def.trace && !tiles_are_damped(s);
}

/* ---- scratch ---- */

bool pliant__make_scratch(pliant_solver *s)
{
    const pliant_model *m = s->model;
    uint32_t            most = 0;
    for (uint32_t i = 0; i < m->rounds[0].patch_count; i++) {
        const uint32_t groups = PLIANT__BLOCK * (m->patches[i].groups + 1); /* lanes that are read from further on may be past the last */
        most = m->patches[i].slot_count > most ? m->patches[i].slot_count : most;
        most = m->patches[i].groups && groups > most ? groups : most;
    }
    s->scratch.count = s->def.tasks.enqueue ? 64 : s->backend.threads; /* a host's tasks may run on any number of threads */
    s->scratch.bytes = ((size_t)most * 4 * sizeof(pliant_real) + PLIANT_ALIGN - 1) / PLIANT_ALIGN * PLIANT_ALIGN + PLIANT_ALIGN;
    if (pliant__is_closed(m)) s->scratch.bytes *= PLIANT__WHOLE_PARTS;
    const uint64_t many = s->def.many ? pliant__many_bytes(m) : 0;
    if (many > SIZE_MAX / 2) return false; /* a machine of 32 bits */
    if (many > s->scratch.bytes) s->scratch.bytes = ((size_t)many + PLIANT_ALIGN - 1) / PLIANT_ALIGN * PLIANT_ALIGN;
    s->scratch.memory = pliant__alloc_untouched(&s->allocator, s->scratch.count, s->scratch.bytes);
    s->watches = pliant__alloc_array(&s->allocator, model_count(m, patches) + m->rounds[0].patch_count, sizeof *s->watches);
    s->begun = pliant__alloc_array(&s->allocator, model_count(m, later_slots), 4 * sizeof *s->begun);
    atomic_init(&s->scratch.taken, 0);
    return s->scratch.memory && s->watches && s->begun && pliant__flow_create(&s->allocator, m, s->backend.threads, &s->flow);
}

/* A piece that nobody else has. There are as many as threads; of a host with more than 64 some wait for others, which never wait. */
uint32_t pliant__take_scratch(pliant_solver *s, pliant_real **piece)
{
    pliant__scratch *scratch = &s->scratch;
    uint64_t         taken = atomic_load_explicit(&scratch->taken, memory_order_relaxed);
    for (uint32_t i = 0;; i = (i + 1) % scratch->count) {
        const uint64_t bit = (uint64_t)1 << i;
        if (taken & bit) {
            if (i + 1 == scratch->count) taken = atomic_load_explicit(&scratch->taken, memory_order_relaxed);
            continue;
        }
        taken = atomic_fetch_or_explicit(&scratch->taken, bit, memory_order_acquire);
        if (taken & bit) continue;
        *piece = (pliant_real *)(void *)(scratch->memory + i * scratch->bytes);
        return i;
    }
}

void pliant__give_scratch(pliant_solver *s, uint32_t piece)
{
    atomic_fetch_and_explicit(&s->scratch.taken, ~((uint64_t)1 << piece), memory_order_release);
}

/* ---- a patch ---- */

/* Where later slots of a range began. */
static pliant_real *begun_of(const pliant_solver *s, uint32_t range) { return s->begun + 4 * (size_t)s->flow.first_late[range]; }

static void solve_tile(pliant_solver *s, uint32_t number, pliant_real *local, pliant__watch *watch)
{
    const pliant_model   *m = s->model;
    const pliant__patch  *p = &m->patches[number];
    const pliant__motion *motion = &s->motion[m->chunks[p->first_chunk].body];
    const size_t          at = 4 * (size_t)p->first_slot;
    pliant_real          *begun = begun_of(s, number);
    pliant__sweep         sweep = s->sweep;
    sweep.lanes = local;
    s->backend.kernels->enter_tile(local, s->state->x + at, s->state->v + at, p, motion);
    pliant__project_patch(s, number, &sweep);
    s->backend.kernels->leave_tile(local, s->state->x + at, s->state->v + at, &begun, m->later, p, motion, watch);
}

/* How many slots of a chunk lists move, too. */
static uint32_t later_of(const pliant_solver *s, uint32_t range, const pliant__chunk *c)
{
    uint32_t count = 0;
    if (s->flow.first_late[range] == s->flow.first_late[range + 1]) return 0;
    for (uint32_t i = c->first; i < c->first + c->count; i++) count += s->model->later[i / 8] >> i % 8 & 1;
    return count;
}

/* A chunk of a body that is off, in a range of several bodies: blocks may have rows of others beside its own, which are passed over but read. */
static void lie_still(const pliant_solver *s, uint32_t range, const pliant__chunk *c, pliant_real *local)
{
    if (s->patch_off[range] != PLIANT__ALL_OFF) memcpy(local, s->state->x + 4 * (size_t)c->first, 4 * (size_t)c->count * sizeof *local);
}

static void solve_range(pliant_solver *s, uint32_t number)
{
    const pliant_model    *m = s->model;
    const pliant__patch   *p = &m->patches[number];
    const pliant__kernels *k = s->backend.kernels;
    pliant_real           *local;
    const uint32_t         piece = pliant__take_scratch(s, &local);
    pliant__sweep          sweep = s->sweep;
    pliant__watch         *watch = &s->watches[number];
    *watch = (pliant__watch){0, false};
    if (p->groups && s->off[m->chunks[p->first_chunk].body]) { /* a tile is of one body */
        pliant__give_scratch(s, piece);
        return;
    }
    for (uint32_t i = p->first_slot; s->wants_start && i < p->first_slot + p->slot_count; i++)
        if (s->state->x[4 * (size_t)i + 3] != 0) memcpy(s->start + 4 * (size_t)i, s->state->x + 4 * (size_t)i, 4 * sizeof *s->start);
    if (p->groups) {
        solve_tile(s, number, local, watch);
        pliant__give_scratch(s, piece);
        return;
    }
    sweep.x = local;
    sweep.start = s->wants_start ? s->start + 4 * (size_t)p->first_slot : NULL;
    sweep.origin = p->first_slot;
    for (uint32_t i = p->first_chunk; i < p->first_chunk + p->chunk_count; i++) {
        const pliant__chunk *c = &m->chunks[i];
        const size_t         at = 4 * (size_t)c->first;
        if (s->off[c->body]) {
            lie_still(s, number, c, local + 4 * (size_t)(c->first - p->first_slot));
            continue;
        }
        k->enter(local + 4 * (size_t)(c->first - p->first_slot), s->state->x + at, s->state->v + at, c->count, &s->motion[c->body]);
    }
    pliant__project_patch(s, number, &sweep);
    pliant_real *begun = begun_of(s, number);
    for (uint32_t i = p->first_chunk; i < p->first_chunk + p->chunk_count; i++) {
        const pliant__chunk *c = &m->chunks[i];
        const size_t         at = 4 * (size_t)c->first;
        if (s->off[c->body]) {
            begun += 4 * (size_t)later_of(s, number, c);
            continue;
        }
        k->leave(local + 4 * (size_t)(c->first - p->first_slot), s->state->x + at, s->state->v + at, &begun, m->later, c->first, c->count,
                 &s->motion[c->body], watch);
    }
    pliant__give_scratch(s, piece);
}

void pliant__fused_forces(pliant_solver *s)
{
    if (!pliant__are_velocities_seen(s->model)) return;
    pliant__apply_forces(s);
    for (size_t b = 0; b < model_count(s->model, bodies); b++) { /* v <- 1 v + (-0) is v, to the sign of a zero */
        s->motion[b].keep = 1;
        s->motion[b].dv = v3(-(pliant_real)0, -(pliant_real)0, -(pliant_real)0);
    }
}

/* ---- all of them ---- */

/* Velocities of what lists have moved for the last time. */
static void end_late(pliant_solver *s, uint32_t range)
{
    const pliant_model *m = s->model;
    const uint32_t      first = s->flow.first_late[range], count = s->flow.first_late[range + 1] - first;
    pliant__watch      *watch = &s->watches[model_count(m, patches) + range];
    *watch = (pliant__watch){0, false};
    s->backend.kernels->late(s->state->x, s->begun + 4 * (size_t)first, s->state->v, m->later_slots + first, count, &s->motion[0],
                             watch); /* h is every body's */
}

static void late_task(void *solver, uint32_t index) { end_late(solver, index); }

static void flow_task(pliant_solver *s, const pliant__flow_task *task)
{
    pliant_span span;
    if (task->late) {
        end_late(s, task->patch);
        return;
    }
    pliant__open_patch(s, task->round, task->patch, &span);
    if (task->round)
        pliant__project_list(s, task->patch);
    else
        solve_range(s, task->patch);
    pliant__close(s, &span);
}

void pliant__walk_fused(pliant_solver *s)
{
    if (pliant__flows(s)) {
        pliant__walk_flow(s, flow_task);
        return;
    }
    pliant__walk_round(s, 0, solve_range);
    for (uint32_t r = 1; r < model_count(s->model, rounds); r++) pliant__walk_round(s, r, pliant__project_list);
    pliant__run(s, late_task, s->model->rounds[0].patch_count);
}

bool pliant__fused_guard(pliant_solver *s)
{
    const pliant_model *m = s->model;
    const uint32_t      ranges = m->rounds[0].patch_count;
    pliant_real         largest = 0;
    for (size_t i = 0; i < model_count(m, patches) + ranges; i++) {
        if (i >= ranges && i < model_count(m, patches)) continue; /* lists see no velocities */
        if (s->watches[i].bad) return false;
        if (s->watches[i].largest2 > largest) largest = s->watches[i].largest2;
    }
    s->statistics.max_speed = r_sqrt(largest);
    return true;
}
