/* What is wrong with tetrahedra. */
#include "mesh/examine.h"

#include "base/float_env.h"
#include "mesh/tet.h"

#define LEAST_COSINE (-0.99619469809174555) /* of 175 degrees */

typedef struct tets_checkup {
    pliant__scratch        s;
    const pliant_tet_view *view;
    uint32_t              *faces; /* per tetrahedron and corner: the three vertices of the face opposite */
    uint32_t              *first; /* of faces, or of tetrahedra */
    uint32_t              *corner, *part;
    pliant_examination    *e;
} tets_checkup;

static pliant__point vertex(const tets_checkup *c, uint32_t v)
{
    pliant_real x[3];
    memcpy(x, (const char *)c->view->positions + v * c->view->stride, sizeof x);
    return p_of((double)x[0], (double)x[1], (double)x[2]);
}

static const uint32_t *tet_of(const tets_checkup *c, size_t i) { return c->view->tetrahedra + 4 * i; }

static bool check_input(tets_checkup *c)
{
    const pliant_tet_view *v = c->view;
    if (!v->positions || !v->vertex_count || !v->tetrahedra || !v->tetrahedron_count || v->tetrahedron_count > INT32_MAX / 12 ||
        v->vertex_count > INT32_MAX)
        return pliant__fail(c->s.error, PLIANT_ERROR_INPUT, "the mesh has no tetrahedra, or too many");
    for (size_t i = 0; i < 4 * v->tetrahedron_count; i++)
        if (v->tetrahedra[i] >= v->vertex_count)
            return pliant__fail(c->s.error, PLIANT_ERROR_INPUT, "tetrahedron %zu has vertex %u, and there are %zu vertices", i / 4,
                                v->tetrahedra[i], v->vertex_count);
    return true;
}

static void check_shapes(tets_checkup *c)
{
    double      least = 1, greatest = -1;
    pliant__box around = pliant__box_empty();
    for (size_t i = 0; i < c->view->tetrahedron_count; i++) {
        pliant__point x[4];
        double        l = 1, g = -1, longest = 0;
        for (int k = 0; k < 4; k++) {
            x[k] = vertex(c, tet_of(c, i)[k]);
            pliant__box_take(&around, x[k]);
            longest = p_max(longest, p_distance(x[k], x[0]));
        }
        const double volume = p_volume6(x);
        c->e->volume += volume / 6;
        if (!(volume > 1e-12 * longest * longest * longest || volume < -1e-12 * longest * longest * longest)) {
            pliant__found(c->e, PLIANT_FINDING_FLAT_TETS, tet_of(c, i), 4);
            continue;
        }
        if (volume < 0) pliant__found(c->e, PLIANT_FINDING_INVERTED_TETS, tet_of(c, i), 4);
        pliant__take_cosines(x, &l, &g);
        if (l < LEAST_COSINE || g > -LEAST_COSINE) pliant__found(c->e, PLIANT_FINDING_SLIVER_TETS, tet_of(c, i), 4);
        least = p_min(least, l);
        greatest = p_max(greatest, g);
    }
    c->e->least_angle = greatest >= least ? pliant__degrees(greatest) : 0;
    c->e->greatest_angle = greatest >= least ? pliant__degrees(least) : 0;
    pliant__found_around(c->e, &around);
}

static bool check_twice(tets_checkup *c)
{
    if (!pliant__find_equal(&c->s, c->view->tetrahedra, 4, c->view->tetrahedron_count, c->first)) return false;
    for (uint32_t i = 0; i < c->view->tetrahedron_count; i++)
        if (c->first[i] != i) pliant__found(c->e, PLIANT_FINDING_DUPLICATE_TETS, tet_of(c, i), 4);
    return true;
}

/* Faces join corners; a vertex with corners that are not all joined is a hinge. */
static bool check_joints(tets_checkup *c)
{
    const uint32_t n = (uint32_t)c->view->tetrahedron_count, vertices = (uint32_t)c->view->vertex_count;
    uint32_t      *count = pliant__scratch_take(&c->s, 4 * (size_t)n, sizeof *count, "tetrahedra");
    uint32_t      *seen = pliant__scratch_take(&c->s, vertices, sizeof *seen, "tetrahedra");
    if (!count || !seen) return false;
    for (uint32_t i = 0; i < 4 * n; i++)
        for (uint32_t k = 0, w = 0; k < 4; k++)
            if (k != i % 4) c->faces[3 * (size_t)i + w++] = tet_of(c, i / 4)[k];
    if (!pliant__find_equal(&c->s, c->faces, 3, 4 * (size_t)n, c->first)) return false;
    for (uint32_t i = 0; i < 4 * n; i++) c->corner[i] = i;
    for (uint32_t i = 0; i < n; i++) c->part[i] = i;
    for (uint32_t i = 0; i < 4 * n; i++) {
        const uint32_t f = c->first[i];
        if (++count[f] == 3) pliant__found(c->e, PLIANT_FINDING_CROWDED_FACES, c->faces + 3 * (size_t)f, 3);
        pliant__join(c->part, i / 4, f / 4);
        for (uint32_t a = 0; a < 4; a++)
            for (uint32_t b = 0; b < 4; b++)
                if (a != i % 4 && b != f % 4 && tet_of(c, i / 4)[a] == tet_of(c, f / 4)[b])
                    pliant__join(c->corner, i / 4 * 4 + a, f / 4 * 4 + b);
    }
    for (uint32_t i = 0; i < n; i++) c->e->parts += c->part[i] == i;
    for (uint32_t i = 0; i < 4 * n; i++) {
        const uint32_t v = c->view->tetrahedra[i], root = pliant__root(c->corner, i) + 1;
        if (seen[v] == UINT32_MAX || seen[v] == root) continue;
        if (seen[v]) pliant__found(c->e, PLIANT_FINDING_HINGES, &v, 1);
        seen[v] = seen[v] ? UINT32_MAX : root;
    }
    for (uint32_t v = 0; v < vertices; v++)
        if (!seen[v]) pliant__found(c->e, PLIANT_FINDING_UNUSED_VERTICES, &v, 1);
    return true;
}

static bool examine(tets_checkup *c)
{
    if (!check_input(c)) return false;
    const size_t n = c->view->tetrahedron_count;
    c->faces = pliant__scratch_take(&c->s, 12 * n, sizeof *c->faces, "tetrahedra");
    c->first = pliant__scratch_take(&c->s, 4 * n, sizeof *c->first, "tetrahedra");
    c->corner = pliant__scratch_take(&c->s, 4 * n, sizeof *c->corner, "tetrahedra");
    c->part = pliant__scratch_take(&c->s, n, sizeof *c->part, "tetrahedra");
    if (!c->faces || !c->first || !c->corner || !c->part) return false;
    check_shapes(c);
    return check_twice(c) && check_joints(c);
}

static bool examine_tets(const pliant_tet_view *tets, pliant_examination *out, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!tets || !out) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "an examination needs tetrahedra and a place to go");
    memset(out, 0, sizeof *out);
    tets_checkup c = {.s = {.error = error}, .view = tets, .e = out};
    const bool   ok = examine(&c);
    pliant__scratch_drop(&c.s, 0);
    return ok;
}

pliant_code pliant_tets_examine(const pliant_tet_view *tets, pliant_examination *out, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(examine_tets(tets, out, &why), &why, error);
}
