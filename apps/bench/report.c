/* The figures as a person reads them, and as JSON. */
#include "bench.h"

#include <string.h>

/* ---- text ---- */

static void print_head(FILE *to, const bench_settings *s)
{
    pliant_build_info build = pliant_build();
    fprintf(to, "pliant %s, %s, %u-byte numbers; %s, %u processors (%s)%s\n", build.version, build.compiler, build.real_bytes,
            s->machine.processor, s->machine.processors, s->machine.name,
            s->machine.guessed ? "; the sizes of its caches are guessed" : "");
}

static bool is_limit(const bench_row *r) { return strncmp(r->name, "limit_", 6) == 0; }

/* Whether it stands in the table of times. */
static bool is_time(const bench_row *r) { return strcmp(r->unit, "ns") == 0 && r->width; }

static void print_limits(FILE *to, const bench_settings *s, const bench_table *table)
{
    static const struct loop {
        const char *name, *unit, *text;
    } loops[] = {{"limit_slot", "ns/lane", "a particle through an index, transposed, stored, ns"},
                 {"limit_sqrt", "ns/vector", "a square root of all lanes, ns"},
                 {"limit_divide", "ns/vector", "a division of all lanes, ns"},
                 {"limit_strip", "ns/row", "a distance between two vectors of particles, ns a row"},
                 {"limit_volume", "ns/row", "a volume of four vectors of particles, ns a row"}};
    fprintf(to, "\nthe machine's limits\n  %-52s", "triad, GB/s of all threads together");
    for (int level = 0; level < BENCH_LEVELS; level++) fprintf(to, " %8s", bench_level_names[level]);
    for (uint32_t t = 0; t < s->thread_count; t++) {
        fprintf(to, "\n    %2u %-47s", s->threads[t], s->threads[t] == 1 ? "thread" : "threads");
        for (int level = 0; level < BENCH_LEVELS; level++) {
            bench_row like = {.width = s->widths[s->width_count - 1], .threads = s->threads[t], .unit = "GB/s"};
            snprintf(like.name, sizeof like.name, "limit_triad_%s", bench_level_names[level]);
            const bench_row *r = bench_find(table, &like);
            if (r) fprintf(to, " %8.1f", r->value);
        }
    }
    fprintf(to, "\n  %-52s", "lanes");
    for (uint32_t w = 0; w < s->width_count; w++) fprintf(to, " %8u", s->widths[w]);
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        fprintf(to, "\n    %-50s", loops[i].text);
        for (uint32_t w = 0; w < s->width_count; w++) {
            bench_row like = {.width = s->widths[w], .threads = 1};
            snprintf(like.name, sizeof like.name, "%s", loops[i].name);
            snprintf(like.unit, sizeof like.unit, "%s", loops[i].unit);
            const bench_row *r = bench_find(table, &like);
            if (r) fprintf(to, " %8.3f", r->value);
        }
    }
    fprintf(to, "\n");
}

/* All figures of one case and size in ns: a line with the figures, and one with their ratios to the limit. */
static void print_line(FILE *to, const bench_settings *s, const bench_table *table, const bench_row *first)
{
    const bench_row *last = NULL;
    const int        lines = first->limit > 0 ? 2 : 1;
    fprintf(to, "%-18s %5u %10llu", first->name, first->size, (unsigned long long)first->constraints);
    for (int ratios = 0; ratios < lines; ratios++) {
        if (ratios) fprintf(to, "\n%-35s", "    times the limit");
        for (uint32_t i = 0; i < s->width_count * s->thread_count; i++) {
            bench_row like = *first;
            like.width = s->widths[i / s->thread_count];
            like.threads = s->threads[i % s->thread_count];
            const bench_row *r = bench_find(table, &like);
            if (!r)
                fprintf(to, " %8s", "");
            else if (ratios)
                fprintf(to, " %8.2f", bench_ratio(r));
            else
                fprintf(to, " %8.3f", r->value);
            if (r) last = r;
        }
    }
    fprintf(to, "   %s\n", last ? last->limit_name : "");
}

/* Whether no figure before is of the same case, size and unit. */
static bool is_first(const bench_table *table, const bench_row *r)
{
    for (const bench_row *b = table->rows; b < r; b++)
        if (b->size == r->size && strcmp(b->name, r->name) == 0 && strcmp(b->unit, r->unit) == 0) return false;
    return true;
}

static void print_times(FILE *to, const bench_settings *s, const bench_table *table)
{
    bool begun = false;
    for (uint32_t i = 0; i < table->count; i++) {
        const bench_row *r = &table->rows[i];
        if (!is_time(r) || !is_first(table, r)) continue;
        if (!begun) {
            fprintf(to, "\nns per constraint and sweep, the whole step included: %u substeps of 1 iteration (of a scene file: its own)\n",
                    (unsigned)BENCH_SUBSTEPS);
            fprintf(to, "medians; below, how many times the limit that is named behind the last column\n%-18s %5s %10s", "case", "size",
                    "constr.");
            for (uint32_t k = 0; k < s->width_count * s->thread_count; k++)
                fprintf(to, " %5ux%uT", s->widths[k / s->thread_count], s->threads[k % s->thread_count]);
            fprintf(to, "\n");
        }
        begun = true;
        print_line(to, s, table, r);
    }
}

static void print_others(FILE *to, const bench_table *table)
{
    bool begun = false;
    for (uint32_t i = 0; i < table->count; i++) {
        const bench_row *r = &table->rows[i];
        if (is_limit(r) || is_time(r)) continue;
        if (!begun)
            fprintf(to, "\n%-28s %5s %6s %8s %12s %-10s %10s  %s\n", "figure", "size", "width", "threads", "value", "unit", "spread",
                    "limit");
        begun = true;
        fprintf(to, "%-28s %5u %6u %8u %12.4g %-10s %10.2g", r->name, r->size, r->width, r->threads, r->value, r->unit, r->spread);
        if (r->limit > 0) fprintf(to, "  %.2f of %s", bench_ratio(r), r->limit_name);
        fprintf(to, "\n");
    }
}

void bench_print_text(FILE *to, const bench_settings *s, const bench_table *table)
{
    print_head(to, s);
    print_limits(to, s, table);
    print_times(to, s, table);
    print_others(to, table);
}

/* ---- JSON ---- */

static void print_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(to, "\\%c", *c);
        else if ((unsigned char)*c < 32)
            fprintf(to, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            fputc(*c, to);
    }
    fputc('"', to);
}

static void print_field(FILE *to, const char *name, const char *text)
{
    fprintf(to, "\"%s\": ", name);
    print_text(to, text);
    fprintf(to, ", ");
}

static void print_row(FILE *to, const bench_row *r)
{
    fprintf(to, "{");
    print_field(to, "case", r->name);
    fprintf(to, "\"size\": %u, \"particles\": %llu, \"constraints\": %llu, \"width\": %u, \"threads\": %u, ", r->size,
            (unsigned long long)r->particles, (unsigned long long)r->constraints, r->width, r->threads);
    print_field(to, "unit", r->unit);
    fprintf(to, "\"value\": %.6g, \"spread\": %.3g, \"rounds\": %u, ", r->value, r->spread, r->rounds);
    if (r->limit > 0) {
        print_field(to, "limit_name", r->limit_name);
        fprintf(to, "\"limit\": %.6g, \"ratio\": %.4g}", r->limit, bench_ratio(r));
    } else {
        fprintf(to, "\"limit_name\": null, \"limit\": null, \"ratio\": null}");
    }
}

void bench_print_json(FILE *to, const bench_settings *s, const bench_table *table, const char *date, const char *revision)
{
    pliant_build_info build = pliant_build();
    fprintf(to, "{");
    print_field(to, "version", build.version);
    print_field(to, "revision", revision);
    print_field(to, "date", date);
    print_field(to, "compiler", build.compiler);
    fprintf(to, "\"real_bytes\": %u, ", build.real_bytes);
    print_field(to, "machine", s->machine.name);
    print_field(to, "processor", s->machine.processor);
    fprintf(to, "\"processors\": %u, \"substeps\": %u, \"rows\": [", s->machine.processors, (unsigned)BENCH_SUBSTEPS);
    for (uint32_t i = 0; i < table->count; i++) {
        if (i) fprintf(to, ", ");
        print_row(to, &table->rows[i]);
    }
    fprintf(to, "]}\n");
}
