/* What goes to standard error: errors, notices, and how the command was used wrongly. */
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int cli_exit_code(pliant_code code)
{
    static const int codes[] = {CLI_GOOD,      CLI_BAD_INPUT, CLI_BAD_INPUT,   CLI_IO_FAILED,
                                CLI_NO_MEMORY, CLI_DIVERGED,  CLI_UNAVAILABLE, CLI_INTERRUPTED};
    return (unsigned)code < sizeof codes / sizeof *codes ? codes[code] : CLI_CHECK_FAILED;
}

/* One line on standard error, whatever is in the names that it has: a line break or a terminal's command in one is a question mark. */
static void say(const char *format, ...)
{
    char    line[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < 32 || *c == 127) *c = '?';
    fprintf(stderr, "%s\n", line);
}

int cli_fail(const pliant_error *error)
{
    const char *message = *error->message ? error->message : pliant_code_name(error->code);
    char        line[16] = "", memory[96] = "";
    uint64_t    wanted, there;
    if (*error->path && error->line) snprintf(line, sizeof line, ":%d", error->line);
    if (error->code == PLIANT_ERROR_MEMORY && cli_memory_refused(&wanted, &there)) {
        const int length = snprintf(memory, sizeof memory, " (%llu bytes in all", (unsigned long long)wanted);
        if (wanted > there)
            snprintf(memory + length, sizeof memory - (size_t)length, ", and there are %llu)", (unsigned long long)there);
        else
            strcpy(memory + length, ")");
    }
    say("%s%s: %s%s", *error->path ? error->path : "pliant", line, message, memory);
    return cli_exit_code(error->code);
}

void cli_print_notice(const char *text, void *context)
{
    (void)context;
    say("pliant: note: %s", text);
}

int cli_usage_error(const char *format, ...)
{
    char    text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say("pliant: %s", text);
    return CLI_BAD_INPUT;
}
