/* Nanoseconds per constraint and sweep, the whole step included: every width, every number of threads. All of them step the same state from
 * the same start, so they must also come to the same bits. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CASE_SECONDS 10
#define QUICK_SECONDS 1.5

bool bench_step(void *context, uint32_t times)
{
    bench_stepper *s = context;
    s->code = PLIANT_OK;
    for (uint32_t i = 0; i < times && s->code == PLIANT_OK; i++) {
        pliant_inputs_reset(s->inputs, s->dt);
        if (s->substeps || s->iterations) pliant_inputs_substeps(s->inputs, s->substeps, s->iterations);
        s->code = s->many ? pliant_solver_step_many(s->solver, s->many, s->each, s->states, NULL)
                          : pliant_solver_step(s->solver, s->state, s->inputs);
    }
    return s->code == PLIANT_OK;
}

bool bench_rewind(void *context)
{
    bench_stepper *s = context;
    bool           good = pliant_state_copy(s->state, s->start) == PLIANT_OK;
    for (uint32_t i = 1; s->many && i < s->states; i++) good = good && pliant_state_copy(s->many[i], s->start) == PLIANT_OK;
    return good;
}

static bool make_many(bench_stepper *s, const bench_subject *subject, pliant_error *error)
{
    s->states = subject->states;
    s->many = calloc(s->states, sizeof *s->many);
    s->each = malloc(s->states * sizeof *s->each);
    if (!s->many || !s->each) return bench_fail(error, PLIANT_ERROR_MEMORY, "out of memory");
    s->many[0] = s->state;
    for (uint32_t i = 0; i < s->states; i++) {
        s->each[i] = s->inputs;
        if (i && !(s->many[i] = pliant_state_create(subject->model, error))) return false;
    }
    return true;
}

static void free_many(bench_stepper *s)
{
    for (uint32_t i = 1; s->many && i < s->states; i++) pliant_state_destroy(s->many[i]);
    free(s->many);
    free((void *)s->each);
}

bool bench_begin(bench_stepper *s, const bench_subject *subject, const bench_settings *settings, uint32_t width, uint32_t threads,
                 pliant_error *error)
{
    pliant_solver_def d = pliant_solver_def_default();
    d.allocator = settings->allocator;
    d.width = width;
    d.threads = threads;
    d.linear = settings->linear;
    d.many = subject->states > 0;
    d.lean = settings->lean;
    *s = (bench_stepper){.dt = subject->dt};
    s->solver = pliant_solver_create(subject->model, &d, error);
    if (s->solver) s->state = pliant_state_create(subject->model, error);
    if (s->state) s->inputs = pliant_inputs_create(subject->model, error);
    return s->inputs && (!subject->states || make_many(s, subject, error));
}

void bench_end(bench_stepper *s)
{
    free_many(s);
    pliant_solver_destroy(s->solver);
    pliant_state_destroy(s->state);
    pliant_state_destroy(s->start);
    pliant_inputs_destroy(s->inputs);
    *s = (bench_stepper){0};
}

bool bench_stopped(const bench_settings *settings, const char *name, uint32_t size, pliant_code code, pliant_error *error)
{
    if (settings->interrupted && settings->interrupted()) return bench_fail(error, PLIANT_ERROR_INTERRUPTED, "interrupted");
    return bench_fail(error, code == PLIANT_OK ? PLIANT_ERROR_ARGUMENT : code, "%s %u: %s", name, size,
                      code == PLIANT_ERROR_DIVERGED ? "a step diverged" : pliant_code_name(code));
}

typedef struct run {
    bench_variant *variants;
    bench_stepper *steppers;
    uint32_t       count, rounds;
    uint32_t       substeps; /* 0: the model's */
} run;

/* All of them share the first one's state. The last, which is the fastest, takes it to where timing begins. */
static bool make_variants(run *r, const bench_subject *subject, const bench_settings *s, pliant_error *error)
{
    for (uint32_t w = 0; w < s->width_count; w++)
        for (uint32_t t = 0; t < s->thread_count; t++) {
            bench_stepper *p = &r->steppers[r->count], *first = &r->steppers[0];
            bool           made = bench_begin(p, subject, s, s->widths[w], s->threads[t], error);
            if (r->count++ && made) {
                pliant_state_destroy(p->state);
                p->state = first->state;
                if (p->many) p->many[0] = first->state;
            }
            p->substeps = r->substeps;
            if (!made) return false;
        }
    pliant_state *start = pliant_state_create(subject->model, error);
    for (uint32_t i = 0; i < r->count; i++) r->steppers[i].start = start;
    if (!start) return false;
    bench_stepper *last = &r->steppers[r->count - 1];
    if (!bench_step(last, subject->start)) return bench_fail(error, last->code, "a step diverged");
    return pliant_state_copy(start, last->state) == PLIANT_OK;
}

/* Whether all come from one state to one other, to the bit. */
static bool agree(run *r, const bench_settings *s, const char *name, uint32_t size, pliant_error *error)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        double before = bench_now();
        if (!bench_rewind(&r->steppers[i]) || !bench_step(&r->steppers[i], 1))
            return bench_stopped(s, name, size, r->steppers[i].code, error);
        r->variants[i].times = bench_now() - before > 2 * BENCH_LEAST_SECONDS ? 1 : 0;
        uint64_t here = pliant_state_hash(r->steppers[i].state);
#ifndef PLIANT_CONTRACT
        if (i && here != hash)
            return bench_fail(error, PLIANT_ERROR_ARGUMENT, "%s %u: results of width %u and %u threads differ from those of width %u", name,
                              size, s->widths[i / s->thread_count], s->threads[i % s->thread_count], s->widths[0]);
#endif
        hash = here;
    }
    return true;
}

/* ---- rows ---- */

bench_row bench_row_of(const char *name, uint32_t size, const bench_subject *subject, const char *unit)
{
    bench_row row = {.size = size, .particles = pliant_model_particle_count(subject->model), .constraints = subject->constraints};
    snprintf(row.name, sizeof row.name, "%s", name);
    snprintf(row.unit, sizeof row.unit, "%s", unit);
    return row;
}

static bool add_times(const run *r, const char *name, uint32_t size, const bench_subject *subject, const bench_settings *s,
                      const bench_limits *limits, bench_table *table, pliant_error *error)
{
    const double each = 1e9 / (subject->sweeps * (double)subject->constraints);
    bool         good = true;
    for (uint32_t i = 0; good && i < r->count; i++) {
        uint32_t  w = i / s->thread_count, t = i % s->thread_count;
        bench_row row = bench_row_of(name, size, subject, "ns");
        row.width = s->widths[w];
        row.threads = s->threads[t];
        row.rounds = r->rounds;
        row.value = each * r->variants[i].median;
        row.spread = each * r->variants[i].spread;
        if (!subject->states) row.limit = 1e9 * bench_bound(subject, s, limits, w, t, row.limit_name);
        good = bench_add(table, &row, error);
        if (!subject->frames) continue;
        row.limit = 0;
        row.limit_name[0] = 0;
        snprintf(row.unit, sizeof row.unit, "ms");
        row.value = 1e3 * r->variants[i].median;
        row.spread = 1e3 * r->variants[i].spread;
        good = good && bench_add(table, &row, error);
    }
    return good;
}

/* How many times as fast the widest is on several threads as on one. */
static bool add_speedups(const run *r, const char *name, uint32_t size, const bench_subject *subject, const bench_settings *s,
                         bench_table *table, pliant_error *error)
{
    uint32_t             first = (s->width_count - 1) * s->thread_count;
    const bench_variant *one = &r->variants[first];
    for (uint32_t t = 1; t < s->thread_count && s->threads[0] == 1; t++) {
        const bench_variant *many = &r->variants[first + t];
        bench_row            row = bench_row_of(name, size, subject, "times");
        row.width = s->widths[s->width_count - 1];
        row.threads = s->threads[t];
        row.rounds = r->rounds;
        row.value = one->median / many->median;
        row.spread = row.value * hypot(one->spread / one->median, many->spread / many->median);
        row.limit = s->threads[t];
        snprintf(row.limit_name, sizeof row.limit_name, "threads");
        if (!bench_add(table, &row, error)) return false;
    }
    return true;
}

/* The time of compiling, and the size of the model. */
static bool add_model(const char *name, uint32_t size, const bench_subject *subject, bench_table *table, pliant_error *error)
{
    size_t    bytes = 0;
    bench_row row = bench_row_of(name, size, subject, "B");
    pliant_model_data(subject->model, &bytes);
    row.rounds = 1;
    row.value = (double)bytes / (double)subject->constraints;
    if (!bench_add(table, &row, error)) return false;
    snprintf(row.unit, sizeof row.unit, "s/M");
    row.value = 1e6 * subject->compile_seconds / (double)subject->constraints;
    return subject->compile_seconds <= 0 || bench_add(table, &row, error);
}

/* ---- one case ---- */

static void end(run *r)
{
    for (uint32_t i = r->count; i-- > 0;) {
        if (i) r->steppers[i].state = r->steppers[i].state == r->steppers[0].state ? NULL : r->steppers[i].state;
        if (i) r->steppers[i].start = NULL;
        bench_end(&r->steppers[i]);
    }
    free(r->steppers);
    free(r->variants);
}

static bool time_all(run *r, const char *name, uint32_t size, const bench_subject *subject, const bench_settings *s, pliant_error *error)
{
    if (!make_variants(r, subject, s, error) || !agree(r, s, name, size, error)) return false;
    for (uint32_t i = 0; i < r->count; i++)
        r->variants[i] =
            (bench_variant){.prepare = bench_rewind, .run = bench_step, .context = &r->steppers[i], .times = r->variants[i].times};
    r->rounds = bench_rounds(r->variants, r->count, s, s->quick ? QUICK_SECONDS : CASE_SECONDS);
    pliant_code code = PLIANT_OK;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->steppers[i].code != PLIANT_OK) code = r->steppers[i].code;
    return r->rounds || bench_stopped(s, name, size, code, error);
}

bool bench_time_steps(const char *name, uint32_t size, const bench_subject *subject, const bench_settings *s, const bench_limits *limits,
                      bench_table *table, pliant_error *error)
{
    uint32_t most = s->width_count * s->thread_count;
    run      r = {calloc(most, sizeof *r.variants), calloc(most, sizeof *r.steppers), 0, 0, 0};
    bool     good = r.variants && r.steppers;
    if (!good) bench_fail(error, PLIANT_ERROR_MEMORY, "out of memory");
    if (!subject->constraints) good = good && bench_fail(error, PLIANT_ERROR_INPUT, "there are no constraints to time");
    good = good && time_all(&r, name, size, subject, s, error) && add_times(&r, name, size, subject, s, limits, table, error) &&
           add_speedups(&r, name, size, subject, s, table, error) && (subject->states || add_model(name, size, subject, table, error));
    end(&r);
    return good;
}

bool bench_time_frames(const char *name, const bench_subject *subject, uint32_t substeps, const bench_settings *s,
                       const bench_limits *limits, bench_table *table, pliant_error *error)
{
    bench_settings one = *s;
    run            r = {calloc(s->width_count, sizeof *r.variants), calloc(s->width_count, sizeof *r.steppers), 0, 0, 0};
    bool           good = (r.variants && r.steppers) || bench_fail(error, PLIANT_ERROR_MEMORY, "out of memory");
    bench_subject  half = *subject;
    half.start = 60; /* where its stretch counts from */
    one.threads[0] = 1;
    one.thread_count = 1;
    r.substeps = substeps;
    good = good && time_all(&r, name, subject->side, &half, &one, error);
    for (uint32_t w = 0; good && w < s->width_count; w++) {
        bench_row row = bench_row_of(name, subject->side, subject, "ms");
        row.width = s->widths[w];
        row.threads = 1;
        row.rounds = r.rounds;
        row.value = 1e3 * r.variants[w].median;
        row.spread = 1e3 * r.variants[w].spread;
        row.limit =
            s->threads[0] == 1 ? 1e3 * substeps * (double)subject->constraints * bench_bound(subject, s, limits, w, 0, row.limit_name) : 0;
        good = bench_add(table, &row, error);
    }
    end(&r);
    return good;
}
