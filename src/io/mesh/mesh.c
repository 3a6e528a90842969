/* Surfaces from files: the table of formats, and reading by it. */
#include "base/float_env.h"
#include "io/files/file.h"
#include "io/mesh/gltf_uvs.h"
#include "io/mesh/import_run.h"
#include "io/mesh/surface.h"
#include "io/mesh/tets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef bool reader(pliant__surface *surface, const char *text, size_t length);

/* A format that Pliant reads itself keeps the file's vertices in the file's order. The others are read by pliant-import, and `unit` and `up` are the
 * format's for every file, or as its reader turns it; where files have their own, pliant-import passes them on. */
static const struct format {
    pliant_mesh_format_info info;
    reader                 *read;
    const char             *beside; /* a file that has the vertices, read first */
    reader                 *read_beside;
    double                  unit;
    char                    up;
    bool                    in_order, loose;
} formats[] = {
    {{".obj", "Wavefront OBJ", false, false}, pliant__obj_read, NULL, NULL, 0, 0, true, false},
    {{".ply", "PLY, ASCII and binary", false, false}, pliant__ply_read, NULL, NULL, 0, 0, true, false},
    {{".face", "TetGen's surface, with its .node", false, false}, pliant__face_read, ".node", pliant__face_node_read, 0, 0, true, false},
    {{".stl", "STL", false, true}, NULL, NULL, NULL, 0, 0, true, true},
    {{".gltf", "glTF", false, true}, NULL, NULL, NULL, 1, 'y', false, false},
    {{".glb", "glTF", false, true}, NULL, NULL, NULL, 1, 'y', false, false},
    {{".fbx", "FBX", false, true}, NULL, NULL, NULL, 0, 0, false, false},
    {{".dae", "Collada", false, true}, NULL, NULL, NULL, 1, 'y', false, false},
    {{".3ds", "3DS", false, true}, NULL, NULL, NULL, 0, 'y', false, false},
    {{".off", "OFF", false, true}, NULL, NULL, NULL, 0, 0, false, false},
    {{".x", "DirectX X", false, true}, NULL, NULL, NULL, 0, 'y', false, false},
    {{".x3d", "X3D", false, true}, NULL, NULL, NULL, 1, 'y', false, false},
    {{".ac", "AC3D", false, true}, NULL, NULL, NULL, 0, 0, false, false},
    {{".dxf", "DXF", false, true}, NULL, NULL, NULL, 0, 'y', false, false},
};

enum { FORMATS = sizeof formats / sizeof *formats };

static const struct format *format_of(const char *path)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (pliant__path_ends(path, formats[i].info.ending)) return &formats[i];
    return NULL;
}

const pliant_mesh_format_info *pliant_mesh_format_at(uint32_t index)
{
    return index < FORMATS ? &formats[index].info : pliant__tets_format_at(index - FORMATS);
}

bool pliant__is_surface(const char *path) { return format_of(path) != NULL; }

void pliant__surface_endings(char *out, size_t size)
{
    size_t at = 0;
    for (size_t i = 0; i < FORMATS && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", i ? ", " : "", formats[i].info.ending);
}

char *pliant__surface_part(const char *path, bool *ok)
{
    const struct format *format = format_of(path);
    *ok = true;
    if (!format || !format->beside) return NULL;
    char *other = pliant__path_beside(path, strlen(format->info.ending), format->beside);
    *ok = other != NULL;
    return other;
}

/* ---- the public face ---- */

static bool read_file(pliant__surface *s, const char *path, reader *read)
{
    size_t length;
    char  *text = pliant__file_read(path, &length, s->error);
    if (!text) return false;
    s->path = path;
    const bool ok = read(s, text, length);
    free(text);
    return ok;
}

static bool read_own(pliant__surface *s, const char *path, const struct format *format)
{
    bool  ok;
    char *beside = pliant__surface_part(path, &ok);
    if (!ok) return pliant__fail_memory(s->error, strlen(path), "a path");
    ok = (!beside || read_file(s, beside, format->read_beside)) && read_file(s, path, format->read);
    free(beside);
    return ok;
}

static bool read_imported(pliant__surface *s, const char *path, const struct format *format, const pliant_import_def *def)
{
    size_t length;
    if (!pliant__file_is_there(path)) return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, path, 0, "No such file or directory");
    if (s->wants_uvs && strcmp(format->info.name, "glTF") == 0 &&
        !pliant__gltf_uvs(path, def, &s->vertex_uvs, &s->vertex_uv_count, s->error))
        return false;
    char *bytes = pliant__import_run(def, path, format->info.name, &length, s->error);
    if (!bytes) return false;
    const bool ok = pliant__import_read(s, bytes, length);
    free(bytes);
    return ok;
}

static bool read_surface(pliant__surface *s, const char *path, const struct format *format, const pliant_import_def *def)
{
    if (!(format->read ? read_own(s, path, format) : read_imported(s, path, format, def))) return false;
    s->path = path;
    if (s->positions.count == 0) return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, 0, "the mesh is empty: no vertices");
    return s->triangles.count + s->quads.count > 0 ||
           pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, 0, "the mesh is empty: no faces");
}

/* Those of the triangles, then those of the quads. */
static bool join_uvs(const pliant__surface *s, pliant_mesh *mesh)
{
    const size_t of_triangles = s->triangle_uvs.count, of_quads = s->quad_uvs.count;
    if (!s->has_uvs) return true;
    mesh->uvs = pliant__alloc_array(NULL, of_triangles + of_quads + 1, sizeof *mesh->uvs);
    if (!mesh->uvs) return pliant__fail_memory(s->error, (of_triangles + of_quads) * sizeof *mesh->uvs, s->path);
    memcpy(mesh->uvs, s->triangle_uvs.data, of_triangles * sizeof *mesh->uvs);
    memcpy(mesh->uvs + of_triangles, s->quad_uvs.data, of_quads * sizeof *mesh->uvs);
    return true;
}

static bool import_mesh(const char *path, const pliant_import_def *def, pliant_mesh *mesh, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    const pliant_import_def ours = pliant_import_def_default();
    if (!path || !mesh || (def && def->size != sizeof *def))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a mesh needs a path, a place to go, and a def from pliant_import_def_default");
    memset(mesh, 0, sizeof *mesh);
    if (!def) def = &ours;
    if (!(def->seconds > 0 && def->seconds <= 1e6) || !def->memory)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "pliant-import needs time, up to 1e6 s, and memory");
    pliant__surface      s = {.path = path, .error = error, .as_is = def->as_is, .wants_uvs = def->uvs};
    const struct format *format = format_of(path) ? format_of(path) : &formats[0];
    bool                 ok = read_surface(&s, path, format, def);
    *mesh = (pliant_mesh){.positions = s.positions.data,
                          .vertex_count = s.positions.count / 3,
                          .triangles = s.triangles.data,
                          .triangle_count = s.triangles.count / 3,
                          .quads = s.quads.data,
                          .quad_count = s.quads.count / 4,
                          .in_order = format->in_order,
                          .loose = format->loose,
                          .unit = s.unit > 0 ? s.unit : format->unit,
                          .up = s.up ? s.up : format->up,
                          .left_out = (size_t)s.left_out};
    ok = ok && join_uvs(&s, mesh) && pliant__surface_marks(&s, mesh);
    pliant__free(NULL, s.vertex_uvs);
    array_free(NULL, &s.triangle_uvs);
    array_free(NULL, &s.quad_uvs);
    pliant__surface_forget_marks(&s);
    if (!ok) pliant_mesh_free(mesh);
    return ok;
}

pliant_code pliant_mesh_import(const char *path, const pliant_import_def *def, pliant_mesh *mesh, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(import_mesh(path, def, mesh, &why), &why, error);
}

pliant_code pliant_mesh_load(const char *path, pliant_mesh *mesh, pliant_error *error)
{
    return pliant_mesh_import(path, NULL, mesh, error);
}

static bool convert_positions(pliant_real *positions, size_t vertex_count, double unit, char up, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if ((!positions && vertex_count) || !(unit >= 0 && unit < 3e38) || (up && (up < 'x' || up > 'z')))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "positions are converted by a unit that is not below 0, and with x, y or z up");
    if (unit == 0) unit = 1;
    for (size_t v = 0; v < vertex_count; v++) {
        pliant_real *x = positions + 3 * v;
        for (int k = 0; k < 3; k++) {
            const double metres = (double)x[k] * unit;
            if (!(metres < 3e38 && metres > -3e38))
                return pliant__fail(error, PLIANT_ERROR_INPUT, "vertex %zu: its unit makes a coordinate too large", v);
            x[k] = (pliant_real)metres;
        }
        if (up != 'z') continue;
        const pliant_real y = x[1];
        x[1] = x[2];
        x[2] = -y;
    }
    return true;
}

pliant_code pliant_positions_convert(pliant_real *positions, size_t vertex_count, double unit, char up, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(convert_positions(positions, vertex_count, unit, up, &why), &why, error);
}
