/* Cloth: a grid or a mesh becomes particles, and distances, angles and areas between them.
 *
 * stretch   a distance along every edge of the caller's triangles and quads
 * shear     a distance along both diagonals of every quad
 * bend      an angle at every inner edge of the surface, its quads cut in two, so the cut is an edge too, or isometric bending at those that are flat;
 *           or distances across edges
 * area      an area per triangle, if the material says so
 * sheet     in the place of stretch and shear in cloth of other models than distance: a strain per triangle, quads cut in two
 *
 * A vertex that no face uses is an anchor: it keeps its number and its place in what is written out, and takes part in nothing.
 *
 * Vertices at one place are welded first (a mesh with texture seams has several there), so seams hold. Faces that have less than three places then, or are
 * there twice, are left out. An edge at which more than two
 * faces meet bends between each and the next in the mesh's order. */
#include "scene/fabric.h"
#include "scene/sheet.h"
#include "scene/weld.h"

#include "base/float_env.h"

pliant_cloth_def pliant_cloth_def_default(void)
{
    pliant_cloth_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.body = pliant__body_def_default();
    def.material = pliant_material_default();
    def.cells_x = def.cells_z = 16;
    def.size_x = def.size_z = 1;
    def.bend = PLIANT_BEND_ANGLE;
    def.weld = true;
    def.tear.spare = (pliant_real)0.25;
    return def;
}

typedef struct cloth {
    pliant__builder         b;
    const pliant_cloth_def *def;
    pliant__surface         surface;
    uint32_t               *particle_of; /* per vertex */
    uint32_t               *corners;     /* of the surface's faces, as particles */
    uint32_t               *triangles;   /* cut, as particles */
} cloth;

/* A surface has half as many vertices as triangles, and as many as quads; edges are between two of them; quads have two diagonals. */
static bool has_room(const cloth *c, uint64_t triangles, uint64_t quads)
{
    const bool     woven = c->def->model != PLIANT_CLOTH_DISTANCE;
    const uint64_t edges = 3 * triangles / 2 + 2 * quads, flat = woven ? triangles + 2 * quads : edges + 2 * quads;
    const uint64_t bends = c->def->bend == PLIANT_BEND_NONE ? 0 : c->def->bend == PLIANT_BEND_DISTANCE ? edges : edges + quads;
    if (triangles > PLIANT__LIMIT || quads > PLIANT__LIMIT) return true; /* too many: pliant__fits fails with the message */
    return pliant__has_room(&c->b, triangles / 2 + quads, flat + bends);
}

/* ---- the grid ---- */

/* From one end to the other: u along x, and v along -z, so that the picture is upright as seen from above, with x to the right. */
static bool lay_texture(cloth *c)
{
    const double   nx = c->def->cells_x, nz = c->def->cells_z;
    const uint32_t row = c->def->cells_x + 1;
    const size_t   corners = pliant__corner_count(&c->surface.faces);
    if (c->b.body.picture == PLIANT__NONE) return true;
    c->surface.uvs = pliant__take(&c->b, 2 * (uint64_t)corners, sizeof *c->surface.uvs, "texture coordinates");
    for (size_t i = 0; c->surface.uvs && i < corners; i++) {
        c->surface.uvs[2 * i] = (float)(c->surface.corners[i] % row / nx);
        c->surface.uvs[2 * i + 1] = (float)((nz - c->surface.corners[i] / row) / nz);
    }
    return c->surface.uvs != NULL;
}

static bool make_grid(cloth *c)
{
    const pliant_cloth_def *def = c->def;
    const uint64_t          nx = def->cells_x, nz = def->cells_z;
    if (!nx || !nz) return pliant__fail(c->b.error, PLIANT_ERROR_ARGUMENT, "a grid needs at least one cell along x and along z");
    if (!pliant__check_positive(def->size_x, "size_x", c->b.error) || !pliant__check_positive(def->size_z, "size_z", c->b.error) ||
        !pliant__fits(nx, nz, "vertices", c->b.error) || !pliant__fits(0, (nx + 1) * (nz + 1), "vertices", c->b.error) ||
        !has_room(c, 0, nx * nz) || !pliant__take_surface(&c->b, (nx + 1) * (nz + 1), 0, nx * nz, &c->surface))
        return false;
    for (uint64_t j = 0; j <= nz; j++)
        for (uint64_t i = 0; i <= nx; i++) {
            /* (2 i - n) / 2 n mirrors to the bit. */
            const double x = (2 * (double)i - (double)nx) / (2 * (double)nx), z = (2 * (double)j - (double)nz) / (2 * (double)nz);
            c->surface.x[j * (nx + 1) + i] = v3((pliant_real)(x * (double)def->size_x), 0, (pliant_real)(z * (double)def->size_z));
        }
    uint32_t *corner = c->surface.corners;
    for (uint64_t j = 0; j < nz; j++)
        for (uint64_t i = 0; i < nx; i++, corner += 4) {
            corner[0] = (uint32_t)(j * (nx + 1) + i);
            corner[1] = (uint32_t)(corner[0] + nx + 1);
            corner[2] = corner[1] + 1;
            corner[3] = corner[0] + 1;
        }
    c->b.body.grid[0] = (uint32_t)nx + 1;
    c->b.body.grid[1] = (uint32_t)nz + 1;
    c->b.body.grid[2] = 1;
    c->b.cell[0] = (double)def->size_x * (double)c->b.placement.scale.x / (double)nx;
    c->b.cell[1] = -(double)def->size_z * (double)c->b.placement.scale.z / (double)nz; /* turned: z goes where -y was */
    return lay_texture(c);
}

/* ---- particles ---- */

/* One particle per place, or per vertex; keeps the first vertex of each for messages. */
static bool number_particles(cloth *c)
{
    pliant__builder *b = &c->b;
    const uint32_t   n = c->surface.vertex_count;
    c->particle_of = pliant__take(b, n, sizeof *c->particle_of, "welding");
    if (!c->particle_of) return false;
    for (uint32_t v = 0; v < n; v++) c->particle_of[v] = v;
    b->particle_count = n;
    if (c->def->weld &&
        !pliant__weld(&b->scene->allocator, c->surface.x, n, c->def->weld_distance, c->particle_of, &b->particle_count, b->error))
        return false;
    if (c->def->weld && c->def->mesh.positions && !(c->def->weld_distance > 0) && !c->def->weld_exactly &&
        !pliant__join_parted(&b->scene->allocator, &c->def->mesh, c->particle_of, &b->particle_count, &b->body.mended, b->error))
        return false;
    if (!pliant__place(b, c->surface.x, n)) return false;
    b->x = pliant__take(b, b->particle_count, sizeof *b->x, "particles");
    b->extent = pliant__take(b, b->particle_count, sizeof *b->extent, "particles");
    b->first_vertex = pliant__take(b, b->particle_count, sizeof *b->first_vertex, "particles");
    if (!b->x || !b->extent || !b->first_vertex) return false;
    for (uint32_t v = n; v-- > 0;) {
        b->x[c->particle_of[v]] = c->surface.x[v];
        b->first_vertex[c->particle_of[v]] = v;
    }
    return true;
}

static bool map_corners(cloth *c)
{
    const bool   grid = !c->def->mesh.positions;
    const size_t corners = pliant__corner_count(&c->surface.faces);
    bool        *loose = pliant__take(&c->b, c->b.particle_count, sizeof *loose, "particles");
    c->corners = pliant__take(&c->b, corners, sizeof *c->corners, "faces");
    if (!c->corners || !loose) return false;
    memset(loose, true, c->b.particle_count * sizeof *loose);
    for (size_t i = 0; i < corners; i++) {
        c->corners[i] = c->particle_of[c->surface.corners[i]];
        loose[c->corners[i]] = false;
    }
    c->b.loose = loose;
    if (!pliant__cut_quads(&c->b, &c->surface, grid ? c->def->cells_x : 0)) return false;
    c->triangles = pliant__take(&c->b, 3 * (uint64_t)c->surface.cut_count, sizeof *c->triangles, "triangles");
    if (!c->triangles) return false;
    for (size_t i = 0; i < 3 * c->surface.cut_count; i++) c->triangles[i] = c->corners[c->surface.cut[i]];
    return true;
}

static double area(pliant_vec3 p, pliant_vec3 q, pliant_vec3 r)
{
    const double a[3] = {(double)q.x - (double)p.x, (double)q.y - (double)p.y, (double)q.z - (double)p.z};
    const double b[3] = {(double)r.x - (double)p.x, (double)r.y - (double)p.y, (double)r.z - (double)p.z};
    const double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
}

/* A third of each triangle to each of its corners. */
static void share_area(cloth *c)
{
    for (size_t i = 0; i < c->surface.cut_count; i++) {
        const uint32_t *t = c->triangles + 3 * i;
        const double    share = area(c->b.x[t[0]], c->b.x[t[1]], c->b.x[t[2]]) / 3;
        for (int k = 0; k < 3; k++) c->b.extent[t[k]] += share;
    }
}

/* Faces without area are kept where they join others. A vertex that has no other faces would be without mass: its flat faces are left out, and no
 * face uses it then. */
static bool drop_massless(cloth *c)
{
    const pliant__faces *f = &c->surface.faces;
    const size_t         faces = f->triangle_count + f->quad_count;
    bool                *gone = pliant__take(&c->b, faces, sizeof *gone, "faces");
    uint32_t             count = 0;
    if (!gone) return false;
    for (size_t i = 0; i < pliant__corner_count(f); i++) {
        const size_t face = i < 3 * f->triangle_count ? i / 3 : f->triangle_count + (i - 3 * f->triangle_count) / 4;
        if (c->b.extent[c->corners[i]] > 0 || gone[face]) continue;
        gone[face] = true;
        count++;
    }
    if (!count || count == faces || c->b.def->masses) return true;
    c->b.body.mended.flat += count;
    if (!pliant__take_out_faces(&c->b, &c->surface, gone) || !map_corners(c)) return false;
    memset(c->b.extent, 0, c->b.particle_count * sizeof *c->b.extent);
    share_area(c);
    return true;
}

/* ---- constraints ---- */

/* The lists of particles that bend: pairs, or hinges. */
static bool find_bends(cloth *c, const pliant__sides *sides, pliant__list *out)
{
    pliant__builder    *b = &c->b;
    const pliant__faces cut = {c->triangles, c->surface.cut_count, 0};
    pliant__sides       cut_sides;
    if (c->def->bend == PLIANT_BEND_NONE || (c->def->bend == PLIANT_BEND_ISOMETRIC && b->cell[0] != 0))
        return true; /* a grid has lines and quads */
    if (c->def->bend == PLIANT_BEND_DISTANCE) return pliant__find_across(b, sides, out);
    if (!pliant__find_sides(b, &cut, &cut_sides) || !pliant__find_hinges(b, &cut_sides, out)) return false;
    pliant__give_back(b, cut_sides.data);
    return true;
}

/* Warp's direction as the cloth is placed; 0: by texture coordinates, which are not written out where there is no texture. */
static bool build_weave(cloth *c, pliant__fabric *f)
{
    pliant__builder    *b = &c->b;
    const pliant_vec3   warp = quat_rotate(b->placement.rotation, v3_mul(c->def->warp, b->placement.scale));
    double             *threads = b->cell[0] != 0 ? NULL : pliant__take(b, b->particle_count, 6 * sizeof *threads, "threads");
    const pliant__weave weave = {warp, &c->surface, threads};
    f->threads = threads;
    if (!threads && b->cell[0] == 0) return false;
    return pliant__build_sheet(b, c->triangles, c->surface.cut_count, &weave);
}

static bool build_constraints(cloth *c)
{
    pliant__builder       *b = &c->b;
    const pliant_material *m = &c->def->material;
    const size_t           areas = m->has_area ? c->surface.cut_count : 0;
    const pliant_real      tether = c->def->untethered || c->def->tear.stretch > 0 ? -1 : c->def->tether;
    pliant__fabric f = {.faces = {c->corners, c->surface.faces.triangle_count, c->surface.faces.quad_count}, .triangles = c->triangles};
    pliant__sides  sides;
    if (c->def->model == PLIANT_CLOTH_SHAPE) return true;
    f.bend = c->def->bend == PLIANT_BEND_DISTANCE    ? PLIANT_CONSTRAINT_DISTANCE
             : c->def->bend == PLIANT_BEND_ISOMETRIC ? PLIANT_CONSTRAINT_ISOMETRIC_BENDING
                                                     : PLIANT_CONSTRAINT_DIHEDRAL_ANGLE;
    if (!pliant__find_sides(b, &f.faces, &sides) || !pliant__find_edges(b, &sides, &f.edges) ||
        !pliant__find_diagonals(b, &sides, &f.diagonals) || !find_bends(c, &sides, &f.bends))
        return false;
    pliant__give_back(b, sides.data);
    const size_t lines_and_quads = c->def->bend == PLIANT_BEND_ISOMETRIC && b->cell[0] != 0 ? 3 * f.faces.quad_count : 0;
    const bool   woven = c->def->model != PLIANT_CLOTH_DISTANCE;
    const size_t flat = woven ? c->surface.cut_count : f.edges.count + f.diagonals.count;
    return pliant__reserve_constraints(b, flat + f.bends.count + lines_and_quads + areas) &&
           (woven ? build_weave(c, &f) : pliant__build_fabric(b, &f)) && pliant__build_fabric_bends(b, &f) &&
           pliant__build_constraints(b, PLIANT_CONSTRAINT_TRIANGLE_AREA, "area", &m->area, c->triangles, areas) &&
           pliant__build_tether_edges(b, tether, f.edges.data, f.edges.count) &&
           (!pliant__is_fabric_rigid_in_shear(m) || pliant__build_tether_edges(b, tether, f.diagonals.data, f.diagonals.count));
}

/* Texture coordinates are written out with a texture only. */
static bool build_faces(cloth *c)
{
    if (c->b.body.picture == PLIANT__NONE) c->surface.uvs = NULL;
    return (!(c->def->tear.stretch > 0) || pliant__cut_faces(&c->b, &c->surface)) && pliant__build_faces(&c->b, &c->surface);
}

static bool check_tear(const cloth *c)
{
    const pliant_cloth_def *def = c->def;
    if (!pliant__check_tear(&def->tear, &def->body, c->b.error) || !(def->tear.stretch > 0)) return def->tear.stretch == 0;
    if (def->model != PLIANT_CLOTH_STRAIN && def->model != PLIANT_CLOTH_STVK)
        return pliant__fail(c->b.error, PLIANT_ERROR_ARGUMENT, "only cloth of the models strain and stvk tears");
    if (def->tether > 0)
        return pliant__fail(c->b.error, PLIANT_ERROR_ARGUMENT, "a body that tears has no tethers, which would hold what is torn off");
    if (def->material.has_area) return pliant__fail(c->b.error, PLIANT_ERROR_ARGUMENT, "a body that tears has no area of the material's");
    return true;
}

/* A mesh of a model with threads says where warp runs. */
static bool check_warp(cloth *c)
{
    const pliant_cloth_def *def = c->def;
    const bool              said = v3_dot(def->warp, def->warp) > 0, grid = !def->mesh.positions;
    const bool              woven = def->model != PLIANT_CLOTH_DISTANCE && def->model != PLIANT_CLOTH_SHAPE;
    if (!v3_finite(def->warp)) return pliant__fail(c->b.error, PLIANT_ERROR_ARGUMENT, "warp is not a finite vector");
    if (said && (grid || !woven))
        return pliant__fail(c->b.error, PLIANT_ERROR_ARGUMENT, "warp is said of a mesh in the models strain and stvk%s",
                            grid ? "; a grid's warp runs along its x" : "");
    c->b.lays_out = woven && !said;
    if (grid || !woven || said || def->mesh.uvs) return true;
    return pliant__fail(c->b.error, PLIANT_ERROR_ARGUMENT,
                        "a mesh without texture coordinates does not say where warp runs: give warp, a direction of the mesh");
}

static bool build(cloth *c)
{
    const pliant_cloth_def *def = c->def;
    const pliant_mesh_view *mesh = &def->mesh;
    if (!pliant__check_choice((int)def->bend, PLIANT_BEND_ISOMETRIC + 1, "bend", c->b.error) ||
        !pliant__check_not_negative(def->tether, "tether", c->b.error) ||
        !pliant__check_not_negative(def->weld_distance, "weld_distance", c->b.error) ||
        !pliant__check_choice((int)def->model, PLIANT_CLOTH_COUNT, "model", c->b.error) ||
        !pliant__check_cloth(&def->material, def->model, c->b.error) || !check_warp(c) || !check_tear(c))
        return false;
    c->b.body.cloth_model = def->model;
    const bool from_mesh = mesh->positions || mesh->vertex_count || mesh->triangle_count || mesh->quad_count;
    if (from_mesh && !has_room(c, mesh->triangle_count, mesh->quad_count)) return false;
    if (!(from_mesh ? pliant__read_surface(&c->b, mesh, "the mesh", &c->surface) : make_grid(c))) return false;
    if (!number_particles(c) || (from_mesh && !pliant__clean_surface(&c->b, &c->surface, c->particle_of, true)) || !map_corners(c))
        return false;
    share_area(c);
    return (!from_mesh || drop_massless(c)) && pliant__build_particles(&c->b, c->particle_of, c->surface.vertex_count) &&
           pliant__build_triangles(&c->b, c->triangles, c->surface.cut_count) && build_constraints(c) && build_faces(c) &&
           pliant__build_spares(&c->b, &def->tear);
}

pliant_body pliant_scene_add_cloth(pliant_scene *scene, const pliant_cloth_def *def, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    const pliant_body none = {0};
    cloth             c;
    memset(&c, 0, sizeof c);
    c.def = def;
    if (!pliant__check_call(scene, def, error) ||
        !pliant__check_size(def->size, sizeof *def, "pliant_cloth_def", "pliant_cloth_def_default", error))
        return none;
    bool ok = pliant__builder_begin(&c.b, scene, &def->body, &def->material, PLIANT_BODY_CLOTH, error) && build(&c);
    return pliant__builder_end(&c.b, ok);
}
