/* Laws of the doctor: of a mesh with one fault it finds that one and no other; what is mended is good afterwards, what cannot be is left as it is
 * and still found. */
#include "files.h"
#include "shapes.h"

#include "pliant/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Faces that have a vertex twice are taken as they are. */
static bool load_as_is(const char *path, pliant_mesh *mesh, pliant_error *error)
{
    pliant_import_def def = pliant_import_def_default();
    def.as_is = true;
    return pliant_mesh_import(path, &def, mesh, error) == PLIANT_OK;
}

/* ---- surfaces, each with a fault ---- */

static shape good(void) { return ball(2, 0, 0, 0, 1); }

static shape open_edges(void)
{
    shape s = good();
    s.triangle_count--;
    return s;
}

/* Its rim is no hole to fill. */
static shape sheet(void)
{
    shape s = box(0, 0, 0, 1, 1, 1);
    s.triangle_count = 2;
    return s;
}

static shape two_holes(void)
{
    shape s = good();
    memmove(s.triangles, s.triangles + 3, 3 * (size_t)--s.triangle_count * sizeof *s.triangles);
    s.triangle_count--;
    return s;
}

static shape crowded(void)
{
    shape          s = good();
    const uint32_t tip = shape_vertex(&s, 3, 3, 3);
    shape_triangle(&s, s.triangles[0], s.triangles[1], tip);
    return s;
}

static shape pinched(void)
{
    shape s = box(-1, -1, -1, 0, 0, 0), other = box(0, 0, 0, 1, 1, 1);
    shape_add(&s, &other);
    for (size_t i = 0; i < 3 * s.triangle_count; i++)
        if (s.triangles[i] == 8) s.triangles[i] = 7; /* both are at the origin */
    shape_free(&other);
    return s;
}

static shape turned(void)
{
    shape s = good();
    shape_turn(&s, 5, 3);
    return s;
}

static shape inside_out(void)
{
    shape s = good();
    shape_turn(&s, 0, s.triangle_count);
    return s;
}

/* The inner shell looks outwards: the material is in the hollow as well as around it. */
static shape inner_out(void)
{
    shape s = ball(2, 0, 0, 0, 1), inner = ball(2, 0, 0, 0, 0.5);
    shape_add(&s, &inner);
    shape_free(&inner);
    return s;
}

static shape hollow(void)
{
    shape s = ball(2, 0, 0, 0, 1), inner = ball(2, 0, 0, 0, 0.5);
    shape_turn(&inner, 0, inner.triangle_count);
    shape_add(&s, &inner);
    shape_free(&inner);
    return s;
}

static shape folded(void)
{
    shape s = good();
    shape_triangle(&s, 3, 3, 7);
    return s;
}

/* A vertex in the middle of an edge of one of its two triangles, which is then a triangle without area and two others. */
static shape flat(void)
{
    shape          s = box(-1, -1, -1, 1, 1, 1);
    const uint32_t a = s.triangles[0], b = s.triangles[1], c = s.triangles[2]; /* b to c is the diagonal of a side */
    const uint32_t m = shape_vertex(&s, 0.5 * (double)(s.x[3 * b] + s.x[3 * c]), 0.5 * (double)(s.x[3 * b + 1] + s.x[3 * c + 1]),
                                    0.5 * (double)(s.x[3 * b + 2] + s.x[3 * c + 2]));
    s.triangles[2] = m;
    shape_triangle(&s, a, m, c);
    shape_triangle(&s, b, c, m);
    return s;
}

static shape sliver(void)
{
    shape s = flat();
    for (int k = 0; k < 3; k++) s.x[3 * 8 + k] += (pliant_real)(0.0005 * (double)(s.x[3 * s.triangles[0] + (size_t)k] - s.x[3 * 8 + k]));
    return s;
}

static shape double_face(void)
{
    shape s = good();
    shape_triangle(&s, s.triangles[1], s.triangles[2], s.triangles[0]);
    return s;
}

/* Moves some corners to a vertex of their own, at the same place or almost there. */
static shape seam(double off)
{
    shape          s = good();
    const uint32_t v = s.triangles[0], w = shape_vertex(&s, (double)s.x[3 * v] + off, (double)s.x[3 * v + 1], (double)s.x[3 * v + 2]);
    s.triangles[0] = w;
    return s;
}
static shape seam_exact(void) { return seam(0); }
static shape seam_near(void) { return seam(1e-6); }

static shape loose(void)
{
    shape s = good();
    shape_vertex(&s, 0, 0, 0);
    return s;
}

static shape crossing(void)
{
    shape s = box(0, 0, 0, 1, 1, 1), other = box(0.5, 0.25, 0.25, 1.5, 0.75, 0.75);
    shape_add(&s, &other);
    shape_free(&other);
    return s;
}

static shape in_millimetres(void) { return ball(2, 0, 0, 0, 170); }
static shape tiny(void) { return ball(2, 0, 0, 0, 1e-4); }
/* What a fan from the first corner makes of a face that is not convex. */
static shape not_convex(void)
{
    shape        s = {0};
    const double at[5][2] = {{0, 0}, {2, 0}, {2, 2}, {1, 0.25}, {0, 2}};
    for (int i = 0; i < 5; i++) shape_vertex(&s, at[i][0], 0, at[i][1]);
    for (uint32_t i = 1; i < 4; i++) shape_triangle(&s, 0, i, i + 1);
    return s;
}
static shape far_away(void) { return ball(2, 1e4, 0, 0, 1); }

static const struct fault {
    const char *name;
    shape (*make)(void);
    int  finding; /* or -1 */
    int  count;   /* -1: at least one */
    int  other;   /* what comes with it, or -1 */
    bool mended;
} faults[] = {
    {"good", good, -1, 0, -1, true},
    {"hollow", hollow, -1, 0, -1, true},
    {"a triangle is missing", open_edges, PLIANT_FINDING_OPEN_EDGES, 3, -1, true},
    {"a sheet", sheet, PLIANT_FINDING_OPEN_EDGES, 4, PLIANT_FINDING_UNUSED_VERTICES, false},
    {"two are missing", two_holes, PLIANT_FINDING_OPEN_EDGES, 6, -1, true},
    {"a fin", crowded, PLIANT_FINDING_CROWDED_EDGES, 1, PLIANT_FINDING_OPEN_EDGES, false},
    {"two boxes at a corner", pinched, PLIANT_FINDING_PINCHED_VERTICES, 1, PLIANT_FINDING_UNUSED_VERTICES, false},
    {"three are turned", turned, PLIANT_FINDING_TURNED_FACES, 3, -1, true},
    {"inside out", inside_out, PLIANT_FINDING_INSIDE_OUT, 1, -1, true},
    {"the inner shell is", inner_out, PLIANT_FINDING_INSIDE_OUT, 1, -1, true},
    {"a vertex twice", folded, PLIANT_FINDING_DEGENERATE_FACES, 1, -1, true},
    {"no area", flat, PLIANT_FINDING_DEGENERATE_FACES, 1, -1, true},
    {"a sliver", sliver, PLIANT_FINDING_SLIVERS, 1, -1, true},
    {"a face twice", double_face, PLIANT_FINDING_DUPLICATE_FACES, 1, -1, true},
    {"a seam", seam_exact, PLIANT_FINDING_DUPLICATE_VERTICES, 1, -1, true},
    {"a crack", seam_near, PLIANT_FINDING_NEAR_VERTICES, 1, PLIANT_FINDING_OPEN_EDGES, true},
    {"a loose vertex", loose, PLIANT_FINDING_UNUSED_VERTICES, 1, -1, true},
    {"two boxes in each other", crossing, PLIANT_FINDING_CROSSINGS, -1, -1, false},
    {"a face that is not convex", not_convex, PLIANT_FINDING_FOLDS, 2, PLIANT_FINDING_OPEN_EDGES, false},
    {"millimetres", in_millimetres, PLIANT_FINDING_SIZE, 1, -1, true},
    {"a speck", tiny, PLIANT_FINDING_SIZE, 1, -1, true},
    {"far away", far_away, PLIANT_FINDING_FAR, 1, -1, true},
};

static pliant_mesh mesh_of(const shape *s)
{
    pliant_mesh  mesh = {0};
    pliant_error error = {0};
    FILE        *file = fopen("shape.obj", "w");
    for (size_t i = 0; i < s->vertex_count; i++)
        fprintf(file, "v %.17g %.17g %.17g\n", (double)s->x[3 * i], (double)s->x[3 * i + 1], (double)s->x[3 * i + 2]);
    for (size_t i = 0; i < s->triangle_count; i++)
        fprintf(file, "f %u %u %u\n", s->triangles[3 * i] + 1, s->triangles[3 * i + 1] + 1, s->triangles[3 * i + 2] + 1);
    fclose(file);
    if (!load_as_is("shape.obj", &mesh, &error)) fail_msg("%s", error.message);
    return mesh;
}

static pliant_examination examine(const pliant_mesh *mesh)
{
    pliant_examination     e;
    pliant_error           error = {0};
    const pliant_mesh_view view = pliant_mesh_view_from(mesh);
    if (pliant_mesh_examine(&view, &e, &error) != PLIANT_OK) fail_msg("%s", error.message);
    return e;
}

static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const struct fault *f = &faults[i];
        shape               s = f->make();
        pliant_mesh         mesh = mesh_of(&s);
        pliant_examination  e = examine(&mesh);
        for (int k = 0; k < PLIANT_FINDING_COUNT; k++) {
            const uint64_t count = e.count[k];
            const bool     right = k == f->finding ? (f->count < 0 ? count > 0 : count == (uint64_t)f->count)
                                   : k == f->other ? count > 0
                                                   : count == 0;
            if (!right) fail_msg("%s: %llu %s", f->name, (unsigned long long)count, pliant_finding_describe((pliant_finding)k)->name);
            for (uint32_t v = 0; v < e.vertex_count[k]; v++) assert_true(e.vertices[k][v] < mesh.vertex_count);
        }
        if (pliant_mesh_mend(&mesh, NULL, NULL, NULL) != PLIANT_OK) fail_msg("%s: not mended", f->name);
        e = examine(&mesh);
        if (pliant_examination_good(&e) != f->mended) fail_msg("%s: %s afterwards", f->name, f->mended ? "not good" : "good");
        if (!f->mended) assert_true(e.count[f->finding] > 0);
        pliant_mesh_free(&mesh);
        shape_free(&s);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    shape              s = two_holes();
    pliant_mesh        mesh = mesh_of(&s);
    pliant_examination e = examine(&mesh);
    assert_int_equal(e.loops, 2);
    assert_int_equal(e.parts, 1);
    pliant_mesh_free(&mesh);
    shape_free(&s);
    s = box(0, 0, 0, 1, 2, 3);
    shape far = box(5, 0, 0, 6, 1, 1);
    shape_add(&s, &far);
    mesh = mesh_of(&s);
    e = examine(&mesh);
    assert_int_equal(e.parts, 2);
    assert_true(e.volume == 7 && e.area == 28 && e.low[0] == 0 && e.high[0] == 6 && e.high[2] == 3);
    pliant_mesh_free(&mesh);
    shape_free(&s);
    shape_free(&far);
    /* Two triangles that share a corner and cut through each other nevertheless. */
    const double places[5][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0.5, 0.5, 1}, {0.5, 0.5, -1}};
    for (int i = 0; i < 5; i++) shape_vertex(&s, places[i][0], places[i][1], places[i][2]);
    shape_triangle(&s, 0, 1, 2);
    shape_triangle(&s, 0, 3, 4);
    mesh = mesh_of(&s);
    assert_int_equal(examine(&mesh).count[PLIANT_FINDING_CROSSINGS], 1);
    pliant_mesh_free(&mesh);
    shape_free(&s);
}

/* ---- mending ---- */

/* A hole of many sides in a ball is closed with little area, and the ball is whole again; a hole with more than was said stays. */
static void test_holes(void **state)
{
    (void)state;
    for (int most = 30; most <= 60; most += 30) {
        shape           s = ball(4, 0, 0, 0, 1);
        pliant_mend_def def = pliant_mend_def_default();
        pliant_mending  done;
        uint32_t        left = 0;
        for (uint32_t i = 0; i < s.triangle_count; i++)
            if ((double)s.x[3 * (size_t)s.triangles[3 * i] + 1] < 0.8)
                memmove(s.triangles + 3 * (size_t)left++, s.triangles + 3 * (size_t)i, 3 * sizeof *s.triangles);
        s.triangle_count = left;
        pliant_mesh        mesh = mesh_of(&s);
        pliant_examination e = examine(&mesh);
        assert_true(e.count[PLIANT_FINDING_OPEN_EDGES] > 30 && e.count[PLIANT_FINDING_OPEN_EDGES] <= 60 && e.loops == 1);
        const uint64_t sides = e.count[PLIANT_FINDING_OPEN_EDGES];
        def.hole_edges = (uint32_t)most;
        assert_int_equal(pliant_mesh_mend(&mesh, &def, &done, NULL), PLIANT_OK);
        assert_int_equal(done.holes, most == 60);
        assert_int_equal(done.added, most == 60 ? sides - 2 : 0);
        e = examine(&mesh);
        assert_int_equal(e.count[PLIANT_FINDING_OPEN_EDGES], most == 60 ? 0 : sides);
        if (most == 60) assert_true(e.count[PLIANT_FINDING_TURNED_FACES] == 0 && e.volume > 3.7 && e.volume < 4.15);
        pliant_mesh_free(&mesh);
        shape_free(&s);
    }
}

/* The vertices that remain keep their order and their places, to the bit; quads stay quads, and are turned as such. */
static void test_order(void **state)
{
    (void)state;
    pliant_mesh  mesh;
    pliant_error error = {0};
    write_text("quads.obj", "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 8 8 8\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                            "f 2 6 4 3\nf 7 8 9 10\nf 2 8 7\nf 2 3 8\nf 3 4 9 8\nf 4 9 10 6\nf 2 7 10 6\n");
    assert_true(load_as_is("quads.obj", &mesh, &error));
    pliant_mending done;
    assert_int_equal(pliant_mesh_mend(&mesh, NULL, &done, &error), PLIANT_OK);
    assert_true(mesh.vertex_count == 8 && mesh.triangle_count == 2 && mesh.quad_count == 5);
    assert_true(done.unused == 2 && done.turned == 2 && done.parts == 0 && done.welded == 0);
    const double places[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (int i = 0; i < 24; i++) assert_true((double)mesh.positions[i] == places[i / 3][i % 3]);
    pliant_examination e = examine(&mesh);
    assert_true(pliant_examination_good(&e) && fabs(e.volume - 1) < 1e-12);
    assert_int_equal(pliant_mesh_write("quads.ply", &mesh, &error), PLIANT_OK);
    pliant_mesh back;
    assert_int_equal(pliant_mesh_load("quads.ply", &back, &error), PLIANT_OK);
    assert_true(back.vertex_count == 8 && back.triangle_count == 2 && back.quad_count == 5);
    assert_memory_equal(back.positions, mesh.positions, 24 * sizeof *back.positions);
    assert_memory_equal(back.quads, mesh.quads, 20 * sizeof *back.quads);
    pliant_mesh_free(&back);
    assert_int_equal(pliant_mesh_write("again.obj", &mesh, &error), PLIANT_OK);
    assert_int_equal(pliant_mesh_load("again.obj", &back, &error), PLIANT_OK);
    assert_memory_equal(back.positions, mesh.positions, 24 * sizeof *back.positions);
    assert_memory_equal(back.triangles, mesh.triangles, 6 * sizeof *back.triangles);
    pliant_mesh_free(&back);
    pliant_mesh_free(&mesh);
}

/* Damage at random: whatever it was, mending ends, and mending what was mended changes nothing. */
static void test_random_damage(void **state)
{
    (void)state;
    for (int round = 0; round < 400; round++) {
        shape s = ball(2, 0, 0, 0, 1);
        for (int blow = 0; blow < 12; blow++) {
            const size_t at = (size_t)(random_bits() % (3 * s.triangle_count));
            switch (random_bits() % 4) {
            case 0: s.triangles[at] = (uint32_t)(random_bits() % s.vertex_count); break;
            case 1: shape_turn(&s, (uint32_t)(at / 3), 1); break;
            case 2: memmove(s.triangles + 3 * (at / 3), s.triangles + 3 * (size_t)--s.triangle_count, 3 * sizeof *s.triangles); break;
            case 3: s.x[random_bits() % (3 * s.vertex_count)] = 0; break;
            }
        }
        pliant_mesh    mesh = mesh_of(&s);
        pliant_mending done;
        assert_int_equal(pliant_mesh_mend(&mesh, NULL, NULL, NULL), PLIANT_OK);
        const pliant_examination first = examine(&mesh);
        assert_int_equal(first.count[PLIANT_FINDING_DEGENERATE_FACES] + first.count[PLIANT_FINDING_DUPLICATE_FACES] +
                             first.count[PLIANT_FINDING_DUPLICATE_VERTICES] + first.count[PLIANT_FINDING_UNUSED_VERTICES],
                         0);
        assert_int_equal(pliant_mesh_mend(&mesh, NULL, &done, NULL), PLIANT_OK);
        assert_int_equal(done.welded + done.removed + done.duplicates + done.unused + done.turned, 0);
        pliant_mesh_free(&mesh);
        shape_free(&s);
    }
}

/* ---- tetrahedra ---- */

static const struct tets_fault {
    const char *name;
    uint32_t    tets[8], count;
    int         finding, number;
} tets_faults[] = {
    {"two that share a face", {0, 1, 2, 3, 1, 2, 3, 4}, 2, -1, 0},
    {"one is inverted", {0, 1, 2, 3, 2, 1, 3, 4}, 2, PLIANT_FINDING_INVERTED_TETS, 1},
    {"one is flat", {0, 1, 2, 5, 1, 2, 3, 4}, 2, PLIANT_FINDING_FLAT_TETS, 1},
    {"one is twice", {0, 1, 2, 3, 1, 2, 0, 3}, 2, PLIANT_FINDING_DUPLICATE_TETS, 1},
    {"one is thin", {0, 1, 2, 6, 0, 1, 2, 3}, 1, PLIANT_FINDING_SLIVER_TETS, 1},
    {"two hang by a vertex", {0, 1, 2, 3, 3, 7, 8, 9}, 2, PLIANT_FINDING_HINGES, 1},
    {"two hang by an edge", {0, 1, 2, 3, 2, 3, 8, 9}, 2, PLIANT_FINDING_HINGES, 2},
};

static void test_tets(void **state)
{
    (void)state;
    static const double points[10][3] = {{0, 0, 0}, {1, 0, 0},         {0, 1, 0}, {0, 0, 1}, {1, 1, 1},
                                         {1, 1, 0}, {0.3, 0.3, 0.001}, {1, 0, 2}, {0, 1, 2}, {-0.5, -0.5, 2.5}};
    pliant_real         x[30];
    for (int i = 0; i < 30; i++) x[i] = (pliant_real)points[i / 3][i % 3];
    for (size_t i = 0; i < sizeof tets_faults / sizeof *tets_faults; i++) {
        const struct tets_fault *f = &tets_faults[i];
        const pliant_tet_view    view = {x, 3 * sizeof *x, 10, f->tets, f->count};
        pliant_examination       e;
        assert_int_equal(pliant_tets_examine(&view, &e, NULL), PLIANT_OK);
        for (int k = 0; k < PLIANT_FINDING_COUNT; k++) {
            if (k == PLIANT_FINDING_UNUSED_VERTICES) continue;                               /* all are of ten points */
            if (k == PLIANT_FINDING_HINGES && f->finding != k && f->finding != -1) continue; /* comes with others */
            if (e.count[k] != (uint64_t)(k == f->finding ? f->number : 0))
                fail_msg("%s: %llu %s", f->name, (unsigned long long)e.count[k], pliant_finding_describe((pliant_finding)k)->name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults), cmocka_unit_test(test_numbers),       cmocka_unit_test(test_holes),
        cmocka_unit_test(test_order),  cmocka_unit_test(test_random_damage), cmocka_unit_test(test_tets),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
