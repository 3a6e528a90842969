/* Reading caches that are followed: Point Cache 2 (.pc2), MDD (.mdd) and animated meshes of glTF (.glb, .gltf), USD (.usda) and Alembic (.abc). The
 * file has the number of vertices, and the times of samples. Of a point cache nothing is kept but the header: a sample is read when it is asked
 * for. */
#ifndef PLIANT_IO_MOTION_POINTS_H
#define PLIANT_IO_MOTION_POINTS_H

#include "base/error.h"
#include "io/files/file.h"
#include "pliant/base.h"

typedef struct pliant__points_format pliant__points_format;

typedef struct pliant__points {
    pliant__source               file;  /* or, where it is memory: */
    const unsigned char         *bytes; /* and `file.path` is its name */
    unsigned char               *owned; /* the bytes, if they are its own; from malloc */
    uint64_t                     size;
    const pliant__points_format *format;
    uint32_t                     vertices, samples; /* at least 1 of each */
    double                       start, rate;       /* frame number of sample 0, and frames from one to the next. MDD has none: 0 and 1 */
    double                      *times;             /* of samples, s, ascending; NULL where the file does not say: PC2 */
    double                      *numbers;           /* of samples: their frames' numbers; NULL: as start and rate say */
    double                       unit;              /* m, and the axis that points up, as in the file; 0: unknown */
    char                         up;
    void                        *own; /* of a format that keeps more */
} pliant__points;

/* Keys of a scene for a file with more than one row of samples. */
typedef struct pliant__points_def {
    double      fps;       /* frames per second, at which motion that is no row of samples is sampled; 0: 60 */
    const char *object;    /* the object that is followed, by its name; NULL: all of them, one after another */
    const char *animation; /* NULL: the first one, and others that move something else */
    /* Whether a file that the file names may be read; complains if not. NULL: none may. */
    bool (*may_read)(void *context, const char *path);
    /* Gets a message on input that is odd, but not wrong; may be NULL. */
    void (*notice)(void *context, const char *text);
    void *context;
} pliant__points_def;

/* A format: its endings and functions. */
struct pliant__points_format {
    const char *ending, *other;      /* other: NULL, or a second one */
    bool        in_memory;           /* read into memory when it is opened: `bytes` are there */
    bool        objects, animations; /* has names for them */
    bool (*open)(pliant__points *points, const pliant__points_def *def, pliant_error *error);
    bool (*read)(const pliant__points *points, uint32_t sample, pliant_vec3 *out, pliant_error *error);
    void (*close)(pliant__points *points); /* of `own`; may be NULL */
};

extern const pliant__points_format pliant__points_gltf, pliant__points_usda, pliant__points_abc;

/* The format that a path ends as; NULL: none. All endings, for messages: ".pc2, .mdd and .glb". */
const pliant__points_format *pliant__points_format_of(const char *path);
void                         pliant__points_endings(char *out, size_t size);

/* Opens by the path's ending, and checks everything but the samples' numbers. `def` may be NULL. After an error it still has to be closed. */
bool pliant__points_open(pliant__points *points, const char *path, const pliant__points_def *def, pliant_error *error);

/* Likewise for bytes in memory, which have to stay; `name` stands for the path. */
bool pliant__points_open_bytes(pliant__points *points, const char *name, const void *bytes, size_t size, const pliant__points_def *def,
                               pliant_error *error);

/* Frame number of a sample. */
double pliant__points_number(const pliant__points *points, uint32_t sample);

/* Reads sample `sample` < samples: its `vertices` positions, all finite. */
bool pliant__points_read(const pliant__points *points, uint32_t sample, pliant_vec3 *out, pliant_error *error);

void pliant__points_close(pliant__points *points);

/* For formats: a position, and whether it is finite and not too far away; and the error about one that is not, at a place of the file. */
bool pliant__points_take(double x, double y, double z, pliant_vec3 *out);
PLIANT_PRINTF(4, 5) bool pliant__points_refuse(const pliant__points *points, pliant_vec3 x, pliant_error *error, const char *place, ...);

#endif
