/* Reading by table: types, ranges, unknown keys and suggestions for them. */
#include "io/scene/keys.h"

#include "base/trig.h"
#include "base/vec.h"
#include "io/files/number.h"
#include "io/files/words.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool pliant__complain(pliant__reader *r, const pliant__node *node, const char *format, ...)
{
    char    what[384];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return pliant__node_fail(&r->tree, node, r->error, "%s", what);
}

void pliant__notice(pliant__reader *r, const pliant__node *node, const char *format, ...)
{
    char    place[128], what[384], text[768];
    va_list args;
    if (!r->def->notice) return;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    pliant__node_place(node, place, sizeof place);
    snprintf(text, sizeof text, "%.200s:%d: %s%s%s", r->tree.name, node->line, place, *place ? ": " : "", what);
    r->def->notice(text, r->def->notice_context);
}

bool pliant__expected(pliant__reader *r, const pliant__node *node, const char *what)
{
    return pliant__complain(r, node, "must be %s, not %s", what, pliant__node_kind(node));
}

bool pliant__blame(pliant__reader *r, const pliant__node *node, const pliant_error *inner)
{
    if (inner->code == PLIANT_ERROR_MEMORY || (*inner->path && inner->line)) { /* the inner error has the place */
        if (r->error) *r->error = *inner;
        return false;
    }
    if (*inner->path)
        pliant__complain(r, node, "%s: %s", inner->path, inner->message);
    else
        pliant__complain(r, node, "%s", *inner->message ? inner->message : pliant_code_name(inner->code));
    if (r->error && (inner->code == PLIANT_ERROR_IO || inner->code == PLIANT_ERROR_UNAVAILABLE)) r->error->code = inner->code;
    return false;
}

void *pliant__read_memory(pliant__reader *r, size_t count, size_t size)
{
    void *memory = size && count > SIZE_MAX / 2 / size ? NULL : pliant__tree_alloc(&r->tree, count * size);
    if (!memory) pliant__fail_memory(r->error, count * size, "reading a scene");
    return memory;
}

/* ---- unknown keys ---- */

/* Names of objects in messages, where they differ from those in the schema. */
static const struct noun {
    const char *name, *noun;
} nouns[] = {{"soft", "a soft body"},
             {"particles", "a body of particles"},
             {"file", "the file itself"},
             {"solver", "the solver"},
             {"bend", "the bend of a body"},
             {"skin", "the skin of a body"},
             {"frame", "the frame of a body"},
             {"backstop", "the backstop of a skin"},
             {"target_key", "a key of targets"},
             {"pressure_key", "a key of a pressure"},
             {"pose_key", "a key of a collider or a frame"},
             {"force_key", "a key of a force"},
             {"cut_key", "a key of a cut"},
             {"wind_key", "a key of a wind"},
             {"body_force", "a force on bodies"},
             {"baked", "keys from a cache"},
             {"baked_targets", "the targets' keys from a cache"},
             {"baked_pose", "a collider's keys from a cache"},
             {"ball", "a ball"},
             {"mesh", "a mesh collider"},
             {"vertex_value", "a selection with a value"},
             {"selection_of_body", "a selection between bodies"},
             {"constraint_between", "a constraint between bodies"},
             {"params", "the parameters"},
             {"eval", "what is evaluated"}};

const char *pliant__object_noun(const pliant__object *object, char *out, size_t size)
{
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++)
        if (strcmp(nouns[i].name, object->name) == 0) return nouns[i].noun;
    snprintf(out, size, "%s %s", strchr("aeiou", object->name[0]) ? "an" : "a", object->name);
    for (char *c = out; *c; c++)
        if (*c == '_') *c = ' ';
    return out;
}

static bool fail_unknown(pliant__reader *r, const pliant__node *node, const pliant__object *object)
{
    pliant__likeness like = pliant__likeness_of(node->key);
    for (const pliant__object *o = object; o; o = o->base)
        for (size_t i = 0; i < o->count; i++) pliant__liken(&like, o->keys[i].name);
    char              where[240], noun[80];
    const char *const best = like.best;
    const bool        elsewhere = r->elsewhere && r->elsewhere(node->key, where, sizeof where);
    if (best && elsewhere) return pliant__complain(r, node, "unknown key (did you mean %s?); %s", best, where);
    if (best) return pliant__complain(r, node, "unknown key (did you mean %s?)", best);
    if (elsewhere) return pliant__complain(r, node, "unknown key of %s; %s", pliant__object_noun(object, noun, sizeof noun), where);
    return pliant__complain(r, node, "unknown key");
}

/* ---- single values ---- */

static bool fail_range(pliant__reader *r, const pliant__node *node, double low, double high, bool above, bool below)
{
    char l[PLIANT__NUMBER_SIZE], h[PLIANT__NUMBER_SIZE];
    pliant__format_number(l, low, 10);
    pliant__format_number(h, high, 10);
    const char *least = above ? "above" : "at least";
    if (high >= DBL_MAX) return pliant__complain(r, node, "%.40s is out of range: must be %s %s", node->text, least, l);
    if (low <= -DBL_MAX) return pliant__complain(r, node, "%.40s is out of range: must be at most %s", node->text, h);
    return pliant__complain(r, node, "%.40s is out of range: must be %s %s and %s %s", node->text, least, l, below ? "below" : "at most",
                            h);
}

bool pliant__read_number(pliant__reader *r, const pliant__node *node, double low, double high, bool above, double *out)
{
    if (node->type != PLIANT__NODE_NUMBER) return pliant__expected(r, node, "a number");
    if (node->number < low || node->number > high || (above && node->number <= low)) return fail_range(r, node, low, high, above, false);
    *out = node->number;
    return true;
}

bool pliant__read_real(pliant__reader *r, const pliant__node *node, double low, double high, bool above, pliant_real *out)
{
    double number = 0;
    if (!pliant__read_number(r, node, low, high, above, &number)) return false;
#ifndef PLIANT_DOUBLE
    if (number > (double)FLT_MAX || number < -(double)FLT_MAX)
        return pliant__complain(r, node, "%.40s is too large for a number", node->text);
    if (above && low == 0 && (pliant_real)number <= 0) return pliant__complain(r, node, "%.40s is too small for a number", node->text);
#endif
    *out = (pliant_real)number;
    return true;
}

bool pliant__read_count(pliant__reader *r, const pliant__node *node, double low, double high, uint32_t *out)
{
    double number = 0;
    if (!pliant__read_number(r, node, low, high < UINT32_MAX ? high : UINT32_MAX, false, &number)) return false;
    uint32_t whole = (uint32_t)number;
    if ((double)whole < number || (double)whole > number) return pliant__complain(r, node, "%.40s is not a whole number", node->text);
    *out = whole;
    return true;
}

bool pliant__read_bool(pliant__reader *r, const pliant__node *node, bool *out)
{
    if (node->type != PLIANT__NODE_BOOL) return pliant__expected(r, node, "true or false");
    *out = node->truth;
    return true;
}

bool pliant__read_text(pliant__reader *r, const pliant__node *node, const char **out)
{
    if (node->type != PLIANT__NODE_TEXT) return pliant__expected(r, node, "text");
    if (!*node->text) return pliant__complain(r, node, "must not be empty");
    *out = node->text;
    return true;
}

static bool read_name(pliant__reader *r, const pliant__node *node, char out[64])
{
    const char *text = NULL;
    if (!pliant__read_text(r, node, &text)) return false;
    if (strlen(text) > 63) return pliant__complain(r, node, "a name has at most 63 bytes");
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < 32 || *c == 127) return pliant__complain(r, node, "a name has no control characters");
    memset(out, 0, 64);
    memcpy(out, text, strlen(text));
    return true;
}

bool pliant__read_list(pliant__reader *r, const pliant__node *node, size_t least, const char *of_what)
{
    if (node->type != PLIANT__NODE_LIST) return pliant__complain(r, node, "must be a list of %s, not %s", of_what, pliant__node_kind(node));
    if (node->count < least) return pliant__complain(r, node, "needs at least %zu of %s, has %u", least, of_what, node->count);
    return true;
}

bool pliant__read_vec3(pliant__reader *r, const pliant__node *node, pliant_vec3 *out)
{
    if (node->type != PLIANT__NODE_LIST || node->count != 3) return pliant__complain(r, node, "must be a list of three numbers");
    pliant_real *to[3] = {&out->x, &out->y, &out->z};
    int          i = 0;
    for (const pliant__node *n = node->first; n; n = n->next)
        if (!pliant__read_real(r, n, -DBL_MAX, DBL_MAX, false, to[i++])) return false;
    return true;
}

bool pliant__read_word(pliant__reader *r, const pliant__node *node, const char *const *words, uint32_t *out)
{
    const char *text = NULL;
    if (!pliant__read_text(r, node, &text)) return false;
    for (uint32_t i = 0; words[i]; i++)
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return true;
        }
    char known[240];
    return pliant__complain(r, node, "unknown word %.40s %s", text, pliant__known_words(text, words, known, sizeof known));
}

/* ---- rotations: a quaternion x y z w, or an axis and degrees ---- */

const char pliant__rotation_schema[] =
    "{\"oneOf\": [{\"type\": \"array\", \"items\": {\"type\": \"number\"}, \"minItems\": 4, \"maxItems\": 4}, "
    "{\"type\": \"object\", \"properties\": {\"axis\": {\"$ref\": \"#/$defs/vec3\"}, \"angle\": {\"type\": \"number\"}}, "
    "\"required\": [\"axis\", \"angle\"], \"additionalProperties\": false}]}";

typedef struct axis_angle {
    pliant_vec3 axis;
    double      angle;
} axis_angle;

static const pliant__key axis_angle_keys[] = {
    {.name = "axis", .type = PLIANT__KEY_VEC3, .offset = offsetof(axis_angle, axis), .required = true},
    {.name = "angle", .type = PLIANT__KEY_DOUBLE, .low = -36000, .high = 36000, .offset = offsetof(axis_angle, angle), .required = true},
};
static const pliant__object axis_angle_object = {"rotation", "", PLIANT__KEYS(axis_angle_keys), NULL, 0};

static bool read_axis_angle(pliant__reader *r, const pliant__node *node, double q[4])
{
    axis_angle a = {{0, 0, 0}, 0};
    if (!pliant__read_object(r, node, &axis_angle_object, &a)) return false;
    double x = a.axis.x, y = a.axis.y, z = a.axis.z, length = sqrt(x * x + y * y + z * z);
    if (!(length > 1e-30)) return pliant__complain(r, pliant__node_get(node, "axis"), "an axis has a length");
    double half = a.angle * (3.14159265358979323846 / 360), s = pliant__sin(half) / length;
    q[0] = x * s;
    q[1] = y * s;
    q[2] = z * s;
    q[3] = pliant__cos(half);
    return true;
}

bool pliant__read_rotation(pliant__reader *r, const pliant__node *node, pliant_quat *out)
{
    double q[4] = {0, 0, 0, 1};
    int    i = 0;
    if (node->type == PLIANT__NODE_MAP) {
        if (!read_axis_angle(r, node, q)) return false;
    } else {
        if (node->type != PLIANT__NODE_LIST || node->count != 4)
            return pliant__complain(r, node, "must be a quaternion [x, y, z, w] or {\"axis\": [x, y, z], \"angle\": degrees}");
        for (const pliant__node *n = node->first; n; n = n->next)
            if (!pliant__read_number(r, n, -1e15, 1e15, false, &q[i++])) return false;
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 1e-15)) return pliant__complain(r, node, "a quaternion of zeros is no rotation");
    out->x = (pliant_real)(q[0] / length);
    out->y = (pliant_real)(q[1] / length);
    out->z = (pliant_real)(q[2] / length);
    out->w = (pliant_real)(q[3] / length);
    return true;
}

bool pliant__read_rotation_key(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    (void)key;
    return pliant__read_rotation(r, node, field);
}

/* ---- objects ---- */

const pliant__key *pliant__key_find(const pliant__object *object, const char *name, size_t *offset)
{
    *offset = 0;
    for (const pliant__object *o = object; o; *offset += o->base_offset, o = o->base)
        for (size_t i = 0; i < o->count; i++)
            if (strcmp(o->keys[i].name, name) == 0) return &o->keys[i];
    return NULL;
}

static bool read_real(pliant__reader *r, const pliant__node *node, const pliant__key *key, pliant_real *field)
{
    if (node->type == PLIANT__NODE_NUMBER && key->below && node->number >= key->high)
        return fail_range(r, node, key->low, key->high, key->above, true);
    return pliant__read_real(r, node, key->low, key->high, key->above, field);
}

static bool read_value(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    switch (key->type) {
    case PLIANT__KEY_REAL: return read_real(r, node, key, field);
    case PLIANT__KEY_DOUBLE: return pliant__read_number(r, node, key->low, key->high, key->above, field);
    case PLIANT__KEY_COUNT: return pliant__read_count(r, node, key->low, key->high, field);
    case PLIANT__KEY_BOOL: return pliant__read_bool(r, node, field);
    case PLIANT__KEY_TEXT: return pliant__read_text(r, node, field);
    case PLIANT__KEY_NAME: return read_name(r, node, field);
    case PLIANT__KEY_VEC3: return pliant__read_vec3(r, node, field);
    case PLIANT__KEY_WORD: return pliant__read_word(r, node, key->words, field);
    case PLIANT__KEY_CUSTOM: return key->read(r, node, key, field);
    case PLIANT__KEY_LIST:
        if (node->type != PLIANT__NODE_LIST) return pliant__expected(r, node, "a list");
        *(const pliant__node **)field = node;
        return true;
    case PLIANT__KEY_NODE: *(const pliant__node **)field = node; return true;
    case PLIANT__KEY_LATER: return true;
    }
    return false;
}

static bool check_required(pliant__reader *r, const pliant__node *node, const pliant__object *object)
{
    for (const pliant__object *o = object; o; o = o->base)
        for (size_t i = 0; i < o->count; i++)
            if (o->keys[i].required && !pliant__node_get(node, o->keys[i].name))
                return pliant__complain(r, node, "\"%s\" is missing", o->keys[i].name);
    return true;
}

bool pliant__read_object(pliant__reader *r, const pliant__node *node, const pliant__object *object, void *out)
{
    if (node->type != PLIANT__NODE_MAP) return pliant__expected(r, node, "an object");
    for (const pliant__node *n = node->first; n; n = n->next) {
        size_t             offset;
        const pliant__key *key = pliant__key_find(object, n->key, &offset);
        if (!key) return fail_unknown(r, n, object);
        if (!read_value(r, n, key, out ? (char *)out + offset + key->offset : NULL)) return false; /* a selection keeps none of its keys */
    }
    return check_required(r, node, object);
}
