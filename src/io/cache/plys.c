/* A folder of binary PLY: BODY.0000.ply, ... Little-endian; per vertex position, normal and velocity, and the origin of a body that tears; faces as the mesh has
 * them, a rope's segments as edges, particles as vertices alone.
 *
 * A reader takes only files of this writer: the header is the same, byte for byte, and so all sizes are known. */
#include "base/vec.h"
#include "io/cache/folder.h"

#include <string.h>

enum { NUMBERS = 9 }; /* per vertex */

#ifdef PLIANT_DOUBLE
#define REAL "double"
#else
#define REAL "float"
#endif

static const char first_lines[] = "ply\nformat binary_little_endian 1.0\ncomment pliant\n";

static bool put_text(pliant__bytes *to, const char *text) { return pliant__put(to, text, strlen(text)); }

static bool put_line(pliant__bytes *to, const char *text, uint64_t count)
{
    return put_text(to, text) && pliant__put_count(to, count, '\n');
}

/* A face of more than 255 corners needs a larger count. */
static bool has_large_faces(const pliant_model *model, const pliant_body_info *b)
{
    const uint32_t *sizes, *indices;
    bool            large = false;
    pliant_model_faces(model, b->body, &sizes, &indices);
    for (uint32_t f = 0; f < b->face_count; f++) large |= sizes[f] > 255;
    return large;
}

static uint32_t segments_of(const pliant_body_info *b)
{
    return b->type == PLIANT_BODY_ROPE && b->surface_vertex_count ? b->surface_vertex_count - 1 : 0;
}

/* Bytes of a vertex. */
static size_t vertex_size(const pliant_body_info *b) { return NUMBERS * sizeof(pliant_real) + (pliant__tears(b) ? 4 : 0); }

static bool put_header(pliant__bytes *to, const pliant_model *model, const pliant_body_info *b)
{
    static const char *const names[NUMBERS] = {"x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz"};
    bool                     ok = put_text(to, first_lines) && put_line(to, "element vertex ", b->surface_vertex_count);
    for (int i = 0; ok && i < NUMBERS; i++) ok = put_text(to, "property " REAL " ") && put_text(to, names[i]) && put_text(to, "\n");
    if (ok && pliant__tears(b)) ok = put_text(to, "property int origin\n");
    if (ok && b->face_count)
        ok = put_line(to, "element face ", b->face_count) &&
             put_text(to,
                      has_large_faces(model, b) ? "property list uint int vertex_indices\n" : "property list uchar int vertex_indices\n");
    if (ok && segments_of(b))
        ok = put_line(to, "element edge ", segments_of(b)) && put_text(to, "property int vertex1\nproperty int vertex2\n");
    return ok && put_text(to, "end_header\n");
}

/* ---- writing ---- */

static bool put_bits(pliant__bytes *to, uint64_t bits, size_t size)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(bits >> (8 * i));
    return pliant__put(to, bytes, size);
}

static bool put_real(pliant__bytes *to, pliant_real value)
{
    uint64_t bits = 0;
#ifdef PLIANT_DOUBLE
    memcpy(&bits, &value, sizeof value);
#else
    uint32_t half;
    memcpy(&half, &value, sizeof value);
    bits = half;
#endif
    return put_bits(to, bits, sizeof value);
}

static bool put_vec3(pliant__bytes *to, pliant_vec3 a) { return put_real(to, a.x) && put_real(to, a.y) && put_real(to, a.z); }

static bool put_faces(pliant__bytes *to, const pliant__place *place, const pliant_body_info *b, const pliant_state *state)
{
    const uint32_t *sizes, *indices = pliant__faces_now(place, b, state);
    const size_t    count = has_large_faces(place->model, b) ? 4 : 1;
    bool            ok = true;
    pliant__place_faces(place, b, &sizes, NULL);
    for (uint32_t f = 0; ok && f < b->face_count; f++) {
        ok = put_bits(to, sizes[f], count);
        for (uint32_t i = 0; ok && i < sizes[f]; i++) ok = put_bits(to, *indices++, 4);
    }
    for (uint32_t i = 0; ok && i < segments_of(b); i++) ok = put_bits(to, i, 4) && put_bits(to, i + 1ull, 4);
    return ok;
}

static bool put_body(pliant_writer *w, const pliant_body_info *b, const pliant_state *state)
{
    bool ok = put_header(&w->text, w->place.model, b) && pliant__put_vertices(&w->place, b, state, w->x) &&
              pliant__put_velocities(&w->place, b, state, w->v);
    for (uint32_t v = 0; ok && v < b->surface_vertex_count; v++)
        ok = put_vec3(&w->text, w->x[2 * (size_t)v]) && put_vec3(&w->text, w->x[2 * (size_t)v + 1]) && put_vec3(&w->text, w->v[v]) &&
             (!pliant__tears(b) || put_bits(&w->text, pliant__origin_now(&w->place, b, state, v), 4));
    return ok && put_faces(&w->text, &w->place, b, state);
}

bool pliant__plys_bytes(const pliant__place *place, const pliant_write_def *def, uint64_t *bytes, pliant_error *error)
{
    pliant__bytes head = {0};
    bool          ok = true;
    uint64_t      sum = 0;
    for (uint32_t i = 0; ok && i < place->body_count; i++) {
        pliant_body_info b = pliant__place_body(place, i);
        head.count = 0;
        ok = put_header(&head, place->model, &b) || pliant__fail_memory(error, 1024, "a header");
        sum += head.count + (uint64_t)b.surface_vertex_count * vertex_size(&b) + 4ull * b.face_index_count +
               (has_large_faces(place->model, &b) ? 4ull : 1ull) * b.face_count + 8ull * segments_of(&b);
    }
    array_free(NULL, &head);
    *bytes = sum * def->frames;
    return ok;
}

bool pliant__plys_own(const pliant__place *place, uint32_t body, const char *head, size_t size, const pliant__source *file)
{
    (void)place, (void)body, (void)file;
    return size >= sizeof first_lines - 1 && memcmp(head, first_lines, sizeof first_lines - 1) == 0;
}

bool pliant__plys_write(pliant_writer *w, const pliant_state *state, pliant_error *error)
{
    return pliant__folder_write(w, state, put_body, error);
}

/* ---- reading ---- */

static pliant_real get_real(const unsigned char *from)
{
    uint64_t    bits = 0;
    pliant_real value;
    for (size_t i = 0; i < sizeof value; i++) bits |= (uint64_t)from[i] << (8 * i);
#ifdef PLIANT_DOUBLE
    memcpy(&value, &bits, sizeof value);
#else
    uint32_t half = (uint32_t)bits;
    memcpy(&value, &half, sizeof value);
#endif
    return value;
}

static pliant_vec3 get_vec3(const unsigned char *from)
{
    return v3(get_real(from), get_real(from + sizeof(pliant_real)), get_real(from + 2 * sizeof(pliant_real)));
}

static uint64_t largest(const pliant_body_info *b)
{
    return 4096 + (uint64_t)vertex_size(b) * b->surface_vertex_count + 4ull * b->face_index_count + 4ull * b->face_count +
           8ull * segments_of(b);
}

/* The bytes behind the vertices: the faces of a body that tears, triangles. */
static bool take_faces(pliant_cache *c, uint32_t body, const pliant_body_info *b, const unsigned char *from)
{
    bool ok = true;
    for (size_t i = 0; ok && i < b->face_index_count; i++) {
        uint64_t vertex = 0;
        if (i % 3 == 0) ok = *from++ == 3;
        for (int k = 0; k < 4; k++) vertex |= (uint64_t)*from++ << (8 * k);
        ok = ok && pliant__cache_set_corner(c, body, i, vertex);
    }
    return ok;
}

/* The bytes behind the vertices of a body that does not tear are the model's faces, and only have to be there. */
static pliant__verdict take_vertices(pliant_cache *c, const char *path, uint32_t body, const pliant__bytes *head, pliant_error *error)
{
    const pliant_body_info b = pliant__place_body(&c->place, body);
    const uint64_t         vertices = (uint64_t)vertex_size(&b) * b.surface_vertex_count;
    const uint64_t         rest =
        4ull * b.face_index_count + (has_large_faces(c->place.model, &b) ? 4ull : 1ull) * b.face_count + 8ull * segments_of(&b);
    const size_t same = c->text.count < head->count ? c->text.count : head->count;
    if (memcmp(c->text.data, head->data, same) != 0)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "its header is not one that Pliant writes for %s of this model", b.name),
               PLIANT__WRONG;
    if (c->text.count != head->count + vertices + rest)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "%zu bytes where a frame of %s of this model has %llu", c->text.count,
                               b.name, (unsigned long long)(head->count + vertices + rest)),
               c->text.count < head->count + vertices + rest ? PLIANT__CUT : PLIANT__WRONG;
    const unsigned char *from = (const unsigned char *)c->text.data + head->count;
    for (size_t i = c->offset[body]; i < c->offset[body + 1]; i++, from += vertex_size(&b)) {
        c->x[i] = get_vec3(from);
        c->v[i] = get_vec3(from + 6 * sizeof(pliant_real));
        if (!v3_finite(c->x[i]) || !v3_finite(c->v[i]))
            return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "vertex %zu is not finite", i - c->offset[body]), PLIANT__WRONG;
    }
    if (pliant__reshapes(&c->place, &b) && !take_faces(c, body, &b, from))
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "a face has a corner that is no vertex"), PLIANT__WRONG;
    return PLIANT__WHOLE;
}

static pliant__verdict take(pliant_cache *c, const char *path, uint32_t body, pliant_error *error)
{
    const pliant_body_info b = pliant__place_body(&c->place, body);
    pliant__bytes          head = {0};
    pliant__verdict        result = PLIANT__WRONG;
    if (put_header(&head, c->place.model, &b))
        result = take_vertices(c, path, body, &head, error);
    else
        pliant__fail_memory(error, head.count, "a header");
    array_free(NULL, &head);
    return result;
}

bool pliant__plys_open(pliant_cache *c, pliant_error *error) { return pliant__folder_open(c, take, largest, error); }

bool pliant__plys_read(pliant_cache *c, uint32_t index, pliant_error *error) { return pliant__folder_read(c, index, take, largest, error); }
