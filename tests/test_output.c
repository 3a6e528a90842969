/* Laws of what is known before a file is written, for every format of the table: what Pliant wrote is replaced, nothing else is; the bytes
 * that are foretold are those that come. */
#define _XOPEN_SOURCE 700 /* nftw, mkfifo */
#include "files.h"
#include "scene_files.h"

#include "pliant/io.h"

#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static pliant_model *model_of(const char *scene)
{
    for (uint32_t i = 0; i < scene_file_count; i++)
        if (strcmp(scene_files[i].name, scene) == 0) return scene_file_model(&scene_files[i], NULL);
    fail_msg("no scene %s", scene);
    return NULL;
}

/* "cache" with the ending; folders with a slash. */
static const char *path_for(const pliant_format_info *format)
{
    static char path[64];
    snprintf(path, sizeof path, "cache%s", format->ending);
    return path;
}

/* What a run looks like, frame by frame, from which any number of caches is written. */
typedef struct recording {
    pliant_state **frame;
    uint32_t       frames;
} recording;

static recording record(const pliant_model *model, uint32_t frames)
{
    pliant_error   error = {0};
    recording      out = {calloc(frames, sizeof(pliant_state *)), frames};
    pliant_solver *solver = pliant_solver_create(model, NULL, &error);
    pliant_inputs *inputs = pliant_inputs_create(model, &error);
    assert_true(out.frame && solver && inputs);
    for (uint32_t k = 0; k < frames; k++) {
        out.frame[k] = pliant_state_create(model, &error);
        assert_non_null(out.frame[k]);
        if (!k) continue;
        assert_int_equal(pliant_state_copy(out.frame[k], out.frame[k - 1]), PLIANT_OK);
        pliant_inputs_reset(inputs, 1.0 / 60);
        assert_int_equal(pliant_solver_step(solver, out.frame[k], inputs), PLIANT_OK);
    }
    pliant_inputs_destroy(inputs);
    pliant_solver_destroy(solver);
    return out;
}

static void forget(recording *r)
{
    for (uint32_t k = 0; k < r->frames; k++) pliant_state_destroy(r->frame[k]);
    free(r->frame);
}

static uint64_t work_came; /* bytes of its work file, at the end */

static void write_recording(const char *path, const pliant_model *model, const recording *r, const pliant_write_def *def)
{
    pliant_error   error = {0};
    pliant_writer *writer = pliant_writer_open(path, model, def, &error);
    assert_non_null(writer);
    for (uint32_t k = 0; k < r->frames; k++)
        if (pliant_writer_frame(writer, r->frame[k], &error) != PLIANT_OK) fail_msg("%s", error.message);
    char        work[80];
    struct stat found;
    snprintf(work, sizeof work, "%s.part", path);
    work_came = stat(work, &found) == 0 ? (uint64_t)found.st_size : 0;
    assert_int_equal(pliant_writer_close(writer, &error), PLIANT_OK);
}

static void bake(const char *path, const pliant_model *model, uint32_t frames, const pliant_write_def *def)
{
    recording r = record(model, frames);
    write_recording(path, model, &r, def);
    forget(&r);
}

/* ---- bytes ---- */

static uint64_t total;

static int add_size(const char *path, const struct stat *s, int type, struct FTW *where)
{
    (void)path, (void)where;
    if (type == FTW_F) total += (uint64_t)s->st_size;
    return 0;
}

/* All files of the folder that the test is in. */
static uint64_t bytes_here(void)
{
    total = 0;
    assert_int_equal(nftw(".", add_size, 8, FTW_PHYS), 0);
    return total;
}

/* Text, and what HDF5's library lays out. */
static bool is_about(const char *ending)
{
    static const char *const about[] = {".csv", ".obj", ".glb", ".usda", ".vtkhdf"};
    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        if (strcmp(ending, about[i]) == 0) return true;
    return false;
}

/* Whether a format takes bodies that tear, exploded or not. */
static bool takes_torn(const char *ending, bool exploded)
{
    const bool once = strcmp(ending, ".pc2") == 0 || strcmp(ending, ".mdd") == 0 || strcmp(ending, ".glb") == 0;
    return exploded ? strcmp(ending, ".csv") != 0 : !once;
}

static void foretell(void **state, const char *scene, const pliant_model *model, const recording *run, uint32_t number, bool exploded)
{
    const pliant_format_info *format = pliant_format_at(number);
    pliant_write_def          def = pliant_write_def_default();
    pliant_error              error = {0};
    uint64_t                  said = 0, work = 1, there = 1;
    def.frames = run->frames;
    def.first_frame = 90;
    def.exploded = exploded;
    const bool exact = !is_about(format->ending);
    if (pliant_writer_estimate(path_for(format), model, &def, &said, &work, &error) != PLIANT_OK) fail_msg("%s", error.message);
    assert_int_equal(pliant_writer_check(path_for(format), model, &there, &error), PLIANT_OK);
    assert_true(there == 0);
    write_recording(path_for(format), model, run, &def);
    const uint64_t came = bytes_here();
    const double   off = strcmp(format->ending, ".usda") == 0 ? 0.2 : 0.1; /* numbers at rest are short there: 0 and 1 */
    if (exact ? said != came : fabs((double)said - (double)came) > off * (double)came)
        fail_msg("%s of %s: %llu bytes were said, and it has %llu", format->ending, scene, (unsigned long long)said,
                 (unsigned long long)came);
    assert_true(work == work_came);
    assert_int_equal(pliant_writer_check(path_for(format), model, &there, &error), PLIANT_OK);
    assert_true(there == came);
    clear_folder(state);
}

static void the_bytes_are_foretold(void **state)
{
    static const char *const scenes[] = {"demo", "net", "curtain", "drape", "flag", "torn_flag"};
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) {
        pliant_model *model = model_of(scenes[s]);
        const bool    torn = pliant_model_body_at(model, 0).spare_count > 0;
        recording     run = record(model, torn ? 10 : 40);
        for (uint32_t i = 0; pliant_format_at(i); i++)
            for (int exploded = 0; exploded <= torn; exploded++)
                if (pliant_format_is_written(i) && (!torn || takes_torn(pliant_format_at(i)->ending, exploded)))
                    foretell(state, scenes[s], model, &run, i, exploded);
        forget(&run);
        pliant_model_destroy(model);
    }
}

static void space_is_that_of_the_folder(void **state)
{
    (void)state;
    pliant_error error = {0};
    uint64_t     here, there, fs_here, fs_there;
    assert_int_equal(pliant_output_space("x.pc2", &here, &fs_here, &error), PLIANT_OK);
    assert_true(here > 0);
    assert_int_equal(pliant_output_space("not/there/yet/", &there, &fs_there, &error), PLIANT_OK);
    assert_true(fs_here == fs_there);
    assert_int_equal(pliant_output_space("/proc/x.pc2", &there, &fs_there, &error), PLIANT_OK);
    assert_true(fs_here != fs_there && there == 0);
    write_text("file", "");
    assert_int_not_equal(pliant_output_space("file/x.pc2", &there, &fs_there, &error), PLIANT_OK);
    assert_int_equal(error.code, PLIANT_ERROR_IO);
}

/* ---- what is there ---- */

static void refused(const char *path, const pliant_model *model, const char *says, pliant_code code)
{
    pliant_error error = {0};
    if (pliant_writer_check(path, model, NULL, &error) == PLIANT_OK) fail_msg("%s may be written over (%s)", path, says);
    assert_int_equal(error.code, code);
    if (!strstr(error.message, says)) fail_msg("\"%s\" does not say \"%s\"", error.message, says);
    assert_int_not_equal(pliant_writer_check(path, model, NULL, NULL), PLIANT_OK);
}

/* The files that a cache has, to be changed one by one. */
static char     found[64][256];
static uint32_t found_count;

static int note_file(const char *path, const struct stat *s, int type, struct FTW *where)
{
    (void)s, (void)where;
    if (type == FTW_F && found_count < 64) snprintf(found[found_count++], sizeof *found, "%s", path);
    return 0;
}

/* Two frames in a format: where, with what was written in `found`. NULL if it is only read. */
static const char *bake_and_find(uint32_t format, pliant_model *model)
{
    const char      *path = path_for(pliant_format_at(format));
    pliant_write_def def = pliant_write_def_default();
    def.frames = 2;
    if (!pliant_format_is_written(format)) return NULL;
    bake(path, model, 2, &def);
    found_count = 0;
    assert_int_equal(nftw(".", note_file, 8, FTW_PHYS), 0);
    return path;
}

static void only_what_pliant_wrote_is_replaced(void **state)
{
    pliant_model *model = model_of("demo"); /* three bodies */
    for (uint32_t i = 0; pliant_format_at(i); i++) {
        const char  *path = bake_and_find(i, model);
        pliant_error error = {0};
        if (!path) continue;
        assert_true(found_count > 0);
        for (uint32_t f = 0; f < found_count; f++) {
            size_t size;
            char  *was = read_whole(found[f], &size);
            assert_int_equal(pliant_writer_check(path, model, NULL, &error), PLIANT_OK);
            write_text(found[f], "my own notes, of many hours of work, that nobody may write over");
            refused(path, model, "there is a file that is not a cache of this scene's", PLIANT_ERROR_INPUT);
            was[0] ^= 1;
            write_bytes(found[f], was, size);
            refused(path, model, "there is a file that is not", PLIANT_ERROR_INPUT);
            write_text(found[f], "x");
            refused(path, model, "there is a file that is not", PLIANT_ERROR_INPUT);
            unlink(found[f]);
            assert_int_equal(mkfifo(found[f], 0666), 0);
            refused(path, model, "a pipe or a device", PLIANT_ERROR_IO);
            unlink(found[f]);
            assert_int_equal(mkdir(found[f], 0777), 0);
            refused(path, model, "a folder, not a file", PLIANT_ERROR_IO);
            rmdir(found[f]);
            write_text(found[f], "");
            assert_int_equal(pliant_writer_check(path, model, NULL, &error), PLIANT_OK); /* nothing is lost */
            was[0] ^= 1;
            write_bytes(found[f], was, size);
            free(was);
        }
        write_text("elsewhere", "a link is followed");
        unlink(found[0]);
        assert_int_equal(symlink(strchr(found[0] + 2, '/') ? "../elsewhere" : "elsewhere", found[0]), 0);
        refused(path, model, "there is a file that is not", PLIANT_ERROR_INPUT);
        clear_folder(state);
    }
    write_text("cache.obj", "a file where a folder would be");
    refused("cache.obj/", model, "a folder is to be written", PLIANT_ERROR_IO);
    pliant_model_destroy(model);
}

static pliant_code tick_off(const char *path, void *context, pliant_error *error)
{
    const char *spared = context;
    for (uint32_t f = 0; f < found_count; f++)
        if (strcmp(found[f] + 2, path) == 0) *found[f] = 0;
    if (strcmp(path, spared) != 0) return PLIANT_OK;
    *error = (pliant_error){.code = PLIANT_ERROR_INPUT};
    return error->code;
}

/* Every file of a cache is shown before it is replaced, until one is spared. */
static void what_is_replaced_is_shown(void **state)
{
    pliant_model *model = model_of("demo");
    for (uint32_t i = 0; pliant_format_at(i); i++) {
        const char  *path = bake_and_find(i, model);
        pliant_error error = {0};
        if (!path) continue;
        char spared[256];
        snprintf(spared, sizeof spared, "%.250s", found[0] + 2);
        assert_int_equal(pliant_writer_replaces(path, model, tick_off, (void *)"none", &error), PLIANT_OK);
        for (uint32_t f = 0; f < found_count; f++)
            if (*found[f]) fail_msg("%s: %s is not shown", path, found[f]);
        assert_int_not_equal(pliant_writer_replaces(path, model, tick_off, spared, &error), PLIANT_OK);
        assert_int_equal(error.code, PLIANT_ERROR_INPUT);
        clear_folder(state);
        assert_int_equal(pliant_writer_replaces(path, model, tick_off, (void *)"none", &error), PLIANT_OK);
    }
    assert_int_not_equal(pliant_writer_replaces("cache.pc2", model, NULL, NULL, NULL), PLIANT_OK);
    pliant_model_destroy(model);
}

/* What is beside a cache, and has no right name by chance: the work file of one that is not finished, a list's folder. */
static void what_is_beside_counts_too(void **state)
{
    static const struct {
        const char *cache, *beside;
    } pairs[] = {{"cache.mdd", "cache.mdd.part"},
                 {"cache.glb", "cache.glb.part"},
                 {"cache.usda", "cache.usda.part"},
                 {"cache.vtkhdf", "cache.xmf"},
                 {"cache.pvd", "cache.pvd"}};
    pliant_model *model = model_of("net");
    pliant_error  error = {0};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        write_text(pairs[i].beside, "notes of mine");
        refused(pairs[i].cache, model, "there is a file that is not", PLIANT_ERROR_INPUT);
        clear_folder(state);
    }
    write_text("cache", "a file where a list's folder would be");
    refused("cache.pvd", model, "a folder is to be written", PLIANT_ERROR_IO);
    clear_folder(state);
    for (uint32_t f = 0; pliant_format_at(f); f++) { /* that of a run that was killed is Pliant's, of this format alone */
        pliant_writer *writer = pliant_writer_open(path_for(pliant_format_at(f)), model, NULL, &error);
        pliant_state  *at = pliant_state_create(model, &error);
        char           part[64];
        uint64_t       there = 0;
        snprintf(part, sizeof part, "%s.part", path_for(pliant_format_at(f)));
        if (writer && pliant_writer_frame(writer, at, NULL) == PLIANT_OK && access(part, F_OK) == 0) {
            assert_int_equal(pliant_writer_check(path_for(pliant_format_at(f)), model, &there, &error), PLIANT_OK);
            assert_true(there > 0);
            assert_int_equal(rename(part, strcmp(part, "cache.mdd.part") ? "cache.mdd.part" : "cache.glb.part"), 0);
            refused(strcmp(part, "cache.mdd.part") ? "cache.mdd" : "cache.glb", model, "there is a file that is not", PLIANT_ERROR_INPUT);
        }
        pliant_writer_close(writer, NULL);
        pliant_state_destroy(at);
        clear_folder(state);
    }
    pliant_model_destroy(model);
}

/* What is not a frame's name stays out of it. */
static void other_files_of_a_folder_are_its_own(void **state)
{
    (void)state;
    pliant_model *model = model_of("net");
    pliant_error  error = {0};
    size_t        size;
    assert_int_equal(mkdir("mine", 0777), 0);
    write_text("mine/notes.txt", "notes");
    write_text("mine/net.obj", "not a frame");
    write_text("mine/other.0001.obj", "of another body");
    assert_int_equal(pliant_writer_check("mine/", model, NULL, &error), PLIANT_OK);
    bake("mine/", model, 2, NULL);
    char *text = read_whole("mine/other.0001.obj", &size);
    assert_string_equal(text, "of another body");
    free(text);
    pliant_model_destroy(model);
}

static void other_outputs_have_the_same_rule(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        size_t      size;
    } own[PLIANT_OUTPUT_COUNT] = {
        [PLIANT_OUTPUT_CHECKPOINT] = {"PLIANTK\0more", 12},
        [PLIANT_OUTPUT_COOKED] = {"PLIANTM\0more", 12},
        [PLIANT_OUTPUT_RECORDING] = {"PLIANTR\0more", 12},
        [PLIANT_OUTPUT_PNG] = {"\x89PNG\r\n\x1a\n\0\0", 10},
        [PLIANT_OUTPUT_MP4] = {"\0\0\0\x20"
                               "ftypisom",
                               12},
        [PLIANT_OUTPUT_GIF] = {"GIF89a", 6},
        [PLIANT_OUTPUT_CURVES] = {"method,iteration,ms,constraint", 30},
        [PLIANT_OUTPUT_ENERGY] = {"frame,time,kinetic,gravity,elastic", 34},
        [PLIANT_OUTPUT_CHART] = {"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=", 50},
        [PLIANT_OUTPUT_SCENE] = {"{\n  \"pliant\": 1,", 16},
        [PLIANT_OUTPUT_MESH] = {"# pliant mesh\nv 0 0 0", 21},
        [PLIANT_OUTPUT_MESH_PLY] = {"ply\nformat ascii 1.0\ncomment pliant mesh\nelement", 48},
        [PLIANT_OUTPUT_MESH_GMSH] = {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0", 58},
        [PLIANT_OUTPUT_MESH_VTK] = {"# vtk DataFile Version 3.0\npliant mesh\nASCII", 44},
        [PLIANT_OUTPUT_MESH_SCENE] =
            {"{\n    \"pliant\": 1,\n    \"frames\": 120,\n    \"solver\": {\"substeps\": 20},\n    \"bodies\": [\n"
             "        {\"type\": \"soft\", \"name\": \"body\", \"mesh\"",
             133},
        [PLIANT_OUTPUT_PROFILE] = {"{\"pliant_profile\": 1, ", 22},
    };
    pliant_error error = {0};
    for (int what = 0; what < PLIANT_OUTPUT_COUNT; what++) {
        unlink("out");
        assert_int_equal(pliant_output_check("out", (pliant_output)what, &error), PLIANT_OK);
        write_text("out", "");
        assert_int_equal(pliant_output_check("out", (pliant_output)what, &error), PLIANT_OK);
        write_bytes("out", own[what].head, own[what].size);
        assert_int_equal(pliant_output_check("out", (pliant_output)what, &error), PLIANT_OK);
        for (int other = 0; other < PLIANT_OUTPUT_COUNT; other++)
            assert_int_equal(pliant_output_check("out", (pliant_output)other, NULL) == PLIANT_OK, other == what);
        write_bytes("out", own[what].head, 3);
        assert_int_not_equal(pliant_output_check("out", (pliant_output)what, &error), PLIANT_OK);
        assert_int_equal(error.code, PLIANT_ERROR_INPUT);
        write_text("out", "notes");
        assert_int_not_equal(pliant_output_check("out", (pliant_output)what, &error), PLIANT_OK);
        assert_non_null(strstr(error.message, "it is not written over"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_bytes_are_foretold, clear_folder),
        cmocka_unit_test_teardown(space_is_that_of_the_folder, clear_folder),
        cmocka_unit_test_teardown(only_what_pliant_wrote_is_replaced, clear_folder),
        cmocka_unit_test_teardown(what_is_replaced_is_shown, clear_folder),
        cmocka_unit_test_teardown(what_is_beside_counts_too, clear_folder),
        cmocka_unit_test_teardown(other_files_of_a_folder_are_its_own, clear_folder),
        cmocka_unit_test_teardown(other_outputs_have_the_same_rule, clear_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
