/* Alembic archives (Ogawa) of any program, walked: objects, properties, and when their samples are. Nothing is trusted: a part that is missing, or is
 * of another type, is an error or is passed over, and groups that contain themselves end at a depth. */
#ifndef PLIANT_IO_MOTION_ABC_TREE_H
#define PLIANT_IO_MOTION_ABC_TREE_H

#include "io/files/ogawa.h"

enum { PLIANT__ABC_DEEPEST = 64 };

/* When samples are: `stored` times, of which a cycle is made that takes `cycle` seconds. */
typedef struct pliant__abc_times {
    double   cycle;
    uint32_t count;
    double  *stored;
} pliant__abc_times;

typedef struct pliant__abc_tree {
    pliant__ogawa_file from;
    pliant__bytes      data; /* the last data that was read whole */
    uint64_t           top;  /* the object that all others are in */
    ARRAY(pliant__abc_times) times;
    double   fps;   /* from the archive's words; 0 where they have none */
    uint64_t steps; /* objects that may still be walked over */
} pliant__abc_tree;

/* Opens an archive, a file or memory, at `from`. After an error it still has to be closed. */
bool pliant__abc_tree_open(pliant__abc_tree *tree, pliant__ogawa_file from);
void pliant__abc_tree_close(pliant__abc_tree *tree);

/* Visits an object's children, in their order, until one says no. */
bool pliant__abc_children(pliant__abc_tree *tree, uint64_t                                                     object,
                          bool (*visit)(void *context, const char *name, size_t length, uint64_t child), void *context);

/* A property: a row of samples, of which only those from `first` to `last` differ from the one before. */
typedef struct pliant__abc_row {
    bool     there;
    unsigned type; /* 0: a compound, 1: one value per sample, else an array of them */
    unsigned pod, extent;
    uint32_t samples, first, last, times;
    uint64_t group;
} pliant__abc_row;

/* The property of this name in a compound, where it is one; `row->there` where it is. */
bool pliant__abc_find(pliant__abc_tree *tree, uint64_t compound, const char *name, pliant__abc_row *row);

/* The compound in which an object's properties are. */
bool pliant__abc_properties(pliant__abc_tree *tree, uint64_t object, uint64_t *compound);

/* When sample `index` is, s. */
double pliant__abc_time(const pliant__abc_tree *tree, const pliant__abc_row *row, uint32_t index);

/* Whether more than one sample of it is stored. */
bool pliant__abc_moves(const pliant__abc_row *row);

/* The number of bytes of a sample, and their place in the file. */
bool pliant__abc_sample(pliant__abc_tree *tree, const pliant__abc_row *row, uint32_t index, uint64_t *place, uint64_t *size);

/* The last sample that is not after a time, the next one, and the share of that. */
void pliant__abc_at(const pliant__abc_tree *tree, const pliant__abc_row *row, double time, uint32_t *index, uint32_t *next, double *share);

#endif
