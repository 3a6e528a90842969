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

static statics bent_grid(uint32_t nx, uint32_t nz, double x, double z, const pliant_material *m, pliant_bend bend)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    def.bend = bend;
    def.cells_x = nx;
    def.cells_z = nz;
    def.size_x = R(x);
    def.size_z = R(z);
    def.material = *m;
    return statics_of(scene_of(&def));
}

static statics grid(uint32_t nx, uint32_t nz, double x, double z, const pliant_material *m)
{
    return bent_grid(nx, nz, x, z, m, pliant_cloth_def_default().bend);
}

/* A mesh in memory: corners of a grid nx x nz, of size x by z, every second row moved by half a cell where `skewed`. */
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
        const bool first = b->x[at]<low + 1e-5 * length, last = b->x[at]> high - 1e-5 * length;
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

static const double fabrics[][4] = {{4000, 4000, 60, 1e-5}, {10000, 6000, 120, 1e-4}, {1500, 1500, 500, 1.67e-4}, {500, 2000, 1e-2, 1e-6}};

static void a_grid_stretches_and_shears_as_its_fabric(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHEETS; i++)
        for (size_t k = 0; k < sizeof fabrics / sizeof *fabrics; k++) {
            const double ratio = sheets[i].size[0] * sheets[i].n[1] / (sheets[i].size[1] * sheets[i].n[0]);
            if (fabrics[k][2] * ratio * ratio > fabrics[k][0] || fabrics[k][2] > fabrics[k][1] * ratio * ratio)
                continue; /* an edge would push */
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

/* The first hinge, at the clamp, stands for half a cell inside of it, which lets the tip sink by 2 / n more. A sheet with free sides bends the other
 * way across, being of a ratio of -1/3, and has 8/9 of the rigidity of a wide one. */
static void a_grid_bends_as_its_fabric(void **state)
{
    (void)state;
    static const struct {
        uint32_t n[2];
        double   size[2];
    } strips[] = {{{9, 2}, {1, 0.25}},  {{17, 4}, {1, 0.25}},  {{25, 6}, {1, 0.25}},
                  {{25, 2}, {1, 0.25}}, {{21, 16}, {1, 0.25}}, {{17, 32}, {1, 2}}};
    for (size_t i = 0; i < sizeof strips / sizeof *strips; i++)
        for (uint32_t axis = 0; axis <= 2; axis += 2) {
            const pliant_material m = fabric(4000, 4000, 60, 1e-4);
            const uint32_t        n[2] = {strips[i].n[axis / 2], strips[i].n[1 - axis / 2]};
            const double          size[2] = {strips[i].size[axis / 2], strips[i].size[1 - axis / 2]};
            statics               b = bent_grid(n[0], n[1], size[0], size[1], &m, PLIANT_BEND_ANGLE);
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
    statics               b = bent_grid(32, 32, 1, 1, &m, PLIANT_BEND_ANGLE), longer = bent_grid(24, 32, 1, 1, &m, PLIANT_BEND_ANGLE);
    for (int k = 0; k < 8; k++) near(curved(&b, k * TEST_PI / 8, false, 1.01 / 32, 1e-4), 1, 0.06);
    near(curved(&b, 0, true, 1.01 / 32, 1e-4), 2 + 2 / 3.0, 0.01);
    near(curved(&longer, 0, false, 1.01 / 24, 1e-4), 1, 0.12);
    near(curved(&longer, TEST_PI / 2, false, 1.01 / 24, 1e-4), 1, 0.12);
    statics_end(&b);
    statics_end(&longer);
}

/* Lines and quads have no triangles, and a strip has all of B; the first line, around the second particle that is held, stands for half a cell inside of the
 * clamp as the hinge does. */
static void a_grid_bends_by_lines_as_its_fabric(void **state)
{
    (void)state;
    static const struct {
        uint32_t n[2];
        double   size[2];
    } strips[] = {{{9, 2}, {1, 0.25}}, {{17, 4}, {1, 0.25}}, {{25, 2}, {1, 0.25}}, {{21, 16}, {1, 0.25}}, {{17, 32}, {1, 2}}};
    const pliant_material m = fabric(4000, 4000, 60, 1e-4);
    for (size_t i = 0; i < sizeof strips / sizeof *strips; i++)
        for (uint32_t axis = 0; axis <= 2; axis += 2) {
            const uint32_t n[2] = {strips[i].n[axis / 2], strips[i].n[1 - axis / 2]};
            const double   size[2] = {strips[i].size[axis / 2], strips[i].size[1 - axis / 2]};
            statics        b = bent_grid(n[0], n[1], size[0], size[1], &m, PLIANT_BEND_ISOMETRIC);
            near(cantilever(&b, axis, strips[i].n[0], 1e-4) / (1 + 2.0 / (strips[i].n[0] - 1)), 1, 0.02);
            statics_end(&b);
        }
}

/* There is no line around the last particle of a row: half a cell at either end stands for nothing, as a free end has no moment. */
static void lines_bend_alike_in_all_directions(void **state)
{
    (void)state;
    const pliant_material m = fabric(4000, 4000, 60, 1e-4);
    statics b = bent_grid(32, 32, 1, 1, &m, PLIANT_BEND_ISOMETRIC), longer = bent_grid(16, 32, 1, 1, &m, PLIANT_BEND_ISOMETRIC);
    for (int k = 0; k < 8; k++) {
        near(curved(&b, k * TEST_PI / 8, false, 1.01 / 32, 1e-4), 1, 1.01 / 32);
        near(curved(&longer, k * TEST_PI / 8, false, 1.01 / 16, 1e-4), 1, 1.01 / 16);
    }
    near(curved(&b, 0, true, 1.01 / 32, 1e-4), 2, 0.01);
    near(curved(&longer, 0, true, 1.01 / 16, 1e-4), 2, 0.01);
    statics_end(&b);
    statics_end(&longer);
}

/* (sqrt(B_1) cos^2 + sqrt(B_2) sin^2)^2 of the direction that curves, over B_1: lines and quads of a grid, angles of one, and triangles of a mesh along its
 * threads. */
static void warp_and_weft_bend_by_themselves(void **state)
{
    (void)state;
    static const double wefts[] = {0.3e-4, 1e-4, 2.5e-4};
    for (size_t w = 0; w < sizeof wefts / sizeof *wefts; w++) {
        pliant_material m = fabric(4000, 4000, 60, 1e-4);
        mesh            even = mesh_of(32, 37, 1, 1, false, true);
        m.bending_weft = R(wefts[w]);
        pliant_cloth_def def = pliant_cloth_def_default();
        def.mesh = pliant_mesh_view_of(even.x, sizeof *even.x, even.vertices, even.corners, even.faces);
        def.model = PLIANT_CLOTH_STRAIN;
        def.material = m;
        def.warp = vec(1, 0, 0);
        statics lines = bent_grid(32, 32, 1, 1, &m, PLIANT_BEND_ISOMETRIC), angles = bent_grid(32, 32, 1, 1, &m, PLIANT_BEND_ANGLE),
                woven = statics_of(scene_of(&def));
        for (int k = 0; k < 8; k++) {
            const double angle = k * TEST_PI / 8, c = pow(cos(angle), 2), expected = pow(c + sqrt(wefts[w] / 1e-4) * (1 - c), 2);
            near(curved(&lines, angle, false, 1.01 / 32, 1e-4) / expected, 1, 1.01 / 32);
            near(curved(&angles, angle, false, 1.01 / 32, 1e-4) / expected, 1,
                 0.1);      /* the particles with four triangles around them give way */
            if (k % 4 == 0) /* aslant, triangles of equal sides cannot have what both axes ask for */
                near(curved(&woven, angle, false, 1.01 / 32, 1e-4) / expected, 1, 0.06);
        }
        statics_end(&lines);
        statics_end(&angles);
        statics_end(&woven);
        mesh_end(&even);
    }
}

/* Another rigidity gives the laws that a cloth made of it has, whichever of the two has a second one. */
static void a_second_rigidity_can_be_changed(void **state)
{
    (void)state;
    for (int bend = PLIANT_BEND_ANGLE; bend <= PLIANT_BEND_ISOMETRIC; bend += PLIANT_BEND_ISOMETRIC - PLIANT_BEND_ANGLE)
        for (int way = 0; way < 2; way++) {
            pliant_cloth_def def = pliant_cloth_def_default();
            pliant_material  both = fabric(4000, 4000, 60, 1e-4), one = both;
            both.bending_weft = R(3e-5);
            def.bend = (pliant_bend)bend;
            def.material = way ? one : both;
            pliant_scene *changed = scene_of(&def);
            def.material = way ? both : one;
            pliant_scene *made = scene_of(&def);
            assert_int_equal(pliant_scene_set_material(changed, (pliant_body){1}, &def.material, NULL), PLIANT_OK);
            assert_int_equal(changed->laws.count, made->laws.count);
            for (size_t i = 0; i < made->laws.count; i++)
                assert_true(changed->laws.data[i].law.compliance == made->laws.data[i].law.compliance);
            pliant_scene_destroy(changed);
            pliant_scene_destroy(made);
        }
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

/* ---- at rest ---- */

static const double *place(const trial *t, pliant_body body, uint32_t vertex)
{
    static double x[3];
    point_of(t, body, vertex, x);
    return x;
}

static void pin(trial *t, pliant_body body, uint32_t vertex)
{
    assert_int_equal(pliant_scene_pin(t->scene, body, &vertex, 1, false, NULL), PLIANT_OK);
}

/* Peirce 1930, The Handle of Cloth as a Measurable Quantity: a strip that hangs over an edge by 2 c, c = (B / (w g))^(1/3) its bending length, has its end
 * 41.5 degrees below the edge. Its density is 0.2. */
static double hangs_over(uint32_t cells, uint32_t across, double ratio)
{
    trial            t;
    pliant_cloth_def def = pliant_cloth_def_default();
    const double     c = 0.2, cell = 2 * c / cells;
    def.material = fabric(4000, 4000, 60, 0.2 * GRAVITY * c * c * c);
    def.material.drag = 2;
    def.cells_x = cells + 1;
    def.cells_z = across;
    def.size_x = R(2 * c + cell);
    def.size_z = R(ratio * cell * across);
    trial_begin(&t, GRAVITY, 40, 8);
    const pliant_body b = pliant_scene_add_cloth(t.scene, &def, NULL);
    const uint32_t    row = def.cells_x + 1;
    for (uint32_t i = 0; i <= across; i++) pin(&t, b, i * row), pin(&t, b, i * row + 1);
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 200);
    const pliant_vec3 edge = {R(place(&t, b, 1)[0]), R(place(&t, b, 1)[1]), 0};
    const double     *end = place(&t, b, row * (across + 1) - 1);
    const double      angle = atan2((double)edge.y - end[1], end[0] - (double)edge.x) * 180 / TEST_PI;
    trial_end(&t);
    return angle;
}

static void a_strip_hangs_over_an_edge_as_peirce_measured(void **state)
{
    (void)state;
    static const uint32_t cells[][2] = {{12, 3}, {16, 4}, {24, 6}};
    for (int i = 0; i < 3; i++) near(hangs_over(cells[i][0], cells[i][1], 1), 41.5, 4.15);
    near(hangs_over(16, 4, 1.5), 41.5, 4.15);
}

/* How far the middle of a square metre sags that is held by its four corners. */
static double sag(uint32_t n, uint32_t substeps, uint32_t iterations)
{
    trial            t;
    pliant_cloth_def def = pliant_cloth_def_default();
    def.material = pliant_material_preset(PLIANT_COTTON);
    def.material.damping = 0;
    def.material.drag = 3;
    def.cells_x = def.cells_z = n;
    trial_begin(&t, GRAVITY, substeps, iterations);
    const pliant_body b = pliant_scene_add_cloth(t.scene, &def, NULL);
    pin(&t, b, 0), pin(&t, b, n), pin(&t, b, n * (n + 1)), pin(&t, b, n * (n + 2));
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 150);
    const double middle = -place(&t, b, n / 2 * (n + 2))[1];
    trial_end(&t);
    return middle;
}

static void a_sheet_sags_alike_at_every_resolution(void **state)
{
    (void)state;
    const double finest = sag(24, 50, 10);
    near(sag(8, 40, 2) / finest, 1, 0.1);
    near(sag(16, 40, 8) / finest, 1, 0.1);
}

/* A fabric that soon hangs at rest, since air takes its speed. */
static pliant_material slowed_by_air(pliant_preset preset)
{
    pliant_material m = pliant_material_preset(preset);
    m.damping = 0;
    m.drag = 3;
    return m;
}

/* How far below the top of a ball of 15 cm the mean of a sheet of 60 cm lies that is draped over it. */
static double draped(pliant_preset preset, uint32_t n, uint32_t substeps)
{
    trial               t;
    pliant_cloth_def    def = pliant_cloth_def_default();
    pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    double              mean = 0;
    def.material = slowed_by_air(preset);
    def.material.thickness = R(0.002);
    def.material.friction_static = def.material.friction_dynamic = R(0.4);
    def.cells_x = def.cells_z = n;
    def.size_x = def.size_z = R(0.6);
    def.body.placement.position = vec(0, 0.156, 0);
    ball.radius = R(0.15);
    trial_begin(&t, GRAVITY, substeps, 1);
    const pliant_body b = pliant_scene_add_cloth(t.scene, &def, NULL);
    pliant_scene_add_collider(t.scene, &ball, NULL);
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 180);
    for (uint32_t j = 0; j <= n; j++)
        for (uint32_t i = 0; i <= n; i++) {
            const double share = (i % n ? 1 : 0.5) * (j % n ? 1 : 0.5) / (n * n);
            mean += share * (0.152 - place(&t, b, j * (n + 1) + i)[1]);
        }
    trial_end(&t);
    return mean;
}

static void a_sheet_drapes_alike_at_every_resolution(void **state)
{
    (void)state;
    static const pliant_preset presets[] = {PLIANT_COTTON, PLIANT_SILK, PLIANT_DENIM, PLIANT_RUBBER_SHEET};
    for (int p = 0; p < 4; p++) {
        const double finest = draped(presets[p], 24, 60);
        near(draped(presets[p], 8, 20) / finest, 1, 0.1);
        near(draped(presets[p], 16, 40) / finest, 1, 0.1);
    }
}

/* ---- the drapemeter ---- */

/* A round sample of 30 cm, of the cells of a grid with middles in it; its heights differ a little, so that it finds its folds. */
static mesh sample(uint32_t n, uint64_t seed)
{
    mesh         m = {.vertices = (n + 1) * (n + 1), .size = 4};
    const double h = 0.3 / n;
    m.x = statics_zeros(m.vertices, sizeof *m.x);
    m.corners = statics_zeros(4 * n * n, sizeof *m.corners);
    for (uint32_t j = 0; j <= n; j++)
        for (uint32_t i = 0; i <= n; i++) m.x[j * (n + 1) + i] = vec(h * i - 0.15, 1e-5 * (chance(&seed) - 0.5), h * j - 0.15);
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t v = j * (n + 1) + i, quad[4] = {v, v + n + 1, v + n + 2, v + 1};
            if (hypot(h * (i + 0.5) - 0.15, h * (j + 0.5) - 0.15) < 0.15) memcpy(m.corners + 4 * m.faces++, quad, sizeof quad);
        }
    return m;
}

#define PIXELS 400 /* of 1 mm */

/* The area of the shadow of quads that are `size` wide. */
static double shadow(const mesh *m, const pliant_vec3 *x, double size)
{
    static bool    dark[PIXELS][PIXELS];
    const uint32_t steps = (uint32_t)(size / 0.0004) + 2;
    double         area = 0;
    memset(dark, 0, sizeof dark);
    for (uint32_t q = 0; q < m->faces; q++)
        for (uint32_t s = 0; s <= steps * (steps + 2); s++) {
            const uint32_t *c = m->corners + 4 * q;
            const double    u = (double)(s % (steps + 1)) / steps, w = (double)(s / (steps + 1)) / steps;
            const double    of[4] = {(1 - u) * (1 - w), (1 - u) * w, u * w, u * (1 - w)};
            double          at[2] = {0.2, 0.2};
            for (int k = 0; k < 4; k++) at[0] += of[k] * (double)x[c[k]].x, at[1] += of[k] * (double)x[c[k]].z;
            dark[(int)(at[0] * 1000)][(int)(at[1] * 1000)] = true;
        }
    for (int i = 0; i < PIXELS * PIXELS; i++) area += dark[i / PIXELS][i % PIXELS] ? 1e-6 : 0;
    return area;
}

/* Cusick 1968, The Measurement of Fabric Drape: the sample is held between discs of 18 cm; the share of the ring around them that is in its shadow, in
 * per cent. */
static double drape_coefficient(pliant_preset preset, uint32_t n, uint32_t substeps)
{
    trial            t;
    pliant_cloth_def def = pliant_cloth_def_default();
    mesh             m = sample(n, 1);
    const double     disc = TEST_PI * 0.09 * 0.09, whole = m.faces * 0.09 / (n * n);
    def.material = slowed_by_air(preset);
    def.mesh.positions = m.x;
    def.mesh.stride = sizeof *m.x;
    def.mesh.vertex_count = m.vertices;
    def.mesh.quads = m.corners;
    def.mesh.quad_count = m.faces;
    trial_begin(&t, GRAVITY, substeps, 1);
    const pliant_body b = pliant_scene_add_cloth(t.scene, &def, NULL);
    for (uint32_t i = 0; i < m.vertices; i++)
        if (hypot((double)m.x[i].x, (double)m.x[i].z) < 0.09) pin(&t, b, i);
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 150);
    assert_int_equal(pliant_state_positions(t.state, b, 0, m.vertices, m.x), PLIANT_OK);
    const double found = (shadow(&m, m.x, 0.3 / n) - disc) / (whole - disc) * 100;
    mesh_end(&m);
    trial_end(&t);
    return found;
}

static void denim_drapes_less_than_cotton_and_cotton_less_than_silk(void **state)
{
    (void)state;
    for (uint32_t n = 20; n <= 32; n += 12) {
        const double denim = drape_coefficient(PLIANT_DENIM, n, 80), cotton = drape_coefficient(PLIANT_COTTON, n, 80),
                     silk = drape_coefficient(PLIANT_SILK, n, 80);
        if (denim < cotton + 8 || cotton < silk + 8) fail_msg("%u cells: denim %.1f, cotton %.1f, silk %.1f %%", n, denim, cotton, silk);
    }
}

/* ---- fabrics apart ---- */

/* The shadow of a square sheet of 36 cm that lies over a ball of 8 cm, in per cent of the sheet. It lies a little aside: how many folds one has that
 * falls on the middle, where all sides are alike, is decided by the last digits. */
static double shadow_over_a_ball(pliant_preset preset, uint32_t n)
{
    trial               t;
    pliant_cloth_def    def = pliant_cloth_def_default();
    pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    mesh                m = mesh_of(n, n, 0.36, 0.36, true, false);
    def.material = slowed_by_air(preset);
    def.material.thickness = R(0.002);
    def.material.friction_static = def.material.friction_dynamic = R(0.4);
    def.cells_x = def.cells_z = n;
    def.size_x = def.size_z = R(0.36);
    def.body.placement.position = vec(0.0015, 0.082, 0.0005);
    ball.radius = R(0.08);
    trial_begin(&t, GRAVITY, 40, 1);
    const pliant_body b = pliant_scene_add_cloth(t.scene, &def, NULL);
    pliant_scene_add_collider(t.scene, &ball, NULL);
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 180);
    assert_int_equal(pliant_state_positions(t.state, b, 0, m.vertices, m.x), PLIANT_OK);
    const double found = shadow(&m, m.x, 0.36 / n) / (0.36 * 0.36) * 100;
    mesh_end(&m);
    trial_end(&t);
    return found;
}

/* A sheet of rubber is nine times as heavy as cotton, and shears and bends about as much harder, so these two are the least apart. */
static void fabrics_over_a_ball_can_be_told_apart(void **state)
{
    (void)state;
    for (uint32_t n = 24; n <= 32; n += 8) {
        const double silk = shadow_over_a_ball(PLIANT_SILK, n), cotton = shadow_over_a_ball(PLIANT_COTTON, n),
                     rubber = shadow_over_a_ball(PLIANT_RUBBER_SHEET, n), denim = shadow_over_a_ball(PLIANT_DENIM, n);
        print_message("%u cells: silk %.1f, cotton %.1f, rubber %.1f, denim %.1f %%\n", n, silk, cotton, rubber, denim);
        assert_true(silk + 8 < cotton && cotton + 2 < rubber && rubber + 5 < denim);
    }
}

/* ---- materials ---- */

/* Every law of a cloth of this material; below 0: any that is not rigid. */
static void check_laws(const pliant_material *m, double stretch, double shear, double bend)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    def.material = *m;
    pliant_scene *scene = scene_of(&def);
    for (size_t i = 0; i < scene->laws.count; i++) {
        const pliant__draft_law *law = &scene->laws.data[i];
        const double             want = !strcmp(law->role, "stretch") ? stretch : !strcmp(law->role, "shear") ? shear : bend;
        if (want < 0)
            assert_true(law->law.compliance > 0);
        else
            assert_true(law->law.compliance == R(want));
    }
    pliant_scene_destroy(scene);
}

static void laws_that_say_something_are_obeyed(void **state)
{
    (void)state;
    pliant_material m = pliant_material_default();
    check_laws(&m, 0, 0, 0);
    for (pliant_preset p = PLIANT_COTTON; p <= PLIANT_RUBBER_SHEET; p++) {
        m = pliant_material_preset(p);
        check_laws(&m, -1, -1, -1);
    }
    m = pliant_material_preset(PLIANT_COTTON);
    m.stretch.compliance = R(1e-4);
    m.has_shear = m.has_bend = true;
    check_laws(&m, 1e-4, 0, 0);
    m = pliant_material_preset(PLIANT_LEGACY_COTTON);
    check_laws(&m, 2.5e-4, 2.5e-2, 1.3e5);
    m = pliant_material_preset(PLIANT_LEGACY_SILK);
    check_laws(&m, 3.3e-4, 5e-2, 3.3e5);
    m = pliant_material_preset(PLIANT_LEGACY_DENIM);
    check_laws(&m, 1e-4, 6.7e-3, 1.7e4);
    m = pliant_material_preset(PLIANT_LEGACY_RUBBER_SHEET);
    check_laws(&m, 6.7e-4, 2e-3, 4e3);
}

/* Another material gives laws that are those of a body made of it, on grids and on meshes. */
static void a_material_can_be_changed(void **state)
{
    (void)state;
    const pliant_material made_of[] = {pliant_material_default(), pliant_material_preset(PLIANT_SILK),
                                       pliant_material_preset(PLIANT_LEGACY_DENIM)};
    mesh                  quads = mesh_of(5, 4, 1, 1, true, true);
    for (int way = 0; way < 2; way++)
        for (int from = 0; from < 3; from++) {
            pliant_cloth_def def = pliant_cloth_def_default();
            if (way) {
                def.mesh.positions = quads.x;
                def.mesh.stride = sizeof *quads.x;
                def.mesh.vertex_count = quads.vertices;
                def.mesh.quads = quads.corners;
                def.mesh.quad_count = quads.faces;
            }
            def.material = made_of[from];
            pliant_scene *changed = scene_of(&def);
            def.material = pliant_material_preset(PLIANT_DENIM);
            pliant_scene *made = scene_of(&def);
            assert_int_equal(pliant_scene_set_material(changed, (pliant_body){1}, &def.material, NULL), PLIANT_OK);
            assert_int_equal(changed->laws.count, made->laws.count);
            for (size_t i = 0; i < made->laws.count; i++)
                assert_true(changed->laws.data[i].law.compliance == made->laws.data[i].law.compliance);
            pliant_scene_destroy(changed);
            pliant_scene_destroy(made);
        }
    mesh_end(&quads);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    pliant_scene    *scene = pliant_scene_create(NULL, NULL);
    pliant_error     error = {PLIANT_OK, 0, "", ""};
    pliant_cloth_def def = pliant_cloth_def_default();
    def.material.stretch_weft = 1;
    assert_int_equal(pliant_scene_add_cloth(scene, &def, &error).id, 0);
    assert_non_null(strstr(error.message, "stretch_weft goes with stretch_warp"));
    def.material.stretch_warp = 1;
    def.material.bending_rigidity = -1;
    assert_int_equal(pliant_scene_add_cloth(scene, &def, &error).id, 0);
    assert_non_null(strstr(error.message, "bending_rigidity must be >= 0"));
    def.material.bending_rigidity = 0;
    def.material.bending_weft = 1;
    assert_int_equal(pliant_scene_add_cloth(scene, &def, &error).id, 0);
    assert_non_null(strstr(error.message, "bending_weft goes with bending_rigidity"));
    pliant_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_grid_stretches_and_shears_as_its_fabric),
                                       cmocka_unit_test(quads_of_a_mesh_are_a_grid_without_warp),
                                       cmocka_unit_test(triangles_stretch_alike_in_all_directions),
                                       cmocka_unit_test(a_grid_bends_as_its_fabric),
                                       cmocka_unit_test(a_grid_bends_alike_in_all_directions),
                                       cmocka_unit_test(a_grid_bends_by_lines_as_its_fabric),
                                       cmocka_unit_test(lines_bend_alike_in_all_directions),
                                       cmocka_unit_test(warp_and_weft_bend_by_themselves),
                                       cmocka_unit_test(a_second_rigidity_can_be_changed),
                                       cmocka_unit_test(meshes_bend_as_grids_do),
                                       cmocka_unit_test(a_strip_hangs_over_an_edge_as_peirce_measured),
                                       cmocka_unit_test(a_sheet_sags_alike_at_every_resolution),
                                       cmocka_unit_test(a_sheet_drapes_alike_at_every_resolution),
                                       cmocka_unit_test(denim_drapes_less_than_cotton_and_cotton_less_than_silk),
                                       cmocka_unit_test(fabrics_over_a_ball_can_be_told_apart),
                                       cmocka_unit_test(laws_that_say_something_are_obeyed),
                                       cmocka_unit_test(a_material_can_be_changed),
                                       cmocka_unit_test(what_cannot_be_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
