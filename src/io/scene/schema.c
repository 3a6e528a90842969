/* The JSON Schema (draft 2020-12) of scene files, made from the very tables that the reader reads by. */
#include "io/scene/keys.h"
#include "io/files/number.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

static const pliant__object *const objects[] = {
    &pliant__solver_object,
    &pliant__law_object,
    &pliant__friction_object,
    &pliant__material_object,
    &pliant__bend_object,
    &pliant__cloth_object,
    &pliant__soft_object,
    &pliant__rope_object,
    &pliant__particles_object,
    &pliant__particle_object,
    &pliant__pin_object,
    &pliant__attachment_object,
    &pliant__tear_object,
    &pliant__weak_object,
    &pliant__target_key_object,
    &pliant__plane_object,
    &pliant__sphere_object,
    &pliant__capsule_object,
    &pliant__box_object,
    &pliant__hull_object,
    &pliant__mesh_object,
    &pliant__height_field_object,
    &pliant__distance_field_object,
    &pliant__pose_key_object,
    &pliant__acceleration_object,
    &pliant__body_force_object,
    &pliant__force_key_object,
    &pliant__wind_key_object,
    &pliant__ball_object,
    &pliant__wind_object,
    &pliant__baked_targets_object,
    &pliant__baked_pose_object,
    &pliant__skin_object,
    &pliant__backstop_object,
    &pliant__frame_object,
    &pliant__contact_pair_object,
    &pliant__look_object,
    &pliant__color_object,
    &pliant__value_object,
    &pliant__selection_object,
    &pliant__of_body_object,
    &pliant__camera_object,
    &pliant__stitches_object,
    &pliant__mouth_object,
    &pliant__cut_object,
    &pliant__cut_key_object,
};

const pliant__object *pliant__schema_object(size_t index)
{
    static const pliant__object *const others[] = {&pliant__file_object, &pliant__constraint_object, &pliant__between_object};
    const size_t                       count = sizeof others / sizeof *others;
    if (index < count) return others[index];
    return index - count < sizeof objects / sizeof *objects ? objects[index - count] : NULL;
}

/* Text that is measured to its end and kept as far as there is room. */
typedef struct printer {
    char  *out;
    size_t size, length;
    int    depth;
} printer;

static void put_bytes(printer *p, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++, p->length++)
        if (p->length + 1 < p->size) p->out[p->length] = text[i];
}

static void put(printer *p, const char *text) { put_bytes(p, text, strlen(text)); }

static void put_line(printer *p)
{
    put(p, "\n");
    for (int i = 0; i < p->depth; i++) put(p, "  ");
}

static void put_text(printer *p, const char *text)
{
    put(p, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') put(p, "\\");
        put_bytes(p, text, 1);
    }
    put(p, "\"");
}

static void put_number(printer *p, const char *key, double value)
{
    char number[PLIANT__NUMBER_SIZE];
    pliant__format_shortest(number, value);
    put(p, ", \"");
    put(p, key);
    put(p, "\": ");
    put(p, number);
}

static void put_range(printer *p, const pliant__key *key)
{
    if (key->low > -DBL_MAX) put_number(p, key->above ? "exclusiveMinimum" : "minimum", key->low);
    if (key->high < DBL_MAX) put_number(p, key->below ? "exclusiveMaximum" : "maximum", key->high);
}

static void put_words(printer *p, const char *const *words)
{
    put(p, "\"enum\": [");
    for (size_t i = 0; words[i]; i++) {
        put(p, i ? ", " : "");
        put_text(p, words[i]);
    }
    put(p, "]");
}

/* A row's own schema, given as text: without its braces, and with the presets where it asks for them. */
static void put_given(printer *p, const char *schema)
{
    const char *mark = strstr(schema, "@presets");
    size_t      length = strlen(schema);
    if (!mark) {
        put_bytes(p, schema + 1, length - 2);
        return;
    }
    put_bytes(p, schema + 1, (size_t)(mark - schema) - 1);
    for (int i = 0; i < PLIANT_PRESET_COUNT; i++) {
        put(p, i ? ", " : "");
        put_text(p, pliant_preset_name((pliant_preset)i));
    }
    put_bytes(p, mark + 8, strlen(mark + 8) - 1);
}

static void put_type(printer *p, const pliant__key *key)
{
    switch (key->type) {
    case PLIANT__KEY_REAL:
    case PLIANT__KEY_DOUBLE:
        put(p, "\"type\": \"number\"");
        put_range(p, key);
        break;
    case PLIANT__KEY_COUNT:
        put(p, "\"type\": \"integer\"");
        put_range(p, key);
        break;
    case PLIANT__KEY_BOOL: put(p, "\"type\": \"boolean\""); break;
    case PLIANT__KEY_TEXT: put(p, "\"type\": \"string\", \"minLength\": 1"); break;
    case PLIANT__KEY_NAME: put(p, "\"type\": \"string\", \"minLength\": 1, \"maxLength\": 63"); break;
    case PLIANT__KEY_VEC3: put(p, "\"$ref\": \"#/$defs/vec3\""); break;
    case PLIANT__KEY_WORD: put_words(p, key->words); break;
    case PLIANT__KEY_LIST:
        put(p, "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/");
        put(p, key->object->name);
        put(p, "\"}");
        break;
    case PLIANT__KEY_CUSTOM:
    case PLIANT__KEY_NODE:
    case PLIANT__KEY_LATER: put_given(p, key->schema); break;
    }
}

static void put_property(printer *p, const pliant__key *key, bool *first)
{
    if (!*first) put(p, ",");
    *first = false;
    put_line(p);
    put_text(p, key->name);
    put(p, ": {");
    put_type(p, key);
    if (key->text && *key->text) {
        put(p, ", \"description\": ");
        put_text(p, key->text);
    }
    put(p, "}");
}

/* Properties of an object and of its base. */
static void put_properties(printer *p, const pliant__object *object)
{
    bool first = true;
    put(p, "\"properties\": {");
    p->depth++;
    for (const pliant__object *o = object; o; o = o->base)
        for (size_t i = 0; i < o->count; i++) {
            size_t offset;
            if (pliant__key_find(object, o->keys[i].name, &offset) == &o->keys[i]) put_property(p, &o->keys[i], &first);
        }
    p->depth--;
    put_line(p);
    put(p, "}");
}

static void put_required(printer *p, const pliant__object *object)
{
    bool first = true;
    for (const pliant__object *o = object; o; o = o->base)
        for (size_t i = 0; i < o->count; i++)
            if (o->keys[i].required) {
                if (first) {
                    put(p, ",");
                    put_line(p);
                }
                put(p, first ? "\"required\": [" : ", ");
                put_text(p, o->keys[i].name);
                first = false;
            }
    if (!first) put(p, "]");
}

static void put_object_body(printer *p, const pliant__object *object)
{
    put_line(p);
    put(p, "\"type\": \"object\",");
    if (*object->text) {
        put_line(p);
        put(p, "\"description\": ");
        put_text(p, object->text);
        put(p, ",");
    }
    put_line(p);
    put_properties(p, object);
    put_required(p, object);
    put(p, ",");
    put_line(p);
    put(p, "\"additionalProperties\": false");
}

static void put_object(printer *p, const pliant__object *object)
{
    put(p, "{");
    p->depth++;
    put_object_body(p, object);
    p->depth--;
    put_line(p);
    put(p, "}");
}

static void put_definition(printer *p, const pliant__object *object)
{
    put(p, ",");
    put_line(p);
    put_text(p, object->name);
    put(p, ": ");
    put_object(p, object);
}

/* One schema per kind of constraint: its name, its numbers, its count of vertices. */
static void put_constraints(printer *p, const pliant__object *object)
{
    put(p, ",");
    put_line(p);
    put_text(p, object->name);
    put(p, ": {\"description\": ");
    put_text(p, object->text);
    put(p, ", \"oneOf\": [");
    p->depth++;
    for (int k = 0; k < PLIANT_CONSTRAINT_COUNT; k++) {
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)k);
        pliant__key                   keys[PLIANT__CONSTRAINT_KEYS];
        pliant__object                one = *object;
        char                          kind[96] = "{\"const\": \"";
        one.count = pliant__constraint_keys(info, object, keys);
        one.keys = keys;
        one.text = info->formula;
        strncat(kind, info->name, 60);
        strcat(kind, "\"}");
        keys[0].schema = kind;
        /* An attachment of one vertex has a target, which only those within a body can have. */
        bool        alone = info->kind == PLIANT_CONSTRAINT_ATTACHMENT && object == &pliant__constraint_object;
        const char *list = keys[1].schema;
        char        counted[600];
        snprintf(counted, sizeof counted, "%.*s, \"minItems\": %u, \"maxItems\": %u}", (int)strlen(list) - 1, list, alone ? 1 : info->slots,
                 info->slots);
        keys[1].schema = counted;
        put(p, k ? "," : "");
        put_line(p);
        put_object(p, &one);
    }
    p->depth--;
    put_line(p);
    put(p, "]}");
}

/* One of the kinds of group over faces, or over members, its first number alone or all of them; `beside`: other keys, or NULL. */
static void put_groups(printer *p, const char *name, const char *text, pliant_group_over over, const pliant__object *beside)
{
    bool first = true;
    put(p, ",");
    put_line(p);
    put_text(p, name);
    put(p, ": {\"description\": ");
    put_text(p, text);
    put(p, beside ? ", \"type\": \"object\", \"minProperties\": 1, \"maxProperties\": 2, \"properties\": {"
                  : ", \"type\": \"object\", \"minProperties\": 1, \"maxProperties\": 1, \"properties\": {");
    p->depth++;
    for (size_t i = 0; beside && i < beside->count; i++) put_property(p, &beside->keys[i], &first);
    for (int k = 0; k < PLIANT_GROUP_COUNT; k++) {
        const pliant_group_info *info = pliant_group_describe((pliant_group_kind)k);
        if (info->over != over) continue;
        pliant__key          keys[PLIANT__GROUP_KEYS];
        const size_t         count = pliant__group_keys(info, keys);
        const pliant__object object = {info->name, info->formula, keys, count, NULL, 0};
        char                 items[400], low[PLIANT__NUMBER_SIZE], high[PLIANT__NUMBER_SIZE];
        pliant__format_shortest(low, keys[0].low);
        pliant__format_shortest(high, keys[0].high);
        snprintf(
            items, sizeof items,
            "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"object\", \"properties\": {\"time\": {\"type\": \"number\"}, "
            "\"%s\": {\"type\": \"number\", \"minimum\": %s, \"maximum\": %s}}, \"required\": [\"time\", \"%s\"], "
            "\"additionalProperties\": false}}",
            keys[0].name, low, high, keys[0].name);
        keys[count - 1].schema = items;
        put(p, first ? "" : ",");
        first = false;
        put_line(p);
        put_text(p, info->name);
        put(p, ": {\"oneOf\": [{\"type\": \"number\"");
        put_range(p, keys);
        put(p, "}, ");
        put_object(p, &object);
        put(p, "]}");
    }
    p->depth--;
    put_line(p);
    put(p, "}, \"additionalProperties\": false}");
}

size_t pliant_scene_schema(char *out, size_t size)
{
    printer p = {out, size, 0, 1};
    put(&p, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": ");
    put_text(&p, pliant__file_object.text);
    put(&p, ",");
    put_object_body(&p, &pliant__file_object);
    put(&p, ",\n  \"$defs\": {");
    p.depth = 2;
    put_line(&p);
    put(&p, "\"vec3\": {\"type\": \"array\", \"items\": {\"type\": \"number\"}, \"minItems\": 3, \"maxItems\": 3},");
    put_line(&p);
    put(&p, "\"rotation\": ");
    put(&p, pliant__rotation_schema);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) put_definition(&p, objects[i]);
    put_constraints(&p, &pliant__constraint_object);
    put_constraints(&p, &pliant__between_object);
    put_groups(&p, "pressure", "What a closed surface is filled with", PLIANT_OVER_FACES, &pliant__pressure_object);
    put_groups(&p, "shape", "How clusters of particles keep their shape", PLIANT_OVER_MEMBERS, &pliant__shape_object);
    put(&p, "\n  }\n}\n");
    if (size) out[p.length < size ? p.length : size - 1] = 0;
    return p.length;
}
