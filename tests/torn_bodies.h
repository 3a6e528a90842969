/* What is asked of every body that tears, be it a sheet or a solid: its parts, its mass and momentum, and whether it goes on from its bytes, or in an edited scene. */
#ifndef PLIANT_TESTS_TORN_BODIES_H
#define PLIANT_TESTS_TORN_BODIES_H

#include "trial.h"

/* Vertices that were split off others. */
static inline uint32_t born_count(const trial *t, pliant_body body)
{
    const pliant_body_info b = pliant_model_body(t->model, body);
    uint32_t               count = 0;
    for (uint32_t v = b.vertex_count - b.spare_count; v < b.vertex_count; v++)
        count += pliant_state_origin(t->state, body, v) != UINT32_MAX;
    return count;
}

/* Pieces of the surface as it is now, which hang together by vertices that faces share. */
static inline uint32_t piece_count(const trial *t, pliant_body body)
{
    const pliant_body_info b = pliant_model_body(t->model, body);
    const uint32_t        *face = pliant_state_faces(t->state, body);
    uint32_t              *above = calloc(b.vertex_count, sizeof *above), count = 0;
    bool                  *used = calloc(b.vertex_count, sizeof *used);
    assert_non_null(above);
    assert_non_null(used);
    for (uint32_t v = 0; v < b.vertex_count; v++) above[v] = v;
    for (uint32_t k = 0; k < 3 * pliant_state_face_count(t->state, body); k++) {
        uint32_t p = face[k], q = face[k - k % 3];
        used[face[k]] = true;
        while (above[p] != p) p = above[p] = above[above[p]];
        while (above[q] != q) q = above[q] = above[above[q]];
        above[p > q ? p : q] = p > q ? q : p;
    }
    for (uint32_t v = 0; v < b.vertex_count; v++) count += used[v] && above[v] == v;
    free(above);
    free(used);
    return count;
}

static inline double mass_of(const trial *t, pliant_body body)
{
    const uint32_t count = vertex_count(t, body);
    pliant_real   *w = malloc(count * sizeof *w);
    double         sum = 0;
    assert_non_null(w);
    assert_int_equal(pliant_state_inverse_masses(t->state, body, 0, count, w), PLIANT_OK);
    for (uint32_t v = 0; v < count; v++) sum += w[v] > 0 ? 1 / (double)w[v] : 0;
    free(w);
    return sum;
}

/* Momentum, and angular momentum about the origin. */
static inline void momentum_of(const trial *t, pliant_body body, double p[6])
{
    const uint32_t count = vertex_count(t, body);
    pliant_real   *w = malloc(count * sizeof *w);
    assert_non_null(w);
    assert_int_equal(pliant_state_inverse_masses(t->state, body, 0, count, w), PLIANT_OK);
    memset(p, 0, 6 * sizeof *p);
    for (uint32_t k = 0; k < count; k++) {
        double x[3], v[3], turn[3];
        point_of(t, body, k, x);
        speed_of(t, body, k, v);
        cross3(x, v, turn);
        for (int a = 0; a < 3; a++) p[a] += w[k] > 0 ? v[a] / (double)w[k] : 0;
        for (int a = 0; a < 3; a++) p[3 + a] += w[k] > 0 ? turn[a] / (double)w[k] : 0;
    }
    free(w);
}

/* Throws all away but the state's bytes, and goes on from these. */
static inline void go_on_from_bytes(trial *t, pliant_solver **solver, const pliant_solver_def *def)
{
    size_t      size;
    const void *data = pliant_state_data(t->state, &size);
    void       *kept = malloc(size);
    assert_non_null(kept);
    memcpy(kept, data, size);
    pliant_solver_destroy(*solver);
    pliant_state_destroy(t->state);
    t->state = pliant_state_create(t->model, NULL);
    assert_int_equal(pliant_state_load(t->state, kept, size, NULL), PLIANT_OK);
    free(kept);
    *solver = pliant_solver_create(t->model, def, NULL);
    assert_non_null(*solver);
}

/* The scene compiled again with what its state is like. Of the trial returned the model and the state are its own: recompiled_end. */
static inline trial recompiled(const trial *t)
{
    trial again = *t;
    again.model = pliant_scene_recompile(t->scene, t->state, &again.state, NULL);
    assert_non_null(again.model);
    return again;
}

static inline void recompiled_end(trial *again)
{
    pliant_state_destroy(again->state);
    pliant_model_destroy(again->model);
}

#endif
