/* Meshes and tetrahedra in memory: views of them, and their end. */
#include "base/alloc.h"
#include "pliant/io.h"

#include <string.h>

void pliant_mesh_free(pliant_mesh *mesh)
{
    if (!mesh) return;
    pliant__free(NULL, mesh->positions);
    pliant__free(NULL, mesh->triangles);
    pliant__free(NULL, mesh->quads);
    pliant__free(NULL, mesh->colors);
    pliant__free(NULL, mesh->uvs);
    if (mesh->group_count) pliant__free(NULL, mesh->groups[0].vertices);
    pliant__free(NULL, mesh->groups);
    memset(mesh, 0, sizeof *mesh);
}

pliant_mesh_view pliant_mesh_view_from(const pliant_mesh *mesh)
{
    static const pliant_mesh none = {0};
    if (!mesh) mesh = &none;
    pliant_mesh_view view = {mesh->positions, 3 * sizeof(pliant_real), mesh->vertex_count, mesh->triangles, mesh->triangle_count,
                             mesh->quads,     mesh->quad_count,        mesh->uvs};
    return view;
}

void pliant_tets_free(pliant_tets *tets)
{
    if (!tets) return;
    pliant__free(NULL, tets->positions);
    pliant__free(NULL, tets->tetrahedra);
    memset(tets, 0, sizeof *tets);
}

pliant_tet_view pliant_tet_view_from(const pliant_tets *tets)
{
    static const pliant_tets none = {0};
    if (!tets) tets = &none;
    pliant_tet_view view = {tets->positions, 3 * sizeof(pliant_real), tets->vertex_count, tets->tetrahedra, tets->tetrahedron_count};
    return view;
}
