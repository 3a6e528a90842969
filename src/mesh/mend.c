/* Mending, one kind of trouble after another, in this order:
 *
 *   scale, weld, take out what has no area or is there twice, move the long edges of slivers, turn, fill holes, take out unused vertices
 *
 * Troubles without a clear remedy (more than two faces at an edge, faces that cut through each other) stay as they are. */
#include "mesh/mend.h"

#include "base/float_env.h"

#define ROUNDS 16

pliant_mend_def pliant_mend_def_default(void)
{
    pliant_mend_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.scale = 1;
    def.hole_edges = 64;
    return def;
}

static uint32_t triangle_count(const pliant__patient *p) { return (uint32_t)(p->corners.count / 3); }

/* ---- in and out ---- */

static bool admit(pliant__patient *p, const pliant_mesh *mesh)
{
    bool ok = array_reserve(NULL, &p->corners, 3 * mesh->triangle_count + 6 * mesh->quad_count + 1) &&
              array_reserve(NULL, &p->quads, mesh->triangle_count + 2 * mesh->quad_count + 1);
    p->vertex_count = mesh->vertex_count;
    p->positions = pliant__scratch_take(&p->s, 3 * mesh->vertex_count, sizeof *p->positions, "vertices");
    if (!ok) pliant__fail_memory(p->s.error, 12 * mesh->triangle_count, "the mesh");
    if (!ok || !p->positions) return false;
    for (size_t i = 0; i < 3 * mesh->vertex_count; i++) p->positions[i] = (pliant_real)((double)mesh->positions[i] * p->def.scale);
    if (mesh->triangle_count) memcpy(p->corners.data, mesh->triangles, 3 * mesh->triangle_count * sizeof *p->corners.data);
    p->corners.count = 3 * mesh->triangle_count;
    p->quads.count = mesh->triangle_count;
    for (size_t q = 0; q < mesh->quad_count; q++)
        for (size_t k = 0; k < 6; k++) {
            if (k % 3 == 0) p->quads.data[p->quads.count++] = (uint32_t)q + 1;
            p->corners.data[p->corners.count++] = mesh->quads[4 * q + (k < 3 ? k : k == 3 ? 0 : k - 2)];
        }
    return true;
}

/* Whether this triangle and the next are still the two halves of a quad; its corners then. */
static bool is_quad(const pliant__patient *p, uint32_t i, uint32_t quad[4])
{
    if (!p->quads.data[i] || i + 1 >= triangle_count(p) || p->quads.data[i + 1] != p->quads.data[i]) return false;
    const uint32_t *a = p->corners.data + 3 * (size_t)i, *b = a + 3;
    for (int k = 0; k < 3; k++) /* the side of a that b has the other way */
        for (int l = 0; l < 3; l++)
            if (a[k] == b[(l + 1) % 3] && a[(k + 1) % 3] == b[l]) {
                quad[0] = a[(k + 1) % 3];
                quad[1] = a[(k + 2) % 3];
                quad[2] = a[k];
                quad[3] = b[(l + 2) % 3];
                return quad[3] != quad[1];
            }
    return false;
}

static bool discharge(pliant__patient *p, pliant_mesh *mesh)
{
    const uint32_t n = triangle_count(p);
    uint32_t      *number = pliant__scratch_take(&p->s, p->vertex_count, sizeof *number, "vertices");
    pliant_mesh    out = {0};
    out.triangles = pliant__alloc_array(NULL, 3 * (size_t)n, sizeof *out.triangles);
    out.quads = pliant__alloc_array(NULL, 4 * (size_t)n, sizeof *out.quads);
    out.positions = pliant__alloc_array(NULL, 3 * p->vertex_count, sizeof *out.positions);
    if (!number || !out.triangles || !out.quads || !out.positions) {
        pliant_mesh_free(&out);
        return pliant__fail_memory(p->s.error, 12 * (size_t)n, "the mesh");
    }
    for (size_t i = 0; i < p->corners.count; i++) number[p->corners.data[i]] = 1;
    for (size_t v = 0; v < p->vertex_count; v++) {
        if (!number[v]) continue;
        memcpy(out.positions + 3 * out.vertex_count, p->positions + 3 * v, 3 * sizeof *out.positions);
        number[v] = (uint32_t)out.vertex_count++;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t quad[4];
        if (is_quad(p, i, quad)) {
            for (int k = 0; k < 4; k++) out.quads[4 * out.quad_count + (size_t)k] = number[quad[k]];
            out.quad_count++;
            i++;
            continue;
        }
        for (size_t k = 0; k < 3; k++) out.triangles[3 * out.triangle_count + k] = number[p->corners.data[3 * (size_t)i + k]];
        out.triangle_count++;
    }
    p->done.unused = p->vertex_count - out.vertex_count - p->done.welded;
    pliant_mesh_free(mesh);
    *mesh = out;
    return true;
}

/* Takes out the triangles that are marked. */
static void take_out(pliant__patient *p, const bool *gone)
{
    size_t left = 0;
    for (uint32_t i = 0; i < p->quads.count; i++) {
        if (gone[i]) continue;
        memmove(p->corners.data + 3 * left, p->corners.data + 3 * (size_t)i, 3 * sizeof *p->corners.data);
        p->quads.data[left++] = p->quads.data[i];
    }
    p->quads.count = left;
    p->corners.count = 3 * left;
}

/* ---- vertices ---- */

static bool weld(pliant__patient *p)
{
    const int         mark = p->s.count;
    pliant__triangles t;
    uint32_t         *first = pliant__scratch_take(&p->s, p->vertex_count, sizeof *first, "vertices");
    if (!first || !pliant__patient_triangles(p, &t) || !pliant__find_near(&p->s, &t, PLIANT__NEAR * pliant__diagonal(&t), first))
        return false;
    for (uint32_t v = 0; v < p->vertex_count; v++) p->done.welded += t.used[v] && first[v] != v;
    for (size_t i = 0; i < p->corners.count; i++) p->corners.data[i] = first[p->corners.data[i]];
    pliant__scratch_drop(&p->s, mark);
    return true;
}

/* ---- faces ---- */

static bool drop_faces(pliant__patient *p)
{
    const int      mark = p->s.count;
    const uint32_t n = triangle_count(p);
    uint32_t      *first = pliant__scratch_take(&p->s, n, sizeof *first, "faces");
    bool          *gone = pliant__scratch_take(&p->s, n, sizeof *gone, "faces");
    if (!first || !gone || !pliant__find_equal(&p->s, p->corners.data, 3, n, first)) return false;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *v = p->corners.data + 3 * (size_t)i;
        const bool      folded = v[0] == v[1] || v[1] == v[2] || v[2] == v[0];
        gone[i] = folded || first[i] != i;
        p->done.removed += folded;
        p->done.duplicates += !folded && first[i] != i;
    }
    take_out(p, gone);
    pliant__scratch_drop(&p->s, mark);
    return true;
}

static double narrowness_of(const pliant__triangles *t, uint32_t a, uint32_t b, uint32_t c)
{
    return pliant__narrowness(t->x[a], t->x[b], t->x[c]);
}

/* The corner at which the longest side of a triangle begins. */
static uint32_t longest_side(const pliant__triangles *t, uint32_t i)
{
    uint32_t best = 0;
    double   length = -1;
    for (uint32_t k = 0; k < 3; k++) {
        const double l = p_distance(pliant__corner(t, i, k), pliant__corner(t, i, (k + 1) % 3));
        if (l > length) length = l, best = k;
    }
    return best;
}

/* c A sliver a b c with its long side a b in the triangle b a d, too: the side from c to d takes its place, where the
 *   a-----b         worse of the two triangles is then better than it was.
 *      d      */
static bool move_edge(pliant__patient *p, const pliant__triangles *t, uint32_t side, uint32_t other)
{
    uint32_t      *one = p->corners.data + 3 * (size_t)(side / 3), *two = p->corners.data + 3 * (size_t)(other / 3);
    const uint32_t a = one[side % 3], b = one[(side + 1) % 3], c = one[(side + 2) % 3], d = two[(other + 2) % 3];
    if (two[other % 3] != b || two[(other + 1) % 3] != a || c == d) return false; /* turned differently */
    const double before = p_min(narrowness_of(t, a, b, c), narrowness_of(t, b, a, d));
    const double after = p_min(narrowness_of(t, c, a, d), narrowness_of(t, c, d, b));
    if (!(after > before) || after < PLIANT__DEGENERATE) return false;
    one[0] = c, one[1] = a, one[2] = d;
    two[0] = c, two[1] = d, two[2] = b;
    p->quads.data[side / 3] = p->quads.data[other / 3] = 0;
    return true;
}

static bool has_side(const pliant__key *sides, size_t count, uint32_t a, uint32_t b)
{
    const uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    const size_t   at = pliant__find_key(sides, count, key);
    return at < count && sides[at].key == key;
}

/* One round: no triangle is changed twice. Returns how many edges moved, or -1. */
static int64_t move_edges(pliant__patient *p)
{
    const int         mark = p->s.count;
    int64_t           moved = 0;
    size_t            count;
    pliant__triangles t;
    if (!pliant__patient_triangles(p, &t)) return -1;
    pliant__key *sides = pliant__find_mesh_sides(&p->s, &t, NULL, &count);
    uint32_t    *partner = pliant__scratch_take(&p->s, 3 * (size_t)t.count, sizeof *partner, "edges");
    bool        *busy = pliant__scratch_take(&p->s, t.count, sizeof *busy, "edges");
    if (!sides || !partner || !busy) return -1;
    memset(partner, 0xff, 3 * (size_t)t.count * sizeof *partner);
    for (size_t i = 0, end; i < count; i = end) {
        end = pliant__run_end(sides, i, count);
        if (end - i == 2) partner[sides[i].value] = sides[i + 1].value, partner[sides[i + 1].value] = sides[i].value;
    }
    for (uint32_t i = 0; i < t.count; i++) {
        if (pliant__narrowness(pliant__corner(&t, i, 0), pliant__corner(&t, i, 1), pliant__corner(&t, i, 2)) >= PLIANT__SLIVER) continue;
        const uint32_t side = 3 * i + longest_side(&t, i), other = partner[side];
        if (other == UINT32_MAX || busy[i] || busy[other / 3]) continue;
        const uint32_t c = t.corners[3 * i + (side + 2) % 3], d = t.corners[other / 3 * 3 + (other + 2) % 3];
        if (has_side(sides, count, t.place[c], t.place[d]) || !move_edge(p, &t, side, other)) continue;
        busy[i] = busy[other / 3] = true;
        moved++;
    }
    pliant__scratch_drop(&p->s, mark);
    return moved;
}

static bool move_slivers(pliant__patient *p)
{
    for (int64_t round = 0, moved = 1; moved && round < ROUNDS; round++) {
        moved = move_edges(p);
        if (moved < 0) return false;
        p->done.moved += (uint64_t)moved;
    }
    return true;
}

/* A triangle that has no area still, and no neighbour at its long side, is at a rim: it is taken out. */
static bool drop_flat(pliant__patient *p)
{
    const int         mark = p->s.count;
    pliant__triangles t;
    bool             *gone = pliant__scratch_take(&p->s, triangle_count(p), sizeof *gone, "faces");
    if (!gone || !pliant__patient_triangles(p, &t)) return false;
    for (uint32_t i = 0; i < t.count; i++) {
        gone[i] = pliant__narrowness(pliant__corner(&t, i, 0), pliant__corner(&t, i, 1), pliant__corner(&t, i, 2)) < PLIANT__DEGENERATE;
        p->done.removed += gone[i];
    }
    take_out(p, gone);
    pliant__scratch_drop(&p->s, mark);
    return true;
}

/* ---- sides ---- */

static bool turn(pliant__patient *p)
{
    const int         mark = p->s.count;
    pliant__triangles t;
    pliant__patches   patches;
    if (!pliant__patient_triangles(p, &t) || !pliant__find_patches(&p->s, &t, NULL, &patches)) return false;
    bool *inside_out = pliant__scratch_take(&p->s, (size_t)patches.count + 1, sizeof *inside_out, "patches");
    if (!inside_out || !pliant__find_inside_out(&p->s, &t, &patches, inside_out)) return false;
    for (uint32_t i = 0; i < patches.count; i++) p->done.parts += inside_out[i];
    for (uint32_t i = 0; i < t.count; i++) {
        p->done.turned += patches.turned[i];
        if (patches.turned[i] == (patches.patch[i] < patches.count && inside_out[patches.patch[i]])) continue;
        uint32_t *v = p->corners.data + 3 * (size_t)i, swap = v[1];
        v[1] = v[2];
        v[2] = swap;
    }
    pliant__scratch_drop(&p->s, mark);
    return true;
}

/* ---- the whole of mending ---- */

static bool mend(pliant__patient *p)
{
    if (!weld(p) || !drop_faces(p)) return false;
    if (!triangle_count(p)) return pliant__fail(p->s.error, PLIANT_ERROR_INPUT, "no face has an area: there is nothing to mend");
    if (!turn(p)) return false; /* so that edges can be moved */
    if (!move_slivers(p) || !drop_flat(p)) return false;
    if (!triangle_count(p)) return pliant__fail(p->s.error, PLIANT_ERROR_INPUT, "no face has an area: there is nothing to mend");
    const pliant_mending before = p->done;
    if (!pliant__fill_holes(p) || !turn(p) || !move_slivers(p)) return false; /* parts that are closed now have an inside */
    p->done.turned = before.turned;
    return true;
}

static bool mend_mesh(pliant_mesh *mesh, const pliant_mend_def *given, pliant_mending *done, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    pliant__patient p = {.def = given ? *given : pliant_mend_def_default()};
    p.s.error = error;
    if (!mesh || p.def.size != sizeof p.def || !(p.def.scale > 0) || !(p.def.scale < 1e30) || p.def.hole_edges > 1000)
        return pliant__fail(
            error, PLIANT_ERROR_ARGUMENT,
            "mending needs a mesh, and a def from pliant_mend_def_default with a scale above 0 and holes of up to 1000 edges");
    const pliant_mesh_view view = pliant_mesh_view_from(mesh);
    pliant__triangles      t;
    bool                   ok = pliant__triangles_take(&p.s, &view, &t); /* this checks the mesh */
    pliant__scratch_drop(&p.s, 0);
    ok = ok && admit(&p, mesh) && mend(&p) && discharge(&p, mesh);
    if (ok && done) *done = p.done;
    array_free(NULL, &p.corners);
    array_free(NULL, &p.quads);
    pliant__scratch_drop(&p.s, 0);
    return ok;
}

pliant_code pliant_mesh_mend(pliant_mesh *mesh, const pliant_mend_def *given, pliant_mending *done, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(mend_mesh(mesh, given, done, &why), &why, error);
}
