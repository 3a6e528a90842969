/* The subjects that are timed: scenes made in memory, and compiled. */
#include "bench.h"

#include <stdlib.h>

#define SMALL_CLOTHS 1000u
#define MOST_CELLS 700u /* six tetrahedra each: their corners are numbered in 31 bits */

static bool pin(bench_subject *s, pliant_body body, uint32_t vertex, pliant_error *error)
{
    if (s->place) vertex = s->place[vertex];
    return pliant_scene_pin(s->scene, body, &vertex, 1, false, error) == PLIANT_OK;
}

/* Upright, as a grid is made lying: 2 m x 2 m, hanging by two corners. */
static bool add_grid(bench_subject *s, uint32_t n, pliant_bend bend, pliant_cloth_model model, pliant_real tether, pliant_real yield,
                     pliant_error *error)
{
    pliant_cloth_def d = pliant_cloth_def_default();
    if (bend != PLIANT_BEND_DISTANCE) d.material = pliant_material_preset(PLIANT_COTTON);
    d.cells_x = d.cells_z = n - 1;
    d.size_x = d.size_z = 2;
    d.bend = bend;
    d.model = model;
    d.tether = tether;
    d.material.stretch.yield = d.material.shear.yield = d.material.bend.yield = yield;
    d.body.placement.rotation = (pliant_quat){(pliant_real)0.70710678118654752, 0, 0, (pliant_real)0.70710678118654752};
    s->body = pliant_scene_add_cloth(s->scene, &d, error);
    return s->body.id && pin(s, s->body, 0, error) && pin(s, s->body, n - 1, error);
}

static bool no_mesh(pliant_error *error) { return bench_fail(error, PLIANT_ERROR_MEMORY, "out of memory"); }

/* A mesh by distances that are rigid, or of threads that run along x. */
static bool add_sheet(bench_subject *s, uint32_t n, pliant_cloth_model model, pliant_real tether, pliant_real tear, pliant_error *error)
{
    bench_mesh       m = bench_sheet(n);
    pliant_cloth_def d = pliant_cloth_def_default();
    if (!m.positions) return no_mesh(error);
    d.mesh = pliant_mesh_view_of(m.positions, sizeof *m.positions, m.vertex_count, m.corners, m.element_count);
    d.bend = model == PLIANT_CLOTH_DISTANCE ? PLIANT_BEND_DISTANCE : PLIANT_BEND_NONE;
    d.model = model;
    if (model != PLIANT_CLOTH_DISTANCE) {
        d.material = pliant_material_preset(PLIANT_COTTON);
        d.warp.x = 1;
    }
    d.tether = tether;
    d.tear.stretch = tear;
    s->body = pliant_scene_add_cloth(s->scene, &d, error);
    s->place = m.place;
    m.place = NULL;
    bench_mesh_free(&m);
    return s->body.id && pin(s, s->body, 0, error) && pin(s, s->body, n - 1, error);
}

/* Cubes of tetrahedra, pinned where y is largest: five each in a lattice, six in a mesh. */
static bool add_soft(bench_subject *s, uint32_t cells, pliant_preset material, pliant_solid_model model, bool shuffled, pliant_real yield,
                     pliant_error *error)
{
    pliant_soft_def d = pliant_soft_def_default();
    bench_mesh      m = {0};
    d.material = pliant_material_preset(material);
    d.material.yield = yield;
    d.model = model;
    d.cells[0] = d.cells[1] = d.cells[2] = cells;
    d.extent = (pliant_vec3){1, 1, 1};
    if (shuffled && cells > MOST_CELLS)
        return bench_fail(error, PLIANT_ERROR_INPUT, "a mesh of tetrahedra has at most %u cells along an edge", MOST_CELLS);
    if (shuffled) {
        m = bench_tetrahedra(cells);
        if (!m.positions) return no_mesh(error);
        d.mesh = (pliant_tet_view){m.positions, sizeof *m.positions, m.vertex_count, m.corners, m.element_count};
        s->place = m.place;
        m.place = NULL;
    }
    s->body = pliant_scene_add_soft(s->scene, &d, error);
    bench_mesh_free(&m);
    const uint32_t n = cells + 1;
    bool           good = s->body.id != 0;
    for (uint32_t i = 0; good && i < n * n; i++) good = pin(s, s->body, (i / n * n + cells) * n + i % n, error);
    return good;
}

/* Two grids in one place, sewn by all of their vertices but the pinned ones. */
static bool add_stitched(bench_subject *s, uint32_t n, pliant_error *error)
{
    pliant_stitches_def d = pliant_stitches_def_default();
    uint32_t           *all = malloc((size_t)n * n * sizeof *all);
    bool                good = all || no_mesh(error);
    for (uint32_t i = 0; good && i < n * n; i++)
        if (i != 0 && i != n - 1) all[d.a_count++] = i;
    for (int k = 0; good && k < 2; k++) {
        good = add_grid(s, n, PLIANT_BEND_ANGLE, PLIANT_CLOTH_DISTANCE, 0, 0, error);
        *(k ? &d.b : &d.a) = s->body;
    }
    d.a_vertices = d.b_vertices = all;
    d.b_count = d.a_count;
    good = good && pliant_scene_add_stitches(s->scene, &d, error).id;
    free(all);
    return good;
}

/* The particles of cubes, three of them along the side of a cluster. */
static bool add_shape(bench_subject *s, uint32_t cells, pliant_group_kind kind, pliant_error *error)
{
    pliant_group_def d = pliant_group_def_default(kind);
    d.cluster = (pliant_real)(3.0 / cells);
    return add_soft(s, cells, PLIANT_JELLY, PLIANT_SOLID_SHAPE, false, 0, error) &&
           pliant_scene_group(s->scene, s->body, &d, error) == PLIANT_OK;
}

/* A bag of cotton 40 cm above a floor, with gas of so many pascals in it. */
static bool add_blob(bench_subject *s, uint32_t cells, double gas, pliant_error *error)
{
    pliant_group_def group = pliant_group_def_default(PLIANT_GROUP_GAS);
    bench_mesh       m = bench_blob(cells);
    pliant_cloth_def d = pliant_cloth_def_default();
    if (!m.positions) return no_mesh(error);
    d.mesh = pliant_mesh_view_of(m.positions, sizeof *m.positions, m.vertex_count, m.corners, m.element_count);
    d.material = pliant_material_preset(PLIANT_COTTON);
    d.material.thickness = (pliant_real)0.005;
    d.body.placement.position.y = (pliant_real)0.65;
    s->body = pliant_scene_add_cloth(s->scene, &d, error);
    bench_mesh_free(&m);
    if (!s->body.id || !pliant_scene_add_floor(s->scene, 0, error).id) return false;
    group.numbers[0] = gas;
    return !(gas > 0) || pliant_scene_group(s->scene, s->body, &group, error) == PLIANT_OK;
}

static bool add(bench_subject *s, bench_shape shape, uint32_t size, pliant_error *error)
{
    switch (shape) {
    case BENCH_GRID_CLOTH: return add_grid(s, size, PLIANT_BEND_DISTANCE, PLIANT_CLOTH_DISTANCE, 0, 0, error);
    case BENCH_ANGLES: return add_grid(s, size, PLIANT_BEND_ANGLE, PLIANT_CLOTH_DISTANCE, 0, 0, error);
    case BENCH_PLASTIC: return add_grid(s, size, PLIANT_BEND_ANGLE, PLIANT_CLOTH_DISTANCE, 0, (pliant_real)0.01, error);
    case BENCH_LINES: return add_grid(s, size, PLIANT_BEND_ISOMETRIC, PLIANT_CLOTH_DISTANCE, 0, 0, error);
    case BENCH_STRAIN: return add_grid(s, size, PLIANT_BEND_ISOMETRIC, PLIANT_CLOTH_STRAIN, 0, 0, error);
    case BENCH_MESH_CLOTH: return add_sheet(s, size, PLIANT_CLOTH_DISTANCE, 0, 0, error);
    case BENCH_STRAIN_MESH: return add_sheet(s, size, PLIANT_CLOTH_STRAIN, 0, 0, error);
    case BENCH_STVK_SHEET: return add_sheet(s, size, PLIANT_CLOTH_STVK, 0, 0, error);
    case BENCH_TETHERED: return add_grid(s, size, PLIANT_BEND_DISTANCE, PLIANT_CLOTH_DISTANCE, 1, 0, error);
    case BENCH_TETHERED_MESH: return add_sheet(s, size, PLIANT_CLOTH_DISTANCE, 1, 0, error);
    case BENCH_LATTICE: return add_soft(s, size, PLIANT_LEGACY_JELLY, PLIANT_SOLID_DISTANCE, false, 0, error);
    case BENCH_TET_MESH: return add_soft(s, size, PLIANT_LEGACY_JELLY, PLIANT_SOLID_DISTANCE, true, 0, error);
    case BENCH_SOLID: return add_soft(s, size, PLIANT_JELLY, PLIANT_SOLID_DISTANCE, true, 0, error);
    case BENCH_NEO_LATTICE: return add_soft(s, size, PLIANT_JELLY, PLIANT_SOLID_NEO_HOOKEAN, false, 0, error);
    case BENCH_NEO_PLASTIC: return add_soft(s, size, PLIANT_JELLY, PLIANT_SOLID_NEO_HOOKEAN, false, (pliant_real)0.01, error);
    case BENCH_NEO_MESH: return add_soft(s, size, PLIANT_JELLY, PLIANT_SOLID_NEO_HOOKEAN, true, 0, error);
    case BENCH_COROTATED: return add_soft(s, size, PLIANT_JELLY, PLIANT_SOLID_COROTATED, false, 0, error);
    case BENCH_STVK: return add_soft(s, size, PLIANT_JELLY, PLIANT_SOLID_STVK, false, 0, error);
    case BENCH_TET_STRAIN: return add_soft(s, size, PLIANT_JELLY, PLIANT_SOLID_STRAIN, false, 0, error);
    case BENCH_COROTATED_MESH: return add_soft(s, size, PLIANT_JELLY, PLIANT_SOLID_COROTATED, true, 0, error);
    case BENCH_STVK_MESH: return add_soft(s, size, PLIANT_JELLY, PLIANT_SOLID_STVK, true, 0, error);
    case BENCH_TET_STRAIN_MESH: return add_soft(s, size, PLIANT_JELLY, PLIANT_SOLID_STRAIN, true, 0, error);
    case BENCH_SMALL_CLOTHS:
        for (uint32_t i = 0; i < SMALL_CLOTHS; i++)
            if (!add_grid(s, size, PLIANT_BEND_DISTANCE, PLIANT_CLOTH_DISTANCE, 0, 0, error)) return false;
        return true;
    case BENCH_TEAR_MESH: return add_sheet(s, size, PLIANT_CLOTH_STRAIN, 0, 100, error);
    case BENCH_STITCHED: return add_stitched(s, size, error);
    case BENCH_PRESSURE: return add_blob(s, size, 200, error);
    case BENCH_SHAPE_RIGID: return add_shape(s, size, PLIANT_GROUP_RIGID, error);
    case BENCH_SHAPE_LINEAR: return add_shape(s, size, PLIANT_GROUP_LINEAR, error);
    case BENCH_SHAPE_QUADRATIC: return add_shape(s, size, PLIANT_GROUP_QUADRATIC, error);
    case BENCH_BLOB: return add_blob(s, size, 0, error);
    }
    return false;
}

/* Compiles, and lets the scene go: the largest have no room for both. */
static bool compile(bench_subject *s, pliant_error *error)
{
    double before = bench_now();
    s->model = pliant_scene_compile(s->scene, error);
    s->compile_seconds = bench_now() - before;
    pliant_scene_destroy(s->scene);
    s->scene = NULL;
    if (s->model) s->constraints = pliant_model_constraint_count(s->model, PLIANT_CONSTRAINT_COUNT);
    if (s->model && !s->constraints) s->constraints = pliant_model_particle_count(s->model); /* of clusters: figures are per particle */
    return s->model != NULL;
}

bool bench_subject_make(bench_subject *s, bench_shape shape, uint32_t size, const bench_settings *settings, pliant_error *error)
{
    pliant_scene_def d = pliant_scene_def_default();
    d.substeps = BENCH_SUBSTEPS;
    d.allocator = settings->allocator;
    *s = (bench_subject){.side = size, .dt = 1.0 / 60, .sweeps = BENCH_SUBSTEPS, .start = 5};
    s->gathers = shape == BENCH_MESH_CLOTH || shape == BENCH_TETHERED_MESH || shape == BENCH_TET_MESH || shape == BENCH_SOLID ||
                 shape == BENCH_NEO_MESH || shape == BENCH_COROTATED_MESH || shape == BENCH_STVK_MESH || shape == BENCH_TET_STRAIN_MESH ||
                 shape == BENCH_STRAIN_MESH || shape == BENCH_STVK_SHEET || shape == BENCH_TEAR_MESH || shape == BENCH_PRESSURE ||
                 shape == BENCH_BLOB;
    s->scene = pliant_scene_create(&d, error);
    if (s->scene && add(s, shape, size, error) && compile(s, error)) return true;
    bench_subject_free(s);
    return false;
}

bench_subject bench_subject_of(pliant_model *model, double fps, uint32_t frames)
{
    pliant_scene_def d = pliant_model_settings(model);
    bench_subject    s = {.model = model, .gathers = true, .frames = true, .dt = 1 / fps, .sweeps = d.substeps * d.iterations};
    s.constraints = pliant_model_constraint_count(model, PLIANT_CONSTRAINT_COUNT);
    s.start = frames / 2 < 60 ? frames / 2 : 60;
    return s;
}

void bench_subject_free(bench_subject *s)
{
    pliant_scene_destroy(s->scene);
    pliant_model_destroy(s->model);
    free(s->place);
    *s = (bench_subject){0};
}
