/* Sorting by 64-bit keys. */
#ifndef PLIANT_BASE_SORT_H
#define PLIANT_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* A key with what it is the key of. */
typedef struct pliant__key {
    uint64_t key;
    uint32_t value;
} pliant__key;

/* Sorts by key, ascending; equal keys stay in order. Returns where the result is: `keys` or `scratch`. Linear. */
pliant__key *pliant__sort_keys(pliant__key *keys, pliant__key *scratch, size_t count);

#endif
