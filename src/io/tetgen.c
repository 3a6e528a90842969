/* Tetrahedra from TetGen's NAME.node and NAME.ele.
 *
 *   .node   <vertices> 3 <attributes> <0 or 1 markers>      .ele   <tetrahedra> <4 or 10 corners> <0 or 1 attributes>
 *           <number> <x> <y> <z> ...                               <number> <vertex> <vertex> <vertex> <vertex> ...
 *
 * Lines may be empty or comments (#). Numbers count from 0 or from 1: the first vertex says which. Of tetrahedra with ten corners the first
 * four are taken. */
#include "base/array.h"
#include "base/float_env.h"
#include "base/error.h"
#include "io/file.h"
#include "io/surface.h"
#include "io/number.h"
#include "pliant/io.h"

#include <stdlib.h>
#include <string.h>

typedef struct word_reader {
    const char   *path, *at, *end;
    int           line;
    pliant_error *error;
} word_reader;

static bool fail_here(const word_reader *w, const char *what)
{
    return pliant__fail_at(w->error, PLIANT_ERROR_INPUT, w->path, w->line, "%s", what);
}

/* Moves to the next line that says something; false at the end. */
static bool next_line(word_reader *w)
{
    for (;;) {
        while (w->at < w->end && *w->at != '\n') w->at++;
        if (w->at < w->end) w->at++;
        w->line++;
        const char *p = w->at;
        while (p < w->end && (*p == ' ' || *p == '\t' || *p == '\r')) p++;
        if (p >= w->end) return false;
        if (*p != '\n' && *p != '#') return true;
    }
}

static bool next_number(word_reader *w, double *out)
{
    const char *p = w->at;
    while (p < w->end && (*p == ' ' || *p == '\t' || *p == '\r')) p++;
    const char *start = p;
    while (p < w->end && !strchr(" \t\r\n#", *p)) p++;
    w->at = p;
    if (p == start) return fail_here(w, "the line is too short");
    return pliant__parse_number(start, (size_t)(p - start), out) == PLIANT__NUMBER_OK || fail_here(w, "not a finite number");
}

static bool next_whole(word_reader *w, double low, double high, const char *what, int64_t *out)
{
    double number;
    if (!next_number(w, &number)) return false;
    if (!(number >= low && number <= high) || (double)(int64_t)number < number || (double)(int64_t)number > number)
        return pliant__fail_at(w->error, PLIANT_ERROR_INPUT, w->path, w->line, "%s is out of range", what);
    *out = (int64_t)number;
    return true;
}

/* First line of a file: how many rows there are. Each row is at least two bytes, so a number that the file cannot hold is refused
 * before memory is asked for. */
static bool start(word_reader *w, const char *path, const char *text, size_t length, pliant_error *error, const char *what, int64_t *count)
{
    *w = (word_reader){.path = path, .at = text, .end = text + length, .line = 1, .error = error};
    const char *p = text;
    while (p < w->end && (*p == ' ' || *p == '\t' || *p == '\r')) p++;
    if ((p >= w->end || *p == '\n' || *p == '#') && !next_line(w)) return fail_here(w, "the file is empty");
    if (!next_whole(w, 0, 2147483647, what, count)) return false;
    if (*count == 0) return fail_here(w, "the mesh is empty");
    return (uint64_t)*count <= length / 2 || fail_here(w, "the file has fewer rows than it says");
}

static bool read_nodes(const char *path, pliant_tets *tets, int64_t *base, pliant_error *error)
{
    size_t      length;
    int64_t     count = 0, dimension = 0;
    word_reader w;
    char       *text = pliant__file_read(path, &length, error);
    if (!text) return false;
    bool ok =
        start(&w, path, text, length, error, "the number of vertices", &count) && next_whole(&w, 3, 3, "the dimension (3)", &dimension);
    if (ok) {
        tets->positions = pliant__alloc_array(NULL, (size_t)count * 3, sizeof *tets->positions);
        ok = tets->positions || pliant__fail_memory(error, (size_t)count * 3 * sizeof *tets->positions, path);
    }
    for (int64_t i = 0; ok && i < count; i++) {
        int64_t number = 0;
        ok = next_line(&w) || fail_here(&w, "the file has fewer vertices than it says");
        ok = ok && next_whole(&w, i == 0 ? 0 : (double)(*base + i), i == 0 ? 1 : (double)(*base + i),
                              "the vertex's number (0 or 1 first, then one by one)", &number);
        if (i == 0) *base = number;
        for (int k = 0; k < 3 && ok; k++) {
            double x = 0;
            ok = next_number(&w, &x) && ((x < 3e38 && x > -3e38) || fail_here(&w, "a coordinate is too large"));
            tets->positions[3 * i + k] = ok ? (pliant_real)x : 0;
        }
    }
    tets->vertex_count = (size_t)count;
    free(text);
    return ok;
}

static bool read_elements(const char *path, pliant_tets *tets, int64_t base, pliant_error *error)
{
    size_t      length;
    int64_t     count = 0, corners = 0;
    word_reader w;
    char       *text = pliant__file_read(path, &length, error);
    if (!text) return false;
    bool ok = start(&w, path, text, length, error, "the number of tetrahedra", &count) &&
              next_whole(&w, 4, 10, "the number of corners (4 or 10)", &corners);
    if (ok && corners != 4 && corners != 10) ok = fail_here(&w, "a tetrahedron has 4 or 10 corners");
    if (ok) {
        tets->tetrahedra = pliant__alloc_array(NULL, (size_t)count * 4, sizeof *tets->tetrahedra);
        ok = tets->tetrahedra || pliant__fail_memory(error, (size_t)count * 4 * sizeof *tets->tetrahedra, path);
    }
    for (int64_t i = 0; ok && i < count; i++) {
        int64_t number = 0;
        ok = next_line(&w) || fail_here(&w, "the file has fewer tetrahedra than it says");
        ok = ok && next_whole(&w, 0, 4e9, "the tetrahedron's number", &number);
        for (int k = 0; k < 4 && ok; k++) {
            ok = next_whole(&w, (double)base, (double)base + (double)tets->vertex_count - 1, "a vertex of the tetrahedron", &number);
            tets->tetrahedra[4 * i + k] = ok ? (uint32_t)(number - base) : 0;
        }
    }
    tets->tetrahedron_count = (size_t)count;
    free(text);
    return ok;
}

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

char *pliant__tetgen_path(const char *path, const char *ending)
{
    size_t head = strlen(path), size = strlen(ending) + 1;
    bool   own = pliant__path_ends(path, ending), capitals = false;
    if (!own && pliant__path_ends(path, ".node")) head -= 5, capitals = path[head + 1] == 'N';
    if (!own && pliant__path_ends(path, ".ele")) head -= 4, capitals = path[head + 1] == 'E';
    char *other = malloc(head + size);
    if (!other) return NULL;
    memcpy(other, path, head);
    other[head] = 0;
    for (size_t i = 0; !own && i < size; i++) other[head + i] = (char)(capitals && ending[i] >= 'a' ? ending[i] - 32 : ending[i]);
    return other;
}

bool pliant_tets_load(const char *path, pliant_tets *tets, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!path || !tets) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "tetrahedra need a path and a place to go");
    memset(tets, 0, sizeof *tets);
    char   *node = pliant__tetgen_path(path, ".node"), *ele = pliant__tetgen_path(path, ".ele");
    int64_t base = 0;
    bool    ok = (node && ele) || pliant__fail_memory(error, strlen(path), "a path");
    ok = ok && read_nodes(node, tets, &base, error) && read_elements(ele, tets, base, error);
    if (ok)
        settle_orientation(tets);
    else
        pliant_tets_free(tets);
    free(node);
    free(ele);
    return ok;
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
