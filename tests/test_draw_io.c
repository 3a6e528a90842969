/* Laws of pictures, films and contexts: what is written reads back; what cannot be is one clear error and leaves nothing; what is missing on
 * a machine is an error and never the end of the process. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "files.h"

#include "pliant/io.h"
#include "draw/film.h"
#include "draw/gl.h"
#include "draw/offscreen.h"
#include "draw/picture.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- libraries that are not there ---- */

static const char *const *hidden; /* beginnings of names; NULL at the end */

/* In front of libc's, for this program and for the libraries that it opens. */
__attribute__((visibility("default"))) void *dlopen(const char *name, int flags)
{
    static void *(*real)(const char *, int);
    if (!real) {
        void *found = dlsym(RTLD_NEXT, "dlopen");
        memcpy(&real, &found, sizeof found);
    }
    for (const char *const *at = hidden; at && *at && name; at++)
        if (strncmp(name, *at, strlen(*at)) == 0) return real("/nowhere/hidden.so", flags);
    return real(name, flags);
}

/* ---- helpers ---- */

static char path_before[4096];

static int enter_bare_folder(void **state)
{
    snprintf(path_before, sizeof path_before, "%s", getenv("PATH"));
    unsetenv("PLIANT_GL");
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    return enter_folder(state);
}

/* After every test, whatever became of it: an empty folder, and the search path as it was. */
static int restore(void **state) { return setenv("PATH", path_before, 1) == 0 ? clear_folder(state) : -1; }

static uint32_t count_files(const char *path)
{
    uint32_t count = 0;
    DIR     *d = opendir(path);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

static void assert_one_line(const pliant_error *error)
{
    assert_true(*error->message);
    for (const char *at = error->message; *at; at++) assert_true((unsigned char)*at >= ' ');
}

/* A picture with something in it, different for each frame. */
static uint8_t *paint(uint32_t width, uint32_t height, uint32_t frame)
{
    uint8_t *rgb = malloc((size_t)width * height * 3);
    assert_non_null(rgb);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint8_t *p = rgb + 3 * ((size_t)y * width + x);
            p[0] = (uint8_t)(255 * x / width);
            p[1] = (uint8_t)(255 * y / height);
            p[2] = (uint8_t)(20 * frame);
        }
    return rgb;
}

/* What a command prints, up to a size. */
static void ask(const char *command, char *out, size_t size)
{
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    out[fread(out, 1, size - 1, pipe)] = 0;
    assert_int_equal(pclose(pipe), 0);
}

/* ---- pictures ---- */

static void picture_reads_back(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {3, 2}, {640, 361}, {1, 500}, {500, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t     width = sizes[i][0], height = sizes[i][1], w, h;
        pliant_error error;
        uint8_t     *rgb = paint(width, height, 3);
        assert_true(draw_picture_write("a.png", rgb, width, height, &error));
        uint8_t *back = draw_picture_read("a.png", &w, &h, &error);
        assert_non_null(back);
        assert_int_equal(w, width);
        assert_int_equal(h, height);
        assert_memory_equal(back, rgb, (size_t)width * height * 3);
        free(back);
        free(rgb);
    }
    size_t size;
    char  *file = read_whole("a.png", &size);
    assert_non_null(memmem(file, size, "sRGB", 4));
    free(file);
    unlink("a.png");
}

static void picture_is_the_same_bytes(void **state)
{
    (void)state;
    uint8_t *rgb = paint(64, 48, 1);
    size_t   a_size, b_size;
    assert_true(draw_picture_write("a.png", rgb, 64, 48, NULL));
    assert_true(draw_picture_write("b.png", rgb, 64, 48, NULL));
    char *a = read_whole("a.png", &a_size), *b = read_whole("b.png", &b_size);
    assert_int_equal(a_size, b_size);
    assert_memory_equal(a, b, a_size);
    free(a);
    free(b);
    free(rgb);
    unlink("a.png");
    unlink("b.png");
}

/* Every length of a small file, every bit of it. A changed bit may leave the picture whole (in the text of a chunk that does not count). */
static void broken_picture_is_refused(void **state)
{
    (void)state;
    uint8_t     *rgb = paint(7, 5, 2);
    uint32_t     width, height, refused = 0;
    size_t       size;
    pliant_error error;
    assert_true(draw_picture_write("a.png", rgb, 7, 5, &error));
    uint8_t *file = (uint8_t *)read_whole("a.png", &size);
    for (size_t length = 0; length < size; length++) {
        write_bytes("broken.png", file, length);
        assert_null(draw_picture_read("broken.png", &width, &height, &error));
        assert_int_equal(error.code, PLIANT_ERROR_INPUT);
        assert_one_line(&error);
    }
    for (size_t bit = 0; bit < 8 * size; bit++) {
        file[bit / 8] ^= (uint8_t)(1u << bit % 8);
        write_bytes("broken.png", file, size);
        uint8_t *back = draw_picture_read("broken.png", &width, &height, &error);
        refused += !back;
        free(back);
        file[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    assert_true(refused > 7 * size);
    free(file);
    free(rgb);
    unlink("a.png");
    unlink("broken.png");
}

static void absent_picture_is_bad_input(void **state)
{
    (void)state;
    uint32_t     width, height;
    pliant_error error;
    assert_null(draw_picture_read("nothing.png", &width, &height, &error));
    assert_int_equal(error.code, PLIANT_ERROR_INPUT);
    assert_null(draw_picture_read(".", &width, &height, &error));
    assert_int_equal(error.code, PLIANT_ERROR_IO);
}

static void picture_that_cannot_be_written_leaves_nothing(void **state)
{
    (void)state;
    uint8_t      rgb[12] = {0};
    pliant_error error;
    assert_false(draw_picture_write("nowhere/a.png", rgb, 2, 2, &error));
    assert_int_equal(error.code, PLIANT_ERROR_IO);
    assert_string_equal(error.path, "nowhere/a.png");
    assert_string_equal(error.message, strerror(ENOENT));
    assert_int_equal(mkdir("taken.png", 0777), 0);
    assert_false(draw_picture_write("taken.png", rgb, 2, 2, &error));
    assert_int_equal(error.code, PLIANT_ERROR_IO);
    rmdir("taken.png");
    assert_false(draw_picture_write("a.png", rgb, 0, 2, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_int_equal(count_files("."), 0);
}

/* A limit on file sizes stands for a full disk; children inherit it. */
static struct rlimit full_disk(rlim_t bytes)
{
    struct rlimit before, now;
    getrlimit(RLIMIT_FSIZE, &before);
    now = before;
    now.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &now);
    return before;
}

static void empty_disk(const struct rlimit *before)
{
    setrlimit(RLIMIT_FSIZE, before);
    signal(SIGXFSZ, SIG_DFL);
}

static void full_disk_leaves_no_picture(void **state)
{
    (void)state;
    uint8_t      *rgb = paint(200, 200, 1);
    pliant_error  error;
    struct rlimit before = full_disk(100);
    bool          ok = draw_picture_write("a.png", rgb, 200, 200, &error);
    empty_disk(&before);
    assert_false(ok);
    assert_int_equal(error.code, PLIANT_ERROR_IO);
    assert_string_equal(error.message, pliant_system_message(EFBIG));
    assert_int_equal(count_files("."), 0);
    free(rgb);
}

/* ---- films ---- */

static void film_of(const char *path, uint32_t width, uint32_t height, double fps, uint32_t frames)
{
    pliant_error error = {0};
    draw_film   *film = draw_film_open(path, width, height, fps, &error);
    if (!film) print_error("%s\n", error.message);
    assert_non_null(film);
    for (uint32_t i = 0; i < frames; i++) {
        uint8_t *rgb = paint(width, height, i);
        assert_true(draw_film_frame(film, rgb, &error));
        free(rgb);
    }
    bool ok = draw_film_close(film, &error);
    if (!ok) print_error("%s\n", error.message);
    assert_true(ok);
    assert_int_equal(count_files("."), 1);
}

static bool have_ffmpeg(void)
{
    static int have = -1;
    if (have < 0) have = system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") == 0;
    return have;
}

/* Frame count and size as ffprobe sees them, and one frame's colours within `tolerance`. */
static void check_film(const char *path, uint32_t width, uint32_t height, uint32_t frames, const char *rate, int tolerance)
{
    char command[512], said[256], wanted[256];
    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames,avg_frame_rate -of csv=p=0 %s", path);
    ask(command, said, sizeof said);
    snprintf(wanted, sizeof wanted, "%u,%u,%s,%u\n", width, height, rate, frames);
    assert_string_equal(said, wanted);
    snprintf(command, sizeof command, "ffmpeg -nostdin -v error -i %s -f rawvideo -pix_fmt rgb24 -y frames.raw", path);
    assert_int_equal(system(command), 0);
    size_t   size, picture = (size_t)width * height * 3;
    uint8_t *raw = (uint8_t *)read_whole("frames.raw", &size);
    assert_int_equal(size, frames * picture);
    for (uint32_t i = 0; i < frames; i += frames - 1) {
        const uint8_t *p = raw + i * picture + 3 * ((size_t)(height / 4) * width + width / 2);
        const int      colour[] = {127, 63, 20 * (int)i};
        for (int k = 0; k < 3; k++) assert_true(abs(p[k] - colour[k]) <= tolerance);
    }
    free(raw);
    unlink("frames.raw");
    unlink(path);
}

static void mp4_has_its_frames(void **state)
{
    (void)state;
    if (!have_ffmpeg()) skip();
    film_of("a.mp4", 64, 48, 30, 10);
    check_film("a.mp4", 64, 48, 10, "30/1", 8);
    film_of("-%03d:odd.mp4", 65, 49, 29.97, 10);
    rename("-%03d:odd.mp4", "odd.mp4");
    check_film("odd.mp4", 64, 48, 10, "2997/100", 8);
}

static void gif_has_its_frames(void **state)
{
    (void)state;
    if (!have_ffmpeg()) skip();
    film_of("a.gif", 64, 48, 25, 10);
    check_film("a.gif", 64, 48, 10, "25/1", 24);
    film_of("A.GIF", 31, 17, 100, 11);
    check_film("A.GIF", 31, 17, 6, "50/1", 255); /* colours: not the frames that were drawn */
}

/* An MP4 that starts to play before it is loaded has its index in front, and its size is the one that players like. */
static void mp4_is_made_to_be_streamed(void **state)
{
    (void)state;
    if (!have_ffmpeg()) skip();
    char   said[256];
    size_t size;
    film_of("a.mp4", 64, 48, 30, 3);
    char *file = read_whole("a.mp4", &size), *index = memmem(file, size, "moov", 4), *data = memmem(file, size, "mdat", 4);
    assert_true(index && data && index < data);
    ask("ffprobe -v error -show_entries stream=codec_name,pix_fmt,color_space -of csv=p=0 a.mp4", said, sizeof said);
    assert_string_equal(said, "h264,yuv420p,bt709\n");
    free(file);
    unlink("a.mp4");
}

static void film_is_the_same_bytes(void **state)
{
    (void)state;
    if (!have_ffmpeg()) skip();
    static const char *const names[] = {"a.mp4", "a.gif"};
    for (int i = 0; i < 2; i++) {
        char  *file[2];
        size_t size[2];
        for (int k = 0; k < 2; k++) {
            film_of(names[i], 96, 64, 24, 8);
            file[k] = read_whole(names[i], &size[k]);
            unlink(names[i]);
        }
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(file[0], file[1], size[0]);
        free(file[0]);
        free(file[1]);
    }
}

/* Neither child may hold the other's input open. */
static void two_films_at_once(void **state)
{
    (void)state;
    if (!have_ffmpeg()) skip();
    draw_film *a = draw_film_open("a.mp4", 32, 32, 30, NULL), *b = draw_film_open("b.gif", 32, 32, 30, NULL);
    uint8_t   *rgb = paint(32, 32, 1);
    assert_true(a && b && draw_film_frame(a, rgb, NULL) && draw_film_frame(b, rgb, NULL));
    assert_true(draw_film_close(a, NULL));
    assert_true(draw_film_close(b, NULL));
    assert_int_equal(count_files("."), 2);
    free(rgb);
    unlink("a.mp4");
    unlink("b.gif");
}

static void film_is_known_by_its_ending(void **state)
{
    (void)state;
    pliant_error error;
    assert_true(draw_is_film("a.mp4") && draw_is_film("x/a.GIF"));
    assert_false(draw_is_film("a.png") || draw_is_film("mp4") || draw_is_film(".mp4") || draw_is_film("") || draw_is_film("a.mp4/b"));
    assert_null(draw_film_open("a.png", 10, 10, 30, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_null(draw_film_open("a.mp4", 1, 10, 30, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    static const double rates[] = {0, -1, 1001, (double)NAN};
    for (int i = 0; i < 4; i++) {
        assert_null(draw_film_open("a.mp4", 10, 10, rates[i], &error));
        assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    }
    assert_int_equal(count_files("."), 0);
}

static void aborted_film_leaves_nothing(void **state)
{
    (void)state;
    if (!have_ffmpeg()) skip();
    pliant_error error;
    uint8_t     *rgb = paint(64, 64, 1);
    draw_film   *film = draw_film_open("a.mp4", 64, 64, 30, &error);
    assert_true(film && draw_film_frame(film, rgb, &error));
    draw_film_abort(film);
    assert_int_equal(count_files("."), 0);
    film = draw_film_open("a.mp4", 64, 64, 30, &error);
    assert_non_null(film);
    assert_false(draw_film_close(film, &error)); /* without a frame */
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_int_equal(count_files("."), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* every child is reaped */
    draw_film_abort(NULL);
    assert_true(draw_film_close(NULL, NULL));
    free(rgb);
}

static void unwritable_film_is_known_at_once(void **state)
{
    (void)state;
    pliant_error error;
    assert_null(draw_film_open("nowhere/a.mp4", 64, 64, 30, &error));
    assert_int_equal(error.code, PLIANT_ERROR_IO);
    assert_string_equal(error.message, strerror(ENOENT));
}

static void missing_ffmpeg_is_known_at_once(void **state)
{
    (void)state;
    pliant_error error;
    setenv("PATH", "", 1);
    assert_null(draw_film_open("a.mp4", 64, 64, 30, &error));
    assert_int_equal(error.code, PLIANT_ERROR_UNAVAILABLE);
    assert_non_null(strstr(error.message, "ffmpeg is not installed"));
    setenv("PATH", "/nowhere", 1);
    assert_null(draw_film_open("a.gif", 64, 64, 30, &error));
    assert_int_equal(error.code, PLIANT_ERROR_UNAVAILABLE);
    assert_int_equal(count_files("."), 0);
}

/* An ffmpeg that does what a script says. */
static void fake_ffmpeg(const char *script)
{
    char text[512];
    assert_true(mkdir("bin", 0777) == 0 || errno == EEXIST);
    write_bytes("bin/ffmpeg", text, (size_t)snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script));
    chmod("bin/ffmpeg", 0777);
    char here[256];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(text, sizeof text, "%s/bin:/usr/bin:/bin", here);
    setenv("PATH", text, 1);
}

/* Frames until one fails, then closing fails in the same words; `wanted` is in them. */
static void film_fails(const char *wanted)
{
    pliant_error first = {0}, second = {0};
    uint8_t     *rgb = paint(400, 400, 1);
    draw_film   *film = draw_film_open("a.mp4", 400, 400, 30, &first);
    assert_non_null(film);
    bool ok = true;
    for (int i = 0; i < 20 && ok; i++) ok = draw_film_frame(film, rgb, &first);
    if (!ok) assert_false(draw_film_frame(film, rgb, &second));
    assert_false(draw_film_close(film, &second));
    if (!ok) assert_string_equal(first.message, second.message);
    assert_int_equal(second.code, PLIANT_ERROR_IO);
    assert_string_equal(second.path, "a.mp4");
    assert_one_line(&second);
    if (!strstr(second.message, wanted)) print_error("%s\n", second.message);
    assert_non_null(strstr(second.message, wanted));
    assert_int_equal(count_files("."), 1); /* bin */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    free(rgb);
}

static void failing_ffmpeg_is_an_error_with_its_words(void **state)
{
    (void)state;
    fake_ffmpeg("head -c 1000 >/dev/null; echo '[libx264 @ 0x55d0] broken' >&2; echo 'Conversion failed!' >&2; exit 3");
    film_fails("ffmpeg failed with status 3: broken; Conversion failed!");
    fake_ffmpeg("cat >/dev/null; echo too late >&2; exit 1");
    film_fails("ffmpeg failed with status 1: too late");
    fake_ffmpeg("head -c 1000 >/dev/null; kill -9 $$");
    film_fails("ffmpeg was killed by signal 9");
    fake_ffmpeg("exit 0");
    film_fails("ffmpeg ended too early");
    fake_ffmpeg("cat >/dev/null; exit 0"); /* happy, and wrote nothing */
    film_fails("ffmpeg ended too early");
}

/* More than a pipe holds, before it reads: neither waits for the other. */
static void talkative_ffmpeg_does_not_block(void **state)
{
    (void)state;
    fake_ffmpeg("head -c 300000 /dev/zero | tr '\\0' a >&2; cat >/dev/null; head -c 300000 /dev/zero >&2; exit 1");
    film_fails("ffmpeg failed with status 1: aaaa");
    fake_ffmpeg("exec 2>&-; cat >/dev/null; exit 1");
    film_fails("ffmpeg failed with status 1");
}

static void full_disk_leaves_no_film(void **state)
{
    (void)state;
    if (!have_ffmpeg()) skip();
    static const char *const names[] = {"a.mp4", "a.gif"};
    for (int k = 0; k < 2; k++) {
        pliant_error  error = {0};
        struct rlimit before = full_disk(1000);
        draw_film    *film = draw_film_open(names[k], 64, 64, 30, &error);
        bool          ok = film != NULL;
        for (uint32_t i = 0; i < 100 && ok; i++) {
            uint8_t *rgb = paint(64, 64, i);
            ok = draw_film_frame(film, rgb, &error);
            free(rgb);
        }
        ok = draw_film_close(film, &error);
        empty_disk(&before);
        assert_false(ok);
        assert_int_equal(error.code, PLIANT_ERROR_IO);
        assert_non_null(strstr(error.message, strerror(EFBIG)));
    }
    assert_int_equal(count_files("."), 0);
}

static void do_nothing(int number) { (void)number; }

/* In a process group of its own, as in a terminal. */
static void be_interrupted(void)
{
    uint8_t *rgb = paint(64, 64, 1);
    setpgid(0, 0);
    signal(SIGINT, do_nothing);
    signal(SIGTERM, do_nothing);
    draw_film *film = draw_film_open("a.mp4", 64, 64, 30, NULL);
    bool       ok = film && draw_film_frame(film, rgb, NULL);
    usleep(300000);
    kill(0, SIGINT);
    kill(0, SIGTERM);
    usleep(100000);
    ok = ok && draw_film_frame(film, rgb, NULL) && draw_film_close(film, NULL);
    free(rgb);
    _exit(ok ? 0 : 1);
}

static void interrupted_film_is_finished(void **state)
{
    (void)state;
    if (!have_ffmpeg()) skip();
    int   status;
    char  said[64];
    pid_t child = fork();
    if (child == 0) be_interrupted();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    ask("ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 a.mp4", said, sizeof said);
    assert_string_equal(said, "2\n");
    unlink("a.mp4");
}

/* ---- contexts ---- */

static const char *const ways[] = {"egl-device", "egl-surfaceless", "osmesa"};

/* First of these tests: a library that was opened once stays. */
static void missing_libraries_are_an_error(void **state)
{
    (void)state;
    static const char *const everything[] = {"libEGL", "libGL", "libOSMesa", NULL};
    pliant_error             error;
    hidden = everything;
    for (int i = -1; i < 3; i++) {
        assert_null(draw_offscreen_create(i < 0 ? NULL : ways[i], &error));
        assert_int_equal(error.code, PLIANT_ERROR_UNAVAILABLE);
        assert_one_line(&error);
        assert_non_null(strstr(error.message, i == 2 ? "libosmesa6" : "libegl1"));
        if (i < 0) assert_true(strstr(error.message, "EGL device: ") && strstr(error.message, "OSMesa: "));
    }
    assert_null(draw_offscreen_create(NULL, NULL));
    hidden = NULL;
}

static void unknown_way_is_an_error(void **state)
{
    (void)state;
    pliant_error error;
    assert_null(draw_offscreen_create("glx", &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    setenv("PLIANT_GL", "vulkan", 1);
    assert_null(draw_offscreen_create(NULL, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "PLIANT_GL=vulkan"));
    unsetenv("PLIANT_GL");
}

/* A picture of one colour, cleared and read back. */
static void clear_and_read(uint8_t red)
{
    GLuint        framebuffer, target;
    GLint         profile = 0;
    unsigned char pixel[4] = {0};
    glGetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
    assert_int_equal(profile, GL_CONTEXT_CORE_PROFILE_BIT);
    glGenFramebuffers(1, &framebuffer);
    glGenRenderbuffers(1, &target);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, target);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1920, 1080);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glClearColor((float)red / 255, 0.2f, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glReadPixels(1919, 1079, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    assert_int_equal(pixel[0], red);
    assert_int_equal(pixel[1], 51);
    assert_int_equal(pixel[2], 255);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &target);
}

/* Without DISPLAY and WAYLAND_DISPLAY (see enter_bare_folder), and without a libGL. */
static void every_way_draws(void **state)
{
    (void)state;
    static const char *const libraries[] = {"libGL.so", "libOpenGL.so", NULL};
    uint32_t                 drawn = 0;
    hidden = libraries;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 3; i++) {
            pliant_error    error = {0};
            draw_offscreen *o = draw_offscreen_create(ways[i], &error);
            if (!o) {
                print_message("%s: %s\n", ways[i], error.message);
                assert_int_equal(error.code, PLIANT_ERROR_UNAVAILABLE);
                continue;
            }
            if (!round) print_message("%s: %s\n", ways[i], draw_offscreen_name(o));
            clear_and_read((uint8_t)(40 * i + 7));
            draw_offscreen_destroy(o);
            drawn++;
        }
    hidden = NULL;
    if (!drawn) skip();
}

static void first_way_that_works(void **state)
{
    (void)state;
    pliant_error    error;
    draw_offscreen *o = draw_offscreen_create(NULL, &error);
    if (!o) skip();
    assert_null(draw_offscreen_create(NULL, &error)); /* one at a time */
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    clear_and_read(9);
    draw_offscreen_destroy(o);
    draw_offscreen_destroy(NULL);
    setenv("PLIANT_GL", "osmesa", 1);
    o = draw_offscreen_create(NULL, &error);
    if (o) assert_ptr_equal(strstr(draw_offscreen_name(o), "OSMesa, "), draw_offscreen_name(o));
    draw_offscreen_destroy(o);
    unsetenv("PLIANT_GL");
}

/* Addresses of displays without a server change nothing. */
static void display_does_not_matter(void **state)
{
    (void)state;
    setenv("DISPLAY", ":4711", 1);
    setenv("WAYLAND_DISPLAY", "nowhere", 1);
    for (int i = 0; i < 3; i++) {
        draw_offscreen *o = draw_offscreen_create(ways[i], NULL);
        if (o) clear_and_read(200);
        draw_offscreen_destroy(o);
    }
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
}

#define LAW(name) cmocka_unit_test_teardown(name, restore)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAW(missing_libraries_are_an_error),
        LAW(unknown_way_is_an_error),
        LAW(every_way_draws),
        LAW(first_way_that_works),
        LAW(display_does_not_matter),
        LAW(picture_reads_back),
        LAW(picture_is_the_same_bytes),
        LAW(broken_picture_is_refused),
        LAW(absent_picture_is_bad_input),
        LAW(picture_that_cannot_be_written_leaves_nothing),
        LAW(full_disk_leaves_no_picture),
        LAW(mp4_has_its_frames),
        LAW(gif_has_its_frames),
        LAW(mp4_is_made_to_be_streamed),
        LAW(film_is_the_same_bytes),
        LAW(two_films_at_once),
        LAW(film_is_known_by_its_ending),
        LAW(aborted_film_leaves_nothing),
        LAW(unwritable_film_is_known_at_once),
        LAW(missing_ffmpeg_is_known_at_once),
        LAW(interrupted_film_is_finished),
        LAW(failing_ffmpeg_is_an_error_with_its_words),
        LAW(talkative_ffmpeg_does_not_block),
        LAW(full_disk_leaves_no_film),
    };
    return cmocka_run_group_tests(tests, enter_bare_folder, remove_folder);
}
