/* Timing. Machines are shared and noisy: the variants to be compared take turns, repetition after repetition, so that a bad moment hits all alike,
 * and the median counts. The spread is the median absolute deviation from it. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double bench_median(double *values, uint32_t count)
{
    if (!count) return 0;
    qsort(values, count, sizeof *values, by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

double bench_spread(double *values, uint32_t count, double median)
{
    for (uint32_t i = 0; i < count; i++) values[i] = fabs(values[i] - median);
    return bench_median(values, count);
}

/* Seconds of one repetition; negative if it failed. */
static double repeat(bench_variant *v)
{
    if (v->prepare && !v->prepare(v->context)) return -1;
    double before = bench_now();
    bool   good = v->run(v->context, v->times);
    double after = bench_now();
    return good ? after - before : -1;
}

/* How often each is run in a repetition: more until they take long enough. Trials warm the caches up. */
static bool choose_times(bench_variant *v, const bench_settings *settings)
{
    v->times = 1;
    for (;;) {
        if (settings->interrupted && settings->interrupted()) return false;
        double seconds = repeat(v);
        if (seconds < 0) return false;
        if (seconds >= BENCH_LEAST_SECONDS || v->times >= 1u << 24) return true;
        double more = seconds > 0 ? 1.2 * BENCH_LEAST_SECONDS / seconds : 16;
        v->times *= more < 2 ? 2 : more > 16 ? 16 : (uint32_t)more;
    }
}

/* Whether there is another repetition: five, or three of very slow variants, and then as long as there is time. */
static bool goes_on(uint32_t done, const bench_settings *settings, double spent, double seconds)
{
    const uint32_t most = settings->rounds < BENCH_MOST_ROUNDS ? settings->rounds : BENCH_MOST_ROUNDS;
    const uint32_t least = spent < 3 * seconds ? BENCH_LEAST_ROUNDS : BENCH_LEAST_OF_SLOW;
    return done < most && (done < least || spent < seconds);
}

uint32_t bench_rounds(bench_variant *variants, uint32_t count, const bench_settings *settings, double seconds)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!variants[i].times && !choose_times(&variants[i], settings)) return 0;
    for (double begin = bench_now(); goes_on(done, settings, bench_now() - begin, seconds); done++)
        for (uint32_t i = 0; i < count; i++) {
            double s = settings->interrupted && settings->interrupted() ? -1 : repeat(&variants[i]);
            if (s < 0) return 0;
            variants[i].seconds[done] = s / variants[i].times;
        }
    for (uint32_t i = 0; i < count; i++) {
        variants[i].median = bench_median(variants[i].seconds, done);
        variants[i].spread = bench_spread(variants[i].seconds, done, variants[i].median);
    }
    return done;
}
