/* The slowest frame: a stutter is not the mean. A bag of cotton falls on the floor again and again, each time thrown otherwise, and every
 * frame is timed by itself; one thread and several take turns, throw by throw. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

#define FRAMES 60u
#define GROUPS 5u /* the throws are put into so many groups: how far these are apart is the spread */
#define MOST_THROWS 100u

typedef struct drops {
    bench_stepper *steppers; /* one per number of threads */
    double        *seconds;  /* of each: throw after throw */
    uint32_t       count, throws;
} drops;

static double chance(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0 - 0.5;
}

/* Sets it off with a velocity and a spin of this throw's own. */
static bool throw_it(bench_stepper *s, const bench_subject *subject, uint32_t number, pliant_vec3 *x)
{
    uint32_t seed = 7919u * (number + 1), n = pliant_model_body(subject->model, subject->body).vertex_count;
    double   v[3], spin[3];
    for (int k = 0; k < 3; k++) v[k] = 2 * chance(&seed), spin[k] = 12 * chance(&seed);
    pliant_state_reset(s->state);
    if (pliant_state_positions(s->state, subject->body, 0, n, x) != PLIANT_OK) return false;
    for (uint32_t i = 0; i < n; i++) {
        const double p[3] = {x[i].x, x[i].y - 0.65, x[i].z};
        x[i].x = (pliant_real)(v[0] + spin[1] * p[2] - spin[2] * p[1]);
        x[i].y = (pliant_real)(v[1] + spin[2] * p[0] - spin[0] * p[2]);
        x[i].z = (pliant_real)(v[2] + spin[0] * p[1] - spin[1] * p[0]);
    }
    return pliant_state_set_velocities(s->state, subject->body, 0, n, x) == PLIANT_OK;
}

static bool run_throws(drops *d, const bench_subject *subject, const bench_settings *s, pliant_error *error)
{
    pliant_vec3 *x = malloc(pliant_model_particle_count(subject->model) * sizeof *x);
    bool         good = x != NULL || bench_fail(error, PLIANT_ERROR_MEMORY, "out of memory");
    for (uint32_t n = 0; good && n < d->throws; n++)
        for (uint32_t t = 0; good && t < d->count; t++) {
            double *seconds = d->seconds + ((size_t)t * d->throws + n) * FRAMES;
            good =
                throw_it(&d->steppers[t], subject, n, x) || bench_fail(error, PLIANT_ERROR_ARGUMENT, "drop: the state took no velocities");
            for (uint32_t f = 0; good && f < FRAMES; f++) {
                double before = bench_now();
                good = !(s->interrupted && s->interrupted()) && bench_step(&d->steppers[t], 1);
                seconds[f] = bench_now() - before;
                if (!good) bench_stopped(s, "drop", subject->side, d->steppers[t].code, error);
            }
        }
    free(x);
    return good;
}

/* ---- shares of frames that are faster ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The value that a share of them does not exceed. Sorts them. */
static double quantile(double *values, uint32_t count, double share)
{
    qsort(values, count, sizeof *values, by_value);
    uint32_t at = (uint32_t)ceil(share * count);
    return values[at ? at - 1 : 0];
}

static bool add_quantile(const drops *d, uint32_t t, const char *name, double share, const bench_subject *subject, const bench_settings *s,
                         bench_table *table, pliant_error *error)
{
    double   *seconds = d->seconds + (size_t)t * d->throws * FRAMES;
    uint32_t  each = d->throws / GROUPS * FRAMES;
    double    groups[GROUPS];
    bench_row row = bench_row_of(name, subject->side, subject, "ms");
    for (uint32_t g = 0; g < GROUPS; g++) groups[g] = 1e3 * quantile(seconds + (size_t)g * each, each, share);
    row.spread = bench_spread(groups, GROUPS, bench_median(groups, GROUPS));
    row.width = s->widths[s->width_count - 1];
    row.threads = s->threads[t];
    row.rounds = d->throws;
    double *all = malloc((size_t)d->throws * FRAMES * sizeof *all); /* sorting must not mix groups */
    if (!all) return bench_fail(error, PLIANT_ERROR_MEMORY, "out of memory");
    for (uint32_t i = 0; i < d->throws * FRAMES; i++) all[i] = seconds[i];
    row.value = 1e3 * quantile(all, d->throws * FRAMES, share);
    free(all);
    return bench_add(table, &row, error);
}

static bool add_quantiles(const drops *d, const bench_subject *subject, const bench_settings *s, bench_table *table, pliant_error *error)
{
    static const struct share {
        const char *name;
        double      share;
    } shares[] = {{"drop_p50", 0.5}, {"drop_p99", 0.99}, {"drop_p99.9", 0.999}};
    for (uint32_t t = 0; t < d->count; t++)
        for (uint32_t i = 0; i < 3; i++)
            if (!add_quantile(d, t, shares[i].name, shares[i].share, subject, s, table, error)) return false;
    return true;
}

bool bench_drop(const bench_settings *s, const bench_limits *limits, bench_table *table, pliant_error *error)
{
    bench_subject subject;
    drops         d = {calloc(s->thread_count, sizeof *d.steppers), NULL, 0, s->quick ? 2 * GROUPS : MOST_THROWS};
    (void)limits;
    if (!bench_subject_make(&subject, BENCH_BLOB, s->quick ? 20 : 40, s, error)) {
        free(d.steppers);
        return false;
    }
    d.seconds = malloc((size_t)s->thread_count * d.throws * FRAMES * sizeof *d.seconds);
    bool good = (d.steppers && d.seconds) || bench_fail(error, PLIANT_ERROR_MEMORY, "out of memory");
    for (uint32_t t = 0; good && t < s->thread_count; t++, d.count++)
        good = bench_begin(&d.steppers[t], &subject, s, s->widths[s->width_count - 1], s->threads[t], error);
    good = good && run_throws(&d, &subject, s, error) && add_quantiles(&d, &subject, s, table, error);
    for (uint32_t t = 0; t < d.count; t++) bench_end(&d.steppers[t]);
    free(d.steppers);
    free(d.seconds);
    bench_subject_free(&subject);
    return good;
}
