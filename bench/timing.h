/* Timing in the programs of the bench. Machines are shared and noisy: what is to be compared takes turns, round after round, so that a bad moment
 * hits all alike, and the median of each counts. */
#ifndef PLIANT_BENCH_TIMING_H
#define PLIANT_BENCH_TIMING_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* Seconds by the clock. */
static inline double wall_seconds(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of the processor, by all threads of this program: others of the machine count less. */
static inline double processor_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static inline int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Puts them in order. */
static inline double median(double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

#endif
