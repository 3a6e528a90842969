/* Law: whichever single request for memory fails, in whatever is done with a scene or a file, and whatever asked for it, a parser, CHOLMOD or the
 * C library among them, the answer is "out of memory" or the same result as ever; all else is given back, and no file is half there.
 *
 * malloc and its like are this file's own: as the program's they take the place of the C library's for shared libraries too. Where a sanitizer has
 * taken that place, the linker turns the calls of the libraries that are linked in (--wrap), and those of shared ones are left out. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"

#include "pliant/io.h"
#include "pliant/pliant.h"
#ifdef PLIANT_CHOLMOD
#include "pliant/cholmod.h"
#endif

#include <errno.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

/* ---- memory that fails ---- */

static struct {
    size_t fails, asked; /* the request that fails, from 1, 0: none; requests since it was set */
    size_t live;         /* blocks not given back */
} memory;

#if defined(PLIANT_WRAPPED_MEMORY)
#define OURS(name) __wrap_##name
#define THEIRS(name) __real_##name
#define THEIR_ALIGNED __real_aligned_alloc
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
void  __wrap_free(void *block);
#define CAN_FAIL 1
#define COUNTS 0 /* the sanitizer itself counts lost blocks; some blocks that are freed here were allocated elsewhere */
#elif defined(__GLIBC__)
#define OURS(name) name
#define THEIRS(name) __libc_##name
#define THEIR_ALIGNED __libc_memalign
#define CAN_FAIL 1
#define COUNTS 1
#else
#define CAN_FAIL 0
#define COUNTS 0
#endif

#if CAN_FAIL
#pragma GCC visibility push(default) /* shared libraries are to find them */
void                  *THEIRS(malloc)(size_t size);
void                  *THEIRS(calloc)(size_t count, size_t size);
void                  *THEIRS(realloc)(void *old, size_t size);
void                  *THEIR_ALIGNED(size_t align, size_t size);
void                   THEIRS(free)(void *block);

static bool fails(void)
{
    const bool now = memory.fails && ++memory.asked == memory.fails;
    if (now) errno = ENOMEM;
    return now;
}

static void *counted(void *block)
{
    memory.live += block != NULL;
    return block;
}

void *OURS(malloc)(size_t size) { return fails() ? NULL : counted(THEIRS(malloc)(size)); }
void *OURS(calloc)(size_t count, size_t size) { return fails() ? NULL : counted(THEIRS(calloc)(count, size)); }
void *OURS(aligned_alloc)(size_t align, size_t size) { return fails() ? NULL : counted(THEIR_ALIGNED(align, size)); }

void *OURS(realloc)(void *old, size_t size)
{
    if (fails()) return NULL;
    void *block = THEIRS(realloc)(old, size);
    if (!old) return counted(block);
    memory.live -= !size && !block;
    return block;
}

void OURS(free)(void *block)
{
    memory.live -= block != NULL;
    THEIRS(free)(block);
}
#pragma GCC visibility pop
#endif

/* ---- what is done ---- */

/* True with a number that stands for the result; false with the error. Gives back all it took. */
typedef struct deed {
    const char *name;
    bool (*act)(const char *what, uint64_t *result, pliant_error *error);
    const char *what;
} deed;

static bool step(pliant_solver *solver, pliant_state *state, pliant_inputs *inputs, pliant_error *error)
{
    pliant_code code = pliant_inputs_reset(inputs, 1.0 / 60);
    if (code == PLIANT_OK) code = pliant_solver_step(solver, state, inputs);
    if (code != PLIANT_OK) *error = (pliant_error){.code = code, .message = "a step"};
    return code == PLIANT_OK;
}

static bool run(const pliant_model *model, uint64_t *result, pliant_error *error)
{
    pliant_solver_def def = pliant_solver_def_default();
#ifdef PLIANT_CHOLMOD
    def.linear = pliant_cholmod();
#endif
    pliant_state  *state = pliant_state_create(model, error);
    pliant_inputs *inputs = state ? pliant_inputs_create(model, error) : NULL;
    pliant_solver *solver = inputs ? pliant_solver_create(model, &def, error) : NULL;
    bool           ok = solver != NULL;
    for (int frame = 0; ok && frame < 3; frame++) ok = step(solver, state, inputs, error);
    if (ok) *result = pliant_state_hash(state);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    return ok;
}

static bool run_scene(const char *text, uint64_t *result, pliant_error *error)
{
    pliant_model_file file = {0};
    bool ok = pliant_model_read_text(text, strlen(text), "scene", NULL, NULL, &file, error) == PLIANT_OK && run(file.model, result, error);
    pliant_model_close(&file);
    return ok;
}

static bool read_mesh(const char *path, uint64_t *result, pliant_error *error)
{
    pliant_mesh mesh = {0};
    if (pliant_mesh_load(path, &mesh, error) != PLIANT_OK) return false;
    *result = mesh.vertex_count + 100 * mesh.triangle_count + 10000 * mesh.quad_count;
    pliant_mesh_free(&mesh);
    return true;
}

static bool read_tets(const char *path, uint64_t *result, pliant_error *error)
{
    pliant_tets tets = {0};
    if (pliant_tets_load(path, &tets, error) != PLIANT_OK) return false;
    *result = tets.vertex_count + 100 * tets.tetrahedron_count;
    pliant_tets_free(&tets);
    return true;
}

/* Of one model, made before memory fails: two bodies, one with a visual surface, and two of its states. */
static pliant_model_file shared;
static pliant_state     *states[2];

static bool write_cache(const char *path, uint64_t *result, pliant_error *error)
{
    pliant_write_def def = pliant_write_def_default();
    def.frames = 2;
    pliant_writer *writer = pliant_writer_open(path, shared.model, &def, error);
    bool           ok =
        writer && pliant_writer_frame(writer, states[0], error) == PLIANT_OK && pliant_writer_frame(writer, states[1], error) == PLIANT_OK;
    ok = ok && pliant_writer_sync(writer, error) == PLIANT_OK;
    *result = 0;
    return pliant_writer_close(writer, ok ? error : NULL) == PLIANT_OK && ok;
}

static bool resume_cache(const char *path, uint64_t *result, pliant_error *error)
{
    pliant_write_def def = pliant_write_def_default();
    def.frames = 2;
    def.there = 1;
    pliant_writer *writer = pliant_writer_open(path, shared.model, &def, error);
    bool           ok = writer && pliant_writer_frame(writer, states[1], error) == PLIANT_OK;
    *result = 0;
    return pliant_writer_close(writer, ok ? error : NULL) == PLIANT_OK && ok;
}

static bool read_cache(const char *path, uint64_t *result, pliant_error *error)
{
    pliant_cache *cache = pliant_cache_open(path, shared.model, error);
    bool          ok = cache && pliant_cache_read(cache, pliant_cache_frames(cache) - 1, error) == PLIANT_OK;
    if (ok) *result = pliant_cache_frames(cache);
    pliant_cache_close(cache);
    return ok;
}

static bool write_checkpoint(const char *path, uint64_t *result, pliant_error *error)
{
    const pliant_checkpoint c = pliant_checkpoint_default();
    *result = 0;
    return pliant_checkpoint_write(path, states[1], &c, error) == PLIANT_OK;
}

static bool read_checkpoint(const char *path, uint64_t *result, pliant_error *error)
{
    pliant_checkpoint c = pliant_checkpoint_default();
    pliant_state     *state = pliant_state_create(shared.model, error);
    const uint64_t    before = pliant_state_hash(state);
    const bool        ok = state && pliant_checkpoint_read(path, state, &c, error) == PLIANT_OK;
    if (state && !ok) assert_true(pliant_state_hash(state) == before);
    if (ok) *result = pliant_state_hash(state);
    pliant_state_destroy(state);
    return ok;
}

static bool write_cooked(const char *path, uint64_t *result, pliant_error *error)
{
    *result = 0;
    return pliant_cooked_write(path, shared.model, 2, 60, error) == PLIANT_OK;
}

static bool run_cooked(const char *path, uint64_t *result, pliant_error *error)
{
    pliant_model_file file = {0};
    const bool        ok = pliant_model_read(path, NULL, &file, error) == PLIANT_OK && run(file.model, result, error);
    pliant_model_close(&file);
    return ok;
}

static bool write_recording(const char *path, uint64_t *result, pliant_error *error)
{
    pliant_inputs   *inputs = pliant_inputs_create(shared.model, error);
    pliant_recorder *recorder = inputs ? pliant_recorder_open(path, states[0], NULL, error) : NULL;
    bool             ok = recorder && pliant_inputs_reset(inputs, 1.0 / 60) == PLIANT_OK;
    ok = ok && pliant_recorder_frame(recorder, inputs, states[1], error) == PLIANT_OK &&
         pliant_recorder_frame(recorder, inputs, states[0], error) == PLIANT_OK;
    ok = pliant_recorder_close(recorder, ok ? error : NULL) == PLIANT_OK && ok;
    pliant_inputs_destroy(inputs);
    *result = 0;
    return ok;
}

static bool read_recording(const char *path, uint64_t *result, pliant_error *error)
{
    pliant_recording *r = pliant_recording_open(path, error);
    pliant_inputs    *inputs = r ? pliant_inputs_create(pliant_recording_model(r), error) : NULL;
    pliant_state     *state = inputs ? pliant_state_create(pliant_recording_model(r), error) : NULL;
    bool              ok = state && pliant_recording_begin(r, state, error) == PLIANT_OK;
    ok = ok && pliant_recording_frame(r, 1, inputs, result, error) == PLIANT_OK;
    pliant_state_destroy(state);
    pliant_inputs_destroy(inputs);
    pliant_recording_close(r);
    return ok;
}

static bool read_eval(const char *text, uint64_t *result, pliant_error *error)
{
    pliant_eval_input in;
    *result = 0;
    return pliant_eval_read_text(PLIANT_CONSTRAINT_DISTANCE, text, strlen(text), "case", &in, error) == PLIANT_OK;
}

static bool replay_order(const char *path, uint64_t *result, pliant_error *error)
{
    static const char text[] =
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"rope\", \"from\": [0, 0, 0], \"to\": [1, 0, 0], \"segments\": 2}]}";
    pliant_model_file file = {0};
    pliant_read_def   def = pliant_read_def_default();
    def.replay = path;
    const bool ok =
        pliant_model_read_text(text, strlen(text), "scene", NULL, &def, &file, error) == PLIANT_OK && run(file.model, result, error);
    pliant_model_close(&file);
    return ok;
}

/* ---- scenes ---- */

#define SCENE(solver, bodies, rest) "{\"pliant\": 1, \"solver\": {\"substeps\": 2" solver "}, \"bodies\": [" bodies "]" rest "}"
#define CLOTH "{\"type\": \"cloth\", \"cells\": [4, 4], \"size\": [1, 1], \"material\": \"cotton\", \"pins\": [{\"side\": \"-x\"}]}"
#define JELLY "{\"type\": \"soft\", \"cells\": [2, 2, 2], \"size\": [1, 1, 1], \"material\": \"jelly\", \"visual\": \"m.obj\"}"
#define FLOOR                                                                                                                     \
    ", \"colliders\": [{\"type\": \"plane\", \"offset\": -1, \"friction\": 0.5}, {\"type\": \"box\", \"half_extent\": [1, 1, 1]," \
    " \"position\": [0, -1, 0], \"keys\": [{\"time\": 0, \"position\": [0, -1, 0]}, {\"time\": 1, \"position\": [1, -1, 0]}]}]"

static const deed scenes[] = {
    {"cloth and collider", run_scene, SCENE("", CLOTH, FLOOR ", \"forces\": [{\"type\": \"wind\", \"velocity\": [1, 0, 0]}]")},
    {"bdf2, jelly with a surface", run_scene, SCENE(", \"integration\": \"bdf2\"", JELLY, FLOOR)},
    {"jacobi, meshes", run_scene,
     SCENE(", \"method\": \"jacobi\"",
           "{\"type\": \"soft\", \"mesh\": \"m.node\"}, {\"type\": \"cloth\", \"mesh\": \"m.ply\", \"weld\": true, \"tether\": 1.1, "
           "\"pins\": [0],"
           " \"attach\": [{\"vertices\": [1], \"soft\": true, \"keys\": [{\"time\": 0, \"translate\": [0, 0, 0]}, {\"time\": 1, "
           "\"translate\": [1, 0, 0]}]}]}",
           ", \"materials\": {\"a\": {\"preset\": \"silk\"}}")},
    {"chebyshev, rope and particles", run_scene,
     SCENE(
         ", \"method\": \"chebyshev\"",
         "{\"type\": \"rope\", \"from\": [0, 0, 0], \"to\": [1, 0, 0], \"segments\": 5, \"pins\": [0]}, {\"type\": \"particles\", "
         "\"particles\":"
         " [{\"x\": [0, 1, 0], \"w\": 0}, {\"x\": [1, 1, 0]}], \"constraints\": [{\"kind\": \"distance\", \"ids\": [0, 1], \"rest\": 1}]}",
         "")},
    {"hierarchical", run_scene, SCENE(", \"method\": \"hierarchical\"", CLOTH, FLOOR)},
    {"multigrid", run_scene, SCENE(", \"method\": \"multigrid\"", CLOTH, FLOOR)},
    {"newton on a chain", run_scene,
     SCENE(", \"method\": \"newton\"",
           "{\"type\": \"rope\", \"from\": [0, 0, 0], \"to\": [1, 0, 0], \"segments\": 6, \"bend\": \"none\", \"pins\": [0]}", "")},
#ifdef PLIANT_CHOLMOD
    {"newton with sparse factors", run_scene, SCENE(", \"method\": \"newton\"", CLOTH, "")},
    {"newton, implicit", run_scene, SCENE(", \"method\": \"newton\", \"gradients\": \"implicit\"", CLOTH, "")},
#endif
};

/* Bodies that meet: themselves, one another, what sticks, and grains among them. */
#define SHEET(name, height)                                                                         \
    "{\"type\": \"cloth\", \"name\": \"" name                                                       \
    "\", \"cells\": [3, 3], \"size\": [0.3, 0.3], \"material\": \"meets\", \"self_contact\": true," \
    " \"contact_mask\": 1, \"position\": [0, " height ", 0]}"
#define GRAINS                                                                                                                           \
    "{\"type\": \"particles\", \"material\": \"meets\", \"self_contact\": true, \"contact_mask\": 1, \"particles\": [{\"x\": [0, 0.05, " \
    "0]},"                                                                                                                               \
    " {\"x\": [0.005, 0.055, 0]}, {\"x\": [0.002, 0.065, 0.001]}]}"
#define BALL                                                                                                                          \
    ", \"colliders\": [{\"type\": \"sphere\", \"name\": \"ball\", \"radius\": 0.1, \"position\": [0, -0.11, 0], \"yields\": true}], " \
    "\"materials\":"                                                                                                                  \
    " {\"meets\": {\"preset\": \"cotton\", \"thickness\": 0.01, \"friction\": 0.3}}"
#define STICKS \
    ", \"contact_pairs\": [{\"a\": \"a\", \"b\": \"b\", \"adhesion\": 100}, {\"a\": \"a\", \"collider\": \"ball\", \"adhesion\": 100}]"

static const deed contacts[] = {
    {"sheets that stick, and a ball", run_scene, SCENE("", SHEET("a", "0") "," SHEET("b", "0.011"), BALL STICKS)},
    {"sheets and grains", run_scene, SCENE("", SHEET("a", "0") "," GRAINS, BALL)},
    {"sheets, cut only where they meet", run_scene,
     SCENE(", \"contact_bound\": \"continuous\"", SHEET("a", "0") "," SHEET("b", "0.011"), BALL)},
};

static const deed readers[] = {
    {"read obj", read_mesh, "m.obj"},
    {"read ply", read_mesh, "m.ply"},
    {"read tetrahedra", read_tets, "m.node"},
    {"read a list to replay", replay_order, "order.json"},
    {"read a case", read_eval, "{\"x\": [[0,0,0],[2,0,0]], \"w\": [1,1], \"params\": {\"rest\": 1}, \"dt\": 0.1, \"lambda\": 0}"},
};

static const deed writers[] = {
    {"write a checkpoint", write_checkpoint, "x.check"},
    {"read a checkpoint", read_checkpoint, "x.check"},
    {"cook", write_cooked, "x.pliant"},
    {"run what was cooked", run_cooked, "x.pliant"},
    {"record", write_recording, "x.rec"},
    {"read a recording", read_recording, "x.rec"},
};

/* ---- the law ---- */

static bool half_there(void)
{
    glob_t     found;
    const bool is = glob("*.tmp", 0, NULL, &found) == 0 || glob("*/*.tmp", 0, NULL, &found) == 0;
    if (is) print_message("left lying: %s\n", found.gl_pathv[0]);
    globfree(&found);
    return is;
}

/* Every request once; `between`, if any, makes ready before each time and looks at what is there behind it. */
static void survives(const deed *d, void (*before)(const deed *d), void (*after)(const deed *d, bool ok))
{
    uint64_t     expected = 0;
    pliant_error error = {0};
    size_t       n = 1, refused = 0;
    if (before) before(d);
    if (!d->act(d->what, &expected, &error)) fail_msg("%s: %s: %s", d->name, error.path, error.message);
    for (;; n++) {
        uint64_t result = 0;
        error = (pliant_error){0};
        if (before) before(d);
        const size_t live = memory.live;
        memory.asked = 0;
        memory.fails = n;
        const bool ok = d->act(d->what, &result, &error);
        memory.fails = 0;
        if (COUNTS && memory.live != live)
            fail_msg("%s: request %zu fails: %zd blocks are lost", d->name, n, (ptrdiff_t)(memory.live - live));
        if (ok && result != expected) fail_msg("%s: request %zu fails, and the result is another one", d->name, n);
        if (!ok && error.code != PLIANT_ERROR_MEMORY)
            fail_msg("%s: request %zu fails: code %d, %s: %s", d->name, n, (int)error.code, error.path, error.message);
        if (!ok) assert_true(error.message[0]);
        if (half_there()) fail_msg("%s: request %zu fails", d->name, n);
        if (after) after(d, ok);
        refused += !ok;
        if (memory.asked < n) break;
    }
    print_message("%s: %zu requests, %zu of them needed\n", d->name, n - 1, refused);
    assert_true(refused > 0);
}

static void skip_if_it_cannot_fail(void)
{
    if (CAN_FAIL) return;
    print_message("skipped: memory cannot be made to fail here\n");
    skip();
}

static void a_scene_runs_or_says_so(void **state)
{
    skip_if_it_cannot_fail();
    survives(*state, NULL, NULL);
}

static void no_output(const deed *d) { remove(d->what); }

static void files_are_whole_or_not_there(void **state)
{
    skip_if_it_cannot_fail();
    const deed *d = *state;
    survives(d, strstr(d->name, "read") || strstr(d->name, "run") ? NULL : no_output, NULL);
}

static void no_cache(const deed *d)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s cache.*.pc2", d->what);
    assert_int_equal(system(command), 0);
}

static void one_frame(const deed *d)
{
    no_cache(d);
    pliant_write_def def = pliant_write_def_default();
    def.frames = 2;
    pliant_writer *writer = pliant_writer_open(d->what, shared.model, &def, NULL);
    assert_true(writer && pliant_writer_frame(writer, states[0], NULL) == PLIANT_OK);
    assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
}

/* What lies there is frames that are whole, or nothing. */
static void whole_frames(const deed *d, bool ok)
{
    uint64_t     frames;
    pliant_error error = {0};
    if (!read_cache(d->what, &frames, &error) && !(!ok && d->act == write_cache && error.code == PLIANT_ERROR_INPUT))
        fail_msg("%s, %s: %s: %s", d->name, ok ? "written" : "refused", error.path, error.message);
}

static void every_format(void **unused)
{
    (void)unused;
    skip_if_it_cannot_fail();
    for (uint32_t f = 0; pliant_format_at(f); f++) {
        char path[32], name[3][64];
        snprintf(path, sizeof path, "cache%s", pliant_format_at(f)->ending);
        if (!pliant_format_is_written(f)) continue;
        const deed deeds[] = {{name[0], write_cache, path}, {name[1], resume_cache, path}, {name[2], read_cache, path}};
        snprintf(name[0], sizeof name[0], "write %s", path);
        snprintf(name[1], sizeof name[1], "go on with %s", path);
        snprintf(name[2], sizeof name[2], "read %s", path);
        /* libhdf5, once it was refused memory, keeps blocks and opens nothing any more in the same process. */
        if (strcmp(pliant_format_at(f)->ending, ".vtkhdf") == 0) {
            one_frame(&deeds[0]);
        } else {
            survives(&deeds[0], no_cache, whole_frames);
            survives(&deeds[1], one_frame, whole_frames);
        }
        survives(&deeds[2], NULL, NULL);
    }
}

/* Nothing but memory, and so nothing but a place to write to. */
static void the_schema_needs_none(void **unused)
{
    (void)unused;
    skip_if_it_cannot_fail();
    const size_t size = pliant_scene_schema(NULL, 0) + 1;
    char        *text = malloc(size);
    memory.asked = 0;
    memory.fails = 1;
    const size_t length = pliant_scene_schema(text, size);
    memory.fails = 0;
    assert_true(length == size - 1 && memory.asked == 0);
    free(text);
}

static int begin(void **state)
{
    static const char text[] = SCENE("", CLOTH ", " JELLY, FLOOR);
    pliant_error      error = {0};
    if (enter_folder(state)) return 1;
    write_text("m.obj", "o a\nv -0.2 -0.2 -0.2\nv 0.21 0 0\nv 0 0.23 0\nv 0 0 0.22\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write_text("m.ply", "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
                        "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n");
    write_text("m.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
    write_text("m.ele", "1 4 0\n0 0 1 2 3\n");
    write_text("order.json",
               "[{\"kind\": \"distance\", \"ids\": [1, 2], \"rest\": 0.5}, {\"kind\": \"distance\", \"ids\": [0, 1], \"rest\": 0.5}]");
    if (pliant_model_read_text(text, strlen(text), "scene", NULL, NULL, &shared, &error) != PLIANT_OK) fail_msg("%s", error.message);
    for (int i = 0; i < 2; i++) states[i] = pliant_state_create(shared.model, NULL);
    return !states[0] || !states[1];
}

static int end(void **state)
{
    for (int i = 0; i < 2; i++) pliant_state_destroy(states[i]);
    pliant_model_close(&shared);
    return remove_folder(state);
}

int main(void)
{
    struct CMUnitTest tests[64];
    size_t            count = 0;
#define ADD(table, law)                                       \
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) \
    tests[count++] = (struct CMUnitTest){table[i].name, law, NULL, NULL, (void *)&table[i]}
    ADD(scenes, a_scene_runs_or_says_so);
    ADD(contacts, a_scene_runs_or_says_so);
    ADD(readers, a_scene_runs_or_says_so);
    ADD(writers, files_are_whole_or_not_there);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(every_format);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(the_schema_needs_none);
    return _cmocka_run_group_tests("memory", tests, count, begin, end);
}
