/* Laws of what is handed out to threads: each index of a job runs once, whatever shares of indices threads take; stages with little work are done by the thread
 * that steps, stages with much are handed out, and it makes no difference to the result. */
#define _POSIX_C_SOURCE 200809L
#include "trial.h"

#include "base/threads.h"
#include "solver/solver.h"
#include "solver/tasks.h"

#include <stdatomic.h>

/* ---- the pool ---- */

#define MOST 1000u

static void count_index(void *data, uint32_t index) { atomic_fetch_add((atomic_uint *)data + index, 1); }

static void each_index_runs_once(void **unused)
{
    (void)unused;
    static atomic_uint runs[MOST + 1];
    for (uint32_t threads = 1; threads <= 4; threads++) {
        pliant__pool *pool = pliant__pool_create(NULL, threads);
        assert_non_null(pool);
        for (uint32_t count = 0; count <= MOST; count += count < 100 ? 1 : 97) {
            for (uint32_t i = 0; i <= MOST; i++) atomic_store(&runs[i], 0);
            pliant__pool_run(pool, count_index, runs, count);
            for (uint32_t i = 0; i <= MOST; i++)
                if (atomic_load(&runs[i]) != (i < count)) fail_msg("%u threads, %u indices: %u ran %u times", threads, count, i, runs[i]);
        }
        pliant__pool_destroy(pool);
    }
}

#define THREADS 3u

/* Which thread ran an index: its own address of this variable. */
static _Thread_local char here;

typedef struct meeting {
    atomic_uint come;
    const char *ran[THREADS];
} meeting;

/* Waits until each thread has come, so that each runs one index. */
static void meet_others(void *data, uint32_t index)
{
    meeting *m = data;
    m->ran[index] = &here;
    atomic_fetch_add(&m->come, 1);
    for (uint32_t spins = 0; atomic_load(&m->come) < THREADS; spins++) pliant__relax(spins);
}

#define JOBS 1000u

/* What indices stand for stays with the thread that has them, in its caches. A thread that is late from the job before may take an index of another one; hardly ever. */
static void each_thread_begins_with_its_own_indices(void **unused)
{
    (void)unused;
    pliant__pool *pool = pliant__pool_create(NULL, THREADS);
    const char   *before[THREADS] = {&here};
    uint32_t      same[THREADS] = {0};
    assert_non_null(pool);
    for (uint32_t job = 0; job < JOBS; job++) {
        meeting m = {0};
        pliant__pool_run(pool, meet_others, &m, THREADS);
        for (uint32_t i = 0; i < THREADS; i++) {
            same[i] += m.ran[i] == before[i];
            if (i) before[i] = m.ran[i];
        }
    }
    pliant__pool_destroy(pool);
    for (uint32_t i = 0; i < THREADS; i++)
        if (same[i] < JOBS * 3 / 4) fail_msg("index %u stayed with its thread in %u of %u jobs", i, same[i], JOBS);
}

/* ---- stages ---- */

/* A host that runs what it gets at once, and counts how often it is asked. */
static void count_jobs(void (*task)(void *data, uint32_t index), void *data, uint32_t count, void *context)
{
    ++*(uint32_t *)context;
    for (uint32_t i = 0; i < count; i++) task(data, i);
}

static void wait_for_nothing(void *context) { (void)context; }

/* Sheets, each on a ball or in free fall: one that meets itself, or several that do not. */
static pliant_model *sheets(uint32_t side, uint32_t bodies, bool balls)
{
    pliant_error        error = {.code = PLIANT_OK};
    pliant_scene       *scene = pliant_scene_create(NULL, &error);
    pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    ball.radius = R(0.4);
    for (uint32_t i = 0; i < bodies; i++) {
        pliant_cloth_def d = pliant_cloth_def_default();
        d.cells_x = d.cells_z = side - 1;
        d.size_x = d.size_z = 1;
        d.bend = PLIANT_BEND_DISTANCE;
        d.material.thickness = R(0.005);
        d.body.self_contact = bodies == 1;
        d.body.placement.position = vec(3.0 * i, 0.42, 0);
        ball.pose.position = vec(3.0 * i, 0, 0);
        if (!pliant_scene_add_cloth(scene, &d, &error).id) fail_msg("%s", error.message);
        if (balls && !pliant_scene_add_collider(scene, &ball, &error).id) fail_msg("%s", error.message);
    }
    pliant_model *model = pliant_scene_compile(scene, &error);
    assert_non_null(model);
    pliant_scene_destroy(scene);
    return model;
}

/* Takes some steps; `all`: whatever can be handed out is. Returns how often the host was asked. */
static uint32_t jobs_of(const pliant_model *model, bool all, uint64_t *hash)
{
    uint32_t          jobs = 0;
    pliant_error      error = {.code = PLIANT_OK};
    pliant_solver_def def = pliant_solver_def_default();
    def.tasks = (pliant_tasks){count_jobs, wait_for_nothing, &jobs};
    pliant_solver *solver = pliant_solver_create(model, &def, &error);
    pliant_state  *state = pliant_state_create(model, &error);
    pliant_inputs *inputs = pliant_inputs_create(model, &error);
    assert_true(solver && state && inputs);
    solver->least_work = all ? 0 : PLIANT__LEAST_WORK;
    for (int i = 0; i < 4; i++) {
        pliant_inputs_reset(inputs, 1.0 / 60);
        assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
    }
    *hash = pliant_state_hash(state);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_solver_destroy(solver);
    return jobs;
}

static void little_work_is_not_handed_out(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t side, bodies;
        bool     balls;
        bool     much; /* to do */
    } scenes[] = {
        {16, 1, true, false}, {6, 4, true, false},   {100, 1, true, true},
        {32, 8, true, true},  {18, 4, false, false}, /* whole steps, patch by patch */
        {40, 8, false, true},
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        pliant_model  *model = sheets(scenes[i].side, scenes[i].bodies, scenes[i].balls);
        uint64_t       hash[2];
        const uint32_t some = jobs_of(model, false, &hash[0]), all = jobs_of(model, true, &hash[1]);
        if ((some > 0) != scenes[i].much || !all || some > all)
            fail_msg("scene %zu, %u sheets of %u x %u: %u jobs, %u where all is handed out", i, scenes[i].bodies, scenes[i].side,
                     scenes[i].side, some, all);
        assert_true(hash[0] == hash[1]);
        pliant_model_destroy(model);
    }
}

/* What a solver hands out follows from how large the model is, from its threads and from the environment, which tests set. */
static void what_is_handed_out_follows_from_the_model_and_its_threads(void **unused)
{
    (void)unused;
    static const char *const said[] = {NULL, "", "all", "none"};
    for (uint32_t large = 0; large < 2; large++) {
        pliant_model  *model = sheets(large ? 91 : 90, 1, false); /* 8281 particles, or 8100 */
        const uint64_t least = large ? PLIANT__LEAST_SPREAD : PLIANT__LEAST_WORK;
        for (size_t i = 0; i < 4; i++)
            for (uint32_t threads = 0; threads <= 2; threads++) { /* 0: the host's */
                uint32_t          jobs = 0;
                pliant_solver_def def = pliant_solver_def_default();
                def.threads = threads ? threads : 1;
                if (!threads) def.tasks = (pliant_tasks){count_jobs, wait_for_nothing, &jobs};
                assert_int_equal(said[i] ? setenv("PLIANT_HAND_OUT", said[i], 1) : unsetenv("PLIANT_HAND_OUT"), 0);
                pliant_solver *solver = pliant_solver_create(model, &def, NULL);
                assert_non_null(solver);
                assert_int_equal(solver->least_work, i == 2 || threads == 1 ? 0 : threads ? least : PLIANT__LEAST_WORK);
                pliant_solver_destroy(solver);
            }
        pliant_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_index_runs_once), cmocka_unit_test(each_thread_begins_with_its_own_indices),
                                       cmocka_unit_test(little_work_is_not_handed_out),
                                       cmocka_unit_test(what_is_handed_out_follows_from_the_model_and_its_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
