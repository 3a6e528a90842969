#include "scene/topology.h"

#include "scene/tetrahedron.h"

static uint64_t pair_key(uint32_t a, uint32_t b) { return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a; }

static pliant__key *take_keys(pliant__builder *b, size_t count) { return pliant__take(b, count, sizeof(pliant__key), "topology"); }

/* Takes the keys, and returns them sorted; NULL: out of memory. */
static pliant__key *sort(pliant__builder *b, pliant__key *keys, size_t count)
{
    pliant__key *scratch = take_keys(b, count), *sorted = scratch ? pliant__sort_keys(keys, scratch, count) : NULL;
    if (sorted) pliant__give_back(b, sorted == keys ? scratch : keys);
    return sorted;
}

/* ---- sides and edges ---- */

/* A corner's face: where it begins, how many corners it has, and which of them this is. */
typedef struct corner {
    size_t   face;
    uint32_t size, place;
} corner;

static corner locate(const pliant__faces *f, uint32_t number)
{
    const uint32_t size = number < 3 * f->triangle_count ? 3 : 4;
    const size_t   first = size == 3 ? 0 : 3 * f->triangle_count;
    const uint32_t place = (uint32_t)((number - first) % size);
    corner         c = {number - place, size, place};
    return c;
}

/* The particle `step` corners further on. */
static uint32_t ahead(const pliant__faces *f, corner c, uint32_t step) { return f->corners[c.face + (c.place + step) % c.size]; }

bool pliant__find_sides(pliant__builder *b, const pliant__faces *faces, pliant__sides *out)
{
    const size_t count = pliant__corner_count(faces);
    pliant__key *keys = take_keys(b, count);
    if (!keys) return false;
    for (size_t i = 0; i < count; i++) {
        keys[i].key = pair_key(faces->corners[i], ahead(faces, locate(faces, (uint32_t)i), 1));
        keys[i].value = (uint32_t)i;
    }
    out->faces = faces;
    out->count = count;
    out->data = sort(b, keys, count);
    return out->data != NULL;
}

/* Writes each sorted key that differs from the one before as a pair, to `out` if that is not NULL; skips what `without` has (ascending too; may
 * be NULL). Returns how many there are. */
static size_t write_pairs(const pliant__key *keys, size_t count, const pliant__sides *without, uint32_t *out)
{
    size_t w = 0, written = 0;
    for (size_t i = 0; i < count; i = pliant__run_end(keys, i, count)) {
        while (without && w < without->count && without->data[w].key < keys[i].key) w++;
        if (without && w < without->count && without->data[w].key == keys[i].key) continue;
        if (out) {
            out[2 * written] = (uint32_t)(keys[i].key >> 32);
            out[2 * written + 1] = (uint32_t)keys[i].key;
        }
        written++;
    }
    return written;
}

static bool unique_pairs(pliant__builder *b, const pliant__key *sorted, size_t count, const pliant__sides *without, pliant__list *out)
{
    out->count = write_pairs(sorted, count, without, NULL);
    out->data = pliant__take(b, 2 * (uint64_t)out->count, sizeof *out->data, "edges");
    return out->data && write_pairs(sorted, count, without, out->data) == out->count;
}

/* Sorts keys, writes them as pairs, and gives them back. */
static bool sort_pairs(pliant__builder *b, pliant__key *keys, size_t count, const pliant__sides *without, pliant__list *out)
{
    pliant__key *sorted = sort(b, keys, count);
    const bool   ok = sorted && unique_pairs(b, sorted, count, without, out);
    if (ok) pliant__give_back(b, sorted);
    return ok;
}

bool pliant__find_edges(pliant__builder *b, const pliant__sides *sides, pliant__list *out)
{
    return unique_pairs(b, sides->data, sides->count, NULL, out);
}

bool pliant__find_diagonals(pliant__builder *b, const pliant__sides *sides, pliant__list *out)
{
    const pliant__faces *f = sides->faces;
    const size_t         count = 2 * f->quad_count;
    pliant__key         *keys = take_keys(b, count);
    if (!keys) return false;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *quad = f->corners + 3 * f->triangle_count + 4 * (i / 2);
        keys[i].key = pair_key(quad[i % 2], quad[i % 2 + 2]);
    }
    return sort_pairs(b, keys, count, sides, out);
}

/* ---- bending ---- */

/* The other neighbour of particle `p` in a face, of which the side that begins at `c` has p at one end. */
static uint32_t other_neighbour(const pliant__faces *f, corner c, uint32_t p)
{
    return p == ahead(f, c, 0) ? ahead(f, c, c.size - 1) : ahead(f, c, 2);
}

bool pliant__find_across(pliant__builder *b, const pliant__sides *sides, pliant__list *out)
{
    const pliant__faces *f = sides->faces;
    size_t               room = 0, count = 0;
    for (size_t i = 0; i + 1 < sides->count; i++) room += sides->data[i].key == sides->data[i + 1].key ? 2 : 0;
    pliant__key *keys = take_keys(b, room);
    if (!keys) return false;
    for (size_t i = 0; i + 1 < sides->count; i++) {
        if (sides->data[i].key != sides->data[i + 1].key) continue;
        const corner c = locate(f, sides->data[i].value), d = locate(f, sides->data[i + 1].value);
        for (uint32_t end = 0; end < 2; end++) {
            const uint32_t p = ahead(f, c, end), q = other_neighbour(f, c, p), r = other_neighbour(f, d, p);
            if (q != r) keys[count++].key = pair_key(q, r);
        }
    }
    return sort_pairs(b, keys, count, sides, out);
}

bool pliant__find_hinges(pliant__builder *b, const pliant__sides *sides, pliant__list *out)
{
    const pliant__faces *f = sides->faces;
    out->count = 0;
    out->data = pliant__take(b, 4 * (uint64_t)sides->count, sizeof *out->data, "hinges");
    if (!out->data) return false;
    for (size_t i = 0; i + 1 < sides->count; i++) {
        if (sides->data[i].key != sides->data[i + 1].key) continue;
        const corner   c = locate(f, sides->data[i].value), d = locate(f, sides->data[i + 1].value);
        const uint32_t hinge[4] = {ahead(f, c, 0), ahead(f, c, 1), ahead(f, c, 2), ahead(f, d, 2)};
        if (hinge[2] == hinge[3]) continue;
        memcpy(out->data + 4 * out->count++, hinge, sizeof hinge);
    }
    return true;
}

/* ---- tetrahedra ---- */

bool pliant__find_tet_edges(pliant__builder *b, const uint32_t *tets, size_t count, pliant__list *out)
{
    static const uint8_t ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    pliant__key         *keys = take_keys(b, 6 * count);
    if (!keys) return false;
    for (size_t i = 0; i < 6 * count; i++) keys[i].key = pair_key(tets[i / 6 * 4 + ends[i % 6][0]], tets[i / 6 * 4 + ends[i % 6][1]]);
    return sort_pairs(b, keys, 6 * count, NULL, out);
}

static void sorted_face(const uint32_t *tets, size_t face, uint32_t v[3])
{
    for (int i = 0; i < 3; i++) v[i] = tets[face / 4 * 4 + pliant__tet_faces[face % 4][i]];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            if (v[j] > v[j + 1]) {
                uint32_t swap = v[j];
                v[j] = v[j + 1];
                v[j + 1] = swap;
            }
}

/* Sorts faces by their three vertices: by the highest first, then, keeping that order among equals, by the two lower. */
static pliant__key *sort_faces(pliant__builder *b, const uint32_t *tets, size_t count, uint32_t *highest)
{
    uint32_t     v[3];
    pliant__key *keys = take_keys(b, count);
    if (!keys) return NULL;
    for (size_t i = 0; i < count; i++) {
        sorted_face(tets, i, v);
        keys[i].key = highest[i] = v[2];
        keys[i].value = (uint32_t)i;
    }
    pliant__key *by_highest = sort(b, keys, count);
    if (!by_highest) return NULL;
    for (size_t i = 0; i < count; i++) {
        sorted_face(tets, by_highest[i].value, v);
        by_highest[i].key = pair_key(v[0], v[1]);
    }
    return sort(b, by_highest, count);
}

bool pliant__find_boundary(pliant__builder *b, const uint32_t *tets, size_t count, pliant__list *out)
{
    uint32_t *highest = pliant__take(b, 4 * (uint64_t)count, sizeof *highest, "faces");
    uint8_t  *inner = pliant__take(b, 4 * (uint64_t)count, 1, "faces");
    if (!highest || !inner) return false;
    pliant__key *faces = sort_faces(b, tets, 4 * count, highest);
    if (!faces) return false;
    for (size_t i = 0; i + 1 < 4 * count; i++)
        if (faces[i].key == faces[i + 1].key && highest[faces[i].value] == highest[faces[i + 1].value])
            inner[faces[i].value] = inner[faces[i + 1].value] = 1;
    pliant__give_back(b, faces);
    pliant__give_back(b, highest);
    size_t kept = 0;
    for (size_t i = 0; i < 4 * count; i++) kept += !inner[i];
    out->count = 0;
    out->data = pliant__take(b, 3 * (uint64_t)kept, sizeof *out->data, "boundary faces");
    if (!out->data) return false;
    for (size_t i = 0; i < 4 * count; i++) {
        if (inner[i]) continue;
        for (int k = 0; k < 3; k++) out->data[3 * out->count + (size_t)k] = tets[i / 4 * 4 + pliant__tet_faces[i % 4][k]];
        out->count++;
    }
    return true;
}
