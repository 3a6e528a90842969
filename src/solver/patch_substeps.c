/* A substep in one walk over the patches, where nothing looks at particles between its stages: a patch's particles are moved on into a piece
 * of scratch that stays in the nearest cache, their constraints are solved there, and what comes out is written back with its velocity. Particles
 * that later rounds move too get theirs in the end. All arithmetic is that of the stages taken one after another, so the result is the same
 * to the bit; what is saved is memory: x and v are read twice and written once in a substep, instead of read seven times and written four. */
#include "solver/patch_substeps.h"

#include "solver/patch_schedule.h"
#include "solver/pieces.h"
#include "solver/profile.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "solver/tasks.h"
#include "solver/walk.h"
#include "state/state.h"

#include <stdatomic.h>
#include <string.h>

/* ---- a patch ---- */

/* Where later slots of a range began. */
static pliant_real *late_start_of(const pliant_solver *s, uint32_t range)
{
    return PLIANT__SLOT(s->late_start, s->schedule.first_late[range]);
}

static void solve_tile(pliant_solver *s, uint32_t number, pliant_real *local, pliant__watch *watch)
{
    const pliant_model   *m = s->model;
    const pliant__patch  *p = &m->patches[number];
    const pliant__motion *motion = &s->motion[m->chunks[p->first_chunk].body];
    const size_t          at = pliant__slot_numbers(p->first_slot);
    pliant_real          *late_start = late_start_of(s, number);
    pliant__sweep         sweep = s->sweep;
    sweep.lanes = local;
    s->backend.kernels->enter_tile(local, s->state->x + at, s->state->v + at, p, motion);
    pliant__project_patch(s, number, &sweep);
    s->backend.kernels->leave_tile(local, s->state->x + at, s->state->v + at, &late_start, m->later, p, motion, watch);
}

/* How many slots of a chunk lists move, too. */
static uint32_t later_of(const pliant_solver *s, uint32_t range, const pliant__chunk *c)
{
    uint32_t count = 0;
    if (s->schedule.first_late[range] == s->schedule.first_late[range + 1]) return 0;
    for (uint32_t i = c->first; i < c->first + c->count; i++) count += s->model->later[i / 8] >> i % 8 & 1;
    return count;
}

/* A chunk of a body that is off, in a range of several bodies: blocks may have rows of others beside its own, which are passed over but read. */
static void lie_still(const pliant_solver *s, uint32_t range, const pliant__chunk *c, pliant_real *local)
{
    if (s->off.patches[range] != PLIANT__ALL_OFF)
        memcpy(local, PLIANT__SLOT(s->state->x, c->first), pliant__slot_numbers(c->count) * sizeof *local);
}

/* Puts particles of a range into its piece, moved on. */
static void enter_range(const pliant_solver *s, uint32_t number, pliant_real *local)
{
    const pliant__patch *p = &s->model->patches[number];
    for (uint32_t i = p->first_chunk; i < p->first_chunk + p->chunk_count; i++) {
        const pliant__chunk *c = &s->model->chunks[i];
        const size_t         at = pliant__slot_numbers(c->first);
        pliant_real         *to = PLIANT__SLOT(local, c->first - p->first_slot);
        if (s->off.bodies[c->body])
            lie_still(s, number, c, to);
        else
            s->backend.kernels->enter(to, s->state->x + at, s->state->v + at, c->count, &s->motion[c->body]);
    }
}

/* And out of it, with their velocities. */
static void leave_range(const pliant_solver *s, uint32_t number, const pliant_real *local, pliant__watch *watch)
{
    const pliant__patch *p = &s->model->patches[number];
    pliant_real         *late_start = late_start_of(s, number);
    for (uint32_t i = p->first_chunk; i < p->first_chunk + p->chunk_count; i++) {
        const pliant__chunk *c = &s->model->chunks[i];
        const size_t         at = pliant__slot_numbers(c->first);
        if (s->off.bodies[c->body])
            late_start += pliant__slot_numbers(later_of(s, number, c));
        else
            s->backend.kernels->leave(PLIANT__SLOT(local, c->first - p->first_slot), s->state->x + at, s->state->v + at, &late_start,
                                      s->model->later, c->first, c->count, &s->motion[c->body], watch);
    }
}

static void solve_range(pliant_solver *s, uint32_t number)
{
    const pliant__patch *p = &s->model->patches[number];
    pliant_real         *local;
    const uint32_t       piece = pliant__take_scratch(s, &local);
    pliant__sweep        sweep = s->sweep;
    pliant__watch       *watch = &s->watches[number];
    *watch = (pliant__watch){0, false};
    if (p->groups && s->off.bodies[s->model->chunks[p->first_chunk].body]) { /* a tile is of one body */
        pliant__give_scratch(s, piece);
        return;
    }
    for (uint32_t i = p->first_slot; s->wants_start && i < p->first_slot + p->slot_count; i++)
        if (PLIANT__SLOT(s->state->x, i)[3] != 0) memcpy(PLIANT__SLOT(s->start, i), PLIANT__SLOT(s->state->x, i), 4 * sizeof *s->start);
    if (p->groups) {
        solve_tile(s, number, local, watch);
    } else {
        sweep.x = local;
        sweep.start = s->wants_start ? PLIANT__SLOT(s->start, p->first_slot) : NULL;
        sweep.origin = p->first_slot;
        enter_range(s, number, local);
        pliant__project_patch(s, number, &sweep);
        leave_range(s, number, local, watch);
    }
    pliant__give_scratch(s, piece);
}

/* ---- all of them ---- */

/* Velocities of what lists have moved for the last time. */
static void end_late(pliant_solver *s, uint32_t range)
{
    const pliant_model *m = s->model;
    const uint32_t      first = s->schedule.first_late[range], count = s->schedule.first_late[range + 1] - first;
    pliant__watch      *watch = &s->watches[model_count(m, patches) + range];
    *watch = (pliant__watch){0, false};
    s->backend.kernels->late(s->state->x, PLIANT__SLOT(s->late_start, first), s->state->v, m->later_slots + first, count, &s->motion[0],
                             watch); /* h is every body's */
}

static void late_task(void *solver, uint32_t index) { end_late(solver, index); }

static void schedule_task(pliant_solver *s, const pliant__schedule_task *task)
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

void pliant__walk_substep(pliant_solver *s)
{
    if (pliant__schedules(s)) {
        pliant__walk_schedule(s, schedule_task);
        return;
    }
    pliant__walk_round(s, 0, solve_range, 0);
    for (uint32_t r = 1; r < model_count(s->model, rounds); r++) pliant__walk_round(s, r, pliant__project_list, 0);
    pliant__run(s, late_task, s->model->rounds[0].patch_count);
}
