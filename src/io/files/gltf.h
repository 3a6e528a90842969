/* glTF 2.0 files (Khronos, "glTF 2.0 Specification", 2021), opened: the JSON as a tree, the buffers as bytes, and accessors, each number of which is
 * looked up where it lies when it is asked for. Nothing outside a buffer is looked at, whatever the file says. */
#ifndef PLIANT_IO_FILES_GLTF_H
#define PLIANT_IO_FILES_GLTF_H

#include "io/files/node.h"
#include "base/error.h"

#define PLIANT__GLTF_NONE UINT32_MAX

typedef struct pliant__gltf_buffer {
    const unsigned char *data;
    uint64_t             size;
    unsigned char       *own; /* from malloc, or NULL */
} pliant__gltf_buffer;

/* The lists at the root; others refer to their elements by number. */
enum { PLIANT__GLTF_LISTS = 5 };

typedef struct pliant__gltf {
    pliant__tree         tree;
    const pliant__node  *root;
    const pliant__node **lists[PLIANT__GLTF_LISTS]; /* of each, its elements */
    pliant__gltf_buffer *buffers;
    uint32_t             buffer_count;
    const char          *path; /* of the file, for messages and for files that it names */
    pliant_error        *error;
} pliant__gltf;

/* Numbers of a file: `count` elements of `width` numbers each. */
typedef struct pliant__gltf_accessor {
    const unsigned char *data; /* NULL: all 0 */
    uint64_t             count, stride;
    uint32_t             width, component;
    bool                 normalized;
    uint64_t             sparse_count; /* elements that are elsewhere: their numbers ascend */
    const unsigned char *sparse_index, *sparse_data;
    uint32_t             sparse_component;
} pliant__gltf_accessor;

/* Files that a glTF names, of buffers. */
typedef struct pliant__gltf_beside {
    bool (*may_read)(void *context, const char *path); /* whether one may be read; complains if not */
    void *context;
} pliant__gltf_beside;

/* Opens bytes, which have to stay, of a file `path`: .glb or .gltf by how they begin. No file besides is read where `beside` is NULL or has no
 * function. After an error it still has to be closed. */
bool pliant__gltf_open(pliant__gltf *g, const char *path, const void *bytes, size_t size, const pliant__gltf_beside *beside,
                       pliant_error *error);
void pliant__gltf_close(pliant__gltf *g);

/* Always false; tells the place of `node` in the JSON. */
PLIANT_PRINTF(3, 4)
bool pliant__gltf_fail(const pliant__gltf *g, const pliant__node *node, const char *format, ...);

/* The list of this name at the root, or NULL if there is none; how long it is; its element `index`, an object, or NULL, with an error, if there is none. */
uint32_t            pliant__gltf_count(const pliant__gltf *g, const char *list);
const pliant__node *pliant__gltf_at(const pliant__gltf *g, const char *list, uint32_t index, const pliant__node *from);

/* Member `key` of an object: a whole number below `limit`. `out` stays as it is where it is not said. */
bool pliant__gltf_index(const pliant__gltf *g, const pliant__node *map, const char *key, uint64_t limit, uint64_t *out);

/* `count` numbers, which are finite; `out` stays where they are not said. */
bool pliant__gltf_numbers(const pliant__gltf *g, const pliant__node *map, const char *key, uint32_t count, double *out);

/* Accessor `index`, which has to have `width` numbers per element; `from` is what names it. */
bool pliant__gltf_accessor_open(const pliant__gltf *g, uint32_t index, const pliant__node *from, uint32_t width,
                                pliant__gltf_accessor *out);

/* Number `k` of an element: a normalized one as a fraction, from 0 or -1 to 1. */
double   pliant__gltf_get(const pliant__gltf_accessor *a, uint64_t element, uint32_t k);
uint32_t pliant__gltf_get_whole(const pliant__gltf_accessor *a, uint64_t element, uint32_t k);

/* The first element of those from `from` on, before `to`, that has a number that is not finite; `to`: there is none. */
uint64_t pliant__gltf_odd(const pliant__gltf_accessor *a, uint64_t from, uint64_t to);

#endif
