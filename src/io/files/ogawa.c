/* See ogawa.h. */
#include "io/files/ogawa.h"

#include "io/files/bytes.h"

#include <string.h>

/* ---- digests ---- */

static uint64_t rotate(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static uint64_t scatter(uint64_t x, uint64_t first, int bits, uint64_t second) { return rotate(x * first, bits) * second; }

static uint64_t finish(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

void pliant__murmur(const void *data, size_t size, unsigned char digest[PLIANT__DIGEST])
{
    static const uint64_t p = 0x87c37b91114253d5u, q = 0x4cf5ad432745937fu;
    const unsigned char  *bytes = data;
    unsigned char         rest[16] = {0};
    uint64_t              a = 0, b = 0;
    size_t                whole = size / 16;
    for (size_t i = 0; i < whole; i++, bytes += 16) {
        a = (rotate(a ^ scatter(pliant__get_u64(bytes), p, 31, q), 27) + b) * 5 + 0x52dce729u;
        b = (rotate(b ^ scatter(pliant__get_u64(bytes + 8), q, 33, p), 31) + a) * 5 + 0x38495ab5u;
    }
    if (size % 16) memcpy(rest, bytes, size % 16);
    a ^= scatter(pliant__get_u64(rest), p, 31, q) ^ size;
    b ^= scatter(pliant__get_u64(rest + 8), q, 33, p) ^ size;
    a += b;
    b += a;
    a = finish(a);
    b = finish(b);
    a += b;
    b += a;
    pliant__set_u64(digest, a);
    pliant__set_u64(digest + 8, b);
}

/* ---- writing ---- */

void pliant__ogawa_put(pliant__ogawa *to, const void *data, size_t size)
{
    if (size && !to->failed) to->failed = !pliant__put(&to->bytes, data, size);
}

void pliant__ogawa_put_u32(pliant__ogawa *to, uint32_t value)
{
    unsigned char bytes[4];
    pliant__set_u32(bytes, value);
    pliant__ogawa_put(to, bytes, 4);
}

void pliant__ogawa_put_u64(pliant__ogawa *to, uint64_t value)
{
    unsigned char bytes[8];
    pliant__set_u64(bytes, value);
    pliant__ogawa_put(to, bytes, 8);
}

uint64_t pliant__ogawa_data(pliant__ogawa *to, const void *data, size_t size)
{
    uint64_t place = to->base + to->bytes.count;
    if (!size) return PLIANT__OGAWA_DATA;
    pliant__ogawa_put_u64(to, size);
    pliant__ogawa_put(to, data, size);
    return place | PLIANT__OGAWA_DATA;
}

uint64_t pliant__ogawa_group(pliant__ogawa *to, const uint64_t *children, size_t count)
{
    uint64_t place = to->base + to->bytes.count;
    if (!count) return 0;
    pliant__ogawa_put_u64(to, count);
    for (size_t i = 0; i < count; i++) pliant__ogawa_put_u64(to, children[i]);
    return place;
}

/* ---- reading ---- */

bool pliant__ogawa_fail(const pliant__ogawa_file *from, uint64_t place, const char *what)
{
    return pliant__fail_at(from->error, PLIANT_ERROR_INPUT, from->file->path, 0, "byte %llu: %s", (unsigned long long)place, what);
}

bool pliant__ogawa_bytes(const pliant__ogawa_file *from, uint64_t place, void *to, size_t size)
{
    if (place > from->file->size || from->file->size - place < size)
        return pliant__ogawa_fail(from, place, "damaged, or cut off: it lies behind the end");
    if (!from->bytes) return pliant__source_read(from->file, place, to, size, from->error);
    memcpy(to, from->bytes + place, size);
    return true;
}

static bool read_u64(const pliant__ogawa_file *from, uint64_t place, uint64_t *value)
{
    unsigned char bytes[8] = {0};
    bool          ok = pliant__ogawa_bytes(from, place, bytes, 8);
    *value = pliant__get_u64(bytes);
    return ok;
}

bool pliant__ogawa_root(const pliant__ogawa_file *from, uint64_t *root)
{
    unsigned char header[PLIANT__OGAWA_HEADER];
    if (from->file->size < sizeof header) return pliant__ogawa_fail(from, 0, "not an Alembic archive, or cut off: the header has 16 bytes");
    if (!pliant__ogawa_bytes(from, 0, header, sizeof header)) return false;
    if (memcmp(header, "Ogawa\xff\0\1", 8) != 0) return pliant__ogawa_fail(from, 0, "not an Alembic archive (Ogawa, version 1, closed)");
    *root = pliant__get_u64(header + PLIANT__OGAWA_ROOT_AT);
    return true;
}

bool pliant__ogawa_count(const pliant__ogawa_file *from, uint64_t group, uint64_t *count)
{
    *count = 0;
    if (!group) return true;
    if (!read_u64(from, group, count)) return false;
    return *count <= (from->file->size - group - 8) / 8 ||
           pliant__ogawa_fail(from, group, "damaged: more children than the file has room for");
}

bool pliant__ogawa_child(const pliant__ogawa_file *from, uint64_t group, uint64_t index, uint64_t *child)
{
    uint64_t count;
    *child = 0;
    if (!pliant__ogawa_count(from, group, &count)) return false;
    if (index >= count) return pliant__ogawa_fail(from, group, "damaged, or not one that Pliant writes: a child is missing");
    return read_u64(from, group + 8 + 8 * index, child);
}

bool pliant__ogawa_child_group(const pliant__ogawa_file *from, uint64_t group, uint64_t index, uint64_t *child)
{
    if (!pliant__ogawa_child(from, group, index, child)) return false;
    return !(*child & PLIANT__OGAWA_DATA) || pliant__ogawa_fail(from, group, "damaged: data where a group is expected");
}

bool pliant__ogawa_child_data(const pliant__ogawa_file *from, uint64_t group, uint64_t index, uint64_t *child)
{
    if (!pliant__ogawa_child(from, group, index, child)) return false;
    return *child & PLIANT__OGAWA_DATA || pliant__ogawa_fail(from, group, "damaged: a group where data is expected");
}

bool pliant__ogawa_size(const pliant__ogawa_file *from, uint64_t data, uint64_t *size)
{
    uint64_t place = data & ~PLIANT__OGAWA_DATA;
    *size = 0;
    if (!place) return true;
    if (!read_u64(from, place, size)) return false;
    return *size <= from->file->size - place - 8 || pliant__ogawa_fail(from, place, "damaged, or cut off: data goes on behind the end");
}

bool pliant__ogawa_read(const pliant__ogawa_file *from, uint64_t data, uint64_t most, pliant__bytes *to)
{
    uint64_t size, place = data & ~PLIANT__OGAWA_DATA;
    to->count = 0;
    if (!pliant__ogawa_size(from, data, &size)) return false;
    if (size > most) return pliant__ogawa_fail(from, place, "damaged, or not one that Pliant writes: data is larger than it can be");
    if (!array_reserve(NULL, to, (size_t)size)) return pliant__fail_memory(from->error, (size_t)size, "an archive");
    to->count = (size_t)size;
    return !size || pliant__ogawa_bytes(from, place + 8, to->data, (size_t)size);
}
