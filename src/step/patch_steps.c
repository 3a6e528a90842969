/* A whole step in one walk over the patches, where no constraint runs between two of them and nothing looks at particles between substeps: a
 * patch's positions and velocities are copied into scratch once, go through all substeps there, and are copied back. Memory is then touched once a
 * step instead of once a substep, and threads meet once. All arithmetic is that of the stages taken one after another (particles.c, forces.c), so
 * the result is the same to the bit. Where a speed runs away the step begins again, substep by substep, so that the guard sees what it always sees. */
#include "base/clock.h"
#include "solver/method.h"
#include "solver/pieces.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "solver/walk.h"
#include "state/state.h"
#include "step/forces.h"
#include "step/step.h"

#include <string.h>

/* What a patch has in scratch: 4 numbers per slot of a range, or per lane of a tile's groups. */
typedef struct piece {
    pliant_real *x, *v, *predicted, *start;
} piece;

/* Ends a substep, begins the next one, or both. */
static void move_on(const pliant_solver *s, const pliant__patch *p, const piece *at, bool ends, bool begins, pliant__watch *watch)
{
    const pliant_model    *m = s->model;
    const pliant__kernels *k = s->backend.kernels;
    if (p->groups) {
        pliant__lane_motion motion;
        for (uint32_t i = 0; i < PLIANT__BLOCK; i++) pliant__set_lane(&motion, i, &s->motion[m->chunks[p->first_chunk].body]);
        k->move_lanes_on(at->x, at->v, at->predicted, NULL, p->groups, &motion, ends, begins, watch);
        return;
    }
    for (uint32_t i = p->first_chunk; i < p->first_chunk + p->chunk_count; i++) {
        const pliant__chunk *c = &m->chunks[i];
        const size_t         first = pliant__slot_numbers(c->first - p->first_slot);
        k->move_on(at->x + first, at->v + first, at->predicted + first, s->wants_start ? at->start + first : NULL, c->count,
                   &s->motion[c->body], ends, begins, watch);
    }
}

static void copy_in(const pliant_solver *s, const pliant__patch *p, const piece *to)
{
    const size_t at = pliant__slot_numbers(p->first_slot), bytes = pliant__slot_numbers(p->slot_count) * sizeof *to->x;
    if (p->groups) {
        s->backend.kernels->load_tile(to->x, s->state->x + at, p);
        s->backend.kernels->load_tile(to->v, s->state->v + at, p);
    } else {
        memcpy(to->x, s->state->x + at, bytes);
        memcpy(to->v, s->state->v + at, bytes);
        if (s->wants_start) memcpy(to->start, s->state->x + at, bytes);
    }
}

static void copy_out(const pliant_solver *s, const pliant__patch *p, const piece *from)
{
    const size_t at = pliant__slot_numbers(p->first_slot), bytes = pliant__slot_numbers(p->slot_count) * sizeof *from->x;
    if (p->groups) {
        s->backend.kernels->store_tile(from->x, s->state->x + at, p);
        s->backend.kernels->store_tile(from->v, s->state->v + at, p);
    } else {
        memcpy(s->state->x + at, from->x, bytes);
        memcpy(s->state->v + at, from->v, bytes);
    }
}

static void step_patch(pliant_solver *s, uint32_t number)
{
    const pliant__patch *p = &s->model->patches[number];
    pliant__watch       *watch = &s->watches[number];
    const size_t         room = s->scratch.bytes / PLIANT__WHOLE_PARTS / PLIANT_ALIGN * PLIANT_ALIGN / sizeof(pliant_real);
    pliant_real         *local;
    const uint32_t       taken = pliant__take_scratch(s, &local);
    const piece          at = {local, local + room, local + 2 * room, local + 3 * room};
    pliant__sweep        sweep = s->sweep;
    bool                 bad = false;
    if (p->groups) {
        sweep.lanes = at.x;
    } else {
        sweep.x = at.x;
        sweep.start = s->wants_start ? at.start : NULL;
        sweep.origin = p->first_slot;
    }
    copy_in(s, p, &at);
    for (uint32_t i = 0; i <= s->substeps && !bad; i++) {
        *watch = (pliant__watch){0, false};
        move_on(s, p, &at, i > 0, i < s->substeps, watch);
        bad = watch->bad;
        if (i < s->substeps && !bad) pliant__project_patch(s, number, &sweep);
    }
    if (!bad) copy_out(s, p, &at);
    pliant__give_scratch(s, taken);
}

bool pliant__step_by_patches(pliant_solver *s)
{
    const pliant_model *m = s->model;
    const size_t        numbers = pliant__slot_numbers(m->header->slot_count);
    const double        before = s->def.timing ? pliant__clock() : 0;
    pliant_real         largest = 0;
    bool                bad = false;
    memcpy(s->start_v, s->state->v, numbers * sizeof *s->start_v);
    pliant__ready_motion(s);
    pliant__begin_sweep(s, true);
    pliant__walk_round(s, 0, step_patch, s->substeps);
    for (uint32_t i = 0; i < m->rounds[0].patch_count; i++) {
        bad = bad || s->watches[i].bad;
        if (s->watches[i].largest2 > largest) largest = s->watches[i].largest2;
    }
    s->statistics.max_speed = r_sqrt(largest);
    if (bad) { /* begin() has put x into start, and nothing has changed it */
        memcpy(s->state->x, s->start, numbers * sizeof *s->start);
        memcpy(s->state->v, s->start_v, numbers * sizeof *s->start_v);
        s->statistics.max_speed = 0;
    }
    if (s->def.timing) s->seconds[PLIANT_STAGE_PROJECT] += pliant__clock() - before;
    return !bad;
}
