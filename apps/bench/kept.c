/* Runs on disk, as CSV: one file per machine, one run after another, a line per figure. */
#include "bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char head[] =
    "run,date,revision,case,size,particles,constraints,width,threads,unit,value,spread,limit,limit_name,ratio,rounds";
enum { COLUMNS = 16 };

void bench_write_head(FILE *to) { fprintf(to, "%s\n", head); }

void bench_write_rows(FILE *to, const bench_table *table, uint32_t run, const char *date, const char *revision)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const bench_row *r = &table->rows[i];
        fprintf(to, "%u,%s,%s,%s,%u,%llu,%llu,%u,%u,%s,%.6g,%.3g,%.6g,%s,%.4g,%u\n", run, date, revision, r->name, r->size,
                (unsigned long long)r->particles, (unsigned long long)r->constraints, r->width, r->threads, r->unit, r->value, r->spread,
                r->limit, r->limit_name, bench_ratio(r), r->rounds);
    }
}

void bench_today(char date[16])
{
    time_t     now = time(NULL);
    struct tm *day = gmtime(&now);
    if (!day || !strftime(date, 16, "%Y-%m-%d", day)) strcpy(date, "unknown");
}

static bool fail_at(pliant_error *error, const char *path, int line, pliant_code code, const char *message)
{
    *error = (pliant_error){.code = code, .line = line};
    snprintf(error->path, sizeof error->path, "%.255s", path);
    snprintf(error->message, sizeof error->message, "%s", message);
    return false;
}

/* Opens a kept file behind its head; NULL with no error if it is not there. */
static FILE *open_kept(const char *path, pliant_error *error)
{
    char  line[sizeof head + 2] = "";
    FILE *file = fopen(path, "r");
    *error = (pliant_error){0};
    if (!file) {
        if (errno != ENOENT) fail_at(error, path, 0, PLIANT_ERROR_IO, pliant_system_message(errno));
        return NULL;
    }
    const bool read = fgets(line, sizeof line, file) != NULL;
    line[strcspn(line, "\r\n")] = 0;
    if (read && strcmp(line, head) == 0) return file;
    fail_at(error, path, 1, PLIANT_ERROR_INPUT, "is not a file of figures that pliant bench wrote");
    fclose(file);
    return NULL;
}

/* ---- one line ---- */

static uint32_t split(char *line, char *field[COLUMNS])
{
    uint32_t n = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char *at = line; at && n < COLUMNS; n++) {
        field[n] = at;
        at = strchr(at, ',');
        if (at) *at++ = 0;
        if (n == COLUMNS - 1 && at) return COLUMNS + 1;
    }
    return n;
}

static bool number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && *value - *value == 0;
}

static bool take_word(char *to, size_t size, const char *text)
{
    if (strlen(text) >= size) return false;
    strcpy(to, text);
    return true;
}

/* Whether a figure may be 0: what went wrong, counted or measured. */
static bool may_be_none(const char *unit) { return strcmp(unit, "crossings") == 0 || strcmp(unit, "mm") == 0; }

/* False: it is not as bench_write_rows writes it. */
static bool read_row(char *field[COLUMNS], bench_kept *kept, bench_row *row, uint32_t *run)
{
    double       v[COLUMNS] = {0};
    const int    numbers[] = {0, 4, 5, 6, 7, 8, 10, 11, 12, 14, 15}, whole[] = {0, 4, 5, 6, 7, 8, 15};
    const size_t count = sizeof numbers / sizeof *numbers;
    for (size_t i = 0; i < count; i++)
        if (!number(field[numbers[i]], &v[numbers[i]]) || v[numbers[i]] < 0) return false;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (v[whole[i]] > 4e9) return false;
    *run = (uint32_t)v[0];
    *row = (bench_row){.size = (uint32_t)v[4],
                       .particles = (uint64_t)v[5],
                       .constraints = (uint64_t)v[6],
                       .width = (uint32_t)v[7],
                       .threads = (uint32_t)v[8],
                       .value = v[10],
                       .spread = v[11],
                       .limit = v[12],
                       .rounds = (uint32_t)v[15]};
    return *run && (row->value > 0 || may_be_none(field[9])) && take_word(kept->date, sizeof kept->date, field[1]) &&
           take_word(kept->revision, sizeof kept->revision, field[2]) && take_word(row->name, sizeof row->name, field[3]) &&
           take_word(row->unit, sizeof row->unit, field[9]) && take_word(row->limit_name, sizeof row->limit_name, field[13]);
}

/* ---- a file ---- */

bool bench_kept_read(const char *path, bench_kept *kept, pliant_error *error)
{
    char  line[1024], *field[COLUMNS];
    int   number_of_line = 1;
    FILE *file = open_kept(path, error);
    bool  good = file || error->code == PLIANT_OK;
    *kept = (bench_kept){0};
    while (good && file && fgets(line, sizeof line, file)) {
        bench_row row;
        uint32_t  run;
        number_of_line++;
        if (split(line, field) != COLUMNS || !read_row(field, kept, &row, &run)) {
            good = fail_at(error, path, number_of_line, PLIANT_ERROR_INPUT, "is not a figure as pliant bench writes it");
            break;
        }
        if (run != kept->run) bench_free(&kept->table); /* a later one */
        kept->run = run;
        good = bench_add(&kept->table, &row, error);
    }
    if (good && file && ferror(file)) good = fail_at(error, path, 0, PLIANT_ERROR_IO, pliant_system_message(errno));
    if (file) fclose(file);
    if (!good) bench_free(&kept->table);
    return good;
}

bool bench_copy_kept(FILE *to, const char *path, pliant_error *error)
{
    char   block[4096];
    size_t n;
    FILE  *file = open_kept(path, error);
    bench_write_head(to);
    if (!file) return error->code == PLIANT_OK;
    while ((n = fread(block, 1, sizeof block, file)) > 0) fwrite(block, 1, n, to);
    const bool good = !ferror(file) || fail_at(error, path, 0, PLIANT_ERROR_IO, pliant_system_message(errno));
    fclose(file);
    return good;
}

bool bench_write_csv(const char *path, const bench_table *table, pliant_error *error)
{
    char  temporary[4096], date[16];
    FILE *file = NULL;
    if (snprintf(temporary, sizeof temporary, "%s.%ld.tmp", path, (long)getpid()) < (int)sizeof temporary) file = fopen(temporary, "w");
    if (!file) return bench_fail(error, PLIANT_ERROR_IO, "%s: %s", path, strerror(errno));
    bench_today(date);
    bench_write_head(file);
    bench_write_rows(file, table, 1, date, pliant_build().version);
    bool good = fflush(file) == 0 && !ferror(file);
    good = fclose(file) == 0 && good;
    good = good && rename(temporary, path) == 0;
    if (good) return true;
    bench_fail(error, PLIANT_ERROR_IO, "%s: %s", path, strerror(errno));
    remove(temporary);
    return false;
}
