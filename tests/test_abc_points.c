/* Laws of Alembic archives as input: points and transforms by time are where the file has them, be samples stored for every time or only where something
 * changes; and what is cut off or damaged is refused with its byte. */
#define _POSIX_C_SOURCE 200809L
#include "abc_maker.h"
#include "files.h"

#include "io/motion/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SHAPE_SAMPLES = 6, BOOL = 0, U8 = 1, F32 = 10, F64 = 11 };

/* Two points; the first goes along x in samples 2 and 3 of 6, and stays before and behind. */
static const float shapes[3][6] = {{1, 0, 0, 0, 1, 0}, {2, 0, 0, 0, 1, 0}, {4, 0, 0, 0, 1, 0}};

static uint64_t put_shape(abc_maker *m, uint32_t samples, uint32_t first, uint32_t last, uint32_t times)
{
    uint64_t stored[3];
    for (int k = 0; k < 3; k++) stored[k] = abc_floats(m, shapes[k], 6);
    const uint64_t     ids = abc_floats(m, shapes[0], 3);
    const abc_property geom[] = {{".selfBnds", 1, F64, 6, 1, 0, 0, 0, abc_samples(m, &ids, 1, 1)},
                                 {"P", 2, F32, 3, samples, first, last, times, abc_samples(m, stored, last ? 3 : 1, 2)}},
                       all[] = {{".geom", 0, 0, 0, 0, 0, 0, 0, abc_compound(m, geom, 2)}};
    return abc_put_object(m, abc_compound(m, all, 1), NULL, 0);
}

/* Moved, turned about z, and scaled; at two listed times. */
static uint64_t put_place(abc_maker *m, int inherits, uint32_t times, const abc_object *children, size_t count)
{
    const double   values[2][10] = {{0, 0, 5, 0, 0, 1, 90, 1, 1, 2}, {8, 0, 5, 0, 0, 1, 90, 1, 1, 2}};
    unsigned char  ops[16 + 3] = {0}, flag[17] = {0};
    const uint64_t stored[] = {abc_doubles(m, values[0], 10), abc_doubles(m, values[1], 10)};
    ops[16] = 1 << 4;
    ops[17] = 2 << 4 | 3;
    flag[16] = (unsigned char)inherits;
    const uint64_t     op = abc_data(m, ops, 19), inherit = abc_data(m, flag, 17);
    const abc_property form[] = {{".inherits", 1, BOOL, 1, 1, 0, 0, 0, abc_samples(m, &inherit, 1, 1)},
                                 {".ops", 1, U8, 3, 1, 0, 0, 0, abc_samples(m, &op, 1, 1)},
                                 {".vals", 1, F64, 10, times ? 2 : 1, times ? 1 : 0, times ? 1 : 0, times, abc_samples(m, stored, 2, 1)}},
                       all[] = {{".xform", 0, 0, 0, 0, 0, 0, 0, abc_compound(m, form, 3)}};
    return abc_put_object(m, abc_compound(m, all, 1), children, count);
}

/* body > bodyShape, with samples 1/24 s apart from frame 1 on, and still > inner > stillShape, of which inner goes along with nothing. */
static void make(abc_maker *m, const char *about)
{
    unsigned char times[256];
    const double  zero[] = {0}, one[] = {1 / 24.0}, listed[] = {1 / 24.0, 5 / 24.0};
    size_t        size = abc_times(times, 1, zero, 1);
    size += abc_times(times + size, 1 / 24.0, one, 1);
    size += abc_times(times + size, 1.797693134862315708e308 / 32, listed, 2);
    abc_begin(m);
    const abc_object shape = {"bodyShape", put_shape(m, SHAPE_SAMPLES, 2, 3, 1)}, still = {"stillShape", put_shape(m, 1, 0, 0, 0)},
                     inner = {"inner", put_place(m, 0, 0, &still, 1)},
                     top[] = {{"body", put_place(m, 1, 2, &shape, 1)}, {"still", put_place(m, 1, 2, &inner, 1)}};
    abc_end(m, about, times, size, abc_put_object(m, 0, top, 2));
}

static bool open_bytes(pliant__points *p, const abc_maker *m, const char *object, pliant_error *error)
{
    const pliant__points_def def = {.fps = 24, .object = object};
    *error = (pliant_error){0};
    return pliant__points_open_bytes(p, "a.abc", m->bytes, m->size, &def, error);
}

static void check_places(const abc_maker *m)
{
    /* Turned, the first point goes along y; the body goes along x by 2 m a frame from frame 1 to 5. */
    static const double x[6][3] = {{0, 1, 5}, {2, 1, 5}, {4, 2, 5}, {6, 4, 5}, {8, 4, 5}, {8, 4, 5}};
    pliant__points      p;
    pliant_error        error;
    pliant_vec3         at[4];
    if (!open_bytes(&p, m, NULL, &error)) fail_msg("%s", error.message);
    assert_int_equal(p.vertices, 4);
    assert_int_equal(p.samples, 6);
    assert_true(p.unit == 0 && p.up == 0);
    for (uint32_t k = 0; k < 6; k++) {
        assert_true(fabs(p.times[k] - (k + 1) / 24.0) < 1e-9 && fabs(pliant__points_number(&p, k) - (k + 1)) < 1e-6);
        if (!pliant__points_read(&p, k, at, &error)) fail_msg("%s", error.message);
        const double want[4][3] = {{x[k][0], x[k][1], x[k][2]}, {x[k][0] - 1, 0, 5}, {0, 1, 5}, {-1, 0, 5}};
        for (int v = 0; v < 4; v++)
            if (fabs((double)at[v].x - want[v][0]) > 1e-5 || fabs((double)at[v].y - want[v][1]) > 1e-5 ||
                fabs((double)at[v].z - want[v][2]) > 1e-5)
                fail_msg("sample %u, point %d: %g %g %g", k, v, (double)at[v].x, (double)at[v].y, (double)at[v].z);
    }
    pliant__points_close(&p);
}

static void points_and_transforms_by_time_are_where_they_are_said_to_be(void **state)
{
    (void)state;
    static abc_maker m;
    make(&m, "_ai_Application=test");
    check_places(&m);
}

/* The same with the words that Alembic's own library needs, which reads it in tests/clients/alembic.sh. */
static void what_alembics_library_reads_is_read_alike(void **state)
{
    (void)state;
    static abc_maker m;
    size_t           size;
    char            *bytes = read_whole(PLIANT_SOURCE_DIR "/tests/animated/listed.abc", &size);
    assert_true(size < sizeof m.bytes);
    memcpy(m.bytes, bytes, size);
    free(bytes);
    m.size = size;
    check_places(&m);
}

static void an_object_is_chosen_by_its_name_or_by_what_it_is_in(void **state)
{
    (void)state;
    static abc_maker m;
    pliant__points   p;
    pliant_error     error;
    make(&m, "");
    static const struct {
        const char *object;
        uint32_t    vertices, samples;
    } rows[] = {{"body", 2, 6}, {"bodyShape", 2, 6}, {"inner", 2, 2}, {"stillShape", 2, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!open_bytes(&p, &m, rows[i].object, &error)) fail_msg("%s: %s", rows[i].object, error.message);
        if (p.vertices != rows[i].vertices || p.samples != rows[i].samples)
            fail_msg("%s: %u points, %u samples", rows[i].object, p.vertices, p.samples);
        pliant__points_close(&p);
    }
    assert_false(open_bytes(&p, &m, "hat", &error));
    assert_string_equal(error.message, "there are no points of \"hat\"; the first are of \"bodyShape\"");
    pliant__points_close(&p);
}

/* By what the archive says of its frames per second, as exporters say it. */
static void frames_are_numbered_by_the_archives_rate(void **state)
{
    (void)state;
    static const struct {
        const char *about;
        double      last;
    } rows[] = {{"", 6},          {"_ai_DCC_FPS=48;x=1", 12}, {"FramesPerTimeUnit=12", 3}, {"DCC_FPS=3e1;", 7.5}, {"DCC_FPS=fast", 6},
                {"DCC_FPS=-3", 6}};
    static abc_maker m;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pliant__points p;
        pliant_error   error;
        make(&m, rows[i].about);
        assert_true(open_bytes(&p, &m, "body", &error));
        if (fabs(pliant__points_number(&p, 5) - rows[i].last) > 1e-6) fail_msg("%s: %g", rows[i].about, pliant__points_number(&p, 5));
        pliant__points_close(&p);
    }
}

static void an_archive_that_contains_itself_is_refused(void **state)
{
    (void)state;
    static abc_maker m;
    unsigned char    times[32];
    const double     zero[] = {0};
    pliant__points   p;
    pliant_error     error;
    abc_begin(&m);
    const uint64_t   place = m.size;
    const abc_object again[] = {{"a", 0}, {"b", 0}};
    const uint64_t   top = abc_put_object(&m, 0, again, 2);
    assert_true(top > place);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 8; i++) m.bytes[top + 16 + 8 * (uint64_t)k + (uint64_t)i] = (unsigned char)(top >> 8 * i);
    abc_end(&m, "", times, abc_times(times, 1, zero, 1), top);
    assert_false(open_bytes(&p, &m, NULL, &error));
    if (!strstr(error.message, "64 deep") && !strstr(error.message, "contains itself")) fail_msg("%s", error.message);
    pliant__points_close(&p);
}

/* Samples that are stored are looked at, not those that a number in the file says: it is refused at once, where going through them took minutes. */
static void more_samples_than_there_is_room_for_are_refused(void **state)
{
    (void)state;
    static const uint32_t samples[] = {4000000000u, UINT32_MAX};
    static abc_maker      m;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        unsigned char  times[32];
        const double   zero[] = {0};
        pliant__points p;
        pliant_error   error;
        abc_begin(&m);
        const abc_object top[] = {{"body", put_shape(&m, samples[i], 2, 3, 0)}};
        abc_end(&m, "", times, abc_times(times, 1, zero, 1), abc_put_object(&m, 0, top, 1));
        assert_false(open_bytes(&p, &m, NULL, &error));
        if (!strstr(error.message, "more samples than it has room for")) fail_msg("%s", error.message);
        pliant__points_close(&p);
    }
}

static bool survives(const unsigned char *data, size_t size)
{
    pliant__points p;
    pliant_error   error = {0};
    pliant_vec3    x[64];
    unsigned char *own = malloc(size ? size : 1); /* no byte more than there is, so that one too many is seen */
    assert_non_null(own);
    memcpy(own, data, size);
    bool ok = pliant__points_open_bytes(&p, "a.abc", own, size, NULL, &error);
    for (uint32_t k = 0; ok && p.vertices <= 64 && k < p.samples && k < 16; k++) ok = pliant__points_read(&p, k, x, &error);
    if (!ok && error.code != PLIANT_ERROR_INPUT) fail_msg("code %d: %s", error.code, error.message);
    pliant__points_close(&p);
    free(own);
    return ok;
}

static void damage_is_an_error_or_another_archive(void **state)
{
    (void)state;
    static abc_maker m, other;
    uint32_t         refused = 0;
    make(&m, "x=1");
    assert_true(survives(m.bytes, m.size));
    for (size_t cut = 0; cut < m.size; cut++) assert_false(survives(m.bytes, cut));
    for (size_t bit = 0; bit < 8 * m.size; bit++) {
        m.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        refused += !survives(m.bytes, m.size);
        m.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    for (int i = 0; i < 10000; i++) {
        memcpy(&other, &m, sizeof m);
        for (int k = 0; k < 3; k++) other.bytes[random_bits() % m.size] = (unsigned char)random_bits();
        refused += !survives(other.bytes, other.size);
    }
    assert_true(refused > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_transforms_by_time_are_where_they_are_said_to_be),
        cmocka_unit_test(what_alembics_library_reads_is_read_alike),
        cmocka_unit_test(an_object_is_chosen_by_its_name_or_by_what_it_is_in),
        cmocka_unit_test(frames_are_numbered_by_the_archives_rate),
        cmocka_unit_test(an_archive_that_contains_itself_is_refused),
        cmocka_unit_test(more_samples_than_there_is_room_for_are_refused),
        cmocka_unit_test(damage_is_an_error_or_another_archive),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
