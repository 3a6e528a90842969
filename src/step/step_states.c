/* One step for many states of a model: each lane holds a state, so that a row is read once for 16 of them and nothing is gathered. A group of
 * states is loaded once a step, goes through all substeps (as in patch_steps.c), and is stored. All arithmetic is that of a step of one state, in the
 * same order, so that every state gets the bits that a step of its own would give it.
 *
 * Targets, colliders and contacts with them are each state's own: where a model has any, a substep stops for them, and they are treated state by state (lane_views.c).
 *
 * What lanes cannot do goes one by one: states with inputs that differ in more than gravity, forces, targets and colliders, that have constraints switched off, or
 * one of which diverges; and models in which something else looks at particles between the stages of a substep. */
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
#include "step/lane_views.h"
#include "step/step.h"

#include <string.h>

#define LANES PLIANT__BLOCK
#define AT_ONCE (64 * LANES) /* states */
#define FEW 3u               /* so many states fill too few lanes */
#define FEW_VIEWED 12u       /* and so many of a model with views, where lanes spare less */

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
    k->groups = pliant__alloc_array(a, AT_ONCE / LANES, sizeof *k->groups);
    if (!k->rows || !k->slot || !k->law || !k->parameter || !k->taken || !k->groups) return false;
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
                   s->lane_states.parameter, s->lane_states.taken, s->lane_states.groups};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(&s->allocator, all[i]);
}

/* ---- up to 16 states ---- */

/* What a group has in scratch. */
typedef struct group {
    pliant__lanes        lanes;
    pliant__lane_motion *motion; /* per body */
    pliant_real         *state_x[LANES], *state_v[LANES];
    pliant__lane_view   *views; /* NULL: the model has neither targets nor colliders */
} group;

static void move_on(const pliant_solver *s, const group *g, bool ends, bool begins, pliant__watch *watch)
{
    const pliant__lanes *l = &g->lanes;
    for (size_t i = 0; i < model_count(s->model, bodies); i++) {
        const pliant__model_body *b = &s->model->bodies[i];
        const size_t              at = (size_t)b->first_slot * 4 * LANES;
        s->backend.kernels->move_lanes_on(l->x + at, l->v + at, g->views ? NULL : l->aim + at,
                                          s->wants_start || g->views ? l->start + at : NULL, b->slot_count, &g->motion[i], ends, begins,
                                          watch);
    }
}

static void solve(const pliant_solver *s, const group *g)
{
    pliant__sweep sweep = s->sweep;
    sweep.lanes = g->lanes.x;
    sweep.start = s->wants_start ? g->lanes.start : NULL;
    for (size_t i = 0; i < model_count(s->model, batches); i++) {
        const pliant__batch *b = &s->model->batches[i];
        s->backend.kernels->kinds[b->kind]->project_states(&sweep, b, &s->lane_states.rows[i]);
    }
}

/* A substep ends and the next one begins in one walk where nothing is done between them. False if a speed ran away. */
static bool walk_on(const pliant_solver *s, const group *g, pliant__watch *watch)
{
    for (uint32_t i = 0; i <= s->substeps && !watch->bad; i++) {
        *watch = (pliant__watch){0, false};
        move_on(s, g, i > 0, i < s->substeps, watch);
        if (i < s->substeps && !watch->bad) solve(s, g);
    }
    return !watch->bad;
}

/* The stages of a substep, with what is done to each state by itself. False if a speed ran away, or there was no room for all touches. */
static bool walk_by_stages(const pliant_solver *s, const group *g, pliant__watch *watch)
{
    bool good = true;
    for (uint32_t i = 0; i < s->substeps && good; i++) {
        *watch = (pliant__watch){0, false};
        pliant__lead_lanes(g->views, &g->lanes, i);
        move_on(s, g, false, true, watch);
        pliant__find_in_lanes(g->views, &g->lanes);
        solve(s, g);
        good = pliant__press_lanes(g->views, &g->lanes);
        move_on(s, g, true, false, watch);
        pliant__settle_lanes(g->views, &g->lanes, watch);
        good = good && !watch->bad;
    }
    return good;
}

static void step_group(void *solver, uint32_t number)
{
    pliant_solver       *s = solver;
    const pliant_model  *m = s->model;
    pliant__lane_states *k = &s->lane_states;
    const uint32_t      *taken = k->taken + number * LANES, left = k->count - number * LANES, states = left < LANES ? left : LANES,
                   slots = m->header->slot_count;
    const size_t        room = (size_t)slots * 4 * LANES;
    pliant__lane_group *now = &k->groups[number];
    pliant_real        *local, *viewed;
    const uint32_t      piece = pliant__take_scratch(s, &local);
    group g = {.lanes = {.x = local, .v = local + room, .aim = local + 2 * room, .start = local + 3 * room, .states = states}};
    viewed = local + PLIANT__WHOLE_PARTS * room;
    g.motion = (pliant__lane_motion *)(void *)(viewed + (pliant__has_lane_views(m) ? PLIANT__VIEWED_PARTS * room : 0));
    g.lanes.ways = (pliant__target_way *)(void *)(g.motion + model_count(m, bodies));
    *now = (pliant__lane_group){.watch = {0, false}};
    if (k->views && piece >= k->pieces) { /* a host with more threads than there are views */
        pliant__give_scratch(s, piece);
        return;
    }
    if (k->views) g.views = pliant__begin_lane_views(s, piece, taken, states, viewed, g.lanes.ways);
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t number_of = taken[i < states ? i : 0];
        g.state_x[i] = k->states[number_of]->x;
        g.state_v[i] = k->states[number_of]->v;
        const double time = k->states[number_of]->header->time + 0.5 * k->inputs[number_of]->dt;
        for (uint32_t b = 0; b < model_count(m, bodies); b++) {
            const pliant__motion motion = pliant__motion_of(s, k->inputs[number_of], b, time);
            pliant__set_lane(&g.motion[b], i, &motion);
        }
    }
    s->backend.kernels->load_states(g.lanes.x, (const pliant_real *const *)g.state_x, states, 0, slots);
    s->backend.kernels->load_states(g.lanes.v, (const pliant_real *const *)g.state_v, states, 0, slots);
    if (s->wants_start || g.views) memcpy(g.lanes.start, g.lanes.x, room * sizeof *g.lanes.start);
    now->good = (g.views ? walk_by_stages : walk_on)(s, &g, &now->watch);
    if (now->good) {
        s->backend.kernels->store_states(g.lanes.x, g.state_x, states, 0, slots);
        s->backend.kernels->store_states(g.lanes.v, g.state_v, states, 0, slots);
        if (g.views) pliant__end_lane_views(g.views, states, now);
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
    k->count = found % LANES < (k->views ? FEW_VIEWED : FEW) ? found / LANES * LANES : found;
}

static void add_contacts(pliant_statistics *total, uint32_t contacts, uint32_t in_contact, uint32_t dropped)
{
    total->contacts += contacts;
    total->particles_in_contact += in_contact;
    total->contacts_dropped += dropped;
}

/* Up to AT_ONCE states; those that went through lanes have `done` set. */
static void step_in_lanes(pliant_solver *s, uint32_t count, bool *done, pliant_statistics *total)
{
    pliant__lane_states    *k = &s->lane_states;
    const pliant__float_env before = pliant__float_enter();
    uint32_t                first = 0;
    while (first < count && (pliant__begin_step(s, k->states[first], k->inputs[first]) != PLIANT_OK ||
                             !alike(k->inputs[first], k->inputs[first]) || !all_active(k->states[first])))
        first++;
    if (first < count && pliant__takes(s, PLIANT__WAY_STATES)) {
        choose(s, first, count);
        s->watched.step = k->states[first]->header->steps;
        const uint32_t groups = (k->count + LANES - 1) / LANES;
        pliant__begin_sweep(s, true);
        if (k->views) pliant__ready_lane_views(s, groups);
        pliant__run(s, step_group, groups);
        for (uint32_t i = 0; i < groups; i++)
            if (k->groups[i].good) add_contacts(total, k->groups[i].contacts, k->groups[i].in_contact, 0);
        for (uint32_t i = 0; i < k->count; i++) {
            const pliant__lane_group *now = &k->groups[i / LANES];
            if (!now->good) continue;
            total->max_speed = r_max(total->max_speed, r_sqrt(now->watch.largest2));
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
                total.max_speed = r_max(total.max_speed, solver->statistics.max_speed);
                add_contacts(&total, solver->statistics.contacts, solver->statistics.particles_in_contact,
                             solver->statistics.contacts_dropped);
                total.restored_bodies += solver->statistics.restored_bodies;
                total.fallback_substeps += solver->statistics.fallback_substeps;
            }
            if (codes) codes[first + i] = one;
            if (code == PLIANT_OK) code = one;
        }
    }
    solver->statistics.max_speed = total.max_speed;
    solver->statistics.contacts = total.contacts;
    solver->statistics.particles_in_contact = total.particles_in_contact;
    solver->statistics.contacts_dropped = total.contacts_dropped;
    solver->statistics.restored_bodies = total.restored_bodies;
    solver->statistics.fallback_substeps = total.fallback_substeps;
    solver->statistics.seconds = pliant__clock() - began;
    solver->divergence = divergence;
    return code;
}
