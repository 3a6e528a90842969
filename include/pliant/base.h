/* Pliant: what every other header stands on: numbers, vectors, errors, memory, and the library's version.
 *
 * Units are SI (metres, seconds, kilograms, newtons), y points up, quaternions are x y z w.
 * Nothing here prints, exits or keeps global state. */
#ifndef PLIANT_BASE_H
#define PLIANT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef PLIANT_DOUBLE
#include "pliant/double_names.h" /* the float64 library has symbols of its own */
#endif

#define PLIANT_VERSION_MAJOR 0
#define PLIANT_VERSION_MINOR 1
#define PLIANT_VERSION_PATCH 0

#if defined(_WIN32) && defined(PLIANT_SHARED)
#ifdef PLIANT_BUILD
#define PLIANT_API __declspec(dllexport)
#else
#define PLIANT_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define PLIANT_API __attribute__((visibility("default")))
#else
#define PLIANT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The number that positions, velocities and parameters are made of: float, or double where PLIANT_DOUBLE is defined
 * (for the library and for everything that includes its headers). */
#if defined(PLIANT_DOUBLE) && defined(__i386__) && defined(__GNUC__)
typedef double pliant_real __attribute__((aligned(8))); /* in structs too, as everywhere else: a model lies the same on every machine */
#elif defined(PLIANT_DOUBLE)
typedef double pliant_real;
#else
typedef float pliant_real;
#endif

/** A point or a direction. Metres where it is a place, metres per second where it is a velocity. */
typedef struct pliant_vec3 {
    pliant_real x, y, z;
} pliant_vec3;

/** A rotation as a unit quaternion. */
typedef struct pliant_quat {
    pliant_real x, y, z, w;
} pliant_quat;

/** Where a rigid thing is: its points are `rotation * local + position`. */
typedef struct pliant_pose {
    pliant_vec3 position;
    pliant_quat rotation;
} pliant_pose;

/** The pose that moves nothing. */
static inline pliant_pose pliant_pose_identity(void)
{
    pliant_pose p = {{0, 0, 0}, {0, 0, 0, 1}};
    return p;
}

/** What went wrong, in kinds that a program can act on. PLIANT_OK is 0. */
typedef enum pliant_code {
    PLIANT_OK = 0,
    PLIANT_ERROR_ARGUMENT,    /**< an argument of a call is out of its range, or, as a cache that holds no frame, not ready for it */
    PLIANT_ERROR_INPUT,       /**< a file or a description says something impossible, or a file that is to be read is not there */
    PLIANT_ERROR_IO,          /**< the system would not read or write a file */
    PLIANT_ERROR_MEMORY,      /**< the allocator returned NULL */
    PLIANT_ERROR_DIVERGED,    /**< a NaN or a runaway speed appeared, or a method found no solution */
    PLIANT_ERROR_UNAVAILABLE, /**< this build or this machine has not got it */
    PLIANT_ERROR_INTERRUPTED  /**< the user asked to stop */
} pliant_code;

/** One error, for a person to read. What can fail for several reasons takes a pointer to one, which may be NULL, as its last parameter.
 * `message` is one sentence without a full stop: what is wrong and what to do. */
typedef struct pliant_error {
    pliant_code code;
    int         line;      /**< line in `path`, from 1; 0 if none */
    char        path[256]; /**< the file it is about; empty if none */
    char        message[512];
} pliant_error;

/** The host's memory. `alloc` returns `bytes` bytes aligned to `align` (a power of two, at most 64) or NULL; `release`
 * takes what `alloc` gave. A zeroed struct means the C library's memory. `room`, where it is not NULL, says whether so many bytes more
 * could be had: it is asked before a body is begun, with less than the body takes until it can be stepped, so that what is much too large
 * is refused (::PLIANT_ERROR_MEMORY) before anything of it is allocated. */
typedef struct pliant_allocator {
    void *(*alloc)(size_t bytes, size_t align, void *context);
    void (*release)(void *memory, void *context);
    void *context;
    bool (*room)(uint64_t bytes, void *context);
} pliant_allocator;

/** The host's job system. `enqueue` may run `task(data, index)` for every index in [0, count) on any threads, in any order, at
 * any time before the matching `wait` returns; `wait` returns when all of them have run. A zeroed struct means: threads of Pliant's
 * own. No task ever waits for another one, so running them one at a time is allowed. */
typedef struct pliant_tasks {
    void (*enqueue)(void (*task)(void *data, uint32_t index), void *data, uint32_t count, void *context);
    void (*wait)(void *context);
    void *context;
} pliant_tasks;

/** What this copy of the library is. */
typedef struct pliant_build_info {
    const char *version;       /**< "0.1.0" */
    const char *compiler;      /**< name and version of the compiler */
    uint32_t    real_bytes;    /**< 4 or 8: must equal sizeof(pliant_real) of the caller */
    uint32_t    width_count;   /**< how many lane widths were compiled in */
    uint32_t    widths[8];     /**< the compiled lane widths, ascending, from 1 */
    bool        runs[8];       /**< whether this processor can run each of them */
    uint32_t    default_width; /**< the widest that runs; what a solver takes for `width` 0 */
} pliant_build_info;

/** Describes this copy of the library. */
PLIANT_API pliant_build_info pliant_build(void);

/** Name of an error code, for example "out of memory". Never NULL. */
PLIANT_API const char *pliant_code_name(pliant_code code);

#ifdef __cplusplus
}
#endif
#endif
