/* Laws of events of contacts: a body that lies on something presses with its weight; each begin and end of a touch is one event, in
 * one order, whatever steps it; no bounce is missed; a copy of the log goes back with the state. */
#include "sample_scenes.h"
#include "trial.h"

#include "compile/model.h"

#define DT (1.0 / 60)
#define G 9.81

/* ---- scenes ---- */

static void meets(pliant_body_def *body) { body->contact_mask = 1; }

static pliant_material stuff(double density, double friction)
{
    pliant_material m = plain_material();
    m.density = R(density);
    m.thickness = R(0.01);
    m.friction_static = m.friction_dynamic = R(friction);
    return m;
}

static pliant_body add_table(trial *w, double y)
{
    pliant_cloth_def d = pliant_cloth_def_default();
    d.cells_x = d.cells_z = 5;
    d.size_x = d.size_z = 2;
    d.material = stuff(1, 0.6);
    d.body.fixed = true;
    d.body.placement.position = vec(0, y, 0);
    meets(&d.body);
    const pliant_body body = pliant_scene_add_cloth(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

static pliant_body add_slab(trial *w, double density, double y)
{
    pliant_soft_def d = pliant_soft_def_default();
    d.model = PLIANT_SOLID_DISTANCE;
    d.cells[0] = d.cells[2] = 3;
    d.cells[1] = 1;
    d.extent = vec(0.3, 0.1, 0.3);
    d.material = stuff(density, 0.6);
    d.body.placement.position = vec(0, y, 0);
    meets(&d.body);
    const pliant_body body = pliant_scene_add_soft(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

static pliant_body add_ball(trial *w, double y, double speed, double restitution)
{
    pliant_particles_def d = pliant_particles_def_default();
    const pliant_vec3    x = vec(0, y, 0), v = vec(0, speed, 0);
    const pliant_real    inverse = R(0.5);
    d.positions = &x;
    d.velocities = &v;
    d.inverse_masses = &inverse;
    d.count = 1;
    d.material = stuff(1, 0);
    d.material.restitution = R(restitution);
    meets(&d.body);
    const pliant_body body = pliant_scene_add_particles(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

/* Compiled, with a log that its solver writes. */
static pliant_contact_log *begin_log(trial *w, const pliant_contact_log_def *def)
{
    pliant_solver_def d = pliant_solver_def_default();
    trial_compile(w);
    d.contacts = pliant_contact_log_create(w->model, def, NULL);
    assert_non_null(d.contacts);
    pliant_solver_destroy(w->solver);
    w->solver = pliant_solver_create(w->model, &d, NULL);
    assert_non_null(w->solver);
    return d.contacts;
}

static void end_log(trial *w, pliant_contact_log *log)
{
    trial_end(w);
    pliant_contact_log_destroy(log);
}

/* ---- forces ---- */

/* What pairs of two bodies push upwards in all, N, into `up`; along the surface into `along`. */
static void sum_forces(const trial *w, pliant_body upper, pliant_body lower, double *up, double *along)
{
    static pliant_pair_contact all[4096];
    const uint32_t             count = pliant_solver_pair_contacts(w->solver, all, 4096);
    assert_true(count <= 4096);
    assert_int_equal(count, pliant_solver_statistics(w->solver).pair_contacts);
    for (uint32_t i = 0; i < count; i++) {
        const pliant_pair_contact *c = &all[i];
        const bool                 first = c->bodies[0].id == upper.id && c->bodies[1].id == lower.id;
        double                     sum[2] = {0, 0}, length = 0;
        for (int k = 0; k < 4; k++) {
            const bool above = c->weights[k] > 0;
            if (c->weights[k] == 0)
                assert_int_equal(c->particles[k].body.id, 0);
            else
                assert_int_equal(c->particles[k].body.id, c->bodies[!above].id);
            sum[!above] += (double)c->weights[k];
        }
        length = sqrt((double)(c->normal.x * c->normal.x + c->normal.y * c->normal.y + c->normal.z * c->normal.z));
        near(sum[0], 1, BOUND(1e-12, 1e-5));
        near(sum[1], -1, BOUND(1e-12, 1e-5));
        near(length, 1, BOUND(1e-12, 1e-5));
        near((double)c->distance, 0.02, 1e-3);
        assert_true(c->force > 0 && c->friction >= 0);
        if (!first && !(c->bodies[1].id == upper.id && c->bodies[0].id == lower.id)) continue;
        *up += (first ? 1 : -1) * (double)(c->force * c->normal.y);
        *along += (double)c->friction;
    }
}

/* Three slabs on a table: each two touch with the weight of what lies above. */
static void check_stack(pliant_integration integration)
{
    static const double density[3] = {300, 200, 400};
    trial               w;
    pliant_body         body[4];
    double              up[3] = {0}, along[3] = {0}, weight = 0;
    trial_begin(&w, G, 10, 1);
    pliant_scene_destroy(w.scene);
    w.def.integration = integration;
    trial_begin_def(&w);
    body[0] = add_table(&w, 0);
    for (int i = 0; i < 3; i++) body[i + 1] = add_slab(&w, density[i], 0.07 + 0.12 * i);
    trial_compile(&w);
    trial_run(&w, DT, 120);
    for (int step = 0; step < 60; step++) {
        trial_run(&w, DT, 1);
        for (int i = 0; i < 3; i++) sum_forces(&w, body[i + 1], body[i], &up[i], &along[i]);
    }
    for (int i = 2; i >= 0; i--) {
        weight += G * pliant_model_body(w.model, body[i + 1]).mass;
        near(up[i] / 60, weight, 0.02 * weight);
    }
    trial_end(&w);
}

static void a_stack_presses_with_its_weight(void **unused)
{
    (void)unused;
    check_stack(PLIANT_INTEGRATION_FIRST_ORDER);
    check_stack(PLIANT_INTEGRATION_BDF2);
}

/* On a slope the surface carries the rest: m g sin. */
static void friction_holds_a_slab_on_a_slope(void **unused)
{
    (void)unused;
    const double slope = atan(0.4);
    trial        w;
    double       up = 0, along = 0;
    trial_begin(&w, 0, 10, 1);
    pliant_scene_destroy(w.scene);
    w.def.gravity = vec(G * sin(slope), -G * cos(slope), 0); /* the slope lies flat */
    trial_begin_def(&w);
    const pliant_body table = add_table(&w, 0), slab = add_slab(&w, 300, 0.07);
    trial_compile(&w);
    trial_run(&w, DT, 120);
    for (int step = 0; step < 60; step++) {
        trial_run(&w, DT, 1);
        sum_forces(&w, slab, table, &up, &along);
    }
    const double weight = G * pliant_model_body(w.model, slab).mass;
    near(up / 60, weight * cos(slope), 0.02 * weight);
    near(along / 60, weight * sin(slope), 0.05 * weight);
    trial_end(&w);
}

/* All pairs that were found, with their nearest points in a state: what pushes is among them. */
static void near_pairs_are_near(void **unused)
{
    static pliant_near_pair all[20000];
    (void)unused;
    trial w;
    trial_begin(&w, G, 10, 1);
    const pliant_body table = add_table(&w, 0), slab = add_slab(&w, 300, 0.07);
    trial_compile(&w);
    trial_run(&w, DT, 60);
    const uint32_t count = pliant_solver_near_pairs(w.solver, w.state, all, 20000);
    uint32_t       touching = 0;
    assert_true(count >= pliant_solver_pair_contacts(w.solver, NULL, 0) && count <= 20000);
    for (uint32_t i = 0; i < count; i++) {
        const pliant_near_pair *p = &all[i];
        const double            x = (double)(p->points[0].x - p->points[1].x), y = (double)(p->points[0].y - p->points[1].y),
                     z = (double)(p->points[0].z - p->points[1].z);
        assert_true((p->bodies[0].id == table.id && p->bodies[1].id == slab.id) ||
                    (p->bodies[0].id == slab.id && p->bodies[1].id == table.id));
        near(sqrt(x * x + y * y + z * z), (double)p->distance, BOUND(1e-9, 1e-5));
        near((double)p->touching, 0.02, BOUND(1e-12, 1e-7));
        for (int side = 0; side < 2; side++) /* the table's points are in its plane, the slab's at its bottom or above */
            if (p->bodies[side].id == table.id)
                near((double)p->points[side].y, 0, BOUND(1e-12, 1e-6));
            else
                assert_true(p->points[side].y > 0.019);
        touching += (double)p->distance < 0.0201;
    }
    assert_true(touching >= 16);
    assert_int_equal(pliant_solver_near_pairs(w.solver, NULL, all, 1), 0);
    assert_int_equal(pliant_solver_near_pairs(NULL, w.state, all, 1), 0);
    trial_end(&w);
}

/* ---- events ---- */

typedef struct seen {
    char     story[200]; /* b p e, or . for a step without */
    double   first_force, last_force, first_speed, impulse;
    uint32_t contacts;
} seen;

/* Steps, and writes down what is told; at most one event each. */
static seen watch(trial *w, const pliant_contact_log *log, uint32_t steps)
{
    seen s = {.first_force = -1};
    for (uint32_t i = 0; i < steps; i++) {
        const pliant_contact_event *e;
        trial_run(w, DT, 1);
        const uint32_t count = pliant_contact_log_events(log, &e);
        assert_true(count <= 1);
        s.story[i] = '.';
        if (!count) continue;
        s.story[i] = "bpe"[e->change];
        if (s.first_force < 0) s.first_force = (double)e->force, s.first_speed = (double)e->speed;
        s.last_force = (double)e->force;
        s.contacts += e->contacts;
        s.impulse += (double)e->force * DT;
        near((double)(e->normal.y * e->normal.y), 1, BOUND(1e-12, 1e-5));
        assert_true(e->change != PLIANT_CONTACT_ENDS || (e->force == 0 && e->contacts == 0));
    }
    return s;
}

/* Falls from 0.5 m onto a floor (0) or a table that is a body (1). */
static seen drop(int onto, double restitution, uint32_t steps, pliant_contact_event *last)
{
    trial w;
    trial_begin(&w, G, 10, 1);
    if (onto)
        add_table(&w, -0.01);
    else {
        pliant_collider_def floor = plane_def(0, 0, 0, 0);
        add_collider(&w, &floor);
    }
    add_ball(&w, 0.51, 0, restitution);
    pliant_contact_log         *log = begin_log(&w, NULL);
    const seen                  s = watch(&w, log, steps);
    const pliant_contact_event *e;
    if (last && pliant_contact_log_events(log, &e)) *last = *e;
    end_log(&w, log);
    return s;
}

/* 0.32 s down, 0.64 s up and down at most: bounces are short, and none is missed however few substeps they take. */
static void a_bounce_begins_and_ends(void **unused)
{
    (void)unused;
    for (int onto = 0; onto < 2; onto++) {
        const seen   s = drop(onto, 1, 180, NULL);
        const double speed = sqrt(2 * G * 0.5);
        uint32_t     begun = 0, ended = 0;
        for (uint32_t i = 0; i < 180; i++) {
            begun += s.story[i] == 'b';
            ended += s.story[i] == 'e';
            if (s.story[i] == 'b') assert_true(!i || s.story[i - 1] == '.' || s.story[i - 1] == 'e');
            if (s.story[i] == 'e') assert_true(i && (s.story[i - 1] == 'b' || s.story[i - 1] == 'p'));
            if (s.story[i] == '.') assert_true(!i || s.story[i - 1] == '.' || s.story[i - 1] == 'e');
        }
        if (begun != 5 || ended != 5) fail_msg("onto %d: %.180s", onto, s.story); /* after 0.32, 0.96, 1.60, 2.23 and 2.87 s */
        near(s.first_speed, speed, 0.02 * speed);
        assert_true(s.first_force * DT > 0 && s.first_force * DT < 1.05 * 2 * speed); /* what stops 2 kg; the rest is the restitution's */
    }
}

static void rest_begins_and_persists(void **unused)
{
    (void)unused;
    for (int onto = 0; onto < 2; onto++) {
        pliant_contact_event last;
        const seen           s = drop(onto, 0, 120, &last);
        const char          *first = strchr(s.story, 'b');
        assert_non_null(first);
        assert_int_equal(strspn(s.story, "."), first - s.story);
        if (strspn(first + 1, "p") != 120 - (size_t)(first - s.story) - 1) fail_msg("onto %d: %.120s", onto, s.story);
        near(s.last_force, 2 * G, 1e-3 * 2 * G);
        near(s.impulse, 2 * G * 120 * DT, 1e-3 * 2 * G * 120 * DT); /* the whole impulse of gravity */
        assert_int_equal(last.change, PLIANT_CONTACT_PERSISTS);
        assert_int_equal(last.collider.id != 0, !onto);
        assert_int_equal(last.bodies[1].id != 0, onto);
        near((double)last.point.y, onto ? 0 : 0.01, 1e-4);
        near((double)last.normal.y, onto ? -1 : 1, BOUND(1e-9, 1e-5)); /* from the ball, which comes second, to the table */
    }
}

/* Events of a table and slabs, all of them, as bytes. */
typedef struct telling {
    uint64_t hash;
    uint32_t of[3], most;
    uint64_t dropped;
} telling;

typedef struct way {
    uint32_t width, threads, capacity;
    bool     each, rebuild, back;
} way;

static void build_fall(trial *w)
{
    trial_begin(w, G, 10, 1);
    add_table(w, 0);
    for (int i = 0; i < 3; i++) add_slab(w, 200 + 100 * i, 0.15 + 0.2 * i);
    pliant_collider_def floor = plane_def(0, 0.5, 0.4, 0);
    floor.pose.position.y = R(0.02);
    add_collider(w, &floor);
    trial_compile(w);
}

static void hash_events(const pliant_contact_log *log, telling *t)
{
    const pliant_contact_event *e;
    const uint32_t              count = pliant_contact_log_events(log, &e);
    for (size_t i = 0; i < count * sizeof *e; i++) t->hash = (t->hash ^ ((const unsigned char *)e)[i]) * 1099511628211u;
    for (uint32_t i = 0; i < count; i++) t->of[e[i].change]++;
    for (uint32_t i = 1; i < count; i++)
        assert_true(e[i].bodies[0].id > e[i - 1].bodies[0].id ||
                    (e[i].bodies[0].id == e[i - 1].bodies[0].id &&
                     (e[i].bodies[1].id ? e[i].bodies[1].id : 1000) >= (e[i - 1].bodies[1].id ? e[i - 1].bodies[1].id : 1000)));
    t->most = count > t->most ? count : t->most;
    t->dropped += pliant_contact_log_dropped(log);
}

static telling tell(way how)
{
    trial                  w;
    telling                t = {.hash = 1469598103934665603u};
    pliant_contact_log_def d = pliant_contact_log_def_default();
    pliant_solver_def      sd = pliant_solver_def_default();
    build_fall(&w);
    d.each = how.each;
    d.capacity = how.capacity ? how.capacity : 4096;
    sd.width = how.width;
    sd.threads = how.threads;
    pliant_contact_log *log = pliant_contact_log_create(w.model, &d, NULL), *saved = pliant_contact_log_create(w.model, &d, NULL);
    pliant_state       *before = pliant_state_create(w.model, NULL);
    assert_non_null(log);
    assert_non_null(saved);
    sd.contacts = log;
    for (int step = 0; step < 45; step++) {
        if (!step || how.rebuild) {
            pliant_solver_destroy(w.solver);
            w.solver = pliant_solver_create(w.model, &sd, NULL);
            assert_non_null(w.solver);
        }
        if (how.back) { /* goes one step that is not to count */
            assert_int_equal(pliant_state_copy(before, w.state), PLIANT_OK);
            assert_int_equal(pliant_contact_log_copy(saved, log), PLIANT_OK);
            trial_run(&w, DT * 2, 1);
            assert_int_equal(pliant_state_copy(w.state, before), PLIANT_OK);
            assert_int_equal(pliant_contact_log_copy(log, saved), PLIANT_OK);
        }
        trial_run(&w, DT, 1);
        hash_events(log, &t);
    }
    pliant_state_destroy(before);
    pliant_contact_log_destroy(saved);
    end_log(&w, log);
    return t;
}

static void all_ways_tell_the_same(void **unused)
{
    (void)unused;
    static const way ways[] = {{.threads = 1}, {.threads = 4}, {.threads = 2, .width = 1}, {.rebuild = true}, {.back = true}};
    for (int each = 0; each < 2; each++) {
        telling first = {0};
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            way how = ways[i];
            how.each = each;
            const telling t = tell(how);
            if (!i) first = t;
            assert_true(t.of[PLIANT_CONTACT_BEGINS] > 3 && t.of[PLIANT_CONTACT_PERSISTS] > 20);
            assert_true(t.of[PLIANT_CONTACT_BEGINS] >= t.of[PLIANT_CONTACT_ENDS]);
            assert_int_equal(t.dropped, 0);
            if (t.hash != first.hash) fail_msg("way %zu, each %d: other events", i, each);
        }
        assert_int_equal(first.most > 10, each); /* four bodies and a collider: few events, but for each contact */
    }
}

/* Where there is no room, the first are told and the rest counted. */
static void room_is_what_it_was_made_for(void **unused)
{
    (void)unused;
    const telling all = tell((way){.each = true}), some = tell((way){.each = true, .capacity = 5});
    assert_true(all.most > 5);
    assert_int_equal(some.most, 5);
    assert_true(some.dropped > 100);
}

static void logs_are_forgotten(void **unused)
{
    (void)unused;
    trial                       w;
    const pliant_contact_event *e;
    trial_begin(&w, G, 10, 1);
    add_table(&w, 0);
    add_slab(&w, 300, 0.07);
    pliant_contact_log *log = begin_log(&w, NULL);
    trial_run(&w, DT, 30);
    assert_int_equal(pliant_contact_log_events(log, &e), 1);
    assert_int_equal(e->change, PLIANT_CONTACT_PERSISTS);
    pliant_contact_log_reset(log);
    assert_int_equal(pliant_contact_log_events(log, &e), 0);
    trial_run(&w, DT, 1);
    assert_int_equal(pliant_contact_log_events(log, &e), 1);
    assert_int_equal(e->change, PLIANT_CONTACT_BEGINS);
    end_log(&w, log);
}

/* ---- what is refused, and memory ---- */

static void strangers_are_refused(void **unused)
{
    (void)unused;
    trial                  w, other;
    pliant_error           error;
    pliant_solver_def      sd = pliant_solver_def_default();
    pliant_contact_log_def d = pliant_contact_log_def_default();
    trial_begin(&other, G, 10, 1);
    add_ball(&other, 1, 0, 0);
    pliant_contact_log *log = begin_log(&other, NULL);
    trial_begin(&w, G, 10, 1);
    add_table(&w, 0);
    trial_compile(&w);
    sd.contacts = log;
    assert_null(pliant_solver_create(w.model, &sd, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "another model's"));
    const pliant_inputs *in = other.inputs;
    assert_int_equal(pliant_solver_step_many(other.solver, &other.state, &in, 1, NULL), PLIANT_ERROR_ARGUMENT);
    d.capacity = 0;
    assert_null(pliant_contact_log_create(w.model, &d, &error));
    d.capacity = 8;
    d.size = 3;
    assert_null(pliant_contact_log_create(w.model, &d, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_null(pliant_contact_log_create(NULL, NULL, &error));
    d.size = sizeof d;
    pliant_contact_log *small = pliant_contact_log_create(other.model, &d, NULL);
    assert_non_null(small);
    assert_int_equal(pliant_contact_log_copy(log, small), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_contact_log_copy(NULL, small), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_contact_log_events(NULL, NULL), 0);
    pliant_contact_log_reset(NULL);
    pliant_contact_log_destroy(NULL);
    pliant_contact_log_destroy(small);
    trial_end(&w);
    end_log(&other, log);
}

static void memory_is_taken_once(void **unused)
{
    (void)unused;
    trial            w;
    tally            t;
    pliant_allocator allocator = tally_allocator(&t);
    build_fall(&w);
    pliant_contact_log_def d = pliant_contact_log_def_default();
    d.allocator = allocator;
    const size_t live = t.live;
    for (size_t fails = 0;; fails++) {
        pliant_error error = {0};
        t.left = fails;
        pliant_contact_log *log = pliant_contact_log_create(w.model, &d, &error);
        if (!log) {
            assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
            assert_int_equal(t.live, live);
            continue;
        }
        assert_true(fails > 3);
        pliant_solver_def sd = pliant_solver_def_default();
        sd.contacts = log;
        pliant_solver_destroy(w.solver);
        w.solver = pliant_solver_create(w.model, &sd, NULL);
        t.left = 0;
        trial_run(&w, DT, 40);
        assert_true(pliant_contact_log_events(log, NULL) > 0);
        pliant_contact_log_destroy(log);
        break;
    }
    assert_int_equal(t.live, live);
    trial_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_stack_presses_with_its_weight),
                                       cmocka_unit_test(friction_holds_a_slab_on_a_slope),
                                       cmocka_unit_test(near_pairs_are_near),
                                       cmocka_unit_test(a_bounce_begins_and_ends),
                                       cmocka_unit_test(rest_begins_and_persists),
                                       cmocka_unit_test(all_ways_tell_the_same),
                                       cmocka_unit_test(room_is_what_it_was_made_for),
                                       cmocka_unit_test(logs_are_forgotten),
                                       cmocka_unit_test(strangers_are_refused),
                                       cmocka_unit_test(memory_is_taken_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
