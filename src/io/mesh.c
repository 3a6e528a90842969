/* Surfaces from files: the table of formats, and what these share. */
#include "base/float_env.h"
#include "io/file.h"
#include "io/surface.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct format {
    const char *ending;
    bool (*read)(pliant__surface *surface, const char *text, size_t length);
} formats[] = {{".obj", pliant__obj_read}, {".ply", pliant__ply_read}};

enum { FORMATS = sizeof formats / sizeof *formats };

static const struct format *format_of(const char *path)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (pliant__path_ends(path, formats[i].ending)) return &formats[i];
    return NULL;
}

bool pliant__is_surface(const char *path) { return format_of(path) != NULL; }

void pliant__surface_endings(char *out, size_t size)
{
    size_t at = 0;
    for (size_t i = 0; i < FORMATS && at < size; i++) at += (size_t)snprintf(out + at, size - at, "%s%s", i ? ", " : "", formats[i].ending);
}

/* ---- building ---- */

bool pliant__surface_coordinate(pliant__surface *s, double value, int line)
{
    if (value - value != 0) return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, line, "a coordinate is not a finite number");
    if (value >= 3e38 || value <= -3e38) return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, line, "a coordinate is too large");
    return array_push(NULL, &s->positions, (pliant_real)value) ||
           pliant__fail_memory(s->error, s->positions.count * sizeof(pliant_real), s->path);
}

static bool check_corners(pliant__surface *s, const uint32_t *corners, size_t count, int line)
{
    const size_t vertices = s->positions.count / 3;
    if (count < 3) return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, line, "a face has at least three corners");
    for (size_t i = 0; i < count; i++) {
        if (corners[i] >= vertices)
            return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, line, "a face has vertex %u, and there are %zu vertices",
                                   s->base + corners[i], vertices);
        for (size_t j = 0; j < i && count <= 64; j++)
            if (corners[i] == corners[j])
                return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, line, "a face has vertex %u twice", s->base + corners[i]);
    }
    return true;
}

bool pliant__surface_face(pliant__surface *s, const uint32_t *corners, size_t count, int line)
{
    bool ok = true;
    if (!check_corners(s, corners, count, line)) return false;
    if (count == 4) {
        for (int i = 0; i < 4 && ok; i++) ok = array_push(NULL, &s->quads, corners[i]);
    } else {
        for (size_t i = 2; i < count && ok; i++)
            ok = array_push(NULL, &s->triangles, corners[0]) && array_push(NULL, &s->triangles, corners[i - 1]) &&
                 array_push(NULL, &s->triangles, corners[i]);
    }
    return ok || pliant__fail_memory(s->error, count * sizeof *corners, s->path);
}

/* ---- the public face ---- */

static bool read_surface(pliant__surface *s, const struct format *format, const char *text, size_t length)
{
    if (!format->read(s, text, length)) return false;
    if (s->positions.count == 0) return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, 0, "the mesh is empty: no vertices");
    return s->triangles.count + s->quads.count > 0 ||
           pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, 0, "the mesh is empty: no faces");
}

bool pliant_mesh_load(const char *path, pliant_mesh *mesh, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!path || !mesh) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a mesh needs a path and a place to go");
    memset(mesh, 0, sizeof *mesh);
    pliant_error         own = {0};
    pliant__surface      s = {.path = path, .error = error ? error : &own};
    const struct format *format = format_of(path);
    size_t               length;
    char                *text = pliant__file_read(path, &length, s.error);
    if (!text) return false;
    bool ok = read_surface(&s, format ? format : &formats[0], text, length);
    *mesh =
        (pliant_mesh){s.positions.data, s.positions.count / 3, s.triangles.data, s.triangles.count / 3, s.quads.data, s.quads.count / 4};
    if (!ok) pliant_mesh_free(mesh);
    free(text);
    return ok;
}

void pliant_mesh_free(pliant_mesh *mesh)
{
    if (!mesh) return;
    pliant__free(NULL, mesh->positions);
    pliant__free(NULL, mesh->triangles);
    pliant__free(NULL, mesh->quads);
    memset(mesh, 0, sizeof *mesh);
}

pliant_mesh_view pliant_mesh_view_from(const pliant_mesh *mesh)
{
    static const pliant_mesh none = {0};
    if (!mesh) mesh = &none;
    pliant_mesh_view view = {mesh->positions, 3 * sizeof(pliant_real), mesh->vertex_count, mesh->triangles, mesh->triangle_count,
                             mesh->quads,     mesh->quad_count};
    return view;
}
