/* Sheets: a buffer, and two ways through it. */
#include "io/files/sheet.h"

#include "io/files/number.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_NUMBER = PLIANT__NUMBER_SIZE };

static void begin(pliant__sheet *s, pliant_error *error)
{
    s->to = NULL;
    s->from = NULL;
    s->at = 0;
    s->ok = true;
    s->error = error;
    s->begin = s->end = 0;
}

void pliant__sheet_put(pliant__sheet *sheet, pliant__file *to, pliant_error *error)
{
    begin(sheet, error);
    sheet->to = to;
}

void pliant__sheet_take(pliant__sheet *sheet, const pliant__source *from, uint64_t at, pliant_error *error)
{
    begin(sheet, error);
    sheet->from = from;
    sheet->at = at;
}

void pliant__sheet_fail(pliant__sheet *s, const char *what)
{
    const char *path = s->from ? s->from->path : s->to ? s->to->path : "";
    if (s->ok) pliant__fail_at(s->error, PLIANT_ERROR_INPUT, path, 0, "byte %llu: %s", (unsigned long long)s->at, what);
    s->ok = false;
}

/* ---- putting ---- */

static void flush(pliant__sheet *s)
{
    s->ok = s->ok && (!s->to || pliant__file_append(s->to, s->bytes, s->end, s->error));
    s->end = 0;
}

static void put(pliant__sheet *s, const char *data, size_t size)
{
    while (s->ok && size) {
        size_t room = sizeof s->bytes - s->end, now = size < room ? size : room;
        memcpy(s->bytes + s->end, data, now);
        s->end += now;
        s->at += now;
        data += now;
        size -= now;
        if (s->end == sizeof s->bytes) flush(s);
    }
}

bool pliant__sheet_end(pliant__sheet *s)
{
    if (s->to) flush(s);
    return s->ok;
}

/* ---- taking ---- */

/* Gets `want` bytes into the buffer, or as many as the file still has; how many there are. */
static size_t get(pliant__sheet *s, size_t want)
{
    if (s->end - s->begin >= want) return s->end - s->begin;
    memmove(s->bytes, s->bytes + s->begin, s->end - s->begin);
    s->end -= s->begin;
    s->begin = 0;
    uint64_t next = s->at + s->end, left = next < s->from->size ? s->from->size - next : 0;
    size_t   room = sizeof s->bytes - s->end, now = left < room ? (size_t)left : room;
    s->ok = s->ok && pliant__source_read(s->from, next, s->bytes + s->end, now, s->error);
    if (s->ok) s->end += now;
    return s->end;
}

static void taken(pliant__sheet *s, size_t size)
{
    s->begin += size;
    s->at += size;
}

static bool is_print(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] < 32 || text[i] > 126) return false;
    return true;
}

static void fail_bytes(pliant__sheet *s, const char *expected, size_t size, bool ended)
{
    char what[160];
    if (size > 40) size = 40;
    if (ended)
        snprintf(what, sizeof what, "the file ends here: cut off");
    else if (is_print(expected, size))
        snprintf(what, sizeof what, "damaged, or not of this model: \"%.*s\" is expected", (int)size, expected);
    else
        snprintf(what, sizeof what, "damaged, or not of this model");
    pliant__sheet_fail(s, what);
}

static void take(pliant__sheet *s, const char *data, size_t size)
{
    while (s->ok && size) {
        size_t there = get(s, size < sizeof s->bytes ? size : sizeof s->bytes), now = size < there ? size : there, same = 0;
        if (!s->ok) return;
        while (same < now && s->bytes[s->begin + same] == data[same]) same++;
        taken(s, same);
        if (same < now || now == 0) fail_bytes(s, data + same, size - same, now == 0);
        data += now;
        size -= now;
    }
}

/* The characters of a number that stand next. */
static size_t number_length(pliant__sheet *s)
{
    size_t there = get(s, LONGEST_NUMBER), n = 0;
    while (n < there && n < LONGEST_NUMBER - 1 && strchr("0123456789+-.e", s->bytes[s->begin + n]) && s->bytes[s->begin + n]) n++;
    return s->ok ? n : 0;
}

/* Takes a number if it is written as `text` has it, which was made from it. */
static bool take_same(pliant__sheet *s, const char *text, size_t length, size_t there)
{
    bool same = length == there && memcmp(text, s->bytes + s->begin, length) == 0;
    if (same)
        taken(s, length);
    else
        pliant__sheet_fail(s, "not a number as it is written here");
    return same;
}

void pliant__sheet_skip_line(pliant__sheet *s)
{
    while (s->ok && s->from) {
        size_t      there = get(s, 1);
        const char *line_end = there ? memchr(s->bytes + s->begin, '\n', there) : NULL;
        if (there == 0) fail_bytes(s, "", 0, true);
        taken(s, line_end ? (size_t)(line_end - s->bytes) - s->begin + 1 : there);
        if (line_end) return;
    }
}

/* ---- both ways ---- */

void pliant__sheet_bytes(pliant__sheet *s, const void *data, size_t size)
{
    if (s->from)
        take(s, data, size);
    else
        put(s, data, size);
}

void pliant__sheet_text(pliant__sheet *s, const char *text) { pliant__sheet_bytes(s, text, strlen(text)); }

void pliant__sheet_fixed(pliant__sheet *s, uint64_t value)
{
    char   digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    pliant__sheet_bytes(s, digits + at, sizeof digits - at);
}

void pliant__sheet_fixed_float(pliant__sheet *s, float value)
{
    char text[PLIANT__NUMBER_SIZE];
    pliant__sheet_bytes(s, text, pliant__format_float(text, value));
}

void pliant__sheet_u32(pliant__sheet *s, uint32_t value)
{
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(value >> (8 * i));
    pliant__sheet_bytes(s, bytes, 4);
}

static void double_both(pliant__sheet *s, double *value, size_t (*format)(char[PLIANT__NUMBER_SIZE], double))
{
    char   text[PLIANT__NUMBER_SIZE];
    double number = 0;
    size_t there = s->from ? number_length(s) : 0;
    if (!s->ok) return;
    if (!s->from) {
        put(s, text, format(text, *value));
    } else if (pliant__parse_number(s->bytes + s->begin, there, &number) != PLIANT__NUMBER_OK) {
        pliant__sheet_fail(s, "a number is expected");
    } else if (take_same(s, text, format(text, number), there)) {
        *value = number;
    }
}

static size_t format_count(char text[PLIANT__NUMBER_SIZE], double value)
{
    return (size_t)snprintf(text, PLIANT__NUMBER_SIZE, "%.0f", value);
}

static size_t format_float(char text[PLIANT__NUMBER_SIZE], double value) { return pliant__format_float(text, (float)value); }

/* Up to 2^53, which is more than there is to count. */
void pliant__sheet_count(pliant__sheet *s, uint64_t *value)
{
    double number = (double)*value;
    double_both(s, &number, format_count);
    if (s->from && s->ok && !(number >= 0 && number < 0x1p53)) pliant__sheet_fail(s, "a count is expected");
    if (s->from && s->ok) *value = (uint64_t)number;
}

void pliant__sheet_float(pliant__sheet *s, float *value)
{
    double number = (double)*value;
    double_both(s, &number, format_float);
    if (s->from && s->ok) *value = (float)number;
}

/* 60, not 6e+01. */
static size_t format_double(char text[PLIANT__NUMBER_SIZE], double value)
{
    return value >= 0 && value < 1e6 && (double)(uint32_t)value == value ? format_count(text, value) : pliant__format_shortest(text, value);
}

void pliant__sheet_double(pliant__sheet *s, double *value) { double_both(s, value, format_double); }

void pliant__sheet_string(pliant__sheet *s, const char *text, const char *hex)
{
    pliant__sheet_text(s, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char          two[3];
        snprintf(two, sizeof two, "%02x", c);
        if (c == '"' || c == '\\') pliant__sheet_text(s, "\\");
        if (c >= 32) pliant__sheet_bytes(s, text, 1);
        if (c < 32) pliant__sheet_text(s, hex), pliant__sheet_text(s, two);
    }
    pliant__sheet_text(s, "\"");
}
