/* Vertices along the seams of a texture, which are there once more for each further place on it, for formats in which a vertex has one place. */
#ifndef PLIANT_IO_CACHE_SEAMS_H
#define PLIANT_IO_CACHE_SEAMS_H

#include "pliant/pliant.h"

typedef struct pliant__place pliant__place; /* format.h */

typedef struct pliant__seams {
    uint32_t *of; /* per seam: the vertex that it is of */
    uint32_t  count;
    uint32_t *corners; /* per face index: a vertex, or a seam, which are numbered behind the vertices; NULL: no texture */
    float    *uvs;     /* two per vertex and seam */
} pliant__seams;

/* The different textures of bodies with seams, numbered by the first bodies that have them. */
typedef struct pliant__pictures {
    uint32_t *of;    /* per body; PLIANT__NO_PICTURE: it has none */
    uint32_t *first; /* per picture: the first body that has it */
    uint32_t  count;
} pliant__pictures;

#define PLIANT__NO_PICTURE UINT32_MAX

/* Finds the seams of a body; none of a body without a texture. False if out of memory; to be freed all the same. */
bool pliant__seams_make(const pliant__place *place, uint32_t body, pliant__seams *out);
void pliant__seams_free(pliant__seams *seams);

/* Of all bodies, with the seams of each. False if out of memory; to be freed all the same. */
bool pliant__pictures_make(const pliant_model *model, const pliant__seams *seams, uint32_t bodies, pliant__pictures *out);
void pliant__pictures_free(pliant__pictures *pictures);

#endif
