/* Laws of baked motion: any point cache of PC2 or MDD is read as it is and nothing else is; what follows it is where it says, at its
 * samples and between them; a collider moves as the rigid body that fits best. */
#define _POSIX_C_SOURCE 200809L /* symlink */
#include "files.h"

#include "io/scene/fit.h"
#include "io/motion/points.h"
#include "pliant/io.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- caches, made here ---- */

typedef struct bytes {
    unsigned char data[1 << 16];
    size_t        size;
} bytes;

static void put_u32(bytes *b, uint32_t value, bool big)
{
    for (int i = 0; i < 4; i++) b->data[b->size++] = (unsigned char)(value >> (8 * (big ? 3 - i : i)));
}

static void put_float(bytes *b, float value, bool big)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    put_u32(b, bits, big);
}

/* Where vertex v is in sample k: numbers that a float has exactly. */
static float coordinate(uint32_t k, uint32_t v, int axis) { return (float)k * 0.25f + (float)v * 2 + (float)axis * 0.5f; }

static void put_samples(bytes *b, uint32_t vertices, uint32_t samples, bool big)
{
    for (uint32_t k = 0; k < samples; k++)
        for (uint32_t v = 0; v < vertices; v++)
            for (int a = 0; a < 3; a++) put_float(b, coordinate(k, v, a), big);
}

static void make_pc2(bytes *b, uint32_t vertices, uint32_t samples, float start, float rate)
{
    memcpy(b->data, "POINTCACHE2", 12);
    b->size = 12;
    put_u32(b, 1, false);
    put_u32(b, vertices, false);
    put_float(b, start, false);
    put_float(b, rate, false);
    put_u32(b, samples, false);
    put_samples(b, vertices, samples, false);
}

static void make_mdd(bytes *b, uint32_t vertices, uint32_t samples, float from, float step)
{
    b->size = 0;
    put_u32(b, samples, true);
    put_u32(b, vertices, true);
    for (uint32_t k = 0; k < samples; k++) put_float(b, from + step * (float)k, true);
    put_samples(b, vertices, samples, true);
}

/* ---- reading ---- */

static void check_samples(pliant__points *p, uint32_t vertices, uint32_t samples)
{
    pliant_error error = {0};
    pliant_vec3  x[8];
    assert_int_equal(p->vertices, vertices);
    assert_int_equal(p->samples, samples);
    for (uint32_t k = samples; k-- > 0;) {
        assert_true(pliant__points_read(p, k, x, &error));
        for (uint32_t v = 0; v < vertices; v++)
            assert_true(x[v].x == coordinate(k, v, 0) && x[v].y == coordinate(k, v, 1) && x[v].z == coordinate(k, v, 2));
    }
}

static void caches_are_read_as_they_are(void **state)
{
    (void)state;
    static bytes   b;
    pliant__points p;
    pliant_error   error = {0};
    make_pc2(&b, 5, 3, -1.5f, 0.25f);
    write_bytes("a.PC2", b.data, b.size);
    assert_true(pliant__points_open(&p, "a.PC2", NULL, &error));
    check_samples(&p, 5, 3);
    assert_true(p.start == -1.5 && p.rate == 0.25 && !p.times);
    pliant__points_close(&p);
    assert_true(pliant__points_open_bytes(&p, "a.pc2", b.data, b.size, NULL, &error));
    check_samples(&p, 5, 3);
    pliant__points_close(&p);
    make_mdd(&b, 7, 4, 2, 0.125f);
    write_bytes("a.mdd", b.data, b.size);
    assert_true(pliant__points_open(&p, "a.mdd", NULL, &error));
    check_samples(&p, 7, 4);
    assert_true(p.times[0] == 2 && p.times[3] == 2.375);
    pliant__points_close(&p);
}

/* More points than are read at once. */
static void large_samples_are_read_in_pieces(void **state)
{
    (void)state;
    enum { COUNT = 2500 };
    static bytes   b;
    pliant__points p;
    pliant_error   error = {0};
    pliant_vec3   *x = malloc(COUNT * sizeof *x);
    assert_non_null(x);
    make_pc2(&b, COUNT, 2, 0, 1);
    assert_true(pliant__points_open_bytes(&p, "a.pc2", b.data, b.size, NULL, &error));
    assert_true(pliant__points_read(&p, 1, x, &error));
    for (uint32_t v = 0; v < COUNT; v++) assert_true(x[v].x == coordinate(1, v, 0) && x[v].z == coordinate(1, v, 2));
    pliant__points_close(&p);
    free(x);
}

static bool opens(const char *name, const unsigned char *data, size_t size, pliant_error *error)
{
    pliant__points p;
    unsigned char *own = malloc(size + 1); /* no byte more than there is, so that one too many is seen */
    assert_non_null(own);
    own = realloc(own, size ? size : 1);
    memcpy(own, data, size);
    pliant_vec3 x[64];
    *error = (pliant_error){0};
    bool ok = pliant__points_open_bytes(&p, name, own, size, NULL, error);
    for (uint32_t k = 0; ok && p.vertices <= 64 && k < p.samples && k < 64; k++) ok = pliant__points_read(&p, k, x, error);
    pliant__points_close(&p);
    free(own);
    return ok;
}

static void what_is_cut_or_longer_is_refused_with_the_byte(void **state)
{
    (void)state;
    static bytes b;
    pliant_error error;
    for (int mdd = 0; mdd < 2; mdd++) {
        const char *name = mdd ? "a.mdd" : "a.pc2";
        if (mdd)
            make_mdd(&b, 3, 4, 0, 1);
        else
            make_pc2(&b, 3, 4, 0, 1);
        b.data[b.size] = 0;
        for (size_t size = 0; size <= b.size + 1; size++) {
            if (size == b.size) continue;
            assert_false(opens(name, b.data, size, &error));
            assert_int_equal(error.code, PLIANT_ERROR_INPUT);
            assert_string_equal(error.path, name);
            assert_non_null(strstr(error.message, "byte "));
        }
        assert_true(opens(name, b.data, b.size, &error));
    }
}

/* No crash, whatever it says, and an error or a whole cache: every bit, and random bytes. */
static void damage_is_an_error_or_another_cache(void **state)
{
    (void)state;
    static bytes b;
    pliant_error error;
    uint32_t     refused = 0;
    for (int mdd = 0; mdd < 2; mdd++) {
        if (mdd)
            make_mdd(&b, 3, 4, 0, 1);
        else
            make_pc2(&b, 3, 4, 0, 1);
        for (size_t bit = 0; bit < 8 * b.size; bit++) {
            b.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
            refused += !opens(mdd ? "a.mdd" : "a.pc2", b.data, b.size, &error);
            b.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        for (int i = 0; i < 20000; i++) {
            static bytes other;
            memcpy(other.data, b.data, b.size);
            for (int k = 0; k < 4; k++) other.data[random_bits() % (k ? b.size : 32)] = (unsigned char)random_bits();
            refused += !opens(mdd ? "a.mdd" : "a.pc2", other.data, b.size, &error);
        }
    }
    assert_true(refused > 1000);
}

static void headers_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t      at;
        uint32_t    value;
        const char *says;
    } wrong[] = {{0, 0, "byte 0: "},
                 {12, 2, "byte 12: "},
                 {16, 0, "byte 16: "},
                 {16, 0xffffffffu, "byte 16: "},
                 {20, 0x7f800000u, "byte 20"},
                 {24, 0, "byte 24"},
                 {24, 0xbf800000u, "byte 24"},
                 {28, 0, "byte 28: "},
                 {28, 0x80000000u, "byte 28: "}};
    static bytes b;
    pliant_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        make_pc2(&b, 3, 4, 0, 1);
        b.size = wrong[i].at;
        put_u32(&b, wrong[i].value, false);
        assert_false(opens("a.pc2", b.data, 32 + 3 * 4 * 12, &error));
        if (!strstr(error.message, wrong[i].says)) fail_msg("%s does not have %s", error.message, wrong[i].says);
    }
    make_pc2(&b, 3, 4, 0, 1);
    b.size = 92;
    put_float(&b, NAN, false);
    assert_false(opens("a.pc2", b.data, 32 + 3 * 4 * 12, &error));
    assert_non_null(strstr(error.message, "byte 92: a point is not finite"));
    b.size = 92;
    put_float(&b, -1.1e9f, false);
    assert_false(opens("a.pc2", b.data, 32 + 3 * 4 * 12, &error));
    assert_non_null(strstr(error.message, "byte 92: a point is more than a million kilometres away"));
    b.size = 92;
    put_float(&b, -0.9e9f, false);
    assert_true(opens("a.pc2", b.data, 32 + 3 * 4 * 12, &error));
    make_mdd(&b, 3, 4, 0, 1);
    b.size = 12;
    put_float(&b, INFINITY, true);
    assert_false(opens("a.mdd", b.data, 8 + 16 + 3 * 4 * 12, &error));
    assert_non_null(strstr(error.message, "byte 12: a time is not a number"));
}

/* ---- targets ---- */

static pliant_scene_file read_scene(const char *text, const pliant_read_def *def)
{
    pliant_scene_file file;
    pliant_error      error = {0};
    if (pliant_scene_read_text(text, strlen(text), "test", NULL, def, &file, &error) != PLIANT_OK)
        fail_msg("%s: %s", error.path, error.message);
    return file;
}

typedef struct world {
    pliant_model  *model;
    pliant_state  *state;
    pliant_solver *solver;
    pliant_inputs *inputs;
    double         fps;
} world;

static world make_world(const char *text, const pliant_read_def *def)
{
    pliant_error      error = {0};
    pliant_scene_file file = read_scene(text, def);
    world             w = {.model = pliant_scene_compile(file.scene, &error), .fps = file.fps};
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
    assert_int_equal(pliant_inputs_reset(w->inputs, 1 / w->fps), PLIANT_OK);
    assert_int_equal(pliant_solver_step(w->solver, w->state, w->inputs), PLIANT_OK);
}

static void end_world(world *w)
{
    pliant_inputs_destroy(w->inputs);
    pliant_solver_destroy(w->solver);
    pliant_state_destroy(w->state);
    pliant_model_destroy(w->model);
}

static void positions(const world *w, pliant_vec3 *x)
{
    pliant_body_info b = pliant_model_body_at(w->model, 0);
    assert_int_equal(pliant_state_positions(w->state, b.body, 0, b.vertex_count, x), PLIANT_OK);
}

static bool same_place(pliant_vec3 a, pliant_vec3 b)
{
    return fabs((double)a.x - b.x) < 1e-5 && fabs((double)a.y - b.y) < 1e-5 && fabs((double)a.z - b.z) < 1e-5;
}

static pliant_vec3 middle(pliant_vec3 a, pliant_vec3 b) { return (pliant_vec3){(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2}; }

/* A rope that falls is baked, and another follows it, at half its speed: at every second frame it is where the cache says, in the frames
 * between halfway, and behind the end where the cache ends. */
static void what_pliant_baked_is_followed(void **state)
{
    (void)state;
    enum { FRAMES = 6, COUNT = 5 };
    pliant_vec3      baked[FRAMES][COUNT], x[COUNT];
    pliant_error     error = {0};
    pliant_write_def def = pliant_write_def_default();
    world w = make_world("{\"pliant\": 1, \"fps\": 60, \"bodies\": [{\"type\": \"rope\", \"from\": [0, 1, 0], \"to\": [1, 1, 0], "
                         "\"segments\": 4, \"pins\": [0]}]}",
                         NULL);
    def.first_frame = 1001;
    pliant_writer *writer = pliant_writer_open("rope.pc2", w.model, &def, &error);
    assert_non_null(writer);
    for (int k = 0; k < FRAMES; k++) {
        if (k) step(&w);
        positions(&w, baked[k]);
        assert_int_equal(pliant_writer_frame(writer, w.state, &error), PLIANT_OK);
    }
    assert_int_equal(pliant_writer_close(writer, &error), PLIANT_OK);
    end_world(&w);
    w = make_world("{\"pliant\": 1, \"fps\": 60, \"bodies\": [{\"type\": \"rope\", \"from\": [0, 1, 0], \"to\": [1, 1, 0], "
                   "\"segments\": 4, \"attach\": [{\"all\": true, \"keys\": {\"cache\": \"rope.pc2\", \"fps\": 30}}]}]}",
                   NULL);
    for (int k = 1; k < 2 * FRAMES + 3; k++) {
        int at = k / 2 < FRAMES - 1 ? k / 2 : FRAMES - 1, next = at + 1 < FRAMES ? at + 1 : at;
        step(&w);
        positions(&w, x);
        for (int v = 0; v < COUNT; v++) assert_true(same_place(x[v], k % 2 ? middle(baked[at][v], baked[next][v]) : baked[at][v]));
    }
    end_world(&w);
}

static const char loose[] =
    "{\"pliant\": 1, \"fps\": 10, \"bodies\": [{\"type\": \"particles\", \"particles\": [{\"x\": [0, 0, 0]}, "
    "{\"x\": [4, 0, 0]}, {\"x\": [2.2, 0, 0.9]}], \"attach\": [{\"vertices\": [1, 2], \"keys\": {\"cache\": %s}}]}]}";

static world follow(const char *keys)
{
    char text[1024];
    snprintf(text, sizeof text, loose, keys);
    return make_world(text, NULL);
}

/* keys, steps, where vertex 1 is then, x */
static void the_cache_is_placed_in_time_and_among_vertices(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        int         steps;
        float       x1, x2;
    } rows[] = {
        {"\"a.pc2\"", 1, 2 + 0.125f, 4 + 0.125f},                     /* sample k is frame 5 + 2 k: 0.2 s apart */
        {"\"a.pc2\", \"first_frame\": 7", 1, 2 + 0.375f, 4 + 0.375f}, /* from sample 1 on */
        {"\"a.pc2\", \"first_frame\": 7.5", 1, 2 + 0.4375f, 4 + 0.4375f},
        {"\"a.pc2\", \"first_frame\": 3", 2, 2, 4}, /* it has not begun: held */
        {"\"a.pc2\", \"first_frame\": 3", 3, 2 + 0.125f, 4 + 0.125f},
        {"\"a.pc2\", \"fps\": 20", 1, 2 + 0.25f, 4 + 0.25f},
        {"\"a.pc2\", \"fps\": 20", 9, 2 + 0.75f, 4 + 0.75f}, /* it is over: held */
        {"\"a.pc2\", \"map\": [2, 0]", 1, 4 + 0.125f, 0.125f},
        {"\"a.pc2\", \"map\": \"nearest\"", 1, 0.125f, 0.125f}, /* 0 .5 1 is nearest to both */
        {"\"a.pc2\", \"map\": [0, 1], \"relative\": true", 1, 4 + 0.125f, 2.2f + 0.125f},
        {"\"a.pc2\", \"map\": [0, 1], \"relative\": true, \"first_frame\": 7.5", 1, 4 + 0.125f, 2.2f + 0.125f},
        {"\"a.mdd\"", 1, 2 + 0.125f, 4 + 0.125f}, /* by its times: 0.2 s apart */
        {"\"a.mdd\", \"first_frame\": 1.5", 1, 2 + 0.5f, 4 + 0.5f},
        {"\"a.mdd\", \"first_frame\": -1", 2, 2, 4}, /* by its own times it begins 0.2 s later */
        {"\"a.mdd\", \"first_frame\": -1", 3, 2 + 0.125f, 4 + 0.125f},
        {"\"a.mdd\", \"first_frame\": -1.5", 4, 2 + 0.125f, 4 + 0.125f},
        {"\"a.mdd\", \"fps\": 10", 1, 2 + 0.25f, 4 + 0.25f}, /* a sample per frame */
    };
    static bytes b;
    make_pc2(&b, 3, 4, 5, 2);
    write_bytes("a.pc2", b.data, b.size);
    make_mdd(&b, 3, 4, 7, 0.2f);
    write_bytes("a.mdd", b.data, b.size);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        world       w = follow(rows[i].keys);
        pliant_vec3 x[3];
        for (int k = 0; k < rows[i].steps; k++) step(&w);
        positions(&w, x);
        if (fabs((double)x[1].x - (double)rows[i].x1) > 1e-5 || fabs((double)x[2].x - (double)rows[i].x2) > 1e-5)
            fail_msg("%s: %g %g", rows[i].keys, (double)x[1].x, (double)x[2].x);
        end_world(&w);
    }
}

/* Of many, the nearest is the nearest: as looking at all of them says. */
static void nearest_is_the_nearest_of_all(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    static bytes b;
    static float at[COUNT][3];
    make_pc2(&b, COUNT, 2, 0, 1);
    b.size = 32;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < COUNT; i++)
            for (int a = 0; a < 3; a++) {
                if (k == 0) at[i][a] = (float)(random_bits() % 32) / 8;
                put_float(&b, at[i][a] + (float)(k * i), false);
            }
    write_bytes("many.pc2", b.data, b.size);
    for (int t = 0; t < 40; t++) {
        char   text[512];
        float  p[3];
        int    best = 0;
        double least = 1e9;
        for (int a = 0; a < 3; a++) p[a] = (float)(random_bits() % 64) / 16;
        for (int i = 0; i < COUNT; i++) {
            double d = 0;
            for (int a = 0; a < 3; a++) d += ((double)at[i][a] - (double)p[a]) * ((double)at[i][a] - (double)p[a]);
            if (d < least) {
                least = d;
                best = i;
            }
        }
        snprintf(text, sizeof text,
                 "{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"particles\": [{\"x\": [%g, %g, %g]}], \"attach\": [{\"all\": "
                 "true, \"keys\": {\"cache\": \"many.pc2\", \"map\": \"nearest\", \"relative\": true}}]}]}",
                 (double)p[0], (double)p[1], (double)p[2]);
        world       w = make_world(text, NULL);
        pliant_vec3 x;
        step(&w);
        positions(&w, &x);
        if (fabs((double)x.x - (double)p[0] - best) > 1e-3) fail_msg("it moved by %g, not by %d", (double)x.x - (double)p[0], best);
        end_world(&w);
    }
}

/* ---- mistakes ---- */

static void expect_refusal(const char *text, const char *says)
{
    pliant_scene_file file;
    pliant_error      error = {0};
    assert_int_not_equal(pliant_scene_read_text(text, strlen(text), "test", NULL, NULL, &file, &error), PLIANT_OK);
    assert_int_equal(error.code, PLIANT_ERROR_INPUT);
    if (!strstr(error.message, says) || error.line < 1) fail_msg("\"%s\" does not have \"%s\"", error.message, says);
}

static void mistakes_about_caches_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *says;
    } rows[] = {
        {"3", "must be text"},
        {"\"a.obj\"", "unknown format of a cache to follow"},
        {"\"none.pc2\"", "none.pc2: No such file"},
        {"\"../a.pc2\"", "outside"},
        {"\"/etc/a.pc2\"", "outside"},
        {"\"link.pc2\"", "outside"},
        {"\"pipe.pc2\"", "a pipe or a device"},
        {"\"folder.pc2\"", "a folder, a pipe or a device"},
        {"\"/dev/zero.pc2\"", "outside"},
        {"\"cut.pc2\"", "cut.pc2: byte 100: it ends here"},
        {"\"nan.pc2\"", "nan.pc2: byte 32: a point is not finite"},
        {"\"a.pc2\", \"map\": [0]", "needs a vertex of the cache for each of the 2 targets, has 1"},
        {"\"a.pc2\", \"map\": [0, 3]", "3 is not a vertex: the cache has 3"},
        {"\"a.pc2\", \"map\": \"neerest\"", "nearest"},
        {"\"two.pc2\"", "the cache has 2 vertices and the body has 3: say by \"map\""},
        {"\"a.pc2\", \"fps\": 0", "fps"},
        {"\"a.pc2\", \"frist_frame\": 0", "did you mean first_frame?"},
        {"\"a.pc2\", \"vertices\": [0]", "unknown key"},
        {"\"a.pc2\", \"object\": \"body\"", "a.pc2 has no names: leave \"object\" out"},
        {"\"still.mdd\", \"animation\": \"walk\"", "still.mdd has no names: leave \"animation\" out"},
        {"\"still.mdd\"", "sample 1 of the cache is not after sample 0; say \"fps\""},
    };
    static bytes b;
    assert_int_equal(mkdir("in", 0777), 0);
    make_pc2(&b, 3, 4, 0, 1);
    write_bytes("a.pc2", b.data, b.size);
    write_bytes("in/a.pc2", b.data, b.size);
    write_bytes("cut.pc2", b.data, 100);
    b.size = 32;
    put_float(&b, NAN, false);
    write_bytes("nan.pc2", b.data, 32 + 144);
    make_pc2(&b, 2, 4, 0, 1);
    write_bytes("two.pc2", b.data, b.size);
    make_mdd(&b, 3, 4, 0, 0);
    write_bytes("still.mdd", b.data, b.size);
    assert_int_equal(symlink("/etc/hostname", "link.pc2"), 0);
    assert_int_equal(mkfifo("pipe.pc2", 0666), 0);
    assert_int_equal(mkdir("folder.pc2", 0777), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        snprintf(text, sizeof text, loose, rows[i].keys);
        expect_refusal(text, rows[i].says);
    }
    world w = follow("\"still.mdd\", \"fps\": 24"); /* as it says */
    end_world(&w);
}

/* ---- fits ---- */

static void near(double a, double b, double by)
{
    if (!(fabs(a - b) <= by)) fail_msg("%.17g is not %.17g", a, b);
}

static double random_number(void) { return (double)(random_bits() >> 11) * 0x1p-53 * 2 - 1; }

static void a_known_motion_is_found(void **state)
{
    (void)state;
    enum { COUNT = 12 };
    for (int t = 0; t < 2000; t++) {
        double q[4], p[3 * COUNT], r[3 * COUNT], found[4], length = 0, scale = t % 3 ? 1 : 1e5;
        for (int i = 0; i < 4; i++) q[i] = random_number();
        if (t % 5 == 0) q[3] = 0; /* half a turn */
        if (t % 7 == 0) q[0] = q[1] = q[2] = 0, q[3] = 1;
        for (int i = 0; i < 4; i++) length += q[i] * q[i];
        for (int i = 0; i < 4; i++) q[i] /= sqrt(length);
        for (int i = 0; i < COUNT; i++) {
            for (int a = 0; a < 3; a++) p[3 * i + a] = scale * (t % 2 && a == 2 ? 0 : random_number()); /* flat ones too */
            pliant__turn(q, p + 3 * i, r + 3 * i);
            for (int a = 0; a < 3; a++) r[3 * i + a] += 7 * (a + 1);
        }
        pliant__cluster from = pliant__cluster_make(p, COUNT), to = pliant__cluster_make(r, COUNT);
        assert_true(pliant__cluster_turns(&from));
        assert_true(pliant__fit_rotation(&from, &to, found));
        double dot = 0;
        for (int i = 0; i < 4; i++) dot += q[i] * found[i];
        near(fabs(dot), 1, 1e-12);
        near(pliant__fit_error(&from, &to, found), 0, 1e-10 * scale);
        assert_true(found[3] >= 0);
    }
}

/* Of rotations near the one that was found none is better, where the points do not fit any. */
static void no_rotation_fits_better(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    for (int t = 0; t < 200; t++) {
        double p[3 * COUNT], r[3 * COUNT], q[4];
        for (int i = 0; i < 3 * COUNT; i++) {
            p[i] = random_number();
            r[i] = random_number();
        }
        pliant__cluster from = pliant__cluster_make(p, COUNT), to = pliant__cluster_make(r, COUNT);
        assert_true(pliant__fit_rotation(&from, &to, q));
        double error = pliant__fit_error(&from, &to, q);
        for (int k = 0; k < 200; k++) {
            double other[4], length = 0, far = k % 2 ? 1e-3 : 2;
            for (int i = 0; i < 4; i++) {
                other[i] = q[i] + far * random_number();
                length += other[i] * other[i];
            }
            for (int i = 0; i < 4; i++) other[i] /= sqrt(length);
            assert_true(pliant__fit_error(&from, &to, other) >= error * (1 - 1e-12));
        }
    }
}

static void points_on_a_line_say_no_rotation(void **state)
{
    (void)state;
    double line[9] = {0, 0, 0, 1, 2, 3, 2, 4, 6}, other[9] = {0, 0, 0, 3, 1, 2, 6, 2, 4}, spot[9] = {0}, two[6] = {0, 0, 0, 1, 0, 0}, q[4];
    pliant__cluster a = pliant__cluster_make(line, 3), b = pliant__cluster_make(other, 3), c = pliant__cluster_make(spot, 3),
                    d = pliant__cluster_make(two, 2);
    assert_false(pliant__cluster_turns(&a));
    assert_false(pliant__cluster_turns(&c));
    assert_false(pliant__cluster_turns(&d));
    assert_false(pliant__fit_rotation(&a, &b, q));
    assert_false(pliant__fit_rotation(&a, &c, q));
}

/* ---- colliders ---- */

/* A corner of a body that turns about z by 30 degrees per sample and rises by 0.5 m; its fourth vertex is `off` its place in sample 2. */
static void write_corner(const char *path, float off)
{
    static const double corner[4][3] = {{1, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, 0, 3}};
    static bytes        b;
    make_pc2(&b, 4, 13, 0, 1);
    b.size = 32;
    for (int k = 0; k < 13; k++)
        for (int v = 0; v < 4; v++) {
            double s = sin(k * 3.14159265358979 / 6), c = cos(k * 3.14159265358979 / 6);
            put_float(&b, (float)(c * corner[v][0] - s * corner[v][1]), false);
            put_float(&b, (float)(s * corner[v][0] + c * corner[v][1] + 0.5 * k), false);
            put_float(&b, (float)corner[v][2] + (k == 2 && v == 3 ? off : 0), false);
        }
    write_bytes(path, b.data, b.size);
}

static char notices[2048];
static void keep_notice(const char *text, void *context)
{
    (void)context;
    snprintf(notices + strlen(notices), sizeof notices - strlen(notices), "%s\n", text);
}

static world collide(const char *keys)
{
    char            text[1024];
    pliant_read_def def = pliant_read_def_default();
    def.notice = keep_notice;
    *notices = 0;
    snprintf(text, sizeof text,
             "{\"pliant\": 1, \"fps\": 10, \"bodies\": [{\"type\": \"particles\", \"particles\": [{\"x\": [0, 99, 0]}]}], \"colliders\": "
             "[{\"type\": \"box\", \"half_extent\": [1, 1, 1], \"position\": [3, 0, 1], \"keys\": {\"cache\": %s}}]}",
             keys);
    return make_world(text, &def);
}

static pliant_pose pose_of(const world *w)
{
    pliant_collider id;
    pliant_model_collider_at(w->model, 0, &id);
    return pliant_state_collider_pose(w->state, id);
}

/* A whole turn and back to where it began, each sample the short way. */
static void a_collider_follows_a_baked_body(void **state)
{
    (void)state;
    write_corner("corner.pc2", 0);
    world       w = collide("\"corner.pc2\"");
    pliant_pose p = pose_of(&w), before = p;
    assert_string_equal(notices, "");
    near(p.position.x, 3, 1e-6);
    near(p.rotation.w, 1, 1e-6);
    for (int k = 1; k < 15; k++) {
        int    at = k < 12 ? k : 12;
        double angle = at * 3.14159265358979 / 6;
        step(&w);
        p = pose_of(&w);
        near(p.position.x, 3 * cos(angle), 3e-6);
        near(p.position.y, 3 * sin(angle) + 0.5 * at, 3e-6);
        near(p.position.z, 1, 3e-6);
        near(fabs((double)p.rotation.z), fabs(sin(angle / 2)), 3e-6);
        near(fabs((double)p.rotation.w), fabs(cos(angle / 2)), 3e-6);
        assert_true(p.rotation.z * before.rotation.z + p.rotation.w * before.rotation.w > (pliant_real)0.9);
        before = p;
    }
    end_world(&w);
    w = collide(
        "\"corner.pc2\", \"vertices\": [0, 2, 3], \"first_frame\": 3, \"fps\": 20"); /* where it is said is where it is in frame 3 */
    near(pose_of(&w).position.x, 3, 1e-6);
    step(&w);
    p = pose_of(&w);
    near(p.position.x, 3 * cos(3.14159265358979 / 3) + 1.5 * sin(3.14159265358979 / 3), 4e-6);
    near(p.rotation.z, 0.5, 3e-6);
    end_world(&w);
}

static void what_does_not_fit_is_noticed(void **state)
{
    (void)state;
    write_corner("corner.pc2", 0);
    write_corner("bent.pc2", 0.5f);
    world w = collide("\"bent.pc2\"");
    assert_non_null(strstr(notices, "do not move as a rigid body: in sample 2 they are 0."));
    end_world(&w);
    w = collide("\"corner.pc2\", \"vertices\": [0, 1]");
    assert_non_null(strstr(notices, "without turning"));
    assert_null(strstr(notices, "NULL"));
    step(&w);
    near(pose_of(&w).rotation.w, 1, 1e-6);
    end_world(&w);
    expect_refusal(
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"particles\": [{\"x\": [0, 0, 0]}]}], \"colliders\": [{\"type\": "
        "\"plane\", \"keys\": {\"cache\": \"corner.pc2\", \"vertices\": [4]}}]}",
        "4 is not a vertex: the cache has 4");
    expect_refusal(
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"particles\": [{\"x\": [0, 0, 0]}]}], \"colliders\": [{\"type\": "
        "\"plane\", \"keys\": {\"cache\": \"corner.pc2\", \"map\": [4]}}]}",
        "unknown key");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(caches_are_read_as_they_are, clear_folder),
        cmocka_unit_test(large_samples_are_read_in_pieces),
        cmocka_unit_test(what_is_cut_or_longer_is_refused_with_the_byte),
        cmocka_unit_test(damage_is_an_error_or_another_cache),
        cmocka_unit_test(headers_that_make_no_sense_are_refused),
        cmocka_unit_test_teardown(what_pliant_baked_is_followed, clear_folder),
        cmocka_unit_test_teardown(the_cache_is_placed_in_time_and_among_vertices, clear_folder),
        cmocka_unit_test_teardown(nearest_is_the_nearest_of_all, clear_folder),
        cmocka_unit_test_teardown(mistakes_about_caches_are_named, clear_folder),
        cmocka_unit_test(a_known_motion_is_found),
        cmocka_unit_test(no_rotation_fits_better),
        cmocka_unit_test(points_on_a_line_say_no_rotation),
        cmocka_unit_test_teardown(a_collider_follows_a_baked_body, clear_folder),
        cmocka_unit_test_teardown(what_does_not_fit_is_noticed, clear_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
