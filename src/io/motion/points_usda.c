/* Animated meshes of USD as text: the points of all prims that have some, in the file's order, in the world. There is a sample at every time code at
 * which points or transforms have one; between its samples a property goes straight. */
#include "io/motion/stage.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VERTICES = 1 << 26 };

typedef struct part {
    uint32_t prim;
    uint64_t count;
} part;

typedef struct usda {
    pliant__stage stage;
    pliant__words words;
    ARRAY(part) parts;
    ARRAY(double) codes;
} usda;

static bool is_called(const pliant__stage_prim *p, const char *name)
{
    return p->name_length == strlen(name) && memcmp(p->name, name, p->name_length) == 0;
}

/* By its own name, or that of the transform right above it. */
static bool is_wanted(const usda *u, const pliant__stage_prim *p, const char *object)
{
    if (!p->defined || !(p->points.has_default || p->points.samples.count)) return false;
    return !object || is_called(p, object) || (p->parent != PLIANT__STAGE_NONE && is_called(&u->stage.prims.data[p->parent], object));
}

static bool add_codes(usda *u, const pliant__stage_values *values)
{
    for (size_t i = 0; i < values->samples.count; i++)
        if (!array_push(NULL, &u->codes, values->samples.data[i].code))
            return pliant__fail_memory(u->words.error, u->codes.count * sizeof(double), "times");
    return true;
}

static bool check_counts(const usda *u, const pliant__stage_values *values, uint64_t count)
{
    for (size_t i = 0; i < values->samples.count; i++)
        if (values->samples.data[i].tuples != count) {
            pliant__words w = u->words;
            w.line = values->samples.data[i].line;
            return pliant__words_fail(&w, "%llu points at time %.6g, and %llu at first", (unsigned long long)values->samples.data[i].tuples,
                                      values->samples.data[i].code, (unsigned long long)count);
        }
    return true;
}

/* A prim's points, and the times at which they or the transforms above them have samples. */
static bool add_part(usda *u, uint32_t index, uint64_t *vertices)
{
    const pliant__stage_values *points = &u->stage.prims.data[index].points;
    const uint64_t              count = points->samples.count ? points->samples.data[0].tuples : points->fixed.tuples;
    if (!check_counts(u, points, count) || !add_codes(u, points)) return false;
    for (uint32_t p = index; p != PLIANT__STAGE_NONE; p = u->stage.prims.data[p].parent)
        for (size_t k = 0; k < u->stage.prims.data[p].ops.count; k++)
            if (!add_codes(u, &u->stage.prims.data[p].ops.data[k].values)) return false;
    *vertices += count;
    if (*vertices > MOST_VERTICES) return pliant__words_fail(&u->words, "too many points");
    return array_push(NULL, &u->parts, (part){index, count}) || pliant__fail_memory(u->words.error, sizeof(part), "a stage");
}

static bool find_parts(usda *u, const char *object, uint64_t *vertices)
{
    const pliant__stage_prim *first = NULL;
    for (uint32_t i = 0; i < u->stage.prims.count; i++) {
        const pliant__stage_prim *p = &u->stage.prims.data[i];
        if (!first && is_wanted(u, p, NULL)) first = p;
        if (is_wanted(u, p, object) && !add_part(u, i, vertices)) return false;
    }
    u->words.line = 0;
    if (*vertices) return true;
    if (!object || !first) return pliant__words_fail(&u->words, "there are no points in it");
    return pliant__words_fail(&u->words, "there are no points of \"%.60s\"; the first are of \"%.*s\"", object,
                              first->name_length < 60 ? (int)first->name_length : 60, first->name);
}

static int by_code(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

static bool set_samples(pliant__points *points, usda *u)
{
    const double rate = u->stage.rate > 0 ? u->stage.rate : 24;
    uint32_t     count = 0;
    if (!u->codes.count && !array_push(NULL, &u->codes, 0)) return pliant__fail_memory(u->words.error, 8, "times");
    if (u->codes.count > INT32_MAX) return pliant__words_fail(&u->words, "too many time samples");
    qsort(u->codes.data, u->codes.count, sizeof *u->codes.data, by_code);
    points->times = malloc(u->codes.count * sizeof *points->times);
    points->numbers = malloc(u->codes.count * sizeof *points->numbers);
    if (!points->times || !points->numbers) return pliant__fail_memory(u->words.error, u->codes.count * 16, "times");
    for (size_t i = 0; i < u->codes.count; i++)
        if (!count || u->codes.data[i] > points->numbers[count - 1]) points->numbers[count++] = u->codes.data[i];
    for (uint32_t i = 0; i < count; i++) points->times[i] = points->numbers[i] / rate;
    points->samples = count;
    points->start = points->numbers[0];
    return true;
}

static bool open_usda(pliant__points *points, const pliant__points_def *def, pliant_error *error)
{
    const char *text = (const char *)points->bytes;
    uint64_t    vertices = 0;
    usda       *u = points->own = calloc(1, sizeof *u);
    if (!u) return pliant__fail_memory(error, sizeof *u, "a stage");
    u->words = (pliant__words){text, text + points->size, 1, points->file.path, error};
    pliant__words words = u->words;
    if (!pliant__stage_read(&u->stage, &words) || !find_parts(u, def ? def->object : NULL, &vertices)) return false;
    if (u->stage.has_skeleton && def && def->notice)
        def->notice(def->context, "it has a skeleton's animation, which is not played; export with its meshes' points by time");
    points->vertices = (uint32_t)vertices;
    points->unit = u->stage.unit;
    points->up = u->stage.up;
    return set_samples(points, u);
}

/* Points are point3f: their digits are those of a float. */
static double as_float(double x) { return x > -1e30 && x < 1e30 ? (double)(float)x : x; }

static bool read_part(const usda *u, const pliant__points *points, const part *p, double code, pliant_error *error, pliant_vec3 *out)
{
    const pliant__stage_value *next, *value;
    double                     share;
    int                        odd = 0;
    pliant__transform          place;
    pliant__words              w = u->words, from, to;
    w.error = error;
    value = pliant__stage_at(&u->stage.prims.data[p->prim].points, code, &next, &share);
    if (!pliant__stage_place(&u->stage, &w, p->prim, code, &place)) return false;
    from = to = w;
    from.at = value->text;
    from.line = value->line;
    if (next) to.at = next->text;
    if (next) to.line = next->line;
    for (uint64_t i = 0; i < p->count; i++) {
        double x[3], y[3];
        if (!pliant__words_triple(&from, x, &odd) || (next && !pliant__words_triple(&to, y, &odd))) return false;
        for (int k = 0; k < 3; k++) {
            x[k] = as_float(x[k]);
            if (next) x[k] += (as_float(y[k]) - x[k]) * share;
        }
        pliant__transform_apply(&place, x, y);
        if (!pliant__points_take(y[0], y[1], y[2], &out[i]))
            return pliant__points_refuse(points, out[i], error, "point %llu at time %.6g", (unsigned long long)i, code);
    }
    w.line = odd;
    return !odd || pliant__words_fail(&w, "a point that has not three numbers");
}

static bool read_sample(const pliant__points *points, uint32_t sample, pliant_vec3 *out, pliant_error *error)
{
    const usda *u = points->own;
    for (size_t i = 0; i < u->parts.count; out += u->parts.data[i++].count)
        if (!read_part(u, points, &u->parts.data[i], points->numbers[sample], error, out)) return false;
    return true;
}

static void close_usda(pliant__points *points)
{
    usda *u = points->own;
    if (!u) return;
    pliant__stage_free(&u->stage);
    array_free(NULL, &u->parts);
    array_free(NULL, &u->codes);
    free(u);
}

const pliant__points_format pliant__points_usda = {
    .ending = ".usda", .in_memory = true, .objects = true, .open = open_usda, .read = read_sample, .close = close_usda};
