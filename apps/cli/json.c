/* What the command prints as JSON. The command never sets a locale, so a point is a point. */
#include "cli.h"

#include <stdio.h>

void cli_print_json_text(const char *text)
{
    putchar('"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if ((unsigned char)*c < 32)
            printf("\\u%04x", (unsigned)(unsigned char)*c);
        else
            putchar(*c);
    }
    putchar('"');
}

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
