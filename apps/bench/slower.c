/* Whether a figure is worse than a kept one by more than noise. Noise is three standard deviations of both together, a standard deviation being
 * 1.48 median absolute deviations, and at least the difference of two runs of one program on a quiet machine. Where a machine as a whole is slower
 * than it was, its limits are too: so a figure must be worse as it is and in units of its limit. */
#include "bench.h"

#include <math.h>
#include <string.h>

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* The least difference that counts, whatever the spreads are. */
static double least_noise(const bench_row *row)
{
    static const struct unit {
        const char *unit;
        double      noise;
    } units[] = {{"%", 1e-4}, {"substeps", 0}, {"B", 1e-4}, {"B/particle", 0.02}, {"s/M", 0.3}, {"crossings", 0}, {"mm", 1e-4}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(row->unit, units[i].unit) == 0) return units[i].noise;
    if (ends_with(row->name, "_p99")) return 0.3;
    if (ends_with(row->name, "_p99.9")) return 1;
    return 0.05;
}

/* Infinite where there was none before, and there is now. */
static double worse_by(double kept, double now, bool larger_is_better)
{
    if (kept <= 0) return now > 0 ? INFINITY : 0;
    return larger_is_better ? kept / now - 1 : now / kept - 1;
}

bench_change bench_compare(const bench_row *kept, const bench_row *now)
{
    const bool   larger = bench_larger_is_better(now);
    const bool   none = kept->value <= 0 || now->value <= 0;
    const double spread = none ? 0 : 3 * 1.4826 * hypot(kept->spread / kept->value, now->spread / now->value);
    bench_change c = {.share = worse_by(kept->value, now->value, larger), .noise = fmax(spread, least_noise(now))};
    if (strncmp(now->name, "limit_", 6) == 0) return c; /* the machine's, not Pliant's */
    c.slower = c.share > c.noise;
    if (kept->limit > 0 && now->limit > 0 && strcmp(kept->limit_name, now->limit_name) == 0)
        c.slower = c.slower && worse_by(bench_ratio(kept), bench_ratio(now), larger) > c.noise;
    return c;
}
