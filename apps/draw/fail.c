/* Errors, filled in one place. */
#include "draw/fail.h"

#include "pliant/io.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool draw_fail(pliant_error *error, pliant_code code, const char *path, const char *format, ...)
{
    if (!error) return false;
    va_list arguments;
    va_start(arguments, format);
    *error = (pliant_error){.code = code};
    if (path) snprintf(error->path, sizeof error->path, "%.255s", path);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

bool draw_fail_system(pliant_error *error, const char *path, int number)
{
    return draw_fail(error, number == ENOMEM ? PLIANT_ERROR_MEMORY : PLIANT_ERROR_IO, path, "%s", pliant_system_message(number));
}
