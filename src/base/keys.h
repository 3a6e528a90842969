/* Keys: values at ascending times. In between, straight (rotations the short way); outside, the end keys. */
#ifndef PLIANT_BASE_KEYS_H
#define PLIANT_BASE_KEYS_H

#include "base/vec.h"

/* The last of `count` > 0 keys at or before `time` (or the first), and how far it is to the next, 0 to 1. */
static inline uint32_t pliant__key_before(const double *times, uint32_t count, double time, double *share)
{
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    *share = 0;
    if (low + 1 < count && time > times[low]) *share = (time - times[low]) / (times[low + 1] - times[low]);
    return low;
}

static inline pliant_vec3 pliant__position_key(const double *times, const pliant_vec3 *keys, uint32_t count, double time)
{
    double   share;
    uint32_t k = pliant__key_before(times, count, time, &share);
    return share > 0 ? v3_lerp(keys[k], keys[k + 1], (pliant_real)share) : keys[k];
}

static inline double pliant__number_key(const double *times, const double *keys, uint32_t count, double time)
{
    double   share;
    uint32_t k = pliant__key_before(times, count, time, &share);
    return share > 0 ? keys[k] + (keys[k + 1] - keys[k]) * share : keys[k];
}

static inline pliant_pose pliant__pose_key(const double *times, const pliant_pose *keys, uint32_t count, double time)
{
    double   share;
    uint32_t k = pliant__key_before(times, count, time, &share);
    return share > 0 ? pose_lerp(keys[k], keys[k + 1], (pliant_real)share) : keys[k];
}

#endif
