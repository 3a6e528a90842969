/* Memory of one call, given back at its end all at once. */
#ifndef PLIANT_SURFACE_SCRATCH_H
#define PLIANT_SURFACE_SCRATCH_H

#include "base/alloc.h"
#include "base/error.h"

#define PLIANT__SCRATCH_BLOCKS 48

typedef struct pliant__scratch {
    void                   *blocks[PLIANT__SCRATCH_BLOCKS];
    int                     count;
    const pliant_allocator *allocator; /* NULL: malloc */
    pliant_error           *error;
} pliant__scratch;

/* Zeroed memory, or NULL with the error filled. */
static inline void *pliant__scratch_take(pliant__scratch *s, size_t count, size_t size, const char *what)
{
    void *block = s->count < PLIANT__SCRATCH_BLOCKS ? pliant__alloc_array(s->allocator, count, size) : NULL;
    if (block)
        s->blocks[s->count++] = block;
    else
        pliant__fail_memory(s->error, count * size, what);
    return block;
}

/* Gives back the blocks after the first `count`. */
static inline void pliant__scratch_drop(pliant__scratch *s, int count)
{
    while (s->count > count) pliant__free(s->allocator, s->blocks[--s->count]);
}

#endif
