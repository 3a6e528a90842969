/* Every scene to its end, but for the longest, as test_solver.c runs the beginnings: the host's threads or Pliant's, in which floating-point
 * environment, and whether the solver is made anew after every frame, changes no bit. Their beginnings in each width, on some threads, and with a
 * host that makes threads for each batch of tasks. */
#include "scene_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct way {
    const char *name;
    run_way     how;
} ways[] = {
    {"reverse", {.host = HOST_REVERSE}}, {"late", {.host = HOST_LATE}},
    {"shuffled", {.host = HOST_RANDOM}}, {"odd caller, odd host", {.odd_step = true, .host = HOST_ODD}},
    {"rebuilt", {.rebuild = true}},
};

/* Five hundred jellies take as long as all others together; they have met after a second. long_determinism.sh brings them to their end. */
static uint32_t frames_of(const scene_file *which, uint32_t frames) { return strcmp(which->name, "jellies") ? frames : 60; }

static void hosts_and_new_solvers_change_no_bit_to_the_end(void **unused)
{
    bool good = true;
    (void)unused;
    for (uint32_t i = 0; i < scene_file_count; i++) {
        uint32_t      frames;
        pliant_model *model = scene_file_model(&scene_files[i], &frames);
        frames = frames_of(&scene_files[i], frames);
        const outcome expected = sample_run(model, &scene_file_program, frames, (run_way){.width = 1});
        for (uint32_t k = 0; k < sizeof ways / sizeof *ways; k++)
            good &=
                outcomes_agree(scene_files[i].name, ways[k].name, k, sample_run(model, &scene_file_program, frames, ways[k].how), expected);
        const pliant_build_info build = pliant_build();
        const uint32_t          first = scene_files[i].frames;
        const outcome           begun = sample_run(model, &scene_file_program, first, (run_way){.width = 1});
        good &= outcomes_agree(scene_files[i].name, "fresh threads", first,
                               sample_run(model, &scene_file_program, first, (run_way){.host = HOST_FRESH}), begun);
        for (uint32_t w = 0; w < build.width_count; w++)
            if (build.runs[w] && build.widths[w] > 1)
                good &= outcomes_agree(scene_files[i].name, "width", build.widths[w],
                                       sample_run(model, &scene_file_program, first, (run_way){.width = build.widths[w]}), begun);
        for (uint32_t threads = 1; threads <= 8; threads *= 2)
            good &= outcomes_agree(scene_files[i].name, "threads", threads,
                                   sample_run(model, &scene_file_program, first, (run_way){.threads = threads}), begun);
        assert_int_equal(host_disturbed(), 0);
        pliant_model_destroy(model);
    }
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hosts_and_new_solvers_change_no_bit_to_the_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
