/* See json_tree.h. */
#include "json_tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- making ---- */

static char *copy_text(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    assert_non_null(copy);
    return strcpy(copy, text);
}

json json_of_number(double number) { return (json){.type = JSON_NUMBER, .number = number}; }
json json_of_text(const char *text) { return (json){.type = JSON_TEXT, .text = copy_text(text)}; }
json json_of_bool(bool yes) { return (json){.type = yes ? JSON_TRUE : JSON_FALSE}; }
json json_empty(json_type type) { return (json){.type = type}; }

json json_of_numbers(const double *numbers, size_t count)
{
    json list = json_empty(JSON_LIST);
    for (size_t i = 0; i < count; i++) json_add(&list, json_of_number(numbers[i]));
    return list;
}

json json_copy(const json *value)
{
    json copy = {.type = value->type, .number = value->number, .text = value->text ? copy_text(value->text) : NULL};
    for (size_t i = 0; i < value->count; i++)
        if (value->type == JSON_OBJECT)
            json_put(&copy, value->keys[i], json_copy(&value->items[i]));
        else
            json_add(&copy, json_copy(&value->items[i]));
    return copy;
}

/* ---- changing ---- */

/* Room for one more item, and as many keys: arrays grow where the count is a power of two, as in json_reader.c. */
static void make_room(json *container)
{
    const size_t count = container->count, room = count ? 2 * count : 1;
    if (count & (count - 1)) return;
    container->items = realloc(container->items, room * sizeof *container->items);
    assert_non_null(container->items);
    if (container->type != JSON_OBJECT) return;
    container->keys = realloc(container->keys, room * sizeof *container->keys);
    assert_non_null(container->keys);
}

void json_add(json *list, json value)
{
    assert_int_equal(list->type, JSON_LIST);
    make_room(list);
    list->items[list->count++] = value;
}

void json_put(json *object, const char *key, json value)
{
    assert_int_equal(object->type, JSON_OBJECT);
    json *there = json_find(object, key);
    if (there) {
        json_clear(there);
        *there = value;
        return;
    }
    make_room(object);
    object->keys[object->count] = copy_text(key);
    object->items[object->count++] = value;
}

json *json_find(const json *object, const char *key)
{
    for (size_t i = 0; object->type == JSON_OBJECT && i < object->count; i++)
        if (!strcmp(object->keys[i], key)) return &object->items[i];
    return NULL;
}

void json_drop(json *container, size_t index)
{
    const size_t behind = --container->count - index;
    json_clear(&container->items[index]);
    memmove(&container->items[index], &container->items[index + 1], behind * sizeof *container->items);
    if (!container->keys) return;
    free(container->keys[index]);
    memmove(&container->keys[index], &container->keys[index + 1], behind * sizeof *container->keys);
}

void json_drop_key(json *object, const char *key)
{
    const json *value = json_find(object, key);
    if (value) json_drop(object, (size_t)(value - object->items));
}

/* ---- asking ---- */

bool json_same(const json *a, const json *b)
{
    if (a->type != b->type || a->count != b->count) return false;
    if (a->type == JSON_NUMBER) return a->number == b->number || (isnan(a->number) && isnan(b->number));
    if (a->type == JSON_TEXT) return !strcmp(a->text, b->text);
    for (size_t i = 0; i < a->count; i++)
        if ((a->keys && strcmp(a->keys[i], b->keys[i]) != 0) || !json_same(&a->items[i], &b->items[i])) return false;
    return true;
}

size_t json_values(const json *value)
{
    size_t sum = 1;
    for (size_t i = 0; i < value->count; i++) sum += json_values(&value->items[i]);
    return sum;
}

/* ---- writing ---- */

typedef struct page {
    char  *text;
    size_t count, room;
} page;

static void put(page *p, const char *text)
{
    const size_t length = strlen(text);
    if (p->count + length + 1 > p->room) {
        p->room = 2 * (p->count + length + 1);
        p->text = realloc(p->text, p->room);
        assert_non_null(p->text);
    }
    memcpy(p->text + p->count, text, length + 1);
    p->count += length;
}

static void put_number(page *p, double number)
{
    char text[64];
    if (isnan(number))
        snprintf(text, sizeof text, "NaN");
    else if (isinf(number))
        snprintf(text, sizeof text, number > 0 ? "Infinity" : "-Infinity");
    else
        snprintf(text, sizeof text, number == floor(number) && fabs(number) < 1e9 ? "%.0f" : "%.9g", number);
    if (isfinite(number) && strtod(text, NULL) != number) snprintf(text, sizeof text, "%.17g", number);
    put(p, text);
}

static void put_text(page *p, const char *text)
{
    put(p, "\"");
    put(p, text);
    put(p, "\"");
}

/* Keys of the scene and the items of its lists have a line each. */
static void put_value(page *p, const json *value, int depth)
{
    const bool object = value->type == JSON_OBJECT, lines = depth < 2 && value->count > 0;
    if (value->type == JSON_NUMBER) put_number(p, value->number);
    if (value->type == JSON_TEXT) put_text(p, value->text);
    if (value->type == JSON_TRUE || value->type == JSON_FALSE) put(p, value->type == JSON_TRUE ? "true" : "false");
    if (value->type == JSON_NULL) put(p, "null");
    if (value->type != JSON_LIST && !object) return;
    put(p, object ? "{" : "[");
    for (size_t i = 0; i < value->count; i++) {
        if (i) put(p, lines ? "," : ", ");
        if (lines) put(p, depth ? "\n        " : "\n    ");
        if (object) put_text(p, value->keys[i]), put(p, ": ");
        put_value(p, &value->items[i], depth + 1);
    }
    if (lines) put(p, depth ? "\n    " : "\n");
    put(p, object ? "}" : "]");
}

char *json_write(const json *value)
{
    page p = {NULL, 0, 0};
    put_value(&p, value, 0);
    put(&p, "\n");
    return p.text;
}
