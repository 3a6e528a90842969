/* Laws of libpliant_io: numbers survive text, whatever the locale; meshes keep their vertices; caches are whole and say what
 * the state says. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"

#include "io/files/number.h"
#include "pliant/io.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- helpers ---- */

static double parse(const char *text)
{
    double value = NAN;
    assert_int_equal(pliant__parse_number(text, strlen(text), &value), PLIANT__NUMBER_OK);
    return value;
}

/* ---- numbers ---- */

static void known_numbers_are_read_correctly_rounded(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double      value;
    } cases[] = {
        {"0", 0},
        {"1", 1},
        {"-1.5", -1.5},
        {"1e3", 1e3},
        {"0.1", 0x1.999999999999ap-4},
        {"9007199254740993", 9007199254740992.0},
        {"9007199254740993.00000000000000000000000001", 9007199254740994.0},
        {"4.9406564584124654e-324", 0x1p-1074},
        {"2.4703282292062327e-324", 0},
        {"2.4703282292062328e-324", 0x1p-1074},
        {"2.2250738585072014e-308", 0x1p-1022},
        {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
        {"1.7976931348623157e308", 0x1.fffffffffffffp1023},
        {"1e-400", 0},
        {"123456789012345678901234567890", 0x1.8ee90ff6c373ep96},
        {"8.988465674311580e307", 0x1.0000000000000p1023},
        {".5", 0.5},
        {"5.", 5},
        {"0.000000000000000000000000000000000000000000000000001e51", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_true(parse(cases[i].text) == cases[i].value);
    assert_true(signbit(parse("-0")));
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char *const none[] = {"",   "-",    "+",   ".",   "e5",    "1e",  "1e+", "1 ",
                                       " 1", "0x10", "nan", "inf", "1_000", "--1", "1,5", "1e5x"};
    double                   value;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(pliant__parse_number(none[i], strlen(none[i]), &value), PLIANT__NUMBER_NONE);
    assert_int_equal(pliant__parse_number("1e309", 5, &value), PLIANT__NUMBER_HUGE);
    assert_int_equal(pliant__parse_number("-1e99999999999", 14, &value), PLIANT__NUMBER_HUGE);
}

static void random_doubles_survive_text(void **state)
{
    (void)state;
    char text[PLIANT__NUMBER_SIZE];
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = random_bits();
        double   value, back;
        memcpy(&value, &bits, 8);
        if (!(value - value == 0)) continue;
        size_t length = pliant__format_number(text, value, 17);
        assert_int_equal(pliant__parse_number(text, length, &back), PLIANT__NUMBER_OK);
        assert_memory_equal(&value, &back, 8);
        assert_true(back == strtod(text, NULL));
    }
}

static void random_reals_survive_text(void **state)
{
    (void)state;
    char text[PLIANT__NUMBER_SIZE];
    for (int i = 0; i < 100000; i++) {
        uint64_t    bits = random_bits();
        pliant_real value;
        double      back;
        memcpy(&value, &bits, sizeof value);
        if (!(value - value == 0)) continue;
        size_t length = pliant__format_number(text, (double)value, PLIANT__REAL_DIGITS);
        assert_int_equal(pliant__parse_number(text, length, &back), PLIANT__NUMBER_OK);
        pliant_real narrow = (pliant_real)back;
        assert_memory_equal(&value, &narrow, sizeof value);
    }
}

/* Only where such a locale is installed. */
/* Normal or not, large and small. */
static void floats_have_the_fewest_digits_that_read_back(void **state)
{
    (void)state;
    for (int i = 0; i < 200000; i++) {
        uint32_t bits = (uint32_t)random_bits();
        float    value;
        if (i % 2) bits = (bits & 0x80ffffff) | (100u + bits % 50) << 23; /* 1e-8 to 1e7 */
        memcpy(&value, &bits, 4);
        if (!(value - value == 0)) continue;
        char   text[PLIANT__NUMBER_SIZE], shorter[64];
        size_t length = pliant__format_float(text, value), digits = 0;
        float  back = strtof(text, NULL);
        assert_int_equal(length, strlen(text));
        assert_memory_equal(&back, &value, 4);
        for (const char *c = text; *c && *c != 'e'; c++) digits += *c >= '0' && *c <= '9' && (digits || *c != '0');
        while (length && strchr(text, '.') == NULL && digits > 1 && text[length - 1] == '0') length--, digits--; /* noughts at the end */
        if (digits < 2 || strchr(text, 'e')) continue;
        snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, (double)value);
        if (strtof(shorter, NULL) == value) fail_msg("%s could be %s", text, shorter);
    }
    char text[PLIANT__NUMBER_SIZE];
    for (int i = 0; i < 10; i++) {
        static const struct {
            float       value;
            const char *text;
        } known[] = {{0, "0"},
                     {-0.0f, "-0"},
                     {1, "1"},
                     {-60, "-60"},
                     {0.1f, "0.1"},
                     {1e-7f, "1e-07"},
                     {123456.78f, "123456.78"},
                     {1e10f, "1e+10"},
                     {0.0005f, "0.0005"},
                     {1.5e-5f, "1.5e-05"}};
        pliant__format_float(text, known[i].value);
        assert_string_equal(text, known[i].text);
    }
}

static void numbers_do_not_depend_on_the_locale(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "ps_AF.UTF-8", NULL};
    char                     text[PLIANT__NUMBER_SIZE];
    bool                     found = false;
    for (size_t i = 0; names[i] && !found; i++) found = setlocale(LC_ALL, names[i]) != NULL;
    pliant__format_number(text, -1234.5, 17);
    assert_string_equal(text, "-1234.5");
    pliant__format_number(text, 1.5e-7, 9);
    assert_string_equal(text, "1.5e-07");
    assert_true(parse("0.5") == 0.5);
    pliant__format_shortest(text, 0.1);
    assert_string_equal(text, "0.1");
    setlocale(LC_ALL, "C");
    if (!found) print_message("[          ] no locale with a decimal comma is installed: looked at in C only\n");
}

/* ---- meshes ---- */

static void an_obj_keeps_its_vertices_and_faces(void **state)
{
    (void)state;
    write_text("a.obj", "\xef\xbb\xbfv 5 5 5\nv 0 0 0\nv 1 0 0\nv 1 0 1\nf -1 -2 -3\n"); /* a mark that says UTF-8 */
    pliant_mesh  marked;
    pliant_error none = {0};
    assert_int_equal(pliant_mesh_load("a.obj", &marked, &none), PLIANT_OK);
    assert_int_equal(marked.vertex_count, 4);
    assert_true(marked.positions[0] == 5);
    pliant_mesh_free(&marked);
    write_text("a.obj", "# comment\nmtllib nothing.mtl\no thing\nv 0 0 0\nv 1 0 0 1 0.5 0.5 0.5\n\tv  1 1e0 0\r\nv 0 1 0\nv 0.1 -2.5e-1 "
                        ".5\nvt 0 0\nvn 0 0 1\n"
                        "g part\nusemtl none\ns 1\nf 1/1/1 2/1 3//1 4\nf -5 -4 -1\nf 1 2 3 4 5\n");
    pliant_mesh  mesh;
    pliant_error error = {0};
    assert_int_equal(pliant_mesh_load("a.obj", &mesh, &error), PLIANT_OK);
    assert_int_equal(mesh.vertex_count, 5);
    assert_int_equal(mesh.quad_count, 1);
    assert_int_equal(mesh.triangle_count, 4);
    assert_true(mesh.positions[12] == (pliant_real)0.1 && mesh.positions[13] == (pliant_real)-0.25 &&
                mesh.positions[14] == (pliant_real)0.5);
    const uint32_t quad[4] = {0, 1, 2, 3}, triangles[12] = {0, 1, 4, 0, 1, 2, 0, 2, 3, 0, 3, 4};
    assert_memory_equal(mesh.quads, quad, sizeof quad);
    assert_memory_equal(mesh.triangles, triangles, sizeof triangles);
    pliant_mesh_view view = pliant_mesh_view_from(&mesh);
    assert_int_equal(view.vertex_count, 5);
    assert_int_equal(view.stride, 3 * sizeof(pliant_real));
    pliant_mesh_free(&mesh);
}

static void a_broken_obj_says_where(void **state)
{
    (void)state;
    pliant_mesh  mesh;
    pliant_error error = {0};
    assert_int_not_equal(pliant_mesh_load("none.obj", &mesh, &error), PLIANT_OK);
    assert_int_equal(error.code, PLIANT_ERROR_INPUT);
    assert_string_equal(error.path, "none.obj");
    write_text("b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n\n# f 7 8 9\nf 1 2 3\nf 1 2 4\n");
    assert_int_not_equal(pliant_mesh_load("b.obj", &mesh, &error), PLIANT_OK);
    assert_int_equal(error.line, 7);
    assert_null(mesh.positions);
    assert_int_not_equal(pliant_mesh_load("b.obj", &mesh, NULL), PLIANT_OK);
    write_text("c.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n");
    assert_int_not_equal(pliant_mesh_load("c.obj", &mesh, &error), PLIANT_OK);
    assert_int_equal(error.line, 4);
    pliant_mesh_free(NULL);
}

static void tetgen_counts_from_zero_or_one(void **state)
{
    (void)state;
    static const char *const nodes[2] = {"# made by hand\n4 3 0 0\n\n0 0 0 0\n1 1 0 0 # x\n2 0 1 0\n3 0 0 1\n",
                                         "4 3 1 1\n1 0 0 0 7 1\n2 1 0 0 7 1\n3 0 1 0 7 1\n4 0 0 1 7 1"};
    static const char *const elements[2] = {"1 4 0\n0 0 1 2 3\n", "1 4 1\n1 1 2 3 4 0\n"};
    for (int base = 0; base < 2; base++) {
        pliant_tets  tets;
        pliant_error error = {0};
        write_text("t.node", nodes[base]);
        write_text("t.ele", elements[base]);
        assert_int_equal(pliant_tets_load(base ? "t.node" : "t.ele", &tets, &error), PLIANT_OK);
        const uint32_t expected[4] = {0, 1, 2, 3};
        assert_int_equal(tets.vertex_count, 4);
        assert_int_equal(tets.tetrahedron_count, 1);
        assert_memory_equal(tets.tetrahedra, expected, sizeof expected);
        pliant_tets_free(&tets);
    }
}

/* TetGen's own convention is the other one: a whole file of it is taken, one tetrahedron among others is not. */
static void a_file_of_negative_tetrahedra_is_turned(void **state)
{
    (void)state;
    pliant_tets tets;
    write_text("n.node", "5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 -1\n");
    write_text("n.ele", "2 4 0\n1 1 3 2 4\n2 1 2 3 5\n");
    assert_int_equal(pliant_tets_load("n.ele", &tets, NULL), PLIANT_OK);
    assert_int_equal(tets.tetrahedra[2], 3);
    assert_int_equal(tets.tetrahedra[3], 1);
    pliant_tets_free(&tets);
    write_text("n.ele", "2 4 0\n1 1 2 3 4\n2 1 2 3 5\n");
    assert_int_equal(pliant_tets_load("n.ele", &tets, NULL), PLIANT_OK);
    assert_int_equal(tets.tetrahedra[7], 4);
    pliant_tets_free(&tets);
}

/* ---- caches ---- */

typedef struct world {
    pliant_scene_file file;
    pliant_model     *model;
    pliant_state     *state;
    pliant_solver    *solver;
    pliant_inputs    *inputs;
} world;

static world make_world(const char *text)
{
    world             w = {0};
    pliant_error      error = {0};
    pliant_solver_def def = pliant_solver_def_default();
    if (pliant_scene_read_text(text, strlen(text), "test", NULL, NULL, &w.file, &error) != PLIANT_OK) fail_msg("%s", error.message);
    w.model = pliant_scene_compile(w.file.scene, &error);
    if (!w.model) fail_msg("%s", error.message);
    w.state = pliant_state_create(w.model, &error);
    w.solver = pliant_solver_create(w.model, &def, &error);
    w.inputs = pliant_inputs_create(w.model, &error);
    assert_true(w.state && w.solver && w.inputs);
    return w;
}

static void step_world(world *w)
{
    assert_int_equal(pliant_inputs_reset(w->inputs, 1.0 / 60), PLIANT_OK);
    assert_int_equal(pliant_solver_step(w->solver, w->state, w->inputs), PLIANT_OK);
}

static void free_world(world *w)
{
    pliant_inputs_destroy(w->inputs);
    pliant_solver_destroy(w->solver);
    pliant_state_destroy(w->state);
    pliant_model_destroy(w->model);
    pliant_scene_destroy(w->file.scene);
}

static const char two_bodies[] =
    "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"a, \\\"b\\\"\", \"cells\": [3, 3], \"size\": [1, 1], \"pins\": [0]},"
    "{\"type\": \"rope\", \"name\": \"r\", \"from\": [0.1, 0, 0], \"to\": [1.3, 0.7, 0], \"segments\": 4}]}";

/* One field of a CSV line; quotes are for the body's name only. */
static double csv_number(const char *line, int field)
{
    for (bool quoted = false; field; line++) {
        if (*line == '"') quoted = !quoted;
        if (*line == ',' && !quoted) field--;
    }
    return strtod(line, NULL);
}

static void csv_reads_back_exactly(void **state)
{
    (void)state;
    world          w = make_world(two_bodies);
    pliant_writer *writer = pliant_writer_open("x.csv", w.model, NULL, NULL);
    assert_non_null(writer);
    assert_int_equal(access("x.csv", F_OK), -1);
    pliant_vec3 x[2][21], v[2][21];
    for (int frame = 0; frame < 2; frame++) {
        if (frame) step_world(&w);
        assert_int_equal(pliant_writer_frame(writer, w.state, NULL), PLIANT_OK);
        for (uint32_t b = 0, at = 0; b < 2; b++) {
            pliant_body_info info = pliant_model_body_at(w.model, b);
            pliant_state_positions(w.state, info.body, 0, info.vertex_count, x[frame] + at);
            pliant_state_velocities(w.state, info.body, 0, info.vertex_count, v[frame] + at);
            at += info.vertex_count;
        }
    }
    assert_string_equal(pliant_writer_path(writer, 0), "x.csv");
    assert_null(pliant_writer_path(writer, 1));
    assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
    size_t size;
    char  *text = read_whole("x.csv", &size), *rest = NULL, *line = strtok_r(text, "\n", &rest);
    assert_string_equal(line, "frame,time,body,particle,x,y,z,vx,vy,vz");
    for (int frame = 0; frame < 2; frame++)
        for (int i = 0; i < 21; i++) {
            line = strtok_r(NULL, "\n", &rest);
            assert_non_null(line);
            assert_true(csv_number(line, 0) == frame);
            assert_true((pliant_real)csv_number(line, 4) == x[frame][i].x && (pliant_real)csv_number(line, 5) == x[frame][i].y);
            assert_true((pliant_real)csv_number(line, 6) == x[frame][i].z && (pliant_real)csv_number(line, 8) == v[frame][i].y);
        }
    assert_null(strtok_r(NULL, "\n", &rest));
    free(text);
    free_world(&w);
}

static float float_at(const char *data, size_t at)
{
    float f;
    memcpy(&f, data + at, 4);
    return f;
}

static uint32_t count_at(const char *data, size_t at)
{
    uint32_t n;
    memcpy(&n, data + at, 4);
    return n;
}

/* Reads the file after every frame: it must be whole each time. */
static void pc2_is_whole_after_every_frame(void **state)
{
    (void)state;
    world            w = make_world("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [3, 3], \"size\": [1, 1]}]}");
    pliant_write_def def = pliant_write_def_default();
    def.first_frame = 10;
    pliant_writer *writer = pliant_writer_open("y.pc2", w.model, &def, NULL);
    assert_non_null(writer);
    for (uint32_t frame = 0; frame < 4; frame++) {
        pliant_vec3 x[16];
        size_t      size;
        if (frame) step_world(&w);
        assert_int_equal(pliant_writer_frame(writer, w.state, NULL), PLIANT_OK);
        pliant_state_write_positions(w.state, pliant_model_body_at(w.model, 0).body, x, sizeof *x);
        char *data = read_whole("y.pc2", &size);
        assert_memory_equal(data, "POINTCACHE2", 12);
        assert_int_equal(count_at(data, 12), 1);
        assert_int_equal(count_at(data, 16), 16);
        assert_true(float_at(data, 20) == 10 && float_at(data, 24) == 1);
        assert_int_equal(count_at(data, 28), frame + 1);
        assert_int_equal(size, 32 + (frame + 1) * 16 * 12);
        for (uint32_t i = 0; i < 16; i++) assert_true(float_at(data, 32 + (frame * 16 + i) * 12 + 4) == (float)x[i].y);
        free(data);
    }
    assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
    free_world(&w);
}

static void an_obj_that_goes_in_comes_out(void **state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 1 0 0\nv 2 0.25 0\nv 2 0 1\nv 1 0 1\nf 1 2 3 4\nf 5 6 7\nf 5 7 8\n";
    write_text("in.obj", text); /* vertices 5 and 8 lie on 2 and 3: a seam */
    world          w = make_world("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"s\", \"mesh\": \"in.obj\"}]}");
    pliant_writer *writer = pliant_writer_open("seams/", w.model, NULL, NULL);
    assert_int_equal(pliant_model_particle_count(w.model), 6);
    assert_non_null(writer);
    assert_int_equal(pliant_writer_frame(writer, w.state, NULL), PLIANT_OK);
    assert_string_equal(pliant_writer_path(writer, 0), "seams/s.0000.obj");
    assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
    size_t size;
    char  *out = read_whole("seams/s.0000.obj", &size);
    assert_non_null(out);
    assert_memory_equal(out, "o s\n", 4);
    pliant_mesh before, after;
    assert_true(pliant_mesh_load("in.obj", &before, NULL) == PLIANT_OK && pliant_mesh_load("seams/s.0000.obj", &after, NULL) == PLIANT_OK);
    assert_int_equal(after.vertex_count, 8);
    assert_memory_equal(after.positions, before.positions, 24 * sizeof(pliant_real));
    assert_int_equal(after.quad_count, 1);
    assert_int_equal(after.triangle_count, 2);
    assert_memory_equal(after.quads, before.quads, 4 * sizeof(uint32_t));
    assert_memory_equal(after.triangles, before.triangles, 6 * sizeof(uint32_t));
    pliant_mesh_free(&before);
    pliant_mesh_free(&after);
    free(out);
    free_world(&w);
}

/* Texture vertices apart, many exporters leave points behind that no face uses. */
static void an_obj_with_loose_vertices_comes_out_whole(void **state)
{
    (void)state;
    static const char text[] = "v 5 5 5\nv 0 0 0\nv 1 0 0\nv -7 1 0\nv 0 0 1\nf 2 3 5\nv 0.5 -1 0.25\n";
    write_text("loose.obj", text);
    world          w = make_world("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"s\", \"mesh\": \"loose.obj\"}], "
                                           "\"forces\": [{\"type\": \"wind\", \"velocity\": [9, 0, 0]}], \"colliders\": [{\"type\": \"sphere\", "
                                           "\"radius\": 1, \"position\": [5, 5, 5.5]}]}");
    pliant_mesh    before, after;
    pliant_writer *writer = pliant_writer_open("loose/", w.model, NULL, NULL);
    pliant_inputs *inputs = pliant_inputs_create(w.model, NULL);
    pliant_solver *solver = pliant_solver_create(w.model, NULL, NULL);
    assert_non_null(writer);
    assert_int_equal(pliant_writer_frame(writer, w.state, NULL), PLIANT_OK);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(pliant_inputs_reset(inputs, 1.0 / 60), PLIANT_OK);
        assert_int_equal(pliant_solver_step(solver, w.state, inputs), PLIANT_OK);
        assert_int_equal(pliant_solver_statistics(solver).contacts, 0);
    }
    assert_int_equal(pliant_writer_frame(writer, w.state, NULL), PLIANT_OK);
    assert_true(pliant_mesh_load("loose.obj", &before, NULL) == PLIANT_OK &&
                pliant_mesh_load("loose/s.0000.obj", &after, NULL) == PLIANT_OK);
    assert_int_equal(after.vertex_count, 6);
    assert_memory_equal(after.positions, before.positions, 18 * sizeof(pliant_real));
    pliant_mesh_free(&after);
    assert_int_equal(pliant_mesh_load("loose/s.0001.obj", &after, NULL), PLIANT_OK);
    for (int v = 0; v < 6; v++)
        assert_int_equal(memcmp(after.positions + 3 * v, before.positions + 3 * v, 3 * sizeof(pliant_real)) == 0,
                         v == 0 || v == 3 || v == 5);
    pliant_mesh_free(&before);
    pliant_mesh_free(&after);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
    free_world(&w);
}

static void endings_in_capitals_are_known(void **state)
{
    (void)state;
    write_text("SHEET.OBJ", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    write_text("TET.NODE", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n");
    write_text("TET.ELE", "1 4 0\n1 1 2 3 4\n");
    world                    w = make_world("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"s\", \"mesh\": \"SHEET.OBJ\"}, "
                                                               "{\"type\": \"soft\", \"mesh\": \"TET.ELE\"}, {\"type\": \"soft\", \"mesh\": \"TET.NODE\"}]}");
    static const char *const outputs[3][2] = {{"OUT.CSV", "OUT.CSV"}, {"OUT.PC2", "OUT.s.PC2"}, {"OUT.OBJ", "OUT.OBJ/s.0000.obj"}};
    for (int i = 0; i < 3; i++) {
        pliant_writer *writer = pliant_writer_open(outputs[i][0], w.model, NULL, NULL);
        assert_non_null(writer);
        assert_int_equal(pliant_writer_frame(writer, w.state, NULL), PLIANT_OK);
        assert_string_equal(pliant_writer_path(writer, 0), outputs[i][1]);
        assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
    }
    free_world(&w);
}

static void views_of_nothing_are_empty(void **state)
{
    (void)state;
    const pliant_mesh_view mesh = pliant_mesh_view_from(NULL);
    const pliant_tet_view  tets = pliant_tet_view_from(NULL);
    assert_true(!mesh.positions && !mesh.vertex_count && !mesh.triangles && !mesh.triangle_count && !mesh.quads && !mesh.quad_count);
    assert_true(!tets.positions && !tets.vertex_count && !tets.tetrahedra && !tets.tetrahedron_count);
}

/* A list that was written after a body was taken out counts the vertices of those that are left. */
static void a_removed_body_does_not_count_in_an_order(void **state)
{
    (void)state;
    static const char text[] = "{\"pliant\": 1, \"bodies\": [{\"type\": \"rope\", \"from\": [0, 0, 0], \"to\": [1, 0, 0], "
                               "\"segments\": 4}, {\"type\": \"rope\", \"from\": [0, 1, 0], \"to\": [1, 1, 0], \"segments\": 1}, "
                               "{\"type\": \"rope\", \"from\": [0, 2, 0], \"to\": [1, 2, 0], \"segments\": 1}]}";
    pliant_scene_file file;
    char              entry[256];
    assert_int_equal(pliant_scene_read_text(text, strlen(text), "text", NULL, NULL, &file, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_remove_body(file.scene, (pliant_body){1}), PLIANT_OK);
    pliant_model *model = pliant_scene_compile(file.scene, NULL);
    assert_int_equal(pliant_model_solved_count(model), 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(pliant_order_entry(file.scene, model, i, entry, sizeof entry) < sizeof entry);
        assert_non_null(strstr(entry, i ? "\"ids\": [2, 3]" : "\"ids\": [0, 1]"));
    }
    pliant_model_destroy(model);
    pliant_scene_destroy(file.scene);
}

static void an_unknown_format_lists_the_known_ones(void **state)
{
    (void)state;
    world        w = make_world(two_bodies);
    pliant_error error = {0};
    assert_null(pliant_writer_open("x.xyz", w.model, NULL, &error));
    assert_int_equal(error.code, PLIANT_ERROR_INPUT);
    for (uint32_t i = 0; pliant_format_at(i); i++) assert_non_null(strstr(error.message, pliant_format_at(i)->ending));
    assert_null(pliant_writer_open("", w.model, NULL, &error));
    assert_null(pliant_writer_open("x.csv", NULL, NULL, &error));
    assert_int_equal(pliant_writer_close(NULL, NULL), PLIANT_OK);
    free_world(&w);
}

/* A file that may not grow: an error with its path; the frames before stay, whole; nothing more is taken. */
static void a_write_that_fails_leaves_whole_frames(void **state)
{
    (void)state;
    static const char *const paths[] = {"full.csv", "full.pc2"};
    struct rlimit            before, small;
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    world w = make_world("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [3, 3], \"size\": [1, 1]}]}");
    getrlimit(RLIMIT_FSIZE, &before);
    for (int format = 0; format < 2; format++) {
        pliant_error   error = {0};
        pliant_writer *writer = pliant_writer_open(paths[format], w.model, NULL, NULL);
        small = before;
        small.rlim_cur = 2500;
        setrlimit(RLIMIT_FSIZE, &small);
        uint32_t frames = 0;
        while (frames < 1000 && pliant_writer_frame(writer, w.state, &error) == PLIANT_OK) frames++;
        assert_true(frames > 0 && frames < 1000);
        assert_int_not_equal(pliant_writer_frame(writer, w.state, NULL), PLIANT_OK);
        pliant_writer_close(writer, NULL);
        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(error.code, PLIANT_ERROR_IO);
        assert_string_equal(error.path, paths[format]);
        size_t size = 0, lines = 0;
        char  *data = read_whole(paths[format], &size);
        for (size_t i = 0; i < size; i++) lines += data[i] == '\n';
        if (format == 0)
            assert_int_equal(lines, 1 + frames * 16);
        else
            assert_int_equal(size, 32 + (size_t)count_at(data, 28) * 16 * 12);
        if (format == 1) assert_int_equal(count_at(data, 28), frames);
        free(data);
    }
    signal(SIGXFSZ, old);
    free_world(&w);
}

/* Whatever bodies are called, no two share a file: also where a name is what another one's becomes. */
static void no_two_bodies_share_a_file(void **state)
{
    (void)state;
    world w = make_world("{\"pliant\": 1, \"bodies\": [{\"type\": \"rope\", \"name\": \"a_b_3\", \"from\": [0,0,0], \"to\": [1,0,0], "
                         "\"segments\": 1}, {\"type\": \"rope\", \"name\": \"a_b\", \"from\": [0,0,0], \"to\": [1,0,0], \"segments\": 2}, "
                         "{\"type\": \"rope\", \"name\": \"a b\", \"from\": [0,0,0], \"to\": [1,0,0], \"segments\": 3}]}");
    pliant_writer *writer = pliant_writer_open("n.pc2", w.model, NULL, NULL);
    assert_non_null(writer);
    assert_int_equal(pliant_writer_frame(writer, w.state, NULL), PLIANT_OK);
    for (uint32_t i = 0; i < 3; i++) {
        size_t size;
        assert_non_null(pliant_writer_path(writer, i));
        for (uint32_t j = 0; j < i; j++) assert_string_not_equal(pliant_writer_path(writer, i), pliant_writer_path(writer, j));
        free(read_whole(pliant_writer_path(writer, i), &size));
        assert_int_equal(size, 32 + (i + 2) * 12);
    }
    assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
    free_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_bodies_share_a_file),
        cmocka_unit_test(known_numbers_are_read_correctly_rounded),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(random_doubles_survive_text),
        cmocka_unit_test(random_reals_survive_text),
        cmocka_unit_test(floats_have_the_fewest_digits_that_read_back),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(an_obj_keeps_its_vertices_and_faces),
        cmocka_unit_test(a_broken_obj_says_where),
        cmocka_unit_test(tetgen_counts_from_zero_or_one),
        cmocka_unit_test(a_file_of_negative_tetrahedra_is_turned),
        cmocka_unit_test(csv_reads_back_exactly),
        cmocka_unit_test(pc2_is_whole_after_every_frame),
        cmocka_unit_test(an_obj_that_goes_in_comes_out),
        cmocka_unit_test(an_obj_with_loose_vertices_comes_out_whole),
        cmocka_unit_test(endings_in_capitals_are_known),
        cmocka_unit_test(views_of_nothing_are_empty),
        cmocka_unit_test(a_removed_body_does_not_count_in_an_order),
        cmocka_unit_test(an_unknown_format_lists_the_known_ones),
        cmocka_unit_test(a_write_that_fails_leaves_whole_frames),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
