/* Laws of animated USD text as input: points and transforms by time are where the file has them, whatever else stands in it; and what is cut off,
 * damaged or makes no sense is refused with its line. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"

#include "io/motion/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char notices[512];
static void keep_notice(void *context, const char *text)
{
    (void)context;
    snprintf(notices, sizeof notices, "%s", text);
}

static bool open_text(pliant__points *p, const char *text, const char *object, pliant_error *error)
{
    const pliant__points_def def = {.fps = 24, .object = object, .notice = keep_notice};
    *notices = 0;
    *error = (pliant_error){0};
    return pliant__points_open_bytes(p, "a.usda", text, strlen(text), &def, error);
}

/* As Blender writes it, with what else it writes. */
static const char body[] =
    "#usda 1.0\n(\n    doc = \"\"\"Blender \"v4\" {\n\"\"\"\n    endTimeCode = 3\n    metersPerUnit = 0.01\n    startTimeCode = 1\n"
    "    timeCodesPerSecond = 12\n    upAxis = \"Z\"\n    customLayerData = { string a = \"}\" }\n)\n\n"
    "def Xform \"Body\" (\n    prepend apiSchemas = [\"A\"]\n    kind = \"component\"\n)\n{\n"
    "    float3 xformOp:rotateXYZ = (0, -0, 90)\n    double3 xformOp:translate.timeSamples = {\n        1: (0, 0, 0),\n        3: (4, 0, "
    "0),\n    }\n"
    "    float3 xformOp:scale = (1, 1, 2)\n"
    "    uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateXYZ\", \"xformOp:scale\"]\n\n"
    "    def Mesh \"Body_mesh\" (\n        active = true\n    )\n    {\n        uniform bool doubleSided = 1\n        float3[] extent = "
    "[(-1, -1, -1), (1, 1, 1)]\n"
    "        int[] faceVertexCounts = [3]\n        int[] faceVertexIndices = [0, 1, 2]\n        rel material:binding = </_materials/M>\n"
    "        normal3f[] normals = [(0, 0, 1), (0, 0, 1)] (\n            interpolation = \"faceVarying\"\n        )\n"
    "        point3f[] points = [(9, 9, 9), (9, 9, 9)]\n"
    "        point3f[] points.timeSamples = {\n            1: [(1, 0, 0), (0, 1, 1)],\n            2: [(1, 0, 0), (0, 1, 2)], # two\n"
    "            2.5: [(2, 0, 0), (0, 1, 2e0)],\n        }\n        texCoord2f[] primvars:st = [(0, 0)] (\n            interpolation = "
    "\"vertex\"\n        )\n"
    "        token outputs:surface.connect = </M.out>\n        asset inputs:file = @./a)b.png@\n        custom string note\n    }\n}\n\n"
    "over \"Body\"\n{\n    point3f[] points = [(7, 7, 7)]\n}\n\nclass \"C\" { def Points \"hidden\" { point3f[] points = [(8, 8, 8)] } "
    "}\n\n"
    "def Points \"Dust\"\n{\n    point3f[] points = [(0, 0, 5)]; float[] widths = [0.1]\n}\n";

static void points_and_transforms_by_time_are_where_they_are_said_to_be(void **state)
{
    (void)state;
    static const double numbers[] = {1, 2, 2.5, 3};
    /* Scaled by 1 1 2, turned by 90 degrees about z, and moved. */
    static const double places[4][3][3] = {{{0, 1, 0}, {-1, 0, 2}, {0, 0, 5}},
                                           {{2, 1, 0}, {1, 0, 4}, {0, 0, 5}},
                                           {{3, 2, 0}, {2, 0, 4}, {0, 0, 5}},
                                           {{4, 2, 0}, {3, 0, 4}, {0, 0, 5}}};
    pliant__points      p;
    pliant_error        error;
    pliant_vec3         x[3];
    if (!open_text(&p, body, NULL, &error)) fail_msg("%d: %s", error.line, error.message);
    assert_int_equal(p.vertices, 3);
    assert_int_equal(p.samples, 4);
    assert_true(p.unit == 0.01 && p.up == 'z');
    for (uint32_t k = 0; k < 4; k++) {
        assert_true(pliant__points_number(&p, k) == numbers[k] && fabs(p.times[k] - numbers[k] / 12) < 1e-12);
        assert_true(pliant__points_read(&p, k, x, &error));
        for (int v = 0; v < 3; v++) {
            const double *to = places[k][v];
            if (fabs((double)x[v].x - to[0]) > 1e-6 || fabs((double)x[v].y - to[1]) > 1e-6 || fabs((double)x[v].z - to[2]) > 1e-6)
                fail_msg("sample %u, point %d: %g %g %g", k, v, (double)x[v].x, (double)x[v].y, (double)x[v].z);
        }
    }
    pliant__points_close(&p);
    assert_true(open_text(&p, body, "Dust", &error));
    assert_true(p.vertices == 1 && p.samples == 1);
    pliant__points_close(&p);
    assert_true(open_text(&p, body, "Body", &error));
    assert_int_equal(p.vertices, 2);
    pliant__points_close(&p);
    assert_false(open_text(&p, body, "Hat", &error));
    assert_string_equal(error.message, "there are no points of \"Hat\"; the first are of \"Body_mesh\"");
    pliant__points_close(&p);
}

/* What TinyUSDZ 0.9 has written (tests/clients/usda.mjs): a mesh in a frame that goes and is turned, in centimetres, z up; and one that is not active. */
static void what_tinyusdz_writes_is_where_it_has_it(void **state)
{
    (void)state;
    static const double corners[4][2] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
    pliant__points      p;
    pliant_error        error;
    pliant_vec3         x[4];
    size_t              size;
    char               *text = read_whole(PLIANT_SOURCE_DIR "/tests/animated/tinyusdz.usda", &size);
    if (!open_text(&p, text, NULL, &error)) fail_msg("%d: %s", error.line, error.message);
    assert_true(p.vertices == 4 && p.samples == 3 && p.unit == 0.01 && p.up == 'z');
    for (uint32_t k = 0; k < 3; k++) {
        assert_true(pliant__points_number(&p, k) == k + 1);
        assert_true(pliant__points_read(&p, k, x, &error));
        for (int v = 0; v < 4; v++) { /* turned by 90 degrees about z, then moved */
            const double to[3] = {-corners[v][1], corners[v][0] + 25 * k, 100 + (double)k * (v + 1)};
            if (fabs((double)x[v].x - to[0]) > 1e-4 || fabs((double)x[v].y - to[1]) > 1e-4 || fabs((double)x[v].z - to[2]) > 1e-4)
                fail_msg("sample %u, point %d: %g %g %g", k, v, (double)x[v].x, (double)x[v].y, (double)x[v].z);
        }
    }
    pliant__points_close(&p);
    free(text);
}

/* A prim with "active = false" in its metadata is not there, nor is what it has inside; the same words elsewhere say nothing of it. */
static void what_is_not_active_is_not_there(void **state)
{
    (void)state;
    static const struct {
        const char *outer, *inner;
        uint32_t    vertices; /* of two meshes of one point each, the second of which is the inner one */
    } rows[] = {
        {"", "", 2},
        {"", "(active = false)", 1},
        {"", "(\n  kind = \"component\"\n  active = false\n)", 1},
        {"(active = 0)", "", 1},
        {"(active = true)", "(active = 1)", 2},
        {"(active = false)", "(active = true)", 1},
        {"", "(customData = {\n bool active = 0\n})", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char           text[1024];
        pliant__points p;
        pliant_error   error;
        snprintf(
            text, sizeof text,
            "#usda 1.0\ndef Mesh \"m\" {\npoint3f[] points = [(0, 0, 0)]\n}\ndef \"a\" %s {\ndef Mesh \"n\" %s {\npoint3f[] points = [(1, "
            "0, 0)]\n}\n}\n",
            rows[i].outer, rows[i].inner);
        if (!open_text(&p, text, NULL, &error)) fail_msg("%zu: %s", i, error.message);
        assert_int_equal(p.vertices, rows[i].vertices);
        pliant__points_close(&p);
    }
}

/* One point at 1 2 3 under each op. */
static void every_op_moves_as_usd_has_it(void **state)
{
    (void)state;
    static const struct {
        const char *ops, *order;
        double      x[3];
    } rows[] = {
        {"double3 xformOp:translate = (10, 0, 0)", "\"xformOp:translate\"", {11, 2, 3}},
        {"double3 xformOp:translate = (10, 0, 0)", "", {1, 2, 3}},
        {"float3 xformOp:scale = (2, 3, 4)", "\"xformOp:scale\"", {2, 6, 12}},
        {"float xformOp:rotateX = 90", "\"xformOp:rotateX\"", {1, -3, 2}},
        {"float xformOp:rotateY = 90", "\"xformOp:rotateY\"", {3, 2, -1}},
        {"float xformOp:rotateZ = 90", "\"xformOp:rotateZ\"", {-2, 1, 3}},
        {"float3 xformOp:rotateXYZ = (90, 0, 90)", "\"xformOp:rotateXYZ\"", {3, 1, 2}},
        {"float3 xformOp:rotateZYX = (90, 0, 90)", "\"xformOp:rotateZYX\"", {-2, -3, 1}},
        {"quatf xformOp:orient = (0.70710678, 0, 0, 0.70710678)", "\"xformOp:orient\"", {-2, 1, 3}},
        {"matrix4d xformOp:transform = ( (0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (5, 6, 7, 1) )", "\"xformOp:transform\"", {3, 7, 10}},
        {"double3 xformOp:translate = (10, 0, 0)\nfloat xformOp:rotateZ = 90", "\"xformOp:translate\", \"xformOp:rotateZ\"", {8, 1, 3}},
        {"double3 xformOp:translate = (10, 0, 0)\nfloat xformOp:rotateZ = 90", "\"xformOp:rotateZ\", \"xformOp:translate\"", {-2, 11, 3}},
        {"double3 xformOp:translate:pivot = (1, 2, 0)\nfloat xformOp:rotateZ = 90",
         "\"xformOp:translate:pivot\", \"xformOp:rotateZ\", \"!invert!xformOp:translate:pivot\"",
         {1, 2, 3}},
        {"float3 xformOp:scale = (2, 4, 8)\ndouble3 xformOp:translate = (4, 0, 0)",
         "\"!invert!xformOp:scale\", \"xformOp:translate\"",
         {2.5, 0.5, 0.375}},
        {"double3 xformOp:translate = (10, 0, 0)", "\"!resetXformStack!\", \"xformOp:translate\"", {11, 2, 2}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char           text[1024];
        pliant__points p;
        pliant_error   error;
        pliant_vec3    x;
        const bool     reset = strstr(rows[i].order, "reset") != NULL;
        snprintf(text, sizeof text,
                 "#usda 1.0\ndef \"a\" { double3 xformOp:translate = (0, 0, %d)\n uniform token[] xformOpOrder = [\"xformOp:translate\"]\n "
                 "def Mesh \"m\" {\n point3f[] points = [(1, 2, "
                 "%d)]\n %s\n uniform token[] xformOpOrder = [%s]\n}}",
                 reset ? 1 : 0, reset ? 2 : 3, rows[i].ops, rows[i].order);
        if (!open_text(&p, text, NULL, &error) || !pliant__points_read(&p, 0, &x, &error)) fail_msg("%s: %s", rows[i].ops, error.message);
        if (fabs((double)x.x - rows[i].x[0]) > 1e-5 || fabs((double)x.y - rows[i].x[1]) > 1e-5 || fabs((double)x.z - rows[i].x[2]) > 1e-5)
            fail_msg("%s, %s: %g %g %g", rows[i].ops, rows[i].order, (double)x.x, (double)x.y, (double)x.z);
        assert_true(p.unit == 0 && p.up == 0);
        pliant__points_close(&p);
    }
}

static void mistakes_are_named_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
        int         line;
    } rows[] = {
        {"", "the first line is no \"#usda 1.0\"", 1},
        {"PXR-USDC", "the first line is no", 1},
        {"#usda 1.0\n", "there are no points in it", 0},
        {"#usda 1.0\n(\nmetersPerUnit = 0\n)", "must be a number above 0", 3},
        {"#usda 1.0\ndef Mesh \"m\"\n{\npoint3f[] points = [(0, 0, 0), (1, 1, 1)\n}", "", 0},
        {"#usda 1.0\ndef Mesh \"m\"\n{\npoint3f[] points = [(0, 0, 0)]\n", "within a prim: cut off", 5},
        {"#usda 1.0\ndef Mesh \"m\"\n{\npoint3f[] points = [(0, 0, x)]\n}", "\"x\" where a number should be", 4},
        {"#usda 1.0\ndef Mesh \"m\"\n{\npoint3f[] points = [(0, 0), (0, 0)]\n}", "\"]\" where a number should be", 4},
        {"#usda 1.0\ndef Mesh \"m\"\n{\npoint3f[] points = [(0, 0, 0, 7), (1, 0, 0)]\n}", "a point that has not three numbers", 4},
        {"#usda 1.0\ndef Mesh \"m\"\n{\npoint3f[] points = [(1, 0, 0),\n(0, 0, 0, 7)]\n}", "a point that has not three numbers", 5},
        {"#usda 1.0\ndef Mesh \"m\"\n{\npoint3f[] points = [(0, 0), (0, 0, 0, 0)]\n}", "a point that has not three numbers", 4},
        {"#usda 1.0\ndef Mesh \"m\"\n{\npoint3f[] points.timeSamples = { 1: [(0, 0, (0))] }\n}", "a point that has not three numbers", 4},
        {"#usda 1.0\ndef Mesh \"m\" {\npoint3f[] points = [(0, 0, 0)]\nfloat3 xformOp:scale = (1, 1, 1, 1)\nuniform token[] xformOpOrder = "
         "[\"xformOp:scale\"]\n}",
         "\",\" where \")\" should be", 4},
        {"#usda 1.0\ndef Mesh \"m\"\n{\npoint3f[] points = [(0, 0, nan)]\n}", "number should be", 4},
        {"#usda 1.0\ndef Mesh \"m\"\n{\npoint3f[] points = [(0, 0, 1e12)]\n}", "more than a million kilometres away", 0},
        {"#usda 1.0\ndef Mesh \"m\"\n{\npoint3f[] points.timeSamples = { 2: [(0, 0, 0)],\n1: [(0, 0, 0)] }\n}",
         "time samples do not ascend", 5},
        {"#usda 1.0\ndef Mesh \"m\"\n{\npoint3f[] points.timeSamples = { 1: [(0, 0, 0)],\n2: [(0, 0, 0), (0, 0, 0)] }\n}",
         "2 points at time 2, and 1 at first", 5},
        {"#usda 1.0\ndef Mesh \"m\"\n{\npoint3f[] points.timeSamples = { a: [(0, 0, 0)] }\n}", "a time should be here", 4},
        {"#usda 1.0\ndef Mesh m\n{\n}", "a prim needs a name", 2},
        {"#usda 1.0\ndef Mesh \"m\" (\nactive = maybe\n)\n{\n}", "active must be true or false", 3},
        {"#usda 1.0\ndef Mesh \"m\" (\nactive = )\n{\n}", "active must be true or false", 3},
        {"#usda 1.0\ndef Mesh \"m\" (\nkind = \"a\" ]\n{\n}", "\"]\" where \")\" should be", 3},
        {"#usda 1.0\ndef Mesh \"m\" (\nkind = \"a\"\n", "it ends here: cut off", 4},
        {"#usda 1.0\n}", "a \"}\" that nothing opens", 2},
        {"#usda 1.0\ndef Mesh \"m\n", "a text that does not end", 2},
        {"#usda 1.0\ndef Mesh \"m\" {\npoint3f[] points = [(0, 0, 0)]\nuniform token[] xformOpOrder = [\"xformOp:wobble\"]\n}",
         "xformOp:wobble is not known", 4},
        {"#usda 1.0\ndef Mesh \"m\" {\npoint3f[] points = [(0, 0, 0)]\nfloat3 xformOp:scale = (0, 1, 1)\nuniform token[] xformOpOrder = "
         "[\"!invert!xformOp:scale\"]\n}",
         "has no inverse", 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pliant__points p;
        pliant_error   error;
        pliant_vec3    x[4];
        const bool     ok = open_text(&p, rows[i].text, NULL, &error) && pliant__points_read(&p, 0, x, &error);
        pliant__points_close(&p);
        if (ok || !strstr(error.message, rows[i].says)) fail_msg("%zu: \"%s\" has not \"%s\"", i, error.message, rows[i].says);
        assert_int_equal(error.code, PLIANT_ERROR_INPUT);
        if (*rows[i].says && error.line != rows[i].line) fail_msg("%zu: line %d", i, error.line);
    }
}

/* 64 prims inside each other are read, and one more is refused, as lists in JSON are. */
static void prims_are_64_deep_at_the_most(void **state)
{
    (void)state;
    for (int deep = 64; deep <= 65; deep++) {
        char           text[2048] = "#usda 1.0\n";
        pliant__points p;
        pliant_error   error;
        for (int i = 1; i < deep; i++) strcat(text, "def \"a\" {\n");
        strcat(text, "def Mesh \"m\" { point3f[] points = [(0, 0, 0)] }");
        for (int i = 1; i < deep; i++) strcat(text, "}");
        const bool ok = open_text(&p, text, NULL, &error);
        pliant__points_close(&p);
        if (ok != (deep == 64)) fail_msg("%d: %s", deep, error.message);
        if (ok) continue;
        assert_string_equal(error.message, "more than 64 prims inside each other");
        assert_int_equal(error.line, 66);
    }
}

static void a_skeleton_is_said_not_to_be_played(void **state)
{
    (void)state;
    pliant__points p;
    pliant_error   error;
    assert_true(open_text(&p, "#usda 1.0\ndef Mesh \"m\" { point3f[] points = [(0, 0, 0)] }\ndef SkelAnimation \"a\" { }", NULL, &error));
    assert_non_null(strstr(notices, "a skeleton's animation, which is not played"));
    pliant__points_close(&p);
}

static bool survives(const char *data, size_t size)
{
    pliant__points p;
    pliant_error   error = {0};
    pliant_vec3    x[64];
    char          *own = malloc(size ? size : 1); /* no byte more than there is, so that one too many is seen */
    assert_non_null(own);
    memcpy(own, data, size);
    bool ok = pliant__points_open_bytes(&p, "a.usda", own, size, NULL, &error);
    for (uint32_t k = 0; ok && p.vertices <= 64 && k < p.samples && k < 16; k++) ok = pliant__points_read(&p, k, x, &error);
    if (!ok && error.code != PLIANT_ERROR_INPUT) fail_msg("code %d: %s", error.code, error.message);
    pliant__points_close(&p);
    free(own);
    return ok;
}

static void damage_is_an_error_or_another_stage(void **state)
{
    (void)state;
    static char  other[sizeof body];
    const size_t size = strlen(body);
    uint32_t     refused = 0;
    assert_true(survives(body, size));
    for (size_t cut = 0; cut < size; cut++) refused += !survives(body, cut);
    for (int i = 0; i < 10000; i++) {
        memcpy(other, body, size);
        for (int k = 0; k < 3; k++)
            other[random_bits() % size] = i % 2 ? (char)random_bits() : "0123456789-.,[](){}\"<"[random_bits() % 21];
        refused += !survives(other, size);
    }
    assert_true(refused > 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_transforms_by_time_are_where_they_are_said_to_be),
        cmocka_unit_test(what_tinyusdz_writes_is_where_it_has_it),
        cmocka_unit_test(what_is_not_active_is_not_there),
        cmocka_unit_test(every_op_moves_as_usd_has_it),
        cmocka_unit_test(mistakes_are_named_with_their_line),
        cmocka_unit_test(prims_are_64_deep_at_the_most),
        cmocka_unit_test(a_skeleton_is_said_not_to_be_played),
        cmocka_unit_test(damage_is_an_error_or_another_stage),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
