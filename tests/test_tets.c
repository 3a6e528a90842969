/* Laws of reading tetrahedra: one mesh in every form of every format is the same, vertices in the file's order; what is cut off or damaged is
 * refused with its place or read, quickly, and never more than that. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"

#include "io/mesh/surface.h"
#include "io/mesh/tets.h"
#include "pliant/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* Two tetrahedra, one of them of ten points; a point that nothing uses; a triangle and a line besides. Numbers have gaps, and do not ascend. */
enum { POINTS = 12, TETS = 2 };
static const double   points[POINTS][3] = {{0, 0, 0},     {1, 0, 0},     {0, 1, 0},     {0, 0, 1},     {1, 1, 1.25},  {7, 8, 9},
                                           {0.5, 0.5, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {1, 0.5, 0.5}, {0.5, 1, 0.5}, {0.5, 0.5, 1}};
static const uint32_t corners[TETS][4] = {{0, 1, 2, 3}, {1, 2, 3, 4}};
static const uint32_t second[10] = {1, 2, 3, 4, 6, 7, 8, 9, 10, 11}, triangle[3] = {0, 1, 2}, line[2] = {0, 5};
static const uint32_t numbers[POINTS] = {10, 7, 30, 31, 32, 33, 2, 40, 41, 42, 43, 44};

typedef struct text {
    unsigned char bytes[8192];
    size_t        size;
    bool          binary, big, half; /* half: 4.1 counts by four bytes */
} text;

__attribute__((format(printf, 2, 3))) static void say(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    t->size += (size_t)vsnprintf((char *)t->bytes + t->size, sizeof t->bytes - t->size, format, args);
    va_end(args);
}

static void put(text *t, size_t size, const void *value)
{
    const uint16_t one = 1;
    const bool     here_big = *(const unsigned char *)&one == 0;
    for (size_t i = 0; i < size; i++) t->bytes[t->size++] = ((const unsigned char *)value)[t->big == here_big ? i : size - 1 - i];
}

static void whole(text *t, size_t size, int64_t n)
{
    const int32_t small = (int32_t)n;
    if (!t->binary)
        say(t, "%lld ", (long long)n);
    else if (size == 8)
        put(t, 8, &n);
    else
        put(t, 4, &small);
}

static void count(text *t, int64_t n) { whole(t, t->half ? 4 : 8, n); }

static void point(text *t, uint32_t i)
{
    for (int k = 0; k < 3; k++) {
        if (t->binary)
            put(t, 8, &points[i][k]);
        else
            say(t, "%.17g%s", points[i][k], k < 2 ? " " : "\n");
    }
}

static void end(text *t)
{
    if (!t->binary) say(t, "\n");
}

/* ---- Gmsh ---- */

static void begin_msh(text *t, const char *version)
{
    say(t, "$MeshFormat\n%s %d %d\n", version, t->binary, t->half ? 4 : 8);
    if (t->binary) whole(t, 4, 1), say(t, "\n");
    say(t, "$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"all of it\"\n$EndPhysicalNames\n$Nodes\n");
}

static void element_22(text *t, int number, int type, const uint32_t *v, int n)
{
    const int head[4] = {type, 1, 2, number};
    if (t->binary)
        for (int i = 0; i < 4; i++) whole(t, 4, head[i]);
    else
        say(t, "%d %d 2 ", number, type);
    whole(t, 4, 1);
    whole(t, 4, 1);
    for (int i = 0; i < n; i++) whole(t, 4, numbers[v[i]]);
    end(t);
}

static void msh_22(text *t)
{
    begin_msh(t, "2.2");
    say(t, "%d\n", POINTS);
    for (uint32_t i = 0; i < POINTS; i++) {
        whole(t, 4, numbers[i]);
        point(t, i);
    }
    say(t, "%s$EndNodes\n$Elements\n4\n", t->binary ? "\n" : "");
    element_22(t, 1, 1, line, 2);
    element_22(t, 2, 4, corners[0], 4);
    element_22(t, 3, 2, triangle, 3);
    element_22(t, 9, 11, second, 10);
    say(t, "%s$EndElements\n$NodeData\n1\n\"x\"\n0\n0\n$EndNodeData\n", t->binary ? "\n" : "");
}

static void block_41(text *t, int dimension, int type, int number, const uint32_t *v, int n)
{
    whole(t, 4, dimension);
    whole(t, 4, 1);
    whole(t, 4, type);
    count(t, 1);
    end(t);
    count(t, number);
    for (int i = 0; i < n; i++) count(t, numbers[v[i]]);
    end(t);
}

/* Nodes in two blocks, the second with parameters. */
static void msh_41(text *t)
{
    begin_msh(t, "4.1");
    const int64_t head[4] = {2, POINTS, 2, 44};
    for (int i = 0; i < 4; i++) count(t, head[i]);
    end(t);
    for (uint32_t block = 0; block < 2; block++) {
        const uint32_t first = block ? 5 : 0, last = block ? POINTS : 5;
        whole(t, 4, 2);
        whole(t, 4, 1);
        whole(t, 4, block);
        count(t, last - first);
        end(t);
        for (uint32_t i = first; i < last; i++) count(t, numbers[i]), end(t);
        for (uint32_t i = first; i < last; i++) {
            point(t, i);
            for (int k = 0; block && k < 2; k++) {
                if (t->binary)
                    put(t, 8, &points[1][0]);
                else
                    say(t, "1 ");
            }
        }
    }
    say(t, "\n$EndNodes\n$Elements\n");
    const int64_t elements[4] = {4, 4, 1, 9};
    for (int i = 0; i < 4; i++) count(t, elements[i]);
    end(t);
    block_41(t, 1, 1, 1, line, 2);
    block_41(t, 3, 4, 2, corners[0], 4);
    block_41(t, 2, 2, 3, triangle, 3);
    block_41(t, 3, 11, 9, second, 10);
    say(t, "%s$EndElements\n", t->binary ? "\n" : "");
}

/* ---- VTK ---- */

static void begin_vtk(text *t, const char *version)
{
    say(t, "# vtk DataFile Version %s\na title\n%s\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\nTimeValue 1 1 double\n", version,
        t->binary ? "BINARY" : "ASCII");
    if (t->binary)
        put(t, 8, &points[1][0]), say(t, "\n");
    else
        say(t, "1\n");
    say(t, "POINTS %d double\n", POINTS);
    for (uint32_t i = 0; i < POINTS; i++) point(t, i);
    say(t, "%sMETADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1.7 \n\n", t->binary ? "\n" : "");
}

static void types_of_cells(text *t)
{
    const int types[4] = {3, 10, 5, 24};
    say(t, "%sCELL_TYPES 4\n", t->binary ? "\n" : "");
    for (int i = 0; i < 4; i++) whole(t, 4, types[i]), end(t);
    say(t, "\nCELL_DATA 4\nSCALARS anything int 1\nLOOKUP_TABLE default\n1 2 3 4\n");
}

static const uint32_t *const cells[4] = {line, corners[0], triangle, second};
static const int             sizes[4] = {2, 4, 3, 10};

static void vtk_old(text *t)
{
    begin_vtk(t, "2.0");
    say(t, "CELLS 4 23\n");
    for (int c = 0; c < 4; c++) {
        whole(t, 4, sizes[c]);
        for (int i = 0; i < sizes[c]; i++) whole(t, 4, cells[c][i]);
        end(t);
    }
    types_of_cells(t);
}

static void vtk_new(text *t)
{
    int64_t at = 0;
    begin_vtk(t, "5.1");
    say(t, "CELLS 5 19\nOFFSETS vtktypeint64\n");
    whole(t, 8, 0);
    for (int c = 0; c < 4; c++) whole(t, 8, at += sizes[c]);
    say(t, "\nCONNECTIVITY %s\n", t->half ? "int" : "vtktypeint64");
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < sizes[c]; i++) whole(t, t->half ? 4 : 8, cells[c][i]);
    types_of_cells(t);
}

/* ---- every form ---- */

typedef bool reader(pliant__tets *t, const char *bytes, size_t length);

static const struct form {
    const char *name, *ending;
    void (*make)(text *t);
    reader *read;
    bool    binary, big, half;
} forms[] = {
    {"Gmsh 2.2", ".msh", msh_22, pliant__msh_read, false, false, false},
    {"Gmsh 2.2 binary", ".msh", msh_22, pliant__msh_read, true, false, false},
    {"Gmsh 2.2 binary, big end first", ".msh", msh_22, pliant__msh_read, true, true, false},
    {"Gmsh 4.1", ".msh", msh_41, pliant__msh_read, false, false, false},
    {"Gmsh 4.1 binary", ".msh", msh_41, pliant__msh_read, true, false, false},
    {"Gmsh 4.1 binary, big end first", ".msh", msh_41, pliant__msh_read, true, true, false},
    {"Gmsh 4.1 binary, four bytes", ".msh", msh_41, pliant__msh_read, true, false, true},
    {"VTK 2.0", ".vtk", vtk_old, pliant__vtk_read, false, false, false},
    {"VTK 2.0 binary", ".vtk", vtk_old, pliant__vtk_read, true, true, false},
    {"VTK 5.1", ".vtk", vtk_new, pliant__vtk_read, false, false, false},
    {"VTK 5.1 binary", ".vtk", vtk_new, pliant__vtk_read, true, true, false},
    {"VTK 5.1 binary, int", ".vtk", vtk_new, pliant__vtk_read, true, true, true},
};

enum { FORMS = sizeof forms / sizeof *forms };

static text make(const struct form *f)
{
    text t = {.binary = f->binary, .big = f->big, .half = f->half};
    f->make(&t);
    return t;
}

static void check_mesh(const char *name, const pliant_tets *m)
{
    if (m->vertex_count != POINTS || m->tetrahedron_count != TETS) fail_msg("%s: %zu, %zu", name, m->vertex_count, m->tetrahedron_count);
    assert_memory_equal(m->tetrahedra, corners, sizeof corners);
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++) assert_true(m->positions[3 * i + k] == (pliant_real)points[i][k]);
    assert_int_equal(m->other_count, 2);
    assert_int_equal(m->curved_count, 1);
}

static uint64_t hash_of(const char *path)
{
    char              scene[200];
    pliant_model_file file;
    pliant_error      error = {0};
    snprintf(scene, sizeof scene, "{\"pliant\": 1, \"bodies\": [{\"type\": \"soft\", \"name\": \"b\", \"mesh\": \"%s\"}]}", path);
    if (pliant_model_read_text(scene, strlen(scene), "s", NULL, NULL, &file, &error) != PLIANT_OK) fail_msg("%s: %s", path, error.message);
    const uint64_t hash = pliant_model_hash(file.model);
    pliant_model_close(&file);
    return hash;
}

static void tetgen(const char *name, int base)
{
    char node[2048], ele[256], path[64];
    int  n = snprintf(node, sizeof node, "%d 3 0 0\n", POINTS);
    for (int i = 0; i < POINTS; i++)
        n += snprintf(node + n, sizeof node - (size_t)n, "%d %.17g %.17g %.17g\n", i + base, points[i][0], points[i][1], points[i][2]);
    snprintf(ele, sizeof ele, "2 4 0\n1 %d %d %d %d\n2 %d %d %d %d\n", base, 1 + base, 2 + base, 3 + base, 1 + base, 2 + base, 3 + base,
             4 + base);
    snprintf(path, sizeof path, "%s.node", name);
    write_text(path, node);
    snprintf(path, sizeof path, "%s.ele", name);
    write_text(path, ele);
}

static void every_form_is_the_same_mesh(void **unused)
{
    (void)unused;
    tetgen("t0", 0);
    tetgen("t1", 1);
    const uint64_t hash = hash_of("t0.node");
    assert_true(hash_of("t1.ele") == hash);
    for (size_t f = 0; f < FORMS; f++) {
        char         path[16];
        const text   t = make(&forms[f]);
        pliant_tets  m;
        pliant_error error = {0};
        snprintf(path, sizeof path, "x%s", forms[f].ending);
        write_bytes(path, t.bytes, t.size);
        if (pliant_tets_load(path, &m, &error) != PLIANT_OK)
            fail_msg("%s: %s:%d: %s", forms[f].name, error.path, error.line, error.message);
        check_mesh(forms[f].name, &m);
        pliant_tets_free(&m);
        assert_true(hash_of(path) == hash);
    }
}

/* ---- damage ---- */

/* Reads bytes that end where their memory ends. Whether they were taken; what was read is as it should be either way. */
static bool take(reader *read, const unsigned char *bytes, size_t size, pliant_error *error, pliant__tets *out)
{
    char        *exact = malloc(size ? size : 1);
    pliant__tets t = {.path = "x", .error = error};
    memset(error, 0, sizeof *error);
    memcpy(exact, bytes, size);
    const bool ok = read(&t, exact, size);
    free(exact);
    if (ok) {
        assert_true(t.positions.count % 3 == 0 && t.tetrahedra.count % 4 == 0);
        for (size_t i = 0; i < t.tetrahedra.count; i++) assert_true(t.tetrahedra.data[i] < t.positions.count / 3);
    } else {
        assert_int_equal(error->code, PLIANT_ERROR_INPUT);
        if (!(strlen(error->message) > 5 && (error->line > 0 || strncmp(error->message, "byte ", 5) == 0)))
            fail_msg("%zu %d %s", size, error->line, error->message);
    }
    if (out)
        *out = t;
    else
        pliant__tets_free(&t);
    return ok;
}

/* What is behind the last element may be missing. Of the last number of a text, digits may be. */
static void every_cut_is_refused(void **unused)
{
    (void)unused;
    for (size_t f = 0; f < FORMS; f++) {
        const text   t = make(&forms[f]);
        pliant_error error;
        size_t       taken = 0;
        for (size_t size = 0; size < t.size; size++) {
            pliant__tets m;
            const bool   ok = take(forms[f].read, t.bytes, size, &error, &m);
            if (ok && (m.positions.count != 3 * POINTS || (m.tetrahedra.count != 4 * TETS && !memchr("24", t.bytes[size], 2))))
                fail_msg("%s: cut to %zu", forms[f].name, size);
            taken += ok;
            pliant__tets_free(&m);
        }
        if (taken > 80) fail_msg("%s: %zu cuts of %zu taken", forms[f].name, taken, t.size);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void mutate(text *t)
{
    static const unsigned char bytes[] = {0, 255, 127, 128, '9', '-', ' ', 'e', '\n', '$', '1'};
    for (uint64_t k = random_bits() % 4; k < 4; k++) {
        const size_t at = random_bits() % t->size, size = random_bits() % 9;
        switch (random_bits() % 4) {
        case 0:
            memmove(t->bytes + at, t->bytes + at + (at + size < t->size ? size : 0), t->size - at - (at + size < t->size ? size : 0));
            break;
        case 1: t->bytes[at] ^= (unsigned char)(1u << random_bits() % 8); break;
        default: t->bytes[at] = bytes[random_bits() % sizeof bytes];
        }
    }
}

static void whatever_the_bytes_are_nothing_is_read_beyond_them(void **unused)
{
    (void)unused;
    for (size_t f = 0; f < FORMS; f++) {
        const text whole_text = make(&forms[f]);
        double     longest = 0;
        size_t     taken = 0;
        for (int n = 0; n < 2000; n++) {
            text         t = whole_text;
            pliant_error error;
            mutate(&t);
            const double start = now();
            taken += take(forms[f].read, t.bytes, t.size, &error, NULL);
            longest = now() - start > longest ? now() - start : longest;
        }
        if (longest > 1) fail_msg("%s: took %g s", forms[f].name, longest);
        if (taken == 0 || taken == 2000) fail_msg("%s: %zu of 2000 are taken", forms[f].name, taken);
    }
}

static void refused(reader *read, const char *file, int line_number, const char *with)
{
    pliant_error error;
    if (take(read, (const unsigned char *)file, strlen(file), &error, NULL)) fail_msg("taken: %s", file);
    if (error.line != line_number || !strstr(error.message, with))
        fail_msg("%d: %s instead of %d: %s", error.line, error.message, line_number, with);
}

static void what_is_wrong_is_said_with_its_line(void **unused)
{
    (void)unused;
#define M "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define M4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define N "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
    reader *msh = pliant__msh_read, *vtk = pliant__vtk_read;
    refused(msh, "solid x\n", 1, "not a mesh of Gmsh");
    refused(msh, "$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", 2, "version 4 is not read");
    refused(msh, "$MeshFormat\n2.2 2 8\n", 2, "type (0 or 1)");
    refused(msh, "$MeshFormat\n2.2 0 4\n$EndMeshFormat\n", 2, "not 8");
    refused(msh, M, 4, "$Nodes is missing");
    refused(msh, M N, 11, "$Elements is missing");
    refused(msh, M "$Elements\n0\n$EndElements\n", 4, "before $Nodes");
    refused(msh, M N N, 11, "a second section $Nodes");
    refused(msh, M "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n", 8, "node 1 is there twice");
    refused(msh, M "$Nodes\n1\n1 0 0 nan\n", 6, "nan is not a finite number");
    refused(msh, M "$Nodes\n1\n1 0 0 1e39\n", 6, "too large");
    refused(msh, M "$Nodes\n2\n1 0 0 0\n$EndNodes\n", 7, "not a finite number");
    refused(msh, M "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n", 7, "$EndNodes is missing");
    refused(msh, M N "$Elements\n1\n1 4 0 1 2 3 5\n", 13, "node 5, which is not there");
    refused(msh, M N "$Elements\n1\n1 99 0 1 2 3 4\n", 13, "type 99 are not known");
    refused(msh, M N "$Elements\n1\n1 4 -1 1 2 3 4\n", 13, "number of tags");
    refused(msh, M N "$Comments\nwhatever\n", 11, "section Comments has no end");
    refused(msh, M N "hello\n", 11, "hello where a section should begin");
    refused(msh, M4 "$Nodes\n1 3 1 3\n0 1 0 2\n1\n2\n0 0 0\n1 0 0\n$EndNodes\n", 10, "the blocks have 2 nodes, not 3");
    refused(msh, M4 "$Nodes\n1 1 1 1\n4 1 0 1\n", 6, "dimension");
#define V "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
#define P "POINTS 4 float\n0 0 0 1 0 0\n0 1 0 0 0 1\n"
    refused(vtk, "solid x\n", 1, "not a legacy VTK file");
    refused(vtk, "# vtk DataFile Version 2.0\nt\nTEXT\n", 3, "neither ASCII nor BINARY");
    refused(vtk, "# vtk DataFile Version 2.0\nt\nASCII\nDATASET POLYDATA\n", 4, "is a POLYDATA");
    refused(vtk, V, 5, "POINTS is missing");
    refused(vtk, V P, 8, "CELLS is missing");
    refused(vtk, V P "CELLS 1 5\n4 0 1 2 3\n", 10, "CELL_TYPES is missing");
    refused(vtk, V "CELLS 1 5\n4 0 1 2 3\n", 5, "before POINTS");
    refused(vtk, V P "CELLS 1 5\n4 0 1 2 4\n", 9, "a point of a cell is out of range");
    refused(vtk, V P "CELLS 1 6\n4 0 1 2 3\nCELL_TYPES 1\n10\n", 9, "CELLS has 5 numbers, not 6");
    refused(vtk, V P "CELLS 1 4\n4 0 1 2 3\n", 9, "the number of points of a cell");
    refused(vtk, V P "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 2\n10 10\n", 10, "CELL_TYPES has 2, and CELLS 1");
    refused(vtk, V P "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n", 11, "cell 0 is a tetrahedron of 3 points");
    refused(vtk, V P "CELLS 2 4\nOFFSETS vtktypeint64\n0 3\nCONNECTIVITY vtktypeint64\n0 1 2 3\n", 10, "does not end with CONNECTIVITY");
    refused(vtk, V P "CELLS 2 4\nOFFSETS vtktypeint64\n1 4\n", 10, "where a cell begins");
    refused(vtk, V "POINTS 1 half\n", 5, "type half");
    refused(vtk, V "POINTS 2000000000 float\n0 0 0\n", 5, "cut off");
    refused(vtk, V "LOOKUP 1\n", 5, "LOOKUP where a part should begin");
}

/* ---- what is not in the table above ---- */

static void triangles_of_tetgen_are_a_surface(void **unused)
{
    (void)unused;
    static const uint32_t expected[6] = {0, 1, 2, 1, 3, 2};
    pliant_mesh           m;
    pliant_error          error = {0};
    write_text("s.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0.5\n");
    write_text("s.face", "2 1\n1 1 2 3 -1\n2 2 4 3 -1\n");
    if (pliant_mesh_load("s.face", &m, &error) != PLIANT_OK) fail_msg("%s", error.message);
    assert_true(m.vertex_count == 4 && m.triangle_count == 2 && m.quad_count == 0 && m.in_order);
    assert_memory_equal(m.triangles, expected, sizeof expected);
    pliant_mesh_free(&m);
    write_text("s.face", "1 1\n1 1 2 5 -1\n");
    assert_int_not_equal(pliant_mesh_load("s.face", &m, &error), PLIANT_OK);
    assert_true(error.line == 2 && strstr(error.path, "s.face"));
    assert_int_equal(remove("s.node"), 0);
    assert_int_not_equal(pliant_mesh_load("s.face", &m, &error), PLIANT_OK);
    assert_true(strstr(error.path, "s.node") != NULL);
}

/* Bytes of TetGen's files, whatever they are. */
static void damaged_files_of_tetgen_are_refused_or_read(void **unused)
{
    (void)unused;
    static const char node[] = "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0.5\n", ele[] = "1 4 0\n1 1 2 3 4\n",
                      face[] = "2 1\n1 1 2 3 -1\n2 2 4 3 -1\n";
    for (int n = 0; n < 6000; n++) {
        pliant_error    error = {0};
        pliant__tets    t = {.path = "x", .error = &error};
        pliant__surface s = {.path = "x", .error = &error};
        text            files[3] = {{.size = sizeof node - 1}, {.size = sizeof ele - 1}, {.size = sizeof face - 1}};
        memcpy(files[0].bytes, node, sizeof node);
        memcpy(files[1].bytes, ele, sizeof ele);
        memcpy(files[2].bytes, face, sizeof face);
        mutate(&files[n % 3]);
        if (n % 5 == 0) files[n % 3].size = random_bits() % files[n % 3].size;
        char *exact[3];
        for (int i = 0; i < 3; i++) {
            exact[i] = malloc(files[i].size + 1);
            memcpy(exact[i], files[i].bytes, files[i].size);
            exact[i] = realloc(exact[i], files[i].size ? files[i].size : 1);
        }
        bool ok = pliant__node_read(&t, exact[0], files[0].size) && pliant__ele_read(&t, exact[1], files[1].size);
        assert_true(ok || (error.code == PLIANT_ERROR_INPUT && error.line > 0));
        ok = pliant__face_node_read(&s, exact[0], files[0].size) && pliant__face_read(&s, exact[2], files[2].size);
        assert_true(ok || (error.code == PLIANT_ERROR_INPUT && error.line > 0));
        for (size_t i = 0; i < t.tetrahedra.count; i++) assert_true(t.tetrahedra.data[i] < t.positions.count / 3);
        for (int i = 0; i < 3; i++) free(exact[i]);
        pliant__tets_free(&t);
        array_free(NULL, &s.positions);
        array_free(NULL, &s.triangles);
        array_free(NULL, &s.quads);
    }
}

static void a_mesh_without_tetrahedra_says_what_it_has(void **unused)
{
    (void)unused;
    pliant_tets  m;
    pliant_error error = {0};
    write_text("x.msh", M N "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n");
    assert_int_not_equal(pliant_tets_load("x.msh", &m, &error), PLIANT_OK);
    assert_true(strstr(error.message, "only 1 other") != NULL);
    write_text("x.msh", M N "$Elements\n0\n$EndElements\n");
    assert_int_not_equal(pliant_tets_load("x.msh", &m, &error), PLIANT_OK);
    assert_true(strstr(error.message, "no tetrahedra") != NULL);
}

int main(void)
{
#define LAW(function) cmocka_unit_test_teardown(function, clear_folder)
    const struct CMUnitTest tests[] = {
        LAW(every_form_is_the_same_mesh),
        LAW(every_cut_is_refused),
        LAW(whatever_the_bytes_are_nothing_is_read_beyond_them),
        LAW(what_is_wrong_is_said_with_its_line),
        LAW(triangles_of_tetgen_are_a_surface),
        LAW(damaged_files_of_tetgen_are_refused_or_read),
        LAW(a_mesh_without_tetrahedra_says_what_it_has),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
