/* pliant mesh: tetrahedra for a surface, and a doctor for meshes. */
#include "mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .value = "FILE",
     .offset = offsetof(mesh_options, output),
     .text = "tetrahedra: FILE.node with FILE.ele, FILE.msh, or FILE.vtk; with --mend a surface: FILE.obj or FILE.ply"},
    {.name = "cells",
     .type = CLI_COUNT,
     .value = "N",
     .offset = offsetof(mesh_options, cells),
     .low = 1,
     .high = 65536,
     .text = "cells along the longest side; 16 by default"},
    {.name = "size",
     .type = CLI_REAL,
     .value = "LENGTH",
     .offset = offsetof(mesh_options, size),
     .low = 0,
     .high = 1e30,
     .text = "the length of a cell instead, in the units of the file; of an FBX in metres"},
    {.name = "margin",
     .type = CLI_REAL,
     .value = "LENGTH",
     .offset = offsetof(mesh_options, margin),
     .low = 0,
     .from_low = true,
     .high = 1e30,
     .text = "how far around the surface the cage reaches at least; 0 by default"},
    {.name = "whole",
     .type = CLI_FLAG,
     .offset = offsetof(mesh_options, whole),
     .text = "leave all cells whole, instead of drawing the cage to the surface"},
    {.name = "with",
     .type = CLI_WORD,
     .value = "PROGRAM",
     .words = "tetgen|gmsh",
     .offset = offsetof(mesh_options, with),
     .text = "tetgen or gmsh: let that program fill a closed surface, and keep its vertices"},
    {.name = "seconds",
     .type = CLI_COUNT,
     .value = "N",
     .offset = offsetof(mesh_options, seconds),
     .low = 1,
     .high = 1e6,
     .text = "how long that program may take; 600 by default"},
    {.name = "scene",
     .type = CLI_TEXT,
     .value = "FILE",
     .offset = offsetof(mesh_options, scene),
     .text = "also write a scene in which the body falls on a floor"},
    {.name = "doctor", .type = CLI_FLAG, .offset = offsetof(mesh_options, doctor), .text = "say what is wrong with the mesh"},
    {.name = "mend", .type = CLI_FLAG, .offset = offsetof(mesh_options, mend), .text = "mend what can be mended, and write it to -o"},
    {.name = "holes",
     .type = CLI_COUNT,
     .value = "N",
     .offset = offsetof(mesh_options, holes),
     .low = 0,
     .high = MESH_MOST_HOLES,
     .initial = CLI_UNSAID,
     .text = "--mend: fill holes of up to N edges; 64 by default"},
    {.name = "scale",
     .type = CLI_REAL,
     .value = "S",
     .offset = offsetof(mesh_options, scale),
     .low = 0,
     .high = 1e30,
     .text = "--mend: multiply all lengths, 0.001 for millimetres; --scene: by how much the scene scales the body"},
    CLI_OPTION_FORCE(mesh_options),
    {.name = "json", .type = CLI_FLAG, .offset = offsetof(mesh_options, json), .text = "print it as one line of JSON"},
    {.name = "quiet", .letter = 'q', .type = CLI_FLAG, .offset = offsetof(mesh_options, quiet), .text = "say nothing"},
};

/* ---- notes ---- */

static void print_text(const mesh_options *o, const pliant_mesh *surface, const pliant_tets *tets, const pliant_cage_info *info,
                       size_t mapped)
{
    printf("wrote %s: %zu vertices, %zu tetrahedra\n", o->output, tets->vertex_count, tets->tetrahedron_count);
    if (o->with) {
        const bool all = mapped == surface->vertex_count;
        printf("vertices 0 to %zu are the %zu of the surface%s, in its order\n", mapped - 1, mapped,
               all ? "" : " that differ and are used");
        return;
    }
    printf("%u x %u x %u cells of %.4g m, %u part%s; dihedral angles from %.1f to %.1f degrees\n", info->cells[0], info->cells[1],
           info->cells[2], info->cell, info->parts, info->parts == 1 ? "" : "s", info->least_angle, info->greatest_angle);
    printf("volume %.4g m3", info->volume);
    if (!info->open_edges) printf("; the surface's %.4g m3", info->surface_volume);
    printf("\n");
}

static void print_json(const mesh_options *o, const pliant_tets *tets, const pliant_cage_info *info, size_t mapped)
{
    printf("{\"file\": ");
    cli_print_json_text(o->output);
    printf(", \"vertices\": %zu, \"tetrahedra\": %zu", tets->vertex_count, tets->tetrahedron_count);
    if (o->with) {
        printf(", \"with\": \"%s\", \"surface_vertices\": %zu}\n", o->with, mapped);
        return;
    }
    printf(", \"cell\": ");
    cli_print_json_number(info->cell, 9);
    printf(", \"cells\": [%u, %u, %u], \"parts\": %u, \"inside\": %llu, \"open_edges\": %llu, \"turned\": %llu, \"volume\": ",
           info->cells[0], info->cells[1], info->cells[2], info->parts, (unsigned long long)info->inside,
           (unsigned long long)info->open_edges, (unsigned long long)info->turned);
    cli_print_json_number(info->volume, 9);
    printf(", \"surface_volume\": ");
    cli_print_json_number(info->surface_volume, 9);
    printf(", \"least_angle\": ");
    cli_print_json_number(info->least_angle, 6);
    printf(", \"greatest_angle\": ");
    cli_print_json_number(info->greatest_angle, 6);
    printf("}\n");
}

/* Notes for an artist about the surface, on standard error. */
static void print_notes(const pliant_cage_info *info)
{
    char text[256];
    if (info->open_edges && !info->inside)
        snprintf(
            text, sizeof text,
            "the surface has %llu open edges and nothing is inside: the cage is a layer of cells around it (a cloth may be what is meant)",
            (unsigned long long)info->open_edges);
    else if (info->open_edges)
        snprintf(text, sizeof text,
                 "the surface has %llu open edges; what is inside was decided by how far it winds around (--doctor says more)",
                 (unsigned long long)info->open_edges);
    if (info->open_edges) cli_print_notice(text, NULL);
    snprintf(text, sizeof text, "%llu triangles are turned against their neighbours, and were taken the other way round",
             (unsigned long long)info->turned);
    if (info->turned) cli_print_notice(text, NULL);
    snprintf(
        text, sizeof text,
        "the cage is %.3g times as large as what is in it: its cells are large beside the parts (--cells, --size, or the parts one by one)",
        info->volume / info->surface_volume);
    if (!info->open_edges && info->volume > 100 * info->surface_volume) cli_print_notice(text, NULL);
}

/* ---- making ---- */

static bool fill(const mesh_options *o, const pliant_mesh *surface, pliant_tets *tets, pliant_cage_info *info, size_t *mapped,
                 pliant_error *error)
{
    if (o->with) return mesh_fill_with(o, surface, tets, mapped, error);
    const pliant_mesh_view view = pliant_mesh_view_from(surface);
    pliant_cage_def        def = pliant_cage_def_default();
    if (o->cells) def.cells = o->cells;
    def.cell = (pliant_real)o->size;
    def.margin = (pliant_real)o->margin;
    def.fit = !o->whole;
    return pliant_cage_make(&view, &def, tets, info, error) == PLIANT_OK;
}

static int make(const mesh_options *o)
{
    const char      *path = o->operands.operand[0];
    pliant_mesh      surface;
    pliant_tets      tets = {0};
    pliant_cage_info info = {0};
    size_t           mapped = 0;
    pliant_error     error = {0};
    if ((o->scene && !mesh_can_write_scene(o, &error)) || !mesh_may_write(o, &error) || !mesh_load(o, false, &surface, &error))
        return cli_fail(&error);
    bool ok = fill(o, &surface, &tets, &info, &mapped, &error);
    if (!ok && !*error.path) snprintf(error.path, sizeof error.path, "%.255s", path);
    ok = ok && (!o->scene || mesh_scene_holds(o, &tets, &error)) && pliant_tets_write(o->output, &tets, &error) == PLIANT_OK &&
         (!o->scene || mesh_write_scene(o, &tets, &error));
    if (ok && !o->quiet && !o->with) print_notes(&info);
    if (ok && o->json)
        print_json(o, &tets, &info, mapped);
    else if (ok && !o->quiet)
        print_text(o, &surface, &tets, &info, mapped);
    if (ok && o->scene && !o->quiet && !o->json) printf("wrote %s: pliant view %s shows it\n", o->scene, o->scene);
    pliant_mesh_free(&surface);
    pliant_tets_free(&tets);
    return ok ? CLI_GOOD : cli_fail(&error);
}

static int run(const void *given)
{
    mesh_options said = *(const mesh_options *)given, *o = &said;
    if (o->holes != CLI_UNSAID && !o->mend) return cli_usage_error("mesh: --holes is for --mend");
    if (o->scale > 0 && !o->mend && !o->scene) return cli_usage_error("mesh: --scale is for --mend and --scene");
    if (o->seconds && !o->with) return cli_usage_error("mesh: --seconds is for --with");
    if (o->holes == CLI_UNSAID) o->holes = 64;
    if (!(o->scale > 0)) o->scale = 1;
    if (!o->seconds) o->seconds = 600;
    if (o->doctor || o->mend) {
        if (o->cells || o->size > 0 || o->margin > 0 || o->whole || o->with || o->scene)
            return cli_usage_error("mesh: --doctor and --mend make no tetrahedra, and do not go with options that do");
        if (o->mend && !o->output) return cli_usage_error("mesh: say where the mended mesh goes, -o FILE.obj or FILE.ply");
        if (!o->mend && o->output) return cli_usage_error("mesh: --doctor writes nothing; --mend does");
        return mesh_doctor(o);
    }
    if (mesh_is_tets(o->operands.operand[0]))
        return cli_usage_error("mesh: %s has tetrahedra already; a surface is wanted", o->operands.operand[0]);
    if (!o->output) return cli_usage_error("mesh: say where to, -o FILE.node, FILE.msh or FILE.vtk");
    if (o->cells && o->size > 0) return cli_usage_error("mesh: --cells and --size say the same thing; give one");
    if (o->with && (o->margin > 0 || o->whole)) return cli_usage_error("mesh: --margin and --whole are not for --with");
    return make(o);
}

const cli_verb cli_mesh = {
    "mesh",
    "SURFACE",
    1,
    1,
    "make tetrahedra of a surface, or say what is wrong with a mesh",
    "Puts a cage of tetrahedra around a surface (OBJ, PLY, STL, ...), which need not be closed, and writes it: the mesh of a soft\n"
    "body that has the surface as its \"visual\". With --doctor it says what is wrong with a surface, or with tetrahedra, and\n"
    "ends with 1 if anything is; with --mend it mends what can be mended. docs/cages.md has more.",
    CLI_OPTIONS(options),
    sizeof(mesh_options),
    run};
