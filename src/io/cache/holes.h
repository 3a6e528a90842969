/* A file without its largest parts: the rest is small enough to be compared whole. */
#ifndef PLIANT_IO_CACHE_HOLES_H
#define PLIANT_IO_CACHE_HOLES_H

#include "io/files/file.h"
#include "io/files/text.h"

typedef struct pliant__hole {
    uint64_t offset, size;
} pliant__hole;

/* Brings holes into the order in which they lie. False if one reaches past `end`, or two overlap. */
bool pliant__holes_sort(pliant__hole *holes, size_t count, uint64_t end);

/* Appends the bytes before `end` that are in no hole; the holes are sorted. */
bool pliant__holes_load(const pliant__source *file, const pliant__hole *holes, size_t count, uint64_t end, pliant__bytes *to,
                        pliant_error *error);

/* Whether bytes [offset, offset + size) are in no hole. */
bool pliant__holes_miss(const pliant__hole *holes, size_t count, uint64_t offset, uint64_t size);

/* The index, among the bytes in no hole, of the byte at an offset. */
uint64_t pliant__holes_index(const pliant__hole *holes, size_t count, uint64_t offset);

#endif
