/* The files that drawn scenes name: small meshes in each format, a cache of a ball that moves, and distances to a ball. */
#include "scene_draw.h"

#include "files.h"
#include "moving.h"
#include "pliant/io.h"
#include "shapes.h"

enum { SAMPLES = 4 };
#define SPAN 0.4 /* m, of a sheet and a cube */

static const char *const names[] = {"sheet.obj", "ball.obj",  "ball.ply",  "cube.node",  "cube.ele",  "cube.msh",   "cube.vtk",
                                    "moves.pc2", "moves.mdd", "moves.glb", "moves.usda", "moves.abc", "ball.field", "four.png"};

const char *scene_draw_file(size_t index) { return index < sizeof names / sizeof *names ? names[index] : NULL; }

static FILE *begin(const char *path)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    return f;
}

static void end(FILE *f) { assert_int_equal(fclose(f), 0); }

/* ---- surfaces ---- */

static void write_sheet(void)
{
    FILE *f = begin("sheet.obj");
    for (int i = 0; i < 9; i++) fprintf(f, "v %.9g 0 %.9g %d 0 %d\n", SPAN * (i % 3 - 1) / 2, SPAN * (i / 3 - 1) / 2, i % 3 < 2, i % 3 > 0);
    for (int i = 0; i < 9; i++) fprintf(f, "vt %g %g\n", 0.5 * (i % 3), 1 - 0.5 * (i / 3));
    for (int i = 0; i < 4; i++) {
        const int a = 1 + i % 2 + 3 * (i / 2);
        fprintf(f, "g %s\n", i % 2 ? "right" : "left");
        fprintf(f, "f %d/%d %d/%d %d/%d %d/%d\n", a, a, a + 3, a + 3, a + 4, a + 4, a + 1, a + 1);
    }
    end(f);
}

static void write_ball(const shape *s)
{
    FILE *obj = begin("ball.obj"), *ply = begin("ball.ply");
    fprintf(ply,
            "ply\nformat ascii 1.0\nelement vertex %u\nproperty float x\nproperty float y\nproperty float z\n"
            "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty float left\nelement face %u\nproperty list uchar int "
            "vertex_indices\nend_header\n",
            s->vertex_count, s->triangle_count);
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        const pliant_real *x = &s->x[3 * i];
        fprintf(obj, "v %.9g %.9g %.9g\n", (double)x[0], (double)x[1], (double)x[2]);
        fprintf(ply, "%.9g %.9g %.9g %d 0 %d %d\n", (double)x[0], (double)x[1], (double)x[2], x[0] < 0 ? 255 : 0, x[0] < 0 ? 0 : 255,
                x[0] < 0);
    }
    for (uint32_t i = 0; i < s->triangle_count; i++) {
        const uint32_t *t = &s->triangles[3 * i];
        fprintf(obj, "f %u %u %u\n", t[0] + 1, t[1] + 1, t[2] + 1);
        fprintf(ply, "3 %u %u %u\n", t[0], t[1], t[2]);
    }
    end(obj);
    end(ply);
}

/* ---- tetrahedra ---- */

/* Six around the diagonal of a cube; corner v of it has bit k of v along axis k. */
static const int cube_tets[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

static double corner(int v, int axis) { return v >> axis & 1 ? SPAN / 2 : -SPAN / 2; }

static void write_tetgen(void)
{
    FILE *node = begin("cube.node"), *ele = begin("cube.ele");
    fprintf(node, "8 3 0 0\n");
    for (int v = 0; v < 8; v++) fprintf(node, "%d %.9g %.9g %.9g\n", v, corner(v, 0), corner(v, 1), corner(v, 2));
    fprintf(ele, "6 4 0\n");
    for (int t = 0; t < 6; t++) fprintf(ele, "%d %d %d %d %d\n", t, cube_tets[t][0], cube_tets[t][1], cube_tets[t][2], cube_tets[t][3]);
    end(node);
    end(ele);
}

static void write_gmsh(void)
{
    FILE *f = begin("cube.msh");
    fprintf(f, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n");
    for (int v = 0; v < 8; v++) fprintf(f, "%d %.9g %.9g %.9g\n", v + 1, corner(v, 0), corner(v, 1), corner(v, 2));
    fprintf(f, "$EndNodes\n$Elements\n6\n");
    for (int t = 0; t < 6; t++)
        fprintf(f, "%d 4 2 1 1 %d %d %d %d\n", t + 1, cube_tets[t][0] + 1, cube_tets[t][1] + 1, cube_tets[t][2] + 1, cube_tets[t][3] + 1);
    fprintf(f, "$EndElements\n");
    end(f);
}

static void write_vtk(void)
{
    FILE *f = begin("cube.vtk");
    fprintf(f, "# vtk DataFile Version 3.0\ncube\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 float\n");
    for (int v = 0; v < 8; v++) fprintf(f, "%.9g %.9g %.9g\n", corner(v, 0), corner(v, 1), corner(v, 2));
    fprintf(f, "CELLS 6 30\n");
    for (int t = 0; t < 6; t++) fprintf(f, "4 %d %d %d %d\n", cube_tets[t][0], cube_tets[t][1], cube_tets[t][2], cube_tets[t][3]);
    fprintf(f, "CELL_TYPES 6\n10\n10\n10\n10\n10\n10\n");
    end(f);
}

/* ---- caches ---- */

static void put_word(FILE *f, uint32_t word, bool big_endian)
{
    for (int i = 0; i < 4; i++) fputc((int)(word >> 8 * (big_endian ? 3 - i : i) & 255), f);
}

static void put_float(FILE *f, double value, bool big_endian)
{
    const float narrow = (float)value;
    uint32_t    word;
    memcpy(&word, &narrow, sizeof word);
    put_word(f, word, big_endian);
}

/* The ball, turning and going up by steps that float has exactly. */
static void put_samples(FILE *f, const shape *s, bool big_endian)
{
    for (int sample = 0; sample < SAMPLES; sample++)
        for (uint32_t i = 0; i < s->vertex_count; i++) {
            const double x = (double)s->x[3 * i], y = (double)s->x[3 * i + 1], z = (double)s->x[3 * i + 2], t = 0.03125 * sample;
            put_float(f, x - t * z, big_endian);
            put_float(f, y + 0.5 + t, big_endian);
            put_float(f, z + t * x, big_endian);
        }
}

static void write_pc2(const shape *s)
{
    FILE *f = begin("moves.pc2");
    assert_int_equal(fwrite("POINTCACHE2", 1, 12, f), 12);
    put_word(f, 1, false);
    put_word(f, s->vertex_count, false);
    put_float(f, 0, false);
    put_float(f, 1, false);
    put_word(f, SAMPLES, false);
    put_samples(f, s, false);
    end(f);
}

static void write_mdd(const shape *s)
{
    FILE *f = begin("moves.mdd");
    put_word(f, SAMPLES, true);
    put_word(f, s->vertex_count, true);
    for (int sample = 0; sample < SAMPLES; sample++) put_float(f, 0.03125 * sample, true);
    put_samples(f, s, true);
    end(f);
}

static void write_straight(const shape *s)
{
    double *base = calloc(6 * (size_t)s->vertex_count, sizeof *base), *delta = base + 3 * (size_t)s->vertex_count;
    moving  m = {s->vertex_count, SAMPLES, base, delta, 32};
    assert_non_null(base);
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        for (uint32_t a = 0; a < 3; a++) base[3 * i + a] = (double)s->x[3 * i + a] + (a == 1) * 0.5;
        delta[3 * i] = -0.03125 * base[3 * i + 2];
        delta[3 * i + 1] = 0.03125;
        delta[3 * i + 2] = 0.03125 * base[3 * i];
    }
    write_moving_glb("moves.glb", &m);
    write_moving_usda("moves.usda", &m);
    write_moving_abc("moves.abc", &m);
    free(base);
}

static void write_field(void)
{
    enum { SIDE = 7 };
    static float       distance[SIDE * SIDE * SIDE];
    const pliant_field field = {
        .origin = vec(-0.375, -0.375, -0.375), .cell = R(0.125), .count = {SIDE, SIDE, SIDE}, .distance = distance, .source = 1};
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const double x = i % SIDE - 3, y = i / SIDE % SIDE - 3, z = i / SIDE / SIDE - 3;
        distance[i] = (float)(0.125 * sqrt(x * x + y * y + z * z) - 0.25);
    }
    assert_int_equal(pliant_field_write("ball.field", &field, NULL), PLIANT_OK);
}

/* What a PNG begins with, of two by two pixels: no reader of drawn scenes looks at more. */
static void write_picture(void)
{
    static const unsigned char head[33] = {137, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I',
                                           'H', 'D', 'R', 0,   0,  0,  2,  0,  0, 0, 2, 8,  2};
    write_bytes("four.png", head, sizeof head);
}

void scene_draw_files(void)
{
    shape s = ball(1, 0, 0, 0, 0.25);
    write_sheet();
    write_ball(&s);
    write_tetgen();
    write_gmsh();
    write_vtk();
    write_pc2(&s);
    write_mdd(&s);
    write_straight(&s);
    write_field();
    write_picture();
    shape_free(&s);
}
