/* Laws of caches for ParaView: a .vtkhdf is laid out once, whole after every frame, and never longer than its count; whatever is damaged is
 * an error with its file; gone on with, it ends with the same bytes. A .pvd that is not as it was written says which line. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "files.h"

#include "base/hash.h"
#include "pliant/io.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <unistd.h>

#include <cmocka.h>

enum { FRAMES = 4, BLOCK = 128 };

/* A cloth of quads, a rope and two particles. */
static const char bodies[] =
    "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"c\", \"cells\": [2, 1], \"size\": [1, 1], \"velocity\": [0.5, 0, 1]},"
    "{\"type\": \"rope\", \"name\": \"r & s\", \"from\": [0.1, 0, 0], \"to\": [1.3, 0.7, 0], \"segments\": 2},"
    "{\"type\": \"particles\", \"name\": \"p\", \"particles\": [{\"x\": [0, 1, 0.1]}, {\"x\": [3, 2, 1]}]}]}";

typedef struct world {
    pliant_scene_file file;
    pliant_model     *model;
    pliant_state     *frames[FRAMES];
} world;

static world make_world(void)
{
    world             w = {0};
    pliant_error      error = {0};
    pliant_solver_def def = pliant_solver_def_default();
    if (pliant_scene_read_text(bodies, strlen(bodies), "test", NULL, NULL, &w.file, &error) != PLIANT_OK) fail_msg("%s", error.message);
    w.model = pliant_scene_compile(w.file.scene, &error);
    pliant_solver *solver = pliant_solver_create(w.model, &def, &error);
    pliant_inputs *inputs = pliant_inputs_create(w.model, &error);
    assert_true(solver && inputs);
    for (int i = 0; i < FRAMES; i++) {
        w.frames[i] = pliant_state_create(w.model, &error);
        if (i) assert_int_equal(pliant_state_copy(w.frames[i], w.frames[i - 1]), PLIANT_OK);
        assert_int_equal(pliant_inputs_reset(inputs, 1.0 / 60), PLIANT_OK);
        assert_int_equal(pliant_solver_step(solver, w.frames[i], inputs), PLIANT_OK);
    }
    pliant_inputs_destroy(inputs);
    pliant_solver_destroy(solver);
    return w;
}

static void free_world(world *w)
{
    for (int i = 0; i < FRAMES; i++) pliant_state_destroy(w->frames[i]);
    pliant_model_destroy(w->model);
    pliant_scene_destroy(w->file.scene);
}

static bool has_hdf5(void)
{
    bool has = false;
    for (uint32_t i = 0; pliant_format_at(i); i++)
        has |= strcmp(pliant_format_at(i)->ending, ".vtkhdf") == 0 && pliant_format_is_written(i);
    return has;
}

/* Frames `there` to `end` of a cache that is planned for `planned`. */
static bool write_some(const world *w, const char *path, uint32_t there, uint32_t end, uint32_t planned, pliant_error *error)
{
    pliant_write_def def = pliant_write_def_default();
    def.there = there;
    def.frames = planned;
    pliant_writer *writer = pliant_writer_open(path, w->model, &def, error);
    bool           ok = writer != NULL;
    for (uint32_t i = there; ok && i < end; i++) ok = pliant_writer_frame(writer, w->frames[i], error) == PLIANT_OK;
    return pliant_writer_close(writer, ok ? error : NULL) == PLIANT_OK && ok;
}

static void write_good(const world *w, const char *path, uint32_t there, uint32_t end, uint32_t planned)
{
    pliant_error error = {0};
    if (!write_some(w, path, there, end, planned, &error)) fail_msg("%s: %s", error.path, error.message);
}

/* Frames of a cache, each that of the world; 0 if it is refused, with a file and a sentence. */
static uint32_t good_frames(const world *w, const char *path)
{
    pliant_error  error = {0};
    pliant_cache *cache = pliant_cache_open(path, w->model, &error);
    if (!cache) {
        assert_true(error.code == PLIANT_ERROR_INPUT && *error.path && *error.message);
        return 0;
    }
    const uint32_t count = pliant_cache_frames(cache);
    assert_true(count <= FRAMES);
    for (uint32_t f = 0; f < count; f++) {
        assert_int_equal(pliant_cache_read(cache, f, &error), PLIANT_OK);
        for (uint32_t i = 0; i < 3; i++) {
            pliant_vec3 got[6], want[6];
            pliant_body body = pliant_model_body_at(w->model, i).body;
            uint32_t    n = pliant_model_body_at(w->model, i).surface_vertex_count;
            assert_true(n <= 6);
            assert_int_equal(pliant_cache_write_positions(cache, body, got, sizeof *got), PLIANT_OK);
            assert_int_equal(pliant_state_write_positions(w->frames[f], body, want, sizeof *want), PLIANT_OK);
            assert_memory_equal(got, want, n * sizeof *got);
        }
    }
    pliant_cache_close(cache);
    return count;
}

static void expect_error(const world *w, const char *path, pliant_code code, const char *text)
{
    pliant_error error = {0};
    assert_null(pliant_cache_open(path, w->model, &error));
    assert_int_equal(error.code, code);
    if (!strstr(error.message, text)) fail_msg("%s: \"%s\" does not say \"%s\"", error.path, error.message, text);
}

static void assert_same_file(const char *a, const char *b)
{
    size_t n, m;
    char  *x = read_whole(a, &n), *y = read_whole(b, &m);
    if (n != m || memcmp(x, y, n) != 0) fail_msg("%s and %s differ", a, b);
    free(x);
    free(y);
}

/* ---- without HDF5 ---- */

static void what_cannot_be_written_says_what_to_install(void **state)
{
    (void)state;
    if (has_hdf5()) skip();
    world        w = make_world();
    pliant_error error = {0};
    assert_false(write_some(&w, "x.vtkhdf", 0, 1, 1, &error));
    assert_int_equal(error.code, PLIANT_ERROR_UNAVAILABLE);
    assert_non_null(strstr(error.message, "libhdf5-dev"));
    assert_int_equal(access("x.vtkhdf", F_OK), -1);
    free_world(&w);
}

/* ---- .vtkhdf ---- */

static void the_number_of_frames_has_to_be_known(void **state)
{
    (void)state;
    world        w = make_world();
    pliant_error error = {0};
    assert_false(write_some(&w, "x.vtkhdf", 0, 1, 0, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "how many"));
    if (has_hdf5()) {
        assert_false(write_some(&w, "x.vtkhdf", 0, 3, 2, &error));
        assert_non_null(strstr(error.message, "has them all"));
        assert_int_equal(good_frames(&w, "x.vtkhdf"), 2);
    }
    free_world(&w);
}

static void one_that_is_not_full_has_what_it_has(void **state)
{
    (void)state;
    if (!has_hdf5()) skip();
    world w = make_world();
    for (uint32_t n = 1; n <= FRAMES; n++) {
        write_good(&w, "x.vtkhdf", 0, n, FRAMES);
        assert_int_equal(good_frames(&w, "x.vtkhdf"), n);
    }
    free_world(&w);
}

/* From every frame to every other, shorter, as long, and longer. */
static void gone_on_with_it_is_the_same(void **state)
{
    (void)state;
    static const char *const paths[] = {"whole.vtkhdf", "whole.pvd"};
    static const char *const parts[] = {"part.vtkhdf", "part.pvd"};
    world                    w = make_world();
    for (int i = !has_hdf5(); i < 2; i++) {
        write_good(&w, paths[i], 0, FRAMES, FRAMES);
        for (uint32_t planned = 1; planned <= FRAMES; planned++)
            for (uint32_t wrote = 1; wrote <= planned; wrote++)
                for (uint32_t kept = 1; kept <= wrote; kept++) {
                    write_good(&w, parts[i], 0, wrote, planned);
                    write_good(&w, parts[i], kept, FRAMES, FRAMES);
                    assert_int_equal(good_frames(&w, parts[i]), FRAMES);
                    if (i == 0) assert_same_file(paths[i], parts[i]);
                }
    }
    assert_same_file("whole/c.0002.vtp", "part/c.0002.vtp");
    /* A list that was lost is made again. */
    if (has_hdf5()) {
        size_t size;
        assert_int_equal(unlink("part.xmf"), 0);
        write_good(&w, "part.vtkhdf", 2, FRAMES, FRAMES);
        char *a = read_whole("whole.xmf", &size);
        free(a);
        char *b = read_whole("part.xmf", &size);
        int   grids = 0;
        for (const char *at = b; (at = strstr(at, "<Time ")) != NULL; at++) grids++;
        assert_int_equal(grids, FRAMES);
        free(b);
    }
    free_world(&w);
}

/* Kept frames that are too many for what is planned are still kept. */
static void it_can_become_shorter(void **state)
{
    (void)state;
    if (!has_hdf5()) skip();
    world w = make_world();
    write_good(&w, "x.vtkhdf", 0, FRAMES, FRAMES);
    write_good(&w, "x.vtkhdf", 2, 3, 3);
    write_good(&w, "y.vtkhdf", 0, 3, 3);
    assert_same_file("x.vtkhdf", "y.vtkhdf");
    write_good(&w, "x.vtkhdf", 3, 3, 0);
    assert_same_file("x.vtkhdf", "y.vtkhdf");
    write_good(&w, "x.vtkhdf", 1, 1, 3);
    assert_int_equal(good_frames(&w, "x.vtkhdf"), 1);
    write_good(&w, "x.vtkhdf", 1, 1, 7);
    assert_int_equal(good_frames(&w, "x.vtkhdf"), 1);
    free_world(&w);
}

/* Every bit outside of the frames is under a checksum, but for those that count frames. */
static void any_flipped_bit_is_found(void **state)
{
    (void)state;
    if (!has_hdf5()) skip();
    size_t size, refused = 0, fewer = 0, frames = 0;
    world  w = make_world();
    write_good(&w, "x.vtkhdf", 0, FRAMES, FRAMES);
    char *data = read_whole("x.vtkhdf", &size);
    int   file = open("x.vtkhdf", O_WRONLY);
    for (size_t n = 0; n < size; n++) {
        const char    bad = (char)(data[n] ^ 1 << random_bits() % 8);
        pliant_error  error = {0};
        pliant_cache *cache;
        assert_int_equal(pwrite(file, &bad, 1, (off_t)n), 1);
        cache = pliant_cache_open("x.vtkhdf", w.model, &error);
        if (!cache) assert_true(error.code == PLIANT_ERROR_INPUT && *error.path && *error.message);
        refused += !cache;
        fewer += cache && pliant_cache_frames(cache) < FRAMES;
        frames += cache && pliant_cache_frames(cache) == FRAMES;
        pliant_cache_close(cache);
        assert_int_equal(pwrite(file, &data[n], 1, (off_t)n), 1);
    }
    /* 11 vertices with nine numbers in each frame; a number that is made infinite is seen in the first frame only, since no other was read. */
    const size_t bytes = FRAMES * 11 * 9 * sizeof(pliant_real), numbers = 16;
    assert_true(frames + fewer <= bytes + numbers && frames + fewer + bytes / 16 >= bytes);
    assert_true(fewer <= 2);
    assert_int_equal(frames + fewer + refused, size);
    assert_int_equal(good_frames(&w, "x.vtkhdf"), FRAMES);
    close(file);
    free(data);
    free_world(&w);
}

static void any_cut_is_found(void **state)
{
    (void)state;
    if (!has_hdf5()) skip();
    size_t size;
    world  w = make_world();
    write_good(&w, "x.vtkhdf", 0, FRAMES, FRAMES);
    char *data = read_whole("x.vtkhdf", &size);
    for (size_t n = 0; n < size; n += 1 + n / 4096) {
        write_bytes("x.vtkhdf", data, n);
        expect_error(&w, "x.vtkhdf", PLIANT_ERROR_INPUT, "cut off");
    }
    /* A block put behind another file. */
    memmove(data + 1000, data + size - BLOCK, BLOCK);
    write_bytes("x.vtkhdf", data, 1000 + BLOCK);
    expect_error(&w, "x.vtkhdf", PLIANT_ERROR_INPUT, "cut off");
    free(data);
    free_world(&w);
}

/* The two numbers that count frames have to lie near each other, and in no frame, also in a block with the right hash of its own. */
static void counts_that_lie_elsewhere_are_refused(void **state)
{
    (void)state;
    if (!has_hdf5()) skip();
    enum { FIELDS_AT = 16, FIRST_FRAME = 6, ATTRIBUTE = 9, HASH_AT = BLOCK - 8 };
    size_t size;
    world  w = make_world();
    write_good(&w, "x.vtkhdf", 0, FRAMES, FRAMES);
    char    *data = read_whole("x.vtkhdf", &size), *block = data + size - BLOCK;
    uint64_t frames, length;
    memcpy(&frames, block + FIELDS_AT + 8 * FIRST_FRAME, 8);
    memcpy(&length, block + FIELDS_AT + 8 * (ATTRIBUTE + 1), 8);
    const uint64_t elsewhere[] = {frames, frames + 20, frames - 4, size - BLOCK - 8};
    for (size_t i = 0; i < 4; i++) {
        memcpy(block + FIELDS_AT + 8 * ATTRIBUTE, &elsewhere[i], 8);
        memcpy(block + FIELDS_AT + 8 * (ATTRIBUTE + 1), i < 3 ? &elsewhere[i] : &length, 8);
        const uint64_t hash = pliant__hash(block, HASH_AT, size - BLOCK);
        memcpy(block + HASH_AT, &hash, 8);
        write_bytes("x.vtkhdf", data, size);
        expect_error(&w, "x.vtkhdf", PLIANT_ERROR_INPUT, "does not say where its frames are");
    }
    free(data);
    free_world(&w);
}

static void other_bodies_are_refused(void **state)
{
    (void)state;
    if (!has_hdf5()) skip();
    static const char *const others[][2] = {
        {"\"cells\": [2, 1]", "\"cells\": [1, 2]"}, {"\"name\": \"c\"", "\"name\": \"d\""}, {"\"segments\": 2", "\"segments\": 3"}};
    static const char *const texts[] = {"bodies or their faces", "bodies or their faces", "11 points where this model has 12"};
    world                    w = make_world();
    write_good(&w, "x.vtkhdf", 0, 1, 1);
    for (size_t i = 0; i < 3; i++) {
        char         text[1024];
        const char  *at = strstr(bodies, others[i][0]);
        pliant_error error = {0};
        world        other = {0};
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - bodies), bodies, others[i][1], at + strlen(others[i][0]));
        assert_int_equal(pliant_scene_read_text(text, strlen(text), "test", NULL, NULL, &other.file, &error), PLIANT_OK);
        other.model = pliant_scene_compile(other.file.scene, &error);
        expect_error(&other, "x.vtkhdf", PLIANT_ERROR_INPUT, texts[i]);
        pliant_model_destroy(other.model);
        pliant_scene_destroy(other.file.scene);
    }
    free_world(&w);
}

/* A file that may not become as long as it has to be, and one that there is no room for: an error, and what was there is as it was. */
static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    if (!has_hdf5()) skip();
    size_t        size;
    struct rlimit before, small;
    pliant_error  error = {0};
    world         w = make_world();
    write_good(&w, "x.vtkhdf", 0, 2, 2);
    free(read_whole("x.vtkhdf", &size));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t most = 0; most < size; most += size / 16) {
        small = before;
        small.rlim_cur = most;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        error = (pliant_error){0};
        const bool ok = write_some(&w, "y.vtkhdf", 0, 2, 2, &error);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_false(ok);
        assert_int_equal(error.code, PLIANT_ERROR_IO);
        assert_string_equal(error.path, "y.vtkhdf");
        assert_string_equal(error.message, pliant_system_message(EFBIG));
        assert_int_equal(access("y.vtkhdf", F_OK), -1);
    }
    assert_false(write_some(&w, "x.vtkhdf", 0, 2, 4000000000u, &error));
    assert_int_equal(error.code, PLIANT_ERROR_IO);
    assert_non_null(strstr(error.message, "there is room for"));
    assert_int_equal(good_frames(&w, "x.vtkhdf"), 2);
    free_world(&w);
}

/* ---- .pvd ---- */

static void a_list_says_which_line_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        int         line;
    } cases[] = {
        {"r_&amp;_s\" file", "r_&amp;_t\" file", 6},
        {"part=\"2\"", "part=\"3\"", 7},
        {"c.0001.vtp", "c.0000.vtp", 9},
        {"c.0001.vtp", "c.0002.vtp", 10},
        {"c.0002.vtp", "c.0003.vtp", 13},
        {"r_&amp;_s.0001", "r_&amp;_s.001", 10},
        {"timestep=\"0.03", "timestep=\"x0.03", 13},
        {"\"/>\n", "\"></DataSet>\n", 5},
        {"<DataSet", "<Dataset", 5},
        {"_s\" file=\"x/", "_s\" file=\"y/", 6},
        {"<!---->", "<!--->", 21},
        {"  </Collection>", "  </Colection>", 22},
    };
    world w = make_world();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t       size;
        pliant_error error = {0};
        write_good(&w, "x.pvd", 0, FRAMES, FRAMES + 1);
        char *data = read_whole("x.pvd", &size), *at = strstr(data, cases[i].from);
        assert_non_null(at);
        FILE *file = fopen("x.pvd", "wb");
        fwrite(data, 1, (size_t)(at - data), file);
        fputs(cases[i].to, file);
        fwrite(at + strlen(cases[i].from), 1, size - (size_t)(at - data) - strlen(cases[i].from), file);
        fclose(file);
        assert_null(pliant_cache_open("x.pvd", w.model, &error));
        assert_int_equal(error.code, PLIANT_ERROR_INPUT);
        assert_int_equal(error.line, cases[i].line);
        free(data);
    }
    free_world(&w);
}

/* Frames `there` to 70 of a cache of unknown length. */
static void write_seventy(const world *w, const char *path, uint32_t there)
{
    pliant_error     error = {0};
    pliant_write_def def = pliant_write_def_default();
    def.there = there;
    pliant_writer *writer = pliant_writer_open(path, w->model, &def, &error);
    if (!writer) fail_msg("%s: %s", error.path, error.message);
    for (uint32_t i = there; i < 70; i++) {
        assert_int_equal(pliant_writer_frame(writer, w->frames[0], &error), PLIANT_OK);
        pliant_cache *cache = pliant_cache_open(path, w->model, &error);
        assert_int_equal(pliant_cache_frames(cache), i + 1);
        pliant_cache_close(cache);
    }
    assert_int_equal(pliant_writer_close(writer, &error), PLIANT_OK);
}

static void a_list_grows(void **state)
{
    (void)state;
    world w = make_world();
    write_seventy(&w, "l.pvd", 0);
    assert_int_equal(rename("l.pvd", "whole"), 0);
    write_seventy(&w, "l.pvd", 0);
    for (uint32_t there = 1; there < 70; there += 21) {
        write_seventy(&w, "l.pvd", there);
        assert_same_file("whole", "l.pvd");
    }
    free_world(&w);
}

static void a_vtp_that_is_damaged_is_an_error(void **state)
{
    (void)state;
    size_t       size;
    world        w = make_world();
    pliant_error error = {0};
    write_good(&w, "x.pvd", 0, FRAMES, 0);
    char *data = read_whole("x/c.0001.vtp", &size);
    for (size_t n = 0; n < size; n++) {
        char *bad = malloc(size);
        memcpy(bad, data, size);
        bad[n] = (char)(bad[n] ^ 1 << random_bits() % 8);
        write_bytes("x/c.0001.vtp", bad, size);
        pliant_cache *cache = pliant_cache_open("x.pvd", w.model, &error);
        assert_non_null(cache);
        error = (pliant_error){0};
        /* Of the header and the tail, every bit. */
        const bool ok = pliant_cache_read(cache, 1, &error) == PLIANT_OK;
        if (n < 1000 || n >= size - 20) assert_false(ok);
        if (!ok) assert_true(error.code == PLIANT_ERROR_INPUT && strcmp(error.path, "x/c.0001.vtp") == 0 && *error.message);
        assert_int_equal(pliant_cache_read(cache, 2, &error), PLIANT_OK);
        pliant_cache_close(cache);
        free(bad);
    }
    assert_int_equal(unlink("x/c.0001.vtp"), 0);
    pliant_cache *cache = pliant_cache_open("x.pvd", w.model, &error);
    assert_int_not_equal(pliant_cache_read(cache, 1, &error), PLIANT_OK);
    assert_string_equal(error.path, "x/c.0001.vtp");
    pliant_cache_close(cache);
    free(data);
    free_world(&w);
}

/* Every test begins in an empty folder. */
#define LAW(name) cmocka_unit_test_setup(name, clear_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAW(what_cannot_be_written_says_what_to_install),
        LAW(the_number_of_frames_has_to_be_known),
        LAW(gone_on_with_it_is_the_same),
        LAW(a_list_says_which_line_is_wrong),
        LAW(a_list_grows),
        LAW(a_vtp_that_is_damaged_is_an_error),
        LAW(one_that_is_not_full_has_what_it_has),
        LAW(it_can_become_shorter),
        LAW(any_flipped_bit_is_found),
        LAW(any_cut_is_found),
        LAW(counts_that_lie_elsewhere_are_refused),
        LAW(other_bodies_are_refused),
        LAW(a_full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
