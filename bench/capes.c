/* A crowd of capes, each with five capsules of its own that move by keys: all in one scene, beside as many states of a scene with one. Both do the
 * same work; the difference is the cost of finding colliders in the scene. Frames by turns, medians. */
#include "bench.h"
#include "timing.h"

#define CAPES 200
#define CAPSULES 5
#define FRAMES 9
#define APART 3.0 /* m */

static void add_cape(pliant_scene *scene, double x)
{
    pliant_error     error = {0};
    pliant_cloth_def cape = pliant_cloth_def_default();
    cape.cells_x = cape.cells_z = 23;
    cape.size_x = cape.size_z = (pliant_real)0.9;
    cape.material = pliant_material_preset(PLIANT_COTTON);
    cape.material.thickness = (pliant_real)0.005;
    cape.body.placement.position = (pliant_vec3){(pliant_real)x, 1, (pliant_real)-0.25};
    cape.body.placement.rotation = (pliant_quat){(pliant_real)0.70710678, 0, 0, (pliant_real)0.70710678};
    const pliant_body body = pliant_scene_add_cloth(scene, &cape, &error);
    if (!body.id) stop(&error);
    uint32_t edge[24];
    for (uint32_t i = 0; i < 24; i++) edge[i] = i;
    if (pliant_scene_pin(scene, body, edge, 24, false, &error) != PLIANT_OK) stop(&error);
    for (uint32_t i = 0; i < CAPSULES; i++) {
        static const double times[3] = {0, 1, 2};
        pliant_pose         poses[3] = {pliant_pose_identity(), pliant_pose_identity(), pliant_pose_identity()};
        pliant_collider_def capsule = pliant_collider_def_default(PLIANT_SHAPE_CAPSULE);
        for (int k = 0; k < 3; k++)
            poses[k].position =
                (pliant_vec3){(pliant_real)(x + 0.12 * i - 0.24), (pliant_real)(0.9 - 0.12 * i), (pliant_real)(k == 1 ? -0.15 : 0)};
        capsule.radius = (pliant_real)0.08;
        capsule.half_height = (pliant_real)0.15;
        capsule.key_times = times;
        capsule.key_poses = poses;
        capsule.key_count = 3;
        if (!pliant_scene_add_collider(scene, &capsule, &error).id) stop(&error);
    }
}

static pliant_model *model_of(uint32_t capes)
{
    pliant_error     error = {0};
    pliant_scene_def def = pliant_scene_def_default();
    def.substeps = 10;
    pliant_scene *scene = pliant_scene_create(&def, &error);
    if (!scene) stop(&error);
    for (uint32_t i = 0; i < capes; i++) add_cape(scene, APART * i);
    pliant_model *model = pliant_scene_compile(scene, &error);
    if (!model) stop(&error);
    pliant_scene_destroy(scene);
    return model;
}

typedef struct crowd {
    pliant_model  *model;
    pliant_solver *solver;
    pliant_inputs *inputs;
    pliant_state  *state[CAPES];
    uint32_t       states;
    double         seconds[FRAMES];
} crowd;

static void make(crowd *c, uint32_t capes, uint32_t states)
{
    pliant_error      error = {0};
    pliant_solver_def def = pliant_solver_def_default();
    def.threads = 1;
    c->model = model_of(capes);
    c->states = states;
    c->solver = pliant_solver_create(c->model, &def, &error);
    c->inputs = c->solver ? pliant_inputs_create(c->model, &error) : NULL;
    if (!c->inputs) stop(&error);
    for (uint32_t i = 0; i < states; i++)
        if (!(c->state[i] = pliant_state_create(c->model, &error))) stop(&error);
}

static void end(crowd *c)
{
    for (uint32_t i = 0; i < c->states; i++) pliant_state_destroy(c->state[i]);
    pliant_inputs_destroy(c->inputs);
    pliant_solver_destroy(c->solver);
    pliant_model_destroy(c->model);
}

static double frame(crowd *c)
{
    const double begun = wall_seconds();
    pliant_inputs_reset(c->inputs, 1.0 / 60);
    for (uint32_t i = 0; i < c->states; i++)
        if (pliant_solver_step(c->solver, c->state[i], c->inputs) != PLIANT_OK) stop(&(pliant_error){.message = "a cape does not go on"});
    return wall_seconds() - begun;
}

void bench_capes(bool quick)
{
    static crowd   each, all;
    const uint32_t capes = quick ? 50 : CAPES;
    make(&each, 1, capes);
    make(&all, capes, 1);
    for (int i = -3; i < FRAMES; i++) {
        const double one = frame(&each), other = frame(&all);
        if (i >= 0) each.seconds[i] = one, all.seconds[i] = other;
    }
    const double one = 1e3 * median(each.seconds, FRAMES), other = 1e3 * median(all.seconds, FRAMES);
    printf("\n%u capes of 24 x 24 with %u moving capsules each, 10 substeps, one thread: as states of one scene %.1f ms a frame, in one "
           "scene %.1f ms, "
           "%.2f times as much\n",
           capes, CAPSULES, one, other, other / one);
    end(&each);
    end(&all);
}
