/* Recursive descent over a file in memory. Text keeps its escapes: reference data has none that matter. */
#include "json_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void skip_blanks(const char **at) { *at += strspn(*at, " \t\r\n"); }

static char *read_text(const char **at)
{
    const char *begin = ++*at;
    while (**at && **at != '"') *at += **at == '\\' && (*at)[1] ? 2 : 1;
    size_t length = (size_t)(*at - begin);
    char  *text = malloc(length + 1);
    assert_non_null(text);
    memcpy(text, begin, length);
    text[length] = 0;
    if (**at) ++*at;
    return text;
}

static void *grow(void *memory, size_t count, size_t size)
{
    if (count & (count - 1)) return memory; /* room for powers of two */
    void *more = realloc(memory, (count ? 2 * count : 1) * size);
    assert_non_null(more);
    return more;
}

static bool read_value(const char **at, json *value);

static bool read_items(const char **at, json *value, char end)
{
    ++*at;
    for (skip_blanks(at); **at != end; skip_blanks(at)) {
        if (value->count && *(*at)++ != ',') return false;
        skip_blanks(at);
        value->items = grow(value->items, value->count, sizeof *value->items);
        memset(&value->items[value->count], 0, sizeof *value->items);
        if (value->type == JSON_OBJECT) {
            if (**at != '"') return false;
            value->keys = grow(value->keys, value->count, sizeof *value->keys);
            value->keys[value->count] = read_text(at);
            skip_blanks(at);
            if (*(*at)++ != ':') return false;
        }
        if (!read_value(at, &value->items[value->count++])) return false;
    }
    ++*at;
    return true;
}

static bool read_word(const char **at, json *value, const char *word, json_type type)
{
    if (strncmp(*at, word, strlen(word)) != 0) return false;
    *at += strlen(word);
    value->type = type;
    return true;
}

static bool read_value(const char **at, json *value)
{
    skip_blanks(at);
    switch (**at) {
    case '{': value->type = JSON_OBJECT; return read_items(at, value, '}');
    case '[': value->type = JSON_LIST; return read_items(at, value, ']');
    case '"':
        value->type = JSON_TEXT;
        value->text = read_text(at);
        return true;
    case 't': return read_word(at, value, "true", JSON_TRUE);
    case 'f': return read_word(at, value, "false", JSON_FALSE);
    case 'n': return read_word(at, value, "null", JSON_NULL);
    default: break;
    }
    char *end;
    value->type = JSON_NUMBER;
    value->number = strtod(*at, &end);
    if (end == *at) return false;
    *at = end;
    return true;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) print_error("%s: cannot be opened\n", path);
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    text[size] = 0;
    fclose(file);
    return text;
}

json *json_read(const char *path)
{
    char       *text = read_file(path);
    const char *at = text;
    json       *tree = calloc(1, sizeof *tree);
    assert_non_null(tree);
    bool good = read_value(&at, tree);
    skip_blanks(&at);
    if (!good || *at) print_error("%s: not JSON at byte %zu\n", path, (size_t)(at - text));
    assert_true(good && !*at);
    free(text);
    return tree;
}

void json_clear(json *value)
{
    for (size_t i = 0; i < value->count; i++) {
        json_clear(&value->items[i]);
        if (value->keys) free(value->keys[i]);
    }
    free(value->items);
    free(value->keys);
    free(value->text);
}

void json_free(json *tree)
{
    if (tree) json_clear(tree);
    free(tree);
}

static const json *find(const json *object, const char *key)
{
    assert_int_equal(object->type, JSON_OBJECT);
    for (size_t i = 0; i < object->count; i++)
        if (!strcmp(object->keys[i], key)) return &object->items[i];
    return NULL;
}

bool json_has(const json *object, const char *key) { return find(object, key) != NULL; }

const json *json_get(const json *object, const char *key)
{
    const json *found = find(object, key);
    if (!found) print_error("no key \"%s\"\n", key);
    assert_non_null(found);
    return found;
}

const json *json_at(const json *list, size_t index)
{
    assert_true(index < list->count);
    return &list->items[index];
}

double json_number(const json *value)
{
    assert_int_equal(value->type, JSON_NUMBER);
    return value->number;
}

double json_number_at(const json *object, const char *key) { return json_number(json_get(object, key)); }

const char *json_text_at(const json *object, const char *key)
{
    const json *value = json_get(object, key);
    assert_int_equal(value->type, JSON_TEXT);
    return value->text;
}
