/* Ten million particles in one cloth, as a grid and as a shuffled mesh: bytes of the process per particle, at its largest and while it steps, and the
 * time of compiling. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <sys/resource.h>
#include <unistd.h>

#define SIDE 3163u

/* Bytes in memory now; 0 where the system does not say. */
static double resident(void)
{
    unsigned long long all = 0, here = 0;
    FILE              *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%llu %llu", &all, &here) != 2) here = 0;
    if (file) fclose(file);
    return (double)here * (double)sysconf(_SC_PAGESIZE);
}

/* The most that there were; ru_maxrss is in kilobytes, on macOS in bytes. */
static double peak(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#ifdef __APPLE__
    return (double)usage.ru_maxrss;
#else
    return 1024.0 * (double)usage.ru_maxrss;
#endif
}

static bool add_memory(const char *name, const char *what, const bench_subject *subject, double bytes, bench_table *table,
                       pliant_error *error)
{
    char all[32];
    snprintf(all, sizeof all, "%s_%s", name, what);
    bench_row row = bench_row_of(all, SIDE, subject, "B/particle");
    row.rounds = 1;
    row.value = bytes / (double)row.particles;
    return bytes <= 0 || bench_add(table, &row, error);
}

static bool measure(const char *name, bench_shape shape, const bench_settings *s, const bench_limits *limits, bench_table *table,
                    pliant_error *error)
{
    double         here = resident(), highest = peak();
    bench_settings only = *s;
    bench_subject  subject;
    bench_stepper  stepper;
    if (!bench_subject_make(&subject, shape, SIDE, s, error)) return false;
    bool good = bench_begin(&stepper, &subject, s, s->widths[s->width_count - 1], s->threads[s->thread_count - 1], error);
    if (good) good = bench_step(&stepper, 1) || bench_stopped(s, name, SIDE, stepper.code, error);
    good = good && (here <= 0 || add_memory(name, "process", &subject, resident() - here, table, error));
    good = good && (peak() <= highest || add_memory(name, "peak", &subject, peak() - here, table, error));
    bench_end(&stepper);
    only.widths[0] = s->widths[s->width_count - 1];
    only.width_count = 1;
    only.quick = true;
    good = good && bench_time_steps(name, SIDE, &subject, &only, limits, table, error);
    bench_subject_free(&subject);
    return good;
}

bool bench_huge(const bench_settings *s, const bench_limits *limits, bench_table *table, pliant_error *error)
{
    return measure("huge", BENCH_GRID_CLOTH, s, limits, table, error) && measure("huge_mesh", BENCH_MESH_CLOTH, s, limits, table, error);
}
