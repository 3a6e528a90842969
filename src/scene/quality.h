/* Substeps and tethers that are chosen where a scene says a quality: quality.c. */
#ifndef PLIANT_SCENE_QUALITY_H
#define PLIANT_SCENE_QUALITY_H

#include "scene/draft.h"

/* Edges across the cloth or rope that has the most; 0: there is none. */
uint32_t pliant__scene_across(const pliant_scene *scene);

/* Substeps of a step. */
uint32_t pliant__scene_substeps(const pliant_scene *scene);

/* Why `good` has so many substeps, beside the edges across; "": by these alone. */
const char *pliant__quality_reason(uint32_t substeps);

/* How a body hangs. */
typedef struct pliant__hanging {
    bool   chosen;       /* its tethers are to be chosen */
    bool   held, loaded; /* by laws of stretch; by rows that were added, or laws that are no compliance */
    double give;         /* m/N, the largest compliance of its stretch; of ropes over the length, 1/N */
    double load, area;   /* N, the most that gravity and the scene's forces pull it by; m^2, of a rope m */
} pliant__hanging;

/* Of each body of the scene. */
void pliant__find_hanging(const pliant_scene *scene, pliant__hanging *out);

/* The factor of tethers (rest length over the distance along the body) of a body that hangs so, its longest way to a pin being `longest`, m; 0: it
 * has none. */
double pliant__chosen_tether(const pliant__draft_body *b, const pliant__hanging *of, double longest);

#endif
