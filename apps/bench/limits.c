/* The machine's limits, measured in the same run as the cases: how fast it reads and writes memory (triad, at sizes of each
 * cache), how fast particles come through an index into lanes and back, how fast it takes square roots and divides, and how fast the plainest
 * loop over distances is that needs no index.
 *
 * From these comes a lower bound of a constraint's time. For a distance of a grid it is that loop's; on a mesh without order it is a square root and
 * a division, and its two particles through an index. The bound is that, or the time for reading and writing the state once a substep (and, through an index,
 * reading the rows), whichever is longer. */
#include "bench.h"
#include "limits_width.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define DATA 64u /* numbers for roots and ratios: eight of the widest vector, double its width */
#define PARTICLES \
    256u /* of the loop through an index: 4 KB, so that no two of them look alike to a processor that compares the low bits of
                           addresses only */

extern const bench_loops bench_loops_1, bench_loops_4, bench_loops_8, bench_loops_16;

const bench_loops *bench_loops_of(uint32_t width)
{
    switch (width) { /* BENCH_HAS_...: what this build has */
    case 1: return &bench_loops_1;
#ifdef BENCH_HAS_4
    case 4: return &bench_loops_4;
#endif
#ifdef BENCH_HAS_8
    case 8: return &bench_loops_8;
#endif
#ifdef BENCH_HAS_16
    case 16: return &bench_loops_16;
#endif
    default: return NULL;
    }
}

/* ---- one thread: particles through an index, square roots, divisions ---- */

typedef struct loop_run {
    const bench_loops *loops;
    int                what;
    uint32_t           width;
    pliant_real       *data;
    uint32_t          *index;
} loop_run;

enum { TURN, ROOTS, RATIOS, STRIPS, VOLUMES, LOOP_KINDS };

static bool run_loop(void *context, uint32_t times)
{
    const loop_run *r = context;
    for (uint32_t t = 0; t < times; t++) {
        if (r->what == TURN) r->loops->turn(r->data, r->index, PARTICLES);
        if (r->what == ROOTS) r->loops->roots(r->data, 512);
        if (r->what == RATIOS) r->loops->ratios(r->data, 512);
        if (r->what == STRIPS) r->loops->strips(r->data);
        if (r->what == VOLUMES) r->loops->volumes(r->data);
    }
    return true;
}

static void shuffle(uint32_t *index, uint32_t count)
{
    uint32_t seed = 2463534242u;
    for (uint32_t i = 0; i < count; i++) index[i] = i;
    for (uint32_t i = count; i-- > 1;) {
        seed ^= seed << 13, seed ^= seed >> 17, seed ^= seed << 5;
        uint32_t k = seed % (i + 1), swap = index[i];
        index[i] = index[k];
        index[k] = swap;
    }
}

static bool add_loop(const bench_settings *s, const bench_variant *v, uint32_t rounds, bench_limits *limits, bench_table *table, uint32_t w,
                     int what, pliant_error *error)
{
    static const char *const names[] = {"slot", "sqrt", "divide", "strip", "volume"};
    static const char *const units[] = {"ns/lane", "ns/vector", "ns/vector", "ns/row", "ns/row"};
    const uint32_t           pers[] = {PARTICLES, 512, 512, BENCH_STRIPS * s->widths[w], BENCH_VOLUMES * s->widths[w]}, per = pers[what];
    double                   seconds = v->median / per; /* of a particle, a vector, or a row */
    bench_row row = {.width = s->widths[w], .threads = 1, .value = 1e9 * seconds, .spread = 1e9 * v->spread / per, .rounds = rounds};
    snprintf(row.name, sizeof row.name, "limit_%s", names[what]);
    snprintf(row.unit, sizeof row.unit, "%s", units[what]);
    if (what == TURN) limits->slot[w] = seconds;
    if (what == ROOTS) limits->root[w] = seconds / s->widths[w];
    if (what == RATIOS) limits->ratio[w] = seconds / s->widths[w];
    if (what == STRIPS) limits->strip[w] = seconds;
    if (what == VOLUMES) limits->volume[w] = seconds;
    return bench_add(table, &row, error);
}

static bool measure_loops(const bench_settings *s, bench_limits *limits, bench_table *table, pliant_error *error)
{
    static bench_variant v[LOOP_KINDS * BENCH_MOST_LIST];
    loop_run             runs[LOOP_KINDS * BENCH_MOST_LIST];
    static pliant_real   positions[4 * PARTICLES] __attribute__((aligned(64))), data[LOOP_KINDS * BENCH_MOST_LIST][2 * DATA];
    static pliant_real   groups[2][BENCH_GROUPS * 64] __attribute__((aligned(64))); /* of the widest; of strips and of volumes */
    uint32_t             index[PARTICLES], count = 0;
    shuffle(index, PARTICLES);
    memset(positions, 0, sizeof positions);
    for (uint32_t i = 0; i < BENCH_GROUPS * 64; i++) groups[0][i] = groups[1][i] = (pliant_real)(1 + 0.01 * (i * 37 % 101));
    for (uint32_t w = 0; w < s->width_count; w++)
        for (int what = 0; what < LOOP_KINDS; what++, count++) {
            for (uint32_t i = 0; i < 2 * DATA; i++) data[count][i] = (pliant_real)(1 + 0.01 * i);
            runs[count] = (loop_run){bench_loops_of(s->widths[w]), what, s->widths[w],
                                     what == TURN      ? positions
                                     : what == STRIPS  ? groups[0]
                                     : what == VOLUMES ? groups[1]
                                                       : data[count],
                                     index};
            if (!runs[count].loops) return bench_fail(error, PLIANT_ERROR_UNAVAILABLE, "there are no loops of width %u", s->widths[w]);
            v[count] = (bench_variant){.run = run_loop, .context = &runs[count]};
        }
    uint32_t rounds = bench_rounds(v, count, s, 2);
    if (!rounds) return bench_fail(error, PLIANT_ERROR_INTERRUPTED, "interrupted");
    for (uint32_t i = 0; i < count; i++)
        if (!add_loop(s, &v[i], rounds, limits, table, i / LOOP_KINDS, (int)(i % LOOP_KINDS), error)) return false;
    return true;
}

/* ---- all threads: triad ---- */

enum { TRIAD_ROUNDS = 9 };

typedef struct triad_team {
    const bench_loops *loops;
    size_t             count; /* numbers in each of a thread's three arrays */
    uint32_t           threads, passes, rounds;
    _Atomic uint32_t   ready;
    _Atomic bool       failed;
} triad_team;

typedef struct triad_member {
    triad_team *team;
    pthread_t   thread;
    double      seconds[TRIAD_ROUNDS]; /* of one pass */
} triad_member;

/* Arrays of its own, touched by itself first. All begin each round when all are ready. */
static void *triad_thread(void *given)
{
    triad_member *m = given;
    triad_team   *t = m->team;
    size_t        n = (t->count + 15) / 16 * 16;
    pliant_real  *a = aligned_alloc(64, 3 * n * sizeof *a);
    for (size_t i = 0; a && i < 3 * n; i++) a[i] = (pliant_real)1.5;
    if (a) t->loops->triad(a, a + n, a + 2 * n, 2, n);
    if (!a) atomic_store(&t->failed, true);
    for (uint32_t r = 0; r < t->rounds; r++) {
        atomic_fetch_add(&t->ready, 1);
        while (atomic_load(&t->ready) < t->threads * (r + 1)) {
        }
        double begin = bench_now();
        for (uint32_t p = 0; a && p < t->passes; p++) t->loops->triad(a, a + n, a + 2 * n, (pliant_real)(p & 1), n);
        m->seconds[r] = (bench_now() - begin) / t->passes;
    }
    free(a);
    return NULL;
}

/* Bytes a second of all threads together in each round, two reads and a write for each number. False: no memory, or no threads. */
static bool run_triad(triad_team *team, double *rates)
{
    triad_member members[64];
    uint32_t     made = 0;
    for (; made < team->threads; made++) {
        members[made] = (triad_member){.team = team};
        if (made && pthread_create(&members[made].thread, NULL, triad_thread, &members[made]) != 0) break;
    }
    if (made < team->threads) {
        atomic_store(&team->failed, true);
        atomic_fetch_add(&team->ready, team->threads * team->rounds); /* so that no thread waits for those that were not made */
    }
    triad_thread(&members[0]);
    for (uint32_t i = 1; i < made; i++) pthread_join(members[i].thread, NULL);
    for (uint32_t r = 0; r < team->rounds; r++) {
        rates[r] = 0;
        for (uint32_t i = 0; i < made; i++) rates[r] += 3.0 * sizeof(pliant_real) * (double)team->count / members[i].seconds[r];
    }
    return !atomic_load(&team->failed);
}

/* Half a cache, or twice the largest and at least 64 MB. L1 and L2 are each thread's own. */
static size_t triad_bytes(const bench_machine *m, int level, uint32_t threads)
{
    size_t most = 2 * m->caches[BENCH_L3] > (64u << 20) ? 2 * m->caches[BENCH_L3] : 64u << 20;
    if (level == BENCH_DRAM) return most / threads;
    return m->caches[level] / 2 / (level == BENCH_L3 ? threads : 1);
}

static bool measure_triad(const bench_settings *s, uint32_t thread, int level, bench_limits *limits, bench_table *table,
                          pliant_error *error)
{
    uint32_t   width = s->widths[s->width_count - 1], rounds = s->quick ? 5 : TRIAD_ROUNDS, threads = s->threads[thread];
    size_t     bytes = triad_bytes(&s->machine, level, threads);
    double     rates[TRIAD_ROUNDS];
    triad_team team = {.loops = bench_loops_of(width), .threads = threads, .rounds = rounds};
    team.count = bytes / 3 / sizeof(pliant_real) / 16 * 16;
    team.passes = (uint32_t)(1 + (16u << 20) / bytes);
    if (!run_triad(&team, rates)) return bench_fail(error, PLIANT_ERROR_MEMORY, "out of memory or threads for the triad");
    if (s->interrupted && s->interrupted()) return bench_fail(error, PLIANT_ERROR_INTERRUPTED, "interrupted");
    double    median = bench_median(rates, rounds);
    bench_row row = {.width = width, .threads = threads, .value = 1e-9 * median, .rounds = rounds, .unit = "GB/s"};
    row.spread = 1e-9 * bench_spread(rates, rounds, median);
    snprintf(row.name, sizeof row.name, "limit_triad_%s", bench_level_names[level]);
    limits->byte[thread][level] = 1 / median;
    return bench_add(table, &row, error);
}

bool bench_measure_limits(const bench_settings *s, bench_limits *limits, bench_table *table, pliant_error *error)
{
    *limits = (bench_limits){0};
    for (uint32_t t = 0; t < s->thread_count; t++)
        for (int level = 0; level < BENCH_LEVELS; level++)
            if (!measure_triad(s, t, level, limits, table, error)) return false;
    return measure_loops(s, limits, table, error);
}

/* ---- bounds ---- */

/* The least time of one constraint of a kind: square roots and divisions; of a distance or a volume without an index the whole plainest loop. Of
 * other kinds only a division counts, for the multiplier. */
static double needs(pliant_constraint_kind kind, const bench_limits *l, uint32_t w, bool gathers)
{
    const uint32_t flags = pliant_constraint_describe(kind)->flags;
    const bool     root = flags & (PLIANT_ROW_LENGTH | PLIANT_ROW_IN_TURN) || kind == PLIANT_CONSTRAINT_TRIANGLE_AREA;
    if (!gathers && kind == PLIANT_CONSTRAINT_DISTANCE) return l->strip[w];
    if (!gathers && kind == PLIANT_CONSTRAINT_TET_VOLUME) return l->volume[w];
    return l->ratio[w] + (root ? l->root[w] : 0);
}

int bench_level_of(const bench_machine *m, double bytes, uint32_t threads)
{
    for (int level = 0; level < BENCH_DRAM; level++)
        if (bytes <= (double)m->caches[level] * (level < BENCH_L3 ? threads : 1)) return level;
    return BENCH_DRAM;
}

double bench_bound(const bench_subject *subject, const bench_settings *s, const bench_limits *l, uint32_t width, uint32_t thread,
                   char name[24])
{
    double compute = 0, rows = 0, threads = s->threads[thread];
    for (int k = 0; k < PLIANT_CONSTRAINT_COUNT; k++) {
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)k);
        double                        count = pliant_model_constraint_count(subject->model, (pliant_constraint_kind)k);
        compute +=
            count * (needs((pliant_constraint_kind)k, l, width, subject->gathers) + (subject->gathers ? info->slots * l->slot[width] : 0));
        if (subject->gathers) rows += count * (4.0 * info->slots + sizeof(pliant_real) * info->parameter_count);
    }
    double state = (double)pliant_model_state_size(subject->model);
    int    level = bench_level_of(&s->machine, state + rows, s->threads[thread]);
    double memory = (2 * state + rows) * l->byte[thread][level];
    compute /= threads;
    if (compute >= memory)
        snprintf(name, 24, "%s", subject->gathers ? "slots+sqrt+divide" : "strips");
    else
        snprintf(name, 24, "memory %s", bench_level_names[level]);
    return (compute > memory ? compute : memory) / (double)subject->constraints;
}
