/* The scenes of the benchmark of frames. Each cloth is a grid, or the same sheet as a mesh of triangles in no order, of six distances per particle:
 * edges and diagonals are rigid, distances across edges, which resist bending, have one compliance. No tethers, and nothing sleeps. */
#include "frames.h"

#include <stdlib.h>

#define SHEET 1.0     /* m */
#define CAPE 0.9      /* m */
#define TOWEL 1.5     /* m */
#define APART 3.0     /* m, from one cape to the next */
#define BEND 0.1      /* m/N */
#define DENSITY 0.15  /* kg/m^2 */
#define SHOULDERS 1.5 /* m, how high the top row of a cape is */

enum { ACROSS = 20, KEYS = 5 }; /* capes in a row of them; of what moves, over two seconds */

static const double      key_times[KEYS] = {0, 0.5, 1, 1.5, 2};
static const pliant_real key_steps[KEYS] = {0, (pliant_real)0.3, 0, (pliant_real)-0.3, 0}; /* m along z */

static pliant_vec3 at(double x, double y, double z) { return (pliant_vec3){(pliant_real)x, (pliant_real)y, (pliant_real)z}; }

/* ---- cloths ---- */

static pliant_cloth_def cloth_of(const frames_scene *f, double size, double thickness)
{
    pliant_cloth_def d = pliant_cloth_def_default();
    d.cells_x = d.cells_z = f->side - 1;
    d.size_x = d.size_z = (pliant_real)size;
    d.bend = PLIANT_BEND_DISTANCE;
    d.material.density = (pliant_real)DENSITY;
    d.material.bend.compliance = (pliant_real)BEND;
    d.material.has_bend = true;
    d.material.thickness = (pliant_real)(f->thickness > 0 ? f->thickness : thickness);
    d.body.self_contact = f->self_contact;
    return d;
}

/* Adds it as a grid, or lays a mesh of it where the grid's vertices are; `place` then gets where each of them is in the mesh. */
static pliant_body add_cloth(pliant_scene *scene, const frames_scene *f, pliant_cloth_def *d, uint32_t **place)
{
    pliant_error error = {0};
    bench_mesh   m = {0};
    if (f->mesh) {
        m = bench_sheet(f->side);
        if (!m.positions) stop(&(pliant_error){.message = "out of memory"});
        for (size_t i = 0; i < m.vertex_count; i++) { /* from upright, 2 m wide, y = 0 down */
            const pliant_vec3 x = m.positions[i];
            m.positions[i] = (pliant_vec3){x.x * d->size_x / 2, 0, (-1 - x.y) * d->size_z / 2};
        }
        d->mesh = pliant_mesh_view_of(m.positions, sizeof *m.positions, m.vertex_count, m.corners, m.element_count);
    }
    const pliant_body body = pliant_scene_add_cloth(scene, d, &error);
    if (!body.id) stop(&error);
    if (f->mesh && !*place) {
        *place = m.place;
        m.place = NULL;
    }
    bench_mesh_free(&m);
    return body;
}

static void add_collider(pliant_scene *scene, pliant_collider_def *d)
{
    pliant_error error = {0};
    d->friction_static = d->friction_dynamic = (pliant_real)0.5;
    if (!pliant_scene_add_collider(scene, d, &error).id) stop(&error);
}

static void add_ball_and_floor(pliant_scene *scene, double radius, pliant_vec3 centre)
{
    pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE), floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    ball.radius = (pliant_real)radius;
    ball.pose.position = centre;
    add_collider(scene, &ball);
    add_collider(scene, &floor);
}

static void add_sheet(pliant_scene *scene, const frames_scene *f, uint32_t **place)
{
    pliant_cloth_def d = cloth_of(f, SHEET, 0.005);
    d.body.placement.position = at(0, 0.6, 0);
    add_cloth(scene, f, &d, place);
    add_ball_and_floor(scene, 0.25, at(0.02, 0.3, 0.03));
}

/* Turned a little, beside the middle of the ball, and damped, so that it falls into folds and lies in them. */
static void add_fold(pliant_scene *scene, const frames_scene *f, uint32_t **place)
{
    pliant_cloth_def d = cloth_of(f, SHEET, 0.2 * SHEET / (f->side - 1));
    d.material.friction_static = d.material.friction_dynamic = (pliant_real)0.4;
    d.material.damping = 1;
    d.material.drag = (pliant_real)0.3;
    d.body.placement.position = at(0, 0.45, 0);
    d.body.placement.rotation = (pliant_quat){0, (pliant_real)0.17364818, 0, (pliant_real)0.98480775};
    add_cloth(scene, f, &d, place);
    add_ball_and_floor(scene, 0.1, at(0.03, 0.3, 0.02));
}

static void add_towel(pliant_scene *scene, const frames_scene *f, uint32_t **place)
{
    pliant_cloth_def d = cloth_of(f, TOWEL, 0.005);
    d.body.placement.position = at(0, 0.7, 0);
    d.body.placement.rotation = (pliant_quat){0, (pliant_real)0.17364818, 0, (pliant_real)0.98480775};
    add_cloth(scene, f, &d, place);
    add_ball_and_floor(scene, 0.2, at(0.05, 0.4, 0.03));
}

/* ---- capes ---- */

/* The top row goes to and fro with the shoulders. */
static void hang(pliant_scene *scene, pliant_body body, uint32_t side, const uint32_t *place, double x, double z)
{
    pliant_error error = {0};
    uint32_t    *row = malloc(side * sizeof *row);
    pliant_vec3 *to = malloc(KEYS * side * sizeof *to);
    if (!row || !to) stop(&(pliant_error){.message = "out of memory"});
    for (uint32_t i = 0; i < side; i++) {
        row[i] = place ? place[i] : i;
        for (uint32_t k = 0; k < KEYS; k++)
            to[k * side + i] = at(x + CAPE * i / (side - 1) - CAPE / 2, SHOULDERS, z + (double)key_steps[k]);
    }
    if (pliant_scene_attach(scene, body, row, side, &error) != PLIANT_OK ||
        pliant_scene_key_targets(scene, body, 0, side, key_times, KEYS, to, &error) != PLIANT_OK)
        stop(&error);
    free(row);
    free(to);
}

/* A trunk, two arms and two legs, which step. */
static void add_figure(pliant_scene *scene, double x, double z)
{
    static const struct part {
        double x, y, radius, half_height, swing; /* m; swing: how much further than the shoulders it goes */
    } parts[FRAMES_CAPSULES] = {{0, 1.2, 0.13, 0.2, 0},
                                {-0.27, 1.15, 0.06, 0.22, 0.1},
                                {0.27, 1.15, 0.06, 0.22, -0.1},
                                {-0.11, 0.65, 0.08, 0.3, -0.2},
                                {0.11, 0.65, 0.08, 0.3, 0.2}};
    for (int i = 0; i < FRAMES_CAPSULES; i++) {
        pliant_collider_def d = pliant_collider_def_default(PLIANT_SHAPE_CAPSULE);
        pliant_pose         poses[KEYS];
        for (int k = 0; k < KEYS; k++) {
            poses[k] = pliant_pose_identity();
            poses[k].position = at(x + parts[i].x, parts[i].y, z + (double)key_steps[k] + parts[i].swing * (k % 2 ? k - 2 : 0));
        }
        d.radius = (pliant_real)parts[i].radius;
        d.half_height = (pliant_real)parts[i].half_height;
        d.key_times = key_times;
        d.key_poses = poses;
        d.key_count = KEYS;
        add_collider(scene, &d);
    }
}

static void add_capes(pliant_scene *scene, const frames_scene *f, uint32_t **place)
{
    for (uint32_t i = 0; i < f->capes; i++) {
        pliant_cloth_def d = cloth_of(f, CAPE, 0.005);
        const double     x = APART * (i % ACROSS), z = APART * (i / ACROSS);
        d.body.placement.position = at(x, SHOULDERS - CAPE / 2, z - 0.15);
        d.body.placement.rotation = (pliant_quat){(pliant_real)0.70710678118654752, 0, 0, (pliant_real)0.70710678118654752};
        const pliant_body body = add_cloth(scene, f, &d, place);
        hang(scene, body, f->side, *place, x, z - 0.15);
        add_figure(scene, x, z);
    }
}

/* ---- a scene ---- */

frames_subject frames_make(const frames_scene *f, uint32_t states)
{
    static void (*const add[])(pliant_scene *, const frames_scene *, uint32_t **) = {
        [FRAMES_SHEET] = add_sheet, [FRAMES_CAPES] = add_capes, [FRAMES_FOLD] = add_fold, [FRAMES_TOWEL] = add_towel};
    pliant_error     error = {0};
    pliant_scene_def d = pliant_scene_def_default();
    const double     size = f->kind == FRAMES_CAPES ? CAPE : f->kind == FRAMES_TOWEL ? TOWEL : SHEET;
    bench_subject    s = {.side = f->side, .gathers = f->mesh, .dt = 1.0 / 60, .sweeps = BENCH_SUBSTEPS, .states = states};
    d.substeps = BENCH_SUBSTEPS;
    pliant_scene *scene = pliant_scene_create(&d, &error);
    if (!scene) stop(&error);
    add[f->kind](scene, f, &s.place);
    s.model = pliant_scene_compile(scene, &error);
    pliant_scene_destroy(scene);
    if (!s.model) stop(&error);
    s.constraints = pliant_model_constraint_count(s.model, PLIANT_CONSTRAINT_COUNT);
    return (frames_subject){s, size / (f->side - 1), f->self_contact};
}
