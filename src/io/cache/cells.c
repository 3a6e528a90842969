/* Cells as VTK has them, and numbers as bytes. */
#include "io/cache/cells.h"

#include "base/vec.h"

#include <string.h>

/* ---- numbers ---- */

bool pliant__put_integer(pliant__bytes *to, uint64_t value, size_t size)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(value >> (8 * i));
    return pliant__put(to, bytes, size);
}

uint64_t pliant__get_integer(const char *from, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) value |= (uint64_t)(unsigned char)from[i] << (8 * i);
    return value;
}

#ifdef PLIANT_DOUBLE
typedef uint64_t real_bits;
#else
typedef uint32_t real_bits;
#endif

/* A compiler makes one store of this where the machine is little-endian. */
static void set_real(unsigned char *to, pliant_real value)
{
    real_bits bits;
    memcpy(&bits, &value, sizeof bits);
    for (size_t i = 0; i < sizeof bits; i++) to[i] = (unsigned char)(bits >> (8 * i));
}

static pliant_real get_real(const char *from)
{
    real_bits   bits = (real_bits)pliant__get_integer(from, sizeof bits);
    pliant_real value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void pliant__set_vectors(char *to, const pliant_vec3 *from, size_t count, size_t stride)
{
    enum { SIZE = sizeof(pliant_real) };
    unsigned char *at = (unsigned char *)to;
    for (size_t i = 0; i < count; i++, from += stride, at += 3 * SIZE) {
        set_real(at, from->x);
        set_real(at + SIZE, from->y);
        set_real(at + 2 * SIZE, from->z);
    }
}

bool pliant__get_vectors(const char *from, pliant_vec3 *to, size_t count, size_t *wrong)
{
    enum { SIZE = sizeof(pliant_real) };
    for (size_t i = 0; i < count; i++, from += 3 * SIZE) {
        to[i] = v3(get_real(from), get_real(from + SIZE), get_real(from + 2 * SIZE));
        *wrong = i;
        if (!v3_finite(to[i])) return false;
    }
    return true;
}

/* ---- cells ---- */

pliant__cells pliant__cells_of(const pliant_body_info *b, pliant__cell_kind kind)
{
    const uint64_t vertices = b->surface_vertex_count;
    switch (kind) {
    case PLIANT__VERTICES: return b->type == PLIANT_BODY_PARTICLES ? (pliant__cells){vertices, vertices} : (pliant__cells){0, 0};
    case PLIANT__LINES: return b->type == PLIANT_BODY_ROPE ? (pliant__cells){1, vertices} : (pliant__cells){0, 0};
    case PLIANT__POLYGONS: return (pliant__cells){b->face_count, b->face_index_count};
    default: return (pliant__cells){0, 0};
    }
}

uint32_t pliant__cell_size(const pliant_model *model, const pliant_body_info *b, pliant__cell_kind kind, uint32_t index)
{
    const uint32_t *sizes, *indices;
    if (kind == PLIANT__VERTICES) return 1;
    if (kind == PLIANT__LINES) return b->surface_vertex_count;
    pliant_model_faces(model, b->body, &sizes, &indices);
    return sizes[index];
}

bool pliant__put_cell_ids(pliant__bytes *to, const uint32_t *faces, const pliant_body_info *b, pliant__cell_kind kind, uint64_t first,
                          size_t size)
{
    const uint32_t *indices = kind == PLIANT__POLYGONS ? faces : NULL;
    const uint64_t  count = pliant__cells_of(b, kind).ids;
    bool            ok = true;
    for (uint64_t i = 0; ok && i < count; i++) ok = pliant__put_integer(to, first + (indices ? indices[i] : i), size);
    return ok;
}

bool pliant__put_cell_ends(pliant__bytes *to, const pliant_model *model, const pliant_body_info *b, pliant__cell_kind kind, uint64_t first,
                           size_t size)
{
    const uint64_t count = pliant__cells_of(b, kind).count;
    bool           ok = true;
    for (uint64_t i = 0; ok && i < count; i++) {
        first += pliant__cell_size(model, b, kind, (uint32_t)i);
        ok = pliant__put_integer(to, first, size);
    }
    return ok;
}
