/* The law: a body that tears comes apart where it is stretched beyond what it bears, and nowhere else; what comes apart keeps its mass, its momentum and its
 * energy, and becomes the same whatever runs it, from wherever it goes on. */
#include "torn_bodies.h"

/* ---- a sheet ---- */

typedef struct sheet {
    uint32_t           cells_x, cells_z;
    double             stretch, spare;
    double             weak_x, weak_z, strength; /* of vertices within weak_x of the left side and weak_z of the middle; 0: all alike */
    double             pull;                     /* m/s, at which one side is led away from the other, which is held; 0: it is free */
    pliant_cloth_model model;
    pliant_bend        bend;
    uint32_t           iterations;
} sheet;

static const sheet plain = {20, 20, 1.3, 0.5, 0, 0, 0, 0, PLIANT_CLOTH_STRAIN, PLIANT_BEND_ISOMETRIC, 1};

static uint32_t vertices_of(const sheet *s) { return (s->cells_x + 1) * (s->cells_z + 1); }

/* Where a vertex is at rest: 0 to 1 from side to side. */
static void rest_of(const sheet *s, uint32_t v, double at[2])
{
    at[0] = v % (s->cells_x + 1) / (double)s->cells_x;
    at[1] = v / (s->cells_x + 1) / (double)s->cells_z;
}

static void weaken(trial *t, const sheet *s, pliant_body body)
{
    for (uint32_t v = 0; v < vertices_of(s); v++) {
        const pliant_real strength = R(s->strength);
        double            rest[2];
        rest_of(s, v, rest);
        if (rest[0] > s->weak_x + 1e-9 || fabs(rest[1] - 0.5) > s->weak_z + 1e-9) continue;
        assert_int_equal(pliant_scene_set_strengths(t->scene, body, &v, &strength, 1, NULL), PLIANT_OK);
    }
}

/* The first row of vertices is held, the last one goes 1 m in 1 / pull seconds. */
static void pull_apart(trial *t, const sheet *s, pliant_body body)
{
    const double times[2] = {0, 1 / s->pull};
    for (uint32_t i = 0; i <= s->cells_x; i++) {
        const uint32_t held = i, led = s->cells_z * (s->cells_x + 1) + i;
        const double   x = i / (double)s->cells_x - 0.5;
        pliant_vec3    keys[2] = {vec(x, 0, 0.5), vec(x, 0, 1.5)};
        assert_int_equal(pliant_scene_pin(t->scene, body, &held, 1, false, NULL), PLIANT_OK);
        assert_int_equal(pliant_scene_attach(t->scene, body, &led, 1, NULL), PLIANT_OK);
        assert_int_equal(pliant_scene_key_targets(t->scene, body, i, 1, times, 2, keys, NULL), PLIANT_OK);
    }
}

/* A square metre in the xz plane. */
static pliant_body add_sheet(trial *t, const sheet *s)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    pliant_error     error = {0};
    def.material = plain_material();
    def.material.density = R(0.3);
    def.material.stretch_warp = def.material.stretch_weft = R(300);
    def.material.shear_stiffness = R(100);
    def.model = s->model;
    def.bend = s->bend;
    def.cells_x = s->cells_x;
    def.cells_z = s->cells_z;
    def.tear.stretch = R(s->stretch);
    def.tear.spare = R(s->spare);
    const pliant_body body = pliant_scene_add_cloth(t->scene, &def, &error);
    if (!body.id) fail_msg("%s", error.message);
    if (s->strength > 0) weaken(t, s, body);
    if (s->pull > 0) pull_apart(t, s, body);
    return body;
}

static pliant_body begin(trial *t, const sheet *s)
{
    trial_begin(t, 0, 20, s->iterations);
    const pliant_body body = add_sheet(t, s);
    trial_compile(t);
    return body;
}

/* ---- when ---- */

/* A strip is stretched alike everywhere, and tears when that is more than it bears, in both models. */
static void a_sheet_tears_when_it_is_stretched_beyond_what_it_bears(void **unused)
{
    (void)unused;
    for (int model = PLIANT_CLOTH_STRAIN; model <= PLIANT_CLOTH_STVK; model++) {
        sheet s = plain;
        trial t;
        s.model = (pliant_cloth_model)model;
        s.pull = 0.1;      /* slow beside its waves of 30 m/s */
        s.iterations = 40; /* with few, forces differ from row to row */
        const pliant_body body = begin(&t, &s);
        double            torn_at = 0;
        for (uint32_t step = 1; step <= 240 && !(torn_at > 0); step++) {
            trial_run(&t, 1.0 / 60, 1);
            if (born_count(&t, body)) torn_at = 1 + s.pull * step / 60;
        }
        near(torn_at, s.stretch, 0.01);
        trial_end(&t);
    }
}

static void a_sheet_that_bears_it_stays_whole(void **unused)
{
    (void)unused;
    sheet s = plain;
    trial t;
    s.stretch = 1.8;
    s.pull = 0.5;
    const pliant_body body = begin(&t, &s);
    trial_run(&t, 1.0 / 60, 60); /* to 1.5 in the mean */
    assert_int_equal(born_count(&t, body), 0);
    assert_true(pliant_state_topology(t.state) == 0 && pliant_state_unsplit(t.state) == 0);
    trial_end(&t);
}

/* ---- what stays ---- */

static void throw_apart(trial *t, const sheet *s, pliant_body body, double speed)
{
    for (uint32_t v = 0; v < vertices_of(s); v++) {
        double x[3];
        point_of(t, body, v, x);
        const pliant_vec3 away = vec(0.3, 0.1, speed * x[2]);
        assert_int_equal(pliant_state_set_velocities(t->state, body, v, 1, &away), PLIANT_OK);
    }
}

static void mass_and_momentum_stay_through_a_tear(void **unused)
{
    (void)unused;
    sheet  s = plain;
    trial  t;
    double before[6], after[6];
    s.spare = 1;
    const pliant_body body = begin(&t, &s);
    throw_apart(&t, &s, body, 40);
    const double mass = mass_of(&t, body);
    momentum_of(&t, body, before);
    trial_run(&t, 1.0 / 60, 30);
    momentum_of(&t, body, after);
    assert_true(born_count(&t, body) > 20 && piece_count(&t, body) > 1);
    near(mass_of(&t, body), mass, 1000 * EPSILON * mass);
    for (int a = 0; a < 3; a++) near(after[a], before[a], 2000 * EPSILON);
    trial_end(&t);
}

/* What flies apart by itself has no more energy after any step than before. */
static void a_tear_makes_no_energy(void **unused)
{
    (void)unused;
    for (uint32_t substeps = 1; substeps <= 20; substeps += substeps < 5 ? 4 : 15) {
        sheet  s = plain;
        trial  t;
        double last = 0;
        s.spare = 1;
        trial_begin(&t, 0, substeps, 1);
        const pliant_body body = add_sheet(&t, &s);
        trial_compile(&t);
        pliant_solver_def def = pliant_solver_def_default();
        def.energy = true;
        pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
        assert_non_null(solver);
        throw_apart(&t, &s, body, 40);
        for (uint32_t step = 0; step < 60; step++) {
            pliant_energy now;
            pliant_inputs_reset(t.inputs, 1.0 / 60);
            assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
            assert_int_equal(pliant_solver_energy(solver, body, &now), PLIANT_OK);
            if (step) assert_true(now.kinetic + now.elastic - now.unresolved <= last * (1 + BOUND(1e-9, 1e-4)));
            last = now.kinetic + now.elastic;
        }
        assert_true(born_count(&t, body) > 20);
        pliant_solver_destroy(solver);
        trial_end(&t);
    }
}

/* The law of a topology: each corner of a face is the vertex that the model has there, or one that was split off it; each such vertex has a face; and a vertex that
 * stands by is written out where another one is. */
static void check_topology(const trial *t, pliant_body body)
{
    const pliant_body_info b = pliant_model_body(t->model, body);
    const uint32_t        *sizes, *was, *now = pliant_state_faces(t->state, body);
    uint32_t              *faces = calloc(b.vertex_count, sizeof *faces);
    pliant_vec3           *x = malloc(b.vertex_count * sizeof *x);
    assert_non_null(faces);
    assert_non_null(x);
    pliant_model_faces(t->model, body, &sizes, &was);
    for (uint32_t f = 0; f < b.face_count; f++) assert_int_equal(sizes[f], 3);
    for (uint32_t k = 0; k < b.face_index_count; k++) {
        assert_true(now[k] < b.vertex_count);
        assert_int_equal(pliant_state_origin(t->state, body, now[k]), was[k]);
        faces[now[k]]++;
    }
    assert_int_equal(pliant_state_write_positions(t->state, body, x, sizeof *x), PLIANT_OK);
    for (uint32_t v = b.vertex_count - b.spare_count; v < b.vertex_count; v++) {
        const bool born = pliant_state_origin(t->state, body, v) != UINT32_MAX;
        bool       found = born;
        assert_int_equal(faces[v] > 0, born);
        for (uint32_t k = 0; k < b.vertex_count - b.spare_count && !found; k++) found = memcmp(&x[k], &x[v], sizeof *x) == 0;
        assert_true(found);
    }
    free(faces);
    free(x);
}

static void faces_keep_their_corners_or_parts_of_them(void **unused)
{
    (void)unused;
    sheet             s = plain;
    trial             t;
    const pliant_body body = begin(&t, &s);
    check_topology(&t, body);
    throw_apart(&t, &s, body, 40);
    for (uint32_t i = 0; i < 10; i++) {
        trial_run(&t, 1.0 / 60, 3);
        check_topology(&t, body);
    }
    assert_true(born_count(&t, body) > 20);
    trial_end(&t);
}

static void what_is_held_is_not_split(void **unused)
{
    (void)unused;
    sheet s = plain;
    trial t;
    s.pull = 2;
    const pliant_body body = begin(&t, &s);
    trial_run(&t, 1.0 / 60, 40);
    const pliant_body_info b = pliant_model_body(t.model, body);
    assert_true(born_count(&t, body) > 10);
    for (uint32_t v = b.vertex_count - b.spare_count; v < b.vertex_count; v++) {
        const uint32_t from = pliant_state_origin(t.state, body, v);
        assert_true(from == UINT32_MAX || (from > s.cells_x && from < s.cells_z * (s.cells_x + 1)));
    }
    trial_end(&t);
}

/* ---- spares ---- */

static void what_stands_by_is_pinned_only_beside_what_is(void **unused)
{
    sheet s = plain;
    s.pull = 0.5;
    trial                  t = {0};
    const pliant_body      body = begin(&t, &s);
    const pliant_body_info b = pliant_model_body(t.model, body);
    uint32_t               free = 0;
    (void)unused;
    for (uint32_t v = b.vertex_count - b.spare_count; v < b.vertex_count; v++) {
        pliant_vec3 at;
        assert_int_equal(pliant_state_positions(t.state, body, v, 1, &at), PLIANT_OK);
        free += !pliant_state_pinned(t.state, body, v);
        if (fabs(fabs((double)at.z) - 0.5) > 0.01)
            assert_false(pliant_state_pinned(t.state, body, v)); /* held, and led, are two sides of it */
    }
    assert_true(free > b.spare_count / 2);
    trial_end(&t);
}

static void a_tear_stops_when_no_vertex_stands_by(void **unused)
{
    (void)unused;
    sheet s = plain;
    trial t;
    s.spare = 0.005; /* two vertices */
    const pliant_body body = begin(&t, &s);
    throw_apart(&t, &s, body, 40);
    trial_run(&t, 1.0 / 60, 30);
    const pliant_body_info b = pliant_model_body(t.model, body);
    assert_int_equal(b.spare_count, 2);
    assert_int_equal(born_count(&t, body), 2);
    assert_true(pliant_state_unsplit(t.state) > 0);
    assert_int_equal(piece_count(&t, body), 1);
    trial_end(&t);
}

/* ---- cuts ---- */

/* A blade through the middle of all of it. */
static void cut_across(trial *t, pliant_body body, const sheet *s)
{
    const double      z = 0.5 / s->cells_z * (s->cells_z % 2); /* along a row of vertices */
    const pliant_vec3 blade[3] = {vec(-9, -9, z), vec(9, -9, z), vec(0, 9, z)};
    assert_int_equal(pliant_state_cut(t->state, body, blade), s->cells_x + 1);
    assert_int_equal(pliant_state_cut(t->state, body, blade), 0); /* there is nothing left to cut */
}

static void a_cut_through_all_of_it_makes_two(void **unused)
{
    (void)unused;
    const uint32_t cells[] = {8, 20, 150}; /* small, middling, and of several ranges that rows run between */
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        sheet s = plain;
        trial t;
        s.cells_x = s.cells_z = cells[i];
        const pliant_body body = begin(&t, &s);
        const double      mass = mass_of(&t, body);
        assert_int_equal(piece_count(&t, body), 1);
        cut_across(&t, body, &s);
        assert_int_equal(piece_count(&t, body), 2);
        check_topology(&t, body);
        near(mass_of(&t, body), mass, 100 * EPSILON * mass);
        assert_int_equal(pliant_state_unsplit(t.state), 0);
        throw_apart(&t, &s, body, 1);
        trial_run(&t, 1.0 / 60, 20);
        double a[3], b[3]; /* beside the cut, on both sides of it */
        point_of(&t, body, (s.cells_z / 2 - 1) * (s.cells_x + 1), a);
        point_of(&t, body, (s.cells_z / 2 + 1) * (s.cells_x + 1), b);
        assert_true(b[2] - a[2] > 2.0 / s.cells_z + 0.1); /* halves part at half a metre a second for a third of a second */
        trial_end(&t);
    }
}

/* Two cuts one way make three strips, the middle one of parts alone along its sides; nine the other way cut each of them into ten. */
static void what_was_cut_off_can_be_cut(void **unused)
{
    (void)unused;
    sheet s = plain;
    trial t;
    s.cells_x = s.cells_z = 10;
    s.spare = 2;
    const pliant_body body = begin(&t, &s);
    for (int k = 0; k < 11; k++) {
        const double      at = k < 2 ? (k ? 0.2 : -0.2) : (k - 6) * 0.1;
        const pliant_vec3 along[3] = {vec(-9, -9, at), vec(9, -9, at), vec(0, 9, at)},
                          across[3] = {vec(at, -9, -9), vec(at, -9, 9), vec(at, 9, 0)};
        assert_int_equal(pliant_state_cut(t.state, body, k < 2 ? along : across), k < 2 ? 11 : 13);
    }
    assert_int_equal(piece_count(&t, body), 30);
    check_topology(&t, body);
    trial_end(&t);
}

static void a_cut_within_it_leaves_it_whole(void **unused)
{
    (void)unused;
    sheet             s = plain;
    trial             t;
    const pliant_body body = begin(&t, &s);
    const pliant_vec3 blade[3] = {vec(-0.2, -1, 0), vec(0.2, -1, 0), vec(0, 3, 0)}, line[3] = {vec(0, 0, 0), vec(1, 0, 0), vec(2, 0, 0)};
    assert_int_equal(pliant_state_cut(t.state, body, line), 0);
    const uint32_t split = pliant_state_cut(t.state, body, blade);
    assert_true(split >= 4 && split <= 8);
    assert_int_equal(piece_count(&t, body), 1);
    check_topology(&t, body);
    trial_end(&t);
}

/* ---- whatever runs it ---- */

static uint64_t torn_hash(const sheet *s, uint32_t threads, uint32_t width, uint32_t stop, uint32_t steps)
{
    trial             t;
    const pliant_body body = begin(&t, s);
    pliant_solver_def def = pliant_solver_def_default();
    def.threads = threads;
    def.width = width;
    pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
    assert_non_null(solver);
    throw_apart(&t, s, body, 30);
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
    sheet s = plain;
    s.spare = 1;
    const uint64_t expected = torn_hash(&s, 1, 0, UINT32_MAX, 20);
    const uint32_t widths[] = {1, 4, 8, 16};
    for (uint32_t threads = 2; threads <= 8; threads *= 2) assert_true(torn_hash(&s, threads, 0, UINT32_MAX, 20) == expected);
    for (size_t i = 0; i < 4; i++) {
        trial t;
        begin(&t, &s);
        pliant_solver_def def = pliant_solver_def_default();
        def.width = widths[i];
        pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
        if (solver) assert_true(torn_hash(&s, 1, widths[i], UINT32_MAX, 20) == expected);
        pliant_solver_destroy(solver);
        trial_end(&t);
    }
    for (uint32_t stop = 1; stop < 20; stop += 7) assert_true(torn_hash(&s, 1, 0, stop, 20) == expected);
}

static void bytes_of_another_topology_are_refused(void **unused)
{
    (void)unused;
    sheet             s = plain;
    trial             t;
    const pliant_body body = begin(&t, &s);
    throw_apart(&t, &s, body, 40);
    trial_run(&t, 1.0 / 60, 20);
    size_t         size;
    const void    *data = pliant_state_data(t.state, &size);
    unsigned char *bytes = malloc(size);
    pliant_state  *other = pliant_state_create(t.model, NULL);
    uint32_t       refused = 0;
    assert_non_null(bytes);
    assert_non_null(other);
    assert_int_equal(pliant_state_load(other, data, size, NULL), PLIANT_OK);
    const size_t index = (size_t)((const unsigned char *)pliant_state_faces(t.state, body) - (const unsigned char *)data);
    for (size_t k = 0; k < 200; k++) { /* of faces, one corner each another vertex */
        memcpy(bytes, data, size);
        bytes[index + 4 * k] ^= 1;
        refused += pliant_state_load(other, bytes, size, NULL) == PLIANT_ERROR_INPUT;
    }
    assert_int_equal(refused, 200);
    free(bytes);
    pliant_state_destroy(other);
    trial_end(&t);
}

static void an_edit_of_the_scene_keeps_what_is_torn(void **unused)
{
    (void)unused;
    sheet             s = plain;
    trial             t;
    const pliant_body body = begin(&t, &s);
    cut_across(&t, body, &s);
    throw_apart(&t, &s, body, 1);
    trial_run(&t, 1.0 / 60, 5);
    trial again = recompiled(&t);
    assert_int_equal(born_count(&again, body), born_count(&t, body));
    assert_int_equal(piece_count(&again, body), 2);
    check_topology(&again, body);
    near(mass_of(&again, body), mass_of(&t, body), 100 * EPSILON);
    const uint32_t *p = pliant_state_faces(t.state, body), *q = pliant_state_faces(again.state, body);
    for (uint32_t k = 0; k < pliant_model_body(again.model, body).face_index_count; k++) {
        double a[3], b[3];
        point_of(&t, body, p[k], a);
        point_of(&again, body, q[k], b);
        for (int c = 0; c < 3; c++) near(b[c], a[c], 1e-12);
    }
    recompiled_end(&again);
    trial_end(&t);
}

/* Pinned again after the cut, vertices are split in the new model all the same, and pinned. */
static void an_edit_keeps_what_is_torn_at_pins(void **unused)
{
    (void)unused;
    sheet          s = plain;
    trial          t;
    const uint32_t row = s.cells_z / 2 * (s.cells_x + 1);
    trial_begin(&t, 0, 20, 1);
    const pliant_body body = add_sheet(&t, &s);
    for (uint32_t v = row; v <= row + s.cells_x; v++) assert_int_equal(pliant_scene_pin(t.scene, body, &v, 1, true, NULL), PLIANT_OK);
    trial_compile(&t);
    for (uint32_t v = row; v <= row + s.cells_x; v++) assert_int_equal(pliant_state_set_pinned(t.state, body, v, false), PLIANT_OK);
    cut_across(&t, body, &s);
    for (uint32_t v = row; v <= row + s.cells_x; v++) assert_int_equal(pliant_state_set_pinned(t.state, body, v, true), PLIANT_OK);
    trial again = recompiled(&t);
    assert_int_equal(piece_count(&again, body), 2);
    for (uint32_t v = row; v <= row + s.cells_x; v++) assert_true(pliant_state_pinned(again.state, body, v));
    near(mass_of(&again, body), mass_of(&t, body), 100 * EPSILON);
    recompiled_end(&again);
    trial_end(&t);
}

/* A body that runs away in the step in which it tears goes back, and no part of it is held. */
static void what_is_put_back_stays_torn_and_free(void **unused)
{
    (void)unused;
    sheet s = plain;
    trial t;
    s.spare = 2;
    trial_begin(&t, 0, 20, 1);
    pliant_scene_destroy(t.scene);
    t.def.on_divergence = PLIANT_DIVERGENCE_RESTORES;
    t.def.max_speed = R(60);
    trial_begin_def(&t);
    const pliant_body body = add_sheet(&t, &s);
    trial_compile(&t);
    throw_apart(&t, &s, body, 110);
    for (uint32_t step = 0; step < 3; step++) {
        pliant_inputs_reset(t.inputs, 1.0 / 60);
        pliant_solver_step(t.solver, t.state, t.inputs);
    }
    const double mass = mass_of(&t, body);
    assert_true(born_count(&t, body) > 0);
    near(mass, 0.3, 0.3 * 1000 * EPSILON); /* what is held has none */
    trial_end(&t);
}

static void a_given_order_is_refused(void **unused)
{
    (void)unused;
    trial        t;
    pliant_error error = {0};
    trial_begin(&t, 0, 20, 1);
    pliant_scene_destroy(t.scene);
    t.def.order = PLIANT_ORDER_GIVEN;
    trial_begin_def(&t);
    add_sheet(&t, &plain);
    assert_null(pliant_scene_compile(t.scene, &error));
    assert_non_null(strstr(error.message, "order"));
    pliant_scene_destroy(t.scene);
}

/* ---- a notch ---- */

#define MOST_CRACK 400

/* Where vertices were split, at rest, in a sheet that is weak along a notch and pulled apart. `first_x`: of those that tore in the first step in which any did the
 * one that is farthest from the notch's side. */
static uint32_t crack(uint32_t cells, double crack_at[MOST_CRACK][2], double *first_x)
{
    sheet s = plain;
    trial t;
    s.cells_x = s.cells_z = cells;
    s.weak_x = 0.2;
    s.weak_z = 0.001;
    s.strength = 0.75;
    s.spare = 1;
    s.pull = 0.3;
    s.stretch = 1.2;
    const pliant_body body = begin(&t, &s);
    *first_x = -1;
    for (uint32_t step = 0; step < 90; step++) {
        trial_run(&t, 1.0 / 60, 1);
        const pliant_body_info b = pliant_model_body(t.model, body);
        for (uint32_t v = b.vertex_count - b.spare_count; v < b.vertex_count && *first_x < 0 && pliant_state_topology(t.state); v++) {
            double         rest[2];
            const uint32_t from = pliant_state_origin(t.state, body, v);
            if (from == UINT32_MAX) continue;
            rest_of(&s, from, rest);
            *first_x = fmax(*first_x, rest[0]);
        }
    }
    const pliant_body_info b = pliant_model_body(t.model, body);
    uint32_t               count = 0;
    for (uint32_t v = b.vertex_count - b.spare_count; v < b.vertex_count && count < MOST_CRACK; v++) {
        const uint32_t from = pliant_state_origin(t.state, body, v);
        if (from != UINT32_MAX) rest_of(&s, from, crack_at[count++]);
    }
    assert_true(piece_count(&t, body) >= 2);
    trial_end(&t);
    return count;
}

/* The crack starts in the notch and runs to the other side; that of a mesh twice as fine is nowhere farther from it than two of its elements. */
static void a_crack_starts_at_the_notch_and_runs_where_that_of_a_finer_mesh_does(void **unused)
{
    (void)unused;
    static double  coarse[MOST_CRACK][2], fine[MOST_CRACK][2];
    double         first[2];
    const uint32_t cells = 20, count = crack(cells, coarse, &first[0]), twice = crack(2 * cells, fine, &first[1]);
    for (int k = 0; k < 2; k++) assert_true(first[k] >= 0 && first[k] <= 0.2 + 1.0 / cells);
    assert_true(count >= cells && twice >= 2 * cells);
    for (uint32_t i = 0; i < twice; i++) {
        double nearest = 9;
        for (uint32_t k = 0; k < count; k++) nearest = fmin(nearest, hypot(fine[i][0] - coarse[k][0], fine[i][1] - coarse[k][1]));
        assert_true(nearest <= 2.0 / cells + 1e-9);
    }
}

/* ---- a slit ---- */

#define SLIT 0.2 /* m, from the left side to the slit's tip, along the middle */

static const sheet slitted = {20, 20, 1.2, 1, 0, 0, 0, 0.3, PLIANT_CLOTH_STRAIN, PLIANT_BEND_ISOMETRIC, 1};

/* Vertices on it are split but for the one at its tip. */
static uint32_t slit(const trial *t, const sheet *s, pliant_body body)
{
    const double      end = SLIT - 0.5 / s->cells_x - 0.5;
    const pliant_vec3 blade[3] = {vec(end, -9, 0), vec(end, 9, 0), vec(-9, 0, 0)};
    const uint32_t    split = pliant_state_cut(t->state, body, blade);
    assert_int_equal(split, lround(SLIT * s->cells_x));
    assert_int_equal(piece_count(t, body), 1);
    return split;
}

/* Where vertices were split, at rest, in a slitted sheet that is pulled apart; `first`: how far from the slit's tip those are, m at the most,
 * that were split in the first substep in which any was. */
static uint32_t crack_of_slit(uint32_t cells, double crack_at[MOST_CRACK][2], double *first)
{
    sheet s = slitted;
    trial t;
    s.cells_x = s.cells_z = cells;
    const pliant_body      body = begin(&t, &s);
    const pliant_body_info b = pliant_model_body(t.model, body);
    const uint32_t         split = slit(&t, &s, body), spares = b.vertex_count - b.spare_count;
    uint32_t               count = 0;
    bool                   cut[2000] = {false};
    assert_true(b.spare_count <= 2000);
    for (uint32_t v = 0; v < b.spare_count; v++) cut[v] = pliant_state_origin(t.state, body, spares + v) != UINT32_MAX;
    *first = -1;
    for (uint32_t step = 0; step < 90 * s.cells_z; step++) {
        pliant_inputs_reset(t.inputs, 1.0 / 60 / s.cells_z);
        assert_int_equal(pliant_inputs_substeps(t.inputs, 1, 1), PLIANT_OK); /* one substep per step */
        trial_step(&t);
        for (uint32_t v = 0, more = *first < 0 && born_count(&t, body) > split; more && v < b.spare_count; v++) {
            double         at[2];
            const uint32_t from = pliant_state_origin(t.state, body, spares + v);
            if (from == UINT32_MAX || cut[v]) continue;
            rest_of(&s, from, at);
            *first = fmax(*first, hypot(at[0] - SLIT, at[1] - 0.5));
        }
    }
    for (uint32_t v = spares; v < b.vertex_count && count < MOST_CRACK; v++) {
        const uint32_t from = pliant_state_origin(t.state, body, v);
        if (from != UINT32_MAX) rest_of(&s, from, crack_at[count++]);
    }
    assert_true(piece_count(&t, body) >= 2);
    assert_true(*first >= 0 && count < MOST_CRACK);
    assert_int_equal(pliant_state_unsplit(t.state), 0);
    trial_end(&t);
    return count;
}

/* How far points of one crack are from those of another at the most. */
static double farthest(const double (*of)[2], uint32_t count, const double (*from)[2], uint32_t from_count)
{
    double most = 0;
    for (uint32_t i = 0; i < count; i++) {
        double nearest = 9;
        for (uint32_t k = 0; k < from_count; k++) nearest = fmin(nearest, hypot(of[i][0] - from[k][0], of[i][1] - from[k][1]));
        most = fmax(most, nearest);
    }
    return most;
}

/* The crack starts at the slit's tip and runs to the other side; it and that of a mesh twice as fine are nowhere farther apart than two elements of the coarser one. */
static void a_crack_starts_at_the_tip_of_a_slit_and_runs_where_that_of_a_finer_mesh_does(void **unused)
{
    (void)unused;
    static double  crack_at[2][MOST_CRACK][2];
    uint32_t       count[2];
    const uint32_t cells = slitted.cells_x;
    for (uint32_t k = 0; k < 2; k++) {
        double first;
        count[k] = crack_of_slit(cells << k, crack_at[k], &first);
        print_message("%u cells: %u splits, the first ones within %.3g m of the tip\n", cells << k, count[k], first);
        assert_true(first <= 1.5 / (cells << k));
    }
    const double one = farthest((const double(*)[2])crack_at[0], count[0], (const double(*)[2])crack_at[1], count[1]),
                 other = farthest((const double(*)[2])crack_at[1], count[1], (const double(*)[2])crack_at[0], count[0]);
    print_message("they are %.3g and %.3g m apart\n", one, other);
    assert_true(fmax(one, other) <= 2.0 / cells + 1e-9);
}

static uint64_t slitted_hash(uint32_t threads, uint32_t width, uint32_t stop)
{
    trial             t;
    const pliant_body body = begin(&t, &slitted);
    const uint32_t    split = slit(&t, &slitted, body);
    pliant_solver_def def = pliant_solver_def_default();
    def.threads = threads;
    def.width = width;
    pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
    for (uint32_t step = 0; solver && step < 80; step++) {
        pliant_inputs_reset(t.inputs, 1.0 / 60);
        assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
        if (step != stop) continue;
        size_t        size; /* goes on from the bytes of another state, with another solver */
        const void   *data = pliant_state_data(t.state, &size);
        pliant_state *copy = pliant_state_create(t.model, NULL);
        assert_non_null(copy);
        assert_int_equal(pliant_state_load(copy, data, size, NULL), PLIANT_OK);
        pliant_solver_destroy(solver);
        pliant_state_destroy(t.state);
        t.state = copy;
        solver = pliant_solver_create(t.model, &def, NULL);
        assert_non_null(solver);
    }
    const uint64_t hash = solver ? pliant_state_hash(t.state) : 0; /* 0: a width that the build has not */
    if (solver) assert_true(born_count(&t, body) > split + 5);
    pliant_solver_destroy(solver);
    trial_end(&t);
    return hash;
}

static void a_slitted_sheet_tears_the_same_whatever_runs_it(void **unused)
{
    static const uint32_t threads[] = {1, 2, 3, 8}, widths[] = {1, 4, 8, 16};
    const uint64_t        expected = slitted_hash(1, 0, UINT32_MAX);
    (void)unused;
    for (size_t i = 0; i < 4; i++) {
        const uint64_t hash = slitted_hash(1, widths[i], UINT32_MAX);
        assert_true(hash == expected || (hash == 0 && !pliant_constraint_has_width(PLIANT_CONSTRAINT_TRIANGLE_STRAIN, widths[i])));
        assert_true(slitted_hash(threads[i], 0, UINT32_MAX) == expected);
        assert_true(slitted_hash(threads[i], 0, 80 / 5 * (uint32_t)(i + 1)) == expected); /* and resumed: whole, and as it tears */
    }
}

/* ---- what is refused ---- */

static void refuse(void (*change)(pliant_cloth_def *), const char *says)
{
    trial            t;
    pliant_error     error = {0};
    pliant_cloth_def def = pliant_cloth_def_default();
    trial_begin(&t, 0, 10, 1);
    def.material = plain_material();
    def.material.stretch_warp = def.material.stretch_weft = R(300);
    def.material.shear_stiffness = R(100);
    def.model = PLIANT_CLOTH_STRAIN;
    def.tear.stretch = R(1.3);
    change(&def);
    assert_int_equal(pliant_scene_add_cloth(t.scene, &def, &error).id, 0);
    if (!strstr(error.message, says)) fail_msg("\"%s\" says nothing of %s", error.message, says);
    pliant_scene_destroy(t.scene);
}

static void of_distances(pliant_cloth_def *def)
{
    def->model = PLIANT_CLOTH_DISTANCE;
    def->material.shear_stiffness = 0;
}
static void too_weak(pliant_cloth_def *def) { def->tear.stretch = R(0.9); }
static void without_spares(pliant_cloth_def *def) { def->tear.spare = 0; }
static void tethered(pliant_cloth_def *def) { def->tether = 1; }
static void meeting(pliant_cloth_def *def)
{
    def->body.self_contact = true;
    def->material.thickness = R(0.001);
}

static void what_cannot_tear_is_refused(void **unused)
{
    (void)unused;
    refuse(of_distances, "models strain and stvk");
    refuse(too_weak, "tear.stretch");
    refuse(without_spares, "tear.spare");
    refuse(tethered, "tethers");
    refuse(meeting, "self_contact");
}

static void methods_say_which_of_them_take_what_tears(void **unused)
{
    (void)unused;
    trial t;
    begin(&t, &plain);
    for (int m = 0; m < PLIANT_METHOD_COUNT; m++) {
        pliant_method_def def = pliant_method_def_default();
        pliant_error      error = {0};
        def.method = (pliant_method)m;
        const bool takes = pliant_method_takes(t.model, &def, &error);
        assert_int_equal(takes, m == PLIANT_METHOD_GAUSS_SEIDEL);
        assert_true(takes || *error.message);
    }
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_tears_when_it_is_stretched_beyond_what_it_bears),
        cmocka_unit_test(a_sheet_that_bears_it_stays_whole),
        cmocka_unit_test(mass_and_momentum_stay_through_a_tear),
        cmocka_unit_test(a_tear_makes_no_energy),
        cmocka_unit_test(faces_keep_their_corners_or_parts_of_them),
        cmocka_unit_test(what_is_held_is_not_split),
        cmocka_unit_test(what_stands_by_is_pinned_only_beside_what_is),
        cmocka_unit_test(a_tear_stops_when_no_vertex_stands_by),
        cmocka_unit_test(a_cut_through_all_of_it_makes_two),
        cmocka_unit_test(what_was_cut_off_can_be_cut),
        cmocka_unit_test(a_cut_within_it_leaves_it_whole),
        cmocka_unit_test(a_tear_is_the_same_whatever_runs_it),
        cmocka_unit_test(bytes_of_another_topology_are_refused),
        cmocka_unit_test(an_edit_of_the_scene_keeps_what_is_torn),
        cmocka_unit_test(an_edit_keeps_what_is_torn_at_pins),
        cmocka_unit_test(what_is_put_back_stays_torn_and_free),
        cmocka_unit_test(a_given_order_is_refused),
        cmocka_unit_test(a_crack_starts_at_the_notch_and_runs_where_that_of_a_finer_mesh_does),
        cmocka_unit_test(a_crack_starts_at_the_tip_of_a_slit_and_runs_where_that_of_a_finer_mesh_does),
        cmocka_unit_test(a_slitted_sheet_tears_the_same_whatever_runs_it),
        cmocka_unit_test(what_cannot_tear_is_refused),
        cmocka_unit_test(methods_say_which_of_them_take_what_tears),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
