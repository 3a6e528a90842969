/* Files of signed distances: little-endian, a head of 80 bytes, and the values.
 *
 *    0  "PLIANTF" and a 0
 *    8  1, the version              u32
 *   12  values along x, y and z     3 u32
 *   24  origin and cell             4 float64, m
 *   56  source                      u64, a hash of the surface, cell and margin; 0: not known
 *   64  hash                        u64, of the values' bytes, begun with that of the 64 before; 0: not checked
 *   72  0                           u64
 *   80  values                      float32, m, x runs fastest */
#include "base/alloc.h"
#include "base/float_env.h"
#include "base/hash.h"
#include "io/files/bytes.h"
#include "io/files/file.h"
#include "pliant/io.h"

#include <stdlib.h>

enum { HEAD = 80, MAGIC = 8, VERSION = 1 };
static const char magic[MAGIC] = "PLIANTF";

static void set_double(unsigned char *to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    pliant__set_u64(to, bits);
}

/* Never 0. */
static uint64_t hash_of(const unsigned char *head, const unsigned char *bytes, size_t values)
{
    const uint64_t hash = pliant__hash(bytes, 4 * values, pliant__hash(head, 64, 0));
    return hash ? hash : 1;
}

static size_t values_of(const pliant_field *f) { return (size_t)f->count[0] * f->count[1] * f->count[2]; }

static bool write_field(const char *path, const pliant_field *field, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!path || !*path || !field || !field->distance || !values_of(field))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "writing a field needs a path and a field");
    const size_t   values = values_of(field);
    const double   place[4] = {(double)field->origin.x, (double)field->origin.y, (double)field->origin.z, (double)field->cell};
    unsigned char  head[HEAD] = {0};
    unsigned char *bytes = pliant__alloc_untouched(NULL, values, 4);
    if (!bytes) return pliant__fail_memory(error, 4 * values, path);
    for (size_t i = 0; i < values; i++) pliant__set_float(bytes + 4 * i, field->distance[i]);
    memcpy(head, magic, MAGIC);
    pliant__set_u32(head + 8, VERSION);
    for (int k = 0; k < 3; k++) pliant__set_u32(head + 12 + 4 * k, field->count[k]);
    for (int k = 0; k < 4; k++) set_double(head + 24 + 8 * k, place[k]);
    pliant__set_u64(head + 56, field->source);
    pliant__set_u64(head + 64, hash_of(head, bytes, values));
    const pliant__piece pieces[] = {{head, HEAD}, {bytes, 4 * values}};
    const bool          ok = pliant__file_write(path, pieces, 2, error);
    pliant__free(NULL, bytes);
    return ok;
}

pliant_code pliant_field_write(const char *path, const pliant_field *field, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(write_field(path, field, &why), &why, error);
}

/* ---- reading ---- */

static bool wrong(const char *path, const char *what, pliant_error *error)
{
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "%s", what);
}

/* A number that this library can hold. */
static bool read_real(const unsigned char *from, pliant_real *out)
{
    *out = (pliant_real)pliant__get_double(from);
    return *out - *out == 0;
}

static bool read_head(const char *path, const unsigned char *head, uint64_t size, pliant_field *f, pliant_error *error)
{
    if (size < HEAD || memcmp(head, magic, MAGIC) != 0) return wrong(path, "byte 0: no field of distances, or cut off", error);
    if (pliant__get_u32(head + 8) != VERSION) return wrong(path, "byte 8: a field of distances of a version that is not known", error);
    double values = 1;
    for (int k = 0; k < 3; k++) {
        f->count[k] = pliant__get_u32(head + 12 + 4 * k);
        values *= f->count[k];
        if (f->count[k] < 2) return wrong(path, "byte 12: a field has at least two values along each axis", error);
    }
    if (!(values * 4 + HEAD == (double)size))
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "byte 12: %u x %u x %u values do not fill a file of %llu bytes",
                               f->count[0], f->count[1], f->count[2], (unsigned long long)size);
    if (!read_real(head + 24, &f->origin.x) || !read_real(head + 32, &f->origin.y) || !read_real(head + 40, &f->origin.z))
        return wrong(path, "byte 24: the field's origin is not finite", error);
    if (!read_real(head + 48, &f->cell) || !(f->cell > 0)) return wrong(path, "byte 48: the field's cell is no length", error);
    f->source = pliant__get_u64(head + 56);
    return true;
}

static bool read_values(const char *path, const unsigned char *head, pliant_field *f, pliant_error *error)
{
    const size_t         values = values_of(f);
    const unsigned char *bytes = head + HEAD;
    const uint64_t       hash = pliant__get_u64(head + 64);
    if (hash && hash != hash_of(head, bytes, values)) return wrong(path, "byte 64: the field is damaged", error);
    if (pliant__get_u64(head + 72)) return wrong(path, "byte 72: the last eight bytes before the values are 0", error);
    f->distance = pliant__alloc_array(NULL, values, sizeof *f->distance);
    if (!f->distance) return pliant__fail_memory(error, 4 * values, path);
    for (size_t i = 0; i < values; i++) f->distance[i] = pliant__get_float(bytes + 4 * i);
    return true;
}

static bool load_field(const char *path, pliant_field *field, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!path || !*path || !field) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "reading a field needs a path and a place to go");
    *field = (pliant_field){.source = 0};
    size_t size;
    char  *bytes = pliant__file_read(path, &size, error);
    if (!bytes) return false;
    const unsigned char *head = (const unsigned char *)bytes;
    bool                 ok = read_head(path, head, size, field, error) && read_values(path, head, field, error);
    free(bytes);
    if (!ok) pliant_field_free(field);
    return ok;
}

pliant_code pliant_field_load(const char *path, pliant_field *field, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(load_field(path, field, &why), &why, error);
}
