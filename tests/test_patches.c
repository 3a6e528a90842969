/* Bodies so large that several patches solve them: what patches, rounds and clusters promise, for every kind of constraint; that particles
 * which move while their patch is at hand come out as those do that stages move one after another; and that the order solved, replayed one
 * row at a time, is the same run. */
#include "more.h"
#include "sample_scenes.h"

#include "compile/disjoint.h"
#include "compile/model.h"
#include "scene/draft.h"
#include "solver/solver.h"
#include "solver/patch_schedule.h"
#include "solver/pieces.h"
#include "state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DT 0.015625

/* ---- scenes ---- */

static uint64_t seed;

static uint32_t below(uint32_t count)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % count;
}

static pliant_scene *begin(pliant_order order)
{
    pliant_scene_def def = pliant_scene_def_default();
    def.substeps = 3;
    def.order = order;
    pliant_scene *scene = pliant_scene_create(&def, NULL);
    assert_non_null(scene);
    return scene;
}

static void add_cloth(pliant_scene *scene, uint32_t cells, double x)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    const uint32_t anchors[2] = {0, cells}, pin = (cells + 1) * cells, hooks[3] = {cells / 2, cells / 3 * (cells + 2), cells * (cells + 2)};
    pliant_law     spring = pliant_law_default();
    spring.compliance = R(1e-3);
    def.cells_x = def.cells_z = cells;
    def.size_x = def.size_z = 2;
    def.tether = 1;
    def.body.placement.position = v3(R(x), 0, 0);
    const pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    assert_int_equal(pliant_scene_pin(scene, body, anchors, 2, false, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_pin(scene, body, &pin, 1, true, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_attach_soft(scene, body, hooks, 3, &spring, NULL, NULL), PLIANT_OK);
}

static pliant_scene *cloth(void)
{
    pliant_scene *scene = begin(PLIANT_ORDER_COLOUR);
    add_cloth(scene, 100, 0);
    return scene;
}

/* A grid of several tiles, a pin that may be let go and a spring. */
static pliant_scene *weave(void)
{
    pliant_scene    *scene = begin(PLIANT_ORDER_COLOUR);
    pliant_cloth_def def = pliant_cloth_def_default();
    const uint32_t   anchors[2] = {0, 140}, pin = 5000, hook = 777;
    pliant_law       spring = pliant_law_default();
    spring.compliance = R(1e-3);
    def.cells_x = 140;
    def.cells_z = 131;
    def.size_x = def.size_z = 2;
    def.bend = PLIANT_BEND_DISTANCE;
    const pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    assert_int_equal(pliant_scene_pin(scene, body, anchors, 2, false, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_pin(scene, body, &pin, 1, true, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_attach_soft(scene, body, &hook, 1, &spring, NULL, NULL), PLIANT_OK);
    return scene;
}

/* Grids with tethers to anchors, of several tiles and of one, that keep their tiles; of a whole side the pins are more than a particle takes. */
static pliant_scene *hung(void)
{
    pliant_scene    *scene = begin(PLIANT_ORDER_COLOUR);
    pliant_cloth_def def = pliant_cloth_def_default();
    def.tether = 1;
    def.size_x = def.size_z = 2;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t pins[150], count = i ? 2 : 141;
        def.cells_x = def.cells_z = i ? 40 : 140;
        for (uint32_t k = 0; k < count; k++) pins[k] = i ? 40 * k : k;
        const pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
        assert_int_equal(pliant_scene_pin(scene, body, pins, count, false, NULL), PLIANT_OK);
    }
    return scene;
}

/* Two small ones: nothing runs between ranges, so that all substeps are one walk. */
static pliant_scene *hung_whole(void)
{
    pliant_scene    *scene = begin(PLIANT_ORDER_COLOUR);
    pliant_cloth_def def = pliant_cloth_def_default();
    const uint32_t   pins[2] = {0, 40};
    def.cells_x = def.cells_z = 40;
    def.tether = 1;
    for (int i = 0; i < 2; i++) {
        const pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
        assert_int_equal(pliant_scene_pin(scene, body, pins, 2, false, NULL), PLIANT_OK);
    }
    return scene;
}

/* The same, and laws that ask where particles of tiles began: their rows are in lists. */
static pliant_scene *weave_damped(void)
{
    pliant_scene *scene = weave();
    pliant_law    law = pliant_law_default();
    law.compliance = R(1e-5);
    law.damping = 2;
    for (uint32_t i = 0; i < 400; i++) {
        const uint32_t        from = 37 * i + 3;
        pliant_constraint_def def = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
        for (uint32_t s = 0; s < 2; s++) def.particles[s] = (pliant_particle){{1}, from + s * 423};
        def.measure = true;
        def.law = law;
        assert_int_not_equal(pliant_scene_add_constraint(scene, &def, NULL).id, 0);
    }
    return scene;
}

/* A sheet given as triangles, held by their edges and by distances across them: no grid to the compiler. */
static pliant_scene *canvas(void)
{
    enum { N = 95 };
    static pliant_vec3 x[N * N];
    static uint32_t    triangles[2 * (N - 1) * (N - 1)][3];
    pliant_scene      *scene = begin(PLIANT_ORDER_COLOUR);
    pliant_cloth_def   def = pliant_cloth_def_default();
    const uint32_t     pins[2] = {0, N - 1};
    for (uint32_t i = 0; i < N * N; i++) x[i] = v3(R(i % N) / 32, R(i % 7) / 1024, R(i / N) / 32);
    for (uint32_t i = 0; i < (N - 1) * (N - 1); i++) {
        const uint32_t a = i / (N - 1) * N + i % (N - 1), corners[6] = {a, a + N, a + 1, a + 1, a + N, a + N + 1};
        memcpy(triangles[2 * i], corners, sizeof corners);
    }
    def.mesh = pliant_mesh_view_of(x, sizeof *x, N * N, &triangles[0][0], 2 * (N - 1) * (N - 1));
    def.bend = PLIANT_BEND_DISTANCE;
    const pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    assert_int_equal(pliant_scene_pin(scene, body, pins, 2, false, NULL), PLIANT_OK);
    return scene;
}

/* A sheet of n x n particles, 2 m wide, that hangs by two corners, as a file may have it: vertices and triangles in any order, and diagonals that run
 * all one way or `either` way. */
static pliant_scene *sheet(uint32_t n, bool either)
{
    enum { MOST = 96 };
    static pliant_vec3 x[MOST * MOST];
    static uint32_t    number[MOST * MOST], triangles[2 * MOST * MOST][3];
    const uint32_t     count = 2 * (n - 1) * (n - 1);
    pliant_scene      *scene = begin(PLIANT_ORDER_COLOUR);
    pliant_cloth_def   def = pliant_cloth_def_default();
    assert_true(n <= MOST);
    seed = 12345;
    for (uint32_t i = 0; i < n * n; i++) number[i] = i;
    for (uint32_t i = n * n; i > 1; i--) {
        const uint32_t other = below(i), last = number[i - 1];
        number[i - 1] = number[other];
        number[other] = last;
    }
    for (uint32_t i = 0; i < n * n; i++) x[number[i]] = v3(R(2.0 * (i % n) / (n - 1)), R(-2.0 * (double)(i / n) / (n - 1)), 0);
    for (uint32_t i = 0; i < count / 2; i++) {
        const uint32_t at = i / (n - 1) * n + i % (n - 1), a = number[at], b = number[at + 1], c = number[at + n], d = number[at + n + 1];
        const uint32_t one[6] = {a, c, b, b, c, d}, other[6] = {a, c, d, a, d, b};
        memcpy(triangles[2 * i], either && below(2) ? other : one, sizeof one);
    }
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t other = below(i);
        uint32_t       t[3];
        memcpy(t, triangles[i - 1], sizeof t);
        memcpy(triangles[i - 1], triangles[other], sizeof t);
        memcpy(triangles[other], t, sizeof t);
    }
    def.mesh = pliant_mesh_view_of(x, sizeof *x, n * n, &triangles[0][0], count);
    def.bend = PLIANT_BEND_DISTANCE;
    const uint32_t    pins[2] = {number[0], number[n - 1]};
    const pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    assert_int_equal(pliant_scene_pin(scene, body, pins, 2, false, NULL), PLIANT_OK);
    return scene;
}

static pliant_scene *patchwork(void) { return sheet(95, true); }

enum { HANGING = 96 };

/* A sheet of 2 m hangs by two corners, all rigid: as a grid, or as triangles. */
static pliant_scene *hanging_grid(void)
{
    pliant_scene_def settings = pliant_scene_def_default();
    pliant_cloth_def def = pliant_cloth_def_default();
    const uint32_t   pins[2] = {0, HANGING - 1};
    settings.substeps = 20;
    pliant_scene *scene = pliant_scene_create(&settings, NULL);
    def.cells_x = def.cells_z = HANGING - 1;
    def.size_x = def.size_z = 2;
    def.bend = PLIANT_BEND_DISTANCE;
    def.body.placement.rotation = (pliant_quat){R(0.70710678118654752), 0, 0, R(0.70710678118654752)};
    const pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    assert_int_equal(pliant_scene_pin(scene, body, pins, 2, false, NULL), PLIANT_OK);
    return scene;
}

static pliant_scene *hanging_mesh(void)
{
    static pliant_vec3 x[HANGING * HANGING];
    static uint32_t    triangles[2 * (HANGING - 1) * (HANGING - 1)][3];
    pliant_scene_def   settings = pliant_scene_def_default();
    pliant_cloth_def   def = pliant_cloth_def_default();
    const uint32_t     pins[2] = {0, HANGING - 1};
    settings.substeps = 20;
    pliant_scene *scene = pliant_scene_create(&settings, NULL);
    for (uint32_t i = 0; i < HANGING * HANGING; i++)
        x[i] = v3(R(2.0 * (i % HANGING) / (HANGING - 1)), R(-2.0 * (double)(i / HANGING) / (HANGING - 1)), 0);
    for (uint32_t i = 0; i < (HANGING - 1) * (HANGING - 1); i++) {
        const uint32_t a = i / (HANGING - 1) * HANGING + i % (HANGING - 1),
                       corners[6] = {a, a + HANGING, a + 1, a + 1, a + HANGING, a + HANGING + 1};
        memcpy(triangles[2 * i], corners, sizeof corners);
    }
    def.mesh = pliant_mesh_view_of(x, sizeof *x, HANGING * HANGING, &triangles[0][0], 2 * (HANGING - 1) * (HANGING - 1));
    def.bend = PLIANT_BEND_DISTANCE;
    const pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
    assert_int_equal(pliant_scene_pin(scene, body, pins, 2, false, NULL), PLIANT_OK);
    return scene;
}

static pliant_scene *cloth_given(void)
{
    pliant_scene *scene = begin(PLIANT_ORDER_GIVEN);
    add_cloth(scene, 91, 0);
    return scene;
}

static pliant_scene *jelly(void)
{
    pliant_scene   *scene = begin(PLIANT_ORDER_COLOUR);
    pliant_soft_def def = pliant_soft_def_default();
    const uint32_t  pin = 8;
    def.cells[0] = 28;
    def.cells[1] = def.cells[2] = 12;
    const pliant_body body = pliant_scene_add_soft(scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    assert_int_equal(pliant_scene_pin(scene, body, &pin, 1, false, NULL), PLIANT_OK);
    return scene;
}

enum { CUBES = 20, CORNERS = CUBES + 1 };

/* A lattice's cubes as a mesh, which the compiler does not know as a lattice. Bodies of another law besides: jelly's volumes are rigid, these
 * soft. */
static pliant_scene *pudding(void)
{
    static pliant_vec3   x[CORNERS * CORNERS * CORNERS];
    static uint32_t      tets[6 * CUBES * CUBES * CUBES][4];
    static const uint8_t cut[6][4] = {{0, 1, 3, 7}, {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 6, 4, 7}};
    pliant_scene        *scene = begin(PLIANT_ORDER_COLOUR);
    pliant_soft_def      def = pliant_soft_def_default();
    const uint32_t       pins[2] = {0, 40};
    for (uint32_t i = 0; i < CORNERS * CORNERS * CORNERS; i++)
        x[i] = v3(R(i % CORNERS) / CUBES, R(i / CORNERS % CORNERS) / CUBES, R(i / CORNERS / CORNERS) / CUBES);
    for (uint32_t i = 0; i < CUBES * CUBES * CUBES; i++)
        for (uint32_t t = 0; t < 6; t++)
            for (uint32_t s = 0; s < 4; s++) {
                const uint32_t c = cut[t][s], at[3] = {i % CUBES + (c & 1), i / CUBES % CUBES + (c >> 1 & 1), i / CUBES / CUBES + (c >> 2)};
                tets[6 * i + t][s] = (at[2] * CORNERS + at[1]) * CORNERS + at[0];
            }
    def.mesh.positions = x;
    def.mesh.stride = sizeof *x;
    def.mesh.vertex_count = CORNERS * CORNERS * CORNERS;
    def.mesh.tetrahedra = &tets[0][0];
    def.mesh.tetrahedron_count = 6 * CUBES * CUBES * CUBES;
    for (uint32_t i = 0; i < 2; i++) {
        def.material = pliant_material_preset(PLIANT_LEGACY_JELLY);
        if (i) def.material.volume.compliance = R(1e-6);
        def.body.placement.position = v3(R(2) * (pliant_real)i, 0, 0);
        const pliant_body body = pliant_scene_add_soft(scene, &def, NULL);
        assert_int_not_equal(body.id, 0);
        assert_int_equal(pliant_scene_pin(scene, body, pins, 1, false, NULL), PLIANT_OK);
        assert_int_equal(pliant_scene_pin(scene, body, pins + 1, 1, true, NULL), PLIANT_OK);
    }
    return scene;
}

static pliant_scene *pudding_iterated(void)
{
    pliant_scene *scene = pudding();
    scene->settings.substeps = 1;
    scene->settings.iterations = 3;
    return scene;
}

/* Ropes share ranges; between them is a cloth that needs some of its own. */
static pliant_scene *company(void)
{
    pliant_scene   *scene = begin(PLIANT_ORDER_COLOUR);
    pliant_rope_def def = pliant_rope_def_default();
    const uint32_t  pin = 0;
    for (uint32_t i = 0; i < 120; i++) {
        def.segments = 20 + i % 15;
        def.from = v3(R(i) / 8, 0, 0);
        def.to = v3(R(i) / 8, R(i % 5) / 8, 1);
        if (i == 70) add_cloth(scene, 50, -3);
        const pliant_body body = pliant_scene_add_rope(scene, &def, NULL);
        assert_int_not_equal(body.id, 0);
        assert_int_equal(pliant_scene_pin(scene, body, &pin, 1, i % 2, NULL), PLIANT_OK);
    }
    return scene;
}

enum { SIDE = 24, CROWD = SIDE * SIDE * SIDE, HUB_ROWS = 2400 };

static pliant_body add_crowd_particles(pliant_scene *scene)
{
    static pliant_vec3   x[CROWD];
    static pliant_real   w[CROWD];
    pliant_particles_def def = pliant_particles_def_default();
    seed = 1;
    for (uint32_t i = 0; i < CROWD; i++) {
        x[i] = v3(R(i % SIDE) / 8 + R(below(64)) / 1024, R(i / SIDE % SIDE) / 8 + R(below(64)) / 1024,
                  R(i / SIDE / SIDE) / 8 + R(below(64)) / 1024);
        w[i] = i % 23 == 11 ? 0 : R(1 + below(4));
    }
    def.positions = x;
    def.inverse_masses = w;
    def.count = CROWD;
    const pliant_body body = pliant_scene_add_particles(scene, &def, NULL);
    for (uint32_t i = 5; i < CROWD; i += 31)
        if (w[i] > 0) assert_int_equal(pliant_scene_pin(scene, body, &i, 1, true, NULL), PLIANT_OK);
    return body;
}

static void add_row(pliant_scene *scene, pliant_body body, pliant_constraint_kind kind, const uint32_t *particles, const pliant_law *law)
{
    const pliant_constraint_info *row = pliant_constraint_describe(kind);
    pliant_constraint_def         def = pliant_constraint_def_default(kind);
    pliant_error                  error = {PLIANT_OK, 0, "", ""};
    for (uint32_t s = 0; s < row->slots; s++) def.particles[s] = (pliant_particle){body, particles[s]};
    def.measure = (row->flags & PLIANT_ROW_MEASURED) != 0;
    for (uint32_t i = 0; i < row->parameter_count; i++) def.parameters[i] = R(0.03125);
    solid_parameters(kind, 0.125, def.parameters);
    def.law = *law;
    if (!pliant_scene_add_constraint(scene, &def, &error).id) fail_msg("%s: %s", row->name, error.message);
}

/* The laws that rows have: two that many share, one that has a limit where the kind can, and, of some rows, each its own. */
static pliant_law law_number(const pliant_constraint_info *row, uint32_t i)
{
    pliant_law law = pliant_law_default();
    law.stiffness = R(0.5);
    if (i % 8 == 3 || i % 8 == 4) {
        law.stiffness = 1;
        law.compliance = R(1e-4);
    }
    if (i % 8 == 5 && row->rows == 1) {
        law.limited = true;
        law.limit = i % 16 == 5 ? PLIANT_AT_MOST : PLIANT_AT_LEAST;
    }
    if (i % 8 == 7) {
        law.stiffness = 1;
        law.compliance = R(1e-4) * R(1 + i % 64);
    }
    return law;
}

/* Every kind among neighbours all over a block of loose particles, cliques and triangles of distances, and a hub with more than all colours. */
static pliant_scene *crowd_of(pliant_scene *scene, pliant_real damping)
{
    static const uint32_t step[4] = {0, 1, SIDE, SIDE * SIDE};
    const pliant_body     body = add_crowd_particles(scene);
    const uint32_t        last = CROWD - SIDE * SIDE - SIDE - 1;
    for (uint32_t i = 0; i < 6000; i++)
        for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
            seed = 1 + i + 6000u * (uint32_t)kind; /* what one kind's rows are is not for the number of kinds to say */
            pliant_law     law = law_number(pliant_constraint_describe((pliant_constraint_kind)kind), i);
            const uint32_t base = below(last), turn = below(4);
            uint32_t       p[PLIANT_MAX_SLOTS] = {0};
            if (law.compliance > 0) law.damping = damping;
            if (i % 3 && kind != PLIANT_CONSTRAINT_DISTANCE) continue;
            for (uint32_t s = 0; s < PLIANT_MAX_SLOTS; s++) p[s] = base + step[(s + turn) % 4] + s / 4 * 2;
            if (kind == PLIANT_CONSTRAINT_ATTACHMENT) p[1] = p[0] + 1;
            add_row(scene, body, (pliant_constraint_kind)kind, p, &law);
            for (uint32_t a = 0; kind == PLIANT_CONSTRAINT_DISTANCE && i % 4 < 2 && a < 3 + i % 2; a++)
                for (uint32_t b = 0; b < a; b++) add_row(scene, body, PLIANT_CONSTRAINT_DISTANCE, (uint32_t[]){p[a], p[b]}, &law);
        }
    pliant_law soft = pliant_law_default();
    soft.compliance = R(0.01);
    for (uint32_t i = 1; i <= HUB_ROWS; i++)
        add_row(scene, body, PLIANT_CONSTRAINT_DISTANCE, (uint32_t[]){CROWD / 2, i % 2 ? CROWD / 2 - i : CROWD / 2 + i}, &soft);
    return scene;
}

static pliant_scene *crowd(void) { return crowd_of(begin(PLIANT_ORDER_COLOUR), 0); }

/* Multipliers are kept, and laws ask where particles began. */
static pliant_scene *crowd_damped(void)
{
    pliant_scene_def def = pliant_scene_def_default();
    def.substeps = 2;
    def.iterations = 3;
    return crowd_of(pliant_scene_create(&def, NULL), 5);
}

/* Bodies that each lie in one patch: nothing runs between two, and steps are taken whole. Laws of the ropes ask where particles began. */
static pliant_scene *flags_of(pliant_scene *scene)
{
    static const uint32_t sides[][2] = {{40, 36}, {63, 63}, {20, 50}, {31, 31}};
    pliant_law            damped = pliant_law_default();
    const uint32_t        top[2] = {0, 20};
    pliant_rope_def       rope = pliant_rope_def_default();
    pliant_soft_def       soft = pliant_soft_def_default();
    damped.compliance = R(1e-4);
    damped.damping = R(0.01);
    for (uint32_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        pliant_cloth_def def = pliant_cloth_def_default();
        def.cells_x = sides[i][0];
        def.cells_z = sides[i][1];
        def.size_x = def.size_z = 2;
        def.bend = i % 2 ? PLIANT_BEND_DISTANCE : PLIANT_BEND_ANGLE;
        def.body.placement.position = v3(R(3) * (pliant_real)i, 0, 0);
        const pliant_body body = pliant_scene_add_cloth(scene, &def, NULL);
        assert_int_equal(pliant_scene_pin(scene, body, top, 1, false, NULL), PLIANT_OK);
        assert_int_equal(pliant_scene_pin(scene, body, top + 1, 1, true, NULL), PLIANT_OK);
    }
    for (uint32_t i = 0; i < 90; i++) {
        rope.segments = 20 + i % 15;
        rope.from = v3(R(i) / 8, 1, 0);
        rope.to = v3(R(i) / 8, 1 + R(i % 5) / 8, 1);
        const pliant_body body = pliant_scene_add_rope(scene, &rope, NULL);
        assert_int_equal(pliant_scene_pin(scene, body, top, 2, i % 2, NULL), PLIANT_OK);
        if (i % 3 == 0) add_row(scene, body, PLIANT_CONSTRAINT_DISTANCE, (uint32_t[]){1, 5 + i % 7}, &damped);
    }
    soft.cells[0] = soft.cells[1] = soft.cells[2] = 9;
    const pliant_body body = pliant_scene_add_soft(scene, &soft, NULL);
    assert_int_equal(pliant_scene_pin(scene, body, top, 2, false, NULL), PLIANT_OK);
    return scene;
}

static pliant_scene *flags(void) { return flags_of(begin(PLIANT_ORDER_COLOUR)); }

static const struct {
    const char *name;
    pliant_scene *(*build)(void);
    bool given, fused, whole; /* nothing in it wants particles between the stages; between substeps */
} scenes[] = {{"cloth", cloth, false, true, false},
              {"cloth as given", cloth_given, true, true, false},
              {"jelly", jelly, false, true, false},
              {"weave", weave, false, true, false},
              {"canvas", canvas, false, true, false},
              {"company", company, false, true, false},
              {"crowd", crowd, false, true, false},
              {"crowd, damped", crowd_damped, false, false, false},
              {"pudding", pudding, false, true, false},
              {"pudding, iterated", pudding_iterated, false, false, false},
              {"flags", flags, false, true, true},
              {"patchwork", patchwork, false, true, false},
              {"weave, damped", weave_damped, false, true, false},
              {"hung", hung, false, true, false},
              {"hung, whole", hung_whole, false, true, true}};
enum { SCENES = sizeof scenes / sizeof *scenes };

static pliant_model *compiled(uint32_t scene)
{
    pliant_error  error = {PLIANT_OK, 0, "", ""};
    pliant_scene *s = scenes[scene].build();
    pliant_model *m = pliant_scene_compile(s, &error);
    if (!m) fail_msg("%s: %s", scenes[scene].name, error.message);
    pliant_scene_destroy(s);
    return m;
}

/* ---- what patches promise ---- */

static bool moves(const pliant_model *m, uint32_t slot) { return m->pin[slot] != PLIANT__ANCHOR; }

/* Ranges are the first round; they are short enough, and they and their chunks tile the particles. */
static void check_ranges(const pliant_model *m)
{
    const pliant__round first = m->rounds[0];
    uint32_t            slot = 0, chunk = 0;
    assert_int_equal(first.first_patch, 0);
    for (uint32_t i = 0; i < first.patch_count; i++) {
        const pliant__patch *p = &m->patches[i];
        assert_int_equal(p->first_listed, PLIANT__NONE);
        assert_int_equal(p->first_slot, slot);
        assert_in_range(p->slot_count, 1, PLIANT__PATCH);
        assert_int_equal(p->first_chunk, chunk);
        for (uint32_t c = 0; c < p->chunk_count; c++, chunk++) {
            const pliant__chunk *k = &m->chunks[chunk];
            assert_int_equal(k->first, slot);
            assert_in_range(k->count, 1, PLIANT__CHUNK);
            assert_true(slot >= m->bodies[k->body].first_slot &&
                        slot + k->count <= m->bodies[k->body].first_slot + m->bodies[k->body].slot_count);
            slot += k->count;
        }
        assert_int_equal(slot, p->first_slot + p->slot_count);
    }
    assert_int_equal(slot, pliant_model_particle_count(m));
    assert_int_equal(chunk, model_count(m, chunks));
}

/* Patches of one round share no particle that moves; a list names each slot once, in order; `later` is what lists move. */
static void check_rounds(const char *name, const pliant_model *m)
{
    uint32_t *owner = calloc(m->header->slot_count, sizeof *owner); /* the patch + 1 of the round that is looked at */
    uint8_t  *later = calloc(m->header->slot_count, 1);
    uint32_t  patch = m->rounds[0].patch_count, batch = 0, listed = 0, count = 0;
    for (size_t r = 1; r < model_count(m, rounds); r++) {
        const uint32_t first = m->rounds[r].first_patch;
        assert_int_equal(first, patch);
        assert_true(m->rounds[r].patch_count > 0);
        for (uint32_t end = first + m->rounds[r].patch_count; patch < end; patch++) {
            const pliant__patch *p = &m->patches[patch];
            assert_int_equal(p->first_listed, listed);
            assert_int_equal(p->chunk_count, 0);
            listed += p->slot_count;
            for (uint32_t i = 0; i < p->slot_count; i++) {
                const uint32_t slot = pliant__patch_slot(m, p, i);
                assert_true(slot < m->header->inert);
                assert_true(!i || slot > pliant__patch_slot(m, p, i - 1));
                if (moves(m, slot) && owner[slot] > first) fail_msg("%s: slot %u is in two patches of round %zu", name, slot, r);
                owner[slot] = patch + 1;
                later[slot] |= moves(m, slot);
            }
        }
    }
    assert_int_equal(patch, model_count(m, patches));
    assert_int_equal(listed, model_count(m, patch_slots));
    for (uint32_t slot = 0; slot < m->header->slot_count; slot++) {
        assert_int_equal(m->later[slot / 8] >> slot % 8 & 1, later[slot]);
        if (later[slot]) assert_int_equal(m->later_slots[count++], slot);
    }
    assert_int_equal(count, model_count(m, later_slots));
    for (uint32_t i = 0; i < patch; i++) {
        assert_int_equal(m->patches[i].first_batch, batch);
        for (uint32_t end = batch + m->patches[i].batch_count; batch < end; batch++) assert_int_equal(m->batches[batch].patch, i);
    }
    assert_int_equal(batch, model_count(m, batches));
    free(later);
    free(owner);
}

/* Every row that is solved is in one batch, and that batch's; padding is of no constraint and has the numbers of the first row. */
static void check_rows(const pliant_model *m)
{
    uint32_t solved = 0, packed = 0;
    for (size_t b = 0; b < model_count(m, batches); b++) {
        const pliant__batch *batch = &m->batches[b];
        const pliant__patch *patch = &m->patches[batch->patch];
        const uint32_t       padded = pliant__blocks(batch) * PLIANT__BLOCK;
        assert_int_equal(batch->first_row, packed);
        assert_int_equal(batch->first_solved, solved);
        packed += padded;
        assert_true((uint64_t)patch->slot_count * PLIANT__NUMBER <= UINT16_MAX + 1u);
        for (uint32_t r = 0; r < padded; r++) {
            const bool     is_row = r < batch->count && pliant__has_row(m, batch, r);
            const uint32_t id = is_row ? pliant__constraint_of(m, batch->first_row + r) : 0;
            solved += id != 0;
            if (id) assert_int_equal(pliant__row_of(m, (pliant_constraint){id}), batch->first_row + r);
            for (uint32_t s = 0; s < batch->index_slots && !pliant__has_gaps(batch); s++) {
                const size_t   block = batch->index + (size_t)(r / PLIANT__BLOCK) * PLIANT__BLOCK * batch->index_slots + s * PLIANT__BLOCK;
                const uint16_t number = m->row_index[block + r % PLIANT__BLOCK];
                assert_int_equal(number % PLIANT__NUMBER, 0);
                assert_true(number / PLIANT__NUMBER < patch->slot_count);
                if (!id) assert_int_equal(number, m->row_index[batch->index + s * PLIANT__BLOCK]);
            }
            if (id) assert_true(pliant__row_law(m, batch, r) < model_count(m, laws));
            if (id) assert_int_equal(m->laws[pliant__row_law(m, batch, r)].kind, batch->kind);
        }
    }
    assert_int_equal(solved, pliant_model_solved_count(m));
    assert_int_equal(packed, m->header->packed_rows);
}

/* Rows of a regular batch have 16 lanes of the same groups, each particle of a row in another group; a lane has a row where the tile has all
 * its particles, and the bits say so. */
static void check_regular(const pliant_model *m, const pliant__batch *b)
{
    const pliant__patch *p = &m->patches[b->patch];
    const uint32_t       slots = pliant_constraint_describe((pliant_constraint_kind)b->kind)->slots;
    assert_int_equal(b->index_slots, 2 * slots);
    assert_true(p->lanes <= PLIANT__BLOCK && p->full_groups <= p->groups && b->law != PLIANT__NONE && !b->serial);
    assert_int_equal(p->slot_count, p->full_groups * p->lanes + (p->groups - p->full_groups) * (p->lanes - 1));
    for (uint32_t block = 0; block < pliant__blocks(b); block++) {
        const uint16_t *half = m->row_index + b->index + (size_t)block * b->index_slots;
        const uint32_t  bits = pliant__block_rows(m, b, block);
        uint32_t        group[PLIANT_MAX_SLOTS] = {0};
        assert_int_not_equal(bits, 0);
        for (uint32_t s = 0; s < slots; s++) {
            const uint32_t at = half[2 * s] | (uint32_t)half[2 * s + 1] << 16, shift = at % (4 * PLIANT__BLOCK);
            group[s] = at / (4 * PLIANT__BLOCK);
            assert_true(group[s] < p->groups && shift < PLIANT__BLOCK);
            for (uint32_t t = 0; t < s; t++) assert_int_not_equal(group[s], group[t]);
            for (uint32_t lane = 0; lane < PLIANT__BLOCK; lane++)
                if (bits >> lane & 1) assert_true(lane + shift < p->lanes - (group[s] >= p->full_groups));
        }
    }
}

/* Rows of a held batch tie 16 slots of the patch, side by side, to anchors; no slot twice. */
static void check_held(const pliant_model *m, const pliant__batch *b)
{
    const pliant__patch *p = &m->patches[b->patch];
    uint8_t             *seen = calloc(p->slot_count, 1);
    assert_int_equal(b->kind, PLIANT_CONSTRAINT_TETHER);
    assert_true(b->index_slots == PLIANT__HELD_NUMBERS && b->anchors == 2 && b->law != PLIANT__NONE && !b->serial);
    assert_int_equal(p->first_listed, PLIANT__NONE);
    for (uint32_t r = 0; r < b->count; r++) {
        uint32_t slots[2];
        if (!pliant__has_row(m, b, r)) continue;
        pliant__row_slots(m, b, r, 2, slots);
        assert_true(slots[0] - p->first_slot < p->slot_count && !seen[slots[0] - p->first_slot]++);
        assert_true(moves(m, slots[0]) && !moves(m, slots[1]));
    }
    free(seen);
}

/* Block runs of a tile have all of its blocks once, and those that share a group come in the order of their batches: what is solved strip by strip is
 * solved batch by batch. Returns how many block runs there are beyond one for each batch. */
static uint32_t check_block_runs(const pliant_model *m, const pliant__patch *p)
{
    uint32_t *last = calloc(p->groups + 1, sizeof *last), more = 0;
    assert_true(p->row ? p->block_run_count >= p->batch_count : p->block_run_count == (p->groups ? p->batch_count : 0));
    for (uint32_t k = p->first_batch; k < p->first_batch + p->batch_count && p->block_run_count; k++) {
        uint32_t next = 0; /* block */
        for (uint32_t i = p->first_block_run; i < p->first_block_run + p->block_run_count; i++) {
            if (m->block_runs[i].batch != k) continue;
            assert_int_equal(m->block_runs[i].first, next);
            next += m->block_runs[i].count;
            more += next < pliant__blocks(&m->batches[k]);
        }
        assert_int_equal(next, pliant__blocks(&m->batches[k]));
    }
    for (uint32_t i = p->first_block_run; i < p->first_block_run + p->block_run_count; i++) {
        const pliant__batch *b = &m->batches[m->block_runs[i].batch];
        for (uint32_t block = m->block_runs[i].first; block < m->block_runs[i].first + m->block_runs[i].count; block++)
            for (uint32_t s = 0; 2 * s < (b->shape == PLIANT__HELD ? 2u : b->index_slots); s++) {
                const uint16_t *half = m->row_index + b->index + (size_t)block * b->index_slots + 2 * s;
                const uint32_t  group = (half[0] | (uint32_t)half[1] << 16) / (4 * PLIANT__BLOCK);
                assert_true(m->block_runs[i].batch >= last[group]);
                last[group] = m->block_runs[i].batch;
            }
    }
    free(last);
    return more;
}

/* Batches of clusters follow one another, member by member, over one index, and each joins the pair that the shape says. Counts rows
 * of each shape there are, in ranges and in lists. */
static void check_clusters(const pliant_model *m, uint32_t rows[2][PLIANT__SHAPE_COUNT])
{
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch      *b = &m->batches[i];
        const pliant__shape_info *shape = &pliant__shapes[b->shape];
        assert_true(b->shape < PLIANT__SHAPE_COUNT);
        rows[m->patches[b->patch].first_listed != PLIANT__NONE][b->shape] += b->count;
        if (b->shape == PLIANT__HELD) {
            check_held(m, b);
            continue;
        }
        assert_int_equal(b->shape == PLIANT__REGULAR, m->patches[b->patch].groups > 0);
        if (b->shape == PLIANT__REGULAR) {
            check_regular(m, b);
            continue;
        }
        if (!b->shape) {
            assert_int_equal(b->member, 0);
            assert_int_equal(b->index_slots, pliant_constraint_describe((pliant_constraint_kind)b->kind)->slots);
            for (uint8_t s = 0; s < b->index_slots; s++) assert_int_equal(b->place[s], s);
            continue;
        }
        const pliant__batch *first = b - b->member;
        assert_true(b->member < shape->members && i - b->member + shape->members <= model_count(m, batches));
        assert_int_equal(first->member, 0);
        const uint32_t distances = shape->members - shape->volumes;
        const bool     volume = b->member >= distances;
        assert_int_equal(b->kind, volume ? PLIANT_CONSTRAINT_TET_VOLUME : PLIANT_CONSTRAINT_DISTANCE);
        assert_true(!b->serial && !b->anchors && b->law != PLIANT__NONE && b->limit == PLIANT_EQUAL);
        assert_true(shape->volumes || b->count % PLIANT__BLOCK == 0);
        assert_true(b->index == first->index && b->count == first->count && b->patch == first->patch && b->shape == first->shape);
        assert_int_equal(b->index_slots, shape->slots);
        for (uint8_t s = 0; s < (volume ? 4 : 2); s++)
            assert_int_equal(b->place[s], volume ? shape->volume[b->member - distances][s] : shape->pair[b->member][s]);
        if (b->member + 1u < shape->members) assert_int_equal(b[1].member, b->member + 1);
        for (uint32_t r = 0; r < b->count; r++)
            for (uint32_t s = 0; s < shape->slots; s++)
                for (uint32_t t = 0; t < s; t++) {
                    const uint16_t *block = m->row_index + b->index + (size_t)(r / PLIANT__BLOCK) * PLIANT__BLOCK * b->index_slots;
                    assert_true(block[s * PLIANT__BLOCK + r % PLIANT__BLOCK] != block[t * PLIANT__BLOCK + r % PLIANT__BLOCK]);
                }
    }
}

/* The distances of a shape join all of its slots, none of them twice, or there are none; those of cliques, triangles and tetrahedra join every two
 * slots. Volumes are of other slots each, and lie on two sides of the face that they share. */
static void shapes_join_pairs_once(void **unused)
{
    (void)unused;
    for (uint32_t i = 1; i < PLIANT__SHAPE_COUNT; i++) {
        const pliant__shape_info *shape = &pliant__shapes[i];
        const uint32_t            distances = shape->members - shape->volumes, pairs = shape->slots * (shape->slots - 1) / 2;
        const bool                whole = i == PLIANT__CLIQUE || i == PLIANT__TRIANGLE || i == PLIANT__TETRAHEDRON;
        uint32_t                  seen = 0, joined = 1;
        if (i == PLIANT__REGULAR || i == PLIANT__HELD) continue;
        assert_true(shape->members <= PLIANT__MOST_MEMBERS && shape->slots <= PLIANT__MOST_SLOTS);
        assert_true(distances <= pairs && (!whole || distances == pairs));
        for (uint32_t k = 0; k < distances; k++) {
            const uint32_t a = shape->pair[k][0], b = shape->pair[k][1];
            assert_true(a < shape->slots && b < shape->slots && a != b);
            assert_false(seen >> (a < b ? 4 * a + b : 4 * b + a) & 1);
            seen |= 1u << (a < b ? 4 * a + b : 4 * b + a);
        }
        for (uint32_t round = 0; round < shape->slots; round++)
            for (uint32_t k = 0; k < distances; k++) {
                const uint32_t both = 1u << shape->pair[k][0] | 1u << shape->pair[k][1];
                if (joined & both) joined |= both;
            }
        if (distances) assert_int_equal(joined, (1u << shape->slots) - 1);
        for (uint32_t k = 0; k < shape->volumes; k++) assert_int_equal(shape->volume[k][3], 3 + k);
        if (shape->volumes != 2) continue;
        assert_memory_equal(shape->volume[0], ((uint8_t[]){0, 1, 2}), 3);
        assert_memory_equal(shape->volume[1], ((uint8_t[]){1, 0, 2}), 3);
    }
}

/* Sets of a choice share no row, and no other set could be chosen as well; of a ring of sets, each of which shares a row with the next, it
 * finds every other one, wherever it begins. */
static void choices_are_disjoint_and_whole(void **unused)
{
    enum { SETS = 600, ROWS = 300 };
    static pliant__set sets[SETS];
    pliant__choice    *choice = calloc(1, sizeof *choice);
    (void)unused;
    assert_non_null(choice);
    seed = 7;
    for (uint32_t members = 2; members <= PLIANT__SET_ROWS; members++) {
        static uint8_t taken[ROWS];
        uint32_t       chosen = 0;
        memset(taken, 0, sizeof taken);
        for (uint32_t i = 0; i < SETS; i++)
            for (uint32_t m = 0; m < members; m++) sets[i].rows[m] = below(ROWS / members) * members + m;
        assert_true(pliant__choose_disjoint(NULL, choice, sets, SETS, members, ROWS));
        for (uint32_t i = 0; i < SETS; i++)
            for (uint32_t m = 0; m < members && choice->place.data[i] == PLIANT__SET_CHOSEN; m++) {
                assert_int_equal(taken[sets[i].rows[m]]++, 0);
                chosen += m == 0;
            }
        for (uint32_t i = 0; i < SETS; i++) {
            uint32_t met = 0;
            for (uint32_t m = 0; m < members; m++) met += taken[sets[i].rows[m]];
            assert_true(met > 0);
        }
        assert_true(chosen > 0);
    }
    for (uint32_t i = 0; i < ROWS; i++) sets[i] = (pliant__set){.rows = {i, (i + 1) % ROWS}};
    assert_true(pliant__choose_disjoint(NULL, choice, sets, ROWS, 2, ROWS));
    for (uint32_t i = 0; i < ROWS; i++)
        assert_true((choice->place.data[i] == PLIANT__SET_CHOSEN) != (choice->place.data[(i + 1) % ROWS] == PLIANT__SET_CHOSEN));
    pliant__choice_free(NULL, choice);
    free(choice);
}

/* Ranges of as many particles as there may be, as tiles and not: the last number still fits. */
static void ranges_may_be_full(void **unused)
{
    enum { N = 256, HALF = 128 };
    static pliant_vec3 x[N * HALF];
    static uint32_t    triangles[2 * (N - 1) * (HALF - 1)][3];
    (void)unused;
    for (uint32_t i = 0; i < N * HALF; i++) x[i] = v3(R(i % N) / 32, 0, R(i / N) / 32);
    for (uint32_t i = 0; i < (N - 1) * (HALF - 1); i++) {
        const uint32_t a = i / (N - 1) * N + i % (N - 1), corners[6] = {a, a + N, a + 1, a + 1, a + N, a + N + 1};
        memcpy(triangles[2 * i], corners, sizeof corners);
    }
    for (uint32_t mesh = 0; mesh < 2; mesh++) {
        pliant_scene    *scene = begin(PLIANT_ORDER_COLOUR);
        pliant_cloth_def def = pliant_cloth_def_default();
        uint64_t         hash[2];
        def.cells_x = def.cells_z = N - 1;
        def.bend = PLIANT_BEND_NONE;
        if (mesh) def.mesh = pliant_mesh_view_of(x, sizeof *x, N * HALF, &triangles[0][0], 2 * (N - 1) * (HALF - 1));
        assert_int_not_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 0);
        pliant_model *m = pliant_scene_compile(scene, NULL);
        assert_non_null(m);
        check_ranges(m);
        check_rows(m);
        for (uint32_t i = 0; i < m->rounds[0].patch_count; i++) {
            assert_int_equal(m->patches[i].slot_count, PLIANT__PATCH);
            assert_int_equal(m->patches[i].groups > 0, !mesh);
        }
        for (uint32_t k = 0; k < 2; k++) {
            pliant_solver_def one = pliant_solver_def_default();
            one.width = k ? 0 : 1;
            pliant_solver *solver = pliant_solver_create(m, &one, NULL);
            pliant_state  *state = pliant_state_create(m, NULL);
            pliant_inputs *inputs = pliant_inputs_create(m, NULL);
            assert_int_equal(pliant_inputs_reset(inputs, DT), PLIANT_OK);
            assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
            hash[k] = pliant_state_hash(state);
            pliant_inputs_destroy(inputs);
            pliant_state_destroy(state);
            pliant_solver_destroy(solver);
        }
        assert_true(hash[0] == hash[1]);
        pliant_model_destroy(m);
        pliant_scene_destroy(scene);
    }
}

/* Clusters spare a sheet most loads: alone, each row has two. */
static void sheets_are_covered(void **unused)
{
    static const double loads[PLIANT__SHAPE_COUNT] = {
        [PLIANT__SINGLE] = 2, [PLIANT__CLIQUE] = 4.0 / 6, [PLIANT__DIAMOND] = 4.0 / 5, [PLIANT__TRIANGLE] = 1, [PLIANT__VEE] = 1.5};
    static const double cliques_at_least[2] = {0.9, 0.55}, loads_at_most[2] = {0.725, 0.95};
    (void)unused;
    for (uint32_t either = 0; either < 2; either++) {
        pliant_scene *scene = sheet(64, either);
        pliant_model *m = pliant_scene_compile(scene, NULL);
        double        rows = 0, cliques = 0, sum = 0;
        assert_non_null(m);
        for (size_t i = 0; i < model_count(m, batches); i++) {
            const pliant__batch *b = &m->batches[i];
            rows += b->count;
            sum += b->count * loads[b->shape];
            cliques += b->shape == PLIANT__CLIQUE ? b->count : 0;
        }
        print_message("    diagonals run %s: %.3f of all rows are in cliques, %.3f loads per row\n", either ? "either way" : "one way",
                      cliques / rows, sum / rows);
        assert_true(rows > 23000 && cliques >= cliques_at_least[either] * rows && sum <= loads_at_most[either] * rows);
        pliant_model_destroy(m);
        pliant_scene_destroy(scene);
    }
}

/* Of the rows of a mesh of tetrahedra, so many are solved as tetrahedra with their edges; of the volumes that are left, so many as pairs. */
static void edges_go_with_volumes(void **unused)
{
    uint32_t      rows[2][PLIANT__SHAPE_COUNT] = {{0}};
    pliant_scene *scene = pudding();
    pliant_model *m = pliant_scene_compile(scene, NULL);
    (void)unused;
    check_clusters(m, rows);
    const double share = (double)(rows[0][PLIANT__TETRAHEDRON] + rows[1][PLIANT__TETRAHEDRON]) / pliant_model_solved_count(m);
    print_message("    %.1f %% of rows in tetrahedra\n", 100 * share);
    assert_true(share > 0.35);
    const uint32_t volumes =
        pliant_model_constraint_count(m, PLIANT_CONSTRAINT_TET_VOLUME) - (rows[0][PLIANT__TETRAHEDRON] + rows[1][PLIANT__TETRAHEDRON]) / 7;
    const double paired = (double)(rows[0][PLIANT__PAIR] + rows[1][PLIANT__PAIR]) / volumes;
    print_message("    %.1f %% of the other volumes in pairs\n", 100 * paired);
    assert_true(paired > 0.75);
    pliant_model_destroy(m);
    pliant_scene_destroy(scene);
}

/* What a constraint is solved on is what the scene says: particles in their places, parameters and law. */
static void check_against_scene(const pliant_scene *scene, const pliant_model *m)
{
    uint32_t draft_count = 0;
    for (uint32_t i = 0; i < pliant_model_solved_count(m); i++) {
        const pliant_solved_constraint  c = pliant_model_solved(m, i);
        const pliant_constraint_info   *row = pliant_constraint_describe(c.kind);
        const pliant__draft_constraint *d = &scene->constraints.data[c.constraint.id - 1];
        uint32_t                        places = 0, place[PLIANT_MAX_SLOTS] = {0, 1, 2, 3, 4, 5, 6, 7};
        if (c.constraint.id > scene->constraints.count) continue; /* a tether */
        const uint32_t *particles = pliant__draft_particles(scene, d);
        draft_count++;
        assert_int_equal(d->kind, c.kind);
        for (uint32_t s = 0; s < row->slots; s++) {
            if (particles[s] & PLIANT__TARGET_SLOT) {
                assert_int_equal(c.particles[s].body.id, 0);
                continue;
            }
            const uint32_t particle = scene->bodies.data[c.particles[s].body.id - 1].first_particle + c.particles[s].vertex;
            for (uint32_t t = 0; t < row->slots; t++)
                if (particles[t] == particle) places |= 1u << t;
            for (uint32_t t = 0; t < row->slots; t++)
                if (particles[t] == particle) place[s] = t;
            if (c.kind != PLIANT_CONSTRAINT_DISTANCE && c.kind != PLIANT_CONSTRAINT_TET_VOLUME) assert_int_equal(place[s], s);
        }
        for (uint32_t s = 0; s < row->slots; s++) assert_true((particles[s] & PLIANT__TARGET_SLOT) || (places >> s & 1));
        uint32_t turns = 0; /* a distance may be turned round, a volume evenly */
        for (uint32_t s = 0; s < row->slots; s++)
            for (uint32_t t = 0; t < s; t++) turns += place[t] > place[s];
        if (c.kind == PLIANT_CONSTRAINT_TET_VOLUME) assert_int_equal(turns % 2, 0);
    }
    assert_true(draft_count > 0);
}

static void patches_keep_their_promises(void **unused)
{
    uint32_t all[2][PLIANT__SHAPE_COUNT] = {{0}}, all_serial[2] = {0}, cut = 0;
    (void)unused;
    for (uint32_t i = 0; i < SCENES; i++) {
        uint32_t      rows[2][PLIANT__SHAPE_COUNT] = {{0}}, serial[2] = {0};
        pliant_scene *scene = scenes[i].build();
        pliant_model *m = pliant_scene_compile(scene, NULL);
        assert_non_null(m);
        check_ranges(m);
        check_rounds(scenes[i].name, m);
        check_rows(m);
        check_clusters(m, rows);
        for (uint32_t p = 0; p < m->rounds[0].patch_count; p++) cut += check_block_runs(m, &m->patches[p]);
        check_against_scene(scene, m);
        for (size_t b = 0; b < model_count(m, batches); b++)
            if (m->batches[b].serial) serial[m->patches[m->batches[b].patch].first_listed != PLIANT__NONE] += m->batches[b].count;
        print_message(
            "    %-14s %u ranges, %zu lists in %zu rounds; rows of ranges and lists: cliques %u + %u, diamonds %u + %u, triangles %u + %u, "
            "vees %u + %u, tetrahedra and pairs %u + %u, alone %u + %u, of these serial %u + %u\n",
            scenes[i].name, m->rounds[0].patch_count, model_count(m, patches) - m->rounds[0].patch_count, model_count(m, rounds) - 1,
            rows[0][PLIANT__CLIQUE], rows[1][PLIANT__CLIQUE], rows[0][PLIANT__DIAMOND], rows[1][PLIANT__DIAMOND], rows[0][PLIANT__TRIANGLE],
            rows[1][PLIANT__TRIANGLE], rows[0][PLIANT__VEE], rows[1][PLIANT__VEE], rows[0][PLIANT__TETRAHEDRON] + rows[0][PLIANT__PAIR],
            rows[1][PLIANT__TETRAHEDRON] + rows[1][PLIANT__PAIR], rows[0][PLIANT__SINGLE], rows[1][PLIANT__SINGLE], serial[0], serial[1]);
        assert_true(m->rounds[0].patch_count > 1 &&
                    (model_count(m, patches) > m->rounds[0].patch_count) == !scenes[i].whole); /* or nothing is tested */
        if (scenes[i].given) assert_int_equal(serial[0] + serial[1], pliant_model_solved_count(m));
        for (int k = 0; k < 2 && !scenes[i].given; k++) {
            for (int shape = 0; shape < PLIANT__SHAPE_COUNT; shape++) all[k][shape] += rows[k][shape];
            all_serial[k] += serial[k];
        }
        pliant_model_destroy(m);
        pliant_scene_destroy(scene);
    }
    for (int shape = 0; shape < PLIANT__SHAPE_COUNT; shape++) assert_true(all[0][shape] > 0);
    assert_true(all[1][PLIANT__SINGLE] > 0 && all[1][PLIANT__VEE] > 0 && all_serial[0] > 0 && all_serial[1] > 0);
    assert_true(cut > 0); /* or no tile has more than one strip */
}

/* ---- moved while the patch is at hand, or stage by stage ---- */

enum { FRAMES = 4 };

typedef struct way {
    uint32_t  width, threads;
    host_kind host;
    bool      trace, measure; /* both keep particles from being moved with their patch */
} way;

typedef struct record {
    uint64_t    hash[FRAMES];
    double      speed[FRAMES];
    pliant_code code[FRAMES];
    uint32_t    particle, substep, restored; /* where it diverged, if it did */
} record;

static bool go_on(const pliant_progress *progress, void *context)
{
    (void)progress;
    (void)context;
    return true;
}

/* Rows are switched off, laws become soft and stiff, gravity turns, pins are let go and set again. */
static void drive(const pliant_model *m, pliant_state *state, pliant_inputs *inputs, uint32_t frame)
{
    if (frame == 1)
        for (uint32_t i = 0; i < pliant_model_solved_count(m); i += 1 + i % 7 + i % 3)
            pliant_state_set_active(state, pliant_model_solved(m, i).constraint, false);
    for (uint32_t i = 0; frame == 2 && i < pliant_model_law_count(m); i += 2) {
        pliant_law law = pliant_model_law(m, i).law;
        law.compliance = law.compliance > 0 ? 0 : R(1e-5);
        law.stiffness = law.compliance > 0 ? 1 : R(0.75);
        assert_int_equal(pliant_inputs_law(inputs, i, &law), PLIANT_OK);
    }
    if (frame >= 2) assert_int_equal(pliant_inputs_gravity(inputs, v3(3, -8, R(0.5) * (pliant_real)frame)), PLIANT_OK);
    for (uint32_t slot = 0; frame >= 1 && slot < pliant_model_particle_count(m); slot++) {
        const pliant_particle p = pliant__model_particle(m, slot);
        if (m->pin[slot] != PLIANT__RELEASABLE || slot % 3 == frame % 3) continue;
        assert_int_equal(pliant_state_set_pinned(state, p.body, p.vertex, !pliant_state_pinned(state, p.body, p.vertex)), PLIANT_OK);
    }
}

/* `fused`: whether the scene lets particles move with their patch; `push`: a particle that starts with `speed`, if that is not 0. */
static record run(const pliant_model *m, way how, bool fused, uint32_t push, double speed)
{
    const bool        closed = pliant__is_closed(m);
    record            out;
    pliant_solver_def def = pliant_solver_def_default();
    pliant_state     *state = pliant_state_create(m, NULL);
    pliant_inputs    *inputs = pliant_inputs_create(m, NULL);
    memset(&out, 0, sizeof out);
    def.width = how.width;
    def.threads = how.threads;
    def.tasks = host_tasks(how.host);
    def.trace = how.trace ? go_on : NULL;
    def.measure = how.measure;
    pliant_solver        *solver = pliant_solver_create(m, &def, NULL);
    const pliant_particle pushed = pliant__model_particle(m, push);
    const pliant_vec3     v = v3(0, R(speed), 0);
    assert_non_null(solver);
    for (uint32_t f = 0; f < FRAMES; f++) {
        assert_int_equal(pliant_inputs_reset(inputs, DT), PLIANT_OK);
        drive(m, state, inputs, f);
        if (speed != 0 && f == 1) assert_int_equal(pliant_state_set_velocities(state, pushed.body, pushed.vertex, 1, &v), PLIANT_OK);
        out.code[f] = pliant_solver_step(solver, state, inputs);
        assert_int_equal(pliant__takes(solver, PLIANT__WAY_SUBSTEPS), fused && !how.trace && !how.measure);
        assert_int_equal(solver->way == PLIANT__WAY_STEPS,
                         pliant__takes(solver, PLIANT__WAY_SUBSTEPS) && closed && !pliant_solver_divergence(solver).diverged);
        out.hash[f] = pliant_state_hash(state);
        out.speed[f] = (double)pliant_solver_statistics(solver).max_speed;
        out.restored += pliant_solver_statistics(solver).restored_bodies;
        const pliant_divergence d = pliant_solver_divergence(solver);
        if (d.diverged && !out.particle) {
            out.particle = 1 + d.particle.vertex;
            out.substep = d.substep;
        }
        if (out.code[f] != PLIANT_OK) break;
    }
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    return out;
}

static void same(const char *name, way how, const record *found, const record *expected)
{
    for (uint32_t f = 0; f < FRAMES; f++)
        if (found->hash[f] != expected->hash[f] || found->speed[f] != expected->speed[f] || found->code[f] != expected->code[f])
            fail_msg("%s: width %u, %u threads, host %d, %s: frame %u differs, its fastest at %.9g instead of %.9g", name, how.width,
                     how.threads, (int)how.host,
                     how.trace     ? "traced"
                     : how.measure ? "measured"
                                   : "fused",
                     f, found->speed[f], expected->speed[f]);
    assert_int_equal(found->particle, expected->particle);
    assert_int_equal(found->substep, expected->substep);
    assert_int_equal(found->restored, expected->restored);
}

/* All the ways to walk against one lane on one thread, stage by stage. */
static record same_every_way(const char *name, const pliant_model *m, bool fused, uint32_t push, double speed)
{
    static uint32_t         turn;
    const bool              all = takes_its_time();
    const pliant_build_info build = pliant_build();
    const record            expected = run(m, (way){.width = 1, .threads = 1, .trace = true}, fused, push, speed);
    for (uint32_t i = 0; i < build.width_count; i++)
        for (uint32_t threads = 1; threads <= 3 && build.runs[i]; threads++) {
            if (!all && threads != 1 + i % 3) continue; /* each width on another number of threads; hosts have all lanes on several */
            const way    how = {.width = build.widths[i], .threads = threads};
            const record found = run(m, how, fused, push, speed);
            same(name, how, &found, &expected);
        }
    turn++;
    for (host_kind host = HOST_ONE_AT_A_TIME; host < HOST_COUNT; host++) {
        if (!all && (host + turn + this_turn()) % 2) continue; /* every other host, the others of the next scene, and next turn */
        const way    how = {.host = host};
        const record found = run(m, how, fused, push, speed);
        same(name, how, &found, &expected);
    }
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        const way traced = {.threads = threads, .trace = true}, measured = {.threads = 4 - threads, .measure = true};
        for (int k = 0; k < (all || threads == 1 ? 2 : 1); k++) { /* traced on one thread and on three, measured on three, and on one */
            const way    how = k ? measured : traced;
            const record found = run(m, how, fused, push, speed);
            same(name, how, &found, &expected);
        }
    }
    return expected;
}

static void one_walk_is_the_stages_one_after_another(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < SCENES; i++) {
        if (sizeof(pliant_real) == 8 && i % 2 && !takes_its_time())
            continue; /* lanes and threads have little to do with the width of numbers */
        pliant_model *m = compiled(i);
        assert_int_equal(pliant__is_closed(m), scenes[i].whole);
        const record r = same_every_way(scenes[i].name, m, scenes[i].fused, 0, 0);
        for (uint32_t f = 0; f < FRAMES; f++) {
            if (r.code[f] != PLIANT_OK) fail_msg("%s stops with %d in frame %u", scenes[i].name, (int)r.code[f], f);
            assert_true(r.speed[f] > 0);
        }
        pliant_model_destroy(m);
    }
}

/* A particle that is far too fast, inside a range and where lists move it too, is found in the same substep. */
static void runaways_are_seen_on_the_way(void **unused)
{
    static const pliant_on_divergence policies[] = {PLIANT_DIVERGENCE_STOPS, PLIANT_DIVERGENCE_RESTORES};
    (void)unused;
    for (uint32_t k = 0; k < sizeof policies / sizeof *policies; k++) {
        pliant_scene_def settings = pliant_scene_def_default();
        settings.max_speed = 50;
        settings.on_divergence = policies[k];
        for (uint32_t whole = 0; whole < 2; whole++) {
            pliant_scene *scene = pliant_scene_create(&settings, NULL);
            if (whole)
                flags_of(scene);
            else {
                add_cloth(scene, 95, 0);
                add_cloth(scene, 12, 5);
            }
            pliant_model *m = pliant_scene_compile(scene, NULL);
            uint32_t      inside = 700;
            while (m->later[inside / 8] >> inside % 8 & 1 || m->pin[inside] == PLIANT__ANCHOR) inside++;
            const uint32_t slots[] = {inside, whole ? pliant_model_particle_count(m) - 9 : m->later_slots[model_count(m, later_slots) / 2]};
            for (uint32_t i = 0; i < 4; i++) {
                if (!takes_its_time() && (i / 2 + i + k + whole) % 2) continue; /* each place at each speed, by one of the policies */
                const record r =
                    same_every_way("runaway", m, true, slots[i / 2], i % 2 ? 1e30 : 1e5); /* its square is no number in float */
                assert_int_not_equal(r.particle, 0);
                assert_int_equal(r.code[1], k ? PLIANT_OK : PLIANT_ERROR_DIVERGED);
                assert_int_equal(r.restored > 0, k);
            }
            pliant_model_destroy(m);
            pliant_scene_destroy(scene);
        }
    }
}

/* ---- the order that tasks are taken in ---- */

enum { MOST_TASKS = 64 };

/* Task `t` touches a slot for the round `round`: after the task that touched it before, and it waits for that. */
static void touch_slot(const char *name, uint64_t waits, uint32_t t, uint32_t round, uint32_t slot, uint32_t *last_task,
                       uint32_t *last_round)
{
    if (last_task[slot] && (last_round[slot] >= round || !(waits >> (last_task[slot] - 1) & 1)))
        fail_msg("%s: task %u does not wait for task %u at slot %u", name, t, last_task[slot] - 1, slot);
    last_task[slot] = t + 1;
    last_round[slot] = round;
}

static void check_flow(const char *name, const pliant_model *m, uint32_t threads)
{
    pliant__schedule f = {0};
    uint64_t         waits[MOST_TASKS] = {0};
    uint32_t *last_task = calloc(m->header->slot_count, sizeof *last_task), *last_round = calloc(m->header->slot_count, sizeof *last_round);
    uint32_t *times = calloc(model_count(m, patches), sizeof *times), late = 0;
    const uint32_t over = (uint32_t)model_count(m, rounds) + 1; /* after all lists */
    assert_true(last_task && last_round && times && pliant__schedule_create(NULL, m, threads, &f));
    assert_in_range(f.task_count, 1, MOST_TASKS);
    for (uint32_t t = 0; t < f.task_count; t++) {
        const pliant__schedule_task *task = &f.tasks[t];
        const pliant__patch         *p = &m->patches[task->patch];
        for (uint32_t i = 0; i < task->need_count; i++) {
            const uint32_t needed = f.needs[task->first_need + i];
            assert_true(needed < t);
            waits[t] |= waits[needed] | (uint64_t)1 << needed;
        }
        for (uint32_t i = 0; !task->late && i < p->slot_count; i++) {
            const uint32_t slot = pliant__patch_slot(m, p, i);
            if (moves(m, slot)) touch_slot(name, waits[t], t, task->round + 1, slot, last_task, last_round);
        }
        for (uint32_t i = f.first_late[task->patch]; task->late && i < f.first_late[task->patch + 1]; i++, late++)
            touch_slot(name, waits[t], t, over, m->later_slots[i], last_task, last_round);
        times[task->patch] += !task->late;
    }
    for (uint32_t i = 0; i < model_count(m, patches); i++) assert_int_equal(times[i], 1);
    assert_int_equal(late, model_count(m, later_slots));
    for (uint32_t i = 0; i < model_count(m, later_slots); i++) assert_int_equal(last_round[m->later_slots[i]], over);
    pliant__schedule_destroy(NULL, &f);
    free(last_task);
    free(last_round);
    free(times);
}

/* Whatever is done to a particle waits for what rounds before did to it, however many threads take tasks. */
static void tasks_wait_for_what_they_need(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < SCENES; i++) {
        pliant_model *m = compiled(i);
        for (uint32_t threads = 1; threads <= 9; threads += 4) check_flow(scenes[i].name, m, threads);
        pliant_model_destroy(m);
    }
}

/* ---- what the order of solving leaves ---- */

/* |length / rest - 1| of distances that join particles `apart` places apart on the grid, of those between patches and of the others. */
typedef struct stretch {
    double   sum[2];
    uint32_t count[2];
} stretch;

static void add_stretch(const pliant_model *m, const pliant_state *state, const uint32_t *slot_of, double threads, stretch *out)
{
    for (uint32_t i = 0; i < pliant_model_solved_count(m); i++) {
        const pliant_solved_constraint c = pliant_model_solved(m, i);
        uint32_t                       slot[2], patch[2];
        if (c.kind != PLIANT_CONSTRAINT_DISTANCE || (double)c.parameters[0] > threads) continue;
        for (int k = 0; k < 2; k++) {
            slot[k] = slot_of[c.particles[k].vertex];
            for (patch[k] = 0; slot[k] >= m->patches[patch[k]].first_slot + m->patches[patch[k]].slot_count;) patch[k]++;
        }
        const double length = (double)v3_length(v3_sub(pliant__slot_x(state->x, slot[0]), pliant__slot_x(state->x, slot[1])));
        const int    seam = patch[0] != patch[1];
        out->sum[seam] += fabs(length / (double)c.parameters[0] - 1);
        out->count[seam]++;
    }
}

/* Two metres of cloth hang by two corners for two seconds: threads that run from one patch to another are stretched no more than others are. */
static void seams_stretch_no_more_than_the_rest(void **unused)
{
    static pliant_scene *(*const sheets[])(void) = {hanging_grid, hanging_mesh};
    (void)unused;
    for (uint32_t i = 0; i < 2; i++) {
        pliant_scene  *scene = sheets[i]();
        pliant_model  *m = pliant_scene_compile(scene, NULL);
        pliant_state  *state = pliant_state_create(m, NULL);
        pliant_inputs *inputs = pliant_inputs_create(m, NULL);
        pliant_solver *solver = pliant_solver_create(m, NULL, NULL);
        stretch        all = {{0}, {0}};
        uint32_t       slot_of[HANGING * HANGING];
        for (uint32_t slot = 0; slot < HANGING * HANGING; slot++) slot_of[pliant__model_particle(m, slot).vertex] = slot;
        for (uint32_t f = 0; f < 120; f++) {
            assert_int_equal(pliant_inputs_reset(inputs, 1.0 / 60), PLIANT_OK);
            assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
            if (f >= 60) add_stretch(m, state, slot_of, 2.001 / (HANGING - 1), &all);
        }
        const double inside = all.sum[0] / all.count[0], seams = all.sum[1] / all.count[1];
        print_message("    %s: %.4f %% inside, %.4f %% over seams\n", i ? "mesh" : "grid", 100 * inside, 100 * seams);
        assert_true(all.count[1] > 60 * 50 && seams <= inside);
        pliant_solver_destroy(solver);
        pliant_inputs_destroy(inputs);
        pliant_state_destroy(state);
        pliant_model_destroy(m);
        pliant_scene_destroy(scene);
    }
}

/* ---- many states at once ---- */

enum { MANY = 2 * PLIANT__BLOCK + 7, SWITCHED = 3, SOFTER = 5, SHORTER = 7, RUNAWAY = 9, MANY_FRAMES = 3 };

/* What the user does to state number `i` before a frame: all have a gravity of their own, a few something that lanes do not share. */
static void drive_one(const pliant_model *m, pliant_state *state, pliant_inputs *inputs, uint32_t i, uint32_t frame)
{
    assert_int_equal(pliant_inputs_reset(inputs, DT), PLIANT_OK);
    assert_int_equal(pliant_inputs_gravity(inputs, v3(R(i) / 8, -8, R(frame) / 4)), PLIANT_OK);
    if (i == SWITCHED && frame == 1)
        for (uint32_t k = 0; k < pliant_model_solved_count(m); k += 5)
            assert_int_equal(pliant_state_set_active(state, pliant_model_solved(m, k).constraint, false), PLIANT_OK);
    if (i == SOFTER && frame == 2) {
        pliant_law law = pliant_model_law(m, 0).law;
        law.compliance = law.compliance + R(1e-5);
        law.stiffness = 1;
        assert_int_equal(pliant_inputs_law(inputs, 0, &law), PLIANT_OK);
    }
    if (i == SHORTER) assert_int_equal(pliant_inputs_substeps(inputs, 5, 1), PLIANT_OK);
    if (i == RUNAWAY && frame == 1) {
        uint32_t slot = 777;
        while (m->x[4 * slot + 3] == 0) slot++; /* pinned */
        const pliant_particle p = pliant__model_particle(m, slot);
        const pliant_vec3     v = v3(R(1e30), 0, 0);
        assert_int_equal(pliant_state_set_velocities(state, p.body, p.vertex, 1, &v), PLIANT_OK);
    }
}

static void step_both_ways(const char *name, const pliant_model *m, way how)
{
    pliant_solver_def def = pliant_solver_def_default();
    pliant_state     *one[MANY], *many[MANY + 1];
    pliant_inputs    *inputs[MANY + 1];
    def.width = how.width;
    def.threads = how.threads;
    def.tasks = host_tasks(how.host);
    pliant_solver *alone = pliant_solver_create(m, &def, NULL);
    def.many = true;
    pliant_solver *all = pliant_solver_create(m, &def, NULL);
    assert_true(alone && all);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_non_null(one[i] = pliant_state_create(m, NULL));
        assert_non_null(many[i] = pliant_state_create(m, NULL));
        assert_non_null(inputs[i] = pliant_inputs_create(m, NULL));
    }
    many[MANY] = one[0];
    inputs[MANY] = NULL; /* no inputs: refused, and nothing else changes */
    for (uint32_t f = 0; f < MANY_FRAMES; f++) {
        pliant_code codes[MANY + 1], first = PLIANT_OK;
        pliant_real speed = 0;
        bool        diverged = false;
        for (uint32_t i = 0; i < MANY; i++) drive_one(m, many[i], inputs[i], i, f);
        const pliant_code code = pliant_solver_step_many(all, many, (const pliant_inputs *const *)inputs, MANY + 1, codes);
        assert_true(all->lane_states.count > 0);
        for (uint32_t i = 0; i < MANY; i++) {
            drive_one(m, one[i], inputs[i], i, f);
            const pliant_code expected = pliant_solver_step(alone, one[i], inputs[i]);
            if (first == PLIANT_OK) first = expected;
            diverged = diverged || pliant_solver_divergence(alone).diverged;
            if (pliant_solver_statistics(alone).max_speed > speed) speed = pliant_solver_statistics(alone).max_speed;
            if (codes[i] != expected || pliant_state_hash(many[i]) != pliant_state_hash(one[i]) ||
                pliant_state_time(many[i]) != pliant_state_time(one[i]))
                fail_msg("%s: width %u, %u threads, host %d: state %u is another one in frame %u, code %d and not %d", name, how.width,
                         how.threads, (int)how.host, i, f, (int)codes[i], (int)expected);
        }
        assert_int_equal(codes[MANY], PLIANT_ERROR_ARGUMENT);
        assert_int_equal(code, first == PLIANT_OK ? PLIANT_ERROR_ARGUMENT : first);
        assert_int_equal(pliant_solver_divergence(all).diverged, diverged);
        assert_true((diverged || f != 1) && pliant_solver_statistics(all).max_speed == speed);
    }
    assert_int_equal(pliant_solver_step_many(all, many, (const pliant_inputs *const *)inputs, 0, NULL), PLIANT_OK);
    assert_int_equal(pliant_solver_step_many(all, NULL, NULL, 1, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_solver_step_many(NULL, many, (const pliant_inputs *const *)inputs, 1, NULL), PLIANT_ERROR_ARGUMENT);
    for (uint32_t i = 0; i < MANY; i++) {
        pliant_state_destroy(one[i]);
        pliant_state_destroy(many[i]);
        pliant_inputs_destroy(inputs[i]);
    }
    pliant_solver_destroy(alone);
    pliant_solver_destroy(all);
}

static void *at_most(size_t bytes, size_t align, void *context)
{
    const size_t *most = context;
    (void)align;
    return bytes > *most ? NULL : aligned_alloc(64, bytes);
}

static void let_go(void *memory, void *context)
{
    (void)context;
    free(memory);
}

/* A host may have 64 threads: what is refused is named as large as it was. */
static void room_for_many_states_that_is_not_there_is_named(void **unused)
{
    size_t            most = (size_t)1 << 24;
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    pliant_model     *m = compiled(0);
    pliant_solver_def def = pliant_solver_def_default();
    const uint64_t    wanted = 64 * 1024 * (sizeof(pliant_real) / 4) * (uint64_t)pliant_model_particle_count(m);
    (void)unused;
    def.tasks = host_tasks(HOST_ONE_AT_A_TIME);
    def.allocator = (pliant_allocator){.alloc = at_most, .release = let_go, .context = &most};
    pliant_solver *solver = pliant_solver_create(m, &def, &error);
    assert_non_null(solver);
    pliant_solver_destroy(solver);
    def.many = true;
    assert_null(pliant_solver_create(m, &def, &error));
    assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
    const char *number = strpbrk(error.message, "0123456789");
    if (!number || strtoull(number, NULL, 10) < wanted || strtoull(number, NULL, 10) > wanted + wanted / 4)
        fail_msg("%s, where %llu are wanted", error.message, (unsigned long long)wanted);
    pliant_model_destroy(m);
}

/* A law of every kind, limit and damping is in one of the scenes. */
static void many_states_are_each_as_if_alone(void **unused)
{
    static const char *const names[] = {"canvas", "company", "crowd", "flags"};
    const pliant_build_info  build = pliant_build();
    (void)unused;
    for (uint32_t i = 0; i < SCENES; i++)
        for (uint32_t k = 0; k < sizeof names / sizeof *names; k++) {
            if (strcmp(scenes[i].name, names[k]) != 0) continue;
            pliant_model *m = compiled(i);
            for (uint32_t w = 0; w < build.width_count && k >= 2; w++)
                if (build.runs[w]) step_both_ways(names[k], m, (way){.width = build.widths[w], .threads = 1 + w % 3});
            step_both_ways(names[k], m, (way){.host = HOST_RANDOM});
            pliant_model_destroy(m);
        }
}

/* ---- the order solved, replayed ---- */

static pliant_scene *crowd_as_solved(const pliant_model *m)
{
    pliant_scene     *scene = begin(PLIANT_ORDER_GIVEN);
    const pliant_body body = add_crowd_particles(scene);
    for (uint32_t i = 0; i < pliant_model_solved_count(m); i++) {
        const pliant_solved_constraint c = pliant_model_solved(m, i);
        pliant_constraint_def          def = pliant_constraint_def_default(c.kind);
        memcpy(def.particles, c.particles, sizeof def.particles);
        memcpy(def.parameters, c.parameters, sizeof def.parameters);
        def.law = pliant_model_law(m, c.law).law;
        assert_int_equal(pliant_scene_add_constraint(scene, &def, NULL).id, i + 1);
    }
    assert_int_equal(body.id, 1);
    return scene;
}

static void the_order_solved_replays_bit_for_bit(void **unused)
{
    static pliant_vec3 x[2][CROWD];
    (void)unused;
    pliant_scene *scene = crowd();
    pliant_model *m[2] = {pliant_scene_compile(scene, NULL), NULL};
    pliant_scene *again = crowd_as_solved(m[0]);
    m[1] = pliant_scene_compile(again, NULL);
    assert_int_equal(pliant_model_solved_count(m[1]), pliant_model_solved_count(m[0]));
    pliant_state  *state[2];
    pliant_inputs *inputs[2];
    pliant_solver *solver[2];
    for (int i = 0; i < 2; i++) {
        state[i] = pliant_state_create(m[i], NULL);
        inputs[i] = pliant_inputs_create(m[i], NULL);
        solver[i] = pliant_solver_create(m[i], NULL, NULL);
    }
    for (int frame = 0; frame < 3; frame++) {
        for (int i = 0; i < 2; i++) {
            sample_frames(NULL, solver[i], state[i], inputs[i], 0, 1);
            assert_int_equal(pliant_state_positions(state[i], (pliant_body){1}, 0, CROWD, x[i]), PLIANT_OK);
        }
        assert_memory_equal(x[0], x[1], sizeof x[0]);
    }
    for (int i = 0; i < 2; i++) {
        pliant_solver_destroy(solver[i]);
        pliant_inputs_destroy(inputs[i]);
        pliant_state_destroy(state[i]);
        pliant_model_destroy(m[i]);
    }
    pliant_scene_destroy(again);
    pliant_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_join_pairs_once),
        cmocka_unit_test(choices_are_disjoint_and_whole),
        cmocka_unit_test(sheets_are_covered),
        cmocka_unit_test(ranges_may_be_full),
        cmocka_unit_test(edges_go_with_volumes),
        cmocka_unit_test(patches_keep_their_promises),
        cmocka_unit_test(tasks_wait_for_what_they_need),
        cmocka_unit_test(one_walk_is_the_stages_one_after_another),
        cmocka_unit_test(runaways_are_seen_on_the_way),
        cmocka_unit_test(seams_stretch_no_more_than_the_rest),
        cmocka_unit_test(room_for_many_states_that_is_not_there_is_named),
        cmocka_unit_test(many_states_are_each_as_if_alone),
        cmocka_unit_test(the_order_solved_replays_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
