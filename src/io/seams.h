/* Vertices along the seams of a texture, which are there once more for each further place on it: what formats need in which a vertex has one place. */
#ifndef PLIANT_IO_SEAMS_H
#define PLIANT_IO_SEAMS_H

#include "pliant/pliant.h"

typedef struct pliant__seams {
    uint32_t *of; /* per seam: the vertex that it is of */
    uint32_t  count;
    uint32_t *corners; /* per face index: a vertex, or a seam, which are numbered behind the vertices; NULL: no texture */
    float    *uvs;     /* two per vertex and seam */
} pliant__seams;

/* Of a body; nothing of one without a texture. False if out of memory; to be freed all the same. */
bool pliant__seams_make(const pliant_model *model, pliant_body body, pliant__seams *out);
void pliant__seams_free(pliant__seams *seams);

#endif
