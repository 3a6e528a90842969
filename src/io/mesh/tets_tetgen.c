/* TetGen's NAME.node with NAME.ele, tetrahedra, or with NAME.face, a surface.
 *
 *   .node   <vertices> 3 <attributes> <0 or 1 markers>      .ele   <tetrahedra> <4 or 10 corners> <0 or 1 attributes>
 *           <number> <x> <y> <z> ...                               <number> <vertex> <vertex> <vertex> <vertex> ...
 *
 *                                                           .face  <triangles> <0 or 1 markers>
 *                                                                  <number> <vertex> <vertex> <vertex> ...
 *
 * Lines may be empty or comments (#). Numbers count from 0 or from 1: the first vertex says which. Of tetrahedra with ten corners the first
 * four are taken. */
#include "io/files/number.h"
#include "io/mesh/surface.h"
#include "io/mesh/tets.h"

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

bool pliant__node_read(pliant__tets *t, const char *text, size_t length)
{
    int64_t     count = 0, dimension = 0;
    word_reader w;
    bool        ok = start(&w, t->path, text, length, t->error, "the number of vertices", &count) &&
              next_whole(&w, 3, 3, "the dimension (3)", &dimension);
    for (int64_t i = 0; ok && i < count; i++) {
        int64_t number = 0;
        double  x[3] = {0, 0, 0};
        ok = next_line(&w) || fail_here(&w, "the file has fewer vertices than it says");
        ok = ok && next_whole(&w, i == 0 ? 0 : (double)(t->base + i), i == 0 ? 1 : (double)(t->base + i),
                              "the vertex's number (0 or 1 first, then one by one)", &number);
        if (i == 0) t->base = number;
        for (int k = 0; k < 3 && ok; k++)
            ok = next_number(&w, &x[k]) && ((x[k] < 3e38 && x[k] > -3e38) || fail_here(&w, "a coordinate is too large"));
        ok = ok && pliant__tets_vertex(t, x);
    }
    return ok;
}

/* The vertices of an element. */
static bool take_corners(word_reader *w, int64_t base, size_t vertices, const char *what, int count, uint32_t *corners)
{
    int64_t number = 0;
    for (int k = 0; k < count; k++) {
        if (!next_whole(w, (double)base, (double)base + (double)vertices - 1, what, &number)) return false;
        corners[k] = (uint32_t)(number - base);
    }
    return true;
}

bool pliant__ele_read(pliant__tets *t, const char *text, size_t length)
{
    int64_t     count = 0, corners = 0;
    word_reader w;
    bool        ok = start(&w, t->path, text, length, t->error, "the number of tetrahedra", &count) &&
              next_whole(&w, 4, 10, "the number of corners (4 or 10)", &corners);
    if (ok && corners != 4 && corners != 10) ok = fail_here(&w, "a tetrahedron has 4 or 10 corners");
    for (int64_t i = 0; ok && i < count; i++) {
        int64_t  number = 0;
        uint32_t v[4];
        ok = next_line(&w) || fail_here(&w, "the file has fewer tetrahedra than it says");
        ok = ok && next_whole(&w, 0, 4e9, "the tetrahedron's number", &number) &&
             take_corners(&w, t->base, t->positions.count / 3, "a vertex of the tetrahedron", 4, v) && pliant__tets_add(t, v);
    }
    if (ok && corners == 10) t->curved = (uint64_t)count;
    return ok;
}

bool pliant__face_node_read(pliant__surface *s, const char *text, size_t length)
{
    pliant__tets t = {.path = s->path, .error = s->error};
    const bool   ok = pliant__node_read(&t, text, length);
    s->base = (uint32_t)t.base;
    s->positions.data = t.positions.data;
    s->positions.count = t.positions.count;
    s->positions.capacity = t.positions.capacity;
    return ok;
}

bool pliant__face_read(pliant__surface *s, const char *text, size_t length)
{
    int64_t     count = 0;
    word_reader w;
    bool        ok = start(&w, s->path, text, length, s->error, "the number of triangles", &count);
    for (int64_t i = 0; ok && i < count; i++) {
        int64_t  number = 0;
        uint32_t v[3];
        ok = next_line(&w) || fail_here(&w, "the file has fewer triangles than it says");
        ok = ok && next_whole(&w, 0, 4e9, "the triangle's number", &number) &&
             take_corners(&w, s->base, s->positions.count / 3, "a vertex of the triangle", 3, v) && pliant__surface_face(s, v, 3, w.line);
    }
    return ok;
}
