/* A .vtp, VTK's XML PolyData, with its arrays appended as raw bytes: little-endian, each behind its size as a 64-bit number. A reader of VTK's
 * finds them by the offsets in the header.
 *
 * Pliant's reader takes only files of this writer: the header is the same, byte for byte, and so all sizes are known. */
#include "io/cache/vtp.h"

#include "io/cache/cells.h"

#include <string.h>

#ifdef PLIANT_DOUBLE
#define REAL "Float64"
#else
#define REAL "Float32"
#endif

enum { SIZE = 8 }; /* bytes of an array's size, before the array */

static const char first_lines[] =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";
static const char tail[] = "\n  </AppendedData>\n</VTKFile>\n";

static const char *const counts[PLIANT__CELL_KINDS] = {" NumberOfVerts=\"", " NumberOfLines=\"", " NumberOfPolys=\"", " NumberOfStrips=\""};
static const char *const groups[PLIANT__CELL_KINDS] = {"Verts", "Lines", "Polys", "Strips"};

/* Bytes of an index: as many as the largest needs. */
static size_t index_size(const pliant_body_info *b)
{
    return b->face_index_count > INT32_MAX || b->surface_vertex_count > INT32_MAX ? 8 : 4;
}

static uint64_t vectors_size(const pliant_body_info *b) { return 3ull * sizeof(pliant_real) * b->surface_vertex_count; }

/* The array of origins is behind all others. */
static uint64_t origins_size(const pliant_body_info *b) { return pliant__tears(b) ? 4ull * b->surface_vertex_count : 0; }

/* ---- the header ---- */

/* `at`: where the array begins; moved behind it. */
static bool put_array(pliant__bytes *to, const char *type, const char *name, uint64_t size, uint64_t *at)
{
    bool ok = pliant__put_text(to, "        <DataArray type=\"") && pliant__put_text(to, type) && pliant__put_text(to, "\" Name=\"") &&
              pliant__put_text(to, name) && pliant__put_text(to, "\" format=\"appended\" offset=\"") && pliant__put_count(to, *at, '"') &&
              pliant__put_text(to, "/>\n");
    *at += SIZE + size;
    return ok;
}

static bool put_vectors_array(pliant__bytes *to, const pliant_body_info *b, const char *name, uint64_t *at)
{
    char text[64] = "";
    strcat(strcat(text, name), "\" NumberOfComponents=\"3");
    return put_array(to, REAL, text, vectors_size(b), at);
}

static bool put_cells(pliant__bytes *to, const pliant_body_info *b, int kind, uint64_t *at)
{
    const pliant__cells cells = pliant__cells_of(b, (pliant__cell_kind)kind);
    const char         *type = index_size(b) == 4 ? "Int32" : "Int64";
    return pliant__put_text(to, "      <") && pliant__put_text(to, groups[kind]) && pliant__put_text(to, ">\n") &&
           put_array(to, type, "connectivity", cells.ids * index_size(b), at) &&
           put_array(to, type, "offsets", cells.count * index_size(b), at) && pliant__put_text(to, "      </") &&
           pliant__put_text(to, groups[kind]) && pliant__put_text(to, ">\n");
}

/* Bytes behind the header, up to the tail. */
static uint64_t arrays_size(const pliant_body_info *b)
{
    uint64_t size = 3 * (SIZE + vectors_size(b)) + (pliant__tears(b) ? SIZE + origins_size(b) : 0);
    for (int k = 0; k < PLIANT__CELL_KINDS; k++) {
        pliant__cells cells = pliant__cells_of(b, (pliant__cell_kind)k);
        size += SIZE + cells.ids * index_size(b) + SIZE + cells.count * index_size(b);
    }
    return size;
}

static bool put_origins_array(pliant__bytes *to, const pliant_body_info *b)
{
    uint64_t at = arrays_size(b) - SIZE - origins_size(b);
    return put_array(to, "Int32", "origin", origins_size(b), &at);
}

static bool put_header(pliant__bytes *to, const pliant_body_info *b)
{
    uint64_t at = 0;
    bool     ok = pliant__put_text(to, first_lines) && pliant__put_text(to, "  <PolyData>\n    <Piece NumberOfPoints=\"") &&
              pliant__put_count(to, b->surface_vertex_count, '"');
    for (int k = 0; ok && k < PLIANT__CELL_KINDS; k++)
        ok = pliant__put_text(to, counts[k]) && pliant__put_count(to, pliant__cells_of(b, (pliant__cell_kind)k).count, '"');
    ok = ok && pliant__put_text(to, ">\n      <PointData Normals=\"Normals\" Vectors=\"Velocity\">\n") &&
         put_vectors_array(to, b, "Normals", &at) && put_vectors_array(to, b, "Velocity", &at) &&
         (!pliant__tears(b) || put_origins_array(to, b)) && pliant__put_text(to, "      </PointData>\n      <Points>\n") &&
         put_vectors_array(to, b, "Points", &at) && pliant__put_text(to, "      </Points>\n");
    for (int k = 0; ok && k < PLIANT__CELL_KINDS; k++) ok = put_cells(to, b, k, &at);
    return ok && pliant__put_text(to, "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_");
}

bool pliant__vtp_size(const pliant_body_info *b, uint64_t *bytes)
{
    pliant__bytes head = {0};
    const bool    ok = put_header(&head, b);
    *bytes = head.count + arrays_size(b) + sizeof tail - 1;
    array_free(NULL, &head);
    return ok;
}

bool pliant__vtp_own(const char *head, size_t size) { return pliant__begins(head, size, first_lines); }

/* ---- writing ---- */

static bool put_vectors(pliant__bytes *to, const pliant_body_info *b, const pliant_vec3 *from, size_t stride)
{
    char *at = pliant__put_integer(to, vectors_size(b), SIZE) ? array_extend(NULL, to, vectors_size(b)) : NULL;
    if (at) pliant__set_vectors(at, from, b->surface_vertex_count, stride);
    return at != NULL;
}

bool pliant__vtp_put(pliant_writer *w, const pliant_body_info *b, const pliant_state *state)
{
    const size_t size = index_size(b);
    bool         ok = pliant__put_vertices(&w->place, b, state, w->x) && pliant__put_velocities(&w->place, b, state, w->v) &&
              put_header(&w->text, b) && put_vectors(&w->text, b, w->x + 1, 2) && put_vectors(&w->text, b, w->v, 1) &&
              put_vectors(&w->text, b, w->x, 2);
    for (int k = 0; ok && k < PLIANT__CELL_KINDS; k++) {
        const pliant__cell_kind kind = (pliant__cell_kind)k;
        const pliant__cells     cells = pliant__cells_of(b, kind);
        ok = pliant__put_integer(&w->text, cells.ids * size, SIZE) &&
             pliant__put_cell_ids(&w->text, pliant__faces_now(&w->place, b, state), b, kind, 0, size) &&
             pliant__put_integer(&w->text, cells.count * size, SIZE) && pliant__put_cell_ends(&w->text, w->place.model, b, kind, 0, size);
    }
    if (pliant__tears(b)) ok = ok && pliant__put_integer(&w->text, origins_size(b), SIZE);
    for (uint32_t v = 0; ok && pliant__tears(b) && v < b->surface_vertex_count; v++)
        ok = pliant__put_integer(&w->text, pliant__origin_now(&w->place, b, state, v), 4);
    return ok && pliant__put_text(&w->text, tail);
}

/* ---- reading ---- */

uint64_t pliant__vtp_largest(const pliant_body_info *b) { return 8192 + arrays_size(b); }

static pliant__verdict fail_vertex(const char *path, size_t vertex, pliant_error *error)
{
    pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "vertex %zu is not finite", vertex);
    return PLIANT__WRONG;
}

/* The arrays of cells of a body that tears: polygons alone, behind those of no vertices and no lines, each of two empty arrays. */
static bool take_cells(pliant_cache *c, uint32_t body, const pliant_body_info *b, const char *from)
{
    const size_t size = index_size(b);
    bool         ok = pliant__get_integer(from + 4 * SIZE, SIZE) == size * b->face_index_count;
    from += 5 * SIZE;
    for (size_t i = 0; ok && i < b->face_index_count; i++)
        ok = pliant__cache_set_corner(c, body, i, pliant__get_integer(from + i * size, size));
    return ok;
}

/* The size before each array of vectors has to be right; the bytes behind them are faces, those of a model that does not tear only have to be there. */
static pliant__verdict take_arrays(pliant_cache *c, const char *path, uint32_t body, const pliant_body_info *b, const char *from,
                                   pliant_error *error)
{
    const uint64_t size = vectors_size(b);
    const size_t   first = c->offset[body], count = b->surface_vertex_count;
    size_t         wrong = 0;
    for (uint64_t i = 0; i < 3; i++)
        if (pliant__get_integer(from + i * (SIZE + size), SIZE) != size) {
            pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "an array is said to have another size than %s of this model has", b->name);
            return PLIANT__WRONG;
        }
    from += SIZE + size;
    if (!pliant__get_vectors(from + SIZE, c->v + first, count, &wrong)) return fail_vertex(path, wrong, error);
    from += SIZE + size;
    if (!pliant__get_vectors(from + SIZE, c->x + first, count, &wrong)) return fail_vertex(path, wrong, error);
    if (pliant__reshapes(&c->place, b) && !take_cells(c, body, b, from + SIZE + size)) {
        pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "a face has a corner that is no vertex");
        return PLIANT__WRONG;
    }
    return PLIANT__WHOLE;
}

static pliant__verdict take(pliant_cache *c, const char *path, uint32_t body, const pliant__bytes *head, pliant_error *error)
{
    const pliant_body_info b = pliant__place_body(&c->place, body);
    const uint64_t         whole = head->count + arrays_size(&b) + sizeof tail - 1;
    const size_t           same = c->text.count < head->count ? c->text.count : head->count;
    if (memcmp(c->text.data, head->data, same) != 0) {
        pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "its header is not one that Pliant writes for %s of this model", b.name);
        return PLIANT__WRONG;
    }
    if (c->text.count != whole) {
        pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "%zu bytes where a frame of %s of this model has %llu", c->text.count, b.name,
                        (unsigned long long)whole);
        return c->text.count < whole ? PLIANT__CUT : PLIANT__WRONG;
    }
    if (memcmp(c->text.data + whole - (sizeof tail - 1), tail, sizeof tail - 1) != 0) {
        pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "it does not end as a .vtp does");
        return PLIANT__WRONG;
    }
    return take_arrays(c, path, body, &b, c->text.data + head->count, error);
}

pliant__verdict pliant__vtp_take(pliant_cache *c, const char *path, uint32_t body, pliant_error *error)
{
    const pliant_body_info b = pliant__place_body(&c->place, body);
    pliant__bytes          head = {0};
    pliant__verdict        result = PLIANT__WRONG;
    if (put_header(&head, &b))
        result = take(c, path, body, &head, error);
    else
        pliant__fail_memory(error, head.count, "a header");
    array_free(NULL, &head);
    return result;
}
