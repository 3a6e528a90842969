/* A surface being read: fields and functions that its formats share. A format is a file, mesh_NAME.c, and a row in mesh.c;
 * the functions are in surface.c. */
#ifndef PLIANT_IO_MESH_SURFACE_H
#define PLIANT_IO_MESH_SURFACE_H

#include "base/array.h"
#include "base/error.h"
#include "pliant/io.h"

typedef struct pliant__group_name {
    uint64_t hash;
    char     text[64];
} pliant__group_name;

typedef struct pliant__surface {
    const char   *path;
    pliant_error *error; /* never NULL */
    uint32_t      base;  /* the format's number of its first vertex: for messages */
    double        unit;  /* as in pliant_mesh */
    char          up;
    uint64_t      left_out;
    bool          as_is; /* faces may have a vertex twice */
    bool          wants_uvs, has_uvs;
    float        *vertex_uvs; /* of glTF, gltf_uvs.h: in place of those that pliant-import has; NULL: these count */
    uint64_t      vertex_uv_count;
    ARRAY(pliant_real) positions;
    ARRAY(uint32_t) triangles;
    ARRAY(uint32_t) quads;
    ARRAY(float) triangle_uvs, quad_uvs; /* 2 per corner, where it has some */
    ARRAY(pliant__group_name) groups;
    ARRAY(uint64_t) members; /* group << 32 | vertex, in any order, as often as they are said */
    ARRAY(float) colors;     /* 4 per vertex, up to the last that has one */
} pliant__surface;

/* Adds one coordinate; `what` stands for a number that is none in the error. */
bool pliant__surface_coordinate(pliant__surface *s, double value, int line);

/* Adds a face, of three corners or more, all different and all of vertices that there are: else an error at `line`, or without one at 0. */
bool pliant__surface_face(pliant__surface *s, const uint32_t *corners, size_t count, int line);

/* Likewise, with two texture coordinates per corner, or NULL. */
bool pliant__surface_face_uvs(pliant__surface *s, const uint32_t *corners, const float *uvs, size_t count, int line);

/* A texture coordinate as it is kept: finite, and not too large for a float. */
bool pliant__surface_uv(pliant__surface *s, double value, int line, float *out);

/* The number of a group of this name, which is new or was there; a vertex in it; the colour of the vertex that was added last, 0 to 1. Groups of a
 * file beyond the 1024th are not kept. */
bool pliant__surface_group(pliant__surface *s, const char *name, size_t length, uint32_t *number);
bool pliant__surface_member(pliant__surface *s, uint32_t group, uint32_t vertex);
bool pliant__surface_color(pliant__surface *s, const double rgba[4]);

/* Gives groups and colours to a mesh; frees the rest. */
bool pliant__surface_marks(pliant__surface *s, pliant_mesh *mesh);
void pliant__surface_forget_marks(pliant__surface *s);

/* Read a whole text. False on error. */
bool pliant__obj_read(pliant__surface *s, const char *text, size_t length);
bool pliant__ply_read(pliant__surface *s, const char *text, size_t length);
bool pliant__face_read(pliant__surface *s, const char *text, size_t length); /* after TetGen's NAME.node: */
bool pliant__face_node_read(pliant__surface *s, const char *text, size_t length);

/* Reads the whole output of pliant-import (io/mesh/import.h). */
bool pliant__import_read(pliant__surface *s, const char *bytes, size_t length);

/* Whether a path is of one of these formats; and their endings, ".obj, .ply", at most `size` bytes. */
bool pliant__is_surface(const char *path);

/* The file that is read besides, from malloc, or NULL if there is none. *ok false without memory. */
char *pliant__surface_part(const char *path, bool *ok);
void  pliant__surface_endings(char *out, size_t size);

#endif
