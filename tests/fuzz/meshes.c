/* Readers of meshes and of points that move. */
#include "readers.h"

#include "base/alloc.h"
#include "io/mesh/gltf_uvs.h"
#include "io/mesh/import.h"
#include "io/motion/points.h"
#include "io/mesh/surface.h"
#include "io/mesh/tets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- surfaces ---- */

static void look_at_surface(size_t vertices, const pliant_real *positions, size_t triangles, const uint32_t *corners, size_t quads,
                            const uint32_t *quad_corners)
{
    for (size_t i = 0; i < 3 * triangles; i++) PROMISE(corners[i] < vertices);
    for (size_t i = 0; i < 4 * quads; i++) PROMISE(quad_corners[i] < vertices);
    for (size_t i = 0; i < 3 * vertices; i++) PROMISE(positions[i] - positions[i] == 0);
}

/* A format that is read is one of those that are said to be. */
static bool is_listed(const char *path)
{
    const char *ending = strrchr(path, '.');
    for (uint32_t i = 0; pliant_mesh_format_at(i); i++)
        if (ending && strcmp(pliant_mesh_format_at(i)->ending, ending) == 0) return true;
    return false;
}

static void look_at_uvs(const float *uvs, size_t triangles, size_t quads)
{
    for (size_t i = 0; uvs && i < 6 * triangles + 8 * quads; i++) PROMISE(uvs[i] - uvs[i] == 0);
}

/* What asks for texture coordinates gets the same mesh with them, or hears what is wrong with them. */
static void read_uvs(const target *t, const pliant_mesh *without)
{
    pliant_error      error = {0};
    pliant_mesh       mesh;
    pliant_import_def def = pliant_import_def_default();
    def.uvs = true;
    if (pliant_mesh_import(t->file, &def, &mesh, &error) != PLIANT_OK) {
        target_refused(&error);
        return;
    }
    PROMISE(without && mesh.vertex_count == without->vertex_count && mesh.triangle_count == without->triangle_count &&
            mesh.quad_count == without->quad_count);
    look_at_uvs(mesh.uvs, mesh.triangle_count, mesh.quad_count);
    pliant_mesh_free(&mesh);
}

bool read_mesh(const target *t, const unsigned char *data, size_t size)
{
    pliant_error error = {0};
    pliant_mesh  mesh;
    (void)data;
    (void)size;
    if (pliant_mesh_load(t->file, &mesh, &error) != PLIANT_OK) {
        read_uvs(t, NULL);
        return target_refused(&error);
    }
    read_uvs(t, &mesh);
    PROMISE(is_listed(t->file));
    look_at_surface(mesh.vertex_count, mesh.positions, mesh.triangle_count, mesh.triangles, mesh.quad_count, mesh.quads);
    if (pliant_positions_convert(mesh.positions, mesh.vertex_count, 1e30, 'z', &error) == PLIANT_OK)
        look_at_surface(mesh.vertex_count, mesh.positions, 0, NULL, 0, NULL);
    else
        target_refused(&error);
    pliant_mesh_free(&mesh);
    return true;
}

static bool read_answer_with(const target *t, const unsigned char *data, size_t size, bool uvs)
{
    pliant_error    error = {0};
    pliant__surface s = {.path = t->name, .error = &error, .wants_uvs = uvs};
    const bool      ok = pliant__import_read(&s, (const char *)data, size) || target_refused(&error);
    if (ok)
        look_at_surface(s.positions.count / 3, s.positions.data, s.triangles.count / 3, s.triangles.data, s.quads.count / 4, s.quads.data);
    if (ok && s.has_uvs) {
        PROMISE(s.triangle_uvs.count == 2 * s.triangles.count && s.quad_uvs.count == 2 * s.quads.count);
        look_at_uvs(s.triangle_uvs.data, s.triangles.count / 3, 0);
        look_at_uvs(s.quad_uvs.data, 0, s.quads.count / 4);
    }
    array_free(NULL, &s.triangle_uvs);
    array_free(NULL, &s.quad_uvs);
    array_free(NULL, &s.positions);
    array_free(NULL, &s.triangles);
    array_free(NULL, &s.quads);
    pliant__surface_forget_marks(&s);
    return ok;
}

/* What pliant-import wrote, or a program that stands where it should. */
bool read_answer(const target *t, const unsigned char *data, size_t size)
{
    const bool with = read_answer_with(t, data, size, true), without = read_answer_with(t, data, size, false);
    return with || without;
}

/* ---- tetrahedra ---- */

/* The same vertices in the same place. Where a file has only flat or turned tetrahedra, the last two corners may change places. */
static void look_at_same(const pliant_tets *a, const pliant_tets *b)
{
    PROMISE(a->vertex_count == b->vertex_count && a->tetrahedron_count == b->tetrahedron_count);
    for (size_t i = 0; i < 3 * a->vertex_count; i++) PROMISE(!(a->positions[i] < b->positions[i]) && !(a->positions[i] > b->positions[i]));
    for (size_t i = 0; i < a->tetrahedron_count; i++) {
        const uint32_t *v = a->tetrahedra + 4 * i, *w = b->tetrahedra + 4 * i;
        PROMISE(v[0] == w[0] && v[1] == w[1]);
        PROMISE((v[2] == w[2] && v[3] == w[3]) || (v[2] == w[3] && v[3] == w[2]));
    }
}

/* What was read is written in each format, and reads back. */
static void write_again(const pliant_tets *tets)
{
    static const char *const paths[] = {"again.node", "again.msh", "again.vtk"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        pliant_tets  again;
        pliant_error error = {0};
        PROMISE(pliant_tets_write(paths[i], tets, &error) == PLIANT_OK);
        PROMISE(pliant_tets_load(paths[i], &again, &error) == PLIANT_OK);
        look_at_same(tets, &again);
        pliant_tets_free(&again);
    }
}

bool read_tets(const target *t, const unsigned char *data, size_t size)
{
    pliant_error error = {0};
    pliant_tets  tets;
    (void)data;
    if (pliant_tets_load(t->path, &tets, &error) != PLIANT_OK) return target_refused(&error);
    for (size_t i = 0; i < 4 * tets.tetrahedron_count; i++) PROMISE(tets.tetrahedra[i] < tets.vertex_count);
    for (size_t i = 0; i < 3 * tets.vertex_count; i++) PROMISE(tets.positions[i] - tets.positions[i] == 0);
    if (size % 4 == 0) write_again(&tets); /* files take time */
    pliant_tets_free(&tets);
    return true;
}

/* ---- points that move ---- */

static void read_gltf_uvs(const target *t)
{
    const pliant_import_def def = pliant_import_def_default();
    pliant_error            error = {0};
    uint64_t                vertices = 0;
    float                  *uvs = NULL;
    if (!strstr(t->file, ".gl")) return;
    if (!pliant__gltf_uvs(t->file, &def, &uvs, &vertices, &error)) target_refused(&error);
    if (uvs) PROMISE(vertices < UINT32_MAX);
    pliant__free(NULL, uvs);
}

/* A file and its bytes in memory are read alike. */
bool read_points(const target *t, const unsigned char *data, size_t size)
{
    pliant_error   error = {0}, other = {0};
    pliant__points p, q;
    bool           ok = pliant__points_open_bytes(&p, t->file, data, size, NULL, &error);
    PROMISE(pliant__points_open(&q, t->file, NULL, &other) == ok && strcmp(error.message, other.message) == 0);
    if (ok) PROMISE(p.vertices && p.samples && q.vertices == p.vertices && q.samples == p.samples);
    if (ok && !p.format->objects) PROMISE((uint64_t)p.vertices * 12 * p.samples <= size);
    pliant_vec3 *x = ok ? calloc(p.vertices, 2 * sizeof *x) : NULL;
    for (uint32_t i = 0; x && ok && i < p.samples && i < 4; i++) {
        ok = pliant__points_read(&p, i, x, &error);
        PROMISE(pliant__points_read(&q, i, x + p.vertices, &other) == ok && strcmp(error.message, other.message) == 0);
        if (ok) PROMISE(memcmp(x, x + p.vertices, p.vertices * sizeof *x) == 0);
        for (uint32_t k = 0; ok && k < p.vertices; k++) PROMISE(x[k].x - x[k].x == 0 && x[k].y - x[k].y == 0 && x[k].z - x[k].z == 0);
    }
    for (uint32_t i = 0; ok && p.times && i < p.samples; i++) PROMISE(p.times[i] - p.times[i] == 0);
    free(x);
    pliant__points_close(&p);
    pliant__points_close(&q);
    read_gltf_uvs(t);
    return ok || target_refused(&error);
}
