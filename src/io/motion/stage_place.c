/* Where prims are: their xformOps, in the order that they say (OpenUSD, UsdGeomXformable). */
#include "io/motion/stage.h"

#include "base/trig.h"

#include <math.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)

enum { MOST = 16 };

typedef enum op_kind { TRANSLATE, SCALE, ORIENT, TRANSFORM, ROTATE } op_kind;

/* The kind and axes in an op's name: "rotateXYZ:pivot" is of kind rotate, about x first, then y, then z. */
static bool kind_of(const char *name, size_t length, op_kind *out, unsigned *width, const char **axes)
{
    static const struct {
        const char *name;
        unsigned    width;
    } kinds[] = {{"translate", 3}, {"scale", 3}, {"orient", 4}, {"transform", 16}};
    const char  *colon = memchr(name, ':', length);
    const size_t own = colon ? (size_t)(colon - name) : length;
    for (int i = 0; i < 4; i++)
        if (own == strlen(kinds[i].name) && memcmp(name, kinds[i].name, own) == 0) {
            *out = (op_kind)i;
            *width = kinds[i].width;
            return true;
        }
    if ((own != 7 && own != 9) || memcmp(name, "rotate", 6) != 0) return false;
    *out = ROTATE;
    *axes = name + 6;
    *width = (unsigned)own - 6;
    for (size_t i = 6; i < own; i++)
        if (name[i] < 'X' || name[i] > 'Z') return false;
    return true;
}

static bool numbers_of(const pliant__words *words, const pliant__stage_value *value, unsigned width, double *out)
{
    pliant__words w = *words;
    w.at = value->text;
    w.line = value->line;
    for (unsigned i = 0; i < width; i++)
        if (!pliant__words_number(&w, &out[i])) return false;
    return width == 1 || pliant__words_expect(&w, ")"); /* no more of them */
}

static bool numbers_at(const pliant__words *words, const pliant__stage_values *values, double code, unsigned width, double out[MOST])
{
    const pliant__stage_value *next, *value;
    double                     share, more[MOST];
    value = pliant__stage_at(values, code, &next, &share);
    if (!value) return true;
    if (!numbers_of(words, value, width, out)) return false;
    if (!next) return true;
    if (!numbers_of(words, next, width, more)) return false;
    double dot = 0;
    for (unsigned i = 0; i < width; i++) dot += out[i] * more[i];
    for (unsigned i = 0; i < width; i++) out[i] += ((width == 4 && dot < 0 ? -more[i] : more[i]) - out[i]) * share;
    return true;
}

static pliant__transform turn_about(char axis, double degrees)
{
    const double angle = degrees * DEGREE / 2, s = pliant__sin(angle),
                 q[4] = {axis == 'X' ? s : 0, axis == 'Y' ? s : 0, axis == 'Z' ? s : 0, pliant__cos(angle)};
    return pliant__transform_turn(q);
}

static pliant__transform transform_of(op_kind kind, unsigned width, const char *axes, const double v[MOST])
{
    pliant__transform out = pliant__transform_identity();
    if (kind == ORIENT) {
        const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]),
                     q[4] = {v[1] / length, v[2] / length, v[3] / length, v[0] / length};
        return length > 0 ? pliant__transform_turn(q) : out;
    }
    for (unsigned i = 0; kind == ROTATE && i < width; i++) {
        const pliant__transform one = turn_about(axes[i], fmod(v[i], 720));
        out = pliant__transform_compose(&one, &out);
    }
    for (unsigned i = 0; i < 3; i++) {
        if (kind == TRANSLATE) out.m[4 * i + 3] = v[i];
        if (kind == SCALE) out.m[5 * i] = v[i];
        for (unsigned k = 0; kind == TRANSFORM && k < 4; k++) out.m[4 * i + k] = v[4 * k + i];
    }
    return out;
}

/* By cofactors; false if it is flat. */
static bool invert(const pliant__transform *t, pliant__transform *out)
{
    const double *m = t->m;
    double        c[9], det;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, d = (k + 1) % 3, e = (k + 2) % 3;
            c[3 * k + i] = m[4 * a + d] * m[4 * b + e] - m[4 * a + e] * m[4 * b + d];
        }
    det = m[0] * c[0] + m[1] * c[3] + m[2] * c[6];
    if (!(det < 0 || det > 0)) return false;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) out->m[4 * i + k] = c[3 * i + k] / det;
        out->m[4 * i + 3] = -(out->m[4 * i] * m[3] + out->m[4 * i + 1] * m[7] + out->m[4 * i + 2] * m[11]);
    }
    return true;
}

/* Appends the op of a name in xformOpOrder, at a time. */
static bool add_op(const pliant__stage_prim *prim, const pliant__words *words, const char *name, size_t length, bool inverse, double code,
                   pliant__transform *out)
{
    const pliant__stage_op *op = NULL;
    op_kind                 kind;
    unsigned                width;
    const char             *axes = NULL;
    double                  v[MOST] = {0};
    for (size_t i = 0; i < prim->ops.count; i++)
        if (prim->ops.data[i].length == length && memcmp(prim->ops.data[i].name, name, length) == 0) op = &prim->ops.data[i];
    if (!kind_of(name, length, &kind, &width, &axes))
        return pliant__words_fail(words, "xformOp:%.*s is not known", length < 40 ? (int)length : 40, name);
    if (!op || (!op->values.has_default && !op->values.samples.count)) return true;
    if (!numbers_at(words, &op->values, code, width, v)) return false;
    pliant__transform own = transform_of(kind, width, axes, v), turned;
    if (inverse) {
        if (!invert(&own, &turned)) return pliant__words_fail(words, "xformOp:%.*s has no inverse", length < 40 ? (int)length : 40, name);
        own = turned;
    }
    *out = pliant__transform_compose(out, &own);
    return true;
}

/* *alone: the prim does not inherit the transform above it. */
static bool local_of(const pliant__stage_prim *prim, const pliant__words *words, double code, bool *alone, pliant__transform *out)
{
    static const char invert_mark[] = "!invert!", op[] = "xformOp:", reset[] = "!resetXformStack!";
    pliant__words     w = *words;
    pliant__word      word;
    *alone = false;
    *out = pliant__transform_identity();
    if (!prim->order) return true;
    w.at = prim->order;
    w.line = prim->order_line;
    if (!pliant__words_expect(&w, "[")) return false;
    for (;;) {
        if (!pliant__words_next(&w, &word)) return false;
        if (pliant__word_is(&word, "]")) return true;
        if (pliant__word_is(&word, ",")) continue;
        if (word.kind != PLIANT__WORD_STRING) return pliant__words_fail(&w, "xformOpOrder is a list of texts");
        const bool   inverse = word.length > strlen(invert_mark) && memcmp(word.text, invert_mark, strlen(invert_mark)) == 0;
        const size_t skip = inverse ? strlen(invert_mark) : 0;
        if (word.length == strlen(reset) && memcmp(word.text, reset, word.length) == 0) {
            *alone = true;
            *out = pliant__transform_identity();
            continue;
        }
        if (word.length - skip <= strlen(op) || memcmp(word.text + skip, op, strlen(op)) != 0)
            return pliant__words_fail(&w, "\"%.*s\" is no xformOp", word.length < 40 ? (int)word.length : 40, word.text);
        if (!add_op(prim, &w, word.text + skip + strlen(op), word.length - skip - strlen(op), inverse, code, out)) return false;
    }
}

bool pliant__stage_place(const pliant__stage *stage, const pliant__words *words, uint32_t prim, double code, pliant__transform *out)
{
    *out = pliant__transform_identity();
    for (bool alone = false; prim != PLIANT__STAGE_NONE && !alone; prim = stage->prims.data[prim].parent) {
        pliant__transform own;
        if (!local_of(&stage->prims.data[prim], words, code, &alone, &own)) return false;
        *out = pliant__transform_compose(&own, out);
    }
    return true;
}
