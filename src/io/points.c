/* Point caches, read.
 *
 * PC2, little-endian: 32 bytes as pc2.c says; the first frame and the rate may be any numbers, so that a sample lies between two frames.
 *
 * MDD (LightWave's Motion Designer), big-endian:
 *
 *   0   int32 samples       4   int32 points
 *   8   samples x float time, s
 *       samples x points x float32 xyz */
#include "io/points.h"

#include "base/vec.h"
#include "io/bytes.h"

#include <stdlib.h>
#include <string.h>

#define FARTHEST ((pliant_real)1e9) /* m; a damaged file more likely than a place */

enum { PC2_HEADER = 32, MDD_HEADER = 8, POINT = 12, PIECE = 1024 /* points that are read at once */ };

bool pliant__points_is(const char *path) { return pliant__path_ends(path, ".pc2") || pliant__path_ends(path, ".mdd"); }

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

static uint64_t first_byte(const pliant__points *p) { return p->mdd ? MDD_HEADER + 4ull * p->samples : PC2_HEADER; }

/* ---- headers ---- */

/* At least one point and one sample, and exactly the bytes for them. */
static bool check_size(const pliant__points *p, uint64_t points_at, uint64_t samples_at, pliant_error *error)
{
    if (p->vertices == 0 || p->vertices > INT32_MAX) return fail_at(p, points_at, "not a number of points", error);
    if (p->samples == 0 || p->samples > INT32_MAX) return fail_at(p, samples_at, "not a number of samples", error);
    uint64_t left = p->size > first_byte(p) ? p->size - first_byte(p) : 0, each = (uint64_t)p->vertices * POINT;
    if (p->size >= first_byte(p) && left / each == p->samples && left % each == 0) return true;
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, p->file.path, 0,
                           "byte %llu: it ends here, and the header says %u samples of %u points: cut off, damaged or not finished",
                           (unsigned long long)p->size, p->samples, p->vertices);
}

static bool read_pc2(pliant__points *p, pliant_error *error)
{
    unsigned char head[PC2_HEADER];
    if (p->size < PC2_HEADER) return fail_at(p, p->size, "it ends here: not a Point Cache 2, whose header has 32 bytes", error);
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
    return check_size(p, 16, 28, error);
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

static bool read_mdd(pliant__points *p, pliant_error *error)
{
    unsigned char head[MDD_HEADER];
    if (p->size < MDD_HEADER) return fail_at(p, p->size, "it ends here: not an MDD file, whose header has 8 bytes", error);
    if (!load(p, 0, head, MDD_HEADER, error)) return false;
    p->samples = pliant__get_big_u32(head);
    p->vertices = pliant__get_big_u32(head + 4);
    p->rate = 1;
    return check_size(p, 4, 0, error) && read_times(p, error);
}

static bool read_header(pliant__points *p, pliant_error *error)
{
    p->mdd = pliant__path_ends(p->file.path, ".mdd");
    return p->mdd ? read_mdd(p, error) : read_pc2(p, error);
}

/* ---- opening and reading ---- */

bool pliant__points_open(pliant__points *points, const char *path, pliant_error *error)
{
    memset(points, 0, sizeof *points);
    if (!pliant__source_open(&points->file, path, error)) return false;
    points->size = points->file.size;
    return read_header(points, error);
}

bool pliant__points_open_bytes(pliant__points *points, const char *name, const void *bytes, size_t size, pliant_error *error)
{
    size_t length = strlen(name) + 1;
    *points = (pliant__points){.file = {.path = malloc(length), .handle = -1}, .bytes = bytes, .size = size};
    if (!points->file.path) return pliant__fail_memory(error, length, "a path");
    memcpy(points->file.path, name, length);
    return read_header(points, error);
}

bool pliant__points_read(const pliant__points *p, uint32_t sample, pliant_vec3 *out, pliant_error *error)
{
    float (*const get)(const unsigned char *) = p->mdd ? pliant__get_big_float : pliant__get_float;
    unsigned char piece[PIECE * POINT];
    uint64_t      at = first_byte(p) + (uint64_t)sample * p->vertices * POINT;
    for (uint32_t done = 0; done < p->vertices;) {
        uint32_t count = p->vertices - done < PIECE ? p->vertices - done : PIECE;
        if (!load(p, at, piece, (size_t)count * POINT, error)) return false;
        for (uint32_t i = 0; i < count; i++, at += POINT) {
            const unsigned char *from = piece + (size_t)i * POINT;
            pliant_vec3          x = {get(from), get(from + 4), get(from + 8)};
            if (!v3_finite(x)) return fail_at(p, at, "a point is not finite", error);
            if (!(v3_dot(x, x) <= FARTHEST * FARTHEST)) return fail_at(p, at, "a point is more than a million kilometres away", error);
            out[done + i] = x;
        }
        done += count;
    }
    return true;
}

void pliant__points_close(pliant__points *points)
{
    pliant__source_close(&points->file);
    free(points->times);
    points->times = NULL;
}
