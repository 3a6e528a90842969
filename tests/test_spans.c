/* The hook for profilers: spans nest, are whole and true, on any threads; no result and no allocation depends on it. */
#include "sample_scenes.h"

#include "compile/model.h"
#include "solver/interactions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 200000u
#define DEPTH 8u

/* What was told, in the order in which spans began. */
static struct tape {
    pliant_span      spans[MOST];
    uint32_t         thread[MOST];
    bool             ended[MOST];
    _Atomic uint32_t count, threads, wrong;
    uint32_t         stepping; /* the thread that steps */
} tape;

static _Thread_local uint32_t here, depth, open[DEPTH], era;
static uint32_t               now;

static uint32_t this_thread(void)
{
    if (era != now) { /* a tape of before */
        era = now;
        depth = 0;
        here = atomic_fetch_add(&tape.threads, 1);
    }
    return here;
}

static void on_begin(pliant_span *span, void *context)
{
    const uint32_t thread = this_thread(), at = atomic_fetch_add(&tape.count, 1);
    if (context != &tape || span->host || depth == DEPTH || at >= MOST) {
        atomic_fetch_add(&tape.wrong, 1);
        return;
    }
    tape.thread[at] = thread;
    open[depth++] = at;
    span->host = at + 1;
}

/* A span ends on the thread that it began on, and after every span that began in it. */
static void on_end(const pliant_span *span, void *context)
{
    const uint32_t thread = this_thread();
    const uint64_t at = span->host - 1;
    if (context != &tape || at >= MOST || !depth || open[--depth] != at || tape.thread[at] != thread || tape.ended[at]) {
        atomic_fetch_add(&tape.wrong, 1);
        return;
    }
    tape.spans[at] = *span;
    tape.ended[at] = true;
}

static void on_end_alone(const pliant_span *span, void *context)
{
    (void)context;
    if (span->host || !(span->end >= span->begin)) atomic_fetch_add(&tape.wrong, 1);
    atomic_fetch_add(&tape.count, 1);
}

static void rewind_tape(void)
{
    now++;
    memset(&tape.ended, 0, sizeof tape.ended);
    atomic_store(&tape.count, 0);
    atomic_store(&tape.threads, 0);
    atomic_store(&tape.wrong, 0);
    tape.stepping = this_thread();
}

/* ---- runs ---- */

typedef struct way {
    uint32_t                 threads;
    host_kind                host;
    bool                     measure, energy;
    const pliant_method_def *method;
} way;

static pliant_solver *solver_of(const pliant_model *model, way how, const pliant_profile *profile)
{
    pliant_solver_def def = sample_solver_def();
    def.threads = how.threads;
    def.tasks = host_tasks(how.host);
    def.measure = how.measure;
    def.energy = how.energy;
    def.method = how.method;
    if (profile) def.profile = *profile;
    pliant_solver *solver = pliant_solver_create(model, &def, NULL);
    assert_non_null(solver);
    return solver;
}

static uint64_t run(const pliant_model *model, const sample *which, uint32_t frames, way how, const pliant_profile *profile)
{
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_solver *solver = solver_of(model, how, profile);
    sample_frames(which, solver, state, inputs, 0, frames);
    const uint64_t hash = pliant_state_hash(state);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    return hash;
}

/* ---- what was told ---- */

static bool lies_in(const pliant_span *inner, const pliant_span *outer) { return inner->begin >= outer->begin && inner->end <= outer->end; }

/* Of one thread, as they began: each lies in the last one that has not ended, or after it. */
static bool all_nest(void)
{
    bool good = true;
    for (uint32_t t = 0; t < tape.threads; t++) {
        uint32_t around[DEPTH], deep = 0;
        for (uint32_t i = 0; i < tape.count; i++) {
            if (tape.thread[i] != t) continue;
            while (deep && tape.spans[around[deep - 1]].end <= tape.spans[i].begin) deep--;
            good = good && tape.ended[i] && tape.spans[i].end >= tape.spans[i].begin && deep < DEPTH;
            good = good && (!deep || (lies_in(&tape.spans[i], &tape.spans[around[deep - 1]]) &&
                                      tape.spans[i].kind > tape.spans[around[deep - 1]].kind));
            around[deep++] = i;
        }
    }
    return good;
}

typedef struct told {
    uint64_t steps, substeps, rows, whole; /* rows solved in patches while projecting, and in whole steps of these */
    uint64_t stages[PLIANT_STAGE_COUNT], patches, tasks;
} told;

static const char *patch_name(const pliant_model *m, uint32_t number)
{
    const pliant__patch *p = &m->patches[number];
    return p->groups ? "tile" : p->first_listed == PLIANT__NONE ? "range" : "list";
}

static uint32_t round_of(const pliant_model *m, uint32_t number)
{
    uint32_t r = 0;
    while (number >= m->rounds[r].first_patch + m->rounds[r].patch_count) r++;
    return r;
}

/* Stages in which interactions act are told interaction by interaction. */
static bool interactions_act(uint32_t stage)
{
    return stage == PLIANT_STAGE_FIND || stage == PLIANT_STAGE_NOTE || stage == PLIANT_STAGE_HOLD || stage == PLIANT_STAGE_SETTLE;
}

static bool is_name_in_stage(const pliant_span *s)
{
    const char  *stage = pliant_stage_name((pliant_stage)s->stage);
    const size_t length = strlen(stage);
    bool         is = false;
    if (!interactions_act(s->stage)) return s->name == stage;
    for (int i = 0; i < PLIANT__INTERACTION_COUNT && !strncmp(s->name, stage, length) && s->name[length] == ' '; i++)
        is = is || !strcmp(s->name + length + 1, pliant__interaction_names[i]);
    return is;
}

/* Steps, substeps and stages are the stepping thread's; patches and tasks lie in the stage that they say, on its time. */
static told look(const pliant_model *m)
{
    told               t = {0};
    bool               good = true;
    const uint32_t     iterations = pliant_model_settings(m).iterations;
    const pliant_span *step = NULL, *substep = NULL, *stage = NULL;
    for (uint32_t i = 0; i < tape.count; i++) {
        const pliant_span *s = &tape.spans[i];
        const bool         stepping = tape.thread[i] == tape.stepping;
        if (s->kind == PLIANT_SPAN_STEP) {
            good = good && stepping && !strcmp(s->name, "step") && s->stage == PLIANT_STAGE_COUNT &&
                   s->particles == m->header->particle_count && s->constraints == m->header->solved_count && s->step == t.steps;
            step = s;
            substep = NULL;
            t.steps++;
        } else if (s->kind == PLIANT_SPAN_SUBSTEP) {
            good = good && stepping && step && !strcmp(s->name, "substep") && lies_in(s, step) &&
                   s->substep == (substep ? substep->substep + 1 : 0);
            substep = s;
            t.substeps++;
        } else if (s->kind == PLIANT_SPAN_STAGE) {
            const bool of_step = s->stage == PLIANT_STAGE_MEASURE || s->stage == PLIANT_STAGE_ENERGY;
            good = good && stepping && step && s->stage < PLIANT_STAGE_COUNT && is_name_in_stage(s) &&
                   (of_step ? lies_in(s, step) : substep && lies_in(s, substep) && s->substep == substep->substep);
            stage = s;
            if (good) t.stages[s->stage]++;
        } else if (s->stage == PLIANT_STAGE_COUNT) { /* a whole step of a patch */
            good = good && s->kind == PLIANT_SPAN_PATCH && step && lies_in(s, step) && !strcmp(s->name, patch_name(m, s->first));
            t.whole += (uint64_t)s->count * s->constraints;
        } else {
            good = good && stage && s->stage == stage->stage && s->substep == stage->substep && s->step == step->step && lies_in(s, stage);
            if (s->kind == PLIANT_SPAN_TASKS) good = good && s->count && s->name == stage->name;
            if (s->kind == PLIANT_SPAN_PATCH)
                good = good && s->first < model_count(m, patches) && !strcmp(s->name, patch_name(m, s->first)) &&
                       s->round == round_of(m, s->first) && s->particles == m->patches[s->first].slot_count;
            t.patches += s->kind == PLIANT_SPAN_PATCH;
            t.tasks += s->kind == PLIANT_SPAN_TASKS;
            if (s->kind == PLIANT_SPAN_PATCH && s->stage == PLIANT_STAGE_PROJECT && s->iteration < iterations) t.rows += s->constraints;
        }
    }
    assert_true(good);
    return t;
}

/* ---- the laws ---- */

static told check_run(const pliant_model *model, const sample *which, uint32_t frames, way how)
{
    const pliant_profile profile = {on_begin, on_end, &tape};
    const uint64_t       expected = run(model, which, frames, how, NULL);
    rewind_tape();
    assert_int_equal(run(model, which, frames, how, &profile), expected);
    assert_int_equal(tape.wrong, 0);
    assert_in_range(tape.count, 1, MOST);
    assert_true(all_nest());
    const told t = look(model);
    assert_int_equal(t.steps, frames);
    for (uint32_t i = 0; i < PLIANT_STAGE_MEASURE; i++)
        assert_true(t.stages[i] == 0 || t.stages[i] == t.substeps || (interactions_act(i) && t.stages[i] % t.substeps == 0));
    assert_int_equal(t.stages[PLIANT_STAGE_PROJECT], t.substeps);
    assert_int_equal(t.stages[PLIANT_STAGE_MEASURE], how.measure ? frames : 0);
    assert_int_equal(t.stages[PLIANT_STAGE_ENERGY], how.energy ? 2 * frames : 0);
    return t;
}

/* A host may run tasks on threads of its own, while the one that steps runs some too. */
static void spans_nest_and_say_what_ran_on_all_threads(void **unused)
{
    static const way ways[] = {{.threads = 1},
                               {.threads = 2},
                               {.threads = 3, .measure = true, .energy = true},
                               {.host = HOST_ONE_AT_A_TIME},
                               {.host = HOST_RANDOM, .measure = true, .energy = true},
                               {.host = HOST_THREADS}};
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++) {
        pliant_model          *model = sample_model(&samples[i]);
        const pliant_scene_def settings = pliant_model_settings(model);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            const told t = check_run(model, &samples[i], 2, ways[w]);
            if (settings.method.method == PLIANT_METHOD_GAUSS_SEIDEL)
                assert_int_equal(t.rows, t.substeps * settings.iterations * model->header->solved_count);
        }
        pliant_model_destroy(model);
    }
}

static pliant_scene *build_sheet(const pliant_allocator *allocator)
{
    pliant_scene_def settings = pliant_scene_def_default();
    pliant_cloth_def cloth = pliant_cloth_def_default();
    const uint32_t   pin = 0;
    if (allocator) settings.allocator = *allocator;
    settings.substeps = 3;
    cloth.cells_x = cloth.cells_z = 199;
    pliant_scene *scene = pliant_scene_create(&settings, NULL);
    pliant_body   body = pliant_scene_add_cloth(scene, &cloth, NULL);
    assert_int_equal(pliant_scene_pin(scene, body, &pin, 1, true, NULL), PLIANT_OK);
    return scene;
}

/* Where stages are done together, patch by patch. */
static void every_constraint_is_in_one_patch_of_a_substep(void **unused)
{
    const sample  sheet = {"sheet", 3, build_sheet, NULL};
    pliant_model *model = sample_model(&sheet);
    (void)unused;
    assert_true(model_count(model, patches) > 4 && model_count(model, rounds) > 1);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        const told t = check_run(model, &sheet, 3, (way){.threads = threads});
        assert_int_equal(t.substeps, 9);
        assert_int_equal(t.patches, 9 * model_count(model, patches));
        assert_int_equal(t.rows, 9 * (uint64_t)model->header->solved_count);
    }
    pliant_model_destroy(model);
}

static pliant_scene *build_rope(const pliant_allocator *allocator)
{
    pliant_scene_def settings = pliant_scene_def_default();
    pliant_rope_def  rope = pliant_rope_def_default();
    const uint32_t   pin = 0;
    if (allocator) settings.allocator = *allocator;
    settings.substeps = 2;
    settings.iterations = 3;
    rope.bend = false; /* newton needs no factors then */
    pliant_scene *scene = pliant_scene_create(&settings, NULL);
    pliant_body   body = pliant_scene_add_rope(scene, &rope, NULL);
    assert_int_equal(pliant_scene_pin(scene, body, &pin, 1, true, NULL), PLIANT_OK);
    return scene;
}

static pliant_scene *build_handkerchief(const pliant_allocator *allocator)
{
    pliant_scene_def settings = pliant_scene_def_default();
    pliant_cloth_def cloth = pliant_cloth_def_default();
    if (allocator) settings.allocator = *allocator;
    settings.substeps = 3;
    cloth.cells_x = cloth.cells_z = 12;
    pliant_scene *scene = pliant_scene_create(&settings, NULL);
    assert_int_equal(pliant_scene_add_cloth(scene, &cloth, NULL).id, 1);
    return scene;
}

/* Where a patch goes through all substeps at one go there are no stages. */
static void a_patch_may_go_through_a_whole_step(void **unused)
{
    const sample  handkerchief = {"handkerchief", 3, build_handkerchief, NULL};
    pliant_model *model = sample_model(&handkerchief);
    (void)unused;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        const told t = check_run(model, &handkerchief, 3, (way){.threads = threads});
        assert_int_equal(t.substeps, 0);
        assert_int_equal(t.whole, 9 * (uint64_t)model->header->solved_count);
    }
    pliant_model_destroy(model);
}

/* States that go through a step in lanes have no step of their own: there are the groups of 16 alone, and how many steps the first had taken. */
static void groups_of_states_say_which_step_they_take(void **unused)
{
    enum { STATES = 32, FRAMES = 3 };
    const sample         handkerchief = {"handkerchief", 3, build_handkerchief, NULL};
    const pliant_profile profile = {on_begin, on_end, &tape};
    pliant_model        *model = sample_model(&handkerchief);
    pliant_state        *states[STATES];
    const pliant_inputs *all[STATES];
    pliant_inputs       *inputs = pliant_inputs_create(model, NULL);
    pliant_solver_def    def = sample_solver_def();
    (void)unused;
    def.threads = 2;
    def.many = true;
    def.profile = profile;
    pliant_solver *solver = pliant_solver_create(model, &def, NULL);
    assert_non_null(solver);
    for (uint32_t i = 0; i < STATES; i++) {
        assert_non_null(states[i] = pliant_state_create(model, NULL));
        all[i] = inputs;
    }
    for (uint64_t f = 0; f < FRAMES; f++) {
        uint32_t groups = 0;
        rewind_tape();
        assert_int_equal(pliant_inputs_reset(inputs, 1.0 / 64), PLIANT_OK);
        assert_int_equal(pliant_solver_step_many(solver, states, all, STATES, NULL), PLIANT_OK);
        assert_int_equal(tape.wrong, 0);
        for (uint32_t i = 0; i < tape.count; i++) {
            const pliant_span *s = &tape.spans[i];
            assert_true(s->kind == PLIANT_SPAN_TASKS && s->stage == PLIANT_STAGE_COUNT && s->step == f);
            assert_string_equal(s->name, "tasks");
            groups += s->count;
        }
        assert_int_equal(groups, STATES / 16);
    }
    for (uint32_t i = 0; i < STATES; i++) pliant_state_destroy(states[i]);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_model_destroy(model);
}

static void every_method_can_be_watched(void **unused)
{
    const sample rope = {"rope", 3, build_rope, NULL}, *const tried[] = {&rope, sample_named("curtain")};
    bool taken[PLIANT_METHOD_COUNT] = {false};
    (void)unused;
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
        pliant_model *model = sample_model(tried[k]);
        for (int i = 0; i < PLIANT_METHOD_COUNT; i++) {
            pliant_method_def def = pliant_method_def_default();
            def.method = (pliant_method)i;
            if (!pliant_method_takes(model, &def, NULL) || pliant_method_wants_linear(model, &def, NULL)) continue;
            check_run(model, tried[k], 2, (way){.threads = 2, .method = &def});
            taken[i] = true;
        }
        pliant_model_destroy(model);
    }
    for (int i = 0; i < PLIANT_METHOD_COUNT; i++) assert_true(taken[i]);
}

static void watched_steps_allocate_nothing_once_warm(void **unused)
{
    const pliant_profile   profile = {on_begin, on_end, &tape};
    const sample           sheet = {"sheet", 3, build_sheet, NULL};
    tally                  memory;
    const pliant_allocator allocator = tally_allocator(&memory);
    (void)unused;
    for (int k = 0; k < 2; k++) {
        const sample  *which = k ? sample_named("curtain") : &sheet;
        pliant_scene  *scene = which->build(&allocator);
        pliant_model  *model = pliant_scene_compile(scene, NULL);
        pliant_state  *state = pliant_state_create(model, NULL);
        pliant_inputs *inputs = pliant_inputs_create(model, NULL);
        pliant_solver *solver = solver_of(model, (way){.threads = 2}, &profile);
        rewind_tape();
        sample_frames(which, solver, state, inputs, 0, 2);
        const size_t warm = memory.calls;
        assert_true(warm > 0);
        sample_frames(which, solver, state, inputs, 2, 1);
        assert_int_equal(memory.calls, warm);
        pliant_solver_destroy(solver);
        pliant_inputs_destroy(inputs);
        pliant_state_destroy(state);
        pliant_model_destroy(model);
        pliant_scene_destroy(scene);
    }
}

static void begin_may_be_left_out_and_end_may_not(void **unused)
{
    const sample     *which = sample_named("jelly");
    pliant_model     *model = sample_model(which);
    pliant_solver_def def = sample_solver_def();
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    (void)unused;
    rewind_tape();
    const pliant_profile both = {on_begin, on_end, &tape}, end = {NULL, on_end_alone, NULL};
    run(model, which, 2, (way){.threads = 1}, &both);
    const uint32_t count = tape.count;
    rewind_tape();
    run(model, which, 2, (way){.threads = 1}, &end);
    assert_int_equal(tape.count, count);
    assert_int_equal(tape.wrong, 0);
    def.profile.begin = on_begin;
    assert_null(pliant_solver_create(model, &def, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.message, "profile has begin but no end");
    pliant_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_nest_and_say_what_ran_on_all_threads),
        cmocka_unit_test(every_constraint_is_in_one_patch_of_a_substep),
        cmocka_unit_test(a_patch_may_go_through_a_whole_step),
        cmocka_unit_test(groups_of_states_say_which_step_they_take),
        cmocka_unit_test(every_method_can_be_watched),
        cmocka_unit_test(watched_steps_allocate_nothing_once_warm),
        cmocka_unit_test(begin_may_be_left_out_and_end_may_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
