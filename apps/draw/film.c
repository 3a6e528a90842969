/* A film is a child process that reads raw frames and writes a file.
 *
 * Its standard input is a socket, not a pipe: a send can be told not to raise SIGPIPE, so nothing need be done to the signals of the
 * program. Its standard error is a pipe, which is emptied while frames are sent; else a talkative child and we would wait for each other.
 *
 * Ctrl-C goes to every process of the terminal's group. The child has SIGINT blocked (SIGTERM and SIGHUP too, which reach groups just as
 * well), so that the program can end a film that was interrupted; when the program dies, the child sees the end of its input.
 *
 * The same frames give the same bytes: the count of encoder threads is part of H.264's result, so it is fixed, and the rest of ffmpeg is told
 * to be exact. */
#define _POSIX_C_SOURCE 200809L
#include "draw/film.h"
#include "draw/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define GIF_FPS 50.0

extern char **environ;

struct draw_film {
    char        *path, *temporary;
    size_t       frame_size;
    uint64_t     frames;
    pid_t        child;         /* 0: none, or reaped */
    int          input, output; /* to its standard input, from its standard error; -1: closed */
    char         messages[300]; /* the beginning of the child's messages */
    size_t       messages_length;
    pliant_error failure; /* the first one */
};

/* ---- the formats ---- */

#define MP4_FILTER                          \
    "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0," \
    "scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int+bitexact,format=yuv420p"

/* One palette for all frames; a dither that does not crawl from frame to frame. ffmpeg keeps all frames until it knows the palette. */
#define GIF_PALETTE "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=bayer:bayer_scale=2:diff_mode=rectangle"

typedef struct film_format {
    const char *ending;
    uint32_t    least; /* pixels along a side */
    const char *arguments[24];
} film_format;

static const film_format formats[] = {
    {".mp4", 2, {"-vf",       MP4_FILTER,   "-c:v",        "libx264", "-preset",          "medium", "-crf",       "18",
                 "-threads",  "4",          "-colorspace", "bt709",   "-color_primaries", "bt709",  "-color_trc", "bt709",
                 "-movflags", "+faststart", "-f",          "mp4"}},
    {".gif", 1, {"-threads", "1", "-f", "gif"}}};

static const film_format *find_format(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t ending = strlen(formats[i].ending);
        if (length > ending && strcasecmp(path + length - ending, formats[i].ending) == 0) return &formats[i];
    }
    return NULL;
}

bool draw_is_film(const char *path) { return find_format(path) != NULL; }

/* ---- starting the child ---- */

#define MAX_ARGUMENTS 64

typedef struct command {
    const char *arguments[MAX_ARGUMENTS];
    int         count;
    char        size[32], rate[32], filter[256], *output;
} command;

static void say(command *c, const char *argument) { c->arguments[c->count++] = argument; }

static void say_all(command *c, const char *const *arguments, size_t most)
{
    for (size_t i = 0; i < most && arguments[i]; i++) say(c, arguments[i]);
}

/* "file:" keeps ffmpeg from taking a name for an option or an address. Without -xerror a disk that is full at the end counts as success. */
static bool make_command(command *c, const film_format *format, const char *path, uint32_t width, uint32_t height, double fps)
{
    static const char *const head[] = {"ffmpeg", "-nostdin", "-hide_banner", "-loglevel",     "error", "-xerror",
                                       "-y",     "-f",       "rawvideo",     "-pixel_format", "rgb24", NULL};
    static const char *const exact[] = {"-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1", NULL};
    size_t                   room = strlen(path) + 8;
    c->count = 0;
    c->output = malloc(room);
    if (!c->output) return false;
    snprintf(c->size, sizeof c->size, "%ux%u", width, height);
    snprintf(c->rate, sizeof c->rate, "%ld/1000", lround(1000 * fps));
    snprintf(c->filter, sizeof c->filter, "%s%s", fps > GIF_FPS ? "fps=50," : "", GIF_PALETTE);
    snprintf(c->output, room, "file:%s", path);
    say_all(c, head, 16);
    const char *const input[] = {"-video_size", c->size, "-framerate", c->rate, "-i", "pipe:0", NULL};
    say_all(c, input, 8);
    const char *const palette[] = {"-filter_complex", c->filter, NULL};
    if (strcmp(format->ending, ".gif") == 0) say_all(c, palette, 2);
    say_all(c, format->arguments, sizeof format->arguments / sizeof *format->arguments);
    say_all(c, exact, 8);
    say(c, c->output);
    say(c, NULL);
    return true;
}

static void close_handle(int *handle)
{
    if (*handle >= 0) close(*handle);
    *handle = -1;
}

/* Out of the way of the child's 0, 1 and 2, which a program may have closed. */
static bool lift(int *handle)
{
    if (*handle > 2) return true;
    int higher = fcntl(*handle, F_DUPFD_CLOEXEC, 3);
    if (higher < 0) return false;
    close(*handle);
    *handle = higher;
    return true;
}

/* near[0] and far[0]: frames; near[1] and far[1]: the child's messages. None of them may live on in another child: it would keep this one's input
 * open. */
static bool make_channels(int near[2], int far[2])
{
    int frames[2], words[2];
    near[0] = near[1] = far[0] = far[1] = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, frames) != 0) return false;
    near[0] = frames[0], far[0] = frames[1];
    if (pipe(words) != 0) return false;
    near[1] = words[0], far[1] = words[1];
    fcntl(near[1], F_SETFD, FD_CLOEXEC);
    fcntl(far[1], F_SETFD, FD_CLOEXEC);
    return lift(&near[0]) && lift(&near[1]) && lift(&far[0]) && lift(&far[1]);
}

/* 0 or an errno. */
static int spawn(pid_t *child, const int far[2], const char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t          attributes;
    sigset_t                   blocked, plain;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGHUP);
    sigemptyset(&plain);
    sigaddset(&plain, SIGPIPE);
    int number = posix_spawn_file_actions_init(&actions);
    if (number) return number;
    number = posix_spawnattr_init(&attributes);
    if (!number) {
        number = posix_spawn_file_actions_adddup2(&actions, far[0], 0);
        if (!number) number = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        if (!number) number = posix_spawn_file_actions_adddup2(&actions, far[1], 2);
        if (!number) number = posix_spawnattr_setsigmask(&attributes, &blocked);
        if (!number) number = posix_spawnattr_setsigdefault(&attributes, &plain);
        if (!number) number = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        if (!number) number = posix_spawnp(child, arguments[0], &actions, &attributes, (char *const *)(uintptr_t)arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return number;
}

static bool start(draw_film *f, const film_format *format, uint32_t width, uint32_t height, double fps, pliant_error *error)
{
    command c;
    int     near[2], far[2], number = ENOMEM;
    if (!make_command(&c, format, f->temporary, width, height, fps)) return draw_fail_system(error, f->path, number);
    number = make_channels(near, far) ? spawn(&f->child, far, c.arguments) : errno;
    f->input = near[0];
    f->output = near[1];
    close_handle(&far[0]);
    close_handle(&far[1]);
    free(c.output);
    if (!number) return true;
    f->child = 0;
    if (number == ENOENT || number == EACCES || number == ENOTDIR)
        return draw_fail(error, PLIANT_ERROR_UNAVAILABLE, f->path,
                         "ffmpeg is not installed, which makes MP4 and GIF (on Debian: apt-get install ffmpeg)");
    return draw_fail(error, number == ENOMEM ? PLIANT_ERROR_MEMORY : PLIANT_ERROR_UNAVAILABLE, f->path, "ffmpeg does not start: %s",
                     strerror(number));
}

/* ---- its end ---- */

/* Keeps the beginning, which is where a program says what is wrong; reads the rest too. False at the end. */
static bool listen_once(draw_film *f)
{
    char    text[512];
    ssize_t got = read(f->output, text, sizeof text);
    if (got < 0) return errno == EINTR;
    size_t room = sizeof f->messages - 1 - f->messages_length, kept = (size_t)got < room ? (size_t)got : room;
    memcpy(f->messages + f->messages_length, text, kept);
    f->messages_length += kept;
    return got > 0;
}

/* Characters of "[libx264 @ 0x55d0c8a1e2c0] message" to leave out: an address in ffmpeg's memory is of no use. */
static size_t prefix_length(const char *line)
{
    const char *end = *line == '[' ? strstr(line, "] ") : NULL, *at = end ? strchr(line, '@') : NULL;
    return at && at < end ? (size_t)(end - line) + 2 : 0;
}

/* Its lines as one, "broken; Conversion failed!". Changes what was kept. */
static void tidy(char *messages, char *out, size_t size)
{
    char  *rest = NULL;
    size_t used = 0;
    *out = 0;
    for (char *line = strtok_r(messages, "\r\n", &rest); line && used < size; line = strtok_r(NULL, "\r\n", &rest))
        used += (size_t)snprintf(out + used, size - used, "%s%s", used ? "; " : "", line + prefix_length(line));
    for (; *out; out++)
        if ((unsigned char)*out < ' ') *out = ' ';
}

/* Closes the channels and waits. `status` as of waitpid, or -1. */
static int reap(draw_film *f)
{
    int status = -1;
    close_handle(&f->input);
    while (f->output >= 0 && listen_once(f)) continue;
    close_handle(&f->output);
    if (f->child)
        while (waitpid(f->child, &status, 0) < 0) {
            if (errno == EINTR) continue;
            status = -1;
            break;
        }
    f->child = 0;
    return status;
}

static bool repeat_failure(const draw_film *f, pliant_error *error)
{
    if (error) *error = f->failure;
    return false;
}

/* The child's messages and its end, as the film's failure. */
static bool fail_child(draw_film *f, int status, pliant_error *error)
{
    char tidied[sizeof f->messages + 32], how[64];
    tidy(f->messages, tidied, sizeof tidied);
    if (status != -1 && WIFSIGNALED(status))
        snprintf(how, sizeof how, "ffmpeg was killed by signal %d", WTERMSIG(status));
    else if (status != -1 && WEXITSTATUS(status))
        snprintf(how, sizeof how, "ffmpeg failed with status %d", WEXITSTATUS(status));
    else
        snprintf(how, sizeof how, "ffmpeg ended too early");
    draw_fail(&f->failure, PLIANT_ERROR_IO, f->path, "%s%s%s", how, *tidied ? ": " : "", tidied);
    unlink(f->temporary);
    return repeat_failure(f, error);
}

static void release(draw_film *f)
{
    close_handle(&f->input);
    close_handle(&f->output);
    free(f->path);
    free(f->temporary);
    free(f);
}

/* ---- the functions of film.h ---- */

/* NAME.PID.tmp.mp4, made at once: a folder that cannot be written to should be known before anything is simulated. */
static bool make_file(draw_film *f, const char *path, const film_format *format, pliant_error *error)
{
    size_t room = strlen(path) + 40;
    f->path = malloc(room);
    f->temporary = malloc(room);
    if (!f->path || !f->temporary) return draw_fail_system(error, path, ENOMEM);
    snprintf(f->path, room, "%s", path);
    snprintf(f->temporary, room, "%s.%ld.tmp%s", path, (long)getpid(), format->ending);
    int handle = open(f->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (handle < 0) return draw_fail_system(error, path, errno);
    close(handle);
    return true;
}

static const film_format *check(const char *path, uint32_t width, uint32_t height, double fps, pliant_error *error)
{
    const film_format *format = find_format(path);
    if (!format)
        draw_fail(error, PLIANT_ERROR_ARGUMENT, path, "a film ends in .mp4 or .gif");
    else if (width < format->least || height < format->least || width > 16384 || height > 16384)
        draw_fail(error, PLIANT_ERROR_ARGUMENT, path, "a film has %u to 16384 pixels along a side", format->least);
    else if (!(fps >= 0.01 && fps <= 1000))
        draw_fail(error, PLIANT_ERROR_ARGUMENT, path, "a film has 0.01 to 1000 frames per second");
    else
        return format;
    return NULL;
}

draw_film *draw_film_open(const char *path, uint32_t width, uint32_t height, double fps, pliant_error *error)
{
    const film_format *format = check(path, width, height, fps, error);
    if (!format) return NULL;
    draw_film *f = calloc(1, sizeof *f);
    if (!f) {
        draw_fail_system(error, path, ENOMEM);
        return NULL;
    }
    f->input = f->output = -1;
    f->frame_size = (size_t)width * height * 3;
    if (make_file(f, path, format, error)) {
        if (start(f, format, width, height, fps, error)) return f;
        unlink(f->temporary);
    }
    release(f);
    return NULL;
}

/* Sends as many bytes as fit without waiting; 0 for none now, -1 if the child does not read any more. */
static ssize_t send_some(draw_film *f, const uint8_t *bytes, size_t size)
{
    ssize_t put = send(f->input, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put >= 0) return put;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
}

bool draw_film_frame(draw_film *f, const uint8_t *rgb, pliant_error *error)
{
    if (f->failure.code) return repeat_failure(f, error);
    for (size_t done = 0; done < f->frame_size;) {
        struct pollfd channels[] = {{f->input, POLLOUT, 0}, {f->output, POLLIN, 0}};
        if (poll(channels, 2, -1) < 0) continue;                              /* a signal */
        if (channels[1].revents && !listen_once(f)) close_handle(&f->output); /* poll skips -1 */
        if (!channels[0].revents) continue;
        ssize_t put = send_some(f, rgb + done, f->frame_size - done);
        if (put < 0) return fail_child(f, reap(f), error);
        done += (size_t)put;
    }
    f->frames++;
    return true;
}

static bool finish(draw_film *f, pliant_error *error)
{
    struct stat is;
    if (f->failure.code) return repeat_failure(f, error);
    int status = reap(f);
    if (status != 0 || stat(f->temporary, &is) != 0 || is.st_size == 0) return fail_child(f, status, error);
    if (rename(f->temporary, f->path) == 0) return true;
    draw_fail_system(error, f->path, errno);
    unlink(f->temporary);
    return false;
}

bool draw_film_close(draw_film *f, pliant_error *error)
{
    if (!f) return true;
    if (!f->frames && !f->failure.code) {
        draw_fail(error, PLIANT_ERROR_ARGUMENT, f->path, "a film needs a frame");
        draw_film_abort(f);
        return false;
    }
    bool ok = finish(f, error);
    release(f);
    return ok;
}

void draw_film_abort(draw_film *f)
{
    if (!f) return;
    if (f->child) {
        kill(f->child, SIGKILL);
        reap(f);
        unlink(f->temporary);
    }
    release(f);
}
