/* Animated meshes of Alembic archives (Ogawa): the points of all shapes, in the archive's order, in the world. There is a sample at every time at which
 * points or transforms have one; between its samples a property goes straight. */
#include "io/motion/abc_tree.h"
#include "io/motion/points.h"
#include "io/motion/transform.h"

#include "base/trig.h"
#include "io/files/bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)

enum { MOST_VERTICES = 1 << 26, MOST_VALUES = 4096, F32 = 10, F64 = 11, U8 = 1 };
enum { SCALE, TRANSLATE, ROTATE, MATRIX, ROTATE_X, ROTATE_Y, ROTATE_Z, OPS };

/* An object that transforms its children. */
typedef struct abc_place {
    uint32_t        parent; /* UINT32_MAX: none */
    pliant__abc_row ops, values, inherits;
} abc_place;

typedef struct part {
    uint32_t        placing;
    pliant__abc_row points;
    uint64_t        count;
} part;

typedef struct abc {
    pliant__abc_tree tree;
    ARRAY(abc_place) placings;
    ARRAY(part) parts;
    ARRAY(double) times;
    const char *object; /* wanted, or NULL */
    uint64_t    vertices;
    char        first[64]; /* name of the first shape */
} abc;

/* An object that is visited. */
typedef struct visit {
    abc     *a;
    uint32_t placing, depth;
    bool     called; /* an object above it has the wanted name */
} visit;

/* ---- opening ---- */

static bool out_of_memory(const abc *a) { return pliant__fail_memory(a->tree.from.error, 64, "an archive"); }

static bool add_times(abc *a, const pliant__abc_row *row)
{
    const uint32_t count = pliant__abc_moves(row) ? row->samples : 0;
    if (count > a->tree.from.file->size / 8)
        return pliant__ogawa_fail(&a->tree.from, row->group, "damaged: more samples than it has room for");
    for (uint32_t i = 0; i < count; i++)
        if (!array_push(NULL, &a->times, pliant__abc_time(&a->tree, row, i))) return out_of_memory(a);
    return true;
}

static bool read_placing(abc *a, uint64_t compound, uint32_t parent, uint32_t *out)
{
    abc_place       p = {.parent = parent};
    pliant__abc_row form;
    *out = parent;
    if (!pliant__abc_find(&a->tree, compound, ".xform", &form)) return false;
    if (!form.there || form.type) return true;
    if (!pliant__abc_find(&a->tree, form.group, ".ops", &p.ops) || !pliant__abc_find(&a->tree, form.group, ".vals", &p.values) ||
        !pliant__abc_find(&a->tree, form.group, ".inherits", &p.inherits))
        return false;
    if (!array_push(NULL, &a->placings, p)) return out_of_memory(a);
    *out = (uint32_t)a->placings.count - 1;
    return true;
}

static bool add_part(abc *a, const pliant__abc_row *points, uint32_t placing)
{
    uint64_t place = 0, size = 0;
    if (points->type < 2 || points->pod != F32 || points->extent != 3)
        return pliant__ogawa_fail(&a->tree.from, points->group, "its points are not three float32 each");
    /* Of the samples only those that are stored, which the file has room for, whatever it says of how many there are. */
    for (uint32_t i = 0; i < points->samples && i <= points->last; i = i || points->first < 2 ? i + 1 : points->first) {
        uint64_t other;
        if (!pliant__abc_sample(&a->tree, points, i, &place, &other)) return false;
        if (i && other != size) return pliant__ogawa_fail(&a->tree.from, place, "another number of points than in the first sample");
        size = other;
    }
    if (size % 12) return pliant__ogawa_fail(&a->tree.from, place, "damaged: points that are cut off");
    a->vertices += size / 12;
    if (a->vertices > MOST_VERTICES) return pliant__ogawa_fail(&a->tree.from, place, "too many points");
    if (!add_times(a, points)) return false;
    for (uint32_t p = placing; p != UINT32_MAX; p = a->placings.data[p].parent)
        if (!add_times(a, &a->placings.data[p].values)) return false;
    return array_push(NULL, &a->parts, (part){placing, *points, size / 12}) || out_of_memory(a);
}

static bool read_shape(abc *a, uint64_t compound, const char *name, size_t length, bool wanted, uint32_t placing)
{
    pliant__abc_row shape, points;
    if (!pliant__abc_find(&a->tree, compound, ".geom", &shape)) return false;
    if (!shape.there || shape.type) return true;
    if (!pliant__abc_find(&a->tree, shape.group, "P", &points)) return false;
    if (!points.there || !points.type) return true;
    if (!*a->first && length < sizeof a->first) memcpy(a->first, name, length);
    return !wanted || add_part(a, &points, placing);
}

static bool visit_object(void *context, const char *name, size_t length, uint64_t object)
{
    const visit *v = context;
    abc         *a = v->a;
    visit        inner = {.a = a, .depth = v->depth + 1};
    uint64_t     compound;
    if (inner.depth > PLIANT__ABC_DEEPEST) return pliant__ogawa_fail(&a->tree.from, object, "objects more than 64 deep inside each other");
    inner.called = a->object && length == strlen(a->object) && memcmp(name, a->object, length) == 0;
    return pliant__abc_properties(&a->tree, object, &compound) && read_placing(a, compound, v->placing, &inner.placing) &&
           read_shape(a, compound, name, length, !a->object || inner.called || v->called, inner.placing) &&
           pliant__abc_children(&a->tree, object, visit_object, &inner);
}

static int by_time(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/* Frames' numbers: by the rate that the archive says, else by how far the samples of its first shape are apart, else one by one. */
static double rate_of(const abc *a)
{
    const pliant__abc_times *times = &a->tree.times.data[a->parts.data[0].points.times];
    if (a->tree.fps > 0) return a->tree.fps;
    return times->count == 1 && times->cycle < 1e9 ? 1 / times->cycle : 0;
}

static bool set_samples(pliant__points *points, abc *a)
{
    const double rate = rate_of(a);
    uint32_t     count = 0;
    if (!a->times.count && !array_push(NULL, &a->times, 0)) return out_of_memory(a);
    if (a->times.count > INT32_MAX) return pliant__ogawa_fail(&a->tree.from, 0, "too many samples");
    qsort(a->times.data, a->times.count, sizeof *a->times.data, by_time);
    points->times = malloc(a->times.count * sizeof *points->times);
    points->numbers = malloc(a->times.count * sizeof *points->numbers);
    if (!points->times || !points->numbers) return out_of_memory(a);
    for (size_t i = 0; i < a->times.count; i++)
        if (!count || a->times.data[i] > points->times[count - 1] + 1e-7) points->times[count++] = a->times.data[i];
    for (uint32_t i = 0; i < count; i++) points->numbers[i] = rate > 0 ? points->times[i] * rate : i;
    points->samples = count;
    points->start = points->numbers[0];
    return true;
}

static bool open_abc(pliant__points *points, const pliant__points_def *def, pliant_error *error)
{
    abc *a = points->own = calloc(1, sizeof *a);
    if (!a) return pliant__fail_memory(error, sizeof *a, "an archive");
    points->file.size = points->size;
    visit v = {.a = a, .placing = UINT32_MAX};
    a->object = def ? def->object : NULL;
    if (!pliant__abc_tree_open(&a->tree, (pliant__ogawa_file){&points->file, error, points->bytes}) ||
        !pliant__abc_children(&a->tree, a->tree.top, visit_object, &v))
        return false;
    if (!a->vertices && a->object && *a->first)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, points->file.path, 0, "there are no points of \"%.60s\"; the first are of \"%s\"",
                               a->object, a->first);
    if (!a->vertices) return pliant__fail_at(error, PLIANT_ERROR_INPUT, points->file.path, 0, "there are no points in it");
    points->vertices = (uint32_t)a->vertices;
    return set_samples(points, a);
}

/* ---- transforms ---- */

/* Numbers of a sample, MOST_VALUES at the most, into a->tree.data; *count of them. */
static bool load_sample(abc *a, const pliant__abc_row *row, uint32_t index, unsigned pod, unsigned each, uint64_t *count)
{
    uint64_t place, size;
    *count = 0;
    if (!row->there || row->pod != pod) return true;
    if (!pliant__abc_sample(&a->tree, row, index, &place, &size)) return false;
    if (size > MOST_VALUES * 8) return pliant__ogawa_fail(&a->tree.from, place, "damaged: a transform of so many numbers");
    a->tree.data.count = 0;
    if (!array_reserve(NULL, &a->tree.data, size + 1)) return out_of_memory(a);
    *count = size / each;
    return !size || pliant__ogawa_bytes(&a->tree.from, place, a->tree.data.data, (size_t)size);
}

static bool values_at(abc *a, const pliant__abc_row *row, double time, double *out, uint64_t *count)
{
    uint32_t index, next;
    double   share;
    uint64_t more;
    *count = 0;
    if (!row->there) return true;
    pliant__abc_at(&a->tree, row, time, &index, &next, &share);
    if (!load_sample(a, row, index, F64, 8, count)) return false;
    for (uint64_t i = 0; i < *count; i++) out[i] = pliant__get_double((const unsigned char *)a->tree.data.data + 8 * i);
    if (next == index) return true;
    if (!load_sample(a, row, next, F64, 8, &more)) return false;
    for (uint64_t i = 0; i < *count && i < more; i++)
        out[i] += (pliant__get_double((const unsigned char *)a->tree.data.data + 8 * i) - out[i]) * share;
    return true;
}

static pliant__transform op_of(unsigned op, const double *v)
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    pliant__transform   out = pliant__transform_identity();
    for (unsigned i = 0; i < 3; i++) {
        if (op == SCALE) out.m[5 * i] = v[i];
        if (op == TRANSLATE) out.m[4 * i + 3] = v[i];
        for (unsigned k = 0; op == MATRIX && k < 4; k++) out.m[4 * i + k] = v[4 * k + i];
    }
    if (op != ROTATE && op < ROTATE_X) return out;
    const double *axis = op == ROTATE ? v : axes[op - ROTATE_X], length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double  angle = op == ROTATE ? v[3] : v[0];
    if (!(length > 0) || !(angle >= -1e6 && angle <= 1e6)) return out;
    const double s = pliant__sin(angle * DEGREE / 2) / length,
                 q[4] = {s * axis[0], s * axis[1], s * axis[2], pliant__cos(angle * DEGREE / 2)};
    return pliant__transform_turn(q);
}

/* *alone: it does not inherit the transform above it. */
static bool placing_at(abc *a, const abc_place *p, double time, bool *alone, pliant__transform *out)
{
    static const unsigned widths[OPS] = {3, 3, 4, 16, 1, 1, 1};
    unsigned char         ops[MOST_VALUES];
    double                values[MOST_VALUES];
    uint64_t              op_count, count, inherits, used = 0;
    uint32_t              index, next;
    double                share;
    *out = pliant__transform_identity();
    *alone = false;
    if (p->inherits.there) {
        pliant__abc_at(&a->tree, &p->inherits, time, &index, &next, &share);
        if (!load_sample(a, &p->inherits, index, 0, 1, &inherits)) return false;
        *alone = inherits == 1 && !a->tree.data.data[0];
    }
    if (!load_sample(a, &p->ops, 0, U8, 1, &op_count)) return false;
    if (op_count > MOST_VALUES) return pliant__ogawa_fail(&a->tree.from, p->ops.group, "damaged: a transform of so many parts");
    if (op_count) memcpy(ops, a->tree.data.data, (size_t)op_count);
    if (!values_at(a, &p->values, time, values, &count)) return false;
    for (uint64_t i = 0; i < op_count; i++) {
        const unsigned op = ops[i] >> 4;
        if (op >= OPS || used + widths[op] > count)
            return pliant__ogawa_fail(&a->tree.from, p->ops.group, "damaged: a transform without its numbers");
        const pliant__transform own = op_of(op, values + used);
        *out = pliant__transform_compose(out, &own);
        used += widths[op];
    }
    return true;
}

static bool place_at(abc *a, uint32_t placing, double time, pliant__transform *out)
{
    *out = pliant__transform_identity();
    for (bool alone = false; placing != UINT32_MAX && !alone; placing = a->placings.data[placing].parent) {
        pliant__transform own;
        if (!placing_at(a, &a->placings.data[placing], time, &alone, &own)) return false;
        *out = pliant__transform_compose(&own, out);
    }
    return true;
}

/* ---- reading ---- */

/* The points of a sample, and those of the next where `share` of them is wanted. */
static bool read_part(abc *a, const pliant__points *points, const part *p, double time, pliant_error *error, pliant_vec3 *out)
{
    enum { PIECE = 256 };
    unsigned char     bytes[2][PIECE * 12];
    uint32_t          index, next;
    double            share;
    uint64_t          place[2], size[2];
    pliant__transform t;
    pliant__abc_at(&a->tree, &p->points, time, &index, &next, &share);
    if (!place_at(a, p->placing, time, &t) || !pliant__abc_sample(&a->tree, &p->points, index, &place[0], &size[0]) ||
        !pliant__abc_sample(&a->tree, &p->points, next, &place[1], &size[1]))
        return false;
    if (size[0] != p->count * 12 || size[1] != size[0])
        return pliant__ogawa_fail(&a->tree.from, place[0], "damaged: another number of points");
    for (uint64_t done = 0; done < p->count;) {
        const size_t count = p->count - done < PIECE ? (size_t)(p->count - done) : PIECE;
        if (!pliant__ogawa_bytes(&a->tree.from, place[0] + 12 * done, bytes[0], 12 * count)) return false;
        if (next != index && !pliant__ogawa_bytes(&a->tree.from, place[1] + 12 * done, bytes[1], 12 * count)) return false;
        for (size_t i = 0; i < count; i++, done++) {
            double x[3], y[3];
            for (int k = 0; k < 3; k++) {
                x[k] = (double)pliant__get_float(bytes[0] + 12 * i + 4 * k);
                if (next != index) x[k] += ((double)pliant__get_float(bytes[1] + 12 * i + 4 * k) - x[k]) * share;
            }
            pliant__transform_apply(&t, x, y);
            if (!pliant__points_take(y[0], y[1], y[2], &out[done]))
                return pliant__points_refuse(points, out[done], error, "point %llu at %.6g s", (unsigned long long)done, time);
        }
    }
    return true;
}

static bool read_sample(const pliant__points *points, uint32_t sample, pliant_vec3 *out, pliant_error *error)
{
    abc *a = points->own;
    a->tree.from.error = error;
    for (size_t i = 0; i < a->parts.count; out += a->parts.data[i++].count)
        if (!read_part(a, points, &a->parts.data[i], points->times[sample], error, out)) return false;
    return true;
}

static void close_abc(pliant__points *points)
{
    abc *a = points->own;
    if (!a) return;
    pliant__abc_tree_close(&a->tree);
    array_free(NULL, &a->placings);
    array_free(NULL, &a->parts);
    array_free(NULL, &a->times);
    free(a);
}

const pliant__points_format pliant__points_abc = {
    .ending = ".abc", .objects = true, .open = open_abc, .read = read_sample, .close = close_abc};
