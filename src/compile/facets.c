/* Triangles of a collider for the step: in the order of the leaves of a tree of boxes (box_tree.c), each knowing its neighbours, with
 * normals at their corners that tell in front from behind.
 *
 * The normal of a point is the sum of its triangles' normals, each as much as its angle there; that of an edge is the sum of its two triangles'.
 * If the nearest point of a closed surface is there, the sign of the product with it tells inside from outside (Bærentzen and Aanæs 2005, Signed
 * Distance Computation Using the Angle Weighted Pseudonormal). At a border there is no telling, and the normal is 0.
 *
 * Of a height field the tree is about blocks of two by two cells; its triangles are made of its heights when they are looked at. */
#include "compile/compile.h"

#include "base/trig.h"
#include "compile/box_tree.h"

#define LEAF 4u /* triangles, or blocks */

typedef struct wide3 {
    double x[3];
} wide3;

typedef struct facets {
    const pliant_vec3 *point;
    const uint32_t    *corner; /* of the scene, 3 per triangle */
    uint32_t           point_count, count, levels;
    uint32_t          *order; /* triangles in the order of the leaves */
    pliant__model_box *box;   /* per triangle of the scene */
    pliant__key       *key;   /* room for twice 3 keys per triangle */
} facets;

static wide3 widen(pliant_vec3 v)
{
    const wide3 w = {{(double)v.x, (double)v.y, (double)v.z}};
    return w;
}
static wide3 sub(wide3 a, wide3 b)
{
    for (int k = 0; k < 3; k++) a.x[k] -= b.x[k];
    return a;
}
static double dot(wide3 a, wide3 b) { return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2]; }
static wide3  cross(wide3 a, wide3 b)
{
    const wide3 c = {{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
    return c;
}

static void box_add(pliant__model_box *b, pliant_vec3 p)
{
    b->low = v3(r_min(b->low.x, p.x), r_min(b->low.y, p.y), r_min(b->low.z, p.z));
    b->high = v3(r_max(b->high.x, p.x), r_max(b->high.y, p.y), r_max(b->high.z, p.z));
}

/* ---- neighbours ---- */

/* Two triangles are neighbours where an edge is theirs alone and they turn the same way round. Whether all edges are such. */
static bool find_neighbours(facets *f, const uint32_t *corner, uint32_t *across)
{
    const size_t edges = 3 * (size_t)f->count;
    bool         closed = true;
    for (size_t e = 0; e < edges; e++) {
        const uint32_t a = corner[e], b = corner[e % 3 == 2 ? e - 2 : e + 1];
        f->key[e] = (pliant__key){a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, (uint32_t)e};
        across[e] = PLIANT__NONE;
    }
    const pliant__key *sorted = pliant__sort_keys(f->key, f->key + edges, edges);
    for (size_t from = 0, end; from < edges; from = end) {
        end = pliant__run_end(sorted, from, edges);
        const uint32_t e = sorted[from].value, g = sorted[end - 1].value;
        if (end - from == 2 && corner[e] != corner[g]) {
            across[e] = g / 3;
            across[g] = e / 3;
        } else
            closed = false;
    }
    return closed;
}

/* ---- normals ---- */

static void add_angles(const facets *f, const uint32_t *corner, wide3 *sum)
{
    for (uint32_t k = 0; k < 3; k++) {
        const wide3  at = widen(f->point[corner[k]]);
        const wide3  u = sub(widen(f->point[corner[(k + 1) % 3]]), at), v = sub(widen(f->point[corner[(k + 2) % 3]]), at), n = cross(u, v);
        const double length = sqrt(dot(n, n)), angle = pliant__atan2(length, dot(u, v));
        for (int i = 0; i < 3 && length > 0; i++) sum[corner[k]].x[i] += angle * n.x[i] / length;
    }
}

static void find_normals(const facets *f, const uint32_t *corner, const uint32_t *across, wide3 *sum, pliant_vec3 *normal)
{
    for (uint32_t t = 0; t < f->count; t++) add_angles(f, corner + 3 * (size_t)t, sum);
    for (size_t e = 0; e < 3 * (size_t)f->count; e++)
        if (across[e] == PLIANT__NONE) {
            const wide3 none = {{0, 0, 0}};
            sum[corner[e]] = sum[corner[e % 3 == 2 ? e - 2 : e + 1]] = none;
        }
    for (uint32_t p = 0; p < f->point_count; p++) {
        const double length = sqrt(dot(sum[p], sum[p]));
        if (!(length > 0)) continue;
        normal[p] = v3((pliant_real)(sum[p].x[0] / length), (pliant_real)(sum[p].x[1] / length), (pliant_real)(sum[p].x[2] / length));
    }
}

/* ---- all of a mesh ---- */

static bool lay_out(pliant__compiler *c, facets *f, wide3 *sum, pliant__model_facets *out)
{
    const pliant_allocator *a = c->allocator;
    out->first_point = (uint32_t)c->collider_point.count;
    out->point_count = f->point_count;
    out->first_triangle = (uint32_t)(c->collider_corner.count / 3);
    out->triangle_count = f->count;
    out->first_node = (uint32_t)c->collider_node.count;
    out->levels = f->levels;
    pliant_vec3       *point = array_extend(a, &c->collider_point, f->point_count);
    pliant_vec3       *normal = array_extend(a, &c->collider_normal, f->point_count);
    uint32_t          *corner = array_extend(a, &c->collider_corner, 3 * (size_t)f->count);
    uint32_t          *across = array_extend(a, &c->collider_across, 3 * (size_t)f->count);
    pliant__model_box *node = array_extend(a, &c->collider_node, ((size_t)2 << f->levels) - 1);
    if (!point || !normal || !corner || !across || !node) return false;
    memcpy(point, f->point, f->point_count * sizeof *point);
    for (uint32_t t = 0; t < f->count; t++) {
        const uint32_t *at = f->corner + 3 * (size_t)t;
        f->box[t].low = f->box[t].high = f->point[at[0]];
        box_add(&f->box[t], f->point[at[1]]);
        box_add(&f->box[t], f->point[at[2]]);
    }
    pliant__tree_order(f->box, f->count, f->levels, f->order, f->key);
    pliant__tree_nodes(f->box, f->count, f->levels, f->order, node);
    for (uint32_t t = 0; t < f->count; t++) memcpy(corner + 3 * (size_t)t, f->corner + 3 * (size_t)f->order[t], 3 * sizeof *corner);
    out->closed = find_neighbours(f, corner, across);
    find_normals(f, corner, across, sum, normal);
    return true;
}

bool pliant__lay_out_facets(pliant__compiler *c, const pliant__draft_collider *d, pliant__model_facets *out)
{
    const pliant_allocator *a = c->allocator;
    facets                  f = {.point_count = d->point_count, .count = d->triangle_count};
    f.point = c->scene->collider_points.data + d->point_first;
    f.corner = c->scene->collider_corners.data + 3 * (size_t)d->triangle_first;
    f.levels = pliant__tree_levels(f.count, LEAF);
    f.order = pliant__alloc_array(a, f.count, sizeof *f.order);
    f.box = pliant__alloc_array(a, f.count, sizeof *f.box);
    f.key = pliant__alloc_array(a, 6 * (size_t)f.count, sizeof *f.key);
    wide3     *sum = pliant__alloc_array(a, f.point_count, sizeof *sum);
    const bool ok = f.order && f.box && f.key && sum && lay_out(c, &f, sum, out);
    out->two_sided = d->def.two_sided;
    pliant__free(a, f.order);
    pliant__free(a, f.box);
    pliant__free(a, f.key);
    pliant__free(a, sum);
    return ok || pliant__compile_memory(c);
}

/* ---- height fields ---- */

static pliant__model_box box_of_block(const pliant_real *height, const pliant__model_facets *m, pliant_real cell, uint32_t block)
{
    const uint32_t    across = m->columns / 2, column = 2 * (block % across), row = 2 * (block / across);
    pliant__model_box b = {v3((pliant_real)column * cell, height[(size_t)row * m->columns + column], (pliant_real)row * cell), v3(0, 0, 0)};
    b.high = b.low;
    for (uint32_t j = row; j <= row + 2 && j < m->rows; j++)
        for (uint32_t i = column; i <= column + 2 && i < m->columns; i++)
            box_add(&b, v3((pliant_real)i * cell, height[(size_t)j * m->columns + i], (pliant_real)j * cell));
    return b;
}

bool pliant__lay_out_field(pliant__compiler *c, const pliant__draft_collider *d, pliant__model_facets *out)
{
    const pliant_allocator *a = c->allocator;
    const pliant_real      *from = c->scene->collider_numbers.data + d->number_first;
    const uint32_t          blocks = (d->def.columns / 2) * (d->def.rows / 2);
    out->columns = d->def.columns;
    out->rows = d->def.rows;
    out->first_number = (uint32_t)c->collider_number.count;
    out->first_block = (uint32_t)c->collider_block.count;
    out->block_count = blocks;
    out->first_node = (uint32_t)c->collider_node.count;
    out->levels = pliant__tree_levels(blocks, LEAF);
    out->closed = true;
    pliant_real       *number = array_extend(a, &c->collider_number, d->number_count);
    uint32_t          *block = array_extend(a, &c->collider_block, blocks);
    pliant__model_box *node = array_extend(a, &c->collider_node, ((size_t)2 << out->levels) - 1),
                      *box = pliant__alloc_array(a, blocks, sizeof *box);
    pliant__key *key = pliant__alloc_array(a, 2 * (size_t)blocks, sizeof *key);
    const bool   ok = number && block && node && box && key;
    if (ok) memcpy(number, from, d->number_count * sizeof *number);
    for (uint32_t i = 0; ok && i < blocks; i++) box[i] = box_of_block(from, out, d->def.cell, i);
    if (ok) pliant__tree_order(box, blocks, out->levels, block, key);
    if (ok) pliant__tree_nodes(box, blocks, out->levels, block, node);
    pliant__free(a, box);
    pliant__free(a, key);
    return ok || pliant__compile_memory(c);
}
