/* Laws of pairs in memory: the result depends on no thread, width or solver; rows keep their colours, candidates are in the order of their parts; where there
 * is no room a step says so. */
#include "more.h"
#include "pair_scenes.h"

#include "compile/model.h"
#include "solver/solver.h"
#include "contact/pairs.h"
#include "solver/pair_kernels.h"
#include "state/state.h"

/* ---- the same bits ---- */

static void threads_and_solvers_do_not_matter(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t width, threads;
        bool     anew; /* the solver is thrown away after every step */
    } ways[] = {{1, 1, false}, {0, 2, false}, {4, 1, true}};
    static const pliant_contact_bound bounds[] = {PLIANT_CONTACT_BOUND_PATHS, PLIANT_CONTACT_BOUND_SPEED, PLIANT_CONTACT_BOUND_CONTINUOUS};
    for (size_t i = 0; i < 3 * PAIR_SCENES; i++) {
        const pair_scene *scene = &pair_scenes[i / 3];
        uint64_t          hash = 0;
        if ((i / 3 + this_turn()) % 3 != i % 3 && !takes_its_time()) continue; /* two scenes for each bound */
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            trial             w;
            pliant_solver_def def = pliant_solver_def_default();
            def.width = ways[k].width;
            def.threads = ways[k].threads;
            begin_pairs(&w, scene, bounds[i % 3]);
            pliant_error   error = {.code = PLIANT_OK};
            pliant_solver *solver = pliant_solver_create(w.model, &def, &error);
            for (uint32_t step = 0; step < scene->steps / 2 && error.code != PLIANT_ERROR_UNAVAILABLE; step++) {
                assert_non_null(solver);
                pliant_inputs_reset(w.inputs, DT);
                assert_int_equal(pliant_solver_step(solver, w.state, w.inputs), PLIANT_OK);
                if (!ways[k].anew) continue;
                pliant_solver_destroy(solver);
                solver = pliant_solver_create(w.model, &def, NULL);
            }
            const uint64_t now = error.code == PLIANT_ERROR_UNAVAILABLE ? hash : pliant_state_hash(w.state); /* a build of one width */
            if (k && now != hash) fail_msg("%s: another hash with %u lanes and %u threads", scene->name, ways[k].width, ways[k].threads);
            hash = now;
            pliant_solver_destroy(solver);
            trial_end(&w);
        }
    }
}

/* ---- their order ---- */

typedef struct coloured {
    uint32_t slot[4], colour;
} coloured;

static int by_slots(const void *a, const void *b) { return memcmp(a, b, 4 * sizeof(uint32_t)); }

/* Rows of the last substep with their colours; how many. */
static size_t list_coloured(const pliant__pairs *p, coloured *out, size_t room)
{
    size_t count = 0;
    for (uint32_t c = 0; c < PLIANT__PAIR_COLOURS; c++)
        for (uint32_t b = p->first[c]; b < p->first[c + 1]; b++)
            for (uint32_t i = 0; i < PLIANT__BLOCK; i++) {
                if (!(p->rows.data[b].rows >> i & 1)) continue;
                assert_true(count < room);
                for (uint32_t k = 0; k < 4; k++) out[count].slot[k] = p->rows.data[b].at.slot[k][i];
                out[count++].colour = c;
            }
    qsort(out, count, sizeof *out, by_slots);
    return count;
}

#define COLOURED 20000u

/* A row that comes or goes does not change the order of the others: hardly any other has another colour for it. */
static void rows_keep_their_colours(void **unused)
{
    (void)unused;
    trial     w;
    size_t    count = 0, both = 0, other = 0, came = 0;
    coloured *was = malloc(COLOURED * sizeof *was), *now = malloc(COLOURED * sizeof *now);
    assert_non_null(was);
    assert_non_null(now);
    begin_pairs(&w, &pair_scenes[FALLS_IN_SHEETS], PLIANT_CONTACT_BOUND_PATHS);
    w.solver->pairs->keeps_colours = true;
    trial_run(&w, DT, 60);
    w.inputs->substeps = 1;
    for (uint32_t step = 0; step < 100; step++) {
        w.inputs->dt = DT / 10;
        assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_OK);
        const size_t some = list_coloured(w.solver->pairs, now, COLOURED);
        for (size_t i = 0, k = 0; i < some; i++) {
            while (k < count && by_slots(&was[k], &now[i]) < 0) k++;
            const bool there = k < count && !by_slots(&was[k], &now[i]);
            both += there;
            came += step > 0 && !there;
            other += there && was[k].colour != now[i].colour;
        }
        memcpy(was, now, some * sizeof *was);
        count = some;
    }
    print_message("    of %zu rows %zu have another colour; %zu came\n", both, other, came);
    assert_true(both > 20000 && came > 500);
    assert_true(other < both / 5);
    free(was);
    free(now);
    trial_end(&w);
}

/* Slots that move of some rows of one colour; each is there once. */
static uint32_t check_colour(const trial *w, uint32_t colour, uint8_t *seen)
{
    const pliant__pairs *p = w->solver->pairs;
    uint32_t             rows = 0;
    memset(seen, 0, w->model->header->slot_count);
    for (uint32_t b = p->first[colour]; b < p->first[colour + 1]; b++)
        for (uint32_t i = 0; i < PLIANT__BLOCK; i++) {
            if (!(p->rows.data[b].rows >> i & 1)) continue;
            rows++;
            for (uint32_t k = 0; k < 4; k++) {
                const uint32_t slot = p->rows.data[b].at.slot[k][i];
                bool           again = false; /* of a row's own slots some may be the same */
                for (uint32_t j = 0; j < k; j++) again = again || p->rows.data[b].at.slot[j][i] == slot;
                if (again || !(PLIANT__SLOT(w->state->x, slot)[3] > 0)) continue;
                assert_false(seen[slot]);
                seen[slot] = 1;
            }
        }
    return rows;
}

/* Rows that close ranks give the same bits as rows that keep their colours, and are in fewer blocks; rows of one colour share no slot that moves. */
static void ranks_change_no_bit(void **unused)
{
    (void)unused;
    size_t blocks[2] = {0, 0}, rows = 0;
    for (size_t i = 0; i < PAIR_SCENES; i++) {
        trial w[2];
        for (uint32_t k = 0; k < 2; k++) begin_pairs(&w[k], &pair_scenes[i], PLIANT_CONTACT_BOUND_PATHS);
        uint8_t *seen = malloc(w[0].model->header->slot_count);
        assert_non_null(seen);
        w[1].solver->pairs->keeps_colours = true;
        for (uint32_t step = 0; step < pair_scenes[i].steps / 2; step++) {
            for (uint32_t k = 0; k < 2; k++) {
                const pliant__pairs *p = w[k].solver->pairs;
                trial_run(&w[k], DT, 1);
                blocks[k] += p->rows.count;
                for (uint32_t c = 0; c < PLIANT__PAIR_COLOURS && !k; c++) rows += check_colour(&w[k], c, seen);
            }
            if (pliant_state_hash(w[0].state) != pliant_state_hash(w[1].state)) fail_msg("%s: another hash", pair_scenes[i].name);
        }
        free(seen);
        for (uint32_t k = 0; k < 2; k++) trial_end(&w[k]);
    }
    print_message("    %zu rows in %zu blocks, not in %zu\n", rows, blocks[0], blocks[1]);
    assert_true(rows > 1000 && blocks[0] < blocks[1]);
}

/* Steps by a solver that goes on, and by one that is new in each step; the same bits. */
static void step_by_both(trial *w, pliant_state *other)
{
    pliant_solver *fresh = pliant_solver_create(w->model, NULL, NULL);
    assert_non_null(fresh);
    assert_int_equal(pliant_state_copy(other, w->state), PLIANT_OK);
    trial_run(w, DT, 1);
    pliant_inputs_reset(w->inputs, DT);
    assert_int_equal(pliant_solver_step(fresh, other, w->inputs), PLIANT_OK);
    pliant_solver_destroy(fresh);
    assert_true(pliant_state_hash(other) == pliant_state_hash(w->state));
}

enum { RESTS = 10, RESTING = (RESTS + 1) * (RESTS + 1) };

/* Where the same rows are found in one substep after the other, as where cloth lies still, they are put in order once; and again where other particles can move, of which
 * rows of one colour may not share any. The upper sheet is pinned a little too low: what is let go is pushed up. */
static void rows_that_stay_keep_their_order(void **unused)
{
    (void)unused;
    trial    w;
    uint32_t pinned[RESTING];
    for (uint32_t i = 0; i < RESTING; i++) pinned[i] = i;
    trial_begin(&w, 0, 10, 1);
    const pliant_body below = add_sheet(&w, RESTS, 1, 0.02, vec(0, 0, 0), vec(0, 0, 0)),
                      above = add_sheet(&w, RESTS, 1, 0.02, vec(0.03, 0.038, 0.03), vec(0, 0, 0));
    assert_int_equal(pliant_scene_pin(w.scene, below, pinned, RESTING, false, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_pin(w.scene, above, pinned, RESTING, true, NULL), PLIANT_OK);
    trial_compile(&w);
    pliant_state *other = pliant_state_create(w.model, NULL);
    assert_non_null(other);
    uint64_t searches = 0;
    for (uint32_t step = 0; step < 36; step++) {
        const bool     free = step % 6 != 5;
        const uint32_t vertex = 12 + 7 * step % (RESTING - 24);
        if (step % 3 == 2) assert_int_equal(pliant_state_set_pinned(w.state, above, vertex, !free), PLIANT_OK);
        step_by_both(&w, other);
        searches += pliant_solver_statistics(w.solver).pair_searches + pliant_solver_statistics(w.solver).pair_partial_searches;
        if (step > 2) assert_true(w.solver->pairs->rows.count > 0);
    }
    print_message("    rows put in order %u times in 360 substeps, sought %u times\n", (unsigned)w.solver->pairs->orderings,
                  (unsigned)searches);
    assert_true(w.solver->pairs->orderings >= 6 && w.solver->pairs->orderings < 180);
    pliant_state_destroy(other);
    trial_end(&w);
}

/* A sheet lies on one of two, and is then put on the other in the same way: candidates have the same numbers as before, and other features. */
static void rows_of_other_candidates_are_put_in_order(void **unused)
{
    (void)unused;
    trial       w;
    pliant_body sheet[3];
    pliant_vec3 x[9], v[9] = {{0, 0, 0}};
    uint32_t    was[2];
    trial_begin(&w, 0, 10, 1);
    for (uint32_t i = 0; i < 3; i++) {
        static const uint32_t all[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        sheet[i] = add_sheet(&w, 2, 0.5, 0.02, i ? vec(4.0 * i - 4, 0, 0) : vec(0.0625, 0.0390625, 0.09375), vec(0, 0, 0));
        if (i) assert_int_equal(pliant_scene_pin(w.scene, sheet[i], all, 9, false, NULL), PLIANT_OK);
    }
    trial_compile(&w);
    pliant_state  *other = pliant_state_create(w.model, NULL);
    pliant__pairs *p = w.solver->pairs;
    assert_non_null(other);
    assert_int_equal(pliant_state_positions(w.state, sheet[0], 0, 9, x), PLIANT_OK);
    step_by_both(&w, other);
    const size_t    count = p->ordered.count;
    uint32_t       *numbers = malloc((count + 1) * sizeof *numbers);
    const uint32_t *feature = p->pair.data[p->ordered.data[0]].feature;
    assert_true(numbers && count > 8);
    memcpy(numbers, p->ordered.data, count * sizeof *numbers);
    memcpy(was, feature, sizeof was);
    for (uint32_t i = 0; i < 9; i++) x[i].x += 4;
    assert_int_equal(pliant_state_set_positions(w.state, sheet[0], 0, 9, x), PLIANT_OK);
    assert_int_equal(pliant_state_set_velocities(w.state, sheet[0], 0, 9, v), PLIANT_OK);
    step_by_both(&w, other);
    feature = p->pair.data[p->ordered.data[0]].feature;
    assert_int_equal(p->ordered.count, count);
    assert_memory_equal(p->ordered.data, numbers, count * sizeof *numbers);
    assert_true(was[0] != feature[0] || was[1] != feature[1]);
    free(numbers);
    pliant_state_destroy(other);
    trial_end(&w);
}

/* How many candidates of a kind there are, each after the one before it by its parts. */
static size_t count_in_order(const pliant__pairs *p, bool edges, uint32_t *longest)
{
    const size_t first = edges ? p->corner_pairs : 0, end = edges ? p->pair.count : p->corner_pairs;
    uint32_t     run = 1;
    for (size_t i = first + 1; i < end; i++) {
        const uint32_t *a = p->pair.data[i - 1].feature, *b = p->pair.data[i].feature;
        run = a[0] == b[0] ? run + 1 : 1;
        *longest = run > *longest ? run : *longest;
        assert_true(a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]));
    }
    return end - first;
}

/* Candidates are in the order of their parts, each once, whether all are sought or only those of some that left their ways: many of them, and many of one part. */
static void candidates_are_in_order(void **unused)
{
    (void)unused;
    trial    w;
    uint32_t longest = 0, some = 0;
    size_t   edges = 0, corners = 0;
    trial_begin(&w, 9.81, 4, 1);
    for (int i = 0; i < 4; i++) add_sheet(&w, 28, 1, 0.008, vec(0.013 * i, 0.0165 * i, 0.007 * i), vec(0, 0, 0));
    trial_compile(&w);
    trial_run(&w, DT, 1);
    for (uint32_t step = 0; step < 12; step++) {
        pliant_vec3 at;
        pliant_state_positions(w.state, (pliant_body){2}, 20 * step, 1, &at);
        at.x += R(0.007);
        pliant_state_set_positions(w.state, (pliant_body){2}, 20 * step, 1, &at);
        trial_run(&w, DT, 1);
        some += pliant_solver_statistics(w.solver).pair_partial_searches;
        corners += count_in_order(w.solver->pairs, false, &longest);
        edges += count_in_order(w.solver->pairs, true, &longest);
    }
    print_message("    %zu and %zu candidates, %u of one part, %u searches for some\n", corners, edges, longest, some);
    assert_true(edges > 12 * 32768 && longest > 16 && some > 3);
    trial_end(&w);
}

/* ---- memory ---- */

static bool is_full;

static void *alloc_unless_full(size_t bytes, size_t align, void *context)
{
    (void)context;
    return is_full ? NULL : aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void release(void *memory, void *context)
{
    (void)context;
    free(memory);
}

/* Whichever piece of memory a solver of bodies that meet does not get, it is not made, and nothing is left behind. */
static int left;

static void *alloc_some(size_t bytes, size_t align, void *context)
{
    (void)context;
    return left-- > 0 ? aligned_alloc(align, (bytes + align - 1) / align * align) : NULL;
}

static void solver_without_memory(void **unused)
{
    (void)unused;
    trial w;
    begin_pairs(&w, &pair_scenes[MEETS_JELLY], PLIANT_CONTACT_BOUND_PATHS);
    pliant_solver_def def = pliant_solver_def_default();
    def.allocator = (pliant_allocator){alloc_some, release, NULL, NULL};
    pliant_solver *solver = NULL;
    int            pieces = 0;
    for (; !solver; pieces++) {
        pliant_error error = {.code = PLIANT_OK};
        left = pieces;
        solver = pliant_solver_create(w.model, &def, &error);
        if (!solver) assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
    }
    assert_true(pieces > 20);
    pliant_solver_destroy(solver);
    trial_end(&w);
}

/* Pairs are more or fewer as things move: where there is no room for them a step says so, and goes on when there is. Once there was room, no
 * step takes more. */
static void room_for_pairs(void **unused)
{
    (void)unused;
    trial w;
    trial_begin(&w, 0, 10, 1);
    pliant_scene_destroy(w.scene);
    w.def.allocator = (pliant_allocator){alloc_unless_full, release, NULL, NULL};
    trial_begin_def(&w);
    add_jelly(&w, 2, 0.2, 0.01, vec(0, 0, 0), vec(0, 0, 0), false);
    add_jelly(&w, 2, 0.2, 0.01, vec(0, 0.25, 0), vec(0, -1, 0), false);
    trial_compile(&w);
    is_full = true;
    pliant_inputs_reset(w.inputs, DT);
    assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_ERROR_MEMORY);
    is_full = false;
    trial_run(&w, DT, 1);
    is_full = true;
    pliant_inputs_reset(w.inputs, 1e-6);
    assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_OK);
    is_full = false;
    for (int i = 0; i < 40 && !w.solver->pairs->rows.count; i++) trial_run(&w, DT / 10, 1);
    assert_true(w.solver->pairs->rows.count > 0);
    array_free(&w.solver->allocator, &w.solver->pairs->rows); /* candidates are there, and only their rows find no room */
    is_full = true;
    pliant_inputs_reset(w.inputs, 1e-6);
    assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_ERROR_MEMORY);
    is_full = false;
    pliant_inputs_reset(w.inputs, 1e-6);
    assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_OK);
    trial_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_solvers_do_not_matter),
        cmocka_unit_test(rows_keep_their_colours),
        cmocka_unit_test(ranks_change_no_bit),
        cmocka_unit_test(rows_that_stay_keep_their_order),
        cmocka_unit_test(rows_of_other_candidates_are_put_in_order),
        cmocka_unit_test(candidates_are_in_order),
        cmocka_unit_test(solver_without_memory),
        cmocka_unit_test(room_for_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
