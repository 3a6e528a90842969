/* VTK's legacy files, .vtk, with an unstructured grid: versions 1 to 5.1, as text and binary (the format is a document of VTK's own, "VTK file
 * formats"; 5.1 is what VTK 9 writes).
 *
 *   # vtk DataFile Version 2.0           the first line, then a title, then ASCII or BINARY
 *   DATASET UNSTRUCTURED_GRID
 *   POINTS <count> <type>                three numbers each; binary ones have their most weighty byte first
 *   CELLS <cells> <numbers>              <how many> <point> <point> ... each, as int
 *   CELLS <cells + 1> <numbers>          5.1: OFFSETS <type>, where each cell begins, and CONNECTIVITY <type>, the points
 *   CELL_TYPES <cells>                   10 is a tetrahedron; 24, 71 and 78 are tetrahedra with more points, their corners first
 *
 * Data behind POINT_DATA or CELL_DATA is not read. Vertices are the points in the file's order, used or not. */
#include "io/files/scan.h"
#include "io/mesh/tets.h"

#include <string.h>

typedef ARRAY(uint32_t) numbers;

typedef struct reader {
    pliant__tets *t;
    pliant__scan  s;
    bool          has_points, has_types;
    numbers       starts; /* of each cell in `corners`, and where the last one ends */
    numbers       corners;
} reader;

static const struct type {
    const char       *name;
    pliant__scan_type type;
} types[] = {
    {"char", PLIANT__SCAN_I8},          {"unsigned_char", PLIANT__SCAN_U8},
    {"short", PLIANT__SCAN_I16},        {"unsigned_short", PLIANT__SCAN_U16},
    {"int", PLIANT__SCAN_I32},          {"unsigned_int", PLIANT__SCAN_U32},
    {"long", PLIANT__SCAN_I64},         {"unsigned_long", PLIANT__SCAN_U64},
    {"vtktypeint64", PLIANT__SCAN_I64}, {"vtktypeuint64", PLIANT__SCAN_U64},
    {"vtkIdType", PLIANT__SCAN_I32},    {"float", PLIANT__SCAN_F32},
    {"double", PLIANT__SCAN_F64},
};

static bool take_word(reader *r, const char **word, size_t *length)
{
    return pliant__scan_word(&r->s, word, length) || pliant__scan_fail(&r->s, "the file is cut off");
}

/* A number of a head, which is text in binary files too. */
static bool take_count(reader *r, double high, const char *what, uint32_t *count)
{
    const bool binary = r->s.binary;
    int64_t    number = 0;
    r->s.binary = false;
    const bool ok = pliant__scan_whole(&r->s, PLIANT__SCAN_I64, 0, high, what, &number);
    r->s.binary = binary;
    *count = (uint32_t)number;
    return ok;
}

static bool take_type(reader *r, pliant__scan_type *type)
{
    const char *word;
    size_t      length;
    if (!take_word(r, &word, &length)) return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (pliant__scan_is(word, length, types[i].name)) return *type = types[i].type, true;
    return pliant__scan_fail(&r->s, "numbers of type %.*s are not read", length < 40 ? (int)length : 40, word);
}

/* The end of a head: data follows the line. */
static void end_line(reader *r)
{
    const char *line;
    size_t      length;
    if (r->s.binary) pliant__scan_line(&r->s, &line, &length);
}

static bool push(reader *r, numbers *list, uint32_t value)
{
    return array_push(NULL, list, value) || pliant__fail_memory(r->t->error, list->count * sizeof value, r->t->path);
}

/* ---- parts ---- */

static bool take_points(reader *r)
{
    uint32_t          count;
    pliant__scan_type type;
    if (r->has_points) return pliant__scan_fail(&r->s, "a second POINTS");
    r->has_points = true;
    if (!take_count(r, INT32_MAX, "the number of points", &count) || !take_type(r, &type)) return false;
    end_line(r);
    if (!pliant__scan_holds(&r->s, 3 * (uint64_t)count, pliant__scan_size(&r->s, type))) return false;
    for (uint32_t i = 0; i < count; i++) {
        double x[3];
        if (!pliant__scan_point(&r->s, type, x) || !pliant__tets_vertex(r->t, x)) return false;
    }
    return true;
}

static bool take_corner(reader *r, pliant__scan_type type)
{
    int64_t      point = 0;
    const double last = (double)(r->t->positions.count / 3) - 1;
    return pliant__scan_whole(&r->s, type, 0, last, "a point of a cell", &point) && push(r, &r->corners, (uint32_t)point);
}

/* To version 4: each cell is how many points it has, and then they. */
static bool take_old_cells(reader *r, uint32_t cells, uint32_t total)
{
    int64_t size = 0;
    for (uint32_t i = 0; i < cells; i++) {
        const double left = (double)total - (double)(r->corners.count + i) - 1;
        if (!pliant__scan_whole(&r->s, PLIANT__SCAN_I32, 0, left, "the number of points of a cell", &size)) return false;
        for (int64_t k = 0; k < size; k++)
            if (!take_corner(r, PLIANT__SCAN_I32)) return false;
        if (!push(r, &r->starts, (uint32_t)r->corners.count)) return false;
    }
    return r->corners.count + cells == total || pliant__scan_fail(&r->s, "CELLS has %zu numbers, not %u", r->corners.count + cells, total);
}

static bool take_head(reader *r, const char *name, pliant__scan_type *type)
{
    const char *word;
    size_t      length;
    if (!take_word(r, &word, &length)) return false;
    if (!pliant__scan_is(word, length, name)) return pliant__scan_fail(&r->s, "%s is missing", name);
    if (!take_type(r, type)) return false;
    end_line(r);
    return true;
}

/* Of version 5. */
static bool take_new_cells(reader *r, uint32_t offsets, uint32_t total)
{
    pliant__scan_type type;
    int64_t           start = 0, last = 0;
    if (!take_head(r, "OFFSETS", &type)) return false;
    for (uint32_t i = 0; i < offsets; i++, last = start) {
        if (!pliant__scan_whole(&r->s, type, (double)last, i ? (double)total : 0, "where a cell begins", &start)) return false;
        if (i && !push(r, &r->starts, (uint32_t)start)) return false;
    }
    if (offsets && last != total) return pliant__scan_fail(&r->s, "the last cell does not end with CONNECTIVITY");
    if (!take_head(r, "CONNECTIVITY", &type)) return false;
    for (uint32_t i = 0; i < total; i++)
        if (!take_corner(r, type)) return false;
    return true;
}

static bool take_cells(reader *r)
{
    uint32_t cells, total;
    if (!r->has_points) return pliant__scan_fail(&r->s, "CELLS come before POINTS");
    if (r->starts.count) return pliant__scan_fail(&r->s, "a second CELLS");
    if (!take_count(r, INT32_MAX, "the number of cells", &cells) || !take_count(r, INT32_MAX, "the number of numbers of cells", &total) ||
        !push(r, &r->starts, 0))
        return false;
    const char *line;
    size_t      length;
    pliant__scan_line(&r->s, &line, &length);
    const bool is_new = (size_t)(r->s.end - r->s.at) > 8 && memcmp(r->s.at, "OFFSETS ", 8) == 0;
    return is_new ? take_new_cells(r, cells, total) : take_old_cells(r, cells, total);
}

static bool is_tetrahedron(int64_t type) { return type == 10 || type == 24 || type == 71 || type == 78; }

static bool take_cell_types(reader *r)
{
    uint32_t     count;
    int64_t      type = 0;
    const size_t cells = r->starts.count ? r->starts.count - 1 : 0;
    if (r->has_types) return pliant__scan_fail(&r->s, "a second CELL_TYPES");
    if (!take_count(r, INT32_MAX, "the number of types", &count)) return false;
    if (!r->starts.count || count != cells) return pliant__scan_fail(&r->s, "CELL_TYPES has %u, and CELLS %zu", count, cells);
    r->has_types = true;
    end_line(r);
    for (uint32_t i = 0; i < count; i++) {
        if (!pliant__scan_whole(&r->s, PLIANT__SCAN_I32, 0, 255, "the type of a cell", &type)) return false;
        const uint32_t *corners = r->corners.data + r->starts.data[i];
        const size_t    size = r->starts.data[i + 1] - r->starts.data[i];
        if (!is_tetrahedron(type)) {
            r->t->others++;
            continue;
        }
        if (size < 4 || (type == 10 && size > 4)) return pliant__scan_fail(&r->s, "cell %u is a tetrahedron of %zu points", i, size);
        r->t->curved += size > 4;
        if (!pliant__tets_add(r->t, corners)) return false;
    }
    return true;
}

/* Up to an empty line. */
static bool skip_metadata(reader *r)
{
    const char *line;
    size_t      length = 1;
    pliant__scan_line(&r->s, &line, &length);
    while (r->s.at < r->s.end) {
        pliant__scan_line(&r->s, &line, &length);
        if (!length) return true;
    }
    return true;
}

/* FIELD <name> <arrays>, and of each array <name> <columns> <rows> <type>. */
static bool skip_field(reader *r)
{
    const char *word;
    size_t      length;
    uint32_t    arrays, columns, rows;
    if (!take_word(r, &word, &length) || !take_count(r, 1000, "the number of arrays", &arrays)) return false;
    for (uint32_t i = 0; i < arrays;) {
        pliant__scan_type type;
        if (!take_word(r, &word, &length)) return false;
        if (pliant__scan_is(word, length, "METADATA")) {
            if (!skip_metadata(r)) return false;
            continue;
        }
        if (!take_count(r, INT32_MAX, "the columns of an array", &columns) || !take_count(r, INT32_MAX, "the rows of an array", &rows) ||
            !take_type(r, &type))
            return false;
        end_line(r);
        if (!pliant__scan_skip(&r->s, type, (uint64_t)columns * rows)) return false;
        i++;
    }
    return true;
}

static const struct part {
    const char *name;
    bool (*take)(reader *r);
} parts[] = {
    {"POINTS", take_points}, {"CELLS", take_cells}, {"CELL_TYPES", take_cell_types}, {"METADATA", skip_metadata}, {"FIELD", skip_field}};

static bool take_parts(reader *r)
{
    const char *word;
    size_t      length;
    while (pliant__scan_word(&r->s, &word, &length)) {
        size_t i = 0;
        if (pliant__scan_is(word, length, "POINT_DATA") || pliant__scan_is(word, length, "CELL_DATA")) break;
        while (i < sizeof parts / sizeof *parts && !pliant__scan_is(word, length, parts[i].name)) i++;
        if (i == sizeof parts / sizeof *parts)
            return pliant__scan_fail(&r->s, "%.*s where a part should begin", length < 40 ? (int)length : 40, word);
        if (!parts[i].take(r)) return false;
    }
    return r->has_types || pliant__scan_fail(&r->s, "%s is missing", !r->has_points ? "POINTS" : r->starts.count ? "CELL_TYPES" : "CELLS");
}

static bool take_start(reader *r)
{
    static const char begins[] = "# vtk DataFile Version ";
    const char       *line, *word;
    size_t            length;
    pliant__scan_line(&r->s, &line, &length);
    if (length < sizeof begins - 1 || memcmp(line, begins, sizeof begins - 1) != 0)
        return r->s.line = 1, pliant__scan_fail(&r->s, "not a legacy VTK file: the first line is not \"%sN.N\"", begins);
    pliant__scan_line(&r->s, &line, &length);
    if (!take_word(r, &word, &length)) return false;
    const bool binary = pliant__scan_is(word, length, "BINARY");
    if (!binary && !pliant__scan_is(word, length, "ASCII")) return pliant__scan_fail(&r->s, "neither ASCII nor BINARY");
    if (!take_word(r, &word, &length)) return false;
    if (!pliant__scan_is(word, length, "DATASET")) return pliant__scan_fail(&r->s, "DATASET is missing");
    if (!take_word(r, &word, &length)) return false;
    if (!pliant__scan_is(word, length, "UNSTRUCTURED_GRID"))
        return pliant__scan_fail(&r->s, "the data set is a %.*s; tetrahedra come in an UNSTRUCTURED_GRID", length < 40 ? (int)length : 40,
                                 word);
    r->s.binary = r->s.bytes = r->s.big = binary;
    return true;
}

bool pliant__vtk_read(pliant__tets *t, const char *text, size_t length)
{
    reader r = {.t = t};
    pliant__scan_start(&r.s, t->path, text, length, t->error);
    const bool ok = take_start(&r) && take_parts(&r);
    array_free(NULL, &r.starts);
    array_free(NULL, &r.corners);
    return ok;
}
