/* Laws of Alembic archives: valid after every frame, the same bytes however often writing was stopped, small while they grow, and nothing
 * that is done to one is more than an error. What holds for every format is in test_cache.c; what an archive says, in test_abc_reader.sh. */
#define _GNU_SOURCE /* syscall */
#define _FILE_OFFSET_BITS 64
#include "files.h"

#include "pliant/io.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Of the archive of three frames. */
#define GOLDEN_SIZE 5639
#define GOLDEN_HASH 0xe0d40df99962602eu

static const char bodies[] = "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"c/d\", \"cells\": [2, 1], \"size\": [1, 1]},"
                             "{\"type\": \"rope\", \"name\": \"r\", \"from\": [0, 0, 0], \"to\": [1, 0, 0], \"segments\": 2},"
                             "{\"type\": \"particles\", \"name\": \"p\", \"particles\": [{\"x\": [0, 1, 0]}, {\"x\": [0, 2, 0]}]}]}";

/* Frames that are smaller than what names them. */
static const char lone[] = "{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"particles\": [{\"x\": [0, 1, 0]}]}]}";

typedef struct world {
    pliant_scene_file file;
    pliant_model     *model;
    pliant_state     *state;
} world;

static world make_world(const char *text)
{
    world        w = {0};
    pliant_error error = {0};
    if (pliant_scene_read_text(text, strlen(text), "test", NULL, NULL, &w.file, &error) != PLIANT_OK) fail_msg("%s", error.message);
    w.model = pliant_scene_compile(w.file.scene, &error);
    w.state = pliant_state_create(w.model, &error);
    assert_true(w.model && w.state);
    return w;
}

static void free_world(world *w)
{
    pliant_state_destroy(w->state);
    pliant_model_destroy(w->model);
    pliant_scene_destroy(w->file.scene);
}

/* Numbers that float32 has, different ones for every frame, body and vertex. */
static pliant_vec3 place_of(uint32_t frame, uint32_t body, uint32_t vertex)
{
    return (pliant_vec3){(pliant_real)frame + (pliant_real)0.25, (pliant_real)body - (pliant_real)0.5, (pliant_real)vertex};
}

static void set_frame(const world *w, uint32_t frame)
{
    for (uint32_t i = 0; i < pliant_model_body_count(w->model); i++) {
        pliant_body_info b = pliant_model_body_at(w->model, i);
        for (uint32_t v = 0; v < b.vertex_count; v++) {
            pliant_vec3 x = place_of(frame, i, v), u = {x.z, x.x, x.y};
            assert_int_equal(pliant_state_set_positions(w->state, b.body, v, 1, &x), PLIANT_OK);
            assert_int_equal(pliant_state_set_velocities(w->state, b.body, v, 1, &u), PLIANT_OK);
        }
    }
}

static pliant_writer *open_writer(const world *w, const char *path, uint32_t there)
{
    pliant_error     error = {0};
    pliant_write_def def = pliant_write_def_default();
    def.there = there;
    def.first_frame = 7;
    pliant_writer *writer = pliant_writer_open(path, w->model, &def, &error);
    if (!writer) fail_msg("%s: %s", error.path, error.message);
    return writer;
}

static void write_frames(const world *w, pliant_writer *writer, uint32_t from, uint32_t to)
{
    pliant_error error = {0};
    for (uint32_t f = from; f < to; f++) {
        set_frame(w, f);
        if (pliant_writer_frame(writer, w->state, &error) != PLIANT_OK) fail_msg("%s", error.message);
    }
}

static void write_archive(const world *w, const char *path, uint32_t frames)
{
    pliant_writer *writer = open_writer(w, path, 0);
    write_frames(w, writer, 0, frames);
    assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
}

static void check_frame(const world *w, const pliant_cache *cache, uint32_t frame)
{
    pliant_state *state = pliant_state_create(w->model, NULL);
    assert_int_equal(pliant_cache_to_state(cache, state), PLIANT_OK);
    for (uint32_t i = 0; i < pliant_model_body_count(w->model); i++) {
        pliant_body_info b = pliant_model_body_at(w->model, i);
        for (uint32_t v = 0; v < b.vertex_count; v++) {
            pliant_vec3 x, u, want = place_of(frame, i, v), moves = {want.z, want.x, want.y};
            assert_int_equal(pliant_state_positions(state, b.body, v, 1, &x), PLIANT_OK);
            assert_int_equal(pliant_state_velocities(state, b.body, v, 1, &u), PLIANT_OK);
            assert_memory_equal(&x, &want, sizeof x);
            assert_memory_equal(&u, &moves, sizeof u);
        }
    }
    pliant_state_destroy(state);
}

/* What there is reads as it was written, or is an error with a sentence. The frames that could be opened. */
static uint32_t readable_frames(const world *w, const char *path)
{
    pliant_error  error = {0};
    pliant_cache *cache = pliant_cache_open(path, w->model, &error);
    if (!cache) {
        assert_true(error.code == PLIANT_ERROR_INPUT && *error.path && *error.message);
        return 0;
    }
    uint32_t frames = pliant_cache_frames(cache);
    for (uint32_t f = 0; f < frames; f++) {
        error = (pliant_error){0};
        if (pliant_cache_read(cache, f, &error) == PLIANT_OK)
            check_frame(w, cache, f);
        else
            assert_true(error.code == PLIANT_ERROR_INPUT && *error.message);
    }
    pliant_cache_close(cache);
    return frames;
}

static void expect_frames(const world *w, const char *path, uint32_t frames)
{
    pliant_error  error = {0};
    pliant_cache *cache = pliant_cache_open(path, w->model, &error);
    if (!cache) fail_msg("%s: %s", error.path, error.message);
    assert_int_equal(pliant_cache_frames(cache), frames);
    assert_int_equal(pliant_cache_first(cache), 7);
    for (uint32_t f = 0; f < frames; f++) {
        if (pliant_cache_read(cache, f, &error) != PLIANT_OK) fail_msg("%s", error.message);
        check_frame(w, cache, f);
    }
    pliant_cache_close(cache);
}

static void same_bytes(const char *a, const char *b)
{
    size_t n, m;
    char  *x = read_whole(a, &n), *y = read_whole(b, &m);
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
}

/* ---- a process that is killed ---- */

/* How many writes it has left; it dies in the one after, half way, or before one of eight bytes, which is done or not. Less than none: it
 * lives. */
static long writes_left = -1;

/* Takes the place of the C library's, for the library under test too. */
ssize_t pwrite(int file, const void *data, size_t size, off_t at)
{
    if (writes_left == 0) {
        if (size > 8) syscall(SYS_pwrite64, file, data, size / 2, at);
        _exit(9);
    }
    if (writes_left > 0) writes_left--;
    return syscall(SYS_pwrite64, file, data, size, at);
}

/* ---- growing ---- */

enum { MANY = 60 };

/* What a reader sees after every frame; and one that opened the archive early goes on seeing what it saw. */
static void an_archive_is_valid_after_every_frame(void **state)
{
    (void)state;
    world          w = make_world(bodies);
    pliant_cache  *early = NULL;
    pliant_writer *writer = open_writer(&w, "a.abc", 0);
    for (uint32_t f = 0; f < MANY; f++) {
        write_frames(&w, writer, f, f + 1);
        expect_frames(&w, "a.abc", f + 1);
        if (f == 4) early = pliant_cache_open("a.abc", w.model, NULL);
    }
    assert_int_equal(pliant_cache_frames(early), 5);
    for (uint32_t f = 0; f < 5; f++) {
        assert_int_equal(pliant_cache_read(early, f, NULL), PLIANT_OK);
        check_frame(&w, early, f);
    }
    pliant_cache_close(early);
    assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
    expect_frames(&w, "a.abc", MANY);
    free_world(&w);
}

/* A copy made at any moment is what a killed process would leave. */
static void copy_file(const char *from, const char *to)
{
    size_t size;
    char  *data = read_whole(from, &size);
    write_bytes(to, data, size);
    free(data);
}

static void stopped_anywhere_it_goes_on_to_the_same_bytes(void **state)
{
    (void)state;
    world w = make_world(bodies);
    write_archive(&w, "whole.abc", MANY);
    pliant_writer *writer = open_writer(&w, "live.abc", 0);
    for (uint32_t f = 0; f < MANY; f++) {
        write_frames(&w, writer, f, f + 1);
        for (uint32_t there = f / 2 + 1; there <= f + 1; there += f / 2 + 1) {
            copy_file("live.abc", "killed.abc");
            pliant_writer *next = open_writer(&w, "killed.abc", there);
            expect_frames(&w, "killed.abc", there);
            if (f % 3 == 0) { /* stopped once more, and closed */
                write_frames(&w, next, there, there + 1);
                assert_int_equal(pliant_writer_close(next, NULL), PLIANT_OK);
                next = open_writer(&w, "killed.abc", there + 1);
                there++;
            }
            write_frames(&w, next, there, MANY);
            assert_int_equal(pliant_writer_close(next, NULL), PLIANT_OK);
            same_bytes("whole.abc", "killed.abc");
        }
        if (f == MANY - 2) break;
    }
    assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
    free_world(&w);
}

/* Dead in the middle of any write: what was done before is there, and from it on the same bytes come. */
static void kill_everywhere(const char *text)
{
    enum { FRAMES = 30 };
    world     w = make_world(text);
    uint32_t *done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(done != MAP_FAILED);
    write_archive(&w, "whole.abc", FRAMES);
    int status = 9 << 8;
    for (long n = 0; status == 9 << 8; n++) {
        *done = 0;
        unlink("killed.abc");
        pid_t child = fork();
        if (child == 0) {
            writes_left = n;
            pliant_writer *writer = open_writer(&w, "killed.abc", 0);
            for (uint32_t f = 0; f < FRAMES; *done = ++f) write_frames(&w, writer, f, f + 1);
            pliant_writer_close(writer, NULL);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!*done) continue;
        expect_frames(&w, "killed.abc", *done);
        if (n % 3 && *done < FRAMES) continue;
        pliant_writer *writer = open_writer(&w, "killed.abc", *done);
        write_frames(&w, writer, *done, FRAMES);
        assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
        same_bytes("whole.abc", "killed.abc");
    }
    assert_int_equal(status, 0);
    assert_int_equal(*done, FRAMES);
    munmap(done, sizeof *done);
    free_world(&w);
}

static void killed_in_any_write_it_is_valid(void **state)
{
    (void)state;
    kill_everywhere(bodies);
    kill_everywhere(lone);
}

/* The index is not written anew with every frame: ten times the frames are ten times the bytes. */
static void what_is_written_grows_with_the_frames(void **state)
{
    (void)state;
    world          w = make_world(bodies);
    uint64_t       most = 0;
    struct stat    s;
    pliant_writer *writer = open_writer(&w, "g.abc", 0);
    for (uint32_t f = 0; f < 2000; f++) {
        write_frames(&w, writer, f, f + 1);
        assert_int_equal(stat("g.abc", &s), 0);
        most = (uint64_t)s.st_size;
    }
    assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
    assert_int_equal(stat("g.abc", &s), 0);
    assert_true(most < 2 * (uint64_t)s.st_size);
    expect_frames(&w, "g.abc", 2000);
    free_world(&w);
}

/* 64 bits of FNV-1a of a small archive: its bytes change on purpose only. */
static void the_bytes_are_known(void **state)
{
    (void)state;
    world    w = make_world(bodies);
    size_t   size;
    uint64_t hash = 0xcbf29ce484222325u;
    write_archive(&w, "g.abc", 3);
    char *data = read_whole("g.abc", &size);
    for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)data[i]) * 0x100000001b3u;
    free(data);
    if (size != GOLDEN_SIZE || hash != GOLDEN_HASH) fail_msg("%zu bytes, 0x%016llx", size, (unsigned long long)hash);
    free_world(&w);
}

/* ---- trouble ---- */

/* A file that may not grow: the frames before are there, and the archive is valid. */
static void a_write_that_fails_leaves_a_valid_archive(void **state)
{
    (void)state;
    struct rlimit before, small;
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    world w = make_world(bodies);
    getrlimit(RLIMIT_FSIZE, &before);
    for (rlim_t limit = 500; limit < 60000; limit += 1237) {
        pliant_error   error = {0};
        pliant_writer *writer = open_writer(&w, "full.abc", 0);
        uint32_t       frames = 0;
        small = before;
        small.rlim_cur = limit;
        setrlimit(RLIMIT_FSIZE, &small);
        for (set_frame(&w, 0); frames < 1000 && pliant_writer_frame(writer, w.state, &error) == PLIANT_OK; set_frame(&w, frames)) frames++;
        assert_int_equal(error.code, PLIANT_ERROR_IO);
        assert_string_equal(error.path, "full.abc");
        assert_true(frames < 1000 && (frames || limit < 12000));
        pliant_writer_close(writer, NULL);
        setrlimit(RLIMIT_FSIZE, &before);
        if (frames)
            expect_frames(&w, "full.abc", frames);
        else
            assert_int_equal(access("full.abc", F_OK), -1);
        unlink("full.abc");
    }
    signal(SIGXFSZ, old);
    free_world(&w);
}

static void every_truncation_is_refused(void **state)
{
    (void)state;
    world  w = make_world(bodies);
    size_t size;
    write_archive(&w, "t.abc", 3);
    char *data = read_whole("t.abc", &size);
    for (size_t n = 0; n < size; n++) {
        write_bytes("t.abc", data, n);
        assert_int_equal(readable_frames(&w, "t.abc"), 0);
    }
    free(data);
    free_world(&w);
}

/* Positions and velocities are as they were, or there is an error; what else an archive says is not looked at. */
static void every_flipped_bit_is_an_error_or_harmless(void **state)
{
    (void)state;
    world    w = make_world(bodies);
    size_t   size;
    uint32_t refused = 0;
    write_archive(&w, "f.abc", 2);
    char *data = read_whole("f.abc", &size);
    int   file = open("f.abc", O_WRONLY);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        const char flipped = (char)(data[bit / 8] ^ 1 << bit % 8);
        assert_int_equal(pwrite(file, &flipped, 1, (off_t)(bit / 8)), 1);
        uint32_t frames = readable_frames(&w, "f.abc");
        assert_true(frames <= 2);
        refused += frames == 0;
        assert_int_equal(pwrite(file, data + bit / 8, 1, (off_t)(bit / 8)), 1);
    }
    assert_true(refused > size); /* an eighth at least */
    close(file);
    expect_frames(&w, "f.abc", 2);
    free(data);
    free_world(&w);
}

/* Groups that contain each other or themselves, and any number anywhere. */
static void cycles_and_garbage_are_survived(void **state)
{
    (void)state;
    world    w = make_world(bodies);
    size_t   size;
    uint64_t root;
    write_archive(&w, "c.abc", 2);
    char *data = read_whole("c.abc", &size);
    int   file = open("c.abc", O_WRONLY);
    memcpy(&root, data + 8, 8);
    for (size_t at = 8; at + 8 <= size; at++) {
        const uint64_t numbers[] = {root, at, root | 1ull << 63, ~0ull, 1ull << 62, size - 8, random_bits() % size};
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            assert_int_equal(pwrite(file, &numbers[i], 8, (off_t)at), 8);
            assert_true(readable_frames(&w, "c.abc") <= 2);
        }
        assert_int_equal(pwrite(file, data + at, 8, (off_t)at), 8);
    }
    close(file);
    free(data);
    free_world(&w);
}

/* Another archive of the same model is not gone on with. */
static void what_was_not_written_before_is_refused(void **state)
{
    (void)state;
    world            w = make_world(bodies);
    pliant_error     error = {0};
    pliant_write_def def = pliant_write_def_default();
    write_archive(&w, "o.abc", 3);
    copy_file("o.abc", "kept.abc");
    def.there = 4;
    def.first_frame = 7;
    assert_null(pliant_writer_open("o.abc", w.model, &def, &error));
    assert_non_null(strstr(error.message, "3 whole frames"));
    def.there = 2;
    def.first_frame = 8;
    assert_null(pliant_writer_open("o.abc", w.model, &def, &error));
    def.first_frame = 7;
    /* A sample that lies elsewhere is as good to a reader, but not to go on with. */
    size_t size;
    char  *data = read_whole("o.abc", &size);
    char   more[64 + 72];
    int    file = open("o.abc", O_WRONLY);
    memset(more, 0, sizeof more);
    assert_int_equal(pwrite(file, more, sizeof more, (off_t)size), (ssize_t)sizeof more);
    close(file);
    pliant_writer *writer = pliant_writer_open("o.abc", w.model, &def, &error);
    assert_non_null(writer); /* what lies behind the end does not matter */
    write_frames(&w, writer, 2, 3);
    assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
    same_bytes("o.abc", "kept.abc");
    free(data);
    free_world(&w);
}

#define LAW(name) cmocka_unit_test_setup(name, clear_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAW(an_archive_is_valid_after_every_frame),
        LAW(stopped_anywhere_it_goes_on_to_the_same_bytes),
        LAW(killed_in_any_write_it_is_valid),
        LAW(what_is_written_grows_with_the_frames),
        LAW(the_bytes_are_known),
        LAW(a_write_that_fails_leaves_a_valid_archive),
        LAW(every_truncation_is_refused),
        LAW(every_flipped_bit_is_an_error_or_harmless),
        LAW(cycles_and_garbage_are_survived),
        LAW(what_was_not_written_before_is_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
