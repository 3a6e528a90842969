/* Running pliant-import: it is started, given so much time, and its output is read.
 *
 * It is a process of its own because Assimp, which it calls, crashes, hangs or takes all memory on files that are damaged, or made to. It sets
 * its own limits on memory and processor time first thing, and closes what it inherited; the time on the clock is counted here. There is no
 * shell in between. */
#define _GNU_SOURCE /* pipe2, dladdr */
#include "io/mesh/import_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32) || defined(__EMSCRIPTEN__)

pliant_code pliant_import_find(const pliant_import_def *def, char *path, size_t size)
{
    (void)def;
    if (path && size) *path = 0;
    return PLIANT_ERROR_UNAVAILABLE;
}

char *pliant__import_run(const pliant_import_def *def, const char *path, const char *name, size_t *length, pliant_error *error)
{
    (void)def;
    (void)length;
    pliant__fail_at(error, PLIANT_ERROR_UNAVAILABLE, path, 0, "%s is not read on this system; write the mesh as .obj or .ply", name);
    return NULL;
}

#else

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* ---- the path of pliant-import ---- */

#ifndef PLIANT_IMPORT_PROGRAM
#define PLIANT_IMPORT_PROGRAM ""
#endif

static const char *const beside[] = {"pliant-import", "../libexec/pliant/pliant-import", "../../libexec/pliant/pliant-import"};

static bool is_program(const char *path) { return *path && access(path, X_OK) == 0; }

static bool take(const char *from, char *path, size_t size)
{
    const int length = snprintf(path, size, "%s", from);
    return length > 0 && (size_t)length < size && is_program(path);
}

/* Near a file of ours: the library, or the program that it is linked into. */
static bool take_beside(const char *file, char *path, size_t size)
{
    const char *slash = strrchr(file, '/');
    for (size_t i = 0; slash && i < sizeof beside / sizeof *beside; i++) {
        const int length = snprintf(path, size, "%.*s/%s", (int)(slash - file), file, beside[i]);
        if (length > 0 && (size_t)length < size && is_program(path)) return true;
    }
    return false;
}

static bool find(const pliant_import_def *def, char *path, size_t size)
{
    const char *named = def && def->program ? def->program : getenv("PLIANT_IMPORT");
    Dl_info     self;
    char        program[4096];
    if (named && *named) return take(named, path, size);
    if (dladdr(beside, &self) && self.dli_fname && take_beside(self.dli_fname, path, size)) return true;
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    return take_beside(program, path, size) || take(PLIANT_IMPORT_PROGRAM, path, size);
}

pliant_code pliant_import_find(const pliant_import_def *def, char *path, size_t size)
{
    char       program[4096];
    const bool there = find(def, program, sizeof program);
    if (there && path && strlen(program) < size) return memcpy(path, program, strlen(program) + 1), PLIANT_OK;
    if (path && size) *path = 0;
    return there ? PLIANT_ERROR_ARGUMENT : PLIANT_ERROR_UNAVAILABLE;
}

/* ---- the process ---- */

typedef struct process {
    pid_t                    id;
    int                      out; /* its standard output */
    struct timespec          until;
    const char              *path, *name;
    const pliant_import_def *def;
    pliant_error            *error;
} process;

static bool open_pipe(int ends[2])
{
#ifdef __linux__
    return pipe2(ends, O_CLOEXEC) == 0;
#else
    if (pipe(ends) != 0) return false;
    return fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
#endif
}

/* Signals as in a fresh process, and a group of its own: Ctrl-C reaches this process only, which ends the child. */
static bool set_attributes(posix_spawnattr_t *a)
{
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    return posix_spawnattr_setsigdefault(a, &all) == 0 && posix_spawnattr_setsigmask(a, &none) == 0 &&
           posix_spawnattr_setpgroup(a, 0) == 0 &&
           posix_spawnattr_setflags(a, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP) == 0;
}

static int spawn(process *p, const char *program, char *const argv[], int out)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t          attributes;
    if (posix_spawn_file_actions_init(&files) != 0) return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) return posix_spawn_file_actions_destroy(&files), ENOMEM;
    int code = ENOMEM;
    if (posix_spawn_file_actions_adddup2(&files, out, 1) == 0 &&
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0) == 0 &&
        posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0) == 0 && set_attributes(&attributes))
        code = posix_spawn(&p->id, program, &files, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return code;
}

static bool start(process *p, const char *program)
{
    char        seconds[32], memory[32], root[4096], *path = NULL, *own = NULL;
    int         ends[2];
    char       *strings[6] = {NULL};
    const char *slash = strrchr(p->path, '/');
    const int   length = p->def->root ? snprintf(root, sizeof root, "%s", p->def->root)
                                      : snprintf(root, sizeof root, "%.*s", slash ? (int)(slash - p->path) + 1 : 1, slash ? p->path : ".");
    if (length < 0 || (size_t)length >= sizeof root)
        return pliant__fail_at(p->error, PLIANT_ERROR_INPUT, p->path, 0, "the path is too long");
    if (!*root) strcpy(root, ".");
    snprintf(seconds, sizeof seconds, "%ld", (long)p->def->seconds + 1);
    snprintf(memory, sizeof memory, "%llu", (unsigned long long)p->def->memory);
    path = strdup(p->path);
    own = strdup(program);
    if (!path || !own) return free(path), free(own), pliant__fail_memory(p->error, strlen(p->path), "a path");
    strings[0] = own, strings[1] = path, strings[2] = root, strings[3] = seconds, strings[4] = memory;
    int code = open_pipe(ends) ? 0 : errno;
    if (!code) {
        code = spawn(p, program, strings, ends[1]);
        close(ends[1]);
        p->out = ends[0];
        if (code) close(ends[0]);
    }
    free(path);
    free(own);
    return code == 0 || pliant__fail_at(p->error, code == ENOMEM ? PLIANT_ERROR_MEMORY : PLIANT_ERROR_UNAVAILABLE, p->path, 0, "%.200s: %s",
                                        program, strerror(code));
}

static bool fail_time(const process *p)
{
    return pliant__fail_at(p->error, PLIANT_ERROR_INPUT, p->path, 0, "the reader of %s took longer than %g s", p->name, p->def->seconds);
}

static int milliseconds_left(const process *p)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double left = (double)(p->until.tv_sec - now.tv_sec) * 1e3 + (double)(p->until.tv_nsec - now.tv_nsec) / 1e6;
    return left <= 0 ? 0 : left > 1e6 ? 1000000 : (int)left + 1;
}

/* Waits for it to end by itself, for as long as there is time, and then ends it. False if that had to be done. */
static bool wait_for(const process *p, int *status)
{
    const struct timespec moment = {0, 1000000};
    for (;;) {
        const pid_t id = waitpid(p->id, status, WNOHANG);
        if (id == p->id) return true;
        if (id < 0 && errno != EINTR) return *status = 0, true; /* other code of this process has taken the status */
        if (!milliseconds_left(p)) break;
        nanosleep(&moment, NULL);
    }
    kill(p->id, SIGKILL);
    while (waitpid(p->id, status, 0) < 0 && errno == EINTR) continue;
    return false;
}

static void stop(const process *p)
{
    int status;
    kill(p->id, SIGKILL);
    while (waitpid(p->id, &status, 0) < 0 && errno == EINTR) continue;
}

/* More of its output. 0 at the end, -1 on error. */
static ssize_t take_some(const process *p, char *to, size_t size)
{
    for (;;) {
        struct pollfd ready = {.fd = p->out, .events = POLLIN};
        const int     left = milliseconds_left(p), found = left ? poll(&ready, 1, left) : 0;
        if (found < 0 && errno != EINTR) return pliant__fail_at(p->error, PLIANT_ERROR_IO, p->path, 0, "%s", strerror(errno)), -1;
        if (!left) return fail_time(p), -1;
        if (found <= 0) continue;
        const ssize_t got = read(p->out, to, size);
        if (got >= 0) return got;
        if (errno != EINTR) return pliant__fail_at(p->error, PLIANT_ERROR_IO, p->path, 0, "%s", strerror(errno)), -1;
    }
}

static char *take_all(const process *p, size_t *length)
{
    size_t room = 65536, used = 0;
    char  *bytes = malloc(room);
    while (bytes) {
        const ssize_t got = take_some(p, bytes + used, room - used);
        if (got == 0) return *length = used, bytes;
        used += got > 0 ? (size_t)got : 0;
        if (got > 0 && used < room) continue;
        if (got < 0 || used >= p->def->memory) {
            if (got > 0)
                pliant__fail_at(p->error, PLIANT_ERROR_INPUT, p->path, 0, "the reader of %s makes more of it than it may", p->name);
            return free(bytes), NULL;
        }
        char *more = room < SIZE_MAX / 2 ? realloc(bytes, room *= 2) : NULL;
        if (!more) free(bytes);
        bytes = more;
    }
    pliant__fail_memory(p->error, room, p->path);
    return NULL;
}

/* The message about a process that did not end well. pliant-import writes nothing but its mesh, and ends with 0 when all of it is written. */
static bool check_end(const process *p, int status)
{
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)) return fail_time(p);
    if (WIFSIGNALED(status))
        return pliant__fail_at(p->error, PLIANT_ERROR_INPUT, p->path, 0, "the reader of %s crashed (signal %d): the file is damaged",
                               p->name, WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ||
           pliant__fail_at(p->error, PLIANT_ERROR_INPUT, p->path, 0, "the reader of %s failed (status %d)", p->name, WEXITSTATUS(status));
}

char *pliant__import_run(const pliant_import_def *def, const char *path, const char *name, size_t *length, pliant_error *error)
{
    char    program[4096];
    process p = {.path = path, .name = name, .def = def, .error = error};
    int     status = 0;
    if (pliant_import_find(def, program, sizeof program) != PLIANT_OK) {
        pliant__fail_at(error, PLIANT_ERROR_UNAVAILABLE, path, 0,
                        "%s is read by the program pliant-import, which is not here: install libassimp-dev, then build Pliant again", name);
        return NULL;
    }
    clock_gettime(CLOCK_MONOTONIC, &p.until);
    p.until.tv_sec += (time_t)def->seconds;
    p.until.tv_nsec += (long)((def->seconds - (double)(time_t)def->seconds) * 1e9);
    if (!start(&p, program)) return NULL;
    char *bytes = take_all(&p, length);
    if (!bytes) {
        stop(&p);
    } else if (!(wait_for(&p, &status) ? check_end(&p, status) : fail_time(&p))) {
        free(bytes);
        bytes = NULL;
    }
    close(p.out);
    return bytes;
}

#endif
