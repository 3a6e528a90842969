/* pliant bench: how fast the solver is on this machine, beside what the machine could do. */
#include "bench/bench.h"
#include "cli.h"
#include "out.h"

#include <stdlib.h>
#include <string.h>

typedef struct bench_options {
    cli_operands operands;
    const char  *scene, *cases, *sizes, *widths, *threads, *csv, *keep, *compare, *with, *revision, *root;
    uint32_t     repeat, steps;
    bool         quick, huge, json, machine, quiet, mend, force;
} bench_options;

#define TEXT(NAME, VALUE, FIELD, ...)                                                                                 \
    {                                                                                                                 \
        .name = NAME, .type = CLI_TEXT, .value = VALUE, .offset = offsetof(bench_options, FIELD), .text = __VA_ARGS__ \
    }
#define FLAG(NAME, FIELD, ...)                                                                        \
    {                                                                                                 \
        .name = NAME, .type = CLI_FLAG, .offset = offsetof(bench_options, FIELD), .text = __VA_ARGS__ \
    }

static const cli_option options[] = {
    TEXT("scene", "FILE", scene, "time a scene file or a cooked model instead of the cases"),
    TEXT("cases", "LIST", cases,
         "cases with commas between, as listed above; limits for the machine's limits alone (default: all but huge)"),
    TEXT("sizes", "LIST", sizes,
         "sizes of the cases, from grid_cloth to shape_quadratic, with commas between (default: each case has its own)"),
    TEXT("widths", "LIST", widths, "lane widths with commas between (default: all of this processor)"),
    TEXT("threads", "LIST", threads, "numbers of threads with commas between; all for the processors (default: 1,2,all)"),
    {.name = "repeat",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = BENCH_MOST_ROUNDS,
     .initial = 21,
     .offset = offsetof(bench_options, repeat),
     .text = "repeat each measurement N times, or fewer when a case has had its seconds, and take medians (default: 21)"},
    FLAG("quick", quick, "fewer sizes, and less time for each"),
    FLAG("huge", huge, "the case huge too: ten million particles, some gigabytes"),
    FLAG("json", json, "one JSON object instead of the tables"),
    TEXT("csv", "FILE", csv, "write the figures"),
    TEXT("keep", "FILE", keep, "append the figures to FILE as one more run"),
    TEXT("compare", "FILE", compare, "compare with the last run in FILE; exit code 1 if something is slower by more than the noise"),
    TEXT("with", "FILE", with, "add the figures in FILE, which another program measured"),
    TEXT("revision", "TEXT", revision, "what is called so in the figures' files (default: the version)"),
    FLAG("machine", machine, "print the name that this machine's file has, and do nothing else"),
    {.name = "steps",
     .type = CLI_COUNT,
     .value = "N",
     .high = 1000000,
     .initial = CLI_UNSAID,
     .offset = offsetof(bench_options, steps),
     .text = "take N steps of one case and print how many constraints that solved; for programs that count instructions"},
    CLI_OPTION_MEND(bench_options),
    CLI_OPTION_ROOT(bench_options),
    CLI_OPTION_FORCE(bench_options),
    {.name = "quiet", .letter = 'q', .type = CLI_FLAG, .offset = offsetof(bench_options, quiet), .text = "no progress and no tables"},
};

/* ---- options ---- */

/* The next word of a list with commas between; false at its end. */
static bool next_word(const char **list, char *word, size_t size)
{
    if (!*list) return false;
    size_t length = strcspn(*list, ",");
    snprintf(word, size, "%.*s", (int)length, *list);
    *list = (*list)[length] ? *list + length + 1 : NULL;
    return true;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Adds a number to a list that has each once. */
static bool add_number(uint32_t *numbers, uint32_t *count, uint32_t number)
{
    for (uint32_t i = 0; i < *count; i++)
        if (numbers[i] == number) return true;
    if (*count == BENCH_MOST_LIST) return false;
    numbers[(*count)++] = number;
    return true;
}

static bool read_numbers(const char *option, const char *list, uint32_t high, uint32_t all, uint32_t *numbers, uint32_t *count)
{
    char word[32];
    *count = 0;
    while (next_word(&list, word, sizeof word)) {
        char         *end;
        unsigned long value = strtoul(word, &end, 10);
        if (all && strcmp(word, "all") == 0)
            value = all;
        else if (*word < '0' || *word > '9' || *end || !value || value > high) {
            cli_usage_error("--%s takes whole numbers from 1 to %u with commas between%s, not %s", option, high, all ? ", or all" : "",
                            *word ? word : "nothing");
            return false;
        }
        if (!add_number(numbers, count, (uint32_t)value)) {
            cli_usage_error("--%s: more than %d numbers", option, BENCH_MOST_LIST);
            return false;
        }
    }
    qsort(numbers, *count, sizeof *numbers, by_number);
    return true;
}

static int read_widths(bench_settings *s, const char *list)
{
    pliant_build_info build = pliant_build();
    if (list && !read_numbers("widths", list, 64, 0, s->widths, &s->width_count)) return CLI_BAD_INPUT;
    for (uint32_t i = 0; i < build.width_count; i++)
        if (!list && build.runs[i]) s->widths[s->width_count++] = build.widths[i];
    for (uint32_t w = 0; w < s->width_count; w++) {
        bool runs = false;
        for (uint32_t i = 0; i < build.width_count; i++) runs |= build.runs[i] && build.widths[i] == s->widths[w];
        if (!runs) {
            cli_usage_error("there is no width %u here (pliant info lists them)", s->widths[w]);
            return CLI_UNAVAILABLE;
        }
    }
    return CLI_GOOD;
}

static void begins(const char *what, uint32_t size) { fprintf(stderr, "%s %u\n", what, size); }

static int read_settings(bench_settings *s, const bench_options *o)
{
    *s = (bench_settings){.machine = bench_machine_here(),
                          .allocator = cli_memory(),
                          .linear = cli_linear(),
                          .rounds = o->repeat,
                          .quick = o->quick,
                          .interrupted = cli_interrupted,
                          .begins = o->quiet ? NULL : begins};
    const uint32_t all = s->machine.processors < 64 ? s->machine.processors : 64;
    if (o->quick && s->rounds > 9) s->rounds = 9;
    if (!read_numbers("threads", o->threads ? o->threads : "1,2,all", 64, all, s->threads, &s->thread_count)) return CLI_BAD_INPUT;
    if (o->sizes && !read_numbers("sizes", o->sizes, 8192, 0, s->sizes, &s->size_count)) return CLI_BAD_INPUT;
    return read_widths(s, o->widths);
}

/* Whether --cases has a case; with no list, those that need not be asked for. */
static bool wanted(const bench_options *o, const bench_case *c)
{
    char        word[32];
    const char *list = o->cases;
    if (c->asked && o->huge) return true;
    if (!list) return !c->asked;
    while (next_word(&list, word, sizeof word))
        if (strcmp(word, c->name) == 0) return true;
    return false;
}

static int check_cases(const bench_options *o)
{
    char        word[32];
    const char *list = o->cases;
    if (o->scene && (list || o->sizes || o->huge || o->steps != CLI_UNSAID))
        return cli_usage_error("bench: --scene and --%s do not go together", list       ? "cases"
                                                                             : o->sizes ? "sizes"
                                                                             : o->huge  ? "huge"
                                                                                        : "steps");
    if (o->operands.count) return cli_usage_error("bench takes no %s (a scene goes behind --scene)", o->operands.operand[0]);
    while (next_word(&list, word, sizeof word))
        if (strcmp(word, "limits") != 0 && !bench_find_case(word))
            return cli_usage_error("bench: unknown case %s (pliant help bench lists them)", *word ? word : "\"\"");
    return o->revision && strpbrk(o->revision, ",\"\n\r") ? cli_usage_error("--revision takes no commas, quotes or line breaks") : CLI_GOOD;
}

/* ---- running ---- */

/* Reads the scene, and asks whether its method takes it. */
static bool open_scene(const bench_options *o, pliant_model_file *file, pliant_error *error)
{
    pliant_read_def def = pliant_read_def_default();
    def.allocator = cli_memory();
    def.mend = o->mend;
    def.root = o->root;
    def.reads = cli_note_read;
    if (!o->quiet) def.notice = cli_print_notice;
    if (pliant_model_read(o->scene, &def, file, error) != PLIANT_OK) return false;
    if (cli_takes(file, o->scene, error)) return true;
    pliant_model_close(file);
    return false;
}

static bool time_scene(const bench_options *o, const bench_settings *s, const bench_limits *limits, const pliant_model_file *file,
                       bench_table *table, pliant_error *error)
{
    const char   *slash = strrchr(o->scene, '/');
    char          name[32];
    bench_subject subject = bench_subject_of(file->model, file->fps, file->frames);
    snprintf(name, sizeof name, "scene:%.25s", slash ? slash + 1 : o->scene);
    for (char *c = name; *c; c++)
        if (*c == ',' || *c == '"' || (unsigned char)*c < 32) *c = '_';
    if (bench_time_steps(name, 0, &subject, s, limits, table, error)) return true;
    if (!*error->path) snprintf(error->path, sizeof error->path, "%.255s", o->scene);
    return false;
}

static bool time_scene_again(const bench_options *o, const bench_settings *s, const bench_limits *limits, bench_table *table,
                             pliant_error *error)
{
    pliant_model_file file;
    if (!open_scene(o, &file, error)) return false;
    const bool good = time_scene(o, s, limits, &file, table, error);
    pliant_model_close(&file);
    return good;
}

static bool run_all(const bench_options *o, const bench_settings *s, bench_limits *limits, bench_table *table, pliant_error *error)
{
    pliant_model_file file;
    if (o->scene && !open_scene(o, &file, error)) return false; /* the machine's limits take seconds: what is refused is refused before */
    if (s->begins) s->begins("limits", 0);
    bool good = bench_measure_limits(s, limits, table, error);
    if (o->scene) {
        good = good && time_scene(o, s, limits, &file, table, error);
        pliant_model_close(&file);
        return good;
    }
    for (const bench_case *c = bench_cases; good && c->name; c++)
        if (wanted(o, c)) good = bench_run_case(c, s, limits, table, error);
    return good;
}

static int take_steps(const bench_options *o, const bench_settings *s)
{
    pliant_error      error = {0};
    uint64_t          solved;
    const bench_case *c = o->cases ? bench_find_case(o->cases) : NULL;
    if (!c || c->measure)
        return cli_usage_error("bench: --steps needs --cases with one of grid_cloth, mesh_cloth, lattice, tet_mesh and solid");
    if (!bench_take_steps(c, o->steps, s, &solved, &error)) return cli_fail(&error);
    printf("%llu\n", (unsigned long long)solved);
    return CLI_GOOD;
}

/* ---- slower figures ---- */

#define MOST_AGAIN 3

/* Measures anew the cases that have slower figures, and keeps the better one of each: bad moments end. */
static bool again(const bench_options *o, const bench_settings *s, const bench_limits *limits, const bench_kept *kept, bench_table *table,
                  pliant_error *error)
{
    bench_table second = {0};
    bool        good = true;
    for (uint32_t i = 0; good && i < table->count; i++) {
        const bench_row  *now = &table->rows[i], *before = bench_find(&kept->table, now);
        const bench_case *c = o->scene ? NULL : bench_case_of(now);
        bench_settings    one = *s;
        if (!before || !bench_compare(before, now).slower || (!o->scene && !c) || bench_find(&second, now)) continue;
        one.sizes[0] = now->size;
        one.size_count = 1;
        good = o->scene ? time_scene_again(o, s, limits, &second, error) : bench_run_case(c, &one, limits, &second, error);
    }
    for (uint32_t i = 0; good && i < second.count; i++) {
        const bench_row *now = bench_find(table, &second.rows[i]), *before = bench_find(&kept->table, &second.rows[i]);
        if (now && before && bench_compare(before, &second.rows[i]).share < bench_compare(before, now).share)
            good = bench_add(table, &second.rows[i], error); /* the better one of the two */
    }
    bench_free(&second);
    return good;
}

static bool is_slower(const bench_kept *kept, const bench_table *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const bench_row *before = bench_find(&kept->table, &table->rows[i]);
        if (before && bench_compare(before, &table->rows[i]).slower) return true;
    }
    return false;
}

static uint32_t print_slower(FILE *to, const char *path, const bench_kept *kept, const bench_table *table)
{
    uint32_t slower = 0, compared = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        const bench_row *now = &table->rows[i], *before = bench_find(&kept->table, now);
        bench_change     c = before ? bench_compare(before, now) : (bench_change){0};
        compared += before && strncmp(now->name, "limit_", 6) != 0;
        if (!c.slower) continue;
        slower++;
        fprintf(to, "slower: %s %u, width %u, threads %u: %.4g %s, was %.4g: %.1f %% worse, noise %.1f %%\n", now->name, now->size,
                now->width, now->threads, now->value, now->unit, before->value, 100 * c.share, 100 * c.noise);
    }
    fprintf(to, "%s: run %u of %s, %s: %u figures compared, %u slower\n", path, kept->run, kept->date, kept->revision, compared, slower);
    return slower;
}

/* ---- the verb ---- */

static bool write_outputs(const bench_options *o, const bench_table *table, uint32_t next_run, const char *date, const char *revision,
                          pliant_error *error)
{
    cli_out  outs[2] = {0};
    uint32_t count = 0;
    bool     good = true;
    if (o->csv && (good = cli_out_open(&outs[count++], o->csv, error))) {
        bench_write_head(outs[0].file);
        bench_write_rows(outs[0].file, table, 1, date, revision);
    }
    if (good && o->keep && (good = cli_out_open(&outs[count++], o->keep, error))) {
        good = bench_copy_kept(outs[count - 1].file, o->keep, error);
        if (good) bench_write_rows(outs[count - 1].file, table, next_run, date, revision);
    }
    good = good && cli_out_finish(outs, count, error);
    for (uint32_t i = 0; i < count; i++) cli_out_drop(&outs[i]);
    return good;
}

typedef struct bench_job {
    bench_settings settings;
    bench_limits   limits;
    bench_table    table;
    bench_kept     compared, kept, with, old;
} bench_job;

static bool can_write(const char *path, pliant_error *error)
{
    cli_out out;
    bool    good = cli_out_open(&out, path, error);
    cli_out_drop(&out);
    return good;
}

/* Files to read and to write are checked before anything takes time. */
static int look_ahead(bench_job *j, const bench_options *o)
{
    pliant_error error = {0};
    if (o->csv && o->keep && cli_same_place(o->csv, o->keep)) return cli_usage_error("the output %s is given twice", o->csv);
    if ((o->csv && !can_write(o->csv, &error)) || (o->keep && !can_write(o->keep, &error))) return cli_fail(&error);
    if (o->compare && !bench_kept_read(o->compare, &j->compared, &error)) return cli_fail(&error);
    if (o->compare && !j->compared.run) return cli_usage_error("%s has no run to compare with (make bench-keep keeps one)", o->compare);
    if (o->keep && !bench_kept_read(o->keep, &j->kept, &error)) return cli_fail(&error);
    if (o->with && !bench_kept_read(o->with, &j->with, &error)) return cli_fail(&error);
    if (o->with && !j->with.run) return cli_usage_error("%s has no figures", o->with);
    if (o->csv && !o->force && !bench_kept_read(o->csv, &j->old, &error)) return cli_fail(&error);
    return CLI_GOOD;
}

static int measure(bench_job *j, const bench_options *o)
{
    pliant_error error = {0};
    char         date[16];
    const char  *revision = o->revision ? o->revision : pliant_build().version;
    uint32_t     slower = 0;
    bool         good = run_all(o, &j->settings, &j->limits, &j->table, &error);
    for (uint32_t i = 0; good && i < j->with.table.count; i++) good = bench_add(&j->table, &j->with.table.rows[i], &error);
    for (int i = 0; good && o->compare && i < MOST_AGAIN && is_slower(&j->compared, &j->table); i++)
        good = again(o, &j->settings, &j->limits, &j->compared, &j->table, &error);
    bench_today(date);
    good = good && write_outputs(o, &j->table, j->kept.run + 1, date, revision, &error);
    if (!good) return cli_fail(&error);
    if (o->json)
        bench_print_json(stdout, &j->settings, &j->table, date, revision);
    else if (!o->quiet)
        bench_print_text(stdout, &j->settings, &j->table);
    if (o->compare) slower = print_slower(o->json ? stderr : stdout, o->compare, &j->compared, &j->table);
    return slower ? CLI_CHECK_FAILED : CLI_GOOD;
}

static int run(const void *given)
{
    const bench_options *o = given;
    if (o->machine) {
        printf("%s\n", bench_machine_here().name);
        return CLI_GOOD;
    }
    int        code = check_cases(o);
    bench_job *j = code == CLI_GOOD ? calloc(1, sizeof *j) : NULL;
    if (code == CLI_GOOD && !j) return cli_fail(&(pliant_error){.code = PLIANT_ERROR_MEMORY});
    if (code == CLI_GOOD) code = read_settings(&j->settings, o);
    if (code == CLI_GOOD) cli_catch_signals();
    if (code == CLI_GOOD && o->steps != CLI_UNSAID) {
        code = take_steps(o, &j->settings);
    } else if (code == CLI_GOOD) {
        code = look_ahead(j, o);
        if (code == CLI_GOOD) code = measure(j, o);
    }
    if (j) {
        bench_table *tables[] = {&j->table, &j->compared.table, &j->kept.table, &j->with.table, &j->old.table};
        for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) bench_free(tables[i]);
    }
    free(j);
    return code;
}

const cli_verb cli_bench = {
    "bench",
    "",
    0,
    1,
    "time the solver on this machine, beside what the machine could do",
    "Times steps in every lane width on one, two and all threads, taking turns, and prints medians: ns per constraint and sweep, with\n"
    "everything that a step does. The machine's limits (memory, particles through an index, square roots, divisions) are measured in the\n"
    "same run, and each figure stands as a ratio to them too (docs/bench.md).\n\n"
    "Cases: grid_cloth, mesh_cloth, angles, plastic, neo_plastic, lines, lattice, tet_mesh, solid, neo_lattice, neo_mesh, corotated,\n"
    "stvk, tet_strain, corotated_mesh, stvk_mesh, tet_strain_mesh, strain, strain_mesh, stvk_sheet, tear_mesh, stitched, pressure,\n"
    "shape_rigid, shape_linear, shape_quadratic, small_cloths,\n"
    "headline, tethered, accuracy, drop, and, only when asked for, huge.",
    CLI_OPTIONS(options),
    sizeof(bench_options),
    run};
