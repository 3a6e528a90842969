/* Ogawa, the container of Alembic archives: groups and data in a little-endian file.
 *
 *   0   "Ogawa"   5   0xff: closed, may be read   6   version, 0 1   8   u64 where the root group is
 *
 *   group  u64 count, count x u64 child        data  u64 size, size bytes
 *
 * A child is the place of a group in the file, or, with the highest bit set, of data; with no other bit set it is empty and nowhere. A group or data
 * that is written once may be the child of several groups. */
#ifndef PLIANT_IO_FILES_OGAWA_H
#define PLIANT_IO_FILES_OGAWA_H

#include "base/error.h"
#include "io/files/file.h"
#include "io/files/text.h"

#define PLIANT__OGAWA_DATA (1ull << 63)

enum { PLIANT__OGAWA_HEADER = 16, PLIANT__OGAWA_ROOT_AT = 8, PLIANT__DIGEST = 16 };

/* 128 bits of MurmurHash3 for 64-bit machines, seed 0 (Austin Appleby, in the public domain): the key that a sample has before its bytes. */
void pliant__murmur(const void *data, size_t size, unsigned char digest[PLIANT__DIGEST]);

/* ---- writing ---- */

/* Bytes that will lie at `base` of a file. */
typedef struct pliant__ogawa {
    pliant__bytes bytes;
    uint64_t      base;
    bool          failed; /* out of memory: later calls do nothing */
} pliant__ogawa;

void pliant__ogawa_put(pliant__ogawa *to, const void *data, size_t size);
void pliant__ogawa_put_u32(pliant__ogawa *to, uint32_t value);
void pliant__ogawa_put_u64(pliant__ogawa *to, uint64_t value);

/* Each is the child that its parent has to name. */
uint64_t pliant__ogawa_data(pliant__ogawa *to, const void *data, size_t size);
uint64_t pliant__ogawa_group(pliant__ogawa *to, const uint64_t *children, size_t count);

/* ---- reading ---- */

/* A file being walked. Nothing outside it is looked at, whatever its numbers say; an error has the place. */
typedef struct pliant__ogawa_file {
    const pliant__source *file;
    pliant_error         *error;
    const unsigned char  *bytes; /* the file's size of them, where it is memory; else NULL */
} pliant__ogawa_file;

bool pliant__ogawa_fail(const pliant__ogawa_file *from, uint64_t place, const char *what);

/* `size` bytes at `place`, if the file has them. */
bool pliant__ogawa_bytes(const pliant__ogawa_file *from, uint64_t place, void *to, size_t size);

/* Reads the header; where the root group is. */
bool pliant__ogawa_root(const pliant__ogawa_file *from, uint64_t *root);

/* How many children a group has; a child of it. Of an empty group 0. */
bool pliant__ogawa_count(const pliant__ogawa_file *from, uint64_t group, uint64_t *count);
bool pliant__ogawa_child(const pliant__ogawa_file *from, uint64_t group, uint64_t index, uint64_t *child);

/* Likewise, where it has to be a group, or data. */
bool pliant__ogawa_child_group(const pliant__ogawa_file *from, uint64_t group, uint64_t index, uint64_t *child);
bool pliant__ogawa_child_data(const pliant__ogawa_file *from, uint64_t group, uint64_t index, uint64_t *child);

/* The size of data, and all its bytes, `most` at the most, into an array. */
bool pliant__ogawa_size(const pliant__ogawa_file *from, uint64_t data, uint64_t *size);
bool pliant__ogawa_read(const pliant__ogawa_file *from, uint64_t data, uint64_t most, pliant__bytes *to);

#endif
