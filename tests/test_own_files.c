/* Laws of Pliant's own files, checkpoints, cooked models and recordings: what is written reads back and goes on to the bit; what was cut, flipped, spliced, or
 * is another's is refused with file and offset, quickly, and changes nothing. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"
#include "sample_scenes.h"

#include "pliant/io.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A scene small enough to try every bit, with a collider, a target and two kinds of constraints. */
static const char small_scene[] =
    "{\"pliant\": 1, \"frames\": 7, \"fps\": 30, \"solver\": {\"substeps\": 3, \"method\": \"chebyshev\", \"integration\": \"bdf2\"},"
    " \"bodies\": [{\"type\": \"particles\", \"name\": \"p\", \"particles\": [{\"x\": [0, 1, 0], \"w\": 0}, {\"x\": [1, 1, 0]},"
    " {\"x\": [1, 0.5, 0.25]}], \"constraints\": [{\"kind\": \"distance\", \"ids\": [0, 1], \"rest\": 1, \"compliance\": 0.001},"
    " {\"kind\": \"distance\", \"ids\": [1, 2], \"rest\": 0.5}]}],"
    " \"colliders\": [{\"type\": \"plane\", \"normal\": [0, 1, 0], \"offset\": 0}]}";

static pliant_model_file small, other;
static pliant_state     *moment; /* of `small`, after five frames */

static void read_text(const char *text, pliant_model_file *file)
{
    pliant_error error = {0};
    if (pliant_model_read_text(text, strlen(text), "test", NULL, NULL, file, &error) != PLIANT_OK) fail_msg("%s", error.message);
}

static void advance(pliant_state *state, uint32_t frames, uint32_t width, uint32_t threads)
{
    const pliant_model *model = pliant_state_model(state);
    pliant_solver_def   def = pliant_solver_def_default();
    def.width = width;
    def.threads = threads;
    pliant_solver *solver = pliant_solver_create(model, &def, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    assert_true(solver && inputs);
    while (frames--) {
        assert_int_equal(pliant_inputs_reset(inputs, 1.0 / 30), PLIANT_OK);
        assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
    }
    pliant_inputs_destroy(inputs);
    pliant_solver_destroy(solver);
}

static int set_up(void **unused)
{
    char text[sizeof small_scene];
    memcpy(text, small_scene, sizeof text);
    read_text(text, &small);
    memcpy(strstr(text, "0.001"), "0.002", 5);
    read_text(text, &other);
    moment = pliant_state_create(small.model, NULL);
    assert_non_null(moment);
    advance(moment, 5, 1, 1);
    return enter_folder(unused);
}

static int tear_down(void **unused)
{
    pliant_state_destroy(moment);
    pliant_model_close(&small);
    pliant_model_close(&other);
    return remove_folder(unused);
}

/* ---- the table ---- */

static pliant_checkpoint checkpoint_of_moment(void)
{
    pliant_checkpoint c = pliant_checkpoint_default();
    c.frame = 5;
    c.written = 6;
    c.fps = 30;
    c.method = pliant_model_settings(small.model).method;
    return c;
}

static bool write_checkpoint(const char *path, pliant_error *error)
{
    pliant_checkpoint c = checkpoint_of_moment();
    return pliant_checkpoint_write(path, moment, &c, error) == PLIANT_OK;
}

static bool read_checkpoint(const char *path, pliant_error *error)
{
    pliant_checkpoint c = pliant_checkpoint_default(), untouched = c;
    pliant_state     *state = pliant_state_create(small.model, NULL);
    uint64_t          before = pliant_state_hash(state);
    bool              read = pliant_checkpoint_read(path, state, &c, error) == PLIANT_OK;
    if (!read) assert_true(pliant_state_hash(state) == before && memcmp(&c, &untouched, sizeof c) == 0);
    if (read) assert_true(pliant_state_hash(state) == pliant_state_hash(moment));
    pliant_state_destroy(state);
    return read;
}

static bool write_cooked(const char *path, pliant_error *error)
{
    return pliant_cooked_write(path, small.model, 7, 30, error) == PLIANT_OK;
}

static bool read_cooked(const char *path, pliant_error *error)
{
    pliant_model_file file;
    if (pliant_model_read(path, NULL, &file, error) != PLIANT_OK) return false;
    assert_true(pliant_model_hash(file.model) == pliant_model_hash(small.model) && file.frames == 7 && file.fps == 30 && !file.scene);
    pliant_model_close(&file);
    return true;
}

/* Three frames, of which the second has inputs of its own. */
static bool write_recording(const char *path, pliant_error *error)
{
    pliant_state    *state = pliant_state_create(small.model, NULL);
    pliant_solver   *solver = pliant_solver_create(small.model, NULL, NULL);
    pliant_inputs   *inputs = pliant_inputs_create(small.model, NULL);
    pliant_recorder *recorder = pliant_recorder_open(path, state, NULL, error);
    bool             ok = recorder != NULL;
    for (int i = 0; ok && i < 3; i++) {
        assert_int_equal(pliant_inputs_reset(inputs, 1.0 / 30), PLIANT_OK);
        if (i == 1) assert_int_equal(pliant_inputs_gravity(inputs, (pliant_vec3){0, 1, 0}), PLIANT_OK);
        assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
        ok = pliant_recorder_frame(recorder, inputs, state, error) == PLIANT_OK;
    }
    ok = pliant_recorder_close(recorder, ok ? error : NULL) == PLIANT_OK && ok;
    pliant_inputs_destroy(inputs);
    pliant_solver_destroy(solver);
    pliant_state_destroy(state);
    return ok;
}

/* Does again what it says; every frame has to have its hash. */
static void replay(const pliant_recording *r, uint32_t width, uint32_t threads)
{
    const pliant_model     *model = pliant_recording_model(r);
    const pliant_method_def method = pliant_recording_method(r);
    pliant_solver_def       def = sample_solver_def();
    pliant_error            error = {0};
    def.width = width;
    def.threads = threads;
    def.method = &method;
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_solver *solver = pliant_solver_create(model, &def, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    assert_true(state && solver && inputs);
    assert_int_equal(pliant_recording_begin(r, state, NULL), PLIANT_OK);
    for (uint32_t i = 0; i < pliant_recording_frames(r); i++) {
        uint64_t hash;
        if (pliant_recording_frame(r, i, inputs, &hash, &error) != PLIANT_OK) fail_msg("%s", error.message);
        assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
        assert_true(pliant_state_hash(state) == hash);
    }
    pliant_inputs_destroy(inputs);
    pliant_solver_destroy(solver);
    pliant_state_destroy(state);
}

static bool read_recording(const char *path, pliant_error *error)
{
    pliant_recording *r = pliant_recording_open(path, error);
    if (!r) return false;
    assert_int_equal(pliant_recording_frames(r), 3);
    replay(r, 0, 1);
    pliant_recording_close(r);
    return true;
}

static const struct kind {
    const char *name, *path;
    bool (*write)(const char *path, pliant_error *error);
    bool (*read)(const char *path, pliant_error *error);
} kinds[] = {{"checkpoint", "x.ck", write_checkpoint, read_checkpoint},
             {"cooked model", "x.pliant", write_cooked, read_cooked},
             {"recording", "x.rec", write_recording, read_recording}};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* A file of a kind, as it should be. */
static unsigned char *make(const struct kind *k, size_t *size)
{
    pliant_error error = {0};
    if (!k->write(k->path, &error)) fail_msg("%s: %s", error.path, error.message);
    return (unsigned char *)read_whole(k->path, size);
}

static void refuses(const struct kind *k, const char *what, size_t where)
{
    pliant_error error = {0};
    if (k->read(k->path, &error)) fail_msg("%s: %s at %zu is not seen", k->name, what, where);
    if (error.code != PLIANT_ERROR_INPUT || strcmp(error.path, k->path) != 0 || strncmp(error.message, "byte ", 5) != 0)
        fail_msg("%s: %s at %zu: error %d, path %s: %s", k->name, what, where, (int)error.code, error.path, error.message);
}

/* ---- laws ---- */

static void what_is_written_reads_back(void **unused)
{
    (void)unused;
    for (int i = 0; i < KINDS; i++) {
        size_t       size, again;
        pliant_error error = {0};
        char        *bytes = (char *)make(&kinds[i], &size), *second;
        if (!kinds[i].read(kinds[i].path, &error)) fail_msg("%s: %s", error.path, error.message);
        second = (char *)make(&kinds[i], &again); /* over the first: the same bytes, and nothing else in the folder */
        assert_true(size == again && memcmp(bytes, second, size) == 0);
        free(bytes);
        free(second);
        unlink(kinds[i].path);
    }
    assert_int_equal(system("test -z \"$(ls -A)\""), 0);
}

static void a_checkpoint_has_all_that_is_needed_to_go_on(void **unused)
{
    (void)unused;
    static const uint32_t widths[] = {1, 4, 0};
    pliant_checkpoint     c = checkpoint_of_moment(), read = pliant_checkpoint_default();
    pliant_state         *straight = pliant_state_create(small.model, NULL), *resumed = pliant_state_create(small.model, NULL);
    c.method.relaxation = R(1.1);
    c.substeps = 5;
    c.iterations = 6;
    c.method.spectral_radius = R(0.7);
    assert_int_equal(pliant_checkpoint_write("x.ck", moment, &c, NULL), PLIANT_OK);
    assert_int_equal(pliant_state_copy(straight, moment), PLIANT_OK);
    advance(straight, 4, 4, 2);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pliant_checkpoint_read("x.ck", resumed, &read, NULL), PLIANT_OK);
        assert_true(read.frame == 5 && read.written == 6 && read.fps == 30 && read.substeps == 5 && read.iterations == 6);
        assert_memory_equal(&read.method, &c.method, sizeof c.method);
        advance(resumed, 4, widths[i], 1 + (uint32_t)i);
        assert_true(pliant_state_hash(resumed) == pliant_state_hash(straight));
    }
    pliant_state_destroy(straight);
    pliant_state_destroy(resumed);
}

static void another_models_checkpoint_is_refused(void **unused)
{
    (void)unused;
    pliant_error      error = {0};
    pliant_checkpoint c = checkpoint_of_moment();
    pliant_state     *state = pliant_state_create(other.model, NULL);
    uint64_t          before = pliant_state_hash(state);
    assert_int_equal(pliant_checkpoint_write("x.ck", moment, &c, NULL), PLIANT_OK);
    assert_int_not_equal(pliant_checkpoint_read("x.ck", state, &c, &error), PLIANT_OK);
    assert_non_null(strstr(error.message, "another model"));
    assert_true(pliant_state_hash(state) == before);
    pliant_state_destroy(state);
}

static void a_cooked_model_steps_from_memory(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++) {
        size_t        size;
        pliant_model *model = sample_model(&samples[i]);
        assert_int_equal(pliant_cooked_write("x.pliant", model, samples[i].frames, 60, NULL), PLIANT_OK);
        char *file = read_whole("x.pliant", &size);
        void *bytes = aligned_alloc(64, (size + 63) / 64 * 64);
        assert_non_null(bytes);
        memcpy(bytes, file, size);
        unlink("x.pliant"); /* nothing but the bytes is needed */
        pliant_model *cooked = pliant_model_map(bytes, size - PLIANT_COOKED_TAIL, NULL, NULL);
        assert_non_null(cooked);
        outcome expected = sample_run(model, &samples[i], 5, (run_way){0}), found = sample_run(cooked, &samples[i], 5, (run_way){0});
        assert_true(outcomes_agree(samples[i].name, "cooked", 0, found, expected));
        pliant_model_destroy(cooked);
        pliant_model_destroy(model);
        free(bytes);
        free(file);
    }
}

/* Everything that a user can say, on every sample, is replayed with another width and other threads. */
static void what_was_recorded_happens_again(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < sample_count; i++) {
        pliant_model           *model = sample_model(&samples[i]);
        const pliant_solver_def def = sample_solver_def();
        pliant_state           *state = pliant_state_create(model, NULL), *before = pliant_state_create(model, NULL);
        pliant_solver          *solver = pliant_solver_create(model, &def, NULL);
        pliant_inputs          *inputs = pliant_inputs_create(model, NULL);
        pliant_recorder        *recorder = pliant_recorder_open("x.rec", state, NULL, NULL);
        assert_non_null(recorder);
        for (uint32_t frame = 0; frame < samples[i].frames && frame < 30; frame++) {
            assert_int_equal(pliant_state_copy(before, state), PLIANT_OK);
            assert_int_equal(pliant_inputs_reset(inputs, 1.0 / 60), PLIANT_OK);
            if (samples[i].drive) samples[i].drive(model, inputs, state, frame);
            assert_int_equal(pliant_state_copy(state, before), PLIANT_OK); /* inputs are recorded, not what is done to the state itself */
            assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
            assert_int_equal(pliant_recorder_frame(recorder, inputs, state, NULL), PLIANT_OK);
            pliant_recording *r = pliant_recording_open("x.rec", NULL); /* valid after every frame */
            assert_non_null(r);
            assert_int_equal(pliant_recording_frames(r), frame + 1);
            pliant_recording_close(r);
        }
        assert_int_equal(pliant_recorder_close(recorder, NULL), PLIANT_OK);
        pliant_recording *r = pliant_recording_open("x.rec", NULL);
        assert_non_null(r);
        replay(r, 1, 3);
        pliant_recording_close(r);
        pliant_state_destroy(before);
        pliant_inputs_destroy(inputs);
        pliant_solver_destroy(solver);
        pliant_state_destroy(state);
        pliant_model_destroy(model);
    }
}

/* Before its first frame a recording has but a temporary name, which another writer of this process would give its own too. */
static void a_second_writer_leaves_the_first_alone(void **unused)
{
    (void)unused;
    pliant_error     error = {0};
    pliant_state    *state = pliant_state_create(small.model, NULL);
    pliant_solver   *solver = pliant_solver_create(small.model, NULL, NULL);
    pliant_inputs   *inputs = pliant_inputs_create(small.model, NULL);
    pliant_recorder *recorder = pliant_recorder_open("two.rec", state, NULL, NULL);
    assert_non_null(recorder);
    assert_null(pliant_recorder_open("two.rec", state, NULL, &error));
    assert_int_equal(error.code, PLIANT_ERROR_IO);
    assert_non_null(strstr(error.message, "is writing it"));
    assert_int_equal(pliant_inputs_reset(inputs, 1.0 / 30), PLIANT_OK);
    assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
    assert_int_equal(pliant_recorder_frame(recorder, inputs, state, NULL), PLIANT_OK);
    assert_int_equal(pliant_recorder_close(recorder, NULL), PLIANT_OK);
    pliant_recording *r = pliant_recording_open("two.rec", &error);
    if (!r) fail_msg("%s: %s", error.path, error.message);
    replay(r, 1, 1);
    pliant_recording_close(r);
    pliant_inputs_destroy(inputs);
    pliant_solver_destroy(solver);
    pliant_state_destroy(state);
}

static void how_a_scene_is_read_is_refused_for_a_cooked_model(void **unused)
{
    (void)unused;
    pliant_model_file file;
    pliant_error      error = {0};
    pliant_read_def   def = pliant_read_def_default();
    def.order_given = true;
    assert_true(write_cooked("x.pliant", NULL));
    assert_int_not_equal(pliant_model_read("x.pliant", &def, &file, &error), PLIANT_OK);
    assert_int_equal(error.code, PLIANT_ERROR_INPUT);
    assert_non_null(strstr(error.message, "as it was cooked"));
    assert_int_equal(rename("x.pliant", "x.other"), 0); /* known by its first bytes too */
    assert_int_equal(pliant_model_read("x.other", NULL, &file, NULL), PLIANT_OK);
    assert_null(file.scene);
    pliant_model_close(&file);
}

static void every_truncation_is_refused(void **unused)
{
    (void)unused;
    for (int i = 0; i < KINDS; i++) {
        size_t size;
        free(make(&kinds[i], &size));
        while (size--) {
            assert_int_equal(truncate(kinds[i].path, (off_t)size), 0);
            refuses(&kinds[i], "a cut", size);
        }
    }
}

static void every_flipped_bit_is_refused(void **unused)
{
    (void)unused;
    for (int i = 0; i < KINDS; i++) {
        size_t         size;
        unsigned char *bytes = make(&kinds[i], &size);
        int            handle = open(kinds[i].path, O_WRONLY);
        assert_true(handle >= 0 && size <= 65536);
        for (size_t bit = 0; bit < 8 * size; bit++) {
            unsigned char wrong = (unsigned char)(bytes[bit / 8] ^ 1u << bit % 8);
            assert_int_equal(pwrite(handle, &wrong, 1, (off_t)(bit / 8)), 1);
            refuses(&kinds[i], "a flipped bit", bit);
            assert_int_equal(pwrite(handle, &bytes[bit / 8], 1, (off_t)(bit / 8)), 1);
        }
        close(handle);
        assert_true(kinds[i].read(kinds[i].path, NULL));
        free(bytes);
    }
}

/* A piece doubled, left out, or in another place. */
static void every_splice_is_refused(void **unused)
{
    (void)unused;
    for (int i = 0; i < KINDS; i++) {
        size_t         size;
        unsigned char *bytes = make(&kinds[i], &size), *wrong = malloc(size + 64);
        for (int n = 0; n < 5000;) {
            size_t at = random_bits() % size, from = random_bits() % size, length = 1 + random_bits() % 64, end = size;
            if (from + length > size || at + length > size) continue;
            memcpy(wrong, bytes, size);
            switch (random_bits() % 3) {
            case 0:
                memcpy(wrong + at, bytes + from, length);
                memcpy(wrong + at + length, bytes + at, size - at);
                end += length;
                break;
            case 1:
                memmove(wrong + at, wrong + at + length, size - at - length);
                end -= length;
                break;
            default: memcpy(wrong + at, bytes + from, length); memcpy(wrong + from, bytes + at, length);
            }
            if (end == size && memcmp(wrong, bytes, size) == 0) continue;
            write_bytes(kinds[i].path, wrong, end);
            refuses(&kinds[i], "a splice", at);
            n++;
        }
        free(bytes);
        free(wrong);
    }
}

static void what_is_not_one_is_refused(void **unused)
{
    (void)unused;
    for (int i = 0; i < KINDS; i++) {
        pliant_error error = {0};
        assert_false(kinds[i].read("nothing.pliant", &error));
        assert_int_equal(error.code, PLIANT_ERROR_INPUT);
        assert_string_equal(error.path, "nothing.pliant");
        assert_false(kinds[i].read(".", &error));
        assert_false(kinds[i].write("nowhere/x.pliant", &error));
        assert_int_equal(error.code, PLIANT_ERROR_IO);
    }
}

int main(void)
{
#define LAW(function) cmocka_unit_test_teardown(function, clear_folder)
    const struct CMUnitTest tests[] = {
        LAW(what_is_written_reads_back),
        LAW(a_checkpoint_has_all_that_is_needed_to_go_on),
        LAW(another_models_checkpoint_is_refused),
        LAW(a_cooked_model_steps_from_memory),
        LAW(what_was_recorded_happens_again),
        LAW(a_second_writer_leaves_the_first_alone),
        LAW(how_a_scene_is_read_is_refused_for_a_cooked_model),
        LAW(every_truncation_is_refused),
        LAW(every_flipped_bit_is_refused),
        LAW(every_splice_is_refused),
        LAW(what_is_not_one_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
