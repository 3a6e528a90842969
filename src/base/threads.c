/* The pool.
 *
 *   caller   task, data written | job = (count, 0) published | takes indices ......... | waits until done = count
 *   worker            spins, then sleeps, until job has an index left | takes indices ... | spins
 *
 * One atomic word holds the number of indices and the next one to take; indices are taken by compare-and-swap. A thread that has taken an index knows
 * that the job is still on, since the caller waits for it, so task and data are read only then. A worker that comes late finds nothing left and does
 * no harm: the caller waits for tasks, never for threads. Workers spin for a while before they sleep, because the next job of a step comes within
 * microseconds; on a machine with too few cores they yield. */
#include "base/threads.h"

#include "base/alloc.h"
#include "base/system_threads.h"

#include <stdatomic.h>

#define SPINS 4000        /* about 50 microseconds, then sleep */
#define SPINS_TO_YIELD 64 /* while waiting for tasks to end */
#define SHARES 4          /* of the indices that are left, for each thread: one is taken at once */

struct pliant__pool {
    pliant_allocator allocator;
    uint32_t         workers;
    system_thread   *threads;
    void (*task)(void *data, uint32_t index);
    void         *data;
    system_lock   lock;
    system_signal wake;
    _Alignas(64) atomic_uint_fast64_t job; /* count << 32 | next */
    _Alignas(64) atomic_uint_fast32_t done;
    _Alignas(64) atomic_uint_fast32_t sleepers;
    atomic_bool stop;
};

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool has_work(uint64_t job) { return (uint32_t)job < (uint32_t)(job >> 32); }

/* How many of the indices that are left a thread takes at once: fewer and fewer, so that threads end together. */
static uint32_t share_of(const pliant__pool *pool, uint64_t job)
{
    const uint32_t left = (uint32_t)(job >> 32) - (uint32_t)job, share = left / ((pool->workers + 1) * SHARES);
    return share ? share : 1;
}

/* Takes indices until none is left. */
static void work(pliant__pool *pool)
{
    uint64_t job = atomic_load_explicit(&pool->job, memory_order_acquire);
    while (has_work(job)) {
        const uint32_t share = share_of(pool, job);
        if (!atomic_compare_exchange_weak_explicit(&pool->job, &job, job + share, memory_order_acq_rel, memory_order_acquire)) continue;
        for (uint32_t i = 0; i < share; i++) pool->task(pool->data, (uint32_t)job + i);
        atomic_fetch_add_explicit(&pool->done, share, memory_order_release);
        job = atomic_load_explicit(&pool->job, memory_order_acquire);
    }
}

static void sleep_until_work(pliant__pool *pool)
{
    system_lock_take(&pool->lock);
    atomic_fetch_add(&pool->sleepers, 1);
    while (!has_work(atomic_load(&pool->job)) && !atomic_load(&pool->stop)) system_signal_wait(&pool->wake, &pool->lock);
    atomic_fetch_sub(&pool->sleepers, 1);
    system_lock_give(&pool->lock);
}

SYSTEM_THREAD(worker, argument)
{
    pliant__pool *pool = argument;
    while (!atomic_load(&pool->stop)) {
        int spins = 0;
        while (spins < SPINS && !has_work(atomic_load_explicit(&pool->job, memory_order_relaxed)) &&
               !atomic_load_explicit(&pool->stop, memory_order_relaxed)) {
            relax();
            spins++;
        }
        if (spins == SPINS) sleep_until_work(pool);
        work(pool);
    }
    return SYSTEM_THREAD_END;
}

pliant__pool *pliant__pool_create(const pliant_allocator *allocator, uint32_t threads)
{
    pliant__pool *pool = pliant__alloc(allocator, sizeof *pool);
    if (!pool) return NULL;
    if (allocator) pool->allocator = *allocator;
    system_lock_init(&pool->lock);
    system_signal_init(&pool->wake);
    pool->threads = pliant__alloc_array(allocator, threads, sizeof *pool->threads);
    bool ok = pool->threads != NULL;
    for (uint32_t i = 1; ok && i < threads; i++) {
        ok = system_thread_start(&pool->threads[pool->workers], worker, pool);
        pool->workers += ok;
    }
    if (ok) return pool;
    pliant__pool_destroy(pool);
    return NULL;
}

void pliant__pool_destroy(pliant__pool *pool)
{
    if (!pool) return;
    system_lock_take(&pool->lock);
    atomic_store(&pool->stop, true);
    system_signal_all(&pool->wake);
    system_lock_give(&pool->lock);
    for (uint32_t i = 0; i < pool->workers; i++) system_thread_join(pool->threads[i]);
    system_signal_end(&pool->wake);
    system_lock_end(&pool->lock);
    pliant_allocator allocator = pool->allocator;
    pliant__free(&allocator, pool->threads);
    pliant__free(&allocator, pool);
}

void pliant__pool_run(pliant__pool *pool, void (*task)(void *data, uint32_t index), void *data, uint32_t count)
{
    if (count <= 1 || !pool->workers) {
        for (uint32_t i = 0; i < count; i++) task(data, i);
        return;
    }
    pool->task = task;
    pool->data = data;
    atomic_store_explicit(&pool->done, 0, memory_order_relaxed);
    atomic_store(&pool->job, (uint64_t)count << 32);
    if (atomic_load(&pool->sleepers)) {
        system_lock_take(&pool->lock);
        system_signal_all(&pool->wake);
        system_lock_give(&pool->lock);
    }
    work(pool);
    for (uint32_t spins = 0; atomic_load_explicit(&pool->done, memory_order_acquire) < count; spins++) pliant__relax(spins);
}

void pliant__relax(uint32_t spins)
{
    if (spins < SPINS_TO_YIELD)
        relax();
    else
        system_yield();
}
