/* Scenes at random: files as a user may write them, with any key and any word of docs/scene.schema.json. They are drawn from one table, a row per key
 * (scene_draw.c); test_random_scenes.c fails where the schema has what no scene says. A number makes the same scene everywhere. */
#ifndef PLIANT_TESTS_SCENE_DRAW_H
#define PLIANT_TESTS_SCENE_DRAW_H

#include "json_tree.h"

#include <stdint.h>

/* What a scene is about. FREE: nothing holds, meets or blows at its bodies. ODD: numbers of colliders at the ends of what a number may be. */
enum scene_theme { SCENE_ANY, SCENE_FREE, SCENE_ODD, SCENE_THEMES };

enum scene_theme scene_theme_of(uint64_t number);

/* Scene `number`; json_free. */
json *scene_draw(uint64_t number);

/* A scene of particles and a cloth on one collider of a type, the numbers from 0; NULL past the last. Its other keys are those of drawing `number`. */
json *scene_draw_collider(uint32_t type, uint64_t number);

/* Number `index` of the numbers, and of the texts in their place, that are at the ends of what a number may be, or none; false past the last. */
bool scene_odd(size_t index, json *odd);

/* Writes the meshes, caches and distances that scenes name into the working folder. */
void scene_draw_files(void);

/* The names of these files; NULL past the last. */
const char *scene_draw_file(size_t index);

#endif
