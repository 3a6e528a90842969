/* Tetrahedra being read: fields and functions that their formats share. A format is a file, tets_NAME.c, and a row in tets.c;
 * the functions are in tets_add.c. */
#ifndef PLIANT_IO_MESH_TETS_H
#define PLIANT_IO_MESH_TETS_H

#include "base/array.h"
#include "base/error.h"
#include "pliant/io.h"

typedef struct pliant__tets {
    const char   *path;
    pliant_error *error;  /* never NULL */
    int64_t       base;   /* TetGen's number of its first vertex */
    uint64_t      others; /* elements that are no tetrahedra, passed over */
    uint64_t      curved; /* tetrahedra with more than four vertices, of which the corners are taken */
    ARRAY(pliant_real) positions;
    ARRAY(uint32_t) tetrahedra;
} pliant__tets;

/* Adds a vertex, its coordinates below 3e38. */
bool pliant__tets_vertex(pliant__tets *t, const double x[3]);

/* Adds a tetrahedron of vertices that there are. */
bool pliant__tets_add(pliant__tets *t, const uint32_t corners[4]);

/* Read a whole text. False on error. TetGen's two files are read one after the other. */
bool pliant__node_read(pliant__tets *t, const char *text, size_t length);
bool pliant__ele_read(pliant__tets *t, const char *text, size_t length);
bool pliant__msh_read(pliant__tets *t, const char *text, size_t length);
bool pliant__vtk_read(pliant__tets *t, const char *text, size_t length);

void pliant__tets_free(pliant__tets *t);

/* Whether a path is of one of these formats; and their endings, ".node, .ele", at most `size` bytes. */
bool                           pliant__is_tets(const char *path);
void                           pliant__tets_endings(char *out, size_t size);
const pliant_mesh_format_info *pliant__tets_format_at(uint32_t index);

/* The file number `part` of those that a path stands for, NULL past the last: TetGen's are two. From malloc; *ok false without memory. */
char *pliant__tets_part(const char *path, int part, bool *ok);

#endif
