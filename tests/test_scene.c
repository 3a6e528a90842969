/* The scene: what bodies are expanded into, by counts and sums that geometry dictates; what is refused, and that nothing then remains. */
#include "base/hash.h"
#include "base/vec.h"
#include "scene/builder.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#ifdef PLIANT_DOUBLE
#define EPSILON DBL_EPSILON
#else
#define EPSILON ((double)FLT_EPSILON)
#endif

#define R(a) ((pliant_real)(a))
#define NOT_A_NUMBER R(strtod("nan", NULL))
#define INFINITE R(HUGE_VAL)

static pliant_scene *new_scene(void)
{
    pliant_error  error = {PLIANT_OK, 0, "", ""};
    pliant_scene *scene = pliant_scene_create(NULL, &error);
    assert_non_null(scene);
    return scene;
}

static void near(double found, double expected, double bound)
{
    if (!(fabs(found - expected) <= bound)) print_error("found %.17g, expected %.17g within %g\n", found, expected, bound);
    assert_true(fabs(found - expected) <= bound);
}

/* Everything a scene holds, in one number. */
static uint64_t snapshot(const pliant_scene *scene)
{
    uint64_t h = 1;
#define MIX(name) h = pliant__hash(scene->name.data, scene->name.count * sizeof *scene->name.data, h + scene->name.count);
    PLIANT__SCENE_ARRAYS(MIX)
#undef MIX
    for (size_t i = 0; i < scene->bodies.count; i++) h = pliant__hash_mix(h + scene->bodies.data[i].targets.count);
    return h;
}

static size_t count_role(const pliant_scene *scene, const char *role)
{
    size_t n = 0;
    for (size_t i = 0; i < scene->constraints.count; i++) n += !strcmp(scene->laws.data[scene->constraints.data[i].law].role, role);
    return n;
}

static double total_mass(const pliant_scene *scene)
{
    double m = 0;
    for (size_t i = 0; i < scene->particles.count; i++) m += scene->particles.data[i].mass;
    return m;
}

static void refuses(const pliant_error *error, const char *part)
{
    if (!strstr(error->message, part)) print_error("\"%s\" does not say \"%s\"\n", error->message, part);
    assert_int_equal(error->code, PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error->message, part));
}

static pliant_body add_grid(pliant_scene *scene, uint32_t nx, uint32_t nz, pliant_real sx, pliant_real sz)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    def.cells_x = nx;
    def.cells_z = nz;
    def.size_x = sx;
    def.size_z = sz;
    pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

/* ---- cloth ---- */

static void grid_counts(void **unused)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 5}, {2, 3}, {7, 4}, {16, 16}, {64, 33}};
    (void)unused;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const uint32_t n = sizes[k][0], m = sizes[k][1];
        pliant_scene  *scene = new_scene();
        pliant_body    body = add_grid(scene, n, m, 2, 3);
        const uint32_t edges = n * (m + 1) + m * (n + 1), cut_edges = edges + n * m, rim = 2 * (n + m);
        assert_int_equal(scene->particles.count, (n + 1) * (m + 1));
        assert_int_equal(count_role(scene, "stretch"), edges);
        assert_int_equal(count_role(scene, "shear"), 2 * n * m);
        assert_int_equal(count_role(scene, "bend"), cut_edges - rim);
        assert_int_equal(scene->triangles.count, 6 * n * m);
        assert_int_equal(scene->face_sizes.count, n * m);
        assert_int_equal(scene->face_indices.count, 4 * n * m);
        /* Euler: V - E + F = 1 for a disc */
        assert_int_equal((int)scene->particles.count - (int)cut_edges + (int)scene->triangles.count / 3, 1);
        near(total_mass(scene), 6, 6 * 1024 * EPSILON);
        assert_int_equal(scene->bodies.data[body.id - 1].vertex_count, (n + 1) * (m + 1));
        pliant_scene_destroy(scene);
    }
}

static void grid_bends_by_distances_two_apart(void **unused)
{
    (void)unused;
    const uint32_t   n = 5, m = 3;
    pliant_scene    *scene = new_scene();
    pliant_cloth_def def = pliant_cloth_def_default();
    def.cells_x = n;
    def.cells_z = m;
    def.size_x = 5;
    def.size_z = 3;
    def.bend = PLIANT_BEND_DISTANCE;
    assert_int_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 1);
    assert_int_equal(count_role(scene, "bend"), (n - 1) * (m + 1) + (m - 1) * (n + 1));
    for (size_t i = 0; i < scene->constraints.count; i++) {
        const pliant__draft_constraint *c = &scene->constraints.data[i];
        if (!strcmp(scene->laws.data[c->law].role, "bend")) near((double)c->parameters[0], 2, 4 * EPSILON);
    }
    pliant_scene_destroy(scene);
}

/* ---- rest values of grids ---- */

static bool joins_alike(const pliant__draft_constraint *c, const pliant__draft_constraint *d)
{
    bool alike = c->law == d->law && c->kind == d->kind;
    for (uint32_t s = 1; alike && s < pliant_constraint_describe((pliant_constraint_kind)c->kind)->slots; s++)
        alike = c->particles[s] - c->particles[0] == d->particles[s] - d->particles[0];
    return alike;
}

/* Constraints that join particles the same way have the same rest value to the bit, and it is what the particles' places say. */
static void rest_alike(const pliant_scene *scene)
{
    const pliant_real size = 12; /* of numbers that positions are rounded from */
    for (size_t i = 0; i < scene->constraints.count; i++) {
        const pliant__draft_constraint *c = &scene->constraints.data[i];
        const uint32_t                  slots = pliant_constraint_describe((pliant_constraint_kind)c->kind)->slots;
        const pliant_real              *parameters = pliant__draft_parameters(scene, c);
        pliant_vec3                     x[PLIANT_MAX_SLOTS] = {{0, 0, 0}};
        for (uint32_t s = 0; s < slots; s++) x[s] = scene->particles.data[pliant__draft_particles(scene, c)[s]].x;
        if (c->kind != PLIANT_CONSTRAINT_DIHEDRAL_ANGLE) {
            pliant_real measured[PLIANT_MAX_PARAMETERS];
            pliant__measure((pliant_constraint_kind)c->kind, x, measured);
            for (uint32_t k = 0; k < pliant_constraint_describe((pliant_constraint_kind)c->kind)->parameter_count; k++)
                near((double)parameters[k], (double)measured[k], 4 * (double)size * EPSILON);
        } else
            assert_true(parameters[0] == 0);
        for (size_t j = 0; j < i; j++) {
            const pliant__draft_constraint *d = &scene->constraints.data[j];
            if (!joins_alike(c, d)) continue;
            assert_memory_equal(c->parameters, d->parameters, sizeof c->parameters);
            break;
        }
    }
}

static void grids_rest_alike(void **unused)
{
    (void)unused;
    const pliant_placement placement = {v3(5, -7, (pliant_real)2.1),
                                        {(pliant_real)0.5, (pliant_real)0.1, (pliant_real)-0.7, (pliant_real)0.2},
                                        v3(-1, 2, (pliant_real)1.5)};
    for (int k = 0; k < 3; k++) {
        pliant_scene    *scene = new_scene();
        pliant_cloth_def cloth = pliant_cloth_def_default();
        pliant_soft_def  soft = pliant_soft_def_default();
        soft.model = PLIANT_SOLID_DISTANCE;
        cloth.cells_x = 13;
        cloth.cells_z = 11;
        cloth.size_x = (pliant_real)1.3;
        cloth.size_z = (pliant_real)0.7;
        cloth.bend = k ? PLIANT_BEND_DISTANCE : PLIANT_BEND_ANGLE;
        cloth.material.has_area = true;
        soft.cells[0] = 7;
        soft.extent = v3((pliant_real)0.9, (pliant_real)1.1, (pliant_real)1.7);
        soft.body.placement = cloth.body.placement = placement;
        assert_int_equal(k < 2 ? pliant_scene_add_cloth(scene, &cloth, NULL).id : pliant_scene_add_soft(scene, &soft, NULL).id, 1);
        rest_alike(scene);
        pliant_scene_destroy(scene);
    }
}

static void grid_lies_as_described(void **unused)
{
    (void)unused;
    pliant_scene *scene = new_scene();
    add_grid(scene, 6, 4, 3, 2);
    const pliant__draft_particle *p = scene->particles.data;
    for (uint32_t j = 0; j <= 4; j++)
        for (uint32_t i = 0; i <= 6; i++) {
            near((double)p[j * 7 + i].x.x, -1.5 + 0.5 * i, 2 * EPSILON);
            near((double)p[j * 7 + i].x.z, -1 + 0.5 * j, 2 * EPSILON);
            assert_true(p[j * 7 + i].x.x == -p[j * 7 + 6 - i].x.x);
        }
    for (size_t t = 0; t < scene->triangles.count; t += 3) {
        const uint32_t   *v = scene->triangles.data + t;
        const pliant_vec3 normal = v3_cross(v3_sub(p[v[1]].x, p[v[0]].x), v3_sub(p[v[2]].x, p[v[0]].x));
        assert_true(normal.y > 0);
    }
    for (size_t i = 0; i < scene->constraints.count; i++) {
        const pliant__draft_constraint *c = &scene->constraints.data[i];
        if (c->kind == PLIANT_CONSTRAINT_DIHEDRAL_ANGLE) near((double)c->parameters[0], 0, 4 * EPSILON);
    }
    pliant_scene_destroy(scene);
}

/* Alternating cuts make an even grid equal to its mirror image: so must be its masses. */
static void grid_is_symmetric(void **unused)
{
    (void)unused;
    pliant_scene *scene = new_scene();
    add_grid(scene, 8, 8, 1, 1);
    const pliant__draft_particle *p = scene->particles.data;
    for (uint32_t j = 0; j <= 8; j++)
        for (uint32_t i = 0; i <= 8; i++) {
            near(p[j * 9 + i].mass, p[j * 9 + 8 - i].mass, 1e-15);
            near(p[j * 9 + i].mass, p[(8 - j) * 9 + i].mass, 1e-15);
            near(p[j * 9 + i].mass, p[i * 9 + j].mass, 1e-15);
        }
    pliant_scene_destroy(scene);
}

/* A cube as a renderer has it: four vertices of its own for each side. */
static void cube_with_seams(pliant_real x[24][3], uint32_t quads[24])
{
    static const int sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (uint32_t i = 0; i < 24; i++) {
        const int corner = sides[i / 4][i % 4];
        for (int k = 0; k < 3; k++) x[i][k] = corner >> k & 1 ? 1 : (i % 2 ? R(-0.0) : 0);
        quads[i] = i;
    }
}

static void seams_are_welded(void **unused)
{
    (void)unused;
    pliant_real      x[24][3];
    uint32_t         quads[24];
    pliant_scene    *scene = new_scene();
    pliant_cloth_def def = pliant_cloth_def_default();
    cube_with_seams(x, quads);
    def.mesh = (pliant_mesh_view){x, sizeof *x, 24, NULL, 0, quads, 6, NULL};
    def.material.has_area = true;
    assert_int_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 1);
    assert_int_equal(scene->particles.count, 8);
    assert_int_equal(scene->vertex_particle.count, 24);
    assert_int_equal(count_role(scene, "stretch"), 12);
    assert_int_equal(count_role(scene, "shear"), 12);
    assert_int_equal(count_role(scene, "bend"), 18);
    assert_int_equal(count_role(scene, "area"), 12);
    assert_memory_equal(scene->face_indices.data, quads, sizeof quads);
    near(total_mass(scene), 6, 1e-12);
    size_t square = 0, flat = 0;
    for (size_t i = 0; i < scene->constraints.count; i++) {
        const pliant__draft_constraint *c = &scene->constraints.data[i];
        if (c->kind != PLIANT_CONSTRAINT_DIHEDRAL_ANGLE) continue;
        const double angle = fabs((double)c->parameters[0]);
        square += fabs(angle - 1.5707963267948966) < 1e-6;
        flat += angle < 1e-6;
    }
    assert_int_equal(square, 12);
    assert_int_equal(flat, 6);
    for (uint32_t v = 0; v < 24; v++) {
        const pliant_vec3 p = scene->particles.data[scene->vertex_particle.data[v]].x;
        assert_true(p.x == x[v][0] && p.y == x[v][1] && p.z == x[v][2]);
    }
    def.weld = false;
    assert_int_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 2);
    assert_int_equal(scene->particles.count, 8 + 24);
    pliant_scene_destroy(scene);
}

/* A closed surface of triangles: 2 E = 3 F; every edge bends, and all angles have one sign if it is convex. */
static void octahedron(void **unused)
{
    (void)unused;
    static const pliant_real x[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    static const uint32_t    t[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    pliant_scene            *scene = new_scene();
    pliant_cloth_def         def = pliant_cloth_def_default();
    def.mesh = pliant_mesh_view_of(x, sizeof *x, 6, t, 8);
    assert_int_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 1);
    assert_int_equal(count_role(scene, "stretch"), 12);
    assert_int_equal(count_role(scene, "bend"), 12);
    assert_int_equal(count_role(scene, "shear"), 0);
    double first = 0;
    for (size_t i = 0; i < scene->constraints.count; i++) {
        const pliant__draft_constraint *c = &scene->constraints.data[i];
        if (c->kind != PLIANT_CONSTRAINT_DIHEDRAL_ANGLE) continue;
        if (first == 0) first = (double)c->parameters[0];
        near((double)c->parameters[0], first, 1e-6);
    }
    near(fabs(first), 1.2309594173407747, 1e-6); /* arccos(1/3) between normals */
    def.bend = PLIANT_BEND_DISTANCE;
    assert_int_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 2);
    assert_int_equal(count_role(scene, "bend"), 12 + 3); /* three axes across, each found four times */
    pliant_scene_destroy(scene);
}

/* What pliant_mesh_weld says, by trying every pair. */
static uint32_t weld_slowly(const pliant_vec3 *x, uint32_t count, double distance, uint32_t *number)
{
    uint32_t begins[512], places = 0;
    for (uint32_t v = 0; v < count; v++) {
        uint32_t p = 0;
        for (; p < places; p++) {
            const pliant_vec3 q = x[begins[p]];
            const double      d[3] = {(double)x[v].x - (double)q.x, (double)x[v].y - (double)q.y, (double)x[v].z - (double)q.z};
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= distance * distance) break;
        }
        number[v] = p;
        if (p == places) begins[places++] = v;
    }
    return places;
}

/* Random points on a coarse lattice, many at one place and many exactly a distance apart. */
static void places_are_what_the_rule_says(void **unused)
{
    (void)unused;
    static const double distances[] = {0, 0.25, 0.3, 0.5, 1.75, 100};
    uint64_t            s = 12345;
    for (size_t n = 0; n < 60; n++) {
        const double           distance = distances[n % 6];
        pliant_vec3            x[400];
        uint32_t               found[400], expected[400];
        pliant_real           *c = &x[0].x;
        size_t                 places;
        const pliant_mesh_view view = pliant_mesh_view_of(x, sizeof *x, 400, NULL, 0);
        for (int i = 0; i < 1200; i++) {
            s = s * 6364136223846793005u + 1442695040888963407u;
            c[i] = (pliant_real)((double)(int)(s >> 60) - 8) / 4 * (s >> 40 & 1 ? 1 : -1) + (n % 2 ? 0 : 1000);
        }
        assert_int_equal(pliant_mesh_weld(&view, (pliant_real)distance, found, &places, NULL), PLIANT_OK);
        assert_int_equal(places, weld_slowly(x, 400, distance, expected));
        assert_memory_equal(found, expected, sizeof found);
    }
}

static void welding_has_limits(void **unused)
{
    (void)unused;
    static const pliant_real x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1e8, 0, 0}}, bad[1][3] = {{0, (pliant_real)NAN, 0}};
    uint32_t                 number[4];
    size_t                   places;
    pliant_error             error;
    pliant_mesh_view         view = pliant_mesh_view_of(x, sizeof *x, 4, NULL, 0);
    assert_int_equal(pliant_mesh_weld(&view, (pliant_real)1e-12, number, &places, &error), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(places, 0);
    refuses(&error, "too small to weld by beside a coordinate of 1e+08");
    assert_int_equal(pliant_mesh_weld(&view, 0, number, &places, &error), PLIANT_OK);
    assert_int_equal(places, 4);
    assert_int_equal(pliant_mesh_weld(&view, -1, number, &places, &error), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(places, 0);
    refuses(&error, "0 or more");
    assert_int_equal(pliant_mesh_weld(&view, (pliant_real)INFINITY, number, &places, &error), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(places, 0);
    view = pliant_mesh_view_of(bad, sizeof *bad, 1, NULL, 0);
    assert_int_equal(pliant_mesh_weld(&view, 0, number, &places, &error), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(places, 0);
    refuses(&error, "vertex 0: a position is not finite");
    assert_int_equal(pliant_mesh_weld(NULL, 0, number, &places, &error), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(places, 0);
}

/* Two squares that nearly meet: apart they have 8 particles, welded 6, and the vertices of a place all come out where its first is. */
static void near_vertices_are_welded(void **unused)
{
    (void)unused;
    static const pliant_real x[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}, {1.25, 0, 0}, {2, 0, 0}, {2, 0, 1}, {1, 0, 1.25}};
    static const uint32_t    quads[8] = {0, 3, 2, 1, 4, 7, 6, 5}, expected[8] = {0, 1, 2, 3, 1, 4, 5, 2};
    pliant_scene            *scene = new_scene();
    pliant_cloth_def         def = pliant_cloth_def_default();
    def.mesh = (pliant_mesh_view){.positions = x, .stride = sizeof *x, .vertex_count = 8, .quads = quads, .quad_count = 2};
    assert_int_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 1);
    assert_int_equal(scene->particles.count, 8);
    def.weld_distance = (pliant_real)0.25;
    assert_int_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 2);
    assert_int_equal(scene->particles.count, 8 + 6);
    for (int v = 0; v < 8; v++) assert_int_equal(scene->vertex_particle.data[8 + v], 8 + expected[v]);
    assert_true((double)scene->particles.data[8 + 1].x.x == 1);
    def.weld_distance = -1;
    assert_int_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 0);
    pliant_scene_destroy(scene);
}

static void edges_of_three_faces_bend_pairwise(void **unused)
{
    (void)unused;
    static const pliant_real x[5][3] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}};
    static const uint32_t    t[9] = {0, 1, 2, 0, 1, 3, 1, 0, 4}; /* turned differently, too */
    pliant_scene            *scene = new_scene();
    pliant_cloth_def         def = pliant_cloth_def_default();
    def.mesh = pliant_mesh_view_of(x, sizeof *x, 5, t, 3);
    assert_int_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 1);
    assert_int_equal(count_role(scene, "stretch"), 7);
    assert_int_equal(count_role(scene, "bend"), 2);
    const pliant__draft_constraint *c = &scene->constraints.data[7];
    assert_int_equal(c->kind, PLIANT_CONSTRAINT_DIHEDRAL_ANGLE);
    near((double)c->parameters[0], 0, 1e-6); /* flat however its triangles turn */
    near(fabs((double)c[1].parameters[0]), 1.5707963267948966, 1e-6);
    pliant_scene_destroy(scene);
}

static void masses_velocity_and_spin(void **unused)
{
    (void)unused;
    pliant_scene    *scene = new_scene();
    pliant_cloth_def def = pliant_cloth_def_default();
    pliant_real      masses[12];
    for (int i = 0; i < 12; i++) masses[i] = R(1 + i);
    def.cells_x = 3;
    def.cells_z = 2;
    def.body.masses = masses;
    def.body.velocity = v3(1, 2, 3);
    def.body.spin = v3(R(0.5), -2, 1);
    def.body.placement.position = v3(10, 20, 30);
    assert_int_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 1);
    near(total_mass(scene), 78, 1e-12);
    /* Momentum is mass times velocity; about the centre nothing but spin is left. */
    double momentum[3] = {0, 0, 0};
    for (size_t i = 0; i < 12; i++) {
        const pliant__draft_particle *p = &scene->particles.data[i];
        momentum[0] += p->mass * (double)p->v.x;
        momentum[1] += p->mass * (double)p->v.y;
        momentum[2] += p->mass * (double)p->v.z;
    }
    for (int k = 0; k < 3; k++) near(momentum[k], 78 * (k + 1), 78 * 64 * EPSILON);
    const pliant__draft_particle *a = &scene->particles.data[0], *b = &scene->particles.data[11];
    const pliant_vec3             d = v3_sub(b->x, a->x), expected = v3_cross(def.body.spin, d), found = v3_sub(b->v, a->v);
    near((double)v3_length(v3_sub(found, expected)), 0, 64 * EPSILON);
    def.body.fixed = true;
    pliant_body fixed = pliant_scene_add_cloth(scene, &def, NULL);
    assert_int_equal(fixed.id, 2);
    for (size_t i = 12; i < 24; i++) {
        assert_int_equal(scene->particles.data[i].pin, PLIANT__ANCHOR);
        assert_true(v3_length(scene->particles.data[i].v) == 0);
    }
    pliant_scene_destroy(scene);
}

static void placement_scales_rotates_moves(void **unused)
{
    (void)unused;
    pliant_scene    *scene = new_scene();
    pliant_cloth_def def = pliant_cloth_def_default();
    def.cells_x = def.cells_z = 1;
    def.body.placement.scale = v3(2, 1, 4);
    def.body.placement.rotation = (pliant_quat){0, 0, 3, 3}; /* a quarter turn about z, of any length */
    def.body.placement.position = v3(1, 0, 0);
    assert_int_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 1);
    const pliant_vec3 x = scene->particles.data[3].x; /* was (0.5, 0, 0.5) */
    near((double)x.x, 1, 4 * EPSILON);
    near((double)x.y, 1, 4 * EPSILON);
    near((double)x.z, 2, 4 * EPSILON);
    near(total_mass(scene), 8, 32 * EPSILON);
    near((double)scene->constraints.data[0].parameters[0], 2, 8 * EPSILON); /* rest lengths are those of the placed cloth */
    pliant_scene_destroy(scene);
}

static void quads_are_cut_along_the_shorter_diagonal(void **unused)
{
    (void)unused;
    static const pliant_real x[4][3] = {{0, 0, 0}, {1, 0, 0}, {3, 0, 3}, {0, 0, 1}};
    static const uint32_t    quad[4] = {0, 3, 2, 1};
    pliant_scene            *scene = new_scene();
    pliant_cloth_def         def = pliant_cloth_def_default();
    def.mesh = (pliant_mesh_view){x, sizeof *x, 4, NULL, 0, quad, 1, NULL};
    assert_int_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 1);
    const pliant__draft_constraint *hinge = &scene->constraints.data[scene->constraints.count - 1];
    assert_int_equal(hinge->kind, PLIANT_CONSTRAINT_DIHEDRAL_ANGLE);
    assert_int_equal(hinge->particles[0] + hinge->particles[1], 1 + 3);
    pliant_scene_destroy(scene);
}

/* ---- soft bodies ---- */

static double tet_volume(const pliant_scene *scene, const uint32_t *t)
{
    const pliant_vec3 o = scene->particles.data[t[0]].x;
    const pliant_vec3 a = v3_sub(scene->particles.data[t[1]].x, o), b = v3_sub(scene->particles.data[t[2]].x, o);
    return (double)v3_dot(v3_cross(a, b), v3_sub(scene->particles.data[t[3]].x, o)) / 6;
}

/* The volume that a closed surface encloses, if it is turned outwards. */
static double enclosed(const pliant_scene *scene)
{
    double sum = 0;
    for (size_t t = 0; t < scene->triangles.count; t += 3) {
        const uint32_t               *v = scene->triangles.data + t;
        const pliant__draft_particle *p = scene->particles.data;
        sum += (double)v3_dot(p[v[0]].x, v3_cross(p[v[1]].x, p[v[2]].x)) / 6;
    }
    return sum;
}

static void lattice(void **unused)
{
    static const uint32_t sizes[][3] = {{1, 1, 1}, {2, 1, 3}, {4, 5, 3}};
    (void)unused;
    for (size_t k = 0; k < 3; k++) {
        const uint32_t *n = sizes[k], cubes = n[0] * n[1] * n[2], sides = n[0] * n[1] + n[1] * n[2] + n[2] * n[0];
        pliant_scene   *scene = new_scene();
        pliant_soft_def def = pliant_soft_def_default();
        def.model = PLIANT_SOLID_DISTANCE;
        memcpy(def.cells, n, sizeof def.cells);
        def.extent = v3(2, 3, 4);
        def.material.density = 5;
        assert_int_equal(pliant_scene_add_soft(scene, &def, NULL).id, 1);
        const size_t vertices = (n[0] + 1) * (n[1] + 1) * (n[2] + 1), boundary = 4 * sides;
        assert_int_equal(scene->particles.count, vertices);
        assert_int_equal(count_role(scene, "volume"), 5 * cubes);
        /* Conforming exactly if only the box's own sides occur once. */
        assert_int_equal(scene->triangles.count / 3, boundary);
        assert_int_equal(scene->face_sizes.count, boundary);
        /* Euler for a ball: V - E + F - T = 1, and 4 T = 2 F - boundary. */
        const size_t tets = 5 * cubes, faces = (4 * tets + boundary) / 2;
        assert_int_equal((int)vertices - (int)count_role(scene, "stretch") + (int)faces - (int)tets, 1);
        near(total_mass(scene), 24 * 5, 1e-5 * 120);
        near(enclosed(scene), 24, 24 * 16 * EPSILON);
        double volume = 0;
        for (size_t i = 0; i < scene->constraints.count; i++) {
            const pliant__draft_constraint *c = &scene->constraints.data[i];
            if (c->kind != PLIANT_CONSTRAINT_TET_VOLUME) continue;
            assert_true(c->parameters[0] > 0);
            near(tet_volume(scene, c->particles), (double)c->parameters[0], 24 * EPSILON);
            volume += (double)c->parameters[0];
        }
        near(volume, 24, 24 * 64 * EPSILON);
        pliant_scene_destroy(scene);
    }
}

static void lattice_numbers_as_described(void **unused)
{
    (void)unused;
    pliant_scene   *scene = new_scene();
    pliant_soft_def def = pliant_soft_def_default();
    def.model = PLIANT_SOLID_DISTANCE;
    def.cells[0] = 2;
    def.cells[1] = 3;
    def.cells[2] = 4;
    def.extent = v3(2, 3, 4);
    assert_int_equal(pliant_scene_add_soft(scene, &def, NULL).id, 1);
    for (uint32_t k = 0; k <= 4; k++)
        for (uint32_t j = 0; j <= 3; j++)
            for (uint32_t i = 0; i <= 2; i++) {
                const pliant_vec3 x = scene->particles.data[(k * 4 + j) * 3 + i].x;
                near((double)x.x, i - 1.0, 4 * EPSILON);
                near((double)x.y, j - 1.5, 4 * EPSILON);
                near((double)x.z, k - 2.0, 4 * EPSILON);
            }
    pliant_scene_destroy(scene);
}

static const pliant_real tet_corners[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};

static void inverted_tetrahedra(void **unused)
{
    (void)unused;
    static const uint32_t good[4] = {0, 1, 2, 3}, bad[4] = {0, 2, 1, 3}, flat[4] = {0, 1, 2, 4}, twice[4] = {0, 1, 1, 3},
                          beyond[4] = {0, 1, 2, 7};
    pliant_scene   *scene = new_scene();
    pliant_error    error;
    pliant_soft_def def = pliant_soft_def_default();
    def.model = PLIANT_SOLID_DISTANCE;
    def.mesh = (pliant_tet_view){tet_corners, sizeof *tet_corners, 4, bad, 1};
    assert_int_equal(pliant_scene_add_soft(scene, &def, &error).id, 0);
    refuses(&error, "tetrahedron 0 is inverted; turn it round or set mend");
    def.mend = true;
    assert_int_equal(pliant_scene_add_soft(scene, &def, &error).id, 1);
    def.mend = false;
    def.mesh.tetrahedra = good;
    def.body.placement.scale = v3(-1, 1, 1);
    assert_int_equal(pliant_scene_add_soft(scene, &def, &error).id, 2);
    near(enclosed(scene), 2.0 / 6, 1e-6);
    def.body.placement.scale = v3(1, 1, 1);
    def.mesh.tetrahedra = twice;
    assert_int_equal(pliant_scene_add_soft(scene, &def, &error).id, 0);
    refuses(&error, "tetrahedron 0 uses vertex 1 twice");
    def.mesh.tetrahedra = beyond;
    assert_int_equal(pliant_scene_add_soft(scene, &def, &error).id, 0);
    refuses(&error, "tetrahedron 0 uses vertex 7 of a mesh with 4 vertices");
    def.mesh.vertex_count = 5;
    def.mesh.tetrahedra = flat;
    assert_int_equal(pliant_scene_add_soft(scene, &def, &error).id, 0);
    refuses(&error, "tetrahedron 0 is flat");
    pliant_scene_destroy(scene);
}

/* A vertex that no tetrahedron uses keeps its number and its place, pinned and without mass, as a cloth's that no face uses. */
static void unused_vertices_of_tetrahedra_stay(void **unused)
{
    (void)unused;
    static const uint32_t tets[4] = {0, 2, 3, 4};
    static const double   stays[3] = {1, 0, 0};
    pliant_scene         *scene = new_scene();
    pliant_soft_def       def = pliant_soft_def_default();
    def.model = PLIANT_SOLID_DISTANCE;
    def.mesh = (pliant_tet_view){tet_corners, sizeof *tet_corners, 5, tets, 1};
    def.mend = true;
    pliant_body body = pliant_scene_add_soft(scene, &def, NULL);
    assert_int_equal(body.id, 1);
    const pliant__draft_particle *p = &scene->particles.data[1];
    assert_true(p->pin == PLIANT__ANCHOR && p->mass == 0 && (double)p->x.x == stays[0] && (double)p->x.y == stays[1]);
    for (int i = 0; i < 5; i++) assert_true(i == 1 || (scene->particles.data[i].pin == PLIANT__FREE && scene->particles.data[i].mass > 0));
    pliant_model *model = pliant_scene_compile(scene, NULL);
    assert_int_equal(pliant_model_body(model, body).vertex_count, 5);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
}

/* Points in and around a lattice: the blend gives each its own place back, and only those inside have weights in [0, 1]. */
static void visual_surface_rides_in_place(void **unused)
{
    (void)unused;
    enum { N = 300 };
    static pliant_real x[N][3];
    static uint32_t    t[3 * (N - 2)];
    uint64_t           seed = 7;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            x[i][k] = R(((double)(seed >> 11) / 9007199254740992.0 - 0.5) * (i < N / 2 ? 0.99 : 1.6));
        }
    x[0][0] = x[0][1] = x[0][2] = R(0.5);
    for (uint32_t i = 0; i < N - 2; i++)
        for (uint32_t k = 0; k < 3; k++) t[3 * i + k] = i + k;
    pliant_scene   *scene = new_scene();
    pliant_soft_def def = pliant_soft_def_default();
    def.model = PLIANT_SOLID_DISTANCE;
    def.visual = pliant_mesh_view_of(x, sizeof *x, N, t, N - 2);
    def.body.placement.position = v3(1, 2, 3);
    def.body.placement.scale = v3(2, 2, 2);
    assert_int_equal(pliant_scene_add_soft(scene, &def, NULL).id, 1);
    assert_int_equal(scene->embeddings.count, N);
    assert_int_equal(scene->face_sizes.count, N - 2);
    assert_int_equal(scene->bodies.data[0].triangle_count, 4 * 3 * 16);
    for (int i = 0; i < N; i++) {
        const pliant__embedding *e = &scene->embeddings.data[i];
        double                   sum = 0, at[3] = {0, 0, 0};
        for (int k = 0; k < 4; k++) {
            const pliant_vec3 p = scene->particles.data[e->particles[k]].x;
            const double      w = (double)e->weights[k];
            sum += w;
            at[0] += w * (double)p.x;
            at[1] += w * (double)p.y;
            at[2] += w * (double)p.z;
            if (i < N / 2) assert_true(w >= -4 * EPSILON && w <= 1 + 4 * EPSILON);
        }
        near(sum, 1, 64 * EPSILON);
        for (int k = 0; k < 3; k++) near(at[k], 2 * (double)x[i][k] + k + 1, 256 * EPSILON);
    }
    pliant_scene_destroy(scene);
}

/* ---- ropes and particles ---- */

static void rope(void **unused)
{
    (void)unused;
    pliant_scene   *scene = new_scene();
    pliant_rope_def def = pliant_rope_def_default();
    def.segments = 10;
    def.to = v3(0, 5, 0);
    def.material.density = 2;
    assert_int_equal(pliant_scene_add_rope(scene, &def, NULL).id, 1);
    assert_int_equal(scene->particles.count, 11);
    assert_int_equal(count_role(scene, "stretch"), 10);
    assert_int_equal(count_role(scene, "bend"), 9);
    near(total_mass(scene), 10, 1e-6);
    near(scene->particles.data[0].mass, 0.5, 1e-6);
    near(scene->particles.data[5].mass, 1, 1e-6);
    const pliant_vec3 points[3] = {{0, 0, 0}, {3, 0, 0}, {3, 4, 0}};
    def.points = points;
    def.point_count = 3;
    assert_int_equal(pliant_scene_add_rope(scene, &def, NULL).id, 2);
    near((double)scene->constraints.data[scene->constraints.count - 1].parameters[0], 5, 8 * EPSILON);
    pliant_scene_destroy(scene);
}

static void loose_particles(void **unused)
{
    (void)unused;
    const pliant_vec3    x[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, v[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const pliant_real    w[3] = {0, R(0.5), 4}, masses[3] = {1, 2, 3};
    pliant_scene        *scene = new_scene();
    pliant_particles_def def = pliant_particles_def_default();
    def.positions = x;
    def.velocities = v;
    def.count = 3;
    assert_int_equal(pliant_scene_add_particles(scene, &def, NULL).id, 1);
    near(total_mass(scene), 3, 0);
    def.inverse_masses = w;
    assert_int_equal(pliant_scene_add_particles(scene, &def, NULL).id, 2);
    const pliant__draft_particle *p = scene->particles.data + 3;
    assert_int_equal(p[0].pin, PLIANT__ANCHOR);
    assert_true(v3_length(p[0].v) == 0);
    assert_int_equal(p[1].pin, PLIANT__FREE);
    near(p[1].mass, 2, 0);
    assert_true(p[2].given_w && p[2].w == 4 && p[2].v.z == 1);
    def.inverse_masses = NULL;
    def.body.masses = masses;
    assert_int_equal(pliant_scene_add_particles(scene, &def, NULL).id, 3);
    near(scene->particles.data[8].mass, 3, 0);
    pliant_scene_destroy(scene);
}

/* ---- pins, attachments, tethers ---- */

static void pins_and_targets(void **unused)
{
    (void)unused;
    pliant_scene     *scene = new_scene();
    pliant_error      error;
    pliant_body       body = add_grid(scene, 2, 2, 1, 1);
    const uint32_t    a[2] = {0, 1}, b[2] = {1, 2}, c[2] = {3, 4}, wrong[2] = {5, 9};
    const double      times[2] = {0, 1}, back[2] = {1, 1};
    const pliant_vec3 keys[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    pliant_law        law = pliant_law_default();
    assert_int_equal(pliant_scene_pin(scene, body, a, 2, true, &error), PLIANT_OK);
    assert_int_equal(pliant_scene_pin(scene, body, b, 2, false, &error), PLIANT_OK);
    assert_int_equal(pliant_scene_pin(scene, body, a, 2, true, &error), PLIANT_OK);
    assert_int_equal(scene->particles.data[0].pin, PLIANT__RELEASABLE);
    assert_int_equal(scene->particles.data[1].pin, PLIANT__ANCHOR);
    uint64_t before = snapshot(scene);
    assert_int_equal(pliant_scene_pin(scene, body, wrong, 2, false, &error), PLIANT_ERROR_ARGUMENT);
    refuses(&error, "there is no vertex 9 in body \"body1\", which has 9");
    assert_int_equal(pliant_scene_attach(scene, body, wrong, 2, &error), PLIANT_ERROR_ARGUMENT);
    refuses(&error, "there is no vertex 9 in body \"body1\", which has 9");
    assert_int_equal(pliant_scene_attach(scene, body, b, 2, &error), PLIANT_ERROR_ARGUMENT);
    refuses(&error, "vertex 1 is pinned for ever, so it cannot be attached");
    assert_int_equal(pliant_scene_attach(scene, body, NULL, 2, &error), PLIANT_ERROR_ARGUMENT);
    refuses(&error, "vertices is NULL, but there are 2");
    assert_int_equal(pliant_scene_attach(scene, (pliant_body){7}, c, 2, &error), PLIANT_ERROR_ARGUMENT);
    refuses(&error, "the scene has no body 7");
    assert_int_equal(pliant_scene_attach(NULL, body, c, 2, &error), PLIANT_ERROR_ARGUMENT);
    refuses(&error, "NULL");
    assert_int_equal(pliant_scene_attach(scene, body, b, 2, NULL), PLIANT_ERROR_ARGUMENT);
    assert_true(before == snapshot(scene));
    assert_int_equal(pliant_scene_attach(scene, body, c, 2, &error), PLIANT_OK);
    assert_int_equal(pliant_scene_pin(scene, body, c, 1, false, &error), PLIANT_ERROR_ARGUMENT);
    refuses(&error, "attached");
    law.compliance = R(1e-3);
    assert_int_equal(pliant_scene_attach_soft(scene, body, wrong, 1, &law, keys, &error), PLIANT_OK);
    assert_int_equal(scene->targets.count, 3);
    assert_int_equal(scene->bodies.data[0].targets.count, 3);
    const pliant__draft_constraint *last = &scene->constraints.data[scene->constraints.count - 1];
    assert_int_equal(last->kind, PLIANT_CONSTRAINT_ATTACHMENT);
    assert_int_equal(last->particles[0], 5);
    assert_int_equal(last->particles[1], PLIANT__TARGET_SLOT | 2);
    law.limited = true;
    law.limit = PLIANT_AT_MOST;
    before = snapshot(scene);
    assert_int_equal(pliant_scene_attach_soft(scene, body, wrong, 1, &law, NULL, &error), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_scene_key_targets(scene, body, 2, 2, times, 2, keys, &error), PLIANT_ERROR_ARGUMENT);
    refuses(&error, "targets 2 to 3 are asked for, but body \"body1\" has 3");
    assert_int_equal(pliant_scene_key_targets(scene, body, 0, 2, back, 2, keys, &error), PLIANT_ERROR_ARGUMENT);
    refuses(&error, "key 1: its time 1 is not after");
    assert_true(before == snapshot(scene));
    assert_int_equal(pliant_scene_key_targets(scene, body, 1, 2, times, 2, keys, &error), PLIANT_OK);
    assert_int_equal(scene->targets.data[2].key_count, 2);
    assert_true(scene->target_key_positions.data[scene->targets.data[2].key_first + 1].z == 1);
    assert_true(scene->target_key_positions.data[scene->targets.data[1].key_first + 1].y == 1);
    pliant_scene_destroy(scene);
}

/* Where diagonals give way no more than edges, the way over a flat sheet is straight; else it goes along edges. */
static void tethers_go_the_shortest_way_to_every_pin(void **unused)
{
    (void)unused;
    for (int soft = 0; soft < 2; soft++) {
        pliant_scene    *scene = new_scene();
        pliant_cloth_def def = pliant_cloth_def_default();
        const uint32_t   pins[2] = {0, 8};
        pliant__tethers  found = {NULL, 0, 0};
        def.cells_x = def.cells_z = 8;
        def.size_x = def.size_z = 8;
        def.tether = R(1.5);
        def.material.shear.compliance = R(soft * 1e-3);
        def.body.placement.position = v3(3, 1, 2);
        pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
        assert_true(pliant__scene_tethers(scene, &found, NULL));
        assert_int_equal(found.count, 0);
        assert_int_equal(pliant_scene_pin(scene, body, pins, 2, false, NULL), PLIANT_OK);
        assert_true(pliant__scene_tethers(scene, &found, NULL));
        assert_int_equal(found.count, 2 * 79);
        for (size_t i = 0; i < found.count; i++) {
            const uint32_t p = found.data[i].particle, z = p / 9, x = i % 2 ? 8 - p % 9 : p % 9;
            assert_int_equal(found.data[i].pin, i % 2 ? 8 : 0);
            assert_true(!i || found.data[i - 1].particle + (i % 2 == 0) <= p);
            near((double)found.data[i].rest, 1.5 * (soft ? x + z : sqrt(x * x + z * z)), 1e-5);
        }
        found.count = 0;
        assert_int_equal(pliant_scene_remove_body(scene, body), PLIANT_OK);
        assert_true(pliant__scene_tethers(scene, &found, NULL));
        assert_int_equal(found.count, 0);
        array_free(&scene->allocator, &found);
        pliant_scene_destroy(scene);
    }
}

/* Of two pinned sides a particle has at most four tethers, the nearest pin among them, and no two in nearly one direction. */
static void tethers_of_many_pins_are_few_and_well_aside(void **unused)
{
    (void)unused;
    pliant_scene    *scene = new_scene();
    pliant_cloth_def def = pliant_cloth_def_default();
    pliant__tethers  found = {NULL, 0, 0};
    uint32_t         pins[34];
    def.cells_x = def.cells_z = 16;
    def.size_x = def.size_z = 16;
    def.tether = 1;
    pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    for (uint32_t i = 0; i < 17; i++) pins[i] = i, pins[17 + i] = 16 * 17 + i;
    assert_int_equal(pliant_scene_pin(scene, body, pins, 34, false, NULL), PLIANT_OK);
    assert_true(pliant__scene_tethers(scene, &found, NULL));
    for (size_t i = 0, end; i < found.count; i = end) {
        const pliant__draft_particle *at = scene->particles.data, *p = at + found.data[i].particle;
        const uint32_t                z = found.data[i].particle / 17;
        double                        nearest = 100;
        for (end = i; end < found.count && found.data[end].particle == found.data[i].particle; end++) {
            nearest = fmin(nearest, (double)found.data[end].rest);
            const double dx = (double)(at[found.data[end].pin].x.x - p->x.x), dz = (double)(at[found.data[end].pin].x.z - p->x.z);
            assert_true((double)found.data[end].rest >= sqrt(dx * dx + dz * dz) - 1e-5); /* never shorter than the shortest way */
            for (size_t k = i; k < end; k++) {
                const double ex = (double)(at[found.data[k].pin].x.x - p->x.x), ez = (double)(at[found.data[k].pin].x.z - p->x.z);
                assert_true(dx * ex + dz * ez <= 0.86603 * sqrt((dx * dx + dz * dz) * (ex * ex + ez * ez)));
            }
        }
        assert_in_range(end - i, 2, 4);
        near(nearest, z < 8 ? z : 16 - z, 1e-5);
    }
    array_free(&scene->allocator, &found);
    pliant_scene_destroy(scene);
}

/* ---- constraints one by one ---- */

static void constraints_one_by_one(void **unused)
{
    (void)unused;
    pliant_scene         *scene = new_scene();
    pliant_error          error;
    pliant_body           body = add_grid(scene, 1, 1, 3, 4);
    pliant_constraint_def def = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
    const size_t          first = scene->constraints.count;
    for (int i = 0; i < 2; i++) def.particles[i].body = body;
    def.particles[1].vertex = 3;
    def.measure = true;
    def.law.compliance = R(1e30);
    assert_int_equal(pliant_scene_add_constraint(scene, &def, &error).id, first + 1);
    assert_int_equal(pliant_scene_add_constraint(scene, &def, &error).id, first + 2);
    near((double)scene->constraints.data[first].parameters[0], 5, 4 * EPSILON);
    assert_int_equal(scene->constraints.data[first].law, scene->constraints.data[first + 1].law);
    assert_int_equal(scene->constraints.data[first].body, PLIANT__NONE);
    const uint64_t before = snapshot(scene);
    def.measure = false;
    def.parameters[0] = -1;
    assert_int_equal(pliant_scene_add_constraint(scene, &def, &error).id, 0);
    refuses(&error, "rest is -1");
    def.parameters[0] = 1;
    def.particles[1].vertex = 0;
    assert_int_equal(pliant_scene_add_constraint(scene, &def, &error).id, 0);
    refuses(&error, "one and the same");
    def.particles[1].vertex = 4;
    assert_int_equal(pliant_scene_add_constraint(scene, &def, &error).id, 0);
    refuses(&error, "there is no vertex 4");
    def.particles[1].body.id = 2;
    assert_int_equal(pliant_scene_add_constraint(scene, &def, &error).id, 0);
    refuses(&error, "no body 2");
    def.kind = PLIANT_CONSTRAINT_COUNT;
    assert_int_equal(pliant_scene_add_constraint(scene, &def, &error).id, 0);
    assert_true(before == snapshot(scene));
    pliant_user_constraint_def user = pliant_user_constraint_def_default();
    user.particles[0].body = body;
    user.row_count = 3;
    user.function = 15;
    assert_int_equal(pliant_scene_add_user_constraint(scene, &user, &error).id, first + 3);
    assert_int_equal(scene->constraints.data[first + 2].user, 1);
    user.row_count = 7;
    assert_int_equal(pliant_scene_add_user_constraint(scene, &user, &error).id, 0);
    user.row_count = 1;
    user.law.limited = true;
    user.law.limit = PLIANT_RANGE;
    assert_int_equal(pliant_scene_add_user_constraint(scene, &user, &error).id, 0);
    pliant_scene_destroy(scene);
}

static pliant_real next_number(pliant_real x, double towards)
{
    return sizeof x == 4 ? (pliant_real)nextafterf((float)x, (float)towards * HUGE_VALF)
                         : (pliant_real)nextafter((double)x, towards * HUGE_VAL);
}

/* Of every kind and parameter: both bounds of the table are taken, as this float writes them; the next number beyond is refused. */
static void bounds_of_parameters_are_taken(void **unused)
{
    (void)unused;
    pliant_scene     *scene = new_scene();
    pliant_error      error;
    const pliant_body body = add_grid(scene, 2, 2, 1, 1);
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)kind);
        pliant_constraint_def         def = pliant_constraint_def_default((pliant_constraint_kind)kind);
        for (uint32_t s = 0; s < info->slots; s++) def.particles[s].body = body, def.particles[s].vertex = s;
        for (uint32_t i = 0; i < info->parameter_count; i++) def.parameters[i] = (pliant_real)info->parameters[i].high;
        for (uint32_t i = 0; i < info->parameter_count; i++) {
            const pliant_real low = (pliant_real)info->parameters[i].low, high = (pliant_real)info->parameters[i].high;
            const pliant_real tried[] = {low, high, next_number(low, -1), next_number(high, 1)};
            for (int k = 0; k < 4; k++) {
                def.parameters[i] = tried[k];
                const bool good = pliant_scene_add_constraint(scene, &def, &error).id != 0;
                if (good != (k < 2))
                    fail_msg("%s of %s, %.9g, is %s: %s", info->parameters[i].name, info->name, (double)tried[k],
                             good ? "taken" : "refused", good ? "" : error.message);
                if (!good) refuses(&error, info->parameters[i].name);
            }
            def.parameters[i] = high;
        }
    }
    pliant_scene_destroy(scene);
}

static void laws_are_checked(void **unused)
{
    (void)unused;
    pliant_error error;
    pliant_law   law = pliant_law_default();
    assert_true(pliant__check_law(&law, PLIANT_CONSTRAINT_DISTANCE, "", &error));
#define BAD(kind, field, value, text)                                                \
    law = pliant_law_default();                                                      \
    law.field = value;                                                               \
    assert_false(pliant__check_law(&law, PLIANT_CONSTRAINT_##kind, "bend", &error)); \
    refuses(&error, text)
    BAD(DISTANCE, size, 0, "bend: this pliant_law was not filled by pliant_law_default");
    BAD(DISTANCE, compliance, R(-1), "bend: compliance must be >= 0 and finite");
    BAD(DISTANCE, compliance, NOT_A_NUMBER, "compliance");
    BAD(DISTANCE, compliance, INFINITE, "compliance");
    BAD(DISTANCE, damping, NOT_A_NUMBER, "damping");
    BAD(DISTANCE, stiffness, R(1.5), "stiffness must be from 0 to 1");
    BAD(DISTANCE, stiffness, NOT_A_NUMBER, "stiffness must be from 0 to 1");
    BAD(DISTANCE, given, 1u << PLIANT_MAX_NUMBERS, "bend: laws of distance have 0 numbers, and given has a bit of another one");
#undef BAD
    law = pliant_law_default();
    law.compliance = 1;
    law.stiffness = R(0.5);
    assert_false(pliant__check_law(&law, PLIANT_CONSTRAINT_DISTANCE, "", &error));
    refuses(&error, "do not go together");
    law = pliant_law_default();
    law.limited = true;
    law.limit = PLIANT_RANGE;
    law.range_max = R(1.1);
    assert_true(pliant__check_law(&law, PLIANT_CONSTRAINT_TRIANGLE_AREA, "", &error));
    assert_false(pliant__check_law(&law, PLIANT_CONSTRAINT_TET_VOLUME, "", &error));
    refuses(&error, "a tet_volume constraint has no range");
    law.range_min = R(1.2);
    assert_false(pliant__check_law(&law, PLIANT_CONSTRAINT_DISTANCE, "", &error));
    refuses(&error, "range_min <= range_max");
}

/* ---- materials ---- */

static void presets_are_valid_and_named(void **unused)
{
    (void)unused;
    for (int i = 0; i < PLIANT_PRESET_COUNT; i++) {
        pliant_error          error = {PLIANT_OK, 0, "", ""};
        const pliant_material m = pliant_material_preset((pliant_preset)i);
        assert_true(pliant__check_material(&m, &error));
        assert_string_equal(m.name, pliant_preset_name((pliant_preset)i));
        assert_true(pliant__check_law(&m.stretch, PLIANT_CONSTRAINT_DISTANCE, "", &error));
        assert_true(pliant__check_law(&m.bend, PLIANT_CONSTRAINT_DIHEDRAL_ANGLE, "", &error));
    }
    assert_null(pliant_preset_name(PLIANT_PRESET_COUNT));
}

/* What bends from flat is measured where it lies flat, and a tetrahedron where it is not inside out; C is 0 there. Elsewhere it has to be said. */
static void shapes_at_rest_are_measured(void **unused)
{
    static const struct {
        pliant_constraint_kind kind;
        double                 x[4][3];
        uint32_t               lifted; /* what is moved out of the shape that can rest */
        double                 by;     /* m, along y */
    } shapes[] = {{PLIANT_CONSTRAINT_LINE_BENDING, {{0.1, 0.2, 0.3}, {-0.1, 0.1, 0.7}, {0.6, 0.45, -0.7}}, 2, 0.01},
                  {PLIANT_CONSTRAINT_ISOMETRIC_BENDING, {{0, 1, 0}, {0.5, 1.5, 0.5}, {-0.2, 1.3, 0.6}, {1.1, 1.1625, -0.4}}, 3, 0.01},
                  {PLIANT_CONSTRAINT_TET_NEO_HOOKEAN, {{0, 1, 0}, {0.5, 1.5, 0.5}, {0.4, 2.1625, -0.1}, {0.4, 1.3, 1.1}}, 2, -2},
                  {PLIANT_CONSTRAINT_TET_COROTATED, {{0, 1, 0}, {0.5, 1.5, 0.5}, {0.4, 2.1625, -0.1}, {0.4, 1.3, 1.1}}, 2, -2},
                  {PLIANT_CONSTRAINT_TET_STVK, {{0, 1, 0}, {0.5, 1.5, 0.5}, {0.4, 2.1625, -0.1}, {0.4, 1.3, 1.1}}, 2, -2},
                  {PLIANT_CONSTRAINT_TET_STRAIN, {{0, 1, 0}, {0.5, 1.5, 0.5}, {0.4, 2.1625, -0.1}, {0.4, 1.3, 1.1}}, 2, -2},
                  {PLIANT_CONSTRAINT_TRIANGLE_STRAIN, {{0, 1, 0}, {0.5, 1, 0}, {1, 1.5, 0}}, 2, -0.5},
                  {PLIANT_CONSTRAINT_TRIANGLE_STVK, {{0, 1, 0}, {0.5, 1, 0}, {1, 1.5, 0}}, 2, -0.5}};
    (void)unused;
    uint32_t shaped = 0;
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++)
        shaped += (pliant_constraint_describe((pliant_constraint_kind)kind)->flags & PLIANT_ROW_SHAPED) != 0;
    assert_int_equal(shaped, sizeof shapes / sizeof *shapes);
    for (size_t i = 0; i < 2 * sizeof shapes / sizeof *shapes; i++) {
        const bool            bent = i % 2;
        const uint32_t        slots = pliant_constraint_describe(shapes[i / 2].kind)->slots;
        pliant_scene         *scene = new_scene();
        pliant_error          error;
        pliant_vec3           x[4];
        pliant_eval_input     in;
        pliant_eval_output    out;
        pliant_particles_def  def = pliant_particles_def_default();
        pliant_constraint_def row = pliant_constraint_def_default(shapes[i / 2].kind);
        memset(&in, 0, sizeof in);
        for (uint32_t s = 0; s < slots; s++) {
            x[s] = v3(R(shapes[i / 2].x[s][0]), R(shapes[i / 2].x[s][1]), R(shapes[i / 2].x[s][2]));
            if (bent && s == shapes[i / 2].lifted) x[s].y += R(shapes[i / 2].by);
            in.x[s][0] = x[s].x;
            in.x[s][1] = x[s].y;
            in.x[s][2] = x[s].z;
            in.w[s] = 1;
        }
        def.positions = x;
        def.count = slots;
        const pliant_body body = pliant_scene_add_particles(scene, &def, &error);
        for (uint32_t s = 0; s < slots; s++) row.particles[s] = (pliant_particle){body, s};
        row.measure = true;
        const bool added = pliant_scene_add_constraint(scene, &row, &error).id != 0;
        assert_true(added == !bent);
        if (bent)
            refuses(&error, slots == 3 || shapes[i / 2].by > 0 ? "are measured of what lies flat"
                                                               : "nor inside out: exchange two of its particles");
        in.dt = 1;
        in.law = pliant_law_default();
        const pliant_code code = pliant_constraint_measure(row.kind, (const pliant_real(*)[3])in.x, in.parameters);
        assert_int_equal(code, bent && shapes[i / 2].by < 0 ? PLIANT_ERROR_ARGUMENT : PLIANT_OK);
        if (code != PLIANT_OK) {
            pliant_scene_destroy(scene);
            continue;
        }
        assert_int_equal(pliant_constraint_eval(row.kind, &in, &out), PLIANT_OK);
        if (bent)
            assert_true(out.C[0] > R(0.005));
        else
            near((double)out.C[0], 0, 16 * EPSILON);
        pliant_scene_destroy(scene);
    }
}

/* A wing so low that its inverse is beyond what a row may have bends by its angle, whatever is asked for. */
static void slivers_bend_by_angles(void **unused)
{
    const pliant_vec3 x[5] = {v3(0, 0, 0), v3(1, 0, 0), v3(R(0.5), 0, 1), v3(R(0.5), 0, R(-5e-7)), v3(R(1.5), 0, 1)};
    const uint32_t    triangles[9] = {0, 2, 1, 0, 1, 3, 1, 2, 4};
    (void)unused;
    pliant_scene    *scene = new_scene();
    pliant_error     error;
    pliant_cloth_def def = pliant_cloth_def_default();
    def.mesh = pliant_mesh_view_of(x, sizeof *x, 5, triangles, 3);
    def.bend = PLIANT_BEND_ISOMETRIC;
    def.weld = false;
    assert_int_not_equal(pliant_scene_add_cloth(scene, &def, &error).id, 0);
    uint32_t count[PLIANT_CONSTRAINT_COUNT] = {0};
    for (size_t i = 0; i < scene->constraints.count; i++) count[scene->constraints.data[i].kind]++;
    assert_int_equal(count[PLIANT_CONSTRAINT_DIHEDRAL_ANGLE], 1);
    assert_int_equal(count[PLIANT_CONSTRAINT_ISOMETRIC_BENDING], 1);
    pliant_scene_destroy(scene);
}

static void another_material(void **unused)
{
    (void)unused;
    pliant_scene   *scene = new_scene();
    pliant_error    error;
    pliant_body     body = add_grid(scene, 4, 4, 1, 1), other = add_grid(scene, 4, 4, 1, 1);
    pliant_material m = pliant_material_preset(PLIANT_DENIM);
    const size_t    laws = scene->laws.count, constraints = scene->constraints.count;
    assert_int_equal(pliant_scene_set_material(scene, body, &m, &error), PLIANT_OK);
    assert_int_equal(scene->laws.count, laws);
    assert_int_equal(scene->constraints.count, constraints);
    near(total_mass(scene), 1.328, 1e-5);
    for (size_t i = 0; i < laws; i++) {
        const pliant__draft_law *law = &scene->laws.data[i];
        assert_string_equal(law->material, law->body == body.id - 1 ? "denim" : "");
        if (law->body == body.id - 1 && !strcmp(law->role, "shear"))
            assert_true(law->law.compliance == (pliant_real)(1 / (double)m.shear_stiffness)); /* of square cells */
    }
    const uint64_t before = snapshot(scene);
    m.bend.limited = true;
    m.bend.limit = PLIANT_RANGE;
    assert_int_equal(pliant_scene_set_material(scene, other, &m, &error), PLIANT_ERROR_ARGUMENT);
    refuses(&error, "bend: a dihedral_angle constraint has no range");
    m.density = 0;
    assert_int_equal(pliant_scene_set_material(scene, other, &m, &error), PLIANT_ERROR_ARGUMENT);
    refuses(&error, "density must be > 0");
    assert_true(before == snapshot(scene));
    pliant_scene_destroy(scene);
}

static void what_meets_bodies_has_a_thickness(void **unused)
{
    (void)unused;
    pliant_scene   *scene = new_scene();
    pliant_error    error;
    pliant_rope_def def = pliant_rope_def_default();
    pliant_material thin = def.material;
    def.segments = 3;
    def.to = v3(1, 0, 0);
    for (int itself = 0; itself < 2; itself++) {
        def.body.self_contact = itself;
        def.body.contact_mask = itself ? 0 : 0x80000000u;
        def.material.thickness = 0;
        const uint64_t before = snapshot(scene);
        assert_int_equal(pliant_scene_add_rope(scene, &def, &error).id, 0);
        refuses(&error, "needs a thickness");
        assert_true(before == snapshot(scene));
        def.material.thickness = (pliant_real)0.01;
        const pliant_body body = pliant_scene_add_rope(scene, &def, &error);
        assert_true(body.id);
        thin.thickness = 0;
        assert_int_equal(pliant_scene_set_material(scene, body, &thin, &error), PLIANT_ERROR_ARGUMENT);
        refuses(&error, "needs a thickness");
        thin.thickness = (pliant_real)0.02;
        assert_int_equal(pliant_scene_set_material(scene, body, &thin, &error), PLIANT_OK);
    }
    pliant_scene_destroy(scene);
}

/* ---- colliders and forces ---- */

static void colliders_and_forces(void **unused)
{
    (void)unused;
    pliant_scene       *scene = new_scene();
    pliant_error        error;
    const double        times[2] = {0, 1};
    pliant_pose         poses[2] = {pliant_pose_identity(), pliant_pose_identity()};
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_BOX);
    assert_int_equal(pliant_scene_add_floor(scene, -1, NULL).id, 1);
    assert_true(scene->colliders.data[0].def.pose.position.y == -1);
    const pliant_pose here = {{1, 2, 3}, {0, 0, 2, 0}}, unturned = {{0, 0, 0}, {0, 0, 0, 0}},
                      nowhere = {{0, NOT_A_NUMBER, 0}, {0, 0, 0, 1}};
    assert_int_equal(pliant_scene_add_sphere(scene, R(0.5), here, NULL).id, 2);
    assert_int_equal(pliant_scene_add_sphere(scene, 0, here, NULL).id, 0);
    assert_int_equal(pliant_scene_add_sphere(scene, 1, nowhere, NULL).id, 0);
    assert_int_equal(pliant_scene_add_capsule(scene, 1, 0, here, NULL).id, 3);
    assert_int_equal(pliant_scene_add_capsule(scene, 1, NOT_A_NUMBER, here, NULL).id, 0);
    assert_int_equal(pliant_scene_add_capsule(scene, 1, 0, unturned, NULL).id, 0);
    for (int i = 1; i < 3; i++) { /* it begins there, and not at the origin */
        const pliant_pose at = scene->colliders.data[i].def.pose;
        assert_true(at.position.x == 1 && at.position.y == 2 && at.position.z == 3 && at.rotation.z == 1 && at.rotation.w == 0);
    }
    poses[1].rotation.w = 2;
    def.key_times = times;
    def.key_poses = poses;
    def.key_count = 2;
    strcpy(def.name, "lid");
    assert_int_equal(pliant_scene_add_collider(scene, &def, &error).id, 4);
    assert_true(scene->collider_key_poses.data[1].rotation.w == 1);
    assert_null(scene->colliders.data[3].def.key_times);
    const uint64_t before = snapshot(scene);
    assert_int_equal(pliant_scene_add_collider(scene, &def, &error).id, 0);
    refuses(&error, "named \"lid\" already");
    strcpy(def.name, "");
    poses[1].rotation.w = 0;
    assert_int_equal(pliant_scene_add_collider(scene, &def, &error).id, 0);
    refuses(&error, "key 1 must be a quaternion");
    def.key_times = NULL;
    assert_int_equal(pliant_scene_add_collider(scene, &def, &error).id, 0);
    refuses(&error, "keys need");
    pliant_force_def force = pliant_force_def_default(PLIANT_FORCE_WIND);
    force.body.id = 1;
    assert_int_equal(pliant_scene_add_force(scene, &force, &error).id, 0);
    refuses(&error, "no body 1");
    force.body.id = 0;
    force.vector.y = INFINITE;
    assert_int_equal(pliant_scene_add_force(scene, &force, &error).id, 0);
    refuses(&error, "vector: y is not a finite number");
    assert_true(before == snapshot(scene));
    force.vector.y = 1;
    assert_int_equal(pliant_scene_add_force(scene, &force, &error).id, 1);
    assert_int_equal(pliant_scene_add_force(scene, &force, &error).id, 2);
    pliant_scene_destroy(scene);
}

/* ---- what is refused ---- */

static void uninitialised_defs_are_refused(void **unused)
{
    (void)unused;
    pliant_scene *scene = new_scene();
    pliant_error  error;
#define ZERO(type, call, failed)                            \
    {                                                       \
        type def;                                           \
        memset(&def, 0, sizeof def);                        \
        assert_int_equal(call, failed);                     \
        refuses(&error, "not filled by " #type "_default"); \
    }
    ZERO(pliant_cloth_def, pliant_scene_add_cloth(scene, &def, &error).id, 0)
    ZERO(pliant_soft_def, pliant_scene_add_soft(scene, &def, &error).id, 0)
    ZERO(pliant_rope_def, pliant_scene_add_rope(scene, &def, &error).id, 0)
    ZERO(pliant_particles_def, pliant_scene_add_particles(scene, &def, &error).id, 0)
    ZERO(pliant_constraint_def, pliant_scene_add_constraint(scene, &def, &error).id, 0)
    ZERO(pliant_user_constraint_def, pliant_scene_add_user_constraint(scene, &def, &error).id, 0)
    ZERO(pliant_collider_def, pliant_scene_add_collider(scene, &def, &error).id, 0)
    ZERO(pliant_force_def, pliant_scene_add_force(scene, &def, &error).id, 0)
    ZERO(pliant_scene_def, pliant_scene_create(&def, &error) != NULL, 0)
#undef ZERO
    pliant_cloth_def def = pliant_cloth_def_default();
    memset(&def.material, 0, sizeof def.material);
    assert_int_equal(pliant_scene_add_cloth(scene, &def, &error).id, 0);
    refuses(&error, "not filled by pliant_material_default");
    assert_int_equal(pliant_scene_add_cloth(scene, NULL, &error).id, 0);
    assert_int_equal(pliant_scene_add_cloth(NULL, &def, &error).id, 0);
    assert_int_equal(pliant_scene_remove_body(NULL, (pliant_body){1}), PLIANT_ERROR_ARGUMENT);
    pliant_scene_destroy(NULL);
    pliant_scene_destroy(scene);
}

static pliant_real mesh_x[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}, {0, 0, 0}, {5, 5, 5}};
static uint32_t    mesh_t[6] = {0, 2, 1, 0, 3, 2};

static void refuse_cloth(void (*spoil)(pliant_cloth_def *), const char *text)
{
    pliant_scene    *scene = new_scene();
    pliant_error     error;
    pliant_cloth_def def = pliant_cloth_def_default();
    add_grid(scene, 2, 2, 1, 1);
    def.mesh = pliant_mesh_view_of(mesh_x, sizeof *mesh_x, 4, mesh_t, 2);
    const uint64_t before = snapshot(scene);
    spoil(&def);
    assert_int_equal(pliant_scene_add_cloth(scene, &def, &error).id, 0);
    refuses(&error, text);
    assert_true(before == snapshot(scene));
    assert_int_equal(add_grid(scene, 3, 3, 1, 1).id, 2); /* and goes on as if nothing had been */
    assert_string_equal(scene->bodies.data[1].name, "body2");
    near(total_mass(scene), 2, 1e-5);
    pliant_scene_destroy(scene);
}

#define SPOIL(name, change) \
    static void name(pliant_cloth_def *d) { change; }
static pliant_real nan_x[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
static uint32_t    far_t[6] = {0, 2, 1, 0, 3, 9}, twice_t[6] = {0, 3, 3, 2, 2, 1}, sliver_t[6] = {0, 4, 2, 4, 0, 1};
static pliant_real bad_masses[4] = {1, 1, 0, 1};
SPOIL(with_nan, nan_x[2][0] = NOT_A_NUMBER; d->mesh.positions = nan_x)
SPOIL(with_far_index, d->mesh.triangles = far_t)
SPOIL(with_twice, d->mesh.triangles = twice_t)
SPOIL(with_sliver, d->mesh.triangles = sliver_t; d->mesh.vertex_count = 5)
SPOIL(with_no_faces, d->mesh.triangle_count = 0)
SPOIL(with_no_vertices, d->mesh.vertex_count = 0)
SPOIL(with_no_positions, d->mesh.positions = NULL)
SPOIL(with_null_faces, d->mesh.triangles = NULL)
SPOIL(with_stride, d->mesh.stride = 4)
SPOIL(with_masses, d->body.masses = bad_masses)
SPOIL(with_density, d->material.density = -1)
SPOIL(with_tiny_density, d->material.density = R(1e-38); d->body.placement.scale = v3(R(1e-3), R(1e-3), R(1e-3)))
SPOIL(with_scale, d->body.placement.scale.y = 0)
SPOIL(with_rotation, d->body.placement.rotation.w = 0)
SPOIL(with_velocity, d->body.velocity.z = INFINITE)
SPOIL(with_spin, d->body.spin.x = NOT_A_NUMBER)
SPOIL(with_name, memset(d->body.name, 'a', sizeof d->body.name))
SPOIL(with_taken_name, strcpy(d->body.name, "body1"))
SPOIL(with_control, strcpy(d->body.name, "a\nb"))
SPOIL(with_law, d->material.stretch.compliance = NOT_A_NUMBER)
SPOIL(with_bend, d->bend = (pliant_bend)7)
SPOIL(with_tether, d->tether = -1)
SPOIL(with_units, d->body.placement.scale = v3(R(1e8), 1, 1))
SPOIL(with_friction, d->material.friction_static = R(-0.5))
SPOIL(with_restitution, d->material.restitution = 2)
SPOIL(with_rolling_friction, d->material.rolling_friction = -2)
SPOIL(with_no_cells, memset(&d->mesh, 0, sizeof d->mesh); d->cells_x = 0)
SPOIL(with_many_cells, memset(&d->mesh, 0, sizeof d->mesh); d->cells_x = d->cells_z = UINT32_MAX)
SPOIL(with_cells, memset(&d->mesh, 0, sizeof d->mesh); d->cells_x = d->cells_z = 65536)

/* Vertices that no face uses keep their numbers and places, weigh nothing, and change nothing about the others. */
static void loose_vertices_are_anchors(void **unused)
{
    (void)unused;
    const pliant_real masses[6] = {1, 2, 3, 4, 5, 6};
    for (int given = 0; given < 2; given++) {
        pliant_scene    *scene = new_scene();
        pliant_cloth_def def = pliant_cloth_def_default();
        def.mesh = pliant_mesh_view_of(mesh_x, sizeof *mesh_x, 6, mesh_t, 2); /* 4 lies on 0, 5 far away */
        def.body.spin = v3(0, 1, 0);
        def.body.velocity = v3(0, 0, 1);
        if (given) def.body.masses = masses;
        pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
        assert_int_equal(body.id, 1);
        const pliant__draft_particle *loose = &scene->particles.data[scene->vertex_particle.data[5]];
        assert_int_equal(scene->particles.count, 5);
        assert_true(loose->pin == PLIANT__ANCHOR && loose->mass == 0 && loose->v.z == 0 && loose->x.x == 5);
        assert_int_equal(scene->vertex_particle.data[4], scene->vertex_particle.data[0]);
        near(total_mass(scene), given ? 15 : 1, 1e-5);
        pliant_model *model = pliant_scene_compile(scene, NULL);
        near(pliant_model_body(model, body).mass, given ? 15 : 1, 1e-5);
        assert_int_equal(pliant_model_body(model, body).vertex_count, 6);
        pliant_model_destroy(model);
        pliant_material heavy = pliant_material_default();
        heavy.density = 7;
        assert_int_equal(pliant_scene_set_material(scene, body, &heavy, NULL), PLIANT_OK);
        near(total_mass(scene), given ? 15 : 7, 1e-5);
        pliant_scene_destroy(scene);
    }
}

static void bad_cloth_is_refused(void **unused)
{
    (void)unused;
    refuse_cloth(with_nan, "vertex 2: x is not a finite number");
    refuse_cloth(with_far_index, "triangle 1 uses vertex 9 of a mesh with 4 vertices");
    refuse_cloth(with_twice, "nothing is left of it: triangle 0 uses vertex 3 twice");
    refuse_cloth(with_sliver, "nothing is left of it: triangle 0 has vertices 0 and 4 at one place");
    refuse_cloth(with_no_faces, "no triangles and no quads");
    refuse_cloth(with_no_vertices, "no vertices");
    refuse_cloth(with_no_positions, "no vertices");
    refuse_cloth(with_null_faces, "points to none");
    refuse_cloth(with_stride, "stride of 4 bytes");
    refuse_cloth(with_masses, "vertex 2: its mass must be > 0");
    refuse_cloth(with_density, "density must be > 0");
    if (sizeof(pliant_real) == 4) refuse_cloth(with_tiny_density, "out of range");
    refuse_cloth(with_scale, "placement.scale must not be 0");
    refuse_cloth(with_rotation, "placement.rotation must be a quaternion");
    refuse_cloth(with_velocity, "velocity: z is not a finite number");
    refuse_cloth(with_spin, "spin: x is not a finite number");
    refuse_cloth(with_name, "is not ended by a zero");
    refuse_cloth(with_taken_name, "named \"body1\" already");
    refuse_cloth(with_control, "control character");
    refuse_cloth(with_law, "stretch: compliance");
    refuse_cloth(with_bend, "bend is 7");
    refuse_cloth(with_tether, "tether must be >= 0");
    refuse_cloth(with_units, "check the units");
    refuse_cloth(with_friction, "friction_static must be >= 0");
    refuse_cloth(with_restitution, "restitution must be from 0 to 1");
    refuse_cloth(with_rolling_friction, "rolling_friction");
    refuse_cloth(with_no_cells, "at least one cell");
    refuse_cloth(with_many_cells, "too many vertices");
    refuse_cloth(with_cells, "too many");
}

static void bad_ropes_and_particles_are_refused(void **unused)
{
    (void)unused;
    pliant_scene        *scene = new_scene();
    pliant_error         error;
    pliant_rope_def      r = pliant_rope_def_default();
    pliant_particles_def p = pliant_particles_def_default();
    pliant_vec3          points[3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    pliant_real          w[3] = {1, -1, 0};
    const uint64_t       before = snapshot(scene);
    r.segments = 0;
    assert_int_equal(pliant_scene_add_rope(scene, &r, &error).id, 0);
    refuses(&error, "at least one segment");
    r.points = points;
    r.point_count = 3;
    assert_int_equal(pliant_scene_add_rope(scene, &r, &error).id, 0);
    refuses(&error, "segment 0 has no length, and no other one has");
    r.point_count = 1;
    assert_int_equal(pliant_scene_add_rope(scene, &r, &error).id, 0);
    refuses(&error, "at least two points");
    assert_int_equal(pliant_scene_add_particles(scene, &p, &error).id, 0);
    refuses(&error, "no particles");
    p.positions = points;
    p.count = 3;
    p.inverse_masses = w;
    assert_int_equal(pliant_scene_add_particles(scene, &p, &error).id, 0);
    refuses(&error, "particle 1: its inverse mass must be >= 0");
    points[0].y = NOT_A_NUMBER;
    p.inverse_masses = NULL;
    p.velocities = points;
    assert_int_equal(pliant_scene_add_particles(scene, &p, &error).id, 0);
    p.positions = (const pliant_vec3[3]){{0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    assert_int_equal(pliant_scene_add_particles(scene, &p, &error).id, 0);
    refuses(&error, "particle 0: its velocity is not finite");
    assert_true(before == snapshot(scene));
    pliant_scene_destroy(scene);
}

static void bodies_are_named_and_removed(void **unused)
{
    (void)unused;
    pliant_scene   *scene = new_scene();
    pliant_error    error;
    pliant_rope_def def = pliant_rope_def_default();
    const uint32_t  v = 0;
    strcpy(def.body.name, "body2");
    pliant_body a = pliant_scene_add_rope(scene, &def, &error);
    strcpy(def.body.name, "");
    pliant_body b = pliant_scene_add_rope(scene, &def, &error);
    assert_string_equal(scene->bodies.data[b.id - 1].name, "body3");
    assert_int_equal(pliant_scene_remove_body(scene, a), PLIANT_OK);
    assert_int_equal(pliant_scene_remove_body(scene, a), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_scene_pin(scene, a, &v, 1, true, &error), PLIANT_ERROR_ARGUMENT);
    refuses(&error, "the scene has no body 1 any more");
    strcpy(def.body.name, "body2");
    assert_int_equal(pliant_scene_add_rope(scene, &def, &error).id, 3);
    pliant_scene_destroy(scene);
}

/* ---- out of memory ---- */

typedef struct budget {
    size_t left, live;
} budget;

static void *budget_alloc(size_t bytes, size_t align, void *context)
{
    budget *b = context;
    if (!b->left) return NULL;
    b->left--;
    b->live++;
    return aligned_alloc(align, bytes);
}

static void budget_release(void *memory, void *context)
{
    ((budget *)context)->live--;
    free(memory);
}

static bool add_cloth(pliant_scene *scene, pliant_error *error)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    def.tether = 1;
    def.material.has_area = true;
    return pliant_scene_add_cloth(scene, &def, error).id;
}

static bool add_cloth_by_distance(pliant_scene *scene, pliant_error *error)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    def.bend = PLIANT_BEND_DISTANCE;
    def.mesh = pliant_mesh_view_of(mesh_x, sizeof *mesh_x, 4, mesh_t, 2);
    return pliant_scene_add_cloth(scene, &def, error).id;
}

static bool add_soft(pliant_scene *scene, pliant_error *error)
{
    pliant_soft_def def = pliant_soft_def_default();
    def.model = PLIANT_SOLID_DISTANCE;
    return pliant_scene_add_soft(scene, &def, error).id;
}

static bool add_soft_with_visual(pliant_scene *scene, pliant_error *error)
{
    pliant_soft_def def = pliant_soft_def_default();
    def.model = PLIANT_SOLID_DISTANCE;
    def.visual = pliant_mesh_view_of(mesh_x, sizeof *mesh_x, 4, mesh_t, 2);
    return pliant_scene_add_soft(scene, &def, error).id;
}

static bool add_rope(pliant_scene *scene, pliant_error *error)
{
    pliant_rope_def def = pliant_rope_def_default();
    def.tether = 1;
    return pliant_scene_add_rope(scene, &def, error).id;
}

static bool add_particles(pliant_scene *scene, pliant_error *error)
{
    const pliant_vec3    x[2] = {{0, 0, 0}, {1, 0, 0}};
    pliant_particles_def def = pliant_particles_def_default();
    def.positions = x;
    def.count = 2;
    return pliant_scene_add_particles(scene, &def, error).id;
}

static bool attach_soft(pliant_scene *scene, pliant_error *error)
{
    const uint32_t   v[20] = {0, 1, 2, 3};
    const pliant_law law = pliant_law_default();
    return pliant_scene_attach_soft(scene, (pliant_body){1}, v, 20, &law, NULL, error) == PLIANT_OK;
}

static bool attach_hard(pliant_scene *scene, pliant_error *error)
{
    const uint32_t v[20] = {0, 1, 2, 3};
    return pliant_scene_attach(scene, (pliant_body){1}, v, 20, error) == PLIANT_OK;
}

static bool add_constraint(pliant_scene *scene, pliant_error *error)
{
    pliant_constraint_def def = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
    def.particles[0].body.id = def.particles[1].body.id = 1;
    def.particles[1].vertex = 1;
    for (int i = 0; i < 100; i++) {
        def.law.compliance = R(i);
        if (!pliant_scene_add_constraint(scene, &def, error).id) return false;
    }
    return true;
}

static bool add_user(pliant_scene *scene, pliant_error *error)
{
    pliant_user_constraint_def def = pliant_user_constraint_def_default();
    def.particles[0].body.id = 1;
    return pliant_scene_add_user_constraint(scene, &def, error).id;
}

static bool add_collider(pliant_scene *scene, pliant_error *error)
{
    const double        times[1] = {0};
    const pliant_pose   pose = pliant_pose_identity();
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    def.key_times = times;
    def.key_poses = &pose;
    def.key_count = 1;
    return pliant_scene_add_collider(scene, &def, error).id;
}

static bool add_force(pliant_scene *scene, pliant_error *error)
{
    const pliant_force_def def = pliant_force_def_default(PLIANT_FORCE_BODY);
    return pliant_scene_add_force(scene, &def, error).id;
}

static bool find_tethers(pliant_scene *scene, pliant_error *error)
{
    pliant__tethers found = {NULL, 0, 0};
    const bool      ok = pliant__scene_tethers(scene, &found, error);
    array_free(&scene->allocator, &found);
    return ok;
}

/* Fails at the first allocation, then at the second, and so on, until there are enough; each time the scene must be as before, and in the
 * end nothing may be left. */
static void memory_runs_out(void **unused)
{
    bool (*const calls[])(pliant_scene *, pliant_error *) = {
        add_cloth,   add_cloth_by_distance, add_soft, add_soft_with_visual, add_rope,  add_particles, attach_soft,
        attach_hard, add_constraint,        add_user, add_collider,         add_force, find_tethers};
    (void)unused;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        budget           b = {SIZE_MAX, 0};
        pliant_scene_def def = pliant_scene_def_default();
        pliant_error     error = {PLIANT_OK, 0, "", ""};
        const uint32_t   pin = 40;
        def.allocator = (pliant_allocator){budget_alloc, budget_release, &b, NULL};
        b.left = 0;
        assert_null(pliant_scene_create(&def, &error));
        assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
        for (size_t n = 0;; n++) {
            b.left = SIZE_MAX;
            pliant_scene *scene = pliant_scene_create(&def, &error);
            assert_true(add_cloth(scene, &error));
            assert_int_equal(pliant_scene_pin(scene, (pliant_body){1}, &pin, 1, false, &error), PLIANT_OK);
            const uint64_t before = snapshot(scene);
            const size_t   constraints = scene->constraints.count;
            error.code = PLIANT_OK;
            b.left = n;
            const bool ok = calls[k](scene, &error);
            if (!ok) {
                assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
                if (calls[k] != add_constraint) assert_true(before == snapshot(scene));
                assert_true(scene->laws.count <= constraints + 100);
                b.left = SIZE_MAX;
                assert_true(calls[k](scene, &error));
            }
            pliant_scene_destroy(scene);
            assert_int_equal(b.live, 0);
            if (ok) break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_counts),
        cmocka_unit_test(grid_bends_by_distances_two_apart),
        cmocka_unit_test(grids_rest_alike),
        cmocka_unit_test(grid_lies_as_described),
        cmocka_unit_test(grid_is_symmetric),
        cmocka_unit_test(seams_are_welded),
        cmocka_unit_test(places_are_what_the_rule_says),
        cmocka_unit_test(welding_has_limits),
        cmocka_unit_test(near_vertices_are_welded),
        cmocka_unit_test(octahedron),
        cmocka_unit_test(edges_of_three_faces_bend_pairwise),
        cmocka_unit_test(masses_velocity_and_spin),
        cmocka_unit_test(placement_scales_rotates_moves),
        cmocka_unit_test(quads_are_cut_along_the_shorter_diagonal),
        cmocka_unit_test(lattice),
        cmocka_unit_test(lattice_numbers_as_described),
        cmocka_unit_test(inverted_tetrahedra),
        cmocka_unit_test(unused_vertices_of_tetrahedra_stay),
        cmocka_unit_test(visual_surface_rides_in_place),
        cmocka_unit_test(rope),
        cmocka_unit_test(loose_particles),
        cmocka_unit_test(pins_and_targets),
        cmocka_unit_test(tethers_go_the_shortest_way_to_every_pin),
        cmocka_unit_test(tethers_of_many_pins_are_few_and_well_aside),
        cmocka_unit_test(constraints_one_by_one),
        cmocka_unit_test(bounds_of_parameters_are_taken),
        cmocka_unit_test(laws_are_checked),
        cmocka_unit_test(presets_are_valid_and_named),
        cmocka_unit_test(shapes_at_rest_are_measured),
        cmocka_unit_test(slivers_bend_by_angles),
        cmocka_unit_test(another_material),
        cmocka_unit_test(what_meets_bodies_has_a_thickness),
        cmocka_unit_test(colliders_and_forces),
        cmocka_unit_test(uninitialised_defs_are_refused),
        cmocka_unit_test(loose_vertices_are_anchors),
        cmocka_unit_test(bad_cloth_is_refused),
        cmocka_unit_test(bad_ropes_and_particles_are_refused),
        cmocka_unit_test(bodies_are_named_and_removed),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
