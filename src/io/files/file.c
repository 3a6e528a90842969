/* POSIX files. Nothing else in Pliant touches a file. */
#define _XOPEN_SOURCE 700 /* realpath */
#define _FILE_OFFSET_BITS 64
#include "io/files/file.h"

#include "pliant/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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

char *pliant__path_beside(const char *path, size_t length, const char *ending)
{
    const size_t head = strlen(path) - length, size = strlen(ending) + 1;
    const bool   capitals = length > 1 && path[head + 1] >= 'A' && path[head + 1] <= 'Z';
    char        *other = malloc(head + size);
    if (!other) return NULL;
    memcpy(other, path, head);
    for (size_t i = 0; i < size; i++) other[head + i] = (char)(capitals && ending[i] >= 'a' ? ending[i] - 32 : ending[i]);
    return other;
}

const char *pliant_system_message(int number)
{
    return number == EFBIG ? "No space: a file may not be larger here (ulimit -f, or the disk's format)" : strerror(number);
}

static bool fail_system(pliant_error *error, pliant_code code, const char *path, int number)
{
    return pliant__fail_at(error, number == ENOMEM ? PLIANT_ERROR_MEMORY : code, path, 0, "%s", pliant_system_message(number));
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

static bool check_regular(const struct stat *s, const char *path, pliant_error *error)
{
    if (S_ISDIR(s->st_mode)) return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "a folder, not a file");
    return S_ISREG(s->st_mode) || pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "a pipe or a device, not a file");
}

/* A pipe is not opened at all: its writer would take that for a reader. O_NONBLOCK: a pipe that has come there since does not block. */
bool pliant__source_open(pliant__source *source, const char *path, pliant_error *error)
{
    struct stat s = {0};
    size_t      size = strlen(path) + 1;
    *source = (pliant__source){.handle = -1};
    if (stat(path, &s) != 0) return fail_read(error, path, errno);
    if (!check_regular(&s, path, error)) return false;
    source->handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (source->handle < 0 || fstat(source->handle, &s) != 0) return fail_read(error, path, errno);
    if (!check_regular(&s, path, error)) return false;
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

/* A path that is not there is placed by the last of its folders that is. A path with ".." behind a folder that is not there is nowhere. */
static char *real_place(const char *path)
{
    char *real = realpath(path, NULL), *folder = NULL;
    if (real || errno != ENOENT) return real;
    size_t length = strlen(path);
    if (!(folder = malloc(length + 2))) return errno = ENOMEM, NULL;
    memcpy(folder, path, length);
    do {
        size_t end = length;
        while (length && folder[length - 1] != '/') length--;
        if (end - length == 2 && memcmp(folder + length, "..", 2) == 0) break;
        strcpy(folder + length, ".");
        real = realpath(folder, NULL);
        while (length && folder[length - 1] == '/') length--;
    } while (!real && errno == ENOENT && length);
    free(folder);
    return real;
}

pliant__where pliant__file_where(const char *path, const char *folder)
{
    struct stat   s = {0};
    char         *real = real_place(path);
    const bool    unknown = !real && errno == ENOMEM;
    char         *root = realpath(*folder ? folder : ".", NULL);
    pliant__where where = unknown || (!root && errno == ENOMEM) ? PLIANT__NO_MEMORY : PLIANT__OUTSIDE;
    size_t        length = root ? strlen(root) : 0;
    if (length == 1) length = 0; /* "/" */
    if (real && root && strncmp(real, root, length) == 0 && (real[length] == '/' || !real[length])) where = PLIANT__INSIDE;
    if (where == PLIANT__INSIDE && stat(path, &s) == 0 && !S_ISREG(s.st_mode)) where = PLIANT__NO_FILE;
    free(real);
    free(root);
    return where;
}

bool pliant__file_map(const char *path, const void **data, size_t *size, pliant_error *error)
{
    pliant__source file;
    void          *at = NULL;
    bool           ok = pliant__source_open(&file, path, error);
    if (ok && file.size > SIZE_MAX) ok = fail_read(error, path, ENOMEM);
    if (ok && file.size) {
        at = mmap(NULL, (size_t)file.size, PROT_READ, MAP_PRIVATE, file.handle, 0);
        if (at == MAP_FAILED) ok = fail_read(error, path, errno);
    }
    *data = ok ? at : NULL;
    *size = ok ? (size_t)file.size : 0;
    pliant__source_close(&file);
    return ok;
}

void pliant__file_unmap(const void *data, size_t size)
{
    void *at;
    memcpy(&at, &data, sizeof at);
    if (at) munmap(at, size);
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
    struct stat s = {0};
    return stat(path, &s) == 0;
}

/* ---- writing ---- */

/* The folder that a file lies in, from malloc. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t      length = slash ? (size_t)(slash - path) + 1 : 1;
    char       *folder = malloc(length + 1);
    if (!folder) return NULL;
    memcpy(folder, slash ? path : ".", length);
    folder[length] = 0;
    return folder;
}

static void forget(pliant__file *file)
{
    free(file->path);
    free(file->temporary);
    *file = (pliant__file){.handle = -1};
}

/* The writer of a file holds a lock on it until it is closed, or the process is gone. Where a file system has no locks, nothing is locked. */
static bool lock(int handle, const char *path, pliant_error *error)
{
    return flock(handle, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK ||
           pliant__fail_at(error, PLIANT_ERROR_IO, path, 0, "another process is writing it");
}

bool pliant__file_hold(int *handle, const char *folder, pliant_error *error)
{
    *handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*handle < 0) return fail_system(error, PLIANT_ERROR_IO, folder, errno);
    return lock(*handle, folder, error);
}

void pliant__file_let_go(int handle)
{
    if (handle >= 0) close(handle);
}

/* Whether the thing that will be replaced is a file, and no process writes it. */
static bool is_free(const char *path, pliant_error *error)
{
    struct stat s = {0};
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode))
        return pliant__fail_at(error, PLIANT_ERROR_IO, path, 0, "a folder, a pipe or a device; it is not replaced by a file");
    int  handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool is = handle < 0 || lock(handle, path, error);
    if (handle >= 0) close(handle);
    return is;
}

/* The temporary name has the process in it, so that two runs into one folder do not meet. Where they do, each in a container with numbers of
 * its own, or two writers of one process, the second finds it locked, and its bytes as they are: only the holder of the lock empties it. */
bool pliant__file_open(pliant__file *file, const char *path, pliant_error *error)
{
    size_t room = strlen(path) + 32;
    *file = (pliant__file){.handle = -1, .path = malloc(room), .temporary = malloc(room)};
    if (!file->path || !file->temporary) return forget(file), pliant__fail_memory(error, room, "a path");
    snprintf(file->path, room, "%s", path);
    snprintf(file->temporary, room, "%s.%ld.tmp", path, (long)getpid());
    if (!is_free(path, error)) return forget(file), false;
    file->handle = open(file->temporary, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file->handle < 0) return fail_system(error, PLIANT_ERROR_IO, path, errno), forget(file), false;
    bool ok = lock(file->handle, path, error);
    if (ok && ftruncate(file->handle, 0) != 0) ok = fail_system(error, PLIANT_ERROR_IO, path, errno);
    if (ok) return true;
    close(file->handle);
    return forget(file), false;
}

void pliant__file_share(const pliant__file *file) { flock(file->handle, LOCK_SH | LOCK_NB); }

uint64_t pliant__file_room(const char *path)
{
    struct statvfs s;
    char          *folder = folder_of(path);
    uint64_t       room = UINT64_MAX;
    if (folder && statvfs(folder, &s) == 0 && s.f_blocks) room = (uint64_t)s.f_bavail * s.f_frsize;
    free(folder);
    return room;
}

bool pliant__file_reopen(pliant__file *file, const char *path, uint64_t size, pliant_error *error)
{
    size_t room = strlen(path) + 1;
    *file = (pliant__file){.handle = -1, .path = malloc(room), .good = size, .end = size};
    if (!file->path) return forget(file), pliant__fail_memory(error, room, "a path");
    memcpy(file->path, path, room);
    file->handle = open(path, O_WRONLY | O_CLOEXEC);
    if (file->handle >= 0 && lock(file->handle, path, error)) return true;
    if (file->handle < 0)
        fail_system(error, PLIANT_ERROR_IO, path, errno);
    else
        close(file->handle);
    return forget(file), false;
}

bool pliant__file_cut(pliant__file *file, pliant_error *error)
{
    return ftruncate(file->handle, (off_t)file->good) == 0 || fail_system(error, PLIANT_ERROR_IO, file->path, errno);
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

/* The folder too: a file that has no name there is lost with all its bytes. Some file systems cannot, and say EINVAL. */
static bool sync_folder(const char *path, pliant_error *error)
{
    char *folder = folder_of(path);
    if (!folder) return pliant__fail_memory(error, strlen(path), "a path");
    int  handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = handle >= 0 && (fsync(handle) == 0 || errno == EINVAL);
    if (!ok) fail_system(error, PLIANT_ERROR_IO, folder, errno);
    if (handle >= 0) close(handle);
    free(folder);
    return ok;
}

static bool sync_bytes(const pliant__file *file, pliant_error *error)
{
    return fsync(file->handle) == 0 || errno == EINVAL || fail_system(error, PLIANT_ERROR_IO, file->path, errno);
}

bool pliant__file_sync(const char *path, pliant_error *error)
{
    int  handle = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = handle >= 0 && (fsync(handle) == 0 || errno == EINVAL);
    if (!ok) fail_system(error, PLIANT_ERROR_IO, path, errno);
    if (handle >= 0) close(handle);
    return ok && sync_folder(path, error);
}

bool pliant__file_write(const char *path, const pliant__piece *pieces, size_t count, pliant_error *error)
{
    pliant__file file;
    pliant__file_sweep(path);
    bool ok = pliant__file_open(&file, path, error);
    if (!ok) return false;
    for (size_t i = 0; ok && i < count; i++) ok = pliant__file_append(&file, pieces[i].data, pieces[i].size, error);
    ok = ok && pliant__file_settle(&file, error);
    return pliant__file_close(&file, ok ? error : NULL) && ok;
}

bool pliant__file_commit(pliant__file *file, pliant_error *error)
{
    struct stat now = {0};
    if (!file->temporary && fstat(file->handle, &now) == 0 && now.st_nlink == 0)
        return pliant__fail_at(error, PLIANT_ERROR_IO, file->path, 0, "it was removed while it was written");
    file->good = file->end;
    if (!file->temporary) return true;
    if (rename(file->temporary, file->path) != 0) return fail_system(error, PLIANT_ERROR_IO, file->path, errno);
    free(file->temporary);
    file->temporary = NULL;
    return true;
}

bool pliant__file_settle(pliant__file *file, pliant_error *error)
{
    return sync_bytes(file, error) && pliant__file_commit(file, error) && sync_folder(file->path, error);
}

/* While it is still locked: no other process can have begun to write it. */
bool pliant__file_remove(pliant__file *file, pliant_error *error)
{
    bool ok = unlink(file->path) == 0 || fail_system(error, PLIANT_ERROR_IO, file->path, errno);
    file->good = UINT64_MAX; /* nothing is cut off */
    return pliant__file_close(file, ok ? error : NULL) && ok;
}

bool pliant__file_close(pliant__file *file, pliant_error *error)
{
    bool ok = true;
    if (file->handle >= 0) {
        if (file->temporary) {
            unlink(file->temporary);
        } else {
            /* Always, not only if end > good: a write that failed half way has not moved `end`. */
            struct stat now = {0};
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

/* ---- temporary files left behind ---- */

bool pliant__file_is_leftover(const char *name, size_t *length)
{
    size_t end = strlen(name), digits = 0;
    if (end < 6 || strcmp(name + end - 4, ".tmp") != 0) return false;
    for (end -= 4; digits < end && name[end - 1 - digits] >= '0' && name[end - 1 - digits] <= '9';) digits++;
    if (!digits || digits > 9 || end == digits || name[end - 1 - digits] != '.') return false;
    long process = strtol(name + end - digits, NULL, 10);
    *length = end - digits - 1;
    return process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

/* A process that is not here may be in another container or on another machine: as long as it writes, it holds the lock. */
bool pliant__file_remove_leftover(const char *path)
{
    int  handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool left = handle < 0 || flock(handle, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (handle >= 0) close(handle);
    return !left || unlink(path) == 0;
}

typedef struct leftovers {
    const char *folder, *name;
    size_t      folder_length, name_length;
} leftovers;

static void sweep_name(void *context, const char *name)
{
    const leftovers *l = context;
    size_t           length;
    char             path[4096];
    if (!pliant__file_is_leftover(name, &length) || length != l->name_length || memcmp(name, l->name, length) != 0) return;
    int whole = snprintf(path, sizeof path, "%.*s%s", (int)l->folder_length, l->folder, name);
    if (whole > 0 && (size_t)whole < sizeof path) pliant__file_remove_leftover(path);
}

void pliant__file_sweep(const char *path)
{
    const char *slash = strrchr(path, '/');
    leftovers   l = {.folder = path, .folder_length = slash ? (size_t)(slash - path) + 1 : 0};
    char        folder[4096] = ".";
    l.name = path + l.folder_length;
    l.name_length = strlen(l.name);
    if (l.folder_length >= sizeof folder) return;
    if (slash) memcpy(folder, path, l.folder_length + 1);
    if (slash) folder[l.folder_length] = 0;
    pliant__folder_walk(folder, sweep_name, &l, NULL);
}
