/* The law: a blade of a scene cuts what tears, where and when the scene says: the same bits as by hand, from wherever a state goes on, with steps of any length; what
 * is cut keeps its mass, its momentum and its volume. */
#include "torn.h"

#include "sample_scenes.h"

#define STEP (1.0 / 60)

/* ---- a block and blades ---- */

static pliant_code cut_flat(trial *t, pliant_body body, double time, const pliant_vec3 *corners, size_t count)
{
    pliant_cut_def def = pliant_cut_def_default();
    def.body = body;
    def.time = time;
    def.corners = corners;
    def.corner_count = count;
    return pliant_scene_cut(t->scene, &def, NULL);
}

static pliant_code cut_by_edge(trial *t, pliant_body body, const double *times, const pliant_vec3 *edges, size_t count)
{
    pliant_cut_def def = pliant_cut_def_default();
    def.body = body;
    def.key_times = times;
    def.key_edges = edges;
    def.key_count = count;
    return pliant_scene_cut(t->scene, &def, NULL);
}

/* A blade that goes down through the middle of the block, slightly skew, from 0.1 to 0.4 s. */
static const double down_times[2] = {0.1, 0.4};
static void         down_edges(pliant_vec3 out[4])
{
    out[0] = vec(-0.7, 0.01, -0.5);
    out[1] = vec(0.6, -0.02, -0.5);
    out[2] = vec(-0.7, -0.01, 0.5);
    out[3] = vec(0.6, 0.02, 0.5);
}

static pliant_body begin_cut(trial *t, const block *b, uint32_t substeps)
{
    pliant_vec3 edges[4];
    trial_begin(t, 0, substeps, 1);
    const pliant_body body = add_block(t, b);
    down_edges(edges);
    assert_int_equal(cut_by_edge(t, body, down_times, edges, 2), PLIANT_OK);
    trial_compile(t);
    return body;
}

/* Gives the block a velocity, m/s, and a spin about y. */
static void drift(trial *t, const block *b, pliant_body body, double speed)
{
    for (uint32_t v = 0; v < vertices_of(b); v++) {
        double x[3];
        point_of(t, body, v, x);
        const pliant_vec3 to = vec(speed * (1 + x[2]), speed / 10, -speed * x[0]);
        assert_int_equal(pliant_state_set_velocities(t->state, body, v, 1, &to), PLIANT_OK);
    }
}

/* ---- two parts ---- */

static void a_swept_blade_makes_two_of_a_block(void **unused)
{
    (void)unused;
    for (int model = PLIANT_SOLID_NEO_HOOKEAN; model <= PLIANT_SOLID_STRAIN; model++) {
        block  b = plain;
        trial  t;
        double before[6], after[6];
        b.model = (pliant_solid_model)model;
        const pliant_body body = begin_cut(&t, &b, 20);
        const double      mass = mass_of(&t, body), volume = enclosed(&t, body);
        drift(&t, &b, body, 0.05);
        momentum_of(&t, body, before);
        uint32_t partly = 0;
        for (uint32_t step = 0; step < 30; step++) {
            const uint32_t pieces = piece_count(&t, body), born = born_count(&t, body);
            if (step <= 6) assert_int_equal(born, 0);
            partly += born > 0 && pieces == 1;
            trial_run(&t, STEP, 1);
            check_surface(&t, body);
        }
        assert_true(partly > 5); /* it is gone through layer by layer, not at once */
        assert_int_equal(piece_count(&t, body), 2);
        assert_int_equal(born_count(&t, body), 25);
        assert_int_equal(pliant_state_unsplit(t.state), 0);
        momentum_of(&t, body, after);
        near(mass_of(&t, body), mass, 1000 * EPSILON * mass);
        near(enclosed(&t, body), volume, 1e-3 * volume);                          /* it turns, and so bulges a little */
        for (int a = 0; a < 3; a++) near(after[a], before[a], BOUND(1e-9, 0.06)); /* of 12 kg m/s, in steps of places that are rounded */
        trial_end(&t);
    }
}

/* Elements go from one side of the blade to the other while it goes through the block, most of a cell far: none is cut out, and none holds the halves together. */
static void what_moves_across_a_blade_is_two_parts_all_the_same(void **unused)
{
    (void)unused;
    for (int way = -1; way <= 1; way += 2) {
        const block       b = plain;
        trial             t;
        const pliant_body body = begin_cut(&t, &b, 5);
        for (uint32_t v = 0; v < vertices_of(&b); v++) {
            const pliant_vec3 to = vec(0, 0.3 * way, 0.1);
            assert_int_equal(pliant_state_set_velocities(t.state, body, v, 1, &to), PLIANT_OK);
        }
        trial_run(&t, STEP, 30);
        assert_int_equal(piece_count(&t, body), 2);
        check_surface(&t, body);
        near(enclosed(&t, body), 0.25, BOUND(1e-9, 1e-4));
        trial_end(&t);
    }
}

/* Steps of any length, and substeps that are carried from step to step, cut the same vertices. */
static void no_length_of_steps_misses_a_vertex(void **unused)
{
    (void)unused;
    const double steps[] = {0.5, 1.0 / 24, 1.0 / 60, 1.0 / 240};
    for (size_t i = 0; i < 8; i++) {
        const block b = plain;
        trial       t;
        trial_begin(&t, 0, 4, 1);
        if (i >= 4) {
            pliant_scene_destroy(t.scene);
            t.def.substep = 1.0 / 250;
            t.def.substep_rest = PLIANT_SUBSTEP_CARRY;
            trial_begin_def(&t);
        }
        pliant_vec3       edges[4];
        const pliant_body body = add_block(&t, &b);
        down_edges(edges);
        edges[0] = edges[1] = vec(0, 0, -0.25); /* from the middle of a side: vertices lie where one step's sweep ends, and on a diagonal */
        edges[0].x = R(-0.5);
        edges[1].x = R(0.5);
        edges[2] = vec(-0.5, 0, 0.25);
        edges[3] = vec(0.5, 0, 0.25);
        assert_int_equal(cut_by_edge(&t, body, down_times, edges, 2), PLIANT_OK);
        trial_compile(&t);
        trial_run(&t, steps[i % 4], (uint32_t)(1 / steps[i % 4] + 0.5));
        assert_int_equal(piece_count(&t, body), 2);
        assert_int_equal(born_count(&t, body), 25);
        check_surface(&t, body);
        trial_end(&t);
    }
}

/* The diagonal of a rectangle goes through vertices. */
static void a_flat_blade_cuts_at_its_time(void **unused)
{
    (void)unused;
    const pliant_vec3 corners[4] = {vec(-0.25, 0, -0.25), vec(0.25, 0, -0.25), vec(0.25, 0, 0.25), vec(-0.25, 0, 0.25)};
    for (uint32_t when = 0; when <= 6; when += 3) {
        const block b = plain;
        trial       t;
        trial_begin(&t, 0, 5, 1);
        const pliant_body body = add_block(&t, &b);
        assert_int_equal(cut_flat(&t, body, (when + 0.5 * (when > 0)) * STEP, corners, 4), PLIANT_OK);
        trial_compile(&t);
        for (uint32_t step = 0; step < 10; step++) {
            assert_int_equal(born_count(&t, body), step <= when ? 0 : 25);
            trial_run(&t, STEP, 1);
        }
        assert_int_equal(piece_count(&t, body), 2);
        near(enclosed(&t, body), 0.25, 1000 * EPSILON);
        trial_end(&t);
    }
}

static void a_blade_that_ends_within_cuts_so_far(void **unused)
{
    (void)unused;
    const double      times[3] = {0.1, 0.2, 0.3}; /* down to the middle, and back */
    const pliant_vec3 edges[6] = {vec(-1, 0, -0.5), vec(1, 0, -0.5), vec(-1, 0, 0.01), vec(1, 0, 0.01), vec(-1, 0, -0.5), vec(1, 0, -0.5)};
    const block       b = plain;
    trial             t;
    trial_begin(&t, 0, 5, 1);
    const pliant_body body = add_block(&t, &b);
    assert_int_equal(cut_by_edge(&t, body, times, edges, 3), PLIANT_OK);
    trial_compile(&t);
    trial_run(&t, STEP, 30);
    assert_int_equal(piece_count(&t, body), 1);
    assert_true(born_count(&t, body) >= 10 && born_count(&t, body) < 20);
    check_surface(&t, body);
    trial_end(&t);
}

/* ---- by hand ---- */

/* A cut by hand of the triangles that an edge sweeps between two times of two keys. */
static void sweep_by_hand(trial *t, pliant_body body, double from, double to, const pliant_vec3 edges[4])
{
    pliant_vec3 at[4];
    from = fmax(from, down_times[0]);
    to = fmin(to, down_times[1]);
    if (!(to > from)) return;
    for (int i = 0; i < 4; i++) {
        const double      share = ((i < 2 ? from : to) - down_times[0]) / (down_times[1] - down_times[0]);
        const pliant_vec3 a = edges[i % 2], c = edges[2 + i % 2];
        at[i] = share < 1 ? (pliant_vec3){a.x + (c.x - a.x) * R(share), a.y + (c.y - a.y) * R(share), a.z + (c.z - a.z) * R(share)} : c;
    }
    pliant_state_cut(t->state, body, (pliant_vec3[]){at[0], at[1], at[3]});
    pliant_state_cut(t->state, body, (pliant_vec3[]){at[0], at[3], at[2]});
}

static void a_scene_cuts_as_a_hand_does(void **unused)
{
    (void)unused;
    pliant_vec3       edges[4];
    const pliant_vec3 corners[4] = {vec(0.05, -1, -1), vec(0.06, 1, -1), vec(0.04, 1, 1), vec(0.05, -1, 1)};
    const block       b = plain;
    trial             t[2];
    pliant_body       body[2];
    down_edges(edges);
    for (int hand = 0; hand < 2; hand++) {
        trial_begin(&t[hand], 0.1, 20, 1);
        body[hand] = add_block(&t[hand], &b);
        if (!hand) {
            assert_int_equal(cut_by_edge(&t[hand], body[hand], down_times, edges, 2), PLIANT_OK);
            assert_int_equal(cut_flat(&t[hand], body[hand], 0.33, corners, 4), PLIANT_OK);
        }
        trial_compile(&t[hand]);
        drift(&t[hand], &b, body[hand], 0.05);
    }
    for (uint32_t step = 0; step < 40; step++) {
        const double  begin = pliant_state_time(t[1].state);
        pliant_state *after = pliant_state_create(t[1].model, NULL); /* when the step ends, as the library adds */
        assert_non_null(after);
        assert_int_equal(pliant_state_copy(after, t[1].state), PLIANT_OK);
        pliant_inputs_reset(t[1].inputs, STEP);
        assert_int_equal(pliant_solver_step(t[1].solver, after, t[1].inputs), PLIANT_OK);
        const double end = pliant_state_time(after);
        pliant_state_destroy(after);
        sweep_by_hand(&t[1], body[1], begin - (end - begin), end, edges);
        if (0.33 >= begin && 0.33 < end) {
            pliant_state_cut(t[1].state, body[1], (pliant_vec3[]){corners[0], corners[1], corners[2]});
            pliant_state_cut(t[1].state, body[1], (pliant_vec3[]){corners[0], corners[2], corners[3]});
        }
        for (int hand = 0; hand < 2; hand++) trial_run(&t[hand], STEP, 1);
        assert_true(pliant_state_topology(t[0].state) == pliant_state_topology(t[1].state));
        const uint32_t count = vertex_count(&t[0], body[0]);
        pliant_vec3   *x = malloc(2 * (size_t)count * sizeof *x);
        assert_non_null(x);
        for (int hand = 0; hand < 2; hand++)
            assert_int_equal(pliant_state_positions(t[hand].state, body[hand], 0, count, x + (size_t)hand * count), PLIANT_OK);
        assert_memory_equal(x, x + count, count * sizeof *x);
        free(x);
    }
    assert_int_equal(piece_count(&t[0], body[0]), 4);
    for (int hand = 0; hand < 2; hand++) trial_end(&t[hand]);
}

/* ---- whatever runs it ---- */

typedef struct way {
    uint32_t threads, width, stop; /* stop: after this step all but the bytes of the state and of the model is thrown away */
    bool     many;
} way;

static void throw_away(trial *t, pliant_solver **solver, const pliant_solver_def *def, void **mapped)
{
    size_t      size, model_size;
    const void *data = pliant_state_data(t->state, &size), *model = pliant_model_data(t->model, &model_size);
    void       *kept = malloc(size);
    *mapped = aligned_alloc(64, (model_size + 63) / 64 * 64);
    assert_non_null(kept);
    assert_non_null(*mapped);
    memcpy(kept, data, size);
    memcpy(*mapped, model, model_size);
    pliant_solver_destroy(*solver);
    pliant_state_destroy(t->state);
    pliant_inputs_destroy(t->inputs);
    pliant_solver_destroy(t->solver);
    pliant_model_destroy(t->model);
    t->model = pliant_model_map(*mapped, model_size, NULL, NULL);
    assert_non_null(t->model);
    t->state = pliant_state_create(t->model, NULL);
    t->inputs = pliant_inputs_create(t->model, NULL);
    t->solver = pliant_solver_create(t->model, def, NULL);
    assert_int_equal(pliant_state_load(t->state, kept, size, NULL), PLIANT_OK);
    free(kept);
    *solver = pliant_solver_create(t->model, def, NULL);
    assert_non_null(*solver);
}

static uint64_t cut_hash(way w)
{
    const block       b = plain;
    trial             t;
    const pliant_body body = begin_cut(&t, &b, 20);
    pliant_solver_def def = pliant_solver_def_default();
    void             *mapped = NULL;
    def.threads = w.threads;
    def.width = w.width;
    def.many = w.many;
    pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
    if (!solver) return trial_end(&t), 0;
    drift(&t, &b, body, 0.3);
    for (uint32_t step = 0; step < 30; step++) {
        pliant_inputs_reset(t.inputs, STEP);
        const pliant_inputs *inputs = t.inputs;
        assert_int_equal(w.many ? pliant_solver_step_many(solver, &t.state, &inputs, 1, NULL) : pliant_solver_step(solver, t.state, inputs),
                         PLIANT_OK);
        if (step == w.stop) throw_away(&t, &solver, &def, &mapped);
    }
    const uint64_t hash = pliant_state_hash(t.state);
    assert_int_equal(piece_count(&t, body), 2);
    pliant_solver_destroy(solver);
    trial_end(&t);
    free(mapped);
    return hash;
}

static void a_cut_is_the_same_whatever_runs_it(void **unused)
{
    (void)unused;
    const uint64_t expected = cut_hash((way){1, 0, UINT32_MAX, false});
    const uint32_t widths[] = {1, 4, 8, 16};
    for (size_t i = 0; i < 4; i++) {
        const uint64_t hash = cut_hash((way){1, widths[i], UINT32_MAX, false});
        assert_true(hash == expected || !hash);
    }
    assert_true(cut_hash((way){4, 0, UINT32_MAX, false}) == expected);
    assert_true(cut_hash((way){2, 0, UINT32_MAX, true}) == expected);
    for (uint32_t stop = 3; stop < 30; stop += 4) assert_true(cut_hash((way){1, 0, stop, false}) == expected); /* before, amid and after */
}

static void an_edited_scene_goes_on_with_its_cut(void **unused)
{
    (void)unused;
    const block       b = plain;
    trial             t;
    const pliant_body body = begin_cut(&t, &b, 10);
    trial_run(&t, STEP, 15);
    assert_true(born_count(&t, body) > 0 && piece_count(&t, body) == 1);
    trial again = recompiled(&t);
    again.solver = pliant_solver_create(again.model, NULL, NULL);
    again.inputs = pliant_inputs_create(again.model, NULL);
    for (uint32_t step = 0; step < 15; step++) {
        pliant_inputs_reset(again.inputs, STEP);
        assert_int_equal(pliant_solver_step(again.solver, again.state, again.inputs), PLIANT_OK);
    }
    assert_int_equal(piece_count(&again, body), 2);
    check_surface(&again, body);
    pliant_inputs_destroy(again.inputs);
    pliant_solver_destroy(again.solver);
    recompiled_end(&again);
    trial_end(&t);
}

static void a_warm_step_that_cuts_allocates_nothing(void **unused)
{
    (void)unused;
    trial       t;
    tally       memory;
    pliant_vec3 edges[4];
    const block b = plain;
    trial_begin(&t, 0, 20, 1);
    pliant_scene_destroy(t.scene);
    t.def.allocator = tally_allocator(&memory);
    trial_begin_def(&t);
    const pliant_body body = add_block(&t, &b);
    down_edges(edges);
    assert_int_equal(cut_by_edge(&t, body, down_times, edges, 2), PLIANT_OK);
    trial_compile(&t);
    trial_run(&t, STEP, 1);
    const size_t warm = memory.calls;
    trial_run(&t, STEP, 29);
    assert_int_equal(piece_count(&t, body), 2);
    assert_int_equal(memory.calls, warm);
    trial_end(&t);
}

/* ---- bodies ---- */

/* A blade of every body cuts those that tear and were there; a removed body takes its cuts along. */
static void a_blade_cuts_the_bodies_that_it_is_for(void **unused)
{
    (void)unused;
    const pliant_vec3 corners[3] = {vec(-9, 0, -9), vec(9, 0, -9), vec(0, 0, 9)};
    const block       b = plain;
    for (int named = 0; named < 2; named++) {
        trial t;
        trial_begin(&t, 0, 5, 1);
        const pliant_body removed = add_block(&t, &b), one = add_block(&t, &b), other = add_block(&t, &b);
        assert_int_equal(cut_flat(&t, named ? other : (pliant_body){0}, 0, corners, 3), PLIANT_OK);
        assert_int_equal(cut_flat(&t, removed, 0, corners, 3), PLIANT_OK);
        const pliant_body later = add_block(&t, &b);
        assert_int_equal(pliant_scene_remove_body(t.scene, removed), PLIANT_OK);
        trial_compile(&t);
        trial_run(&t, STEP, 1);
        assert_int_equal(born_count(&t, one), named ? 0 : 25);
        assert_int_equal(born_count(&t, other), 25);
        assert_int_equal(born_count(&t, later), 0);
        trial_end(&t);
    }
}

static void a_cut_stops_when_nothing_stands_by(void **unused)
{
    (void)unused;
    block b = plain;
    trial t;
    b.spare = 0.05;
    const pliant_body body = begin_cut(&t, &b, 10);
    const double      mass = mass_of(&t, body);
    trial_run(&t, STEP, 30);
    assert_true(pliant_state_unsplit(t.state) > 0);
    assert_int_equal(piece_count(&t, body), 1);
    near(mass_of(&t, body), mass, 1000 * EPSILON * mass);
    check_surface(&t, body);
    trial_end(&t);
}

static void a_sheet_is_cut_as_well(void **unused)
{
    (void)unused;
    const double      times[2] = {0.1, 0.3};
    const pliant_vec3 edges[4] = {vec(-1, -1, 0.01), vec(-1, 1, 0.01), vec(1, -1, 0.01), vec(1, 1, 0.01)};
    trial             t;
    trial_begin(&t, 0, 5, 1);
    pliant_cloth_def def = pliant_cloth_def_default();
    pliant_error     error = {0};
    def.material = plain_material();
    def.material.density = R(0.3);
    def.material.stretch_warp = def.material.stretch_weft = R(20);
    def.material.shear_stiffness = R(5);
    def.model = PLIANT_CLOTH_STRAIN;
    def.cells_x = def.cells_z = 8;
    def.size_x = def.size_z = 1;
    def.tear = (pliant_tear){R(1.5), R(0.5)};
    const pliant_body body = pliant_scene_add_cloth(t.scene, &def, &error);
    if (!body.id) fail_msg("%s", error.message);
    assert_int_equal(cut_by_edge(&t, body, times, edges, 2), PLIANT_OK);
    trial_compile(&t);
    trial_run(&t, STEP, 30);
    assert_int_equal(born_count(&t, body), 9);
    assert_int_equal(piece_count(&t, body), 2);
    trial_end(&t);
}

/* ---- what is refused ---- */

static void what_cannot_cut_is_refused(void **unused)
{
    (void)unused;
    const pliant_vec3 good[4] = {vec(-9, 0, -9), vec(9, 0, -9), vec(0, 0, 9), vec(-9, 0, 9)},
                      line[3] = {vec(0, 0, 0), vec(1, 0, 0), vec(2, 0, 0)};
    const pliant_vec3 still[4] = {vec(0, 0, 0), vec(1, 0, 0), vec(1, 0, 0), vec(2, 0, 0)};
    pliant_vec3       odd[3] = {good[0], good[1], good[2]};
    const double      times[2] = {0, 1}, back[2] = {1, 1}, early[2] = {-1, 1};
    const block       b = plain;
    trial             t;
    odd[1].y = R(NAN);
    trial_begin(&t, 0, 5, 1);
    const pliant_body none = {0}, strange = {7}, whole = add_points(&t, 1, &(const double[3]){0, 0, 0}, NULL, NULL, NULL);
    assert_int_equal(cut_flat(&t, none, 0, good, 3), PLIANT_ERROR_ARGUMENT); /* no body tears */
    assert_int_equal(cut_flat(&t, whole, 0, good, 3), PLIANT_ERROR_ARGUMENT);
    const pliant_body body = add_block(&t, &b);
    assert_int_equal(cut_flat(&t, strange, 0, good, 3), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_flat(&t, body, -1, good, 3), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_flat(&t, body, NAN, good, 3), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_flat(&t, body, 0, good, 2), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_flat(&t, body, 0, good, 5), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_flat(&t, body, 0, NULL, 3), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_flat(&t, body, 0, NULL, 0), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_flat(&t, body, 0, line, 3), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_flat(&t, body, 0, odd, 3), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_by_edge(&t, body, times, good, 1), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_by_edge(&t, body, back, good, 2), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_by_edge(&t, body, early, good, 2), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_by_edge(&t, body, times, still, 2), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_by_edge(&t, body, times, NULL, 2), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_by_edge(&t, body, NULL, good, 2), PLIANT_ERROR_ARGUMENT);
    pliant_cut_def both = pliant_cut_def_default();
    both.corners = both.key_edges = good;
    both.corner_count = 3;
    both.key_times = times;
    both.key_count = 2;
    assert_int_equal(pliant_scene_cut(t.scene, &both, NULL), PLIANT_ERROR_ARGUMENT);
    both.size = 1;
    assert_int_equal(pliant_scene_cut(t.scene, &both, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_scene_cut(NULL, &both, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_scene_cut(t.scene, NULL, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(cut_flat(&t, body, 0, good, 3), PLIANT_OK);
    trial_compile(&t);
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_swept_blade_makes_two_of_a_block),
        cmocka_unit_test(what_moves_across_a_blade_is_two_parts_all_the_same),
        cmocka_unit_test(no_length_of_steps_misses_a_vertex),
        cmocka_unit_test(a_flat_blade_cuts_at_its_time),
        cmocka_unit_test(a_blade_that_ends_within_cuts_so_far),
        cmocka_unit_test(a_scene_cuts_as_a_hand_does),
        cmocka_unit_test(a_cut_is_the_same_whatever_runs_it),
        cmocka_unit_test(an_edited_scene_goes_on_with_its_cut),
        cmocka_unit_test(a_warm_step_that_cuts_allocates_nothing),
        cmocka_unit_test(a_blade_cuts_the_bodies_that_it_is_for),
        cmocka_unit_test(a_cut_stops_when_nothing_stands_by),
        cmocka_unit_test(a_sheet_is_cut_as_well),
        cmocka_unit_test(what_cannot_cut_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
