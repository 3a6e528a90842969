#include "scene/surface.h"

bool pliant__take_surface(pliant__builder *b, uint64_t vertices, uint64_t triangles, uint64_t quads, pliant__surface *out)
{
    memset(out, 0, sizeof *out);
    if (!pliant__fits(0, vertices, "vertices", b->error) || !pliant__fits(0, triangles, "triangles", b->error) ||
        !pliant__fits(0, quads, "quads", b->error) || !pliant__fits(3 * triangles, 4 * quads, "corners of faces", b->error))
        return false;
    out->vertex_count = (uint32_t)vertices;
    out->x = pliant__take(b, vertices, sizeof *out->x, "positions");
    out->corners = pliant__take(b, 3 * triangles + 4 * quads, sizeof *out->corners, "faces");
    out->faces.corners = out->corners;
    out->faces.triangle_count = (size_t)triangles;
    out->faces.quad_count = (size_t)quads;
    return out->x && out->corners;
}

/* Copies one kind of face and checks its indices. */
static bool copy_faces(pliant__builder *b, const uint32_t *from, size_t count, uint32_t size, const char *name, const pliant__surface *s,
                       uint32_t *to)
{
    for (size_t i = 0; i < count * size; i++) {
        if (from[i] >= s->vertex_count)
            return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "%s %zu uses vertex %u of a mesh with %u vertices", name, i / size,
                                from[i], s->vertex_count);
        to[i] = from[i];
    }
    return true;
}

/* Texture coordinates of a body with a texture. */
static bool copy_uvs(pliant__builder *b, const float *from, pliant__surface *out)
{
    const size_t corners = pliant__corner_count(&out->faces);
    if ((b->body.picture == PLIANT__NONE && !b->lays_out) || !from) return true;
    out->uvs = pliant__take(b, 2 * (uint64_t)corners, sizeof *out->uvs, "texture coordinates");
    if (!out->uvs) return false;
    for (size_t i = 0; i < 2 * corners; i++) {
        if (from[i] - from[i] != 0)
            return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "corner %zu: a texture coordinate is not a finite number", i / 2);
        out->uvs[i] = from[i] + 0;
    }
    return true;
}

bool pliant__read_surface(pliant__builder *b, const pliant_mesh_view *mesh, const char *what, pliant__surface *out)
{
    if (!mesh->positions || !mesh->vertex_count) return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "%s has no vertices", what);
    const size_t triangles = mesh->triangle_count, quads = mesh->quad_count;
    if (!triangles && !quads) return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "%s has no triangles and no quads", what);
    if ((triangles && !mesh->triangles) || (quads && !mesh->quads))
        return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "%s counts %s, but points to none", what,
                            triangles && !mesh->triangles ? "triangles" : "quads");
    return pliant__take_surface(b, mesh->vertex_count, triangles, quads, out) &&
           pliant__read_positions(b, mesh->positions, mesh->stride, mesh->vertex_count, what, out->x) &&
           copy_faces(b, mesh->triangles, triangles, 3, "triangle", out, out->corners) &&
           copy_faces(b, mesh->quads, quads, 4, "quad", out, out->corners + 3 * triangles) && copy_uvs(b, mesh->uvs, out);
}

static double distance(pliant_vec3 a, pliant_vec3 b)
{
    const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

/* Whether a quad is cut from its corner 1 to 3. */
static bool cut_second(const pliant__surface *s, size_t quad, uint32_t columns)
{
    if (columns) return (quad % columns + quad / columns) & 1;
    const uint32_t *c = s->corners + 3 * s->faces.triangle_count + 4 * quad;
    const double    first = distance(s->x[c[0]], s->x[c[2]]), second = distance(s->x[c[1]], s->x[c[3]]);
    return second < first * 0.999;
}

bool pliant__cut_quads(pliant__builder *b, pliant__surface *s, uint32_t columns)
{
    const size_t triangles = s->faces.triangle_count, quads = s->faces.quad_count;
    s->cut_count = triangles + 2 * quads;
    s->cut = pliant__take(b, 3 * (uint64_t)s->cut_count, sizeof *s->cut, "triangles");
    if (!s->cut) return false;
    for (size_t i = 0; i < 3 * triangles; i++) s->cut[i] = (uint32_t)i;
    for (size_t q = 0; q < quads; q++) {
        const bool second = cut_second(s, q, columns);
        for (uint32_t k = 0; k < 6; k++)
            s->cut[3 * triangles + 6 * q + k] = (uint32_t)(3 * triangles + 4 * q) + pliant__cut_corner(second, k);
    }
    return true;
}

bool pliant__cut_faces(pliant__builder *b, pliant__surface *s)
{
    const size_t corners = 3 * s->cut_count;
    uint32_t    *cut = pliant__take(b, corners, sizeof *cut, "faces");
    float       *uvs = s->uvs ? pliant__take(b, 2 * (uint64_t)corners, sizeof *uvs, "texture coordinates") : NULL;
    if (!cut || (s->uvs && !uvs)) return false;
    for (size_t i = 0; i < corners; i++) {
        cut[i] = s->corners[s->cut[i]];
        if (uvs) memcpy(uvs + 2 * i, s->uvs + 2 * (size_t)s->cut[i], 2 * sizeof *uvs);
        s->cut[i] = (uint32_t)i;
    }
    s->corners = cut;
    s->uvs = uvs;
    s->faces = (pliant__faces){cut, s->cut_count, 0};
    return true;
}

bool pliant__build_faces(pliant__builder *b, const pliant__surface *s)
{
    pliant_scene *scene = b->scene;
    const size_t  faces = s->faces.triangle_count + s->faces.quad_count, corners = pliant__corner_count(&s->faces);
    if (!faces) return true;
    if (!pliant__fits(scene->face_indices.count, corners, "corners of faces", b->error)) return false;
    uint32_t *sizes = array_extend(&scene->allocator, &scene->face_sizes, faces);
    uint32_t *indices = sizes ? array_extend(&scene->allocator, &scene->face_indices, corners) : NULL;
    uint8_t  *cuts = indices ? array_extend(&scene->allocator, &scene->face_cuts, faces) : NULL;
    if (!cuts) return pliant__fail_memory(b->error, (faces + corners) * sizeof *sizes + faces, "faces");
    for (size_t i = 0; i < faces; i++) sizes[i] = i < s->faces.triangle_count ? 3 : 4;
    memcpy(indices, s->corners, corners * sizeof *indices);
    for (size_t i = s->faces.triangle_count; i < faces; i++) { /* the third corner that it is cut at: 2 or 3 */
        const size_t quad = i - s->faces.triangle_count, first = 3 * s->faces.triangle_count;
        cuts[i] = s->cut[first + 6 * quad + 2] == first + 4 * quad + 3;
    }
    if (s->uvs) {
        if (!pliant__fits(scene->face_uvs.count, 2 * (uint64_t)corners, "texture coordinates", b->error)) return false;
        float *uvs = array_extend(&scene->allocator, &scene->face_uvs, 2 * corners);
        if (!uvs) return pliant__fail_memory(b->error, 2 * corners * sizeof *uvs, "texture coordinates");
        memcpy(uvs, s->uvs, 2 * corners * sizeof *uvs);
    }
    b->body.face_count = (uint32_t)faces;
    b->body.face_index_count = (uint32_t)corners;
    return true;
}

bool pliant__build_triangles(pliant__builder *b, const uint32_t *triangles, size_t count)
{
    pliant_scene *scene = b->scene;
    if (!count) return true;
    if (!pliant__fits(scene->triangles.count, 3 * (uint64_t)count, "corners of triangles", b->error)) return false;
    uint32_t *out = array_extend(&scene->allocator, &scene->triangles, 3 * count);
    if (!out) return pliant__fail_memory(b->error, 3 * count * sizeof *out, "triangles");
    for (size_t i = 0; i < 3 * count; i++) out[i] = b->body.first_particle + triangles[i];
    b->body.triangle_count = (uint32_t)count;
    return true;
}
