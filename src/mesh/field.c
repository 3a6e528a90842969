/* Signed distances to a closed surface, on a grid.
 *
 * How far: to the nearest triangle, by a tree of boxes; the triangle of the point before is a good first guess. On which side: by the normal of the
 * nearest face, edge or corner; that of an edge is the sum of its two faces' normals, that of a corner the sum of its faces' normals, each as much as
 * its angle there. The sign of the product with it is right wherever the point is (Bærentzen and Aanæs 2005, Signed Distance Computation Using the
 * Angle Weighted Pseudonormal, theorem 1), if the surface is closed and does not cross itself.
 *
 * Where it does cross itself signs may be wrong. It shows: a distance does not change by more than a cell from one point to the next. There the winding
 * number tells instead, which changes at the surface only, wherever that is (Jacobson, Kavan and Sorkine-Hornung 2013). */
#include "base/float_env.h"
#include "base/hash.h"
#include "base/trig.h"
#include "mesh/examine.h"

#define MOST_VALUES ((uint64_t)1 << 28)

typedef struct making {
    pliant__scratch   s;
    pliant__triangles t;
    pliant__tree      tree;
    bool             *skip;   /* per triangle: two of its corners are at one place */
    pliant__point    *face;   /* per triangle: its normal, 1 long, or 0 if it has no area */
    pliant__point    *side;   /* per side 3 t + k, from corner k to the next */
    pliant__point    *corner; /* per place */
} making;

/* ---- closed, and turned outwards ---- */

static bool complain(making *m, const pliant__key *sides, size_t from, size_t count, const char *what)
{
    const uint32_t side = sides[from].value, *c = m->t.corners + (size_t)(side / 3) * 3;
    return pliant__fail(m->s.error, PLIANT_ERROR_INPUT, "the surface is not closed: %zu face%s at the edge between vertices %u and %u%s",
                        count, count == 1 ? "" : "s", c[side % 3], c[(side % 3 + 1) % 3], what);
}

static bool check_closed(making *m, const pliant__key *sides, size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        end = pliant__run_end(sides, i, count);
        if (end - i != 2) return complain(m, sides, i, end - i, " (2 belong there)");
        if (pliant__runs_up(&m->t, sides[i].value) == pliant__runs_up(&m->t, sides[i + 1].value))
            return complain(m, sides, i, 2, ", turned against each other");
    }
    return count || pliant__fail(m->s.error, PLIANT_ERROR_INPUT, "the surface is not closed: it has no face with three places");
}

static bool check_outwards(making *m)
{
    pliant__patches p;
    if (!pliant__find_patches(&m->s, &m->t, m->skip, &p)) return false;
    bool *inside_out = pliant__scratch_take(&m->s, (size_t)p.count + 1, sizeof *inside_out, "patches");
    if (!inside_out || !pliant__find_inside_out(&m->s, &m->t, &p, inside_out)) return false;
    for (uint32_t i = 0; i < m->t.count; i++)
        if (p.patch[i] < p.count && inside_out[p.patch[i]])
            return pliant__fail(m->s.error, PLIANT_ERROR_INPUT, "the surface is inside out around vertex %u", m->t.corners[3 * (size_t)i]);
    return true;
}

/* ---- normals ---- */

static pliant__point unit(pliant__point a)
{
    const double length = p_length(a);
    return length > 0 ? p_scale(a, 1 / length) : p_of(0, 0, 0);
}

static double angle_at(const pliant__triangles *t, size_t i, uint32_t k)
{
    const pliant__point at = pliant__corner(t, i, k), u = p_sub(pliant__corner(t, i, (k + 1) % 3), at),
                        v = p_sub(pliant__corner(t, i, (k + 2) % 3), at);
    return pliant__atan2(p_length(p_cross(u, v)), p_dot(u, v));
}

static void find_normals(making *m, const pliant__key *sides, size_t count)
{
    for (size_t i = 0; i < m->t.count; i++) {
        if (m->skip[i]) continue;
        m->face[i] = unit(pliant__area2(&m->t, i));
        for (uint32_t k = 0; k < 3; k++) {
            pliant__point *c = &m->corner[pliant__corner_place(&m->t, i, k)];
            *c = p_add(*c, p_scale(m->face[i], angle_at(&m->t, i, k)));
        }
    }
    for (size_t i = 0; i < count; i += 2) {
        const uint32_t a = sides[i].value, b = sides[i + 1].value;
        m->side[a] = m->side[b] = p_add(m->face[a / 3], m->face[b / 3]);
    }
}

static bool prepare(making *m, const pliant_mesh_view *mesh)
{
    size_t count;
    if (!pliant__triangles_take(&m->s, mesh, &m->t)) return false;
    m->skip = pliant__scratch_take(&m->s, m->t.count, sizeof *m->skip, "triangles");
    m->face = pliant__scratch_take(&m->s, m->t.count, sizeof *m->face, "normals");
    m->side = pliant__scratch_take(&m->s, 3 * (size_t)m->t.count, sizeof *m->side, "normals");
    m->corner = pliant__scratch_take(&m->s, m->t.vertex_count, sizeof *m->corner, "normals");
    if (!m->skip || !m->face || !m->side || !m->corner) return false;
    for (size_t i = 0; i < m->t.count; i++) m->skip[i] = pliant__is_folded(&m->t, i);
    const pliant__key *sides = pliant__find_mesh_sides(&m->s, &m->t, NULL, &count);
    if (!sides || !check_closed(m, sides, count) || !check_outwards(m)) return false;
    find_normals(m, sides, count);
    return pliant__tree_build(&m->s, &m->t, m->skip, NULL, true, &m->tree);
}

/* ---- the nearest point ---- */

/* `part`: corner 0 to 2; 3 + the side from there to the next; or 6, within. */
enum { SIDE = 3, WITHIN = 6 };
typedef struct nearest {
    pliant__point at;
    double        square;
    uint32_t      triangle, part;
} nearest;

static void try_point(nearest *best, pliant__point p, pliant__point at, uint32_t triangle, uint32_t part)
{
    const pliant__point d = p_sub(at, p);
    const double        square = p_dot(d, d);
    if (square < best->square) *best = (nearest){at, square, triangle, part};
}

static void try_side(nearest *best, pliant__point p, const pliant__point x[3], uint32_t triangle, uint32_t k)
{
    const uint32_t      next = (k + 1) % 3;
    const pliant__point d = p_sub(x[next], x[k]);
    const double        square = p_dot(d, d), t = square > 0 ? p_dot(p_sub(p, x[k]), d) / square : 0;
    if (t > 0 && t < 1) try_point(best, p, p_add(x[k], p_scale(d, t)), triangle, SIDE + k);
    try_point(best, p, x[k], triangle, k);
}

static void try_triangle(const making *m, nearest *best, pliant__point p, uint32_t i)
{
    const pliant__point x[3] = {pliant__corner(&m->t, i, 0), pliant__corner(&m->t, i, 1), pliant__corner(&m->t, i, 2)};
    const pliant__point u = p_sub(x[1], x[0]), v = p_sub(x[2], x[0]), w = p_sub(p, x[0]);
    const double        uu = p_dot(u, u), uv = p_dot(u, v), vv = p_dot(v, v), uw = p_dot(u, w), vw = p_dot(v, w);
    const double        area = uu * vv - uv * uv, s = uw * vv - vw * uv, t = vw * uu - uw * uv;
    if (area > 0 && s > 0 && t > 0 && s + t < area)
        try_point(best, p, p_add(x[0], p_add(p_scale(u, s / area), p_scale(v, t / area))), i, WITHIN);
    for (uint32_t k = 0; k < 3; k++) try_side(best, p, x, i, k);
}

static void approach(const making *m, size_t node, uint32_t first, uint32_t last, pliant__point p, nearest *best)
{
    if (pliant__box_square(&m->tree.boxes[node], p) >= best->square) return;
    if (last - first == 1) {
        try_triangle(m, best, p, m->tree.order[first]);
        return;
    }
    const uint32_t middle = first + (last - first) / 2;
    const size_t   left = 2 * node + 1, right = left + 1;
    if (pliant__box_square(&m->tree.boxes[left], p) <= pliant__box_square(&m->tree.boxes[right], p)) {
        approach(m, left, first, middle, p, best);
        approach(m, right, middle, last, p, best);
    } else {
        approach(m, right, middle, last, p, best);
        approach(m, left, first, middle, p, best);
    }
}

static double signed_distance(const making *m, pliant__point p, uint32_t *guess)
{
    nearest best = {.square = HUGE_VAL};
    try_triangle(m, &best, p, *guess);
    approach(m, 0, 0, m->tree.count, p, &best);
    *guess = best.triangle;
    const pliant__point normal = best.part == WITHIN ? m->face[best.triangle]
                                 : best.part < SIDE  ? m->corner[pliant__corner_place(&m->t, best.triangle, best.part)]
                                                     : m->side[3 * (size_t)best.triangle + best.part - SIDE];
    const double        distance = sqrt(best.square);
    return p_dot(p_sub(p, best.at), normal) < 0 ? -distance : distance;
}

/* ---- the grid ---- */

static bool place_grid(making *m, double cell, double margin, pliant_field *out)
{
    pliant__box around = pliant__box_empty();
    double      values = 1;
    for (size_t i = 0; i < m->t.count; i++)
        for (uint32_t k = 0; k < 3; k++) pliant__box_take(&around, pliant__corner(&m->t, i, k));
    for (int k = 0; k < 3; k++) {
        const double cells = (around.high[k] - around.low[k] + 2 * margin) / cell;
        values *= cells + 2;
        if (!(values <= (double)MOST_VALUES))
            return pliant__fail(m->s.error, PLIANT_ERROR_INPUT, "a cell of %g m makes a field of more than %llu values: take a larger one",
                                cell, (unsigned long long)MOST_VALUES);
        out->count[k] = (uint32_t)cells + 2;
    }
    out->origin.x = (pliant_real)(around.low[0] - margin);
    out->origin.y = (pliant_real)(around.low[1] - margin);
    out->origin.z = (pliant_real)(around.low[2] - margin);
    return true;
}

static pliant__point place_of(const pliant_field *f, size_t n)
{
    const size_t nx = f->count[0], ny = f->count[1];
    const double cell = (double)f->cell;
    return p_of((double)f->origin.x + (double)(n % nx) * cell, (double)f->origin.y + (double)(n / nx % ny) * cell,
                (double)f->origin.z + (double)(n / nx / ny) * cell);
}

static bool fill(making *m, pliant_field *out)
{
    const size_t nx = out->count[0], ny = out->count[1], nz = out->count[2];
    uint32_t     guess = m->tree.order[0];
    out->distance = pliant__alloc_array(NULL, nx * ny * nz, sizeof *out->distance);
    if (!out->distance) return pliant__fail_memory(m->s.error, nx * ny * nz * sizeof *out->distance, "a field");
    for (size_t n = 0; n < nx * ny * nz; n++) out->distance[n] = (float)signed_distance(m, place_of(out, n), &guess);
    return true;
}

/* Whether a value and the one `stride` before it are farther apart than distances can be. */
static bool is_steep(const pliant_field *f, size_t n, size_t stride)
{
    const double a = (double)f->distance[n], b = (double)f->distance[n - stride], most = 1.0001 * (double)f->cell;
    return a - b > most || b - a > most;
}

/* Whether this changed its sign. */
static bool wind(const making *m, pliant_field *f, size_t n)
{
    const float before = f->distance[n], far = before < 0 ? -before : before;
    f->distance[n] = pliant__winding(&m->tree, place_of(f, n)) > 0.5 ? -far : far;
    return (before < 0) != (f->distance[n] < 0);
}

/* Goes from values that are too far from their neighbour's to neighbours that become so, until none is. A sign that was changed is never changed
 * back. */
static bool mend_signs(making *m, pliant_field *f)
{
    const size_t nx = f->count[0], ny = f->count[1], nz = f->count[2], stride[3] = {1, nx, nx * ny};
    bool         changed = true, steep = false;
    while (changed) {
        changed = steep = false;
        for (size_t n = 0; n < nx * ny * nz; n++) {
            const size_t at[3] = {n % nx, n / nx % ny, n / nx / ny};
            for (int k = 0; k < 3; k++) {
                if (!at[k] || !is_steep(f, n, stride[k])) continue;
                const bool here = wind(m, f, n), before = wind(m, f, n - stride[k]);
                changed = changed || here || before;
                steep = true;
            }
        }
    }
    return !steep || pliant__fail(m->s.error, PLIANT_ERROR_INPUT, "what is inside the surface cannot be told: it crosses itself");
}

static uint64_t source_of(const pliant__triangles *t, double cell, double margin)
{
    const double by[2] = {cell, margin};
    uint64_t     hash = pliant__hash(by, sizeof by, 1);
    hash = pliant__hash(t->x, t->vertex_count * sizeof *t->x, hash);
    hash = pliant__hash(t->corners, 3 * (size_t)t->count * sizeof *t->corners, hash);
    return hash ? hash : 1;
}

static bool check_call(const pliant_mesh_view *mesh, pliant_real cell, pliant_real margin, const void *out, pliant_error *error)
{
    if (!mesh || !out) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a field needs a mesh and a place to go");
    if (!(cell > 0) || cell - cell != 0) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a field's cell is longer than 0");
    if (!(margin >= cell) || margin - margin != 0)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a field's margin is at least one cell");
    return true;
}

static bool find_source(const pliant_mesh_view *mesh, pliant_real cell, pliant_real margin, uint64_t *source, pliant_error *error)
{
    making     m = {.s = {.error = error}};
    const bool ok = check_call(mesh, cell, margin, source, m.s.error) && pliant__triangles_take(&m.s, mesh, &m.t);
    if (ok) *source = source_of(&m.t, (double)cell, (double)margin);
    pliant__scratch_drop(&m.s, 0);
    return ok;
}

pliant_code pliant_field_source(const pliant_mesh_view *mesh, pliant_real cell, pliant_real margin, uint64_t *source, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(find_source(mesh, cell, margin, source, &why), &why, error);
}

static bool compute_field(const pliant_mesh_view *mesh, pliant_real cell, pliant_real margin, pliant_field *out, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    making m = {.s = {.error = error}};
    if (!check_call(mesh, cell, margin, out, m.s.error)) return false;
    *out = (pliant_field){.cell = cell};
    const bool ok = prepare(&m, mesh) && place_grid(&m, (double)cell, (double)margin, out) && fill(&m, out) && mend_signs(&m, out);
    if (ok) out->source = source_of(&m.t, (double)cell, (double)margin);
    pliant__scratch_drop(&m.s, 0);
    if (!ok) pliant_field_free(out);
    return ok;
}

pliant_code pliant_field_from_mesh(const pliant_mesh_view *mesh, pliant_real cell, pliant_real margin, pliant_field *out,
                                   pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(compute_field(mesh, cell, margin, out, &why), &why, error);
}

void pliant_field_free(pliant_field *field)
{
    if (!field) return;
    pliant__free(NULL, field->distance);
    *field = (pliant_field){.distance = NULL};
}

pliant_field_view pliant_field_view_from(const pliant_field *field)
{
    pliant_field_view v = {.distance = NULL};
    if (!field) return v;
    v.origin = field->origin;
    v.cell = field->cell;
    memcpy(v.count, field->count, sizeof v.count);
    v.distance = field->distance;
    return v;
}
