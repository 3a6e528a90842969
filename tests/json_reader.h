/* A reader of JSON files for reference data: the whole file becomes a tree. A file that cannot be read, or a key that is not there, fails
 * the test that asked. */
#ifndef PLIANT_TESTS_JSON_READER_H
#define PLIANT_TESTS_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum json_type { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT } json_type;

typedef struct json {
    json_type    type;
    double       number;
    char        *text;
    char       **keys;  /* of an object */
    struct json *items; /* of a list or an object */
    size_t       count;
    size_t       marks; /* 0, for whoever counts how often a value was come across */
} json;

json *json_read(const char *path);
void  json_free(json *tree);

/* Frees what lies inside a value. */
void json_clear(json *value);

bool        json_has(const json *object, const char *key);
const json *json_get(const json *object, const char *key);
const json *json_at(const json *list, size_t index);
double      json_number(const json *value);
double      json_number_at(const json *object, const char *key);
const char *json_text_at(const json *object, const char *key);

#endif
