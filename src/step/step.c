/* A step: the ways through it, and its substeps. */
#include "step/step.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/float_env.h"
#include "contact/contact_log.h"
#include "contact/contacts.h"
#include "contact/pairs.h"
#include "solver/interactions.h"
#include "solver/laws.h"
#include "solver/method.h"
#include "solver/off.h"
#include "solver/pieces.h"
#include "solver/profile.h"
#include "solver/residuals.h"
#include "solver/solver.h"
#include "solver/ways.h"
#include "state/inputs.h"
#include "state/state.h"
#include "state/tear.h"
#include "step/energy.h"
#include "step/frames.h"
#include "step/history.h"
#include "step/kinematic.h"
#include "step/lane_views.h"
#include "step/sleep.h"
#include "step/stages.h"
#include "step/tear.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* ---- ways ----
 *
 * STEP_WAYS of solver/ways.h has their conditions:
 *   stages    take_substep below, which walks the table of stages
 *   substeps  the same; forces, predict, project, velocities and guard leave particles to one walk over patches (solver/patch_substeps.c)
 *   steps     pliant__step_by_patches (patch_steps.c)
 *   parts     pliant__step_by_parts (part_steps.c), which walks the table of stages for one part after another
 *   states    step_in_lanes (step_states.c), for pliant_solver_step_many */

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

static void note_damped_laws(pliant_solver *s)
{
    s->wants_start = s->damped;
    for (size_t i = 0; i < model_count(s->model, laws); i++) s->wants_start = s->wants_start || s->laws[i].damped;
}

/* Whether a substep's iterations are one walk over the patches, and nothing but that. */
static bool walks_once(const pliant_solver *s)
{
    return s->iterations == 1 && s->method_row->walks_once && !s->keep_lambda && !s->predicted && !s->def.trace && !tiles_are_damped(s);
}

/* A bit for each way in which this step can be taken. */
static uint32_t ways_of(const pliant_solver *s)
{
    const uint32_t places = pliant__places_of(s);
    const bool     goes_by_parts = pliant__stages_go_by_parts(s);
    uint32_t       ways = 0;
#define has(place) (places >> (place)&1)
#define takes(NAME) (ways >> PLIANT__WAY_##NAME & 1)
#define X(NAME, name, when, text) \
    if (when) ways |= 1u << PLIANT__WAY_##NAME;
    STEP_WAYS(X)
#undef X
#undef takes
#undef has
    return ways;
}

static void choose_way(pliant_solver *s)
{
    note_damped_laws(s);
    pliant__choose_interactions(s);
    pliant__choose_stages(s);
    s->ways = ways_of(s);
    s->way =
        pliant__takes(s, PLIANT__WAY_SUBSTEPS) ? PLIANT__WAY_SUBSTEPS : PLIANT__WAY_STAGES; /* STEPS, PARTS and STATES if these succeed */
}

/* ---- room ----
 *
 * Where particles began, and multipliers: a quarter of what a rigid cloth has in model, state and solver, and its steps need neither. A solver makes room
 * for both when it is made, since inputs may ask for them in any step; a lean one where a step needs them. */

/* Whether a step that has its way begins with `start` as positions are. */
static bool begins_with_start(const pliant_solver *s)
{
    return s->way != PLIANT__WAY_SUBSTEPS || s->wants_start || pliant__is_closed(s->model);
}

/* Whether it uses `start` at all: targets are led from there. */
static bool uses_start(const pliant_solver *s) { return begins_with_start(s) || model_count(s->model, targets); }

static bool make_room(pliant_solver *s, bool start, bool lambda)
{
    const pliant__model_header *h = s->model->header;
    if (start && !s->start) s->start = pliant__alloc_array(&s->allocator, h->slot_count, 4 * sizeof *s->start);
    if (lambda && !s->lambda) s->lambda = pliant__alloc_untouched(&s->allocator, h->lambda_count, sizeof *s->lambda);
    return (!start || s->start) && (!lambda || s->lambda);
}

bool pliant__make_room_ahead(pliant_solver *s)
{
    pliant_inputs own = {.model = s->model, .iterations = s->model->header->iterations, .law = (pliant__model_law *)s->model->laws};
    if (!s->def.lean) return make_room(s, true, true);
    s->inputs = &own;
    s->iterations = own.iterations;
    s->substep_h = s->longest_substep = 1; /* any: which law is soft does not hang on it */
    pliant__set_h(s, 1);
    s->tears = pliant__may_tear(s->model);
    choose_way(s);
    s->inputs = NULL;
    return make_room(s, uses_start(s), s->keep_lambda);
}

/* ---- a step ---- */

/* How many substeps there are, and how long they are. */
static void count_substeps(pliant_solver *s)
{
    const pliant_inputs *in = s->inputs;
    s->carries = !in->substeps;
    s->carried = pliant_state_carried(s->state);
    s->substeps = in->substeps;
    s->span = in->substeps;
    if (s->carries) {
        s->substep_h = s->model->header->substep;
        s->span = (s->carried + in->dt) / s->substep_h;
        s->substeps = (uint32_t)(s->span + PLIANT__SUBSTEP_FUZZ);
        s->carried = s->carried + in->dt - s->substeps * s->substep_h;
    } else {
        s->substep_h = in->dt / s->substeps;
    }
    s->substep_rh = (pliant_real)s->substep_h;
}

bool pliant_solver_takes(const pliant_solver *solver, const pliant_inputs *inputs, pliant_error *error)
{
    if (!solver || !inputs) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "no solver, or no inputs");
    if (inputs->model->header->hash != solver->model->header->hash)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the inputs are another model's");
    if (!(inputs->dt > 0)) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "reset the inputs first: pliant_inputs_reset");
    if (inputs->framed && !inputs->substeps)
        return pliant__fail(
            error, PLIANT_ERROR_ARGUMENT,
            "frames of inputs end with the step, and substeps of substep_rest carry need not: say the substeps of the step");
    return !solver->method_row->takes_inputs || solver->method_row->takes_inputs(solver->model, inputs, error);
}

/* Whether solver, state and inputs are of one model, and the solver takes the inputs. */
static bool can_step(const pliant_solver *s, const pliant_state *state, const pliant_inputs *inputs)
{
    return state && inputs && state->header->model == s->model->header->hash && pliant_solver_takes(s, inputs, NULL);
}

pliant_code pliant__begin_step(pliant_solver *s, pliant_state *state, const pliant_inputs *inputs)
{
    const pliant_model *m = s->model;
    if (!can_step(s, state, inputs)) return PLIANT_ERROR_ARGUMENT;
    s->state = state;
    s->inputs = inputs;
    s->substep = 0;
    s->stage = PLIANT_STAGE_COUNT;
    pliant__find_off(s);
    s->iterations = inputs->iterations;
    count_substeps(s);
    pliant__begin_ease(s);
    pliant__begin_history(s);
    pliant__set_h(s, pliant__is_bdf2(m) && !s->begins ? PLIANT__BDF2_SHARE * s->substep_h : s->substep_h);
    pliant__begin_frames(s);
    pliant__begin_tears(s);
    choose_way(s);
    if (!make_room(s, uses_start(s), s->keep_lambda)) return PLIANT_ERROR_MEMORY;
    s->from = pliant__is_bdf2(m) ? state->previous_x : s->start;
    pliant__begin_sleep(s);
    memset(s->restored, 0, model_count(m, bodies));
    memset(&s->statistics, 0, sizeof s->statistics);
    memset(s->seconds, 0, sizeof s->seconds);
    memset(&s->divergence, 0, sizeof s->divergence);
    s->statistics.substeps = s->substeps;
    s->statistics.iterations = s->iterations;
    memset(s->kinds, 0, sizeof s->kinds);
    for (int k = 0; k <= PLIANT_CONSTRAINT_COUNT; k++) s->kinds[k].constraints = m->header->constraint_count[k];
    if (begins_with_start(s)) memcpy(s->start, state->x, pliant__slot_numbers(m->header->slot_count) * sizeof *s->start);
    if (s->before) memcpy(s->before, state->x, pliant__slot_numbers(m->header->slot_count) * sizeof *s->before);
    return PLIANT_OK;
}

/* Kahan's sum: 240 steps of a sixtieth are four seconds. */
void pliant__add_time(pliant__state_header *header, double dt)
{
    double wanted = dt - header->time_lost, sum = header->time + wanted;
    header->time_lost = (sum - header->time) - wanted;
    header->time = sum;
}

void pliant__end_step(const pliant_solver *s, pliant__state_header *header)
{
    header->longest_substep = s->longest_substep;
    header->steps++;
}

/* A caller that sees the state between substeps: how often in a step, and by which function. */
typedef struct part_callback {
    uint32_t parts;
    void (*look)(void *context, const pliant_state *state, uint32_t part);
    void *context;
} part_callback;

/* Shows the state between two substeps, with poses and the time as they are then, in the caller's floating-point environment. */
static void show(pliant_solver *s, const part_callback *l, pliant__float_env before)
{
    uint32_t each = s->substeps / l->parts, done = s->substep + 1;
    if (done % each || done == s->substeps) return;
    double begun = s->state->header->time;
    pliant__end_kinematic(s);
    s->state->header->time = begun + s->inputs->dt * ((double)done / s->substeps);
    pliant__float_leave(before);
    l->look(l->context, s->state, done / each);
    pliant__float_enter();
    s->state->header->time = begun;
}

/* What is moved goes on, from where the substep before has brought it. */
static void begin_leg(pliant_solver *s)
{
    pliant__end_kinematic(s);
    pliant__begin_frames(s);
    pliant__choose_stages(s);
    pliant__begin_kinematic(s);
}

static void pass_time(pliant_solver *s, uint32_t substeps)
{
    if (!s->carries) {
        pliant__add_time(s->state->header, s->inputs->dt);
        return;
    }
    for (uint32_t i = 0; i < substeps; i++) pliant__add_time(s->state->header, s->substep_h); /* the same sum, however steps are cut */
}

static pliant_code take_substep(pliant_solver *s, const part_callback *l, pliant__float_env before)
{
    pliant_code code = PLIANT_OK;
    pliant_span span;
    if (s->carries && s->substep) begin_leg(s);
    pliant__open(s, PLIANT_SPAN_SUBSTEP, &span);
    if (s->energies) pliant__before_substep(s);
    pliant__run_stages(s);
    s->iteration = 0;
    pliant__close(s, &span);
    if (s->divergence.diverged && s->model->header->on_divergence == PLIANT_DIVERGENCE_STOPS) code = PLIANT_ERROR_DIVERGED;
    if (s->pairs->failed) code = PLIANT_ERROR_MEMORY;
    if (s->carries) pass_time(s, 1);
    if (code == PLIANT_OK && l->parts > 1) show(s, l, before);
    return code;
}

/* Takes all substeps at once, where the step can be taken so; false if it cannot, or a speed ran away. */
static bool take_whole(pliant_solver *s)
{
    const enum pliant__way before = s->way;
    if (pliant__takes(s, PLIANT__WAY_STEPS) && pliant__step_by_patches(s)) s->way = PLIANT__WAY_STEPS;
    if (pliant__takes(s, PLIANT__WAY_PARTS) && pliant__step_by_parts(s)) s->way = PLIANT__WAY_PARTS;
    return s->way != before;
}

static pliant_code take_substeps(pliant_solver *s, const part_callback *l, pliant__float_env before)
{
    pliant_code code = PLIANT_OK;
    if (s->def.contacts) pliant__log_begin(s->def.contacts);
    pliant__begin_kinematic(s);
    const bool whole = l->parts == 1 && take_whole(s);
    for (s->substep = 0; s->substep < s->substeps && code == PLIANT_OK && !whole; s->substep++) code = take_substep(s, l, before);
    pliant__count_interactions(s);
    if (s->def.contacts) pliant__log_end(s->def.contacts, s->substeps);
    pliant__end_kinematic(s);
    if (!s->carries || s->way == PLIANT__WAY_STEPS) pass_time(s, s->substeps);
    if (s->def.measure) pliant__run_stage(s, PLIANT_STAGE_MEASURE, pliant__stage_measure);
    return code;
}

/* Makes the cuts of the step that is about to begin. */
static void make_cuts(pliant_solver *s, pliant_state *state, const pliant_inputs *inputs)
{
    pliant__state_header after = *state->header;
    if (!model_count(s->model, cuts)) return;
    s->state = state;
    s->inputs = inputs;
    count_substeps(s);
    for (uint32_t i = 0; i < s->substeps && s->carries; i++) pliant__add_time(&after, s->substep_h);
    if (!s->carries) pliant__add_time(&after, inputs->dt);
    pliant__make_cuts(state, state->header->time, after.time);
}

static pliant_code step(pliant_solver *s, pliant_state *state, const pliant_inputs *inputs, const part_callback *l)
{
    double            began = pliant__clock();
    pliant__float_env before = pliant__float_enter();
    pliant_span       all;
    if (can_step(s, state, inputs)) {
        pliant__teleport(state, inputs);
        make_cuts(s, state, inputs);
    }
    pliant_code code = pliant__begin_step(s, state, inputs);
    if (code == PLIANT_OK) {
        pliant__open(s, PLIANT_SPAN_STEP, &all);
        if (s->energies) pliant__run_stage(s, PLIANT_STAGE_ENERGY, pliant__begin_energies);
        pliant__begin_loads(s);
        if (s->substeps)
            code = take_substeps(s, l, before);
        else if (s->def.contacts)
            pliant__log_nothing(s->def.contacts);
        if (s->carries) *state->carried = s->carried;
        if (s->torn_w) memcpy(s->torn_w, state->free_w, s->model->header->slot_count * sizeof *s->torn_w);
        pliant__end_step(s, state->header);
        if (s->energies) pliant__run_stage(s, PLIANT_STAGE_ENERGY, pliant__end_energies);
        pliant__close(s, &all);
        s->statistics.seconds = pliant__clock() - began;
    }
    pliant__float_leave(before);
    s->state = NULL;
    s->inputs = NULL;
    return code;
}

pliant_code pliant_solver_step(pliant_solver *solver, pliant_state *state, const pliant_inputs *inputs)
{
    return solver ? step(solver, state, inputs, &(part_callback){1, NULL, NULL}) : PLIANT_ERROR_ARGUMENT;
}

pliant_code pliant_solver_step_parts(pliant_solver *solver, pliant_state *state, const pliant_inputs *inputs, uint32_t parts,
                                     void (*look)(void *context, const pliant_state *state, uint32_t part), void *context)
{
    if (!solver || !inputs || !look || !parts || inputs->substeps % parts) return PLIANT_ERROR_ARGUMENT;
    if (!inputs->substeps && parts > 1) return PLIANT_ERROR_ARGUMENT; /* it depends on the state how many there are */
    return step(solver, state, inputs, &(part_callback){parts, look, context});
}
