/* Laws of meshes by way of pliant-import: one surface in every format is the same; whatever becomes of the program, and whatever it writes, the
 * caller gets a mesh with valid numbers or one line, in time. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"

#include "io/mesh/import.h"
#include "io/mesh/surface.h"
#include "pliant/io.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char program[512]; /* empty: not built */

static pliant_import_def import_def(void)
{
    pliant_import_def def = pliant_import_def_default();
    def.program = program;
    return def;
}

static void needs_program(void)
{
    if (!*program) skip();
}

/* ---- one surface, a tetrahedron's ---- */

static const float    points[4][3] = {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}, {0.5f, 0.25f, 4}};
static const uint16_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

/* Where vertices are where z is up, and a unit is as long: what readers and keys turn back. */
static void point_of(int i, bool z_up, double unit, double out[3])
{
    const double x = (double)points[i][0] / unit, y = (double)points[i][1] / unit, z = (double)points[i][2] / unit;
    out[0] = x;
    out[1] = z_up ? -z : y;
    out[2] = z_up ? y : z;
}

static FILE *begin(const char *path)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    return f;
}

static void make_obj(const char *path)
{
    FILE *f = begin(path);
    for (int i = 0; i < 4; i++) fprintf(f, "v %g %g %g\n", (double)points[i][0], (double)points[i][1], (double)points[i][2]);
    for (int i = 0; i < 4; i++) fprintf(f, "f %d %d %d\n", faces[i][0] + 1, faces[i][1] + 1, faces[i][2] + 1);
    fclose(f);
}

static void make_stl(const char *path)
{
    FILE *f = begin(path);
    fprintf(f, "solid s\n");
    for (int i = 0; i < 4; i++) {
        fprintf(f, "facet normal 0 0 1\nouter loop\n");
        for (int k = 0; k < 3; k++) {
            const float *x = points[faces[i][k]];
            fprintf(f, "vertex %g %g %g\n", (double)x[0], (double)x[1], (double)x[2]);
        }
        fprintf(f, "endloop\nendfacet\n");
    }
    fprintf(f, "endsolid s\n");
    fclose(f);
}

/* Numbers of binary files have their least byte first. */
static void put(FILE *f, const void *bytes, size_t size)
{
    const uint16_t one = 1;
    const bool     swap = *(const unsigned char *)&one == 0;
    for (size_t i = 0; i < size; i++) fputc(((const unsigned char *)bytes)[swap ? size - 1 - i : i], f);
}

static void make_binary_stl(const char *path)
{
    FILE          *f = begin(path);
    const uint32_t count = 4;
    const uint16_t none = 0;
    const float    normal = 0;
    for (int i = 0; i < 80; i++) fputc(' ', f);
    put(f, &count, 4);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) put(f, &normal, 4);
        for (int k = 0; k < 9; k++) put(f, &points[faces[i][k / 3]][k % 3], 4);
        put(f, &none, 2);
    }
    fclose(f);
}

static void make_off(const char *path)
{
    FILE *f = begin(path);
    fprintf(f, "OFF\n4 4 0\n");
    for (int i = 0; i < 4; i++) fprintf(f, "%g %g %g\n", (double)points[i][0], (double)points[i][1], (double)points[i][2]);
    for (int i = 0; i < 4; i++) fprintf(f, "3 %d %d %d\n", faces[i][0], faces[i][1], faces[i][2]);
    fclose(f);
}

static void buffer(FILE *f)
{
    for (int i = 0; i < 12; i++) put(f, &points[i / 3][i % 3], 4);
    for (int i = 0; i < 12; i++) put(f, &faces[i / 3][i % 3], 2);
}

static void make_gltf_of(const char *path, const char *uri, const char *node)
{
    FILE *f = begin(path);
    fprintf(f,
            "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"mesh\": 0%s}],"
            "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}, \"indices\": 1}]}],"
            "\"buffers\": [{\"byteLength\": 72, \"uri\": \"%s\"}],"
            "\"bufferViews\": [{\"buffer\": 0, \"byteOffset\": 0, \"byteLength\": 48}, {\"buffer\": 0, \"byteOffset\": 48, \"byteLength\": "
            "24}],"
            "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 4, \"type\": \"VEC3\", \"min\": [0, 0, 0], \"max\": "
            "[2, 3, 4]},"
            "{\"bufferView\": 1, \"componentType\": 5123, \"count\": 12, \"type\": \"SCALAR\"}]}\n",
            node, uri);
    fclose(f);
}

static void make_gltf_with(const char *path, const char *uri) { make_gltf_of(path, uri, ""); }

static void make_gltf(const char *path)
{
    FILE *f = begin("buffer.bin");
    buffer(f);
    fclose(f);
    make_gltf_with(path, "buffer.bin");
}

/* Centimetres, z up. */
static void make_dae(const char *path)
{
    FILE  *f = begin(path);
    double x[3];
    fprintf(f, "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset>"
               "<unit name=\"cm\" meter=\"0.01\"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id=\"g\"><mesh>"
               "<source id=\"p\"><float_array id=\"a\" count=\"12\">");
    for (int i = 0; i < 4; i++) {
        point_of(i, true, 0.01, x);
        fprintf(f, "%g %g %g ", x[0], x[1], x[2]);
    }
    fprintf(f, "</float_array><technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\"><param name=\"X\" type=\"float\"/>"
               "<param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
               "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"4\">"
               "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>");
    for (int i = 0; i < 4; i++) fprintf(f, "%d %d %d ", faces[i][0], faces[i][1], faces[i][2]);
    fprintf(f, "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\"><node>"
               "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/>"
               "</scene></COLLADA>\n");
    fclose(f);
}

/* Of inches: the file says so, in centimetres. Points are those of z up, whatever it says of its axis. */
static void make_fbx_with(const char *path, int up, int sign)
{
    FILE  *f = begin(path);
    double x[3];
    fprintf(
        f,
        "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\nGlobalSettings:  {\n"
        "\tVersion: 1000\n\tProperties70:  {\n\t\tP: \"UpAxis\", \"int\", \"Integer\", \"\",%d\n\t\tP: \"UpAxisSign\", \"int\", "
        "\"Integer\","
        " \"\",%d\n\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",2.54\n\t}\n}\nDefinitions:  {\n\tVersion: 100\n\tCount: 2\n}\n"
        "Objects:  {\n\tGeometry: 10, \"Geometry::g\", \"Mesh\" {\n\t\tVertices: *12 {\n\t\t\ta: ",
        up, sign);
    for (int i = 0; i < 4; i++) {
        point_of(i, true, 0.0254, x);
        fprintf(f, "%s%.9g,%.9g,%.9g", i ? "," : "", x[0], x[1], x[2]);
    }
    fprintf(f, "\n\t\t}\n\t\tPolygonVertexIndex: *12 {\n\t\t\ta: ");
    for (int i = 0; i < 4; i++) fprintf(f, "%s%d,%d,%d", i ? "," : "", faces[i][0], faces[i][1], -1 - faces[i][2]);
    fprintf(f, "\n\t\t}\n\t\tGeometryVersion: 124\n\t}\n\tModel: 20, \"Model::m\", \"Mesh\" {\n\t\tVersion: 232\n\t}\n}\nConnections:  {\n"
               "\tC: \"OO\",20,0\n\tC: \"OO\",10,20\n}\n");
    fclose(f);
}

static void make_fbx(const char *path) { make_fbx_with(path, 2, 1); }

static void make_ac(const char *path)
{
    FILE *f = begin(path);
    fprintf(
        f, "AC3Db\nMATERIAL \"m\" rgb 1 1 1 amb 0 0 0 emis 0 0 0 spec 0 0 0 shi 0 trans 0\nOBJECT world\nkids 1\nOBJECT poly\nnumvert 4\n");
    for (int i = 0; i < 4; i++) fprintf(f, "%g %g %g\n", (double)points[i][0], (double)points[i][1], (double)points[i][2]);
    fprintf(f, "numsurf 4\n");
    for (int i = 0; i < 4; i++) fprintf(f, "SURF 0x10\nmat 0\nrefs 3\n%d 0 0\n%d 0 0\n%d 0 0\n", faces[i][0], faces[i][1], faces[i][2]);
    fprintf(f, "kids 0\n");
    fclose(f);
}

static void make_dxf(const char *path)
{
    FILE  *f = begin(path);
    double x[3];
    fprintf(f, "  0\nSECTION\n  2\nENTITIES\n");
    for (int i = 0; i < 4; i++) {
        fprintf(f, "  0\n3DFACE\n  8\n0\n");
        for (int c = 0; c < 4; c++) {
            point_of(faces[i][c < 3 ? c : 2], true, 1, x);
            for (int k = 0; k < 3; k++) fprintf(f, " %d\n%g\n", 10 * (k + 1) + c, x[k]);
        }
    }
    fprintf(f, "  0\nENDSEC\n  0\nEOF\n");
    fclose(f);
}

static void make_x(const char *path)
{
    FILE *f = begin(path);
    fprintf(f, "xof 0303txt 0032\nMesh m {\n 4;\n");
    for (int i = 0; i < 4; i++)
        fprintf(f, " %.6f;%.6f;%.6f;%s\n", (double)points[i][0], (double)points[i][1], -(double)points[i][2], i < 3 ? "," : ";");
    fprintf(f, " 4;\n");
    for (int i = 0; i < 4; i++) fprintf(f, " 3;%d,%d,%d;%s\n", faces[i][2], faces[i][1], faces[i][0], i < 3 ? "," : ";");
    fprintf(f, "}\n");
    fclose(f);
}

static void make_x3d(const char *path)
{
    FILE *f = begin(path);
    fprintf(f, "<?xml version=\"1.0\"?>\n<X3D version=\"3.0\" profile=\"Interchange\"><Scene><Shape><IndexedFaceSet solid=\"false\" "
               "coordIndex=\"");
    for (int i = 0; i < 4; i++) fprintf(f, "%d %d %d -1 ", faces[i][0], faces[i][1], faces[i][2]);
    fprintf(f, "\"><Coordinate point=\"");
    for (int i = 0; i < 4; i++) fprintf(f, "%g %g %g ", (double)points[i][0], (double)points[i][1], (double)points[i][2]);
    fprintf(f, "\"/></IndexedFaceSet></Shape></Scene></X3D>\n");
    fclose(f);
}

static const struct form {
    const char *path;
    void (*make)(const char *path);
    double close; /* how exact its numbers are */
    bool   in_order;
} forms[] = {
    {"m.stl", make_stl, 0, true},     {"b.stl", make_binary_stl, 0, true}, {"m.off", make_off, 0, false}, {"m.gltf", make_gltf, 0, false},
    {"m.dae", make_dae, 1e-6, false}, {"m.fbx", make_fbx, 1e-6, false},    {"m.ac", make_ac, 0, false},   {"m.dxf", make_dxf, 0, false},
    {"m.x", make_x, 1e-6, false},     {"m.x3d", make_x3d, 0, false},
};

enum { FORMS = sizeof forms / sizeof *forms };

/* The number of the point at which a vertex is. */
static int place_of(const pliant_mesh *m, uint32_t vertex, double close)
{
    for (int i = 0; i < 4; i++) {
        double largest = 0;
        for (int k = 0; k < 3; k++) {
            const double d = (double)m->positions[3 * vertex + (uint32_t)k] - (double)points[i][k];
            largest = d > largest ? d : -d > largest ? -d : largest;
        }
        if (largest <= close) return i;
    }
    return -1;
}

/* Each face of the surface once, turned as it is. */
static void check_surface(const char *path, const pliant_mesh *m, double close)
{
    int found = 0;
    if (m->triangle_count != 4 || m->quad_count) fail_msg("%s: %zu triangles, %zu quads", path, m->triangle_count, m->quad_count);
    for (size_t t = 0; t < 4; t++) {
        int at[3];
        for (int k = 0; k < 3; k++) at[k] = place_of(m, m->triangles[3 * t + (size_t)k], close);
        for (int i = 0; i < 4; i++)
            for (int turn = 0; turn < 3; turn++)
                if (at[turn] == faces[i][0] && at[(turn + 1) % 3] == faces[i][1] && at[(turn + 2) % 3] == faces[i][2]) found |= 1 << i;
    }
    if (found != 15) fail_msg("%s: faces %x", path, found);
}

static void every_format_is_the_same_surface(void **unused)
{
    (void)unused;
    needs_program();
    const pliant_import_def def = import_def();
    for (size_t f = 0; f < FORMS; f++) {
        pliant_mesh  m;
        pliant_error error = {0};
        forms[f].make(forms[f].path);
        if (pliant_mesh_import(forms[f].path, &def, &m, &error) != PLIANT_OK) fail_msg("%s: %s", error.path, error.message);
        assert_int_equal(pliant_positions_convert(m.positions, m.vertex_count, m.unit, m.up, NULL), PLIANT_OK);
        check_surface(forms[f].path, &m, forms[f].close);
        if (m.in_order != forms[f].in_order) fail_msg("%s: order", forms[f].path);
        pliant_mesh_free(&m);
    }
}

static double volume_of(const pliant_mesh *m)
{
    double sum = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const pliant_real *a = m->positions + 3 * m->triangles[3 * t], *b = m->positions + 3 * m->triangles[3 * t + 1],
                          *c = m->positions + 3 * m->triangles[3 * t + 2];
        for (int k = 0; k < 3; k++) sum += (double)a[k] * (b[(k + 1) % 3] * c[(k + 2) % 3] - b[(k + 2) % 3] * c[(k + 1) % 3]) / 6;
    }
    return sum;
}

/* A node that mirrors its mesh makes it no hollow. */
static void a_mirrored_mesh_looks_where_it_did(void **unused)
{
    static const char *const nodes[] = {"", ", \"scale\": [-1, 1, 1]", ", \"scale\": [-1, -1, 1]", ", \"scale\": [-1, -1, -2]"};
    (void)unused;
    needs_program();
    const pliant_import_def def = import_def();
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        pliant_mesh m;
        make_gltf("m.gltf");
        make_gltf_of("m.gltf", "buffer.bin", nodes[i]);
        assert_int_equal(pliant_mesh_import("m.gltf", &def, &m, NULL), PLIANT_OK);
        if (!(volume_of(&m) > 3.9 && volume_of(&m) < 8.1)) fail_msg("%s: %g", nodes[i], volume_of(&m));
        pliant_mesh_free(&m);
    }
}

/* Three vertices per triangle, in the order of the file. */
static void stl_keeps_every_triangles_three(void **unused)
{
    (void)unused;
    needs_program();
    const pliant_import_def def = import_def();
    for (int f = 0; f < 2; f++) {
        pliant_mesh m;
        forms[f].make(forms[f].path);
        assert_int_equal(pliant_mesh_import(forms[f].path, &def, &m, NULL), PLIANT_OK);
        assert_true(m.vertex_count == 12 && m.loose && m.unit == 0 && m.up == 0);
        for (uint32_t i = 0; i < 12; i++) {
            assert_int_equal(m.triangles[i], i);
            assert_int_equal(place_of(&m, i, 0), faces[i / 3][i % 3]);
        }
        pliant_mesh_free(&m);
    }
}

/* ---- scenes ---- */

static char notices[4096];

static void on_notice(const char *text, void *context)
{
    (void)context;
    strncat(notices, text, sizeof notices - strlen(notices) - 2);
    strcat(notices, "\n");
}

static bool read_body(const char *body, pliant_model_file *file, pliant_error *error)
{
    char                    scene[400];
    const pliant_import_def import = import_def();
    pliant_read_def         def = pliant_read_def_default();
    def.import = &import;
    def.notice = on_notice;
    *notices = 0;
    memset(error, 0, sizeof *error);
    snprintf(scene, sizeof scene, "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"b\", %s}]}", body);
    return pliant_model_read_text(scene, strlen(scene), "s", NULL, &def, file, error) == PLIANT_OK;
}

/* The model's hash of a body; the vertices and particles that it has. */
static uint64_t hash_of(const char *body, uint32_t vertices, uint32_t particles)
{
    pliant_model_file file;
    pliant_error      error;
    if (!read_body(body, &file, &error)) fail_msg("%s: %s", body, error.message);
    const uint64_t         hash = pliant_model_hash(file.model);
    const pliant_body_info b = pliant_model_body_at(file.model, 0);
    if (b.vertex_count != vertices || b.particle_count != particles) fail_msg("%s: %u, %u", body, b.vertex_count, b.particle_count);
    pliant_model_close(&file);
    return hash;
}

static void stl_is_welded_and_says_so(void **unused)
{
    (void)unused;
    needs_program();
    make_stl("m.stl");
    make_binary_stl("b.stl");
    const uint64_t hash = hash_of("\"mesh\": \"m.stl\"", 12, 4);
    assert_non_null(strstr(notices, "bodies[0].mesh: m.stl: 12 vertices at 4 places are welded; all 12 are written out"));
    assert_null(strstr(notices, "numbered"));
    assert_true(hash == hash_of("\"mesh\": \"b.stl\"", 12, 4));
    assert_true(hash != hash_of("\"mesh\": \"m.stl\", \"weld\": false", 12, 12));
    assert_non_null(strstr(notices, "it falls apart"));
}

static void another_order_is_said(void **unused)
{
    (void)unused;
    needs_program();
    make_gltf("m.gltf");
    make_obj("m.obj");
    const uint64_t hash = hash_of("\"mesh\": \"m.gltf\"", 4, 4);
    assert_non_null(strstr(notices, "m.gltf: its vertices are numbered as its reader numbers them"));
    assert_true(hash == hash_of("\"mesh\": \"m.obj\"", 4, 4)); /* it has them in this order all the same */
    assert_string_equal(notices, "");
}

static void units_and_up_are_keys(void **unused)
{
    (void)unused;
    double x[3];
    make_obj("m.obj");
    FILE *f = begin("mm.obj");
    for (int i = 0; i < 4; i++) point_of(i, true, 0.125, x), fprintf(f, "v %g %g %g\n", x[0], x[1], x[2]);
    for (int i = 0; i < 4; i++) fprintf(f, "f %d %d %d\n", faces[i][0] + 1, faces[i][1] + 1, faces[i][2] + 1);
    fclose(f);
    const uint64_t hash = hash_of("\"mesh\": \"m.obj\"", 4, 4);
    assert_true(hash == hash_of("\"mesh\": \"mm.obj\", \"units\": 0.125, \"up\": \"z\"", 4, 4));
    assert_true(hash != hash_of("\"mesh\": \"mm.obj\", \"units\": 0.125", 4, 4));
    assert_true(hash != hash_of("\"mesh\": \"mm.obj\", \"up\": \"z\"", 4, 4));
    assert_true(hash == hash_of("\"mesh\": \"m.obj\", \"up\": \"y\", \"units\": \"m\"", 4, 4));
    static const char *const words[4] = {"\"mm\"", "\"cm\"", "\"in\"", "\"m\""}, *const metres[4] = {"0.001", "0.01", "0.0254", "1"};
    for (int i = 0; i < 4; i++) {
        char said[100], number[100];
        snprintf(said, sizeof said, "\"mesh\": \"m.obj\", \"units\": %s", words[i]);
        snprintf(number, sizeof number, "\"mesh\": \"m.obj\", \"units\": %s", metres[i]);
        assert_true(hash_of(said, 4, 4) == hash_of(number, 4, 4));
    }
    pliant_model_file file;
    pliant_error      error;
    assert_false(read_body("\"mesh\": \"m.obj\", \"units\": \"ft\"", &file, &error));
    assert_non_null(strstr(error.message, "unknown word ft (known are mm, cm, m, in)"));
    assert_false(read_body("\"mesh\": \"m.obj\", \"units\": 0", &file, &error));
    assert_false(read_body("\"cells\": [1, 1], \"units\": \"cm\"", &file, &error));
    assert_non_null(strstr(error.message, "no file that this could be said of"));
    assert_false(read_body("\"cells\": [1, 1], \"up\": \"z\"", &file, &error));
    assert_false(read_body("\"mesh\": \"m.obj\", \"up\": \"x\"", &file, &error));
    assert_false(read_body("\"mesh\": \"m.obj\", \"units\": 1e9, \"scale\": 1e38", &file, &error));
}

/* A guess is said, and what is simulated is as if nothing had been. */
static void a_large_mesh_is_noted_and_left_alone(void **unused)
{
    (void)unused;
    static const struct {
        const char *x, *says;
    } sizes[] = {{"1800", "1800 across; taken as metres; say \"units\": \"mm\""},
                 {"170", "say \"units\": \"cm\""},
                 {"20", NULL},
                 {"1e-4", "across"}};
    for (size_t i = 0; i < 4; i++) {
        char obj[200];
        snprintf(obj, sizeof obj, "v 0 0 0\nv %s 0 0\nv 0 0 %s\nf 1 2 3\n", sizes[i].x, sizes[i].x);
        write_text("l.obj", obj);
        const uint64_t hash = hash_of("\"mesh\": \"l.obj\", \"density\": 1e6", 3, 3);
        if (sizes[i].says ? !strstr(notices, sizes[i].says) : *notices != 0) fail_msg("%s: %s", sizes[i].x, notices);
        assert_true(hash == hash_of("\"mesh\": \"l.obj\", \"density\": 1e6, \"units\": \"m\"", 3, 3));
        assert_string_equal(notices, "");
        assert_true(hash == hash_of("\"mesh\": \"l.obj\", \"density\": 1e6, \"scale\": 1", 3, 3));
        assert_string_equal(notices, "");
    }
}

static void what_a_file_says_is_overruled_aloud(void **unused)
{
    (void)unused;
    needs_program();
    make_fbx("m.fbx");
    make_gltf("m.gltf");
    hash_of("\"mesh\": \"m.fbx\"", 12, 4);
    assert_non_null(strstr(notices, "its unit is 0.0254 m, as the file says"));
    assert_non_null(strstr(notices, "z is up, as the file says; it is turned"));
    hash_of("\"mesh\": \"m.fbx\", \"units\": \"cm\", \"up\": \"y\"", 12, 4);
    assert_non_null(strstr(notices, "its unit is 0.0254 m by itself; \"units\" overrules that"));
    for (int i = 0; i < 2; i++) {
        make_fbx_with("m.fbx", i ? 2 : 0, i ? -1 : 1);
        hash_of("\"mesh\": \"m.fbx\"", 12, 4);
        assert_non_null(strstr(notices, "neither y nor z is up, as the file says; it is taken as it is"));
    }
    hash_of("\"mesh\": \"m.gltf\", \"up\": \"z\"", 4, 4);
    assert_non_null(strstr(notices, "it is y up by itself"));
}

/* Welded by a distance, a face that has two places left goes, a quad that has three becomes a triangle; vertices all stay. */
static void faces_that_welding_flattens_are_left_out(void **unused)
{
    (void)unused;
    pliant_model_file file;
    pliant_error      error;
    write_text("w.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 0.01 0 0\nv 2 0 0\nv 2 0 1\nv 1.01 0 1.01\n"
                        "f 1 4 3 2\nf 1 5 2\nf 2 8 3 6\nf 6 3 7\nf 1 2 5 3\n");
    /* Quad 2 8 3 6 has 8 and 3 at one place, side by side; 1 2 5 3 has 1 and 5 there, across. */
    if (!read_body("\"mesh\": \"w.obj\", \"weld\": 0.05", &file, &error)) fail_msg("%s", error.message);
    const pliant_body_info b = pliant_model_body_at(file.model, 0);
    assert_true(b.vertex_count == 8 && b.particle_count == 6 && b.face_count == 3);
    assert_non_null(strstr(notices, "8 vertices at 6 places are welded"));
    assert_non_null(strstr(notices, "2 faces have less than three places once welded"));
    pliant_model_close(&file);
    assert_false(read_body("\"mesh\": \"w.obj\", \"weld\": 50", &file, &error));
    assert_non_null(strstr(error.message, "nothing is left of it"));
    assert_false(read_body("\"mesh\": \"w.obj\", \"weld\": \"yes\"", &file, &error));
    assert_false(read_body("\"mesh\": \"w.obj\", \"weld\": -1", &file, &error));
}

/* ---- what the program may do ---- */

static void make_program(const char *name, const char *does)
{
    char text[400];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", does);
    write_text(name, text);
    assert_int_equal(chmod(name, 0755), 0);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void whatever_becomes_of_the_program_is_one_line(void **unused)
{
    (void)unused;
    static const struct {
        const char *does, *says;
        pliant_code code;
    } ends[] = {
        {"sleep 60", "the reader of STL took longer than 0.5 s", PLIANT_ERROR_INPUT},
        {"exec 1>&-; sleep 60", "the reader of STL took longer than 0.5 s", PLIANT_ERROR_INPUT},
        {"while :; do :; done", "the reader of STL took longer than 0.5 s", PLIANT_ERROR_INPUT},
        {"kill -SEGV $$", "the reader of STL crashed (signal 11)", PLIANT_ERROR_INPUT},
        {"kill -XCPU $$", "took longer", PLIANT_ERROR_INPUT},
        {"echo hello; kill -ABRT $$", "the reader of STL crashed (signal 6)", PLIANT_ERROR_INPUT},
        {"exit 3", "the reader of STL failed (status 3)", PLIANT_ERROR_INPUT},
        {"exit 0", "what pliant-import wrote is damaged: it is cut off", PLIANT_ERROR_INPUT},
        {"echo hello", "what pliant-import wrote is damaged: it is cut off", PLIANT_ERROR_INPUT},
        {"head -c 200 /dev/zero", "does not begin as it should", PLIANT_ERROR_INPUT},
        {"cat /dev/zero", "makes more of it than it may", PLIANT_ERROR_INPUT},
    };
    pliant_import_def def = import_def();
    def.seconds = 0.5;
    def.memory = 1 << 20;
    make_stl("m.stl");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        pliant_mesh  m;
        pliant_error error = {0};
        make_program("fake", ends[i].does);
        def.program = "./fake";
        const double start = now();
        assert_int_not_equal(pliant_mesh_import("m.stl", &def, &m, &error), PLIANT_OK);
        if (now() - start > 20) fail_msg("%s: %g s", ends[i].does, now() - start);
        if (error.code != ends[i].code || !strstr(error.message, ends[i].says)) fail_msg("%s: %s", ends[i].does, error.message);
        assert_string_equal(error.path, "m.stl");
        assert_true(!m.positions && !m.triangles);
    }
}

static void without_the_program_it_is_said_what_to_install(void **unused)
{
    (void)unused;
    pliant_mesh       m;
    pliant_error      error = {0};
    char              path[256];
    pliant_import_def def = import_def();
    def.program = "./nowhere";
    make_stl("m.stl");
    make_obj("m.obj");
    assert_int_not_equal(pliant_import_find(&def, path, sizeof path), PLIANT_OK);
    assert_int_not_equal(pliant_mesh_import("m.stl", &def, &m, &error), PLIANT_OK);
    assert_int_equal(error.code, PLIANT_ERROR_UNAVAILABLE);
    assert_non_null(strstr(error.message, "install libassimp-dev"));
    assert_int_equal(pliant_mesh_import("m.obj", &def, &m, &error), PLIANT_OK); /* which does not need it */
    pliant_mesh_free(&m);
    assert_int_not_equal(pliant_mesh_import("none.stl", &def, &m, &error), PLIANT_OK);
    assert_true(error.code == PLIANT_ERROR_INPUT && strstr(error.message, "No such file"));
    def.seconds = 0;
    assert_int_not_equal(pliant_mesh_import("m.stl", &def, &m, &error), PLIANT_OK);
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
}

static void it_may_not_take_more_memory_than_it_is_given(void **unused)
{
    (void)unused;
    needs_program();
    pliant_mesh       m;
    pliant_error      error = {0};
    pliant_import_def def = import_def();
    def.memory = 64 << 20;
    FILE *f = begin("large.off");
    fprintf(f, "OFF\n1000000 999998 0\n");
    for (int i = 0; i < 1000000; i++) fprintf(f, "%d %d 0\n", i % 1000, i / 1000);
    for (int i = 0; i < 999998; i++) fprintf(f, "3 %d %d %d\n", i, i + 1, i + 2);
    fclose(f);
    assert_int_not_equal(pliant_mesh_import("large.off", &def, &m, &error), PLIANT_OK);
    assert_int_equal(error.code, PLIANT_ERROR_INPUT);
    assert_true(strstr(error.message, "more memory") || strstr(error.message, "crashed"));
    def.memory = pliant_import_def_default().memory;
    assert_int_equal(pliant_mesh_import("large.off", &def, &m, &error), PLIANT_OK);
    assert_int_equal(m.triangle_count, 999998);
    pliant_mesh_free(&m);
}

static void it_reads_nothing_outside_its_folder(void **unused)
{
    (void)unused;
    needs_program();
    pliant_mesh       m;
    pliant_error      error = {0};
    pliant_import_def def = import_def();
    assert_int_equal(mkdir("inner", 0777), 0);
    make_gltf("m.gltf");
    make_gltf_with("inner/m.gltf", "../buffer.bin");
    make_gltf_with("inner/l.gltf", "link.bin");
    assert_int_equal(symlink("../buffer.bin", "inner/link.bin"), 0);
    static const char *const paths[] = {"inner/m.gltf", "inner/l.gltf"};
    for (int i = 0; i < 2; i++) {
        def.root = NULL;
        assert_int_not_equal(pliant_mesh_import(paths[i], &def, &m, &error), PLIANT_OK);
        assert_non_null(strstr(error.message, "which lies outside its folder"));
        def.root = ".";
        if (pliant_mesh_import(paths[i], &def, &m, &error) != PLIANT_OK) fail_msg("%s", error.message);
        pliant_mesh_free(&m);
    }
}

/* What a name is written as in a URI: "%20" is a space. One that is called so goes first, and nothing outside is read by it. */
static void names_in_a_gltf_are_uris(void **unused)
{
    (void)unused;
    needs_program();
    static const struct {
        const char *uri, *file;
    } cases[] = {
        {"my%20buffer.bin", "my buffer.bin"}, {"%c3%BC.bin", "\xc3\xbc.bin"}, {"%41%zz%.bin", "A%zz%.bin"}, {"50%25.bin", "50%25.bin"}};
    pliant_mesh       m;
    pliant_error      error = {0};
    pliant_import_def def = import_def();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_gltf_with("u.gltf", cases[i].uri);
        assert_int_not_equal(pliant_mesh_import("u.gltf", &def, &m, &error), PLIANT_OK);
        FILE *f = begin(cases[i].file);
        buffer(f);
        fclose(f);
        if (pliant_mesh_import("u.gltf", &def, &m, &error) != PLIANT_OK) fail_msg("%s: %s", cases[i].uri, error.message);
        assert_true(m.triangle_count == 4);
        pliant_mesh_free(&m);
    }
    make_gltf("m.gltf");
    assert_true(mkdir("uris", 0777) == 0);
    make_gltf_with("uris/u.gltf", "%2e%2E%2fbuffer.bin");
    assert_int_not_equal(pliant_mesh_import("uris/u.gltf", &def, &m, &error), PLIANT_OK);
    assert_non_null(strstr(error.message, "which lies outside its folder"));
}

/* ---- damage ---- */

/* Files through the program: it may crash, we may not. */
static void damaged_files_are_refused_or_read(void **unused)
{
    (void)unused;
    needs_program();
    static const char *const names[] = {"m.stl", "b.stl", "m.gltf", "m.dae", "m.off", "/usr/share/glmark2/models/cube.3ds"};
    pliant_import_def        def = import_def();
    def.seconds = 5;
    for (size_t f = 0; f < FORMS; f++) forms[f].make(forms[f].path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size;
        char   path[16];
        if (access(names[i], R_OK) != 0) continue;
        char *good = read_whole(names[i], &size), *bad = malloc(size);
        snprintf(path, sizeof path, "bad%s", strrchr(names[i], '.'));
        for (int n = 0; n < 25; n++) {
            pliant_mesh  m;
            pliant_error error = {0};
            size_t       length = size;
            memcpy(bad, good, size);
            for (uint64_t k = random_bits() % 4; k < 4; k++) bad[random_bits() % size] = (char)random_bits();
            if (n % 4 == 0) length = random_bits() % size;
            write_bytes(path, bad, length);
            const double start = now();
            if (pliant_mesh_import(path, &def, &m, &error) == PLIANT_OK) {
                for (size_t t = 0; t < 3 * m.triangle_count; t++) assert_true(m.triangles[t] < m.vertex_count);
                for (size_t v = 0; v < 3 * m.vertex_count; v++) assert_true(m.positions[v] - m.positions[v] == 0);
                pliant_mesh_free(&m);
            } else {
                assert_true(error.code == PLIANT_ERROR_INPUT && strlen(error.message) > 5);
            }
            assert_true(now() - start < 20);
        }
        free(good);
        free(bad);
    }
}

typedef struct answer {
    pliant__import_head head;
    double              positions[4][3];
    uint32_t            sizes[4], corners[12];
} answer;

static answer good_answer(void)
{
    answer a = {.head = {.magic = PLIANT__IMPORT_MAGIC, .status = PLIANT__IMPORT_MESH, .vertices = 4, .faces = 4, .corners = 12}};
    for (int i = 0; i < 12; i++) a.positions[i / 3][i % 3] = (double)points[i / 3][i % 3], a.corners[i] = faces[i / 3][i % 3];
    for (int i = 0; i < 4; i++) a.sizes[i] = 3;
    return a;
}

/* Reads bytes that end where their memory ends. */
static bool take(const void *bytes, size_t size, pliant_error *error)
{
    pliant__surface s = {.path = "x", .error = error};
    char           *exact = malloc(size ? size : 1);
    memcpy(exact, bytes, size);
    memset(error, 0, sizeof *error);
    const bool ok = pliant__import_read(&s, exact, size);
    free(exact);
    for (size_t i = 0; i < s.triangles.count; i++) assert_true(s.triangles.data[i] < s.positions.count / 3);
    assert_true(ok || (error->code == PLIANT_ERROR_INPUT && strlen(error->message) > 5));
    array_free(NULL, &s.positions);
    array_free(NULL, &s.triangles);
    array_free(NULL, &s.quads);
    pliant__surface_forget_marks(&s);
    return ok;
}

static void whatever_it_writes_is_checked(void **unused)
{
    (void)unused;
    pliant_error error;
    const answer good = good_answer();
    assert_true(take(&good, sizeof good, &error));
    for (size_t size = 0; size < sizeof good; size++) assert_false(take(&good, size, &error));
    size_t taken = 0;
    for (int n = 0; n < 20000; n++) {
        answer bad = good;
        for (uint64_t k = random_bits() % 3; k < 3; k++) ((unsigned char *)&bad)[random_bits() % sizeof bad] = (unsigned char)random_bits();
        taken += take(&bad, sizeof bad, &error);
    }
    assert_true(taken > 0 && taken < 20000);
    answer bad = good;
    bad.corners[5] = 4;
    assert_false(take(&bad, sizeof bad, &error));
    bad = good;
    bad.sizes[0] = 2, bad.sizes[1] = 4;
    assert_false(take(&bad, sizeof bad, &error));
    bad = good;
    bad.positions[2][1] = (double)INFINITY;
    assert_false(take(&bad, sizeof bad, &error));
    bad = good;
    bad.head.vertices = UINT64_MAX / 24;
    assert_false(take(&bad, sizeof bad, &error));
    bad = good;
    bad.corners[1] = bad.corners[0];
    assert_true(take(&bad, sizeof bad, &error)); /* left out */
    const answer two[2] = {good, good};
    assert_false(take(two, sizeof good + 1, &error));
    struct {
        pliant__import_head head;
        char                text[12];
    } complaint = {{.magic = PLIANT__IMPORT_MAGIC, .status = PLIANT__IMPORT_BAD, .text = 12}, "bad\033 thing.\n"};
    assert_false(take(&complaint, sizeof complaint.head + 12, &error));
    assert_string_equal(error.message, "bad  thing");
}

typedef struct marked {
    answer               mesh;
    pliant__import_marks marks;
    float                colors[4][4];
    pliant__import_group groups[2];
} marked;

static void marks_are_checked_too(void **unused)
{
    (void)unused;
    pliant_error error;
    marked       good = {.mesh = good_answer(), .marks = {1, 2}, .groups = {{"a", 0, 4}, {"b", 3, 1}}};
    for (int i = 0; i < 16; i++) good.colors[i / 4][i % 4] = (float)i / 16;
    assert_true(take(&good, sizeof good, &error));
    for (size_t size = sizeof good.mesh + 1; size < sizeof good; size++) assert_false(take(&good, size, &error));
    size_t taken = 0;
    for (int n = 0; n < 20000; n++) {
        marked bad = good;
        for (uint64_t k = random_bits() % 3; k < 3; k++)
            ((unsigned char *)&bad.marks)[random_bits() % (sizeof bad - sizeof bad.mesh)] = (unsigned char)random_bits();
        taken += take(&bad, sizeof bad, &error);
    }
    assert_true(taken > 0 && taken < 20000);
    marked bad = good;
    bad.groups[1].count = 2;
    assert_false(take(&bad, sizeof bad, &error));
    bad = good;
    bad.groups[0].first = UINT32_MAX;
    assert_false(take(&bad, sizeof bad, &error));
    bad = good;
    memset(bad.groups[0].name, 'x', sizeof bad.groups[0].name);
    assert_false(take(&bad, sizeof bad, &error));
    bad = good;
    bad.colors[1][2] = NAN;
    assert_false(take(&bad, sizeof bad, &error));
    bad = good;
    bad.marks.groups = UINT32_MAX;
    assert_false(take(&bad, sizeof bad, &error));
}

/* A tetrahedron of which each vertex has a colour, in a node with a name and a mesh with another. */
static void make_marked_gltf(const char *path)
{
    static const float colors[4][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}, {1, 1, 1, 0.25F}};
    FILE              *f = begin("marked.bin");
    buffer(f);
    put(f, colors, sizeof colors);
    fclose(f);
    f = begin(path);
    fprintf(
        f,
        "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"mesh\": 0, \"name\": \"cape\"}],"
        "\"meshes\": [{\"name\": \"cloth\", \"primitives\": [{\"attributes\": {\"POSITION\": 0, \"COLOR_0\": 2}, \"indices\": 1}]}],"
        "\"buffers\": [{\"byteLength\": 136, \"uri\": \"marked.bin\"}],"
        "\"bufferViews\": [{\"buffer\": 0, \"byteOffset\": 0, \"byteLength\": 48}, {\"buffer\": 0, \"byteOffset\": 48, \"byteLength\": 24},"
        "{\"buffer\": 0, \"byteOffset\": 72, \"byteLength\": 64}],"
        "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 4, \"type\": \"VEC3\", \"min\": [0, 0, 0], \"max\": [2, "
        "3, 4]},"
        "{\"bufferView\": 1, \"componentType\": 5123, \"count\": 12, \"type\": \"SCALAR\"},"
        "{\"bufferView\": 2, \"componentType\": 5126, \"count\": 4, \"type\": \"VEC4\"}]}\n");
    fclose(f);
}

static bool has_group(const pliant_mesh *m, const char *name, size_t count)
{
    for (size_t i = 0; i < m->group_count; i++)
        if (!strcmp(m->groups[i].name, name)) return m->groups[i].vertex_count == count;
    return false;
}

/* Names of nodes and meshes are groups, and colours come with their vertices, however the reader numbers these. */
static void a_gltf_has_groups_and_colours(void **unused)
{
    (void)unused;
    needs_program();
    pliant_mesh       m;
    pliant_error      error = {0};
    pliant_import_def def = pliant_import_def_default();
    def.program = program;
    make_marked_gltf("marked.gltf");
    if (pliant_mesh_import("marked.gltf", &def, &m, &error) != PLIANT_OK) fail_msg("%s", error.message);
    assert_non_null(m.colors);
    assert_true(has_group(&m, "cape", m.vertex_count));
    for (size_t v = 0; v < m.vertex_count; v++) {
        const pliant_real *x = m.positions + 3 * v;
        for (int i = 0; i < 4; i++) {
            if (x[0] != (pliant_real)points[i][0] || x[1] != (pliant_real)points[i][1] || x[2] != (pliant_real)points[i][2]) continue;
            for (int k = 0; k < 3; k++) assert_true(m.colors[4 * v + (size_t)k] == (i == 3 || k == i ? 1.0F : 0.0F));
            assert_true(m.colors[4 * v + 3] == (i == 3 ? 0.25F : 1.0F));
        }
    }
    pliant_mesh_free(&m);
}

static int set_up(void **state)
{
    const char *slash = strrchr(PLIANT_BINARY, '/');
    snprintf(program, sizeof program, "%.*s/pliant-import", (int)(slash - PLIANT_BINARY), PLIANT_BINARY);
    if (access(program, X_OK) != 0) *program = 0;
    return enter_folder(state);
}

int main(void)
{
#define LAW(function) cmocka_unit_test_teardown(function, clear_folder)
    const struct CMUnitTest tests[] = {
        LAW(every_format_is_the_same_surface),
        LAW(stl_keeps_every_triangles_three),
        LAW(a_mirrored_mesh_looks_where_it_did),
        LAW(stl_is_welded_and_says_so),
        LAW(another_order_is_said),
        LAW(units_and_up_are_keys),
        LAW(a_large_mesh_is_noted_and_left_alone),
        LAW(what_a_file_says_is_overruled_aloud),
        LAW(faces_that_welding_flattens_are_left_out),
        LAW(whatever_becomes_of_the_program_is_one_line),
        LAW(without_the_program_it_is_said_what_to_install),
        LAW(it_may_not_take_more_memory_than_it_is_given),
        LAW(it_reads_nothing_outside_its_folder),
        LAW(names_in_a_gltf_are_uris),
        LAW(damaged_files_are_refused_or_read),
        LAW(marks_are_checked_too),
        LAW(a_gltf_has_groups_and_colours),
        LAW(whatever_it_writes_is_checked),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
