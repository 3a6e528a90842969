/* Bodies that are switched off and on: one that is off lies still and nothing meets it, and the others go as if it were not there, to the bit; one that comes
 * on goes on from where and how it was set; the state has which are off, and inputs say it, so that copies, saved states, recordings and rollback go on as the
 * run did; and nothing is allocated once all have been on. */
#include "sample_scenes.h"
#include "trial.h"

#include "pliant/io.h"

#include <unistd.h>

#define DT (1.0 / 60)

enum type { ROPE, CLOTH, MESH, SOFT, GRAINS, TYPES };

static double damping; /* 1/s, of bodies that are added */

/* A body about half a metre large, its middle at x, y. */
static pliant_body add_body(trial *t, enum type type, double x, double y)
{
    pliant_error    e = {0};
    pliant_material m = pliant_material_preset(type == SOFT ? PLIANT_JELLY : type == ROPE ? PLIANT_ROPE : PLIANT_COTTON);
    pliant_body     body = {0};
    m.thickness = R(0.01);
    m.damping = R(damping);
    if (type == ROPE) {
        pliant_rope_def d = pliant_rope_def_default();
        d.from = vec(x - 0.25, y, 0);
        d.to = vec(x + 0.25, y + 0.1, 0.1);
        d.segments = 20;
        d.material = m;
        d.body.self_contact = true;
        d.body.contact_mask = 1;
        body = pliant_scene_add_rope(t->scene, &d, &e);
    } else if (type == CLOTH || type == MESH) {
        static const pliant_real positions[] = {R(-0.25), 0,        R(-0.25), R(0.25), 0, R(-0.25), R(0.25), 0,
                                                R(0.25),  R(-0.25), 0,        R(0.25), 0, R(0.1),   0};
        static const uint32_t    triangles[] = {0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0};
        pliant_cloth_def         d = pliant_cloth_def_default();
        d.cells_x = 18;
        d.cells_z = 15;
        d.size_x = d.size_z = R(0.5);
        if (type == MESH) d.mesh = (pliant_mesh_view){positions, 3 * sizeof *positions, 5, triangles, 4, NULL, 0, NULL};
        d.body.placement.position = vec(x, y, 0);
        d.material = m;
        d.body.self_contact = true;
        d.body.contact_mask = 1;
        body = pliant_scene_add_cloth(t->scene, &d, &e);
    } else if (type == SOFT) {
        pliant_soft_def d = pliant_soft_def_default();
        d.model = PLIANT_SOLID_DISTANCE; /* which every method takes */
        d.cells[0] = d.cells[1] = d.cells[2] = 3;
        d.extent = vec(0.3, 0.3, 0.3);
        d.body.placement.position = vec(x, y, 0);
        d.material = m;
        d.body.contact_mask = 1;
        body = pliant_scene_add_soft(t->scene, &d, &e);
    } else {
        pliant_particles_def d = pliant_particles_def_default();
        pliant_vec3          p[40];
        for (int i = 0; i < 40; i++) p[i] = vec(x + 0.05 * (i % 5) - 0.1, y + 0.05 * (i / 20), 0.05 * (i / 5 % 4) - 0.1);
        d.positions = p;
        d.count = 40;
        d.material = m;
        d.body.self_contact = true;
        d.body.contact_mask = 1;
        body = pliant_scene_add_particles(t->scene, &d, &e);
    }
    if (!body.id) fail_msg("%s", e.message);
    return body;
}

static void switch_to(trial *t, pliant_body body, bool active)
{
    assert_int_equal(pliant_inputs_body_active(t->inputs, body, active), PLIANT_OK);
}

typedef struct setting {
    pliant_method      method;
    pliant_integration integration;
    uint32_t           iterations;
    bool               damped, floor, energy, wind;
} setting;

static const setting settings[] = {{PLIANT_METHOD_GAUSS_SEIDEL, PLIANT_INTEGRATION_FIRST_ORDER, 1, false, false, false, false},
                                   {PLIANT_METHOD_GAUSS_SEIDEL, PLIANT_INTEGRATION_FIRST_ORDER, 1, false, true, false, false},
                                   {PLIANT_METHOD_GAUSS_SEIDEL, PLIANT_INTEGRATION_FIRST_ORDER, 3, true, true, true, true},
                                   {PLIANT_METHOD_GAUSS_SEIDEL, PLIANT_INTEGRATION_BDF2, 2, false, true, false, true},
                                   {PLIANT_METHOD_JACOBI, PLIANT_INTEGRATION_FIRST_ORDER, 4, false, true, false, false},
                                   {PLIANT_METHOD_CHEBYSHEV, PLIANT_INTEGRATION_FIRST_ORDER, 4, false, false, false, false},
                                   {PLIANT_METHOD_HIERARCHICAL, PLIANT_INTEGRATION_FIRST_ORDER, 1, false, true, false, false},
                                   {PLIANT_METHOD_MULTIGRID, PLIANT_INTEGRATION_FIRST_ORDER, 1, false, true, false, false}};
enum { SETTINGS = sizeof settings / sizeof *settings };

static void begin(trial *t, const setting *s)
{
    memset(t, 0, sizeof *t);
    t->def = pliant_scene_def_default();
    t->def.substeps = 4;
    t->def.iterations = s->iterations;
    t->def.method.method = s->method;
    t->def.integration = s->integration;
    if (s->method == PLIANT_METHOD_CHEBYSHEV) t->def.method.spectral_radius = R(0.9);
    damping = s->damped ? 1 : 0;
    trial_begin_def(t);
    if (s->floor) pliant_scene_add_floor(t->scene, 0, NULL);
    if (s->wind) {
        pliant_force_def f = pliant_force_def_default(PLIANT_FORCE_WIND);
        f.vector = vec(2, 0, 1);
        pliant_scene_add_force(t->scene, &f, NULL);
    }
}

/* A solver that does not measure, so that it takes the ways that it takes for hosts. */
static void make_solver(trial *t, bool energy, uint32_t threads, uint32_t width)
{
    pliant_solver_def sd = pliant_solver_def_default();
    sd.energy = energy;
    sd.linear = trial_linear();
    sd.threads = threads;
    sd.width = width;
    pliant_solver_destroy(t->solver);
    t->solver = pliant_solver_create(t->model, &sd, NULL);
    assert_non_null(t->solver);
}

static void compile(trial *t, const setting *s)
{
    trial_compile(t);
    make_solver(t, s->energy, 1, 0);
    assert_int_equal(pliant_inputs_reset(t->inputs, DT), PLIANT_OK);
}

static void next(trial *t)
{
    trial_step(t);
    assert_int_equal(pliant_inputs_reset(t->inputs, DT), PLIANT_OK);
}

/* ---- off ---- */

static void expect_same(const trial *a, pliant_body body, const trial *b, pliant_body other, const char *what, int number, int own,
                        int beside)
{
    for (uint32_t i = 0; i < vertex_count(a, body); i++) {
        double x[3], y[3], v[3], u[3];
        point_of(a, body, i, x);
        point_of(b, other, i, y);
        speed_of(a, body, i, v);
        speed_of(b, other, i, u);
        if (memcmp(x, y, sizeof x) != 0 || memcmp(v, u, sizeof v) != 0)
            fail_msg("%s: setting %d, type %d, beside type %d: vertex %u goes another way", what, number, own, beside, i);
    }
}

/* A body falls beside another one, which in the first step is switched off, or put a kilometre away. */
static pliant_body fall_beside(trial *t, const setting *s, enum type own, enum type other, bool off, pliant_body *another)
{
    const pliant_pose away = {vec(1000, 0, 0), {0, 0, 0, 1}};
    begin(t, s);
    const pliant_body body = add_body(t, own, 0, 0.3);
    *another = add_body(t, other, 0.05, 0.25);
    compile(t, s);
    if (off)
        switch_to(t, *another, false);
    else
        assert_int_equal(pliant_inputs_teleport(t->inputs, *another, &away), PLIANT_OK);
    for (int step = 0; step < 20; step++) next(t);
    return body;
}

/* Conjugate gradients weigh all bodies together, and what Chebyshev's method measures is of all of them: one that is far away tells the others. */
static bool knows_all(const setting *s) { return s->method == PLIANT_METHOD_MULTIGRID || s->method == PLIANT_METHOD_CHEBYSHEV; }

static void others_go_as_if_it_were_far_away(void **unused)
{
    (void)unused;
    for (int k = 0; k < SETTINGS; k++)
        for (int own = 0; own < TYPES; own++)
            for (int other = 0; other < TYPES; other++) {
                trial       a, b;
                pliant_body off, far;
                if (knows_all(&settings[k])) continue;
                const pliant_body body = fall_beside(&a, &settings[k], (enum type)own, (enum type)other, true, &off);
                fall_beside(&b, &settings[k], (enum type)own, (enum type)other, false, &far);
                expect_same(&a, body, &b, body, "off and far away", k, own, other);
                trial_end(&a);
                trial_end(&b);
            }
}

/* Small bodies of different kinds share a patch, where rows of both are solved in one order, and coarse levels are chosen for all. */
static bool is_numbered_alike(const setting *s, int own, int other)
{
    if (s->method == PLIANT_METHOD_HIERARCHICAL && own == ROPE) return false;
    return own == other || own == CLOTH || own == GRAINS || other == CLOTH || other == GRAINS;
}

static void others_go_as_if_it_had_never_been_there(void **unused)
{
    (void)unused;
    for (int k = 0; k < SETTINGS; k++)
        for (int own = 0; own < TYPES; own++) {
            trial alone;
            begin(&alone, &settings[k]);
            const pliant_body one = add_body(&alone, (enum type)own, 0, 0.3);
            compile(&alone, &settings[k]);
            for (int step = 0; step < 20; step++) next(&alone);
            for (int other = 0; other < TYPES; other++) {
                trial       t;
                pliant_body off;
                if (!is_numbered_alike(&settings[k], own, other)) continue;
                const pliant_body body = fall_beside(&t, &settings[k], (enum type)own, (enum type)other, true, &off);
                expect_same(&alone, one, &t, body, "off and not there", k, own, other);
                const pliant_statistics r = pliant_solver_statistics(alone.solver), s = pliant_solver_statistics(t.solver);
                assert_int_equal(r.contacts, s.contacts);
                assert_true(r.max_speed == s.max_speed);
                assert_memory_equal(&r.energy, &s.energy, sizeof r.energy);
                trial_end(&t);
            }
            trial_end(&alone);
        }
}

static void one_that_is_off_lies_still(void **unused)
{
    (void)unused;
    for (int k = 0; k < SETTINGS; k++)
        for (int type = 0; type < TYPES; type++) {
            trial       t;
            pliant_body off, beside;
            beside = fall_beside(&t, &settings[k], CLOTH, (enum type)type, true, &off);
            pliant_state *begun = pliant_state_create(t.model, NULL);
            assert_false(pliant_state_body_active(t.state, off));
            assert_true(pliant_state_body_active(t.state, beside));
            for (uint32_t i = 0; i < vertex_count(&t, off); i++) {
                pliant_vec3 was, is, v;
                assert_int_equal(pliant_state_positions(begun, off, i, 1, &was), PLIANT_OK);
                assert_int_equal(pliant_state_positions(t.state, off, i, 1, &is), PLIANT_OK);
                assert_int_equal(pliant_state_velocities(t.state, off, i, 1, &v), PLIANT_OK);
                assert_memory_equal(&was, &is, sizeof is);
                assert_true(v.x == 0 && v.y == 0 && v.z == 0);
            }
            pliant_state_destroy(begun);
            trial_end(&t);
        }
}

/* Newton's method leaves out what is off, and takes it up again. */
static void newton_leaves_out_what_is_off(void **unused)
{
    const setting s = {PLIANT_METHOD_NEWTON, PLIANT_INTEGRATION_FIRST_ORDER, 2, false, true, false, false};
    trial         alone, a, b;
    pliant_body   off, far;
    double        x[3];
    (void)unused;
    if (!trial_linear()) skip(); /* a rope that resists bending is no tree */
    begin(&alone, &s);
    const pliant_body one = add_body(&alone, ROPE, 0, 0.3);
    compile(&alone, &s);
    for (int step = 0; step < 20; step++) next(&alone);
    const pliant_body body = fall_beside(&a, &s, ROPE, ROPE, true, &off);
    fall_beside(&b, &s, ROPE, ROPE, false, &far);
    expect_same(&alone, one, &a, body, "off and not there", SETTINGS, ROPE, ROPE);
    expect_same(&b, body, &a, body, "off and far away", SETTINGS, ROPE, ROPE);
    switch_to(&a, off, true);
    for (int step = 0; step < 60; step++) next(&a);
    point_of(&a, off, 10, x);
    assert_true(x[1] > 0 && x[1] < 0.1); /* it lies on the floor, or on the other one */
    trial_end(&alone);
    trial_end(&a);
    trial_end(&b);
}

/* Where all are off nothing moves and nothing is looked for, in steps of every kind, and all go on when they are on again. */
static void all_may_be_off(void **unused)
{
    (void)unused;
    for (int k = 0; k < SETTINGS; k++) {
        trial             t;
        double            x[3], y[3];
        pliant_body       off;
        const pliant_body body = fall_beside(&t, &settings[k], SOFT, GRAINS, true, &off);
        switch_to(&t, body, false);
        next(&t);
        point_of(&t, body, 5, x);
        for (int i = 0; i < 5; i++) next(&t);
        point_of(&t, body, 5, y);
        assert_memory_equal(x, y, sizeof x);
        assert_true(pliant_solver_statistics(t.solver).max_speed == 0);
        switch_to(&t, body, true);
        switch_to(&t, off, true);
        for (int i = 0; i < 5; i++) next(&t);
        assert_true(pliant_solver_statistics(t.solver).max_speed > 0 && pliant_solver_statistics(t.solver).max_speed < 10);
        trial_end(&t);
    }
}

/* A constraint between two bodies holds neither while one of them is off, and both again when it is on. */
static void what_ties_it_to_others_is_left_out(void **unused)
{
    (void)unused;
    for (int k = 0; k < SETTINGS; k++) {
        trial        t;
        double       x[3], y[3], by[3];
        const double one[1][3] = {{0, 5, 0}}, other[1][3] = {{0, 6, 0}}, zero[1] = {0};
        setting      s = settings[k];
        s.floor = s.wind = false;
        begin(&t, &s);
        const pliant_body     a = add_points(&t, 1, other, NULL, zero, NULL), b = add_points(&t, 1, one, NULL, NULL, NULL);
        pliant_constraint_def d = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
        d.particles[0] = (pliant_particle){a, 0};
        d.particles[1] = (pliant_particle){b, 0};
        d.parameters[0] = 1;
        assert_int_not_equal(pliant_scene_add_constraint(t.scene, &d, NULL).id, 0);
        compile(&t, &s);
        for (int i = 0; i < 10; i++) next(&t);
        point_of(&t, b, 0, x);
        near(x[1], 5, 1e-3);
        switch_to(&t, a, false);
        for (int i = 0; i < 10; i++) next(&t);
        point_of(&t, b, 0, y);
        near(y[1], x[1] - 9.81 / 2 * 100 * DT * DT, 0.02);
        const pliant_vec3 back = vec(0, 5, 0), still = vec(0, 0, 0);
        assert_int_equal(pliant_state_set_positions(t.state, b, 0, 1, &back), PLIANT_OK);
        assert_int_equal(pliant_state_set_velocities(t.state, b, 0, 1, &still), PLIANT_OK);
        switch_to(&t, a, true);
        for (int i = 0; i < 10; i++) next(&t);
        point_of(&t, b, 0, by);
        near(by[1], 5, 1e-3);
        trial_end(&t);
    }
}

/* What sleeps on it wakes and falls when it is switched off. */
static void what_rests_on_it_falls(void **unused)
{
    trial           t;
    double          x[3], y[3], v[3];
    pliant_soft_def d = pliant_soft_def_default();
    const double    up[1][3] = {{0, 1.22, 0}};
    (void)unused;
    memset(&t, 0, sizeof t);
    t.def = pliant_scene_def_default();
    t.def.substeps = 4;
    t.def.sleep_speed = R(0.02);
    trial_begin_def(&t);
    d.cells[0] = d.cells[1] = d.cells[2] = 1;
    d.extent = vec(1, 0.4, 1);
    d.body.placement.position = vec(0, 1, 0);
    d.body.fixed = true;
    d.body.contact_mask = 1;
    d.material = pliant_material_preset(PLIANT_JELLY);
    d.material.thickness = R(0.01);
    const pliant_body    table = pliant_scene_add_soft(t.scene, &d, NULL);
    pliant_particles_def p = pliant_particles_def_default();
    const pliant_vec3    at = vec(up[0][0], up[0][1], up[0][2]);
    p.positions = &at;
    p.count = 1;
    p.material = plain_material();
    p.material.thickness = R(0.01);
    p.body.contact_mask = 1;
    const pliant_body grain = pliant_scene_add_particles(t.scene, &p, NULL);
    assert_true(table.id && grain.id);
    trial_compile(&t);
    make_solver(&t, false, 1, 0);
    assert_int_equal(pliant_inputs_reset(t.inputs, DT), PLIANT_OK);
    for (int i = 0; i < 90; i++) next(&t);
    assert_int_equal(pliant_solver_statistics(t.solver).sleeping, 1);
    point_of(&t, grain, 0, x);
    near(x[1], 1.22, 0.01);
    switch_to(&t, table, false);
    next(&t);
    assert_int_equal(pliant_solver_statistics(t.solver).sleeping, 0);
    speed_of(&t, grain, 0, v);
    near(v[1], -9.81 * DT, 1e-5);
    for (int i = 0; i < 29; i++) next(&t);
    point_of(&t, grain, 0, y);
    assert_true(y[1] < 0.2); /* through where the table was */
    switch_to(&t, table, true);
    next(&t);
    assert_true(pliant_state_pinned(t.state, table, 3)); /* it is fixed, as before */
    trial_end(&t);
}

static void queries_pass_what_is_off(void **unused)
{
    trial            t;
    pliant_query_hit hit;
    (void)unused;
    begin(&t, &settings[0]);
    const pliant_body body = add_body(&t, CLOTH, 0, 1);
    compile(&t, &settings[0]);
    pliant_query *q = pliant_query_create(t.model, NULL);
    for (int on = 1; on >= 0; on--) {
        switch_to(&t, body, on);
        next(&t);
        assert_int_equal(pliant_state_body_active(t.state, body), on);
        assert_int_equal(pliant_query_update(q, t.state), PLIANT_OK);
        assert_int_equal(pliant_query_ray(q, vec(0.01, 3, 0.02), vec(0, -1, 0), 10, NULL, &hit), PLIANT_OK);
        assert_int_equal(hit.body.id, on ? body.id : 0);
        assert_int_equal(pliant_query_closest(q, vec(0, 1, 0), 4, NULL, &hit), PLIANT_OK);
        assert_int_equal(hit.body.id, on ? body.id : 0);
    }
    pliant_query_destroy(q);
    trial_end(&t);
}

/* ---- on ---- */

/* Set and switched on, a body goes the same way as one that began so. */
static void one_that_comes_on_goes_on_as_it_was_set(void **unused)
{
    (void)unused;
    for (int k = 0; k < SETTINGS; k++)
        for (int type = 0; type < TYPES; type++) {
            trial       fresh, pooled;
            pliant_vec3 x[400], v[400];
            begin(&fresh, &settings[k]);
            const pliant_body a = add_body(&fresh, (enum type)type, 0, 0.3);
            compile(&fresh, &settings[k]);
            begin(&pooled, &settings[k]);
            const pliant_body b = add_body(&pooled, (enum type)type, 0, 0.3);
            compile(&pooled, &settings[k]);
            const uint32_t count = vertex_count(&pooled, b);
            assert_true(count <= 400);
            assert_int_equal(pliant_state_positions(fresh.state, a, 0, count, x), PLIANT_OK);
            for (uint32_t i = 0; i < count; i++) v[i] = vec(0.5, 1, 0.25), x[i].y += R(0.5);
            for (int step = 0; step < 12; step++) { /* it falls, is switched off, and set meanwhile */
                if (step == 7) switch_to(&pooled, b, false);
                next(&pooled);
            }
            assert_int_equal(pliant_state_set_positions(pooled.state, b, 0, count, x), PLIANT_OK);
            assert_int_equal(pliant_state_set_velocities(pooled.state, b, 0, count, v), PLIANT_OK);
            next(&pooled);
            switch_to(&pooled, b, true);
            assert_int_equal(pliant_state_set_positions(fresh.state, a, 0, count, x), PLIANT_OK);
            assert_int_equal(pliant_state_set_velocities(fresh.state, a, 0, count, v), PLIANT_OK);
            if (settings[k].method == PLIANT_METHOD_CHEBYSHEV || settings[k].integration == PLIANT_INTEGRATION_BDF2) {
                /* These know of earlier steps: of the first one that it is the first. */
                trial_end(&fresh);
                trial_end(&pooled);
                continue;
            }
            for (int step = 0; step < 15; step++) {
                next(&fresh);
                next(&pooled);
            }
            for (uint32_t i = 0; i < count; i++) {
                double p[3], q[3], u[3], w[3];
                point_of(&fresh, a, i, p);
                point_of(&pooled, b, i, q);
                speed_of(&fresh, a, i, u);
                speed_of(&pooled, b, i, w);
                if (memcmp(p, q, sizeof p) != 0 || memcmp(u, w, sizeof u) != 0)
                    fail_msg("setting %d, type %d: vertex %u goes another way", k, type, i);
            }
            trial_end(&fresh);
            trial_end(&pooled);
        }
}

static void it_appears_where_it_is_teleported(void **unused)
{
    trial             t;
    double            x[3], y[3];
    const pliant_pose motion = {vec(3, 1, 2), {0, 0, 0, 1}};
    (void)unused;
    begin(&t, &settings[0]);
    const pliant_body body = add_body(&t, ROPE, 0, 1);
    compile(&t, &settings[0]);
    switch_to(&t, body, false);
    point_of(&t, body, 3, x);
    for (int i = 0; i < 3; i++) next(&t);
    switch_to(&t, body, true);
    assert_int_equal(pliant_inputs_teleport(t.inputs, body, &motion), PLIANT_OK);
    next(&t);
    point_of(&t, body, 3, y);
    near(y[0] - x[0], 3, 1e-3);
    near(y[2] - x[2], 2, 1e-3);
    near(y[1] - x[1], 1 - 9.81 * DT * DT * 0.625, 1e-4); /* as far as it falls in four substeps */
    trial_end(&t);
}

static void pins_stay_as_they_are_or_are_set_meanwhile(void **unused)
{
    trial          t;
    const uint32_t ends[2] = {0, 20};
    (void)unused;
    begin(&t, &settings[0]);
    const pliant_body body = add_body(&t, ROPE, 0, 1);
    assert_int_equal(pliant_scene_pin(t.scene, body, ends, 2, true, NULL), PLIANT_OK);
    compile(&t, &settings[0]);
    const uint64_t begun = pliant_state_hash(t.state);
    assert_int_equal(pliant_state_set_pinned(t.state, body, 20, false), PLIANT_OK);
    switch_to(&t, body, false);
    next(&t);
    assert_true(pliant_state_pinned(t.state, body, 0));
    assert_false(pliant_state_pinned(t.state, body, 20) || pliant_state_pinned(t.state, body, 7));
    assert_int_equal(pliant_state_set_pinned(t.state, body, 0, false), PLIANT_OK);
    assert_int_equal(pliant_state_set_pinned(t.state, body, 20, true), PLIANT_OK);
    for (int i = 0; i < 3; i++) next(&t);
    switch_to(&t, body, true);
    for (int i = 0; i < 10; i++) next(&t);
    assert_false(pliant_state_pinned(t.state, body, 0));
    assert_true(pliant_state_pinned(t.state, body, 20));
    double x[3];
    point_of(&t, body, 20, x);
    near(x[1], 1.1, 1e-6);
    point_of(&t, body, 0, x);
    assert_true(x[1] < 0.9);
    pliant_state_reset(t.state);
    assert_true(pliant_state_hash(t.state) == begun && pliant_state_body_active(t.state, body));
    trial_end(&t);
}

/* Hard targets and skins do not move what is off. */
static void targets_leave_it(void **unused)
{
    trial          t;
    const uint32_t end[1] = {0};
    pliant_vec3    to = vec(4, 4, 4);
    double         x[3], y[3];
    (void)unused;
    begin(&t, &settings[0]);
    const pliant_body body = add_body(&t, ROPE, 0, 1);
    assert_int_equal(pliant_scene_attach(t.scene, body, end, 1, NULL), PLIANT_OK);
    compile(&t, &settings[0]);
    point_of(&t, body, 0, x);
    switch_to(&t, body, false);
    assert_int_equal(pliant_inputs_targets(t.inputs, body, &to, sizeof to), PLIANT_OK);
    next(&t);
    point_of(&t, body, 0, y);
    assert_memory_equal(x, y, sizeof x);
    switch_to(&t, body, true);
    assert_int_equal(pliant_inputs_targets(t.inputs, body, &to, sizeof to), PLIANT_OK);
    next(&t);
    point_of(&t, body, 0, y);
    near(y[0], 4, 1e-5);
    trial_end(&t);
}

/* ---- ways ---- */

typedef struct way {
    uint32_t threads, width;
    bool     rebuild, save, back, measure;
} way;

enum { POOL = 12 };

static void build(trial *t)
{
    begin(t, &settings[1]);
    t->def.sleep_speed = R(0.01);
    pliant_scene_destroy(t->scene);
    trial_begin_def(t);
    pliant_scene_add_floor(t->scene, 0, NULL);
    for (int i = 0; i < POOL; i++) add_body(t, (enum type)(i % TYPES), 0.3 * (i % 4), 0.3 + 0.25 * (i / 4));
    pliant_constraint_def d = pliant_constraint_def_default(PLIANT_CONSTRAINT_TETHER);
    d.particles[0] = (pliant_particle){{1}, 3};
    d.particles[1] = (pliant_particle){{6}, 3};
    d.measure = true;
    assert_int_not_equal(pliant_scene_add_constraint(t->scene, &d, NULL).id, 0);
    trial_compile(t);
}

static void say(trial *t, int step)
{
    assert_int_equal(pliant_inputs_reset(t->inputs, DT), PLIANT_OK);
    for (uint32_t b = 1; b <= POOL; b++) {
        const int at = (step + 5 * (int)b) % 16;
        if (at == 0) switch_to(t, (pliant_body){b}, false);
        if (at == 6) {
            const pliant_pose up = {vec(0, 0.2, 0.05), {0, 0, 0, 1}};
            switch_to(t, (pliant_body){b}, true);
            assert_int_equal(pliant_inputs_teleport(t->inputs, (pliant_body){b}, &up), PLIANT_OK);
        }
    }
}

static uint64_t run(way how)
{
    trial t;
    build(&t);
    pliant_state *copy = pliant_state_create(t.model, NULL);
    if (!how.measure) make_solver(&t, false, how.threads, how.width);
    for (int step = 0; step < 40; step++) {
        if (how.rebuild) make_solver(&t, false, how.threads, how.width);
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
    const way               ways[] = {
                      {.threads = 4}, {.threads = 2, .rebuild = true}, {.threads = 1, .save = true}, {.threads = 1, .back = true}, {.measure = true}};
    const uint64_t expected = run((way){.threads = 1});
    (void)unused;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) assert_true(run(ways[i]) == expected);
    for (uint32_t i = 0; i < info.width_count; i++)
        if (info.runs[i]) assert_true(run((way){.threads = 2, .width = info.widths[i]}) == expected);
}

/* In lanes of one walk, too, states of which some have bodies that are off. */
static void many_states_at_once_come_to_the_same(void **unused)
{
    trial t;
    enum { MANY = 20 };
    pliant_state        *states[MANY];
    const pliant_inputs *inputs[MANY];
    pliant_inputs       *said[MANY];
    pliant_solver_def    sd = pliant_solver_def_default();
    (void)unused;
    begin(&t, &settings[0]);
    const pliant_body a = add_body(&t, SOFT, 0, 1), b = add_body(&t, SOFT, 2, 1);
    compile(&t, &settings[0]);
    sd.many = true;
    pliant_solver_destroy(t.solver);
    t.solver = pliant_solver_create(t.model, &sd, NULL);
    for (int i = 0; i < MANY; i++) {
        states[i] = pliant_state_create(t.model, NULL);
        said[i] = pliant_inputs_create(t.model, NULL);
        inputs[i] = said[i];
    }
    for (int step = 0; step < 6; step++) {
        for (int i = 0; i < MANY; i++) {
            assert_int_equal(pliant_inputs_reset(said[i], DT), PLIANT_OK);
            if (step == 1 && i % 3 == 0) assert_int_equal(pliant_inputs_body_active(said[i], a, false), PLIANT_OK);
            if (step == 4 && i % 3 == 0) assert_int_equal(pliant_inputs_body_active(said[i], b, i % 2), PLIANT_OK);
        }
        assert_int_equal(pliant_solver_step_many(t.solver, states, inputs, MANY, NULL), PLIANT_OK);
    }
    for (int i = 0; i < MANY; i++) {
        pliant_state *one = pliant_state_create(t.model, NULL);
        for (int step = 0; step < 6; step++) {
            assert_int_equal(pliant_inputs_reset(t.inputs, DT), PLIANT_OK);
            if (step == 1 && i % 3 == 0) switch_to(&t, a, false);
            if (step == 4 && i % 3 == 0) switch_to(&t, b, i % 2);
            assert_int_equal(pliant_solver_step(t.solver, one, t.inputs), PLIANT_OK);
        }
        assert_true(pliant_state_hash(one) == pliant_state_hash(states[i]));
        pliant_state_destroy(one);
        pliant_state_destroy(states[i]);
        pliant_inputs_destroy(said[i]);
    }
    trial_end(&t);
}

static void a_recording_has_switches(void **unused)
{
    trial        t;
    const char  *path = "test_pool.rec";
    pliant_error error = {PLIANT_OK, 0, "", ""};
    uint64_t     hash;
    (void)unused;
    build(&t);
    pliant_recorder *r = pliant_recorder_open(path, t.state, NULL, &error);
    assert_non_null(r);
    for (int step = 0; step < 20; step++) {
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
    pliant_inputs      *other = pliant_inputs_create(m, NULL);
    assert_int_equal(pliant_recording_begin(recording, s, &error), PLIANT_OK);
    int off = 0;
    for (uint32_t i = 0; i < pliant_recording_frames(recording); i++) {
        assert_int_equal(pliant_recording_frame(recording, i, other, &hash, &error), PLIANT_OK);
        assert_int_equal(pliant_solver_step(k, s, other), PLIANT_OK);
        assert_true(pliant_state_hash(s) == hash);
        for (uint32_t b = 1; b <= POOL; b++) off += !pliant_state_body_active(s, (pliant_body){b});
    }
    assert_true(off > 20);
    pliant_inputs_destroy(other);
    pliant_solver_destroy(k);
    pliant_state_destroy(s);
    pliant_recording_close(recording);
    unlink(path);
    trial_end(&t);
}

/* A body of the scene that is added, and one that was off: it stays so, with its pins. */
static void recompiling_keeps_switches(void **unused)
{
    trial          t;
    pliant_state  *fresh = NULL;
    const uint32_t end[1] = {0};
    (void)unused;
    begin(&t, &settings[0]);
    const pliant_body a = add_body(&t, ROPE, 0, 1), b = add_body(&t, ROPE, 1, 1);
    assert_int_equal(pliant_scene_pin(t.scene, b, end, 1, true, NULL), PLIANT_OK);
    compile(&t, &settings[0]);
    switch_to(&t, b, false);
    next(&t);
    const pliant_body c = add_body(&t, SOFT, 2, 1);
    pliant_model     *m = pliant_scene_recompile(t.scene, t.state, &fresh, NULL);
    assert_non_null(m);
    assert_true(pliant_state_body_active(fresh, a) && pliant_state_body_active(fresh, c));
    assert_false(pliant_state_body_active(fresh, b));
    assert_true(pliant_state_pinned(fresh, b, 0) && !pliant_state_pinned(fresh, b, 1));
    pliant_real w[21];
    assert_int_equal(pliant_state_inverse_masses(fresh, b, 0, 21, w), PLIANT_OK);
    for (int i = 0; i < 21; i++) assert_true(w[i] == 0);
    pliant_state_destroy(fresh);
    pliant_model_destroy(m);
    trial_end(&t);
}

/* ---- memory ---- */

/* Once all bodies have been on, and met, in searches from the start and in later ones, nothing is allocated, whatever is switched. */
static void nothing_is_allocated_when_bodies_come_on(void **unused)
{
    trial             t;
    pliant_solver_def sd = pliant_solver_def_default();
    (void)unused;
    build(&t);
    tally memory;
    sd.allocator = tally_allocator(&memory);
    pliant_solver_destroy(t.solver);
    t.solver = pliant_solver_create(t.model, &sd, NULL);
    pliant_state *begun = pliant_state_create(t.model, NULL);
    for (int round = 0; round < 4; round++) {
        assert_int_equal(pliant_state_copy(t.state, begun), PLIANT_OK);
        const size_t before = memory.calls;
        for (int step = 0; step < 40; step++) {
            say(&t, step);
            trial_step(&t);
        }
        if (round > 1) assert_int_equal(memory.calls, before);
    }
    pliant_state_destroy(begun);
    trial_end(&t);
}

/* ---- what is refused ---- */

static void switches_that_are_none_are_refused(void **unused)
{
    trial        t;
    pliant_error error = {PLIANT_OK, 0, "", ""};
    size_t       size;
    (void)unused;
    begin(&t, &settings[0]);
    const pliant_body body = add_body(&t, ROPE, 0, 1);
    compile(&t, &settings[0]);
    assert_int_equal(pliant_inputs_body_active(NULL, body, true), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_body_active(t.inputs, (pliant_body){0}, true), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_inputs_body_active(t.inputs, (pliant_body){2}, true), PLIANT_ERROR_ARGUMENT);
    assert_false(pliant_state_body_active(NULL, body));
    assert_false(pliant_state_body_active(t.state, (pliant_body){2}));
    pliant_state *on = pliant_state_create(t.model, NULL);
    switch_to(&t, body, false);
    next(&t);
    const unsigned char *off_bytes = pliant_state_data(t.state, &size);
    unsigned char       *bytes = malloc(size), *on_bytes = malloc(size);
    memcpy(on_bytes, pliant_state_data(on, NULL), size);
    uint32_t refused = 0;
    for (size_t i = 0; i < size; i++) { /* any one byte as it is where the body is on: what is then neither on nor off is refused */
        if (off_bytes[i] == on_bytes[i]) continue;
        memcpy(bytes, off_bytes, size);
        bytes[i] = on_bytes[i];
        if (pliant_state_load(on, bytes, size, &error) == PLIANT_OK) continue;
        refused += strstr(error.message, "a body that is neither on nor off") != NULL;
    }
    assert_true(refused > 21);
    free(bytes);
    free(on_bytes);
    pliant_state_destroy(on);

    unsigned char saved[4096];
    switch_to(&t, body, false);
    size = pliant_inputs_save(t.inputs, saved, sizeof saved);
    assert_true(size && size <= sizeof saved);
    refused = 0;
    for (size_t i = 0; i < size; i++)
        if (saved[i] == 2) {
            saved[i] = 3;
            refused += pliant_inputs_load(t.inputs, saved, size, &error) != PLIANT_OK;
            saved[i] = 2;
        }
    assert_true(refused > 0);
    assert_int_equal(pliant_inputs_load(t.inputs, saved, size, &error), PLIANT_OK);
    trial_end(&t);
}

/* What is off is in no crossing and in no passage, in whichever of two states it is off, and is held by nothing. */
static void what_is_off_crosses_nothing(void **unused)
{
    (void)unused;
    for (int off = 0; off < 2; off++) {
        trial       t;
        pliant_body body[2];
        pliant_vec3 x[81];
        uint32_t    crossings, held, passages;
        begin(&t, &settings[0]);
        for (int i = 0; i < 2; i++) {
            pliant_cloth_def d = pliant_cloth_def_default();
            d.cells_x = d.cells_z = 8;
            d.size_x = d.size_z = R(0.5);
            d.material.thickness = R(0.01);
            d.body.placement.position = vec(0, i, 0);
            d.body.contact_mask = 1;
            body[i] = pliant_scene_add_cloth(t.scene, &d, NULL);
            assert_int_not_equal(body[i].id, 0);
        }
        compile(&t, &settings[0]);
        pliant_state *before = pliant_state_create(t.model, NULL);
        assert_non_null(before);
        if (off) {
            switch_to(&t, body[0], false);
            next(&t);
        }
        pliant_state_copy(before, t.state);
        pliant_state_positions(t.state, body[1], 0, 81, x);
        for (int i = 0; i < 81; i++) x[i].y = x[i].x; /* aslant through the lower one */
        pliant_state_set_positions(t.state, body[1], 0, 81, x);
        assert_int_equal(pliant_state_crossings(t.state, NULL, 0, &crossings), PLIANT_OK);
        assert_int_equal(pliant_state_held(t.state, NULL, 0, &held), PLIANT_OK);
        assert_int_equal(pliant_state_passages(before, t.state, NULL, 0, &passages), PLIANT_OK);
        assert_int_equal(crossings, !off);
        assert_int_equal(passages, !off);
        if (off) assert_int_equal(held, 0);
        pliant_state_destroy(before);
        trial_end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_off_crosses_nothing),
        cmocka_unit_test(one_that_is_off_lies_still),
        cmocka_unit_test(others_go_as_if_it_were_far_away),
        cmocka_unit_test(others_go_as_if_it_had_never_been_there),
        cmocka_unit_test(newton_leaves_out_what_is_off),
        cmocka_unit_test(all_may_be_off),
        cmocka_unit_test(what_ties_it_to_others_is_left_out),
        cmocka_unit_test(what_rests_on_it_falls),
        cmocka_unit_test(queries_pass_what_is_off),
        cmocka_unit_test(one_that_comes_on_goes_on_as_it_was_set),
        cmocka_unit_test(it_appears_where_it_is_teleported),
        cmocka_unit_test(pins_stay_as_they_are_or_are_set_meanwhile),
        cmocka_unit_test(targets_leave_it),
        cmocka_unit_test(all_ways_come_to_the_same),
        cmocka_unit_test(many_states_at_once_come_to_the_same),
        cmocka_unit_test(a_recording_has_switches),
        cmocka_unit_test(recompiling_keeps_switches),
        cmocka_unit_test(nothing_is_allocated_when_bodies_come_on),
        cmocka_unit_test(switches_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
