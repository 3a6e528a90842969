/* An HDF5 file, laid out by libhdf5 for everything that it is going to hold. The library makes the head of it, in memory; frames behind it are
 * written at offsets that are known from then on, without the library, which promises nothing to a program that is killed.
 *
 * Where Pliant was built without HDF5, making one is an error that says so. */
#ifndef PLIANT_IO_CACHE_HDF_H
#define PLIANT_IO_CACHE_HDF_H

#include "io/cache/format.h"

typedef enum pliant__hdf_type { PLIANT__HDF_INT32, PLIANT__HDF_INT64, PLIANT__HDF_FLOAT32, PLIANT__HDF_FLOAT64 } pliant__hdf_type;

/* A data set, in a group that is named before. */
typedef struct pliant__hdf_array {
    const char      *path; /* "/VTKHDF/Points" */
    pliant__hdf_type type;
    uint32_t         rank;
    uint64_t         size[2];
    const void      *data;   /* little-endian; NULL: it lies behind the head, and is filled in later */
    uint64_t         offset; /* set: where it lies, where there is no data */
} pliant__hdf_array;

/* How many steps there are, which HDF5 has twice: as an attribute, and as the length of an array of times. Both are 1 in the head, and
 * 64-bit numbers that can be written over. */
typedef struct pliant__hdf_steps {
    const char *group, *attribute, *array; /* "/VTKHDF/Steps", "NSteps", "Values" */
    uint64_t    most;                      /* the array has room for */
    const void *data;                      /* for all of them: float64, little-endian */
    uint64_t    attribute_at, length_at;   /* set: where the numbers lie */
} pliant__hdf_steps;

typedef struct pliant__hdf_text {
    const char *of, *name, *value; /* `of` is the path of a group or an array */
} pliant__hdf_text;

typedef struct pliant__hdf_layout {
    const char *const      *groups; /* each behind the one that it lies in; NULL ends */
    const pliant__hdf_text *texts;  /* attributes; NULL ends */
    const char             *root;   /* the group with the attribute Version */
    int64_t                 version[2];
    pliant__hdf_steps       steps;
    pliant__hdf_array      *arrays; /* those without data last */
    size_t                  array_count;
    uint64_t                size; /* set: of the whole file */
} pliant__hdf_layout;

/* Makes the head of the file, from pliant__alloc, and sets the fields marked "set". False on error. */
bool pliant__hdf_make(pliant__hdf_layout *layout, pliant__bytes *head, pliant_error *error);

#endif
