/* A pool of threads that runs the same function for many indices: fork and join, nothing else. */
#ifndef PLIANT_BASE_THREADS_H
#define PLIANT_BASE_THREADS_H

#include "pliant/base.h"

typedef struct pliant__pool pliant__pool;

/* A pool of `threads` threads, the caller's counted. NULL if memory or threads are not to be had. */
pliant__pool *pliant__pool_create(const pliant_allocator *allocator, uint32_t threads);

/* Ends the threads. NULL is allowed. */
void pliant__pool_destroy(pliant__pool *pool);

/* Runs task(data, i) for every i in [0, count), on the pool and on the calling thread, and returns when all have run. Not from several threads
 * at once, and not from within a task. */
void pliant__pool_run(pliant__pool *pool, void (*task)(void *data, uint32_t index), void *data, uint32_t count);

/* A pause between two looks at another thread's progress, `already` of which have passed; after some of them the core is yielded. */
void pliant__relax(uint32_t spins);

#endif
