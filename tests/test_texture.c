/* Laws of texture coordinates on their way from files to models: each corner has its own, in each format; what is wrong with them is one line; and what
 * takes faces out, cuts them or welds their vertices leaves corners what they had. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"

#include "io/files/bytes.h"
#include "io/mesh/surface.h"
#include "pliant/io.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Two triangles of four vertices. Along the edge that they share their texture coordinates are not the same. */
static const float    points[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const uint32_t faces[2][3] = {{0, 1, 2}, {0, 2, 3}};

static float uv_of(int corner, int axis) { return axis ? 0.9f - 0.07f * (float)corner : 0.05f + 0.1f * (float)corner; }

static char name[64], program[512]; /* program: pliant-import; empty: not built */

static int set_up(void **state)
{
    const char *slash = strrchr(PLIANT_BINARY, '/');
    snprintf(program, sizeof program, "%.*s/pliant-import", (int)(slash - PLIANT_BINARY), PLIANT_BINARY);
    if (access(program, X_OK) != 0) *program = 0;
    return enter_folder(state);
}

/* A vertex for each corner, or four. */
static void put_vertices(FILE *f, const char *before, bool each, bool uvs)
{
    for (int i = 0; i < (each ? 6 : 4); i++) {
        const float *x = points[each ? faces[i / 3][i % 3] : (uint32_t)i];
        fprintf(f, "%s%g %g %g", before, (double)x[0], (double)x[1], (double)x[2]);
        if (uvs) fprintf(f, " %.9g %.9g", (double)uv_of(i, 0), (double)uv_of(i, 1));
        fputc('\n', f);
    }
}

static void make_obj(bool negative)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    put_vertices(f, "v ", false, false);
    for (int i = 0; i < 6; i++) fprintf(f, "vt %.9g %.9g 0.5\n", (double)uv_of(i, 0), (double)uv_of(i, 1));
    for (int i = 0; i < 2; i++) {
        fputc('f', f);
        for (int k = 0; k < 3; k++)
            fprintf(f, " %d/%d/1", negative ? (int)faces[i][k] - 4 : (int)faces[i][k] + 1, negative ? 3 * i + k - 6 : 3 * i + k + 1);
        fputc('\n', f);
    }
    fclose(f);
}
static void make_plain_obj(void) { make_obj(false); }
static void make_negative_obj(void) { make_obj(true); }

static void make_ply(const char *u, const char *v)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    fprintf(f,
            "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\nproperty float %s\n"
            "property float %s\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n",
            u, v);
    put_vertices(f, "", true, true);
    fprintf(f, "3 0 1 2\n3 3 4 5\n");
    fclose(f);
}
static void make_ply_st(void) { make_ply("s", "t"); }
static void make_ply_uv(void) { make_ply("u", "v"); }
static void make_ply_texture(void) { make_ply("texture_u", "texture_v"); }

static void make_ply_corners(void)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    fprintf(f, "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 2\n"
               "property list uchar int vertex_indices\nproperty list uchar float texcoord\nend_header\n");
    put_vertices(f, "", false, false);
    for (int i = 0; i < 2; i++) {
        fprintf(f, "3 %u %u %u 6", faces[i][0], faces[i][1], faces[i][2]);
        for (int k = 0; k < 6; k++) fprintf(f, " %.9g", (double)uv_of(3 * i + k / 2, k % 2));
        fputc('\n', f);
    }
    fclose(f);
}

static void make_binary_ply(void)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    fprintf(
        f,
        "ply\nformat binary_little_endian 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\nproperty float s\n"
        "property float t\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n");
    for (int i = 0; i < 6; i++) {
        const float row[5] = {points[faces[i / 3][i % 3]][0], points[faces[i / 3][i % 3]][1], 0, uv_of(i, 0), uv_of(i, 1)};
        fwrite(row, 1, sizeof row, f);
    }
    for (int i = 0; i < 2; i++) {
        const int32_t corners[3] = {3 * i, 3 * i + 1, 3 * i + 2};
        fputc(3, f);
        fwrite(corners, 1, sizeof corners, f);
    }
    fclose(f);
}

/* v goes down in glTF. `bytes`: of a coordinate; those of less than 4 are normalized. */
static void make_gltf_of(int bytes, int count, float first)
{
    const int component = bytes == 4 ? 5126 : bytes == 2 ? 5123 : 5121, stride = bytes == 1 ? 4 : 2 * bytes;
    FILE     *f = fopen("b.bin", "wb");
    assert_non_null(f);
    for (int i = 0; i < 6; i++) fwrite(points[faces[i / 3][i % 3]], 1, 12, f);
    for (int i = 0; i < 6; i++) {
        const float    uv[2] = {i ? uv_of(i, 0) : first, 1 - uv_of(i, 1)};
        const uint16_t two[2] = {(uint16_t)lround(65535.0 * (double)uv[0]), (uint16_t)lround(65535.0 * (double)uv[1])};
        const uint8_t  one[4] = {(uint8_t)lround(255.0 * (double)uv[0]), (uint8_t)lround(255.0 * (double)uv[1]), 0, 0};
        fwrite(bytes == 4 ? (const void *)uv : bytes == 2 ? (const void *)two : one, 1, (size_t)stride, f);
    }
    fclose(f);
    f = fopen(name, "wb");
    assert_non_null(f);
    fprintf(
        f,
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":"
        "[{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1}}]}],\"buffers\":[{\"byteLength\":%d,\"uri\":\"b.bin\"}],\"bufferViews\":"
        "[{\"buffer\":0,\"byteLength\":72},{\"buffer\":0,\"byteOffset\":72,\"byteLength\":%d,\"byteStride\":%d}],\"accessors\":"
        "[{\"bufferView\":0,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]},"
        "{\"bufferView\":1,\"componentType\":%d,\"normalized\":%s,\"count\":%d,\"type\":\"VEC2\"}]}",
        72 + 6 * stride, 6 * stride, stride, component, bytes < 4 ? "true" : "false", count);
    fclose(f);
}
static void make_gltf(int bytes) { make_gltf_of(bytes, 6, uv_of(0, 0)); }
static void make_gltf_float(void) { make_gltf(4); }
static void make_gltf_short(void) { make_gltf(2); }
static void make_gltf_byte(void) { make_gltf(1); }

static const struct {
    const char *file;
    void (*make)(void);
    size_t vertices; /* 0: as its reader has them */
    double exact;    /* to within */
} formats[] = {
    {"a.obj", make_plain_obj, 4, 1e-7},    {"b.obj", make_negative_obj, 4, 1e-7}, {"a.ply", make_ply_st, 6, 1e-7},
    {"b.ply", make_ply_uv, 6, 1e-7},       {"c.ply", make_ply_texture, 6, 1e-7},  {"d.ply", make_ply_corners, 4, 1e-7},
    {"e.ply", make_binary_ply, 6, 1e-7},   {"a.gltf", make_gltf_float, 0, 1e-6},  {"b.gltf", make_gltf_short, 0, 1e-5},
    {"c.gltf", make_gltf_byte, 0, 0.0021},
};

static bool load(const char *path, pliant_mesh *mesh, pliant_error *error)
{
    pliant_import_def def = pliant_import_def_default();
    def.program = program;
    def.uvs = true;
    return pliant_mesh_import(path, &def, mesh, error) == PLIANT_OK;
}

static bool is_imported(const char *path) { return strstr(path, ".gltf") != NULL; }

static void a_corner_has_what_the_file_says_of_it_in_every_format(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        pliant_mesh  mesh;
        pliant_error error = {0};
        if (is_imported(formats[i].file) && !*program) continue;
        strcpy(name, formats[i].file);
        formats[i].make();
        if (!load(name, &mesh, &error)) fail_msg("%s: %s", name, error.message);
        assert_int_equal(mesh.triangle_count, 2);
        assert_true(!formats[i].vertices || mesh.vertex_count == formats[i].vertices);
        assert_non_null(mesh.uvs);
        for (int k = 0; k < 12; k++)
            if (!(fabs((double)mesh.uvs[k] - (double)uv_of(k / 2, k % 2)) <= formats[i].exact))
                fail_msg("%s: corner %d has %g, not %g", name, k / 2, (double)mesh.uvs[k], (double)uv_of(k / 2, k % 2));
        pliant_mesh_free(&mesh);
        pliant_import_def def = pliant_import_def_default();
        def.program = program;
        assert_int_equal(pliant_mesh_import(name, &def, &mesh, &error), PLIANT_OK); /* only for those that ask */
        assert_null(mesh.uvs);
        pliant_mesh_free(&mesh);
    }
}

/* Corners keep what they have where a face is cut into a fan, beside quads and faces that have none. */
static void faces_of_every_size_keep_their_corners(void **unused)
{
    (void)unused;
    pliant_mesh  mesh;
    pliant_error error = {0};
    write_text("m.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv -1 1 0\nvt 0.1 0\nvt 0.2 0\nvt 0.3 0\nvt 0.4 0\nvt 0.5\n"
                        "f 1 2 3\nf 1/1 2/2 3/3 4/4\nf 1/5 2/4 3/3 4/2 5/1\n");
    if (!load("m.obj", &mesh, &error)) fail_msg("%s", error.message);
    static const float u[] = {0, 0, 0, 5, 4, 3, 5, 3, 2, 5, 2, 1, 1, 2, 3, 4};
    assert_int_equal(mesh.triangle_count, 4);
    assert_int_equal(mesh.quad_count, 1);
    for (size_t i = 0; i < 16; i++) assert_true(fabsf(mesh.uvs[2 * i] - 0.1f * u[i]) < 1e-6f && mesh.uvs[2 * i + 1] == 0);
    pliant_mesh_free(&mesh);
}

/* Each property has a number of its own. */
static void a_pair_of_a_ply_is_of_two_halves_that_belong_together(void **unused)
{
    static const struct {
        const char *properties[5];
        int         u, v; /* which they are; the same: there is none */
    } rows[] = {{{"s", "t"}, 0, 1},
                {{"t", "s"}, 1, 0},
                {{"u", "s", "t"}, 1, 2},
                {{"s", "v"}, 0, 0},
                {{"s", "v", "texture_u"}, 0, 0},
                {{"texture_v", "v", "u", "texture_u"}, 2, 1},
                {{"u", "v", "s", "t"}, 0, 1},
                {{"s", "u", "texture_u", "v", "t"}, 1, 3},
                {{"s", "s", "t"}, 0, 2},
                {{"u"}, 0, 0}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pliant_mesh  mesh;
        pliant_error error = {0};
        FILE        *f = fopen("m.ply", "wb");
        assert_non_null(f);
        fprintf(f, "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n");
        for (int k = 0; k < 5 && rows[i].properties[k]; k++) fprintf(f, "property float %s\n", rows[i].properties[k]);
        fprintf(f, "element face 1\nproperty list uchar int vertex_indices\nend_header\n");
        for (int v = 0; v < 3; v++) {
            fprintf(f, "%d %d 0", v, v * v);
            for (int k = 0; k < 5 && rows[i].properties[k]; k++) fprintf(f, " %d", 10 * v + k);
            fputc('\n', f);
        }
        fprintf(f, "3 0 1 2\n");
        fclose(f);
        if (!load("m.ply", &mesh, &error)) fail_msg("%zu: %s", i, error.message);
        assert_int_equal(mesh.uvs == NULL, rows[i].u == rows[i].v);
        assert_int_equal(mesh.group_count, 0);
        for (int k = 0; mesh.uvs && k < 6; k++)
            if (mesh.uvs[k] != (float)(10 * (k / 2) + (k % 2 ? rows[i].v : rows[i].u))) fail_msg("%zu: %g", i, (double)mesh.uvs[k]);
        pliant_mesh_free(&mesh);
    }
}

#define OBJ "v 0 0 0\nv 1 0 0\nv 1 1 0\n"
#define PLY                                                                                                                            \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty float s\nproperty float " \
    "t\nelement face 1\nproperty list uchar int vertex_indices\n"

/* And what does not ask for them takes the mesh as it is, but where what is wrong stands in the way of what it takes: no number in a text, an index that
 * nothing reads. */
static void bad_texture_coordinates_are_one_line(void **unused)
{
    static const struct {
        const char *file, *text, *what;
        int         line;
        bool        other; /* it is refused all the same */
    } bad[] = {
        {"m.obj", OBJ "vt 0 0\nf 1/1 2/2 3/1\n", "a face has texture coordinate 2, and there are 1", 5, false},
        {"m.obj", OBJ "vt 0 0\nf 1/1 2/-2 3/1\n", "a face has texture coordinate -2, and there are 1", 5, false},
        {"m.obj", OBJ "vt 0 0\n\nf 1/1 2 3/1\n", "a face has texture coordinates at some of its corners only", 6, false},
        {"m.obj", OBJ "vt nan 0\nf 1/1 2/1 3/1\n", "nan is not a finite number", 4, false},
        {"m.obj", OBJ "vt 0 1e39\nf 1/1 2/1 3/1\n", "a texture coordinate is too large", 4, false},
        {"m.obj", OBJ "vt 0 x\nf 1/1 2/1 3/1\n", "x is not a finite number", 4, false},
        {"m.obj", OBJ "vt  \nf 1/1 2/1 3/1\n", "a texture coordinate has one number or two, and there is none", 4, false},
        {"m.obj", OBJ "vt 0 0\n vt\nvt 1 1\nf 1/1 2/2 3/1\n", "a texture coordinate has one number or two, and there is none", 5, false},
        {"m.obj", OBJ "vt 0 0\nf 1/1 2/1 3/1\nvt", "a texture coordinate has one number or two, and there is none", 6, false},
        {"m.ply", PLY "end_header\n0 0 0 0 0\n1 0 0 0 1e39\n1 1 0 0 0\n3 0 1 2\n", "a texture coordinate is too large", 13, false},
        {"m.ply", PLY "end_header\n0 0 0 0 0\n1 0 0 0 nan\n1 1 0 0 0\n3 0 1 2\n", "not a finite number", 13, true},
        {"m.obj", OBJ "vt 0 0\nf 1/99999999999 2/1 3/1\n", "an index is too large", 5, true},
        {"m.ply", PLY "property list uchar float texcoord\nend_header\n0 0 0 0 0\n1 0 0 0 1\n1 1 0 0 0\n3 0 1 2 5 0 0 0 0 0\n",
         "a face of 3 corners has 5 texture coordinates, not two per corner", 16, false},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pliant_mesh  mesh;
        pliant_error error = {0};
        write_text(bad[i].file, bad[i].text);
        assert_false(load(bad[i].file, &mesh, &error));
        if (!strstr(error.message, bad[i].what) || error.line != bad[i].line) fail_msg("%zu: %d: %s", i, error.line, error.message);
        assert_null(strchr(error.message, '\n'));
        assert_int_equal(pliant_mesh_load(bad[i].file, &mesh, &error) == PLIANT_OK, !bad[i].other);
        pliant_mesh_free(&mesh);
    }
}

static void bad_texture_coordinates_of_a_gltf_are_one_line(void **unused)
{
    static const struct {
        int         bytes, count;
        float       first;
        const char *what;
        bool        other; /* it is refused all the same */
    } bad[] = {{4, 6, NAN, "a texture coordinate is not a finite number", false},
               {4, 5, 0, "there are 5 texture coordinates for 6 vertices", false},
               {2, 5, 0, "there are 5 texture coordinates for 6 vertices", false},
               {2, 7, 0, "it goes on behind the end of its bufferView", false},
               {2, 900, 0, "it goes on behind the end of its bufferView", true},
               {4, 900, 0, "it goes on behind the end of its bufferView", true}};
    (void)unused;
    if (!*program) skip();
    strcpy(name, "bad.gltf");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pliant_mesh  mesh;
        pliant_error error = {0};
        make_gltf_of(bad[i].bytes, bad[i].count, bad[i].first);
        assert_false(load(name, &mesh, &error));
        if (!strstr(error.message, bad[i].what)) fail_msg("%zu: %s", i, error.message);
        assert_null(strchr(error.message, '\n'));
        pliant_import_def def = pliant_import_def_default();
        def.program = program;
        if ((pliant_mesh_import(name, &def, &mesh, &error) == PLIANT_OK) != !bad[i].other) fail_msg("%zu: %s", i, error.message);
        pliant_mesh_free(&mesh);
    }
}

/* The head of a picture of 2 by 2 pixels; no test here looks at the pixels. */
static const unsigned char head_of_png[33] = {137, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I',
                                              'H', 'D', 'R', 0,   0,  0,  2,  0,  0, 0, 2, 8,  2};

static bool read_scene(const char *bodies, pliant_scene_file *file, pliant_error *error)
{
    char text[1000];
    snprintf(text, sizeof text, "{\"pliant\": 1, \"bodies\": [\n%s]}", bodies);
    return pliant_scene_read_text(text, strlen(text), "text", NULL, NULL, file, error) == PLIANT_OK;
}

static pliant_model *model_of(const char *bodies)
{
    pliant_scene_file file;
    pliant_error      error = {0};
    if (!read_scene(bodies, &file, &error)) fail_msg("%s", error.message);
    pliant_model *m = pliant_scene_compile(file.scene, &error);
    assert_non_null(m);
    pliant_scene_destroy(file.scene);
    return m;
}

#define TEXTURED "\"look\": {\"texture\": \"p.png\"}}"

/* Seen from above, with x to the right, -z goes up, and so does v. */
static void a_grid_has_the_picture_from_side_to_side(void **unused)
{
    (void)unused;
    write_bytes("p.png", head_of_png, sizeof head_of_png);
    pliant_model          *m = model_of("{\"type\": \"cloth\", \"cells\": [3, 2], \"size\": [3, 2], " TEXTURED);
    const pliant_body_info b = pliant_model_body_at(m, 0);
    pliant_state          *s = pliant_state_create(m, NULL);
    const float           *uvs = pliant_model_uvs(m, b.body);
    const uint32_t        *indices;
    pliant_vec3            x[12];
    assert_int_equal(b.look.texture_bytes, sizeof head_of_png);
    assert_memory_equal(b.look.texture, head_of_png, sizeof head_of_png);
    assert_int_equal(pliant_state_positions(s, b.body, 0, 12, x), PLIANT_OK);
    pliant_model_faces(m, b.body, NULL, &indices);
    for (uint32_t i = 0; i < b.face_index_count; i++) {
        assert_true(fabs((double)uvs[2 * i] - ((double)x[indices[i]].x + 1.5) / 3) < 1e-6);
        assert_true(fabs((double)uvs[2 * i + 1] - (1 - (double)x[indices[i]].z) / 2) < 1e-6);
    }
    pliant_state_destroy(s);
    pliant_model_destroy(m);
}

/* Doubled vertices along a seam become one particle; a quad with two corners at one place becomes a triangle, a face that is there twice goes. */
static void welding_and_cleaning_leave_corners_what_they_had(void **unused)
{
    (void)unused;
    write_bytes("p.png", head_of_png, sizeof head_of_png);
    write_text("m.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv 2 0 0\nv 2 1 0\nv 2 0 0\n"
                        "vt 0.01 1\nvt 0.02 1\nvt 0.03 1\nvt 0.04 1\nvt 0.05 1\nvt 0.06 1\nvt 0.07 1\nvt 0.08 1\n"
                        "f 1/1 2/2 3/3\nf 3/3 1/1 2/2\nf 1/5 3/6 4/7 \nf 5/8 7/1 9/2 8/3\nf 5/4 8/5 6/6\n");
    pliant_model          *m = model_of("{\"type\": \"cloth\", \"mesh\": \"m.obj\", " TEXTURED);
    const pliant_body_info b = pliant_model_body_at(m, 0);
    static const int       left[] = {1, 2, 3, 5, 6, 7, 4, 5, 6, 8, 1, 3};
    assert_int_equal(b.particle_count, 6);
    assert_int_equal(b.face_index_count, 12);
    for (int i = 0; i < 12; i++) assert_true(fabsf(pliant_model_uvs(m, b.body)[2 * i] - 0.01f * (float)left[i]) < 1e-6f);
    pliant_model_destroy(m);
}

/* Equal pictures are in a model once, and what has none has no texture coordinates in it. */
static void bodies_share_a_picture(void **unused)
{
    (void)unused;
    write_bytes("p.png", head_of_png, sizeof head_of_png);
    pliant_model    *m = model_of("{\"type\": \"cloth\", \"cells\": [1, 1], " TEXTURED ", {\"type\": \"cloth\", \"cells\": [1, 1]}, "
                                     "{\"type\": \"cloth\", \"cells\": [1, 1], " TEXTURED);
    pliant_body_info b[3];
    for (uint32_t i = 0; i < 3; i++) b[i] = pliant_model_body_at(m, i);
    assert_ptr_equal(b[0].look.texture, b[2].look.texture);
    assert_null(b[1].look.texture);
    assert_null(pliant_model_uvs(m, b[1].body));
    assert_non_null(pliant_model_uvs(m, b[2].body));
    pliant_model_destroy(m);
}

static void what_is_no_texture_is_one_line(void **unused)
{
    static const struct {
        const char *body, *what;
    } bad[] = {
        {"{\"type\": \"cloth\", \"cells\": [1, 1],\n\"look\": {\"texture\": \"none.png\"}}", "none.png: No such file"},
        {"{\"type\": \"cloth\", \"cells\": [1, 1],\n\"look\": {\"texture\": \"text.png\"}}", "text.png: not a PNG"},
        {"{\"type\": \"cloth\", \"cells\": [1, 1],\n\"look\": {\"texture\": \"cut.png\"}}", "cut.png: not a PNG"},
        {"{\"type\": \"cloth\", \"cells\": [1, 1],\n\"look\": {\"texture\": \"wide.png\"}}",
         "wide.png: a PNG of 16385 pixels along a side: a texture has 1 to 16384"},
        {"{\"type\": \"cloth\", \"cells\": [1, 1],\n\"look\": {\"texture\": \"flat.png\"}}", "flat.png: a PNG of 0 pixels along a side"},
        {"{\"type\": \"cloth\", \"cells\": [1, 1],\n\"look\": {\"texture\": \"../p.png\"}}", "lies outside the scene's folder"},
        {"{\"type\": \"cloth\", \"cells\": [1, 1],\n\"look\": {\"texture\": \"p.png\", \"pattern\": \"dots\"}}",
         "a \"texture\" or a \"pattern\", not both"},
        {"{\"type\": \"cloth\", \"mesh\": \"bare.obj\",\n" TEXTURED,
         "bare.obj has no texture coordinates; write it with its UVs, or say a \"pattern\" instead"},
        {"{\"type\": \"rope\", \"points\": [[0, 0, 0], [1, 0, 0]],\n" TEXTURED,
         "only a cloth, or a soft body with a \"visual\", has a texture"},
        {"{\"type\": \"soft\", \"cells\": [1, 1, 1],\n" TEXTURED, "only a cloth, or a soft body with a \"visual\", has a texture"},
        {"{\"type\": \"particles\", \"particles\": [{\"x\": [0, 0, 0]}],\n" TEXTURED,
         "only a cloth, or a soft body with a \"visual\", has a texture"},
    };
    unsigned char wide[33], flat[33];
    (void)unused;
    memcpy(wide, head_of_png, sizeof wide);
    memcpy(flat, head_of_png, sizeof flat);
    wide[18] = 64, wide[19] = 1;
    flat[23] = 0;
    write_bytes("p.png", head_of_png, sizeof head_of_png);
    write_bytes("cut.png", head_of_png, 20);
    write_bytes("wide.png", wide, sizeof wide);
    write_bytes("flat.png", flat, sizeof flat);
    write_text("text.png", "a text that is long enough to be a picture of some kind");
    write_text("bare.obj", OBJ "f 1 2 3\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pliant_scene_file file;
        pliant_error      error = {0};
        assert_false(read_scene(bad[i].body, &file, &error));
        if (!strstr(error.message, bad[i].what) || error.line != 3) fail_msg("%d: %s", error.line, error.message);
    }
}

/* In C, where nothing was read from a file. */
static void a_texture_that_cannot_be_one_is_refused(void **unused)
{
    (void)unused;
    static const pliant_real x[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const uint32_t    triangle[3] = {0, 1, 2};
    const float              uvs[6] = {0, 0, 1, 0, 0, NAN};
    pliant_error             error = {0};
    pliant_scene_def         settings = pliant_scene_def_default();
    pliant_scene            *scene = pliant_scene_create(&settings, NULL);
    pliant_cloth_def         def = pliant_cloth_def_default();
    def.mesh = pliant_mesh_view_of(x, 3 * sizeof *x, 3, triangle, 1);
    def.body.look.texture = head_of_png;
    def.body.look.texture_bytes = sizeof head_of_png;
    assert_int_equal(pliant_scene_add_cloth(scene, &def, &error).id, 0);
    assert_non_null(strstr(error.message, "no texture coordinates"));
    def.mesh.uvs = uvs;
    assert_int_equal(pliant_scene_add_cloth(scene, &def, &error).id, 0);
    assert_non_null(strstr(error.message, "corner 2: a texture coordinate is not a finite number"));
    def.mesh.uvs = (const float[6]){0, 0, 1, 0, 0, 1};
    def.body.look.texture_bytes = (size_t)(64 << 20) + 1; /* of which no more than the head is looked at */
    assert_int_equal(pliant_scene_add_cloth(scene, &def, &error).id, 0);
    assert_non_null(strstr(error.message, "a PNG of 67108865 bytes is too large: the most are 67108864"));
    def.body.look.texture_bytes = sizeof head_of_png;
    def.body.look.pattern = PLIANT_PATTERN_DOTS;
    assert_int_equal(pliant_scene_add_cloth(scene, &def, &error).id, 0);
    assert_non_null(strstr(error.message, "a texture and a pattern"));
    def.body.look.pattern = PLIANT_PATTERN_PLAIN;
    assert_int_not_equal(pliant_scene_add_cloth(scene, &def, &error).id, 0);
    def.body.look.texture = NULL;
    def.mesh.uvs = uvs;
    assert_int_not_equal(pliant_scene_add_cloth(scene, &def, &error).id, 0); /* nothing looks at them */
    pliant_scene_destroy(scene);
}

/* ---- files that are written ---- */

static const char *const written[] = {"t.glb", "t.usda"};

/* A sheet with a seam that falls, and what else there may be. */
static pliant_model *falling_model(void)
{
    write_bytes("p.png", head_of_png, sizeof head_of_png);
    write_text("pair.obj", "v -1 0 0\nv 0 0 0\nv 1 0 0\nv -1 1 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
                           "f 1/1 2/2 5/3 4/4\nf 2/1 3/2 6/3 5/4\n");
    return model_of(
        "{\"type\": \"rope\", \"points\": [[0, 3, 0], [1, 3, 0]]}, {\"type\": \"cloth\", \"mesh\": \"pair.obj\", \"pins\": [0], " TEXTURED
        ", {\"type\": \"cloth\", \"cells\": [1, 1], \"position\": [0, 2, 0], " TEXTURED);
}

enum { VERTICES = 2 + 6 + 4, FRAMES = 4 };

/* Frames `first` to `end` - 1; what is there of it goes on. */
static void write_frames(const char *path, const pliant_model *m, uint32_t first, uint32_t end, pliant_vec3 x[FRAMES][VERTICES])
{
    pliant_error     error = {0};
    pliant_write_def def = pliant_write_def_default();
    def.there = first;
    pliant_writer *w = pliant_writer_open(path, m, &def, &error);
    if (!w) fail_msg("%s: %s", path, error.message);
    pliant_state  *s = pliant_state_create(m, NULL);
    pliant_inputs *in = pliant_inputs_create(m, NULL);
    pliant_solver *solver = pliant_solver_create(m, NULL, NULL);
    for (uint32_t f = 0; f < end; f++) {
        for (uint32_t i = 0, at = 0; i < 3; at += pliant_model_body_at(m, i++).vertex_count)
            pliant_state_write_positions(s, pliant_model_body_at(m, i).body, x[f] + at, sizeof **x);
        if (f >= first && pliant_writer_frame(w, s, &error) != PLIANT_OK) fail_msg("%s: %s", path, error.message);
        pliant_inputs_reset(in, 1.0 / 60);
        pliant_solver_step(solver, s, in);
    }
    assert_int_equal(pliant_writer_close(w, &error), PLIANT_OK);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(in);
    pliant_state_destroy(s);
}

static void caches_with_textures_read_back(void **unused)
{
    (void)unused;
    pliant_model      *m = falling_model();
    static pliant_vec3 x[FRAMES][VERTICES];
    for (size_t k = 0; k < sizeof written / sizeof *written; k++) {
        pliant_error error = {0};
        write_frames(written[k], m, 0, FRAMES, x);
        pliant_cache *c = pliant_cache_open(written[k], m, &error);
        if (!c) fail_msg("%s: %s", written[k], error.message);
        assert_int_equal(pliant_cache_frames(c), FRAMES);
        for (uint32_t f = 0; f < FRAMES; f++) {
            pliant_vec3 y[VERTICES];
            if (pliant_cache_read(c, f, &error) != PLIANT_OK) fail_msg("%s", error.message);
            for (uint32_t i = 0, at = 0; i < 3; at += pliant_model_body_at(m, i++).vertex_count)
                assert_int_equal(pliant_cache_write_positions(c, pliant_model_body_at(m, i).body, y + at, sizeof *y), PLIANT_OK);
            for (int v = 0; v < VERTICES; v++)
                assert_true(fabs((double)(y[v].x - x[f][v].x)) < 1e-6 && fabs((double)(y[v].y - x[f][v].y)) < 1e-6 &&
                            fabs((double)(y[v].z - x[f][v].z)) < 1e-6);
        }
        pliant_cache_close(c);
    }
    assert_true(x[0][6].y - x[FRAMES - 1][6].y > (pliant_real)1e-3); /* it does fall */
    pliant_model_destroy(m);
}

static void a_cache_with_textures_goes_on(void **unused)
{
    (void)unused;
    pliant_model      *m = falling_model();
    static pliant_vec3 x[FRAMES][VERTICES];
    for (size_t k = 0; k < sizeof written / sizeof *written; k++) {
        size_t sizes[2];
        write_frames(written[k], m, 0, FRAMES, x);
        char *whole = read_whole(written[k], &sizes[0]);
        remove(written[k]);
        write_frames(written[k], m, 0, 2, x);
        write_frames(written[k], m, 2, FRAMES, x);
        char *again = read_whole(written[k], &sizes[1]);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(whole, again, sizes[0]);
        free(whole);
        free(again);
    }
    pliant_model_destroy(m);
}

/* What is not how the model's textures lie is refused; so is a vertex along a seam that is not where the other one is. */
static void a_damaged_cache_with_textures_is_refused(void **unused)
{
    (void)unused;
    static pliant_vec3 x[FRAMES][VERTICES];
    pliant_model      *m = falling_model();
    size_t             size, seams = 0;
    write_frames("t.glb", m, 0, FRAMES, x);
    char        *whole = read_whole("t.glb", &size);
    const size_t binary = 28 + pliant__get_u32((const unsigned char *)whole + 12);
    for (size_t at = 0; at < size; at++) {
        pliant_error error = {0};
        whole[at] = (char)(whole[at] ^ 4);
        write_bytes("t.glb", whole, size);
        whole[at] = (char)(whole[at] ^ 4);
        pliant_cache *c = pliant_cache_open("t.glb", m, &error);
        for (uint32_t f = 0; c && f < FRAMES && !error.message[0]; f++) pliant_cache_read(c, f, &error);
        seams += strstr(error.message, "a vertex along a seam") != NULL;
        if (at >= binary && at < size / 2) assert_true(error.message[0]); /* tables, places on textures, the picture */
        pliant_cache_close(c);
    }
    assert_true(seams > 100);
    free(whole);
    pliant_model_destroy(m);
}

/* Triangles, four of five with a picture; the last of these has that of the first one again. */
enum { BODIES = 1500, PICTURES = 1199 };

static uint32_t picture_of(uint32_t body) { return body % 5 == 4 ? UINT32_MAX : body == BODIES - 2 ? 0 : body * 7 % BODIES; }

static pliant_model *model_of_pictures(void)
{
    static const pliant_real x[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const uint32_t    triangle[3] = {0, 1, 2};
    static const float       uvs[6] = {0, 0, 1, 0, 0, 1};
    pliant_error             error = {0};
    pliant_scene_def         settings = pliant_scene_def_default();
    pliant_scene            *scene = pliant_scene_create(&settings, NULL);
    for (uint32_t i = 0; i < BODIES; i++) {
        unsigned char    bytes[sizeof head_of_png];
        pliant_cloth_def def = pliant_cloth_def_default();
        const uint32_t   picture = picture_of(i);
        memcpy(bytes, head_of_png, sizeof bytes);
        memcpy(bytes + 29, &picture, sizeof picture); /* its checksum, at which nothing looks */
        def.mesh = pliant_mesh_view_of(x, 3 * sizeof *x, 3, triangle, 1);
        def.mesh.uvs = uvs;
        def.body.look.texture = picture == UINT32_MAX ? NULL : bytes;
        def.body.look.texture_bytes = picture == UINT32_MAX ? 0 : sizeof bytes;
        if (!pliant_scene_add_cloth(scene, &def, &error).id) fail_msg("%u: %s", i, error.message);
    }
    pliant_model *m = pliant_scene_compile(scene, &error);
    if (!m) fail_msg("%s", error.message);
    pliant_scene_destroy(scene);
    return m;
}

/* So many bodies that a search among all bodies for each of them, in each place that needs a number, is noticed: it took 20 s. */
static void pictures_are_numbered_by_the_first_bodies_that_have_them(void **unused)
{
    (void)unused;
    static const char material[] = "\"baseColorTexture\":{\"index\":", image[] = "\"mimeType\":\"image/png\"";
    static uint32_t   number[BODIES];
    pliant_model     *m = model_of_pictures();
    pliant_state     *state = pliant_state_create(m, NULL);
    pliant_error      error = {0};
    pliant_write_def  def = pliant_write_def_default();
    pliant_writer    *w = pliant_writer_open("m.glb", m, &def, &error);
    if (!w || pliant_writer_frame(w, state, &error) != PLIANT_OK || pliant_writer_close(w, &error) != PLIANT_OK)
        fail_msg("%s", error.message);
    size_t      size;
    uint32_t    count = 0, images = 0;
    char       *whole = read_whole("m.glb", &size);
    const char *at = whole + 20; /* its text has no zero byte before its end, which is one of the next length */
    memset(number, 0xff, sizeof number);
    for (uint32_t i = 0; i < BODIES; i++) {
        const uint32_t picture = picture_of(i);
        if (picture == UINT32_MAX) continue;
        if (number[picture] == UINT32_MAX) number[picture] = count++;
        at = strstr(at, material);
        assert_non_null(at);
        at += sizeof material - 1;
        assert_int_equal(strtoul(at, NULL, 10), number[picture]);
    }
    assert_null(strstr(at, material));
    for (at = whole + 20; (at = strstr(at, image)); at += sizeof image) images++;
    assert_int_equal(count, PICTURES);
    assert_int_equal(images, PICTURES);
    free(whole);
    pliant_cache *c = pliant_cache_open("m.glb", m, &error);
    if (!c || pliant_cache_read(c, 0, &error) != PLIANT_OK) fail_msg("%s", error.message);
    pliant_cache_close(c);
    pliant_state_destroy(state);
    pliant_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_corner_has_what_the_file_says_of_it_in_every_format),
        cmocka_unit_test(faces_of_every_size_keep_their_corners),
        cmocka_unit_test(a_pair_of_a_ply_is_of_two_halves_that_belong_together),
        cmocka_unit_test(bad_texture_coordinates_are_one_line),
        cmocka_unit_test(bad_texture_coordinates_of_a_gltf_are_one_line),
        cmocka_unit_test(a_grid_has_the_picture_from_side_to_side),
        cmocka_unit_test(welding_and_cleaning_leave_corners_what_they_had),
        cmocka_unit_test(bodies_share_a_picture),
        cmocka_unit_test(what_is_no_texture_is_one_line),
        cmocka_unit_test(a_texture_that_cannot_be_one_is_refused),
        cmocka_unit_test(caches_with_textures_read_back),
        cmocka_unit_test(a_cache_with_textures_goes_on),
        cmocka_unit_test(a_damaged_cache_with_textures_is_refused),
        cmocka_unit_test(pictures_are_numbered_by_the_first_bodies_that_have_them),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
