/* Sorting by 64-bit keys. */
#ifndef PLIANT_BASE_SORT_H
#define PLIANT_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* A key, and the number of the thing that it is the key of. */
typedef struct pliant__key {
    uint64_t key;
    uint32_t value;
} pliant__key;

/* Sorts by key, ascending; equal keys stay in order. Returns where the result is: `keys` or `scratch`. Linear. */
pliant__key *pliant__sort_keys(pliant__key *keys, pliant__key *scratch, size_t count);

/* The end of the run of sorted keys that are equal to key number `from`. */
static inline size_t pliant__run_end(const pliant__key *keys, size_t from, size_t count)
{
    size_t end = from + 1;
    while (end < count && keys[end].key == keys[from].key) end++;
    return end;
}

/* The first of the sorted keys that is not below `key`, or `count`. */
size_t pliant__find_key(const pliant__key *keys, size_t count, uint64_t key);

#endif
