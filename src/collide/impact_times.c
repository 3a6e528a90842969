/* Triangles with boxes that meet are found by a tree; of such two, corners are asked for against the other, and edges against edges. A corner or an
 * edge that several triangles have belongs to the first of them, so each pair is asked for once. */
#include "collide/impact_times.h"

#include "base/tree.h"

#include <float.h>

#ifdef PLIANT_DOUBLE
#define EPSILON DBL_EPSILON
#else
#define EPSILON ((double)FLT_EPSILON)
#endif

typedef struct work {
    const pliant_allocator    *a;
    const pliant__moving_mesh *m;
    double                     distance, tolerance;
    unsigned char             *owns;         /* per triangle: bits of its corners, then of its edges */
    pliant__box               *box, *part;   /* per triangle; per corner and edge of it */
    uint32_t                  *vertex_owner; /* per vertex: its first triangle + 1 */
    pliant__key               *key;          /* twice as many as edges or pairs */
    pliant__box_tree           tree;
    pliant__element_pairs      near_by;
} work;

static void free_work(work *w)
{
    pliant__free(w->a, w->owns);
    pliant__free(w->a, w->box);
    pliant__free(w->a, w->part);
    pliant__free(w->a, w->vertex_owner);
    pliant__free(w->a, w->key);
    pliant__tree_destroy(w->a, &w->tree);
    array_free(w->a, &w->near_by);
}

/* ---- corners and edges to the triangles that own them ---- */

static bool share_out(work *w)
{
    const uint32_t *v = w->m->triangles;
    const size_t    sides = 3 * (size_t)w->m->count;
    pliant__key    *key = pliant__alloc_array(w->a, sides, 2 * sizeof *key);
    if (!key) return false;
    for (size_t i = 0; i < sides; i++) {
        const uint32_t one = v[i], other = v[i - i % 3 + (i + 1) % 3];
        key[i] = (pliant__key){(uint64_t)(one < other ? one : other) << 32 | (one < other ? other : one), (uint32_t)i};
        if (!w->vertex_owner[one]) {
            w->vertex_owner[one] = (uint32_t)(i / 3) + 1;
            w->owns[i / 3] |= (unsigned char)(1u << i % 3);
        }
    }
    const pliant__key *sorted = pliant__sort_keys(key, key + sides, sides);
    for (size_t i = 0; i < sides; i = pliant__run_end(sorted, i, sides))
        w->owns[sorted[i].value / 3] |= (unsigned char)(8u << sorted[i].value % 3);
    pliant__free(w->a, key);
    return true;
}

/* ---- boxes ---- */

/* Boxes of pliant_real, rounded outwards. */
static void add_place(pliant__box *b, const double x[3], double by)
{
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        const double outwards = by + EPSILON * (fabs(x[k]) + by) + (double)FLT_MIN;
        low[k] = x[k] - outwards;
        high[k] = x[k] + outwards;
    }
    box_add(b, v3((pliant_real)low[0], (pliant_real)low[1], (pliant_real)low[2]));
    box_add(b, v3((pliant_real)high[0], (pliant_real)high[1], (pliant_real)high[2]));
}

static pliant__box box_of(const work *w, const uint32_t *vertex, uint32_t count)
{
    pliant__box b = box_of_nothing();
    for (uint32_t i = 0; i < count; i++) {
        add_place(&b, w->m->from + 3 * (size_t)vertex[i], w->distance / 2);
        add_place(&b, w->m->to + 3 * (size_t)vertex[i], w->distance / 2);
    }
    return b;
}

static void surround(work *w)
{
    for (size_t e = 0; e < w->m->count; e++) {
        const uint32_t *v = w->m->triangles + 3 * e;
        w->box[e] = box_of(w, v, 3);
        for (uint32_t k = 0; k < 6; k++) {
            const uint32_t end[2] = {v[k % 3], v[(k + 1) % 3]};
            w->part[6 * e + k] = w->owns[e] >> k & 1 ? box_of(w, end, k < 3 ? 1 : 2) : box_of_nothing();
        }
    }
}

/* ---- pairs ---- */

static bool have_common_vertex(const uint32_t *a, uint32_t count, const uint32_t *b, uint32_t others)
{
    bool common = false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < others; j++) common |= a[i] == b[j];
    return common;
}

static bool ask(const work *w, const uint32_t vertex[4], bool edges, pliant__mesh_impacts *out)
{
    pliant__straight_motion m;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 3; k++) {
            m.from[i][k] = w->m->from[3 * (size_t)vertex[i] + k];
            m.to[i][k] = w->m->to[3 * (size_t)vertex[i] + k];
        }
    const pliant__impact found =
        edges ? pliant__edges_meet(&m, w->distance, w->tolerance) : pliant__corner_meets_triangle(&m, w->distance, w->tolerance);
    if (!found.meets) return true;
    return array_push(w->a, out, (pliant__mesh_impact){{vertex[0], vertex[1], vertex[2], vertex[3]}, edges, found.settled, found.time});
}

/* Corners that triangle e owns, against triangle f. */
static bool ask_corners(const work *w, size_t e, size_t f, pliant__mesh_impacts *out)
{
    const uint32_t *corner = w->m->triangles + 3 * e, *other = w->m->triangles + 3 * f;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t vertex[4] = {corner[k], other[0], other[1], other[2]};
        if (!boxes_meet(&w->part[6 * e + k], &w->box[f]) || have_common_vertex(vertex, 1, other, 3)) continue;
        if (!ask(w, vertex, false, out)) return false;
    }
    return true;
}

static bool ask_edges(const work *w, size_t e, size_t f, pliant__mesh_impacts *out)
{
    const uint32_t *p = w->m->triangles + 3 * e, *q = w->m->triangles + 3 * f;
    for (uint32_t i = 0; i < 9; i++) {
        const uint32_t k = i / 3, j = i % 3, vertex[4] = {p[k], p[(k + 1) % 3], q[j], q[(j + 1) % 3]};
        if (!boxes_meet(&w->part[6 * e + 3 + k], &w->part[6 * f + 3 + j]) || have_common_vertex(vertex, 2, vertex + 2, 2)) continue;
        if (!ask(w, vertex, true, out)) return false;
    }
    return true;
}

/* In the order of the triangles' numbers, not of the tree's. */
static bool ask_pairs(work *w, pliant__mesh_impacts *out)
{
    const size_t count = w->near_by.count;
    bool         ok = true;
    w->key = pliant__alloc_array(w->a, count ? count : 1, 2 * sizeof *w->key);
    if (!w->key) return false;
    for (size_t i = 0; i < count; i++) w->key[i] = (pliant__key){(uint64_t)w->near_by.data[i].a << 32 | w->near_by.data[i].b, 0};
    const pliant__key *sorted = pliant__sort_keys(w->key, w->key + count, count);
    for (size_t i = 0; i < count && ok; i++) {
        const size_t e = (size_t)(sorted[i].key >> 32), f = (size_t)(sorted[i].key & UINT32_MAX);
        if (w->m->counts && !w->m->counts(w->m->context, (uint32_t)e, (uint32_t)f)) continue;
        ok = ask_corners(w, e, f, out) && ask_corners(w, f, e, out) && ask_edges(w, e, f, out);
    }
    return ok;
}

bool pliant__find_impacts(const pliant_allocator *a, const pliant__moving_mesh *mesh, double distance, double tolerance, size_t most,
                          pliant__mesh_impacts *out)
{
    work w = {.a = a, .m = mesh, .distance = distance, .tolerance = tolerance};
    out->count = 0;
    if (!mesh->count) return true;
    w.owns = pliant__alloc_array(a, mesh->count, sizeof *w.owns);
    w.box = pliant__alloc_array(a, mesh->count, sizeof *w.box);
    w.part = pliant__alloc_array(a, mesh->count, 6 * sizeof *w.part);
    w.vertex_owner = pliant__alloc_array(a, mesh->vertex_count, sizeof *w.vertex_owner);
    bool ok = w.owns && w.box && w.part && w.vertex_owner && pliant__tree_create(a, mesh->count, 4, &w.tree) && share_out(&w);
    if (ok) {
        surround(&w);
        pliant__tree_fit(&w.tree, w.box);
        ok = pliant__tree_pairs(a, &w.tree, w.box, most, &w.near_by) && ask_pairs(&w, out);
    }
    free_work(&w);
    return ok;
}
