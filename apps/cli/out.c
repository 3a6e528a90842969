#define _POSIX_C_SOURCE 200809L
#include "out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(pliant_error *error, const char *path, int number)
{
    *error = (pliant_error){.code = number == ENOMEM ? PLIANT_ERROR_MEMORY : PLIANT_ERROR_IO};
    snprintf(error->path, sizeof error->path, "%.255s", path);
    snprintf(error->message, sizeof error->message, "%s", pliant_system_message(number));
    return false;
}

/* Whether something lies there that is no file. */
static bool is_other(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

bool cli_out_open(cli_out *out, const char *path, pliant_error *error)
{
    size_t room = strlen(path) + 32;
    *out = (cli_out){0};
    if (is_other(path)) {
        fail(error, path, EIO);
        snprintf(error->message, sizeof error->message, "a folder, a pipe or a device, not a file");
        return false;
    }
    *out = (cli_out){.path = path, .temporary = malloc(room)};
    if (!out->temporary) return fail(error, path, ENOMEM);
    snprintf(out->temporary, room, "%s.%ld.tmp", path, (long)getpid());
    out->file = fopen(out->temporary, "w");
    if (out->file) return true;
    fail(error, path, errno);
    free(out->temporary);
    out->temporary = NULL;
    return false;
}

static bool end(cli_out *out, pliant_error *error)
{
    errno = 0;
    bool lost = fflush(out->file) != 0 || ferror(out->file);
    int  number = errno ? errno : EIO;
    if (fclose(out->file) != 0 && !lost) {
        lost = true;
        number = errno;
    }
    out->file = NULL;
    return !lost || fail(error, out->path, number);
}

bool cli_out_finish(cli_out *outs, uint32_t count, pliant_error *error)
{
    for (uint32_t i = 0; i < count; i++)
        if (!end(&outs[i], error)) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (rename(outs[i].temporary, outs[i].path) != 0) return fail(error, outs[i].path, errno);
        free(outs[i].temporary);
        outs[i].temporary = NULL;
    }
    return true;
}

void cli_out_drop(cli_out *out)
{
    if (out->file) fclose(out->file);
    if (out->temporary) unlink(out->temporary);
    free(out->temporary);
    *out = (cli_out){0};
}
