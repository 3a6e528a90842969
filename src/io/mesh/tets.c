/* Tetrahedra from files: the table of formats, and reading by it. */
#include "io/mesh/tets.h"

#include "base/float_env.h"
#include "io/files/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 2 };

typedef struct part {
    pliant_mesh_format_info info;
    bool (*read)(pliant__tets *t, const char *text, size_t length);
} part;

/* A format of several files is known by the ending of any of them. */
static const struct format {
    part parts[MOST_PARTS];
} formats[] = {
    {{{{".node", "TetGen's vertices", true, false}, pliant__node_read}, {{".ele", "TetGen's tetrahedra", true, false}, pliant__ele_read}}},
    {{{{".msh", "Gmsh 2.2 and 4.1, text and binary", true, false}, pliant__msh_read}}},
    {{{{".vtk", "VTK's legacy unstructured grid, text and binary", true, false}, pliant__vtk_read}}},
};

enum { FORMATS = sizeof formats / sizeof *formats };

static const part *part_of(const struct format *format, int number)
{
    return number < MOST_PARTS && format->parts[number].read ? &format->parts[number] : NULL;
}

const pliant_mesh_format_info *pliant__tets_format_at(uint32_t index)
{
    for (size_t i = 0; i < FORMATS; i++)
        for (int k = 0; part_of(&formats[i], k); k++)
            if (index-- == 0) return &formats[i].parts[k].info;
    return NULL;
}

/* The format that a path is a part of, and which part; TetGen's, and no part, if none. */
static const struct format *format_of(const char *path, int *which)
{
    for (size_t i = 0; i < FORMATS; i++)
        for (int k = 0; part_of(&formats[i], k); k++)
            if (pliant__path_ends(path, formats[i].parts[k].info.ending)) return *which = k, &formats[i];
    return *which = -1, &formats[0];
}

bool pliant__is_tets(const char *path)
{
    int which;
    format_of(path, &which);
    return which >= 0;
}

void pliant__tets_endings(char *out, size_t size)
{
    size_t at = 0;
    for (uint32_t i = 0; pliant__tets_format_at(i) && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", i ? ", " : "", pliant__tets_format_at(i)->ending);
}

char *pliant__tets_part(const char *path, int number, bool *ok)
{
    int                  own;
    const struct format *format = format_of(path, &own);
    const part          *p = part_of(format, number);
    *ok = true;
    if (!p) return NULL;
    const char *has = own >= 0 ? format->parts[own].info.ending : "";
    char       *other = own == number ? pliant__path_beside(path, 0, "") : pliant__path_beside(path, strlen(has), p->info.ending);
    *ok = other != NULL;
    return other;
}

/* ---- orientation ---- */

static double volume(const pliant_tets *tets, size_t t)
{
    const uint32_t *v = &tets->tetrahedra[4 * t];
    double          e[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            e[i][k] = (double)tets->positions[3 * (size_t)v[i + 1] + (size_t)k] - (double)tets->positions[3 * (size_t)v[0] + (size_t)k];
    return (e[0][1] * e[1][2] - e[0][2] * e[1][1]) * e[2][0] + (e[0][2] * e[1][0] - e[0][0] * e[1][2]) * e[2][1] +
           (e[0][0] * e[1][1] - e[0][1] * e[1][0]) * e[2][2];
}

/* TetGen's own files have the other sign than Pliant: a whole file of negative tetrahedra is a convention, one among positive
 * ones is not. */
static void settle_orientation(pliant_tets *tets)
{
    for (size_t t = 0; t < tets->tetrahedron_count; t++)
        if (volume(tets, t) >= 0) return;
    for (size_t t = 0; t < tets->tetrahedron_count; t++) {
        uint32_t *v = &tets->tetrahedra[4 * t], last = v[3];
        v[3] = v[2];
        v[2] = last;
    }
}

/* ---- the public face ---- */

static bool read_part(pliant__tets *t, const char *path, const part *p)
{
    size_t length;
    char  *text = pliant__file_read(path, &length, t->error);
    if (!text) return false;
    t->path = path;
    const bool ok = p->read(t, text, length);
    free(text);
    return ok;
}

static bool read_parts(pliant__tets *t, const char *path)
{
    int                  own;
    const struct format *format = format_of(path, &own);
    for (int k = 0; part_of(format, k); k++) {
        bool  ok;
        char *one = pliant__tets_part(path, k, &ok);
        if (!ok) return pliant__fail_memory(t->error, strlen(path), "a path");
        ok = read_part(t, one, part_of(format, k));
        free(one);
        if (!ok) return false;
    }
    t->path = path;
    if (t->positions.count == 0) return pliant__fail_at(t->error, PLIANT_ERROR_INPUT, path, 0, "the mesh is empty: no vertices");
    if (t->tetrahedra.count) return true;
    if (!t->others) return pliant__fail_at(t->error, PLIANT_ERROR_INPUT, path, 0, "the mesh is empty: no tetrahedra");
    return pliant__fail_at(t->error, PLIANT_ERROR_INPUT, path, 0, "the mesh has no tetrahedra, only %llu other elements",
                           (unsigned long long)t->others);
}

static bool load_tets(const char *path, pliant_tets *tets, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!path || !tets) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "tetrahedra need a path and a place to go");
    memset(tets, 0, sizeof *tets);
    pliant__tets t = {.path = path, .error = error};
    if (!read_parts(&t, path)) {
        pliant__tets_free(&t);
        return false;
    }
    *tets = (pliant_tets){.positions = t.positions.data,
                          .vertex_count = t.positions.count / 3,
                          .tetrahedra = t.tetrahedra.data,
                          .tetrahedron_count = t.tetrahedra.count / 4,
                          .other_count = (size_t)t.others,
                          .curved_count = (size_t)t.curved};
    settle_orientation(tets);
    return true;
}

pliant_code pliant_tets_load(const char *path, pliant_tets *tets, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(load_tets(path, tets, &why), &why, error);
}
