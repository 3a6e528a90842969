/* A mesh as pliant-import wrote it. Every number is checked. */
#include "io/mesh/import.h"

#include "io/mesh/surface.h"

#include <string.h>

pliant_import_def pliant_import_def_default(void)
{
    pliant_import_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.seconds = 30;
    def.memory = (uint64_t)4 << 30;
    return def;
}

/* ---- the output of pliant-import ---- */

static bool fail(const pliant__surface *s, const char *what)
{
    return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, 0, "what pliant-import wrote is damaged: %s", what);
}

static bool fail_memory_limit(const pliant__surface *s)
{
    return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, 0, "its reader needs more memory than it may have");
}

static bool read_complaint(pliant__surface *s, const pliant__import_head *head, const char *text)
{
    char clean[257];
    int  length = head->text < 256 ? (int)head->text : 256;
    for (int i = 0; i < length; i++) clean[i] = (unsigned char)text[i] < 32 || text[i] == 127 ? ' ' : text[i];
    while (length && (clean[length - 1] == ' ' || clean[length - 1] == '.')) length--;
    clean[length] = 0;
    if (head->status == PLIANT__IMPORT_MEMORY) return fail_memory_limit(s);
    if (head->status == PLIANT__IMPORT_OUTSIDE)
        return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, 0, "it names %s, which lies outside its folder", clean);
    if (head->status != PLIANT__IMPORT_BAD) return fail(s, "an unknown status");
    return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, 0, "%s", length ? clean : "its reader does not take it");
}

static bool read_positions(pliant__surface *s, const char *at, uint64_t vertices)
{
    for (uint64_t i = 0; i < 3 * vertices; i++) {
        double x;
        memcpy(&x, at + i * sizeof x, sizeof x);
        if (!pliant__surface_coordinate(s, x, 0)) return false;
    }
    return true;
}

static bool has_twice(const uint32_t *corners, uint32_t count)
{
    for (uint32_t i = 0; i < count && count <= 64; i++)
        for (uint32_t j = 0; j < i; j++)
            if (corners[i] == corners[j]) return true;
    return false;
}

/* Texture coordinates of a face's corners from those of all vertices. */
static bool read_uvs(pliant__surface *s, const char *all, uint64_t vertices, const uint32_t *face, uint32_t count, float *out)
{
    for (uint32_t i = 0; i < 2 * count; i++) {
        float uv = 0;
        if (face[i / 2] < vertices) memcpy(&uv, all + (2 * (size_t)face[i / 2] + i % 2) * sizeof uv, sizeof uv);
        if (!pliant__surface_uv(s, (double)uv, 0, &out[i])) return false;
    }
    return true;
}

/* `all`: texture coordinates of the vertices, or NULL. */
static bool read_faces(pliant__surface *s, const pliant__import_head *head, const char *sizes, const char *corners, const char *all)
{
    uint64_t  used = 0;
    float    *uvs = NULL;
    uint32_t *face = NULL, room = 0;
    bool      ok = true;
    for (uint64_t i = 0; ok && i < head->faces; i++) {
        uint32_t count;
        memcpy(&count, sizes + i * sizeof count, sizeof count);
        if (count < 3 || count > head->corners - used) {
            ok = fail(s, "a face has too few corners, or too many");
            break;
        }
        if (count > room) {
            pliant__free(NULL, face);
            face = pliant__alloc_array(NULL, room = count, sizeof *face);
            pliant__free(NULL, uvs);
            uvs = all ? pliant__alloc_array(NULL, 2 * (size_t)count, sizeof *uvs) : NULL;
            ok = (face && (uvs || !all)) || pliant__fail_memory(s->error, count * sizeof *face, s->path);
        }
        if (!ok) break;
        memcpy(face, corners + used * sizeof *face, count * sizeof *face);
        used += count;
        if (has_twice(face, count))
            s->left_out++;
        else
            ok = (!all || read_uvs(s, all, head->vertices, face, count, uvs)) && pliant__surface_face_uvs(s, face, uvs, count, 0);
    }
    pliant__free(NULL, face);
    pliant__free(NULL, uvs);
    return ok && (used == head->corners || fail(s, "corners of no face"));
}

/* ---- marks ---- */

static bool read_colors(pliant__surface *s, const char *at, uint64_t vertices)
{
    float *out = array_extend(NULL, &s->colors, 4 * vertices);
    if (!out) return pliant__fail_memory(s->error, 4 * vertices * sizeof *out, s->path);
    memcpy(out, at, 4 * vertices * sizeof *out);
    for (uint64_t i = 0; i < 4 * vertices; i++) {
        if (out[i] - out[i] != 0) return fail(s, "a colour is not finite");
        out[i] = out[i] > 0 ? out[i] < 1 ? out[i] : 1 : 0;
    }
    return true;
}

static bool read_group(pliant__surface *s, const char *at, uint64_t vertices)
{
    pliant__import_group g;
    uint32_t             number;
    memcpy(&g, at, sizeof g);
    if (g.name[sizeof g.name - 1] || !g.name[0] || g.first > vertices || g.count > vertices - g.first) return fail(s, "a group");
    if (!pliant__surface_group(s, g.name, strlen(g.name), &number)) return false;
    for (uint32_t i = 0; i < g.count; i++)
        if (!pliant__surface_member(s, number, g.first + i)) return false;
    return true;
}

/* *uvs: where texture coordinates are, if there are some. */
static bool check_marks(pliant__surface *s, const pliant__import_head *head, const char *at, uint64_t left, const char **uvs)
{
    pliant__import_marks marks = {0};
    if (!left) return true;
    if (left >= sizeof marks) memcpy(&marks, at, sizeof marks);
    const uint64_t before =
        sizeof marks + (marks.has & PLIANT__IMPORT_COLORS ? 16 * head->vertices : 0) + marks.groups * sizeof(pliant__import_group);
    if (left < sizeof marks || marks.has > (PLIANT__IMPORT_COLORS | PLIANT__IMPORT_UVS) ||
        left != before + (marks.has & PLIANT__IMPORT_UVS ? 8 * head->vertices : 0))
        return fail(s, "its length is not what its head says");
    if ((marks.has & PLIANT__IMPORT_UVS) && s->wants_uvs) *uvs = at + before;
    return true;
}

static bool read_marks(pliant__surface *s, const pliant__import_head *head, const char *at, uint64_t left)
{
    pliant__import_marks marks;
    if (!left) return true;
    memcpy(&marks, at, sizeof marks);
    const uint64_t colors = marks.has & PLIANT__IMPORT_COLORS ? 16 * head->vertices : 0;
    at += sizeof marks;
    bool ok = !(marks.has & PLIANT__IMPORT_COLORS) || read_colors(s, at, head->vertices);
    for (uint32_t i = 0; ok && i < marks.groups; i++) ok = read_group(s, at + colors + i * sizeof(pliant__import_group), head->vertices);
    return ok;
}

bool pliant__import_read(pliant__surface *s, const char *bytes, size_t length)
{
    pliant__import_head head;
    const uint64_t      most = (uint64_t)1 << 31;
    if (length < sizeof head) return fail(s, "it is cut off");
    memcpy(&head, bytes, sizeof head);
    const uint64_t left = length - sizeof head;
    if (memcmp(head.magic, PLIANT__IMPORT_MAGIC, sizeof head.magic) != 0)
        return fail(s, "it does not begin as it should (is the program another version's?)");
    if (head.status != PLIANT__IMPORT_MESH)
        return head.text == left ? read_complaint(s, &head, bytes + sizeof head) : fail(s, "it is cut off");
    if (head.vertices > most || head.faces > most || head.corners > 2 * most || head.left_out > 2 * most)
        return fail(s, "too many of something");
    const uint64_t mesh = 24 * head.vertices + 4 * head.faces + 4 * head.corners;
    if (left < mesh) return fail(s, "its length is not what its head says");
    if ((head.up && (head.up < 'x' || head.up > 'z')) || !(head.unit >= 0 && head.unit < 1e9)) return fail(s, "its unit or its axis");
    s->unit = head.unit;
    s->up = (char)head.up;
    s->left_out = head.left_out;
    const char *positions = bytes + sizeof head, *sizes = positions + 24 * head.vertices, *uvs = NULL;
    if (s->vertex_uvs && s->vertex_uv_count != head.vertices)
        return pliant__fail_at(
            s->error, PLIANT_ERROR_INPUT, s->path, 0,
            "its texture coordinates are whole numbers, and not of the vertices that its reader makes: write them as floats");
    return check_marks(s, &head, positions + mesh, left - mesh, &uvs) && read_positions(s, positions, head.vertices) &&
           read_faces(s, &head, sizes, sizes + 4 * head.faces, s->vertex_uvs ? (const char *)s->vertex_uvs : uvs) &&
           read_marks(s, &head, positions + mesh, left - mesh);
}
