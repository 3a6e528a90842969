/* Laws of reading caches: what is written reads back exactly, in every format and any order; what is not whole does not count; what is
 * damaged, or of another model, is one error with its file. */
#define _XOPEN_SOURCE 700 /* nftw */
#define _FILE_OFFSET_BITS 64
#include "files.h"
#include "more.h"

#include "pliant/io.h"

#include <fcntl.h>
#include <float.h>
#include <ftw.h>
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- helpers ---- */

enum { FRAMES = 3 };

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *where)
{
    (void)s, (void)type, (void)where;
    return remove(path);
}

/* A file, or a folder with all that is in it; or nothing, if nothing is there. */
static void remove_path(const char *path)
{
    struct stat s;
    if (lstat(path, &s) == 0) assert_int_equal(nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static int is_temporary(const char *path, const struct stat *s, int type, struct FTW *where)
{
    (void)s, (void)type;
    return strstr(path + where->base, "tmp") != NULL;
}

/* A scene, run for a few frames, and its states. */
typedef struct world {
    pliant_scene_file file;
    pliant_model     *model;
    pliant_state     *frames[FRAMES];
} world;

static void run_world(world *w)
{
    pliant_error      error = {0};
    pliant_solver_def def = pliant_solver_def_default();
    w->model = pliant_scene_compile(w->file.scene, &error);
    if (!w->model) fail_msg("%s", error.message);
    pliant_solver *solver = pliant_solver_create(w->model, &def, &error);
    pliant_inputs *inputs = pliant_inputs_create(w->model, &error);
    assert_true(solver && inputs);
    for (int i = 0; i < FRAMES; i++) {
        w->frames[i] = pliant_state_create(w->model, &error);
        assert_non_null(w->frames[i]);
        if (!i) continue;
        assert_int_equal(pliant_state_copy(w->frames[i], w->frames[i - 1]), PLIANT_OK);
        assert_int_equal(pliant_inputs_reset(inputs, 1.0 / 60), PLIANT_OK);
        assert_int_equal(pliant_solver_step(solver, w->frames[i], inputs), PLIANT_OK);
    }
    pliant_inputs_destroy(inputs);
    pliant_solver_destroy(solver);
}

static world make_world(const char *text)
{
    world        w = {0};
    pliant_error error = {0};
    if (pliant_scene_read_text(text, strlen(text), "test", NULL, NULL, &w.file, &error) != PLIANT_OK) fail_msg("%s", error.message);
    run_world(&w);
    return w;
}

static void free_world(world *w)
{
    for (int i = 0; i < FRAMES; i++) pliant_state_destroy(w->frames[i]);
    pliant_model_destroy(w->model);
    pliant_scene_destroy(w->file.scene);
}

/* The first format from number `format` on that this build can write. */
static uint32_t written(uint32_t format)
{
    while (pliant_format_at(format) && !pliant_format_is_written(format)) format++;
    return format;
}

/* Whether faces change from frame to frame. */
static bool tears(const world *w)
{
    uint32_t spares = 0;
    for (uint32_t i = 0; i < pliant_model_body_count(w->model); i++) spares += pliant_model_body_at(w->model, i).spare_count;
    return spares > 0;
}

/* The path of a cache in format number `format`. */
static const char *path_in(uint32_t format)
{
    static char path[32];
    snprintf(path, sizeof path, "cache%s", pliant_format_at(format)->ending);
    return path;
}

static void write_frames_as(const world *w, const char *path, uint32_t first, int count, bool exploded)
{
    pliant_error     error = {0};
    pliant_write_def def = pliant_write_def_default();
    def.first_frame = first;
    def.exploded = exploded;
    def.frames = (uint32_t)count;
    pliant_writer *writer = pliant_writer_open(path, w->model, &def, &error);
    if (!writer) fail_msg("%s", error.message);
    for (int i = 0; i < count; i++)
        if (pliant_writer_frame(writer, w->frames[i], &error) != PLIANT_OK) fail_msg("%s", error.message);
    assert_int_equal(pliant_writer_close(writer, &error), PLIANT_OK);
}

static void write_frames(const world *w, const char *path, uint32_t first, int count) { write_frames_as(w, path, first, count, false); }

static pliant_cache *open_good(const char *path, const world *w)
{
    pliant_error  error = {0};
    pliant_cache *cache = pliant_cache_open(path, w->model, &error);
    if (!cache) fail_msg("%s:%d: %s", error.path, error.line, error.message);
    return cache;
}

/* Opening fails, with a path and a message; the message has `text` in it. */
static pliant_error open_bad(const char *path, const world *w, const char *text)
{
    pliant_error error = {0};
    assert_null(pliant_cache_open(path, w->model, &error));
    assert_int_not_equal(error.code, PLIANT_OK);
    assert_true(*error.path && *error.message);
    if (!strstr(error.message, text)) fail_msg("%s: \"%s\" does not say \"%s\"", error.path, error.message, text);
    assert_null(pliant_cache_open(path, w->model, NULL));
    return error;
}

/* What tears is not written so, or is and not read back, and a line says so. False: it is written and read. */
static bool check_refused(const char *path, const world *w, bool exploded)
{
    pliant_error     error = {0};
    pliant_write_def def = pliant_write_def_default();
    def.frames = 1;
    def.exploded = exploded;
    pliant_writer *writer = pliant_writer_open(path, w->model, &def, &error);
    const bool vertices_alone = strstr(path, ".csv") != NULL, once = strstr(path, ".pc2") || strstr(path, ".mdd") || strstr(path, ".glb");
    assert_int_equal(writer != NULL, exploded ? !vertices_alone : !once);
    if (!writer) {
        assert_non_null(strstr(error.message, "faces"));
        return true;
    }
    assert_int_equal(pliant_writer_frame(writer, w->frames[0], &error), PLIANT_OK);
    assert_int_equal(pliant_writer_close(writer, &error), PLIANT_OK);
    if (vertices_alone) open_bad(path, w, "tears");
    remove_path(path);
    return vertices_alone;
}

static bool has_floats(const char *path)
{
    return strstr(path, ".pc2") || strstr(path, ".mdd") || strstr(path, ".glb") || strstr(path, ".usda") || strstr(path, ".abc");
}

/* As a difference from what frame 0 has, no larger than a float. */
static float from_base(float x, float base)
{
    volatile float d = x - base;
    if (!(d <= FLT_MAX)) d = FLT_MAX;
    if (!(d >= -FLT_MAX)) d = -FLT_MAX;
    volatile float sum = base + d;
    return sum;
}

/* What a pliant_real is after it was a float, if the format has floats; after it was a difference from `base`, if it is given and the format
 * has those. */
static pliant_vec3 stored(const char *path, pliant_vec3 a, const pliant_vec3 *base)
{
    if (!has_floats(path)) return a;
    volatile float x[3] = {(float)a.x, (float)a.y, (float)a.z}; /* gcc 12 leaves out float64 to float32 and back where it vectorises */
    if (base && strstr(path, ".glb")) {
        const volatile float b[3] = {(float)base->x, (float)base->y, (float)base->z};
        for (int k = 0; k < 3; k++) x[k] = from_base(x[k], b[k]);
    }
    return (pliant_vec3){(pliant_real)x[0], (pliant_real)x[1], (pliant_real)x[2]};
}

/* `base`: frame 0, or NULL if it is that. */
static void check_surface(const char *path, const pliant_cache *cache, const pliant_state *expected, const pliant_state *base,
                          pliant_body_info b)
{
    struct {
        pliant_vec3 x;
        int         mark;
    } *got = calloc(b.surface_vertex_count, sizeof *got);
    pliant_vec3 *want = calloc(2u * b.surface_vertex_count, sizeof *want), *first = want + b.surface_vertex_count;
    assert_true(got && want);
    if (base) assert_int_equal(pliant_state_write_positions(base, b.body, first, sizeof *first), PLIANT_OK);
    for (uint32_t i = 0; i < b.surface_vertex_count; i++) got[i].mark = 7;
    assert_int_equal(pliant_cache_write_positions(cache, b.body, got, sizeof *got), PLIANT_OK);
    assert_int_equal(pliant_state_write_positions(expected, b.body, want, sizeof *want), PLIANT_OK);
    for (uint32_t i = 0; i < b.surface_vertex_count; i++) {
        pliant_vec3 a = stored(path, want[i], base ? &first[i] : NULL);
        assert_memory_equal(&got[i].x, &a, sizeof a);
        assert_int_equal(got[i].mark, 7);
    }
    free(got);
    free(want);
}

/* The vertices of a state that was read, or those of the start if the cache does not know them. */
static void check_vertices(const char *path, const pliant_cache *cache, const pliant_state *read, const pliant_state *expected,
                           const pliant_state *base, pliant_body_info b)
{
    bool         known = pliant_cache_has_vertices(cache, b.body), moves = pliant_cache_has_velocities(cache);
    pliant_vec3 *x = calloc(5u * b.vertex_count, sizeof *x), *v = x + b.vertex_count, *ex = v + b.vertex_count, *ev = ex + b.vertex_count,
                *first = ev + b.vertex_count;
    assert_non_null(x);
    assert_true(known || b.visual);
    assert_int_equal(pliant_state_positions(read, b.body, 0, b.vertex_count, x), PLIANT_OK);
    assert_int_equal(pliant_state_velocities(read, b.body, 0, b.vertex_count, v), PLIANT_OK);
    assert_int_equal(pliant_state_positions(expected, b.body, 0, b.vertex_count, ex), PLIANT_OK);
    assert_int_equal(pliant_state_velocities(expected, b.body, 0, b.vertex_count, ev), PLIANT_OK);
    if (base) assert_int_equal(pliant_state_positions(base, b.body, 0, b.vertex_count, first), PLIANT_OK);
    for (uint32_t i = 0; i < b.vertex_count; i++) {
        const pliant_vec3 zero = {0, 0, 0};
        if (known) ex[i] = stored(path, ex[i], base ? &first[i] : NULL);
        if (known) ev[i] = moves ? stored(path, ev[i], NULL) : zero;
        assert_memory_equal(&x[i], &ex[i], sizeof *x);
        assert_memory_equal(&v[i], &ev[i], sizeof *v);
    }
    free(x);
}

/* Frame `index`, just read, is frame `index` of the world. */
static void check_frame(const char *path, const pliant_cache *cache, const world *w, uint32_t index)
{
    pliant_state *state = pliant_state_create(w->model, NULL);
    assert_non_null(state);
    assert_int_equal(pliant_cache_to_state(cache, state), PLIANT_OK);
    for (uint32_t i = 0; i < pliant_model_body_count(w->model); i++) {
        pliant_body_info    b = pliant_model_body_at(w->model, i);
        const pliant_state *base = index ? w->frames[0] : NULL;
        check_surface(path, cache, w->frames[index], base, b);
        bool known = pliant_cache_has_vertices(cache, b.body);
        check_vertices(path, cache, state, known ? w->frames[index] : w->frames[0], known ? base : NULL, b);
    }
    pliant_state_destroy(state);
}

/* An .mdd does not say which number its first frame has; while it is written, it is known. */
static bool numbered(const char *path)
{
    struct stat s;
    return !strstr(path, ".mdd") || stat("cache.mdd.part", &s) == 0;
}

/* Opens, and looks at every frame in a random order. */
static void check_cache(const char *path, const world *w, uint32_t first, uint32_t count)
{
    pliant_cache *cache = open_good(path, w);
    assert_int_equal(pliant_cache_frames(cache), count);
    assert_int_equal(pliant_cache_first(cache), numbered(path) ? first : 0);
    check_frame(path, cache, w, 0);
    for (int i = 0; i < 6; i++) {
        pliant_error error = {0};
        uint32_t     index = (uint32_t)(random_bits() % count);
        if (pliant_cache_read(cache, index, &error) != PLIANT_OK) fail_msg("%s:%d: %s", error.path, error.line, error.message);
        check_frame(path, cache, w, index);
    }
    assert_int_not_equal(pliant_cache_read(cache, count, NULL), PLIANT_OK);
    pliant_cache_close(cache);
}

/* Whatever lies at `path` now: an error, or frames that are those of the world. */
static uint32_t whole_frames(const char *path, const world *w)
{
    pliant_error  error = {0};
    pliant_cache *cache = pliant_cache_open(path, w->model, &error);
    if (!cache) {
        assert_true(error.code == PLIANT_ERROR_INPUT && *error.path && *error.message);
        return 0;
    }
    uint32_t count = pliant_cache_frames(cache);
    assert_true(count > 0 && count <= FRAMES);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(pliant_cache_read(cache, i, &error), PLIANT_OK);
        check_frame(path, cache, w, i);
    }
    pliant_cache_close(cache);
    return count;
}

/* Whatever lies at `path` now, read to the end, with no other wish than that it ends. */
static void survive(const char *path, const world *w)
{
    pliant_error  error = {0};
    pliant_state *state = pliant_state_create(w->model, NULL);
    pliant_cache *cache = pliant_cache_open(path, w->model, &error);
    if (!cache) assert_true(error.code == PLIANT_ERROR_INPUT && *error.path && *error.message);
    for (uint32_t i = 0; cache && i < pliant_cache_frames(cache) && i < 2 * FRAMES; i++) {
        error = (pliant_error){0};
        bool ok = pliant_cache_read(cache, i, &error) == PLIANT_OK;
        assert_true(ok || (error.code == PLIANT_ERROR_INPUT && *error.path && *error.message));
        assert_int_equal(pliant_cache_to_state(cache, state), ok ? PLIANT_OK : PLIANT_ERROR_ARGUMENT);
    }
    pliant_cache_close(cache);
    pliant_state_destroy(state);
}

static const char two_bodies[] =
    "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"a, \\\"b\\\"\", \"cells\": [2, 2], \"size\": [1, 1], \"pins\": [0]},"
    "{\"type\": \"rope\", \"name\": \"r\", \"from\": [0.1, 0, 0], \"to\": [1.3, 0.7, 0], \"segments\": 4}]}";

static const char one_body[] = "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"c\", \"cells\": [2, 2], \"size\": [1, 1]}]}";

/* ---- exactly ---- */

/* Faces of a frame, and where their corners are. Those of an exploded body are vertices of their own, which faces have where others are at the same place. */
static void check_faces(const char *path, const pliant_cache *cache, const pliant_state *expected, const pliant_state *base,
                        pliant_body_info b, bool exploded)
{
    const uint32_t count = pliant_cache_vertex_count(cache, b.body), *faces = pliant_cache_faces(cache, b.body),
                   *corner = pliant_state_faces(expected, b.body);
    const bool   explodes = exploded && b.spare_count;
    pliant_vec3 *x = calloc(count + 2u * b.surface_vertex_count, sizeof *x), *want = x + count, *first = want + b.surface_vertex_count;
    assert_true(x && faces);
    assert_int_equal(count, explodes ? b.face_index_count : b.surface_vertex_count);
    assert_int_equal(pliant_cache_write_positions(cache, b.body, x, sizeof *x), PLIANT_OK);
    assert_int_equal(pliant_state_write_positions(expected, b.body, want, sizeof *want), PLIANT_OK);
    assert_int_equal(pliant_state_write_positions(base, b.body, first, sizeof *first), PLIANT_OK);
    const uint32_t *corner_first = pliant_state_faces(base, b.body);
    for (uint32_t i = 0; i < count; i++) {
        const pliant_vec3 a = explodes ? stored(path, want[corner[i]], expected != base ? &first[corner_first[i]] : NULL)
                                       : stored(path, want[i], expected != base ? &first[i] : NULL);
        assert_memory_equal(&x[i], &a, sizeof a);
    }
    if (!explodes) assert_memory_equal(faces, corner, b.face_index_count * sizeof *faces);
    for (uint32_t i = 0; i < b.face_index_count; i++) {
        assert_true(faces[i] < count);
        if (explodes) assert_memory_equal(&x[faces[i]], &x[i], sizeof *x);
    }
    free(x);
}

/* A cache of `there` frames is gone on with up to the last one. */
static void go_on_torn(const world *w, const char *path, uint32_t there, bool exploded)
{
    pliant_error     error = {0};
    pliant_write_def def = pliant_write_def_default();
    write_frames_as(w, path, 0, (int)there, exploded);
    def.frames = FRAMES;
    def.there = there;
    def.exploded = !exploded;
    assert_null(pliant_writer_open(path, w->model, &def, &error));
    def.exploded = exploded;
    pliant_writer *writer = pliant_writer_open(path, w->model, &def, &error);
    if (!writer) fail_msg("%s: %s", error.path, error.message);
    for (uint32_t i = there; i < FRAMES; i++)
        if (pliant_writer_frame(writer, w->frames[i], &error) != PLIANT_OK) fail_msg("%s", error.message);
    assert_int_equal(pliant_writer_close(writer, &error), PLIANT_OK);
}

/* All frames, the last one first, and that a state does not take what tears. */
static void check_torn(const char *path, const world *w, bool exploded)
{
    go_on_torn(w, path, 2, exploded);
    pliant_cache *cache = open_good(path, w);
    pliant_state *state = pliant_state_create(w->model, NULL);
    assert_int_equal(pliant_cache_frames(cache), FRAMES);
    for (uint32_t f = FRAMES; f--;) {
        assert_int_equal(pliant_cache_read(cache, f, NULL), PLIANT_OK);
        assert_int_equal(pliant_cache_to_state(cache, state), PLIANT_OK);
        for (uint32_t i = 0; i < pliant_model_body_count(w->model); i++) {
            const pliant_body_info b = pliant_model_body_at(w->model, i);
            check_faces(path, cache, w->frames[f], w->frames[0], b, exploded);
            assert_int_equal(pliant_cache_has_vertices(cache, b.body), !b.spare_count);
        }
    }
    assert_null(pliant_cache_faces(cache, (pliant_body){0}));
    assert_int_equal(pliant_cache_vertex_count(cache, (pliant_body){0}), 0);
    pliant_state_destroy(state);
    pliant_cache_close(cache);
    remove_path(path);
}

static void every_scene_reads_back_exactly_in_every_format(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob(PLIANT_SOURCE_DIR "/scenes/*.json", 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 5);
    for (size_t s = 0; s < found.gl_pathc; s++) {
        if ((s + this_turn()) % 3 != sizeof(pliant_real) / 8 && !takes_its_time())
            continue; /* numbers are of every size in any scene: a third of them in each float, all in the long form */
        world        w = {0};
        pliant_error error = {0};
        if (pliant_scene_read(found.gl_pathv[s], NULL, &w.file, &error) != PLIANT_OK) fail_msg("%s", error.message);
        run_world(&w);
        for (uint32_t f = written(0); pliant_format_at(f); f = written(f + 1)) {
            if (tears(&w)) {
                for (int exploded = 0; exploded < 2; exploded++)
                    if (!check_refused(path_in(f), &w, exploded)) check_torn(path_in(f), &w, exploded);
                continue;
            }
            write_frames(&w, path_in(f), 0, FRAMES);
            check_cache(path_in(f), &w, 0, FRAMES);
            remove_path(path_in(f));
        }
        free_world(&w);
    }
    globfree(&found);
}

/* A sheet that is cut between its frames, beside one that stays whole. */
static void torn_bodies_read_back_with_the_faces_of_each_frame(void **state)
{
    (void)state;
    world w =
        make_world("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [2, 1], \"size\": [0.3, 0.2], \"position\": [2, 0, 0]},"
                   "{\"type\": \"cloth\", \"model\": \"strain\", \"material\": \"silk\", \"cells\": [6, 5], \"size\": [1, 1],"
                   " \"tear\": {\"stretch\": 1.5, \"spare\": 1}}]}");
    const pliant_body sheet = pliant_model_body_at(w.model, 1).body;
    for (int i = 1; i < FRAMES; i++) {
        const pliant_real z = (pliant_real)(0.3 * i - 0.55);
        const pliant_vec3 blade[3] = {{-3, -3, z}, {3, -3, z}, {0, 5, z}};
        assert_true(pliant_state_cut(w.frames[i], sheet, blade) > 0);
    }
    assert_true(pliant_state_topology(w.frames[1]) != pliant_state_topology(w.frames[2]));
    for (uint32_t f = written(0); pliant_format_at(f); f = written(f + 1))
        for (int exploded = 0; exploded < 2; exploded++)
            if (!check_refused(path_in(f), &w, exploded)) check_torn(path_in(f), &w, exploded);
    free_world(&w);
}

/* A visual surface in a lattice, a cloth with a seam that is welded, and bodies with names that make the same file name. */
static void surfaces_and_seams_read_back_exactly(void **state)
{
    (void)state;
    write_text("skin.obj", "v -0.2 -0.2 -0.2\nv 0.21 0 0\nv 0 0.23 0\nv 0 0 0.22\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write_text("seam.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 1 0 0\nv 2 0.25 0\nv 2 0 1\nv 1 0 1\nf 1 2 3 4\nf 5 6 7\nf 5 7 8\n");
    world w =
        make_world("{\"pliant\": 1, \"bodies\": ["
                   "{\"type\": \"soft\", \"name\": \"a b\", \"cells\": [2, 2, 2], \"size\": [0.5, 0.5, 0.5], \"visual\": \"skin.obj\"},"
                   "{\"type\": \"cloth\", \"name\": \"a/b\", \"mesh\": \"seam.obj\", \"velocity\": [0, 1, 0.3]},"
                   "{\"type\": \"soft\", \"cells\": [1, 1, 2], \"size\": [0.3, 0.3, 0.5], \"spin\": [1, 2, 3]},"
                   "{\"type\": \"particles\", \"name\": \"a_b.0001\", \"particles\": [{\"x\": [0, 1, 0.1]}, {\"x\": [-0.0, 2, 1e-7]}]}]}");
    assert_true(pliant_model_body_at(w.model, 0).visual);
    assert_false(pliant_model_body_at(w.model, 2).visual);
    for (uint32_t f = written(0); pliant_format_at(f); f = written(f + 1)) {
        write_frames(&w, path_in(f), 0, FRAMES);
        check_cache(path_in(f), &w, 0, FRAMES);
        pliant_cache *cache = open_good(path_in(f), &w);
        assert_int_equal(pliant_cache_has_vertices(cache, pliant_model_body_at(w.model, 0).body), strstr(path_in(f), ".csv") != NULL);
        assert_true(pliant_cache_has_vertices(cache, pliant_model_body_at(w.model, 1).body));
        assert_false(pliant_cache_has_vertices(cache, (pliant_body){0}));
        pliant_cache_close(cache);
    }
    free_world(&w);
}

/* Digits, nearly endless and nearly nothing, negative zero among them. */
static void any_finite_state_reads_back_exactly(void **state)
{
    (void)state;
    world w = make_world(one_body);
    for (int i = 0; i < FRAMES; i++) {
        pliant_vec3 a[2][9];
        for (size_t k = 0; k < sizeof a / sizeof(pliant_real); k++) {
            pliant_real value = 0;
            do {
                uint64_t bits = random_bits();
                memcpy(&value, &bits, sizeof value);
            } while (!(value - value == 0) || (double)value > 3e38 || (double)value < -3e38);
            if (k % 7 == 0) value = (pliant_real)-0.0;
            memcpy((pliant_real *)a + k, &value, sizeof value);
        }
        assert_int_equal(pliant_state_set_positions(w.frames[i], pliant_model_body_at(w.model, 0).body, 0, 9, a[0]), PLIANT_OK);
        assert_int_equal(pliant_state_set_velocities(w.frames[i], pliant_model_body_at(w.model, 0).body, 0, 9, a[1]), PLIANT_OK);
    }
    for (uint32_t f = written(0); pliant_format_at(f); f = written(f + 1)) {
        write_frames(&w, path_in(f), 4000000000u, FRAMES);
        check_cache(path_in(f), &w, 4000000000u, FRAMES);
        remove_path(path_in(f));
    }
    free_world(&w);
}

static void the_first_frame_has_its_number(void **state)
{
    (void)state;
    static const uint32_t firsts[] = {1, 1001, 99999};
    world                 w = make_world(one_body);
    for (uint32_t f = written(0); pliant_format_at(f); f = written(f + 1))
        for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
            remove_path(path_in(f));
            write_frames(&w, path_in(f), firsts[i], FRAMES);
            check_cache(path_in(f), &w, firsts[i], FRAMES);
        }
    free_world(&w);
}

/* Writes frames `there` to `count` of a cache with numbers `every` apart, at 60 numbers per second. False if it is not opened. */
static bool write_every(const world *w, const char *path, uint32_t first, uint32_t every, uint32_t there, uint32_t count,
                        pliant_error *error)
{
    pliant_write_def def = pliant_write_def_default();
    def.first_frame = first;
    def.every = every;
    def.fps = 60.0 / every;
    def.there = there;
    def.frames = FRAMES;
    pliant_writer *writer = pliant_writer_open(path, w->model, &def, error);
    if (!writer) return false;
    for (uint32_t i = there; i < count; i++)
        if (pliant_writer_frame(writer, w->frames[i], error) != PLIANT_OK) fail_msg("%s", error->message);
    assert_int_equal(pliant_writer_close(writer, error), PLIANT_OK);
    return true;
}

static void not_gone_on_with(const world *w, const char *path, uint32_t first, uint32_t every)
{
    pliant_error error = {0};
    if (write_every(w, path, first, every, 2, FRAMES, &error)) fail_msg("%s goes on with %u, %u apart", path, first, every);
    assert_int_equal(error.code, PLIANT_ERROR_INPUT);
    if (!strstr(error.message, "not what was written before")) fail_msg("%s: %s", path, error.message);
}

static void numbers_are_as_far_apart_as_was_said(void **state)
{
    (void)state;
    static const uint32_t apart[] = {1, 2, 7, 250};
    world                 w = make_world(two_bodies);
    for (uint32_t f = written(0); pliant_format_at(f); f = written(f + 1))
        for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
            const char  *path = path_in(f);
            pliant_error error = {0};
            remove_path(path);
            assert_true(write_every(&w, path, 1001, apart[i], 0, FRAMES, &error));
            check_cache(path, &w, 1001, FRAMES);
            pliant_cache *cache = open_good(path, &w);
            assert_int_equal(pliant_cache_every(cache), numbered(path) ? apart[i] : 1);
            pliant_cache_close(cache);
            assert_int_equal(system("rm -rf whole && mkdir whole && cp -r cache* whole"), 0);
            not_gone_on_with(&w, path, 1001, apart[i] + 1);
            not_gone_on_with(&w, path, 1000, apart[i]);
            if (!write_every(&w, path, 1001, apart[i], 2, FRAMES, &error)) fail_msg("%s: %s", path, error.message);
            if (system("for file in cache*; do diff -r $file whole/$file || exit 1; done") != 0)
                fail_msg("%s, %u apart: other bytes", path, apart[i]);
            assert_int_equal(system("rm -rf whole cache*"), 0);
        }
    free_world(&w);
}

/* Of formats that say how many frames there are per second. */
static void another_rate_is_not_gone_on_with(void **state)
{
    (void)state;
    static const char *const says[] = {".glb", ".usda", ".abc", ".vtkhdf"};
    world                    w = make_world(two_bodies);
    for (uint32_t f = written(0); pliant_format_at(f); f = written(f + 1))
        for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
            if (strcmp(pliant_format_at(f)->ending, says[i]) != 0) continue;
            const char      *path = path_in(f);
            pliant_error     error = {0};
            pliant_write_def def = pliant_write_def_default();
            remove_path(path);
            assert_true(write_every(&w, path, 0, 1, 0, FRAMES, &error));
            assert_int_equal(system("rm -rf whole && mkdir whole && cp -r cache* whole"), 0);
            def.fps = 50;
            def.there = 2;
            def.frames = FRAMES;
            if (pliant_writer_open(path, w.model, &def, &error)) fail_msg("%s goes on at another rate", path);
            assert_int_equal(error.code, PLIANT_ERROR_INPUT);
            if (!strstr(error.message, "it has 60 frames per second, and 50")) fail_msg("%s: %s", path, error.message);
            assert_int_equal(system("for file in cache*; do diff -r $file whole/$file || exit 1; done; rm -rf whole cache*"), 0);
        }
    free_world(&w);
}

static void a_cache_that_grows_can_be_read(void **state)
{
    (void)state;
    world w = make_world(two_bodies);
    for (uint32_t f = written(0); pliant_format_at(f); f = written(f + 1)) {
        remove_path(path_in(f));
        pliant_write_def def = pliant_write_def_default();
        def.frames = FRAMES;
        pliant_writer *writer = pliant_writer_open(path_in(f), w.model, &def, NULL);
        pliant_cache  *before = NULL;
        for (uint32_t i = 0; i < FRAMES; i++) {
            assert_int_equal(pliant_writer_frame(writer, w.frames[i], NULL), PLIANT_OK);
            check_cache(path_in(f), &w, 0, i + 1);
            if (i == 0) before = open_good(path_in(f), &w);
        }
        assert_int_equal(pliant_cache_frames(before), 1);
        assert_int_equal(pliant_cache_read(before, 0, NULL), PLIANT_OK);
        check_frame(path_in(f), before, &w, 0);
        pliant_cache_close(before);
        assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
    }
    free_world(&w);
}

/* ---- cut ---- */

/* Cuts a file at every byte. `frames_before[n]` frames at least have to be there with `n` bytes. */
static void cut_everywhere(const char *cache, const char *path, const world *w, uint32_t fewest)
{
    size_t   size;
    char    *data = read_whole(path, &size);
    uint32_t before = 0;
    for (size_t n = 0; n <= size; n++) {
        write_bytes(path, data, n);
        uint32_t count = whole_frames(cache, w);
        assert_true(count >= before && count >= fewest);
        before = count;
    }
    assert_int_equal(before, FRAMES);
    free(data);
}

static void a_cut_cache_has_its_whole_frames(void **state)
{
    (void)state;
    world w = make_world(two_bodies);
    write_frames(&w, "cut.csv", 0, FRAMES);
    cut_everywhere("cut.csv", "cut.csv", &w, 0);
    write_frames(&w, "cut.pc2", 0, FRAMES);
    cut_everywhere("cut.pc2", "cut.r.pc2", &w, 0);
    cut_everywhere("cut.pc2", "cut.a,__b_.pc2", &w, 0);
    write_frames(&w, "list.pvd", 0, FRAMES);
    cut_everywhere("list.pvd", "list.pvd", &w, 0);
    cut_everywhere("list.pvd", "list/r.0002.vtp", &w, 2);
    cut_everywhere("list.pvd", "list/a,__b_.0002.vtp", &w, 2);
    write_frames(&w, "cut/", 0, FRAMES);
    cut_everywhere("cut/", "cut/r.0002.obj", &w, 2);
    cut_everywhere("cut/", "cut/a,__b_.0002.obj", &w, 2);
    assert_int_equal(unlink("cut/r.0002.obj"), 0);
    assert_int_equal(whole_frames("cut", &w), 2);
    free_world(&w);
}

/* ---- damaged ---- */

static void flipped_headers_are_errors_or_fewer_frames(void **state)
{
    (void)state;
    size_t size;
    world  w = make_world(one_body);
    write_frames(&w, "flip.pc2", 0, FRAMES);
    char *data = read_whole("flip.pc2", &size);
    for (int bit = 0; bit < 32 * 8; bit++) {
        data[bit / 8] = (char)(data[bit / 8] ^ 1 << bit % 8);
        write_bytes("flip.pc2", data, size);
        assert_true(whole_frames("flip.pc2", &w) == 0 || bit >= 20 * 8);
        data[bit / 8] = (char)(data[bit / 8] ^ 1 << bit % 8);
    }
    memset(data + 28, 0xff, 3);
    data[31] = 0x7f; /* the most samples that there may be: those that are there count */
    write_bytes("flip.pc2", data, size);
    assert_int_equal(whole_frames("flip.pc2", &w), FRAMES);
    memset(data + 16, 0xff, 3);
    data[19] = 0x7f;
    write_bytes("flip.pc2", data, size);
    open_bad("flip.pc2", &w, "2147483647 points where c of this model has 9");
    free(data);
    write_frames(&w, "flip.csv", 0, FRAMES);
    data = read_whole("flip.csv", &size);
    for (int bit = 0; bit < 40 * 8; bit++) {
        data[bit / 8] = (char)(data[bit / 8] ^ 1 << bit % 8);
        write_bytes("flip.csv", data, size);
        assert_int_equal(whole_frames("flip.csv", &w), 0);
        data[bit / 8] = (char)(data[bit / 8] ^ 1 << bit % 8);
    }
    free(data);
    free_world(&w);
}

/* Bytes changed, left out, put in and swapped. */
static void mutate(char *data, size_t *size)
{
    static const char bytes[] = "\n\r,.- e019nv\"\0\377";
    for (uint64_t n = 1 + random_bits() % 3; n && *size > 8; n--) {
        size_t at = random_bits() % *size, other = random_bits() % *size, length = random_bits() % 200;
        if (length > *size - at) length = *size - at;
        switch (random_bits() % 4) {
        case 0: data[at] = (char)random_bits(); break;
        case 1: data[at] = bytes[random_bits() % (sizeof bytes - 1)]; break;
        case 2:
            memmove(data + at, data + at + length, *size - at - length);
            *size -= length;
            break;
        default:
            if (length > *size - other) length = *size - other;
            memmove(data + other, data + at, length);
        }
    }
}

static void garbage_is_survived(void **state)
{
    (void)state;
    static const char *const caches[] = {"bad.csv", "bad.pc2", "bad/", "bad/", "bad.pvd", "bad.pvd"};
    static const char *const paths[] = {"bad.csv", "bad.r.pc2", "bad/r.0000.obj", "bad/r.0002.obj", "bad.pvd", "bad/r.0000.vtp"};
    world                    w = make_world(two_bodies);
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
        size_t whole, size;
        write_frames(&w, caches[i], 0, FRAMES);
        char *data = read_whole(paths[i], &whole), *bad = malloc(whole);
        assert_non_null(bad);
        for (int n = 0; n < 1500; n++) {
            memcpy(bad, data, size = whole);
            mutate(bad, &size);
            write_bytes(paths[i], bad, size);
            survive(caches[i], &w);
        }
        for (size_t n = 0; n < whole; n++) bad[n] = (char)random_bits();
        write_bytes(paths[i], bad, whole);
        survive(caches[i], &w);
        write_bytes(paths[i], data, whole);
        free(data);
        free(bad);
    }
    free_world(&w);
}

/* Replaces the first `from` after `skip` bytes; the lengths may differ. */
static void replace_in(const char *path, size_t skip, const char *from, const char *to)
{
    size_t size;
    char  *data = read_whole(path, &size), *at = strstr(data + skip, from);
    assert_non_null(at);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(data, 1, (size_t)(at - data), file);
    fputs(to, file);
    fwrite(at + strlen(from), 1, size - (size_t)(at - data) - strlen(from), file);
    fclose(file);
    free(data);
}

static void bad_rows_say_where(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *text;
        int         line; /* of the first two frames */
    } cases[] = {
        {"\n1,", "\n2,", "frame 2 where frame 4", 30},
        {"\n0,0,r,2,", "\n0,0,r,02,", "\"0,0,r,02,", 13},
        {"\n0,0,r,2,", "\n0,0,r,3,", "where \"0,0,r,2,\" is expected", 13},
        {"\n0,0,r,2,", "\n0,0.5,r,2,", "where \"0,0,r,2,\" is expected", 13},
        {"\n0,0,r,2,", "\n0,0,s,2,", "where \"0,0,r,2,\" is expected", 13},
        {"\n0,0,r,2,", "\n\n0,0,r,2,", "frame 0 where frame 1", 16},
        {"\n0,0,r,2,", "\n0,0,r,2,nan,", "nan is not a finite number", 13},
        {"\n0,0,r,2,", "\n0,0,r,2,1e999,", "1e999 is not a finite number", 13},
        {"\n0,0,r,2,", "\n0,0,r,2,1,", "is not a finite number", 13},
        {"\n0,0,r,2,", "\n0,0,r,2,,", " is not a finite number", 13},
        {"\n0,0,r,2,", "\n0,0,r,2, ", "is not a finite number", 13},
        {",0,0,0\n", ",0,0\n", "ten fields", 2},
        {",0,0,0\n", ",0,0,0\r\n", "is not a finite number", 2},
        {"frame,time", "frame,Time", "the first line is not \"frame,time,body,particle,x,y,z,vx,vy,vz\"", 1},
        {"\n0,0,", "\n0,,", "the time", 2},
        {"\n0,0,", "\n-1,0,", "the frame's number", 2},
        {"\n0,0,", "\n99999999999,0,", "the frame's number", 2},
    };
    world w = make_world(two_bodies);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_frames(&w, "rows.csv", 0, FRAMES);
        replace_in("rows.csv", 0, cases[i].from, cases[i].to);
        pliant_error error = open_bad("rows.csv", &w, cases[i].text);
        assert_int_equal(error.line, cases[i].line);
        assert_string_equal(error.path, "rows.csv");
    }
    /* In a later frame: the others can be read. */
    write_frames(&w, "rows.csv", 0, FRAMES);
    size_t size;
    char  *data = read_whole("rows.csv", &size);
    replace_in("rows.csv", (size_t)(strstr(data, "\n1,") - data), ",r,3,", ",r,3,x");
    pliant_cache *cache = open_good("rows.csv", &w);
    pliant_error  error = {0};
    pliant_vec3   x[9];
    assert_int_equal(pliant_cache_frames(cache), FRAMES);
    assert_int_not_equal(pliant_cache_read(cache, 1, &error), PLIANT_OK);
    assert_int_equal(error.line, 2 + 14 + 12);
    assert_int_equal(pliant_cache_write_positions(cache, pliant_model_body_at(w.model, 0).body, x, sizeof *x), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_cache_to_state(cache, w.frames[0]), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_cache_read(cache, 2, &error), PLIANT_OK);
    check_frame("rows.csv", cache, &w, 2);
    pliant_cache_close(cache);
    free(data);
    free_world(&w);
}

static void bad_objs_and_points_say_where(void **state)
{
    (void)state;
    world        w = make_world(one_body);
    pliant_error error = {0};
    write_frames(&w, "o/", 0, FRAMES);
    replace_in("o/c.0001.obj", 0, "\nv ", "\nv nan ");
    pliant_cache *cache = open_good("o", &w);
    assert_int_not_equal(pliant_cache_read(cache, 1, &error), PLIANT_OK);
    assert_string_equal(error.path, "o/c.0001.obj");
    assert_int_equal(error.line, 2);
    assert_int_equal(pliant_cache_read(cache, 2, &error), PLIANT_OK);
    pliant_cache_close(cache);
    write_frames(&w, "o/", 0, FRAMES);
    replace_in("o/c.0000.obj", 0, "\nf ", "\nv 1 2 3\nf ");
    error = open_bad("o/", &w, "more than the 9 vertices");
    assert_int_equal(error.line, 11);
    replace_in("o/c.0000.obj", 0, "\nv ", "\n# ");
    pliant_cache_close(open_good("o/", &w));
    replace_in("o/c.0000.obj", 0, "\nv ", "\nv 1 2\nv ");
    open_bad("o/", &w, "three coordinates");
    assert_int_equal(truncate("o/c.0000.obj", 1ll << 40), 0);
    open_bad("o/", &w, "1099511627776 bytes are more");
    write_frames(&w, "p.pc2", 0, FRAMES);
    int file = open("p.pc2", O_WRONLY);
    assert_int_equal(pwrite(file, "\0\0\xc0\x7f", 4, 32 + 9 * 12 + 3 * 12 + 4), 4);
    close(file);
    cache = open_good("p.pc2", &w);
    assert_int_not_equal(pliant_cache_read(cache, 1, &error), PLIANT_OK);
    assert_non_null(strstr(error.message, "frame 1: point 3 is not finite"));
    pliant_cache_close(cache);
    free_world(&w);
}

/* ---- not there, or of another model ---- */

static void what_is_not_there_is_an_error(void **state)
{
    (void)state;
    world        w = make_world(two_bodies);
    pliant_error error = {0};
    open_bad("none.csv", &w, "No such file");
    assert_string_equal(open_bad("none.pc2", &w, "No such file").path, "none.a,__b_.pc2");
    open_bad("none/", &w, "No such file");
    open_bad("none.xyz", &w, "unknown format");
    assert_int_equal(mkdir("empty", 0777), 0);
    open_bad("empty", &w, "no file a,__b_.FRAME.obj");
    for (uint32_t f = written(0); pliant_format_at(f); f = written(f + 1)) {
        remove_path(path_in(f));
        assert_int_equal(mkdir(path_in(f), 0777), 0);
        open_bad(path_in(f), &w, "");
        remove_path(path_in(f));
        assert_int_equal(mkfifo(path_in(f), 0666), 0);
        open_bad(path_in(f), &w, "");
        remove_path(path_in(f));
        write_text(path_in(f), "");
        open_bad(path_in(f), &w, "");
        remove_path(path_in(f));
    }
    write_text("header.csv", "frame,time,body,particle,x,y,z,vx,vy,vz\n");
    open_bad("header.csv", &w, "no whole frame: 0 lines where the model has 14");
    assert_null(pliant_cache_open("", w.model, &error));
    assert_null(pliant_cache_open(NULL, w.model, &error));
    assert_null(pliant_cache_open("x.csv", NULL, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    pliant_cache_close(NULL);
    free_world(&w);
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    world w = make_world(two_bodies);
    write_frames(&w, "m.pc2", 0, FRAMES);
    assert_int_equal(unlink("m.r.pc2"), 0);
    assert_string_equal(open_bad("m.pc2", &w, "No such file").path, "m.r.pc2");
    write_frames(&w, "m/", 998, FRAMES);
    check_cache("m", &w, 998, FRAMES);
    assert_int_equal(rename("m/r.0999.obj", "m/kept"), 0);
    assert_string_equal(open_bad("m", &w, "files of frame 1000").path, "m/r.0999.obj");
    assert_int_equal(rename("m/kept", "m/r.0999.obj"), 0);
    assert_int_equal(rename("m/r.0998.obj", "m/kept"), 0);
    assert_string_equal(open_bad("m", &w, "files of frame 998").path, "m/r.0998.obj");
    remove_path("m/kept");
    write_frames(&w, "n/", 0, 1);
    remove_path("n/r.0000.obj");
    assert_string_equal(open_bad("n", &w, "files of frame 0").path, "n/r.0000.obj");
    /* Names that a writer does not write are not frames. */
    write_frames(&w, "k/", 0, FRAMES);
    static const char *const others[] = {"r.3.obj", "r.00003.obj",       "r.0003.OBJ",  "r.0003.obj.12.tmp",
                                         "r..obj",  "r.99999999999.obj", "rr.0005.obj", "r.+003.obj"};
    char                     path[64];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(path, sizeof path, "k/%s", others[i]);
        write_text(path, "");
    }
    check_cache("k", &w, 0, FRAMES);
    free_world(&w);
}

static void another_model_is_refused(void **state)
{
    (void)state;
    static const char *const others[] = {
        /* more vertices; fewer; another body; two; bodies the other way round */
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"c\", \"cells\": [2, 3], \"size\": [1, 1]}]}",
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"c\", \"cells\": [1, 2], \"size\": [1, 1]}]}",
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"rope\", \"name\": \"d\", \"from\": [0, 0, 0], \"to\": [1, 0, 0], \"segments\": 20}]}",
        two_bodies,
    };
    world w = make_world(one_body);
    for (int frames = 1; frames <= FRAMES; frames += 2)
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            world other = make_world(others[i]);
            for (uint32_t f = written(0); pliant_format_at(f); f = written(f + 1)) {
                remove_path(path_in(f));
                write_frames(&w, path_in(f), 0, frames);
                open_bad(path_in(f), &other, "");
            }
            free_world(&other);
        }
    world other = make_world(others[0]);
    write_frames(&w, "c.csv", 0, FRAMES);
    write_frames(&w, "c.pc2", 0, FRAMES);
    write_frames(&w, "c.obj", 0, FRAMES);
    open_bad("c.csv", &other, "where c has 12 vertices");
    open_bad("c.pc2", &other, "9 points where c of this model has 12");
    open_bad("c.obj", &other, "9 vertices and 4 faces, lines and points where c of this model has 12 and 6");
    free_world(&other);
    free_world(&w);
}

/* A state of another model is not written to. */
static void a_state_of_another_model_is_refused(void **state)
{
    (void)state;
    world w = make_world(one_body), other = make_world(two_bodies);
    write_frames(&w, "s.csv", 0, 1);
    pliant_cache *cache = open_good("s.csv", &w);
    pliant_vec3   x[9];
    pliant_body   body = pliant_model_body_at(w.model, 0).body;
    assert_int_equal(pliant_cache_to_state(cache, other.frames[0]), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_cache_to_state(cache, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_cache_to_state(NULL, w.frames[0]), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_cache_write_positions(cache, body, x, sizeof *x - 1), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_cache_write_positions(cache, (pliant_body){99}, x, sizeof *x), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_cache_write_positions(NULL, body, x, sizeof *x), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_cache_frames(NULL), 0);
    assert_int_equal(pliant_cache_first(NULL), 0);
    assert_false(pliant_cache_has_velocities(NULL));
    assert_false(pliant_cache_has_vertices(NULL, body));
    assert_int_not_equal(pliant_cache_read(NULL, 0, NULL), PLIANT_OK);
    pliant_cache_close(cache);
    free_world(&w);
    free_world(&other);
}

/* Whatever is done to the files after they were opened. */
static void a_file_that_changes_is_survived(void **state)
{
    (void)state;
    world        w = make_world(one_body);
    pliant_error error = {0};
    for (uint32_t f = written(0); pliant_format_at(f); f = written(f + 1)) {
        write_frames(&w, path_in(f), 0, FRAMES);
        pliant_cache *cache = open_good(path_in(f), &w);
        const char   *path = strstr(path_in(f), ".obj")   ? "cache.obj/c.0002.obj"
                             : strstr(path_in(f), ".ply") ? "cache.ply/c.0002.ply"
                             : strstr(path_in(f), ".pvd") ? "cache/c.0002.vtp"
                                                          : path_in(f);
        size_t        size;
        char         *data = read_whole(path, &size);
        memset(data + size / 2, ' ', size - size / 2); /* no line ends */
        int file = open(path, O_WRONLY);
        assert_int_equal(pwrite(file, data, size, 0), size);
        static const char *const numbers[] = {".pc2", ".ply", ".mdd", ".vtkhdf", ".abc"}; /* spaces are numbers there */
        bool                     any = false;
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) any |= strstr(path, numbers[n]) != NULL;
        assert_int_equal(pliant_cache_read(cache, 2, &error) == PLIANT_OK, any);
        assert_int_equal(ftruncate(file, 64), 0);
        assert_int_not_equal(pliant_cache_read(cache, 2, &error), PLIANT_OK);
        assert_true(*error.path && *error.message);
        close(file);
        free(data);
        pliant_cache_close(cache);
    }
    free_world(&w);
}

/* ---- full ---- */

/* Writes frames `there` to FRAMES behind those that are there, while files may not pass `most` bytes. How many frames there are then; the last error. */
static uint32_t write_within(const char *path, const world *w, uint32_t there, rlim_t most, pliant_error *error)
{
    struct rlimit    before, small;
    pliant_write_def def = pliant_write_def_default();
    uint32_t         frames = there;
    def.there = there;
    def.frames = FRAMES;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = most;
    setrlimit(RLIMIT_FSIZE, &small);
    pliant_writer *writer = pliant_writer_open(path, w->model, &def, error);
    while (writer && frames < FRAMES && pliant_writer_frame(writer, w->frames[frames], error) == PLIANT_OK) frames++;
    pliant_writer_close(writer, error->code == PLIANT_OK ? error : NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    return frames;
}

/* However little may be written: the error has a path and a reason; the frames before are whole, and nothing else is there; and with room it goes on to
 * the same bytes. */
static void what_a_full_disk_leaves_is_gone_on_with(void **state)
{
    (void)state;
    world w = make_world(two_bodies);
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    for (uint32_t f = written(0); pliant_format_at(f); f = written(f + 1)) {
        char whole[64];
        snprintf(whole, sizeof whole, "whole/%s", path_in(f));
        remove_path("whole");
        assert_int_equal(mkdir("whole", 0777), 0);
        pliant_error error = {0};
        assert_int_equal(write_within(whole, &w, 0, RLIM_INFINITY, &error), FRAMES);
        uint32_t failures = 0, most_frames = 0;
        for (rlim_t most = 0; most < 3000; most += 1 + most / 5) {
            remove_path("try");
            assert_int_equal(mkdir("try", 0777), 0);
            char path[64];
            snprintf(path, sizeof path, "try/%s", path_in(f));
            error = (pliant_error){0};
            const uint32_t frames = write_within(path, &w, 0, most, &error);
            if (frames < FRAMES || error.code) { /* or all of them, in a work file */
                failures++;
                if (frames > most_frames && frames < FRAMES) most_frames = frames;
                if (error.code != PLIANT_ERROR_IO || strncmp(error.path, "try/cache", 9) != 0 || !strstr(error.message, "large"))
                    fail_msg("%s, %u bytes: %s: %s", path, (unsigned)most, error.path, error.message);
                assert_int_equal(nftw("try", is_temporary, 8, FTW_PHYS), 0);
                if (frames) check_cache(path, &w, 0, frames);
                error = (pliant_error){0};
                if (write_within(path, &w, frames, RLIM_INFINITY, &error) != FRAMES) fail_msg("%s: %s", error.path, error.message);
            }
            if (system("diff -r whole try") != 0) fail_msg("%s, %u bytes: other bytes", path, (unsigned)most);
        }
        print_message("%s: %u limits, up to %u frames before\n", path_in(f), failures, most_frames);
        assert_true(failures > 3);
    }
    signal(SIGXFSZ, old);
    free_world(&w);
}

/* A file that is taken away is noticed at the next frame, not when everything is done. */
static void a_file_that_is_removed_is_noticed(void **state)
{
    (void)state;
    world w = make_world(two_bodies);
    for (uint32_t f = written(0); pliant_format_at(f); f = written(f + 1)) {
        pliant_error     error = {0};
        char             path[64];
        pliant_write_def def = pliant_write_def_default();
        def.frames = FRAMES;
        assert_int_equal(system("rm -rf away && mkdir away"), 0);
        snprintf(path, sizeof path, "away/%s", path_in(f));
        pliant_writer *writer = pliant_writer_open(path, w.model, &def, NULL);
        assert_int_equal(pliant_writer_frame(writer, w.frames[0], NULL), PLIANT_OK);
        remove_path("away");
        assert_int_not_equal(pliant_writer_frame(writer, w.frames[1], &error), PLIANT_OK);
        assert_int_equal(error.code, PLIANT_ERROR_IO);
        if (strncmp(error.path, "away/cache", 10) != 0) fail_msg("%s: %s", error.path, error.message);
        pliant_writer_close(writer, NULL);
    }
    free_world(&w);
}

/* ---- large ---- */

/* A file with holes, six gigabytes long, and a frame at its end; and a header that counts more than there can be. */
static void frames_beyond_four_gigabytes_are_found(void **state)
{
    (void)state;
    size_t   size;
    uint32_t samples = 60000000;
    world    w = make_world(one_body);
    write_frames(&w, "large.pc2", 0, FRAMES);
    char *data = read_whole("large.pc2", &size);
    int   file = open("large.pc2", O_WRONLY);
    if (ftruncate(file, 32 + (off_t)samples * 9 * 12) != 0) skip();
    assert_int_equal(pwrite(file, &samples, 4, 28), 4);
    assert_int_equal(pwrite(file, data + 32 + 2 * 9 * 12, 9 * 12, 32 + (off_t)(samples - 1) * 9 * 12), 9 * 12);
    close(file);
    pliant_cache *cache = open_good("large.pc2", &w);
    assert_int_equal(pliant_cache_frames(cache), samples);
    assert_int_equal(pliant_cache_read(cache, samples - 1, NULL), PLIANT_OK);
    check_frame("large.pc2", cache, &w, 2);
    pliant_cache_close(cache);
    free(data);
    write_frames(&w, "large.csv", 0, 1);
    assert_int_equal(truncate("large.csv", (off_t)6 << 30), 0);
    assert_int_equal(open_bad("large.csv", &w, "the line is too long").line, 11);
    remove_path("large.pc2");
    remove_path("large.csv");
    free_world(&w);
}

/* Every test begins in an empty folder. */
#define LAW(name) cmocka_unit_test_setup(name, clear_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAW(every_scene_reads_back_exactly_in_every_format),
        LAW(torn_bodies_read_back_with_the_faces_of_each_frame),
        LAW(surfaces_and_seams_read_back_exactly),
        LAW(any_finite_state_reads_back_exactly),
        LAW(the_first_frame_has_its_number),
        LAW(numbers_are_as_far_apart_as_was_said),
        LAW(another_rate_is_not_gone_on_with),
        LAW(a_cache_that_grows_can_be_read),
        LAW(a_cut_cache_has_its_whole_frames),
        LAW(flipped_headers_are_errors_or_fewer_frames),
        LAW(garbage_is_survived),
        LAW(bad_rows_say_where),
        LAW(bad_objs_and_points_say_where),
        LAW(what_is_not_there_is_an_error),
        LAW(a_missing_file_is_named),
        LAW(another_model_is_refused),
        LAW(a_state_of_another_model_is_refused),
        LAW(a_file_that_changes_is_survived),
        LAW(what_a_full_disk_leaves_is_gone_on_with),
        LAW(a_file_that_is_removed_is_noticed),
        LAW(frames_beyond_four_gigabytes_are_found),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
