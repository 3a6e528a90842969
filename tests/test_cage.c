/* Laws of cages: whatever the surface, all of it is held, nothing is turned or hangs loose, and the same input gives the same bits. */
#include "files.h"
#include "shapes.h"

#include "base/hash.h"
#include "pliant/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct made {
    pliant_tets      tets;
    pliant_cage_info info;
} made;

static made make(const shape *s, uint32_t cells, bool fit)
{
    made                   m;
    pliant_error           error = {0};
    const pliant_mesh_view view = shape_view(s);
    pliant_cage_def        def = pliant_cage_def_default();
    def.cells = cells;
    def.fit = fit;
    if (pliant_cage_make(&view, &def, &m.tets, &m.info, &error) != PLIANT_OK) fail_msg("%s", error.message);
    return m;
}

static double volume6(const double x[4][3])
{
    double e[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) e[i][k] = x[i + 1][k] - x[0][k];
    return (e[0][1] * e[1][2] - e[0][2] * e[1][1]) * e[2][0] + (e[0][2] * e[1][0] - e[0][0] * e[1][2]) * e[2][1] +
           (e[0][0] * e[1][1] - e[0][1] * e[1][0]) * e[2][2];
}

/* The largest over all tetrahedra of the least of four weights. */
static double depth_in(const pliant_tets *t, const pliant_real *p)
{
    double best = -1;
    for (size_t i = 0; i < t->tetrahedron_count; i++) {
        double x[4][3], whole, least = 1;
        bool   far = false;
        for (int k = 0; k < 12; k++)
            x[k / 3][k % 3] = (double)t->positions[3 * (size_t)t->tetrahedra[4 * i + (size_t)(k / 3)] + (size_t)(k % 3)];
        for (int k = 0; k < 3 && !far; k++) {
            const double a = fmin(fmin(x[0][k], x[1][k]), fmin(x[2][k], x[3][k])), b = fmax(fmax(x[0][k], x[1][k]), fmax(x[2][k], x[3][k]));
            far = (double)p[k] < a || (double)p[k] > b;
        }
        if (far) continue;
        whole = volume6((const double(*)[3])x);
        for (int k = 0; k < 4; k++) {
            double y[4][3];
            memcpy(y, x, sizeof y);
            for (int c = 0; c < 3; c++) y[k][c] = (double)p[c];
            least = fmin(least, volume6((const double(*)[3])y) / whole);
        }
        best = fmax(best, least);
    }
    return best;
}

/* The laws of every cage. */
static void check(const shape *s, const made *m, bool fit, uint32_t parts)
{
    pliant_examination    e;
    const pliant_tet_view view = pliant_tet_view_from(&m->tets);
    assert_int_equal(pliant_tets_examine(&view, &e, NULL), PLIANT_OK);
    for (int i = 0; i < PLIANT_FINDING_COUNT; i++)
        if (e.count[i] && !pliant_finding_describe((pliant_finding)i)->note)
            fail_msg("%s: %llu", pliant_finding_describe((pliant_finding)i)->name, (unsigned long long)e.count[i]);
    assert_int_equal(e.parts, parts);
    assert_int_equal(m->info.parts, parts);
    assert_true(e.least_angle >= (fit ? 19.9 : 59.9));
    assert_true(e.greatest_angle <= (fit ? 140.1 : 90.1));
    assert_true(fabs(e.volume - m->info.volume) <= 1e-6 * e.volume);
    bool *used = calloc(s->vertex_count, sizeof *used);
    for (uint32_t i = 0; i < 3 * s->triangle_count; i++) used[s->triangles[i]] = true;
    for (uint32_t v = 0; v < s->vertex_count; v++)
        if (used[v] && !(depth_in(&m->tets, s->x + 3 * (size_t)v) >= 0)) fail_msg("vertex %u of the surface is in no tetrahedron", v);
    free(used);
}

static void test_ball(void **state)
{
    (void)state;
    double last[2] = {1e9, 1e9};
    shape  s = ball(3, 0, 0, 0, 1);
    for (uint32_t cells = 1; cells <= 16; cells *= 2)
        for (int fit = 0; fit < 2; fit++) {
            made m = make(&s, cells, fit);
            check(&s, &m, fit, 1);
            assert_int_equal(m.info.open_edges, 0);
            assert_true(m.info.volume >= m.info.surface_volume && m.info.volume < last[fit]); /* from above */
            last[fit] = m.info.volume;
            pliant_tets_free(&m.tets);
        }
    made m = make(&s, 48, true);
    assert_true(m.info.volume >= m.info.surface_volume && m.info.volume < 1.03 * m.info.surface_volume);
    pliant_tets_free(&m.tets);
    m = make(&s, 48, false);
    assert_true(m.info.volume >= m.info.surface_volume && m.info.volume < 1.12 * m.info.surface_volume);
    pliant_tets_free(&m.tets);
    shape_free(&s);
}

/* Flat walls, sharp edges, and a surface of few and large triangles. */
static void test_box(void **state)
{
    (void)state;
    shape s = box(-1, -0.5, -0.25, 1, 0.5, 0.25);
    for (int fit = 0; fit < 2; fit++) {
        made m = make(&s, 12, fit);
        check(&s, &m, fit, 1);
        assert_true(m.info.volume > 1);
        pliant_tets_free(&m.tets);
    }
    shape_free(&s);
}

static void test_parts(void **state)
{
    (void)state;
    shape s = ball(2, 0, 0, 0, 1), far = ball(2, 2.6, 0, 0, 1), corner = box(0.5, 0.5, 0.5, 2, 2, 2);
    shape_add(&far, &s);
    for (int fit = 0; fit < 2; fit++) {
        made m = make(&far, 20, fit);
        check(&far, &m, fit, 2);
        pliant_tets_free(&m.tets);
        m = make(&far, 2, fit); /* too coarse to tell them apart */
        check(&far, &m, fit, 1);
        pliant_tets_free(&m.tets);
    }
    shape_add(&corner, &s); /* they cut through each other */
    made m = make(&corner, 12, true);
    check(&corner, &m, true, 1);
    assert_true(m.info.volume > 4);
    pliant_tets_free(&m.tets);
    shape_free(&s);
    shape_free(&far);
    shape_free(&corner);
}

/* Hollow, with the inner shell turned inwards as it should be: the hollow stays empty. */
static void test_hollow(void **state)
{
    (void)state;
    shape s = ball(3, 0, 0, 0, 1), inner = ball(3, 0, 0, 0, 0.6);
    shape_turn(&inner, 0, inner.triangle_count);
    shape_add(&s, &inner);
    made m = make(&s, 24, true);
    check(&s, &m, true, 1);
    assert_true(m.info.volume > m.info.surface_volume && m.info.volume < 1.15 * m.info.surface_volume);
    pliant_tets_free(&m.tets);
    shape_free(&s);
    shape_free(&inner);
}

static bool same_tets(const pliant_tets *a, const pliant_tets *b)
{
    return a->vertex_count == b->vertex_count && a->tetrahedron_count == b->tetrahedron_count &&
           memcmp(a->tetrahedra, b->tetrahedra, 4 * a->tetrahedron_count * sizeof *a->tetrahedra) == 0;
}

static bool same_positions(const pliant_tets *a, const pliant_tets *b)
{
    return memcmp(a->positions, b->positions, 3 * a->vertex_count * sizeof *a->positions) == 0;
}

/* A thing a million times as large has a cage a million times as large, to the bit where that is a power of two. */
static void test_scales(void **state)
{
    (void)state;
    shape one = ball(2, 0.25, 0, 0, 1);
    made  m = make(&one, 10, true);
    for (int power = -20; power <= 20; power += 10) {
        shape  s = ball(2, 0.25, 0, 0, 1);
        made   scaled;
        size_t wrong = 0;
        for (size_t i = 0; i < 3 * s.vertex_count; i++) s.x[i] = (pliant_real)ldexp((double)s.x[i], power);
        scaled = make(&s, 10, true);
        assert_true(same_tets(&m.tets, &scaled.tets));
        for (size_t i = 0; i < 3 * m.tets.vertex_count; i++)
            wrong += ldexp((double)m.tets.positions[i], power) != (double)scaled.tets.positions[i];
        assert_int_equal(wrong, 0);
        pliant_tets_free(&scaled.tets);
        shape_free(&s);
    }
    pliant_tets_free(&m.tets);
    shape_free(&one);
}

/* ---- surfaces with faults ---- */

/* Turned triangles change nothing. */
static void test_turned(void **state)
{
    (void)state;
    shape s = ball(3, 0, 0, 0, 1);
    made  whole = make(&s, 16, false);
    for (uint32_t i = 0; i < s.triangle_count; i++)
        if (random_bits() % 4 == 0) shape_turn(&s, i, 1);
    made m = make(&s, 16, false);
    assert_true(m.info.turned > 0);
    assert_true(same_tets(&whole.tets, &m.tets) && same_positions(&whole.tets, &m.tets));
    pliant_tets_free(&m.tets);
    shape_turn(&s, 0, s.triangle_count); /* all of it inside out, with the same faults */
    m = make(&s, 16, false);
    assert_true(same_tets(&whole.tets, &m.tets) && same_positions(&whole.tets, &m.tets));
    pliant_tets_free(&m.tets);
    pliant_tets_free(&whole.tets);
    shape_free(&s);
}

/* Torn: a tenth of the triangles is missing, others are turned, and no two share a vertex any more. What was inside still is. */
static void test_torn(void **state)
{
    (void)state;
    shape s = ball(3, 0, 0, 0, 1), torn = {0};
    made  whole = make(&s, 12, false);
    torn.x = malloc(9 * (size_t)s.triangle_count * sizeof *torn.x);
    torn.triangles = malloc(3 * (size_t)s.triangle_count * sizeof *torn.triangles);
    for (uint32_t i = 0; i < s.triangle_count; i++) {
        if (random_bits() % 10 == 0) continue;
        for (uint32_t k = 0; k < 3; k++) {
            for (uint32_t c = 0; c < 3; c++)
                torn.x[3 * torn.vertex_count + c] =
                    s.x[3 * (size_t)s.triangles[3 * i + k] + c] + (pliant_real)(((double)(random_bits() % 1000) - 500) * 1e-5);
            torn.triangles[3 * torn.triangle_count + k] = torn.vertex_count++;
        }
        torn.triangle_count++;
    }
    made m = make(&torn, 12, false);
    assert_int_equal(m.info.open_edges, 3 * torn.triangle_count);
    assert_true(m.info.inside > 0 && m.info.volume > 0.95 * whole.info.volume && m.info.volume < 1.05 * whole.info.volume);
    check(&torn, &m, false, 1);
    pliant_tets_free(&m.tets);
    pliant_tets_free(&whole.tets);
    shape_free(&s);
    shape_free(&torn);
}

/* A bowl that is open above is filled to its rim, about; a sheet gets a layer. */
static void test_open(void **state)
{
    (void)state;
    shape    s = ball(4, 0, 0, 0, 1), sheet = {0};
    uint32_t left = 0;
    for (uint32_t i = 0; i < s.triangle_count; i++) {
        const uint32_t *t = s.triangles + 3 * (size_t)i;
        if ((double)s.x[3 * (size_t)t[0] + 1] > 0.8) continue;
        memmove(s.triangles + 3 * (size_t)left++, t, 3 * sizeof *t);
    }
    s.triangle_count = left;
    made m = make(&s, 16, true);
    check(&s, &m, true, 1);
    assert_true(m.info.open_edges > 0 && m.info.inside > 0 && m.info.volume > 3.8 && m.info.volume < 4.9);
    pliant_tets_free(&m.tets);
    shape_free(&s);

    sheet = box(-1, -1, 0, 1, 1, 1);
    sheet.triangle_count = 2; /* its floor */
    m = make(&sheet, 16, true);
    check(&sheet, &m, true, 1);
    assert_true(m.info.open_edges == 4 && m.info.inside == 0 && m.info.volume < 4 * 2 * m.info.cell);
    pliant_tets_free(&m.tets);
    shape_free(&sheet);
}

/* ---- the same bits ---- */

#define GOLDEN_FLOAT 0x2a651277a7c70f4au
#define GOLDEN_DOUBLE 0x1c04fee00e752cc4u

static uint64_t hash_of(const made *m)
{
    return pliant__hash(m->tets.positions, 3 * m->tets.vertex_count * sizeof *m->tets.positions,
                        pliant__hash(m->tets.tetrahedra, 4 * m->tets.tetrahedron_count * sizeof *m->tets.tetrahedra, 0));
}

/* Recorded: every compiler and machine is to find these. They change only when the method of making cages does. */
static void test_golden(void **state)
{
    (void)state;
    shape s = ball(3, 0.1, 0.2, 0.3, 0.7);
    made  m = make(&s, 14, true);
#ifdef PLIANT_DOUBLE
    assert_int_equal(hash_of(&m), GOLDEN_DOUBLE);
#else
    assert_int_equal(hash_of(&m), GOLDEN_FLOAT);
#endif
    pliant_tets_free(&m.tets);
    shape_free(&s);
}

/* ---- files ---- */

static double number(FILE *file)
{
    double value = 0;
    if (fscanf(file, "%lf", &value) != 1) fail_msg("a number is missing");
    return value;
}

static void skip_to(FILE *file, const char *word)
{
    char text[64];
    while (fscanf(file, "%63s", text) == 1)
        if (strcmp(text, word) == 0) return;
    fail_msg("%s is missing", word);
}

static void compare_points(FILE *file, const pliant_tets *t)
{
    for (size_t i = 0; i < 3 * t->vertex_count; i++) assert_true((pliant_real)number(file) == t->positions[i]);
}

static void test_files(void **state)
{
    (void)state;
    shape        s = ball(1, 0.1, 0.2, 0.3, 0.7);
    made         m = make(&s, 6, true);
    pliant_tets  back;
    pliant_error error = {0};
    assert_int_equal(pliant_tets_write("a.node", &m.tets, &error), PLIANT_OK);
    assert_int_equal(pliant_tets_load("a.ele", &back, &error), PLIANT_OK);
    assert_true(same_tets(&m.tets, &back) && same_positions(&m.tets, &back));
    pliant_tets_free(&back);
    assert_int_equal(pliant_tets_write("B.ELE", &m.tets, &error), PLIANT_OK);
    assert_int_equal(pliant_tets_load("B.NODE", &back, &error), PLIANT_OK);
    assert_true(same_tets(&m.tets, &back) && same_positions(&m.tets, &back));
    pliant_tets_free(&back);

    assert_int_equal(pliant_tets_write("a.msh", &m.tets, &error), PLIANT_OK);
    FILE *file = fopen("a.msh", "r");
    skip_to(file, "$MeshFormat");
    assert_true(number(file) == 4.1 && number(file) == 0 && number(file) == 8);
    skip_to(file, "$Entities");
    assert_true(number(file) == 0 && number(file) == 0 && number(file) == 0 && number(file) == 1);
    skip_to(file, "$Nodes");
    const double n = (double)m.tets.vertex_count, e = (double)m.tets.tetrahedron_count;
    assert_true(number(file) == 1 && number(file) == n && number(file) == 1 && number(file) == n);
    assert_true(number(file) == 3 && number(file) == 1 && number(file) == 0 && number(file) == n);
    for (size_t i = 0; i < m.tets.vertex_count; i++) assert_true(number(file) == (double)i + 1);
    compare_points(file, &m.tets);
    skip_to(file, "$Elements");
    assert_true(number(file) == 1 && number(file) == e && number(file) == 1 && number(file) == e);
    assert_true(number(file) == 3 && number(file) == 1 && number(file) == 4 && number(file) == e);
    for (size_t i = 0; i < m.tets.tetrahedron_count; i++) {
        assert_true(number(file) == (double)i + 1);
        for (size_t k = 0; k < 4; k++) assert_true(number(file) == (double)m.tets.tetrahedra[4 * i + k] + 1);
    }
    skip_to(file, "$EndElements");
    fclose(file);

    assert_int_equal(pliant_tets_write("a.vtk", &m.tets, &error), PLIANT_OK);
    file = fopen("a.vtk", "r");
    skip_to(file, "POINTS");
    assert_true(number(file) == n);
    skip_to(file, sizeof(pliant_real) == 8 ? "double" : "float");
    compare_points(file, &m.tets);
    skip_to(file, "CELLS");
    assert_true(number(file) == e && number(file) == 5 * e);
    for (size_t i = 0; i < m.tets.tetrahedron_count; i++) {
        assert_true(number(file) == 4);
        for (size_t k = 0; k < 4; k++) assert_true(number(file) == (double)m.tets.tetrahedra[4 * i + k]);
    }
    skip_to(file, "CELL_TYPES");
    assert_true(number(file) == e);
    for (size_t i = 0; i < m.tets.tetrahedron_count; i++) assert_true(number(file) == 10);
    fclose(file);
    assert_int_not_equal(pliant_tets_write("a.stl", &m.tets, &error), PLIANT_OK);
    assert_int_equal(error.code, PLIANT_ERROR_INPUT);
    assert_int_not_equal(pliant_tets_write("nowhere/a.vtk", &m.tets, &error), PLIANT_OK);
    assert_int_equal(error.code, PLIANT_ERROR_IO);
    pliant_tets_free(&m.tets);
    shape_free(&s);
}

/* ---- refusals ---- */

static void refuse(const pliant_mesh_view *view, const pliant_cage_def *def, pliant_code code, const char *said)
{
    pliant_error error = {0};
    pliant_tets  tets;
    assert_int_not_equal(pliant_cage_make(view, def, &tets, NULL, &error), PLIANT_OK);
    assert_int_equal(error.code, code);
    if (!strstr(error.message, said)) fail_msg("%s does not say %s", error.message, said);
    assert_null(tets.positions);
}

static void test_refusals(void **state)
{
    (void)state;
    shape            s = ball(1, 0, 0, 0, 1);
    pliant_mesh_view view = shape_view(&s);
    pliant_cage_def  def = pliant_cage_def_default();
    def.cells = 0;
    refuse(&view, &def, PLIANT_ERROR_ARGUMENT, "from 1 to 65536 cells");
    def.cells = 65536;
    refuse(&view, &def, PLIANT_ERROR_ARGUMENT, "bytes");
    def.cells = 40;
    def.memory = 1000000;
    refuse(&view, &def, PLIANT_ERROR_ARGUMENT, "for its tetrahedra");
    def = pliant_cage_def_default();
    def.margin = -1;
    refuse(&view, &def, PLIANT_ERROR_ARGUMENT, "lengths");
    def = pliant_cage_def_default();
    def.size = 3;
    refuse(&view, &def, PLIANT_ERROR_ARGUMENT, "pliant_cage_def_default");
    for (size_t i = 0; i < s.vertex_count; i++) s.x[3 * i] += (pliant_real)BOUND(1e15, 1e7);
    refuse(&view, NULL, PLIANT_ERROR_ARGUMENT, "too small");
    s.x[4] = (pliant_real)NAN;
    refuse(&view, NULL, PLIANT_ERROR_INPUT, "not finite");
    s.x[4] = 0;
    s.triangles[5] = s.vertex_count;
    refuse(&view, NULL, PLIANT_ERROR_INPUT, "a face has vertex");
    view.triangle_count = 0;
    refuse(&view, NULL, PLIANT_ERROR_INPUT, "no faces");
    shape_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),     cmocka_unit_test(test_box),
        cmocka_unit_test(test_parts),    cmocka_unit_test(test_hollow),
        cmocka_unit_test(test_scales),   cmocka_unit_test(test_turned),
        cmocka_unit_test(test_torn),     cmocka_unit_test(test_open),
        cmocka_unit_test(test_golden),   cmocka_unit_test_setup_teardown(test_files, enter_folder, remove_folder),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
