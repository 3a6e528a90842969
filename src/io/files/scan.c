#include "io/files/scan.h"

#include "io/files/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

void pliant__scan_start(pliant__scan *s, const char *path, const char *text, size_t length, pliant_error *error)
{
    *s = (pliant__scan){.path = path, .text = text, .at = text, .end = text + length, .line = 1, .error = error};
}

bool pliant__scan_fail(const pliant__scan *s, const char *format, ...)
{
    char    what[300];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (!s->bytes) return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, s->line, "%s", what);
    return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, 0, "byte %zu: %s", (size_t)(s->at - s->text), what);
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool pliant__scan_word(pliant__scan *s, const char **word, size_t *length)
{
    while (s->at < s->end && is_space(*s->at)) s->line += *s->at++ == '\n';
    *word = s->at;
    while (s->at < s->end && !is_space(*s->at)) s->at++;
    *length = (size_t)(s->at - *word);
    return *length > 0;
}

void pliant__scan_line(pliant__scan *s, const char **line, size_t *length)
{
    const char *start = s->at, *end = s->at;
    while (end < s->end && *end != '\n') end++;
    if (end < s->end) s->line++;
    s->at = end < s->end ? end + 1 : end;
    while (start < end && is_space(*start)) start++;
    while (end > start && is_space(end[-1])) end--;
    *line = start;
    *length = (size_t)(end - start);
}

bool pliant__scan_is(const char *word, size_t length, const char *what)
{
    return strlen(what) == length && memcmp(word, what, length) == 0;
}

static bool fail_end(const pliant__scan *s) { return pliant__scan_fail(s, "the file ends before everything that it says it has: cut off"); }

static bool take_text(pliant__scan *s, double *out)
{
    const char *word;
    size_t      length;
    if (!pliant__scan_word(s, &word, &length)) return fail_end(s);
    return pliant__parse_number(word, length, out) == PLIANT__NUMBER_OK ||
           pliant__scan_fail(s, "%.*s is not a finite number", length < 40 ? (int)length : 40, word);
}

static bool take_bytes(pliant__scan *s, pliant__scan_type type, double *out)
{
    const size_t  size = sizes[type];
    unsigned char b[8];
    uint64_t      bits = 0;
    if ((size_t)(s->end - s->at) < size) return fail_end(s);
    memcpy(b, s->at, size);
    for (size_t i = 0; i < size; i++) bits |= (uint64_t)b[s->big ? size - 1 - i : i] << (8 * i);
    float    single;
    uint32_t half = (uint32_t)bits;
    switch (type) {
    case PLIANT__SCAN_I8: *out = (int8_t)bits; break;
    case PLIANT__SCAN_I16: *out = (int16_t)bits; break;
    case PLIANT__SCAN_I32: *out = (int32_t)half; break;
    case PLIANT__SCAN_I64: *out = (double)(int64_t)bits; break;
    case PLIANT__SCAN_F32:
        memcpy(&single, &half, sizeof single);
        *out = (double)single;
        break;
    case PLIANT__SCAN_F64: memcpy(out, &bits, sizeof bits); break;
    default: *out = (double)bits;
    }
    if (!(*out - *out == 0)) return pliant__scan_fail(s, "not a finite number");
    s->at += size;
    return true;
}

bool pliant__scan_number(pliant__scan *s, pliant__scan_type type, double *out)
{
    return s->binary ? take_bytes(s, type, out) : take_text(s, out);
}

bool pliant__scan_point(pliant__scan *s, pliant__scan_type type, double x[3])
{
    for (int k = 0; k < 3; k++) {
        if (!pliant__scan_number(s, type, &x[k])) return false;
        if (!(x[k] < 3e38 && x[k] > -3e38)) return pliant__scan_fail(s, "a coordinate is too large");
    }
    return true;
}

bool pliant__scan_whole(pliant__scan *s, pliant__scan_type type, double low, double high, const char *what, int64_t *out)
{
    double number = 0;
    if (!pliant__scan_number(s, type, &number)) return false;
    if (!(number >= low && number <= high) || (double)(int64_t)number < number || (double)(int64_t)number > number)
        return pliant__scan_fail(s, "%s is out of range", what);
    *out = (int64_t)number;
    return true;
}

bool pliant__scan_skip(pliant__scan *s, pliant__scan_type type, uint64_t count)
{
    if (!pliant__scan_holds(s, count, pliant__scan_size(s, type))) return false;
    if (s->binary) {
        s->at += count * sizes[type];
        return true;
    }
    for (uint64_t i = 0; i < count; i++) {
        const char *word;
        size_t      length;
        if (!pliant__scan_word(s, &word, &length)) return fail_end(s);
    }
    return true;
}

bool pliant__scan_holds(const pliant__scan *s, uint64_t count, size_t least)
{
    const uint64_t left = (uint64_t)(s->end - s->at) + !s->binary; /* behind the last number of a text there may be no blank */
    return count <= left / least || fail_end(s);
}

size_t pliant__scan_size(const pliant__scan *s, pliant__scan_type type) { return s->binary ? sizes[type] : 2; }
