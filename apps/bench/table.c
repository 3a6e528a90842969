/* Figures, one after another. */
#include "bench.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool bench_fail(pliant_error *error, pliant_code code, const char *format, ...)
{
    va_list args;
    *error = (pliant_error){.code = code};
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return false;
}

/* A figure of the same name takes the other's place: it was measured again. */
bool bench_add(bench_table *table, const bench_row *row, pliant_error *error)
{
    const bench_row *there = bench_find(table, row);
    if (there) {
        table->rows[there - table->rows] = *row;
        return true;
    }
    if (table->count == table->room) {
        uint32_t   room = table->room ? 2 * table->room : 64;
        bench_row *rows = realloc(table->rows, room * sizeof *rows);
        if (!rows) return bench_fail(error, PLIANT_ERROR_MEMORY, "out of memory");
        table->rows = rows;
        table->room = room;
    }
    table->rows[table->count++] = *row;
    return true;
}

const bench_row *bench_find(const bench_table *table, const bench_row *like)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const bench_row *r = &table->rows[i];
        if (r->size == like->size && r->width == like->width && r->threads == like->threads && strcmp(r->name, like->name) == 0 &&
            strcmp(r->unit, like->unit) == 0)
            return r;
    }
    return NULL;
}

double bench_ratio(const bench_row *row) { return row->limit > 0 ? row->value / row->limit : 0; }

bool bench_larger_is_better(const bench_row *row) { return strcmp(row->unit, "GB/s") == 0 || strcmp(row->unit, "times") == 0; }

void bench_free(bench_table *table)
{
    free(table->rows);
    *table = (bench_table){0};
}
