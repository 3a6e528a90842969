/* See scene_schema.h. */
#include "scene_schema.h"

#include <stdio.h>
#include <string.h>

typedef struct walk {
    json *root;
} walk;

/* What a node is where it refers to another. */
static json *resolve(const walk *w, json *node)
{
    json *reference;
    while ((reference = json_find(node, "$ref"))) {
        json *definitions = json_find(w->root, "$defs");
        node->marks++;
        node = json_find(definitions, reference->text + strlen("#/$defs/"));
    }
    return node;
}

static bool is_whole(const json *value) { return value->number == (double)(long long)value->number; }

static bool is_of_type(const char *type, const json *value)
{
    switch (value->type) {
    case JSON_NUMBER: return !strcmp(type, "number") || (!strcmp(type, "integer") && is_whole(value));
    case JSON_TEXT: return !strcmp(type, "string");
    case JSON_LIST: return !strcmp(type, "array");
    case JSON_OBJECT: return !strcmp(type, "object");
    case JSON_TRUE:
    case JSON_FALSE: return !strcmp(type, "boolean");
    case JSON_NULL: break;
    }
    return false;
}

/* Whether an alternative is meant: by type, by a word, and of objects by the constants that they have. */
static bool is_meant(const walk *w, json *node, const json *value)
{
    node = resolve(w, node);
    const json *type = json_find(node, "type"), *constant = json_find(node, "const"), *words = json_find(node, "enum");
    if (constant) return json_same(constant, value);
    for (size_t i = 0; words && i < words->count; i++)
        if (json_same(&words->items[i], value)) return true;
    if (words || (type && type->type == JSON_TEXT && !is_of_type(type->text, value))) return false;
    json *items = json_find(node, "items");
    if (items && value->type == JSON_LIST && value->count) return is_meant(w, items, &value->items[0]);
    const json *properties = json_find(node, "properties");
    for (size_t i = 0; properties && i < properties->count; i++) {
        const json *its = json_find(&properties->items[i], "const"), *said = json_find(value, properties->keys[i]);
        if (its && said && !json_same(its, said)) return false;
    }
    return true;
}

static void mark(const walk *w, json *node, const json *value);

static void mark_members(const walk *w, json *node, const json *value)
{
    json *properties = json_find(node, "properties"), *others = json_find(node, "additionalProperties"), *items = json_find(node, "items"),
         *first = json_find(node, "prefixItems");
    for (size_t i = 0; value->type == JSON_OBJECT && i < value->count; i++) {
        json *property = properties ? json_find(properties, value->keys[i]) : NULL;
        if (property || (others && others->type == JSON_OBJECT)) mark(w, property ? property : others, &value->items[i]);
    }
    for (size_t i = 0; value->type == JSON_LIST && i < value->count; i++)
        if (first && i < first->count)
            mark(w, &first->items[i], &value->items[i]);
        else if (items)
            mark(w, items, &value->items[i]);
}

static void mark(const walk *w, json *node, const json *value)
{
    node->marks++;
    node = resolve(w, node);
    node->marks++;
    json *choice = json_find(node, "oneOf"), *words = json_find(node, "enum"), *types = json_find(node, "type");
    for (size_t i = 0; words && i < words->count; i++) words->items[i].marks += json_same(&words->items[i], value);
    for (size_t i = 0; types && types->type == JSON_LIST && i < types->count; i++)
        types->items[i].marks += is_of_type(types->items[i].text, value);
    for (size_t i = 0; choice && i < choice->count; i++) {
        if (!is_meant(w, &choice->items[i], value)) continue;
        mark(w, &choice->items[i], value);
        break;
    }
    mark_members(w, node, value);
}

void scene_schema_mark(json *schema, const json *value)
{
    const walk w = {schema};
    mark(&w, schema, value);
}

/* ---- what is left ---- */

typedef struct search {
    void (*say)(const char *place);
    size_t found;
} search;

static void need(search *s, const json *node, const char *place)
{
    if (node->marks) return;
    s->found++;
    s->say(place);
}

static void look(search *s, const json *node, const char *place);

static void look_each(search *s, const json *members, const char *place)
{
    char where[512];
    for (size_t i = 0; members && i < members->count; i++) {
        const json *one = &members->items[i], *kind = json_find(one, "properties") ? json_find(json_find(one, "properties"), "kind") : NULL;
        const char *name = members->keys ? members->keys[i] : kind && json_find(kind, "const") ? json_find(kind, "const")->text : NULL;
        if (name)
            snprintf(where, sizeof where, "%s.%s", place, name);
        else
            snprintf(where, sizeof where, "%s[%zu]", place, i);
        need(s, one, where);
        if (one->marks) look(s, one, where);
    }
}

static void look(search *s, const json *node, const char *place)
{
    char        where[512];
    const json *words = json_find(node, "enum"), *types = json_find(node, "type"), *items = json_find(node, "items");
    look_each(s, json_find(node, "properties"), place);
    look_each(s, json_find(node, "oneOf"), place);
    look_each(s, json_find(node, "prefixItems"), place);
    if (items) look(s, items, place);
    for (size_t i = 0; words && i < words->count; i++) {
        snprintf(where, sizeof where, "%s = %s", place, words->items[i].text);
        need(s, &words->items[i], where);
    }
    for (size_t i = 0; types && types->type == JSON_LIST && i < types->count; i++) {
        snprintf(where, sizeof where, "%s as %s", place, types->items[i].text);
        need(s, &types->items[i], where);
    }
}

size_t scene_schema_unmarked(const json *schema, void (*say)(const char *place))
{
    search s = {say, 0};
    look(&s, schema, "scene");
    look_each(&s, json_find(schema, "$defs"), "$defs");
    return s.found;
}
