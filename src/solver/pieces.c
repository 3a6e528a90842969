/* Pieces of scratch memory: each task takes one while it has a patch, or a group of states, in it, and gives it back. */
#include "solver/pieces.h"

#include "base/alloc.h"
#include "solver/patch_schedule.h"
#include "solver/solver.h"
#include "solver/sweep.h"

#include <stdatomic.h>
#include <stdint.h>

#define MOST_VIEWED (PLIANT__PATCH / 2) /* slots: 16 states of a larger model are in no cache */

bool pliant__has_lane_views(const pliant_model *m)
{
    return (model_count(m, colliders) || model_count(m, targets)) && !model_count(m, skins) && !model_count(m, groups) &&
           !model_count(m, stitches) && m->header->slot_count <= MOST_VIEWED && model_count(m, colliders) <= PLIANT__VIEWED_COLLIDERS;
}

uint64_t pliant__lane_states_bytes(const pliant_model *m)
{
    const uint64_t arrays = PLIANT__WHOLE_PARTS + (pliant__has_lane_views(m) ? PLIANT__VIEWED_PARTS : 0);
    return arrays * m->header->slot_count * 4 * PLIANT__BLOCK * sizeof(pliant_real) +
           (uint64_t)model_count(m, bodies) * sizeof(pliant__lane_motion) +
           (pliant__has_lane_views(m) ? (uint64_t)model_count(m, targets) * sizeof(pliant__target_way) : 0);
}

/* Memory for steps that are one walk over the patches is made for such models only; whether a step is one, STEP_WAYS of solver/ways.h says. */
bool pliant__is_closed(const pliant_model *m)
{
    return model_count(m, rounds) == 1 && !model_count(m, targets) && !model_count(m, skins) && !model_count(m, colliders) &&
           !model_count(m, users) && !model_count(m, groups) && !model_count(m, stitches);
}

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
    const uint64_t many = s->def.many ? pliant__lane_states_bytes(m) : 0;
    if (many > SIZE_MAX / 2) return false; /* a machine of 32 bits */
    if (many > s->scratch.bytes) s->scratch.bytes = ((size_t)many + PLIANT_ALIGN - 1) / PLIANT_ALIGN * PLIANT_ALIGN;
    s->scratch.memory = pliant__alloc_untouched(&s->allocator, s->scratch.count, s->scratch.bytes);
    s->watches = pliant__alloc_array(&s->allocator, model_count(m, patches) + m->rounds[0].patch_count, sizeof *s->watches);
    s->late_start = pliant__alloc_array(&s->allocator, model_count(m, later_slots), 4 * sizeof *s->late_start);
    atomic_init(&s->scratch.taken, 0);
    return s->scratch.memory && s->watches && s->late_start && pliant__schedule_create(&s->allocator, m, s->backend.threads, &s->schedule);
}

/* A piece that no other task has. There are as many as threads; of a host with more than 64 some wait for others, which never wait. */
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
