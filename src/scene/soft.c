/* Soft bodies: a lattice or a tetrahedral mesh becomes particles, a distance along every edge, and a volume per tetrahedron.
 *
 * A cube of the lattice is cut into five tetrahedra, one at each of four corners that share no side, and one in the middle between them. Which
 * four takes turns, as the colours of a chessboard do: neighbours then fit together, and each vertex has as much on one side of it as on the
 * opposite one, so that the lattice has no grain (decision 0022).
 *
 *      6---7
 *     /|  /|     x to the right, y into the page, z up
 *    4---5 |     even cubes: corners 0 3 5 6 are cut off, between them 1 2 4 7
 *    | 2-|-3     odd cubes:  corners 1 2 4 7 are cut off, between them 0 3 5 6
 *    |/  |/
 *    0---1
 *
 * A mirrored placement (negative scale) turns every tetrahedron, so they are turned back. A vertex that no tetrahedron uses is an anchor: it
 * keeps its number and its place, and takes part in nothing. Tetrahedra without volume, and those that are there twice, are left out. */
#include "scene/embed.h"

#include "base/float_env.h"
#include "scene/elastic.h"
#include "scene/surface.h"
#include "scene/tetrahedron.h"
#include "surface/equal.h"

pliant_soft_def pliant_soft_def_default(void)
{
    pliant_soft_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.body = pliant__body_def_default();
    def.material = pliant_material_default();
    def.cells[0] = def.cells[1] = def.cells[2] = 4;
    def.extent = v3(1, 1, 1);
    def.model = PLIANT_SOLID_BY_MATERIAL;
    def.tear.spare = (pliant_real)0.25;
    return def;
}

typedef struct soft {
    pliant__builder        b;
    const pliant_soft_def *def;
    uint32_t              *tets;
    size_t                 tet_count;
    size_t                 flat_count; /* tetrahedra without volume, behind the others */
} soft;

static bool take(soft *s, uint64_t vertices, uint64_t tets)
{
    pliant__builder *b = &s->b;
    if (!pliant__fits(0, vertices, "vertices", b->error) ||
        !pliant__fits(0, tets > PLIANT__LIMIT ? tets : 6 * tets, "edges of tetrahedra", b->error) ||
        !pliant__has_room(b, vertices, 2 * tets)) /* a volume each, and more edges than there are of them */
        return false;
    b->particle_count = (uint32_t)vertices;
    s->tet_count = (size_t)tets;
    b->x = pliant__take(b, vertices, sizeof *b->x, "positions");
    b->extent = pliant__take(b, vertices, sizeof *b->extent, "masses");
    s->tets = pliant__take(b, 4 * tets, sizeof *s->tets, "tetrahedra");
    return b->x && b->extent && s->tets;
}

/* ---- the lattice ---- */

/* Corners, bit 0 x, bit 1 y, bit 2 z, of even and of odd cubes; volumes are positive. */
static const uint8_t cuts[2][5][4] = {{{0, 1, 2, 4}, {3, 1, 7, 2}, {5, 1, 4, 7}, {6, 2, 7, 4}, {1, 2, 4, 7}},
                                      {{1, 0, 5, 3}, {2, 0, 3, 6}, {4, 0, 6, 5}, {7, 3, 5, 6}, {0, 3, 6, 5}}};
enum { TETS_PER_CUBE = 5 };

static void cut_cubes(soft *s)
{
    const uint32_t *n = s->def->cells;
    const size_t    row = (size_t)n[0] + 1, layer = row * ((size_t)n[1] + 1);
    uint32_t       *out = s->tets;
    for (size_t k = 0; k < n[2]; k++)
        for (size_t j = 0; j < n[1]; j++)
            for (size_t i = 0; i < n[0]; i++)
                for (int t = 0; t < TETS_PER_CUBE; t++)
                    for (int c = 0; c < 4; c++) {
                        const size_t corner = cuts[(i + j + k) & 1][t][c];
                        *out++ = (uint32_t)((k + (corner >> 2)) * layer + (j + (corner >> 1 & 1)) * row + i + (corner & 1));
                    }
}

static bool make_lattice(soft *s)
{
    const uint32_t   *n = s->def->cells;
    const pliant_vec3 e = s->def->extent;
    for (int k = 0; k < 3; k++)
        if (!n[k] || n[k] > 1u << 20)
            return pliant__fail(s->b.error, PLIANT_ERROR_ARGUMENT, "a lattice needs from 1 to 1048576 cells along %c, not %u", "xyz"[k],
                                n[k]);
    const uint64_t row = n[0] + 1u, layer = row * (n[1] + 1u), count = layer * (n[2] + 1u);
    if (!pliant__check_positive(e.x, "extent.x", s->b.error) || !pliant__check_positive(e.y, "extent.y", s->b.error) ||
        !pliant__check_positive(e.z, "extent.z", s->b.error) || !take(s, count, (uint64_t)n[0] * n[1] * n[2] * TETS_PER_CUBE))
        return false;
    for (uint64_t v = 0; v < count; v++) {
        const uint64_t at[3] = {v % row, v / row % (n[1] + 1u), v / layer};
        double         c[3]; /* from -1/2 to 1/2, and mirrors to the bit */
        for (int k = 0; k < 3; k++) c[k] = (2 * (double)at[k] - (double)n[k]) / (2 * (double)n[k]);
        s->b.x[v] = v3((pliant_real)(c[0] * (double)e.x), (pliant_real)(c[1] * (double)e.y), (pliant_real)(c[2] * (double)e.z));
    }
    cut_cubes(s);
    const pliant_vec3 scale = s->b.placement.scale;
    const double      sides[3] = {(double)e.x * (double)scale.x, (double)e.y * (double)scale.y, (double)e.z * (double)scale.z};
    for (int k = 0; k < 3; k++) {
        s->b.body.grid[k] = n[k] + 1;
        s->b.cell[k] = sides[k] / n[k];
    }
    return true;
}

/* ---- the mesh ---- */

/* Takes out the tetrahedra that are marked. */
static void take_out(soft *s, const bool *gone)
{
    size_t left = 0;
    for (size_t i = 0; i < s->tet_count; i++)
        if (!gone[i]) memmove(s->tets + 4 * left++, s->tets + 4 * i, 4 * sizeof *s->tets);
    s->tet_count = left;
}

/* Marks the tetrahedra that have a vertex twice. */
static bool drop_folded(soft *s)
{
    size_t folded = 0;
    bool  *gone = pliant__take(&s->b, s->tet_count, sizeof *gone, "tetrahedra");
    if (!gone) return false;
    for (size_t i = 0; i < s->tet_count; i++) {
        for (size_t k = 1; k < 4; k++)
            for (size_t l = 0; l < k; l++) gone[i] = gone[i] || s->tets[4 * i + k] == s->tets[4 * i + l];
        folded += gone[i];
    }
    for (size_t k = 1; k < 4 && folded == s->tet_count; k++)
        for (size_t l = 0; l < k; l++)
            if (s->tets[k] == s->tets[l])
                return pliant__fail(s->b.error, PLIANT_ERROR_ARGUMENT,
                                    "nothing is left of it: tetrahedron 0 uses vertex %u twice, and each other one does so too",
                                    s->tets[k]);
    take_out(s, gone);
    s->b.body.mended.flat += (uint32_t)folded;
    return true;
}

static bool drop_doubled(soft *s)
{
    pliant__scratch scratch = {.allocator = &s->b.scene->allocator, .error = s->b.error};
    uint32_t       *first = pliant__scratch_take(&scratch, s->tet_count, sizeof *first, "tetrahedra");
    bool           *gone = pliant__scratch_take(&scratch, s->tet_count, sizeof *gone, "tetrahedra");
    const bool      ok = first && gone && pliant__find_equal(&scratch, s->tets, 4, s->tet_count, first);
    for (size_t i = 0; ok && i < s->tet_count; i++) {
        gone[i] = first[i] != i;
        s->b.body.mended.doubled += gone[i];
    }
    if (ok) take_out(s, gone);
    pliant__scratch_drop(&scratch, 0);
    return ok;
}

static bool read_tets(soft *s)
{
    const pliant_tet_view *mesh = &s->def->mesh;
    if (!mesh->positions || !mesh->vertex_count) return pliant__fail(s->b.error, PLIANT_ERROR_ARGUMENT, "the mesh has no vertices");
    if (!mesh->tetrahedra || !mesh->tetrahedron_count) return pliant__fail(s->b.error, PLIANT_ERROR_ARGUMENT, "the mesh has no tetrahedra");
    if (!take(s, mesh->vertex_count, mesh->tetrahedron_count) ||
        !pliant__read_positions(&s->b, mesh->positions, mesh->stride, mesh->vertex_count, "the mesh", s->b.x))
        return false;
    for (size_t i = 0; i < 4 * s->tet_count; i++) {
        const uint32_t v = s->tets[i] = mesh->tetrahedra[i];
        if (v >= s->b.particle_count)
            return pliant__fail(s->b.error, PLIANT_ERROR_ARGUMENT, "tetrahedron %zu uses vertex %u of a mesh with %u vertices", i / 4, v,
                                s->b.particle_count);
    }
    return drop_folded(s) && drop_doubled(s);
}

static void turn(uint32_t *tet)
{
    const uint32_t swap = tet[2];
    tet[2] = tet[3];
    tet[3] = swap;
}

/* Turns a tetrahedron to a positive volume; `*volume` gets its volume, or 0 if it is flat. False: it is refused. */
static bool check_volume(soft *s, size_t number, bool mirrored, double *volume)
{
    uint32_t *tet = s->tets + 4 * number;
    if (mirrored) turn(tet);
    const pliant_vec3 x[4] = {s->b.x[tet[0]], s->b.x[tet[1]], s->b.x[tet[2]], s->b.x[tet[3]]};
    *volume = pliant__volume6(x) / 6;
    if (*volume < 0 && !s->def->mend)
        return pliant__fail(s->b.error, PLIANT_ERROR_ARGUMENT, "tetrahedron %zu is inverted; turn it round or set mend", number);
    if (*volume < 0) turn(tet);
    const pliant_vec3 turned[4] = {s->b.x[tet[0]], s->b.x[tet[1]], s->b.x[tet[2]], s->b.x[tet[3]]};
    pliant_real       rest; /* which rounds in its own way */
    pliant__measure(PLIANT_CONSTRAINT_TET_VOLUME, turned, &rest);
    if (!r_finite(rest))
        return pliant__fail(s->b.error, PLIANT_ERROR_ARGUMENT, "tetrahedron %zu has a volume of %g, which is out of range", number,
                            (double)rest);
    *volume = !(rest > 0) ? 0 : *volume < 0 ? -*volume : *volume;
    return true;
}

/* Puts tetrahedra without volume behind the others. */
static bool check_volumes(soft *s)
{
    const pliant_vec3 scale = s->b.placement.scale;
    const bool        mirrored = ((scale.x < 0) + (scale.y < 0) + (scale.z < 0)) & 1;
    uint32_t         *flat = pliant__take(&s->b, 4 * (uint64_t)s->tet_count, sizeof *flat, "tetrahedra");
    size_t            left = 0;
    double            volume;
    if (!flat) return false;
    for (size_t i = 0; i < s->tet_count; i++) {
        const uint32_t *tet = s->tets + 4 * i;
        if (!check_volume(s, i, mirrored, &volume)) return false;
        for (int k = 0; k < 4; k++) s->b.extent[tet[k]] += volume / 4;
        memmove(volume > 0 ? s->tets + 4 * left++ : flat + 4 * s->flat_count++, tet, 4 * sizeof *tet);
    }
    if (!left)
        return pliant__fail(s->b.error, PLIANT_ERROR_ARGUMENT,
                            "nothing is left of it: tetrahedron 0 is flat, and each other one is so too");
    memcpy(s->tets + 4 * left, flat, 4 * s->flat_count * sizeof *flat);
    s->b.body.mended.flat += (uint32_t)s->flat_count;
    s->tet_count = left;
    return true;
}

/* A flat tetrahedron between others hides their faces, which are no boundary. A flat tetrahedron with a vertex of its own is left out. */
static void drop_outer_flat(soft *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->flat_count; i++) {
        const uint32_t *tet = s->tets + 4 * (s->tet_count + i);
        bool            outer = false;
        for (int k = 0; k < 4; k++) outer = outer || s->b.loose[tet[k]];
        if (!outer) memmove(s->tets + 4 * (s->tet_count + kept++), tet, 4 * sizeof *tet);
    }
    s->flat_count = kept;
}

static bool find_loose(soft *s)
{
    bool *loose = pliant__take(&s->b, s->b.particle_count, sizeof *loose, "particles");
    if (!loose) return false;
    memset(loose, true, s->b.particle_count * sizeof *loose);
    for (size_t i = 0; i < 4 * s->tet_count; i++) loose[s->tets[i]] = false;
    s->b.loose = loose;
    drop_outer_flat(s);
    return true;
}

/* ---- surfaces ---- */

/* Faces of a visual surface that have a vertex twice are left out. Doubled faces stay: a surface to look at may have two sides. */
static bool clean_visual(soft *s, pliant__surface *visual)
{
    pliant_mended *m = &s->b.body.mended;
    const uint32_t flat = m->flat;
    const bool     ok = pliant__clean_surface(&s->b, visual, NULL, false);
    m->visual = m->flat - flat;
    m->flat = flat;
    return ok;
}

/* A visual surface rides on the tetrahedra and is written out in place of the boundary. Both were placed alike. */
static bool build_visual(soft *s)
{
    pliant__builder *b = &s->b;
    pliant__surface  visual;
    if (!pliant__read_surface(b, &s->def->visual, "the visual surface", &visual) || !clean_visual(s, &visual) ||
        !pliant__place(b, visual.x, visual.vertex_count) || !pliant__cut_quads(b, &visual, 0) || !pliant__build_faces(b, &visual) ||
        !pliant__fits(b->scene->embeddings.count, visual.vertex_count, "vertices of visual surfaces", b->error))
        return false;
    pliant__embedding *out = array_extend(&b->scene->allocator, &b->scene->embeddings, visual.vertex_count);
    if (!out) return pliant__fail_memory(b->error, visual.vertex_count * sizeof *out, "the visual surface");
    b->body.embedding_count = visual.vertex_count;
    if (!pliant__embed(b, b->x, s->tets, s->tet_count, visual.x, visual.vertex_count, out)) return false;
    for (uint32_t i = 0; i < visual.vertex_count; i++)
        for (int k = 0; k < 4; k++) out[i].particles[k] += b->body.first_particle;
    return true;
}

static bool build_surface(soft *s)
{
    pliant__builder *b = &s->b;
    pliant__list     boundary;
    if (!pliant__find_boundary(b, s->tets, s->tet_count + s->flat_count, &boundary) ||
        !pliant__build_triangles(b, boundary.data, boundary.count))
        return false;
    const pliant_mesh_view *v = &s->def->visual;
    if (v->positions || v->vertex_count || v->triangle_count || v->quad_count) return build_visual(s);
    pliant__surface surface = {.corners = boundary.data, .faces = {boundary.data, boundary.count, 0}};
    return pliant__cut_quads(b, &surface, 0) && pliant__build_faces(b, &surface);
}

static bool build_rows(soft *s)
{
    pliant__builder *b = &s->b;
    pliant__list     edges;
    if (b->body.model == PLIANT_SOLID_SHAPE) return true;
    if (b->body.model != PLIANT_SOLID_DISTANCE)
        return pliant__reserve_constraints(b, s->tet_count) && pliant__build_solid(b, s->tets, s->tet_count);
    return pliant__find_tet_edges(b, s->tets, s->tet_count, &edges) && pliant__reserve_constraints(b, edges.count + s->tet_count) &&
           pliant__build_elastic(b, &edges, s->tets, s->tet_count);
}

/* ---- tearing ---- */

static bool check_tear(const soft *s)
{
    const pliant_soft_def  *def = s->def;
    const pliant_mesh_view *v = &def->visual;
    if (!pliant__check_tear(&def->tear, &def->body, s->b.error) || !(def->tear.stretch > 0)) return def->tear.stretch == 0;
    if (pliant__solid_kind(s->b.body.model) == PLIANT_CONSTRAINT_COUNT)
        return pliant__fail(s->b.error, PLIANT_ERROR_ARGUMENT,
                            "only soft bodies of the models neo_hookean, corotated, stvk and strain tear");
    if (v->positions || v->vertex_count || v->triangle_count || v->quad_count)
        return pliant__fail(s->b.error, PLIANT_ERROR_ARGUMENT, "a body that tears has no visual surface, which would not come apart");
    return true;
}

/* Particles and faces that stand by. A flat tetrahedron has no row, so nothing would say which side of a gap its corners are on. */
static bool build_spares(soft *s)
{
    pliant__builder *b = &s->b;
    if (!(s->def->tear.stretch > 0)) return true;
    if (s->flat_count)
        return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "a body that tears has no flat tetrahedra; the mesh has %zu", s->flat_count);
    return pliant__build_spares(b, &s->def->tear) && pliant__build_spare_faces(b, 4 * (uint64_t)s->tet_count - b->body.face_count);
}

static bool build(soft *s)
{
    pliant__builder       *b = &s->b;
    const pliant_soft_def *def = s->def;
    const pliant_tet_view *mesh = &def->mesh;
    const bool             from_mesh = mesh->positions || mesh->vertex_count || mesh->tetrahedron_count;
    if (!pliant__check_choice((int)def->model, PLIANT_SOLID_COUNT, "model", b->error)) return false;
    b->body.model = def->model == PLIANT_SOLID_BY_MATERIAL ? pliant_material_solid_model(&def->material) : def->model;
    if (!pliant__check_solid(&def->material, b->body.model, b->error) || !check_tear(s)) return false;
    return (from_mesh ? read_tets(s) : make_lattice(s)) && pliant__place(b, b->x, b->particle_count) && check_volumes(s) && find_loose(s) &&
           pliant__build_particles(b, NULL, b->particle_count) && build_surface(s) && build_rows(s) && build_spares(s);
}

pliant_body pliant_scene_add_soft(pliant_scene *scene, const pliant_soft_def *def, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    const pliant_body none = {0};
    soft              s;
    memset(&s, 0, sizeof s);
    s.def = def;
    if (!pliant__check_call(scene, def, error) ||
        !pliant__check_size(def->size, sizeof *def, "pliant_soft_def", "pliant_soft_def_default", error))
        return none;
    bool ok = pliant__builder_begin(&s.b, scene, &def->body, &def->material, PLIANT_BODY_SOFT, error) && build(&s);
    return pliant__builder_end(&s.b, ok);
}
