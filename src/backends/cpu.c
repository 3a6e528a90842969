/* The processor as a back-end: picks the lane width, and runs tasks on threads of Pliant's own or on the host's. */
#include "backends/backend.h"
#include "backends/width.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "solver/solver.h"
#include "solver/sweep.h"

#include <stdlib.h>
#include <string.h>

#ifdef _MSC_VER
#error "the lane widths need GCC's vector types: build with gcc or clang"
#endif

#define TEXT(a) TEXT_(a)
#define TEXT_(a) #a

/* ---- widths ---- */

static bool processor_runs(uint32_t width)
{
    if (width == 1) return true;
#if defined(__x86_64__) || defined(__i386__)
    uint32_t bytes = width * (uint32_t)sizeof(pliant_real);
    __builtin_cpu_init();
    if (bytes == 16) return true;
    if (bytes == 32) return __builtin_cpu_supports("avx2");
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw");
#else
    return true; /* the compiled kernels use only instructions of every such processor */
#endif
}

static const pliant__kernels *kernels_of(uint32_t width)
{
#define X(W) \
    if (width == W) return &pliant__kernels_##W;
    PLIANT_WIDTHS(X)
#undef X
    return NULL;
}

bool pliant_constraint_has_width(pliant_constraint_kind kind, uint32_t width)
{
    const pliant__kernels *k = kernels_of(width);
    return k && (unsigned)kind < PLIANT_CONSTRAINT_COUNT && k->kinds[kind];
}

pliant_build_info pliant_build(void)
{
    pliant_build_info info;
    memset(&info, 0, sizeof info);
    info.version = TEXT(PLIANT_VERSION_MAJOR) "." TEXT(PLIANT_VERSION_MINOR) "." TEXT(PLIANT_VERSION_PATCH);
#ifdef __clang__
    info.compiler = "clang " __clang_version__;
#else
    info.compiler = "gcc " __VERSION__;
#endif
    info.real_bytes = sizeof(pliant_real);
#define X(W)                                         \
    info.widths[info.width_count] = W;               \
    info.runs[info.width_count] = processor_runs(W); \
    if (info.runs[info.width_count++]) info.default_width = W;
    PLIANT_WIDTHS(X)
#undef X
    return info;
}

/* The width asked for, by the def or the environment; 0 with the error filled if it is not to be had. */
static uint32_t choose_width(uint32_t asked, pliant_error *error)
{
    const char *text = getenv("PLIANT_WIDTH");
    if (!asked && text && *text) {
        char         *end;
        unsigned long value = strtoul(text, &end, 10);
        if (*end || !value || value > 1024) {
            pliant__fail(error, PLIANT_ERROR_ARGUMENT, "PLIANT_WIDTH=%s is not a lane width; `pliant info` lists them", text);
            return 0;
        }
        asked = (uint32_t)value;
    }
    if (!asked) return pliant_build().default_width;
    if (!kernels_of(asked)) {
        pliant__fail(error, PLIANT_ERROR_UNAVAILABLE, "no kernels of %u lanes in this build; `pliant info` lists those there are", asked);
        return 0;
    }
    if (!processor_runs(asked)) {
        pliant__fail(error, PLIANT_ERROR_UNAVAILABLE, "this processor cannot run kernels of %u lanes; the widest it can is %u", asked,
                     pliant_build().default_width);
        return 0;
    }
    return asked;
}

/* ---- the runner of tasks: threads of Pliant's own, or the host's ---- */

static void run_here(void *executor, void (*task)(void *data, uint32_t index), void *data, uint32_t count)
{
    (void)executor;
    for (uint32_t i = 0; i < count; i++) task(data, i);
}

static void run_on_pool(void *executor, void (*task)(void *data, uint32_t index), void *data, uint32_t count)
{
    pliant__pool_run(executor, task, data, count);
}

static void run_on_host(void *executor, void (*task)(void *data, uint32_t index), void *data, uint32_t count)
{
    const pliant_tasks *tasks = executor;
    tasks->enqueue(task, data, count, tasks->context);
    tasks->wait(tasks->context);
}

static void destroy_nothing(void *executor, const pliant_allocator *allocator)
{
    (void)executor;
    (void)allocator;
}

static void destroy_pool(void *executor, const pliant_allocator *allocator)
{
    (void)allocator;
    pliant__pool_destroy(executor);
}

static void destroy_host(void *executor, const pliant_allocator *allocator) { pliant__free(allocator, executor); }

static bool choose_executor(const pliant_solver_def *def, const pliant_allocator *allocator, pliant__backend *backend, pliant_error *error)
{
    backend->run = run_here;
    backend->destroy = destroy_nothing;
    backend->threads = 1;
    if (def->tasks.enqueue) {
        pliant_tasks *tasks = pliant__alloc(allocator, sizeof *tasks);
        if (!tasks) return pliant__fail_memory(error, sizeof *tasks, "the host's tasks");
        *tasks = def->tasks;
        backend->executor = tasks;
        backend->run = run_on_host;
        backend->destroy = destroy_host;
    } else if (def->threads > 1) {
        backend->executor = pliant__pool_create(allocator, def->threads);
        if (!backend->executor) return pliant__fail(error, PLIANT_ERROR_MEMORY, "cannot start %u threads", def->threads);
        backend->run = run_on_pool;
        backend->destroy = destroy_pool;
        backend->threads = def->threads;
    }
    return true;
}

bool pliant__cpu_backend(const pliant_solver_def *def, const pliant_allocator *allocator, pliant__backend *backend, pliant_error *error)
{
    const uint32_t width = choose_width(def->width, error);
    memset(backend, 0, sizeof *backend);
    backend->kernels = kernels_of(width);
    backend->serial = kernels_of(1);
    return width && choose_executor(def, allocator, backend, error);
}
