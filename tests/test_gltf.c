/* Laws of animated glTF as input: what Blender exports is where Blender has it; each interpolation, morph target, joint and node does what the
 * specification says; numbers lie wherever accessors may have them; and whatever else a file says, it is refused in one line. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"

#include "io/motion/points.h"
#include "pliant/io.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 256 };

/* ---- Blender's ---- */

typedef struct placed {
    int    frame;
    double x[3];
} placed;

static size_t read_places(const char *path, placed *out)
{
    size_t count = 0;
    FILE  *f = fopen(path, "r");
    assert_non_null(f);
    while (count < 3 * MOST && fscanf(f, "%d %lf %lf %lf", &out[count].frame, &out[count].x[0], &out[count].x[1], &out[count].x[2]) == 4)
        count++;
    assert_int_equal(fclose(f), 0);
    return count;
}

static double distance(pliant_vec3 a, const double b[3])
{
    const double x = (double)a.x - b[0], y = (double)a.y - b[1], z = (double)a.z - b[2];
    return sqrt(x * x + y * y + z * z);
}

static uint32_t sample_of(const pliant__points *p, double frame)
{
    for (uint32_t i = 0; i < p->samples; i++)
        if (fabs(pliant__points_number(p, i) - frame) < 1e-3) return i;
    fail_msg("there is no frame %g", frame);
    return 0;
}

/* A vertex of Blender's is one or more of the file's, found in the first frame: where it is then, they are. */
static void what_blender_exports_is_where_blender_has_it(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text;
        double      by, between; /* m; and in the frame between two keys, where splines of angles and of quaternions differ */
    } rows[] = {{"skin.glb", "skin.txt", 1e-5, 1e-5}, {"shapes.gltf", "shapes.txt", 1e-5, 1e-5}, {"nodes.glb", "nodes.txt", 1e-5, 3e-2}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        static placed            places[3 * MOST];
        static pliant_vec3       first[4 * MOST], now[4 * MOST];
        char                     path[512];
        pliant__points           p;
        pliant_error             error = {0};
        const pliant__points_def def = {.fps = 24};
        snprintf(path, sizeof path, "%s/tests/animated/%s", PLIANT_SOURCE_DIR, rows[r].text);
        const size_t count = read_places(path, places), each = count / 3;
        snprintf(path, sizeof path, "%s/tests/animated/%s", PLIANT_SOURCE_DIR, rows[r].file);
        if (!pliant__points_open(&p, path, &def, &error)) fail_msg("%s: %s", path, error.message);
        assert_true(p.vertices >= each && p.vertices < 4 * MOST && each > 0);
        assert_true(pliant__points_read(&p, sample_of(&p, places[0].frame), first, &error));
        for (size_t i = 0; i < count; i++) {
            const double by = i / each == 1 ? rows[r].between : rows[r].by;
            uint32_t     own = 0;
            if (i % each == 0) assert_true(pliant__points_read(&p, sample_of(&p, places[i].frame), now, &error));
            for (uint32_t v = 0; v < p.vertices; v++) {
                if (distance(first[v], places[i % each].x) > 1e-5) continue;
                own++;
                if (distance(now[v], places[i].x) > by)
                    fail_msg("%s: frame %d, vertex %zu: %g m off", rows[r].file, places[i].frame, i % each, distance(now[v], places[i].x));
            }
            assert_true(own > 0);
        }
        pliant__points_close(&p);
    }
}
/* ---- files made here ---- */

typedef struct bytes {
    unsigned char data[1024];
    size_t        size;
} bytes;

static void put(bytes *b, uint32_t value, int size)
{
    for (int i = 0; i < size; i++) b->data[b->size++] = (unsigned char)(value >> 8 * i);
}

static void put_floats(bytes *b, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], 4);
        put(b, bits, 4);
    }
}

#define PUT(b, ...) put_floats((b), (const float[]){__VA_ARGS__}, sizeof((const float[]){__VA_ARGS__}) / sizeof(float))

enum { AT_SHORTS = 328, BUFFER = 528 };

static bytes buffer(void)
{
    bytes       b = {.size = 0};
    const float s = (float)sqrt(0.5);
    PUT(&b, 0, 0, 0, 1, 0, 0, 0, 1, 0);                                                              /* 0: three vertices */
    PUT(&b, 0, 1, 3);                                                                                /* 36: times */
    PUT(&b, 0, 0, 0, 2, 0, 0, 2, 4, 0);                                                              /* 48: translations */
    PUT(&b, 0, 0, 0, 1, 0, 0, s, s, 0, 0, 1, 0);                                                     /* 84: rotations about z */
    PUT(&b, 9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 2, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 2, 4, 0, 9, 9, 9);        /* 132: splines */
    PUT(&b, 0, 0, 1, 0, 0, 1, 0, 0, 1);                                                              /* 240: a morph target */
    PUT(&b, 0, 1, 0.5f);                                                                             /* 276: its weights */
    for (int v = 0; v < 3; v++) put(&b, v == 1 ? 0x0100 : v == 2 ? 1 : 0, 4);                        /* 288: joints */
    for (int v = 0; v < 3; v++) put(&b, v == 1 ? 0xcc33 : 255, 4);                                   /* 300: their weights: 0.2 and 0.8 */
    put(&b, 1, 4);                                                                                   /* 312: which is sparse */
    PUT(&b, 5, 6, 7);                                                                                /* 316: where it is */
    for (int v = 0; v < 3; v++) put(&b, v == 1 ? 32767 : v == 2 ? 0x80010000 : 0, 4), put(&b, 0, 4); /* 328: short ones, 8 bytes apart */
    PUT(&b, 0, 2, 1);                                                                                /* 352: times that go back */
    for (int j = 0; j < 2; j++) PUT(&b, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, j ? -5.0f : 0.0f, 1); /* 364: inverse bind matrices */
    PUT(&b, 0, NAN, 0, 0, 0, 0, 2e9f, 0, 0);                                                            /* 492: no places */
    assert_int_equal(b.size, BUFFER);
    return b;
}

static const char parts[] =
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":528},{\"buffer\":0,\"byteOffset\":328,\"byteLength\":24,\"byteStride\":8},"
    "{\"buffer\":0,\"byteOffset\":312,\"byteLength\":2},{\"buffer\":0,\"byteOffset\":316,\"byteLength\":12}],\n\"accessors\":["
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"                                        /* 0 */
    "{\"bufferView\":0,\"byteOffset\":36,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"},"                    /* 1 */
    "{\"bufferView\":0,\"byteOffset\":48,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"                      /* 2 */
    "{\"bufferView\":0,\"byteOffset\":84,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"                      /* 3 */
    "{\"bufferView\":0,\"byteOffset\":132,\"componentType\":5126,\"count\":9,\"type\":\"VEC3\"},"                     /* 4 */
    "{\"bufferView\":0,\"byteOffset\":240,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"                     /* 5 */
    "{\"bufferView\":0,\"byteOffset\":276,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"},"                   /* 6 */
    "{\"bufferView\":0,\"byteOffset\":288,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"                     /* 7 */
    "{\"bufferView\":0,\"byteOffset\":300,\"componentType\":5121,\"normalized\":true,\"count\":3,\"type\":\"VEC4\"}," /* 8 */
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":2,"
    "\"componentType\":5123},"
    "\"values\":{\"bufferView\":3}}},"                                                              /* 9 */
    "{\"bufferView\":1,\"componentType\":5122,\"normalized\":true,\"count\":3,\"type\":\"VEC3\"},"  /* 10 */
    "{\"bufferView\":0,\"byteOffset\":352,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"}," /* 11 */
    "{\"bufferView\":0,\"byteOffset\":364,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"},"   /* 12 */
    "{\"bufferView\":0,\"byteOffset\":492,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"   /* 13 */
    "{\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":2,\"componentType\":5123},"
    "\"values\":{\"bufferView\":0,\"byteOffset\":40}}}" /* 14: 0 1 0 */
    "]";

static void base64(const bytes *b, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < b->size; i += 3) {
        uint32_t bits =
            (uint32_t)b->data[i] << 16 | (i + 1 < b->size ? (uint32_t)b->data[i + 1] << 8 : 0) | (i + 2 < b->size ? b->data[i + 2] : 0);
        for (int k = 0; k < 4; k++) *out++ = i + (size_t)k > b->size ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    *out = 0;
}

/* A .gltf that has `more` in its root, beside its buffer, or with a buffer in a file. */
static void make_gltf(char *out, size_t size, const char *uri, const char *more)
{
    static char data[1024];
    bytes       b = buffer();
    base64(&b, data);
    snprintf(out, size, "{\n\t\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%d,\"uri\":\"%s%s\"}],%s%s%s}\n", BUFFER,
             uri ? uri : "data:application/octet-stream;base64,", uri ? "" : data, parts, *more ? "," : "", more);
}

static char notices[1024];
static void keep_notice(void *context, const char *text)
{
    (void)context;
    snprintf(notices + strlen(notices), sizeof notices - strlen(notices), "%s\n", text);
}

static bool open_text(pliant__points *p, const char *text, const char *object, const char *animation, pliant_error *error)
{
    const pliant__points_def def = {.fps = 2, .object = object, .animation = animation, .notice = keep_notice};
    *notices = 0;
    *error = (pliant_error){0};
    return pliant__points_open_bytes(p, "a.gltf", text, strlen(text), &def, error);
}

#define MESH "\"meshes\":[{\"name\":\"m\",\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
#define ONE MESH "\"nodes\":[{\"mesh\":0}],"
#define MOVES(path, way, output)                                                                 \
    "\"animations\":[{\"samplers\":[{\"input\":1,\"output\":" output ",\"interpolation\":\"" way \
    "\"}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"" path "\"}}]}]"
#define MORPH "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":5}]}],\"weights\":[0.25]}],"

static void what_is_animated_is_where_the_specification_has_it(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        uint32_t    samples; /* two per second */
        uint32_t    sample, vertex;
        double      x[3];
    } rows[] = {
        {"no animation", ONE "\"scene\":0,\"scenes\":[{\"nodes\":[0]}]", 1, 0, 1, {1, 0, 0}},
        {"no scene", MESH "\"nodes\":[{\"mesh\":0,\"translation\":[1,2,3]}]", 1, 0, 1, {2, 2, 3}},
        {"a rest rotation that is rounded", MESH "\"nodes\":[{\"mesh\":0,\"rotation\":[0,0,0.6875,0.6875]}]", 1, 0, 1, {0, 1, 0}},
        {"linear", ONE MOVES("translation", "LINEAR", "2"), 7, 1, 1, {2, 0, 0}},
        {"linear", ONE MOVES("translation", "LINEAR", "2"), 7, 4, 2, {2, 3, 0}},
        {"linear, at its end", ONE MOVES("translation", "LINEAR", "2"), 7, 6, 0, {2, 4, 0}},
        {"step", ONE MOVES("translation", "STEP", "2"), 7, 1, 0, {0, 0, 0}},
        {"step", ONE MOVES("translation", "STEP", "2"), 7, 5, 0, {2, 0, 0}},
        {"step, at its end", ONE MOVES("translation", "STEP", "2"), 7, 6, 0, {2, 4, 0}},
        {"spline", ONE MOVES("translation", "CUBICSPLINE", "4"), 7, 1, 0, {1.125, -0.25, 0}},
        {"spline", ONE MOVES("translation", "CUBICSPLINE", "4"), 7, 4, 0, {2, 2.25, -0.25}},
        {"spline, at a key", ONE MOVES("translation", "CUBICSPLINE", "4"), 7, 2, 0, {2, 0, 0}},
        {"rotation", ONE MOVES("rotation", "LINEAR", "3"), 7, 1, 1, {0.70710678118, 0.70710678118, 0}},
        {"rotation", ONE MOVES("rotation", "LINEAR", "3"), 7, 3, 1, {-0.38268343236, 0.92387953251, 0}},
        {"scale", ONE MOVES("scale", "LINEAR", "2"), 7, 2, 1, {2, 0, 0}},
        {"extensions that change no place",
         ONE "\"extensionsRequired\":[\"KHR_mesh_quantization\",\"KHR_materials_unlit\",\"KHR_texture_transform\"]",
         1,
         0,
         1,
         {1, 0, 0}},
        {"the last of three samplers",
         ONE "\"animations\":[{\"samplers\":[{},{\"input\":1,\"output\":2},{\"input\":1,\"output\":3}],\"channels\":[{\"sampler\":2,"
             "\"target\":{\"node\":0,\"path\":\"rotation\"}}]}]",
         7,
         2,
         1,
         {0, 1, 0}},
        {"a parent that moves",
         MESH
         "\"nodes\":[{\"children\":[1]},{\"mesh\":0,\"matrix\":[2,0,0,0,0,2,0,0,0,0,2,0,0,0,1,1]}]," MOVES("translation", "LINEAR", "2"),
         7,
         2,
         1,
         {4, 0, 1}},
        {"an animated node's matrix",
         MESH "\"nodes\":[{\"mesh\":0,\"matrix\":[2,0,0,0,0,2,0,0,0,0,2,0,0,0,1,1]}]," MOVES("translation", "LINEAR", "2"),
         7,
         2,
         1,
         {3, 0, 0}},
        {"morph, the mesh's weights", MORPH "\"nodes\":[{\"mesh\":0}]", 1, 0, 1, {1, 0, 0.25}},
        {"morph, the node's weights", MORPH "\"nodes\":[{\"mesh\":0,\"weights\":[0.5]}]", 1, 0, 1, {1, 0, 0.5}},
        {"morph, animated", MORPH "\"nodes\":[{\"mesh\":0}]," MOVES("weights", "LINEAR", "6"), 7, 4, 1, {1, 0, 0.75}},
        {"morph, sparse weights", MORPH "\"nodes\":[{\"mesh\":0}]," MOVES("weights", "LINEAR", "14"), 7, 2, 1, {1, 0, 1}},
        {"morph, sparse weights, 0", MORPH "\"nodes\":[{\"mesh\":0}]," MOVES("weights", "LINEAR", "14"), 7, 6, 1, {1, 0, 0}},
        {"sparse", "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":9}}]}],\"nodes\":[{\"mesh\":0}]", 1, 0, 1, {5, 6, 7}},
        {"sparse, not so",
         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":9}}]}],\"nodes\":[{\"mesh\":0}]",
         1,
         0,
         2,
         {0, 1, 0}},
        {"shorts, apart",
         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":10}}]}],\"nodes\":[{\"mesh\":0}]",
         1,
         0,
         1,
         {1, 0, 0}},
        {"shorts, negative",
         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":10}}]}],\"nodes\":[{\"mesh\":0}]",
         1,
         0,
         2,
         {0, -1, 0}},
#define SKIN                                                                                                                         \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":7,\"WEIGHTS_0\":8}}]}],\"skins\":[{\"joints\":[1,3]," \
    "\"inverseBindMatrices\":12}],"                                                                                                  \
    "\"nodes\":[{\"children\":[3]},{},{\"mesh\":0,\"skin\":0,\"translation\":[100,0,0]},{\"translation\":[0,0,5]}],"
        {"a joint that stays", SKIN MOVES("translation", "LINEAR", "2"), 7, 2, 0, {0, 0, 0}},
        {"a joint that moves", SKIN MOVES("translation", "LINEAR", "2"), 7, 2, 2, {2, 1, 0}},
        {"between two joints", SKIN MOVES("translation", "LINEAR", "2"), 7, 2, 1, {2.6, 0, 0}},
        {"a node twice", MESH "\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"translation\":[0,0,9]}]", 1, 0, 4, {1, 0, 9}},
        {"a node outside of the scene",
         MESH "\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"translation\":[0,0,9]}],\"scenes\":[{\"nodes\":[1]}]",
         1,
         0,
         1,
         {1, 0, 9}},
        {"children before the next root",
         MESH "\"nodes\":[{\"children\":[2]},{\"mesh\":0},{\"mesh\":0,\"translation\":[0,0,9]}],\"scenes\":[{\"nodes\":[0,1]}]",
         1,
         0,
         1,
         {1, 0, 9}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static char    text[8192];
        pliant__points p;
        pliant_error   error;
        pliant_vec3    x[6];
        make_gltf(text, sizeof text, NULL, rows[i].text);
        if (!open_text(&p, text, NULL, NULL, &error)) fail_msg("%s: %s", rows[i].what, error.message);
        assert_int_equal(p.samples, rows[i].samples);
        assert_true(rows[i].vertex < p.vertices && p.vertices <= 6);
        assert_true(pliant__points_read(&p, rows[i].sample, x, &error));
        if (distance(x[rows[i].vertex], rows[i].x) > 1e-6)
            fail_msg("%s: %g %g %g", rows[i].what, (double)x[rows[i].vertex].x, (double)x[rows[i].vertex].y, (double)x[rows[i].vertex].z);
        assert_string_equal(notices, "");
        pliant__points_close(&p);
    }
}

/* Of several animations those play together that move something else, and of meshes one may be named. */
static void animations_and_meshes_are_chosen_by_name(void **state)
{
    (void)state;
    static const char both[] = MESH "\"nodes\":[{\"mesh\":0,\"name\":\"a\"},{\"mesh\":0,\"name\":\"b\"}],\"animations\":["
                                    "{\"name\":\"go\",\"samplers\":[{\"input\":1,\"output\":2}],\"channels\":[{\"sampler\":0,\"target\":{"
                                    "\"node\":0,\"path\":\"translation\"}}]},"
                                    "{\"name\":\"turn\",\"samplers\":[{\"input\":1,\"output\":3}],\"channels\":[{\"sampler\":0,\"target\":{"
                                    "\"node\":1,\"path\":\"rotation\"}}]},"
                                    "{\"name\":\"grow\",\"samplers\":[{\"input\":1,\"output\":2}],\"channels\":[{\"sampler\":0,\"target\":{"
                                    "\"node\":0,\"path\":\"scale\"}}]}]";
    static const struct {
        const char *object, *animation;
        uint32_t    vertices, vertex; /* in sample 2 */
        double      x[3];
        const char *says;
    } rows[] = {
        {NULL, NULL, 6, 1, {3, 0, 0}, "of 3 animations \"go\" is followed, and \"grow\", which moves the same, is not"},
        {NULL, NULL, 6, 4, {0, 1, 0}, "(\"animation\")"},
        {"b", NULL, 3, 1, {0, 1, 0}, "go"},
        {"m", "go", 6, 1, {3, 0, 0}, NULL},
        {NULL, "turn", 6, 1, {1, 0, 0}, NULL},
        {NULL, "turn", 6, 4, {0, 1, 0}, NULL},
        {"a", "grow", 3, 1, {2, 0, 0}, NULL},
    };
    static char text[8192];
    make_gltf(text, sizeof text, NULL, both);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pliant__points p;
        pliant_error   error;
        pliant_vec3    x[6];
        if (!open_text(&p, text, rows[i].object, rows[i].animation, &error)) fail_msg("%zu: %s", i, error.message);
        assert_int_equal(p.vertices, rows[i].vertices);
        assert_true(pliant__points_read(&p, 2, x, &error));
        if (distance(x[rows[i].vertex], rows[i].x) > 1e-6)
            fail_msg("%zu: %g %g", i, (double)x[rows[i].vertex].x, (double)x[rows[i].vertex].y);
        if (rows[i].says ? !strstr(notices, rows[i].says) : *notices) fail_msg("%zu: %s", i, notices);
        pliant__points_close(&p);
    }
}

/* The first three that are left out are named. */
static void animations_that_are_left_out_are_named(void **state)
{
    (void)state;
    static const char *const says[] = {
        "",
        "of 2 animations \"a0\" is followed, and \"a1\", which moves the same, is not (\"animation\")\n",
        "of 3 animations \"a0\" is followed, and \"a1\" and \"a2\", which move the same, are not (\"animation\")\n",
        "of 4 animations \"a0\" is followed, and \"a1\", \"a2\" and \"a3\", which move the same, are not (\"animation\")\n",
        "of 5 animations \"a0\" is followed, and \"a1\", \"a2\", \"a3\" and 1 other, which move the same, are not "
        "(\"animation\")\n",
        "of 6 animations \"a0\" is followed, and \"a1\", \"a2\", \"a3\" and 2 others, which move the same, are not "
        "(\"animation\")\n"};
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
        static char    text[8192], more[4096];
        pliant__points p;
        pliant_error   error;
        size_t         size = (size_t)snprintf(more, sizeof more, "%s\"animations\":[", ONE);
        for (size_t k = 0; k <= i; k++)
            size +=
                (size_t)snprintf(more + size, sizeof more - size,
                                 "%s{\"name\":\"a%zu\",\"samplers\":[{\"input\":1,\"output\":2}],\"channels\":[{\"sampler\":0,\"target\":{"
                                 "\"node\":0,\"path\":\"translation\"}}]}",
                                 k ? "," : "", k);
        snprintf(more + size, sizeof more - size, "]");
        make_gltf(text, sizeof text, NULL, more);
        if (!open_text(&p, text, NULL, NULL, &error)) fail_msg("%zu: %s", i, error.message);
        assert_string_equal(notices, says[i]);
        pliant__points_close(&p);
    }
}

/* Blender's shape keys have an animation of their own beside the object's: of a node both its place and its shape move. */
static void a_nodes_place_and_its_shape_move_together(void **state)
{
    (void)state;
    static const char both[] =
        MORPH "\"nodes\":[{\"mesh\":0}],\"animations\":["
              "{\"name\":\"place\",\"samplers\":[{\"input\":1,\"output\":2}],\"channels\":[{\"sampler\":0,\"target\":{"
              "\"node\":0,\"path\":\"translation\"}}]},"
              "{\"name\":\"shape\",\"samplers\":[{\"input\":1,\"output\":6}],\"channels\":[{\"sampler\":0,\"target\":{"
              "\"node\":0,\"path\":\"weights\"}}]}]";
    static char    text[8192];
    const double   to[3] = {3, 0, 1};
    pliant__points p;
    pliant_error   error;
    pliant_vec3    x[3];
    make_gltf(text, sizeof text, NULL, both);
    if (!open_text(&p, text, NULL, NULL, &error)) fail_msg("%s", error.message);
    assert_true(pliant__points_read(&p, 2, x, &error));
    if (distance(x[1], to) > 1e-6) fail_msg("%g %g %g", (double)x[1].x, (double)x[1].y, (double)x[1].z);
    assert_string_equal(notices, "");
    pliant__points_close(&p);
}

/* A .gltf with a buffer of its own. */
static void make_own(char *out, size_t size, const bytes *b, const char *more)
{
    static char data[4 * sizeof b->data];
    base64(b, data);
    snprintf(out, size,
             "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%zu,\"uri\":\"data:application/octet-stream;base64,%s\"}],"
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],%s}",
             b->size, data, b->size, more);
}

/* Times of keys are floats, and a frame's time a double: a step on a frame is taken in that frame, at every rate, near the file's begin and far. */
static void a_step_on_a_frame_is_taken_in_that_frame(void **state)
{
    (void)state;
    enum { KEYS = 48 };
    static const double rates[] = {24, 25, 30, 60, 24000 / 1001.0}, begins[] = {0, 1, 600};
    for (size_t i = 0; i < sizeof rates / sizeof *rates * (sizeof begins / sizeof *begins); i++) {
        static char    text[8192], more[1024];
        bytes          b = {.size = 0};
        const double   fps = rates[i / 3], begin = begins[i % 3];
        pliant__points p;
        pliant_error   error = {0};
        PUT(&b, 0, 0, 0);
        for (int k = 0; k < KEYS; k++) PUT(&b, (float)(begin + k / fps));
        for (int k = 0; k < KEYS; k++) PUT(&b, (float)k, 0, 0);
        snprintf(more, sizeof more,
                 "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"},"
                 "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":%d,\"type\":\"SCALAR\"},"
                 "{\"bufferView\":0,\"byteOffset\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"}],%s",
                 KEYS, 12 + 4 * KEYS, KEYS, ONE MOVES("translation", "STEP", "2"));
        make_own(text, sizeof text, &b, more);
        const pliant__points_def def = {.fps = fps};
        if (!pliant__points_open_bytes(&p, "a.gltf", text, strlen(text), &def, &error)) fail_msg("%s", error.message);
        assert_int_equal(p.samples, KEYS);
        for (uint32_t k = 0; k < KEYS; k++) {
            pliant_vec3 x;
            assert_true(pliant__points_read(&p, k, &x, &error));
            if (lround((double)x.x) != (long)k) fail_msg("%g Hz from %g s on, frame %u: key %g", fps, begin, k, (double)x.x);
        }
        pliant__points_close(&p);
    }
}

/* Numbers that are none, and joints that are not whole numbers, do not pass as no turn, no shape or joint 0. */
static void what_is_no_number_of_its_kind_is_refused(void **state)
{
    (void)state;
    enum { FLOATS = 5126 };
    static const struct {
        const char *path, *type;
        int         joints; /* their componentType */
        float       value, weight;
        const char *says; /* NULL: it is read */
    } rows[] = {
        {"rotation", "VEC4", 5121, 0.5f, 1, NULL},
        {"rotation", "VEC4", 5123, 0.5f, 1, NULL},
        {"rotation", "VEC4", 5121, NAN, 1, "animations[0].samplers[0]: value 1 of its output is not finite"},
        {"rotation", "VEC4", 5121, INFINITY, 1, "is not finite"},
        {"translation", "VEC3", 5121, NAN, 1, "is not finite"},
        {"scale", "VEC3", 5121, NAN, 1, "is not finite"},
        {"weights", "SCALAR", 5121, NAN, 1, "is not finite"},
        {"weights", "SCALAR", 5121, 0.5f, 1, NULL},
        {"rotation", "VEC4", 5121, 0.5f, NAN, "vertex 0 has a weight in WEIGHTS_0 that is negative or not finite"},
        {"rotation", "VEC4", 5121, 0.5f, -1, "vertex 0 has a weight in WEIGHTS_0 that is negative or not finite"},
        {"rotation", "VEC4", FLOATS, 0.5f, 1, "JOINTS_0 is of componentType 5126: joints are of 5121 or 5123, unsigned bytes or shorts"},
        {"rotation", "VEC4", 5120, 0.5f, 1, "JOINTS_0 is of componentType 5120"},
        {"rotation", "VEC4", 5122, 0.5f, 1, "JOINTS_0 is of componentType 5122"},
        {"rotation", "VEC4", 5125, 0.5f, 1, "JOINTS_0 is of componentType 5125"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static char    text[8192], more[2048];
        bytes          b = {.size = 0};
        pliant__points p;
        pliant_error   error;
        pliant_vec3    x;
        PUT(&b, 0, 0, 0, 0, 1, 0.5f, 0, 0, 1);              /* a vertex, two times, a value */
        for (int k = 0; k < 4; k++) PUT(&b, rows[i].value); /* 36: or, of weights, the one at 32, and this */
        PUT(&b, 0, 0, 0, 0, rows[i].weight, 1, 0, 0);       /* 52: joints, and 68: their weights */
        const int at = strcmp(rows[i].type, "VEC4") == 0 ? 20 : strcmp(rows[i].type, "VEC3") == 0 ? 24 : 32;
        snprintf(
            more, sizeof more,
            "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"},"
            "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
            "{\"bufferView\":0,\"byteOffset\":%d,\"componentType\":5126,\"count\":2,\"type\":\"%s\"},"
            "{\"bufferView\":0,\"byteOffset\":52,\"componentType\":%d,\"count\":1,\"type\":\"VEC4\"},"
            "{\"bufferView\":0,\"byteOffset\":68,\"componentType\":5126,\"count\":1,\"type\":\"VEC4\"}],"
            "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":3,\"WEIGHTS_0\":4},\"targets\":[{\"POSITION\":0}]}]}"
            "],"
            "\"skins\":[{\"joints\":[0]}],\"nodes\":[{\"mesh\":0,\"skin\":0}],\"animations\":[{\"samplers\":[{\"input\":1,\"output\":2}],"
            "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"%s\"}}]}]",
            at, rows[i].type, rows[i].joints, rows[i].path);
        make_own(text, sizeof text, &b, more);
        const bool ok = open_text(&p, text, NULL, NULL, &error) && pliant__points_read(&p, 0, &x, &error);
        pliant__points_close(&p);
        if (ok != !rows[i].says || (!ok && !strstr(error.message, rows[i].says)))
            fail_msg("%zu, %s: \"%s\"", i, rows[i].path, ok ? "read" : error.message);
    }
}

/* Of a sparse accessor without a bufferView what is not said is 0, and what is said is looked at. */
static void sparse_keys_are_finite_too(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        static char    text[4096], more[2048];
        bytes          b = {.size = 0};
        pliant__points p;
        pliant_error   error;
        PUT(&b, 0, 0, 0, 0, 1, 0.5f, i ? NAN : 0.5f); /* a vertex, two times, a number that is not used, and a value */
        put(&b, 1, 4);                                /* 28: which */
        snprintf(more, sizeof more,
                 "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"},"
                 "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
                 "{\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":0,"
                 "\"byteOffset\":28,\"componentType\":5123},\"values\":{\"bufferView\":0,\"byteOffset\":24}}},"
                 "{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"},"
                 "{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"},"
                 "{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}],"
                 "%s\"nodes\":[{\"mesh\":0}],%s",
                 MORPH, MOVES("weights", "LINEAR", "2"));
        make_own(text, sizeof text, &b, more);
        const bool ok = open_text(&p, text, NULL, NULL, &error);
        pliant__points_close(&p);
        if (ok != !i || (i && !strstr(error.message, "value 1 of its output is not finite"))) fail_msg("%d: %s", i, error.message);
    }
}

/* Frames are numbered from the file's time 0, at the rate that is asked for; there is a sample when the animation ends. */
static void samples_are_at_the_frames_that_are_asked_for(void **state)
{
    (void)state;
    static const struct {
        double   fps;
        uint32_t samples;
        double   before_last, last;
    } rows[] = {{1, 4, 2, 3}, {24, 73, 71, 72}, {0.4, 3, 0.4, 1.2}, {0.25, 2, 0, 0.75}, {59.94, 181, 179, 179.82}};
    static char text[8192];
    make_gltf(text, sizeof text, NULL, ONE MOVES("translation", "LINEAR", "2"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const pliant__points_def def = {.fps = rows[i].fps};
        pliant_error             error = {0};
        pliant__points           p;
        assert_true(pliant__points_open_bytes(&p, "a.gltf", text, strlen(text), &def, &error));
        assert_int_equal(p.samples, rows[i].samples);
        assert_true(fabs(pliant__points_number(&p, p.samples - 1) - rows[i].last) < 1e-9);
        if (i != 2) assert_true(fabs(pliant__points_number(&p, p.samples - 2) - rows[i].before_last) < 1e-9);
        for (uint32_t k = 1; k < p.samples; k++) assert_true(p.times[k] > p.times[k - 1]);
        pliant__points_close(&p);
    }
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *more, *says;
    } rows[] = {
        {"", "there are no vertices in its scene"},
        {"\"nodes\":[{\"mesh\":0}]", "nodes[0].mesh: 0 is too large: there are 0"},
        {MESH "\"nodes\":[{\"mesh\":-1}]", "must be a whole number"},
        {MESH "\"nodes\":[{\"mesh\":0.5}]", "must be a whole number"},
        {MESH "\"nodes\":[{\"mesh\":0,\"children\":[0]}]", "in a circle"},
        {MESH "\"nodes\":[{\"mesh\":0,\"children\":[1]},{\"children\":[0]}]", "in a circle"},
        {MESH "\"nodes\":[{\"mesh\":0,\"children\":[1]},{\"children\":[0]}],\"scenes\":[{\"nodes\":[0]}]", "node 0 is in the tree twice"},
        {MESH "\"nodes\":[{\"mesh\":0},{\"children\":[0,0]}]", "node 0 is in the tree twice"},
        {MESH "\"nodes\":[{\"mesh\":0,\"children\":[7]}]", "is not a node: there are 1"},
        {MESH "\"nodes\":[{\"mesh\":0}],\"scene\":3,\"scenes\":[{\"nodes\":[0]}]", "3 is too large: there are 1"},
        {MESH "\"nodes\":[{\"mesh\":0,\"translation\":[1,2]}]", "must be a list of 3 numbers"},
        {MESH "\"nodes\":[{\"mesh\":0,\"translation\":[1,2,\"x\"]}]", "must be a number"},
        {"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":99}}]}],\"nodes\":[{\"mesh\":0}]", "99 is too large: there are 15"},
        {"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1}}]}],\"nodes\":[{\"mesh\":0}]",
         "accessors[1]: is not of the type that is needed here, 3 numbers"},
        {"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":13}}]}],\"nodes\":[{\"mesh\":0}]",
         "vertex 0 at 0 s: a point is not finite"},
        {"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":7,\"WEIGHTS_0\":8}}]}],\"nodes\":[{\"mesh\":0,\"skin\":"
         "0}],\"skins\":[{\"joints\":[0]}]",
         "vertex 1 has a joint that its skin has not"},
        {MESH "\"skins\":[{\"joints\":[]}],\"nodes\":[{\"mesh\":0,\"skin\":0}]", "needs joints"},
        {MESH "\"skins\":[{\"joints\":[0,0,0],\"inverseBindMatrices\":12}],\"nodes\":[{\"mesh\":0,\"skin\":0}]",
         "fewer inverseBindMatrices than joints"},
        {ONE MOVES("translation", "QUADRATIC", "2"), "not an interpolation: LINEAR, STEP and CUBICSPLINE are"},
        {ONE MOVES("translation", "LINEAR", "4"), "9 values where its times need 3"},
        {ONE MOVES("translation", "CUBICSPLINE", "2"), "3 values where its times need 9"},
        {ONE MOVES("rotation", "LINEAR", "2"), "4 numbers"},
        {ONE "\"animations\":[{\"samplers\":[{\"input\":11,\"output\":2}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":"
             "\"scale\"}}]}]",
         "time 2 is not after time 1"},
        {ONE "\"animations\":[{\"samplers\":[{\"input\":14,\"output\":2}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":"
             "\"scale\"}}]}]",
         "its input has no times"},
        {ONE "\"animations\":[{\"samplers\":[{\"output\":2}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"scale\"}}]}]",
         "needs an input and an output"},
        {ONE "\"animations\":[{\"samplers\":[],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"scale\"}}]}]",
         "0 is too large: there are 0"},
        {ONE "\"animations\":[{\"channels\":[{\"target\":{\"node\":0,\"path\":\"scale\"}}]}]", "needs a sampler"},
        {MESH "\"nodes\":[{\"mesh\":0,\"children\":[1.7]},{}]", "is not a node: there are 2"},
        {MESH "\"nodes\":[{\"mesh\":0,\"rotation\":[0,0,0,0]}]", "nodes[0].rotation: is not a rotation: a quaternion has length 1"},
        {MESH "\"nodes\":[{\"mesh\":0,\"rotation\":[0,0,0,2]}]", "nodes[0].rotation: is not a rotation: a quaternion has length 1"},
        {ONE "\"animations\":5", "animations: must be a list"},
        {ONE "\"animations\":[5]", "animations[0]: must be an object"},
        {ONE "\"animations\":[{\"channels\":{}}]", "animations[0].channels: must be a list"},
        {ONE "\"animations\":[{\"channels\":[],\"samplers\":7}]", "animations[0].samplers: must be a list"},
        {ONE "\"extensionsRequired\":[\"KHR_materials_unlit\",\"EXT_mesh_gpu_instancing\"]",
         "extensionsRequired[1]: \"EXT_mesh_gpu_instancing\" is required, and not known: export without it"},
        {ONE "\"extensionsRequired\":[7]", "is required, and not known"},
        {ONE "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]",
         "KHR_draco_mesh_compression is not read; export without compression"},
    };
    static char text[8192];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pliant__points p;
        pliant_error   error;
        pliant_vec3    x[3];
        make_gltf(text, sizeof text, NULL, rows[i].more);
        const bool ok = open_text(&p, text, NULL, NULL, &error) && pliant__points_read(&p, 0, x, &error);
        pliant__points_close(&p);
        if (ok || !strstr(error.message, rows[i].says)) fail_msg("\"%s\" has not \"%s\"", error.message, rows[i].says);
        assert_int_equal(error.code, PLIANT_ERROR_INPUT);
        assert_string_equal(error.path, "a.gltf");
    }
}

/* ---- accessors and buffers that say what is not there ---- */

static void what_lies_behind_an_end_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *instead, *of, *says;
    } rows[] = {
        {"\"byteLength\":529", "\"byteLength\":528,", "528 bytes where its byteLength is 529"},
        {"\"buffer\":0,\"byteLength\":529}", "\"buffer\":0,\"byteLength\":528}",
         "bufferViews[0]: it goes on behind the end of its buffer, which has 528 bytes"},
        {"\"buffer\":1,\"byteLength\":528}", "\"buffer\":0,\"byteLength\":528}", "1 is too large: there are 1"},
        {"\"buffer\":0,\"byteOffset\":18014398509481984,\"byteLength\":528}", "\"buffer\":0,\"byteLength\":528}", "must be a whole number"},
        {"\"buffer\":0,\"byteOffset\":9007199254740990,\"byteLength\":528}", "\"buffer\":0,\"byteLength\":528}",
         "behind the end of its buffer"},
        {"\"bufferView\":0,\"componentType\":5126,\"count\":45,", "\"bufferView\":0,\"componentType\":5126,\"count\":3,",
         "accessors[0]: it goes on behind the end of its bufferView"},
        {"\"bufferView\":0,\"componentType\":5126,\"count\":4294967295,", "\"bufferView\":0,\"componentType\":5126,\"count\":3,",
         "behind the end of its bufferView"},
        {"\"bufferView\":0,\"componentType\":5126,\"count\":9007199254740000,", "\"bufferView\":0,\"componentType\":5126,\"count\":3,",
         "behind the end of its bufferView"},
        {"\"bufferView\":0,\"componentType\":5127,\"count\":3,", "\"bufferView\":0,\"componentType\":5126,\"count\":3,",
         "componentType: 5127 is too large"},
        {"\"bufferView\":0,\"byteOffset\":-12,\"componentType\":5126,\"count\":3,", "\"bufferView\":0,\"componentType\":5126,\"count\":3,",
         "must be a whole number from 0 on"},
        {"\"componentType\":5126,\"count\":1000000000,", "\"bufferView\":0,\"componentType\":5126,\"count\":3,",
         "its POSITION has no bufferView"},
        {"data:application/octet-stream;base64,*", "data:application/octet-stream;base64,", "its data URI is not base64"},
        {"data:application/octet-stream,", "data:application/octet-stream;base64,", "its data URI is not base64"},
        {"\"version\":\"1.0\"", "\"version\":\"2.0\"", "version 1.0 is not read"},
        {"\"asset\":{}", "\"asset\":{\"version\":\"2.0\"}", "not a glTF: its asset has no version"},
        {"", "}\n", ""},
    };
    static char text[8192], other[8192];
    make_gltf(text, sizeof text, NULL, ONE MOVES("translation", "LINEAR", "2"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pliant__points p;
        pliant_error   error;
        const char    *at = strstr(text, rows[i].of);
        assert_non_null(at);
        snprintf(other, sizeof other, "%.*s%s%s%s", (int)(at - text), text, rows[i].instead, i == 0 ? "," : "", at + strlen(rows[i].of));
        const bool ok = open_text(&p, other, NULL, NULL, &error);
        pliant__points_close(&p);
        if (ok || !strstr(error.message, rows[i].says)) fail_msg("\"%s\" has not \"%s\"", error.message, rows[i].says);
        assert_int_equal(error.code, PLIANT_ERROR_INPUT);
    }
}

/* Bytes as a .glb, and the same with a buffer beside a .gltf: the same samples. */
static size_t make_glb(unsigned char *out, const char *more)
{
    static char text[8192];
    bytes       b = buffer();
    make_gltf(text, sizeof text, "", more);
    char *uri = strstr(text, ",\"uri\":\"\"");
    assert_non_null(uri);
    memmove(uri, uri + strlen(",\"uri\":\"\""), strlen(uri + strlen(",\"uri\":\"\"")) + 1);
    while (strlen(text) % 4) strcat(text, " ");
    const uint32_t words[] = {0x46546c67, 2, (uint32_t)(28 + strlen(text) + b.size), (uint32_t)strlen(text), 0x4e4f534a},
                   behind[] = {BUFFER, 0x004e4942};
    memcpy(out, words, 20);
    memcpy(out + 20, text, strlen(text));
    memcpy(out + 20 + strlen(text), behind, 8);
    memcpy(out + 28 + strlen(text), b.data, b.size);
    return 28 + strlen(text) + b.size;
}

static bool may_read(void *context, const char *path) { return snprintf(context, 64, "%s", path) < 64; }

static void buffers_lie_in_the_file_or_beside_it(void **state)
{
    (void)state;
    static unsigned char     glb[8192];
    static char              text[8192];
    char                     asked[64] = "";
    pliant_error             error = {0};
    pliant_vec3              x[3], y[3];
    pliant__points           p, q;
    bytes                    b = buffer();
    const pliant__points_def def = {.fps = 2, .may_read = may_read, .context = asked};
    const char *const more = ONE MOVES("translation", "LINEAR", "2");
    write_bytes("a.glb", glb, make_glb(glb, more));
    make_gltf(text, sizeof text, "a%20b.bin", more);
    write_text("a.gltf", text);
    write_bytes("a b.bin", b.data, b.size);
    assert_true(pliant__points_open(&p, "a.glb", &def, &error));
    assert_string_equal(asked, "");
    if (!pliant__points_open(&q, "a.gltf", &def, &error)) fail_msg("%s", error.message);
    assert_string_equal(asked, "a b.bin");
    assert_int_equal(p.samples, 7);
    assert_int_equal(q.samples, 7);
    for (uint32_t k = 0; k < 7; k++) {
        assert_true(pliant__points_read(&p, k, x, &error) && pliant__points_read(&q, k, y, &error));
        assert_memory_equal(x, y, sizeof x);
    }
    pliant__points_close(&p);
    pliant__points_close(&q);
    assert_false(pliant__points_open(&p, "a.gltf", NULL, &error));
    assert_non_null(strstr(error.message, "names a file, and none is read here"));
    pliant__points_close(&p);
    write_bytes("a b.bin", b.data, b.size - 1);
    assert_false(pliant__points_open(&p, "a.gltf", &def, &error));
    assert_non_null(strstr(error.message, "527 bytes where its byteLength is 528"));
    pliant__points_close(&p);
}

/* What a scene must not read, a file that it names does not make it read; what it reads is told. */
static void note_read(const char *path, void *context) { snprintf((char *)context + strlen(context), 128 - strlen(context), "%s ", path); }

static void a_scene_reads_no_buffer_from_elsewhere(void **state)
{
    (void)state;
    static const struct {
        const char *uri, *says; /* NULL: it is read */
    } rows[] = {{"beside.bin", NULL},        {"/etc/passwd", "outside"},   {"../../x.bin", "outside"},
                {"%2e%2e/x.bin", "outside"}, {"none.bin", "No such file"}, {"http://x/y.bin", "No such file"}};
    static const char scene[] = "{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"particles\": [{\"x\": [0, 0, 0]}], \"attach\": "
                                "[{\"all\": true, \"keys\": "
                                "{\"cache\": \"a.gltf\", \"map\": [1]}}]}]}";
    bytes             b = buffer();
    write_bytes("beside.bin", b.data, b.size);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static char       text[8192];
        char              read[128] = "";
        pliant_scene_file file;
        pliant_error      error = {0};
        pliant_read_def   def = pliant_read_def_default();
        def.reads = note_read;
        def.reads_context = read;
        make_gltf(text, sizeof text, rows[i].uri, ONE MOVES("translation", "LINEAR", "2"));
        write_text("a.gltf", text);
        const bool ok = pliant_scene_read_text(scene, strlen(scene), "test", NULL, &def, &file, &error) == PLIANT_OK;
        if (ok != !rows[i].says || (!ok && !strstr(error.message, rows[i].says))) fail_msg("%s: %s", rows[i].uri, error.message);
        if (ok) assert_string_equal(read, "a.gltf beside.bin ");
        if (ok) pliant_scene_destroy(file.scene);
    }
}

/* ---- damage ---- */

static bool survives(const char *name, const unsigned char *data, size_t size)
{
    pliant__points           p;
    pliant_error             error = {0};
    const pliant__points_def def = {.fps = 2};
    pliant_vec3              x[64];
    unsigned char           *own = malloc(size ? size : 1); /* no byte more than there is, so that one too many is seen */
    assert_non_null(own);
    memcpy(own, data, size);
    bool ok = pliant__points_open_bytes(&p, name, own, size, &def, &error);
    for (uint32_t k = 0; ok && p.vertices <= 64 && k < p.samples && k < 16; k++) ok = pliant__points_read(&p, k, x, &error);
    if (!ok && error.code != PLIANT_ERROR_INPUT) fail_msg("code %d: %s", error.code, error.message);
    pliant__points_close(&p);
    free(own);
    return ok;
}

/* Cut off anywhere it is refused; with bytes changed it is another animation, or refused. */
static void damage_is_an_error_or_another_animation(void **state)
{
    (void)state;
    static unsigned char glb[8192], other[8192];
    const size_t         size = make_glb(glb, SKIN MOVES("translation", "CUBICSPLINE", "4"));
    pliant_error         error = {0};
    pliant__points       p;
    uint32_t             refused = 0;
    assert_true(survives("a.glb", glb, size));
    for (size_t cut = 0; cut < size; cut++) assert_false(survives("a.glb", glb, cut));
    assert_false(pliant__points_open_bytes(&p, "a.glb", glb, size - 1, NULL, &error));
    assert_non_null(strstr(error.message, "it ends here, but its header says that it is longer: it is cut off"));
    pliant__points_close(&p);
    for (int i = 0; i < 4000; i++) {
        memcpy(other, glb, size);
        for (int k = 0; k < 3; k++)
            other[random_bits() % size] =
                (unsigned char)(i % 2 ? random_bits() : (uint64_t)(unsigned char)"0123456789-.,]}"[random_bits() % 15]);
        refused += !survives("a.glb", other, size);
    }
    assert_true(refused > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_blender_exports_is_where_blender_has_it),
        cmocka_unit_test(what_is_animated_is_where_the_specification_has_it),
        cmocka_unit_test(animations_and_meshes_are_chosen_by_name),
        cmocka_unit_test(animations_that_are_left_out_are_named),
        cmocka_unit_test(a_nodes_place_and_its_shape_move_together),
        cmocka_unit_test(a_step_on_a_frame_is_taken_in_that_frame),
        cmocka_unit_test(what_is_no_number_of_its_kind_is_refused),
        cmocka_unit_test(sparse_keys_are_finite_too),
        cmocka_unit_test(samples_are_at_the_frames_that_are_asked_for),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(what_lies_behind_an_end_is_refused),
        cmocka_unit_test_teardown(buffers_lie_in_the_file_or_beside_it, clear_folder),
        cmocka_unit_test_teardown(a_scene_reads_no_buffer_from_elsewhere, clear_folder),
        cmocka_unit_test(damage_is_an_error_or_another_animation),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
