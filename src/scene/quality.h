/* What is chosen where a scene says a quality: quality.c. */
#ifndef PLIANT_SCENE_QUALITY_H
#define PLIANT_SCENE_QUALITY_H

#include "scene/draft.h"

/* Substeps of a step. */
uint32_t pliant__scene_substeps(const pliant_scene *scene);

/* How many times as long as over the body its tethers are; 0: it has none. */
double pliant__tether_of(const pliant_scene *scene, uint32_t body);

#endif
