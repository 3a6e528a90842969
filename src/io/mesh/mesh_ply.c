/* PLY (Turk 1994), ASCII and binary of both byte orders. Vertices come in the file's order, faces as the file has them. Of vertices x, y and z are
 * taken, colours (red, green, blue, alpha), texture coordinates where they are wanted (s and t, u and v, texture_u and texture_v), and every other number
 * as a group of those with more than 0 of it, but normals and the like; of faces vertex_indices (or vertex_index) and texcoord; every other property
 * and element is passed over by its size. Existing readers put vertices in another order or merge them, and the cache would not fit the mesh any
 * more. */
#include "io/files/number.h"
#include "io/mesh/surface.h"

#include <stdio.h>
#include <string.h>

typedef enum number_type { I8, U8, I16, U16, I32, U32, F32, F64, TYPES, NONE = TYPES } number_type;

static const struct {
    const char *name, *other;
    size_t      size;
} types[TYPES] = {{"char", "int8", 1}, {"uchar", "uint8", 1}, {"short", "int16", 2},   {"ushort", "uint16", 2},
                  {"int", "int32", 4}, {"uint", "uint32", 4}, {"float", "float32", 4}, {"double", "float64", 8}};

enum { MOST_PROPERTIES = 64, MOST_ELEMENTS = 16, LONGEST_WORD = 64 };

enum { ASCII, LITTLE, BIG };

/* Roles of a vertex's numbers: two of each pair of texture coordinates, and behind them those of groups: the group's number more. */
enum { PAIRS = 3 };
enum { X, Y, Z, RED, GREEN, BLUE, ALPHA, UVS, GROUP = UVS + 2 * PAIRS };
static const char *const roles[] = {"x", "y", "z", "red", "green", "blue", "alpha"};
static const char *const uv_names[PAIRS][2] = {{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}};
static const char *const plain[] = {"nx", "ny", "nz", "quality", "confidence"};

typedef struct property {
    number_type type, count; /* count: of a list; NONE: one number */
    int         role;        /* of a vertex as above; of a face: 0, its corners; 1, their texture coordinates; -1: passed over */
} property;

typedef struct element {
    char     name[LONGEST_WORD];
    uint64_t count;
    property properties[MOST_PROPERTIES];
    uint32_t property_count;
} element;

typedef struct reader {
    pliant__surface *s;
    const char      *text, *at, *end;
    int              line;
    int              format; /* ASCII, LITTLE, BIG */
    bool             lines;  /* in the header, and in all of an ASCII file: errors have a line, else a byte */
    element          elements[MOST_ELEMENTS];
    uint32_t         element_count;
    ARRAY(uint32_t) corners;
    ARRAY(float) vertex_uvs, uvs; /* 2 per vertex; of a face */
} reader;

static bool fail(const reader *r, const char *what)
{
    if (r->lines) return pliant__fail_at(r->s->error, PLIANT_ERROR_INPUT, r->s->path, r->line, "%s", what);
    return pliant__fail_at(r->s->error, PLIANT_ERROR_INPUT, r->s->path, 0, "byte %zu: %s", (size_t)(r->at - r->text), what);
}

/* ---- the header ---- */

/* A line of the header, without its end, which is \n, \r or \r\n. */
static bool take_line(reader *r, char out[256])
{
    const char *p = r->at;
    while (p < r->end && *p != '\n' && *p != '\r') p++;
    size_t length = (size_t)(p - r->at);
    r->line++;
    if (p == r->end) return fail(r, "the header has no end: \"end_header\" is missing");
    if (length > 255) return fail(r, "a line of the header is too long");
    memcpy(out, r->at, length);
    out[length] = 0;
    r->at = p + (*p == '\r' && p + 1 < r->end && p[1] == '\n' ? 2 : 1);
    return strlen(out) == length || fail(r, "a zero byte in the header: not a PLY");
}

/* The next word of a line, empty at its end. */
static const char *take_word(char **at)
{
    char *word = *at + strspn(*at, " \t"), *end = word + strcspn(word, " \t");
    *at = *end ? end + 1 : end;
    *end = 0;
    return word;
}

static number_type type_of(const char *word)
{
    for (int i = 0; i < TYPES; i++)
        if (strcmp(word, types[i].name) == 0 || strcmp(word, types[i].other) == 0) return (number_type)i;
    return NONE;
}

static bool take_format(reader *r, char *at)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    const char              *name = take_word(&at), *version = take_word(&at);
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0 && strcmp(version, "1.0") == 0) return r->format = i, true;
    return fail(r, "the format is not ascii, binary_little_endian or binary_big_endian 1.0");
}

static bool take_element(reader *r, char *at)
{
    const char *name = take_word(&at), *count = take_word(&at);
    double      number;
    if (r->element_count == MOST_ELEMENTS) return fail(r, "more than 16 elements");
    if (strlen(name) >= LONGEST_WORD || !*name || pliant__parse_number(count, strlen(count), &number) != PLIANT__NUMBER_OK ||
        !(number >= 0 && number <= 4e9) || number != (double)(uint64_t)number)
        return fail(r, "an element has a name and a number");
    element *e = &r->elements[r->element_count++];
    memset(e, 0, sizeof *e);
    memcpy(e->name, name, strlen(name));
    e->count = (uint64_t)number;
    return true;
}

static bool role_of_uv(const reader *r, const element *e, const char *name, int *role)
{
    for (int i = 0; i < 2 * PAIRS; i++) {
        bool taken = !r->s->wants_uvs;
        if (strcmp(name, uv_names[i / 2][i % 2]) != 0) continue;
        for (uint32_t k = 0; k < e->property_count; k++) taken = taken || e->properties[k].role == UVS + i;
        if (!taken) *role = UVS + i;
        return true;
    }
    return false;
}

static bool role_of_vertex(reader *r, const element *e, const char *name, int *role)
{
    uint32_t group;
    if (role_of_uv(r, e, name, role)) return true;
    for (int i = X; i < UVS; i++)
        if (strcmp(name, roles[i]) == 0) return *role = i, true;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(name, plain[i]) == 0) return true;
    if (!pliant__surface_group(r->s, name, strlen(name), &group)) return false;
    *role = GROUP + (int)group;
    return true;
}

static int role_of(const reader *r, const element *e, const property *p, const char *name)
{
    if (strcmp(e->name, "face") == 0 && p->count != NONE && strcmp(name, "texcoord") == 0 && r->s->wants_uvs) return 1;
    if (strcmp(e->name, "face") == 0 && p->count != NONE && (strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0))
        return 0;
    return -1;
}

static bool take_property(reader *r, char *at)
{
    const char *word = take_word(&at);
    property    p = {.count = NONE};
    if (!r->element_count) return fail(r, "a property before the first element");
    element *e = &r->elements[r->element_count - 1];
    if (e->property_count == MOST_PROPERTIES) return fail(r, "more than 64 properties");
    if (strcmp(word, "list") == 0) {
        p.count = type_of(take_word(&at));
        word = take_word(&at);
        if (p.count == NONE || p.count >= F32) return fail(r, "a list is counted by whole numbers");
    }
    p.type = type_of(word);
    if (p.type == NONE) return fail(r, "a property's type is none of char, uchar, short, ushort, int, uint, float, double");
    const char *name = take_word(&at);
    p.role = role_of(r, e, &p, name);
    if (strcmp(e->name, "vertex") == 0 && p.count == NONE && *name && !role_of_vertex(r, e, name, &p.role)) return false;
    for (uint32_t i = 0; i < e->property_count; i++)
        if (p.role >= 0 && e->properties[i].role == p.role) return fail(r, "a property is there twice");
    e->properties[e->property_count++] = p;
    return true;
}

/* How many of roles first, first + 1, ... below `end` it has. */
static int count_roles(const element *e, int first, int end)
{
    int found = 0;
    for (uint32_t i = 0; i < e->property_count; i++) found += e->properties[i].role >= first && e->properties[i].role < end;
    return found;
}

/* The role of u of the pair that is whole first: halves of different pairs are none. -1: there is none. */
static int pair_of(const element *e)
{
    bool there[2 * PAIRS] = {false};
    for (uint32_t i = 0; i < e->property_count; i++) {
        const int half = e->properties[i].role - UVS;
        if (half < 0 || half >= 2 * PAIRS) continue;
        there[half] = true;
        if (there[half ^ 1]) return UVS + half / 2 * 2;
    }
    return -1;
}

/* Vertices once, before their faces. */
static bool check_elements(reader *r)
{
    int vertices = 0, faces = 0;
    for (uint32_t i = 0; i < r->element_count; i++) {
        const element *e = &r->elements[i];
        if (strcmp(e->name, "vertex") == 0) {
            if (vertices++ || count_roles(e, X, Z + 1) != 3) return fail(r, "an element vertex with properties x, y and z is needed, once");
        } else if (strcmp(e->name, "face") == 0) {
            if (faces++ || !vertices || count_roles(e, 0, 1) != 1)
                return fail(r, "an element face with a list vertex_indices is needed, once, after vertex");
        } else if (strcmp(e->name, "tristrips") == 0) {
            return fail(r, "triangle strips are not read: write the mesh with faces");
        }
    }
    return (vertices && faces) || fail(r, "elements vertex and face are needed");
}

static bool take_header(reader *r)
{
    char line[256], *at = line;
    if (!take_line(r, line)) return false;
    if (strcmp(line, "ply") != 0) return fail(r, "not a PLY: the first line is not \"ply\"");
    bool formatted = false;
    for (;;) {
        if (!take_line(r, line)) return false;
        at = line;
        const char *word = take_word(&at);
        bool        ok = true;
        if (strcmp(word, "end_header") == 0) return formatted ? check_elements(r) : fail(r, "the header has no format");
        if (strcmp(word, "format") == 0) {
            formatted = true;
            ok = take_format(r, at);
        } else if (strcmp(word, "element") == 0) {
            ok = take_element(r, at);
        } else if (strcmp(word, "property") == 0) {
            ok = take_property(r, at);
        } else if (*word && strcmp(word, "comment") != 0 && strcmp(word, "obj_info") != 0) {
            ok = fail(r, "a line of the header is none of format, element, property, comment, obj_info, end_header");
        }
        if (!ok) return false;
    }
}

/* ---- numbers ---- */

static bool take_ascii(reader *r, double *out)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n')) r->line += *r->at++ == '\n';
    const char *word = r->at;
    while (r->at < r->end && *r->at != ' ' && *r->at != '\t' && *r->at != '\r' && *r->at != '\n') r->at++;
    if (word == r->at) return fail(r, "the file ends before all elements that its header says: cut off");
    return pliant__parse_number(word, (size_t)(r->at - word), out) == PLIANT__NUMBER_OK || fail(r, "not a finite number");
}

static bool take_binary(reader *r, number_type type, double *out)
{
    const size_t  size = types[type].size;
    unsigned char b[8];
    uint64_t      bits = 0;
    if ((size_t)(r->end - r->at) < size) return fail(r, "the file ends before all elements that its header says: cut off");
    memcpy(b, r->at, size);
    for (size_t i = 0; i < size; i++) bits |= (uint64_t)b[r->format == LITTLE ? i : size - 1 - i] << (8 * i);
    float    single;
    uint32_t half = (uint32_t)bits;
    switch (type) {
    case I8: *out = (int8_t)bits; break;
    case I16: *out = (int16_t)bits; break;
    case I32: *out = (int32_t)half; break;
    case F32:
        memcpy(&single, &half, sizeof single);
        *out = (double)single;
        break;
    case F64: memcpy(out, &bits, sizeof bits); break;
    default: *out = (double)bits;
    }
    r->at += size;
    return true;
}

static bool take_number(reader *r, number_type type, double *out)
{
    return r->format == ASCII ? take_ascii(r, out) : take_binary(r, type, out);
}

/* ---- elements ---- */

static bool take_count(reader *r, const property *p, uint32_t *count)
{
    double number = 1;
    if (p->count != NONE && !take_number(r, p->count, &number)) return false;
    /* At least a byte each: a count that the file cannot hold is refused before anything is made for it. */
    if (!(number >= 0 && number <= (double)(r->end - r->at)) || number != (double)(uint32_t)number)
        return fail(r, "a list's count is out of range");
    *count = (uint32_t)number;
    return true;
}

static bool take_corner(reader *r, double number)
{
    if (!(number >= 0 && number < (double)(r->s->positions.count / 3)) || number != (double)(uint32_t)number)
        return fail(r, "a face has a vertex that is not there");
    return array_push(NULL, &r->corners, (uint32_t)number) || pliant__fail_memory(r->s->error, r->corners.count * 4, r->s->path);
}

/* Of a face: two per corner, as MeshLab writes them. */
static bool take_texcoord(reader *r, double number)
{
    float kept = 0;
    if (!pliant__surface_uv(r->s, number, r->lines ? r->line : 0, &kept)) return false;
    return array_push(NULL, &r->uvs, kept) || pliant__fail_memory(r->s->error, r->uvs.count * sizeof kept, r->s->path);
}

/* A number of a vertex. Whole numbers of a colour go from 0 to the largest that there is. */
static bool take_role(reader *r, const property *p, double number, double numbers[GROUP])
{
    static const double most[TYPES] = {127, 255, 32767, 65535, 2147483647, 4294967295, 1, 1};
    if (p->role < GROUP) {
        numbers[p->role] = p->role < RED || p->role >= UVS ? number : number / most[p->type];
        return true;
    }
    return !(number > 0) || pliant__surface_member(r->s, (uint32_t)(p->role - GROUP), (uint32_t)(r->s->positions.count / 3));
}

static bool take_one(reader *r, const element *e, bool vertex, double numbers[GROUP])
{
    for (uint32_t i = 0; i < e->property_count; i++) {
        const property *p = &e->properties[i];
        uint32_t        count = 0;
        if (!take_count(r, p, &count)) return false;
        if (p->role < 0 && r->format != ASCII) {
            if (count > (size_t)(r->end - r->at) / types[p->type].size)
                return fail(r, "the file ends before all elements that its header says: cut off");
            r->at += count * types[p->type].size;
            continue;
        }
        for (uint32_t k = 0; k < count; k++) {
            double number = 0;
            if (!take_number(r, p->type, &number)) return false;
            if (p->role >= 0 && vertex && !take_role(r, p, number, numbers)) return false;
            if (p->role == 0 && !vertex && !take_corner(r, number)) return false;
            if (p->role == 1 && !vertex && !take_texcoord(r, number)) return false;
        }
    }
    return true;
}

static bool take_uv(reader *r, const double uv[2])
{
    for (int k = 0; k < 2; k++) {
        float kept = 0;
        if (!pliant__surface_uv(r->s, uv[k], r->lines ? r->line : 0, &kept)) return false;
        if (!array_push(NULL, &r->vertex_uvs, kept)) return pliant__fail_memory(r->s->error, r->vertex_uvs.count * sizeof kept, r->s->path);
    }
    return true;
}

/* A face's own texture coordinates, or those of its vertices. */
static bool take_face(reader *r)
{
    const size_t count = r->corners.count;
    if (r->uvs.count && r->uvs.count != 2 * count) {
        char text[96];
        snprintf(text, sizeof text, "a face of %zu corners has %zu texture coordinates, not two per corner", count, r->uvs.count);
        return fail(r, text);
    }
    for (size_t i = 0; i < count && r->vertex_uvs.count && r->uvs.count < 2 * count; i++)
        for (uint32_t k = 0; k < 2; k++)
            if (!array_push(NULL, &r->uvs, r->vertex_uvs.data[2 * (size_t)r->corners.data[i] + k]))
                return pliant__fail_memory(r->s->error, r->uvs.count * sizeof(float), r->s->path);
    return pliant__surface_face_uvs(r->s, r->corners.data, r->uvs.count ? r->uvs.data : NULL, count, r->lines ? r->line : 0);
}

static bool take_elements(reader *r, const element *e)
{
    const bool vertex = strcmp(e->name, "vertex") == 0, face = strcmp(e->name, "face") == 0;
    if (e->property_count && e->count > (uint64_t)(r->end - r->at))
        return fail(r, "the file ends before all elements that its header says: cut off");
    const bool colored = vertex && count_roles(e, RED, ALPHA) == 3;
    const int  pair = vertex ? pair_of(e) : -1;
    for (uint64_t i = 0; i < e->count && e->property_count; i++) {
        double numbers[GROUP] = {0, 0, 0, 1, 1, 1, 1};
        if (!take_one(r, e, vertex, numbers)) return false;
        for (int k = 0; vertex && k < 3; k++)
            if (!pliant__surface_coordinate(r->s, numbers[k], r->lines ? r->line : 0)) return false;
        if (colored && !pliant__surface_color(r->s, numbers + RED)) return false;
        if (pair >= 0 && !take_uv(r, numbers + pair)) return false;
        if (face && !take_face(r)) return false;
        r->corners.count = r->uvs.count = 0;
    }
    return true;
}

bool pliant__ply_read(pliant__surface *s, const char *text, size_t length)
{
    reader r = {.s = s, .text = text, .at = text, .end = text + length, .lines = true};
    bool   ok = take_header(&r);
    r.lines = r.format == ASCII;
    r.line += r.lines;
    for (uint32_t i = 0; ok && i < r.element_count; i++) ok = take_elements(&r, &r.elements[i]);
    array_free(NULL, &r.corners);
    array_free(NULL, &r.vertex_uvs);
    array_free(NULL, &r.uvs);
    return ok;
}
