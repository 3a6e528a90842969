/* The table of cases, and running one. */
#include "bench.h"

#include <math.h>
#include <string.h>

const bench_case bench_cases[] = {
    {"grid_cloth",
     "a hanging cloth of N x N as a grid makes it: structural, shear and bending distances, all rigid",
     false,
     BENCH_GRID_CLOTH,
     {32, 64, 128, 256, 512, 1024, 2048},
     {32, 64, 256},
     NULL},
    {"mesh_cloth",
     "the same sheet as a triangle mesh in no order: edges, and a distance across each",
     false,
     BENCH_MESH_CLOTH,
     {64, 128, 256, 512, 1024, 2048},
     {64, 128},
     NULL},
    {"angles", "the grid of cotton, with dihedral angles", false, BENCH_ANGLES, {64, 128, 256}, {64}, NULL},
    {"plastic", "that grid with angles, of which all edges and angles have a yield", false, BENCH_PLASTIC, {64, 128, 256}, {64}, NULL},
    {"neo_plastic", "that lattice of neo-Hookean tetrahedra, with a yield", false, BENCH_NEO_PLASTIC, {20, 40}, {20}, NULL},
    {"lines", "the grid of cotton, which bends by lines and quads", false, BENCH_LINES, {64, 128, 256}, {64}, NULL},
    {"lattice", "k^3 cubes of five tetrahedra: edges and volumes, with one compliance", false, BENCH_LATTICE, {20, 40}, {20}, NULL},
    {"tet_mesh", "k^3 cubes of six tetrahedra as a mesh in no order", false, BENCH_TET_MESH, {20, 40}, {20}, NULL},
    {"solid", "that mesh by Young's modulus and Poisson's ratio", false, BENCH_SOLID, {20, 40}, {20}, NULL},
    {"neo_lattice", "that lattice of neo-Hookean tetrahedra", false, BENCH_NEO_LATTICE, {20, 40}, {20}, NULL},
    {"neo_mesh", "that mesh of neo-Hookean tetrahedra", false, BENCH_NEO_MESH, {20, 40}, {20}, NULL},
    {"corotated", "that lattice of corotated tetrahedra", false, BENCH_COROTATED, {20, 40}, {20}, NULL},
    {"stvk", "that lattice of Saint Venant-Kirchhoff tetrahedra", false, BENCH_STVK, {20, 40}, {20}, NULL},
    {"tet_strain", "that lattice of strain-based tetrahedra", false, BENCH_TET_STRAIN, {20, 40}, {20}, NULL},
    {"corotated_mesh", "that mesh of corotated tetrahedra", false, BENCH_COROTATED_MESH, {20, 40}, {20}, NULL},
    {"stvk_mesh", "that mesh of Saint Venant-Kirchhoff tetrahedra", false, BENCH_STVK_MESH, {20, 40}, {20}, NULL},
    {"tet_strain_mesh", "that mesh of strain-based tetrahedra", false, BENCH_TET_STRAIN_MESH, {20, 40}, {20}, NULL},
    {"strain", "the grid of cotton, with strains of triangles, lines and quads", false, BENCH_STRAIN, {64, 128, 256}, {64}, NULL},
    {"strain_mesh", "the mesh of cotton, with strains of triangles alone", false, BENCH_STRAIN_MESH, {64, 128, 256}, {64}, NULL},
    {"stvk_sheet", "that mesh, with Saint Venant-Kirchhoff's strain of triangles", false, BENCH_STVK_SHEET, {64, 128, 256}, {64}, NULL},
    {"tear_mesh",
     "that mesh, asked in each substep whether it tears, which it does not",
     false,
     BENCH_TEAR_MESH,
     {64, 128, 256},
     {64},
     NULL},
    {"stitched", "the grid of cotton twice, sewn to each other by all vertices", false, BENCH_STITCHED, {64, 128, 256}, {64}, NULL},
    {"pressure", "a closed mesh of cotton of 6 N^2 + 2 vertices with gas in it", false, BENCH_PRESSURE, {20, 40}, {20}, NULL},
    {"shape_rigid", "that lattice's particles in rigid clusters of 3 cells, per particle", false, BENCH_SHAPE_RIGID, {20, 40}, {20}, NULL},
    {"shape_linear", "in clusters that stretch and shear", false, BENCH_SHAPE_LINEAR, {20, 40}, {20}, NULL},
    {"shape_quadratic", "in clusters that bend and twist", false, BENCH_SHAPE_QUADRATIC, {20, 40}, {20}, NULL},
    {"small_cloths",
     "1,000 cloths of 16 x 16 in one scene, against one with as many constraints",
     false,
     BENCH_SMALL_CLOTHS,
     {16},
     {16},
     bench_small_cloths},
    {"headline",
     "ms per frame of a hanging cloth of 64 x 64 at a mean stretch of 0.25 % or less, one thread",
     false,
     BENCH_GRID_CLOTH,
     {64},
     {64},
     bench_headline},
    {"tethered",
     "ms per frame of that cloth at a mean stretch of 0.1 % or less, tethered to both of its pins, one thread",
     false,
     BENCH_TETHERED,
     {64},
     {64},
     bench_tethered},
    {"accuracy", "the mean stretch of that cloth at 10, 20 and 80 substeps", false, BENCH_GRID_CLOTH, {64}, {64}, bench_accuracy},
    {"drop", "the slowest frames of a bag of cotton that falls on the floor, many times", false, BENCH_BLOB, {40}, {20}, bench_drop},
    {"huge", "ten million particles: memory, and what compiling takes", true, BENCH_GRID_CLOTH, {3163}, {3163}, bench_huge},
    {0}};

const bench_case *bench_find_case(const char *name)
{
    for (const bench_case *c = bench_cases; c->name; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

const bench_case *bench_case_of(const bench_row *row)
{
    for (const bench_case *c = bench_cases; c->name; c++)
        if (strncmp(c->name, row->name, strlen(c->name)) == 0) return c;
    return NULL;
}

static bool time_size(const bench_case *c, uint32_t size, const bench_settings *s, const bench_limits *limits, bench_table *table,
                      pliant_error *error)
{
    bench_subject subject;
    if (s->begins) s->begins(c->name, size);
    if (!bench_subject_make(&subject, c->shape, size, s, error)) return false;
    bool good = bench_time_steps(c->name, size, &subject, s, limits, table, error);
    bench_subject_free(&subject);
    return good;
}

bool bench_run_case(const bench_case *c, const bench_settings *s, const bench_limits *limits, bench_table *table, pliant_error *error)
{
    const uint32_t *sizes = s->size_count ? s->sizes : s->quick ? c->quick : c->sizes;
    const uint32_t  most = s->size_count ? s->size_count : 10;
    if (c->measure) {
        if (s->begins) s->begins(c->name, c->sizes[0]);
        return c->measure(s, limits, table, error);
    }
    for (uint32_t i = 0; i < most && sizes[i]; i++)
        if (!time_size(c, sizes[i], s, limits, table, error)) return false;
    return true;
}

bool bench_take_steps(const bench_case *c, uint32_t steps, const bench_settings *s, uint64_t *solved, pliant_error *error)
{
    uint32_t      size = s->size_count ? s->sizes[0] : c->quick[0];
    bench_subject subject;
    bench_stepper stepper;
    if (!bench_subject_make(&subject, c->shape, size, s, error)) return false;
    bool good = bench_begin(&stepper, &subject, s, s->widths[0], s->threads[0], error);
    if (good) good = bench_step(&stepper, steps) || bench_stopped(s, c->name, size, stepper.code, error);
    *solved = steps * subject.sweeps * subject.constraints;
    bench_end(&stepper);
    bench_subject_free(&subject);
    return good;
}

/* ---- a thousand small cloths ---- */

/* The side of the grid cloth that has as many constraints, about: 6 N^2 - 10 N + 2 */
static uint32_t side_of(uint64_t constraints) { return (uint32_t)lround((10 + sqrt(100 - 24 * (2 - (double)constraints))) / 12); }

/* The time over that of one cloth with as many constraints. */
static bool add_ratios(const char *name, uint32_t one, const bench_settings *s, bench_table *table, pliant_error *error)
{
    bench_row like = {.size = 16, .unit = "ns"};
    snprintf(like.name, sizeof like.name, "%s", name);
    for (uint32_t i = 0; i < s->width_count * s->thread_count; i++) {
        like.width = s->widths[i / s->thread_count];
        like.threads = s->threads[i % s->thread_count];
        bench_row        other = like;
        const bench_row *small = bench_find(table, &like);
        snprintf(other.name, sizeof other.name, "small_cloths_one");
        other.size = one;
        const bench_row *large = bench_find(table, &other);
        if (!small || !large) continue;
        bench_row row = *small;
        snprintf(row.name, sizeof row.name, "%s_ratio", name);
        snprintf(row.unit, sizeof row.unit, "x");
        row.value = small->value / large->value;
        row.spread = row.value * hypot(small->spread / small->value, large->spread / large->value);
        row.limit = 0;
        row.limit_name[0] = 0;
        if (!bench_add(table, &row, error)) return false;
    }
    return true;
}

bool bench_small_cloths(const bench_settings *s, const bench_limits *limits, bench_table *table, pliant_error *error)
{
    bench_subject subject;
    if (!bench_subject_make(&subject, BENCH_SMALL_CLOTHS, 16, s, error)) return false;
    const uint64_t constraints = subject.constraints;
    const uint32_t side = side_of(constraints);
    bool           good = bench_time_steps("small_cloths", 16, &subject, s, limits, table, error);
    bench_subject_free(&subject);
    if (!good || !bench_subject_make(&subject, BENCH_GRID_CLOTH, 16, s, error)) return false;
    subject.states = (uint32_t)(constraints / subject.constraints);
    subject.constraints = constraints;
    good = bench_time_steps("small_cloths_many", 16, &subject, s, limits, table, error);
    bench_subject_free(&subject);
    if (!good || !bench_subject_make(&subject, BENCH_GRID_CLOTH, side, s, error)) return false;
    good = bench_time_steps("small_cloths_one", side, &subject, s, limits, table, error);
    bench_subject_free(&subject);
    return good && add_ratios("small_cloths", side, s, table, error) && add_ratios("small_cloths_many", side, s, table, error);
}
