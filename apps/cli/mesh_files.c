/* pliant mesh: the files that it reads and writes. */
#include "mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files that are there ---- */

static const struct written {
    const char   *ending, *other; /* other: ending of the second file of a pair */
    pliant_output what;
} writes[] = {
    {".node", ".ele", PLIANT_OUTPUT_MESH},  {".ele", ".node", PLIANT_OUTPUT_MESH},   {".obj", NULL, PLIANT_OUTPUT_MESH},
    {".ply", NULL, PLIANT_OUTPUT_MESH_PLY}, {".msh", NULL, PLIANT_OUTPUT_MESH_GMSH}, {".vtk", NULL, PLIANT_OUTPUT_MESH_VTK},
};

/* The name of the other file of a pair, in capitals where the one is. From malloc. */
static char *name_beside(const char *path, const char *other)
{
    const size_t length = strlen(path), head = (size_t)(strrchr(path, '.') - path) + 1;
    const bool   capitals = path[head] >= 'A' && path[head] <= 'Z';
    char        *name = malloc(length + strlen(other) + 1);
    if (!name) return NULL;
    memcpy(name, path, head);
    strcpy(name + head, other + 1);
    for (char *c = name + head; capitals && *c; c++) *c = (char)(*c - 'a' + 'A');
    return name;
}

bool mesh_may_write(const mesh_options *o, pliant_error *error)
{
    bool ok = !o->scene || cli_may_write(o->scene, PLIANT_OUTPUT_MESH_SCENE, o->force, error);
    for (size_t i = 0; ok && i < sizeof writes / sizeof *writes; i++) {
        const struct written *w = &writes[i];
        if (!cli_ends_with(o->output, w->ending)) continue;
        ok = cli_may_write(o->output, w->what, o->force, error);
        char *other = ok && w->other ? name_beside(o->output, w->other) : NULL;
        if (other) ok = cli_may_write(other, w->what, o->force, error);
        free(other);
    }
    return ok;
}

/* ---- reading ---- */

static void print_frame(const mesh_options *o, const pliant_mesh *surface)
{
    const char *path = o->operands.operand[0];
    char        text[512];
    snprintf(text, sizeof text, "%.255s: its unit is %.6g m, as the file says; what is made of it is in metres", path, surface->unit);
    if (surface->unit > 0 && (surface->unit < 1 || surface->unit > 1)) cli_print_notice(text, NULL);
    snprintf(text, sizeof text, "%.255s: z is up, as the file says; it is turned", path);
    if (surface->up == 'z') cli_print_notice(text, NULL);
    snprintf(text, sizeof text, "%.255s: neither y nor z is up, as the file says; it is taken as it is", path);
    if (surface->up == 'x') cli_print_notice(text, NULL);
}

bool mesh_load(const mesh_options *o, bool as_is, pliant_mesh *surface, pliant_error *error)
{
    pliant_import_def def = pliant_import_def_default();
    def.as_is = as_is;
    if (pliant_mesh_import(o->operands.operand[0], &def, surface, error) != PLIANT_OK) return false;
    if (!o->quiet) print_frame(o, surface);
    if (pliant_positions_convert(surface->positions, surface->vertex_count, surface->unit, surface->up, error) == PLIANT_OK) return true;
    pliant_mesh_free(surface);
    return false;
}
