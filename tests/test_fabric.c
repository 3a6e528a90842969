/* The law: cloth is as stiff as its fabric was measured to be, whatever its grid or mesh.
 *
 * Strips, frames and plates are solved exactly for small displacements (statics.h); what hangs and drapes is run until it rests. */
#include "statics.h"

#define GRAVITY 9.81

/* ---- sheets ---- */

static pliant_material fabric(double warp, double weft, double shear, double bending)
{
    pliant_material m = pliant_material_default();
    m.density = R(0.2);
    m.stretch_warp = R(warp);
    m.stretch_weft = R(weft);
    m.shear_stiffness = R(shear);
    m.bending_rigidity = R(bending);
    return m;
}

static pliant_scene *scene_of(const pliant_cloth_def *def)
{
    pliant_error  error = {PLIANT_OK, 0, "", ""};
    pliant_scene *scene = pliant_scene_create(NULL, NULL);
    if (!pliant_scene_add_cloth(scene, def, &error).id) fail_msg("%s", error.message);
    return scene;
}

static statics grid(uint32_t nx, uint32_t nz, double x, double z, const pliant_material *m)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    def.cells_x = nx;
    def.cells_z = nz;
    def.size_x = R(x);
    def.size_z = R(z);
    def.material = *m;
    return statics_of(scene_of(&def));
}

/* A mesh in memory: corners of a grid nx x nz, of size x by z, whose every second row is moved by half a cell where `skewed`. */
typedef struct mesh {
    pliant_vec3 *x;
    uint32_t    *corners;
    uint32_t     vertices, faces, size;
} mesh;

static mesh mesh_of(uint32_t nx, uint32_t nz, double x, double z, bool quads, bool skewed)
{
    mesh m = {.vertices = (nx + 1) * (nz + 1), .faces = quads ? nx * nz : 2 * nx * nz, .size = quads ? 4 : 3};
    m.x = statics_zeros(m.vertices, sizeof *m.x);
    m.corners = statics_zeros(m.faces * m.size, sizeof *m.corners);
    uint32_t *c = m.corners;
    for (uint32_t j = 0; j <= nz; j++)
        for (uint32_t i = 0; i <= nx; i++) {
            const double inside = skewed && i > 0 && i < nx && j % 2 ? 0.5 : 0;
            m.x[j * (nx + 1) + i] = vec(x * (i + inside) / nx, 0, z * j / nz);
        }
    for (uint32_t j = 0; j < nz; j++)
        for (uint32_t i = 0; i < nx; i++) {
            const uint32_t v = j * (nx + 1) + i, quad[4] = {v, v + nx + 1, v + nx + 2, v + 1};
            const uint32_t turn = skewed ? j % 2 : 0; /* which diagonal cuts it */
            if (quads) {
                for (uint32_t k = 0; k < 4; k++) *c++ = quad[(k + turn) % 4];
                continue;
            }
            const uint32_t cut[2][6] = {{0, 1, 2, 0, 2, 3}, {1, 2, 3, 1, 3, 0}};
            for (uint32_t k = 0; k < 6; k++) *c++ = quad[cut[skewed ? !turn : turn][k]];
        }
    return m;
}

static statics sheet_of(const mesh *m, const pliant_material *material)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    def.mesh.positions = m->x;
    def.mesh.stride = sizeof *m->x;
    def.mesh.vertex_count = m->vertices;
    if (m->size == 4) {
        def.mesh.quads = m->corners;
        def.mesh.quad_count = m->faces;
    } else {
        def.mesh.triangles = m->corners;
        def.mesh.triangle_count = m->faces;
    }
    def.material = *material;
    return statics_of(scene_of(&def));
}

static void mesh_end(mesh *m)
{
    free(m->x);
    free(m->corners);
}

static void extent(const statics *b, uint32_t axis, double *low, double *high)
{
    *low = DBL_MAX;
    *high = -DBL_MAX;
    for (uint32_t i = 0; i < b->count; i++) {
        const double x = b->x[3 * i + axis];
        *low = x < *low ? x : *low;
        *high = x > *high ? x : *high;
    }
}

/* ---- in the plane ---- */

/* Force per width and strain of the sheet as a strip along an axis, its sides free. */
static double pulled(statics *b, uint32_t axis)
{
    double low, high, side[2], load = 0;
    extent(b, axis, &low, &high);
    extent(b, 2 - axis, &side[0], &side[1]);
    const double length = high - low, strain = 1e-3;
    memset(b->u, 0, 3 * b->count * sizeof *b->u);
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t at = 3 * i + axis;
        const bool     first = b->x[at] < low + 1e-5 * length, last = b->x[at] > high - 1e-5 * length;
        b->held[3 * i] = b->held[3 * i + 1] = b->held[3 * i + 2] = false;
        b->held[3 * i + 1] = true;
        b->held[at] = first || last;
        b->u[at] = last ? strain * length : 0;
    }
    statics_balance(b);
    statics_multiply(b, b->u, b->q);
    for (uint32_t i = 0; i < b->count; i++)
        if (b->held[3 * i + axis] && b->u[3 * i + axis] > 0) load += b->q[3 * i + axis];
    return load / (side[1] - side[0]) / strain;
}

/* Twice the energy per area of a displacement. */
static double energy(statics *b, double area)
{
    double sum = 0;
    statics_multiply(b, b->u, b->q);
    for (uint32_t i = 0; i < 3 * b->count; i++) sum += b->u[i] * b->q[i];
    return sum / area;
}

static double sheared(statics *b, double area)
{
    for (uint32_t i = 0; i < b->count; i++) {
        b->u[3 * i] = b->x[3 * i + 2];
        b->u[3 * i + 1] = b->u[3 * i + 2] = 0;
    }
    return energy(b, area);
}

static const struct {
    uint32_t n[2];
    double   size[2];
} sheets[] = {{{1, 1}, {1, 1}}, {{8, 8}, {1, 1}}, {{32, 8}, {1, 1}}, {{7, 12}, {0.3, 0.9}}, {{24, 8}, {0.5, 0.5}}, {{3, 20}, {1, 2}}};
#define SHEETS (sizeof sheets / sizeof *sheets)

static const double fabrics[][4] = {
    {4000, 4000, 60, 1e-5}, {10000, 6000, 120, 1e-4}, {1500, 1500, 500, 1.67e-4}, {500, 2000, 1e-2, 1e-6}};

static void a_grid_stretches_and_shears_as_its_fabric(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHEETS; i++)
        for (size_t k = 0; k < sizeof fabrics / sizeof *fabrics; k++) {
            const double ratio = sheets[i].size[0] * sheets[i].n[1] / (sheets[i].size[1] * sheets[i].n[0]);
            if (fabrics[k][2] * ratio * ratio > fabrics[k][0] || fabrics[k][2] > fabrics[k][1] * ratio * ratio) continue; /* an edge would push */
            const double         *f = fabrics[k], x = sheets[i].size[0], z = sheets[i].size[1];
            const pliant_material m = fabric(f[0], f[1], f[2], f[3]);
            statics               b = grid(sheets[i].n[0], sheets[i].n[1], x, z, &m);
            near(pulled(&b, 0) / f[0], 1, 0.01);
            near(pulled(&b, 2) / f[1], 1, 0.01);
            near(sheared(&b, x * z) / f[2], 1, 0.01);
            statics_end(&b);
        }
}

static void quads_of_a_mesh_are_a_grid_without_warp(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHEETS; i++) {
        const double          x = sheets[i].size[0], z = sheets[i].size[1];
        const pliant_material m = fabric(1500, 1500, 80, 1e-4);
        mesh                  quads = mesh_of(sheets[i].n[0], sheets[i].n[1], x, z, true, false);
        statics               b = sheet_of(&quads, &m);
        near(pulled(&b, 0) / 1500, 1, 0.01);
        near(pulled(&b, 2) / 1500, 1, 0.01);
        near(sheared(&b, x * z) / 80, 1, 0.01);
        statics_end(&b);
        mesh_end(&quads);
    }
}

static void triangles_stretch_alike_in_all_directions(void **state)
{
    (void)state;
    const pliant_material m = fabric(5000, 3000, 60, 1e-4);
    mesh                  even = mesh_of(20, 23, 1, 1, false, true), cut = mesh_of(20, 20, 1, 1, false, false);
    statics               b = sheet_of(&even, &m), c = sheet_of(&cut, &m);
    near(pulled(&b, 0) / 4000, 1, 0.1);
    near(pulled(&b, 2) / 4000, 1, 0.1);
    near(pulled(&c, 0) / 4000, 1, 0.25);
    near(pulled(&c, 2) / 4000, 1, 0.25);
    statics_end(&b);
    statics_end(&c);
    mesh_end(&even);
    mesh_end(&cut);
}

/* ---- bending ---- */

/* Tip of a cantilever along an axis, held over its first column, over w g l^4 / 8 B. */
static double cantilever(statics *b, uint32_t axis, uint32_t cells, double bending)
{
    double low, high, tip = 0;
    extent(b, axis, &low, &high);
    const double cell = (high - low) / cells, from = low + cell, length = high - from;
    uint32_t     ends = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        b->held[3 * i] = b->held[3 * i + 2] = true;
        b->held[3 * i + 1] = b->x[3 * i + axis] < from + 0.01 * cell;
        b->force[3 * i + 1] = -b->scene->particles.data[i].mass * GRAVITY;
        b->u[3 * i] = b->u[3 * i + 1] = b->u[3 * i + 2] = 0;
    }
    statics_balance(b);
    for (uint32_t i = 0; i < b->count; i++)
        if (b->x[3 * i + axis] > high - 0.01 * cell) tip -= b->u[3 * i + 1], ends++;
    return tip / ends / (0.2 * GRAVITY * length * length * length * length / (8 * bending));
}

/* The first hinge, at the clamp, stands for half a cell inside of it, which lets the tip sink by 2 / n more. A sheet whose sides are free bends the other way
 * across, being of a ratio of -1/3, and has 8/9 of the rigidity of a wide one. */
static void a_grid_bends_as_its_fabric(void **state)
{
    (void)state;
    static const struct {
        uint32_t n[2];
        double   size[2];
    } strips[] = {{{9, 2}, {1, 0.25}}, {{17, 4}, {1, 0.25}}, {{25, 6}, {1, 0.25}}, {{25, 2}, {1, 0.25}}, {{21, 16}, {1, 0.25}}, {{17, 32}, {1, 2}}};
    for (size_t i = 0; i < sizeof strips / sizeof *strips; i++)
        for (uint32_t axis = 0; axis <= 2; axis += 2) {
            const pliant_material m = fabric(4000, 4000, 60, 1e-4);
            const uint32_t        n[2] = {strips[i].n[axis / 2], strips[i].n[1 - axis / 2]};
            const double          size[2] = {strips[i].size[axis / 2], strips[i].size[1 - axis / 2]};
            statics               b = grid(n[0], n[1], size[0], size[1], &m);
            const double          found = cantilever(&b, axis, strips[i].n[0], 1e-4) / (1 + 2.0 / (strips[i].n[0] - 1));
            if (found < 0.92 || found > 9 / 8.0 * 1.05) fail_msg("%u x %u along %u sinks by %g of what it should", n[0], n[1], axis, found);
            statics_end(&b);
        }
}

/* Twice the energy per area of curvature 1 about an axis turned by `angle`, over B, and of a saddle of twist 1 where `twisted`: what lies within
 * `cell` of its boundary is held, and all else is in balance. */
static double curved(statics *b, double angle, bool twisted, double cell, double bending)
{
    double low[3], high[3];
    for (uint32_t a = 0; a < 3; a += 2) extent(b, a, &low[a], &high[a]);
    memset(b->force, 0, 3 * b->count * sizeof *b->force);
    for (uint32_t i = 0; i < b->count; i++) {
        const double *x = b->x + 3 * i, along = cos(angle) * x[0] + sin(angle) * x[2];
        b->held[3 * i] = b->held[3 * i + 2] = true;
        b->held[3 * i + 1] = x[0] < low[0] + cell || x[0] > high[0] - cell || x[2] < low[2] + cell || x[2] > high[2] - cell;
        b->u[3 * i] = b->u[3 * i + 2] = 0;
        b->u[3 * i + 1] = twisted ? x[0] * x[2] : along * along / 2;
    }
    statics_balance(b);
    return energy(b, (high[0] - low[0]) * (high[2] - low[2])) / bending;
}

static void a_grid_bends_alike_in_all_directions(void **state)
{
    (void)state;
    const pliant_material m = fabric(4000, 4000, 60, 1e-4);
    statics               b = grid(32, 32, 1, 1, &m), longer = grid(24, 32, 1, 1, &m);
    for (int k = 0; k < 8; k++) near(curved(&b, k * TEST_PI / 8, false, 1.01 / 32, 1e-4), 1, 0.06);
    near(curved(&b, 0, true, 1.01 / 32, 1e-4), 2 + 2 / 3.0, 0.01);
    near(curved(&longer, 0, false, 1.01 / 24, 1e-4), 1, 0.12);
    near(curved(&longer, TEST_PI / 2, false, 1.01 / 24, 1e-4), 1, 0.12);
    statics_end(&b);
    statics_end(&longer);
}

/* Quads of a mesh that are cut all one way are not alike aslant. */
static void meshes_bend_as_grids_do(void **state)
{
    (void)state;
    const pliant_material m = fabric(4000, 4000, 60, 1e-4);
    mesh                  even = mesh_of(32, 37, 1, 1, false, true), quads = mesh_of(32, 32, 1, 1, true, false);
    statics               b = sheet_of(&even, &m), c = sheet_of(&quads, &m);
    for (int k = 0; k < 8; k++) near(curved(&b, k * TEST_PI / 8, false, 1.01 / 32, 1e-4), 1, 0.06);
    for (int k = 0; k < 8; k += 4) near(curved(&c, k * TEST_PI / 8, false, 1.01 / 32, 1e-4), 1, 0.06);
    statics_end(&b);
    statics_end(&c);
    mesh_end(&even);
    mesh_end(&quads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_grid_stretches_and_shears_as_its_fabric),
                                       cmocka_unit_test(quads_of_a_mesh_are_a_grid_without_warp),
                                       cmocka_unit_test(triangles_stretch_alike_in_all_directions),
                                       cmocka_unit_test(a_grid_bends_as_its_fabric),
                                       cmocka_unit_test(a_grid_bends_alike_in_all_directions),
                                       cmocka_unit_test(meshes_bend_as_grids_do)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
