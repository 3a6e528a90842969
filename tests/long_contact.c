/* Contacts in the large: in every frame of each of these scenes no two triangles cross, no body passes through a ball that is shot at it, and what
 * comes to rest is nearly at rest in the end. And for long: blocks lie and slide on an incline as Coulomb has it, a knot holds, a house of cards
 * stands, a funnel lets all through and none out, and legs that walk do not get through a dress. Five seconds after the last input these, and five
 * hundred jellies in a box, lie still. */
#include "crossings.h"
#include "scene_files.h"
#include "trial.h"

#include "compile/model.h"
#include "solver/solver.h"

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
    assert_int_equal(pliant_scene_attach(w->scene, twisted, ends, 2 * (STRIP_X + 1), NULL), PLIANT_OK);
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

static void run_scene(const scene *s, pliant_contact_bound bound)
{
    trial    w;
    uint32_t met = 0;
    trial_begin(&w, 9.81, s->substeps, 1);
    pliant_scene_destroy(w.scene);
    w.def.contact_bound = bound;
    trial_begin_def(&w);
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
    if (!met) fail_msg("%s: nothing met", s->name);
    if (s->rests > 0 && !(mean_speed(&w) < s->rests)) fail_msg("%s: %g m/s on average in the end", s->name, mean_speed(&w));
    trial_end(&w);
}

static void nothing_crosses_anything(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) run_scene(&scenes[i], PLIANT_CONTACT_BOUND_PATHS);
}

static void nothing_crosses_where_paths_are_cut_as_they_meet(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) run_scene(&scenes[i], PLIANT_CONTACT_BOUND_CONTINUOUS);
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
    d.material.young = 0; /* rigid */
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
            for (uint32_t seconds = 1; seconds <= 2; seconds++)
                near(block_goes(what, mu, steep, 60 * seconds), slid(mu, steep, seconds), 0.02 * slid(mu, steep, seconds));
        }
}

/* ---- scenes of scenes/ ---- */

typedef enum sleep_of { AS_SAID, AWAKE } sleep_of;

static void trial_of_file(trial *w, const char *name, sleep_of sleep)
{
    const scene_file which = {.name = name};
    memset(w, 0, sizeof *w);
    w->model = scene_file_model(&which, NULL);
    if (sleep == AWAKE) ((pliant__model_header *)w->model->owned)->sleep_speed = 0;
    w->state = pliant_state_create(w->model, NULL);
    w->solver = pliant_solver_create(w->model, NULL, NULL);
    w->inputs = pliant_inputs_create(w->model, NULL);
    assert_true(w->state && w->solver && w->inputs);
    assert_int_equal(pliant_inputs_reset(w->inputs, DT), PLIANT_OK);
}

/* Positions of a frame before, and how far those that are free went since then, the farthest of all, in thicknesses of their bodies. */
typedef struct jitter {
    pliant_real *was;
    double       most;
} jitter;

static void look_for_jitter(const trial *w, jitter *j)
{
    const size_t size = 4 * (size_t)w->model->header->slot_count * sizeof *j->was;
    for (size_t b = 0; b < model_count(w->model, bodies) && j->was; b++) {
        const pliant__model_body *body = &w->model->bodies[b];
        for (size_t i = body->first_slot; i < body->first_slot + body->slot_count; i++) {
            const pliant_real *x = w->state->x + 4 * i, *y = j->was + 4 * i;
            const double       went[3] = {(double)x[0] - (double)y[0], (double)x[1] - (double)y[1], (double)x[2] - (double)y[2]};
            if (x[3] > 0) j->most = fmax(j->most, length3(went) / (double)body->thickness);
        }
    }
    if (!j->was) j->was = malloc(size);
    assert_non_null(j->was);
    memcpy(j->was, w->state->x, size);
}

#define HALF 30u /* frames, half a second */

/* Called for all frames up to `last`: in the last half second of these nothing goes further from frame to frame than a ten thousandth of its thickness, and at
 * the end the mean speed is below a millimetre a second. */
static void watch_rest(const trial *w, jitter *j, const char *name, uint32_t frame, uint32_t last)
{
    if (frame + HALF >= last) look_for_jitter(w, j);
    if (frame < last) return;
    free(j->was);
    if (!(j->most < 1e-4)) fail_msg("%s: a particle goes %g of its thickness in a frame", name, j->most);
    if (!(mean_speed(w) < 1e-3)) fail_msg("%s: %g m/s on average", name, mean_speed(w));
}

/* ---- a knot ---- */

#define MOST_VERTICES 256u
#define MOST_CROSSINGS 64u

/* Two stretches of a rope that cross as seen from above: where along it, in vertices. */
typedef struct crossing {
    double over, under;
} crossing;

static bool cross_from_above(const double (*x)[3], uint32_t i, uint32_t j, crossing *out)
{
    const double a[2] = {x[i + 1][0] - x[i][0], x[i + 1][2] - x[i][2]}, b[2] = {x[j + 1][0] - x[j][0], x[j + 1][2] - x[j][2]};
    const double c[2] = {x[j][0] - x[i][0], x[j][2] - x[i][2]}, area = a[0] * b[1] - a[1] * b[0];
    const double s = (c[0] * b[1] - c[1] * b[0]) / area, t = (c[0] * a[1] - c[1] * a[0]) / area;
    if (area == 0 || s < 0 || s >= 1 || t < 0 || t >= 1) return false;
    const bool first_over = x[i][1] + s * (x[i + 1][1] - x[i][1]) > x[j][1] + t * (x[j + 1][1] - x[j][1]);
    *out = first_over ? (crossing){i + s, j + t} : (crossing){j + t, i + s};
    return true;
}

static uint32_t arc_at(const crossing *found, uint32_t count, double place)
{
    uint32_t arc = 0;
    for (uint32_t i = 0; i < count; i++) arc += found[i].under < place;
    return arc % count; /* the last one goes on, far away, as the first */
}

/* The determinant of the knot in a rope with ends that go on straight to both sides for ever: 1 without a knot, 3 with an overhand knot. No motion
 * changes it that leads no part of the rope through another, and leaves the ends the outermost. From a colouring (Fox): twice an arc that goes over
 * is the sum of the two that it parts. */
static double knot_determinant(const double (*x)[3], uint32_t count)
{
    static crossing found[MOST_CROSSINGS];
    static double   m[MOST_CROSSINGS][MOST_CROSSINGS];
    uint32_t        n = 0;
    double          det = 1;
    for (uint32_t i = 0; i + 1 < count; i++)
        for (uint32_t j = i + 2; j + 1 < count; j++)
            if (cross_from_above(x, i, j, &found[n])) assert_true(++n < MOST_CROSSINGS);
    memset(m, 0, sizeof m);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t before = arc_at(found, n, found[i].under);
        m[i][arc_at(found, n, found[i].over)] += 2;
        m[i][before] -= 1;
        m[i][(before + 1) % n] -= 1;
    }
    for (uint32_t k = 0; k + 1 < n; k++) { /* of all rows and columns but the last */
        uint32_t best = k;
        for (uint32_t i = k; i + 1 < n; i++)
            if (fabs(m[i][k]) > fabs(m[best][k])) best = i;
        for (uint32_t j = 0; j + 1 < n; j++) {
            const double swapped = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = swapped;
        }
        det *= m[k][k];
        for (uint32_t i = k + 1; i + 1 < n && m[k][k] != 0; i++) {
            const double share = m[i][k] / m[k][k];
            for (uint32_t j = k; j + 1 < n; j++) m[i][j] -= share * m[k][j];
        }
    }
    return fabs(det);
}

/* Of two segments; from the ends of each to the other, and where both are crossed by the line between them. */
static double segments_apart(const double a[3], const double b[3], const double c[3], const double d[3])
{
    const double *end[4] = {a, b, c, d};
    double        ab[3], cd[3], ac[3], least = HUGE_VAL, n[3];
    for (int k = 0; k < 3; k++) ab[k] = b[k] - a[k], cd[k] = d[k] - c[k], ac[k] = c[k] - a[k];
    for (int e = 0; e < 4; e++) {
        const double *from = e < 2 ? c : a, *along = e < 2 ? cd : ab;
        double        r[3];
        for (int k = 0; k < 3; k++) r[k] = end[e][k] - from[k];
        const double t = fmin(fmax(dot3(r, along) / dot3(along, along), 0), 1);
        for (int k = 0; k < 3; k++) r[k] -= t * along[k];
        least = fmin(least, length3(r));
    }
    cross3(ab, cd, n);
    if (length3(n) > 0) {
        double u[3], v[3];
        cross3(ac, cd, u);
        cross3(ac, ab, v);
        const double s = dot3(u, n) / dot3(n, n), t = dot3(v, n) / dot3(n, n);
        if (s > 0 && s < 1 && t > 0 && t < 1) least = fabs(dot3(ac, n)) / length3(n);
    }
    return least;
}

#define KNOT_THICK 0.01 /* m, as scenes/knot.json says */

/* A rope is pulled tight and held, with sleep and without: its knot stays a knot, and no part comes nearer to another than nine tenths of what it is thick.
 * Five seconds after the last pull it is at rest. */
static void knot_is_pulled(sleep_of sleep)
{
    static double x[MOST_VERTICES][3];
    trial         w;
    jitter        j = {NULL, 0};
    double        least = HUGE_VAL;
    trial_of_file(&w, "knot", sleep);
    const uint32_t count = pliant_model_body(w.model, (pliant_body){1}).vertex_count;
    assert_true(count <= MOST_VERTICES);
    for (uint32_t frame = 0; frame <= 420; frame++) {
        if (frame) trial_step(&w);
        for (uint32_t v = 0; v < count; v++) point_of(&w, (pliant_body){1}, v, x[v]);
        near(knot_determinant((const double(*)[3])x, count), 3, 1e-6);
        for (uint32_t i = 0; i + 1 < count; i++)
            for (uint32_t k = i + 3; k + 1 < count; k++) least = fmin(least, segments_apart(x[i], x[i + 1], x[k], x[k + 1]));
        if (sleep == AS_SAID) watch_rest(&w, &j, "knot", frame, 420);
    }
    assert_true(least > 0.9 * 2 * KNOT_THICK);
    assert_true(mean_speed(&w) < 1e-3);
    trial_end(&w);
}

static void knot_holds(void **unused)
{
    (void)unused;
    static const double none[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 1, -1}, {1, 1, 1}}; /* a crossing, and no knot */
    near(knot_determinant(none, 4), 1, 0);
    knot_is_pulled(AS_SAID);
    knot_is_pulled(AWAKE);
}

/* ---- others ---- */

/* Of motion and height, J. */
static double energy_of(const trial *w)
{
    double sum = 0;
    for (size_t i = 0; i < w->model->header->slot_count; i++) {
        const pliant_real *v = w->state->v + 4 * i;
        const double       inverse = (double)w->model->free_w[i], at[3] = {(double)v[0], (double)v[1], (double)v[2]};
        if (inverse > 0) sum += (dot3(at, at) / 2 + 9.81 * (double)w->state->x[4 * i + 1]) / inverse;
    }
    return sum;
}

/* Seven cards stand on each other by friction alone, and not by sleep: for so long none of their corners moves by more than a centimetre, and no two
 * cross. With sleep they lie still. */
static void cards_are_left(sleep_of sleep, uint32_t frames)
{
    trial  w;
    jitter j = {NULL, 0};
    double far = 0;
    trial_of_file(&w, "cards", sleep);
    for (uint32_t frame = 1; frame <= frames; frame++) {
        trial_step(&w);
        assert_int_equal(crossings_now(&w), 0);
        if (sleep == AS_SAID) watch_rest(&w, &j, "cards", frame, frames);
    }
    for (size_t i = 0; i < w.model->header->slot_count; i++) {
        double moved[3];
        for (size_t k = 0; k < 3; k++) moved[k] = (double)w.state->x[4 * i + k] - (double)w.model->x[4 * i + k];
        far = fmax(far, length3(moved));
    }
    near(far, 0, 0.01);
    assert_true(mean_speed(&w) < 1e-3);
    trial_end(&w);
}

static void cards_stand(void **unused)
{
    (void)unused;
    cards_are_left(AWAKE, 600);
    cards_are_left(AS_SAID, 300);
}

/* Where the walls of the funnel and of the bowl in scenes/funnel.json are: height and radius, upwards. */
static double wall_at(double y)
{
    static const double wall[][2] = {{0.01, 0.02}, {0.03, 0.15}, {0.09, 0.27}, {0.2, 0.36},  {0.36, 0.4}, {0.499, 0.4},
                                     {0.5, 0.08},  {0.6, 0.095}, {0.78, 0.22}, {0.96, 0.34}, {3, 0.34}};
    for (size_t i = 1; i < sizeof wall / sizeof *wall; i++)
        if (y < wall[i][0])
            return wall[i - 1][1] + (wall[i][1] - wall[i - 1][1]) * fmax(y - wall[i - 1][0], 0) / (wall[i][0] - wall[i - 1][0]);
    return 0;
}

/* Particles poured into a funnel stay within its walls, runs through it into the bowl, never has more energy than at the start, and comes to rest. */
static void funnel_holds(void **unused)
{
    (void)unused;
    trial  w;
    jitter j = {NULL, 0};
    trial_of_file(&w, "funnel", AS_SAID);
    const double energy = energy_of(&w);
    for (uint32_t frame = 1; frame <= 300; frame++) {
        trial_step(&w);
        assert_true(energy_of(&w) < energy + 1e-3);
        for (size_t i = 0; i < w.model->header->slot_count; i++) {
            const pliant_real *x = w.state->x + 4 * i;
            const double       y = (double)x[1], r = hypot((double)x[0], (double)x[2]);
            if (x[3] == 0) continue;
            if (!(y > 0.01 && r < wall_at(y)))
                fail_msg("frame %u: a particle at a height of %g m and a radius of %g m is outside", frame, y, r);
            if (frame == 300) assert_true(y < 0.3);
        }
        watch_rest(&w, &j, "funnel", frame, 300);
    }
    trial_end(&w);
}

#define BOX 0.55 /* m, from the middle of the box in scenes/jellies.json to its walls */

/* Five hundred jellies fall into a box: in no frame do two of their triangles cross, none gets out, they never have more energy than at the start, and
 * after six seconds they are at rest. */
static void jellies_come_to_rest(void **unused)
{
    (void)unused;
    trial  w;
    jitter j = {NULL, 0};
    trial_of_file(&w, "jellies", AS_SAID);
    const double energy = energy_of(&w);
    for (uint32_t frame = 1; frame <= 360; frame++) {
        trial_step(&w);
        const size_t found = crossings_now(&w);
        if (found) fail_msg("%zu pairs of triangles cross after frame %u", found, frame);
        assert_true(energy_of(&w) < energy);
        for (size_t i = 0; i < w.model->header->slot_count; i++) {
            const pliant_real *x = w.state->x + 4 * i;
            if (x[3] > 0 && !((double)x[1] > 0 && fmax(fabs((double)x[0]), fabs((double)x[2])) < BOX))
                fail_msg("frame %u: a particle at %g %g %g m is outside", frame, (double)x[0], (double)x[1], (double)x[2]);
        }
        watch_rest(&w, &j, "jellies", frame, 360);
    }
    trial_end(&w);
}

/* A sheet is pressed and let go: in no frame do two of its triangles cross, and five seconds after the lid has stopped it lies there. */
static void press_lets_go(void **unused)
{
    (void)unused;
    trial  w;
    jitter j = {NULL, 0};
    trial_of_file(&w, "press", AS_SAID);
    for (uint32_t frame = 1; frame <= 432; frame++) {
        trial_step(&w);
        const size_t found = crossings_now(&w);
        if (found) fail_msg("%zu pairs of triangles cross after frame %u", found, frame);
        if (frame == 85) /* pressed */
            for (size_t i = 0; i < w.model->header->slot_count; i++) assert_true(w.state->x[4 * i + 1] < R(0.04));
        watch_rest(&w, &j, "press", frame, 432);
    }
    trial_end(&w);
}

/* Of the pairs of triangles that cross, those that a body has a part in: all, less those of the triangles of others. */
static size_t crossings_of(const trial *w, pliant_body body)
{
    const pliant__model_body *b = &w->model->bodies[body.id - 1];
    const size_t              slots = w->model->header->slot_count, count = model_count(w->model, element_body);
    const uint32_t           *all = w->model->elements;
    uint32_t                 *others = malloc(3 * count * sizeof *others);
    double                   *x = malloc(3 * slots * sizeof *x);
    size_t                    other_count = 0;
    assert_true(others && x);
    for (size_t i = 0; i < slots; i++)
        for (size_t k = 0; k < 3; k++) x[3 * i + k] = (double)w->state->x[4 * i + k];
    for (size_t t = 0; t < count; t++)
        if (all[3 * t] < b->first_slot || all[3 * t] >= b->first_slot + b->slot_count)
            memcpy(others + 3 * other_count++, all + 3 * t, 3 * sizeof *all);
    assert_true(other_count > 0 && other_count < count);
    const size_t found = crossings(x, all, count, NULL, 0) - crossings(x, others, other_count, NULL, 0);
    free(others);
    free(x);
    return found;
}

/* Legs, keyed triangles that swing at up to 2 m/s, push a dress: nowhere do they get through it, or it through itself. (Legs and trunk overlap each
 * other.) */
static void dress_is_not_pierced(void **unused)
{
    (void)unused;
    trial    w;
    uint32_t met = 0;
    trial_of_file(&w, "dress", AS_SAID);
    for (uint32_t frame = 1; frame <= 180; frame++) {
        trial_step(&w);
        met += pliant_solver_statistics(w.solver).pair_contacts;
        const size_t found = crossings_of(&w, (pliant_body){2});
        if (found) fail_msg("%zu pairs of triangles cross after frame %u", found, frame);
    }
    assert_true(met > 500); /* 1,074, in float64 839 */
    trial_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_on_an_incline),
                                       cmocka_unit_test(knot_holds),
                                       cmocka_unit_test(cards_stand),
                                       cmocka_unit_test(funnel_holds),
                                       cmocka_unit_test(jellies_come_to_rest),
                                       cmocka_unit_test(press_lets_go),
                                       cmocka_unit_test(dress_is_not_pierced),
                                       cmocka_unit_test(nothing_crosses_anything),
                                       cmocka_unit_test(nothing_crosses_where_paths_are_cut_as_they_meet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
