/* The same cloth and the same soft body in Pliant and in Bullet, in one process, taking turns: one step of 20 iterations, one thread, ns per
 * constraint and iteration, the whole step included.
 *
 *   pliant_bench_bullet [--quick] [--repeat N] [--csv FILE]
 *
 * Bullet gets the points, masses and distances of Pliant's compiled model, in its own order. It has no volumes of tetrahedra among its positional
 * constraints: of the soft body it solves the edges alone. */
#include "bench/bench.h"
#include "peer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ITERATIONS 20u
#define SECONDS 6
#define MOST_VARIANTS 9

static int fail(const pliant_error *error)
{
    fprintf(stderr, "pliant_bench_bullet: %s%s%s\n", error->path, *error->path ? ": " : "", error->message);
    return error->code == PLIANT_ERROR_IO ? 3 : 1;
}

/* ---- Bullet's side ---- */

static bool step_peer(void *p, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) peer_step(p, 1.0f / 60);
    return true;
}

static bool rewind_peer(void *p)
{
    peer_rewind(p);
    return true;
}

/* The distances of a model: two vertices each, `count` of them. NULL: out of memory. */
static uint32_t *links_of(const pliant_model *model, uint32_t *count)
{
    const uint32_t solved = pliant_model_solved_count(model);
    uint32_t      *ends = malloc(2 * sizeof *ends * (size_t)solved);
    *count = 0;
    for (uint32_t i = 0; ends && i < solved; i++) {
        pliant_solved_constraint c = pliant_model_solved(model, i);
        if (c.kind != PLIANT_CONSTRAINT_DISTANCE) continue;
        ends[2 * *count] = c.particles[0].vertex;
        ends[2 * *count + 1] = c.particles[1].vertex;
        ++*count;
    }
    return ends;
}

static peer *make_peer(const bench_subject *subject, const pliant_state *state, uint32_t *links)
{
    const uint32_t n = pliant_model_body(subject->model, subject->body).vertex_count;
    pliant_vec3   *x = malloc(n * sizeof *x);
    float         *mass = malloc(n * sizeof *mass);
    uint32_t      *ends = links_of(subject->model, links);
    peer          *p = NULL;
    if (x && mass && ends) {
        pliant_state_positions(state, subject->body, 0, n, x);
        pliant_state_inverse_masses(state, subject->body, 0, n, mass);
        for (uint32_t i = 0; i < n; i++) mass[i] = mass[i] > 0 ? 1 / mass[i] : 0;
        p = peer_create(n, &x[0].x, mass, *links, ends, ITERATIONS);
    }
    free(x);
    free(mass);
    free(ends);
    return p;
}

/* ---- a comparison ---- */

typedef struct side_by_side {
    const char   *name;
    bench_subject subject;
    bench_stepper steppers[MOST_VARIANTS - 1]; /* one per width, each with a state of its own */
    peer         *bullet;
    uint32_t      links, rounds;
    bench_variant variants[MOST_VARIANTS]; /* Bullet is the last */
} side_by_side;

/* All variants go ten frames, and are timed from there. */
static bool prepare(side_by_side *b, const bench_settings *s, pliant_error *error)
{
    for (uint32_t w = 0; w < s->width_count; w++) {
        bench_stepper *p = &b->steppers[w];
        if (!bench_begin(p, &b->subject, s, s->widths[w], 1, error)) return false;
        if (!w && !(b->bullet = make_peer(&b->subject, p->state, &b->links)))
            return bench_fail(error, PLIANT_ERROR_MEMORY, "out of memory");
        p->substeps = 1;
        p->iterations = ITERATIONS;
        p->start = pliant_state_create(b->subject.model, error);
        if (!p->start) return false;
        if (!bench_step(p, b->subject.start)) return bench_stopped(s, b->name, b->subject.side, p->code, error);
        pliant_state_copy(p->start, p->state);
        b->variants[w] = (bench_variant){.prepare = bench_rewind, .run = bench_step, .context = p};
    }
    step_peer(b->bullet, b->subject.start);
    peer_mark(b->bullet);
    b->variants[s->width_count] = (bench_variant){.prepare = rewind_peer, .run = step_peer, .context = b->bullet};
    return true;
}

static bool add_rows(const side_by_side *b, const bench_settings *s, bench_table *table, pliant_error *error)
{
    const bench_variant *bullet = &b->variants[s->width_count];
    const double         theirs = 1e9 / ((double)b->links * ITERATIONS), ours = 1e9 / ((double)b->subject.constraints * ITERATIONS);
    char                 name[32];
    snprintf(name, sizeof name, "bullet_%s", b->name);
    bench_row row = bench_row_of(name, b->subject.side, &b->subject, "ns");
    row.constraints = b->links;
    row.threads = 1;
    row.rounds = b->rounds;
    row.value = theirs * bullet->median;
    row.spread = theirs * bullet->spread;
    if (!bench_add(table, &row, error)) return false;
    for (uint32_t w = 0; w < s->width_count; w++) {
        const bench_variant *v = &b->variants[w];
        bench_row            mine = row;
        snprintf(mine.name, sizeof mine.name, "iterations_%s", b->name);
        mine.constraints = b->subject.constraints;
        mine.width = s->widths[w];
        mine.value = ours * v->median;
        mine.spread = ours * v->spread;
        bench_row ratio = mine;
        snprintf(ratio.name, sizeof ratio.name, "bullet_%s_ratio", b->name);
        snprintf(ratio.unit, sizeof ratio.unit, "times");
        ratio.value = row.value / mine.value;
        ratio.spread = ratio.value * hypot(row.spread / row.value, mine.spread / mine.value);
        if (!bench_add(table, &mine, error) || !bench_add(table, &ratio, error)) return false;
    }
    return true;
}

/* A line of the table; how far each has come after a second says that they solve the same. */
static bool print_line(side_by_side *b, const bench_settings *s, pliant_error *error)
{
    bench_stepper *p = &b->steppers[s->width_count - 1];
    const double   theirs = 1e9 * b->variants[s->width_count].median / ((double)b->links * ITERATIONS);
    printf("%-8s %5u %11llu %9.3f ", b->name, b->subject.side, (unsigned long long)b->subject.constraints, theirs);
    for (uint32_t w = 0; w < s->width_count; w++) {
        const double ours = 1e9 * b->variants[w].median / ((double)b->subject.constraints * ITERATIONS);
        printf("  %7.3f (%5.1f x)", ours, theirs / ours);
    }
    if (b->links < b->subject.constraints) { /* not the same body: nothing to compare */
        printf("\n");
        return true;
    }
    bench_rewind(p);
    peer_rewind(b->bullet);
    if (!bench_step(p, 50)) return bench_stopped(s, b->name, b->subject.side, p->code, error);
    step_peer(b->bullet, 50);
    printf("  %9.3f %% %9.3f %%\n", 100 * peer_stretch(b->bullet), 100 * pliant_state_strain(p->state).mean);
    fflush(stdout);
    return true;
}

static bool compare(const char *name, bench_shape shape, uint32_t size, const bench_settings *s, bench_table *table, pliant_error *error)
{
    side_by_side *b = calloc(1, sizeof *b);
    if (!b) return bench_fail(error, PLIANT_ERROR_MEMORY, "out of memory");
    b->name = name;
    bool good = bench_subject_make(&b->subject, shape, size, s, error) && prepare(b, s, error);
    if (good) {
        b->rounds = bench_rounds(b->variants, s->width_count + 1, s, s->quick ? 1.5 : SECONDS);
        good = b->rounds || bench_fail(error, PLIANT_ERROR_DIVERGED, "%s %u: a step diverged", name, size);
    }
    good = good && add_rows(b, s, table, error) && print_line(b, s, error);
    for (uint32_t w = 0; w < s->width_count; w++) bench_end(&b->steppers[w]);
    peer_destroy(b->bullet);
    bench_subject_free(&b->subject);
    free(b);
    return good;
}

/* ---- the program ---- */

static void print_head(const bench_settings *s)
{
    printf("one step of %u iterations, one thread: ns per constraint and iteration; how many times as fast as Bullet %d.%02d\n\n",
           ITERATIONS, peer_version() / 100, peer_version() % 100);
    printf("%-8s %5s %11s %9s ", "case", "size", "constraints", "Bullet");
    for (uint32_t w = 0; w < s->width_count; w++) printf("  %8u lane%-4s", s->widths[w], s->widths[w] == 1 ? "" : "s");
    printf("  stretch: Bullet     Pliant\n");
}

int main(int argc, char **argv)
{
    static const struct row {
        const char *name;
        bench_shape shape;
        uint32_t    size;
        bool        quick;
    } rows[] = {{"cloth", BENCH_GRID_CLOTH, 64, true}, {"cloth", BENCH_GRID_CLOTH, 128, false}, {"cloth", BENCH_GRID_CLOTH, 256, false},
                {"mesh", BENCH_MESH_CLOTH, 64, true},  {"mesh", BENCH_MESH_CLOTH, 128, false},  {"soft", BENCH_LATTICE, 10, true},
                {"soft", BENCH_LATTICE, 20, false}};
    pliant_build_info build = pliant_build();
    bench_settings    s = {.machine = bench_machine_here(), .rounds = 21, .threads = {1}, .thread_count = 1};
    bench_table       table = {0};
    pliant_error      error = {0};
    const char       *csv = NULL;
    bool              good = true;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--quick"))
            s.quick = true;
        else if (!strcmp(argv[i], "--csv") && i + 1 < argc)
            csv = argv[++i];
        else if (!strcmp(argv[i], "--repeat") && i + 1 < argc && atoi(argv[i + 1]) > 0)
            s.rounds = (uint32_t)atoi(argv[++i]);
        else {
            fprintf(stderr, "usage: pliant_bench_bullet [--quick] [--repeat N] [--csv FILE]\n");
            return 2;
        }
    }
    for (uint32_t w = 0; w < build.width_count; w++)
        if (build.runs[w]) s.widths[s.width_count++] = build.widths[w];
    print_head(&s);
    for (size_t i = 0; good && i < sizeof rows / sizeof *rows; i++)
        if (!s.quick || rows[i].quick) good = compare(rows[i].name, rows[i].shape, rows[i].size, &s, &table, &error);
    if (good && csv) good = bench_write_csv(csv, &table, &error);
    bench_free(&table);
    return good ? 0 : fail(&error);
}
