/* The table of stages, walked once per substep. */
#include "step/stages.h"

#include "base/clock.h"
#include "solver/interactions.h"
#include "solver/profile.h"
#include "solver/solver.h"
#include "solver/ways.h"
#include "state/inputs.h"
#include "state/state.h"
#include "step/step.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* ---- the table ---- */

typedef struct stage_row {
    const char *name;
    void (*run)(pliant_solver *s); /* NULL: each interaction has its function, `hook` bytes into its row */
    size_t   hook;
    uint32_t acts;     /* which of the stages that interactions act in it is */
    bool     reversed; /* interactions are called the last one first */
    bool (*wanted)(const pliant_solver *s);
    enum pliant__place (*place)(const pliant_solver *s);
    bool (*by_parts)(const pliant_solver *s);
} stage_row;

#define X(NAME, name, call, place, parts, when, text)                 \
    static bool wants_##name(const pliant_solver *s)                  \
    {                                                                 \
        (void)s;                                                      \
        return when;                                                  \
    }                                                                 \
    static enum pliant__place place_of_##name(const pliant_solver *s) \
    {                                                                 \
        (void)s;                                                      \
        return place;                                                 \
    }                                                                 \
    static bool goes_by_parts_##name(const pliant_solver *s)          \
    {                                                                 \
        (void)s;                                                      \
        return parts;                                                 \
    }
SUBSTEP_STAGES(X)
#undef X

/* Stages that interactions act in, by the function that they call. */
enum acts {
#define ONCE(function)
#define EACH(function) ACTS_##function,
#define X(NAME, name, call, place, parts, when, text) call
    SUBSTEP_STAGES(X)
#undef X
#undef ONCE
#undef EACH
        ACTS_COUNT
};
_Static_assert(ACTS_COUNT == PLIANT__ACTING_STAGES, "solver.h counts them, and names of what interactions do in each are below");

/* Stages by their places in the table, which is the order of pliant_stage, too. */
enum table_order {
#define X(NAME, ...) ORDER_##NAME,
    SUBSTEP_STAGES(X)
#undef X
};
#define X(NAME, ...)                                              \
    _Static_assert((int)ORDER_##NAME == (int)PLIANT_STAGE_##NAME, \
                   #NAME " stands elsewhere in pliant_stage (pliant/solver.h) than in SUBSTEP_STAGES");
SUBSTEP_STAGES(X)
#undef X

#define ONCE(function) function, 0, 0
#define EACH(function) NULL, offsetof(pliant__interaction, function), ACTS_##function
static const stage_row stages[PLIANT_STAGE_MEASURE] = {
#define X(NAME, name, call, place, parts, when, text) \
    [PLIANT_STAGE_##NAME] = {#name, call, PLIANT_STAGE_##NAME == PLIANT_STAGE_SETTLE, wants_##name, place_of_##name, goes_by_parts_##name},
    SUBSTEP_STAGES(X)
#undef X
};

#undef ONCE
#undef EACH

const char *pliant_stage_name(pliant_stage number)
{
    if (number == PLIANT_STAGE_MEASURE) return "measure";
    if (number == PLIANT_STAGE_ENERGY) return "energy";
    return (unsigned)number < PLIANT_STAGE_MEASURE ? stages[number].name : NULL;
}

/* ---- what a step wants of it ---- */

/* Whether kernels that open and close patches (enter, leave, move_on) do a stage: another one must not have such a place. */
static bool kernels_do(int stage, enum pliant__place place)
{
    switch (place) {
    case PLIANT__OPENS: return stage == PLIANT_STAGE_FORCES || stage == PLIANT_STAGE_PREDICT;
    case PLIANT__SOLVES: return stage == PLIANT_STAGE_PROJECT;
    case PLIANT__CLOSES: return stage == PLIANT_STAGE_VELOCITIES || stage == PLIANT_STAGE_GUARD;
    default: return true;
    }
}

_Static_assert(PLIANT_STAGE_MEASURE <= 32, "a solver notes in 32 bits which stages a step wants");

void pliant__choose_stages(pliant_solver *s)
{
    s->stages = 0;
    for (int i = 0; i < PLIANT_STAGE_MEASURE; i++)
        if (stages[i].wanted(s)) s->stages |= 1u << i;
}

static bool is_wanted(const pliant_solver *s, int stage) { return s->stages >> stage & 1; }

uint32_t pliant__places_of(const pliant_solver *s)
{
    uint32_t places = s->interacting ? 1u << PLIANT__APART : 0;
    for (int i = 0; i < PLIANT_STAGE_MEASURE; i++)
        if (is_wanted(s, i)) {
            const enum pliant__place place = stages[i].place(s);
            places |= 1u << (kernels_do(i, place) ? place : PLIANT__APART);
        }
    return places;
}

bool pliant__stages_go_by_parts(const pliant_solver *s)
{
    bool all = true;
    for (int i = 0; i < PLIANT_STAGE_MEASURE && all; i++) all = !is_wanted(s, i) || stages[i].by_parts(s);
    return all;
}

/* ---- calls ---- */

/* Runs a stage, or an interaction's part of it, under its name. */
static void call(pliant_solver *s, pliant_stage stage, const char *name, void (*run)(pliant_solver *s), double *seconds)
{
    const double before = s->def.timing ? pliant__clock() : 0;
    pliant_span  span;
    s->stage = stage;
    s->running = name;
    pliant__open(s, PLIANT_SPAN_STAGE, &span);
    assert(s->state->header->model == s->model->header->hash && s->inputs->model->header->hash == s->model->header->hash);
    run(s);
    pliant__close(s, &span);
    s->stage = PLIANT_STAGE_COUNT;
    s->running = NULL;
    if (s->def.timing) *seconds += pliant__clock() - before;
}

void pliant__run_stage(pliant_solver *s, pliant_stage stage, void (*run)(pliant_solver *s))
{
    call(s, stage, pliant_stage_name(stage), run, &s->seconds[stage]);
}

/* What an interaction does in a stage, by name. */
static const char *const acts[ACTS_COUNT][PLIANT__INTERACTION_COUNT] = {
#define X(NAME, name, text) "find " #name,
    [ACTS_find] = {INTERACTIONS(X)},
#undef X
#define X(NAME, name, text) "note " #name,
    [ACTS_note] = {INTERACTIONS(X)},
#undef X
#define X(NAME, name, text) "hold " #name,
    [ACTS_hold] = {INTERACTIONS(X)},
#undef X
#define X(NAME, name, text) "settle " #name,
    [ACTS_settle] = {INTERACTIONS(X)}
#undef X
};

/* Where an interaction's time in a stage is counted: behind the stages, for each that interactions act in. */
static uint32_t seconds_of(pliant_stage stage, uint32_t interaction)
{
    return PLIANT_STAGE_COUNT + stages[stage].acts * PLIANT__INTERACTION_COUNT + interaction;
}

static void run_each(pliant_solver *s, pliant_stage stage)
{
    for (uint32_t k = 0; k < PLIANT__INTERACTION_COUNT; k++) {
        const uint32_t i = stages[stage].reversed ? PLIANT__INTERACTION_COUNT - 1 - k : k;
        void (*run)(pliant_solver * s);
        memcpy(&run, (const char *)pliant__interactions[i] + stages[stage].hook, sizeof run);
        if (!run || !(s->interacting >> i & 1)) continue;
        call(s, stage, acts[stages[stage].acts][i], run, &s->seconds[seconds_of(stage, i)]);
    }
}

void pliant__run_stages(pliant_solver *s)
{
    for (int i = 0; i < PLIANT_STAGE_MEASURE; i++)
        if (is_wanted(s, i)) {
            if (stages[i].run)
                pliant__run_stage(s, (pliant_stage)i, stages[i].run);
            else
                run_each(s, (pliant_stage)i);
        }
}

uint32_t pliant_solver_stage_times(const pliant_solver *s, pliant_stage_time *out, uint32_t capacity)
{
    uint32_t count = 0;
    for (int i = 0; s && i < PLIANT_STAGE_COUNT; i++) {
        const bool each = i < PLIANT_STAGE_MEASURE && !stages[i].run;
        for (uint32_t k = 0; k < (each ? PLIANT__INTERACTION_COUNT : 1); k++, count++)
            if (count < capacity && out)
                out[count] =
                    (pliant_stage_time){(pliant_stage)i, pliant_stage_name((pliant_stage)i), each ? pliant__interaction_names[k] : NULL,
                                        s->seconds[each ? seconds_of((pliant_stage)i, k) : (uint32_t)i]};
    }
    return count;
}

double pliant_solver_stage_seconds(const pliant_solver *s, pliant_stage stage, const char *interaction)
{
    pliant_stage_time time[PLIANT__STEP_CALLS];
    double            sum = 0;
    for (uint32_t i = 0, count = pliant_solver_stage_times(s, time, PLIANT__STEP_CALLS); i < count; i++)
        if (time[i].stage == stage && (!interaction || (time[i].interaction && !strcmp(time[i].interaction, interaction))))
            sum += time[i].seconds;
    return sum;
}
