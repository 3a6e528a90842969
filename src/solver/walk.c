/* Walks over patches, of which sweeps of methods are made: every row projected, or gathered, patch by patch and round by round. */
#include "solver/walk.h"

#include "solver/method.h"
#include "solver/off.h"
#include "solver/patch_schedule.h"
#include "solver/pieces.h"
#include "solver/profile.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "solver/tasks.h"
#include "state/state.h"

#include <assert.h>
#include <string.h>

/* ---- walks ---- */

static void patch_task(void *solver, uint32_t index)
{
    pliant_solver *s = solver;
    pliant_span    span;
    pliant__open_patch(s, s->round, s->first_patch + index, &span);
    s->patch_task(s, s->first_patch + index);
    pliant__close(s, &span);
}

/* Whether rows of patches, solved so many times, are as much work as `least`; a row of two particles is two. */
static bool have_work(const pliant_solver *s, uint32_t first, uint32_t count, uint32_t times, uint64_t least)
{
    uint64_t work = 0;
    for (uint32_t i = first; i < first + count && work < least; i++) {
        const pliant__patch *p = &s->model->patches[i];
        for (uint32_t k = p->first_batch; k < p->first_batch + p->batch_count && work < least; k++) {
            const pliant__batch *b = &s->model->batches[k];
            const uint32_t       slots = pliant_constraint_describe((pliant_constraint_kind)b->kind)->slots;
            work += (uint64_t)b->count * slots * slots / 2 * times;
        }
    }
    return work >= least;
}

void pliant__walk_round(pliant_solver *s, uint32_t number, void (*task)(pliant_solver *s, uint32_t patch), uint32_t substeps)
{
    const pliant__round *round = &s->model->rounds[number];
    s->patch_task = task;
    s->round = number;
    s->first_patch = round->first_patch;
    const uint64_t least = s->least_work * (substeps ? PLIANT__ONCE_WORK : 1);
    const bool     much = have_work(s, round->first_patch, round->patch_count, substeps ? substeps : 1, least);
    pliant__hand_out_counted(s, patch_task, round->patch_count, much ? UINT64_MAX : 0);
}

/* What a thread does in a walk. */
static void schedule_tasks(void *solver, uint32_t index)
{
    pliant_solver    *s = solver;
    pliant__schedule *f = &s->schedule;
    (void)index;
    for (uint32_t task = pliant__schedule_take(f); task < f->task_count; task = pliant__schedule_take(f)) {
        pliant__schedule_wait(f, task);
        s->schedule_task(s, &f->tasks[task]);
        pliant__schedule_done(f, task);
    }
}

void pliant__walk_schedule(pliant_solver *s, void (*task)(pliant_solver *s, const pliant__schedule_task *task))
{
    const uint32_t ranges = s->model->rounds[0].patch_count;
    s->schedule_task = task;
    pliant__schedule_begin(&s->schedule);
    const bool     much = have_work(s, 0, (uint32_t)model_count(s->model, patches), 1, s->least_work);
    const uint32_t most = much ? s->backend.threads : 1;
    pliant__hand_out(s, schedule_tasks, most < ranges ? most : ranges ? ranges : 1);
}

void pliant__walk_patches(pliant_solver *s, void (*task)(pliant_solver *s, uint32_t patch))
{
    for (uint32_t r = 0; r < model_count(s->model, rounds); r++) pliant__walk_round(s, r, task, 0);
}

static const pliant__kernels *kernels_for(const pliant_solver *s, const pliant__batch *b)
{
    return b->serial ? s->backend.serial : s->backend.kernels;
}

/* How many batches a kernel may project at once: all members of clusters where none is damped, else one. It makes no difference to the
 * result. */
static uint32_t project_at_once(const pliant__sweep *sweep, const pliant__batch *b)
{
    const uint32_t members = b->member ? 0 : pliant__shapes[b->shape].members;
    if (!members) return 1;
    for (uint32_t i = 0; i < members; i++)
        if (sweep->laws[b[i].law].damped) return 1;
    return members;
}

/* A tile strip by strip. */
static void project_block_runs(const pliant_solver *s, const pliant__patch *p, const pliant__sweep *sweep)
{
    const pliant__block_run *block_runs = s->model->block_runs + p->first_block_run;
    for (uint32_t i = 0, end; i < p->block_run_count; i = end) {
        const pliant__batch        *b = &s->model->batches[block_runs[i].batch];
        const pliant__kind_kernels *kernels = s->backend.kernels->kinds[b->kind];
        end = i + 1;
        if (kernels->project_block_runs) {
            while (end < p->block_run_count && s->model->batches[block_runs[end].batch].kind == b->kind) end++;
            kernels->project_block_runs(sweep, block_runs + i, end - i);
        } else
            kernels->project(sweep, b, block_runs[i].first, block_runs[i].count);
    }
}

static void project_batch(const pliant_solver *s, const pliant__sweep *sweep, const pliant__batch *b, uint32_t members)
{
    if (members > 1)
        s->backend.kernels->project_clusters(sweep, b);
    else
        kernels_for(s, b)->kinds[b->kind]->project(sweep, b, 0, pliant__blocks(b));
}

void pliant__project_patch(const pliant_solver *s, uint32_t patch, const pliant__sweep *sweep)
{
    const pliant__patch *p = &s->model->patches[patch];
    const uint8_t        off = s->off.any ? s->off.patches[patch] : PLIANT__NONE_OFF;
    if (off == PLIANT__ALL_OFF) return;
    if (p->block_run_count && sweep->lanes) {
        project_block_runs(s, p, sweep);
        return;
    }
    for (uint32_t i = p->first_batch, members; i < p->first_batch + p->batch_count; i += members) {
        const pliant__batch *b = &s->model->batches[i];
        members = project_at_once(sweep, b);
        if (off == PLIANT__SOME_OFF)
            pliant__for_live_blocks(s, sweep, b, members, project_batch);
        else
            project_batch(s, sweep, b, members);
    }
}

/* Whether lanes can project all batches of a tile: none is damped. */
static bool lanes_suffice(const pliant_solver *s, const pliant__patch *p)
{
    bool suffice = p->groups > 0;
    for (uint32_t i = p->first_batch; i < p->first_batch + p->batch_count && suffice; i++)
        suffice = !s->sweep.laws[s->model->batches[i].law].damped;
    return suffice;
}

static void project_patch(pliant_solver *s, uint32_t patch)
{
    const pliant__patch *p = &s->model->patches[patch];
    if (s->off.any && s->off.patches[patch] == PLIANT__ALL_OFF) return;
    if (!lanes_suffice(s, p)) {
        pliant__project_patch(s, patch, &s->sweep);
        return;
    }
    pliant__sweep  sweep = s->sweep;
    const uint32_t piece = pliant__take_scratch(s, &sweep.lanes);
    s->backend.kernels->load_tile(sweep.lanes, PLIANT__SLOT(s->state->x, p->first_slot), p);
    pliant__project_patch(s, patch, &sweep);
    s->backend.kernels->store_tile(sweep.lanes, PLIANT__SLOT(s->state->x, p->first_slot), p);
    pliant__give_scratch(s, piece);
}

static void gather_batch(const pliant_solver *s, const pliant__sweep *sweep, const pliant__batch *b, uint32_t members)
{
    (void)members;
    kernels_for(s, b)->kinds[b->kind]->gather(sweep, b, 0, pliant__blocks(b));
}

static void gather_patch(pliant_solver *s, uint32_t patch)
{
    const pliant__patch *p = &s->model->patches[patch];
    const uint8_t        off = s->off.any ? s->off.patches[patch] : PLIANT__NONE_OFF;
    for (uint32_t i = p->first_batch; i < p->first_batch + p->batch_count; i++) {
        const pliant__batch *b = &s->model->batches[i];
        if (off != PLIANT__NONE_OFF)
            pliant__for_live_blocks(s, &s->sweep, b, 1, gather_batch);
        else
            gather_batch(s, &s->sweep, b, 1);
    }
}

void pliant__project_patches(pliant_solver *s)
{
    if (!s->part) {
        pliant__walk_patches(s, project_patch);
        return;
    }
    for (uint32_t i = 0; i < s->part->patch_count; i++) project_patch(s, s->part->patches[i]);
}

void pliant__project_list(pliant_solver *s, uint32_t patch) { pliant__project_patch(s, patch, &s->sweep); }

void pliant__walk_gathering(pliant_solver *s, enum pliant__gathering gathering)
{
    assert(s->sum);
    s->sweep.gathering = gathering;
    pliant__walk_patches(s, gather_patch);
}
