#include "io/scene/facets.h"

#include "base/vec.h"

static bool scale_points(pliant__reader *r, const pliant__node *node, const pliant__facet_spec *s, pliant_real *x, size_t count)
{
    for (size_t i = 0; i < 3 * count; i++) {
        x[i] *= s->scale;
        if (!r_finite(x[i])) return pliant__complain(r, node, "point %zu, scaled, is not finite", i / 3);
    }
    return true;
}

static bool read_file(pliant__reader *r, const pliant__node *node, pliant__facet_spec *s, pliant_collider_def *def, pliant_mesh *mesh)
{
    const pliant__node *file = pliant__node_get(node, "mesh"), *inlined = s->points ? s->points : s->triangles;
    if (inlined) return pliant__complain(r, inlined, "the collider has a \"mesh\" already");
    s->file.sized = pliant__node_get(node, "scale") != NULL;
    if (!pliant__load_surface(r, file, s->mesh, &s->file, mesh)) return false;
    def->mesh = pliant_mesh_view_from(mesh);
    return scale_points(r, file, s, mesh->positions, mesh->vertex_count);
}

static bool read_points(pliant__reader *r, const pliant__facet_spec *s, pliant_collider_def *def)
{
    if (!pliant__read_list(r, s->points, 1, "points")) return false;
    pliant_vec3 *x = pliant__read_memory(r, s->points->count, sizeof *x), *p = x;
    if (!x) return false;
    for (const pliant__node *n = s->points->first; n; n = n->next)
        if (!pliant__read_vec3(r, n, p++)) return false;
    def->mesh.positions = x;
    def->mesh.stride = sizeof *x;
    def->mesh.vertex_count = s->points->count;
    return scale_points(r, s->points, s, &x->x, s->points->count);
}

static bool read_triangles(pliant__reader *r, const pliant__facet_spec *s, pliant_collider_def *def)
{
    if (!pliant__read_list(r, s->triangles, 1, "triangles")) return false;
    uint32_t *corners = pliant__read_memory(r, 3 * (size_t)s->triangles->count, sizeof *corners), *to = corners;
    if (!corners) return false;
    for (const pliant__node *n = s->triangles->first; n; n = n->next) {
        if (n->type != PLIANT__NODE_LIST || n->count != 3) return pliant__expected(r, n, "three numbers of points");
        for (const pliant__node *c = n->first; c; c = c->next)
            if (!pliant__read_count(r, c, 0, (double)s->points->count - 1, to++)) return false;
    }
    def->mesh.triangles = corners;
    def->mesh.triangle_count = s->triangles->count;
    return true;
}

bool pliant__read_facets(pliant__reader *r, const pliant__node *node, pliant__facet_spec *s, pliant_collider_def *def, pliant_mesh *mesh)
{
    const pliant__node *units = pliant__node_get(node, "units"), *of_files = units ? units : pliant__node_get(node, "up");
    if (s->mesh) return read_file(r, node, s, def, mesh);
    if (of_files) return pliant__complain(r, of_files, "the collider has no file that this could be said of");
    if (def->shape == PLIANT_SHAPE_HULL && !s->points) return pliant__complain(r, node, "a hull needs a \"mesh\" or \"points\"");
    if (def->shape == PLIANT_SHAPE_MESH && !(s->points && s->triangles))
        return pliant__complain(r, node, "a mesh needs a \"mesh\", or \"points\" and \"triangles\"");
    return read_points(r, s, def) && (!s->triangles || read_triangles(r, s, def));
}

bool pliant__read_heights(pliant__reader *r, const pliant__facet_spec *s, pliant_collider_def *def)
{
    if (!pliant__read_list(r, s->heights, 2, "heights")) return false;
    const size_t columns = s->heights->first->type == PLIANT__NODE_LIST ? s->heights->first->count : 0;
    pliant_real *height = pliant__read_memory(r, columns * s->heights->count, sizeof *height), *to = height;
    if (!height) return false;
    for (const pliant__node *row = s->heights->first; row; row = row->next) {
        if (!pliant__read_list(r, row, 2, "numbers")) return false;
        if (row->count != columns) return pliant__complain(r, row, "%u heights in a row; the first row has %zu", row->count, columns);
        for (const pliant__node *n = row->first; n; n = n->next)
            if (!pliant__read_real(r, n, -1e15, 1e15, false, to++)) return false;
    }
    def->heights = height;
    def->columns = (uint32_t)columns;
    def->rows = s->heights->count;
    return true;
}
