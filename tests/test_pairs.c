/* Laws of contacts between bodies, and of a body with itself: nothing passes through anything; what is pushed keeps its momentum; surfaces rest as
 * far apart as they are thick; friction and restitution are what was said; the result depends on no thread, width or solver. */
#include "crossings.h"
#include "trial.h"

#include "base/tree.h"
#include "compile/model.h"
#include "scene/draft.h"
#include "step/solver.h"

#define DT (1.0 / 60)

/* ---- scenes ---- */

static pliant_material fabric(double thickness)
{
    pliant_material m = plain_material();
    m.density = R(0.3);
    m.thickness = R(thickness);
    m.bend.compliance = R(1);
    return m;
}

static void meets(pliant_body_def *body, bool itself)
{
    body->self_contact = itself;
    body->contact_mask = 1;
}

static pliant_body add_sheet(trial *w, uint32_t cells, double size, double thickness, pliant_vec3 at, pliant_vec3 velocity)
{
    pliant_cloth_def d = pliant_cloth_def_default();
    d.cells_x = d.cells_z = cells;
    d.size_x = d.size_z = R(size);
    d.material = fabric(thickness);
    d.body.placement.position = at;
    d.body.velocity = velocity;
    meets(&d.body, true);
    const pliant_body body = pliant_scene_add_cloth(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

/* One that meets itself is not crushed so far that it crosses itself. */
static pliant_body add_jelly(trial *w, uint32_t cells, double size, double thickness, pliant_vec3 at, pliant_vec3 velocity, bool itself)
{
    pliant_soft_def d = pliant_soft_def_default();
    d.cells[0] = d.cells[1] = d.cells[2] = cells;
    d.extent = vec(size, size, size);
    d.material = plain_material();
    d.material.young = 0; /* rigid */
    d.material.density = 300;
    d.material.thickness = R(thickness);
    d.body.placement.position = at;
    d.body.velocity = velocity;
    meets(&d.body, itself);
    const pliant_body body = pliant_scene_add_soft(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

static pliant_body add_rope(trial *w, pliant_vec3 from, pliant_vec3 to, double thickness, double rolling)
{
    pliant_rope_def d = pliant_rope_def_default();
    d.from = from;
    d.to = to;
    d.segments = 12;
    d.material = plain_material();
    d.material.thickness = R(thickness);
    d.material.friction_static = d.material.friction_dynamic = rolling < 0 ? -1 : R(0.5);
    d.material.rolling_friction = R(rolling);
    meets(&d.body, true);
    const pliant_body body = pliant_scene_add_rope(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

static void add_ball(trial *w, double radius, double y)
{
    pliant_collider_def d = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    d.radius = R(radius);
    d.pose.position = vec(0, y, 0);
    d.friction_static = R(0.4);
    d.friction_dynamic = R(0.3);
    add_collider(w, &d);
}

static void pin_corners(trial *w, pliant_body sheet, uint32_t cells)
{
    const uint32_t corner[4] = {0, cells, cells * (cells + 1), cells * (cells + 2)};
    assert_int_equal(pliant_scene_pin(w->scene, sheet, corner, 4, false, NULL), PLIANT_OK);
}

/* What two bodies are to each other, or one to itself. */
static void say_pair(trial *w, pliant_body a, pliant_body b, double friction, double restitution)
{
    pliant_contact_pair_def d = pliant_contact_pair_def_default();
    d.body = a;
    d.other = b;
    d.friction_static = d.friction_dynamic = R(friction);
    d.restitution = R(restitution);
    assert_int_equal(pliant_scene_contact_pair(w->scene, &d, NULL), PLIANT_OK);
}

static void say_ignored(trial *w, pliant_body a, pliant_body b)
{
    pliant_contact_pair_def d = pliant_contact_pair_def_default();
    d.body = a;
    d.other = b;
    d.ignore = true;
    assert_int_equal(pliant_scene_contact_pair(w->scene, &d, NULL), PLIANT_OK);
}

/* It falls on its lower edge, a little aslant, and crumples. */
static void crumples(trial *w)
{
    pliant_cloth_def d = pliant_cloth_def_default();
    d.cells_x = d.cells_z = 18;
    d.size_x = d.size_z = R(0.6);
    d.material = fabric(0.006);
    d.body.placement.position = vec(0, 0.35, 0);
    d.body.placement.rotation = (pliant_quat){R(0.6), R(0.2), R(0.1), R(0.768)};
    meets(&d.body, true);
    assert_int_not_equal(pliant_scene_add_cloth(w->scene, &d, NULL).id, 0);
    const pliant_collider_def floor = plane_def(0, 0.5, 0.4, 0);
    add_collider(w, &floor);
}

static void falls_in_sheets(trial *w)
{
    for (int i = 0; i < 3; i++) add_sheet(w, 14, 0.8, 0.006, vec(0.02 * i, 0.45 + 0.03 * i, 0.01 * i), vec(0, 0, 0));
    add_ball(w, 0.2, 0.2);
    const pliant_collider_def floor = plane_def(0, 0.5, 0.4, 0);
    add_collider(w, &floor);
}

static void is_shot(trial *w)
{
    for (int i = 0; i < 2; i++) pin_corners(w, add_sheet(w, 12, 0.8, 0.01, vec(0, -0.05 * i, 0), vec(0, 0, 0)), 12);
    add_jelly(w, 3, 0.2, 0.01, vec(0, 0.2, 0), vec(0, -20, 0), true);
}

static void meets_jelly(trial *w)
{
    add_jelly(w, 3, 0.3, 0.01, vec(-0.4, 0, 0), vec(2, 0, 0), false);
    add_jelly(w, 4, 0.3, 0.01, vec(0.1, 0.05, 0.02), vec(-2, 0, 0), false);
    add_rope(w, vec(-0.4, 0.45, 0.1), vec(0.4, 0.45, 0.15), 0.01, -1);
    add_sheet(w, 8, 0.5, 0.01, vec(0, 0.6, 0.1), vec(0, -1, 0));
}

/* What all do alike is nobody's approach, however fast. */
static void flies_together(trial *w)
{
    for (int i = 0; i < 3; i++) add_sheet(w, 12, 0.6, 0.006, vec(0.01 * i, 0.02 * i, 0), vec(40, 3 - 3 * i, -25));
    add_jelly(w, 3, 0.15, 0.006, vec(0.05, 0.2, 0), vec(40, -6, -25), false);
}

/* Sheets and a jelly that hold on to each other, and ropes that roll on them. */
static void clings(trial *w)
{
    pliant_body body[4];
    for (int i = 0; i < 3; i++) body[i] = add_sheet(w, 12, 0.6, 0.006, vec(0.02 * i, 0.45 + 0.03 * i, 0.01 * i), vec(0, 0, 0));
    body[3] = add_jelly(w, 2, 0.15, 0.006, vec(0, 0.65, 0), vec(0, -1, 0), false);
    for (int i = 0; i < 3; i++) {
        pliant_contact_pair_def d = pliant_contact_pair_def_default();
        d.body = body[i];
        d.other = body[i + 1];
        d.adhesion = R(0.02);
        d.friction_static = d.friction_dynamic = R(0.3);
        assert_int_equal(pliant_scene_contact_pair(w->scene, &d, NULL), PLIANT_OK);
    }
    add_rope(w, vec(-0.4, 0.6, 0.1), vec(0.3, 0.62, 0.15), 0.01, 0.02);
    add_rope(w, vec(-0.1, 0.68, -0.4), vec(-0.15, 0.66, 0.4), 0.01, 0.05);
    add_ball(w, 0.2, 0.2);
}

static const struct scene {
    const char *name;
    void (*build)(trial *w);
    uint32_t steps;
} scenes[] = {{"a sheet that falls on its edge", crumples, 70},
              {"three sheets on a ball", falls_in_sheets, 50},
              {"a jelly at 20 m/s against two sheets", is_shot, 40},
              {"jellies, a rope and a sheet", meets_jelly, 60},
              {"sheets and a jelly that fly together", flies_together, 40},
              {"sheets and a jelly that hold on to each other, and ropes", clings, 50}};

#define SCENES (sizeof scenes / sizeof *scenes)

static void begin_bound(trial *w, pliant_contact_bound bound)
{
    trial_begin(w, 9.81, 10, 1);
    pliant_scene_destroy(w->scene);
    w->def.contact_bound = bound;
    trial_begin_def(w);
}

static void begin(trial *w, const struct scene *scene, pliant_contact_bound bound)
{
    begin_bound(w, bound);
    scene->build(w);
    trial_compile(w);
}

/* ---- nothing passes through anything ---- */

static size_t crossings_now(const trial *w)
{
    const pliant_model *m = w->model;
    const size_t        slots = m->header->slot_count, elements = model_count(m, element_body);
    double             *x = malloc(3 * slots * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < slots; i++)
        for (size_t k = 0; k < 3; k++) x[3 * i + k] = (double)w->state->x[4 * i + k];
    const size_t found = crossings(x, m->elements, elements, NULL, 0);
    free(x);
    return found;
}

static void expect_no_crossings(const struct scene *scene, pliant_contact_bound bound)
{
    trial    w;
    uint32_t pushed = 0, held = 0;
    double   taken = 0;
    begin(&w, scene, bound);
    for (uint32_t step = 0; step < scene->steps; step++) {
        trial_run(&w, DT, 1);
        const pliant_statistics now = pliant_solver_statistics(w.solver);
        const size_t            found = crossings_now(&w);
        pushed += now.pair_contacts;
        held += now.particles_held;
        taken += now.momentum_held;
        assert_int_equal(now.particles_limited, 0);
        if (found) fail_msg("%s: %zu pairs of triangles cross after step %u", scene->name, found, step + 1);
    }
    print_message("    %s: %u held, %.3g kg m/s\n", scene->name, held, taken);
    assert_int_equal(held > 0, taken > 0);
    if (!pushed) fail_msg("%s: nobody met", scene->name);
    trial_end(&w);
}

static void nothing_crosses(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < SCENES; i++) expect_no_crossings(&scenes[i], PLIANT_CONTACT_BOUND_PATHS);
}

/* Nor where paths are cut only if pairs meet on them. */
static void nothing_crosses_where_it_meets(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < SCENES; i++) expect_no_crossings(&scenes[i], PLIANT_CONTACT_BOUND_CONTINUOUS);
}

/* Without contacts the same scene has crossings: the test above could see them. */
static void otherwise_they_cross(void **unused)
{
    (void)unused;
    trial w;
    trial_begin(&w, 9.81, 10, 1);
    is_shot(&w);
    for (size_t b = 0; b < w.scene->bodies.count; b++) w.scene->bodies.data[b].contact_mask = b < 2;
    for (size_t b = 0; b < w.scene->bodies.count; b++) w.scene->bodies.data[b].contact_group = b < 2 ? 1 : 2;
    w.scene->bodies.data[2].contact_mask = 2; /* which nobody else is in */
    trial_compile(&w);
    size_t found = 0;
    for (uint32_t step = 0; step < 10; step++) {
        trial_run(&w, DT, 1);
        found += crossings_now(&w);
    }
    assert_true(found > 0);
    trial_end(&w);
}

/* ---- velocities are limited instead of paths being cut ---- */

static void shoot(trial *w, double speed)
{
    for (int i = 0; i < 2; i++) pin_corners(w, add_sheet(w, 12, 0.8, 0.01, vec(0, -0.05 * i, 0), vec(0, 0, 0)), 12);
    add_jelly(w, 3, 0.2, 0.01, vec(0, 0.2, 0), vec(0, -speed, 0), false);
    trial_compile(w);
}

/* Without a path that is cut, a jelly at a moderate speed does not pass sheets either. */
static void moderate_speed_does_not_pass(void **unused)
{
    (void)unused;
    trial    w;
    uint32_t pushed = 0;
    begin_bound(&w, PLIANT_CONTACT_BOUND_SPEED);
    shoot(&w, 2);
    for (uint32_t step = 0; step < 40; step++) {
        trial_run(&w, DT, 1);
        const pliant_statistics now = pliant_solver_statistics(w.solver);
        pushed += now.pair_contacts;
        assert_int_equal(now.particles_held, 0);
        const size_t found = crossings_now(&w);
        if (found) fail_msg("%zu pairs of triangles cross after step %u", found, step + 1);
    }
    assert_true(pushed > 0);
    trial_end(&w);
}

/* How far a place is from the straight way between two others. */
static double off_way(const double x[3], const double from[3], const double to[3])
{
    double along = 0, length2 = 0, off = 0;
    for (int k = 0; k < 3; k++) along += (x[k] - from[k]) * (to[k] - from[k]), length2 += (to[k] - from[k]) * (to[k] - from[k]);
    const double share = length2 > 0 ? fmin(fmax(along / length2, 0), 1) : 0;
    for (int k = 0; k < 3; k++) off += pow(x[k] - from[k] - share * (to[k] - from[k]), 2);
    return sqrt(off);
}

/* Nothing of a surface ends a substep further from the way that it had without constraints than half of its thickness; where somebody would, that is counted. */
static void velocities_stay_within_margins(void **unused)
{
    (void)unused;
    const double h = DT / 10, margin = 0.005;
    trial        w;
    uint32_t     limited = 0;
    double       farthest = 0, taken = 0;
    begin_bound(&w, PLIANT_CONTACT_BOUND_SPEED);
    shoot(&w, 20);
    const size_t  slots = w.model->header->slot_count;
    pliant_state *before = pliant_state_create(w.model, NULL);
    bool         *surface = calloc(slots, sizeof *surface);
    assert_non_null(before);
    assert_non_null(surface);
    for (size_t i = 0; i < 3 * model_count(w.model, element_body); i++) surface[w.model->elements[i]] = true;
    for (uint32_t step = 0; step < 200; step++) {
        assert_int_equal(pliant_state_copy(before, w.state), PLIANT_OK);
        pliant_inputs_reset(w.inputs, h);
        assert_int_equal(pliant_inputs_substeps(w.inputs, 1, 1), PLIANT_OK);
        assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_OK);
        for (size_t i = 0; i < slots; i++) {
            if (!surface[i]) continue;
            double from[3], to[3], x[3];
            if (before->x[4 * i + 3] == 0) continue;
            for (size_t k = 0; k < 3; k++) {
                from[k] = (double)before->x[4 * i + k];
                x[k] = (double)w.state->x[4 * i + k];
                to[k] = from[k] + h * ((double)before->v[4 * i + k] - (k == 1 ? 9.81 * h : 0));
            }
            farthest = fmax(farthest, off_way(x, from, to));
        }
        const pliant_statistics now = pliant_solver_statistics(w.solver);
        limited += now.particles_limited;
        taken += now.momentum_held;
        assert_int_equal(now.particles_held, 0);
    }
    near(farthest, margin, BOUND(1e-9, 1e-6));
    assert_true(limited > 10 && taken > 0);
    pliant_state_destroy(before);
    free(surface);
    trial_end(&w);
}

/* Speed alone is not limited: what flies freely, and what stops, loses nothing by it. */
static void who_meets_nobody_is_not_limited(void **unused)
{
    (void)unused;
    trial  w;
    double v[3];
    begin_bound(&w, PLIANT_CONTACT_BOUND_SPEED);
    const pliant_body body = add_jelly(&w, 2, 0.2, 0.01, vec(0, 0, 0), vec(60, 0, 0), true);
    add_sheet(&w, 6, 0.8, 0.01, vec(0, 2, 0), vec(0, 0, 40));
    trial_compile(&w);
    for (uint32_t step = 0; step < 20; step++) {
        trial_run(&w, DT, 1);
        assert_int_equal(pliant_solver_statistics(w.solver).particles_limited, 0);
    }
    speed_of(&w, body, 0, v);
    near(v[0], 60, BOUND(1e-6, 1e-2));
    trial_end(&w);
}

/* A saved model has the choice with it, and does the same. */
static void expect_saved(pliant_contact_bound bound)
{
    trial  w;
    size_t size;
    begin_bound(&w, bound);
    shoot(&w, 20);
    assert_int_equal(pliant_model_settings(w.model).contact_bound, bound);
    const void *data = pliant_model_data(w.model, &size);
    void       *copy = aligned_alloc(64, (size + 63) / 64 * 64);
    assert_non_null(copy);
    memcpy(copy, data, size);
    pliant_model  *mapped = pliant_model_map(copy, size, NULL, NULL);
    pliant_state  *state = pliant_state_create(mapped, NULL);
    pliant_solver *solver = pliant_solver_create(mapped, NULL, NULL);
    assert_non_null(solver);
    assert_int_equal(pliant_model_settings(mapped).contact_bound, bound);
    for (uint32_t step = 0; step < 10; step++) {
        trial_run(&w, DT, 1);
        pliant_inputs_reset(w.inputs, DT);
        assert_int_equal(pliant_solver_step(solver, state, w.inputs), PLIANT_OK);
    }
    assert_true(pliant_state_hash(state) == pliant_state_hash(w.state));
    pliant_solver_destroy(solver);
    pliant_state_destroy(state);
    pliant_model_destroy(mapped);
    free(copy);
    trial_end(&w);
}

static void saved_models_know_their_bound(void **unused)
{
    (void)unused;
    expect_saved(PLIANT_CONTACT_BOUND_SPEED);
    expect_saved(PLIANT_CONTACT_BOUND_CONTINUOUS);
}

/* ---- paths are cut where pairs meet on them ---- */

/* A particle that a plane pushes aslant at 40 m/s, past a fixed edge along z through the origin, `aside` from it: how far it is along its way, before or
 * behind the edge, after so many substeps of 1/600 s. The plane pushes last, so it does not matter what rows say. */
static double pushed_past(pliant_contact_bound bound, double aside, uint32_t substeps, uint32_t *held)
{
    const double         h = DT / 10, speed = 40, thickness = 0.005, high = 0.1, c = sqrt(0.5);
    const pliant_vec3    at = vec(c * (aside - high), c * (aside + high), 0);
    pliant_particles_def d = pliant_particles_def_default();
    pliant_rope_def      edge = pliant_rope_def_default();
    trial                w;
    double               x[3];
    begin_bound(&w, bound);
    edge.from = vec(0, 0, -0.5);
    edge.to = vec(0, 0, 0.5);
    edge.segments = 1;
    edge.material = d.material = plain_material();
    edge.material.thickness = d.material.thickness = R(thickness);
    edge.body.fixed = true;
    d.positions = &at;
    d.count = 1;
    meets(&edge.body, false);
    meets(&d.body, false);
    assert_int_not_equal(pliant_scene_add_rope(w.scene, &edge, NULL).id, 0);
    const pliant_body   body = pliant_scene_add_particles(w.scene, &d, NULL);
    pliant_collider_def above = plane_def(0, 0, 0, 0);
    above.pose.rotation = (pliant_quat){R(cos(TEST_PI / 8)), R(sin(TEST_PI / 8)), 0, 0}; /* turned over, then by 45 degrees */
    above.pose.position = vec(-c * (high + thickness), c * (high + thickness), 0);
    const pliant_collider pusher = add_collider(&w, &above);
    trial_compile(&w);
    *held = 0;
    for (uint32_t i = 1; i <= substeps; i++) {
        const double y = high + thickness - speed * h * i;
        above.pose.position = vec(-c * y, c * y, 0);
        pliant_inputs_reset(w.inputs, h);
        assert_int_equal(pliant_inputs_substeps(w.inputs, 1, 1), PLIANT_OK);
        assert_int_equal(pliant_inputs_collider(w.inputs, pusher, &above.pose), PLIANT_OK);
        trial_step(&w);
        *held += pliant_solver_statistics(w.solver).particles_held;
    }
    point_of(&w, body, 0, x);
    trial_end(&w);
    return c * (x[1] - x[0]);
}

/* What goes past an edge, no nearer than it is thick, is not held by the plane between them, which stands across all space: it is where it was pushed to, and
 * where gravity takes it in the substep after. What is pushed onto the edge stays above it. */
static void who_slides_past_is_not_held(void **unused)
{
    (void)unused;
    static const pliant_contact_bound bounds[] = {PLIANT_CONTACT_BOUND_PATHS, PLIANT_CONTACT_BOUND_CONTINUOUS};
    const double                      h = DT / 10, there = 0.1 - 40 * h * 2 - sqrt(0.5) * 9.81 * h * h;
    for (size_t i = 0; i < 2; i++) {
        uint32_t     held;
        const double y = pushed_past(bounds[i], 0.015, 2, &held);
        near(y, there, 1e-6);
        assert_int_equal(held, 0);
        const double over = pushed_past(bounds[i], 0, 12, &held);
        assert_true(over > 0 && over < 0.01);
        assert_true(held > 0);
    }
}

/* ---- momentum ---- */

static void sum_momentum(const trial *w, double linear[3], double angular[3])
{
    for (size_t k = 0; k < 3; k++) linear[k] = angular[k] = 0;
    for (size_t i = 0; i < w->model->header->slot_count; i++) {
        const double inverse = (double)w->model->free_w[i];
        double       x[3], p[3], l[3];
        if (!(inverse > 0)) continue;
        for (size_t k = 0; k < 3; k++) x[k] = (double)w->state->x[4 * i + k], p[k] = (double)w->state->v[4 * i + k] / inverse;
        cross3(x, p, l);
        for (size_t k = 0; k < 3; k++) linear[k] += p[k], angular[k] += l[k];
    }
}

/* How much of the angular momentum is lost when two jellies meet; linear momentum stays to rounding. */
static double lost_in_impact(uint32_t substeps)
{
    trial    w;
    double   linear[2][3], angular[2][3], size = 0, lost = 0;
    uint32_t held = 0;
    trial_begin(&w, 0, substeps, 1);
    const pliant_body first = add_jelly(&w, 3, 0.3, 0.01, vec(-0.4, 0, 0), vec(1, 0, 0), false);
    add_jelly(&w, 4, 0.3, 0.01, vec(0.05, 0.1, 0.05), vec(-0.5, 0, 0), false);
    trial_compile(&w);
    for (size_t i = 0; i < w.model->header->slot_count; i++)
        if (w.model->free_w[i] > 0) size += fabs((double)w.state->v[4 * i]) / (double)w.model->free_w[i];
    sum_momentum(&w, linear[0], angular[0]);
    for (uint32_t step = 0; step < 40; step++) {
        trial_run(&w, DT, 1);
        held += pliant_solver_statistics(w.solver).particles_held;
    }
    sum_momentum(&w, linear[1], angular[1]);
    double v[3];
    speed_of(&w, first, 0, v);
    assert_true(v[0] < 0.9); /* they met */
    assert_int_equal(held, 0);
    for (size_t k = 0; k < 3; k++) {
        near(linear[1][k], linear[0][k], BOUND(1e-11, 0.02) * size); /* float32 rounds a jelly's small corrections */
        lost = fmax(lost, fabs(angular[1][k] - angular[0][k]));
    }
    trial_end(&w);
    return lost;
}

/* A row keeps angular momentum where it is projected; a substep of backward Euler loses some in an impact, in proportion to its length. */
static void momentum_is_kept(void **unused)
{
    (void)unused;
    const double coarse = lost_in_impact(5), fine = lost_in_impact(40);
    near(coarse, 0, 0.03);
    near(fine, 0, BOUND(coarse / 6, coarse)); /* float32 rounds the corrections of short substeps */
}

/* ---- thickness, restitution, friction ---- */

/* Two particles head on: they part with the share of their speed that restitution says, or stay together, and come no nearer than they are thick.
 * What is said of the pair counts, whatever the material says. */
static void particles_bounce(void **unused)
{
    (void)unused;
    static const double restitution[] = {0, 0.5, 1, 0, 0.5, 1};
    for (size_t i = 0; i < 6; i++) {
        trial        w;
        const double x[2][3] = {{-0.5, 0, 0}, {0.5, 0, 0}}, v[2][3] = {{1, 0, 0}, {-2, 0, 0}}, inverse[2] = {1, 2};
        double       least = 1, a[3], b[3];
        trial_begin(&w, 0, 10, 1);
        pliant_particles_def d = pliant_particles_def_default();
        pliant_vec3          at[2], speed[2];
        pliant_real          mass[2];
        for (size_t k = 0; k < 2; k++) at[k] = vec(x[k][0], 0, 0), speed[k] = vec(v[k][0], 0, 0), mass[k] = R(inverse[k]);
        d.positions = at;
        d.velocities = speed;
        d.inverse_masses = mass;
        d.count = 2;
        d.material = plain_material();
        d.material.thickness = R(0.1);
        d.material.restitution = R(i < 3 ? restitution[i] : 1 - restitution[i]);
        meets(&d.body, true);
        const pliant_body body = pliant_scene_add_particles(w.scene, &d, NULL);
        assert_int_not_equal(body.id, 0);
        if (i >= 3) say_pair(&w, body, body, -1, restitution[i]);
        trial_compile(&w);
        for (uint32_t step = 0; step < 60; step++) {
            trial_run(&w, DT, 1);
            point_of(&w, body, 0, a);
            point_of(&w, body, 1, b);
            if (b[0] - a[0] < least) least = b[0] - a[0];
        }
        near(least, 0.2, 0.2 * (restitution[i] > 0 ? 0.05 : BOUND(1e-9, 1e-5)));
        speed_of(&w, body, 0, a);
        speed_of(&w, body, 1, b);
        near(b[0] - a[0], 3 * restitution[i], BOUND(1e-9, 1e-4));
        near(a[0] / inverse[0] + b[0] / inverse[1], 0, BOUND(1e-9, 1e-4));
        trial_end(&w);
    }
}

/* What is nearer than the thickness when nothing has moved is let be: a sheet as thick as its edges are long lies still. */
static void rest_distances_are_let_be(void **unused)
{
    (void)unused;
    trial w;
    trial_begin(&w, 0, 10, 1);
    add_sheet(&w, 8, 0.8, 0.1, vec(0, 0, 0), vec(0, 0, 0));
    trial_compile(&w);
    trial_run(&w, DT, 10);
    assert_true(pliant_solver_statistics(w.solver).pairs > 0);
    for (size_t i = 0; i < 4 * (size_t)w.model->header->slot_count; i++)
        near((double)w.state->x[i], (double)w.model->x[i], BOUND(1e-12, 1e-5));
    trial_end(&w);
}

/* A slab of jelly on a slope of cloth that is pinned everywhere: it stays below the angle of friction, and slides above it as Coulomb has it.
 * What is said of the pair counts, whatever the materials say. */
static void slabs_on_a_slope(void **unused)
{
    (void)unused;
    static const double friction[] = {0.3, 0.6, 0.3, 0.6}, slopes[] = {-0.05, 0.1}; /* radians beside the angle of friction */
    for (size_t f = 0; f < 4; f++)
        for (size_t k = 0; k < 2; k++) {
            const double     material = f < 2 ? friction[f] : 0.9 - friction[f];
            const double     slope = atan(friction[f]) + slopes[k], g = 9.81, h = 0.01;
            trial            w;
            double           x[3], y[3];
            pliant_cloth_def sheet = pliant_cloth_def_default();
            pliant_soft_def  slab = pliant_soft_def_default();
            trial_begin(&w, 0, 10, 1);
            pliant_scene_destroy(w.scene);
            w.def.gravity = vec(g * sin(slope), -g * cos(slope), 0); /* the slope lies flat */
            trial_begin_def(&w);
            sheet.cells_x = sheet.cells_z = 6;
            sheet.size_x = 6;
            sheet.size_z = 1;
            sheet.material = fabric(h);
            sheet.material.friction_static = sheet.material.friction_dynamic = R(material);
            sheet.body.fixed = true;
            sheet.body.placement.position = vec(2, 0, 0);
            meets(&sheet.body, false);
            slab.cells[0] = slab.cells[2] = 3;
            slab.cells[1] = 1;
            slab.extent = vec(0.3, 0.1, 0.3);
            slab.material = fabric(h);
            slab.material.density = 300;
            slab.material.friction_static = slab.material.friction_dynamic = R(material);
            slab.body.placement.position = vec(0, 2 * h + 0.05, 0);
            meets(&slab.body, false);
            const pliant_body slope_body = pliant_scene_add_cloth(w.scene, &sheet, NULL),
                              body = pliant_scene_add_soft(w.scene, &slab, NULL);
            assert_true(slope_body.id && body.id);
            if (f >= 2) say_pair(&w, body, slope_body, friction[f], -1);
            trial_compile(&w);
            point_of(&w, body, 0, x);
            trial_run(&w, DT, 60);
            point_of(&w, body, 0, y);
            const double gone = y[0] - x[0], a = g * (sin(slope) - friction[f] * cos(slope));
            if (slopes[k] < 0)
                near(gone, 0, 1e-3);
            else
                near(gone, a / 2, 0.02 * a / 2);
            trial_end(&w);
        }
}

/* How fast a slab of jelly or of cloth is after half a second, which begins at 4 m/s on a flat sheet of many triangles: in a substep it goes a third of what both
 * are thick together, and a seventh of an edge. */
static double slides_on_edges(bool cloth, double friction)
{
    const double     h = 0.01;
    trial            w;
    double           v[3];
    pliant_cloth_def ground = pliant_cloth_def_default(), sheet = pliant_cloth_def_default();
    pliant_soft_def  slab = pliant_soft_def_default();
    trial_begin(&w, 9.81, 10, 1);
    ground.cells_x = 60;
    ground.cells_z = 12;
    ground.size_x = 3;
    ground.size_z = R(0.6);
    ground.material = fabric(h);
    ground.material.friction_static = ground.material.friction_dynamic = R(friction);
    ground.body.fixed = true;
    ground.body.placement.position = vec(1, 0, 0);
    meets(&ground.body, false);
    assert_int_not_equal(pliant_scene_add_cloth(w.scene, &ground, NULL).id, 0);
    slab.cells[0] = slab.cells[2] = 3;
    slab.cells[1] = 1;
    slab.extent = vec(0.3, 0.1, 0.3);
    slab.material = sheet.material = ground.material;
    slab.material.density = 300;
    slab.body.placement.position = vec(0, 2 * h + 0.05, 0);
    sheet.cells_x = sheet.cells_z = 6;
    sheet.size_x = sheet.size_z = R(0.3);
    sheet.body.placement.position = vec(0, 2 * h, 0);
    slab.body.velocity = sheet.body.velocity = vec(4, 0, 0);
    meets(&slab.body, false);
    meets(&sheet.body, false);
    const pliant_body body = cloth ? pliant_scene_add_cloth(w.scene, &sheet, NULL) : pliant_scene_add_soft(w.scene, &slab, NULL);
    assert_int_not_equal(body.id, 0);
    trial_compile(&w);
    trial_run(&w, DT, 30);
    speed_of(&w, body, 0, v);
    trial_end(&w);
    return v[0];
}

/* Who slides fast over edges is not braked by them: without friction it keeps its speed, and with it it loses mu g in a second. */
static void edges_do_not_brake(void **unused)
{
    (void)unused;
    static const double friction[] = {0, 0.3};
    for (size_t f = 0; f < 2; f++)
        for (int cloth = 0; cloth < 2; cloth++) near(slides_on_edges(cloth, friction[f]), 4 - friction[f] * 9.81 / 2, 0.02);
}

/* ---- adhesion ---- */

static void say_sticky(trial *w, pliant_body a, pliant_body b, double friction, double adhesion)
{
    pliant_contact_pair_def d = pliant_contact_pair_def_default();
    d.body = a;
    d.other = b;
    d.friction_static = d.friction_dynamic = R(friction);
    d.adhesion = R(adhesion);
    assert_int_equal(pliant_scene_contact_pair(w->scene, &d, NULL), PLIANT_OK);
}

/* A particle of 1 kg that touches the middle of a triangle of a wide sheet, which stays where it is, at y = 0: below it, or beside it, as `g` pulls. */
static pliant_body touch_sheet(trial *w, pliant_vec3 g, double friction, double adhesion)
{
    const pliant_vec3    at = vec(0.3, -0.02, -0.2);
    pliant_cloth_def     sheet = pliant_cloth_def_default();
    pliant_particles_def d = pliant_particles_def_default();
    trial_begin(w, 0, 10, 1);
    pliant_scene_destroy(w->scene);
    w->def.gravity = g;
    trial_begin_def(w);
    sheet.cells_x = sheet.cells_z = 1;
    sheet.size_x = sheet.size_z = 40;
    sheet.material = fabric(0.01);
    sheet.body.fixed = true;
    meets(&sheet.body, false);
    d.positions = &at;
    d.count = 1;
    d.material = plain_material();
    d.material.thickness = R(0.01);
    meets(&d.body, false);
    const pliant_body other = pliant_scene_add_cloth(w->scene, &sheet, NULL), body = pliant_scene_add_particles(w->scene, &d, NULL);
    assert_true(body.id && other.id);
    say_sticky(w, other, body, friction, adhesion);
    trial_compile(w);
    return body;
}

/* A weight hangs under a sheet as long as it is less than what the contact holds on with, and is told to pull by it; else it falls, and is held back
 * only as long as it is near. */
static void what_holds_on_carries_a_weight(void **unused)
{
    (void)unused;
    static const double share[] = {1.1, 0.9, 0.5};
    const double        g = 9.81, reach = 0.25 * 0.02;
    for (size_t i = 0; i < 3; i++) {
        trial                       w;
        double                      x[3];
        pliant_pair_contact         contact;
        const pliant_body           body = touch_sheet(&w, vec(0, -g, 0), 0, share[i] * g);
        pliant_solver_def           def = pliant_solver_def_default();
        const pliant_contact_event *event;
        def.contacts = pliant_contact_log_create(w.model, NULL, NULL);
        assert_non_null(def.contacts);
        pliant_solver_destroy(w.solver);
        w.solver = pliant_solver_create(w.model, &def, NULL);
        assert_non_null(w.solver);
        trial_run(&w, DT, 60);
        point_of(&w, body, 0, x);
        const uint32_t events = pliant_contact_log_events(def.contacts, &event);
        const uint32_t contacts = pliant_solver_pair_contacts(w.solver, &contact, 1);
        if (share[i] > 1) {
            near(x[1], -0.02, 1e-5);
            assert_int_equal(contacts, 1);
            near((double)contact.force, -g, 1e-2 * g);
            assert_int_equal(pliant_solver_statistics(w.solver).pair_contacts, 1);
            assert_int_equal(events, 1);
            assert_int_equal(event->change, PLIANT_CONTACT_PERSISTS);
            near((double)event->force, -g, 1e-2 * g);
            near((double)event->point.y, -0.01, 1e-4);
            near(fabs((double)event->normal.y), 1, 1e-5);
        } else { /* through the reach with what is left of gravity, then freely */
            const double a = g * (1 - share[i]), first = sqrt(2 * reach / a), rest = 1 - first;
            const double way = reach + a * first * rest + g * rest * rest / 2;
            near(x[1], -0.02 - way, 0.02 * way);
            assert_int_equal(contacts, 0);
            assert_int_equal(events, 0);
        }
        pliant_contact_log_destroy(def.contacts);
        trial_end(&w);
    }
}

/* It presses as well: on a wall that nothing else presses it on, friction carries mu times the adhesion, and no more. */
static void what_holds_on_has_friction(void **unused)
{
    (void)unused;
    static const double share[] = {1.2, 0.6, 0};
    const double        g = 9.81, mu = 0.5, h = DT / 10;
    for (size_t i = 0; i < 3; i++) {
        trial             w;
        double            x[3];
        const pliant_body body = touch_sheet(&w, vec(g, 0, 0), mu, share[i] * g / mu);
        trial_run(&w, DT, 60);
        point_of(&w, body, 0, x);
        const double a = share[i] < 1 ? g * (1 - share[i]) : 0;
        near(x[0] - 0.3, a * (1 + h) / 2, 0.01 * a + 1e-4);
        near(x[1], -0.02, 1e-5);
        trial_end(&w);
    }
}

/* Two that part stay together where their motion has less energy than adhesion takes on the way out of reach, and lose that much where it has more;
 * what one gives the other gets. */
static void what_holds_on_keeps_momentum(void **unused)
{
    (void)unused;
    static const double speed[] = {0.2, 1};
    const double        adhesion = 10, reach = 0.25 * 0.2, inverse[2] = {1, 2}, reduced = 1.0 / 3;
    for (size_t i = 0; i < 2; i++) {
        trial                w;
        double               a[3], b[3];
        pliant_particles_def d = pliant_particles_def_default();
        const pliant_vec3    at[2] = {vec(-0.1, 0, 0), vec(0.1, 0, 0)}, v[2] = {vec(-speed[i], 0, 0), vec(2 * speed[i], 0, 0)};
        const pliant_real    mass[2] = {R(inverse[0]), R(inverse[1])};
        trial_begin(&w, 0, 40, 1);
        d.positions = at;
        d.velocities = v;
        d.inverse_masses = mass;
        d.count = 2;
        d.material = plain_material();
        d.material.thickness = R(0.1);
        meets(&d.body, true);
        const pliant_body body = pliant_scene_add_particles(w.scene, &d, NULL);
        assert_int_not_equal(body.id, 0);
        say_sticky(&w, body, body, -1, adhesion);
        trial_compile(&w);
        trial_run(&w, DT, 120);
        speed_of(&w, body, 0, a);
        speed_of(&w, body, 1, b);
        const double before = 9 * speed[i] * speed[i] * reduced / 2, left = before - adhesion * reach;
        near(b[0] - a[0], left > 0 ? sqrt(2 * left / reduced) : 0, left > 0 ? 0.02 * 3 * speed[i] : 1e-3);
        near(a[0] / inverse[0] + b[0] / inverse[1], 0, BOUND(1e-9, 5e-3)); /* float32 rounds positions, far away and in short substeps */
        point_of(&w, body, 0, a);
        point_of(&w, body, 1, b);
        if (left > 0)
            assert_true(b[0] - a[0] > 1);
        else
            near(b[0] - a[0], 0.2, 1e-3);
        trial_end(&w);
    }
}

/* ---- what rolls ---- */

/* How far a straight rope, turned by `turn` from lying along z, has come in a second across itself and along itself, on a sheet that lies flat while
 * gravity falls towards +x by `slope`. */
static void rolled(double slope, double turn, double rolling, double out[2])
{
    const double     along[2] = {sin(turn), cos(turn)}, across[2] = {cos(turn), -sin(turn)}, h = 0.01;
    pliant_cloth_def sheet = pliant_cloth_def_default();
    pliant_rope_def  d = pliant_rope_def_default();
    trial            w;
    double           x[3], y[3];
    trial_begin(&w, 0, 20, 2);
    pliant_scene_destroy(w.scene);
    w.def.gravity = vec(9.81 * sin(slope), -9.81 * cos(slope), 0);
    trial_begin_def(&w);
    sheet.cells_x = 7;
    sheet.cells_z = 5;
    sheet.size_x = sheet.size_z = 8;
    sheet.material = fabric(h);
    sheet.material.friction_static = sheet.material.friction_dynamic = 2;
    sheet.body.fixed = true;
    sheet.body.placement.position = vec(1, 0, 0);
    meets(&sheet.body, false);
    d.from = vec(-along[0] / 2, 2 * h, -along[1] / 2);
    d.to = vec(along[0] / 2, 2 * h, along[1] / 2);
    d.segments = 5;
    d.material = sheet.material;
    d.material.rolling_friction = R(rolling);
    meets(&d.body, false);
    assert_int_not_equal(pliant_scene_add_cloth(w.scene, &sheet, NULL).id, 0);
    const pliant_body body = pliant_scene_add_rope(w.scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    trial_compile(&w);
    point_of(&w, body, 2, x);
    trial_run(&w, DT, 60);
    point_of(&w, body, 2, y);
    out[0] = (y[0] - x[0]) * across[0] + (y[2] - x[2]) * across[1];
    out[1] = (y[0] - x[0]) * along[0] + (y[2] - x[2]) * along[1];
    trial_end(&w);
}

/* A rope on a slope rolls across itself with g (sin - mu_r cos), and friction holds it along itself; where it cannot roll it sticks. */
static void ropes_roll_on_bodies(void **unused)
{
    (void)unused;
    static const double turns[] = {0, TEST_PI / 4, TEST_PI / 2}, rolling[] = {0, 0.1};
    const double        slope = atan(0.5), g = 9.81;
    double              way[2];
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 2; k++) {
            const double a = g * (sin(slope) * cos(turns[i]) - rolling[k] * cos(slope));
            rolled(slope, turns[i], rolling[k], way);
            near(way[0], a > 0 ? a / 2 : 0, 0.02 * fabs(a) + 1e-3);
            near(way[1], 0, 0.01);
        }
    rolled(slope, 0, -1, way);
    near(way[0], 0, 1e-3);
}

/* ---- who meets whom ---- */

static void masks_choose(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t group[2], mask[2];
        bool     met;
        uint32_t ignores, whom; /* bodies from 1 */
    } rows[] = {{{1, 1}, {1, 1}, true, 0, 0},  {{1, 2}, {2, 1}, true, 0, 0},  {{1, 2}, {3, 1}, true, 0, 0},  {{1, 2}, {2, 2}, false, 0, 0},
                {{1, 1}, {1, 0}, false, 0, 0}, {{4, 4}, {1, 1}, false, 0, 0}, {{1, 1}, {1, 1}, false, 1, 2}, {{1, 1}, {1, 1}, false, 2, 1},
                {{1, 1}, {1, 1}, true, 1, 3},  {{1, 1}, {1, 1}, true, 3, 2},  {{1, 1}, {1, 1}, true, 2, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trial w;
        trial_begin(&w, 0, 10, 1);
        add_jelly(&w, 1, 0.1, 0.01, vec(0, 0, 0), vec(0, 0, 0), false);
        add_jelly(&w, 1, 0.1, 0.01, vec(0, 0.15, 0), vec(0, -1, 0), false);
        add_jelly(&w, 1, 0.1, 0.01, vec(9, 0, 0), vec(0, 0, 0), false);
        if (rows[i].ignores) say_ignored(&w, (pliant_body){rows[i].ignores}, (pliant_body){rows[i].whom});
        for (size_t b = 0; b < 2; b++) {
            w.scene->bodies.data[b].contact_group = rows[i].group[b];
            w.scene->bodies.data[b].contact_mask = rows[i].mask[b];
        }
        trial_compile(&w);
        uint32_t met = 0;
        for (uint32_t step = 0; step < 10; step++) {
            trial_run(&w, DT, 1);
            met += pliant_solver_statistics(w.solver).pair_contacts;
        }
        if ((met > 0) != rows[i].met) fail_msg("row %zu: %u contacts", i, met);
        trial_end(&w);
    }
}

/* A sheet under another one that is held, apart by so many times the distance at which they touch, two thicknesses, as it is one substep of 1/600 s later. */
static trial fall_under_a_sheet(double gravity, double thickness, double apart, double adhesion)
{
    trial w;
    trial_begin(&w, gravity, 1, 1);
    const pliant_body above = add_sheet(&w, 1, 0.1, thickness, vec(0, 0, 0), vec(0, 0, 0)),
                      below = add_sheet(&w, 1, 0.1, thickness, vec(0, -2 * apart * thickness, 0), vec(0, 0, 0));
    pin_corners(&w, above, 1);
    if (adhesion > 0) {
        pliant_contact_pair_def d = pliant_contact_pair_def_default();
        d.body = above;
        d.other = below;
        d.adhesion = R(adhesion);
        assert_int_equal(pliant_scene_contact_pair(w.scene, &d, NULL), PLIANT_OK);
    }
    trial_compile(&w);
    trial_run(&w, 1.0 / 600, 1);
    return w;
}

/* A prediction knows nothing of what constraints will move: so a pair is a row already where some falls' lengths would bring its sides together. */
static void rows_are_there_before_constraints_need_them(void **unused)
{
    (void)unused;
    static const struct {
        double gravity, thickness, apart;
        bool   rows;
    } cases[] = {{0, 75e-6, 1.6, false},   {0, 75e-6, 1.2, true},   {9.81, 75e-6, 1.6, true}, {9.81, 75e-6, 2.1, false},
                 {9.81, 1e-3, 1.4, false}, {9.81, 1e-3, 1.2, true}, {98.1, 1e-3, 1.4, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial w = fall_under_a_sheet(cases[i].gravity, cases[i].thickness, cases[i].apart, 0);
        assert_int_equal(pliant_solver_statistics(w.solver).pairs > 0, cases[i].rows);
        trial_end(&w);
    }
}

/* Adhesion ends where it did. */
static void what_is_a_row_early_is_not_drawn(void **unused)
{
    (void)unused;
    for (int near = 0; near < 2; near++) {
        const double apart = near ? 1.1 : 1.6;
        trial        sticky = fall_under_a_sheet(9.81, 75e-6, apart, 1), plain = fall_under_a_sheet(9.81, 75e-6, apart, 0);
        const size_t bytes = 4 * plain.model->header->slot_count * sizeof(pliant_real);
        assert_true(pliant_solver_statistics(sticky.solver).pairs > 0);
        assert_int_equal(memcmp(sticky.state->x, plain.state->x, bytes) != 0, near);
        trial_end(&sticky);
        trial_end(&plain);
    }
}

/* A sheet that ignores itself goes as one that does not meet itself does. */
static void a_body_ignores_itself(void **unused)
{
    (void)unused;
    trial all[2];
    for (int i = 0; i < 2; i++) {
        trial w;
        begin(&w, &scenes[0], PLIANT_CONTACT_BOUND_PATHS);
        pliant_state_destroy(w.state);
        pliant_solver_destroy(w.solver);
        pliant_inputs_destroy(w.inputs);
        pliant_model_destroy(w.model);
        if (i) say_ignored(&w, (pliant_body){1}, (pliant_body){1});
        w.scene->bodies.data[0].self_contact = i == 1;
        trial_compile(&w);
        trial_run(&w, DT, 30);
        assert_int_equal(pliant_solver_statistics(w.solver).pairs, 0);
        all[i] = w;
    }
    assert_memory_equal(all[0].state->x, all[1].state->x, 4 * all[0].model->header->slot_count * sizeof(pliant_real));
    for (int i = 0; i < 2; i++) trial_end(&all[i]);
}

/* What is said is in the model, in the order in which it is looked up, without what is of bodies that went. */
static void pairs_are_in_the_model(void **unused)
{
    (void)unused;
    trial w;
    trial_begin(&w, 0, 10, 1);
    pliant_body body[4];
    for (int i = 0; i < 4; i++) body[i] = add_jelly(&w, 1, 0.1, 0.01, vec(i, 0, 0), vec(0, 0, 0), false);
    const pliant_collider   floor = pliant_scene_add_floor(w.scene, -1), other = pliant_scene_add_floor(w.scene, -2);
    pliant_contact_pair_def with = pliant_contact_pair_def_default();
    with.body = body[3];
    with.collider = other;
    with.friction_dynamic = R(0.25);
    say_sticky(&w, body[3], body[3], 0.5, 2);
    say_pair(&w, body[3], body[2], 0.5, 0.75);
    say_pair(&w, body[1], body[2], 0.5, 0.5);
    say_ignored(&w, body[0], body[3]);
    assert_int_equal(pliant_scene_contact_pair(w.scene, &with, NULL), PLIANT_OK);
    with.collider = floor;
    assert_int_equal(pliant_scene_contact_pair(w.scene, &with, NULL), PLIANT_OK);
    say_pair(&w, body[0], body[0], 0.125, -1);
    pliant_scene_remove_body(w.scene, body[1]);
    trial_compile(&w);
    static const struct {
        uint32_t body, other, collider;
        bool     ignore;
        double   friction_static, friction_dynamic, restitution;
    } rows[] = {{1, 1, 0, false, 0.125, 0.125, -1}, {1, 4, 0, true, -1, -1, -1},    {3, 4, 0, false, 0.5, 0.5, 0.75},
                {4, 4, 0, false, 0.5, 0.5, -1},     {4, 0, 1, false, -1, 0.25, -1}, {4, 0, 2, false, -1, 0.25, -1}};
    assert_int_equal(pliant_model_contact_pair_count(w.model), sizeof rows / sizeof *rows);
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const pliant_contact_pair_def d = pliant_model_contact_pair_at(w.model, i);
        assert_true(d.body.id == rows[i].body && d.other.id == rows[i].other && d.collider.id == rows[i].collider);
        assert_true(d.ignore == rows[i].ignore && d.friction_static == R(rows[i].friction_static) &&
                    d.friction_dynamic == R(rows[i].friction_dynamic) && d.restitution == R(rows[i].restitution));
        assert_true(d.adhesion == (i == 3 ? 2 : 0));
    }
    assert_int_equal(pliant_model_contact_pair_at(w.model, 6).body.id, 0);
    assert_int_equal(pliant_model_contact_pair_count(NULL), 0);
    trial_end(&w);
}

/* What cannot be of two is refused, in words, and leaves the scene as it was. */
static void bad_pairs_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t    body, other, collider;
        bool        ignore;
        double      friction_static, friction_dynamic, restitution;
        const char *says;
    } rows[] = {{1, 9, 0, true, -1, -1, -1, "no body 9"},
                {0, 1, 0, true, -1, -1, -1, "no body 0"},
                {1, 0, 0, true, -1, -1, -1, "no body 0"},
                {1, 0, 2, true, -1, -1, -1, "no collider with id 2"},
                {1, 2, 1, true, -1, -1, -1, "not of three"},
                {2, 1, 0, false, 0.5, 0.5, -1, "contact pair 0 already"},
                {2, 0, 1, true, -1, -1, -1, "contact pair 1 already"},
                {2, 2, 0, false, -0.5, 0.5, -1, "friction_static"},
                {2, 2, 0, false, 0.5, -2, -1, "friction_dynamic"},
                {2, 2, 0, false, 0.5, 0.5, 1.5, "restitution"},
                {2, 2, 0, false, -1, -1, -1, "says nothing"},
                {2, 2, 0, true, 0.5, -1, -1, "ignores"}};
    trial w;
    trial_begin(&w, 0, 10, 1);
    for (int i = 0; i < 2; i++) add_jelly(&w, 1, 0.1, 0.01, vec(i, 0, 0), vec(0, 0, 0), false);
    pliant_scene_add_floor(w.scene, -1);
    say_ignored(&w, (pliant_body){1}, (pliant_body){2});
    pliant_contact_pair_def good = pliant_contact_pair_def_default();
    good.body.id = 2;
    good.collider.id = 1;
    good.restitution = R(0.5);
    assert_int_equal(pliant_scene_contact_pair(w.scene, &good, NULL), PLIANT_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pliant_contact_pair_def d = pliant_contact_pair_def_default();
        pliant_error            error = {.code = PLIANT_OK};
        d.body.id = rows[i].body;
        d.other.id = rows[i].other;
        d.collider.id = rows[i].collider;
        d.ignore = rows[i].ignore;
        d.friction_static = R(rows[i].friction_static);
        d.friction_dynamic = R(rows[i].friction_dynamic);
        d.restitution = R(rows[i].restitution);
        assert_int_equal(pliant_scene_contact_pair(w.scene, &d, &error), PLIANT_ERROR_ARGUMENT);
        if (!strstr(error.message, rows[i].says)) fail_msg("row %zu: \"%s\" and not \"%s\"", i, error.message, rows[i].says);
        assert_int_equal(w.scene->contact_pairs.count, 2);
    }
    static const struct {
        uint32_t    other, collider;
        bool        ignore;
        double      adhesion;
        const char *says;
    } sticky[] = {{2, 0, false, -1, "adhesion"}, {2, 0, true, 1, "ignores"}};
    for (size_t i = 0; i < sizeof sticky / sizeof *sticky; i++) {
        pliant_contact_pair_def d = pliant_contact_pair_def_default();
        pliant_error            error = {.code = PLIANT_OK};
        d.body.id = 1 + (sticky[i].other > 0);
        d.other.id = sticky[i].other;
        d.collider.id = sticky[i].collider;
        d.ignore = sticky[i].ignore;
        d.adhesion = R(sticky[i].adhesion);
        assert_int_equal(pliant_scene_contact_pair(w.scene, &d, &error), PLIANT_ERROR_ARGUMENT);
        if (!strstr(error.message, sticky[i].says)) fail_msg("row %zu: \"%s\" and not \"%s\"", i, error.message, sticky[i].says);
        assert_int_equal(w.scene->contact_pairs.count, 2);
    }
    pliant_scene_destroy(w.scene);
}

/* A body that meets others without a thickness is refused, in words. */
static void thickness_is_needed(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        trial            w;
        pliant_error     error;
        pliant_cloth_def d = pliant_cloth_def_default();
        trial_begin(&w, 0, 10, 1);
        d.cells_x = d.cells_z = 2;
        d.size_x = d.size_z = 1;
        d.body.self_contact = i == 0;
        d.body.contact_mask = i == 1;
        assert_int_equal(pliant_scene_add_cloth(w.scene, &d, &error).id, 0);
        assert_non_null(strstr(error.message, "thickness"));
        pliant_scene_destroy(w.scene);
    }
}

/* ---- the same bits ---- */

static void threads_and_solvers_do_not_matter(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t width, threads;
        bool     anew; /* the solver is thrown away after every step */
    } ways[] = {{1, 1, false}, {0, 2, false}, {4, 1, true}};
    static const pliant_contact_bound bounds[] = {PLIANT_CONTACT_BOUND_PATHS, PLIANT_CONTACT_BOUND_SPEED, PLIANT_CONTACT_BOUND_CONTINUOUS};
    for (size_t i = 0; i < 3 * SCENES; i++) {
        const struct scene *scene = &scenes[i / 3];
        uint64_t            hash = 0;
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            trial             w;
            pliant_solver_def def = pliant_solver_def_default();
            def.width = ways[k].width;
            def.threads = ways[k].threads;
            begin(&w, scene, bounds[i % 3]);
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

/* Two sheets that come together by 3 nm in a substep, after one of them was moved to and fro: as soon as they are near enough they are rows, however long it
 * takes. */
static void who_creeps_is_looked_at(void **unused)
{
    (void)unused;
    trial       w;
    pliant_vec3 home[4], x[4];
    trial_begin(&w, 0, 1, 1);
    for (int i = 0; i < 2; i++) {
        pliant_cloth_def d = pliant_cloth_def_default();
        d.cells_x = d.cells_z = 1;
        d.size_x = d.size_z = R(0.1);
        d.material = plain_material();
        d.material.thickness = R(0.01);
        d.body.contact_group = d.body.contact_mask = 1;
        d.body.placement.position = vec(0, i ? 0 : -0.0253, 0);
        assert_int_not_equal(pliant_scene_add_cloth(w.scene, &d, NULL).id, 0);
    }
    trial_compile(&w);
    pliant_state_positions(w.state, (pliant_body){2}, 0, 4, home);
    trial_run(&w, 1e-3, 1);
    uint32_t rows = 0, step = 0;
    for (; step < 150000 && !rows; step++) {
        const bool   shakes = step < 17;
        const double off = shakes ? 0.004 * (1 - step % 2) : 0, gap = 0.0253 - (shakes ? 0 : 3e-9 * (step - 17));
        for (int i = 0; i < 4; i++) x[i] = vec((double)home[i].x + off, gap - 0.0253, (double)home[i].z);
        pliant_state_set_positions(w.state, (pliant_body){2}, 0, 4, x);
        trial_run(&w, 1e-3, 1);
        rows = shakes ? 0 : pliant_solver_statistics(w.solver).pairs;
    }
    print_message("    rows after %u substeps\n", step);
    assert_in_range(step, 90000, 120000); /* 0.3 mm */
    trial_end(&w);
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
    begin(&w, &scenes[1], PLIANT_CONTACT_BOUND_PATHS);
    trial_run(&w, DT, 60);
    w.inputs->substeps = 1;
    for (uint32_t step = 0; step < 100; step++) {
        w.inputs->dt = DT / 10;
        assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_OK);
        const size_t some = list_coloured(&w.solver->pairs, now, COLOURED);
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

/* ---- none is missed ---- */

/* How far two parts are apart, in positions `x`. */
static double part_distance(const trial *w, const pliant_real *x, const uint32_t *slot, bool edges)
{
    pliant__pair_lanes at = {.edges = edges};
    pliant_real        apart[PLIANT__BLOCK];
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t i = 0; i < PLIANT__BLOCK; i++) at.slot[k][i] = slot[k];
    w->solver->backend.kernels->apart(&at, x, apart);
    return (double)apart[0];
}

static bool is_candidate(const pliant__pairs *p, uint32_t a, uint32_t b, bool edges)
{
    size_t low = edges ? p->corner_pairs : 0, high = edges ? p->pair.count : p->corner_pairs;
    while (low < high) {
        const size_t    middle = (low + high) / 2;
        const uint32_t *part = p->pair.data[middle].part;
        if (part[0] == a && part[1] == b) return true;
        if (part[0] < a || (part[0] == a && part[1] < b))
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Pairs of two kinds of parts that are near enough to be rows; each must be a candidate. */
static size_t count_near(const trial *w, enum pliant__part_kind a, enum pliant__part_kind b)
{
    const pliant__pairs *p = &w->solver->pairs;
    const pliant__parts *first = &p->parts[a], *second = &p->parts[b];
    const bool           edges = a == b;
    size_t               count = 0;
    for (uint32_t i = 0; i < first->count; i++)
        for (uint32_t k = edges ? i + 1 : 0; k < second->count; k++) {
            const uint32_t *q = first->slot + 3 * (size_t)i, *r = second->slot + 3 * (size_t)k,
                           slot[4] = {q[0], edges ? q[1] : r[0], edges ? r[0] : r[1], edges ? r[1] : r[2]};
            if (v3_length(v3_sub(pliant__slot_x(w->state->x, slot[0]), pliant__slot_x(w->state->x, slot[2]))) > R(0.15)) continue;
            if (slot[0] == slot[2] || slot[0] == slot[3] || slot[1] == slot[2] || slot[1] == slot[3]) continue;
            if (!edges && slot[0] == slot[1]) continue;
            double touch = (double)(w->model->bodies[first->body[i]].thickness + w->model->bodies[second->body[k]].thickness);
            if (first->body[i] == second->body[k]) touch = fmin(touch, part_distance(w, w->model->x, slot, edges));
            if (part_distance(w, w->state->x, slot, edges) > (double)PLIANT__PAIR_REACH * touch) continue;
            count++;
            if (!is_candidate(p, i, k, edges)) fail_msg("%s %u and %u are near, and no candidate", edges ? "edges" : "corner", i, k);
        }
    return count;
}

/* Whoever is near enough to be a row is a candidate, though most are kept from step to step and only some are found anew. */
static void none_is_missed(void **unused)
{
    (void)unused;
    trial    w;
    size_t   near = 0;
    uint64_t some = 0, all = 0;
    begin(&w, &scenes[1], PLIANT_CONTACT_BOUND_PATHS);
    for (uint32_t step = 0; step < 60; step++) {
        trial_run(&w, DT, 1);
        some += pliant_solver_statistics(w.solver).pair_partial_searches;
        all += pliant_solver_statistics(w.solver).pair_searches;
        assert_int_equal(pliant_solver_statistics(w.solver).pair_candidates, w.solver->pairs.pair.count);
        if (step % 6 == 5 && step > 20)
            near += count_near(&w, PLIANT__CORNERS, PLIANT__TRIANGLES) + count_near(&w, PLIANT__EDGES, PLIANT__EDGES);
    }
    print_message("    %zu near, %llu searches for some, %llu for all\n", near, (unsigned long long)some, (unsigned long long)all);
    assert_true(near > 1000 && some > 20);
    trial_end(&w);
}

/* Whether two parts could close most of their gap in the last substep, and came within three distances on their way. */
static bool came_near(const trial *w, const uint32_t *slot, bool edges, double touch)
{
    const pliant__pairs *p = &w->solver->pairs;
    pliant__pair_lanes   at = {.edges = edges};
    uint32_t             bits, far;
    for (uint32_t i = 0; i < PLIANT__BLOCK; i++) {
        for (uint32_t k = 0; k < 4; k++) at.slot[k][i] = slot[k];
        at.distance[i] = R(touch);
        at.wide[i] = PLIANT__PAIR_WIDE * at.distance[i];
    }
    w->solver->backend.kernels->passes(&at, p->begun, w->state->x, &bits, &far);
    if (!(touch > 0 && bits & far & 1)) return false;
    w->solver->state = w->state;
    const bool near = pliant__pair_meets(w->solver, slot, edges, 3 * touch).meets;
    w->solver->state = NULL;
    return near;
}

/* Pairs of two kinds of parts that came near a path that may be cut; each must be a candidate. */
static size_t count_beside_cuts(const trial *w, enum pliant__part_kind a, enum pliant__part_kind b)
{
    const pliant__pairs *p = &w->solver->pairs;
    const pliant__parts *first = &p->parts[a], *second = &p->parts[b];
    const bool           edges = a == b;
    size_t               count = 0;
    for (uint32_t i = 0; i < first->count; i++)
        for (uint32_t k = edges ? i + 1 : 0; k < second->count; k++) {
            const uint32_t part[2] = {i, k};
            uint32_t       slot[4];
            pliant__find_slots(p, part, edges, slot);
            if (!(p->bound[slot[0]] | p->bound[slot[1]] | p->bound[slot[2]] | p->bound[slot[3]])) continue;
            if (v3_length(v3_sub(pliant__slot_x(p->begun, slot[0]), pliant__slot_x(p->begun, slot[2]))) > R(0.25)) continue;
            if (first->body[i] == second->body[k]) continue;
            const double touch = (double)(w->model->bodies[first->body[i]].thickness + w->model->bodies[second->body[k]].thickness);
            if (!came_near(w, slot, edges, touch)) continue;
            count++;
            if (!is_candidate(p, i, k, edges)) fail_msg("%s %u and %u are near a cut, and no candidate", edges ? "edges" : "corner", i, k);
        }
    return count;
}

/* What comes within three distances of a path that is cut is a candidate, so that no barrier depends on boxes. */
static void what_comes_near_a_cut_is_a_candidate(void **unused)
{
    (void)unused;
    trial  w;
    size_t near = 0;
    begin(&w, &scenes[2], PLIANT_CONTACT_BOUND_PATHS);
    for (uint32_t step = 0; step < 12; step++) {
        trial_run(&w, DT, 1);
        if (w.solver->pairs.barrier.count)
            near += count_beside_cuts(&w, PLIANT__CORNERS, PLIANT__TRIANGLES) + count_beside_cuts(&w, PLIANT__EDGES, PLIANT__EDGES);
    }
    print_message("    %zu near a cut\n", near);
    assert_true(near > 100);
    trial_end(&w);
}

/* Candidates that a kernel says yes to, and that are not among those that were looked at and have a yes. */
static size_t count_unlisted(const trial *w, bool rows, size_t *asked)
{
    const pliant__kernels *k = w->solver->backend.kernels;
    pliant__pairs         *p = &w->solver->pairs;
    size_t                 unlisted = 0, next = 0, listed = 0;
    w->solver->state = w->state;
    assert_true(pliant__ask_near(w->solver, rows, true)); /* as boxes say, and so a kernel */
    w->solver->state = NULL;
    for (uint32_t i = 0; i < p->pair.count; i++) {
        pliant__pair_lanes at;
        uint32_t           bits, far;
        while (next < p->active.count && p->active.data[next] < i) next++;
        pliant__gather_pairs(p, &i, 1, pliant__are_edges(p, i), &at);
        (rows ? k->look : k->passes)(&at, p->begun, w->state->x, &bits, &far);
        *asked += bits & 1;
        listed += bits & 1 && next < p->active.count && p->active.data[next] == i;
        unlisted += bits & 1 && (next == p->active.count || p->active.data[next] != i);
    }
    assert_int_equal(listed, p->active.count); /* and nobody else has one */
    return unlisted;
}

/* Whoever may pass through another in a substep, or is a row, is among those who are looked at, though most candidates are not. */
static void who_may_pass_is_looked_at(void **unused)
{
    (void)unused;
    size_t unlisted = 0, passes = 0, rows = 0;
    for (size_t i = 0; i < SCENES; i++) {
        trial w;
        begin(&w, &scenes[i], PLIANT_CONTACT_BOUND_PATHS);
        w.inputs->substeps = 1;
        for (uint32_t step = 0; step < 10 * scenes[i].steps; step++) {
            w.inputs->dt = DT / 10;
            assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_OK);
            unlisted += count_unlisted(&w, false, &passes);
            unlisted += count_unlisted(&w, true, &rows);
        }
        trial_end(&w);
    }
    print_message("    %zu that may pass, %zu rows, %zu not listed\n", passes, rows, unlisted);
    assert_true(passes > 100 && rows > 1000);
    assert_int_equal(unlisted, 0);
}

/* ---- their order ---- */

/* How many candidates of a kind there are, each after the one before it by its parts. */
static size_t count_in_order(const pliant__pairs *p, bool edges, uint32_t *longest)
{
    const size_t first = edges ? p->corner_pairs : 0, end = edges ? p->pair.count : p->corner_pairs;
    uint32_t     run = 1;
    for (size_t i = first + 1; i < end; i++) {
        const uint32_t *a = p->pair.data[i - 1].part, *b = p->pair.data[i].part;
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
        corners += count_in_order(&w.solver->pairs, false, &longest);
        edges += count_in_order(&w.solver->pairs, true, &longest);
    }
    print_message("    %zu and %zu candidates, %u of one part, %u searches for some\n", corners, edges, longest, some);
    assert_true(edges > 12 * 32768 && longest > 16 && some > 3);
    trial_end(&w);
}

/* ---- the questions ---- */

#define SIXTEEN 16u

/* Numbers of few bits, so that sums of them are exact. */
static double few_bits(uint64_t *seed, double size) { return floor((chance(seed) - 0.5) * size * 4096) / 4096; }

/* Who is a row, and who might pass through whom, is the same whatever all do alike: candidates are sought in a frame that goes with them. */
static void common_motion_changes_no_answer(void **unused)
{
    (void)unused;
    static const double way[3] = {0.5, -0.25, 0.125};
    trial               w;
    uint64_t            seed = 7;
    uint32_t            rows = 0, barriers = 0;
    begin(&w, &scenes[0], PLIANT_CONTACT_BOUND_PATHS);
    const pliant__kernels *all[2] = {w.solver->backend.kernels, w.solver->backend.serial};
    for (uint32_t round = 0; round < 4000; round++) {
        static pliant_real begun[4 * 4 * SIXTEEN], x[4 * 4 * SIXTEEN], moved[4 * 4 * SIXTEEN];
        pliant__pair_lanes at = {.edges = round % 2};
        const double       size = 0.01 * (1 + round % 5), step = 0.01 * (round % 7);
        for (uint32_t i = 0; i < 4 * SIXTEEN; i++)
            for (uint32_t k = 0; k < 3; k++) {
                begun[4 * i + k] = R(few_bits(&seed, size));
                x[4 * i + k] = R((double)begun[4 * i + k] + few_bits(&seed, step));
                moved[4 * i + k] = R((double)x[4 * i + k] + way[k]);
            }
        for (uint32_t i = 0; i < SIXTEEN; i++) {
            for (uint32_t k = 0; k < 4; k++) at.slot[k][i] = 4 * i + k;
            at.distance[i] = R(0.002);
            at.loose[i] = R(0.001);
        }
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t row[2], passes[2], far[4];
            all[k]->look(&at, begun, x, &row[0], &far[0]);
            all[k]->look(&at, begun, moved, &row[1], &far[1]);
            all[k]->passes(&at, begun, x, &passes[0], &far[2]);
            all[k]->passes(&at, begun, moved, &passes[1], &far[3]);
            assert_int_equal(row[0], row[1]);
            assert_int_equal(far[0], far[1]);
            assert_int_equal(passes[0], passes[1]);
            rows += row[0] != 0;
            barriers += passes[0] != 0;
        }
    }
    assert_true(rows > 1000 && barriers > 1000 && rows < 8000);
    trial_end(&w);
}

/* What a search leaves out is nobody's row and passes through nobody, as long as both are within their margins of where they were foreseen to be, when a
 * substep begins and when it ends. */
static void who_is_left_out_is_not_near(void **unused)
{
    (void)unused;
    trial    w;
    uint64_t seed = 11;
    uint32_t asked = 0, left_out = 0;
    begin(&w, &scenes[0], PLIANT_CONTACT_BOUND_PATHS);
    const pliant__kernels *all[2] = {w.solver->backend.kernels, w.solver->backend.serial};
    for (uint32_t round = 0; round < 20000; round++) {
        static pliant_real ref[4 * 4 * SIXTEEN], way[4 * 4 * SIXTEEN], begun[4 * 4 * SIXTEEN], x[4 * 4 * SIXTEEN];
        pliant__pair_lanes at = {.edges = round % 2};
        const uint32_t     substeps = 1 + round % 10, substep = round / 10 % substeps;
        const double       h = 0.0025, size = 0.004 * (1 + round % 3), speed = 2.5 * chance(&seed), margin = 0.0005, t = substep * h;
        for (uint32_t i = 0; i < 4 * SIXTEEN; i++) {
            double off[2][3], length[2] = {0, 0};
            for (uint32_t k = 0; k < 3; k++) {
                ref[4 * i + k] = R(few_bits(&seed, size));
                way[4 * i + k] = R(few_bits(&seed, speed));
                for (uint32_t end = 0; end < 2; end++) {
                    off[end][k] = chance(&seed) - 0.5;
                    length[end] += off[end][k] * off[end][k];
                }
            }
            for (uint32_t k = 0; k < 3; k++) {
                const double foreseen = (double)ref[4 * i + k] + t * (double)way[4 * i + k];
                begun[4 * i + k] = R(foreseen + 0.99 * margin * off[0][k] / sqrt(length[0]));
                x[4 * i + k] = R(foreseen + h * (double)way[4 * i + k] + 0.99 * margin * off[1][k] / sqrt(length[1]));
            }
        }
        for (uint32_t i = 0; i < SIXTEEN; i++) {
            for (uint32_t k = 0; k < 4; k++) at.slot[k][i] = 4 * i + k;
            at.distance[i] = R(4 * margin);
            at.loose[i] = R(2 * margin);
            at.wide[i] = PLIANT__PAIR_WIDE * at.distance[i];
        }
        for (uint32_t k = 0; k < 2; k++) {
            pliant_real apart[SIXTEEN];
            uint32_t    near, row, passes, far;
            (all[k]->near)(&at, ref, way, R(substeps * h), R(h), apart, &near);
            all[k]->look(&at, begun, x, &row, &far);
            all[k]->passes(&at, begun, x, &passes, &far);
            assert_int_equal((row | passes) & ~near, 0);
            asked += (uint32_t)__builtin_popcount(row | passes);
            left_out += SIXTEEN - (uint32_t)__builtin_popcount(near);
        }
    }
    print_message("    %u rows or barriers, %u left out, of %u\n", asked, left_out, 2 * 20000 * SIXTEEN);
    assert_true(asked > 10000 && left_out > 10000);
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
    begin(&w, &scenes[3], PLIANT_CONTACT_BOUND_PATHS);
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
    for (int i = 0; i < 40 && !w.solver->pairs.rows.count; i++) trial_run(&w, DT / 10, 1);
    assert_true(w.solver->pairs.rows.count > 0);
    array_free(&w.solver->allocator, &w.solver->pairs.rows); /* candidates are there, and only their rows find no room */
    is_full = true;
    pliant_inputs_reset(w.inputs, 1e-6);
    assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_ERROR_MEMORY);
    is_full = false;
    pliant_inputs_reset(w.inputs, 1e-6);
    assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_OK);
    trial_end(&w);
}

/* ---- the tree ---- */

/* What it finds is what comparing all boxes finds, whenever it was ordered. */
static void tree_finds_all(void **unused)
{
    (void)unused;
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 8, 9, 33, 257, 700};
    pliant_allocator      a = {0};
    uint64_t              seed = 7;
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        const uint32_t        count = counts[n];
        pliant__box          *box = malloc(count * sizeof *box);
        uint8_t              *seen = malloc((size_t)count * count);
        pliant__box_tree      tree;
        pliant__element_pairs found = {0};
        assert_non_null(box);
        assert_non_null(seen);
        assert_true(pliant__tree_create(&a, count, 4, &tree));
        for (int round = 0; round < 4; round++) {
            for (uint32_t i = 0; i < count; i++) {
                box[i] = box_of_nothing();
                const pliant_vec3 at = vec(chance(&seed), chance(&seed), round == 3 ? 0 : chance(&seed));
                box_add(&box[i], at);
                box_add(&box[i], v3_add(at, vec(0.2 * chance(&seed), 0.2 * chance(&seed), 0.2 * chance(&seed))));
            }
            pliant__tree_fit(&tree, box);
            assert_true(pliant__tree_pairs(&a, &tree, box, SIZE_MAX, &found));
            memset(seen, 0, (size_t)count * count);
            for (size_t i = 0; i < found.count; i++) {
                assert_true(found.data[i].a < found.data[i].b);
                assert_int_equal(seen[(size_t)found.data[i].a * count + found.data[i].b]++, 0);
            }
            for (uint32_t i = 0; i < count; i++)
                for (uint32_t k = i + 1; k < count; k++) assert_int_equal(seen[(size_t)i * count + k], boxes_meet(&box[i], &box[k]));
        }
        pliant__tree_destroy(&a, &tree);
        array_free(&a, &found);
        free(box);
        free(seen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_crosses),
        cmocka_unit_test(nothing_crosses_where_it_meets),
        cmocka_unit_test(who_slides_past_is_not_held),
        cmocka_unit_test(otherwise_they_cross),
        cmocka_unit_test(moderate_speed_does_not_pass),
        cmocka_unit_test(velocities_stay_within_margins),
        cmocka_unit_test(who_meets_nobody_is_not_limited),
        cmocka_unit_test(saved_models_know_their_bound),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(particles_bounce),
        cmocka_unit_test(rest_distances_are_let_be),
        cmocka_unit_test(slabs_on_a_slope),
        cmocka_unit_test(edges_do_not_brake),
        cmocka_unit_test(what_holds_on_carries_a_weight),
        cmocka_unit_test(what_holds_on_has_friction),
        cmocka_unit_test(what_holds_on_keeps_momentum),
        cmocka_unit_test(ropes_roll_on_bodies),
        cmocka_unit_test(masks_choose),
        cmocka_unit_test(rows_are_there_before_constraints_need_them),
        cmocka_unit_test(what_is_a_row_early_is_not_drawn),
        cmocka_unit_test(a_body_ignores_itself),
        cmocka_unit_test(pairs_are_in_the_model),
        cmocka_unit_test(bad_pairs_are_refused),
        cmocka_unit_test(thickness_is_needed),
        cmocka_unit_test(threads_and_solvers_do_not_matter),
        cmocka_unit_test(rows_keep_their_colours),
        cmocka_unit_test(none_is_missed),
        cmocka_unit_test(what_comes_near_a_cut_is_a_candidate),
        cmocka_unit_test(who_may_pass_is_looked_at),
        cmocka_unit_test(who_creeps_is_looked_at),
        cmocka_unit_test(candidates_are_in_order),
        cmocka_unit_test(common_motion_changes_no_answer),
        cmocka_unit_test(who_is_left_out_is_not_near),
        cmocka_unit_test(solver_without_memory),
        cmocka_unit_test(room_for_pairs),
        cmocka_unit_test(tree_finds_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
