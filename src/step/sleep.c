/* Sleep: what has stayed in one place for half a second stays there until it is moved.
 *
 * A sweep over rows leaves some of them unsolved, and a little differently in every substep, so that what lies trembles by some micrometres. Here
 * each particle has an anchor. Where it has been no further from it than what `sleep_speed` goes in half a second, for as long, it sleeps: what a
 * substep would move it is undone, and it has no velocity. It wakes when a substep would move it by more than half of what gravity does alone
 * (where there is none, by more than sleep_speed does): what is no longer carried wakes at once, and so does what is hit. Whole bodies wake when a
 * collider that they touch, or a part moved by keys that pushes them, has gone anywhere, however slowly, and so do bodies that touch those. And all
 * wake when the inputs are others than in the step before, or teleport, or when a caller has changed the state in between.
 *
 * Neighbours of a sleeper may be awake; to them it is like any other, and they move it when they push or pull hard enough. Friction is not weakened:
 * what begins to slide, however slowly, has left its anchor long before half a second is over. Which particles sleep is a part of the state. */
#include "step/sleep.h"

#include "base/hash.h"
#include "contact/contacts.h"
#include "contact/pairs.h"
#include "solver/groups.h"
#include "solver/pair_kernels.h"
#include "solver/solver.h"
#include "solver/stitches.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"
#include "step/fields.h"
#include "step/forces.h"

#include <string.h>

#define WINDOW K(0.5) /* s */
#define WAKES K(0.5)  /* of what gravity moves in a substep */

static bool sleeps(const pliant_state *state, uint32_t slot) { return PLIANT__SLOT(state->rest, slot)[3] >= WINDOW; }
static void wake(pliant_state *state, uint32_t slot) { PLIANT__SLOT(state->rest, slot)[3] = 0; }

/* ---- a step begins ---- */

/* What a law's inputs may be, whatever else lies beside it. */
static uint64_t hash_law(const pliant__model_law *law, uint64_t h)
{
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)law->kind); /* none for users' constraints */
    const pliant_real             says[3] = {law->compliance, law->damping, law->stiffness};
    h = pliant__hash(says, sizeof says, h);
    return info && info->number_count ? pliant__hash(law->number, info->number_count * sizeof *law->number, h) : h;
}

/* What the inputs say, but for what stays as it is unless it is said. Where substeps are of one length it does not matter how long steps are. */
static uint64_t hash_inputs(const pliant_inputs *in)
{
    const pliant_model *m = in->model;
    const struct {
        const void *data;
        size_t      bytes;
    } parts[] = {{&in->dt, in->substeps ? sizeof in->dt : 0},
                 {&in->substeps, sizeof in->substeps},
                 {&in->iterations, sizeof in->iterations},
                 {&in->gravity, sizeof in->gravity},
                 {in->force, model_count(m, forces) * sizeof *in->force},
                 {&in->grab_count, sizeof in->grab_count},
                 {in->frame_set, in->framed ? model_count(m, bodies) : 0},
                 {in->target_set, model_count(m, targets)}};
    uint64_t h = in->teleports;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].bytes) h = pliant__hash(parts[i].data, parts[i].bytes, h);
    for (size_t i = 0; i < model_count(m, laws); i++) h = hash_law(&in->law[i], h);
    for (uint32_t i = 0; i < in->grab_count; i++) {
        const pliant__grab *g = &in->grab[i];
        const pliant_real   at[4] = {g->target.x, g->target.y, g->target.z, g->compliance};
        h = pliant__hash(at, sizeof at, h ^ g->slot);
    }
    for (size_t i = 0; i < model_count(m, targets); i++)
        if (in->target_set[i]) h = pliant__hash(&in->target[i], sizeof in->target[i], h);
    return h;
}

void pliant__begin_sleep(pliant_solver *s)
{
    if (!pliant__may_sleep(s->model)) return;
    uint64_t hash = hash_inputs(s->inputs);
    for (size_t f = 0; f < model_count(s->model, forces); f++) /* what keys say is a part of what is said */
        if (s->model->forces[f].key_count) {
            const pliant__force_now now = pliant__force_at(s->model, s->inputs, f, pliant__force_time(s));
            hash = pliant__hash(&now.vector, sizeof now.vector, hash);
            hash = pliant__hash(&now.share, sizeof now.share, hash);
        }
    if (hash != *s->state->inputs_hash || s->inputs->teleports)
        for (uint32_t slot = 0; slot < s->model->header->slot_count; slot++) wake(s->state, slot);
    *s->state->inputs_hash = hash;
}

/* ---- the end of a substep's iterations ---- */

/* Marks bodies that touch a collider which has gone anywhere, or are filled by more or less than before, or have stitches that change. */
static void find_dragged(pliant_solver *s)
{
    memset(s->dragged, 0, model_count(s->model, bodies));
    for (size_t c = 0; c < model_count(s->model, chunks) && model_count(s->model, colliders); c++) {
        const pliant__touch *t = s->contacts->touches + s->chunks[c].first_touch;
        for (uint32_t i = 0; i < s->chunks[c].touch_count; i++)
            if (pliant__touch_acts(&t[i]) && v3_dot(t[i].drift, t[i].drift) > 0) s->dragged[s->model->chunks[c].body] = true;
    }
    for (size_t i = 0; i < model_count(s->model, groups); i++)
        if (s->groups->of[i].changes) s->dragged[s->model->groups[i].body] = true;
    for (size_t i = 0; i < model_count(s->model, stitches); i++)
        if (s->stitches->changes[i]) s->dragged[s->model->stitches[i].body[0]] = s->dragged[s->model->stitches[i].body[1]] = true;
}

static bool has_gone(const pliant_solver *s, uint32_t slot)
{
    const pliant_vec3 by = v3_sub(pliant__slot_x(s->state->x, slot), pliant__slot_x(s->from, slot));
    return PLIANT__SLOT(s->state->x, slot)[3] == 0 && v3_dot(by, by) > 0;
}

/* Goes once over what pushes or holds on: marks bodies that touch parts moved by keys, or lie on marked ones. Returns whether that marked any. */
static bool spread_dragged(pliant_solver *s)
{
    const pliant__pairs *p = s->pairs;
    bool                 any = false;
    for (size_t b = 0; b < p->rows.count; b++) {
        const pliant__pair_rows *rows = &p->rows.data[b];
        for (uint32_t i = 0; i < PLIANT__BLOCK; i++) {
            uint32_t body[2];
            if (!(rows->rows >> i & 1) || rows->lambda[i] == 0) continue;
            pliant__row_bodies(p, rows, i, body);
            bool gone = s->dragged[body[0]] || s->dragged[body[1]];
            for (uint32_t k = 0; k < 4 && !gone; k++) gone = has_gone(s, rows->at.slot[k][i]);
            any = any || (gone && !(s->dragged[body[0]] && s->dragged[body[1]]));
            if (gone) s->dragged[body[0]] = s->dragged[body[1]] = true;
        }
    }
    return any;
}

static void hold_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__chunk *chunk = &s->model->chunks[index];
    const pliant_real    falls = WAKES * v3_length(s->motion[chunk->body].acceleration) * s->substep_rh,
                      most = (falls > 0 ? falls : s->model->header->sleep_speed) * s->substep_rh;
    for (uint32_t slot = chunk->first; slot < chunk->first + chunk->count; slot++) {
        if (!sleeps(s->state, slot) || PLIANT__SLOT(s->state->x, slot)[3] == 0) continue;
        const pliant_vec3 from = pliant__slot_x(s->from, slot), by = v3_sub(pliant__slot_x(s->state->x, slot), from);
        if (v3_dot(by, by) <= most * most && !s->dragged[chunk->body])
            pliant__set_slot_x(s->state->x, slot, from);
        else
            wake(s->state, slot);
    }
}

void pliant__stage_sleepers(pliant_solver *s)
{
    find_dragged(s);
    while (spread_dragged(s)) continue;
    pliant__run_light(s, hold_chunk, (uint32_t)model_count(s->model, chunks));
}

/* ---- the stage ---- */

static void rest_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__chunk *chunk = &s->model->chunks[index];
    const pliant_real    reach = s->model->header->sleep_speed * WINDOW;
    s->chunks[index].sleeping = 0;
    for (uint32_t slot = chunk->first; slot < chunk->first + chunk->count; slot++) {
        pliant_real      *rest = PLIANT__SLOT(s->state->rest, slot);
        const pliant_vec3 x = pliant__slot_x(s->state->x, slot), from = pliant__slot_x(s->from, slot), gone = v3_sub(x, from),
                          off = v3_sub(x, pliant__slot_x(rest, 0));
        if (PLIANT__SLOT(s->state->x, slot)[3] == 0) continue;
        if (sleeps(s->state, slot) && v3_dot(gone, gone) == 0) {
            pliant__set_slot_x(s->state->v, slot, v3(0, 0, 0));
            s->chunks[index].sleeping++;
        } else if (v3_dot(off, off) <= reach * reach) {
            rest[3] = r_min(rest[3] + s->substep_rh, WINDOW);
        } else {
            pliant__put_down(s->state, slot);
        }
    }
}

void pliant__stage_rest(pliant_solver *s)
{
    const uint32_t chunks = (uint32_t)model_count(s->model, chunks);
    pliant__run_light(s, rest_chunk, chunks);
    s->statistics.sleeping = 0;
    for (uint32_t i = 0; i < chunks; i++) s->statistics.sleeping += s->chunks[i].sleeping;
}
