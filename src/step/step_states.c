/* One step for many states of a model: each lane holds a state, so that a row is read once for 16 of them and nothing is gathered. A group of
 * states is loaded once a step, goes through all substeps (as in patch_steps.c), and is stored. All arithmetic is that of a step of one state, in the
 * same order, so that every state gets the bits that a step of its own would give it.
 *
 * What lanes cannot do goes one by one: states with inputs that differ in more than gravity and forces, that have constraints switched off, or
 * one of which diverges; and models in which something looks at particles between the stages of a substep. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/float_env.h"
#include "constraints/eval.h"
#include "solver/laws.h"
#include "solver/method.h"
#include "solver/pieces.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"
#include "step/forces.h"
#include "step/step.h"

#include <string.h>

#define LANES PLIANT__BLOCK
#define AT_ONCE (64 * LANES) /* states */
#define FEW 3u               /* so many states fill too few lanes */

/* ---- what a solver keeps for it ---- */

static void list_rows(const pliant_model *m, const pliant__batch *b, pliant__rows *rows, uint32_t *slot, uint32_t *law,
                      pliant_real *parameter)
{
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b->kind);
    *rows = (pliant__rows){slot, law, parameter, 0};
    for (uint32_t r = 0; r < b->count; r++) {
        const pliant_real *p = pliant__parameters(m, b, r / PLIANT__BLOCK) + r % PLIANT__BLOCK;
        if (!pliant__has_row(m, b, r)) continue;
        pliant__row_slots(m, b, r, info->slots, slot);
        for (uint32_t k = 0; k < info->parameter_count; k++) parameter[k] = p[k * PLIANT__BLOCK];
        *law++ = pliant__row_law(m, b, r);
        slot += info->slots;
        parameter += info->parameter_count;
        rows->count++;
    }
}

bool pliant__make_lane_states(pliant_solver *s)
{
    const pliant_model     *m = s->model;
    const pliant_allocator *a = &s->allocator;
    pliant__lane_states    *k = &s->lane_states;
    size_t                  rows = 0, slots = 0, parameters = 0;
    if (!s->def.many) return true;
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch          *b = &m->batches[i];
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b->kind);
        rows += b->count;
        slots += (size_t)b->count * info->slots;
        parameters += (size_t)b->count * info->parameter_count;
    }
    k->rows = pliant__alloc_array(a, model_count(m, batches), sizeof *k->rows);
    k->slot = pliant__alloc_array(a, slots, sizeof *k->slot);
    k->law = pliant__alloc_array(a, rows, sizeof *k->law);
    k->parameter = pliant__alloc_array(a, parameters, sizeof *k->parameter);
    k->taken = pliant__alloc_array(a, AT_ONCE, sizeof *k->taken);
    k->watches = pliant__alloc_array(a, AT_ONCE / LANES, sizeof *k->watches);
    if (!k->rows || !k->slot || !k->law || !k->parameter || !k->taken || !k->watches) return false;
    rows = slots = parameters = 0;
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch          *b = &m->batches[i];
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b->kind);
        list_rows(m, b, &k->rows[i], k->slot + slots, k->law + rows, k->parameter + parameters);
        rows += k->rows[i].count;
        slots += (size_t)k->rows[i].count * info->slots;
        parameters += (size_t)k->rows[i].count * info->parameter_count;
    }
    return true;
}

void pliant__free_lane_states(pliant_solver *s)
{
    void *all[] = {s->lane_states.rows,      s->lane_states.slot,  s->lane_states.law,
                   s->lane_states.parameter, s->lane_states.taken, s->lane_states.watches};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(&s->allocator, all[i]);
}

/* ---- up to 16 states ---- */

/* What a group has in scratch: x y z w of 16 states for every slot. */
typedef struct group {
    pliant_real         *x, *v, *aim, *start;
    pliant__lane_motion *motion; /* per body */
    pliant_real         *state_x[LANES], *state_v[LANES];
    uint32_t             states;
} group;

static void move_on(const pliant_solver *s, const group *g, bool ends, bool begins, pliant__watch *watch)
{
    for (size_t i = 0; i < model_count(s->model, bodies); i++) {
        const pliant__model_body *b = &s->model->bodies[i];
        const size_t              at = (size_t)b->first_slot * 4 * LANES;
        s->backend.kernels->move_lanes_on(g->x + at, g->v + at, g->aim + at, s->wants_start ? g->start + at : NULL, b->slot_count,
                                          &g->motion[i], ends, begins, watch);
    }
}

static void solve(const pliant_solver *s, const group *g)
{
    pliant__sweep sweep = s->sweep;
    sweep.lanes = g->x;
    sweep.start = s->wants_start ? g->start : NULL;
    for (size_t i = 0; i < model_count(s->model, batches); i++) {
        const pliant__batch *b = &s->model->batches[i];
        s->backend.kernels->kinds[b->kind]->project_states(&sweep, b, &s->lane_states.rows[i]);
    }
}

static void step_group(void *solver, uint32_t number)
{
    pliant_solver      *s = solver;
    const pliant_model *m = s->model;
    const uint32_t     *taken = s->lane_states.taken + number * LANES, left = s->lane_states.count - number * LANES,
                   slots = m->header->slot_count;
    const size_t   room = (size_t)slots * 4 * LANES;
    pliant__watch *watch = &s->lane_states.watches[number];
    pliant_real   *local;
    const uint32_t piece = pliant__take_scratch(s, &local);
    group          g = {.x = local,
                        .v = local + room,
                        .aim = local + 2 * room,
                        .start = local + 3 * room,
                        .motion = (pliant__lane_motion *)(void *)(local + PLIANT__WHOLE_PARTS * room),
                        .states = left < LANES ? left : LANES};
    bool           bad = false;
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t number_of = taken[i < g.states ? i : 0];
        g.state_x[i] = s->lane_states.states[number_of]->x;
        g.state_v[i] = s->lane_states.states[number_of]->v;
        const double time = s->lane_states.states[number_of]->header->time + 0.5 * s->lane_states.inputs[number_of]->dt;
        for (uint32_t b = 0; b < model_count(m, bodies); b++) {
            const pliant__motion motion = pliant__motion_of(s, s->lane_states.inputs[number_of], b, time);
            pliant__set_lane(&g.motion[b], i, &motion);
        }
    }
    s->backend.kernels->load_states(g.x, (const pliant_real *const *)g.state_x, g.states, 0, slots);
    s->backend.kernels->load_states(g.v, (const pliant_real *const *)g.state_v, g.states, 0, slots);
    if (s->wants_start) memcpy(g.start, g.x, room * sizeof *g.start);
    for (uint32_t i = 0; i <= s->substeps && !bad; i++) {
        *watch = (pliant__watch){0, false};
        move_on(s, &g, i > 0, i < s->substeps, watch);
        bad = watch->bad;
        if (i < s->substeps && !bad) solve(s, &g);
    }
    if (!bad) {
        s->backend.kernels->store_states(g.x, g.state_x, g.states, 0, slots);
        s->backend.kernels->store_states(g.v, g.state_v, g.states, 0, slots);
    }
    pliant__give_scratch(s, piece);
}

/* ---- a call ---- */

static bool all_active(const pliant_state *state)
{
    const pliant_model *m = state->model;
    bool                all = true;
    for (size_t i = 0; i < model_count(m, bodies) && all; i++) all = !state->body_off[i];
    for (size_t i = 0; i < model_count(m, batches) && all; i++) {
        const pliant__batch *b = &m->batches[i];
        for (uint32_t block = 0; block < pliant__blocks(b) && all; block++)
            all = !(pliant__block_rows(m, b, block) & ~(uint32_t)state->active[b->first_row / PLIANT__BLOCK + block]);
    }
    return all;
}

/* Whether inputs differ in nothing but what lanes have of each state. */
static bool alike(const pliant_inputs *a, const pliant_inputs *b)
{
    const pliant_model *m = a->model;
    bool are = m->header->hash == b->model->header->hash && a->dt == b->dt && a->substeps == b->substeps && a->iterations == b->iterations;
#define X(type, name, count, lanes) are = are && (lanes);
    INPUT_PARTS(X)
#undef X
    return are;
}

/* Lists states that go through lanes as number `first` does: which is the first that can step at all. */
static void choose(pliant_solver *s, uint32_t first, uint32_t count)
{
    pliant__lane_states *k = &s->lane_states;
    uint32_t             found = 0;
    for (uint32_t i = first; i < count; i++) {
        const pliant_state *state = k->states[i];
        if (state && k->inputs[i] && state->header->model == s->model->header->hash && alike(k->inputs[first], k->inputs[i]) &&
            pliant__longest_substep(state->header, s->inputs->dt, s->substep_h) == s->longest_substep && all_active(state))
            k->taken[found++] = i;
    }
    k->count = found % LANES < FEW ? found / LANES * LANES : found;
}

/* Up to AT_ONCE states; those that went through lanes have `done` set. */
static void step_in_lanes(pliant_solver *s, uint32_t count, bool *done, pliant_statistics *total)
{
    pliant__lane_states    *k = &s->lane_states;
    const pliant__float_env before = pliant__float_enter();
    uint32_t                first = 0;
    while (first < count && pliant__begin_step(s, k->states[first], k->inputs[first]) != PLIANT_OK) first++;
    if (first < count && pliant__takes(s, PLIANT__WAY_STATES)) {
        choose(s, first, count);
        s->watched.step = k->states[first]->header->steps;
        pliant__begin_sweep(s, true);
        pliant__run(s, step_group, (k->count + LANES - 1) / LANES);
        for (uint32_t i = 0; i < k->count; i++) {
            const pliant__watch *watch = &k->watches[i / LANES];
            if (watch->bad) continue;
            if (r_sqrt(watch->largest2) > total->max_speed) total->max_speed = r_sqrt(watch->largest2);
            done[k->taken[i]] = true;
            pliant__add_time(k->states[k->taken[i]]->header, k->inputs[first]->dt);
            pliant__end_step(s, k->states[k->taken[i]]->header);
        }
    }
    pliant__float_leave(before);
    s->state = NULL;
    s->inputs = NULL;
}

pliant_code pliant_solver_step_many(pliant_solver *solver, pliant_state *const *states, const pliant_inputs *const *inputs, uint32_t count,
                                    pliant_code *codes)
{
    if (!solver || solver->def.contacts || (count && (!states || !inputs))) return PLIANT_ERROR_ARGUMENT;
    const double      began = pliant__clock();
    pliant_statistics total = {.substeps = 0};
    pliant_divergence divergence = {.diverged = false};
    pliant_code       code = PLIANT_OK;
    for (uint32_t first = 0; first < count; first += AT_ONCE) {
        const uint32_t some = count - first < AT_ONCE ? count - first : AT_ONCE;
        bool           done[AT_ONCE] = {false};
        solver->lane_states.states = states + first;
        solver->lane_states.inputs = inputs + first;
        if (solver->def.many) step_in_lanes(solver, some, done, &total);
        for (uint32_t i = 0; i < some; i++) {
            const pliant_code one = done[i] ? PLIANT_OK : pliant_solver_step(solver, states[first + i], inputs[first + i]);
            if (!done[i] && one != PLIANT_ERROR_ARGUMENT) {
                if (solver->divergence.diverged && !divergence.diverged) divergence = solver->divergence;
                if (solver->statistics.max_speed > total.max_speed) total.max_speed = solver->statistics.max_speed;
                total.restored_bodies += solver->statistics.restored_bodies;
                total.fallback_substeps += solver->statistics.fallback_substeps;
            }
            if (codes) codes[first + i] = one;
            if (code == PLIANT_OK) code = one;
        }
    }
    solver->statistics.max_speed = total.max_speed;
    solver->statistics.restored_bodies = total.restored_bodies;
    solver->statistics.fallback_substeps = total.fallback_substeps;
    solver->statistics.seconds = pliant__clock() - began;
    solver->divergence = divergence;
    return code;
}
