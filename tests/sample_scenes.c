/* See sample_scenes.h. */
#include "sample_scenes.h"

#include "base/hash.h"
#include "base/vec.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <cmocka.h>

/* ---- memory ---- */

static void *tally_alloc(size_t bytes, size_t align, void *context)
{
    tally *t = context;
    t->calls++;
    if (!t->left) return NULL;
    t->left--;
    t->live++;
    return aligned_alloc(align, bytes);
}

static void tally_release(void *memory, void *context)
{
    ((tally *)context)->live--;
    free(memory);
}

pliant_allocator tally_allocator(tally *t)
{
    *t = (tally){SIZE_MAX, 0, 0};
    return (pliant_allocator){tally_alloc, tally_release, t, NULL};
}

/* ---- users' constraints ---- */

static void user_distance(const pliant_vec3 *x, uint32_t particle_count, uint32_t row_count, uint64_t tag, pliant_real *C,
                          pliant_vec3 *gradient, void *context)
{
    (void)particle_count, (void)row_count, (void)context;
    pliant_vec3 d = v3_sub(x[0], x[1]);
    pliant_real l = v3_length(d);
    C[0] = l - R(tag) / 1024;
    gradient[0] = l > 0 ? v3_scale(d, 1 / l) : v3(0, 0, 0);
    gradient[1] = v3_scale(gradient[0], -1);
}

static void user_frame(const pliant_vec3 *x, uint32_t particle_count, uint32_t row_count, uint64_t tag, pliant_real *C,
                       pliant_vec3 *gradient, void *context)
{
    (void)tag, (void)context;
    const pliant_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (uint32_t r = 0; r < row_count; r++) {
        uint32_t pair = r / 3;
        C[r] = v3_dot(axes[r % 3], v3_sub(x[pair], x[pair + 1])) + (r % 3 ? 0 : R(0.25));
        gradient[r * particle_count + pair] = axes[r % 3];
        gradient[r * particle_count + pair + 1] = v3_scale(axes[r % 3], -1);
    }
}

static void user_walls(const pliant_vec3 *x, uint32_t particle_count, uint32_t row_count, uint64_t tag, pliant_real *C,
                       pliant_vec3 *gradient, void *context)
{
    (void)context;
    C[0] = x[0].y - R(tag) / 1024;
    gradient[0] = v3(0, 1, 0);
    if (row_count > 1) {
        C[1] = x[0].x;
        gradient[particle_count] = v3(1, 0, 0);
    }
}

pliant_solver_def sample_solver_def(void)
{
    pliant_solver_def def = pliant_solver_def_default();
    def.user[SAMPLE_DISTANCE] = user_distance;
    def.user[SAMPLE_FRAME] = user_frame;
    def.user[SAMPLE_WALLS] = user_walls;
    return def;
}

/* ---- scenes ---- */

static pliant_scene *start(const pliant_allocator *allocator, pliant_scene_def def)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    if (allocator) def.allocator = *allocator;
    pliant_scene *scene = pliant_scene_create(&def, &error);
    assert_non_null(scene);
    return scene;
}

static pliant_law law_of(double compliance, double damping, double stiffness)
{
    pliant_law law = pliant_law_default();
    law.compliance = R(compliance);
    law.damping = R(damping);
    law.stiffness = R(stiffness);
    return law;
}

static pliant_law limited(pliant_law law, pliant_limit limit, double low, double high)
{
    law.limited = true;
    law.limit = limit;
    law.range_min = R(low);
    law.range_max = R(high);
    return law;
}

static void add_collider(pliant_scene *scene, const char *name, pliant_shape shape, double size, pliant_vec3 at, double restitution)
{
    pliant_collider_def def = pliant_collider_def_default(shape);
    strcpy(def.name, name);
    def.radius = R(size);
    def.half_height = R(2 * size);
    def.half_extent = v3(R(size), R(size / 2), R(size));
    def.pose.position = at;
    def.restitution = R(restitution);
    def.thickness = R(0.005);
    assert_int_not_equal(pliant_scene_add_collider(scene, &def, NULL).id, 0);
}

static void add_keyed_sphere(pliant_scene *scene)
{
    const double        times[3] = {0, 0.0625, 0.25};
    pliant_pose         poses[3] = {pliant_pose_identity(), pliant_pose_identity(), pliant_pose_identity()};
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    strcpy(def.name, "keyed");
    poses[0].position = v3(R(-1.5), 1, 0);
    poses[1].position = v3(0, R(0.75), 0);
    poses[2].position = v3(1, R(0.5), 0);
    def.radius = R(0.3);
    def.pose = poses[0];
    def.key_times = times;
    def.key_poses = poses;
    def.key_count = 3;
    assert_int_not_equal(pliant_scene_add_collider(scene, &def, NULL).id, 0);
}

static void add_force(pliant_scene *scene, pliant_force_type type, pliant_body body, pliant_vec3 vector)
{
    pliant_force_def def = pliant_force_def_default(type);
    def.body = body;
    def.vector = vector;
    assert_true(pliant_scene_add_force(scene, &def, NULL).id);
}

/* A cloth that hangs by a pin for ever, releasable pins, hard and soft targets and tethers, in wind, among all four shapes. */
static pliant_scene *build_curtain_in(const pliant_allocator *allocator, pliant_integration integration)
{
    const uint32_t    anchor = 0, pins[2] = {36, 20}, hard[2] = {8, 28}, soft[2] = {500, 520};
    const double      times[2] = {0, 0.25};
    const pliant_vec3 keys[4] = {{R(-0.5), 1, 0}, {R(0.5), 1, 0}, {R(-0.5), R(1.5), 0}, {R(0.5), R(1.25), R(0.25)}};
    const pliant_law  spring = law_of(1e-3, 20, 1);
    pliant_scene_def  settings = pliant_scene_def_default();
    settings.substeps = 4;
    settings.iterations = 2;
    settings.damping = R(0.2);
    settings.drag = R(0.1);
    settings.integration = integration;
    pliant_scene    *scene = start(allocator, settings);
    pliant_cloth_def def = pliant_cloth_def_default();
    strcpy(def.body.name, "curtain");
    def.cells_x = 36;
    def.cells_z = 30;
    def.size_x = R(1.8);
    def.size_z = R(1.5);
    def.body.placement.position.y = 1;
    def.tether = R(1.05);
    def.material.density = R(0.2);
    def.material.stretch = law_of(1e-6, 10, 1);
    def.material.shear = limited(law_of(0, 0, 1), PLIANT_RANGE, 0.9, 1.1);
    def.material.bend = law_of(0, 0, 0.3);
    def.material.area = limited(law_of(0, 0, 0.8), PLIANT_RANGE, 0.8, 1.2);
    def.material.has_area = true;
    def.material.thickness = R(0.01);
    def.material.friction_static = R(0.5);
    def.material.friction_dynamic = R(0.4);
    def.material.damping = 2;
    pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    assert_int_equal(pliant_scene_pin(scene, body, &anchor, 1, false, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_pin(scene, body, pins, 2, true, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_attach(scene, body, hard, 2, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_attach_soft(scene, body, soft, 2, &spring, NULL, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_key_targets(scene, body, 2, 2, times, 2, keys, NULL), PLIANT_OK);
    add_collider(scene, "floor", PLIANT_SHAPE_PLANE, 1, v3(0, R(0.8), 0), 0);
    add_keyed_sphere(scene);
    add_collider(scene, "capsule", PLIANT_SHAPE_CAPSULE, 0.1, v3(R(0.4), R(0.7), R(0.5)), 0.5);
    add_collider(scene, "box", PLIANT_SHAPE_BOX, 0.3, v3(R(-0.4), R(0.85), R(-0.4)), 0);
    add_force(scene, PLIANT_FORCE_WIND, body, v3(3, 1, R(0.5)));
    add_force(scene, PLIANT_FORCE_ACCELERATION, (pliant_body){0}, v3(0, 0, R(0.5)));
    add_force(scene, PLIANT_FORCE_BODY, body, v3(0, R(0.25), 0));
    return scene;
}

static pliant_scene *build_curtain(const pliant_allocator *allocator)
{
    return build_curtain_in(allocator, PLIANT_INTEGRATION_FIRST_ORDER);
}
static pliant_scene *build_curtain_bdf2(const pliant_allocator *allocator) { return build_curtain_in(allocator, PLIANT_INTEGRATION_BDF2); }

static uint32_t law_with_role(const pliant_model *model, const char *role)
{
    for (uint32_t i = 0; i < pliant_model_law_count(model); i++)
        if (!strcmp(pliant_model_law(model, i).role, role)) return i;
    fail_msg("no law of role %s", role);
    return 0;
}

static void drive_curtain(const pliant_model *model, pliant_inputs *inputs, pliant_state *state, uint32_t frame)
{
    const pliant_body body = {1};
    const pliant_real step = R(frame) / 64;
    pliant_vec3       targets[4] = {{R(-0.5), 1 + step, R(-0.75)}, {R(0.5), 1 + step, R(-0.75)}, {R(-0.5), 1, step}, {R(0.5), 1, -step}};
    pliant_pose       pose = {{R(0.375), R(0.75) + 2 * step, R(0.5)}, {step, 0, 8 * step, 1}};
    pliant_law        law = pliant_model_law(model, law_with_role(model, "stretch")).law;
    unsigned          bad = 0;
    if (frame % 2) bad |= pliant_inputs_targets(inputs, body, targets, sizeof *targets);
    bad |= pliant_inputs_collider(inputs, pliant_model_find_collider(model, "capsule"), &pose);
    if (frame >= 2 && frame <= 4) bad |= pliant_inputs_grab(inputs, body, 1000, v3(0, R(1.5), 1), R(0.0009765625));
    if (frame == 2) bad |= pliant_inputs_force(inputs, (pliant_force){1}, v3(0, 8, 0));
    if (frame == 3) bad |= pliant_state_set_pinned(state, body, 36, false) | pliant_state_set_pinned(state, body, 8, false);
    if (frame == 3) bad |= pliant_state_set_active(state, (pliant_constraint){100}, false);
    if (frame == 4) bad |= pliant_state_set_velocities(state, body, 700, 4, targets);
    if (frame == 5) bad |= pliant_inputs_substeps(inputs, 3, 4) | pliant_inputs_gravity(inputs, v3(1, -8, 0));
    law.compliance = R(0.0000152587890625);
    if (frame == 5) bad |= pliant_inputs_law(inputs, law_with_role(model, "stretch"), &law);
    if (frame == 6) bad |= pliant_state_set_pinned(state, body, 36, true) | pliant_state_set_pinned(state, body, 8, true);
    assert_int_equal(bad, 0);
}

enum { GARMENT_X = 20, GARMENT_Z = 15, GARMENT = (GARMENT_X + 1) * (GARMENT_Z + 1) };

/* Where the animated mesh that a garment follows is: a sheet that rises and shears, as exact numbers. */
static pliant_vec3 garment_at(uint32_t vertex, uint32_t frame)
{
    const pliant_real x = R(vertex % (GARMENT_X + 1)) / 16, z = R(vertex / (GARMENT_X + 1)) / 16, step = R(frame) / 64;
    return v3(x + z * step, 1 + x * step / 2, z);
}

static pliant_body add_garment(pliant_scene *scene, const char *name, pliant_skin_def *skin)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    strcpy(def.body.name, name);
    def.cells_x = GARMENT_X;
    def.cells_z = GARMENT_Z;
    def.size_x = R(GARMENT_X) / 16;
    def.size_z = R(GARMENT_Z) / 16;
    def.body.placement.position = v3(def.size_x / 2, 1, def.size_z / 2);
    def.material = pliant_material_preset(PLIANT_COTTON);
    pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    assert_int_equal(pliant_scene_skin(scene, body, skin, NULL), PLIANT_OK);
    return body;
}

/* A cloth with vertices that may leave an animated sheet by more and more from one side to the other, with keys; and one of which some vertices have
 * targets that inputs move, all the same. Both with backstops, above a floor. */
static pliant_scene *build_garment_in(const pliant_allocator *allocator, pliant_integration integration)
{
    static pliant_real most[GARMENT];
    static pliant_vec3 keys[2 * GARMENT];
    const double       times[2] = {0, 0.125};
    const uint32_t     listed[5] = {30, 31, 51, 52, 200};
    pliant_scene_def   settings = pliant_scene_def_default();
    settings.substeps = 3;
    settings.iterations = 2;
    settings.integration = integration;
    pliant_scene   *scene = start(allocator, settings);
    pliant_skin_def whole = pliant_skin_def_default(), some = whole;
    for (uint32_t v = 0; v < GARMENT; v++) {
        most[v] = R(v % (GARMENT_X + 1)) / 128; /* 0: attached */
        keys[v] = garment_at(v, 0);
        keys[GARMENT + v] = garment_at(v, 8);
    }
    whole.max_distance_of = most;
    whole.backstop_radius = 1;
    whole.backstop_offset = R(0.015625);
    pliant_body body = add_garment(scene, "whole", &whole);
    assert_int_equal(pliant_scene_key_skin(scene, body, times, 2, keys, NULL), PLIANT_OK);
    some.vertices = listed;
    some.vertex_count = 5;
    some.max_distance = R(0.03125);
    some.backstop_radius = R(0.25);
    add_garment(scene, "some", &some);
    add_collider(scene, "floor", PLIANT_SHAPE_PLANE, 1, v3(0, R(0.9), 0), 0);
    return scene;
}

static pliant_scene *build_garment(const pliant_allocator *allocator)
{
    return build_garment_in(allocator, PLIANT_INTEGRATION_FIRST_ORDER);
}
static pliant_scene *build_garment_bdf2(const pliant_allocator *allocator) { return build_garment_in(allocator, PLIANT_INTEGRATION_BDF2); }

static void drive_garment(const pliant_model *model, pliant_inputs *inputs, pliant_state *state, uint32_t frame)
{
    const pliant_real    step = R(frame) / 64;
    const pliant_pose    there = {{2, R(0.25), 0}, {0, 3, 0, 4}}, below = {{0, R(0.5), 0}, {0, 0, 0, 1}};
    const pliant_inertia felt = {R(0.5), R(0.75), R(0.25)};
    pliant_vec3          at[5], normals[5];
    unsigned             bad = 0;
    (void)model;
    assert_int_equal(pliant_state_skin(state, (pliant_body){2}, 0, 5, at, NULL), PLIANT_OK);
    for (int i = 0; i < 5; i++) {
        at[i] = v3(at[i].x + R(0.015625), at[i].y, at[i].z - R(0.0078125));
        normals[i] = v3(step, 1, i == 4 ? 1 : 0);
    }
    if (frame) bad |= pliant_inputs_skin(inputs, (pliant_body){2}, at, sizeof *at, frame % 2 ? normals : NULL, sizeof *normals);
    if (frame == 3) bad |= pliant_state_set_pinned(state, (pliant_body){1}, 0, false);
    if (frame == 5) bad |= pliant_state_set_pinned(state, (pliant_body){1}, 0, true);
    if (frame == 4) bad |= pliant_inputs_teleport(inputs, (pliant_body){2}, &there);
    if (frame == 6) bad |= pliant_inputs_teleport_collider(inputs, (pliant_collider){1}, &below);
    if (frame != 2) bad |= pliant_inputs_frame(inputs, (pliant_body){2}, &below, &there, felt);
    assert_int_equal(bad, 0);
}

/* A spinning soft body with a visual surface that falls into a moving box, and bounces. */
static pliant_scene *build_jelly(const pliant_allocator *allocator)
{
    const pliant_vec3 skin[4] = {{R(-0.2), R(-0.2), R(-0.2)}, {R(0.25), 0, 0}, {0, R(0.25), 0}, {0, 0, R(0.3)}};
    const uint32_t    faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    pliant_scene_def  settings = pliant_scene_def_default();
    settings.substeps = 3;
    settings.iterations = 3;
    pliant_scene   *scene = start(allocator, settings);
    pliant_soft_def def = pliant_soft_def_default();
    strcpy(def.body.name, "jelly");
    def.cells[0] = def.cells[1] = 6;
    def.cells[2] = 7;
    def.extent = v3(R(0.5), R(0.5), R(0.6));
    def.body.placement.position.y = R(0.45);
    def.body.placement.rotation = (pliant_quat){R(0.1), 0, R(0.2), R(0.9)};
    def.body.spin = v3(1, 5, 0);
    def.body.velocity = v3(R(0.5), -2, 0);
    def.material.density = 1000;
    def.material.stretch = law_of(1e-5, 0, 1);
    def.material.volume = law_of(0, 0, 0.7);
    def.material.damping = R(0.5);
    def.material.thickness = R(0.01);
    def.visual = pliant_mesh_view_of(skin, sizeof *skin, 4, faces, 4);
    assert_int_not_equal(pliant_scene_add_soft(scene, &def, NULL).id, 0);
    add_collider(scene, "floor", PLIANT_SHAPE_PLANE, 1, v3(0, 0, 0), 0.6);
    add_collider(scene, "capsule", PLIANT_SHAPE_CAPSULE, 0.1, v3(R(0.2), R(0.1), 0), 0.3);
    add_collider(scene, "box", PLIANT_SHAPE_BOX, 0.4, v3(R(-0.3), 0, 0), 0);
    return scene;
}

static void drive_jelly(const pliant_model *model, pliant_inputs *inputs, pliant_state *state, uint32_t frame)
{
    const pliant_real step = R(frame) / 64;
    const pliant_pose pose = {{R(-0.25), step, 0}, {0, 4 * step, step, 1}};
    (void)state;
    assert_int_equal(pliant_inputs_collider(inputs, pliant_model_find_collider(model, "box"), &pose), PLIANT_OK);
}

bool solid_parameters(pliant_constraint_kind kind, double edge, pliant_real *parameters)
{
    const pliant_constraint_info *info = pliant_constraint_describe(kind);
    pliant_real                   x[PLIANT_MAX_SLOTS][3] = {{0}};
    if (!(info->flags & PLIANT_ROW_SHAPED) || info->rows == 1) return false;
    for (int k = 0; k < 3; k++) x[k + 1][k] = R(edge);
    assert_int_equal(pliant_constraint_measure(kind, (const pliant_real(*)[3])x, parameters), PLIANT_OK);
    return true;
}

/* One constraint of a kind between the particles of a 4 x 4 x 4 lattice, with the law of a variant; nothing where the two do not go
 * together. */
static void add_variant(pliant_scene *scene, pliant_body body, pliant_constraint_kind kind, uint32_t variant, uint32_t first)
{
    const pliant_constraint_info *info = pliant_constraint_describe(kind);
    const uint32_t                near[PLIANT_MAX_SLOTS] = {0, 1, 4, 16, 5, 17, 20, 21};
    const pliant_law              laws[8] = {
                     law_of(0, 0, 1),
                     law_of(1e-4 * (1 + first), 0, 1),
                     law_of(1e-3, 5, 1),
                     law_of(0, 0, 0.25 + first / 128.0),
                     limited(law_of(0, 0, 1), PLIANT_AT_MOST, 1, 1),
                     limited(law_of(1e-4, 1, 1), PLIANT_AT_LEAST, 1, 1),
                     limited(law_of(0, 0, 0.5), PLIANT_RANGE, 0.95, 1.05),
                     limited(law_of(1e-5, 0, 1), PLIANT_RANGE, 0.9, 1),
    };
    pliant_constraint_def def = pliant_constraint_def_default(kind);
    for (int i = 0; i < PLIANT_MAX_PARAMETERS; i++) def.parameters[i] = R(0.125);
    if (solid_parameters(kind, 0.25, def.parameters)) first = first % 3 + first / 3 % 3 * 4 + first / 9 % 3 * 16; /* a cube's corner */
    for (uint32_t s = 0; s < info->slots; s++) def.particles[s] = (pliant_particle){body, (first + near[s]) % 64};
    def.measure = (info->flags & PLIANT_ROW_MEASURED) != 0;
    def.law = laws[variant];
    if (def.law.limited && (info->rows > 1 || (def.law.limit == PLIANT_RANGE && !(info->flags & PLIANT_ROW_RATIO)))) return;
    if (kind == PLIANT_CONSTRAINT_ATTACHMENT && variant == 0 && first % 2) return; /* all of them rigid would crush everything */
    assert_int_not_equal(pliant_scene_add_constraint(scene, &def, NULL).id, 0);
}

static pliant_body add_lattice(pliant_scene *scene)
{
    pliant_vec3          x[64];
    pliant_real          w[64];
    uint32_t             random = 1;
    pliant_particles_def def = pliant_particles_def_default();
    for (uint32_t i = 0; i < 64; i++) {
        pliant_real shift[3];
        for (int c = 0; c < 3; c++) shift[c] = R((random = random * 1664525u + 1013904223u) >> 24) / 2048;
        x[i] = v3(R(i % 4) / 4 + shift[0], R(i / 4 % 4) / 4 + shift[1] + R(0.125), R(i / 16) / 4 + shift[2]);
        w[i] = i == 60 ? 0 : 1 + R(i % 5) / 4;
    }
    strcpy(def.body.name, "lattice");
    def.positions = x;
    def.inverse_masses = w;
    def.count = 64;
    def.material.thickness = R(0.02);
    def.material.damping = 1;
    return pliant_scene_add_particles(scene, &def, NULL);
}

/* A hub held by 300 threads: more than there are colours. */
static void add_star(pliant_scene *scene)
{
    pliant_vec3          x[301] = {{0, 2, 0}};
    pliant_particles_def def = pliant_particles_def_default();
    for (int i = 0; i < 300; i++) x[i + 1] = v3(R(i % 20 - 10) / 16 + R(0.03125), R(1.5), R(i / 20 - 7) / 16);
    strcpy(def.body.name, "star");
    def.positions = x;
    def.count = 301;
    pliant_body body = pliant_scene_add_particles(scene, &def, NULL);
    for (uint32_t i = 1; i <= 300; i++) {
        pliant_constraint_def c = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
        c.particles[0] = (pliant_particle){body, i % 2 ? 0 : i};
        c.particles[1] = (pliant_particle){body, i % 2 ? i : 0};
        c.measure = true;
        c.law = i % 3 ? law_of(0, 0, 1) : law_of(1e-4 * i, 0, 1);
        assert_int_not_equal(pliant_scene_add_constraint(scene, &c, NULL).id, 0);
    }
}

static void add_users(pliant_scene *scene, pliant_body body)
{
    const struct {
        uint32_t     function, particles, rows, first;
        uint64_t     tag;
        double       compliance;
        pliant_limit limit;
    } all[] = {
        {SAMPLE_DISTANCE, 2, 1, 3, 256, 0, PLIANT_EQUAL},     {SAMPLE_DISTANCE, 2, 1, 7, 128, 1e-4, PLIANT_AT_MOST},
        {SAMPLE_DISTANCE, 2, 1, 20, 512, 0, PLIANT_AT_LEAST}, {SAMPLE_FRAME, 3, 6, 30, 0, 1e-3, PLIANT_EQUAL},
        {SAMPLE_FRAME, 3, 6, 40, 0, 0, PLIANT_EQUAL},         {SAMPLE_WALLS, 1, 2, 50, 64, 0, PLIANT_AT_LEAST},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        pliant_user_constraint_def def = pliant_user_constraint_def_default();
        for (uint32_t k = 0; k < all[i].particles; k++) def.particles[k] = (pliant_particle){body, all[i].first + k};
        def.particle_count = all[i].particles;
        def.row_count = all[i].rows;
        def.function = all[i].function;
        def.tag = all[i].tag;
        def.law = limited(law_of(all[i].compliance, 0, 1), all[i].limit, 1, 1);
        assert_int_not_equal(pliant_scene_add_user_constraint(scene, &def, NULL).id, 0);
    }
}

/* Every kind with every law and limit, users' constraints, a rope with tethers; on a floor and a sphere. */
static pliant_scene *build_odds_in(const pliant_allocator *allocator, pliant_order order, pliant_integration integration)
{
    const uint32_t   pin = 0;
    pliant_scene_def settings = pliant_scene_def_default();
    settings.order = order;
    settings.integration = integration;
    settings.substeps = 3;
    settings.iterations = 2;
    settings.damping = R(0.5);
    pliant_scene *scene = start(allocator, settings);
    pliant_body   body = add_lattice(scene);
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++)
        for (uint32_t variant = 0; variant < 8; variant++)
            for (uint32_t k = 0; k < (variant == 0 ? 12u : 4u); k++)
                add_variant(scene, body, (pliant_constraint_kind)kind, variant, (13 * variant + 5 * k + (uint32_t)kind) % 64);
    add_users(scene, body);
    add_star(scene);
    pliant_rope_def rope = pliant_rope_def_default();
    rope.segments = 30;
    rope.from = v3(-1, 2, 0);
    rope.to = v3(1, R(1.75), 0);
    rope.tether = 1;
    assert_int_equal(pliant_scene_pin(scene, pliant_scene_add_rope(scene, &rope, NULL), &pin, 1, true, NULL), PLIANT_OK);
    add_collider(scene, "floor", PLIANT_SHAPE_PLANE, 1, v3(0, 0, 0), 0.2);
    add_collider(scene, "ball", PLIANT_SHAPE_SPHERE, 0.3, v3(0, R(1.25), 0), 0);
    return scene;
}

static pliant_scene *build_odds(const pliant_allocator *allocator)
{
    return build_odds_in(allocator, PLIANT_ORDER_COLOUR, PLIANT_INTEGRATION_FIRST_ORDER);
}
static pliant_scene *build_given(const pliant_allocator *allocator)
{
    return build_odds_in(allocator, PLIANT_ORDER_GIVEN, PLIANT_INTEGRATION_FIRST_ORDER);
}
static pliant_scene *build_odds_bdf2(const pliant_allocator *allocator)
{
    return build_odds_in(allocator, PLIANT_ORDER_COLOUR, PLIANT_INTEGRATION_BDF2);
}
static pliant_scene *build_given_bdf2(const pliant_allocator *allocator)
{
    return build_odds_in(allocator, PLIANT_ORDER_GIVEN, PLIANT_INTEGRATION_BDF2);
}

/* Nothing here is larger than a denormal number for long: attachments between particles that lie that near to the origin. */
static pliant_scene *build_denormals(const pliant_allocator *allocator)
{
#ifdef PLIANT_DOUBLE
    const pliant_real tiny = 1e-312;
#else
    const pliant_real tiny = 1e-42f;
#endif
    pliant_vec3          x[100], v[100];
    pliant_scene_def     settings = pliant_scene_def_default();
    pliant_particles_def def = pliant_particles_def_default();
    settings.gravity = v3(0, 0, 0);
    pliant_scene *scene = start(allocator, settings);
    for (int i = 0; i < 100; i++) {
        x[i] = v3(tiny * R(i % 7), tiny * R(i % 11 - 5), tiny * R(i % 13) * 16);
        v[i] = v3(tiny * 64, tiny * R(i), 0);
    }
    def.positions = x;
    def.velocities = v;
    def.count = 100;
    pliant_body body = pliant_scene_add_particles(scene, &def, NULL);
    for (uint32_t i = 0; i + 1 < 100; i++) {
        pliant_constraint_def c = pliant_constraint_def_default(i % 4 == 3 ? PLIANT_CONSTRAINT_DISTANCE : PLIANT_CONSTRAINT_ATTACHMENT);
        c.particles[0] = (pliant_particle){body, i};
        c.particles[1] = (pliant_particle){body, i + 1};
        c.law = law_of(i % 2 ? 0 : 1e-4, 0, 1);
        assert_int_not_equal(pliant_scene_add_constraint(scene, &c, NULL).id, 0);
    }
    return scene;
}

const sample samples[] = {
    {"curtain", 8, build_curtain, drive_curtain},
    {"garment", 8, build_garment, drive_garment},
    {"jelly", 8, build_jelly, drive_jelly},
    {"odds", 6, build_odds, NULL},
    {"given", 6, build_given, NULL},
    {"denormals", 4, build_denormals, NULL},
    {"curtain, bdf2", 8, build_curtain_bdf2, drive_curtain},
    {"garment, bdf2", 8, build_garment_bdf2, drive_garment},
    {"odds, bdf2", 6, build_odds_bdf2, NULL},
    {"given, bdf2", 6, build_given_bdf2, NULL},
};
const uint32_t sample_count = sizeof samples / sizeof *samples;

const sample *sample_named(const char *name)
{
    for (uint32_t i = 0; i < sample_count; i++)
        if (!strcmp(samples[i].name, name)) return &samples[i];
    fail_msg("no sample %s", name);
    return NULL;
}

pliant_model *sample_model(const sample *which)
{
    pliant_error  error = {PLIANT_OK, 0, "", ""};
    pliant_scene *scene = which->build(NULL);
    pliant_model *model = pliant_scene_compile(scene, &error);
    if (!model) print_error("%s: %s\n", which->name, error.message);
    assert_non_null(model);
    pliant_scene_destroy(scene);
    return model;
}

/* ---- the floating-point environment ---- */

#if defined(__x86_64__)
#define CONTROL 0xffc0u /* without the flags that tell what happened */
unsigned odd_environment(void)
{
    unsigned before = _mm_getcsr();
    _mm_setcsr(0x1f80u | 0x8040u | 0x4000u); /* exceptions masked; FTZ and DAZ; up */
    return before;
}
void     set_environment(unsigned environment) { _mm_setcsr(environment); }
unsigned environment_now(void) { return _mm_getcsr() & CONTROL; }
#else
unsigned odd_environment(void) { return 0; }
void set_environment(unsigned environment) { (void)environment; }
unsigned environment_now(void) { return 0; }
#endif

/* ---- hosts ---- */

#define HOST_THREAD_COUNT 3

static struct {
    host_kind which;
    void (*task)(void *data, uint32_t index);
    void       *data;
    uint32_t    count;
    atomic_uint next, disturbed;
    pthread_t   threads[HOST_THREAD_COUNT];
    uint32_t    order[4096];
} now;

static void take_tasks(void)
{
    const unsigned usual = now.which == HOST_ODD ? odd_environment() : environment_now(), before = environment_now();
    for (uint32_t i; (i = atomic_fetch_add(&now.next, 1)) < now.count;) {
        now.task(now.data, i);
        if (environment_now() != before) atomic_fetch_add(&now.disturbed, 1);
    }
    if (now.which == HOST_ODD) set_environment(usual);
}

static void *fresh_thread(void *unused)
{
    (void)unused;
    take_tasks();
    return NULL;
}

/* Threads that wait for the next batch, from the first that needs them to the end of the program. */
static struct {
    bool            there;
    uint64_t        batch; /* the number of the newest */
    uint32_t        busy;  /* threads that are not through with it */
    pthread_mutex_t lock;
    pthread_cond_t  begin, end;
} crew = {.lock = PTHREAD_MUTEX_INITIALIZER, .begin = PTHREAD_COND_INITIALIZER, .end = PTHREAD_COND_INITIALIZER};

static void *crew_thread(void *unused)
{
    (void)unused;
    for (uint64_t done = 0;;) {
        pthread_mutex_lock(&crew.lock);
        while (crew.batch == done) pthread_cond_wait(&crew.begin, &crew.lock);
        done = crew.batch;
        pthread_mutex_unlock(&crew.lock);
        take_tasks();
        pthread_mutex_lock(&crew.lock);
        if (!--crew.busy) pthread_cond_signal(&crew.end);
        pthread_mutex_unlock(&crew.lock);
    }
    return NULL;
}

static void crew_begin(void)
{
    pthread_mutex_lock(&crew.lock);
    for (int t = 0; t < HOST_THREAD_COUNT && !crew.there; t++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, crew_thread, NULL), 0);
        assert_int_equal(pthread_detach(thread), 0);
    }
    crew.there = true;
    crew.busy = HOST_THREAD_COUNT;
    crew.batch++;
    pthread_cond_broadcast(&crew.begin);
    pthread_mutex_unlock(&crew.lock);
}

static void crew_wait(void)
{
    pthread_mutex_lock(&crew.lock);
    while (crew.busy) pthread_cond_wait(&crew.end, &crew.lock);
    pthread_mutex_unlock(&crew.lock);
}

static void host_enqueue(void (*task)(void *data, uint32_t index), void *data, uint32_t count, void *context)
{
    now.which = *(host_kind *)context;
    now.task = task;
    now.data = data;
    now.count = count;
    atomic_store(&now.next, 0);
    for (uint32_t i = 0; i < count && now.which == HOST_ONE_AT_A_TIME; i++) task(data, i);
    for (uint32_t i = count; i-- > 0 && now.which == HOST_REVERSE;) task(data, i);
    for (int t = 0; t < HOST_THREAD_COUNT && now.which == HOST_FRESH; t++)
        assert_int_equal(pthread_create(&now.threads[t], NULL, fresh_thread, NULL), 0);
    if (now.which >= HOST_THREADS) crew_begin();
}

static void run_shuffled(void)
{
    static uint32_t random = 12345;
    assert_true(now.count <= sizeof now.order / sizeof *now.order);
    for (uint32_t i = 0; i < now.count; i++) now.order[i] = i;
    for (uint32_t i = now.count; i > 1; i--) {
        uint32_t k = ((random = random * 1664525u + 1013904223u) >> 8) % i, swap = now.order[i - 1];
        now.order[i - 1] = now.order[k];
        now.order[k] = swap;
    }
    for (uint32_t i = 0; i < now.count; i++) now.task(now.data, now.order[i]);
}

static void host_wait(void *context)
{
    const host_kind which = *(host_kind *)context;
    for (uint32_t i = 0; i < now.count && which == HOST_LATE; i++) now.task(now.data, i);
    if (which == HOST_RANDOM) run_shuffled();
    for (int t = 0; t < HOST_THREAD_COUNT && which == HOST_FRESH; t++) assert_int_equal(pthread_join(now.threads[t], NULL), 0);
    if (which >= HOST_THREADS) crew_wait();
}

pliant_tasks host_tasks(host_kind which)
{
    static host_kind names[HOST_COUNT];
    names[which] = which;
    if (which == HOST_NONE) return (pliant_tasks){NULL, NULL, NULL};
    return (pliant_tasks){host_enqueue, host_wait, &names[which]};
}

uint32_t host_disturbed(void) { return atomic_load(&now.disturbed); }

/* ---- runs ---- */

static uint64_t mix_real(uint64_t h, double value) { return pliant__hash(&value, sizeof value, h); }
static uint64_t mix(uint64_t h, uint64_t value) { return pliant__hash_mix(h + value); }

static uint64_t mix_vector(uint64_t h, pliant_vec3 v) { return mix_real(mix_real(mix_real(h, (double)v.x), (double)v.y), (double)v.z); }

static uint64_t mix_report(uint64_t h, const pliant_solver *solver, const pliant_model *model)
{
    static pliant_contact   contacts[8192];
    const pliant_statistics s = pliant_solver_statistics(solver);
    h = mix(mix(h, s.substeps), s.iterations);
    for (int k = 0; k <= PLIANT_CONSTRAINT_COUNT; k++) {
        const pliant_kind_statistics of = pliant_solver_kind_statistics(solver, (pliant_constraint_kind)k);
        h = mix_real(mix_real(mix(h, of.constraints), of.residual_max), of.residual_mean);
    }
    h = mix(mix(mix(h, s.contacts), s.particles_in_contact), s.contacts_dropped);
    h = mix(mix(h, s.pairs), s.pair_contacts);
    h = mix_real(mix(mix(h, s.particles_held), s.particles_limited), s.momentum_held);
    h = mix(mix_real(h, (double)s.max_speed), s.restored_bodies);
    const uint32_t count = pliant_solver_contacts(solver, contacts, 8192);
    assert_true(count <= 8192);
    for (uint32_t i = 0; i < count; i++) {
        const pliant_contact *c = &contacts[i];
        h = mix(mix(mix(h, c->particle.body.id), c->particle.vertex), c->collider.id);
        h = mix_real(mix_real(mix_vector(mix_vector(h, c->point), c->normal), (double)c->force), (double)c->friction);
    }
    for (uint32_t i = 0; i < pliant_model_solved_count(model); i += 17) {
        pliant_real force[PLIANT_MAX_ROWS];
        uint32_t    rows = pliant_solver_force(solver, pliant_model_solved(model, i).constraint, force);
        for (uint32_t r = 0; r < rows; r++) h = mix_real(h, (double)force[r]);
    }
    return h;
}

static pliant_solver *new_solver(const pliant_model *model, run_way how)
{
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    pliant_solver_def def = sample_solver_def();
    def.width = how.width;
    def.threads = how.threads;
    def.measure = how.measure;
    def.tasks = host_tasks(how.host);
    pliant_solver *solver = pliant_solver_create(model, &def, &error);
    if (!solver) print_error("%s\n", error.message);
    assert_non_null(solver);
    return solver;
}

outcome sample_run(const pliant_model *model, const sample *which, uint32_t frames, run_way how)
{
    outcome        out = {.frames = frames, .rebuilt = how.rebuild};
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_solver *solver = new_solver(model, how);
    for (uint32_t f = 0; f < frames; f++) {
        const unsigned normal = how.odd_tick ? odd_environment() : environment_now();
        assert_int_equal(pliant_inputs_reset(inputs, 0.015625), PLIANT_OK);
        if (which && which->drive) which->drive(model, inputs, state, f);
        const unsigned usual = how.odd_step ? odd_environment() : 0, before = environment_now();
        pliant_code    code = pliant_solver_step(solver, state, inputs);
        const unsigned after = environment_now();
        if (how.odd_step) set_environment(usual);
        if (how.odd_tick) set_environment(normal);
        assert_int_equal(code, PLIANT_OK);
        assert_int_equal(before, after);
        out.state = mix(out.state, pliant_state_hash(state));
        out.report = mix_report(out.report, solver, model);
        out.searches += pliant_solver_statistics(solver).pair_searches;
        if (how.rebuild) {
            pliant_solver_destroy(solver);
            solver = new_solver(model, how);
        }
    }
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    return out;
}

bool outcomes_agree(const char *scene, const char *what, uint32_t number, outcome found, outcome expected)
{
    const bool searches = found.rebuilt && expected.searches ? found.searches >= found.frames : found.searches == expected.searches;
    if (found.state == expected.state && found.report == expected.report && searches) return true;
    print_error("%s: %s %u: the %s differ\n", scene, what, number, found.state == expected.state ? "statistics" : "states");
    return false;
}

void sample_frames(const sample *which, pliant_solver *solver, pliant_state *state, pliant_inputs *inputs, uint32_t first, uint32_t count)
{
    for (uint32_t f = first; f < first + count; f++) {
        assert_int_equal(pliant_inputs_reset(inputs, 0.015625), PLIANT_OK);
        if (which && which->drive) which->drive(pliant_state_model(state), inputs, state, f);
        assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
    }
}
