/* Nanoseconds per constraint per sweep, whole step included: hanging cloths of N x N and lattices of k^3 cubes, for every width that runs
 * each on one and on two threads. Prints a table and writes CSV. Then long chains, by chains.c.
 *
 *   pliant_bench [--quick | --least] [--chains | --multigrid | --folded | --pile | --layers | --pools | --frames] [--csv FILE] [--repeat N]
 *
 * Machines are shared and noisy, so all variants of a case are interleaved, round after round, and medians are reported. Ratios between
 * columns of one row are to be trusted; absolute figures belong to the machine and the moment. A case has N rounds (21), or fewer when it
 * has had its seconds; never fewer than 5. */
#include "bench.h"
#include "timing.h"

#include <stdlib.h>
#include <string.h>

#define MAX_VARIANTS 16
#define MAX_ROUNDS 101
#define LEAST_ROUNDS 5
#define CASE_SECONDS 12

typedef struct variant {
    uint32_t       width, threads;
    pliant_state  *state;
    pliant_solver *solver;
    double         seconds[MAX_ROUNDS];
} variant;

void stop(const pliant_error *error)
{
    fprintf(stderr, "pliant_bench: %s\n", error->message);
    exit(1);
}

/* ---- cases ---- */

#define SUBSTEPS 10u

static pliant_scene *empty_scene(pliant_error *error)
{
    pliant_scene_def d = pliant_scene_def_default();
    d.substeps = SUBSTEPS;
    pliant_scene *s = pliant_scene_create(&d, error);
    if (!s) stop(error);
    return s;
}

/* 2 m x 2 m, vertical, two corners pinned, all rigid: structural, shear and across-two bending distances, six per particle. */
static pliant_scene *cloth_scene(uint32_t n, pliant_error *error)
{
    pliant_scene    *s = empty_scene(error);
    pliant_cloth_def d = pliant_cloth_def_default();
    d.cells_x = d.cells_z = n - 1;
    d.size_x = d.size_z = 2;
    d.bend = PLIANT_BEND_DISTANCE;
    d.body.placement.rotation = (pliant_quat){(pliant_real)0.70710678, 0, 0, (pliant_real)0.70710678};
    pliant_body b = pliant_scene_add_cloth(s, &d, error);
    uint32_t    pins[2] = {0, n - 1};
    if (!b.id || pliant_scene_pin(s, b, pins, 2, false, error) != PLIANT_OK) stop(error);
    return s;
}

/* k^3 cubes of six tetrahedra, edges and volumes, hanging from one face. */
static pliant_scene *soft_scene(uint32_t k, pliant_error *error)
{
    pliant_scene   *s = empty_scene(error);
    pliant_soft_def d = pliant_soft_def_default();
    d.cells[0] = d.cells[1] = d.cells[2] = k;
    d.extent = (pliant_vec3){1, 1, 1};
    d.material = pliant_material_preset(PLIANT_JELLY);
    pliant_body b = pliant_scene_add_soft(s, &d, error);
    if (!b.id) stop(error);
    for (uint32_t i = 0; i < (k + 1) * (k + 1); i++) {
        uint32_t vertex = (i / (k + 1) * (k + 1) + k) * (k + 1) + i % (k + 1);
        if (pliant_scene_pin(s, b, &vertex, 1, false, error) != PLIANT_OK) stop(error);
    }
    return s;
}

/* ---- measuring ---- */

static uint32_t make_variants(const pliant_model *model, variant *v, pliant_error *error)
{
    pliant_build_info build = pliant_build();
    uint32_t          count = 0;
    for (uint32_t w = 0; w < build.width_count; w++)
        for (uint32_t threads = 1; threads <= 2; threads++) {
            if (!build.runs[w]) continue;
            pliant_solver_def d = pliant_solver_def_default();
            d.width = build.widths[w];
            d.threads = threads;
            v[count].width = d.width;
            v[count].threads = threads;
            v[count].state = pliant_state_create(model, error);
            v[count].solver = pliant_solver_create(model, &d, error);
            if (!v[count].state || !v[count].solver) stop(error);
            count++;
        }
    return count;
}

/* One step of one variant, in seconds. */
static double timed_step(const variant *v, pliant_inputs *in)
{
    pliant_inputs_reset(in, 1.0 / 60);
    double before = wall_seconds();
    if (pliant_solver_step(v->solver, v->state, in) != PLIANT_OK) {
        fprintf(stderr, "pliant_bench: diverged\n");
        exit(1);
    }
    return wall_seconds() - before;
}

/* A step of each variant in turn, round after round; the first round warms up. Returns how many counted. */
static uint32_t measure_rounds(variant *v, uint32_t count, pliant_inputs *in, uint32_t rounds)
{
    double   begin = wall_seconds();
    uint32_t done = 0;
    for (uint32_t i = 0; i < count; i++) timed_step(&v[i], in);
    while (done < rounds && (done < LEAST_ROUNDS || wall_seconds() - begin < CASE_SECONDS)) {
        for (uint32_t i = 0; i < count; i++) v[i].seconds[done] = timed_step(&v[i], in);
        done++;
    }
    return done;
}

/* One line of the table: the median over rounds of each variant. */
static void measure(const char *name, uint32_t size, pliant_scene *scene, uint32_t rounds, FILE *csv)
{
    pliant_error   error = {0};
    pliant_model  *model = pliant_scene_compile(scene, &error);
    pliant_inputs *in = model ? pliant_inputs_create(model, &error) : NULL;
    if (!in) stop(&error);
    static variant v[MAX_VARIANTS];
    uint32_t       count = make_variants(model, v, &error);
    double         constraints = pliant_model_constraint_count(model, PLIANT_CONSTRAINT_COUNT);
    rounds = measure_rounds(v, count, in, rounds);
    printf("%-6s %5u  %9.0f ", name, size, constraints);
    for (uint32_t i = 0; i < count; i++) {
        const double seconds = median(v[i].seconds, rounds), ns = 1e9 * seconds / (SUBSTEPS * constraints);
        printf("  %8.3f", ns);
        if (csv)
            fprintf(csv, "%s,%u,%u,%.0f,%u,%u,%.4f,%.4f,%u\n", name, size, pliant_model_particle_count(model), constraints, v[i].width,
                    v[i].threads, ns, 1e3 * seconds, rounds);
        if (pliant_state_hash(v[i].state) != pliant_state_hash(v[0].state)) printf(" (differs!)");
    }
    printf("\n");
    fflush(stdout);
    for (uint32_t i = 0; i < count; i++) {
        pliant_solver_destroy(v[i].solver);
        pliant_state_destroy(v[i].state);
    }
    pliant_inputs_destroy(in);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
}

static void print_head(void)
{
    pliant_build_info build = pliant_build();
    printf("pliant %s, %s, %u-byte numbers\n", build.version, build.compiler, build.real_bytes);
    printf("ns per constraint per sweep, %u substeps of 1 iteration, whole step; median of interleaved steps\n\n", SUBSTEPS);
    printf("case    size  constraints");
    for (uint32_t w = 0; w < build.width_count; w++)
        if (build.runs[w]) printf("  %5ux1T  %5ux2T", build.widths[w], build.widths[w]);
    printf("\n");
}

/* Of files of their own, each with an option that runs it alone. */
typedef struct bench {
    const char *option;
    void (*run)(bool quick);
} bench;
static const bench benches[] = {{"--multigrid", bench_multigrid},
                                {"--folded", bench_folded},
                                {"--pile", bench_pile},
                                {"--layers", bench_layers},
                                {"--pools", bench_pools}};

static const bench *find_bench(const char *option)
{
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        if (!strcmp(option, benches[i].option)) return &benches[i];
    return NULL;
}

int main(int argc, char **argv)
{
    bool         quick = false, chains = false, frames = false, least = false;
    uint32_t     rounds = 21;
    const char  *path = NULL;
    const bench *of = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--quick"))
            quick = true;
        else if (!strcmp(argv[i], "--least"))
            least = true;
        else if (!strcmp(argv[i], "--chains"))
            chains = true;
        else if (!strcmp(argv[i], "--frames"))
            frames = true;
        else if (find_bench(argv[i]))
            of = find_bench(argv[i]);
        else if (!strcmp(argv[i], "--csv") && i + 1 < argc)
            path = argv[++i];
        else if (!strcmp(argv[i], "--repeat") && i + 1 < argc)
            rounds = (uint32_t)atoi(argv[++i]);
        else {
            fprintf(stderr, "usage: pliant_bench [--quick | --least] [--chains | --multigrid | --folded | --pile | --layers | --pools | "
                            "--frames] [--csv FILE] "
                            "[--repeat N]\n");
            return 2;
        }
    }
    if (of) of->run(quick);
    if (frames) bench_frames(least ? FRAMES_LEAST : quick ? FRAMES_QUICK : FRAMES_FULL, path);
    if (of || frames) return 0;
    if (rounds < 1 || rounds > MAX_ROUNDS) rounds = MAX_ROUNDS;
    FILE *csv = path ? fopen(path, "w") : NULL;
    if (path && !csv) {
        perror(path);
        return 3;
    }
    if (csv && !chains) fprintf(csv, "case,size,particles,constraints,width,threads,ns_per_constraint,ms_per_step,rounds\n");
    pliant_error error = {0};
    if (!chains) print_head();
    static const uint32_t cloths[] = {32, 64, 128, 256, 512}, softs[] = {5, 10, 20, 40};
    for (size_t i = 0; !chains && i < (quick ? 2 : 5); i++) measure("cloth", cloths[i], cloth_scene(cloths[i], &error), rounds, csv);
    for (size_t i = 0; !chains && i < (quick ? 2 : 4); i++) measure("soft", softs[i], soft_scene(softs[i], &error), rounds, csv);
    measure_chains(quick, csv);
    for (size_t i = 0; !chains && i < sizeof benches / sizeof *benches; i++) benches[i].run(quick);
    if (!chains) bench_frames(quick ? FRAMES_QUICK : FRAMES_FULL, NULL);

    if (csv && fclose(csv)) {
        perror(path);
        return 3;
    }
    return 0;
}
