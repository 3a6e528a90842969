/* A 64-bit hash of bytes: the same on every machine, quick, and not made to withstand an attacker. */
#ifndef PLIANT_BASE_HASH_H
#define PLIANT_BASE_HASH_H

#include "pliant/base.h"

#include <string.h>

static inline uint64_t pliant__hash_mix(uint64_t h)
{
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    return h ^ (h >> 32);
}

/* Eight bytes at a time, four independent lanes, so that a state of megabytes costs little. */
static inline uint64_t pliant__hash(const void *data, size_t size, uint64_t seed)
{
    const unsigned char *p = data;
    uint64_t             lane[4] = {seed ^ 0x9e3779b97f4a7c15u, seed ^ 0xbf58476d1ce4e5b9u, seed ^ 0x94d049bb133111ebu, seed};
    size_t               left = size;
    for (; left >= 32; left -= 32, p += 32)
        for (int i = 0; i < 4; i++) {
            uint64_t word;
            memcpy(&word, p + 8 * i, 8);
            lane[i] = (lane[i] ^ word) * 0xff51afd7ed558ccdu;
            lane[i] ^= lane[i] >> 29;
        }
    uint64_t h = size;
    for (int i = 0; i < 4; i++) h = pliant__hash_mix(h ^ lane[i]);
    for (; left; left -= left < 8 ? left : 8, p += 8) {
        uint64_t word = 0;
        memcpy(&word, p, left < 8 ? left : 8);
        h = pliant__hash_mix(h ^ word);
        if (left < 8) break;
    }
    return pliant__hash_mix(h);
}

#endif
