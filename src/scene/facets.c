#include "scene/facets.h"

#include "base/vec.h"
#include "scene/weld.h"
#include "surface/triangles.h"

#define MOST 0x3fffffffu /* points, triangles */

void pliant__free_facets(const pliant_allocator *a, pliant__facet_list *list)
{
    array_free(a, &list->points);
    array_free(a, &list->corners);
}

static bool fail_memory(size_t bytes, pliant_error *error) { return pliant__fail_memory(error, bytes, "a collider's mesh"); }

static bool read_points(const pliant_allocator *a, const pliant_mesh_view *mesh, pliant__facet_list *out, pliant_error *error)
{
    if (!mesh->positions || !mesh->vertex_count) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the collider's mesh has no vertices");
    if (mesh->stride < sizeof(pliant_vec3))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the stride of a mesh is at least that of three coordinates");
    if (mesh->vertex_count > MOST) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the collider's mesh has too many vertices");
    pliant_vec3 *x = array_extend(a, &out->points, mesh->vertex_count);
    if (!x) return fail_memory(mesh->vertex_count * sizeof *x, error);
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        memcpy(&x[v], (const char *)mesh->positions + v * mesh->stride, sizeof *x);
        if (!v3_finite(x[v])) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "vertex %zu of the collider's mesh is not finite", v);
        if (!(r_abs(x[v].x) <= 1e15f && r_abs(x[v].y) <= 1e15f && r_abs(x[v].z) <= 1e15f))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "vertex %zu of the collider's mesh is farther than 1e15 m from its origin",
                                v);
        x[v] = v3_add(x[v], v3(0, 0, 0)); /* no -0 */
    }
    return true;
}

/* Whether the diagonal from corner 1 to 3 is the shorter one. */
static bool cut_second(const pliant_vec3 *x, const uint32_t *quad)
{
    const pliant_vec3 first = v3_sub(x[quad[0]], x[quad[2]]), second = v3_sub(x[quad[1]], x[quad[3]]);
    return v3_dot(second, second) < v3_dot(first, first);
}

static bool check_faces(const uint32_t *corners, size_t count, uint32_t size, size_t vertices, const char *name, pliant_error *error)
{
    if (count && !corners) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the collider's mesh counts %ss, but points to none", name);
    for (size_t i = 0; i < count * size; i++)
        if (corners[i] >= vertices)
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s %zu uses vertex %u of a mesh with %zu vertices", name, i / size,
                                corners[i], vertices);
    return true;
}

static uint32_t *add_triangle(uint32_t *to, const uint32_t *number, uint32_t a, uint32_t b, uint32_t c)
{
    a = number[a], b = number[b], c = number[c];
    if (a == b || b == c || c == a) return to;
    to[0] = a, to[1] = b, to[2] = c;
    return to + 3;
}

static bool add_faces(const pliant_allocator *a, const pliant_mesh_view *mesh, const uint32_t *number, pliant__facet_list *out,
                      pliant_error *error)
{
    const size_t most = 3 * (mesh->triangle_count + 2 * mesh->quad_count);
    uint32_t    *to = array_extend(a, &out->corners, most), *end = to;
    if (!to) return fail_memory(most * sizeof *to, error);
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles + 3 * i, *const before = end;
        end = add_triangle(end, number, t[0], t[1], t[2]);
        out->mended.flat += end == before;
    }
    for (size_t i = 0; i < mesh->quad_count; i++) {
        const uint32_t *q = mesh->quads + 4 * i, from = cut_second(out->points.data, q), *const before = end;
        end = add_triangle(end, number, q[from], q[from + 1], q[from + 2]);
        end = add_triangle(end, number, q[from], q[from + 2], q[(from + 3) % 4]);
        out->mended.flat += end == before;
    }
    out->corners.count = (size_t)(end - to);
    return out->corners.count || pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the collider's mesh has no face with three places");
}

/* Turns triangles that look the other way than their neighbours, which would be a gate through a closed mesh. A part looks outwards or, as a room
 * does, inwards as the larger share of its area does. */
static bool turn_faces(const pliant_allocator *a, pliant__facet_list *out, pliant_error *error)
{
    pliant__scratch        s = {.allocator = a, .error = error};
    pliant__triangles      t;
    pliant__patches        p;
    const pliant_mesh_view view =
        pliant_mesh_view_of(out->points.data, sizeof *out->points.data, out->points.count, out->corners.data, out->corners.count / 3);
    const bool ok = pliant__triangles_take(&s, &view, &t) && pliant__find_patches(&s, &t, NULL, &p);
    for (size_t i = 0; ok && !p.unorientable && i < t.count; i++) {
        uint32_t *corner = out->corners.data + 3 * i, swap = corner[1];
        if (!p.turned[i]) continue;
        corner[1] = corner[2];
        corner[2] = swap;
        out->mended.turned++;
    }
    pliant__scratch_drop(&s, 0);
    return ok;
}

bool pliant__read_mesh_facets(const pliant_allocator *a, const pliant_mesh_view *mesh, pliant__facet_list *out, pliant_error *error)
{
    if (!read_points(a, mesh, out, error)) return false;
    const size_t vertices = mesh->vertex_count;
    if (mesh->triangle_count > MOST || mesh->quad_count > MOST / 2 || mesh->triangle_count + 2 * mesh->quad_count > MOST)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the collider's mesh has too many faces");
    if (!mesh->triangle_count && !mesh->quad_count)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the collider's mesh has no triangles and no quads");
    if (!check_faces(mesh->triangles, mesh->triangle_count, 3, vertices, "triangle", error) ||
        !check_faces(mesh->quads, mesh->quad_count, 4, vertices, "quad", error))
        return false;
    uint32_t *number = pliant__alloc_array(a, vertices, sizeof *number), places;
    if (!number) return fail_memory(vertices * sizeof *number, error);
    bool ok = pliant__weld(a, out->points.data, (uint32_t)vertices, 0, number, &places, error) &&
              pliant__join_parted(a, mesh, number, &places, &out->mended, error) && add_faces(a, mesh, number, out, error);
    for (size_t v = 0, next = 0; ok && v < vertices; v++) /* number[v] <= v, and the first of a place counts */
        if (number[v] == next) out->points.data[next++] = out->points.data[v];
    if (ok) out->points.count = places;
    ok = ok && turn_faces(a, out, error);
    pliant__free(a, number);
    return ok;
}

bool pliant__read_hull_facets(const pliant_allocator *a, const pliant_mesh_view *mesh, pliant__facet_list *out, pliant_error *error)
{
    return read_points(a, mesh, out, error) && pliant__make_hull(a, out, error);
}
