/* Laws of reading texture coordinates of a glTF that are whole numbers: in how much memory and time, and of which nodes. */
#include "files.h"

#include "base/alloc.h"
#include "io/mesh/gltf_uvs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FLOAT = 5126, SHORT = 5123 };

/* `nodes` of one mesh of `count` vertices, which are nowhere in the file and so are 0; `key`: of the texture coordinates. */
static void make_nodes(uint32_t nodes, uint64_t count, int component, const char *key)
{
    FILE *f = fopen("m.gltf", "wb");
    assert_non_null(f);
    fprintf(f,
            "{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"%s\":1}}]}],\"accessors\":"
            "[{\"componentType\":5126,\"count\":%llu,\"type\":\"VEC3\"},{\"componentType\":%d,\"normalized\":true,\"count\":%llu,"
            "\"type\":\"VEC2\"}],\"scenes\":[{\"nodes\":[",
            key, (unsigned long long)count, component, (unsigned long long)count);
    for (uint32_t i = 0; i < nodes; i++) fprintf(f, "%s%u", i ? "," : "", i);
    fprintf(f, "]}],\"nodes\":[");
    for (uint32_t i = 0; i < nodes; i++) fprintf(f, "%s{\"mesh\":0}", i ? "," : "");
    fprintf(f, "]}");
    fclose(f);
}

static bool read_uvs(const pliant_import_def *def, float **uvs, uint64_t *vertices, pliant_error *error)
{
    *error = (pliant_error){0};
    *vertices = 0;
    return pliant__gltf_uvs("m.gltf", def, uvs, vertices, error);
}

static void whole_numbers_take_no_more_memory_than_they_may(void **unused)
{
    static const struct {
        uint32_t    nodes;
        uint64_t    count;
        const char *what; /* NULL: it is read */
    } rows[] = {{1, 32768, NULL},
                {1, 32769, "its reader needs more memory than it may have"},
                {1, 500000000, "its reader needs more memory than it may have"},
                {128, 256, NULL},
                {129, 256, "its reader needs more memory than it may have"},
                {200, (uint64_t)1 << 52, "too many vertices"}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pliant_import_def def = pliant_import_def_default();
        pliant_error      error;
        float            *uvs;
        uint64_t          vertices;
        def.memory = 1 << 20;
        make_nodes(rows[i].nodes, rows[i].count, SHORT, "TEXCOORD_0");
        const bool ok = read_uvs(&def, &uvs, &vertices, &error);
        if (ok != !rows[i].what || (!ok && !strstr(error.message, rows[i].what))) fail_msg("%zu: %s", i, error.message);
        assert_true(ok ? uvs && vertices == rows[i].nodes * rows[i].count : !uvs);
        pliant__free(NULL, uvs);
    }
}

/* They are pliant-import's, however many the file says. */
static void floats_take_no_memory(void **unused)
{
    const pliant_import_def def = pliant_import_def_default();
    pliant_error            error;
    float                  *uvs;
    uint64_t                vertices;
    (void)unused;
    make_nodes(4, (uint64_t)1 << 40, FLOAT, "TEXCOORD_0");
    if (!read_uvs(&def, &uvs, &vertices, &error)) fail_msg("%s", error.message);
    assert_null(uvs);
}

static void reading_ends_when_its_time_does(void **unused)
{
    pliant_import_def def = pliant_import_def_default();
    pliant_error      error;
    float            *uvs;
    uint64_t          vertices;
    (void)unused;
    def.seconds = 1e-12;
    make_nodes(1, 1 << 20, SHORT, "TEXCOORD_0");
    assert_false(read_uvs(&def, &uvs, &vertices, &error));
    assert_non_null(strstr(error.message, "the reader of glTF took longer than 1e-12 s"));
    assert_null(uvs);
}

static void a_node_that_is_in_the_tree_twice_is_refused_where_it_is_named(void **unused)
{
    static const struct {
        const char *scene, *nodes, *what;
    } rows[] = {{"0", "{\"children\":[1,2]},{},{}", NULL},
                {"0", "{\"children\":[1,1]},{},{}", "nodes[0].children[1]: a node is in the tree twice"},
                {"0", "{\"children\":[0]},{},{}", "nodes[0].children[0]: a node is in the tree twice"},
                {"0", "{\"children\":[1]},{\"children\":[2]},{\"children\":[1]},{}", "nodes[2].children[0]: a node is in the tree twice"},
                {"0,1", "{\"children\":[1]},{},{}", "nodes[0].children[0]: a node is in the tree twice"},
                {"1,1", "{},{},{}", "scenes[0].nodes[1]: a node is in the tree twice"},
                {"0", "{\"children\":[0,0,0,0,0]},{},{}", "nodes[0].children: a node is in the tree twice"}};
    const pliant_import_def def = pliant_import_def_default();
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char         text[400];
        pliant_error error;
        float       *uvs;
        uint64_t     vertices;
        snprintf(text, sizeof text,
                 "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[%s],\"name\":\"TEXCOORD_0\"}],\"nodes\":[%s]}", rows[i].scene,
                 rows[i].nodes);
        write_text("m.gltf", text);
        const bool ok = read_uvs(&def, &uvs, &vertices, &error);
        if (ok != !rows[i].what || (!ok && !strstr(error.message, rows[i].what))) fail_msg("%zu: %s", i, error.message);
    }
}

static void a_name_is_the_same_however_it_is_written(void **unused)
{
    static const struct {
        const char *key;
        bool        same;
    } rows[] = {{"TEXCOORD_0", true},
                {"TEXCOORD\\u005f0", true},
                {"TEXCOORD\\u005F0", true},
                {"\\u0054EXCOORD_\\u0030", true},
                {"\\u0054\\u0045\\u0058\\u0043\\u004f\\u004F\\u0052\\u0044\\u005f\\u0030", true},
                {"TEXCOORD\\u005e0", false},
                {"TEXCOORD\\u015f0", false},
                {"TEXCOORD_1", false},
                {"texcoord_0", false}};
    const pliant_import_def def = pliant_import_def_default();
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pliant_error error;
        float       *uvs;
        uint64_t     vertices;
        make_nodes(2, 3, SHORT, rows[i].key);
        if (!read_uvs(&def, &uvs, &vertices, &error)) fail_msg("%s: %s", rows[i].key, error.message);
        if (!uvs == rows[i].same) fail_msg("%s", rows[i].key);
        assert_int_equal(vertices, rows[i].same ? 6 : 0);
        pliant__free(NULL, uvs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_take_no_more_memory_than_they_may),
        cmocka_unit_test(floats_take_no_memory),
        cmocka_unit_test(reading_ends_when_its_time_does),
        cmocka_unit_test(a_node_that_is_in_the_tree_twice_is_refused_where_it_is_named),
        cmocka_unit_test(a_name_is_the_same_however_it_is_written),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
