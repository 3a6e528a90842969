/* Point caches of any program, read as they are: Point Cache 2 (.pc2) and MDD (.mdd). How many vertices they have, and when their samples
 * are, the file says. Nothing is kept but the header: a sample is read when it is asked for. */
#ifndef PLIANT_IO_POINTS_H
#define PLIANT_IO_POINTS_H

#include "io/file.h"
#include "pliant/base.h"

typedef struct pliant__points {
    pliant__source       file;  /* or, where it is memory: */
    const unsigned char *bytes; /* and `file.path` is its name */
    uint64_t             size;
    bool                 mdd;
    uint32_t             vertices, samples; /* at least 1 of each */
    double               start, rate;       /* frame number of sample 0, and frames from one to the next. MDD has none: 0 and 1 */
    double              *times;             /* of samples, s, ascending; NULL where the file does not say: PC2 */
} pliant__points;

/* Whether a path ends as one of them does. */
bool pliant__points_is(const char *path);

/* Opens by the path's ending, and looks at the header and at the size, which has to be what the header says. After an error it still has
 * to be closed. */
bool pliant__points_open(pliant__points *points, const char *path, pliant_error *error);

/* The same of bytes, which have to stay; `name` stands for the path. */
bool pliant__points_open_bytes(pliant__points *points, const char *name, const void *bytes, size_t size, pliant_error *error);

/* Reads sample `sample` < samples: its `vertices` positions, all finite. */
bool pliant__points_read(const pliant__points *points, uint32_t sample, pliant_vec3 *out, pliant_error *error);

void pliant__points_close(pliant__points *points);

#endif
