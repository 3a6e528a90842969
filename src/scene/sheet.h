/* Triangles of a woven sheet: what cloth of other models than distance has in its plane. */
#ifndef PLIANT_SCENE_SHEET_H
#define PLIANT_SCENE_SHEET_H

#include "scene/surface.h"

/* Where warp runs. Of a grid along its x, whatever else is said. */
typedef struct pliant__weave {
    pliant_vec3            warp;    /* a direction as the mesh is placed, of any length; 0: along u of the texture coordinates */
    const pliant__surface *surface; /* with texture coordinates where there is no direction */
    double                *threads; /* NULL, or pliant__fabric.threads, to be filled */
} pliant__weave;

/* The kind of a model's triangles. */
pliant_constraint_kind pliant__sheet_kind(pliant_cloth_model model);

/* The law of triangles of a material with stretch_warp. */
pliant_law pliant__sheet_law(const pliant_material *m);

/* Appends a triangle of the body's model per triangle of local particles, all of one law. Triangles without area hold nothing. */
bool pliant__build_sheet(pliant__builder *b, const uint32_t *triangles, size_t count, const pliant__weave *weave);

#endif
