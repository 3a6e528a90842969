/* The checksums of Pliant's own files and caches, put right in bytes that were changed. */
#include "readers.h"

#include "base/hash.h"
#include "io/files/bytes.h"
#include "io/files/ogawa.h"

#include <stdlib.h>
#include <string.h>

static uint64_t number_at(const unsigned char *data, size_t at)
{
    uint64_t n;
    memcpy(&n, data + at, sizeof n);
    return n;
}

static void seal_at(unsigned char *data, size_t at, uint64_t hash) { memcpy(data + at, &hash, sizeof hash); }

void seal_checkpoint(unsigned char *data, size_t size)
{
    enum { TABLE = 64, ROW = 32, BLOCKS = 3, HEAD = TABLE + ROW * (BLOCKS + 1) };
    for (size_t i = 0; i < BLOCKS && size >= HEAD; i++) { /* a row: name, offset, bytes, hash */
        const size_t   row = TABLE + ROW * i;
        const uint64_t begin = number_at(data, row + 8), bytes = number_at(data, row + 16);
        const uint64_t end = i + 1 < BLOCKS ? number_at(data, row + ROW + 8) : number_at(data, 16);
        if (begin > end || end > size || bytes > end - begin || end - begin - bytes >= 64) continue;
        seal_at(data, row + 24, pliant__hash(data + begin + bytes, end - begin - bytes, pliant__hash(data + begin, bytes, i)));
    }
    if (size >= HEAD) seal_at(data, 56, pliant__hash(data + TABLE, HEAD - TABLE, pliant__hash(data, 56, 0)));
}

void seal_cooked(unsigned char *data, size_t size)
{
    if (size >= 64) seal_at(data, size - 8, pliant__hash(data + size - 64, 56, 0));
}

void seal_recording(unsigned char *data, size_t size)
{
    uint64_t chain = 0;
    for (size_t at = 64; at < size && size - at >= 64;) {
        const uint64_t bytes = number_at(data, at + 8), room = size - at - 64;
        if (bytes > room || (bytes + 63) / 64 * 64 > room) break;
        const size_t padded = (size_t)(bytes + 63) / 64 * 64;
        seal_at(data, at + 16, chain);
        chain = pliant__hash(data + at + 64, bytes, pliant__hash(data + at, 64, 0));
        chain = pliant__hash(data + at + 64 + bytes, padded - bytes, chain);
        seal_at(data, at + 16, chain);
        at += 64 + padded;
    }
    if (size >= 64) seal_at(data, 56, pliant__hash(data, 56, 0));
}

void seal_field(unsigned char *data, size_t size)
{
    enum { HEAD = 80, HASH_AT = 64 };
    if (size >= HEAD && number_at(data, HASH_AT))
        seal_at(data, HASH_AT, pliant__hash(data + HEAD, size - HEAD, pliant__hash(data, HASH_AT, 0)));
}

/* ---- caches ---- */

/* A head with the size of a record, and records behind it. */
void seal_part(unsigned char *data, size_t size)
{
    enum { HEAD = 64, RECORD_AT = 48, HASH_AT = 56 };
    if (size < HEAD) return;
    seal_at(data, HASH_AT, pliant__hash(data, HASH_AT, 0));
    const uint64_t record = number_at(data, RECORD_AT);
    if (record < 8) return;
    for (uint64_t at = HEAD, frame = 1; record <= size - at; at += record, frame++)
        seal_at(data, (size_t)at, pliant__hash(data + at + 8, (size_t)record - 8, frame));
}

/* The block at the end: the frames' arrays and the two numbers that count them are in no checksum. */
void seal_vtkhdf(unsigned char *data, size_t size)
{
    enum { BLOCK = 128, MAGIC = 16 };
    if (size < BLOCK) return;
    const size_t   end = size - BLOCK;
    unsigned char *block = data + end, *rest = malloc(size), *kept = malloc(size);
    uint64_t       field[11];
    size_t         count = 0;
    if (!rest || !kept) abort();
    for (size_t i = 0; i < 11; i++) field[i] = number_at(block, MAGIC + 8 * i);
    memcpy(rest, data, end);
    memset(kept, 1, size);
    const uint64_t bytes = field[0] <= 8 && field[1] <= end && field[2] <= end ? 3 * field[0] * field[1] * field[2] : 0;
    for (size_t i = 6; i < 9; i++)
        if (field[i] <= end && bytes <= end - field[i]) memset(kept + field[i], 0, (size_t)bytes);
    for (size_t i = 9; i < 11; i++)
        if (end >= 8 && field[i] <= end - 8) memset(rest + field[i], 0, 8);
    for (size_t i = 0; i < end; i++)
        if (kept[i]) rest[count++] = rest[i];
    seal_at(block, MAGIC + 8 * 11, pliant__hash(rest, count, 0));
    seal_at(block, BLOCK - 8, pliant__hash(block, BLOCK - 8, end));
    free(rest);
    free(kept);
}

/* Of a group in an archive, or of nothing: how many children it has, and one of them. */
static uint64_t children_of(const unsigned char *data, size_t size, uint64_t group)
{
    if (group < 16 || group > size - 8) return 0;
    const uint64_t count = pliant__get_u64(data + group);
    return count <= (size - 8 - group) / 8 ? count : 0;
}

static uint64_t child_of(const unsigned char *data, size_t size, uint64_t group, uint64_t index)
{
    return index < children_of(data, size, group) ? pliant__get_u64(data + group + 8 + 8 * index) : 0;
}

/* Every sample of the only body's properties begins with a digest of the rest. */
void seal_abc(unsigned char *data, size_t size)
{
    static const uint64_t way[] = {2, 1, 1, 0, 0}; /* from the root: objects, the body, its shape, properties, .geom */
    if (size < 32) return;
    uint64_t group = pliant__get_u64(data + PLIANT__OGAWA_ROOT_AT);
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) group = child_of(data, size, group, way[i]);
    for (uint64_t i = 0; i < children_of(data, size, group) && i < 16; i++) {
        const uint64_t property = child_of(data, size, group, i);
        for (uint64_t k = 0; !(property & PLIANT__OGAWA_DATA) && k < children_of(data, size, property); k++) {
            const uint64_t child = child_of(data, size, property, k), at = child & ~PLIANT__OGAWA_DATA;
            if (!(child & PLIANT__OGAWA_DATA) || at < 16 || at > size - 8) continue;
            const uint64_t bytes = pliant__get_u64(data + at);
            if (bytes < PLIANT__DIGEST || bytes > size - 8 - at) continue;
            pliant__murmur(data + at + 8 + PLIANT__DIGEST, (size_t)bytes - PLIANT__DIGEST, data + at + 8);
        }
    }
}
