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
