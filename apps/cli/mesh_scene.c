/* A scene that shows the new mesh: the body falls on a floor. */
#define _XOPEN_SOURCE 700
#include "mesh.h"
#include "out.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fail(pliant_error *error, pliant_code code, const char *path, const char *text)
{
    *error = (pliant_error){.code = code};
    snprintf(error->path, sizeof error->path, "%.255s", path);
    snprintf(error->message, sizeof error->message, "%s", text);
    return false;
}

/* The folder of a path that need not be there, without links and detours; NULL if there is none. From malloc. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t      length = slash ? (size_t)(slash - path) + 1 : 0;
    char       *text = malloc(length + 2), *folder = NULL;
    if (text) {
        memcpy(text, path, length);
        strcpy(text + length, ".");
        folder = realpath(text, NULL);
    }
    free(text);
    return folder;
}

/* A file as a scene names it: from the scene's folder on. NULL if it is not in there. From malloc. */
static char *name_from(const char *scene, const char *path)
{
    char       *root = folder_of(scene), *folder = folder_of(path), *name = NULL;
    const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    size_t      length = root ? strlen(root) : 0;
    if (root && folder && strncmp(root, folder, length) == 0 && (!folder[length] || folder[length] == '/')) {
        const char *below = folder[length] == '/' ? folder + length + 1 : "";
        size_t      size = strlen(below) + strlen(last) + 2;
        if ((name = malloc(size))) snprintf(name, size, "%s%s%s", below, *below ? "/" : "", last);
    }
    free(root);
    free(folder);
    return name;
}

bool mesh_can_write_scene(const mesh_options *o, pliant_error *error)
{
    const char *paths[] = {o->operands.operand[0], o->output};
    bool        ok = cli_ends_with(o->scene, ".json") || fail(error, PLIANT_ERROR_INPUT, o->scene, "a scene ends in .json");
    for (int i = 0; ok && i < 2; i++) {
        char *name = name_from(o->scene, paths[i]);
        if (!name)
            ok = fail(error, PLIANT_ERROR_INPUT, paths[i],
                      "a scene names only what lies beside it or below; put the scene, the surface and -o so");
        free(name);
    }
    return ok;
}

static void print_name(FILE *file, const char *text)
{
    fputc('"', file);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(file, "\\%c", *c);
        else if ((unsigned char)*c < 32)
            fprintf(file, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            fputc(*c, file);
    }
    fputc('"', file);
}

/* Sizes of the body that the scene is chosen by, in metres. */
typedef struct body_size {
    double low, height;
    double cell; /* m, of a lattice with tetrahedra as large */
} body_size;

static double volume6(const pliant_tets *tets, size_t i)
{
    double e[3][3];
    for (int k = 0; k < 9; k++) {
        const uint32_t *v = tets->tetrahedra + 4 * i;
        e[k / 3][k % 3] = (double)tets->positions[3 * (size_t)v[k / 3 + 1] + (size_t)(k % 3)] -
                          (double)tets->positions[3 * (size_t)v[0] + (size_t)(k % 3)];
    }
    return (e[0][1] * e[1][2] - e[0][2] * e[1][1]) * e[2][0] + (e[0][2] * e[1][0] - e[0][0] * e[1][2]) * e[2][1] +
           (e[0][0] * e[1][1] - e[0][1] * e[1][0]) * e[2][2];
}

static body_size measure(const mesh_options *o, const pliant_tets *tets)
{
    double low = (double)tets->positions[1], high = low, sum = 0;
    for (size_t i = 0; i < tets->vertex_count; i++) {
        const double y = (double)tets->positions[3 * i + 1];
        low = y < low ? y : low;
        high = y > high ? y : high;
    }
    for (size_t i = 0; i < tets->tetrahedron_count; i++) sum += volume6(tets, i) / 6;
    return (body_size){o->scale * low, o->scale * (high - low), o->scale * cbrt(12 * sum / (double)tets->tetrahedron_count)};
}

/* Jelly that a body of this height can stand with: its own weight is to shorten it by a twentieth or so, so Young's modulus is 20 times the
 * pressure under a column of that height; an edge of the lattice is then a spring of that modulus times the cell. */
static double compliance_for(const body_size *s) { return 1 / (20 * 1000 * 9.81 * s->height * s->cell); }

/* Numbers of a scene are floats. */
bool mesh_scene_holds(const mesh_options *o, const pliant_tets *tets, pliant_error *error)
{
    const body_size size = measure(o, tets);
    const double    compliance = compliance_for(&size);
    if (compliance >= FLT_MIN && compliance <= FLT_MAX) return true;
    char text[192];
    snprintf(text, sizeof text, "a body %.3g m high has no stiffness that a scene could say; --scale makes it larger or smaller",
             size.height);
    return fail(error, PLIANT_ERROR_INPUT, o->scene, text);
}

/* A scene that cannot be read is none: of a format that is written but not read, say. */
static bool read_back(const char *path, pliant_error *error)
{
    pliant_scene_file file;
    if (pliant_scene_read(path, NULL, &file, error) != PLIANT_OK) return false;
    pliant_scene_destroy(file.scene);
    return true;
}

bool mesh_write_scene(const mesh_options *o, const pliant_tets *tets, pliant_error *error)
{
    char   *mesh = name_from(o->scene, o->output), *visual = name_from(o->scene, o->operands.operand[0]);
    cli_out out = {0};
    bool    ok = mesh && visual && cli_out_open(&out, o->scene, error);
    if (!mesh || !visual) fail(error, PLIANT_ERROR_MEMORY, o->scene, "out of memory");
    const body_size size = measure(o, tets);
    if (ok) {
        fprintf(out.file, "{\n    \"pliant\": 1,\n    \"frames\": 120,\n    \"solver\": {\"substeps\": 20},\n    \"bodies\": [\n"
                          "        {\"type\": \"soft\", \"name\": \"body\", \"mesh\": ");
        print_name(out.file, mesh);
        fprintf(out.file, ", \"visual\": ");
        print_name(out.file, visual);
        fprintf(out.file,
                ",\n         \"scale\": %.9g, \"position\": [0, %.4g, 0], \"material\": \"jelly\", \"friction\": 0.5,\n"
                "         \"stretch\": {\"compliance\": %.3g}}\n    ],\n",
                o->scale, size.height / 3 - size.low, compliance_for(&size));
        fprintf(out.file, "    \"colliders\": [{\"type\": \"plane\", \"friction\": 0.5}]\n}\n");
        ok = cli_out_finish(&out, 1, error);
        if (!ok) cli_out_drop(&out);
        ok = ok && read_back(o->scene, error);
    }
    free(mesh);
    free(visual);
    return ok;
}
