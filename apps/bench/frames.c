/* The time of a frame of a certain quality: a cloth of 64 x 64 hangs by two corners for two seconds; its stretch is the mean of |length / rest - 1|
 * over its structural edges and over the frames of the last second. Substeps are raised until that is small enough, and then a frame is timed. On a
 * mesh it is the same edges, wherever the mesh has them. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

#define SIDE 64u
#define FRAMES 120u
#define GOAL 0.25         /* % */
#define TETHERED_GOAL 0.1 /* % */
#define MOST_SUBSTEPS 400u

double bench_stretch_of(const bench_subject *s, const pliant_vec3 *x, double rest)
{
    const uint32_t n = s->side;
    double         sum = 0;
    for (uint32_t v = 0; v < n * n; v++)
        for (uint32_t across = 0; across < 2; across++) {
            const uint32_t other = v + (across ? n : 1);
            if (across ? other >= n * n : v % n == n - 1) continue;
            const pliant_vec3 a = x[s->place ? s->place[v] : v], b = x[s->place ? s->place[other] : other];
            const double      dx = (double)a.x - b.x, dy = (double)a.y - b.y, dz = (double)a.z - b.z;
            sum += fabs(sqrt(dx * dx + dy * dy + dz * dz) / rest - 1);
        }
    return sum;
}

/* Of one frame, in %. */
static double stretch_now(const bench_subject *s, const pliant_state *state, pliant_vec3 *x)
{
    pliant_state_positions(state, s->body, 0, SIDE * SIDE, x);
    return 100 * bench_stretch_of(s, x, 2.0 / (SIDE - 1)) / (2 * SIDE * (SIDE - 1));
}

/* In %; infinite if it diverges; negative after an error. */
static double stretch(const bench_subject *subject, uint32_t substeps, const bench_settings *s, pliant_error *error)
{
    bench_stepper stepper;
    double        sum = 0;
    pliant_vec3  *x = malloc(SIDE * SIDE * sizeof *x);
    bool          good = bench_begin(&stepper, subject, s, s->widths[s->width_count - 1], 1, error);
    if (good && !x) good = bench_fail(error, PLIANT_ERROR_MEMORY, "out of memory");
    stepper.substeps = substeps;
    for (uint32_t f = 0; good && f < FRAMES; f++) {
        if (s->interrupted && s->interrupted()) good = bench_fail(error, PLIANT_ERROR_INTERRUPTED, "interrupted");
        if (good && !bench_step(&stepper, 1)) {
            if (stepper.code != PLIANT_ERROR_DIVERGED) good = bench_stopped(s, "headline", SIDE, stepper.code, error);
            sum = INFINITY;
            break;
        }
        if (good && f >= FRAMES / 2) sum += stretch_now(subject, stepper.state, x);
    }
    free(x);
    bench_end(&stepper);
    return good ? sum / (FRAMES / 2) : -1;
}

/* ---- the headline ---- */

static bool measure_headline(const char *name, bench_shape shape, double goal, const bench_settings *s, const bench_limits *limits,
                             bench_table *table, pliant_error *error)
{
    bench_subject subject;
    uint32_t      substeps = 0;
    double        percent = INFINITY;
    if (!bench_subject_make(&subject, shape, SIDE, s, error)) return false;
    while (percent > goal && percent >= 0 && substeps < MOST_SUBSTEPS) percent = stretch(&subject, ++substeps, s, error);
    bench_row row = bench_row_of(name, SIDE, &subject, "substeps");
    row.value = substeps;
    row.rounds = 1;
    bool good = percent >= 0;
    if (good && percent > goal)
        good = bench_fail(error, PLIANT_ERROR_ARGUMENT, "%s: %u substeps leave a stretch of %.3g %%", name, substeps, percent);
    good = good && bench_add(table, &row, error) && bench_time_frames(name, &subject, substeps, s, limits, table, error);
    bench_subject_free(&subject);
    return good;
}

bool bench_headline(const bench_settings *s, const bench_limits *limits, bench_table *table, pliant_error *error)
{
    return measure_headline("headline_grid", BENCH_GRID_CLOTH, GOAL, s, limits, table, error) &&
           measure_headline("headline_mesh", BENCH_MESH_CLOTH, GOAL, s, limits, table, error);
}

bool bench_tethered(const bench_settings *s, const bench_limits *limits, bench_table *table, pliant_error *error)
{
    return measure_headline("tethered_grid", BENCH_TETHERED, TETHERED_GOAL, s, limits, table, error) &&
           measure_headline("tethered_mesh", BENCH_TETHERED_MESH, TETHERED_GOAL, s, limits, table, error);
}

/* ---- accuracy ---- */

static bool measure_accuracy(const char *name, bench_shape shape, const bench_settings *s, bench_table *table, pliant_error *error)
{
    static const uint32_t substeps[] = {10, 20, 80};
    bench_subject         subject;
    char                  full[32];
    bool                  good = bench_subject_make(&subject, shape, SIDE, s, error);
    if (!good) return false;
    for (uint32_t i = 0; good && i < 3; i++) {
        snprintf(full, sizeof full, "%s_%u", name, substeps[i]);
        bench_row row = bench_row_of(full, SIDE, &subject, "%");
        row.value = stretch(&subject, substeps[i], s, error);
        row.rounds = 1;
        good = row.value >= 0;
        if (good && !isfinite(row.value)) good = bench_fail(error, PLIANT_ERROR_DIVERGED, "%s: a step diverged", full);
        good = good && bench_add(table, &row, error);
    }
    bench_subject_free(&subject);
    return good;
}

bool bench_accuracy(const bench_settings *s, const bench_limits *limits, bench_table *table, pliant_error *error)
{
    (void)limits;
    return measure_accuracy("accuracy_grid", BENCH_GRID_CLOTH, s, table, error) &&
           measure_accuracy("accuracy_mesh", BENCH_MESH_CLOTH, s, table, error);
}
