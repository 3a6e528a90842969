#include "base/error.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static void fill(pliant_error *error, pliant_code code, const char *path, int line, const char *format, va_list args)
{
    if (!error) return;
    error->code = code;
    error->line = line;
    snprintf(error->path, sizeof error->path, "%s", path);
    vsnprintf(error->message, sizeof error->message, format, args);
}

bool pliant__fail(pliant_error *error, pliant_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(error, code, "", 0, format, args);
    va_end(args);
    return false;
}

bool pliant__fail_at(pliant_error *error, pliant_code code, const char *path, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(error, code, path, line, format, args);
    va_end(args);
    return false;
}

bool pliant__fail_memory(pliant_error *error, uint64_t bytes, const char *what)
{
    return pliant__fail(error, PLIANT_ERROR_MEMORY, "out of memory: %llu bytes for %s", (unsigned long long)bytes, what);
}

pliant_code pliant__answer(bool done, const pliant_error *mine, pliant_error *error)
{
    if (done) return PLIANT_OK;
    assert(mine->code); /* every failure says its code */
    if (error) *error = *mine;
    return mine->code ? mine->code : PLIANT_ERROR_MEMORY;
}

const char *pliant_code_name(pliant_code code)
{
    static const char *const names[] = {"ok",       "bad argument", "bad input",  "input or output failed", "out of memory",
                                        "diverged", "unavailable",  "interrupted"};
    return (unsigned)code < sizeof names / sizeof *names ? names[code] : "unknown error";
}
