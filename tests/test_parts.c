/* Laws of caches that are put together at the end (.mdd, .glb, .usda): what lies there while they are written, and whatever stops them; what
 * they are in the end; and that what is damaged is refused. What holds for all formats is in test_cache.c; other programs' readers, and one
 * that shares nothing with Pliant's, are in test_read_caches.sh and tests/clients/. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"
#include "more.h"

#include "base/hash.h"
#include "pliant/io.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { FRAMES = 4 };

static const char *const endings[] = {".mdd", ".glb", ".usda"};
enum { FORMATS = sizeof endings / sizeof *endings };

/* ---- memory that runs out ---- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OWN_MALLOC 0
#endif
#endif
#if !defined(OWN_MALLOC) && defined(__GLIBC__)
#define OWN_MALLOC 1
#endif

static long allocations_left = -1; /* the one after so many fails; -1: none does */

#if OWN_MALLOC
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static bool has_memory(void)
{
    if (allocations_left > 0) allocations_left--;
    return allocations_left != 0;
}

void *malloc(size_t size) { return has_memory() ? __libc_malloc(size) : NULL; }
void *calloc(size_t count, size_t size) { return has_memory() ? __libc_calloc(count, size) : NULL; }
void *realloc(void *old, size_t size) { return has_memory() ? __libc_realloc(old, size) : NULL; }
#endif

/* ---- a scene and its frames ---- */

static pliant_scene_file file;
static pliant_model     *model;
static pliant_state     *frames[FRAMES];

static const char scene_text[] =
    "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"a, \\\"b\\\"\", \"cells\": [2, 2], \"size\": [1, 1], \"pins\": [0]},"
    "{\"type\": \"rope\", \"name\": \"r\", \"from\": [0.1, 0, 0], \"to\": [1.3, 0.7, 0], \"segments\": 4, \"thickness\": 0.01},"
    "{\"type\": \"particles\", \"name\": \"7\", \"particles\": [{\"x\": [0, 1, 0.1]}, {\"x\": [-0.0, 2, 1e-7]}]}]}";

static int make_frames(void **state)
{
    pliant_error error = {0};
    if (enter_folder(state)) return 1;
    assert_int_equal(pliant_scene_read_text(scene_text, strlen(scene_text), "test", NULL, NULL, &file, &error), PLIANT_OK);
    model = pliant_scene_compile(file.scene, &error);
    pliant_solver *solver = pliant_solver_create(model, NULL, &error);
    pliant_inputs *inputs = pliant_inputs_create(model, &error);
    assert_true(model && solver && inputs);
    for (int i = 0; i < FRAMES; i++) {
        frames[i] = pliant_state_create(model, &error);
        assert_non_null(frames[i]);
        if (!i) continue;
        assert_int_equal(pliant_state_copy(frames[i], frames[i - 1]), PLIANT_OK);
        assert_int_equal(pliant_inputs_reset(inputs, 1.0 / 60), PLIANT_OK);
        assert_int_equal(pliant_solver_step(solver, frames[i], inputs), PLIANT_OK);
    }
    pliant_inputs_destroy(inputs);
    pliant_solver_destroy(solver);
    return 0;
}

static int free_frames(void **state)
{
    for (int i = 0; i < FRAMES; i++) pliant_state_destroy(frames[i]);
    pliant_model_destroy(model);
    pliant_scene_destroy(file.scene);
    return remove_folder(state);
}

/* Paths stay where they are: there are not many. */
static const char *path_of(const char *name, const char *ending)
{
    static char paths[64][32];
    char        path[32];
    int         i = 0;
    snprintf(path, sizeof path, "%s%s", name, ending);
    while (i < 63 && *paths[i] && strcmp(paths[i], path) != 0) i++;
    strcpy(paths[i], path);
    return paths[i];
}

static const char *part_of(const char *path) { return path_of(path, ".part"); }

/* One file of a cache, and its bytes. */
static const char *a_file_of(const char *name, const char *ending)
{
    return strcmp(ending, ".mdd") == 0 ? path_of(name, ".r.mdd") : path_of(name, ending);
}

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

static pliant_writer *open_writer(const char *path, uint32_t there)
{
    pliant_error     error = {0};
    pliant_write_def def = pliant_write_def_default();
    def.there = there;
    pliant_writer *w = pliant_writer_open(path, model, &def, &error);
    if (!w) fail_msg("%s: %s", error.path, error.message);
    return w;
}

static void write_frames(pliant_writer *w, int from, int to)
{
    pliant_error error = {0};
    for (int i = from; i < to; i++)
        if (pliant_writer_frame(w, frames[i], &error) != PLIANT_OK) fail_msg("%s: %s", error.path, error.message);
}

static void write_cache(const char *path, int count)
{
    pliant_writer *w = open_writer(path, 0);
    write_frames(w, 0, count);
    assert_int_equal(pliant_writer_close(w, NULL), PLIANT_OK);
}

/* A process that writes so many frames behind those that are there, and is gone. */
static void write_and_die(const char *path, uint32_t there, int to)
{
    pid_t child = fork();
    if (child == 0) {
        write_frames(open_writer(path, there), (int)there, to);
        raise(SIGKILL);
    }
    int status;
    assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

static void same_file(const char *a, const char *b)
{
    size_t n, m;
    char  *x = read_whole(a, &n), *y = read_whole(b, &m);
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
}

static void same_cache(const char *a, const char *b, const char *ending)
{
    if (strcmp(ending, ".mdd") != 0) {
        same_file(path_of(a, ending), path_of(b, ending));
        return;
    }
    static const char *const bodies[] = {".a,__b_.mdd", ".r.mdd", ".7.mdd"};
    for (int i = 0; i < 3; i++) same_file(path_of(a, bodies[i]), path_of(b, bodies[i]));
}

static uint32_t frames_in(const char *path)
{
    pliant_error  error = {0};
    pliant_cache *cache = pliant_cache_open(path, model, &error);
    if (!cache) fail_msg("%s: %s", error.path, error.message);
    uint32_t count = pliant_cache_frames(cache);
    pliant_cache_close(cache);
    return count;
}

/* ---- while it is written ---- */

static void a_work_file_becomes_the_file(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++) {
        const char    *path = path_of("x", endings[f]), *final = a_file_of("x", endings[f]);
        pliant_writer *w = open_writer(path, 0);
        assert_null(pliant_writer_path(w, 0));
        assert_int_equal(pliant_writer_sync(w, NULL), PLIANT_OK);
        write_frames(w, 0, 2);
        assert_string_equal(pliant_writer_path(w, 0), part_of(path));
        assert_null(pliant_writer_path(w, 1));
        assert_int_equal(pliant_writer_sync(w, NULL), PLIANT_OK);
        assert_true(is_there(part_of(path)) && !is_there(final));
        assert_int_equal(frames_in(path), 2);
        assert_int_equal(pliant_writer_finish(w, NULL), PLIANT_OK);
        assert_true(!is_there(part_of(path)) && is_there(final));
        assert_non_null(strstr(pliant_writer_path(w, 0), endings[f]));
        assert_null(strstr(pliant_writer_path(w, 0), ".part"));
        assert_int_equal(pliant_writer_path(w, 2) != NULL, f == 0);
        assert_int_equal(pliant_writer_sync(w, NULL), PLIANT_OK);
        assert_int_equal(pliant_writer_finish(w, NULL), PLIANT_OK);
        assert_int_not_equal(pliant_writer_frame(w, frames[2], NULL), PLIANT_OK);
        assert_int_equal(frames_in(path), 2);
        assert_int_equal(pliant_writer_close(w, NULL), PLIANT_OK);
        assert_int_equal(frames_in(path), 2);
    }
    assert_int_equal(pliant_writer_finish(NULL, NULL), PLIANT_OK);
}

static void nothing_is_left_of_no_frames(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++) {
        assert_int_equal(pliant_writer_close(open_writer(path_of("x", endings[f]), 0), NULL), PLIANT_OK);
        assert_false(is_there(a_file_of("x", endings[f])) || is_there(part_of(path_of("x", endings[f]))));
    }
}

static void an_old_file_stays_until_it_is_replaced(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++) {
        const char *path = path_of("x", endings[f]);
        write_cache(path, 3);
        write_cache(path_of("old", endings[f]), 3);
        pliant_writer *w = open_writer(path, 0);
        write_frames(w, 0, 1);
        same_cache("x", "old", endings[f]);
        assert_int_equal(pliant_writer_close(w, NULL), PLIANT_OK);
        assert_int_equal(frames_in(path), 1);
    }
}

static void two_writers_do_not_write_one_file(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++) {
        const char    *path = path_of("x", endings[f]);
        pliant_error   error = {0};
        pliant_writer *w = open_writer(path, 0);
        write_frames(w, 0, 1);
        pid_t child = fork();
        if (child == 0) {
            pliant_writer *other = pliant_writer_open(path, model, NULL, NULL);
            bool           wrote = other && pliant_writer_frame(other, frames[0], &error) == PLIANT_OK;
            _exit(!wrote && error.code == PLIANT_ERROR_IO && strstr(error.message, "another process is writing it") ? 0 : 1);
        }
        int status;
        assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
        assert_int_equal(pliant_writer_close(w, NULL), PLIANT_OK);
    }
}

/* ---- stopped ---- */

static void a_killed_writer_goes_on_to_the_same_bytes(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++)
        for (uint32_t there = 1; there <= 3; there++) {
            const char *path = path_of("x", endings[f]);
            write_cache(path_of("whole", endings[f]), FRAMES);
            write_and_die(path, 0, 3);
            assert_true(is_there(part_of(path)) && !is_there(a_file_of("x", endings[f])));
            assert_int_equal(frames_in(path), 3);
            write_and_die(path, there, 3); /* goes on, and is killed again */
            pliant_writer *w = open_writer(path, 3);
            write_frames(w, 3, FRAMES);
            assert_int_equal(pliant_writer_close(w, NULL), PLIANT_OK);
            same_cache("x", "whole", endings[f]);
            clear_folder(NULL);
        }
}

/* What was put together is taken apart. */
static void a_finished_file_goes_on_to_the_same_bytes(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++)
        for (uint32_t there = 1; there <= FRAMES; there++)
            for (int had = (int)there; had <= FRAMES; had++) {
                const char *path = path_of("x", endings[f]);
                write_cache(path_of("whole", endings[f]), FRAMES);
                write_cache(path, had);
                pliant_writer *w = open_writer(path, there);
                assert_true(is_there(part_of(path)));
                write_frames(w, (int)there, FRAMES);
                assert_int_equal(pliant_writer_close(w, NULL), PLIANT_OK);
                same_cache("x", "whole", endings[f]);
                clear_folder(NULL);
            }
}

/* Stopped when some of the files had their names, and the work file was still there. */
static void a_work_file_counts_before_what_was_made_of_it(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++) {
        const char    *path = path_of("x", endings[f]);
        size_t         size;
        pliant_writer *w = open_writer(path, 0);
        write_frames(w, 0, 3);
        char *work = read_whole(part_of(path), &size);
        assert_int_equal(pliant_writer_close(w, NULL), PLIANT_OK);
        write_cache(path, 1);
        write_bytes(part_of(path), work, size);
        assert_int_equal(frames_in(path), 3);
        w = open_writer(path, 2);
        write_frames(w, 2, FRAMES);
        assert_int_equal(pliant_writer_close(w, NULL), PLIANT_OK);
        write_cache(path_of("whole", endings[f]), FRAMES);
        same_cache("x", "whole", endings[f]);
        free(work);
    }
}

static void what_is_gone_back_behind_is_cut_off(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++)
        for (int killed = 0; killed < 2; killed++) {
            const char *path = path_of("x", endings[f]);
            clear_folder(NULL);
            if (killed)
                write_and_die(path, 0, 3);
            else
                write_cache(path, 3);
            pliant_writer *w = open_writer(path, 1);
            assert_int_equal(frames_in(path), 1);
            assert_int_equal(pliant_writer_close(w, NULL), PLIANT_OK);
            assert_int_equal(frames_in(path), 1);
        }
}

static void what_does_not_fit_is_not_gone_on_with(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++)
        for (int killed = 0; killed < 2; killed++) {
            const char      *path = path_of("x", endings[f]);
            pliant_error     error = {0};
            pliant_write_def def = pliant_write_def_default();
            clear_folder(NULL);
            if (killed)
                write_and_die(path, 0, 2);
            else
                write_cache(path, 2);
            def.there = 3;
            assert_null(pliant_writer_open(path, model, &def, &error));
            assert_non_null(strstr(error.message, "2 whole frames"));
            def.there = 2;
            def.fps = 50;
            if (killed || f > 0) { /* an .mdd does not say */
                assert_null(pliant_writer_open(path, model, &def, &error));
                assert_non_null(strstr(error.message, "frames per second"));
            }
            assert_int_equal(is_there(part_of(path)), killed);
            assert_int_equal(frames_in(path), 2);
        }
}

/* ---- trouble ---- */

static void limit_files(rlim_t most)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = most;
    setrlimit(RLIMIT_FSIZE, &limit);
}

static void a_full_disk_leaves_whole_frames(void **state)
{
    (void)state;
    struct rlimit before;
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    for (int f = 0; f < FORMATS; f++) {
        const char  *path = path_of("x", endings[f]);
        pliant_error error = {0};
        struct stat  s;
        write_cache(path_of("whole", endings[f]), FRAMES);
        write_and_die(path, 0, 2);
        assert_int_equal(stat(part_of(path), &s), 0);
        pliant_writer *w = open_writer(path, 2);
        limit_files((rlim_t)s.st_size + 10); /* in a frame */
        assert_int_not_equal(pliant_writer_frame(w, frames[2], &error), PLIANT_OK);
        limit_files(before.rlim_cur);
        assert_int_equal(error.code, PLIANT_ERROR_IO);
        assert_string_equal(error.path, part_of(path));
        assert_int_not_equal(pliant_writer_finish(w, NULL), PLIANT_OK);
        pliant_writer_close(w, NULL);
        assert_int_equal(frames_in(path), 2);
        assert_false(is_there(a_file_of("x", endings[f])));
        w = open_writer(path, 2);
        write_frames(w, 2, FRAMES);
        limit_files(100); /* when it is put together */
        assert_int_not_equal(pliant_writer_finish(w, &error), PLIANT_OK);
        limit_files(before.rlim_cur);
        assert_int_equal(error.code, PLIANT_ERROR_IO);
        assert_null(strstr(error.path, ".part"));
        pliant_writer_close(w, NULL);
        assert_false(is_there(a_file_of("x", endings[f])));
        assert_int_equal(frames_in(path), FRAMES);
        assert_int_equal(pliant_writer_close(open_writer(path, FRAMES), NULL), PLIANT_OK);
        same_cache("x", "whole", endings[f]);
    }
    signal(SIGXFSZ, old);
}

static void memory_that_runs_out_leaves_whole_frames(void **state)
{
    (void)state;
    if (!OWN_MALLOC) skip();
    for (int f = 0; f < FORMATS; f++) {
        const char *path = path_of("x", endings[f]);
        write_cache(path_of("whole", endings[f]), FRAMES);
        bool all = false;
        for (long n = 1; !all && n < 2000; n++) {
            pliant_error     error = {0};
            pliant_write_def def = pliant_write_def_default();
            write_cache(path, 2);
            def.there = n % 2 ? 2 : 0;
            allocations_left = n;
            pliant_writer *w = pliant_writer_open(path, model, &def, &error);
            for (uint32_t i = def.there; w && i < FRAMES && !error.code; i++) pliant_writer_frame(w, frames[i], &error);
            all = !error.code && pliant_writer_finish(w, &error) == PLIANT_OK;
            allocations_left = -1;
            pliant_writer_close(w, NULL);
            if (!all) assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
            assert_true(frames_in(path) >= 1);
            if (all) same_cache("x", "whole", endings[f]);
            unlink(part_of(path));
        }
        assert_true(all);
        all = false;
        for (long n = 1; !all && n < 2000; n++) {
            pliant_error error = {0};
            allocations_left = n;
            pliant_cache *cache = pliant_cache_open(path, model, &error);
            all = cache && pliant_cache_read(cache, 1, &error) == PLIANT_OK;
            allocations_left = -1;
            assert_int_equal(error.code, all ? PLIANT_OK : PLIANT_ERROR_MEMORY);
            pliant_cache_close(cache);
        }
        assert_true(all);
    }
}

/* ---- more than a file holds ---- */

static void a_glb_that_would_be_too_large_is_refused_at_once(void **state)
{
    (void)state;
    pliant_error     error = {0};
    pliant_write_def def = pliant_write_def_default();
    def.frames = 70000;
    assert_null(pliant_writer_open("x.glb", model, &def, &error));
    assert_int_equal(error.code, PLIANT_ERROR_INPUT);
    assert_non_null(strstr(error.message, "at most 65536 frames"));
    def.frames = 65536;
    pliant_writer_close(pliant_writer_open("x.glb", model, &def, NULL), NULL);
    assert_false(is_there("x.glb") || is_there("x.glb.part"));

    static const char large[] = "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [100, 100], \"size\": [1, 1]}]}";
    pliant_scene_file other;
    assert_int_equal(pliant_scene_read_text(large, strlen(large), "test", NULL, NULL, &other, &error), PLIANT_OK);
    pliant_model *m = pliant_scene_compile(other.scene, &error);
    def.frames = 17600; /* of 101 * 101 * 24 bytes each */
    assert_null(pliant_writer_open("x.glb", m, &def, &error));
    assert_non_null(strstr(error.message, "at most 4294967295"));
    def.frames = 17400;
    pliant_writer *w = pliant_writer_open("x.glb", m, &def, &error);
    assert_non_null(w);
    pliant_writer_close(w, NULL);
    pliant_model_destroy(m);
    pliant_scene_destroy(other.scene);
}

/* ---- damaged ---- */

/* Reads all there is; how many frames were good. What is not good is one error that names the file. `bytes`: and the byte. */
static uint32_t read_all(const char *path, bool bytes, uint32_t *good)
{
    pliant_error  error = {0};
    pliant_cache *cache = pliant_cache_open(path, model, &error);
    uint32_t      count = pliant_cache_frames(cache);
    *good = 0;
    if (cache && count > FRAMES) count = FRAMES;
    for (uint32_t i = 0; i < count; i++) *good += pliant_cache_read(cache, i, &error) == PLIANT_OK;
    if (!cache || *good < count) {
        assert_int_equal(error.code, PLIANT_ERROR_INPUT);
        if (!strstr(error.path, "bad") || (bytes && !strstr(error.message, "byte ") && !strstr(error.message, "is not finite")))
            fail_msg("%s: %s", error.path, error.message);
    }
    pliant_cache_close(cache);
    return count;
}

static void what_was_cut_off_is_refused(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++) {
        const char *path = path_of("bad", endings[f]), *one = a_file_of("bad", endings[f]);
        size_t      size;
        uint32_t    good;
        write_cache(path, FRAMES);
        char *data = read_whole(one, &size);
        for (size_t n = 0; n < size; n++) {
            write_bytes(one, data, n);
            if (read_all(path, true, &good)) fail_msg("%s cut to %zu bytes was read", one, n);
        }
        data[size] = 0;
        write_bytes(one, data, size + 1);
        assert_int_equal(read_all(path, true, &good), 0);
        write_bytes(one, data, size);
        assert_int_equal(read_all(path, true, &good), FRAMES);
        free(data);
    }
}

static size_t json_length(const char *data)
{
    uint32_t length;
    memcpy(&length, data + 12, 4);
    return length;
}

/* Bytes in front of the numbers of frames. Behind the text of a .glb come triangles, times and weights. */
static size_t front_of(const char *data, const char *ending)
{
    if (ending[1] == 'm') return 8;
    if (ending[1] == 'g') return 20 + json_length(data) + 8 + 4 * (8 * 3 + FRAMES + 2 * (FRAMES - 1));
    return (size_t)(strstr(data, "extent") - data);
}

static void a_flipped_bit_is_refused(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++) {
        const char *path = path_of("bad", endings[f]), *one = a_file_of("bad", endings[f]);
        size_t      size, missed = 0;
        write_cache(path, FRAMES);
        char        *data = read_whole(one, &size);
        const size_t front = front_of(data, endings[f]),
                     step = takes_its_time() ? 1 : 4; /* two bits of each byte, others of the next one */
        assert_true(front > 7 && front < size);
        for (size_t n = 0; n < size; n++)
            for (int bit = n < front && n < 2000 ? (int)(n % step) : (int)(random_bits() % 8), last = n < front && n < 2000 ? 7 : bit;
                 bit <= last; bit += (int)step) {
                uint32_t good, count;
                data[n] = (char)(data[n] ^ 1 << bit);
                write_bytes(one, data, size);
                count = read_all(path, true, &good);
                const bool number =
                    f == 1 && n > 13 &&
                    (memcmp(data + n - 13, "first_frame\":", 13) == 0 || memcmp(data + n - 7, "every\":", 7) == 0); /* any will do there */
                if (n < front && count && good == count && !number) fail_msg("bit %d of byte %zu of %s was missed", bit, n, one);
                missed += count && good == count;
                data[n] = (char)(data[n] ^ 1 << bit);
            }
        /* Numbers that are good numbers still are taken: those of .mdd are only that. */
        assert_true(missed < size / (f == 0 ? 1 : 2));
        print_message("[          ] %s: %zu of %zu bytes with a flipped bit were taken\n", endings[f], missed, size);
        free(data);
    }
}

static void a_damaged_work_file_is_refused(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++) {
        const char *path = path_of("bad", endings[f]), *part = part_of(path);
        size_t      size;
        uint32_t    good, before = 0;
        write_and_die(path, 0, FRAMES);
        char *data = read_whole(part, &size);
        for (size_t n = 0; n < size; n++) { /* frames that are not whole do not count */
            write_bytes(part, data, n);
            uint32_t count = read_all(path, true, &good);
            assert_true(good == count && count >= before && count < FRAMES);
            before = count;
        }
        assert_int_equal(before, FRAMES - 1);
        for (size_t n = 0; n < 8 * size; n += takes_its_time() ? 1 : 3) { /* two or three bits of each byte */
            data[n / 8] = (char)(data[n / 8] ^ 1 << n % 8);
            write_bytes(part, data, size);
            uint32_t count = read_all(path, true, &good);
            assert_true(count == 0 || good == FRAMES - 1);
            data[n / 8] = (char)(data[n / 8] ^ 1 << n % 8);
        }
        /* Nothing is put together from it. */
        data[size - 5] ^= 4;
        write_bytes(part, data, size);
        pliant_error     error = {0};
        pliant_write_def def = pliant_write_def_default();
        def.there = FRAMES;
        assert_null(pliant_writer_open(path, model, &def, &error));
        assert_non_null(strstr(error.message, "checksum of a frame"));
        /* Frames per second that are no number, in a head with the right checksum. */
        memset(data + 32, 0xff, 8);
        const uint64_t hash = pliant__hash(data, 56, 0);
        memcpy(data + 56, &hash, 8);
        write_bytes(part, data, size);
        assert_null(pliant_cache_open(path, model, &error));
        assert_non_null(strstr(error.message, "frames per second"));
        free(data);
    }
}

static void garbage_is_survived(void **state)
{
    (void)state;
    for (int f = 0; f < FORMATS; f++) {
        const char *path = path_of("bad", endings[f]), *one = a_file_of("bad", endings[f]);
        size_t      size;
        uint32_t    good;
        write_cache(path, FRAMES);
        char *data = read_whole(one, &size), *bad = malloc(2 * size);
        assert_non_null(bad);
        for (int n = 0; n < 3000; n++) { /* a piece of it is written over another */
            size_t from = random_bits() % size, to = random_bits() % size, length = random_bits() % 64;
            memcpy(bad, data, size);
            if (from + length > size) length = size - from;
            if (to + length > size) length = size - to;
            memmove(bad + to, bad + from, length);
            write_bytes(one, bad, size - (n % 3 ? 0 : random_bits() % 64));
            read_all(path, true, &good);
        }
        free(data);
        free(bad);
    }
}

#define LAW(name) cmocka_unit_test_setup(name, clear_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAW(a_work_file_becomes_the_file),
        LAW(nothing_is_left_of_no_frames),
        LAW(an_old_file_stays_until_it_is_replaced),
        LAW(two_writers_do_not_write_one_file),
        LAW(a_killed_writer_goes_on_to_the_same_bytes),
        LAW(a_finished_file_goes_on_to_the_same_bytes),
        LAW(a_work_file_counts_before_what_was_made_of_it),
        LAW(what_is_gone_back_behind_is_cut_off),
        LAW(what_does_not_fit_is_not_gone_on_with),
        LAW(a_full_disk_leaves_whole_frames),
        LAW(memory_that_runs_out_leaves_whole_frames),
        LAW(a_glb_that_would_be_too_large_is_refused_at_once),
        LAW(what_was_cut_off_is_refused),
        LAW(a_flipped_bit_is_refused),
        LAW(a_damaged_work_file_is_refused),
        LAW(garbage_is_survived),
    };
    return cmocka_run_group_tests(tests, make_frames, free_frames);
}
