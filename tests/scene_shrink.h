/* Makes a scene that shows a fault as plain as it can be: what is in it is taken away, piece by piece, and its numbers become plainer, as long as the
 * same fault is there. */
#ifndef PLIANT_TESTS_SCENE_SHRINK_H
#define PLIANT_TESTS_SCENE_SHRINK_H

#include "json_tree.h"

/* Whether a scene shows the fault. */
typedef bool scene_shows(const json *scene, void *context);

/* Shrinks a scene in place, by at most so many trials; the number of those that were made. */
int scene_shrink(json *scene, scene_shows *shows, void *context, int trials);

#endif
