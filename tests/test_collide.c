/* Contacts against slow oracles: distances by dense sampling of the surface, entries by walking the path and bisecting, all in double and
 * all from one predicate, "is this point inside?", that shares no formula with the library. */
#include "collide/collide.h"

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

static pliant__shape random_shape(int type)
{
    pliant__shape s = {.type = (pliant_shape)type};
    s.radius = R(uniform(0.05, 1));
    s.half_height = R(uniform(0.05, 1));
    s.half_extent = v3(R(uniform(0.05, 1)), R(uniform(0.05, 1)), R(uniform(0.05, 1)));
    return s;
}

/* ---- the oracle ---- */

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
    for (int i = 0; i < 160; i++) {
        point  direction;
        double spread = i % 2 ? 1 : i % 4 ? 0.1 : 0.003;
        for (int k = 0; k < 3; k++) direction.x[k] = uniform(-spread, spread) + (i % 2 ? 0 : guess.x[k] - from.x[k]);
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

static void check_hit(const pliant__shape *s, double grow, const pliant__hit *hit, point end, double size)
{
    assert_true(v3_finite(hit->point) && v3_finite(hit->normal) && r_finite(hit->depth));
    point  q = wide(hit->point), n = wide(hit->normal), zero = {{0, 0, 0}};
    double depth = 0;
    for (int i = 0; i < 3; i++) depth -= (end.x[i] - q.x[i]) * n.x[i];
    assert_true(fabs(apart(n, zero) - 1) < 4 * EPSILON);
    assert_true(fabs(outside_by(s, grow, q)) < 16 * EPSILON * size);
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
    assert_true(sampled_distance(s, (double)grow, p, q) > apart(p, q) - tolerance);
}

static void nearest_point_is_nearest(void **state)
{
    (void)state;
    for (int type = 0; type < 4; type++)
        for (int i = 0; i < 150; i++) {
            pliant__shape s = random_shape(type);
            check_nearest(&s, i % 3 ? R(uniform(0, 0.2)) : 0, random_point(i % 2 ? 0.5 : 3));
        }
}

static void nearest_point_of_degenerate_places(void **state)
{
    (void)state;
    static const double at[] = {0, 1, -1};
    for (int type = 0; type < 4; type++)
        for (int i = 0; i < 27; i++) {
            pliant__shape s = random_shape(type);
            pliant_vec3   e = type == PLIANT_SHAPE_BOX ? s.half_extent : v3(s.radius, s.half_height, s.radius);
            pliant_vec3   p = v3(R(at[i % 3]) * e.x, R(at[i / 3 % 3]) * e.y, R(at[i / 9]) * e.z);
            check_nearest(&s, 0, p);
            check_nearest(&s, R(0.1), p);
        }
}

static void ties_are_settled_by_rule(void **state)
{
    (void)state;
    pliant__shape sphere = {PLIANT_SHAPE_SPHERE, 1, 0, {0, 0, 0}}, capsule = {PLIANT_SHAPE_CAPSULE, 1, 1, {0, 0, 0}};
    pliant__shape cube = {PLIANT_SHAPE_BOX, 0, 0, {1, 1, 1}};
    assert_true(pliant__shape_nearest(&sphere, 0, v3(0, 0, 0)).normal.y == 1);
    assert_true(pliant__shape_nearest(&capsule, 0, v3(0, R(0.5), 0)).normal.x == 1);
    assert_true(pliant__shape_nearest(&cube, 0, v3(0, 0, 0)).normal.y == 1);
    assert_true(pliant__shape_nearest(&cube, 0, v3(R(0.5), R(0.25), R(0.5))).normal.x == 1);
}

static void box_keeps_its_corners_when_grown(void **state)
{
    (void)state;
    pliant__shape cube = {PLIANT_SHAPE_BOX, 0, 0, {1, 1, 1}};
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
    if (entry < 0) return; /* shorter inside than the walk's steps: that q lies on path and surface says it all */
    double speed = apart(a, b), steep = 0;
    for (int i = 0; i < 3; i++) steep -= (b.x[i] - a.x[i]) * (double)(&hit.normal.x)[i];
    if (steep > 0.05 * speed) assert_true(fabs((double)time - entry) * speed < 2000 * EPSILON * size);
}

static void path_enters_where_it_first_enters(void **state)
{
    (void)state;
    for (int type = 0; type < 4; type++)
        for (int i = 0; i < 600; i++) {
            pliant__shape s = random_shape(type);
            check_sweep(&s, i % 3 ? R(uniform(0, 0.2)) : 0, random_point(3), random_point(i % 2 ? 1 : 3));
        }
}

/* Lines along the axes through special places: tangents, edges, corners, the capsule's seam. */
static void paths_that_graze(void **state)
{
    (void)state;
    for (int type = 0; type < 4; type++)
        for (int i = 0; i < 81; i++) {
            pliant__shape s = {(pliant_shape)type, R(0.5), R(0.5), {R(0.5), R(0.5), R(0.5)}};
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
    for (int type = 0; type < 4; type++)
        for (int i = 0; i < 500; i++) {
            pliant__shape s = random_shape(type);
            pliant__hit   on = pliant__shape_nearest(&s, 0, random_point(2)), hit;
            pliant_real   time, step = R(uniform(1e-6, 0.01));
            pliant_vec3   nudged = v3_madd(on.point, on.normal, R(uniform(-2, 2) * EPSILON * (double)s.radius));
            pliant_vec3   inwards = v3_madd(nudged, on.normal, -step), outwards = v3_madd(nudged, on.normal, step);
            assert_true(pliant__shape_sweep(&s, 0, nudged, inwards, &hit, &time));
            assert_true((double)time < 0.5 || step < 1e-5f);
            assert_true((double)(hit.depth - step) < 16 * EPSILON && (double)hit.depth > -16 * EPSILON);
            assert_false(pliant__shape_sweep(&s, 0, nudged, outwards, &hit, &time));
            assert_true(pliant__shape_contact(&s, 0, R(1e-3), nudged, inwards, &hit));
            assert_true(pliant__shape_contact(&s, 0, 0, nudged, nudged, &hit)); /* at rest is in contact, whatever the margin */
        }
}

static void path_of_no_length(void **state)
{
    (void)state;
    for (int type = 0; type < 4; type++)
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
        pliant__shape plate = {PLIANT_SHAPE_BOX, 0, 0, {1, R(i % 2 ? 0 : 1e-6), 1}}, wire = {PLIANT_SHAPE_CAPSULE, R(1e-3), 1, {0, 0, 0}};
        double        far = pow(10, uniform(-2, 3)), x = uniform(-0.9, 0.9), z = uniform(-0.9, 0.9);
        pliant__hit   hit;
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
    pliant__shape plate = {PLIANT_SHAPE_BOX, 0, 0, {1, R(0.01), 1}};
    pliant__hit   hit;
    assert_true(pliant__shape_contact(&plate, 0, R(0.005), v3(0, R(0.008), 0), v3(0, -1, 0), &hit));
    assert_true(hit.normal.y == 1 && hit.depth > 1);
    assert_true(pliant__shape_contact(&plate, 0, R(0.005), v3(0, R(0.008), 0), v3(0, R(-0.005), 0), &hit));
    assert_true(hit.normal.y == 1);
    assert_true(pliant__shape_contact(&plate, 0, R(0.001), v3(0, R(0.004), 0), v3(0, R(-0.005), 0), &hit)); /* deep: nearest to the end */
    assert_true(hit.normal.y == -1);
}

static void contact_kinds(void **state)
{
    (void)state;
    pliant__shape ball = {PLIANT_SHAPE_SPHERE, 1, 0, {0, 0, 0}};
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
        pliant__shape s = random_shape(i % 4);
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
    for (int type = 0; type < 4; type++) {
        pliant__shape s = {(pliant_shape)type, 1, 1, {1, 1, 1}};
        pliant__hit   hit;
        pliant_real   time;
        assert_true(pliant__shape_sweep(&s, 0, v3(R(3e7), R(1e8), R(-2e7)), v3(R(-3e7), R(-1e8), R(2e7)), &hit, &time));
        assert_true(fabs((double)time - 0.5) < 1e-6);
    }
}

static void bounds_hold_the_shape(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        pliant__shape s = random_shape(1 + i % 3);
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
    pliant__shape plane = {.type = PLIANT_SHAPE_PLANE};
    pliant_vec3   low, high;
    pliant__shape_bounds(&plane, R(0.5), pliant_pose_identity(), &low, &high);
    assert_true(high.y >= R(0.5) && high.y < R(0.51) && !r_finite(low.y) && !r_finite(high.x) && low.x < 0);
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
        cmocka_unit_test(contact_kinds),
        cmocka_unit_test(nothing_finite_gives_infinity),
        cmocka_unit_test(long_paths_hit),
        cmocka_unit_test(bounds_hold_the_shape),
    };
    return cmocka_run_group_tests_name("collide", tests, NULL, NULL);
}
