/* The output of pliant-import: a head, and either a mesh or a message. Numbers lie as the machine has them; both ends are on one machine. The reader
 * checks every number. */
#ifndef PLIANT_IO_MESH_IMPORT_H
#define PLIANT_IO_MESH_IMPORT_H

#include <stdint.h>

#define PLIANT__IMPORT_MAGIC "PLIANTM1"

enum pliant__import_status {
    PLIANT__IMPORT_MESH,   /* double[3 vertices], uint32_t[faces]: corners of each, uint32_t[corners]; and, or not, marks */
    PLIANT__IMPORT_BAD,    /* the file is bad; text */
    PLIANT__IMPORT_MEMORY, /* it needs too much memory; nothing more */
    PLIANT__IMPORT_OUTSIDE /* it names a file outside the root folder; its path */
};

typedef struct pliant__import_head {
    char     magic[8];
    uint32_t status;
    uint32_t up;   /* 'y', 'z', 'x' for any other axis, or 0 */
    double   unit; /* or 0 */
    uint64_t vertices, faces, corners;
    uint64_t left_out;
    uint64_t text; /* bytes of text */
} pliant__import_head;

enum { PLIANT__IMPORT_COLORS = 1, PLIANT__IMPORT_UVS = 2 };

/* Marks of vertices: this struct, float[4 vertices] if there are colours, the groups, and float[2 vertices] if there are texture coordinates. */
typedef struct pliant__import_marks {
    uint32_t has; /* bits: */
    uint32_t groups;
} pliant__import_marks;

typedef struct pliant__import_group {
    char     name[64];
    uint32_t first, count; /* vertices */
} pliant__import_group;

#endif
