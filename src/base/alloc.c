#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <malloc.h>
#endif

static size_t rounded(size_t bytes)
{
    size_t up = (bytes + PLIANT_ALIGN - 1) / PLIANT_ALIGN * PLIANT_ALIGN;
    return up ? up : PLIANT_ALIGN;
}

static void *get(const pliant_allocator *allocator, size_t bytes)
{
    if (bytes > SIZE_MAX / 2) return NULL;
    if (allocator && allocator->alloc) return allocator->alloc(rounded(bytes), PLIANT_ALIGN, allocator->context);
#ifdef _WIN32
    return _aligned_malloc(rounded(bytes), PLIANT_ALIGN);
#else
    return aligned_alloc(PLIANT_ALIGN, rounded(bytes));
#endif
}

void *pliant__alloc(const pliant_allocator *allocator, size_t bytes)
{
    void *memory = get(allocator, bytes);
    if (memory) memset(memory, 0, rounded(bytes));
    return memory;
}

void *pliant__alloc_array(const pliant_allocator *allocator, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) return NULL;
    return pliant__alloc(allocator, count * size);
}

void *pliant__alloc_untouched(const pliant_allocator *allocator, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) return NULL;
    return get(allocator, count * size);
}

void pliant__free(const pliant_allocator *allocator, void *memory)
{
    if (!memory) return;
    if (allocator && allocator->alloc) {
        if (allocator->release) allocator->release(memory, allocator->context);
        return;
    }
#ifdef _WIN32
    _aligned_free(memory);
#else
    free(memory);
#endif
}
