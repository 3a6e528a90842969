/* The faces of a Wavefront OBJ, as its text lists them. */
#ifndef PLIANT_IO_MESH_OBJ_H
#define PLIANT_IO_MESH_OBJ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `line` gives the lines to read, one after another without their ends, until it returns false. `vertex`, `texture` and `face` are called for every
 * v, vt and f among them. Indices are as written: from 1, negative from the end, 0 for nonsense. Returning false stops. */
typedef struct pliant__obj_sink {
    void *context;
    bool (*line)(void *context, const char **start, const char **end);
    bool (*vertex)(void *context);
    bool (*texture)(void *context);                                                     /* for every vt */
    bool (*face)(void *context, const int *indices, const int *textures, size_t count); /* textures: 0 where there is none */
} pliant__obj_sink;

/* Walks the lines. False if it ran out of memory, or if the sink said stop. */
bool pliant__obj_parse(const pliant__obj_sink *sink, bool *out_of_memory);

#ifdef __cplusplus
}
#endif
#endif
