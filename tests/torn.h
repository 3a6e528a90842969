/* A block that tears, and what is asked of solids that are torn or cut. */
#ifndef PLIANT_TESTS_TORN_H
#define PLIANT_TESTS_TORN_H

#include "torn_bodies.h"

/* ---- a block ---- */

typedef struct block {
    uint32_t           cells[3];
    double             stretch, spare;
    double             pull; /* m/s, at which its upper side is led away from its lower one, which is held; 0: it is free */
    pliant_solid_model model;
    uint32_t           iterations;
} block;

static const block plain = {{4, 8, 4}, 1.3, 2, 0, PLIANT_SOLID_NEO_HOOKEAN, 1};

static inline uint32_t vertices_of(const block *b) { return (b->cells[0] + 1) * (b->cells[1] + 1) * (b->cells[2] + 1); }

/* The first or the last layer of vertices along y. */
static inline bool is_side(const block *b, uint32_t v, bool upper)
{
    return v / (b->cells[0] + 1) % (b->cells[1] + 1) == (upper ? b->cells[1] : 0);
}

static inline void pull_apart(trial *t, const block *b, pliant_body body)
{
    const double times[2] = {0, 1 / b->pull};
    uint32_t     target = 0;
    for (uint32_t v = 0; v < vertices_of(b); v++) {
        if (is_side(b, v, false)) assert_int_equal(pliant_scene_pin(t->scene, body, &v, 1, false, NULL), PLIANT_OK);
        if (!is_side(b, v, true)) continue;
        const uint32_t    layer = (b->cells[0] + 1) * (b->cells[1] + 1);
        const double      x = v % (b->cells[0] + 1) / (double)b->cells[0] - 0.5, z = v / layer / (double)b->cells[2] - 0.5;
        const pliant_vec3 keys[2] = {vec(x / 2, 0.5, z / 2), vec(x / 2, 1.5, z / 2)};
        assert_int_equal(pliant_scene_attach(t->scene, body, &v, 1, NULL), PLIANT_OK);
        assert_int_equal(pliant_scene_key_targets(t->scene, body, target++, 1, times, 2, keys, NULL), PLIANT_OK);
    }
}

/* Half a metre across, a metre high, about the origin. */
static inline pliant_body add_block(trial *t, const block *b)
{
    pliant_soft_def def = pliant_soft_def_default();
    pliant_error    error = {0};
    def.material = plain_material();
    def.material.density = R(1000);
    def.material.young = R(50000);
    def.material.poisson = R(0.3);
    def.model = b->model;
    memcpy(def.cells, b->cells, sizeof def.cells);
    def.extent = vec(0.5, 1, 0.5);
    def.tear.stretch = R(b->stretch);
    def.tear.spare = R(b->spare);
    const pliant_body body = pliant_scene_add_soft(t->scene, &def, &error);
    if (!body.id) fail_msg("%s", error.message);
    if (b->pull > 0) pull_apart(t, b, body);
    return body;
}

static inline pliant_body begin(trial *t, const block *b)
{
    trial_begin(t, 0, 20, b->iterations);
    const pliant_body body = add_block(t, b);
    trial_compile(t);
    return body;
}

static inline void throw_apart(trial *t, const block *b, pliant_body body, double speed)
{
    for (uint32_t v = 0; v < vertices_of(b); v++) {
        double x[3];
        point_of(t, body, v, x);
        const pliant_vec3 away = vec(0.3 + x[2], 0.1 + speed * x[1], 0);
        assert_int_equal(pliant_state_set_velocities(t->state, body, v, 1, &away), PLIANT_OK);
    }
}

/* Volume that the faces enclose. */
static inline double enclosed(const trial *t, pliant_body body)
{
    const uint32_t *face = pliant_state_faces(t->state, body);
    double          sum = 0;
    for (uint32_t f = 0; f < pliant_state_face_count(t->state, body); f++) {
        double x[3][3], normal[3];
        for (int k = 0; k < 3; k++) point_of(t, body, face[3 * f + (uint32_t)k], x[k]);
        cross3(x[1], x[2], normal);
        sum += dot3(x[0], normal) / 6;
    }
    return sum;
}

/* The law of a solid's surface: faces have corners that are parts of vertices, in use; each side of a face is that of another one the other way round, so that
 * it is closed and turned outwards everywhere; faces that stand by have one corner; faces that there were at first are where they were. */
static inline void check_surface(const trial *t, pliant_body body)
{
    const pliant_body_info b = pliant_model_body(t->model, body);
    const uint32_t         count = pliant_state_face_count(t->state, body), first = b.face_count - b.spare_face_count;
    const uint32_t        *was, *now = pliant_state_faces(t->state, body);
    int                   *balance = calloc((size_t)b.vertex_count, sizeof *balance);
    assert_non_null(balance);
    pliant_model_faces(t->model, body, NULL, &was);
    assert_true(count >= first && count <= b.face_count);
    for (uint32_t k = 0; k < b.face_index_count; k++) {
        assert_true(now[k] < b.vertex_count);
        if (k < 3 * first) assert_int_equal(pliant_state_origin(t->state, body, now[k]), was[k]);
        if (k < 3 * count) assert_int_not_equal(pliant_state_origin(t->state, body, now[k]), UINT32_MAX);
        if (k >= 3 * count) assert_int_equal(now[k], now[3 * count]);
    }
    for (uint32_t f = 0; f < count;
         f++) /* sums over the sides from each vertex: that of a closed surface is 0, of a weight that tells vertices apart */
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t p = now[3 * f + k], q = now[3 * f + (k + 1) % 3];
            balance[p] += (int)(q * 2654435761u >> 12 & 0xffff);
            balance[q] -= (int)(p * 2654435761u >> 12 & 0xffff);
        }
    for (uint32_t v = 0; v < b.vertex_count; v++) assert_int_equal(balance[v], 0);
    free(balance);
}

#endif
