/* Fields of distances: what is computed from a mesh, against every triangle of it and the solid angle that they fill; what is between the values, against
 * looking at every place of a path; the file; and what falls on it. */
#include "base/hash.h"
#include "collide/distances.h"
#include "files.h"
#include "pliant/io.h"
#include "shapes.h"

#define H60 (1.0 / 60)
#define G 9.81
#define FIELD_HASH 0x10519935450b44a4u

static uint64_t seed = 5;

static double uniform(double low, double high) { return low + (high - low) * chance(&seed); }

/* ---- distances to a mesh ---- */

static void corner(const shape *s, uint32_t t, uint32_t k, double x[3])
{
    for (int i = 0; i < 3; i++) x[i] = (double)s->x[3 * (size_t)s->triangles[3 * (size_t)t + k] + (size_t)i];
}

static double from_segment(const double p[3], const double a[3], const double b[3])
{
    double u[3], w[3], off[3];
    for (int i = 0; i < 3; i++) u[i] = b[i] - a[i], w[i] = p[i] - a[i];
    const double t = fmin(fmax(dot3(w, u) / dot3(u, u), 0), 1);
    for (int i = 0; i < 3; i++) off[i] = w[i] - t * u[i];
    return length3(off);
}

static double from_triangle(const double p[3], double x[3][3])
{
    double u[3], v[3], n[3], w[3][3], c[3];
    bool   over = true;
    for (int i = 0; i < 3; i++) u[i] = x[1][i] - x[0][i], v[i] = x[2][i] - x[0][i];
    cross3(u, v, n);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) w[k][i] = x[k][i] - p[i];
    for (int k = 0; k < 3; k++) {
        cross3(w[k], w[(k + 1) % 3], c);
        over = over && dot3(c, n) > 0;
    }
    if (over) return fabs(dot3(w[0], n)) / length3(n);
    return fmin(from_segment(p, x[0], x[1]), fmin(from_segment(p, x[1], x[2]), from_segment(p, x[2], x[0])));
}

/* Inside is what sees the surface all around (van Oosterom and Strackee 1983). */
static double from_shape(const shape *s, const double p[3])
{
    double least = DBL_MAX, angle = 0;
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        double x[3][3], w[3][3], c[3], l[3];
        for (uint32_t k = 0; k < 3; k++) {
            corner(s, t, k, x[k]);
            for (int i = 0; i < 3; i++) w[k][i] = x[k][i] - p[i];
            l[k] = length3(w[k]);
        }
        least = fmin(least, from_triangle(p, x));
        cross3(w[0], w[1], c);
        angle += 2 * atan2(dot3(c, w[2]), l[0] * l[1] * l[2] + dot3(w[0], w[1]) * l[2] + dot3(w[1], w[2]) * l[0] + dot3(w[2], w[0]) * l[1]);
    }
    return fabs(angle) > 6.283185307179586 ? -least : least;
}

/* A ball with its corners drawn in by chance: not convex, with sharp edges and spikes. */
static shape star(int cuts, double least)
{
    shape s = ball(cuts, 0, 0, 0, 1);
    for (uint32_t v = 0; v < s.vertex_count; v++) {
        const double r = uniform(least, 1);
        for (int k = 0; k < 3; k++) s.x[3 * v + (uint32_t)k] *= R(r);
    }
    return s;
}

static pliant_field field_of(const shape *s, double cell, double margin)
{
    const pliant_mesh_view view = shape_view(s);
    pliant_field           f;
    pliant_error           error = {0};
    if (pliant_field_from_mesh(&view, R(cell), R(margin), &f, &error) != PLIANT_OK) fail_msg("%s", error.message);
    return f;
}

static void place_of(const pliant_field *f, size_t n, double p[3])
{
    const size_t at[3] = {n % f->count[0], n / f->count[0] % f->count[1], n / f->count[0] / f->count[1]};
    const double origin[3] = {(double)f->origin.x, (double)f->origin.y, (double)f->origin.z};
    for (int k = 0; k < 3; k++) p[k] = origin[k] + (double)at[k] * (double)f->cell;
}

static size_t values_of(const pliant_field *f) { return (size_t)f->count[0] * f->count[1] * f->count[2]; }

static void values_are_distances(void **state)
{
    (void)state;
    for (int round = 0; round < 9; round++) {
        shape s = round < 6    ? star(round / 2 % 3, round % 2 ? 0.1 : 0.7)
                  : round == 6 ? box(-1, -0.01, -1, 1, 0.02, 1)
                               : ball(2, 0, 0, 0, 1);
        if (round == 8) { /* one in another, the inner one turned: a hollow */
            shape inner = ball(1, 0, 0, 0, 0.5);
            shape_turn(&inner, 0, inner.triangle_count);
            shape_add(&s, &inner);
            shape_free(&inner);
        }
        pliant_field f = field_of(&s, 0.17, 0.2);
        int          inside = 0;
        for (size_t n = 0; n < values_of(&f); n++) {
            double p[3];
            place_of(&f, n, p);
            const double expected = from_shape(&s, p);
            inside += expected < 0;
            near((double)f.distance[n], expected, 1e-6);
        }
        assert_true(inside > 5 || round == 6);
        pliant_field_free(&f);
        shape_free(&s);
    }
}

/* On the surface itself a value is 0, and near it the sign is right however sharp the corner is: just off spikes and edges. */
static void signs_are_right_at_spikes(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        shape        s = {0};
        const double high = uniform(0.5, 20);
        for (int i = 0; i < 3; i++) shape_vertex(&s, cos(2.1 * i) * uniform(0.05, 1), 0, sin(2.1 * i) * uniform(0.05, 1));
        shape_vertex(&s, uniform(-3, 3), high, uniform(-3, 3));
        shape_triangle(&s, 0, 1, 2);
        shape_triangle(&s, 0, 3, 1);
        shape_triangle(&s, 1, 3, 2);
        shape_triangle(&s, 2, 3, 0);
        pliant_field f = field_of(&s, high / 6, high / 6);
        for (size_t n = 0; n < values_of(&f); n++) {
            double p[3];
            place_of(&f, n, p);
            const double expected = from_shape(&s, p);
            if (fabs(expected) > 1e-6 * high) near((double)f.distance[n], expected, 1e-5 * high);
        }
        pliant_field_free(&f);
        shape_free(&s);
    }
}

/* Two balls that cut through each other are one solid: inside is what is in either. */
static void what_crosses_itself_is_one_solid(void **state)
{
    (void)state;
    shape one = ball(3, 0, 0, 0, 0.5), other = ball(3, 0.6, 0.1, 0, 0.4), both = ball(3, 0, 0, 0, 0.5);
    shape_add(&both, &other);
    pliant_field f = field_of(&both, 0.05, 0.1);
    int          inside = 0;
    for (size_t n = 0; n < values_of(&f); n++) {
        double p[3];
        place_of(&f, n, p);
        const double a = from_shape(&one, p), b = from_shape(&other, p);
        near(fabs((double)f.distance[n]), fmin(fabs(a), fabs(b)), 1e-6);
        if (fabs((double)f.distance[n]) > 0.03) assert_true((f.distance[n] < 0) == (a < 0 || b < 0));
        inside += a < -0.05 && b < -0.05;
    }
    assert_true(inside > 20);
    pliant_field_free(&f);
    shape_free(&one);
    shape_free(&other);
    shape_free(&both);
}

/* The same bits on every machine. */
static void a_field_has_its_hash(void **state)
{
    (void)state;
    shape s = star(2, 0.5);
    for (uint32_t i = 0; i < 3 * s.vertex_count; i++) s.x[i] = R((double)(int)(1024 * (double)s.x[i]) / 1024); /* float and double alike */
    pliant_field f = field_of(&s, 0.125, 0.25);
    assert_int_equal(pliant__hash(f.distance, 4 * values_of(&f), 0), FIELD_HASH);
    pliant_field_free(&f);
    shape_free(&s);
}

static void refused(const shape *s, double cell, double margin, const char *message)
{
    const pliant_mesh_view view = shape_view(s);
    pliant_field           f;
    pliant_error           error = {0};
    assert_int_not_equal(pliant_field_from_mesh(&view, R(cell), R(margin), &f, &error), PLIANT_OK);
    if (!strstr(error.message, message)) fail_msg("\"%s\" is not \"%s\"", error.message, message);
}

static void surfaces_without_an_inside_are_refused(void **state)
{
    (void)state;
    shape s = ball(1, 0, 0, 0, 1), other = box(0, 0, 0, 1, 1, 1), beside = box(1, 1, 0, 2, 2, 1);
    refused(&s, 0, 1, "a field's cell is longer than 0");
    refused(&s, NAN, 1, "a field's cell is longer than 0");
    refused(&s, 0.1, 0.05, "a field's margin is at least one cell");
    refused(&s, 1e-5, 0.1, "take a larger one");
    shape_turn(&s, 3, 1);
    refused(&s, 0.1, 0.1, "turned against each other");
    shape_turn(&s, 3, 1);
    shape_turn(&s, 0, s.triangle_count);
    refused(&s, 0.1, 0.1, "inside out");
    s.triangle_count--;
    refused(&s, 0.1, 0.1, "the surface is not closed: 1 face at the edge between vertices");
    shape_add(&other, &beside); /* they share an edge by its places */
    refused(&other, 0.1, 0.1, "4 faces at the edge between vertices");
    s.x[0] = R(NAN);
    refused(&s, 0.1, 0.1, "vertex 0 is not finite");
    s.triangle_count = 0;
    refused(&s, 0.1, 0.1, "no faces");
    shape_free(&s);
    shape_free(&other);
    shape_free(&beside);
}

/* ---- between the values ---- */

enum { SIDE = 9 };

/* Values as rough as they may be, with a hull of positive ones. */
static pliant__field rough(float values[SIDE * SIDE * SIDE])
{
    const pliant__field f = {v3(R(-0.7), R(0.2), R(1)), R(0.25), {SIDE, SIDE, SIDE}, values};
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        const int at[3] = {n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE}, stride[3] = {1, SIDE, SIDE * SIDE};
        double    low = -0.6, high = 0.15;
        for (int k = 0; k < 3; k++) {
            if (at[k]) low = fmax(low, (double)values[n - stride[k]] - 0.25), high = fmin(high, (double)values[n - stride[k]] + 0.25);
            low = fmax(low, 0.05 - 0.25 * (at[k] < SIDE - 1 - at[k] ? at[k] : SIDE - 1 - at[k]));
        }
        values[n] = (float)(low < high ? uniform(low, high) : low);
    }
    return f;
}

/* Of eight corners, each by its part of the cell. */
static double value_at(const pliant__field *f, const double p[3])
{
    double       sum = 0, u[3];
    int          at[3];
    const double origin[3] = {(double)f->origin.x, (double)f->origin.y, (double)f->origin.z};
    for (int k = 0; k < 3; k++) {
        u[k] = (p[k] - origin[k]) / (double)f->cell;
        if (u[k] < 0 || u[k] > SIDE - 1) return DBL_MAX;
        at[k] = u[k] < SIDE - 1 ? (int)u[k] : SIDE - 2;
        u[k] -= at[k];
    }
    for (int c = 0; c < 8; c++) {
        double weight = 1;
        for (int k = 0; k < 3; k++) weight *= c >> k & 1 ? u[k] : 1 - u[k];
        sum += weight * (double)f->distance[at[0] + (c & 1) + SIDE * (at[1] + (c >> 1 & 1) + SIDE * (at[2] + (c >> 2)))];
    }
    return sum;
}

static void random_place(double p[3], double reach)
{
    for (int k = 0; k < 3; k++) p[k] = (k == 0 ? 0.3 : k == 1 ? 1.2 : 2) + uniform(-reach, reach);
}

static void a_path_enters_where_it_first_gets_there(void **state)
{
    (void)state;
    static float values[SIDE * SIDE * SIDE];
    int          entered = 0, passed = 0;
    for (int round = 0; round < 400; round++) {
        const pliant__field f = rough(values);
        const double        grow = round % 2 ? 0 : uniform(0, 0.04), touch = 1e-7;
        for (int i = 0; i < 50; i++) {
            double           a[3], b[3], time = 2, first = 2;
            pliant__wide_hit hit;
            random_place(a, 2);
            random_place(b, i % 2 ? 1 : 2);
            if (i % 7 == 0) b[i % 3] = a[i % 3]; /* along walls of cells */
            if (i % 14 == 0) a[(i + 1) % 3] = b[(i + 1) % 3] = (double)(&f.origin.x)[(i + 1) % 3] + 0.5;
            const double start = value_at(&f, a) - grow;
            if (fabs(start) < 1e-4) continue;
            const bool found = pliant__field_sweep(&f, grow, touch, d3(a[0], a[1], a[2]), d3(b[0], b[1], b[2]), &hit, &time);
            if (start < 0) {
                assert_false(found);
                continue;
            }
            for (int k = 0; k <= 2000 && first > 1; k++) {
                double p[3];
                for (int c = 0; c < 3; c++) p[c] = a[c] + k / 2000.0 * (b[c] - a[c]);
                if (value_at(&f, p) < grow) first = k / 2000.0;
            }
            if (first <= 1) assert_true(found && time <= first);
            if (found) {
                const double p[3] = {hit.point.x, hit.point.y, hit.point.z};
                near(value_at(&f, p), grow, 1e-9);
                for (int c = 0; c < 3; c++) near(p[c], a[c] + time * (b[c] - a[c]), 1e-12);
                assert_true(time >= 0 && time <= 1);
                near(d3_dot(hit.normal, hit.normal), 1, 1e-12);
            }
            entered += found;
            passed += !found;
        }
    }
    if (!(entered > 2000 && passed > 2000)) fail_msg("%d entered, %d passed", entered, passed);
}

static void the_gradient_is_the_fields(void **state)
{
    (void)state;
    static float        values[SIDE * SIDE * SIDE];
    const pliant__field f = rough(values);
    for (int i = 0; i < 5000; i++) {
        double     p[3], slope[3];
        pliant__d3 g;
        random_place(p, i % 2 ? 0.9 : 3);
        const double here = pliant__field_at(&f, d3(p[0], p[1], p[2]), &g), step = 1e-6;
        if (value_at(&f, p) < DBL_MAX) near(here, value_at(&f, p), 1e-12);
        for (int k = 0; k < 3; k++) {
            const double e[3] = {k == 0 ? step : 0, k == 1 ? step : 0, k == 2 ? step : 0};
            slope[k] = (pliant__field_at(&f, d3(p[0] + e[0], p[1] + e[1], p[2] + e[2]), NULL) -
                        pliant__field_at(&f, d3(p[0] - e[0], p[1] - e[1], p[2] - e[2]), NULL)) /
                       (2 * step);
        }
        assert_true(length3(slope) <= PLIANT__FIELD_SLOPE + 1e-6);
        if (fabs(slope[0] - g.x) + fabs(slope[1] - g.y) + fabs(slope[2] - g.z) > 1e-4) { /* at a wall of a cell, perhaps */
            bool wall = false;
            for (int k = 0; k < 3; k++) {
                const double u = (p[k] - (double)(&f.origin.x)[k]) / (double)f.cell;
                wall |= fabs(u - floor(u + 0.5)) < 1e-4;
            }
            assert_true(wall);
        }
    }
}

/* ---- a shape like others ---- */

typedef struct made {
    shape         mesh;
    pliant_field  field;
    pliant_model *model;
    pliant__shape shape;
} made;

static pliant_collider_def def_of(const pliant_field *f)
{
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_FIELD);
    def.field = pliant_field_view_from(f);
    return def;
}

static made make_ball(double radius, double cell, double margin)
{
    made         m = {.mesh = ball(4, 0, 0, 0, radius)};
    pliant_error error = {0};
    m.field = field_of(&m.mesh, cell, margin);
    pliant_scene             *scene = pliant_scene_create(NULL, &error);
    const pliant_collider_def def = def_of(&m.field);
    if (!pliant_scene_add_collider(scene, &def, &error).id) fail_msg("%s", error.message);
    m.model = pliant_scene_compile(scene, &error);
    pliant_scene_destroy(scene);
    assert_non_null(m.model);
    m.shape = pliant__shape_of(m.model, 0);
    return m;
}

static void destroy(made *m)
{
    pliant_model_destroy(m->model);
    pliant_field_free(&m->field);
    shape_free(&m->mesh);
}

/* A fine field of a fine ball is a sphere: nearest points, entries and contacts, to what its cells and triangles leave out. */
static void a_field_of_a_ball_is_a_sphere(void **state)
{
    (void)state;
    made                m = make_ball(1, 0.04, 0.3);
    const pliant__shape sphere = {.type = PLIANT_SHAPE_SPHERE, .radius = 1};
    for (int i = 0; i < 4000; i++) {
        const double      reach = i % 2 ? 1.5 : 1.1;
        const pliant_vec3 p = vec(uniform(-reach, reach), uniform(-reach, reach), uniform(-reach, reach)),
                          q = vec(uniform(-reach, reach), uniform(-reach, reach), uniform(-reach, reach));
        const pliant_real grow = R(i % 3 ? uniform(0, 0.2) : 0);
        const double      far = (double)v3_length(p);
        pliant__hit       a, b;
        pliant_real       t, u;
        if (far < 0.2) continue;
        a = pliant__shape_nearest(&m.shape, grow, p), b = pliant__shape_nearest(&sphere, grow, p);
        double beyond = 0; /* the grid, where it is less exact */
        for (int k = 0; k < 3; k++) beyond = fmax(beyond, fabs((double)(&p.x)[k]) - 1.3);
        near((double)a.depth, (double)b.depth, 0.006 + beyond);
        near((double)v3_length(v3_sub(a.point, b.point)), 0, 0.03 + 0.4 * fabs((double)b.depth));
        near((double)v3_length(a.normal), 1, 1e-6);
        near((double)v3_dot(v3_sub(a.point, p), a.normal), (double)a.depth, 1e-5);
        if (far < 1.01 + (double)grow) continue;
        const bool   one = pliant__shape_sweep(&m.shape, grow, p, q, &a, &t), other = pliant__shape_sweep(&sphere, grow, p, q, &b, &u);
        const double by = (double)v3_length(q) - 1 - (double)grow;
        if (one && other && (double)v3_dot(b.normal, v3_sub(q, p)) < -0.5) {
            near((double)t, (double)u, 0.02);
            assert_true((double)v3_dot(a.normal, b.normal) > 0.99);
        }
        if (by < -0.01) assert_true(one);
    }
    destroy(&m);
}

static void rules_of_shapes_hold(void **state)
{
    (void)state;
    made        m = make_ball(0.5, 0.03, 0.2);
    pliant__hit hit;
    pliant_real time;
    for (int i = 0; i < 2000; i++) {
        const pliant_vec3 p = vec(uniform(-0.6, 0.6), uniform(-0.6, 0.6), uniform(-0.6, 0.6));
        const pliant_real grow = R(uniform(0, 0.1));
        const pliant__hit on = pliant__shape_nearest(&m.shape, grow, p);
        if ((double)v3_length(p) < 0.1) continue;
        /* A start on the surface enters at once if the path leads in, and not if it leads out. */
        if (pliant__shape_sweep(&m.shape, grow, on.point, v3_madd(on.point, on.normal, R(-0.1)), &hit, &time)) near((double)time, 0, 1e-3);
        assert_false(pliant__shape_sweep(&m.shape, grow, on.point, v3_madd(on.point, on.normal, R(0.1)), &hit, &time));
        assert_true(
            pliant__shape_contact(&m.shape, grow, 0, v3_madd(on.point, on.normal, R(0.01)), v3_madd(on.point, on.normal, R(-0.01)), &hit));
        assert_false(pliant__shape_sweep(&m.shape, grow, p, p, &hit, &time));
        pliant_pose pose = {vec(uniform(-9, 9), uniform(-9, 9), uniform(-9, 9)),
                            quat_normalize((pliant_quat){R(uniform(-1, 1)), R(uniform(-1, 1)), R(uniform(-1, 1)), 1})};
        pliant_vec3 low, high;
        pliant__shape_bounds(&m.shape, grow, pose, &low, &high);
        const pliant_vec3 w = pose_apply(pose, on.point);
        assert_true(w.x >= low.x && w.y >= low.y && w.z >= low.z && w.x <= high.x && w.y <= high.y && w.z <= high.z);
        assert_true(v3_length(on.point) <= pliant__shape_radius(&m.shape));
    }
    assert_true(pliant__shape_sweep(&m.shape, 0, vec(3e7, 1e8, -2e7), vec(-3e7, -1e8, 2e7), &hit, &time));
    near((double)time, 0.5, 1e-6);
    const double huge[] = {0, 1, -1, 1e8, -1e8, 1e-30, 1e37, -1e37, 0.25};
    for (int i = 0; i < 20000; i++) {
        pliant_real c[6];
        for (int k = 0; k < 6; k++) c[k] = R(huge[(int)uniform(0, 9)]);
        const pliant__hit n = pliant__shape_nearest(&m.shape, R(0.01), v3(c[0], c[1], c[2]));
        assert_true(v3_finite(n.point) && v3_finite(n.normal) && r_finite(n.depth));
        if (pliant__shape_contact(&m.shape, R(0.01), 0, v3(c[0], c[1], c[2]), v3(c[3], c[4], c[5]), &hit))
            assert_true(v3_finite(hit.point) && v3_finite(hit.normal) && r_finite(hit.depth));
    }
    destroy(&m);
}

static void the_model_has_the_field(void **state)
{
    (void)state;
    made                      m = make_ball(0.5, 0.1, 0.2);
    const pliant_collider_def d = pliant_model_collider_at(m.model, 0, NULL);
    assert_true(d.shape == PLIANT_SHAPE_FIELD && d.field.cell == m.field.cell);
    assert_memory_equal(d.field.count, m.field.count, sizeof m.field.count);
    assert_memory_equal(&d.field.origin, &m.field.origin, sizeof m.field.origin);
    assert_memory_equal(d.field.distance, m.field.distance, values_of(&m.field) * sizeof *m.field.distance);
    assert_string_equal(pliant_shape_name(PLIANT_SHAPE_FIELD), "distance_field");
    destroy(&m);
}

static void not_added(const pliant_field *f, const char *message)
{
    pliant_error              error = {0};
    pliant_scene             *scene = pliant_scene_create(NULL, &error);
    const pliant_collider_def def = def_of(f);
    assert_int_equal(pliant_scene_add_collider(scene, &def, &error).id, 0);
    if (!strstr(error.message, message)) fail_msg("\"%s\" is not \"%s\"", error.message, message);
    pliant_scene_destroy(scene);
}

static void fields_that_are_none_are_refused(void **state)
{
    (void)state;
    float        values[27];
    pliant_field f = {v3(0, 0, 0), 1, {3, 3, 3}, values, 0};
    for (int n = 0; n < 27; n++) values[n] = 0.4f;
    values[13] = NAN;
    not_added(&f, "value 1 1 1 of the field is not finite");
    values[13] = -0.7f;
    not_added(&f, "differs from a neighbour's by");
    values[13] = -0.5f;
    values[3] = -0.1f;
    not_added(&f, "its surface leaves the grid");
    values[3] = 0.4f;
    f.cell = 0;
    not_added(&f, "a cell that is longer than 0");
    f.cell = 1;
    f.count[1] = 1;
    not_added(&f, "at least two values along each axis");
    f.count[1] = 3;
    f.distance = NULL;
    not_added(&f, "points to none");
}

/* ---- files ---- */

static void a_file_brings_it_back(void **state)
{
    (void)state;
    made         m = make_ball(0.5, 0.2, 0.2);
    pliant_field back;
    pliant_error error = {0};
    size_t       size;
    assert_int_equal(pliant_field_write("a.field", &m.field, &error), PLIANT_OK);
    assert_int_equal(pliant_field_load("a.field", &back, &error), PLIANT_OK);
    assert_true(back.source == m.field.source && back.cell == m.field.cell);
    assert_memory_equal(&back.origin, &m.field.origin, sizeof back.origin);
    assert_memory_equal(back.distance, m.field.distance, values_of(&back) * sizeof *back.distance);
    pliant_field_free(&back);
    char *bytes = read_whole("a.field", &size);
    assert_int_equal(size, 80 + 4 * values_of(&m.field));
    for (size_t i = 0; i < size; i += i < 80 ? 1 : 37) { /* whatever is damaged is found */
        bytes[i] ^= 4;
        write_bytes("b.field", bytes, size);
        assert_int_not_equal(pliant_field_load("b.field", &back, &error), PLIANT_OK);
        assert_non_null(strstr(error.message, "byte "));
        bytes[i] ^= 4;
    }
    for (size_t cut = 0; cut < size; cut += 41) {
        write_bytes("b.field", bytes, cut);
        assert_int_not_equal(pliant_field_load("b.field", &back, &error), PLIANT_OK);
    }
    memset(bytes + 56, 0, 16); /* of another program: no source, no hash */
    write_bytes("b.field", bytes, size);
    assert_int_equal(pliant_field_load("b.field", &back, &error), PLIANT_OK);
    pliant_field_free(&back);
    free(bytes);
    destroy(&m);
}

static pliant_model *scene_with(const char *keys, pliant_error *error)
{
    char text[600];
    snprintf(text, sizeof text,
             "{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"name\": \"dust\", \"particles\": [{\"x\": [0, 2, 0]}]}], "
             "\"colliders\": [{\"type\": "
             "\"distance_field\", %s}]}",
             keys);
    write_text("scene.json", text);
    *error = (pliant_error){0};
    pliant_scene_file file;
    if (pliant_scene_read("scene.json", NULL, &file, error) != PLIANT_OK) return NULL;
    pliant_model *model = pliant_scene_compile(file.scene, error);
    pliant_scene_destroy(file.scene);
    return model;
}

static void scene_refused(const char *keys, const char *message)
{
    pliant_error error;
    assert_null(scene_with(keys, &error));
    if (!strstr(error.message, message)) fail_msg("\"%s\" is not \"%s\"", error.message, message);
}

static void write_ball(const char *path, int cuts, double radius)
{
    shape        s = ball(cuts, 0, 0, 0, radius);
    pliant_mesh  mesh = {.positions = s.x, .vertex_count = s.vertex_count, .triangles = s.triangles, .triangle_count = s.triangle_count};
    pliant_error error = {0};
    assert_int_equal(pliant_mesh_write(path, &mesh, &error), PLIANT_OK);
    shape_free(&s);
}

static uint64_t scene_source(void)
{
    pliant_field f;
    pliant_error error = {0};
    if (pliant_field_load("ball.field", &f, &error) != PLIANT_OK) fail_msg("%s", error.message);
    const uint64_t source = f.source;
    pliant_field_free(&f);
    return source;
}

static void a_scene_keeps_what_it_computed(void **state)
{
    (void)state;
    pliant_error error;
    size_t       size;
    write_ball("ball.obj", 2, 0.5);
    static const char keys[] = "\"mesh\": \"ball.obj\", \"cell\": 0.1, \"cache\": \"ball.field\"";
    pliant_model     *first = scene_with(keys, &error);
    if (!first) fail_msg("%s", error.message);
    const uint64_t hash = pliant_model_hash(first), source = scene_source();
    pliant_model_destroy(first);
    char *bytes = read_whole("ball.field", &size); /* a value that is not the mesh's shows that the file is what is read */
    float other;
    memcpy(&other, bytes + 80, 4);
    other -= 0.01f;
    memset(bytes + 64, 0, 8);
    memcpy(bytes + 80, &other, 4);
    write_bytes("ball.field", bytes, size);
    pliant_model *again = scene_with(keys, &error);
    assert_true(again && pliant_model_hash(again) != hash);
    pliant_model_destroy(again);
    bytes[size - 1] ^= 1; /* ours, but broken: made anew */
    memset(bytes + 64, 1, 8);
    write_bytes("ball.field", bytes, size);
    again = scene_with(keys, &error);
    assert_true(again && pliant_model_hash(again) == hash);
    pliant_model_destroy(again);
    write_ball("ball.obj", 2, 0.6); /* of another mesh: made anew */
    again = scene_with(keys, &error);
    assert_true(again && pliant_model_hash(again) != hash && scene_source() != source);
    pliant_model_destroy(again);
    write_text("ball.field", "my notes"); /* not ours */
    scene_refused(keys, "ball.field is no field that was computed for a scene, and is not written over");
    free(bytes);
    bytes = read_whole("ball.field", &size);
    assert_string_equal(bytes, "my notes");
    free(bytes);
}

static void scenes_say_what_is_wrong(void **state)
{
    (void)state;
    write_ball("ball.obj", 1, 0.5);
    write_text("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write_text("broken.field", "PLIANTF");
    scene_refused("\"cell\": 0.1", "a distance field needs a \"mesh\" and a \"cell\", or a \"file\"");
    scene_refused("\"mesh\": \"ball.obj\"", "needs a \"cell\"");
    scene_refused("\"mesh\": \"ball.obj\", \"cell\": 0.1, \"margin\": 0.05", "the margin is at least a cell");
    scene_refused("\"mesh\": \"open.obj\", \"cell\": 0.1", "the surface is not closed: 1 face at the edge between vertices");
    scene_refused("\"file\": \"broken.field\"", "byte 0: no field of distances, or cut off");
    scene_refused("\"file\": \"broken.field\", \"cell\": 0.1", "the field is in a \"file\" already");
    scene_refused("\"file\": \"../x.field\"", "lies outside");
    scene_refused("\"mesh\": \"ball.obj\", \"cell\": 0.1, \"cache\": \"../x.field\"", "lies outside");
    scene_refused("\"mesh\": \"ball.obj\", \"cell\": 0.1, \"thickness\": 0.3", "it needs a larger margin");
}

/* ---- physics ---- */

static void a_cloth_lies_on_a_field(void **state)
{
    (void)state;
    made             m = make_ball(0.4, 0.02, 0.06);
    trial            t;
    pliant_cloth_def cloth = pliant_cloth_def_default();
    trial_begin(&t, G, 10, 2);
    cloth.cells_x = cloth.cells_z = 16;
    cloth.size_x = cloth.size_z = 1;
    cloth.material = pliant_material_preset(PLIANT_COTTON);
    cloth.material.thickness = R(0.01);
    cloth.body.placement.position = vec(0, 0.42, 0);
    pliant_collider_def def = def_of(&m.field);
    def.friction_static = def.friction_dynamic = 1;
    pliant_error error = {0};
    pliant_body  body = pliant_scene_add_cloth(t.scene, &cloth, &error);
    if (!body.id) fail_msg("%s", error.message);
    add_collider(&t, &def);
    trial_compile(&t);
    trial_run(&t, H60, 180);
    uint32_t touching = 0;
    double   least = DBL_MAX, lowest = DBL_MAX;
    for (uint32_t v = 0; v < vertex_count(&t, body); v++) {
        double x[3];
        point_of(&t, body, v, x);
        const double r = length3(x);
        least = fmin(least, r);
        lowest = fmin(lowest, x[1]);
        touching += r < 0.42;
    }
    assert_true(least > 0.4 + 0.01 - 0.003 && touching > 40);
    assert_true(lowest < 0.2 && lowest > -0.6); /* it hangs, and has not slipped off */
    trial_end(&t);
    destroy(&m);
}

/* Through a shell of a twentieth of what it goes in a substep. */
static void a_fast_particle_stops(void **state)
{
    (void)state;
    static const double x[1][3] = {{0.1, 1, 0.05}}, v[1][3] = {{0, -200, 0}};
    shape               s = box(-0.5, -0.01, -0.5, 0.5, 0.01, 0.5);
    pliant_field        f = field_of(&s, 0.005, 0.02);
    pliant_collider_def def = def_of(&f);
    trial               t;
    double              at[3];
    trial_begin(&t, G, 10, 1);
    pliant_body body = add_points(&t, 1, x, v, NULL, NULL);
    add_collider(&t, &def);
    trial_compile(&t);
    trial_run(&t, H60, 60);
    point_of(&t, body, 0, at);
    near(at[1], 0.01, 1e-4);
    trial_run(&t, H60, 120);
    point_of(&t, body, 0, at);
    near(at[1], 0.01, 1e-4); /* and rests */
    trial_end(&t);
    pliant_field_free(&f);
    shape_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_distances),
        cmocka_unit_test(signs_are_right_at_spikes),
        cmocka_unit_test(what_crosses_itself_is_one_solid),
        cmocka_unit_test(a_field_has_its_hash),
        cmocka_unit_test(surfaces_without_an_inside_are_refused),
        cmocka_unit_test(a_path_enters_where_it_first_gets_there),
        cmocka_unit_test(the_gradient_is_the_fields),
        cmocka_unit_test(a_field_of_a_ball_is_a_sphere),
        cmocka_unit_test(rules_of_shapes_hold),
        cmocka_unit_test(the_model_has_the_field),
        cmocka_unit_test(fields_that_are_none_are_refused),
        cmocka_unit_test_teardown(a_file_brings_it_back, clear_folder),
        cmocka_unit_test_teardown(a_scene_keeps_what_it_computed, clear_folder),
        cmocka_unit_test_teardown(scenes_say_what_is_wrong, clear_folder),
        cmocka_unit_test(a_cloth_lies_on_a_field),
        cmocka_unit_test(a_fast_particle_stops),
    };
    return cmocka_run_group_tests_name("field", tests, enter_folder, remove_folder);
}
