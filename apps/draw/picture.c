/* PNG by libpng.
 *
 * libpng reports errors by longjmp. Each setjmp stands in a function of its own that changes no local variable behind it; variables that must outlive
 * the jump are in a struct of the caller. Files are read and written by functions of ours, so that errno is not lost on the way. */
#define _POSIX_C_SOURCE 200809L
#include "draw/picture.h"
#include "draw/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGEST_SIDE 16384

/* A PNG on its way in or out. */
typedef struct transfer {
    png_structp    png;
    png_infop      info;
    int            handle;
    int            number; /* the errno of a failed call, or 0 if libpng itself complains */
    char           message[160];
    const uint8_t *bytes; /* reading from memory: so many are left */
    size_t         left;
    uint8_t       *rgb; /* reading */
    png_bytep     *rows;
    uint32_t       width, height;
} transfer;

/* longjmp, as libpng wants it. */
static void on_error(png_structp png, png_const_charp message)
{
    transfer *t = png_get_error_ptr(png);
    snprintf(t->message, sizeof t->message, "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static bool report(const transfer *t, pliant_code code, const char *path, pliant_error *error)
{
    if (t->number) return draw_fail_system(error, path, t->number);
    return draw_fail(error, code, path, "%s", *t->message ? t->message : "out of memory for a picture");
}

/* ---- writing ---- */

static void put_bytes(png_structp png, png_bytep bytes, size_t size)
{
    transfer *t = png_get_io_ptr(png);
    while (size) {
        ssize_t put = write(t->handle, bytes, size);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) {
            t->number = put < 0 ? errno : ENOSPC;
            png_error(png, "write");
        }
        bytes += put;
        size -= (size_t)put;
    }
}

static void put_nothing(png_structp png) { (void)png; }

static bool encode(transfer *t, const uint8_t *rgb, uint32_t width, uint32_t height)
{
    if (setjmp(png_jmpbuf(t->png))) return false;
    png_set_write_fn(t->png, t, put_bytes, put_nothing);
    png_set_IHDR(t->png, t->info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(t->png, t->info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(t->png, t->info);
    for (uint32_t y = 0; y < height; y++) png_write_row(t->png, rgb + (size_t)y * width * 3);
    png_write_end(t->png, t->info);
    return true;
}

static bool write_png(int handle, const char *path, const uint8_t *rgb, uint32_t width, uint32_t height, pliant_error *error)
{
    transfer t = {.handle = handle};
    t.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &t, on_error, on_warning);
    t.info = t.png ? png_create_info_struct(t.png) : NULL;
    bool ok = (t.info && encode(&t, rgb, width, height)) || report(&t, *t.message ? PLIANT_ERROR_IO : PLIANT_ERROR_MEMORY, path, error);
    png_destroy_write_struct(&t.png, &t.info);
    return ok;
}

bool draw_picture_write(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height, pliant_error *error)
{
    if (!width || !height || width > LARGEST_SIDE || height > LARGEST_SIDE)
        return draw_fail(error, PLIANT_ERROR_ARGUMENT, path, "a picture has 1 to %d pixels along a side", LARGEST_SIDE);
    size_t room = strlen(path) + 32;
    char  *temporary = malloc(room);
    if (!temporary) return draw_fail_system(error, path, ENOMEM);
    snprintf(temporary, room, "%s.%ld.tmp", path, (long)getpid());
    int  handle = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool ok = handle >= 0 ? write_png(handle, path, rgb, width, height, error) : draw_fail_system(error, path, errno);
    if (handle >= 0 && close(handle) != 0 && ok && errno != EINTR) ok = draw_fail_system(error, path, errno);
    if (ok && rename(temporary, path) != 0) ok = draw_fail_system(error, path, errno);
    if (!ok && handle >= 0) unlink(temporary);
    free(temporary);
    return ok;
}

/* ---- reading ---- */

static void get_bytes(png_structp png, png_bytep bytes, size_t size)
{
    transfer *t = png_get_io_ptr(png);
    while (size) {
        ssize_t got = read(t->handle, bytes, size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) t->number = errno;
        if (got <= 0) png_error(png, "the picture ends too early");
        bytes += got;
        size -= (size_t)got;
    }
}

static void get_kept_bytes(png_structp png, png_bytep bytes, size_t size)
{
    transfer *t = png_get_io_ptr(png);
    if (size > t->left) png_error(png, "the picture ends too early");
    memcpy(bytes, t->bytes, size);
    t->bytes += size;
    t->left -= size;
}

/* Asks libpng to turn any format into 8 bits of red, green and blue. */
static void decode_header(transfer *t)
{
    png_set_user_limits(t->png, LARGEST_SIDE, LARGEST_SIDE);
    png_read_info(t->png, t->info);
    png_set_expand(t->png);
    png_set_scale_16(t->png);
    png_set_gray_to_rgb(t->png);
    png_set_strip_alpha(t->png);
    png_set_interlace_handling(t->png);
    png_read_update_info(t->png, t->info);
    t->width = png_get_image_width(t->png, t->info);
    t->height = png_get_image_height(t->png, t->info);
    if (png_get_rowbytes(t->png, t->info) != (size_t)t->width * 3) png_error(t->png, "a picture of an unknown sort");
}

static bool decode(transfer *t)
{
    if (setjmp(png_jmpbuf(t->png))) return false;
    png_set_read_fn(t->png, t, t->bytes ? get_kept_bytes : get_bytes);
    decode_header(t);
    t->rgb = malloc((size_t)t->width * t->height * 3);
    t->rows = malloc(t->height * sizeof *t->rows);
    if (!t->rgb || !t->rows) {
        t->number = ENOMEM;
        return false;
    }
    for (uint32_t y = 0; y < t->height; y++) t->rows[y] = t->rgb + (size_t)y * t->width * 3;
    png_read_image(t->png, t->rows);
    png_read_end(t->png, NULL);
    return true;
}

static uint8_t *read_png(transfer *t, const char *path, uint32_t *width, uint32_t *height, pliant_error *error)
{
    t->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, t, on_error, on_warning);
    t->info = t->png ? png_create_info_struct(t->png) : NULL;
    bool ok = (t->info && decode(t)) || report(t, *t->message ? PLIANT_ERROR_INPUT : PLIANT_ERROR_MEMORY, path, error);
    png_destroy_read_struct(&t->png, &t->info, NULL);
    free(t->rows);
    if (!ok) {
        free(t->rgb);
        return NULL;
    }
    *width = t->width;
    *height = t->height;
    return t->rgb;
}

uint8_t *draw_picture_decode(const void *bytes, size_t size, uint32_t *width, uint32_t *height, pliant_error *error)
{
    transfer t = {.handle = -1, .bytes = bytes, .left = size};
    return read_png(&t, NULL, width, height, error);
}

uint8_t *draw_picture_read(const char *path, uint32_t *width, uint32_t *height, pliant_error *error)
{
    transfer t = {.handle = open(path, O_RDONLY | O_CLOEXEC)};
    if (t.handle < 0) {
        int number = errno;
        draw_fail(error, number == ENOENT || number == ENOTDIR ? PLIANT_ERROR_INPUT : PLIANT_ERROR_IO, path, "%s", strerror(number));
        return NULL;
    }
    uint8_t *rgb = read_png(&t, path, width, height, error);
    close(t.handle);
    return rgb;
}
