#include "base/sort.h"

static void insertion_sort(pliant__key *keys, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const pliant__key k = keys[i];
        size_t            j = i;
        for (; j && keys[j - 1].key > k.key; j--) keys[j] = keys[j - 1];
        keys[j] = k;
    }
}

/* Bytes from the lowest up; one that is the same in all keys costs nothing. */
pliant__key *pliant__sort_keys(pliant__key *keys, pliant__key *scratch, size_t count)
{
    if (count < 48) {
        insertion_sort(keys, count);
        return keys;
    }
    uint64_t differ = 0;
    for (size_t i = 1; i < count; i++) differ |= keys[i].key ^ keys[0].key;
    for (int shift = 0; shift < 64; shift += 8) {
        size_t start[257] = {0};
        if (!(differ >> shift & 255)) continue;
        for (size_t i = 0; i < count; i++) start[((keys[i].key >> shift) & 255) + 1]++;
        for (int d = 0; d < 256; d++) start[d + 1] += start[d];
        for (size_t i = 0; i < count; i++) scratch[start[(keys[i].key >> shift) & 255]++] = keys[i];
        pliant__key *swap = keys;
        keys = scratch;
        scratch = swap;
    }
    return keys;
}

size_t pliant__find_key(const pliant__key *keys, size_t count, uint64_t key)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (keys[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
