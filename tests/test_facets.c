/* Colliders that are made of triangles: hulls, meshes and sheets. What holds for every shape is in test_collide.c. */
#include "collide/collide.h"
#include "shapes.h"

#define H60 (1.0 / 60)
#define G 9.81

static pliant_model *model_of(const pliant_collider_def *def)
{
    pliant_error  error = {0};
    pliant_scene *scene = pliant_scene_create(NULL, &error);
    if (!pliant_scene_add_collider(scene, def, &error).id) fail_msg("%s", error.message);
    pliant_model *model = pliant_scene_compile(scene, &error);
    pliant_scene_destroy(scene);
    assert_non_null(model);
    return model;
}

static pliant_collider_def def_of(pliant_shape type, const shape *s)
{
    pliant_collider_def def = pliant_collider_def_default(type);
    def.mesh = shape_view(s);
    return def;
}

/* `cells` squares of a metre in all, two triangles each, in the plane y = 0 about the origin, front up. */
static shape sheet(int cells)
{
    shape s = {0};
    for (int j = 0; j <= cells; j++)
        for (int i = 0; i <= cells; i++) shape_vertex(&s, (double)i / cells - 0.5, 0, (double)j / cells - 0.5);
    for (int j = 0; j < cells; j++)
        for (int i = 0; i < cells; i++) {
            const uint32_t a = (uint32_t)(j * (cells + 1) + i), b = a + 1, c = a + (uint32_t)cells + 1, d = c + 1;
            shape_triangle(&s, a, c, (i + j) % 2 ? b : d);
            shape_triangle(&s, (i + j) % 2 ? c : a, d, b);
        }
    return s;
}

/* ---- hulls ---- */

static double volume_of(const pliant_mesh_view *m)
{
    const pliant_vec3 *x = m->positions;
    double             sum = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        double p[3][3], n[3];
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++) p[k][i] = (double)(&x[m->triangles[3 * t + (size_t)k]].x)[i];
        cross3(p[1], p[2], n);
        sum += dot3(p[0], n) / 6;
    }
    return sum;
}

/* Corners of a hull are points that were given, all points are within, and its triangles close it. */
static void check_hull(const pliant_vec3 *x, size_t count, double tolerance)
{
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_HULL);
    def.mesh = pliant_mesh_view_of(x, sizeof *x, count, NULL, 0);
    pliant_model             *m = model_of(&def);
    const pliant__shape       s = pliant__shape_of(m, 0);
    const pliant_collider_def made = pliant_model_collider_at(m, 0, NULL);
    assert_true(s.facets.closed && volume_of(&made.mesh) > 0);
    assert_int_equal(made.mesh.triangle_count, 2 * made.mesh.vertex_count - 4); /* Euler */
    for (size_t i = 0; i < made.mesh.vertex_count; i++) {
        size_t k = 0;
        while (k < count && memcmp(&x[k], (const pliant_vec3 *)made.mesh.positions + i, sizeof *x)) k++;
        assert_true(k < count);
    }
    for (size_t i = 0; i < count; i++) assert_true((double)pliant__shape_nearest(&s, 0, x[i]).depth > -tolerance);
    pliant_model_destroy(m);
}

static void a_hull_holds_its_points(void **unused)
{
    enum { MOST = 400 };
    uint64_t    seed = 7;
    pliant_vec3 x[MOST];
    (void)unused;
    for (int round = 0; round < 300; round++) {
        const size_t count = 4 + (size_t)(chance(&seed) * (MOST - 4));
        const int    kind = round % 6;
        const double scale = round % 4 == 3 ? 1e4 : 1, far = round % 5 == 4 ? 1e3 : 0;
        for (size_t i = 0; i < count; i++) {
            double p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = 2 * chance(&seed) - 1;
                if (kind == 1) p[k] = (double)(int)(3 * p[k]) / 3; /* a lattice: repeated, on lines, in planes */
                if (kind == 2 && k == 1) p[k] *= 1e-3;             /* flat, but not too flat */
                if (kind == 3) p[k] = p[k] < 0 ? -1 : 1;           /* corners of a cube, again and again */
                if (kind == 4 && i > 20) p[k] = (double)(&x[i % 20].x)[k] / scale - far / scale;
            }
            if (kind == 5) { /* on a sphere */
                const double r = length3(p);
                for (int k = 0; k < 3; k++) p[k] /= r;
            }
            x[i] = vec(scale * p[0] + far, scale * p[1] + far, scale * p[2] + far);
        }
        for (size_t i = 0; i < 8 && kind != 2; i++) /* all of them have a body */
            if (i < count) x[i] = vec(scale * (i & 1 ? 1 : -1) + far, scale * (i & 2 ? 1 : -1) + far, scale * (i & 4 ? 1 : -1) + far);
        check_hull(x, count, 64 * EPSILON * (scale + far) + 1e-8 * scale);
    }
}

static void a_cube_is_twelve_triangles_whatever_lies_on_it(void **unused)
{
    pliant_vec3 x[125];
    (void)unused;
    for (int i = 0; i < 125; i++) x[i] = vec(i % 5 - 2, i / 5 % 5 - 2, i / 25 - 2);
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_HULL);
    def.mesh = pliant_mesh_view_of(x, sizeof *x, 125, NULL, 0);
    pliant_model             *m = model_of(&def);
    const pliant_collider_def made = pliant_model_collider_at(m, 0, NULL);
    assert_int_equal(made.mesh.vertex_count, 8);
    assert_int_equal(made.mesh.triangle_count, 12);
    near(volume_of(&made.mesh), 64, 1e-12);
    pliant_model_destroy(m);
}

/* ---- what is refused ---- */

static void refused(const pliant_collider_def *def, const char *message)
{
    pliant_error  error = {0};
    pliant_scene *scene = pliant_scene_create(NULL, &error);
    assert_int_equal(pliant_scene_add_collider(scene, def, &error).id, 0);
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    if (!strstr(error.message, message)) fail_msg("\"%s\" is not \"%s\"", error.message, message);
    pliant_model *empty = pliant_scene_compile(scene, &error); /* nothing of it is left */
    assert_int_equal(pliant_model_collider_count(empty), 0);
    pliant_model_destroy(empty);
    pliant_scene_destroy(scene);
}

static void hulls_without_a_body_are_refused(void **unused)
{
    pliant_vec3         x[9];
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_HULL);
    (void)unused;
    refused(&def, "the collider's mesh has no vertices");
    for (int i = 0; i < 9; i++) x[i] = vec(1, 2, 3);
    def.mesh = pliant_mesh_view_of(x, sizeof *x, 9, NULL, 0);
    refused(&def, "a hull needs points that are not all at one place; give a flat one some depth");
    for (int i = 0; i < 9; i++) x[i] = vec(i, 2 * i, 3 * i);
    refused(&def, "not all on one line");
    for (int i = 0; i < 9; i++) x[i] = vec(i % 3, i / 3, 0.3 * (i % 3) - 0.7 * (i / 3));
    refused(&def, "not all in one plane");
    x[4].y = R(NAN);
    refused(&def, "vertex 4 of the collider's mesh is not finite");
    x[4].y = R(1e20);
    refused(&def, "vertex 4 of the collider's mesh is farther than 1e15 m from its origin");
    def.mesh.stride = 4;
    refused(&def, "the stride of a mesh is at least that of three coordinates");
}

static void meshes_without_faces_are_refused(void **unused)
{
    static const uint32_t one[] = {0, 1, 2}, beyond[] = {0, 1, 3};
    pliant_vec3           x[3] = {vec(0, 0, 0), vec(1, 0, 0), vec(0, 0, 1)};
    pliant_collider_def   def = pliant_collider_def_default(PLIANT_SHAPE_MESH);
    (void)unused;
    def.mesh = pliant_mesh_view_of(x, sizeof *x, 3, NULL, 0);
    refused(&def, "the collider's mesh has no triangles and no quads");
    def.mesh.triangle_count = 1;
    refused(&def, "the collider's mesh counts triangles, but points to none");
    def.mesh.triangles = beyond;
    refused(&def, "triangle 0 uses vertex 3 of a mesh with 3 vertices");
    def.mesh.triangles = one;
    x[2] = x[1];
    refused(&def, "the collider's mesh has no face with three places");
}

/* ---- meshes ---- */

static bool is_finite(const pliant__hit *h) { return v3_finite(h->point) && v3_finite(h->normal) && r_finite(h->depth); }

/* Triangles without area, triangles there twice, and three that share an edge: sheets, and nothing that is not a number. */
static void poor_meshes_are_sheets(void **unused)
{
    static const uint32_t triangles[] = {0, 1, 2, 0, 1, 3, 0, 1, 4, 0, 1, 2, 1, 2, 5};
    const pliant_vec3     x[] = {vec(0, 0, 0), vec(2, 0, 0), vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1), vec(1, 1, 1)};
    uint64_t              seed = 3;
    (void)unused;
    for (size_t first = 0; first < 5; first++)
        for (size_t count = 1; first + count <= 5; count++) {
            pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_MESH);
            def.mesh = pliant_mesh_view_of(x, sizeof *x, 6, triangles + 3 * first, count);
            def.two_sided = count % 2;
            pliant_model       *m = model_of(&def);
            const pliant__shape s = pliant__shape_of(m, 0);
            assert_false(s.facets.closed);
            for (int i = 0; i < 400; i++) {
                pliant_vec3 a = vec(3 * chance(&seed) - 1, 3 * chance(&seed) - 1, 3 * chance(&seed) - 1), b = x[i % 6];
                pliant__hit hit = pliant__shape_nearest(&s, 0, i % 3 ? a : b);
                pliant_real time;
                assert_true(is_finite(&hit));
                if (pliant__shape_sweep(&s, R(0.01), a, b, &hit, &time)) assert_true(is_finite(&hit) && time >= 0 && time <= 1);
                if (pliant__shape_contact(&s, R(0.01), R(0.1), a, b, &hit)) assert_true(is_finite(&hit));
                if (pliant__shape_contact(&s, 0, R(0.1), b, a, &hit)) assert_true(is_finite(&hit));
            }
            pliant_model_destroy(m);
        }
}

/* How much lower than the sphere a ball's triangles are: the most of what their middles are. */
static double sagitta_of(const shape *s)
{
    double most = 0;
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        double middle[3] = {0, 0, 0};
        for (int k = 0; k < 9; k++) middle[k % 3] += (double)s->x[3 * s->triangles[3 * t + (uint32_t)k / 3] + (uint32_t)k % 3] / 3;
        most = fmax(most, 1 - length3(middle));
    }
    return most;
}

/* The corners of a fine ball lie on the sphere. */
static void a_fine_ball_is_a_sphere(void **unused)
{
    static const pliant_shape types[] = {PLIANT_SHAPE_HULL, PLIANT_SHAPE_MESH};
    const shape               s = ball(4, 0, 0, 0, 1);
    const pliant__shape       sphere = {.type = PLIANT_SHAPE_SPHERE, .radius = 1};
    const double              sagitta = 1.1 * sagitta_of(&s);
    uint64_t                  seed = 5;
    (void)unused;
    for (int k = 0; k < 2; k++) {
        pliant_collider_def def = def_of(types[k], &s);
        pliant_model       *m = model_of(&def);
        const pliant__shape made = pliant__shape_of(m, 0);
        assert_true(made.facets.closed);
        for (int i = 0; i < 3000; i++) {
            const pliant_vec3 p = vec(4 * chance(&seed) - 2, 4 * chance(&seed) - 2, 4 * chance(&seed) - 2), o = vec(0.1, 0.2, 0.1);
            const pliant_real grow = R(i % 2 ? 0.02 : 0);
            pliant__hit       a = pliant__shape_nearest(&made, grow, p), b = pliant__shape_nearest(&sphere, grow, p);
            pliant_real       t = 0, u = 0;
            near((double)a.depth, (double)b.depth, sagitta);
            if (v3_length(p) > R(0.3)) assert_true(v3_dot(a.normal, b.normal) > R(0.99));
            if (v3_length(p) < R(1.1)) continue;
            assert_true(pliant__shape_sweep(&made, grow, p, o, &a, &t) && pliant__shape_sweep(&sphere, grow, p, o, &b, &u));
            near((double)(t - u) * (double)v3_length(v3_sub(p, o)), 0, 1.1 * sagitta);
        }
        pliant_model_destroy(m);
    }
    shape_free((shape *)&s);
}

/* A path that leads through an edge or a corner of a sheet meets one of the triangles that share it. */
static void nothing_slips_through_a_seam(void **unused)
{
    const shape s = sheet(6);
    uint64_t    seed = 11;
    (void)unused;
    for (int two_sided = 0; two_sided < 2; two_sided++) {
        pliant_collider_def def = def_of(PLIANT_SHAPE_MESH, &s);
        def.two_sided = two_sided;
        pliant_model       *m = model_of(&def);
        const pliant__shape made = pliant__shape_of(m, 0);
        for (int i = 0; i < 20000; i++) {
            double q[3] = {0.98 * chance(&seed) - 0.49, 0, 0.98 * chance(&seed) - 0.49};
            if (i % 3) q[0] = (int)(q[0] * 6) / 6.0;
            if (i % 3 == 2) q[2] = (int)(q[2] * 6) / 6.0;
            const double to = pow(10, 4 * chance(&seed) - 2), sx = 2 * chance(&seed) - 1, sz = 2 * chance(&seed) - 1, up = i % 2 ? 1 : 0.01;
            const double from = 0.02 + to; /* it begins outside of what is `grow` near */
            const pliant_vec3 a = vec(q[0] - from * sx, up * from, q[2] - from * sz), b = vec(q[0] + to * sx, -up * to, q[2] + to * sz);
            const pliant_real grow = R(i % 5 ? 0 : 1e-4);
            pliant__hit       hit;
            assert_true(pliant__shape_contact(&made, grow, 0, a, b, &hit));
            near((double)hit.normal.y, 1, 1e-3);
            if (two_sided) {
                assert_true(pliant__shape_contact(&made, grow, 0, b, a, &hit));
                near((double)hit.normal.y, -1, 1e-3);
            }
        }
        pliant_model_destroy(m);
    }
    shape_free((shape *)&s);
}

/* What a sheet does with what is near, by side and by how far behind. */
static void a_sheet_keeps_its_sides(void **unused)
{
    const shape s = sheet(3);
    pliant__hit hit;
    (void)unused;
    for (int two_sided = 0; two_sided < 2; two_sided++) {
        pliant_collider_def def = def_of(PLIANT_SHAPE_MESH, &s);
        def.two_sided = two_sided;
        pliant_model       *m = model_of(&def);
        const pliant__shape made = pliant__shape_of(m, 0);
        const pliant_real   grow = R(0.01);
        /* in front, as near as it may not be */
        assert_true(pliant__shape_contact(&made, grow, R(1e-3), vec(0, 0.004, 0), vec(0, 0.005, 0), &hit));
        assert_true(hit.normal.y > 0 && fabs((double)hit.depth - 0.005) < 1e-6);
        /* and from there through it */
        assert_true(pliant__shape_contact(&made, grow, R(1e-3), vec(0, 0.004, 0), vec(0.1, -0.5, 0), &hit));
        assert_true(hit.normal.y > 0 && fabs((double)hit.depth - 0.51) < 1e-6);
        /* behind */
        assert_true(pliant__shape_contact(&made, grow, R(1e-3), vec(0, -0.004, 0), vec(0, -0.005, 0), &hit));
        assert_true((hit.normal.y > 0) == !two_sided);
        near((double)hit.depth, two_sided ? 0.005 : 0.015, 1e-6);
        /* farther behind, and from there through it */
        assert_int_equal(pliant__shape_contact(&made, grow, R(1e-3), vec(0, -0.05, 0), vec(0.1, 0.5, 0), &hit), two_sided);
        assert_true(!two_sided || hit.normal.y < 0);
        assert_false(pliant__shape_contact(&made, grow, R(1e-3), vec(0, -0.05, 0), vec(0.1, -0.05, 0), &hit));
        /* past its border, to behind it */
        assert_false(pliant__shape_contact(&made, grow, R(1e-3), vec(0.6, 0.1, 0), vec(0.6, -0.1, 0), &hit));
        assert_false(pliant__shape_contact(&made, grow, R(1e-3), vec(0.6, -0.02, 0), vec(0.45, -0.02, 0), &hit));
        pliant_model_destroy(m);
    }
    shape_free((shape *)&s);
}

/* ---- physics ---- */

/* A cloth falls on a ball and hangs over it: nothing of it is inside, and all widths and threads give the same bits. */
static uint64_t drape(pliant_shape type, uint32_t threads, double *deepest)
{
    const shape       s = ball(3, 0, 0, 0, 0.25);
    uint64_t          hash;
    trial             t;
    pliant_error      error = {0};
    pliant_solver_def sd = pliant_solver_def_default();
    trial_begin(&t, G, 10, 1);
    pliant_cloth_def cloth = pliant_cloth_def_default();
    cloth.cells_x = cloth.cells_z = 24;
    cloth.body.placement.position = vec(0.03, 0.3, 0.02);
    cloth.material = pliant_material_preset(PLIANT_COTTON);
    cloth.material.thickness = R(0.004);
    pliant_body         body = pliant_scene_add_cloth(t.scene, &cloth, &error);
    pliant_collider_def def = def_of(type, &s);
    add_collider(&t, &def);
    trial_compile(&t);
    pliant_solver_destroy(t.solver);
    sd.threads = threads;
    t.solver = pliant_solver_create(t.model, &sd, &error);
    const pliant__shape made = pliant__shape_of(t.model, 0);
    if (deepest) *deepest = 0;
    for (int frame = 0; frame < 90; frame++) {
        trial_run(&t, H60, 1);
        for (uint32_t v = 0; deepest && v < vertex_count(&t, body); v++) {
            double x[3];
            point_of(&t, body, v, x);
            const double depth = (double)pliant__shape_nearest(&made, R(0.004), vec(x[0], x[1], x[2])).depth;
            if (depth > *deepest) *deepest = depth;
        }
    }
    hash = pliant_state_hash(t.state);
    trial_end(&t);
    shape_free((shape *)&s);
    return hash;
}

static void a_cloth_lies_on_a_ball_of_triangles(void **unused)
{
    static const pliant_shape types[] = {PLIANT_SHAPE_HULL, PLIANT_SHAPE_MESH};
    (void)unused;
    for (int k = 0; k < 2; k++) {
        double         deepest;
        const uint64_t one = drape(types[k], 1, &deepest);
        near(deepest, 0, 2e-5);
        assert_true(drape(types[k], 2, NULL) == one);
        assert_true(drape(types[k], 5, NULL) == one);
    }
}

/* 50 m/s is 8 cm in a substep. The sheet has no thickness of its own; closed, one-sided and two-sided. */
static void a_fast_particle_stops_at_a_thin_mesh(void **unused)
{
    static const double x[2][3] = {{0.1, 1, 0.07}, {0, -1, 0}}, v[2][3] = {{3, -50, 1}, {0, 50, 0}};
    (void)unused;
    for (int kind = 0; kind < 3; kind++) {
        const shape         s = kind == 0 ? box(-2, -1e-4, -2, 2, 1e-4, 2) : sheet(5);
        pliant_collider_def def = def_of(PLIANT_SHAPE_MESH, &s);
        trial               t;
        double              at[3];
        trial_begin(&t, 0, 10, 1);
        pliant_material point = plain_material();
        point.thickness = R(0.001);
        def.two_sided = kind == 2;
        pliant_body body = add_points(&t, 2, x, v, NULL, &point);
        add_collider(&t, &def);
        trial_compile(&t);
        trial_run(&t, H60, 12);
        point_of(&t, body, 0, at);
        near(at[1], 0.001 + (kind ? 0 : 1e-4), 1e-6);
        point_of(&t, body, 1, at);
        if (kind == 1) /* from behind: let be */
            assert_true(at[1] > 5);
        else
            near(at[1], -0.001 - (kind ? 0 : 1e-4), 1e-6);
        trial_end(&t);
        shape_free((shape *)&s);
    }
}

/* A mesh that moves and turns pushes what is in its way, and takes what lies on it along. */
static void a_moving_mesh_pushes(void **unused)
{
    static const double x[1][3] = {{0.5, 0.5, 0.1}};
    (void)unused;
    for (int kind = 0; kind < 3; kind++) {
        const shape         s = kind < 2 ? box(-0.4, -0.02, -0.4, 0.4, 0.02, 0.4) : sheet(4);
        pliant_collider_def def = def_of(kind ? PLIANT_SHAPE_MESH : PLIANT_SHAPE_HULL, &s);
        trial               t;
        double              at[3];
        trial_begin(&t, 0, 10, 1);
        def.pose.position = vec(0.5, 0, 0);
        def.two_sided = kind == 2;
        def.thickness = R(0.01);
        pliant_body     body = add_points(&t, 1, x, NULL, NULL, NULL);
        pliant_collider c = add_collider(&t, &def);
        trial_compile(&t);
        const double skin = kind < 2 ? 0.03 : 0.01;
        for (int frame = 1; frame <= 30; frame++) { /* 6 m/s: ten centimetres a frame, up to 3 m */
            pliant_pose pose = {vec(0.5, 0.1 * frame, 0), {0, 0, 0, 1}};
            assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
            assert_int_equal(pliant_inputs_collider(t.inputs, c, &pose), PLIANT_OK);
            trial_step(&t);
            point_of(&t, body, 0, at);
            assert_true(at[1] > 0.1 * frame + skin - 1e-5);
        }
        near(at[1], 3 + skin, 0.02);
        trial_end(&t);
        shape_free((shape *)&s);
    }
}

/* Edges in a flat mesh are not felt: what slides without friction goes straight on, and with friction as on a plane. */
static void a_flat_mesh_is_a_plane(void **unused)
{
    static const double x[1][3] = {{-0.4, 0, 0.0333}}, v[1][3] = {{0.6, 0, 0.011}};
    (void)unused;
    for (int friction = 0; friction < 2; friction++) {
        double plane_at[3] = {0, 0, 0};
        for (int kind = 0; kind < 5; kind++) {
            const shape         s = kind == 1 || kind == 2 ? box(-0.5, -0.1, -0.5, 0.5, 0, 0.5) : sheet(7);
            pliant_collider_def def = kind ? def_of(kind == 1 ? PLIANT_SHAPE_HULL : PLIANT_SHAPE_MESH, &s) : plane_def(0, 0, 0, 0);
            trial               t;
            double              at[3], speed[3];
            trial_begin(&t, G, 10, 1);
            def.friction_static = def.friction_dynamic = R(friction ? 0.03 : 0);
            def.two_sided = kind == 4;
            def.thickness = R(0.005);
            def.pose.position.y = R(-0.005);
            pliant_body body = add_points(&t, 1, x, v, NULL, NULL);
            add_collider(&t, &def);
            trial_compile(&t);
            trial_run(&t, H60, 60);
            point_of(&t, body, 0, at);
            speed_of(&t, body, 0, speed);
            if (!kind) memcpy(plane_at, at, sizeof at);
            for (int k = 0; k < 3; k++) near(at[k], plane_at[k], 2e-5);
            near(speed[1], 0, 1e-4);
            trial_end(&t);
            shape_free((shape *)&s);
        }
    }
}

/* At rest for four seconds on a sheet, which has no inside: it stays on its side. */
static void what_rests_on_a_sheet_stays(void **unused)
{
    static const double x[2][3] = {{0.0, 0.2, 0.0}, {0.11, 0.01, -0.2}};
    (void)unused;
    for (int two_sided = 0; two_sided < 2; two_sided++)
        for (int thin = 0; thin < 2; thin++) {
            const shape         s = sheet(2);
            pliant_collider_def def = def_of(PLIANT_SHAPE_MESH, &s);
            trial               t;
            trial_begin(&t, G, 10, 1);
            def.two_sided = two_sided;
            def.thickness = R(thin ? 0 : 0.005);
            pliant_body body = add_points(&t, 2, x, NULL, NULL, NULL);
            add_collider(&t, &def);
            trial_compile(&t);
            trial_run(&t, H60, 240);
            for (uint32_t i = 0; i < 2; i++) {
                double at[3];
                point_of(&t, body, i, at);
                near(at[1], thin ? 0 : 0.005, 1e-5);
            }
            trial_end(&t);
            shape_free((shape *)&s);
        }
}

/* ---- height fields ---- */

static void poor_height_fields_are_refused(void **unused)
{
    pliant_real         height[4] = {0, 1, 2, 3};
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_HEIGHT_FIELD);
    (void)unused;
    refused(&def, "a height field has two rows and two columns at least");
    def.heights = height;
    def.columns = 4;
    def.rows = 1;
    refused(&def, "a height field has two rows and two columns at least");
    def.columns = def.rows = 2;
    height[3] = R(NAN);
    refused(&def, "the height of row 1, column 1 is not a number of metres up to 1e15");
    height[3] = 0;
    def.cell = 0;
    refused(&def, "cell");
    def.cell = R(1e15);
    refused(&def, "cell times columns or rows");
    def.cell = 1;
    def.columns = def.rows = 60000;
    refused(&def, "a height field has 536870911 heights at most");
}

/* Hills of two waves. */
static double hill(double x, double z) { return 0.3 * sin(2 * x) * cos(3 * z); }

static pliant_collider_def hills(pliant_real *height, uint32_t columns, uint32_t rows, double cell)
{
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_HEIGHT_FIELD);
    for (uint32_t j = 0; j < rows; j++)
        for (uint32_t i = 0; i < columns; i++) height[j * columns + i] = R(hill(i * cell, j * cell));
    def.heights = height;
    def.columns = columns;
    def.rows = rows;
    def.cell = R(cell);
    return def;
}

/* Columns and rows of all numbers, even and odd: a particle dropped on any place of any cell rests where it fell, at the height there, by
 * friction; and none on what is beside it. */
static void what_falls_on_a_height_field_rests_at_its_height(void **unused)
{
    enum { N = 200 };
    pliant_real height[12 * 12];
    uint64_t    seed = 9;
    (void)unused;
    for (uint32_t columns = 2; columns <= 12; columns += 2 + columns % 3) {
        const uint32_t      rows = 13 - columns < 2 ? 2 : 13 - columns;
        pliant_collider_def def = hills(height, columns, rows, 0.1);
        double              x[N + 1][3] = {{0}};
        trial               t;
        trial_begin(&t, G, 10, 1);
        def.friction_static = def.friction_dynamic = 10;
        for (int i = 0; i < N; i++) {
            x[i][0] = 0.01 + chance(&seed) * (0.1 * (columns - 1) - 0.02);
            x[i][1] = 0.5;
            x[i][2] = 0.01 + chance(&seed) * (0.1 * (rows - 1) - 0.02);
        }
        x[N][0] = -0.05;
        pliant_material point = plain_material();
        point.friction_static = point.friction_dynamic = 10;
        pliant_body     body = add_points(&t, N + 1, x, NULL, NULL, &point);
        pliant_collider c = add_collider(&t, &def);
        trial_compile(&t);
        const pliant__shape made = pliant__shape_of(t.model, 0);
        (void)c;
        trial_run(&t, H60, 60);
        for (uint32_t i = 0; i < N; i++) {
            double at[3];
            point_of(&t, body, i, at);
            near(at[0], x[i][0], 5e-3); /* it lands within a substep, and what that does along the slope is undone */
            near(at[2], x[i][2], 5e-3);
            near((double)pliant__shape_nearest(&made, 0, vec(at[0], at[1], at[2])).depth, 0, 1e-5);
            near(at[1], hill(at[0], at[2]), 0.01); /* cells are flat, hills are not */
        }
        double fallen[3];
        point_of(&t, body, N, fallen);
        assert_true(fallen[1] < -3);
        trial_end(&t);
    }
}

/* From above, it does what an open mesh of the same triangles does. */
static void a_field_is_the_mesh_of_its_cells(void **unused)
{
    enum { C = 21, D = 14 };
    pliant_real         height[C * D];
    pliant_collider_def def = hills(height, C, D, 0.15);
    pliant_model       *m = model_of(&def);
    const pliant__shape made = pliant__shape_of(m, 0);
    uint64_t            seed = 21;
    shape               s = {0};
    (void)unused;
    for (int i = 0; i < C * D; i++)
        shape_vertex(&s, (double)((pliant_real)(i % C) * def.cell), (double)height[i], (double)((pliant_real)(i / C) * def.cell));
    for (uint32_t j = 0; j + 1 < D; j++)
        for (uint32_t i = 0; i + 1 < C; i++) {
            const uint32_t a = j * C + i, b = a + 1, c = a + C, d = c + 1;
            shape_triangle(&s, a, c, (i + j) % 2 ? b : d);
            shape_triangle(&s, (i + j) % 2 ? c : a, d, b);
        }
    pliant_collider_def open = def_of(PLIANT_SHAPE_MESH, &s);
    pliant_model       *other = model_of(&open);
    const pliant__shape sheet_of_it = pliant__shape_of(other, 0);
    for (int i = 0; i < 5000; i++) {
        const pliant_vec3 p = vec(0.5 + 2 * chance(&seed), 0.31 + chance(&seed), 0.5 + 1 * chance(&seed));
        const pliant_vec3 q = vec(0.5 + 2 * chance(&seed), -0.5, 0.5 + 1 * chance(&seed));
        const pliant_real grow = R(0.02);
        pliant__hit       a = pliant__shape_nearest(&made, grow, p), b = pliant__shape_nearest(&sheet_of_it, grow, p);
        pliant_real       u = 0, v = 0;
        near((double)v3_length(v3_sub(a.point, b.point)), 0, 2e-6);
        if (a.depth > -R(1e-3)) continue;
        assert_true(pliant__shape_sweep(&made, grow, p, q, &a, &u) && pliant__shape_sweep(&sheet_of_it, grow, p, q, &b, &v));
        near((double)u, (double)v, 2e-6);
        near((double)v3_dot(a.normal, b.normal), 1, 1e-5);
    }
    pliant_model_destroy(m);
    pliant_model_destroy(other);
    shape_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hull_holds_its_points),
        cmocka_unit_test(a_cube_is_twelve_triangles_whatever_lies_on_it),
        cmocka_unit_test(hulls_without_a_body_are_refused),
        cmocka_unit_test(meshes_without_faces_are_refused),
        cmocka_unit_test(poor_meshes_are_sheets),
        cmocka_unit_test(a_fine_ball_is_a_sphere),
        cmocka_unit_test(nothing_slips_through_a_seam),
        cmocka_unit_test(a_sheet_keeps_its_sides),
        cmocka_unit_test(a_cloth_lies_on_a_ball_of_triangles),
        cmocka_unit_test(a_fast_particle_stops_at_a_thin_mesh),
        cmocka_unit_test(a_moving_mesh_pushes),
        cmocka_unit_test(a_flat_mesh_is_a_plane),
        cmocka_unit_test(what_rests_on_a_sheet_stays),
        cmocka_unit_test(poor_height_fields_are_refused),
        cmocka_unit_test(what_falls_on_a_height_field_rests_at_its_height),
        cmocka_unit_test(a_field_is_the_mesh_of_its_cells),
    };
    return cmocka_run_group_tests_name("facets", tests, NULL, NULL);
}
