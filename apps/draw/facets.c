/* Colliders as triangles. */
#include "draw/facets.h"

#include "draw/level.h"
#include "draw/smooth.h"

#include <stdlib.h>
#include <string.h>

enum { BOX_CELLS = 6, BOX_VERTICES = 6 * 6 * BOX_CELLS * BOX_CELLS }; /* light is known at vertices: a face of a box has several */

static draw_vertex *put_box(draw_vertex *out, pliant_pose pose, f3 half)
{
    for (int face = 0; face < 6; face++) {
        const int   axis = face / 2, u = (axis + 1) % 3, w = (axis + 2) % 3;
        const float side = face & 1 ? 1.0f : -1.0f, h[3] = {half.x, half.y, half.z};
        float       n[3] = {0, 0, 0};
        n[axis] = side;
        for (int k = 0; k < 6 * BOX_CELLS * BOX_CELLS; k++) {
            static const signed char corners[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
            const int                column = k / 6 % BOX_CELLS + corners[k % 6][0], row = k / 6 / BOX_CELLS + corners[k % 6][1];
            float                    p[3];
            p[axis] = side * h[axis];
            p[u] = (2 * (float)column / BOX_CELLS - 1) * side * h[u];
            p[w] = (2 * (float)row / BOX_CELLS - 1) * h[w];
            *out++ = (draw_vertex){f3_place(pose, f3_of(p[0], p[1], p[2])), f3_turn(pose.rotation, f3_of(n[0], n[1], n[2])), {0, 0, 0, 0}};
        }
    }
    return out;
}

/* The triangles of a hull or a mesh, without its thickness. */
static draw_vertex *put_mesh(draw_vertex *out, pliant_pose pose, const pliant_mesh_view *mesh)
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        f3 x[3];
        for (int k = 0; k < 3; k++) {
            pliant_vec3 p;
            memcpy(&p, (const char *)mesh->positions + mesh->triangles[3 * t + (size_t)k] * mesh->stride, sizeof p);
            x[k] = f3_place(pose, f3_from(p));
        }
        const f3 n = f3_unit(f3_cross(f3_sub(x[1], x[0]), f3_sub(x[2], x[0])));
        for (int k = 0; k < 3; k++) *out++ = (draw_vertex){x[k], n, {0, 0, 0, 0}};
    }
    return out;
}

/* The top of a height field. */
static draw_vertex *put_field(draw_vertex *out, pliant_pose pose, const pliant_collider_def *d)
{
    for (uint32_t j = 0; j + 1 < d->rows; j++)
        for (uint32_t i = 0; i + 1 < d->columns; i++) {
            f3 x[4]; /* at the least x and z, then along x, along z, and across */
            for (uint32_t k = 0; k < 4; k++) {
                const uint32_t column = i + k % 2, row = j + k / 2;
                x[k] = f3_place(pose, f3_of((float)column * (float)d->cell, (float)d->heights[(size_t)row * d->columns + column],
                                            (float)row * (float)d->cell));
            }
            const bool     even = (i + j) % 2 == 0;
            const uint32_t corners[6] = {0, 2, even ? 3 : 1, even ? 0 : 2, 3, 1};
            for (int t = 0; t < 2; t++) {
                const f3 a = x[corners[3 * t]], b = x[corners[3 * t + 1]], c = x[corners[3 * t + 2]],
                         n = f3_unit(f3_cross(f3_sub(b, a), f3_sub(c, a)));
                *out++ = (draw_vertex){a, n, {0, 0, 0, 0}};
                *out++ = (draw_vertex){b, n, {0, 0, 0, 0}};
                *out++ = (draw_vertex){c, n, {0, 0, 0, 0}};
            }
        }
    return out;
}

/* So many of a hull, a mesh or a height field. */
static uint64_t triangles_of(const pliant_collider_def *d)
{
    return d->heights ? 2 * (uint64_t)(d->columns - 1) * (d->rows - 1) : d->mesh.triangle_count;
}

uint32_t draw_facets_count(const pliant_collider_def *d)
{
    if (d->shape == PLIANT_SHAPE_BOX) return BOX_VERTICES;
    if (d->shape == PLIANT_SHAPE_PLANE) return 0;
    if (d->field.distance) return draw_level(&d->field, d->pose, NULL);
    return 3 * (uint32_t)triangles_of(d);
}

draw_vertex *draw_facets_put(const pliant_collider_def *d, pliant_pose pose, const f3 *normals, draw_vertex *out)
{
    const f3 more = f3_of((float)d->thickness, (float)d->thickness, (float)d->thickness);
    if (d->shape == PLIANT_SHAPE_BOX) return put_box(out, pose, f3_add(f3_from(d->half_extent), more));
    if (!triangles_of(d)) return out + draw_level(&d->field, pose, out);
    draw_vertex *end = d->heights ? put_field(out, pose, d) : put_mesh(out, pose, &d->mesh);
    for (; normals && out < end; out++) out->normal = f3_turn(pose.rotation, *normals++);
    return end;
}

/* ---- normals ---- */

typedef struct place {
    f3       x;
    uint32_t corner;
} place;

static int by_place(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->x.x != q->x.x) return p->x.x < q->x.x ? -1 : 1;
    if (p->x.y != q->x.y) return p->x.y < q->x.y ? -1 : 1;
    if (p->x.z != q->x.z) return p->x.z < q->x.z ? -1 : 1;
    return p->corner < q->corner ? -1 : p->corner > q->corner;
}

/* Corners at one place are one vertex. */
static uint32_t weld(const draw_vertex *corners, uint32_t count, place *places, f3 *x, uint32_t *vertex)
{
    uint32_t made = 0;
    for (uint32_t c = 0; c < count; c++) places[c] = (place){corners[c].x, c};
    qsort(places, count, sizeof *places, by_place);
    for (uint32_t i = 0; i < count; i++) {
        const f3 p = places[i].x;
        if (!made || p.x != x[made - 1].x || p.y != x[made - 1].y || p.z != x[made - 1].z) x[made++] = p;
        vertex[places[i].corner] = made - 1;
    }
    return made;
}

bool draw_facets_normals(const pliant_collider_def *d, f3 **out)
{
    const pliant_pose none = {.rotation = {0, 0, 0, 1}};
    const uint32_t    count = triangles_of(d) ? draw_facets_count(d) : 0;
    *out = NULL;
    if (!count) return true;
    draw_vertex *corners = malloc(count * sizeof *corners);
    place       *places = malloc(count * sizeof *places);
    f3          *x = malloc(count * sizeof *x);
    uint32_t    *vertex = malloc(count * sizeof *vertex);
    f3          *normals = malloc(count * sizeof *normals);
    bool         ok = corners && places && x && vertex && normals;
    if (ok) {
        draw_facets_put(d, none, NULL, corners);
        ok = draw_smooth_corners(x, weld(corners, count, places, x, vertex), vertex, count / 3, normals);
    }
    free(corners);
    free(places);
    free(x);
    free(vertex);
    if (ok) *out = normals;
    if (!ok) free(normals);
    return ok;
}
