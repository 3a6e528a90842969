/* Every method on every scene of scenes/ that it can take, to the scene's end: nothing explodes. What an explosion is, is said by laws:
 *
 *   energy   what a body has of motion and height is never more than at the start, plus what its movers and the wind may give
 *   stretch  nothing is several times as long as at rest
 *   speed    nothing is several times as fast as what falls through the scene
 *   rest     what comes to rest has come to rest at the end, whatever solves it: it does not tremble
 *
 * Energy is in units of m g l: a body's weight times its size at the start. Each method has the substeps and iterations that its page recommends
 * for such scenes; where they are 0 the scene's own. */
#include "files.h"
#include "scene_files.h"

#include "pliant/io.h"
#include "state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the ways ---- */

typedef struct way {
    const char *method;
    uint32_t    substeps, iterations;
    bool        bdf2;
    double      room;  /* it may stretch so many times as much: one iteration of it does little */
    bool        alike; /* it takes all masses to be equal, and its energy is that of equal masses */
    double      gain;  /* m g l, that it may make of nothing: it does not keep momentum */
} way;

static const way ways[] = {
    {.method = "gauss_seidel", .room = 1},
    {.method = "gauss_seidel", .iterations = 10, .bdf2 = true, .room = 1},
    {.method = "jacobi", .room = 3},
    {.method = "jacobi:averaging=classic", .room = 1, .alike = true, .gain = 0.2},
    {.method = "chebyshev", .substeps = 5, .iterations = 8, .room = 1},
    {.method = "chebyshev", .substeps = 2, .iterations = 20, .room = 1},
    {.method = "chebyshev:base=jacobi", .substeps = 5, .iterations = 8, .room = 1},
    {.method = "hierarchical", .room = 1},
    {.method = "multigrid", .room = 1},
    {.method = "newton", .substeps = 10, .room = 1},
    {.method = "newton:gradients=predicted", .substeps = 10, .room = 1},
    {.method = "newton:gradients=implicit", .substeps = 2, .room = 1},
};
#define WAYS (sizeof ways / sizeof *ways)

/* ---- the scenes ---- */

/* Integration is the scene's: a reader of the file with "bdf2" written into it. */
static pliant_model *model_of(const scene_file *which, bool bdf2, uint32_t *frames)
{
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    pliant_scene_file file;
    char              path[4096];
    size_t            size;
    if (!bdf2) return scene_file_model(which, frames);
    snprintf(path, sizeof path, PLIANT_SOURCE_DIR "/scenes/%s.json", which->name);
    static const char word[] = "\"solver\": {";
    char             *text = read_whole(path, &size), *at = strstr(text, word);
    const char       *more = at ? "\"integration\": \"bdf2\", " : "\"solver\": {\"integration\": \"bdf2\"}, ";
    const size_t      length = strlen(more), before = at ? (size_t)(at - text) + sizeof word - 1 : 1;
    char             *changed = malloc(size + length + 1);
    assert_non_null(changed);
    assert_true(text[0] == '{');
    memcpy(changed, text, before);
    memcpy(changed + before, more, length);
    memcpy(changed + before + length, text + before, size - before + 1);
    if (pliant_scene_read_text(changed, size + length, which->name, PLIANT_SOURCE_DIR "/scenes", NULL, &file, &error) != PLIANT_OK) {
        free(changed);
        free(text);
        if (strstr(error.message, "integration") || strstr(error.message, "bdf2")) return NULL; /* it says one of its own, or sleeps */
        fail_msg("%s:%d: %s", error.path, error.line, error.message);
    }
    pliant_model *model = pliant_scene_compile(file.scene, &error);
    assert_non_null(model);
    *frames = file.frames;
    pliant_scene_destroy(file.scene);
    free(changed);
    free(text);
    return model;
}

/* ---- what is looked at ---- */

typedef struct look {
    double energy, motion, mass, size;
} look;

static look look_at(const pliant_state *state, const pliant__model_body *body, bool alike)
{
    const pliant_model *m = pliant_state_model(state);
    const pliant_vec3   g = pliant_model_settings(m).gravity;
    const double        gravity[3] = {(double)g.x, (double)g.y, (double)g.z};
    look                l = {0};
    double              low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t p = body->first_slot; p < body->first_slot + body->slot_count; p++) {
        const pliant_real *x = state->x + 4 * (size_t)p, *v = state->v + 4 * (size_t)p;
        for (int c = 0; c < 3; c++) low[c] = fmin(low[c], (double)x[c]), high[c] = fmax(high[c], (double)x[c]);
        if (!(m->free_w[p] > 0)) continue;
        const double mass = alike ? 1 : 1 / (double)m->free_w[p];
        for (int c = 0; c < 3; c++) {
            l.motion += mass * (double)v[c] * (double)v[c] / 2;
            l.energy -= mass * gravity[c] * (double)x[c];
        }
        l.mass += mass;
    }
    l.energy += l.motion;
    for (int c = 0; c < 3; c++) l.size += (high[c] - low[c]) * (high[c] - low[c]);
    l.size = sqrt(l.size);
    return l;
}

typedef struct worst {
    double   energy, stretch, speed, rest;
    uint32_t frame; /* of the energy */
} worst;

enum { MOST_BODIES = 512 };

/* Bodies that meet give each other energy: then it is that of all together that may not grow. */
static void look_at_frame(const pliant_state *state, const look *first, bool alike, uint32_t frame, worst *w)
{
    const pliant_model *m = pliant_state_model(state);
    const bool          together = model_count(m, elements) > 0;
    double              all = 0, most = 0;
    w->rest = 0;
    for (uint32_t b = 0; b < pliant_model_body_count(m); b++) {
        const look l = look_at(state, &m->bodies[b], alike);
        if (!(l.mass > 0)) continue;
        all = (together ? all : 0) + l.energy - first[b].energy;
        most = (together ? most : 0) + l.mass * 9.81 * first[b].size;
        const double gained = all / most;
        if (!(gained <= w->energy) && (!together || b + 1 == pliant_model_body_count(m))) {
            w->energy = gained;
            w->frame = frame;
        }
        w->rest = fmax(w->rest, sqrt(2 * l.motion / l.mass));
    }
    w->stretch = fmax(w->stretch, pliant_state_strain(state).largest);
}

/* Steps to the end; false where a step does not go well. */
static bool run(const pliant_model *model, const way *how, const pliant_method_def *method, uint32_t frames, worst *w)
{
    pliant_solver_def def = pliant_solver_def_default();
    pliant_state     *state = pliant_state_create(model, NULL);
    pliant_inputs    *inputs = pliant_inputs_create(model, NULL);
    look              first[MOST_BODIES];
    bool              good = true;
    def.method = method;
    pliant_solver *solver = pliant_solver_create(model, &def, NULL);
    assert_non_null(solver);
    assert_true(pliant_model_body_count(model) <= MOST_BODIES);
    for (uint32_t b = 0; b < pliant_model_body_count(model); b++) first[b] = look_at(state, &model->bodies[b], how->alike);
    *w = (worst){-HUGE_VAL, 0, 0, 0, 0};
    for (uint32_t f = 1; good && f <= frames; f++) {
        pliant_inputs_reset(inputs, 1.0 / 60);
        pliant_inputs_substeps(inputs, how->substeps, how->iterations);
        good = pliant_solver_step(solver, state, inputs) == PLIANT_OK;
        if (!good) print_message("frame %u: a step diverged\n", f);
        w->speed = fmax(w->speed, (double)pliant_solver_statistics(solver).max_speed);
        look_at_frame(state, first, how->alike, f, w);
    }
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    return good;
}

/* ---- the law ---- */

static bool holds(const char *what, double found, double bound)
{
    if (found <= bound) return true;
    print_message("    %s %g, which should be at most %g\n", what, found, bound);
    return false;
}

/* Methods that take turns with contacts gain energy where so much is hit at once, with more than one iteration: docs/contact.md, limits. */
static bool gains_by_turns(const scene_file *which, const way *how)
{
    return !strcmp(which->name, "jellies") && !strcmp(how->method, "multigrid");
}

/* Drawn tight, a knot is nothing but contacts: it trembles where they take turns with the rows, and does not come to rest (the same page). */
static bool trembles_by_turns(const scene_file *which, const way *how)
{
    return !strcmp(which->name, "knot") && !strcmp(how->method, "multigrid");
}

static bool check(const scene_file *which, const way *how, uint32_t *taken)
{
    const scene_bounds *most = &which->bounds;
    pliant_method_def   method = pliant_method_def_default();
    pliant_error        error = {PLIANT_OK, 0, "", ""};
    uint32_t            frames;
    worst               w;
    const bool          left_out = (how->bdf2 && most->no_bdf2) || gains_by_turns(which, how);
    pliant_model       *model = left_out ? NULL : model_of(which, how->bdf2, &frames);
    bool                good = true;
    if (pliant_method_read(how->method, &method, &error) != PLIANT_OK) fail_msg("%s", error.message);
    /* Nets, which newton takes with another library's factors, would take hours to their end: tests/test_methods.c steps some for a few frames. */
    if (model && pliant_method_takes(model, &method, &error) && !pliant_method_wants_linear(model, &method, &error)) {
        const bool stepped = run(model, how, &method, frames, &w);
        print_message("%-9s %-26s %2u x %-2u%s energy %+.4f in frame %u, stretch %.3f, speed %.1f, at the end %.3f\n", which->name,
                      how->method, how->substeps, how->iterations, how->bdf2 ? " bdf2" : "", w.energy, w.frame, w.stretch, w.speed, w.rest);
        good = stepped;
        good &= holds("energy", w.energy, most->work + how->gain);
        good &= holds("stretch", w.stretch, how->room * most->stretch);
        good &= holds("speed", w.speed, most->speed);
        if (most->rest > 0 && !trembles_by_turns(which, how)) good &= holds("at the end", w.rest, most->rest);
        *taken += 1;
    } else
        assert_true(!model || ((error.code == PLIANT_ERROR_INPUT || error.code == PLIANT_ERROR_UNAVAILABLE) && *error.message));
    pliant_model_destroy(model);
    return good;
}

/* In float64 the law is the same and everything takes longer: the quick scenes are enough. */
static bool is_wanted(const char *scene)
{
    static const char *const slow[] = {"beams",  "can",   "cards",   "curtain", "demo", "drape", "dress", "fabrics", "flag",    "folded",
                                       "funnel", "given", "jellies", "jelly",   "net",  "press", "skirt", "stack",   "terrain", "torture"};
    for (size_t i = 0; sizeof(pliant_real) == 8 && i < sizeof slow / sizeof *slow; i++)
        if (!strcmp(slow[i], scene)) return false;
    return true;
}

static const char *only; /* the scene that the program is told, if it is */

static void nothing_explodes(void **unused)
{
    uint32_t taken = 0;
    bool     good = true;
    (void)unused;
    for (uint32_t f = 0; f < scene_file_count; f++)
        for (size_t i = 0; i < WAYS && (only ? !strcmp(only, scene_files[f].name) : is_wanted(scene_files[f].name)); i++)
            good &= check(&scene_files[f], &ways[i], &taken);
    print_message("%u runs\n", taken);
    assert_true(good && taken > (only ? 0 : sizeof(pliant_real) == 8 ? 30 : 7 * scene_file_count));
}

int main(int argc, char **argv)
{
    only = argc > 1 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_explodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
