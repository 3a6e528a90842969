/* The law: a solid that tears comes apart where it is stretched beyond what it bears, and nowhere else; what comes apart keeps its mass, its momentum and its
 * energy, has a closed surface, and becomes the same whatever runs it, from wherever it goes on. */
#include "torn.h"

#include "sample_scenes.h"

/* ---- when ---- */

static void a_solid_tears_when_it_is_stretched_beyond_what_it_bears(void **unused)
{
    (void)unused;
    for (int model = PLIANT_SOLID_NEO_HOOKEAN; model <= PLIANT_SOLID_STRAIN; model++) {
        block b = plain;
        trial t;
        b.model = (pliant_solid_model)model;
        b.pull = 0.1;
        b.iterations = 20;
        const pliant_body body = begin(&t, &b);
        double            torn_at = 0;
        for (uint32_t step = 1; step <= 240 && !(torn_at > 0); step++) {
            trial_run(&t, 1.0 / 60, 1);
            if (born_count(&t, body)) torn_at = 1 + b.pull * step / 60;
        }
        assert_true(torn_at > 1.15 &&
                    torn_at < 1.31); /* beside the sides that are held it cannot narrow, and is stretched farther than in the mean */
        check_surface(&t, body);
        trial_end(&t);
    }
}

static void a_solid_that_bears_it_stays_whole(void **unused)
{
    (void)unused;
    block b = plain;
    trial t;
    b.stretch = 2.2;
    b.pull = 0.5;
    const pliant_body body = begin(&t, &b);
    trial_run(&t, 1.0 / 60, 60);
    assert_int_equal(born_count(&t, body), 0);
    assert_true(pliant_state_topology(t.state) == 0 && pliant_state_unsplit(t.state) == 0);
    check_surface(&t, body);
    trial_end(&t);
}

/* ---- what stays ---- */

static void mass_and_momentum_stay_through_a_tear(void **unused)
{
    (void)unused;
    for (int model = PLIANT_SOLID_NEO_HOOKEAN; model <= PLIANT_SOLID_STRAIN; model++) {
        block  b = plain;
        trial  t;
        double before[6], after[6];
        b.model = (pliant_solid_model)model;
        const pliant_body body = begin(&t, &b);
        throw_apart(&t, &b, body, 20);
        const double mass = mass_of(&t, body);
        momentum_of(&t, body, before);
        trial_run(&t, 1.0 / 60, 20);
        momentum_of(&t, body, after);
        assert_true(born_count(&t, body) > 20 && piece_count(&t, body) > 1);
        near(mass_of(&t, body), mass, 1000 * EPSILON * mass);
        double off[2] = {0, 0};
        for (int a = 0; a < 6; a++) off[a / 3] = fmax(off[a / 3], fabs(after[a] - before[a]));
        print_message("momentum off by %.2g kg m/s, angular by %.2g kg m^2/s\n", off[0], off[1]);
        assert_true(off[0] < 4e6 * EPSILON); /* each half carries some 600 kg m/s */
        assert_true(off[1] < 0.5);           /* what turns is slowed by first-order integration */
        check_surface(&t, body);
        trial_end(&t);
    }
}

/* What flies apart by itself has no more energy after any step than before. */
static void a_tear_makes_no_energy(void **unused)
{
    (void)unused;
    for (int model = PLIANT_SOLID_NEO_HOOKEAN; model <= PLIANT_SOLID_STRAIN; model++)
        for (uint32_t substeps = 1; substeps <= 20; substeps += substeps < 5 ? 4 : 15) {
            block  b = plain;
            trial  t;
            double last = 0;
            b.model = (pliant_solid_model)model;
            trial_begin(&t, 0, substeps, 1);
            const pliant_body body = add_block(&t, &b);
            trial_compile(&t);
            pliant_solver_def def = pliant_solver_def_default();
            def.energy = true;
            pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
            assert_non_null(solver);
            throw_apart(&t, &b, body, 20);
            for (uint32_t step = 0; step < 60; step++) {
                pliant_energy now;
                pliant_inputs_reset(t.inputs, 1.0 / 60);
                assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
                assert_int_equal(pliant_solver_energy(solver, body, &now), PLIANT_OK);
                if (step && now.kinetic + now.elastic - now.unresolved > last * (1 + BOUND(1e-9, 5e-4)))
                    fail_msg("model %d, %u substeps, step %u: %g J after %g J", model, substeps, step,
                             now.kinetic + now.elastic - now.unresolved, last);
                last = now.kinetic + now.elastic;
            }
            assert_true(born_count(&t, body) > 20);
            pliant_solver_destroy(solver);
            trial_end(&t);
        }
}

static void a_surface_stays_closed_in_every_step(void **unused)
{
    (void)unused;
    block             b = plain;
    trial             t;
    const pliant_body body = begin(&t, &b);
    check_surface(&t, body);
    throw_apart(&t, &b, body, 20);
    for (uint32_t i = 0; i < 20; i++) {
        trial_run(&t, 1.0 / 60, 1);
        check_surface(&t, body);
        const size_t size = vertex_count(&t, body);
        pliant_vec3 *x = malloc(2 * size * sizeof *x);
        assert_non_null(x);
        assert_int_equal(pliant_state_write_vertices(t.state, body, x, 2 * sizeof *x), PLIANT_OK);
        for (size_t v = 0; v < size; v++) assert_true(isfinite((double)x[2 * v + 1].x + (double)x[2 * v + 1].y + (double)x[2 * v + 1].z));
        free(x);
    }
    assert_true(pliant_state_face_count(t.state, body) >
                pliant_model_body(t.model, body).face_count - pliant_model_body(t.model, body).spare_face_count + 40);
    trial_end(&t);
}

static void what_is_held_is_not_split(void **unused)
{
    (void)unused;
    block b = plain;
    trial t;
    b.pull = 2;
    const pliant_body body = begin(&t, &b);
    trial_run(&t, 1.0 / 60, 30);
    const pliant_body_info info = pliant_model_body(t.model, body);
    assert_true(born_count(&t, body) > 10);
    for (uint32_t v = info.vertex_count - info.spare_count; v < info.vertex_count; v++) {
        const uint32_t from = pliant_state_origin(t.state, body, v);
        assert_true(from == UINT32_MAX || (!is_side(&b, from, false) && !is_side(&b, from, true)));
    }
    check_surface(&t, body);
    trial_end(&t);
}

/* ---- spares ---- */

static void a_tear_stops_when_nothing_stands_by(void **unused)
{
    (void)unused;
    block b = plain;
    trial t;
    b.spare = 0.01; /* two vertices, and faces for hardly more */
    const pliant_body body = begin(&t, &b);
    throw_apart(&t, &b, body, 20);
    trial_run(&t, 1.0 / 60, 20);
    const pliant_body_info info = pliant_model_body(t.model, body);
    assert_int_equal(info.spare_count, 2);
    assert_int_equal(info.spare_face_count, 32);
    assert_true(born_count(&t, body) >= 1);
    assert_true(pliant_state_unsplit(t.state) > 0);
    assert_int_equal(piece_count(&t, body), 1);
    check_surface(&t, body);
    trial_end(&t);
}

/* ---- cuts ---- */

static void a_cut_through_all_of_it_makes_two(void **unused)
{
    (void)unused;
    const uint32_t cells[] = {4, 8, 24}; /* the last one of several ranges that rows run between */
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        block b = plain;
        trial t;
        b.cells[0] = b.cells[2] = cells[i];
        b.cells[1] = 2 * cells[i];
        b.spare = 1;
        const pliant_body body = begin(&t, &b);
        const double      mass = mass_of(&t, body), volume = enclosed(&t, body);
        const pliant_vec3 blade[3] = {vec(-9, 0, -9), vec(9, 0, -9), vec(0, 0, 9)};
        const uint32_t    faces = pliant_state_face_count(t.state, body);
        near(volume, 0.25, 1000 * EPSILON);
        assert_int_equal(piece_count(&t, body), 1);
        assert_int_equal(pliant_state_cut(t.state, body, blade), (cells[i] + 1) * (cells[i] + 1));
        assert_int_equal(pliant_state_cut(t.state, body, blade), 0);
        assert_int_equal(piece_count(&t, body), 2);
        assert_int_equal(pliant_state_face_count(t.state, body), faces + 4 * cells[i] * cells[i]); /* two triangles a cell, on both sides */
        check_surface(&t, body);
        near(enclosed(&t, body), volume, 1000 * EPSILON); /* inside out, a face would take from it */
        near(mass_of(&t, body), mass, 1000 * EPSILON * mass);
        assert_int_equal(pliant_state_unsplit(t.state), 0);
        throw_apart(&t, &b, body, 1);
        trial_run(&t, 1.0 / 60, 12);
        assert_int_equal(piece_count(&t, body), 2);
        trial_end(&t);
    }
}

/* ---- whatever runs it ---- */

static uint64_t torn_hash(const block *b, uint32_t threads, uint32_t width, uint32_t stop, uint32_t steps)
{
    trial             t;
    const pliant_body body = begin(&t, b);
    pliant_solver_def def = pliant_solver_def_default();
    def.threads = threads;
    def.width = width;
    pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
    assert_non_null(solver);
    throw_apart(&t, b, body, 20);
    for (uint32_t step = 0; step < steps; step++) {
        pliant_inputs_reset(t.inputs, 1.0 / 60);
        assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
        if (step == stop) go_on_from_bytes(&t, &solver, &def);
    }
    const uint64_t hash = pliant_state_hash(t.state);
    assert_true(born_count(&t, body) > 20);
    pliant_solver_destroy(solver);
    trial_end(&t);
    return hash;
}

static void a_tear_is_the_same_whatever_runs_it(void **unused)
{
    (void)unused;
    block b = plain;
    b.model = PLIANT_SOLID_COROTATED;
    const uint64_t expected = torn_hash(&b, 1, 0, UINT32_MAX, 12);
    const uint32_t widths[] = {1, 4, 8, 16};
    for (uint32_t threads = 2; threads <= 8; threads *= 2) assert_true(torn_hash(&b, threads, 0, UINT32_MAX, 12) == expected);
    for (size_t i = 0; i < 4; i++) {
        trial t;
        begin(&t, &b);
        pliant_solver_def def = pliant_solver_def_default();
        def.width = widths[i];
        pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
        if (solver) assert_true(torn_hash(&b, 1, widths[i], UINT32_MAX, 12) == expected);
        pliant_solver_destroy(solver);
        trial_end(&t);
    }
    for (uint32_t stop = 1; stop < 12; stop += 4) assert_true(torn_hash(&b, 1, 0, stop, 12) == expected);
}

static void a_warm_step_that_tears_allocates_nothing(void **unused)
{
    (void)unused;
    trial t;
    tally memory;
    trial_begin(&t, 0, 20, 1);
    pliant_scene_destroy(t.scene);
    t.def.allocator = tally_allocator(&memory);
    trial_begin_def(&t);
    const pliant_body body = add_block(&t, &plain);
    trial_compile(&t);
    throw_apart(&t, &plain, body, 2);
    trial_run(&t, 1.0 / 60, 1);
    assert_int_equal(born_count(&t, body), 0);
    const size_t warm = memory.calls;
    throw_apart(&t, &plain, body, 20);
    trial_run(&t, 1.0 / 60, 10);
    assert_true(born_count(&t, body) > 20);
    assert_int_equal(memory.calls, warm);
    trial_end(&t);
}

static void bytes_of_another_topology_are_refused(void **unused)
{
    (void)unused;
    block             b = plain;
    trial             t;
    const pliant_body body = begin(&t, &b);
    throw_apart(&t, &b, body, 20);
    trial_run(&t, 1.0 / 60, 8);
    size_t         size;
    const void    *data = pliant_state_data(t.state, &size);
    unsigned char *bytes = malloc(size);
    pliant_state  *other = pliant_state_create(t.model, NULL);
    const uint32_t count = pliant_model_body(t.model, body).face_index_count;
    assert_non_null(bytes);
    assert_non_null(other);
    assert_int_equal(pliant_state_load(other, data, size, NULL), PLIANT_OK);
    const size_t index = (size_t)((const unsigned char *)pliant_state_faces(t.state, body) - (const unsigned char *)data);
    for (uint32_t k = 0; k < count; k++) { /* of faces, those that stand by too, one corner each another vertex */
        memcpy(bytes, data, size);
        bytes[index + 4 * (size_t)k] ^= 1;
        assert_int_equal(pliant_state_load(other, bytes, size, NULL), PLIANT_ERROR_INPUT);
    }
    free(bytes);
    pliant_state_destroy(other);
    trial_end(&t);
}

static void an_edit_of_the_scene_keeps_what_is_torn(void **unused)
{
    (void)unused;
    block             b = plain;
    trial             t;
    const pliant_vec3 blade[3] = {vec(-9, 0, -9), vec(9, 0, -9), vec(0, 0, 9)};
    const pliant_body body = begin(&t, &b);
    assert_true(pliant_state_cut(t.state, body, blade) > 0);
    throw_apart(&t, &b, body, 1);
    trial_run(&t, 1.0 / 60, 5);
    trial again = recompiled(&t);
    assert_int_equal(born_count(&again, body), born_count(&t, body));
    assert_int_equal(piece_count(&again, body), 2);
    assert_int_equal(pliant_state_face_count(again.state, body), pliant_state_face_count(t.state, body));
    check_surface(&again, body);
    near(enclosed(&again, body), enclosed(&t, body), 1000 * EPSILON);
    near(mass_of(&again, body), mass_of(&t, body), 1e5 * EPSILON);
    recompiled_end(&again);
    trial_end(&t);
}

/* ---- what is refused ---- */

static void refuse(void (*change)(pliant_soft_def *), const char *says)
{
    trial           t;
    pliant_error    error = {0};
    pliant_soft_def def = pliant_soft_def_default();
    trial_begin(&t, 0, 10, 1);
    def.material = plain_material();
    def.material.young = R(50000);
    def.material.poisson = R(0.4);
    def.model = PLIANT_SOLID_NEO_HOOKEAN;
    def.tear.stretch = R(1.3);
    change(&def);
    assert_int_equal(pliant_scene_add_soft(t.scene, &def, &error).id, 0);
    if (!strstr(error.message, says)) fail_msg("\"%s\" says nothing of %s", error.message, says);
    pliant_scene_destroy(t.scene);
}

static const pliant_real flat[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 1}, {0, -1, 0}};
static const uint32_t    flat_tets[12] = {0, 2, 1, 3, 1, 2, 4, 0, 1, 2, 4, 5};
static void              of_distances(pliant_soft_def *def) { def->model = PLIANT_SOLID_DISTANCE; }
static void              too_weak(pliant_soft_def *def) { def->tear.stretch = R(0.9); }
static void              without_spares(pliant_soft_def *def) { def->tear.spare = 0; }
static void              meeting(pliant_soft_def *def)
{
    def->body.self_contact = true;
    def->material.thickness = R(0.001);
}
static void seen(pliant_soft_def *def)
{
    def->visual.positions = flat[0];
    def->visual.stride = sizeof flat[0];
    def->visual.vertex_count = 3;
    def->visual.triangles = flat_tets;
    def->visual.triangle_count = 1;
}
static void with_a_flat_one(pliant_soft_def *def)
{
    def->mesh = (pliant_tet_view){
        .positions = flat[0], .stride = sizeof flat[0], .vertex_count = 6, .tetrahedra = flat_tets, .tetrahedron_count = 3};
    def->mend = true;
}

static void what_cannot_tear_is_refused(void **unused)
{
    (void)unused;
    refuse(of_distances, "neo_hookean, corotated, stvk and strain");
    refuse(too_weak, "tear.stretch");
    refuse(without_spares, "tear.spare");
    refuse(meeting, "self_contact");
    refuse(seen, "visual");
    refuse(with_a_flat_one, "flat");
}

static void a_solid_that_tears_has_no_pressure(void **unused)
{
    (void)unused;
    trial            t;
    pliant_error     error = {0};
    pliant_group_def def = pliant_group_def_default(PLIANT_GROUP_GAS);
    trial_begin(&t, 0, 20, 1);
    const pliant_body body = add_block(&t, &plain);
    assert_int_equal(pliant_scene_group(t.scene, body, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "tears"));
    pliant_scene_destroy(t.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solid_tears_when_it_is_stretched_beyond_what_it_bears),
        cmocka_unit_test(a_solid_that_bears_it_stays_whole),
        cmocka_unit_test(mass_and_momentum_stay_through_a_tear),
        cmocka_unit_test(a_tear_makes_no_energy),
        cmocka_unit_test(a_surface_stays_closed_in_every_step),
        cmocka_unit_test(what_is_held_is_not_split),
        cmocka_unit_test(a_tear_stops_when_nothing_stands_by),
        cmocka_unit_test(a_cut_through_all_of_it_makes_two),
        cmocka_unit_test(a_tear_is_the_same_whatever_runs_it),
        cmocka_unit_test(a_warm_step_that_tears_allocates_nothing),
        cmocka_unit_test(bytes_of_another_topology_are_refused),
        cmocka_unit_test(an_edit_of_the_scene_keeps_what_is_torn),
        cmocka_unit_test(what_cannot_tear_is_refused),
        cmocka_unit_test(a_solid_that_tears_has_no_pressure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
