/* Gmsh's .msh, versions 2.2 and 4.1, as text and binary of both byte orders (Geuzaine and Remacle 2009; the format is a chapter of Gmsh's
 * manual).
 *
 *   $MeshFormat   <version> <0: text, 1: binary> <bytes of a number>      and in binary the number 1, which tells the byte order
 *   $Nodes        2.2: <count>, then <number> <x> <y> <z> each            4.1: blocks, each of its numbers and then its coordinates
 *   $Elements     2.2: <number> <type> <tags> ... <nodes>                 4.1: blocks of one type, <number> <nodes> each
 *
 * Other sections are passed over. Vertices are the nodes in the file's order, used or not; their numbers in the file may have gaps. Of the
 * elements tetrahedra are taken, and of those of higher order the corners, which come first. */
#include "io/files/scan.h"
#include "io/mesh/tets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_NUMBER 9007199254740992.0 /* 2^53 */

typedef struct numbered {
    uint64_t number; /* of the file */
    uint32_t vertex;
} numbered;

typedef struct reader {
    pliant__tets     *t;
    pliant__scan      s;
    bool              four; /* 4.1 */
    pliant__scan_type size; /* type of 4.1's counts and numbers */
    ARRAY(numbered) nodes;  /* by number */
    bool has_nodes, has_elements;
} reader;

/* Nodes of the types that the manual lists, by type; 0: there is none. */
static const uint8_t node_counts[] = {0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                                      8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};

static int nodes_of(int64_t type)
{
    if (type == 92) return 64;
    if (type == 93) return 125;
    return type < (int64_t)sizeof node_counts ? node_counts[type] : 0;
}

static bool is_tetrahedron(int64_t type) { return type == 4 || type == 11 || (type >= 29 && type <= 31); }

static bool take(reader *r, pliant__scan_type type, double low, double high, const char *what, int64_t *out)
{
    return pliant__scan_whole(&r->s, type, low, high, what, out);
}

/* ---- sections ---- */

/* The line that begins or ends a section, in text between binary parts. */
static bool take_mark(reader *r, const char *mark)
{
    const char *word;
    size_t      length;
    return (pliant__scan_word(&r->s, &word, &length) && pliant__scan_is(word, length, mark)) ||
           pliant__scan_fail(&r->s, "%s is missing: the file is cut off, or counts wrong", mark);
}

static void end_line(reader *r)
{
    const char *line;
    size_t      length;
    pliant__scan_line(&r->s, &line, &length);
}

static bool skip_section(reader *r, const char *name, size_t name_length)
{
    char end[64];
    if (name_length > 40) return pliant__scan_fail(&r->s, "the name of a section is too long");
    const size_t length = (size_t)snprintf(end, sizeof end, "\n$End%.*s", (int)name_length, name);
    for (const char *p = r->s.at; (size_t)(r->s.end - p) >= length; p++) {
        const char *behind = p + length;
        if (memcmp(p, end, length) != 0 || (behind < r->s.end && *behind != '\n' && *behind != '\r')) continue;
        for (const char *c = r->s.at; c < behind; c++) r->s.line += *c == '\n';
        r->s.at = behind;
        return true;
    }
    return pliant__scan_fail(&r->s, "section %.*s has no end: the file is cut off", (int)name_length, name);
}

static bool take_format(reader *r)
{
    double  version = 0;
    int64_t binary = 0, size = 0, one = 0;
    if (!pliant__scan_number(&r->s, PLIANT__SCAN_F64, &version)) return false;
    r->four = version > 4.05 && version < 4.15;
    if (!r->four && !(version > 2.05 && version < 2.25))
        return pliant__scan_fail(&r->s, "version %g is not read; write 4.1 or 2.2 (gmsh -format msh41)", version);
    if (!take(r, PLIANT__SCAN_I32, 0, 1, "the file's type (0 or 1)", &binary) ||
        !take(r, PLIANT__SCAN_I32, 4, 8, "the size of numbers (4 or 8)", &size))
        return false;
    if (size != 8 && (size != 4 || !r->four)) return pliant__scan_fail(&r->s, "the size of numbers is not 8");
    r->size = size == 8 ? PLIANT__SCAN_U64 : PLIANT__SCAN_U32;
    if (!binary) return take_mark(r, "$EndMeshFormat");
    end_line(r);
    r->s.binary = r->s.bytes = true;
    if (r->s.end - r->s.at < 4) return pliant__scan_fail(&r->s, "the file is cut off");
    r->s.big = r->s.at[0] == 0;
    return take(r, PLIANT__SCAN_I32, 1, 1, "the number that tells the byte order (1)", &one) && take_mark(r, "$EndMeshFormat");
}

/* ---- nodes ---- */

static bool add_number(reader *r, int64_t number)
{
    const numbered n = {(uint64_t)number, (uint32_t)r->nodes.count};
    if (r->nodes.count >= INT32_MAX) return pliant__scan_fail(&r->s, "too many nodes");
    return array_push(NULL, &r->nodes, n) || pliant__fail_memory(r->t->error, r->nodes.count * sizeof n, r->t->path);
}

static bool add_position(reader *r)
{
    double x[3];
    return pliant__scan_point(&r->s, PLIANT__SCAN_F64, x) && pliant__tets_vertex(r->t, x);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = ((const numbered *)a)->number, y = ((const numbered *)b)->number;
    return (x > y) - (x < y);
}

static bool sort_nodes(reader *r)
{
    bool ascending = true;
    for (size_t i = 1; i < r->nodes.count; i++) ascending = ascending && r->nodes.data[i].number > r->nodes.data[i - 1].number;
    if (!ascending) qsort(r->nodes.data, r->nodes.count, sizeof *r->nodes.data, by_number);
    for (size_t i = 1; i < r->nodes.count; i++)
        if (r->nodes.data[i].number == r->nodes.data[i - 1].number)
            return pliant__scan_fail(&r->s, "node %llu is there twice", (unsigned long long)r->nodes.data[i].number);
    return true;
}

/* 2.2 counts in a line of text, in binary files too. */
static bool take_count(reader *r, const char *what, int64_t *count)
{
    const bool binary = r->s.binary;
    r->s.binary = false;
    const bool ok = take(r, PLIANT__SCAN_I32, 0, INT32_MAX, what, count);
    r->s.binary = binary;
    if (ok) end_line(r);
    return ok;
}

static bool take_node_list(reader *r)
{
    int64_t count = 0, number = 0;
    if (!take_count(r, "the number of nodes", &count)) return false;
    for (int64_t i = 0; i < count; i++)
        if (!take(r, PLIANT__SCAN_I32, 0, INT32_MAX, "a node's number", &number) || !add_number(r, number) || !add_position(r))
            return false;
    return true;
}

/* Nodes of a curve, a surface or a volume may have one to three parameters on it. */
static bool take_node_block(reader *r)
{
    int64_t dimension = 0, tag = 0, parametric = 0, count = 0, number = 0;
    if (!take(r, PLIANT__SCAN_I32, 0, 3, "the dimension of a block", &dimension) ||
        !take(r, PLIANT__SCAN_I32, INT32_MIN, INT32_MAX, "the number of an entity", &tag) ||
        !take(r, PLIANT__SCAN_I32, 0, 1, "whether nodes are parametric (0 or 1)", &parametric) ||
        !take(r, r->size, 0, INT32_MAX, "the number of nodes in a block", &count))
        return false;
    for (int64_t i = 0; i < count; i++)
        if (!take(r, r->size, 0, LARGEST_NUMBER, "a node's number", &number) || !add_number(r, number)) return false;
    for (int64_t i = 0; i < count; i++)
        if (!add_position(r) || !pliant__scan_skip(&r->s, PLIANT__SCAN_F64, parametric ? (uint64_t)dimension : 0)) return false;
    return true;
}

/* Of 4.1: how many blocks, how many in all, the lowest and the highest number. */
static bool take_blocks(reader *r, bool (*block)(reader *r), int64_t *total)
{
    int64_t blocks = 0, number = 0;
    if (r->s.binary) end_line(r);
    if (!take(r, r->size, 0, INT32_MAX, "the number of blocks", &blocks) || !take(r, r->size, 0, INT32_MAX, "the number in all", total) ||
        !take(r, r->size, 0, LARGEST_NUMBER, "the lowest number", &number) ||
        !take(r, r->size, 0, LARGEST_NUMBER, "the highest number", &number))
        return false;
    for (int64_t i = 0; i < blocks; i++)
        if (!block(r)) return false;
    return true;
}

static bool take_nodes(reader *r)
{
    int64_t total = 0;
    if (r->has_nodes) return pliant__scan_fail(&r->s, "a second section $Nodes");
    r->has_nodes = true;
    if (!r->four) return take_node_list(r) && take_mark(r, "$EndNodes") && sort_nodes(r);
    if (!take_blocks(r, take_node_block, &total)) return false;
    if ((uint64_t)total != r->nodes.count)
        return pliant__scan_fail(&r->s, "the blocks have %zu nodes, not %lld", r->nodes.count, (long long)total);
    return take_mark(r, "$EndNodes") && sort_nodes(r);
}

/* ---- elements ---- */

static bool find_vertex(reader *r, int64_t number, uint32_t *vertex)
{
    size_t low = 0, high = r->nodes.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (r->nodes.data[middle].number < (uint64_t)number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == r->nodes.count || r->nodes.data[low].number != (uint64_t)number)
        return pliant__scan_fail(&r->s, "an element has node %lld, which is not there", (long long)number);
    *vertex = r->nodes.data[low].vertex;
    return true;
}

/* The nodes behind an element's number, type and tags. */
static bool take_element(reader *r, int64_t type, pliant__scan_type size)
{
    const int nodes = nodes_of(type);
    if (!is_tetrahedron(type)) {
        r->t->others++;
        return pliant__scan_skip(&r->s, size, (uint64_t)nodes);
    }
    uint32_t v[4];
    for (int k = 0; k < 4; k++) {
        int64_t number = 0;
        if (!take(r, size, 0, LARGEST_NUMBER, "a node's number", &number) || !find_vertex(r, number, &v[k])) return false;
    }
    r->t->curved += nodes > 4;
    return pliant__scan_skip(&r->s, size, (uint64_t)nodes - 4) && pliant__tets_add(r->t, v);
}

static bool take_type(reader *r, int64_t *type)
{
    if (!take(r, PLIANT__SCAN_I32, 1, INT32_MAX, "an element's type", type)) return false;
    return nodes_of(*type) > 0 || pliant__scan_fail(&r->s, "elements of type %lld are not known", (long long)*type);
}

/* In text each element has its own type and tags; in binary those behind one head have the same. */
static bool take_element_list(reader *r)
{
    int64_t count = 0, type = 0, same = 1, tags = 0, number = 0;
    if (!take_count(r, "the number of elements", &count)) return false;
    for (int64_t i = 0; i < count; i += same) {
        if (!r->s.binary && !take(r, PLIANT__SCAN_I32, 0, INT32_MAX, "an element's number", &number)) return false;
        if (!take_type(r, &type)) return false;
        if (r->s.binary && !take(r, PLIANT__SCAN_I32, 1, (double)(count - i), "the number of elements of a type", &same)) return false;
        if (!take(r, PLIANT__SCAN_I32, 0, 1000, "the number of tags", &tags)) return false;
        for (int64_t k = 0; k < same; k++) {
            if (r->s.binary && !take(r, PLIANT__SCAN_I32, 0, INT32_MAX, "an element's number", &number)) return false;
            if (!pliant__scan_skip(&r->s, PLIANT__SCAN_I32, (uint64_t)tags) || !take_element(r, type, PLIANT__SCAN_I32)) return false;
        }
    }
    return true;
}

static bool take_element_block(reader *r)
{
    int64_t dimension = 0, tag = 0, type = 0, count = 0, number = 0;
    if (!take(r, PLIANT__SCAN_I32, 0, 3, "the dimension of a block", &dimension) ||
        !take(r, PLIANT__SCAN_I32, INT32_MIN, INT32_MAX, "the number of an entity", &tag) || !take_type(r, &type) ||
        !take(r, r->size, 0, INT32_MAX, "the number of elements in a block", &count))
        return false;
    for (int64_t i = 0; i < count; i++)
        if (!take(r, r->size, 0, LARGEST_NUMBER, "an element's number", &number) || !take_element(r, type, r->size)) return false;
    return true;
}

static bool take_elements(reader *r)
{
    int64_t total = 0;
    if (r->has_elements) return pliant__scan_fail(&r->s, "a second section $Elements");
    if (!r->has_nodes) return pliant__scan_fail(&r->s, "$Elements come before $Nodes");
    r->has_elements = true;
    if (!r->four) return take_element_list(r) && take_mark(r, "$EndElements");
    if (!take_blocks(r, take_element_block, &total)) return false;
    const uint64_t found = r->t->others + r->t->tetrahedra.count / 4;
    if ((uint64_t)total != found)
        return pliant__scan_fail(&r->s, "the blocks have %llu elements, not %lld", (unsigned long long)found, (long long)total);
    return take_mark(r, "$EndElements");
}

static bool take_section(reader *r, const char *word, size_t length)
{
    if (pliant__scan_is(word, length, "$Nodes")) return take_nodes(r);
    if (pliant__scan_is(word, length, "$Elements")) return take_elements(r);
    if (word[0] == '$' && length > 1) return skip_section(r, word + 1, length - 1);
    return pliant__scan_fail(&r->s, "%.*s where a section should begin", length < 40 ? (int)length : 40, word);
}

bool pliant__msh_read(pliant__tets *t, const char *text, size_t length)
{
    reader      r = {.t = t};
    const char *word;
    size_t      n;
    pliant__scan_start(&r.s, t->path, text, length, t->error);
    bool ok = pliant__scan_word(&r.s, &word, &n) && pliant__scan_is(word, n, "$MeshFormat");
    ok = ok ? take_format(&r) : pliant__scan_fail(&r.s, "not a mesh of Gmsh: it does not begin with $MeshFormat");
    while (ok && pliant__scan_word(&r.s, &word, &n)) ok = take_section(&r, word, n);
    if (ok && !r.has_elements) ok = pliant__scan_fail(&r.s, "section $%s is missing", r.has_nodes ? "Elements" : "Nodes");
    array_free(NULL, &r.nodes);
    return ok;
}
