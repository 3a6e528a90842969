/* The host's memory. Everything is zeroed and aligned to 64 bytes. */
#ifndef PLIANT_BASE_ALLOC_H
#define PLIANT_BASE_ALLOC_H

#include "pliant/base.h"

#define PLIANT_ALIGN 64u

/* `bytes` zeroed bytes, or NULL. `allocator` NULL or zeroed: the C library's memory. */
void *pliant__alloc(const pliant_allocator *allocator, size_t bytes);

/* Zeroed bytes for `count` things of `size` bytes, or NULL; NULL also where the product overflows. */
void *pliant__alloc_array(const pliant_allocator *allocator, size_t count, size_t size);

/* Such bytes, not zeroed: memory that is never used is then never touched, and costs nothing. */
void *pliant__alloc_untouched(const pliant_allocator *allocator, size_t count, size_t size);

/* Gives back what pliant__alloc gave. NULL is allowed. */
void pliant__free(const pliant_allocator *allocator, void *memory);

#endif
