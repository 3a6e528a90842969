/* Tetrahedra written to files. A format is a row of the table and a function that puts a text together.
 *
 *   .node, .ele   TetGen's pair, see tetgen.c; numbers from 1. TetGen turns tetrahedra the other way than Pliant
 *   .msh          Gmsh 4.1, ASCII: one volume; node and element numbers from 1
 *   .vtk          legacy VTK, ASCII: an unstructured grid
 *
 * output.c knows such files by their first bytes. */
#include "base/float_env.h"
#include "io/files/file.h"
#include "io/files/text.h"
#include "io/mesh/tets.h"
#include "surface/point.h"

#include <stdlib.h>
#include <string.h>

static bool put_text(pliant__bytes *to, const char *text) { return pliant__put(to, text, strlen(text)); }

static bool put_point(pliant__bytes *to, const pliant_tets *t, size_t i)
{
    const pliant_real *x = t->positions + 3 * i;
    return pliant__put_number(to, (double)x[0], ' ') && pliant__put_number(to, (double)x[1], ' ') &&
           pliant__put_number(to, (double)x[2], '\n');
}

static bool put_corners(pliant__bytes *to, const uint32_t *tet, const int order[4], uint32_t base)
{
    bool ok = true;
    for (int k = 0; ok && k < 4; k++) ok = pliant__put_count(to, (uint64_t)tet[order[k]] + base, k < 3 ? ' ' : '\n');
    return ok;
}

static const int straight[4] = {0, 1, 2, 3}, turned[4] = {0, 1, 3, 2};

/* ---- TetGen ---- */

static bool put_node(pliant__bytes *to, const pliant_tets *t)
{
    bool ok = put_text(to, "# pliant mesh\n") && pliant__put_count(to, t->vertex_count, ' ') && put_text(to, "3 0 0\n");
    for (size_t i = 0; ok && i < t->vertex_count; i++) ok = pliant__put_count(to, i + 1, ' ') && put_point(to, t, i);
    return ok;
}

static bool put_ele(pliant__bytes *to, const pliant_tets *t)
{
    bool ok = put_text(to, "# pliant mesh\n") && pliant__put_count(to, t->tetrahedron_count, ' ') && put_text(to, "4 0\n");
    for (size_t i = 0; ok && i < t->tetrahedron_count; i++)
        ok = pliant__put_count(to, i + 1, ' ') && put_corners(to, t->tetrahedra + 4 * i, turned, 1);
    return ok;
}

/* ---- Gmsh ---- */

static bool put_bounds(pliant__bytes *to, const pliant_tets *t)
{
    pliant__box box = pliant__box_empty();
    for (size_t i = 0; i < t->vertex_count; i++)
        pliant__box_take(&box, p_of((double)t->positions[3 * i], (double)t->positions[3 * i + 1], (double)t->positions[3 * i + 2]));
    bool ok = true;
    for (int k = 0; ok && k < 6; k++) ok = pliant__put_number(to, k < 3 ? box.low[k] : box.high[k - 3], ' ');
    return ok;
}

static bool put_msh(pliant__bytes *to, const pliant_tets *t)
{
    bool ok = put_text(to, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 ") && put_bounds(to, t) &&
              put_text(to, "0 0\n$EndEntities\n$Nodes\n1 ") && pliant__put_count(to, t->vertex_count, ' ') && put_text(to, "1 ") &&
              pliant__put_count(to, t->vertex_count, '\n') && put_text(to, "3 1 0 ") && pliant__put_count(to, t->vertex_count, '\n');
    for (size_t i = 0; ok && i < t->vertex_count; i++) ok = pliant__put_count(to, i + 1, '\n');
    for (size_t i = 0; ok && i < t->vertex_count; i++) ok = put_point(to, t, i);
    ok = ok && put_text(to, "$EndNodes\n$Elements\n1 ") && pliant__put_count(to, t->tetrahedron_count, ' ') && put_text(to, "1 ") &&
         pliant__put_count(to, t->tetrahedron_count, '\n') && put_text(to, "3 1 4 ") && pliant__put_count(to, t->tetrahedron_count, '\n');
    for (size_t i = 0; ok && i < t->tetrahedron_count; i++)
        ok = pliant__put_count(to, i + 1, ' ') && put_corners(to, t->tetrahedra + 4 * i, straight, 1);
    return ok && put_text(to, "$EndElements\n");
}

/* ---- VTK ---- */

static bool put_vtk(pliant__bytes *to, const pliant_tets *t)
{
    bool ok = put_text(to, "# vtk DataFile Version 3.0\npliant mesh\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS ") &&
              pliant__put_count(to, t->vertex_count, ' ') && put_text(to, sizeof(pliant_real) == 8 ? "double\n" : "float\n");
    for (size_t i = 0; ok && i < t->vertex_count; i++) ok = put_point(to, t, i);
    ok = ok && put_text(to, "CELLS ") && pliant__put_count(to, t->tetrahedron_count, ' ') &&
         pliant__put_count(to, 5 * (uint64_t)t->tetrahedron_count, '\n');
    for (size_t i = 0; ok && i < t->tetrahedron_count; i++) ok = put_text(to, "4 ") && put_corners(to, t->tetrahedra + 4 * i, straight, 0);
    ok = ok && put_text(to, "CELL_TYPES ") && pliant__put_count(to, t->tetrahedron_count, '\n');
    for (size_t i = 0; ok && i < t->tetrahedron_count; i++) ok = put_text(to, "10\n");
    return ok;
}

/* ---- the table ---- */

static const struct format {
    const char *ending, *other; /* other: the second file of a pair; it is written second */
    bool (*put)(pliant__bytes *to, const pliant_tets *t);
    bool (*put_other)(pliant__bytes *to, const pliant_tets *t);
} formats[] = {{".node", ".ele", put_node, put_ele},
               {".ele", ".node", put_ele, put_node},
               {".msh", NULL, put_msh, NULL},
               {".vtk", NULL, put_vtk, NULL}};

static bool write_file(const char *path, const pliant_tets *t, bool (*put)(pliant__bytes *to, const pliant_tets *t), pliant_error *error)
{
    pliant__bytes       text = {0};
    bool                ok = put(&text, t) || pliant__fail_memory(error, text.count, path);
    const pliant__piece piece = {text.data, text.count};
    ok = ok && pliant__file_write(path, &piece, 1, error);
    array_free(NULL, &text);
    return ok;
}

static bool write_tets(const char *path, const pliant_tets *t, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    const struct format *format = NULL;
    if (!path || !*path || !t || !t->tetrahedron_count || !t->vertex_count)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "writing tetrahedra needs a path and tetrahedra");
    for (size_t i = 0; i < sizeof formats / sizeof *formats && !format; i++)
        if (pliant__path_ends(path, formats[i].ending)) format = &formats[i];
    if (!format) return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "tetrahedra are written to .node and .ele, .msh or .vtk");
    if (!write_file(path, t, format->put, error)) return false;
    if (!format->other) return true;
    char *other = pliant__path_beside(path, strlen(format->ending), format->other);
    bool  ok = other ? write_file(other, t, format->put_other, error) : pliant__fail_memory(error, strlen(path), "a path");
    free(other);
    return ok;
}

pliant_code pliant_tets_write(const char *path, const pliant_tets *t, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(write_tets(path, t, &why), &why, error);
}
