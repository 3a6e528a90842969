/* Which parts of a JSON Schema scenes make use of: every property, every word, every alternative. Of the schema's language what docs/scene.schema.json
 * has. */
#ifndef PLIANT_TESTS_SCENE_SCHEMA_H
#define PLIANT_TESTS_SCENE_SCHEMA_H

#include "json_tree.h"

/* Marks in the schema what a value is an instance of, and what lies in it. A key that the schema has not is no mistake here. */
void scene_schema_mark(json *schema, const json *value);

/* Calls `say` with the place of everything that has no mark; returns how many there are. */
size_t scene_schema_unmarked(const json *schema, void (*say)(const char *place));

#endif
