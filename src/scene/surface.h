/* Surfaces as callers describe them: reading, cutting quads into triangles, and what is written out. */
#ifndef PLIANT_SCENE_SURFACE_H
#define PLIANT_SCENE_SURFACE_H

#include "scene/topology.h"

/* A surface, in scratch memory. Numbers are the caller's vertex numbers. */
typedef struct pliant__surface {
    pliant_vec3  *x;
    uint32_t      vertex_count;
    uint32_t     *corners;   /* triangles, then quads */
    float        *uvs;       /* two per corner; NULL: none, or none are needed */
    pliant__faces faces;     /* of them */
    uint32_t     *cut;       /* three corners (places in `corners`) per triangle, quads cut in two */
    size_t        cut_count; /* triangles */
} pliant__surface;

/* Reads and checks a mesh; places nothing. */
bool pliant__read_surface(pliant__builder *b, const pliant_mesh_view *mesh, const char *what, pliant__surface *out);

/* Room for a surface of so many vertices, triangles and quads. */
bool pliant__take_surface(pliant__builder *b, uint64_t vertices, uint64_t triangles, uint64_t quads, pliant__surface *out);

/* clean.c: takes out faces with less than three places, `place` being that of each vertex (NULL: its own). A quad with three places, two of its
 * corners side by side being at one, becomes a triangle. With `doubled`, a face with the places of an earlier face is taken out, too, back to back or
 * not. The body counts faces that are taken out; a surface without any face left is an error. */
bool pliant__clean_surface(pliant__builder *b, pliant__surface *s, const uint32_t *place, bool doubled);

/* Takes out the faces that are marked, triangles first. */
bool pliant__take_out_faces(pliant__builder *b, pliant__surface *s, const bool *gone);

/* Fills `cut`. Quads are cut along their shorter diagonal, along corners 0 and 2 if the two differ by less than one in a thousand; in a
 * grid of `columns` > 0 quads per row in turn one and the other. */
bool pliant__cut_quads(pliant__builder *b, pliant__surface *s, uint32_t columns);

/* Makes its faces the triangles that it was cut into. */
bool pliant__cut_faces(pliant__builder *b, pliant__surface *s);

/* Appends faces and triangles that are written out. */
bool pliant__build_faces(pliant__builder *b, const pliant__surface *s);

/* Appends triangles that wind blows at, of local particles. */
bool pliant__build_triangles(pliant__builder *b, const uint32_t *triangles, size_t count);

#endif
