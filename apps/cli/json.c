/* Printing JSON. The command never sets a locale, so the decimal point is a point. */
#include "cli.h"

#include <stdio.h>

/* How many bytes the character has that text begins with; 0: it is none of UTF-8 (RFC 3629). */
static int utf8_length(const unsigned char *c)
{
    const int      length = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
    const unsigned low = c[0] == 0xe0 ? 0xa0 : c[0] == 0xf0 ? 0x90 : 0x80, high = c[0] == 0xed ? 0x9f : c[0] == 0xf4 ? 0x8f : 0xbf;
    if (length > 1 && (c[1] < low || c[1] > high)) return 0;
    for (int i = 2; i < length; i++)
        if (c[i] < 0x80 || c[i] > 0xbf) return 0;
    return length;
}

void cli_write_json_text(FILE *to, const char *text)
{
    putc('"', to);
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        const int length = utf8_length(c);
        if (*c == '"' || *c == '\\')
            fprintf(to, "\\%c", *c);
        else if (*c < 32)
            fprintf(to, "\\u%04x", (unsigned)*c);
        else if (!length)
            fputs("\\ufffd", to); /* a file may be called anything */
        else
            fwrite(c, 1, (size_t)length, to);
        c += length ? length : 1;
    }
    putc('"', to);
}

void cli_print_json_text(const char *text) { cli_write_json_text(stdout, text); }

void cli_print_json_number(double value, int digits)
{
    if (value - value == 0)
        printf("%.*g", digits, value);
    else
        printf("null");
}

void cli_print_json_settings(const pliant_method_def *method)
{
    const pliant_setting_info *s;
    printf("{");
    for (uint32_t i = 0, n = 0; (s = pliant_setting_at(i)); i++) {
        if (!pliant_method_has(method->method, s->name)) continue;
        printf("%s\"%s\": ", n++ ? ", " : "", s->name);
        if (s->kind == PLIANT_SETTING_WORD)
            cli_print_json_text(s->words[(uint32_t)pliant_method_get(method, s->name)]);
        else
            cli_print_json_number(pliant_method_get(method, s->name), 9);
    }
    printf("}");
}
