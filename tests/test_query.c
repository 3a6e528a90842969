/* Laws of queries: the nearest surface is the nearest of all, a ray meets nothing before what it hits, and what overlaps is listed, all of it, found
 * by looking at every element and collider in a way of the test's own; the answer is the same for every tree; nonsense is refused. */
#include "sample_scenes.h"
#include "shapes.h"

#include "scene/draft.h"
#include "state/state.h"

#define BODIES 6

/* ---- a scene of everything ---- */

typedef struct face {
    uint32_t body, element;
    double   x[3][3], thickness;
} face;

typedef struct world {
    trial           t;
    pliant_body     body[BODIES];
    pliant_query   *query;
    face           *faces;
    size_t          face_count;
    uint64_t        seed;
    pliant_collider collider[4];
    double          to_collider[4]; /* thickness */
} world;

static double between(world *w, double low, double high) { return low + (high - low) * chance(&w->seed); }

static pliant_vec3 random_vec(world *w, double size)
{
    const double x = between(w, -size, size), y = between(w, -size, size), z = between(w, -size, size);
    return vec(x, y, z);
}

static pliant_quat random_turn(world *w)
{
    double q[4], square = 0;
    for (int i = 0; i < 4; i++) q[i] = between(w, -1, 1), square += q[i] * q[i];
    const double by = 1 / sqrt(square);
    return (pliant_quat){R(q[0] * by), R(q[1] * by), R(q[2] * by), R(q[3] * by)};
}

static void add_bodies(world *w)
{
    pliant_cloth_def     cloth = pliant_cloth_def_default(), shell = cloth;
    pliant_soft_def      soft = pliant_soft_def_default(), dressed;
    pliant_rope_def      rope = pliant_rope_def_default();
    pliant_particles_def points = pliant_particles_def_default();
    shape                round = ball(2, 0, 0, 0, 0.5), skin = ball(1, 0, 0, 0, 0.2);
    pliant_vec3          x[5];
    cloth.cells_x = 5, cloth.cells_z = 4;
    cloth.size_x = R(1.5), cloth.size_z = 1;
    cloth.material.thickness = R(0.01);
    cloth.body.contact_group = 2;
    cloth.body.placement.rotation = random_turn(w);
    w->body[0] = pliant_scene_add_cloth(w->t.scene, &cloth, NULL);
    shell.mesh = shape_view(&round);
    shell.body.placement.position = vec(1, 0.5, 0);
    w->body[1] = pliant_scene_add_cloth(w->t.scene, &shell, NULL);
    for (int k = 0; k < 3; k++) soft.cells[k] = 2;
    soft.extent = vec(0.5, 0.6, 0.7);
    soft.material.thickness = R(0.1);
    soft.body.placement.position = vec(-1, 0.3, 0.5);
    dressed = soft;
    w->body[2] = pliant_scene_add_soft(w->t.scene, &soft, NULL);
    dressed.visual = shape_view(&skin);
    dressed.material.thickness = 0;
    dressed.body.placement.position = vec(-1, -0.6, -0.5);
    dressed.body.placement.rotation = random_turn(w);
    dressed.body.contact_mask = 0;
    w->body[3] = pliant_scene_add_soft(w->t.scene, &dressed, NULL);
    rope.from = vec(-1, 1, -1), rope.to = vec(1, 1.2, -0.8);
    rope.segments = 6;
    rope.material.thickness = R(0.04);
    w->body[4] = pliant_scene_add_rope(w->t.scene, &rope, NULL);
    for (int i = 0; i < 5; i++) x[i] = random_vec(w, 1.5);
    points.positions = x;
    points.count = 5;
    points.material.thickness = R(0.1);
    w->body[5] = pliant_scene_add_particles(w->t.scene, &points, NULL);
    for (int i = 0; i < BODIES; i++) assert_int_not_equal(w->body[i].id, 0);
    shape_free(&round);
    shape_free(&skin);
}

static void add_colliders(world *w)
{
    static const double at[4][3] = {{0, -1.6, 0}, {1.4, -0.6, 0.3}, {0.2, -0.7, 1}, {0.3, -0.8, -1.2}};
    for (int i = 0; i < 4; i++) {
        pliant_collider_def d = pliant_collider_def_default((pliant_shape)i);
        d.radius = R(0.3);
        d.half_height = R(0.4);
        d.half_extent = vec(0.3, 0.2, 0.4);
        d.thickness = R(0.02 * i);
        d.pose.position = vec(at[i][0], at[i][1], at[i][2]);
        if (i) d.pose.rotation = random_turn(w);
        w->to_collider[i] = (double)d.thickness;
        w->collider[i] = add_collider(&w->t, &d);
    }
}

/* Elements as the scene's draft has them. */
static void list_faces(world *w)
{
    const pliant_scene *s = w->t.scene;
    w->face_count = 0;
    for (uint32_t b = 0; b < BODIES; b++) {
        const pliant__draft_body *body = &s->bodies.data[b];
        const uint32_t            count = body->type == PLIANT_BODY_ROPE        ? body->particle_count - 1
                                          : body->type == PLIANT_BODY_PARTICLES ? body->particle_count
                                                                                : body->triangle_count;
        for (uint32_t e = 0; e < count; e++) {
            face *f = &w->faces[w->face_count++];
            *f = (face){.body = b, .element = e, .thickness = (double)pliant_model_body(w->t.model, w->body[b]).thickness};
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t particle = body->first_particle + e + (body->type == PLIANT_BODY_ROPE && k), v = 0;
                if (body->type < PLIANT_BODY_ROPE) particle = s->triangles.data[3 * (size_t)(body->first_triangle + e) + k];
                while (s->vertex_particle.data[body->first_vertex + v] != particle) v++;
                point_of(&w->t, w->body[b], v, f->x[k]);
            }
        }
    }
}

/* Moves every particle a little. */
static void shake(world *w, double size)
{
    for (uint32_t b = 0; b < BODIES; b++)
        for (uint32_t v = 0; v < pliant_model_body(w->t.model, w->body[b]).vertex_count; v++) {
            pliant_vec3 x;
            assert_int_equal(pliant_state_positions(w->t.state, w->body[b], v, 1, &x), PLIANT_OK);
            const pliant_vec3 by = random_vec(w, size);
            x.x += by.x, x.y += by.y, x.z += by.z;
            assert_int_equal(pliant_state_set_positions(w->t.state, w->body[b], v, 1, &x), PLIANT_OK);
        }
}

static void begin(world *w, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->seed = seed;
    trial_begin(&w->t, 9.81, 1, 1);
    add_bodies(w);
    add_colliders(w);
    trial_compile(&w->t);
    shake(w, 0.02);
    w->query = pliant_query_create(w->t.model, NULL);
    assert_non_null(w->query);
    assert_int_equal(pliant_query_update(w->query, w->t.state), PLIANT_OK);
    w->faces = calloc(4096, sizeof *w->faces);
    assert_non_null(w->faces);
    list_faces(w);
}

static void end(world *w)
{
    free(w->faces);
    pliant_query_destroy(w->query);
    trial_end(&w->t);
}

/* ---- distances, in the test's own way ---- */

static void sub3(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

static void to_segment(const double a[3], const double b[3], const double p[3], double out[3])
{
    double u[3], v[3], t = 0;
    sub3(b, a, u);
    sub3(p, a, v);
    if (dot3(u, u) > 0) t = fmin(fmax(dot3(u, v) / dot3(u, u), 0), 1);
    for (int i = 0; i < 3; i++) out[i] = a[i] + t * u[i];
}

/* The point of a triangle nearest to p: its foot on the plane if it lies inside of all three sides, else the nearest on a side. */
static void to_triangle(const double x[3][3], const double p[3], double out[3])
{
    double u[3], v[3], n[3], best = INFINITY, left[3], foot[3];
    sub3(x[1], x[0], u);
    sub3(x[2], x[0], v);
    cross3(u, v, n);
    const double square = dot3(n, n);
    bool         inside = square > 0;
    sub3(p, x[0], left);
    for (int i = 0; i < 3; i++) foot[i] = p[i] - (inside ? n[i] * dot3(n, left) / square : 0);
    for (int k = 0; k < 3 && inside; k++) {
        double side[3], at[3], across[3];
        sub3(x[(k + 1) % 3], x[k], side);
        sub3(foot, x[k], at);
        cross3(side, at, across);
        inside = dot3(across, n) >= 0;
    }
    if (inside) memcpy(out, foot, sizeof foot);
    for (int k = 0; k < 3 && !inside; k++) {
        double q[3], off[3];
        to_segment(x[k], x[(k + 1) % 3], p, q);
        sub3(p, q, off);
        if (length3(off) < best) best = length3(off), memcpy(out, q, sizeof q);
    }
}

static double face_distance(const face *f, const double p[3])
{
    double q[3], off[3];
    to_triangle(f->x, p, q);
    sub3(p, q, off);
    return length3(off) - f->thickness;
}

static void turn(pliant_quat r, double sign, const double v[3], double out[3])
{
    const double u[3] = {sign * (double)r.x, sign * (double)r.y, sign * (double)r.z}, w = (double)r.w;
    double       a[3], b[3];
    cross3(u, v, a);
    for (int i = 0; i < 3; i++) a[i] += w * v[i];
    cross3(u, a, b);
    for (int i = 0; i < 3; i++) out[i] = v[i] + 2 * b[i];
}

static void into(const pliant_pose *pose, const double p[3], double out[3])
{
    const double at[3] = {(double)pose->position.x, (double)pose->position.y, (double)pose->position.z};
    double       off[3];
    sub3(p, at, off);
    turn(pose->rotation, -1, off, out);
}

static void out_of(const pliant_pose *pose, const double p[3], double out[3])
{
    turn(pose->rotation, 1, p, out);
    out[0] += (double)pose->position.x, out[1] += (double)pose->position.y, out[2] += (double)pose->position.z;
}

static double box_distance(const double half[3], const double p[3])
{
    double out[3], inside = -INFINITY;
    for (int i = 0; i < 3; i++) {
        const double beyond = fabs(p[i]) - half[i];
        out[i] = fmax(beyond, 0);
        inside = fmax(inside, beyond);
    }
    return inside < 0 ? inside : length3(out);
}

static double collider_distance(const world *w, int i, const double p[3])
{
    const pliant_collider_def d = pliant_model_collider_at(w->t.model, (uint32_t)i, NULL);
    const pliant_pose         pose = pliant_state_collider_pose(w->t.state, w->collider[i]);
    const double              t = (double)d.thickness, h = i == 2 ? (double)d.half_height : 0;
    const double              half[3] = {(double)d.half_extent.x + t, (double)d.half_extent.y + t, (double)d.half_extent.z + t};
    double                    q[3];
    into(&pose, p, q);
    if (i == 0) return q[1] - t;
    if (i == 3) return box_distance(half, q);
    q[1] -= fmin(fmax(q[1], -h), h);
    return length3(q) - (double)d.radius - t;
}

typedef struct owner {
    int    face, collider; /* below 0: none */
    double distance;
} owner;

static owner nearest(const world *w, const double p[3], const pliant_query_filter *filter)
{
    owner best = {-1, -1, INFINITY};
    for (size_t i = 0; i < w->face_count; i++) {
        const double distance = face_distance(&w->faces[i], p);
        if (filter && (w->body[w->faces[i].body].id == filter->except.id ||
                       !(filter->groups & pliant_model_body(w->t.model, w->body[w->faces[i].body]).contact_group)))
            continue;
        if (distance < best.distance) best = (owner){(int)i, -1, distance};
    }
    for (int i = 0; i < 4 && (!filter || filter->colliders); i++)
        if (collider_distance(w, i, p) < best.distance) best = (owner){-1, i, collider_distance(w, i, p)};
    return best;
}

/* How far the one that was hit is from p. */
static double distance_of_hit(const world *w, const pliant_query_hit *hit, const double p[3])
{
    for (int i = 0; i < 4; i++)
        if (hit->collider.id == w->collider[i].id && !hit->body.id) return collider_distance(w, i, p);
    for (size_t i = 0; i < w->face_count; i++)
        if (w->body[w->faces[i].body].id == hit->body.id && w->faces[i].element == hit->element) return face_distance(&w->faces[i], p);
    fail_msg("body %u has no element %u", hit->body.id, hit->element);
    return 0;
}

static void widen(pliant_vec3 a, double out[3]) { out[0] = (double)a.x, out[1] = (double)a.y, out[2] = (double)a.z; }

#define FINE BOUND(1e-12, 1e-6)
#define TURNED 2e-6 /* what rotations, which are of length 1 to rounding of pliant_real, may make of a place in a collider's frame */

/* Weights and normal lead from the corners to the point. */
static void check_weights(const world *w, const pliant_query_hit *hit, bool apart)
{
    double x[3] = {0, 0, 0}, sum = 0, n[3], point[3];
    widen(hit->normal, n);
    widen(hit->point, point);
    near(length3(n), 1, 1e-5);
    if (!hit->body.id) return;
    for (int k = 0; k < 3; k++) {
        double at[3];
        if (!hit->particles[k].body.id) {
            near((double)hit->weights[k], 0, 0);
            continue;
        }
        assert_int_equal(hit->particles[k].body.id, hit->body.id);
        assert_true(hit->weights[k] >= 0);
        point_of(&w->t, hit->body, hit->particles[k].vertex, at);
        for (int i = 0; i < 3; i++) x[i] += (double)hit->weights[k] * at[i];
        sum += (double)hit->weights[k];
    }
    near(sum, 1, FINE);
    const double thickness = (double)pliant_model_body(w->t.model, hit->body).thickness;
    for (int i = 0; i < 3 && apart; i++) near(x[i] + thickness * n[i], point[i], 2 * FINE);
}

/* ---- the nearest ---- */

static void the_nearest_is_the_nearest_of_all(void **unused)
{
    (void)unused;
    world    w;
    uint32_t of[BODIES + 1] = {0}, inside = 0;
    begin(&w, 3);
    for (int i = 0; i < 4000; i++) {
        const pliant_vec3 at = random_vec(&w, 2);
        pliant_query_hit  hit;
        double            p[3], point[3], n[3];
        widen(at, p);
        assert_int_equal(pliant_query_closest(w.query, at, 10, NULL, &hit), PLIANT_OK);
        const owner best = nearest(&w, p, NULL);
        near((double)hit.distance, best.distance, FINE + TURNED);
        near(distance_of_hit(&w, &hit, p), best.distance, FINE + TURNED);
        widen(hit.point, point);
        widen(hit.normal, n);
        for (int k = 0; k < 3; k++) near(p[k] - (double)hit.distance * n[k], point[k], 3 * FINE);
        check_weights(&w, &hit, true);
        for (uint32_t b = 0; b < BODIES; b++) of[b] += hit.body.id == w.body[b].id;
        of[BODIES] += hit.collider.id != 0;
        inside += hit.distance < 0;
        const double less = fabs(best.distance) * 0.999 - 1e-4;
        if (best.distance < 0 || less < 0) continue;
        assert_int_equal(pliant_query_closest(w.query, at, R(less), NULL, &hit), PLIANT_OK);
        assert_int_equal(hit.body.id + hit.collider.id, 0);
    }
    for (int b = 0; b <= BODIES; b++) assert_true(of[b] > 20);
    assert_true(inside > 20);
    end(&w);
}

/* ---- rays ---- */

/* Goes along as far as nothing can be met, as often as that is more than a little (Hart 1996, Sphere Tracing). */
static double march(const world *w, const double from[3], const double along[3], double most, const pliant_query_filter *filter)
{
    double t = 0;
    for (int i = 0; i < 3000 && t <= most; i++) {
        const double p[3] = {from[0] + t * along[0], from[1] + t * along[1], from[2] + t * along[2]};
        const double left = nearest(w, p, filter).distance;
        if (left < 1e-7) return t;
        t += left;
    }
    return INFINITY;
}

static void rays_meet_what_comes_first(void **unused)
{
    (void)unused;
    world    w;
    uint32_t of[BODIES + 1] = {0}, none = 0, at_once = 0, apart = 0;
    begin(&w, 5);
    for (int i = 0; i < 1500; i++) {
        const pliant_vec3 from = random_vec(&w, 2), way = random_vec(&w, 1);
        pliant_query_hit  hit;
        double            p[3], d[3], point[3], n[3];
        widen(from, p);
        widen(way, d);
        const double length = length3(d);
        for (int k = 0; k < 3; k++) d[k] /= length;
        assert_int_equal(pliant_query_ray(w.query, from, way, 3, NULL, &hit), PLIANT_OK);
        const double first = march(&w, p, d, 3, NULL);
        none += !hit.body.id && !hit.collider.id;
        at_once += hit.distance == 0;
        for (uint32_t b = 0; b < BODIES; b++) of[b] += hit.body.id == w.body[b].id;
        of[BODIES] += hit.collider.id != 0;
        if (!hit.body.id && !hit.collider.id) {
            near((double)hit.distance, 3, 0);
            apart += first < 3 - 1e-3;
            continue;
        }
        widen(hit.point, point);
        widen(hit.normal, n);
        for (int k = 0; k < 3; k++) near(p[k] + (double)hit.distance * d[k], point[k], 4 * FINE);
        const double there = distance_of_hit(&w, &hit, point);
        if (hit.distance > 0) near(there, 0, 4 * FINE + TURNED);
        if (hit.distance == 0) assert_true(there <= 4 * FINE + TURNED);
        if (hit.distance > 0) assert_true(dot3(n, d) < 1e-5);
        check_weights(&w, &hit, hit.distance > 0);
        apart += fabs(first - (double)hit.distance) > 1e-3;
    }
    /* A march ends too soon where a ray passes something nearly at no distance, which is rare. */
    assert_true(apart <= 2);
    for (int b = 0; b <= BODIES; b++) assert_true(of[b] > 5);
    assert_true(none > 20);
    assert_true(at_once > 20);
    end(&w);
}

/* A closed surface without thickness lets no ray through, be it aimed at an edge or a corner. */
static void surfaces_have_no_cracks(void **unused)
{
    (void)unused;
    world               w;
    uint32_t            asked = 0;
    pliant_query_filter only = pliant_query_filter_default();
    begin(&w, 7);
    only.colliders = false;
    only.except = w.body[0];
    for (size_t i = 0; i < w.face_count; i++) {
        const face *f = &w.faces[i];
        if (f->body != 1) continue;
        for (int k = 0; k < 60; k++) {
            const double a = k % 4 ? chance(&w.seed) : 0, middle[3] = {1, 0.5, 0};
            const double from[3] = {1 + between(&w, -3, 3), 0.5 + between(&w, -3, 3), 2};
            double       aim[3], to[3], side[3];
            for (int c = 0; c < 3; c++) aim[c] = f->x[k % 3][c] + a * (f->x[(k + 1) % 3][c] - f->x[k % 3][c]) - from[c];
            sub3(middle, from, to);
            cross3(aim, to, side);
            if (length3(side) / length3(aim) > 0.35) continue; /* near the rim a ray may pass */
            pliant_query_hit hit;
            asked++;
            assert_int_equal(pliant_query_ray(w.query, vec(from[0], from[1], from[2]), vec(aim[0], aim[1], aim[2]), 100, &only, &hit),
                             PLIANT_OK);
            assert_int_not_equal(hit.body.id, 0);
            assert_true((double)hit.distance < length3(aim) + 1e-4);
        }
    }
    assert_true(asked > 1000);
    end(&w);
}

/* ---- overlaps ---- */

static bool lists(const pliant_query_overlap *all, uint32_t count, uint32_t body, uint32_t collider, uint32_t element)
{
    for (uint32_t i = 0; i < count; i++)
        if (all[i].body.id == body && all[i].collider.id == collider && all[i].element == element) return true;
    return false;
}

static void check_order(const pliant_query_overlap *all, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const pliant_query_overlap a = all[i - 1], b = all[i];
        const bool                 both = a.body.id && b.body.id;
        assert_true(both ? a.body.id < b.body.id || (a.body.id == b.body.id && a.element < b.element)
                         : b.collider.id > a.collider.id || (a.body.id && b.collider.id));
    }
}

static void balls_overlap_what_is_near(void **unused)
{
    (void)unused;
    world    w;
    uint32_t listed = 0;
    begin(&w, 11);
    for (int i = 0; i < 300; i++) {
        const pliant_vec3    at = random_vec(&w, 1.5);
        const double         radius = i % 10 ? between(&w, 0, 0.8) : 0;
        pliant_query_overlap all[600], some[7];
        uint32_t             count, again;
        double               p[3];
        widen(at, p);
        assert_int_equal(pliant_query_overlap_sphere(w.query, at, R(radius), NULL, all, 600, &count), PLIANT_OK);
        assert_true(count <= 600);
        check_order(all, count);
        for (size_t k = 0; k < w.face_count; k++) {
            const double distance = face_distance(&w.faces[k], p) - radius;
            const bool   is = lists(all, count, w.body[w.faces[k].body].id, 0, w.faces[k].element);
            if (fabs(distance) > FINE && is != (distance < 0)) fail_msg("element %u is %g m off", w.faces[k].element, distance);
            listed += is;
        }
        for (int k = 0; k < 4; k++) {
            const double distance = collider_distance(&w, k, p) - radius;
            if (fabs(distance) > FINE + TURNED) assert_int_equal(lists(all, count, 0, w.collider[k].id, 0), distance < 0);
        }
        assert_int_equal(pliant_query_overlap_sphere(w.query, at, R(radius), NULL, some, 7, &again), PLIANT_OK);
        assert_int_equal(again, count); /* the first of them, where there is no room for all */
        assert_memory_equal(some, all, (count < 7 ? count : 7) * sizeof *all);
        assert_int_equal(pliant_query_overlap_sphere(w.query, at, R(radius), NULL, NULL, 0, &again), PLIANT_OK);
        assert_int_equal(again, count);
    }
    assert_true(listed > 1000);
    end(&w);
}

/* The nearest point of a turned box. */
static void to_box(const pliant_pose *pose, const double half[3], const double p[3], double out[3])
{
    double q[3];
    into(pose, p, q);
    for (int i = 0; i < 3; i++) q[i] = fmin(fmax(q[i], -half[i]), half[i]);
    out_of(pose, q, out);
}

/* The nearest point of a collider, which is p itself inside. */
static void to_collider(const world *w, int i, const double p[3], double out[3])
{
    const pliant_collider_def d = pliant_model_collider_at(w->t.model, (uint32_t)i, NULL);
    const pliant_pose         pose = pliant_state_collider_pose(w->t.state, w->collider[i]);
    const double              t = (double)d.thickness, r = (double)d.radius + t, h = i == 2 ? (double)d.half_height : 0;
    const double              half[3] = {(double)d.half_extent.x + t, (double)d.half_extent.y + t, (double)d.half_extent.z + t};
    double                    q[3], off[3];
    if (i == 3) {
        to_box(&pose, half, p, out);
        return;
    }
    into(&pose, p, q);
    if (i == 0) q[1] = fmin(q[1], t);
    const double centre[3] = {0, fmin(fmax(q[1], -h), h), 0};
    sub3(q, centre, off);
    if (i && length3(off) > r)
        for (int k = 0; k < 3; k++) q[k] = centre[k] + off[k] * r / length3(off);
    out_of(&pose, q, out);
}

/* Distance of a box and another convex thing: going to the nearest point of one and of the other by turns ends at the nearest two (Cheney and
 * Goldstein 1959), and slowly. */
static double distance_by_turns(const world *w, const pliant_pose *pose, const double half[3], const face *f, int collider)
{
    double p[3], q[3], off[3];
    widen(pose->position, p);
    const double far = (f ? face_distance(f, p) + f->thickness : collider_distance(w, collider, p)) - length3(half);
    if (far > 0.01) return far; /* of what is in the box nothing is further from its middle than a corner */
    for (int i = 0; i < 3000; i++) {
        if (f)
            to_triangle(f->x, p, q);
        else
            to_collider(w, collider, p, q);
        to_box(pose, half, q, p);
        sub3(p, q, off);
        if (length3(off) < 1e-6) return 0; /* turned there and back, a place is another one by rounding */
    }
    return length3(off);
}

static void boxes_overlap_what_they_meet(void **unused)
{
    (void)unused;
    world    w;
    uint32_t is[2] = {0}, is_not[2] = {0};
    begin(&w, 13);
    for (int i = 0; i < 1500; i++) { /* colliders are few: most boxes are asked for those alone, and near one of them */
        const pliant_vec3    extent = vec(between(&w, 0, 0.5), between(&w, 0, 0.5), between(&w, 0.01, 0.5));
        pliant_pose          pose = {random_vec(&w, i < 150 ? 1.2 : 0.8), random_turn(&w)};
        const pliant_vec3    by = pliant_state_collider_pose(w.t.state, w.collider[i % 4]).position;
        pliant_query_overlap all[600];
        uint32_t             count;
        if (i >= 150) pose.position.x += by.x, pose.position.y += by.y, pose.position.z += by.z;
        assert_int_equal(pliant_query_overlap_box(w.query, &pose, extent, NULL, all, 600, &count), PLIANT_OK);
        assert_true(count <= 600);
        check_order(all, count);
        for (size_t k = i < 150 ? 0 : w.face_count; k < w.face_count + 4; k++) {
            const face  *f = k < w.face_count ? &w.faces[k] : NULL;
            const int    c = (int)(k - w.face_count);
            const double t = f ? f->thickness : 0;
            const double half[3] = {(double)extent.x + t, (double)extent.y + t, (double)extent.z + t};
            const double distance = distance_by_turns(&w, &pose, half, f, c);
            const bool   found = f ? lists(all, count, w.body[f->body].id, 0, f->element) : lists(all, count, 0, w.collider[c].id, 0);
            if (distance > 0 && distance < 2e-3) continue; /* too near to tell */
            if (found != (distance == 0)) fail_msg("box %d, %s %zu: found %d, %g m off", i, f ? "element" : "collider", k, found, distance);
            (found ? is : is_not)[!f]++;
        }
    }
    for (int k = 0; k < 2; k++)
        if (is[k] < 20 || is_not[k] < 20) fail_msg("%s: %u overlap, %u do not", k ? "colliders" : "elements", is[k], is_not[k]);
    end(&w);
}

/* ---- filters ---- */

static void filters_choose(void **unused)
{
    (void)unused;
    world w;
    begin(&w, 17);
    for (int i = 0; i < 1000; i++) {
        pliant_query_filter  filter = pliant_query_filter_default();
        const pliant_vec3    at = random_vec(&w, 1.5);
        pliant_query_hit     hit;
        pliant_query_overlap all[BODIES + 4];
        double               p[3];
        uint32_t             count, expected = 0;
        widen(at, p);
        filter.groups = i % 3 == 0 ? 2 : i % 3 == 1 ? 1 : UINT32_MAX;
        filter.colliders = i % 2;
        filter.except = w.body[i % BODIES];
        assert_int_equal(pliant_query_closest(w.query, at, 10, &filter, &hit), PLIANT_OK);
        const owner best = nearest(&w, p, &filter);
        near((double)hit.distance, best.distance < 10 ? best.distance : 10, FINE + TURNED);
        filter.bodies_once = true;
        assert_int_equal(pliant_query_overlap_sphere(w.query, at, R(0.5), &filter, all, BODIES + 4, &count), PLIANT_OK);
        for (uint32_t b = 0; b < BODIES; b++) {
            double least = INFINITY;
            for (size_t k = 0; k < w.face_count; k++)
                if (w.faces[k].body == b) least = fmin(least, face_distance(&w.faces[k], p));
            const bool asked = b != (uint32_t)i % BODIES && (filter.groups & pliant_model_body(w.t.model, w.body[b]).contact_group);
            expected += asked && least < 0.5;
            if (fabs(least - 0.5) > FINE) assert_int_equal(lists(all, count, w.body[b].id, 0, 0), asked && least < 0.5);
        }
        for (int k = 0; k < 4; k++) expected += filter.colliders && collider_distance(&w, k, p) < 0.5;
        assert_true(count + 1 >= expected && count <= expected + 1); /* one may just touch */
    }
    end(&w);
}

/* ---- one answer ---- */

/* A tree that was made for other positions, and one that was not; each result to the bit. */
static void answers_do_not_depend_on_the_tree(void **unused)
{
    (void)unused;
    world         w;
    pliant_error  error;
    pliant_query *other;
    begin(&w, 19);
    other = pliant_query_create(w.t.model, &error);
    assert_non_null(other);
    for (int round = 0; round < 4; round++) { /* w.query keeps the order of the first state */
        shake(&w, 0.1);
        assert_int_equal(pliant_query_update(w.query, w.t.state), PLIANT_OK);
        pliant_query_destroy(other);
        other = pliant_query_create(w.t.model, NULL);
        assert_non_null(other);
        assert_int_equal(pliant_query_update(other, w.t.state), PLIANT_OK);
        for (int i = 0; i < 2000; i++) {
            const pliant_vec3    at = random_vec(&w, 2), way = random_vec(&w, 1);
            pliant_query_hit     a, b;
            pliant_query_overlap p[600], q[600];
            uint32_t             count[2];
            assert_int_equal(pliant_query_ray(w.query, at, way, 9, NULL, &a), PLIANT_OK);
            assert_int_equal(pliant_query_ray(other, at, way, 9, NULL, &b), PLIANT_OK);
            assert_memory_equal(&a, &b, sizeof a);
            assert_int_equal(pliant_query_closest(w.query, at, 9, NULL, &a), PLIANT_OK);
            assert_int_equal(pliant_query_closest(other, at, 9, NULL, &b), PLIANT_OK);
            assert_memory_equal(&a, &b, sizeof a);
            assert_int_equal(pliant_query_overlap_sphere(w.query, at, R(0.3), NULL, p, 600, &count[0]), PLIANT_OK);
            assert_int_equal(pliant_query_overlap_sphere(other, at, R(0.3), NULL, q, 600, &count[1]), PLIANT_OK);
            assert_int_equal(count[0], count[1]);
            assert_memory_equal(p, q, count[0] * sizeof *p);
        }
    }
    pliant_query_destroy(other);
    end(&w);
}

/* Where elements are equally near, and colliders too: a corner of a flat sheet, seen from above, and a floor at its height. */
static void the_first_of_equals_is_taken(void **unused)
{
    (void)unused;
    trial            w;
    pliant_query_hit hit;
    pliant_cloth_def d = pliant_cloth_def_default();
    trial_begin(&w, 0, 1, 1);
    d.cells_x = d.cells_z = 8;
    d.size_x = d.size_z = 8;
    const pliant_body first = pliant_scene_add_cloth(w.scene, &d, NULL);
    assert_int_not_equal(pliant_scene_add_cloth(w.scene, &d, NULL).id, 0);
    assert_int_not_equal(pliant_scene_add_floor(w.scene, 0, NULL).id, 0);
    trial_compile(&w);
    pliant_query *q = pliant_query_create(w.model, NULL);
    assert_non_null(q);
    uint32_t last = 0;
    for (int z = -4; z <= 4; z++)
        for (int x = -4; x <= 4; x++) {
            uint32_t element = 2 * (uint32_t)((z > -4 ? z + 3 : 0) * 8 + (x > -4 ? x + 3 : 0)); /* the first quad that has the corner */
            for (int up = 0; up < 2; up++) {
                assert_int_equal(pliant_query_ray(q, vec(x, 1, z), vec(0, -2, 0), 5, NULL, &hit), PLIANT_OK);
                if (up) assert_int_equal(pliant_query_closest(q, vec(x, 1, z), 5, NULL, &hit), PLIANT_OK);
                assert_int_equal(hit.body.id, first.id);
                assert_int_equal(hit.collider.id, 0);
                assert_true(hit.element == element || hit.element == element + 1);
                near((double)hit.distance, 1, 0);
                near((double)hit.normal.y, 1, 0);
            }
            last = hit.element;
        }
    assert_true(last > 100);
    pliant_query_destroy(q);
    trial_end(&w);
}

/* ---- nonsense ---- */

static void nonsense_is_refused(void **unused)
{
    (void)unused;
    world                w;
    pliant_query_hit     hit;
    pliant_query_overlap out[4];
    pliant_query_filter  none = {0};
    uint32_t             count;
    begin(&w, 23);
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    const pliant_vec3   o = vec(0, 0, 0), up = vec(0, 1, 0);
    const pliant_pose   here = pliant_pose_identity();
    for (size_t i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double x[3] = {0, 1, 0};
            x[k] = bad[i];
            const pliant_vec3 v = vec(x[0], x[1], x[2]);
            pliant_pose       pose = here, turned = here;
            pose.position = v;
            turned.rotation.x = R(bad[i]);
            assert_int_equal(pliant_query_ray(w.query, v, up, 1, NULL, &hit), PLIANT_ERROR_ARGUMENT);
            assert_int_equal(pliant_query_ray(w.query, o, v, 1, NULL, &hit), PLIANT_ERROR_ARGUMENT);
            assert_int_equal(pliant_query_ray(w.query, o, up, R(bad[i]), NULL, &hit), PLIANT_ERROR_ARGUMENT);
            assert_int_equal(pliant_query_closest(w.query, v, 1, NULL, &hit), PLIANT_ERROR_ARGUMENT);
            assert_int_equal(pliant_query_closest(w.query, o, R(bad[i]), NULL, &hit), PLIANT_ERROR_ARGUMENT);
            assert_int_equal(pliant_query_overlap_sphere(w.query, v, 1, NULL, out, 4, &count), PLIANT_ERROR_ARGUMENT);
            assert_int_equal(pliant_query_overlap_sphere(w.query, o, R(bad[i]), NULL, out, 4, &count), PLIANT_ERROR_ARGUMENT);
            assert_int_equal(pliant_query_overlap_box(w.query, &pose, up, NULL, out, 4, &count), PLIANT_ERROR_ARGUMENT);
            assert_int_equal(pliant_query_overlap_box(w.query, &turned, up, NULL, out, 4, &count), PLIANT_ERROR_ARGUMENT);
            assert_int_equal(pliant_query_overlap_box(w.query, &here, v, NULL, out, 4, &count), PLIANT_ERROR_ARGUMENT);
        }
    assert_int_equal(pliant_query_ray(w.query, o, o, 1, NULL, &hit), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_query_ray(w.query, o, up, -1, NULL, &hit), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_query_ray(w.query, o, up, 1, &none, &hit), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_query_ray(w.query, o, up, 1, NULL, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_query_closest(w.query, o, -1, NULL, &hit), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_query_overlap_sphere(w.query, o, -1, NULL, out, 4, &count), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_query_overlap_box(w.query, &here, vec(-1, 1, 1), NULL, out, 4, &count), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_query_ray(NULL, o, up, 1, NULL, &hit), PLIANT_ERROR_ARGUMENT);
    assert_null(pliant_query_create(NULL, NULL));
    pliant_query_destroy(NULL);
    end(&w);
}

/* Far, thin, flat, on the spot: the answer is finite. */
static void answers_are_finite(void **unused)
{
    (void)unused;
    static const double size[] = {1e-30, 1e-6, 1, 1e6, 1e15, 3e37};
    world               w;
    begin(&w, 29);
    for (int i = 0; i < 3000; i++) {
        const double      s = size[i % 6], t = size[i / 6 % 6];
        const pliant_vec3 at = random_vec(&w, s);
        pliant_vec3       way = random_vec(&w, t);
        pliant_query_hit  hit;
        if (i % 5 == 0) way.x = way.z = 0;
        for (int near_by = 0; near_by < 2; near_by++) {
            if (near_by)
                assert_int_equal(pliant_query_closest(w.query, at, R(3e38), NULL, &hit), PLIANT_OK);
            else
                assert_int_equal(pliant_query_ray(w.query, at, way, R(3e38), NULL, &hit), PLIANT_OK);
            const pliant_real all[] = {hit.point.x, hit.point.y, hit.point.z, hit.normal.x, hit.normal.y, hit.normal.z, hit.distance};
            for (int k = 0; k < 7; k++) assert_true(isfinite((double)all[k]));
            assert_true(!near_by || hit.body.id || hit.collider.id);
        }
    }
    /* Everything in one place. */
    for (uint32_t b = 0; b < BODIES; b++)
        for (uint32_t v = 0; v < pliant_model_body(w.t.model, w.body[b]).vertex_count; v++) {
            const pliant_vec3 x = vec(1, 2, 3);
            assert_int_equal(pliant_state_set_positions(w.t.state, w.body[b], v, 1, &x), PLIANT_OK);
        }
    assert_int_equal(pliant_query_update(w.query, w.t.state), PLIANT_OK);
    pliant_query_hit hit;
    assert_int_equal(pliant_query_closest(w.query, vec(1, 2, 4), 5, NULL, &hit), PLIANT_OK);
    assert_int_equal(hit.body.id, w.body[2].id); /* the first of the thickest */
    near((double)hit.distance, 0.9, FINE);
    assert_int_equal(pliant_query_ray(w.query, vec(1, 2, 4), vec(0, 0, -1), 5, NULL, &hit), PLIANT_OK);
    assert_int_equal(hit.body.id, w.body[2].id);
    near((double)hit.distance, 0.9, FINE);
    end(&w);
}

static void a_diverged_state_is_refused(void **unused)
{
    (void)unused;
    world            w;
    pliant_query_hit before, after;
    begin(&w, 31);
    assert_int_equal(pliant_query_closest(w.query, vec(0, 0, 0), 5, NULL, &before), PLIANT_OK);
    w.t.state->x[4 * 17 + 1] = R(NAN);
    assert_int_equal(pliant_query_update(w.query, w.t.state), PLIANT_ERROR_DIVERGED);
    assert_int_equal(pliant_query_closest(w.query, vec(0, 0, 0), 5, NULL, &after), PLIANT_OK);
    assert_memory_equal(&before, &after, sizeof before);
    end(&w);
}

/* ---- memory ---- */

static void memory_is_taken_once(void **unused)
{
    (void)unused;
    tally            t;
    pliant_allocator allocator = tally_allocator(&t);
    const sample    *scene = &samples[0];
    pliant_scene    *s = scene->build(&allocator);
    pliant_model    *m = pliant_scene_compile(s, NULL);
    assert_non_null(m);
    pliant_state *state = pliant_state_create(m, NULL);
    const size_t  live = t.live;
    for (size_t fails = 0;; fails++) {
        pliant_error error = {0};
        t.left = fails;
        pliant_query *q = pliant_query_create(m, &error);
        if (!q) {
            assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
            assert_int_equal(t.live, live);
            continue;
        }
        assert_true(fails > 4);
        t.left = 0;
        pliant_query_hit hit;
        assert_int_equal(pliant_query_update(q, state), PLIANT_OK);
        assert_int_equal(pliant_query_ray(q, vec(0, 9, 0), vec(0, -1, 0), 20, NULL, &hit), PLIANT_OK);
        assert_int_equal(pliant_query_closest(q, vec(0, 9, 0), 20, NULL, &hit), PLIANT_OK);
        pliant_query_destroy(q);
        break;
    }
    t.left = SIZE_MAX;
    assert_int_equal(t.live, live);
    pliant_state_destroy(state);
    pliant_model_destroy(m);
    pliant_scene_destroy(s);
    assert_int_equal(t.live, 0);
}

/* Each collider of triangles is asked by its own, after all of them were fitted. */
static void each_mesh_collider_answers_for_itself(void **unused)
{
    (void)unused;
    trial           t;
    pliant_rope_def rope = pliant_rope_def_default();
    shape           cube[3] = {box(-1, -1, -1, 1, 1, 1), box(9, -2, -2, 13, 2, 2), box(-16, -3, -3, -10, 3, 3)};
    pliant_vec3     at[3] = {vec(0.5, 0, 0), vec(12.5, 0, 0), vec(-10.5, 0, 0)};
    pliant_collider id[3];
    trial_begin(&t, 0, 1, 1);
    for (int i = 0; i < 3; i++) {
        pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_MESH);
        def.mesh = shape_view(&cube[i]);
        id[i] = pliant_scene_add_collider(t.scene, &def, NULL);
    }
    rope.body.placement.position = vec(0, 50, 0);
    assert_int_not_equal(pliant_scene_add_rope(t.scene, &rope, NULL).id, 0);
    trial_compile(&t);
    pliant_query *q = pliant_query_create(t.model, NULL);
    assert_int_equal(pliant_query_update(q, t.state), PLIANT_OK);
    for (int i = 0; i < 3; i++) {
        pliant_query_hit hit;
        assert_int_equal(pliant_query_closest(q, at[i], 1, NULL, &hit), PLIANT_OK);
        assert_int_equal(hit.collider.id, id[i].id);
        near((double)hit.distance, -0.5, 1e-6);
        shape_free(&cube[i]);
    }
    pliant_query_destroy(q);
    trial_end(&t);
}

/* A point is nearest to one of three balls of one particle each, or to one of two planes: the first of each ignores the body that asks, by its groups and by a pair. */
static void filters_choose_what_a_body_meets(void **unused)
{
    pliant_material  thick = plain_material();
    trial            t;
    pliant_query_hit hit;
    pliant_body      body[4];
    (void)unused;
    memset(&t, 0, sizeof t);
    trial_begin(&t, 0, 1, 1);
    thick.thickness = R(0.1);
    for (int i = 0; i < 4; i++) {
        const pliant_vec3    x = vec(0, 1 + i, 0);
        pliant_particles_def def = pliant_particles_def_default();
        def.positions = &x;
        def.count = 1;
        def.material = thick;
        def.body.contact_group = i == 1 ? 2 : 1;
        def.body.contact_mask = 1;
        body[i] = pliant_scene_add_particles(t.scene, &def, NULL);
        assert_int_not_equal(body[i].id, 0);
    }
    pliant_contact_pair_def pair = pliant_contact_pair_def_default();
    pair.body = body[0];
    pair.other = body[2];
    pair.ignore = true;
    assert_int_equal(pliant_scene_contact_pair(t.scene, &pair, NULL), PLIANT_OK);
    pliant_collider_def plane = plane_def(0, 0, 0, 0);
    plane.contact_mask = 2;
    const pliant_collider passed = add_collider(&t, &plane);
    plane.contact_mask = UINT32_MAX;
    plane.pose.position = vec(0, -1, 0);
    const pliant_collider met = add_collider(&t, &plane);
    trial_compile(&t);
    pliant_query *q = pliant_query_create(t.model, NULL);
    assert_int_equal(pliant_query_update(q, t.state), PLIANT_OK);
    pliant_query_filter filter = pliant_query_filter_default();
    filter.colliders = false;
    filter.except = body[0];
    const pliant_vec3 at = vec(0, 1, 0);
    assert_int_equal(pliant_query_closest(q, at, 9, &filter, &hit), PLIANT_OK);
    assert_int_equal(hit.body.id, body[1].id);
    filter.met_by = body[0];
    assert_int_equal(pliant_query_closest(q, at, 9, &filter, &hit), PLIANT_OK);
    assert_int_equal(hit.body.id, body[3].id);
    filter.met_by.id = 0;
    filter.only = body[2];
    assert_int_equal(pliant_query_closest(q, at, 9, &filter, &hit), PLIANT_OK);
    assert_int_equal(hit.body.id, body[2].id);
    filter = pliant_query_filter_default();
    filter.groups = 0;
    assert_int_equal(pliant_query_closest(q, at, 9, &filter, &hit), PLIANT_OK);
    assert_int_equal(hit.collider.id, passed.id);
    filter.met_by = body[0];
    assert_int_equal(pliant_query_closest(q, at, 9, &filter, &hit), PLIANT_OK);
    assert_int_equal(hit.collider.id, met.id);
    uint32_t count;
    assert_int_equal(pliant_query_overlap_sphere(q, at, 9, &filter, NULL, 0, &count), PLIANT_OK);
    assert_int_equal(count, 1);
    pliant_query_destroy(q);
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_nearest_is_the_nearest_of_all),
                                       cmocka_unit_test(each_mesh_collider_answers_for_itself),
                                       cmocka_unit_test(rays_meet_what_comes_first),
                                       cmocka_unit_test(surfaces_have_no_cracks),
                                       cmocka_unit_test(balls_overlap_what_is_near),
                                       cmocka_unit_test(boxes_overlap_what_they_meet),
                                       cmocka_unit_test(filters_choose),
                                       cmocka_unit_test(filters_choose_what_a_body_meets),
                                       cmocka_unit_test(answers_do_not_depend_on_the_tree),
                                       cmocka_unit_test(the_first_of_equals_is_taken),
                                       cmocka_unit_test(nonsense_is_refused),
                                       cmocka_unit_test(answers_are_finite),
                                       cmocka_unit_test(a_diverged_state_is_refused),
                                       cmocka_unit_test(memory_is_taken_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
