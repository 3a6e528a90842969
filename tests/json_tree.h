/* Trees of JSON that are made, changed and written: for scenes that tests draw. A value owns what lies inside it; json_put and json_add take it
 * over. */
#ifndef PLIANT_TESTS_JSON_TREE_H
#define PLIANT_TESTS_JSON_TREE_H

#include "json_reader.h"

json json_of_number(double number);
json json_of_text(const char *text);
json json_of_bool(bool yes);
json json_empty(json_type type); /* JSON_LIST or JSON_OBJECT */
json json_of_numbers(const double *numbers, size_t count);
json json_copy(const json *value);

/* A key that is there gets another value. */
void json_put(json *object, const char *key, json value);
void json_add(json *list, json value);

/* NULL where there is no such key, or `object` is none. */
json *json_find(const json *object, const char *key);

/* Takes an item, or a key with its value, away; a key that is not there is none. */
void json_drop(json *container, size_t index);
void json_drop_key(json *object, const char *key);

bool   json_same(const json *a, const json *b);
size_t json_values(const json *value); /* how many there are in it, itself included */

/* As text, for free(). A number that is infinite or none is written as such words are in other languages: no reader of JSON takes it. */
char *json_write(const json *value);

#endif
