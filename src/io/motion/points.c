/* Point caches, read, and the table of all formats that are followed.
 *
 * PC2, little-endian: 32 bytes as pc2.c says; the first frame and the rate may be any numbers, so that a sample lies between two frames.
 *
 * MDD (LightWave's Motion Designer), big-endian:
 *
 *   0   int32 samples       4   int32 points
 *   8   samples x float time, s
 *       samples x points x float32 xyz */
#include "io/motion/points.h"

#include "io/files/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PC2_HEADER = 32, MDD_HEADER = 8, POINT = 12, PIECE = 1024 /* points that are read at once */ };

static bool load(const pliant__points *p, uint64_t offset, void *to, size_t size, pliant_error *error)
{
    if (p->file.handle >= 0) return pliant__source_read(&p->file, offset, to, size, error);
    memcpy(to, p->bytes + offset, size);
    return true;
}

static bool fail_at(const pliant__points *p, uint64_t byte, const char *what, pliant_error *error)
{
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, p->file.path, 0, "byte %llu: %s", (unsigned long long)byte, what);
}

static bool is_mdd(const pliant__points *p) { return p->times != NULL; }

static uint64_t first_byte(const pliant__points *p) { return is_mdd(p) ? MDD_HEADER + 4ull * p->samples : PC2_HEADER; }

/* ---- headers ---- */

/* At least one point and one sample, and exactly the bytes for them. */
static bool check_size(const pliant__points *p, uint64_t first, uint64_t points_at, uint64_t samples_at, pliant_error *error)
{
    if (p->vertices == 0 || p->vertices > INT32_MAX) return fail_at(p, points_at, "not a number of points", error);
    if (p->samples == 0 || p->samples > INT32_MAX) return fail_at(p, samples_at, "not a number of samples", error);
    uint64_t left = p->size > first ? p->size - first : 0, each = (uint64_t)p->vertices * POINT;
    if (p->size >= first && left / each == p->samples && left % each == 0) return true;
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, p->file.path, 0,
                           "byte %llu: it ends here, and the header says %u samples of %u points: cut off, damaged or not finished",
                           (unsigned long long)p->size, p->samples, p->vertices);
}

static bool open_pc2(pliant__points *p, const pliant__points_def *def, pliant_error *error)
{
    unsigned char head[PC2_HEADER];
    (void)def;
    if (p->size < PC2_HEADER) return fail_at(p, p->size, "it ends here: not a Point Cache 2, which has a header of 32 bytes", error);
    if (!load(p, 0, head, PC2_HEADER, error)) return false;
    if (memcmp(head, "POINTCACHE2", 12) != 0) return fail_at(p, 0, "not a Point Cache 2", error);
    if (pliant__get_u32(head + 12) != 1) return fail_at(p, 12, "not of version 1", error);
    float start = pliant__get_float(head + 20), rate = pliant__get_float(head + 24);
    if (!(start - start == 0)) return fail_at(p, 20, "the first frame is not a number", error);
    if (!(rate > 0 && rate - rate == 0)) return fail_at(p, 24, "the rate is not a number above 0", error);
    p->start = start;
    p->rate = rate;
    p->vertices = pliant__get_u32(head + 16);
    p->samples = pliant__get_u32(head + 28);
    return check_size(p, PC2_HEADER, 16, 28, error);
}

static bool read_times(pliant__points *p, pliant_error *error)
{
    p->times = malloc(p->samples * sizeof *p->times);
    if (!p->times) return pliant__fail_memory(error, p->samples * sizeof *p->times, "times");
    for (uint32_t i = 0; i < p->samples; i++) {
        unsigned char bytes[4];
        if (!load(p, MDD_HEADER + 4ull * i, bytes, 4, error)) return false;
        p->times[i] = pliant__get_big_float(bytes);
        if (!(p->times[i] - p->times[i] == 0)) return fail_at(p, MDD_HEADER + 4ull * i, "a time is not a number", error);
    }
    return true;
}

static bool open_mdd(pliant__points *p, const pliant__points_def *def, pliant_error *error)
{
    unsigned char head[MDD_HEADER];
    (void)def;
    if (p->size < MDD_HEADER) return fail_at(p, p->size, "it ends here: not an MDD file, which has a header of 8 bytes", error);
    if (!load(p, 0, head, MDD_HEADER, error)) return false;
    p->samples = pliant__get_big_u32(head);
    p->vertices = pliant__get_big_u32(head + 4);
    p->rate = 1;
    return check_size(p, MDD_HEADER + 4ull * p->samples, 4, 0, error) && read_times(p, error);
}

/* ---- samples ---- */

static bool read_points(const pliant__points *p, uint32_t sample, pliant_vec3 *out, pliant_error *error)
{
    float (*const get)(const unsigned char *) = is_mdd(p) ? pliant__get_big_float : pliant__get_float;
    unsigned char piece[PIECE * POINT];
    uint64_t      at = first_byte(p) + (uint64_t)sample * p->vertices * POINT;
    for (uint32_t done = 0; done < p->vertices;) {
        uint32_t count = p->vertices - done < PIECE ? p->vertices - done : PIECE;
        if (!load(p, at, piece, (size_t)count * POINT, error)) return false;
        for (uint32_t i = 0; i < count; i++, at += POINT) {
            const unsigned char *from = piece + (size_t)i * POINT;
            if (!pliant__points_take((double)get(from), (double)get(from + 4), (double)get(from + 8), out + done + i))
                return pliant__points_refuse(p, out[done + i], error, "byte %llu", (unsigned long long)at);
        }
        done += count;
    }
    return true;
}

/* ---- formats ---- */

static const pliant__points_format pc2 = {.ending = ".pc2", .open = open_pc2, .read = read_points},
                                   mdd = {.ending = ".mdd", .open = open_mdd, .read = read_points};

static const pliant__points_format *const formats[] = {&pc2, &mdd, &pliant__points_gltf, &pliant__points_usda, &pliant__points_abc};

enum { FORMATS = sizeof formats / sizeof *formats };

const pliant__points_format *pliant__points_format_of(const char *path)
{
    for (int i = 0; i < FORMATS; i++)
        if (pliant__path_ends(path, formats[i]->ending) || (formats[i]->other && pliant__path_ends(path, formats[i]->other)))
            return formats[i];
    return NULL;
}

void pliant__points_endings(char *out, size_t size)
{
    size_t at = 0;
    for (int i = 0; i < FORMATS && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s%s%s",
                               i == 0                                 ? ""
                               : i + 1 < FORMATS || formats[i]->other ? ", "
                                                                      : " and ",
                               formats[i]->ending, formats[i]->other ? i + 1 < FORMATS ? ", " : " and " : "",
                               formats[i]->other ? formats[i]->other : "");
}

/* ---- opening and reading ---- */

/* Bytes of the points' own, behind which there is a 0. */
static bool load_whole(pliant__points *p, const char *path, pliant_error *error)
{
    size_t length = strlen(path) + 1, size;
    *p = (pliant__points){.file = {.path = malloc(length), .handle = -1}, .format = p->format};
    if (!p->file.path) return pliant__fail_memory(error, length, "a path");
    memcpy(p->file.path, path, length);
    p->bytes = p->owned = (unsigned char *)pliant__file_read(path, &size, error);
    p->size = size;
    return p->owned != NULL;
}

static bool unknown(const char *path, pliant_error *error)
{
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "unknown format of a cache to follow");
}

bool pliant__points_open(pliant__points *points, const char *path, const pliant__points_def *def, pliant_error *error)
{
    *points = (pliant__points){.file.handle = -1, .format = pliant__points_format_of(path), .rate = 1};
    if (!points->format) return unknown(path, error);
    if (!pliant__source_open(&points->file, path, error)) return false;
    points->size = points->file.size;
    if (points->format->in_memory) {
        pliant__source_close(&points->file);
        if (!load_whole(points, path, error)) return false;
    }
    return points->format->open(points, def, error);
}

bool pliant__points_open_bytes(pliant__points *points, const char *name, const void *bytes, size_t size, const pliant__points_def *def,
                               pliant_error *error)
{
    size_t length = strlen(name) + 1;
    *points = (pliant__points){
        .file = {.path = malloc(length), .handle = -1}, .bytes = bytes, .size = size, .format = pliant__points_format_of(name), .rate = 1};
    if (!points->file.path) return pliant__fail_memory(error, length, "a path");
    memcpy(points->file.path, name, length);
    return points->format ? points->format->open(points, def, error) : unknown(name, error);
}

double pliant__points_number(const pliant__points *p, uint32_t sample)
{
    return p->numbers ? p->numbers[sample] : p->start + p->rate * (double)sample;
}

bool pliant__points_read(const pliant__points *p, uint32_t sample, pliant_vec3 *out, pliant_error *error)
{
    return p->format->read(p, sample, out, error);
}

void pliant__points_close(pliant__points *p)
{
    if (p->format && p->format->close) p->format->close(p);
    pliant__source_close(&p->file);
    free(p->times);
    free(p->numbers);
    free(p->owned);
    p->times = p->numbers = NULL;
    p->owned = NULL;
    p->own = NULL;
}
