/* A pool of 32 balls of jelly, of which a thrower takes one after another: the model is compiled once, and waiting balls cost next to nothing.
 *
 *     cc pool.c $(pkg-config --cflags --libs pliant) -o pool && ./pool */
#include "pliant/pliant.h"

#include <stdio.h>
#include <stdlib.h>

#define POOL 32
#define VERTICES 27 /* of a body of 2 x 2 x 2 cubes */
#define LIFE 90     /* steps that one is there */
#define EVERY 6     /* steps from one to the next */

static void *need(void *made, const pliant_error *error)
{
    if (made) return made;
    fprintf(stderr, "pool: %s\n", error->message);
    exit(1);
}

/* All in one place. Compiling puts bodies that lie in a body that they meet a little aside, but not the first one; all take their positions at rest
 * from that one. */
static pliant_scene *build(pliant_body pool[POOL], pliant_error *error)
{
    pliant_scene   *scene = (pliant_scene *)need(pliant_scene_create(NULL, error), error);
    pliant_soft_def jelly = pliant_soft_def_default();
    jelly.cells[0] = jelly.cells[1] = jelly.cells[2] = 2;
    jelly.extent.x = jelly.extent.y = jelly.extent.z = (pliant_real)0.2;
    jelly.material = pliant_material_preset(PLIANT_JELLY);
    jelly.material.thickness = (pliant_real)0.01;
    jelly.body.contact_mask = 1; /* they meet each other */
    for (int i = 0; i < POOL; i++) {
        pool[i] = pliant_scene_add_soft(scene, &jelly, error);
        if (!pool[i].id) need(NULL, error);
    }
    if (!pliant_scene_add_floor(scene, 0, error).id) need(NULL, error);
    return scene;
}

/* Where a body lay when it was made, moved to where it is thrown from; all of it at one speed. */
static void throw_one(pliant_state *state, pliant_inputs *inputs, pliant_body body, const pliant_vec3 *at_rest, int number)
{
    pliant_vec3       x[VERTICES], v[VERTICES];
    const pliant_real aside = (pliant_real)(number % 7 - 3);
    for (int i = 0; i < VERTICES; i++) {
        x[i] = at_rest[i];
        x[i].x -= 2;
        x[i].y += (pliant_real)1.5;
        v[i].x = 4;
        v[i].y = 2;
        v[i].z = (pliant_real)0.3 * aside;
    }
    pliant_state_set_positions(state, body, 0, VERTICES, x);
    pliant_state_set_velocities(state, body, 0, VERTICES, v);
    pliant_inputs_body_active(inputs, body, true);
}

int main(void)
{
    pliant_error      error;
    pliant_body       pool[POOL];
    pliant_vec3       at_rest[VERTICES];
    int               born[POOL], thrown = 0, there = 0;
    pliant_scene     *scene = build(pool, &error);
    pliant_model     *model = (pliant_model *)need(pliant_scene_compile(scene, &error), &error);
    pliant_solver_def def = pliant_solver_def_default();
    pliant_solver    *solver = (pliant_solver *)need(pliant_solver_create(model, &def, &error), &error);
    pliant_state     *state = (pliant_state *)need(pliant_state_create(model, &error), &error);
    pliant_inputs    *inputs = (pliant_inputs *)need(pliant_inputs_create(model, &error), &error);
    pliant_scene_destroy(scene);
    pliant_state_positions(state, pool[0], 0, VERTICES, at_rest);

    for (int step = 0; step < 300; step++) {
        pliant_inputs_reset(inputs, 1.0 / 60);
        for (int i = 0; i < POOL; i++) {
            const int on = step > 0 && pliant_state_body_active(state, pool[i]);
            if (step == 0 || (on && step - born[i] >= LIFE)) pliant_inputs_body_active(inputs, pool[i], false);
        }
        if (step > 0 && step % EVERY == 0) {
            const int i = thrown % POOL; /* the one that has waited longest */
            throw_one(state, inputs, pool[i], at_rest, thrown++);
            born[i] = step;
        }
        if (pliant_solver_step(solver, state, inputs) != PLIANT_OK) {
            fprintf(stderr, "pool: the step failed\n");
            return 1;
        }
        there = 0;
        for (int i = 0; i < POOL; i++) there += pliant_state_body_active(state, pool[i]);
        if (step % 60 == 59) printf("%.0f s: %d thrown, %d of %d there\n", pliant_state_time(state), thrown, there, POOL);
    }
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_solver_destroy(solver);
    pliant_model_destroy(model);
    return there > 0 && there <= POOL ? 0 : 1;
}
