/* Faces of a mesh that are left out: those with less than three places, and those with the vertices of an earlier face. Vertices keep their
 * numbers. */
#include "scene/surface.h"
#include "surface/equal.h"

typedef struct cleaning {
    pliant__builder *b;
    pliant__surface *s;
    const uint32_t  *place; /* per vertex; NULL: its own */
    uint8_t         *size;  /* per face: corners at different places, 0 if it is left out */
} cleaning;

static size_t face_count(const pliant__surface *s) { return s->faces.triangle_count + s->faces.quad_count; }

static uint32_t *corners_of(const pliant__surface *s, size_t face)
{
    const size_t triangles = s->faces.triangle_count;
    return s->corners + (face < triangles ? 3 * face : 3 * triangles + 4 * (face - triangles));
}

static uint32_t place_of(const cleaning *c, uint32_t vertex) { return c->place ? c->place[vertex] : vertex; }

/* The corners of a face at different places, one after the other, and which of its corners they are; how many. */
static uint32_t keep_corners(const cleaning *c, size_t face, uint32_t kept[4], uint32_t number[4])
{
    const uint32_t *corner = corners_of(c->s, face), size = face < c->s->faces.triangle_count ? 3 : 4;
    uint32_t        count = 0;
    for (uint32_t i = 0; i < size; i++) {
        bool seen = false;
        for (uint32_t j = 0; j < count; j++) seen = seen || place_of(c, kept[j]) == place_of(c, corner[i]);
        if (seen) continue;
        number[count] = i;
        kept[count++] = corner[i];
    }
    return count;
}

/* A quad of which two corners that lie across are at one place is folded onto itself. */
static bool is_across(const cleaning *c, size_t face)
{
    const uint32_t *q = corners_of(c->s, face);
    return face >= c->s->faces.triangle_count && (place_of(c, q[0]) == place_of(c, q[2]) || place_of(c, q[1]) == place_of(c, q[3]));
}

static bool complain(const cleaning *c, size_t face)
{
    const uint32_t *corner = corners_of(c->s, face), triangles = (uint32_t)c->s->faces.triangle_count;
    const bool      quad = face >= triangles;
    const char     *name = quad ? "quad" : "triangle";
    for (uint32_t k = 0; k < (quad ? 4u : 3u); k++)
        for (uint32_t l = 0; l < k; l++) {
            if (place_of(c, corner[k]) != place_of(c, corner[l])) continue;
            if (corner[k] == corner[l])
                return pliant__fail(c->b->error, PLIANT_ERROR_ARGUMENT,
                                    "nothing is left of it: %s %zu uses vertex %u twice, and no face has three places", name,
                                    quad ? face - triangles : face, corner[l]);
            return pliant__fail(c->b->error, PLIANT_ERROR_ARGUMENT,
                                "nothing is left of it: %s %zu has vertices %u and %u at one place, and no face has three; weld less", name,
                                quad ? face - triangles : face, corner[l], corner[k]);
        }
    return pliant__fail(c->b->error, PLIANT_ERROR_ARGUMENT, "nothing is left of it");
}

/* ---- less than three places ---- */

/* How many faces are left out, and how many quads become triangles. */
static size_t find_flat(cleaning *c, size_t *halves)
{
    size_t   gone = 0;
    uint32_t kept[4], number[4];
    *halves = 0;
    for (size_t i = 0; i < face_count(c->s); i++) {
        const uint32_t count = keep_corners(c, i, kept, number);
        const bool     bad = count < 3 || (count == 3 && is_across(c, i));
        c->size[i] = bad ? 0 : (uint8_t)count;
        gone += bad;
        *halves += !bad && count == 3 && i >= c->s->faces.triangle_count;
    }
    return gone;
}

/* Moves the texture coordinates of the kept corners to corner `to` of `uvs`. */
static void move_uvs(const cleaning *c, float *uvs, size_t to, size_t face, const uint32_t number[4], uint32_t count)
{
    const float *from = c->s->uvs ? c->s->uvs + 2 * (corners_of(c->s, face) - c->s->corners) : NULL;
    for (uint32_t k = 0; from && k < count; k++) memcpy(uvs + 2 * (to + k), from + 2 * (size_t)number[k], 2 * sizeof *uvs);
}

/* Writes the triangles that stay, quads that became triangles, and quads. */
static bool write_faces(cleaning *c)
{
    pliant__surface *s = c->s;
    pliant__faces    left = {NULL, 0, 0};
    uint32_t        *out = pliant__take(c->b, pliant__corner_count(&s->faces), sizeof *out, "faces"), kept[4], number[4] = {0, 1, 2, 3};
    float *uvs = s->uvs ? pliant__take(c->b, 2 * (uint64_t)pliant__corner_count(&s->faces), sizeof *uvs, "texture coordinates") : NULL;
    if (!out || (s->uvs && !uvs)) return false;
    for (size_t i = 0; i < face_count(s); i++)
        if (c->size[i] == 4)
            left.quad_count++;
        else if (c->size[i] == 3) {
            keep_corners(c, i, kept, number);
            move_uvs(c, uvs, 3 * left.triangle_count, i, number, 3);
            memcpy(out + 3 * left.triangle_count++, kept, 3 * sizeof *out);
        }
    for (uint32_t k = 0; k < 4; k++) number[k] = k;
    size_t at = 3 * left.triangle_count;
    for (size_t i = 0; i < face_count(s); i++) {
        if (c->size[i] != 4) continue;
        move_uvs(c, uvs, at, i, number, 4);
        memcpy(out + at, corners_of(s, i), 4 * sizeof *out);
        at += 4;
    }
    left.corners = s->corners = out;
    s->uvs = uvs;
    s->faces = left;
    return true;
}

bool pliant__take_out_faces(pliant__builder *b, pliant__surface *s, const bool *gone)
{
    cleaning c = {.b = b, .s = s};
    c.size = pliant__take(b, face_count(s), 1, "faces");
    if (!c.size) return false;
    for (size_t i = 0; i < face_count(s); i++) c.size[i] = gone[i] ? 0 : i < s->faces.triangle_count ? 3 : 4;
    return write_faces(&c);
}

/* ---- doubled faces ---- */

/* Marks those faces of one size that have the places of an earlier one. */
static bool find_doubled(cleaning *c, pliant__scratch *scratch, size_t from, size_t count, uint32_t size)
{
    uint32_t *tuples = pliant__scratch_take(scratch, count * size, sizeof *tuples, "faces");
    uint32_t *first = pliant__scratch_take(scratch, count, sizeof *first, "faces");
    if (!tuples || !first) return false;
    for (size_t i = 0; i < count * size; i++) tuples[i] = place_of(c, corners_of(c->s, from)[i]);
    if (!pliant__find_equal(scratch, tuples, size, count, first)) return false;
    for (size_t i = 0; i < count; i++) {
        c->size[from + i] = first[i] == i ? (uint8_t)size : 0;
        c->b->body.mended.doubled += first[i] != i;
    }
    pliant__scratch_drop(scratch, 0);
    return true;
}

static bool drop_doubled(cleaning *c)
{
    const size_t    triangles = c->s->faces.triangle_count, quads = c->s->faces.quad_count;
    pliant__scratch scratch = {.allocator = &c->b->scene->allocator, .error = c->b->error};
    const bool      ok =
        (!triangles || find_doubled(c, &scratch, 0, triangles, 3)) && (!quads || find_doubled(c, &scratch, triangles, quads, 4));
    pliant__scratch_drop(&scratch, 0);
    return ok && (!c->b->body.mended.doubled || write_faces(c));
}

bool pliant__clean_surface(pliant__builder *b, pliant__surface *s, const uint32_t *place, bool doubled)
{
    cleaning     c = {b, s, place, NULL};
    const size_t before = face_count(s);
    size_t       halves;
    c.size = pliant__take(b, before, 1, "faces");
    if (!c.size) return false;
    const size_t gone = find_flat(&c, &halves);
    if (gone == before) return complain(&c, 0);
    b->body.mended.flat += (uint32_t)gone;
    if ((gone || halves) && !write_faces(&c)) return false;
    return (!doubled || drop_doubled(&c)) && (pliant__give_back(b, c.size), true);
}
