/* The pool.
 *
 *   caller   task, data written | a range of indices for each thread | takes indices ......... | waits until done = count
 *   worker            spins, then sleeps, until its range has an index | takes indices, its own first ... | spins
 *
 * Each thread has its range of the indices, the same ones for the same count, so that what indices stand for stays in the caches of one core from one job
 * to the next; what another core has written comes line by line, and slowly (docs/speed.md). A thread takes from the front of its range, and when that is
 * empty from the back of others'. One atomic word is a range, its end and the next index to take; indices are taken by compare-and-swap. A thread that has
 * taken an index knows that the job is still on, since the caller waits for it, so task and data are read only then. A worker that comes late finds nothing
 * left and does no harm: the caller waits for tasks, never for threads. Workers spin for a while before they sleep, because the next job of a step comes
 * within microseconds; on a machine with too few cores they yield. */
#include "base/threads.h"

#include "base/alloc.h"
#include "base/system_threads.h"

#include <stdatomic.h>

#define SPINS 4000        /* about 50 microseconds, then sleep */
#define SPINS_TO_YIELD 64 /* while waiting for tasks to end */
#define SHARES 4          /* a thread takes one of so many parts of what is left of a range at once */

typedef struct range {
    _Alignas(64) atomic_uint_fast64_t left; /* end << 32 | next */
} range;

struct pliant__pool {
    pliant_allocator allocator;
    uint32_t         workers, started; /* threads beside the caller; of them those that have started: all, once the pool is made */
    system_thread   *threads;
    range           *ranges; /* the caller's, and each worker's */
    void (*task)(void *data, uint32_t index);
    void         *data;
    system_lock   lock;
    system_signal wake;
    _Alignas(64) atomic_uint_fast32_t done;
    _Alignas(64) atomic_uint_fast32_t sleepers;
    atomic_uint_fast32_t numbered; /* workers that have taken their number */
    atomic_bool          stop;
};

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool has_work(uint64_t left) { return (uint32_t)left < (uint32_t)(left >> 32); }

/* How many indices are taken at once: fewer and fewer, so that threads end together. */
static uint32_t share_of(uint64_t left)
{
    const uint32_t share = ((uint32_t)(left >> 32) - (uint32_t)left) / SHARES;
    return share ? share : 1;
}

/* Takes indices of a range, from its front where it is the thread's own, until none is left. */
static void work_on(pliant__pool *pool, range *of, bool own)
{
    uint64_t left = atomic_load_explicit(&of->left, memory_order_acquire);
    while (has_work(left)) {
        const uint32_t share = share_of(left), first = own ? (uint32_t)left : (uint32_t)(left >> 32) - share;
        const uint64_t after = own ? left + share : left - ((uint64_t)share << 32);
        if (!atomic_compare_exchange_weak_explicit(&of->left, &left, after, memory_order_acq_rel, memory_order_acquire)) continue;
        for (uint32_t i = 0; i < share; i++) pool->task(pool->data, first + i);
        atomic_fetch_add_explicit(&pool->done, share, memory_order_release);
        left = atomic_load_explicit(&of->left, memory_order_acquire);
    }
}

/* Takes indices until none is left: those of the range with a number, then the others'. */
static void work(pliant__pool *pool, uint32_t number)
{
    const uint32_t threads = pool->workers + 1;
    for (uint32_t i = 0; i < threads; i++) work_on(pool, &pool->ranges[(number + i) % threads], i == 0);
}

static void sleep_until_work(pliant__pool *pool, const range *own)
{
    system_lock_take(&pool->lock);
    atomic_fetch_add(&pool->sleepers, 1);
    while (!has_work(atomic_load(&own->left)) && !atomic_load(&pool->stop)) system_signal_wait(&pool->wake, &pool->lock);
    atomic_fetch_sub(&pool->sleepers, 1);
    system_lock_give(&pool->lock);
}

SYSTEM_THREAD(worker, argument)
{
    pliant__pool  *pool = argument;
    const uint32_t number = 1 + (uint32_t)atomic_fetch_add(&pool->numbered, 1);
    range         *own = &pool->ranges[number];
    while (!atomic_load(&pool->stop)) {
        int spins = 0;
        while (spins < SPINS && !has_work(atomic_load_explicit(&own->left, memory_order_relaxed)) &&
               !atomic_load_explicit(&pool->stop, memory_order_relaxed)) {
            relax();
            spins++;
        }
        if (spins == SPINS) sleep_until_work(pool, own);
        work(pool, number);
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
    pool->ranges = pliant__alloc_array(allocator, threads, sizeof *pool->ranges);
    pool->workers = threads > 1 ? threads - 1 : 0; /* before they start, since they read it */
    bool ok = pool->threads && pool->ranges;
    while (ok && pool->started < pool->workers) {
        ok = system_thread_start(&pool->threads[pool->started], worker, pool);
        pool->started += ok;
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
    for (uint32_t i = 0; i < pool->started; i++) system_thread_join(pool->threads[i]);
    system_signal_end(&pool->wake);
    system_lock_end(&pool->lock);
    pliant_allocator allocator = pool->allocator;
    pliant__free(&allocator, pool->threads);
    pliant__free(&allocator, pool->ranges);
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
    for (uint32_t i = 0; i <= pool->workers; i++) {
        const uint64_t first = (uint64_t)count * i / (pool->workers + 1), end = (uint64_t)count * (i + 1) / (pool->workers + 1);
        atomic_store(&pool->ranges[i].left, end << 32 | first);
    }
    if (atomic_load(&pool->sleepers)) {
        system_lock_take(&pool->lock);
        system_signal_all(&pool->wake);
        system_lock_give(&pool->lock);
    }
    work(pool, 0);
    for (uint32_t spins = 0; atomic_load_explicit(&pool->done, memory_order_acquire) < count; spins++) pliant__relax(spins);
}

void pliant__relax(uint32_t spins)
{
    if (spins < SPINS_TO_YIELD)
        relax();
    else
        system_yield();
}
