/* Laws of animated meshes as input: the same motion comes out of every format that is followed, whatever its units and its axis that points up, where
 * the scene says these, and where it leaves them to be guessed; and a cache that lies where it should is taken as it is. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"
#include "moving.h"

#include "pliant/pliant.h"
#include "pliant/io.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a body that moves ---- */

enum { VERTICES = 7, SAMPLES = 5 };

/* Nothing of it is symmetrical; it stands on the ground, and is 1.8 m high. */
static const double shape[VERTICES][3] = {{-0.3, 0, 0.1},    {0.4, 0, 0},      {0, 0.9, 0.25}, {-0.5, 1.4, 0.05},
                                          {0.55, 1.5, -0.1}, {0.05, 1.8, 0.2}, {0, 1.6, -0.3}};
static const char   shape_obj[] = "v -0.3 0 0.1\nv 0.4 0 0\nv 0 0.9 0.25\nv -0.5 1.4 0.05\nv 0.55 1.5 -0.1\nv 0.05 1.8 0.2\nv 0 1.6 -0.3\n"
                                  "f 1 2 3\nf 1 3 4\nf 2 5 3\nf 3 5 6\nf 4 3 6\nf 4 6 7\nf 7 6 5\n";

/* Vertex v in sample k: it walks along x, and bends. */
static void place(int k, int v, double out[3])
{
    out[0] = shape[v][0] + 0.125 * k + 0.03125 * k * shape[v][1];
    out[1] = shape[v][1];
    out[2] = shape[v][2] - 0.0625 * k * shape[v][0];
}

/* The same in the numbers of a file, with a unit of so many metres, and with z up perhaps. */
static void number(int k, int v, double unit, bool z_up, double out[3])
{
    double x[3];
    place(k, v, x);
    out[0] = x[0] / unit;
    out[1] = (z_up ? -x[2] : x[1]) / unit;
    out[2] = (z_up ? x[1] : x[2]) / unit;
}

/* ---- formats ---- */

static void put_u32(FILE *f, uint32_t value, bool big)
{
    for (int i = 0; i < 4; i++) fputc((int)(value >> (8 * (big ? 3 - i : i)) & 255), f);
}

static void put_float(FILE *f, double value, bool big)
{
    const float narrow = (float)value;
    uint32_t    bits;
    memcpy(&bits, &narrow, 4);
    put_u32(f, bits, big);
}

static void put_samples(FILE *f, double unit, bool z_up, bool big)
{
    for (int k = 0; k < SAMPLES; k++)
        for (int v = 0; v < VERTICES; v++) {
            double x[3];
            number(k, v, unit, z_up, x);
            for (int a = 0; a < 3; a++) put_float(f, x[a], big);
        }
}

static FILE *begin(const char *path)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    return f;
}

static void write_pc2(const char *path, double unit, bool z_up)
{
    FILE *f = begin(path);
    fwrite("POINTCACHE2", 1, 12, f);
    put_u32(f, 1, false);
    put_u32(f, VERTICES, false);
    put_float(f, 0, false);
    put_float(f, 1, false);
    put_u32(f, SAMPLES, false);
    put_samples(f, unit, z_up, false);
    assert_int_equal(fclose(f), 0);
}

static void write_mdd(const char *path, double unit, bool z_up)
{
    FILE *f = begin(path);
    put_u32(f, SAMPLES, true);
    put_u32(f, VERTICES, true);
    for (int k = 0; k < SAMPLES; k++) put_float(f, k / 10.0, true);
    put_samples(f, unit, z_up, true);
    assert_int_equal(fclose(f), 0);
}

/* What goes straight: the first sample, and what is between two of them. */
static void write_straight(const char *path, double unit, bool z_up, void (*write)(const char *path, const moving *m))
{
    double base[3 * VERTICES], delta[3 * VERTICES];
    moving m = {VERTICES, SAMPLES, base, delta, 10};
    for (int v = 0; v < VERTICES; v++) {
        number(0, v, unit, z_up, base + 3 * v);
        number(1, v, unit, z_up, delta + 3 * v);
        for (int a = 3 * v; a < 3 * v + 3; a++) delta[a] -= base[a];
    }
    write(path, &m);
}

static void write_glb(const char *path, double unit, bool z_up) { write_straight(path, unit, z_up, write_moving_glb); }
static void write_usda(const char *path, double unit, bool z_up) { write_straight(path, unit, z_up, write_moving_usda); }
static void write_abc(const char *path, double unit, bool z_up) { write_straight(path, unit, z_up, write_moving_abc); }

/* A format that is followed, and what writes the body's motion in it, 10 samples per second; whether it says units and axis by itself. */
static const struct {
    const char *path;
    void (*write)(const char *path, double unit, bool z_up);
    bool says;
} formats[] = {{"moves.pc2", write_pc2, false},
               {"moves.mdd", write_mdd, false},
               {"moves.glb", write_glb, true},
               {"moves.usda", write_usda, false},
               {"moves.abc", write_abc, false}};

enum { FORMATS = sizeof formats / sizeof *formats };

/* ---- scenes ---- */

static char notices[4096];
static void keep_notice(const char *text, void *context)
{
    (void)context;
    snprintf(notices + strlen(notices), sizeof notices - strlen(notices), "%s\n", text);
}

static int lines_with(const char *what)
{
    int count = 0;
    for (const char *at = notices; (at = strstr(at, what)); at += strlen(what)) count++;
    return count;
}

typedef struct world {
    pliant_model  *model;
    pliant_state  *state;
    pliant_solver *solver;
    pliant_inputs *inputs;
} world;

static world make_world(const char *text)
{
    world             w = {0};
    pliant_error      error = {0};
    pliant_scene_file file;
    pliant_read_def   read = pliant_read_def_default();
    read.notice = keep_notice;
    *notices = 0;
    if (pliant_scene_read_text(text, strlen(text), "test", NULL, &read, &file, &error) != PLIANT_OK)
        fail_msg("%s\n%s", error.message, text);
    w.model = pliant_scene_compile(file.scene, &error);
    assert_non_null(w.model);
    w.state = pliant_state_create(w.model, &error);
    w.solver = pliant_solver_create(w.model, NULL, &error);
    w.inputs = pliant_inputs_create(w.model, &error);
    assert_true(w.state && w.solver && w.inputs);
    pliant_scene_destroy(file.scene);
    return w;
}

static void step(world *w)
{
    assert_int_equal(pliant_inputs_reset(w->inputs, 0.1), PLIANT_OK);
    assert_int_equal(pliant_solver_step(w->solver, w->state, w->inputs), PLIANT_OK);
}

static void end_world(world *w)
{
    pliant_inputs_destroy(w->inputs);
    pliant_solver_destroy(w->solver);
    pliant_state_destroy(w->state);
    pliant_model_destroy(w->model);
}

/* The body, all of which follows a cache: "cache" and what else is said of it. */
static world follow(const char *keys)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"pliant\": 1, \"fps\": 10, \"bodies\": [{\"type\": \"cloth\", \"mesh\": \"shape.obj\", \"weld\": false, \"bend\": \"none\", "
        "\"attach\": [{\"all\": true, \"keys\": {\"cache\": %s}}]}]}",
        keys);
    return make_world(text);
}

/* How far its vertices are from where the motion has them, in the frames of all samples, at the most. */
static double worst_off(world *w)
{
    double worst = 0;
    for (int k = 0; k < SAMPLES; k++) {
        pliant_vec3      x[VERTICES];
        pliant_body_info b = pliant_model_body_at(w->model, 0);
        if (k) step(w);
        assert_int_equal(pliant_state_positions(w->state, b.body, 0, VERTICES, x), PLIANT_OK);
        for (int v = 0; v < VERTICES && k; v++) {
            double to[3];
            place(k, v, to);
            const double d[3] = {(double)x[v].x - to[0], (double)x[v].y - to[1], (double)x[v].z - to[2]};
            worst = fmax(worst, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        }
    }
    return worst;
}

static int make_shape(void **state)
{
    (void)state;
    write_text("shape.obj", shape_obj);
    return 0;
}

/* ---- units and axes ---- */

static const struct {
    double      metres;
    const char *said;
} units[] = {{1, "\"m\""}, {1, "1"}, {0.01, "\"cm\""}, {0.001, "\"mm\""}, {0.0254, "\"in\""}, {3.5, "3.5"}};

static void what_is_said_of_units_and_axes_gives_the_same_motion_in_every_format(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMATS; f++)
        for (size_t u = 0; u < sizeof units / sizeof *units; u++)
            for (int z_up = 0; z_up < 2; z_up++) {
                char keys[256];
                formats[f].write(formats[f].path, units[u].metres, z_up);
                snprintf(keys, sizeof keys, "\"%s\", \"units\": %s, \"up\": \"%s\"", formats[f].path, units[u].said, z_up ? "z" : "y");
                world        w = follow(keys);
                const double off = worst_off(&w);
                if (off > 1e-5 || *notices) fail_msg("%s: %g m off; %s", keys, off, notices);
                end_world(&w);
            }
}

/* What is left open of axes and units is what makes the cache lie on what follows it, and one line says it; said, it is as it is said. */
static void what_is_not_said_is_guessed_aloud(void **state)
{
    (void)state;
    static const struct {
        double      metres;
        bool        z_up;
        const char *keys, *says; /* NULL: nothing */
    } rows[] = {
        {1, false, "", NULL},
        {1, true, "", "taken with \"up\": \"z\", since"},
        {1, true, ", \"map\": [0, 1, 2, 3, 4, 5, 6]", "say \"up\": \"z\", or \"up\": \"y\""},
        {1, true, ", \"map\": \"nearest\"", "taken with \"up\": \"z\", since"},
        {1, true, ", \"relative\": true", "taken with \"up\": \"z\", since"},
        {1, true, ", \"up\": \"z\"", NULL},
        {1, true, ", \"units\": \"m\"", "taken with \"up\": \"z\", since"},
        {0.01, false, "", "taken with \"units\": \"cm\", since"},
        {0.01, false, ", \"up\": \"y\"", "taken with \"units\": \"cm\", since"},
        {0.01, false, ", \"map\": \"nearest\"", "say \"units\": \"cm\", or \"units\": \"m\""},
        {0.001, true, "", "taken with \"up\": \"z\", \"units\": \"mm\", since"},
        {0.0254, true, "", "say \"up\": \"z\", \"units\": \"in\", or \"up\": \"y\", \"units\": \"m\""},
        {0.0254, true, ", \"units\": \"in\"", "taken with \"up\": \"z\", since"},
    };
    for (size_t f = 0; f < FORMATS; f++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            char keys[256];
            formats[f].write(formats[f].path, rows[i].metres, rows[i].z_up);
            snprintf(keys, sizeof keys, "\"%s\"%s", formats[f].path, rows[i].keys);
            world        w = follow(keys);
            const double off = worst_off(&w);
            const int    lines = lines_with("\n");
            if (formats[f].says ? lines_with("taken with")
                                : off > 1e-5 || lines != (rows[i].says != NULL) || lines_with(rows[i].says ? rows[i].says : "\n") != lines)
                fail_msg("%s: %g m off; %s", keys, off, notices);
            end_world(&w);
        }
}

/* Said to be y up, in metres, it is, however far away it lies; and so it is where no other axis or unit makes it lie there. */
static void a_cache_that_is_said_or_seen_to_be_right_is_not_turned(void **state)
{
    (void)state;
    write_pc2("moves.pc2", 1, true);
    world w = follow("\"moves.pc2\", \"up\": \"y\"");
    assert_int_equal(lines_with("taken with"), 0);
    assert_true(worst_off(&w) > 0.5);
    end_world(&w);
    write_pc2("moves.pc2", 0.01, false);
    w = follow("\"moves.pc2\", \"units\": 1");
    assert_int_equal(lines_with("taken with"), 0);
    end_world(&w);
    static const char *const maps[] = {"\"map\": [6, 5, 4, 3, 2, 1, 0]", "\"first_frame\": 3", "\"map\": \"nearest\", \"relative\": true",
                                       "\"map\": [3, 2, 1, 0, 6, 4, 5], \"relative\": true"};
    write_pc2("moves.pc2", 1, false);
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        char keys[128];
        snprintf(keys, sizeof keys, "\"moves.pc2\", %s", maps[i]);
        w = follow(keys);
        if (lines_with("taken with")) fail_msg("%s: %s", keys, notices);
        end_world(&w);
    }
}

/* A fit that is no good one is said, and not acted upon. */
static void what_fits_better_but_not_well_is_said_only(void **state)
{
    (void)state;
    write_pc2("moves.pc2", 1, true);
    world w = follow("\"moves.pc2\", \"first_frame\": 2");
    assert_int_equal(lines_with("if z is up in it; say \"up\" of it"), 1);
    assert_int_equal(lines_with("taken with"), 0);
    assert_true(worst_off(&w) > 0.5);
    end_world(&w);
}

enum { MANY = 512 };

static float place_of_many(uint32_t i, int axis) { return (float)((i * (axis == 0 ? 37u : axis == 1 ? 101u : 211u)) % 199) / 64; }

/* In a wrong unit any vertex may be the nearest one, so a guess looks at 256 targets, evenly chosen, however many there are: at every second one of
 * 512. The rest lie elsewhere. */
static void a_guess_looks_at_256_targets_at_the_most(void **state)
{
    (void)state;
    static char text[64 * MANY + 512];
    FILE       *f = begin("moves.pc2");
    fwrite("POINTCACHE2", 1, 12, f);
    put_u32(f, 1, false);
    put_u32(f, MANY, false);
    put_float(f, 0, false);
    put_float(f, 1, false);
    put_u32(f, 1, false);
    size_t size = (size_t)snprintf(text, sizeof text, "{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"particles\": [");
    for (uint32_t i = 0; i < MANY; i++) {
        const double x[3] = {place_of_many(i, 0), place_of_many(i, 1), place_of_many(i, 2)}, off = i % 2 ? 7 + i % 5 : 0;
        for (int a = 0; a < 3; a++) put_float(f, a == 0 ? x[0] : a == 1 ? -x[2] : x[1], false);
        size += (size_t)snprintf(text + size, sizeof text - size, "%s{\"x\": [%g, %g, %g]}", i ? ", " : "", x[0] + off, x[1] - off, x[2]);
    }
    assert_int_equal(fclose(f), 0);
    snprintf(text + size, sizeof text - size, "], \"attach\": [{\"all\": true, \"keys\": {\"cache\": \"moves.pc2\"}}]}]}");
    world w = make_world(text);
    if (lines_with("taken with \"up\": \"z\", since") != 1) fail_msg("%s", notices);
    end_world(&w);
}

/* ---- colliders and frames ---- */

static pliant_vec3 moved(const char *colliders)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"pliant\": 1, \"fps\": 10, \"solver\": {\"gravity\": [0, 0, 0]}, \"bodies\": [{\"type\": \"cloth\", \"mesh\": "
             "\"shape.obj\", \"weld\": false, \"bend\": "
             "\"none\", \"attach\": [{\"all\": true, \"keys\": {\"cache\": \"moves.pc2\"}}]}], \"colliders\": [%s]}",
             colliders);
    world           w = make_world(text);
    pliant_collider id;
    for (int k = 1; k < SAMPLES; k++) step(&w);
    pliant_model_collider_at(w.model, 0, &id);
    const pliant_vec3 at = pliant_state_collider_pose(w.state, id).position;
    end_world(&w);
    return at;
}

/* A mesh says it by its own vertices, another shape by what follows the same cache besides. */
static void colliders_follow_a_cache_that_is_turned(void **state)
{
    (void)state;
    static const struct {
        const char *collider;
        int         lines;
    } rows[] = {
        {"{\"type\": \"mesh\", \"mesh\": \"shape.obj\", \"keys\": {\"cache\": \"%s\"}}", 2},
        {"{\"type\": \"mesh\", \"mesh\": \"shape.obj\", \"keys\": {\"cache\": \"%s\", \"vertices\": [0, 1, 2, 5]}}", 2},
        {"{\"type\": \"sphere\", \"radius\": 0.1, \"keys\": {\"cache\": \"%s\"}}", 1},
        {"{\"type\": \"sphere\", \"radius\": 0.1, \"keys\": {\"cache\": \"%s\", \"up\": \"z\"}}", 1},
        {"{\"type\": \"sphere\", \"radius\": 0.1, \"keys\": {\"cache\": \"right.pc2\"}}", 1},
    };
    write_pc2("moves.pc2", 1, true);
    write_pc2("again.pc2", 1, true);
    write_pc2("right.pc2", 1, false);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        snprintf(text, sizeof text, rows[i].collider, i < 2 ? "again.pc2" : "moves.pc2");
        const pliant_vec3 at = moved(text);
        if (lines_with("taken with \"up\": \"z\"") != rows[i].lines || at.x < (pliant_real)0.45 || fabs((double)at.y) > 0.05)
            fail_msg("%s: %g %g %g\n%s", text, (double)at.x, (double)at.y, (double)at.z, notices);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_said_of_units_and_axes_gives_the_same_motion_in_every_format, make_shape, clear_folder),
        cmocka_unit_test_setup_teardown(what_is_not_said_is_guessed_aloud, make_shape, clear_folder),
        cmocka_unit_test_setup_teardown(a_cache_that_is_said_or_seen_to_be_right_is_not_turned, make_shape, clear_folder),
        cmocka_unit_test_teardown(a_guess_looks_at_256_targets_at_the_most, clear_folder),
        cmocka_unit_test_setup_teardown(what_fits_better_but_not_well_is_said_only, make_shape, clear_folder),
        cmocka_unit_test_setup_teardown(colliders_follow_a_cache_that_is_turned, make_shape, clear_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
