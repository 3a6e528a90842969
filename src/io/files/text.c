/* Texts put together and taken apart. */
#include "io/files/text.h"

#include "io/files/number.h"

#include <string.h>

bool pliant__put(pliant__bytes *to, const void *data, size_t size)
{
    char *at = array_extend(NULL, to, size);
    if (at) memcpy(at, data, size);
    return at != NULL;
}

bool pliant__begins(const char *head, size_t size, const char *text)
{
    return size >= strlen(text) && memcmp(head, text, strlen(text)) == 0;
}

bool pliant__put_text(pliant__bytes *to, const char *text) { return pliant__put(to, text, strlen(text)); }

bool pliant__put_xml(pliant__bytes *to, const char *text)
{
    static const char *const entities[] = {['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"};
    bool                     ok = true;
    for (; ok && *text; text++) {
        unsigned char c = (unsigned char)*text;
        ok = c < sizeof entities / sizeof *entities && entities[c] ? pliant__put_text(to, entities[c]) : pliant__put(to, text, 1);
    }
    return ok;
}

bool pliant__put_number(pliant__bytes *to, double value, char after)
{
    char   number[PLIANT__NUMBER_SIZE + 1];
    size_t length = pliant__format_number(number, value, PLIANT__REAL_DIGITS);
    number[length] = after;
    return pliant__put(to, number, length + 1);
}

bool pliant__put_count(pliant__bytes *to, uint64_t value, char after)
{
    char   digits[24];
    size_t at = sizeof digits;
    digits[--at] = after;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    return pliant__put(to, digits + at, sizeof digits - at);
}

uint32_t pliant__digits(uint64_t number)
{
    uint32_t digits = 1;
    for (; number > 9; number /= 10) digits++;
    return digits;
}

bool pliant__take_real(const char *text, size_t length, pliant_real *value)
{
    double number;
    if (pliant__parse_number(text, length, &number) != PLIANT__NUMBER_OK) return false;
    *value = (pliant_real)number;
    return *value - *value == 0;
}

bool pliant__take_count(const char **at, const char *end, uint64_t *value)
{
    const char *p = *at;
    for (*value = 0; p < end && *p >= '0' && *p <= '9' && p - *at < 19; p++) *value = *value * 10 + (uint64_t)(*p - '0');
    bool canonical = p > *at && (**at != '0' || p == *at + 1);
    *at = p;
    return canonical;
}
