/* The law: what is to break at a force breaks when it pulls with more, and not before; of a rope one segment at a time; what is broken pulls no more, makes no
 * energy, and is the same whatever runs it, from wherever it goes on. */
#include "trial.h"

/* ---- scenes ---- */

enum { SEGMENTS = 8 };
#define GIVES 1e-4   /* m/N, of a segment */
#define BEARS 20.0   /* N */
#define SPEED 0.0125 /* m/s, at which an end is led */

/* A rope of 0.8 m along x, 1 kg/m, its first vertex held; the last one led away, or free with a mass. */
typedef struct rope_way {
    double bears, speed, mass, damping; /* N; m/s; kg; 1/s */
    bool   bend;
} rope_way;

static pliant_body add_rope(trial *t, const rope_way *way)
{
    pliant_rope_def def = pliant_rope_def_default();
    pliant_error    error = {PLIANT_OK, 0, "", ""};
    const uint32_t  first = 0, last = SEGMENTS;
    def.to = vec(0.8, 0, 0);
    def.segments = SEGMENTS;
    def.bend = way->bend;
    def.material.density = 1;
    def.material.stretch.compliance = R(GIVES);
    def.material.has_stretch = true;
    def.material.bend.compliance = R(1e-2);
    def.material.has_bend = true;
    def.material.damping = R(way->damping);
    def.material.stretch.break_force = R(way->bears);
    const pliant_body body = pliant_scene_add_rope(t->scene, &def, &error);
    if (!body.id) fail_msg("%s", error.message);
    assert_int_equal(pliant_scene_pin(t->scene, body, &first, 1, false, NULL), PLIANT_OK);
    if (way->speed > 0) {
        const double      times[2] = {0, 10};
        const pliant_vec3 keys[2] = {vec(0.8, 0, 0), vec(0.8 + 10 * way->speed, 0, 0)};
        assert_int_equal(pliant_scene_attach(t->scene, body, &last, 1, NULL), PLIANT_OK);
        assert_int_equal(pliant_scene_key_targets(t->scene, body, 0, 1, times, 2, keys, NULL), PLIANT_OK);
    }
    if (way->mass > 0) {
        const pliant_real mass = R(way->mass);
        assert_int_equal(pliant_scene_set_masses(t->scene, body, &last, &mass, 1, NULL), PLIANT_OK);
    }
    return body;
}

static uint32_t snapped_count(const trial *t, pliant_body body)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v <= SEGMENTS; v++) count += pliant_state_snapped(t->state, body, v);
    return count;
}

/* ---- ropes ---- */

/* It is led so slowly that all segments pull alike: it breaks when it is longer by what its segments give under the force. */
static void a_rope_snaps_in_one_place_at_its_force(void **unused)
{
    (void)unused;
    for (int bend = 0; bend < 2; bend++) {
        trial          t = {0};
        uint32_t       steps = 0;
        const rope_way way = {.bears = BEARS, .speed = SPEED, .damping = 5, .bend = bend};
        const double   bend_share = bend ? 1 + 2 * GIVES / 1e-2 : 1; /* what bends it pulls, too: each across two segments */
        trial_begin(&t, 0, 40, 4);
        const pliant_body body = add_rope(&t, &way);
        trial_compile(&t);
        for (; steps < 600 && !snapped_count(&t, body); steps++) trial_run(&t, 1.0 / 60, 1);
        const double force = steps / 60.0 * SPEED / (SEGMENTS * GIVES);
        print_message("%s: snaps at %.2f N of %g\n", bend ? "with bending" : "without", force, BEARS * bend_share);
        if (fabs(force / (BEARS * bend_share) - 1) > 0.04) fail_msg("snaps at %g N", force);
        assert_int_equal(snapped_count(&t, body), 1);
        trial_run(&t, 1.0 / 60, 60);
        assert_int_equal(snapped_count(&t, body), 1);
        trial_end(&t);
    }
}

/* kg m/s along y, of the vertices behind a snapped segment. */
static double momentum_behind(const trial *t, pliant_body body, uint32_t snapped)
{
    double sum = 0;
    for (uint32_t v = snapped + 1; v <= SEGMENTS; v++) {
        pliant_vec3 velocity;
        pliant_real w;
        assert_int_equal(pliant_state_velocities(t->state, body, v, 1, &velocity), PLIANT_OK);
        assert_int_equal(pliant_state_inverse_masses(t->state, body, v, 1, &w), PLIANT_OK);
        sum += (double)velocity.y / (double)w;
    }
    return sum;
}

static double mass_behind(const trial *t, pliant_body body, uint32_t snapped)
{
    double sum = 0;
    for (uint32_t v = snapped + 1; v <= SEGMENTS; v++) {
        pliant_real w;
        assert_int_equal(pliant_state_inverse_masses(t->state, body, v, 1, &w), PLIANT_OK);
        sum += 1 / (double)w;
    }
    return sum;
}

/* Nothing joins both parts: what is broken off falls as what is free does, bent or not. */
static void what_is_broken_off_falls_freely(void **unused)
{
    (void)unused;
    for (int bend = 0; bend < 2; bend++) {
        trial          t = {0};
        const rope_way way = {.bears = 10, .mass = 0.5, .bend = bend};
        uint32_t       last = 0;
        trial_begin(&t, 9.81, 10, 4);
        const pliant_body body = add_rope(&t, &way);
        trial_compile(&t);
        trial_run(&t, 1.0 / 60, 30);
        assert_true(snapped_count(&t, body) > 0);
        for (uint32_t v = 0; v < SEGMENTS; v++)
            if (pliant_state_snapped(t.state, body, v)) last = v;
        const double before = momentum_behind(&t, body, last);
        trial_run(&t, 1.0 / 60, 30);
        const double gained = momentum_behind(&t, body, last) - before, wanted = -0.5 * 9.81 * mass_behind(&t, body, last);
        print_message("what is broken off gains %.6g kg m/s of %.6g\n", gained, wanted);
        if (fabs(gained / wanted - 1) > BOUND(1e-9, 2e-3)) fail_msg("%g kg m/s, not %g", gained, wanted);
        trial_end(&t);
    }
}

static void a_rope_that_bears_it_stays_whole(void **unused)
{
    trial          t = {0};
    const rope_way way = {.bears = 100, .mass = 1, .damping = 5, .bend = true};
    (void)unused;
    trial_begin(&t, 9.81, 40, 4);
    const pliant_body body = add_rope(&t, &way);
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 240);
    assert_int_equal(snapped_count(&t, body), 0);
    trial_end(&t);
}

/* ---- other constraints ---- */

/* Two points that weigh 1 kg, the first one held, and one constraint between them. */
static pliant_constraint add_pair(trial *t, pliant_constraint_kind kind, double bears, bool pushed)
{
    const double   x[2][3] = {{0, 0, 0}, {0, kind == PLIANT_CONSTRAINT_ATTACHMENT ? 0 : pushed ? 1 : -1, 0}}, inverse[2] = {0, 1};
    const uint32_t ids[2] = {0, 1};
    pliant_law     law = compliant(1e-3);
    law.break_force = R(bears);
    const pliant_material m = plain_material();
    const pliant_body     body = add_points(t, 2, x, NULL, inverse, &m);
    return add_link(t, body, kind, ids, 1, &law);
}

/* Falling into its spring, a weight pulls twice with what it weighs. */
static void lengths_and_attachments_break_at_their_force(void **unused)
{
    static const pliant_constraint_kind kinds[] = {PLIANT_CONSTRAINT_DISTANCE, PLIANT_CONSTRAINT_TETHER, PLIANT_CONSTRAINT_ATTACHMENT};
    (void)unused;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int holds = 0; holds < 2; holds++) {
            trial t = {0};
            trial_begin(&t, 10, 100, 1);
            const pliant_constraint link = add_pair(&t, kinds[i], holds ? 20.5 : 19, false);
            trial_compile(&t);
            trial_run(&t, 1.0 / 60, 60);
            if (pliant_state_broken(t.state, link) == holds)
                fail_msg("%s: %s", pliant_constraint_describe(kinds[i])->name, holds ? "broken" : "holds");
            assert_int_equal(pliant_state_active(t.state, link), holds);
            trial_end(&t);
        }
}

static void what_is_pushed_together_does_not_break(void **unused)
{
    trial t = {0};
    (void)unused;
    trial_begin(&t, 10, 100, 1);
    const pliant_constraint link = add_pair(&t, PLIANT_CONSTRAINT_DISTANCE, 1, true);
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 15); /* until it falls over */
    assert_false(pliant_state_broken(t.state, link));
    trial_end(&t);
}

static void what_is_turned_on_is_whole_again(void **unused)
{
    trial t = {0};
    (void)unused;
    trial_begin(&t, 10, 100, 1);
    const pliant_constraint link = add_pair(&t, PLIANT_CONSTRAINT_DISTANCE, 5, false);
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 30);
    assert_true(pliant_state_broken(t.state, link));
    assert_int_equal(pliant_state_set_active(t.state, link, true), PLIANT_OK);
    assert_false(pliant_state_broken(t.state, link));
    assert_true(pliant_state_active(t.state, link));
    trial_end(&t);
}

/* A segment, and what bends the rope across it: as many constraints are on as at first. */
static void a_rope_that_is_mended_is_whole(void **unused)
{
    trial          t = {0};
    const rope_way way = {.bears = 10, .mass = 0.5, .bend = true};
    uint32_t       off = 0;
    (void)unused;
    trial_begin(&t, 9.81, 10, 4);
    const pliant_body body = add_rope(&t, &way);
    trial_compile(&t);
    for (uint32_t i = 0; i < 60 && !snapped_count(&t, body); i++) trial_run(&t, 1.0 / 60, 1);
    assert_true(snapped_count(&t, body) > 0);
    for (uint32_t i = 1; i < 2 * SEGMENTS; i++) off += !pliant_state_active(t.state, (pliant_constraint){i});
    assert_true(off > snapped_count(&t, body));
    for (uint32_t i = 1; i < 2 * SEGMENTS; i++)
        if (pliant_state_broken(t.state, (pliant_constraint){i}))
            assert_int_equal(pliant_state_set_active(t.state, (pliant_constraint){i}, true), PLIANT_OK);
    assert_int_equal(snapped_count(&t, body), 0);
    for (uint32_t i = 1; i < 2 * SEGMENTS; i++) assert_true(pliant_state_active(t.state, (pliant_constraint){i}));
    trial_end(&t);
}

/* ---- between bodies ---- */

#define CLOTH 0.2 /* kg */
#define FALLS 10  /* m/s^2, what gravity grows to in RISE steps */
#define RISE 480

/* A cube of an elastic solid, held by its upper side. Its lowest edge at z = 0.1 m runs along x through y = 0. */
static pliant_body add_cube(trial *t)
{
    pliant_soft_def def = pliant_soft_def_default();
    pliant_error    error = {PLIANT_OK, 0, "", ""};
    def.model = PLIANT_SOLID_NEO_HOOKEAN;
    def.material.density = 500;
    def.material.young = R(1e5);
    def.material.poisson = R(0.3);
    def.cells[0] = def.cells[1] = def.cells[2] = 2;
    def.extent = vec(0.2, 0.2, 0.2);
    def.body.placement.position = vec(0, 0.1, 0);
    const pliant_body body = pliant_scene_add_soft(t->scene, &def, &error);
    if (!body.id) fail_msg("%s", error.message);
    for (uint32_t v = 0; v < 27; v++)
        if (v / 3 % 3 == 2) assert_int_equal(pliant_scene_pin(t->scene, body, &v, 1, false, NULL), PLIANT_OK);
    return body;
}

/* A cloth that hangs below that edge, 0.2 m wide, its first vertices along it. */
static pliant_body add_curtain(trial *t)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    pliant_error     error = {PLIANT_OK, 0, "", ""};
    def.cells_x = def.cells_z = 4;
    def.size_x = def.size_z = R(0.2);
    def.body.placement.rotation = (pliant_quat){R(sqrt(0.5)), 0, 0, R(sqrt(0.5))}; /* z becomes -y */
    def.body.placement.position = vec(0, -0.1, 0.1);
    def.material.density = R(CLOTH / 0.04);
    def.material.stretch = def.material.shear = compliant(1e-4);
    def.material.drag = 2;
    def.bend = PLIANT_BEND_NONE;
    const pliant_body body = pliant_scene_add_cloth(t->scene, &def, &error);
    if (!body.id) fail_msg("%s", error.message);
    return body;
}

/* Hung by the middle of its upper edge from a cube by `count` attachments side by side that bear `bears` N each, a cloth weighs more and more: how much it weighs when one of them breaks, N; 0: none does. */
static double breaks_at(uint32_t count, double bears)
{
    const uint32_t    at_cloth = 2, at_cube = 19;
    trial             t = {0};
    pliant_constraint links[2];
    double            weight = 0, x[2][3];
    trial_begin(&t, 0, 10, 20); /* with one iteration the first of two would bear more */
    const pliant_body cube = add_cube(&t), cloth = add_curtain(&t);
    for (uint32_t i = 0; i < count; i++) {
        pliant_constraint_def def = pliant_constraint_def_default(PLIANT_CONSTRAINT_ATTACHMENT);
        def.particles[0] = (pliant_particle){cloth, at_cloth};
        def.particles[1] = (pliant_particle){cube, at_cube};
        def.law = compliant(1e-4);
        def.law.break_force = R(bears);
        links[i] = pliant_scene_add_constraint(t.scene, &def, NULL);
        assert_int_not_equal(links[i].id, 0);
    }
    trial_compile(&t);
    for (uint32_t step = 0; step < RISE + 120 && !(weight > 0); step++) {
        const double g = FALLS * fmin(1, (double)step / RISE);
        pliant_inputs_reset(t.inputs, 1.0 / 60);
        assert_int_equal(pliant_inputs_gravity(t.inputs, vec(0, -g, 0)), PLIANT_OK);
        trial_step(&t);
        for (uint32_t i = 0; i < count; i++)
            if (pliant_state_broken(t.state, links[i])) weight = CLOTH * g;
    }
    point_of(&t, cloth, at_cloth, x[0]);
    point_of(&t, cube, at_cube, x[1]);
    assert_true(weight > 0 || hypot(x[0][0] - x[1][0], x[0][1] - x[1][1]) < 0.001); /* it hangs, or is broken off */
    trial_end(&t);
    return weight;
}

/* Each of n attachments bears an nth of what the cloth weighs. */
static void a_cloth_breaks_off_a_solid_at_the_force_of_its_attachments(void **unused)
{
    (void)unused;
    for (uint32_t count = 1; count <= 2; count++) {
        const double most = CLOTH * FALLS / count, weight = breaks_at(count, 0.75 * most);
        print_message("%u attachments of %g N break where %.4g N hang from them\n", count, 0.75 * most, weight);
        near(weight / (0.75 * most * count), 1, 0.02);
        assert_true(breaks_at(count, 1.03 * most) == 0);
    }
}

/* ---- the same for all ---- */

/* A net of points, each row a rope of distances that bear unlike forces, which falls on its held corners; and a rope beside it. */
static void add_net(trial *t)
{
    enum { SIDE = 24 };
    static double x[SIDE * SIDE][3], inverse[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        x[i][0] = 0.05 * (i % SIDE);
        x[i][1] = 1;
        x[i][2] = 0.05 * (i / SIDE);
        inverse[i] = i == 0 || i == SIDE - 1 || i == SIDE * (SIDE - 1) || i == SIDE * SIDE - 1 ? 0 : 100;
    }
    const pliant_material m = plain_material();
    const pliant_body     body = add_points(t, SIDE * SIDE, (const double(*)[3])x, NULL, inverse, &m);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        pliant_law law = compliant(1e-4);
        law.break_force = R(6 + i % 3);
        if (i % SIDE + 1 < SIDE) add_distance(t, body, i, i + 1, 0.05, &law);
        if (i / SIDE + 1 < SIDE) add_distance(t, body, i, i + SIDE, 0.05, &law);
    }
    add_rope(t, &(rope_way){.bears = 15, .mass = 2, .bend = true});
}

static uint32_t broken_count(const trial *t)
{
    uint32_t count = 0;
    for (uint32_t i = 1; i <= 3000; i++) count += pliant_state_broken(t->state, (pliant_constraint){i});
    return count;
}

static void a_break_is_the_same_whatever_runs_it(void **unused)
{
    static const uint32_t widths[] = {1, 4, 8, 16};
    uint64_t              hash = 0;
    (void)unused;
    for (uint32_t way = 0; way < 8; way++) {
        trial t = {0};
        trial_begin(&t, 9.81, 20, 1);
        add_net(&t);
        trial_compile(&t);
        pliant_solver_destroy(t.solver);
        pliant_solver_def def = pliant_solver_def_default();
        pliant_error      error = {PLIANT_OK, 0, "", ""};
        def.width = pliant_constraint_has_width(PLIANT_CONSTRAINT_DISTANCE, widths[way % 4]) ? widths[way % 4]
                                                                                             : 1; /* of those that the build has */
        def.threads = way / 4 ? 3 : 1;
        t.solver = pliant_solver_create(t.model, &def, &error);
        if (!t.solver) fail_msg("%s", error.message);
        for (uint32_t i = 0; i < 40; i++) {
            trial_run(&t, 1.0 / 60, 1);
            if (way % 4 != 2 || i != 9) continue; /* goes on from the bytes of another state */
            size_t        size;
            const void   *bytes = pliant_state_data(t.state, &size);
            pliant_state *copy = pliant_state_create(t.model, NULL);
            assert_non_null(copy);
            assert_int_equal(pliant_state_load(copy, bytes, size, NULL), PLIANT_OK);
            pliant_state_destroy(t.state);
            t.state = copy;
        }
        assert_true(broken_count(&t) > 20);
        const uint64_t now = pliant_state_hash(t.state);
        if (hash && now != hash) fail_msg("way %u: %016llx, not %016llx", way, (unsigned long long)now, (unsigned long long)hash);
        hash = now;
        trial_end(&t);
    }
}

static void a_break_makes_no_energy(void **unused)
{
    trial             t = {0};
    double            most = HUGE_VAL;
    pliant_solver_def def = pliant_solver_def_default();
    (void)unused;
    trial_begin(&t, 9.81, 20, 1);
    add_net(&t);
    trial_compile(&t);
    pliant_solver_destroy(t.solver);
    def.energy = true;
    t.solver = pliant_solver_create(t.model, &def, NULL);
    assert_non_null(t.solver);
    for (uint32_t i = 0; i < 50; i++) {
        trial_run(&t, 1.0 / 60, 1);
        const pliant_energy e = pliant_solver_statistics(t.solver).energy;
        const double        all = e.kinetic + e.gravity + e.elastic;
        if (all - e.unresolved > most + BOUND(1e-9, 1e-4) * (e.kinetic + fabs(e.gravity)))
            fail_msg("step %u: %g J after %g J", i, all - e.unresolved, most);
        most = all;
    }
    assert_true(broken_count(&t) > 20);
    trial_end(&t);
}

static void an_edit_of_the_scene_keeps_what_is_broken(void **unused)
{
    trial        t = {0};
    pliant_error error = {PLIANT_OK, 0, "", ""};
    (void)unused;
    trial_begin(&t, 9.81, 20, 1);
    add_net(&t);
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 40);
    const uint32_t broken = broken_count(&t);
    assert_true(broken > 20);
    pliant_state *fresh;
    pliant_model *model = pliant_scene_recompile(t.scene, t.state, &fresh, &error);
    if (!model) fail_msg("%s", error.message);
    trial again = t;
    again.model = model;
    again.state = fresh;
    assert_int_equal(broken_count(&again), broken);
    pliant_state_destroy(fresh);
    pliant_model_destroy(model);
    trial_end(&t);
}

/* ---- what is refused ---- */

static void what_cannot_break_is_refused(void **unused)
{
    trial        t = {0};
    pliant_error error = {PLIANT_OK, 0, "", ""};
    (void)unused;
    trial_begin(&t, 0, 10, 1);
    pliant_cloth_def cloth = pliant_cloth_def_default();
    cloth.material.stretch.break_force = 5;
    assert_int_equal(pliant_scene_add_cloth(t.scene, &cloth, &error).id, 0);
    assert_non_null(strstr(error.message, "ropes alone"));
    pliant_rope_def rope = pliant_rope_def_default();
    rope.material.bend.break_force = 5;
    assert_int_equal(pliant_scene_add_rope(t.scene, &rope, &error).id, 0);
    rope = pliant_rope_def_default();
    rope.material.stretch.break_force = 5;
    rope.tether = R(1.1);
    assert_int_equal(pliant_scene_add_rope(t.scene, &rope, &error).id, 0);
    assert_non_null(strstr(error.message, "tethers"));
    rope.material.stretch.break_force = -1;
    assert_int_equal(pliant_scene_add_rope(t.scene, &rope, &error).id, 0);
    pliant_constraint_def angle = pliant_constraint_def_default(PLIANT_CONSTRAINT_DIHEDRAL_ANGLE);
    pliant_constraint_def soft = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
    soft.law.break_force = 5;
    soft.law.stiffness = R(0.5);
    assert_int_equal(pliant_scene_add_constraint(t.scene, &soft, &error).id, 0);
    assert_non_null(strstr(error.message, "no force to break at"));
    angle.law.break_force = 5;
    assert_int_equal(pliant_scene_add_constraint(t.scene, &angle, &error).id, 0);
    assert_non_null(strstr(error.message, "do not break"));
    pliant_scene_destroy(t.scene);
}

static void methods_say_which_of_them_take_what_breaks(void **unused)
{
    trial    t = {0};
    uint32_t taken = 0;
    (void)unused;
    trial_begin(&t, 9.81, 20, 1);
    add_net(&t);
    trial_compile(&t);
    for (int m = 0; m < PLIANT_METHOD_COUNT; m++) {
        pliant_method_def def = pliant_method_def_default();
        pliant_error      error = {PLIANT_OK, 0, "", ""};
        def.method = (pliant_method)m;
        if (pliant_method_takes(t.model, &def, &error))
            taken |= 1u << m;
        else
            assert_true(*error.message);
    }
    assert_int_equal(taken, 1u << PLIANT_METHOD_GAUSS_SEIDEL);
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rope_snaps_in_one_place_at_its_force),
        cmocka_unit_test(what_is_broken_off_falls_freely),
        cmocka_unit_test(a_rope_that_bears_it_stays_whole),
        cmocka_unit_test(lengths_and_attachments_break_at_their_force),
        cmocka_unit_test(what_is_pushed_together_does_not_break),
        cmocka_unit_test(what_is_turned_on_is_whole_again),
        cmocka_unit_test(a_rope_that_is_mended_is_whole),
        cmocka_unit_test(a_cloth_breaks_off_a_solid_at_the_force_of_its_attachments),
        cmocka_unit_test(a_break_is_the_same_whatever_runs_it),
        cmocka_unit_test(a_break_makes_no_energy),
        cmocka_unit_test(an_edit_of_the_scene_keeps_what_is_broken),
        cmocka_unit_test(what_cannot_break_is_refused),
        cmocka_unit_test(methods_say_which_of_them_take_what_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
