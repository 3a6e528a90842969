/* Cells of VTK: a body's particles as vertices, a rope as one line, faces as polygons. And numbers as bytes, little-endian. */
#ifndef PLIANT_IO_CACHE_CELLS_H
#define PLIANT_IO_CACHE_CELLS_H

#include "io/cache/format.h"

/* In VTK's order. Pliant has no strips; its files have to say so. */
typedef enum pliant__cell_kind { PLIANT__VERTICES, PLIANT__LINES, PLIANT__POLYGONS, PLIANT__STRIPS, PLIANT__CELL_KINDS } pliant__cell_kind;

typedef struct pliant__cells {
    uint64_t count; /* cells */
    uint64_t ids;   /* vertices of all of them */
} pliant__cells;

pliant__cells pliant__cells_of(const pliant_body_info *body, pliant__cell_kind kind);

/* Vertices of cell number `index`. */
uint32_t pliant__cell_size(const pliant_model *model, const pliant_body_info *body, pliant__cell_kind kind, uint32_t index);

/* Append to bytes, as integers of `size` bytes: the vertices of all cells, counted from `first`, those of polygons as `faces` has them; and where each cell ends among them, counted
 * from `first`. False if out of memory. */
bool pliant__put_cell_ids(pliant__bytes *to, const uint32_t *faces, const pliant_body_info *body, pliant__cell_kind kind, uint64_t first,
                          size_t size);
bool pliant__put_cell_ends(pliant__bytes *to, const pliant_model *model, const pliant_body_info *body, pliant__cell_kind kind,
                           uint64_t first, size_t size);

/* Appends an integer of `size` bytes. False if out of memory. */
bool     pliant__put_integer(pliant__bytes *to, uint64_t value, size_t size);
uint64_t pliant__get_integer(const char *from, size_t size);

/* Makes bytes of `count` vectors that are `stride` vectors apart, close together. */
void pliant__set_vectors(char *to, const pliant_vec3 *from, size_t count, size_t stride);

/* The other way; false if one is not finite, and which one. */
bool pliant__get_vectors(const char *from, pliant_vec3 *to, size_t count, size_t *wrong);

#endif
