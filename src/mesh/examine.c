/* What is wrong with a surface. Vertices of one place count as one, so that the seams of textures are no holes. */
#include "mesh/examine.h"

#include "base/float_env.h"

double pliant__narrowness(pliant__point a, pliant__point b, pliant__point c)
{
    const double longest = p_max(p_distance(a, b), p_max(p_distance(b, c), p_distance(c, a)));
    return longest > 0 ? p_length(p_cross(p_sub(b, a), p_sub(c, a))) / (longest * longest) : 0;
}

typedef struct checkup {
    pliant__scratch     s;
    pliant__triangles   t;
    pliant__patches     patches;
    bool               *skip; /* per triangle: degenerate, or a duplicate */
    pliant__key        *sides;
    size_t              side_count;
    pliant_examination *e;
} checkup;

static const uint32_t *corners_of(const checkup *c, uint32_t triangle) { return c->t.corners + 3 * (size_t)triangle; }

/* ---- one by one ---- */

static void check_vertices(checkup *c)
{
    pliant__box around = pliant__box_empty();
    for (uint32_t v = 0; v < c->t.vertex_count; v++) {
        if (!c->t.used[v]) pliant__found(c->e, PLIANT_FINDING_UNUSED_VERTICES, &v, 1);
        if (c->t.used[v]) pliant__box_take(&around, c->t.x[v]);
    }
    pliant__found_around(c->e, &around);
}

static bool check_near(checkup *c)
{
    const int mark = c->s.count;
    uint32_t *first = pliant__scratch_take(&c->s, c->t.vertex_count, sizeof *first, "vertices");
    if (!first || !pliant__find_near(&c->s, &c->t, PLIANT__NEAR * pliant__diagonal(&c->t), first)) return false;
    for (uint32_t v = 0; v < c->t.vertex_count; v++) {
        if (!c->t.used[v]) continue;
        const uint32_t other = c->t.place[v], both[2] = {v, other != v ? other : first[v]};
        if (other != v && c->t.used[other])
            pliant__found(c->e, PLIANT_FINDING_DUPLICATE_VERTICES, both, 2);
        else if (first[v] != v && c->t.place[first[v]] != other)
            pliant__found(c->e, PLIANT_FINDING_NEAR_VERTICES, both, 2);
    }
    pliant__scratch_drop(&c->s, mark);
    return true;
}

static bool check_faces(checkup *c)
{
    const int mark = c->s.count;
    uint32_t *places = pliant__scratch_take(&c->s, 3 * (size_t)c->t.count, sizeof *places, "faces");
    uint32_t *first = pliant__scratch_take(&c->s, c->t.count, sizeof *first, "faces");
    if (!places || !first) return false;
    for (size_t i = 0; i < 3 * (size_t)c->t.count; i++) places[i] = c->t.place[c->t.corners[i]];
    if (!pliant__find_equal(&c->s, places, 3, c->t.count, first)) return false;
    for (uint32_t i = 0; i < c->t.count; i++) {
        const double narrow = pliant__narrowness(pliant__corner(&c->t, i, 0), pliant__corner(&c->t, i, 1), pliant__corner(&c->t, i, 2));
        const bool   flat = pliant__is_folded(&c->t, i) || narrow < PLIANT__DEGENERATE;
        if (flat)
            pliant__found(c->e, PLIANT_FINDING_DEGENERATE_FACES, corners_of(c, i), 3);
        else if (first[i] != i)
            pliant__found(c->e, PLIANT_FINDING_DUPLICATE_FACES, corners_of(c, i), 3);
        else if (narrow < PLIANT__SLIVER)
            pliant__found(c->e, PLIANT_FINDING_SLIVERS, corners_of(c, i), 3);
        /* A triangle without area between others still joins them. */
        c->skip[i] = pliant__is_folded(&c->t, i) || first[i] != i;
        c->e->area += 0.5 * p_length(pliant__area2(&c->t, i));
    }
    pliant__scratch_drop(&c->s, mark);
    return true;
}

/* ---- at edges and vertices ---- */

static uint32_t begin_of(const checkup *c, uint32_t side) { return c->t.corners[side]; }
static uint32_t end_of(const checkup *c, uint32_t side) { return c->t.corners[side / 3 * 3 + (side + 1) % 3]; }

/* The end of a side that is its `upper` place: the corner there. */
static uint32_t corner_at(const checkup *c, uint32_t side, bool upper)
{
    const uint32_t next = side / 3 * 3 + (side % 3 + 1) % 3;
    return pliant__runs_up(&c->t, side) == upper ? next : side;
}

/* Two triangles at an edge, one on the other. */
static void check_fold(checkup *c, uint32_t side, uint32_t other)
{
    const uint32_t      both[2] = {begin_of(c, side), end_of(c, side)};
    const pliant__point a = pliant__area2(&c->t, side / 3), b = pliant__area2(&c->t, other / 3);
    if (c->skip[side / 3] || c->skip[other / 3] || pliant__runs_up(&c->t, side) == pliant__runs_up(&c->t, other)) return;
    if (p_dot(a, b) < (1e-8 - 1) * p_length(a) * p_length(b)) pliant__found(c->e, PLIANT_FINDING_FOLDS, both, 2);
}

static bool check_edges(checkup *c)
{
    const int mark = c->s.count;
    uint32_t *fan = pliant__scratch_take(&c->s, 3 * (size_t)c->t.count, sizeof *fan, "edges");
    uint32_t *rim = pliant__scratch_take(&c->s, c->t.vertex_count, sizeof *rim, "edges");
    uint32_t *part = pliant__scratch_take(&c->s, c->t.vertex_count, sizeof *part, "edges");
    uint32_t *seen = pliant__scratch_take(&c->s, c->t.vertex_count, sizeof *seen, "edges");
    if (!fan || !rim || !part || !seen) return false;
    for (uint32_t i = 0; i < 3 * c->t.count; i++) fan[i] = i;
    for (uint32_t i = 0; i < c->t.vertex_count; i++) rim[i] = part[i] = i;
    for (size_t i = 0, end; i < c->side_count; i = end) {
        const uint32_t side = c->sides[i].value, low = (uint32_t)(c->sides[i].key >> 32), high = (uint32_t)c->sides[i].key;
        const uint32_t both[2] = {begin_of(c, side), end_of(c, side)};
        end = pliant__run_end(c->sides, i, c->side_count);
        for (size_t j = i + 1; j < end; j++)
            for (int upper = 0; upper < 2; upper++) pliant__join(fan, corner_at(c, side, upper), corner_at(c, c->sides[j].value, upper));
        pliant__join(part, low, high);
        if (end - i > 2) pliant__found(c->e, PLIANT_FINDING_CROWDED_EDGES, both, 2);
        if (end - i == 2) check_fold(c, side, c->sides[i + 1].value);
        if (end - i > 1) continue;
        pliant__found(c->e, PLIANT_FINDING_OPEN_EDGES, both, 2);
        seen[low] = seen[high] = 1;
        pliant__join(rim, low, high);
    }
    for (uint32_t v = 0; v < c->t.vertex_count; v++) c->e->loops += seen[v] && pliant__root(rim, v) == v;
    /* Each fan has a root; a place with a second one is pinched. */
    memset(seen, 0, c->t.vertex_count * sizeof *seen);
    for (uint32_t i = 0; i < c->t.count; i++)
        for (uint32_t k = 0; k < 3 && !c->skip[i]; k++) {
            const uint32_t place = pliant__corner_place(&c->t, i, k), root = pliant__root(fan, 3 * i + k) + 1;
            if (seen[place] == UINT32_MAX || seen[place] == root) continue;
            if (seen[place]) pliant__found(c->e, PLIANT_FINDING_PINCHED_VERTICES, &c->t.corners[3 * i + k], 1);
            seen[place] = seen[place] ? UINT32_MAX : root;
        }
    for (uint32_t v = 0; v < c->t.vertex_count; v++) c->e->parts += c->t.used[v] && c->t.place[v] == v && pliant__root(part, v) == v;
    pliant__scratch_drop(&c->s, mark);
    return true;
}

/* ---- inside and outside ---- */

static double wind_of_patch(const pliant__triangles *t, const pliant__patches *p, uint32_t patch, pliant__point at)
{
    double sum = 0;
    for (uint32_t i = 0; i < t->count; i++)
        if (p->patch[i] == patch) sum += pliant__solid_angle(t, i, p->turned[i], at);
    return sum;
}

bool pliant__find_inside_out(pliant__scratch *s, const pliant__triangles *t, const pliant__patches *p, bool *inside_out)
{
    const int    mark = s->count;
    uint32_t    *first = pliant__scratch_take(s, (size_t)p->count + 1, sizeof *first, "patches");
    pliant__box *boxes = pliant__scratch_take(s, (size_t)p->count + 1, sizeof *boxes, "patches");
    if (!first || !boxes) return false;
    for (uint32_t i = 0; i <= p->count; i++) boxes[i] = pliant__box_empty();
    for (uint32_t i = t->count; i--;) {
        first[p->patch[i]] = i;
        for (uint32_t k = 0; k < 3; k++) pliant__box_take(&boxes[p->patch[i]], pliant__corner(t, i, k));
    }
    for (uint32_t a = 0; a < p->count; a++) {
        const pliant__point at = pliant__corner(t, first[a], 0);
        bool                hollow = false;
        for (uint32_t b = 0; b < p->count && p->closed[a]; b++) {
            bool around = b != a && p->closed[b];
            for (int k = 0; k < 3; k++) around = around && boxes[b].low[k] < boxes[a].low[k] && boxes[b].high[k] > boxes[a].high[k];
            if (!around) continue;
            const double w = wind_of_patch(t, p, b, at) / 12.566370614359172954;
            if (w > 0.5 || w < -0.5) hollow = !hollow;
        }
        inside_out[a] = p->closed[a] && (hollow ? p->volume[a] > 0 : p->volume[a] < 0);
    }
    pliant__scratch_drop(s, mark);
    return true;
}

static bool check_sides(checkup *c)
{
    if (!pliant__find_patches(&c->s, &c->t, c->skip, &c->patches)) return false;
    const pliant__patches *p = &c->patches;
    const int              mark = c->s.count;
    bool                  *inside_out = pliant__scratch_take(&c->s, (size_t)p->count + 1, sizeof *inside_out, "patches");
    if (!inside_out || !pliant__find_inside_out(&c->s, &c->t, p, inside_out)) return false;
    for (uint32_t i = 0; i < c->t.count; i++) {
        if (p->turned[i]) pliant__found(c->e, PLIANT_FINDING_TURNED_FACES, corners_of(c, i), 3);
        if (p->patch[i] < p->count && inside_out[p->patch[i]]) {
            pliant__found(c->e, PLIANT_FINDING_INSIDE_OUT, corners_of(c, i), 3);
            inside_out[p->patch[i]] = false;
        }
    }
    for (uint32_t i = 0; i < p->unorientable; i++) pliant__found(c->e, PLIANT_FINDING_TURNED_FACES, NULL, 0);
    for (uint32_t i = 0; i < p->count; i++) c->e->volume += p->volume[i];
    pliant__scratch_drop(&c->s, mark);
    return true;
}

static bool check_crossings(checkup *c)
{
    pliant__tree tree;
    if (!pliant__tree_build(&c->s, &c->t, c->skip, NULL, false, &tree)) return false;
    pliant__find_crossings(&tree, c->e);
    return true;
}

static bool examine(checkup *c, const pliant_mesh_view *mesh)
{
    if (!pliant__triangles_take(&c->s, mesh, &c->t)) return false;
    c->skip = pliant__scratch_take(&c->s, c->t.count, sizeof *c->skip, "faces");
    if (!c->skip) return false;
    check_vertices(c);
    if (!check_near(c) || !check_faces(c)) return false;
    c->sides = pliant__find_mesh_sides(&c->s, &c->t, c->skip, &c->side_count);
    return c->sides && check_edges(c) && check_sides(c) && check_crossings(c);
}

static bool examine_mesh(const pliant_mesh_view *mesh, pliant_examination *out, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!mesh || !out) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "an examination needs a mesh and a place to go");
    memset(out, 0, sizeof *out);
    checkup    c = {.s = {.error = error}, .e = out};
    const bool ok = examine(&c, mesh);
    pliant__scratch_drop(&c.s, 0);
    return ok;
}

pliant_code pliant_mesh_examine(const pliant_mesh_view *mesh, pliant_examination *out, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(examine_mesh(mesh, out, &why), &why, error);
}
