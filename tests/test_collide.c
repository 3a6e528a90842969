/* Contacts against slow oracles: distances by dense sampling of the surface, entries by walking the path and bisecting, all in double and
 * all from one predicate, "is this point inside?", that shares no formula with the library. */
#include "more.h"

#include "collide/grown.h"
#include "solver/solver.h"
#include "solver/collider_kernels.h"
#include "solver/sweep.h"
#include "trial.h"

typedef struct point {
    double x[3];
} point;

static uint64_t seed = 12345;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static point wide(pliant_vec3 v)
{
    point p = {{(double)v.x, (double)v.y, (double)v.z}};
    return p;
}

static double apart(point a, point b)
{
    double s = 0;
    for (int i = 0; i < 3; i++) s += (a.x[i] - b.x[i]) * (a.x[i] - b.x[i]);
    return sqrt(s);
}

static pliant_vec3 random_point(double reach)
{
    return v3(R(uniform(-reach, reach)), R(uniform(-reach, reach)), R(uniform(-reach, reach)));
}

/* ---- shapes made of triangles ---- */

static pliant_model *models[20000];
static size_t        model_number;

static pliant__shape shape_of(const pliant_collider_def *def)
{
    pliant_error  error = {0};
    pliant_scene *scene = pliant_scene_create(NULL, &error);
    if (!pliant_scene_add_collider(scene, def, &error).id) fail_msg("%s", error.message);
    if (model_number == sizeof models / sizeof *models) pliant_model_destroy(models[--model_number]);
    models[model_number] = pliant_scene_compile(scene, &error);
    pliant_scene_destroy(scene);
    assert_non_null(models[model_number]);
    return pliant__shape_of(models[model_number++], 0);
}

static int free_models(void **state)
{
    (void)state;
    while (model_number) pliant_model_destroy(models[--model_number]);
    return 0;
}

static const uint32_t ball_triangles[60] = {0, 1, 4, 0, 4, 9, 9,  4, 5, 4,  8, 5, 4,  1,  8,  8, 1, 10, 8,  10,
                                            3, 5, 8, 3, 5, 3, 2,  2, 3, 7,  7, 3, 10, 7,  10, 6, 7, 6,  11, 11,
                                            6, 0, 0, 6, 1, 6, 10, 1, 9, 11, 0, 9, 2,  11, 9,  5, 2, 7,  11, 2};

/* Corners of an icosahedron of radius 1, turned so that its triangles' corners go left about seen from outside. */
static pliant_vec3 ball_corner(int i)
{
    static const double x = 0.525731112119133606, z = 0.850650808352039932;
    static const double at[12][3] = {{-x, 0, z}, {x, 0, z},   {-x, 0, -z}, {x, 0, -z}, {0, z, x},  {0, z, -x},
                                     {0, -z, x}, {0, -z, -x}, {z, x, 0},   {-z, x, 0}, {z, -x, 0}, {-z, -x, 0}};
    return v3(R(at[i][0]), R(at[i][1]), R(at[i][2]));
}

/* A hull, or a mesh of which the origin sees all: both with its corners between `low` and 1 away. */
static pliant__shape star(int type, double low)
{
    pliant_vec3         x[12];
    pliant_collider_def def = pliant_collider_def_default((pliant_shape)type);
    for (int i = 0; i < 12; i++) x[i] = v3_scale(ball_corner(i), R(uniform(low, 1)));
    def.mesh = pliant_mesh_view_of(x, sizeof *x, 12, ball_triangles, 20);
    pliant__shape s = shape_of(&def);
    assert_true(s.facets.closed);
    return s;
}

/* The cube of half edge h, by its corners and points on its edges and faces. */
static pliant__shape cube_of(int type, double h)
{
    static const uint32_t quads[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    pliant_vec3           x[27];
    pliant_collider_def   def = pliant_collider_def_default((pliant_shape)type);
    for (int i = 0; i < 27; i++)
        x[i] = i < 8 ? v3(R(i & 1 ? h : -h), R(i & 2 ? h : -h), R(i & 4 ? h : -h))
                     : v3(R((i % 3 - 1) * h), R((i / 3 % 3 - 1) * h), R((i / 9 - 1) * h));
    def.mesh = (pliant_mesh_view){
        .positions = x, .stride = sizeof *x, .vertex_count = type == PLIANT_SHAPE_HULL ? 27 : 8, .quads = quads, .quad_count = 6};
    pliant__shape s = shape_of(&def);
    assert_true(s.facets.closed && s.facets.count == 12);
    return s;
}

/* The same solid as a height field, down to 40 m, as a mesh: for the oracle, made with the field. */
static pliant__shape under;

#define FIELD 5 /* heights along its sides at the most */

static pliant__shape field(int heights, const pliant_real *height, double cell)
{
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_HEIGHT_FIELD),
                        closed = pliant_collider_def_default(PLIANT_SHAPE_MESH);
    pliant_vec3 x[2 * FIELD * FIELD];
    uint32_t    corners[12 * FIELD * FIELD + 48 * FIELD], *c = corners, n = (uint32_t)heights, below = n * n;
    def.heights = height;
    def.columns = def.rows = n;
    def.cell = R(cell);
    for (uint32_t i = 0; i < 2 * below; i++)
        x[i] = v3((pliant_real)(i % n) * def.cell, i < below ? height[i] : -40, (pliant_real)(i % below / n) * def.cell);
    for (uint32_t i = 0; i < (n - 1) * (n - 1); i++) {
        const uint32_t a = i / (n - 1) * n + i % (n - 1), b = a + 1, e = a + n, d = e + 1;
        const bool     even = (i / (n - 1) + i % (n - 1)) % 2 == 0;
        const uint32_t top[6] = {a, e, even ? d : b, even ? a : e, d, b};
        for (int k = 0; k < 6; k++) c[k] = top[k], c[6 + k] = below + top[5 - k];
        c += 12;
    }
    for (uint32_t i = 0; i + 1 < n; i++) {
        const uint32_t edges[4][2] = {
            {i, i + 1}, {n * n - 1 - i, n * n - 2 - i}, {(i + 1) * n, i * n}, {i * n + n - 1, (i + 1) * n + n - 1}};
        for (int k = 0; k < 4; k++) {
            const uint32_t p = edges[k][0], q = edges[k][1], wall[6] = {p, q, below + q, p, below + q, below + p};
            memcpy(c, wall, sizeof wall);
            c += 6;
        }
    }
    closed.mesh = pliant_mesh_view_of(x, sizeof *x, 2 * below, corners, (size_t)(c - corners) / 3);
    under = shape_of(&closed);
    assert_true(under.facets.closed);
    return shape_of(&def);
}

static pliant__shape random_field(double low, double high)
{
    pliant_real height[FIELD * FIELD];
    for (int i = 0; i < FIELD * FIELD; i++) height[i] = R(uniform(low, high));
    return field(2 + (int)uniform(0, FIELD - 1), height, uniform(0.2, 0.6));
}

/* Planes, spheres, ... of one size. */
static pliant__shape shape_of_size(int type, double size)
{
    const pliant_real level[9] = {R(size), R(size), R(size), R(size), R(size), R(size), R(size), R(size), R(size)};
    if (type == PLIANT_SHAPE_HULL || type == PLIANT_SHAPE_MESH) return cube_of(type, size);
    if (type == PLIANT_SHAPE_HEIGHT_FIELD) return field(3, level, size);
    pliant__shape s = {.type = (pliant_shape)type, .radius = R(size), .half_height = R(size), .half_extent = {R(size), R(size), R(size)}};
    return s;
}

enum { TYPES = PLIANT_SHAPE_HEIGHT_FIELD + 1 };

/* Triangles take the oracle long. */
static int tries(int type, int count) { return type < PLIANT_SHAPE_HULL ? count : count / 3; }

/* Where there is little time the surface of triangles is not sampled for each place. Numbers are drawn as if it were, so that all else is the same. */
static bool spares_samples;

static void spare_samples(int type, bool spares) { spares_samples = spares && type >= PLIANT_SHAPE_HULL && !takes_its_time(); }

static pliant__shape random_shape(int type)
{
    if (type == PLIANT_SHAPE_HULL) return star(type, 0.3);
    if (type == PLIANT_SHAPE_MESH) return star(type, 0.6);
    if (type == PLIANT_SHAPE_HEIGHT_FIELD) return random_field(-0.3, 0.3);
    pliant__shape s = {.type = (pliant_shape)type};
    s.radius = R(uniform(0.05, 1));
    s.half_height = R(uniform(0.05, 1));
    s.half_extent = v3(R(uniform(0.05, 1)), R(uniform(0.05, 1)), R(uniform(0.05, 1)));
    return s;
}

/* ---- the oracle ---- */

/* The nearest point of a triangle, by the equations for its plane and, where that lies outside, for its three edges. */
static double from_triangle(point p, point a, point b, point c)
{
    double u[3], v[3], w[3], uu = 0, uv = 0, vv = 0, wu = 0, wv = 0, best = DBL_MAX;
    for (int i = 0; i < 3; i++) {
        u[i] = b.x[i] - a.x[i], v[i] = c.x[i] - a.x[i], w[i] = p.x[i] - a.x[i];
        uu += u[i] * u[i], uv += u[i] * v[i], vv += v[i] * v[i], wu += w[i] * u[i], wv += w[i] * v[i];
    }
    double det = uu * vv - uv * uv, s = (vv * wu - uv * wv) / det, t = (uu * wv - uv * wu) / det;
    if (det > 0 && s >= 0 && t >= 0 && s + t <= 1) {
        point q;
        for (int i = 0; i < 3; i++) q.x[i] = a.x[i] + s * u[i] + t * v[i];
        return apart(p, q);
    }
    point ends[4] = {a, b, c, a};
    for (int k = 0; k < 3; k++) {
        double along = 0, square = 0;
        for (int i = 0; i < 3; i++) {
            along += (p.x[i] - ends[k].x[i]) * (ends[k + 1].x[i] - ends[k].x[i]);
            square += (ends[k + 1].x[i] - ends[k].x[i]) * (ends[k + 1].x[i] - ends[k].x[i]);
        }
        double r = square > 0 ? fmin(fmax(along / square, 0), 1) : 0;
        point  q;
        for (int i = 0; i < 3; i++) q.x[i] = ends[k].x[i] + r * (ends[k + 1].x[i] - ends[k].x[i]);
        best = fmin(best, apart(p, q));
    }
    return best;
}

/* Six times the volume of p and the triangle. */
static double volume(point p, point a, point b, point c)
{
    double u[3], v[3], w[3];
    for (int i = 0; i < 3; i++) u[i] = a.x[i] - p.x[i], v[i] = b.x[i] - p.x[i], w[i] = c.x[i] - p.x[i];
    return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/* Inside is what sees the triangles all around: the sum of their solid angles (van Oosterom and Strackee 1983). */
static double from_triangles(const pliant__shape *s, point p)
{
    double best = DBL_MAX, angle = 0;
    for (uint32_t t = 0; t < s->facets.count; t++) {
        const uint32_t *c = s->facets.corner + 3 * (size_t)t;
        point           x[3];
        double          r[3], dots = 0;
        for (int k = 0; k < 3; k++) x[k] = wide(s->facets.point[c[k]]), r[k] = apart(p, x[k]);
        best = fmin(best, from_triangle(p, x[0], x[1], x[2]));
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++) dots += (x[k].x[i] - p.x[i]) * (x[(k + 1) % 3].x[i] - p.x[i]) * r[(k + 2) % 3];
        angle += 2 * atan2(volume(p, x[0], x[1], x[2]), r[0] * r[1] * r[2] + dots);
    }
    return fabs(angle) > 6.283185307179586 ? -best : best;
}

/* How far p is from the solid's core, minus how far the surface is from it: negative inside. A measure, not a distance, for boxes. */
static double outside_by(const pliant__shape *s, double grow, point p)
{
    double h[3] = {(double)s->half_extent.x, (double)s->half_extent.y, (double)s->half_extent.z}, most = -DBL_MAX;
    point  core = {{0, 0, 0}};
    switch (s->type) {
    case PLIANT_SHAPE_PLANE: return p.x[1] - grow;
    case PLIANT_SHAPE_CAPSULE: /* the nearest point of the axis by bisection */ {
        double low = -(double)s->half_height, high = (double)s->half_height;
        for (int i = 0; i < 60; i++) {
            core.x[1] = (low + high) / 2;
            if (p.x[1] < core.x[1])
                high = core.x[1];
            else
                low = core.x[1];
        }
        return apart(core, p) - (double)s->radius - grow;
    }
    case PLIANT_SHAPE_SPHERE: return apart(core, p) - (double)s->radius - grow;
    case PLIANT_SHAPE_BOX:
        for (int i = 0; i < 3; i++)
            if (fabs(p.x[i]) - h[i] - grow > most) most = fabs(p.x[i]) - h[i] - grow;
        break;
    case PLIANT_SHAPE_HULL:
    case PLIANT_SHAPE_MESH: return from_triangles(s, p) - grow;
    case PLIANT_SHAPE_HEIGHT_FIELD: return from_triangles(&under, p) - grow;
    case PLIANT_SHAPE_FIELD: fail_msg("fields of distances are in test_field.c");
    }
    return most;
}

static point between(point a, point b, double t)
{
    point p;
    for (int i = 0; i < 3; i++) p.x[i] = a.x[i] + t * (b.x[i] - a.x[i]);
    return p;
}

/* A point of the surface: a ray from the inside, bisected. */
static point surface_point(const pliant__shape *s, double grow, point from, point direction)
{
    double low = 0, high = 16;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        point  p = from;
        for (int k = 0; k < 3; k++) p.x[k] += middle * direction.x[k];
        if (outside_by(s, grow, p) < 0)
            low = middle;
        else
            high = middle;
    }
    for (int k = 0; k < 3; k++) from.x[k] += low * direction.x[k];
    return from;
}

/* Distance from p to the surface, by many rays from within, half of them close to the point `guess`. Never less than the true one. */
static double sampled_distance(const pliant__shape *s, double grow, point p, point guess)
{
    double best = DBL_MAX;
    point  zero = {{0, 0, 0}}, from = {{0, s->type == PLIANT_SHAPE_PLANE ? -1 : 0, 0}};
    if (s->type == PLIANT_SHAPE_HEIGHT_FIELD)
        from = (point){{s->facets.cell * (s->facets.columns - 1) / 2, -1, s->facets.cell * (s->facets.rows - 1) / 2}};
    for (int i = 0; i < 160; i++) {
        point  direction;
        double spread = i % 2 ? 1 : i % 4 ? 0.1 : 0.003;
        for (int k = 0; k < 3; k++) direction.x[k] = uniform(-spread, spread) + (i % 2 ? 0 : guess.x[k] - from.x[k]);
        if (spares_samples) continue;
        if (s->type == PLIANT_SHAPE_PLANE) direction.x[1] = 1 + grow;
        double length = apart(direction, zero);
        if (length < 1e-3) continue;
        if (s->type != PLIANT_SHAPE_PLANE)
            for (int k = 0; k < 3; k++) direction.x[k] /= length;
        double d = apart(p, surface_point(s, grow, from, direction));
        if (d < best) best = d;
    }
    return best;
}

/* The first time at which the path is inside, or -1; *deepest is the most inside that it ever is. */
static double walked_entry(const pliant__shape *s, double grow, point a, point b, double *deepest)
{
    enum { STEPS = 1000 };
    *deepest = 0;
    double entry = -1;
    for (int i = 0; i <= STEPS; i++) {
        double t = (double)i / STEPS, d = outside_by(s, grow, between(a, b, t));
        if (d < *deepest) *deepest = d;
        if (d >= 0 || entry >= 0) continue;
        double low = (double)(i > 0 ? i - 1 : 0) / STEPS, high = t;
        for (int k = 0; k < 60; k++) {
            double middle = (low + high) / 2;
            if (outside_by(s, grow, between(a, b, middle)) < 0)
                high = middle;
            else
                low = middle;
        }
        entry = high;
    }
    return entry;
}

/* ---- what holds for every hit ---- */

/* Where a valley is narrower than what it is grown by, the nearest point of its sides, grown, lies within. */
static bool has_valleys(const pliant__shape *s) { return s->type == PLIANT_SHAPE_MESH || s->type == PLIANT_SHAPE_HEIGHT_FIELD; }

static void check_hit(const pliant__shape *s, double grow, const pliant__hit *hit, point end, double size)
{
    assert_true(v3_finite(hit->point) && v3_finite(hit->normal) && r_finite(hit->depth));
    point  q = wide(hit->point), n = wide(hit->normal), zero = {{0, 0, 0}};
    double depth = 0;
    for (int i = 0; i < 3; i++) depth -= (end.x[i] - q.x[i]) * n.x[i];
    assert_true(fabs(apart(n, zero) - 1) < 4 * EPSILON);
    const double off = outside_by(s, grow, q), off_end = outside_by(s, grow, end);
    assert_true(off < 16 * EPSILON * size && (off > -16 * EPSILON * size || (has_valleys(s) && grow > 0 && off_end < 0)));
    assert_true(fabs(depth - (double)hit->depth) < 32 * EPSILON * size);
}

static void check_nearest(const pliant__shape *s, pliant_real grow, pliant_vec3 at)
{
    pliant__hit hit = pliant__shape_nearest(s, grow, at);
    point       p = wide(at), q = wide(hit.point);
    double      size = 4 + fabs(p.x[0]) + fabs(p.x[1]) + fabs(p.x[2]), tolerance = 32 * EPSILON * size;
    check_hit(s, (double)grow, &hit, p, size);
    assert_true(fabs(apart(p, q) - fabs((double)hit.depth)) < tolerance);
    double outside = outside_by(s, (double)grow, p);
    if (fabs(outside) > tolerance) assert_true((outside < 0) == (hit.depth > 0));
    if (has_valleys(s) && grow > 0 && outside < 0) return;
    assert_true(sampled_distance(s, (double)grow, p, q) > apart(p, q) - tolerance);
}

static void nearest_point_is_nearest(void **state)
{
    (void)state;
    for (int type = 0; type < TYPES; type++)
        for (int i = 0; i < tries(type, 150); i++) {
            pliant__shape s = random_shape(type);
            spare_samples(type, i % 6 > 1);
            check_nearest(&s, i % 3 ? R(uniform(0, 0.2)) : 0, random_point(i % 2 ? 0.5 : 3));
        }
}

static void nearest_point_of_degenerate_places(void **state)
{
    (void)state;
    static const double at[] = {0, 1, -1};
    for (int type = 0; type < TYPES; type++)
        for (int i = 0; i < 27; i++) {
            pliant__shape s = random_shape(type);
            spare_samples(type, i % 3);
            pliant_vec3 e = type == PLIANT_SHAPE_BOX ? s.half_extent : v3(s.radius, s.half_height, s.radius);
            pliant_vec3 p = v3(R(at[i % 3]) * e.x, R(at[i / 3 % 3]) * e.y, R(at[i / 9]) * e.z);
            check_nearest(&s, 0, p);
            check_nearest(&s, R(0.1), p);
        }
}

static void ties_are_settled_by_rule(void **state)
{
    (void)state;
    pliant__shape sphere = {.type = PLIANT_SHAPE_SPHERE, .radius = 1, .half_height = 0, .half_extent = {0, 0, 0}},
                  capsule = {.type = PLIANT_SHAPE_CAPSULE, .radius = 1, .half_height = 1, .half_extent = {0, 0, 0}};
    pliant__shape cube = {.type = PLIANT_SHAPE_BOX, .radius = 0, .half_height = 0, .half_extent = {1, 1, 1}};
    assert_true(pliant__shape_nearest(&sphere, 0, v3(0, 0, 0)).normal.y == 1);
    assert_true(pliant__shape_nearest(&capsule, 0, v3(0, R(0.5), 0)).normal.x == 1);
    assert_true(pliant__shape_nearest(&cube, 0, v3(0, 0, 0)).normal.y == 1);
    assert_true(pliant__shape_nearest(&cube, 0, v3(R(0.5), R(0.25), R(0.5))).normal.x == 1);
}

static void box_keeps_its_corners_when_grown(void **state)
{
    (void)state;
    pliant__shape cube = {.type = PLIANT_SHAPE_BOX, .radius = 0, .half_height = 0, .half_extent = {1, 1, 1}};
    pliant__hit   hit = pliant__shape_nearest(&cube, R(0.5), v3(2, 2, 2));
    assert_true(hit.point.x == R(1.5) && hit.point.y == R(1.5) && hit.point.z == R(1.5));
}

/* ---- paths ---- */

static void check_sweep(const pliant__shape *s, pliant_real grow, pliant_vec3 from, pliant_vec3 to)
{
    point       a = wide(from), b = wide(to);
    double      deepest, entry = walked_entry(s, (double)grow, a, b, &deepest), size = 8 + apart(a, b);
    pliant__hit hit;
    pliant_real time;
    bool        found = pliant__shape_sweep(s, grow, from, to, &hit, &time);
    if (outside_by(s, (double)grow, a) < -64 * EPSILON * size) {
        assert_false(found);
        return;
    }
    if (deepest < -64 * EPSILON * size) assert_true(found);
    if (!found) return;
    check_hit(s, (double)grow, &hit, b, size);
    assert_true(time >= 0 && time <= 1 && (double)hit.depth >= -16 * EPSILON * size);
    point q = wide(hit.point);
    assert_true(apart(between(a, b, (double)time), q) < 64 * EPSILON * size);
    if (entry < 0 || deepest > -1e-12) return; /* shorter inside than the walk's steps: that q lies on path and surface says it all */
    double speed = apart(a, b), steep = 0;
    for (int i = 0; i < 3; i++) steep -= (b.x[i] - a.x[i]) * (double)(&hit.normal.x)[i];
    if (steep > 0.05 * speed) assert_true(fabs((double)time - entry) * speed < 2000 * EPSILON * size);
}

static void path_enters_where_it_first_enters(void **state)
{
    (void)state;
    for (int type = 0; type < TYPES; type++)
        for (int i = 0; i < tries(type, 600); i++) {
            pliant__shape s = random_shape(type);
            check_sweep(&s, i % 3 ? R(uniform(0, 0.2)) : 0, random_point(3), random_point(i % 2 ? 1 : 3));
        }
}

/* Lines along the axes through special places: tangents, edges, corners, the capsule's seam. */
static void paths_that_graze(void **state)
{
    (void)state;
    for (int type = 0; type < TYPES; type++)
        for (int i = 0; i < 81; i++) {
            pliant__shape s = shape_of_size(type, 0.5);
            double        c[4] = {-0.5, 0, 0.5, 1};
            int           axis = i % 3;
            pliant_vec3   a = v3(R(c[i / 3 % 3]), R(c[i / 9 % 3]), R(c[i / 27 % 3])), b = a;
            (&a.x)[axis] = -3;
            (&b.x)[axis] = 3;
            check_sweep(&s, 0, a, b);
            check_sweep(&s, 0, b, a);
        }
}

static void start_on_the_surface(void **state)
{
    (void)state;
    for (int type = 0; type < TYPES; type++)
        for (int i = 0; i < 500; i++) {
            pliant__shape s = type < PLIANT_SHAPE_HULL            ? random_shape(type)
                              : type == PLIANT_SHAPE_HEIGHT_FIELD ? random_field(0, 0.05)
                                                                  : star(type, 0.85);
            pliant__hit   on = pliant__shape_nearest(&s, 0, random_point(2)), hit;
            pliant_real   time, step = R(uniform(1e-6, 0.01));
            if (type >= PLIANT_SHAPE_HULL)
                on = pliant__shape_nearest(&s, 0, on.point); /* in float64 what is far is not put there exactly */
            const pliant_real size = type == PLIANT_SHAPE_PLANE ? r_max(r_abs(on.point.x), r_abs(on.point.z))
                                     : type < PLIANT_SHAPE_HULL ? s.radius
                                                                : pliant__shape_radius(&s) / 2;
            pliant_vec3       nudged = v3_madd(on.point, on.normal, R(uniform(-2, 2) * EPSILON * (double)size));
            pliant_vec3       inwards = v3_madd(nudged, on.normal, -step), outwards = v3_madd(nudged, on.normal, step);
            assert_false(pliant__shape_sweep(&s, 0, nudged, outwards, &hit, &time));
            /* from an edge that is sharp the way back along the normal may lead past the other side */
            if (type >= PLIANT_SHAPE_HULL && outside_by(&s, 0, wide(inwards)) > -0.2 * (double)step) continue;
            assert_true(pliant__shape_sweep(&s, 0, nudged, inwards, &hit, &time));
            assert_true((double)time < 0.5 || step < 1e-5f);
            assert_true((double)(hit.depth - step) < 16 * EPSILON && (double)hit.depth > -16 * EPSILON);
            assert_true(pliant__shape_contact(&s, 0, R(1e-3), nudged, inwards, &hit));
            assert_true(pliant__shape_contact(&s, 0, 0, nudged, nudged, &hit)); /* at rest is in contact, whatever the margin */
        }
}

static void path_of_no_length(void **state)
{
    (void)state;
    for (int type = 0; type < TYPES; type++)
        for (int i = 0; i < 200; i++) {
            pliant__shape s = random_shape(type);
            pliant_vec3   p = random_point(1);
            pliant__hit   hit, nearest = pliant__shape_nearest(&s, 0, p);
            pliant_real   time;
            assert_false(pliant__shape_sweep(&s, 0, p, p, &hit, &time));
            bool touches = pliant__shape_contact(&s, 0, R(0.1), p, p, &hit);
            assert_int_equal(touches, nearest.depth > -R(0.1));
            if (touches) assert_memory_equal(&hit, &nearest, sizeof hit);
        }
}

static void thin_shapes_stop_fast_paths(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        pliant__shape plate = {.type = PLIANT_SHAPE_BOX, .radius = 0, .half_height = 0, .half_extent = {1, R(i % 2 ? 0 : 1e-6), 1}},
                      wire = {.type = PLIANT_SHAPE_CAPSULE, .radius = R(1e-3), .half_height = 1, .half_extent = {0, 0, 0}};
        double      far = pow(10, uniform(-2, 3)), x = uniform(-0.9, 0.9), z = uniform(-0.9, 0.9);
        pliant__hit hit;
        assert_true(pliant__shape_contact(&plate, 0, 0, v3(R(x), R(far), R(z)), v3(R(x), R(-2 * far), R(z)), &hit));
        assert_true(hit.normal.y == 1);
        assert_true(pliant__shape_contact(&wire, 0, 0, v3(R(-far), R(x), R(z * 1e-3)), v3(R(far), R(x), R(z * 1e-3)), &hit));
        assert_true(hit.normal.x < 0);
    }
}

/* A particle that the cloth has pulled in by less than the margin does not leave on the other side. */
static void shallow_start_does_not_cross(void **state)
{
    (void)state;
    pliant__shape plate = {.type = PLIANT_SHAPE_BOX, .radius = 0, .half_height = 0, .half_extent = {1, R(0.01), 1}};
    pliant__hit   hit;
    assert_true(pliant__shape_contact(&plate, 0, R(0.005), v3(0, R(0.008), 0), v3(0, -1, 0), &hit));
    assert_true(hit.normal.y == 1 && hit.depth > 1);
    assert_true(pliant__shape_contact(&plate, 0, R(0.005), v3(0, R(0.008), 0), v3(0, R(-0.005), 0), &hit));
    assert_true(hit.normal.y == 1);
    assert_true(pliant__shape_contact(&plate, 0, R(0.001), v3(0, R(0.004), 0), v3(0, R(-0.005), 0), &hit)); /* deep: nearest to the end */
    assert_true(hit.normal.y == -1);
}

/* A particle that a look in lanes leaves out has no contact, or is pinned, and then it is left out: all shapes that lie still or go, paths that graze, rest, begin inside, or are far from
 * the origin. Of a shape that turns so much in one substep no particle is left out with a path that, grown by its length, meets its box. */
static void who_is_left_out_has_no_contact(void **state)
{
    (void)state;
    uint32_t left_out = 0, met = 0;
    trial    w;
    trial_begin(&w, 0, 1, 1);
    trial_compile(&w);
    const pliant__kernels *kernels[2] = {w.solver->backend.kernels, w.solver->backend.serial};
    for (int i = 0; i < 12000; i++) {
        enum { COUNT = 37 };
        const pliant__shape s = random_shape(i % TYPES);
        const double        far = i % 7 ? 1 : 1000, size = i % 5 ? 2 : 0.01, step = pow(10, uniform(-6, 0));
        const pliant_quat   q = {R(uniform(-1, 1)), R(uniform(-1, 1)), R(uniform(-1, 1)), R(uniform(-1, 1))};
        const pliant_quat   r = {R(uniform(-1, 1)), R(uniform(-1, 1)), R(uniform(-1, 1)), R(uniform(-1, 1))};
        const pliant_pose   before = {random_point(far), quat_normalize(q)};
        const pliant_pose   after = {i % 2 ? before.position : v3_add(before.position, random_point(0.1)),
                                   i % 3 ? before.rotation : quat_normalize(r)};
        const pliant_real grow = R(uniform(0, 0.05));
        pliant_real       from[4 * COUNT], x[4 * COUNT];
        uint16_t          bits[2][3];
        for (int k = 0; k < COUNT; k++) { /* near the surface, or anywhere */
            const pliant_vec3 p = random_point(2), on = k % 3 ? pliant__shape_nearest(&s, grow, p).point : p,
                              a = v3_add(pose_apply(before, on), random_point(size * step)), b = v3_add(a, random_point(step));
            const pliant_real four[8] = {a.x, a.y, a.z, k % 17 != 4, b.x, b.y, b.z, k % 17 != 4};
            memcpy(from + 4 * k, four, 4 * sizeof *four);
            memcpy(x + 4 * k, four + 4, 4 * sizeof *four);
        }
        const pliant__swept_bound l = pliant__swept_bound_of(&s, before, after, grow);
        for (int n = 0; n < 2; n++) {
            pliant__paths paths;
            pliant__box   around;
            kernels[n]->paths(from, x, 0, COUNT, &paths, &around);
            kernels[n]->swept_bound(&l, &paths, bits[n]);
        }
        assert_memory_equal(bits[0], bits[1], sizeof bits[0]);
        for (int k = 0; k < COUNT; k++) {
            const pliant_vec3 a = pose_invert(before, v3(from[4 * k], from[4 * k + 1], from[4 * k + 2])),
                              b = pose_invert(after, v3(x[4 * k], x[4 * k + 1], x[4 * k + 2]));
            pliant__hit hit;
            const bool meets = pliant__shape_contact(&s, grow, v3_length(v3_sub(b, a)), a, b, &hit), looked = bits[0][k / 16] >> k % 16 & 1;
            pliant__box path = box_of_nothing();
            box_add(&path, v3(from[4 * k], from[4 * k + 1], from[4 * k + 2]));
            box_add(&path, v3(x[4 * k], x[4 * k + 1], x[4 * k + 2]));
            path = box_grown(path, R(0.9999) * v3_length(v3_sub(path.high, path.low)));
            if (!(x[4 * k + 3] > 0)) {
                assert_false(looked);
                continue;
            }
            if (meets && !looked && (i % 3 || boxes_meet(&path, &l.box))) fail_msg("shape %d, particle %d of try %d", i % TYPES, k, i);
            left_out += !looked;
            met += meets;
        }
    }
    print_message("    %u left out, %u met, of %u\n", left_out, met, 12000 * 37);
    assert_true(left_out > 50000 && met > 50000);
    trial_end(&w);
}

/* A path of a particle near a shape, in its frame at both ends: from on it, within and far from it, along it, through it, not at all, and no number. */
static void draw_path(const pliant__shape *s, pliant_real grow, double step, int k, pliant_vec3 *a, pliant_vec3 *b)
{
    const pliant_vec3 anywhere = random_point(2), on = pliant__shape_nearest(s, grow, anywhere).point;
    *a = k % 4 == 0 ? anywhere : k % 4 == 1 ? on : v3_add(on, random_point(step));
    if (k % 13 == 5) *a = v3(0, k % 2 ? R(uniform(-1, 1)) : 0, 0); /* in the middle */
    *b = v3_add(*a, random_point(k % 9 ? step : 3));
    if (k % 5 == 0) *b = v3_scale(*a, R(uniform(-1, 1)));
    if (k % 7 == 0) (&b->x)[k % 3] = (&a->x)[k % 3];
    if (k % 11 == 0) *b = *a;
    if (k == 7) b->y = NAN;
    if (k == 12) a->x = INFINITY;
}

/* What is found of a plain shape in lanes is what is found one by one, to the bit, whether it moves, turns or draws particles; and few are left out. */
static void plain_shapes_are_met_in_lanes_as_one_by_one(void **state)
{
    (void)state;
    enum { COUNT = 83 };
    trial w;
    trial_begin(&w, 0, 1, 1);
    trial_compile(&w);
    const pliant__kernels *kernels[2] = {w.solver->backend.kernels, w.solver->backend.serial};
    unsigned               met[TYPES] = {0}, missed[TYPES] = {0}, left_out[TYPES] = {0};
    for (int i = 0; i < 8000; i++) {
        const int type = i % TYPES;
        if (!pliant__is_plain((pliant_shape)type)) continue;
        const pliant__shape s = random_shape(type);
        const pliant_real   grow = i % 5 ? R(uniform(0, 0.05)) : 0, draws = i % 4 ? 0 : R(0.01);
        const double        step = pow(10, uniform(-7, 1)), far = i % 7 ? 1 : 1e6;
        pliant_pose         before = pliant_pose_identity(), after;
        if (i % 3) before.position = random_point(far);
        if (i / 8 % 2)
            before.rotation = quat_normalize((pliant_quat){R(uniform(-1, 1)), R(uniform(-1, 1)), R(uniform(-1, 1)), R(uniform(-1, 1))});
        after = before;
        if (i / 2 % 2) after.position = v3_add(before.position, random_point(step));
        if (i / 16 % 4 == 3) after.rotation = quat_normalize((pliant_quat){R(uniform(-1, 1)), 0, R(uniform(-1, 1)), 1});
        const bool          upright = i / 8 % 2 == 0 && i / 16 % 4 != 3;
        const pliant__grown grown = pliant__shape_grow(&s, grow);
        const pliant__plain plain = {&grown, before, after, upright, false, draws};
        pliant_real         from[4 * COUNT], x[4 * COUNT];
        uint16_t            bits[2][PLIANT__CHUNK / PLIANT__BLOCK] = {{0}}, unsure[2][PLIANT__CHUNK / PLIANT__BLOCK] = {{0}}, list[COUNT];
        static pliant__plain_hits hits[2];
        for (int k = 0; k < COUNT; k++) {
            pliant_vec3 a, b;
            draw_path(&s, grow, step, k, &a, &b);
            a = pose_apply(before, a), b = pose_apply(after, b);
            const pliant_real four[8] = {a.x, a.y, a.z, 1, b.x, b.y, b.z, 1};
            memcpy(from + 4 * k, four, 4 * sizeof *four);
            memcpy(x + 4 * k, four + 4, 4 * sizeof *four);
        }
        for (int k = 0; k < COUNT; k++) list[k] = (uint16_t)(COUNT - 1 - k);
        for (int n = 0; n < 2; n++) kernels[n]->plain(&plain, from, x, 0, list, COUNT, bits[n], unsure[n], &hits[n]);
        for (int k = 0; k < COUNT; k++) {
            const pliant_vec3 world[2] = {v3(from[4 * k], from[4 * k + 1], from[4 * k + 2]), v3(x[4 * k], x[4 * k + 1], x[4 * k + 2])},
                              a = upright ? v3_sub(world[0], before.position) : pose_invert(before, world[0]),
                              b = upright ? v3_sub(world[1], after.position) : pose_invert(after, world[1]);
            pliant__hit hit;
            const bool  meets = pliant__shape_contact(&s, grow, v3_length(v3_sub(b, a)) + draws, a, b, &hit);
            const int   place = COUNT - 1 - k;
            for (int n = 0; n < 2; n++) {
                const pliant__plain_hits *h = &hits[n];
                left_out[type] += unsure[n][place / 16] >> place % 16 & 1;
                if (unsure[n][place / 16] >> place % 16 & 1) continue;
                if ((bits[n][place / 16] >> place % 16 & 1) != meets) fail_msg("shape %d, particle %d of try %d", type, k, i);
                if (!meets || !v3_finite(a) || !v3_finite(b)) continue;
                const pliant_vec3 at = v3(h->point[0][place], h->point[1][place], h->point[2][place]),
                                  normal = v3(h->normal[0][place], h->normal[1][place], h->normal[2][place]);
                if (memcmp(&at, &hit.point, sizeof at) != 0 || memcmp(&normal, &hit.normal, sizeof normal) != 0)
                    fail_msg("shape %d, place of particle %d of try %d", type, k, i);
                if (h->deep[place] != pliant__shape_nearest(&s, grow, a).depth)
                    fail_msg("shape %d, depth of particle %d of try %d", type, k, i);
            }
            met[type] += meets;
            missed[type] += !meets;
        }
    }
    for (int type = 0; type < TYPES; type++) {
        if (!pliant__is_plain((pliant_shape)type)) continue;
        print_message("    shape %d: %u met, %u missed, %u left out\n", type, met[type], missed[type], left_out[type]);
        assert_true(met[type] > 10000 && missed[type] > 10000 && left_out[type] < (met[type] + missed[type]) / 5);
    }
    trial_end(&w);
}

/* Tells nothing of any particle. */
static void plain_unsure(const pliant__plain *l, const pliant_real *from, const pliant_real *x, uint32_t first, const uint16_t *list,
                         uint32_t count, uint16_t *met, uint16_t *unsure, pliant__plain_hits *hits)
{
    (void)l, (void)from, (void)x, (void)first, (void)list, (void)hits;
    for (uint32_t i = 0; i < count; i += PLIANT__BLOCK) {
        met[i / PLIANT__BLOCK] = 0;
        unsure[i / PLIANT__BLOCK] = (uint16_t)(count - i < PLIANT__BLOCK ? (1u << (count - i)) - 1 : 0xffff);
    }
}

/* A cloth that begins in a plain shape, near and in others, some of which move and turn; after some steps. `one_by_one`: nothing is met in lanes. */
static uint64_t hash_among_shapes(uint32_t number, bool one_by_one, uint32_t *contacts)
{
    seed = number;
    trial            t;
    pliant_cloth_def cloth = pliant_cloth_def_default();
    trial_begin(&t, 9.81, 8, 1 + number % 2);
    cloth.cells_x = cloth.cells_z = 8 + number % 15;
    cloth.material = pliant_material_preset(number % 3 ? PLIANT_COTTON : PLIANT_RUBBER_SHEET);
    cloth.material.thickness = number % 2 ? R(0.01) : 0;
    const pliant_body body = pliant_scene_add_cloth(t.scene, &cloth, NULL);
    assert_int_not_equal(body.id, 0);
    uint32_t pinned[] = {0, cloth.cells_x * (cloth.cells_x + 1) / 2 + 3,
                         cloth.cells_x * (cloth.cells_x + 1) / 2 + 4}; /* some among the shapes */
    if (number % 4 == 1) assert_int_equal(pliant_scene_pin(t.scene, body, pinned, 3, false, NULL), PLIANT_OK);
    for (int i = 0; i < 3 + (int)(number % 4); i++) {
        static const double       times[2] = {0, 0.2};
        static const pliant_shape shapes[] = {PLIANT_SHAPE_SPHERE, PLIANT_SHAPE_BOX, PLIANT_SHAPE_CAPSULE, PLIANT_SHAPE_PLANE};
        pliant_collider_def       c = pliant_collider_def_default(shapes[i < 2 ? (size_t)i : (number + (uint32_t)i) % 4]);
        c.radius = R(0.05 + 0.2 * uniform(0, 1));
        c.half_height = R(0.1);
        c.half_extent = v3(R(0.2), R(0.05), R(0.2));
        c.pose.position = v3(R(0.3 * uniform(0, 1) - 0.15), R(0.2 * uniform(0, 1) - 0.1), R(0.3 * uniform(0, 1) - 0.15));
        if (c.shape == PLIANT_SHAPE_PLANE) c.pose.position.y = R(-0.02);
        pliant_pose poses[2] = {pliant_pose_identity(), pliant_pose_identity()};
        poses[0].position = poses[1].position = c.pose.position;
        poses[1].position.y += R(0.05);
        poses[1].rotation = quat_normalize((pliant_quat){R(0.1), R(0.2), 0, 1});
        if (i && uniform(0, 1) < 0.4) c.key_times = times, c.key_poses = poses, c.key_count = 2;
        assert_int_not_equal(pliant_scene_add_collider(t.scene, &c, NULL).id, 0);
    }
    trial_compile(&t);
    pliant__kernels kernels = *t.solver->backend.kernels;
    if (one_by_one) {
        kernels.plain = plain_unsure;
        t.solver->backend.kernels = &kernels;
    }
    *contacts = 0;
    for (int f = 0; f < 6; f++) {
        trial_run(&t, 1.0 / 60, 1);
        *contacts += pliant_solver_contacts(t.solver, NULL, 0);
    }
    const uint64_t hash = pliant_state_hash(t.state);
    trial_end(&t);
    return hash;
}

/* Whole steps, too: particles that meet several shapes, that one of them moves, and that are found late. */
static void steps_among_plain_shapes_are_as_one_by_one(void **state)
{
    (void)state;
    uint32_t all = 0;
    for (uint32_t number = 1; number <= 120; number++) {
        uint32_t       contacts[2];
        const uint64_t lanes = hash_among_shapes(number, false, &contacts[0]), alone = hash_among_shapes(number, true, &contacts[1]);
        if (lanes != alone || contacts[0] != contacts[1]) fail_msg("scene %d: %u contacts for %u", (int)number, contacts[0], contacts[1]);
        all += contacts[0];
    }
    print_message("    %u contacts\n", all);
    assert_true(all > 10000);
}

static void contact_kinds(void **state)
{
    (void)state;
    pliant__shape ball = {.type = PLIANT_SHAPE_SPHERE, .radius = 1, .half_height = 0, .half_extent = {0, 0, 0}};
    pliant__hit   hit;
    assert_true(pliant__shape_contact(&ball, 0, 0, v3(0, 2, 0), v3(R(0.5), R(0.5), 0), &hit)); /* continuous: plane at the entry */
    assert_true(hit.normal.y > hit.normal.x);
    assert_true(pliant__shape_contact(&ball, 0, 0, v3(0, R(0.5), 0), v3(R(0.5), 0, 0), &hit)); /* static: nearest to the end */
    assert_true(hit.normal.x == 1 && hit.depth == R(0.5));
    assert_false(pliant__shape_contact(&ball, 0, R(0.1), v3(0, R(0.5), 0), v3(0, 2, 0), &hit)); /* leaves */
    assert_true(pliant__shape_contact(&ball, 0, R(0.1), v3(0, 2, 0), v3(0, R(1.05), 0), &hit)); /* comes near */
    assert_true(hit.depth < 0);
}

static void nothing_finite_gives_infinity(void **state)
{
    (void)state;
    const double huge[] = {0, 1, -1, 1e8, -1e8, 1e-30, (double)R(1e38), (double)R(-1e38), EPSILON};
    for (int i = 0; i < 20000; i++) {
        pliant__shape s = random_shape(i % TYPES);
        pliant_real   c[6];
        for (int k = 0; k < 6; k++) c[k] = R(huge[(size_t)uniform(0, 9)]);
        pliant__hit hit;
        pliant_real time = 0, grow = R(i % 3 ? 0 : uniform(0, 1));
        pliant_vec3 a = v3(c[0], c[1], c[2]), b = v3(c[3], c[4], c[5]);
        hit = pliant__shape_nearest(&s, grow, a);
        assert_true(v3_finite(hit.point) && v3_finite(hit.normal) && r_finite(hit.depth));
        if (pliant__shape_sweep(&s, grow, a, b, &hit, &time))
            assert_true(v3_finite(hit.point) && v3_finite(hit.normal) && r_finite(hit.depth) && time >= 0 && time <= 1);
        if (pliant__shape_contact(&s, grow, 1, a, b, &hit))
            assert_true(v3_finite(hit.point) && v3_finite(hit.normal) && r_finite(hit.depth));
    }
}

/* A ball of a metre is not missed at the end of a path of 1e8 m that leads through its middle. */
static void long_paths_hit(void **state)
{
    (void)state;
    for (int type = 0; type < TYPES; type++) {
        const bool field =
            type == PLIANT_SHAPE_HEIGHT_FIELD; /* its middle is not at the origin, and it has to be larger for its middle to be hit */
        const double  to = field ? 1024 : 0;
        pliant__shape s = shape_of_size(type, field ? 1000 : 1);
        pliant__hit   hit;
        pliant_real   time;
        assert_true(pliant__shape_sweep(&s, 0, v3(R(3e7 + to), R(1e8), R(-2e7 + to)), v3(R(-3e7 + to), R(-1e8), R(2e7 + to)), &hit, &time));
        assert_true(fabs((double)time - 0.5) < (field ? 1e-5 : 1e-6));
    }
}

static void bounds_hold_the_shape(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        pliant__shape s = random_shape(1 + i % PLIANT_SHAPE_MESH);
        pliant_quat   q = {R(uniform(-1, 1)), R(uniform(-1, 1)), R(uniform(-1, 1)), R(uniform(-1, 1))};
        pliant_pose   pose = {random_point(10), quat_normalize(q)};
        pliant_real   grow = R(uniform(0, 0.1));
        pliant_vec3   low, high, tight_low = v3(99, 99, 99), tight_high = v3(-99, -99, -99);
        pliant__shape_bounds(&s, grow, pose, &low, &high);
        for (int k = 0; k < 60; k++) {
            pliant_vec3 p = pose_apply(pose, pliant__shape_nearest(&s, grow, random_point(3)).point);
            for (int axis = 0; axis < 3; axis++) {
                pliant_real v = (&p.x)[axis], slack = R(32 * EPSILON);
                assert_true(v >= (&low.x)[axis] - slack && v <= (&high.x)[axis] + slack);
                if (v < (&tight_low.x)[axis]) (&tight_low.x)[axis] = v;
                if (v > (&tight_high.x)[axis]) (&tight_high.x)[axis] = v;
            }
        }
        assert_true(high.x - low.x < 2 * (tight_high.x - tight_low.x) + 1);
    }
    pliant__shape plane = {.type = PLIANT_SHAPE_PLANE}, flat = shape_of_size(PLIANT_SHAPE_HEIGHT_FIELD, 0.5);
    pliant_vec3   low, high;
    pliant__shape_bounds(&flat, R(0.5), pliant_pose_identity(), &low, &high); /* a square metre half a metre high */
    assert_true(high.y >= 1 && high.y < R(1.01) && !r_finite(low.y) && low.x <= R(-0.5) && low.x > R(-0.51) && high.z >= R(1.5) &&
                high.z < R(1.51));
    pliant__shape_bounds(&plane, R(0.5), pliant_pose_identity(), &low, &high);
    assert_true(high.y >= R(0.5) && high.y < R(0.51) && !r_finite(low.y) && !r_finite(high.x) && low.x < 0);
}

/* The box of a way is that of both its ends, to the bit, whether a shape turns or not, near the origin or far. */
static void bounds_of_a_way_are_those_of_its_ends(void **state)
{
    (void)state;
    for (int i = 0; i < 4000; i++) {
        pliant__shape     s = random_shape(i % PLIANT_SHAPE_MESH);
        const pliant_quat q = {R(uniform(-1, 1)), R(uniform(-1, 1)), R(uniform(-1, 1)), R(uniform(-1, 1))},
                          r = {R(uniform(-1, 1)), R(uniform(-1, 1)), R(uniform(-1, 1)), R(uniform(-1, 1))};
        const pliant_pose before = {random_point(i % 7 ? 1 : 1e5), i % 4 ? quat_normalize(q) : pliant_pose_identity().rotation},
                          after = {v3_add(before.position, random_point(i % 5 ? 0.1 : 0)), i % 3 ? before.rotation : quat_normalize(r)};
        const pliant_real grow = R(uniform(0, 0.1));
        pliant_vec3       low[3], high[3];
        pliant__shape_bounds(&s, grow, before, &low[0], &high[0]);
        pliant__shape_bounds(&s, grow, after, &low[1], &high[1]);
        pliant__shape_way_bounds(&s, grow, before, after, &low[2], &high[2]);
        for (int axis = 0; axis < 3; axis++) {
            assert_true((&low[2].x)[axis] == r_min((&low[0].x)[axis], (&low[1].x)[axis]));
            assert_true((&high[2].x)[axis] == r_max((&high[0].x)[axis], (&high[1].x)[axis]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_point_is_nearest),
        cmocka_unit_test(nearest_point_of_degenerate_places),
        cmocka_unit_test(ties_are_settled_by_rule),
        cmocka_unit_test(box_keeps_its_corners_when_grown),
        cmocka_unit_test(path_enters_where_it_first_enters),
        cmocka_unit_test(paths_that_graze),
        cmocka_unit_test(start_on_the_surface),
        cmocka_unit_test(path_of_no_length),
        cmocka_unit_test(thin_shapes_stop_fast_paths),
        cmocka_unit_test(shallow_start_does_not_cross),
        cmocka_unit_test(who_is_left_out_has_no_contact),
        cmocka_unit_test(plain_shapes_are_met_in_lanes_as_one_by_one),
        cmocka_unit_test(steps_among_plain_shapes_are_as_one_by_one),
        cmocka_unit_test(contact_kinds),
        cmocka_unit_test(nothing_finite_gives_infinity),
        cmocka_unit_test(long_paths_hit),
        cmocka_unit_test(bounds_hold_the_shape),
        cmocka_unit_test(bounds_of_a_way_are_those_of_its_ends),
    };
    return cmocka_run_group_tests_name("collide", tests, NULL, free_models);
}
