/* The model: bytes that can be saved, mapped and shared; colours that keep what they promise; the order given; running out of memory; bad
 * arguments. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "sample_scenes.h"

#include "compile/model.h"
#include "scene/draft.h"

#include <float.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef PLIANT_DOUBLE
#define EPSILON DBL_EPSILON
#else
#define EPSILON ((double)FLT_EPSILON)
#endif
#define DT 0.015625

static void near(double found, double expected, double bound)
{
    if (!(fabs(found - expected) <= bound)) print_error("found %.17g, expected %.17g within %g\n", found, expected, bound);
    assert_true(fabs(found - expected) <= bound);
}

/* Exactly `size` bytes, aligned, so that reading past them is caught. */
static unsigned char *aligned(size_t size)
{
    void *memory = NULL;
    assert_int_equal(posix_memalign(&memory, 64, size ? size : 1), 0);
    return memory;
}

static unsigned char *copy_of(const pliant_model *model, size_t *size)
{
    const void    *data = pliant_model_data(model, size);
    unsigned char *copy = aligned(*size);
    memcpy(copy, data, *size);
    return copy;
}

/* ---- saved and mapped ---- */

static void a_mapped_model_is_the_model(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++) {
        size_t         size = 0, again = 0;
        pliant_model  *model = sample_model(&samples[i]);
        const outcome  expected = sample_run(model, &samples[i], samples[i].frames, (run_way){.measure = true});
        unsigned char *bytes = copy_of(model, &size);
        const uint64_t hash = pliant_model_hash(model);
        pliant_model_destroy(model);
        pliant_model *mapped = pliant_model_map(bytes, size, NULL, NULL);
        assert_non_null(mapped);
        assert_int_equal(pliant_model_hash(mapped), hash);
        assert_ptr_equal(pliant_model_data(mapped, &again), bytes); /* in place */
        assert_int_equal(again, size);
        const outcome found = sample_run(mapped, &samples[i], samples[i].frames, (run_way){.measure = true});
        assert_int_equal(found.state, expected.state);
        assert_int_equal(found.report, expected.report);
        pliant_model_destroy(mapped);
        free(bytes);
    }
}

static void the_same_scene_gives_the_same_bytes(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++) {
        size_t         one = 0, two = 0;
        pliant_scene  *scene = samples[i].build(NULL);
        pliant_model  *a = pliant_scene_compile(scene, NULL), *b = pliant_scene_compile(scene, NULL), *c = sample_model(&samples[i]);
        unsigned char *bytes = copy_of(a, &one);
        assert_memory_equal(bytes, pliant_model_data(b, &two), one);
        assert_int_equal(one, two);
        assert_memory_equal(bytes, pliant_model_data(c, &two), one);
        assert_int_equal(one, two);
        for (uint32_t k = 0; k < i; k++) {
            pliant_model *other = sample_model(&samples[k]);
            assert_true(pliant_model_hash(other) != pliant_model_hash(a));
            pliant_model_destroy(other);
        }
        free(bytes);
        pliant_model_destroy(a);
        pliant_model_destroy(b);
        pliant_model_destroy(c);
        pliant_scene_destroy(scene);
    }
}

/* Flush-to-zero and rounding of the host's thread must not show in what is compiled. */
static void compiling_in_an_odd_environment_gives_the_same_bytes(void **unused)
{
    bool good = true;
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++) {
        pliant_scene  *scene = samples[i].build(NULL);
        pliant_model  *expected = pliant_scene_compile(scene, NULL);
        const unsigned usual = odd_environment(), before = environment_now();
        pliant_model  *found = pliant_scene_compile(scene, NULL);
        const unsigned after = environment_now();
        set_environment(usual);
        assert_int_equal(before, after);
        if (pliant_model_hash(found) != pliant_model_hash(expected)) {
            print_error("%s: another model\n", samples[i].name);
            good = false;
        }
        pliant_model_destroy(found);
        pliant_model_destroy(expected);
        pliant_scene_destroy(scene);
    }
    assert_true(good);
}

/* A few kilobytes that have every array: a hanging triangle in wind over a keyed plane. */
static pliant_model *tiny_model(void)
{
    const pliant_vec3          x[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    const uint32_t             triangle[3] = {0, 2, 1}, hook = 1;
    const double               time = 0;
    const pliant_pose          pose = {{0, -1, 0}, {0, 0, 0, 1}};
    const pliant_law           spring = pliant_law_default();
    pliant_scene              *scene = pliant_scene_create(NULL, NULL);
    pliant_cloth_def           def = pliant_cloth_def_default();
    pliant_force_def           wind = pliant_force_def_default(PLIANT_FORCE_WIND);
    pliant_collider_def        plane = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    pliant_user_constraint_def user = pliant_user_constraint_def_default();
    def.mesh = pliant_mesh_view_of(x, sizeof *x, 3, triangle, 1);
    def.body.velocity = v3(0, 0, 1);
    pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    assert_int_equal(pliant_scene_attach_soft(scene, body, &hook, 1, &spring, NULL, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_key_targets(scene, body, 0, 1, &time, 1, x, NULL), PLIANT_OK);
    wind.vector = v3(1, 0, 0);
    assert_int_equal(pliant_scene_add_force(scene, &wind, NULL).id, 1);
    plane.key_times = &time;
    plane.key_poses = &pose;
    plane.key_count = 1;
    assert_int_not_equal(pliant_scene_add_collider(scene, &plane, NULL).id, 0);
    user.particles[0].body = body;
    assert_int_not_equal(pliant_scene_add_user_constraint(scene, &user, NULL).id, 0);
    pliant_model *model = pliant_scene_compile(scene, NULL);
    assert_non_null(model);
    pliant_scene_destroy(scene);
    return model;
}

static void refuses_map(const void *data, size_t size, pliant_code code)
{
    tally                  memory;
    const pliant_allocator allocator = tally_allocator(&memory);
    pliant_error           error = {PLIANT_OK, 0, "", ""};
    assert_null(pliant_model_map(data, size, &allocator, &error));
    assert_int_equal(error.code, code);
    assert_true(strlen(error.message) > 10);
    assert_int_equal(memory.live, 0);
}

static void every_truncation_is_refused(void **unused)
{
    (void)unused;
    size_t         size = 0;
    pliant_model  *model = tiny_model();
    unsigned char *bytes = copy_of(model, &size), *longer = aligned(size + 64);
    assert_true(size < 16384);
    for (size_t cut = 0; cut < size; cut++) {
        unsigned char *exact = aligned(cut);
        memcpy(exact, bytes, cut);
        refuses_map(exact, cut, PLIANT_ERROR_INPUT);
        free(exact);
    }
    memset(longer, 0, size + 64);
    memcpy(longer, bytes, size);
    refuses_map(longer, size + 1, PLIANT_ERROR_INPUT);
    refuses_map(longer, size + 64, PLIANT_ERROR_INPUT);
    free(longer);
    free(bytes);
    pliant_model_destroy(model);
}

static void every_flipped_bit_is_refused(void **unused)
{
    (void)unused;
    size_t         size = 0;
    pliant_model  *model = tiny_model();
    unsigned char *bytes = copy_of(model, &size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        pliant_model *mapped = pliant_model_map(bytes, size, NULL, NULL);
        if (mapped) print_error("bit %zu of byte %zu of %zu is not seen\n", bit % 8, bit / 8, size);
        assert_null(mapped);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    pliant_model *mapped = pliant_model_map(bytes, size, NULL, NULL);
    assert_non_null(mapped);
    pliant_model_destroy(mapped);
    free(bytes);
    pliant_model_destroy(model);
}

/* Its checksum fits, so that only the version tells. */
static void a_model_of_another_version_is_refused_as_such(void **unused)
{
    (void)unused;
    size_t                size = 0;
    pliant_model         *model = tiny_model();
    unsigned char        *bytes = copy_of(model, &size);
    pliant__model_header *header = (pliant__model_header *)(void *)bytes;
    pliant_error          error = {PLIANT_OK, 0, "", ""};
    assert_int_equal(header->version, pliant__model_version());
    header->version++;
    header->hash = pliant__model_block_hash(header);
    assert_null(pliant_model_map(bytes, size, NULL, &error));
    assert_int_equal(error.code, PLIANT_ERROR_INPUT);
    assert_non_null(strstr(error.message, "made by another version"));
    free(bytes);
    pliant_model_destroy(model);
}

static void misaligned_and_missing_bytes_are_refused(void **unused)
{
    (void)unused;
    size_t         size = 0;
    pliant_model  *model = tiny_model();
    const void    *data = pliant_model_data(model, &size);
    unsigned char *bytes = aligned(size + 64);
    for (size_t shift = 1; shift < 64; shift++) {
        memcpy(bytes + shift, data, size);
        refuses_map(bytes + shift, size, PLIANT_ERROR_ARGUMENT);
    }
    refuses_map(NULL, size, PLIANT_ERROR_ARGUMENT);
    refuses_map(NULL, 0, PLIANT_ERROR_ARGUMENT);
    free(bytes);
    pliant_model_destroy(model);
}

/* ---- sharing ---- */

typedef struct runner {
    const pliant_model *model;
    uint32_t            threads;
    uint64_t            hash;
} runner;

static void *run_alone(void *argument)
{
    runner           *r = argument;
    const sample     *which = sample_named("curtain");
    pliant_solver_def def = sample_solver_def();
    def.threads = r->threads;
    pliant_state  *state = pliant_state_create(r->model, NULL);
    pliant_inputs *inputs = pliant_inputs_create(r->model, NULL);
    pliant_solver *solver = pliant_solver_create(r->model, &def, NULL);
    for (uint32_t f = 0; f < which->frames; f++) { /* without assertions: CMocka's are for the main thread */
        if (pliant_inputs_reset(inputs, DT) != PLIANT_OK) break;
        which->drive(r->model, inputs, state, f);
        if (pliant_solver_step(solver, state, inputs) != PLIANT_OK) break;
    }
    r->hash = pliant_state_hash(state);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    return NULL;
}

static void threads_share_a_model(void **unused)
{
    (void)unused;
    pliant_model *model = sample_model(sample_named("curtain"));
    runner        alone = {model, 1, 0}, all[3] = {{model, 1, 0}, {model, 2, 0}, {model, 1, 0}};
    pthread_t     threads[3];
    run_alone(&alone);
    for (int i = 0; i < 3; i++) assert_int_equal(pthread_create(&threads[i], NULL, run_alone, &all[i]), 0);
    for (int i = 0; i < 3; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < 3; i++) assert_int_equal(all[i].hash, alone.hash);
    pliant_model_destroy(model);
}

/* The scene is gone, its memory with it, and so is the caller's copy of everything it was made from. */
static void a_model_outlives_its_scene(void **unused)
{
    (void)unused;
    tally                  memory;
    const pliant_allocator allocator = tally_allocator(&memory);
    const sample          *which = sample_named("curtain");
    pliant_scene          *scene = which->build(&allocator);
    const size_t           of_scene = memory.live;
    pliant_model          *model = pliant_scene_compile(scene, NULL);
    const size_t           of_model = memory.live - of_scene;
    pliant_scene_destroy(scene);
    assert_int_equal(memory.live, of_model);
    assert_int_equal(of_model, 2); /* the handle and one block */
    pliant_model *other = sample_model(which);
    assert_int_equal(sample_run(model, which, 3, (run_way){0}).state, sample_run(other, which, 3, (run_way){0}).state);
    assert_string_equal(pliant_model_body_at(model, 0).name, "curtain");
    pliant_model_destroy(model);
    pliant_model_destroy(other);
    assert_int_equal(memory.live, 0);
}

/* ---- colours ---- */

/* What a particle that moves is in has waves that go up, row by row in the order solved: so rows of one wave share none, in the whole model,
 * but in batches that are walked row by row. Anchors and targets are in as many as they like; pins that may be released count. */
static void check_waves(const char *name, const pliant_model *m)
{
    uint32_t *seen = calloc(m->header->slot_count, sizeof *seen); /* the wave + 1 of the last row that has the slot */
    for (size_t b = 0; b < model_count(m, batches); b++) {
        const pliant__batch *batch = &m->batches[b];
        const uint32_t       slots = pliant_constraint_describe((pliant_constraint_kind)batch->kind)->slots;
        assert_true(batch->wave < m->header->wave_count);
        for (uint32_t r = 0; r < batch->count; r++) {
            if (!pliant__has_row(m, batch, r)) continue;
            uint32_t slot[PLIANT_MAX_SLOTS] = {0};
            pliant__row_slots(m, batch, r, slots, slot);
            for (uint32_t s = 0; s < slots; s++) {
                const bool anchor = m->pin[slot[s]] == PLIANT__ANCHOR;
                assert_true(slot[s] < m->header->inert);
                if (batch->shape != PLIANT__REGULAR) assert_int_equal(batch->anchors >> s & 1, anchor);
                if (anchor) continue;
                if (seen[slot[s]] > batch->wave + !!batch->serial)
                    fail_msg("%s: slot %u is in wave %u after wave %u", name, slot[s], batch->wave, seen[slot[s]] - 1);
                seen[slot[s]] = batch->wave + 1;
            }
        }
    }
    free(seen);
}

/* Each constraint of the scene that can act is solved, at one place in the order. */
static void check_completeness(const pliant_model *m, uint32_t expected)
{
    const uint32_t count = pliant_model_solved_count(m), users = (uint32_t)model_count(m, users);
    const size_t   ids = m->header->id_count;
    uint8_t       *seen = calloc(ids + 1, 1);
    for (uint32_t i = 0; i < count; i++) {
        const pliant_solved_constraint c = pliant_model_solved(m, i);
        assert_true(c.constraint.id >= 1 && c.constraint.id <= ids);
        assert_int_equal(seen[c.constraint.id], 0);
        seen[c.constraint.id] = 1;
        assert_int_equal(pliant_model_law(m, c.law).kind, c.kind);
    }
    assert_int_equal(count + users, expected);
    assert_int_equal(pliant_model_constraint_count(m, PLIANT_CONSTRAINT_COUNT), expected);
    assert_int_equal(pliant_model_solved(m, count).constraint.id, 0);
    assert_int_equal(pliant_model_solved(m, UINT32_MAX).constraint.id, 0);
    free(seen);
}

static void waves_share_no_particle_and_solve_everything_once(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++) {
        pliant_scene   *scene = samples[i].build(NULL);
        pliant_model   *model = pliant_scene_compile(scene, NULL);
        pliant__tethers tethers = {NULL, 0, 0};
        uint32_t        acting = 0;
        assert_true(pliant__scene_tethers(scene, &tethers, NULL));
        for (size_t c = 0; c < scene->constraints.count; c++) {
            const pliant__draft_constraint *d = &scene->constraints.data[c];
            const uint32_t                 *p = d->user ? scene->users.data[d->particles[0]].particles : pliant__draft_particles(scene, d);
            const uint32_t                  n = d->user ? scene->users.data[d->particles[0]].particle_count
                                                        : pliant_constraint_describe((pliant_constraint_kind)d->kind)->slots;
            bool                            moves = false;
            for (uint32_t k = 0; k < n; k++)
                if (!(p[k] & PLIANT__TARGET_SLOT)) {
                    const pliant__draft_particle *q = &scene->particles.data[p[k]];
                    moves = moves || (q->pin != PLIANT__ANCHOR && !(q->given_w && q->w == 0));
                }
            acting += moves;
        }
        check_waves(samples[i].name, model);
        check_completeness(model, acting + (uint32_t)tethers.count);
        free(tethers.data);
        pliant_model_destroy(model);
        pliant_scene_destroy(scene);
    }
}

/* A hub and `count` rim particles; `hub_pin` as in enum pliant__pin. */
static pliant_model *star(pliant_constraint_kind kind, uint32_t count, int hub_pin)
{
    pliant_vec3          x[512] = {{0, 0, 0}};
    pliant_real          w[512] = {R(0.00390625)}; /* a hub as light as the rim makes one sweep feed energy in */
    pliant_particles_def def = pliant_particles_def_default();
    const uint32_t       hub = 0;
    pliant_scene        *scene = pliant_scene_create(NULL, NULL);
    for (uint32_t i = 1; i <= count; i++) {
        x[i] = v3(R(i % 16) / 16, 1, R(i / 16) / 16);
        w[i] = 1;
    }
    def.positions = x;
    def.inverse_masses = w;
    def.count = count + 1;
    pliant_body body = pliant_scene_add_particles(scene, &def, NULL);
    if (hub_pin != PLIANT__FREE) assert_int_equal(pliant_scene_pin(scene, body, &hub, 1, hub_pin == PLIANT__RELEASABLE, NULL), PLIANT_OK);
    for (uint32_t i = 1; i <= count; i++) {
        pliant_constraint_def c = pliant_constraint_def_default(kind);
        c.particles[0] = (pliant_particle){body, i};
        c.particles[1] = (pliant_particle){body, 0};
        c.measure = true;
        assert_int_not_equal(pliant_scene_add_constraint(scene, &c, NULL).id, 0);
    }
    pliant_model *model = pliant_scene_compile(scene, NULL);
    assert_non_null(model);
    pliant_scene_destroy(scene);
    check_waves("star", model);
    check_completeness(model, count);
    return model;
}

static void forty_tethers_on_an_anchor_are_one_wave(void **unused)
{
    (void)unused;
    pliant_model *model = star(PLIANT_CONSTRAINT_TETHER, 40, PLIANT__ANCHOR);
    assert_int_equal(pliant_model_wave_count(model), 1);
    pliant_model_destroy(model);
    model = star(PLIANT_CONSTRAINT_TETHER, 40, PLIANT__RELEASABLE); /* it may move one day */
    assert_int_equal(pliant_model_wave_count(model), 40);
    pliant_model_destroy(model);
}

/* 300 constraints on one free particle are more than there are colours; the rest is solved serially, and the same everywhere. */
static void a_star_larger_than_all_colours_works(void **unused)
{
    (void)unused;
    const pliant_build_info build = pliant_build();
    pliant_model           *model = star(PLIANT_CONSTRAINT_DISTANCE, 300, PLIANT__FREE);
    const outcome           expected = sample_run(model, NULL, 10, (run_way){.width = 1});
    uint32_t                serial = 0;
    for (size_t b = 0; b < model_count(model, batches); b++) serial += model->batches[b].serial ? model->batches[b].count : 0;
    assert_int_equal(serial, 300 - 256);
    for (uint32_t i = 0; i < build.width_count; i++)
        for (uint32_t threads = 1; threads <= 3 && build.runs[i]; threads += 2)
            assert_int_equal(sample_run(model, NULL, 10, (run_way){.width = build.widths[i], .threads = threads}).state, expected.state);
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_solver *solver = pliant_solver_create(model, NULL, NULL);
    pliant_vec3    x[301];
    sample_frames(NULL, solver, state, inputs, 0, 10);
    assert_int_equal(pliant_state_positions(state, (pliant_body){1}, 0, 301, x), PLIANT_OK);
    for (int i = 0; i < 301; i++) assert_true(v3_finite(x[i]));
    near((double)x[0].y, -9.81 / 2 * 100 * DT * DT, 0.01); /* all fall together, */
    near(pliant_state_strain(state).largest, 0, 1e-3);     /* which strains nothing */
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
}

/* A vertex of a grid has 8 distances to its neighbours, so 8 waves are the least. A tile has two, or three where a strip ends, for each way that
 * distances go, along, across and both diagonals. Of angles, a vertex is in 12 where diagonals run one way; here they alternate, and each of
 * the eight ways that angles lie has up to four waves. */
static void a_grid_needs_few_waves(void **unused)
{
    (void)unused;
    pliant_scene    *scene = pliant_scene_create(NULL, NULL);
    pliant_cloth_def def = pliant_cloth_def_default();
    uint32_t         waves[PLIANT_CONSTRAINT_COUNT] = {0};
    def.cells_x = def.cells_z = 40;
    assert_int_not_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 0);
    pliant_model *model = pliant_scene_compile(scene, NULL);
    uint8_t      *seen = calloc(pliant_model_wave_count(model), 1);
    for (uint32_t i = 0; i < pliant_model_solved_count(model); i++) {
        const pliant_solved_constraint c = pliant_model_solved(model, i);
        waves[c.kind] += !seen[c.wave];
        seen[c.wave] = 1;
    }
    print_message("    %u waves of distances, %u of angles\n", waves[PLIANT_CONSTRAINT_DISTANCE], waves[PLIANT_CONSTRAINT_DIHEDRAL_ANGLE]);
    assert_true(waves[PLIANT_CONSTRAINT_DISTANCE] >= 8 && waves[PLIANT_CONSTRAINT_DISTANCE] <= 12);
    assert_true(waves[PLIANT_CONSTRAINT_DIHEDRAL_ANGLE] >= 12 && waves[PLIANT_CONSTRAINT_DIHEDRAL_ANGLE] <= 32);
    assert_int_equal(waves[PLIANT_CONSTRAINT_DISTANCE] + waves[PLIANT_CONSTRAINT_DIHEDRAL_ANGLE], pliant_model_wave_count(model));
    free(seen);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
}

/* ---- the order given ---- */

#define LINKS 7
static const pliant_vec3 web[6] = {{0, 0, 0}, {1, R(0.5), 0}, {2, 0, 1}, {0, 2, R(0.25)}, {1, 1, 1}, {R(0.5), 3, 0}};
static const pliant_real web_w[6] = {1, 2, R(0.5), 1, R(0.25), 1};
static const uint32_t    links[LINKS][2] = {{4, 1}, {0, 1}, {1, 2}, {5, 3}, {3, 4}, {2, 0}, {4, 5}};
static const double      rests[LINKS] = {1, 0.5, 1.25, 2, 0.75, 1.5, 2};

/* One step of the web by the solver, with kinds of laws that alternate so that batches end between all of them. */
static void web_by_solver(pliant_order order, pliant_vec3 *x)
{
    pliant_scene_def     settings = pliant_scene_def_default();
    pliant_particles_def def = pliant_particles_def_default();
    settings.gravity = v3(0, 0, 0);
    settings.substeps = 1;
    settings.iterations = 3;
    settings.order = order;
    pliant_scene *scene = pliant_scene_create(&settings, NULL);
    def.positions = web;
    def.inverse_masses = web_w;
    def.count = 6;
    pliant_body body = pliant_scene_add_particles(scene, &def, NULL);
    for (int i = 0; i < LINKS; i++) {
        pliant_constraint_def c = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
        c.particles[0] = (pliant_particle){body, links[i][0]};
        c.particles[1] = (pliant_particle){body, links[i][1]};
        c.parameters[0] = R(rests[i]);
        c.law.limited = i % 2 == 1;
        c.law.limit = PLIANT_AT_MOST;
        assert_int_equal(pliant_scene_add_constraint(scene, &c, NULL).id, i + 1);
    }
    pliant_model  *model = pliant_scene_compile(scene, NULL);
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_solver *solver = pliant_solver_create(model, NULL, NULL);
    for (uint32_t i = 0; i < LINKS && order == PLIANT_ORDER_GIVEN; i++)
        assert_int_equal(pliant_model_solved(model, i).constraint.id, i + 1);
    sample_frames(NULL, solver, state, inputs, 0, 1);
    assert_int_equal(pliant_state_positions(state, body, 0, 6, x), PLIANT_OK);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
}

static void the_order_given_is_the_order_solved(void **unused)
{
    (void)unused;
    pliant_vec3 given[6], coloured[6];
    double      x[6][3], lambda[LINKS] = {0}, differs = 0;
    for (int i = 0; i < 6; i++) x[i][0] = (double)web[i].x, x[i][1] = (double)web[i].y, x[i][2] = (double)web[i].z;
    for (int iteration = 0; iteration < 3; iteration++)
        for (int i = 0; i < LINKS; i++) {
            double *a = x[links[i][0]], *b = x[links[i][1]], d[3], l = 0;
            for (int c = 0; c < 3; c++) {
                d[c] = a[c] - b[c];
                l += d[c] * d[c];
            }
            l = sqrt(l);
            const double w0 = (double)web_w[links[i][0]], w1 = (double)web_w[links[i][1]], before = lambda[i];
            lambda[i] -= (l - rests[i]) / (w0 + w1);
            if (i % 2 == 1 && lambda[i] > 0) lambda[i] = 0; /* tension only */
            for (int c = 0; c < 3; c++) {
                a[c] += w0 * (lambda[i] - before) * d[c] / l;
                b[c] -= w1 * (lambda[i] - before) * d[c] / l;
            }
        }
    web_by_solver(PLIANT_ORDER_GIVEN, given);
    web_by_solver(PLIANT_ORDER_COLOUR, coloured);
    for (int i = 0; i < 6; i++) {
        const double found[3] = {(double)given[i].x, (double)given[i].y, (double)given[i].z};
        for (int c = 0; c < 3; c++) near(found[c], x[i][c], 100 * EPSILON);
        differs += (double)v3_length(v3_sub(given[i], coloured[i]));
    }
    assert_true(differs > 0.01); /* else the order would not show */
}

/* ---- what a model says ---- */

static void a_model_describes_its_scene(void **unused)
{
    (void)unused;
    pliant_scene_def  settings;
    pliant_model     *m = sample_model(sample_named("curtain"));
    const uint32_t   *sizes, *indices;
    const pliant_body body = pliant_model_find_body(m, "curtain");
    pliant_body_info  info = pliant_model_body(m, body);
    settings = pliant_model_settings(m);
    assert_int_equal(settings.size, sizeof settings);
    assert_int_equal(settings.substeps, 4);
    assert_int_equal(settings.iterations, 2);
    assert_true(settings.damping == R(0.2) && settings.drag == R(0.1) && !settings.allocator.alloc);
    assert_int_equal(pliant_model_body_count(m), 1);
    assert_int_equal(body.id, 1);
    assert_int_equal(info.type, PLIANT_BODY_CLOTH);
    assert_int_equal(info.vertex_count, 37 * 31);
    assert_int_equal(info.face_count, 36 * 30);
    assert_int_equal(info.face_index_count, 4 * 36 * 30);
    assert_int_equal(info.target_count, 4);
    near(info.mass, 0.2 * 1.8 * 1.5 * (1 - 1 / (3.0 * 36 * 30)), 1e-6); /* all but an anchor at a corner, a third of a quad's */
    assert_true(info.thickness == R(0.01));
    pliant_model_faces(m, body, &sizes, &indices);
    for (uint32_t i = 0; i < info.face_count; i++) assert_int_equal(sizes[i], 4);
    for (uint32_t i = 0; i < info.face_index_count; i++) assert_true(indices[i] < info.vertex_count);
    assert_int_equal(pliant_model_particle_count(m), 37 * 31);
    assert_int_equal(pliant_model_collider_count(m), 4);
    assert_int_equal(pliant_model_find_collider(m, "capsule").id, 3);
    pliant_collider     id;
    pliant_collider_def capsule = pliant_model_collider_at(m, 2, &id);
    assert_int_equal(id.id, 3);
    assert_string_equal(capsule.name, "capsule");
    assert_true(capsule.shape == PLIANT_SHAPE_CAPSULE && capsule.radius == R(0.1) && capsule.restitution == R(0.5));
    assert_int_equal(pliant_model_force_count(m), 3);
    assert_true(pliant_model_force_at(m, 0, NULL).type == PLIANT_FORCE_WIND && pliant_model_force_at(m, 0, NULL).vector.x == 3);
    assert_int_equal(pliant_model_force_at(m, 1, NULL).body.id, 0);
    assert_int_equal(pliant_model_force_at(m, 2, NULL).body.id, 1);
    uint32_t laws = 0;
    for (uint32_t i = 0; i < pliant_model_law_count(m); i++) laws += pliant_model_law(m, i).count;
    assert_int_equal(laws, pliant_model_constraint_count(m, PLIANT_CONSTRAINT_COUNT));
    pliant_model_destroy(m);
}

/* A scene's ids of forces stay, also when a body before them goes: inputs name forces by them. */
static void ids_of_forces_stay_when_a_body_is_removed(void **unused)
{
    (void)unused;
    pliant_scene    *scene = pliant_scene_create(NULL, NULL);
    pliant_rope_def  def = pliant_rope_def_default();
    pliant_force_def force = pliant_force_def_default(PLIANT_FORCE_BODY);
    force.body = pliant_scene_add_rope(scene, &def, NULL);
    assert_int_equal(pliant_scene_add_force(scene, &force, NULL).id, 1);
    const pliant_body gone = force.body;
    force.body = pliant_scene_add_rope(scene, &def, NULL);
    force.vector = v3(7, 0, 0);
    const pliant_force kept = pliant_scene_add_force(scene, &force, NULL);
    assert_int_equal(kept.id, 2);
    assert_int_equal(pliant_scene_remove_body(scene, gone), PLIANT_OK);
    pliant_model *model = pliant_scene_compile(scene, NULL);
    pliant_force  found;
    const bool    there = pliant_model_force_at(model, kept.id - 1, &found).vector.x == 7 && found.id == kept.id;
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    assert_true(there);
}

/* Pins and hard targets stay; springs, tethers and what bodies were made with go; ids are not used again. */
static void constraints_are_removed_and_replaced(void **unused)
{
    (void)unused;
    pliant_scene   *scene = pliant_scene_create(NULL, NULL);
    pliant_rope_def def = pliant_rope_def_default();
    const uint32_t  first = 0, last = 1;
    def.tether = 1;
    const pliant_body rope = pliant_scene_add_rope(scene, &def, NULL);
    const pliant_law  law = pliant_law_default();
    assert_int_equal(pliant_scene_pin(scene, rope, &first, 1, false, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_attach_soft(scene, rope, &last, 1, &law, NULL, NULL), PLIANT_OK);
    pliant_model         *before = pliant_scene_compile(scene, NULL);
    const uint32_t        particles = pliant_model_particle_count(before);
    pliant_constraint_def d = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
    d.particles[0] = (pliant_particle){rope, 0};
    d.particles[1] = (pliant_particle){rope, 2};
    d.measure = true;
    assert_true(pliant_model_constraint_count(before, PLIANT_CONSTRAINT_TETHER) > 0);
    assert_int_equal(pliant_scene_remove_constraints(NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_scene_remove_constraints(scene), PLIANT_OK);
    pliant_model *none = pliant_scene_compile(scene, NULL);
    assert_int_equal(pliant_model_constraint_count(none, PLIANT_CONSTRAINT_COUNT), 0);
    assert_int_equal(pliant_model_particle_count(none), particles);
    const pliant_constraint added = pliant_scene_add_constraint(scene, &d, NULL);
    assert_true(added.id > particles - 1);
    pliant_model *one = pliant_scene_compile(scene, NULL);
    assert_int_equal(pliant_model_constraint_count(one, PLIANT_CONSTRAINT_COUNT), 1);
    assert_int_equal(pliant_model_solved(one, 0).constraint.id, added.id);
    pliant_model_destroy(one);
    pliant_model_destroy(none);
    pliant_model_destroy(before);
    pliant_scene_destroy(scene);
}

static void an_empty_scene_compiles_and_steps(void **unused)
{
    (void)unused;
    pliant_scene *scene = pliant_scene_create(NULL, NULL);
    for (int collider = 0; collider < 2; collider++) {
        if (collider) assert_int_not_equal(pliant_scene_add_floor(scene, 0, NULL).id, 0);
        pliant_model *model = pliant_scene_compile(scene, NULL);
        assert_non_null(model);
        const outcome a = sample_run(model, NULL, 3, (run_way){.measure = true}),
                      b = sample_run(model, NULL, 3, (run_way){.threads = 3, .measure = true});
        assert_int_equal(a.state, b.state);
        pliant_model_destroy(model);
    }
    pliant_scene_destroy(scene);
}

/* ---- out of memory ---- */

/* What is made of a scene, with memory for `n` allocations; true if that was enough. */
static bool make_all(const pliant_scene *scene, tally *memory, size_t n, uint32_t threads, bool recompile)
{
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    pliant_solver_def def = sample_solver_def();
    const size_t      before = memory->live;
    def.threads = threads;
    def.measure = true;
    if (threads == 0) def.tasks = host_tasks(HOST_REVERSE);
    memory->left = n;
    pliant_model  *next = NULL, *model = pliant_scene_compile(scene, &error);
    pliant_state  *carried = NULL, *state = model ? pliant_state_create(model, &error) : NULL;
    pliant_inputs *inputs = state ? pliant_inputs_create(model, &error) : NULL;
    pliant_solver *solver = inputs ? pliant_solver_create(model, &def, &error) : NULL;
    if (solver && recompile) next = pliant_scene_recompile(scene, state, &carried, &error);
    bool ok = solver && (next || !recompile);
    assert_int_equal(!next, !carried);
    if (!ok) {
        assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
        assert_true(strlen(error.message) > 5);
    }
    if (solver && !recompile) { /* a step that runs out says so and leaves the state alone */
        const uint64_t hash = pliant_state_hash(state);
        assert_int_equal(pliant_inputs_reset(inputs, DT), PLIANT_OK);
        const pliant_code code = pliant_solver_step(solver, state, inputs);
        if (code != PLIANT_OK) {
            assert_int_equal(code, PLIANT_ERROR_MEMORY);
            assert_int_equal(pliant_state_hash(state), hash);
            memory->left = SIZE_MAX;
            assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
            ok = false;
        }
    }
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(carried);
    pliant_state_destroy(state);
    pliant_model_destroy(next);
    pliant_model_destroy(model);
    memory->left = SIZE_MAX;
    assert_int_equal(memory->live, before);
    return ok;
}

static void memory_may_run_out_anywhere(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++) {
        if (!strncmp(samples[i].name, "curtain", 7)) continue; /* large; "odds" has as much */
        tally                  memory;
        const pliant_allocator allocator = tally_allocator(&memory);
        pliant_scene          *scene = samples[i].build(&allocator);
        for (uint32_t threads = 0; threads < 3; threads++) {
            size_t n = 0;
            while (!make_all(scene, &memory, n, threads, threads == 1)) n++;
            assert_true(n > 40 && n < 2000);
        }
        pliant_scene_destroy(scene);
        assert_int_equal(memory.live, 0);
    }
}

static void mapping_may_run_out_too(void **unused)
{
    (void)unused;
    size_t           size = 0;
    tally            memory;
    pliant_error     error = {PLIANT_OK, 0, "", ""};
    pliant_model    *model = tiny_model();
    pliant_allocator allocator = tally_allocator(&memory);
    unsigned char   *bytes = copy_of(model, &size);
    memory.left = 0;
    assert_null(pliant_model_map(bytes, size, &allocator, &error));
    assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
    memory.left = 1;
    pliant_model *mapped = pliant_model_map(bytes, size, &allocator, &error);
    assert_non_null(mapped);
    assert_null(pliant_state_create(mapped, &error)); /* the allocator is kept */
    assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
    pliant_model_destroy(mapped);
    assert_int_equal(memory.live, 0);
    free(bytes);
    pliant_model_destroy(model);
}

/* ---- room, asked for before ---- */

typedef struct host {
    size_t   calls, live, most; /* bytes */
    uint64_t asked;
    bool     has_room;
} host;

static void *host_alloc(size_t bytes, size_t align, void *context)
{
    enum { HEAD = 64 };
    host          *h = context;
    unsigned char *block = aligned_alloc(align > HEAD ? align : HEAD, (bytes + 2 * HEAD) / HEAD * HEAD);
    if (!block) return NULL;
    memcpy(block, &bytes, sizeof bytes);
    h->calls++;
    h->live += bytes;
    if (h->live > h->most) h->most = h->live;
    return block + HEAD;
}

static void host_release(void *memory, void *context)
{
    size_t         bytes;
    unsigned char *block = (unsigned char *)memory - 64;
    memcpy(&bytes, block, sizeof bytes);
    ((host *)context)->live -= bytes;
    free(block);
}

static bool host_room(uint64_t bytes, void *context)
{
    host *h = context;
    h->asked += bytes;
    return h->has_room;
}

static pliant_body add_grid(pliant_scene *scene, pliant_bend bend)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    def.cells_x = def.cells_z = 60;
    def.bend = bend;
    return pliant_scene_add_cloth(scene, &def, NULL);
}

static pliant_body add_grid_by_angle(pliant_scene *scene) { return add_grid(scene, PLIANT_BEND_ANGLE); }
static pliant_body add_grid_by_distance(pliant_scene *scene) { return add_grid(scene, PLIANT_BEND_DISTANCE); }
static pliant_body add_limp_grid(pliant_scene *scene) { return add_grid(scene, PLIANT_BEND_NONE); }

/* Triangles of a strip that goes up and down. */
static pliant_body add_strip(pliant_scene *scene)
{
    enum { LENGTH = 2000 };
    static pliant_vec3 x[LENGTH + 2];
    static uint32_t    triangles[3 * LENGTH];
    for (uint32_t i = 0; i < LENGTH + 2; i++) x[i] = v3(R(i / 2) / 8, R(i % 2) / 8, R(i % 4 / 2) / 32);
    for (uint32_t i = 0; i < 3 * LENGTH; i++) triangles[i] = i / 3 + i % 3;
    pliant_cloth_def def = pliant_cloth_def_default();
    def.mesh = pliant_mesh_view_of(x, sizeof *x, LENGTH + 2, triangles, LENGTH);
    return pliant_scene_add_cloth(scene, &def, NULL);
}

static pliant_body add_block(pliant_scene *scene)
{
    pliant_soft_def def = pliant_soft_def_default();
    def.cells[0] = def.cells[1] = def.cells[2] = 9;
    return pliant_scene_add_soft(scene, &def, NULL);
}

static pliant_body add_line(pliant_scene *scene)
{
    pliant_rope_def def = pliant_rope_def_default();
    def.segments = 3000;
    def.to = v3(300, 0, 0);
    return pliant_scene_add_rope(scene, &def, NULL);
}

static pliant_body add_limp_line(pliant_scene *scene)
{
    pliant_rope_def def = pliant_rope_def_default();
    def.segments = 3000;
    def.bend = false;
    return pliant_scene_add_rope(scene, &def, NULL);
}

static pliant_body add_cloud(pliant_scene *scene)
{
    static pliant_vec3   x[3000];
    pliant_particles_def def = pliant_particles_def_default();
    for (size_t i = 0; i < 3000; i++) x[i] = v3(R(i), 0, 0);
    def.positions = x;
    def.count = 3000;
    return pliant_scene_add_particles(scene, &def, NULL);
}

/* ---- from a constraint to its row ---- */

static pliant_model *large_model(uint32_t cells, pliant_real speed)
{
    pliant_scene              *scene = pliant_scene_create(NULL, NULL);
    pliant_cloth_def           def = pliant_cloth_def_default();
    pliant_user_constraint_def user = pliant_user_constraint_def_default();
    def.cells_x = def.cells_z = cells;
    def.bend = PLIANT_BEND_DISTANCE;
    def.body.velocity = v3(0, 0, speed);
    pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    def.cells_x = def.cells_z = 2;
    pliant_body gone = pliant_scene_add_cloth(scene, &def, NULL);
    user.particles[0].body = body;
    assert_int_not_equal(pliant_scene_add_user_constraint(scene, &user, NULL).id, 0);
    assert_int_equal(pliant_scene_remove_body(scene, gone), PLIANT_OK);
    pliant_model *model = pliant_scene_compile(scene, NULL);
    assert_non_null(model);
    pliant_scene_destroy(scene);
    return model;
}

/* Each row's constraint, in two bytes or in three; those of the body that was removed have none. */
static void constraints_find_their_rows(void **unused)
{
    (void)unused;
    for (uint32_t cells = 20; cells <= 160; cells += 140) {
        pliant_model  *m = large_model(cells, 0);
        const uint32_t rows = m->header->packed_rows, ids = m->header->id_count;
        uint32_t       none = 0;
        assert_int_equal(m->header->number_bytes, cells == 160 ? 3 : 2);
        for (size_t b = 0; b < model_count(m, batches); b++)
            for (uint32_t r = 0; r < m->batches[b].count; r++) {
                const uint32_t row = m->batches[b].first_row + r;
                if (pliant__has_row(m, &m->batches[b], r))
                    assert_int_equal(pliant__row_of(m, (pliant_constraint){pliant__constraint_of(m, row)}), row);
            }
        assert_int_equal(pliant__row_of(m, (pliant_constraint){ids}), rows); /* the user's */
        for (uint32_t id = 1; id <= ids; id++) none += pliant__row_of(m, (pliant_constraint){id}) == PLIANT__NONE;
        assert_int_equal(none, ids - pliant_model_solved_count(m) - 1);
        assert_int_equal(none, 12 + 8 + 6); /* edges, diagonals and bends of two by two cells */
        assert_int_equal(pliant__row_of(m, (pliant_constraint){0}), PLIANT__NONE);
        assert_int_equal(pliant__row_of(m, (pliant_constraint){ids + 1}), PLIANT__NONE);
        pliant_model_destroy(m);
    }
}

/* What is at rest has no velocities in the model, and starts with none. */
static void velocities_are_there_where_something_moves(void **unused)
{
    (void)unused;
    for (int speed = 0; speed < 2; speed++) {
        pliant_model *m = large_model(4, R(speed));
        pliant_state *state = pliant_state_create(m, NULL);
        pliant_vec3   v[25];
        assert_int_equal(model_count(m, v), speed ? 4 * m->header->slot_count : 0);
        assert_int_equal(pliant_state_velocities(state, (pliant_body){1}, 0, 25, v), PLIANT_OK);
        for (int i = 0; i < 25; i++) assert_true(v[i].x == 0 && v[i].y == 0 && v[i].z == R(speed));
        pliant_state_destroy(state);
        pliant_model_destroy(m);
    }
}

/* The host is asked for less than a body takes, and not for a small part of it; and if it says no, nothing is taken. */
static void room_is_asked_for_before_it_is_taken(void **unused)
{
    pliant_body (*const calls[])(pliant_scene *) = {add_grid_by_angle, add_grid_by_distance, add_limp_grid, add_strip, add_block,
                                                    add_line,          add_limp_line,        add_cloud};
    (void)unused;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        host             h = {.has_room = true};
        pliant_scene_def def = pliant_scene_def_default();
        def.allocator = (pliant_allocator){host_alloc, host_release, &h, host_room};
        pliant_scene *scene = pliant_scene_create(&def, NULL);
        assert_int_not_equal(calls[i](scene).id, 0);
        pliant_model *model = pliant_scene_compile(scene, NULL);
        pliant_state *state = pliant_state_create(model, NULL);
        assert_non_null(state);
        if (h.asked > h.most || h.asked < h.most / 3) print_error("%zu: asked for %zu bytes, took %zu\n", i, (size_t)h.asked, h.most);
        assert_true(h.asked <= h.most);
        assert_true(h.asked >= h.most / 3);
        h.has_room = false;
        const size_t calls_before = h.calls;
        assert_int_equal(calls[i](scene).id, 0);
        assert_int_equal(h.calls, calls_before);
        pliant_state_destroy(state);
        pliant_model_destroy(model);
        pliant_scene_destroy(scene);
        assert_int_equal(h.live, 0);
    }
}

/* ---- bad arguments ---- */

static void questions_out_of_range_have_empty_answers(void **unused)
{
    (void)unused;
    pliant_model   *m = sample_model(sample_named("odds"));
    const uint32_t *sizes = (const uint32_t *)1, *indices = (const uint32_t *)1;
    pliant_collider id = {5};
    pliant_force    force = {5};
    for (int i = 0; i < 3; i++) {
        const uint32_t    index = (const uint32_t[]){100000, UINT32_MAX, 1u << 31}[i];
        const pliant_body body = {i ? index : 0};
        assert_int_equal(pliant_model_body_at(m, index).body.id, 0);
        assert_int_equal(pliant_model_body(m, body).body.id, 0);
        pliant_model_faces(m, body, &sizes, &indices);
        assert_null(sizes);
        assert_null(indices);
        pliant_model_faces(m, body, NULL, NULL);
        assert_int_equal(pliant_model_law(m, index).count, 0);
        assert_non_null(pliant_model_law(m, index).role);
        assert_non_null(pliant_model_law(m, index).material);
        assert_int_equal(pliant_model_collider_at(m, index, &id).name[0], 0);
        assert_int_equal(id.id, 0);
        pliant_model_collider_at(m, index, NULL);
        assert_true(pliant_model_force_at(m, index, &force).vector.x == 0 && force.id == 0);
        assert_int_equal(pliant_model_constraint_count(m, (pliant_constraint_kind)index),
                         pliant_model_constraint_count(m, PLIANT_CONSTRAINT_COUNT));
    }
    assert_int_equal(pliant_model_find_body(m, "nobody").id, 0);
    assert_int_equal(pliant_model_find_body(m, NULL).id, 0);
    assert_int_equal(pliant_model_find_collider(m, "nothing").id, 0);
    assert_int_equal(pliant_model_find_collider(m, NULL).id, 0);
    assert_non_null(pliant_model_data(m, NULL));
    pliant_model_destroy(m);
}

/* A handle that is NULL: an error or nothing, and no crash. */
static void no_model_is_harmless(void **unused)
{
    (void)unused;
    size_t          size = 5;
    const uint32_t *sizes = (const uint32_t *)1, *indices = (const uint32_t *)1;
    pliant_error    error = {PLIANT_OK, 0, "", ""};
    assert_null(pliant_scene_compile(NULL, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_null(pliant_scene_compile(NULL, NULL));
    pliant_model_destroy(NULL);
    assert_null(pliant_model_data(NULL, &size));
    assert_int_equal(size, 0);
    assert_int_equal(pliant_model_hash(NULL), 0);
    assert_int_equal(pliant_model_settings(NULL).size, sizeof(pliant_scene_def));
    assert_int_equal(pliant_model_body_count(NULL), 0);
    assert_int_equal(pliant_model_body_at(NULL, 0).body.id, 0);
    assert_int_equal(pliant_model_find_body(NULL, "a").id, 0);
    assert_int_equal(pliant_model_body(NULL, (pliant_body){1}).body.id, 0);
    pliant_model_faces(NULL, (pliant_body){1}, &sizes, &indices);
    assert_null(sizes);
    assert_null(indices);
    assert_int_equal(pliant_model_particle_count(NULL), 0);
    assert_int_equal(pliant_model_constraint_count(NULL, PLIANT_CONSTRAINT_COUNT), 0);
    assert_int_equal(pliant_model_constraint_count(NULL, PLIANT_CONSTRAINT_DISTANCE), 0);
    assert_int_equal(pliant_model_solved_count(NULL), 0);
    assert_int_equal(pliant_model_solved(NULL, 0).constraint.id, 0);
    assert_int_equal(pliant_model_wave_count(NULL), 0);
    assert_int_equal(pliant_model_law_count(NULL), 0);
    assert_int_equal(pliant_model_law(NULL, 0).count, 0);
    assert_int_equal(pliant_model_collider_count(NULL), 0);
    pliant_model_collider_at(NULL, 0, NULL);
    assert_int_equal(pliant_model_find_collider(NULL, "a").id, 0);
    assert_int_equal(pliant_model_force_count(NULL), 0);
    pliant_model_force_at(NULL, 0, NULL);
    assert_int_equal(pliant_model_state_size(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mapped_model_is_the_model),
        cmocka_unit_test(the_same_scene_gives_the_same_bytes),
        cmocka_unit_test(compiling_in_an_odd_environment_gives_the_same_bytes),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_flipped_bit_is_refused),
        cmocka_unit_test(a_model_of_another_version_is_refused_as_such),
        cmocka_unit_test(misaligned_and_missing_bytes_are_refused),
        cmocka_unit_test(threads_share_a_model),
        cmocka_unit_test(a_model_outlives_its_scene),
        cmocka_unit_test(waves_share_no_particle_and_solve_everything_once),
        cmocka_unit_test(forty_tethers_on_an_anchor_are_one_wave),
        cmocka_unit_test(a_star_larger_than_all_colours_works),
        cmocka_unit_test(a_grid_needs_few_waves),
        cmocka_unit_test(the_order_given_is_the_order_solved),
        cmocka_unit_test(a_model_describes_its_scene),
        cmocka_unit_test(ids_of_forces_stay_when_a_body_is_removed),
        cmocka_unit_test(constraints_are_removed_and_replaced),
        cmocka_unit_test(an_empty_scene_compiles_and_steps),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(mapping_may_run_out_too),
        cmocka_unit_test(constraints_find_their_rows),
        cmocka_unit_test(velocities_are_there_where_something_moves),
        cmocka_unit_test(room_is_asked_for_before_it_is_taken),
        cmocka_unit_test(questions_out_of_range_have_empty_answers),
        cmocka_unit_test(no_model_is_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
