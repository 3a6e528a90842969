/* Growable arrays of any type: `ARRAY(uint32_t) ids = {0};` then `array_push(allocator, &ids, 7)`. */
#ifndef PLIANT_BASE_ARRAY_H
#define PLIANT_BASE_ARRAY_H

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

#define ARRAY(T)                \
    struct {                    \
        T     *data;            \
        size_t count, capacity; \
    }

/* Makes room for `extra` more; false if out of memory, the array as it was. */
static inline bool pliant__array_reserve(const pliant_allocator *allocator, void **data, size_t count, size_t *capacity, size_t extra,
                                         size_t size)
{
    assert(count <= *capacity && (*data || !*capacity));
    if (*data && extra <= *capacity - count) return true; /* never NULL, so that NULL can mean: out of memory */
    if (extra > SIZE_MAX / 2 - count) return false;
    size_t want = count + extra > 2 * *capacity ? count + extra : 2 * *capacity;
    if (want < 16) want = 16;
    void *bigger = pliant__alloc_array(allocator, want, size);
    if (!bigger) return false;
    if (count) memcpy(bigger, *data, count * size);
    pliant__free(allocator, *data);
    *data = bigger;
    *capacity = want;
    return true;
}

#define array_reserve(allocator, a, extra) \
    pliant__array_reserve((allocator), (void **)&(a)->data, (a)->count, &(a)->capacity, (extra), sizeof *(a)->data)

/* Appends one value; false if out of memory. */
#define array_push(allocator, a, ...) (array_reserve((allocator), (a), 1) ? ((a)->data[(a)->count++] = (__VA_ARGS__), true) : false)

/* Appends `n` zeroed elements; the first of them, or NULL if out of memory. (Room past the count is zeroed unless the array shrank.) */
#define array_extend(allocator, a, n) \
    (array_reserve((allocator), (a), (n)) ? ((a)->count += (n), (void *)((a)->data + (a)->count - (n))) : NULL)

#define array_free(allocator, a) (pliant__free((allocator), (a)->data), (a)->data = NULL, (a)->count = (a)->capacity = 0)

#endif
