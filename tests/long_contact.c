/* Contacts in the large: in every frame of each of these scenes no two triangles cross, nobody passes through a ball that is shot at them, and what comes
 * to rest is nearly at rest in the end. And for long: blocks lie and slide on an incline as Coulomb has it. */
#include "crossings.h"
#include "trial.h"

#include "compile/model.h"
#include "step/solver.h"

#define DT (1.0 / 60)

static pliant_material sheet_material(double thickness)
{
    pliant_material m = plain_material();
    m.density = R(0.3);
    m.thickness = R(thickness);
    m.friction_static = R(0.4);
    m.friction_dynamic = R(0.3);
    m.bend.compliance = R(1);
    m.drag = R(0.5);
    return m;
}

static pliant_body add_sheet(trial *w, uint32_t cells_x, uint32_t cells_z, double size_x, double size_z, const pliant_material *m,
                             pliant_vec3 at)
{
    pliant_cloth_def d = pliant_cloth_def_default();
    d.cells_x = cells_x;
    d.cells_z = cells_z;
    d.size_x = R(size_x);
    d.size_z = R(size_z);
    d.material = *m;
    d.body.placement.position = at;
    d.body.self_contact = true;
    d.body.contact_mask = 1;
    const pliant_body body = pliant_scene_add_cloth(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

static pliant_collider add_sphere(trial *w, double radius, pliant_vec3 at)
{
    pliant_collider_def d = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    d.radius = R(radius);
    d.pose.position = at;
    d.friction_static = R(0.5);
    d.friction_dynamic = R(0.4);
    return add_collider(w, &d);
}

static void add_floor(trial *w)
{
    const pliant_collider_def floor = plane_def(0, 0.5, 0.4, 0);
    add_collider(w, &floor);
}

/* ---- scenes ---- */

typedef struct scene {
    const char *name;
    void (*build)(trial *w);
    void (*move)(trial *w, double time);
    uint32_t substeps, frames;
    double   rests; /* m/s, which the mean speed in the end is below; 0: it does not rest */
} scene;

static void falls_in_sheets(trial *w)
{
    const pliant_material m = sheet_material(0.004);
    for (int i = 0; i < 5; i++) add_sheet(w, 49, 49, 1, 1, &m, vec(0.011 * i, 0.62 + 0.02 * i, 0.007 * i));
    add_sphere(w, 0.3, vec(0, 0.3, 0));
    add_floor(w);
}

#define STRIP_X 16u
#define STRIP_Z 80u
#define STRIP_WIDTH 0.2
#define STRIP_LENGTH 1.0
static pliant_body twisted;

static void is_twisted(trial *w)
{
    pliant_material m = sheet_material(0.0015);
    uint32_t        ends[2 * (STRIP_X + 1)];
    m.stretch.compliance = m.shear.compliance = R(1e-4);
    m.damping = 2;
    twisted = add_sheet(w, STRIP_X, STRIP_Z, STRIP_WIDTH, STRIP_LENGTH, &m, vec(0, 0, 0));
    for (uint32_t i = 0; i <= STRIP_X; i++) {
        ends[i] = i;
        ends[STRIP_X + 1 + i] = STRIP_Z * (STRIP_X + 1) + i;
    }
    assert_int_equal(pliant_scene_attach(w->scene, twisted, ends, 2 * (STRIP_X + 1)), PLIANT_OK);
}

/* Three turns of each end in six seconds, while they come nearer to each other by a quarter. */
static void twist(trial *w, double time)
{
    const double share = time < 6 ? time / 6 : 1, half = STRIP_LENGTH / 2 * (1 - 0.25 * share);
    pliant_vec3  at[2 * (STRIP_X + 1)];
    for (uint32_t i = 0; i <= STRIP_X; i++) {
        const double x = STRIP_WIDTH * (i / (double)STRIP_X - 0.5), angle = 6 * TEST_PI * share;
        at[i] = vec(x * cos(angle), x * sin(angle), -half);
        at[STRIP_X + 1 + i] = vec(x * cos(angle), -x * sin(angle), half);
    }
    assert_int_equal(pliant_inputs_targets(w->inputs, twisted, at, sizeof *at), PLIANT_OK);
}

#define BALL 0.1 /* m, its radius */
static pliant_collider ball;

static void is_shot(trial *w)
{
    const pliant_material m = sheet_material(0.005);
    for (int i = 0; i < 3; i++) {
        const pliant_body sheet = add_sheet(w, 20, 20, 1, 1, &m, vec(0, -0.03 * i, 0));
        const uint32_t    corner[4] = {0, 20, 20 * 21, 21 * 21 - 1};
        assert_int_equal(pliant_scene_pin(w->scene, sheet, corner, 4, false, NULL), PLIANT_OK);
    }
    ball = add_sphere(w, BALL, vec(0, 0.6, 0));
}

/* At 20 m/s to where it pushes the sheets down by 0.3 m, and there it stays. */
static void shoot(trial *w, double time)
{
    const pliant_pose pose = {vec(0, fmax(0.6 - 20 * time, -0.2), 0), {0, 0, 0, 1}};
    assert_int_equal(pliant_inputs_collider(w->inputs, ball, &pose), PLIANT_OK);
}

static pliant_collider lid;

static void is_squeezed(trial *w)
{
    const pliant_material m = sheet_material(0.004);
    pliant_cloth_def      d = pliant_cloth_def_default();
    d.cells_x = d.cells_z = 40;
    d.size_x = d.size_z = R(0.8);
    d.material = m;
    d.body.placement.position = vec(0, 0.45, 0);
    d.body.placement.rotation = (pliant_quat){R(0.6), R(0.2), R(0.1), R(0.768)};
    d.body.self_contact = true;
    assert_int_not_equal(pliant_scene_add_cloth(w->scene, &d, NULL).id, 0);
    add_floor(w);
    pliant_collider_def above = plane_def(0, 0.5, 0.4, 0);
    above.pose.position = vec(0, 1, 0);
    above.pose.rotation = (pliant_quat){1, 0, 0, 0};
    lid = add_collider(w, &above);
}

/* Down to 30 mm above the floor from the second second to the fourth, and up again. */
static void squeeze(trial *w, double time)
{
    const double      share = time < 2 ? 0 : time < 4 ? (time - 2) / 2 : time < 4.5 ? 1 : time < 5.5 ? 5.5 - time : 0;
    const pliant_pose pose = {vec(0, 1 - 0.97 * share, 0), {1, 0, 0, 0}};
    assert_int_equal(pliant_inputs_collider(w->inputs, lid, &pose), PLIANT_OK);
}

static const scene scenes[] = {{"a strip twisted through six turns", is_twisted, twist, 10, 420, 0},
                               {"a ball at 20 m/s into three sheets", is_shot, shoot, 10, 60, 0},
                               {"a sheet between closing planes", is_squeezed, squeeze, 10, 600, 5e-3},
                               {"five sheets on a sphere", falls_in_sheets, NULL, 10, 90, 0}};

/* ---- laws ---- */

static size_t crossings_now(const trial *w)
{
    const pliant_model *m = w->model;
    const size_t        slots = m->header->slot_count;
    double             *x = malloc(3 * slots * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < slots; i++)
        for (size_t k = 0; k < 3; k++) x[3 * i + k] = (double)w->state->x[4 * i + k];
    const size_t found = crossings(x, m->elements, model_count(m, element_body), NULL, 0);
    free(x);
    return found;
}

static double mean_speed(const trial *w)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < w->model->header->slot_count; i++) {
        const pliant_real *v = w->state->v + 4 * i;
        if (w->state->x[4 * i + 3] == 0) continue;
        sum += sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2]);
        count++;
    }
    return sum / count;
}

/* All sheets lie below the ball. (Between them and it particles may be pressed into it: it does not yield.) */
static void none_passed(const trial *w, const scene *s, uint32_t frame)
{
    const pliant_pose pose = pliant_state_collider_pose(w->state, ball);
    for (size_t i = 0; i < w->model->header->slot_count; i++) {
        const pliant_real *x = w->state->x + 4 * i;
        const double       aside[3] = {(double)x[0] - (double)pose.position.x, 0, (double)x[2] - (double)pose.position.z};
        if (x[3] > 0 && length3(aside) < BALL / 2 && x[1] > pose.position.y)
            fail_msg("%s: a particle is %g m above the ball's centre after frame %u", s->name, (double)(x[1] - pose.position.y), frame);
    }
}

static void run_scene(const scene *s)
{
    trial    w;
    uint32_t met = 0;
    trial_begin(&w, 9.81, s->substeps, 1);
    s->build(&w);
    trial_compile(&w);
    for (uint32_t frame = 1; frame <= s->frames; frame++) {
        pliant_inputs_reset(w.inputs, DT);
        if (s->move) s->move(&w, frame * DT);
        trial_step(&w);
        met += pliant_solver_statistics(w.solver).pair_contacts;
        const size_t found = crossings_now(&w);
        if (found) fail_msg("%s: %zu pairs of triangles cross after frame %u", s->name, found, frame);
        if (s->move == shoot) none_passed(&w, s, frame);
    }
    if (!met) fail_msg("%s: nobody met", s->name);
    if (s->rests > 0 && !(mean_speed(&w) < s->rests)) fail_msg("%s: %g m/s on average in the end", s->name, mean_speed(&w));
    trial_end(&w);
}

static void nothing_crosses_anything(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) run_scene(&scenes[i]);
}

/* ---- blocks on an incline ---- */

#define BLOCK 0.3    /* m, along the slope and across; a third as high */
#define BLOCK_H 0.01 /* m, its thickness */
#define INCLINE 10.0 /* m, of the slab that is fixed */

typedef enum ground { ON_A_PLANE, ON_A_SLAB } ground;

static pliant_soft_def block_def(double length, double width, double mu, uint32_t cells)
{
    pliant_soft_def d = pliant_soft_def_default();
    d.cells[0] = cells;
    d.cells[1] = 1;
    d.cells[2] = 3;
    d.extent = vec(length, BLOCK / 3, width);
    d.material = plain_material();
    d.material.density = 300;
    d.material.thickness = R(BLOCK_H);
    d.material.friction_static = d.material.friction_dynamic = R(mu);
    d.body.contact_mask = 1;
    return d;
}

/* How far a block of jelly comes along an incline of `slope` radians in so many frames. The incline lies flat, and gravity is turned. */
static double block_goes(ground what, double mu, double slope, uint32_t frames)
{
    trial  w;
    double x[3], gone = 0;
    trial_begin(&w, 0, 20, 1);
    pliant_scene_destroy(w.scene);
    w.def.gravity = vec(9.81 * sin(slope), -9.81 * cos(slope), 0);
    trial_begin_def(&w);
    pliant_soft_def block = block_def(BLOCK, BLOCK, mu, 3);
    block.body.placement.position = vec(0, BLOCK / 6 + (what == ON_A_PLANE ? 1 : 2) * BLOCK_H, 0);
    const pliant_body body = pliant_scene_add_soft(w.scene, &block, NULL);
    assert_int_not_equal(body.id, 0);
    if (what == ON_A_PLANE) {
        const pliant_collider_def plane = plane_def(0, mu, mu, 0);
        add_collider(&w, &plane);
    } else {
        pliant_soft_def slab = block_def(INCLINE, 1, mu, 20);
        slab.body.fixed = true;
        slab.body.placement.position = vec(INCLINE / 2 - 1, -BLOCK / 6, 0);
        assert_int_not_equal(pliant_scene_add_soft(w.scene, &slab, NULL).id, 0);
    }
    trial_compile(&w);
    const uint32_t vertices = vertex_count(&w, body);
    for (uint32_t v = 0; v < vertices; v++) {
        point_of(&w, body, v, x);
        gone -= x[0] / vertices;
    }
    trial_run(&w, DT, frames);
    for (uint32_t v = 0; v < vertices; v++) {
        point_of(&w, body, v, x);
        gone += x[0] / vertices;
        assert_true(x[1] > 0);
    }
    trial_end(&w);
    return gone;
}

static double slid(double mu, double slope, double seconds) { return 9.81 * (sin(slope) - mu * cos(slope)) * seconds * seconds / 2; }

/* Coulomb's law, on a collider and on another body: where tan of the slope is 1 % below mu a block stays for ten seconds, where it is 1 % above it
 * slides, and where it slides its acceleration is g (sin - mu cos). */
static void blocks_on_an_incline(void **unused)
{
    (void)unused;
    static const double friction[] = {0.3, 0.6};
    for (ground what = ON_A_PLANE; what <= ON_A_SLAB; what++)
        for (size_t f = 0; f < 2; f++) {
            const double mu = friction[f], below = atan(0.99 * mu), above = atan(1.01 * mu), steep = atan(1.5 * mu);
            near(block_goes(what, mu, below, 600), 0, 1e-3);
            assert_true(block_goes(what, mu, above, 600) > slid(mu, above, 10) / 2);
            near(block_goes(what, mu, steep, 60), slid(mu, steep, 1), 0.02 * slid(mu, steep, 1));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_on_an_incline), cmocka_unit_test(nothing_crosses_anything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
