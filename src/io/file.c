/* POSIX files. Nothing else in Pliant touches a file. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "io/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST_INPUT (1ull << 30)

bool pliant__path_ends(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    for (size_t i = 0; n > m && i < m; i++) {
        char c = path[n - m + i];
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != ending[i]) return false;
    }
    return n > m;
}

static bool fail_system(pliant_error *error, pliant_code code, const char *path, int number)
{
    return pliant__fail_at(error, number == ENOMEM ? PLIANT_ERROR_MEMORY : code, path, 0, "%s", strerror(number));
}

static bool fail_read(pliant_error *error, const char *path, int number)
{
    bool absent = number == ENOENT || number == ENOTDIR || number == EISDIR || number == ENAMETOOLONG || number == ELOOP;
    return fail_system(error, absent ? PLIANT_ERROR_INPUT : PLIANT_ERROR_IO, path, number);
}

/* Grows by doubling, so that pipes can be read too. */
static char *read_all(int handle, const char *path, size_t *length, pliant_error *error)
{
    size_t room = 65536, used = 0;
    char  *text = malloc(room + 1);
    while (text) {
        ssize_t got = read(handle, text + used, room - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            fail_read(error, path, errno);
            break;
        }
        if (got == 0) {
            text[used] = 0;
            *length = used;
            return text;
        }
        used += (size_t)got;
        if (used < room) continue;
        if (room >= LARGEST_INPUT) {
            pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "larger than a gigabyte");
            break;
        }
        room *= 2;
        char *more = realloc(text, room + 1);
        if (!more) {
            pliant__fail_memory(error, room, path);
            break;
        }
        text = more;
    }
    if (!text) pliant__fail_memory(error, room, path);
    free(text);
    return NULL;
}

char *pliant__file_read(const char *path, size_t *length, pliant_error *error)
{
    int handle = open(path, O_RDONLY | O_CLOEXEC);
    if (handle < 0) {
        fail_read(error, path, errno);
        return NULL;
    }
    char *text = read_all(handle, path, length, error);
    close(handle);
    return text;
}

/* ---- reading in pieces ---- */

/* O_NONBLOCK: opening a pipe, which is refused afterwards, does not wait for its writer. */
bool pliant__source_open(pliant__source *source, const char *path, pliant_error *error)
{
    struct stat s;
    size_t      size = strlen(path) + 1;
    *source = (pliant__source){.handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    if (source->handle < 0 || fstat(source->handle, &s) != 0) return fail_read(error, path, errno);
    if (S_ISDIR(s.st_mode)) return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "a folder, not a file");
    if (!S_ISREG(s.st_mode)) return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "a pipe or a device, not a file");
    source->path = malloc(size);
    if (!source->path) return pliant__fail_memory(error, size, "a path");
    memcpy(source->path, path, size);
    source->size = (uint64_t)s.st_size;
    return true;
}

bool pliant__source_read(const pliant__source *source, uint64_t offset, void *to, size_t size, pliant_error *error)
{
    char *bytes = to;
    while (size) {
        ssize_t got = pread(source->handle, bytes, size, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail_read(error, source->path, errno);
        if (got == 0) return pliant__fail_at(error, PLIANT_ERROR_IO, source->path, 0, "it has become shorter while it was read");
        bytes += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return true;
}

void pliant__source_close(pliant__source *source)
{
    if (source->handle >= 0) close(source->handle);
    free(source->path);
    *source = (pliant__source){.handle = -1};
}

bool pliant__folder_walk(const char *path, void (*visit)(void *context, const char *name), void *context, pliant_error *error)
{
    DIR *folder = opendir(path);
    if (!folder) return fail_read(error, path, errno);
    struct dirent *entry;
    while (errno = 0, (entry = readdir(folder)) != NULL) visit(context, entry->d_name);
    int number = errno;
    closedir(folder);
    return number == 0 || fail_read(error, path, number);
}

bool pliant__file_is_there(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0;
}

/* ---- writing ---- */

/* The temporary name has the process in it, so that two runs into one folder do not meet. */
bool pliant__file_open(pliant__file *file, const char *path, pliant_error *error)
{
    *file = (pliant__file){.handle = -1};
    size_t room = strlen(path) + 32;
    file->path = malloc(room);
    file->temporary = malloc(room);
    if (!file->path || !file->temporary) {
        free(file->path);
        free(file->temporary);
        *file = (pliant__file){.handle = -1};
        return pliant__fail_memory(error, room, "a path");
    }
    snprintf(file->path, room, "%s", path);
    snprintf(file->temporary, room, "%s.%ld.tmp", path, (long)getpid());
    file->handle = open(file->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file->handle >= 0) return true;
    fail_system(error, PLIANT_ERROR_IO, path, errno);
    free(file->path);
    free(file->temporary);
    *file = (pliant__file){.handle = -1};
    return false;
}

static bool write_at(pliant__file *file, uint64_t offset, const void *data, size_t size, pliant_error *error)
{
    const char *bytes = data;
    while (size) {
        ssize_t put = pwrite(file->handle, bytes, size, (off_t)offset);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return fail_system(error, PLIANT_ERROR_IO, file->path, put < 0 ? errno : ENOSPC);
        bytes += put;
        offset += (uint64_t)put;
        size -= (size_t)put;
    }
    return true;
}

bool pliant__file_append(pliant__file *file, const void *data, size_t size, pliant_error *error)
{
    if (!write_at(file, file->end, data, size, error)) return false;
    file->end += size;
    return true;
}

bool pliant__file_patch(pliant__file *file, uint64_t offset, const void *data, size_t size, pliant_error *error)
{
    return write_at(file, offset, data, size, error);
}

bool pliant__file_commit(pliant__file *file, pliant_error *error)
{
    file->good = file->end;
    if (!file->temporary) return true;
    if (rename(file->temporary, file->path) != 0) return fail_system(error, PLIANT_ERROR_IO, file->path, errno);
    free(file->temporary);
    file->temporary = NULL;
    return true;
}

bool pliant__file_close(pliant__file *file, pliant_error *error)
{
    bool ok = true;
    if (file->handle >= 0) {
        if (file->temporary) {
            unlink(file->temporary);
        } else {
            /* Always, not only if end > good: a write that failed half way has not moved `end`. */
            struct stat now;
            if (fstat(file->handle, &now) == 0 && (uint64_t)now.st_size > file->good && ftruncate(file->handle, (off_t)file->good) != 0)
                ok = fail_system(error, PLIANT_ERROR_IO, file->path, errno);
        }
        if (close(file->handle) != 0 && ok && errno != EINTR) ok = fail_system(error, PLIANT_ERROR_IO, file->path, errno);
    }
    free(file->path);
    free(file->temporary);
    *file = (pliant__file){.handle = -1};
    return ok;
}
