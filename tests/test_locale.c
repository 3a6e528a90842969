/* Law: a program may have any locale, and what the libraries read, compute and write is the same to the byte. A comma for a point, digits in
 * groups, an i that is no I: German and Turkish are made here, as localedef makes them, where the system has none. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"

#include "pliant/io.h"
#include "pliant/pliant.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Every reader has numbers with points, and words with an i. */
static const char scene[] = "pliant: 1\nframes: 2\nfps: 29.97\n"
                            "solver: {substeps: 2, iterations: 2, METHOD, gravity: [0.125, -9.81, 0]}\n"
                            "materials: {Iris: {preset: silk, stretch: {compliance: 1.5e-7, damping: 0.25e-8}, thickness: 0.0125, "
                            "friction: {static: 0.5, dynamic: 0.4}}}\n"
                            "bodies:\n"
                            "  - {type: cloth, name: grid, cells: [3, 3], size: [1.5, 1.25], material: Iris, pins: [{side: -x}]}\n"
                            "  - {type: cloth, name: first, mesh: m.obj, scale: 1.5, position: [0.5, 1.5, 0]}\n"
                            "  - {type: cloth, name: second, mesh: m.PLY, velocity: [0.1, 0.2, 0.3]}\n"
                            "  - {type: soft, name: third, model: distance, mesh: m.node, material: {density: 1000.5}}\n"
                            "colliders:\n"
                            "  - {type: plane, offset: -0.75, friction: 0.5}\n";

static void write_inputs(void)
{
    write_text("m.obj", "v 0.125 0 0\nv 1.5 0.25 0\nv 1e0 1.0625 0\nv 0 1.5e-1 0.5\nf 1 2 3 4\n");
    write_text("m.PLY", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
                        "property list uchar int vertex_indices\nend_header\n0.5 0 0\n1.25 0 0\n1.25 1.5 0\n3 0 1 2\n");
    write_text("m.node", "4 3 0 0\n0 0.5 0.25 0\n1 1.5 0 0\n2 0 1.5 0\n3 0 0 1.125\n");
    write_text("m.ele", "1 4 0\n0 0 1 2 3\n");
}

/* Reads, runs and writes every kind of file into a folder. */
static void write_all(const char *folder)
{
    pliant_model_file file = {0};
    pliant_error      error = {0};
    char              path[64], text[8192];
    assert_true(snprintf(text, sizeof text, "mkdir %s", folder) > 0 && system(text) == 0);
    if (pliant_model_read("scene.yaml", NULL, &file, &error) != PLIANT_OK) fail_msg("%s:%d: %s", error.path, error.line, error.message);
    pliant_state  *state = pliant_state_create(file.model, NULL);
    pliant_solver *solver = pliant_solver_create(file.model, NULL, NULL);
    pliant_inputs *inputs = pliant_inputs_create(file.model, NULL);
    assert_true(state && solver && inputs);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pliant_inputs_reset(inputs, 1 / file.fps), PLIANT_OK);
        assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
    }
    for (uint32_t f = 0; pliant_format_at(f); f++) {
        pliant_write_def def = pliant_write_def_default();
        def.fps = file.fps;
        def.frames = 2;
        snprintf(path, sizeof path, "%s/cache%s", folder, pliant_format_at(f)->ending);
        pliant_writer *writer = pliant_writer_open(path, file.model, &def, &error);
        for (int i = 0; i < 2; i++)
            if (!writer || pliant_writer_frame(writer, state, &error) != PLIANT_OK) fail_msg("%s: %s", error.path, error.message);
        assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK);
        pliant_cache *cache = pliant_cache_open(path, file.model, &error);
        if (!cache) fail_msg("%s:%d: %s", error.path, error.line, error.message);
        pliant_cache_close(cache);
    }
    pliant_checkpoint c = pliant_checkpoint_default();
    c.method = pliant_model_settings(file.model).method;
    snprintf(path, sizeof path, "%s/check", folder);
    assert_true(pliant_checkpoint_write(path, state, &c, NULL) == PLIANT_OK && pliant_checkpoint_read(path, state, &c, NULL) == PLIANT_OK);
    snprintf(path, sizeof path, "%s/cooked.pliant", folder);
    assert_int_equal(pliant_cooked_write(path, file.model, 2, file.fps, NULL), PLIANT_OK);

    snprintf(path, sizeof path, "%s/texts", folder);
    FILE *texts = fopen(path, "wb");
    assert_non_null(texts);
    assert_true(pliant_method_write(&c.method, text, sizeof text) < sizeof text);
    fputs(text, texts);
    assert_int_equal(pliant_method_read(text, &c.method, NULL), PLIANT_OK);
    for (uint32_t i = 0; i < pliant_model_solved_count(file.model); i++) {
        assert_in_range(pliant_order_entry(file.scene, file.model, i, text, sizeof text), 1, sizeof text - 1);
        fputs(text, texts);
    }
    assert_int_equal(fclose(texts), 0);
    snprintf(path, sizeof path, "%s/schema", folder);
    const size_t size = pliant_scene_schema(NULL, 0) + 1;
    char        *schema = malloc(size);
    assert_int_equal(pliant_scene_schema(schema, size), size - 1);
    write_bytes(path, schema, size);
    free(schema);
    pliant_inputs_destroy(inputs);
    pliant_solver_destroy(solver);
    pliant_state_destroy(state);
    pliant_model_close(&file);
}

/* Sets a locale, made in this folder if it is not installed. False if that cannot be. */
static bool enter(const char *name, const char *source)
{
    char command[256], here[512];
    unsetenv("LOCPATH"); /* the C library remembers where it has found nothing */
    if (setlocale(LC_ALL, name)) return true;
    snprintf(command, sizeof command, "localedef -c -i %s -f UTF-8 ./%s >/dev/null 2>&1", source, name);
    if (system(command) == -1 || !getcwd(here, sizeof here)) return false;
    setenv("LOCPATH", here, 1);
    return setlocale(LC_ALL, name) != NULL;
}

static void same_bytes_in(const char *name, const char *source)
{
    char command[256], text[2048];
    if (!enter(name, source)) {
        print_message("skipped: there is no locale %s, and localedef cannot make it (Debian's package locales)\n", name);
        skip();
    }
    assert_string_equal(localeconv()->decimal_point, ",");
    write_inputs();
    for (uint32_t m = 0; m < 2; m++) {
        static const char *const methods[] = {"method: jacobi, relaxation: 1.25", "method: chebyshev, spectral_radius: 0.875"};
        const size_t             head = (size_t)(strstr(scene, "METHOD") - scene);
        snprintf(text, sizeof text, "%.*s%s%s", (int)head, scene, methods[m], scene + head + strlen("METHOD"));
        write_text("scene.yaml", text);
        setlocale(LC_ALL, "C");
        write_all("plain");
        assert_non_null(setlocale(LC_ALL, name));
        write_all("foreign");
        assert_string_equal(localeconv()->decimal_point, ","); /* it is the program's, and stays */
        setlocale(LC_ALL, "C");
        snprintf(command, sizeof command, "diff -r plain foreign && rm -r plain foreign");
        assert_int_equal(system(command), 0);
    }
}

static void german(void **unused)
{
    (void)unused;
    same_bytes_in("de_DE.UTF-8", "de_DE");
}

static void turkish(void **unused)
{
    (void)unused;
    same_bytes_in("tr_TR.UTF-8", "tr_TR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(german, clear_folder),
        cmocka_unit_test_setup(turkish, clear_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
