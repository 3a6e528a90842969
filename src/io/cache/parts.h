/* Caches that are put together at the end.
 *
 * Some formats cannot grow frame by frame: the header of an .mdd shifts the points when it counts one frame more, the JSON of a .glb stands
 * in front of its numbers, a .usda has one body's frames after another's. Their frames go into a work file beside the final one, which can:
 *
 *     NAME.mdd.part     a head of 64 bytes, then per frame: checksum, a box per body, and its numbers, float32, little-endian; and corners of faces
 *                       that are the frame's own, uint32, body by body
 *     NAME.mdd          put together from it when the writer is finished, under a temporary name; then the work file is removed
 *
 * Whenever it is stopped, there is a work file with whole frames, or a whole final file, or both. As long as there is a work file, a reader reads it,
 * and a writer that goes on goes on with it. Where there is none, going on begins with taking the final file apart.
 *
 * A format has a row that says which numbers it keeps, how its file is put together, and how it is taken apart; the rest is here, for all of them. A
 * frame has the numbers of the format's file, so taking apart and putting together again gives the same bytes. */
#ifndef PLIANT_IO_CACHE_PARTS_H
#define PLIANT_IO_CACHE_PARTS_H

#include "io/cache/cache.h"
#include "io/cache/writer.h"

/* Channels of a body in a frame: three floats per vertex that is written out, one channel after another, one body after another. */
typedef enum pliant__channel { PLIANT__POINTS, PLIANT__NORMALS, PLIANT__VELOCITIES, PLIANT__CHANNELS } pliant__channel;

/* The box of a body's points in a frame. */
typedef struct pliant__box {
    float low[3], high[3];
} pliant__box;

/* A work file, being read. */
typedef struct pliant__work {
    const pliant__place *place;
    pliant__source       file;
    uint32_t             first, every, frames;
    double               fps;
} pliant__work;

struct pliant__parts {
    bool normals;    /* kept, of bodies that have faces */
    bool velocities; /* kept */
    bool faces;      /* kept, of bodies that have each frame's own */
    bool deltas;     /* points and normals behind frame 0 are differences from it, and normals are unit vectors */
    bool seams;      /* vertices have one place on a texture each: those along its seams are there several times, place->seams */
    bool unnumbered; /* the file does not say which number its first frame has */
    /* Whether so many frames fit into a file; NULL: always. */
    bool (*fits)(const pliant__place *place, uint64_t frames, pliant_error *error);
    /* Puts the files together, and notes their paths. */
    bool (*join)(pliant_writer *writer, const pliant__work *work, pliant_error *error);
    /* Opens a final file: fills cache->first, cache->frames and cache->taken. */
    bool (*open)(pliant_cache *cache, pliant_error *error);
    /* Whether the times of a final file's frames, def->there of them, are those that `def` gives; NULL: the file says first, every and fps. */
    bool (*same_times)(pliant_cache *cache, const pliant_write_def *def, pliant_error *error);
    /* Frame `index` of a final file into taken->floats, and corners of faces that are kept into cache->corners. */
    bool (*load)(pliant_cache *cache, uint32_t index, pliant_error *error);
};

/* Bytes of a work file with so many frames. */
uint64_t pliant__parts_work_bytes(const pliant__place *place, uint64_t frames);

/* State of such a cache being read. */
struct pliant__taken {
    pliant__work work;          /* its file is open where the work file is read */
    float       *floats, *base; /* a frame, and frame 0 if others are differences from it */
    ARRAY(pliant__box) boxes;   /* of a format that has them in its file, in its order */
};

extern const pliant__parts pliant__mdd_parts;
extern const pliant__parts pliant__glb_parts;
extern const pliant__parts pliant__usda_parts;

/* ---- for the table of formats ---- */

bool pliant__parts_write(pliant_writer *writer, const pliant_state *state, pliant_error *error);
bool pliant__parts_resume(pliant_writer *writer, pliant_cache *cache, pliant_error *error);
bool pliant__parts_finish(pliant_writer *writer, pliant_error *error);
bool pliant__parts_open(pliant_cache *cache, pliant_error *error);
bool pliant__parts_read(pliant_cache *cache, uint32_t index, pliant_error *error);
void pliant__parts_close(pliant_cache *cache);

/* ---- for the formats ---- */

/* Where a body's channel begins among the floats of a frame, and how many there are: 0 if it is not kept. Of body number body_count: the end. */
size_t pliant__parts_at(const pliant__place *place, uint32_t body, pliant__channel channel);
size_t pliant__parts_count(const pliant__place *place, uint32_t body, pliant__channel channel);

/* Where the corners of a body's faces begin among those that a frame keeps. Of body number body_count: the end. */
size_t pliant__parts_corners_at(const pliant__place *place, uint32_t body);

/* How its frames are numbered, and when they are. */
pliant_write_def pliant__work_def(const pliant__work *work);

bool pliant__work_box(const pliant__work *work, uint32_t frame, uint32_t body, pliant__box *box, pliant_error *error);
bool pliant__work_floats(const pliant__work *work, uint32_t frame, size_t at, size_t count, float *to, pliant_error *error);
bool pliant__work_corners(const pliant__work *work, uint32_t frame, size_t at, size_t count, uint32_t *to, pliant_error *error);

pliant__box pliant__box_of(const float *points, size_t count);
bool        pliant__same_box(const pliant__box *a, const pliant__box *b);

/* Numbers as they lie in files. */
void  pliant__put_f32(unsigned char *to, float value);
float pliant__get_f32(const unsigned char *from);

/* Puts a file whole: opens it under a temporary name, lets `page` put it, waits until it is on the disk, and gives it its name. */
bool pliant__parts_put(pliant_writer *writer, const char *path, bool (*page)(pliant__file *file, void *context, pliant_error *error),
                       void *context, pliant_error *error);

#endif
