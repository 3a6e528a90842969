/* Wavefront OBJ. tinyobjloader reads the faces; the coordinates are read here, from the same lines, because a scene must
 * mean the same everywhere and its numbers are rounded differently from one C library to the next. */
#include "io/files/number.h"
#include "io/mesh/obj.h"
#include "io/mesh/surface.h"

#include <string.h>

/* One line, without its end, which is \n, \r or \r\n. */
typedef struct line {
    const char *start, *end;
    int         number;
} line;

typedef ARRAY(uint32_t) open_groups;

typedef struct obj_reader {
    pliant__surface *s;
    size_t           vertices_passed; /* vertices before the current line of the faces' pass: negative indices count from there */
    size_t           textures_passed;
    size_t           faces_passed;
    ARRAY(float) uvs;  /* 2 per vt, where they are wanted */
    ARRAY(float) face; /* texture coordinates of a face's corners, 2 each */
    const char *text;
    size_t      length;
    line        at;              /* of the faces' pass */
    open_groups groups, objects; /* that faces are in */
} obj_reader;

static bool next_line(const char *text_end, line *l)
{
    const char *p = l->number ? l->end : l->start;
    if (l->number) {
        if (p < text_end && *p == '\r' && p + 1 < text_end && p[1] == '\n')
            p += 2;
        else if (p < text_end)
            p++;
    }
    if (p >= text_end) return false;
    l->start = p;
    while (p < text_end && *p != '\n' && *p != '\r') p++;
    l->end = p;
    l->number++;
    return true;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Whether a line begins with this letter alone; moves behind it. */
static bool starts_with(const line *l, char letter, const char **rest)
{
    const char *p = l->start;
    while (p < l->end && is_blank(*p)) p++;
    if (p + 1 >= l->end || *p != letter || !is_blank(p[1])) return false;
    *rest = p + 2;
    return true;
}

/* Likewise for "vt", where texture coordinates are wanted; also with nothing behind it. */
static bool starts_with_vt(const obj_reader *r, const line *l, const char **rest)
{
    const char *p = l->start;
    while (p < l->end && is_blank(*p)) p++;
    if (!r->s->wants_uvs || l->end - p < 2 || p[0] != 'v' || p[1] != 't' || (l->end - p > 2 && !is_blank(p[2]))) return false;
    *rest = p + 2;
    return true;
}

static bool next_word(const char **at, const char *end, const char **word, size_t *length)
{
    const char *p = *at;
    while (p < end && is_blank(*p)) p++;
    *word = p;
    while (p < end && !is_blank(*p)) p++;
    *length = (size_t)(p - *word);
    *at = p;
    return *length > 0;
}

/* Three numbers behind the coordinates, as Blender and MeshLab write: a colour. A single number is a weight, and words that are no numbers are no
 * colour. */
static bool read_color(obj_reader *r, const line *l, const char *at)
{
    double rgba[4] = {1, 1, 1, 1};
    int    count = 0;
    for (const char *word = at; count < 5; count++) {
        size_t length;
        double value = 0;
        if (!next_word(&at, l->end, &word, &length)) break;
        if (pliant__parse_number(word, length, &value) != PLIANT__NUMBER_OK) return true;
        if (count < 4) rgba[count] = value;
    }
    return (count != 3 && count != 4) || pliant__surface_color(r->s, rgba);
}

static bool read_vertex(obj_reader *r, const line *l, const char *at)
{
    for (int i = 0; i < 3; i++) {
        const char *word;
        size_t      length;
        double      value = 0;
        if (!next_word(&at, l->end, &word, &length))
            return pliant__fail_at(r->s->error, PLIANT_ERROR_INPUT, r->s->path, l->number, "a vertex has three coordinates");
        pliant__number_status status = pliant__parse_number(word, length, &value);
        if (status == PLIANT__NUMBER_NONE)
            return pliant__fail_at(r->s->error, PLIANT_ERROR_INPUT, r->s->path, l->number, "%.*s is not a finite number",
                                   length < 40 ? (int)length : 40, word);
        if (!pliant__surface_coordinate(r->s, status == PLIANT__NUMBER_HUGE ? 1e300 : value, l->number)) return false;
    }
    return read_color(r, l, at);
}

/* A second one that is left out is 0; a third one is passed over. */
static bool read_texture(obj_reader *r, const line *l, const char *at)
{
    for (int i = 0; i < 2; i++) {
        const char *word;
        size_t      length;
        double      value = 0;
        float       kept = 0;
        if (next_word(&at, l->end, &word, &length)) {
            const pliant__number_status status = pliant__parse_number(word, length, &value);
            if (status == PLIANT__NUMBER_NONE)
                return pliant__fail_at(r->s->error, PLIANT_ERROR_INPUT, r->s->path, l->number, "%.*s is not a finite number",
                                       length < 40 ? (int)length : 40, word);
            if (!pliant__surface_uv(r->s, status == PLIANT__NUMBER_HUGE ? 1e300 : value, l->number, &kept)) return false;
        } else if (!i) {
            return pliant__fail_at(r->s->error, PLIANT_ERROR_INPUT, r->s->path, l->number,
                                   "a texture coordinate has one number or two, and there is none");
        }
        if (!array_push(NULL, &r->uvs, kept)) return pliant__fail_memory(r->s->error, r->uvs.count * sizeof kept, r->s->path);
    }
    return true;
}

/* tinyobjloader reads indices by atoi, which wraps round. */
static bool check_digits(obj_reader *r, const line *l, const char *at)
{
    int run = 0;
    for (const char *p = at; p < l->end; p++) {
        run = *p >= '0' && *p <= '9' ? run + 1 : 0;
        if (run > 9) return pliant__fail_at(r->s->error, PLIANT_ERROR_INPUT, r->s->path, l->number, "an index is too large");
    }
    return true;
}

/* The format lets a line end in a backslash and go on in the next one; hardly any program writes that, and tinyobjloader does not read it. */
static bool goes_on(const line *l)
{
    const char *p = l->end;
    while (p > l->start && is_blank(p[-1])) p--;
    return p > l->start && p[-1] == '\\';
}

static bool read_vertices(obj_reader *r)
{
    line l = {.start = r->text};
    while (next_line(r->text + r->length, &l)) {
        const char *rest;
        if (memchr(l.start, 0, (size_t)(l.end - l.start)))
            return pliant__fail_at(r->s->error, PLIANT_ERROR_INPUT, r->s->path, l.number, "a zero byte: not a text");
        bool counts = starts_with(&l, 'v', &rest) || starts_with(&l, 'f', &rest) || starts_with_vt(r, &l, &rest);
        if (counts && goes_on(&l))
            return pliant__fail_at(r->s->error, PLIANT_ERROR_INPUT, r->s->path, l.number,
                                   "a line that goes on behind a backslash is not taken; join it with the next");
        if (starts_with(&l, 'v', &rest) && !read_vertex(r, &l, rest)) return false;
        if (starts_with_vt(r, &l, &rest) && !read_texture(r, &l, rest)) return false;
        if (starts_with(&l, 'f', &rest) && !check_digits(r, &l, rest)) return false;
    }
    if (r->s->positions.count > (size_t)INT32_MAX || r->uvs.count > (size_t)INT32_MAX)
        return pliant__fail_at(r->s->error, PLIANT_ERROR_INPUT, r->s->path, 0, "too many vertices");
    return true;
}

/* ---- faces ---- */

/* The line of face number `face`. tinyobjloader leaves out faces without corners, so these do not count. */
static int face_line(const obj_reader *r, size_t face)
{
    line   l = {.start = r->text};
    size_t passed = 0;
    while (next_line(r->text + r->length, &l)) {
        const char *rest, *word;
        size_t      length;
        if (starts_with(&l, 'f', &rest) && next_word(&rest, l.end, &word, &length) && passed++ == face) return l.number;
    }
    return 0;
}

static bool resolve(obj_reader *r, int written, uint32_t *index)
{
    int64_t i = written > 0 ? (int64_t)written - 1 : (int64_t)r->vertices_passed + written;
    if (written == 0 || i < 0 || (uint64_t)i >= r->s->positions.count / 3)
        return pliant__fail_at(r->s->error, PLIANT_ERROR_INPUT, r->s->path, face_line(r, r->faces_passed),
                               "a face has vertex %d, and there are %zu vertices", written, r->s->positions.count / 3);
    *index = (uint32_t)i;
    return true;
}

/* A face has texture coordinates at all of its corners, or at none. NULL in *uvs: at none. */
static bool resolve_textures(obj_reader *r, const int *textures, size_t count, const float **uvs)
{
    const size_t there = r->uvs.count / 2;
    r->face.count = 0;
    *uvs = NULL;
    for (size_t i = 0; i < count && r->s->wants_uvs; i++) {
        const int64_t written = textures[i], t = written > 0 ? written - 1 : (int64_t)r->textures_passed + written;
        if ((written == 0) != (textures[0] == 0))
            return pliant__fail_at(r->s->error, PLIANT_ERROR_INPUT, r->s->path, face_line(r, r->faces_passed),
                                   "a face has texture coordinates at some of its corners only");
        if (written == 0) continue;
        if (t < 0 || (uint64_t)t >= there)
            return pliant__fail_at(r->s->error, PLIANT_ERROR_INPUT, r->s->path, face_line(r, r->faces_passed),
                                   "a face has texture coordinate %d, and there are %zu", textures[i], there);
        if (!array_push(NULL, &r->face, r->uvs.data[2 * t]) || !array_push(NULL, &r->face, r->uvs.data[2 * t + 1]))
            return pliant__fail_memory(r->s->error, 2 * count * sizeof(float), r->s->path);
    }
    if (r->face.count) *uvs = r->face.data;
    return true;
}

/* The lines for tinyobjloader: one and the same vertex for each vertex, and faces as they are. It would read coordinates that are not needed here,
 * and overflow. */
static bool on_line(void *context, const char **start, const char **end)
{
    static const char vertex[] = "v 0 0 0", texture[] = "vt 0 0";
    obj_reader       *r = context;
    while (next_line(r->text + r->length, &r->at)) {
        const char *rest;
        const bool  is_vertex = starts_with(&r->at, 'v', &rest), is_texture = starts_with_vt(r, &r->at, &rest);
        if (!is_vertex && !is_texture && !starts_with(&r->at, 'f', &rest)) continue;
        *start = is_vertex ? vertex : is_texture ? texture : r->at.start;
        *end = is_vertex ? vertex + sizeof vertex - 1 : is_texture ? texture + sizeof texture - 1 : r->at.end;
        return true;
    }
    return false;
}

static bool on_vertex(void *context)
{
    obj_reader *r = context;
    r->vertices_passed++;
    return true;
}

static bool on_texture(void *context)
{
    obj_reader *r = context;
    r->textures_passed++;
    return true;
}

static bool on_face(void *context, const int *indices, const int *textures, size_t count)
{
    obj_reader  *r = context;
    const float *uvs = NULL;
    uint32_t     few[64];
    uint32_t    *corners = count <= 64 ? few : pliant__alloc_array(NULL, count, sizeof *corners);
    if (!corners) return pliant__fail_memory(r->s->error, count * sizeof *corners, r->s->path);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) ok = resolve(r, indices[i], &corners[i]);
    ok = ok && resolve_textures(r, textures, count, &uvs);
    if (ok && !pliant__surface_face_uvs(r->s, corners, uvs, count, 0)) {
        if (r->s->error->code == PLIANT_ERROR_INPUT) r->s->error->line = face_line(r, r->faces_passed);
        ok = false;
    }
    if (corners != few) pliant__free(NULL, corners);
    r->faces_passed++;
    return ok;
}

static bool read_faces(obj_reader *r)
{
    pliant__obj_sink sink = {r, on_line, on_vertex, on_texture, on_face};
    bool             out_of_memory;
    pliant_error     before = {0};
    *r->s->error = before;
    r->at = (line){.start = r->text};
    if (pliant__obj_parse(&sink, &out_of_memory)) return true;
    if (out_of_memory) return pliant__fail_memory(r->s->error, r->length, r->s->path);
    if (!*r->s->error->message) return pliant__fail_at(r->s->error, PLIANT_ERROR_INPUT, r->s->path, 0, "not an OBJ");
    return false;
}

/* ---- groups ---- */

/* The index at the head of "7/1/3"; 0 for nonsense, which the faces' pass has refused. */
static int64_t index_of(const char *word, size_t length)
{
    const bool less = length && *word == '-';
    int64_t    index = 0;
    for (size_t i = less; i < length && word[i] >= '0' && word[i] <= '9'; i++) index = 10 * index + (word[i] - '0');
    return less ? -index : index;
}

/* The names behind `g` or `o`: several of a `g`, each a group; of an `o` all of it, with its blanks. */
static bool open(obj_reader *r, const line *l, const char *at, bool one, open_groups *groups)
{
    const char *word, *end = l->end;
    size_t      length;
    uint32_t    group;
    groups->count = 0;
    while (end > at && is_blank(end[-1])) end--;
    while (one && at < end && is_blank(*at)) at++;
    if (one) return at == end || (pliant__surface_group(r->s, at, (size_t)(end - at), &group) && array_push(NULL, groups, group));
    while (next_word(&at, end, &word, &length))
        if (!pliant__surface_group(r->s, word, length, &group) || !array_push(NULL, groups, group)) return false;
    return true;
}

static bool join_groups(obj_reader *r, const line *l, const char *at, size_t passed)
{
    const char *word;
    size_t      length;
    while (next_word(&at, l->end, &word, &length)) {
        const int64_t written = index_of(word, length), v = written > 0 ? written - 1 : (int64_t)passed + written;
        if (v < 0 || (uint64_t)v >= r->s->positions.count / 3) continue;
        for (size_t i = 0; i < r->groups.count; i++)
            if (!pliant__surface_member(r->s, r->groups.data[i], (uint32_t)v)) return false;
        for (size_t i = 0; i < r->objects.count; i++)
            if (!pliant__surface_member(r->s, r->objects.data[i], (uint32_t)v)) return false;
    }
    return true;
}

/* A pass of its own: tinyobjloader does not say at which face a group begins. */
static bool read_groups(obj_reader *r)
{
    line   l = {.start = r->text};
    size_t passed = 0;
    while (next_line(r->text + r->length, &l)) {
        const char *rest;
        bool        ok = true;
        if (starts_with(&l, 'v', &rest)) {
            passed++;
        } else if (starts_with(&l, 'f', &rest)) {
            ok = join_groups(r, &l, rest, passed);
        } else if (starts_with(&l, 'g', &rest)) {
            ok = open(r, &l, rest, false, &r->groups);
        } else if (starts_with(&l, 'o', &rest)) {
            ok = open(r, &l, rest, true, &r->objects);
        }
        if (!ok) return pliant__fail_memory(r->s->error, r->length, r->s->path);
    }
    return true;
}

bool pliant__obj_read(pliant__surface *s, const char *text, size_t length)
{
    s->base = 1;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, length -= 3; /* a mark that says UTF-8 */
    obj_reader r = {.s = s, .text = text, .length = length};
    const bool ok = read_vertices(&r) && read_faces(&r) && read_groups(&r);
    array_free(NULL, &r.groups);
    array_free(NULL, &r.objects);
    array_free(NULL, &r.uvs);
    array_free(NULL, &r.face);
    return ok;
}
