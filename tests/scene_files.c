/* See scene_files.h. */
#define _POSIX_C_SOURCE 200809L /* glob */
#include "scene_files.h"

#include "pliant/io.h"

#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The work of those that nothing moves is rounding, and what the first substeps of BDF2 err by. `torture` is wild with every method; only that it stays bounded is
 * asked for: it comes to a work of 7 to 15, as the last bits of the arithmetic fall. */
const scene_file scene_files[] = {
    {"balloons", 40, SCENE_TOUCHES, {0.02, 3, 20, 0, false}},
    {"beams", 16, 0, {0.01, 0.5, 10, 0.1, false}},
    {"can", 40, SCENE_TOUCHES | SCENE_FOLLOWS_KEYS | SCENE_MEETS, {0.1, 1.5, 15, 0.1, false}},
    {"cape", 130, SCENE_FOLLOWS_KEYS | SCENE_RELEASES | SCENE_MEETS, {0.5, 0.5, 6, 0, false}},
    {"cards", 16, SCENE_TOUCHES | SCENE_MEETS, {0.01, 0.1, 10, 0.1, false}},
    {"catenary", 16, 0, {0.01, 0.5, 10, 0.3, false}},
    {"chain", 16, 0, {0.02, 0.5, 15, 0, false}},
    {"curtain", 40, SCENE_FOLLOWS_KEYS | SCENE_RELEASES, {0.05, 0.5, 10, 0.5, false}}, /* it hangs clear of its floor */
    {"cushion", 40, SCENE_TOUCHES | SCENE_MEETS, {0.5, 1, 10, 0.5, false}},
    {"demo", 40, SCENE_TOUCHES | SCENE_MEETS, {0.01, 1, 30, 1, false}},
    {"drape", 40, SCENE_TOUCHES | SCENE_MEETS, {0.01, 1, 20, 0.2, false}},
    {"drape_fabrics", 16, 0, {0.01, 0.5, 10, 0.1, false}},
    {"dress", 60, SCENE_FOLLOWS_KEYS | SCENE_RELEASES | SCENE_MEETS, {0.4, 1, 15, 0, false}},
    {"drum", 190, SCENE_TOUCHES | SCENE_FOLLOWS_KEYS | SCENE_RELEASES | SCENE_MEETS, {6, 10, 50, 0, false}},
    {"fabrics", 40, SCENE_TOUCHES, {0.01, 1, 20, 0.2, false}},
    {"flag", 16, 0, {0.25, 0.8, 15, 0, false}},
    {"folded", 40, SCENE_TOUCHES | SCENE_MEETS, {0.01, 1.5, 15, 0.3, false}},
    {"funnel", 30, SCENE_TOUCHES | SCENE_MEETS, {0.01, 1.5, 15, 0.3, false}},
    {"furniture", 60, SCENE_TOUCHES | SCENE_FOLLOWS_KEYS | SCENE_RELEASES | SCENE_MEETS, {0.2, 4, 50, 0.3, false}},
    {"given", 16, 0, {0.01, 0.5, 5, 0, false}},
    {"gusts", 60, 0, {0.6, 2.5, 30, 0.8, false}},
    {"jellies", 16, SCENE_TOUCHES | SCENE_MEETS, {0.01, 1.5, 15, 0.3, false}},
    {"jelly", 24, SCENE_TOUCHES, {0.01, 4, 20, 2, false}},
    {"knot", 24, SCENE_FOLLOWS_KEYS | SCENE_RELEASES | SCENE_MEETS, {0.5, 1, 15, 0.3, false}},
    {"let_fly", 16, 0, {150, 3, 40, 0, false}},
    {"marbles", 40, SCENE_TOUCHES | SCENE_FOLLOWS_KEYS | SCENE_RELEASES | SCENE_MEETS, {0.6, 4, 6, 0.4, false}},
    {"net", 40, SCENE_TOUCHES | SCENE_FOLLOWS_KEYS, {0.01, 1, 10, 0.5, false}},
    {"press", 40, SCENE_TOUCHES | SCENE_FOLLOWS_KEYS | SCENE_MEETS, {0.1, 1.5, 20, 0.5, false}},
    {"rabbits", 60, SCENE_TOUCHES | SCENE_FOLLOWS_KEYS, {0.5, 1, 20, 0, false}}, /* no edge has a length to keep */
    {"rubbers", 40, SCENE_TOUCHES | SCENE_FOLLOWS_KEYS, {0.1, 1.5, 20, 0.5, false}},
    {"seam", 80, SCENE_FOLLOWS_KEYS | SCENE_RELEASES, {0.3, 1, 10, 0.5, false}},
    {"shirt", 100, SCENE_TOUCHES | SCENE_MEETS, {0.1, 1, 10, 0.5, false}},
    {"skirt", 40, SCENE_FOLLOWS_KEYS | SCENE_RELEASES, {0.4, 0.5, 10, 0, false}}, /* its backstop keeps it off the legs */
    {"stack", 16, SCENE_TOUCHES | SCENE_MEETS, {0.01, 1.5, 20, 1.5, false}},
    {"steak", 40, SCENE_TOUCHES | SCENE_FOLLOWS_KEYS | SCENE_RELEASES, {0.5, 2, 20, 0, false}},
    {"stick", 40, SCENE_STICKS, {0.01, 0.1, 10, 0.05, false}},
    {"swing", 16, 0, {0.01, 0.01, 5, 0, false}},
    {"terrain", 40, SCENE_TOUCHES | SCENE_FOLLOWS_KEYS, {0.05, 1.5, 15, 0.5, false}},
    {"torn_flag", 16, 0, {4, 1, 40, 0, false}},
    {"torture", 40, SCENE_TOUCHES | SCENE_FOLLOWS_KEYS | SCENE_RELEASES, {25, 6, 110, 0, true}},
    {"tower", 16, SCENE_TOUCHES | SCENE_MEETS, {0.01, 0.5, 3, 0.3, false}},
    {"tray", 40, SCENE_TOUCHES | SCENE_MEETS, {0.1, 3, 40, 0, false}},
    {"tyre", 40, SCENE_TOUCHES | SCENE_FOLLOWS_KEYS | SCENE_RELEASES, {5, 1, 20, 0.5, true}},
    {"whirl", 100, SCENE_TOUCHES | SCENE_MEETS, {5, 0.2, 8, 0.05, false}},
};
const uint32_t scene_file_count = sizeof scene_files / sizeof *scene_files;

void scene_files_are_all(void)
{
    glob_t found;
    assert_int_equal(glob(PLIANT_SOURCE_DIR "/scenes/*.json", 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, scene_file_count);
    for (uint32_t i = 0; i < scene_file_count; i++) { /* both are sorted */
        char path[4096];
        snprintf(path, sizeof path, PLIANT_SOURCE_DIR "/scenes/%s.json", scene_files[i].name);
        assert_string_equal(found.gl_pathv[i], path);
        assert_true(scene_files[i].bounds.work > 0 && scene_files[i].bounds.stretch > 0 && scene_files[i].bounds.speed > 0);
    }
    globfree(&found);
}

pliant_model *scene_file_model(const scene_file *which, uint32_t *frames)
{
    char              path[4096];
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    pliant_scene_file file;
    snprintf(path, sizeof path, PLIANT_SOURCE_DIR "/scenes/%s.json", which->name);
    if (pliant_scene_read(path, NULL, &file, &error) != PLIANT_OK) fail_msg("%s:%d: %s", error.path, error.line, error.message);
    pliant_model *model = pliant_scene_compile(file.scene, &error);
    if (!model) fail_msg("%s: %s", which->name, error.message);
    if (frames) *frames = file.frames;
    pliant_scene_destroy(file.scene);
    return model;
}

static bool let_go(pliant_state *state, pliant_body body, uint32_t vertices)
{
    for (uint32_t v = 0; v < vertices; v++)
        if (pliant_state_set_pinned(state, body, v, false) == PLIANT_OK) return true;
    return false;
}

static uint32_t let_go_of_each(const pliant_model *model, pliant_state *state)
{
    uint32_t released = 0;
    for (uint32_t b = 1; b <= pliant_model_body_count(model); b++)
        released += let_go(state, (pliant_body){b}, pliant_model_body(model, (pliant_body){b}).vertex_count);
    return released;
}

static void drive(const pliant_model *model, pliant_inputs *inputs, pliant_state *state, uint32_t frame)
{
    (void)inputs;
    if (frame == SCENE_RELEASE) let_go_of_each(model, state);
}

const sample scene_file_program = {"program", 0, NULL, drive};

/* ---- what is met ---- */

/* Where all vertices are; the caller frees it. */
static pliant_vec3 *places(const pliant_state *state)
{
    const pliant_model *model = pliant_state_model(state);
    uint32_t            count = 0;
    pliant_vec3        *x = NULL;
    for (uint32_t b = 1; b <= pliant_model_body_count(model); b++) {
        const uint32_t vertices = pliant_model_body(model, (pliant_body){b}).vertex_count;
        x = realloc(x, (count + vertices) * sizeof *x);
        assert_non_null(x);
        assert_int_equal(pliant_state_positions(state, (pliant_body){b}, 0, vertices, x + count), PLIANT_OK);
        count += vertices;
    }
    return x;
}

static bool held_vertices_moved(const pliant_state *state, const pliant_vec3 *before)
{
    const pliant_model *model = pliant_state_model(state);
    pliant_vec3        *now = places(state);
    uint32_t            at = 0;
    bool                moved = false;
    for (uint32_t b = 1; b <= pliant_model_body_count(model); b++)
        for (uint32_t v = 0; v < pliant_model_body(model, (pliant_body){b}).vertex_count; v++, at++)
            moved |= pliant_state_pinned(state, (pliant_body){b}, v) && memcmp(&now[at], &before[at], sizeof *now) != 0;
    free(now);
    return moved;
}

static bool colliders_moved(const pliant_state *state, const pliant_state *before)
{
    for (uint32_t c = 1; c <= pliant_model_collider_count(pliant_state_model(state)); c++) {
        const pliant_pose a = pliant_state_collider_pose(before, (pliant_collider){c});
        const pliant_pose b = pliant_state_collider_pose(state, (pliant_collider){c});
        if (memcmp(&a, &b, sizeof a) != 0) return true;
    }
    return false;
}

/* A vertex lies on the plane y = 0, and the first collider sticks. */
static bool sticks(const pliant_state *state)
{
    const pliant_model *model = pliant_state_model(state);
    if (!pliant_model_collider_count(model) || !pliant_model_collider_at(model, 0, NULL).stick) return false;
    pliant_vec3 *x = places(state);
    double       least = 1;
    for (uint32_t v = 0; v < pliant_model_body(model, (pliant_body){1}).vertex_count; v++)
        if (fabs((double)x[v].y) < least) least = fabs((double)x[v].y);
    free(x);
    return least < 1e-3;
}

unsigned scene_file_meets(const scene_file *which, const pliant_model *model)
{
    unsigned       meets = 0;
    pliant_state  *state = pliant_state_create(model, NULL), *first = pliant_state_create(model, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_solver *solver = pliant_solver_create(model, NULL, NULL);
    pliant_vec3   *start = places(first);
    for (uint32_t f = 0; f < which->frames; f++) {
        if (f == SCENE_RELEASE && held_vertices_moved(state, start)) meets |= SCENE_FOLLOWS_KEYS;
        if (f == SCENE_RELEASE && let_go_of_each(model, state)) meets |= SCENE_RELEASES;
        sample_frames(NULL, solver, state, inputs, f, 1);
        if (pliant_solver_contacts(solver, NULL, 0)) meets |= SCENE_TOUCHES;
        if (pliant_solver_statistics(solver).pair_contacts) meets |= SCENE_MEETS;
    }
    if (held_vertices_moved(state, start) || colliders_moved(state, first)) meets |= SCENE_FOLLOWS_KEYS;
    if (sticks(state)) meets |= SCENE_STICKS;
    free(start);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(first);
    pliant_state_destroy(state);
    return meets;
}
