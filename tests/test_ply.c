/* Laws of reading PLY: the same mesh whatever the form, vertices in the file's order; what is cut off or damaged is refused or read, and never
 * more than that. */
#include "files.h"

#include "pliant/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A pyramid: a quad, three triangles and a pentagon that lies in two of its sides; vertex 5 is used by no face. */
static const double   points[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1.5}, {0, 0, 1.5}, {0.5, -2, 0.25}, {7, 8, 9}};
static const uint32_t faces[3][5] = {{0, 1, 2, 3, 0}, {0, 4, 1, 0, 0}, {1, 4, 2, 3, 0}};
static const uint32_t corners[3] = {4, 3, 5};

typedef struct text {
    unsigned char bytes[4096];
    size_t        size;
} text;

static void put(text *t, const void *data, size_t size)
{
    memcpy(t->bytes + t->size, data, size);
    t->size += size;
}

__attribute__((format(printf, 2, 3))) static void say(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    t->size += (size_t)vsnprintf((char *)t->bytes + t->size, sizeof t->bytes - t->size, format, args);
    va_end(args);
}

/* One number of a form: 'a' as text, 'l' or 'b' binary. */
static void number(text *t, char form, size_t size, const void *value)
{
    for (size_t i = 0; i < size; i++) put(t, (const unsigned char *)value + (form == 'l' ? i : size - 1 - i), 1);
}

static void count_of(text *t, char form, uint32_t n)
{
    uint8_t byte = (uint8_t)n;
    if (form == 'a')
        say(t, "%u ", n);
    else
        number(t, form, 1, &byte);
}

static void vertex_of(text *t, char form, uint32_t i)
{
    const float normal = 0.5f;
    if (form == 'a') {
        say(t, "%.17g 0.5 %.17g 2 8 9 %.17g\n", points[i][0], points[i][1], points[i][2]);
        return;
    }
    number(t, form, 8, &points[i][0]);
    number(t, form, 4, &normal);
    number(t, form, 8, &points[i][1]);
    count_of(t, form, 2); /* a list among them */
    count_of(t, form, 8);
    count_of(t, form, 9);
    number(t, form, 8, &points[i][2]);
}

static void face_of(text *t, char form, uint32_t f)
{
    const int16_t flag = -3;
    if (form == 'a')
        say(t, "-3 ");
    else
        number(t, form, 2, &flag);
    count_of(t, form, corners[f]);
    for (uint32_t k = 0; k < corners[f]; k++) {
        if (form == 'a')
            say(t, "%u ", faces[f][k]);
        else
            number(t, form, 4, &faces[f][k]);
    }
    if (form == 'a') say(t, "\n");
}

/* With properties and an element that are not needed. */
static text mesh_as(char form, const char *end)
{
    text t = {.size = 0};
    say(&t, "ply%sformat %s 1.0%scomment of tests%s", end,
        form == 'a'   ? "ascii"
        : form == 'l' ? "binary_little_endian"
                      : "binary_big_endian",
        end, end);
    say(&t,
        "element vertex 6%sproperty double x%sproperty float nx%sproperty float64 y%sproperty list uchar uint8 tags%sproperty double z%s",
        end, end, end, end, end, end);
    say(&t, "element edge 2%sproperty ushort a%sproperty ushort b%s", end, end, end);
    say(&t, "element face 3%sproperty short flag%sproperty list uchar int vertex_indices%send_header%s", end, end, end, end);
    for (uint32_t i = 0; i < 6; i++) vertex_of(&t, form, i);
    if (form == 'a')
        say(&t, "1 2\n3 4\n");
    else
        put(&t, "\1\2\3\4\5\6\7\10", 8);
    for (uint32_t f = 0; f < 3; f++) face_of(&t, form, f);
    return t;
}

static void check_mesh(const pliant_mesh *m)
{
    static const uint32_t triangles[] = {0, 4, 1, 1, 4, 2, 1, 2, 3, 1, 3, 0}, quads[] = {0, 1, 2, 3};
    assert_int_equal(m->vertex_count, 6);
    assert_int_equal(m->triangle_count, 4);
    assert_int_equal(m->quad_count, 1);
    assert_memory_equal(m->triangles, triangles, sizeof triangles);
    assert_memory_equal(m->quads, quads, sizeof quads);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++) assert_true(m->positions[3 * i + k] == (pliant_real)points[i][k]);
}

static void every_form_is_the_same_mesh(void **unused)
{
    (void)unused;
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    for (const char *form = "alb"; *form; form++)
        for (int e = 0; e < 3; e++) {
            text         t = mesh_as(*form, ends[e]);
            pliant_mesh  m;
            pliant_error error = {0};
            write_bytes("x.ply", t.bytes, t.size);
            if (pliant_mesh_load("x.ply", &m, &error) != PLIANT_OK)
                fail_msg("%c %d: %s:%d: %s", *form, e, error.path, error.line, error.message);
            check_mesh(&m);
            pliant_mesh_free(&m);
        }
}

/* Only the ends of an ASCII file are not missed: the last digits of a number, and the white space behind it. */
static void every_cut_is_refused(void **unused)
{
    (void)unused;
    for (const char *form = "alb"; *form; form++) {
        text t = mesh_as(*form, "\n");
        for (size_t size = 0; size < t.size - (*form == 'a' ? 2 : 0); size++) {
            pliant_mesh  m;
            pliant_error error = {0};
            write_bytes("x.ply", t.bytes, size);
            if (pliant_mesh_load("x.ply", &m, &error) == PLIANT_OK) fail_msg("%c: cut to %zu", *form, size);
            assert_int_equal(error.code, PLIANT_ERROR_INPUT);
            assert_true(error.line > 0 || strncmp(error.message, "byte ", 5) == 0);
        }
    }
}

static void whatever_the_bytes_are_nothing_is_read_beyond_them(void **unused)
{
    (void)unused;
    for (const char *form = "alb"; *form; form++) {
        const text t = mesh_as(*form, "\n");
        for (int n = 0; n < 3000; n++) {
            text         wrong = t;
            pliant_mesh  m;
            pliant_error error = {0};
            for (uint64_t k = random_bits() % 4; k < 4; k++) {
                static const unsigned char bytes[] = {0, 255, 127, 128, '9', '-', ' ', 'e'};
                wrong.bytes[random_bits() % wrong.size] = bytes[random_bits() % sizeof bytes];
            }
            write_bytes("x.ply", wrong.bytes, wrong.size);
            if (pliant_mesh_load("x.ply", &m, &error) == PLIANT_OK) {
                for (size_t i = 0; i < 3 * m.triangle_count; i++) assert_true(m.triangles[i] < m.vertex_count);
                pliant_mesh_free(&m);
            } else {
                assert_true(error.code == PLIANT_ERROR_INPUT && strlen(error.message) > 5);
            }
        }
    }
}

static void refused(const char *file, int line, const char *with)
{
    pliant_mesh  m;
    pliant_error error = {0};
    write_text("x.ply", file);
    if (pliant_mesh_load("x.ply", &m, &error) == PLIANT_OK) fail_msg("taken: %s", file);
    if (error.line != line || !strstr(error.message, with)) fail_msg("%d: %s instead of %d: %s", error.line, error.message, line, with);
}

static void what_is_wrong_is_said_with_its_line(void **unused)
{
    (void)unused;
#define VERTICES "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define FACES "element face 1\nproperty list uchar int vertex_index\n"
#define POINTS "0 0 0\n1 0 0\n0 1 0\n"
    refused("plz\n", 1, "not a PLY");
    refused("ply\nformat ascii 2.0\n", 2, "1.0");
    refused("ply\nelement vertex 1\n", 3, "no end");
    refused("ply\n" VERTICES FACES "end_header\n", 8, "no format");
    refused("ply\nformat ascii 1.0\n" VERTICES "end_header\n" POINTS, 7, "vertex and face are needed");
    refused("ply\nformat ascii 1.0\n" FACES VERTICES "end_header\n3 0 1 2\n" POINTS, 9, "after vertex");
    refused("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float x\n", 5, "twice");
    refused("ply\nformat ascii 1.0\nelement vertex -1\n", 3, "a name and a number");
    refused("ply\nformat ascii 1.0\nproperty float x\n", 3, "before the first element");
    refused("ply\nformat ascii 1.0\nelement face 1\nproperty list float int vertex_index\n", 4, "counted by whole numbers");
    refused("ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\n", 4, "type");
    refused("ply\nformat ascii 1.0\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n", 5, "triangle strips");
    refused("ply\nformat ascii 1.0\n" VERTICES FACES "end_header\n" POINTS "3 0 1 3\n", 13, "not there");
    refused("ply\nformat ascii 1.0\n" VERTICES FACES "end_header\n" POINTS "3 0 1 -1\n", 13, "not there");
    refused("ply\nformat ascii 1.0\n" VERTICES FACES "end_header\n" POINTS "3 0 1 1\n", 13, "twice");
    refused("ply\nformat ascii 1.0\n" VERTICES FACES "end_header\n" POINTS "2 0 1\n", 13, "three corners");
    refused("ply\nformat ascii 1.0\n" VERTICES FACES "end_header\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", 11, "not a finite number");
    refused("ply\nformat ascii 1.0\n" VERTICES FACES "end_header\n0 0 0\n1 1e39 0\n0 1 0\n3 0 1 2\n", 11, "too large");
    refused("ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty char x\nproperty char y\nproperty char z\n" FACES "end_header\n",
            10, "cut off");
}

/* Frames as PLY are meshes again: the vertices in their order, the faces as they were. */
static void frames_are_meshes(void **unused)
{
    (void)unused;
    static const char scene[] =
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"c\", \"cells\": [3, 2], \"size\": [1, 1]}]}";
    pliant_model_file file;
    pliant_mesh       m;
    pliant_vec3       x[12];
    pliant_error      error = {0};
    const uint32_t   *sizes, *indices;
    assert_int_equal(pliant_model_read_text(scene, strlen(scene), "test", NULL, NULL, &file, NULL), PLIANT_OK);
    pliant_state    *state = pliant_state_create(file.model, NULL);
    pliant_writer   *writer = pliant_writer_open("out.ply", file.model, NULL, &error);
    pliant_body_info b = pliant_model_body_at(file.model, 0);
    assert_non_null(writer);
    assert_true(pliant_writer_frame(writer, state, &error) == PLIANT_OK && pliant_writer_close(writer, &error) == PLIANT_OK);
    if (pliant_mesh_load("out.ply/c.0000.ply", &m, &error) != PLIANT_OK) fail_msg("%s", error.message);
    assert_int_equal(pliant_state_write_positions(state, b.body, x, sizeof *x), PLIANT_OK);
    assert_int_equal(m.vertex_count, 12);
    assert_memory_equal(m.positions, x, sizeof x);
    pliant_model_faces(file.model, b.body, &sizes, &indices);
    assert_int_equal(m.quad_count, b.face_count);
    assert_memory_equal(m.quads, indices, b.face_index_count * sizeof *indices);
    pliant_mesh_free(&m);
    pliant_state_destroy(state);
    pliant_model_close(&file);
}

int main(void)
{
#define LAW(function) cmocka_unit_test_teardown(function, clear_folder)
    const struct CMUnitTest tests[] = {
        LAW(every_form_is_the_same_mesh),
        LAW(every_cut_is_refused),
        LAW(whatever_the_bytes_are_nothing_is_read_beyond_them),
        LAW(frames_are_meshes),
        LAW(what_is_wrong_is_said_with_its_line),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
