/* Surfaces written to files. A format is a row of the table and a function that puts a text together. output.c knows their files by the first
 * bytes. */
#include "base/float_env.h"
#include "io/files/file.h"
#include "io/files/text.h"
#include "pliant/io.h"

#include <string.h>

static bool put_text(pliant__bytes *to, const char *text) { return pliant__put(to, text, strlen(text)); }

static bool put_points(pliant__bytes *to, const char *before, const pliant_mesh *m)
{
    bool ok = true;
    for (size_t i = 0; ok && i < 3 * m->vertex_count; i++)
        ok = (i % 3 || put_text(to, before)) && pliant__put_number(to, (double)m->positions[i], i % 3 == 2 ? '\n' : ' ');
    return ok;
}

static bool put_faces(pliant__bytes *to, const char *before, const uint32_t *corners, size_t count, uint32_t size, uint32_t base)
{
    bool ok = true;
    for (size_t i = 0; ok && i < size * count; i++)
        ok = (i % size || put_text(to, before)) && pliant__put_count(to, (uint64_t)corners[i] + base, i % size + 1 == size ? '\n' : ' ');
    return ok;
}

static bool put_obj(pliant__bytes *to, const pliant_mesh *m)
{
    return put_text(to, "# pliant mesh\n") && put_points(to, "v ", m) && put_faces(to, "f ", m->triangles, m->triangle_count, 3, 1) &&
           put_faces(to, "f ", m->quads, m->quad_count, 4, 1);
}

static bool put_ply(pliant__bytes *to, const pliant_mesh *m)
{
    static const char *const axes[] = {" x\n", " y\n", " z\n"};
    bool ok = put_text(to, "ply\nformat ascii 1.0\ncomment pliant mesh\nelement vertex ") && pliant__put_count(to, m->vertex_count, '\n');
    for (int k = 0; ok && k < 3; k++)
        ok = put_text(to, sizeof(pliant_real) == 8 ? "property double" : "property float") && put_text(to, axes[k]);
    return ok && put_text(to, "element face ") && pliant__put_count(to, m->triangle_count + m->quad_count, '\n') &&
           put_text(to, "property list uchar int vertex_indices\nend_header\n") && put_points(to, "", m) &&
           put_faces(to, "3 ", m->triangles, m->triangle_count, 3, 0) && put_faces(to, "4 ", m->quads, m->quad_count, 4, 0);
}

static const struct format {
    const char *ending;
    bool (*put)(pliant__bytes *to, const pliant_mesh *m);
} formats[] = {{".obj", put_obj}, {".ply", put_ply}};

static bool write_mesh(const char *path, const pliant_mesh *mesh, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!path || !*path || !mesh || !mesh->vertex_count)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "writing a mesh needs a path and a mesh");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (!pliant__path_ends(path, formats[i].ending)) continue;
        pliant__bytes       text = {0};
        bool                ok = formats[i].put(&text, mesh) || pliant__fail_memory(error, text.count, path);
        const pliant__piece piece = {text.data, text.count};
        ok = ok && pliant__file_write(path, &piece, 1, error);
        array_free(NULL, &text);
        return ok;
    }
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "surfaces are written to .obj or .ply");
}

pliant_code pliant_mesh_write(const char *path, const pliant_mesh *mesh, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(write_mesh(path, mesh, &why), &why, error);
}
