/* Whole frames with contacts, as an engine steps them: 60 Hz, ten substeps of one iteration, sheets, capes, folds and towels of six distances per
 * particle. Each time stands beside the bound of the same frame, from the machine's limits in the same run, beside how many rows contacts had, and
 * beside what is left unsolved: stretch, penetration, crossings. docs/bench.md says what the rows are.
 *
 *   pliant_bench --frames [--quick | --least] [--csv FILE]
 *
 * Times are the processor's on one thread; of two threads the clock's, beside the same on one thread. */
#include "frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct report {
    bench_settings settings; /* the widest lanes, or PLIANT_WIDTH; one thread and two */
    bench_limits   limits;
    bench_table    table;
} report;

static void check(bool good, const pliant_error *error)
{
    if (!good) stop(error);
}

/* ---- bounds ---- */

static uint32_t substeps_of(const frames_run *run) { return run->stepper.substeps ? run->stepper.substeps : BENCH_SUBSTEPS; }

/* The least time of a frame on one thread, s: that of its constraints as in pliant bench; then, in each substep, reading and writing each particle once for contacts,
 * and testing each row of a contact once, with its particles through an index, a square root and a division. */
static double bound_of(const report *r, const frames_run *run)
{
    const bench_subject *s = &run->of->subject;
    const bench_limits  *l = &r->limits;
    const double states = s->states ? s->states : 1, bytes = (double)pliant_model_state_size(s->model), row = l->root[0] + l->ratio[0];
    char         name[24];
    const double constraints = (double)s->constraints * bench_bound(s, &r->settings, l, 0, 0, name);
    const double particles = 2 * bytes * l->byte[0][bench_level_of(&r->settings.machine, bytes, 1)];
    const double rows = run->contacts * (row + l->slot[0]) + run->pairs * (row + 4 * l->slot[0]);
    return substeps_of(run) * (states * (constraints + particles) + rows);
}

/* ---- figures ---- */

static bench_row row_of(const report *r, const char *name, uint32_t size, const frames_run *run, const char *unit, uint32_t rounds)
{
    const bench_subject *s = &run->of->subject;
    bench_row            row = bench_row_of(name, size, s, unit);
    if (s->states) row.particles *= s->states, row.constraints *= s->states;
    row.width = r->settings.widths[0];
    row.threads = run->threads;
    row.rounds = rounds;
    return row;
}

/* Fills in the median and the spread of rounds. */
static void take(bench_row *row, const double *values, double unit)
{
    double all[FRAMES_MOST_ROUNDS];
    for (uint32_t i = 0; i < row->rounds; i++) all[i] = unit * values[i];
    row->value = bench_median(all, row->rounds);
    row->spread = bench_spread(all, row->rounds, row->value);
}

static void add(report *r, const bench_row *row)
{
    pliant_error error = {0};
    check(bench_add(&r->table, row, &error), &error);
}

/* A figure of the end of a run, which has no noise. */
static void add_end(report *r, const char *name, uint32_t size, const frames_run *run, const char *unit, double value)
{
    bench_row row = row_of(r, name, size, run, unit, 1);
    row.value = value;
    add(r, &row);
}

static void print_head(void)
{
    printf("\nframes of 60 Hz, %u substeps of 1 iteration, one thread, ms of the processor: the mean over frames, of rounds the median; "
           "beside\n"
           "the bound of the same frame; contacts with colliders and pairs of cloth in a substep, means; of structural edges the mean "
           "stretch, the\n"
           "deepest penetration, crossings, and the mean speed, at the end\n%-29s %5s %9s %8s %8s %7s %9s %9s %8s %8s %5s %7s\n",
           (unsigned)BENCH_SUBSTEPS, "", "size", "ms", "spread", "bound", "times", "contacts", "pairs", "stretch", "depth", "cross",
           "mm/s");
}

/* A line of the table, and its rows of the file. */
static void report_run(report *r, const char *name, uint32_t size, const frames_run *run, uint32_t rounds)
{
    const frames_quality q = frames_look(run);
    bench_row            row = row_of(r, name, size, run, "ms", rounds);
    take(&row, run->seconds, 1e3);
    row.limit = 1e3 * bound_of(r, run);
    snprintf(row.limit_name, sizeof row.limit_name, "constraints+contacts");
    add(r, &row);
    add_end(r, name, size, run, "%", q.stretch);
    add_end(r, name, size, run, "mm", q.penetration);
    if (run->of->self_contact) add_end(r, name, size, run, "crossings", q.crossings);
    char crossings[16] = "-";
    if (run->of->self_contact) snprintf(crossings, sizeof crossings, "%u", q.crossings);
    printf("%-29s %5u %9.3f %8.2g %8.3f %7.2f %9.1f %9.1f %7.3f%% %6.2fmm %5s %7.1f\n", name, size, row.value, row.spread, row.limit,
           bench_ratio(&row), run->contacts, run->pairs, q.stretch, q.penetration, crossings, q.speed);
    fflush(stdout);
}

/* How many times as long a run takes as another one that took turns with it. */
static void report_ratio(report *r, const char *name, uint32_t size, const frames_run *run, const frames_run *other, uint32_t rounds)
{
    bench_row row = row_of(r, name, size, run, "x", rounds);
    double    ratios[FRAMES_MOST_ROUNDS];
    for (uint32_t i = 0; i < rounds; i++) ratios[i] = run->seconds[i] / other->seconds[i];
    take(&row, ratios, 1);
    add(r, &row);
    printf("%-29s %5u %9.3f times %s\n", name, size, row.value, "the frame of the same cloth that does not meet itself");
    fflush(stdout);
}

/* How many times as fast a run on two threads is as one on one thread, by the clock, of each frame the shortest of all rounds; beside what two threads
 * give a triad in the cache that holds a state. */
static void report_threads(report *r, const char *name, uint32_t size, const frames_run *one, const frames_run *two, uint32_t rounds)
{
    const double bytes = (double)pliant_model_state_size(one->of->subject.model);
    const int    level = bench_level_of(&r->settings.machine, bytes, 1);
    bench_row    row = row_of(r, name, size, two, "times", rounds);
    double       ratios[FRAMES_MOST_ROUNDS];
    for (uint32_t i = 0; i < rounds; i++) ratios[i] = one->wall[i] / two->wall[i];
    take(&row, ratios, 1);
    row.value = one->least / two->least;
    row.limit =
        fmin(r->limits.byte[0][level] / r->limits.byte[1][level], 2); /* more is another share of the cache, or a bad moment of one */
    snprintf(row.limit_name, sizeof row.limit_name, "triad %s", bench_level_names[level]);
    add(r, &row);
    printf("%-29s %5u %9.3f times as fast on two threads; a triad of two threads in %s %.3f times\n", name, size, row.value,
           bench_level_names[level], row.limit);
    fflush(stdout);
}

/* ---- a mesh at the stretch of a grid ---- */

enum { MOST_SUBSTEPS = 99 };

static bool stretches_at_most(frames_run *run, uint32_t substeps, uint32_t frames, double most)
{
    run->stepper.substeps = substeps;
    frames_try(run, frames, false);
    return frames_stretch(run) <= most;
}

/* The substeps, BENCH_SUBSTEPS or more, with which so many frames leave `mesh` a mean stretch of no more than BENCH_SUBSTEPS leave `grid`, while one
 * substep fewer leaves more. The search begins where a stretch that falls with the square of substeps is equal. The starts of both stay. */
static uint32_t substeps_at_equal_stretch(frames_run *mesh, frames_run *grid, uint32_t frames)
{
    frames_try(grid, frames, false);
    const double most = frames_stretch(grid);
    frames_try(mesh, frames, false);
    const uint32_t guess = (uint32_t)(BENCH_SUBSTEPS * sqrt(frames_stretch(mesh) / most) + 0.5);
    uint32_t       n = guess < BENCH_SUBSTEPS ? BENCH_SUBSTEPS : guess > MOST_SUBSTEPS ? MOST_SUBSTEPS : guess;
    bool           enough = stretches_at_most(mesh, n, frames, most);
    if (enough)
        while (n > BENCH_SUBSTEPS && stretches_at_most(mesh, n - 1, frames, most)) n--;
    while (!enough && n < MOST_SUBSTEPS) enough = stretches_at_most(mesh, ++n, frames, most);
    if (!enough) stop(&(pliant_error){.message = "a mesh stretches more than a grid with any substeps"});
    return n;
}

static void report_equal(report *r, const char *name, uint32_t size, const frames_run *run, uint32_t rounds)
{
    report_run(r, name, size, run, rounds);
    add_end(r, name, size, run, "substeps", substeps_of(run));
    printf("%-29s %5u %9u substeps, the least with a stretch of no more than the grid's\n", name, size, substeps_of(run));
}

/* ---- a sheet on a ball and a floor ---- */

enum { SHEET_RUNS = 4, SHEET_EQUAL = 4 };

/* Grid and mesh, on one thread and on two, and, where `equal`, the mesh at the grid's stretch, by turns. */
static void measure_sheets(report *r, uint32_t side, uint32_t frames, uint32_t rounds, bool equal)
{
    static const char *const names[] = {"frame_sheet_grid", "frame_sheet_mesh"};
    const uint32_t           count = SHEET_RUNS + equal;
    frames_subject           subjects[2];
    frames_run               runs[SHEET_RUNS + 1];
    for (uint32_t i = 0; i < 2; i++) {
        subjects[i] = frames_make(&(frames_scene){.kind = FRAMES_SHEET, .side = side, .mesh = i}, 0);
        for (uint32_t t = 0; t < 2; t++) runs[2 * i + t] = frames_begin(&subjects[i], &r->settings, t + 1);
    }
    if (equal) {
        runs[SHEET_EQUAL] = frames_begin(&subjects[1], &r->settings, 1);
        runs[SHEET_EQUAL].stepper.substeps = substeps_at_equal_stretch(&runs[2], &runs[0], frames);
        runs[2].stepper.substeps = 0;
    }
    frames_turns(runs, count, frames, rounds);
    for (int i = 0; i < 2; i++) report_run(r, names[i], side, &runs[2 * i], rounds);
    if (equal) report_equal(r, "frame_sheet_mesh_equal", side, &runs[SHEET_EQUAL], rounds);
    for (int i = 0; i < 2; i++) report_threads(r, names[i], side, &runs[2 * i], &runs[2 * i + 1], rounds);
    for (uint32_t i = 0; i < count; i++) frames_end(&runs[i]);
    for (int i = 0; i < 2; i++) bench_subject_free(&subjects[i].subject);
}

/* ---- capes ---- */

enum {
    CAPES_BEGIN = 30 /* frames before those that are timed */,
    SOUGHT_CAPES = 20 /* of those in a scene, for the substeps that all need */
};

static frames_subject make_capes(uint32_t capes, bool mesh, uint32_t states)
{
    return frames_make(&(frames_scene){.kind = FRAMES_CAPES, .side = 24, .capes = capes, .mesh = mesh}, states);
}

/* Of so many capes in one scene; of one, for states: each of these has the bits of a step of its own. */
static uint32_t equal_substeps_of_capes(const report *r, uint32_t capes, uint32_t frames)
{
    frames_subject subjects[2];
    frames_run     runs[2];
    for (int i = 0; i < 2; i++) {
        subjects[i] = make_capes(capes, i, 0);
        runs[i] = frames_begin(&subjects[i], &r->settings, 1);
    }
    const uint32_t substeps = substeps_at_equal_stretch(&runs[1], &runs[0], frames);
    for (int i = 0; i < 2; i++) {
        frames_end(&runs[i]);
        bench_subject_free(&subjects[i].subject);
    }
    return substeps;
}

/* As states of a model with one cape, and all in one scene; grids, meshes, and meshes at the grids' stretch; by turns. */
static void measure_capes(report *r, uint32_t capes, uint32_t frames, uint32_t rounds)
{
    enum { STATES_GRID, STATES_MESH, SCENE_GRID, SCENE_MESH, STATES_EQUAL, SCENE_EQUAL, RUNS };
    static const char *const names[RUNS] = {"frame_capes_states_grid", "frame_capes_states_mesh",       "frame_capes_scene_grid",
                                            "frame_capes_scene_mesh",  "frame_capes_states_mesh_equal", "frame_capes_scene_mesh_equal"};
    frames_subject           subjects[STATES_EQUAL];
    frames_run               runs[RUNS];
    for (int i = 0; i < STATES_EQUAL; i++) subjects[i] = make_capes(i < SCENE_GRID ? 1 : capes, i % 2, i < SCENE_GRID ? capes : 0);
    for (int i = 0; i < RUNS; i++) {
        static const int of[RUNS] = {STATES_GRID, STATES_MESH, SCENE_GRID, SCENE_MESH, STATES_MESH, SCENE_MESH};
        runs[i] = frames_begin(&subjects[of[i]], &r->settings, 1);
    }
    runs[STATES_EQUAL].stepper.substeps = equal_substeps_of_capes(r, 1, CAPES_BEGIN + frames);
    runs[SCENE_EQUAL].stepper.substeps = equal_substeps_of_capes(r, capes < SOUGHT_CAPES ? capes : SOUGHT_CAPES, CAPES_BEGIN + frames);
    for (int i = 0; i < RUNS; i++) frames_advance(&runs[i], CAPES_BEGIN, false);
    frames_turns(runs, RUNS, frames, rounds);
    for (int i = 0; i < STATES_EQUAL; i++) report_run(r, names[i], capes, &runs[i], rounds);
    for (int i = STATES_EQUAL; i < RUNS; i++) report_equal(r, names[i], capes, &runs[i], rounds);
    for (int i = 0; i < RUNS; i++) frames_end(&runs[i]);
    for (int i = 0; i < STATES_EQUAL; i++) bench_subject_free(&subjects[i].subject);
}

/* ---- cloth that meets itself ---- */

enum { ITSELF, ALONE, TWO_THREADS, CLOTHS };

typedef struct trial {
    const char *name; /* of its rows, to which what it does is added */
    uint32_t    size;
    uint32_t    frames, rounds;               /* while it falls */
    uint32_t    settles, lying, lying_rounds; /* frames until it lies; frames as it lies */
    bool        threads;                      /* two threads are timed too */
} trial;

static void report_trial(report *r, const trial *t, const char *what, const frames_run *runs, uint32_t rounds)
{
    char name[32], alone[32];
    snprintf(name, sizeof name, "%s_%s", t->name, what);
    snprintf(alone, sizeof alone, "%s_%s_alone", t->name, what);
    report_run(r, name, t->size, &runs[ITSELF], rounds);
    report_run(r, alone, t->size, &runs[ALONE], rounds);
    report_ratio(r, name, t->size, &runs[ITSELF], &runs[ALONE], rounds);
    if (t->threads) report_threads(r, name, t->size, &runs[ITSELF], &runs[TWO_THREADS], rounds);
}

/* The same cloth that meets itself and one that does not, by turns, while it falls and where it lies. */
static void measure_trial(report *r, const trial *t, frames_scene scene)
{
    const uint32_t count = t->threads ? CLOTHS : TWO_THREADS;
    frames_subject subjects[2];
    frames_run     runs[CLOTHS];
    for (int i = ITSELF; i <= ALONE; i++) {
        scene.self_contact = i == ITSELF;
        subjects[i] = frames_make(&scene, 0);
        runs[i] = frames_begin(&subjects[i], &r->settings, 1);
    }
    if (t->threads) runs[TWO_THREADS] = frames_begin(&subjects[ITSELF], &r->settings, 2);
    frames_turns(runs, count, t->frames, t->rounds);
    report_trial(r, t, "falls", runs, t->rounds);
    for (int i = ITSELF; i <= ALONE; i++) frames_advance(&runs[i], t->settles, true);
    if (t->threads) frames_start_as(&runs[TWO_THREADS], &runs[ITSELF]);
    frames_turns(runs, count, t->lying, t->lying_rounds);
    report_trial(r, t, "lies", runs, t->lying_rounds);
    for (uint32_t i = 0; i < count; i++) frames_end(&runs[i]);
    for (int i = ITSELF; i <= ALONE; i++) bench_subject_free(&subjects[i].subject);
}

/* ---- two threads with little to do ---- */

typedef struct small {
    const char  *name;
    uint32_t     size;
    frames_scene scene;
    bool         lies; /* timed where the cloth lies; else from the start */
} small;

/* Scenes of a thousand particles to five thousand. */
static const small smalls[] = {
    {"frame_small_sheet", 32, {.kind = FRAMES_SHEET, .side = 32}, false},
    {"frame_small_sheet", 45, {.kind = FRAMES_SHEET, .side = 45}, false},
    {"frame_small_sheet", 71, {.kind = FRAMES_SHEET, .side = 71}, false},
    {"frame_small_capes", 2, {.kind = FRAMES_CAPES, .side = 24, .capes = 2}, false},
    {"frame_small_capes", 4, {.kind = FRAMES_CAPES, .side = 24, .capes = 4}, false},
    {"frame_small_capes", 9, {.kind = FRAMES_CAPES, .side = 24, .capes = 9}, false},
    {"frame_small_fold_falls", 64, {.kind = FRAMES_FOLD, .side = 64, .self_contact = true}, false},
    {"frame_small_fold_lies", 64, {.kind = FRAMES_FOLD, .side = 64, .self_contact = true}, true},
};

/* One thread and two, by turns. */
static void measure_small(report *r, const small *of, uint32_t frames, uint32_t rounds, uint32_t settles)
{
    frames_subject subject = frames_make(&of->scene, 0);
    frames_run     runs[2];
    for (uint32_t t = 0; t < 2; t++) runs[t] = frames_begin(&subject, &r->settings, t + 1);
    if (of->lies) {
        frames_advance(&runs[0], settles, true);
        frames_start_as(&runs[1], &runs[0]);
    }
    frames_turns(runs, 2, frames, rounds);
    report_threads(r, of->name, of->size, &runs[0], &runs[1], rounds);
    for (int t = 0; t < 2; t++) frames_end(&runs[t]);
    bench_subject_free(&subject.subject);
}

/* ---- memory ---- */

/* `live` bytes are taken; each block has its size in the 64 before it. */
static void *counted_alloc(size_t bytes, size_t align, void *live)
{
    (void)align; /* at most 64 */
    char *memory = aligned_alloc(64, (bytes + 127) / 64 * 64);
    if (!memory) return NULL;
    memcpy(memory, &bytes, sizeof bytes);
    *(size_t *)live += bytes;
    return memory + 64;
}

static void counted_release(void *memory, void *live)
{
    size_t bytes;
    if (!memory) return;
    memcpy(&bytes, (char *)memory - 64, sizeof bytes);
    *(size_t *)live -= bytes;
    free((char *)memory - 64);
}

/* Model, state and solver of a hanging cloth, once it has stepped; `lean`: the solver is. */
static void measure_bytes(report *r, const char *name, bench_shape shape, uint32_t side, bool lean)
{
    size_t         live = 0, model = 0;
    bench_settings counted = r->settings;
    bench_subject  subject;
    bench_stepper  stepper;
    pliant_error   error = {0};
    counted.lean = lean;
    counted.allocator = (pliant_allocator){.alloc = counted_alloc, .release = counted_release, .context = &live};
    check(bench_subject_make(&subject, shape, side, &counted, &error), &error);
    check(bench_begin(&stepper, &subject, &counted, counted.widths[0], 1, &error) && bench_step(&stepper, 1), &error);
    pliant_model_data(subject.model, &model);
    bench_row    row = bench_row_of(name, side, &subject, "B/particle");
    const double state = (double)pliant_model_state_size(subject.model), particles = (double)row.particles;
    row.width = counted.widths[0];
    row.threads = 1;
    row.rounds = 1;
    row.value = (double)live / particles;
    add(r, &row);
    printf("%-29s %5u %9.1f bytes a particle: model %.1f, state %.1f, solver and inputs %.1f\n", name, side, row.value,
           (double)model / particles, state / particles, ((double)(live - model) - state) / particles);
    bench_end(&stepper);
    bench_subject_free(&subject);
}

/* ---- all ---- */

static void keep_least(double *least, const double *now, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) least[i] = fmin(least[i], now[i]);
}

/* The machine's limits, several times over: a limit is the least that was seen. */
static void measure_limits(report *r, uint32_t times)
{
    bench_limits *least = &r->limits;
    for (uint32_t i = 0; i < times; i++) {
        pliant_error error = {0};
        bench_limits now;
        check(bench_measure_limits(&r->settings, &now, &r->table, &error), &error);
        if (!i) *least = now;
        keep_least(least->slot, now.slot, 1);
        keep_least(least->root, now.root, 1);
        keep_least(least->ratio, now.ratio, 1);
        keep_least(least->strip, now.strip, 1);
        keep_least(least->volume, now.volume, 1);
        for (int t = 0; t < 2; t++) keep_least(least->byte[t], now.byte[t], BENCH_LEVELS);
    }
    r->table.count = 0; /* pliant bench has them among its own figures */
}

static void set_up(report *r, bool quick)
{
    pliant_build_info build = pliant_build();
    const char       *chosen = getenv("PLIANT_WIDTH");
    bench_settings   *s = &r->settings;
    *s = (bench_settings){.machine = bench_machine_here(),
                          .widths = {1},
                          .width_count = 1,
                          .threads = {1, 2},
                          .thread_count = 2,
                          .rounds = 9,
                          .quick = quick};
    for (uint32_t w = 0; w < build.width_count; w++)
        if (build.runs[w]) s->widths[0] = build.widths[w];
    if (chosen && atoi(chosen) > 0) s->widths[0] = (uint32_t)atoi(chosen);
}

/* How much is measured: vertices along an edge, frames, rounds. */
typedef struct scale {
    uint32_t limits; /* how often the machine's limits are measured */
    uint32_t sheet, sheet_frames, sheet_rounds;
    uint32_t large, large_frames; /* a second sheet; 0: none */
    uint32_t capes, capes_frames;
    uint32_t fold, fold_frames, fold_rounds;
    uint32_t towel_frames;
    uint32_t settles; /* frames until folds and towels lie */
    uint32_t rounds;  /* of all others */
    uint32_t small_frames, small_rounds;
    uint32_t bytes; /* of the cloth that bytes are of */
} scale;

static const scale scales[] = {
    [FRAMES_FULL] = {2, 100, 120, 5, 255, 60, 200, 40, 128, 60, 2, 120, 300, 3, 40, 3, 255},
    [FRAMES_QUICK] = {2, 100, 120, 2, 0, 0, 20, 40, 64, 60, 1, 120, 300, 2, 40, 2, 255},
    [FRAMES_LEAST] = {1, 24, 30, 1, 0, 0, 2, 10, 24, 30, 1, 10, 10, 1, 5, 1, 32},
};

void bench_frames(frames_scale which, const char *csv)
{
    static const struct towel {
        const char *name;
        double      thickness; /* m */
    } towels[] = {{"frame_towel_5mm", 0.005}, {"frame_towel_15mm", 0.015}};
    const scale *s = &scales[which];
    report       r = {0};
    pliant_error error = {0};
    if (csv)
        check(bench_write_csv(csv, &r.table, &error), &error); /* a path that cannot be written is refused before minutes have gone by */
    set_up(&r, which != FRAMES_FULL);
    measure_limits(&r, s->limits);
    print_head();
    measure_sheets(&r, s->sheet, s->sheet_frames, s->sheet_rounds, true);
    if (s->large) measure_sheets(&r, s->large, s->large_frames, s->rounds, false);
    measure_capes(&r, s->capes, s->capes_frames, s->rounds);
    measure_trial(&r, &(trial){"frame_fold", s->fold, s->fold_frames, s->fold_rounds, s->settles, 20, 3, true},
                  (frames_scene){.kind = FRAMES_FOLD, .side = s->fold});
    for (int i = 0; i < 2; i++)
        measure_trial(&r, &(trial){towels[i].name, 30, s->towel_frames, s->rounds, s->settles, 30, 3, false},
                      (frames_scene){.kind = FRAMES_TOWEL, .side = 31, .thickness = towels[i].thickness});
    for (size_t i = 0; i < sizeof smalls / sizeof *smalls; i++) measure_small(&r, &smalls[i], s->small_frames, s->small_rounds, s->settles);
    measure_bytes(&r, "frame_bytes_grid", BENCH_GRID_CLOTH, s->bytes, false);
    measure_bytes(&r, "frame_bytes_grid_lean", BENCH_GRID_CLOTH, s->bytes, true);
    measure_bytes(&r, "frame_bytes_mesh", BENCH_MESH_CLOTH, s->bytes, false);
    measure_bytes(&r, "frame_bytes_mesh_lean", BENCH_MESH_CLOTH, s->bytes, true);
    printf("the least substeps of a hanging mesh of 64 x 64 at a stretch of 0.25 %%, and their frame: pliant bench --cases headline\n");
    if (csv) check(bench_write_csv(csv, &r.table, &error), &error);
    bench_free(&r.table);
}
