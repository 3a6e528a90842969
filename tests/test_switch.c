/* Colliders that are switched off and on: one that is off is as if it were not there, to the bit; one that is switched on has just appeared; the state has
 * which are off, and inputs say it, so that copies, saved states, recordings and rollback go on as the run did. */
#include "trial.h"

#include "pliant/io.h"

#include <unistd.h>

#define DT (1.0 / 60)
#define BLOCK 64 /* bytes to a multiple of which arrays of a state are rounded */

static pliant_pose at(double x, double y, double z) { return (pliant_pose){vec(x, y, z), {0, 0, 0, 1}}; }

static pliant_body add_cloth(trial *t, uint32_t cells, double height)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    def.cells_x = def.cells_z = cells;
    def.size_x = def.size_z = R(0.05 * cells);
    def.body.placement.position.y = R(height);
    def.body.self_contact = true;
    def.material = pliant_material_preset(PLIANT_COTTON);
    def.material.thickness = R(0.01);
    pliant_body body = pliant_scene_add_cloth(t->scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

static void switch_to(trial *t, pliant_collider c, bool active)
{
    assert_int_equal(pliant_inputs_collider_active(t->inputs, c, active), PLIANT_OK);
}

/* ---- off ---- */

enum beside { NOTHING, BALL, YIELDING_BOX, CROWD, BESIDES };

/* A cloth that falls, onto a floor or not, while what there is `beside` is off. */
static void fall_beside(trial *t, enum beside beside, bool floor, pliant_integration integration, pliant_method method)
{
    memset(t, 0, sizeof *t);
    t->def = pliant_scene_def_default();
    t->def.substeps = 4;
    t->def.iterations = 3;
    t->def.integration = integration;
    t->def.method.method = method;
    t->def.sleep_speed = integration == PLIANT_INTEGRATION_BDF2 ? 0 : R(0.01);
    trial_begin_def(t);
    add_cloth(t, 12, 0.4);
    if (floor) pliant_scene_add_floor(t->scene, 0, NULL);
    uint32_t count = 0;
    for (uint32_t i = 0; beside != NOTHING && i < (beside == CROWD ? 30u : 1u); i++, count++) {
        pliant_collider_def d = pliant_collider_def_default(beside == YIELDING_BOX ? PLIANT_SHAPE_BOX : PLIANT_SHAPE_SPHERE);
        d.radius = R(0.15);
        d.half_extent = vec(0.1, 0.1, 0.1);
        d.yields = beside == YIELDING_BOX;
        d.pose = at(0.02 * i, 0.2, 0);
        add_collider(t, &d);
    }
    trial_compile(t);
    pliant_solver_def sd = pliant_solver_def_default();
    sd.energy = true;
    pliant_solver_destroy(t->solver);
    t->solver = pliant_solver_create(t->model, &sd, NULL);
    assert_non_null(t->solver);
    for (int step = 0; step < 40; step++) {
        assert_int_equal(pliant_inputs_reset(t->inputs, DT), PLIANT_OK);
        for (uint32_t i = 0; i < count; i++) {
            const pliant_collider c = {i + 1 + floor};
            const pliant_pose     moved = at(0.02 * i, 0.2 + 0.002 * step, 0);
            if (!step) switch_to(t, c, false); /* once: it stays off */
            assert_int_equal(pliant_inputs_collider(t->inputs, c, &moved), PLIANT_OK);
        }
        trial_step(t);
    }
}

static void one_that_is_off_is_as_if_it_were_not_there(void **unused)
{
    static const pliant_method methods[] = {PLIANT_METHOD_GAUSS_SEIDEL, PLIANT_METHOD_MULTIGRID};
    (void)unused;
    for (uint32_t k = 0; k < 2 * 2 * 2; k++) {
        const bool               floor = k & 1;
        const pliant_integration integration = (pliant_integration)(k >> 1 & 1);
        const pliant_method      method = methods[k >> 2];
        trial                    a, b;
        if (method == PLIANT_METHOD_MULTIGRID && integration == PLIANT_INTEGRATION_BDF2) continue;
        fall_beside(&a, NOTHING, floor, integration, method);
        const pliant_statistics s = pliant_solver_statistics(a.solver);
        for (enum beside beside = BALL; beside < BESIDES; beside++) {
            fall_beside(&b, beside, floor, integration, method);
            const pliant_statistics r = pliant_solver_statistics(b.solver);
            for (uint32_t i = 0; i < vertex_count(&a, (pliant_body){1}); i++) {
                double x[3], y[3], v[3], u[3];
                point_of(&a, (pliant_body){1}, i, x);
                point_of(&b, (pliant_body){1}, i, y);
                speed_of(&a, (pliant_body){1}, i, v);
                speed_of(&b, (pliant_body){1}, i, u);
                assert_true(!memcmp(x, y, sizeof x) && !memcmp(v, u, sizeof v));
            }
            assert_int_equal(r.contacts, s.contacts);
            assert_int_equal(r.sleeping, s.sleeping);
            assert_int_equal(r.colliders_held, 0);
            assert_memory_equal(&r.energy, &s.energy, sizeof r.energy);
            assert_true(pliant_state_collider_pose(b.state, (pliant_collider){1u + floor}).position.y > R(0.27)); /* it went on */
            trial_end(&b);
        }
        assert_true(!floor || s.contacts > 0);
        trial_end(&a);
    }
}

static void queries_pass_what_is_off(void **unused)
{
    trial            t;
    pliant_query_hit hit;
    (void)unused;
    trial_begin(&t, 0, 1, 1);
    add_cloth(&t, 2, 5);
    const pliant_collider ball = pliant_scene_add_sphere(t.scene, 1, at(0, 0, 0), NULL);
    trial_compile(&t);
    pliant_query        *q = pliant_query_create(t.model, NULL);
    pliant_query_overlap found[4];
    uint32_t             count;
    assert_non_null(q);
    for (int on = 1; on >= 0; on--) {
        assert_int_equal(pliant_inputs_reset(t.inputs, DT), PLIANT_OK);
        switch_to(&t, ball, on);
        trial_step(&t);
        assert_int_equal(pliant_state_collider_active(t.state, ball), on);
        assert_int_equal(pliant_query_update(q, t.state), PLIANT_OK);
        assert_int_equal(pliant_query_ray(q, vec(-3, 0, 0), vec(1, 0, 0), 10, NULL, &hit), PLIANT_OK);
        assert_int_equal(hit.collider.id, on ? ball.id : 0);
        assert_int_equal(pliant_query_closest(q, vec(-3, 0, 0), 4, NULL, &hit), PLIANT_OK);
        assert_int_equal(hit.collider.id, on ? ball.id : 0);
        assert_int_equal(pliant_query_overlap_sphere(q, vec(0, 0, 0), R(0.5), NULL, found, 4, &count), PLIANT_OK);
        assert_int_equal(count, on);
    }
    pliant_query_destroy(q);
    trial_end(&t);
}

/* What sleeps on it wakes and falls; the contact ends in the log. */
static void what_rests_on_it_falls_when_it_is_switched_off(void **unused)
{
    trial                       t;
    const pliant_contact_event *events;
    pliant_solver_def           sd = pliant_solver_def_default();
    pliant_material             material = plain_material();
    const double                x[1][3] = {{0, 1.01, 0}};
    double                      v[3];
    (void)unused;
    memset(&t, 0, sizeof t);
    t.def = pliant_scene_def_default();
    t.def.substeps = 4;
    t.def.sleep_speed = R(0.01);
    trial_begin_def(&t);
    material.thickness = R(0.01);
    const pliant_body     body = add_points(&t, 1, x, NULL, NULL, &material);
    pliant_collider_def   d = pliant_collider_def_default(PLIANT_SHAPE_BOX);
    const pliant_collider box = add_collider(&t, &d);
    trial_compile(&t);
    pliant_contact_log *log = pliant_contact_log_create(t.model, NULL, NULL);
    sd.contacts = log;
    pliant_solver_destroy(t.solver);
    t.solver = pliant_solver_create(t.model, &sd, NULL);
    trial_run(&t, DT, 60);
    assert_int_equal(pliant_solver_statistics(t.solver).sleeping, 1);
    switch_to(&t, box, true); /* it is on already: nothing wakes */
    trial_step(&t);
    assert_int_equal(pliant_solver_statistics(t.solver).sleeping, 1);
    switch_to(&t, box, false);
    trial_step(&t);
    assert_int_equal(pliant_solver_statistics(t.solver).sleeping, 0);
    assert_int_equal(pliant_contact_log_events(log, &events), 1);
    assert_int_equal(events[0].change, PLIANT_CONTACT_ENDS);
    speed_of(&t, body, 0, v);
    near(v[1], -9.81 * DT, 1e-5);
    pliant_contact_log_destroy(log);
    trial_end(&t);
}

/* ---- on ---- */

/* A hanging cloth between where a ball was and where it is to be. Returns how far it has gone in the step in which the ball gets there. */
static double swept(bool switched, bool teleported, bool keyed)
{
    trial               t;
    double              most = 0, x[3], y[3];
    const double        times[2] = {0, 10 * DT};
    const pliant_pose   keys[2] = {at(0.5, -0.25, -2), at(0.5, -0.25, 2)};
    const pliant_pose   there = at(0.5, -0.25, 2);
    pliant_collider_def d = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    trial_begin(&t, 0, 10, 2);
    const pliant_body body = hang_cloth(&t, 0, 1e-6, 8);
    d.radius = R(0.2);
    d.pose = at(0.5, -0.25, -2);
    if (keyed) d.key_times = times, d.key_poses = keys, d.key_count = 2;
    const pliant_collider ball = add_collider(&t, &d);
    trial_compile(&t);
    assert_int_equal(pliant_inputs_reset(t.inputs, DT), PLIANT_OK);
    if (switched) switch_to(&t, ball, false);
    if (keyed)
        for (int i = 0; i < 20; i++) trial_step(&t);
    else
        trial_step(&t);
    if (!keyed) assert_true(pliant_state_collider_pose(t.state, ball).position.z == -2);
    for (uint32_t i = 0; i < vertex_count(&t, body) && keyed && switched; i++) {
        speed_of(&t, body, i, x);
        most = fmax(most, length3(x));
    }
    assert_true(most < 1e-4);
    most = 0;
    assert_int_equal(pliant_inputs_reset(t.inputs, DT), PLIANT_OK);
    if (switched) switch_to(&t, ball, true);
    if (teleported) assert_int_equal(pliant_inputs_teleport_collider(t.inputs, ball, &there), PLIANT_OK);
    if (!teleported && !keyed) assert_int_equal(pliant_inputs_collider(t.inputs, ball, &there), PLIANT_OK);
    trial_step(&t);
    assert_true(pliant_state_collider_pose(t.state, ball).position.z == 2);

    for (uint32_t i = 0; i < vertex_count(&t, body); i++) {
        point_of(&t, body, i, x);
        pliant_vec3   was;
        pliant_state *fresh = pliant_state_create(t.model, NULL);
        assert_int_equal(pliant_state_positions(fresh, body, i, 1, &was), PLIANT_OK);
        pliant_state_destroy(fresh);
        y[0] = x[0] - (double)was.x, y[1] = x[1] - (double)was.y, y[2] = x[2] - (double)was.z;
        most = fmax(most, length3(y));
    }
    trial_end(&t);
    return most;
}

static void one_that_appears_sweeps_nothing(void **unused)
{
    (void)unused;
    assert_true(swept(false, false, false) > 0.1); /* it drags the cloth along */
    assert_true(swept(true, false, false) < 1e-5);
    assert_true(swept(true, true, false) < 1e-5);
    assert_true(swept(false, false, true) > 0.1);
    assert_true(swept(true, false, true) < 1e-5);
}

/* A box appears around particles at rest: they leave it at a metre per second and gain no speed. */
static void what_it_appears_around_is_pushed_out_slowly(void **unused)
{
    (void)unused;
    for (int integration = 0; integration < 2; integration++) {
        trial               t;
        const double        x[2][3] = {{0, 0.9, 0}, {0.1, 0.95, 0.2}};
        double              y[3], v[3];
        pliant_collider_def d = pliant_collider_def_default(PLIANT_SHAPE_BOX);
        memset(&t, 0, sizeof t);
        t.def = pliant_scene_def_default();
        t.def.gravity = vec(0, 0, 0);
        t.def.substeps = 4;
        t.def.integration = (pliant_integration)integration;
        trial_begin_def(&t);
        const pliant_body     body = add_points(&t, 2, x, NULL, NULL, NULL);
        const pliant_collider box = add_collider(&t, &d);
        trial_compile(&t);
        assert_int_equal(pliant_inputs_reset(t.inputs, DT), PLIANT_OK);
        switch_to(&t, box, false);
        for (int i = 0; i < 3; i++) trial_step(&t);
        for (uint32_t i = 0; i < 2; i++) {
            point_of(&t, body, i, y);
            assert_true(y[1] == (double)R(x[i][1]));
        }
        switch_to(&t, box, true);
        trial_step(&t);
        for (uint32_t i = 0; i < 2; i++) {
            point_of(&t, body, i, y);
            near(y[1] - x[i][1], DT, 1e-5);
        }
        for (int i = 0; i < 12; i++) trial_step(&t);
        for (uint32_t i = 0; i < 2; i++) {
            point_of(&t, body, i, y);
            speed_of(&t, body, i, v);
            near(y[1], 1, 1e-5);
            assert_true(length3(v) < 1e-4);
        }
        trial_end(&t);
    }
}

/* ---- ways ---- */

typedef struct way {
    uint32_t threads, width;
    bool     rebuild, save, back;
} way;

static void say(trial *t, int step)
{
    const pliant_pose here = at(0.1 * step / 40, 0.15, 0.05);
    assert_int_equal(pliant_inputs_reset(t->inputs, DT), PLIANT_OK);
    if (step % 10 == 0) switch_to(t, (pliant_collider){2}, step % 20 != 0);
    if (step % 14 == 3) switch_to(t, (pliant_collider){3}, step % 28 == 3);
    assert_int_equal(pliant_inputs_collider(t->inputs, (pliant_collider){2}, &here), PLIANT_OK);
}

static void build(trial *t)
{
    memset(t, 0, sizeof *t);
    t->def = pliant_scene_def_default();
    t->def.substeps = 4;
    t->def.sleep_speed = R(0.01);
    trial_begin_def(t);
    add_cloth(t, 16, 0.3);
    add_cloth(t, 10, 0.4);
    pliant_scene_add_floor(t->scene, 0, NULL);
    pliant_scene_add_sphere(t->scene, R(0.2), at(0, 0.15, 0.05), NULL);
    pliant_scene_add_capsule(t->scene, R(0.1), R(0.2), at(0.3, 0.2, 0), NULL);
    trial_compile(t);
}

static uint64_t run(way how)
{
    trial             t;
    pliant_solver_def sd = pliant_solver_def_default();
    build(&t);
    sd.threads = how.threads;
    sd.width = how.width;
    pliant_state *copy = pliant_state_create(t.model, NULL);
    pliant_solver_destroy(t.solver);
    t.solver = NULL;
    for (int step = 0; step < 42; step++) {
        if (!t.solver || how.rebuild) {
            pliant_solver_destroy(t.solver);
            t.solver = pliant_solver_create(t.model, &sd, NULL);
            assert_non_null(t.solver);
        }
        if (how.save) { /* goes on with another state, from bytes */
            size_t      size;
            const void *bytes = pliant_state_data(t.state, &size);
            assert_int_equal(pliant_state_load(copy, bytes, size, NULL), PLIANT_OK);
            assert_true(pliant_state_hash(copy) == pliant_state_hash(t.state));
            pliant_state *swap = copy;
            copy = t.state;
            t.state = swap;
        }
        if (how.back) { /* takes three steps that do not count */
            assert_int_equal(pliant_state_copy(copy, t.state), PLIANT_OK);
            for (int i = 0; i < 3; i++) {
                say(&t, step + i + 7);
                trial_step(&t);
            }
            assert_int_equal(pliant_state_copy(t.state, copy), PLIANT_OK);
        }
        say(&t, step);
        trial_step(&t);
    }
    const uint64_t hash = pliant_state_hash(t.state);
    pliant_state_destroy(copy);
    trial_end(&t);
    return hash;
}

static void all_ways_come_to_the_same(void **unused)
{
    const pliant_build_info info = pliant_build();
    const way               ways[] = {{.threads = 4}, {.threads = 2, .rebuild = true}, {.save = true}, {.back = true}};
    const uint64_t          expected = run((way){.threads = 1});
    (void)unused;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) assert_true(run(ways[i]) == expected);
    for (uint32_t i = 0; i < info.width_count; i++)
        if (info.runs[i]) assert_true(run((way){.threads = 2, .width = info.widths[i]}) == expected);
}

static void a_recording_has_switches(void **unused)
{
    trial          t;
    const char    *path = "test_switch.rec";
    pliant_error   error = {PLIANT_OK, 0, "", ""};
    uint64_t       hash;
    pliant_inputs *other;
    (void)unused;
    build(&t);
    pliant_recorder *r = pliant_recorder_open(path, t.state, NULL, &error);
    assert_non_null(r);
    for (int step = 0; step < 30; step++) {
        say(&t, step);
        trial_step(&t);
        assert_int_equal(pliant_recorder_frame(r, t.inputs, t.state, &error), PLIANT_OK);
    }
    assert_int_equal(pliant_recorder_close(r, &error), PLIANT_OK);
    pliant_recording *recording = pliant_recording_open(path, &error);
    assert_non_null(recording);
    const pliant_model *m = pliant_recording_model(recording);
    pliant_state       *s = pliant_state_create(m, NULL);
    pliant_solver_def   sd = pliant_solver_def_default();
    pliant_solver      *k = pliant_solver_create(m, &sd, NULL);
    other = pliant_inputs_create(m, NULL);
    assert_int_equal(pliant_recording_begin(recording, s, &error), PLIANT_OK);
    int off = 0;
    for (uint32_t i = 0; i < pliant_recording_frames(recording); i++) {
        assert_int_equal(pliant_recording_frame(recording, i, other, &hash, &error), PLIANT_OK);
        assert_int_equal(pliant_solver_step(k, s, other), PLIANT_OK);
        assert_true(pliant_state_hash(s) == hash);
        off += !pliant_state_collider_active(s, (pliant_collider){2});
    }
    assert_int_equal(off, 20);
    pliant_inputs_destroy(other);
    pliant_solver_destroy(k);
    pliant_state_destroy(s);
    pliant_recording_close(recording);
    unlink(path);
    trial_end(&t);
}

/* ---- what is refused ---- */

static void switches_that_are_none_are_refused(void **unused)
{
    trial                 t;
    pliant_error          error = {PLIANT_OK, 0, "", ""};
    static unsigned char  bytes[1 << 16];
    size_t                size;
    const pliant_collider ball = {1};
    (void)unused;
    trial_begin(&t, 0, 1, 1);
    add_cloth(&t, 2, 5);
    pliant_scene_add_sphere(t.scene, 1, at(0, 0, 0), NULL);
    trial_compile(&t);
    assert_int_equal(pliant_inputs_reset(t.inputs, DT), PLIANT_OK);
    assert_int_equal(pliant_inputs_collider_active(NULL, ball, true), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_collider_active(t.inputs, (pliant_collider){0}, true), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_collider_active(t.inputs, (pliant_collider){2}, true), PLIANT_ERROR_ARGUMENT);
    assert_false(pliant_state_collider_active(NULL, ball));
    assert_false(pliant_state_collider_active(t.state, (pliant_collider){0}));
    assert_false(pliant_state_collider_active(t.state, (pliant_collider){2}));
    assert_true(pliant_state_collider_active(t.state, ball));
    const uint64_t on = pliant_state_hash(t.state);
    switch_to(&t, ball, false);
    trial_step(&t);
    pliant_state_reset(t.state);
    assert_true(pliant_state_hash(t.state) == on && pliant_state_collider_active(t.state, ball));
    trial_step(&t);

    const void *data = pliant_state_data(t.state, &size); /* the last array has one byte, and is padded */
    assert_true(size <= sizeof bytes);
    memcpy(bytes, data, size);
    assert_int_equal(bytes[size - BLOCK], 1);
    bytes[size - BLOCK] = 2;
    assert_int_equal(pliant_state_load(t.state, bytes, size, &error), PLIANT_ERROR_INPUT);
    assert_non_null(strstr(error.message, "neither on nor off"));

    size = pliant_inputs_save(t.inputs, bytes, sizeof bytes);
    assert_true(size && size <= sizeof bytes);
    uint32_t refused = 0, taken = 0;
    for (size_t i = 0; i < size; i++) /* there is one byte of 2: off */
        if (bytes[i] == 2) {
            bytes[i] = 3;
            *(pliant_inputs_load(t.inputs, bytes, size, &error) == PLIANT_OK ? &taken : &refused) += 1;
            bytes[i] = 2;
        }
    assert_true(refused > 0);
    assert_int_equal(pliant_inputs_load(t.inputs, bytes, size, &error), PLIANT_OK);
    trial_end(&t);
}

static void recompiling_keeps_switches(void **unused)
{
    trial         t;
    pliant_state *fresh = NULL;
    (void)unused;
    trial_begin(&t, 0, 1, 1);
    add_cloth(&t, 2, 5);
    pliant_scene_add_sphere(t.scene, 1, at(0, 0, 0), NULL);
    pliant_scene_add_sphere(t.scene, 1, at(0, 0, 0), NULL);
    trial_compile(&t);
    assert_int_equal(pliant_inputs_reset(t.inputs, DT), PLIANT_OK);
    switch_to(&t, (pliant_collider){1}, false);
    trial_step(&t);
    pliant_scene_add_floor(t.scene, -1, NULL);
    pliant_model *m = pliant_scene_recompile(t.scene, t.state, &fresh, NULL);
    assert_non_null(m);
    assert_false(pliant_state_collider_active(fresh, (pliant_collider){1}));
    assert_true(pliant_state_collider_active(fresh, (pliant_collider){2}));
    assert_true(pliant_state_collider_active(fresh, (pliant_collider){3}));
    pliant_state_destroy(fresh);
    pliant_model_destroy(m);
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_is_off_is_as_if_it_were_not_there),
        cmocka_unit_test(queries_pass_what_is_off),
        cmocka_unit_test(what_rests_on_it_falls_when_it_is_switched_off),
        cmocka_unit_test(one_that_appears_sweeps_nothing),
        cmocka_unit_test(what_it_appears_around_is_pushed_out_slowly),
        cmocka_unit_test(all_ways_come_to_the_same),
        cmocka_unit_test(a_recording_has_switches),
        cmocka_unit_test(switches_that_are_none_are_refused),
        cmocka_unit_test(recompiling_keeps_switches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
