/* Particles and constraints one by one, compiled, with state, solver and inputs, in a few calls. */
#ifndef LAW_SCENE_H
#define LAW_SCENE_H

#include "law_draw.h"

#include "pliant/pliant.h"

typedef struct law_world {
    pliant_scene_def settings;
    pliant_scene    *scene;
    pliant_body      body;
    uint32_t         particles;
    pliant_model    *model;
    pliant_state    *state;
    pliant_solver   *solver;
    pliant_inputs   *inputs;
    pliant_error     error;
} law_world;

#define LAW_STEP 0.01 /* s */

/* No gravity, one substep, one iteration: the projection and nothing else. */
static inline pliant_scene_def bare_settings(void)
{
    pliant_scene_def d = pliant_scene_def_default();
    d.gravity.y = 0;
    d.substeps = 1;
    d.iterations = 1;
    return d;
}

static inline law_world world_begin(const pliant_scene_def *settings, uint32_t count, const pliant_vec3 *x, const pliant_vec3 *v,
                                    const pliant_real *inverse_masses)
{
    law_world world;
    memset(&world, 0, sizeof world);
    world.settings = *settings;
    world.scene = pliant_scene_create(settings, &world.error);
    assert_non_null(world.scene);
    pliant_particles_def def = pliant_particles_def_default();
    def.positions = x;
    def.velocities = v;
    def.inverse_masses = inverse_masses;
    def.count = count;
    world.body = pliant_scene_add_particles(world.scene, &def, &world.error);
    if (!world.body.id) print_error("%s\n", world.error.message);
    assert_int_not_equal(world.body.id, 0);
    world.particles = count;
    return world;
}

static inline pliant_constraint world_constrain(law_world *w, const pliant_constraint_info *row, const uint32_t *ids,
                                                const pliant_real *parameters, const pliant_law *law)
{
    pliant_constraint_def def = pliant_constraint_def_default(row->kind);
    for (uint32_t s = 0; s < row->slots; s++) {
        def.particles[s].body = w->body;
        def.particles[s].vertex = ids[s];
    }
    for (uint32_t i = 0; i < row->parameter_count; i++) def.parameters[i] = parameters[i];
    def.law = *law;
    pliant_constraint c = pliant_scene_add_constraint(w->scene, &def, &w->error);
    if (!c.id) print_error("%s: %s\n", law_where, w->error.message);
    assert_int_not_equal(c.id, 0);
    return c;
}

/* Two particles at a distance, the commonest of all. */
static inline pliant_constraint world_link(law_world *w, uint32_t a, uint32_t b, double rest, pliant_law law)
{
    uint32_t    ids[2] = {a, b};
    pliant_real parameter = R(rest);
    return world_constrain(w, pliant_constraint_describe(PLIANT_CONSTRAINT_DISTANCE), ids, &parameter, &law);
}

static inline void world_compile(law_world *w)
{
    w->model = pliant_scene_compile(w->scene, &w->error);
    if (!w->model) print_error("%s: %s\n", law_where, w->error.message);
    assert_non_null(w->model);
    w->state = pliant_state_create(w->model, NULL);
    w->inputs = pliant_inputs_create(w->model, NULL);
    assert_non_null(w->state);
    assert_non_null(w->inputs);
}

static inline void world_solver(law_world *w, uint32_t width, uint32_t threads, bool measure)
{
    pliant_solver_def def = pliant_solver_def_default();
    def.width = width;
    def.threads = threads;
    def.measure = measure;
    pliant_solver_destroy(w->solver);
    w->solver = pliant_solver_create(w->model, &def, &w->error);
    if (!w->solver) print_error("%s: %s\n", law_where, w->error.message);
    assert_non_null(w->solver);
}

static inline pliant_code world_step(law_world *w, double dt)
{
    assert_int_equal(pliant_inputs_reset(w->inputs, dt), PLIANT_OK);
    return pliant_solver_step(w->solver, w->state, w->inputs);
}

static inline void world_positions(const law_world *w, pliant_vec3 *out)
{
    assert_int_equal(pliant_state_positions(w->state, w->body, 0, w->particles, out), PLIANT_OK);
}

static inline void world_velocities(const law_world *w, pliant_vec3 *out)
{
    assert_int_equal(pliant_state_velocities(w->state, w->body, 0, w->particles, out), PLIANT_OK);
}

static inline void world_end(law_world *w)
{
    pliant_solver_destroy(w->solver);
    pliant_state_destroy(w->state);
    pliant_inputs_destroy(w->inputs);
    pliant_model_destroy(w->model);
    pliant_scene_destroy(w->scene);
}

static inline point point_at(pliant_vec3 v)
{
    point p = {{(double)v.x, (double)v.y, (double)v.z}};
    return p;
}

/* One constraint of a case from law_draw.h, alone in its scene. */
static inline law_world world_of(const pliant_scene_def *settings, const pliant_constraint_info *row, const pliant_eval_input *in,
                                 const pliant_vec3 *v)
{
    pliant_vec3 x[PLIANT_MAX_SLOTS];
    uint32_t    ids[PLIANT_MAX_SLOTS];
    for (uint32_t s = 0; s < row->slots; s++) {
        x[s].x = in->x[s][0];
        x[s].y = in->x[s][1];
        x[s].z = in->x[s][2];
        ids[s] = s;
    }
    law_world w = world_begin(settings, row->slots, x, v, in->w);
    world_constrain(&w, row, ids, in->parameters, &in->law);
    return w;
}

#endif
